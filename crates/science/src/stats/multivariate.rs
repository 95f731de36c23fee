use jarrah_array::library::with_context;
use jarrah_array::special::{gammaln, xlogy};
use jarrah_array::{Array, IntoOperand, fail, lax, where_};
use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Cholesky, TriangularSolve};

use super::common;

/// The columns of `x` for which the covariance is the identity, and the logarithm of the density at the mean.
#[track_caller]
pub(super) fn whiten(covariance: &Array, x: &Array) -> (Array, Array) {
    let n = covariance.shape()[0];
    let factor = lax::apply_op(Cholesky { lower: true }, &[covariance]).swap_remove(0);
    let white = lax::apply_op(TriangularSolve::left(true), &[&factor, x]).swap_remove(0);
    let diagonal = where_(&Array::arange(n).one_hot(n, DType::Bool), &factor, 0).sum(-1);
    (white, -(diagonal.log().sum(0) + n as f64 * 0.5 * std::f64::consts::TAU.ln()))
}

/// The normal distribution of vectors.
pub mod multivariate_normal {
    use super::*;

    /// The logarithm of the density at the vectors `x [.., n]` with this mean `[n]` and covariance `[n, n]`, whose lower
    /// triangle is read.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats;
    /// let (x, eye) = (Array::zeros(&[5, 2]), Array::arange(2).one_hot(2, jarrah_array::DType::F32));
    /// let y = stats::multivariate_normal::logpdf(&x, &Array::zeros(&[2]), &eye);
    /// assert_eq!(y.shape(), [5]);
    /// assert!((y.to_vec::<f32>()?[0] + 1.837877).abs() < 1e-6);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logpdf(x: &Array, mean: &Array, covariance: &Array) -> Array {
        let n = mean.shape().last().copied().unwrap_or(0);
        if mean.rank() != 1 || covariance.shape() != [n, n] || x.shape().last() != Some(&n) {
            let error = Error::program(format!(
                "no vectors {} have mean {} and covariance {}",
                x.ty(),
                mean.ty(),
                covariance.ty()
            ));
            let help = "vectors are [.., n], the mean [n], the covariance [n, n]";
            fail(with_context(error.op("multivariate_normal").at(Location::caller()).help(help)));
        }
        let (centred, []) = common("multivariate_normal", x - mean, []);
        let dtype = jarrah_array::promote_types(centred.dtype(), covariance.dtype());
        let rows = centred.astype(dtype).reshape((-1, n));
        let (white, constant) = whiten(&covariance.astype(dtype), &rows.t());
        let log = constant - white.square().sum(0) * 0.5;
        log.reshape(&centred.shape()[..x.rank() - 1])
    }

    /// The density: see [`logpdf`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::multivariate_normal;
    /// let x = Array::new(&[0.0f64, 0.0, 1.0, 1.0], &[2, 2]);
    /// let eye = Array::new(&[1.0f64, 0.0, 0.0, 1.0], &[2, 2]);
    /// let y = multivariate_normal::pdf(&x, &Array::from_slice(&[0.0f64, 0.0]), &eye);
    /// assert_eq!(y.round_to(4).to_vec::<f64>()?, [0.1592, 0.0585]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn pdf(x: &Array, mean: &Array, covariance: &Array) -> Array {
        logpdf(x, mean, covariance).exp()
    }
}

/// The distribution of shares of 1.
pub mod dirichlet {
    use super::*;

    /// The logarithm of the density at the shares `x [k, ..]` with concentrations `alpha [k]`; minus infinity where shares
    /// are negative or do not add up to 1.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats;
    /// let y = stats::dirichlet::logpdf(&Array::from_slice(&[0.25f64, 0.75]), &Array::from_slice(&[1.0f64, 2.0]));
    /// assert!((y.item::<f64>()? - 1.5f64.ln()).abs() < 1e-14);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logpdf(x: &Array, alpha: &Array) -> Array {
        if alpha.rank() != 1 || x.shape().first() != alpha.shape().first() {
            let error = Error::program(format!("{} are no shares of {} parts", x.ty(), alpha.ty()));
            let help = "concentrations are a vector, shares have its extent along their first axis";
            fail(with_context(error.op("dirichlet").at(Location::caller()).help(help)));
        }
        let column: Vec<usize> =
            x.shape().iter().enumerate().map(|(i, &extent)| if i == 0 { extent } else { 1 }).collect();
        let (x, [a]) = common("dirichlet.logpdf", x, [alpha.reshape(&column).into_operand()]);
        let total = x.sum(0);
        let close = (total - 1).abs().le(1e-5) & x.gt(0).all(0) & x.lt(1).all(0);
        let safe = where_(&x.gt(0), &x, 1);
        let norm = gammaln(&a).sum(0) - gammaln(&a.sum(0));
        where_(&close, xlogy(&(a - 1), safe).sum(0) - norm, f64::NEG_INFINITY)
    }

    /// The density: see [`logpdf`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::dirichlet;
    /// let alpha = Array::from_slice(&[1.0f64, 2.0]);
    /// // A column for each point; the second does not add up to 1.
    /// let y = dirichlet::pdf(&Array::new(&[0.25f64, 0.25, 0.75, 0.5], &[2, 2]), &alpha);
    /// assert_eq!(y.round_to(4).to_vec::<f64>()?, [1.5, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn pdf(x: &Array, alpha: &Array) -> Array {
        logpdf(x, alpha).exp()
    }
}

/// The distribution of how many of `n` balls fall into each place.
pub mod multinomial {
    use super::*;

    /// The logarithm of the probability of the counts `x [.., k]` of `n` balls with probabilities `p [.., k]`; minus infinity
    /// where the counts do not add up to `n`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats;
    /// let y = stats::multinomial::logpmf(&Array::from_slice(&[1.0f64, 1.0]), 2, &Array::from_slice(&[0.5f64, 0.5]));
    /// assert!((y.item::<f64>()? - 0.5f64.ln()).abs() < 1e-14);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logpmf(x: &Array, n: impl IntoOperand, p: &Array) -> Array {
        let (x, [p]) = common("multinomial.logpmf", x, [p.into_operand()]);
        let (total, [n]) = common("multinomial.logpmf", x.sum(-1), [n.into_operand()]);
        let log = gammaln(&(&n + 1)) + (xlogy(&x, p) - gammaln(&(x + 1))).sum(-1);
        where_(&total.eq(n), log, f64::NEG_INFINITY)
    }

    /// The probability: see [`logpmf`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::multinomial;
    /// let counts = Array::new(&[1.0f64, 1.0, 2.0, 0.0, 1.0, 0.0], &[3, 2]);
    /// let y = multinomial::pmf(&counts, 2, &Array::from_slice(&[0.5f64, 0.5]));
    /// assert_eq!(y.round_to(4).to_vec::<f64>()?, [0.5, 0.25, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn pmf(x: &Array, n: impl IntoOperand, p: &Array) -> Array {
        logpmf(x, n, p).exp()
    }
}
