//! The structure of a tree, as a value: everything but its leaves.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::fixed::{ByBits, Fixed, FloatBits, Stored};
use crate::{Path, PathKey, Tree};

/// One part of a tree, as [`Tree::visit`](crate::Tree::visit) meets it; a container stands before its children.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part<L> {
    /// A leaf.
    Leaf(L),
    /// A container.
    Node(Node),
    /// A field marked `#[tree(static)]`.
    Static(Static),
}

/// A container of a tree: all that tells it from other containers of its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A struct, or a variant of an enum; the name fixes the number of children.
    Named(&'static str),
    /// A sequence of so many children: a vector or an array.
    Sequence(usize),
    /// A tuple of so many children.
    Tuple(usize),
    /// A map with these keys.
    Map(Vec<String>),
    /// A node whose content plays a separate role in its tree, such as statistics or a cache, or has properties; its path is
    /// that of the content.
    Variable {
        /// The name of the part.
        kind: &'static str,
        /// The properties.
        about: Option<Static>,
    },
    /// A [`Shared`](crate::Shared) tree that was met before: so many steps up, and then these.
    Shared(usize, Vec<PathKey>),
}

impl Node {
    /// The node at `path` for a shared tree that was met at `first`.
    pub(crate) fn shared(first: &Path, path: &Path) -> Node {
        let (first, own) = (first.keys(), path.keys());
        let common = first.iter().zip(own).take_while(|(a, b)| a == b).count();
        Node::Shared(own.len() - common, first[common..].to_vec())
    }
}

/// The value of a static field. Floats are compared and hashed by their bits.
#[derive(Clone)]
pub struct Static {
    value: Arc<dyn Value>,
    /// Writes a value that is [`Stored`].
    text: Option<fn(&dyn Any) -> Option<String>>,
}

trait Value: fmt::Debug + Send + Sync {
    fn any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Value) -> bool;
    fn feed(&self, state: &mut dyn Hasher);
}

impl<T: Eq + Hash + fmt::Debug + Send + Sync + 'static> Value for T {
    fn any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Value) -> bool {
        other.any().downcast_ref::<T>() == Some(self)
    }

    fn feed(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl Static {
    /// The value, if it is of type `T`.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.value.any().downcast_ref()
    }

    /// A value that is compared with `==`.
    pub fn new<T: Fixed>(value: &T) -> Self {
        Static { value: Arc::new(value.clone()), text: None }
    }

    /// A value that holds floats, compared by its bits.
    pub fn of_floats<T: FloatBits>(value: &T) -> Self {
        Static { value: Arc::new(ByBits::of(value)), text: None }
    }

    /// Adds the text of a value whose type is [`Stored`].
    pub(crate) fn stored<T: Stored>(self) -> Self {
        Static { text: Some(|value| value.downcast_ref::<T>().map(T::to_string)), ..self }
    }

    /// The text that files of the leaves hold, of a type that is [`Stored`].
    pub fn text(&self) -> Option<String> {
        self.text.and_then(|text| text(self.value.any()))
    }
}

impl PartialEq for Static {
    fn eq(&self, other: &Self) -> bool {
        self.value.equals(&*other.value)
    }
}

impl Eq for Static {}

impl Hash for Static {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.feed(state);
    }
}

impl fmt::Debug for Static {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The structure of a tree, without its leaves: containers with their variants, lengths and keys, and static fields.
///
/// Two trees of one type whose structures are equal differ in their leaves at most.
///
/// ```
/// # use jarrah_tree::{Tree, TreeExt};
/// # #[derive(Clone)] struct Leaf; impl Tree<Leaf> for Leaf { jarrah_tree::leaf!(Leaf); }
/// let (a, b) = ((Leaf, Some(Leaf)), (Leaf, None::<Leaf>));
/// let (a, b) = (TreeExt::<Leaf>::structure(&a), TreeExt::<Leaf>::structure(&b));
/// let difference = a.difference(&b).unwrap();
/// assert_eq!(difference.path.to_string(), "1");
/// assert_eq!(difference.sides, ["Some", "None"]);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Structure {
    /// In the order in which a tree is visited.
    parts: Vec<Placed>,
    /// For each part, the keys of its path that the path before does not begin with.
    keys: Vec<PathKey>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Placed {
    /// How many keys the path shares with the path before.
    shared: usize,
    /// How many keys it has in all.
    depth: usize,
    part: Part<()>,
}

/// The first place where two trees differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The place.
    pub path: Path,
    /// The node at the place in each tree: a variant, a number of elements, a static value, a leaf.
    pub sides: [String; 2],
}

impl Structure {
    /// Adds the next part of a visit; `last` is the path of the part before.
    pub(crate) fn push<L>(&mut self, last: &mut Path, path: &Path, part: &Part<L>) {
        let shared = last.keys().iter().zip(path.keys()).take_while(|(a, b)| a == b).count();
        self.keys.extend_from_slice(&path.keys()[shared..]);
        last.replace_after(shared, path.keys()[shared..].iter());
        let part = match part {
            Part::Leaf(_) => Part::Leaf(()),
            Part::Node(node) => Part::Node(node.clone()),
            Part::Static(value) => Part::Static(value.clone()),
        };
        self.parts.push(Placed { shared, depth: path.keys().len(), part });
    }

