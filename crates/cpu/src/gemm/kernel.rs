//! The microkernels: an `R x (V * lanes)` tile of C held in registers, advanced along K.
//!
//! Each element is the chain acc = fma(a\[k\], b\[k\], acc) for ascending k, on every instruction set.

use super::vector::Vector;

/// The instruction sets with kernels of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// 512-bit registers (AVX-512 F).
    Avx512,
    /// 256-bit registers (AVX2 and FMA).
    Avx2,
    /// Plain Rust; `mul_add` may be a library call.
    Portable,
}

impl Isa {
    /// The widest instruction set of this machine.
    pub fn detect() -> Isa {
        Isa::available().next().unwrap_or(Isa::Portable)
    }

    /// All instruction sets that run on this machine, the widest first.
    pub fn available() -> impl Iterator<Item = Isa> {
        [Isa::Avx512, Isa::Avx2, Isa::Portable].into_iter().filter(|isa| isa.is_available())
    }

    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            Isa::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("fma")
            }
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            Isa::Portable => true,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_available(self) -> bool {
        self == Isa::Portable
    }
}

/// `tile(k, a, a_row, a_col, b, b_row, c, c_row, resume)`: C\[r, :\] = (C or 0) + chain over k of A\[r, k\] B\[k, :\].
///
/// A's element (r, k) is at `a + r * a_row + k * a_col`, B's row k at `b + k * b_row`, C's row r at `c + r * c_row`.
pub(crate) type Tile<A> = unsafe fn(usize, *const A, isize, isize, *const A, isize, *mut A, isize, bool);

/// `stream(k, a, a_row, a_col, b, b_row, c, c_row, n, resume)`: the same over any number of columns `n`, B read
/// once in rows.
pub(crate) type Stream<A> =
    unsafe fn(usize, *const A, isize, isize, *const A, isize, *mut A, isize, usize, bool);

