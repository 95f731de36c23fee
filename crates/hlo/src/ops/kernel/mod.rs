//! A grid of points, each of which computes blocks of the results from blocks of the operands.
//!
//! Programs have no references: the body of a kernel is an ordinary program from values to values, with loops, branches, prints
//! and other kernels in it, so every transformation and pass treats it as it treats the body of a loop.
//!
//! ```text
//! body: (position i32 per grid axis, prefetched operands, input blocks, held blocks, scratch) -> (output blocks, scratch)
//! map:  (position i32 per grid axis, prefetched operands) -> i32 block starts
//! ```
//!
//! An axis of a [`BlockSpec`] is a [`BlockIndex`]: the whole axis, a block or an element chosen by the position along a grid
//! axis, the first element, or a block or element whose start the map returns. Elements of a block outside its array read as
//! zeros, and stores there are dropped. A result begins as [`Start`] says; a held block is the part of the result under the
//! point's block, given to the body where the result begins as zeros or as an operand.
//!
//! A kernel's results do not depend on threads, and no bits are undefined: points run in row-major order, and of two points that
//! store one place the later wins. Along an axis that is not `arbitrary` points may run in any order, and type inference refuses
//! a kernel that stores one block twice along it. Where the map chooses the blocks of results, the CPU evaluates the map before
//! the run, and runs the points in order if two of them store one block.
//!
//! [`Kernel::definition`] is the kernel as a scan over its points, from which portable programs, checks, and transposes of
//! kernels with state are made. The tangent of a kernel is a kernel. A kernel without state ([`Kernel::is_stateless`]) splits
//! into one for the results and one for the tangents, which recomputes in each block the values that it needs; its transpose is a
//! kernel whose points add up their cotangents. A batch is one more grid axis in front.
//!
//! The form [`KernelForm::Loop`] is made by fusion (`jarrah-compiler`), [`KernelForm::Contract`] by its passes `groups` and
//! `contract`; a kernel written by a user has the form [`KernelForm::Steps`] until the compiler finds that `jarrah_tile::lower`
//! takes it.

mod block;
mod definition;
mod derivative;
mod examples;

use jarrah_base::{DType, Dims, Error, Result, Type, elements};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use self::block::{BlockIndex, BlockSpec};
use super::{Call, sub};
use crate::builder::Builder;
use crate::example::Example;
use crate::program::{Operands, Program};
use crate::rules::*;

/// A grid of points, each of which computes blocks of the results from blocks of the operands.
///
/// Points run in row-major order. Those along axes that are not `arbitrary` may run in any order, for they store different
/// blocks; of two points that store the same place the later one wins.
///
/// Scratch arrays are zeros before the first of the points that share their positions along the leading axes that are not
/// arbitrary; such points pass them on from one to the next.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The extents of the grid.
    pub grid: Dims,
    /// For each grid axis whether its points run one after another, in order.
    pub arbitrary: SmallVec<[bool; 4]>,
    /// How many of the first operands are given to the map and to the body whole.
    pub prefetch: usize,
    /// Which block a grid point sees of each operand after those.
    pub inputs: Vec<BlockSpec>,
    /// The results.
    pub outputs: Vec<KernelOutput>,
    /// The types of arrays that pass from point to point.
    pub scratch: Vec<Type>,
    /// Takes the position of a point along each grid axis, an `i32` scalar each, and the prefetched operands; returns the
    /// `i32` scalars that [`BlockIndex::At`] and [`BlockIndex::PointAt`] name.
    #[serde(with = "map")]
    pub map: Option<ProgramRef>,
    /// The floating-point operations of the whole kernel, where somebody knows better than to count those of the body.
    pub flops: Option<u64>,
    /// The way in which a target runs the body.
    pub form: KernelForm,
    /// Takes the position of a point along each grid axis, the prefetched operands, the blocks of the other operands, the
    /// held blocks and the scratch arrays; returns the block of each result and the scratch arrays.
    ///
    /// A held block is what a result that does not begin [`Start::Fresh`] has in it, before the point, where the point's
    /// block is.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
}

/// A result of a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct KernelOutput {
    /// Its type.
    pub ty: Type,
    /// Which block of it a grid point computes.
    pub block: BlockSpec,
    /// The contents of the result before the first point.
    pub start: Start,
}

/// The contents of a result before the first point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Start {
    /// Nothing that the body reads: each point gives its block as a whole. Elements in no point's block are zeros.
    Fresh,
    /// Zeros, which the body gets as a held block.
    Zeros,
    /// This operand, which has the type of the result; the body gets it as a held block.
    Operand(usize),
}

/// The way in which a target runs the body of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum KernelForm {
    /// Any program: each point runs its steps.
    Steps,
    /// One of the forms that fusion makes, which a target takes as one vector loop.
    Loop,
    /// A `DotGeneral` of operands, reshapes of it, and a kernel of the form `Loop` that reads it, over whole arrays: a target
    /// runs the loop on each part of the product as soon as that part is final.
    Contract,
}

