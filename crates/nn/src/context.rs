//! The context of a forward pass: its settings, keys and state besides the arguments, and the updates that modules leave.

mod within;

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jarrah_array::random::Key;
use jarrah_array::{Array, named_scope};
use jarrah_tree::Path;

use crate::module::Callable;
use crate::object::relay;
use crate::state::{State, StateEntry};
use crate::{Filter, Kind, Variable};

/// A forward pass: whether it trains, its streams of random keys, the state it reads and leaves, and what is captured or changed on the way.
///
/// Nothing of it is hidden: a module gets it as an argument, enters a name before it calls what it holds ([`call`](Context::call),
/// [`enter`](Context::enter)), and what the pass leaves is read from it at the end. So it works under `jit`, `grad` and `vmap` as long as it is
/// made within the function that is transformed, which returns what it needs of it.
///
/// ```
/// use jarrah_array::{Array, Tree, random::Key};
/// use jarrah_nn::{BatchNorm, Context, Module, Sequential, Dropout, update};
/// let model = Sequential::new().and(BatchNorm::new(2)).and(Dropout::new(0.5));
/// let x = Array::new(&[1.0f32, 2.0, 3.0, 6.0], &[2, 2]);
/// let mut training = Context::train(&Key::new(0));
/// let y = model.call(&x, &mut training);
/// // The running statistics are now those of the pass.
/// let model = update(&model, &training.updates());
/// assert_eq!(model.call(&x, &mut Context::eval()).shape(), y.shape());
/// ```
#[derive(Clone, Default)]
pub struct Context {
    training: bool,
    streams: BTreeMap<String, (Key, u32)>,
    path: Path,
    given: State,
    updates: State,
    shared: BTreeMap<Path, Path>,
    lent: State,
    captured: BTreeMap<String, Vec<Array>>,
    order: Vec<String>,
    taps: Vec<(Filter, Tap)>,
    about: BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// The treatment of a module's result: it is captured, or changed by a function.
#[derive(Clone)]
enum Tap {
    Capture,
    Change(Arc<dyn Fn(&str, &Array) -> Array + Send + Sync>),
}

impl Context {
    /// A pass for inference: dropout does nothing, and normalizations use their stored statistics.
    pub fn eval() -> Self {
        Context::default()
    }

    /// A pass that trains, with keys from `key`.
    pub fn train(key: &Key) -> Self {
        Context { training: true, ..Context::default() }.with_stream("default", key)
    }

    /// This pass with a stream of keys named `name`; `default` serves every name that has no stream.
    #[must_use]
    pub fn with_stream(mut self, name: &str, key: &Key) -> Self {
        self.streams.insert(name.to_owned(), (key.clone(), 0));
        self
    }

    /// This pass with entries that modules read by [`state`](Context::state): caches, for instance.
    #[must_use]
    pub fn with_state(mut self, state: &State) -> Self {
        self.given = self.given.merged(state);
        self
    }

    /// This pass, in which modules share entries of the state: what one reads and leaves at the first path of a pair is the entry
    /// at the second.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::Context;
    /// let mut cx = Context::eval().sharing([("second.cache".to_owned(), "first.cache".to_owned())]);
    /// cx.enter("first", |cx| cx.set("cache", Array::ones(&[2])));
    /// cx.enter("second", |cx| cx.set("cache", cx.state::<Array>("cache").unwrap() * 3.0));
    /// assert_eq!(cx.updates().names(), ["first.cache"]);
    /// assert_eq!(cx.updates().array("first.cache").unwrap().to_vec::<f32>()?, [3.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[must_use]
    pub fn sharing(mut self, pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        self.shared.extend(pairs.into_iter().map(|(of, with)| (Path::parse(&of), Path::parse(&with))));
        self
    }

    /// This pass, in which modules find `value` by its type: see [`about`](Context::about).
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.about.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// This pass, which keeps the results of modules at places that `filter` matches: see [`captured`](Context::captured).
    #[must_use]
    pub fn capturing(mut self, filter: impl Into<Filter>) -> Self {
        self.taps.push((filter.into(), Tap::Capture));
        self
    }

