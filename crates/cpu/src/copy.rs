//! Strided copies between layouts of any rank: permutations, transposes, slices and broadcasts.

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
use crate::gemm::transpose_words;
use crate::gemm::{Isa, Shared};
use crate::threads::ThreadPool;

/// Rows and columns of a transposed tile: two tiles of 8-byte elements take half the first-level cache.
const TILE: usize = 32;

/// Elements below which a copy stays on the calling thread.
const SMALL: usize = 1 << 15;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    extent: usize,
    src: isize,
    dst: isize,
}

/// Copies every element of a strided array to the place that another layout gives it.
///
/// `dst[i · dst_strides] = src[i · src_strides]` for each index i within `extents`; strides count elements of `size`
/// bytes, one of 1, 2, 4, 8 or 16. Source strides may be zero (a broadcast) or negative.
///
/// # Panics
/// When the slices differ in length or `size` is another number.
///
/// # Safety
/// Every element the strides name is readable in `src` and writable in `dst`; the destinations are distinct and do
/// not overlap the source.
///
/// ```
/// use jarrah_cpu::{copy::copy, threads::ThreadPool};
/// let (src, mut dst) = ([1u32, 2, 3, 4, 5, 6], [0u32; 6]);
/// // SAFETY: both arrays hold 2 x 3 elements.
/// unsafe { copy(ThreadPool::global(), 4, &[2, 3], src.as_ptr().cast(), &[3, 1], dst.as_mut_ptr().cast(), &[1, 2]) };
/// assert_eq!(dst, [1, 4, 2, 5, 3, 6]);
/// ```
pub unsafe fn copy(
    pool: &ThreadPool,
    size: usize,
    extents: &[usize],
    src: *const u8,
    src_strides: &[isize],
    dst: *mut u8,
    dst_strides: &[isize],
) {
    assert!(extents.len() == src_strides.len() && extents.len() == dst_strides.len(), "one stride per axis");
    if extents.contains(&0) {
        return;
    }
    let mut axes = simplify(extents, src_strides, dst_strides);
    let bytes = size * extents.iter().product::<usize>();
    let size = size * together(&mut axes, size);
    if let Some(order) = Order::of(size, &axes) {
        let (src, dst) = (Shared(src.cast_mut()), Shared(dst));
        let tasks = if bytes < SMALL { 1 } else { (bytes / SMALL).clamp(1, 8 * pool.threads()) };
        let step = bytes.div_ceil(tasks).next_multiple_of(LINE);
        let isa = Isa::detect();
        let part = |task: usize| {
            let first = task * step;
            // SAFETY: the caller's contract; both sides are so many bytes, of which tasks have parts of their own.
            unsafe { order.copy(isa, src.get().add(first), dst.get().add(first), step.min(bytes - first)) };
        };
        match bytes.div_ceil(step) {
            1 => part(0),
            tasks => pool.run(tasks, &part),
        }
        return;
    }
    // SAFETY: the caller's contract; element alignment is not assumed.
    unsafe {
        match size {
            1 => run::<u8>(pool, &axes, src, dst),
            2 => run::<[u8; 2]>(pool, &axes, src, dst),
            4 => run::<[u8; 4]>(pool, &axes, src, dst),
            8 => run::<[u8; 8]>(pool, &axes, src, dst),
            16 => run::<[u8; 16]>(pool, &axes, src, dst),
            _ => panic!("elements of {size} bytes"),
        }
    }
}

/// The axes by descending destination stride, without those of extent 1, neighbours merged where both layouts allow.
fn simplify(extents: &[usize], src: &[isize], dst: &[isize]) -> Vec<Axis> {
    let mut axes: Vec<Axis> = (0..extents.len())
        .filter(|&i| extents[i] != 1)
        .map(|i| Axis { extent: extents[i], src: src[i], dst: dst[i] })
        .collect();
    axes.sort_by_key(|axis| std::cmp::Reverse(axis.dst.unsigned_abs()));
    let mut merged: Vec<Axis> = Vec::with_capacity(axes.len());
    for axis in axes {
        let extent = axis.extent as isize;
        match merged.last_mut() {
            Some(outer) if outer.src == axis.src * extent && outer.dst == axis.dst * extent => {
                *outer = Axis { extent: outer.extent * axis.extent, ..axis };
            }
            _ => merged.push(axis),
        }
    }
    merged
}

