use jarrah_base::Result;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Axes, BroadcastInDim, Select, TransposeAxes};
use smallvec::SmallVec;

use super::block::{Outcome, all};
use super::cx::Cx;
use super::elementwise;
use crate::ir::Definition;

/// `x` broadcast: its axis `i` becomes the axis `axes[i]`, in any order.
pub(super) fn to(cx: &mut Cx<'_, '_>, mut x: Value, dims: &[usize], mut axes: Axes) -> Result<Value> {
    // `BroadcastInDim` keeps the order of the operand's axes; StableHLO may permute them.
    if !axes.is_sorted() && axes.len() == cx.ty(x).rank() {
        let mut permutation: Axes = (0..axes.len()).collect();
        permutation.sort_by_key(|&i| axes[i]);
        x = cx.one(TransposeAxes { permutation }, &[x])?;
        axes.sort_unstable();
    }
    cx.one(BroadcastInDim { dims: SmallVec::from_slice(dims), axes }, &[x])
}

pub(super) fn broadcast_in_dim(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let axes: Axes = cx.sizes("broadcast_dimensions")?;
    let dims = cx.result_type(0)?.dims();
    Ok(all(&[to(cx, x, &dims, axes)?]))
}

/// The operand broadcast along new leading axes.
pub(super) fn broadcast(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let sizes = cx.sizes("broadcast_sizes")?;
    let ty = cx.ty(x);
    let dims: Vec<usize> = sizes.iter().copied().chain(ty.extents()).collect();
    let axes = (sizes.len()..dims.len()).collect();
    Ok(all(&[to(cx, x, &dims, axes)?]))
}

/// A CHLO op that broadcasts its operands; `name` is its name without the prefix.
pub(super) fn op(cx: &mut Cx<'_, '_>, name: &str) -> Result<Outcome> {
    let operands = cx.operands()?;
    let operands = together(cx, &operands)?;
    match name {
        "compare" => {
            let compare = elementwise::comparison(cx, cx.ty(operands[0]))?;
            Ok(all(&[cx.one(compare, &operands)?]))
        }
        "select" => Ok(all(&[cx.one(Select, &operands)?])),
        _ => {
            let kind = Definition::function(&format!("chlo.{name}"));
            let kind = kind.ok_or_else(|| cx.fail(format!("the op {} is not supported", cx.op.name())))?;
            elementwise::apply(cx, kind, &operands)
        }
    }
}

/// The operands broadcast to their common extents.
///
/// The axes of an operand of lower rank are those of `broadcast_dimensions`, or the last ones.
fn together(cx: &mut Cx<'_, '_>, operands: &[Value]) -> Result<Vec<Value>> {
    let rank = operands.iter().map(|&v| cx.ty(v).rank()).max().unwrap_or(0);
    let stated = cx.optional_numbers("broadcast_dimensions")?;
    let mut axes: Vec<Axes> = Vec::new();
    for &operand in operands {
        let own = cx.ty(operand).rank();
        let given = stated.as_ref().filter(|axes| own < rank && axes.len() == own);
        axes.push(match given {
            Some(given) => given.iter().map(|&a| a as usize).collect(),
            None => (rank - own..rank).collect(),
        });
    }
    let mut dims = vec![1; rank];
    for (&operand, axes) in operands.iter().zip(&axes) {
        let ty = cx.ty(operand);
        for (&dim, &axis) in ty.dims().iter().zip(axes) {
            let Some(joint) = dims.get_mut(axis) else {
                return Err(cx.fail(format!("the result has no axis {axis}")));
            };
            if *joint == 1 {
                *joint = dim;
            } else if dim != 1 && dim != *joint {
                let joint = *joint;
                return Err(
                    cx.fail(format!("the extents {joint} and {dim} of axis {axis} do not fit together"))
                );
            }
        }
    }
    let mut all = Vec::new();
    for (&operand, axes) in operands.iter().zip(axes) {
        let same = *cx.ty(operand).dims() == *dims;
        all.push(if same { operand } else { to(cx, operand, &dims, axes)? });
    }
    Ok(all)
}
