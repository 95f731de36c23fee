//! One level of a tree: a container and its children; structures as text.

use std::fmt;

use crate::structure::{Node, Part, Structure};
use crate::{Path, PathKey};

/// A child of a container, with its leaves: see [`TreeExt::flatten_one_level`](crate::TreeExt::flatten_one_level).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtree<'a, L> {
    /// The step from the container to the child; the content of an `Option` has none.
    pub key: Option<PathKey>,
    /// The leaves below the child, in order.
    pub leaves: Vec<&'a L>,
    /// The child's structure.
    pub structure: Structure,
}

/// Parts with their paths; the first one is the container or leaf that all others are below.
type Parts<'s, 'p> = &'s [(Path, &'p Part<()>)];

/// The parts of each child and static field of the container that comes first.
fn below<'s, 'p>(parts: Parts<'s, 'p>) -> Vec<Parts<'s, 'p>> {
    let Some(((root, _), rest)) = parts.split_first() else { return Vec::new() };
    let depth = root.keys().len();
    rest.chunk_by(|(a, _), (b, _)| a.keys().get(depth) == b.keys().get(depth)).collect()
}

impl Structure {
    /// The structure of a tuple of trees with these structures.
    ///
    /// ```
    /// # use jarrah_tree::{Structure, Tree, TreeExt};
    /// # #[derive(Clone)] struct Leaf; impl Tree<Leaf> for Leaf { jarrah_tree::leaf!(Leaf); }
    /// let (a, b) = (vec![Leaf, Leaf], Leaf);
    /// let both = Structure::tuple(&[a.structure(), b.structure()]);
    /// assert_eq!(both, (a, b).structure());
    /// assert_eq!(both.to_string(), "([*, *], *)");
    /// ```
    pub fn tuple(children: &[Structure]) -> Structure {
        let (mut structure, mut last) = (Structure::default(), Path::default());
        structure.push(&mut last, &Path::default(), &Part::<()>::Node(Node::Tuple(children.len())));
        for (i, child) in children.iter().enumerate() {
            for (path, part) in child.placed() {
                let keys = [PathKey::Index(i)].into_iter().chain(path.keys().iter().cloned());
                structure.push(&mut last, &keys.collect(), part);
            }
        }
        structure
    }

    /// The children of the outermost container, in order, each with the step that leads to it; static fields are none. The
    /// content of an `Option` has no step, and a leaf has no children.
    pub fn children(&self) -> Vec<(Option<PathKey>, Structure)> {
        let placed = self.placed();
        let children = below(&placed).into_iter().filter(|parts| !matches!(parts, [(_, Part::Static(_))]));
        let child = |parts: Parts| {
            let key = parts.first().and_then(|(path, _)| path.keys().first()).cloned();
            let (mut structure, mut last) = (Structure::default(), Path::default());
            for (path, part) in parts {
                let inner = path.keys().iter().skip(usize::from(key.is_some())).cloned().collect();
                structure.push(&mut last, &inner, part);
            }
            (key, structure)
        };
        children.map(child).collect()
    }

    /// Whether the tree is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self.root(), Some(Part::Leaf(())))
    }

    /// The number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.parts().filter(|part| matches!(part, Part::Leaf(()))).count()
    }
}

/// On one line: a leaf is `*`, a tuple `(*, *)`, a sequence `[*, *]`, a map `{a: *}`, a struct `Linear { weight: *, width: 8 }`.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.placed())
    }
}

