//! Spectra of segments of a signal (Welch, The use of fast Fourier transform for the estimation of power spectra, 1967).

use std::f64::consts::PI;

use jarrah_array::library::{resolve, with_context};
use jarrah_array::{Array, Number, broadcast_shapes, concatenate, fail, fft, lax, promote_types, where_};
use jarrah_base::{DType, Error, Location};

use super::detrend::{Detrend, detrend};

/// The elements by which a signal is continued, half a segment on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// Nothing: it is not continued.
    None,
    /// Zeros.
    Zeros,
    /// The element at the end.
    Constant,
    /// The mirror image.
    Even,
    /// The mirror image through the point at the end.
    Odd,
}

/// The divisor of the square of a spectrum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scaling {
    /// The sampling rate and the sum of the squares of the window: power by frequency.
    Density,
    /// The square of the sum of the window: power.
    Spectrum,
}

/// How a signal is cut into segments and these are transformed; made by [`segments`].
///
/// ```
/// use jarrah_science::signal::{self, Boundary, Detrend, Scaling};
/// use jarrah_array::Array;
/// let x = Array::ones(&[20, 2]);
/// let segments = signal::segments(8).axis(0).rate(4.0).overlap(6).window(&Array::ones(&[8])).fft_length(16);
/// let whole = segments.detrend(Detrend::None).boundary(Boundary::None).unpadded().two_sided();
/// // 16 frequencies of both signs; 7 segments, 2 elements apart, the first around 4 elements, one unit of time.
/// let (frequencies, times, z) = whole.stft(&x);
/// assert_eq!(frequencies.size(), 16);
/// assert_eq!(z.shape(), [16, 2, 7]);
/// assert_eq!(times.to_vec::<f32>()?[..2], [1.0, 1.5]);
/// let (_, power) = whole.scaling(Scaling::Spectrum).welch(&x);
/// assert_eq!(power.index((0, 0)).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "its methods are the spectra"]
pub struct SpectrumSegments {
    length: Option<usize>,
    rate: f64,
    overlap: Option<usize>,
    fft_length: Option<usize>,
    window: Option<Array>,
    detrend: Option<Detrend>,
    scaling: Scaling,
    boundary: Boundary,
    padded: bool,
    two_sided: bool,
    axis: isize,
}

/// Segments of `length` elements, neighbours overlapping by half, each times [`hann`]'s window.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let x = Array::ones(&[100]);
/// let (frequencies, times, z) = signal::segments(16).rate(8.0).stft(&x);
/// assert_eq!((frequencies.size(), times.size()), (9, 14));
/// assert_eq!(z.shape(), [9, 14]);
/// ```
pub fn segments(length: usize) -> SpectrumSegments {
    SpectrumSegments { length: Some(length), ..defaults() }
}

fn defaults() -> SpectrumSegments {
    SpectrumSegments {
        length: None,
        rate: 1.0,
        overlap: None,
        fft_length: None,
        window: None,
        detrend: None,
        scaling: Scaling::Density,
        boundary: Boundary::Zeros,
        padded: true,
        two_sided: false,
        axis: -1,
    }
}

/// The window `sin^2(pi k / n)` for `k` in `0..n`, `f32`; of one element, 1.
///
/// ```
/// use jarrah_science::signal;
/// assert_eq!(signal::hann(2).to_vec::<f32>()?, [0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hann(n: usize) -> Array {
    hann_of(n, DType::F32)
}

#[track_caller]
fn hann_of(n: usize, dtype: DType) -> Array {
    if n == 1 {
        return Array::full(&[1], 1.0, dtype);
    }
    (lax::iota(dtype, &[n], 0) * (PI / n as f64)).sin().square()
}

/// The short-time Fourier transform along the last axis, of segments of 256 elements: [`SpectrumSegments::stft`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let (frequencies, times, z) = signal::stft(&Array::ones(&[512]));
/// assert_eq!(times.to_vec::<f32>()?, [0.0, 128.0, 256.0, 384.0, 512.0]);
/// assert_eq!(frequencies.size(), 129);
/// assert_eq!(z.shape(), [129, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn stft(x: &Array) -> (Array, Array, Array) {
    defaults().stft(x)
}

/// The inverse of [`stft`]: [`SpectrumSegments::istft`], of segments of the length that the frequencies say.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let x = (Array::arange(512) * 0.1).sin();
/// let (_, _, z) = signal::stft(&x);
/// let (times, again) = signal::istft(&z);
/// assert_eq!(times.size(), 512);
/// assert!(again.allclose(x, 0.0, 1e-5).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn istft(z: &Array) -> (Array, Array) {
    defaults().istft(z)
}

