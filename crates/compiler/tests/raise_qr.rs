//! QR decompositions as JAX exports them, and the ops they are.

use jarrah_base::{DType, Literal, Type, work};
use jarrah_compiler::raise;
use jarrah_hlo::ops::{Comparison, Geqrf, HouseholderProduct, Pad, Qr, Slice};
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_transforms::{ResidualPolicy, value_and_grad};

/// The first rows and columns of matrices.
fn cut(b: &mut Builder, x: Value, rows: usize, columns: usize) -> Value {
    let mut limits = b.ty(x).dims();
    let rank = limits.len();
    (limits[rank - 2], limits[rank - 1]) = (rows, columns);
    let slice = Slice { starts: vec![0; rank].into(), limits, strides: vec![1; rank].into() };
    b.one(slice, &[x]).expect("valid")
}

/// `x` with zeros where `i + shift >= j`.
fn without_lower(b: &mut Builder, x: Value, shift: i32) -> Value {
    let ty = b.ty(x);
    let (rank, last) = (ty.rank(), ty.dims()[ty.rank() - 2..].to_vec());
    let places = Type::tensor(DType::I32, last);
    let (i, j) = (b.iota(places, 0).expect("valid"), b.iota(places, 1).expect("valid"));
    let shift = b.scalar(shift).expect("valid");
    let shift = b.broadcast_in_dim(shift, &places.dims(), &[]).expect("valid");
    let i = b.add(i, shift).expect("valid");
    let mask = b.compare(Comparison::Ge, i, j).expect("valid");
    let mask = b.broadcast_in_dim(mask, &ty.dims(), &[rank - 2, rank - 1]).expect("valid");
    let zeros = b.zeros(ty).expect("valid");
    b.select(mask, zeros, x).expect("valid")
}

/// What becomes of a decomposition of matrices `[.., m, n]` into a `Q` with `columns` of them, and whether the program
/// returns the factors too.
fn exported(dims: &[usize], columns: usize, shift: i32, factors: bool) -> Program {
    let [.., m, n] = *dims else { panic!("no matrix") };
    let mut b = Builder::new("qr");
    let a = b.param(Type::tensor(DType::F64, dims.iter().copied()), "a");
    let packed = b.push(Geqrf, &[a]).expect("valid");
    let (packed, taus) = (packed[0], packed[1]);
    let vectors = if columns > n {
        let mut high = vec![0; dims.len()];
        high[dims.len() - 1] = (columns - n) as i64;
        let (low, interior) = (vec![0; dims.len()].into(), vec![0; dims.len()].into());
        let zero = b.scalar(0.0f64).expect("valid");
        b.one(Pad { low, high: high.into(), interior }, &[packed, zero]).expect("valid")
    } else {
        cut(&mut b, packed, m, columns)
    };
    let q = b.one(HouseholderProduct, &[vectors, taus]).expect("valid");
    let r = if columns < m { cut(&mut b, packed, n, n) } else { packed };
    let r = without_lower(&mut b, r, shift);
    let results = if factors { vec![q, r, taus] } else { vec![q, r] };
    b.finish(&results).expect("valid")
}

fn matrices(dims: &[usize]) -> Literal {
    let count: usize = dims.iter().product();
    let (rows, columns) = if let [.., m, n] = *dims { (m, n) } else { (1, count) };
    let value = |i: usize| {
        let diagonal = (i / columns) % rows == i % columns;
        ((i * 7 + 3) % 11) as f64 / 10.0 - 0.5 + if diagonal { 2.0 } else { 0.0 }
    };
    let values: Vec<f64> = (0..count).map(value).collect();
    Literal::from_slice(dims, &values).expect("valid")
}

/// A sum of all results with weights, of a program with one parameter.
fn summed(program: &Program) -> Program {
    let mut b = Builder::new("sum");
    let x = b.param(program.params()[0].ty, "x");
    let results = b.inline(program, &[x]).expect("valid");
    let mut total = b.scalar(0.0f64).expect("valid");
    for value in results {
        let ty = b.ty(value);
        let weights = matrices(&ty.dims());
        let weights = b.constant(weights).expect("valid");
        let product = b.mul(weights, value).expect("valid");
        let axes: Vec<usize> = (0..ty.rank()).collect();
        let sum = b.sum(product, &axes).expect("valid");
        total = b.add(total, sum).expect("valid");
    }
    b.finish(&[total]).expect("valid")
}

fn decomposition(program: &Program) -> Option<Qr> {
    let has = |wanted: fn(&Op) -> bool| program.instrs().iter().any(|i| wanted(&i.op));
    let packed = has(|op| matches!(op, Op::Geqrf(_))) || has(|op| matches!(op, Op::HouseholderProduct(_)));
    let mut found = program.instrs().iter().filter_map(|i| match &i.op {
        Op::Qr(qr) => Some(qr.clone()),
        _ => None,
    });
    let qr = found.next();
    assert!(found.next().is_none() && packed != qr.is_some(), "{program:?}");
    qr
}

