//! The body of a loop over scalars as a block.

use jarrah_base::DType;
use jarrah_tile::{Class, Inst, LoopKernel};
use rustc_hash::FxHashMap;

use super::super::graph::{Graph, Parts, Shared, V};
use super::super::values::{Kind, kind};
use super::{Lowering, Task};

/// The values that `kernel`, whose every register is one element, stores, from those of its inputs.
pub(in super::super) fn stored(
    g: &mut Graph<'_>,
    kernel: &LoopKernel,
    types: &[(DType, Class)],
    inputs: &[Parts],
) -> Option<Vec<Parts>> {
    let given = vec![None; kernel.body.len()];
    let task = Task {
        calls: None,
        kernel,
        types,
        reductions: &[],
        stores: &[],
        given: &given,
        partial: &given,
        run: None,
        cols: 1,
    };
    let lowering = Lowering::new(&task, Shared::new(g.wide()));
    let mut local: FxHashMap<usize, Parts> = FxHashMap::default();
    for (i, inst) in kernel.body.iter().enumerate() {
        let x = match inst {
            Inst::Load { input, .. } => inputs.get(*input)?.clone(),
            _ => lowering.value(g, i, &mut local)?,
        };
        local.insert(i, x);
    }
    kernel.stores.iter().map(|store| lowering.parts_of(g, store.value.index(), &mut local)).collect()
}

/// A vector with the value in all lanes, of one of the value's parts: all parts are equal.
pub(in super::super) fn held(g: &mut Graph<'_>, dtype: DType, x: &Parts) -> Option<V> {
    let v = *x.first()?;
    Some(if kind(dtype)? == Kind::Mask { g.mask_to_vector(v) } else { v })
}

/// The value that a vector of [`held`] has in all lanes.
pub(in super::super) fn value_of(g: &mut Graph<'_>, dtype: DType, v: V) -> Option<Parts> {
    let kind = kind(dtype)?;
    let v = if kind == Kind::Mask { g.vector_to_mask(v) } else { v };
    let parts = g.parts(kind.is_wide());
    Some(Parts::from_elem(v, parts))
}
