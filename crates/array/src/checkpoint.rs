//! Checkpoints: values that are computed again in the backward pass, and those that are kept for it.

use std::collections::BTreeSet;

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::{CheckpointName, Remat, Saveable};
use jarrah_hlo::{Instr, Op, Program, Value};
use jarrah_transforms::ResidualPolicy;
use jarrah_tree::{Tree, TreeExt};
use rustc_hash::FxHashSet;

use crate::array::Array;
use crate::function::{
    Function, Leaves, Shadows, TracedFunction, fill, or_fail, trace_function, trace_writing,
};
use crate::mutable::{write_back, written_at};
use crate::trace::{apply_at, apply_one};

/// `f`, whose intermediate values are recomputed in the backward pass instead of stored.
///
/// ```
/// use jarrah_array::{Array, grad, remat};
/// let f = remat(|x: &Array| x.sin().sin());
/// let slope = grad(move |x: &Array| f(x))(&Array::scalar(0.0));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn remat<A: Tree<Array>, R: Tree<Array>>(f: impl Function<A, Output = R>) -> impl Fn(&A) -> R {
    checkpoint(f, CheckpointPolicy::nothing_saveable())
}

/// As [`remat`], where the policy says which intermediate values the backward pass may keep.
///
/// # Errors
///
/// A program error if the policy lists names and `f` gives others only, with [`checkpoint_name`](crate::checkpoint_name).
///
/// ```
/// use jarrah_array::{Array, CheckpointPolicy, checkpoint, checkpoint_name, grad};
/// let f = |x: &Array| checkpoint_name(&x.sin(), "sine").sin();
/// let f = checkpoint(f, CheckpointPolicy::save_only_these_names(["sine"]));
/// let slope = grad(move |x: &Array| f(x))(&Array::scalar(0.0));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn checkpoint<A: Tree<Array>, R: Tree<Array>>(
    f: impl Function<A, Output = R>,
    policy: CheckpointPolicy,
) -> impl Fn(&A) -> R {
    let made = Location::caller();
    move |args| {
        let leaves = Leaves::of(args);
        let TracedFunction { traced, prototype } =
            trace_writing("remat", made, args, &leaves.types(), Shadows::Keep, |args: &A| f.apply(args));
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&traced.captures).collect();
        let saveable = policy.saveable(&traced.program).map_err(|error| error.op("checkpoint"));
        let remat = Remat { saveable: or_fail(made, saveable), body: traced.program.clone().into() };
        let mut results = apply_at(made, remat, &operands);
        write_back(written_at(&traced.cells), &mut results, made);
        fill(&prototype, results)
    }
}

/// Which intermediate values of a [`crate::checkpoint`] the backward pass may keep instead of computing them again.
///
/// A value that may be kept is kept if the backward pass needs it: for a value inside of a `scan` a stack over all steps, for a
/// value inside of a branch the value of the branch that runs. A `while_loop` keeps nothing.
///
/// One policy may serve all functions of a model: a name that a function does not use is ignored. But if a function uses names
/// and the policy lists none of them, that is an error, as they are probably misspelt.
///
/// The policies that offload do the same as those that save on devices whose memory is the host's, as there is no other memory.
///
/// ```
/// use jarrah_array::{Array, CheckpointPolicy as Policy, checkpoint, checkpoint_name, saved_residuals};
/// let f = |x: &Array| {
///     let product = checkpoint_name(&x.matmul(x), "product");
///     checkpoint_name(&product.sin(), "sine").exp()
/// };
/// let kept = |policy| saved_residuals(checkpoint(f, policy))(&Array::ones(&[4, 4])).len();
/// // The argument is kept in any case.
/// assert_eq!(kept(Policy::nothing_saveable()), 1);
/// assert_eq!(kept(Policy::everything_saveable()), 3);
/// assert_eq!(kept(Policy::dots_saveable()), 2);
/// assert_eq!(kept(Policy::dots_with_no_batch_dims_saveable()), 2);
/// assert_eq!(kept(Policy::offload_dot_with_no_batch_dims()), 2);
/// assert_eq!(kept(Policy::save_only_these_names(["sine"])), 2);
/// assert_eq!(kept(Policy::save_any_names_but_these(["sine", "product"])), 1);
/// assert_eq!(kept(Policy::save_anything_except_these_names(["sine"])), 3);
/// assert_eq!(kept(Policy::save_and_offload_only_these_names(["sine"], ["product"])), 3);
/// let both = Policy::save_from_both_policies(Policy::dots_saveable(), Policy::save_only_these_names(["sine"]));
/// assert_eq!(kept(both), 3);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CheckpointPolicy(Saveable);

