//! Rows of names: a leaf of a JAX program's tree, and the tensor of Hugging Face's files that it is.

/// How a leaf and a tensor `[outputs, inputs]` have the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Both in the same order, whatever the axes.
    Plain,
    /// A bias of heads, `[heads, width]`.
    HeadBias,
    /// The scale of a normalization.
    Scale,
    /// Embeddings, behind whose tokens a leaf may have rows that no token uses.
    Embedding,
    /// A map `[inputs, outputs]`; both may be several axes.
    Map,
    /// The map that makes queries, `[inputs, heads, width]`.
    Query,
    /// The map that makes keys, likewise.
    Key,
    /// The map that makes values, likewise.
    Value,
    /// The map of the heads' results, `[heads, width, outputs]`.
    Out,
    /// The maps of experts, `[experts, inputs, outputs]`, of which the tensor is one.
    Expert,
    /// A part, by its number and the number of parts, of maps of heads, `[parts, heads, inputs, width]`; without the first axis where there is one part.
    Heads(usize, usize),
}

/// A leaf and a tensor, by name. In a name `{}` stands for the number of a layer, and `{e}` for that of an expert.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub leaf: &'static str,
    pub tensor: &'static str,
    pub form: Form,
}

impl Row {
    pub const fn new(leaf: &'static str, tensor: &'static str, form: Form) -> Row {
        Row { leaf, tensor, form }
    }

    /// The numbers of the layer and of the expert in the name of a tensor, if the row is about it.
    pub fn numbers(&self, tensor: &str) -> Option<[Option<usize>; 2]> {
        let (mut rest, mut pattern) = (tensor, self.tensor);
        let mut found = [None; 2];
        while let Some(at) = pattern.find('{') {
            rest = rest.strip_prefix(&pattern[..at])?;
            let (which, length) = if pattern[at..].starts_with("{e}") { (1, 3) } else { (0, 2) };
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            found[which] = Some(rest[..digits].parse().ok()?);
            (rest, pattern) = (&rest[digits..], &pattern[at + length..]);
        }
        (rest == pattern).then_some(found)
    }
}

/// A place where a tensor may lie in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the leaf.
    pub leaf: String,
    /// Of a leaf that has the layers of a scan one behind the other: which of how many.
    pub layer: Option<(usize, usize)>,
    /// The number of the expert.
    pub expert: Option<usize>,
    pub form: Form,
}
