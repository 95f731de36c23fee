//! Arithmetic operators between arrays, and between arrays and Rust numbers.
//!
//! Arrays are promoted to a common dtype and broadcast to a common shape as in NumPy. A Rust number takes the dtype of the array,
//! unless that dtype has no values of its kind: a float beside an integer array makes the result `f32`.

use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Neg, Not, Rem, RemAssign, Sub, SubAssign,
};

use jarrah_base::{DType, ElementKind, Error, Location, c64, c128};
use jarrah_hlo::ops::{Compare, Comparison, Elementwise, ElementwiseKind};

use crate::array::{Array, here};
use crate::eager;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::number::Number;
use crate::ranks;
use crate::trace::{apply_one, is_tracing};

/// An operand of an elementwise function: an array, or a number that takes its dtype from the other operand.
#[derive(Clone, Debug)]
pub enum Operand {
    /// An array.
    Array(Array),
    /// A number.
    Number(Number),
}

/// The second operand of an elementwise function: an array or a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an array nor a number",
    label = "neither an array nor a number",
    note = "beside an array stands an `Array`, a `&Array`, or a number: `bool`, an integer, `f32`, `f64` or a complex number",
    note = "`Array::from_slice` makes an array of a slice or a vector"
)]
pub trait IntoOperand {
    /// The operand.
    fn into_operand(self) -> Operand;
}

impl IntoOperand for Operand {
    fn into_operand(self) -> Operand {
        self
    }
}
impl IntoOperand for Array {
    fn into_operand(self) -> Operand {
        Operand::Array(self)
    }
}
impl IntoOperand for &Array {
    fn into_operand(self) -> Operand {
        Operand::Array(self.clone())
    }
}

macro_rules! numbers {
    ($($t:ty)*) => {$(
        impl IntoOperand for $t {
            fn into_operand(self) -> Operand {
                Operand::Number(self.into())
            }
        }
    )*};
}
numbers! { Number bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 c64 c128 }

/// The common dtype of two arrays, as in JAX with 64-bit types enabled: the wider one of a kind; complex numbers before floats
/// before integers before truth values; `f64` if no integer type can represent both.
///
/// ```
/// use jarrah_array::{DType, promote_types};
/// assert_eq!(promote_types(DType::I8, DType::U8), DType::I16);
/// assert_eq!(promote_types(DType::C64, DType::F64), DType::C128);
/// ```
pub fn promote_types(a: DType, b: DType) -> DType {
    use ElementKind::*;
    if a == b {
        return a;
    }
    let wide = if a.bits() >= b.bits() { a } else { b };
    match (a.kind(), b.kind()) {
        (Bool, _) => b,
        (_, Bool) => a,
        (Complex, _) | (_, Complex) => {
            let double = [a, b].iter().any(|d| matches!(d, DType::C128 | DType::F64));
            if double { DType::C128 } else { DType::C64 }
        }
        // Two different narrow floats have no narrow float that holds the values of both.
        (Float, Float) if a.bits() == b.bits() || wide.bits() < 16 => DType::F32,
        (Float, Float) | (Signed, Signed) | (Unsigned, Unsigned) => wide,
        (Float, _) => a,
        (_, Float) => b,
        (Signed, Unsigned) => signed_over(a, b),
        (Unsigned, Signed) => signed_over(b, a),
    }
}

fn signed_over(signed: DType, unsigned: DType) -> DType {
    if signed.bits() > unsigned.bits() {
        return signed;
    }
    match unsigned.bits() {
        2 => DType::I4,
        4 => DType::I8,
        8 => DType::I16,
        16 => DType::I32,
        32 => DType::I64,
        _ => DType::F64,
    }
}

