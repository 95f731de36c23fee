use jarrah_base::{DType, Dims, Error, Literal, Result, Type, elements};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::builder::Builder;
use crate::example::{Example, varied};
use crate::op::Op;
use crate::program::{Instr, Operands, Program, Value};
use crate::rules::*;

/// A grid of program instances, each of which loads blocks of the operands and stores blocks of the results.
///
/// What fusion emits, and what a hand-written kernel is. The body takes a reference to the block of each operand, then
/// of each result, and returns nothing. Every element of a result is stored by exactly one grid point.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The extents of the grid.
    pub grid: Dims,
    /// Which block of each operand a grid point sees.
    pub inputs: Vec<BlockSpec>,
    /// The type of each result, and which block of it a grid point sees.
    pub outputs: Vec<(Type, BlockSpec)>,
    /// The program of one grid point.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
}

/// Which block of an array a grid point sees, axis by axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BlockSpec {
    /// One entry per axis of the array.
    pub axes: SmallVec<[BlockIndex; 6]>,
}

/// Which part of an axis a grid point sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BlockIndex {
    /// All of it.
    Whole,
    /// `size` elements from `size * program_id(grid)`; the last block may be shorter.
    Block {
        /// The number of elements.
        size: usize,
        /// The grid axis.
        grid: usize,
    },
    /// The element `program_id(grid)`; the block lacks this axis.
    Point {
        /// The grid axis.
        grid: usize,
    },
    /// Element 0, for an axis of extent one; the block lacks this axis.
    First,
}

/// The tensor in the block that operand 0 refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Load;

/// Puts operand 1 into the block that operand 0 refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Store;

/// The position of this instance along a grid axis, an `i32` scalar.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ProgramId {
    /// The grid axis.
    pub axis: usize,
}

impl BlockSpec {
    /// All of an array of that rank.
    pub fn whole(rank: usize) -> Self {
        BlockSpec { axes: SmallVec::from_elem(BlockIndex::Whole, rank) }
    }

    /// The type of a reference to a full block of an array of type `ty`.
    ///
    /// # Errors
    /// The specification has another rank, a grid axis that does not exist, or does not cover the array exactly.
    pub fn block_type(&self, ty: Type, grid: &[usize]) -> Result<Type> {
        if self.axes.len() != ty.rank() {
            let error = format!("{} block axes are given for the {} of {ty}", self.axes.len(), ty.rank());
            return Err(Error::program(error));
        }
        let mut block = Dims::new();
        for (axis, (&index, extent)) in self.axes.iter().zip(ty.extents()).enumerate() {
            let steps = match index {
                BlockIndex::Whole | BlockIndex::First => None,
                BlockIndex::Block { grid: g, .. } | BlockIndex::Point { grid: g } => {
                    let steps = grid.get(g);
                    Some(*steps.ok_or_else(|| Error::program(format!("the grid has no axis {g}")))?)
                }
            };
            let fits = match index {
                BlockIndex::Whole => {
                    block.push(extent);
                    true
                }
                BlockIndex::Block { size, .. } => {
                    block.push(size);
                    size > 0 && steps == Some(extent.div_ceil(size))
                }
                BlockIndex::Point { .. } => steps == Some(extent),
                BlockIndex::First => extent == 1,
            };
            if !fits {
                let error = format!("{index:?} over a grid of {grid:?} does not cover axis {axis} of {ty}");
                return Err(Error::program(error));
            }
        }
        Ok(Type::reference(ty.dtype(), block))
    }

    /// Checks that no two grid points see the same block: each grid axis selects along one axis of the array.
    fn stores_once(&self, ty: Type, grid: &[usize]) -> Result<()> {
        for (g, &extent) in grid.iter().enumerate().filter(|(_, extent)| **extent > 1) {
            let selects = |index: &&BlockIndex| match **index {
                BlockIndex::Block { grid, .. } | BlockIndex::Point { grid } => grid == g,
                BlockIndex::Whole | BlockIndex::First => false,
            };
            let error = match self.axes.iter().filter(selects).count() {
                0 => format!("the {extent} grid points along axis {g} all store the same block of {ty}"),
                1 => continue,
                n => format!(
                    "grid axis {g} selects along {n} axes of {ty}: blocks off the diagonal are not stored"
                ),
            };
            return Err(
                Error::program(error).help("give the result an axis for each grid axis, and reduce it after")
            );
        }
        Ok(())
    }

    /// The specification under one more grid axis in front, along which a new first axis runs if `batched`.
    fn batched(&self, batched: bool) -> BlockSpec {
        let shifted = self.axes.iter().map(|&index| match index {
            BlockIndex::Block { size, grid } => BlockIndex::Block { size, grid: grid + 1 },
            BlockIndex::Point { grid } => BlockIndex::Point { grid: grid + 1 },
            other => other,
        });
        let first = batched.then_some(BlockIndex::Point { grid: 0 });
        BlockSpec { axes: first.into_iter().chain(shifted).collect() }
    }
}

