//! Whether operands of different rank broadcast.

use std::cell::Cell;

use jarrah_base::{Error, Location, report};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::scope::Scoped;

/// How an operation treats two operands of different ranks, neither of them a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RankPromotion {
    /// The shorter shape gets axes in front.
    #[default]
    Allow,
    /// As `Allow`, with a line on the standard error.
    Warn,
    /// Different ranks are an error.
    Raise,
}

thread_local! {
    static PROMOTION: Cell<RankPromotion> = const { Cell::new(RankPromotion::Allow) };
}

/// Calls `f` with this treatment of operands of different rank. Promotion may hide a mistake, since a forgotten axis is easily
/// taken for another.
///
/// ```
/// use jarrah_array::{Array, RankPromotion, numpy_rank_promotion, try_trace};
/// let (rows, bias) = (Array::zeros(&[3, 3]), Array::ones(&[3]));
/// let error = numpy_rank_promotion(RankPromotion::Raise, || try_trace(|| &rows + &bias)).unwrap_err();
/// assert!(error.message().contains("f32[3,3] and f32[3] have different ranks"));
/// ```
pub fn numpy_rank_promotion<R>(promotion: RankPromotion, f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&PROMOTION, promotion);
    f()
}

/// The current treatment of operands of different rank.
pub(crate) fn promotion() -> RankPromotion {
    PROMOTION.get()
}

/// Looks at two operands of an op that are about to broadcast.
#[track_caller]
pub(crate) fn check(op: &str, a: &Array, b: &Array) {
    let promotion = PROMOTION.get();
    let (m, n) = (a.rank(), b.rank());
    if promotion == RankPromotion::Allow || m == n || m == 0 || n == 0 {
        return;
    }
    let message = format!("{} and {} have different ranks", a.ty(), b.ty());
    let at = Location::caller();
    if promotion == RankPromotion::Warn {
        report(format_args!("jarrah: {op} at {at}: {message}"));
        return;
    }
    let help = "give the shorter one axes with expand_dims, or allow it with numpy_rank_promotion";
    fail(with_context(Error::program(message).op(op).at(at).help(help)))
}
