use jarrah_base::{CHAIN, bf16, c64, c128, chains, f16, flushed_multiply_add};
use jarrah_cpu::gemm::{
    Accumulator, Destination, Factor, FusedRows, Gemm, GroupScales, Isa, OperandSource, PROLOGUE_STRIDE,
    PackedB, Prologue, Rounded, RowBlock, Streamed, Strided, gemm, gemm_on, panel_shape,
};
use jarrah_cpu::threads::ThreadPool;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A stream of numbers of mixed sign and size.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        (unit - 0.5) * if self.0 & 0x700 == 0 { 100.0 } else { 2.0 }
    }

    fn vec<T: Number>(&mut self, len: usize) -> Vec<T> {
        (0..len).map(|_| T::from_f64(self.next())).collect()
    }
}

trait Number: Streamed + Debug {
    /// The products of real numbers that a product is, for each part.
    const PRODUCTS: usize = 1;
    fn from_f64(x: f64) -> Self;
    fn bits(self) -> u128;
    /// The chain over a block of the first `k` products.
    fn chain(block: Range<usize>, k: usize, at: impl Fn(usize) -> [Self; 2]) -> Self::Acc;
}

macro_rules! number {
    ($t:ty, $from:expr, $chain:expr) => {
        impl Number for $t {
            fn from_f64(x: f64) -> $t {
                $from(x)
            }

            fn bits(self) -> u128 {
                u128::from(self.to_bits())
            }

            fn chain(block: Range<usize>, k: usize, at: impl Fn(usize) -> [Self; 2]) -> Self::Acc {
                #[allow(clippy::redundant_closure_call)]
                $chain(block, k, &|p| at(p).map(|x| x.widen()))
            }
        }
    };
}

/// One product after another.
macro_rules! in_order {
    ($acc:ty) => {
        |block: Range<usize>, _: usize, at: &dyn Fn(usize) -> [$acc; 2]| {
            block.fold(0.0, |acc: $acc, p| at(p)[0].mul_add(at(p)[1], acc))
        }
    };
}

/// The second product of each pair before the first.
fn in_pairs(block: Range<usize>, k: usize, at: &dyn Fn(usize) -> [f32; 2]) -> f32 {
    let at = |p: usize| if p < k { at(p) } else { [0.0; 2] };
    block.step_by(2).fold(0.0, |acc, p| {
        let [[a, b], [c, d]] = [at(p), at(p + 1)];
        flushed_multiply_add(a, b, flushed_multiply_add(c, d, acc))
    })
}

number!(f32, |x| x as f32, in_order!(f32));
number!(f64, |x| x, in_order!(f64));
number!(f16, f16::from_f64, in_order!(f32));
number!(bf16, bf16::from_f64, in_pairs);

/// Integers of all sizes, the least and the largest ones too; sums wrap.
macro_rules! integer {
    ($($t:ty => $acc:ty;)*) => {$(
        impl Number for $t {
            fn from_f64(x: f64) -> $t {
                let least = x.abs() < 0.05;
                if least { <$t>::MIN } else if x > 1.0 { <$t>::MAX } else { (x * <$t>::MAX as f64) as $t }
            }

            fn bits(self) -> u128 {
                self as u128
            }

            fn chain(block: Range<usize>, _: usize, at: impl Fn(usize) -> [$t; 2]) -> $acc {
                block.fold(0, |sum: $acc, p| {
                    let [a, b] = at(p).map(<$acc>::from);
                    sum.wrapping_add(a.wrapping_mul(b))
                })
            }
        }
    )*};
}

integer! {
    i8 => i32;
    i16 => i32;
    i32 => i32;
    i64 => i64;
}

