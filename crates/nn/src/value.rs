//! The values that a variable may hold.

use std::fmt::Debug;

use jarrah_array::Type;
use jarrah_array::{Array, DType, Error, Tree, fail, lax};
use jarrah_quant::QuantizedTensor;

use crate::object::object;
use crate::{StaticFloat, Variable};

/// A representation of an array: for instance the array itself, a quantized tensor, or an array with an adapter.
///
/// A layer that multiplies by a variable need not know its representation. Implement this to add another representation of
/// weights.
pub trait VariableValue: Tree<Array> + Clone + Debug + Send + Sync + 'static {
    /// The type of the array that this stands for.
    fn ty(&self) -> Type;

    /// The array in `dtype`.
    fn dense(&self, dtype: DType) -> Array;

    /// `x W`: `[.., K]` times `[K, N]`.
    fn dot(&self, x: &Array) -> Array;

    /// Consecutive groups of rows, each times its matrix of a stack: `[M, K]` times `[E, K, N]`, of which group `e` has `sizes[e]` rows; rows behind the
    /// last group are 0.
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array;

    /// `x W^T`: `[.., N]` times the transpose of `[K, N]`.
    fn dot_transposed(&self, x: &Array) -> Array;

    /// The rows of `[K, ..]` at `at`, integers of any shape.
    fn rows(&self, at: &Array) -> Array;
}

object! {
    /// A [`VariableValue`] of any type.
    pub struct Content holds VariableValue by values {
        /// See [`VariableValue::ty`].
        fn ty(&self) -> Type;
        /// See [`VariableValue::dense`].
        fn dense(&self, dtype: DType) -> Array;
        /// See [`VariableValue::dot`].
        fn dot(&self, x: &Array) -> Array;
        /// See [`VariableValue::dot_grouped`].
        fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array;
        /// See [`VariableValue::dot_transposed`].
        fn dot_transposed(&self, x: &Array) -> Array;
        /// See [`VariableValue::rows`].
        fn rows(&self, at: &Array) -> Array;
    }
}

impl VariableValue for Array {
    fn ty(&self) -> Type {
        Array::ty(self)
    }

    fn dense(&self, dtype: DType) -> Array {
        self.astype(dtype)
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        x.matmul(self)
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        lax::ragged_dot(x, &self.astype(x.dtype()), sizes)
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        if self.rank() != 2 || x.rank() == 0 || x.shape().last() != self.shape().last() {
            let error = format!("{} times the transpose of {}", x.ty(), self.ty());
            fail(Error::program(error).op("dot").help("the last axes of both must have one extent"));
        }
        lax::dot_general(x, self, (&[x.rank() - 1], &[1]), (&[], &[]))
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        self.take(at, 0)
    }
}

/// Quantized weights: products use them directly, all other operations convert them to `f32`.
impl VariableValue for QuantizedTensor {
    fn ty(&self) -> Type {
        Type::tensor(DType::F32, self.shape())
    }

    fn dense(&self, dtype: DType) -> Array {
        self.dequantize(dtype)
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        self.apply(x)
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        self.apply_grouped(x, sizes)
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        self.dequantize(x.dtype()).dot_transposed(x)
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        self.dequantize(DType::F32).take(at, 0)
    }
}

/// The transpose of a matrix, or of each of a stack of them, which is not moved: files of PyTorch have weights as `[outputs, inputs]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Linear, Module, Transposed};
/// let layer = Linear { weight: Transposed::of(Array::new(&[1.0f32, 2.0], &[2, 1])).into(), bias: None };
/// assert_eq!(layer.forward(&Array::from_slice(&[3.0f32])).to_vec::<f32>()?, [3.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Transposed(pub Variable);

impl Transposed {
    /// The transpose of a variable.
    pub fn of(variable: impl Into<Variable>) -> Self {
        Transposed(variable.into())
    }
}

crate::variable::transparent!(Transposed);

impl VariableValue for Transposed {
    fn ty(&self) -> Type {
        let ty = self.0.ty();
        let mut dims = ty.dims();
        let rank = dims.len();
        if rank >= 2 {
            dims.swap(rank - 2, rank - 1);
        }
        ty.with_dims(dims)
    }

    #[track_caller]
    fn dense(&self, dtype: DType) -> Array {
        swapped(&self.0.dense(dtype))
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        self.0.dot_transposed(x)
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        let (contract, batch) = ((vec![1], vec![2]), (Vec::new(), Vec::new()));
        let dimensions = lax::RaggedDotDimensionNumbers { contract, batch, ragged: 0, group: Some(0) };
        lax::ragged_dot_general(x, &self.0.dense(x.dtype()), sizes, &dimensions)
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        self.0.dot(x)
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        swapped(&self.0.get()).take(at, 0)
    }
}

