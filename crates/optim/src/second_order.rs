//! Second derivatives of losses: their diagonals, and products with vectors.

use jarrah_array::{Array, Function, Tree, TreeExt, concatenate, grad, jvp, vmap};

use crate::tree;

/// The product of the Hessian of `f` at `params` with `v`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::second_order::hvp;
/// let f = |x: &Array| (x * x * x).sum(..);
/// let product = hvp(f, &Array::from_slice(&[1.0f32, 2.0]), &Array::from_slice(&[1.0f32, 1.0]));
/// assert_eq!(product.to_vec::<f32>()?, [6.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Pearlmutter, Fast exact multiplication by the Hessian (1994).
#[track_caller]
pub fn hvp<P: Tree<Array>>(f: impl Function<P, Output = Array>, params: &P, v: &P) -> P {
    jvp(grad(f), params, v).1
}

/// The diagonal of the Hessian of `f` at `params`, in the structure of `params`: one [`hvp`] for each parameter, all in one batch.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::second_order::hessian_diag;
/// let diagonal = hessian_diag(|x: &Array| (x * x * x).sum(..), &Array::from_slice(&[1.0f32, 2.0]));
/// assert_eq!(diagonal.to_vec::<f32>()?, [6.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hessian_diag<P: Tree<Array>>(f: impl Function<P, Output = Array>, params: &P) -> P {
    let size = tree::size(params);
    let slope = grad(f);
    let at = |direction: &Array| {
        let v = unravel(direction, params);
        let (_, product) = jvp(|p: &P| slope(p), params, &v);
        (ravelled(&product) * direction).sum(..)
    };
    let directions = Array::eye(size).astype(tree::dtype(params, true));
    unravel(&vmap(at)(&directions), params)
}

/// The squares of the gradient of a negative log-likelihood: the diagonal of the empirical Fisher information of one batch.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::second_order::fisher_diag;
/// assert_eq!(fisher_diag(|x: &Array| x.square().sum(..), &Array::from_slice(&[1.0f32, 2.0])).to_vec::<f32>()?, [4.0, 16.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fisher_diag<P: Tree<Array>>(
    negative_log_likelihood: impl Function<P, Output = Array>,
    params: &P,
) -> P {
    grad(negative_log_likelihood)(params).map_leaves(Array::square)
}

fn ravelled<P: Tree<Array>>(tree: &P) -> Array {
    let parts: Vec<Array> = tree.leaves().into_iter().map(Array::ravel).collect();
    concatenate(&parts.iter().collect::<Vec<&Array>>(), 0)
}

fn unravel<P: Tree<Array>>(vector: &Array, like: &P) -> P {
    let mut from = 0;
    like.map_leaves(|x: &Array| {
        let part = vector.slice(0, from..from + x.size());
        from += x.size();
        part.reshape(&x.shape()[..]).astype(x.dtype())
    })
}
