use std::fmt;

use jarrah_base::{DType, ElementKind, Error, Literal, Location, Type, c64, c128};

use crate::array::Array;
use crate::error::{fail, with_context};

/// A Rust number used with arrays: it has a kind, but takes its dtype from the arrays, as a Python number does in JAX.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A truth value; by itself a `bool`.
    Bool(bool),
    /// An integer; by itself an `i32`.
    Integer(i128),
    /// A float; by itself an `f32`.
    Float(f64),
    /// A complex number; by itself a `c64`.
    Complex(c128),
}

macro_rules! numbers {
    ($($variant:ident: $($t:ty),*;)*) => {$($(
        impl From<$t> for Number {
            fn from(x: $t) -> Number {
                Number::$variant(x.into())
            }
        }
    )*)*};
}
numbers! {
    Bool: bool;
    Integer: i8, i16, i32, i64, u8, u16, u32, u64;
    Float: f32, f64;
    Complex: c128;
}
impl From<isize> for Number {
    fn from(x: isize) -> Number {
        Number::Integer(x as i128)
    }
}
impl From<usize> for Number {
    fn from(x: usize) -> Number {
        Number::Integer(x as i128)
    }
}
impl From<c64> for Number {
    fn from(x: c64) -> Number {
        Number::Complex(c128::new(x.re.into(), x.im.into()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Bool(x) => write!(f, "{x}"),
            Number::Integer(x) => write!(f, "{x}"),
            Number::Float(x) => write!(f, "{x:?}"),
            Number::Complex(x) => write!(f, "{x}"),
        }
    }
}

impl Number {
    /// The dtype of this number by itself.
    pub(crate) fn dtype(self) -> DType {
        match self {
            Number::Bool(_) => DType::Bool,
            Number::Integer(_) => DType::I32,
            Number::Float(_) => DType::F32,
            Number::Complex(_) => DType::C64,
        }
    }

    /// The dtype that this number has beside an array of dtype `other`: `other` if it has values of the number's kind, else the
    /// default dtype of the kind.
    pub(crate) fn dtype_beside(self, other: DType) -> DType {
        match (self, other.kind()) {
            (Number::Complex(_), ElementKind::Float) if other == DType::F64 => DType::C128,
            (Number::Bool(_), _)
            | (Number::Integer(_), ElementKind::Signed | ElementKind::Unsigned)
            | (Number::Integer(_) | Number::Float(_), ElementKind::Float)
            | (_, ElementKind::Complex) => other,
            (Number::Integer(_), ElementKind::Bool)
            | (Number::Float(_), ElementKind::Bool | ElementKind::Signed | ElementKind::Unsigned)
            | (Number::Complex(_), _) => self.dtype(),
        }
    }

    /// This number as a scalar of `dtype`.
    ///
    /// A conversion to a float rounds, one to a truth value compares with 0, and one from a float to an integer drops the
    /// fraction. `None` for an integer that is out of range, and for a complex number if `dtype` is neither complex nor `bool`.
    pub(crate) fn literal(self, dtype: DType) -> Option<Literal> {
        let ty = Type::scalar(dtype);
        let literal = match (self, dtype.kind()) {
            (Number::Bool(x), _) => Literal::from_i128s(ty, &[x.into()]),
            (Number::Integer(x), ElementKind::Bool) => Literal::from_i128s(ty, &[(x != 0).into()]),
            (Number::Float(x), ElementKind::Bool) => Literal::from_i128s(ty, &[(x != 0.0).into()]),
            (Number::Complex(x), ElementKind::Bool) => {
                Literal::from_i128s(ty, &[(x != c128::new(0.0, 0.0)).into()])
            }
            (Number::Integer(x), ElementKind::Signed | ElementKind::Unsigned) => {
                let (lowest, highest) = dtype.integer_range()?;
                let inside = (lowest..=highest).contains(&x);
                return inside.then(|| Literal::from_i128s(ty, &[x]).ok()).flatten();
            }
            (Number::Float(x), ElementKind::Signed | ElementKind::Unsigned) => {
                // The conversion saturates far outside of every integer type.
                return if x.is_nan() { None } else { Number::Integer(x as i128).literal(dtype) };
            }
            (Number::Integer(x), ElementKind::Float | ElementKind::Complex) => Literal::from_i128s(ty, &[x]),
            (Number::Float(x), ElementKind::Float | ElementKind::Complex) => Literal::full(ty, x),
            (Number::Complex(x), ElementKind::Complex) => Literal::full_c128(ty, x),
            (Number::Complex(_), ElementKind::Signed | ElementKind::Unsigned | ElementKind::Float) => {
                return None;
            }
        };
        literal.ok()
    }

    /// As [`Number::literal`]; a number that does not fit `dtype` is a program error of `op`.
    #[track_caller]
    pub(crate) fn fit(self, op: &str, dtype: DType) -> Literal {
        let Some(literal) = self.literal(dtype) else {
            let error = Error::program(format!("the number {self} does not fit {dtype}"));
            let error = error.op(op).at(Location::caller());
            fail(with_context(match dtype.integer_range() {
                Some((lowest, highest)) => {
                    error.help(format!("{dtype} goes from {lowest} to {highest}: use a wider dtype"))
                }
                None => error.help("use a complex dtype"),
            }))
        };
        literal
    }

    /// This number as a float; of a complex one the real part.
    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Bool(x) => f64::from(u8::from(x)),
            Number::Integer(x) => x as f64,
            Number::Float(x) => x,
            Number::Complex(x) => x.re,
        }
    }

    /// This number as a scalar of the dtype of `x`.
    #[track_caller]
    pub(crate) fn like(self, x: &Array) -> Array {
        Array::constant(self.fit("number", x.dtype()))
    }
}
