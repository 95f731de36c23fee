//! Elementwise functions of one array, and of two arrays.

use jarrah_base::{DType, ElementKind, Error, Location};
use jarrah_hlo::ops::{Comparison, Elementwise, ElementwiseKind, Imag, Real, Select};

use crate::array::Array;
use crate::custom::{custom_jvp, with_slope};
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::operators::{
    IntoOperand, Operand, align, align_inexact, align_numbers, binary, broadcast_shapes, compare,
    floor_remainder,
};
use crate::special;
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
    /// `e^x`. Integers and truth values become floats first, here and in the functions below.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[0.0f32, f32::NEG_INFINITY]).exp().to_vec::<f32>()?, [1.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    exp Exponential,
    /// `e^x - 1`, without cancellation near 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::scalar(1e-10f32);
    /// assert_eq!((x.expm1().item::<f32>()?, (x.exp() - 1).item::<f32>()?), (1e-10, 0.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    expm1 ExponentialMinusOne,
    /// The natural logarithm: minus infinity at 0, NaN for negative real numbers.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[1.0f32, 0.0, -1.0]).log();
    /// assert_eq!(y.to_string(), "f32[3] [ 0.0, -inf,  NaN]");
    /// ```
    log Log,
    /// `ln(1 + x)`, without cancellation near 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::scalar(1e-10f32);
    /// assert_eq!((x.log1p().item::<f32>()?, (x + 1).log().item::<f32>()?), (1e-10, 0.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    log1p LogPlusOne,
    /// `1 / (1 + e^-x)`, without overflow.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[-1e4f32, 0.0, 1e4]).sigmoid().to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    sigmoid Logistic,
    /// The hyperbolic tangent, `(e^x - e^-x) / (e^x + e^-x)`, without overflow.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[-1e4f32, 0.0, 1e4]).tanh().to_vec::<f32>()?, [-1.0, 0.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    tanh Tanh,
    /// The square root: NaN for negative real numbers.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[9.0f32, -1.0]).sqrt().to_string(), "f32[2] [3.0, NaN]");
    /// ```
    sqrt Sqrt,
    /// `1 / sqrt(x)`: infinity at 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[4.0f32, 0.0]).rsqrt().to_vec::<f32>()?, [0.5, f32::INFINITY]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    rsqrt Rsqrt,
    /// The cube root, with the sign of the element.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[27.0f32, -8.0]).cbrt().to_vec::<f32>()?, [3.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    cbrt Cbrt,
    /// The sine, of radians.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let turn = Array::from_slice(&[0.0f64, 0.25, 0.75]) * std::f64::consts::TAU;
    /// assert_eq!(turn.sin().to_vec::<f64>()?, [0.0, 1.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    sin Sine,
    /// The cosine, of radians.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let turn = Array::from_slice(&[0.0f64, 0.5, 1.0]) * std::f64::consts::TAU;
    /// assert_eq!(turn.cos().to_vec::<f64>()?, [1.0, -1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    cos Cosine,
    /// The tangent, of radians.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let x = Array::scalar_in(0.5, DType::F64);
    /// assert!((x.tan() - x.sin() / x.cos()).abs().item::<f64>()? < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    tan Tan,
    /// The angle between -pi/2 and pi/2, in radians, whose sine the element is; NaN where it is not between -1 and 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let angles = Array::from_slice(&[0.0f32, 1.0, 2.0]).asin() * (180.0 / std::f64::consts::PI);
    /// assert_eq!(angles.to_string(), "f32[3] [ 0.0, 90.0,  NaN]");
    /// ```
    asin Asin,
    /// The angle between 0 and pi, in radians, whose cosine the element is; NaN where it is not between -1 and 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let angles = Array::from_slice(&[1.0f32, 0.0, -1.0]).acos() * (180.0 / std::f64::consts::PI);
    /// assert_eq!(angles.to_vec::<f32>()?, [0.0, 90.0, 180.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    acos Acos,
    /// The angle between -pi/2 and pi/2, in radians, whose tangent the element is.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let angles = Array::from_slice(&[1.0f32, f32::NEG_INFINITY]).atan() * (180.0 / std::f64::consts::PI);
    /// assert_eq!(angles.to_vec::<f32>()?, [45.0, -90.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    atan Atan,
    /// The hyperbolic sine, `(e^x - e^-x) / 2`.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let y = Array::scalar_in(2f64.ln(), DType::F64).sinh();
    /// assert!((y.item::<f64>()? - (2.0 - 0.5) / 2.0).abs() < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    sinh Sinh,
    /// The hyperbolic cosine, `(e^x + e^-x) / 2`.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let y = Array::scalar_in(2f64.ln(), DType::F64).cosh();
    /// assert!((y.item::<f64>()? - (2.0 + 0.5) / 2.0).abs() < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    cosh Cosh,
    /// The inverse of the hyperbolic sine, `ln(x + sqrt(x^2 + 1))`.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let y = Array::scalar_in(0.75, DType::F64).asinh();
    /// assert!((y.item::<f64>()? - 2f64.ln()).abs() < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    asinh Asinh,
    /// The inverse of the hyperbolic cosine, `ln(x + sqrt(x^2 - 1))`, at least 0; NaN below 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, 0.5]).acosh().to_string(), "f32[2] [0.0, NaN]");
    /// ```
    acosh Acosh,
    /// The inverse of the hyperbolic tangent, `ln((1 + x) / (1 - x)) / 2`; NaN where the element is not between -1 and 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[0.0f32, 1.0, 2.0]).atanh();
    /// assert_eq!(y.to_string(), "f32[3] [0.0, inf, NaN]");
    /// ```
    atanh Atanh,
    /// The error function, `2 / sqrt(pi)` times the integral of `e^(-t^2)` from 0 to `x`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[-9.0f32, 0.0, 9.0]).erf().to_vec::<f32>()?, [-1.0, 0.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    erf Erf,
    /// `1 - erf(x)`, without cancellation.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::scalar(5.0);
    /// assert!(x.erfc().item::<f32>()? > 1.5e-12);
    /// assert_eq!((1 - x.erf()).item::<f32>()?, 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    erfc Erfc,
    /// The inverse of the error function: NaN where the element is not between -1 and 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[0.0f32, 1.0, 2.0]).erf_inv();
    /// assert_eq!(y.to_string(), "f32[3] [0.0, inf, NaN]");
    /// ```
    erf_inv ErfInv,
}

