//! Attention written out in primitive ops. Heads are split into `G` groups of `R`; scores are `[B,G,T,R,S]`.

use jarrah_base::{DType, Result, Type};

use super::{Attention, AttentionDims, AttentionKind, AttentionMoves, AttentionOperand, accumulator};
use crate::builder::Builder;
use crate::ops::{Axes, Comparison, DotGeneral, ElementwiseKind, Gather, Reducer};
use crate::program::Value;

/// The results of `op` over `args`, in the dtype of scores.
pub(super) fn results(b: &mut Builder, op: &Attention, args: &[Value]) -> Result<Vec<Value>> {
    let (inputs, rest) = args.split_at(op.inputs.count());
    let dims = op.dims(&b.types(inputs))?;
    let acc = accumulator(b.ty(inputs[0]).dtype());
    let per_group = dims.heads / dims.groups.max(1);
    let mut d = Definition { b, op, inputs, dims, per_group, acc };
    match op.kind {
        AttentionKind::Forward => d.forward(),
        AttentionKind::Tangent(moves) => d.tangent(rest, moves),
        AttentionKind::Transpose(moves) => d.transpose(rest, moves),
    }
}

struct Definition<'a> {
    b: &'a mut Builder,
    op: &'a Attention,
    inputs: &'a [Value],
    dims: AttentionDims,
    per_group: usize,
    acc: DType,
}

/// The scores, and what their derivative needs of how they were made.
struct Scores {
    /// `[B,G,T,R,S]`, with those of hidden pairs.
    values: Value,
    /// `tanh(s / softcap)`, if they are capped.
    capped: Option<Value>,
}

/// The exponentials of which the softmax is made.
struct Weights {
    /// `[B,G,T,R,S]`.
    pairs: Value,
    /// `[B,G,T,R]`, if there are sinks.
    sinks: Option<Value>,
    /// Their sum along the keys, `[B,G,T,R]`.
    total: Value,
    /// The sum; 1 in rows without a weight.
    divisor: Value,
}

