use std::sync::Arc;

use jarrah_array::{Array, Error, Location, Result, Tree, fail, where_};
use jarrah_tree::{Changer, Difference, Node, Part, Path, PathKey, Structure, TreeExt, Visitor};

/// A flattened tree: its arrays in order, each with its path.
///
/// Transformations work on leaves, so that one transformation serves parameters of every type, and its state can be
/// stored and named without knowing the type of the state.
///
/// ```
/// use jarrah_array::{Array, TreeExt};
/// use jarrah_optim::Adam;
/// use jarrah_optim::transforms::scale_by_adam;
/// let state = scale_by_adam(Adam::default()).init(&(Array::zeros(&[2]), Array::zeros(&[3])));
/// let names: Vec<String> = state.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
/// assert_eq!(names, ["count", "mu.0", "mu.1", "nu.0", "nu.1"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    paths: Arc<[Path]>,
    arrays: Vec<Array>,
}

impl Leaves {
    /// The leaves of a tree.
    pub fn of<T: Tree<Array>>(tree: &T) -> Self {
        Leaves::with_structure(tree).0
    }

    /// The leaves of a tree, and its structure.
    pub(crate) fn with_structure<T: Tree<Array>>(tree: &T) -> (Self, Structure) {
        let (arrays, structure) = tree.flatten();
        (Leaves { paths: structure.paths().into(), arrays: arrays.into_iter().cloned().collect() }, structure)
    }

    /// The leaves of `tree`, if it has the given `structure`, that of these leaves.
    pub(crate) fn of_same<T: Tree<Array>>(&self, structure: &Structure, tree: &T) -> Option<Self> {
        let arrays = structure.leaves_of(tree)?.into_iter().cloned().collect();
        Some(Leaves { paths: self.paths.clone(), arrays })
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
        self.restore_like(prototype, &Leaves::of(prototype))
    }

