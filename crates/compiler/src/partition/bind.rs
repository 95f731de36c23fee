//! The axes of a mesh, seen by the body of a manual computation, as groups of partitions.

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{AxisIndex, Collective, ManualComputation, NamedAxis};
use jarrah_hlo::sharding::{AxisPart, DimSharding, MeshRef, TensorSharding};
use jarrah_hlo::{Builder, Value};

use super::layout::{of_partition, over};

/// A manual computation, and the one in whose body it stands.
pub struct Manual<'m> {
    pub op: &'m ManualComputation,
    pub outer: Option<&'m Manual<'m>>,
}

impl Manual<'_> {
    /// The cut of a tensor along the manual axes alone.
    ///
    /// # Errors
    /// The mesh lacks an axis, or a part of a manual axis cuts the tensor.
    pub fn sharding(&self, stated: &TensorSharding) -> Result<TensorSharding> {
        let mesh = &self.op.mesh;
        let named = |at: usize| AxisPart { name: mesh.axes()[at].name.clone(), part: None };
        let dim = |dim: &DimSharding| {
            let axes = self.op.cut(dim)?;
            Ok(DimSharding { axes: axes.into_iter().map(named).collect(), is_open: false, priority: None })
        };
        let dims = stated.dims.iter().map(dim).collect::<Result<_>>()?;
        let unreduced = self.op.unreduced(stated)?.into_iter().map(named).collect();
        let whole = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), 0);
        Ok(TensorSharding { dims, unreduced, ..whole })
    }
}

/// The manual computation that binds an axis, and the place of the axis in its mesh.
fn binding<'m>(manual: Option<&'m Manual<'m>>, axis: &NamedAxis) -> Result<(&'m Manual<'m>, usize)> {
    let mut at = manual;
    while let Some(manual) = at {
        let axes = manual.op.mesh.axes();
        let found = axes.iter().position(|known| known.name == axis.name);
        match found.filter(|_| manual.op.axes.contains(&axis.name)) {
            Some(found) if axes[found].size == axis.size => return Ok((manual, found)),
            Some(found) => {
                let (name, has, size) = (&axis.name, axes[found].size, axis.size);
                return Err(Error::program(format!(
                    "the axis \"{name}\" of {has} devices is taken for one of {size}"
                )));
            }
            None => at = manual.outer,
        }
    }
    Err(axis.unbound())
}

/// The position along an axis.
pub fn axis_index(manual: Option<&Manual<'_>>, b: &mut Builder, op: &AxisIndex) -> Result<Value> {
    if op.axis.is_of_devices() {
        return b.one(op.clone(), &[]);
    }
    let (manual, at) = binding(manual, &op.axis)?;
    let mesh = &manual.op.mesh;
    let coordinate = |device| mesh.point(device).map_or(0, |point| point[at] as i32);
    let table: Vec<i32> = (0..mesh.len()).map(coordinate).collect();
    of_partition(b, &table)
}

/// A collective over partitions.
pub fn collective(manual: Option<&Manual<'_>>, op: &Collective) -> Result<Collective> {
    if op.over.axes.iter().all(NamedAxis::is_of_devices) {
        return Ok(op.clone());
    }
    let mut axes = Vec::new();
    let mut bound: Option<&Manual<'_>> = None;
    for axis in &op.over.axes {
        let (found, at) = binding(manual, axis)?;
        if bound.is_some_and(|bound| bound.op.mesh != found.op.mesh) {
            return Err(Error::program("a collective is over axes of different meshes"));
        }
        bound = Some(found);
        axes.push(at);
    }
    let Some(manual) = bound else { return Err(op.over.unbound()) };
    let mesh = &manual.op.mesh;
    let points: Vec<Vec<usize>> = (0..mesh.len()).filter_map(|device| mesh.point(device)).collect();
    let mut groups = Vec::new();
    for (device, point) in points.iter().enumerate() {
        // The first device of those that differ along these axes alone stands for them.
        if axes.iter().any(|&at| point[at] != 0) {
            continue;
        }
        let member = |position: usize| {
            let (mut rest, mut point) = (position, points[device].clone());
            for &at in axes.iter().rev() {
                point[at] = rest % mesh.axes()[at].size;
                rest /= mesh.axes()[at].size;
            }
            let device = mesh.device(&point).ok_or_else(|| Error::internal("a point outside of its mesh"))?;
            Ok(device as u32)
        };
        match &op.over.groups {
            None => groups.push((0..op.over.positions()).map(member).collect::<Result<Vec<u32>>>()?),
            Some(stated) => {
                for group in stated {
                    groups.push(group.iter().map(|&at| member(at as usize)).collect::<Result<Vec<u32>>>()?);
                }
            }
        }
    }
    Ok(Collective { kind: op.kind.clone(), over: over(mesh.len(), groups) })
}
