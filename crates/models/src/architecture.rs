//! Kinds of models that files of others have.

use std::collections::BTreeMap;
use std::fmt::Debug;

use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Result, Tree, TreeExt, Type, eval_shape, try_trace};
use jarrah_formats::Tensors;
use serde_json::Value;

use crate::family::{Heads, Row, Tensor};

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

    /// The heads by which rows cut parameters, if they cut by heads.
    #[doc(hidden)]
    fn heads(_: &Self::Config) -> Heads {
        Heads { count: 1, width: 1 }
    }

    /// The path by which rows know a parameter, if it is another than its own.
    #[doc(hidden)]
    fn row_path(_: &Self::Config, _path: &str) -> Option<String> {
        None
    }

    /// The names of tensors that a file has again, each with that of the tensor that it repeats.
    #[doc(hidden)]
    fn copies(_: &Self::Config) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Tensors that files have by several names.
    #[doc(hidden)]
    fn again(_: &Self::Config) -> &'static [Again] {
        &[]
    }

    /// Fits a shape to what is in a file, where `config.json` leaves it open. Gives those of its copies that the file has.
    ///
    /// # Errors
    /// The file cannot be read.
    #[doc(hidden)]
    fn fit(_: &mut Self::Config, _: &Tensors) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// The ends of names of tensors that are no parameters, and are written as they were read.
    #[doc(hidden)]
    const CARRIED: &'static [&'static str] = &[];
}

/// A tensor that files have by several names.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// The name by which it is written.
    pub name: &'static str,
    /// Others that a file may have, beside the name or in its place.
    pub others: &'static [&'static str],
    /// Whether a model computes with the numbers by another name, where the file has both; else they must be the same.
    pub others_first: bool,
}

/// The result of `make` without numbers: its shapes and dtypes, in no memory and no time.
///
/// # Errors
/// A matrix is too large to be made (`Input`).
pub(crate) fn without_numbers<T: Tree<Array>>(make: impl Fn(&Key) -> T) -> Result<T> {
    let words = Key::new(0).words().clone();
    try_trace(|| eval_shape(|words: &Array| make(&Key::from_words(words.clone())), &words))
        .map_err(|error| Error::input(format!("there is no model of these extents: {}", error.message())))
}

/// The model without numbers.
///
/// # Errors
/// As [`without_numbers`].
pub(crate) fn shapes<M: Architecture>(config: &M::Config) -> Result<M> {
    without_numbers(|key| M::build(config, key))
}

/// The names and types of the parameters of a model.
pub(crate) fn parameters<M: Architecture>(model: &M) -> BTreeMap<String, Type> {
    model.leaves_with_paths().into_iter().map(|(path, array): (String, &Array)| (path, array.ty())).collect()
}

/// The tensors of a file of a model with these parameters, as [`tensors`](crate::family::tensors) says.
pub(crate) fn tensors<M: Architecture>(
    rows: &[Row],
    parameters: &BTreeMap<String, Type>,
    config: &M::Config,
) -> Result<Vec<(String, Tensor)>> {
    let mut own = BTreeMap::new();
    let mut named = BTreeMap::new();
    for (path, ty) in parameters {
        let name = M::row_path(config, path).unwrap_or_else(|| path.clone());
        own.insert(name.clone(), path);
        named.insert(name, *ty);
    }
    let mut made = crate::family::tensors(rows, &named, M::heads(config))?;
    for piece in made.iter_mut().flat_map(|(_, tensor)| &mut tensor.pieces) {
        if let Some(path) = own.get(&piece.ours) {
            piece.ours.clone_from(path);
        }
    }
    Ok(made)
}

/// A tensor of a file.
pub(crate) struct Named {
    /// The path of the parameter that it is, if it is one as it stands.
    pub whole: Option<String>,
    /// Its parts, if it is a matrix.
    pub matrix: Option<Matrix>,
}

/// A matrix of a file, of parameters `[own outputs, inputs]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    /// The path of each parameter, and for each of its rows which output of the matrix that is.
    pub parts: Vec<(String, Vec<usize>)>,
    /// The outputs of all parts.
    pub outputs: usize,
    /// Whether the file has it as `[inputs, outputs]`.
    pub swapped: bool,
}

impl Matrix {
    fn of(tensor: &Tensor, parameters: &BTreeMap<String, Type>) -> Option<Matrix> {
        let swapped = tensor.pieces.first()?.swapped;
        if tensor.dims.len() != 2 || tensor.filters || tensor.plus != 0 {
            return None;
        }
        let axis = usize::from(swapped);
        let mut parts: Vec<(String, Vec<usize>)> = Vec::new();
        for piece in &tensor.pieces {
            let dims = parameters.get(&piece.ours)?.dims();
            let (&[row, first], &[rows, columns]) = (piece.start.as_slice(), piece.extent.as_slice()) else {
                return None;
            };
            let is_of_rows =
                dims.len() == 2 && first == 0 && columns == dims[1] && piece.their_start.len() == 2;
            if !is_of_rows || piece.swapped != swapped || piece.their_start[1 - axis] != 0 {
                return None;
            }
            if parts.last().is_none_or(|(path, _)| *path != piece.ours) {
                parts.push((piece.ours.clone(), vec![usize::MAX; dims[0]]));
            }
            let (_, outputs) = parts.last_mut()?;
            for i in 0..rows {
                *outputs.get_mut(row + i)? = piece.their_start[axis] + i * piece.step;
            }
        }
        let outputs = tensor.dims[axis];
        let is_whole = parts.iter().all(|(_, rows)| rows.iter().all(|row| *row < outputs));
        is_whole.then_some(Matrix { parts, outputs, swapped })
    }

    /// The parameter that it is, row by row.
    pub fn only(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [(path, rows)] if rows.iter().copied().eq(0..self.outputs) => Some(path),
            _ => None,
        }
    }
}

/// The tensors of a file, by name.
pub(crate) fn named<M: Architecture>(json: &Value, config: &M::Config) -> Result<BTreeMap<String, Named>> {
    let parameters = parameters(&shapes::<M>(config)?);
    let tensors = tensors::<M>(&M::rows(json)?, &parameters, config)?.into_iter();
    let named = |tensor: Tensor| Named {
        whole: tensor.whole(&parameters).map(str::to_owned),
        matrix: Matrix::of(&tensor, &parameters),
    };
    Ok(tensors.map(|(name, tensor)| (name, named(tensor))).collect())
}
