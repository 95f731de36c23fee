//! `jax.experimental.sparse`.

use jarrah_array::{Array, Function, cond, grad, jacfwd, jacrev, jit, while_loop};
use jarrah_science::sparse::{self, Bcoo, Bcsr, MaybeSparse, sparsify};

use super::rows;

/// What is left of an array where it is positive: about half.
fn half(x: &Array) -> Array {
    jarrah_array::where_(&x.real().gt(0), x, 0)
}

/// A sparse array with room for all of its elements.
fn thin(x: &Array) -> Bcoo {
    Bcoo::from_dense(&half(x), x.size())
}

/// A matrix whose first two rows have no diagonal.
fn cycle(x: &Array) -> Bcsr {
    let large = Array::from_slice(&[1i32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1]).astype(x.dtype());
    let columns = Array::from_slice(&[1i32, 5, 0, 2, 0, 2, 4, 1, 3, 3, 4, 2, 5]);
    let starts = Array::from_slice(&[0i32, 2, 4, 7, 9, 11, 13]);
    Bcsr::new(&(x + large * 12), &columns, &starts, [6, 6])
}

/// A function of two arrays where the first is sparse, and the results dense.
fn sparsified(f: impl Fn(&Vec<Array>) -> Vec<Array>, x: &Array, y: &Array) -> Vec<Array> {
    let results = sparsify(f)(&vec![MaybeSparse::from(&thin(x)), MaybeSparse::from(y)]);
    results.iter().map(MaybeSparse::to_dense).collect()
}

