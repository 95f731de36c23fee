use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::numpy::einsum;
use jarrah_array::{Array, Error, fail};

use crate::Context;

/// [`dot_product_attention`], whose weights `[B,H,T,S]` are the value `weights` of the pass: only where somebody asks for them are they
/// made. The `multiplier` is applied to what is observed, as dropout is.
///
/// * `q`: floats `[B,T,H,D]`; `k`: `[B,S,G,D]`; `v`: `[B,S,G,E]`, where `G` divides `H`
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::nn::AttentionOptions;
/// use jarrah_nn::{Context, observed_attention};
/// let x = Array::ones(&[1, 3, 2, 4]);
/// let mut cx = Context::eval().capturing("weights");
/// observed_attention(&x, &x, &x, AttentionOptions::causal(), &mut cx);
/// assert_eq!(cx.captured().array("weights").unwrap().shape(), [1, 2, 3, 3]);
/// ```
#[track_caller]
pub fn observed_attention(
    q: &Array,
    k: &Array,
    v: &Array,
    mut options: AttentionOptions,
    cx: &mut Context,
) -> Array {
    if !cx.wants("weights") {
        return dot_product_attention(q, k, v, &options);
    }
    if options.pages.is_some() || options.scales.is_some() {
        let error = Error::program("the weights of attention over pages or bytes were asked for");
        fail(error.op("attention").help("take a cache of floats with a run for each sequence"));
    }
    // Attention over unit vectors in the place of values gives the weights.
    let multiplier = options.multiplier.take();
    let (batch, keys, groups) = (k.shape()[0], k.shape()[1], k.shape()[2]);
    let unit = Array::eye_in(keys, keys, 0, q.dtype()).reshape(&[1, keys, 1, keys]);
    let units = unit.broadcast_to(&[batch, keys, groups, keys]);
    let weights = dot_product_attention(q, k, &units, &options).swapaxes(1, 2);
    let mut weights = cx.observe("weights", weights);
    if let Some(multiplier) = multiplier {
        weights *= multiplier;
    }
    let shared = v.repeat(q.shape()[2] / groups, 2);
    einsum("bhts,bshd->bthd", &[&weights, &shared])
}
