//! Images as tensors of bytes: PNG and JPEG.

use std::io::Cursor;

use jarrah_base::{DType, Error, Literal, Result, Type, memory};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The greatest width and height of an image.
const LONGEST: usize = 1 << 16;

fn damaged(kind: &str, e: &dyn std::fmt::Display) -> Error {
    Error::input(format!("the image is no {kind} that can be read: {e}"))
}

/// The most pixels of a JPEG for a byte of its file: a block of 64 takes a bit at least.
const DENSEST: usize = 1 << 10;

/// An image as it is stored: rows of pixels of 1 (gray), 2 (gray and alpha), 3 (red, green, blue) or 4 channels.
struct Pixels {
    height: usize,
    width: usize,
    channels: usize,
    bytes: Vec<u8>,
}

/// Decodes a PNG or JPEG image to a tensor `u8[height, width, channels]`, of 1 (gray), 3 (red, green, blue) or 4 channels (with alpha), or with 0 of as many as it has.
///
/// Samples of 16 bits are cut to 8, palettes are looked up, alpha that is not asked for is dropped. Gray of colors is `0.299 R + 0.587 G + 0.114 B`.
///
/// ```
/// use jarrah_data::decode_image;
/// let e = decode_image(b"GIF89a", 3).unwrap_err();
/// assert!(e.message().contains("neither PNG nor JPEG"));
/// ```
///
/// # Errors
/// The bytes are no such image or are damaged, or there is no such number of channels (`Input`); it does not fit into memory (`Environment`).
///
/// Source: `tf.io.decode_image`; PIL's `Image.convert`.
pub fn decode_image(bytes: &[u8], channels: usize) -> Result<Literal> {
    if !matches!(channels, 0 | 1 | 3 | 4) {
        return Err(Error::input(format!(
            "images have 1, 3 or 4 channels, or with 0 those that they have, not {channels}"
        )));
    }
    let pixels = match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes)?,
        [0xff, 0xd8, 0xff, ..] => jpeg(bytes, channels)?,
        _ => return Err(Error::input("the image is neither PNG nor JPEG")),
    };
    let Pixels { height, width, channels: own, bytes } = pixels;
    let channels = if channels == 0 { own } else { channels };
    memory::check(height * width * channels, &"an image")?;
    let bytes = if channels == own { bytes } else { converted(&bytes, own, channels) };
    Literal::from_bytes(Type::tensor(DType::U8, vec![height, width, channels]), &bytes)
}

fn converted(bytes: &[u8], from: usize, to: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / from * to);
    for pixel in bytes.chunks_exact(from) {
        let (color, alpha) = match *pixel {
            [gray] => ([gray; 3], 255),
            [gray, alpha] => ([gray; 3], alpha),
            [r, g, b] => ([r, g, b], 255),
            [r, g, b, alpha, ..] => ([r, g, b], alpha),
            [] => continue,
        };
        match to {
            1 if from <= 2 => out.push(color[0]),
            1 => {
                let [r, g, b] = color.map(u32::from);
                out.push(((r * 19595 + g * 38470 + b * 7471 + 0x8000) >> 16) as u8);
            }
            3 => out.extend_from_slice(&color),
            _ => out.extend_from_slice(&[color[0], color[1], color[2], alpha]),
        }
    }
    out
}

fn png(bytes: &[u8]) -> Result<Pixels> {
    let fail = |e: png::DecodingError| damaged("PNG", &e);
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(fail)?;
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    memory::check(size, &"an image")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(fail)?;
    pixels.truncate(info.buffer_size());
    let [height, width] = [info.height, info.width].map(|n| n as usize);
    Ok(Pixels { height, width, channels: info.color_type.samples(), bytes: pixels })
}

fn jpeg(bytes: &[u8], channels: usize) -> Result<Pixels> {
    let options =
        DecoderOptions::default().set_max_width(LONGEST).set_max_height(LONGEST).set_strict_mode(true);
    let fail = |e: zune_jpeg::errors::DecodeErrors| damaged("JPEG", &e);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(fail)?;
    let is_gray = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let (space, channels) = match channels {
        // The decoder makes gray of the brightness that the file has.
        1 => (ColorSpace::Luma, 1),
        0 if is_gray => (ColorSpace::Luma, 1),
        _ => (ColorSpace::RGB, 3),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let (width, height) = decoder.dimensions().ok_or_else(|| damaged("JPEG", &"it has no size"))?;
    if width * height > bytes.len().saturating_mul(DENSEST) {
        return Err(damaged("JPEG", &format_args!("{width} x {height} pixels in {} bytes", bytes.len())));
    }
    memory::check(width * height * channels, &"an image")?;
    let bytes = decoder.decode().map_err(fail)?;
    match bytes.len() == width * height * channels {
        true => Ok(Pixels { height, width, channels, bytes }),
        false => Err(damaged("JPEG", &"it has another number of pixels than its size tells")),
    }
}
