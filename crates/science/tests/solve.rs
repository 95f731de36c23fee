use jarrah_array::random::Key;
use jarrah_array::{Array, DType, grad, linalg, vmap, where_};
use jarrah_science::sparse::Bcsr;

#[test]
fn sparse_systems_have_the_solutions_of_dense_ones() {
    let key = Key::new(3);
    for (n, share) in [(1, 1.0), (7, 0.3), (60, 0.05), (60, 0.4)] {
        // Some elements of a random matrix, and a permutation, so that it is not singular and the diagonal is mostly zero.
        let kept = key.bernoulli(share, &[n, n]);
        let shift = key.permutation(n).one_hot(n, DType::F64);
        let dense = where_(&kept, key.normal_in(&[n, n], DType::F64), 0) + shift * 3.0;
        let sparse = Bcsr::from_dense(&dense, n * n);
        let b = key.normal_in(&[n, 2], DType::F64);
        let near = |x: &Array, y: &Array, what: &str| {
            let off = (x - y).abs().max(..).item::<f64>().unwrap();
            let size = y.abs().max(..).item::<f64>().unwrap();
            assert!(off <= 1e-9 * size, "{what} of {n} rows is {off} off, of {size}");
        };
        near(&sparse.solve(&b), &linalg::solve(&dense, &b), "the solution");
        let sum = |x: &Array| (x * x).sum(..);
        let (of_sparse, of_b) = grad(|(m, b): &(Bcsr, Array)| sum(&m.solve(b)))(&(sparse.clone(), b.clone()));
        let (of_dense, of_dense_b) =
            grad(|(m, b): &(Array, Array)| sum(&linalg::solve(m, b)))(&(dense.clone(), b.clone()));
        near(&of_b, &of_dense_b, "the gradient by the right side");
        let slopes = Bcsr::new(of_sparse.data(), sparse.columns(), sparse.starts(), [n, n]).to_dense();
        near(&slopes, &where_(&dense.ne(0), &of_dense, 0), "the gradient by the elements");
        let rows = vmap(|b: &Array| sparse.solve(b));
        near(&rows(&b.t()).t(), &linalg::solve(&dense, &b), "the batch");
    }
    let singular = Bcsr::from_dense(&Array::new(&[1.0f32, 2.0, 2.0, 4.0], &[2, 2]), 4);
    assert!(singular.solve(&Array::ones(&[2])).isnan().all(..).item::<bool>().unwrap());
}
