use std::marker::PhantomData;

use super::element::Store;
pub(super) use crate::isa::Isa;

/// The arguments of a kernel, which processes `rows` × `cols` elements; pitches and steps are in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args {
    pub rows: usize,
    pub cols: usize,
    pub dst: *mut u8,
    pub dst_pitch: isize,
    /// The distance between columns of the destination, for moves; the second destination, for pairs.
    pub dst_step: isize,
    pub src: [*const u8; 4],
    pub pitch: [isize; 4],
    /// The distance between columns of the source, for moves.
    pub src_step: isize,
    /// The index of column 0, for index ramps; the lane of row 0, for column accumulation.
    pub base: i64,
    /// The second destination, laid out as the first.
    pub dst2: *mut u8,
}

/// A kernel compiled for one instruction set.
pub(super) type Kernel = unsafe fn(&Args);

/// A loop over [`Args`], compiled once per instruction set.
pub(super) trait Body {
    /// # Safety
    /// Every element `args` describes is in bounds, aligned and initialised, and no destination overlaps a source.
    unsafe fn run(args: &Args);
}

unsafe fn base<B: Body>(args: &Args) {
    // SAFETY: the caller's promise is the body's.
    unsafe { B::run(args) }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe fn v3<B: Body>(args: &Args) {
    // SAFETY: the caller's promise is the body's.
    unsafe { B::run(args) }
}

/// The body compiled for AVX2 if `isa` has it, otherwise for the build's target; `isa` must be available. There is no version for
/// AVX-512: on a machine with AVX2, loops are machine code, and the interpreter runs only what the emitter lacks.
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(super) fn fast<B: Body>(isa: Isa) -> Kernel {
    match isa {
        Isa::Portable => base::<B>,
        Isa::Avx2 | Isa::Avx512 => v3::<B>,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
pub(super) fn fast<B: Body>(_: Isa) -> Kernel {
    base::<B>
}

/// The body compiled for the build's target only: for types and functions that the interpreter seldom meets.
pub(super) fn plain<B: Body>() -> Kernel {
    base::<B>
}

pub(super) trait F1<C> {
    type O;
    fn f(x: C) -> Self::O;
    /// Whether [`F1::exact`] must replace [`F1::f`] at `x`.
    #[inline(always)]
    fn outside(_: C) -> bool {
        false
    }
    /// The value outside of the range of [`F1::f`].
    #[inline(always)]
    fn exact(x: C) -> Self::O {
        Self::f(x)
    }
    const PARTIAL: bool = false;
}

pub(super) trait F2<C> {
    type O;
    fn f(x: C, y: C) -> Self::O;
    #[inline(always)]
    fn outside(_: C, _: C) -> bool {
        false
    }
    #[inline(always)]
    fn exact(x: C, y: C) -> Self::O {
        Self::f(x, y)
    }
    const PARTIAL: bool = false;
}

impl Args {
    /// # Safety
    /// Row `r` of the destination holds `cols` elements of `T`.
    #[inline(always)]
    pub unsafe fn dst_row<'a, T>(&self, r: usize) -> &'a mut [T] {
        // SAFETY: the caller's promise.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.dst.offset(self.dst_pitch * r as isize).cast::<T>(),
                self.cols,
            )
        }
    }

    /// # Safety
    /// Row `r` of source `i` holds `cols` elements of `T`.
    #[inline(always)]
    pub unsafe fn src_row<'a, T>(&self, i: usize, r: usize) -> &'a [T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.src_at::<T>(i, r), self.cols) }
    }

    #[inline(always)]
    pub fn src_at<T>(&self, i: usize, r: usize) -> *const T {
        self.src[i].wrapping_offset(self.pitch[i] * r as isize).cast::<T>()
    }

    /// Element `c` of a row whose first element is at `p`; a splat has one element for all columns.
    ///
    /// # Safety
    /// The element is in bounds.
    #[inline(always)]
    pub unsafe fn at<T: Copy, const SPLAT: bool>(p: *const T, c: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { *p.add(if SPLAT { 0 } else { c }) }
    }
}

/// `dst = F(src0)`
pub(super) struct Map1<F, S, R>(PhantomData<(F, S, R)>);

