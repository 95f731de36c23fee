use jarrah_base::{DType, Error, Result, Type, product};
use serde::{Deserialize, Serialize};

use super::{Axes, Comparison, DotGeneral, ElementwiseKind, Reducer};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Operands, Program, Value};
use crate::rules::*;

/// Scaled dot-product attention, `softmax(scale q k^T + mask) v`, as the blockwise algorithm with online softmax.
///
/// `q: [B,T,H,D]`, `k, v: [B,S,G,D]` with `H` a multiple of `G`, `offset: i32[B]`; with `causal`, key `j` is visible to
/// query `i` of batch `b` iff `j <= i + offset[b]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Attention {
    /// Which of the three functions.
    pub kind: AttentionKind,
    /// The bits of the `f64` that scores are multiplied by.
    pub scale_bits: u64,
    /// Whether a query sees no later key.
    pub causal: bool,
}

/// Attention and its two derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AttentionKind {
    /// `(q, k, v, offset) -> (o: [B,T,H,D], lse: [B,T,H])`, `lse` the logarithm of the softmax's denominator.
    Forward,
    /// `(q, k, v, offset, o, lse, dq, dk, dv) -> (do, dlse)`, linear in the last three.
    Tangent,
    /// `(q, k, v, offset, o, lse, ct_o, ct_lse) -> (ct_q, ct_k, ct_v)`, the transpose of that.
    Transpose,
}

impl Attention {
    /// Causal or full attention with scores multiplied by `scale`.
    pub fn new(scale: f64, causal: bool) -> Self {
        Attention { kind: AttentionKind::Forward, scale_bits: scale.to_bits(), causal }
    }

    /// What scores are multiplied by.
    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale_bits)
    }

    /// The same attention's other function.
    pub fn with_kind(&self, kind: AttentionKind) -> Self {
        Attention { kind, ..self.clone() }
    }

    /// The same function in primitive ops, over operands of these types: what the op means.
    ///
    /// # Errors
    /// The types do not fit.
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        self.infer(operands)?;
        let mut b = Builder::new(self.name());
        let args: Operands = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let mut d = Definition::new(&mut b, self, operands);
        let results = match self.kind {
            AttentionKind::Forward => d.forward(&args)?,
            AttentionKind::Tangent => d.tangent(&args)?,
            AttentionKind::Transpose => d.transpose(&args)?,
        };
        let types = self.infer(operands)?;
        let mut converted = Vec::new();
        for (value, ty) in results.into_iter().zip(types) {
            converted.push(b.convert(value, ty.dtype())?);
        }
        b.finish(&converted)
    }
}

/// The dtype in which scores and sums are kept.
fn accumulator(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

/// Attention written out. Heads are split into `G` groups of `R`; scores are `[B,G,T,R,S]`.
struct Definition<'a> {
    b: &'a mut Builder,
    op: &'a Attention,
    acc: DType,
    batch: usize,
    queries: usize,
    groups: usize,
    per_group: usize,
    heads: usize,
    width: usize,
}

impl<'a> Definition<'a> {
    fn new(b: &'a mut Builder, op: &'a Attention, operands: &[Type]) -> Self {
        let (q, k) = (operands[0], operands[1]);
        let groups = k.dim(2);
        Definition {
            b,
            op,
            acc: accumulator(q.dtype()),
            batch: q.dim(0),
            queries: q.dim(1),
            groups,
            per_group: q.dim(2) / groups.max(1),
            heads: q.dim(2),
            width: q.dim(3),
        }
    }

    /// `[B,T,H,D]` as `[B,G,T,R,D]`.
    fn split(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        let dims = [self.batch, self.queries, self.groups, self.per_group, self.width];
        let x = self.b.reshape(x, &dims)?;
        self.b.transpose(x, &[0, 2, 1, 3, 4])
    }

    /// The inverse of `split`.
    fn join(&mut self, x: Value) -> Result<Value> {
        let x = self.b.transpose(x, &[0, 2, 1, 3, 4])?;
        self.b.reshape(x, &[self.batch, self.queries, self.heads, self.width])
    }

    /// `[B,T,H]` as `[B,G,T,R]`.
    fn split_rows(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        let x = self.b.reshape(x, &[self.batch, self.queries, self.groups, self.per_group])?;
        self.b.transpose(x, &[0, 2, 1, 3])
    }

    /// `[B,S,G,D]` as `[B,G,S,D]`.
    fn split_keys(&mut self, x: Value) -> Result<Value> {
        let x = self.b.convert(x, self.acc)?;
        self.b.transpose(x, &[0, 2, 1, 3])
    }