/// Other powers and logarithms, angles.
impl Array {
    /// `2^x`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3.0f32, -1.0]).exp2().to_vec::<f32>()?, [8.0, 0.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn exp2(&self) -> Array {
        fn value(x: &Array) -> Array {
            Array::constant(Number::Integer(2).fit("exp2", x.dtype())).pow(x)
        }
        let x = self.inexact();
        if x.dtype().is_complex() {
            return value(&x);
        }
        // The derivative is finite where `2^x` no longer is, and keeps its digits where that is about to vanish.
        with_slope(&x, value, |x, _| {
            let large = x.gt(0);
            let ln2 = std::f64::consts::LN_2;
            let share = where_(&large, x - 2, x + 2);
            value(&share) * where_(&large, x.full_like(4.0 * ln2), 0.25 * ln2)
        })
    }

    /// The logarithm to base 2, `ln(x) / ln(2)`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[8.0f32, 0.5]).log2().to_vec::<f32>()?, [3.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn log2(&self) -> Array {
        let x = self.inexact().log();
        &x / Number::Float(std::f64::consts::LN_2).like(&x)
    }

    /// The logarithm to base 10, `ln(x) / ln(10)`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[100.0f32, 0.1]).log10().to_vec::<f32>()?, [2.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn log10(&self) -> Array {
        let x = self.inexact().log();
        &x / Number::Float(std::f64::consts::LN_10).like(&x)
    }

    /// `1 / x`, of integers in floats.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[4i32, -2]).reciprocal().to_vec::<f32>()?, [0.25, -0.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn reciprocal(&self) -> Array {
        1.0 / self.inexact()
    }

    /// Degrees as radians, `x pi / 180`.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::scalar_in(180.0, DType::F64).deg2rad().item::<f64>()?, std::f64::consts::PI);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn deg2rad(&self) -> Array {
        self.inexact() * (std::f64::consts::PI / 180.0)
    }

    /// Radians as degrees, `180 x / pi`.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::scalar_in(std::f64::consts::PI, DType::F64).rad2deg().item::<f64>()?, 180.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rad2deg(&self) -> Array {
        self.inexact() * (180.0 / std::f64::consts::PI)
    }

    /// `sin(pi x) / (pi x)`, and 1 at 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[0.0f64, 0.5, 1.0]).sinc().to_vec::<f64>()?;
    /// assert_eq!(y[0], 1.0);
    /// assert!((y[1] - std::f64::consts::FRAC_2_PI).abs() < 1e-15 && y[2].abs() < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sinc(&self) -> Array {
        let x = self.inexact();
        if !x.dtype().is_complex() {
            return special::sinc(&x);
        }
        let zero = x.eq(0);
        let angle = where_(&zero, 1.0, &x) * std::f64::consts::PI;
        // Near 0 it is `1 - (pi x)^2 / 6`, whose value and derivatives at 0 are right.
        let near = 1.0 - (&x * std::f64::consts::PI).square() / 6.0;
        where_(&zero, near, angle.sin() / &angle)
    }

    /// The angle of a complex number, in radians between -pi and pi; of a real one 0 or pi.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::from_slice(&[c64::new(1.0, 0.0), c64::new(0.0, -2.0)]);
    /// assert_eq!(z.angle().to_vec::<f32>()?, [0.0, -std::f32::consts::FRAC_PI_2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn angle(&self) -> Array {
        let x = self.inexact();
        x.imag().atan2(x.real())
    }
}

