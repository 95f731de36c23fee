//! Attention to keys that lie in pages.

use jarrah_array::kernel::{Block, BlockDim, bounds, kernel, num_programs, program_id, when};
use jarrah_array::{Array, DType, lax, where_};

use crate::attention::{LOWEST, fold};
use crate::shape::{extents, require};

/// Causal attention of the queries of several sequences to their own keys, which lie in pages: queries `[tokens, heads, d]`, of
/// which sequence `s` has those from `starts[s]` to `starts[s + 1]`, its last ones; keys and values
/// `[pages, page, heads, d]`; the pages of a sequence in order, `tables[s]`; the number of its keys, `lengths[s]`. No sequence has more
/// than `most` queries.
///
/// ```
/// use jarrah_array::{Array, DType};
/// // One sequence of three keys on pages 1 and 0, and the query of its last place.
/// let (q, v) = (Array::zeros(&[1, 1, 1]), Array::arange(4).astype(DType::F32).reshape(&[2, 2, 1, 1]));
/// let integers = |x: &[i32]| Array::from_slice(x);
/// let (starts, tables, lengths) = (integers(&[0, 1]), integers(&[1, 0]).reshape(&[1, 2]), integers(&[3]));
/// let o = jarrah_kernels::paged_attention(&q, &v, &v, &starts, &tables, &lengths, 1);
/// assert!((o.index((0, 0, 0)).item::<f32>()? - 5.0 / 3.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kwon and others, Efficient memory management for large language model serving with PagedAttention (2023).
#[track_caller]
pub fn paged_attention(
    q: &Array,
    k: &Array,
    v: &Array,
    starts: &Array,
    tables: &Array,
    lengths: &Array,
    most: usize,
) -> Array {
    let op = "paged_attention";
    let ([_, heads, d], [_, page, heads_too, depth]) = (extents(op, "q", q), extents(op, "k", k));
    let [sequences, pages] = extents(op, "the tables", tables);
    let fits = starts.shape() == [sequences + 1] && lengths.shape() == [sequences];
    require(op, k.ty() == v.ty() && (heads, d) == (heads_too, depth) && fits && most > 0, || {
        format!(
            "q {}, k {}, v {}, starts {} and lengths {} do not fit each other",
            q.ty(),
            k.ty(),
            v.ty(),
            starts.ty(),
            lengths.ty()
        )
    });
    let (one, scale) = (BlockDim::Squeezed, 1.0 / (d as f64).sqrt());
    let dims = || (BlockDim::Bounded(most), one, d);
    let queries = |s: &Array, starts: &Array| {
        let from = starts.index(s);
        bounds(&from, starts.index(s + 1) - &from)
    };
    let in_page = || {
        // What a table holds behind the last page of a sequence is no page.
        Block::found((one, page, one, d), |[s, h, p], [_, tables, lengths]| {
            let is_page = (&p * page).lt(lengths.index(&s));
            (where_(&is_page, tables.index((&s, &p)), 0), Array::scalar(0i32), h, Array::scalar(0i32))
        })
    };
    let [starts, tables, lengths] = [starts, tables, lengths].map(|x| x.astype(DType::I32));
    kernel(|[starts, _, lengths, q, k, v, o, top, sum, acc]| {
        let (s, p) = (program_id(0), program_id(2));
        let length = lengths.at(&s).get();
        let count = starts.at(&s + 1).get() - starts.at(&s).get();
        when(p.eq(0), || {
            top.at(..).set(LOWEST);
            sum.set(0);
            acc.set(0);
        });
        when((&p * page).lt(&length), || {
            let shape = [most, page];
            let query = lax::iota(DType::I32, &shape, 0) + &length - &count;
            let key = lax::iota(DType::I32, &shape, 1) + &p * page;
            let seen = key.le(&query) & key.lt(&length);
            fold(&(q.get() * scale).matmul(&k.get().t()), &seen, &v.get(), &top, &sum, &acc);
        });
        when(p.eq(num_programs(2) as i64 - 1), || {
            let l = sum.get();
            o.set(acc.get() / where_(&l.gt(0.0), &l, 1.0));
        });
    })
    .name(op)
    .grid(&[sequences, heads, pages])
    .arbitrary(&[2])
    .prefetch(3)
    .input(Block::found(dims(), |[s, h, _], [starts, _, _]| (queries(&s, &starts), h, 0)))
    .input(in_page())
    .input(in_page())
    .output(q.ty(), Block::found(dims(), |[s, h, _], [starts, _, _]| (queries(&s, &starts), h, 0)))
    .scratch(q.ty().with_dims([most, 1]))
    .scratch(q.ty().with_dims([most, 1]))
    .scratch(q.ty().with_dims([most, d]))
    .call_one(&[&starts, &tables, &lengths, q, k, v])
}
