//! Masks, windows, segments, lengths, biases, sinks, caps, multipliers, pages and scales.

use jarrah_base::bf16;
use jarrah_cpu::attention::{
    AttentionCall, AttentionFloat, Elements, Heads, HeadsMut, KvStorage, PageTable, forward_on,
};
use jarrah_cpu::gemm::Isa;
use jarrah_cpu::threads::ThreadPool;

use super::contract::{Case, contract};
use super::{Bits as _, Number, Operands, all_same, causal, fractions, full, kernels, same};

/// Draws one after another.
struct Draw {
    from: std::vec::IntoIter<f64>,
}

impl Draw {
    fn new(seed: u64) -> Draw {
        Draw { from: fractions(seed, 1 << 20).into_iter() }
    }

    fn unit(&mut self) -> f64 {
        self.from.next().expect("enough draws")
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Extents that repeat to `full`.
    fn repeating<const N: usize>(&mut self, full: [usize; N]) -> [usize; N] {
        full.map(|extent| if self.one_in(2) { extent } else { 1 })
    }

    fn floats<const N: usize>(&mut self, dims: [usize; N], low: f64, high: f64) -> (Vec<f32>, [usize; N]) {
        let count = dims.iter().product();
        ((0..count).map(|_| (low + (high - low) * self.unit()) as f32).collect(), dims)
    }
}

/// An attention with some of all the options.
fn random(seed: u64) -> Case {
    let d = &mut Draw::new(seed);
    let (batch, kv_heads, group) = (1 + d.below(2), 1 + d.below(2), 1 + d.below(3));
    let (queries, keys) = (1 + d.below(110), 1 + d.below(200));
    let mut case = full(batch, queries, keys, kv_heads * group, kv_heads, 1 + d.below(20));
    let x = &mut case.plain;
    x.value_dim = 1 + d.below(40);
    x.softcap = d.one_in(3).then_some(1.5);
    x.hidden = [f64::NEG_INFINITY, -1e9, -3.0][d.below(3)];
    x.apart = seed % 2 == 1;
    x.before = d.one_in(3).then(|| d.below(90) as u32);
    x.after = d.one_in(2).then(|| d.below(3) as u32);
    let pairs = [batch, kv_heads * group, queries, keys];
    case.offset = (0..batch).map(|_| d.below(keys) as i32 - 10).collect();
    case.lengths = d.one_in(3).then(|| (0..batch).map(|_| d.below(keys + 1) as i32).collect());
    if d.one_in(3) {
        // Most segments are longer than a block.
        let of = |count: usize, from: usize| (0..count).map(|i| ((i + from) / 70) as i32).collect::<Vec<_>>();
        case.segments = Some([of(batch * queries, 0), of(batch * keys, 30)]);
    }
    if d.one_in(2) {
        let dims = d.repeating(pairs);
        let (values, dims) = d.floats(dims, 0.0, 1.0);
        case.mask = Some((values.into_iter().map(|x| u8::from(x > 0.4)).collect(), dims));
    }
    if d.one_in(2) {
        let mut dims = d.repeating(pairs);
        // A bias of one number for all pairs is summed in an order of its own.
        dims[3] = if dims[2] == 1 { keys } else { dims[3] };
        case.bias = Some(d.floats(dims, -2.0, 2.0));
    }
    if d.one_in(3) {
        let dims = d.repeating([batch, kv_heads * group]);
        case.sinks = Some(d.floats(dims, -1.0, 3.0));
    }
    if d.one_in(3) {
        let dims = d.repeating(pairs);
        let (mut values, dims) = d.floats(dims, -1.0, 2.0);
        values.iter_mut().for_each(|x| *x = x.max(0.0));
        case.multiplier = Some((values, dims));
    }
    case
}

fn options_keep_the_contract<T: Number>(seeds: std::ops::Range<u64>) {
    let pools = [ThreadPool::new(1), ThreadPool::new(3)];
    for seed in seeds {
        let case = random(seed);
        let data = Operands::<T>::new(&case.plain, seed);
        let expected = contract(&case, &data);
        for &isa in Isa::available() {
            for pool in &pools {
                let what = format!("case {seed}, {:?}, on {isa:?}, {} threads", case.plain, pool.threads());
                all_same(&what, &kernels(isa, pool, &case, &data), &expected);
            }
        }
    }
}

#[test]
fn options_keep_the_contract_in_f32() {
    options_keep_the_contract::<f32>(0..40);
}

#[test]
fn options_keep_the_contract_in_f64() {
    options_keep_the_contract::<f64>(100..125);
}

#[test]
fn options_keep_the_contract_in_bf16() {
    options_keep_the_contract::<bf16>(200..225);
}

/// The results of the forward kernel over keys and values that lie somehow.
fn forward<T: Number>(
    pool: &ThreadPool,
    case: &Case,
    data: &Operands<T>,
    k: KvStorage<'_, T>,
    v: KvStorage<'_, T>,
) -> (Vec<T>, Vec<T::Acc>) {
    let x = &case.call();
    let mut o = vec![T::from_f64(-7.0); data.d_o.len()];
    let mut lse = vec![T::Acc::from_f64(-7.0); data.d_lse.len()];
    let q = Heads::dense(data.q.as_ptr(), x.queries, x.heads, x.dim);
    let to = HeadsMut::dense(o.as_mut_ptr(), x.queries, x.heads, x.value_dim);
    let statistic = HeadsMut::dense(lse.as_mut_ptr(), x.queries, x.heads, 1);
    // SAFETY: every operand is dense with these extents, or in pages that the table names.
    unsafe { forward_on(Isa::detect(), pool, x, q, k, v, to, statistic) };
    (o, lse)
}

/// Rows of `row` elements in pages of `size`, of which each sequence has as many as it needs, backwards by twos; other
/// pages are full of `fill`.
fn paged<T: Copy>(from: &[T], batch: usize, row: usize, size: usize, fill: T) -> (Vec<T>, Vec<i32>) {
    let keys = from.len() / batch / row;
    let per_sequence = keys.div_ceil(size);
    let count = batch * per_sequence + 2;
    let mut pages = vec![fill; count * size * row];
    let table: Vec<i32> = (0..batch * per_sequence).map(|i| (count - 1 - (i ^ 1)) as i32).collect();
    for j in 0..batch * keys {
        let (b, key) = (j / keys, j % keys);
        let page = table[b * per_sequence + key / size] as usize;
        pages[(page * size + key % size) * row..][..row].copy_from_slice(&from[j * row..][..row]);
    }
    (pages, table)
}

fn pages_change_no_bit<T: Number>() {
    for (seed, size) in [(1, 1), (2, 16), (3, 24), (4, 64), (5, 128), (6, 300)] {
        let mut case = causal(full(3, 5, 150, 4, 2, 8), &[100, 3, 144]);
        case.plain.value_dim = 5;
        case.lengths = Some(vec![149, 20, 150]);
        let data = Operands::<T>::new(&case.plain, seed);
        let expected = kernels(Isa::detect(), &ThreadPool::new(1), &case, &data);
        let (rows, wide) = (2, case.plain.value_dim);
        let (k, table) = paged(&data.k, 3, rows * 8, size, T::from_f64(f64::NAN));
        let (v, _) = paged(&data.v, 3, rows * wide, size, T::from_f64(f64::NAN));
        let per_sequence = table.len() / 3;
        let pages = PageTable { table: &table, per_sequence, size, count: k.len() / (size * rows * 8) };
        // There are as many keys as pages hold; the last ones are beyond the lengths.
        case.plain.keys = per_sequence * size;
        let stored = |ptr, dim| KvStorage {
            elements: Elements::Floats(Heads::dense(ptr, size, rows, dim)),
            pages: Some(pages),
        };
        for threads in [1, 2] {
            let (k, v) = (stored(k.as_ptr(), 8), stored(v.as_ptr(), wide));
            let (o, lse) = forward(&ThreadPool::new(threads), &case, &data, k, v);
            same(&format!("o in pages of {size}"), &o, &expected.o);
            same(&format!("lse in pages of {size}"), &lse, &expected.lse);
        }
    }
}

#[test]
fn pages_change_no_bit_of_f32() {
    pages_change_no_bit::<f32>();
}

#[test]
fn pages_change_no_bit_of_bf16() {
    pages_change_no_bit::<bf16>();
}

/// Each query as a sequence of its own: those of one text lie in the same pages, and follow one another.
fn queries_apart_change_no_bit<T: Number>() {
    let mut case = causal(full(3, 70, 150, 4, 2, 8), &[80, 3, 10]);
    case.plain.value_dim = 5;
    let data = Operands::<T>::new(&case.plain, 11);
    let expected = kernels(Isa::detect(), &ThreadPool::new(1), &case, &data);
    let size = 16;
    let (rows, wide) = (2, case.plain.value_dim);
    let (k, table) = paged(&data.k, 3, rows * 8, size, T::from_f64(f64::NAN));
    let (v, _) = paged(&data.v, 3, rows * wide, size, T::from_f64(f64::NAN));
    let per_sequence = table.len() / 3;
    // Text 2 comes from its 7th query on; one query of text 1 stands between two runs, behind two queries that do not follow one another.
    let order: Vec<(usize, usize)> = (0..70)
        .map(|i| (0, i))
        .chain([(1, 5), (2, 4), (1, 6)])
        .chain((7..70).map(|i| (2, i)))
        .chain((10..20).map(|i| (1, i)))
        .chain([(1, 30)])
        .collect();
    let mut apart = causal(full(order.len(), 1, per_sequence * size, 4, 2, 8), &[]);
    apart.plain.value_dim = wide;
    apart.offset = order.iter().map(|&(b, i)| case.offset[b] + i as i32).collect();
    let tables: Vec<i32> =
        order.iter().flat_map(|&(b, _)| table[b * per_sequence..][..per_sequence].to_vec()).collect();
    let at = |b: usize, i: usize, width: usize| (b * 70 + i) * 4 * width;
    let mut own = Operands::<T>::new(&apart.plain, 11);
    own.q = order.iter().flat_map(|&(b, i)| data.q[at(b, i, 8)..][..32].to_vec()).collect();
    let pages = PageTable { table: &tables, per_sequence, size, count: k.len() / (size * rows * 8) };
    let stored = |ptr, dim| KvStorage {
        elements: Elements::Floats(Heads::dense(ptr, size, rows, dim)),
        pages: Some(pages),
    };
    let picked = |from: &[T], width: usize| -> Vec<T> {
        order.iter().flat_map(|&(b, i)| from[at(b, i, width)..][..4 * width].to_vec()).collect()
    };
    let of_lse: Vec<T::Acc> =
        order.iter().flat_map(|&(b, i)| expected.lse[at(b, i, 1)..][..4].to_vec()).collect();
    for threads in [1, 2] {
        let (k, v) = (stored(k.as_ptr(), 8), stored(v.as_ptr(), wide));
        let (o, lse) = forward(&ThreadPool::new(threads), &apart, &own, k, v);
        same("o of queries apart", &o, &picked(&expected.o, wide));
        same("lse of queries apart", &lse, &of_lse);
    }
}

#[test]
fn queries_apart_change_no_bit_of_f32() {
    queries_apart_change_no_bit::<f32>();
}

#[test]
fn queries_apart_change_no_bit_of_bf16() {
    queries_apart_change_no_bit::<bf16>();
}

#[test]
fn bytes_with_scales_are_the_numbers_they_stand_for() {
    let case = causal(full(2, 6, 130, 4, 2, 12), &[124, 60]);
    let x = case.plain;
    let mut data = Operands::<f32>::new(&x, 9);
    let values: [f32; 256] = std::array::from_fn(|i| f32::from(i as u8 as i8));
    let bytes =
        |seed| fractions(seed, data.k.len()).into_iter().map(|x| (x * 256.0) as u8).collect::<Vec<u8>>();
    let scales = |seed| {
        let scales = fractions(seed, data.k.len() / 12).into_iter().map(|x| (x * 0.02) as f32);
        scales.collect::<Vec<f32>>()
    };
    let (k, v, k_scales, v_scales) = (bytes(1), bytes(2), scales(3), scales(4));
    let wide = |bytes: &[u8], scales: &[f32]| -> Vec<f32> {
        bytes.iter().enumerate().map(|(i, &byte)| values[usize::from(byte)] * scales[i / 12]).collect()
    };
    (data.k, data.v) = (wide(&k, &k_scales), wide(&v, &v_scales));
    let expected = kernels(Isa::detect(), &ThreadPool::new(1), &case, &data);
    for size in [0, 10, 64] {
        let rows = if size == 0 { x.keys } else { size };
        let (row, per_row) = (2 * 12, 2);
        let lay = |bytes: &[u8], scales: &[f32]| match size {
            0 => (bytes.to_vec(), scales.to_vec(), vec![]),
            _ => {
                let (bytes, table) = paged(bytes, 2, row, size, 0);
                (bytes, paged(scales, 2, per_row, size, f32::NAN).0, table)
            }
        };
        let ((k, k_scales, table), (v, v_scales, _)) = (lay(&k, &k_scales), lay(&v, &v_scales));
        let pages = (size > 0).then(|| {
            let count = k.len() / (size * row);
            PageTable { table: &table, per_sequence: table.len() / 2, size, count }
        });
        let stored = |bytes: &[u8], scales: &[f32]| KvStorage {
            elements: Elements::Scaled {
                bytes: Heads::dense(bytes.as_ptr(), rows, 2, 12),
                values: &values,
                scales: Heads::dense(scales.as_ptr(), rows, 2, 1),
            },
            pages,
        };
        let (o, lse) =
            forward(&ThreadPool::new(2), &case, &data, stored(&k, &k_scales), stored(&v, &v_scales));
        same(&format!("o in pages of {size}"), &o, &expected.o);
        same(&format!("lse in pages of {size}"), &lse, &expected.lse);
    }
}

/// Keys and values that a mask hides from all queries may be anything.
#[test]
fn hidden_keys_have_no_influence() {
    for hidden in [f64::NEG_INFINITY, -1e9] {
        let mut case = full(1, 60, 100, 2, 1, 8);
        case.plain.hidden = hidden;
        let hides = |j: usize| j % 3 == 1;
        case.mask = Some(((0..100).map(|j| u8::from(!hides(j))).collect(), [1, 1, 1, 100]));
        let clean = Operands::<f32>::new(&case.plain, 1);
        let mut dirty = Operands::<f32>::new(&case.plain, 1);
        for j in (0..100).filter(|&j| hides(j)) {
            dirty.k[j * 8 + 2] = f32::NAN;
            dirty.v[j * 8 + 3] = f32::INFINITY;
        }
        let pool = ThreadPool::new(2);
        let (clean, dirty) =
            (kernels(Isa::detect(), &pool, &case, &clean), kernels(Isa::detect(), &pool, &case, &dirty));
        assert!(clean.o.iter().all(|x| x.is_finite()));
        all_same(&format!("hidden {hidden}"), &dirty, &clean);
    }
}

/// A query that sees no key takes the mean of the values where hidden scores are finite, else nothing.
#[test]
fn queries_that_see_nothing() {
    let mut case = full(1, 3, 130, 1, 1, 4);
    case.mask = Some((vec![1, 0, 1], [1, 1, 3, 1]));
    let data = Operands::<f64>::new(&case.plain, 2);
    let pool = ThreadPool::new(1);
    let blind = kernels(Isa::detect(), &pool, &case, &data);
    assert_eq!(blind.o[4..8], [0.0; 4]);
    assert_eq!(blind.lse[1], f64::NEG_INFINITY);
    case.plain.hidden = -1e9;
    let mean = kernels(Isa::detect(), &pool, &case, &data);
    for e in 0..4 {
        let expected = data.v.iter().skip(e).step_by(4).sum::<f64>() / 130.0;
        assert!((mean.o[4 + e].to_f64() - expected).abs() < 1e-14, "{e}");
    }
    // The other queries see all keys, and nothing of the score of hidden ones.
    same("o", &mean.o[..4], &blind.o[..4]);
    same("o", &mean.o[8..], &blind.o[8..]);
}

/// What no query sees is not read: neither blocks before a window, nor behind lengths, nor of other segments.
#[test]
fn what_is_skipped_changes_no_bit() {
    let mut case = full(1, 40, 700, 2, 2, 8);
    case.plain = AttentionCall { before: Some(5), after: Some(5), ..case.plain };
    case.offset = vec![300];
    let data = Operands::<f32>::new(&case.plain, 4);
    let pool = ThreadPool::new(1);
    let expected = kernels(Isa::detect(), &pool, &case, &data);
    // The same keys 64 positions earlier, with others around them.
    let mut other = Operands::<f32>::new(&case.plain, 77);
    let (seen, row) = (295..345, 16);
    for (to, from) in [(&mut other.k, &data.k), (&mut other.v, &data.v)] {
        let (start, end) = (seen.start * row, seen.end * row);
        to[start - 64 * row..end - 64 * row].copy_from_slice(&from[start..end]);
    }
    (other.q, other.d_o, other.d_lse) = (data.q.clone(), data.d_o.clone(), data.d_lse.clone());
    case.offset = vec![300 - 64];
    let moved = kernels(Isa::detect(), &pool, &case, &other);
    same("o", &moved.o, &expected.o);
    same("lse", &moved.lse, &expected.lse);
    same("dq", &moved.dq, &expected.dq);
}
