//! The parts of a tensor that partitions have: how one is cut out of the whole, and the whole joined of all.

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{
    AxisGroups, AxisIndex, Collective, CollectiveKind, Comparison, DynamicSlice, ManualComputation, Reducer,
};
use jarrah_hlo::sharding::{AxisPart, DimSharding, Mesh, MeshRef, TensorSharding, Unreduced};
use jarrah_hlo::{Builder, Value};

/// The part of a tensor that each partition has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The extents of a part.
    pub extents: Vec<usize>,
    /// For each partition, the number of its part along each dimension.
    numbers: Vec<Vec<usize>>,
    /// The partitions in the order of the mesh's points.
    order: Vec<usize>,
    /// The number of parts along each dimension.
    counts: Vec<usize>,
    /// For each partition the group of those that have parts of a sum with it, in order; empty where parts are no sums.
    sums: Vec<Vec<u32>>,
}

impl Layout {
    /// The parts of a tensor of this type, where the devices of the mesh are the partitions.
    ///
    /// # Errors
    /// The sharding does not fit the tensor; the devices of the mesh are not numbered from 0.
    pub fn new(sharding: &TensorSharding, mesh: &Mesh, ty: Type) -> Result<Layout> {
        let dims = ty.dims();
        let extents = sharding.shard_dims(mesh, &dims)?;
        let counts: Vec<usize> = dims.iter().zip(&extents).map(|(&n, &part)| n / part.max(1)).collect();
        // A dimension without elements is cut into parts without elements.
        let counts = counts.iter().zip(sharding.parts(mesh)?).map(|(&n, parts)| n.max(parts)).collect();
        let mut numbers = vec![None; mesh.len()];
        for (device, slices) in mesh.devices().zip(sharding.slices(mesh, &dims)?) {
            let number =
                slices.iter().zip(&extents).map(|(slice, &part)| slice.start / part.max(1)).collect();
            let place = numbers.get_mut(device);
            *place.ok_or_else(|| Error::program(format!("device {device} is none of the partitions")))? =
                Some(number);
        }
        let numbers: Option<Vec<_>> = numbers.into_iter().collect();
        let numbers = numbers.ok_or_else(|| Error::program("the mesh leaves partitions out"))?;
        Ok(Layout { extents, numbers, order: mesh.devices().collect(), counts, sums: sums(sharding, mesh)? })
    }

    /// Whether each partition has the whole tensor.
    pub fn is_whole(&self) -> bool {
        self.counts.iter().all(|&count| count == 1) && self.sums.is_empty()
    }

    /// Whether parts are those of a sum.
    pub fn is_sum(&self) -> bool {
        !self.sums.is_empty()
    }

    /// The number of partitions.
    fn partitions(&self) -> usize {
        self.numbers.len()
    }