/// Checks that the body asks for its position along axes that the grid has.
fn positions_exist(body: &Program, grid: &[usize]) -> Result<()> {
    let beyond = |instr: &&Instr| matches!(&instr.op, Op::ProgramId(id) if id.axis >= grid.len());
    let Some(instr) = body.instrs().iter().find(beyond) else { return Ok(()) };
    let error =
        Error::program(format!("the grid {grid:?} has no axis for {:?}", instr.op)).op(instr.op.name());
    Err(instr.source.location.map_or(error.clone(), |location| error.at(location)))
}

/// Checks that no value loaded from a block is used after something was stored to the block: a device may keep the
/// value where the block is.
fn loads_before_stores(body: &Program) -> Result<()> {
    // The block in which each value may lie and how often that was stored to before, and how often each block was.
    let mut lies_in: Vec<Option<(Value, u32)>> = vec![None; body.value_count()];
    let mut stores = vec![0; body.value_count()];
    for instr in body.instrs() {
        let late =
            |v: &Value| lies_in[v.index()].is_some_and(|(block, before)| stores[block.index()] != before);
        if instr.operands.iter().any(late) {
            let error = "uses a value that was loaded from a block before something else was stored there";
            let error = Error::program(error).op(instr.op.name()).help("load it again, or store it last");
            return Err(instr.source.location.map_or(error.clone(), |location| error.at(location)));
        }
        match &instr.op {
            Op::Load(_) => {
                let block = instr.operands[0];
                lies_in[instr.result().index()] = Some((block, stores[block.index()]));
            }
            Op::Reshape(_) => lies_in[instr.result().index()] = lies_in[instr.operands[0].index()],
            Op::OptimizationBarrier(_) => {
                for (&operand, result) in instr.operands.iter().zip(instr.results()) {
                    lies_in[result.index()] = lies_in[operand.index()];
                }
            }
            Op::Store(_) => stores[instr.operands[0].index()] += 1,
            _ => {}
        }
    }
    Ok(())
}

/// The body with every grid axis one further back.
fn shift_program_ids(body: &Program) -> Result<Program> {
    let mut b = Builder::like(body);
    let mut map: Vec<Value> = b.params().iter().enumerate().map(|(i, _)| body.param(i)).collect();
    for instr in body.instrs() {
        let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
        match &instr.op {
            Op::ProgramId(id) => map.extend(b.push(ProgramId { axis: id.axis + 1 }, &operands)?),
            _ => map.extend(b.copy(body, instr, &operands)),
        }
    }
    let results: Vec<Value> = body.results().iter().map(|v| map[v.index()]).collect();
    b.finish(&results)
}

impl Rules for Kernel {
    fn name(&self) -> &'static str {
        "jarrah.kernel"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, self.inputs.len())?;
        elements(&self.grid)?;
        let outputs = self.outputs.iter().map(|(ty, spec)| (*ty, spec));
        let arrays = operands.iter().copied().zip(&self.inputs).chain(outputs);
        let params = self.body.param_types();
        if params.len() != self.inputs.len() + self.outputs.len() || !self.body.results().is_empty() {
            return Err(Error::program("the body takes a reference to each block and returns nothing"));
        }
        for (i, ((ty, spec), param)) in arrays.zip(params).enumerate() {
            let block = spec.block_type(ty, &self.grid)?;
            if block != param {
                return Err(Error::program(format!(
                    "parameter {i} of the body is {param}, its block is {block}"
                )));
            }
        }
        for (i, (ty, spec)) in self.outputs.iter().enumerate() {
            spec.stores_once(*ty, &self.grid).map_err(|e| e.context(format!("for result {i}")))?;
        }
        positions_exist(&self.body, &self.grid)?;
        loads_before_stores(&self.body)?;
        Ok(self.outputs.iter().map(|(ty, _)| *ty).collect())
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse("a kernel has no derivative of its own; give it one with custom_jvp or custom_vjp"))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a kernel has no transpose of its own; give it one with custom_vjp"))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let size = cx.size;
        let kernel = Kernel {
            grid: std::iter::once(size).chain(self.grid.iter().copied()).collect(),
            inputs: self.inputs.iter().zip(cx.operands).map(|(spec, o)| spec.batched(o.batched)).collect(),
            outputs: self
                .outputs
                .iter()
                .map(|(ty, spec)| (ty.with_leading(cx.size), spec.batched(true)))
                .collect(),
            body: ProgramRef::new(shift_program_ids(&self.body)?),
        };
        let operands: Operands = cx.operands.iter().map(|o| o.value).collect();
        Ok(Batch::Results(cx.b.push(kernel, &operands)?.into_iter().map(Batched::yes).collect()))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let mut flops = 0.0;
        for instr in self.body.instrs() {
            let operands: TypeVec = instr.operands.iter().map(|&v| self.body.ty(v)).collect();
            let results: TypeVec = instr.results().map(|v| self.body.ty(v)).collect();
            flops += instr.op.cost(&operands, &results)?.flops;
        }
        Cost::new(flops * self.grid.iter().product::<usize>() as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "A grid of program instances that load blocks of the operands and store blocks of the results.",
            source: "ARCHITECTURE.md, kernels",
        }
    }

    pure!(Save);

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        SmallVec::from_slice(&[&self.body])
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        Kernel { body: programs[0].clone(), ..self.clone() }
    }

    fn examples() -> Vec<Example> {
        vec![row_softmax().expect("invariant: the example is well-formed")]
    }
}

