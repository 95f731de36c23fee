//! `jax.scipy.signal`, and the convolutions of `jax.numpy`.
//!
//! Complex doubles are compared by their parts: files of goldens have no such type.

use jarrah_array::Array;
use jarrah_science::signal::{self, Boundary, Detrend, Mode, Scaling, segments};

use super::rows;

/// The frequencies and the parts of a spectrum.
fn parts((frequencies, z): (Array, Array)) -> [Array; 3] {
    [frequencies, z.real(), z.imag()]
}

fn stft_parts((frequencies, times, z): (Array, Array, Array)) -> [Array; 4] {
    [frequencies, times, z.real(), z.imag()]
}

rows! {
    // Convolutions.
    "scipy.signal.convolve": "jsp.signal.convolve(x, y)" => |x: all(5, 4), y: all(2, 3)| signal::convolve(x, y, Mode::Full);
    "scipy.signal.convolve": "jsp.signal.convolve(x, y, mode='same')" => |x: inexact(4), y: inexact(7)| signal::convolve(x, y, Mode::Same);
    "scipy.signal.convolve": "jsp.signal.convolve(x, y, mode='same', method='fft')", 4 => |x: wide(4, 3, 2), y: wide(2, 2, 2)| signal::fftconvolve(x, y, Mode::Same);
    "scipy.signal.convolve": "jsp.signal.convolve(x, y, mode='valid')" => |x: inexact(2, 3, 2), y: inexact(4, 5, 2)| signal::convolve(x, y, Mode::Valid);
    "scipy.signal.convolve2d": "jsp.signal.convolve2d(x, y)" => |x: all(4, 5), y: all(3, 2)| signal::convolve2d(x, y, Mode::Full);
    "scipy.signal.convolve2d": "jsp.signal.convolve2d(x, y, mode='same')" => |x: inexact(4, 5), y: inexact(3, 2)| signal::convolve2d(x, y, Mode::Same);
    "scipy.signal.convolve2d": "jsp.signal.convolve2d(x, y, mode='valid')" => |x: inexact(4, 5), y: inexact(3, 2)| signal::convolve2d(x, y, Mode::Valid);
    "scipy.signal.correlate": "jsp.signal.correlate(x, y)" => |x: all(5), y: all(3)| signal::correlate(x, y, Mode::Full);
    "scipy.signal.correlate": "jsp.signal.correlate(x, y, mode='same')" => |x: inexact(4, 5), y: inexact(2, 3)| signal::correlate(x, y, Mode::Same);
    "scipy.signal.correlate": "jsp.signal.correlate(x, y, mode='valid')" => |x: inexact(3), y: inexact(6)| signal::correlate(x, y, Mode::Valid);
    "scipy.signal.correlate2d": "jsp.signal.correlate2d(x, y)" => |x: numbers(4, 5), y: numbers(3, 2)| signal::correlate2d(x, y, Mode::Full);
    "scipy.signal.correlate2d": "jsp.signal.correlate2d(x[:2, :3], y)" => |x: inexact(3, 4), y: inexact(4, 3)| signal::correlate2d(&x.slice(0, ..2).slice(1, ..3), y, Mode::Full);
    "scipy.signal.correlate2d": "jsp.signal.correlate2d(x, y, mode='same')" => |x: inexact(4, 5), y: inexact(3, 2)| signal::correlate2d(x, y, Mode::Same);
    "scipy.signal.correlate2d": "jsp.signal.correlate2d(x, y, mode='valid')" => |x: inexact(4, 5), y: inexact(3, 2)| signal::correlate2d(x, y, Mode::Valid);
    "scipy.signal.correlate2d": "jsp.signal.correlate2d(y, x, mode='valid')" => |x: wide(4, 5), y: wide(3, 2)| signal::correlate2d(y, x, Mode::Valid);
    "scipy.signal.fftconvolve": "jsp.signal.fftconvolve(x, y)", 4 => |x: inexact(4, 3), y: inexact(2, 2)| signal::fftconvolve(x, y, Mode::Full);
    "scipy.signal.fftconvolve": "jsp.signal.fftconvolve(x, y, mode='valid', axes=1)", 4 => |x: inexact(2, 3), y: inexact(2, 5)| signal::fftconvolve_along(x, y, Mode::Valid, 1);
    "numpy.convolve": "jnp.convolve(x, y)" => |x: all(3), y: all(5)| x.convolve(y, Mode::Full);
    "numpy.convolve": "(jnp.convolve(x, y, mode='same'), jnp.convolve(y, x, mode='valid'))" => |x: inexact(5), y: inexact(4)| [x.convolve(y, Mode::Same), y.convolve(x, Mode::Valid)];
    "numpy.correlate": "jnp.correlate(x, y)" => |x: all(5), y: all(3)| x.correlate(y, Mode::Valid);
    "numpy.correlate": "(jnp.correlate(x, y, mode='same'), jnp.correlate(x, y, mode='full'))" => |x: inexact(6), y: inexact(4)| [x.correlate(y, Mode::Same), x.correlate(y, Mode::Full)];
    "numpy.correlate": "(jnp.correlate(y, x, mode='same'), jnp.correlate(y, x, mode='full'), jnp.correlate(y, x))" => |x: wide(6), y: wide(4)| [y.correlate(x, Mode::Same), y.correlate(x, Mode::Full), y.correlate(x, Mode::Valid)];

    // Trends.
    "scipy.signal.detrend": "jsp.signal.detrend(x)", 4 => |x: inexact(2, 7)| signal::detrend(x, Detrend::Linear, -1);
    "scipy.signal.detrend": "jsp.signal.detrend(x, axis=0, type='constant')" => |x: numbers(5, 2)| signal::detrend(x, Detrend::Constant, 0);
    "scipy.signal.detrend": "jsp.signal.detrend(x, axis=0, bp=[3, 6])", 4 => |x: wide(10, 2)| signal::detrend_pieces(x, Detrend::Linear, 0, &[3, 6]);

    // Spectra.
    "scipy.signal.stft": "(lambda f, t, z: (f, t, z.real, z.imag))(*jsp.signal.stft(x, nperseg=8))", 4 => |x: inexact(2, 29)| stft_parts(segments(8).stft(x));
    "scipy.signal.stft": "(lambda f, t, z: (f, t, z.real, z.imag))(*jsp.signal.stft(x, fs=4.0, nperseg=7, noverlap=5, nfft=9, detrend='linear', boundary='even', padded=False, axis=0))", 8 => |x: wide(20, 2)| {
        stft_parts(segments(7).rate(4.0).overlap(5).fft_length(9).detrend(Detrend::Linear).boundary(Boundary::Even).unpadded().axis(0).stft(x))
    };
    "scipy.signal.stft": "(lambda f, t, z: (f, t, z.real, z.imag))(*jsp.signal.stft(x, nperseg=6, boundary='odd', return_onesided=False))", 4 => |x: wide(20)| stft_parts(segments(6).boundary(Boundary::Odd).two_sided().stft(x));
    "scipy.signal.stft": "(lambda f, t, z: (f, t, z.real, z.imag))(*jsp.signal.stft(x, nperseg=6, boundary=None, window=y + 5))", 4 => |x: wide(20), y: wide(6)| stft_parts(segments(6).boundary(Boundary::None).window(&(y + 5.0)).stft(x));
    "scipy.signal.stft": "(lambda f, t, z: (f, t, z.real, z.imag))(*jsp.signal.stft(x, nperseg=5, boundary='constant'))", 4 => |x: wide(20)| stft_parts(segments(5).boundary(Boundary::Constant).stft(x));
    "scipy.signal.istft": "jsp.signal.istft(x[:, :-1] + 1j * x[:, 1:])[1]", 4 => |x: f32(5, 8)| {
        signal::istft(&jarrah_array::lax::complex(&x.slice(1, ..7), &x.slice(1, 1..))).1
    };
    "scipy.signal.istft": "jsp.signal.istft(jsp.signal.stft(x, nperseg=8, noverlap=6)[2], nperseg=8, noverlap=6)[1]", 8 => |x: wide(2, 24)| {
        let cut = segments(8).overlap(6);
        cut.istft(&cut.stft(x).2).1
    };
    "scipy.signal.istft": "jsp.signal.istft(x, fs=2.0, input_onesided=False, boundary=False)", 8 => |x: c64(6, 5)| {
        segments(6).rate(2.0).two_sided().boundary(Boundary::None).istft(x)
    };
    "scipy.signal.welch": "jsp.signal.welch(x, nperseg=8)", 4 => |x: inexact(2, 29)| segments(8).welch(x);
    "scipy.signal.welch": "jsp.signal.welch(x, fs=4.0, nperseg=7, noverlap=2, nfft=9, detrend='linear', scaling='spectrum', axis=0)", 4 => |x: wide(30, 2)| {
        segments(7).rate(4.0).overlap(2).fft_length(9).detrend(Detrend::Linear).scaling(Scaling::Spectrum).axis(0).welch(x)
    };
    "scipy.signal.welch": "jsp.signal.welch(x)", 4 => |x: integers(30)| signal::welch(x);
    "scipy.signal.csd": "(lambda f, z: (f, z.real, z.imag))(*jsp.signal.csd(x, y, nperseg=8))", 4 => |x: inexact(2, 29), y: inexact(2, 25)| parts(segments(8).csd(x, y));
    "scipy.signal.csd": "(lambda f, z: (f, z.real, z.imag))(*jsp.signal.csd(x, y, detrend=False, return_onesided=False))", 4 => |x: wide(12), y: wide(12)| {
        parts(segments(256).detrend(Detrend::None).two_sided().csd(x, y))
    };
}
