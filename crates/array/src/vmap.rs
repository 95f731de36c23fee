use jarrah_base::{Dim, Error, Location, Type};
use jarrah_tree::Tree;

use crate::array::Array;
use crate::error::fail;
use crate::function::{Function, Leaves, Shadows, call, fill, or_fail, trace_function};
use crate::lax;

/// `f` over one more axis: the first of every array in the argument and in the result.
///
/// ```
/// use jarrah_array::{Array, vmap};
/// let rows = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// let sums = vmap(|row: &Array| row.sum_all())(&rows);
/// assert_eq!(sums.to_vec::<f32>()?, [3.0, 7.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vmap<A: Tree<Array>, R: Tree<Array>>(f: impl Fn(&A) -> R) -> impl Fn(&A) -> R {
    vmap_axes(f, &[Some(0)], &[Some(0)])
}

/// `f` over one more axis, which every array has where the lists say.
///
/// The lists hold an axis for each leaf in order, negative ones counted from the end, or one entry for all; `None`
/// means that the array has no such axis (for a result: that it is the same along it, which is checked).
///
/// ```
/// use jarrah_array::{Array, vmap_axes};
/// let dot = |(a, b): &(Array, Array)| (a * b).sum_all();
/// let (m, v) = (Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]), Array::from_slice(&[1.0f32, 10.0]));
/// let columns = vmap_axes(dot, &[Some(1), None], &[Some(0)])(&(m, v));
/// assert_eq!(columns.to_vec::<f32>()?, [31.0, 42.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vmap_axes<A: Tree<Array>, R: Tree<Array>>(
    f: impl Fn(&A) -> R,
    in_axes: &[Option<isize>],
    out_axes: &[Option<isize>],
) -> impl Fn(&A) -> R {
    let (in_axes, out_axes, made) = (in_axes.to_vec(), out_axes.to_vec(), Location::caller());
    move |args| {
        let leaves = Leaves::of(args);
        let axes = spread(&in_axes, leaves.arrays.len(), "argument", made);
        let mut size: Option<(usize, String)> = None;
        let mut types: Vec<Type> = Vec::new();
        let mut moved: Vec<Array> = Vec::new();
        for ((array, path), axis) in leaves.arrays.iter().zip(&leaves.paths).zip(&axes) {
            let Some(axis) = axis else {
                types.push(array.ty());
                moved.push(array.clone());
                continue;
            };
            let axis = resolve(*axis, array.rank(), &path.to_string(), array.ty(), made);
            let extent = array.shape()[axis];
            match &size {
                Some((known, first)) if *known != extent => fail(
                    Error::program(format!(
                        "extents differ along the mapped axis: {known} at {first}, {extent} at {path}"
                    ))
                    .op("vmap")
                    .at(made),
                ),
                Some(_) => {}
                None => size = Some((extent, path.to_string())),
            }
            let array = lax::move_axis(array, axis, 0);
            types.push(array.ty().without_leading());
            moved.push(array);
        }
        let Some((size, _)) = size else {
            fail(Error::program("no argument has a mapped axis").op("vmap").at(made))
        };
        let prototype_args = fill(args, types.iter().map(|&ty| Array::abstracted(ty)).collect::<Vec<_>>());
        let Function { traced, prototype } =
            trace_function("vmap", &prototype_args, &types, Shadows::Drop, &f);
        let mut batched: Vec<bool> = axes.iter().map(Option::is_some).collect();
        batched.resize(traced.program.params().len(), false);
        let results = traced.program.results().len();
        let out_axes = spread(&out_axes, results, "result", made);
        let force: Vec<bool> = out_axes.iter().map(Option::is_some).collect();
        let (program, has_axis) =
            or_fail(jarrah_transforms::batch(&traced.program, Dim::new(size), &batched, &force));
        let results = call(program, &moved, &traced.captures);
        let placed =
            results.iter().zip(has_axis).zip(&out_axes).map(|((array, has_axis), axis)| match axis {
                Some(axis) => {
                    lax::move_axis(array, 0, resolve(*axis, array.rank(), "the result", array.ty(), made))
                }
                None if has_axis => fail(
                    Error::program("a result differs along the mapped axis, but its out axis is None")
                        .op("vmap")
                        .at(made),
                ),
                None => array.clone(),
            });
        fill(&prototype, placed.collect::<Vec<_>>())
    }
}

/// One axis per leaf.
fn spread(axes: &[Option<isize>], leaves: usize, what: &str, made: Location) -> Vec<Option<isize>> {
    match axes {
        [one] => vec![*one; leaves],
        many if many.len() == leaves => many.to_vec(),
        many => fail(
            Error::program(format!("{} axes are given for {leaves} {what} arrays", many.len()))
                .op("vmap")
                .at(made)
                .help("give one axis per array, in order, or one for all"),
        ),
    }
}

fn resolve(axis: isize, rank: usize, path: &str, ty: Type, made: Location) -> usize {
    let resolved = if axis < 0 { axis + rank as isize } else { axis };
    if (0..rank as isize).contains(&resolved) {
        return resolved as usize;
    }
    fail(Error::program(format!("{path}, {ty}, has no axis {axis}")).op("vmap").at(made))
}
