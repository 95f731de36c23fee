//! Products of matrices of integers, exact modulo two to the number of bits of the sum.
//!
//! Both sides are packed: of the left one rows, of the right one panels of columns, each with the elements that meet in
//! one multiplication side by side. Sums wrap, so their order is of no consequence.

use jarrah_base::{Result, memory};

use crate::gemm::{Isa, Shared};
use crate::threads::Pool;

/// Columns of a panel, and rows that are worked on at once.
const COLUMNS: usize = 32;
const ROWS: usize = 4;

/// Rows of one task.
const TASK: usize = 64;

/// Places of a matrix: elements from the first, from a row to the next, from a column to the next.
#[derive(Clone, Copy)]
pub struct Places {
    /// The first element.
    pub start: isize,
    /// From a row to the next.
    pub row: isize,
    /// From a column to the next.
    pub col: isize,
}

/// What integers are multiplied as.
pub trait Word: Copy + Default + Send + Sync + 'static {
    /// What is summed.
    type Sum: Copy + Default + Send + Sync + 'static;
    /// Words that one multiplication takes from each side.
    const TOGETHER: usize;

    /// Adds the products of rows and a panel: `sums[r][c] += sum over k of a[r][k] b[k][c]`, the words that meet
    /// together.
    ///
    /// # Safety
    /// `rows` are [`ROWS`] addresses of `depth` times `TOGETHER` words; `panel` has [`COLUMNS`] times as many. The
    /// instruction set is there.
    unsafe fn multiply(
        isa: Isa,
        depth: usize,
        rows: [*const Self; ROWS],
        panel: *const Self,
        sums: &mut Sums<Self>,
    );
}

/// The sums of a block.
pub type Sums<W> = [[<W as Word>::Sum; COLUMNS]; ROWS];

/// Reads elements of a side, 0 for the left one: the first, and from one to the next.
pub type Load<'a, W> = &'a (dyn Fn(usize, isize, isize, &mut [W]) + Sync);

/// Stores sums at consecutive row-major positions.
pub type Store<'a, W> = &'a (dyn Fn(usize, &[<W as Word>::Sum]) + Sync);

/// `c[m, n] = sum over k of a[m, k] b[k, n]`.
///
/// # Errors
/// There is no memory for the packed operands (`Environment`).
pub fn product<W: Word>(
    pool: &Pool,
    (m, n, k): (usize, usize, usize),
    (a, b): (Places, Places),
    load: Load<'_, W>,
    store: Store<'_, W>,
) -> Result<()> {
    if m == 0 || n == 0 {
        return Ok(());
    }
    let depth = k.div_ceil(W::TOGETHER);
    let (row_words, panel_words) = (depth * W::TOGETHER, depth * W::TOGETHER * COLUMNS);
    let (panels, blocks) = (n.div_ceil(COLUMNS), m.div_ceil(ROWS));
    let (mut left, mut right) = (zeros::<W>(blocks * ROWS * row_words)?, zeros::<W>(panels * panel_words)?);
    let (rows, columns) = (Shared(left.as_mut_ptr()), Shared(right.as_mut_ptr()));
    pool.run(blocks + panels, &|task| {
        let Some(panel) = task.checked_sub(blocks) else {
            for i in task * ROWS..m.min(task * ROWS + ROWS) {
                // SAFETY: the row is this task's, and has place for `k` words.
                let row = unsafe { std::slice::from_raw_parts_mut(rows.get().add(i * row_words), k) };
                load(0, a.start + i as isize * a.row, a.col, row);
            }
            return;
        };
        let first = panel * COLUMNS;
        // SAFETY: the panel is this task's.
        let panel =
            unsafe { std::slice::from_raw_parts_mut(columns.get().add(panel * panel_words), panel_words) };
        let mut line = [W::default(); COLUMNS];
        let line = &mut line[..COLUMNS.min(n - first)];
        for kk in 0..k {
            load(1, b.start + kk as isize * b.row + first as isize * b.col, b.col, line);
            let (group, within) = (kk / W::TOGETHER, kk % W::TOGETHER);
            let group = &mut panel[group * COLUMNS * W::TOGETHER..];
            for (j, &word) in line.iter().enumerate() {
                group[j * W::TOGETHER + within] = word;
            }
        }
    });
    let isa = Isa::detect();
    let chunks = m.div_ceil(TASK);
    pool.run(panels * chunks, &|task| {
        let (panel, chunk) = (task / chunks, task % chunks);
        let first = panel * COLUMNS;
        let width = COLUMNS.min(n - first);
        for top in (chunk * TASK..m.min(chunk * TASK + TASK)).step_by(ROWS) {
            let mut sums: Sums<W> = [[W::Sum::default(); COLUMNS]; ROWS];
            // SAFETY: rows and panels are packed, and filled with zeros beyond the matrices.
            unsafe {
                let rows = std::array::from_fn(|r| rows.get().add((top + r) * row_words).cast_const());
                W::multiply(isa, depth, rows, columns.get().add(panel * panel_words), &mut sums);
            }
            for (r, sums) in sums.iter().enumerate().take(m - top) {
                store((top + r) * n + first, &sums[..width]);
            }
        }
    });
    Ok(())
}

/// Room for packed operands.
fn zeros<W: Word>(count: usize) -> Result<Vec<W>> {
    memory::check(count.saturating_mul(size_of::<W>()), &"a packed operand of a product of integers")?;
    Ok(vec![W::default(); count])
}

