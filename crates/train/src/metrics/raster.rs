use std::path::Path;

use jarrah_base::{Error, Result};

use super::lines::failed;

/// Red, green and blue.
pub type Color = [u8; 3];

/// An image to draw on.
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Color>,
}

impl Canvas {
    pub fn new(width: usize, height: usize, background: Color) -> Self {
        Canvas { width, height, pixels: vec![background; width * height] }
    }

    /// Draws the line through `points`, `thickness` pixels wide, with smooth edges.
    ///
    /// Only the segment nearest to a pixel colours it, so a line that crosses or follows itself is no darker there.
    pub fn line(&mut self, points: &[(f64, f64)], thickness: f64, opacity: f64, color: Color) {
        let reach = thickness / 2.0 + 1.0;
        let range = |values: &mut dyn Iterator<Item = f64>, end: usize| {
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
            (low - reach).floor().max(0.0) as usize..((high + reach).ceil().max(0.0) as usize).min(end)
        };
        let columns = range(&mut points.iter().map(|p| p.0), self.width);
        let rows = range(&mut points.iter().map(|p| p.1), self.height);
        let mut share = vec![0.0f64; columns.len() * rows.len()];
        let segments = points.windows(2).map(|s| (s[0], s[1]));
        let dot = points.first().filter(|_| points.len() == 1).map(|p| (*p, *p));
        for (a, b) in segments.chain(dot) {
            for y in range(&mut [a.1, b.1].into_iter(), self.height) {
                for x in range(&mut [a.0, b.0].into_iter(), self.width) {
                    let away = distance((x as f64 + 0.5, y as f64 + 0.5), a, b);
                    let pixel = &mut share[(y - rows.start) * columns.len() + x - columns.start];
                    *pixel = pixel.max((thickness / 2.0 + 0.5 - away).clamp(0.0, 1.0));
                }
            }
        }
        for (row, share) in rows.zip(share.chunks(columns.len().max(1))) {
            for (pixel, share) in self.pixels[row * self.width..][columns.clone()].iter_mut().zip(share) {
                let share = share * opacity;
                for (old, new) in pixel.iter_mut().zip(color) {
                    *old = (f64::from(*old) * (1.0 - share) + f64::from(new) * share).round() as u8;
                }
            }
        }
    }

    /// Writes the image as a PNG file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(self.pixels.as_flattened())?;
                writer.finish()
            })
            .map_err(|e| Error::internal(format!("cannot encode an image: {e}")))?;
        std::fs::write(path, bytes).map_err(|e| failed(path, &e))
    }
}

/// The distance of `p` from the segment `a b`.
fn distance(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let t = if square > 0.0 { ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square } else { 0.0 };
    let t = t.clamp(0.0, 1.0);
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}
