use jarrah_array::{Array, Error, Location, Result, Tree, fail};
use jarrah_tree::{Difference, Key, Node, Part, Path, TreeExt, Visitor};

/// A flattened tree: its arrays in order, each with its path.
///
/// Transformations work on leaves, so that one transformation serves parameters of every type, and its state can be
/// stored and named without knowing the type of the state.
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
        let (arrays, structure) = tree.flatten();
        Leaves { paths: structure.paths(), arrays: arrays.into_iter().cloned().collect() }
    }

    /// The tree with the structure of `prototype` and these leaves. Panics if their number, paths or shapes differ.
    #[track_caller]
    pub fn restore<T: Tree<Array>>(&self, prototype: &T) -> T {
        match self.try_restore(prototype) {
            Ok(tree) => tree,
            Err(error) => fail(error.at(Location::caller())),
        }
    }

    pub(crate) fn try_restore<T: Tree<Array>>(&self, prototype: &T) -> Result<T> {
        let wanted = Leaves::of(prototype);
        match difference(&wanted, self) {
            None => {
                Ok(prototype.with_leaves(self.arrays.iter().cloned()).expect("invariant: one for each leaf"))
            }
            Some(Difference { path, sides: [wanted, found] }) => {
                let error =
                    Error::program(format!("state {path} is {found}, for these parameters it is {wanted}"));
                let help = "a state belongs to the transformation and the parameters that made it";
                Err(error.op("optimizer state").help(help))
            }
        }
    }

    /// The arrays with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Array)> {
        self.paths.iter().zip(&self.arrays)
    }

    /// The leaves whose index `keep` accepts, in order.
    pub(crate) fn filter(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut kept = Leaves::default();
        for (_, (path, array)) in self.iter().enumerate().filter(|(i, _)| keep(*i)) {
            kept.paths.push(path.clone());
            kept.arrays.push(array.clone());
        }
        kept
    }

    /// The same paths, with `f` of each array.
    pub(crate) fn map(&self, f: impl FnMut(&Array) -> Array) -> Self {
        Leaves { paths: self.paths.clone(), arrays: self.arrays.iter().map(f).collect() }
    }

    /// The same paths, with `f` of each array and the arrays at its index in `others`.
    #[track_caller]
    pub(crate) fn zip<const N: usize>(
        &self,
        others: [&Leaves; N],
        mut f: impl FnMut(&Array, [&Array; N]) -> Array,
    ) -> Self {
        for other in others {
            if let Some(Difference { path, sides: [a, b] }) = difference(self, other) {
                let (updates, state) = (path.below("update"), path.below("state"));
                let error = Error::program(format!("{updates} is {a}, its {state} or parameter is {b}"));
                fail(error.op("optimizer update").at(Location::caller()));
            }
        }
        let arrays = self.arrays.iter().enumerate();
        let arrays = arrays.map(|(i, array)| f(array, others.map(|other| &other.arrays[i]))).collect();
        Leaves { paths: self.paths.clone(), arrays }
    }
}

/// The first path at which two trees differ in structure or in the shape of an array; dtypes may differ.
pub(crate) fn difference<T: Tree<Array>>(a: &T, b: &T) -> Option<Difference> {
    let ((a_leaves, a), (b_leaves, b)) = (a.flatten(), b.flatten());
    let shapes = |(a, b): (&&Array, &&Array)| {
        let (a, b) = (a.ty(), b.ty());
        (a.dims() != b.dims()).then(|| [a, b].map(|ty| ty.to_string()))
    };
    a.difference_of(&b, a_leaves.iter().zip(&b_leaves).map(shapes))
}

/// Runs `f` with `keys` appended to the path.
fn below<R>(path: &mut Path, keys: &[Key], f: &mut dyn FnMut(&mut Path) -> R) -> R {
    match keys {
        [] => f(path),
        [first, rest @ ..] => path.enter(first.clone(), |path| below(path, rest, f)),
    }
}

impl Tree<Array> for Leaves {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        f(path, Part::Node(Node::Named("Leaves")));
        for (own, array) in self.paths.iter().zip(&self.arrays) {
            below(path, own.keys(), &mut |path| f(path, Part::Leaf(array)));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let pairs = self.paths.iter().zip(&self.arrays);
        let arrays = pairs.map(|(own, array)| below(path, own.keys(), &mut |path| f(path, array)));
        Ok(Leaves { arrays: arrays.collect::<Result<_>>()?, paths: self.paths.clone() })
    }
}
