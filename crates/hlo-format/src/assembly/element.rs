//! Numbers: the text of one, and the bytes of one.

use jarrah_base::{DType, ElementKind, with_element};

/// The name that MLIR has for an element type.
pub(super) fn name(dtype: DType) -> String {
    match dtype {
        DType::Bool => "i1".into(),
        DType::C64 => "complex<f32>".into(),
        DType::C128 => "complex<f64>".into(),
        _ => match dtype.kind() {
            ElementKind::Unsigned => dtype.name().replacen('u', "ui", 1),
            ElementKind::Float => {
                FLOATS.iter().find(|(d, _)| *d == dtype).map_or(dtype.name(), |(_, n)| n).into()
            }
            _ => dtype.name().into(),
        },
    }
}

/// The floats whose names MLIR writes with capitals.
const FLOATS: &[(DType, &str)] = &[
    (DType::F4E2M1FN, "f4E2M1FN"),
    (DType::F6E2M3FN, "f6E2M3FN"),
    (DType::F6E3M2FN, "f6E3M2FN"),
    (DType::F8E3M4, "f8E3M4"),
    (DType::F8E4M3, "f8E4M3"),
    (DType::F8E4M3B11FNUZ, "f8E4M3B11FNUZ"),
    (DType::F8E4M3FN, "f8E4M3FN"),
    (DType::F8E4M3FNUZ, "f8E4M3FNUZ"),
    (DType::F8E5M2, "f8E5M2"),
    (DType::F8E5M2FNUZ, "f8E5M2FNUZ"),
    (DType::F8E8M0FNU, "f8E8M0FNU"),
];

/// The real or integer element type that MLIR calls so.
pub(super) fn dtype(name: &str) -> Option<DType> {
    let known = match name {
        "i1" => DType::Bool,
        "i2" => DType::I2,
        "i4" => DType::I4,
        "i8" => DType::I8,
        "i16" => DType::I16,
        "i32" => DType::I32,
        "i64" => DType::I64,
        "ui2" => DType::U2,
        "ui4" => DType::U4,
        "ui8" => DType::U8,
        "ui16" => DType::U16,
        "ui32" => DType::U32,
        "ui64" => DType::U64,
        "bf16" => DType::BF16,
        "f16" => DType::F16,
        "f32" => DType::F32,
        "f64" => DType::F64,
        _ => return FLOATS.iter().find(|(_, n)| *n == name).map(|(d, _)| *d),
    };
    Some(known)
}

/// The value of `12`, `-3` or `0x1F`.
pub(super) fn integer(text: &str) -> Option<i128> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let size: i128 = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -size } else { size })
}

/// The integer `value` as an element, in `to`, which is as long as one; `None` if it is out of range.
///
/// Types with a sign take the values of those without one too, as MLIR's signless types do.
pub(super) fn put_integer(value: i128, dtype: DType, to: &mut [u8]) -> Option<()> {
    in_range(value, dtype)?;
    to.copy_from_slice(&value.to_le_bytes()[..to.len()]);
    if let bits @ 2..8 = dtype.bits() {
        to[0] &= 0xff >> (8 - bits);
    }
    Some(())
}

/// The value that `value` is in an integer type, if it is in the range of the type or of that without a sign.
pub(super) fn in_range(value: i128, dtype: DType) -> Option<i128> {
    let (low, high) = dtype.integer_range()?;
    let wrapped =
        if low < 0 && value > high && value <= 2 * high + 1 { value - 2 * (high + 1) } else { value };
    (low..=high).contains(&wrapped).then_some(wrapped)
}

/// The float that `text` stands for, rounded to `dtype`, or whose bits it gives in hexadecimal, as an element in `to`.
pub(super) fn put_float(text: &str, dtype: DType, to: &mut [u8]) -> Option<()> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    if let Some(hex) = digits.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).ok().filter(|_| !negative)?;
        let width = dtype.bits();
        if width < 64 && bits >> width != 0 {
            return None;
        }
        to.copy_from_slice(&bits.to_le_bytes()[..to.len()]);
        return Some(());
    }
    // By way of f64, as MLIR reads them.
    let x: f64 = text.parse().ok()?;
    match dtype {
        DType::F32 => to.copy_from_slice(&(x as f32).to_le_bytes()),
        DType::F64 => to.copy_from_slice(&x.to_le_bytes()),
        _ => with_element!(dtype, T => {
            let element = <T as jarrah_base::Element>::from_f64(x);
            to.copy_from_slice(bytemuck::bytes_of(&element));
        }),
    }
    Some(())
}

/// The float with these bytes: six digits if those say it exactly, else as many as it takes; its bits if no digits do.
pub(super) fn float(bytes: &[u8], dtype: DType, out: &mut String) {
    let x = with_element!(dtype, T => {
        jarrah_base::Element::to_f64(bytemuck::pod_read_unaligned::<T>(bytes))
    });
    let mut back = [0u8; 16];
    let back = &mut back[..bytes.len()];
    let mut reads_back = |text: &str| put_float(text, dtype, back).is_some() && back == bytes;
    if x.is_finite() {
        let short = scientific(&format!("{x:.6e}"));
        if reads_back(&short) {
            return out.push_str(&short);
        }
        // The shortest digits that name an f32 name every narrower float too.
        let long = if dtype == DType::F64 { format!("{x:e}") } else { format!("{:e}", x as f32) };
        for text in [long, format!("{x:e}")] {
            let text = scientific(&text);
            if reads_back(&text) {
                return out.push_str(&text);
            }
        }
    }
    out.push_str("0x");
    for b in bytes.iter().rev() {
        push_hex(*b, out);
    }
}

/// `1.5e-3` with a point and an exponent of two digits, as C writes it.
fn scientific(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}{point}e{sign}{digits:0>2}")
}

/// Two hexadecimal digits.
pub(super) fn push_hex(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_narrow_float_reads_back() {
        for dtype in DType::ALL.into_iter().filter(|d| d.is_float() && d.bits() <= 16) {
            for bits in 0..1u32 << dtype.bits() {
                let bytes = &bits.to_le_bytes()[..dtype.size()];
                let mut text = String::new();
                float(bytes, dtype, &mut text);
                let mut back = vec![0; bytes.len()];
                put_float(&text, dtype, &mut back).unwrap();
                assert_eq!(back, bytes, "{dtype} {text}");
            }
        }
    }

    #[test]
    fn names() {
        for d in DType::ALL.into_iter().filter(|d| !d.is_complex()) {
            assert_eq!(dtype(&name(d)), Some(d));
        }
    }

    #[test]
    fn floats_as_mlir_writes_them() {
        let text = |x: f32| {
            let mut out = String::new();
            float(&x.to_le_bytes(), DType::F32, &mut out);
            out
        };
        assert_eq!(text(1.0), "1.000000e+00");
        assert_eq!(text(-0.1), "-1.000000e-01");
        assert_eq!(text(0.123_456_79), "1.2345679e-01");
        assert_eq!(text(f32::INFINITY), "0x7F800000");
        assert_eq!(text(f32::from_bits(0x7FC0_0001)), "0x7FC00001");
        assert_eq!(text(-0.0), "-0.000000e+00");
    }
}
