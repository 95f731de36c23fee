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
pub(crate) fn tiny(dtype: DType) -> f64 {
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
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let largest = |x: jarrah_array::Array| x.max(..).astype(DType::F32).item::<f32>();
    /// // The largest of 128 numbers u below 1 is 127/128.
    /// assert!(largest(Key::new(0).gumbel_in(&[4000], DType::BF16))? < 5.0);
    /// assert!(largest(Key::new(0).gumbel_fine_in(&[4000], DType::BF16))? > 6.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn gumbel_fine_in(&self, shape: &[usize], dtype: DType) -> Array {
        let halves = self.unit(&[&[2], shape].concat(), dtype);
        let (high, low) = (halves.index(0), halves.index(1));
        let refined = &high + low * 2f64.powi(-mantissa(dtype)) + tiny(dtype);
        let x = where_(&high.ge(0.5), &high, refined);
        -(-(-x).log1p()).log()
    }

    /// Cauchy-distributed floats, `tan(pi (u - 1/2))`, which have no mean.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).cauchy_in(&[4001], DType::F32);
    /// assert!((x.abs().median(..).item::<f32>()? - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cauchy_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, 2f64.powi(-mantissa(dtype)), 1.0);
        ((u - 0.5) * std::f64::consts::PI).tan()
    }

    /// Laplace-distributed floats with density `e^-|x| / 2`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).laplace_in(&[4000], DType::F32);
    /// assert!((x.abs().mean(..).item::<f32>()? - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn laplace_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, -1.0 + 2f64.powi(-mantissa(dtype) - 1), 1.0);
        u.sign() * (-u.abs()).log1p()
    }

    /// Logistically distributed floats, `ln(u / (1 - u))`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).logistic_in(&[3], DType::F32);
    /// // The sigmoid finds the even numbers again.
    /// assert!(x.sigmoid().allclose(Key::new(0).uniform(&[3]), 1e-5, 0.0).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logistic_in(&self, shape: &[usize], dtype: DType) -> Array {
        let u = self.uniform_in(shape, dtype, tiny(dtype), 1.0);
        u.log() - (-u).log1p()
    }

    /// `e^(sigma z)` of normally distributed `z`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).lognormal_in(&[3], DType::F32, 0.5);
    /// assert!((x.log() * 2).allclose(Key::new(0).normal(&[3]), 1e-5, 0.0).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn lognormal_in(&self, shape: &[usize], dtype: DType, sigma: impl IntoOperand) -> Array {
        (self.normal_in(shape, dtype) * parameter(sigma, shape, dtype)).exp()
    }

    /// Pareto-distributed floats with density `b x^(-b-1)` from 1.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).pareto_in(&[4000], DType::F32, 3.0);
    /// assert!(x.min(..).item::<f32>()? >= 1.0);
    /// // The mean is b / (b - 1).
    /// assert!((x.mean(..).item::<f32>()? - 1.5).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn pareto_in(&self, shape: &[usize], dtype: DType, b: impl IntoOperand) -> Array {
        (self.exponential_in(shape, dtype) / parameter(b, shape, dtype)).exp()
    }

    /// Maxwell-distributed floats, `sqrt(x^2 + y^2 + z^2)` of normal numbers: the speed of a molecule.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let speed = Key::new(0).maxwell_in(&[4000], DType::F32);
    /// assert!((speed.square().mean(..).item::<f32>()? - 3.0).abs() < 0.2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn maxwell_in(&self, shape: &[usize], dtype: DType) -> Array {
        self.normal_in(&[shape, &[3]].concat(), dtype).square().sum(-1).sqrt()
    }

    /// `location + scale m`, where the size of `m` is Maxwell-distributed and its sign random.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).double_sided_maxwell_in(&[4000], DType::F32, 1.0, 2.0);
    /// assert!((x.mean(..).item::<f32>()? - 1.0).abs() < 0.3);
    /// assert!(((x - 1.0).square().mean(..).item::<f32>()? - 12.0).abs() < 1.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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

    /// Rayleigh-distributed floats, `scale sqrt(-2 ln(u))`: the length of two normal numbers of deviation `scale`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).rayleigh_in(&[4000], DType::F32, 2.0);
    /// assert!((x.square().mean(..).item::<f32>()? - 8.0).abs() < 0.5);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rayleigh_in(&self, shape: &[usize], dtype: DType, scale: impl IntoOperand) -> Array {
        parameter(scale, shape, dtype) * (self.unit(shape, dtype).log() * -2).sqrt()
    }

    /// Weibull-distributed floats, `scale (-ln(1 - u))^(1 / concentration)`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).weibull_min_in(&[4000], DType::F32, 2.0, 3.0);
    /// // (x / scale)^concentration is distributed exponentially.
    /// assert!(((x / 2).pow(3).mean(..).item::<f32>()? - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).triangular_in(&[4000], DType::F32, 0.0, 1.0, 5.0);
    /// assert!(x.min(..).item::<f32>()? >= 0.0 && x.max(..).item::<f32>()? <= 5.0);
    /// // The mean is that of the three corners.
    /// assert!((x.mean(..).item::<f32>()? - 2.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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

    /// Inverse Gaussian floats of this mean, and shape 1: density `sqrt(1 / (2 pi x^3)) e^(-(x - mean)^2 / (2 mean^2 x))` of
    /// positive numbers.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).wald_in(&[4000], DType::F32, 2.0);
    /// assert!(x.min(..).item::<f32>()? > 0.0);
    /// assert!((x.mean(..).item::<f32>()? - 2.0).abs() < 0.2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).generalized_normal_in(&[4000], DType::F32, 4.0);
    /// // The mean of |x|^p is 1 / p.
    /// assert!((x.abs().pow(4).mean(..).item::<f32>()? - 0.25).abs() < 0.03);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn generalized_normal_in(&self, shape: &[usize], dtype: DType, p: f64) -> Array {
        let (first, second) = self.pair();
        second.rademacher_in(shape, dtype) * first.gamma_in(shape, dtype, 1.0 / p).pow(1.0 / p)
    }

    /// Points `[shape.., d]`, evenly distributed in the ball of radius 1 of the `p`-norm in `d` dimensions.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).ball_in(&[1000], DType::F32, 3, 2.0);
    /// let radius = x.square().sum(-1).sqrt();
    /// assert!(radius.max(..).item::<f32>()? <= 1.0);
    /// // The volume within a radius grows with its cube, so the cubes are even in [0, 1].
    /// assert!((radius.pow(3).mean(..).item::<f32>()? - 0.5).abs() < 0.05);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
