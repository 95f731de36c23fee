/// A node of an Orbax tree. An empty dictionary, list or tuple has no children.
#[derive(Clone, Debug)]
pub enum OrbaxNode {
    /// Children by key.
    Dict(Vec<(String, OrbaxNode)>),
    /// Children by position. A tuple is a list too where the tree was saved without the types of its nodes.
    List(Vec<OrbaxNode>),
    /// Children of a tuple.
    Tuple(Vec<OrbaxNode>),
    /// Fields of a named tuple.
    Named {
        /// The module and the name of its class.
        class: String,
        /// The fields.
        fields: Vec<(String, OrbaxNode)>,
    },
    /// `None`.
    None,
    /// The number of a leaf in [`OrbaxTree::leaves`](super::OrbaxTree::leaves).
    Leaf(usize),
}
