//! Functions of dense arrays on sparse ones.

use jarrah_array::*;
use jarrah_science::sparse::{Bcoo, MaybeSparse, sparsify};

fn matrix() -> Bcoo {
    // Two elements at one place, and one outside.
    let data = Array::from_slice(&[1.0f64, 2.0, 3.0, 4.0, 5.0]);
    Bcoo::new(&data, &Array::new(&[0i32, 1, 2, 0, 0, 1, 1, 1, 9, 9], &[5, 2]), &[3, 3])
}

fn close(a: &Array, b: &Array) {
    let (a, b) = (a.to_vec::<f64>().unwrap(), b.to_vec::<f64>().unwrap());
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + b.abs())), "{a:?}, not {b:?}");
}

/// Asserts that `f` is the same of the sparse matrix and of the dense one, and its gradient by the vector.
fn same(f: impl Fn(&Vec<Array>) -> Vec<Array>) -> Vec<MaybeSparse> {
    let (m, x) = (matrix(), Array::from_slice(&[0.5f64, -1.0, 2.0]));
    let sparse = sparsify(&f);
    let found = sparse(&vec![MaybeSparse::from(&m), MaybeSparse::from(&x)]);
    let expected = f(&vec![m.to_dense(), x.clone()]);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        close(&found.to_dense(), expected);
    }
    let total = |results: Vec<Array>| {
        results.iter().fold(Array::scalar_in(0, DType::F64), |sum, y| sum + y.square().sum(..))
    };
    let slope = grad(|x: &Array| {
        let results = sparse(&vec![MaybeSparse::from(&m), MaybeSparse::from(x)]);
        total(results.iter().map(MaybeSparse::to_dense).collect())
    });
    close(&slope(&x), &grad(|x: &Array| total(f(&vec![m.to_dense(), x.clone()])))(&x));
    found
}

#[test]
fn what_is_zero_at_zero_stays_sparse() {
    let found = same(|v| {
        let (m, x) = (&v[0], &v[1]);
        vec![
            m.sin() * x,
            (m * 2.0 - m.square() / 3.0).t(),
            concatenate(&[m, &m.abs().sqrt()], 1),
            m.reshape(&[9]).slice(0, 1..8),
            m.astype(DType::I32).astype(DType::F64).sum(1),
        ]
    });
    assert!(found.iter().all(|result| matches!(result, MaybeSparse::Sparse(_))));
    let found = same(|v| {
        vec![v[0].matmul(&v[1]), v[1].matmul(&v[0]), &v[0] + &v[1], v[0].sum(..), v[0].matmul(&v[0])]
    });
    assert!(found.iter().all(|result| matches!(result, MaybeSparse::Dense(_))));
}

#[test]
fn loops_branches_and_calls_take_sparse_arrays() {
    same(|v| {
        let (m, x) = (&v[0], &v[1]);
        let step = |(c, m): &(Array, Array), k: &Array| ((m.matmul(c).sin() * k, m.clone()), c.sum(..));
        let ((last, _), sums) = scan(step, &(x.clone(), m.t()), &Array::from_slice(&[1.0f64, 2.0, 3.0]));
        let inner = jit(|(m, x): &(Array, Array)| (m * 0.5).matmul(x));
        let branch = cond(&x.index(0).gt(0), || m.matmul(x), || x.clone());
        let checked = remat(|x: &Array| m.matmul(x).tanh())(x);
        vec![last, sums, inner.apply(&(m.clone(), x.clone())), branch, checked]
    });
}

#[test]
fn what_is_not_zero_at_zero_is_refused_at_its_line() {
    let error =
        try_trace(|| sparsify(|v: &Vec<Array>| vec![v[0].cos()])(&vec![MaybeSparse::from(&matrix())]));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("[cos] there is no rule for sparse arrays") && error.contains("sparsify.rs"),
        "{error}"
    );
}
