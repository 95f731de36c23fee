use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::{AxisGroups, Collective, CollectiveKind, NamedAxis, Reducer, sub};
use crate::builder::{Builder, check_arguments};
use crate::example::Example;
use crate::program::{Program, Value};
use crate::rules::*;
use crate::sharding::{DimSharding, Mesh, MeshRef, TensorSharding, Unreduced};

/// Runs a program on each device of a mesh, on the device's parts of the operands: `shard_map`.
///
/// The program sees the axes of the mesh that are manual here as named axes. An operand that is not cut along one of them is whole at each
/// device along it; so is a result, which must then be equal there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ManualComputation {
    /// The program of a device.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
    /// The devices.
    pub mesh: Mesh,
    /// The axes of the mesh that the program sees; along the others, devices compute the same.
    pub axes: Vec<Box<str>>,
    /// How each operand is cut. Of one that is not reduced along an axis, the first device along it has the value, and the others zeros.
    pub operands: Vec<TensorSharding>,
    /// How each result is cut. One that is not reduced along an axis is the sum of what the devices along it have.
    pub results: Vec<TensorSharding>,
}

impl ManualComputation {
    /// The manual axes along which a dimension is cut, as positions among the axes of the mesh.
    ///
    /// # Errors
    /// The mesh has no such axis; the dimension is cut along a part of a manual axis.
    pub fn cut(&self, dim: &DimSharding) -> Result<Vec<usize>> {
        let mut axes = Vec::new();
        for axis in &dim.axes {
            let Some(at) = self.mesh.axes().iter().position(|known| known.name == axis.name) else {
                return Err(Error::program(format!("the mesh has no axis \"{}\"", axis.name)));
            };
            if !self.axes.contains(&axis.name) {
                continue;
            }
            if axis.part.is_some() {
                let text = format!("a manual computation is cut along {axis}, a part of an axis");
                return Err(Error::program(text));
            }
            axes.push(at);
        }
        Ok(axes)
    }

    /// The error that the program runs on one device alone.
    pub fn alone(&self) -> Error {
        Error::program(format!("needs the {} devices of a mesh, the program runs on one", self.mesh.len()))
    }

    /// The number of parts of a dimension.
    fn parts(&self, dim: &DimSharding) -> Result<usize> {
        Ok(self.cut(dim)?.into_iter().map(|at| self.mesh.axes()[at].size).product())
    }

    /// The type of a device's part of a tensor.
    ///
    /// # Errors
    /// The tensor has another rank, or cannot be cut into equal parts.
    pub fn part(&self, whole: Type, sharding: &TensorSharding) -> Result<Type> {
        let dims = &sharding.dims;
        if dims.len() != whole.rank() {
            let (rank, count) = (whole.rank(), dims.len());
            return Err(Error::program(format!("{whole} of rank {rank} is cut along {count} dimensions")));
        }
        let mut extents = Vec::new();
        for (at, (extent, dim)) in whole.extents().zip(dims).enumerate() {
            let parts = self.parts(dim)?;
            if !extent.is_multiple_of(parts) {
                let text = format!("{whole} cannot be cut into {parts} equal parts along axis {at}");
                return Err(Error::program(text));
            }
            extents.push(extent / parts);
        }
        Ok(whole.with_dims(extents))
    }

    /// The type of a tensor of which a device has this part.
    fn whole(&self, part: Type, sharding: &TensorSharding) -> Result<Type> {
        let dims = &sharding.dims;
        if dims.len() != part.rank() {
            let (rank, count) = (part.rank(), dims.len());
            return Err(Error::program(format!("{part} of rank {rank} is cut along {count} dimensions")));
        }
        let mut extents = Vec::new();
        for (extent, dim) in part.extents().zip(dims) {
            extents.push(extent.saturating_mul(self.parts(dim)?));
        }
        Ok(part.with_dims(extents))
    }

