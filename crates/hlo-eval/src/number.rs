use std::cmp::Ordering;

use jarrah_base::{Element, ElementKind, Literal, c128};

/// The elements of a tensor, to be compared.
pub enum Numbers {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
    Complexes(Vec<c128>),
}

impl Numbers {
    pub fn of(x: &Literal) -> Numbers {
        match x.dtype().kind() {
            ElementKind::Float => Numbers::Floats(x.to_f64_vec()),
            ElementKind::Complex => Numbers::Complexes(x.to_c128_vec()),
            ElementKind::Bool | ElementKind::Signed | ElementKind::Unsigned => {
                Numbers::Integers(x.to_i128_vec())
            }
        }
    }

    /// How element `i` stands to element `j` of the other, of the same type: see [`Element::order`].
    pub fn order(&self, i: usize, other: &Numbers, j: usize) -> Option<Ordering> {
        match (self, other) {
            (Numbers::Integers(a), Numbers::Integers(b)) => Some(a[i].cmp(&b[j])),
            (Numbers::Floats(a), Numbers::Floats(b)) => a[i].partial_cmp(&b[j]),
            (Numbers::Complexes(a), Numbers::Complexes(b)) => a[i].order(b[j]),
            _ => None,
        }
    }

    /// As [`Numbers::order`], but floats by IEEE-754's total order.
    pub fn total_order(&self, i: usize, other: &Numbers, j: usize) -> Option<Ordering> {
        match (self, other) {
            (Numbers::Floats(a), Numbers::Floats(b)) => Some(a[i].total_cmp(&b[j])),
            _ => self.order(i, other, j),
        }
    }

    /// Whether element `i` is, or has, a NaN.
    pub fn is_nan(&self, i: usize) -> bool {
        match self {
            Numbers::Integers(_) => false,
            Numbers::Floats(x) => x[i].is_nan(),
            Numbers::Complexes(z) => z[i].is_nan(),
        }
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

fn bits<T: Element>(x: T) -> u64 {
    let mut bytes = [0; 8];
    bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
    u64::from_le_bytes(bytes)
}

/// The element next to `x` in the direction of `y`: `y` if they are equal, NaN if one is.
pub fn next_after<T: Element>(x: T, y: T) -> T {
    let (a, b) = (x.to_f64(), y.to_f64());
    if a.is_nan() || b.is_nan() {
        return T::from_f64(f64::NAN);
    }
    if a == b {
        return y;
    }
    // Floats of one sign are ordered as their bits are.
    let sign = bits(T::from_f64(-1.0)) ^ bits(T::from_f64(1.0));
    let has_zero = T::from_f64(0.0).to_f64() == 0.0;
    let next = match (a == 0.0, (a < b) == (a > 0.0)) {
        (true, _) if b < 0.0 => sign | 1,
        (true, _) => 1,
        (false, true) => bits(x) + 1,
        (false, false) if has_zero && bits(x) & !sign == 1 => {
            return T::from_f64(if a < 0.0 { -0.0 } else { 0.0 });
        }
        (false, false) => bits(x) - 1,
    };
    bytemuck::pod_read_unaligned(&next.to_le_bytes()[..size_of::<T>()])
}

#[cfg(test)]
mod tests {
    use jarrah_base::{bf16, f8e8m0fnu, f16};

    use super::*;

    #[test]
    fn the_next_element() {
        let halves = |x: f32, y: f32| next_after(f16::from_f32(x), f16::from_f32(y)).to_f32();
        assert_eq!(halves(1.0, 2.0), 1.0 + 2f32.powi(-10));
        assert_eq!(halves(1.0, -2.0), 1.0 - 2f32.powi(-11));
        assert_eq!(halves(-1.0, 2.0), -1.0 + 2f32.powi(-11));
        assert_eq!(halves(-1.0, -2.0), -1.0 - 2f32.powi(-10));
        assert_eq!((halves(0.0, 5.0), halves(-0.0, -5.0)), (2f32.powi(-24), -(2f32.powi(-24))));
        assert!(halves(-(2f32.powi(-24)), 1.0).is_sign_negative() && halves(2f32.powi(-24), -1.0) == 0.0);
        assert_eq!(halves(65504.0, f32::INFINITY), f32::INFINITY);
        assert_eq!(halves(f32::INFINITY, 0.0), 65504.0);
        assert_eq!(next_after(bf16::from_f32(1.0), bf16::from_f32(9.0)).to_f32(), 1.0 + 2f32.powi(-7));
        assert_eq!(next_after(1f64, 2.0), 1.0 + f64::EPSILON);
        let powers = |x: f64, y: f64| next_after(f8e8m0fnu::from_f64(x), f8e8m0fnu::from_f64(y)).to_f64();
        assert_eq!((powers(4.0, 1.0), powers(2f64.powi(-126), 2f64.powi(-127))), (2.0, 2f64.powi(-127)));
        assert!(next_after(0.0, -0.0f64).is_sign_negative() && next_after(1.0, f64::NAN).is_nan());
    }

    #[test]
    fn extrema_propagate_nan_and_order_zeros() {
        assert!(maximum(f64::NAN, 1.0).is_nan() && maximum(1.0, f64::NAN).is_nan());
        assert!(minimum(f64::NAN, 1.0).is_nan() && minimum(1.0, f64::NAN).is_nan());
        assert!(maximum(-0.0, 0.0).is_sign_positive() && maximum(0.0, -0.0).is_sign_positive());
        assert!(minimum(-0.0, 0.0).is_sign_negative() && minimum(0.0, -0.0).is_sign_negative());
    }
}
