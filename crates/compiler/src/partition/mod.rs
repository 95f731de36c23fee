//! From a program over whole tensors to the program of one of its partitions.
//!
//! * A manual computation becomes its body: an operand's part is cut out of the whole tensor, or is there already; its results are parts.
//! * An elementwise op whose operands are parts of one layout computes on the parts.
//! * Any other op computes on whole tensors, the same on each partition; a whole is joined of the parts by an all-gather.
//! * A call of the host outside of manual computations is made by the first partition, which gives its results to the others.
//! * Axes of the mesh become groups of partitions.
//!
//! So the program is right for any shardings, and fast where it is manual; a partitioner that cuts other ops comes in its place.

mod layout;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{
    AxisGroups, AxisIndex, Case, Collective, CollectiveKind, ManualComputation, NamedAxis,
};
use jarrah_hlo::sharding::{Mesh, ProgramShardings, TensorSharding};
use jarrah_hlo::{Builder, Family, Instr, Op, Program, ProgramRef, Results, Value};
use smallvec::SmallVec;

use crate::inline;
use layout::{Layout, manual_sharding};

/// The program of a partition.
#[derive(Clone, Debug)]
pub struct Partitioned {
    /// It takes this partition's parts of the arguments, and returns its parts of the results.
    pub program: Program,
    /// How the tensors lie of which the results are parts; `None` for one that is whole on each partition.
    pub results: Vec<Option<TensorSharding>>,
}

/// The program of each partition of a program that states how its arguments and results lie, or has manual computations.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::partition;
/// use jarrah_hlo::Builder;
/// use jarrah_hlo::sharding::{DimSharding, Mesh, MeshRef, ProgramShardings, TensorSharding};
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::F32, [8, 4]), "x");
/// let y = b.exp(x)?;
/// let mesh = MeshRef::Inline(Mesh::new(&[("data", 2)])?);
/// let rows = TensorSharding { dims: vec![DimSharding::along(["data"]), DimSharding::along([])], ..TensorSharding::replicated(mesh, 2) };
/// let shardings = ProgramShardings { parameters: vec![Some(rows.clone())], results: vec![None] };
/// let parts = partition(&b.finish(&[y])?.with_shardings(shardings)?, 2)?;
/// assert_eq!(parts.program.param_types(), [Type::tensor(DType::F32, [4, 4])]);
/// assert_eq!(parts.results, [Some(rows)]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// A sharding or a manual computation has a mesh of another number of devices, or does not fit its tensor; the body of a manual computation
/// speaks of an axis that nothing binds.
pub fn partition(program: &Program, partitions: usize) -> Result<Partitioned> {
    let results = || vec![None; program.results().len()];
    let repeats = partitions == 1 || program.effects().may_duplicate();
    if program.shardings().is_none() && !program.names_axes() && repeats {
        return Ok(Partitioned { program: program.clone(), results: results() });
    }
    let program = &inline::run(program)?;
    let mut walk = Walk::new(Builder::new(program.name()), partitions, Vec::new());
    let stated = |list: fn(&ProgramShardings) -> &Vec<Option<TensorSharding>>, at: usize| {
        program.shardings().and_then(|shardings| list(shardings)[at].clone())
    };
    for (at, param) in program.params().iter().enumerate() {
        let cut = match stated(|s| &s.parameters, at) {
            Some(sharding) => walk.cut(&sharding, param.ty)?,
            None => None,
        };
        walk.held.push(match cut {
            Some(cut) => {
                let part =
                    walk.b.param(param.ty.with_dims(cut.layout.extents.iter().copied()), param.path.path());
                Held { whole: None, part: Some((cut, part)) }
            }
            None => Held::whole(walk.b.param(param.ty, param.path.path())),
        });
    }
    walk.instructions(program)?;
    let (mut returned, mut shardings) = (Vec::new(), Vec::new());
    for (at, &result) in program.results().iter().enumerate() {
        let cut = match stated(|s| &s.results, at) {
            Some(sharding) => walk.cut(&sharding, program.ty(result))?,
            None => walk.held[result.index()].part.as_ref().map(|(cut, _)| cut.clone()),
        };
        returned.push(match &cut {
            Some(cut) => walk.part(result, &cut.layout)?,
            None => walk.whole(result)?,
        });
        shardings.push(cut.map(|cut| cut.sharding));
    }
    Ok(Partitioned { program: walk.b.finish(&returned)?, results: shardings })
}

/// A sharding of a tensor, and what it means for it.
#[derive(Clone)]
struct Cut {
    sharding: TensorSharding,
    layout: Layout,
}

/// A value of the whole program in the program of a partition: as a whole, as a part, or as both.
#[derive(Clone)]
struct Held {
    whole: Option<Value>,
    part: Option<(Cut, Value)>,
}