/// The parts of the left number in turn, and beside them those of the right one.
macro_rules! complex {
    ($($t:ty, $part:ty;)*) => {$(
        impl Number for $t {
            const PRODUCTS: usize = 2;

            fn from_f64(x: f64) -> $t {
                <$t>::new(x as $part, (1e3 * x).fract() as $part)
            }

            fn bits(self) -> u128 {
                u128::from(self.re.to_bits()) << 64 | u128::from(self.im.to_bits())
            }

            fn chain(block: Range<usize>, _: usize, at: impl Fn(usize) -> [$t; 2]) -> $t {
                let mut sum = <$t>::new(0.0, 0.0);
                for p in block {
                    let [x, y] = at(p);
                    sum.re = x.re.mul_add(y.re, sum.re);
                    sum.re = x.im.mul_add(-y.im, sum.re);
                    sum.im = x.re.mul_add(y.im, sum.im);
                    sum.im = x.im.mul_add(y.re, sum.im);
                }
                sum
            }
        }
    )*};
}

complex! {
    c64, f32;
    c128, f64;
}

#[derive(Clone, Copy, Debug)]
struct Case {
    batch: usize,
    m: usize,
    n: usize,
    k: usize,
    a_cols: bool,
    b_cols: bool,
    accumulate: bool,
}

/// Operands with padded strides, so that a stride mistaken for an extent shows.
fn check<T: Number, O: Number + Rounded<Acc = T::Acc>>(isa: Isa, pool: &ThreadPool, case: Case) {
    let Case { batch, m, n, k, a_cols, b_cols, accumulate } = case;
    let mut numbers = Numbers(((m * 31 + n) * 31 + k) as u64);
    let (a_ld, b_ld, c_ld) = (if a_cols { m } else { k } + 3, if b_cols { k } else { n } + 5, n + 2);
    let (a_size, b_size, c_size) =
        (a_ld * if a_cols { k } else { m } + 7, b_ld * if b_cols { n } else { k } + 1, c_ld * m + 4);
    let a: Vec<T> = numbers.vec(a_size * batch);
    let b: Vec<T> = numbers.vec(b_size * batch);
    let old: Vec<O> = numbers.vec(c_size * batch);
    let mut c = old.clone();
    let strided = |ptr, ld, cols: bool, size: usize| {
        if cols { Strided::col_major(ptr, ld) } else { Strided::row_major(ptr, ld) }.batched(size as isize)
    };
    let sa = strided(a.as_ptr(), a_ld, a_cols, a_size);
    let sb = strided(b.as_ptr(), b_ld, b_cols, b_size);
    let g = Gemm {
        batch,
        m,
        n,
        k,
        a: sa.into(),
        b: sb.into(),
        c: c.as_mut_ptr(),
        c_row: c_ld,
        c_batch: c_size,
        accumulate,
        scales: None,
    };
    let mut expected = old.clone();
    for z in 0..batch {
        for i in 0..m {
            for j in 0..n {
                let at = |p: usize| {
                    let x = a[z * a_size + if a_cols { p * a_ld + i } else { i * a_ld + p }];
                    let y = b[z * b_size + if b_cols { j * b_ld + p } else { p * b_ld + j }];
                    [x, y]
                };
                let acc = chains(T::PRODUCTS * k)
                    .map(|block| T::chain(block.start / T::PRODUCTS..block.end / T::PRODUCTS, k, at))
                    .reduce(Accumulator::plus)
                    .unwrap_or_default();
                let at = z * c_size + i * c_ld + j;
                expected[at] = O::narrow(if accumulate { old[at].widen().plus(acc) } else { acc });
            }
        }
    }
    let same = |c: &[O], what: &str| {
        for (at, (x, y)) in c.iter().zip(&expected).enumerate() {
            assert_eq!(x.bits(), y.bits(), "{what} {case:?} on {isa:?}: element {at} is {x:?}, not {y:?}");
        }
    };
    let seen = Mutex::new(vec![0u8; batch * m * n]);
    let epilogue = |mut tile: jarrah_cpu::gemm::EpilogueTile<'_, O>| {
        let mut seen = seen.lock().expect("no panic while held");
        for i in tile.rows.clone() {
            let (batch, cols) = (tile.batch, tile.cols.clone());
            for (j, x) in cols.zip(tile.row(i)) {
                seen[(batch * m + i) * n + j] += 1;
                assert_eq!(x.bits(), expected[batch * c_size + i * c_ld + j].bits(), "not final: {case:?}");
            }
        }
    };
    // SAFETY: the vectors above hold what the extents and strides name.
    unsafe { gemm_on(isa, pool, &g, Some(&epilogue)) };
    same(&c, "strided");
    assert!(seen.into_inner().expect("no panic while held").iter().all(|&s| s == 1), "epilogue: {case:?}");
    if isa == Isa::detect() && batch == 1 {
        let mut c = old.clone();
        // SAFETY: as above.
        unsafe {
            let packed = PackedB::new(pool, &sb, k, n).expect("little memory");
            gemm(pool, &Gemm { b: packed.panels().into(), c: c.as_mut_ptr(), ..g }, None);
        }
        same(&c, "packed");
    }
}