    /// The leaves of `tree`, in order, if this is its structure.
    pub fn leaves_of<'a, L: 'a, T: Tree<L>>(&self, tree: &'a T) -> Option<Vec<&'a L>> {
        let mut walk = Walk { structure: self, parts: 0, keys: 0, shared: Vec::new() };
        let (mut leaves, mut same) = (Vec::with_capacity(self.parts.len()), true);
        tree.visit(&mut Path::default(), &mut |path, part| {
            same = same
                && match (part, walk.part_at(path)) {
                    (Part::Leaf(leaf), Some(Part::Leaf(()))) => {
                        leaves.push(leaf);
                        true
                    }
                    (Part::Node(found), Some(Part::Node(wanted))) => found == *wanted,
                    (Part::Static(found), Some(Part::Static(wanted))) => found == *wanted,
                    _ => false,
                };
        });
        (same && walk.parts == self.parts.len()).then_some(leaves)
    }

    /// The outermost container, or the leaf that is the whole tree.
    pub fn root(&self) -> Option<&Part<()>> {
        self.parts.first().map(|placed| &placed.part)
    }

    /// The parts, in the order in which a tree is visited.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part<()>> {
        self.parts.iter().map(|placed| &placed.part)
    }

    /// The paths of the leaves, in order.
    pub fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::with_capacity(self.parts.len());
        self.walk(|path, part| {
            if let Part::Leaf(()) = part {
                paths.push(path.clone());
            }
        });
        paths
    }

    /// The first place where the other structure differs, if it does.
    pub fn difference(&self, other: &Structure) -> Option<Difference> {
        if self == other {
            return None;
        }
        let (left, right) = (self.placed(), other.placed());
        let first = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
        let has = |side: &[(Path, &Part<()>)], path: &Path| side.iter().any(|(known, _)| known == path);
        let missing = || "missing".to_owned();
        let (path, sides) = match (left.get(first), right.get(first)) {
            (Some((path, a)), Some((other, b))) if path == other => (path, [a.to_string(), b.to_string()]),
            (Some((path, a)), _) if !has(&right, path) => (path, [a.to_string(), missing()]),
            (_, Some((path, b))) => (path, [missing(), b.to_string()]),
            (Some((path, a)), None) => (path, [a.to_string(), missing()]),
            (None, None) => return None,
        };
        Some(Difference { path: path.clone(), sides })
    }

    /// As [`Structure::difference`]; where the structures are equal, the first leaf that has two `sides`, in order.
    pub fn difference_of(
        &self,
        other: &Structure,
        sides: impl IntoIterator<Item = Option<[String; 2]>>,
    ) -> Option<Difference> {
        let leaf = || {
            let (index, sides) = sides.into_iter().enumerate().find_map(|(i, sides)| Some((i, sides?)))?;
            Some(Difference { path: self.paths().swap_remove(index), sides })
        };
        self.difference(other).or_else(leaf)
    }

    /// Each part with its whole path, in the order in which a tree is visited.
    pub fn placed(&self) -> Vec<(Path, &Part<()>)> {
        let mut placed = Vec::with_capacity(self.parts.len());
        self.walk(|path, part| placed.push((path.clone(), part)));
        placed
    }

    /// Calls `f` with each part and its whole path, in the order in which a tree is visited.
    fn walk<'s>(&'s self, mut f: impl FnMut(&Path, &'s Part<()>)) {
        let mut keys = self.keys.iter();
        let mut path = Path::default();
        for placed in &self.parts {
            path.replace_after(placed.shared, keys.by_ref().take(placed.depth - placed.shared));
            f(&path, &placed.part);
        }
    }
}

/// A structure next to a tree that is visited.
struct Walk<'s> {
    structure: &'s Structure,
    /// How many parts, and how many of the keys, were passed.
    parts: usize,
    keys: usize,
    /// The keys that the path of the next part shares with the path before.
    shared: Vec<&'s PathKey>,
}

impl<'s> Walk<'s> {
    /// The next part, if `path` is where it stands.
    ///
    /// Plain loops: each call of a compiled function does this for each leaf, and `zip` and `extend` are calls within.
    fn part_at(&mut self, path: &Path) -> Option<&'s Part<()>> {
        let (structure, found) = (self.structure, path.keys());
        let placed = structure.parts.get(self.parts)?;
        if found.len() != placed.depth {
            return None;
        }
        let (above, below) = found.split_at(placed.shared);
        for (i, key) in above.iter().enumerate() {
            if key != self.shared[i] {
                return None;
            }
        }
        let own = &structure.keys[self.keys..self.keys + below.len()];
        for (i, key) in below.iter().enumerate() {
            if *key != own[i] {
                return None;
            }
        }
        self.keys += own.len();
        self.parts += 1;
        let shared = structure.parts.get(self.parts).map_or(0, |next| next.shared);
        self.shared.truncate(shared);
        for key in own.get(..shared.saturating_sub(placed.shared)).unwrap_or_default() {
            self.shared.push(key);
        }
        Some(&placed.part)
    }
}

impl<L> fmt::Display for Part<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Leaf(_) => f.write_str("a leaf"),
            Part::Node(Node::Named(name)) => f.write_str(name),
            Part::Node(Node::Sequence(length)) => write!(f, "a sequence of {length}"),
            Part::Node(Node::Tuple(length)) => write!(f, "a tuple of {length}"),
            Part::Node(Node::Map(keys)) => write!(f, "a map of {{{}}}", keys.join(", ")),
            Part::Node(Node::Variable { kind, about: None }) => write!(f, "a {kind}"),
            Part::Node(Node::Variable { kind, about: Some(about) }) => write!(f, "a {kind} with {about:?}"),
            Part::Node(Node::Shared(up, down)) => {
                let down: Path = down.iter().cloned().collect();
                write!(f, "what is {up} up at {down}")
            }
            Part::Static(value) => write!(f, "{value:?}"),
        }
    }
}