impl CheckpointPolicy {
    /// Saves nothing but the arguments.
    pub fn nothing_saveable() -> Self {
        CheckpointPolicy(Saveable::Nothing)
    }

    /// Everything may be kept, as if there were no checkpoint.
    pub fn everything_saveable() -> Self {
        CheckpointPolicy(Saveable::AllBut(Vec::new()))
    }

    /// Results of products of matrices may be kept.
    pub fn dots_saveable() -> Self {
        CheckpointPolicy(Saveable::Dots)
    }

    /// Saves the results of matrix products without batch axes: products with weights, but not the scores of attention.
    pub fn dots_with_no_batch_dims_saveable() -> Self {
        CheckpointPolicy(Saveable::DotsWithNoBatchDims)
    }

    /// Saves the values that [`checkpoint_name`] gave one of these names.
    pub fn save_only_these_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        CheckpointPolicy(Saveable::Names(owned(names)))
    }

    /// Saves the values that [`checkpoint_name`] gave a name other than these.
    pub fn save_any_names_but_these<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        CheckpointPolicy(Saveable::NamesBut(owned(names)))
    }

    /// Saves all values except those that [`checkpoint_name`] gave one of these names.
    pub fn save_anything_except_these_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        CheckpointPolicy(Saveable::AllBut(owned(names)))
    }

    /// Saves the values that at least one of the two policies saves.
    pub fn save_from_both_policies(a: Self, b: Self) -> Self {
        CheckpointPolicy(Saveable::Either(vec![a.0, b.0]))
    }

    /// [`CheckpointPolicy::dots_with_no_batch_dims_saveable`], into the memory of the host.
    pub fn offload_dot_with_no_batch_dims() -> Self {
        Self::dots_with_no_batch_dims_saveable()
    }

    /// Saves the values with one of the first names on the device, and those with one of the second names in the memory of the
    /// host.
    pub fn save_and_offload_only_these_names<'a>(
        saved: impl IntoIterator<Item = &'a str>,
        offloaded: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::save_only_these_names(saved.into_iter().chain(offloaded))
    }

    /// The form of the policy for `program`, after checking its names.
    ///
    /// # Errors
    /// The policy lists names, and the program gives others only.
    pub(crate) fn saveable(&self, program: &Program) -> Result<Saveable> {
        let listed = self.0.names();
        let (mut given, mut seen) = (BTreeSet::new(), FxHashSet::default());
        if !listed.is_empty() {
            names_in(program, &mut given, &mut seen);
        }
        if given.is_empty() || listed.iter().any(|name| given.contains(name)) {
            return Ok(self.0.clone());
        }
        let (listed, given): (Vec<&str>, Vec<&str>) = (listed, given.into_iter().collect());
        let error = format!("the policy lists {listed:?}, the names that the function gives are {given:?}");
        Err(Error::program(error)
            .help("list one of those, or give a value a listed name with checkpoint_name"))
    }
}

