//! Programs that run on several devices: their collectives become those of `jarrah_hlo`, along the axes of replicas and partitions, and
//! their manual computations run on parts of tensors.

use jarrah_base::{DType, Error, Literal, Result};
use jarrah_hlo::ops::{
    AxisIndex, Collective, CollectiveKind, ElementwiseKind, ManualComputation, NamedAxis, Over, Reducer,
};
use jarrah_hlo::sharding::{
    Mesh, MeshRef, ProgramShardings, TensorSharding, TileSharding, manual_axes, per_value,
};
use jarrah_hlo::{ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::functions::Lower;
use super::parallel::{Shape, source_target_pairs};
use super::reductions::folds_with;
use super::{control, types};
use crate::ir::{Attr, Attributes, IrModule, IrOp, Ty, ValueId};
use crate::templates;

impl Lower<'_> {
    /// The replicas and partitions for which the program is built, if these are several.
    pub(super) fn devices(&self) -> Option<Shape> {
        let (replicas, partitions) = self.options.processes;
        let (replicas, partitions) = (replicas.max(1), partitions.max(1));
        (replicas.saturating_mul(partitions) > 1).then(|| Shape::new(replicas, partitions))
    }
}

/// The axes of replicas and partitions, without those of one device.
fn axes(shape: &Shape) -> Vec<NamedAxis> {
    let axes = [NamedAxis::replica(shape.replicas), NamedAxis::partition(shape.partitions)];
    axes.into_iter().filter(|axis| axis.size > 1).collect()
}

