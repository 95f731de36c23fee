use jarrah_base::{DType, Element};

/// `x` rounded once, to nearest even.
pub fn round<T: Element>(x: f64) -> T {
    match T::DTYPE {
        // The conversion looks at the upper half of the bits only; what is below is folded into the lowest of those,
        // which lies beyond the rounding position.
        DType::BF16 | DType::F16 => {
            let bits = x.to_bits();
            let rest = u64::from(bits as u32 != 0);
            T::from_f64(f64::from_bits((bits >> 32 | rest) << 32))
        }
        _ => T::from_f64(x),
    }
}

/// The integer `x` in any type: wrapped, or rounded once.
pub fn round_integer<T: Element>(x: i128) -> T {
    match T::DTYPE {
        DType::BF16 | DType::F16 => {
            let size = x.unsigned_abs();
            let excess = (128 - size.leading_zeros()).saturating_sub(50);
            let kept = size >> excess;
            let rest = u128::from(kept << excess != size);
            let size = ((kept | rest) << excess) as f64;
            round(if x < 0 { -size } else { size })
        }
        _ => T::from_i128(x),
    }
}

/// The larger of two, NaN if one is, 0 above -0.
pub fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b || (a == b && a.is_sign_positive()) { a } else { b }
}

/// The smaller of two, NaN if one is, -0 below 0.
pub fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

#[cfg(test)]
mod tests {
    use jarrah_base::{bf16, f16};

    use super::*;

    #[test]
    fn halves_are_rounded_once() {
        let tie = 1.0 + 2f64.powi(-8);
        assert_eq!(round::<bf16>(tie).to_f64(), 1.0);
        assert_eq!(round::<bf16>(tie + 2f64.powi(-50)).to_f64(), 1.0 + 2f64.powi(-7));
        assert_eq!(round::<bf16>(-tie - 2f64.powi(-50)).to_f64(), -1.0 - 2f64.powi(-7));
        assert_eq!(round::<bf16>(tie - 2f64.powi(-50)).to_f64(), 1.0);
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(round::<f16>(tie).to_f64(), 1.0);
        assert_eq!(round::<f16>(tie + 2f64.powi(-50)).to_f64(), 1.0 + 2f64.powi(-10));
        // The smallest subnormal, and half of it.
        assert_eq!(round::<f16>(2f64.powi(-25)).to_f64(), 0.0);
        assert_eq!(round::<f16>(2f64.powi(-25) + 2f64.powi(-70)).to_f64(), 2f64.powi(-24));
        assert_eq!(round::<f16>(65520.0).to_f64(), f64::INFINITY);
        assert!(round::<bf16>(f64::NAN).is_nan());
    }

    #[test]
    fn wide_integers_are_rounded_once() {
        let tie = (1i128 << 62) + (1 << 54);
        assert_eq!(round_integer::<bf16>(tie).to_f64(), 2f64.powi(62));
        assert_eq!(round_integer::<bf16>(tie + 1).to_f64(), 2f64.powi(62) + 2f64.powi(55));
        assert_eq!(round_integer::<bf16>(-tie - 1).to_f64(), -2f64.powi(62) - 2f64.powi(55));
        assert_eq!(round_integer::<bf16>(tie - 1).to_f64(), 2f64.powi(62));
        assert_eq!(round_integer::<f32>((1 << 24) + 1), 16_777_216.0);
        assert_eq!(round_integer::<i8>(200), -56);
    }

    #[test]
    fn extrema_propagate_nan_and_order_zeros() {
        assert!(maximum(f64::NAN, 1.0).is_nan() && maximum(1.0, f64::NAN).is_nan());
        assert!(minimum(f64::NAN, 1.0).is_nan() && minimum(1.0, f64::NAN).is_nan());
        assert!(maximum(-0.0, 0.0).is_sign_positive() && maximum(0.0, -0.0).is_sign_positive());
        assert!(minimum(-0.0, 0.0).is_sign_negative() && minimum(0.0, -0.0).is_sign_negative());
    }
}
