//! Work that is shared out over threads, with the bits of the reference evaluator.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::Op;
use jarrah_hlo::ops::{
    Axes, Cholesky, Complex, Elementwise, ElementwiseKind, Fft, FftKind, Imag, Real, Reducer, Scatter,
    TransposeAxes, Update,
};
use jarrah_hlo_eval::evaluate;
use smallvec::smallvec;

use super::{numbers, program, run};

/// Equal bits, but for those of NaN.
fn same(found: &[Literal], expected: &[Literal]) -> bool {
    let near = |(a, b): (&Literal, &Literal)| {
        let bits = |x: &Literal| -> Vec<[u64; 2]> {
            let part = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
            x.to_c128_vec().into_iter().map(|z| [part(z.re), part(z.im)]).collect()
        };
        a.ty() == b.ty() && bits(a) == bits(b)
    };
    found.len() == expected.len() && found.iter().zip(expected).all(near)
}

fn check(op: impl Into<Op>, args: &[Literal]) {
    let op = op.into();
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    let program = program(op.clone(), &types);
    let expected = evaluate(&program, args).unwrap();
    for threads in [1, 2] {
        let found = run(&CpuClient::with_threads(threads), &program, args);
        assert!(same(&found, &expected), "{op:?} of {types:?} with {threads} threads");
    }
}

/// Complex numbers, some with parts that are zero, infinite or none.
fn complexes(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let special = [0.0, -0.0, f64::INFINITY, f64::NAN, 1e-40, 3e38];
    let mut values = numbers(DType::F64, dims, seed).to_c128_vec();
    let other = numbers(DType::F64, dims, seed + 1).to_f64_vec();
    for (i, (z, im)) in values.iter_mut().zip(other).enumerate() {
        z.im = im;
        if i % 11 == 0 {
            z.re = special[i / 11 % 6];
        }
        if i % 13 == 0 {
            z.im = special[i / 13 % 6];
        }
    }
    Literal::from_c128s(Type::tensor(dtype, dims.iter().copied()), &values).unwrap()
}

#[test]
fn complex_numbers() {
    use ElementwiseKind as K;
    for (dtype, part) in [(DType::C64, DType::F32), (DType::C128, DType::F64)] {
        let dims = [3, 7, 991];
        let (z, w) = (complexes(dtype, &dims, 1), complexes(dtype, &dims, 5));
        for kind in [K::Negate, K::Conj, K::Abs, K::Square, K::Exponential, K::Sign] {
            check(Elementwise { kind }, std::slice::from_ref(&z));
        }
        for kind in [K::Add, K::Subtract, K::Multiply, K::Divide, K::Maximum] {
            check(Elementwise { kind }, &[z.clone(), w.clone()]);
        }
        check(Real, std::slice::from_ref(&z));
        check(Imag, std::slice::from_ref(&z));
        check(Complex, &[numbers(part, &dims, 1), numbers(part, &dims, 2)]);
        check(TransposeAxes { permutation: [2, 0, 1].into_iter().collect() }, std::slice::from_ref(&z));
    }
}

#[test]
fn rare_functions() {
    for dtype in [DType::F32, DType::F64, DType::BF16, DType::F16, DType::F8E4M3FN] {
        for kind in [ElementwiseKind::Lgamma, ElementwiseKind::Digamma, ElementwiseKind::Asinh] {
            check(Elementwise { kind }, &[numbers(dtype, &[20_011], 3)]);
        }
        let pair = [numbers(dtype, &[20_011], 3), numbers(dtype, &[20_011], 4)];
        check(Elementwise { kind: ElementwiseKind::NextAfter }, &pair);
    }
}

#[test]
fn batches_of_transforms_and_matrices() {
    for dims in [vec![7, 64], vec![2, 5, 16, 12], vec![600], vec![0, 8]] {
        let lengths = smallvec![dims[dims.len() - 1]];
        check(Fft { kind: FftKind::Fft, lengths }, &[complexes(DType::C64, &dims, 3)]);
    }
    let lengths = smallvec![16, 12];
    check(Fft { kind: FftKind::Rfft, lengths }, &[numbers(DType::F32, &[9, 16, 12], 3)]);
    // The diagonal outweighs the rest of each row, so that the matrices are positive definite.
    let mut x = numbers(DType::F64, &[2, 5, 9, 9], 1);
    for (i, value) in x.as_mut_slice::<f64>().unwrap().iter_mut().enumerate() {
        *value += if i % 81 % 10 == 0 { 30.0 } else { 0.0 };
    }
    check(Cholesky { lower: true }, &[x]);
}

#[test]
fn single_elements_are_scattered_in_order() {
    let (count, places) = (30_000, 977);
    let indices: Vec<i32> = (0..count).map(|i| (i as i32).wrapping_mul(7919) % 1200 - 100).collect();
    let indices = Literal::from_slice(&[3, count / 3], &indices).unwrap();
    for reducer in [Reducer::Add, Reducer::Max] {
        for dtype in [DType::F32, DType::BF16] {
            let op = Scatter {
                window_axes: Axes::new(),
                inserted_axes: smallvec![0],
                operand_batch_axes: Axes::new(),
                indices_batch_axes: Axes::new(),
                index_map: smallvec![0],
                index_vector_axis: 2,
                sorted: false,
                unique: false,
                update: Update::Reduce(reducer.clone()),
            };
            let (x, updates) = (numbers(dtype, &[places], 1), numbers(dtype, &[3, count / 3], 2));
            check(op, &[x, indices.clone(), updates]);
        }
    }
}