/// Elementwise functions whose result has the dtype of the array, integers included.
impl Array {
    #[track_caller]
    fn unary(&self, kind: ElementwiseKind) -> Array {
        apply_one(Elementwise { kind }, &[self])
    }

    /// The absolute value, real for complex numbers; the smallest signed integer stays, for lack of its opposite.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// assert_eq!(Array::from_slice(&[-3i8, i8::MIN]).abs().to_vec::<i8>()?, [3, i8::MIN]);
    /// assert_eq!(Array::scalar(c64::new(3.0, 4.0)).abs().item::<f32>()?, 5.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn abs(&self) -> Array {
        match self.dtype().kind() {
            ElementKind::Bool | ElementKind::Unsigned => self.clone(),
            ElementKind::Signed | ElementKind::Float | ElementKind::Complex => {
                self.unary(ElementwiseKind::Abs)
            }
        }
    }

    /// -1, 0 or 1; `z / |z|` of a complex number; NaN of NaN.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// assert_eq!(Array::from_slice(&[-3i32, 0, 5]).sign().to_vec::<i32>()?, [-1, 0, 1]);
    /// assert_eq!(Array::scalar(c64::new(0.0, 4.0)).sign().item::<c64>()?, c64::new(0.0, 1.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.7f32, -1.2]).floor().to_vec::<f32>()?, [1.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn floor(&self) -> Array {
        self.rounded(ElementwiseKind::Floor)
    }

    /// The smallest integer that is not below the element.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.2f32, -1.7]).ceil().to_vec::<f32>()?, [2.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ceil(&self) -> Array {
        self.rounded(ElementwiseKind::Ceil)
    }

    /// The integer next to the element towards 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.7f32, -1.7]).trunc().to_vec::<f32>()?, [1.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn trunc(&self) -> Array {
        if !self.dtype().is_differentiable() {
            return self.clone();
        }
        where_(&self.lt(0), self.ceil(), self.floor())
    }

    /// The fraction and the integer part towards 0, each with the sign of the element.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (fraction, whole) = Array::from_slice(&[2.5f32, -2.5]).modf();
    /// assert_eq!((fraction.to_vec::<f32>()?, whole.to_vec::<f32>()?), (vec![0.5, -0.5], vec![2.0, -2.0]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn modf(&self) -> (Array, Array) {
        let x = self.inexact();
        let whole = x.trunc();
        (where_(&x.isinf(), 0, &x - &whole).copysign(&x), whole)
    }

    /// Rounded to `decimals` digits after the point, halves to even; negative `decimals` round before the point.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.26f32]).round_to(1).to_vec::<f32>()?, [1.3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn round_to(&self, decimals: i32) -> Array {
        if decimals == 0 {
            return self.round();
        }
        let factor = 10f64.powi(decimals.abs());
        if self.dtype().is_integer() {
            if decimals > 0 {
                return self.clone();
            }
            let factor = factor as i64;
            let (down, rest) = self.divmod(factor);
            let odd = (&down % 2).eq(1);
            let up = rest.gt(factor / 2)
                | (rest.eq(factor / 2) & odd & Array::full(&[], factor % 2 == 0, DType::Bool));
            return where_(&up, &down + 1, &down) * factor;
        }
        match decimals > 0 {
            true => (self * factor).round() / factor,
            false => (self / factor).round() * factor,
        }
    }

    /// The nearest integer, halves to even; of complex numbers part by part.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0.5f32, 1.5, -1.7]);
    /// assert_eq!(x.round().to_vec::<f32>()?, [0.0, 2.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn round(&self) -> Array {
        if self.dtype().is_complex() {
            return lax::complex(&self.real().round(), &self.imag().round());
        }
        self.rounded(ElementwiseKind::RoundNearestEven)
    }

    /// `x * x`, of truth values as `i32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[-3i32, 4]).square().to_vec::<i32>()?, [9, 16]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// assert_eq!(Array::scalar(c64::new(1.0, 2.0)).imag().item::<f32>()?, 2.0);
    /// assert_eq!(Array::scalar(1).imag().item::<i32>()?, 0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn imag(&self) -> Array {
        if self.dtype().is_complex() { apply_one(Imag, &[self]) } else { self.zeros_like() }
    }

    /// The complex conjugates; real numbers themselves.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::scalar(c64::new(3.0, 4.0));
    /// assert_eq!(z.conj().item::<c64>()?, c64::new(3.0, -4.0));
    /// assert_eq!((&z * z.conj()).item::<c64>()?, c64::new(25.0, 0.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn conj(&self) -> Array {
        if self.dtype().is_complex() { self.unary(ElementwiseKind::Conj) } else { self.clone() }
    }

    /// Where the numbers are NaN, or a part of complex ones is.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, f32::INFINITY]);
    /// assert_eq!(x.isnan().to_vec::<bool>()?, [false, true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isnan(&self) -> Array {
        self.ne(self)
    }

    /// Where the numbers are infinite, or a part of complex ones is.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, f32::NEG_INFINITY]);
    /// assert_eq!(x.isinf().to_vec::<bool>()?, [false, false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isinf(&self) -> Array {
        if self.dtype().is_complex() {
            return self.real().isinf() | self.imag().isinf();
        }
        !(self.isfinite() | self.isnan())
    }

    /// Where the numbers are plus infinity.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[f32::INFINITY, f32::NEG_INFINITY]);
    /// assert_eq!(x.isposinf().to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isposinf(&self) -> Array {
        self.isinf() & self.gt(0)
    }

    /// Where the numbers are minus infinity.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[f32::INFINITY, f32::NEG_INFINITY]);
    /// assert_eq!(x.isneginf().to_vec::<bool>()?, [false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isneginf(&self) -> Array {
        self.isinf() & self.lt(0)
    }

    /// Where the imaginary part is not 0, whatever the dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::from_slice(&[c64::new(1.0, 2.0), c64::new(1.0, 0.0)]);
    /// assert_eq!(z.iscomplex().to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn iscomplex(&self) -> Array {
        self.imag().ne(0)
    }

    /// Where the imaginary part is 0, whatever the dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::from_slice(&[c64::new(1.0, 2.0), c64::new(1.0, 0.0)]);
    /// assert_eq!(z.isreal().to_vec::<bool>()?, [false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isreal(&self) -> Array {
        self.imag().eq(0)
    }

    /// Where the sign is minus, that of -0 and of NaN too.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, -0.0, 0.0]);
    /// assert_eq!(x.signbit().to_vec::<bool>()?, [false, true, false]);
    /// assert_eq!(x.lt(0).to_vec::<bool>()?, [false, false, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn signbit(&self) -> Array {
        let bits = match (self.dtype().is_differentiable(), self.dtype().bits()) {
            (false, _) => return self.lt(0),
            (true, 16) => DType::I16,
            (true, 64) => DType::I64,
            (true, 32) => DType::I32,
            (true, _) => return self.astype(DType::F32).signbit(),
        };
        self.bitcast(bits).lt(0)
    }

    /// The numbers with NaN, plus and minus infinity replaced: by 0, the largest and the lowest finite number.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0]);
    /// assert_eq!(x.nan_to_num().to_vec::<f32>()?, [0.0, f32::MAX, f32::MIN, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nan_to_num(&self) -> Array {
        let Some((lowest, highest)) = self.dtype().finite_range() else {
            if self.dtype().is_complex() {
                return lax::complex(&self.real().nan_to_num(), &self.imag().nan_to_num());
            }
            return self.clone();
        };
        let x = where_(&self.isnan(), 0, self);
        let x = where_(&x.isposinf(), highest, &x);
        where_(&x.isneginf(), lowest, &x)
    }

    /// Whether the numbers are neither infinite nor NaN; for a complex number, in both parts.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, f32::INFINITY]);
    /// assert_eq!(x.isfinite().to_vec::<bool>()?, [true, false, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isfinite(&self) -> Array {
        if self.dtype().is_complex() {
            return self.real().isfinite() & self.imag().isfinite();
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
    /// The larger element of the two; NaN wins. Both broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[-1.0f32, 2.0, f32::NAN]).maximum(0);
    /// assert_eq!(y.to_string(), "f32[3] [0.0, 2.0, NaN]");
    /// ```
    maximum Maximum,
    /// The smaller element of the two; NaN wins. Both broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[1i32, 5]), Array::from_slice(&[3i32, 2]));
    /// assert_eq!(x.minimum(&y).to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    minimum Minimum,
}

