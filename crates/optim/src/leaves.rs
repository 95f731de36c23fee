use std::hash::{Hash, Hasher};

use jarrah_array::{Array, Error, Result, Tree, fail};
use jarrah_tree::{Key, Path};

/// A tree taken apart: its arrays in order, each with its path.
///
/// Transformations work on this form, so that one transformation serves parameters of every type and its state can be
/// stored and named without knowing what the state is made of.
///
/// ```
/// use jarrah_array::{Array, TreeExt};
/// use jarrah_optim::{Adam, scale_by_adam};
/// let state = scale_by_adam(Adam::default()).init(&(Array::zeros(&[2]), Array::zeros(&[3])));
/// let names: Vec<String> = state.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
/// assert_eq!(names, ["count", "mu.0", "mu.1", "nu.0", "nu.1"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    paths: Vec<Path>,
    arrays: Vec<Array>,
}

impl Leaves {
    /// The leaves of a tree.
    pub fn of<T: Tree<Array>>(tree: &T) -> Self {
        let mut leaves = Leaves::default();
        tree.visit(&mut Path::default(), &mut |path, array: &Array| {
            leaves.paths.push(path.clone());
            leaves.arrays.push(array.clone());
        });
        leaves
    }

    /// The tree of the structure of `prototype` with these leaves. Panics if their number or paths differ.
    #[track_caller]
    pub fn restore<T: Tree<Array>>(&self, prototype: &T) -> T {
        let mut own = self.paths.iter().zip(&self.arrays);
        let mut place = |path: &Path, _: &Array| match own.next() {
            Some((known, array)) if known == path => Ok(array.clone()),
            Some((known, _)) => Err(Error::program(format!("there is {known} where {path} is expected"))),
            None => Err(Error::program(format!("there is no {path}"))),
        };
        match prototype.try_map(&mut Path::default(), &mut place) {
            Ok(tree) if own.next().is_none() => tree,
            Ok(_) => {
                fail(Error::program("there are more arrays than the structure holds").op("optimizer state"))
            }
            Err(error) => fail(
                error
                    .op("optimizer state")
                    .help("a state belongs to the transformation and parameters that made it"),
            ),
        }
    }

    /// The arrays with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Array)> {
        self.paths.iter().zip(&self.arrays)
    }

    /// The leaves for which `keep` holds, in order.
    pub(crate) fn filter(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut kept = Leaves::default();
        for (_, (path, array)) in self.iter().enumerate().filter(|(i, _)| keep(*i)) {
            kept.paths.push(path.clone());
            kept.arrays.push(array.clone());
        }
        kept
    }

    /// The same paths with what `f` makes of each array.
    pub(crate) fn map(&self, f: impl FnMut(&Array) -> Array) -> Self {
        Leaves { paths: self.paths.clone(), arrays: self.arrays.iter().map(f).collect() }
    }

    /// The same paths with what `f` makes of each array and its counterparts.
    #[track_caller]
    pub(crate) fn zip<const N: usize>(
        &self,
        others: [&Leaves; N],
        mut f: impl FnMut(&Array, [&Array; N]) -> Array,
    ) -> Self {
        if others.iter().any(|other| other.paths != self.paths) {
            let error = Error::program("updates, state and parameters are trees of different structure");
            fail(error.op("optimizer update"));
        }
        let arrays = self.arrays.iter().enumerate();
        let arrays = arrays.map(|(i, array)| f(array, others.map(|other| &other.arrays[i]))).collect();
        Leaves { paths: self.paths.clone(), arrays }
    }
}

/// Runs `f` below all of `keys`.
fn below<R>(path: &mut Path, keys: &[Key], f: &mut dyn FnMut(&mut Path) -> R) -> R {
    match keys {
        [] => f(path),
        [first, rest @ ..] => path.enter(first.clone(), |path| below(path, rest, f)),
    }
}

impl Tree<Array> for Leaves {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a Array)) {
        for (own, array) in self.paths.iter().zip(&self.arrays) {
            below(path, own.keys(), &mut |path| f(path, array));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let pairs = self.paths.iter().zip(&self.arrays);
        let arrays = pairs.map(|(own, array)| below(path, own.keys(), &mut |path| f(path, array)));
        Ok(Leaves { arrays: arrays.collect::<Result<_>>()?, paths: self.paths.clone() })
    }

    fn same_structure(&self, other: &Self) -> bool {
        self.paths == other.paths
    }

    fn hash_structure(&self, mut state: &mut dyn Hasher) {
        self.paths.hash(&mut state);
    }
}
