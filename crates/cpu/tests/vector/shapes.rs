use jarrah_base::DType;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::{Axis, Binary, Direction, LoopBuilder, LoopKernel, LoopReducer, Unary};

use super::reference;
use super::{Bytes, bytes_of, f32s, run};

fn ramp(n: usize) -> Bytes {
    bytes_of(&(0..n).map(|i| ((i * 37) % 101) as f32 / 25.0 - 2.0).collect::<Vec<_>>())
}

fn close(kernel: &LoopKernel, inputs: &[Bytes]) {
    let got = run(kernel, inputs);
    let mut want = super::outputs(kernel);
    reference::evaluate(kernel, inputs, &mut want);
    for (g, w) in got.iter().zip(&want) {
        for (i, (g, w)) in f32s(g).iter().zip(f32s(w)).enumerate() {
            assert!((g - w).abs() <= 1e-5 * w.abs().max(1.0), "{g} for {w} at {i} by\n{kernel}");
        }
    }
}

fn softmax(rows: usize, cols: usize) -> LoopKernel {
    let mut b = LoopBuilder::new(&[rows], cols);
    let (x, y, m, l) =
        (b.input(DType::F32), b.output(DType::F32), b.output(DType::F32), b.output(DType::F32));
    let c = cols as i64;
    let x = b.load(x, 0, &[c], 1);
    let max = b.reduce(LoopReducer::Maximum, x);
    let d = b.binary(Binary::Subtract, x, max);
    let e = b.unary(Unary::Exponential, d);
    let s = b.reduce(LoopReducer::Add, e);
    let p = b.binary(Binary::Divide, e, s);
    b.store(y, 0, &[c], 1, p);
    b.store(m, 0, &[1], 0, max);
    b.store(l, 0, &[1], 0, s);
    b.finish().unwrap()
}

#[test]
fn softmax_of_short_and_long_rows() {
    for (rows, cols) in [(1, 1), (5, 3), (9, 31), (9, 32), (3, 1000), (2, 5000), (2, 16_384), (3, 20_001)] {
        close(&softmax(rows, cols), &[ramp(rows * cols)]);
    }
}

#[test]
fn transposed_broadcast_and_offset_maps() {
    let mut b = LoopBuilder::new(&[4, 3, 5], 17);
    let (x, y, z) = (b.input(DType::F32), b.input(DType::F32), b.output(DType::F32));
    let strided = b.load(x, 2, &[17, 68, 204], 1);
    let across = b.load(x, 0, &[1, 4, 12], 60);
    let row = b.load(y, 0, &[0, 1, 3], 0);
    let reversed = b.load(y, 16, &[0, 0, 0], -1);
    let v = b.binary(Binary::Multiply, strided, row);
    let v = b.binary(Binary::Add, v, across);
    let v = b.binary(Binary::Subtract, v, reversed);
    let n = b.iota(Axis::Row(1), DType::F32);
    let v = b.binary(Binary::Add, v, n);
    b.store(z, 3, &[255, 85, 17], 1, v);
    b.store(z, 2000, &[1, 4, 12], 60, v);
    close(&b.finish().unwrap(), &[ramp(1100), ramp(20)]);
}

#[test]
fn one_hot_and_broadcast_stores() {
    for cols in [7, 50] {
        let mut b = LoopBuilder::new(&[6], cols);
        let (i, y, z) = (b.input(DType::I32), b.output(DType::F32), b.output(DType::F32));
        let c = cols as i64;
        let label = b.load(i, 0, &[1], 0);
        let n = b.iota(Axis::Cols, DType::I32);
        let hit = b.compare(Direction::Eq, n, label);
        let hot = b.convert(DType::F32, hit);
        let wide = b.convert(DType::F32, label);
        b.store(y, 0, &[c], 1, hot);
        b.store(z, 0, &[c], 1, wide);
        close(&b.finish().unwrap(), &[bytes_of(&[3i32, 0, 6, -1, 2, 9])]);
    }
}

#[test]
fn flat_kernels_of_many_dimensions() {
    let mut b = LoopBuilder::new(&[3, 1, 7, 2], 1);
    let (x, y) = (b.input(DType::F32), b.output(DType::F32));
    let x = b.load(x, 0, &[14, 99, 2, 1], 0);
    let v = b.unary(Unary::Tanh, x);
    b.store(y, 0, &[14, 99, 2, 1], 0, v);
    close(&b.finish().unwrap(), &[ramp(42)]);

    // Split columns and a value stored once per row.
    let mut b = LoopBuilder::new(&[2], 9000);
    let (x, s, y, z) = (b.input(DType::F32), b.input(DType::F32), b.output(DType::F32), b.output(DType::F32));
    let (x, s) = (b.load(x, 0, &[9000], 1), b.load(s, 0, &[1], 0));
    let t = b.unary(Unary::Exponential, s);
    let v = b.binary(Binary::Multiply, x, t);
    b.store(y, 0, &[9000], 1, v);
    b.store(z, 0, &[1], 0, t);
    close(&b.finish().unwrap(), &[ramp(18_000), ramp(2)]);
}