    /// `[B,G,T,R]` repeated along the last axis of `like`.
    fn rows(&mut self, x: Value, like: Value) -> Result<Value> {
        let dims = self.b.ty(like).dims();
        self.b.broadcast_in_dim(x, &dims, &[0, 1, 2, 3])
    }

    fn dot(
        &mut self,
        lhs: Value,
        rhs: Value,
        lhs_contract: &[usize],
        rhs_contract: &[usize],
    ) -> Result<Value> {
        let dot = DotGeneral {
            lhs_batch: Axes::from_slice(&[0, 1]),
            rhs_batch: Axes::from_slice(&[0, 1]),
            lhs_contract: Axes::from_slice(lhs_contract),
            rhs_contract: Axes::from_slice(rhs_contract),
            out: self.acc,
        };
        self.b.one(dot, &[lhs, rhs])
    }

    /// `sum over d of x[b,g,t,r,d] y[b,g,s,d]`, scaled.
    fn scores(&mut self, x: Value, y: Value) -> Result<Value> {
        let scores = self.dot(x, y, &[4], &[3])?;
        self.b.scale(scores, self.op.scale())
    }

    /// `sum over s of p[b,g,t,r,s] y[b,g,s,d]`.
    fn mix(&mut self, p: Value, y: Value) -> Result<Value> {
        self.dot(p, y, &[4], &[2])
    }

    /// `sum over t, r of p[b,g,t,r,s] x[b,g,t,r,d]`, as `[B,S,G,D]`.
    fn mix_queries(&mut self, p: Value, x: Value) -> Result<Value> {
        let mixed = self.dot(p, x, &[2, 3], &[2, 3])?;
        self.b.transpose(mixed, &[0, 2, 1, 3])
    }

    /// `scores` where a key is visible, elsewhere `hidden`.
    fn masked(&mut self, scores: Value, offset: Value, hidden: f64) -> Result<Value> {
        if !self.op.causal {
            return Ok(scores);
        }
        let ty = self.b.ty(scores);
        let index = ty.with_dtype(DType::I32);
        let key = self.b.iota(index, 4)?;
        let query = self.b.iota(index, 2)?;
        let offset = self.b.broadcast_in_dim(offset, &ty.dims(), &[0])?;
        // Not against the query's position plus the offset, which may be out of range.
        let ahead = self.b.sub(key, query)?;
        let visible = self.b.compare(Comparison::Le, ahead, offset)?;
        let hidden = self.b.full(ty, hidden)?;
        self.b.select(visible, scores, hidden)
    }

    fn forward(&mut self, args: &[Value]) -> Result<Vec<Value>> {
        let (q, k, v) = (self.split(args[0])?, self.split_keys(args[1])?, self.split_keys(args[2])?);
        let scores = self.scores(q, k)?;
        let scores = self.masked(scores, args[3], f64::NEG_INFINITY)?;
        let max = self.b.reduce(Reducer::Max, scores, &[4])?;
        let lowest = self.b.full(self.b.ty(max), f64::NEG_INFINITY)?;
        let blind = self.b.compare(Comparison::Eq, max, lowest)?;
        let zero = self.b.zeros_like(max)?;
        let finite = self.b.select(blind, zero, max)?;
        let max = self.rows(finite, scores)?;
        let shifted = self.b.sub(scores, max)?;
        let p = self.b.exp(shifted)?;
        let total = self.b.sum(p, &[4])?;
        let one = self.b.ones_like(total)?;
        let divisor = self.b.select(blind, one, total)?;
        let mixed = self.mix(p, v)?;
        let divisor = self.rows(divisor, mixed)?;
        let o = self.b.div(mixed, divisor)?;
        let log = self.b.unary(ElementwiseKind::Log, total)?;
        let lse = self.b.add(finite, log)?;
        let lse = self.b.transpose(lse, &[0, 2, 1, 3])?;
        let lse = self.b.reshape(lse, &[self.batch, self.queries, self.heads])?;
        Ok(vec![self.join(o)?, lse])
    }

    /// The softmax's weights, `exp(scores - lse)`, zero where a key is hidden.
    fn weights(&mut self, args: &[Value]) -> Result<Value> {
        let (q, k) = (self.split(args[0])?, self.split_keys(args[1])?);
        let scores = self.scores(q, k)?;
        let lse = self.split_rows(args[5])?;
        let lowest = self.b.full(self.b.ty(lse), f64::NEG_INFINITY)?;
        let blind = self.b.compare(Comparison::Eq, lse, lowest)?;
        let zero = self.b.zeros_like(lse)?;
        let lse = self.b.select(blind, zero, lse)?;
        let lse = self.rows(lse, scores)?;
        let shifted = self.b.sub(scores, lse)?;
        let p = self.b.exp(shifted)?;
        self.masked(p, args[3], 0.0)
    }

