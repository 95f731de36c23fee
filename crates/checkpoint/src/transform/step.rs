use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{DType, Type};

use super::convert::may_become;
use super::view::View;

/// The most leaves that one is unstacked to.
const MOST: usize = 100_000;

/// A step by which leaves become others. Axes below zero count from the last one.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Concat(isize),
    Stack(isize),
    /// Cuts along an axis, into equal parts or parts of these extents.
    Split(isize, Option<Vec<usize>>),
    Unstack(isize),
    /// New extents, of which one may be what remains.
    Reshape(Vec<Option<usize>>),
    Cast(DType),
    /// A new leaf of one value.
    Fill(f64, Type),
}

impl Step {
    /// The views that these become, of which a split makes so many.
    ///
    /// # Errors
    /// The types do not allow it: the reason, in words that follow on the name of a leaf.
    pub fn apply(&self, views: Vec<View>, parts: usize) -> Result<Vec<View>, String> {
        match self {
            Step::Concat(axis) => concat(views, *axis).map(|view| vec![view]),
            Step::Stack(axis) => {
                let rank = views.first().map_or(0, |view| view.ty().rank());
                let axis = at(*axis, rank + 1)?;
                let with_axis = |view: View| {
                    let mut dims: Vec<usize> = view.ty().extents().collect();
                    dims.insert(axis.min(dims.len()), 1);
                    reshape(view, &dims)
                };
                concat(views.into_iter().map(with_axis).collect(), axis as isize).map(|view| vec![view])
            }
            Step::Split(axis, sizes) => {
                let view = one(views)?;
                let axis = at(*axis, view.ty().rank())?;
                let extent = view.ty().dim(axis);
                let sizes = match sizes {
                    Some(sizes) if sizes.len() != parts => {
                        return Err(format!("are {parts} leaves of {} parts", sizes.len()));
                    }
                    Some(sizes)
                        if sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size))
                            != Some(extent) =>
                    {
                        return Err(format!(
                            "cannot be parts {sizes:?} of {}: the extent along the axis {axis} is {extent}",
                            view.ty()
                        ));
                    }
                    Some(sizes) => sizes.clone(),
                    None if !extent.is_multiple_of(parts) => {
                        return Err(format!(
                            "cannot be {parts} equal parts of {} along the axis {axis}",
                            view.ty()
                        ));
                    }
                    None => vec![extent / parts; parts],
                };
                Ok(sliced(view, axis, &sizes))
            }
            Step::Unstack(axis) => {
                let view = one(views)?;
                let axis = at(*axis, view.ty().rank())?;
                let mut dims: Vec<usize> = view.ty().extents().collect();
                let count = dims.remove(axis);
                if count > MOST {
                    return Err(format!("would be {count} leaves; the most are {MOST}"));
                }
                Ok(sliced(view, axis, &vec![1; count]).into_iter().map(|view| reshape(view, &dims)).collect())
            }
            Step::Reshape(dims) => {
                let reshaped = |view: View| {
                    let dims = filled(dims, view.ty())?;
                    Ok(reshape(view, &dims))
                };
                views.into_iter().map(reshaped).collect()
            }
            Step::Cast(dtype) => views.into_iter().map(|view| cast(view, *dtype)).collect(),
            Step::Fill(value, ty) => Ok(vec![View::Fill(*value, *ty)]),
        }
    }
}

/// The axis of this number, of so many.
fn at(axis: isize, rank: usize) -> Result<usize, String> {
    let from_end = if axis < 0 { axis + rank as isize } else { axis };
    usize::try_from(from_end)
        .ok()
        .filter(|&axis| axis < rank)
        .ok_or_else(|| format!("has no axis {axis}: there are {rank}"))
}

fn one(mut views: Vec<View>) -> Result<View, String> {
    match (views.pop(), views.len()) {
        (Some(view), 0) => Ok(view),
        _ => Err("is made of several leaves, which are not joined before they are cut".to_owned()),
    }
}

fn concat(views: Vec<View>, axis: isize) -> Result<View, String> {
    let Some(first) = views.first().map(View::ty) else { return Err("is made of no leaf".to_owned()) };
    let axis = at(axis, first.rank())?;
    let mut dims: Vec<usize> = first.extents().collect();
    dims[axis] = 0;
    for view in &views {
        let ty = view.ty();
        let agrees = |(other, extent): (usize, usize)| other == axis || extent == first.dim(other);
        if ty.dtype() != first.dtype() || ty.rank() != first.rank() || !ty.extents().enumerate().all(agrees) {
            return Err(format!(
                "cannot be made of {first} and {ty}, which do not fit along the axis {axis}"
            ));
        }
        dims[axis] = dims[axis].checked_add(ty.dim(axis)).ok_or("is too large")?;
    }
    let ty = first.with_dims(dims);
    ty.bytes().map_err(|_| "is too large")?;
    Ok(View::Concat(views.into(), axis, ty))
}

fn reshape(view: View, dims: &[usize]) -> View {
    let ty = view.ty().with_dims(dims.iter().copied());
    if ty == view.ty() { view } else { View::Reshape(Arc::new(view), ty) }
}

/// The extents with the one that remains.
fn filled(dims: &[Option<usize>], ty: Type) -> Result<Vec<usize>, String> {
    let all = ty.elements().map_err(|_| "is too large")?;
    let known = dims.iter().flatten().try_fold(1usize, |product, &extent| product.checked_mul(extent));
    let shown = || {
        dims.iter()
            .map(|dim| dim.map_or("-1".to_owned(), |extent| extent.to_string()))
            .collect::<Vec<_>>()
            .join(",")
    };
    let wrong = || format!("cannot have the extents {} of the elements of {ty}", shown());
    let known = known.ok_or_else(wrong)?;
    let rest = if dims.contains(&None) { all.checked_div(known).ok_or_else(wrong)? } else { 1 };
    match known.checked_mul(rest) == Some(all) {
        true => Ok(dims.iter().map(|dim| dim.unwrap_or(rest)).collect()),
        false => Err(wrong()),
    }
}

fn sliced(view: View, axis: usize, sizes: &[usize]) -> Vec<View> {
    let (of, mut begin) = (Arc::new(view), 0);
    let part = |&size: &usize| {
        let range: Range<usize> = begin..begin + size;
        begin = range.end;
        View::Slice(of.clone(), axis, range)
    };
    sizes.iter().map(part).collect()
}

fn cast(view: View, dtype: DType) -> Result<View, String> {
    let ty = view.ty();
    match may_become(ty.dtype(), dtype) {
        false => Err(format!("cannot be {dtype} of {ty}")),
        true => Ok(if ty.dtype() == dtype { view } else { View::Cast(Arc::new(view), dtype) }),
    }
}
