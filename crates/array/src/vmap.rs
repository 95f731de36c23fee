use jarrah_base::{Error, Location, Type};
use jarrah_hlo::ops::{Axes, NamedAxis, TransposeAxes};
use jarrah_transforms::{Batching, batch_along};
use jarrah_tree::Tree;

use crate::array::Array;
use crate::checkify;
use crate::error::{fail_at, with_context};
use crate::function::{Function, Leaves, Shadows, TracedFunction, call, fill, or_fail, trace_writing};
use crate::mutable::{write_back, written, written_at};
use crate::random;
use crate::trace::{apply_at, within_axis};

/// `f` mapped over a batch axis: the first axis of every array in the argument and in the result.
///
/// # Errors
///
/// A program error if an array of the argument is a scalar, or the first axes differ in extent.
///
/// ```
/// use jarrah_array::{Array, vmap};
/// let rows = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// let sums = vmap(|row: &Array| row.sum(..))(&rows);
/// assert_eq!(sums.to_vec::<f32>()?, [3.0, 7.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vmap<A: Tree<Array>, R: Tree<Array>>(f: impl Function<A, Output = R>) -> impl Fn(&A) -> R {
    vmap_axes(f, &[Some(0)], &[Some(0)])
}

/// `f` mapped over a batch axis; the lists give its position in each array.
///
/// The lists hold one position per leaf, in order, or one for all; negative ones count from the end. `None` means
/// that the array has no batch axis; for a result, that all of the batch agrees, which is checked.
///
/// # Errors
///
/// A program error if an array lacks its axis, if the mapped axes differ in extent or no array has one, or if a result declared
/// without the axis differs along it.
///
/// ```
/// use jarrah_array::{Array, vmap_axes};
/// let dot = |(a, b): &(Array, Array)| (a * b).sum(..);
/// let (m, v) = (Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]), Array::from_slice(&[1.0f32, 10.0]));
/// let columns = vmap_axes(dot, &[Some(1), None], &[Some(0)])(&(m, v));
/// assert_eq!(columns.to_vec::<f32>()?, [31.0, 42.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vmap_axes<A: Tree<Array>, R: Tree<Array>>(
    f: impl Function<A, Output = R>,
    in_axes: &[Option<isize>],
    out_axes: &[Option<isize>],
) -> impl Fn(&A) -> R {
    vmap_with(f, VmapOptions::default().in_axes(in_axes).out_axes(out_axes))
}

/// How [`vmap_with`] maps: by default over the first axis of every array, without a name for it.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// // The columns of x times y, plus the number of the column, as columns.
/// let f = |(x, y): &(Array, Array)| x * y + lax::axis_index("column");
/// let options = VmapOptions::default().in_axes(&[Some(1), None]).out_axes(&[Some(-1)]);
/// let f = vmap_with(f, options.axis_name("column").axis_size(3));
/// let y = f(&(Array::arange(6).reshape(&[2, 3]), Array::from_slice(&[10i32, 100])));
/// assert_eq!(y.to_string(), "i32[2,3]\n[[  0,  11,  22],\n [300, 401, 502]]");
/// ```
#[derive(Clone, Debug)]
pub struct VmapOptions {
    in_axes: Vec<Option<isize>>,
    out_axes: Vec<Option<isize>>,
    name: Option<String>,
    size: Option<usize>,
}

impl Default for VmapOptions {
    fn default() -> Self {
        VmapOptions { in_axes: vec![Some(0)], out_axes: vec![Some(0)], name: None, size: None }
    }
}

impl VmapOptions {
    /// The batch axis of each array of the argument, or one for all: see [`vmap_axes`].
    pub fn in_axes(self, axes: &[Option<isize>]) -> Self {
        VmapOptions { in_axes: axes.to_vec(), ..self }
    }

    /// The batch axis of each array of the result, or one for all: see [`vmap_axes`].
    pub fn out_axes(self, axes: &[Option<isize>]) -> Self {
        VmapOptions { out_axes: axes.to_vec(), ..self }
    }

    /// A name for the batch axis, by which the function may speak of the whole batch: [`crate::lax::psum`].
    pub fn axis_name(self, name: &str) -> Self {
        VmapOptions { name: Some(name.to_owned()), ..self }
    }

    /// Sets the extent of the batch axis, for arguments none of whose arrays has a batch axis.
    pub fn axis_size(self, size: usize) -> Self {
        VmapOptions { size: Some(size), ..self }
    }
}