#[test]
fn rows_of_any_length_are_machine_code() {
    let cols = (1 << 24) + 77;
    let mut b = LoopBuilder::new(&[], cols);
    let (x, y) = (b.input(DType::U8), b.output(DType::U8));
    let v = b.load(x, 0, &[], 1);
    let n = b.iota(Axis::Cols, DType::I32);
    let n = b.convert(DType::U8, n);
    let v = b.binary(Binary::Add, v, n);
    b.store(y, 0, &[], 1, v);
    let kernel = b.finish().unwrap();
    let isa = Isa::detect();
    let tier = *Tier::available(isa).last().unwrap();
    assert_eq!(Plan::new(&kernel).unwrap().is_native(), tier == Tier::Native);
    let input: Vec<u8> = (0..cols).map(|i| (i / 3) as u8).collect();
    let got = super::run_with(&kernel, &[bytes_of(&input)], isa, tier, 2048, &ThreadPool::new(2));
    let got: &[u8] = bytemuck::cast_slice(&got[0]);
    assert!((0..cols).all(|i| got[i] == input[i].wrapping_add(i as u8)));
}

#[test]
fn empty_extents() {
    for (rows, cols) in [(0, 5), (5, 0), (0, 0)] {
        let got = run(&softmax(rows, cols), &[vec![0]]);
        assert_eq!(
            f32s(&got[2])[..if cols == 0 { rows } else { 0 }],
            vec![0.0; if cols == 0 { rows } else { 0 }]
        );
    }
}

#[test]
fn outputs_may_be_inputs() {
    for cols in [40, 3000, 20_001] {
        let kernel = {
            let mut b = LoopBuilder::new(&[3], cols);
            let c = cols as i64;
            let (x, y) = (b.input(DType::F32), b.input(DType::F32));
            let (o, q) = (b.output(DType::F32), b.output(DType::F32));
            let (x, y) = (b.load(x, 0, &[c], 1), b.load(y, 0, &[c], 1));
            let s = b.reduce(LoopReducer::Add, y);
            let v = b.binary(Binary::Multiply, x, y);
            let w = b.binary(Binary::Add, v, s);
            let u = b.binary(Binary::Subtract, x, w);
            b.store(o, 0, &[c], 1, v);
            b.store(q, 0, &[c], 1, u);
            b.finish().unwrap()
        };
        let inputs = [ramp(3 * cols), ramp(3 * cols)];
        let want = run(&kernel, &inputs);
        let plan = Plan::new(&kernel).unwrap();
        for threads in [1, 2] {
            let [mut x, mut y] = inputs.clone();
            let (px, py) = (x.as_mut_ptr().cast::<u8>(), y.as_mut_ptr().cast::<u8>());
            // SAFETY: both buffers have all rows; each output is one input, under equal maps.
            unsafe { plan.run(&ThreadPool::new(threads), &[px.cast_const(), py.cast_const()], &[px, py]) };
            assert!(x == want[0] && y == want[1], "{cols} columns");
        }
    }
}

/// gelu by its instructions; `stored` keeps one inside, so that they cannot run as one step.
fn gelu(half_first: bool, stored: bool) -> LoopKernel {
    let n = 5000;
    let mut b = LoopBuilder::new(&[], n);
    let (x, y, z) = (b.input(DType::F32), b.output(DType::F32), b.output(DType::F32));
    let x = b.load(x, 0, &[], 1);
    let [half, one, k, c] = [0.5, 1.0, 0.797_884_6, 0.044_715].map(|v| b.f32(v));
    let mul = Binary::Multiply;
    let h = b.binary(mul, x, k);
    let square = b.binary(mul, h, h);
    let cube = b.binary(mul, h, square);
    let cubic = b.binary(mul, c, cube);
    let sum = b.binary(Binary::Add, h, cubic);
    let scaled = b.binary(mul, k, sum);
    let t = b.unary(Unary::Tanh, scaled);
    let gate = b.binary(Binary::Add, one, t);
    let v = if half_first {
        let left = b.binary(mul, half, h);
        b.binary(mul, left, gate)
    } else {
        let right = b.binary(mul, half, gate);
        b.binary(mul, h, right)
    };
    b.store(y, 0, &[], 1, v);
    b.store(z, 0, &[], 1, if stored { scaled } else { x });
    b.finish().unwrap()
}

#[test]
fn gelu_in_one_step_rounds_as_its_instructions() {
    let x: Vec<f32> = (0..5000u32).map(|i| (i as f32 - 2500.0) / 300.0).collect();
    for half_first in [false, true] {
        let whole = run(&gelu(half_first, false), &[bytes_of(&x)]);
        let apart = run(&gelu(half_first, true), &[bytes_of(&x)]);
        assert!(whole[0] == apart[0]);
        close(&gelu(half_first, false), &[bytes_of(&x)]);
    }
}
