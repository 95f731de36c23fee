//! The axes of a mesh, seen by the body of a manual computation, as groups of partitions.

use jarrah_base::{Error, Literal, Result};
use smallvec::smallvec;

use super::super::{DynamicSlice, ManualComputation};
use super::{AxisGroups, AxisIndex, Collective, NamedAxis};
use crate::builder::Builder;
use crate::program::Value;

/// The manual computation that binds an axis, and the place of the axis in its mesh; `manuals` stand around the op, the outermost first.
fn binding<'m>(
    manuals: &[&'m ManualComputation],
    axis: &NamedAxis,
) -> Result<(&'m ManualComputation, usize)> {
    for &manual in manuals.iter().rev() {
        let axes = manual.mesh.axes();
        let found = axes.iter().position(|known| known.name == axis.name);
        match found.filter(|_| manual.axes.contains(&axis.name)) {
            Some(found) if axes[found].size == axis.size => return Ok((manual, found)),
            Some(found) => {
                let (name, has, size) = (&axis.name, axes[found].size, axis.size);
                return Err(Error::program(format!(
                    "the axis \"{name}\" of {has} devices is taken for one of {size}"
                )));
            }
            None => {}
        }
    }
    Err(axis.unbound())
}

impl AxisGroups {
    /// Groups of so many partitions.
    pub fn of_partitions(partitions: usize, groups: Vec<Vec<u32>>) -> AxisGroups {
        let everyone = groups.len() == 1 && groups[0].iter().copied().eq(0..partitions as u32);
        let groups = (!everyone).then(|| groups.into_iter().map(Into::into).collect());
        AxisGroups { axes: Box::new([NamedAxis::partition(partitions)]), groups }
    }
}

impl AxisIndex {
    /// The position of each partition along the axis, which one of the manual computations around the op binds, the outermost first.
    ///
    /// # Errors
    /// No manual computation of the list binds the axis, or one binds its name with another size.
    pub fn of_partitions(&self, manuals: &[&ManualComputation]) -> Result<Vec<i32>> {
        let (manual, at) = binding(manuals, &self.axis)?;
        let mesh = &manual.mesh;
        let coordinate = |device| mesh.point(device).map_or(0, |point| point[at] as i32);
        Ok((0..mesh.len()).map(coordinate).collect())
    }

    /// The entry of a table with the number of this partition.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn entry(b: &mut Builder, table: &[i32]) -> Result<Value> {
        if let Some(&first) = table.first()
            && table.iter().all(|&entry| entry == first)
        {
            return b.scalar(first);
        }
        let here = b.one(AxisIndex { axis: NamedAxis::partition(table.len()) }, &[])?;
        if table.iter().copied().eq(0..table.len() as i32) {
            return Ok(here);
        }
        let table = b.constant(Literal::from_slice(&[table.len()], table)?)?;
        let entry = b.one(DynamicSlice { sizes: smallvec![1] }, &[table, here])?;
        b.reshape(entry, &[])
    }
}

impl Collective {
    /// The collective among partitions that this one is inside of manual computations, the outermost first.
    ///
    /// # Errors
    /// No manual computation of the list binds an axis, or one binds its name with another size; the axes belong to different meshes.
    pub fn of_partitions(&self, manuals: &[&ManualComputation]) -> Result<Collective> {
        if self.over.axes.iter().all(NamedAxis::is_of_devices) {
            return Ok(self.clone());
        }
        let mut axes = Vec::new();
        let mut bound: Option<&ManualComputation> = None;
        for axis in &self.over.axes {
            let (found, at) = binding(manuals, axis)?;
            if bound.is_some_and(|bound| bound.mesh != found.mesh) {
                return Err(Error::program("a collective is over axes of different meshes"));
            }
            bound = Some(found);
            axes.push(at);
        }
        let Some(manual) = bound else { return Err(self.over.unbound()) };
        let mesh = &manual.mesh;
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
                let device = mesh.device(&point);
                let device = device.ok_or_else(|| Error::internal("a point outside of its mesh"))?;
                Ok(device as u32)
            };
            match &self.over.groups {
                None => groups.push((0..self.over.positions()).map(member).collect::<Result<Vec<u32>>>()?),
                Some(stated) => {
                    for group in stated {
                        let group = group.iter().map(|&at| member(at as usize));
                        groups.push(group.collect::<Result<Vec<u32>>>()?);
                    }
                }
            }
        }
        Ok(Collective { kind: self.kind.clone(), over: AxisGroups::of_partitions(mesh.len(), groups) })
    }
}
