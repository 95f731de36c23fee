//! Cosine transforms of type II and their inverses, which are of type III (Makhoul, A fast cosine transform in one and two
//! dimensions, 1980).

use std::f64::consts::PI;

use jarrah_base::{DType, Error, Location};

use super::transform::{Norm, Over, over, real_type};
use crate::array::Array;
use crate::error::{fail, with_context};
use crate::{concatenate, lax};

/// The cosine transform of type II along the last axis: [`Over::dct`].
///
/// ```
/// use jarrah_array::{Array, fft};
/// let x = Array::from_slice(&[1.0f32, 1.0]);
/// assert_eq!(fft::dct(&x).to_vec::<f32>()?, [4.0, 0.0]);
/// assert_eq!(fft::idct(&fft::dct(&x)).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dct(x: &Array) -> Array {
    over(-1).dct(x)
}

/// The inverse of [`dct`].
///
/// ```
/// use jarrah_array::{Array, fft};
/// assert_eq!(fft::idct(&Array::from_slice(&[4.0f32, 0.0])).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn idct(x: &Array) -> Array {
    over(-1).idct(x)
}

/// The cosine transform of type II along all axes: [`Over::dct`].
///
/// ```
/// use jarrah_array::{Array, fft};
/// assert_eq!(fft::dctn(&Array::ones(&[2, 2])).round_to(4).to_vec::<f32>()?, [16.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dctn(x: &Array) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    over(&axes[..]).dct(x)
}

/// The inverse of [`dctn`].
///
/// ```
/// use jarrah_array::{Array, fft};
/// let x = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// assert!(fft::idctn(&fft::dctn(&x)).allclose(x, 0.0, 1e-6).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn idctn(x: &Array) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    over(&axes[..]).idct(x)
}

impl Over {
    /// The cosine transform of type II of real numbers, `y_k = 2 sum over j of x_j cos(pi k (2 j + 1) / (2 n))` along each of
    /// the axes; with [`Norm::Ortho`] times `1 / sqrt(2 n)`, and the first element times `1 / sqrt(4 n)`.
    ///
    /// # Errors
    ///
    /// A program error for complex numbers, for [`Norm::Forward`], and as [`Over::fft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft::{self, Norm}};
    /// let y = fft::over(0).norm(Norm::Ortho).dct(&Array::ones(&[4]));
    /// assert_eq!(y.round_to(4).to_vec::<f32>()?, [2.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn dct(&self, x: &Array) -> Array {
        let mut y = self.prepared("dct", x);
        for axis in self.resolved("dct", x) {
            y = back(&forward(&lax::move_axis(&y, axis, x.rank() - 1), self.factor()), axis);
        }
        y
    }

    /// The inverse of [`Over::dct`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft::{self, Norm}};
    /// let (over, x) = (fft::over(0).norm(Norm::Ortho), Array::from_slice(&[1.0f32, 2.0, 4.0]));
    /// assert!(over.idct(&over.dct(&x)).allclose(x, 0.0, 1e-6).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn idct(&self, x: &Array) -> Array {
        let mut y = self.prepared("idct", x);
        for axis in self.resolved("idct", x) {
            y = back(&backward(&lax::move_axis(&y, axis, x.rank() - 1), self.factor()), axis);
        }
        y
    }

    /// `x` as floats of the lengths.
    #[track_caller]
    fn prepared(&self, op: &str, x: &Array) -> Array {
        let message = match (x.dtype().is_complex(), self.factor()) {
            (true, _) => format!("transforms real numbers, the operand is {}", x.ty()),
            (false, Norm::Forward) => "a cosine transform has no factor of its own to move".to_owned(),
            (false, Norm::Backward | Norm::Ortho) => {
                let x = x.astype(real_type(x));
                return self.resized(op, &x, &self.resolved(op, &x), false);
            }
        };
        fail(with_context(Error::program(message).op(op).at(Location::caller())))
    }
}

#[track_caller]
fn back(x: &Array, axis: usize) -> Array {
    lax::move_axis(x, x.rank() - 1, axis)
}

/// `cos` and `sin` of `pi k / (2 n)`.
#[track_caller]
fn turns(n: usize, dtype: DType) -> (Array, Array) {
    let angle = lax::iota(dtype, &[n], 0) * (PI / (2.0 * n as f64));
    (angle.cos(), angle.sin())
}

/// The factors of the elements in an orthonormal transform: that of the first element differs.
#[track_caller]
fn scales(n: usize, dtype: DType) -> Array {
    let first = lax::iota(DType::I32, &[n], 0).eq(0);
    let (once, others) = ((0.25 / n as f64).sqrt(), (0.5 / n as f64).sqrt());
    crate::where_(&first, once, Array::full(&[], others, dtype))
}

/// Every other element from `first` on along the last axis.
#[track_caller]
fn every_other(x: &Array, first: usize) -> Array {
    let last = x.rank() - 1;
    let (mut starts, mut strides) = (vec![0; x.rank()], vec![1; x.rank()]);
    (starts[last], strides[last]) = (first.min(x.shape()[last]), 2);
    lax::slice(x, &starts, &x.shape(), &strides)
}

/// `y_k = 2 Re(e^(-i pi k / (2 n)) V_k)`, where `V` is the transform of the even elements followed by the odd ones in
/// opposite order.
#[track_caller]
fn forward(x: &Array, norm: Norm) -> Array {
    let n = x.shape()[x.rank() - 1];
    if n == 0 {
        return x.clone();
    }
    let v = concatenate(&[&every_other(x, 0), &every_other(x, 1).flip(-1)], -1);
    let v = over(-1).fft(&v);
    let (cos, sin) = turns(n, x.dtype());
    let y = (v.real() * cos + v.imag() * sin) * 2.0;
    if norm == Norm::Ortho { y * scales(n, x.dtype()) } else { y }
}

/// `V_k = e^(i pi k / (2 n)) (y_k - i y_(n-k)) / 2` with `y_n = 0`.
#[track_caller]
fn backward(y: &Array, norm: Norm) -> Array {
    let n = y.shape()[y.rank() - 1];
    if n == 0 {
        return y.clone();
    }
    let y = if norm == Norm::Ortho { y / scales(n, y.dtype()) } else { y.clone() };
    let first = y.slice(-1, 0..1);
    let mirrored = concatenate(&[&first.zeros_like(), &y.slice(-1, 1..).flip(-1)], -1);
    let (cos, sin) = turns(n, y.dtype());
    let real = (&y * &cos + &mirrored * &sin) * 0.5;
    let imaginary = (&y * &sin - &mirrored * &cos) * 0.5;
    let v = over(-1).ifft(&lax::complex(&real, &imaginary)).real();
    let half = n.div_ceil(2);
    let (even, odd) = (v.slice(-1, ..half), v.slice(-1, half..).flip(-1));
    // The even and the odd elements take turns.
    let zero = Array::full(&[], 0, v.dtype());
    let spaced = |x: &Array, low: i64| {
        let (mut lows, mut highs, mut interior) = (vec![0; v.rank()], vec![0; v.rank()], vec![0; v.rank()]);
        let last = v.rank() - 1;
        let count = x.shape()[last] as i64;
        (lows[last], interior[last]) = (low, 1);
        highs[last] = n as i64 - low - (2 * count - 1).max(0);
        lax::pad_interior(x, &zero, &lows, &highs, &interior)
    };
    if odd.size() == 0 { even } else { spaced(&even, 0) + spaced(&odd, 1) }
}
