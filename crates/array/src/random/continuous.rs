//! Distributions that are functions of uniform or normal numbers.

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::Cholesky;

use super::Key;
use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::operators::{IntoOperand, Operand};

/// A parameter of a distribution as an array of `dtype` and `shape`.
#[track_caller]
pub(super) fn parameter(value: impl IntoOperand, shape: &[usize], dtype: DType) -> Array {
    match value.into_operand() {
        Operand::Array(value) => value.astype(dtype).broadcast_to(shape),
        Operand::Number(number) => Array::full(shape, number, dtype),
    }
}

/// The smallest normal number.
pub(super) fn tiny(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => f64::MIN_POSITIVE,
        DType::F16 => 2f64.powi(-14),
        _ => f64::from(f32::MIN_POSITIVE),
    }
}

/// The number of bits after the point of the mantissa.
pub(super) fn mantissa(dtype: DType) -> i32 {
    match dtype {
        DType::F64 => 52,
        DType::F32 => 23,
        DType::F16 => 10,
        _ => 7,
    }
}

/// Continuous distributions. Parameters are numbers, or arrays that broadcast to the shape; derivatives by them go through
/// the numbers drawn.
///
/// ```
/// use jarrah_array::{Array, DType, random::Key};
/// let scale = Array::from_slice(&[1.0f32, 100.0]);
/// let x = Key::new(0).rayleigh_in(&[1000, 2], DType::F32, &scale).mean(0).to_vec::<f32>()?;
/// assert!((x[0] - 1.2533).abs() < 0.1 && (x[1] - 125.33).abs() < 10.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
impl Key {
    /// As [`gumbel_in`](Self::gumbel_in), from twice as many bits, so that large numbers are resolved as finely as small
    /// ones.
    #[track_caller]
    pub fn gumbel_fine_in(&self, shape: &[usize], dtype: DType) -> Array {
        let halves = self.unit(&[&[2], shape].concat(), dtype);
        let (high, low) = (halves.index(0), halves.index(1));
        let refined = &high + low * 2f64.powi(-mantissa(dtype)) + tiny(dtype);
        let x = where_(&high.ge(0.5), &high, refined);
        -(-(-x).log1p()).log()
    }