/// The power spectral density along the last axis, of segments of 256 elements: [`SpectrumSegments::welch`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let x = (Array::arange(1024) * (std::f64::consts::PI / 4.0)).sin();
/// let (frequencies, power) = signal::welch(&x);
/// assert_eq!(frequencies.take(&power.argmax(0), 0).item::<f32>()?, 0.125);
/// // Its integral is the variance, one half.
/// assert!((power.sum(0).item::<f32>()? / 256.0 - 0.5).abs() < 1e-3);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn welch(x: &Array) -> (Array, Array) {
    defaults().welch(x)
}

/// The cross spectral density along the last axis, of segments of 256 elements: [`SpectrumSegments::csd`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let x = (Array::arange(1024) * 0.3).sin();
/// let (_, density) = signal::csd(&x, &(&x * 2.0));
/// let (_, power) = signal::welch(&x);
/// assert!(density.real().allclose(power * 2.0, 1e-4, 1e-6).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn csd(x: &Array, y: &Array) -> (Array, Array) {
    defaults().csd(x, y)
}

impl SpectrumSegments {
    /// How many elements there are in a unit of time; 1 unless given.
    pub fn rate(self, rate: f64) -> SpectrumSegments {
        SpectrumSegments { rate, ..self }
    }

    /// By how many elements neighbours overlap.
    pub fn overlap(self, overlap: usize) -> SpectrumSegments {
        SpectrumSegments { overlap: Some(overlap), ..self }
    }

    /// The length of the transforms, before which segments are padded with zeros.
    pub fn fft_length(self, length: usize) -> SpectrumSegments {
        SpectrumSegments { fft_length: Some(length), ..self }
    }

    /// The window that multiplies each segment, a vector of its length.
    pub fn window(self, window: &Array) -> SpectrumSegments {
        SpectrumSegments { window: Some(window.clone()), ..self }
    }

    /// The trend that is subtracted from each segment: unless given, nothing in [`SpectrumSegments::stft`] and the mean in the others.
    pub fn detrend(self, trend: Detrend) -> SpectrumSegments {
        SpectrumSegments { detrend: Some(trend), ..self }
    }

    /// The scale of [`SpectrumSegments::welch`] and [`SpectrumSegments::csd`]; [`Scaling::Density`] unless given.
    pub fn scaling(self, scaling: Scaling) -> SpectrumSegments {
        SpectrumSegments { scaling, ..self }
    }

    /// The elements by which [`SpectrumSegments::stft`] continues the signal; [`Boundary::Zeros`] unless given. [`SpectrumSegments::istft`] drops
    /// them again.
    pub fn boundary(self, boundary: Boundary) -> SpectrumSegments {
        SpectrumSegments { boundary, ..self }
    }

    /// Elements that do not fill a last segment are dropped; else [`SpectrumSegments::stft`] adds zeros.
    pub fn unpadded(self) -> SpectrumSegments {
        SpectrumSegments { padded: false, ..self }
    }

    /// Negative frequencies are there too, as they always are for complex signals.
    pub fn two_sided(self) -> SpectrumSegments {
        SpectrumSegments { two_sided: true, ..self }
    }

    /// The axis of time; the last one unless given.
    pub fn axis(self, axis: isize) -> SpectrumSegments {
        SpectrumSegments { axis, ..self }
    }

