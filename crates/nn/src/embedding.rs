use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree};

use crate::{Context, Initializer, Module, Variable};

/// A table of vectors, one for each token: `y = table[token]`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Embedding, Module};
/// let e = Embedding::new(&Key::new(0), 10, 4);
/// let x = e.forward(&Array::from_slice(&[3i32, 7]));
/// assert_eq!(x.shape(), [2, 4]);
/// assert_eq!(e.attend(&x).shape(), [2, 10]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Embedding {
    /// `[count, width]`.
    pub table: Variable,
}

impl Embedding {
    /// A table with normally distributed entries, standard deviation 0.02, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, count: usize, width: usize) -> Self {
        Self::with(key, count, width, Initializer::normal(0.02))
    }

    /// A table from `initializer`, in `f32`.
    #[track_caller]
    pub fn with(key: &Key, count: usize, width: usize, initializer: Initializer) -> Self {
        Embedding { table: initializer.sample(key, &[count, width], DType::F32).into() }
    }

    /// The dot product of `x` with every vector, `x table^T`: `[.., width]` to `[.., count]`, the output layer of a
    /// model with tied embeddings. Source: Press and Wolf, Using the output embedding to improve language models
    /// (2017).
    #[track_caller]
    pub fn attend(&self, x: &Array) -> Array {
        self.table.dot_transposed(x)
    }
}

impl Module for Embedding {
    /// The vectors of `tokens`, integers `[..]`, as `[.., width]`; NaN for a token that the table lacks.
    #[track_caller]
    fn call(&self, tokens: &Array, _: &mut Context) -> Array {
        self.table.rows(tokens)
    }
}