/// Functions of two operands that are not plain ops.
impl Array {
    /// This array to a power, `x^y`, in the common dtype of both: an integer for integers. NaN where a negative real number has a
    /// power that is no integer.
    ///
    /// # Errors
    ///
    /// A program error if an integer array has a negative number as its power.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[2i32, -3]);
    /// assert_eq!(x.pow(3).to_vec::<i32>()?, [8, -27]);
    /// assert_eq!(x.pow(-1.0).index(0).item::<f32>()?, 0.5);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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

    /// `floor(x / y)`, of integers as integers.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[7i32, -7]).floor_divide(2).to_vec::<i32>()?, [3, -4]);
    /// assert_eq!(Array::scalar(-7.5).floor_divide(2).item::<f32>()?, -4.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn floor_divide(&self, other: impl IntoOperand) -> Array {
        self.divmod(other).0
    }

    /// `floor(x / y)`, and the remainder, which has the sign of `y`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (quotient, rest) = Array::from_slice(&[-5i32]).divmod(3);
    /// assert_eq!((quotient.item::<i32>()?, rest.item::<i32>()?), (-2, 1));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn divmod(&self, other: impl IntoOperand) -> (Array, Array) {
        let (x, y) = align_numbers("divmod", self.into_operand(), other.into_operand());
        let rest = floor_remainder((&x).into_operand(), (&y).into_operand());
        let whole = match x.dtype().is_integer() {
            true => &x - where_(&y.eq(0), 0, &rest),
            false => &x - &rest,
        };
        let quotient = apply_one(Elementwise { kind: ElementwiseKind::Divide }, &[&whole, &y]);
        (if x.dtype().is_integer() { quotient } else { quotient.round() }, rest)
    }

    /// The remainder of division rounded towards 0, `x - y trunc(x / y)`, with the sign of this array; `%` rounds down. Integers modulo 0
    /// give 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[5i32, -5]);
    /// assert_eq!(x.fmod(3).to_vec::<i32>()?, [2, -2]);
    /// assert_eq!((x % 3).to_vec::<i32>()?, [2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fmod(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_numbers("fmod", self.into_operand(), other.into_operand());
        let y = if x.dtype().is_integer() { where_(&y.eq(0), 1, &y) } else { y };
        lax::rem(&x, &y)
    }

    /// `sqrt(x^2 + y^2)`, without overflow.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(3e30f32).hypot(4e30).item::<f32>()?, 5e30);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn hypot(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("hypot", self.into_operand(), other.into_operand());
        let (x, y) = if x.dtype().is_complex() { (x.abs(), y.abs()) } else { (x, y) };
        type Two = (Array, Array);
        let value = |x: &Array, y: &Array| {
            let (large, small) = (x.abs().maximum(y.abs()), x.abs().minimum(y.abs()));
            let zero = large.eq(0);
            let share = &small / where_(&zero, 1, &large);
            where_(&large.isinf(), &large, where_(&zero, &large, &large * (share.square() + 1.0).sqrt()))
        };
        // The derivatives are the cosine and the sine of an angle whose tangent is the smaller operand over the larger, at most 1
        // in magnitude: so neither they nor their derivatives jump where both operands are equal, or cancel where one is large.
        let rule = |(x, y): &Two, (dx, dy): &Two| {
            let first = x.abs().ge(y.abs());
            let (large, small) = (where_(&first, x, y), where_(&first, y, x));
            let plain = large.ne(0) & large.isfinite();
            let tangent = where_(&plain, small / where_(&plain, &large, 1), 0);
            let cosine = large.sign() * (tangent.square() + 1.0).rsqrt();
            let sine = &cosine * tangent;
            (value(x, y), dx * where_(&first, &cosine, &sine) + dy * where_(&first, &sine, &cosine))
        };
        custom_jvp(|(x, y): &Two| value(x, y), rule)(&(x, y))
    }

    /// `ln(e^x + e^y)`, without overflow: the sum of two probabilities of which the logarithms are known.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(1000.0).logaddexp(1000.0).item::<f32>()?, 1000.0 + 2f32.ln());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logaddexp(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("logaddexp", self.into_operand(), other.into_operand());
        /// Of two equal infinities the difference is no number.
        fn difference(x: &Array, y: &Array) -> Array {
            where_(&(x.real().isinf() & x.eq(y)), 0, x - y)
        }
        fn value(x: &Array, y: &Array) -> Array {
            let order = x.real().ge(y.real());
            let (high, low) = (where_(&order, x, y), where_(&order, y, x));
            &high + difference(&low, &high).exp().log1p()
        }
        if !x.dtype().is_complex() {
            type Two = (Array, Array);
            // The derivatives are the shares of both operands in the sum, which do not jump where the operands are equal.
            let rule = |(x, y): &Two, (dx, dy): &Two| {
                let apart = difference(x, y);
                (value(x, y), dx * apart.sigmoid() + dy * (-apart).sigmoid())
            };
            return custom_jvp(|(x, y): &Two| value(x, y), rule)(&(x, y));
        }
        let sum = value(&x, &y);
        // The imaginary part is an angle up to a multiple of 2 pi: that of the logarithm lies between -pi and pi.
        let (pi, turn) = (std::f64::consts::PI, std::f64::consts::TAU);
        lax::complex(&sum.real(), &((sum.imag() + pi) % turn - pi))
    }

    /// `log2(2^x + 2^y)`, without overflow.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(3.0).logaddexp2(3.0).item::<f32>()?, 4.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logaddexp2(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("logaddexp2", self.into_operand(), other.into_operand());
        let ln2 = std::f64::consts::LN_2;
        (x * ln2).logaddexp(y * ln2) / ln2
    }

    /// The magnitude of this array with the sign of `other`, that of -0 too.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, -2.0]).copysign(-0.0).to_vec::<f32>()?, [-1.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn copysign(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("copysign", self.into_operand(), other.into_operand());
        let size = x.abs();
        where_(&y.signbit(), -&size, &size)
    }

    /// 0 below 0, 1 above 0, and `at_zero` at 0; NaN of NaN.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[-3.0f32, 0.0, 3.0]).heaviside(0.5).to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn heaviside(&self, at_zero: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("heaviside", self.into_operand(), at_zero.into_operand());
        let step = where_(&x.gt(0), x.ones_like(), x.zeros_like());
        where_(&x.eq(0), y, where_(&x.isnan(), &x, step))
    }

    /// The larger element of the two; NaN loses, unlike in [`Array::maximum`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[f32::NAN, -1.0]).fmax(0).to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fmax(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align("fmax", self.into_operand(), other.into_operand());
        where_(&(x.gt(&y) | y.isnan()), &x, &y)
    }

    /// The smaller element of the two; NaN loses, unlike in [`Array::minimum`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[f32::NAN, -1.0]).fmin(0).to_vec::<f32>()?, [0.0, -1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fmin(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align("fmin", self.into_operand(), other.into_operand());
        where_(&(x.lt(&y) | y.isnan()), &x, &y)
    }

    /// The float next to this one towards `other`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(1.0).nextafter(2).item::<f32>()?, 1.0 + f32::EPSILON);
    /// assert_eq!(Array::scalar(0.0).nextafter(-1).item::<f32>()?, -f32::from_bits(1));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nextafter(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align_inexact("nextafter", self.into_operand(), other.into_operand());
        apply_one(Elementwise { kind: ElementwiseKind::NextAfter }, &[&x, &y])
    }

    /// `x * 2^n`, with integers `exponent`; the power may be out of range where the product is not.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[0.75f32, f32::MIN_POSITIVE]).ldexp(&Array::from_slice(&[2i32, 200]));
    /// assert_eq!(y.to_vec::<f32>()?, [3.0, 2f32.powi(74)]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ldexp(&self, exponent: &Array) -> Array {
        let x = self.inexact();
        // The power is applied as two factors, so that neither overflows where the product does not.
        let half = exponent.shift_right(1);
        let rest = exponent - &half;
        (&x * half.astype(x.dtype()).exp2()) * rest.astype(x.dtype()).exp2()
    }

    /// Where the elements are within `atol + rtol |y|` of each other; equal infinities are.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, f32::INFINITY]);
    /// assert_eq!(x.isclose(&x, 1e-5, 1e-8).to_vec::<bool>()?, [true, true]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn isclose(&self, other: impl IntoOperand, rtol: f64, atol: f64) -> Array {
        let (x, y) = align("isclose", self.into_operand(), other.into_operand());
        let (x, y) = if x.dtype() == DType::Bool { (x.inexact(), y.inexact()) } else { (x, y) };
        if x.dtype().is_integer() {
            return x.astype(DType::F64).isclose(y.astype(DType::F64), rtol, atol);
        }
        let near = (&x - &y).abs().le(y.abs() * rtol + atol);
        where_(&(x.isinf() | y.isinf()), x.eq(&y), near)
    }

    /// Whether all elements are close, as [`Array::isclose`] says: a truth value.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 100.0]);
    /// assert!(x.allclose(&x * 1.001, 0.01, 0.0).item::<bool>()?);
    /// assert!(!x.allclose(&x + 0.1, 0.01, 0.0).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn allclose(&self, other: impl IntoOperand, rtol: f64, atol: f64) -> Array {
        self.isclose(other, rtol, atol).all(..)
    }

    /// Whether the shapes and all elements are equal: a truth value. NaN is equal to nothing.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 1]);
    /// assert!(x.array_equal(&Array::from_slice(&[1.0f32, 1.0])).item::<bool>()?);
    /// assert!(!x.array_equal(&Array::scalar(1)).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn array_equal(&self, other: &Array) -> Array {
        match self.shape() == *other.shape() {
            true => self.eq(other).all(..),
            false => Array::constant(Number::Bool(false).fit("array_equal", DType::Bool)),
        }
    }

    /// Whether both operands are true; every number but 0 counts as true.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[0i32, 0, 2, 2]), Array::from_slice(&[0i32, 1, 0, 1]));
    /// assert_eq!(x.logical_and(&y).to_vec::<bool>()?, [false, false, false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logical_and(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align("logical_and", self.into_operand(), other.into_operand());
        x.ne(0) & y.ne(0)
    }

    /// Whether at least one operand is true; every number but 0 counts as true.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[0i32, 0, 2, 2]), Array::from_slice(&[0i32, 1, 0, 1]));
    /// assert_eq!(x.logical_or(&y).to_vec::<bool>()?, [false, true, true, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logical_or(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align("logical_or", self.into_operand(), other.into_operand());
        x.ne(0) | y.ne(0)
    }

    /// Whether exactly one operand is true; every number but 0 counts as true.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[0i32, 0, 2, 2]), Array::from_slice(&[0i32, 1, 0, 1]));
    /// assert_eq!(x.logical_xor(&y).to_vec::<bool>()?, [false, true, true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logical_xor(&self, other: impl IntoOperand) -> Array {
        let (x, y) = align("logical_xor", self.into_operand(), other.into_operand());
        x.ne(0) ^ y.ne(0)
    }

    /// Whether the element is 0; `!` turns the bits of integers instead.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0i32, 2]);
    /// assert_eq!(x.logical_not().to_vec::<bool>()?, [true, false]);
    /// assert_eq!((!x).to_vec::<i32>()?, [-1, -3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logical_not(&self) -> Array {
        self.eq(0)
    }

    /// How many bits of the magnitude of an integer are ones, as `u8`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[7i32, -7, 8]).bitwise_count().to_vec::<u8>()?, [3, 3, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bitwise_count(&self) -> Array {
        let size = if self.dtype().kind() == ElementKind::Signed { self.abs() } else { self.clone() };
        apply_one(Elementwise { kind: ElementwiseKind::Popcnt }, &[&size]).astype(DType::U8)
    }

    /// The angle of the point `(other, self)`, in radians between -pi and pi: that of `y / x` in the quadrant given by the signs
    /// of both.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (y, x) = (Array::from_slice(&[1.0f32, -1.0]), Array::from_slice(&[0.0f32, -1.0]));
    /// let pi = std::f32::consts::PI;
    /// assert_eq!(y.atan2(&x).to_vec::<f32>()?, [pi / 2.0, -0.75 * pi]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn atan2(&self, other: impl IntoOperand) -> Array {
        let (y, x) = align_inexact("atan2", self.into_operand(), other.into_operand());
        apply_one(Elementwise { kind: ElementwiseKind::Atan2 }, &[&y, &x])
    }

    /// The bits of integers shifted up by `bits` places, with zeros filled in from below; 0 if all bits are shifted out.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, -1]).shift_left(4).to_vec::<i32>()?, [48, -16]);
    /// assert_eq!(Array::scalar(1).shift_left(32).item::<i32>()?, 0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn shift_left(&self, bits: impl IntoOperand) -> Array {
        let (x, bits) = align_numbers("shift_left", self.into_operand(), bits.into_operand());
        apply_one(Elementwise { kind: ElementwiseKind::ShiftLeft }, &[&x, &bits])
    }

    /// The bits of integers moved down by `bits` places: the sign fills in for signed integers, zeros for others.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[16i8, -16]).shift_right(3).to_vec::<i8>()?, [2, -2]);
    /// assert_eq!(Array::scalar(240u8).shift_right(3).item::<u8>()?, 30);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    /// # Errors
    ///
    /// A program error for complex numbers, which have no order.
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
    /// Whether the elements differ; NaN differs from itself.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 2.0, f32::NAN]);
    /// assert_eq!(x.ne(Array::from_slice(&[1.0f32, 3.0, f32::NAN])).to_vec::<bool>()?, [false, true, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ne Ne,
    /// Whether this array's element is less than the other's. Comparisons with NaN are false, also in `le`, `gt`, `ge`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, f32::NAN]);
    /// assert_eq!(x.lt(2).to_vec::<bool>()?, [true, false, false, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    lt Lt,
    /// Whether this array's element is less or equal.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2, 3]).le(2).to_vec::<bool>()?, [true, true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    le Le,
    /// Whether this array's element is greater.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2, 3]).gt(2).to_vec::<bool>()?, [false, false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    gt Gt,
    /// Whether this array's element is greater or equal.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2, 3]).ge(2).to_vec::<bool>()?, [false, true, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ge Ge,
}

