//! Masks of attention: truth values `[.., 1, T, S]`, which hold where query `t` sees key `s`.

use jarrah_array::{Array, DType, Error, fail, lax};

/// Where each pair of a query and a key fits, as `pair(query, key)` says of their values: `[.., 1, T, S]` for values `[.., T]` and `[.., S]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::make_attention_mask;
/// // The second sequence has two tokens, and a place that is none.
/// let tokens = Array::new(&[true, true, true, true, true, false], &[2, 3]);
/// let mask = make_attention_mask(&tokens, &tokens, |q, k| q & k);
/// assert_eq!(mask.shape(), [2, 1, 3, 3]);
/// assert_eq!(mask.sum([1, 2, 3]).to_vec::<i64>()?, [9, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.make_attention_mask`.
#[track_caller]
pub fn make_attention_mask(queries: &Array, keys: &Array, pair: impl Fn(&Array, &Array) -> Array) -> Array {
    if queries.rank() == 0 || keys.rank() == 0 {
        let error = format!("queries are {} and keys are {}", queries.ty(), keys.ty());
        fail(Error::program(error).op("mask").help("give values [.., T] of queries and [.., S] of keys"));
    }
    pair(&queries.expand_dims(-1), &keys.expand_dims(-2)).expand_dims(-3).astype(DType::Bool)
}

/// Where the key is not after the query: `[1, T, T]` for `time` positions.
///
/// ```
/// use jarrah_nn::make_causal_mask;
/// assert_eq!(make_causal_mask(2).to_vec::<bool>()?, [true, false, true, true]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Attention itself needs none: [`AttentionOptions::causal`](jarrah_array::nn::AttentionOptions::causal) skips what is hidden. Source:
/// `flax.nnx.make_causal_mask`.
pub fn make_causal_mask(time: usize) -> Array {
    let positions = lax::iota(DType::I32, &[time], 0);
    make_attention_mask(&positions, &positions, |q, k| q.ge(k))
}

/// Where all of the masks hold, of those that there are.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{combine_masks, make_causal_mask};
/// let tokens = Array::new(&[true, false], &[1, 1, 2]);
/// let mask = combine_masks(&[Some(&make_causal_mask(2)), None, Some(&tokens)]).unwrap();
/// assert_eq!(mask.to_vec::<bool>()?, [true, false, true, false]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.combine_masks`.
#[track_caller]
pub fn combine_masks(masks: &[Option<&Array>]) -> Option<Array> {
    let mut masks = masks.iter().flatten();
    let first = masks.next()?.astype(DType::Bool);
    Some(masks.fold(first, |all, mask| all & mask.astype(DType::Bool)))
}
