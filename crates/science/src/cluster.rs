//! Clusters, as `jax.scipy.cluster.vq` has them.

use jarrah_array::library::with_context;
use jarrah_array::{Array, fail};
use jarrah_base::{Error, Location};

/// The nearest code of each observation and how far away it is: `observations` are `[n, d]`, `codes` are `[k, d]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::cluster;
/// let codes = Array::new(&[0.0f32, 0.0, 3.0, 4.0], &[2, 2]);
/// let (code, distance) = cluster::vq(&Array::new(&[3.0f32, 3.0], &[1, 2]), &codes);
/// assert_eq!((code.to_vec::<i32>()?, distance.to_vec::<f32>()?), (vec![1], vec![1.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// # Errors
///
/// A program error unless both are matrices with as many columns, or both vectors.
#[track_caller]
pub fn vq(observations: &Array, codes: &Array) -> (Array, Array) {
    let ranks = (observations.rank(), codes.rank());
    if ranks != (1, 1) && ranks != (2, 2) || ranks.0 == 2 && observations.shape()[1] != codes.shape()[1] {
        let error = format!("{} are no codes for {}", codes.ty(), observations.ty());
        let help = "observations are [n, d] and codes [k, d], or both are vectors";
        fail(with_context(Error::program(error).op("vq").at(Location::caller()).help(help)));
    }
    let columns = |x: &Array| if ranks.0 == 1 { x.expand_dims(-1) } else { x.clone() }.inexact();
    let (observations, codes) = (columns(observations), columns(codes));
    let apart = observations.expand_dims(1) - codes.expand_dims(0);
    let squares = apart.square().sum(-1);
    let nearest = squares.argmin(-1);
    (nearest, squares.min(-1).sqrt())
}
