//! Parts of a model as values of their own.

use std::collections::BTreeMap;
use std::fmt::Debug;

use jarrah_array::{Array, Error, Location, Result, Tree, TreeExt, fail};
use jarrah_tree::{Changer, Node, Part, Path, Visitor};

use crate::filter::{for_each_leaf, nearest};
use crate::object::object;
use crate::{Filter, Kind, Variable};

/// A tree of any type that can be an entry of a [`State`].
pub trait StateEntry: Tree<Array> + Clone + Debug + Send + Sync + 'static {}

impl<T: Tree<Array> + Clone + Debug + Send + Sync + 'static> StateEntry for T {}

object! {
    /// A tree of any type.
    pub struct Entry holds StateEntry by stored {}
}

/// Trees by their paths: the parameters of a model, its statistics, its caches, what was captured. A tree itself, so that it passes
/// through `jit`, `grad` and optimizers, and names its leaves as the model does.
///
/// ```
/// use jarrah_array::{Array, TreeExt};
/// use jarrah_nn::State;
/// let mut state = State::default();
/// state.set("norm.mean", Array::zeros(&[3]));
/// assert_eq!(state.get::<Array>("norm.mean").unwrap().shape(), [3]);
/// assert_eq!(state.names(), ["norm.mean"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct State {
    entries: BTreeMap<Path, Entry>,
}

impl State {
    /// Puts `value` at `path`, in place of the previous entries there.
    pub fn set(&mut self, path: &str, value: impl StateEntry) {
        self.entries.insert(Path::parse(path), Entry::new(value));
    }

    pub(crate) fn put(&mut self, path: Path, value: impl StateEntry) {
        self.entries.insert(path, Entry::new(value));
    }

    /// The entry at `path`, if it has the type `T`.
    pub fn get<T: StateEntry>(&self, path: &str) -> Option<T> {
        self.at(&Path::parse(path))
    }

    pub(crate) fn at<T: StateEntry>(&self, path: &Path) -> Option<T> {
        self.entries.get(path)?.get::<T>().cloned()
    }

    /// The array at the path of a leaf.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_nn::{Linear, state};
    /// let all = state(&Linear::new(&Key::new(0), 2, 3), ..);
    /// assert_eq!(all.array("weight").unwrap().shape(), [2, 3]);
    /// ```
    pub fn array(&self, path: &str) -> Option<Array> {
        let wanted = Path::parse(path);
        let mut found = None;
        self.visit(&mut Path::default(), &mut |path, part| {
            if let Part::Leaf(array) = part
                && *path == wanted
            {
                found = Some(array.clone());
            }
        });
        found
    }