impl Definition<'_> {
    fn given(&self, operand: AttentionOperand) -> Option<Value> {
        self.op.inputs.position(operand).map(|i| self.inputs[i])
    }

    /// `[B,G,T,R,S]` of this element type.
    fn pairs(&self, dtype: DType) -> Type {
        let AttentionDims { batch, groups, queries, keys, .. } = self.dims;
        Type::tensor(dtype, [batch, groups, queries, self.per_group, keys])
    }

    /// `[B,T,H,D]` as `[B,G,T,R,D]`.
    fn split(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        let AttentionDims { batch, queries, groups, .. } = self.dims;
        let width = self.b.ty(x).dim(3);
        let x = self.b.reshape(x, &[batch, queries, groups, self.per_group, width])?;
        self.b.transpose(x, &[0, 2, 1, 3, 4])
    }

    /// The inverse of `split`.
    fn join(&mut self, x: Value) -> Result<Value> {
        let width = self.b.ty(x).dim(4);
        let x = self.b.transpose(x, &[0, 2, 1, 3, 4])?;
        let AttentionDims { batch, queries, heads, .. } = self.dims;
        self.b.reshape(x, &[batch, queries, heads, width])
    }

    /// `[B,T,H]` as `[B,G,T,R]`.
    fn split_rows(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        let AttentionDims { batch, queries, groups, .. } = self.dims;
        let x = self.b.reshape(x, &[batch, queries, groups, self.per_group])?;
        self.b.transpose(x, &[0, 2, 1, 3])
    }

    /// The inverse of `split_rows`.
    fn join_rows(&mut self, x: Value) -> Result<Value> {
        let x = self.b.transpose(x, &[0, 2, 1, 3])?;
        let AttentionDims { batch, queries, heads, .. } = self.dims;
        self.b.reshape(x, &[batch, queries, heads])
    }

    /// `[B,S,G,D]` as `[B,G,S,D]`.
    fn split_keys(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        self.b.transpose(x, &[0, 2, 1, 3])
    }

    fn query(&mut self) -> Result<Value> {
        self.split(self.inputs[0])
    }

    fn key(&mut self) -> Result<Value> {
        self.stored(self.inputs[1], AttentionOperand::KeyScales)
    }

    fn value(&mut self) -> Result<Value> {
        self.stored(self.inputs[2], AttentionOperand::ValueScales)
    }

    /// Keys or values as `[B,G,S,D]`, from their pages and with their scales.
    fn stored(&mut self, x: Value, scales: AttentionOperand) -> Result<Value> {
        let x = self.out_of_pages(x)?;
        let x = self.b.convert(x, self.acc)?;
        let x = match self.given(scales) {
            None => x,
            Some(scales) => {
                let scales = self.out_of_pages(scales)?;
                let scales = self.b.convert(scales, self.acc)?;
                let scales = self.b.broadcast_in_dim(scales, &self.b.ty(x).dims(), &[0, 1, 2])?;
                self.b.mul(x, scales)?
            }
        };
        self.split_keys(x)
    }

    /// `[P,page,...]` as `[B,S,...]`; `x` itself where there are no pages.
    fn out_of_pages(&mut self, x: Value) -> Result<Value> {
        let Some(pages) = self.given(AttentionOperand::Pages) else { return Ok(x) };
        let gather = Gather::rows(self.b.ty(x), self.b.ty(pages))?;
        let rest = self.b.ty(x).dims();
        let x = self.b.one(gather, &[x, pages])?;
        let dims: Vec<usize> =
            [self.dims.batch, self.dims.keys].into_iter().chain(rest[2..].iter().copied()).collect();
        self.b.reshape(x, &dims)
    }

    /// `x`, which broadcasts to `[B,H,T,S]`, as `[B,G,T,R,S]`, where each extent may be 1.
    fn split_pairs(&mut self, x: Value) -> Result<Value> {
        let dims = self.b.ty(x).dims();
        let (groups, per_group) =
            if dims[1] == self.dims.heads { (self.dims.groups, self.per_group) } else { (1, 1) };
        let x = self.b.reshape(x, &[dims[0], groups, per_group, dims[2], dims[3]])?;
        self.b.transpose(x, &[0, 1, 3, 2, 4])
    }

    /// `x`, which broadcasts to `[B,H,T,S]`, broadcast to `[B,G,T,R,S]`; floats in the dtype of scores.
    fn per_pair(&mut self, x: Value) -> Result<Value> {
        let x = if self.b.ty(x).dtype().is_float() { self.b.convert(x, self.acc)? } else { x };
        let dtype = self.b.ty(x).dtype();
        let x = self.split_pairs(x)?;
        self.b.broadcast_in_dim(x, &self.pairs(dtype).dims(), &[0, 1, 2, 3, 4])
    }

    /// `x`, which broadcasts to `[B,H]`, broadcast to `[B,G,T,R]`.
    fn per_head(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        let dims = self.b.ty(x).dims();
        let x = self.b.reshape(x, &[dims[0], dims[1], 1, 1])?;
        let x = self.split_pairs(x)?;
        let x = self.b.reshape(x, &self.b.ty(x).dims()[..4])?;
        self.b.broadcast_in_dim(x, &self.pairs(self.acc).dims()[..4], &[0, 1, 2, 3])
    }

    /// The sum of `x: [B,G,T,R,S]` that has the type of `like`, which repeats to `[B,H,T,S]`.
    fn sum_pairs(&mut self, x: Value, like: Type) -> Result<Value> {
        let x = self.b.transpose(x, &[0, 1, 3, 2, 4])?;
        let x = self.b.reshape(x, &self.dims.pairs())?;
        self.b.sum_to(x, like, &[0, 1, 2, 3])
    }

    /// `[B,G,T,R]` repeated along the last axis of `like`.
    fn rows(&mut self, x: Value, like: Value) -> Result<Value> {
        let dims = self.b.ty(like).dims();
        self.b.broadcast_in_dim(x, &dims, &[0, 1, 2, 3])
    }

    fn dot(&mut self, lhs: Value, rhs: Value, contract: [&[usize]; 2]) -> Result<Value> {
        let dot = DotGeneral {
            lhs_batch: Axes::from_slice(&[0, 1]),
            rhs_batch: Axes::from_slice(&[0, 1]),
            lhs_contract: Axes::from_slice(contract[0]),
            rhs_contract: Axes::from_slice(contract[1]),
            out: self.acc,
        };
        self.b.one(dot, &[lhs, rhs])
    }

    /// `sum over d of x[b,g,t,r,d] y[b,g,s,d]`.
    fn products(&mut self, x: Value, y: Value) -> Result<Value> {
        self.dot(x, y, [&[4], &[3]])
    }

    /// `sum over s of p[b,g,t,r,s] y[b,g,s,d]`.
    fn mix(&mut self, p: Value, y: Value) -> Result<Value> {
        self.dot(p, y, [&[4], &[2]])
    }

    /// `sum over t, r of p[b,g,t,r,s] x[b,g,t,r,d]`, as `[B,S,G,D]`.
    fn mix_queries(&mut self, p: Value, x: Value) -> Result<Value> {
        let mixed = self.dot(p, x, [&[2, 3], &[2, 3]])?;
        self.b.transpose(mixed, &[0, 2, 1, 3])
    }

    /// Which pairs are visible, if not all are.
    fn visible(&mut self) -> Result<Option<Value>> {
        let index = self.pairs(DType::I64);
        let dims = index.dims();
        let mut conditions: Vec<Value> = self.of_text()?.into_iter().collect();
        if self.op.before.is_some() || self.op.after.is_some() {
            // Sums of positions and offsets may exceed 32 bits.
            let (key, query) = (self.b.iota(index, 4)?, self.b.iota(index, 2)?);
            let offset = self.b.convert(self.inputs[3], DType::I64)?;
            let offset = self.b.broadcast_in_dim(offset, &dims, &[0])?;
            let distance = self.b.sub(key, query)?;
            let distance = self.b.sub(distance, offset)?;
            if let Some(after) = self.op.after {
                let after = self.b.full(index, f64::from(after))?;
                conditions.push(self.b.compare(Comparison::Le, distance, after)?);
            }
            if let Some(before) = self.op.before {
                let before = self.b.full(index, -f64::from(before))?;
                conditions.push(self.b.compare(Comparison::Ge, distance, before)?);
            }
        }
        if let Some(mask) = self.given(AttentionOperand::Mask) {
            conditions.push(self.per_pair(mask)?);
        }
        self.all(&conditions)
    }

    /// Which pairs lengths and segments leave, if these do not leave all.
    fn of_text(&mut self) -> Result<Option<Value>> {
        let index = self.pairs(DType::I32);
        let dims = index.dims();
        let mut conditions = Vec::new();
        if let Some(lengths) = self.given(AttentionOperand::Lengths) {
            let key = self.b.iota(index, 4)?;
            let lengths = self.b.broadcast_in_dim(lengths, &dims, &[0])?;
            conditions.push(self.b.compare(Comparison::Lt, key, lengths)?);
        }
        if let (Some(queries), Some(keys)) =
            (self.given(AttentionOperand::QuerySegments), self.given(AttentionOperand::KeySegments))
        {
            let queries = self.b.broadcast_in_dim(queries, &dims, &[0, 2])?;
            let keys = self.b.broadcast_in_dim(keys, &dims, &[0, 4])?;
            conditions.push(self.b.compare(Comparison::Eq, queries, keys)?);
        }
        self.all(&conditions)
    }

    /// The conjunction of truth values, if there are any.
    fn all(&mut self, conditions: &[Value]) -> Result<Option<Value>> {
        let mut all = None;
        for &condition in conditions {
            all = Some(match all {
                None => condition,
                Some(all) => self.b.binary(ElementwiseKind::And, all, condition)?,
            });
        }
        Ok(all)
    }

    /// `x` where a key is visible, elsewhere `hidden`.
    fn masked(&mut self, x: Value, hidden: f64) -> Result<Value> {
        let Some(visible) = self.visible()? else { return Ok(x) };
        let hidden = self.b.full(self.b.ty(x), hidden)?;
        self.b.select(visible, x, hidden)
    }

    fn scores(&mut self) -> Result<Scores> {
        let (q, k) = (self.query()?, self.key()?);
        let products = self.products(q, k)?;
        let mut values = self.b.scale(products, self.op.scale())?;
        let mut capped = None;
        if let Some(cap) = self.op.softcap() {
            let by = self.b.full(self.b.ty(values), cap)?;
            let share = self.b.div(values, by)?;
            let share = self.b.unary(ElementwiseKind::Tanh, share)?;
            values = self.b.mul(share, by)?;
            capped = Some(share);
        }
        if let Some(bias) = self.given(AttentionOperand::Bias) {
            let bias = self.per_pair(bias)?;
            values = self.b.add(values, bias)?;
        }
        let mut values = self.masked(values, self.op.hidden())?;
        if let Some(of_text) = self.of_text()?.filter(|_| self.op.apart) {
            // A query that they leave no key takes all.
            let any = self.b.reduce(Reducer::Or, of_text, &[4])?;
            let any = self.rows(any, of_text)?;
            let none = self.b.unary(ElementwiseKind::Not, any)?;
            let taken = self.b.binary(ElementwiseKind::Or, of_text, none)?;
            let lowest = self.b.full(self.b.ty(values), f64::NEG_INFINITY)?;
            values = self.b.select(taken, values, lowest)?;
        }
        Ok(Scores { values, capped })
    }

    /// `x`, by which a score changes, as the change of the product of q and k that the score is made of, or the other way
    /// round.
    fn through_cap(&mut self, x: Value, scores: &Scores) -> Result<Value> {
        let x = self.b.scale(x, self.op.scale())?;
        let Some(share) = scores.capped else { return Ok(x) };
        let (square, one) = (self.b.mul(share, share)?, self.b.ones_like(share)?);
        let slope = self.b.sub(one, square)?;
        self.b.mul(x, slope)
    }

    /// `p` times the multiplier, if there is one.
    fn multiplied(&mut self, p: Value) -> Result<Value> {
        match self.given(AttentionOperand::Multiplier) {
            None => Ok(p),
            Some(multiplier) => {
                let multiplier = self.per_pair(multiplier)?;
                self.b.mul(p, multiplier)
            }
        }
    }

    /// `x` with zero in the place of minus infinity, and whether it stood there.
    fn finite(&mut self, x: Value) -> Result<(Value, Value)> {
        let lowest = self.b.full(self.b.ty(x), f64::NEG_INFINITY)?;
        let blind = self.b.compare(Comparison::Eq, x, lowest)?;
        let zero = self.b.zeros_like(x)?;
        Ok((self.b.select(blind, zero, x)?, blind))
    }

    /// The sinks as `[B,G,T,R]`, if there are any.
    fn sinks(&mut self) -> Result<Option<Value>> {
        match self.given(AttentionOperand::Sinks) {
            None => Ok(None),
            Some(sinks) => self.per_head(sinks).map(Some),
        }
    }

    /// The exponentials of scores and sinks less `shift`, a number near the maximum of each row.
    fn weights(&mut self, scores: Value, shift: Value) -> Result<Weights> {
        let (shift, blind) = self.finite(shift)?;
        let by = self.rows(shift, scores)?;
        let shifted = self.b.sub(scores, by)?;
        let pairs = self.b.exp(shifted)?;
        let mut total = self.b.sum(pairs, &[4])?;
        let mut sinks = self.sinks()?;
        if let Some(sinks) = &mut sinks {
            let shifted = self.b.sub(*sinks, shift)?;
            *sinks = self.b.exp(shifted)?;
            total = self.b.add(total, *sinks)?;
        }
        let one = self.b.ones_like(total)?;
        let divisor = self.b.select(blind, one, total)?;
        Ok(Weights { pairs, sinks, total, divisor })
    }

    fn forward(&mut self) -> Result<Vec<Value>> {
        let scores = self.scores()?.values;
        let mut max = self.b.reduce(Reducer::Max, scores, &[4])?;
        let sinks = self.sinks()?;
        if let Some(sinks) = sinks {
            max = self.b.binary(ElementwiseKind::Maximum, max, sinks)?;
        }
        let Weights { pairs: p, total, divisor, .. } = self.weights(scores, max)?;
        let p = self.multiplied(p)?;
        let v = self.value()?;
        let mixed = self.mix(p, v)?;
        let divisor = self.rows(divisor, mixed)?;
        let o = self.b.div(mixed, divisor)?;
        let (max, _) = self.finite(max)?;
        let log = self.b.unary(ElementwiseKind::Log, total)?;
        let lse = self.b.add(max, log)?;
        Ok(vec![self.join(o)?, self.join_rows(lse)?])
    }

    /// The weights of the softmax. `lse` is rounded, and where it is large has lost the logarithm of their sum: they are divided by
    /// their sum again.
    fn softmax(&mut self, scores: Value, lse: Value) -> Result<(Value, Option<Value>)> {
        let Weights { pairs, sinks, divisor, .. } = self.weights(scores, lse)?;
        let by = self.rows(divisor, pairs)?;
        let sinks = match sinks {
            None => None,
            Some(sinks) => Some(self.b.div(sinks, divisor)?),
        };
        Ok((self.b.div(pairs, by)?, sinks))
    }

    fn tangent(&mut self, rest: &[Value], moves: AttentionMoves) -> Result<Vec<Value>> {
        let scores = self.scores()?;
        let (o, lse) = (self.split(rest[0])?, self.split_rows(rest[1])?);
        let (p, sinks) = self.softmax(scores.values, lse)?;
        let (q, k, v) = (self.query()?, self.key()?, self.value()?);
        let (dq, dk, dv) = (self.split(rest[2])?, self.split_keys(rest[3])?, self.split_keys(rest[4])?);
        let mut further = rest[5..].iter().copied();
        let dbias = if moves.bias { further.next() } else { None };
        let dsinks = if moves.sinks { further.next() } else { None };
        let (from_q, from_k) = (self.products(dq, k)?, self.products(q, dk)?);
        let mut ds = self.b.add(from_q, from_k)?;
        ds = self.through_cap(ds, &scores)?;
        if let Some(dbias) = dbias {
            let dbias = self.per_pair(dbias)?;
            ds = self.b.add(ds, dbias)?;
        }
        let ds = self.masked(ds, 0.0)?;
        let weighted = self.b.mul(p, ds)?;
        let mut dlse = self.b.sum(weighted, &[4])?;
        if let (Some(change), Some(share)) = (dsinks, sinks) {
            let change = self.per_head(change)?;
            let weighted = self.b.mul(share, change)?;
            dlse = self.b.add(dlse, weighted)?;
        }
        let (weighted, p) = (self.multiplied(weighted)?, self.multiplied(p)?);
        let (from_scores, from_values) = (self.mix(weighted, v)?, self.mix(p, dv)?);
        let mean = self.rows(dlse, o)?;
        let mean = self.b.mul(mean, o)?;
        let change = self.b.sub(from_scores, mean)?;
        let change = self.b.add(change, from_values)?;
        Ok(vec![self.join(change)?, self.join_rows(dlse)?])
    }

    fn transpose(&mut self, rest: &[Value], moves: AttentionMoves) -> Result<Vec<Value>> {
        let scores = self.scores()?;
        let (o, lse) = (self.split(rest[0])?, self.split_rows(rest[1])?);
        let (ct_o, ct_lse) = (self.split(rest[2])?, self.split_rows(rest[3])?);
        let (p, sinks) = self.softmax(scores.values, lse)?;
        let (q, k, v) = (self.query()?, self.key()?, self.value()?);
        let kept = self.multiplied(p)?;
        let ct_v = self.mix_queries(kept, ct_o)?;
        let product = self.b.mul(o, ct_o)?;
        let delta = self.b.sum(product, &[4])?;
        let shift = self.b.sub(ct_lse, delta)?;
        let ct_p = self.products(ct_o, v)?;
        let ct_p = self.multiplied(ct_p)?;
        let shifts = self.rows(shift, ct_p)?;
        let ct_p = self.b.add(ct_p, shifts)?;
        let ct_s = self.b.mul(p, ct_p)?;
        let ct_s = self.masked(ct_s, 0.0)?;
        let ct_product = self.through_cap(ct_s, &scores)?;
        let ct_q = self.mix(ct_product, k)?;
        let ct_k = self.mix_queries(ct_product, q)?;
        let mut cotangents = vec![self.join(ct_q)?, ct_k, ct_v];
        if let Some(bias) = self.given(AttentionOperand::Bias).filter(|_| moves.bias) {
            cotangents.push(self.sum_pairs(ct_s, self.b.ty(bias))?);
        }
        let given = self.given(AttentionOperand::Sinks).filter(|_| moves.sinks);
        if let (Some(sinks), Some(share)) = (given, sinks) {
            let like = self.b.ty(sinks);
            let ct = self.b.mul(share, shift)?;
            let ct = self.b.sum(ct, &[2])?;
            let ct = self.b.reshape(ct, &[self.dims.batch, self.dims.heads])?;
            cotangents.push(self.b.sum_to(ct, like, &[0, 1])?);
        }
        Ok(cotangents)
    }
}