rows! {
    "experimental.sparse.sparsify": "[r.todense() if hasattr(r, 'todense') else r for r in sparse.sparsify(lambda x, y: (jnp.sin(x * 2) @ y, (x * y.T[:3]).T, (x + x * x).sum(0), x[1:, :3].reshape(6), x.sum()))(sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15), y)]", 4 => |x: wide(3, 5), y: wide(5, 4)|
        sparsified(|v| {
            let (x, y) = (&v[0], &v[1]);
            let part = x.slice(0, 1..3).slice(1, 0..3).reshape(&[6]);
            vec![(x * 2).sin().matmul(y), (x * y.t().slice(0, 0..3)).t(), (x + x * x).sum(0), part, x.sum(..)]
        }, x, y);
    "experimental.sparse.sparsify": "[r.todense() if hasattr(r, 'todense') else r for r in sparse.sparsify(lambda x, y: (y @ x, jnp.concatenate([x, jnp.tanh(x)], axis=1), jnp.dot(x.T, y.T)))(sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15), y)]", 4 => |x: wide(3, 5), y: wide(4, 3)|
        sparsified(|v| {
            let (x, y) = (&v[0], &v[1]);
            vec![y.matmul(x), jarrah_array::concatenate(&[x, &x.tanh()], 1), x.t().matmul(&y.t())]
        }, x, y);
    "experimental.sparse.sparsify": "sparse.sparsify(lambda x, y: (lax.cond(y[0] > 0, lambda x, y: (x * 2) @ y, lambda x, y: x.T @ y, x, y), lax.while_loop(lambda c: c[1].sum() > -3, lambda c: (c[0], jnp.cos(c[0] @ c[1]) - 2), (x, y))[1]))(sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=16), y)", 4 => |x: wide(4, 4), y: wide(4)|
        sparsified(|v| {
            let (x, y) = (&v[0], &v[1]);
            let branch = cond(&y.index(0).gt(0), || (x * 2).matmul(y), || x.t().matmul(y));
            let far = |c: &Array| c.sum(..).gt(-3);
            vec![branch, while_loop(far, |c: &Array| x.matmul(c).cos() - 2, y)]
        }, x, y);
    "experimental.sparse.sparsify": "jax.grad(lambda y: jax.jit(sparse.sparsify(lambda x, y: jnp.sin(x @ y).sum()))(sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15), y))(y)", 4 => |x: wide(3, 5), y: wide(5)| {
        let m = thin(x);
        grad(|y: &Array| {
            let f = jit(sparsify(|v: &Vec<Array>| vec![v[0].matmul(&v[1]).sin().sum(..)]));
            f.apply(&vec![MaybeSparse::from(&m), MaybeSparse::from(y)])[0].to_dense()
        })(y)
    };
    "experimental.sparse.BCOO": "[(m.data, m.indices, m.todense()) for m in [sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=14)]]" => |x: numbers(3, 5)| {
        let m = Bcoo::from_dense(&half(x), 14);
        (m.data().clone(), m.indices().clone(), m.to_dense())
    };
    "experimental.sparse.BCOO": "[(m.data, m.indices, m.todense()) for m in [sparse.BCOO.fromdense(jnp.where(x > 4, x, 0), nse=2, n_dense=1)]]" => |x: wide<9>(6, 2)| {
        let m = Bcoo::from_dense_slices(&jarrah_array::where_(&x.gt(4), x, 0), 2, 1);
        (m.data().clone(), m.indices().clone(), m.to_dense())
    };
    "experimental.sparse.BCOO": "sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15) @ y", 4 => |x: inexact(3, 5), y: inexact(5, 4)| thin(x).matmul(y);
    "experimental.sparse.BCOO": "sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15) @ y" => |x: i32(3, 5), y: i32(5)| thin(x).matmul(y);
    "experimental.sparse.BCOO": "y @ sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15)", 4 => |x: inexact(3, 5), y: inexact(4, 3)| thin(x).rmatmul(y);
    "experimental.sparse.BCOO": "jax.vmap(lambda x, y: sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15) @ y)(x, y)", 4 => |x: wide(2, 3, 5), y: wide(2, 5)|
        jarrah_array::vmap(|(x, y): &(Array, Array)| thin(x).matmul(y))(&(x.clone(), y.clone()));
    "experimental.sparse.BCOO": "[(m.sum(0).todense(), m.sum(1).todense(), m.sum()) for m in [sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15)]]", 4 => |x: inexact(3, 5)| {
        let m = thin(x);
        (m.sum(0).to_dense(), m.sum(1).to_dense(), m.sum([0, 1]).to_dense())
    };
    "experimental.sparse.BCOO": "[((m * y).todense(), (m * 2.5).todense(), (-m).todense(), m.T.todense()) for m in [sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15)]]", 4 => |x: inexact(3, 5), y: inexact(3, 5)| {
        let m = thin(x);
        ((&m * y).to_dense(), (&m * 2.5).to_dense(), (-&m).to_dense(), m.t().to_dense())
    };
    "experimental.sparse.BCOO": "(sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=15) * y).todense()" => |x: wide(3, 5), y: wide(5)|
        (&thin(x) * y).to_dense();
    "experimental.sparse.BCOO": "[((m + n).todense(), (m - n).todense(), (m + n).sum_duplicates(nse=15).data) for m, n in [(sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15), sparse.BCOO.fromdense(jnp.where(jnp.real(y) > 0, y, 0), nse=15))]]" => |x: inexact(3, 5), y: inexact(3, 5)| {
        let (m, n) = (thin(x), thin(y));
        ((&m + &n).to_dense(), (&m - &n).to_dense(), (&m + &n).sum_duplicates(15).data().clone())
    };
    "experimental.sparse.BCOO": "[(m.todense(), m @ y, y @ m, m.T.todense(), m.sum(0).todense()) for m in [sparse.BCOO((x, i), shape=(5, 5))]]", 4 => |x: wide(7), y: wide(5), i: i32(7, 2)| {
        let m = Bcoo::new(x, i, &[5, 5]);
        (m.to_dense(), (m.matmul(y), m.rmatmul(y)), m.t().to_dense(), m.sum(0).to_dense())
    };
    "experimental.sparse.BCOO": "[(m.data, m.indices) for m in [sparse.BCOO((x, abs(i)), shape=(5, 5)).sort_indices()]]" => |x: wide(7), i: i32(7, 2)| {
        let m = Bcoo::new(x, &i.abs(), &[5, 5]).sort_indices();
        (m.data().clone(), m.indices().clone())
    };
    "experimental.sparse.BCOO": "[(m.data, m.indices) for m in [sparse.BCOO((x, abs(i)), shape=(5, 5)).sum_duplicates(nse=7)]]" => |x: wide(7), i: i32(7, 2)| {
        let m = Bcoo::new(x, &i.abs(), &[5, 5]).sum_duplicates(7);
        (m.data().clone(), m.indices().clone())
    };
    "experimental.sparse.BCOO": "[(m[1:3].todense(), m[:, :2].todense(), m.reshape(5, 3).todense(), m.reshape(15).todense()) for m in [sparse.BCOO.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=15)]]" => |x: inexact(3, 5)| {
        let m = thin(x);
        (m.slice(0, 1..3).to_dense(), m.slice(1, ..2).to_dense(), m.reshape(&[5, 3]).to_dense(), m.reshape(&[15]).to_dense())
    };
    "experimental.sparse.BCOO": "sparse.bcoo_dot_general_sampled(x, y, abs(i), dimension_numbers=(([1], [0]), ([], [])))", 4 => |x: wide(5, 3), y: wide(3, 5), i: i32(6, 2)|
        sparse::sampled_matmul(x, y, &Bcoo::new(&Array::full(&[6], 1, x.dtype()), &i.abs(), &[5, 5])).data().clone();
    "experimental.sparse.BCOO": "sparse.bcoo_extract(sparse.BCOO((jnp.ones(6), abs(i)), shape=(5, 5)), x).data" => |x: wide(5, 5), i: i32(6, 2)|
        Bcoo::new(&Array::full(&[6], 1, x.dtype()), &i.abs(), &[5, 5]).extract(x).data().clone();
    "experimental.sparse.BCSR": "[(m.data, m.indices, m.indptr, m.todense(), m @ y) for m in [sparse.BCSR.fromdense(jnp.where(jnp.real(x) > 0, x, 0), nse=14)]]", 4 => |x: inexact(3, 5), y: inexact(5, 2)| {
        let m = Bcsr::from_dense(&half(x), 14);
        vec![m.data().clone(), m.columns().clone(), m.starts().clone(), m.to_dense(), m.matmul(y)]
    };
    "experimental.sparse.BCSR": "[y @ sparse.BCSR.from_bcoo(sparse.BCOO((x, i), shape=(5, 5)).sort_indices()).to_bcoo() for i in [jnp.array([[4, 0], [1, 1], [1, 0], [2, 3]])]]", 4 => |x: inexact(4), y: inexact(3, 5)|
        Bcsr::from_bcoo(&Bcoo::new(x, &Array::new(&[4i32, 0, 1, 1, 1, 0, 2, 3], &[4, 2]), &[5, 5])).rmatmul(y);
    "experimental.sparse.linalg.spsolve": "[jax.experimental.sparse.linalg.spsolve(x + 12 * jnp.array([1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1], x.dtype), jnp.array([1, 5, 0, 2, 0, 2, 4, 1, 3, 3, 4, 2, 5]), jnp.array([0, 2, 4, 7, 9, 11, 13]), b)]", 4 => |x: inexact(13), b: inexact(6)|
        cycle(x).solve(b);
    "experimental.sparse.random_bcoo/eye/empty": "[(sparse.eye(4, dtype=x.dtype).todense() @ x, sparse.empty((2, 3), dtype=x.dtype).todense())]" => |x: wide(4)|
        (Bcoo::eye(4, x.dtype()).to_dense().matmul(x), Bcoo::empty(&[2, 3], x.dtype()).to_dense());
    "experimental.sparse.grad/jacfwd/jacrev/value_and_grad": "[(g.data, g.todense(), v, w.data) for m in [sparse.BCOO.fromdense(jnp.where(x > 0, x, 0), nse=12)] for f in [lambda m: jnp.sum(jnp.sin(m @ y))] for g in [sparse.grad(f)(m)] for v, w in [sparse.value_and_grad(f)(m)]]", 4 => |x: wide(3, 4), y: wide(4)| {
        let f = |m: &Bcoo| m.matmul(y).sin().sum(..);
        let m = thin(x);
        let g = sparse::grad(f)(&m);
        let (v, w) = sparse::value_and_grad(f)(&m);
        (g.data().clone(), g.to_dense(), v, w.data().clone())
    };
    "experimental.sparse.grad/jacfwd/jacrev/value_and_grad": "[(sparse.jacfwd(f)(m).todense(), sparse.jacrev(f)(m).todense()) for m in [sparse.BCOO((x, jnp.array([[0, 1], [2, 2], [1, 0]])), shape=(3, 3))] for f in [lambda m: jnp.sin(m @ y)]]", 4 => |x: wide(3), y: wide(3)| {
        let m = Bcoo::new(x, &Array::new(&[0i32, 1, 2, 2, 1, 0], &[3, 2]), &[3, 3]);
        let f = |x: &Array| m.with_data(x).matmul(y).sin();
        let spread = |rows: Array| jarrah_array::vmap(|row: &Array| m.with_data(row).to_dense())(&rows);
        (spread(jacfwd(f)(x)), spread(jacrev(f)(x)))
    };
}