fn shapes<T: Number, O: Number + Rounded<Acc = T::Acc>>(shapes: &[(usize, usize, usize, usize)]) {
    let pools = [ThreadPool::new(1), ThreadPool::new(2), ThreadPool::new(3)];
    for &isa in Isa::available() {
        for (i, &(batch, m, n, k)) in shapes.iter().enumerate() {
            for (a_cols, b_cols, accumulate) in
                [(false, false, false), (true, false, true), (false, true, false), (true, true, true)]
            {
                check::<T, O>(isa, &pools[i % 3], Case { batch, m, n, k, a_cols, b_cols, accumulate });
            }
        }
    }
}

const ODD: [(usize, usize, usize, usize); 14] = [
    (1, 1, 1, 1),
    (1, 3, 5, 0),
    (1, 1, 37, 19),
    (1, 7, 33, 300),
    (1, 8, 130, 65),
    (1, 13, 31, 17),
    (1, 25, 65, 270),
    (1, 70, 16, 33),
    (2, 12, 32, 64),
    (3, 5, 48, 9),
    (9, 17, 20, 30),
    (1, 64, 64, 64),
    (1, 150, 49, 129),
    (0, 4, 4, 4),
];

#[test]
fn f32_is_summed_in_blocks() {
    shapes::<f32, f32>(&ODD);
}

#[test]
fn f64_is_summed_in_blocks() {
    shapes::<f64, f64>(&ODD);
}

#[test]
fn complex_numbers_are_summed_by_parts() {
    shapes::<c64, c64>(&ODD);
    shapes::<c128, c128>(&ODD);
}

#[test]
fn bf16_is_summed_in_f32() {
    shapes::<bf16, bf16>(&ODD);
    shapes::<bf16, f32>(&ODD[..8]);
}

/// A batch of products of a row and a column, whose elements or whose products are neighbours.
fn dots<T: Number, O: Number + Rounded<Acc = T::Acc>>() {
    for (batch, k) in [(8, 0), (9, 1), (70, 128), (300, 129), (1100, 700)] {
        let mut numbers = Numbers(batch as u64);
        let (a, b): (Vec<T>, Vec<T>) = (numbers.vec(batch * k), numbers.vec(batch * k));
        for [a_along, b_along] in [[true, true], [true, false], [false, false]] {
            let place = |along: bool, z: usize, p: usize| if along { z * k + p } else { p * batch + z };
            let strided = |of: &[T], along: bool| {
                let (next, batch) = if along { (1, k as isize) } else { (batch as isize, 1) };
                Strided { ptr: of.as_ptr(), row: next, col: next, batch }
            };
            for &isa in Isa::available() {
                let mut c: Vec<O> = numbers.vec(batch);
                let g = Gemm {
                    batch,
                    m: 1,
                    n: 1,
                    k,
                    a: strided(&a, a_along).into(),
                    b: strided(&b, b_along).into(),
                    c: c.as_mut_ptr(),
                    c_row: 1,
                    c_batch: 1,
                    accumulate: false,
                    scales: None,
                };
                // SAFETY: the vectors hold what the extents and strides name.
                unsafe { gemm_on(isa, &ThreadPool::new(2), &g, None) };
                for (z, found) in c.iter().enumerate() {
                    let at = |p: usize| [a[place(a_along, z, p)], b[place(b_along, z, p)]];
                    let sum = chains(k).map(|block| T::chain(block, k, at)).reduce(Accumulator::plus);
                    let expected = O::narrow(sum.unwrap_or_default());
                    assert_eq!(found.bits(), expected.bits(), "{batch} of {k} on {isa:?}: {z}");
                }
            }
        }
    }
}

