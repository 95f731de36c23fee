//! Products of words of `bf16` where the processor has AVX2 but not the instruction for them: fused multiply-adds of `f32` while MXCSR
//! takes subnormal operands as zeros (DAZ) and gives zeros for subnormal results (FTZ), which is
//! [`flushed_multiply_add`](jarrah_base::flushed_multiply_add) bit for bit.
//!
//! Compiled code may assume the MXCSR that a thread begins with, so each loop that runs under another one is a block of assembly, which
//! restores MXCSR before it ends. Sums of blocks, and scales, are added outside of it: they keep subnormal numbers.

use std::arch::asm;
use std::arch::x86_64::{
    __m256, _MM_HINT_T0, _mm_prefetch, _mm256_permute2f128_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};
use std::mem::MaybeUninit;

use jarrah_base::bf16;

use super::element::{Unit, Word};
use super::kernel::{Chains, Kernels, STREAMED, Scaled, Stream, Streams, Tile, load, store};
use super::vector::{Register, Vector};

type U = Word<bf16>;

/// The number of floats in a register.
const LANES: usize = 8;

/// The number of columns that [`stream`] processes at a time: a register of even ones, and a register of odd ones.
const STRIP: usize = 2 * LANES;

/// The bits of MXCSR that take subnormal operands as zeros and give zeros for subnormal results.
pub(crate) const FLUSHING: u32 = 1 << 15 | 1 << 6;

/// The constants that the assembly reads: the thread's MXCSR, the same with [`FLUSHING`], and a mask of the upper half of a word.
#[repr(C)]
struct Modes {
    ordinary: u32,
    flushing: u32,
    upper: u32,
    /// Whether chains continue, instead of beginning at zero.
    resume: u32,
}

impl Modes {
    fn here() -> Modes {
        let mut ordinary = 0u32;
        // SAFETY: it writes the four bytes of `ordinary`.
        unsafe {
            asm!("stmxcsr dword ptr [{}]", in(reg) &raw mut ordinary, options(nostack, preserves_flags));
        }
        Modes { ordinary, flushing: ordinary | FLUSHING, upper: 0xffff_0000, resume: 0 }
    }
}

/// The multiply-adds of element `$half` of a unit of each row, adjacent in memory, by one or two registers of columns.
macro_rules! products {
    ($n:literal, $half:literal, $($row:literal: $x:literal)*) => {
        concat!($(
            "vbroadcastss ymm15, dword ptr [{a} + 4*(", $n, "*", $half, "+", $row, ")]\n",
            "vfmadd231ps ymm", $x, ", ymm15, ymm12\n",
        )*)
    };
    ($n:literal, $half:literal, $($row:literal: $x:literal $y:literal)*) => {
        concat!($(
            "vbroadcastss ymm15, dword ptr [{a} + 4*(", $n, "*", $half, "+", $row, ")]\n",
            "vfmadd231ps ymm", $x, ", ymm15, ymm12\n",
            "vfmadd231ps ymm", $y, ", ymm15, ymm13\n",
        )*)
    };
}

/// Loads the second elements of the columns as floats.
macro_rules! second {
    (1) => {
        "vandps ymm12, ymm14, ymmword ptr [{b}]\n"
    };
    (2) => {
        "vandps ymm12, ymm14, ymmword ptr [{b}]\nvandps ymm13, ymm14, ymmword ptr [{b} + 32]\n"
    };
}

/// Loads the first elements of the columns as floats.
macro_rules! first {
    (1) => {
        "vmovups ymm12, ymmword ptr [{b}]\nvpslld ymm12, ymm12, 16\n"
    };
    (2) => {
        "vmovups ymm12, ymmword ptr [{b}]\nvmovups ymm13, ymmword ptr [{b} + 32]\nvpslld ymm12, ymm12, 16\nvpslld ymm13, ymm13, 16\n"
    };
}

/// The loop of [`chain`] over one shape of tile: `$n` rows of `$w` registers, each row with the registers of its sums.
macro_rules! chain {
    ($modes:ident, $k:ident, $a:ident, $b:ident, $next:ident, $out:ident: $n:literal x $w:tt, $($row:literal: $($x:literal)*),*) => {
        asm!(
            concat!(
                "ldmxcsr dword ptr [{modes} + 4]\n",
                "vbroadcastss ymm14, dword ptr [{modes} + 8]\n",
                $($("vxorps ymm", $x, ", ymm", $x, ", ymm", $x, "\n",)*)*
                "2:\n",
                second!($w),
                products!($n, 1, $($row: $($x)*)*),
                first!($w),
                products!($n, 0, $($row: $($x)*)*),
                "add {a}, 8*", $n, "\n",
                "add {b}, {next}\n",
                "dec {k}\n",
                "jnz 2b\n",
                $($("vmovups ymmword ptr [{out} + 32*", $x, "], ymm", $x, "\n",)*)*
                "vzeroupper\n",
                "ldmxcsr dword ptr [{modes}]\n",
            ),
            modes = in(reg) $modes,
            a = inout(reg) $a => _,
            b = inout(reg) $b => _,
            k = inout(reg) $k => _,
            next = in(reg) $next,
            out = in(reg) $out,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack),
        )
    };
}