impl<S: Store, R: Store, F: F1<S::C, O = R::C>> Body for Map1<F, S, R> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise.
            let (d, s) = unsafe { (args.dst_row::<R>(r), args.src_row::<S>(0, r)) };
            for (d, s) in d.iter_mut().zip(s) {
                *d = R::down(F::f(s.up()));
            }
            if F::PARTIAL && s.iter().fold(false, |any, s| any | F::outside(s.up())) {
                for (d, s) in d.iter_mut().zip(s).filter(|(_, s)| F::outside(s.up())) {
                    *d = R::down(F::exact(s.up()));
                }
            }
        }
    }
}

/// `dst = F(src0, src1)`, either a splat per row.
pub(super) struct Map2<F, S, R, const A: bool, const B: bool>(PhantomData<(F, S, R)>);

impl<S: Store, R: Store, F: F2<S::C, O = R::C>, const A: bool, const B: bool> Body for Map2<F, S, R, A, B> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; a splat row has its one element.
            unsafe {
                let d = args.dst_row::<R>(r);
                let (a, b) = (args.src_at::<S>(0, r), args.src_at::<S>(1, r));
                let (a0, b0) = ((*a).up(), (*b).up());
                let at = |c: usize| {
                    (
                        if A { a0 } else { Args::at::<S, false>(a, c).up() },
                        if B { b0 } else { Args::at::<S, false>(b, c).up() },
                    )
                };
                for (c, d) in d.iter_mut().enumerate() {
                    let (x, y) = at(c);
                    *d = R::down(F::f(x, y));
                }
                if F::PARTIAL {
                    for (c, d) in d.iter_mut().enumerate() {
                        let (x, y) = at(c);
                        if F::outside(x, y) {
                            *d = R::down(F::exact(x, y));
                        }
                    }
                }
            }
        }
    }
}

/// `dst = src0 ? src1 : src2`, the values splats or not.
pub(super) struct Select<S, const A: bool, const B: bool>(PhantomData<S>);

impl<S: Copy, const A: bool, const B: bool> Body for Select<S, A, B> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; a splat row has its one element.
            unsafe {
                let d = args.dst_row::<S>(r);
                let p = args.src_row::<u8>(0, r);
                let (a, b) = (args.src_at::<S>(1, r), args.src_at::<S>(2, r));
                let (a0, b0) = (*a, *b);
                for (c, (d, &p)) in d.iter_mut().zip(p).enumerate() {
                    let x = if A { a0 } else { *a.add(c) };
                    let y = if B { b0 } else { *b.add(c) };
                    *d = if p != 0 { x } else { y };
                }
            }
        }
    }
}

/// `dst = G(F(src0, src1), src2)`, or with `SWAP` `G(src2, F(src0, src1))`; each source a splat or not.
pub(super) struct Map3<F, G, const SWAP: bool, const A: bool, const B: bool, const C: bool>(
    PhantomData<(F, G)>,
);

impl<F, G, const SWAP: bool, const A: bool, const B: bool, const C: bool> Body for Map3<F, G, SWAP, A, B, C>
where
    F: F2<f32, O = f32>,
    G: F2<f32, O = f32>,
{
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; a splat row has its one element.
            unsafe {
                let d = args.dst_row::<f32>(r);
                let [x, y, z] = [0, 1, 2].map(|i| args.src_at::<f32>(i, r));
                let (x0, y0, z0) = (*x, *y, *z);
                for (c, d) in d.iter_mut().enumerate() {
                    let x = if A { x0 } else { *x.add(c) };
                    let y = if B { y0 } else { *y.add(c) };
                    let z = if C { z0 } else { *z.add(c) };
                    *d = if SWAP { G::f(z, F::f(x, y)) } else { G::f(F::f(x, y), z) };
                }
            }
        }
    }
}

/// `dst = G(F(src0, src1))`.
pub(super) struct Map21<F, G, const A: bool, const B: bool>(PhantomData<(F, G)>);

impl<F: F2<f32, O = f32>, G: F1<f32, O = f32>, const A: bool, const B: bool> Body for Map21<F, G, A, B> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; a splat row has its one element.
            unsafe {
                let d = args.dst_row::<f32>(r);
                let [x, y] = [0, 1].map(|i| args.src_at::<f32>(i, r));
                let (x0, y0) = (*x, *y);
                for (c, d) in d.iter_mut().enumerate() {
                    let x = if A { x0 } else { *x.add(c) };
                    let y = if B { y0 } else { *y.add(c) };
                    *d = G::f(F::f(x, y));
                }
            }
        }
    }
}
