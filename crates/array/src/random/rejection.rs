//! Distributions by rejection sampling: numbers are proposed for all elements at once, until a proposal is accepted for each.
//!
//! The distributions are JAX's, but the same key gives other numbers: JAX draws each element from a key of its own.

use jarrah_base::DType;

use super::Key;
use super::continuous::parameter;
use crate::array::Array;
use crate::control::{scan, while_loop};
use crate::custom::custom_jvp;
use crate::elementwise::where_;
use crate::lax;
use crate::operators::IntoOperand;
use crate::special::{digamma, gamma_log_front, gammainc_slope, gammaln};

/// Below this the share of a gamma distribution is its first term.
const NEAR_ZERO: f64 = 1e-30;

#[track_caller]
fn all(x: &Array) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    x.all(&axes[..])
}

/// The derivative by `a` of the logarithm of a gamma-distributed number, at a fixed probability of smaller numbers.
#[track_caller]
fn log_slope(a: &Array, log: &Array) -> Array {
    let z = log.exp();
    let near = z.lt(NEAR_ZERO);
    let safe = where_(&near, 1, &z);
    let density = (a * safe.log() - &safe - gammaln(a)).exp();
    let far = -gammainc_slope(a, &safe) / density;
    where_(&near, (digamma(&(a + 1)) - log) / a, far)
}

/// The derivative by `a` of gamma-distributed numbers `x`, at a fixed probability of smaller numbers: `-(dP/da) / (dP/dx)` with
/// the regularized `P(a, x)` of [`gammainc`](crate::special::gammainc).
///
/// ```
/// use jarrah_array::{Array, DType, random::random_gamma_grad};
/// // For a = 1, P(a, x) = 1 - e^-x.
/// let slope = random_gamma_grad(&Array::scalar_in(1.0, DType::F64), &Array::scalar_in(1.0, DType::F64)).item::<f64>()?;
/// assert!(slope > 1.0 && slope < 1.4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Figurnov et al., Implicit reparameterization gradients (2018).
#[track_caller]
pub fn random_gamma_grad(a: &Array, x: &Array) -> Array {
    log_slope(a, &x.log()) * x
}

impl Key {
    /// `propose(key)`, values and whether they are accepted, with new keys until all are.
    #[track_caller]
    fn reject(&self, like: &Array, propose: impl Fn(&Key) -> (Array, Array)) -> Array {
        let init = (self.clone(), like.zeros_like(), like.zeros_like().ne(0));
        let (_, value, _) = while_loop(
            |(_, _, accepted): &(Key, Array, Array)| !all(accepted),
            |(key, value, accepted): &(Key, Array, Array)| {
                let (next, now) = key.pair();
                let (proposed, fits) = propose(&now);
                (next, where_(&(fits.clone() & !accepted), proposed, value), accepted | fits)
            },
            &init,
        );
        value
    }