#[test]
fn reflections_become_one_decomposition_with_its_gradient() {
    let shapes: [(&[usize], usize, bool); 12] = [
        (&[4, 3], 3, false),
        (&[4, 2], 4, true),
        (&[3, 3], 3, false),
        (&[2, 4], 2, false),
        (&[2, 4, 2], 2, false),
        (&[2, 4, 2], 4, true),
        (&[1, 1], 1, false),
        (&[4, 1], 1, false),
        (&[4, 1], 4, true),
        (&[1, 4], 1, false),
        (&[2, 3, 1], 1, false),
        (&[2, 1, 3], 1, false),
    ];
    for (dims, columns, full) in shapes {
        let program = exported(dims, columns, -1, false);
        let raised = raise(&program).expect("valid");
        assert_eq!(decomposition(&raised), Some(Qr { full_matrices: full }), "{dims:?}");
        let a = matrices(dims);
        let run = |program: &Program, a: &Literal| evaluate(program, std::slice::from_ref(a)).expect("valid");
        for (found, expected) in run(&raised, &a).iter().zip(run(&program, &a)) {
            assert_eq!(found.ty(), expected.ty());
            let pairs = found.to_f64_vec().into_iter().zip(expected.to_f64_vec());
            pairs.for_each(|(x, y)| assert!((x - y).abs() < 1e-13, "{dims:?}: {x} is not {y}"));
        }

        let grad = value_and_grad(&summed(&raised), &[0], ResidualPolicy::Recompute).expect("valid");
        let slopes = run(&grad, &a)[1].to_f64_vec();
        let total = summed(&program);
        for (i, slope) in slopes.into_iter().enumerate() {
            let at = |step: f64| {
                let mut moved = a.clone();
                moved.as_mut_slice::<f64>().expect("valid")[i] += step;
                run(&total, &moved)[0].get_f64(0)
            };
            let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((slope - expected).abs() < 1e-7, "{dims:?}, {i}: {slope} against {expected}");
        }
    }
}

#[test]
fn a_matrix_without_reflections_has_a_gradient() {
    let program = summed(&raise(&exported(&[3, 3], 3, -1, false)).expect("valid"));
    let grad = value_and_grad(&program, &[0], ResidualPolicy::Recompute).expect("valid");
    let eye = Literal::from_slice(&[3, 3], &[1.0f64, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).expect("valid");
    let slopes = evaluate(&grad, &[eye]).expect("valid")[1].to_f64_vec();
    assert!(slopes.iter().all(|x| x.is_finite()) && slopes.iter().any(|&x| x != 0.0), "{slopes:?}");
}

#[test]
fn reflections_with_another_use_stay() {
    for program in [exported(&[4, 3], 3, -1, true), exported(&[4, 3], 3, -2, false)] {
        let raised = raise(&program).expect("valid");
        assert_eq!(decomposition(&raised), None);
        let refusal = value_and_grad(&summed(&raised), &[0], ResidualPolicy::Recompute).expect_err("refused");
        assert!(refusal.message().contains("packed form"), "{refusal}");
    }
    // Only some of the upper triangle is shown: no reflection is.
    assert!(decomposition(&raise(&exported(&[4, 3], 3, 0, false)).expect("valid")).is_some());
}

#[test]
fn a_mask_that_is_computed_in_many_ways_is_looked_at_for_a_while() {
    // `i = i - (i - i)`, again and again: three ways from each `i` to the one before.
    let mut b = Builder::new("masked");
    let a = b.param(Type::tensor(DType::F64, [4, 4]), "a");
    let packed = b.push(Geqrf, &[a]).expect("valid");
    let q = b.one(HouseholderProduct, &[packed[0], packed[1]]).expect("valid");
    let places = Type::tensor(DType::I32, [4, 4]);
    let (mut i, j) = (b.iota(places, 0).expect("valid"), b.iota(places, 1).expect("valid"));
    for _ in 0..12 {
        let zero = b.sub(i, i).expect("valid");
        i = b.sub(i, zero).expect("valid");
    }
    let mask = b.compare(Comparison::Le, i, j).expect("valid");
    let zeros = b.zeros(b.ty(packed[0])).expect("valid");
    let r = b.select(mask, packed[0], zeros).expect("valid");
    let program = b.finish(&[q, r]).expect("valid");
    let (steps, raised) = work::counted(|| raise(&program).expect("valid"));
    assert_eq!(decomposition(&raised), None);
    assert!(steps < 10_000, "{steps} steps");
}
