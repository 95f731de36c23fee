//! The state of a run that makes a loss small, and the tensors of checkpoints.

use jarrah_array::{Array, Tree, TreeExt, where_};
use jarrah_base::{Result, Type};
use jarrah_checkpoint::Checkpoint;
use jarrah_models::averaged;
use jarrah_optim::Leaves;
use jarrah_run::names::tensor;

/// The parameters of a model with everything else that a step of [`Minimize`](super::Minimize) changes.
#[derive(Clone, Debug, Tree)]
pub struct TrainState<M> {
    /// The parameters that are trained.
    pub params: M,
    /// The optimizer's state.
    pub opt: Leaves,
    /// The average of the parameters over the steps, of narrow floats in `f32`; none, if none is kept.
    pub ema: Option<M>,
    /// The usual norm of gradients, an `f32` scalar, where steps with unusual ones are left out.
    pub norm: Option<Array>,
    /// The number of steps that were left out, an `i32` scalar.
    pub skipped: Array,
    /// The number of steps done, an `i32` scalar.
    pub step: Array,
}

impl<M: Tree<Array> + Clone> TrainState<M> {
    /// The parameters to evaluate and to infer with, in their own dtypes: their average, where one is kept.
    pub fn best(&self) -> M {
        let Some(average) = &self.ema else { return self.params.clone() };
        let each = average.leaves().into_iter().zip(self.params.leaves());
        let each = each.map(|(a, p): (&Array, &Array)| a.astype(p.dtype()));
        average.with_leaves(each).expect("invariant: the average has a place for each parameter")
    }
}

/// An average that begins with these parameters. Its memory is not theirs, which a step overwrites.
pub(super) fn average_of<M: Tree<Array>>(params: &M) -> M {
    params.map_leaves(|x: &Array| (x + 0).astype(averaged(x.dtype())))
}

/// `decay average + (1 - decay) params`, leaf by leaf.
pub(super) fn moved<M: Tree<Array>>(average: &M, params: &M, decay: f64) -> M {
    let each = average.leaves().into_iter().zip(params.leaves());
    let mixed = each.map(|(a, p): (&Array, &Array)| a * decay + p.astype(a.dtype()) * (1.0 - decay));
    average.with_leaves(mixed).expect("invariant: the average has a place for each parameter")
}

/// `new` where `taken` is true, else `old`, leaf by leaf.
pub(super) fn chosen<T: Tree<Array>>(taken: &Array, new: &T, old: &T) -> T {
    let each = new.leaves().into_iter().zip(old.leaves());
    let chosen = each.map(|(new, old): (&Array, &Array)| where_(taken, new, old));
    new.with_leaves(chosen).expect("invariant: there is a choice for each leaf")
}

/// The tree of this structure with the tensors of a checkpoint.
///
/// Take the newest checkpoint of a run with `jarrah_run::checkpoint`, and the structure from [`Objective::shapes`](super::Objective::shapes).
///
/// # Errors
/// The checkpoint is of a tree with other leaves (the error names the first that differ), or damaged (`Input`).
pub fn restored<T: Tree<Array>>(like: &T, checkpoint: &Checkpoint) -> Result<T> {
    let named = like.leaves_with_paths().into_iter();
    let types: Vec<(String, Type)> =
        named.map(|(path, leaf): (String, &Array)| (tensor(&path), leaf.ty())).collect();
    checkpoint.expect(&types)?;
    like.try_map_with_paths(|path, _| Ok(Array::from_literal(checkpoint.tensor(&tensor(path))?)))
}
