use jarrah_array::{Array, Error, Location, Tree, TreeExt, eval_shape, fail, scan};

use crate::tree;

/// How the results of the parts of a batch are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accumulate {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// Their concatenation along the first axis.
    Concat,
}

/// `f` of a batch, computed for `size` of its elements at a time, in less memory: the results are summed, averaged or concatenated.
///
/// * batch: a tree of arrays `[n, ..]`, with `n` a multiple of `size`
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Accumulate, microbatch};
/// let mean = |x: &Array| x.square().mean(..);
/// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]);
/// assert_eq!(microbatch(mean, 2, Accumulate::Mean)(&x).item::<f32>()?, 7.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// The mean of gradients, say, is `microbatch(|batch| grad(|p| loss(p, batch))(&params), 8, Accumulate::Mean)`.
///
/// Panics unless all arrays have the same first axis, a multiple of `size`.
#[track_caller]
pub fn microbatch<B: Tree<Array>, R: Tree<Array>>(
    f: impl Fn(&B) -> R,
    size: usize,
    accumulate: Accumulate,
) -> impl Fn(&B) -> R {
    let at = Location::caller();
    move |batch| {
        let parts = parts(batch, size, at);
        let cut = batch.map_leaves(|x: &Array| x.reshape(&[&[parts, size], &x.shape()[1..]].concat()));
        let first = cut.map_leaves(|x: &Array| x.index(0));
        match accumulate {
            Accumulate::Concat => {
                let (_, all) = scan(|_: &(), part: &B| ((), f(part)), &(), &cut);
                all.map_leaves(|x: &Array| match x.shape()[1..] {
                    [] => x.clone(),
                    [n, ref rest @ ..] => x.reshape(&[&[parts * n], rest].concat()),
                })
            }
            Accumulate::Sum | Accumulate::Mean => {
                let zeros =
                    eval_shape(|part: &B| f(part), &first).map_leaves(|x: &Array| Array::zeros_of(x.ty()));
                let (sum, ()) = scan(|sum: &R, part: &B| (tree::add(sum, &f(part)), ()), &zeros, &cut);
                match accumulate {
                    Accumulate::Mean => sum.map_leaves(|x: &Array| (x / parts as f64).astype(x.dtype())),
                    _ => sum,
                }
            }
        }
    }
}

/// How many parts of `size` a batch has.
fn parts<B: Tree<Array>>(batch: &B, size: usize, at: Location) -> usize {
    let extents: Vec<Option<usize>> =
        batch.leaves().into_iter().map(|x: &Array| x.shape().first().copied()).collect();
    match extents.first() {
        Some(&Some(n)) if size > 0 && n % size == 0 && extents.iter().all(|&e| e == Some(n)) => n / size,
        _ => {
            let types: Vec<String> = batch.leaves().into_iter().map(|x: &Array| x.ty().to_string()).collect();
            let error = Error::program(format!("a batch of {} has no parts of {size}", types.join(", ")));
            fail(
                error.op("microbatch").at(at).help("give arrays with one first axis, a multiple of the size"),
            )
        }
    }
}
