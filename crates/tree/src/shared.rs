//! Trees that stand at several places of a larger one.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::Result;

use crate::{Changer, Node, Part, Path, Tree, Visitor};

/// A tree that may stand at several places of a larger one, where its leaves count once.
///
/// [`again`](Shared::again) makes the tree for the other places. Leaves are visited where the tree comes first; a tree mapped
/// from the larger tree has the same result at all places. So an optimizer has one state for the shared tree, a gradient is the
/// sum over all places, and a checkpoint holds it once.
///
/// A copy of the larger tree has places of its own: in a pair of a model and its clone, each shares with itself alone. The tree
/// of another place, alone in a tree, is a tree like any other.
///
/// ```
/// # use jarrah_tree::{Shared, Tree, TreeExt};
/// # #[derive(Clone, PartialEq, Debug)] struct Leaf(i32); impl Tree<Leaf> for Leaf { jarrah_tree::leaf!(Leaf); }
/// let table = Shared::new(Leaf(1));
/// let model = (table.again(), Leaf(2), table.again());
/// assert_eq!(model.leaves(), [&Leaf(1), &Leaf(2)]);
/// let next = model.map_leaves(|leaf: &Leaf| Leaf(leaf.0 + 10));
/// assert_eq!(*next.2, Leaf(11));
/// ```
#[derive(Clone)]
pub struct Shared<T> {
    value: T,
    group: u64,
    /// Whether a copy of the larger tree begins here, if it stands twice in one.
    leads: bool,
}

impl<T> Shared<T> {
    /// A tree that can be shared.
    pub fn new(value: T) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Shared { value, group: NEXT.fetch_add(1, Ordering::Relaxed), leads: true }
    }

    /// This tree for another place, behind this place in the order in which the larger tree is visited.
    #[must_use]
    pub fn again(&self) -> Self
    where
        T: Clone,
    {
        Shared { leads: false, ..self.clone() }
    }

    /// The shared tree.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Whether this and another stand for one tree.
    pub fn is_shared_with<U>(&self, other: &Shared<U>) -> bool {
        self.group == other.group
    }

    /// Another tree at the same places, if the places are in one tree with these: when the larger tree is mapped, the tree that
    /// [`Tree::visit_mut`] put at the leading place comes to the others.
    #[must_use]
    pub fn replaced<U>(&self, value: U) -> Shared<U> {
        Shared { value, group: self.group, leads: self.leads }
    }

    /// Whether this is the leading place, made by [`Shared::new`].
    pub fn leads(&self) -> bool {
        self.leads
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<L, T: Tree<L> + Clone + Send + Sync + 'static> Tree<L> for Shared<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        match path.met.known(self.group, self.leads) {
            Some(first) => {
                let node = Node::shared(&first.path, path);
                f(path, Part::Node(node));
            }
            None => {
                path.met.meet(Place { group: self.group, leads: self.leads, path: path.clone(), made: None });
                self.value.visit(path, f);
            }
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let known =
            path.met.known(self.group, self.leads).and_then(|first| first.made.as_ref()?.downcast_ref::<T>());
        let value = match known {
            Some(made) => made.clone(),
            None => {
                let value = self.value.try_map(path, f)?;
                let made: Option<Box<dyn Any + Send + Sync>> = Some(Box::new(value.clone()));
                path.met.meet(Place { group: self.group, leads: self.leads, path: path.clone(), made });
                value
            }
        };
        Ok(self.replaced(value))
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        self.value.visit_mut(path, f);
        f(path, self);
    }
}

/// The shared trees met on one walk through a tree.
#[derive(Default)]
pub(crate) struct Met(Vec<Place>);

struct Place {
    group: u64,
    leads: bool,
    path: Path,
    /// The tree that the walk made of this shared tree, if it makes one.
    made: Option<Box<dyn Any + Send + Sync>>,
}

impl Met {
    /// Where a tree of this group was met before; a second place that leads begins anew.
    fn known(&self, group: u64, leads: bool) -> Option<&Place> {
        self.0.iter().find(|place| place.group == group && !(leads && place.leads))
    }

