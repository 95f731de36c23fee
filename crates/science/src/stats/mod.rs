//! Probability distributions, a module for each, and functions of samples.
//!
//! `x` is where a function is taken; `loc` and `scale` move and stretch a continuous distribution, `loc` moves a discrete one.
//! All arguments broadcast, and parameters may be numbers. Outside of a distribution's support the density is 0.
//! Arguments that do not broadcast are a program error.
//!
//! ```
//! use jarrah_array::{Array, DType};
//! use jarrah_science::stats;
//! let x = Array::from_slice(&[-1.0f64, 3.0]);
//! let p = stats::norm::cdf(&x, 3, 2).to_vec::<f64>()?;
//! assert!((p[0] - 0.02275013194817921).abs() < 1e-15 && p[1] == 0.5);
//! assert_eq!(stats::expon::logpdf(&x, 0, 1).to_vec::<f64>()?, [f64::NEG_INFINITY, -3.0]);
//! assert_eq!(stats::expon::pdf(&Array::scalar_in(0.0, DType::F64), 0, 1).item::<f64>()?, 1.0);
//! assert_eq!(stats::norm::ppf(&Array::scalar_in(0.5, DType::F64), 3, 2).item::<f64>()?, 3.0);
//! // How often a coin falls until the first head.
//! let throws = Array::from_slice(&[1.0f64, 2.0, 3.0]);
//! assert_eq!(stats::geom::pmf(&throws, 0.5, 0).round_to(9).to_vec::<f64>()?, [0.5, 0.25, 0.125]);
//! assert_eq!(stats::geom::logpmf(&throws, 0.5, 1).index(0).item::<f64>()?, f64::NEG_INFINITY);
//! let log = stats::poisson::logpmf(&Array::arange(40.0).astype(jarrah_array::DType::F64), 2, 0);
//! let entropy = stats::poisson::entropy(&Array::scalar_in(2.0, DType::F64)) + (log.exp() * &log).sum(..);
//! assert!(entropy.item::<f64>()?.abs() < 1e-12);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod continuous;
mod discrete;
mod kde;
mod multivariate;
mod samples;

use jarrah_array::library::align_inexact;
use jarrah_array::{Array, IntoOperand, Operand};

pub use continuous::{
    beta, cauchy, chi2, expon, gamma, gennorm, gumbel_l, gumbel_r, laplace, logistic, norm, pareto, t,
    truncnorm, uniform, vonmises, wrapcauchy,
};
pub use discrete::{bernoulli, betabinom, binom, geom, nbinom, poisson};
pub use kde::{Bandwidth, GaussianKde};
pub use multivariate::{dirichlet, multinomial, multivariate_normal};
pub use samples::{RankMethod, mode, rankdata, sem};

/// `x` and the other operands as floats of one type and shape.
#[track_caller]
fn common<const N: usize>(op: &str, x: impl IntoOperand, others: [Operand; N]) -> (Array, [Array; N]) {
    let (mut x, _) = align_inexact(op, x.into_operand(), Operand::Number(jarrah_array::Number::Bool(false)));
    for other in &others {
        x = align_inexact(op, Operand::Array(x), other.clone()).0;
    }
    let mut aligned = std::array::from_fn(|_| x.clone());
    for (slot, other) in aligned.iter_mut().zip(others) {
        *slot = align_inexact(op, Operand::Array(x.clone()), other).1;
    }
    (x, aligned)
}

