//! Reductions: along rows, into lanes over columns, and of lanes.

use std::marker::PhantomData;

use super::body::{Args, Body, F2};
use super::element::Store;
use super::scalar_ops::{Add, All, And, Maximum, Minimum, Multiply, Or, Xor};

/// The number of lanes of a fold; part of the numerics contract.
pub(super) const LANES: usize = 16;
/// The extent folded by one set of lanes; part of the numerics contract.
pub(super) const CHUNK: usize = 4096;

/// A function with its identity.
pub(super) trait Fold<C>: F2<C, O = C> {
    const IDENTITY: C;
}

macro_rules! identities {
    ($($t:ty: $add:expr, $mul:expr, $max:expr, $min:expr;)*) => {$(
        impl Fold<$t> for Add { const IDENTITY: $t = $add; }
        impl Fold<$t> for Multiply { const IDENTITY: $t = $mul; }
        impl Fold<$t> for Maximum { const IDENTITY: $t = $max; }
        impl Fold<$t> for Minimum { const IDENTITY: $t = $min; }
    )*};
}
macro_rules! bitwise {
    ($($t:ty: $zero:expr;)*) => {$(
        impl Fold<$t> for And { const IDENTITY: $t = !$zero; }
        impl Fold<$t> for Or { const IDENTITY: $t = $zero; }
        impl Fold<$t> for Xor { const IDENTITY: $t = $zero; }
    )*};
}
identities! {
    f32: 0.0, 1.0, f32::NEG_INFINITY, f32::INFINITY;
    f64: 0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY;
    i8: 0, 1, i8::MIN, i8::MAX;
    i16: 0, 1, i16::MIN, i16::MAX;
    i32: 0, 1, i32::MIN, i32::MAX;
    i64: 0, 1, i64::MIN, i64::MAX;
    u8: 0, 1, u8::MIN, u8::MAX;
    u16: 0, 1, u16::MIN, u16::MAX;
    u32: 0, 1, u32::MIN, u32::MAX;
    u64: 0, 1, u64::MIN, u64::MAX;
    bool: false, true, false, true;
}
bitwise! { bool: false; i8: 0; i16: 0; i32: 0; i64: 0; u8: 0; u16: 0; u32: 0; u64: 0; }

impl Fold<u8> for All {
    const IDENTITY: u8 = 1;
}

/// The fold of up to [`CHUNK`] elements.
#[inline(always)]
fn lanes<F: Fold<S::C>, S: Store>(x: &[S]) -> S::C {
    let mut acc = [F::IDENTITY; LANES];
    let (chunks, tail) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (a, x) in acc.iter_mut().zip(chunk) {
            *a = F::f(*a, x.up());
        }
    }
    for (a, x) in acc.iter_mut().zip(tail) {
        *a = F::f(*a, x.up());
    }
    halve::<F, _>(&mut acc)
}

#[inline(always)]
fn halve<F: Fold<C>, C: Copy>(acc: &mut [C; LANES]) -> C {
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            acc[i] = F::f(acc[i], acc[i + width]);
        }
        width /= 2;
    }
    acc[0]
}

/// The fold of elements one after another.
#[inline(always)]
fn in_order<F: Fold<S::C>, S: Store>(x: &[S]) -> S::C {
    x.iter().fold(F::IDENTITY, |a, x| F::f(a, x.up()))
}

/// The fold of a row of any length, or of a part of one, but for the short rows that are folded in order.
#[inline(always)]
fn fold_row<F: Fold<S::C>, S: Store>(x: &[S]) -> S::C
where
    S::C: Store<C = S::C>,
{
    if x.len() <= CHUNK {
        return lanes::<F, S>(x);
    }
    let mut level: Vec<S::C> = x.chunks(CHUNK).map(lanes::<F, S>).collect();
    while level.len() > CHUNK {
        level = level.chunks(CHUNK).map(lanes::<F, S::C>).collect();
    }
    lanes::<F, S::C>(&level)
}

/// `dst[r] = fold(src0[r])`, `dst` of `R` elements `dst_pitch` apart; `WHOLE` rows, or parts of them.
pub(super) struct FoldRows<F, S, R, const WHOLE: bool>(PhantomData<(F, S, R)>);

impl<F, S, R, const WHOLE: bool> Body for FoldRows<F, S, R, WHOLE>
where
    S: Store<C: Store<C = S::C>>,
    R: Store<C = S::C>,
    F: Fold<S::C>,
{
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; the destination has one element per row.
            unsafe {
                let row = args.src_row::<S>(0, r);
                let short = WHOLE && row.len() <= LANES;
                let value = if short { in_order::<F, S>(row) } else { fold_row::<F, S>(row) };
                *args.dst.offset(args.dst_pitch * r as isize).cast::<R>() = R::down(value);
            }
        }
    }
}

