//! Bodies that move, generate or convert elements.

use std::marker::PhantomData;

use jarrah_base::{bf16, f16};

use super::body::{Args, Body};
use super::element::{Bool, Store};

/// `dst[r][c] = src0[r][c]`, columns `dst_step` and `src_step` bytes apart.
pub(super) struct Copy<S>(PhantomData<S>);

impl<S: std::marker::Copy + 'static> Body for Copy<S> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        let size = size_of::<S>() as isize;
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise.
            unsafe {
                let d = args.dst.offset(args.dst_pitch * r as isize);
                let s = args.src_at::<u8>(0, r);
                if args.dst_step == size && args.src_step == size {
                    args.dst_row::<S>(r).copy_from_slice(args.src_row::<S>(0, r));
                } else if args.dst_step == size && args.src_step == 0 {
                    args.dst_row::<S>(r).fill(*s.cast::<S>());
                } else {
                    for c in 0..args.cols as isize {
                        *d.offset(c * args.dst_step).cast::<S>() = *s.offset(c * args.src_step).cast::<S>();
                    }
                }
            }
        }
    }
}

/// `dst[c] = base + c`.
pub(super) struct Ramp<R>(PhantomData<R>);

impl<R: std::marker::Copy + 'static> Body for Ramp<R>
where
    i64: To<R>,
{
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise.
            for (d, i) in unsafe { args.dst_row::<R>(r) }.iter_mut().zip(args.base..) {
                *d = i.to();
            }
        }
    }
}

/// `dst = src0` as another type.
pub(super) struct Convert<S, R>(PhantomData<(S, R)>);

impl<S: Store<C: To<R>>, R: 'static> Body for Convert<S, R> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise.
            let (d, s) = unsafe { (args.dst_row::<R>(r), args.src_row::<S>(0, r)) };
            for (d, s) in d.iter_mut().zip(s) {
                *d = s.up().to();
            }
        }
    }
}

/// The StableHLO conversion to the stored type `R`.
pub(super) trait To<R>: std::marker::Copy {
    fn to(self) -> R;
}

macro_rules! numeric {
    ($($from:ident)*) => {$(
        numeric!(@to $from: i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        impl To<Bool> for $from {
            #[inline(always)]
            fn to(self) -> Bool {
                Bool(u8::from(self != 0 as $from))
            }
        }
    )*};
    (@to $from:ident: $($to:ident)*) => {$(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                self as $to
            }
        }
    )*};
}
numeric!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// `x` to `f32` rounded to odd: rounding that to a half gives `x` rounded once.
#[inline(always)]
fn narrow(x: f64) -> f32 {
    let y = x as f32;
    let bits = y.to_bits();
    let toward_zero = if f64::from(y).abs() > x.abs() { bits.wrapping_sub(1) } else { bits };
    if f64::from(y) == x || x.is_nan() { y } else { f32::from_bits(toward_zero | 1) }
}

macro_rules! to_half {
    ($($half:ident: $($from:ident)*;)*) => {$(
        $(impl To<$half> for $from {
            #[inline(always)]
            fn to(self) -> $half {
                <$half as Store>::down(narrow(self as f64))
            }
        })*
        impl To<$half> for f32 {
            #[inline(always)]
            fn to(self) -> $half {
                <$half as Store>::down(self)
            }
        }
        impl To<$half> for bool {
            #[inline(always)]
            fn to(self) -> $half {
                <$half as Store>::down(f32::from(self))
            }
        }
    )*};
}
to_half! {
    bf16: i8 i16 i32 i64 u8 u16 u32 u64 f64;
    f16: i8 i16 i32 i64 u8 u16 u32 u64 f64;
}

macro_rules! from_bool {
    ($($to:ident)*) => {$(
        impl To<$to> for bool {
            #[inline(always)]
            fn to(self) -> $to {
                u8::from(self) as $to
            }
        }
    )*};
}
from_bool!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl To<Bool> for bool {
    #[inline(always)]
    fn to(self) -> Bool {
        Bool(u8::from(self))
    }
}

/// `dst[r] = src0[r][clamp(src1[r]) - base]` where that column is here; the row has `src_step` columns in all.
pub(super) struct Pick<S>(PhantomData<S>);

impl<S: std::marker::Copy + 'static> Body for Pick<S> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; indices and destinations are one per row.
            unsafe {
                let index = *args.src[1].cast::<i64>().add(r);
                let at = index.clamp(0, args.src_step as i64 - 1) - args.base;
                if let Some(x) = usize::try_from(at).ok().and_then(|at| args.src_row::<S>(0, r).get(at)) {
                    *args.dst.offset(args.dst_pitch * r as isize).cast::<S>() = *x;
                }
            }
        }
    }
}

/// threefry2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
#[inline(always)]
pub(super) fn threefry2x32(key: [u32; 2], count: [u32; 2]) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1bd1_1bda];
    let mut x = [count[0].wrapping_add(keys[0]), count[1].wrapping_add(keys[1])];
    for i in 0..5 {
        for r in ROTATIONS[i % 2] {
            x[0] = x[0].wrapping_add(x[1]);
            x[1] = x[1].rotate_left(r) ^ x[0];
        }
        x[0] = x[0].wrapping_add(keys[(i + 1) % 3]);
        x[1] = x[1].wrapping_add(keys[(i + 2) % 3]).wrapping_add(i as u32 + 1);
    }
    x
}

/// `(dst, dst2) = threefry2x32((src0, src1), (src2, src3))`; keys, and the first count, splats or not.
pub(super) struct Threefry<const KEY: bool, const HIGH: bool>;

impl<const KEY: bool, const HIGH: bool> Body for Threefry<KEY, HIGH> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; a splat row has its one element; the two destinations are distinct.
            unsafe {
                let a = args.dst_row::<u32>(r);
                let b = Args { dst: args.dst2, ..*args }.dst_row::<u32>(r);
                let [k0, k1, hi, lo] = [0, 1, 2, 3].map(|i| args.src_at::<u32>(i, r));
                let (k0s, k1s, his) = (*k0, *k1, *hi);
                for (c, (a, b)) in a.iter_mut().zip(b).enumerate() {
                    let key = if KEY { [k0s, k1s] } else { [*k0.add(c), *k1.add(c)] };
                    let high = if HIGH { his } else { *hi.add(c) };
                    [*a, *b] = threefry2x32(key, [high, *lo.add(c)]);
                }
            }
        }
    }
}
