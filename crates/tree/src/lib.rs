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
mod path;

use std::hash::Hasher;

use jarrah_base::Result;
pub use jarrah_tree_derive::Tree;
pub use path::{Key, Path};

/// A nesting of containers whose leaves are of type `L`.
///
/// Derive it for structs and enums; implement it by hand only for a new container or, with [`leaf!`], for a leaf.
pub trait Tree<L>: Sized {
    /// Calls `f` with each leaf and its path, in order.
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L));

    /// The same structure around the leaves that `f` makes of these.
    ///
    /// # Errors
    /// The first error of `f`.
    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self>;

    /// Whether the other tree differs in its leaves at most: lengths, variants and static fields are equal.
    fn same_structure(&self, other: &Self) -> bool;

    /// Feeds everything but the leaves to a hasher.
    fn hash_structure(&self, state: &mut dyn Hasher);
}

/// What every tree can do, in short.
pub trait TreeExt<L>: Tree<L> {
    /// The leaves, in order.
    fn leaves<'a>(&'a self) -> Vec<&'a L>
    where
        L: 'a,
    {
        let mut leaves = Vec::new();
        self.visit(&mut Path::default(), &mut |_, leaf| leaves.push(leaf));
        leaves
    }

    /// The leaves and their paths, such as `blocks.3.weight`, in order.
    fn leaves_with_paths<'a>(&'a self) -> Vec<(String, &'a L)>
    where
        L: 'a,
    {
        let mut leaves = Vec::new();
        self.visit(&mut Path::default(), &mut |path, leaf| leaves.push((path.to_string(), leaf)));
        leaves
    }

    /// The same structure around the leaves that `f` makes of these.
    fn map_leaves(&self, mut f: impl FnMut(&L) -> L) -> Self {
        let mapped = self.try_map(&mut Path::default(), &mut |_, leaf| Ok(f(leaf)));
        mapped.expect("invariant: the function cannot fail")
    }

    /// The same structure around the leaves that `f` makes of these and their paths.
    ///
    /// # Errors
    /// The first error of `f`.
    fn try_map_with_paths(&self, mut f: impl FnMut(&str, &L) -> Result<L>) -> Result<Self> {
        self.try_map(&mut Path::default(), &mut |path, leaf| f(&path.to_string(), leaf))
    }

    /// The same structure around `leaves`, given in order; `None` if there are too few.
    fn with_leaves(&self, leaves: impl IntoIterator<Item = L>) -> Option<Self> {
        let mut leaves = leaves.into_iter();
        let short = jarrah_base::Error::internal("fewer leaves than the tree has");
        let filled =
            self.try_map(&mut Path::default(), &mut |_, _| leaves.next().ok_or_else(|| short.clone()));
        filled.ok()
    }

    /// The same structure around what `f` makes of each leaf and of the leaves at its place in the `others`.
    ///
    /// # Errors
    /// The structures differ.
    fn zip_map<const N: usize>(
        &self,
        others: [&Self; N],
        mut f: impl FnMut(&L, [&L; N]) -> L,
    ) -> Result<Self> {
        if !others.iter().all(|other| self.same_structure(other)) {
            return Err(jarrah_base::Error::program("trees of different structure cannot be combined"));
        }
        let leaves = others.map(TreeExt::leaves);
        let mut position = 0;
        self.try_map(&mut Path::default(), &mut |_, leaf| {
            let beside = leaves.each_ref().map(|leaves| leaves[position]);
            position += 1;
            Ok(f(leaf, beside))
        })
    }
}

impl<L, T: Tree<L>> TreeExt<L> for T {}

/// The methods of [`Tree`] for a type that is its own only leaf; it must be `Clone`.
#[macro_export]
macro_rules! leaf {
    ($leaf:ty) => {
        fn visit<'a>(&'a self, path: &mut $crate::Path, f: &mut dyn FnMut(&$crate::Path, &'a $leaf)) {
            f(path, self)
        }

        fn try_map(
            &self,
            path: &mut $crate::Path,
            f: &mut dyn FnMut(&$crate::Path, &$leaf) -> $crate::private::Result<$leaf>,
        ) -> $crate::private::Result<Self> {
            f(path, self)
        }

        fn same_structure(&self, _: &Self) -> bool {
            true
        }

        fn hash_structure(&self, _: &mut dyn ::std::hash::Hasher) {}
    };
}

#[doc(hidden)]
pub mod private {
    use std::hash::{Hash, Hasher};

    pub use jarrah_base::Result;

    /// Feeds a static field to a hasher behind a reference.
    pub fn hash<T: Hash>(value: &T, mut state: &mut dyn Hasher) {
        value.hash(&mut state);
    }
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
    fn trees_of_other_structure_are_refused() {
        let error = vec![Leaf(1)].zip_map([&vec![Leaf(1), Leaf(2)]], |x, _| x.clone()).unwrap_err();
        assert_eq!(error.message(), "trees of different structure cannot be combined");
    }
}