    /// The manual axes along which devices have parts of a sum, as positions among the axes of the mesh.
    ///
    /// # Errors
    /// The mesh has no such axis; the parts are those of a maximum or a minimum.
    pub fn unreduced(&self, sharding: &TensorSharding) -> Result<Vec<usize>> {
        if !sharding.unreduced.is_empty() && sharding.reducer != Unreduced::Sum {
            return Err(Error::program("a manual computation takes and returns parts of sums alone"));
        }
        self.cut(&DimSharding { axes: sharding.unreduced.clone(), ..DimSharding::default() })
    }

    /// The manual axes along which devices may have different values, as positions among the axes of the mesh.
    ///
    /// # Errors
    /// As [`ManualComputation::cut`] and [`ManualComputation::unreduced`].
    pub fn differing(&self, sharding: &TensorSharding) -> Result<Vec<usize>> {
        let mut axes = self.unreduced(sharding)?;
        for dim in &sharding.dims {
            axes.extend(self.cut(dim)?);
        }
        Ok(axes)
    }

    /// The manual axes along which a tensor is whole at each device.
    fn uncut(&self, sharding: &TensorSharding) -> Result<Vec<NamedAxis>> {
        let cut = self.differing(sharding)?;
        let axes = self.mesh.axes().iter().enumerate();
        let uncut = axes.filter(|(at, axis)| self.axes.contains(&axis.name) && !cut.contains(at));
        Ok(uncut.map(|(_, axis)| NamedAxis { name: axis.name.clone(), size: axis.size }).collect())
    }

    /// The cut of a tensor of this rank along a new first dimension, which has a slice for each device.
    fn stacked(&self, rank: usize) -> TensorSharding {
        let axes = self.mesh.axes().iter().filter(|axis| self.axes.contains(&axis.name));
        let mut sharding = TensorSharding::replicated(MeshRef::Inline(self.mesh.clone()), 1 + rank);
        sharding.dims[0] = DimSharding::along(axes.map(|axis| &*axis.name));
        sharding
    }

    fn with(
        &self,
        body: Program,
        operands: Vec<TensorSharding>,
        results: Vec<TensorSharding>,
    ) -> ManualComputation {
        let (mesh, axes) = (self.mesh.clone(), self.axes.clone());
        ManualComputation { body: body.into(), mesh, axes, operands, results }
    }
}

/// The entries of `all` where `mask` says so.
fn chosen(all: &[TensorSharding], mask: &[bool]) -> Vec<TensorSharding> {
    all.iter().zip(mask).filter(|(_, m)| **m).map(|(one, _)| one.clone()).collect()
}

/// The cuts of tensors with one more dimension in front, where `batched` says so.
fn with_leading(all: &[TensorSharding], batched: &[bool]) -> Vec<TensorSharding> {
    let one = |(sharding, &batched): (&TensorSharding, &bool)| {
        let mut sharding = sharding.clone();
        if batched {
            sharding.dims.insert(0, DimSharding::default());
        }
        sharding
    };
    all.iter().zip(batched).map(one).collect()
}

/// The residuals of a partial evaluation.
struct Residuals {
    /// The ranks of those that are results of the known body, which have one more dimension in front there.
    ranks: Vec<usize>,
    /// For each residual the known operand that it is, if it is one.
    operand: Vec<Option<usize>>,
}

impl ManualComputation {
    /// The known body, with its residuals stacked over the devices.
    fn known_body(&self, split: &SplitProgram, count: usize) -> Result<(Program, Residuals)> {
        let (results, residuals) = split.known.results().split_at(count);
        let params = split.known.params().len();
        let mut b = Builder::new(self.body.name());
        let args: Vec<Value> = split.known.params().iter().map(|p| b.param(p.ty, p.path.path())).collect();
        let returned: Vec<Value> = results.iter().chain(residuals).copied().collect();
        let all: Vec<Value> = split.known.param_values().collect();
        let inner = split.known.extract(&all, &returned)?;
        let values = b.inline(&inner, &args)?;
        let mut returned = values[..count].to_vec();
        let operand: Vec<Option<usize>> =
            residuals.iter().map(|v| (v.index() < params).then_some(v.index())).collect();
        let mut ranks = Vec::new();
        for (&value, operand) in values[count..].iter().zip(&operand) {
            if operand.is_none() {
                ranks.push(b.ty(value).rank());
                returned.push(b.broadcast_leading(value, 1)?);
            }
        }
        Ok((b.finish(&returned)?, Residuals { ranks, operand }))
    }