/// The last two axes exchanged.
#[track_caller]
fn swapped(x: &Array) -> Array {
    x.swapaxes(-2, -1)
}

/// A product of two narrow matrices, `A B`, in the place of a wide one.
///
/// Source: Sainath et al., Low-rank matrix factorization for deep neural network training (2013).
#[derive(Clone, Debug, Tree)]
pub struct LowRank {
    /// `[K, rank]`.
    pub a: Variable,
    /// `[rank, N]`.
    pub b: Variable,
}

impl VariableValue for LowRank {
    fn ty(&self) -> Type {
        let (a, b) = (self.a.ty(), self.b.ty());
        let columns = b.dims().last().copied();
        a.with_dims(a.dims().iter().take(1).copied().chain(columns))
    }

    #[track_caller]
    fn dense(&self, dtype: DType) -> Array {
        self.a.get().matmul(&self.b.get()).astype(dtype)
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        self.b.dot(&self.a.dot(x))
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        self.b.dot_grouped(&self.a.dot_grouped(x, sizes), sizes)
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        self.a.dot_transposed(&self.b.dot_transposed(x))
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        self.b.dot(&self.a.rows(at))
    }
}

/// A weight with an adapter of low rank beside it, `W + s A B`.
///
/// The base may be of any kind, quantized too. `A` and `B` are of the kind [`Kind::LORA`](crate::Kind::LORA).
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Linear, Lora, Module};
/// let mut layer = Linear::new(&Key::new(0), 6, 4);
/// let before = layer.forward(&Array::ones(&[6]));
/// layer.weight = Lora::over(layer.weight, &Key::new(1), 2, 4.0).into();
/// assert_eq!(layer.forward(&Array::ones(&[6])).to_vec::<f32>()?, before.to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hu et al., LoRA: low-rank adaptation of large language models (2021).
#[derive(Clone, Debug, Tree)]
pub struct Lora {
    /// `[K, N]`, `W`.
    pub base: Variable,
    /// `A` and `B`.
    pub adapter: LowRank,
    /// `s`.
    #[tree(static)]
    pub scale: StaticFloat,
}

impl Lora {
    /// An adapter of `rank` that changes nothing yet: `A` is uniform as in PEFT, `U(-1/sqrt(K), 1/sqrt(K))`, `B` is zeros, and `s` is
    /// `alpha / rank`.
    #[track_caller]
    pub fn over(base: impl Into<Variable>, key: &jarrah_array::random::Key, rank: usize, alpha: f64) -> Self {
        let base = base.into();
        let ty = base.ty();
        let [inputs, outputs] = ty.dims()[..] else {
            let error = format!("an adapter of low rank is for a matrix, not for {ty}");
            let help = "stacks of experts have none: adapt the maps of attention, or give each matrix one of its own";
            fail(Error::program(error).op("lora").help(help));
        };
        if rank == 0 {
            fail(Error::program("an adapter of rank 0").op("lora").help("give a rank of 1 or more"));
        }
        let dtype = if ty.dtype().is_float() { ty.dtype() } else { DType::F32 };
        let bound = 1.0 / (inputs as f64).sqrt();
        let a = key.uniform_in(&[inputs, rank], DType::F32, -bound, bound).astype(dtype);
        let lora = |array: Array| Variable::from(array).of_kind(crate::Kind::LORA);
        Lora {
            base,
            adapter: LowRank { a: lora(a), b: lora(Array::full(&[rank, outputs], 0, dtype)) },
            scale: (alpha / rank as f64).into(),
        }
    }
}

impl Lora {
    /// The sum of the base's result and the scaled result of the adapter, in the dtype of the former.
    #[track_caller]
    fn added(&self, base: Array, adapter: Array) -> Array {
        let scaled = adapter * self.scale.get();
        &base + scaled.astype(base.dtype())
    }
}

impl VariableValue for Lora {
    fn ty(&self) -> Type {
        self.base.ty()
    }

    #[track_caller]
    fn dense(&self, dtype: DType) -> Array {
        (self.base.get() + self.adapter.a.get().matmul(&self.adapter.b.get()) * self.scale.get())
            .astype(dtype)
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        self.added(self.base.dot(x), self.adapter.dot(x))
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        self.added(self.base.dot_grouped(x, sizes), self.adapter.dot_grouped(x, sizes))
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        self.added(self.base.dot_transposed(x), self.adapter.dot_transposed(x))
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        self.added(self.base.rows(at), self.adapter.rows(at))
    }
}
