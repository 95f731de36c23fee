//! Copies of operand blocks in the order the microkernels read them, widened to the accumulator type.

use super::element::Factor;
use crate::isa::Isa;

/// A strided matrix without extents.
#[derive(Clone, Copy)]
pub(crate) struct View<T> {
    pub ptr: *const T,
    pub row: isize,
    pub col: isize,
}

// SAFETY: whoever dereferences it states why it may.
unsafe impl<T> Sync for View<T> {}

impl<T: Copy> View<T> {
    pub(super) fn at(self, row: usize, col: usize) -> *const T {
        self.ptr.wrapping_offset(row as isize * self.row).wrapping_offset(col as isize * self.col)
    }

    pub(super) fn from(self, row: usize, col: usize) -> View<T> {
        View { ptr: self.at(row, col), ..self }
    }

    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    fn cast<U>(self) -> View<U> {
        View { ptr: self.ptr.cast(), row: self.row, col: self.col }
    }

    pub(super) fn transposed(self) -> View<T> {
        View { ptr: self.ptr, row: self.col, col: self.row }
    }
}

/// The row counts of the panels that split `rows` rows, at most `most` each and as even as possible.
pub(crate) fn panels(rows: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = rows.div_ceil(most);
    let (base, extra) = (rows / count.max(1), rows % count.max(1));
    (0..count).map(move |i| base + usize::from(i < extra))
}

/// Writes `out[k * width + r] = src[r, k]` for `r < lines` (zero up to `width`) and `k < depth`.
///
/// # Safety
/// `src` is readable at those places, `out` holds `depth * width` elements, and `isa` is present.
pub(crate) unsafe fn panel<T: Factor>(
    isa: Isa,
    src: View<T>,
    lines: usize,
    depth: usize,
    out: *mut T::Acc,
    width: usize,
) {
    // SAFETY: forwarded; each arm runs on an instruction set that was detected.
    unsafe {
        match isa {
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx512 => x86::panel_avx512(src, lines, depth, out, width),
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx2 => x86::panel_avx2(src, lines, depth, out, width),
            _ => panel_any(src, lines, depth, out, width),
        }
    }
}

