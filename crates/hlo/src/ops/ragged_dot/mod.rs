use jarrah_base::{CHAIN, DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

mod spread;

use spread::dense_ragged_dot;
pub use spread::general_ragged_dot;

use super::{DotGeneral, Scan};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Operands, Program, Value};
use crate::rules::*;

/// Products of consecutive groups of rows, each with a matrix of its own: `(lhs, rhs, group_sizes: i32[g])`, or
/// `(lhs, rhs, group_sizes, scales: [g, parts, n])`.
///
/// Group `i` has `group_sizes[i]` rows, from where the group before it ends; a negative size counts as 0, and there are no rows behind the
/// last one of the left side. Each sum is that of a [`DotGeneral`] of the group alone.
///
/// Scales are of the rows of matrices, of which neighbours share one in `parts` of equal length:
///
/// `y[m, n] = sum over parts p of scales[i, p, n] (sum over k in p of lhs[m, k] rhs[i, k, n])`, `m` a row of group `i`:
///
/// two [`DotGeneral`]s, of the parts and over them, as matrices of few bits are multiplied. Where there are [no such
/// sums](Self::scales_sums), it is the product with matrices that are scaled first. The result and the scales are of the type in which
/// products of these operands are summed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RaggedDot {
    /// The axis that is grouped.
    pub kind: RaggedKind,
    /// The element type of the result, at least as wide as that of the operands.
    pub out: DType,
}

/// The grouped axis of a [`RaggedDot`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RaggedKind {
    /// Rows of the left side and of the result: `[m, k] -> [m, n]`, by matrices that lie so. Rows behind the last group are 0.
    Rows(GroupMatrices),
    /// The contracted axis: `[m, k], [m, n] -> [g, k, n]`.
    Contracted,
}

/// How the matrices of groups of rows lie, one after another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum GroupMatrices {
    /// `[g, k, n]`.
    Plain,
    /// `[g, n, k]`.
    Transposed,
    /// `[g, n / columns, k / together, columns, together]`: in [`Panels`](crate::Panels).
    Panels,
}

impl GroupMatrices {
    /// The extents of the contracted axis and of the other one in operands of type `rhs`; `None` if its rank is none of theirs.
    pub fn extents(self, rhs: Type) -> Option<[usize; 2]> {
        let extents: SmallVec<[usize; 6]> = rhs.extents().collect();
        match (self, &extents[..]) {
            (GroupMatrices::Plain, &[_, k, n]) | (GroupMatrices::Transposed, &[_, n, k]) => Some([k, n]),
            (GroupMatrices::Panels, &[_, panels, parts, columns, together]) => {
                Some([parts * together, panels * columns])
            }
            _ => None,
        }
    }

    /// The matrices as [`Plain`](Matrices::Plain) ones, or as transposed ones.
    fn plain(self, b: &mut Builder, rhs: Value) -> Result<(Value, GroupMatrices)> {
        match (self, self.extents(b.ty(rhs))) {
            (GroupMatrices::Panels, Some([k, n])) => {
                let groups = b.ty(rhs).dim(0);
                let rows = b.transpose(rhs, &[0, 2, 4, 1, 3])?;
                Ok((b.reshape(rows, &[groups, k, n])?, GroupMatrices::Plain))
            }
            _ => Ok((rhs, self)),
        }
    }

    /// The matrices as [`Plain`](Matrices::Plain) ones, each part of their rows times its scales.
    fn scaled(self, b: &mut Builder, rhs: Value, scales: Value) -> Result<Value> {
        let (rhs, lie) = self.plain(b, rhs)?;
        let rhs = if lie == GroupMatrices::Transposed { b.transpose(rhs, &[0, 2, 1])? } else { rhs };
        let [groups, k, n] = [0, 1, 2].map(|axis| b.ty(rhs).dim(axis));
        let parts = b.ty(scales).dim(1);
        let rhs = b.convert(rhs, b.ty(scales).dtype())?;
        let dims = [groups, parts, k / parts, n];
        let rhs = b.reshape(rhs, &dims)?;
        let scales = b.broadcast_in_dim(scales, &dims, &[0, 1, 3])?;
        let scaled = b.mul(rhs, scales)?;
        b.reshape(scaled, &[groups, k, n])
    }
}