fn write(f: &mut fmt::Formatter<'_>, parts: Parts) -> fmt::Result {
    let node = match parts.first() {
        Some((_, Part::Leaf(()))) => return f.write_str("*"),
        Some((_, Part::Static(value))) => return write!(f, "{value:?}"),
        Some((_, Part::Node(node))) => node,
        None => return Ok(()),
    };
    let (depth, children) = (parts[0].0.keys().len(), below(parts));
    let key = |child: Parts| child.first().and_then(|(path, _)| path.keys().get(depth)).cloned();
    let names = children.first().is_some_and(|&child| !matches!(key(child), None | Some(PathKey::Index(_))));
    let (open, close) = match node {
        Node::Tuple(1) => ("(", ",)"),
        Node::Tuple(_) => ("(", ")"),
        Node::Sequence(_) => ("[", "]"),
        Node::Map(_) => ("{", "}"),
        Node::Variable { kind, .. } => {
            f.write_str(kind)?;
            ("(", ")")
        }
        Node::Shared(..) => return write!(f, "{}", parts[0].1),
        Node::Named(name) => {
            f.write_str(name)?;
            if children.is_empty() {
                return Ok(());
            }
            if names { (" { ", " }") } else { ("(", ")") }
        }
    };
    f.write_str(open)?;
    for (i, &child) in children.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        if let Some(key) = key(child).filter(|_| names) {
            write!(f, "{key}: ")?;
        }
        write(f, child)?;
    }
    f.write_str(close)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Tree, TreeExt, leaf};

    #[derive(Clone, Debug, PartialEq)]
    struct Leaf(i32);
    impl Tree<Leaf> for Leaf {
        leaf!(Leaf);
    }

    type Inner = (Option<Leaf>, (Leaf,), BTreeMap<String, Vec<Leaf>>, ());

    fn inner() -> Inner {
        let map = [("b", vec![]), ("a", vec![Leaf(3), Leaf(4)])];
        (Some(Leaf(1)), (Leaf(2),), map.map(|(k, v)| (k.to_owned(), v)).into(), ())
    }

    /// A container written by hand.
    struct Block {
        weight: Leaf,
        inner: Inner,
        missing: Option<Leaf>,
    }
    impl Tree<Leaf> for Block {
        fn visit<'a>(&'a self, path: &mut Path, f: &mut crate::Visitor<'_, 'a, Leaf>) {
            f(path, Part::Node(Node::Named("Block")));
            path.enter(PathKey::Field("width"), |path| f(path, Part::Static(crate::Static::new(&8))));
            path.enter(PathKey::Field("weight"), |path| self.weight.visit(path, f));
            path.enter(PathKey::Field("inner"), |path| self.inner.visit(path, f));
            path.enter(PathKey::Field("missing"), |path| self.missing.visit(path, f));
        }

        fn try_map(
            &self,
            path: &mut Path,
            f: &mut dyn FnMut(&Path, &Leaf) -> jarrah_base::Result<Leaf>,
        ) -> jarrah_base::Result<Self> {
            Ok(Block {
                weight: path.enter(PathKey::Field("weight"), |path| self.weight.try_map(path, f))?,
                inner: path.enter(PathKey::Field("inner"), |path| self.inner.try_map(path, f))?,
                missing: path.enter(PathKey::Field("missing"), |path| self.missing.try_map(path, f))?,
            })
        }

        fn visit_mut(&mut self, path: &mut Path, f: &mut crate::Changer<'_>) {
            path.enter(PathKey::Field("weight"), |path| self.weight.visit_mut(path, f));
            path.enter(PathKey::Field("inner"), |path| Tree::<Leaf>::visit_mut(&mut self.inner, path, f));
            path.enter(PathKey::Field("missing"), |path| Tree::<Leaf>::visit_mut(&mut self.missing, path, f));
            f(path, self);
        }
    }

    fn block() -> Block {
        Block { weight: Leaf(0), inner: inner(), missing: None }
    }

    #[test]
    fn a_structure_is_printed_on_one_line() {
        let inner = "(Some(*), (*,), {a: [*, *], b: []}, ())";
        assert_eq!(TreeExt::<Leaf>::structure(&self::inner()).to_string(), inner);
        let text = format!("Block {{ width: 8, weight: *, inner: {inner}, missing: None }}");
        assert_eq!(block().structure().to_string(), text);
        assert_eq!(Some(Some(Leaf(0))).structure().to_string(), "Some(Some(*))");
    }

    #[test]
    fn structures_are_taken_apart_and_put_together() {
        let children = block().structure().children();
        let keys = [PathKey::Field("weight"), PathKey::Field("inner"), PathKey::Field("missing")].map(Some);
        assert_eq!(children.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>(), keys);
        assert!(children[0].1.is_leaf() && children[0].1.children().is_empty());
        assert!(!children[1].1.is_leaf() && !children[2].1.is_leaf());
        let inner = TreeExt::<Leaf>::structure(&self::inner());
        assert_eq!(children[1].1, inner);
        let parts = inner.children();
        let structures: Vec<Structure> = parts.iter().map(|(_, structure)| structure.clone()).collect();
        assert_eq!(Structure::tuple(&structures), inner);
        assert_ne!(Structure::tuple(&structures[..3]), inner);
        assert_eq!(structures[0].children(), [(None, Leaf(0).structure())]);
        assert_eq!(structures.iter().map(Structure::leaf_count).collect::<Vec<_>>(), [1, 1, 2, 0]);
        let flat = vec![Leaf(1), Leaf(2)].structure();
        assert!(flat.children().iter().all(|(_, child)| child.is_leaf()));
        assert!(!inner.children().iter().all(|(_, child)| child.is_leaf()));
    }

    #[test]
    fn one_level_has_the_leaves_below_each_child() {
        let block = block();
        let children = block.flatten_one_level();
        let leaves: Vec<Vec<i32>> =
            children.iter().map(|c| c.leaves.iter().map(|leaf| leaf.0).collect()).collect();
        assert_eq!(leaves, [vec![0], vec![1, 2, 3, 4], vec![]]);
        assert_eq!(children[2].key, Some(PathKey::Field("missing")));
        assert_eq!(children[1].structure, TreeExt::<Leaf>::structure(&inner()));
        assert!(Leaf(1).flatten_one_level().is_empty());
    }

    #[test]
    fn paths_are_made_of_keys() {
        let paths = block().structure().paths();
        let name = |name: &str| PathKey::Name(name.to_owned());
        let inner = || PathKey::Field("inner");
        assert_eq!(paths[0].keys(), [PathKey::Field("weight")]);
        assert_eq!(paths[1].keys(), [inner(), PathKey::Index(0)]);
        assert_eq!(paths[2].keys(), [inner(), PathKey::Index(1), PathKey::Index(0)]);
        assert_eq!(paths[4].keys(), [inner(), PathKey::Index(2), name("a"), PathKey::Index(1)]);
        assert_eq!(paths[4].to_string(), "inner.2.a.1");
        assert_eq!(
            [PathKey::Field("x"), PathKey::Index(3), name("y")].map(|k| k.to_string()),
            ["x", "3", "y"]
        );
        // A name and a field are the same step if they are spelled alike.
        assert_eq!([name("weight")].into_iter().collect::<Path>(), paths[0]);
        assert_eq!([PathKey::Field("weight")].into_iter().collect::<Path>(), paths[0]);
    }
}
