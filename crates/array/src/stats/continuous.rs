use std::f64::consts::{LN_2, PI, TAU};

use super::{common, distributions};
use crate::array::Array;
use crate::elementwise::where_;
use crate::nn::{log1mexp, softplus};
use crate::operators::IntoOperand;
use crate::special::{
    betainc, betaln, gammainc, gammaincc, gammaln, i0e, log_ndtr, logit, ndtr, ndtri, xlog1py, xlogy,
};

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
    /// The normal distribution.
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
    uniform() {
        logpdf: |z| where_(&(z.lt(0) | z.gt(1)), NEVER, z.zeros_like());
        cdf: |z| z.clip(0, 1);
        sf: |z| (1.0 - z).clip(0, 1);
        ppf: |q| q;
        isf: |q| (1.0 - q);
    }
    /// The Pareto distribution, with density `b x^(-b-1)` from 1.
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
    /// Student's distribution with `df` degrees of freedom.
    t(df) {
        logpdf: |z| {
            let half = &df * 0.5;
            let log = (z.square() / &df).log1p() * (&half + 0.5);
            // gamma(df/2 + 1/2) / (gamma(df/2) gamma(1/2)) is 1 over a beta function.
            -(betaln(&half, 0.5) + df.log() * 0.5 + log)
        };
    }
    /// The generalised normal distribution, with density in proportion to `e^-|x|^p`.
    gennorm(p) {
        logpdf: |z| (&p * 0.5).log() - gammaln(&(1.0 / &p)) - z.abs().pow(p);
        cdf: |z| {
            let share = gammainc(&(1.0 / &p), z.abs().pow(&p));
            (z.sign() * share + 1) * 0.5
        };
    }
    /// The normal distribution, cut off at `a` and `b` before it is moved and stretched.
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
    vonmises(kappa) {
        circular: |x| &kappa * (x.cos() - 1) - (i0e(&kappa) * TAU).log();
    }
    /// The Cauchy distribution wrapped around the circle `[0, 2 pi]`.
    wrapcauchy(c) {
        circular: |x| {
            let density = (1.0 - c.square()) / (c.square() + 1 - x.cos() * 2 * &c) / TAU;
            where_(&(x.lt(0) | x.gt(TAU)), NEVER, density.log())
        };
    }
}
