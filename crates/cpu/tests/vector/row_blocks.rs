//! Loops that multiply their row blocks in registers, or pack them.

use jarrah_base::{DType, bf16, flushed_multiply_add};
use jarrah_cpu::gemm::{Destination, RowBlock};
use jarrah_cpu::vector::{BoxPlan, Isa};
use jarrah_tile::{Axis, Binary, LoopBuilder, LoopKernel, ScalarBits};

const COLUMNS: usize = 77;
const GROUPS: usize = 3;
/// Units of a row block.
const UNITS: usize = 4;

/// A row block that is multiplied, whose rows are units.
fn multiplied(rows: usize, scaled: bool) -> RowBlock {
    let to = Destination::Sums { rows, scales: scaled.then_some(COLUMNS) };
    RowBlock { units: UNITS, words: false, to }
}

/// `convert(code + k % 4) scale`, of bytes and of a scale for each column of every four rows, which lie in so many panels of columns.
fn makes(dtype: DType, panels: usize) -> LoopKernel {
    let wide = COLUMNS / panels;
    let mut b = LoopBuilder::new(&[GROUPS, 4, panels], wide);
    let (codes, scales, out) = (b.input(DType::U8), b.input(dtype), b.output(dtype));
    let [cols, wide] = [COLUMNS, wide].map(|n| n as i64);
    let of_panel = GROUPS as i64 * wide;
    let code = b.load(codes, 0, &[4 * wide, wide, 4 * of_panel], 1);
    let step = b.iota(Axis::Row(1), DType::U8);
    let code = b.binary(Binary::Add, code, step);
    let code = b.convert(dtype, code);
    let scale = b.load(scales, 0, &[wide, 0, of_panel], 1);
    let value = b.binary(Binary::Multiply, code, scale);
    b.store(out, 0, &[4 * cols, cols, wide], 1, value);
    b.finish().unwrap()
}

/// Half of a number for each group and column.
fn makes_scales(panels: usize) -> LoopKernel {
    let wide = COLUMNS / panels;
    let mut b = LoopBuilder::new(&[GROUPS, panels], wide);
    let (x, out) = (b.input(DType::F32), b.output(DType::F32));
    let [cols, wide] = [COLUMNS, wide].map(|n| n as i64);
    let x = b.load(x, 0, &[wide, GROUPS as i64 * wide], 1);
    let half = b.constant(ScalarBits::from_f64(DType::F32, 0.5));
    let x = b.binary(Binary::Multiply, x, half);
    b.store(out, 0, &[cols, wide], 1, x);
    b.finish().unwrap()
}

/// What is given by row and column, in panels of columns.
fn in_panels<T>(rows: usize, panels: usize, of: impl Fn(usize, usize) -> T) -> Vec<T> {
    let wide = COLUMNS / panels;
    let place = |at: usize| of(at / wide % rows, at / (wide * rows) * wide + at % wide);
    (0..rows * COLUMNS).map(place).collect()
}

fn code(row: usize, col: usize) -> u8 {
    ((row * COLUMNS + col) * 37 % 201) as u8
}

fn scale(group: usize, col: usize) -> f32 {
    bf16::from_f32(((group * 31 + col * 7) % 19) as f32 * 0.11 - 0.9).to_f32()
}

