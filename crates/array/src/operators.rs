//! Arithmetic operators between arrays, and between arrays and Rust numbers.
//!
//! Arrays are promoted to a common dtype and broadcast to a common shape as in NumPy. A Rust number takes the dtype of
//! the array, except that a fraction makes an integer array `f32`.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

use jarrah_base::{DType, ElementKind, Error, Literal, Location, Type};
use jarrah_hlo::ops::{Compare, Comparison, Elementwise, ElementwiseKind};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::trace::apply_one;

/// An operand of an elementwise function: an array, or a number that takes its dtype from the other operand.
#[derive(Clone, Debug)]
pub enum Operand {
    /// An array.
    Array(Array),
    /// A whole number.
    Whole(i64),
    /// Any number.
    Number(f64),
}

macro_rules! operand {
    ($($t:ty => $variant:ident as $as:ty),*) => {$(
        impl From<$t> for Operand {
            fn from(x: $t) -> Operand {
                Operand::$variant(x as $as)
            }
        }
    )*};
}
operand!(i32 => Whole as i64, i64 => Whole as i64, u32 => Whole as i64, usize => Whole as i64, f32 => Number as f64, f64 => Number as f64);

impl From<Array> for Operand {
    fn from(x: Array) -> Operand {
        Operand::Array(x)
    }
}
impl From<&Array> for Operand {
    fn from(x: &Array) -> Operand {
        Operand::Array(x.clone())
    }
}

/// The dtype that holds the values of both dtypes, as in JAX: the larger of one kind, floats over integers over truth
/// values.
pub fn promote_types(a: DType, b: DType) -> DType {
    use ElementKind::*;
    if a == b {
        return a;
    }
    let (wide, narrow) = if a.size() >= b.size() { (a, b) } else { (b, a) };
    match (a.kind(), b.kind()) {
        (Bool, _) => b,
        (_, Bool) => a,
        (Complex, _) | (_, Complex) => {
            match a == DType::C128 || b == DType::C128 || wide.real() == DType::F64 {
                true => DType::C128,
                false => DType::C64,
            }
        }
        (Float, Float) if wide.size() == narrow.size() => DType::F32,
        (Float, Float) | (Signed, Signed) | (Unsigned, Unsigned) => wide,
        (Float, _) => a,
        (_, Float) => b,
        (Signed, Unsigned) => signed_over(a, b),
        (Unsigned, Signed) => signed_over(b, a),
    }
}

fn signed_over(signed: DType, unsigned: DType) -> DType {
    if signed.size() > unsigned.size() {
        return signed;
    }
    match unsigned.size() {
        1 => DType::I16,
        2 => DType::I32,
        4 => DType::I64,
        _ => DType::F32,
    }
}

impl Operand {
    /// The dtype of this operand beside an array of dtype `other`, or without one.
    fn dtype_beside(&self, other: Option<DType>) -> DType {
        match (self, other) {
            (Operand::Array(a), Some(other)) => promote_types(a.dtype(), other),
            (Operand::Array(a), None) => a.dtype(),
            (Operand::Whole(_), Some(DType::Bool)) | (Operand::Whole(_), None) => DType::I32,
            (Operand::Whole(_), Some(other)) => other,
            (Operand::Number(_), Some(other)) if other.is_float() => other,
            (Operand::Number(_), _) => DType::F32,
        }
    }

    fn array_dtype(&self) -> Option<DType> {
        match self {
            Operand::Array(a) => Some(a.dtype()),
            _ => None,
        }
    }

    #[track_caller]
    fn into_array(self, dtype: DType) -> Array {
        let number = match self {
            Operand::Array(a) => return a.astype(dtype),
            Operand::Whole(n) => n as f64,
            Operand::Number(x) => x,
        };
        let literal =
            Literal::full(Type::scalar(dtype), number).expect("invariant: a scalar has a known size");
        Array::constant(literal)
    }
}

/// Both operands converted to a common dtype and broadcast to a common shape.
#[track_caller]
pub(crate) fn align(op: &str, a: Operand, b: Operand) -> (Array, Array) {
    let dtype = match (a.array_dtype(), b.array_dtype()) {
        (None, None) => promote_types(a.dtype_beside(None), b.dtype_beside(None)),
        (own, other) if own.is_some() => {
            let mine = a.dtype_beside(None);
            other.map_or_else(|| b.dtype_beside(Some(mine)), |other| promote_types(mine, other))
        }
        (_, other) => a.dtype_beside(other),
    };
    let (a, b) = (a.into_array(dtype), b.into_array(dtype));
    if a.ty().dims() == b.ty().dims() {
        return (a, b);
    }
    let Some(shape) = broadcast_shapes(&a.shape(), &b.shape()) else {
        let error = Error::program(format!("shapes do not broadcast: lhs {}, rhs {}", a.ty(), b.ty()));
        let mut error = error.op(op).at(Location::caller());
        for (array, name) in [(&a, "lhs"), (&b, "rhs")] {
            if let Some(location) = array.source().location {
                error = error.label(location, format!("{name} made"));
            }
        }
        fail(with_context(error).help("align shapes from the last axis; extents must be equal or one"))
    };
    (a.broadcast_to(&shape), b.broadcast_to(&shape))
}

