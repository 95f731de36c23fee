use jarrah_array::linalg;
use jarrah_array::{Array, DType, grad, jit, stack, vmap};

/// Numbers between -1 and 1 without a pattern, `f64`.
fn matrix(rows: usize, columns: usize, seed: f64) -> Array {
    let n = Array::arange(rows * columns).astype(DType::F64) + seed;
    let shape = [rows, columns];
    (&n * &n * 12.9898).sin().reshape(&shape[..])
}

fn close(a: &Array, b: &Array) {
    assert_eq!(a.ty(), b.ty());
    let (a, b) = (a.to_vec::<f64>().unwrap(), b.to_vec::<f64>().unwrap());
    let largest = b.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (a, b) in a.iter().zip(&b) {
        assert!((a - b).abs() <= 1e-10 * largest.max(1e-3), "{a} is not {b}");
    }
}

/// The matrix of cofactors, from determinants of minors.
fn cofactors(a: &Array) -> Array {
    let n = a.shape()[0];
    let others = |i: usize| Array::from_slice(&(0..n as i32).filter(|&k| k != i as i32).collect::<Vec<_>>());
    let mut elements = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let minor = a.take(&others(i), 0).take(&others(j), 1);
            let sign = if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
            elements.push(linalg::det(&minor) * sign);
        }
    }
    stack(&elements.iter().collect::<Vec<_>>(), 0).reshape(&a.shape())
}

#[test]
fn the_gradient_of_a_determinant_is_the_cofactors_wherever_a_pivot_is_zero() {
    let a = matrix(4, 4, 0.3);
    let without = |column: i64| &a * Array::arange(4).ne(column).astype(DType::F64);
    for a in [a.clone(), without(0), without(2), without(3), without(0).t()] {
        close(&grad(linalg::det)(&a), &cofactors(&a));
    }
    // Of two zero columns all cofactors are zero.
    let a = without(0) * Array::arange(4).ne(2).astype(DType::F64);
    close(&grad(linalg::det)(&a), &Array::zeros(&[4, 4]).astype(DType::F64));
}

#[test]
fn solutions_have_second_derivatives() {
    let (a, b) = (matrix(3, 3, 0.1) + matrix(3, 3, 0.9) * 2.0, matrix(3, 3, 0.7));
    let along = |t: &Array| linalg::inv(&(&a + &b * t)).sum(..);
    let found = grad(grad(along))(&Array::scalar_in(0.0, DType::F64));
    let inverse = linalg::inv(&a);
    let step = inverse.matmul(&b);
    let expected = step.matmul(&step).matmul(&inverse).sum(..) * 2.0;
    close(&found, &expected);
    let along = |t: &Array| linalg::det(&(Array::arange(4).one_hot(4, DType::F64) + matrix(4, 4, 0.2) * t));
    // det(I + t M) = 1 + t tr M + t^2 (tr^2 M - tr M^2) / 2 + ..., at the identity, whose singular values are equal.
    let (m, zero) = (matrix(4, 4, 0.2), Array::scalar_in(0.0, DType::F64));
    let trace = m.trace(0, -2, -1);
    close(&grad(along)(&zero), &trace);
    close(&grad(grad(along))(&zero), &(trace.square() - m.matmul(&m).trace(0, -2, -1)));
}

#[test]
fn roots_and_sylvester_equations_have_derivatives() {
    let a = matrix(3, 3, 0.1) + Array::arange(3).one_hot(3, DType::F64) * 4.0;
    let (b, weights) = (matrix(3, 3, 0.2), matrix(3, 3, 0.8));
    let square = |a: &Array| {
        let root = linalg::sqrtm(a);
        (root.matmul(&root).real() * &weights).sum(..)
    };
    close(&grad(square)(&a), &weights);
    let back = |a: &Array| {
        let x = linalg::solve_sylvester(a, &a.t(), &b);
        ((a.matmul(&x) + x.matmul(&a.t())) * &weights).sum(..)
    };
    assert!(grad(back)(&a).abs().max([0, 1]).to_f64().unwrap() < 1e-12);
}

#[test]
fn stacks_are_their_elements_under_vmap_and_jit() {
    let (a, b) = (matrix(6, 3, 0.4).reshape(&[2, 3, 3]), matrix(2, 3, 0.6));
    let f = |(a, b): &(Array, Array)| {
        grad(|(a, b): &(Array, Array)| {
            let (q, r) = linalg::qr(a);
            (linalg::solve(a, b) * q.matmul(&r).sum(0)).sum(..) + linalg::det(a) + linalg::norm(b)
        })(&(a.clone(), b.clone()))
    };
    let (da, db) = jit(vmap(f)).call((a.clone(), b.clone())).unwrap();
    for i in 0..2 {
        let (x, y) = f(&(a.index(i), b.index(i)));
        close(&da.index(i), &x);
        close(&db.index(i), &y);
    }
}

#[test]
fn norms_have_the_slope_zero_at_zero() {
    let zero = Array::zeros(&[3]);
    for order in [0.5, 1.5, 2.0, 3.0] {
        let slope = grad(|x: &Array| linalg::vector_norm(x, order, 0))(&zero);
        assert_eq!(slope.to_vec::<f32>().unwrap(), [0.0; 3], "order {order}");
    }
}

#[test]
fn matrices_without_elements_have_everything() {
    let (square, wide) = (Array::zeros(&[0, 0]), Array::zeros(&[0, 3]));
    assert_eq!(linalg::det(&square).item::<f32>().unwrap(), 1.0);
    assert_eq!(linalg::norm(&wide).item::<f32>().unwrap(), 0.0);
    assert_eq!(linalg::solve(&square, &wide).shape(), [0, 3]);
    assert_eq!(linalg::inv(&square).shape(), [0, 0]);
    assert_eq!(linalg::pinv(&wide).shape(), [3, 0]);
    assert_eq!(linalg::matrix_rank(&wide).item::<i32>().unwrap(), 0);
    assert_eq!(linalg::qr_pivoted(&wide).2.to_vec::<i32>().unwrap(), [0, 1, 2]);
}
