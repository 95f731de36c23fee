use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use jarrah_base::c128;

/// A complex number of doubles.
pub type C = c128;

/// The elements of matrices: doubles, and complex numbers of doubles.
pub trait Field:
    Copy
    + PartialEq
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    const ZERO: Self;
    const ONE: Self;
    fn from_re(re: f64) -> Self;
    /// `re + im i`; a real field drops `im`.
    fn from_parts(re: f64, im: f64) -> Self;
    fn re(self) -> f64;
    fn im(self) -> f64;

    fn conj(self) -> Self {
        Self::from_parts(self.re(), -self.im())
    }

    fn abs(self) -> f64 {
        self.re().hypot(self.im())
    }

    fn abs2(self) -> f64 {
        self.re() * self.re() + self.im() * self.im()
    }

    /// `|re| + |im|`, by which LAPACK compares complex numbers.
    fn size(self) -> f64 {
        self.re().abs() + self.im().abs()
    }

    fn scale(self, by: f64) -> Self {
        Self::from_parts(self.re() * by, self.im() * by)
    }

    /// The quotient, without overflow on the way.
    fn over(self, other: Self) -> Self;

    fn is_finite(self) -> bool {
        self.re().is_finite() && self.im().is_finite()
    }
}

impl Field for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn from_re(re: f64) -> f64 {
        re
    }

    fn from_parts(re: f64, _: f64) -> f64 {
        re
    }

    fn re(self) -> f64 {
        self
    }

    fn im(self) -> f64 {
        0.0
    }

    fn over(self, other: f64) -> f64 {
        self / other
    }
}

impl Field for C {
    const ZERO: C = C::new(0.0, 0.0);
    const ONE: C = C::new(1.0, 0.0);

    fn from_re(re: f64) -> C {
        C::new(re, 0.0)
    }

    fn from_parts(re: f64, im: f64) -> C {
        C::new(re, im)
    }

    fn re(self) -> f64 {
        self.re
    }

    fn im(self) -> f64 {
        self.im
    }

    fn over(self, other: C) -> C {
        let scale = 1.0 / other.size();
        if scale == 0.0 || !scale.is_finite() { self / other } else { self.scale(scale) / other.scale(scale) }
    }
}

/// `sum of conj(x) y`, in eight partial sums that are added last, so that processors can add several at once.
pub fn inner<T: Field>(x: &[T], y: &[T]) -> T {
    let mut lanes = [T::ZERO; 8];
    let (xs, x_rest) = x.as_chunks::<8>();
    let (ys, y_rest) = y.as_chunks::<8>();
    for (x, y) in xs.iter().zip(ys) {
        for lane in 0..8 {
            lanes[lane] += x[lane].conj() * y[lane];
        }
    }
    let rest = x_rest.iter().zip(y_rest).fold(T::ZERO, |s, (&x, &y)| s + x.conj() * y);
    lanes.into_iter().fold(rest, |s, lane| s + lane)
}
