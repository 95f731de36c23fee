use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Fft, FftKind};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::numpy::{IntoAxes, resolve};
use crate::operators::inexact_type;
use crate::trace::apply_one;

/// The direction that has the factor `1 / n`, where `n` is the product of the lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Norm {
    /// In the inverse transform.
    #[default]
    Backward,
    /// The factor `1 / sqrt(n)` in both directions, which makes both transforms unitary.
    Ortho,
    /// In the forward transform.
    Forward,
}

/// The axes of a transform, their lengths and its factor; made by [`over`].
///
/// ```
/// use jarrah_array::{Array, fft::{self, Norm}};
/// // Two elements padded with two zeros, the sum divided by 4.
/// let y = fft::over(0).lengths([4]).norm(Norm::Forward).fft(&Array::from_slice(&[8.0f32, 4.0]));
/// assert_eq!(y.real().to_vec::<f32>()?, [3.0, 2.0, 1.0, 2.0]);
/// assert_eq!(y.imag().to_vec::<f32>()?, [0.0, -1.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "its methods are the transforms"]
pub struct Over {
    axes: Vec<isize>,
    lengths: Option<Vec<usize>>,
    norm: Norm,
}

/// Transforms along axes, of which the last is the one that [`Over::rfft`] halves.
///
/// ```
/// use jarrah_array::{Array, fft};
/// let x = Array::ones(&[4, 5, 6]);
/// assert_eq!(fft::over([0, 1]).rfft(&x).shape(), [4, 3, 6]);
/// assert_eq!(fft::over(1).lengths([8]).fft(&x).shape(), [4, 8, 6]);
/// ```
pub fn over(axes: impl IntoAxes) -> Over {
    Over { axes: axes.into_axes(), lengths: None, norm: Norm::Backward }
}

impl Over {
    /// The lengths of the transform, one for each axis, on the side that has all elements; longer axes are cut and shorter
    /// ones padded with zeros. Without them lengths are the extents, for [`Over::irfft`] and [`Over::hfft`] twice the last
    /// extent less one.
    pub fn lengths(self, lengths: impl Into<Vec<usize>>) -> Over {
        Over { lengths: Some(lengths.into()), ..self }
    }

    /// Sets the convention for the factor; the default is [`Norm::Backward`].
    pub fn norm(self, norm: Norm) -> Over {
        Over { norm, ..self }
    }

