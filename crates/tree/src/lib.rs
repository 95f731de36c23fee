//! Pytrees: nested containers of leaves.
//!
//! Functions of this library take and return one tree: a tuple, a struct, a vector, a leaf. What a transformation
//! needs of it is to visit the leaves in order, to rebuild the same structure around other leaves, and to tell whether
//! two trees have the same structure.
//!
//! ```
//! use jarrah_tree::{Path, Tree, TreeExt};
//!
//! #[derive(Clone, Copy, PartialEq, Debug)]
//! struct Leaf(f32);
//! impl Tree<Leaf> for Leaf {
//!     jarrah_tree::leaf!(Leaf);
//! }
//!
//! #[derive(Tree)]
//! struct Linear {
//!     weight: Leaf,
//!     bias: Option<Leaf>,
//!     #[tree(static)]
//!     width: usize,
//! }
//!
//! let layers = vec![Linear { weight: Leaf(1.0), bias: Some(Leaf(2.0)), width: 8 }];
//! let names: Vec<String> = layers.leaves_with_paths().into_iter().map(|(path, _): (String, &Leaf)| path).collect();
//! assert_eq!(names, ["0.weight", "0.bias"]);
//! let doubled = layers.map_leaves(|leaf: &Leaf| Leaf(leaf.0 * 2.0));
//! assert_eq!(doubled[0].bias, Some(Leaf(4.0)));
//! ```

mod containers;
mod fixed;
mod level;
mod path;
mod shared;
mod structure;

use std::any::Any;
use std::hash::{Hash, Hasher};

pub use fixed::Stored;
use jarrah_base::{Error, Location, Result};
pub use jarrah_tree_derive::Tree;
pub use level::Subtree;
pub use path::{Path, PathKey};
pub use shared::Shared;
pub use structure::{Difference, Node, Part, Static, Structure};

/// The function that [`Tree::visit`] calls with each part and its path.
pub type Visitor<'f, 'a, L> = dyn FnMut(&Path, Part<&'a L>) + 'f;

/// The function that [`Tree::visit_mut`] calls with each part and its path; `downcast_mut` selects the parts of one type.
pub type Changer<'f> = dyn FnMut(&Path, &mut dyn Any) + 'f;

/// A nesting of containers whose leaves are of type `L`.
///
/// Derive it for structs and enums; implement it by hand only for a new container or, with [`leaf!`], for a leaf.
///
/// A static field is `Clone + Eq + Hash + Debug`, or a float: floats, also in `Option`, `Vec`, arrays and tuples, are
/// compared by their bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree of `{L}`",
    label = "not a tree of `{L}`",
    note = "trees are `{L}` itself, `Vec`, arrays, tuples of up to eight, `Option`, `Box` and `BTreeMap<String, _>` of trees, `()`, and what derives `Tree`",
    note = "a field that holds no leaf, such as a number or a name, is marked `#[tree(static)]`"
)]
pub trait Tree<L>: Sized {
    /// Calls `f` with each leaf, container and static field and its path, in order: a container before its children.
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>);

    /// A tree of the same structure with the results of `f` as leaves.
    ///
    /// # Errors
    /// The first error of `f`.
    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self>;

    /// Calls `f` with each part of the tree and its path, to be changed in place: leaves, static fields, containers, a container
    /// after what it holds, and the tree itself last.
    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static;
}

