//! Copies of operand blocks in the order the microkernels read them, as their units, and of accumulators as elements.

use super::element::{Pack, Rounded, Unit};
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

/// Writes `out[k * width + r]`, the unit of the elements of line `r` from `k * TOGETHER` on, for `r < lines` (zero up to `width`) and all
/// units that the `depth` elements of a line make.
///
/// # Safety
/// `src` is readable at those places, `out` holds as many rows of `width` units, and `isa` is present.
pub(crate) unsafe fn panel<T: Pack<U> + 'static, U: Unit>(
    isa: Isa,
    src: View<T>,
    lines: usize,
    depth: usize,
    out: *mut U,
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

/// Rounds each of `acc` to the nearest element, into `to`, which is as long.
///
/// # Safety
/// `isa` is present.
pub(super) unsafe fn narrow<O: Rounded>(isa: Isa, acc: &[O::Acc], to: &mut [O]) {
    // SAFETY: each arm runs on an instruction set that was detected.
    unsafe {
        match isa {
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx512 => x86::narrow_avx512(acc, to),
            #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
            Isa::Avx2 => x86::narrow_avx2(acc, to),
            _ => narrow_any(acc, to),
        }
    }
}

#[inline(always)]
fn narrow_any<O: Rounded>(acc: &[O::Acc], to: &mut [O]) {
    to.iter_mut().zip(acc).for_each(|(to, &acc)| *to = O::narrow(acc));
}

