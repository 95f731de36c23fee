//! Windows over a tensor, many side by side: their elements combined in order, or one of each selected.

use std::marker::PhantomData;

use jarrah_base::{DType, FloatFormat, Minifloat, bf16, f16};
use jarrah_hlo::ops::{Comparison, ElementwiseKind};
use jarrah_hlo_eval::Running;

use super::body::{F2, Isa};
use super::compiled::{Body, Kernel, compiled};
use super::element::{Store, unsigned, with_store};
use super::scalar_ops as ops;

/// Windows whose elements lie equally far from those of the window before; positions and distances count elements.
pub struct Lanes {
    /// The tensor, all of it.
    pub src: *const u8,
    /// The result of the first window.
    pub dst: *mut u8,
    /// A scalar of the tensor's type, from which the windows are combined.
    pub first: *const u8,
    /// Where runs of elements of the first window begin, in order.
    pub places: *const [usize],
    /// A number of elements that is added to each of the places.
    pub base: usize,
    /// From an element of a run to the next, and how many there are.
    pub run: (usize, usize),
    /// How many windows there are.
    pub count: usize,
    /// From a window to the next, in the tensor and in the result.
    pub steps: (usize, usize),
}

/// Lines side by side along which windows grow.
pub struct Growing {
    /// The first element of the first line.
    pub src: *const u8,
    /// The first result of the first line.
    pub dst: *mut u8,
    /// A scalar of the tensor's type, from which the windows are combined.
    pub first: *const u8,
    /// Elements and results of a line.
    pub extents: (usize, usize),
    /// From an element, or a result, to the next.
    pub step: usize,
    /// How many lines there are.
    pub count: usize,
    /// From a line to the next, in the tensor and in the result.
    pub steps: (usize, usize),
    /// Where the windows end, or begin.
    pub along: jarrah_hlo::ops::Cumulative,
}

/// Lanes that are worked on at once, and so many that are left over.
const WIDE: usize = 32;
const NARROW: usize = 8;

/// How elements of type `S` are combined one after another.
trait Chain<S: Store> {
    /// The accumulator.
    type Held: Copy;

    /// The accumulator before the first element, given the identity.
    fn first(identity: S) -> Self::Held;

    /// With one more element.
    fn next(held: Self::Held, x: S) -> Self::Held;

    /// The result.
    fn last(held: Self::Held) -> S;
}

/// Integers and extrema, combined without rounding.
struct Exact<F>(PhantomData<F>);

impl<S: Store, F: F2<S::C, O = S::C>> Chain<S> for Exact<F> {
    type Held = S::C;

    #[inline(always)]
    fn first(identity: S) -> S::C {
        identity.up()
    }

    #[inline(always)]
    fn next(held: S::C, x: S) -> S::C {
        F::f(held, x.up())
    }

    #[inline(always)]
    fn last(held: S::C) -> S {
        S::down(held)
    }
}

/// A sum of floats, rounded once.
struct Sum;

/// A product of floats, rounded once.
struct Product;

macro_rules! running {
    ($($chain:ident $step:ident;)*) => {$(
        impl Chain<f64> for $chain {
            type Held = Running;

            #[inline(always)]
            fn first(identity: f64) -> Running {
                Running::from(identity)
            }

            #[inline(always)]
            fn next(held: Running, x: f64) -> Running {
                held.$step(x)
            }

            #[inline(always)]
            fn last(held: Running) -> f64 {
                held.value()
            }
        }
    )*};
}
running! { Sum plus; Product times; }

macro_rules! doubles {
    ($($chain:ident $first:literal $op:tt;)*) => {$(
        impl<S: Rounded> Chain<S> for $chain
        where
            f64: From<S::C>,
        {
            type Held = f64;

            // `f8e8m0fnu` has no zero, so the identity is not read as an element.
            #[inline(always)]
            fn first(_: S) -> f64 {
                $first
            }

            #[inline(always)]
            fn next(held: f64, x: S) -> f64 {
                held $op f64::from(x.up())
            }

            #[inline(always)]
            fn last(held: f64) -> S {
                S::rounded(held)
            }
        }
    )*};
}
doubles! { Sum 0.0 +; Product 1.0 *; }

