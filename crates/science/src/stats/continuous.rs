use std::f64::consts::{LN_2, PI, TAU};

use jarrah_array::nn::{log1mexp, softplus};
use jarrah_array::special::{
    betainc, betaln, gammainc, gammaincc, gammaln, i0e, log_ndtr, logit, ndtr, ndtri, xlog1py, xlogy,
};
use jarrah_array::{Array, IntoOperand, where_};

use super::{common, distributions};

const NEVER: f64 = f64::NEG_INFINITY;

/// `ln(ndtr(high) - ndtr(low))` of the normal distribution, for `low < high`.
#[track_caller]
fn log_mass(low: &Array, high: &Array) -> Array {
    // By symmetry the interval lies on the side where the distribution function is small.
    let right = low.gt(0);
    let (low, high) = (where_(&right, -high, low), where_(&right, -low, high));
    let tail = high.le(0);
    let (a, b) = (where_(&tail, &low, -2), where_(&tail, &high, -1));
    let (p, q) = (log_ndtr(&a), log_ndtr(&b));
    let left = &q + log1mexp(&(&q - p));
    let (a, b) = (where_(&tail, -1, low), where_(&tail, 1, high));
    let middle = (-(ndtr(&a) + ndtr(&-b))).log1p();
    where_(&tail, left, middle)
}

