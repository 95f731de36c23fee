//! Blocks of quantized numbers, as `ggml-common.h` and `ggml-quants.c` of llama.cpp define them: a scale is an f16 number,
//! numbers are computed in f32.

use half::f16;

use crate::encoding::BlockType;

/// The numbers of a block.
pub(crate) fn decode(block: BlockType, bytes: &[u8], out: &mut [f32]) {
    match block {
        BlockType::Q4_0 => q4_0(bytes, out),
        BlockType::Q8_0 => q8_0(bytes, out),
        BlockType::Q4_K => q4_k(bytes, out),
        BlockType::Q6_K => q6_k(bytes, out),
    }
}

fn half(bytes: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

fn q4_0(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 0);
    let (low, high) = out.split_at_mut(16);
    for ((&byte, low), high) in bytes[2..18].iter().zip(low).zip(high) {
        *low = scale * (f32::from(byte & 15) - 8.0);
        *high = scale * (f32::from(byte >> 4) - 8.0);
    }
}

fn q8_0(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 0);
    for (&byte, out) in bytes[2..34].iter().zip(out) {
        *out = f32::from(byte as i8) * scale;
    }
}

/// `(scale * s) * code - (minimum * m)`; the scales s and minima m of eight groups lie in twelve bytes.
fn q4_k(bytes: &[u8], out: &mut [f32]) {
    let (scale, minimum) = (half(bytes, 0), half(bytes, 2));
    let six = &bytes[4..16];
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (s, m) = match group {
            0..4 => (six[group] & 63, six[group + 4] & 63),
            _ => {
                let shared = six[group + 4];
                let above = |byte: u8| byte >> 6 << 4;
                ((shared & 15) | above(six[group - 4]), (shared >> 4) | above(six[group]))
            }
        };
        let (s, m) = (scale * f32::from(s), minimum * f32::from(m));
        let codes = &bytes[16 + group / 2 * 32..][..32];
        for (&code, out) in codes.iter().zip(out) {
            *out = s * f32::from(code >> (group % 2 * 4) & 15) - m;
        }
    }
}

/// `(scale * s) * (code - 32)`: codes lie in two halves of 128, with their lower four bits before their upper two.
fn q6_k(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 208);
    for (i, out) in out.iter_mut().enumerate() {
        let (part, within) = (i / 128, i % 128);
        let low = bytes[part * 64 + within % 64] >> (within / 64 * 4) & 15;
        let high = bytes[128 + part * 32 + within % 32] >> (within / 32 * 2) & 3;
        let code = i16::from(low | high << 4) - 32;
        *out = scale * f32::from(bytes[192 + i / 16] as i8) * f32::from(code);
    }
}

/// The block of Q8_0 nearest to 32 numbers: the largest magnitude becomes the code 127.
pub(crate) fn encode_q8_0(x: &[f32], out: &mut [u8]) {
    let largest = x.iter().fold(0f32, |most, x| most.max(x.abs()));
    let scale = largest / 127.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    for (&x, out) in x.iter().zip(&mut out[2..34]) {
        *out = (x * inverse).round() as i8 as u8;
    }
}

/// The block of Q4_0 nearest to 32 numbers: the first of the largest magnitudes becomes the code 0, which is -8 scales.
pub(crate) fn encode_q4_0(x: &[f32], out: &mut [u8]) {
    let mut extreme = x[0];
    for &x in x {
        if x.abs() > extreme.abs() {
            extreme = x;
        }
    }
    let scale = extreme / -8.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    let code = |x: f32| ((x * inverse + 8.5) as u8).min(15);
    for i in 0..16 {
        out[2 + i] = code(x[i]) | code(x[i + 16]) << 4;
    }
}