    /// Gamma-distributed floats with density `x^(a-1) e^-x / gamma(a)`.
    ///
    /// The derivative by `a` moves each number along its quantile (Figurnov et al., Implicit reparameterization gradients,
    /// 2018).
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).gamma_in(&[4000], DType::F32, 3.0);
    /// assert!((x.mean(..).item::<f32>()? - 3.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Marsaglia and Tsang, A simple method for generating gamma variables (2000).
    #[track_caller]
    pub fn gamma_in(&self, shape: &[usize], dtype: DType, a: impl IntoOperand) -> Array {
        self.loggamma_in(shape, dtype, a).exp()
    }

    /// The logarithm of [`gamma_in`](Self::gamma_in), which does not underflow for small `a`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let (key, a) = (Key::new(0), 0.001);
    /// assert_eq!(key.gamma_in(&[100], DType::F32, a).min(..).item::<f32>()?, 0.0);
    /// assert!(key.loggamma_in(&[100], DType::F32, a).isfinite().all(..).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn loggamma_in(&self, shape: &[usize], dtype: DType, a: impl IntoOperand) -> Array {
        let wide = dtype.accumulator();
        let sample = |a: &Array| self.loggamma(a);
        let rule = |a: &Array, da: &Array| {
            let log = sample(a);
            let slope = log_slope(a, &log);
            (log, da * slope)
        };
        custom_jvp(sample, rule)(&parameter(a, shape, wide)).astype(dtype)
    }

    #[track_caller]
    fn loggamma(&self, a: &Array) -> Array {
        let (shape, dtype) = (a.shape(), a.dtype());
        let (first, second) = self.pair();
        let small = a.lt(1);
        let d = where_(&small, a + 1, a) - 1.0 / 3.0;
        let c = 1.0 / (d.sqrt() * 3);
        // A parameter that is no number accepts anything, so that the loop ends.
        let wrong = !a.gt(0);
        let v = first.reject(&d, |key| {
            let (normal, uniform) = key.pair();
            let (x, u) = (normal.normal_in(&shape, dtype), uniform.unit(&shape, dtype));
            let root = &c * &x + 1;
            let v = &root * &root * &root;
            let safe = where_(&root.gt(0), &v, 1);
            let bound = x.square() * 0.5 + &d * (1.0 - &safe + safe.log());
            (v, (root.gt(0) & u.log().lt(bound)) | &wrong)
        });
        let boost = -second.exponential_in(&shape, dtype) / a;
        let log = d.log() + where_(&wrong, 1, v).log() + where_(&small, boost, 0);
        where_(&wrong, where_(&a.eq(0), f64::NEG_INFINITY, Array::full(&[], f64::NAN, dtype)), log)
    }

    /// Beta-distributed floats with density in proportion to `x^(a-1) (1-x)^(b-1)`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).beta_in(&[4000], DType::F32, 2.0, 3.0);
    /// // The mean is a / (a + b).
    /// assert!((x.mean(..).item::<f32>()? - 0.4).abs() < 0.02);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn beta_in(&self, shape: &[usize], dtype: DType, a: impl IntoOperand, b: impl IntoOperand) -> Array {
        let (first, second) = self.pair();
        let (x, y) = (first.loggamma_in(shape, dtype, a), second.loggamma_in(shape, dtype, b));
        (x - y).sigmoid()
    }

    /// Vectors of shares `[shape.., n]`, which add up to 1, from the Dirichlet distribution with these concentrations `[..,
    /// n]`: density in proportion to the product of `x_i^(a_i - 1)`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// let x = Key::new(0).dirichlet_in(&[4000], DType::F32, &Array::from_slice(&[1.0f32, 2.0, 5.0]));
    /// assert!(x.sum(-1).allclose(1.0, 0.0, 1e-5).item::<bool>()?);
    /// let means = Array::from_slice(&[0.125f32, 0.25, 0.625]);
    /// assert!(x.mean(0).allclose(means, 0.0, 0.02).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn dirichlet_in(&self, shape: &[usize], dtype: DType, concentrations: &Array) -> Array {
        let extents = concentrations.shape();
        let drawn = [shape, &extents[extents.len().saturating_sub(1)..]].concat();
        self.loggamma_in(&drawn, dtype, concentrations).softmax(-1)
    }

    /// Floats of the chi-squared distribution with `df` degrees of freedom: the sum of the squares of as many normal numbers.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).chisquare_in(&[4000], DType::F32, 3.0);
    /// assert!((x.mean(..).item::<f32>()? - 3.0).abs() < 0.2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn chisquare_in(&self, shape: &[usize], dtype: DType, df: impl IntoOperand) -> Array {
        self.gamma_in(shape, dtype, parameter(df, shape, dtype) / 2) * 2
    }

    /// Floats of Student's distribution with `df` degrees of freedom, `z sqrt(df / c)` of normal `z` and chi-squared `c`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).t_in(&[4001], DType::F32, 5.0);
    /// // Three quarters of all numbers are below 0.727.
    /// assert!((x.abs().median(..).item::<f32>()? - 0.727).abs() < 0.05);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn t_in(&self, shape: &[usize], dtype: DType, df: impl IntoOperand) -> Array {
        let (first, second) = self.pair();
        let half = parameter(df, shape, dtype) / 2;
        first.normal_in(shape, dtype) * (&half / second.gamma_in(shape, dtype, &half)).sqrt()
    }

    /// Floats of the F distribution with `above` and `below` degrees of freedom, `(x / above) / (y / below)` of chi-squared `x`
    /// and `y`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).f_in(&[4000], DType::F32, 4.0, 10.0);
    /// // The mean is below / (below - 2).
    /// assert!((x.mean(..).item::<f32>()? - 1.25).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn f_in(
        &self,
        shape: &[usize],
        dtype: DType,
        above: impl IntoOperand,
        below: impl IntoOperand,
    ) -> Array {
        let (first, second) = self.pair();
        let (m, n) = (parameter(above, shape, dtype), parameter(below, shape, dtype));
        (second.chisquare_in(shape, dtype, &m) / m) / (first.chisquare_in(shape, dtype, &n) / n)
    }

    /// Numbers of events of this mean rate, as `i32`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).poisson(&[4000], 2.5).astype(DType::F32);
    /// assert!((x.mean(..).item::<f32>()? - 2.5).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Hörmann, The transformed rejection method for generating Poisson random variables (1993), from a rate of 10;
    /// below it the distribution function is searched.
    #[track_caller]
    pub fn poisson(&self, shape: &[usize], rate: impl IntoOperand) -> Array {
        let rate = parameter(rate, shape, DType::F32);
        let large = rate.ge(10);
        let wrong = !(rate.ge(0) & rate.isfinite());
        let (first, second) = self.pair();
        let mean = where_(&large, &rate, 10);
        let b = mean.sqrt() * 2.53 + 0.931;
        let a = &b * 0.02483 - 0.059;
        let shrink = 1.1328 / (&b - 3.4) + 1.1239;
        let edge = 0.9277 - 3.6224 / (&b - 2);
        let many = first.reject(&mean, |key| {
            let (u, v) = key.two(shape, DType::F32);
            let us = 0.5 - u.abs();
            let k = ((&a * 2 / &us + &b) * u + &mean + 0.43).floor();
            let inside = us.ge(0.07) & v.le(&edge);
            let outside = k.lt(0) | (us.lt(0.013) & v.gt(&us));
            let bound = gamma_log_front(&k.maximum(0), &mean);
            let under = (&v * &shrink / (&a / us.square() + &b)).log().le(bound);
            (k, inside | (!outside & under) | !&large)
        });
        let mean = where_(&large, 0, where_(&wrong, 0, &rate));
        let few = second.search(&(-&mean).exp(), |k| &mean / (k + 1));
        where_(&wrong, -1, where_(&large, many, few)).astype(DType::I32)
    }

    /// Binomially distributed floats: the number of successes among `n` trials of probability `p`; NaN for invalid parameters.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).binomial_in(&[4000], DType::F32, 20.0, 0.25);
    /// assert!((x.mean(..).item::<f32>()? - 5.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Hörmann, The generation of binomial random variates (1993), from 10 expected successes or failures; below it
    /// the distribution function is searched.
    #[track_caller]
    pub fn binomial_in(
        &self,
        shape: &[usize],
        dtype: DType,
        n: impl IntoOperand,
        p: impl IntoOperand,
    ) -> Array {
        let wide = dtype.accumulator();
        let (n, p) = (parameter(n, shape, wide).floor(), parameter(p, shape, wide));
        let wrong = !(n.ge(0) & n.isfinite() & p.ge(0) & p.le(1));
        let turned = p.gt(0.5);
        let q = where_(&turned, 1.0 - &p, &p);
        let large = (&n * &q).ge(10) & !&wrong;
        let (first, second) = self.pair();
        let many = first.binomial_many(&where_(&large, &n, 100), &where_(&large, &q, 0.5), &large);
        let (m, s) = (where_(&(&large | &wrong), 0, &n), where_(&(&large | &wrong), 0, &q));
        let odds = &s / (1.0 - &s);
        let few = second.search(&(&m * (-&s).log1p()).exp(), |k| &odds * ((&m - k) / (k + 1)));
        let count = where_(&large, many, few);
        where_(&wrong, f64::NAN, where_(&turned, &n - &count, &count)).astype(dtype)
    }

    /// Binomial numbers with `p` at most one half and 10 successes expected at least, where `wanted`.
    #[track_caller]
    fn binomial_many(&self, n: &Array, p: &Array, wanted: &Array) -> Array {
        let q = 1.0 - p;
        let mean = n * p;
        let deviation = (&mean * &q).sqrt();
        let b = &deviation * 2.53 + 1.15;
        let a = &b * 0.0248 - 0.0873 + p * 0.01;
        let centre = &mean + 0.5;
        let edge = 0.92 - 4.2 / &b;
        let stretch = (5.1 / &b + 2.83) * &deviation;
        // A binomial probability is that of two Poisson counts over that of their sum.
        let log_probability = |k: &Array| gamma_log_front(k, &mean) + gamma_log_front(&(n - k), &(n * &q));
        let top = log_probability(&((n + 1) * p).floor());
        self.reject(n, |key| {
            let (u, v) = key.two(&n.shape(), n.dtype());
            let us = 0.5 - u.abs();
            let k = ((&a * 2 / &us + &b) * u + &centre).floor();
            let inside = us.ge(0.07) & v.le(&edge);
            let outside = k.lt(0) | k.gt(n);
            let bound = log_probability(&k.maximum(0).minimum(n)) - &top;
            let under = (&v * &stretch / (&a / us.square() + &b)).log().le(bound);
            (k, inside | (!outside & under) | !wanted)
        })
    }

    /// A uniform number around zero and one above it.
    #[track_caller]
    fn two(&self, shape: &[usize], dtype: DType) -> (Array, Array) {
        let (first, second) = self.pair();
        (first.unit(shape, dtype) - 0.5, second.unit(shape, dtype))
    }

    /// Natural numbers, found by adding probabilities up to a uniform number: that of 0 is `first`, that of `k + 1` is
    /// `ratio(k)` times that of `k`.
    #[track_caller]
    fn search(&self, first: &Array, ratio: impl Fn(&Array) -> Array) -> Array {
        let u = self.unit(&first.shape(), first.dtype());
        let init = (first.zeros_like(), first.clone(), first.clone());
        let (k, ..) = while_loop(
            |(_, term, sum): &(Array, Array, Array)| !all(&(sum.gt(&u) | term.le(0))),
            |(k, term, sum): &(Array, Array, Array)| {
                let going = sum.le(&u) & term.gt(0);
                let next = where_(&going, term * ratio(k), term);
                (where_(&going, k + 1, k), next.clone(), where_(&going, sum + next, sum))
            },
            &init,
        );
        k
    }

    /// Multinomially distributed counts: how many of `n` balls fall into each of the places with the probabilities `[..,
    /// places]`, as floats of their dtype; `n` broadcasts to the other axes of the probabilities.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let counts = Key::new(0).multinomial(10, &Array::from_slice(&[0.2f32, 0.0, 0.8])).to_vec::<f32>()?;
    /// assert_eq!((counts[1], counts.iter().sum::<f32>()), (0.0, 10.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Devroye, Non-uniform random variate generation (1986), XI.1.4: one binomial number after another.
    #[track_caller]
    pub fn multinomial(&self, n: impl IntoOperand, probabilities: &Array) -> Array {
        let p = &probabilities.inexact();
        let (shape, dtype) = (p.shape(), p.dtype());
        let (rest, places) = match shape.split_last() {
            Some((&places, rest)) => (rest, places),
            None => return parameter(n, &[], dtype),
        };
        let left = p.flip(-1).cumsum(-1).flip(-1);
        let ratios = lax::move_axis(&(p / where_(&left.eq(0), 1, &left)).clip(0, 1), rest.len(), 0);
        let step = |remaining: &Array, (ratio, words): &(Array, Array)| {
            let count = Key::wrap(words.clone(), self.key_impl()).binomial_in(rest, dtype, remaining, ratio);
            (remaining - &count, count)
        };
        let (_, counts) = scan(step, &parameter(n, rest, dtype), &(ratios, self.split_in(&[places])));
        lax::move_axis(&counts, 0, rest.len())
    }
}