impl RaggedDot {
    /// Whether there are ragged products of these elements as `out`, which are at least as wide: of floats of 16 bits and more, and of integers with a sign
    /// of 8 bits and more.
    pub fn takes(dtype: DType, out: DType) -> bool {
        use DType::{BF16, F16, F32, F64, I8, I16, I32, I64};
        let known = |dtype| matches!(dtype, F16 | BF16 | F32 | F64 | I8 | I16 | I32 | I64);
        known(dtype) && known(out) && dtype.is_float() == out.is_float() && out.size() >= dtype.size()
    }

    /// Whether sums of parts are scaled, for operands of these types: of floats of 32 bits at most, in parts of 8, 16, ... 128 rows, which share
    /// a [chain](jarrah_base::chains) evenly.
    pub fn scales_sums(operands: &[Type]) -> bool {
        let &[lhs, _, _, scales] = operands else { return false };
        let each = lhs.dim(1).checked_div(scales.dim(1)).unwrap_or(0);
        lhs.dtype().size() <= 4 && each.is_power_of_two() && (8..=CHAIN).contains(&each)
    }

    /// The product of one group, of one matrix that lies as it is or transposed.
    pub fn of_group(&self) -> DotGeneral {
        let (lhs, rhs) = match self.kind {
            RaggedKind::Rows(GroupMatrices::Transposed) => (1, 1),
            RaggedKind::Rows(GroupMatrices::Plain | GroupMatrices::Panels) => (1, 0),
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

    /// The product of a group's rows with all matrices, of which the right operand's batch axis is; `None` where there are none.
    pub fn of_matrices(&self) -> Option<DotGeneral> {
        let RaggedKind::Rows(GroupMatrices::Plain | GroupMatrices::Transposed) = self.kind else {
            return None;
        };
        let mut dot = self.of_group();
        dot.rhs_contract[0] += 1;
        dot.rhs_batch.push(0);
        Some(dot)
    }

    /// The product in ops of StableHLO, over operands of these types, equal within rounding: each group of rows beside zeros.
    ///
    /// # Errors
    /// The types do not fit.
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        self.infer(operands)?;
        if !RaggedDot::scales_sums(operands)
            && let Some(product) = self.by_scaled_matrices(operands)?
        {
            return Ok(product);
        }
        let mut b = Builder::new(self.name());
        let args: Operands = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let zeros = b.zeros_like(args[2])?;
        let sizes = b.binary(super::ElementwiseKind::Maximum, args[2], zeros)?;
        let mut dot = self.of_group();
        let (rhs, group) = match self.kind {
            RaggedKind::Rows(lie) => (lie.plain(&mut b, args[1])?.0, Some(0)),
            RaggedKind::Contracted => (args[1], None),
        };
        if group.is_some() {
            dot.rhs_contract[0] += 1;
        }
        let y = match args.get(3) {
            Some(&scales) => self.of_parts(&mut b, [args[0], rhs, sizes, scales], &dot)?,
            None => dense_ragged_dot(&mut b, [args[0], rhs, sizes], &dot, 0, group)?,
        };
        b.finish(&[y])
    }

    /// The sum over parts, in ops of StableHLO, where `dot` is the product of a group, whose matrices are plain or transposed.
    fn of_parts(
        &self,
        b: &mut Builder,
        [lhs, rhs, sizes, scales]: [Value; 4],
        dot: &DotGeneral,
    ) -> Result<Value> {
        let [m, k] = [0, 1].map(|axis| b.ty(lhs).dim(axis));
        let [groups, parts, n] = [0, 1, 2].map(|axis| b.ty(scales).dim(axis));
        let each = k / parts;
        let axes = SmallVec::from_slice;
        // The parts are a batch, of the rows as of the matrices.
        let lhs = b.reshape(lhs, &[m, parts, each])?;
        let (rhs, contract) = match dot.rhs_contract[0] {
            1 => (b.reshape(rhs, &[groups, parts, each, n])?, 2),
            _ => {
                let rhs = b.reshape(rhs, &[groups, n, parts, each])?;
                (b.transpose(rhs, &[0, 2, 1, 3])?, 3)
            }
        };
        let of_group = |contract| DotGeneral {
            lhs_batch: axes(&[1]),
            rhs_batch: axes(&[1]),
            lhs_contract: axes(&[2]),
            rhs_contract: axes(&[contract]),
            out: self.out,
        };
        let sums = dense_ragged_dot(b, [lhs, rhs, sizes], &of_group(contract), 0, Some(0))?;
        // The scales of a row are those of its group.
        let ones = b.full(Type::tensor(self.out, [m, parts, 1]), 1.0)?;
        let scales = b.reshape(scales, &[groups, parts, 1, n])?;
        let scales = dense_ragged_dot(b, [ones, scales, sizes], &of_group(2), 0, Some(0))?;
        let over = DotGeneral {
            lhs_batch: axes(&[1, 2]),
            rhs_batch: axes(&[1, 2]),
            lhs_contract: axes(&[0]),
            rhs_contract: axes(&[0]),
            out: self.out,
        };
        b.one(over, &[sums, scales])
    }

    /// If there are scales, the product with matrices times them, `[g, k, n]`, which takes less memory than the sums of parts, `[parts, m, n]`, where a
    /// derivative would keep these.
    fn by_scaled_matrices(&self, operands: &[Type]) -> Result<Option<Program>> {
        let RaggedKind::Rows(lie) = self.kind else { return Ok(None) };
        let mut b = Builder::new(self.name());
        let args: Operands = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let &[lhs, rhs, sizes, scales] = &args[..] else { return Ok(None) };
        let rhs = lie.scaled(&mut b, rhs, scales)?;
        let lhs = b.convert(lhs, self.out)?;
        let product = RaggedDot { kind: RaggedKind::Rows(GroupMatrices::Plain), out: self.out };
        let y = b.one(product, &[lhs, rhs, sizes])?;
        Ok(Some(b.finish(&[y])?))
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
        if ![3, 4].contains(&operands.len()) {
            let error = format!("takes 3 operands, or 4 with scales; {} were given", operands.len());
            return Err(Error::program(error));
        }
        let (lhs, rhs, sizes) = (operands[0], operands[1], operands[2]);
        if !RaggedDot::takes(lhs.dtype(), self.out) || lhs.dtype() != rhs.dtype() {
            let error = format!("no ragged product of lhs {lhs} and rhs {rhs} as {}", self.out);
            let help = "both have one dtype, of floats of 16 bits or more or of signed integers, and the result one that is as wide";
            return Err(Error::program(error).help(help));
        }
        if sizes.rank() != 1 || sizes.dtype() != DType::I32 {
            return Err(Error::program(format!("group_sizes is {sizes}, it must be i32[groups]")));
        }
        let groups = sizes.dim(0);
        let fits = match self.kind {
            RaggedKind::Rows(lie) => {
                let inner = lie.extents(rhs).map(|[k, _]| k);
                lhs.rank() == 2 && inner == Some(lhs.dim(1)) && rhs.dim(0) == groups
            }
            RaggedKind::Contracted => lhs.rank() == 2 && rhs.rank() == 2 && lhs.dim(0) == rhs.dim(0),
        };
        if !fits {
            let error = format!("lhs {lhs}, rhs {rhs} and group_sizes {sizes} do not fit");
            let help = match self.kind {
                RaggedKind::Rows(GroupMatrices::Plain) => "they are [m, k], [g, k, n] and [g]",
                RaggedKind::Rows(GroupMatrices::Transposed) => "they are [m, k], [g, n, k] and [g]",
                RaggedKind::Rows(GroupMatrices::Panels) => {
                    "they are [m, k], [g, n / columns, k / together, columns, together] and [g]"
                }
                RaggedKind::Contracted => "they are [m, k], [m, n] and [g]",
            };
            return Err(Error::program(error).help(help));
        }
        if let Some(&scales) = operands.get(3) {
            let (sum, parts) =
                (lhs.dtype().accumulator(), if scales.rank() == 3 { scales.dim(1) } else { 0 });
            let extents = match self.kind {
                RaggedKind::Rows(lie) => lie.extents(rhs),
                RaggedKind::Contracted => None,
            };
            let fits = extents.is_some_and(|[k, n]| {
                parts > 0 && k.is_multiple_of(parts) && scales == Type::tensor(sum, [groups, parts, n])
            });
            if !fits || self.out != sum {
                let error = format!("lhs {lhs}, rhs {rhs} and scales {scales} do not fit as {}", self.out);
                let help = format!(
                    "scales are {sum}[g, parts, n] of groups of rows, `parts` divides k, and the result is {sum}"
                );
                return Err(Error::program(error).help(help));
            }
        }
        let dims = match self.kind {
            RaggedKind::Rows(lie) => {
                [lhs.dim(0)].into_iter().chain(lie.extents(rhs).map(|[_, n]| n)).collect()
            }
            RaggedKind::Contracted => vec![groups, lhs.dim(1), rhs.dim(1)],
        };
        Ok(TypeVec::from_slice(&[Type::tensor(self.out, dims)]))
    }

    /// Of matrices with scales, that of the product with scaled matrices.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        match self.by_scaled_matrices(&cx.b.types(cx.operands))? {
            Some(product) => tangents_by_definition(cx, &product),
            None => Ok(if self.out.is_differentiable() { Jvp::Bilinear } else { Jvp::Zero }),
        }
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        use GroupMatrices::{Panels, Plain, Transposed};
        use RaggedKind::{Contracted, Rows};
        let types: Vec<Type> = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
        if let Some(product) = self.by_scaled_matrices(&types)? {
            return transpose_by_definition(cx, &product);
        }
        let ct = cx.cotangent()?;
        let of = cx.b.ty(ct).dtype();
        let to = cx.ty(0).dtype();
        if cx.is_linear(0) {
            let rhs = cx.known(1)?;
            let (kind, sides) = match self.kind {
                Rows(lie) => {
                    let (rhs, lie) = lie.plain(cx.b, rhs)?;
                    (Rows(if lie == Plain { Transposed } else { Plain }), [ct, rhs])
                }
                Contracted => (Rows(Transposed), [rhs, ct]),
            };
            let ct = RaggedDot::other(cx, kind, sides, of, to)?;
            return Ok(Transpose::Cotangents(vec![Some(ct), None, None]));
        }
        let lhs = cx.known(0)?;
        let (kind, sides) = match self.kind {
            Rows(Plain | Panels) => (Contracted, [lhs, ct]),
            Rows(Transposed) => (Contracted, [ct, lhs]),
            Contracted => (Rows(Plain), [lhs, ct]),
        };
        let mut ct = RaggedDot::other(cx, kind, sides, of, to)?;
        if self.kind == Rows(Panels) {
            let lies = cx.ty(1);
            let parts = [0, 2, 4, 1, 3].map(|axis| lies.dim(axis));
            let parts = cx.b.reshape(ct, &parts)?;
            ct = cx.b.transpose(parts, &[0, 3, 1, 4, 2])?;
        }
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
        let rows = |lie| op(RaggedKind::Rows(lie));
        let sizes = |sizes: &[i32]| ints(&[sizes.len()], sizes);
        vec![
            Example::new(
                "an empty group, and a row behind the last",
                rows(GroupMatrices::Plain),
                vec![varied(&[6, 3], -1.0, 1.0), varied(&[3, 3, 2], -1.0, 1.0), sizes(&[2, 0, 3])],
            ),
            Example::new(
                "transposed matrices, and more rows than there are",
                rows(GroupMatrices::Transposed),
                vec![varied(&[4, 3], -1.0, 1.0), varied(&[2, 5, 3], -1.0, 1.0), sizes(&[1, 7])],
            ),
            Example::new(
                "matrices in panels",
                rows(GroupMatrices::Panels),
                vec![varied(&[5, 4], -1.0, 1.0), varied(&[2, 2, 2, 3, 2], -1.0, 1.0), sizes(&[1, 3])],
            ),
            Example::new(
                "parts with scales",
                rows(GroupMatrices::Plain),
                vec![
                    varied(&[5, 16], -1.0, 1.0),
                    varied(&[2, 16, 3], -1.0, 1.0),
                    sizes(&[1, 3]),
                    varied(&[2, 2, 3], 0.5, 1.5),
                ],
            ),
            Example::new(
                "transposed matrices with scales of each row",
                rows(GroupMatrices::Transposed),
                vec![
                    varied(&[4, 2], -1.0, 1.0),
                    varied(&[2, 3, 2], -1.0, 1.0),
                    sizes(&[2, 2]),
                    varied(&[2, 2, 3], 0.5, 1.5),
                ],
            ),
            Example::new(
                "integers",
                RaggedDot { kind: RaggedKind::Rows(GroupMatrices::Plain), out: DType::I32 },
                vec![
                    ints(&[3, 2], &[100, -3, 7, 50, -120, 9]),
                    ints(&[2, 2, 1], &[90, -7, 2, 3]),
                    sizes(&[1, 2]),
                ],
            ),
            Example::new(
                "contracted groups",
                op(RaggedKind::Contracted),
                vec![varied(&[5, 3], -1.0, 1.0), varied(&[5, 2], -1.0, 1.0), sizes(&[3, 0, 1])],
            ),
        ]
    }
}