impl Held {
    fn whole(value: Value) -> Held {
        Held { whole: Some(value), part: None }
    }
}

/// A program while it becomes that of a partition.
struct Walk<'m> {
    b: Builder,
    partitions: usize,
    /// The manual computations in whose bodies the program stands, the outermost first.
    manuals: Vec<&'m ManualComputation>,
    held: Vec<Held>,
}

impl<'m> Walk<'m> {
    fn new(b: Builder, partitions: usize, manuals: Vec<&'m ManualComputation>) -> Walk<'m> {
        Walk { b, partitions, manuals, held: Vec::new() }
    }

    /// The parts of a tensor that a sharding makes; `None` if the tensor is whole on each partition.
    fn cut(&self, sharding: &TensorSharding, ty: Type) -> Result<Option<Cut>> {
        let mesh = sharding.stated_mesh()?;
        if mesh.axes().is_empty() || sharding.is_replicated() {
            return Ok(None);
        }
        self.check(mesh)?;
        let layout = Layout::new(sharding, mesh, ty)?;
        Ok((!layout.is_whole()).then(|| Cut { sharding: sharding.clone(), layout }))
    }

    /// Checks that the devices of a mesh are the partitions.
    fn check(&self, mesh: &Mesh) -> Result<()> {
        match mesh.len() == self.partitions {
            true => Ok(()),
            false => Err(Error::program(format!(
                "a mesh of {} devices is that of a program of {} partitions",
                mesh.len(),
                self.partitions
            ))),
        }
    }

    /// The whole of a value.
    fn whole(&mut self, value: Value) -> Result<Value> {
        match &self.held[value.index()] {
            Held { whole: Some(whole), .. } => Ok(*whole),
            Held { part: Some((cut, part)), .. } => {
                let (layout, part) = (cut.layout.clone(), *part);
                let whole = layout.join(&mut self.b, part)?;
                self.held[value.index()].whole = Some(whole);
                Ok(whole)
            }
            Held { whole: None, part: None } => Err(Error::internal("a value is nowhere")),
        }
    }

    /// This partition's part of a value.
    fn part(&mut self, value: Value, layout: &Layout) -> Result<Value> {
        if let Some((cut, part)) = &self.held[value.index()].part
            && cut.layout == *layout
        {
            return Ok(*part);
        }
        let whole = self.whole(value)?;
        // Parts of equal elements are made, not cut; those of sums are not equal.
        let constant = self.b.constant_of(whole).filter(|constant| constant.len() == 1 && !layout.is_sum());
        match constant.cloned() {
            Some(constant) => {
                let scalar = self.b.constant(constant.reshape(&[])?)?;
                self.b.broadcast_in_dim(scalar, &layout.extents, &[])
            }
            None => layout.cut(&mut self.b, whole),
        }
    }

    /// Makes the instructions of a program, whose parameters are held.
    fn instructions(&mut self, program: &Program) -> Result<()> {
        for instr in program.instrs() {
            self.b.set_source(instr.source);
            let made = self.instruction(program, instr);
            made.map_err(|error| match instr.source.location {
                Some(location) => error.at(location),
                None => error,
            })?;
        }
        Ok(())
    }

    fn instruction(&mut self, program: &Program, instr: &Instr) -> Result<()> {
        if let Op::ManualComputation(op) = &instr.op {
            return self.manual(program, instr, op);
        }
        if self.on_parts(program, instr)? {
            return Ok(());
        }
        let mut operands = SmallVec::<[Value; 4]>::new();
        for &operand in &instr.operands {
            operands.push(self.whole(operand)?);
        }
        let once = self.manuals.is_empty() && self.partitions > 1 && !instr.op.effects().may_duplicate();
        let results = match &instr.op {
            op if once && !op.names_axes() => self.once(program, instr, &operands)?,
            op if !op.names_axes() => self.b.copy(program, instr, &operands),
            Op::AxisIndex(op) if !op.axis.is_of_devices() => {
                let positions = op.of_partitions(&self.manuals)?;
                SmallVec::from_slice(&[AxisIndex::entry(&mut self.b, &positions)?])
            }
            Op::Collective(op) => self.b.push(op.of_partitions(&self.manuals)?, &operands)?,
            op => {
                let inner = op.programs().into_iter().map(|inner| self.inner(inner));
                let inner: Vec<ProgramRef> = inner.collect::<Result<_>>()?;
                self.b.push(op.with_programs(&inner), &operands)?
            }
        };
        self.held.extend(results.into_iter().map(Held::whole));
        Ok(())
    }

    /// Makes an instruction that is to happen once on the first partition, from which the others have its results.
    fn once(&mut self, program: &Program, instr: &Instr, operands: &[Value]) -> Result<Results> {
        let types: Vec<Type> = instr.results().map(|value| program.ty(value)).collect();
        let branch = |runs: bool| -> Result<ProgramRef> {
            let mut b = Builder::new(instr.op.called());
            b.set_source(instr.source);
            let operands: Vec<Value> = operands.iter().map(|&value| b.param(self.b.ty(value), "")).collect();
            let results = match runs {
                true => b.copy(program, instr, &operands).to_vec(),
                false => types.iter().map(|&ty| b.zeros(ty)).collect::<Result<_>>()?,
            };
            Ok(b.finish(&results)?.into())
        };
        let branches = vec![branch(true)?, branch(false)?];
        let here = self.b.one(AxisIndex { axis: NamedAxis::partition(self.partitions) }, &[])?;
        let given = [&[here], operands].concat();
        let results = self.b.push(Case { branches }, &given)?;
        let first = CollectiveKind::Permute(vec![Some(0); self.partitions].into());
        let over = AxisGroups::axis(NamedAxis::partition(self.partitions));
        let spread = Collective { kind: first, over };
        results.iter().map(|&value| self.b.one(spread.clone(), &[value])).collect()
    }

    /// A program of a loop or a branch, over whole tensors.
    fn inner(&self, program: &Program) -> Result<ProgramRef> {
        let repeats = !self.manuals.is_empty() || self.partitions == 1 || program.effects().may_duplicate();
        if !program.names_axes() && repeats {
            return Ok(program.clone().into());
        }
        let mut walk = Walk::new(Builder::like(program), self.partitions, self.manuals.clone());
        walk.held.extend(program.param_values().map(Held::whole));
        walk.instructions(program)?;
        let results = program.results().iter().map(|&value| walk.whole(value));
        let results: Vec<Value> = results.collect::<Result<_>>()?;
        Ok(walk.b.finish(&results)?.into())
    }

    /// Makes an elementwise op on parts, if an operand is only there as a part and the others have the same parts; whether it did.
    fn on_parts(&mut self, program: &Program, instr: &Instr) -> Result<bool> {
        let is_elementwise =
            instr.op.family() == Family::Elementwise && !matches!(instr.op, Op::BitcastConvert(_));
        let first = instr.operands.iter().find_map(|&v| match &self.held[v.index()] {
            Held { whole: None, part: Some((cut, _)) } => Some((cut.clone(), program.ty(v))),
            _ => None,
        });
        // Of a function's value, the parts of a sum say nothing.
        let first = first.filter(|(cut, _)| is_elementwise && !cut.layout.is_sum());
        let Some((cut, like)) = first else { return Ok(false) };
        let fits = |value: Value| program.ty(value).same_dims(like);
        let can = |value: Value| {
            let held = &self.held[value.index()];
            let here = held.part.as_ref().is_some_and(|(held, _)| held.layout == cut.layout);
            program.ty(value).rank() == 0 || fits(value) && (here || held.whole.is_some())
        };
        if !instr.operands.iter().all(|&v| can(v)) || !instr.results().all(fits) {
            return Ok(false);
        }
        let mut parts = SmallVec::<[Value; 4]>::new();
        for &operand in &instr.operands {
            parts.push(match program.ty(operand).rank() {
                0 => self.whole(operand)?,
                _ => self.part(operand, &cut.layout)?,
            });
        }
        let results = self.b.push(instr.op.clone(), &parts)?;
        let held = |part| Held { whole: None, part: Some((cut.clone(), part)) };
        self.held.extend(results.into_iter().map(held));
        Ok(true)
    }

    fn manual(&mut self, program: &Program, instr: &Instr, op: &ManualComputation) -> Result<()> {
        self.check(&op.mesh)?;
        let manuals = [&self.manuals[..], &[op]].concat();
        let mut parts = Vec::new();
        for (&operand, dims) in instr.operands.iter().zip(&op.operands) {
            let layout = Layout::new(&manual_sharding(op, dims)?, &op.mesh, program.ty(operand))?;
            let part = if layout.is_whole() { self.whole(operand)? } else { self.part(operand, &layout)? };
            parts.push(Held::whole(part));
        }
        // The body's instructions follow those before it.
        let b = std::mem::replace(&mut self.b, Builder::new(""));
        let mut walk = Walk { held: parts, ..Walk::new(b, self.partitions, manuals) };
        walk.instructions(&op.body)?;
        let results = op.body.results().iter().map(|&value| walk.whole(value));
        let results: Vec<Value> = results.collect::<Result<_>>()?;
        self.b = walk.b;
        for ((value, dims), part) in instr.results().zip(&op.results).zip(results) {
            let sharding = manual_sharding(op, dims)?;
            let layout = Layout::new(&sharding, &op.mesh, program.ty(value))?;
            self.held.push(match layout.is_whole() {
                true => Held::whole(part),
                false => Held { whole: None, part: Some((Cut { sharding, layout }, part)) },
            });
        }
        Ok(())
    }
}