#[test]
fn batches_of_dot_products_are_summed_in_blocks() {
    dots::<f32, f32>();
    dots::<f64, f64>();
    dots::<f16, f16>();
    dots::<bf16, f32>();
    dots::<i8, i32>();
    dots::<i32, i32>();
    dots::<i64, i64>();
}

/// Sums next to the least normal number, and operands below it: on every instruction set what [`flushed_multiply_add`] says.
#[test]
fn subnormal_numbers_are_zeros_in_products_of_bf16() {
    let mut state = 11u64;
    let mut draw = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut least, mut zeros) = (0, 0);
    for _ in 0..900 {
        let (m, n, k) = (1 + draw(14) as usize, 1 + draw(40) as usize, 1 + draw(9) as usize);
        let mut number = |exponent: u64| {
            let bits = (draw(2) << 15) | (exponent << 7) | if draw(2) == 0 { draw(4) } else { draw(128) };
            bf16::from_bits(bits as u16)
        };
        let below = 30 + number(0).to_bits() as u64 % 60;
        // The exponents of two factors add up to about that of the least normal number.
        let a: Vec<bf16> = (0..m * k).map(|i| number(below + i as u64 % 3 * 20)).collect();
        let b: Vec<bf16> = (0..k * n).map(|i| number(127u64.saturating_sub(below) + i as u64 % 4)).collect();
        let subnormal = |x: &[bf16]| -> Vec<bf16> {
            x.iter()
                .enumerate()
                .map(|(i, &x)| if i % 11 == 3 { bf16::from_bits(x.to_bits() & 0x807f) } else { x })
                .collect()
        };
        let (a, b) = (subnormal(&a), subnormal(&b));
        for &isa in Isa::available() {
            for rows in [false, true] {
                let mut c = vec![0.0f32; m * n];
                let transposed: Vec<bf16> = (0..n * k).map(|i| b[i % k * n + i / k]).collect();
                let b_at = match rows {
                    true => Strided::row_major(b.as_ptr(), n),
                    false => Strided::col_major(transposed.as_ptr(), k),
                };
                let g = Gemm {
                    batch: 1,
                    m,
                    n,
                    k,
                    a: Strided::row_major(a.as_ptr(), k).into(),
                    b: b_at.into(),
                    c: c.as_mut_ptr(),
                    c_row: n,
                    c_batch: 0,
                    accumulate: false,
                    scales: None,
                };
                // SAFETY: the vectors hold what the extents and strides name.
                unsafe { gemm_on(isa, &ThreadPool::new(1), &g, None) };
                for (at, &found) in c.iter().enumerate() {
                    let (i, j) = (at / n, at % n);
                    let expected = in_pairs(0..k, k, &|p| [a[i * k + p].widen(), b[p * n + j].widen()]);
                    assert_eq!(found.to_bits(), expected.to_bits(), "{found:e}, not {expected:e} on {isa:?}");
                    // The cases are counted once, however many instruction sets there are.
                    let counts = usize::from(isa == Isa::Portable && !rows);
                    least += counts * usize::from(expected.abs() == f32::MIN_POSITIVE);
                    zeros += counts * usize::from(expected == 0.0);
                }
            }
        }
    }
    assert!(least >= 10 && zeros > 1000, "{least} least and {zeros} zeros");
}