    fn tangent(&mut self, args: &[Value]) -> Result<Vec<Value>> {
        let p = self.weights(args)?;
        let (q, k, v) = (self.split(args[0])?, self.split_keys(args[1])?, self.split_keys(args[2])?);
        let o = self.split(args[4])?;
        let (dq, dk, dv) = (self.split(args[6])?, self.split_keys(args[7])?, self.split_keys(args[8])?);
        let from_q = self.scores(dq, k)?;
        let from_k = self.scores(q, dk)?;
        let ds = self.b.add(from_q, from_k)?;
        let weighted = self.b.mul(p, ds)?;
        let dlse = self.b.sum(weighted, &[4])?;
        let from_scores = self.mix(weighted, v)?;
        let from_values = self.mix(p, dv)?;
        let mean = self.rows(dlse, o)?;
        let mean = self.b.mul(mean, o)?;
        let change = self.b.sub(from_scores, mean)?;
        let change = self.b.add(change, from_values)?;
        let dlse = self.b.transpose(dlse, &[0, 2, 1, 3])?;
        let dlse = self.b.reshape(dlse, &[self.batch, self.queries, self.heads])?;
        Ok(vec![self.join(change)?, dlse])
    }

    fn transpose(&mut self, args: &[Value]) -> Result<Vec<Value>> {
        let p = self.weights(args)?;
        let (q, k, v) = (self.split(args[0])?, self.split_keys(args[1])?, self.split_keys(args[2])?);
        let o = self.split(args[4])?;
        let (ct_o, ct_lse) = (self.split(args[6])?, self.split_rows(args[7])?);
        let ct_v = self.mix_queries(p, ct_o)?;
        let product = self.b.mul(o, ct_o)?;
        let delta = self.b.sum(product, &[4])?;
        let shift = self.b.sub(ct_lse, delta)?;
        let ct_p = self.dot(ct_o, v, &[4], &[3])?;
        let shift = self.rows(shift, ct_p)?;
        let ct_p = self.b.add(ct_p, shift)?;
        let ct_s = self.b.mul(p, ct_p)?;
        let ct_s = self.b.scale(ct_s, self.op.scale())?;
        let ct_q = self.mix(ct_s, k)?;
        let ct_k = self.mix_queries(ct_s, q)?;
        Ok(vec![self.join(ct_q)?, ct_k, ct_v])
    }
}

