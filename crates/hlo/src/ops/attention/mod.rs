use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::builder::Builder;
use crate::example::Example;
use crate::program::{Operands, Program};
use crate::rules::*;

mod batch;
mod definition;
mod examples;
mod operands;

pub use operands::{AttentionDims, AttentionInputs, AttentionOperand};

/// Scaled dot-product attention, `softmax(scale q k^T) v` and its variants, as the blockwise algorithm with online softmax.
///
/// `q: [B,T,H,D]`, `k: [B,S,G,D]`, `v: [B,S,G,E]` with `H` a multiple of `G`, `offset: i32[B]`, and the optional operands that
/// [`AttentionInputs`] names. For query `i` and key `j` of a head
///
/// ```text
/// s_j = scale (q_i . k_j);   s_j = softcap tanh(s_j / softcap);   s_j = s_j + bias_ij
/// s_j = hidden, unless   -before <= j - i - offset <= after   and   j < lengths
///                        and   query_segments_i = key_segments_j   and   mask_ij
/// p_j = exp(s_j) / (sum over j of exp(s_j) + exp(sink));   o_i = sum over j of p_j multiplier_ij v_j
/// ```
///
/// A query whose scores are all minus infinity has the result 0. With `apart`, pairs that lengths or segments hide have the score minus
/// infinity, unless these leave the query no key at all: a query whose mask or window hides all keys of its text sees no other text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Attention {
    /// Which of the three functions.
    pub kind: AttentionKind,
    /// The bits of the `f64` that scores are multiplied by.
    pub scale_bits: u64,
    /// The bits of the `f64` that bounds the scores, if they are capped.
    pub softcap_bits: Option<u64>,
    /// The bits of the `f64` that is the score of a hidden pair.
    pub hidden_bits: u64,
    /// Whether pairs that lengths or segments hide have the score minus infinity, whatever `hidden` is.
    pub apart: bool,
    /// How many keys before its own position a query sees; all if there is no number.
    pub before: Option<u32>,
    /// How many keys after its own position a query sees; all if there is no number.
    pub after: Option<u32>,
    /// Which optional operands there are.
    pub inputs: AttentionInputs,
}

/// Attention and its two derivatives. `inputs` are the operands of [`Forward`](AttentionKind::Forward).
/// `o` and `lse` are what it gives for them: a device may read them or compute them again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AttentionKind {
    /// `inputs -> (o: [B,T,H,E], lse: [B,T,H])`, `lse` the logarithm of the softmax's denominator.
    Forward,
    /// `(inputs, o, lse, dq, dk, dv, dbias, dsinks) -> (do, dlse)`, linear in all behind `lse`.
    Tangent(AttentionMoves),
    /// `(inputs, o, lse, ct_o, ct_lse) -> (ct_q, ct_k, ct_v, ct_bias, ct_sinks)`, the transpose of that.
    Transpose(AttentionMoves),
}

/// Which optional operands have a tangent: the others are constants in a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct AttentionMoves {
    /// Whether the bias has one.
    pub bias: bool,
    /// Whether the sinks have one.
    pub sinks: bool,
}

impl Attention {
    /// Attention in which every query sees every key, with scores multiplied by `scale`.
    pub fn full(scale: f64) -> Self {
        Attention {
            kind: AttentionKind::Forward,
            scale_bits: scale.to_bits(),
            softcap_bits: None,
            hidden_bits: f64::NEG_INFINITY.to_bits(),
            apart: false,
            before: None,
            after: None,
            inputs: AttentionInputs::default(),
        }
    }

    /// Attention in which no query sees a later key: key `j` is visible to query `i` of batch `b` iff `j <= i + offset[b]`.
    pub fn causal(scale: f64) -> Self {
        Attention { after: Some(0), ..Attention::full(scale) }
    }