    /// The unknown body, which takes the residuals as the known one gives them.
    fn unknown_body(&self, split: &SplitProgram, residuals: &Residuals) -> Result<Program> {
        let mut b = Builder::new(self.body.name());
        let mut args = Vec::new();
        for (at, param) in split.unknown.params().iter().enumerate() {
            args.push(match residuals.operand.get(at) {
                Some(None) => {
                    let stacked = b.param(param.ty.with_leading(1), param.path.path());
                    b.reshape(stacked, &param.ty.dims())?
                }
                _ => b.param(param.ty, param.path.path()),
            });
        }
        let results = b.inline(&split.unknown, &args)?;
        b.finish(&results)
    }
}

impl Rules for ManualComputation {
    fn name(&self) -> &'static str {
        "jarrah.manual_computation"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, self.operands.len())?;
        let parts = operands.iter().zip(&self.operands).map(|(&ty, dims)| self.part(ty, dims));
        check_arguments(&self.body, &parts.collect::<Result<TypeVec>>()?)?;
        let results = self.body.result_types();
        if results.len() != self.results.len() {
            let (found, cut) = (results.len(), self.results.len());
            return Err(Error::program(format!("{found} results are cut in {cut} ways")));
        }
        results.into_iter().zip(&self.results).map(|(ty, dims)| self.whole(ty, dims)).collect()
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let active = sub::active(cx.tangents);
        let jvp = cx.sub.jvp(&self.body, &active, &vec![false; self.results.len()])?;
        let mut operands = cx.operands.to_vec();
        operands.extend(cx.tangents.iter().filter_map(|t| t.value()));
        let types = self.infer(&cx.b.types(cx.operands))?;
        let cuts = [self.operands.clone(), chosen(&self.operands, &active)].concat();
        let results = [self.results.clone(), chosen(&self.results, &jvp.active)].concat();
        let all = cx.b.push(self.with(jvp.program, cuts, results), &operands)?;
        let (results, tangents) = all.split_at(self.results.len());
        let tangents = sub::tangents(&types, &jvp.active, tangents);
        Ok(Jvp::Replace { results: results.to_vec(), tangents })
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let known = sub::known(cx.operands);
        let (known_args, unknown_args) = sub::parted(cx.operands);
        let split = cx.sub.partial_eval(&self.body, &known, &vec![false; self.results.len()])?;
        let count = split.known_results.iter().filter(|k| **k).count();
        let (body, residuals) = self.known_body(&split, count)?;
        let cuts = chosen(&self.operands, &known);
        let stacked = residuals.ranks.iter().map(|&rank| self.stacked(rank));
        let mut results = chosen(&self.results, &split.known_results);
        results.extend(stacked);
        let made = if body.results().is_empty() && body.effects().may_drop() {
            Default::default()
        } else {
            cx.split.known().push(self.with(body, cuts.clone(), results.clone()), &known_args)?
        };
        let (known_results, computed) = made.split_at(count);
        let (mut operands, mut unknown_cuts) = (Vec::new(), Vec::new());
        let mut computed = computed.iter().zip(&results[count..]);
        for operand in &residuals.operand {
            let (value, dims) = match *operand {
                Some(at) => (known_args[at], &cuts[at]),
                None => {
                    let next = computed.next();
                    next.map(|(&value, dims)| (value, dims))
                        .ok_or_else(|| Error::internal("a residual of a manual computation is lost"))?
                }
            };
            operands.push(cx.split.residual(value)?);
            unknown_cuts.push(dims.clone());
        }
        operands.extend(unknown_args);
        let unknown: Vec<bool> = known.iter().map(|k| !k).collect();
        unknown_cuts.extend(chosen(&self.operands, &unknown));
        let waiting: Vec<bool> = split.known_results.iter().map(|k| !k).collect();
        let body = self.unknown_body(&split, &residuals)?;
        let unknown_results = if body.results().is_empty() && body.effects().may_drop() {
            Default::default()
        } else {
            let op = self.with(body, unknown_cuts, chosen(&self.results, &waiting));
            cx.split.unknown().push(op, &operands)?
        };
        Ok(PartialEval::Results(sub::rejoined(&split.known_results, known_results, &unknown_results)?))
    }

    /// A result that is whole at several devices is the same there, so its cotangent is shared among them; an operand that is whole at
    /// several devices gets the sum of theirs.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let transposed = cx.sub.transpose(&self.body, &linear, &active)?;
        let (mut operands, mut b) = (Vec::new(), Builder::new(self.body.name()));
        if chosen(&self.operands, &linear).iter().any(|sharding| !sharding.unreduced.is_empty()) {
            return Ok(Transpose::Refuse("an operand is not reduced: the parts of its cotangent are no sum"));
        }
        for i in (0..linear.len()).filter(|&i| known[i]) {
            operands.push(cx.known(i)?);
        }
        operands.extend(cx.cotangents.iter().flatten());
        let mut args = Vec::new();
        let mut params = transposed.params().iter();
        for _ in 0..known.iter().filter(|k| **k).count() {
            args.extend(params.next().map(|p| b.param(p.ty, p.path.path())));
        }
        for dims in chosen(&self.results, &active) {
            let Some(param) = params.next() else { continue };
            let ct = b.param(param.ty, "");
            let sharing: usize = self.uncut(&dims)?.iter().map(|axis| axis.size).product();
            args.push(if sharing > 1 { b.scale(ct, 1.0 / sharing as f64)? } else { ct });
        }
        let mut cotangents = b.inline(&transposed, &args)?;
        let cuts = chosen(&self.operands, &linear);
        for (ct, dims) in cotangents.iter_mut().zip(&cuts) {
            let axes: Vec<NamedAxis> = self.uncut(dims)?.into_iter().filter(|axis| axis.size > 1).collect();
            if !axes.is_empty() {
                let sum = Collective {
                    kind: CollectiveKind::AllReduce(Reducer::Add),
                    over: AxisGroups::axes(axes),
                };
                *ct = b.one(sum, &[*ct])?;
            }
        }
        // The sum over devices gives each the cotangent.
        let mut given = [chosen(&self.operands, &known), chosen(&self.results, &active)].concat();
        let firsts = known.iter().filter(|k| **k).count();
        given[firsts..].iter_mut().for_each(|sharding| sharding.unreduced.clear());
        let op = self.with(b.finish(&cotangents)?, given, cuts);
        let mut results = cx.b.push(op, &operands)?.into_iter();
        Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        if cx.axis.is_some_and(|name| self.axes.iter().any(|axis| **axis == *name)) {
            return Ok(Batch::Refuse(
                "an axis of its mesh has the name of the axis of the map: give one of them another name",
            ));
        }
        let batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
        let (body, mask) = cx.sub.batch(&self.body, cx.size, &batched, &vec![false; self.results.len()])?;
        let operands: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
        let (given, returned) = (with_leading(&self.operands, &batched), with_leading(&self.results, &mask));
        let results = cx.b.push(self.with(body, given, returned), &operands)?;
        let results = results.into_iter().zip(mask).map(|(value, batched)| Batched { value, batched });
        Ok(Batch::Results(results.collect()))
    }

    fn effects(&self) -> Effects {
        sub::effects(&self.programs())
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    fn precision(&self) -> Precision {
        Precision::Keep
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Err(Error::program(
            "failures at the devices of a mesh are not looked for: check inside of its program",
        ))
    }

    rows!(Refuse("it exchanges rows among the devices of a mesh"));

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.body)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Runs a program on each device of a mesh, on the device's parts of the operands.",
            source: "jax.shard_map",
        }
    }

    fn programs(&self) -> ProgramRefs<'_> {
        smallvec::smallvec![&self.body]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        ManualComputation { body: programs[0].clone(), ..self.clone() }
    }

    /// None: it needs the devices of a mesh.
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}