/// `on_true` where the condition is true, elsewhere `on_false`; all three broadcast.
///
/// # Errors
///
/// A program error if the shapes do not broadcast.
///
/// ```
/// use jarrah_array::{Array, where_};
/// let x = Array::from_slice(&[-1.0f32, 2.0]);
/// assert_eq!(where_(&x.lt(0.0), 0.0, &x).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn where_(condition: &Array, on_true: impl IntoOperand, on_false: impl IntoOperand) -> Array {
    chosen(condition, on_true.into_operand(), on_false.into_operand())
}

#[track_caller]
fn chosen(condition: &Array, on_true: Operand, on_false: Operand) -> Array {
    let (a, b) = align("where", on_true, on_false);
    let condition = condition.astype(DType::Bool);
    let Some(shape) = broadcast_shapes(&condition.shape(), &a.shape()) else {
        let error = Error::program(format!(
            "shapes do not broadcast: condition {}, values {}",
            condition.ty(),
            a.ty()
        ));
        fail(with_context(
            error
                .op("where")
                .help("align shapes from the last axis; extents must be equal or one")
                .at(Location::caller()),
        ))
    };
    let operands = [condition.broadcast_to(&shape), a.broadcast_to(&shape), b.broadcast_to(&shape)];
    apply_one(Select, &[&operands[0], &operands[1], &operands[2]])
}