/// A float that is made of one of type `f64` in one rounding.
trait Rounded: Store {
    fn rounded(x: f64) -> Self;
}

impl Rounded for f32 {
    #[inline(always)]
    fn rounded(x: f64) -> f32 {
        x as f32
    }
}

/// `x` towards zero, with the lowest bit set if that is not `x`: narrower floats are made of this in one rounding.
#[inline(always)]
fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    let towards_zero = bits - u32::from(f64::from(near).abs() > x.abs());
    f32::from_bits(if f64::from(near) == x || x.is_nan() { bits } else { towards_zero | 1 })
}

impl Rounded for bf16 {
    #[inline(always)]
    fn rounded(x: f64) -> bf16 {
        Store::down(to_odd(x))
    }
}

impl Rounded for f16 {
    #[inline(always)]
    fn rounded(x: f64) -> f16 {
        Store::down(to_odd(x))
    }
}

impl<F: FloatFormat + 'static> Rounded for Minifloat<F> {
    #[inline(always)]
    fn rounded(x: f64) -> Minifloat<F> {
        Minifloat::encode(x)
    }
}

/// All elements of each window combined by `F`.
struct Fold<F, S>(PhantomData<(F, S)>);

impl<S: Store, F: Chain<S>> Fold<F, S> {
    /// # Safety
    /// As [`Kernel`], for `W` windows from `at` on.
    #[inline(always)]
    unsafe fn block<const W: usize>(a: &Lanes, at: usize, step: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let src = a.src.cast::<S>().add(a.base + at * step);
            let mut held = [F::first(a.first.cast::<S>().read()); W];
            for &place in &*a.places {
                let mut from = src.wrapping_add(place);
                for _ in 0..a.run.1 {
                    for (l, held) in held.iter_mut().enumerate() {
                        *held = F::next(*held, from.add(l * step).read());
                    }
                    from = from.wrapping_add(a.run.0);
                }
            }
            let dst = a.dst.cast::<S>().add(at * a.steps.1);
            for (l, held) in held.into_iter().enumerate() {
                dst.add(l * a.steps.1).write(F::last(held));
            }
        }
    }
}

impl<S: Store, F: Chain<S>> Body<Lanes> for Fold<F, S> {
    #[inline(always)]
    unsafe fn run(a: &Lanes) {
        let mut at = 0;
        // SAFETY: the caller's promise; blocks stay below the number of windows.
        unsafe {
            if S::IN_VECTORS && a.steps == (1, 1) {
                while at + WIDE <= a.count {
                    Self::block::<WIDE>(a, at, 1);
                    at += WIDE;
                }
                while at + NARROW <= a.count {
                    Self::block::<NARROW>(a, at, 1);
                    at += NARROW;
                }
            }
            while at + NARROW <= a.count {
                Self::block::<NARROW>(a, at, a.steps.0);
                at += NARROW;
            }
            while at < a.count {
                Self::block::<1>(a, at, a.steps.0);
                at += 1;
            }
        }
    }
}

/// Which element of each window is held at last, where `F` says whether the one held stays.
struct Arg<F, S>(PhantomData<(F, S)>);