/// The dtype in which a function of floats takes numbers of `dtype`: floats and complex numbers as they are, integers
/// of 64 bits as `f64`, others and truth values as `f32`.
pub(crate) fn inexact_type(dtype: DType) -> DType {
    match dtype.kind() {
        ElementKind::Float | ElementKind::Complex => dtype,
        ElementKind::Signed | ElementKind::Unsigned if dtype.bits() == 64 => DType::F64,
        ElementKind::Bool | ElementKind::Signed | ElementKind::Unsigned => DType::F32,
    }
}

impl Operand {
    /// This operand as an array; a number gets the dtype that it has beside `x`.
    #[track_caller]
    pub(crate) fn beside(self, x: &Array) -> Array {
        match self {
            Operand::Array(a) => a,
            Operand::Number(n) => Array::constant(n.fit("number", n.dtype_beside(x.dtype()))),
        }
    }

    #[track_caller]
    fn into_array(self, op: &str, dtype: DType) -> Array {
        match self {
            Operand::Array(a) => a.astype(dtype),
            Operand::Number(n) => Array::constant(n.fit(op, dtype)),
        }
    }
}

/// A number as an array to combine with `x`: of the shape of `x` if `x` is concrete, else a scalar, in the dtype of `x` in either
/// case.
#[track_caller]
fn repeated(op: &str, number: Number, x: &Array) -> Array {
    let concrete = || if is_tracing() { None } else { x.node() };
    match concrete().and_then(|node| eager::repeated(number, node.ty(), here())) {
        Some(node) => Array::from_node(node),
        None => Array::constant(number.fit(op, x.dtype())),
    }
}