/// The sum of each group, times the scale of group and column, in blocks of groups.
fn scaled<T: Number + Factor<Acc = f32>, O: Rounded<Acc = f32> + Number>(
    m: usize,
    n: usize,
    groups: usize,
    each: usize,
) {
    let k = groups * each;
    let mut numbers = Numbers(7);
    let (a, b): (Vec<T>, Vec<T>) = (numbers.vec(m * k), numbers.vec(k * n));
    let scales: Vec<f32> = numbers.vec(groups * n);
    let packed: Vec<T> = (0..n * k).map(|i| b[i % k * n + i / k]).collect();
    for &isa in Isa::available() {
        for (turned, threads) in [(false, 1), (false, 3), (true, 1), (true, 2)] {
            let b_at = match turned {
                false => Strided::row_major(b.as_ptr(), n),
                true => Strided::col_major(packed.as_ptr(), k),
            };
            let mut c: Vec<O> = numbers.vec(m * n);
            let g = Gemm {
                batch: 1,
                m,
                n,
                k,
                a: Strided::row_major(a.as_ptr(), k).into(),
                b: b_at.into(),
                c: c.as_mut_ptr(),
                c_row: n,
                c_batch: 0,
                accumulate: false,
                scales: Some(GroupScales {
                    each,
                    most: 100,
                    source: Strided::row_major(scales.as_ptr(), n).into(),
                }),
            };
            // SAFETY: the vectors hold what the extents and strides name.
            unsafe { gemm_on(isa, &ThreadPool::new(threads), &g, None) };
            for (at, &found) in c.iter().enumerate() {
                let (i, j) = (at / n, at % n);
                let sum = |g: usize| {
                    T::chain(0..each, each, |p| [a[i * k + g * each + p], b[(g * each + p) * n + j]])
                };
                let blocks = chains(groups)
                    .map(|block| block.fold(0.0f32, |acc, g| sum(g).mul_add(scales[g * n + j], acc)));
                let expected = O::narrow(blocks.reduce(|x, y| x + y).unwrap_or(0.0));
                assert_eq!(found.bits(), expected.bits(), "{m} x {n}, {groups} of {each} at {at} on {isa:?}");
            }
        }
    }
}

#[test]
fn sums_of_groups_are_scaled() {
    for (m, n, groups, each) in [(1, 32, 4, 32), (13, 70, 5, 8), (40, 33, 3, 128), (200, 97, 16, 64)] {
        scaled::<f32, f32>(m, n, groups, each);
        scaled::<bf16, f32>(m, n, groups, each);
        scaled::<bf16, bf16>(m, n, groups, each);
        scaled::<f16, f16>(m, n, groups, each);
    }
    // More groups than a block.
    scaled::<bf16, bf16>(5, 40, CHAIN + 3, 16);
    scaled::<f32, f32>(20, 40, 2 * CHAIN + 1, 8);
    assert!(
        GroupScales::fit(jarrah_base::DType::BF16, 32) && !GroupScales::fit(jarrah_base::DType::BF16, 48)
    );
    assert!(!GroupScales::fit(jarrah_base::DType::F32, 256) && !GroupScales::fit(jarrah_base::DType::I8, 32));
}

/// A prologue that copies a matrix of `n` columns, by rows or by row blocks of `rows` rows in panels of `panel` columns, and counts the elements of
/// both.
struct Copies<'a> {
    b: &'a [f32],
    n: usize,
    rows: usize,
    panel: usize,
    written: AtomicUsize,
    packed: AtomicUsize,
}