    /// As [`Leaves::try_restore`]; `wanted` are the leaves of the prototype.
    pub(crate) fn restore_like<T: Tree<Array>>(&self, prototype: &T, wanted: &Leaves) -> Result<T> {
        match wanted.difference(self) {
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

    /// The first path at which others differ, in structure or in the shape of an array; dtypes may differ.
    pub(crate) fn difference(&self, other: &Leaves) -> Option<Difference> {
        let same = self.has_paths_of(other) && same_shapes(self.arrays.iter().zip(&other.arrays));
        if same { None } else { difference(self, other) }
    }

    /// Whether `other` has the same paths and types.
    pub(crate) fn is_like(&self, other: &Leaves) -> bool {
        self.has_paths_of(other) && self.arrays.iter().zip(&other.arrays).all(|(a, b)| a.ty() == b.ty())
    }

    fn has_paths_of(&self, other: &Leaves) -> bool {
        Arc::ptr_eq(&self.paths, &other.paths) || self.paths == other.paths
    }

    /// The arrays with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Array)> {
        self.paths.iter().zip(&self.arrays)
    }

    /// The leaves whose index `keep` accepts, in order.
    pub(crate) fn filter(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let kept = self.iter().enumerate().filter(|(i, _)| keep(*i));
        let (paths, arrays): (Vec<Path>, _) =
            kept.map(|(_, (path, array))| (path.clone(), array.clone())).unzip();
        Leaves { paths: paths.into(), arrays }
    }

    /// These leaves with the arrays of `part` in place of the chosen ones, in order.
    pub(crate) fn filled(&self, chosen: &[bool], part: &Leaves) -> Self {
        let mut given = part.arrays.iter();
        let each = self.arrays.iter().zip(chosen);
        let arrays =
            each.map(|(own, &chosen)| if chosen { given.next().unwrap_or(own) } else { own }.clone());
        Leaves { paths: self.paths.clone(), arrays: arrays.collect() }
    }

    /// The leaves below the field `name`, with the rest of their paths.
    pub(crate) fn below(&self, name: &str) -> Self {
        let inside =
            self.iter().filter(|(path, _)| path.keys().first().is_some_and(|key| key.to_string() == name));
        let rest = |path: &Path| Path::default().enter_all(&path.keys()[1..], |path| path.clone());
        let (paths, arrays): (Vec<Path>, _) = inside.map(|(path, array)| (rest(path), array.clone())).unzip();
        Leaves { paths: paths.into(), arrays }
    }

    /// One leaf without a path.
    pub(crate) fn single(array: Array) -> Self {
        Leaves { paths: [Path::default()].into(), arrays: vec![array] }
    }

    /// Several arrays at the path of each leaf, named `0`, `1` and so on.
    pub(crate) fn nested(&self, mut f: impl FnMut(&Array) -> Vec<Array>) -> Self {
        let (mut paths, mut arrays) = (Vec::new(), Vec::new());
        for (own, array) in self.iter() {
            for (i, part) in f(array).into_iter().enumerate() {
                let path = |path: &mut Path| path.enter(PathKey::Index(i), |path| path.clone());
                paths.push(Path::default().enter_all(own.keys(), path));
                arrays.push(part);
            }
        }
        Leaves { paths: paths.into(), arrays }
    }

    /// The arrays, in order.
    pub(crate) fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// Leaves with these paths and other arrays.
    pub(crate) fn with(&self, arrays: Vec<Array>) -> Self {
        Leaves { paths: self.paths.clone(), arrays }
    }

    /// Leaves with these paths and `f` of each path and array.
    pub(crate) fn map_with_paths(&self, mut f: impl FnMut(&Path, &Array) -> Array) -> Self {
        self.with(self.iter().map(|(path, array)| f(path, array)).collect())
    }

    /// Leaves with these paths, each computed by `f` from the array and the array at the same index in `other`, which may have
    /// another shape.
    pub(crate) fn beside(&self, other: &Leaves, f: impl Fn(&Array, &Array) -> Array) -> Self {
        self.with(self.arrays.iter().zip(&other.arrays).map(|(a, b)| f(a, b)).collect())
    }

    /// These leaves with floats converted to the dtypes of the arrays at the same index in `others`, if there are as many.
    pub(crate) fn in_dtypes_of(self, others: &Leaves) -> Self {
        let fits = |(a, b): (&Array, &Array)| a.dtype() == b.dtype();
        if self.arrays.len() != others.arrays.len() || self.arrays.iter().zip(&others.arrays).all(fits) {
            return self;
        }
        self.beside(
            others,
            |a, b| if b.dtype().is_differentiable() { a.astype(b.dtype()) } else { a.clone() },
        )
    }

    /// Each array where `condition` is true, else the array at the same index in `others`; the results have the dtypes of
    /// `others`.
    #[track_caller]
    pub(crate) fn or(&self, condition: &Array, others: &Leaves) -> Self {
        self.zip([others], |a, [b]| where_(condition, a.astype(b.dtype()), b))
    }

    /// Leaves with these paths and `f` of each array.
    pub(crate) fn map(&self, f: impl FnMut(&Array) -> Array) -> Self {
        Leaves { paths: self.paths.clone(), arrays: self.arrays.iter().map(f).collect() }
    }

    /// Leaves with these paths and `f` of each array and the arrays at its index in `others`.
    #[track_caller]
    pub(crate) fn zip<const N: usize>(
        &self,
        others: [&Leaves; N],
        mut f: impl FnMut(&Array, [&Array; N]) -> Array,
    ) -> Self {
        for other in others {
            if let Some(Difference { path, sides: [a, b] }) = self.difference(other) {
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
    let (a_leaves, structure) = a.flatten();
    if structure.leaves_of(b).is_some_and(|b| same_shapes(a_leaves.iter().copied().zip(b))) {
        return None;
    }
    let (b_leaves, other) = b.flatten();
    let shapes = |(a, b): (&&Array, &&Array)| {
        let (a, b) = (a.ty(), b.ty());
        (a.dims() != b.dims()).then(|| [a, b].map(|ty| ty.to_string()))
    };
    structure.difference_of(&other, a_leaves.iter().zip(&b_leaves).map(shapes))
}

/// Whether the two arrays of each pair have the same shape.
fn same_shapes<'a>(pairs: impl IntoIterator<Item = (&'a Array, &'a Array)>) -> bool {
    pairs.into_iter().all(|(a, b)| a.ty().dims() == b.ty().dims())
}

impl Tree<Array> for Leaves {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        f(path, Part::Node(Node::Named("Leaves")));
        for (own, array) in self.paths.iter().zip(&self.arrays) {
            path.enter_all(own.keys(), |path| f(path, Part::Leaf(array)));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let pairs = self.paths.iter().zip(&self.arrays);
        let arrays = pairs.map(|(own, array)| path.enter_all(own.keys(), |path| f(path, array)));
        Ok(Leaves { arrays: arrays.collect::<Result<_>>()?, paths: self.paths.clone() })
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>) {
        let pairs = self.paths.iter().zip(&mut self.arrays);
        pairs.for_each(|(own, array)| path.enter_all(own.keys(), |path| array.visit_mut(path, f)));
        f(path, self);
    }
}
