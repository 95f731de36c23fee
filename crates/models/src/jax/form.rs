//! The axes of leaves: which leaf a tensor fits, and the numbers of one in the order of the other.

use jarrah_array::{Array, Error, Literal, Result, Type};
use jarrah_formats::copy_indices;

use super::row::Form;

impl Form {
    /// Whether a leaf with these extents, without the axis of layers, has the numbers of a tensor with those.
    pub fn fits(self, leaf: &[usize], tensor: &[usize]) -> bool {
        let product = |dims: &[usize]| dims.iter().product::<usize>();
        let is_map = |leaf: &[usize]| {
            let &[outputs, inputs] = tensor else { return false };
            (1..leaf.len()).any(|at| product(&leaf[..at]) == inputs && product(&leaf[at..]) == outputs)
        };
        match self {
            Form::Plain | Form::Scale | Form::HeadBias => product(leaf) == product(tensor),
            Form::Embedding => leaf.len() == 2 && leaf[0] >= tensor[0] && leaf[1..] == tensor[1..],
            Form::Map | Form::Query | Form::Key | Form::Value | Form::Out => is_map(leaf),
            Form::Expert => leaf.len() == 3 && is_map(&leaf[1..]),
            Form::Heads(_, parts) => {
                let own = if parts > 1 && leaf.first() == Some(&parts) { &leaf[1..] } else { leaf };
                matches!(own, [heads, inputs, width] if [heads * width, *inputs] == *tensor)
                    && own.len() + usize::from(parts > 1) == leaf.len()
            }
        }
    }

    /// The extents of a leaf, without the axis of layers, whose heads have this width.
    pub fn leaf_dims(self, tensor: &[usize], head: usize, experts: usize) -> Vec<usize> {
        match (self, tensor) {
            (Form::HeadBias, &[all]) => vec![all / head, head],
            (Form::Query | Form::Key | Form::Value, &[outputs, inputs]) => vec![inputs, outputs / head, head],
            (Form::Out, &[outputs, inputs]) => vec![inputs / head, head, outputs],
            (Form::Map, &[outputs, inputs]) => vec![inputs, outputs],
            (Form::Expert, &[outputs, inputs]) => vec![experts, inputs, outputs],
            _ => tensor.to_vec(),
        }
    }

    /// The tensor with these extents that a leaf is, or one of its experts.
    pub fn tensor(self, leaf: Literal, expert: Option<usize>, dims: &[usize]) -> Result<Literal> {
        match self {
            Form::Plain | Form::Scale | Form::HeadBias => leaf.reshape(dims),
            Form::Embedding if leaf.dims() == dims => Ok(leaf),
            Form::Embedding => slice(&leaf, 0, 0, dims[0]),
            Form::Map | Form::Query | Form::Key | Form::Value | Form::Out => exchanged(leaf, dims),
            Form::Expert => {
                let expert = expert.ok_or_else(|| Error::internal("a row of experts has no expert"))?;
                exchanged(slice(&leaf, 0, expert, 1)?, dims)
            }
            Form::Heads(part, parts) => {
                let own = if parts > 1 { slice(&leaf, 0, part, 1)? } else { leaf };
                let extents = own.dims();
                let heads = extents[extents.len() - 3];
                let width = dims[0] / heads;
                exchanged_from(own, &[heads, dims[1], width])?.reshape(dims)
            }
        }
    }

    /// The leaf, of one layer and one expert, that a tensor is.
    pub fn leaf(self, tensor: Literal) -> Result<Literal> {
        match self {
            Form::Map | Form::Query | Form::Key | Form::Value | Form::Out | Form::Expert => {
                let dims = tensor.dims();
                exchanged_from(tensor, &dims)
            }
            _ => Ok(tensor),
        }
    }
}

/// A matrix `[inputs.., outputs..]` as `dims`, `[outputs, inputs]`.
fn exchanged(leaf: Literal, dims: &[usize]) -> Result<Literal> {
    exchanged_from(leaf, &[dims[1], dims[0]])
}

/// A value seen with the extents `from`, with its last two axes exchanged.
fn exchanged_from(value: Literal, from: &[usize]) -> Result<Literal> {
    Array::from_literal(value.reshape(from)?).swapaxes(-2, -1).to_literal()
}

/// `count` indices of an axis, from `first` on.
fn slice(value: &Literal, axis: usize, first: usize, count: usize) -> Result<Literal> {
    let mut dims = value.dims();
    dims[axis] = count;
    let mut made = Literal::zeros(Type::tensor(value.dtype(), dims))?;
    copy_along(axis, count, (value, first), (&mut made, 0));
    Ok(made)
}

/// One of the layers that a leaf has along an axis, without that axis.
pub fn layer(leaf: &Literal, axis: usize, index: usize) -> Result<Literal> {
    let mut dims = leaf.dims();
    dims.remove(axis);
    slice(leaf, axis, index, 1)?.reshape(&dims)
}

/// Copies `count` indices of an axis, from the index that each of the two begins with.
pub fn copy_along(axis: usize, count: usize, from: (&Literal, usize), to: (&mut Literal, usize)) {
    let dims = from.0.dims();
    let (outer, extent) = (dims[..axis].iter().product(), dims[axis]);
    let inner = dims[axis + 1..].iter().product::<usize>() * from.0.dtype().size();
    let there = to.0.dims()[axis];
    copy_indices(outer, inner, count, (from.0.bytes(), extent, from.1), (to.0.bytes_mut(), there, to.1));
}