    /// This partition's part of a whole tensor.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn cut(&self, b: &mut Builder, whole: Value) -> Result<Value> {
        if self.is_whole() {
            return Ok(whole);
        }
        let mut operands = vec![whole];
        for (dim, &extent) in self.extents.iter().enumerate() {
            let start = |at: &Vec<usize>| i32::try_from(at[dim] * extent);
            let starts: std::result::Result<Vec<i32>, _> = self.numbers.iter().map(start).collect();
            let starts = starts.map_err(|_| {
                Error::program(format!(
                    "{} has more than 2^31 elements along axis {dim}, which is cut",
                    b.ty(whole)
                ))
            })?;
            operands.push(AxisIndex::entry(b, &starts)?);
        }
        let part = match self.counts.iter().all(|&count| count == 1) {
            true => whole,
            false => b.one(DynamicSlice { sizes: self.extents.iter().copied().collect() }, &operands)?,
        };
        if self.sums.is_empty() {
            return Ok(part);
        }
        // The first has the value, the others zeros.
        let mut first = vec![0; self.partitions()];
        self.sums.iter().for_each(|group| first[group[0] as usize] = 1);
        let first = AxisIndex::entry(b, &first)?;
        let (one, zeros) = (b.scalar(1i32)?, b.zeros_like(part)?);
        let is_first = b.compare(Comparison::Eq, first, one)?;
        let is_first = b.broadcast_in_dim(is_first, &self.extents, &[])?;
        b.select(is_first, part, zeros)
    }

    /// The whole tensor of which each partition has its part.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn join(&self, b: &mut Builder, part: Value) -> Result<Value> {
        let part = match self.sums.is_empty() {
            true => part,
            false => {
                let over = AxisGroups::of_partitions(self.partitions(), self.sums.clone());
                b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[part])?
            }
        };
        if self.counts.iter().all(|&count| count == 1) {
            return Ok(part);
        }
        let whole: Vec<usize> = self.counts.iter().zip(&self.extents).map(|(n, part)| n * part).collect();
        if whole.contains(&0) {
            return b.zeros(b.ty(part).with_dims(whole));
        }
        let parts: usize = self.counts.iter().product();
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); self.partitions() / parts];
        let mut holders: Vec<Vec<u32>> = vec![Vec::new(); parts];
        // In the order of the mesh, the holders of each part at one place differ along the axes alone that cut the tensor: along the
        // others, which an outer manual computation may bind, they may have different parts.
        for &partition in &self.order {
            let at = &self.numbers[partition];
            let row = at.iter().zip(&self.counts).fold(0, |row, (&at, &count)| row * count + at);
            holders[row].push(partition as u32);
        }
        for holders in &holders {
            if holders.len() != groups.len() {
                return Err(Error::internal("parts of a tensor lie on different numbers of partitions"));
            }
            for (group, &holder) in groups.iter_mut().zip(holders) {
                group.push(holder);
            }
        }
        let over = AxisGroups::of_partitions(self.partitions(), groups);
        let all = b.one(Collective { kind: CollectiveKind::AllGather, over }, &[part])?;
        let rank = self.counts.len();
        let all = b.reshape(all, &[&self.counts[..], &self.extents].concat())?;
        let order: Vec<usize> = (0..rank).flat_map(|dim| [dim, rank + dim]).collect();
        let all = b.transpose(all, &order)?;
        b.reshape(all, &whole)
    }
}

/// The groups of devices that have parts of a sum: those that differ along the axes along which it is not reduced.
fn sums(sharding: &TensorSharding, mesh: &Mesh) -> Result<Vec<Vec<u32>>> {
    if sharding.unreduced.is_empty() {
        return Ok(Vec::new());
    }
    if sharding.reducer != Unreduced::Sum {
        return Err(Error::program("parts of a maximum or a minimum are not supported here"));
    }
    if let Some(part) = sharding.unreduced.iter().find(|axis| axis.part.is_some()) {
        return Err(Error::program(format!("a sum is not reduced along {part}, a part of an axis")));
    }
    let apart = |name: &str| sharding.unreduced.iter().any(|axis| *axis.name == *name);
    let mut groups: Vec<(Vec<usize>, Vec<u32>)> = Vec::new();
    for device in mesh.devices() {
        let point = mesh.point(device).unwrap_or_default();
        let axes = mesh.axes().iter().zip(point);
        let rest: Vec<usize> = axes.filter(|(axis, _)| !apart(&axis.name)).map(|(_, at)| at).collect();
        match groups.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, group)) => group.push(device as u32),
            None => groups.push((rest, vec![device as u32])),
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// The cut of a tensor along the manual axes alone.
///
/// # Errors
/// The mesh lacks an axis, or a part of a manual axis cuts the tensor.
pub fn manual_sharding(op: &ManualComputation, stated: &TensorSharding) -> Result<TensorSharding> {
    let named = |at: usize| AxisPart { name: op.mesh.axes()[at].name.clone(), part: None };
    let dim = |dim: &DimSharding| {
        let axes = op.cut(dim)?;
        Ok(DimSharding { axes: axes.into_iter().map(named).collect(), is_open: false, priority: None })
    };
    let dims = stated.dims.iter().map(dim).collect::<Result<_>>()?;
    let unreduced = op.unreduced(stated)?.into_iter().map(named).collect();
    let whole = TensorSharding::replicated(MeshRef::Inline(op.mesh.clone()), 0);
    Ok(TensorSharding { dims, unreduced, ..whole })
}
