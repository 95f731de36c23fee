//! `sdy.manual_computation`: each device of a mesh computes on its part of the tensors.

use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::Value;
use jarrah_hlo::sharding::{AxisPart, Mesh, TensorSharding, manual_axes, per_value};
use rustc_hash::FxHashMap;

use super::groups::{Groups, Shape, Ties};
use super::{Frame, Grid, MAX_PROCESSES, Place, Process};
use crate::ir::{Attr, IrOp, ValueId};
use crate::lower::block::{Outcome, all};
use crate::lower::cx::Cx;
use crate::lower::regions::free;
use crate::lower::spmd::mesh;
use crate::lower::{control, types};

/// The attributes of a `sdy.manual_computation`.
pub(super) struct Manual {
    mesh: Mesh,
    devices: usize,
    /// The devices whose results are joined.
    pub groups: Rc<Groups>,
    /// The mesh axes that shard each dimension of each operand and result. Axes that are not manual are left out:
    /// all devices along them compute the same.
    operands: Vec<Vec<Vec<usize>>>,
    results: Vec<Vec<Vec<usize>>>,
}

/// A manual computation outside of any grid: the devices of its mesh are the grid.
pub(in crate::lower) fn manual_computation(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let Some(manual) = Manual::of(cx)? else { return control::inlined(cx) };
    let region = cx.only_region()?;
    let given = cx.operands()?;
    let outside: FxHashMap<_, _> =
        free(&[region]).into_iter().filter_map(|id| Some((id, cx.block.bound.get(&id)?.clone()))).collect();
    let (mut cuts, mut processes) = (Cuts::default(), Vec::new());
    for partition in 0..manual.devices {
        let parts = manual.parts(cx, partition, &given, &mut cuts)?;
        let types: Vec<Type> = parts.iter().map(|&v| cx.ty(v)).collect();
        cx.check_arguments(region, &types)?;
        let before = mem::replace(&mut cx.block.bound, outside.clone());
        cx.lower.bind(cx.block, cx.op, region, &parts)?;
        let bound = mem::replace(&mut cx.block.bound, before);
        let (name, place) = (format!("device {partition}"), Place { replica: 0, partition });
        processes.push(Process::new(name, place, partition, bound, region));
    }
    let (sent, infeed) = (FxHashMap::default(), VecDeque::new());
    let shape = Shape::new(1, manual.devices);
    let mut grid = Grid { cx, processes, shape, inside: false, sent, infeed };
    grid.run()?;
    let results = grid.processes.into_iter().filter_map(|p| Some((p.number, p.results?))).collect();
    Ok(all(&manual.whole(cx, 0, &results)?))
}

impl<'a> Grid<'_, '_, 'a> {
    /// The attributes of a manual computation inside another.
    pub(super) fn manual_of(&mut self, op: &'a IrOp) -> Result<Option<Rc<Manual>>> {
        if let Some(known) = self.shape.manuals.get(&std::ptr::from_ref(op)) {
            return Ok(known.clone());
        }
        let cx = Cx { lower: self.cx.lower, block: self.cx.block, op, real: false };
        let manual = Manual::of(&cx)?.map(Rc::new);
        if let Some(manual) = &manual
            && (self.shape.replicas, self.shape.partitions) != (1, manual.devices)
        {
            let message = format!("has a mesh of {} devices inside of one of another size", manual.devices);
            return Err(self.cx.lower.module.error(op, message));
        }
        self.shape.manuals.insert(op, manual.clone());
        Ok(manual)
    }

    /// Enters a manual computation inside another: the device cuts its tensors along further axes.
    pub(super) fn manual(&mut self, process: usize, op: &'a IrOp) -> Result<()> {
        let manual = self.manual_of(op)?;
        let device = self.processes[process].number;
        let (region, given) = self.within(process, |cx, _| {
            let given = cx.operands()?.to_vec();
            let given = match &manual {
                Some(manual) => manual.parts(cx, device, &given, &mut Cuts::default())?,
                None => given,
            };
            Ok((cx.only_region()?, given))
        })?;
        self.open(process, op, Frame { manual, ..Frame::of(region) }, &given)
    }