impl Prologue<f32> for Copies<'_> {
    fn by_columns(&self) -> bool {
        false
    }

    fn stride(&self) -> usize {
        PROLOGUE_STRIDE
    }

    unsafe fn write(&self, _: usize, lines: Range<usize>, places: Range<usize>, to: *mut f32) {
        self.written.fetch_add(lines.len() * places.len(), Ordering::Relaxed);
        for (line, row) in lines.enumerate() {
            for (place, col) in places.clone().enumerate() {
                // SAFETY: there is room for these lines, so far apart.
                unsafe { *to.add(line * PROLOGUE_STRIDE + place) = self.b[row * self.n + col] };
            }
        }
    }

    fn fused(&self) -> Option<FusedRows> {
        let to = Destination::Panels { columns: self.panel };
        let block = RowBlock { units: self.rows, words: false, to };
        Some(FusedRows { block, computes_scales: false, panel: None })
    }

    unsafe fn run(
        &self,
        _: usize,
        (row, blocks): (usize, usize),
        cols: Range<usize>,
        _: *mut u8,
        to: &[*mut u8],
    ) {
        self.packed.fetch_add(blocks * self.rows * cols.len(), Ordering::Relaxed);
        for (line, row) in (row..row + blocks * self.rows).enumerate() {
            for (place, col) in cols.clone().enumerate() {
                // SAFETY: a panel has room for these rows.
                unsafe { *to[0].cast::<f32>().add(line * self.panel + place) = self.b[row * self.n + col] };
            }
        }
    }
}

/// Columns, and rows of the product, that are whole panels and row blocks are packed as a prologue computes them; others are written and packed.
#[test]
fn row_blocks_are_packed_as_a_prologue_computes_them() {
    let (m, n, k) = (20, 300, 96);
    let mut numbers = Numbers(11);
    let (a, b): (Vec<f32>, Vec<f32>) = (numbers.vec(m * k), numbers.vec(k * n));
    let (panel, _) = panel_shape(jarrah_base::DType::F32).unwrap();
    let product = |pool: &ThreadPool, b: OperandSource<'_, f32>, n: usize| {
        let mut c = vec![f32::NAN; m * n];
        let a = Strided::row_major(a.as_ptr(), k).into();
        let g = Gemm {
            batch: 1,
            m,
            n,
            k,
            a,
            b,
            c: c.as_mut_ptr(),
            c_row: n,
            c_batch: 0,
            accumulate: false,
            scales: None,
        };
        // SAFETY: the vectors hold what the extents and strides name.
        unsafe { gemm(pool, &g, None) };
        c.into_iter().map(f32::to_bits).collect::<Vec<u32>>()
    };
    for (threads, rows, n) in
        [(1, 16, n / panel * panel), (2, 32, n / panel * panel), (1, 16, n), (1, 36, n / panel * panel)]
    {
        let pool = ThreadPool::new(threads);
        let (written, packed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let copies = Copies { b: &b, n, rows, panel, written, packed };
        let found = product(&pool, OperandSource::Prologue(&copies), n);
        assert_eq!(
            found,
            product(&pool, Strided::row_major(b.as_ptr(), n).into(), n),
            "{threads} threads, row blocks of {rows}"
        );
        let whole = k % rows == 0 && n % panel == 0;
        let counts = [copies.packed, copies.written].map(|count| count.into_inner());
        assert_eq!(counts, if whole { [k * n, 0] } else { [0, k * n] }, "blocks of {rows} rows, {n} columns");
    }
}

/// A left operand in panels is refused.
#[test]
fn left_operands_lie_in_no_panels() {
    let b = [0.0f32; 4];
    // SAFETY: never read.
    let a = unsafe { jarrah_cpu::gemm::PackedPanels::at(b.as_ptr(), 2, 2) }.into();
    let mut c = [0.0f32; 4];
    let g = Gemm {
        batch: 1,
        m: 2,
        n: 2,
        k: 2,
        a,
        b: Strided::row_major(b.as_ptr(), 2).into(),
        c: c.as_mut_ptr(),
        c_row: 2,
        c_batch: 0,
        accumulate: false,
        scales: None,
    };
    // SAFETY: refused before anything is read.
    let run = std::panic::AssertUnwindSafe(|| unsafe { gemm(&ThreadPool::new(1), &g, None) });
    let refused = std::panic::catch_unwind(run).expect_err("refused");
    assert_eq!(refused.downcast_ref::<&str>(), Some(&"a left operand in panels"));
}

#[test]
fn f16_is_summed_in_f32() {
    shapes::<f16, f16>(&ODD);
    shapes::<f16, f32>(&ODD[..8]);
}