/// Writes the chains of R rows and W registers over `k` units to `out`.
///
/// # Safety
/// AVX2 and FMA are present; `a` has R x 2 `k` floats, those of an element of K behind one another, `b` has `k` rows of W registers of
/// units, and `out` room for R rows of W registers.
#[inline(always)]
unsafe fn chain<const R: usize, const W: usize>(
    modes: &Modes,
    k: usize,
    a: *const f32,
    b: *const U,
    b_row: isize,
    out: *mut f32,
) {
    let next = b_row * size_of::<U>() as isize;
    // SAFETY: the caller's promise. The assembly leaves MXCSR as it was, but for flags, and names every register it writes.
    unsafe {
        if k == 0 {
            return out.write_bytes(0, R * W * LANES);
        }
        match (R, W) {
            (1, 1) => chain!(modes, k, a, b, next, out: 1 x 1, 0: 0),
            (2, 1) => chain!(modes, k, a, b, next, out: 2 x 1, 0: 0, 1: 1),
            (3, 1) => chain!(modes, k, a, b, next, out: 3 x 1, 0: 0, 1: 1, 2: 2),
            (4, 1) => chain!(modes, k, a, b, next, out: 4 x 1, 0: 0, 1: 1, 2: 2, 3: 3),
            (5, 1) => chain!(modes, k, a, b, next, out: 5 x 1, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4),
            (6, 1) => chain!(modes, k, a, b, next, out: 6 x 1, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5),
            (1, 2) => chain!(modes, k, a, b, next, out: 1 x 2, 0: 0 1),
            (2, 2) => chain!(modes, k, a, b, next, out: 2 x 2, 0: 0 1, 1: 2 3),
            (3, 2) => chain!(modes, k, a, b, next, out: 3 x 2, 0: 0 1, 1: 2 3, 2: 4 5),
            (4, 2) => chain!(modes, k, a, b, next, out: 4 x 2, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7),
            (5, 2) => chain!(modes, k, a, b, next, out: 5 x 2, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9),
            (6, 2) => {
                chain!(modes, k, a, b, next, out: 6 x 2, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9, 5: 10 11)
            }
            _ => unreachable!("tiles have one to six rows of one or two registers"),
        }
    }
}

/// The chains that [`chain`] writes, in registers.
///
/// # Safety
/// As for [`chain`].
#[inline(always)]
unsafe fn chains<const R: usize, const W: usize>(
    modes: &Modes,
    k: usize,
    a: *const f32,
    b: *const U,
    b_row: isize,
) -> [[__m256; W]; R] {
    let mut out = MaybeUninit::<[[__m256; W]; R]>::uninit();
    // SAFETY: the caller's promise; there is room for R x W registers, all of which are written.
    unsafe {
        chain::<R, W>(modes, k, a, b, b_row, out.as_mut_ptr().cast());
        out.assume_init()
    }
}

/// See [`Tile`]; a packed A has its elements as floats.
#[target_feature(enable = "avx2,fma")]
unsafe fn tile<const R: usize, const W: usize>(
    k: usize,
    a: *const U,
    _: isize,
    _: isize,
    mut b: *const U,
    b_row: isize,
    c: *mut f32,
    c_row: isize,
    mut resume: bool,
) {
    let (modes, mut a, mut left) = (Modes::here(), a.cast::<f32>(), k);
    // The tile of C lies in other pages than the one before it, and is there when its sums are added to it.
    for r in 0..R {
        let row = c.wrapping_offset(r as isize * c_row);
        _mm_prefetch::<_MM_HINT_T0>(row.cast());
        _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(W * LANES - 1).cast());
    }
    // SAFETY: the caller vouches for R x 2 k floats of A, k rows of W registers of B and R rows of W registers of C.
    unsafe {
        loop {
            let depth = left.min(U::BLOCK);
            store(&chains::<R, W>(&modes, depth, a, b, b_row), c, c_row, resume);
            left -= depth;
            if left == 0 {
                return;
            }
            a = a.add(2 * R * depth);
            b = b.offset(depth as isize * b_row);
            resume = true;
        }
    }
}

