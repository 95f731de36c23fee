use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DotGeneral, Scan};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::expand;
use crate::program::{Operands, Program, Value};
use crate::rules::*;

/// Products of consecutive groups of rows, each with a matrix of its own: `(lhs, rhs, group_sizes: i32[g])`.
///
/// Group `i` has `group_sizes[i]` rows, from where the group before it ends; a negative size counts as 0, and there are no rows behind the
/// last one of the left side. Each sum is that of a [`DotGeneral`] of the group alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RaggedDot {
    /// What the groups are of.
    pub kind: RaggedKind,
    /// The element type of the result, at least as wide as that of the operands.
    pub out: DType,
}

/// What is grouped in a [`RaggedDot`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RaggedKind {
    /// Rows of the left side and of the result: `[m, k], [g, k, n] -> [m, n]`, or with `[g, n, k]` on the right if that is `transposed`.
    /// Rows behind the last group are 0.
    Rows {
        /// Whether the right side has its contracted axis last.
        transposed: bool,
    },
    /// The contracted axis: `[m, k], [m, n] -> [g, k, n]`.
    Contracted,
}

impl RaggedDot {
    /// Whether there are ragged products of these elements: floats of 16 bits and more.
    pub fn takes(dtype: DType) -> bool {
        matches!(dtype, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
    }

    /// The product of one group.
    pub fn of_group(&self) -> DotGeneral {
        let (lhs, rhs) = match self.kind {
            RaggedKind::Rows { transposed } => (1, usize::from(transposed)),
            RaggedKind::Contracted => (0, 0),
        };
        let axes = SmallVec::from_slice;
        DotGeneral {
            lhs_batch: SmallVec::new(),
            rhs_batch: SmallVec::new(),
            lhs_contract: axes(&[lhs]),
            rhs_contract: axes(&[rhs]),
            out: self.out,
        }
    }

    /// The same function in ops of StableHLO, over operands of these types, within rounding: each group of rows beside zeros.
    ///
    /// # Errors
    /// The types do not fit.
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        self.infer(operands)?;
        let mut b = Builder::new(self.name());
        let args: Operands = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let zeros = b.zeros_like(args[2])?;
        let sizes = b.binary(super::ElementwiseKind::Maximum, args[2], zeros)?;
        let (mut dot, group) = (self.of_group(), matches!(self.kind, RaggedKind::Rows { .. }).then_some(0));
        if group.is_some() {
            dot.rhs_contract[0] += 1;
        }
        let y = expand::dense_ragged_dot(&mut b, [args[0], args[1], sizes], &dot, 0, group)?;
        b.finish(&[y])
    }

    /// The product with `kind` of operands whose element type may differ from the one that is wanted.
    fn other(
        cx: &mut TransposeCx<'_>,
        kind: RaggedKind,
        [lhs, rhs]: [Value; 2],
        ct: DType,
        to: DType,
    ) -> Result<Value> {
        let (lhs, rhs) = (cx.b.convert(lhs, ct)?, cx.b.convert(rhs, ct)?);
        let sizes = cx.known(2)?;
        let product = cx.b.one(RaggedDot { kind, out: ct }, &[lhs, rhs, sizes])?;
        cx.b.convert(product, to)
    }
}