    /// Cauchy-distributed floats, `tan(pi (u - 1/2))`.
    #[track_caller]
    pub fn cauchy_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, 2f64.powi(-mantissa(dtype)), 1.0);
        ((u - 0.5) * std::f64::consts::PI).tan()
    }

    /// Laplace-distributed floats with density `e^-|x| / 2`.
    #[track_caller]
    pub fn laplace_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, -1.0 + 2f64.powi(-mantissa(dtype) - 1), 1.0);
        u.sign() * (-u.abs()).log1p()
    }

    /// Logistically distributed floats, `ln(u / (1 - u))`.
    #[track_caller]
    pub fn logistic_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, tiny(dtype), 1.0);
        u.log() - (-u).log1p()
    }

    /// `e^(sigma z)` of normally distributed `z`.
    #[track_caller]
    pub fn lognormal_in(&self, shape: &[usize], dtype: DType, sigma: impl IntoOperand) -> Array {
        (self.normal_in(shape, dtype) * parameter(sigma, shape, dtype)).exp()
    }

    /// Pareto-distributed floats with density `b x^(-b-1)` from 1.
    #[track_caller]
    pub fn pareto_in(&self, shape: &[usize], dtype: DType, b: impl IntoOperand) -> Array {
        (self.exponential_in(shape, dtype) / parameter(b, shape, dtype)).exp()
    }

    /// Maxwell-distributed floats: the length of three normal numbers.
    #[track_caller]
    pub fn maxwell_in(&self, shape: &[usize], dtype: DType) -> Array {
        self.normal_in(&[shape, &[3]].concat(), dtype).square().sum(-1).sqrt()
    }

    /// `location + scale m`, where the size of `m` is Maxwell-distributed and its sign random.
    #[track_caller]
    pub fn double_sided_maxwell_in(
        &self,
        shape: &[usize],
        dtype: DType,
        location: impl IntoOperand,
        scale: impl IntoOperand,
    ) -> Array {
        let (first, second) = self.pair();
        let sign = second.rademacher_in(shape, dtype);
        sign * first.maxwell_in(shape, dtype) * parameter(scale, shape, dtype)
            + parameter(location, shape, dtype)
    }

    /// Rayleigh-distributed floats, `scale sqrt(-2 ln(u))`.
    #[track_caller]
    pub fn rayleigh_in(&self, shape: &[usize], dtype: DType, scale: impl IntoOperand) -> Array {
        parameter(scale, shape, dtype) * (self.unit(shape, dtype).log() * -2).sqrt()
    }

    /// Weibull-distributed floats, `scale (-ln(1 - u))^(1 / concentration)`.
    #[track_caller]
    pub fn weibull_min_in(
        &self,
        shape: &[usize],
        dtype: DType,
        scale: impl IntoOperand,
        concentration: impl IntoOperand,
    ) -> Array {
        let power = 1.0 / parameter(concentration, shape, dtype);
        self.exponential_in(shape, dtype).pow(power) * parameter(scale, shape, dtype)
    }

    /// Floats with a triangular density from `left` over its top at `mode` to `right`.
    #[track_caller]
    pub fn triangular_in(
        &self,
        shape: &[usize],
        dtype: DType,
        left: impl IntoOperand,
        mode: impl IntoOperand,
        right: impl IntoOperand,
    ) -> Array {
        let (left, right) = (parameter(left, shape, dtype), parameter(right, shape, dtype));
        let mode = parameter(mode, shape, dtype);
        let (width, u) = (&right - &left, self.unit(shape, dtype));
        let rising = &left + (&u * &width * (&mode - &left)).sqrt();
        let falling = &right - ((1.0 - &u) * &width * (&right - &mode)).sqrt();
        where_(&u.lt((&mode - &left) / width), rising, falling)
    }

    /// Inverse Gaussian floats of this mean, and shape 1.
    ///
    /// Source: Michael, Schucany and Haas, Generating random variates using transformations with multiple roots (1976).
    #[track_caller]
    pub fn wald_in(&self, shape: &[usize], dtype: DType, mean: impl IntoOperand) -> Array {
        let (first, second) = self.pair();
        let mean = parameter(mean, shape, dtype);
        let (y, z) = (first.normal_in(shape, dtype).square(), second.unit(shape, dtype));
        let square = mean.square();
        let root = (&mean * &y * 4 + &square * y.square()).sqrt();
        let x = &mean + &square * &y / 2 - &mean / 2 * root;
        where_(&z.le(&mean / (&mean + &x)), &x, &square / &x)
    }

    /// Normally distributed vectors with this mean `[.., n]` and covariance `[.., n, n]`, whose lower triangle is read;
    /// the result is `[shape.., n]`.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let covariance = Array::new(&[4.0f32, 0.0, 0.0, 0.0001], &[2, 2]);
    /// let x = Key::new(0).multivariate_normal(&[500], &Array::from_slice(&[1.0f32, 2.0]), &covariance);
    /// assert_eq!(x.shape(), [500, 2]);
    /// assert!((x.mean(0).to_vec::<f32>()?[1] - 2.0).abs() < 0.01);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn multivariate_normal(&self, shape: &[usize], mean: &Array, covariance: &Array) -> Array {
        let (m, c) = (mean.shape(), covariance.shape());
        if m.is_empty() || c.len() < 2 || c[c.len() - 2..] != [m[m.len() - 1]; 2] {
            let error = Error::program(format!(
                "no distribution has mean {} and covariance {}",
                mean.ty(),
                covariance.ty()
            ));
            let help = "means are [.., n], covariances [.., n, n]";
            fail(with_context(error.op("multivariate_normal").at(Location::caller()).help(help)));
        }
        let dtype = crate::promote_types(mean.dtype(), covariance.dtype());
        let dtype = if dtype.is_float() { dtype } else { DType::F32 };
        let factor = lax::apply_op(Cholesky { lower: true }, &[&covariance.astype(dtype)]).swap_remove(0);
        let drawn = self.normal_in(&[shape, &m[m.len() - 1..]].concat(), dtype);
        mean.astype(dtype) + factor.matmul(&drawn.expand_dims(-1)).squeeze(-1)
    }

    /// Floats with density in proportion to `e^-|x|^p`.
    #[track_caller]
    pub fn generalized_normal_in(&self, shape: &[usize], dtype: DType, p: f64) -> Array {
        let (first, second) = self.pair();
        second.rademacher_in(shape, dtype) * first.gamma_in(shape, dtype, 1.0 / p).pow(1.0 / p)
    }

    /// Points `[shape.., d]`, evenly distributed in the ball of radius 1 of the `p`-norm in `d` dimensions.
    ///
    /// Source: Barthe et al., A probabilistic approach to the geometry of the l_p^n-ball (2005).
    #[track_caller]
    pub fn ball_in(&self, shape: &[usize], dtype: DType, d: usize, p: f64) -> Array {
        let (first, second) = self.pair();
        let g = first.generalized_normal_in(&[shape, &[d]].concat(), dtype, p);
        let size = (g.abs().pow(p).sum(-1) + second.exponential_in(shape, dtype)).pow(1.0 / p);
        g / size.expand_dims(-1)
    }
}
