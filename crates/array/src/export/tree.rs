//! The trees of artifacts, which are Python's.

use jarrah_hlo_format::artifact::PyTree;
use jarrah_tree::{Node, Part, Path, PathKey, Structure};

use super::named;

/// A Python tree, and for each of its leaves, in the order in which Python visits them, the index of the leaf in the Rust tree.
#[derive(Clone)]
pub(super) struct Shaped {
    pub tree: PyTree,
    pub order: Vec<usize>,
}

/// The Python tree of a Rust tree's structure.
///
/// Python visits dicts by their sorted keys, so a struct's fields are sorted.
pub(super) fn of(structure: &Structure) -> Shaped {
    let parts = structure.placed();
    let mut reader = Reader { parts: &parts, at: 0, leaves: 0 };
    reader.one().unwrap_or(Shaped { tree: PyTree::Tuple(Vec::new()), order: Vec::new() })
}

/// The arguments of a function as JAX's tree: a tuple of the positional arguments, and an empty dict of keyword arguments.
pub(super) fn of_arguments(structure: &Structure) -> Shaped {
    let Shaped { tree, order } = of(structure);
    let positional = match (tree, structure.root()) {
        (PyTree::Tuple(elements), Some(Part::Node(Node::Tuple(_)))) => elements,
        (other, _) => vec![other],
    };
    Shaped { tree: PyTree::Tuple(vec![PyTree::Tuple(positional), PyTree::Dict(Vec::new())]), order }
}

/// A flat tree of positional arguments.
pub(super) fn flat_arguments(count: usize) -> PyTree {
    PyTree::Tuple(vec![PyTree::Tuple(vec![PyTree::Leaf; count]), PyTree::Dict(Vec::new())])
}

/// Whether the tree `given` may be passed where the artifact declares `wanted`: a list may stand for a tuple, and a tuple for a
/// list.
pub(super) fn serves(given: &PyTree, wanted: &PyTree) -> bool {
    match (given, wanted) {
        (PyTree::Tuple(a) | PyTree::List(a), PyTree::Tuple(b) | PyTree::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| serves(a, b))
        }
        (PyTree::Dict(a), PyTree::Dict(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && serves(a, b))
        }
        (PyTree::Tuple(a) | PyTree::List(a), PyTree::Custom { children, .. }) => {
            a.len() == children.len() && a.iter().zip(children).all(|(a, b)| serves(a, b))
        }
        (
            PyTree::Custom { name, data, children: a },
            PyTree::Custom { name: wanted, data: expected, children: b },
        ) => {
            let same = name == wanted && data == expected && a.len() == b.len();
            same && a.iter().zip(b).all(|(a, b)| serves(a, b))
        }
        _ => given == wanted,
    }
}

/// Rust arguments for a function that takes some by name: the last one is a map of the named arguments.
pub(super) fn with_keywords(tree: PyTree) -> Option<PyTree> {
    let PyTree::Tuple(both) = tree else { return None };
    let Some(PyTree::Tuple(mut positional)) = both.into_iter().next() else { return None };
    match positional.pop()? {
        keywords @ PyTree::Dict(_) => Some(PyTree::Tuple(vec![PyTree::Tuple(positional), keywords])),
        _ => None,
    }
}

/// Reads the parts of a structure in the order in which the tree is visited.
struct Reader<'a> {
    parts: &'a [(Path, &'a Part<()>)],
    at: usize,
    leaves: usize,
}

impl Reader<'_> {
    /// Reads the next part with everything below it; `None` for a static field, which Python does not see.
    fn one(&mut self) -> Option<Shaped> {
        let (path, part) = self.parts.get(self.at)?;
        self.at += 1;
        let node = match part {
            Part::Leaf(()) => {
                self.leaves += 1;
                return Some(Shaped { tree: PyTree::Leaf, order: vec![self.leaves - 1] });
            }
            Part::Static(_) => return None,
            Part::Node(node) => node,
        };
        if matches!(node, Node::Named("Some") | Node::Variable { .. }) {
            return self.one();
        }
        let mut children: Vec<(&PathKey, Shaped)> = Vec::new();
        let mut statics: Vec<(String, String)> = Vec::new();
        let depth = path.keys().len();
        while let Some((inner, part)) = self.parts.get(self.at) {
            let Some(key) = inner.keys().get(depth).filter(|_| inner.keys().starts_with(path.keys())) else {
                break;
            };
            if let Some(child) = self.one() {
                children.push((key, child));
            } else if let Part::Static(value) = part {
                statics.push((key.to_string(), format!("{value:?}")));
            }
        }
        if let Node::Named(title) = node {
            let fields: Vec<(String, PyTree)> =
                children.iter().map(|(key, child)| (key.to_string(), child.tree.clone())).collect();
            if let Some(tree) = named::node(title, &statics, &fields) {
                let order = children.iter().flat_map(|(_, child)| child.order.clone()).collect();
                return Some(Shaped { tree, order });
            }
        }
        let named = children.iter().any(|(key, _)| matches!(key, PathKey::Field(_)));
        let is_map = matches!(node, Node::Map(_)) || matches!(node, Node::Named(_)) && named;
        if is_map {
            let mut fields: Vec<(String, Shaped)> =
                children.into_iter().map(|(key, child)| (key.to_string(), child)).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            let order = fields.iter().flat_map(|(_, child)| child.order.clone()).collect();
            let fields = fields.into_iter().map(|(name, child)| (name, child.tree)).collect();
            return Some(Shaped { tree: PyTree::Dict(fields), order });
        }
        let order = children.iter().flat_map(|(_, child)| child.order.clone()).collect();
        let trees: Vec<PyTree> = children.into_iter().map(|(_, child)| child.tree).collect();
        let tree = match node {
            Node::Sequence(_) => PyTree::List(trees),
            Node::Named("None") if trees.is_empty() => PyTree::None,
            _ => PyTree::Tuple(trees),
        };
        Some(Shaped { tree, order })
    }
}