    /// Leaves a manual computation inside another: each member of a group has brought its results.
    pub(super) fn end_manual(
        &mut self,
        manual: &Manual,
        group: &[usize],
        brought: Vec<Vec<Value>>,
    ) -> Result<()> {
        let numbers = group.iter().map(|&member| self.processes[member].number);
        let results: Results = numbers.zip(brought).collect();
        for &member in group {
            let device = self.processes[member].number;
            let wholes = self.within(member, |cx, _| manual.whole(cx, device, &results))?;
            self.leave(member, &wholes)?;
        }
        Ok(())
    }
}

/// The results of devices, by their numbers.
type Results = FxHashMap<usize, Vec<Value>>;

/// Parts, by the tensor they are cut from and their number along each dimension.
type Cuts = FxHashMap<(Value, Vec<usize>), Value>;

impl Manual {
    /// The op's attributes; `None` if it has neither operands nor results, whose shardings name the mesh.
    fn of(cx: &Cx<'_, '_>) -> Result<Option<Manual>> {
        let text = |name: &str| match cx.op.attr(name) {
            Some(Attr::Opaque(text)) => Ok(&**text),
            _ => Err(cx.fail(format!("lacks `{name}`"))),
        };
        let wrong = |name: &str, error: Error| cx.fail(format!("`{name}`: {}", error.message()));
        let read = |name: &str| {
            let shardings = per_value(text(name)?).map_err(|error| wrong(name, error))?;
            if !shardings.iter().all(|sharding| sharding.unreduced.is_empty()) {
                return Err(
                    cx.fail(format!("`{name}` has values that are not reduced, which is not supported"))
                );
            }
            Ok(shardings)
        };
        let (given, returned) = (read("in_shardings")?, read("out_shardings")?);
        let Some(first) = given.iter().chain(&returned).next() else { return Ok(None) };
        let mesh = mesh(cx.lower.module, cx.op, &first.mesh)?;
        if given.iter().chain(&returned).any(|s| s.mesh != first.mesh) {
            return Err(cx.fail("has shardings on different meshes, which is not supported"));
        }
        let devices = mesh.len();
        if devices > MAX_PROCESSES {
            return Err(cx.fail(format!("needs more than {MAX_PROCESSES} devices")));
        }
        let axes = manual_axes(text("manual_axes")?).map_err(|error| wrong("manual_axes", error))?;
        let by_hand: Vec<bool> =
            mesh.axes().iter().map(|axis| axes.iter().any(|name| **name == *axis.name)).collect();
        let position = |name: &str, axis: &AxisPart| {
            if axis.part.is_some() {
                let message =
                    format!("`{name}` cuts along a part of an axis, {axis}, which is not supported");
                return Err(cx.fail(message));
            }
            let at = mesh.axes().iter().position(|known| known.name == axis.name);
            at.ok_or_else(|| cx.fail(format!("the mesh has no axis \"{}\"", axis.name)))
        };
        let cut = |name: &str, shardings: &[TensorSharding], values: &[ValueId]| {
            if shardings.len() != values.len() {
                let message = format!("has {} shardings for {} values", shardings.len(), values.len());
                return Err(cx.fail(message));
            }
            let mut all = Vec::new();
            for (sharding, &value) in shardings.iter().zip(values) {
                match types::leaves(cx.lower.module, cx.op, cx.lower.module.ty(value))?.len() {
                    0 => continue,
                    1 => {}
                    _ => return Err(cx.fail("takes or returns a tuple")),
                }
                let mut dims = Vec::new();
                for dim in &sharding.dims {
                    let axes: Result<Vec<usize>> = dim.axes.iter().map(|axis| position(name, axis)).collect();
                    dims.push(axes?.into_iter().filter(|&axis| by_hand[axis]).collect());
                }
                all.push(dims);
            }
            Ok(all)
        };
        let (operands, results) =
            (cut("in_shardings", &given, &cx.op.operands)?, cut("out_shardings", &returned, &cx.op.results)?);
        let groups = Rc::new(groups(cx, &mesh, devices, &results)?);
        Ok(Some(Manual { mesh, devices, groups, operands, results }))
    }