/// The microkernels of one accumulator type on one instruction set.
pub struct Kernels<A: 'static> {
    /// Elements per register.
    pub(crate) lanes: usize,
    /// `packed[v - 1][r - 1]`: `r` rows by `v` registers; A is a packed panel, so `a_row` and `a_col` are ignored.
    pub(crate) packed: [&'static [Tile<A>]; 2],
    /// The same for A with any strides.
    pub(crate) strided: [&'static [Tile<A>]; 2],
    /// `stream[r - 1]`: `r` rows.
    pub(crate) stream: &'static [Stream<A>],
}

impl<A> Kernels<A> {
    /// Rows of the largest tile.
    pub(crate) fn rows(&self) -> usize {
        self.packed[0].len()
    }

    /// Columns of the widest tile.
    pub(crate) fn cols(&self) -> usize {
        2 * self.lanes
    }
}

#[inline(always)]
unsafe fn tile<V: Vector, const PACKED: bool, const R: usize, const W: usize>(
    k: usize,
    mut a: *const V::Elem,
    a_row: isize,
    a_col: isize,
    mut b: *const V::Elem,
    b_row: isize,
    c: *mut V::Elem,
    c_row: isize,
    resume: bool,
) {
    let (a_row, a_col) = if PACKED { (1, R as isize) } else { (a_row, a_col) };
    // SAFETY: the caller vouches for the instruction set, R x k elements of A, k rows of W registers of B and R rows
    // of W registers of C at the given strides; every access below is one of these.
    unsafe {
        let mut acc = [[V::zero(); W]; R];
        if resume {
            for (r, row) in acc.iter_mut().enumerate() {
                for (w, acc) in row.iter_mut().enumerate() {
                    *acc = V::load(c.offset(r as isize * c_row).add(w * V::LANES));
                }
            }
        }
        for _ in 0..k {
            let mut x = [V::zero(); W];
            for (w, x) in x.iter_mut().enumerate() {
                *x = V::load(b.add(w * V::LANES));
            }
            for (r, row) in acc.iter_mut().enumerate() {
                let y = V::splat(*a.offset(r as isize * a_row));
                for (acc, x) in row.iter_mut().zip(x) {
                    *acc = acc.fma(y, x);
                }
            }
            a = a.offset(a_col);
            b = b.offset(b_row);
        }
        for (r, row) in acc.iter().enumerate() {
            for (w, acc) in row.iter().enumerate() {
                acc.store(c.offset(r as isize * c_row).add(w * V::LANES));
            }
        }
    }
}

macro_rules! instantiate {
    ($name:ident, $elem:ty, $vector:ty, [$($r:literal)*], [$($s:literal)*], $(#[$feature:meta])*) => {
        mod $name {
            use super::*;

            $(#[$feature])*
            unsafe fn tile<const PACKED: bool, const R: usize, const W: usize>(
                k: usize,
                a: *const $elem,
                a_row: isize,
                a_col: isize,
                b: *const $elem,
                b_row: isize,
                c: *mut $elem,
                c_row: isize,
                resume: bool,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe { super::tile::<$vector, PACKED, R, W>(k, a, a_row, a_col, b, b_row, c, c_row, resume) }
            }

            $(#[$feature])*
            unsafe fn stream<const R: usize>(
                k: usize,
                a: *const $elem,
                a_row: isize,
                a_col: isize,
                b: *const $elem,
                b_row: isize,
                c: *mut $elem,
                c_row: isize,
                n: usize,
                resume: bool,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe { super::stream::<$vector, R>(k, a, a_row, a_col, b, b_row, c, c_row, n, resume) }
            }

            pub(super) static KERNELS: Kernels<$elem> = Kernels {
                lanes: <$vector as Vector>::LANES,
                packed: [&[$(tile::<true, $r, 1>),*], &[$(tile::<true, $r, 2>),*]],
                strided: [&[$(tile::<false, $r, 1>),*], &[$(tile::<false, $r, 2>),*]],
                stream: &[$(stream::<$s>),*],
            };
        }
    };
}

/// Adds `k` rows of B to `n` columns of C, in chunks whose accumulators stay in registers.
#[inline(always)]
unsafe fn stream<V: Vector, const R: usize>(
    k: usize,
    a: *const V::Elem,
    a_row: isize,
    a_col: isize,
    b: *const V::Elem,
    b_row: isize,
    c: *mut V::Elem,
    c_row: isize,
    n: usize,
    resume: bool,
) where
    V::Elem: MulAdd,
{
    // SAFETY: the caller vouches for the instruction set, R x k elements of A, k rows of n elements of B and R rows of
    // n elements of C; columns j.. below stay under n. A prefetch may name any address.
    unsafe {
        let mut j = 0;
        while j + 2 * V::LANES <= n {
            for row in 0..k {
                prefetch(b.wrapping_offset((k + row) as isize * b_row).wrapping_add(j));
                prefetch(b.wrapping_offset((k + row) as isize * b_row).wrapping_add(j + V::LANES));
            }
            tile::<V, false, R, 2>(k, a, a_row, a_col, b.add(j), b_row, c.add(j), c_row, resume);
            j += 2 * V::LANES;
        }
        if j + V::LANES <= n {
            tile::<V, false, R, 1>(k, a, a_row, a_col, b.add(j), b_row, c.add(j), c_row, resume);
            j += V::LANES;
        }
        while j < n {
            for r in 0..R as isize {
                let c = c.offset(r * c_row).add(j);
                let mut acc = if resume { *c } else { V::Elem::ZERO };
                for k in 0..k as isize {
                    acc = (*a.offset(r * a_row + k * a_col)).chain(*b.offset(k * b_row).add(j), acc);
                }
                *c = acc;
            }
            j += 1;
        }
    }
}

/// Into the second-level cache: rows a power of two apart would evict one another from the first.
#[inline(always)]
fn prefetch<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no architectural effect, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(p.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// One step of the chain for the columns that do not fill a register.
trait MulAdd: Copy {
    const ZERO: Self;
    fn chain(self, b: Self, acc: Self) -> Self;
}

impl MulAdd for f32 {
    const ZERO: f32 = 0.0;

    #[inline(always)]
    fn chain(self, b: f32, acc: f32) -> f32 {
        self.mul_add(b, acc)
    }
}

impl MulAdd for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn chain(self, b: f64, acc: f64) -> f64 {
        self.mul_add(b, acc)
    }
}

instantiate!(portable_f32, f32, [f32; 4], [1 2 3 4], [1 2 3 4],);
instantiate!(portable_f64, f64, [f64; 2], [1 2 3 4], [1 2 3 4],);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use std::arch::x86_64::*;

    instantiate!(avx2_f32, f32, __m256, [1 2 3 4 5 6], [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma")]);
    instantiate!(avx2_f64, f64, __m256d, [1 2 3 4 5 6], [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma")]);
    instantiate!(avx512_f32, f32, __m512, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8],
        #[target_feature(enable = "avx512f,fma")]);
    instantiate!(avx512_f64, f64, __m512d, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8],
        #[target_feature(enable = "avx512f,fma")]);

    pub(super) static F32: [&Kernels<f32>; 2] = [&avx512_f32::KERNELS, &avx2_f32::KERNELS];
    pub(super) static F64: [&Kernels<f64>; 2] = [&avx512_f64::KERNELS, &avx2_f64::KERNELS];
}

macro_rules! accumulator {
    ($t:ty, $portable:ident, $wide:ident) => {
        impl super::element::Accumulator for $t {
            fn kernels(isa: Isa) -> &'static Kernels<$t> {
                match isa {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => x86::$wide[0],
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => x86::$wide[1],
                    _ => &$portable::KERNELS,
                }
            }
        }
    };
}

accumulator!(f32, portable_f32, F32);
accumulator!(f64, portable_f64, F64);
