//! The tensors of a model, read from the leaves of a tree.

use std::collections::BTreeMap;

use jarrah_array::Result;
use jarrah_formats::Tensors;
use serde_json::Value;

use super::matched::{Matched, Wanted};
use super::tree::JaxWeights;
use crate::architecture::{parameters, shapes, tensors};
use crate::{Architecture, ModelFamily};

impl JaxWeights {
    /// Checks that the tree has the weights of the model that `config.json` describes, without reading them.
    ///
    /// # Errors
    /// As [`PretrainedModel::load_jax`](crate::PretrainedModel::load_jax), of what names and types say.
    pub fn check<M: Architecture>(&self, json: &Value) -> Result<()> {
        let check = self.matched::<M>(&ModelFamily::text(json.clone()));
        check.map(drop).map_err(|error| self.while_reading(error))
    }

    /// The leaves that are the tensors of a folder of Hugging Face.
    fn matched<M: Architecture>(&self, json: &Value) -> Result<Matched> {
        let (rows, config) = (M::rows(json)?, M::config(json)?);
        let wanted = tensors::<M>(&rows, &parameters(&shapes::<M>(&config)?), &config)?;
        let wanted = wanted.into_iter().map(|(name, tensor)| Wanted {
            is_input_first: tensor.pieces.first().is_some_and(|piece| piece.swapped),
            dims: tensor.dims,
            name,
        });
        let head = rows.iter().find_map(|row| row.name_of("head.weight"));
        Matched::of(self, json, wanted.collect(), head)
    }

    /// The tensors of a folder of Hugging Face with these weights, and sentences on what of the tree is not among them.
    pub(crate) fn tensors<M: Architecture>(&self, json: &Value) -> Result<(Tensors, Vec<String>)> {
        let matched = self.matched::<M>(json)?;
        let mut made = BTreeMap::new();
        for (leaf, parts) in &matched.leaves {
            let whole = self.literal(leaf)?;
            for part in parts {
                let read = part.read(whole.clone()).map_err(|e| e.context(format!("in {leaf}")))?;
                made.insert(part.tensor.clone(), read);
            }
        }
        // In the order of the family, as a file would have them.
        let ordered = matched.order.iter().filter_map(|name| made.remove_entry(name));
        Ok((Tensors::of_values(ordered.collect::<Vec<_>>())?, matched.notes))
    }
}