    /// The transforms of the segments: `(frequencies, times, z)`. `z` has the frequencies in place of the axis of time and the
    /// times, which are the middles of the segments, as its last axis. Segments are divided by the sum of the window, so a wave
    /// of amplitude 1 is 1/2 at its frequency.
    ///
    /// # Errors
    ///
    /// A program error if segments have no element, do not fit the window, the overlap or the transform, or the signal is too
    /// short for its [`Boundary`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::signal::{self, Boundary};
    /// let x = Array::from_slice(&[1.0f32, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0]);
    /// let segments = signal::segments(4).window(&Array::ones(&[4])).overlap(0).boundary(Boundary::None);
    /// let (frequencies, times, z) = segments.stft(&x);
    /// assert_eq!(frequencies.to_vec::<f32>()?, [0.0, 0.25, 0.5]);
    /// assert_eq!(times.to_vec::<f32>()?, [2.0, 6.0]);
    /// assert_eq!(z.real().to_vec::<f32>()?, [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn stft(&self, x: &Array) -> (Array, Array, Array) {
        let at = resolve("stft", x, self.axis, x.rank());
        let x = lax::move_axis(&x.inexact(), at, x.rank() - 1);
        let plan = self.plan("stft", &x, Detrend::None);
        let half = plan.length / 2;
        let continued = match self.boundary {
            Boundary::None => x,
            _ => self.continued(&x, half),
        };
        let mut continued = continued;
        if self.padded {
            let short = continued.shape()[at_last(&continued)].saturating_sub(plan.length) % plan.step;
            let missing = if short == 0 { 0 } else { plan.step - short };
            continued = padded(&continued, missing % plan.length);
        }
        let z = plan.transformed(&continued) * plan.scale(Scaling::Spectrum).sqrt();
        let count = z.shape()[z.rank() - 2];
        let first = if self.boundary == Boundary::None { plan.length as f64 / 2.0 } else { 0.0 };
        let steps = lax::iota(plan.window.dtype().real(), &[count], 0);
        let times = (steps * plan.step as f64 + first) / self.rate;
        (plan.frequencies(), times, plan.placed(&z, at))
    }

    /// The signal of which `z`, `[.., frequencies, times]`, is the transform by [`SpectrumSegments::stft`]: `(times, x)`.
    ///
    /// Segments are added up where they overlap and divided by the sum of the squares of their windows.
    ///
    /// # Errors
    ///
    /// A program error unless `z` has two axes, and as [`SpectrumSegments::stft`].
    ///
    /// ```
    /// use jarrah_array::{Array, c64};
    /// use jarrah_science::signal::{self, Boundary};
    /// let z = Array::new(&[c64::new(0.0, 0.0), c64::new(0.5, 0.0), c64::new(0.0, 0.0)], &[3, 1]);
    /// let segments = signal::segments(4).window(&Array::ones(&[4])).overlap(0).boundary(Boundary::None);
    /// let (times, x) = segments.istft(&z);
    /// assert_eq!(times.to_vec::<f32>()?, [0.0, 1.0, 2.0, 3.0]);
    /// assert_eq!(x.to_vec::<f32>()?, [1.0, 0.0, -1.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn istft(&self, z: &Array) -> (Array, Array) {
        if z.rank() < 2 {
            let error = Error::program(format!("{} has no axes of frequencies and times", z.ty()));
            fail(with_context(error.op("istft").at(Location::caller())));
        }
        let z = lax::move_axis(z, z.rank() - 1, z.rank() - 2);
        let bins = z.shape()[z.rank() - 1];
        let whole = if self.two_sided { bins } else { 2 * bins.saturating_sub(1) };
        let length = self.length.unwrap_or(whole);
        let odd = !self.two_sided && length == whole + 1;
        let fft_length = self.fft_length.unwrap_or(if odd { length } else { whole });
        let over = fft::over(-1).lengths([fft_length]);
        let parts = if self.two_sided { over.ifft(&z) } else { over.irfft(&z) };
        let (step, window) = self.cut("istft", length, fft_length, parts.dtype().real());
        let parts = parts.slice(-1, ..length) * &window * window.sum(-1);
        let count = parts.shape()[parts.rank() - 2];
        let squares = window.conj() * &window;
        let weights = overlapped(&squares.real().broadcast_to(&[count, length]), step);
        let mut x = overlapped(&parts, step);
        let mut weights = weights;
        if self.boundary != Boundary::None {
            let (half, all) = (length / 2, weights.size());
            let kept = half..all.saturating_sub(half).max(half);
            (x, weights) = (x.slice(-1, kept.clone()), weights.slice(-1, kept));
        }
        let x = x / where_(&weights.gt(1e-10), &weights, 1.0);
        let times = lax::iota(x.dtype().real(), &[weights.size()], 0) / self.rate;
        let at = resolve("istft", &x, self.axis, x.rank());
        (times, lax::move_axis(&x, x.rank() - 1, at))
    }

    /// The power spectral density, the mean over segments of the squares of their transforms: `(frequencies, power)`, the
    /// frequencies in place of the axis of time.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::signal;
    /// let x = (Array::arange(64) * 0.785).sin();
    /// let (frequencies, power) = signal::segments(16).welch(&x);
    /// assert_eq!(frequencies.take(&power.argmax(0), 0).item::<f32>()?, 0.125);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn welch(&self, x: &Array) -> (Array, Array) {
        let at = resolve("welch", x, self.axis, x.rank());
        let x = lax::move_axis(&x.inexact(), at, x.rank() - 1);
        let plan = self.plan("welch", &x, Detrend::Constant);
        let z = plan.transformed(&x);
        let power = z.real().square() + z.imag().square();
        let power = plan.folded(&(power * plan.scale(self.scaling))).mean(-2);
        let last = power.rank() - 1;
        (plan.frequencies(), lax::move_axis(&power, last, at))
    }

    /// The cross spectral density of two signals, the mean over segments of `conj(X) Y` of their transforms:
    /// `(frequencies, density)`, complex. The shorter signal is continued with zeros.
    ///
    /// # Errors
    ///
    /// A program error if the other axes do not broadcast, and as [`SpectrumSegments::stft`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::signal;
    /// let (x, y) = (Array::from_slice(&[1.0f32, 0.0, -1.0, 0.0]), Array::from_slice(&[0.0f32, 1.0, 0.0, -1.0]));
    /// let (_, density) = signal::segments(4).window(&Array::ones(&[4])).overlap(0).csd(&x, &y);
    /// // `y` is a quarter of a period late.
    /// assert_eq!(density.real().to_vec::<f32>()?, [0.0, 0.0, 0.0]);
    /// assert_eq!(density.imag().to_vec::<f32>()?, [0.0, -2.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn csd(&self, x: &Array, y: &Array) -> (Array, Array) {
        let dtype = promote_types(x.dtype(), y.dtype());
        let (x, y) = (x.astype(dtype).inexact(), y.astype(dtype).inexact());
        let (at, of_y) = (resolve("csd", &x, self.axis, x.rank()), resolve("csd", &y, self.axis, y.rank()));
        let (x, y) = (lax::move_axis(&x, at, x.rank() - 1), lax::move_axis(&y, of_y, y.rank() - 1));
        let (m, n) = (x.shape()[at_last(&x)], y.shape()[at_last(&y)]);
        if x.rank() != y.rank()
            || broadcast_shapes(&x.shape()[..x.rank() - 1], &y.shape()[..y.rank() - 1]).is_none()
        {
            let error = Error::program(format!("{} and {} do not broadcast", x.ty(), y.ty()));
            fail(with_context(error.op("csd").at(Location::caller())));
        }
        let plan = self.plan("csd", &x, Detrend::Constant);
        let (x, y) = (padded(&x, n.saturating_sub(m)), padded(&y, m.saturating_sub(n)));
        let product = plan.transformed(&x).conj() * plan.transformed(&y) * plan.scale(self.scaling);
        let density = plan.folded(&product).mean(-2);
        let last = density.rank() - 1;
        (plan.frequencies(), lax::move_axis(&density, last, at))
    }

    /// The step from a segment to the next, and the window.
    #[track_caller]
    fn cut(&self, op: &str, length: usize, fft_length: usize, dtype: DType) -> (usize, Array) {
        let overlap = self.overlap.unwrap_or(length / 2);
        let window = match &self.window {
            Some(window) => window.clone(),
            None => hann_of(length, dtype),
        };
        let wrong = if length == 0 {
            Some("segments have no element".to_owned())
        } else if overlap >= length {
            Some(format!("segments of {length} elements overlap by {overlap}"))
        } else if fft_length < length {
            Some(format!("segments of {length} elements do not fit transforms of {fft_length}"))
        } else if window.shape() != [length] {
            Some(format!("the window {} is not one of {length} elements", window.ty()))
        } else {
            None
        };
        if let Some(message) = wrong {
            fail(with_context(Error::program(message).op(op).at(Location::caller())));
        }
        (length - overlap, window)
    }

    /// The plan for a signal whose last axis is that of time.
    #[track_caller]
    fn plan(&self, op: &str, x: &Array, trend: Detrend) -> Plan {
        let given = self.window.as_ref().map(Array::size);
        let extent = x.shape()[at_last(x)];
        let length = self.length.or(given).unwrap_or(256).min(given.unwrap_or(extent));
        let fft_length = self.fft_length.unwrap_or(length);
        let (step, window) = self.cut(op, length, fft_length, x.dtype().real());
        let one_sided = !self.two_sided && !x.dtype().is_complex();
        let detrend = self.detrend.unwrap_or(trend);
        Plan { length, step, fft_length, window, detrend, one_sided, rate: self.rate }
    }

    /// `x` continued by `n` elements on both sides of the last axis.
    #[track_caller]
    fn continued(&self, x: &Array, n: usize) -> Array {
        let extent = x.shape()[at_last(x)];
        let mirrored = matches!(self.boundary, Boundary::Even | Boundary::Odd);
        if n == 0 || extent == 0 || mirrored && n >= extent {
            if n == 0 {
                return x.clone();
            }
            let error = Error::program(format!("{} is too short to be continued by {n} elements", x.ty()));
            fail(with_context(error.op("stft").at(Location::caller()).help("use shorter segments")));
        }
        let (first, last) = (x.slice(-1, ..1), x.slice(-1, extent - 1..));
        let mut shape = x.shape().to_vec();
        shape[x.rank() - 1] = n;
        let mirror = || (x.slice(-1, 1..n + 1).flip(-1), x.slice(-1, extent - 1 - n..extent - 1).flip(-1));
        let (before, after) = match self.boundary {
            Boundary::None | Boundary::Zeros => {
                let zeros = Array::full(&shape, Number::Integer(0), x.dtype());
                (zeros.clone(), zeros)
            }
            Boundary::Constant => (first.broadcast_to(&shape), last.broadcast_to(&shape)),
            Boundary::Even => mirror(),
            Boundary::Odd => {
                let (before, after) = mirror();
                (first * 2.0 - before, last * 2.0 - after)
            }
        };
        concatenate(&[&before, x, &after], -1)
    }
}