    /// The factor of the scores.
    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale_bits)
    }

    /// The bound of the scores, if they are capped.
    pub fn softcap(&self) -> Option<f64> {
        self.softcap_bits.map(f64::from_bits)
    }

    /// The score of a hidden pair.
    pub fn hidden(&self) -> f64 {
        f64::from_bits(self.hidden_bits)
    }

    /// Whether some pair may be hidden.
    pub fn hides(&self) -> bool {
        let AttentionInputs { lengths, segments, mask, .. } = self.inputs;
        self.before.is_some() || self.after.is_some() || lengths || segments || mask
    }

    /// Another function of this attention: forward, or a part of its gradient.
    pub fn with_kind(&self, kind: AttentionKind) -> Self {
        Attention { kind, ..self.clone() }
    }

    /// The definition of the attention: a program of primitive ops over operands of these types.
    ///
    /// # Errors
    /// The types do not fit.
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        let types = self.infer(operands)?;
        let mut b = Builder::new(self.name());
        let args: Operands = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let results = definition::results(&mut b, self, &args)?;
        let mut converted = Vec::new();
        for (value, ty) in results.into_iter().zip(types) {
            converted.push(b.convert(value, ty.dtype())?);
        }
        b.finish(&converted)
    }

    /// The numbers that the op holds, checked.
    fn check(&self) -> Result<()> {
        if let Some(cap) = self.softcap().filter(|cap| !(cap.is_finite() && *cap > 0.0)) {
            let error = format!("softcap is {cap}, it must be positive and finite");
            return Err(Error::program(error).help("give another cap, or none where scores have no bound"));
        }
        let hidden = self.hidden();
        if hidden.is_nan() || hidden == f64::INFINITY {
            return Err(Error::program(format!("the score of hidden pairs cannot be {hidden}")));
        }
        Ok(())
    }

    /// The tangents' operands behind the forward results.
    fn moving(&self, moves: AttentionMoves) -> Result<Vec<AttentionOperand>> {
        let AttentionInputs { bias, sinks, pages, scales, .. } = self.inputs;
        if (moves.bias && !bias) || (moves.sinks && !sinks) {
            return Err(Error::program("an operand that is not there cannot have a tangent"));
        }
        if pages || scales {
            return Err(Error::program(FORWARD_ONLY));
        }
        let mut all = vec![AttentionOperand::Query, AttentionOperand::Key, AttentionOperand::Value];
        all.extend(moves.bias.then_some(AttentionOperand::Bias));
        all.extend(moves.sinks.then_some(AttentionOperand::Sinks));
        Ok(all)
    }

    /// The types of the operands and results of the op's kind, for inputs of these types.
    fn types(&self, inputs: &[Type]) -> Result<(Vec<Type>, Vec<Type>)> {
        let dims = self.dims(inputs)?;
        let q = inputs[0];
        let o = q.with_dims([dims.batch, dims.queries, dims.heads, dims.value_width]);
        let lse = Type::tensor(accumulator(q.dtype()), [dims.batch, dims.queries, dims.heads]);
        let of = |operand: AttentionOperand| self.inputs.position(operand).map(|i| inputs[i]);
        let mut operands = inputs.to_vec();
        let results = match self.kind {
            AttentionKind::Forward => vec![o, lse],
            AttentionKind::Tangent(moves) => {
                operands.extend([o, lse]);
                operands.extend(self.moving(moves)?.into_iter().filter_map(of));
                vec![o, lse]
            }
            AttentionKind::Transpose(moves) => {
                operands.extend([o, lse, o, lse]);
                self.moving(moves)?.into_iter().filter_map(of).collect()
            }
        };
        Ok((operands, results))
    }
}

const FORWARD_ONLY: &str =
    "keys and values in pages or with scales are served, not trained; give them as dense floats";