/// The bytes of a line of the caches: a whole number of all registers below.
const LINE: usize = 64;

/// A permutation within blocks of a few bytes; the blocks are consecutive on both sides.
enum Order {
    /// For each of 16 bytes the source byte; a block's size divides 16.
    Bytes([u8; 16]),
    /// For each of eight words the source word; a block is two, four or eight words.
    Words([u32; 8]),
}

impl Order {
    /// The permutation of a copy of elements of `size` bytes, if the copy permutes elements within such blocks.
    fn of(size: usize, axes: &[Axis]) -> Option<Order> {
        let (outer, inner) = axes.split_first()?;
        let count: usize = inner.iter().map(|axis| axis.extent).product();
        let follow = outer.src == count as isize && outer.dst == outer.src;
        if inner.is_empty() || !follow || count * size > 32 || !(count * size).is_power_of_two() {
            return None;
        }
        // For each element of a block the source element.
        let mut from = Vec::with_capacity(count);
        for element in 0..count {
            let (mut left, mut src, mut dst) = (element, 0, 0);
            for axis in inner.iter().rev() {
                let i = (left % axis.extent) as isize;
                left /= axis.extent;
                src += i * axis.src;
                dst += i * axis.dst;
            }
            if dst != element as isize || !(0..count as isize).contains(&src) {
                return None;
            }
            from.push(src as usize);
        }
        let part_of = |part: usize, each: usize, block: usize| {
            part / block * block + from[part % block / each] * each + part % each
        };
        if count * size <= 16 {
            return Some(Order::Bytes(std::array::from_fn(|byte| part_of(byte, size, count * size) as u8)));
        }
        let words = size / 4;
        (words > 0)
            .then(|| Order::Words(std::array::from_fn(|word| part_of(word, words, count * words) as u32)))
    }

    /// Copies `bytes` bytes, which are whole blocks.
    ///
    /// # Safety
    /// Both sides are so many bytes, which do not overlap.
    unsafe fn copy(&self, isa: Isa, src: *const u8, dst: *mut u8, bytes: usize) {
        // SAFETY: the caller's contract; the instruction set was detected.
        let mut done = unsafe {
            match (isa, self) {
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                (Isa::Avx512 | Isa::Avx2, Order::Bytes(order)) => x86::bytes(order, src, dst, bytes),
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                (Isa::Avx512 | Isa::Avx2, Order::Words(order)) => x86::words(order, src, dst, bytes),
                _ => 0,
            }
        };
        let unit = match self {
            Order::Bytes(_) => 16,
            Order::Words(_) => 32,
        };
        while done < bytes {
            for byte in 0..unit.min(bytes - done) {
                let from = match self {
                    Order::Bytes(order) => order[byte].into(),
                    Order::Words(order) => 4 * order[byte / 4] as usize + byte % 4,
                };
                // SAFETY: the caller's contract; a block is whole, and moves within itself.
                unsafe { dst.add(done + byte).write(src.add(done + from).read()) };
            }
            done += unit;
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod x86 {
    use std::arch::x86_64::*;

    /// Copies whole registers with the bytes of each 16 in another order; returns how many bytes that are.
    ///
    /// # Safety
    /// Both sides are so many bytes.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn bytes(order: &[u8; 16], src: *const u8, dst: *mut u8, bytes: usize) -> usize {
        let whole = bytes / 32 * 32;
        // SAFETY: the registers are within the bytes that the caller vouches for.
        unsafe {
            let order = _mm256_broadcastsi128_si256(_mm_loadu_si128(order.as_ptr().cast()));
            for at in (0..whole).step_by(32) {
                let x = _mm256_loadu_si256(src.add(at).cast());
                _mm256_storeu_si256(dst.add(at).cast(), _mm256_shuffle_epi8(x, order));
            }
        }
        whole
    }

    /// A register of 16 bytes.
    ///
    /// # Safety
    /// They are readable.
    #[inline]
    pub(super) unsafe fn load(from: *const u8) -> __m128i {
        // SAFETY: the caller's promise; the instruction is part of x86-64.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    /// Stores a register of 16 bytes.
    ///
    /// # Safety
    /// They are writable.
    #[inline]
    pub(super) unsafe fn store(to: *mut u8, x: __m128i) {
        // SAFETY: the caller's promise; the instruction is part of x86-64.
        unsafe { _mm_storeu_si128(to.cast(), x) }
    }

    /// The elements of `size` bytes of two registers by turns, the first half of them and the second. Every x86-64 processor has these instructions.
    #[inline]
    pub(super) fn zip(size: usize, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
        // SAFETY: the instruction set is part of x86-64.
        unsafe {
            match size {
                1 => (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)),
                2 => (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)),
                4 => (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)),
                _ => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
            }
        }
    }