    fn meet(&mut self, place: Place) {
        self.0.retain(|known| known.group != place.group);
        self.0.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Structure, TreeExt, leaf};

    #[derive(Clone, Debug, PartialEq)]
    struct Leaf(i32);
    impl Tree<Leaf> for Leaf {
        leaf!(Leaf);
    }

    type Model = (Shared<Vec<Leaf>>, Leaf, Shared<Vec<Leaf>>);

    fn model(first: i32) -> Model {
        let table = Shared::new(vec![Leaf(first), Leaf(first + 1)]);
        (table.clone(), Leaf(0), table.again())
    }

    fn numbers<T: Tree<Leaf>>(tree: &T) -> Vec<i32> {
        TreeExt::<Leaf>::leaves(tree).into_iter().map(|leaf| leaf.0).collect()
    }

    #[test]
    fn what_is_made_of_a_shared_tree_stands_at_all_its_places() {
        let mut calls = 0;
        let next = model(5).map_leaves(|leaf: &Leaf| {
            calls += 1;
            Leaf(leaf.0 * 10 + calls)
        });
        assert_eq!((calls, numbers(&next)), (3, vec![51, 62, 3]));
        assert_eq!(*next.2, [Leaf(51), Leaf(62)]);
        assert!(next.0.is_shared_with(&next.2));
        assert_eq!(TreeExt::<Leaf>::structure(&next), TreeExt::<Leaf>::structure(&model(1)));
        let apart = (Shared::new(vec![Leaf(1), Leaf(2)]), Leaf(0), Shared::new(vec![Leaf(1), Leaf(2)]));
        assert_ne!(TreeExt::<Leaf>::structure(&next), TreeExt::<Leaf>::structure(&apart));
        assert_eq!(TreeExt::<Leaf>::structure(&next).to_string(), "([*, *], *, what is 1 up at 0)");
    }

    #[test]
    fn a_copy_shares_with_itself_alone() {
        let one = model(1);
        let pair = (one.clone(), one.map_leaves(|leaf: &Leaf| Leaf(leaf.0 + 100)), vec![one.clone(), one]);
        assert_eq!(numbers(&pair), [1, 2, 0, 101, 102, 100, 1, 2, 0, 1, 2, 0]);
        let filled = pair.with_leaves((0..12).map(Leaf)).unwrap();
        assert_eq!((&*filled.0.2, &*filled.1.2), (&vec![Leaf(0), Leaf(1)], &vec![Leaf(3), Leaf(4)]));
        assert_eq!(*filled.2[1].2, [Leaf(9), Leaf(10)]);
        let structures = TreeExt::<Leaf>::structure(&pair).children();
        assert_eq!(structures[0].1, structures[1].1);
        assert_eq!(structures[0].1, TreeExt::<Leaf>::structure(&model(3)));
        let both =
            Structure::tuple(&[structures[0].1.clone(), structures[1].1.clone(), structures[2].1.clone()]);
        assert_eq!(both, TreeExt::<Leaf>::structure(&pair));
    }

    #[test]
    fn a_place_alone_is_a_tree_like_any_other() {
        let other = model(7).2;
        assert_eq!(numbers(&other), [7, 8]);
        let next = other.map_leaves(|leaf: &Leaf| Leaf(-leaf.0));
        assert_eq!(*next, [Leaf(-7), Leaf(-8)]);
    }

    #[test]
    fn parts_are_changed_in_place_the_inner_ones_first() {
        let mut tree = (model(1), Some(Leaf(5)), [Leaf(6)]);
        let mut seen = Vec::new();
        Tree::<Leaf>::visit_mut(&mut tree, &mut Path::default(), &mut |path, part| {
            if let Some(leaf) = part.downcast_mut::<Leaf>() {
                leaf.0 += 1;
                seen.push(path.to_string());
            } else if let Some(list) = part.downcast_mut::<Vec<Leaf>>() {
                assert!(list[0].0 == 2);
                list.push(Leaf(9));
            }
        });
        assert_eq!(seen, ["0.0.0", "0.0.1", "0.1", "0.2.0", "0.2.1", "1", "2.0"]);
        assert_eq!(numbers(&tree), [2, 3, 9, 1, 6, 7]);
    }
}
