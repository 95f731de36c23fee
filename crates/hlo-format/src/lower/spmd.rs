//! Collective ops, and manual computations on several devices.
//!
//! In a program for one device, a collective of one process gives it what it sent, and one of several is refused. In a program for several, collectives become
//! those of `jarrah_hlo`, along the axes of replicas and partitions.

use jarrah_base::{DType, Error, Literal, Result};
use jarrah_hlo::ops::{
    AxisGroups, AxisIndex, Collective, CollectiveKind, ElementwiseKind, ManualComputation, NamedAxis, Reducer,
};
use jarrah_hlo::sharding::{
    Mesh, MeshRef, ProgramShardings, TensorSharding, TileSharding, manual_axes, per_value,
};
use jarrah_hlo::{Op, ProgramRef, Value};
use rustc_hash::FxHashMap;

use super::block::{Outcome, all};
use super::channels::{is_of_host, is_transfer, source_target_pairs};
use super::cx::Cx;
use super::functions::Lower;
use super::parallel::{MAX_PROCESSES, Shape};
use super::ragged;
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

    /// Checks that a program for several devices is built for as many as the module says, if it does.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn check_devices(&self) -> Result<()> {
        let Some(shape) = self.devices() else { return Ok(()) };
        let stated = |name: &str| self.module.op.attr(name).and_then(Attr::integer);
        for (name, what, count) in [
            ("mhlo.num_replicas", "replicas", shape.replicas),
            ("mhlo.num_partitions", "partitions", shape.partitions),
        ] {
            if let Some(stated) = stated(name).filter(|&stated| stated > 1 && stated != count as i64) {
                let message = format!("the module is for {stated} {what}, it is to run in {count}");
                return Err(self.module.error(&self.module.op, message));
            }
        }
        Ok(())
    }
}

/// The axes of replicas and partitions, without those of one device.
fn axes(shape: &Shape) -> Vec<NamedAxis> {
    let axes = [NamedAxis::replica(shape.replicas), NamedAxis::partition(shape.partitions)];
    axes.into_iter().filter(|axis| axis.size > 1).collect()
}

