//! The microkernels: an `R x (V * lanes)` tile of C held in registers, advanced along K.
//!
//! Each block of K, [`CHAIN`] long, is the chain acc = fma(a\[k\], b\[k\], acc) from 0 for ascending k, and the blocks
//! are added in order, on every instruction set.

use jarrah_base::CHAIN;

use super::vector::Vector;
use crate::isa::Isa;

/// `tile(k, a, a_row, a_col, b, b_row, c, c_row, resume)`: C\[r, :\] = the blocks of A\[r, k\] B\[k, :\], added in order to
/// the C that is there (`resume`) or to the first of them.
///
/// A's element (r, k) is at `a + r * a_row + k * a_col`, B's row k at `b + k * b_row`, C's row r at `c + r * c_row`.
/// Row 0 of B begins a block.
pub(crate) type Tile<A> = unsafe fn(usize, *const A, isize, isize, *const A, isize, *mut A, isize, bool);

/// Rows of B that [`Kernels::stream`] takes in at a time.
pub(crate) const STREAMED: usize = 4;

/// `stream(a, a_row, a_col, b, b_row, n, chains)`: a fixed number of rows of B, all of one block, read once in rows over
/// any number of columns `n`, advance the block's chains.
pub(crate) type Stream<A> = unsafe fn(*const A, isize, isize, *const A, isize, usize, &Chains<A>);

/// Where the chains of a block are taken up, and where they are left.
pub(crate) struct Chains<A> {
    /// The first row of chains, and from a row to the next.
    pub from: (*mut A, isize),
    /// Whether there are any yet: the first rows of a block begin them.
    pub resume: bool,
    /// Where they go.
    pub to: (*mut A, isize),
    /// Whether they are added to what is there: the last rows of a block that is not the first.
    pub add: bool,
}

