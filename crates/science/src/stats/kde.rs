use jarrah_array::library::with_context;
use jarrah_array::random::Key;
use jarrah_array::special::ndtr;
use jarrah_array::{Array, IntoOperand, fail};
use jarrah_base::{Error, Location};
use jarrah_tree::Tree;

use super::multivariate::whiten;

/// How wide the kernels of a [`GaussianKde`] are, as a factor of the standard deviation of the points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bandwidth {
    /// `n^(-1 / (d + 4))`, with the effective number of points.
    Scott,
    /// `(n (d + 2) / 4)^(-1 / (d + 4))`.
    Silverman,
    /// A number.
    Factor(f64),
}

/// The estimate of a density from points: a normal distribution around each, all of one covariance.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::stats::{Bandwidth, GaussianKde};
/// let points = Array::from_slice(&[1.0f64, 2.0, 4.0]);
/// let density = GaussianKde::new(&points, Bandwidth::Scott);
/// let whole = density.integrate_box_1d(f64::NEG_INFINITY, f64::INFINITY);
/// assert!((whole.item::<f64>()? - 1.0).abs() < 1e-12);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Scott, Multivariate density estimation (1992); Silverman, Density estimation (1986).
#[derive(Clone, Debug, Tree)]
pub struct GaussianKde {
    /// The points, `[d, n]`.
    pub points: Array,
    /// Their weights, `[n]`, which add up to 1.
    pub weights: Array,
    /// The covariance of each kernel, `[d, d]`.
    pub covariance: Array,
}

