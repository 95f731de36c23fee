//! The operands of an attention: which there are, where they stand, and what types they have.

use jarrah_base::{DType, Error, Result, Type, product};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::Attention;
use crate::rules::arity;

/// Which optional operands an attention has. They follow `q, k, v, offset` in the order of [`AttentionOperand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct AttentionInputs {
    /// `i32[B]`: key `j` is hidden unless `j < lengths`.
    pub lengths: bool,
    /// `i32[B,T]` and `i32[B,S]`, the segments of queries and of keys: a pair is hidden unless they are equal.
    pub segments: bool,
    /// Truth values that repeat to `[B,H,T,S]`: a pair is hidden where they do not hold.
    pub mask: bool,
    /// Floats that repeat to `[B,H,T,S]`, added to the scores.
    pub bias: bool,
    /// Floats that repeat to `[B,H]`: one more score for each head, which enters the softmax's denominator only.
    pub sinks: bool,
    /// Floats that repeat to `[B,H,T,S]`, by which the softmax's results are multiplied.
    pub multiplier: bool,
    /// Two arrays of `f32` with the extents of `k` and `v` but for the last: what the numbers of each key and each value,
    /// which are `i8` or floats of 8 bits, are multiplied by.
    pub scales: bool,
    /// `i32[B,N]`: `k` is `[P,page,G,D]` and `v` `[P,page,G,E]`, and key `j` of batch `b` is the one at
    /// `[pages[b, j / page], j % page]`; `S` is `N` times `page`. A number of a page that there is not is clamped.
    pub pages: bool,
}

/// An operand of [`Attention`], in the order in which they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttentionOperand {
    /// `q`.
    Query,
    /// `k`.
    Key,
    /// `v`.
    Value,
    /// `offset`.
    Offset,
    /// See [`AttentionInputs::lengths`].
    Lengths,
    /// See [`AttentionInputs::segments`].
    QuerySegments,
    /// See [`AttentionInputs::segments`].
    KeySegments,
    /// See [`AttentionInputs::mask`].
    Mask,
    /// See [`AttentionInputs::bias`].
    Bias,
    /// See [`AttentionInputs::sinks`].
    Sinks,
    /// See [`AttentionInputs::multiplier`].
    Multiplier,
    /// See [`AttentionInputs::scales`].
    KeyScales,
    /// See [`AttentionInputs::scales`].
    ValueScales,
    /// See [`AttentionInputs::pages`].
    Pages,
}

/// The extents of an attention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttentionDims {
    /// Independent sequences, B.
    pub batch: usize,
    /// Queries of each, T.
    pub queries: usize,
    /// Keys and values of each, S.
    pub keys: usize,
    /// Heads of queries, H.
    pub heads: usize,
    /// Heads of keys and values, G.
    pub groups: usize,
    /// Elements of a query and of a key, D.
    pub width: usize,
    /// Elements of a value, E.
    pub value_width: usize,
}

impl AttentionDims {
    /// The extents that a mask, a bias or a multiplier repeats to, `[B,H,T,S]`.
    pub fn pairs(&self) -> [usize; 4] {
        [self.batch, self.heads, self.queries, self.keys]
    }
}

impl AttentionInputs {
    /// The operands, in order.
    pub fn list(self) -> SmallVec<[AttentionOperand; 16]> {
        use AttentionOperand::*;
        let mut all = SmallVec::from_slice(&[Query, Key, Value, Offset]);
        let optional: [(bool, &[AttentionOperand]); 8] = [
            (self.lengths, &[Lengths]),
            (self.segments, &[QuerySegments, KeySegments]),
            (self.mask, &[Mask]),
            (self.bias, &[Bias]),
            (self.sinks, &[Sinks]),
            (self.multiplier, &[Multiplier]),
            (self.scales, &[KeyScales, ValueScales]),
            (self.pages, &[Pages]),
        ];
        for (given, operands) in optional {
            if given {
                all.extend_from_slice(operands);
            }
        }
        all
    }

    /// How many operands there are.
    pub fn count(self) -> usize {
        self.list().len()
    }

    /// Where `operand` stands, if it is there.
    pub fn position(self, operand: AttentionOperand) -> Option<usize> {
        self.list().iter().position(|&o| o == operand)
    }

    /// The names of the optional operands that there are, as text has them.
    pub fn names(mut self) -> Vec<&'static str> {
        self.fields().into_iter().filter(|(_, given)| **given).map(|(name, _)| name).collect()
    }

    /// The inputs with these names; `None` if there is no such name.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut inputs = AttentionInputs::default();
        for name in names {
            *inputs.fields().into_iter().find(|(field, _)| *field == name)?.1 = true;
        }
        Some(inputs)
    }

    fn fields(&mut self) -> [(&'static str, &mut bool); 8] {
        [
            ("lengths", &mut self.lengths),
            ("segments", &mut self.segments),
            ("mask", &mut self.mask),
            ("bias", &mut self.bias),
            ("sinks", &mut self.sinks),
            ("multiplier", &mut self.multiplier),
            ("scales", &mut self.scales),
            ("pages", &mut self.pages),
        ]
    }
}

impl AttentionOperand {
    /// The name of the operand in errors, as functions that make attention have it.
    pub fn name(self) -> &'static str {
        match self {
            AttentionOperand::Query => "q",
            AttentionOperand::Key => "k",
            AttentionOperand::Value => "v",
            AttentionOperand::Offset => "offset",
            AttentionOperand::Lengths => "key_lengths",
            AttentionOperand::QuerySegments => "segments of queries",
            AttentionOperand::KeySegments => "segments of keys",
            AttentionOperand::Mask => "mask",
            AttentionOperand::Bias => "bias",
            AttentionOperand::Sinks => "sinks",
            AttentionOperand::Multiplier => "multiplier",
            AttentionOperand::KeyScales => "scales of keys",
            AttentionOperand::ValueScales => "scales of values",
            AttentionOperand::Pages => "pages",
        }
    }
}

