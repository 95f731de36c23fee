//! What the kernels promise, one pair of a query and a key at a time, without skipping any.

use jarrah_base::chains;
use jarrah_cpu::attention::{AttentionCall, AttentionFloat, Floats, Pairs, Segments};

use super::{Number, Operands, Results};

/// An attention that owns what its options refer to.
#[derive(Clone, Debug)]
pub struct Case {
    pub plain: AttentionCall<'static>,
    pub offset: Vec<i32>,
    pub lengths: Option<Vec<i32>>,
    pub segments: Option<[Vec<i32>; 2]>,
    pub mask: Option<(Vec<u8>, [usize; 4])>,
    pub bias: Option<(Vec<f32>, [usize; 4])>,
    pub sinks: Option<(Vec<f32>, [usize; 2])>,
    pub multiplier: Option<(Vec<f32>, [usize; 4])>,
}

/// Where an element of what repeats to `full` is.
fn place<const N: usize>(dims: [usize; N], at: [usize; N]) -> usize {
    dims.iter().zip(at).fold(0, |place, (&extent, i)| place * extent + if extent == 1 { 0 } else { i })
}

impl Case {
    pub fn new(plain: AttentionCall<'static>, offset: &[i32]) -> Case {
        Case {
            plain,
            offset: offset.to_vec(),
            lengths: None,
            segments: None,
            mask: None,
            bias: None,
            sinks: None,
            multiplier: None,
        }
    }

    pub fn call(&self) -> AttentionCall<'_> {
        let floats =
            |(values, dims): &(Vec<f32>, [usize; 4])| Pairs::dense(Floats::F32(values.as_ptr()), *dims);
        AttentionCall {
            offset: &self.offset,
            lengths: self.lengths.as_deref(),
            segments: self.segments.as_ref().map(|[queries, keys]| Segments { queries, keys }),
            mask: self.mask.as_ref().map(|(values, dims)| Pairs::dense(values.as_ptr(), *dims)),
            bias: self.bias.as_ref().map(floats),
            sinks: self.sinks.as_ref().map(|(values, dims)| {
                (
                    Floats::F32(values.as_ptr()),
                    [if dims[0] > 1 { dims[1] } else { 0 }, usize::from(dims[1] > 1)],
                )
            }),
            multiplier: self.multiplier.as_ref().map(floats),
            ..self.plain
        }
    }

    /// Whether lengths and segments leave the pair.
    fn of_text(&self, b: usize, i: usize, j: usize) -> bool {
        let x = &self.plain;
        self.lengths.as_ref().is_none_or(|lengths| (j as i64) < i64::from(lengths[b]))
            && self.segments.as_ref().is_none_or(|[q, k]| q[b * x.queries + i] == k[b * x.keys + j])
    }

    /// Whether the pair has a weight in a row in which hidden ones have.
    fn counts(&self, b: usize, i: usize, j: usize) -> bool {
        let left = |j: usize| self.of_text(b, i, j);
        !self.plain.apart || left(j) || !(0..self.plain.keys).any(left)
    }

    pub fn sees(&self, b: usize, h: usize, i: usize, j: usize) -> bool {
        let x = &self.plain;
        let ahead = j as i64 - i as i64 - i64::from(self.offset[b]);
        self.of_text(b, i, j)
            && x.after.is_none_or(|after| ahead <= i64::from(after))
            && x.before.is_none_or(|before| ahead >= -i64::from(before))
            && self.mask.as_ref().is_none_or(|(mask, dims)| mask[place(*dims, [b, h, i, j])] != 0)
    }
}

/// Entries i, i + 16, i + 32, i + 48 of a block, then halves.
fn lanes<A: AttentionFloat>(p: &[A; 64]) -> A {
    halves(std::array::from_fn(|i| p[i] + p[i + 16] + p[i + 32] + p[i + 48]))
}

fn halves<A: AttentionFloat>(mut lanes: [A; 16]) -> A {
    for half in [8, 4, 2, 1] {
        (0..half).for_each(|i| lanes[i] = lanes[i] + lanes[i + half]);
    }
    lanes[0]
}