    /// As `bytes`, with the words of each eight in another order.
    ///
    /// # Safety
    /// Both sides are so many bytes.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn words(order: &[u32; 8], src: *const u8, dst: *mut u8, bytes: usize) -> usize {
        let whole = bytes / 32 * 32;
        // SAFETY: the registers are within the bytes that the caller vouches for.
        unsafe {
            let order = _mm256_loadu_si256(order.as_ptr().cast());
            for at in (0..whole).step_by(32) {
                let x = _mm256_loadu_si256(src.add(at).cast());
                _mm256_storeu_si256(dst.add(at).cast(), _mm256_permutevar8x32_epi32(x, order));
            }
        }
        whole
    }
}

/// Merges elements that are adjacent in both layouts into larger elements. Returns how many became one; their axis is removed.
fn together(axes: &mut Vec<Axis>, size: usize) -> usize {
    let Some((&Axis { extent, src: 1, dst: 1 }, others)) = axes.split_last() else { return 1 };
    let count = extent as isize;
    let is_element = matches!(size * extent, 2 | 4 | 8 | 16);
    if others.is_empty()
        || !is_element
        || others.iter().any(|axis| axis.src % count != 0 || axis.dst % count != 0)
    {
        return 1;
    }
    axes.pop();
    for axis in axes {
        axis.src /= count;
        axis.dst /= count;
    }
    extent
}

/// The two inner loops and what is left outside them.
struct Plan<'a> {
    isa: Isa,
    outer: &'a [Axis],
    /// Unit (or least) source stride; absent when it is also the row's.
    column: Axis,
    /// Least destination stride.
    row: Axis,
}