/// The shape that both broadcast to, aligned at the last axis; `None` if there is none.
pub fn broadcast_shapes(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let extent = |shape: &[usize], i: usize| (i + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    let merge = |i| match (extent(a, i), extent(b, i)) {
        (m, n) if m == n => Some(m),
        (1, n) => Some(n),
        (m, 1) => Some(m),
        _ => None,
    };
    (0..rank).map(merge).collect()
}

#[track_caller]
pub(crate) fn binary(kind: ElementwiseKind, a: impl Into<Operand>, b: impl Into<Operand>) -> Array {
    let (a, b) = align(kind.name(), a.into(), b.into());
    apply_one(Elementwise { kind }, &[&a, &b])
}

#[track_caller]
pub(crate) fn compare(comparison: Comparison, a: impl Into<Operand>, b: impl Into<Operand>) -> Array {
    let (a, b) = align("compare", a.into(), b.into());
    apply_one(Compare { comparison, total_order: false }, &[&a, &b])
}

/// Integers divide as floats do, as in NumPy.
#[track_caller]
fn true_divide(a: Operand, b: Operand) -> Array {
    let whole = |x: &Operand| match x {
        Operand::Array(a) => !a.dtype().is_float(),
        Operand::Whole(_) => true,
        Operand::Number(_) => false,
    };
    if whole(&a) && whole(&b) {
        let (a, b) = align("divide", a, b);
        return binary(ElementwiseKind::Divide, a.astype(DType::F32), b.astype(DType::F32));
    }
    binary(ElementwiseKind::Divide, a, b)
}

macro_rules! operator {
    ($trait:ident $method:ident $f:expr) => {
        operator!(@ &Array, &Array, $trait, $method, $f);
        operator!(@ &Array, Array, $trait, $method, $f);
        operator!(@ Array, &Array, $trait, $method, $f);
        operator!(@ Array, Array, $trait, $method, $f);
    };
    ($trait:ident $method:ident $f:expr; $($number:ty),*) => {
        operator!($trait $method $f);
        $(
            operator!(@ &Array, $number, $trait, $method, $f);
            operator!(@ Array, $number, $trait, $method, $f);
            operator!(@ $number, &Array, $trait, $method, $f);
            operator!(@ $number, Array, $trait, $method, $f);
        )*
    };
    (@ $a:ty, $b:ty, $trait:ident, $method:ident, $f:expr) => {
        impl $trait<$b> for $a {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: $b) -> Array {
                $f(self.into(), other.into())
            }
        }
    };
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $kind:ident),*) => {$(
        #[track_caller]
        fn $method(a: Operand, b: Operand) -> Array {
            binary(ElementwiseKind::$kind, a, b)
        }
        operator!($trait $method $method; f64, i64);
    )*};
}
arithmetic!(Add add Add, Sub sub Subtract, Mul mul Multiply, Rem rem Remainder);
operator!(Div div true_divide; f64, i64);

macro_rules! logic {
    ($($trait:ident $method:ident $kind:ident),*) => {$(
        #[track_caller]
        fn $method(a: Operand, b: Operand) -> Array {
            binary(ElementwiseKind::$kind, a, b)
        }
        operator!($trait $method $method);
    )*};
}
logic!(BitAnd bitand And, BitOr bitor Or, BitXor bitxor Xor);

impl Neg for &Array {
    type Output = Array;
    #[track_caller]
    fn neg(self) -> Array {
        apply_one(Elementwise { kind: ElementwiseKind::Negate }, &[self])
    }
}
impl Neg for Array {
    type Output = Array;
    #[track_caller]
    fn neg(self) -> Array {
        -&self
    }
}
impl Not for &Array {
    type Output = Array;
    #[track_caller]
    fn not(self) -> Array {
        apply_one(Elementwise { kind: ElementwiseKind::Not }, &[self])
    }
}
impl Not for Array {
    type Output = Array;
    #[track_caller]
    fn not(self) -> Array {
        !&self
    }
}