#[test]
fn integers_are_summed_modulo_a_power_of_two() {
    shapes::<i8, i32>(&ODD);
    shapes::<i8, i8>(&ODD);
    shapes::<i16, i32>(&ODD);
    shapes::<i16, i16>(&ODD);
    shapes::<i32, i32>(&ODD);
    shapes::<i64, i64>(&ODD);
    // More of K than a panel of the left operand holds, and a few rows of it.
    shapes::<i8, i32>(&[(1, 14, 40, 2300), (1, 2, 70, 2300), (1, 200, 70, 1030)]);
    shapes::<i16, i32>(&[(1, 14, 40, 1100), (1, 2, 70, 1100)]);
}

#[test]
fn large_products_split_among_threads_are_summed_in_the_same_blocks() {
    for threads in 1..4 {
        let pool = ThreadPool::new(threads);
        for (m, n, k) in [(1, 2000, 700), (8, 2600, 300), (20, 1500, 300), (333, 270, 310), (130, 1100, 129)]
        {
            for (a_cols, b_cols) in [(false, false), (true, false), (false, true), (true, true)] {
                let case = Case { batch: 1, m, n, k, a_cols, b_cols, accumulate: a_cols };
                check::<f32, f32>(Isa::detect(), &pool, case);
            }
        }
        check::<bf16, bf16>(
            Isa::detect(),
            &pool,
            Case { batch: 2, m: 130, n: 1100, k: 290, a_cols: false, b_cols: true, accumulate: false },
        );
        check::<f32, f32>(
            Isa::detect(),
            &pool,
            Case { batch: 6, m: 100, n: 90, k: 110, a_cols: false, b_cols: false, accumulate: false },
        );
    }
}

/// Enough columns that A is packed once, before the tasks: rows of several tiles, the last of them small, and several blocks of K.
#[test]
fn rows_packed_before_the_tasks_are_summed_in_the_same_blocks() {
    for threads in [1, 3] {
        let pool = ThreadPool::new(threads);
        for (m, n, k, a_cols) in [(200, 1600, 30, true), (30, 1600, 530, false)] {
            let case = Case { batch: 1, m, n, k, a_cols, b_cols: false, accumulate: a_cols };
            check::<f32, f32>(Isa::detect(), &pool, case);
            check::<bf16, bf16>(Isa::detect(), &pool, case);
        }
    }
}

#[test]
fn blocks_end_where_they_should() {
    const B: usize = CHAIN;
    for k in [B - 1, B, B + 1, 2 * B - 1, 2 * B, 2 * B + 1, 3 * B + 7, 4095, 4096, 4097] {
        // Streamed, one panel of rows, several, and columns that fill no register.
        shapes::<f32, f32>(&[(1, 1, 67, k), (2, 3, 17, k), (1, 9, 5, k), (1, 25, 35, k)]);
        shapes::<f64, f64>(&[(1, 2, 35, k), (1, 14, 19, k)]);
        shapes::<bf16, bf16>(&[(1, 3, 40, k), (1, 13, 33, k)]);
        shapes::<c64, c64>(&[(1, 1, 19, k / 2), (1, 9, 1, k / 2), (1, 14, 19, k / 2)]);
    }
}

#[test]
fn broadcast_and_reversed_operands() {
    let pool = ThreadPool::new(2);
    let (row, mut c) = ([1.0f32, 2.0, 3.0], [0.0f32; 6]);
    let a = Strided { ptr: &row[2], row: 0, col: -1, batch: 0 };
    let b = Strided { ptr: row.as_ptr(), row: 1, col: 0, batch: 0 };
    let g = Gemm {
        batch: 1,
        m: 2,
        n: 3,
        k: 3,
        a: a.into(),
        b: b.into(),
        c: c.as_mut_ptr(),
        c_row: 3,
        c_batch: 0,
        accumulate: false,
        scales: None,
    };
    // SAFETY: the strides stay inside `row`, and `c` is 2 x 3.
    unsafe { gemm(&pool, &g, None) };
    assert_eq!(c, [10.0; 6]);
}