/// How one signal is cut and transformed.
struct Plan {
    length: usize,
    step: usize,
    fft_length: usize,
    window: Array,
    detrend: Detrend,
    one_sided: bool,
    rate: f64,
}

impl Plan {
    /// The transforms of the segments, `[.., segments, frequencies]`.
    #[track_caller]
    fn transformed(&self, x: &Array) -> Array {
        let extent = x.shape()[at_last(x)];
        let count = (extent + self.step).saturating_sub(self.length) / self.step;
        let shape = [count, self.length];
        let places = lax::iota(DType::I32, &shape, 0) * self.step as i64 + lax::iota(DType::I32, &shape, 1);
        let parts = lax::take(x, &places, x.rank() - 1);
        let parts = detrend(&parts, self.detrend, -1) * &self.window;
        let over = fft::over(-1).lengths([self.fft_length]);
        if self.one_sided { over.rfft(&parts.real()) } else { over.fft(&parts) }
    }

    /// The factor of the square of a transform.
    #[track_caller]
    fn scale(&self, scaling: Scaling) -> Array {
        match scaling {
            Scaling::Density => 1.0 / ((&self.window * &self.window).sum(-1) * self.rate),
            Scaling::Spectrum => 1.0 / self.window.sum(-1).square(),
        }
    }

