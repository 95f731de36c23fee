//! The backward pass of blockwise attention.
//!
//! With `p = e^(s - logs)` and `ds = p (do v' - sum do o)`, the gradients are `dq = ds k`, `dk = ds' q` and `dv = p' do`: each
//! sums over blocks of the other side, so there is a kernel that sums over keys and one that sums over queries.

use jarrah_array::kernel::{Block, BlockDim, kernel, program_id, when};
use jarrah_array::{Array, Ref, where_};

use crate::mask::{Extents, Mask};

/// `p` and `ds` of a block, the scores scaled by `scale`.
#[track_caller]
fn weights(
    e: Extents,
    mask: Mask,
    scale: f64,
    [q, k, v, ct, logs, dot]: [&Ref; 6],
    [i, j]: [&Array; 2],
) -> (Array, Array) {
    let scores = (q.get() * scale).matmul(&k.get().t());
    let seen = e.seen(mask, i, j);
    let p = where_(&seen, (scores - logs.get().expand_dims(1)).exp(), 0.0);
    let slope = ct.get().matmul(&v.get().t()) - dot.get().expand_dims(1);
    let ds = &p * slope;
    (p, ds)
}

/// The gradients by `q`, `k` and `v`.
#[track_caller]
pub(crate) fn backward(e: Extents, [q, k, v, o, logs, ct]: [&Array; 6], mask: Mask) -> (Array, Array, Array) {
    let scale = 1.0 / (e.width as f64).sqrt();
    let [rows, columns] = e.blocks();
    let one = BlockDim::Squeezed;
    let dot = (ct * o).sum(-1);
    let of_queries = |swap: bool| {
        Block::new((one, e.bq, e.width), move |[h, i, j]| if swap { (h, j, 0) } else { (h, i, 0) })
    };
    let of_rows = |swap: bool| Block::new((one, e.bq), move |[h, i, j]| if swap { (h, j) } else { (h, i) });
    let of_keys = |swap: bool| {
        Block::new((one, e.bk, e.width), move |[h, i, j]| (e.shared(h), if swap { i } else { j }, 0))
    };
    let dq = kernel(|[q, k, v, ct, logs, dot, dq]| {
        let (i, j) = (program_id(1), program_id(2));
        when(e.meets(mask, &i, &j), || {
            let (_, ds) = weights(e, mask, scale, [&q, &k, &v, &ct, &logs, &dot], [&i, &j]);
            dq.addupdate(ds.matmul(&k.get()) * scale);
        });
    })
    .name("flash_attention_dq")
    .grid(&[e.heads, rows, columns])
    .input(of_queries(false))
    .input(of_keys(false))
    .input(of_keys(false))
    .input(of_queries(false))
    .input(of_rows(false))
    .input(of_rows(false))
    .output(q.ty(), of_queries(false))
    .call_one(&[q, k, v, ct, logs, &dot]);

    let own_keys = || Block::new((one, e.bk, e.width), |[h, j, _]| (h, j, 0));
    let each = k.ty().with_dims([e.heads, e.keys, e.width]);
    let by_keys = kernel(|[q, k, v, ct, logs, dot, dk, dv]| {
        let (j, i) = (program_id(1), program_id(2));
        when(e.meets(mask, &i, &j), || {
            let (p, ds) = weights(e, mask, scale, [&q, &k, &v, &ct, &logs, &dot], [&i, &j]);
            dk.addupdate(ds.t().matmul(&q.get()) * scale);
            dv.addupdate(p.t().matmul(&ct.get()));
        });
    })
    .name("flash_attention_dkv")
    .grid(&[e.heads, columns, rows])
    .input(of_queries(true))
    .input(of_keys(true))
    .input(of_keys(true))
    .input(of_queries(true))
    .input(of_rows(true))
    .input(of_rows(true))
    .output(each, own_keys())
    .output(each, own_keys())
    .call(&[q, k, v, ct, logs, &dot]);
    // Heads that share keys add up their gradients.
    let shared = |x: &Array| match e.group {
        1 => x.clone(),
        group => x.reshape(&[e.heads / group, group, e.keys, e.width]).sum(1),
    };
    (dq, shared(&by_keys[0]), shared(&by_keys[1]))
}