/// Both operands converted to a common dtype and broadcast to a common shape.
#[track_caller]
pub(crate) fn align(op: &str, a: Operand, b: Operand) -> (Array, Array) {
    let dtype = match (&a, &b) {
        (Operand::Array(a), Operand::Array(b)) => promote_types(a.dtype(), b.dtype()),
        (Operand::Array(a), Operand::Number(n)) | (Operand::Number(n), Operand::Array(a)) => {
            n.dtype_beside(a.dtype())
        }
        (Operand::Number(m), Operand::Number(n)) => promote_types(m.dtype(), n.dtype()),
    };
    let (a, b) = match (a, b) {
        (Operand::Array(a), Operand::Number(n)) => {
            let a = a.astype(dtype);
            let b = repeated(op, n, &a);
            (a, b)
        }
        (Operand::Number(n), Operand::Array(b)) => {
            let b = b.astype(dtype);
            (repeated(op, n, &b), b)
        }
        (a, b) => (a.into_array(op, dtype), b.into_array(op, dtype)),
    };
    if a.ty().dims() == b.ty().dims() {
        return (a, b);
    }
    ranks::check(op, &a, &b);
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

/// The shape that two shapes broadcast to, aligned at the last axis; `None` if they do not broadcast.
///
/// ```
/// use jarrah_array::broadcast_shapes;
/// assert_eq!(broadcast_shapes(&[4, 1, 3], &[2, 1]), Some(vec![4, 2, 3]));
/// assert_eq!(broadcast_shapes(&[4], &[3]), None);
/// ```
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
pub(crate) fn binary(kind: ElementwiseKind, a: impl IntoOperand, b: impl IntoOperand) -> Array {
    let (a, b) = align(kind.name(), a.into_operand(), b.into_operand());
    apply_one(Elementwise { kind }, &[&a, &b])
}

#[track_caller]
pub(crate) fn compare(comparison: Comparison, a: impl IntoOperand, b: impl IntoOperand) -> Array {
    let (a, b) = align("compare", a.into_operand(), b.into_operand());
    apply_one(Compare { comparison, total_order: false }, &[&a, &b])
}

/// As [`align`], with truth values as `i32`.
#[track_caller]
pub(crate) fn align_numbers(op: &str, a: Operand, b: Operand) -> (Array, Array) {
    let (a, b) = align(op, a, b);
    if a.dtype() == DType::Bool { (a.astype(DType::I32), b.astype(DType::I32)) } else { (a, b) }
}

/// Both operands converted to a common dtype of floats or complex numbers, and broadcast to a common shape.
///
/// # Errors
///
/// A program error of `op` if the shapes do not broadcast.
///
/// ```
/// use jarrah_array::{Array, DType, IntoOperand, library};
/// let x = Array::from_slice(&[1i32, 2]);
/// let (x, y) = library::align_inexact("hypot", x.into_operand(), 0.5.into_operand());
/// assert_eq!((x.dtype(), y.dtype(), y.shape().to_vec()), (DType::F32, DType::F32, vec![2]));
/// ```
#[track_caller]
pub fn align_inexact(op: &str, a: Operand, b: Operand) -> (Array, Array) {
    let (a, b) = align(op, a, b);
    (a.inexact(), b.inexact())
}

/// Integers divide as floats do, as in NumPy.
#[track_caller]
pub(crate) fn true_divide(a: Operand, b: Operand) -> Array {
    let (a, b) = align_inexact("divide", a, b);
    apply_one(Elementwise { kind: ElementwiseKind::Divide }, &[&a, &b])
}

/// `x - y floor(x / y)`, with the sign of `y`, as in NumPy; integers modulo 0 give 0.
#[track_caller]
pub(crate) fn floor_remainder(x: Operand, y: Operand) -> Array {
    let (x, y) = align_numbers("remainder", x, y);
    let y = if x.dtype().is_integer() { where_(&compare(Comparison::Eq, &y, 0), 1, &y) } else { y };
    let remainder = apply_one(Elementwise { kind: ElementwiseKind::Remainder }, &[&x, &y]);
    if x.dtype().kind() == ElementKind::Unsigned {
        return remainder;
    }
    let negative = |x: &Array| compare(Comparison::Lt, x, 0);
    let opposed = negative(&remainder) ^ negative(&y);
    where_(&(opposed & compare(Comparison::Ne, &remainder, 0)), &remainder + &y, &remainder)
}

/// Implements an operator with an array on the left and any operand on the right, and with each of the listed number types on the
/// left.
///
/// On the right one generic implementation is used, so that a literal takes the default type of its kind. On the left each number
/// type needs its own implementation, so only one type of each kind is listed: with two, a literal would be ambiguous.
macro_rules! operator {
    ($trait:ident $method:ident $f:expr $(; $($number:ty),*)?) => {
        impl<T: IntoOperand> $trait<T> for &Array {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: T) -> Array {
                $f(self.into_operand(), other.into_operand())
            }
        }
        impl<T: IntoOperand> $trait<T> for Array {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: T) -> Array {
                $f(self.into_operand(), other.into_operand())
            }
        }
        $($(
            operator!(@ $number, &Array, $trait, $method, $f);
            operator!(@ $number, Array, $trait, $method, $f);
        )*)?
    };
    (@ $a:ty, $b:ty, $trait:ident, $method:ident, $f:expr) => {
        impl $trait<$b> for $a {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: $b) -> Array {
                $f(self.into_operand(), other.into_operand())
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
        operator!($trait $method $method; f64, i64, c64, c128);
    )*};
}
arithmetic!(Add add Add, Sub sub Subtract, Mul mul Multiply);
operator!(Div div true_divide; f64, i64, c64, c128);
operator!(Rem rem floor_remainder; f64, i64);

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

/// `x += y` is `x = &x + y`: no array changes, so that other handles keep the old one, and the dtype is that of the sum.
macro_rules! assign {
    ($($trait:ident $method:ident $operator:tt),*) => {$(
        impl<T: IntoOperand> $trait<T> for Array {
            #[track_caller]
            fn $method(&mut self, other: T) {
                *self = &*self $operator other;
            }
        }
    )*};
}
assign!(AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *, DivAssign div_assign /, RemAssign rem_assign %);
assign!(BitAndAssign bitand_assign &, BitOrAssign bitor_assign |, BitXorAssign bitxor_assign ^);

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