    /// A device's parts of the operands.
    fn parts(
        &self,
        cx: &mut Cx<'_, '_>,
        device: usize,
        given: &[Value],
        cuts: &mut Cuts,
    ) -> Result<Vec<Value>> {
        let place = place(cx, &self.mesh, device)?;
        let mut parts = Vec::new();
        for (&whole, dims) in given.iter().zip(&self.operands) {
            let at: Vec<usize> = dims.iter().map(|axes| self.number(axes, &place)).collect();
            if let Some(&part) = cuts.get(&(whole, at.clone())) {
                parts.push(part);
                continue;
            }
            let mut part = whole;
            for (dim, (axes, &number)) in dims.iter().zip(&at).enumerate() {
                let count: usize = axes.iter().map(|&axis| self.mesh.axes()[axis].size).product();
                if count == 1 {
                    continue;
                }
                let ty = cx.ty(part);
                let extent = ty.extents().nth(dim);
                let Some(extent) = extent.filter(|e| e.is_multiple_of(count)) else {
                    return Err(cx.fail(format!("{ty} cannot be cut into {count} along axis {dim}")));
                };
                let size = extent / count;
                part = cx.b().slice_axis(part, dim, number * size, (number + 1) * size)?;
            }
            cuts.insert((whole, at), part);
            parts.push(part);
        }
        Ok(parts)
    }

    /// The number of the part at a place, along a dimension that `axes` shard.
    fn number(&self, axes: &[usize], place: &[usize]) -> usize {
        axes.iter().fold(0, |n, &axis| n * self.mesh.axes()[axis].size + place[axis])
    }

    /// The results that a device sees, joined from all devices that differ from it along the axes that shard them.
    fn whole(&self, cx: &mut Cx<'_, '_>, device: usize, results: &Results) -> Result<Vec<Value>> {
        let place = place(cx, &self.mesh, device)?;
        let mut wholes = Vec::new();
        for (i, dims) in self.results.iter().enumerate() {
            wholes.push(self.joined(cx, i, dims, &mut place.clone(), results)?);
        }
        Ok(wholes)
    }

    fn joined(
        &self,
        cx: &mut Cx<'_, '_>,
        result: usize,
        dims: &[Vec<usize>],
        place: &mut [usize],
        results: &Results,
    ) -> Result<Value> {
        let Some(dim) = dims.iter().rposition(|axes| !axes.is_empty()) else {
            let device = self.mesh.device(place);
            let value = device.and_then(|device| results.get(&device)?.get(result).copied());
            return value.ok_or_else(|| cx.fail(format!("lacks result {result} of the device at {place:?}")));
        };
        let count: usize = dims[dim].iter().map(|&axis| self.mesh.axes()[axis].size).product();
        let mut parts = Vec::new();
        for number in 0..count {
            let mut rest = number;
            for &axis in dims[dim].iter().rev() {
                let size = self.mesh.axes()[axis].size;
                place[axis] = rest % size;
                rest /= size;
            }
            parts.push(self.joined(cx, result, &dims[..dim], place, results)?);
        }
        if parts.len() == 1 {
            return Ok(parts[0]);
        }
        cx.b().concatenate(&parts, dim)
    }
}

/// The place of a device: its coordinate along each mesh axis.
fn place(cx: &Cx<'_, '_>, mesh: &Mesh, device: usize) -> Result<Vec<usize>> {
    let place = mesh.point(device);
    place.ok_or_else(|| cx.fail(format!("the mesh does not say where device {device} stands")))
}

/// The devices whose results are joined: those that differ along the axes that shard a result.
fn groups(cx: &Cx<'_, '_>, mesh: &Mesh, devices: usize, results: &[Vec<Vec<usize>>]) -> Result<Groups> {
    let mut ties = Ties::new(devices);
    let mut first: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    for device in 0..devices {
        let mut place = place(cx, mesh, device)?;
        results.iter().flatten().flatten().for_each(|&axis| place[axis] = 0);
        ties.tie(*first.entry(place).or_insert(device), device);
    }
    Groups::new(devices, ties.groups(|_| true)).map_err(|message| cx.fail(message))
}