/// The dtype in which scores and sums are kept.
fn accumulator(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

impl Rules for Attention {
    fn name(&self) -> &'static str {
        match self.kind {
            AttentionKind::Forward => "jarrah.attention",
            AttentionKind::Tangent(_) => "jarrah.attention_tangent",
            AttentionKind::Transpose(_) => "jarrah.attention_transpose",
        }
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        self.check()?;
        let inputs = self.inputs.count();
        let behind = match self.kind {
            AttentionKind::Forward => 0,
            AttentionKind::Tangent(moves) => 2 + self.moving(moves)?.len(),
            AttentionKind::Transpose(moves) => self.moving(moves).map(|_| 4)?,
        };
        arity(operands, inputs + behind)?;
        let (expected, results) = self.types(&operands[..inputs])?;
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
        if self.inputs.pages || self.inputs.scales {
            return Ok(Jvp::Refuse(FORWARD_ONLY));
        }
        let active = |operand: AttentionOperand| {
            self.inputs.position(operand).is_some_and(|i| cx.tangents[i].value().is_some())
        };
        if active(AttentionOperand::Multiplier) {
            return Ok(Jvp::Refuse(
                "attention is not differentiated in the multiplier of its weights, which dropout draws; stop its gradient",
            ));
        }
        let moves =
            AttentionMoves { bias: active(AttentionOperand::Bias), sinks: active(AttentionOperand::Sinks) };
        let mut operands: Operands = Operands::from_slice(cx.operands);
        operands.extend(cx.results()?.iter().copied());
        for operand in self.moving(moves)? {
            if let Some(i) = self.inputs.position(operand) {
                operands.push(cx.tangents[i].instantiate(cx.b)?);
            }
        }
        let tangents = cx.b.push(self.with_kind(AttentionKind::Tangent(moves)), &operands)?;
        Ok(Jvp::Tangents(tangents.into_iter().map(Tangent::Value).collect()))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        match self.kind {
            AttentionKind::Forward => Ok(Transpose::Refuse("attention is not linear")),
            AttentionKind::Tangent(moves) => {
                let known = self.inputs.count() + 2;
                let mut operands = Operands::new();
                for i in 0..known {
                    operands.push(cx.known(i)?);
                }
                for i in 0..2 {
                    operands.push(match cx.cotangents[i] {
                        Some(ct) => ct,
                        None => cx.b.zeros(cx.result_types[i])?,
                    });
                }
                let cts = cx.b.push(self.with_kind(AttentionKind::Transpose(moves)), &operands)?;
                let given = |i: usize| i.checked_sub(known).filter(|_| cx.is_linear(i)).map(|at| cts[at]);
                Ok(Transpose::Cotangents((0..cx.operands.len()).map(given).collect()))
            }
            AttentionKind::Transpose(_) => {
                let types: Vec<Type> = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
                transpose_by_definition(cx, &self.definition(&types)?)
            }
        }
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        batch::batch(self, cx)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        use AttentionOperand::{Key, KeyScales, Value, ValueScales};
        let inputs = self.inputs.list();
        let (dense, sums) = match self.kind {
            AttentionKind::Forward | AttentionKind::Tangent(_) => (!self.inputs.pages, false),
            AttentionKind::Transpose(moves) => (true, moves.bias || moves.sinks),
        };
        if sums {
            return Ok(Rows::Refuse("its gradient of a bias or of sinks sums over the rows"));
        }
        let apart = cx.operands.iter().enumerate().all(|(i, growth)| match (growth, inputs.get(i)) {
            (None, _) => true,
            (Some(growth), Some(Key | Value | KeyScales | ValueScales)) => dense && growth.axis == 0,
            (Some(growth), _) => growth.axis == 0,
        });
        Ok(if apart { Rows::Alike } else { Rows::Refuse("its queries attend to rows") })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let dims = self.dims(&operands[..self.inputs.count()])?;
        let (d, e) = (dims.width as f64, dims.value_width as f64);
        let per_pair = match self.kind {
            AttentionKind::Forward => d + e,
            AttentionKind::Tangent(_) | AttentionKind::Transpose(_) => 3.0 * d + 2.0 * e,
        };
        let keys = dims.keys as f64;
        let seen = match (self.before, self.after) {
            (None, None) => keys,
            (None, Some(_)) | (Some(_), None) => 0.5 * keys,
            (Some(before), Some(after)) => keys.min(f64::from(before) + f64::from(after) + 1.0),
        };
        let queries = dims.batch as f64 * dims.heads as f64 * dims.queries as f64;
        Cost::new(2.0 * per_pair * seen * queries, operands, results)
    }

    fn docs(&self) -> Docs {
        let summary = match self.kind {
            AttentionKind::Forward => {
                "Scaled dot-product attention, `softmax(scale q k^T + mask) v`, block by block."
            }
            AttentionKind::Tangent(_) => {
                "The derivative of attention along given directions of q, k, v, the bias and the sinks."
            }
            AttentionKind::Transpose(_) => {
                "The cotangents of q, k, v, the bias and the sinks under attention."
            }
        };
        Docs {
            summary,
            source: "Dao et al., FlashAttention (2022); Milakov and Gimelshein, Online softmax (2018)",
        }
    }

    no_programs!();
    pure!(Save);

    /// Queries, keys, values and what has their types; biases, sinks and multipliers act on scores, which are `f32`.
    fn precision(&self) -> Precision {
        let inputs = self.inputs.count();
        let mut narrow: SmallVec<[usize; 8]> = (0..3).collect();
        match self.kind {
            AttentionKind::Forward => {}
            AttentionKind::Tangent(_) => narrow.extend([inputs, inputs + 2, inputs + 3, inputs + 4]),
            AttentionKind::Transpose(_) => narrow.extend([inputs, inputs + 2]),
        }
        Precision::Compute(narrow)
    }

    fn examples() -> Vec<Example> {
        examples::examples()
    }
}
