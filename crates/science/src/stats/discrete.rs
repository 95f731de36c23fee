use jarrah_array::special::{betaln, gammaincc, gammaln, xlog1py, xlogy};
use jarrah_array::{Array, IntoOperand, where_};

use super::{common, distributions};

const NEVER: f64 = f64::NEG_INFINITY;

/// Where `k` is no natural number.
#[track_caller]
fn unnatural(k: &Array) -> Array {
    k.lt(0) | k.ne(k.round())
}

/// The logarithm of the number of ways to choose `k` of `n` things.
#[track_caller]
fn log_choices(n: &Array, k: &Array) -> Array {
    -(betaln(&(n - k + 1), k + 1) + (n + 1).log())
}

/// The entropy of Poisson distributions: the sum over counts for rates below 100, from there its expansion in `1 / mu`.
///
/// Source: Evans, Boersma, Blachman and Jagers, The entropy of a Poisson distribution (1988).
#[track_caller]
fn poisson_entropy(mu: &Array) -> Array {
    // Far beyond a rate of 100 by ten standard deviations.
    const COUNTS: usize = 256;
    let large = mu.ge(100);
    let rate = where_(&(&large | mu.le(0)), 1, mu);
    let counts = Array::arange(COUNTS).astype(mu.dtype());
    let factorials = gammaln(&(&counts + 1));
    let column = rate.expand_dims(-1);
    let probabilities = (counts * column.log() - &column - &factorials).exp();
    let sum = (probabilities * factorials).sum(-1) + &rate * (1.0 - rate.log());
    let rate = where_(&large, mu, 100);
    let inverse = 1.0 / &rate;
    let series = ((&inverse * (19.0 / 360.0) + 1.0 / 24.0) * &inverse + 1.0 / 12.0) * &inverse;
    let expansion = (rate * std::f64::consts::TAU * std::f64::consts::E).log() * 0.5 - series;
    let entropy = where_(&large, expansion, sum);
    where_(&mu.gt(0), entropy, where_(&mu.eq(0), mu.zeros_like(), f64::NAN))
}

distributions! {
    /// The distribution of a coin that shows 1 with probability `p`, else 0.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::bernoulli;
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0]);
    /// assert_eq!(bernoulli::pmf(&k, 0.3, 0).round_to(4).to_vec::<f64>()?, [0.7, 0.3, 0.0]);
    /// assert_eq!(bernoulli::cdf(&k, 0.3, 0).round_to(4).to_vec::<f64>()?, [0.7, 1.0, 1.0]);
    /// let q = Array::from_slice(&[0.6f64, 0.8]);
    /// assert_eq!(bernoulli::ppf(&q, 0.3).to_vec::<f64>()?, [0.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    bernoulli(p) {
        logpmf: |k| {
            let (zero, one) = (k.eq(0), k.eq(1));
            let log = where_(&zero, (-&p).log1p(), where_(&one, p.log(), NEVER));
            where_(&(p.ge(0) & p.le(1)), log, f64::NAN)
        };
        sum: |k| {
            let share = where_(&k.lt(0), 0, where_(&k.lt(1), 1.0 - &p, 1));
            where_(&(p.ge(0) & p.le(1)), share, f64::NAN)
        };
        quantile: |q| where_(
            &(p.ge(0) & p.le(1)),
            where_(&q.le(1.0 - &p), 0, q.ones_like()),
            f64::NAN
        );
    }
    /// The distribution of how many of `n` coins show a side of probability `p`: `n! / (k! (n - k)!) p^k (1 - p)^(n - k)`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::binom;
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0, 0.5]);
    /// assert_eq!(binom::pmf(&k, 2, 0.5, 0).round_to(4).to_vec::<f64>()?, [0.25, 0.5, 0.25, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    binom(n, p) {
        logpmf: |k| {
            let never = unnatural(k) | k.gt(&n);
            let (k, m) = (where_(&never, 0, k), where_(&never, 0, n));
            where_(&never, NEVER, log_choices(&m, &k) + xlogy(&k, &p) + xlog1py(&(&m - &k), -p))
        };
    }
    /// The distribution of failures before success number `n`, each success of probability `p`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::nbinom;
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0]);
    /// assert_eq!(nbinom::pmf(&k, 1, 0.5, 0).round_to(4).to_vec::<f64>()?, [0.5, 0.25, 0.125]);
    /// assert_eq!(nbinom::pmf(&k, 2, 0.5, 0).round_to(4).to_vec::<f64>()?, [0.25, 0.25, 0.1875]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    nbinom(n, p) {
        logpmf: |k| {
            let never = unnatural(k);
            let k = where_(&never, 0, k);
            let log = gammaln(&(&k + &n)) - gammaln(&n) - gammaln(&(&k + 1));
            where_(&never, NEVER, log + xlogy(&n, &p) + xlog1py(&k, -p))
        };
    }
    /// The distribution of the number of coins thrown up to the first that shows a side of probability `p`: `(1 - p)^(k - 1) p`
    /// from 1.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::geom;
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0]);
    /// assert_eq!(geom::pmf(&k, 0.25, 0).round_to(4).to_vec::<f64>()?, [0.0, 0.25, 0.1875]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    geom(p) {
        logpmf: |k| {
            let never = unnatural(k) | k.eq(0);
            where_(&never, NEVER, xlog1py(&(where_(&never, 1, k) - 1), -&p) + p.log())
        };
    }
    /// The distribution of the number of events of mean rate `mu`: `mu^k e^-mu / k!`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::stats::poisson;
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0]);
    /// assert_eq!(poisson::pmf(&k, 2, 0).round_to(4).to_vec::<f64>()?, [0.1353, 0.2707, 0.2707]);
    /// assert_eq!(poisson::cdf(&k, 2, 0).round_to(4).to_vec::<f64>()?, [0.1353, 0.406, 0.6767]);
    /// assert_eq!(poisson::entropy(&Array::scalar_in(2.0, DType::F64)).round_to(4).item::<f64>()?, 1.7049);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    poisson(mu) {
        logpmf: |k| {
            let never = unnatural(k);
            let k = where_(&never, 0, k);
            where_(&never, NEVER, xlogy(&k, &mu) - gammaln(&(&k + 1)) - mu)
        };
        sum: |k| {
            let never = k.lt(0);
            where_(&never, 0, gammaincc(&(where_(&never, 0, k).floor() + 1), mu))
        };
        entropy: |mu| poisson_entropy(mu);
    }
    /// The distribution of how many of `n` coins show a side, whose probability has the beta distribution of `a` and `b`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::stats::betabinom;
    /// // All probabilities of the coins are as likely, and so are all counts.
    /// let k = Array::from_slice(&[0.0f64, 1.0, 2.0, 3.0]);
    /// assert_eq!(betabinom::pmf(&k, 3, 1, 1, 0).round_to(4).to_vec::<f64>()?, [0.25; 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    betabinom(n, a, b) {
        logpmf: |k| {
            let never = unnatural(k) | k.gt(&n);
            let (k, m) = (where_(&never, 0, k), where_(&never, 0, n));
            let log = log_choices(&m, &k) + betaln(&(&k + &a), &m - &k + &b) - betaln(&a, &b);
            where_(&never, NEVER, log)
        };
    }
}
