//! Divisors of integers, and bits of numbers.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::control::while_loop;
use crate::custom::custom_jvp;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::numpy::{concatenate, resolve};
use crate::operators::IntoOperand;

/// Which bit of a byte is the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOrder {
    /// The first of eight bits has the value 128.
    Big,
    /// The first of eight bits has the value 1.
    Little,
}

impl BitOrder {
    /// How far each bit is shifted.
    fn shifts(self) -> Array {
        let shifts: [u8; 8] = std::array::from_fn(|i| i as u8);
        match self {
            BitOrder::Little => Array::from_slice(&shifts),
            BitOrder::Big => Array::from_slice(&shifts.map(|shift| 7 - shift)),
        }
    }
}

impl Array {
    /// The greatest common divisor of integers, not negative; `gcd(0, 0)` is 0.
    ///
    /// # Errors
    ///
    /// A program error unless both are integers.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[12i32, -8, 0]).gcd(18).to_vec::<i32>()?, [6, 2, 18]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// Source: Euclid, Elements, VII.2.
    #[track_caller]
    pub fn gcd(&self, other: impl IntoOperand) -> Array {
        let other = other.into_operand().beside(self);
        if !self.dtype().is_integer() || !other.dtype().is_integer() {
            let error = Error::program(format!("{} and {} are not integers", self.ty(), other.ty()));
            fail(with_context(error.op("gcd").at(Location::caller())));
        }
        // The operands promoted to one dtype and broadcast to one shape.
        let zero = (self & &other).zeros_like();
        let step = |(a, b): &(Array, Array)| {
            let done = b.eq(0);
            let rest = a % where_(&done, 1, b);
            (where_(&done, a, b), where_(&done, 0, rest))
        };
        let start = (self.abs() + &zero, other.abs() + &zero);
        while_loop(|(_, b): &(Array, Array)| b.ne(0).any(..), step, &start).0
    }

    /// The least common multiple of integers, not negative; zero where one of them is.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[12i32, -8, 0]).lcm(18).to_vec::<i32>()?, [36, 72, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn lcm(&self, other: impl IntoOperand) -> Array {
        let other = other.into_operand().beside(self);
        let divisor = self.gcd(&other);
        let divisor = where_(&divisor.eq(0), 1, divisor);
        (self.abs().floor_divide(&divisor) * other.abs()).abs()
    }

    /// Truth values, or integers that are not zero, as bits of bytes along an axis; zeros fill up the last byte.
    ///
    /// # Errors
    ///
    /// A program error unless the elements are truth values or integers.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::BitOrder};
    /// assert_eq!(Array::from_slice(&[1u8, 0, 1]).packbits(0, BitOrder::Big).to_vec::<u8>()?, [160]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn packbits(&self, axis: isize, order: BitOrder) -> Array {
        if self.dtype() != DType::Bool && !self.dtype().is_integer() {
            let error = Error::program(format!("{} has no bits to pack", self.ty()));
            fail(with_context(error.op("packbits").at(Location::caller()).help("compare it with zero")));
        }
        let axis = resolve("packbits", self, axis, self.rank());
        let bits = self.ne(0).astype(DType::U8).moveaxis(axis as isize, -1);
        let shape = bits.shape();
        let (lead, n) = (&shape[..self.rank() - 1], shape[self.rank() - 1]);
        let fill = Array::zeros_of(bits.ty().with_dims([lead, &[n.next_multiple_of(8) - n]].concat()));
        let bits = concatenate(&[&bits, &fill], -1).reshaped(&[lead, &[n.div_ceil(8), 8]].concat());
        bits.shift_left(order.shifts()).sum(-1).astype(DType::U8).moveaxis(-1, axis as isize)
    }

    /// The bits of bytes along an axis, which becomes eight times as long.
    ///
    /// # Errors
    ///
    /// A program error unless the dtype is `u8`.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::BitOrder};
    /// let bits = Array::from_slice(&[5u8]).unpackbits(0, BitOrder::Little);
    /// assert_eq!(bits.to_vec::<u8>()?, [1, 0, 1, 0, 0, 0, 0, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn unpackbits(&self, axis: isize, order: BitOrder) -> Array {
        if self.dtype() != DType::U8 {
            let error = Error::program(format!("{} are not bytes", self.ty()));
            fail(with_context(error.op("unpackbits").at(Location::caller()).help("bytes are u8")));
        }
        let axis = resolve("unpackbits", self, axis, self.rank());
        let bytes = self.moveaxis(axis as isize, -1);
        let mut shape = bytes.shape().to_vec();
        let bits = bytes.expand_dims(-1).shift_right(order.shifts()) & 1;
        shape[self.rank() - 1] *= 8;
        bits.reshaped(&shape).moveaxis(-1, axis as isize)
    }

    /// The mantissas, of magnitude in `[1/2, 1)`, and the exponents `i32` of floats: `x = mantissa 2^exponent`. Zeros, infinities
    /// and NaN are their own mantissas, with exponent zero.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (mantissa, exponent) = Array::from_slice(&[6.0f32]).frexp();
    /// assert_eq!((mantissa.to_vec::<f32>()?, exponent.to_vec::<i32>()?), (vec![0.75], vec![3]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn frexp(&self) -> (Array, Array) {
        let x = self.inexact();
        let exponent = parts(&x).1;
        let rule = |x: &Array, dx: &Array| {
            let (mantissa, exponent) = parts(x);
            let scale = (-exponent.astype(x.dtype())).exp2();
            (mantissa, dx * scale)
        };
        (custom_jvp(|x: &Array| parts(x).0, rule)(&x), exponent)
    }

    /// The distance to the next float farther from zero, with the sign of the number; NaN of infinities.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, -2.0]).spacing().to_vec::<f32>()?, [1.1920929e-7, -2.3841858e-7]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn spacing(&self) -> Array {
        let x = self.inexact();
        let away = where_(&x.signbit(), f64::NEG_INFINITY, x.full_like(f64::INFINITY));
        let step = x.nextafter(&away) - &x;
        where_(&x.isfinite(), step, f64::NAN)
    }
}

/// The mantissas and exponents of floats: see [`Array::frexp`].
#[track_caller]
fn parts(x: &Array) -> (Array, Array) {
    let (bits, digits) = match x.dtype() {
        DType::F64 => (DType::I64, 52),
        DType::F32 => (DType::I32, 23),
        DType::BF16 => (DType::I16, 7),
        DType::F16 => (DType::I16, 10),
        _ => {
            let error = Error::program(format!("{} has no mantissa", x.ty()));
            fail(with_context(error.op("frexp").at(Location::caller())))
        }
    };
    let mask = (1i64 << (bits.bits() - 1 - digits)) - 1;
    // Numbers with a leading zero are scaled up to have an exponent.
    let small = x.abs().lt(2f64.powi(2 - (mask as i32 + 1) / 2));
    let scaled = where_(&small, x * (2f64.powi(digits as i32 + 1)), x);
    let raw = scaled.bitcast(bits);
    let exponent = raw.shift_right(digits as i64) & mask;
    // The exponent bits of numbers in [1/2, 1).
    let half = (mask - 3) / 2;
    let mantissa = ((raw & !(mask << digits)) | (half << digits)).bitcast(x.dtype());
    let exponent =
        exponent.astype(DType::I32) - half - where_(&small, digits as i64 + 1, Array::scalar(0i32));
    let same = x.eq(0) | !x.isfinite();
    (where_(&same, x, mantissa), where_(&same, 0, exponent))
}
