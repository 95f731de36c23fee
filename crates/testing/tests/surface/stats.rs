//! `jax.scipy.stats`.

use jarrah_array::Array;
use jarrah_science::stats::{self, Bandwidth, GaussianKde, RankMethod};

use super::rows;

rows! {
    // Continuous distributions.
    "scipy.stats.norm": "stats.norm.logpdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::logpdf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.pdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::pdf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.cdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::cdf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.logcdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::logcdf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.sf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::sf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.logsf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::norm::logsf(x, l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5).astype(q.dtype)"
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::norm::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.norm": "stats.norm.isf(jnp.abs(q), l, jnp.abs(s) + 0.5).astype(q.dtype)"
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::norm::isf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.logpdf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::logpdf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.pdf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::pdf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.cdf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::cdf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.logcdf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::logcdf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.sf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::sf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.logsf(x, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::cauchy::logsf(x, l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)", 8
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::cauchy::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.cauchy": "stats.cauchy.isf(jnp.abs(q), l, jnp.abs(s) + 0.5)", 8
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::cauchy::isf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.logpdf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::logpdf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.pdf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::pdf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.cdf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::cdf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.logcdf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::logcdf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.sf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::sf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.logsf(jnp.abs(x) + l, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::expon::logsf(&(x.abs() + l), l, s.abs() + 0.5);
    "scipy.stats.expon": "stats.expon.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)", 4
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::expon::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.laplace": "stats.laplace.logpdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::laplace::logpdf(x, l, s.abs() + 0.5);
    "scipy.stats.laplace": "stats.laplace.pdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::laplace::pdf(x, l, s.abs() + 0.5);
    "scipy.stats.laplace": "stats.laplace.cdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::laplace::cdf(x, l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.logpdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::logistic::logpdf(x, l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.pdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::logistic::pdf(x, l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.cdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::logistic::cdf(x, l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.sf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::logistic::sf(x, l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)"
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::logistic::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.logistic": "stats.logistic.isf(jnp.abs(q), l, jnp.abs(s) + 0.5)"
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::logistic::isf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.uniform": "stats.uniform.logpdf(jnp.abs(x) * 0.5 + l, l, jnp.abs(s) + 0.5)"
        => |x: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::uniform::logpdf(&(x.abs() * 0.5 + l), l, s.abs() + 0.5);
    "scipy.stats.uniform": "stats.uniform.pdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::uniform::pdf(x, l, s.abs() + 0.5);
    "scipy.stats.uniform": "stats.uniform.cdf(x, l, jnp.abs(s) + 0.5)"
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::uniform::cdf(x, l, s.abs() + 0.5);
    "scipy.stats.uniform": "stats.uniform.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)"
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::uniform::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.logpdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::logpdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.pdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::pdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.cdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::cdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.logcdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::logcdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.sf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::sf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.logsf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::logsf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_r": "stats.gumbel_r.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)", 8
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::gumbel_r::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.logpdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::logpdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.pdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::pdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.cdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::cdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.logcdf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::logcdf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.sf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::sf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.logsf(x * 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::logsf(&(x * 0.5), l, s.abs() + 0.5);
    "scipy.stats.gumbel_l": "stats.gumbel_l.ppf(jnp.abs(q), l, jnp.abs(s) + 0.5)", 8
        => |q: wide<1>(3, 5), l: wide(5), s: wide(5)| stats::gumbel_l::ppf(&q.abs(), l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.logpdf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::logpdf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.pdf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::pdf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.cdf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::cdf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.logcdf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::logcdf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.sf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::sf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.logsf(jnp.abs(x) + l + 5, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::logsf(&(x.abs() + l + 5), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.pareto": "stats.pareto.ppf(jnp.abs(q), jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |q: wide<1>(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::pareto::ppf(&q.abs(), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.logpdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::logpdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.pdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::pdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.cdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::cdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.logcdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::logcdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.sf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::sf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.gamma": "stats.gamma.logsf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::gamma::logsf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.logpdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::logpdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.pdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::pdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.cdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::cdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.logcdf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::logcdf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.sf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::sf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.chi2": "stats.chi2.logsf(jnp.abs(x) + l + 0.01, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 8
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::chi2::logsf(&(x.abs() + l + 0.01), a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.t": "stats.t.logpdf(x, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::t::logpdf(x, a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.t": "stats.t.pdf(x, jnp.abs(a) + 0.5, l, jnp.abs(s) + 0.5)", 4
        => |x: wide(3, 5), a: wide(5), l: wide(5), s: wide(5)| stats::t::pdf(x, a.abs() + 0.5, l, s.abs() + 0.5);
    "scipy.stats.beta": "stats.beta.logpdf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::logpdf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.beta": "stats.beta.pdf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::pdf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.beta": "stats.beta.cdf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::cdf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.beta": "stats.beta.logcdf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::logcdf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.beta": "stats.beta.sf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::sf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.beta": "stats.beta.logsf(jnp.abs(x) * 1.8 + l + 0.05, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, l, 2.0)", 16
        => |x: wide<1>(3, 5), a: wide(5), b: wide(5), l: wide(5)| stats::beta::logsf(&(x.abs() * 1.8 + l + 0.05), a.abs() + 0.5, b.abs() + 0.5, l, 2.0);
    "scipy.stats.gennorm": "stats.gennorm.logpdf(x, jnp.abs(p) + 0.5)", 8
        => |x: wide<2>(3, 5), p: wide(5)| stats::gennorm::logpdf(x, p.abs() + 0.5, 0, 1);
    "scipy.stats.gennorm": "stats.gennorm.pdf(x, jnp.abs(p) + 0.5)", 8
        => |x: wide<2>(3, 5), p: wide(5)| stats::gennorm::pdf(x, p.abs() + 0.5, 0, 1);
    "scipy.stats.gennorm": "stats.gennorm.cdf(x, jnp.abs(p) + 0.5)", 8
        => |x: wide<2>(3, 5), p: wide(5)| stats::gennorm::cdf(x, p.abs() + 0.5, 0, 1);
    "scipy.stats.truncnorm": "stats.truncnorm.logpdf(x, a - 1, a + jnp.abs(b) + 0.5, 0.1, 1.5)", 8
        => |x: wide(3, 5), a: wide<2>(5), b: wide(5)| stats::truncnorm::logpdf(x, a - 1, a + b.abs() + 0.5, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.pdf(x, a - 1, a + jnp.abs(b) + 0.5, 0.1, 1.5)", 8
        => |x: wide(3, 5), a: wide<2>(5), b: wide(5)| stats::truncnorm::pdf(x, a - 1, a + b.abs() + 0.5, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.cdf(x, -1.0, 1.8, 0.1, 1.5)", 8
        => |x: wide(3, 5)| stats::truncnorm::cdf(x, -1.0, 1.8, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.cdf(x, 2.0, 4.0, 0.1, 1.0)", 8
        => |x: wide(3, 5)| stats::truncnorm::cdf(x, 2.0, 4.0, 0.1, 1.0);
    "scipy.stats.truncnorm": "stats.truncnorm.logcdf(x, -1.0, 1.8, 0.1, 1.5)", 8
        => |x: wide(3, 5)| stats::truncnorm::logcdf(x, -1.0, 1.8, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.logcdf(x, 2.0, 4.0, 0.1, 1.0)", 8
        => |x: wide(3, 5)| stats::truncnorm::logcdf(x, 2.0, 4.0, 0.1, 1.0);
    "scipy.stats.truncnorm": "stats.truncnorm.sf(x, -1.0, 1.8, 0.1, 1.5)", 8
        => |x: wide(3, 5)| stats::truncnorm::sf(x, -1.0, 1.8, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.sf(x, 2.0, 4.0, 0.1, 1.0)", 8
        => |x: wide(3, 5)| stats::truncnorm::sf(x, 2.0, 4.0, 0.1, 1.0);
    "scipy.stats.truncnorm": "stats.truncnorm.logsf(x, -1.0, 1.8, 0.1, 1.5)", 8
        => |x: wide(3, 5)| stats::truncnorm::logsf(x, -1.0, 1.8, 0.1, 1.5);
    "scipy.stats.truncnorm": "stats.truncnorm.logsf(x, 2.0, 4.0, 0.1, 1.0)", 8
        => |x: wide(3, 5)| stats::truncnorm::logsf(x, 2.0, 4.0, 0.1, 1.0);
    "scipy.stats.vonmises": "stats.vonmises.logpdf(x, jnp.abs(k) + 0.1)", 4
        => |x: wide(3, 5), k: wide(5)| stats::vonmises::logpdf(x, k.abs() + 0.1);
    "scipy.stats.wrapcauchy": "stats.wrapcauchy.logpdf(jnp.abs(x), jnp.abs(c) * 0.9 + 0.05)", 4
        => |x: wide<6>(3, 5), c: wide<1>(5)| stats::wrapcauchy::logpdf(&x.abs(), c.abs() * 0.9 + 0.05);
    "scipy.stats.vonmises": "stats.vonmises.pdf(x, jnp.abs(k) + 0.1)", 4
        => |x: wide(3, 5), k: wide(5)| stats::vonmises::pdf(x, k.abs() + 0.1);
    "scipy.stats.wrapcauchy": "stats.wrapcauchy.pdf(jnp.abs(x), jnp.abs(c) * 0.9 + 0.05)", 4
        => |x: wide<6>(3, 5), c: wide<1>(5)| stats::wrapcauchy::pdf(&x.abs(), c.abs() * 0.9 + 0.05);
    // Of integers, and outside of the support.
    "scipy.stats.norm": "stats.norm.logpdf(x, 1, 2)"
        => |x: reals(3, 5)| stats::norm::logpdf(x, 1, 2);
    "scipy.stats.expon": "stats.expon.logpdf(x, 0, 1)"
        => |x: i32(3, 5)| stats::expon::logpdf(x, 0, 1);
    "scipy.stats.gamma": "stats.gamma.logpdf(x, 2)", 4
        => |x: i32(3, 5)| stats::gamma::logpdf(x, 2, 0, 1);
    "scipy.stats.beta": "stats.beta.pdf((x * 0.3).astype('float32'), 2, 3)", 8
        => |x: i32(3, 5)| stats::beta::pdf(&(x * 0.3), 2, 3, 0, 1);
    "scipy.stats.pareto": "stats.pareto.pdf(x, 2)"
        => |x: i32(3, 5)| stats::pareto::pdf(x, 2, 0, 1);
    // Discrete distributions.
    "scipy.stats.bernoulli": "stats.bernoulli.logpmf(k, jnp.abs(p), 1)"
        => |k: i32<2>(3, 5), p: wide<1>(5)| stats::bernoulli::logpmf(k, p.abs(), 1);
    "scipy.stats.binom": "stats.binom.logpmf(k, 5, jnp.abs(p), 1)", 8
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::binom::logpmf(k, 5, p.abs(), 1);
    "scipy.stats.nbinom": "stats.nbinom.logpmf(jnp.abs(k) + 1, 5.5, jnp.abs(p), 1)", 8
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::nbinom::logpmf(&(k.abs() + 1), 5.5, p.abs(), 1);
    "scipy.stats.geom": "stats.geom.logpmf(k, jnp.abs(p), 1)", 4
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::geom::logpmf(k, p.abs(), 1);
    "scipy.stats.poisson": "stats.poisson.logpmf(k, jnp.abs(m) + 0.1, 1)", 4
        => |k: i32<7>(3, 5), m: wide(5)| stats::poisson::logpmf(k, m.abs() + 0.1, 1);
    // JAX's f64 is right to seven digits only, as are its entropies.
    "scipy.stats.betabinom": "stats.betabinom.logpmf(jnp.floor(jnp.abs(k)) + 1, 7, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, 1)", 8
        => |k: f32<7>(3, 5), a: f32(5), b: f32(5)| stats::betabinom::logpmf(&(k.abs().floor() + 1), 7, a.abs() + 0.5, b.abs() + 0.5, 1);
    "scipy.stats.bernoulli": "stats.bernoulli.pmf(k, jnp.abs(p), 1)"
        => |k: i32<2>(3, 5), p: wide<1>(5)| stats::bernoulli::pmf(k, p.abs(), 1);
    "scipy.stats.binom": "stats.binom.pmf(k, 5, jnp.abs(p), 1)", 8
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::binom::pmf(k, 5, p.abs(), 1);
    "scipy.stats.nbinom": "stats.nbinom.pmf(jnp.abs(k) + 1, 5.5, jnp.abs(p), 1)", 8
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::nbinom::pmf(&(k.abs() + 1), 5.5, p.abs(), 1);
    "scipy.stats.geom": "stats.geom.pmf(k, jnp.abs(p), 1)", 4
        => |k: i32<7>(3, 5), p: wide<1>(5)| stats::geom::pmf(k, p.abs(), 1);
    "scipy.stats.poisson": "stats.poisson.pmf(k, jnp.abs(m) + 0.1, 1)", 4
        => |k: i32<7>(3, 5), m: wide(5)| stats::poisson::pmf(k, m.abs() + 0.1, 1);
    "scipy.stats.betabinom": "stats.betabinom.pmf(jnp.floor(jnp.abs(k)) + 1, 7, jnp.abs(a) + 0.5, jnp.abs(b) + 0.5, 1)", 8
        => |k: f32<7>(3, 5), a: f32(5), b: f32(5)| stats::betabinom::pmf(&(k.abs().floor() + 1), 7, a.abs() + 0.5, b.abs() + 0.5, 1);
    "scipy.stats.bernoulli": "stats.bernoulli.cdf(k, jnp.abs(p))"
        => |k: i32<2>(3, 5), p: wide<1>(5)| stats::bernoulli::cdf(k, p.abs(), 0);
    "scipy.stats.bernoulli": "stats.bernoulli.ppf(jnp.abs(q), jnp.abs(p))"
        => |q: wide<1>(3, 5), p: wide<1>(5)| stats::bernoulli::ppf(&q.abs(), p.abs());
    "scipy.stats.poisson": "stats.poisson.cdf(k, jnp.abs(m) + 0.1, 1)", 8
        => |k: i32<7>(3, 5), m: wide(5)| stats::poisson::cdf(k, m.abs() + 0.1, 1);
    "scipy.stats.poisson": "stats.poisson.entropy(jnp.abs(m) + 0.1)"
        => |m: f32(5)| stats::poisson::entropy(&(m.abs() + 0.1));
    "scipy.stats.poisson": "stats.poisson.entropy(lax.stop_gradient(jnp.abs(m) + 110))"
        => |m: f32<900>(5)| stats::poisson::entropy(&jarrah_array::stop_gradient(&(m.abs() + 110)));
    // Distributions of vectors.
    "scipy.stats.multivariate_normal": "stats.multivariate_normal.logpdf(x, m, c @ c.T + jnp.eye(3, dtype=c.dtype))", 16
        => |x: wide(2, 5, 3), m: wide(3), c: wide<1>(3, 3)| stats::multivariate_normal::logpdf(x, m, &(c.matmul(&c.t()) + Array::arange(3).one_hot(3, c.dtype())));
    "scipy.stats.dirichlet": "stats.dirichlet.logpdf(nn.softmax(x, axis=0), jnp.abs(a) + 0.5)", 16
        => |x: wide<2>(3, 5), a: wide(3)| stats::dirichlet::logpdf(&x.softmax(0), &(a.abs() + 0.5));
    "scipy.stats.multivariate_normal": "stats.multivariate_normal.pdf(x, m, c @ c.T + jnp.eye(3, dtype=c.dtype))", 16
        => |x: wide(2, 5, 3), m: wide(3), c: wide<1>(3, 3)| stats::multivariate_normal::pdf(x, m, &(c.matmul(&c.t()) + Array::arange(3).one_hot(3, c.dtype())));
    "scipy.stats.dirichlet": "stats.dirichlet.pdf(nn.softmax(x, axis=0), jnp.abs(a) + 0.5)", 16
        => |x: wide<2>(3, 5), a: wide(3)| stats::dirichlet::pdf(&x.softmax(0), &(a.abs() + 0.5));
    "scipy.stats.multinomial": "stats.multinomial.logpmf(x, jnp.sum(x), nn.softmax(p))", 8
        => |x: u8(4), p: wide(4)| stats::multinomial::logpmf(x, x.sum(0), &p.softmax(0));
    "scipy.stats.multinomial": "stats.multinomial.pmf(x, jnp.sum(x), nn.softmax(p))", 8
        => |x: u8(4), p: wide(4)| stats::multinomial::pmf(x, x.sum(0), &p.softmax(0));
    "scipy.stats.gaussian_kde": "stats.gaussian_kde(x).evaluate(y)", 16
        => |x: wide(2, 9), y: wide(2, 5)| GaussianKde::new(x, Bandwidth::Scott).evaluate(y);
    "scipy.stats.gaussian_kde": "stats.gaussian_kde(x, 'silverman', jnp.abs(w)).logpdf(y)", 16
        => |x: wide(2, 9), w: wide(9), y: wide(2, 5)| GaussianKde::weighted(x, &w.abs(), Bandwidth::Silverman).logpdf(y);
    "scipy.stats.gaussian_kde": "stats.gaussian_kde(x, 0.3).integrate_box_1d(-1, y[0])", 16
        => |x: wide(9), y: wide(1)| GaussianKde::new(x, Bandwidth::Factor(0.3)).integrate_box_1d(-1, y.index(0));
    "scipy.stats.gaussian_kde": "stats.gaussian_kde(x).integrate_gaussian(y, c @ c.T)", 16
        => |x: wide(2, 9), y: wide(2), c: wide(2, 2)| GaussianKde::new(x, Bandwidth::Scott).integrate_gaussian(y, &c.matmul(&c.t()));
    "scipy.stats.gaussian_kde": "stats.gaussian_kde(x).integrate_kde(stats.gaussian_kde(y))", 16
        => |x: wide(2, 9), y: wide(2, 5)| GaussianKde::new(x, Bandwidth::Scott).integrate_kde(&GaussianKde::new(y, Bandwidth::Scott));
    // Samples.
    "scipy.stats.mode": "[a.astype(t) for a, t in zip(stats.mode(x, axis=1), (x.dtype, 'int32'))]"
        => |x: reals<2>(3, 9)| stats::mode(x, 1);
    "scipy.stats.mode": "[a.astype(t) for a, t in zip(stats.mode(x, axis=0), (x.dtype, 'int32'))]"
        => |x: i32<2>(9, 2, 3)| stats::mode(x, 0);
    "scipy.stats.rankdata": "stats.rankdata(x, 'average', axis=1).astype('float32')"
        => |x: i32<2>(3, 9, 2)| stats::rankdata(x, RankMethod::Average, 1);
    "scipy.stats.rankdata": "stats.rankdata(x, 'min', axis=1).astype('float32')"
        => |x: i32<2>(3, 9, 2)| stats::rankdata(x, RankMethod::Min, 1);
    "scipy.stats.rankdata": "stats.rankdata(x, 'max', axis=1).astype('float32')"
        => |x: i32<2>(3, 9, 2)| stats::rankdata(x, RankMethod::Max, 1);
    "scipy.stats.rankdata": "stats.rankdata(x, 'dense', axis=1).astype('float32')"
        => |x: i32<2>(3, 9, 2)| stats::rankdata(x, RankMethod::Dense, 1);
    "scipy.stats.rankdata": "stats.rankdata(x, 'ordinal', axis=1).astype('float32')"
        => |x: i32<2>(3, 9, 2)| stats::rankdata(x, RankMethod::Ordinal, 1);
    "scipy.stats.rankdata": "stats.rankdata(x).astype('float32')"
        => |x: f32(9)| stats::rankdata(x, RankMethod::Average, 0);
    "scipy.stats.sem": "stats.sem(x, axis=1)"
        => |x: wide(3, 9)| stats::sem(x, 1, 1);
    "scipy.stats.sem": "stats.sem(x, axis=0, ddof=0)"
        => |x: wide(3, 9)| stats::sem(x, 0, 0);
}