impl KernelOutput {
    /// A result of which each point gives its block as a whole.
    pub fn fresh(ty: Type, block: BlockSpec) -> Self {
        KernelOutput { ty, block, start: Start::Fresh }
    }
}

impl Kernel {
    /// A kernel without state: its points run in any order, and each of them gives its blocks as a whole.
    pub fn new(
        grid: Dims,
        inputs: Vec<BlockSpec>,
        outputs: Vec<(Type, BlockSpec)>,
        body: ProgramRef,
    ) -> Kernel {
        Kernel {
            arbitrary: SmallVec::from_elem(false, grid.len()),
            grid,
            prefetch: 0,
            inputs,
            outputs: outputs.into_iter().map(|(ty, block)| KernelOutput::fresh(ty, block)).collect(),
            scratch: Vec::new(),
            map: None,
            flops: None,
            form: KernelForm::Steps,
            body,
        }
    }

    /// The kernel as one that a target runs as one loop, which it has to take: a loop has no state, so no order of its points
    /// is seen.
    pub fn as_loop(&self) -> Kernel {
        let arbitrary = SmallVec::from_elem(false, self.grid.len());
        Kernel { form: KernelForm::Loop, arbitrary, map: None, ..self.clone() }
    }

    /// The results that have a held block, by number.
    pub fn held(&self) -> impl Iterator<Item = usize> {
        let held = |(i, output): (usize, &KernelOutput)| (output.start != Start::Fresh).then_some(i);
        self.outputs.iter().enumerate().filter_map(held)
    }

    /// The types of the body's parameters, for operands of these types.
    ///
    /// # Errors
    /// A block does not fit its array.
    pub fn body_params(&self, operands: &[Type]) -> Result<Vec<Type>> {
        let mut types = vec![Type::scalar(DType::I32); self.grid.len()];
        types.extend(&operands[..self.prefetch.min(operands.len())]);
        for (i, (ty, block)) in operands.iter().skip(self.prefetch).zip(&self.inputs).enumerate() {
            let block = block.block_type(*ty, &self.grid);
            types.push(block.map_err(|e| e.context(format!("for operand {}", self.prefetch + i)))?);
        }
        for i in self.held() {
            types.push(self.block_of_result(i)?);
        }
        types.extend(&self.scratch);
        Ok(types)
    }

    /// The types of the body's results.
    ///
    /// # Errors
    /// A block does not fit its array.
    pub fn body_results(&self) -> Result<Vec<Type>> {
        let mut types: Vec<Type> =
            (0..self.outputs.len()).map(|i| self.block_of_result(i)).collect::<Result<_>>()?;
        types.extend(&self.scratch);
        Ok(types)
    }

    fn block_of_result(&self, i: usize) -> Result<Type> {
        let KernelOutput { ty, block, .. } = &self.outputs[i];
        block.block_type(*ty, &self.grid).map_err(|e| e.context(format!("for result {i}")))
    }

    /// How many leading grid axes have points that are independent of each other: no order between them is seen, and each
    /// begins with scratch arrays of zeros.
    pub fn independent_axes(&self) -> usize {
        self.arbitrary.iter().take_while(|in_order| !**in_order).count()
    }

    /// Whether the grid has no points: results are what they begin as.
    pub fn has_no_points(&self) -> bool {
        self.grid.contains(&0)
    }

    /// Whether the points at different positions along a grid axis may run at the same time: it is not arbitrary, and no
    /// result is stored twice along it.
    pub fn is_parallel(&self, axis: usize) -> bool {
        let scratch = self.scratch.is_empty() || axis < self.independent_axes();
        !self.arbitrary[axis] && scratch && self.outputs.iter().all(|output| output.block.moves_along(axis))
    }

    /// Whether a point neither sees what another has stored nor stores in its place.
    pub fn is_stateless(&self) -> bool {
        let fresh = |output: &KernelOutput| {
            output.start == Start::Fresh && output.block.is_distinct(&self.grid) && !output.block.is_found()
        };
        self.scratch.is_empty() && self.effects().is_pure() && self.outputs.iter().all(fresh)
    }

    fn check_counts(&self, operands: &[Type]) -> Result<()> {
        let (axes, marks) = (self.grid.len(), self.arbitrary.len());
        if axes != marks {
            let error = format!("the grid has {axes} axes, {marks} are marked as arbitrary or not");
            return Err(Error::program(error));
        }
        arity(operands, self.prefetch + self.inputs.len())?;
        elements(&self.grid)?;
        if self.grid.iter().any(|&extent| i32::try_from(extent).is_err()) {
            return Err(Error::program(format!("the grid {:?} has more points than i32 counts", self.grid)));
        }
        Ok(())
    }

