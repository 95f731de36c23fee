//! Factors of small matrices, one matrix a point.

use jarrah_array::kernel::{Block, BlockDim, for_each, kernel};
use jarrah_array::{Array, DType, lax, where_};

use crate::shape::{extents, require};

/// The lower triangle `l` with `l l' = x` of each positive definite matrix of `[batch, n, n]`: column by column, each of which is taken out
/// of the rest, `x - l[j] l[j]'`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[4.0f32, 2.0, 2.0, 5.0]).reshape(&[1, 2, 2]);
/// assert_eq!(jarrah_kernels::cholesky(&x).to_vec::<f32>()?, [2.0, 0.0, 1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cholesky(x: &Array) -> Array {
    let [batch, n, columns] = extents("cholesky", "the matrices", x);
    require("cholesky", n == columns, || format!("{} are not square", x.ty()));
    let matrix = || Block::new((BlockDim::Squeezed, n, n), |[b]| (b, 0, 0));
    kernel(|[x, l, rest]| {
        rest.set(x.get());
        let row = lax::iota(DType::I32, &[n], 0);
        for_each(0, n as i64, |j| {
            let column = rest.at((.., j)).get();
            let pivot = rest.at((j, j)).get().sqrt();
            let below = where_(&row.ge(j), &column / &pivot, 0.0);
            l.at((.., j)).set(&below);
            rest.update(|rest| rest - below.expand_dims(1) * below.expand_dims(0));
        });
    })
    .name("cholesky")
    .grid(&[batch])
    .parallel(&[0])
    .input(matrix())
    .output(x.ty(), matrix())
    .scratch(x.ty().with_dims([n, n]))
    .call_one(&[x])
}