    /// This pass, in which the results of modules at places that `filter` matches are replaced by `f(path, result)`.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_nn::{Context, Linear, Module, Sequential};
    /// let model = Sequential::new().and(Linear::new(&Key::new(0), 2, 2));
    /// let mut silent = Context::eval().changing("layers.0", |_, y| y * 0.0);
    /// assert_eq!(model.call(&Array::ones(&[2]), &mut silent).to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[must_use]
    pub fn changing(
        mut self,
        filter: impl Into<Filter>,
        f: impl Fn(&str, &Array) -> Array + Send + Sync + 'static,
    ) -> Self {
        self.taps.push((filter.into(), Tap::Change(Arc::new(f))));
        self
    }

    /// This pass with the arrays of `by` added to the results of the modules at their paths: the gradient with respect to `by`,
    /// at zeros, is that with respect to these intermediate values.
    ///
    /// ```
    /// use jarrah_array::{Array, grad, random::Key};
    /// use jarrah_nn::{Activation, Context, Linear, Module, Sequential, State};
    /// let model = Sequential::new().and(Linear::new(&Key::new(0), 3, 2)).and(Activation::RELU);
    /// let mut zeros = State::default();
    /// zeros.set("layers.0", Array::zeros(&[2]));
    /// let loss = |by: &State| model.call(&Array::ones(&[3]), &mut Context::eval().perturbed(by)).sum(..);
    /// assert_eq!(grad(loss)(&zeros).array("layers.0").unwrap().shape(), [2]);
    /// ```
    ///
    /// Source: `flax.nnx.perturb`.
    #[must_use]
    pub fn perturbed(self, by: &State) -> Self {
        let by = by.clone();
        self.changing("**", move |path, y| by.array(path).map_or_else(|| y.clone(), |delta| y + delta))
    }

    /// Whether the pass trains.
    pub fn is_training(&self) -> bool {
        self.training
    }

    /// The next key of the stream `name`, or of the default one: `fold_in(key, n)` for the `n`-th. None in a pass that does not train or has no
    /// keys.
    pub fn key(&mut self, name: &str) -> Option<Key> {
        let name = if self.streams.contains_key(name) { name } else { "default" };
        let (key, count) = self.streams.get_mut(name)?;
        *count += 1;
        Some(key.fold_in(*count - 1))
    }

    /// The entry `name` of the running module, if it has the type `T`: the one set in this pass, or else the one that the pass
    /// was given.
    pub fn state<T: StateEntry>(&self, name: &str) -> Option<T> {
        let path = self.entry_of(name);
        self.updates.at(&path).or_else(|| self.given.at(&path))
    }

    /// Leaves `value` at `name` below the module that runs.
    pub fn set(&mut self, name: &str, value: impl StateEntry) {
        self.updates.put(self.entry_of(name), value);
    }

    /// Sets the next value of the running module's variable `name`, which keeps the kind of `old`.
    pub fn set_variable(&mut self, name: &str, old: &Variable, value: Array) {
        self.set(name, Variable::from(value).of_kind(old.kind()));
    }

    /// Gives `value` as `name` to modules that run later in this pass, wherever they stand. It is no part of what the pass leaves.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::Context;
    /// let mut cx = Context::eval();
    /// cx.enter("first", |cx| cx.lend("keys", Array::ones(&[2])));
    /// assert_eq!(cx.enter("second", |cx| cx.lent::<Array>("keys")).unwrap().shape(), [2]);
    /// assert!(cx.updates().is_empty());
    /// ```
    pub fn lend(&mut self, name: &str, value: impl StateEntry) {
        self.lent.set(name, value);
    }

    /// The value that a module lent as `name` earlier in this pass, if it has the type `T`.
    pub fn lent<T: StateEntry>(&self, name: &str) -> Option<T> {
        self.lent.get(name)
    }

    /// The value of that type that the pass was made with.
    pub fn about<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.about.get(&TypeId::of::<T>())?.clone().downcast().ok()
    }

