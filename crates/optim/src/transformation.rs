use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_array::{
    Array, Error, Location, Result, Tree, TreeExt, eval_shape, fail, named_scope, try_trace, where_,
};
use jarrah_tree::{Difference, Structure};

use crate::leaves::difference;
use crate::{Extra, Leaves};

/// A pair of pure functions: `init` makes a state, `update` turns gradients into better updates.
///
/// The state is a tree of arrays: it passes through `jit` and into checkpoints, and nothing is hidden elsewhere. An update is computed in
/// the dtypes of gradients and parameters, and its new state rounded to the dtypes of the state that it is given.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{apply_updates, sgd, Sgd};
/// let optimizer = sgd(0.5, Sgd::default());
/// let params = Array::from_slice(&[1.0f32, 2.0]);
/// let state = optimizer.init(&params);
/// let (updates, _state) = optimizer.update(&Array::from_slice(&[1.0f32, -1.0]), &state, &params);
/// assert_eq!(apply_updates(&params, &updates).to_vec::<f32>()?, [0.5, 2.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone)]
pub struct GradientTransformation {
    name: &'static str,
    init: Arc<dyn Fn(&Leaves) -> Leaves + Send + Sync>,
    update: Arc<Update>,
}

type Update = dyn Fn(&Leaves, &Leaves, &Leaves, &Extra<'_>) -> Result<(Leaves, Leaves)> + Send + Sync;

impl GradientTransformation {
    /// A transformation with a state of type `S`: `init(params)`, and `update(updates, state, params)`, which
    /// returns the new updates and the new state.
    ///
    /// ```
    /// use jarrah_array::{Array, TreeExt};
    /// use jarrah_optim::{GradientTransformation, Leaves};
    /// // The sum of all updates so far.
    /// let sum = GradientTransformation::new("sum", |params: &Leaves| params.map_leaves(Array::zeros_like), |u, s, _| {
    ///     let total = u.zip_map([s], |u, [s]| u + s).unwrap();
    ///     (total.clone(), total)
    /// });
    /// let p = Array::scalar(0.0);
    /// let (_, state) = sum.update(&Array::scalar(2.0), &sum.init(&p), &p);
    /// assert_eq!(sum.update(&Array::scalar(3.0), &state, &p).0.item::<f32>()?, 5.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn new<S: Tree<Array> + Send + 'static>(
        name: &'static str,
        init: impl Fn(&Leaves) -> S + Send + Sync + 'static,
        update: impl Fn(&Leaves, &S, &Leaves) -> (Leaves, S) + Send + Sync + 'static,
    ) -> Self {
        Self::with_extra(name, init, move |updates, state, params, _| Ok(update(updates, state, params)))
    }

    /// As [`GradientTransformation::new`], with an `update` that also takes what [`Extra`] has.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::{Extra, GradientTransformation, tree};
    /// let by_loss = GradientTransformation::with_extra("by_loss", |_| (), |u, (), _, extra| {
    ///     Ok((tree::scale(u, extra.needed("value")?), ()))
    /// });
    /// let p = Array::scalar(2.0);
    /// let extra = Extra::new().value(&Array::scalar(3.0));
    /// assert_eq!(by_loss.update_with(&p, &by_loss.init(&p), &p, &extra).0.item::<f32>()?, 6.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn with_extra<S: Tree<Array> + Send + 'static>(
        name: &'static str,
        init: impl Fn(&Leaves) -> S + Send + Sync + 'static,
        update: impl Fn(&Leaves, &S, &Leaves, &Extra<'_>) -> Result<(Leaves, S)> + Send + Sync + 'static,
    ) -> Self {
        Self::of_dyn(name, Arc::new(init), Box::new(update))
    }

    /// As [`GradientTransformation::with_extra`], compiled once for each type of state.
    fn of_dyn<S: Tree<Array> + Send + 'static>(
        name: &'static str,
        init: InitOf<S>,
        update: UpdateOf<S>,
    ) -> Self {
        let (make, last) = (init.clone(), Mutex::new(None::<Prototype<S>>));
        GradientTransformation {
            name,
            init: Arc::new(move |params| Leaves::of(&init(params))),
            update: Arc::new(move |updates, before, params, extra| {
                let known = lock(&last).take().filter(|known| known.params.is_like(params));
                let prototype = match known {
                    Some(known) => known,
                    None => try_trace(|| Prototype::of(params, &*make))?,
                };
                let state = before.restore_like(&prototype.state, &prototype.leaves)?;
                let (updates, state) = named_scope(name, || update(updates, &state, params, extra))?;
                let state = prototype
                    .leaves
                    .of_same(&prototype.structure, &state)
                    .unwrap_or_else(|| Leaves::of(&state));
                *lock(&last) = Some(prototype);
                Ok((updates, state.in_dtypes_of(before)))
            }),
        }
    }

    /// A transformation without a state: `update(updates, params)`.
    pub fn stateless(
        name: &'static str,
        update: impl Fn(&Leaves, &Leaves) -> Leaves + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, |_| (), move |updates, (), params| (update(updates, params), ()))
    }

    /// The state before the first update of `params`.
    #[track_caller]
    pub fn init<P: Tree<Array>>(&self, params: &P) -> Leaves {
        let at = Location::caller();
        match try_trace(|| (self.init)(&Leaves::of(params))) {
            Ok(state) => state,
            Err(error) => fail(error.at(at)),
        }
    }

    /// The transformed updates and the next state. Panics unless updates and parameters have the same structure and
    /// shapes, and `state` is a state of this transformation for such parameters.
    #[track_caller]
    pub fn update<P: Tree<Array>>(&self, updates: &P, state: &Leaves, params: &P) -> (P, Leaves) {
        self.update_with(updates, state, params, &Extra::new())
    }

    /// As [`GradientTransformation::update`], with further inputs that some transformations need: see [`Extra`].
    #[track_caller]
    pub fn update_with<P: Tree<Array>>(
        &self,
        updates: &P,
        state: &Leaves,
        params: &P,
        extra: &Extra<'_, P>,
    ) -> (P, Leaves) {
        let at = Location::caller();
        if let Some(error) = unlike(updates, params) {
            fail(error.op(self.name).at(at));
        }
        let (own, structure) = Leaves::with_structure(params);
        let given = own.of_same(&structure, updates).unwrap_or_else(|| Leaves::of(updates));
        match (self.update)(&given, state, &own, &extra.erased(params)) {
            Ok((transformed, state)) => (transformed.restore(updates), state),
            Err(error) => fail(error.op(self.name).at(at)),
        }
    }

    /// The state before the first update, as a part of a larger transformation.
    pub(crate) fn start(&self, params: &Leaves) -> Leaves {
        (self.init)(params)
    }

    /// An update as a part of a larger transformation.
    pub(crate) fn step(
        &self,
        updates: &Leaves,
        state: &Leaves,
        params: &Leaves,
        extra: &Extra<'_>,
    ) -> Result<(Leaves, Leaves)> {
        (self.update)(updates, state, params, extra)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The function that makes a transformation's initial state from the parameters.
type InitOf<S> = Arc<dyn Fn(&Leaves) -> S + Send + Sync>;
/// The function that computes the updates and the next state from updates, state and parameters.
type UpdateOf<S> = Box<dyn Fn(&Leaves, &S, &Leaves, &Extra<'_>) -> Result<(Leaves, S)> + Send + Sync>;

/// The state of a transformation for parameters like these, without data.
struct Prototype<S> {
    params: Leaves,
    state: S,
    /// The leaves of the state.
    leaves: Leaves,
    structure: Structure,
}

impl<S: Tree<Array>> Prototype<S> {
    fn of(params: &Leaves, init: &dyn Fn(&Leaves) -> S) -> Self {
        let state = eval_shape(|params: &Leaves| init(params), params);
        let (leaves, structure) = Leaves::with_structure(&state);
        Prototype { params: params.map(|p| Array::abstracted(p.ty())), state, leaves, structure }
    }
}

/// The error if updates differ from the parameters in structure or shapes.
fn unlike<P: Tree<Array>>(updates: &P, params: &P) -> Option<Error> {
    let Difference { path, sides: [update, param] } = difference(updates, params)?;
    let (updates, params) = (path.below("update"), path.below("parameter"));
    let error = Error::program(format!("{updates} is {update}, {params} is {param}"));
    Some(error.help("give gradients with the structure, shapes and static fields of the parameters"))
}

impl fmt::Debug for GradientTransformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// `params + updates`, in the dtypes of the parameters. Panics unless both have the same structure and shapes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::apply_updates;
/// let p = apply_updates(&Array::scalar(1.0), &Array::scalar(0.5));
/// assert_eq!(p.item::<f32>()?, 1.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn apply_updates<P: Tree<Array>>(params: &P, updates: &P) -> P {
    let at = Location::caller();
    if let Some(error) = unlike(updates, params) {
        fail(error.op("apply_updates").at(at));
    }
    let sum = params.zip_map([updates], |p, [u]| {
        let sum = (p + u).astype(p.dtype());
        // Only floats are converted: a float does not hold every integer, so keys and counts beyond 2^24 would change.
        let inexact = |x: &Array| x.dtype().is_differentiable();
        if inexact(u) && !inexact(p) { where_(&u.eq(0.0), p, sum) } else { sum }
    });
    sum.expect("invariant: the structures are equal")
}