unsafe fn run<T: Copy>(pool: &ThreadPool, axes: &[Axis], src: *const u8, dst: *mut u8) {
    let one = Axis { extent: 1, src: 0, dst: 0 };
    let mut outer = axes.to_vec();
    let row = outer.pop().unwrap_or(one);
    // The axis of the least source stride, if it is another one, shares the tile with the axis of the least destination stride.
    let best = (0..outer.len()).min_by_key(|&i| outer[i].src.unsigned_abs());
    let column = match best {
        Some(i) if outer[i].src.unsigned_abs() < row.src.unsigned_abs() => outer.remove(i),
        _ => outer.pop().unwrap_or(one),
    };
    let plan = Plan { isa: Isa::detect(), outer: &outer, column, row };
    let total: usize = axes.iter().map(|a| a.extent).product();
    let (src, dst) = (Shared(src.cast_mut().cast::<T>()), Shared(dst.cast::<T>()));
    let rounds: usize = outer.iter().map(|a| a.extent).product();
    if total < SMALL {
        for round in 0..rounds {
            // SAFETY: the caller's contract.
            unsafe { plan.round(round, 0..column.extent, src.get(), dst.get()) };
        }
        return;
    }
    // Enough tasks to balance, each of at least a few tiles.
    let tasks = (total / SMALL).clamp(1, 8 * pool.threads());
    if rounds >= tasks {
        let step = rounds.div_ceil(tasks);
        pool.run(rounds.div_ceil(step), &|task| {
            for round in task * step..(task * step + step).min(rounds) {
                // SAFETY: the caller's contract; rounds write distinct places.
                unsafe { plan.round(round, 0..column.extent, src.get(), dst.get()) };
            }
        });
        return;
    }
    let step = column.extent.div_ceil(tasks.div_ceil(rounds)).next_multiple_of(TILE);
    let parts = column.extent.div_ceil(step);
    if parts * rounds > 1 || row.extent < 2 * SMALL {
        pool.run(rounds * parts, &|task| {
            let first = task % parts * step;
            // SAFETY: the caller's contract; tasks write distinct places.
            unsafe {
                plan.round(task / parts, first..(first + step).min(column.extent), src.get(), dst.get());
            }
        });
        return;
    }
    // One long run.
    let step = row.extent.div_ceil(tasks);
    pool.run(row.extent.div_ceil(step), &|task| {
        let first = (task * step) as isize;
        let part = Axis { extent: step.min(row.extent - task * step), ..row };
        let plan = Plan { isa: plan.isa, outer: &[], column, row: part };
        // SAFETY: the caller's contract; tasks write distinct places.
        unsafe {
            let (src, dst) = (src.get().offset(first * row.src), dst.get().offset(first * row.dst));
            plan.round(0, 0..column.extent, src, dst);
        }
    });
}

