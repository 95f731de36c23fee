//! Sums and products as they grow, one element after another.

/// A sum or a product of numbers of type `f64`, which carries what its steps round away: the value is as near to the true one as if each
/// step was made with twice the digits.
///
/// ```text
/// sum:      s' = s + x,  rest' = rest + ((s + x) - s')
/// product:  p' = p x,    rest' = rest x + (p x - p')
/// ```
/// where what stands in parentheses is exact. Source: Ogita, Rump and Oishi, Accurate sum and dot product (2005); Graillat,
/// Accurate floating-point product and exponentiation (2009).
///
/// ```
/// use jarrah_hlo_eval::Running;
/// let sum = [1.0, 1e-20, -1.0].into_iter().fold(Running::from(0.0), Running::plus);
/// assert_eq!(sum.value(), 1e-20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    value: f64,
    rest: f64,
}

impl From<f64> for Running {
    fn from(value: f64) -> Running {
        Running { value, rest: 0.0 }
    }
}

impl Running {
    /// With one more summand.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, x: f64) -> Running {
        let value = self.value + x;
        let of_x = value - self.value;
        let lost = (self.value - (value - of_x)) + (x - of_x);
        Running { value, rest: self.rest + lost }
    }

    /// With one more factor.
    #[inline(always)]
    #[must_use]
    pub fn times(self, x: f64) -> Running {
        let value = self.value * x;
        let lost = self.value.mul_add(x, -value);
        Running { value, rest: self.rest * x + lost }
    }

    /// The number, rounded. One that is infinite or NaN is that of the steps alone, and a zero has their sign.
    #[inline(always)]
    pub fn value(self) -> f64 {
        let whole = self.value + self.rest;
        if self.rest == 0.0 || !self.rest.is_finite() || !self.value.is_finite() { self.value } else { whole }
    }
}