impl GaussianKde {
    /// The estimate from `points`, `[d, n]` or `[n]`, of equal weight.
    ///
    /// # Errors
    ///
    /// A program error if there are fewer than two points.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let points = Array::from_slice(&[0.0f64, 2.0]);
    /// // The variance of the points is 2.
    /// assert_eq!(GaussianKde::new(&points, Bandwidth::Factor(0.5)).covariance.item::<f64>()?, 0.5);
    /// assert_eq!(GaussianKde::new(&points, Bandwidth::Scott).points.shape(), [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(points: &Array, bandwidth: Bandwidth) -> Self {
        let n = points.shape().last().copied().unwrap_or(0);
        Self::weighted(points, &Array::full(&[n], 1, points.inexact().dtype()), bandwidth)
    }

    /// The estimate from points with these weights `[n]`.
    ///
    /// # Errors
    ///
    /// A program error if there are fewer than two points, or other than one weight for each.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let (points, weights) = (Array::from_slice(&[0.0f64, 2.0]), Array::from_slice(&[1.0f64, 3.0]));
    /// let density = GaussianKde::weighted(&points, &weights, Bandwidth::Silverman);
    /// assert_eq!(density.weights.to_vec::<f64>()?, [0.25, 0.75]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn weighted(points: &Array, weights: &Array, bandwidth: Bandwidth) -> Self {
        let points = columns(&points.inexact());
        let shape = points.shape();
        let [d, n] = [shape[0], shape[1]];
        if n < 2 || weights.shape() != [n] {
            let error =
                Error::program(format!("no density from {} of weights {}", points.ty(), weights.ty()));
            let help = "there are two points at least, and a weight for each";
            fail(with_context(error.op("gaussian_kde").at(Location::caller()).help(help)));
        }
        let weights = weights.astype(points.dtype());
        let weights = &weights / weights.sum(0);
        let power = -1.0 / (d as f64 + 4.0);
        let concentration = weights.square().sum(0);
        let effective = 1.0 / &concentration;
        let factor = match bandwidth {
            Bandwidth::Scott => effective.pow(power),
            Bandwidth::Silverman => (effective * ((d as f64 + 2.0) / 4.0)).pow(power),
            Bandwidth::Factor(factor) => Array::full(&[], factor, points.dtype()),
        };
        let centred = &points - (&points * &weights).sum(1).expand_dims(1);
        let covariance = (&centred * &weights).matmul(&centred.t()) / (1.0 - concentration);
        GaussianKde { points, weights, covariance: covariance * factor.square() }
    }

    /// The logarithm of the mean over kernels of the densities at `points [d, m]`, whose kernels have a covariance more.
    #[track_caller]
    fn log_density(&self, points: &Array, more: Option<&Array>) -> Array {
        let (d, points) = (self.points.shape()[0], columns(points));
        if points.shape()[0] != d {
            let error = Error::program(format!("{} are no points in {d} dimensions", points.ty()));
            fail(with_context(error.op("gaussian_kde").at(Location::caller())));
        }
        let covariance = match more {
            Some(more) => &self.covariance + more,
            None => self.covariance.clone(),
        };
        let (kernels, constant) = whiten(&covariance, &self.points);
        let (places, _) = whiten(&covariance, &points.astype(self.points.dtype()));
        let distances = (places.expand_dims(2) - kernels.expand_dims(1)).square().sum(0);
        (self.weights.log() - distances * 0.5).logsumexp(-1) + constant
    }

    /// The density at points `[d, m]`, or `[m]` in one dimension: the sum of `weights[i] normal(x - points[i])` with the
    /// covariance of the kernels.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// let y = density.evaluate(&Array::from_slice(&[1.0f64, 9.0]));
    /// assert_eq!(y.round_to(4).to_vec::<f64>()?, [0.2197, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn evaluate(&self, points: &Array) -> Array {
        self.logpdf(points).exp()
    }

    /// The logarithm of the density: see [`evaluate`](Self::evaluate).
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// let log = density.logpdf(&Array::from_slice(&[1.0f64, 101.0]));
    /// assert_eq!(log.round_to(2).to_vec::<f64>()?, [-1.52, -2452.21]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logpdf(&self, points: &Array) -> Array {
        self.log_density(points, None)
    }

    /// The integral of the density times a normal density of this mean `[d]` and covariance `[d, d]`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// let y = density.integrate_gaussian(&Array::scalar_in(1.0, DType::F64), &Array::scalar_in(2.0, DType::F64));
    /// assert_eq!(y.round_to(4).item::<f64>()?, 0.176);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn integrate_gaussian(&self, mean: &Array, covariance: &Array) -> Array {
        let d = self.points.shape()[0];
        let mean = mean.reshape([d, 1].as_slice());
        let covariance = covariance.reshape([d, d].as_slice());
        self.log_density(&mean, Some(&covariance)).exp().index(0)
    }

    /// The integral of the product with another estimate's density.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// assert_eq!(density.integrate_kde(&density).round_to(4).item::<f64>()?, 0.1602);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn integrate_kde(&self, other: &GaussianKde) -> Array {
        (self.log_density(&other.points, Some(&other.covariance)).exp() * &other.weights).sum(0)
    }

    /// The integral from `low` to `high`, in one dimension.
    ///
    /// # Errors
    ///
    /// A program error unless the points have one dimension.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// assert_eq!(density.integrate_box_1d(0, 2).round_to(4).item::<f64>()?, 0.4214);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn integrate_box_1d(&self, low: impl IntoOperand, high: impl IntoOperand) -> Array {
        if self.points.shape()[0] != 1 {
            let error = Error::program(format!("{} are not points in one dimension", self.points.ty()));
            fail(with_context(error.op("gaussian_kde").at(Location::caller())));
        }
        let deviation = self.covariance.reshape(()).sqrt();
        let points = self.points.index(0);
        let (x, [low]) = super::common("integrate_box_1d", &points, [low.into_operand()]);
        let (_, [high]) = super::common("integrate_box_1d", &points, [high.into_operand()]);
        let share = ndtr(&((high - &x) / &deviation)) - ndtr(&((low - x) / deviation));
        (share * &self.weights).sum(0)
    }

    /// `count` random points from the estimated distribution, `[d, count]`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{Bandwidth, GaussianKde};
    /// let density = GaussianKde::new(&Array::from_slice(&[0.0f64, 2.0]), Bandwidth::Factor(1.0));
    /// let x = density.resample(&Key::new(0), 1000);
    /// assert_eq!(x.shape(), [1, 1000]);
    /// assert!((x.mean(..).item::<f64>()? - 1.0).abs() < 0.2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn resample(&self, key: &Key, count: usize) -> Array {
        let (first, second) = key.pair();
        let d = self.points.shape()[0];
        let centres = first.choice_weighted(&self.points, &[count], 1, &self.weights);
        let zero = Array::full(&[d], 0, self.points.dtype());
        centres + second.multivariate_normal(&[count], &zero, &self.covariance).t()
    }
}

/// Points as columns: a vector is points in one dimension.
#[track_caller]
fn columns(points: &Array) -> Array {
    match points.rank() {
        1 => points.expand_dims(0),
        2 => points.clone(),
        _ => {
            let error = Error::program(format!("{} are no points: they are [d, n] or [n]", points.ty()));
            fail(with_context(error.op("gaussian_kde").at(Location::caller())))
        }
    }
}