distributions! {
    /// The normal distribution, with density `e^(-x^2 / 2) / sqrt(2 pi)`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::norm;
    /// let x = Array::from_slice(&[0.0f64, 1.0]);
    /// assert_eq!(norm::pdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.3989, 0.242]);
    /// assert_eq!(norm::cdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.5, 0.8413]);
    /// // 2.5 percent are above 1.96 deviations.
    /// assert_eq!(norm::isf(&Array::scalar_in(0.025, DType::F64), 0, 1).round_to(4).item::<f64>()?, 1.96);
    /// // Far in the tail the logarithm is still a number.
    /// assert_eq!(norm::logsf(&Array::scalar_in(40.0, DType::F64), 0, 1).round_to(2).item::<f64>()?, -804.61);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    norm() {
        logpdf: |z| (z.square() + TAU.ln()) * -0.5;
        cdf: |z| ndtr(z);
        sf: |z| ndtr(&-z);
        logcdf: |z| log_ndtr(z);
        logsf: |z| log_ndtr(&-z);
        ppf: |q| ndtri(q);
        isf: |q| -ndtri(q);
    }
    /// The Cauchy distribution, with density `1 / (pi (1 + x^2))`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::cauchy;
    /// let x = Array::from_slice(&[0.0f64, 1.0]);
    /// assert_eq!(cauchy::pdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.3183, 0.1592]);
    /// assert_eq!(cauchy::cdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.5, 0.75]);
    /// assert_eq!(cauchy::ppf(&Array::scalar_in(0.75, DType::F64), 0, 1).round_to(4).item::<f64>()?, 1.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    cauchy() {
        logpdf: |z| -(z.square().log1p() + PI.ln());
        cdf: |z| z.ones_like().atan2(-z) / PI;
        sf: |z| z.ones_like().atan2(z) / PI;
        logcdf: |z| (z.ones_like().atan2(-z) / PI).log();
        logsf: |z| (z.ones_like().atan2(z) / PI).log();
        ppf: |q| ((q - 0.5) * PI).tan();
        isf: |q| ((0.5 - q) * PI).tan();
    }
    /// The exponential distribution, with density `e^-x` of positive numbers.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::expon;
    /// let x = Array::from_slice(&[0.0f64, 2.0]);
    /// assert_eq!(expon::logpdf(&x, 1, 1).to_vec::<f64>()?, [f64::NEG_INFINITY, -1.0]);
    /// assert_eq!(expon::sf(&x, 0, 2).round_to(4).to_vec::<f64>()?, [1.0, 0.3679]);
    /// assert_eq!(expon::ppf(&Array::scalar_in(0.5, DType::F64), 0, 1).round_to(4).item::<f64>()?, 0.6931);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    expon() {
        logpdf: |z| where_(&z.lt(0), NEVER, -z);
        cdf: |z| -(-z.maximum(0)).expm1();
        sf: |z| (-z.maximum(0)).exp();
        logcdf: |z| where_(&z.le(0), NEVER, log1mexp(&where_(&z.le(0), 1, z)));
        logsf: |z| -z.maximum(0);
        ppf: |q| -(-q).log1p();
        isf: |q| -q.log();
    }
    /// The Laplace distribution, with density `e^-|x| / 2`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::laplace;
    /// let x = Array::from_slice(&[-1.0f64, 0.0]);
    /// assert_eq!(laplace::pdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.1839, 0.5]);
    /// assert_eq!(laplace::cdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.1839, 0.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    laplace() {
        logpdf: |z| -(z.abs() + LN_2);
        cdf: |z| where_(&z.lt(0), z.minimum(0).exp() * 0.5, 1.0 - (-z.maximum(0)).exp() * 0.5);
        sf: |z| where_(&z.gt(0), (-z.maximum(0)).exp() * 0.5, 1.0 - z.minimum(0).exp() * 0.5);
        ppf: |q| where_(
            &q.lt(0.5),
            (q.minimum(0.5) * 2).log(),
            -((1.0 - q).minimum(0.5) * 2).log()
        );
    }
    /// The logistic distribution, whose distribution function is `1 / (1 + e^-x)`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::logistic;
    /// let x = Array::from_slice(&[0.0f64, 2.0]);
    /// assert_eq!(logistic::pdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.25, 0.105]);
    /// assert_eq!(logistic::cdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.5, 0.8808]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    logistic() {
        logpdf: |z| -z - softplus(&-z) * 2;
        cdf: |z| z.sigmoid();
        sf: |z| (-z).sigmoid();
        logcdf: |z| -softplus(&-z);
        logsf: |z| -softplus(z);
        ppf: |q| logit(q);
        isf: |q| -logit(q);
    }
    /// The even distribution on `[loc, loc + scale]`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::uniform;
    /// let x = Array::from_slice(&[1.0f64, 3.0]);
    /// assert_eq!(uniform::pdf(&x, 2, 4).round_to(4).to_vec::<f64>()?, [0.0, 0.25]);
    /// assert_eq!(uniform::cdf(&x, 2, 4).to_vec::<f64>()?, [0.0, 0.25]);
    /// assert_eq!(uniform::ppf(&Array::scalar_in(0.25, DType::F64), 2, 4).item::<f64>()?, 3.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    uniform() {
        logpdf: |z| where_(&(z.lt(0) | z.gt(1)), NEVER, z.zeros_like());
        cdf: |z| z.clip(0, 1);
        sf: |z| (1.0 - z).clip(0, 1);
        ppf: |q| q;
        isf: |q| (1.0 - q);
    }
    /// The Pareto distribution, with density `b x^(-b-1)` from 1.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::pareto;
    /// let x = Array::from_slice(&[0.5f64, 2.0]);
    /// assert_eq!(pareto::pdf(&x, 3, 0, 1).round_to(4).to_vec::<f64>()?, [0.0, 0.1875]);
    /// assert_eq!(pareto::sf(&x, 3, 0, 1).round_to(4).to_vec::<f64>()?, [1.0, 0.125]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pareto(b) {
        logpdf: |z| {
            let below = z.lt(1);
            let log = where_(&below, 1, z).log();
            where_(&below, NEVER, b.log() - (b + 1) * log)
        };
        cdf: |z| -(z.maximum(1).log() * -b).expm1();
        sf: |z| (z.maximum(1).log() * -b).exp();
        logcdf: |z| where_(&z.le(1), NEVER, log1mexp(&(where_(&z.le(1), 2, z).log() * b)));
        logsf: |z| z.maximum(1).log() * -b;
        ppf: |q| (-(-q).log1p() / b).exp();
        isf: |q| (-q.log() / b).exp();
    }
    /// The Gumbel distribution of largest numbers, whose distribution function is `e^-e^-x`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::gumbel_r;
    /// let x = Array::from_slice(&[0.0f64, 5.0]);
    /// assert_eq!(gumbel_r::cdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.3679, 0.9933]);
    /// assert_eq!(gumbel_r::logpdf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [-1.0, -5.0067]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    gumbel_r() {
        logpdf: |z| -(z + (-z).exp());
        cdf: |z| (-(-z).exp()).exp();
        sf: |z| -(-(-z).exp()).expm1();
        logcdf: |z| -(-z).exp();
        logsf: |z| log1mexp(&(-z).exp());
        ppf: |q| -(-q.log()).log();
        isf: |q| -(-(-q).log1p()).log();
    }
    /// The Gumbel distribution of smallest numbers, whose survival function is `e^-e^x`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::gumbel_l;
    /// let x = Array::from_slice(&[0.0f64, -5.0]);
    /// assert_eq!(gumbel_l::sf(&x, 0, 1).round_to(4).to_vec::<f64>()?, [0.3679, 0.9933]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    gumbel_l() {
        logpdf: |z| z - z.exp();
        cdf: |z| -(-z.exp()).expm1();
        sf: |z| (-z.exp()).exp();
        logcdf: |z| log1mexp(&z.exp());
        logsf: |z| -z.exp();
        ppf: |q| (-(-q).log1p()).log();
        isf: |q| (-q.log()).log();
    }
    /// The gamma distribution, with density `x^(a-1) e^-x / gamma(a)` of positive numbers.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::gamma;
    /// let x = Array::from_slice(&[-1.0f64, 2.0]);
    /// assert_eq!(gamma::pdf(&x, 3, 0, 1).round_to(4).to_vec::<f64>()?, [0.0, 0.2707]);
    /// assert_eq!(gamma::cdf(&x, 1, 0, 1).round_to(4).to_vec::<f64>()?, [0.0, 0.8647]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    gamma(a) {
        logpdf: |z| {
            let below = z.lt(0);
            let z = where_(&below, 1, z);
            where_(&below, NEVER, xlogy(&(&a - 1), &z) - z - gammaln(&a))
        };
        cdf: |z| gammainc(&a, z.maximum(0));
        sf: |z| gammaincc(&a, z.maximum(0));
        logcdf: |z| gammainc(&a, z.maximum(0)).log();
        logsf: |z| gammaincc(&a, z.maximum(0)).log();
    }
    /// The chi-squared distribution with `df` degrees of freedom, the gamma distribution of `df / 2` and scale 2.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::chi2;
    /// let x = Array::from_slice(&[2.0f64, 5.99146]);
    /// assert_eq!(chi2::pdf(&x, 2, 0, 1).round_to(4).to_vec::<f64>()?, [0.1839, 0.025]);
    /// assert_eq!(chi2::sf(&x, 2, 0, 1).round_to(4).to_vec::<f64>()?, [0.3679, 0.05]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    chi2(df) {
        logpdf: |z| {
            let (below, a) = (z.lt(0), df * 0.5);
            let z = where_(&below, 1, z * 0.5);
            where_(&below, NEVER, xlogy(&(&a - 1), &z) - z - gammaln(&a) - LN_2)
        };
        cdf: |z| gammainc(&(df * 0.5), z.maximum(0) * 0.5);
        sf: |z| gammaincc(&(df * 0.5), z.maximum(0) * 0.5);
        logcdf: |z| gammainc(&(df * 0.5), z.maximum(0) * 0.5).log();
        logsf: |z| gammaincc(&(df * 0.5), z.maximum(0) * 0.5).log();
    }
    /// The beta distribution, with density `x^(a-1) (1-x)^(b-1) / beta(a, b)` on `[0, 1]`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::beta;
    /// let x = Array::from_slice(&[0.25f64, 2.0]);
    /// assert_eq!(beta::pdf(&x, 2, 1, 0, 1).round_to(4).to_vec::<f64>()?, [0.5, 0.0]);
    /// assert_eq!(beta::cdf(&x, 2, 1, 0, 1).round_to(4).to_vec::<f64>()?, [0.0625, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    beta(a, b) {
        logpdf: |z| {
            let outside = z.lt(0) | z.gt(1);
            let z = where_(&outside, 0.5, z);
            where_(&outside, NEVER, xlogy(&(&a - 1), &z) + xlog1py(&(&b - 1), -z) - betaln(&a, &b))
        };
        cdf: |z| betainc(&a, b, z.clip(0, 1));
        sf: |z| betainc(&b, a, 1.0 - z.clip(0, 1));
        logcdf: |z| betainc(&a, b, z.clip(0, 1)).log();
        logsf: |z| betainc(&b, a, 1.0 - z.clip(0, 1)).log();
    }
    /// Student's distribution with `df` degrees of freedom, with density in proportion to `(1 + x^2 / df)^(-(df + 1) / 2)`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::{cauchy, t};
    /// let x = Array::from_slice(&[0.0f64, 1.0]);
    /// assert_eq!(t::pdf(&x, 5, 0, 1).round_to(4).to_vec::<f64>()?, [0.3796, 0.2197]);
    /// let one_degree = t::logpdf(&x, 1, 0, 1);
    /// assert!(one_degree.allclose(cauchy::logpdf(&x, 0, 1), 1e-14, 0.0).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    t(df) {
        logpdf: |z| {
            let half = &df * 0.5;
            let log = (z.square() / &df).log1p() * (&half + 0.5);
            // gamma(df/2 + 1/2) / (gamma(df/2) gamma(1/2)) is 1 over a beta function.
            -(betaln(&half, 0.5) + df.log() * 0.5 + log)
        };
    }
    /// The generalised normal distribution, with density in proportion to `e^-|x|^p`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::gennorm;
    /// let x = Array::from_slice(&[0.0f64, 1.0]);
    /// assert_eq!(gennorm::pdf(&x, 2, 0, 1).round_to(4).to_vec::<f64>()?, [0.5642, 0.2076]);
    /// assert_eq!(gennorm::cdf(&x, 2, 0, 1).round_to(4).to_vec::<f64>()?, [0.5, 0.9214]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    gennorm(p) {
        logpdf: |z| (&p * 0.5).log() - gammaln(&(1.0 / &p)) - z.abs().pow(p);
        cdf: |z| {
            let share = gammainc(&(1.0 / &p), z.abs().pow(&p));
            (z.sign() * share + 1) * 0.5
        };
    }
    /// The normal distribution, cut off at `a` and `b` before it is moved and stretched.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::truncnorm;
    /// let x = Array::from_slice(&[-1.0f64, 0.0, 2.0]);
    /// assert_eq!(truncnorm::pdf(&x, -1, 1, 0, 1).round_to(4).to_vec::<f64>()?, [0.3544, 0.5844, 0.0]);
    /// assert_eq!(truncnorm::cdf(&x, -1, 1, 0, 1).round_to(4).to_vec::<f64>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    truncnorm(a, b) {
        logpdf: |z| {
            let outside = z.lt(&a) | z.gt(&b);
            where_(&outside, NEVER, (z.square() + TAU.ln()) * -0.5 - log_mass(&a, &b))
        };
        cdf: |z| {
            let inside = z.gt(&a) & z.lt(&b);
            let share = (log_mass(&a, &where_(&inside, z, &b)) - log_mass(&a, &b)).exp();
            where_(&inside, share, where_(&z.ge(&b), 1, z.zeros_like()))
        };
        sf: |z| {
            let inside = z.gt(&a) & z.lt(&b);
            let share = (log_mass(&where_(&inside, z, &a), &b) - log_mass(&a, &b)).exp();
            where_(&inside, share, where_(&z.le(&a), 1, z.zeros_like()))
        };
        logcdf: |z| {
            let inside = z.gt(&a) & z.lt(&b);
            let share = log_mass(&a, &where_(&inside, z, &b)) - log_mass(&a, &b);
            where_(&inside, share, where_(&z.ge(&b), 0, Array::full(&[], NEVER, z.dtype())))
        };
        logsf: |z| {
            let inside = z.gt(&a) & z.lt(&b);
            let share = log_mass(&where_(&inside, z, &a), &b) - log_mass(&a, &b);
            where_(&inside, share, where_(&z.le(&a), 0, Array::full(&[], NEVER, z.dtype())))
        };
    }
    /// The von Mises distribution of angles, with density in proportion to `e^(kappa cos(x))`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::vonmises;
    /// let x = Array::from_slice(&[0.0f64, std::f64::consts::PI]);
    /// assert_eq!(vonmises::pdf(&x, 0).round_to(4).to_vec::<f64>()?, [0.1592, 0.1592]);
    /// let log = vonmises::logpdf(&x, 2);
    /// assert_eq!((log.index(0) - log.index(1)).round_to(4).item::<f64>()?, 4.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    vonmises(kappa) {
        circular: |x| &kappa * (x.cos() - 1) - (i0e(&kappa) * TAU).log();
    }
    /// The Cauchy distribution wrapped around the circle `[0, 2 pi]`, with density `(1 - c^2) / (2 pi (1 + c^2 - 2 c cos(x)))`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::wrapcauchy;
    /// let x = Array::from_slice(&[0.0f64, std::f64::consts::PI, 7.0]);
    /// assert_eq!(wrapcauchy::pdf(&x, 0.5).round_to(4).to_vec::<f64>()?, [0.4775, 0.0531, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    wrapcauchy(c) {
        circular: |x| {
            let density = (1.0 - c.square()) / (c.square() + 1 - x.cos() * 2 * &c) / TAU;
            where_(&(x.lt(0) | x.gt(TAU)), NEVER, density.log())
        };
    }
}
