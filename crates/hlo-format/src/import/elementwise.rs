use jarrah_base::{ElementKind, Literal, Result, Type};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{
    BitcastConvert, BroadcastInDim, Clamp, Compare, Comparison, Constant, Convert, Elementwise,
    ElementwiseKind, Iota, Select,
};
use smallvec::SmallVec;

use super::Importer;
use super::block::{Block, Outcome, all};
use crate::ast::{Attribute, Dense, Op};

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn elementwise(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
        kind: ElementwiseKind,
    ) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        Ok(all(&[self.one(block, op, Elementwise { kind }, &operands)?]))
    }

    pub(super) fn square(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        Ok(all(&[self.one(block, op, Elementwise { kind: ElementwiseKind::Multiply }, &[x, x])?]))
    }

    /// `|x| < inf`, which a NaN fails too.
    pub(super) fn is_finite(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let size = self.one(block, op, Elementwise { kind: ElementwiseKind::Abs }, &[x])?;
        let infinite = Literal::full(Type::scalar(block.b.ty(x).dtype()), f64::INFINITY);
        let infinite = infinite.map_err(|e| self.refused(op, &e))?;
        let infinite = self.one(block, op, Constant { value: infinite }, &[])?;
        let infinite = self.broadcast_scalar(block, op, infinite, x)?;
        let less = Compare { comparison: Comparison::Lt, total_order: false };
        Ok(all(&[self.one(block, op, less, &[size, infinite])?]))
    }

    pub(super) fn constant(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let Some(Attribute::Dense(dense)) = op.attribute("value") else {
            return Err(self.fail(op, "the value is no tensor"));
        };
        let value = match &**dense {
            Dense::Literal(literal) => self.one(block, op, Constant { value: literal.clone() }, &[])?,
            Dense::Splat(scalar, ty) => {
                let scalar = self.one(block, op, Constant { value: scalar.clone() }, &[])?;
                let broadcast =
                    BroadcastInDim { dims: SmallVec::from_slice(ty.dims()), axes: SmallVec::new() };
                self.one(block, op, broadcast, &[scalar])?
            }
        };
        Ok(all(&[value]))
    }

    pub(super) fn iota(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let axis = self.size(op, &["dim", "iota_dimension"])?;
        let ty = self.result_type(op)?;
        Ok(all(&[self.one(block, op, Iota { ty, axis }, &[])?]))
    }

    pub(super) fn compare(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x, y] = self.some_operands(block, op)?;
        let direction = match op.words.first() {
            Some(word) => word,
            None => self.word(op, "comparison_direction")?,
        };
        let comparison = match direction {
            "EQ" => Comparison::Eq,
            "NE" => Comparison::Ne,
            "LT" => Comparison::Lt,
            "LE" => Comparison::Le,
            "GT" => Comparison::Gt,
            "GE" => Comparison::Ge,
            other => return Err(self.fail(op, format!("`{other}` is no comparison"))),
        };
        let kind = match (op.words.get(1), op.attribute("compare_type")) {
            (Some(word), _) => word,
            (None, None) => "NOTYPE",
            (None, Some(_)) => self.word(op, "compare_type")?,
        };
        let operand = block.b.ty(x).dtype().kind();
        let fits = match kind {
            "NOTYPE" => true,
            "FLOAT" => matches!(operand, ElementKind::Float | ElementKind::Complex),
            "TOTALORDER" => operand == ElementKind::Float,
            "SIGNED" => operand == ElementKind::Signed,
            "UNSIGNED" => matches!(operand, ElementKind::Unsigned | ElementKind::Bool),
            other => return Err(self.fail(op, format!("`{other}` is no kind of comparison"))),
        };
        if !fits {
            return Err(self.fail(op, format!("a comparison of kind {kind} does not fit {}", block.b.ty(x))));
        }
        let operation = Compare { comparison, total_order: kind == "TOTALORDER" };
        Ok(all(&[self.one(block, op, operation, &[x, y])?]))
    }

    pub(super) fn select(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [predicate, on_true, on_false] = self.some_operands(block, op)?;
        let predicate = self.broadcast_scalar(block, op, predicate, on_true)?;
        Ok(all(&[self.one(block, op, Select, &[predicate, on_true, on_false])?]))
    }

    pub(super) fn clamp(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [low, x, high] = self.some_operands(block, op)?;
        let low = self.broadcast_scalar(block, op, low, x)?;
        let high = self.broadcast_scalar(block, op, high, x)?;
        Ok(all(&[self.one(block, op, Clamp, &[low, x, high])?]))
    }

    /// A scalar, which StableHLO takes in the place of a tensor here, with the extents of `like`.
    fn broadcast_scalar(
        &self,
        block: &mut Block<'a, 't>,
        op: &Op<'t>,
        scalar: Value,
        like: Value,
    ) -> Result<Value> {
        if block.b.ty(scalar).rank() > 0 || block.b.ty(like).rank() == 0 {
            return Ok(scalar);
        }
        let dims = SmallVec::from_slice(block.b.ty(like).dims());
        self.one(block, op, BroadcastInDim { dims, axes: SmallVec::new() }, &[scalar])
    }

    pub(super) fn convert(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let to = self.result_type(op)?.dtype();
        Ok(all(&[self.one(block, op, Convert { to }, &[x])?]))
    }

    pub(super) fn bitcast_convert(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let to = self.result_type(op)?.dtype();
        Ok(all(&[self.one(block, op, BitcastConvert { to }, &[x])?]))
    }
}