pub fn contract<T: Number>(case: &Case, data: &Operands<T>) -> Results<T> {
    let x = &case.plain;
    let (d, e, zero, one) = (x.dim, x.value_dim, T::Acc::default(), T::Acc::from_f64(1.0));
    let real = T::Acc::from_f64;
    let (scale, hidden, lowest) = (real(x.scale), real(x.hidden), T::Acc::NEG_INFINITY);
    let group = x.heads / x.kv_heads;
    let q_row = |b: usize, i: usize, h: usize| (b * x.queries + i) * x.heads + h;
    let k_row = |b: usize, j: usize, h: usize| (b * x.keys + j) * x.kv_heads + h;
    let dot = |a: &[T], b: &[T]| {
        let chain = |at: std::ops::Range<usize>| {
            a[at.clone()].iter().zip(&b[at]).fold(zero, |s, (a, b)| a.widen().fma(b.widen(), s))
        };
        chains(a.len()).map(chain).reduce(|sum, chain| sum + chain).unwrap_or(zero)
    };
    let of = |from: &Option<(Vec<f32>, [usize; 4])>, at: [usize; 4]| {
        from.as_ref().map(|(values, dims)| real(f64::from(values[place(*dims, at)])))
    };
    let mut r = Results::<T>::new(case, data, T::narrow(zero), lowest);
    let mut wide = Wide::<T::Acc> {
        dq: vec![zero; data.q.len()],
        dk: vec![zero; data.k.len()],
        dv: vec![zero; data.v.len()],
        d_bias: vec![zero; r.d_bias.len()],
        d_sinks: vec![zero; r.d_sinks.len()],
    };
    for b in 0..x.batch {
        for (h, tile) in (0..x.heads).flat_map(|h| (0..x.queries).step_by(48).map(move |tile| (h, tile))) {
            let kv = h / group;
            let (mut tile_dk, mut tile_dv) = (vec![zero; data.k.len()], vec![zero; data.v.len()]);
            for i in tile..x.queries.min(tile + 48) {
                let row = q_row(b, i, h);
                let q = &data.q[row * d..][..d];
                let product = |j: usize| dot(q, &data.k[k_row(b, j, kv) * d..][..d]) * scale;
                let cap = x.softcap.map(real);
                let share = |j: usize| cap.map(|cap| (product(j) / cap).tanh());
                let score = |j: usize| {
                    let capped = share(j).zip(cap).map_or_else(|| product(j), |(share, cap)| share * cap);
                    of(&case.bias, [b, h, i, j]).map_or(capped, |bias| capped + bias)
                };
                let multiplier = |j: usize| of(&case.multiplier, [b, h, i, j]).unwrap_or(one);
                let sink = case
                    .sinks
                    .as_ref()
                    .map_or(lowest, |(values, dims)| real(f64::from(values[place(*dims, [b, h])])));
                // All keys that count, block by block: the scores of hidden ones are `hidden`, if they have any.
                let row_of = |hidden: Option<T::Acc>| {
                    let (mut m, mut acc) = (sink, vec![zero; e]);
                    let mut l = if sink == lowest { zero } else { one };
                    for block in (0..x.keys).step_by(64) {
                        let keys = block..x.keys.min(block + 64);
                        let mut s = [lowest; 64];
                        for j in keys.clone() {
                            let other = hidden.filter(|_| case.counts(b, i, j)).unwrap_or(lowest);
                            s[j - block] = if case.sees(b, h, i, j) { score(j) } else { other };
                        }
                        let peak = s.iter().fold(m, |m, &s| if s > m { s } else { m });
                        let base = if peak == lowest { zero } else { peak };
                        let mut p = s.map(|s| (s - base).exp());
                        let c = (m - base).exp();
                        l = l * c + lanes(&p);
                        m = peak;
                        acc.iter_mut().for_each(|a| *a = *a * c);
                        let mut mixed = vec![zero; e];
                        for j in keys
                            .filter(|&j| hidden.is_some() && case.counts(b, i, j) || case.sees(b, h, i, j))
                        {
                            p[j - block] = p[j - block] * multiplier(j);
                            let v = &data.v[k_row(b, j, kv) * e..][..e];
                            mixed.iter_mut().zip(v).for_each(|(a, v)| *a = p[j - block].fma(v.widen(), *a));
                        }
                        acc.iter_mut().zip(mixed).for_each(|(a, mixed)| *a = *a + mixed);
                    }
                    (m, l, acc)
                };
                let (mut m, mut l, mut acc) = row_of(None);
                let counting = hidden > lowest && (hidden - m).exp() != zero;
                if counting {
                    (m, l, acc) = row_of(Some(hidden));
                }
                if l == zero {
                    continue;
                }
                let o = &mut r.o[row * e..][..e];
                o.iter_mut().zip(&acc).for_each(|(o, &a)| *o = T::narrow(a / l + zero));
                r.lse[row] = m + l.ln();

                let d_o = &data.d_o[row * e..][..e];
                let counts = |j: usize| case.sees(b, h, i, j) || counting && case.counts(b, i, j);
                let dp = |j: usize| dot(d_o, &data.v[k_row(b, j, kv) * e..][..e]) * multiplier(j);
                let weight = |j: usize| match (case.sees(b, h, i, j), counting) {
                    (true, _) => (score(j) - m).exp(),
                    (false, true) => (hidden - m).exp(),
                    (false, false) => zero,
                };
                let (mut total, mut products) = ([zero; 16], [zero; 16]);
                for j in (0..x.keys).filter(|&j| counts(j)) {
                    total[j % 16] = total[j % 16] + weight(j);
                    products[j % 16] = weight(j).fma(dp(j), products[j % 16]);
                }
                let norm = one / (halves(total) + (sink - m).exp());
                let delta = halves(products) * norm - data.d_lse[row];
                let mut row_ct = [zero; 16];
                for block in (0..x.keys).step_by(64) {
                    let mut block_dq = vec![zero; d];
                    for j in (block..x.keys.min(block + 64)).filter(|&j| counts(j)) {
                        let sees = case.sees(b, h, i, j);
                        let p = weight(j) * norm;
                        let ct = if sees { p * (dp(j) - delta) } else { zero };
                        row_ct[j % 16] = row_ct[j % 16] + ct;
                        let ds = share(j).map_or(ct, |s| ct * (one - s * s));
                        for at in 0..d {
                            let to = k_row(b, j, kv) * d + at;
                            if sees {
                                block_dq[at] = ds.fma(data.k[to].widen(), block_dq[at]);
                            }
                            tile_dk[to] = ds.fma(q[at].widen(), tile_dk[to]);
                        }
                        let to = &mut tile_dv[k_row(b, j, kv) * e..][..e];
                        for (to, d_o) in to.iter_mut().zip(d_o) {
                            *to = (p * multiplier(j)).fma(d_o.widen(), *to);
                        }
                        if let Some((_, dims)) = case.bias
                            && dims[3] > 1
                        {
                            let to = &mut wide.d_bias[place(dims, [b, h, i, j])];
                            *to = *to + ct;
                        }
                    }
                    let dq = &mut wide.dq[row * d..][..d];
                    dq.iter_mut().zip(block_dq).for_each(|(dq, block)| *dq = *dq + block);
                }
                if let Some((_, dims)) = case.bias
                    && dims[3] == 1
                {
                    let to = &mut wide.d_bias[place(dims, [b, h, i, 0])];
                    *to = *to + halves(row_ct);
                }
                if let Some((_, dims)) = case.sinks {
                    let to = &mut wide.d_sinks[place(dims, [b, h])];
                    *to = *to + (sink - m).exp() * norm * (zero - delta);
                }
            }
            wide.dk.iter_mut().zip(tile_dk).for_each(|(dk, tile)| *dk = *dk + tile);
            wide.dv.iter_mut().zip(tile_dv).for_each(|(dv, tile)| *dv = *dv + tile);
        }
    }
    let rounded = |x: Vec<T::Acc>, by: T::Acc| x.into_iter().map(|x| T::narrow(x * by + zero)).collect();
    r.dq = rounded(wide.dq, scale);
    r.dk = rounded(wide.dk, scale);
    r.dv = rounded(wide.dv, one);
    let single = |x: Vec<T::Acc>| x.into_iter().map(|x| (x + zero).into() as f32).collect();
    r.d_bias = single(wide.d_bias);
    r.d_sinks = single(wide.d_sinks);
    r
}

/// Cotangents before they are rounded.
struct Wide<A> {
    dq: Vec<A>,
    dk: Vec<A>,
    dv: Vec<A>,
    d_bias: Vec<A>,
    d_sinks: Vec<A>,
}