impl Plan<'_> {
    /// All rows of the columns `columns` at one outer index.
    unsafe fn round<T: Copy>(
        &self,
        round: usize,
        columns: std::ops::Range<usize>,
        mut src: *const T,
        mut dst: *mut T,
    ) {
        let mut index = round;
        for axis in self.outer.iter().rev() {
            let i = (index % axis.extent) as isize;
            index /= axis.extent;
            src = src.wrapping_offset(i * axis.src);
            dst = dst.wrapping_offset(i * axis.dst);
        }
        let (row, column) = (self.row, self.column);
        // SAFETY: all indices stay within the extents the caller vouches for.
        unsafe {
            if row.src == 1 && row.dst == 1 {
                for c in columns {
                    let c = c as isize;
                    std::ptr::copy_nonoverlapping(
                        src.offset(c * column.src),
                        dst.offset(c * column.dst),
                        row.extent,
                    );
                }
                return;
            }
            let first = columns.start as isize;
            if column.src == 1 && row.dst == 1 && column.dst == row.extent as isize {
                let (src, dst) = (src.offset(first), dst.offset(first * column.dst));
                if interleave(src, row.src, dst, row.extent, columns.len()) {
                    return;
                }
            }
            for left in columns.clone().step_by(TILE) {
                let wide = (columns.end - left).min(TILE);
                for top in (0..row.extent).step_by(TILE) {
                    let high = (row.extent - top).min(TILE);
                    let (l, t) = (left as isize, top as isize);
                    let src = src.offset(l * column.src + t * row.src);
                    let dst = dst.offset(l * column.dst + t * row.dst);
                    if column.src == 1 && row.dst == 1 && wide == TILE && high == TILE {
                        whole(self.isa, src, row.src, dst, column.dst);
                    } else {
                        for c in 0..wide as isize {
                            for r in 0..high as isize {
                                let to = dst.offset(c * column.dst + r * row.dst);
                                to.write_unaligned(src.offset(c * column.src + r * row.src).read_unaligned());
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Interleaves a few rows, `src_row` apart: writes their elements column by column. Returns whether there is code for this number
/// of rows and element size.
///
/// # Safety
/// There are so many rows and columns, and as much room.
unsafe fn interleave<T: Copy>(
    src: *const T,
    src_row: isize,
    dst: *mut T,
    rows: usize,
    columns: usize,
) -> bool {
    // SAFETY: forwarded.
    unsafe {
        match (size_of::<T>(), rows) {
            (1, 2) => interleaved::<T, 2, 16>(src, src_row, dst, columns),
            (1, 4) => interleaved::<T, 4, 16>(src, src_row, dst, columns),
            (2, 2) => interleaved::<T, 2, 8>(src, src_row, dst, columns),
            (2, 4) => interleaved::<T, 4, 8>(src, src_row, dst, columns),
            (4, 2) => interleaved::<T, 2, 4>(src, src_row, dst, columns),
            (4, 4) => interleaved::<T, 4, 4>(src, src_row, dst, columns),
            _ => return false,
        }
    }
    true
}

/// [`interleave`] of R rows of elements, of which a register of 128 bits has L.
///
/// # Safety
/// As for [`interleave`].
unsafe fn interleaved<T: Copy, const R: usize, const L: usize>(
    src: *const T,
    src_row: isize,
    dst: *mut T,
    columns: usize,
) {
    let whole = if cfg!(all(target_arch = "x86_64", not(jarrah_portable))) { columns / L * L } else { 0 };
    // SAFETY: registers and elements are within the rows and columns that the caller vouches for.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        for column in (0..whole).step_by(L) {
            let (size, to) = (size_of::<T>(), dst.add(column * R));
            let row = |r: isize| x86::load(src.offset(r * src_row).add(column).cast());
            let store = |i: usize, x| x86::store(to.add(i * L).cast(), x);
            // Rows are interleaved in pairs, then the pairs in pairs.
            let (low, high) = x86::zip(size, row(0), row(1));
            if R == 2 {
                store(0, low);
                store(1, high);
                continue;
            }
            let (further_low, further_high) = x86::zip(size, row(2), row(3));
            let (first, second) = x86::zip(2 * size, low, further_low);
            let (third, fourth) = x86::zip(2 * size, high, further_high);
            store(0, first);
            store(1, second);
            store(2, third);
            store(3, fourth);
        }
        for column in whole..columns {
            for r in 0..R {
                let element = src.offset(r as isize * src_row).add(column).read_unaligned();
                dst.add(column * R + r).write_unaligned(element);
            }
        }
    }
}

/// Transposes one full tile with unit strides on both sides.
#[cfg_attr(
    not(all(target_arch = "x86_64", not(jarrah_portable))),
    allow(unused_variables, reason = "other processors have one way")
)]
#[inline]
unsafe fn whole<T: Copy>(isa: Isa, src: *const T, src_row: isize, dst: *mut T, dst_row: isize) {
    /// Elements moved together: whole cache lines are read once, as rows a power of two apart evict one another.
    const PART: usize = 16;
    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    if size_of::<T>() == 4 && isa == Isa::Avx512 && src_row != 1 && dst_row > 0 {
        // SAFETY: the tile lies within the caller's extents, its elements are words, and the instructions exist.
        unsafe { transpose_words(src.cast(), src_row, dst.cast(), dst_row as usize, TILE) };
        return;
    }
    for c in (0..TILE).step_by(PART) {
        for r in (0..TILE).step_by(PART) {
            // SAFETY: the tile lies within the caller's extents.
            unsafe {
                let part: [[T; PART]; PART] = std::array::from_fn(|i| {
                    src.offset((r + i) as isize * src_row).add(c).cast::<[T; PART]>().read_unaligned()
                });
                for i in 0..PART as isize {
                    let line: [T; PART] = part.map(|row| row[i as usize]);
                    let to = dst.offset((c as isize + i) * dst_row).add(r);
                    to.cast::<[T; PART]>().write_unaligned(line);
                }
            }
        }
    }
}
