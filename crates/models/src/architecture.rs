//! Kinds of models that files of others have.

use std::collections::BTreeMap;
use std::fmt::Debug;

use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Result, Tree, TreeExt, Type, eval_shape, try_trace};
use serde_json::Value;

use crate::family::{Heads, Row, tensors};

/// A kind of model that folders of Hugging Face have: how a `config.json` describes it, and which tensors its parameters are.
pub trait Architecture: Tree<Array> + Clone + Debug + Send + Sync + 'static {
    /// The shape of a model.
    type Config: Clone + Debug + Send + Sync + 'static;

    /// The shape that a `config.json` describes.
    ///
    /// # Errors
    /// An entry is missing, of another type, or there is no such model (`Input`).
    fn config(json: &Value) -> Result<Self::Config>;

    /// A model of that shape with random parameters.
    fn build(config: &Self::Config, key: &Key) -> Self;

    #[doc(hidden)]
    fn rows(json: &Value) -> Result<Vec<Row>>;

    /// What rows cut by: the heads, if they cut by heads.
    #[doc(hidden)]
    fn heads(_: &Self::Config) -> Heads {
        Heads { count: 1, width: 1 }
    }

    /// The ends of names of tensors that are no parameters, and are written as they were read.
    #[doc(hidden)]
    const CARRIED: &'static [&'static str] = &[];
}

/// The model without numbers.
///
/// # Errors
/// A matrix is too large to be made (`Input`).
pub(crate) fn shapes<M: Architecture>(config: &M::Config) -> Result<M> {
    let words = Key::new(0).words().clone();
    try_trace(|| eval_shape(|words: &Array| M::build(config, &Key::from_words(words.clone())), &words))
        .map_err(|error| Error::input(format!("there is no model of these extents: {}", error.message())))
}

/// The names and types of the parameters of a model.
pub(crate) fn parameters<M: Architecture>(model: &M) -> BTreeMap<String, Type> {
    model.leaves_with_paths().into_iter().map(|(path, array): (String, &Array)| (path, array.ty())).collect()
}

/// The names of the tensors of a file, each with the path of the parameter that it is, or none if it is made of several.
pub(crate) fn names<M: Architecture>(
    json: &Value,
    config: &M::Config,
) -> Result<Vec<(String, Option<String>)>> {
    let parameters = parameters(&shapes::<M>(config)?);
    let tensors = tensors(&M::rows(json)?, &parameters, M::heads(config))?.into_iter();
    Ok(tensors.map(|(name, tensor)| (name, tensor.whole(&parameters).map(str::to_owned))).collect())
}