    /// The paths of the leaves, in order.
    pub fn names(&self) -> Vec<String> {
        self.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the state has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries whose path is accepted by `keeps`.
    #[must_use]
    pub fn filtered(&self, keeps: impl Fn(&str) -> bool) -> State {
        let kept = self.entries.iter().filter(|(path, _)| keeps(&path.to_string()));
        State { entries: kept.map(|(path, entry)| (path.clone(), entry.clone())).collect() }
    }

    /// The entries of both states; where both have one, that of `other` is used.
    #[must_use]
    pub fn merged(&self, other: &State) -> State {
        let mut entries = self.entries.clone();
        entries.extend(other.entries.iter().map(|(path, entry)| (path.clone(), entry.clone())));
        State { entries }
    }

    /// The entries below `path`, with the rest of their paths as names.
    #[must_use]
    pub fn below(&self, path: &str) -> State {
        let above = Path::parse(path);
        let inner = self.entries.iter().filter_map(|(path, entry)| {
            let rest = path.keys().strip_prefix(above.keys())?;
            Some((rest.iter().cloned().collect(), entry.clone()))
        });
        State { entries: inner.collect() }
    }
}

impl State {
    /// These entries, named from above `path`: the inverse of [`below`](State::below).
    #[must_use]
    pub(crate) fn moved_below(&self, path: &str) -> State {
        let above = Path::parse(path);
        let whole = |path: &Path| above.keys().iter().chain(path.keys()).cloned().collect();
        State { entries: self.entries.iter().map(|(path, entry)| (whole(path), entry.clone())).collect() }
    }
}

impl Tree<Array> for State {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        f(path, Part::Node(Node::Map(self.entries.keys().map(Path::to_string).collect())));
        for (own, entry) in &self.entries {
            path.enter_all(own.keys(), |path| entry.visit(path, f));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let each = self.entries.iter().map(|(own, entry)| {
            Ok((own.clone(), path.enter_all(own.keys(), |path| entry.try_map(path, f))?))
        });
        Ok(State { entries: each.collect::<Result<_>>()? })
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>) {
        for (own, entry) in &mut self.entries {
            path.enter_all(own.keys(), |path| entry.visit_mut(path, f));
        }
        f(path, self);
    }
}

/// The leaves of a model that `filter` means, by their paths; what is shared stands at its first place. Panics if `filter` is a pattern of paths
/// that means no leaf: what is then trained, or left out, would silently be something else.
///
/// ```
/// use jarrah_array::{Array, grad, random::Key};
/// use jarrah_nn::{Linear, Module, state, update};
/// // The gradient of some parameters: the others are constants.
/// let model = Linear::new(&Key::new(0), 3, 2);
/// let bias = state(&model, "bias");
/// let slope = grad(|bias: &_| update(&model, bias).forward(&Array::ones(&[3])).sum(..))(&bias);
/// assert_eq!(slope.array("bias").unwrap().to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.state`.
#[track_caller]
pub fn state<M: Tree<Array>>(model: &M, filter: impl Into<Filter>) -> State {
    let filter = filter.into();
    let mut chosen = State::default();
    for_each_leaf(model, |path, place, array| {
        if filter.accepts(place) {
            put(&mut chosen, path, place.kind, array);
        }
    });
    if chosen.is_empty() && filter.is_pattern() {
        let mut places = Vec::new();
        for_each_leaf(model, |_, place, _| places.push(place.path.to_owned()));
        filter.fail_to_meet("state", "leaf", &places);
    }
    chosen
}

/// The leaves of a model in as many parts as there are filters: each leaf is in the part of the first filter that means it. Panics if
/// none means some leaf; end with `..`.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_nn::{Linear, split};
/// let model = Linear::new(&Key::new(0), 3, 2);
/// let [bias, rest] = split(&model, ["bias".into(), (..).into()]);
/// assert_eq!((bias.names(), rest.names()), (vec!["bias".to_owned()], vec!["weight".to_owned()]));
/// ```
///
/// Source: `flax.nnx.split`; [`update`] is its inverse.
#[track_caller]
pub fn split<M: Tree<Array>, const N: usize>(model: &M, filters: [Filter; N]) -> [State; N] {
    let at = Location::caller();
    let mut parts: [State; N] = std::array::from_fn(|_| State::default());
    for_each_leaf(model, |path, place, array| {
        match filters.iter().position(|filter| filter.accepts(place)) {
            Some(i) => put(&mut parts[i], path, place.kind, array),
            None => {
                let error = format!("no filter means {}, a {}", place.path, place.kind.name());
                fail(
                    Error::program(error)
                        .op("split")
                        .help("end with `(..).into()`, which means everything")
                        .at(at),
                )
            }
        }
    });
    parts
}

fn put(state: &mut State, path: &Path, kind: Kind, array: &Array) {
    if kind == Kind::PARAMETER {
        state.put(path.clone(), array.clone());
    } else {
        state.put(path.clone(), Variable::from(array.clone()).of_kind(kind));
    }
}

/// The model with its leaves replaced by those in `state`. Panics if the state has a leaf that the model lacks, or a leaf of
/// another shape.
///
/// Source: `flax.nnx.update`.
#[track_caller]
pub fn update<M: Tree<Array>>(model: &M, state: &State) -> M {
    match try_update(model, state) {
        Ok(model) => model,
        Err(error) => fail(error.at(Location::caller())),
    }
}

/// As [`update`].
///
/// # Errors
/// The state has a leaf that the model lacks, or a leaf of another shape.
pub fn try_update<M: Tree<Array>>(model: &M, state: &State) -> Result<M> {
    let mut given: BTreeMap<Path, &Array> = BTreeMap::new();
    state.visit(&mut Path::default(), &mut |path, part| {
        if let Part::Leaf(array) = part {
            given.insert(path.clone(), array);
        }
    });
    let updated = model.try_map(&mut Path::default(), &mut |path, old| {
        let Some(new) = given.remove(path) else { return Ok(old.clone()) };
        if new.ty().dims() != old.ty().dims() {
            let error = format!("{path} is {} in the model and {} in the state", old.ty(), new.ty());
            return Err(Error::program(error).op("update"));
        }
        Ok(new.clone())
    })?;
    match given.keys().next() {
        None => Ok(updated),
        Some(path) => {
            let names: Vec<String> =
                model.leaves_with_paths().into_iter().map(|(p, _): (String, &Array)| p).collect();
            let nearest = nearest(&path.to_string(), &names);
            let error = Error::program(format!("the model has no leaf {path}")).op("update");
            Err(error.help(format!("it has {nearest}")))
        }
    }
}