/// Methods of every tree.
pub trait TreeExt<L>: Tree<L> {
    /// The leaves, in order.
    fn leaves<'a>(&'a self) -> Vec<&'a L>
    where
        L: 'a,
    {
        let mut leaves = Vec::new();
        self.visit(&mut Path::default(), &mut |_, part| {
            if let Part::Leaf(leaf) = part {
                leaves.push(leaf);
            }
        });
        leaves
    }

    /// The leaves and their paths, such as `blocks.3.weight`, in order.
    fn leaves_with_paths<'a>(&'a self) -> Vec<(String, &'a L)>
    where
        L: 'a,
    {
        let mut leaves = Vec::new();
        self.visit(&mut Path::default(), &mut |path, part| {
            if let Part::Leaf(leaf) = part {
                leaves.push((path.to_string(), leaf));
            }
        });
        leaves
    }

    /// The leaves, and all the rest of the tree as a value.
    fn flatten<'a>(&'a self) -> (Vec<&'a L>, Structure)
    where
        L: 'a,
    {
        let (mut leaves, mut structure, mut last) = (Vec::new(), Structure::default(), Path::default());
        self.visit(&mut Path::default(), &mut |path, part| {
            structure.push(&mut last, path, &part);
            if let Part::Leaf(leaf) = part {
                leaves.push(leaf);
            }
        });
        (leaves, structure)
    }

    /// The leaves, in order; `state` is fed with the containers and static fields of the tree, in order. That is less than a
    /// [`Structure`], which [`Structure::leaves_of`] compares.
    fn leaves_hashing<'a>(&'a self, state: &mut impl Hasher) -> Vec<&'a L>
    where
        L: 'a,
    {
        let mut leaves = Vec::new();
        self.visit(&mut Path::default(), &mut |path, part| {
            state.write_usize(path.keys().len());
            match part {
                Part::Leaf(leaf) => leaves.push(leaf),
                Part::Node(node) => node.hash(state),
                Part::Static(value) => value.hash(state),
            }
        });
        leaves
    }

    /// All of the tree but its leaves.
    fn structure<'a>(&'a self) -> Structure
    where
        L: 'a,
    {
        self.flatten().1
    }

    /// The children of the outermost container, in order: each layer of a model, with its parameters. A leaf has none.
    ///
    /// ```
    /// # use jarrah_tree::{Tree, TreeExt};
    /// # #[derive(Clone)] struct Leaf; impl Tree<Leaf> for Leaf { jarrah_tree::leaf!(Leaf); }
    /// let layers = vec![(Leaf, Some(Leaf)), (Leaf, None)];
    /// let children = TreeExt::<Leaf>::flatten_one_level(&layers);
    /// let lines = children.iter().map(|c| format!("{} leaves in {}", c.leaves.len(), c.structure));
    /// assert_eq!(lines.collect::<Vec<_>>(), ["2 leaves in (*, Some(*))", "1 leaves in (*, None)"]);
    /// ```
    fn flatten_one_level<'a>(&'a self) -> Vec<Subtree<'a, L>>
    where
        L: 'a,
    {
        let (leaves, structure) = self.flatten();
        let mut leaves = leaves.into_iter();
        let subtree = |(key, structure): (Option<PathKey>, Structure)| {
            let leaves = leaves.by_ref().take(structure.leaf_count()).collect();
            Subtree { key, leaves, structure }
        };
        structure.children().into_iter().map(subtree).collect()
    }

    /// A tree of the same structure with the results of `f` as leaves.
    fn map_leaves(&self, mut f: impl FnMut(&L) -> L) -> Self {
        let mapped = self.try_map(&mut Path::default(), &mut |_, leaf| Ok(f(leaf)));
        mapped.expect("invariant: the function cannot fail")
    }

    /// A tree of the same structure whose leaves are the results of `f` for each path and leaf.
    ///
    /// # Errors
    /// The first error of `f`.
    fn try_map_with_paths(&self, mut f: impl FnMut(&str, &L) -> Result<L>) -> Result<Self> {
        self.try_map(&mut Path::default(), &mut |path, leaf| f(&path.to_string(), leaf))
    }

    /// A tree of the same structure with `leaves`, given in order; `None` unless their number is that of this tree's leaves.
    fn with_leaves(&self, leaves: impl IntoIterator<Item = L>) -> Option<Self> {
        let mut leaves = leaves.into_iter();
        let short = || Error::internal("fewer leaves than the tree has");
        let filled = self.try_map(&mut Path::default(), &mut |_, _| leaves.next().ok_or_else(short)).ok()?;
        leaves.next().is_none().then_some(filled)
    }

    /// The leaves folded from the left into `init` by `f`.
    fn reduce_leaves<'a, T>(&'a self, init: T, f: impl FnMut(T, &'a L) -> T) -> T
    where
        L: 'a,
    {
        self.leaves().into_iter().fold(init, f)
    }

    /// The leaves combined by an associative function, in pairs of neighbours, in about `log2(n)` rounds; `None` of a tree
    /// without leaves.
    fn reduce_associative<'a>(&'a self, mut f: impl FnMut(&L, &L) -> L) -> Option<L>
    where
        L: Clone + 'a,
    {
        let mut all: Vec<L> = self.leaves().into_iter().cloned().collect();
        while all.len() > 1 {
            let pairs = all.chunks(2);
            all = pairs.map(|pair| if let [a, b] = pair { f(a, b) } else { pair[0].clone() }).collect();
        }
        all.pop()
    }

    /// Whether `f` holds for all leaves.
    fn all_leaves<'a>(&'a self, f: impl FnMut(&'a L) -> bool) -> bool
    where
        L: 'a,
    {
        self.leaves().into_iter().all(f)
    }

    /// The leaves for which `f` holds, with their paths.
    fn filter_leaves<'a>(&'a self, mut f: impl FnMut(&str, &L) -> bool) -> Vec<(String, &'a L)>
    where
        L: 'a,
    {
        self.leaves_with_paths().into_iter().filter(|(path, leaf)| f(path, leaf)).collect()
    }

    /// The structure of this tree around the leaves of `prefix`, each of which stands for all leaves below its place: one
    /// learning rate for each layer becomes one for each weight.
    ///
    /// # Errors
    /// A leaf of this tree is below no leaf of `prefix`, or a leaf of `prefix` stands for none.
    fn broadcast_from<P: Tree<L>>(&self, prefix: &P) -> Result<Self>
    where
        L: Clone,
    {
        let mut given: Vec<(Path, &L)> = Vec::new();
        prefix.visit(&mut Path::default(), &mut |path, part| {
            if let Part::Leaf(leaf) = part {
                given.push((path.clone(), leaf));
            }
        });
        let mut used = vec![false; given.len()];
        let broadcast = self.try_map(&mut Path::default(), &mut |path, _| match given
            .iter()
            .position(|(above, _)| path.keys().starts_with(above.keys()))
        {
            Some(at) => {
                used[at] = true;
                Ok(given[at].1.clone())
            }
            None => {
                let place = path.below("tree");
                Err(Error::program(format!("no leaf of the prefix stands for {place}")))
            }
        })?;
        match used.iter().position(|used| !used) {
            Some(unused) => {
                let place = given[unused].0.below("prefix");
                Err(Error::program(format!("{place} stands for no leaf of the tree")))
            }
            None => Ok(broadcast),
        }
    }

    /// A tree of the same structure with leaves `f(leaf, others)`, where `others` are the leaves at the same place of the other
    /// trees.
    ///
    /// # Errors
    /// The structures differ.
    #[track_caller]
    fn zip_map<const N: usize>(
        &self,
        others: [&Self; N],
        mut f: impl FnMut(&L, [&L; N]) -> L,
    ) -> Result<Self> {
        let (_, structure) = self.flatten();
        let mut beside: [Vec<&L>; N] = [const { Vec::new() }; N];
        for (leaves, other) in beside.iter_mut().zip(others) {
            if let Some(theirs) = structure.leaves_of(other) {
                *leaves = theirs;
            } else if let Some(Difference { path, sides: [a, b] }) = structure.difference(&other.structure())
            {
                let place = path.below("tree");
                let error = Error::program(format!("{place} is {a} in the first and {b} in another"));
                let help = "combine trees of one structure: the same variants, lengths and static fields";
                return Err(error.op("zip_map").at(Location::caller()).help(help));
            }
        }
        let mut position = 0;
        self.try_map(&mut Path::default(), &mut |_, leaf| {
            let counterparts = beside.each_ref().map(|leaves| leaves[position]);
            position += 1;
            Ok(f(leaf, counterparts))
        })
    }
}

