//! Functions of each element, or of two elements at the same place.

use jarrah_base::{DType, ElementKind, Error, Location};
use jarrah_hlo::ops::{Comparison, Elementwise, ElementwiseKind, Imag, Real, Select};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::operators::{
    IntoOperand, Operand, align, align_inexact, align_numbers, binary, broadcast_shapes, compare,
};
use crate::trace::apply_one;

macro_rules! unary {
    ($($(#[doc = $doc:literal])* $name:ident $kind:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self) -> Array {
                    self.inexact().unary(ElementwiseKind::$kind)
                }
            )*
        }
    };
}
unary! {
    /// `e^x`.
    exp Exponential,
    /// `e^x - 1`.
    expm1 ExponentialMinusOne,
    /// The natural logarithm.
    log Log,
    /// `ln(1 + x)`.
    log1p LogPlusOne,
    /// `1 / (1 + e^-x)`.
    sigmoid Logistic,
    /// The hyperbolic tangent.
    tanh Tanh,
    /// The square root.
    sqrt Sqrt,
    /// `1 / sqrt(x)`.
    rsqrt Rsqrt,
    /// The cube root.
    cbrt Cbrt,
    /// The sine, of radians.
    sin Sine,
    /// The cosine, of radians.
    cos Cosine,
    /// The tangent, of radians.
    tan Tan,
    /// The error function.
    erf Erf,
    /// The inverse of the error function.
    erf_inv ErfInv,
}

/// Functions that keep integers as they are.
impl Array {
    #[track_caller]
    fn unary(&self, kind: ElementwiseKind) -> Array {
        apply_one(Elementwise { kind }, &[self])
    }

    /// The absolute value, real for complex numbers; the smallest signed integer stays, for lack of its opposite.
    #[track_caller]
    pub fn abs(&self) -> Array {
        match self.dtype().kind() {
            ElementKind::Bool | ElementKind::Unsigned => self.clone(),
            ElementKind::Signed | ElementKind::Float | ElementKind::Complex => {
                self.unary(ElementwiseKind::Abs)
            }
        }
    }

    /// -1, 0 or 1; `z / |z|` of a complex number.
    #[track_caller]
    pub fn sign(&self) -> Array {
        match self.dtype().kind() {
            ElementKind::Unsigned => self.minimum(1),
            ElementKind::Bool | ElementKind::Signed | ElementKind::Float | ElementKind::Complex => {
                self.unary(ElementwiseKind::Sign)
            }
        }
    }

    #[track_caller]
    fn rounded(&self, kind: ElementwiseKind) -> Array {
        match self.dtype().kind() {
            ElementKind::Bool | ElementKind::Signed | ElementKind::Unsigned => self.clone(),
            ElementKind::Float | ElementKind::Complex => self.unary(kind),
        }
    }

    /// The largest integer that is not above the element.
    #[track_caller]
    pub fn floor(&self) -> Array {
        self.rounded(ElementwiseKind::Floor)
    }

    /// The smallest integer that is not below the element.
    #[track_caller]
    pub fn ceil(&self) -> Array {
        self.rounded(ElementwiseKind::Ceil)
    }

    /// The nearest integer, halves to even; of complex numbers part by part.
    #[track_caller]
    pub fn round(&self) -> Array {
        if self.dtype().is_complex() {
            return lax::complex(&self.real().round(), &self.imag().round());
        }
        self.rounded(ElementwiseKind::RoundNearestEven)
    }

    /// `x * x`.
    #[track_caller]
    pub fn square(&self) -> Array {
        let x = if self.dtype() == DType::Bool { self.astype(DType::I32) } else { self.clone() };
        &x * &x
    }

    /// The real parts; real numbers themselves.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::from_slice(&[c64::new(1.0, 2.0)]);
    /// assert_eq!((z.real() + z.imag() * 10).to_vec::<f32>()?, [21.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn real(&self) -> Array {
        if self.dtype().is_complex() { apply_one(Real, &[self]) } else { self.clone() }
    }

    /// The imaginary parts; zeros for real numbers.
    #[track_caller]
    pub fn imag(&self) -> Array {
        if self.dtype().is_complex() { apply_one(Imag, &[self]) } else { self.zeros_like() }
    }

    /// The complex conjugates; real numbers themselves.
    #[track_caller]
    pub fn conj(&self) -> Array {
        if self.dtype().is_complex() { self.unary(ElementwiseKind::Conj) } else { self.clone() }
    }

    /// Where the numbers are neither infinite nor NaN, both parts of complex ones.
    #[track_caller]
    pub fn is_finite(&self) -> Array {
        if self.dtype().is_complex() {
            return self.real().is_finite() & self.imag().is_finite();
        }
        match self.dtype().float_range() {
            Some((_, highest)) if highest == f64::INFINITY => self.abs().lt(highest),
            Some(_) | None => self.eq(self),
        }
    }
}

