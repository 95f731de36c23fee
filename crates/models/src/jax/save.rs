//! Models in the layout of MaxText.

use std::collections::BTreeMap;

use jarrah_array::{Error, Literal, Result, Type};

use super::form::copy_along;
use super::maxtext::{MaxText, ROOT};
use super::row::{Form, Place};

/// The axis that MaxText puts layers along (`param_scan_axis`).
const SCAN_AXIS: usize = 1;

/// A model as the tree of arrays that MaxText has, with scanned layers. Each array is made when it is asked for.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_models::Pretrained;
/// let model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
/// let tree = model.maxtext()?;
/// let (name, ty) = tree.leaves().find(|(name, _)| name.ends_with("query.kernel")).unwrap();
/// assert_eq!(name, "params.params.decoder.layers.self_attention.query.kernel");
/// // The width, the layers, the heads, and their width.
/// assert_eq!(ty.rank(), 4);
/// assert_eq!(tree.literal(name)?.ty(), ty);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Debug)]
pub struct MaxTextTree {
    layout: MaxText,
    tensors: BTreeMap<String, Literal>,
    leaves: BTreeMap<String, Leaf>,
}

/// A leaf: its type, and the tensors that it is made of.
#[derive(Debug)]
struct Leaf {
    ty: Type,
    form: Form,
    parts: Vec<(String, Place)>,
}

impl MaxTextTree {
    /// The tree of a model with these tensors, by the names of Hugging Face.
    pub(crate) fn of(json: &serde_json::Value, tensors: Vec<(String, Literal)>) -> Result<MaxTextTree> {
        let layout = MaxText::of(json)?;
        let mut gathered: BTreeMap<String, Vec<(String, Place)>> = BTreeMap::new();
        for (name, _) in &tensors {
            let place = layout.places(name).into_iter().next().ok_or_else(|| {
                Error::input(format!("MaxText's layout has no leaf for {name} of this family"))
                    .help("`jarrah checkpoint convert` writes tensors under the names that they have")
            })?;
            gathered.entry(format!("{ROOT}{}", place.leaf)).or_default().push((name.clone(), place));
        }
        let tensors: BTreeMap<String, Literal> = tensors.into_iter().collect();
        let leaf = |(leaf, parts): (String, Vec<(String, Place)>)| {
            let (first, place) = &parts[0];
            let (ty, form) = (tensors[first].ty(), place.form);
            let experts = parts.iter().filter_map(|(_, part)| part.expert).max().map_or(1, |last| last + 1);
            let mut dims = form.leaf_dims(&ty.dims(), layout.head_width, experts);
            if let Some((_, count)) = place.layer {
                dims.insert(SCAN_AXIS.min(dims.len()), count);
            }
            let ty = Type::tensor(ty.dtype(), dims);
            Ok((leaf, Leaf { ty, form, parts }))
        };
        let leaves = gathered.into_iter().map(leaf).collect::<Result<_>>()?;
        Ok(MaxTextTree { layout, tensors, leaves })
    }

    /// The names of the leaves, their keys with dots between them, and their types.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = (&str, Type)> {
        self.leaves.iter().map(|(name, leaf)| (name.as_str(), leaf.ty))
    }

    /// The array called `name`.
    ///
    /// # Errors
    /// There is none of this name (`Program`), no memory for it, or the device failed.
    pub fn literal(&self, name: &str) -> Result<Literal> {
        let leaf = self.leaves.get(name);
        let leaf = leaf.ok_or_else(|| Error::program(format!("the tree has no leaf {name:?}")))?;
        let change = self.layout.change(leaf.form);
        let part = |tensor: &str| leaf.form.leaf(change.to_leaf(self.tensors[tensor].clone())?);
        let dims = leaf.ty.dims().to_vec();
        if let [(tensor, Place { layer: None, expert: None, .. })] = leaf.parts.as_slice() {
            return part(tensor)?.reshape(&dims);
        }
        let mut whole = Literal::zeros(leaf.ty)?;
        for (tensor, place) in &leaf.parts {
            // Layers are along an axis, experts along the first: each part is one index of both.
            let mut own = dims.clone();
            let scan = place.layer.map(|(index, _)| (SCAN_AXIS.min(dims.len() - 1), index));
            if let Some((axis, _)) = scan {
                own[axis] = 1;
            }
            if place.expert.is_some() {
                own[0] = 1;
            }
            let made = part(tensor)?.reshape(&own)?;
            match (scan, place.expert) {
                (Some((axis, index)), None) => copy_along(axis, 1, (&made, 0), (&mut whole, index)),
                (None, Some(expert)) => copy_along(0, 1, (&made, 0), (&mut whole, expert)),
                (scan, expert) => {
                    // Experts and layers are the first two axes: seen as one, they are in this order.
                    let rest: usize = dims[2..].iter().product();
                    let index = expert.unwrap_or(0) * dims[1] + scan.map_or(0, |(_, index)| index);
                    let mut flat = whole.reshape(&[dims[0] * dims[1], rest])?;
                    drop(std::mem::replace(&mut whole, Literal::scalar(0f32)));
                    copy_along(0, 1, (&made.reshape(&[1, rest])?, 0), (&mut flat, index));
                    whole = flat.reshape(&dims)?;
                }
            }
        }
        Ok(whole)
    }
}
