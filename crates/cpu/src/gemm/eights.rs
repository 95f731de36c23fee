//! Packing with AVX2: eight units at a time.

use std::arch::x86_64::*;

use jarrah_base::{bf16, f16};

use super::element::{Pack, Unit};
use super::pack::{Half, Quarter, View};

/// The number of units in a register.
const LANES: usize = 8;

/// The number of rows ahead that are prefetched while rows are packed.
const AHEAD: isize = 16;

/// The number of bytes ahead in a line that are prefetched while it is packed.
const LINES_AHEAD: usize = 512;

/// Elements whose units are loaded eight at a time into one register: along a line that is contiguous along the depth, or across
/// adjacent lines.
pub(super) trait Eight: Copy {
    /// The elements in a unit.
    const TOGETHER: usize = 1;

    /// Eight units of one line.
    ///
    /// # Safety
    /// AVX2 and F16C are present, and the elements are readable.
    unsafe fn along(p: *const Self) -> __m256;

    /// A unit of each of eight lines, of the first `count` elements, `next` apart; the others are neither read nor anything but zero.
    ///
    /// # Safety
    /// AVX2 and F16C are present, and the elements are readable.
    unsafe fn across(p: *const Self, next: isize, count: usize) -> __m256;
}

/// Elements that are units by themselves, from eight of them in memory.
macro_rules! eight {
    ($t:ty, $p:ident, $load:expr) => {
        impl Eight for $t {
            #[inline(always)]
            unsafe fn along($p: *const $t) -> __m256 {
                // SAFETY: the caller's contract.
                unsafe { $load }
            }

            #[inline(always)]
            unsafe fn across(p: *const $t, _: isize, _: usize) -> __m256 {
                // SAFETY: the caller's contract.
                unsafe { Self::along(p) }
            }
        }
    };
}

eight!(f32, p, _mm256_loadu_ps(p));
eight!(f16, p, _mm256_cvtph_ps(_mm_loadu_si128(p.cast())));
eight!(bf16, p, {
    let half = _mm256_cvtepu16_epi32(_mm_loadu_si128(p.cast()));
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(half))
});

impl Eight for Half {
    const TOGETHER: usize = 2;

    #[inline(always)]
    unsafe fn along(p: *const Half) -> __m256 {
        // SAFETY: the caller's contract.
        unsafe { _mm256_loadu_ps(p.cast()) }
    }

    #[inline(always)]
    unsafe fn across(p: *const Half, next: isize, count: usize) -> __m256 {
        // SAFETY: the caller's contract.
        unsafe {
            let first = _mm256_cvtepu16_epi32(_mm_loadu_si128(p.cast()));
            if count < 2 {
                return _mm256_castsi256_ps(first);
            }
            let second = _mm256_cvtepu16_epi32(_mm_loadu_si128(p.offset(next).cast()));
            _mm256_castsi256_ps(_mm256_or_si256(first, _mm256_slli_epi32::<16>(second)))
        }
    }
}

impl Eight for Quarter {
    const TOGETHER: usize = 4;

    #[inline(always)]
    unsafe fn along(p: *const Quarter) -> __m256 {
        // SAFETY: the caller's contract.
        unsafe { _mm256_loadu_ps(p.cast()) }
    }

    #[inline(always)]
    unsafe fn across(p: *const Quarter, next: isize, count: usize) -> __m256 {
        // SAFETY: the caller's contract.
        unsafe {
            let zero = _mm_setzero_si128();
            let mut rows = [zero; 4];
            for (i, row) in rows.iter_mut().enumerate().take(count) {
                *row = _mm_loadl_epi64(p.offset(i as isize * next).cast());
            }
            let (low, high) = (_mm_unpacklo_epi8(rows[0], rows[1]), _mm_unpacklo_epi8(rows[2], rows[3]));
            let (first, second) = (_mm_unpacklo_epi16(low, high), _mm_unpackhi_epi16(low, high));
            _mm256_castsi256_ps(_mm256_set_m128i(second, first))
        }
    }
}