impl<L, T: Tree<L>> TreeExt<L> for T {}

/// For each leaf of the first of these trees, that leaf of every tree: trees in a list become lists in a tree, given by its
/// leaves.
///
/// # Errors
/// There is no tree, or their structures differ.
///
/// ```
/// use jarrah_tree::{Tree, leaf, transpose};
/// #[derive(Clone, Debug, PartialEq)]
/// struct Leaf(i32);
/// impl Tree<Leaf> for Leaf {
///     leaf!(Leaf);
/// }
/// let trees = [(Leaf(1), Leaf(2)), (Leaf(3), Leaf(4))];
/// assert_eq!(transpose(&trees)?, [[&Leaf(1), &Leaf(3)], [&Leaf(2), &Leaf(4)]]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn transpose<L, T: Tree<L>>(trees: &[T]) -> Result<Vec<Vec<&L>>> {
    let Some((first, others)) = trees.split_first() else {
        return Err(Error::program("there is no tree to transpose"));
    };
    let (leaves, structure) = first.flatten();
    let mut all: Vec<Vec<&L>> = leaves.into_iter().map(|leaf| vec![leaf]).collect();
    for (i, tree) in others.iter().enumerate() {
        let (leaves, other) = tree.flatten();
        if let Some(Difference { path, sides: [a, b] }) = structure.difference(&other) {
            let place = path.below("tree");
            return Err(Error::program(format!("{place} is {a} in tree 0 and {b} in tree {}", i + 1)));
        }
        all.iter_mut().zip(leaves).for_each(|(all, leaf)| all.push(leaf));
    }
    Ok(all)
}

