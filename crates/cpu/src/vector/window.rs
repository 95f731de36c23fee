//! Windows over a tensor, many side by side: their elements combined in order, or one of each selected.

use std::marker::PhantomData;

use jarrah_base::DType;
use jarrah_hlo::ops::{Comparison, ElementwiseKind};

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
    /// What is added to each of these.
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

/// All elements of each window combined by `F`, rounded each time.
struct Fold<F, S>(PhantomData<(F, S)>);

impl<S: Store, F: F2<S::C, O = S::C>> Fold<F, S> {
    /// # Safety
    /// As [`Kernel`], for `W` windows from `at` on.
    #[inline(always)]
    unsafe fn block<const W: usize>(a: &Lanes, at: usize, step: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let src = a.src.cast::<S>().add(a.base + at * step);
            let mut held = [a.first.cast::<S>().read(); W];
            for &place in &*a.places {
                let mut from = src.wrapping_add(place);
                for _ in 0..a.run.1 {
                    for (l, held) in held.iter_mut().enumerate() {
                        *held = S::down(F::f(held.up(), from.add(l * step).read().up()));
                    }
                    from = from.wrapping_add(a.run.0);
                }
            }
            let dst = a.dst.cast::<S>().add(at * a.steps.1);
            for (l, held) in held.into_iter().enumerate() {
                dst.add(l * a.steps.1).write(held);
            }
        }
    }
}

impl<S: Store, F: F2<S::C, O = S::C>> Body<Lanes> for Fold<F, S> {
    #[inline(always)]
    unsafe fn run(a: &Lanes) {
        let mut at = 0;
        // SAFETY: the caller's promise; blocks stay below the number of windows.
        unsafe {
            if a.steps == (1, 1) {
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
            if a.steps == (1, 1) {
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

impl<S: Store, F: F2<S::C, O = S::C>> Grow<F, S> {
    /// # Safety
    /// As [`Kernel`], for `W` lines from `at` on.
    #[inline(always)]
    unsafe fn block<const W: usize>(a: &Growing, at: usize, steps: (usize, usize)) {
        // SAFETY: the caller's promise; bounds lie within the line.
        unsafe {
            let src = a.src.cast::<S>().add(at * steps.0);
            let dst = a.dst.cast::<S>().add(at * steps.1);
            let (extent, count) = a.extents;
            let mut held = [a.first.cast::<S>().read(); W];
            let mut reached = if a.along.from_end { extent } else { 0 };
            for i in 0..count {
                let window = if a.along.from_end { count - 1 - i } else { i };
                // Windows grow: bounds move one way.
                let bound = a.along.bound(window, extent);
                while reached != bound {
                    reached -= usize::from(a.along.from_end);
                    let from = src.add(reached * a.step);
                    for (l, held) in held.iter_mut().enumerate() {
                        *held = S::down(F::f(held.up(), from.add(l * steps.0).read().up()));
                    }
                    reached += usize::from(!a.along.from_end);
                }
                let to = dst.add(window * a.step);
                for (l, held) in held.into_iter().enumerate() {
                    to.add(l * steps.1).write(held);
                }
            }
        }
    }
}

impl<S: Store, F: F2<S::C, O = S::C>> Body<Growing> for Grow<F, S> {
    #[inline(always)]
    unsafe fn run(a: &Growing) {
        /// Lines far from one another: few enough for the ways of a cache.
        const APART: usize = 4;
        let mut at = 0;
        // SAFETY: the caller's promise; blocks stay below the number of lines.
        unsafe {
            if a.steps == (1, 1) {
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

/// A kernel over the type of a dtype: 4-byte types and `f64` compiled for several instruction sets, the rest for one.
/// Bits are bits, whatever their sign: only orders need the signed types.
macro_rules! of {
    (signed $isa:ident $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>($isa), I32 U32 F32 F64).or_else(|| {
            with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), I8 I16 I64 U8 U16 U64 BF16 F16)
        })
    };
    (numbers $isa:ident $dtype:ident $T:ident => $body:ty) => {
        with_store!($dtype, $T => compiled::<_, $body>($isa), U32 F32 F64)
            .or_else(|| with_store!($dtype, $T => compiled::<_, $body>(Isa::Portable), U8 U16 U64 BF16 F16))
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
            ElementwiseKind::Add => of!(numbers $isa number T => $body<ops::Add, T>),
            ElementwiseKind::Multiply => of!(numbers $isa number T => $body<ops::Multiply, T>),
            ElementwiseKind::Maximum => of!(signed $isa order T => $body<ops::Maximum, T>),
            ElementwiseKind::Minimum => of!(signed $isa order T => $body<ops::Minimum, T>),
            ElementwiseKind::And => of!(bits bits T => $body<ops::And, T>),
            ElementwiseKind::Or => of!(bits bits T => $body<ops::Or, T>),
            ElementwiseKind::Xor => of!(bits bits T => $body<ops::Xor, T>),
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
