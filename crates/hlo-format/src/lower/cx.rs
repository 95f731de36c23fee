use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_hlo::ops::{BroadcastInDim, Constant};
use jarrah_hlo::{Builder, Op, Results, Value};
use smallvec::SmallVec;

use super::block::{Block, Bound, Leaves};
use super::functions::Lower;
use super::quantized;
use super::types::{self, Leaf, LeafTypes};
use crate::ir::{Attr, IrOp, Region, ValueId};

/// One op of the module, and the program it is built into.
pub(super) struct Cx<'c, 'a> {
    pub lower: &'c mut Lower<'a>,
    pub block: &'c mut Block<'a>,
    pub op: &'a IrOp,
    /// Whether quantized operands and results are taken as the reals they represent.
    pub real: bool,
}

impl<'a> Cx<'_, 'a> {
    /// The builder of the program.
    pub fn b(&mut self) -> &mut Builder {
        &mut self.block.b
    }

    /// An input error at the op.
    pub fn fail(&self, message: impl Into<String>) -> Error {
        self.lower.module.error(self.op, message)
    }

    pub fn ty(&self, value: Value) -> Type {
        self.block.b.ty(value)
    }

    /// The program values of the operand `index`.
    pub fn leaves(&mut self, index: usize) -> Result<Leaves> {
        let Some(&id) = self.op.operands.get(index) else {
            return Err(self.fail(format!("lacks operand {index}")));
        };
        self.leaves_of(id)
    }

    fn leaves_of(&mut self, id: ValueId) -> Result<Leaves> {
        let mut leaves = self.lower.leaves(self.block, self.op, id)?;
        if self.real
            && let Some(quantized) = types::quantized(self.lower.module.ty(id))
        {
            for leaf in &mut leaves {
                *leaf = quantized::dequantize(&mut self.block.b, *leaf, quantized)?;
            }
        }
        Ok(leaves)
    }

    /// The operand `index`, which must be a tensor.
    pub fn operand(&mut self, index: usize) -> Result<Value> {
        match self.leaves(index)?[..] {
            [value] => Ok(value),
            _ => Err(self.fail(format!("operand {index} is no tensor"))),
        }
    }

    /// All operands, tuples flattened.
    pub fn operands(&mut self) -> Result<SmallVec<[Value; 4]>> {
        let mut all = SmallVec::new();
        for i in 0..self.op.operands.len() {
            all.extend(self.leaves(i)?);
        }
        Ok(all)
    }

    /// The operands, which must be exactly `N` tensors.
    pub fn some<const N: usize>(&mut self) -> Result<[Value; N]> {
        let operands = self.operands()?;
        <[Value; N]>::try_from(&operands[..])
            .map_err(|_| self.fail(format!("takes {N} operands, {} are given", operands.len())))
    }

    /// The constant that an operand is, of any size.
    pub fn constant_operand(&self, id: ValueId) -> Option<Literal> {
        match self.block.bound.get(&id)? {
            Bound::Values(leaves) => match leaves[..] {
                [value] => self.block.constant(value).cloned(),
                _ => None,
            },
            Bound::Implied(op) => match op.attr("value")? {
                Attr::Dense(dense) => super::elementwise::literal(dense),
                _ => None,
            },
            Bound::Unused => None,
        }
    }

    /// Marks an operand as unneeded unless something else reads it.
    pub fn absorb(&mut self, id: ValueId) {
        if let Some(Bound::Values(leaves)) = self.block.bound.get(&id) {
            self.block.absorbed.extend(leaves.iter().copied());
        }
    }

    /// The value of type `ty` from which the import of an op made `value` by a reshape or a conversion.
    pub fn before(&self, value: Value, ty: Type) -> Option<Value> {
        let instr = self.block.b.definition(value)?;
        let is_made =
            matches!(instr.op, Op::Reshape(_) | Op::Convert(_)) && self.block.absorbed.contains(&value);
        let &source = instr.operands.first().filter(|_| is_made)?;
        (self.ty(source) == ty).then_some(source)
    }

    /// `value` as the result of the op at hand, which has another shape or element type: it is not needed if an op takes this back.
    pub fn disguised(&mut self, value: Value) -> Value {
        self.block.absorbed.insert(value);
        value
    }

    /// Appends an instruction.
    pub fn push(&mut self, operation: impl Into<Op>, operands: &[Value]) -> Result<Results> {
        self.block.b.push(operation, operands)
    }

    /// Appends an instruction with one result.
    pub fn one(&mut self, operation: impl Into<Op>, operands: &[Value]) -> Result<Value> {
        self.block.b.one(operation, operands)
    }

    /// A constant.
    pub fn constant(&mut self, value: Literal) -> Result<Value> {
        self.one(Constant { value }, &[])
    }

    /// `scalar` broadcast to the extents of `like`, for ops that take a scalar in the place of a tensor.
    pub fn broadcast_scalar(&mut self, scalar: Value, like: Value) -> Result<Value> {
        if self.ty(scalar).rank() > 0 || self.ty(like).rank() == 0 {
            return Ok(scalar);
        }
        let dims = self.ty(like).dims();
        self.one(BroadcastInDim { dims, axes: SmallVec::new() }, &[scalar])
    }

    /// The stated type of the result `index`, tuples flattened.
    pub fn result(&self, index: usize) -> Result<Leaf<'a>> {
        let mut at = index;
        for &result in &self.op.results {
            let leaves = types::leaves(self.lower.module, self.op, self.lower.module.ty(result))?;
            match leaves.get(at) {
                Some(&leaf) => return Ok(leaf),
                None => at -= leaves.len(),
            }
        }
        Err(self.fail(format!("lacks result {index}")))
    }

    /// The stated types of all results, tuples flattened.
    pub fn results(&self) -> Result<LeafTypes<'a>> {
        self.lower.stated(self.op)
    }

    /// The number of stated results, tuples flattened.
    pub fn result_count(&self) -> Result<usize> {
        Ok(self.results()?.len())
    }

    /// The stated element type of the result `index`.
    pub fn result_dtype(&self, index: usize) -> Result<DType> {
        self.dtype_of(self.result(index)?)
    }

    /// The element type of a result that is stated as `leaf`.
    pub fn dtype_of(&self, leaf: Leaf<'_>) -> Result<DType> {
        let element = &leaf.tensor().element;
        let dtype = if self.real { types::expressed(element) } else { types::storage(element) };
        dtype.ok_or_else(|| {
            let ty = types::describe(leaf.tensor());
            self.fail(format!("the element type of {ty} is not supported"))
        })
    }

    /// The stated type of the result `index`, which must be complete.
    pub fn result_type(&self, index: usize) -> Result<Type> {
        self.type_of(self.result(index)?)
    }

    fn type_of(&self, leaf: Leaf<'_>) -> Result<Type> {
        let dtype = self.dtype_of(leaf)?;
        let ty = leaf.concrete().map(|ty| ty.with_dtype(dtype));
        ty.ok_or_else(|| {
            self.fail(format!("the extents of {} must be stated", types::describe(leaf.tensor())))
        })
    }

    /// All stated result types, which must be complete.
    pub fn result_types(&self) -> Result<Vec<Type>> {
        self.results()?.into_iter().map(|leaf| self.type_of(leaf)).collect()
    }

    /// The region `index`.
    pub fn region(&self, index: usize) -> Result<&'a Region> {
        let region = self.op.regions.get(index);
        region.ok_or_else(|| self.fail(format!("lacks region {index}")))
    }

    /// The only region of an op that has one.
    pub fn only_region(&self) -> Result<&'a Region> {
        match &self.op.regions[..] {
            [region] => Ok(region),
            regions => Err(self.fail(format!("has one region, {} are given", regions.len()))),
        }
    }
}