/// Folds row `r` of `src0` into lane `(base + r) % 16` of the accumulators `dst`, `dst_pitch` apart.
pub(super) struct Accumulate<F, S>(PhantomData<(F, S)>);

impl<S: Store, F: Fold<S::C>> Body for Accumulate<F, S> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            let lane = (args.base as usize + r) % LANES;
            // SAFETY: `Body::run`'s promise; there are `LANES` rows of accumulators.
            let (acc, x) = unsafe { (args.dst_row::<S::C>(lane), args.src_row::<S>(0, r)) };
            for (a, x) in acc.iter_mut().zip(x) {
                *a = F::f(*a, x.up());
            }
        }
    }
}

/// `dst[c]` = the lanes `src0[0..16][c]` combined by halving, or in order if `base` says that they are all elements there are; then
/// the lanes are reset to the identity.
pub(super) struct Collapse<F, C, R>(PhantomData<(F, C, R)>);

impl<C: Store<C = C>, R: Store<C = C>, F: Fold<C>> Body for Collapse<F, C, R> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        // SAFETY: `Body::run`'s promise; `src0` are `LANES` rows of accumulators this task owns.
        unsafe {
            let dst = args.dst_row::<R>(0);
            let row = |i: usize| args.src_at::<C>(0, i).cast_mut();
            for (c, d) in dst.iter_mut().enumerate() {
                let mut acc: [C; LANES] = std::array::from_fn(|i| *row(i).add(c));
                let value = if args.base == 0 { halve::<F, C>(&mut acc) } else { in_order::<F, C>(&acc) };
                *d = R::down(value);
            }
            for i in 0..LANES {
                std::slice::from_raw_parts_mut(row(i), args.cols).fill(F::IDENTITY);
            }
        }
    }
}

/// Sets `rows` × `cols` accumulators to the identity.
pub(super) struct Reset<F, C>(PhantomData<(F, C)>);

impl<C: Copy + 'static, F: Fold<C>> Body for Reset<F, C> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise.
            unsafe { args.dst_row::<C>(r) }.fill(F::IDENTITY);
        }
    }
}

/// The comparison by which an index reduction keeps one of two candidates.
pub(super) trait Extreme<C>: Fold<C> {
    /// Whether `x` is as extreme as `best`, the extreme of its row.
    fn is(x: C, best: C) -> bool;
}

macro_rules! extreme {
    ($($t:ty)*) => {$(
        #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
        impl Extreme<$t> for Maximum {
            #[inline(always)]
            fn is(x: $t, best: $t) -> bool {
                x == best || (best != best && x != x)
            }
        }
        #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
        impl Extreme<$t> for Minimum {
            #[inline(always)]
            fn is(x: $t, best: $t) -> bool {
                x == best || (best != best && x != x)
            }
        }
    )*};
}
extreme!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

/// `dst[r]` = `base` + the first column of the extreme of `src0[r]`; `dst2[r]`, if any, the extreme.
pub(super) struct ArgFold<F, S>(PhantomData<(F, S)>);

impl<F, S> Body for ArgFold<F, S>
where
    S: Store<C: Store<C = S::C>>,
    F: Extreme<S::C>,
{
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; the destinations have one element per row.
            unsafe {
                let x = args.src_row::<S>(0, r);
                let best = fold_row::<F, S>(x);
                let at = x.iter().position(|x| F::is(x.up(), best)).unwrap_or(0);
                *args.dst.offset(args.dst_pitch * r as isize).cast::<i32>() = (args.base + at as i64) as i32;
                if !args.dst2.is_null() {
                    *args.dst2.cast::<S::C>().add(r) = best;
                }
            }
        }
    }
}

/// The index reduction of chunks: `src0[r]` their extremes, `src1[r]` their indices.
pub(super) struct ArgCombine<F, C>(PhantomData<(F, C)>);

impl<C: Store<C = C>, F: Extreme<C>> Body for ArgCombine<F, C> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; the destination has one element per row.
            unsafe {
                let x = args.src_row::<C>(0, r);
                let best = fold_row::<F, C>(x);
                let at = x.iter().position(|&x| F::is(x, best)).unwrap_or(0);
                *args.dst.cast::<i32>().add(r) = args.src_row::<i32>(1, r)[at];
            }
        }
    }
}