    fn check_body(&self, operands: &[Type]) -> Result<()> {
        let (params, results) = (self.body_params(operands)?, self.body_results()?);
        let (prefetched, blocks) = (self.grid.len() + self.prefetch, self.grid.len() + operands.len());
        let role = |i: usize| match i {
            i if i < self.grid.len() => format!("the position along grid axis {i}"),
            i if i < prefetched => format!("the prefetched operand {}", i - self.grid.len()),
            i if i < blocks => format!("the block of operand {}", i - self.grid.len()),
            i if i < params.len() - self.scratch.len() => {
                let result = self.held().nth(i - blocks).unwrap_or_default();
                format!("the held block of result {result}")
            }
            i => format!("scratch array {}", i + self.scratch.len() - params.len()),
        };
        let found = self.body.param_types();
        if found.len() != params.len() {
            let (positions, operands, held, scratch) =
                (self.grid.len(), operands.len(), self.held().count(), self.scratch.len());
            return Err(Error::program(format!(
                "the body takes {} values; {} are needed: {positions} positions, {operands} operands or blocks of them, \
                 {held} held blocks and {scratch} scratch arrays",
                found.len(),
                params.len()
            )));
        }
        if let Some(i) = (0..found.len()).find(|&i| found[i] != params[i]) {
            let error = format!("parameter {i} of the body is {}, {} is {}", found[i], role(i), params[i]);
            return Err(Error::program(error));
        }
        sub::same_types(
            "the blocks and scratch arrays that the body returns",
            &results,
            &self.body.result_types(),
        )
    }

    fn check_map(&self, operands: &[Type]) -> Result<()> {
        let blocks = self.inputs.iter().chain(self.outputs.iter().map(|output| &output.block));
        let named = blocks.flat_map(|block| &block.axes).filter_map(|index| index.result()).max();
        let Some(map) = &self.map else {
            return match named {
                Some(i) => {
                    Err(Error::program(format!("a block begins at result {i} of a map, there is no map")))
                }
                None => Ok(()),
            };
        };
        let mut params = vec![Type::scalar(DType::I32); self.grid.len()];
        params.extend(&operands[..self.prefetch]);
        sub::same_types("the parameters of the map", &params, &map.param_types())?;
        let results = map.result_types();
        if let Some(ty) = results.iter().find(|ty| **ty != Type::scalar(DType::I32)) {
            return Err(Error::program(format!("the map returns {ty}, i32 scalars say where blocks begin")));
        }
        if let Some(i) = named.filter(|&i| i >= results.len()) {
            let error = format!("a block begins at result {i} of the map, which has {}", results.len());
            return Err(Error::program(error));
        }
        if !map.effects().is_pure() {
            return Err(Error::program("the map has effects, but how often it runs is not defined"));
        }
        Ok(())
    }

    fn check_starts(&self, operands: &[Type]) -> Result<()> {
        for (i, output) in self.outputs.iter().enumerate() {
            let Start::Operand(from) = output.start else { continue };
            let Some(&ty) = operands.get(from) else {
                let error = format!("result {i} begins as operand {from}, there are {}", operands.len());
                return Err(Error::program(error));
            };
            if ty != output.ty {
                let error =
                    format!("result {i} is {}, operand {from}, as which it begins, is {ty}", output.ty);
                return Err(Error::program(error));
            }
            if self.outputs[..i].iter().any(|other| other.start == output.start) {
                return Err(Error::program(format!("two results begin as operand {from}")));
            }
        }
        Ok(())
    }

    /// Checks what is promised to those who run the body as one loop.
    fn check_loop(&self, operands: &[Type]) -> Result<()> {
        let covered = operands.iter().zip(&self.inputs).all(|(ty, block)| block.covers(*ty, &self.grid))
            && self.outputs.iter().all(|output| output.block.covers(output.ty, &self.grid));
        let plain = self.prefetch == 0 && self.map.is_none() && !self.arbitrary.contains(&true);
        if self.is_stateless() && plain && covered {
            return Ok(());
        }
        Err(Error::program(
            "a kernel that is one loop or a contraction has no state, no map and blocks that cover its arrays",
        ))
    }