impl Rules for Attention {
    fn name(&self) -> &'static str {
        match self.kind {
            AttentionKind::Forward => "jarrah.attention",
            AttentionKind::Tangent => "jarrah.attention_tangent",
            AttentionKind::Transpose => "jarrah.attention_transpose",
        }
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let count = match self.kind {
            AttentionKind::Forward => 4,
            AttentionKind::Tangent => 9,
            AttentionKind::Transpose => 8,
        };
        arity(operands, count)?;
        let (q, k, v) = (operands[0], operands[1], operands[2]);
        if q.rank() != 4 || k.rank() != 4 || k != v || q.dtype() != k.dtype() || !q.dtype().is_float() {
            let help = "give q as [batch, queries, heads, width], k and v as [batch, keys, groups, width]";
            return Err(Error::program(format!("q {q}, k {k} and v {v} do not fit")).help(help));
        }
        if q.dim(0) != k.dim(0) || q.dim(3) != k.dim(3) {
            return Err(Error::program(format!("batch or width differ: q {q}, k {k}")));
        }
        let (heads, groups) = (q.dim(2), k.dim(2));
        if groups == 0 || heads % groups != 0 {
            return Err(Error::program(format!("{heads} heads of q cannot share {groups} groups of k")));
        }
        let o = q;
        let lse = Type::tensor(accumulator(q.dtype()), q.dims()[..3].iter().copied());
        let mut expected = vec![q, k, v, Type::tensor(DType::I32, [q.dim(0)])];
        let results = match self.kind {
            AttentionKind::Forward => vec![o, lse],
            AttentionKind::Tangent => {
                expected.extend([o, lse, q, k, v]);
                vec![o, lse]
            }
            AttentionKind::Transpose => {
                expected.extend([o, lse, o, lse]);
                vec![q, k, v]
            }
        };
        match operands.iter().zip(&expected).position(|(a, b)| a != b) {
            Some(i) => {
                Err(Error::program(format!("operand {i} is {}, it must be {}", operands[i], expected[i])))
            }
            None => Ok(TypeVec::from_vec(results)),
        }
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        if self.kind != AttentionKind::Forward {
            let types = cx.b.types(cx.operands);
            return jvp_by_definition(cx, &self.definition(&types)?);
        }
        let mut operands: Operands = Operands::from_slice(cx.operands);
        operands.extend(cx.results()?.iter().copied());
        for i in 0..3 {
            operands.push(cx.tangents[i].instantiate(cx.b)?);
        }
        let tangents = cx.b.push(self.with_kind(AttentionKind::Tangent), &operands)?;
        Ok(Jvp::Tangents(tangents.into_iter().map(Tangent::Value).collect()))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        match self.kind {
            AttentionKind::Forward => Ok(Transpose::Refuse("attention is not linear")),
            AttentionKind::Tangent => {
                let mut operands = Operands::new();
                for i in 0..6 {
                    operands.push(cx.known(i)?);
                }
                for i in 0..2 {
                    operands.push(match cx.cotangents[i] {
                        Some(ct) => ct,
                        None => cx.b.zeros(cx.result_types[i])?,
                    });
                }
                let cts = cx.b.push(self.with_kind(AttentionKind::Transpose), &operands)?;
                let given = |i: usize| if i < 6 { None } else { cx.is_linear(i).then_some(cts[i - 6]) };
                Ok(Transpose::Cotangents((0..9).map(given).collect()))
            }
            AttentionKind::Transpose => {
                let types: Vec<Type> = (0..8).map(|i| cx.ty(i)).collect();
                transpose_by_definition(cx, &self.definition(&types)?)
            }
        }
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut operands = Operands::new();
        for i in 0..cx.operands.len() {
            let value = cx.batched(i)?;
            let dims = cx.b.ty(value).dims();
            let merged: Vec<usize> =
                std::iter::once(product(dims[0], dims[1])?).chain(dims[2..].iter().copied()).collect();
            operands.push(cx.b.reshape(value, &merged)?);
        }
        let batch = cx.ty(0).dim(0);
        let mut results = Vec::new();
        for value in cx.b.push(self.clone(), &operands)? {
            let rest = &cx.b.ty(value).dims()[1..];
            let dims: Vec<usize> = [cx.size, batch].into_iter().chain(rest.iter().copied()).collect();
            results.push(Batched::yes(cx.b.reshape(value, &dims)?));
        }
        Ok(Batch::Results(results))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let products = match self.kind {
            AttentionKind::Forward => 2.0,
            AttentionKind::Tangent | AttentionKind::Transpose => 5.0,
        };
        let visible = if self.causal { 0.5 } else { 1.0 };
        let scores = operands[0].elements()? as f64 * operands[1].dim(1) as f64;
        Cost::new(2.0 * products * visible * scores, operands, results)
    }

    fn docs(&self) -> Docs {
        let summary = match self.kind {
            AttentionKind::Forward => {
                "Scaled dot-product attention, `softmax(scale q k^T + mask) v`, block by block."
            }
            AttentionKind::Tangent => "The derivative of attention along given directions of q, k and v.",
            AttentionKind::Transpose => "The cotangents of q, k and v under attention.",
        };
        Docs {
            summary,
            source: "Dao et al., FlashAttention (2022); Milakov and Gimelshein, Online softmax (2018)",
        }
    }

    no_programs!();
    pure!(Save);

    fn examples() -> Vec<Example> {
        let q = varied(&[1, 3, 2, 4], -1.0, 1.0);
        let keys = |n: usize, g: usize, low: f64| varied(&[1, n, g, 4], low, 1.0);
        vec![
            Example::new(
                "causal",
                Attention::new(0.5, true),
                vec![q.clone(), keys(3, 2, -1.0), keys(3, 2, -0.9), ints(&[1], &[0])],
            ),
            Example::new(
                "full, grouped heads",
                Attention::new(0.5, false),
                vec![q.clone(), keys(5, 1, -1.0), keys(5, 1, -0.9), ints(&[1], &[0])],
            ),
            Example::new(
                "causal after two keys",
                Attention::new(0.5, true),
                vec![q, keys(5, 2, -1.0), keys(5, 2, -0.9), ints(&[1], &[2])],
            ),
        ]
    }
}
