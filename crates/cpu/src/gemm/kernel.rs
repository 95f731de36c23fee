//! The microkernels: an `R x (V * lanes)` tile of C held in registers, advanced along K.
//!
//! Each [block](super::Unit::BLOCK) of K is the chain acc = fma(a\[k\], b\[k\], acc) from 0 for ascending k, and the blocks
//! are added in order, on every instruction set. Of [`Word`]s of `bf16` the second element comes before the first, and subnormal numbers
//! count as zeros.

use std::ops::Range;

use jarrah_base::{bf16, c64, c128, f16};

use super::element::{Accumulator, Factor, Pack, Streamed, Tiled, Unit, Word};
use super::vector::{Heads, Register, Rows, Vector};
use crate::isa::{Isa, has_bf16, has_vnni};

/// `tile(k, a, a_row, a_col, b, b_row, c, c_row, resume)`: C\[r, :\] = the blocks of A\[r, k\] B\[k, :\], added in order to
/// the C that is there (`resume`) or to the first of them.
///
/// A's element (r, k) is at `a + r * a_row + k * a_col`, B's row k at `b + k * b_row`, C's row r at `c + r * c_row`.
/// Row 0 of B begins a block.
pub(crate) type Tile<U> =
    unsafe fn(usize, *const U, isize, isize, *const U, isize, *mut <U as Unit>::Acc, isize, bool);

/// `scaled(groups, each, a, b, b_row, c, c_row, scales, scales_row, resume)`: the sums of `groups` groups of `each` units of K, each times the scales of
/// these columns, are added in order to the C that is there (`resume`) or to zeros, each by a fused multiply-add.
///
/// A is a packed panel, C and scales are `f32`, and the scales of a group lie `scales_row` behind those of the one before it.
pub(crate) type Scaled<U> =
    unsafe fn(usize, usize, *const U, *const U, isize, *mut f32, isize, *const f32, isize, bool);

/// `fold(n, sums, scales, c)`: adds the sums of a group, each times its scale, to C by fused multiply-adds, and puts zeros in the place of the sums.
pub(crate) type Fold = unsafe fn(usize, *mut f32, *const f32, *mut f32);

/// The bytes of a line of the caches.
const LINE: usize = 64;

/// The number of units of K that [`Streams::several`] processes at a time.
pub(crate) const STREAMED: usize = 4;

/// `stream(a, a_row, a_col, b, b_row, n, chains)`: multiplies rows of A and `n` columns of B over some units of K, all of one
/// [block](super::Unit::BLOCK), and adds the products to the block's chains: its running sums, one for each row and column. The
/// number of rows and that of units are fixed by the function's place in [`Streams`].
///
/// A's [unit](super::Unit) (r, k) is at `a + r * a_row + k * a_col`. B is not packed: its row i along K is at `b + i * b_row`, and a
/// unit of K is [`TOGETHER`](super::Unit::TOGETHER) rows. Each element of B is read once for all of these rows of A.
pub(crate) type Stream<T> =
    unsafe fn(*const <T as Factor>::Unit, isize, isize, *const T, isize, usize, &Chains<<T as Factor>::Unit>);

/// Where a call reads the chains of a block, and where it writes them.
pub(crate) struct Chains<U: Unit> {
    /// The first row of chains, and from a row to the next.
    pub from: (*mut U::Acc, isize),
    /// Whether the chains exist already; the first rows of a block begin them.
    pub resume: bool,
    /// The initial value of each row's chains; read if the microkernels have [heads](Kernels::heads).
    pub heads: *const U,
    /// The first row of chains that is written, and the distance between rows.
    pub to: (*mut U::Acc, isize),
    /// Whether the chains are added to the sums there: after the last rows of a block that is not the first.
    pub add: bool,
}