/// See [`Scaled`]; a packed A has its elements as floats.
#[target_feature(enable = "avx2,fma")]
unsafe fn scaled<const R: usize, const W: usize>(
    groups: usize,
    each: usize,
    a: *const U,
    mut b: *const U,
    b_row: isize,
    c: *mut f32,
    c_row: isize,
    mut scales: *const f32,
    scales_row: isize,
    resume: bool,
) {
    let (modes, mut a) = (Modes::here(), a.cast::<f32>());
    // SAFETY: the caller vouches for R x 2 x groups x each floats of A, as many rows of W registers of B, R rows of W registers of C, and as
    // many scales of each group.
    unsafe {
        let mut sums = [[<__m256 as Register<f32>>::zero(); W]; R];
        if resume {
            sums = load(c.cast_const(), c_row);
        }
        for _ in 0..groups {
            let group = chains::<R, W>(&modes, each, a, b, b_row);
            for w in 0..W {
                let scale = <__m256 as Register<f32>>::load(scales.add(w * LANES));
                for r in 0..R {
                    sums[r][w] = Vector::<f32>::multiply_add(sums[r][w], group[r][w], scale);
                }
            }
            a = a.add(2 * R * each);
            b = b.offset(each as isize * b_row);
            scales = scales.offset(scales_row);
        }
        store(&sums, c, c_row, false);
    }
}

/// The products of a row of B, at `$at`, whose number is `$i`: even columns and odd ones become floats in place.
macro_rules! line {
    ($n:literal, $i:literal, $at:literal, $($row:literal: $x:literal $y:literal),*) => {
        concat!(
            "vmovups ymm12, ymmword ptr ", $at, "\n",
            "vandps ymm13, ymm12, ymm14\n",
            "vpslld ymm12, ymm12, 16\n",
            products!($n, $i, $($row: $x $y)*)
        )
    };
}

/// The lines of four units, each unit's second element first.
macro_rules! lines_of_4 {
    ($n:literal, $($rows:tt)*) => {
        concat!(
            line!($n, 1, "[{b} + {s}]", $($rows)*),
            line!($n, 0, "[{b}]", $($rows)*),
            line!($n, 3, "[{b} + {s3}]", $($rows)*),
            line!($n, 2, "[{b} + 2*{s}]", $($rows)*),
            line!($n, 5, "[{b4} + {s}]", $($rows)*),
            line!($n, 4, "[{b4}]", $($rows)*),
            line!($n, 7, "[{b4} + {s3}]", $($rows)*),
            line!($n, 6, "[{b4} + 2*{s}]", $($rows)*),
            // Columns of the next rows: rows a power of two apart would evict one another from the first-level cache.
            "prefetcht1 byte ptr [{b8}]\n",
            "prefetcht1 byte ptr [{b8} + {s}]\n",
            "prefetcht1 byte ptr [{b8} + 2*{s}]\n",
            "prefetcht1 byte ptr [{b8} + {s3}]\n",
            "prefetcht1 byte ptr [{b12}]\n",
            "prefetcht1 byte ptr [{b12} + {s}]\n",
            "prefetcht1 byte ptr [{b12} + 2*{s}]\n",
            "prefetcht1 byte ptr [{b12} + {s3}]\n",
        )
    };
}

/// The lines of one unit; the registers of further rows are not read.
macro_rules! lines_of_1 {
    ($n:literal, $($rows:tt)*) => {
        concat!(
            "/* {s3} */\n",
            line!($n, 1, "[{b} + {s}]", $($rows)*),
            line!($n, 0, "[{b}]", $($rows)*),
        )
    };
}

/// The address of a row of chains.
macro_rules! row_of_chains {
    (0) => {
        "[{f}"
    };
    (1) => {
        "[{f} + {fs}"
    };
    (2) => {
        "[{f} + 2*{fs}"
    };
    (3) => {
        "[{f3}"
    };
    (4) => {
        "[{f3} + {fs}"
    };
    (5) => {
        "[{f3} + 2*{fs}"
    };
}