impl<S: Store, F: F2<S::C, O = bool>> Arg<F, S> {
    /// # Safety
    /// As [`Kernel`], for `W` windows from `at` on.
    #[inline(always)]
    unsafe fn block<const W: usize>(a: &Lanes, at: usize, step: usize) {
        // SAFETY: the caller's promise; the tensor has at most `i32::MAX` elements.
        unsafe {
            let dst = a.dst.cast::<i32>().add(at * a.steps.1);
            let Some(&first) = (*a.places).first().filter(|_| a.run.1 > 0) else {
                (0..W).for_each(|l| dst.add(l * a.steps.1).write(-1));
                return;
            };
            let src = a.src.cast::<S>();
            let lane = a.base + at * step;
            let mut held: [S; W] = std::array::from_fn(|l| src.add(lane + first + l * step).read());
            let mut which = [(lane + first) as i32; W];
            // The first element is held already.
            let mut met = 1;
            for &place in &*a.places {
                for k in met..a.run.1 {
                    let position = lane + place + k * a.run.0;
                    let from = src.add(position);
                    for l in 0..W {
                        let next = from.add(l * step).read();
                        let stays = F::f(held[l].up(), next.up());
                        held[l] = if stays { held[l] } else { next };
                        which[l] = if stays { which[l] } else { position as i32 };
                    }
                }
                met = 0;
            }
            for (l, which) in which.into_iter().enumerate() {
                dst.add(l * a.steps.1).write(which + (l * step) as i32);
            }
        }
    }
}

impl<S: Store, F: F2<S::C, O = bool>> Body<Lanes> for Arg<F, S> {
    #[inline(always)]
    unsafe fn run(a: &Lanes) {
        let mut at = 0;
        // SAFETY: the caller's promise; blocks stay below the number of windows.
        unsafe {
            if S::IN_VECTORS && a.steps == (1, 1) {
                while at + WIDE <= a.count {
                    Self::block::<WIDE>(a, at, 1);
                    at += WIDE;
                }
            }
            while at + NARROW <= a.count {
                Self::block::<NARROW>(a, at, a.steps.0);
                at += NARROW;
            }
            while at < a.count {
                Self::block::<1>(a, at, a.steps.0);
                at += 1;
            }
        }
    }
}

/// The windows of each line, each from the one before.
struct Grow<F, S>(PhantomData<(F, S)>);

impl<S: Store, F: Chain<S>> Grow<F, S> {
    /// # Safety
    /// As [`Kernel`], for `W` lines from `at` on.
    #[inline(always)]
    unsafe fn block<const W: usize>(a: &Growing, at: usize, steps: (usize, usize)) {
        // SAFETY: the caller's promise; bounds lie within the line.
        unsafe {
            let src = a.src.cast::<S>().add(at * steps.0);
            let dst = a.dst.cast::<S>().add(at * steps.1);
            let (extent, count) = a.extents;
            let mut held = [F::first(a.first.cast::<S>().read()); W];
            let mut reached = if a.along.from_end { extent } else { 0 };
            for i in 0..count {
                let window = if a.along.from_end { count - 1 - i } else { i };
                // Windows grow: bounds move one way.
                let bound = a.along.bound(window, extent);
                while reached != bound {
                    reached -= usize::from(a.along.from_end);
                    let from = src.add(reached * a.step);
                    for (l, held) in held.iter_mut().enumerate() {
                        *held = F::next(*held, from.add(l * steps.0).read());
                    }
                    reached += usize::from(!a.along.from_end);
                }
                let to = dst.add(window * a.step);
                for (l, held) in held.into_iter().enumerate() {
                    to.add(l * steps.1).write(F::last(held));
                }
            }
        }
    }
}

impl<S: Store, F: Chain<S>> Body<Growing> for Grow<F, S> {
    #[inline(always)]
    unsafe fn run(a: &Growing) {
        /// Lines far from one another: few enough for the ways of a cache.
        const APART: usize = 4;
        let mut at = 0;
        // SAFETY: the caller's promise; blocks stay below the number of lines.
        unsafe {
            if S::IN_VECTORS && a.steps == (1, 1) {
                while at + WIDE <= a.count {
                    Self::block::<WIDE>(a, at, (1, 1));
                    at += WIDE;
                }
                while at + NARROW <= a.count {
                    Self::block::<NARROW>(a, at, (1, 1));
                    at += NARROW;
                }
            }
            while at + APART <= a.count {
                Self::block::<APART>(a, at, a.steps);
                at += APART;
            }
            while at < a.count {
                Self::block::<1>(a, at, a.steps);
                at += 1;
            }
        }
    }
}