/// The number of this replica or partition.
pub(super) fn position(cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<Outcome> {
    let axis = match cx.op.name() {
        "stablehlo.replica_id" => NamedAxis::replica(shape.replicas),
        _ => NamedAxis::partition(shape.partitions),
    };
    let number = match axis.size {
        1 => cx.constant(Literal::scalar(0i32))?,
        _ => cx.one(AxisIndex { axis }, &[])?,
    };
    Ok(all(&[cx.b().convert(number, DType::U32)?]))
}

/// A collective.
pub(super) fn collective(cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<Outcome> {
    if cx.flag("has_dynamic_root")? {
        return Err(cx.fail("names its root by a value, which is not supported on several devices"));
    }
    let count = cx.result_count()?;
    let mut values = cx.operands()?;
    values.truncate(count);
    let mut results = Vec::new();
    for (j, &value) in values.iter().enumerate() {
        let result = match cx.op.name() {
            "stablehlo.collective_permute" => permute(cx, shape, value)?,
            "stablehlo.collective_broadcast" => broadcast(cx, shape, value)?,
            "stablehlo.all_gather" => {
                let over = over(cx, shape)?;
                let axis = cx.size("all_gather_dim")?;
                let gathered = cx.one(Collective { kind: CollectiveKind::AllGather, over }, &[value])?;
                joined(cx, gathered, axis)?
            }
            "stablehlo.all_to_all" => {
                let over = over(cx, shape)?;
                let (split, concat) = (cx.size("split_dimension")?, cx.size("concat_dimension")?);
                let parts = parts(cx, value, split, cx.size("split_count")?)?;
                let received = cx.one(Collective { kind: CollectiveKind::AllToAll, over }, &[parts])?;
                joined(cx, received, concat)?
            }
            "stablehlo.all_reduce" | "stablehlo.cross-replica-sum" => reduced(cx, shape, j, value, None)?,
            "stablehlo.reduce_scatter" => {
                let axis = cx.size("scatter_dimension")?;
                reduced(cx, shape, j, value, Some(axis))?
            }
            name => return Err(cx.fail(format!("{name} is not supported on several devices"))),
        };
        results.push(result);
    }
    Ok(all(&results))
}

/// The groups that the op states.
fn over(cx: &Cx<'_, '_>, shape: &Shape) -> Result<Over> {
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let everyone = groups.members.len() == 1 && groups.members[0].iter().copied().eq(0..shape.processes());
    let group = |members: &Vec<usize>| members.iter().map(|&at| at as u32).collect();
    let stated = (!everyone).then(|| groups.members.iter().map(group).collect());
    Ok(Over { axes: axes(shape).into(), groups: stated })
}

/// `x[n, ..]` with the first axis in front of axis `axis` of the rest, and both one.
fn joined(cx: &mut Cx<'_, '_>, x: Value, axis: usize) -> Result<Value> {
    let mut dims = cx.ty(x).without_leading().dims();
    let count = cx.ty(x).dim(0);
    let moved = cx.b().move_axis(x, 0, axis)?;
    let Some(extent) = dims.get_mut(axis) else {
        return Err(cx.fail(format!("there is no axis {axis}")));
    };
    *extent *= count;
    cx.b().reshape(moved, &dims)
}

/// `x` cut into `count` parts along an axis, which stand along a new first axis.
fn parts(cx: &mut Cx<'_, '_>, x: Value, axis: usize, count: usize) -> Result<Value> {
    let ty = cx.ty(x);
    let mut dims = ty.dims().to_vec();
    let extent = dims.get(axis).copied().filter(|extent| count > 0 && extent.is_multiple_of(count));
    let Some(extent) = extent else {
        return Err(cx.fail(format!("{ty} cannot be cut into {count} along axis {axis}")));
    };
    dims[axis] = extent / count;
    dims.insert(axis, count);
    let cut = cx.b().reshape(x, &dims)?;
    cx.b().move_axis(cut, axis, 0)
}

/// The values of the group combined with the region of the op, of which each member gets a part along `scatter`, if that is given.
fn reduced(cx: &mut Cx<'_, '_>, shape: &Shape, j: usize, x: Value, scatter: Option<usize>) -> Result<Value> {
    let over = over(cx, shape)?;
    let body = match cx.op.regions.is_empty() {
        true => None,
        false => Some(cx.closed(cx.only_region()?, None)?),
    };
    let to = if body.is_none() { cx.ty(x).dtype() } else { cx.result_dtype(j)? };
    let dtype = body.as_ref().map_or(to, |body| body.param_types()[0].dtype());
    let x = cx.b().convert(x, dtype)?;
    let kind = body.as_ref().map_or(Some(ElementwiseKind::Add), |body| folds_with(body));
    let reducer = kind.and_then(templates::reducer);
    let size = over.group_size().ok_or_else(|| cx.fail("has groups of different sizes"));
    let result = match (reducer, scatter) {
        (Some(Reducer::Add), _) if dtype == DType::Bool => return Err(cx.fail("adds truth values")),
        (Some(reducer), None) => {
            cx.one(Collective { kind: CollectiveKind::AllReduce(reducer), over }, &[x])?
        }
        (Some(reducer), Some(axis)) => {
            let parts = parts(cx, x, axis, size?)?;
            cx.one(Collective { kind: CollectiveKind::ReduceScatter(reducer), over }, &[parts])?
        }
        (None, scatter) => {
            let body = body.ok_or_else(|| cx.fail("lacks the program that combines"))?;
            combined(cx, x, over, &body, scatter)?
        }
    };
    cx.b().convert(result, to)
}

/// The values of the group, combined in order by a program.
fn combined(
    cx: &mut Cx<'_, '_>,
    x: Value,
    over: Over,
    body: &ProgramRef,
    scatter: Option<usize>,
) -> Result<Value> {
    let size = over.group_size().ok_or_else(|| cx.fail("has groups of different sizes"))?;
    let (sent, kind) = match scatter {
        None => (x, CollectiveKind::AllGather),
        Some(axis) => (parts(cx, x, axis, size)?, CollectiveKind::AllToAll),
    };
    let received = cx.one(Collective { kind, over }, &[sent])?;
    let dims = cx.ty(received).without_leading().dims();
    let mut total: Option<Value> = None;
    for rank in 0..size {
        let value = cx.b().slice_axis(received, 0, rank, rank + 1)?;
        let value = cx.b().reshape(value, &dims)?;
        total = Some(match total {
            None => value,
            Some(before) => control::mapped(cx, body, &[before, value])?[0],
        });
    }
    total.ok_or_else(|| cx.fail("has no values"))
}

/// The processes from which each one receives.
fn received(cx: &mut Cx<'_, '_>, shape: &Shape, sources: Vec<Option<u32>>, x: Value) -> Result<Value> {
    let over = Over { axes: axes(shape).into(), groups: None };
    cx.one(Collective { kind: CollectiveKind::Permute(sources.into()), over }, &[x])
}

fn permute(cx: &mut Cx<'_, '_>, shape: &Shape, x: Value) -> Result<Value> {
    // Checks the pairs, too.
    shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let pairs =
        source_target_pairs(cx.op).ok_or_else(|| cx.fail("`source_target_pairs` is no list of pairs"))?;
    let mut sources = vec![None; shape.processes()];
    for [source, target] in pairs {
        for (source, target) in shape.alike(cx.op, source, target) {
            sources[target] = Some(source as u32);
        }
    }
    received(cx, shape, sources, x)
}

fn broadcast(cx: &mut Cx<'_, '_>, shape: &Shape, x: Value) -> Result<Value> {
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let source = |process: usize| groups.group(process).and_then(|group| group.first()).map(|&at| at as u32);
    received(cx, shape, (0..shape.processes()).map(source).collect(), x)
}

/// `sdy.manual_computation` as an op; `None` if it has neither operands nor results, whose shardings name the mesh.
pub(super) fn manual_computation(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let text = |name: &str| match cx.op.attr(name) {
        Some(Attr::Opaque(text)) => Ok(&**text),
        _ => Err(cx.fail(format!("lacks `{name}`"))),
    };
    let wrong = |name: &str, error: Error| cx.fail(format!("`{name}`: {}", error.message()));
    let read = |name: &str| per_value(text(name)?).map_err(|error| wrong(name, error));
    let (given, returned) = (read("in_shardings")?, read("out_shardings")?);
    let Some(first) = given.iter().chain(&returned).next() else { return control::inlined(cx) };
    let mesh = mesh(cx.lower.module, cx.op, &first.mesh)?;
    if given.iter().chain(&returned).any(|s| s.mesh != first.mesh) {
        return Err(cx.fail("has shardings on different meshes, which is not supported"));
    }
    let axes = manual_axes(text("manual_axes")?).map_err(|error| wrong("manual_axes", error))?;
    let cuts =
        |name: &str, shardings: Vec<TensorSharding>, values: &[ValueId]| -> Result<Vec<TensorSharding>> {
            if shardings.len() != values.len() {
                let message =
                    format!("`{name}` has {} shardings for {} values", shardings.len(), values.len());
                return Err(cx.fail(message));
            }
            let mut all = Vec::new();
            for (sharding, &value) in shardings.into_iter().zip(values) {
                match types::leaves(cx.lower.module, cx.op, cx.lower.module.ty(value))?.len() {
                    0 => {}
                    1 => all.push(TensorSharding { mesh: MeshRef::Inline(mesh.clone()), ..sharding }),
                    _ => return Err(cx.fail("takes or returns a tuple")),
                }
            }
            Ok(all)
        };
    let operands = cuts("in_shardings", given, &cx.op.operands)?;
    let results = cuts("out_shardings", returned, &cx.op.results)?;
    let body = cx.closed(cx.only_region()?, None)?;
    let axes = axes.into_iter().map(Into::into).collect();
    let given = cx.operands()?;
    Ok(all(&cx.push(ManualComputation { body, mesh, axes, operands, results }, &given)?))
}

impl<'a> Lower<'a> {
    /// How the arguments and results of a function lie on devices; nothing where it does not say.
    ///
    /// # Errors
    /// A sharding cannot be read, or names a mesh that the module has not.
    pub(super) fn shardings(&self, function: &'a IrOp) -> Result<ProgramShardings> {
        let arguments: Vec<&Ty> =
            function.regions.iter().take(1).flat_map(|r| &r.args).map(|&id| self.module.ty(id)).collect();
        let results: Vec<&Ty> = match function.attr("function_type") {
            Some(Attr::Type(Ty::Function(signature))) => signature.1.iter().collect(),
            _ => Vec::new(),
        };
        Ok(ProgramShardings {
            parameters: self.stated_shardings(function, "arg_attrs", &arguments)?,
            results: self.stated_shardings(function, "res_attrs", &results)?,
        })
    }

    fn stated_shardings(
        &self,
        function: &IrOp,
        list: &str,
        types: &[&Ty],
    ) -> Result<Vec<Option<TensorSharding>>> {
        let mut all = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            let leaves = types::leaves(self.module, function, ty)?;
            let stated = match function.attr(list) {
                Some(Attr::Array(attributes)) => attributes.get(at),
                _ => None,
            };
            let sharding = match (stated, &leaves[..]) {
                (Some(Attr::Dictionary(attributes)), [leaf]) => {
                    let rank = leaf.tensor().dims.as_ref().map_or(0, |dims| dims.len());
                    self.stated_sharding(function, attributes, rank)?
                }
                _ => None,
            };
            all.extend(leaves.iter().map(|_| sharding.clone()));
        }
        Ok(all)
    }

    fn stated_sharding(
        &self,
        function: &IrOp,
        attributes: &Attributes,
        rank: usize,
    ) -> Result<Option<TensorSharding>> {
        let text = |name: &str| match attributes.get(name) {
            Some(Attr::String(text) | Attr::Opaque(text)) => Some(text),
            _ => None,
        };
        let wrong = |error: Error| self.module.error(function, error.message());
        if let Some(text) = text("sdy.sharding") {
            let mut sharding: TensorSharding = text.parse().map_err(wrong)?;
            sharding.mesh = MeshRef::Inline(mesh(self.module, function, &sharding.mesh)?);
            return Ok(Some(sharding));
        }
        match text("mhlo.sharding") {
            Some(text) => {
                let tiles: TileSharding = text.parse().map_err(wrong)?;
                Ok(Some(tiles.axes(rank).map_err(wrong)?))
            }
            None => Ok(None),
        }
    }
}

/// The mesh that a sharding names or states.
///
/// # Errors
/// The module has no mesh of the name.
pub(crate) fn mesh(module: &IrModule, at: &IrOp, stated: &MeshRef) -> Result<Mesh> {
    let mesh = match stated {
        MeshRef::Inline(mesh) => mesh.clone(),
        MeshRef::Named(name) => {
            let ops = module.ops().iter();
            let op = ops.filter(|op| op.name() == "sdy.mesh").find(|op| op.text("sym_name") == Some(name));
            let op = op.ok_or_else(|| module.error(at, format!("there is no mesh @{name}")))?;
            let Some(Attr::Opaque(text)) = op.attr("mesh") else {
                return Err(module.error(op, "lacks `mesh`"));
            };
            text.parse().map_err(|error: Error| module.error(op, error.message()))?
        }
    };
    // A mesh without axes is one device, whatever its number.
    if mesh.axes().is_empty() { Mesh::new(&[]) } else { Ok(mesh) }
}