/// The type that an optional operand must have.
enum Expected {
    /// Of this type.
    Type(Type),
    /// Truth values or floats with these extents, of which each may be 1.
    Repeats { float: bool, dims: SmallVec<[usize; 4]> },
}

impl Attention {
    /// The extents, for operands of these types, those of the kind `Forward`.
    ///
    /// # Errors
    /// The types do not fit together.
    pub fn dims(&self, operands: &[Type]) -> Result<AttentionDims> {
        arity(operands, self.inputs.count())?;
        let (q, k, v) = (operands[0], operands[1], operands[2]);
        let help = "give q as [batch, queries, heads, D], k as [batch, keys, groups, D] and v as [batch, keys, groups, E]";
        let misfit = || Error::program(format!("q {q}, k {k} and v {v} do not fit")).help(help);
        if q.rank() != 4 || k.rank() != 4 || v.rank() != 4 || !q.dtype().is_float() {
            return Err(misfit());
        }
        if k.dims()[..3] != v.dims()[..3] || k.dtype() != v.dtype() {
            return Err(misfit());
        }
        let small = k.dtype() == DType::I8 || (k.dtype().is_float() && k.dtype().bits() == 8);
        if self.inputs.scales && !small {
            let help = "they have scales if they are i8 or floats of 8 bits";
            return Err(Error::program(format!("k {k} and v {v} cannot have scales")).help(help));
        }
        if !self.inputs.scales && k.dtype() != q.dtype() {
            return Err(misfit());
        }
        let (batch, pages) = (q.dim(0), self.inputs.pages);
        if q.dim(3) != k.dim(3) || (!pages && k.dim(0) != batch) {
            return Err(Error::program(format!("batch or width differ: q {q}, k {k}")));
        }
        let (heads, groups) = (q.dim(2), k.dim(2));
        if groups == 0 || heads % groups != 0 {
            return Err(Error::program(format!("{heads} heads of q cannot share {groups} groups of k")));
        }
        let keys = match self.inputs.position(AttentionOperand::Pages) {
            None => k.dim(1),
            Some(at) => {
                let table = operands[at];
                if table.rank() != 2 || table.dtype() != DType::I32 || table.dim(0) != batch {
                    let error = format!("pages is {table}, it must be i32[{batch}, pages of each sequence]");
                    return Err(Error::program(error));
                }
                if k.dim(0) == 0 && product(table.dim(1), k.dim(1))? > 0 {
                    return Err(Error::program(format!(
                        "pages {table} speak of pages of k {k}, which has none"
                    )));
                }
                product(table.dim(1), k.dim(1))?
            }
        };
        let (queries, width, value_width) = (q.dim(1), q.dim(3), v.dim(3));
        let dims = AttentionDims { batch, queries, keys, heads, groups, width, value_width };
        for (operand, &ty) in self.inputs.list().into_iter().zip(operands).skip(3) {
            if let Some(expected) = dims.expected(operand, k) {
                expected.check(operand, ty)?;
            }
        }
        Ok(dims)
    }
}

impl AttentionDims {
    /// The type that `operand` must have, unless the extents are taken from it.
    fn expected(&self, operand: AttentionOperand, k: Type) -> Option<Expected> {
        let ints = |dims: &[usize]| Expected::Type(Type::tensor(DType::I32, dims.iter().copied()));
        let repeats = |float: bool| Expected::Repeats { float, dims: self.pairs().into_iter().collect() };
        Some(match operand {
            AttentionOperand::Offset | AttentionOperand::Lengths => ints(&[self.batch]),
            AttentionOperand::QuerySegments => ints(&[self.batch, self.queries]),
            AttentionOperand::KeySegments => ints(&[self.batch, self.keys]),
            AttentionOperand::Mask => repeats(false),
            AttentionOperand::Bias | AttentionOperand::Multiplier => repeats(true),
            AttentionOperand::Sinks => {
                Expected::Repeats { float: true, dims: [self.batch, self.heads].into_iter().collect() }
            }
            AttentionOperand::KeyScales | AttentionOperand::ValueScales => {
                Expected::Type(Type::tensor(DType::F32, k.dims()[..3].iter().copied()))
            }
            AttentionOperand::Query
            | AttentionOperand::Key
            | AttentionOperand::Value
            | AttentionOperand::Pages => return None,
        })
    }
}

impl Expected {
    fn check(&self, operand: AttentionOperand, ty: Type) -> Result<()> {
        let name = operand.name();
        match self {
            Expected::Type(expected) if ty == *expected => Ok(()),
            Expected::Type(expected) => Err(Error::program(format!("{name} is {ty}, it must be {expected}"))),
            Expected::Repeats { float, dims } => {
                let kind = if *float { ty.dtype().is_float() } else { ty.dtype() == DType::Bool };
                let fits = ty.rank() == dims.len()
                    && ty.extents().zip(dims).all(|(extent, &full)| extent == 1 || extent == full);
                if kind && fits {
                    return Ok(());
                }
                let kind = if *float { "floats" } else { "truth values" };
                let error = format!("{name} is {ty}, it must be {kind} that repeat to {dims:?}");
                Err(Error::program(error).help("each extent may be 1"))
            }
        }
    }
}