#[inline(always)]
unsafe fn panel_any<T: Pack<U>, U: Unit>(
    src: View<T>,
    lines: usize,
    depth: usize,
    out: *mut U,
    width: usize,
) {
    let (zero, units) = (U::default(), depth.div_ceil(U::TOGETHER));
    // SAFETY: the caller vouches for `lines x depth` elements of `src` and `units * width` of `out`.
    unsafe {
        let unit = |r: usize, k: usize| {
            let first = k * U::TOGETHER;
            T::pack((depth - first).min(U::TOGETHER), |i| *src.at(r, first + i))
        };
        if src.row == 1 {
            for k in 0..units {
                let to = out.add(k * width);
                for r in 0..lines {
                    *to.add(r) = unit(r, k);
                }
                for r in lines..width {
                    *to.add(r) = zero;
                }
            }
            return;
        }
        // Units are copied in blocks of a cache line of each source line, so that strided lines are fetched once.
        for start in (0..units).step_by(16) {
            let end = (start + 16).min(units);
            for r in 0..lines {
                for k in start..end {
                    *out.add(k * width + r) = unit(r, k);
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

/// An element of two bytes whose units are words.
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Half(u16);

/// An element of one byte whose units are words.
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Quarter(u8);

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) mod x86 {
    use super::*;
    use crate::gemm::eights::eights;
    use crate::gemm::element::Word;
    use crate::gemm::vector::x86::{four_rows, two_rows};
    use jarrah_base::{bf16, f16};
    use std::any::TypeId;
    use std::arch::x86_64::*;

    /// Elements whose units are loaded sixteen at a time into one register: along a line that is contiguous along the depth, or
    /// across adjacent lines.
    trait Sixteen: Copy {
        /// The elements in a unit.
        const TOGETHER: usize = 1;

        /// Units of one line, of the first `count` elements; the others are neither read nor anything but zero.
        ///
        /// # Safety
        /// AVX-512 is present, and the elements are readable.
        unsafe fn along(count: usize, p: *const Self) -> __m512;

        /// A unit of each of the first `lines` lines, of the first `count` elements, `next` apart; the others are neither read nor
        /// anything but zero.
        ///
        /// # Safety
        /// AVX-512 is present, and the elements are readable.
        unsafe fn across(lines: usize, p: *const Self, next: isize, count: usize) -> __m512;
    }

    /// Elements that are units by themselves, from 16 of them in memory.
    macro_rules! sixteen {
        ($t:ty, $mask:ident, $p:ident, $load:expr) => {
            impl Sixteen for $t {
                #[inline(always)]
                unsafe fn along(count: usize, $p: *const $t) -> __m512 {
                    let $mask = mask(count);
                    // SAFETY: the caller's contract.
                    unsafe { $load }
                }

                #[inline(always)]
                unsafe fn across(lines: usize, p: *const $t, _: isize, _: usize) -> __m512 {
                    // SAFETY: the caller's contract.
                    unsafe { Self::along(lines, p) }
                }
            }
        };
    }

    sixteen!(f32, mask, p, _mm512_maskz_loadu_ps(mask, p));
    sixteen!(f16, mask, p, _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, p.cast())));
    sixteen!(bf16, mask, p, {
        let half = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, p.cast()));
        _mm512_castsi512_ps(_mm512_slli_epi32::<16>(half))
    });

    impl Sixteen for Half {
        const TOGETHER: usize = 2;

        #[inline(always)]
        unsafe fn along(count: usize, p: *const Half) -> __m512 {
            let mask = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
            // SAFETY: the caller's contract.
            unsafe { _mm512_castsi512_ps(_mm512_maskz_loadu_epi16(mask, p.cast())) }
        }

        #[inline(always)]
        unsafe fn across(lines: usize, p: *const Half, next: isize, count: usize) -> __m512 {
            let mask = mask(lines);
            // SAFETY: the caller's contract.
            unsafe {
                let row = |p: *const Half| _mm256_maskz_loadu_epi16(mask, p.cast());
                let second = if count > 1 { row(p.offset(next)) } else { _mm256_setzero_si256() };
                _mm512_castsi512_ps(two_rows(row(p), second))
            }
        }
    }

    impl Sixteen for Quarter {
        const TOGETHER: usize = 4;

        #[inline(always)]
        unsafe fn along(count: usize, p: *const Quarter) -> __m512 {
            let mask = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
            // SAFETY: the caller's contract.
            unsafe { _mm512_castsi512_ps(_mm512_maskz_loadu_epi8(mask, p.cast())) }
        }

        #[inline(always)]
        unsafe fn across(lines: usize, p: *const Quarter, next: isize, count: usize) -> __m512 {
            let mask = mask(lines);
            // SAFETY: the caller's contract.
            unsafe {
                let row = |row: usize| match row < count {
                    true => _mm_maskz_loadu_epi8(mask, p.offset(row as isize * next).cast()),
                    false => _mm_setzero_si128(),
                };
                _mm512_castsi512_ps(four_rows([row(0), row(1), row(2), row(3)]))
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    pub(super) unsafe fn panel_avx512<T: Pack<U> + 'static, U: Unit>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut U,
        width: usize,
    ) {
        if src.row != 1 && src.col != 1 {
            // SAFETY: the caller's contract.
            return unsafe { panel_any(src, lines, depth, out, width) };
        }
        if src.row != 1 && src.row.unsigned_abs() * size_of::<T>() >= PAGE {
            // SAFETY: the caller's contract.
            return unsafe { panel_avx2(src, lines, depth, out, width) };
        }
        // SAFETY: the caller's contract; each cast is to the types that `T` and `U` are.
        unsafe {
            match lanes_of::<T, U>() {
                Some(Lanes::Single) => sixteens(src.cast::<f32>(), lines, depth, out.cast(), width, width),
                Some(Lanes::Bf16) => sixteens(src.cast::<bf16>(), lines, depth, out.cast(), width, width),
                Some(Lanes::F16) => sixteens(src.cast::<f16>(), lines, depth, out.cast(), width, width),
                Some(Lanes::Half) => sixteens(src.cast::<Half>(), lines, depth, out.cast(), width, width),
                Some(Lanes::Quarter) => {
                    sixteens(src.cast::<Quarter>(), lines, depth, out.cast(), width, width)
                }
                None => panel_any(src, lines, depth, out, width),
            }
        }
    }

    /// How elements become units of four bytes in registers.
    enum Lanes {
        /// Words of four bytes, as they are.
        Single,
        /// `bf16` as `f32`.
        Bf16,
        /// `f16` as `f32`.
        F16,
        /// Two elements of two bytes.
        Half,
        /// Four elements of one byte.
        Quarter,
    }

    /// How elements `T` become units `U` in registers, if they do.
    fn lanes_of<T: 'static, U: 'static>() -> Option<Lanes> {
        let is = |t: TypeId, u: TypeId| (TypeId::of::<T>(), TypeId::of::<U>()) == (t, u);
        let (single, whole) = (TypeId::of::<f32>(), TypeId::of::<i32>());
        match () {
            () if is(single, single) || is(whole, whole) => Some(Lanes::Single),
            () if is(TypeId::of::<bf16>(), single) => Some(Lanes::Bf16),
            () if is(TypeId::of::<f16>(), single) => Some(Lanes::F16),
            () if is(TypeId::of::<bf16>(), TypeId::of::<Word<bf16>>())
                || is(TypeId::of::<i16>(), TypeId::of::<Word<i16>>()) =>
            {
                Some(Lanes::Half)
            }
            () if is(TypeId::of::<i8>(), TypeId::of::<Word<i8>>()) => Some(Lanes::Quarter),
            () => None,
        }
    }

    /// Rounds a register of `f16` at a time; other types use the loop that the compiler vectorises.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    pub(super) unsafe fn narrow_avx512<O: Rounded>(acc: &[O::Acc], to: &mut [O]) {
        if TypeId::of::<O>() != TypeId::of::<f16>() {
            return narrow_any(acc, to);
        }
        let count = acc.len().min(to.len());
        let (from, to) = (acc.as_ptr().cast::<f32>(), to.as_mut_ptr().cast::<f16>());
        for i in (0..count).step_by(16) {
            let mask = mask(count - i);
            // SAFETY: masks keep every load and store below `count`; accumulators of `f16` are `f32`.
            unsafe {
                let x = _mm512_maskz_loadu_ps(mask, from.add(i));
                let y = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x);
                _mm256_mask_storeu_epi16(to.add(i).cast(), mask, y);
            }
        }
    }

    /// As `narrow_avx512`.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn narrow_avx2<O: Rounded>(acc: &[O::Acc], to: &mut [O]) {
        if TypeId::of::<O>() != TypeId::of::<f16>() {
            return narrow_any(acc, to);
        }
        let count = acc.len().min(to.len());
        let whole = count / 8 * 8;
        let (from, halves) = (acc.as_ptr().cast::<f32>(), to.as_mut_ptr().cast::<f16>());
        for i in (0..whole).step_by(8) {
            // SAFETY: eight numbers from `i` on are below `count`; accumulators of `f16` are `f32`.
            unsafe {
                let y = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_loadu_ps(from.add(i)));
                _mm_storeu_si128(halves.add(i).cast(), y);
            }
        }
        narrow_any(&acc[whole..count], &mut to[whole..count]);
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

    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn panel_avx2<T: Pack<U> + 'static, U: Unit>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut U,
        width: usize,
    ) {
        let lanes = lanes_of::<T, U>().filter(|_| src.row == 1 || src.col == 1);
        // SAFETY: the caller's contract; each type of elements is what `T` is.
        unsafe {
            match lanes {
                Some(Lanes::Single) => eights::<f32, T, U>(src, lines, depth, out, width),
                Some(Lanes::Bf16) => eights::<bf16, T, U>(src, lines, depth, out, width),
                Some(Lanes::F16) => eights::<f16, T, U>(src, lines, depth, out, width),
                Some(Lanes::Half) => eights::<Half, T, U>(src, lines, depth, out, width),
                Some(Lanes::Quarter) => eights::<Quarter, T, U>(src, lines, depth, out, width),
                None => panel_any(src, lines, depth, out, width),
            }
        }
    }

    /// The number of rows ahead that are prefetched while rows are packed.
    const AHEAD: isize = 16;

    /// The distance, in bytes, from which on lines are packed eight at a time: sixteen lines in pages of their own are too many
    /// streams for the hardware prefetcher, and more than a set of the first-level cache holds.
    const PAGE: usize = 4096;

    /// `panel` in whole registers, with `out`'s rows `stride` apart, where lines are contiguous along the depth or next to one another: the
    /// former are transposed in blocks of 16 x 16 units.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
    unsafe fn sixteens<T: Sixteen>(
        src: View<T>,
        lines: usize,
        depth: usize,
        out: *mut f32,
        width: usize,
        stride: usize,
    ) {
        let units = depth.div_ceil(T::TOGETHER);
        // SAFETY: masks keep every load below `lines` and `depth`, and every store below `width`.
        unsafe {
            for first in (0..width).step_by(16) {
                let store = mask(width - first);
                let count = lines.saturating_sub(first).min(16);
                if src.row == 1 {
                    let (mut from, mut to) = (src.at(first, 0), out.add(first));
                    for k in 0..units {
                        let unit = T::across(count, from, src.col, depth - k * T::TOGETHER);
                        _mm512_mask_storeu_ps(to, store, unit);
                        // Packing goes through all panels before it comes to these rows.
                        for row in 0..T::TOGETHER as isize {
                            let ahead = from.wrapping_offset((AHEAD * T::TOGETHER as isize + row) * src.col);
                            _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                        }
                        from = from.wrapping_offset(T::TOGETHER as isize * src.col);
                        to = to.wrapping_add(stride);
                    }
                    continue;
                }
                for start in (0..units).step_by(16) {
                    let (steps, at) = ((units - start).min(16), start * T::TOGETHER);
                    let mut block = [_mm512_setzero_ps(); 16];
                    for (i, v) in block.iter_mut().enumerate() {
                        if i < count {
                            *v = T::along((depth - at).min(16 * T::TOGETHER), src.at(first + i, at));
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
