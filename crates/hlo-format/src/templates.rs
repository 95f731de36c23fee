//! The regions by which StableHLO says what an enumerator says here: printed as they stand, recognised when parsed.

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_hlo::ops::{Compare, Comparison, ElementwiseKind, Reducer};
use jarrah_hlo::{Builder, Program, Value};

/// The elementwise function that a reducer folds with; `None` if the reducer is no such function.
pub(crate) fn fold(reducer: &Reducer) -> Option<ElementwiseKind> {
    match reducer {
        Reducer::Add => Some(ElementwiseKind::Add),
        Reducer::Mul => Some(ElementwiseKind::Multiply),
        Reducer::Max => Some(ElementwiseKind::Maximum),
        Reducer::Min => Some(ElementwiseKind::Minimum),
        Reducer::And => Some(ElementwiseKind::And),
        Reducer::Or => Some(ElementwiseKind::Or),
        Reducer::Xor => Some(ElementwiseKind::Xor),
        Reducer::ArgMax(_) | Reducer::ArgMin(_) | Reducer::General(_) => None,
    }
}

/// The reducer that folds with an elementwise function.
pub(crate) fn reducer(kind: ElementwiseKind) -> Option<Reducer> {
    match kind {
        ElementwiseKind::Add => Some(Reducer::Add),
        ElementwiseKind::Multiply => Some(Reducer::Mul),
        ElementwiseKind::Maximum => Some(Reducer::Max),
        ElementwiseKind::Minimum => Some(Reducer::Min),
        ElementwiseKind::And => Some(Reducer::And),
        ElementwiseKind::Or => Some(Reducer::Or),
        ElementwiseKind::Xor => Some(Reducer::Xor),
        _ => None,
    }
}

/// The scalar that changes nothing when it is folded in.
pub(crate) fn identity(kind: ElementwiseKind, dtype: DType) -> Result<Literal> {
    match reducer(kind) {
        Some(reducer) => reducer.identity(dtype),
        None => Err(Error::internal(format!("{} folds nothing", kind.name()))),
    }
}

/// `(a, b) -> kind(a, b)` on scalars.
pub(crate) fn binary(kind: ElementwiseKind, dtype: DType) -> Result<Program> {
    let mut b = Builder::new("reducer");
    let (x, y) = (b.param(Type::scalar(dtype), ""), b.param(Type::scalar(dtype), ""));
    let out = b.binary(kind, x, y)?;
    b.finish(&[out])
}

/// The second of two scalars.
pub(crate) fn second(dtype: DType) -> Result<Program> {
    let mut b = Builder::new("update");
    b.param(Type::scalar(dtype), "");
    let y = b.param(Type::scalar(dtype), "");
    b.finish(&[y])
}

/// `(value, index, other value, other index)` to the pair with the larger, or the smaller, value; a NaN wins, and of
/// equals the first.
pub(crate) fn arg_reducer(largest: bool, value: DType, index: DType) -> Result<Program> {
    let mut b = Builder::new("reducer");
    let params = [value, index, value, index].map(|d| b.param(Type::scalar(d), ""));
    let [x, i, y, j] = params;
    let better = b.compare(if largest { Comparison::Gt } else { Comparison::Lt }, x, y)?;
    let nan = b.compare(Comparison::Ne, x, x)?;
    let take = b.binary(ElementwiseKind::Or, better, nan)?;
    let equal = b.compare(Comparison::Eq, x, y)?;
    let earlier = b.compare(Comparison::Lt, i, j)?;
    let tie = b.binary(ElementwiseKind::And, equal, earlier)?;
    let take_index = b.binary(ElementwiseKind::Or, take, tie)?;
    let value = b.select(take, x, y)?;
    let index = b.select(take_index, i, j)?;
    b.finish(&[value, index])
}

/// `(a0, b0, a1, b1, ...)` to whether the first `keys` of the `a` come strictly before those of the `b`.
///
/// `a0 < b0 or (a0 == b0 and (a1 < b1 or ...))`, on floats by their total order with `-0` made `0` and every NaN the
/// same positive one.
pub(crate) fn comparator(dtypes: &[DType], keys: usize, descending: bool) -> Result<Program> {
    let mut b = Builder::new("comparator");
    let mut pairs = Vec::new();
    for &dtype in dtypes {
        let x = b.param(Type::scalar(dtype), "");
        pairs.push((x, b.param(Type::scalar(dtype), "")));
    }
    let before = if descending { Comparison::Gt } else { Comparison::Lt };
    let mut result: Option<Value> = None;
    for &(x, y) in pairs[..keys].iter().rev() {
        let total_order = b.ty(x).dtype().is_float();
        let (x, y) = (canonical(&mut b, x)?, canonical(&mut b, y)?);
        let less = b.one(Compare { comparison: before, total_order }, &[x, y])?;
        result = Some(match result {
            None => less,
            Some(rest) => {
                let equal = b.one(Compare { comparison: Comparison::Eq, total_order }, &[x, y])?;
                let rest = b.binary(ElementwiseKind::And, equal, rest)?;
                b.binary(ElementwiseKind::Or, less, rest)?
            }
        });
    }
    b.finish(result.as_slice())
}

fn canonical(b: &mut Builder, x: Value) -> Result<Value> {
    let ty = b.ty(x);
    if !ty.dtype().is_float() {
        return Ok(x);
    }
    let zero = b.constant(Literal::zeros(ty)?)?;
    let is_zero = b.compare(Comparison::Eq, x, zero)?;
    let unsigned = b.select(is_zero, zero, x)?;
    let is_nan = b.compare(Comparison::Ne, x, x)?;
    let nan = b.constant(Literal::full(ty, f64::NAN)?)?;
    b.select(is_nan, nan, unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_an_identity_in_changes_nothing() {
        use ElementwiseKind::{Add, Maximum, Minimum, Multiply};
        for dtype in DType::ALL {
            let one = Literal::full(Type::scalar(dtype), 1.0).expect("a scalar");
            for kind in [Add, Multiply, Maximum, Minimum] {
                let start = identity(kind, dtype).expect("they fold");
                let program = binary(kind, dtype).expect("it folds");
                let found = jarrah_hlo_eval::evaluate(&program, &[start, one.clone()]).expect("it runs");
                assert_eq!(found, std::slice::from_ref(&one), "{} of {dtype}", kind.name());
            }
        }
    }
}