macro_rules! wrapping {
    ($($t:ty)*) => {$(
        impl Word for $t {
            type Sum = $t;
            const TOGETHER: usize = 1;

            unsafe fn multiply(isa: Isa, depth: usize, rows: [*const $t; ROWS], panel: *const $t, sums: &mut Sums<$t>) {
                #[inline(always)]
                unsafe fn body(depth: usize, rows: [*const $t; ROWS], panel: *const $t, sums: &mut Sums<$t>) {
                    const PART: usize = 16;
                    for part in (0..COLUMNS).step_by(PART) {
                        let mut held = [[0; PART]; ROWS];
                        for k in 0..depth {
                            // SAFETY: the caller's contract.
                            unsafe {
                                let line = panel.add(k * COLUMNS + part).cast::<[$t; PART]>().read_unaligned();
                                for (held, row) in held.iter_mut().zip(rows) {
                                    let x = row.add(k).read();
                                    for (sum, y) in held.iter_mut().zip(line) {
                                        *sum = (*sum as $t).wrapping_add(x.wrapping_mul(y));
                                    }
                                }
                            }
                        }
                        for (sums, held) in sums.iter_mut().zip(held) {
                            sums[part..part + PART].copy_from_slice(&held);
                        }
                    }
                }
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
                unsafe fn wide(depth: usize, rows: [*const $t; ROWS], panel: *const $t, sums: &mut Sums<$t>) {
                    // SAFETY: the caller's contract.
                    unsafe { body(depth, rows, panel, sums) }
                }
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                #[target_feature(enable = "avx2,fma")]
                unsafe fn narrow(depth: usize, rows: [*const $t; ROWS], panel: *const $t, sums: &mut Sums<$t>) {
                    // SAFETY: the caller's contract.
                    unsafe { body(depth, rows, panel, sums) }
                }
                // SAFETY: the caller's contract.
                unsafe {
                    match isa {
                        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                        Isa::Avx512 => wide(depth, rows, panel, sums),
                        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                        Isa::Avx2 => narrow(depth, rows, panel, sums),
                        _ => body(depth, rows, panel, sums),
                    }
                }
            }
        }
    )*};
}
wrapping!(i32 i64);

impl Word for i16 {
    type Sum = i32;
    const TOGETHER: usize = 2;

    unsafe fn multiply(
        isa: Isa,
        depth: usize,
        rows: [*const i16; ROWS],
        panel: *const i16,
        sums: &mut Sums<i16>,
    ) {
        // SAFETY: the caller's contract.
        unsafe {
            match isa {
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                Isa::Avx512 => x86::wide(depth, rows, panel, sums),
                #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                Isa::Avx2 => x86::narrow(depth, rows, panel, sums),
                _ => pairs(depth, rows, panel, sums),
            }
        }
    }
}

/// `sums += a0 b0 + a1 b1` for each pair.
///
/// # Safety
/// As [`Word::multiply`].
unsafe fn pairs(depth: usize, rows: [*const i16; ROWS], panel: *const i16, sums: &mut Sums<i16>) {
    for k in 0..depth {
        for (sums, row) in sums.iter_mut().zip(rows) {
            for (c, sum) in sums.iter_mut().enumerate() {
                for i in 0..2 {
                    // SAFETY: the caller's contract.
                    let (x, y) =
                        unsafe { (row.add(2 * k + i).read(), panel.add(2 * (k * COLUMNS + c) + i).read()) };
                    *sum = sum.wrapping_add(i32::from(x) * i32::from(y));
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod x86 {
    use std::arch::x86_64::*;

    use super::{COLUMNS, ROWS, Sums};

    /// # Safety
    /// As [`super::Word::multiply`].
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe fn wide(depth: usize, rows: [*const i16; ROWS], panel: *const i16, sums: &mut Sums<i16>) {
        const VECTORS: usize = COLUMNS / 16;
        // SAFETY: the caller's contract.
        unsafe {
            let mut held = [[_mm512_setzero_si512(); VECTORS]; ROWS];
            for k in 0..depth {
                let line: [__m512i; VECTORS] =
                    std::array::from_fn(|v| _mm512_loadu_si512(panel.add(2 * (k * COLUMNS + 16 * v)).cast()));
                for (held, row) in held.iter_mut().zip(rows) {
                    let x = _mm512_set1_epi32(row.cast::<i32>().add(k).read_unaligned());
                    for (sum, y) in held.iter_mut().zip(line) {
                        *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(x, y));
                    }
                }
            }
            for (sums, held) in sums.iter_mut().zip(held) {
                for (v, held) in held.into_iter().enumerate() {
                    _mm512_storeu_si512(sums.as_mut_ptr().add(16 * v).cast(), held);
                }
            }
        }
    }

    /// # Safety
    /// As [`super::Word::multiply`].
    #[target_feature(enable = "avx2")]
    pub unsafe fn narrow(depth: usize, rows: [*const i16; ROWS], panel: *const i16, sums: &mut Sums<i16>) {
        const VECTORS: usize = 2;
        // SAFETY: the caller's contract.
        unsafe {
            for part in (0..COLUMNS).step_by(8 * VECTORS) {
                let mut held = [[_mm256_setzero_si256(); VECTORS]; ROWS];
                for k in 0..depth {
                    let line: [__m256i; VECTORS] = std::array::from_fn(|v| {
                        _mm256_loadu_si256(panel.add(2 * (k * COLUMNS + part + 8 * v)).cast())
                    });
                    for (held, row) in held.iter_mut().zip(rows) {
                        let x = _mm256_set1_epi32(row.cast::<i32>().add(k).read_unaligned());
                        for (sum, y) in held.iter_mut().zip(line) {
                            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(x, y));
                        }
                    }
                }
                for (sums, held) in sums.iter_mut().zip(held) {
                    for (v, held) in held.into_iter().enumerate() {
                        _mm256_storeu_si256(sums.as_mut_ptr().add(part + 8 * v).cast(), held);
                    }
                }
            }
        }
    }
}