#[test]
fn row_blocks_are_multiplied_in_registers() {
    let all = [1, 3, 4, 8, 16].into_iter().flat_map(|rows| [(rows, false), (rows, true)]);
    let all = all.flat_map(|(rows, scaled)| [1, 7, 11].map(|panels| (rows, scaled, panels)));
    for ((rows, scaled, panels), made) in all.flat_map(|case| [(case, false), (case, true)]) {
        let kernel = makes(DType::F32, panels);
        let plan = BoxPlan::making(&kernel, 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        assert_eq!(plan.panel(), (panels > 1).then_some(COLUMNS / panels));
        let of_scales = BoxPlan::making(&makes_scales(panels), GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        let block = multiplied(rows, scaled);
        let Some(row_blocks) = plan.row_blocks(made.then_some(&of_scales), block).unwrap() else {
            assert_eq!(Isa::detect(), Isa::Portable, "there is no code for {rows} rows");
            continue;
        };
        assert_eq!(row_blocks.computes_scales, made && scaled && panels > 1);
        let codes = in_panels(4 * GROUPS, panels, code);
        let scales = in_panels(GROUPS, panels, scale);
        // The columns from 13 on, of the rows from 4 on, in two calls.
        let (first, top, calls) = (13, 4, GROUPS - 1);
        let mut factors: Vec<f32> = (0..calls * rows * UNITS).map(|i| i as f32 * 0.3 - 1.0).collect();
        let mut chains = vec![vec![0.5f32; COLUMNS - first]; rows];
        let mut pointers: Vec<*mut u8> = chains.iter_mut().map(|row| row.as_mut_ptr().cast()).collect();
        let of_sum =
            |call: usize, col: usize| (call.wrapping_mul(5).wrapping_add(col) % 97) as f32 * 0.01 - 0.3;
        let mut of_sums: Vec<f32> = (0..calls * COLUMNS).map(|i| of_sum(i / COLUMNS, i % COLUMNS)).collect();
        if scaled && !row_blocks.computes_scales {
            pointers.push(of_sums[first..].as_mut_ptr().cast());
        }
        let doubled = in_panels(GROUPS, panels, |group, col| 2.0 * of_sum(group.wrapping_sub(1), col));
        let inputs = [codes.as_ptr(), scales.as_ptr().cast(), doubled.as_ptr().cast()];
        let factors_at = factors.as_mut_ptr().cast();
        // SAFETY: the inputs are as large as the maps reach, and there are as many factors and chains as rows ask for.
        unsafe { row_blocks.run(&plan, (top, calls), first..COLUMNS, &inputs, factors_at, &pointers) };
        for (row, chains) in chains.iter().enumerate() {
            for (at, &chain) in chains.iter().enumerate() {
                let col = first + at;
                let expected = (0..calls).fold(0.5f32, |before, call| {
                    let sum = (0..UNITS).fold(if scaled { 0.0 } else { before }, |chain, k| {
                        let code = code(top + call * UNITS + k, col).wrapping_add(k as u8);
                        let factor = factors[(call * rows + row) * UNITS + k];
                        (f32::from(code) * scale(1 + call, col)).mul_add(factor, chain)
                    });
                    if scaled { sum.mul_add(of_sum(call, col), before) } else { sum }
                });
                let place = format!("row {row} of {rows}, column {col} in {panels} panels");
                assert_eq!(chain.to_bits(), expected.to_bits(), "{place}");
            }
        }
    }
}

/// Words of `bf16` are multiplied as processors do it that have an instruction for them, subnormal numbers being zeros, on every
/// instruction set; the sum of a call is scaled as all numbers of `f32`.
#[test]
fn words_of_row_blocks_are_multiplied_in_registers() {
    let cases = [1, 3, 4, 8].into_iter().flat_map(|rows| [1, 7, 11].map(|panels| (rows, panels)));
    let mut small = 0;
    for ((rows, panels), scaled) in cases.flat_map(|case| [(case, false), (case, true)]) {
        let wide = COLUMNS / panels;
        let mut b = LoopBuilder::new(&[GROUPS, 4, panels], wide);
        let (codes, out) = (b.input(DType::U8), b.output(DType::BF16));
        let [cols, wide] = [COLUMNS, wide].map(|n| n as i64);
        let code = b.load(codes, 0, &[4 * wide, wide, 4 * GROUPS as i64 * wide], 1);
        let code = b.convert(DType::F32, code);
        let less = b.constant(ScalarBits::from_f64(DType::F32, -100.0));
        let code = b.binary(Binary::Add, code, less);
        let code = b.convert(DType::BF16, code);
        b.store(out, 0, &[4 * cols, cols, wide], 1, code);
        let plan = BoxPlan::making(&b.finish().unwrap(), 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        let block = RowBlock { units: UNITS / 2, words: true, ..multiplied(rows, scaled) };
        let Some(row_blocks) = plan.row_blocks(None, block).unwrap() else {
            assert_eq!(Isa::detect(), Isa::Portable, "there is no code for {rows} rows");
            continue;
        };
        let codes = in_panels(4 * GROUPS, panels, code_of_words);
        let (first, top, calls) = (13, 4, GROUPS - 1);
        // Products next to the least normal number, and factors below it.
        let factor = |i: usize| bf16::from_bits(((i * 37 % 90) << 3 | (i % 3) << 1 | (i & 1) << 15) as u16);
        let words: Vec<u32> = (0..calls * rows * UNITS / 2)
            .map(|i| u32::from(factor(2 * i).to_bits()) | u32::from(factor(2 * i + 1).to_bits()) << 16)
            .collect();
        let start = |row: usize, col: usize| if scaled { ((row + col) % 5) as f32 * 1e-40 } else { 0.0 };
        let mut chains: Vec<Vec<f32>> =
            (0..rows).map(|row| (first..COLUMNS).map(|col| start(row, col)).collect()).collect();
        let mut pointers: Vec<*mut u8> = chains.iter_mut().map(|row| row.as_mut_ptr().cast()).collect();
        let of_sum = |call: usize, col: usize| 1.0 / ((1 + call + col % 7) as f32 * 8.0);
        let mut of_sums: Vec<f32> = (0..calls * COLUMNS).map(|i| of_sum(i / COLUMNS, i % COLUMNS)).collect();
        if scaled {
            pointers.push(of_sums[first..].as_mut_ptr().cast());
        }
        let floats = |word: u32| [word << 16, word & 0xffff_0000];
        let halves = words.iter().flat_map(|&word| floats(word)).collect();
        let mut factors: Vec<u32> = if row_blocks.halves { halves } else { words };
        // SAFETY: the inputs are as large as the maps reach, and there are as many factors and chains as rows ask for.
        unsafe {
            let factors = factors.as_mut_ptr().cast();
            row_blocks.run(&plan, (top, calls), first..COLUMNS, &[codes.as_ptr()], factors, &pointers);
        }
        for (row, chains) in chains.iter().enumerate() {
            for (at, &chain) in chains.iter().enumerate() {
                let col = first + at;
                let expected = (0..calls).fold(start(row, col), |before, call| {
                    let begin = if scaled { 0.0 } else { before };
                    let sum = (0..UNITS).fold(begin, |chain, k| {
                        // The second of two comes before the first.
                        let k = k ^ 1;
                        let code = f32::from(code_of_words(top + call * UNITS + k, col)) - 100.0;
                        let factor = factor((call * rows + row) * UNITS + k).to_f32();
                        flushed_multiply_add(code, factor, chain)
                    });
                    if scaled { sum.mul_add(of_sum(call, col), before) } else { sum }
                });
                small += usize::from(expected != 0.0 && expected.abs() < 1e-37);
                let place = format!("row {row} of {rows}, column {col} in {panels} panels, scaled: {scaled}");
                assert_eq!(chain.to_bits(), expected.to_bits(), "{chain:e}, not {expected:e}: {place}");
            }
        }
    }
    assert!(small > 100 || Isa::detect() == Isa::Portable, "{small} sums are small");
}

/// Whole numbers, many of which are small once 100 is subtracted.
fn code_of_words(row: usize, col: usize) -> u8 {
    (99 + (row * COLUMNS + col) % 3 * ((row + col) % 5)) as u8
}

/// Units of 4 bytes: numbers, or two of `bf16`, the first one in the lower half; a panel of the product is one of the loop, or a part of one.
#[test]
fn row_blocks_are_packed_in_panels() {
    let cases = [(7, 11), (11, 7), (7, 1)]
        .into_iter()
        .flat_map(|(n, columns)| [DType::F32, DType::BF16].map(|dtype| (dtype, n, columns)));
    for (dtype, panels, columns) in cases {
        let words = dtype == DType::BF16;
        let (units, together) = if words { (UNITS / 2, 2) } else { (UNITS, 1) };
        let plan = BoxPlan::making(&makes(dtype, panels), 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        let block = RowBlock { units, words, to: Destination::Panels { columns } };
        let Some(row_blocks) = plan.row_blocks(None, block).unwrap() else {
            assert!(Isa::detect() == Isa::Portable, "there is no code for {dtype}");
            continue;
        };
        let codes = in_panels(4 * GROUPS, panels, code);
        let scales = in_panels(GROUPS, panels, scale);
        let narrow: Vec<bf16> = scales.iter().map(|&x| bf16::from_f32(x)).collect();
        let scales = if words { narrow.as_ptr().cast() } else { scales.as_ptr().cast() };
        // The last panel but two, of the rows from 4 on, in two calls.
        let (first, top, calls) = (COLUMNS - 3 * columns, 4, GROUPS - 1);
        let mut out = vec![u32::MAX; calls * units * columns + 1];
        let to = out.as_mut_ptr().cast();
        // SAFETY: the inputs are as large as the maps reach, and there is room for the units of two calls.
        unsafe {
            let inputs = [codes.as_ptr(), scales];
            let cols = first..first + columns;
            row_blocks.run(&plan, (top, calls), cols, &inputs, std::ptr::null_mut(), &[to]);
        }
        let behind = out.pop();
        assert_eq!(behind, Some(u32::MAX), "what is behind the panel is another's");
        for (at, &found) in out.iter().enumerate() {
            let (unit, col) = (at / columns, first + at % columns);
            let value = |row: usize| {
                let code = f32::from(code(row, col).wrapping_add((row % 4) as u8));
                code * scale(row / 4, col)
            };
            let row = top + unit * together;
            // Codes are exact in `bf16`, and each product is rounded once.
            let narrow = |row: usize| u32::from(bf16::from_f32(value(row)).to_bits());
            let expected = if words { narrow(row) | narrow(row + 1) << 16 } else { value(row).to_bits() };
            assert_eq!(found, expected, "unit {unit}, column {col} of {dtype} in panels of {columns}");
        }
    }
    let makes =
        |panels| BoxPlan::making(&makes(DType::F32, panels), 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
    let block = |columns| RowBlock { units: UNITS, words: false, to: Destination::Panels { columns } };
    assert!(makes(1).row_blocks(None, block(11)).unwrap().is_none(), "it goes through no panels");
    assert!(makes(7).row_blocks(None, block(7)).unwrap().is_none(), "panels of 11 are none of 7");
}

/// What is made of panels is made as a matrix, also of parts of its columns.
#[test]
fn panels_are_made_as_rows() {
    for panels in [1, 7, 11] {
        let plan =
            BoxPlan::making(&makes(DType::F32, panels), 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        let codes = in_panels(4 * GROUPS, panels, code);
        let scales = in_panels(GROUPS, panels, scale);
        let mut out = vec![f32::NAN; 4 * GROUPS * COLUMNS];
        let inputs = [codes.as_ptr(), scales.as_ptr().cast()];
        // SAFETY: the inputs and the output are as large as the maps reach; the output's address is that of the first element made.
        unsafe { plan.run(2..9, 5..70, &inputs, &[out.as_mut_ptr().cast()]) };
        for (at, value) in out.iter().enumerate() {
            let (row, col) = (at / COLUMNS, at % COLUMNS);
            if (2..9).contains(&row) && (5..70).contains(&col) {
                let code = f32::from(code(row, col).wrapping_add((row % 4) as u8));
                assert_eq!(*value, code * scale(row / 4, col), "row {row}, column {col} in {panels} panels");
            } else {
                assert!(value.is_nan(), "row {row}, column {col} is outside");
            }
        }
    }
}

/// Dimensions that are not divided into row blocks.
#[test]
fn dimensions_that_do_not_part_have_no_row_blocks() {
    let mut b = LoopBuilder::new(&[5, 3], COLUMNS);
    let (x, out) = (b.input(DType::F16), b.output(DType::F32));
    let cols = COLUMNS as i64;
    // Two dimensions that are not one, for the order of the rows of x.
    let x = b.load(x, 0, &[cols, 5 * cols], 1);
    let x = b.convert(DType::F32, x);
    b.store(out, 0, &[3 * cols, cols], 1, x);
    let plan = BoxPlan::making(&b.finish().unwrap(), 15, COLUMNS, COLUMNS).unwrap().unwrap();
    assert!(plan.row_blocks(None, multiplied(2, false)).unwrap().is_none());
}