/// The loop of [`strips`] for one number of rows, each with the registers of its chains.
macro_rules! strips {
    ($modes:ident, $count:ident, $a:ident, $b:ident, $s:ident, $f:ident, $fs:ident: $lines:ident $n:tt, $($row:tt: $x:literal $y:literal),*) => {
        asm!(
            concat!(
                "/* {fs} */\n",
                "ldmxcsr dword ptr [{modes} + 4]\n",
                "vbroadcastss ymm14, dword ptr [{modes} + 8]\n",
                "2:\n",
                "cmp dword ptr [{modes} + 12], 0\n",
                "je 3f\n",
                $(
                    "vmovups ymm", $x, ", ymmword ptr ", row_of_chains!($row), "]\n",
                    "vmovups ymm", $y, ", ymmword ptr ", row_of_chains!($row), " + 32]\n",
                )*
                "jmp 4f\n",
                "3:\n",
                $(
                    "vxorps ymm", $x, ", ymm", $x, ", ymm", $x, "\n",
                    "vxorps ymm", $y, ", ymm", $y, ", ymm", $y, "\n",
                )*
                "4:\n",
                $lines!($n, $($row: $x $y),*),
                $(
                    "vmovups ymmword ptr ", row_of_chains!($row), "], ymm", $x, "\n",
                    "vmovups ymmword ptr ", row_of_chains!($row), " + 32], ymm", $y, "\n",
                )*
                "add {b}, 32\n",
                "add {b4}, 32\n",
                "add {b8}, 32\n",
                "add {b12}, 32\n",
                "add {f}, 64\n",
                "add {f3}, 64\n",
                "dec {count}\n",
                "jnz 2b\n",
                "vzeroupper\n",
                "ldmxcsr dword ptr [{modes}]\n",
            ),
            modes = in(reg) $modes,
            count = inout(reg) $count => _,
            a = in(reg) $a,
            b = inout(reg) $b => _,
            b4 = inout(reg) $b.wrapping_offset(4 * $s) => _,
            b8 = inout(reg) $b.wrapping_offset(8 * $s) => _,
            b12 = inout(reg) $b.wrapping_offset(12 * $s) => _,
            s = in(reg) $s,
            s3 = in(reg) 3 * $s,
            f = inout(reg) $f => _,
            f3 = inout(reg) $f.wrapping_offset(3 * $fs) => _,
            fs = in(reg) $fs,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack),
        )
    };
}

/// Advances the chains of R rows and of `count` strips of columns by K units. A strip of chains has those of the even columns first.
///
/// # Safety
/// AVX2 and FMA are present; `a` has R floats for each of 2 K elements, B as many rows of `count` strips, `s` bytes apart, and there are
/// R rows of as many chains, `fs` bytes apart.
#[inline(always)]
unsafe fn strips<const R: usize, const K: usize>(
    modes: &Modes,
    count: usize,
    a: *const f32,
    (b, s): (*const u8, isize),
    (f, fs): (*mut u8, isize),
) {
    if count == 0 {
        return;
    }
    // SAFETY: the caller's promise. The assembly leaves MXCSR as it was, but for flags, and names every register it writes.
    unsafe {
        match (R, K) {
            (1, 1) => strips!(modes, count, a, b, s, f, fs: lines_of_1 1, 0: 0 1),
            (2, 1) => strips!(modes, count, a, b, s, f, fs: lines_of_1 2, 0: 0 1, 1: 2 3),
            (3, 1) => strips!(modes, count, a, b, s, f, fs: lines_of_1 3, 0: 0 1, 1: 2 3, 2: 4 5),
            (4, 1) => strips!(modes, count, a, b, s, f, fs: lines_of_1 4, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7),
            (5, 1) => {
                strips!(modes, count, a, b, s, f, fs: lines_of_1 5, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9)
            }
            (6, 1) => {
                strips!(modes, count, a, b, s, f, fs: lines_of_1 6, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9, 5: 10 11)
            }
            (1, STREAMED) => strips!(modes, count, a, b, s, f, fs: lines_of_4 1, 0: 0 1),
            (2, STREAMED) => strips!(modes, count, a, b, s, f, fs: lines_of_4 2, 0: 0 1, 1: 2 3),
            (3, STREAMED) => strips!(modes, count, a, b, s, f, fs: lines_of_4 3, 0: 0 1, 1: 2 3, 2: 4 5),
            (4, STREAMED) => {
                strips!(modes, count, a, b, s, f, fs: lines_of_4 4, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7)
            }
            (5, STREAMED) => {
                strips!(modes, count, a, b, s, f, fs: lines_of_4 5, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9)
            }
            (6, STREAMED) => {
                strips!(modes, count, a, b, s, f, fs: lines_of_4 6, 0: 0 1, 1: 2 3, 2: 4 5, 3: 6 7, 4: 8 9, 5: 10 11)
            }
            _ => unreachable!("one to six rows are read, one or four units at a time"),
        }
    }
}

