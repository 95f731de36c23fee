//! Functions of the slices of arrays, a slice for each device.

use jarrah_base::{Error, Location, Result};
use jarrah_hlo::sharding::Mesh;
use jarrah_tree::Tree;

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::function::{Function, Leaves, fill, or_fail};
use crate::jit::{Jit, jit};
use crate::partition_spec::{PartitionSpec, SpecAxes};
use crate::shard_map::shard_map_at;
use crate::sharded::NamedSharding;
use crate::trace::{is_tracing, users_line};

/// `y[i] = f(x[i])` for every index `i` of the first dimension, each on a device of its own, compiled; collectives of
/// [`lax`](crate::lax) speak of the devices by the name of the axis.
///
/// All arrays of the argument have the same first extent, and so have those of the result. Index `i` runs on the `i`-th device of the default
/// device's client, where its slices of the arguments are laid and its slices of the results stay. An array that `f` captures is whole at each
/// device. [`shard_map`](crate::shard_map) is the same with any cut of the arrays; [`vmap_with`](crate::vmap_with) with a named axis the same on one
/// device.
///
/// # Errors
///
/// A program error if an array has no dimension, the first extents differ, or the client has fewer devices than that.
///
/// ```
/// use std::sync::Arc;
/// use jarrah_array::{Array, lax, pmap, set_client};
/// use jarrah_cpu::{CpuClient, CpuOptions};
///
/// set_client(Arc::new(CpuClient::with_options(CpuOptions { devices: 3, ..CpuOptions::default() })));
/// let shares = pmap(|x: &Array| x / lax::psum(x, "device"), "device");
/// let y = shares(&Array::from_slice(&[1.0f32, 2.0, 5.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.125, 0.25, 0.625]);
/// assert_eq!(y.shards().len(), 3);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.pmap`.
#[track_caller]
pub fn pmap<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R> + Clone>(
    f: F,
    axis: &str,
) -> impl Fn(&A) -> R + use<A, R, F> {
    let made = users_line(Location::caller());
    let axis: Box<str> = axis.into();
    let spec = PartitionSpec::new([SpecAxes::from(&*axis)]);
    let (name, cut) = (axis.clone(), spec.clone());
    let all = move |args: &A| {
        let f = f.clone();
        let mesh = or_fail(made, mesh(args, &name));
        // The part of a device has a first dimension of one.
        let one = move |args: &A| each(&f.apply(&each(args, |x| x.squeeze(0))), |y| y.expand_dims(0));
        let cut = std::slice::from_ref(&cut);
        shard_map_at(made, one, &mesh, cut, cut)(args)
    };
    let compiled: Jit<A, R, _> = jit(all);
    move |args| {
        let laid = || -> Result<Vec<Array>> {
            let mesh = mesh(args, &axis)?;
            let arrays = Leaves::of(args).arrays;
            // In a function that is traced, arrays lie nowhere yet.
            if is_tracing() {
                return Ok(arrays);
            }
            let sharding = NamedSharding::new(&mesh, spec.clone())?;
            arrays.iter().map(|x| x.to_sharding(&sharding)).collect()
        };
        let laid = laid().map_err(|error| error.op("pmap"));
        match laid.and_then(|laid| compiled.call(fill(args, laid))) {
            Ok(result) => result,
            Err(error) => fail_at(made, with_context(error)),
        }
    }
}

/// The mesh of as many devices as the first dimension of the arrays has indices.
fn mesh<A: Tree<Array>>(args: &A, axis: &str) -> Result<Mesh> {
    let leaves = Leaves::of(args);
    let mut first: Option<(usize, String)> = None;
    for (array, path) in leaves.with_paths() {
        let place = path.below("argument");
        let Some(&extent) = array.shape().first() else {
            let error = format!("{place}, {}, has no dimension to map over", array.ty());
            return Err(Error::program(error)
                .op("pmap")
                .help("capture an array that is whole at each device"));
        };
        match &first {
            Some((other, of)) if *other != extent => {
                let error = format!("the first extent of {of} is {other}, that of {place} is {extent}");
                return Err(Error::program(error).op("pmap"));
            }
            Some(_) => {}
            None => first = Some((extent, place)),
        }
    }
    let (count, _) = first.ok_or_else(|| Error::program("there is no array to map over").op("pmap"))?;
    Mesh::new(&[(axis, count)]).map_err(|error| error.op("pmap"))
}

/// A tree with all of its arrays changed.
fn each<T: Tree<Array>>(tree: &T, change: impl Fn(&Array) -> Array) -> T {
    fill(tree, Leaves::of(tree).arrays.iter().map(change).collect::<Vec<_>>())
}