/// The microkernels that read one type of units on one instruction set.
pub struct Kernels<U: Unit> {
    /// The number of accumulators in a register.
    pub(crate) lanes: usize,
    /// Writes the heads of a packed panel of A, if its rows have heads: a row's head is the initial value of its sums, and stands
    /// before the units.
    pub(crate) heads: Option<Heads<U>>,
    /// Whether packed rows of A hold elements widened to accumulators, one to a place, instead of units.
    pub(crate) widened: bool,
    /// `packed[v - 1][r - 1]`: `r` rows by `v` registers; A is a packed panel, so `a_row` and `a_col` are ignored.
    pub(crate) packed: [&'static [Tile<U>]; 2],
    /// As `packed`, for an A with any strides; empty if elements are no units.
    pub(crate) strided: [&'static [Tile<U>]; 2],
    /// The microkernels that scale the sums of groups, for a packed A; empty if sums are not `f32`.
    pub(crate) scaled: [&'static [Scaled<U>]; 2],
}

impl<U: Unit> Kernels<U> {
    /// The number of rows of the largest tile.
    pub(crate) fn rows(&self) -> usize {
        self.packed[0].len()
    }

    /// The number of columns of the widest tile.
    pub(crate) fn cols(&self) -> usize {
        2 * self.lanes
    }

    /// The number of units in front of each row of a packed panel of A: one head, if there are heads.
    pub(crate) fn front(&self) -> usize {
        self.heads.is_some().into()
    }

    /// The number of places, each as large as a unit, that `units` units of a row take in a packed panel of A, without those in
    /// [front](Kernels::front).
    pub(crate) fn places(&self, units: usize) -> usize {
        if self.widened { U::TOGETHER * units } else { units }
    }

    /// The number of places that `units` units of a row take in a packed panel of A, its head included.
    pub(crate) fn row(&self, units: usize) -> usize {
        self.front() + self.places(units)
    }
}

/// The microkernels that read rows of one type of elements on one instruction set.
pub struct Streams<T: Factor> {
    /// `several[r - 1]`: `r` rows, [`STREAMED`] units of K.
    pub(crate) several: &'static [Stream<T>],
    /// `one[r - 1]`: `r` rows, one unit of K.
    pub(crate) one: &'static [Stream<T>],
}

/// Adds the products of R units of A, `a_row` apart, and W registers of B to the chains `acc`.
///
/// # Safety
/// The instruction set is present, and R units of A are readable.
#[inline(always)]
unsafe fn step<V: Vector<U>, U: Unit, const R: usize, const W: usize>(
    acc: &mut [[V; W]; R],
    a: *const U,
    a_row: isize,
    x: [V::Units; W],
) {
    for (r, row) in acc.iter_mut().enumerate() {
        // SAFETY: one of the units that the caller vouches for.
        unsafe {
            let y = V::splat(*a.offset(r as isize * a_row));
            for (acc, x) in row.iter_mut().zip(x) {
                *acc = acc.multiply_add(y, x);
            }
        }
    }
}

/// Advances the chains `acc` by `k` rows of B.
///
/// # Safety
/// The instruction set is present, and R x k units of A and k rows of W registers of B are readable.
#[inline(always)]
unsafe fn advance<V: Vector<U>, U: Unit, const R: usize, const W: usize>(
    acc: &mut [[V; W]; R],
    k: usize,
    mut a: *const U,
    (a_row, a_col): (isize, isize),
    mut b: *const U,
    b_row: isize,
) {
    // SAFETY: every access is to one of the units that the caller vouches for.
    unsafe {
        for _ in 0..k {
            // A function of the standard library might call a closure instead of inlining it.
            let mut x = [V::units(b); W];
            for (w, x) in x.iter_mut().enumerate().skip(1) {
                *x = V::units(b.add(w * V::LANES));
            }
            step(acc, a, a_row, x);
            a = a.offset(a_col);
            b = b.offset(b_row);
        }
    }
}

/// Loads the registers of R rows of C.
///
/// # Safety
/// The instruction set is present, and R rows of W registers of C are readable.
#[inline(always)]
pub(super) unsafe fn load<V: Register<A>, A, const R: usize, const W: usize>(
    c: *const A,
    c_row: isize,
) -> [[V; W]; R] {
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
pub(super) unsafe fn store<V: Register<A>, A, const R: usize, const W: usize>(
    acc: &[[V; W]; R],
    c: *mut A,
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

/// The initial values of the chains of R rows.
///
/// # Safety
/// The instruction set is present, and if there are heads, R are readable.
#[inline(always)]
unsafe fn begin<V: Vector<U>, U: Unit, const R: usize, const W: usize>(heads: *const U) -> [[V; W]; R] {
    // SAFETY: one head of each row.
    std::array::from_fn(|r| unsafe {
        [if V::HEADS.is_some() { V::begin(*heads.add(r)) } else { V::zero() }; W]
    })
}

#[inline(always)]
unsafe fn tile<V: Vector<U>, U: Unit, const PACKED: bool, const R: usize, const W: usize>(
    k: usize,
    mut a: *const U,
    a_row: isize,
    a_col: isize,
    mut b: *const U,
    b_row: isize,
    c: *mut U::Acc,
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
    // SAFETY: the caller vouches for the instruction set, R x k elements of A, a head in front of each row if there are heads, k rows of
    // W registers of B and R rows of W registers of C at the given strides; every access below is one of these.
    unsafe {
        let heads = a;
        if V::HEADS.is_some() {
            a = a.add(R);
        }
        loop {
            let depth = left.min(U::BLOCK);
            let mut acc = begin::<V, U, R, W>(heads);
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

/// As `tile`, with scaled sums of groups of units.
#[inline(always)]
unsafe fn scaled<
    V: Vector<U> + Vector<f32, Units = V>,
    U: Unit<Acc = f32>,
    const R: usize,
    const W: usize,
>(
    groups: usize,
    each: usize,
    mut a: *const U,
    mut b: *const U,
    b_row: isize,
    c: *mut f32,
    c_row: isize,
    mut scales: *const f32,
    scales_row: isize,
    resume: bool,
) {
    // SAFETY: the caller vouches for the instruction set, R x groups x each units of A in a panel, as many rows of W registers of B, R rows of W
    // registers of C, and as many scales of each group; every access below is one of these.
    unsafe {
        // Rows of C may be in one set of the first-level cache, and are read and written once for all groups. With AVX-512 both sums stay in registers.
        let mut sums = [[<V as Register<f32>>::zero(); W]; R];
        if resume {
            sums = load(c.cast_const(), c_row);
        }
        for _ in 0..groups {
            let mut acc = [[<V as Register<f32>>::zero(); W]; R];
            advance(&mut acc, each, a, (1, R as isize), b, b_row);
            let by: [V; W] = std::array::from_fn(|w| V::load(scales.add(w * V::LANES)));
            for (r, row) in acc.iter().enumerate() {
                for (w, &x) in row.iter().enumerate() {
                    sums[r][w] = <V as Vector<f32>>::multiply_add(sums[r][w], x, by[w]);
                }
            }
            a = a.add(R * each);
            b = b.offset(each as isize * b_row);
            scales = scales.offset(scales_row);
        }
        store(&sums, c, c_row, false);
    }
}

/// The microkernels that scale the sums of groups of one type of units, with registers of type `$vector`.
macro_rules! scaled {
    ($name:ident, $unit:ty, $vector:ty, [$($r:literal)*], $(#[$feature:meta])*) => {
        pub(super) mod $name {
            use super::*;

            $(#[$feature])*
            unsafe fn scaled<const R: usize, const W: usize>(
                groups: usize,
                each: usize,
                a: *const $unit,
                b: *const $unit,
                b_row: isize,
                c: *mut f32,
                c_row: isize,
                scales: *const f32,
                scales_row: isize,
                resume: bool,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe {
                    super::scaled::<$vector, $unit, R, W>(
                        groups, each, a, b, b_row, c, c_row, scales, scales_row, resume,
                    )
                }
            }

            pub(super) const TILES: [&[Scaled<$unit>]; 2] = [&[$(scaled::<$r, 1>),*], &[$(scaled::<$r, 2>),*]];
        }
    };
}

/// The microkernels of one type of units, with registers of type `$vector`.
macro_rules! tiles {
    ($name:ident, $unit:ty, $vector:ty, [$($r:literal)*], [$($s:literal)*], $scaled:expr, $(#[$feature:meta])*) => {
        pub(super) mod $name {
            use super::*;

            type Acc = <$unit as Unit>::Acc;

            $(#[$feature])*
            unsafe fn tile<const PACKED: bool, const R: usize, const W: usize>(
                k: usize,
                a: *const $unit,
                a_row: isize,
                a_col: isize,
                b: *const $unit,
                b_row: isize,
                c: *mut Acc,
                c_row: isize,
                resume: bool,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe { super::tile::<$vector, $unit, PACKED, R, W>(k, a, a_row, a_col, b, b_row, c, c_row, resume) }
            }

            pub(in crate::gemm) static KERNELS: Kernels<$unit> = Kernels {
                lanes: <$vector as Register<Acc>>::LANES,
                heads: <$vector as Vector<$unit>>::HEADS,
                widened: false,
                packed: [&[$(tile::<true, $r, 1>),*], &[$(tile::<true, $r, 2>),*]],
                strided: [&[$(tile::<false, $s, 1>),*], &[$(tile::<false, $s, 2>),*]],
                scaled: $scaled,
            };
        }
    };
}

/// The microkernels of one type of elements, with registers of type `$vector`.
macro_rules! streams {
    ($name:ident, $elem:ty, $vector:ty, [$($r:literal)*], $(#[$feature:meta])*) => {
        pub(super) mod $name {
            use super::*;

            type U = <$elem as Factor>::Unit;

            $(#[$feature])*
            unsafe fn stream<const R: usize, const K: usize>(
                a: *const U,
                a_row: isize,
                a_col: isize,
                b: *const $elem,
                b_row: isize,
                n: usize,
                chains: &Chains<U>,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set, as has the other.
                unsafe {
                    let done = super::stream::<$vector, $elem, R, K>(a, a_row, a_col, b, b_row, n, chains);
                    match R {
                        _ if done == n => {}
                        1 => super::rest::<$elem, K>(1, a, (a_row, a_col), b, b_row, done..n, chains),
                        _ => rest::<K>(R, a, a_row, a_col, b, b_row, done..n, chains),
                    }
                }
            }

            /// As `stream`, for the last columns, which are fewer than a register's: compiled once for all numbers of rows but
            /// one.
            #[inline(never)]
            $(#[$feature])*
            unsafe fn rest<const K: usize>(
                rows: usize,
                a: *const U,
                a_row: isize,
                a_col: isize,
                b: *const $elem,
                b_row: isize,
                columns: Range<usize>,
                chains: &Chains<U>,
            ) {
                // SAFETY: the caller's contract is the same, and this function has the instruction set.
                unsafe { super::rest::<$elem, K>(rows, a, (a_row, a_col), b, b_row, columns, chains) }
            }

            pub(in crate::gemm) static KERNELS: Streams<$elem> =
                Streams { several: &[$(stream::<$r, STREAMED>),*], one: &[$(stream::<$r, 1>),*] };
        }
    };
}

/// See [`Fold`].
#[inline(always)]
unsafe fn fold(n: usize, sums: *mut f32, scales: *const f32, c: *mut f32) {
    // SAFETY: the caller vouches for `n` elements of each, which overlap nothing.
    let (sums, scales, c) = unsafe {
        (
            std::slice::from_raw_parts_mut(sums, n),
            std::slice::from_raw_parts(scales, n),
            std::slice::from_raw_parts_mut(c, n),
        )
    };
    for ((sum, &scale), c) in sums.iter_mut().zip(scales).zip(c) {
        *c = sum.mul_add(scale, *c);
        *sum = 0.0;
    }
}

unsafe fn fold_any(n: usize, sums: *mut f32, scales: *const f32, c: *mut f32) {
    // SAFETY: forwarded.
    unsafe { fold(n, sums, scales, c) }
}

/// The function that adds the scaled sums of a group, on `isa`.
pub(super) fn fold_on(isa: Isa) -> Fold {
    match isa {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        Isa::Avx512 => x86::fold_avx512,
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        Isa::Avx2 => x86::fold_avx2,
        _ => fold_any,
    }
}

/// Advances R rows of chains of W registers from column `j` on.
#[inline(always)]
unsafe fn strip<V: Rows<T>, T: Factor, const R: usize, const W: usize, const K: usize>(
    a: *const T::Unit,
    (a_row, a_col): (isize, isize),
    b: *const T,
    b_row: isize,
    j: usize,
    chains: &Chains<T::Unit>,
) {
    // SAFETY: the caller of `stream` vouches for the operands; columns j.. of W registers are below its n.
    unsafe {
        let Chains { from, resume, heads, to, add } = *chains;
        let mut acc =
            if resume { load(from.0.add(j).cast_const(), from.1) } else { begin::<V, T::Unit, R, W>(heads) };
        for k in 0..K as isize {
            let b = b.offset(k * T::Unit::TOGETHER as isize * b_row).add(j);
            let mut x = [V::of_rows(b, b_row); W];
            for (w, x) in x.iter_mut().enumerate().skip(1) {
                *x = V::of_rows(b.add(w * V::LANES), b_row);
            }
            step(&mut acc, a.offset(k * a_col), a_row, x);
        }
        store(&acc, to.0.add(j), to.1, add);
    }
}

/// Advances the chains of as many of `n` columns as whole registers hold, in strips whose chains stay in registers; returns how many.
#[inline(always)]
unsafe fn stream<V: Rows<T>, T: Factor, const R: usize, const K: usize>(
    a: *const T::Unit,
    a_row: isize,
    a_col: isize,
    b: *const T,
    b_row: isize,
    n: usize,
    chains: &Chains<T::Unit>,
) -> usize {
    // SAFETY: the caller vouches for the instruction set, R x K units of A, as many rows of n elements of B as K units have and R
    // rows of n chains; columns j.. below stay under n. A prefetch may name any address.
    unsafe {
        let height = T::Unit::TOGETHER;
        let mut j = 0;
        while j + 2 * V::LANES <= n {
            for row in 0..K * height {
                let ahead = b.wrapping_offset((K * height + row) as isize * b_row);
                prefetch(ahead.wrapping_add(j));
                // Both registers of narrow elements are of one line.
                if V::LANES * size_of::<T>() >= LINE {
                    prefetch(ahead.wrapping_add(j + V::LANES));
                }
            }
            strip::<V, T, R, 2, K>(a, (a_row, a_col), b, b_row, j, chains);
            j += 2 * V::LANES;
        }
        if j + V::LANES <= n {
            strip::<V, T, R, 1, K>(a, (a_row, a_col), b, b_row, j, chains);
            j += V::LANES;
        }
        j
    }
}

/// Advances the chains of `columns`, one at a time.
#[inline(always)]
unsafe fn rest<T: Factor, const K: usize>(
    rows: usize,
    a: *const T::Unit,
    (a_row, a_col): (isize, isize),
    b: *const T,
    b_row: isize,
    columns: Range<usize>,
    chains: &Chains<T::Unit>,
) {
    let height = T::Unit::TOGETHER;
    // These columns are multiplied as signed elements, so their chains begin at zero, whatever the head.
    let Chains { from, resume, to, add, .. } = *chains;
    // SAFETY: as for `stream`; the columns are below its n.
    unsafe {
        for j in columns {
            let units: [T::Unit; K] = std::array::from_fn(|k| {
                let b = b.offset((k * height) as isize * b_row).add(j);
                <T as Pack<T::Unit>>::pack(height, |i| *b.offset(i as isize * b_row))
            });
            for r in 0..rows as isize {
                let mut acc = if resume { *from.0.offset(r * from.1).add(j) } else { T::Acc::default() };
                for (k, &b) in units.iter().enumerate() {
                    acc = (*a.offset(r * a_row + k as isize * a_col)).multiply_add(b, acc);
                }
                let to = to.0.offset(r * to.1).add(j);
                *to = if add { (*to).plus(acc) } else { acc };
            }
        }
    }
}

/// Prefetches into the second-level cache: rows a power of two apart would evict one another from the first.
#[inline(always)]
pub(crate) fn prefetch<T>(p: *const T) {
    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    // SAFETY: a prefetch has no architectural effect, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(p.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
    let _ = p;
}

scaled!(scaled_portable_f32, f32, [f32; 4], [1 2 3 4], );
tiles!(portable_f32, f32, [f32; 4], [1 2 3 4], [1 2 3 4], scaled_portable_f32::TILES, );
tiles!(portable_f64, f64, [f64; 2], [1 2 3 4], [1 2 3 4], [&[], &[]], );
tiles!(portable_c64, c64, [c64; 2], [1 2 3 4], [1 2 3 4], [&[], &[]], );
tiles!(portable_c128, c128, [c128; 1], [1 2 3 4], [1 2 3 4], [&[], &[]], );
scaled!(scaled_portable_bf16, Word<bf16>, [f32; 4], [1 2 3 4], );
tiles!(portable_bf16, Word<bf16>, [f32; 4], [1 2 3 4], [], scaled_portable_bf16::TILES, );
tiles!(portable_i8, Word<i8>, [i32; 4], [1 2 3 4], [], [&[], &[]], );
tiles!(portable_i16, Word<i16>, [i32; 4], [1 2 3 4], [], [&[], &[]], );
tiles!(portable_i32, i32, [i32; 4], [1 2 3 4], [1 2 3 4], [&[], &[]], );
tiles!(portable_i64, i64, [i64; 2], [1 2 3 4], [1 2 3 4], [&[], &[]], );
streams!(rows_f32, f32, [f32; 4], [1 2 3 4],);
streams!(rows_f64, f64, [f64; 2], [1 2 3 4],);
streams!(rows_c64, c64, [c64; 2], [1 2 3 4],);
streams!(rows_c128, c128, [c128; 1], [1 2 3 4],);
streams!(rows_f16, f16, [f32; 4], [1 2 3 4],);
streams!(rows_bf16, bf16, [f32; 4], [1 2 3 4],);
streams!(rows_i8, i8, [i32; 4], [1 2 3 4],);
streams!(rows_i16, i16, [i32; 4], [1 2 3 4],);
streams!(rows_i32, i32, [i32; 4], [1 2 3 4],);
streams!(rows_i64, i64, [i64; 2], [1 2 3 4],);

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod x86 {
    use super::*;
    use std::arch::x86_64::{__m256, __m256d, __m256i, __m512, __m512d, __m512i};

    pub(super) mod avx2_bf16 {
        pub(in crate::gemm) use crate::gemm::flushed::KERNELS;
    }

    pub(super) mod avx2_rows_bf16 {
        pub(in crate::gemm) use crate::gemm::flushed::STREAMS as KERNELS;
    }

    #[target_feature(enable = "avx512f,avx512vl,fma")]
    pub(super) unsafe fn fold_avx512(n: usize, sums: *mut f32, scales: *const f32, c: *mut f32) {
        // SAFETY: forwarded.
        unsafe { fold(n, sums, scales, c) }
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn fold_avx2(n: usize, sums: *mut f32, scales: *const f32, c: *mut f32) {
        // SAFETY: forwarded.
        unsafe { fold(n, sums, scales, c) }
    }

    scaled!(scaled_avx2_f32, f32, __m256, [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_f32, f32, __m256, [1 2 3 4 5 6], [1 2 3 4 5 6], scaled_avx2_f32::TILES, #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_f64, f64, __m256d, [1 2 3 4 5 6], [1 2 3 4 5 6], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_c64, c64, __m256, [1 2 3 4], [1 2 3 4], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_c128, c128, __m256d, [1 2 3 4], [1 2 3 4], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_i8, Word<i8>, __m256i, [1 2 3 4], [], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_i16, Word<i16>, __m256i, [1 2 3 4 5 6], [], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_i32, i32, __m256i, [1 2 3 4 5 6], [1 2 3 4 5 6], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    tiles!(avx2_i64, i64, __m256i, [1 2 3 4], [1 2 3 4], [&[], &[]], #[target_feature(enable = "avx2,fma")]);
    scaled!(scaled_avx512_f32, f32, __m512, [1 2 3 4 5 6], #[target_feature(enable = "avx512f,fma")]);
    tiles!(avx512_f32, f32, __m512, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8 9 10 11 12], scaled_avx512_f32::TILES, #[target_feature(enable = "avx512f,fma")]);
    tiles!(avx512_f64, f64, __m512d, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8 9 10 11 12], [&[], &[]], #[target_feature(enable = "avx512f,fma")]);
    tiles!(avx512_c64, c64, __m512, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8 9 10 11 12], [&[], &[]], #[target_feature(enable = "avx512f,fma")]);
    tiles!(avx512_c128, c128, __m512d, [1 2 3 4 5 6 7 8 9 10 11 12], [1 2 3 4 5 6 7 8 9 10 11 12], [&[], &[]], #[target_feature(enable = "avx512f,fma")]);
    scaled!(scaled_avx512_bf16, Word<bf16>, __m512, [1 2 3 4 5 6], #[target_feature(enable = "avx512f,avx512bf16")]);
    tiles!(avx512_bf16, Word<bf16>, __m512, [1 2 3 4 5 6 7 8 9 10 11 12], [], scaled_avx512_bf16::TILES, #[target_feature(enable = "avx512f,avx512bf16")]);
    tiles!(avx512_i8, Word<i8>, __m512i, [1 2 3 4 5 6 7 8 9 10 11 12], [], [&[], &[]], #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]);
    tiles!(avx512_i16, Word<i16>, __m512i, [1 2 3 4 5 6 7 8 9 10 11 12], [], [&[], &[]], #[target_feature(enable = "avx512f,avx512vnni")]);
    tiles!(avx512_i32, i32, __m512i, [1 2 3 4 5 6 7 8], [1 2 3 4 5 6 7 8], [&[], &[]], #[target_feature(enable = "avx512f")]);
    tiles!(avx512_i64, i64, __m512i, [1 2 3 4 5 6 7 8], [1 2 3 4 5 6 7 8], [&[], &[]], #[target_feature(enable = "avx512f,avx512dq")]);

    streams!(avx2_rows_f32, f32, __m256, [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_f64, f64, __m256d, [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_c64, c64, __m256, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_c128, c128, __m256d, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_f16, f16, __m256, [1 2 3 4 5 6], #[target_feature(enable = "avx2,fma,f16c")]);
    streams!(avx2_rows_i8, i8, __m256i, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_i16, i16, __m256i, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_i32, i32, __m256i, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx2_rows_i64, i64, __m256i, [1 2 3 4], #[target_feature(enable = "avx2,fma")]);
    streams!(avx512_rows_f32, f32, __m512, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,fma")]);
    streams!(avx512_rows_f64, f64, __m512d, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,fma")]);
    streams!(avx512_rows_c64, c64, __m512, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,fma")]);
    streams!(avx512_rows_c128, c128, __m512d, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,fma")]);
    streams!(avx512_rows_f16, f16, __m512, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,fma")]);
    streams!(avx512_rows_bf16, bf16, __m512, [1 2 3 4 5 6 7 8],
        #[target_feature(enable = "avx512f,avx512bf16")]);
    streams!(avx512_rows_i8, i8, __m512i, [1 2 3 4 5 6 7 8],
        #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]);
    streams!(avx512_rows_i16, i16, __m512i, [1 2 3 4 5 6 7 8],
        #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]);
    streams!(avx512_rows_i32, i32, __m512i, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f")]);
    streams!(avx512_rows_i64, i64, __m512i, [1 2 3 4 5 6 7 8], #[target_feature(enable = "avx512f,avx512dq")]);
}

/// The microkernels for `$t` of those on AVX-512 where `$present`, AVX2, and any machine.
macro_rules! on {
    ($isa:expr, $present:expr, $wide:ident, $narrow:ident, $any:ident) => {
        match $isa {
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx512 if $present => &x86::$wide::KERNELS,
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx512 | Isa::Avx2 => &x86::$narrow::KERNELS,
            _ => &$any::KERNELS,
        }
    };
}

macro_rules! tiled {
    ($($t:ty, $present:expr => $wide:ident, $narrow:ident, $any:ident;)*) => {$(
        impl Tiled for $t {
            fn kernels(isa: Isa) -> &'static Kernels<$t> {
                on!(isa, $present, $wide, $narrow, $any)
            }
        }
    )*};
}

tiled! {
    c64, true => avx512_c64, avx2_c64, portable_c64;
    c128, true => avx512_c128, avx2_c128, portable_c128;
    f32, true => avx512_f32, avx2_f32, portable_f32;
    f64, true => avx512_f64, avx2_f64, portable_f64;
    Word<bf16>, has_bf16() => avx512_bf16, avx2_bf16, portable_bf16;
    Word<i8>, has_vnni() => avx512_i8, avx2_i8, portable_i8;
    Word<i16>, has_vnni() => avx512_i16, avx2_i16, portable_i16;
    i32, true => avx512_i32, avx2_i32, portable_i32;
    i64, true => avx512_i64, avx2_i64, portable_i64;
}

macro_rules! streamed {
    ($($t:ty, $present:expr => $wide:ident, $narrow:ident, $any:ident;)*) => {$(
        impl Streamed for $t {
            fn streams(isa: Isa) -> &'static Streams<$t> {
                on!(isa, $present, $wide, $narrow, $any)
            }
        }
    )*};
}

// Elements of which units are made are read by the same registers as these, so that heads serve both.
streamed! {
    c64, true => avx512_rows_c64, avx2_rows_c64, rows_c64;
    c128, true => avx512_rows_c128, avx2_rows_c128, rows_c128;
    f32, true => avx512_rows_f32, avx2_rows_f32, rows_f32;
    f64, true => avx512_rows_f64, avx2_rows_f64, rows_f64;
    f16, true => avx512_rows_f16, avx2_rows_f16, rows_f16;
    bf16, has_bf16() => avx512_rows_bf16, avx2_rows_bf16, rows_bf16;
    i8, has_vnni() => avx512_rows_i8, avx2_rows_i8, rows_i8;
    i16, has_vnni() => avx512_rows_i16, avx2_rows_i16, rows_i16;
    i32, true => avx512_rows_i32, avx2_rows_i32, rows_i32;
    i64, true => avx512_rows_i64, avx2_rows_i64, rows_i64;
}