const _: () = assert!(STREAMED == 4, "the assembly has the lines of four units");

/// See [`Stream`]. Between the first rows of a block and the last ones chains lie strip by strip, in whole strips.
#[target_feature(enable = "avx2,fma")]
unsafe fn stream<const R: usize, const K: usize>(
    a: *const U,
    a_row: isize,
    a_col: isize,
    b: *const bf16,
    b_row: isize,
    n: usize,
    chains: &Chains<U>,
) {
    let Chains { from, resume, to, add, .. } = *chains;
    let modes = Modes { resume: resume.into(), ..Modes::here() };
    let (count, last) = (n / STRIP, n % STRIP);
    let next = b_row * size_of::<bf16>() as isize;
    let apart = from.1 * size_of::<f32>() as isize;
    let mut factors = [[0.0f32; R]; 2 * STREAMED];
    let mut rest = [[bf16::from_bits(0); STRIP]; 2 * STREAMED];
    // SAFETY: the caller vouches for R x K units of A, 2 K rows of n elements of B and R rows of n chains, whose rows have room for whole strips
    // where they are taken up.
    unsafe {
        for (i, row) in factors.iter_mut().enumerate().take(2 * K) {
            for (r, factor) in row.iter_mut().enumerate() {
                let unit = *a.offset(r as isize * a_row + (i / 2) as isize * a_col);
                *factor = unit.halves()[i % 2];
            }
        }
        let factors = factors.as_ptr().cast::<f32>();
        strips::<R, K>(&modes, count, factors, (b.cast(), next), (from.0.cast(), apart));
        if last > 0 {
            let first = count * STRIP;
            for (i, row) in rest.iter_mut().enumerate().take(2 * K) {
                let source = b.offset(i as isize * b_row).add(first);
                std::ptr::copy_nonoverlapping(source, row.as_mut_ptr(), last);
            }
            let row = size_of_val(&rest[0]) as isize;
            strips::<R, K>(
                &modes,
                1,
                factors,
                (rest.as_ptr().cast(), row),
                (from.0.add(first).cast(), apart),
            );
        }
        if to.0 == from.0 {
            return;
        }
        for r in 0..R as isize {
            let (from, to) = (from.0.offset(r * from.1), to.0.offset(r * to.1));
            for first in (0..n).step_by(STRIP) {
                let strip = in_order(from.add(first));
                let to = to.add(first);
                if n - first >= STRIP {
                    store(&[strip], to, 0, add);
                    continue;
                }
                let mut sums = [0.0f32; STRIP];
                store(&[strip], sums.as_mut_ptr(), 0, false);
                for (i, sum) in sums.into_iter().enumerate().take(n - first) {
                    let to = to.add(i);
                    *to = if add { *to + sum } else { sum };
                }
            }
        }
    }
}

/// The chains of a strip by columns.
///
/// # Safety
/// A strip is readable at `from`.
#[target_feature(enable = "avx2,fma")]
unsafe fn in_order(from: *const f32) -> [__m256; 2] {
    // SAFETY: the caller's promise.
    let [even, odd] = unsafe { [Register::load(from), Register::load(from.add(LANES))] };
    let (low, high) = (_mm256_unpacklo_ps(even, odd), _mm256_unpackhi_ps(even, odd));
    [_mm256_permute2f128_ps::<0x20>(low, high), _mm256_permute2f128_ps::<0x31>(low, high)]
}

/// The tiles of each number of rows.
macro_rules! of_rows {
    ($kernel:ident, $second:tt) => {
        &[
            $kernel::<1, $second>,
            $kernel::<2, $second>,
            $kernel::<3, $second>,
            $kernel::<4, $second>,
            $kernel::<5, $second>,
            $kernel::<6, $second>,
        ]
    };
}

const SCALED: [&[Scaled<U>]; 2] = [of_rows!(scaled, 1), of_rows!(scaled, 2)];
const TILES: [&[Tile<U>]; 2] = [of_rows!(tile, 1), of_rows!(tile, 2)];
const SEVERAL: &[Stream<bf16>] = of_rows!(stream, STREAMED);
const ONE: &[Stream<bf16>] = of_rows!(stream, 1);

pub(super) static KERNELS: Kernels<U> =
    Kernels { lanes: LANES, heads: None, widened: true, packed: TILES, strided: [&[], &[]], scaled: SCALED };

pub(super) static STREAMS: Streams<bf16> = Streams { several: SEVERAL, one: ONE };