/// The microkernels of one accumulator type on one instruction set.
pub struct Kernels<A: 'static> {
    /// Elements per register.
    pub(crate) lanes: usize,
    /// `packed[v - 1][r - 1]`: `r` rows by `v` registers; A is a packed panel, so `a_row` and `a_col` are ignored.
    pub(crate) packed: [&'static [Tile<A>]; 2],
    /// The same for A with any strides.
    pub(crate) strided: [&'static [Tile<A>]; 2],
    /// `stream[r - 1]`: `r` rows, [`STREAMED`] rows of B.
    pub(crate) stream: &'static [Stream<A>],
    /// The same for one row of B.
    pub(crate) stream_one: &'static [Stream<A>],
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

/// Advances the chains `acc` by `k` rows of B.
///
/// # Safety
/// The instruction set is present, and R x k elements of A and k rows of W registers of B are readable.
#[inline(always)]
unsafe fn advance<V: Vector, const R: usize, const W: usize>(
    acc: &mut [[V; W]; R],
    k: usize,
    mut a: *const V::Elem,
    (a_row, a_col): (isize, isize),
    mut b: *const V::Elem,
    b_row: isize,
) {
    // SAFETY: every access is to one of the elements that the caller vouches for.
    unsafe {
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
    }
}

/// The registers at R rows of C.
///
/// # Safety
/// The instruction set is present, and R rows of W registers of C are readable.
#[inline(always)]
unsafe fn load<V: Vector, const R: usize, const W: usize>(c: *const V::Elem, c_row: isize) -> [[V; W]; R] {
    // SAFETY: these are the rows and registers that the caller vouches for.
    unsafe {
        let mut acc = [[V::zero(); W]; R];
        for (r, row) in acc.iter_mut().enumerate() {
            for (w, acc) in row.iter_mut().enumerate() {
                *acc = V::load(c.offset(r as isize * c_row).add(w * V::LANES));
            }
        }
        acc
    }
}

/// Stores `acc`, or its sum with what is there (`resume`), to R rows of C.
///
/// # Safety
/// The instruction set is present, and R rows of W registers of C are writable, and readable if they are resumed.
#[inline(always)]
unsafe fn store<V: Vector, const R: usize, const W: usize>(
    acc: &[[V; W]; R],
    c: *mut V::Elem,
    c_row: isize,
    resume: bool,
) {
    // SAFETY: these are the rows and registers that the caller vouches for.
    unsafe {
        if resume {
            for (r, row) in acc.iter().enumerate() {
                for (w, &acc) in row.iter().enumerate() {
                    let c = c.offset(r as isize * c_row).add(w * V::LANES);
                    V::load(c).add(acc).store(c);
                }
            }
        } else {
            for (r, row) in acc.iter().enumerate() {
                for (w, &acc) in row.iter().enumerate() {
                    acc.store(c.offset(r as isize * c_row).add(w * V::LANES));
                }
            }
        }
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
    mut resume: bool,
) {
    let (a_row, a_col) = if PACKED { (1, R as isize) } else { (a_row, a_col) };
    let mut left = k;
    // The tile of C lies in other pages than the one before it, and is there when its sums are added to it.
    for r in 0..R {
        for w in 0..W {
            V::prefetch(c.wrapping_offset(r as isize * c_row).wrapping_add(w * V::LANES));
        }
    }
    // SAFETY: the caller vouches for the instruction set, R x k elements of A, k rows of W registers of B and R rows
    // of W registers of C at the given strides; every access below is one of these.
    unsafe {
        loop {
            let depth = left.min(CHAIN);
            let mut acc = [[V::zero(); W]; R];
            advance(&mut acc, depth, a, (a_row, a_col), b, b_row);
            store(&acc, c, c_row, resume);
            left -= depth;
            if left == 0 {
                return;
            }
            a = a.offset(depth as isize * a_col);
            b = b.offset(depth as isize * b_row);
            resume = true;
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
            unsafe fn stream<const R: usize, const K: usize>(
                a: *const $elem,
                a_row: isize,
                a_col: isize,
                b: *const $elem,
                b_row: isize,
                n: usize,
                chains: &Chains<$elem>,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe { super::stream::<$vector, R, K>(a, a_row, a_col, b, b_row, n, chains) }
            }

            pub(super) static KERNELS: Kernels<$elem> = Kernels {
                lanes: <$vector as Vector>::LANES,
                packed: [&[$(tile::<true, $r, 1>),*], &[$(tile::<true, $r, 2>),*]],
                strided: [&[$(tile::<false, $r, 1>),*], &[$(tile::<false, $r, 2>),*]],
                stream: &[$(stream::<$s, STREAMED>),*],
                stream_one: &[$(stream::<$s, 1>),*],
            };
        }
    };
}

/// Advances R rows of chains of W registers from column `j` on.
#[inline(always)]
unsafe fn strip<V: Vector, const R: usize, const W: usize, const K: usize>(
    a: *const V::Elem,
    a_strides: (isize, isize),
    b: *const V::Elem,
    b_row: isize,
    j: usize,
    chains: &Chains<V::Elem>,
) {
    // SAFETY: the caller of `stream` vouches for the operands; columns j.. of W registers are below its n.
    unsafe {
        let Chains { from, resume, to, add } = *chains;
        let mut acc = if resume { load(from.0.add(j).cast_const(), from.1) } else { [[V::zero(); W]; R] };
        advance(&mut acc, K, a, a_strides, b.add(j), b_row);
        store(&acc, to.0.add(j), to.1, add);
    }
}

/// Advances the chains of `n` columns, in strips whose chains stay in registers.
#[inline(always)]
unsafe fn stream<V: Vector, const R: usize, const K: usize>(
    a: *const V::Elem,
    a_row: isize,
    a_col: isize,
    b: *const V::Elem,
    b_row: isize,
    n: usize,
    chains: &Chains<V::Elem>,
) where
    V::Elem: Scalar,
{
    // SAFETY: the caller vouches for the instruction set, R x K elements of A, K rows of n elements of B and R rows of
    // n chains; columns j.. below stay under n. A prefetch may name any address.
    unsafe {
        let mut j = 0;
        while j + 2 * V::LANES <= n {
            for row in 0..K {
                prefetch(b.wrapping_offset((K + row) as isize * b_row).wrapping_add(j));
                prefetch(b.wrapping_offset((K + row) as isize * b_row).wrapping_add(j + V::LANES));
            }
            strip::<V, R, 2, K>(a, (a_row, a_col), b, b_row, j, chains);
            j += 2 * V::LANES;
        }
        if j + V::LANES <= n {
            strip::<V, R, 1, K>(a, (a_row, a_col), b, b_row, j, chains);
            j += V::LANES;
        }
        let Chains { from, resume, to, add } = *chains;
        while j < n {
            for r in 0..R as isize {
                let mut acc = if resume { *from.0.offset(r * from.1).add(j) } else { V::Elem::ZERO };
                for k in 0..K as isize {
                    acc = (*a.offset(r * a_row + k * a_col)).chain(*b.offset(k * b_row).add(j), acc);
                }
                let to = to.0.offset(r * to.1).add(j);
                *to = if add { (*to).plus(acc) } else { acc };
            }
            j += 1;
        }
    }
}

/// Into the second-level cache: rows a power of two apart would evict one another from the first.
#[inline(always)]
fn prefetch<T>(p: *const T) {
    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    // SAFETY: a prefetch has no architectural effect, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(p.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
    let _ = p;
}

/// The arithmetic of the columns that do not fill a register.
trait Scalar: Copy {
    const ZERO: Self;
    fn chain(self, b: Self, acc: Self) -> Self;
    fn plus(self, b: Self) -> Self;
}

impl Scalar for f32 {
    const ZERO: f32 = 0.0;

    #[inline(always)]
    fn chain(self, b: f32, acc: f32) -> f32 {
        self.mul_add(b, acc)
    }

    #[inline(always)]
    fn plus(self, b: f32) -> f32 {
        self + b
    }
}

impl Scalar for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn chain(self, b: f64, acc: f64) -> f64 {
        self.mul_add(b, acc)
    }

    #[inline(always)]
    fn plus(self, b: f64) -> f64 {
        self + b
    }
}

instantiate!(portable_f32, f32, [f32; 4], [1 2 3 4], [1 2 3 4],);
instantiate!(portable_f64, f64, [f64; 2], [1 2 3 4], [1 2 3 4],);

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
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
                    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                    Isa::Avx512 => x86::$wide[0],
                    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                    Isa::Avx2 => x86::$wide[1],
                    _ => &$portable::KERNELS,
                }
            }
        }
    };
}

accumulator!(f32, portable_f32, F32);
accumulator!(f64, portable_f64, F64);
