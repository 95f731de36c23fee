//! `jax.numpy.fft` and `jax.scipy.fft`.
//!
//! Complex doubles are compared by their parts: files of goldens have no such type.

use jarrah_array::Array;
use jarrah_array::fft::{self, Norm, over};
use jarrah_array::lax::{self, FftKind};

use super::rows;

/// The parts of a complex array.
fn parts(z: Array) -> [Array; 2] {
    [z.real(), z.imag()]
}

rows! {
    // One axis.
    "numpy.fft.fft": "(lambda z: (z.real, z.imag))(jnp.fft.fft(x))" => |x: all(3, 5)| parts(fft::fft(x));
    "numpy.fft.fft": "jnp.fft.fft(x, n=8, axis=0, norm='ortho')" => |x: c64(5, 2)| over(0).lengths([8]).norm(Norm::Ortho).fft(x);
    "numpy.fft.fft": "jnp.fft.fft(x, n=3, norm='forward')" => |x: f32(2, 5)| over(-1).lengths([3]).norm(Norm::Forward).fft(x);
    "numpy.fft.ifft": "(lambda z: (z.real, z.imag))(jnp.fft.ifft(x))" => |x: all(3, 5)| parts(fft::ifft(x));
    "numpy.fft.ifft": "jnp.fft.ifft(x, axis=0, norm='forward')" => |x: c64(5, 2)| over(0).norm(Norm::Forward).ifft(x);
    "numpy.fft.rfft": "(lambda z: (z.real, z.imag))(jnp.fft.rfft(x))" => |x: all(3, 5)| parts(fft::rfft(x));
    "numpy.fft.rfft": "jnp.fft.rfft(x, n=7, axis=0, norm='ortho')" => |x: f32(6, 2)| over(0).lengths([7]).norm(Norm::Ortho).rfft(x);
    "numpy.fft.irfft": "jnp.fft.irfft(x)" => |x: inexact(3, 5)| fft::irfft(x);
    "numpy.fft.irfft": "jnp.fft.irfft(x, n=9, norm='ortho')" => |x: numbers(3, 5)| over(-1).lengths([9]).norm(Norm::Ortho).irfft(x);
    "numpy.fft.irfft": "jnp.fft.irfft(x, n=4, axis=0)" => |x: c64(6, 2)| over(0).lengths([4]).irfft(x);
    "numpy.fft.hfft": "jnp.fft.hfft(x)" => |x: inexact(3, 5)| fft::hfft(x);
    "numpy.fft.hfft": "jnp.fft.hfft(x, n=7, axis=0, norm='ortho')" => |x: c64(4, 2)| over(0).lengths([7]).norm(Norm::Ortho).hfft(x);
    "numpy.fft.ihfft": "(lambda z: (z.real, z.imag))(jnp.fft.ihfft(x))" => |x: ordered(3, 5)| parts(fft::ihfft(x));
    // Several axes.
    "numpy.fft.fft2": "(lambda z: (z.real, z.imag))(jnp.fft.fft2(x))" => |x: inexact(2, 3, 5)| parts(fft::fft2(x));
    "numpy.fft.ifft2": "(lambda z: (z.real, z.imag))(jnp.fft.ifft2(x, axes=(0, 2)))" => |x: inexact(2, 3, 5)| parts(over([0, 2]).ifft(x));
    "numpy.fft.ifft2": "jnp.fft.ifft2(x)" => |x: c64(4, 3)| fft::ifft2(x);
    "numpy.fft.rfft2": "(lambda z: (z.real, z.imag))(jnp.fft.rfft2(x))" => |x: wide(2, 3, 5)| parts(fft::rfft2(x));
    "numpy.fft.rfft2": "jnp.fft.rfft2(x, s=(4, 6), axes=(2, 0))" => |x: f32(5, 2, 3)| over([2, 0]).lengths([4, 6]).rfft(x);
    "numpy.fft.irfft2": "jnp.fft.irfft2(x)" => |x: inexact(2, 3, 4)| fft::irfft2(x);
    "numpy.fft.fftn": "(lambda z: (z.real, z.imag))(jnp.fft.fftn(x))" => |x: inexact(2, 3, 5)| parts(fft::fftn(x));
    "numpy.fft.fftn": "jnp.fft.fftn(x, s=(3, 4), axes=(1, 0), norm='ortho')" => |x: c64(5, 2, 3)| over([1, 0]).lengths([3, 4]).norm(Norm::Ortho).fft(x);
    "numpy.fft.ifftn": "jnp.fft.ifftn(x)" => |x: c64(2, 3, 4)| fft::ifftn(x);
    "numpy.fft.rfftn": "jnp.fft.rfftn(x)" => |x: f32(2, 3, 4)| fft::rfftn(x);
    "numpy.fft.irfftn": "jnp.fft.irfftn(x)" => |x: c64(2, 3, 4)| fft::irfftn(x);
    "numpy.fft.irfftn": "jnp.fft.irfftn(x, s=(4, 5), axes=(2, 0), norm='forward')" => |x: c64(5, 2, 3)| over([2, 0]).lengths([4, 5]).norm(Norm::Forward).irfft(x);
    // Four axes are more than the op takes at once.
    "lax.fft": "lax.fft(lax.fft(x, 'FFT', (2, 3, 4)), 'IFFT', (4,))" => |x: c64(2, 2, 3, 4)| over(-1).ifft(&over([1, 2, 3]).fft(x));
    "lax.FftType": "lax.fft(x, lax.FftType.RFFT, (3, 4))" => |x: f32(2, 3, 4)| lax::fft(x, FftKind::Rfft, &[3, 4]);
    "lax.FftType": "lax.fft(lax.fft(x, lax.FftType.FFT, (4,)), lax.FftType.IRFFT, (3, 6))" => |x: c64(2, 3, 4)|
        lax::fft(&lax::fft(x, FftKind::Fft, &[4]), FftKind::Irfft, &[3, 6]);
    // Frequencies.
    "numpy.fft.fftfreq": "jnp.stack([jnp.fft.fftfreq(6, 0.3, dtype='float32'), jnp.fft.fftfreq(7, 2.0, dtype='float32')[:6]])" => | | {
        jarrah_array::stack(&[&fft::fftfreq(6, 0.3), &fft::fftfreq(7, 2.0).slice(0, ..6)], 0)
    };
    "numpy.fft.rfftfreq": "jnp.concatenate([jnp.fft.rfftfreq(6, 0.3, dtype='float32'), jnp.fft.rfftfreq(7, dtype='float32')])" => | | {
        jarrah_array::concatenate(&[&fft::rfftfreq(6, 0.3), &fft::rfftfreq(7, 1.0)], 0)
    };
    "numpy.fft.fftshift": "jnp.fft.fftshift(x)" => |x: all(3, 4)| fft::fftshift(x, [0, 1]);
    "numpy.fft.ifftshift": "jnp.fft.ifftshift(x, axes=1)" => |x: all(2, 5)| fft::ifftshift(x, 1);
    // Cosines.
    "scipy.fft.dct": "jsp.fft.dct(x)" => |x: ordered(3, 5)| fft::dct(x);
    "scipy.fft.dct": "jsp.fft.dct(x, n=6, axis=0, norm='ortho')" => |x: wide(4, 3)| over(0).lengths([6]).norm(Norm::Ortho).dct(x);
    "scipy.fft.idct": "jsp.fft.idct(x)" => |x: wide(3, 5)| fft::idct(x);
    "scipy.fft.idct": "jsp.fft.idct(x + 0)" => |x: integers(3, 5)| fft::idct(x);
    "scipy.fft.idct": "jsp.fft.idct(x, n=3, axis=0, norm='ortho')" => |x: wide(4, 3)| over(0).lengths([3]).norm(Norm::Ortho).idct(x);
    "scipy.fft.dctn": "jsp.fft.dctn(x)" => |x: wide(3, 4)| fft::dctn(x);
    "scipy.fft.dctn": "jsp.fft.dctn(x, axes=(0, 2), norm='ortho')" => |x: wide(3, 2, 4)| over([0, 2]).norm(Norm::Ortho).dct(x);
    "scipy.fft.idctn": "jsp.fft.idctn(x)" => |x: wide(3, 4)| fft::idctn(x);
}