    /// The powers of negative frequencies added to those of positive ones, where only these are kept. The mean has no
    /// partner, nor has the highest frequency of an even number.
    #[track_caller]
    fn folded(&self, power: &Array) -> Array {
        if !self.one_sided {
            return power.clone();
        }
        let bins = power.shape()[at_last(power)];
        let place = Array::arange(bins);
        let alone = place.eq(0) | (place * 2).eq(self.fft_length);
        power * where_(&alone, 1.0, 2.0).astype(power.dtype())
    }

    #[track_caller]
    fn frequencies(&self) -> Array {
        let make = if self.one_sided { fft::rfftfreq_in } else { fft::fftfreq_in };
        make(self.fft_length, 1.0 / self.rate, self.window.dtype().real())
    }

    /// `[.., segments, frequencies]` with the frequencies at the axis `at` and the segments last.
    #[track_caller]
    fn placed(&self, z: &Array, at: usize) -> Array {
        let z = lax::move_axis(z, z.rank() - 2, z.rank() - 1);
        lax::move_axis(&z, z.rank() - 2, at)
    }
}

fn at_last(x: &Array) -> usize {
    x.rank() - 1
}

/// `x` followed by `n` zeros along the last axis.
#[track_caller]
fn padded(x: &Array, n: usize) -> Array {
    if n == 0 {
        return x.clone();
    }
    let (low, mut high) = (vec![0; x.rank()], vec![0; x.rank()]);
    high[x.rank() - 1] = n as i64;
    lax::pad(x, &Array::full(&[], Number::Integer(0), x.dtype()), &low, &high)
}

/// The sums of segments, `[.., count, length]`, that begin `step` elements apart.
#[track_caller]
fn overlapped(parts: &Array, step: usize) -> Array {
    let rank = parts.rank();
    let (count, length) = (parts.shape()[rank - 2], parts.shape()[rank - 1]);
    let size = (count * step + length).saturating_sub(step);
    let shape = [count, length];
    let places = lax::iota(DType::I32, &shape, 0) * step as i64 + lax::iota(DType::I32, &shape, 1);
    let lead = parts.shape()[..rank - 2].to_vec();
    let flat = parts.reshape(&[&lead[..], &[count * length]].concat());
    let updates = lax::move_axis(&flat, rank - 2, 0);
    let sums = Array::full(&[&[size], &lead[..]].concat(), Number::Integer(0), parts.dtype());
    let sums = lax::scatter_add(&sums, &places.reshape(&[-1]), &updates);
    lax::move_axis(&sums, 0, rank - 2)
}