macro_rules! binaries {
    ($($(#[doc = $doc:literal])* $name:ident $kind:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self, other: impl IntoOperand) -> Array {
                    binary(ElementwiseKind::$kind, self, other)
                }
            )*
        }
    };
}
binaries! {
    /// The larger element of the two; NaN wins.
    maximum Maximum,
    /// The smaller element of the two; NaN wins.
    minimum Minimum,
}

/// Functions of two operands that are not plain ops.
impl Array {
    /// This to a power, which is an integer only beside integers; there negative numbers are an error.
    #[track_caller]
    pub fn pow(&self, exponent: impl IntoOperand) -> Array {
        let exponent = exponent.into_operand();
        if let Operand::Number(Number::Integer(n @ ..0)) = exponent
            && !self.dtype().is_differentiable()
        {
            let error = Error::program(format!("integers cannot be raised to the power {n}"));
            fail(with_context(error.op("power").at(Location::caller()).help("give the power as a float")));
        }
        let (x, y) = align_numbers("power", self.into_operand(), exponent);
        apply_one(Elementwise { kind: ElementwiseKind::Power }, &[&x, &y])
    }

    /// The angle of the point `(other, self)`, in radians.
    #[track_caller]
    pub fn atan2(&self, other: impl IntoOperand) -> Array {
        let (y, x) = align_inexact("atan2", self.into_operand(), other.into_operand());
        apply_one(Elementwise { kind: ElementwiseKind::Atan2 }, &[&y, &x])
    }

    /// Bits moved up.
    #[track_caller]
    pub fn shift_left(&self, bits: impl IntoOperand) -> Array {
        let (x, bits) = align_numbers("shift_left", self.into_operand(), bits.into_operand());
        apply_one(Elementwise { kind: ElementwiseKind::ShiftLeft }, &[&x, &bits])
    }

    /// Bits moved down: the sign fills in for signed integers, zeros for others.
    #[track_caller]
    pub fn shift_right(&self, bits: impl IntoOperand) -> Array {
        let (x, bits) = align_numbers("shift_right", self.into_operand(), bits.into_operand());
        let kind = match x.dtype().kind() {
            ElementKind::Signed => ElementwiseKind::ShiftRightArithmetic,
            ElementKind::Bool | ElementKind::Unsigned | ElementKind::Float | ElementKind::Complex => {
                ElementwiseKind::ShiftRightLogical
            }
        };
        apply_one(Elementwise { kind }, &[&x, &bits])
    }

    /// Moved into the interval from `low` to `high`: `min(max(x, low), high)`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(5).clip(1, 3).to_vec::<i32>()?, [1, 1, 2, 3, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn clip(&self, low: impl IntoOperand, high: impl IntoOperand) -> Array {
        let clipped = self.maximum(low).minimum(high);
        if clipped.dtype().is_complex() {
            let error = Error::program(format!("complex numbers have no order to clip by: {}", self.ty()));
            fail(with_context(error.op("clip").at(Location::caller())));
        }
        clipped
    }
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])* $name:ident $comparison:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self, other: impl IntoOperand) -> Array {
                    compare(Comparison::$comparison, self, other)
                }
            )*
        }
    };
}
comparisons! {
    /// Whether the elements are equal, one truth value for each.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, -0.0]);
    /// assert_eq!(x.eq(&x).to_vec::<bool>()?, [true, false, true]);
    /// assert_eq!(x.ne(0.0).to_vec::<bool>()?, [true, true, false]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    eq Eq,
    /// Whether the elements differ.
    ne Ne,
    /// Whether this array's element is less.
    lt Lt,
    /// Whether this array's element is less or equal.
    le Le,
    /// Whether this array's element is greater.
    gt Gt,
    /// Whether this array's element is greater or equal.
    ge Ge,
}

/// `on_true` where the condition holds, elsewhere `on_false`; all three broadcast.
///
/// ```
/// use jarrah_array::{Array, where_};
/// let x = Array::from_slice(&[-1.0f32, 2.0]);
/// assert_eq!(where_(&x.lt(0.0), 0.0, &x).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn where_(condition: &Array, on_true: impl IntoOperand, on_false: impl IntoOperand) -> Array {
    let (a, b) = align("where", on_true.into_operand(), on_false.into_operand());
    let condition = condition.astype(DType::Bool);
    let Some(shape) = broadcast_shapes(&condition.shape(), &a.shape()) else {
        let error = Error::program(format!(
            "shapes do not broadcast: condition {}, values {}",
            condition.ty(),
            a.ty()
        ));
        fail(with_context(error.op("where").at(Location::caller())))
    };
    let operands = [condition.broadcast_to(&shape), a.broadcast_to(&shape), b.broadcast_to(&shape)];
    apply_one(Select, &[&operands[0], &operands[1], &operands[2]])
}