/// For each element the choice of the first condition that is true, or `otherwise` if none is; all broadcast.
///
/// # Errors
///
/// A program error unless there are as many conditions as choices, one at least.
///
/// ```
/// use jarrah_array::{Array, numpy::select};
/// let x = Array::arange(4);
/// let y = select(&[&x.lt(1), &x.lt(3)], &[&x, &(&x * 10)], -1);
/// assert_eq!(y.to_vec::<i32>()?, [0, 10, 20, -1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn select(conditions: &[&Array], choices: &[&Array], otherwise: impl IntoOperand) -> Array {
    if conditions.len() != choices.len() || conditions.is_empty() {
        let error = Error::program(format!("{} conditions choose among {}", conditions.len(), choices.len()));
        fail(with_context(
            error.op("select").at(Location::caller()).help("give a choice for each condition"),
        ));
    }
    let mut chosen = otherwise.into_operand();
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        chosen = where_(condition, *choice, chosen).into_operand();
    }
    match chosen {
        Operand::Array(chosen) => chosen,
        Operand::Number(_) => fail(Error::internal("there is a choice").at(Location::caller())),
    }
}

/// For each element that of choice number `index`, all broadcast; an index out of range is moved to the nearest.
///
/// # Errors
///
/// A program error if there is no choice, or shapes do not broadcast.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let (x, y) = (Array::from_slice(&[1i32, 2, 3]), Array::from_slice(&[10i32, 20, 30]));
/// let index = Array::from_slice(&[0i32, 1, 5]);
/// assert_eq!(numpy::choose(&index, &[&x, &y]).to_vec::<i32>()?, [1, 20, 30]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn choose(index: &Array, choices: &[&Array]) -> Array {
    let [first, rest @ ..] = choices else {
        fail(with_context(Error::program("there is no choice").op("choose").at(Location::caller())))
    };
    let index = index.clip(0, rest.len());
    let mut chosen = where_(&index.ge(0), *first, *first);
    for (i, choice) in rest.iter().enumerate() {
        chosen = where_(&index.eq(i + 1), *choice, chosen);
    }
    chosen
}
