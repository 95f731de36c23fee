//! Loops that multiply the rows they make in registers.

use jarrah_base::{DType, bf16};
use jarrah_cpu::gemm::Streaming as Units;
use jarrah_cpu::vector::{BoxPlan, Isa};
use jarrah_tile::{Axis, Binary, LoopBuilder, LoopKernel};

const COLUMNS: usize = 77;
const GROUPS: usize = 3;
/// Units of a call.
const UNITS: usize = 4;

/// Calls whose rows are units.
fn units(scaled: bool) -> Units {
    Units { units: UNITS, words: false, scaled }
}

/// `convert(code + k % 4) scale`, of bytes and of a scale for each column of every four rows.
fn makes(dtype: DType) -> LoopKernel {
    let mut b = LoopBuilder::new(&[GROUPS, 4], COLUMNS);
    let (codes, scales, out) = (b.input(DType::U8), b.input(dtype), b.output(dtype));
    let cols = COLUMNS as i64;
    let code = b.load(codes, 0, &[4 * cols, cols], 1);
    let step = b.iota(Axis::Row(1), DType::U8);
    let code = b.binary(Binary::Add, code, step);
    let code = b.convert(dtype, code);
    let scale = b.load(scales, 0, &[cols, 0], 1);
    let value = b.binary(Binary::Multiply, code, scale);
    b.store(out, 0, &[4 * cols, cols], 1, value);
    b.finish().unwrap()
}

fn codes() -> Vec<u8> {
    (0..GROUPS * 4 * COLUMNS).map(|i| (i * 37 % 201) as u8).collect()
}

fn scale(group: usize, col: usize) -> f32 {
    bf16::from_f32(((group * 31 + col * 7) % 19) as f32 * 0.11 - 0.9).to_f32()
}

#[test]
fn rows_are_multiplied_as_they_are_made() {
    for (rows, scaled) in [1, 3, 4, 8, 16].into_iter().flat_map(|rows| [(rows, false), (rows, true)]) {
        // Chains of more rows do not fit in the registers of 256 bits.
        let machine_code = Isa::detect() == Isa::Avx512 || (Isa::detect() != Isa::Portable && rows <= 4);
        let kernel = makes(DType::F32);
        let plan = BoxPlan::making(&kernel, 4 * GROUPS, COLUMNS, COLUMNS).unwrap().unwrap();
        let Some(streaming) = plan.streaming(rows, units(scaled)).unwrap() else {
            assert!(!machine_code, "there is no code for {rows} rows");
            continue;
        };
        let (codes, scales) = (codes(), scales());
        let mut factors: Vec<f32> = (0..rows * UNITS).map(|i| i as f32 * 0.3 - 1.0).collect();
        // The columns from 13 on, of the rows from 4 on.
        let (first, top) = (13, 4);
        let mut chains = vec![vec![0.5f32; COLUMNS - first]; rows];
        let mut pointers: Vec<*mut u8> = chains.iter_mut().map(|row| row.as_mut_ptr().cast()).collect();
        let mut of_sums: Vec<f32> = (first..COLUMNS).map(|col| col as f32 * 0.01 - 0.3).collect();
        pointers.extend(scaled.then(|| of_sums.as_mut_ptr().cast::<u8>()));
        let inputs = [codes.as_ptr(), scales.as_ptr().cast()];
        // SAFETY: the inputs are as large as the maps reach, and there are as many factors and chains as rows ask for.
        unsafe { streaming.run(top, first..COLUMNS, &inputs, factors.as_mut_ptr().cast(), &pointers) };
        for (row, chains) in chains.iter().enumerate() {
            for (at, &chain) in chains.iter().enumerate() {
                let col = first + at;
                let expected = (0..UNITS).fold(if scaled { 0.0 } else { 0.5f32 }, |chain, k| {
                    let code = codes[(top + k) * COLUMNS + col].wrapping_add(k as u8);
                    (f32::from(code) * scale(1, col)).mul_add(factors[row * UNITS + k], chain)
                });
                let expected = if scaled { expected.mul_add(of_sums[at], 0.5) } else { expected };
                assert_eq!(chain.to_bits(), expected.to_bits(), "row {row} of {rows}, column {col}");
            }
        }
    }
}

fn scales() -> Vec<f32> {
    (0..GROUPS).flat_map(|group| (0..COLUMNS).map(move |col| scale(group, col))).collect()
}

/// Rows whose number is no multiple of what a call takes are made by themselves.
#[test]
fn dimensions_that_do_not_part_have_no_code() {
    let mut b = LoopBuilder::new(&[5, 3], COLUMNS);
    let (x, out) = (b.input(DType::F16), b.output(DType::F32));
    let cols = COLUMNS as i64;
    // Two dimensions that are not one, for the order of the rows of x.
    let x = b.load(x, 0, &[cols, 5 * cols], 1);
    let x = b.convert(DType::F32, x);
    b.store(out, 0, &[3 * cols, cols], 1, x);
    let plan = BoxPlan::making(&b.finish().unwrap(), 15, COLUMNS, COLUMNS).unwrap().unwrap();
    assert!(plan.streaming(2, units(false)).unwrap().is_none());
}