impl Rules for RaggedDot {
    fn name(&self) -> &'static str {
        "jarrah.ragged_dot"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 3)?;
        let (lhs, rhs, sizes) = (operands[0], operands[1], operands[2]);
        if !RaggedDot::takes(lhs.dtype())
            || lhs.dtype() != rhs.dtype()
            || self.out.size() < lhs.dtype().size()
        {
            let error = format!("no ragged product of lhs {lhs} and rhs {rhs} as {}", self.out);
            return Err(Error::program(error).help("both have one dtype, of floats of 16 bits or more"));
        }
        if sizes.rank() != 1 || sizes.dtype() != DType::I32 {
            return Err(Error::program(format!("group_sizes is {sizes}, it must be i32[groups]")));
        }
        let groups = sizes.dim(0);
        let fits = match self.kind {
            RaggedKind::Rows { transposed } => {
                let k = if transposed { 2 } else { 1 };
                lhs.rank() == 2 && rhs.rank() == 3 && rhs.dim(0) == groups && rhs.dim(k) == lhs.dim(1)
            }
            RaggedKind::Contracted => lhs.rank() == 2 && rhs.rank() == 2 && lhs.dim(0) == rhs.dim(0),
        };
        if !fits {
            let error = format!("lhs {lhs}, rhs {rhs} and group_sizes {sizes} do not fit");
            let help = match self.kind {
                RaggedKind::Rows { transposed: false } => "they are [m, k], [g, k, n] and [g]",
                RaggedKind::Rows { transposed: true } => "they are [m, k], [g, n, k] and [g]",
                RaggedKind::Contracted => "they are [m, k], [m, n] and [g]",
            };
            return Err(Error::program(error).help(help));
        }
        let dims = match self.kind {
            RaggedKind::Rows { transposed } => vec![lhs.dim(0), rhs.dim(if transposed { 1 } else { 2 })],
            RaggedKind::Contracted => vec![groups, lhs.dim(1), rhs.dim(1)],
        };
        Ok(TypeVec::from_slice(&[Type::tensor(self.out, dims)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Bilinear)
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        use RaggedKind::{Contracted, Rows};
        let ct = cx.cotangent()?;
        let of = cx.b.ty(ct).dtype();
        let to = cx.ty(0).dtype();
        if cx.is_linear(0) {
            let rhs = cx.known(1)?;
            let (kind, sides) = match self.kind {
                Rows { transposed } => (Rows { transposed: !transposed }, [ct, rhs]),
                Contracted => (Rows { transposed: true }, [rhs, ct]),
            };
            let ct = RaggedDot::other(cx, kind, sides, of, to)?;
            return Ok(Transpose::Cotangents(vec![Some(ct), None, None]));
        }
        let lhs = cx.known(0)?;
        let (kind, sides) = match self.kind {
            Rows { transposed: false } => (Contracted, [lhs, ct]),
            Rows { transposed: true } => (Contracted, [ct, lhs]),
            Contracted => (Rows { transposed: false }, [lhs, ct]),
        };
        let ct = RaggedDot::other(cx, kind, sides, of, to)?;
        Ok(Transpose::Cotangents(vec![None, Some(ct), None]))
    }

    /// One product after another: groups of one element of the batch are not those of the next.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut body = Builder::new(self.name());
        let mut order: Vec<usize> = (0..cx.operands.len()).filter(|&i| !cx.operands[i].batched).collect();
        let consts = order.len();
        order.extend((0..cx.operands.len()).filter(|&i| cx.operands[i].batched));
        let mut params = vec![None; cx.operands.len()];
        for &i in &order {
            params[i] = Some(body.param(cx.ty(i), ""));
        }
        let params: Operands = params.into_iter().flatten().collect();
        let product = body.one(self.clone(), &params)?;
        let body = ProgramRef::new(body.finish(&[product])?);
        let operands: Operands = order.into_iter().map(|i| cx.operands[i].value).collect();
        let scan = Scan { body, consts, carry: 0, length: cx.size, reverse: false };
        Ok(Batch::Results(vec![Batched::yes(cx.b.one(scan, &operands)?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Refuse("its groups are of rows"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let (rows, inner) = (operands[0].dim(0) as f64, operands[0].dim(1) as f64);
        let outer = results[0].extents().last().unwrap_or(1) as f64;
        Cost::new(2.0 * rows * inner * outer, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Products of consecutive groups of rows, each with a matrix of its own.",
            source: "CHLO, ragged_dot; Gale et al., MegaBlocks (2022)",
        }
    }

    no_programs!();
    pure!(Save);

    fn precision(&self) -> Precision {
        Precision::Accumulate
    }

    fn examples() -> Vec<Example> {
        let op = |kind| RaggedDot { kind, out: DType::F32 };
        let rows = |transposed| op(RaggedKind::Rows { transposed });
        let sizes = |sizes: &[i32]| ints(&[sizes.len()], sizes);
        vec![
            Example::new(
                "an empty group, and a row behind the last",
                rows(false),
                vec![varied(&[6, 3], -1.0, 1.0), varied(&[3, 3, 2], -1.0, 1.0), sizes(&[2, 0, 3])],
            ),
            Example::new(
                "transposed matrices, and more rows than there are",
                rows(true),
                vec![varied(&[4, 3], -1.0, 1.0), varied(&[2, 5, 3], -1.0, 1.0), sizes(&[1, 7])],
            ),
            Example::new(
                "contracted groups",
                op(RaggedKind::Contracted),
                vec![varied(&[5, 3], -1.0, 1.0), varied(&[5, 2], -1.0, 1.0), sizes(&[3, 0, 1])],
            ),
        ]
    }
}