/// [`panel`](super::pack::panel) in whole registers, where lines are contiguous along the depth or next to one another: the former are transposed
/// in blocks of 8 x 8 units. `T` packs its elements as `E` does.
///
/// # Safety
/// As for [`panel`](super::pack::panel); AVX2 and F16C are present, and an `E` is a `T`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn eights<E: Eight, T: Pack<U>, U: Unit>(
    src: View<T>,
    lines: usize,
    depth: usize,
    out: *mut U,
    width: usize,
) {
    let units = depth.div_ceil(E::TOGETHER);
    // SAFETY: registers are loaded of lines below `lines` and elements below `depth`, and stored where all of them is below `units * width`; what is
    // beside them goes one by one, within the same bounds.
    unsafe {
        let unit = |r: usize, k: usize| {
            let first = k * E::TOGETHER;
            T::pack((depth - first).min(E::TOGETHER), |i| *src.at(r, first + i))
        };
        let one_by_one = |rows: std::ops::Range<usize>, ks: std::ops::Range<usize>| {
            for k in ks {
                for r in rows.clone() {
                    out.add(k * width + r).write(if r < lines { unit(r, k) } else { U::default() });
                }
            }
        };
        // A register of a narrow row reaches into the next ones, which are written after it.
        let store = |k: usize, first: usize, v: __m256| {
            let (lanes, at) = ((width - first).min(LANES), k * width + first);
            if lanes == LANES || width < LANES && at + LANES <= units * width {
                _mm256_storeu_ps(out.add(at).cast(), v);
            } else {
                let mut room = [U::default(); LANES];
                _mm256_storeu_ps(room.as_mut_ptr().cast(), v);
                std::ptr::copy_nonoverlapping(room.as_ptr(), out.add(at), lanes);
            }
        };
        for first in (0..width).step_by(LANES) {
            let (last, count) = ((first + LANES).min(width), lines.saturating_sub(first).min(LANES));
            if src.row == 1 {
                if count < LANES {
                    one_by_one(first..last, 0..units);
                    continue;
                }
                let mut from = src.at(first, 0);
                for k in 0..units {
                    store(k, first, E::across(from.cast(), src.col, depth - k * E::TOGETHER));
                    // Packing goes through all panels before it comes to these rows.
                    for row in 0..E::TOGETHER as isize {
                        let ahead = from.wrapping_offset((AHEAD * E::TOGETHER as isize + row) * src.col);
                        _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                    }
                    from = from.wrapping_offset(E::TOGETHER as isize * src.col);
                }
                continue;
            }
            let whole = depth / E::TOGETHER / LANES * LANES;
            for start in (0..whole).step_by(LANES) {
                let mut block = [_mm256_setzero_ps(); LANES];
                for (i, v) in block.iter_mut().enumerate().take(count) {
                    let from = src.at(first + i, start * E::TOGETHER);
                    *v = E::along(from.cast());
                    // Lines that are pages apart are too many streams for the hardware prefetcher.
                    _mm_prefetch::<_MM_HINT_T1>(from.cast::<i8>().wrapping_add(LINES_AHEAD));
                }
                for (k, v) in transpose(block).into_iter().enumerate() {
                    store(start + k, first, v);
                }
            }
            one_by_one(first..last, whole..units);
        }
    }
}

/// Rows become columns: pairs, then quads within the halves, then the halves themselves.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(r: [__m256; LANES]) -> [__m256; LANES] {
    let mut t = r;
    for i in (0..LANES).step_by(4) {
        let a = _mm256_castps_pd(_mm256_unpacklo_ps(r[i], r[i + 1]));
        let b = _mm256_castps_pd(_mm256_unpackhi_ps(r[i], r[i + 1]));
        let c = _mm256_castps_pd(_mm256_unpacklo_ps(r[i + 2], r[i + 3]));
        let d = _mm256_castps_pd(_mm256_unpackhi_ps(r[i + 2], r[i + 3]));
        t[i] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
        t[i + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
        t[i + 2] = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
        t[i + 3] = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));
    }
    let mut out = t;
    for j in 0..4 {
        out[j] = _mm256_permute2f128_ps::<0x20>(t[j], t[4 + j]);
        out[4 + j] = _mm256_permute2f128_ps::<0x31>(t[j], t[4 + j]);
    }
    out
}