/// The functions of distributions: rows of a function's kind, what the standardised argument is called, and the value
/// there. `logpdf` brings `pdf` with it, and takes the scale into account; `ppf` and `isf` are those of the standard
/// distribution.
macro_rules! distributions {
    ($($(#[doc = $doc:literal])* $name:ident $parameters:tt {
        $($kind:ident: |$z:ident| $body:expr;)*
    })*) => {$(
        $(#[doc = $doc])*
        pub mod $name {
            #[allow(unused_imports, reason = "not each distribution needs them all")]
            use super::*;

            $($crate::stats::function! { $name $kind $parameters $z $body })*
        }
    )*};
}

/// One function of a distribution: see [`distributions`].
macro_rules! function {
    ($name:ident logpdf ($($p:ident),*) $z:ident $body:expr) => {
        /// The logarithm of the density at `x`.
        #[track_caller]
        pub fn logpdf(x: &Array, $($p: impl IntoOperand,)* loc: impl IntoOperand, scale: impl IntoOperand) -> Array {
            let (x, [$($p,)* loc, scale]) = common(
                concat!(stringify!($name), ".logpdf"),
                x,
                [$($p.into_operand(),)* loc.into_operand(), scale.into_operand()],
            );
            let $z = &((x - loc) / &scale);
            let log = $body;
            log - scale.log()
        }

        /// The density at `x`.
        #[track_caller]
        pub fn pdf(x: &Array, $($p: impl IntoOperand,)* loc: impl IntoOperand, scale: impl IntoOperand) -> Array {
            logpdf(x, $($p,)* loc, scale).exp()
        }
    };
    ($name:ident cdf $($rest:tt)*) => {
        $crate::stats::function! {
            @standard $name cdf "The distribution function: the probability of numbers up to `x`." $($rest)*
        }
    };
    ($name:ident logcdf $($rest:tt)*) => {
        $crate::stats::function! { @standard $name logcdf "The logarithm of the distribution function." $($rest)* }
    };
    ($name:ident sf $($rest:tt)*) => {
        $crate::stats::function! {
            @standard $name sf "The survival function: the probability of numbers above `x`." $($rest)*
        }
    };
    ($name:ident logsf $($rest:tt)*) => {
        $crate::stats::function! { @standard $name logsf "The logarithm of the survival function." $($rest)* }
    };
    ($name:ident ppf $($rest:tt)*) => {
        $crate::stats::function! {
            @quantile $name ppf "The quantile function, the inverse of the distribution function; NaN outside of [0, 1]."
            $($rest)*
        }
    };
    ($name:ident isf $($rest:tt)*) => {
        $crate::stats::function! {
            @quantile $name isf "The inverse of the survival function; NaN outside of [0, 1]." $($rest)*
        }
    };
    (@standard $name:ident $function:ident $doc:literal ($($p:ident),*) $z:ident $body:expr) => {
        #[doc = $doc]
        #[track_caller]
        pub fn $function(
            x: &Array,
            $($p: impl IntoOperand,)*
            loc: impl IntoOperand,
            scale: impl IntoOperand,
        ) -> Array {
            let (x, [$($p,)* loc, scale]) = common(
                concat!(stringify!($name), ".", stringify!($function)),
                x,
                [$($p.into_operand(),)* loc.into_operand(), scale.into_operand()],
            );
            let $z = &((x - loc) / scale);
            $body
        }
    };
    (@quantile $name:ident $function:ident $doc:literal ($($p:ident),*) $q:ident $body:expr) => {
        #[doc = $doc]
        #[track_caller]
        pub fn $function(
            q: &Array,
            $($p: impl IntoOperand,)*
            loc: impl IntoOperand,
            scale: impl IntoOperand,
        ) -> Array {
            let (q, [$($p,)* loc, scale]) = common(
                concat!(stringify!($name), ".", stringify!($function)),
                q,
                [$($p.into_operand(),)* loc.into_operand(), scale.into_operand()],
            );
            let outside = q.lt(0) | q.gt(1);
            let $q = &where_(&outside, 0.5, q);
            where_(&outside, f64::NAN, $body * scale + loc)
        }
    };
    // Distributions on a circle are neither moved nor stretched.
    ($name:ident circular ($($p:ident),*) $x:ident $body:expr) => {
        /// The logarithm of the density at `x`.
        #[track_caller]
        pub fn logpdf(x: &Array, $($p: impl IntoOperand),*) -> Array {
            let ($x, [$($p),*]) = common(concat!(stringify!($name), ".logpdf"), x, [$($p.into_operand()),*]);
            let $x = &$x;
            $body
        }

        /// The density at `x`.
        #[track_caller]
        pub fn pdf(x: &Array, $($p: impl IntoOperand),*) -> Array {
            logpdf(x, $($p),*).exp()
        }
    };
    ($name:ident logpmf ($($p:ident),*) $k:ident $body:expr) => {
        /// The logarithm of the probability of `k`.
        #[track_caller]
        pub fn logpmf(k: &Array, $($p: impl IntoOperand,)* loc: impl IntoOperand) -> Array {
            let (k, [$($p,)* loc]) =
                common(concat!(stringify!($name), ".logpmf"), k, [$($p.into_operand(),)* loc.into_operand()]);
            let $k = &(k - loc);
            $body
        }

        /// The probability of `k`.
        #[track_caller]
        pub fn pmf(k: &Array, $($p: impl IntoOperand,)* loc: impl IntoOperand) -> Array {
            logpmf(k, $($p,)* loc).exp()
        }
    };
    ($name:ident entropy ($p:ident) $z:ident $body:expr) => {
        /// The entropy, in units of `e`.
        #[track_caller]
        pub fn entropy($p: &Array) -> Array {
            let $z = &$p.inexact();
            $body
        }
    };
    ($name:ident quantile ($p:ident) $q:ident $body:expr) => {
        /// The quantile function, the smallest number whose distribution function is `q` at least; NaN outside of [0, 1].
        #[track_caller]
        pub fn ppf(q: &Array, $p: impl IntoOperand) -> Array {
            let (q, [$p]) = common(concat!(stringify!($name), ".ppf"), q, [$p.into_operand()]);
            let outside = q.lt(0) | q.gt(1);
            let $q = &q;
            where_(&outside, f64::NAN, $body)
        }
    };
    ($name:ident sum ($($p:ident),*) $k:ident $body:expr) => {
        /// The distribution function: the probability of numbers up to `k`.
        #[track_caller]
        pub fn cdf(k: &Array, $($p: impl IntoOperand,)* loc: impl IntoOperand) -> Array {
            let (k, [$($p,)* loc]) =
                common(concat!(stringify!($name), ".cdf"), k, [$($p.into_operand(),)* loc.into_operand()]);
            let $k = &(k - loc);
            $body
        }
    };
}
use {distributions, function};
