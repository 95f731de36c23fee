//! Batches of products of one row and one column, `c[i] = a[i, :] b[i, :]`: the chains of several products run side by side, since each
//! waits for its last multiply-add.
//!
//! Tasks are ranges of the batch.

use super::context::Context;
use super::{Accumulator, Factor, Isa, OperandSource, Pack, Rounded, Shared, Streamed, Unit, run};
use crate::threads::ThreadPool;

/// The products of a call where batches are apart, and where they are neighbours, so that rows of them are registers.
const APART: usize = 8;
const NEIGHBOURS: usize = 64;

/// The products of a task.
const TASK: usize = 256;

/// Computes the product if it is a batch of rows times columns of elements that are units by themselves, without an epilogue. Returns whether
/// it did.
///
/// # Safety
/// As for [`gemm`](super::gemm()).
pub(super) unsafe fn dots<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
) -> bool {
    let (isa, g) = (cx.isa, cx.g);
    let (OperandSource::Memory(a), OperandSource::Memory(b)) = (&g.a, &g.b) else { return false };
    let alone = !g.accumulate && g.scales.is_none() && cx.epilogue.is_none() && T::Unit::TOGETHER == 1;
    if !alone || [g.m, g.n] != [1, 1] || g.batch < APART {
        return false;
    }
    let work = 2 * g.k * g.batch;
    let c = Shared(g.c);
    let lines = [
        Line { first: a.ptr, along: a.col, batch: a.batch },
        Line { first: b.ptr, along: b.row, batch: b.batch },
    ];
    run(pool, g.batch.div_ceil(TASK), work, &|task| {
        let products = task * TASK..g.batch.min((task + 1) * TASK);
        // SAFETY: tasks write disjoint results; the caller's contract, and the instruction set was detected.
        unsafe { part(isa, products, g.k, lines, (c.get(), g.c_batch)) }
    });
    true
}

/// The rows or columns of a batch.
#[derive(Clone, Copy)]
struct Line<T> {
    first: *const T,
    along: isize,
    batch: isize,
}

// SAFETY: an address is plain data; the caller of `dots` vouches for what is behind it.
unsafe impl<T> Sync for Line<T> {}

/// The products of one task.
///
/// # Safety
/// The elements are readable, and those of C writable; `isa` is one of [`Isa::available`].
unsafe fn part<T: Factor, O: Rounded<Acc = T::Acc>>(
    isa: Isa,
    products: std::ops::Range<usize>,
    k: usize,
    lines: [Line<T>; 2],
    c: (*mut O, usize),
) {
    // SAFETY: the caller's contract.
    unsafe {
        match isa {
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx512 => avx512(products, k, lines, c),
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx2 => avx2(products, k, lines, c),
            _ => each(products, k, lines, c),
        }
    }
}

macro_rules! on {
    ($name:ident, $features:literal) => {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        #[target_feature(enable = $features)]
        unsafe fn $name<T: Factor, O: Rounded<Acc = T::Acc>>(
            products: std::ops::Range<usize>,
            k: usize,
            lines: [Line<T>; 2],
            c: (*mut O, usize),
        ) {
            // SAFETY: the caller's contract.
            unsafe { each(products, k, lines, c) }
        }
    };
}

on!(avx512, "avx512f,avx512vl,avx2,fma,f16c");
on!(avx2, "avx2,fma,f16c");

/// [`part`] on the instruction set of the caller.
#[inline(always)]
unsafe fn each<T: Factor, O: Rounded<Acc = T::Acc>>(
    products: std::ops::Range<usize>,
    k: usize,
    lines: [Line<T>; 2],
    c: (*mut O, usize),
) {
    // SAFETY: the caller's contract.
    unsafe {
        if lines.iter().all(|line| line.batch == 1) {
            together::<T, O, NEIGHBOURS>(products, k, lines.map(|line| Line { batch: 1, ..line }), c);
        } else {
            together::<T, O, APART>(products, k, lines, c);
        }
    }
}

/// The products, `N` at a time; what is left, one at a time.
#[inline(always)]
unsafe fn together<T: Factor, O: Rounded<Acc = T::Acc>, const N: usize>(
    products: std::ops::Range<usize>,
    k: usize,
    lines: [Line<T>; 2],
    (c, c_batch): (*mut O, usize),
) {
    let mut first = products.start;
    while first < products.end {
        let count = (products.end - first).min(N);
        // SAFETY: the caller's contract.
        unsafe {
            if count == N {
                store(sums::<T, N>(k, lines, first), c.add(first * c_batch), c_batch);
            } else {
                (first..products.end)
                    .for_each(|at| store(sums::<T, 1>(k, lines, at), c.add(at * c_batch), c_batch));
            }
        }
        first += count;
    }
}

/// Writes sums, rounded.
#[inline(always)]
unsafe fn store<O: Rounded, const N: usize>(sums: [O::Acc; N], c: *mut O, c_batch: usize) {
    for (i, &sum) in sums.iter().enumerate() {
        // SAFETY: the caller's contract.
        unsafe { *c.add(i * c_batch) = O::narrow(sum) };
    }
}

/// The sums of products `first..first + N`: of each block of K a chain from zero, and the blocks in order.
#[inline(always)]
unsafe fn sums<T: Factor, const N: usize>(k: usize, lines: [Line<T>; 2], first: usize) -> [T::Acc; N] {
    let [a, b] = lines.map(|line| line.first.wrapping_offset(first as isize * line.batch));
    let mut sums = [T::Acc::default(); N];
    for block in (0..k).step_by(T::Unit::BLOCK) {
        let mut chains = [T::Acc::default(); N];
        for at in block..k.min(block.saturating_add(T::Unit::BLOCK)) {
            let (a, b) = (
                a.wrapping_offset(at as isize * lines[0].along),
                b.wrapping_offset(at as isize * lines[1].along),
            );
            for (i, chain) in chains.iter_mut().enumerate() {
                // SAFETY: the caller's contract.
                let [x, y]: [T::Unit; 2] = unsafe {
                    [
                        *a.wrapping_offset(i as isize * lines[0].batch),
                        *b.wrapping_offset(i as isize * lines[1].batch),
                    ]
                    .map(|x| <T as Pack<T::Unit>>::pack(1, |_| x))
                };
                *chain = x.multiply_add(y, *chain);
            }
        }
        for (sum, chain) in sums.iter_mut().zip(chains) {
            *sum = if block == 0 { chain } else { sum.plus(chain) };
        }
    }
    sums
}
