//! Functions of mathematical physics and statistics, element by element; integers and truth values become floats.

mod bessel;
mod boxcox;
mod difference;
mod error;
mod gamma;
mod incomplete;
mod information;
mod integral;
mod sinc;

use jarrah_hlo::ops::{Elementwise, ElementwiseKind};

use crate::array::Array;
use crate::operators::{IntoOperand, align_inexact};
use crate::trace::apply_one;

pub use bessel::{i0, i0e, i1, i1e};
pub use boxcox::{boxcox, boxcox1p};
pub use error::{erf, erfc, erfcx, erfinv, log_ndtr, ndtr, ndtri};
pub use gamma::{
    beta, betaln, comb, digamma, factorial, gamma, gammaln, gammasgn, multigammaln, poch, polygamma, zeta,
};
pub use incomplete::{betainc, gammainc, gammaincc};
pub(crate) use incomplete::{gamma_log_front, gammainc_slope};
pub use information::{entr, expit, kl_div, logit, rel_entr, xlog1py, xlogy};
pub use integral::{dawsn, exp1, expi, spence};
pub(crate) use sinc::sinc;

#[track_caller]
fn unary(kind: ElementwiseKind, x: &Array) -> Array {
    apply_one(Elementwise { kind }, &[&x.inexact()])
}

/// Two operands as floats of one type and shape.
#[track_caller]
fn pair(op: &str, x: impl IntoOperand, y: impl IntoOperand) -> (Array, Array) {
    align_inexact(op, x.into_operand(), y.into_operand())
}

/// The polynomial with these coefficients, that of the highest power first, by Horner's rule.
#[track_caller]
fn polynomial(x: &Array, coefficients: &[f64]) -> Array {
    let Some((&first, rest)) = coefficients.split_first() else { return x.zeros_like() };
    let mut sum = Array::full(&[], first, x.dtype()).broadcast_to(&x.shape());
    for &coefficient in rest {
        sum = sum * x + coefficient;
    }
    sum
}
