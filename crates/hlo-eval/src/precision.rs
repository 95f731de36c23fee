use jarrah_base::{DType, Element, FloatLayout, Literal, Result, with_element};
use jarrah_hlo::ops::ReducePrecision;

/// Floats rounded to fewer bits: the mantissa to the nearest, ties to even, carrying into the exponent; then what has too
/// large an exponent becomes infinite, and what has too small a one zero.
pub fn reduce_precision(op: &ReducePrecision, x: &Literal) -> Result<Literal> {
    let mut out = x.clone();
    let size = x.dtype().size();
    let format = match x.dtype() {
        DType::F64 => Format { exponent: 11, mantissa: 52 },
        DType::F32 => Format { exponent: 8, mantissa: 23 },
        DType::BF16 => Format { exponent: 8, mantissa: 7 },
        DType::F16 => Format { exponent: 5, mantissa: 10 },
        narrow => return through_singles(op, x, narrow),
    };
    for bytes in out.bytes_mut()[..x.len() * size].chunks_exact_mut(size) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        let reduced = format.reduce(u64::from_le_bytes(word), op.exponent_bits, op.mantissa_bits);
        bytes.copy_from_slice(&reduced.to_le_bytes()[..size]);
    }
    Ok(out)
}

/// Values of a narrow type, reduced as the singles they are exactly.
fn through_singles(op: &ReducePrecision, x: &Literal, dtype: DType) -> Result<Literal> {
    let all = FloatLayout::of(dtype).map_or(0, |layout| layout.exponent);
    // What the type can be reduced to is all of it; in singles its smallest numbers would look too small.
    let exponent_bits = if op.exponent_bits >= all { 8 } else { op.exponent_bits };
    let format = Format { exponent: 8, mantissa: 23 };
    let mut out = x.clone();
    with_element!(dtype, T => {
        for x in out.as_mut_slice::<T>()? {
            let single = x.to_f64() as f32;
            let reduced = format.reduce(single.to_bits().into(), exponent_bits, op.mantissa_bits);
            *x = T::from_f64(f32::from_bits(reduced as u32).into());
        }
    });
    Ok(out)
}

/// A float format: a sign, so many exponent bits, so many of the mantissa.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    mantissa: u32,
}

impl Format {
    fn reduce(self, bits: u64, exponent_bits: u32, mantissa_bits: u32) -> u64 {
        let sign = bits & (1 << (self.exponent + self.mantissa));
        let infinity = ((1 << self.exponent) - 1) << self.mantissa;
        let mut size = bits & !sign;
        if size > infinity {
            return if mantissa_bits == 0 { sign | infinity } else { bits };
        }
        if mantissa_bits < self.mantissa {
            let dropped = self.mantissa - mantissa_bits;
            let last = size >> dropped & 1;
            size += (1 << (dropped - 1)) - 1 + last;
            size &= !((1 << dropped) - 1);
        }
        if exponent_bits < self.exponent {
            let bias = (1 << (self.exponent - 1)) - 1;
            let reduced_bias = (1 << (exponent_bits - 1)) - 1;
            let exponent = size >> self.mantissa;
            if exponent > bias + reduced_bias {
                size = infinity;
            } else if exponent <= bias - reduced_bias {
                size = 0;
            }
        }
        sign | size
    }
}
