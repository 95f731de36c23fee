//! Functions of the devices of a mesh.

use std::sync::Arc;

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::{ManualComputation, NamedAxis};
use jarrah_hlo::sharding::{Mesh, MeshRef, TensorSharding};
use jarrah_hlo::{Builder, Value, varying};
use jarrah_tree::Tree;

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::function::{Function, Leaves, Shadows, TracedFunction, fill, or_fail, trace_function};
use crate::partition_spec::PartitionSpec;
use crate::random;
use crate::sharded::{OnMesh, any_sharded};
use crate::trace::{apply_at, is_tracing, named_axes, within_axis};

/// `f` on each device of a mesh, on the device's parts of the arrays: collectives of [`lax`](crate::lax) speak of the axes of the mesh.
///
/// The lists say how each array of the argument and of the result is cut: one [`PartitionSpec`] per leaf, in order, or one for all. An
/// array that is not cut along an axis is whole at each device along it. An array that `f` captures is whole at each device. Where a
/// result is not cut along an axis, `f` has to compute the same along it: sum or gather over the axis first.
///
/// Derivatives, maps and compiled functions take it as any function. On a machine with one device, it computes what all devices of the mesh
/// would.
///
/// # Errors
///
/// A program error if an array has fewer dimensions than its spec or cannot be cut evenly, a spec names an axis that the mesh has not, or a
/// result that is not cut along an axis differs along it.
///
/// ```
/// use jarrah_array::{Array, Mesh, P, grad, lax, shard_map};
/// let mesh = Mesh::new(&[("data", 4)])?;
/// // Each device has two rows; the loss is the mean over all.
/// let loss = |(w, x): &(Array, Array)| lax::pmean(&(x.matmul(w)).square().mean(..), "data");
/// let loss = shard_map(loss, &mesh, &[P![], P!["data", None]], &[P![]]);
/// let (w, x) = (Array::ones(&[2]), Array::arange(16).astype(jarrah_array::DType::F32).reshape(&[8, 2]));
/// assert_eq!(loss(&(w.clone(), x.clone())).item::<f32>()?, 309.0);
/// let slope = grad(move |w: &Array| loss(&(w.clone(), x.clone())))(&w);
/// assert_eq!(slope.to_vec::<f32>()?, [294.0, 324.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.shard_map`.
#[track_caller]
pub fn shard_map<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>>(
    f: F,
    mesh: &Mesh,
    in_specs: &[PartitionSpec],
    out_specs: &[PartitionSpec],
) -> impl Fn(&A) -> R + use<A, R, F> {
    shard_map_at(Location::caller(), f, mesh, in_specs, out_specs)
}

