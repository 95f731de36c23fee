use std::cmp::Ordering;

use jarrah_base::{DType, Element, ElementKind, Error, Literal, Result, with_element};
use jarrah_hlo::ops::{Compare, Comparison, ElementwiseKind};

use crate::copy::with_width;
use crate::functions::{ScalarFunction, values};
use crate::number::{Numbers, next_after};

/// `kind` applied to tensors of one type.
pub fn elementwise(kind: ElementwiseKind, operands: &[Literal]) -> Result<Literal> {
    let ty = operands[0].ty();
    let dtype = ty.dtype();
    let x = &operands[0];
    let second = || operands.get(1).ok_or_else(|| Error::internal("one operand is missing"));
    let undefined = || undefined(kind, dtype);
    if kind == ElementwiseKind::NextAfter {
        let mut out = x.clone();
        with_element!(dtype, T => {
            let pairs = out.as_mut_slice::<T>()?.iter_mut().zip(second()?.as_slice::<T>()?);
            pairs.for_each(|(x, &y)| *x = next_after(*x, y));
        });
        return Ok(out);
    }
    match dtype.kind() {
        ElementKind::Bool => {
            let values = match values(kind).bools.ok_or_else(undefined)? {
                ScalarFunction::Unary(f) => unary(x.to_i128_vec(), |x| f(x != 0).into()),
                ScalarFunction::Binary(f) => {
                    binary(x.to_i128_vec(), second()?.to_i128_vec(), |x, y| f(x != 0, y != 0).into())
                }
            };
            Literal::from_i128s(ty, &values)
        }
        ElementKind::Signed | ElementKind::Unsigned => {
            let bits = dtype.bits();
            let values = match values(kind).integers.ok_or_else(undefined)? {
                ScalarFunction::Unary(f) => unary(x.to_i128_vec(), |x| f(x, bits)),
                ScalarFunction::Binary(f) => {
                    binary(x.to_i128_vec(), second()?.to_i128_vec(), |x, y| f(x, y, bits))
                }
            };
            Literal::from_i128s(ty, &values)
        }
        ElementKind::Float => {
            let values = match values(kind).floats.ok_or_else(undefined)? {
                ScalarFunction::Unary(f) => unary(x.to_f64_vec(), f),
                ScalarFunction::Binary(f) => binary(x.to_f64_vec(), second()?.to_f64_vec(), f),
            };
            Literal::from_f64s(ty, &values)
        }
        ElementKind::Complex => {
            let values = match values(kind).complexes.ok_or_else(undefined)? {
                ScalarFunction::Unary(f) => unary(x.to_c128_vec(), f),
                ScalarFunction::Binary(f) => binary(x.to_c128_vec(), second()?.to_c128_vec(), f),
            };
            let to = if kind == ElementwiseKind::Abs { dtype.real() } else { dtype };
            Literal::from_c128s(ty.with_dtype(to), &values)
        }
    }
}

fn undefined(kind: ElementwiseKind, dtype: DType) -> Error {
    Error::program(format!("{} is not defined for {dtype}", kind.name()))
}

fn unary<T: Copy>(mut x: Vec<T>, f: impl Fn(T) -> T) -> Vec<T> {
    x.iter_mut().for_each(|x| *x = f(*x));
    x
}

fn binary<T: Copy>(mut x: Vec<T>, y: Vec<T>, f: impl Fn(T, T) -> T) -> Vec<T> {
    x.iter_mut().zip(y).for_each(|(x, y)| *x = f(*x, y));
    x
}

/// `op` as a combination of two numbers of an element type: what scatters and folds need.
pub fn combination<T: Element>(kind: ElementwiseKind, dtype: DType) -> Option<impl Fn(T, T) -> T> {
    let bits = dtype.bits();
    let (mut on_bools, mut on_integers, mut on_floats, mut on_complexes) = (None, None, None, None);
    match dtype.kind() {
        ElementKind::Bool => match values(kind).bools? {
            ScalarFunction::Binary(f) => on_bools = Some(f),
            ScalarFunction::Unary(_) => return None,
        },
        ElementKind::Signed | ElementKind::Unsigned => match values(kind).integers? {
            ScalarFunction::Binary(f) => on_integers = Some(f),
            ScalarFunction::Unary(_) => return None,
        },
        ElementKind::Float => match values(kind).floats? {
            ScalarFunction::Binary(f) => on_floats = Some(f),
            ScalarFunction::Unary(_) => return None,
        },
        ElementKind::Complex => match values(kind).complexes? {
            ScalarFunction::Binary(f) => on_complexes = Some(f),
            ScalarFunction::Unary(_) => return None,
        },
    }
    Some(move |x: T, y: T| {
        if let Some(f) = on_floats {
            Element::from_f64(f(x.to_f64(), y.to_f64()))
        } else if let Some(f) = on_integers {
            T::from_i128(f(x.to_i128(), y.to_i128(), bits))
        } else if let Some(f) = on_complexes {
            T::from_c128(f(x.to_c128(), y.to_c128()))
        } else if let Some(f) = on_bools {
            T::from_i128(f(x.to_i128() != 0, y.to_i128() != 0).into())
        } else {
            x
        }
    })
}

/// Whether `op` holds between `x` and `y`.
pub fn compare(op: &Compare, x: &Literal, y: &Literal) -> Result<Literal> {
    let ty = x.ty().with_dtype(DType::Bool);
    let (x, y) = (Numbers::of(x), Numbers::of(y));
    let order = |i| if op.total_order { x.total_order(i, &y, i) } else { x.order(i, &y, i) };
    let values: Vec<i128> = (0..ty.elements()?).map(|i| holds(op.comparison, order(i)).into()).collect();
    Literal::from_i128s(ty, &values)
}

/// Whether numbers in this order compare so; NaN has none.
pub fn holds(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Gt => order == Some(Ordering::Greater),
        Comparison::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// `on_true` where `predicate` holds, elsewhere `on_false`.
pub fn select(predicate: &Literal, on_true: &Literal, on_false: &Literal) -> Result<Literal> {
    let mut out = on_false.clone();
    let predicate = predicate.as_slice::<u8>()?;
    with_width!(out.dtype().size(), N => {
        let chosen = on_true.bytes().as_chunks::<N>().0;
        for ((out, &p), &x) in out.bytes_mut().as_chunks_mut::<N>().0.iter_mut().zip(predicate).zip(chosen) {
            if p != 0 {
                *out = x;
            }
        }
    });
    Ok(out)
}

/// `min(max(x, low), high)`; NaN wins.
pub fn clamp(low: &Literal, x: &Literal, high: &Literal) -> Result<Literal> {
    let raised = elementwise(ElementwiseKind::Maximum, &[x.clone(), low.clone()])?;
    elementwise(ElementwiseKind::Minimum, &[raised, high.clone()])
}