/// Collects the names that `program` and the programs it calls give to values. A program that several call is visited once.
fn names_in<'a>(program: &'a Program, names: &mut BTreeSet<&'a str>, seen: &mut FxHashSet<*const Program>) {
    if !seen.insert(program) {
        return;
    }
    for instr in program.instrs() {
        if let Op::CheckpointName(CheckpointName { name }) = &instr.op {
            names.insert(name);
        }
        for inner in instr.op.programs() {
            names_in(inner, names, seen);
        }
    }
}

fn owned<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Box<str>> {
    names.into_iter().map(Box::from).collect()
}

/// `x`, under a name that the policy of a [`crate::checkpoint`] around may mention.
///
/// ```
/// use jarrah_array::{Array, checkpoint_name};
/// let x = checkpoint_name(&Array::scalar(2.0), "hidden");
/// assert_eq!(x.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn checkpoint_name<T: Tree<Array>>(x: &T, name: &str) -> T {
    let leaves = x.leaves().into_iter();
    let named: Vec<Array> =
        leaves.map(|leaf| apply_one(CheckpointName { name: name.into() }, &[leaf])).collect();
    x.with_leaves(named).expect("invariant: a leaf for each leaf")
}

/// A value that the backward pass of a function keeps: see [`crate::saved_residuals`].
#[derive(Clone, Debug)]
pub struct Residual {
    /// Its type.
    pub ty: Type,
    /// Where the value comes from: `argument 0.weight`, a captured array, or the operation that computed it and its line.
    pub origin: String,
}

/// The values that reverse-mode differentiation of `f` keeps between the forward and the backward pass.
///
/// ```
/// use jarrah_array::{Array, CheckpointPolicy, checkpoint, saved_residuals};
/// let layer = |x: &Array| x.matmul(x).sin();
/// let x = Array::ones(&[8, 8]);
/// let kept = |policy| saved_residuals(checkpoint(layer, policy))(&x).len();
/// assert_eq!(kept(CheckpointPolicy::nothing_saveable()), 1);
/// assert_eq!(kept(CheckpointPolicy::dots_saveable()), 2);
/// ```
#[track_caller]
pub fn saved_residuals<P: Tree<Array>, R: Tree<Array>>(
    f: impl Function<P, Output = R>,
) -> impl Fn(&P) -> Vec<Residual> {
    let made = Location::caller();
    move |args| {
        let types = Leaves::of(args).types();
        let TracedFunction { traced, .. } = crate::random::unused(|| {
            trace_function("saved_residuals", made, args, &types, Shadows::Drop, |args: &P| f.apply(args))
        });
        let mut active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
        active.resize(traced.program.params().len(), false);
        let programs = jarrah_transforms::vjp(&traced.program, &active, ResidualPolicy::default());
        let forward = or_fail(made, programs).forward;
        let residuals = forward.results()[traced.program.results().len()..].iter();
        let origin = |value: Value| match computed(&forward, value) {
            None if value.index() < types.len() => {
                format!("argument {}", forward.params()[value.index()].path.path()).trim_end().to_owned()
            }
            None => "a captured array".to_owned(),
            Some(instr) => match instr.source.location {
                Some(location) => format!("{} at {location}", instr.op.name()),
                None => instr.op.name().to_owned(),
            },
        };
        residuals.map(|&value| Residual { ty: forward.ty(value), origin: origin(value) }).collect()
    }
}

/// The instruction that computes `value`, looked up inside of called programs as well; `None` for a parameter.
fn computed(program: &Program, value: Value) -> Option<&Instr> {
    let instr = program.instrs().iter().find(|instr| instr.results().any(|result| result == value))?;
    let result = instr.results().position(|result| result == value)?;
    let inside = match &instr.op {
        // The result is a stack of the values that the body computes in each step.
        Op::Scan(scan) if result >= scan.carry => &scan.body,
        op => match op.callee() {
            Some(callee) => callee,
            None => return Some(instr),
        },
    };
    // If the result is a parameter of the called program, nothing inside computes it: it is an operand of the call or carried by
    // the loop, and the call itself is returned.
    computed(inside, inside.results()[result]).or(Some(instr))
}