/// `f` mapped over a batch axis, with options: which axis it is, its name, its extent.
///
/// # Errors
///
/// The errors of [`vmap_axes`]; with [`VmapOptions::axis_size`] no array needs a mapped axis.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let center = |x: &Array| x - lax::pmean(x, "batch");
/// let x = Array::from_slice(&[1.0f32, 2.0, 6.0]);
/// let centered = vmap_with(center, VmapOptions::default().axis_name("batch"))(&x);
/// assert_eq!(centered.to_vec::<f32>()?, [-2.0, -1.0, 3.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vmap_with<A: Tree<Array>, R: Tree<Array>>(
    f: impl Function<A, Output = R>,
    options: VmapOptions,
) -> impl Fn(&A) -> R {
    let made = Location::caller();
    let VmapOptions { in_axes, out_axes, name, size: given } = options;
    move |args| {
        let leaves = Leaves::of(args);
        let axes = spread(&in_axes, leaves.arrays.len(), "argument", made);
        let mut size = given.map(|size| (size, "axis_size".to_owned()));
        let mut types: Vec<Type> = Vec::new();
        let mut moved: Vec<Array> = Vec::new();
        for ((array, path), axis) in leaves.with_paths().zip(&axes) {
            let Some(axis) = axis else {
                types.push(array.ty());
                moved.push(array.clone());
                continue;
            };
            let place = path.below("argument");
            let axis = resolve(*axis, array.rank(), &place, array.ty(), made);
            let extent = array.shape()[axis];
            match &size {
                Some((known, first)) if *known != extent => {
                    let error = format!(
                        "the mapped axes have different extents: {known} in {first}, {extent} in {place} ({})",
                        array.ty()
                    );
                    let help =
                        "map axes of one extent; vmap_axes takes an array whole where its axis is None";
                    fail_at(made, Error::program(error).op("vmap").help(help))
                }
                Some(_) => {}
                None => size = Some((extent, format!("{place} ({})", array.ty()))),
            }
            let array = move_axis(array, axis, 0, made);
            types.push(array.ty().without_leading());
            moved.push(array);
        }
        let Some((size, _)) = size else {
            let error = Error::program("no argument has a mapped axis").op("vmap");
            fail_at(made, error.help("give the batch's extent to VmapOptions::axis_size"))
        };
        let prototype_args = fill(args, types.iter().map(|&ty| Array::abstracted(ty)).collect::<Vec<_>>());
        let axis = name.as_deref().map(|name| NamedAxis { name: name.into(), size });
        let TracedFunction { traced, prototype } = within_axis(axis, || {
            trace_writing("vmap", made, &prototype_args, &types, Shadows::Drop, |args: &A| f.apply(args))
        });
        for &(i, used) in &traced.keys {
            if let Some(words) = leaves.arrays.get(i) {
                random::consume_at(words, used);
            }
        }
        let mut batched: Vec<bool> = axes.iter().map(Option::is_some).collect();
        batched.resize(traced.program.params().len(), false);
        let out_axes = spread(&out_axes, traced.own_results(), "result", made);
        let mut force: Vec<bool> = out_axes.iter().map(Option::is_some).collect();
        force.resize(traced.program.results().len(), false);
        let batching = Batching { axis: name.as_deref(), one_by_one: checkify::is_looking() };
        let program = batch_along(&traced.program, size, batching, &batched, &force);
        let (program, has_axis) = or_fail(made, program);
        for (used, has_axis) in written(&traced.cells).zip(&has_axis[traced.own_results()..]) {
            if *has_axis {
                let error = Error::program(
                    "a Ref from outside is written with a value that differs along the mapped axis",
                );
                let error =
                    used.written.into_iter().fold(error, |error, line| error.label(line, "it is written"));
                let help = "return the value, or reduce it over the batch first: give the axis a name and use lax::psum";
                fail_at(made, with_context(error.op("vmap").help(help)));
            }
        }
        let mut results = call(made, program, &moved, &traced.captures);
        write_back(written_at(&traced.cells), &mut results, made);
        let mut placed = Vec::with_capacity(results.len());
        let paths = Leaves::of(&prototype).structure.paths();
        for (((array, path), has_axis), axis) in results.iter().zip(paths).zip(has_axis).zip(&out_axes) {
            let place = path.below("result");
            placed.push(match axis {
                Some(axis) => {
                    let axis = resolve(*axis, array.rank(), &place, array.ty(), made);
                    move_axis(array, 0, axis, made)
                }
                None if has_axis => {
                    let error = format!("{place} differs along the mapped axis, but its out axis is None");
                    fail_at(
                        made,
                        Error::program(error)
                            .op("vmap")
                            .help("give the axis of the result where the elements are stacked"),
                    )
                }
                None => array.clone(),
            });
        }
        fill(&prototype, placed)
    }
}

/// One position per leaf.
fn spread(axes: &[Option<isize>], leaves: usize, what: &str, made: Location) -> Vec<Option<isize>> {
    match axes {
        [one] => vec![*one; leaves],
        many if many.len() == leaves => many.to_vec(),
        many => {
            let error = format!("{} axes are given for {leaves} {what} arrays", many.len());
            fail_at(
                made,
                Error::program(error).op("vmap").help("give one axis per array, in order, or one for all"),
            )
        }
    }
}

/// `x` with the axis `from` moved to the position `to`.
fn move_axis(x: &Array, from: usize, to: usize, made: Location) -> Array {
    let mut permutation: Axes = (0..x.rank()).filter(|&axis| axis != from).collect();
    permutation.insert(to, from);
    if permutation.is_sorted() {
        return x.clone();
    }
    apply_at(made, TransposeAxes { permutation }, &[x]).swap_remove(0)
}

fn resolve(axis: isize, rank: usize, place: &str, ty: Type, made: Location) -> usize {
    let resolved = if axis < 0 { axis + rank as isize } else { axis };
    if (0..rank as isize).contains(&resolved) {
        return resolved as usize;
    }
    fail_at(
        made,
        Error::program(format!("{place}, {ty}, has no axis {axis}"))
            .op("vmap")
            .help("map along an axis that the array has; None takes it whole"),
    )
}