    /// Runs `f`, in which modules find `value` by its type, in the place of another that the pass was made with.
    ///
    /// ```
    /// use jarrah_nn::Context;
    /// let mut cx = Context::eval().with(1i32);
    /// assert_eq!(cx.telling(2i32, |cx| cx.about::<i32>().map(|x| *x)), Some(2));
    /// assert_eq!(cx.about::<i32>().map(|x| *x), Some(1));
    /// ```
    pub fn telling<T: Any + Send + Sync, R>(&mut self, value: T, f: impl FnOnce(&mut Context) -> R) -> R {
        let outer = self.about.insert(TypeId::of::<T>(), Arc::new(value));
        let result = f(self);
        match outer {
            Some(outer) => self.about.insert(TypeId::of::<T>(), outer),
            None => self.about.remove(&TypeId::of::<T>()),
        };
        result
    }

    /// Runs `f` under the path element `name`, for instance `blocks.3`: entries, errors and profiles within it get this path.
    #[track_caller]
    pub fn enter<R>(&mut self, name: &str, f: impl FnOnce(&mut Context) -> R) -> R {
        let outer = self.path.clone();
        self.path = self.path_of(name);
        let result = relay(|| named_scope(name, || f(self)));
        self.path = outer;
        result
    }

    /// The result of the module at `name` for `x`, captured or changed if the pass was asked to.
    #[track_caller]
    pub fn call(&mut self, name: &str, module: &impl Callable, x: &Array) -> Array {
        self.enter(name, |cx| {
            let y = module.run(x, cx);
            cx.passing(y)
        })
    }

    /// As [`call`](Context::call), for the result of a closure instead of a module; `f` runs under the path element `name`.
    #[track_caller]
    pub fn call_with(&mut self, name: &str, f: impl FnOnce(&mut Context) -> Array) -> Array {
        self.enter(name, |cx| {
            let y = f(cx);
            cx.passing(y)
        })
    }

    /// Whether the value `name` of the running module is to be captured or changed, so that a module computes expensive values,
    /// such as the weights of attention, only if they are wanted.
    pub fn wants(&self, name: &str) -> bool {
        let path = self.path_of(name).to_string();
        let own =
            |filter: &Filter| filter.accepts_path(&path) && !filter.accepts_path(&self.path.to_string());
        self.taps.iter().any(|(filter, _)| own(filter))
    }

    /// Offers the value `name` of the running module: it is captured or changed if the pass was asked to. Returns the value to go
    /// on with.
    pub fn observe(&mut self, name: &str, value: Array) -> Array {
        self.enter(name, |cx| cx.passing(value))
    }

    fn passing(&mut self, mut value: Array) -> Array {
        if self.taps.is_empty() {
            return value;
        }
        let path = self.path.to_string();
        for (filter, tap) in self.taps.clone() {
            match tap {
                _ if !filter.accepts_path(&path) => {}
                Tap::Capture => {
                    self.captured.entry(path.clone()).or_default().push(value.clone());
                    self.order.push(path.clone());
                }
                Tap::Change(f) => value = f(&path, &value),
            }
        }
        value
    }

    /// The entries that modules left, to [`update`](crate::update) a model with, or to give to the next pass.
    pub fn updates(&self) -> State {
        self.updates.clone()
    }

    /// The captured results of modules by path; a list for a module that ran several times.
    pub fn captured(&self) -> State {
        let mut state = State::default();
        let variable = |array: &Array| Variable::from(array.clone()).of_kind(Kind::INTERMEDIATE);
        for (path, values) in &self.captured {
            match &values[..] {
                [value] => state.set(path, variable(value)),
                values => state.set(path, values.iter().map(variable).collect::<Vec<_>>()),
            }
        }
        state
    }

    /// The paths of the captured arrays in the order of capture: a module comes after the modules that it called.
    pub fn captured_paths(&self) -> Vec<String> {
        let mut met: BTreeMap<String, usize> = BTreeMap::new();
        let name = |path: &String| {
            let place = met.entry(path.clone()).or_default();
            *place += 1;
            match self.captured.get(path) {
                Some(values) if values.len() > 1 => format!("{path}.{}", *place - 1),
                _ => path.clone(),
            }
        };
        self.order.iter().map(name).collect()
    }

    /// The path at which the state has the entry `name` of the module that runs.
    fn entry_of(&self, name: &str) -> Path {
        let path = self.path_of(name);
        self.shared.get(&path).cloned().unwrap_or(path)
    }

    fn path_of(&self, name: &str) -> Path {
        self.path.keys().iter().cloned().chain(Path::parse(name).keys().iter().cloned()).collect()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("training", &self.training)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