    /// The kernel over a batch: one more grid axis in front, along which the operands in `batched` have one more axis too, and
    /// all results. Operands that a result begins as have to be batched.
    fn batched(&self, size: usize, batched: &[bool]) -> Result<Kernel> {
        let shifted = |program: &Program| -> Result<Program> {
            let mut b = Builder::new(program.name());
            let at = b.param(Type::scalar(DType::I32), "");
            let mut args = Vec::with_capacity(program.params().len());
            let prefetched = self.grid.len()..self.grid.len() + self.prefetch;
            for (i, &param) in program.params().iter().enumerate() {
                if !prefetched.contains(&i) || !batched[i - prefetched.start] {
                    args.push(b.param_at(param));
                    continue;
                }
                let all = b.param(param.ty.with_leading(size), param.path.path());
                let zero = b.scalar(0i32)?;
                let mut operands: Operands = SmallVec::from_elem(zero, param.ty.rank() + 2);
                (operands[0], operands[1]) = (all, at);
                let one = b.one(super::DynamicSlice { sizes: param.ty.with_leading(1).dims() }, &operands)?;
                args.push(b.reshape(one, &param.ty.dims())?);
            }
            let results = b.inline(program, &args)?;
            b.finish(&results)
        };
        let spec = |(i, spec): (usize, &BlockSpec)| spec.batched(batched[self.prefetch + i]);
        let output = |output: &KernelOutput| KernelOutput {
            ty: output.ty.with_leading(size),
            block: output.block.batched(true),
            start: output.start,
        };
        Ok(Kernel {
            grid: std::iter::once(size).chain(self.grid.iter().copied()).collect(),
            arbitrary: std::iter::once(false).chain(self.arbitrary.iter().copied()).collect(),
            prefetch: self.prefetch,
            inputs: self.inputs.iter().enumerate().map(spec).collect(),
            outputs: self.outputs.iter().map(output).collect(),
            scratch: self.scratch.clone(),
            map: self.map.as_ref().map(|map| shifted(map)).transpose()?.map(ProgramRef::new),
            flops: self.flops.map(|flops| flops.saturating_mul(size as u64)),
            form: if self.form == KernelForm::Contract { KernelForm::Steps } else { self.form },
            body: ProgramRef::new(shifted(&self.body)?),
        })
    }
}

impl Rules for Kernel {
    fn name(&self) -> &'static str {
        "jarrah.kernel"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        self.check_counts(operands)?;
        self.check_body(operands)?;
        self.check_map(operands)?;
        self.check_starts(operands)?;
        for (i, output) in self.outputs.iter().enumerate() {
            let once = output.block.stores_once(output.ty, &self.grid, &self.arbitrary);
            once.map_err(|e| e.context(format!("for result {i}")))?;
        }
        match self.form {
            KernelForm::Steps => {}
            KernelForm::Loop => self.check_loop(operands)?,
            KernelForm::Contract if self.grid.is_empty() => self.check_loop(operands)?,
            KernelForm::Contract => {
                return Err(Error::program("a kernel that is a contraction has no grid"));
            }
        }
        Ok(self.outputs.iter().map(|output| output.ty).collect())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        self.tangents(cx)
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        self.split(cx)
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        self.transposed(cx)
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        if self.body.names_axes() {
            let types: Vec<Type> = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
            return batch_by_definition(cx, &self.definition(&types)?);
        }
        let mut batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
        for output in &self.outputs {
            if let Start::Operand(from) = output.start {
                batched[from] = true;
            }
        }
        let kernel = self.batched(cx.size, &batched)?;
        let mut operands = Operands::new();
        for (i, &batched) in batched.iter().enumerate() {
            operands.push(if batched { cx.batched(i)? } else { cx.operands[i].value });
        }
        Ok(Batch::Results(cx.b.push(kernel, &operands)?.into_iter().map(Batched::yes).collect()))
    }

    fn effects(&self) -> Effects {
        self.body.effects()
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        let types: Vec<Type> = cx.operands.iter().map(|&operand| cx.b.ty(operand)).collect();
        let definition = ProgramRef::new(self.definition(&types)?);
        cx.inside(&definition, |callee| Call { callee }.into())
    }

    rows!(Refuse("rows are not followed into hand-written kernels"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let flops = match self.flops {
            Some(flops) => flops as f64,
            None => sub::cost(&self.body)?.flops * self.grid.iter().product::<usize>() as f64,
        };
        Cost::new(flops, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "A grid of points, each of which computes blocks of the results from blocks of the operands: \
                      `out[o(p)] = body(p, x[i(p)], out[o(p)])` for each point `p`, in order.",
            source: "jax.experimental.pallas.pallas_call",
        }
    }

    fn programs(&self) -> ProgramRefs<'_> {
        std::iter::once(&self.body).chain(&self.map).collect()
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        Kernel { body: programs[0].clone(), map: programs.get(1).cloned(), ..self.clone() }
    }

    fn examples() -> Vec<Example> {
        examples::all().expect("invariant: the examples are well-formed")
    }
}

/// The map of a kernel among what is serialized: whether there is one, for programs are listed apart.
mod map {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::rules::ProgramRef;
    use crate::serial::apart;

    pub fn serialize<S: Serializer>(map: &Option<ProgramRef>, to: S) -> Result<S::Ok, S::Error> {
        map.is_some().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ProgramRef>, D::Error> {
        Ok(bool::deserialize(from)?.then(apart::missing))
    }
}