    /// The transform, of complex numbers or of real ones as complex numbers.
    ///
    /// # Errors
    ///
    /// A program error if an axis is not there, named twice or without elements, or there are other than one length for each
    /// axis.
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::over(0).fft(&Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]));
    /// assert_eq!(y.real().to_vec::<f32>()?, [4.0, 6.0, -2.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fft(&self, x: &Array) -> Array {
        self.transformed("fft", FftKind::Fft, &complex(x))
    }

    /// The inverse of [`Over::fft`], `x_j = sum over k of y_k e^(2 pi i j k / n) / n`; its errors are the same.
    ///
    /// ```
    /// use jarrah_array::{Array, fft::{self, Norm}};
    /// let y = Array::from_slice(&[4.0f32, 0.0, 0.0, 0.0]);
    /// assert_eq!(fft::over(0).ifft(&y).real().to_vec::<f32>()?, [1.0; 4]);
    /// assert_eq!(fft::over(0).norm(Norm::Ortho).ifft(&y).real().to_vec::<f32>()?, [2.0; 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ifft(&self, x: &Array) -> Array {
        self.transformed("ifft", FftKind::Ifft, &complex(x))
    }

    /// The transform of real numbers: along the last of the axes the elements `0..=n / 2`, of which the others are mirror
    /// images.
    ///
    /// # Errors
    ///
    /// A program error for complex numbers and floats of 16 bits, and as [`Over::fft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::over(0).rfft(&Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]));
    /// assert_eq!(y.real().to_vec::<f32>()?, [10.0, -2.0, -2.0]);
    /// assert_eq!(y.imag().to_vec::<f32>()?, [0.0, 2.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rfft(&self, x: &Array) -> Array {
        let x = x.inexact();
        if !matches!(x.dtype(), DType::F32 | DType::F64) {
            let error = Error::program(format!("transforms f32 and f64, the operand is {}", x.ty()));
            let help = match x.dtype().is_complex() {
                true => "complex numbers go into fft",
                false => "convert it with astype",
            };
            fail(with_context(error.op("rfft").at(Location::caller()).help(help)));
        }
        self.transformed("rfft", FftKind::Rfft, &x)
    }

    /// The inverse of [`Over::rfft`], real. Imaginary parts that no real numbers have are not read.
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = Array::from_slice(&[1.0f32, 2.0, 4.0]);
    /// let y = fft::over(0).rfft(&x);
    /// assert!(fft::over(0).lengths([3]).irfft(&y).allclose(x, 0.0, 1e-6).item::<bool>()?);
    /// // Two elements may come of two real numbers or of three.
    /// assert_eq!(fft::over(0).irfft(&y).shape(), [2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn irfft(&self, x: &Array) -> Array {
        self.transformed("irfft", FftKind::Irfft, &complex(x))
    }

    /// The real inverse transform of numbers of which only the elements `0..=n / 2` are given: the others are their conjugate
    /// mirror images.
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    /// assert_eq!(fft::over(0).hfft(&x).to_vec::<f32>()?, [8.0, -2.0, 0.0, -2.0]);
    /// // Of five elements, 1, 2, 3, 3, 2, the sum is 11.
    /// assert_eq!(fft::over(0).lengths([5]).hfft(&x).index(0).round_to(4).item::<f32>()?, 11.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn hfft(&self, x: &Array) -> Array {
        self.inverted().transformed("hfft", FftKind::Irfft, &complex(x).conj())
    }

    /// The inverse of [`Over::hfft`], of real numbers.
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::over(0).ihfft(&Array::from_slice(&[8.0f32, -2.0, 0.0, -2.0]));
    /// assert_eq!(x.real().to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ihfft(&self, x: &Array) -> Array {
        self.inverted().rfft(x).conj()
    }

    /// With the factor of the opposite direction.
    fn inverted(&self) -> Over {
        let norm = match self.norm {
            Norm::Backward => Norm::Forward,
            Norm::Ortho => Norm::Ortho,
            Norm::Forward => Norm::Backward,
        };
        self.clone().norm(norm)
    }

    /// The axes, as numbers from 0.
    #[track_caller]
    pub(super) fn resolved(&self, op: &str, x: &Array) -> Vec<usize> {
        let mut axes = Vec::with_capacity(self.axes.len());
        for &axis in &self.axes {
            let axis = resolve(op, x, axis, x.rank());
            if axes.contains(&axis) {
                let error = Error::program(format!("axis {axis} of {} is named twice", x.ty()));
                fail(with_context(error.op(op).at(Location::caller())));
            }
            axes.push(axis);
        }
        axes
    }

    /// `x` cut or padded with zeros to the lengths that were given, if any were.
    #[track_caller]
    pub(super) fn resized(&self, op: &str, x: &Array, axes: &[usize], halved: bool) -> Array {
        let Some(lengths) = &self.lengths else { return x.clone() };
        if lengths.len() != axes.len() {
            let message = format!("lengths {lengths:?} are given for {} axes", axes.len());
            let error = Error::program(message).op(op).at(Location::caller());
            fail(with_context(error.help("give one length for each transformed axis")));
        }
        let (low, mut high) = (vec![0; x.rank()], vec![0; x.rank()]);
        for (i, (&axis, &length)) in axes.iter().zip(lengths).enumerate() {
            let wanted = if halved && i + 1 == axes.len() { length / 2 + 1 } else { length };
            high[axis] = wanted as i64 - x.shape()[axis] as i64;
        }
        let zero = Array::full(&[], 0, x.dtype());
        if high.iter().all(|&h| h == 0) { x.clone() } else { lax::pad(x, &zero, &low, &high) }
    }

    pub(super) fn factor(&self) -> Norm {
        self.norm
    }

    #[track_caller]
    fn transformed(&self, op: &str, kind: FftKind, x: &Array) -> Array {
        let axes = self.resolved(op, x);
        let x = self.resized(op, x, &axes, kind == FftKind::Irfft);
        if axes.is_empty() {
            return x;
        }
        let mut lengths: Vec<usize> = axes.iter().map(|&axis| x.shape()[axis]).collect();
        if kind == FftKind::Irfft {
            let n = lengths.len() - 1;
            lengths[n] = match &self.lengths {
                Some(given) => given[n],
                None => 2 * lengths[n].saturating_sub(1),
            };
        }
        if let Some(place) = lengths.iter().position(|&n| n == 0) {
            let message = format!("the transform along axis {} of {} has no element", axes[place], x.ty());
            fail(with_context(Error::program(message).op(op).at(Location::caller())));
        }
        let count: f64 = lengths.iter().map(|&n| n as f64).product();
        let forward = matches!(kind, FftKind::Fft | FftKind::Rfft);
        let factor = match (self.norm, forward) {
            (Norm::Backward, _) => 1.0,
            (Norm::Ortho, true) => 1.0 / count.sqrt(),
            (Norm::Ortho, false) => count.sqrt(),
            (Norm::Forward, true) => 1.0 / count,
            (Norm::Forward, false) => count,
        };
        let rest = axes.len().saturating_sub(3);
        let complex = if forward { FftKind::Fft } else { FftKind::Ifft };
        // The op takes up to three axes. The last three, among them the axis with half of the frequencies, are transformed first,
        // or last in the inverse real transform.
        let y = match kind {
            FftKind::Irfft => {
                let x = in_threes(complex, x, &axes[..rest], &lengths[..rest]);
                along(kind, &x, &axes[rest..], &lengths[rest..])
            }
            FftKind::Fft | FftKind::Ifft | FftKind::Rfft => {
                let y = along(kind, &x, &axes[rest..], &lengths[rest..]);
                in_threes(complex, y, &axes[..rest], &lengths[..rest])
            }
        };
        if factor == 1.0 { y } else { y * factor }
    }
}

/// Complex transforms along any number of axes.
#[track_caller]
fn in_threes(kind: FftKind, x: Array, axes: &[usize], lengths: &[usize]) -> Array {
    let mut y = x;
    for (axes, lengths) in axes.chunks(3).zip(lengths.chunks(3)) {
        y = along(kind, &y, axes, lengths);
    }
    y
}

/// The op along one to three axes.
#[track_caller]
fn along(kind: FftKind, x: &Array, axes: &[usize], lengths: &[usize]) -> Array {
    let mut order: Vec<usize> = (0..x.rank()).filter(|axis| !axes.contains(axis)).collect();
    order.extend(axes);
    let fft = Fft { kind, lengths: lengths.into() };
    let y = apply_one(fft, &[&lax::transpose(x, &order)]);
    let mut back = vec![0; order.len()];
    for (place, &axis) in order.iter().enumerate() {
        back[axis] = place;
    }
    lax::transpose(&y, &back)
}

/// `x` as complex numbers.
#[track_caller]
fn complex(x: &Array) -> Array {
    x.astype(complex_type(x))
}

/// The type of the parts of a transform of `x`.
pub(super) fn real_type(x: &Array) -> DType {
    complex_type(x).real()
}

fn complex_type(x: &Array) -> DType {
    let dtype = inexact_type(x.dtype()).accumulator();
    dtype.complex().unwrap_or(dtype)
}
