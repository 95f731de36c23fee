//! Products of complex numbers, computed with double parts and rounded once.

use jarrah_base::{c64, c128};

use super::body::Isa;
use super::compiled::{Body, compiled};

/// `out = z w`.
struct Args<'a, T>(&'a [T], &'a [T], *mut [T]);

struct Multiply;

impl Body<Args<'_, c64>> for Multiply {
    #[inline(always)]
    unsafe fn run(args: &Args<'_, c64>) {
        // SAFETY: the result is the caller's alone.
        let out = unsafe { &mut *args.2 };
        for ((out, z), w) in out.iter_mut().zip(args.0).zip(args.1) {
            let (a, b) = (f64::from(z.re), f64::from(z.im));
            let (c, d) = (f64::from(w.re), f64::from(w.im));
            *out = c64::new((a * c - b * d) as f32, (a * d + b * c) as f32);
        }
    }
}

impl Body<Args<'_, c128>> for Multiply {
    #[inline(always)]
    unsafe fn run(args: &Args<'_, c128>) {
        // SAFETY: the result is the caller's alone.
        let out = unsafe { &mut *args.2 };
        for ((out, z), w) in out.iter_mut().zip(args.0).zip(args.1) {
            *out = z * w;
        }
    }
}

/// Products, element by element.
pub fn multiply_c64(z: &[c64], w: &[c64], out: &mut [c64]) {
    // SAFETY: the slices are the arguments' own.
    unsafe { compiled::<_, Multiply>(Isa::detect())(&Args(z, w, out)) }
}

/// Products, element by element.
pub fn multiply_c128(z: &[c128], w: &[c128], out: &mut [c128]) {
    // SAFETY: the slices are the arguments' own.
    unsafe { compiled::<_, Multiply>(Isa::detect())(&Args(z, w, out)) }
}