/// [`shard_map`] as this line asks for it.
pub(crate) fn shard_map_at<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>>(
    made: Location,
    f: F,
    mesh: &Mesh,
    in_specs: &[PartitionSpec],
    out_specs: &[PartitionSpec],
) -> impl Fn(&A) -> R + use<A, R, F> {
    let (mesh, in_specs, out_specs) = (mesh.clone(), in_specs.to_vec(), out_specs.to_vec());
    let names: Vec<Box<str>> = mesh.axes().iter().map(|axis| axis.name.clone()).collect();
    move |args| {
        if let Some(axis) = named_axes().iter().find(|axis| names.contains(&axis.name)) {
            let error = format!("the axis \"{}\" of the mesh has the name of an axis around", axis.name);
            let help = "give the axis of the mesh, or that of the map around, another name";
            fail_at(made, with_context(Error::program(error).op("shard_map").help(help)));
        }
        let leaves = Leaves::of(args);
        let specs = spread(&in_specs, leaves.arrays.len(), "argument", made);
        let mut operands = Vec::new();
        for ((array, path), spec) in leaves.with_paths().zip(specs) {
            let cuts = spec.cuts(&mesh, array.rank());
            operands.push(placed(cuts, &path.below("argument"), array.ty(), made));
        }
        let mut types: Vec<Type> = Vec::new();
        for ((array, path), sharding) in leaves.with_paths().zip(&operands) {
            let part = sharding.part(array.ty());
            types.push(placed(part, &path.below("argument"), array.ty(), made));
        }
        let parts = fill(args, types.iter().map(|&ty| Array::abstracted(ty)).collect::<Vec<_>>());
        let axes = mesh.axes().iter().map(|axis| NamedAxis { name: axis.name.clone(), size: axis.size });
        let TracedFunction { traced, prototype } = within_axes(axes.collect(), || {
            trace_function("shard_map", made, &parts, &types, Shadows::Drop, |args: &A| f.apply(args))
        });
        for &(i, used) in &traced.keys {
            if let Some(words) = leaves.arrays.get(i) {
                random::consume_at(words, used);
            }
        }
        let body = traced.program;
        let whole = |ty: Type| TensorSharding::replicated(MeshRef::Inline(mesh.clone()), ty.rank());
        operands.extend(body.params()[leaves.arrays.len()..].iter().map(|param| whole(param.ty)));
        let paths = Leaves::of(&prototype).structure.paths();
        let specs = spread(&out_specs, body.results().len(), "result", made);
        let mut results = Vec::new();
        for ((ty, path), spec) in body.result_types().into_iter().zip(paths).zip(specs) {
            results.push((placed(spec.cuts(&mesh, ty.rank()), &path.below("result"), ty, made), path, ty));
        }
        let op = ManualComputation {
            body: body.into(),
            mesh: mesh.clone(),
            axes: names.clone(),
            operands,
            results: results.iter().map(|(cuts, ..)| cuts.clone()).collect(),
        };
        let sets =
            |all: &[TensorSharding]| all.iter().map(|dims| axis_set(&op, dims)).collect::<Result<Vec<u64>>>();
        let given = or_fail(made, sets(&op.operands));
        let differ = or_fail(made, varying(&op.body, &names, &given));
        for ((dims, path, ty), differs) in results.iter().zip(differ) {
            let uncut = differs & !or_fail(made, axis_set(&op, dims));
            if uncut != 0 {
                let name = &names[uncut.trailing_zeros() as usize];
                let place = path.below("result");
                let error =
                    format!("{place}, {ty}, may differ along the axis \"{name}\", and is not cut along it");
                let help = format!(
                    "cut it along \"{name}\" in out_specs, or sum or gather it: lax::psum, lax::all_gather"
                );
                fail_at(made, with_context(Error::program(error).op("shard_map").help(help)));
            }
        }
        let given: Vec<&Array> = leaves.arrays.iter().chain(&traced.captures).collect();
        // Arrays that lie over devices stay there.
        if !is_tracing() && any_sharded(&given) {
            return fill(&prototype, or_fail(made, on_devices(op, &given)));
        }
        fill(&prototype, apply_at(made, op, &given))
    }
}

/// A manual computation on the devices over which its operands lie.
#[track_caller]
fn on_devices(op: ManualComputation, operands: &[&Array]) -> Result<Vec<Array>> {
    let mut b = Builder::new("shard_map");
    let values: Vec<Value> = operands.iter().map(|array| b.param(array.ty(), "")).collect();
    let results = b.push(op, &values)?;
    let program = Arc::new(b.finish(&results)?);
    let stated = vec![None; program.results().len()];
    let on = OnMesh::new(&program, operands, stated, None)?;
    on.ok_or_else(|| Error::internal("operands that lie over no devices"))?.run(operands)
}

/// The axes of the mesh that cut a tensor.
fn axis_set(op: &ManualComputation, sharding: &TensorSharding) -> Result<u64> {
    let axes = op.differing(sharding)?;
    Ok(axes.into_iter().fold(0, |set, at| set | 1u64.checked_shl(at as u32).unwrap_or(0)))
}

/// A cut, or the error of the array at a place.
fn placed<T>(cut: Result<T>, place: &str, ty: Type, made: Location) -> T {
    match cut {
        Ok(cut) => cut,
        Err(error) => {
            let error = error.op("shard_map").context(format!("for {place}, {ty}"));
            fail_at(made, with_context(error.help("give a spec that fits: P![] leaves an array whole")))
        }
    }
}

/// One spec per leaf.
fn spread<'s>(
    specs: &'s [PartitionSpec],
    leaves: usize,
    what: &str,
    made: Location,
) -> Vec<&'s PartitionSpec> {
    match specs {
        [one] => vec![one; leaves],
        many if many.len() == leaves => many.iter().collect(),
        many => {
            let error = format!("{} specs are given for {leaves} {what} arrays", many.len());
            let help = "give one spec per array, in order, or one for all";
            fail_at(made, with_context(Error::program(error).op("shard_map").help(help)))
        }
    }
}

/// Runs `f` on the devices along these axes.
fn within_axes<R>(mut axes: Vec<NamedAxis>, f: impl FnOnce() -> R) -> R {
    match axes.is_empty() {
        true => f(),
        false => {
            let first = axes.remove(0);
            within_axis(Some(first), || within_axes(axes, f))
        }
    }
}