#[inline(always)]
unsafe fn panel_any<T: Factor>(src: View<T>, lines: usize, depth: usize, out: *mut T::Acc, width: usize) {
    let zero = T::Acc::default();
    // SAFETY: the caller vouches for `lines x depth` elements of `src` and `depth * width` of `out`.
    unsafe {
        if src.row == 1 {
            for k in 0..depth {
                let (from, to) = (src.at(0, k), out.add(k * width));
                for r in 0..lines {
                    *to.add(r) = (*from.add(r)).widen();
                }
                for r in lines..width {
                    *to.add(r) = zero;
                }
            }
            return;
        }
        // Blocks of a cache line of each source line, so that strided lines are fetched once.
        for start in (0..depth).step_by(16) {
            let end = (start + 16).min(depth);
            for r in 0..lines {
                for k in start..end {
                    *out.add(k * width + r) = (*src.at(r, k)).widen();
                }
            }
            for r in lines..width {
                for k in start..end {
                    *out.add(k * width + r) = zero;
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) mod x86 {
    use super::*;
    use jarrah_base::{bf16, f16};
    use std::any::TypeId;
    use std::arch::x86_64::*;

    /// Sixteen elements as `f32`; the masked ones are neither read nor anything but zero.
    trait Sixteen: Copy {
        /// # Safety
        /// AVX-512 is present, and the elements in the mask are readable.
        unsafe fn load(mask: u16, p: *const Self) -> __m512;
    }

    impl Sixteen for f32 {
        #[inline(always)]
        unsafe fn load(mask: u16, p: *const f32) -> __m512 {
            // SAFETY: the caller's contract.
            unsafe { _mm512_maskz_loadu_ps(mask, p) }
        }
    }

    impl Sixteen for bf16 {
        #[inline(always)]
        unsafe fn load(mask: u16, p: *const bf16) -> __m512 {
            // SAFETY: the caller's contract.
            unsafe {
                let half = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, p.cast()));
                _mm512_castsi512_ps(_mm512_slli_epi32::<16>(half))
            }
        }
    }

    impl Sixteen for f16 {
        #[inline(always)]
        unsafe fn load(mask: u16, p: *const f16) -> __m512 {
            // SAFETY: the caller's contract.
            unsafe { _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, p.cast())) }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    pub(super) unsafe fn panel_avx512<T: Factor>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut T::Acc,
        width: usize,
    ) {
        let is = |other: TypeId| TypeId::of::<T>() == other;
        // SAFETY: the caller's contract; each cast is to the type `T` is, whose accumulator is then `f32`.
        unsafe {
            if is(TypeId::of::<f32>()) {
                sixteens(src.cast::<f32>(), lines, depth, out.cast(), width, width);
            } else if is(TypeId::of::<bf16>()) {
                sixteens(src.cast::<bf16>(), lines, depth, out.cast(), width, width);
            } else if is(TypeId::of::<f16>()) {
                sixteens(src.cast::<f16>(), lines, depth, out.cast(), width, width);
            } else {
                panel_any(src, lines, depth, out, width);
            }
        }
    }

    /// Transposes `n x n` words: `out[k * stride + r] = src[r * row + k]`.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    pub(crate) unsafe fn transpose_words(
        src: *const f32,
        row: isize,
        out: *mut f32,
        stride: usize,
        n: usize,
    ) {
        // SAFETY: the caller's contract; registers move bits unchanged.
        unsafe { sixteens(View { ptr: src, row, col: 1 }, n, n, out, n, stride) }
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn panel_avx2<T: Factor>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut T::Acc,
        width: usize,
    ) {
        // SAFETY: the caller's contract.
        unsafe { panel_any(src, lines, depth, out, width) }
    }

    /// How many rows ahead of those that are packed memory is asked for more.
    const AHEAD: isize = 16;

    /// `panel` in whole registers, with `out`'s rows `stride` apart: lines that are contiguous along the depth are
    /// transposed in blocks of 16 x 16.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    unsafe fn sixteens<T: Factor<Acc = f32> + Sixteen>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut f32,
        width: usize,
        stride: usize,
    ) {
        // SAFETY: masks keep every load below `lines` and `depth`, and every store below `width`.
        unsafe {
            if src.row != 1 && src.col != 1 {
                debug_assert_eq!(width, stride);
                panel_any(src, lines, depth, out, width);
                return;
            }
            for first in (0..width).step_by(16) {
                let store = mask(width - first);
                let count = lines.saturating_sub(first).min(16);
                if src.row == 1 {
                    let load = mask(count);
                    let (mut from, mut to) = (src.at(first, 0), out.add(first));
                    for _ in 0..depth {
                        _mm512_mask_storeu_ps(to, store, T::load(load, from));
                        // Whoever packs goes through all panels before it comes to these rows.
                        _mm_prefetch::<_MM_HINT_T0>(from.wrapping_offset(AHEAD * src.col).cast());
                        from = from.wrapping_offset(src.col);
                        to = to.wrapping_add(stride);
                    }
                    continue;
                }
                for start in (0..depth).step_by(16) {
                    let steps = (depth - start).min(16);
                    let load = mask(steps);
                    let mut block = [_mm512_setzero_ps(); 16];
                    for (i, v) in block.iter_mut().enumerate() {
                        if i < count {
                            *v = T::load(load, src.at(first + i, start));
                        }
                    }
                    let block = transpose(block);
                    for (k, v) in block.into_iter().enumerate() {
                        if k < steps {
                            _mm512_mask_storeu_ps(out.add((start + k) * stride + first), store, v);
                        }
                    }
                }
            }
        }
    }

    fn mask(count: usize) -> u16 {
        if count >= 16 { u16::MAX } else { (1 << count) - 1 }
    }

    /// Rows become columns: pairs, then quads within 128-bit quarters, then the quarters themselves.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    fn transpose(r: [__m512; 16]) -> [__m512; 16] {
        let mut t = r;
        for i in (0..16).step_by(4) {
            let a = _mm512_castps_pd(_mm512_unpacklo_ps(r[i], r[i + 1]));
            let b = _mm512_castps_pd(_mm512_unpackhi_ps(r[i], r[i + 1]));
            let c = _mm512_castps_pd(_mm512_unpacklo_ps(r[i + 2], r[i + 3]));
            let d = _mm512_castps_pd(_mm512_unpackhi_ps(r[i + 2], r[i + 3]));
            t[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
            t[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
            t[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
            t[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
        }
        // t[4 g + j], quarter q: column 4 q + j of rows 4 g .. 4 g + 4.
        let mut out = t;
        for j in 0..4 {
            let ab_even = _mm512_shuffle_f32x4::<0x88>(t[j], t[4 + j]);
            let ab_odd = _mm512_shuffle_f32x4::<0xdd>(t[j], t[4 + j]);
            let cd_even = _mm512_shuffle_f32x4::<0x88>(t[8 + j], t[12 + j]);
            let cd_odd = _mm512_shuffle_f32x4::<0xdd>(t[8 + j], t[12 + j]);
            out[j] = _mm512_shuffle_f32x4::<0x88>(ab_even, cd_even);
            out[8 + j] = _mm512_shuffle_f32x4::<0xdd>(ab_even, cd_even);
            out[4 + j] = _mm512_shuffle_f32x4::<0x88>(ab_odd, cd_odd);
            out[12 + j] = _mm512_shuffle_f32x4::<0xdd>(ab_odd, cd_odd);
        }
        out
    }
}