/// A kernel over the type of a dtype: 4-byte types, `f64` and sums of floats of two bytes compiled for several instruction sets, the
/// rest for one. Bits are bits, whatever their sign: only orders need the signed types.
macro_rules! of {
    (signed $isa:ident $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>($isa), I32 U32 F32 F64)
            .or_else(|| {
                with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), I8 I16 I64 U8 U16 U64 BF16 F16)
            })
            .or_else(|| of!(minifloats $dtype $T => $body))
    };
    (integers $isa:ident $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>($isa), U32)
            .or_else(|| with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), U8 U16 U64))
    };
    (floats $isa:ident $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>($isa), BF16 F16 F32 F64)
            .or_else(|| of!(minifloats $dtype $T => $body))
    };
    (minifloats $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3
            F8E4M3B11FNUZ F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0FNU)
    };
    (bits $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), U8 U16 U32 U64)
    };
}

/// The type whose order and bits those of `dtype` are: truth values are the bytes 0 and 1.
fn bytes(dtype: DType) -> DType {
    if dtype == DType::Bool { DType::U8 } else { dtype }
}

/// The combination by `kind` in kernels of `$body`.
macro_rules! combination {
    ($isa:ident $kind:ident $dtype:ident $body:ident) => {{
        let (number, order) = (unsigned($dtype), bytes($dtype));
        let bits = unsigned(order);
        match $kind {
            ElementwiseKind::Add => of!(integers $isa number T => $body<Exact<ops::Add>, T>)
                .or_else(|| of!(floats $isa number T => $body<Sum, T>)),
            ElementwiseKind::Multiply => of!(integers $isa number T => $body<Exact<ops::Multiply>, T>)
                .or_else(|| of!(floats $isa number T => $body<Product, T>)),
            ElementwiseKind::Maximum => of!(signed $isa order T => $body<Exact<ops::Maximum>, T>),
            ElementwiseKind::Minimum => of!(signed $isa order T => $body<Exact<ops::Minimum>, T>),
            ElementwiseKind::And => of!(bits bits T => $body<Exact<ops::And>, T>),
            ElementwiseKind::Or => of!(bits bits T => $body<Exact<ops::Or>, T>),
            ElementwiseKind::Xor => of!(bits bits T => $body<Exact<ops::Xor>, T>),
            _ => None,
        }
    }};
}

/// Windows combined by `kind`; `None` where there is no such kernel.
pub fn fold(kind: ElementwiseKind, dtype: DType) -> Option<Kernel<Lanes>> {
    let isa = Isa::detect();
    combination!(isa kind dtype Fold)
}

/// Growing windows combined by `kind`; `None` where there is no such kernel.
pub fn grow(kind: ElementwiseKind, dtype: DType) -> Option<Kernel<Growing>> {
    let isa = Isa::detect();
    combination!(isa kind dtype Grow)
}

/// The position in the tensor, which has at most `i32::MAX` elements, of the element of each window that `stays`
/// selects, or -1; `None` where there is no such kernel.
pub fn arg(stays: Comparison, dtype: DType) -> Option<Kernel<Lanes>> {
    let (isa, dtype) = (Isa::detect(), bytes(dtype));
    match stays {
        Comparison::Ge => of!(signed isa dtype T => Arg<ops::Ge, T>),
        Comparison::Gt => of!(signed isa dtype T => Arg<ops::Gt, T>),
        Comparison::Le => of!(signed isa dtype T => Arg<ops::Le, T>),
        Comparison::Lt => of!(signed isa dtype T => Arg<ops::Lt, T>),
        Comparison::Eq | Comparison::Ne => None,
    }
}