/// The number of this replica or partition.
fn device_number(cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<Outcome> {
    let axis = match cx.op.name() {
        "stablehlo.replica_id" => NamedAxis::replica(shape.replicas),
        _ => NamedAxis::partition(shape.partitions),
    };
    let number = match axis.size {
        1 => cx.constant(Literal::scalar(0i32))?,
        _ => cx.one(AxisIndex { axis }, &[])?,
    };
    let number = cx.b().convert(number, DType::U32)?;
    Ok(all(&[cx.disguised(number)]))
}

/// A collective of the devices of a grid.
fn exchanged(cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<Outcome> {
    match cx.op.name() {
        "stablehlo.custom_call" => {
            let over = over(cx, shape)?;
            let operands = cx.operands()?;
            return Ok(all(&[ragged::on_devices(cx.b(), &operands, &over)?]));
        }
        "stablehlo.recv" => {
            let values = sent(cx)?;
            let values = values.into_iter().map(|value| permute(cx, shape, value));
            return Ok(all(&values.collect::<Result<Vec<_>>>()?));
        }
        _ => {}
    }
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
                let row = row(cx, value, axis)?;
                let sent = row.unwrap_or(value);
                let gathered = cx.one(Collective { kind: CollectiveKind::AllGather, over }, &[sent])?;
                if row.is_some() { gathered } else { joined(cx, gathered, axis)? }
            }
            "stablehlo.all_to_all" => {
                let over = over(cx, shape)?;
                let (split, concat) = (cx.size("split_dimension")?, cx.size("concat_dimension")?);
                let count = cx.size("split_count")?;
                let slices = (split, concat) == (0, 0) && has_slices(cx, value, count);
                let sent = if slices { value } else { parts(cx, value, split, count)? };
                let received = cx.one(Collective { kind: CollectiveKind::AllToAll, over }, &[sent])?;
                if slices { received } else { joined(cx, received, concat)? }
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
fn over(cx: &Cx<'_, '_>, shape: &Shape) -> Result<AxisGroups> {
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let everyone = groups.members.len() == 1 && groups.members[0].iter().copied().eq(0..shape.processes());
    let group = |members: &Vec<usize>| members.iter().map(|&at| at as u32).collect();
    let stated = (!everyone).then(|| groups.members.iter().map(group).collect());
    Ok(AxisGroups { axes: axes(shape).into(), groups: stated })
}

/// `x[0, ..]` where the first axis, along which it is joined with others, has an extent of one.
fn row(cx: &mut Cx<'_, '_>, x: Value, axis: usize) -> Result<Option<Value>> {
    let ty = cx.ty(x);
    if axis > 0 || ty.rank() == 0 || ty.dim(0) != 1 {
        return Ok(None);
    }
    let row = ty.without_leading();
    if let Some(reshape) = cx.b().definition(x).filter(|instr| matches!(instr.op, Op::Reshape(_))) {
        let source = reshape.operands[0];
        if cx.ty(source) == row {
            cx.block.absorbed.insert(x);
            return Ok(Some(source));
        }
    }
    Ok(Some(cx.b().reshape(x, &row.dims())?))
}

/// Whether the first axis has an extent of `count`, so that each slice along it is one of as many parts.
fn has_slices(cx: &Cx<'_, '_>, x: Value, count: usize) -> bool {
    cx.ty(x).rank() > 0 && cx.ty(x).dim(0) == count
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
            let size = size?;
            let slices = axis == 0 && has_slices(cx, x, size);
            let sent = if slices { x } else { parts(cx, x, axis, size)? };
            let part = cx.one(Collective { kind: CollectiveKind::ReduceScatter(reducer), over }, &[sent])?;
            match slices {
                true => {
                    let dims = cx.ty(part).with_leading(1).dims();
                    let row = cx.b().reshape(part, &dims)?;
                    cx.disguised(row)
                }
                false => part,
            }
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
    over: AxisGroups,
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

/// A value from the process that each one receives from, given as its rank in each of these groups.
fn received(
    cx: &mut Cx<'_, '_>,
    shape: &Shape,
    groups: Option<Vec<Vec<usize>>>,
    sources: Vec<Option<u32>>,
    x: Value,
) -> Result<Value> {
    let group = |members: Vec<usize>| members.into_iter().map(|at| at as u32).collect();
    let groups = groups.map(|groups| groups.into_iter().map(group).collect());
    let over = AxisGroups { axes: axes(shape).into(), groups };
    match sources[..] {
        [None] if over.axes.is_empty() => cx.b().zeros_like(x),
        [Some(_)] if over.axes.is_empty() => Ok(x),
        _ => cx.one(Collective { kind: CollectiveKind::Permute(sources.into()), over }, &[x]),
    }
}

/// The processes of each path or cycle in the order of their values' way, if there are several and all are of one kind: only processes
/// of one of them wait for each other.
fn ways(sources: &[Option<u32>], groups: Vec<Vec<usize>>) -> Option<(Vec<Vec<usize>>, bool)> {
    let starts = |group: &[usize]| group.iter().copied().find(|&at| sources[at].is_none());
    let targets: FxHashMap<u32, usize> =
        sources.iter().enumerate().filter_map(|(at, source)| Some(((*source)?, at))).collect();
    let is_path = starts(groups.first()?).is_some();
    let size = groups[0].len();
    let alike = |group: &Vec<usize>| group.len() == size && starts(group).is_some() == is_path;
    if groups.len() < 2 || size * groups.len() != sources.len() || !groups.iter().all(alike) {
        return None;
    }
    let way = |group: Vec<usize>| -> Option<Vec<usize>> {
        let mut way = vec![starts(&group).unwrap_or(group[0])];
        while way.len() < size {
            way.push(*targets.get(&(*way.last()? as u32))?);
        }
        Some(way)
    };
    Some((groups.into_iter().map(way).collect::<Option<_>>()?, is_path))
}

fn permute(cx: &mut Cx<'_, '_>, shape: &Shape, x: Value) -> Result<Value> {
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let pairs =
        source_target_pairs(cx.op).ok_or_else(|| cx.fail("`source_target_pairs` is no list of pairs"))?;
    let mut sources = vec![None; shape.processes()];
    for [source, target] in pairs {
        for (source, target) in shape.alike(cx.op, source, target) {
            sources[target] = Some(source as u32);
        }
    }
    let Some((ways, is_path)) = ways(&sources, groups.members) else {
        return received(cx, shape, None, sources, x);
    };
    let size = ways[0].len() as u32;
    let sources = (0..size).map(|rank| (!is_path || rank > 0).then_some((rank + size - 1) % size)).collect();
    received(cx, shape, Some(ways), sources, x)
}

fn broadcast(cx: &mut Cx<'_, '_>, shape: &Shape, x: Value) -> Result<Value> {
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let size = groups.members.first().map_or(0, Vec::len);
    let alike = groups.members.iter().all(|group| group.len() == size);
    if groups.members.len() > 1 && alike && groups.of.iter().all(Option::is_some) {
        return received(cx, shape, Some(groups.members), vec![Some(0); size], x);
    }
    let source = |process: usize| groups.group(process).and_then(|group| group.first()).map(|&at| at as u32);
    received(cx, shape, None, (0..shape.processes()).map(source).collect(), x)
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
    let stated = cuts("in_shardings", given, &cx.op.operands)?;
    let results = cuts("out_shardings", returned, &cx.op.results)?;
    let region = cx.only_region()?;
    let (captures, types) = (cx.captures(&[region])?, cx.argument_types(region)?);
    let body = cx.program("body", region, &captures, &types, &[])?;
    // A captured value is whole at each device.
    let mut given = captures.values;
    let whole =
        |&value: &Value| TensorSharding::replicated(MeshRef::Inline(mesh.clone()), cx.ty(value).rank());
    let operands = given.iter().map(whole).chain(stated).collect();
    given.extend(cx.operands()?);
    let axes = axes.into_iter().map(Into::into).collect();
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

/// The replicas and the partitions that the module is for.
fn processes(cx: &Cx<'_, '_>) -> (u64, u64) {
    let stated =
        |name: &str| cx.lower.module.op.attr(name).and_then(Attr::integer).unwrap_or(1).max(1) as u64;
    let (replicas, partitions) = cx.lower.options.processes;
    (stated("mhlo.num_replicas").max(replicas as u64), stated("mhlo.num_partitions").max(partitions as u64))
}

/// The number of processes the module is for.
fn devices(cx: &Cx<'_, '_>) -> u64 {
    let (replicas, partitions) = processes(cx);
    replicas.saturating_mul(partitions)
}

/// An exchange within groups, which is the identity if each group is one process.
pub(super) fn collective(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if let Some(shape) = cx.lower.devices() {
        return exchanged(cx, &shape);
    }
    if matches!(cx.op.name(), "stablehlo.custom_call" | "stablehlo.recv") {
        return exchanged(cx, &Shape::new(1, 1));
    }
    let one = match cx.op.name() {
        _ if devices(cx) > 1 => alone(cx)?,
        "stablehlo.collective_permute" => {
            let pairs = cx.optional_numbers("source_target_pairs")?.unwrap_or_default();
            let most = pairs.iter().max().copied().unwrap_or(0);
            if most > 0 {
                return Err(needs(cx, most as u64 + 1));
            }
            !pairs.is_empty()
        }
        _ => {
            let size = group_size(cx)?;
            if size > 1 {
                return Err(needs(cx, size));
            }
            size == 1 || cx.op.name() != "stablehlo.collective_broadcast"
        }
    };
    let operands = cx.operands()?;
    let stated = cx.results()?;
    let mut results = Vec::new();
    for (i, &operand) in operands.iter().enumerate() {
        let leaf = stated.get(i).ok_or_else(|| cx.fail(format!("lacks result {i}")))?;
        let to = cx.dtype_of(*leaf)?;
        // A process that receives from none gets zeros.
        let value = if one { operand } else { cx.b().zeros_like(operand)? };
        results.push(cx.b().convert(value, to)?);
    }
    Ok(all(&results))
}

/// Whether each of the processes is in a group by itself, rather than in none: the same for all of them.
fn alone(cx: &Cx<'_, '_>) -> Result<bool> {
    let (replicas, partitions) = processes(cx);
    let everyone = devices(cx);
    if everyone > MAX_PROCESSES as u64 {
        return Err(needs(cx, everyone));
    }
    let shape = Shape::new(replicas as usize, partitions as usize);
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let apart = groups.of.iter().filter(|group| group.is_none()).count() as u64;
    if groups.members.iter().any(|group| group.len() > 1) || (apart > 0 && apart < everyone) {
        return Err(needs(cx, everyone));
    }
    Ok(apart == 0)
}

/// The number of processes in a group; 0 if there is no group.
fn group_size(cx: &Cx<'_, '_>) -> Result<u64> {
    let everyone = devices(cx);
    Ok(match cx.op.attr("replica_groups") {
        None => everyone,
        Some(Attr::Dense(dense)) => {
            let dims = dense.ty.dims.as_deref().unwrap_or(&[]);
            let [Some(groups), Some(size)] = dims else {
                return Err(cx.fail("`replica_groups` is no list of lists"));
            };
            match (groups, size, cx.op.name()) {
                (0, _, "stablehlo.collective_broadcast") => 0,
                (0, ..) | (_, 0, _) => everyone,
                (_, size, _) => *size,
            }
        }
        Some(Attr::Array(groups)) => {
            let sizes = groups.iter().map(|g| g.integers().map_or(0, |g| g.len() as u64));
            sizes.max().unwrap_or(everyone)
        }
        Some(_) if everyone == 1 => 1,
        Some(_) => return Err(needs(cx, everyone)),
    })
}

fn needs(cx: &Cx<'_, '_>, devices: u64) -> jarrah_base::Error {
    cx.fail(format!("needs {devices} devices; the program is built for one"))
}

/// The replica or partition number of this process.
pub(super) fn position(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if let Some(place) = cx.lower.place {
        let number = if cx.op.name() == "stablehlo.replica_id" { place.replica } else { place.partition };
        return Ok(all(&[cx.constant(Literal::scalar(number as u32))?]));
    }
    if let Some(shape) = cx.lower.devices() {
        return device_number(cx, &shape);
    }
    let (replicas, partitions) = processes(cx);
    let count = if cx.op.name() == "stablehlo.replica_id" { replicas } else { partitions };
    if count > 1 {
        return Err(needs(cx, devices(cx)));
    }
    Ok(all(&[cx.constant(Literal::scalar(0u32))?]))
}

/// Keeps what an op sends until it is received.
pub(super) fn send(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if !is_transfer(cx.op) {
        return Err(refused(cx));
    }
    let values = cx.operands()?.to_vec();
    cx.block.sends.push(cx.op, values);
    Ok(Outcome::new())
}

/// The values that the send of the op's channel and pairs has sent.
///
/// # Errors
/// There is no such send before, or it sends values of other types.
pub(super) fn sent(cx: &mut Cx<'_, '_>) -> Result<Vec<Value>> {
    let Some(values) = cx.block.sends.take(cx.op) else {
        let error = cx.fail("receives values that nothing has sent");
        return Err(
            error.help("a `stablehlo.send` of the same channel and pairs has to precede in the same region")
        );
    };
    let stated = cx.results()?;
    let fits = |(stated, &value): (&types::Leaf<'_>, &Value)| stated.admits(cx.ty(value));
    if stated.len() != values.len() || !stated.iter().zip(&values).all(fits) {
        let given: Vec<String> = values.iter().map(|&value| cx.ty(value).to_string()).collect();
        let stated: Vec<String> = stated.iter().map(|leaf| types::describe(leaf.tensor())).collect();
        let (given, stated) = (given.join(", "), stated.join(", "));
        return Err(cx.fail(format!("receives {stated}, but {given} is sent over its channel")));
    }
    Ok(values)
}

/// The error that an op communicates with the host, or with a device that it does not name.
pub(super) fn refused(cx: &Cx<'_, '_>) -> Error {
    let what = match cx.op.name() {
        "stablehlo.infeed" | "stablehlo.recv" => "receives values from",
        _ => "sends values to",
    };
    let is_feed = matches!(cx.op.name(), "stablehlo.infeed" | "stablehlo.outfeed");
    match is_feed || is_of_host(cx.op) {
        true => cx.fail(format!("{what} the host while the program runs, which is not supported")),
        false => {
            cx.fail(format!("{what} another device without `source_target_pairs`, which name the devices"))
        }
    }
}