/// The methods of [`Tree`] for a type that is its own only leaf; it must be `Clone`.
#[macro_export]
macro_rules! leaf {
    ($leaf:ty) => {
        fn visit<'a>(&'a self, path: &mut $crate::Path, f: &mut $crate::Visitor<'_, 'a, $leaf>) {
            f(path, $crate::Part::Leaf(self))
        }

        fn try_map(
            &self,
            path: &mut $crate::Path,
            f: &mut dyn FnMut(&$crate::Path, &$leaf) -> $crate::private::Result<$leaf>,
        ) -> $crate::private::Result<Self> {
            f(path, self)
        }

        fn visit_mut(&mut self, path: &mut $crate::Path, f: &mut $crate::Changer<'_>) {
            f(path, self)
        }
    };
}

#[doc(hidden)]
pub mod private {
    pub use jarrah_base::Result;

    pub use crate::fixed::{Probe, Unstored};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Leaf(i32);
    impl Tree<Leaf> for Leaf {
        leaf!(Leaf);
    }

    #[test]
    fn zipped_leaves_stand_at_the_same_place() {
        let a = vec![(Leaf(1), Leaf(2)), (Leaf(3), Leaf(4))];
        let b = a.map_leaves(|x| Leaf(10 * x.0));
        let c = a.map_leaves(|x| Leaf(100 * x.0));
        let sums = a.zip_map([&b, &c], |x, [y, z]| Leaf(x.0 + y.0 + z.0)).unwrap();
        assert_eq!(sums, a.map_leaves(|x| Leaf(111 * x.0)));
    }

    #[test]
    fn a_structure_knows_its_trees() {
        type Map = std::collections::BTreeMap<String, Leaf>;
        let map = |names: &[&str]| names.iter().map(|n| ((*n).to_owned(), Leaf(0))).collect::<Map>();
        let trees: Vec<(Vec<Leaf>, (Option<Leaf>, Map))> = vec![
            (vec![], (None, map(&[]))),
            (vec![Leaf(1)], (None, map(&[]))),
            (vec![], (Some(Leaf(1)), map(&[]))),
            (vec![], (None, map(&["a"]))),
            (vec![], (None, map(&["b"]))),
            (vec![Leaf(1), Leaf(2)], (Some(Leaf(3)), map(&["a", "b"]))),
        ];
        for (i, tree) in trees.iter().enumerate() {
            for (j, other) in trees.iter().enumerate() {
                let found = TreeExt::<Leaf>::structure(tree).leaves_of(other);
                let expected = (i == j).then(|| TreeExt::<Leaf>::leaves(tree));
                assert_eq!(found, expected, "{i}, {j}");
            }
        }
    }

    #[test]
    fn trees_of_other_structure_are_refused() {
        let error = vec![Leaf(1)].zip_map([&vec![Leaf(1), Leaf(2)]], |x, _| x.clone()).unwrap_err();
        assert_eq!(
            error.message(),
            "the tree is a sequence of 1 in the first and a sequence of 2 in another"
        );
        assert_eq!(error.location().map(|place| place.file()), Some(file!()));
        assert!(error.to_string().contains("help: combine trees of one structure"), "{error}");
    }
}