/// A softmax of each row: one grid point a row.
fn row_softmax() -> Result<Example> {
    let (row, array) = (Type::reference(DType::F32, [4]), Type::tensor(DType::F32, [3, 4]));
    let mut b = Builder::new("row_softmax");
    let (input, output) = (b.param(row, "x"), b.param(row, "y"));
    let x = b.one(Load, &[input])?;
    let max = b.reduce(super::Reducer::Max, x, &[0])?;
    let dims = b.ty(x).dims();
    let max = b.broadcast_in_dim(max, &dims, &[])?;
    let shifted = b.sub(x, max)?;
    let e = b.exp(shifted)?;
    let total = b.sum(e, &[0])?;
    let total = b.broadcast_in_dim(total, &dims, &[])?;
    let y = b.div(e, total)?;
    b.push(Store, &[output, y])?;
    let spec = BlockSpec { axes: SmallVec::from_slice(&[BlockIndex::Point { grid: 0 }, BlockIndex::Whole]) };
    let kernel = Kernel {
        grid: Dims::from_slice(&[3]),
        inputs: vec![spec.clone()],
        outputs: vec![(array, spec)],
        body: ProgramRef::new(b.finish(&[])?),
    };
    Ok(Example::new("softmax of rows", kernel, vec![varied(&[3, 4], -1.0, 1.0)]))
}

const INSIDE: &str = "a kernel's body is transformed with its kernel, never by itself";

/// The rules of an op on references, but for what it reads and writes.
macro_rules! memory_access {
    () => {
        fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
            Ok(Jvp::Refuse(INSIDE))
        }

        fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
            Ok(PartialEval::AllOrNothing)
        }

        fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
            Ok(Transpose::Refuse(INSIDE))
        }

        fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
            Ok(Batch::Refuse(INSIDE))
        }

        fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
            Ok(Checked::AsIs)
        }

        fn residual_class(&self) -> ResidualClass {
            ResidualClass::Save
        }

        fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
            Ok(Cost::default())
        }
    };
}

impl Rules for Load {
    fn name(&self) -> &'static str {
        "jarrah.load"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        if !from.is_ref() {
            return Err(Error::program(format!("loads from a reference, not from {from}")));
        }
        Ok(TypeVec::from_slice(&[from.with_dtype(from.dtype())]))
    }

    memory_access!();

    fn effects(&self) -> Effects {
        Effects { reads: true, ..Effects::NONE }
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The tensor in the block that operand 0 refers to.",
            source: "ARCHITECTURE.md, kernels",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

impl Rules for Store {
    fn name(&self) -> &'static str {
        "jarrah.store"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let (to, from) = (operands[0], operands[1]);
        if !to.is_ref() || to.with_dtype(to.dtype()) != from {
            return Err(Error::program(format!("{from} cannot be stored where {to} refers to")));
        }
        Ok(TypeVec::new())
    }

    memory_access!();

    fn effects(&self) -> Effects {
        Effects { writes: true, ..Effects::NONE }
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Puts operand 1 into the block that operand 0 refers to.",
            source: "ARCHITECTURE.md, kernels",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

impl Rules for ProgramId {
    fn name(&self) -> &'static str {
        "jarrah.program_id"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 0)?;
        Ok(TypeVec::from_slice(&[Type::scalar(DType::I32)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse(INSIDE))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Refuse(INSIDE))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(Cost::default())
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The position of this instance along a grid axis.",
            source: "ARCHITECTURE.md, kernels",
        }
    }

    no_programs!();
    pure!(Recompute);

    fn examples() -> Vec<Example> {
        let mut b = Builder::new("positions");
        let output = b.param(Type::reference(DType::I32, []), "y");
        let kernel = b.one(ProgramId { axis: 0 }, &[]).and_then(|id| {
            b.push(Store, &[output, id])?;
            let spec = BlockSpec { axes: SmallVec::from_slice(&[BlockIndex::Point { grid: 0 }]) };
            Ok(Kernel {
                grid: Dims::from_slice(&[5]),
                inputs: Vec::new(),
                outputs: vec![(Type::tensor(DType::I32, [5]), spec)],
                body: ProgramRef::new(b.finish(&[])?),
            })
        });
        vec![Example::new(
            "positions",
            kernel.expect("invariant: the example is well-formed"),
            Vec::<Literal>::new(),
        )]
    }
}
