use jarrah_array::{Array, DType, Tree, Type};

use crate::axes::resolved;
use crate::{StaticFloat, Variable, VariableValue};

/// A weight as a direction and a length: `scale v / sqrt(sum(v^2) + eps)`, where the sum is over all axes but those of features.
///
/// It stands in the place of the weight: every layer takes it. Over a [`Lora`](crate::Lora) it is DoRA.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Mlp, Module, Variable, WeightNorm, edit};
/// let mut model = Mlp::new(&Key::new(0), 4, 8);
/// let x = Array::ones(&[4]);
/// let before = model.forward(&x).to_vec::<f32>()?;
/// edit(&mut model, "*.weight", |_, weight: &mut Variable| *weight = WeightNorm::keeping(weight.clone()).into());
/// for (a, b) in model.forward(&x).to_vec::<f32>()?.iter().zip(before) {
///     assert!((a - b).abs() < 1e-5);
/// }
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Salimans and Kingma, Weight normalization (2016); Liu et al., DoRA (2024); `flax.nnx.WeightNorm`.
#[derive(Clone, Debug, Tree)]
pub struct WeightNorm {
    /// `v`.
    pub base: Variable,
    /// The length for each feature; none: one.
    pub scale: Option<Variable>,
    /// The axes of features, each place of which has its own length; negative axes count from the end.
    #[tree(static)]
    pub feature_axes: Vec<isize>,
    /// The number added to the square of the length.
    #[tree(static)]
    pub epsilon: StaticFloat,
}

impl WeightNorm {
    /// The direction of `base` with the length one for each place of the last axis.
    #[track_caller]
    pub fn over(base: impl Into<Variable>) -> Self {
        Self::with(base, &[-1])
    }

    /// The direction of `base` with the length one for each place of `feature_axes`.
    #[track_caller]
    pub fn with(base: impl Into<Variable>, feature_axes: &[isize]) -> Self {
        let base = base.into();
        let shape = base.shape();
        let kept = resolved("weight norm", feature_axes, shape.len());
        let extents: Vec<usize> = kept.iter().map(|&axis| shape[axis]).collect();
        let scale = Array::full(&extents, 1, base.dtype());
        let feature_axes = feature_axes.to_vec();
        WeightNorm { base, scale: Some(scale.into()), feature_axes, epsilon: 1e-12.into() }
    }

    /// As [`over`](Self::over), with the lengths that `base` has, so that the normalized weight starts equal to `base`.
    #[track_caller]
    pub fn keeping(base: impl Into<Variable>) -> Self {
        let one = Self::over(base);
        let length = one.length().reshape(&one.scale.as_ref().map_or(Vec::new(), Variable::shape)[..]);
        WeightNorm { scale: Some(length.into()), ..one }
    }

    /// The length of `v`, along its axes.
    #[track_caller]
    fn length(&self) -> Array {
        let v = self.base.get();
        let kept = resolved("weight norm", &self.feature_axes, v.rank());
        let others: Vec<isize> =
            (0..v.rank()).filter(|axis| !kept.contains(axis)).map(|axis| axis as isize).collect();
        (v.square().sum(&others[..]).expand_dims(&others[..]) + self.epsilon.get()).sqrt()
    }
}

impl VariableValue for WeightNorm {
    fn ty(&self) -> Type {
        self.base.ty()
    }

    #[track_caller]
    fn dense(&self, dtype: DType) -> Array {
        let length = self.length();
        let unit = self.base.get() / &length;
        let weight = match &self.scale {
            Some(scale) => unit * scale.get().reshape(&length.shape()[..]),
            None => unit,
        };
        weight.astype(dtype)
    }

    #[track_caller]
    fn dot(&self, x: &Array) -> Array {
        VariableValue::dot(&self.dense(self.ty().dtype()), x)
    }

    #[track_caller]
    fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        VariableValue::dot_grouped(&self.dense(self.ty().dtype()), x, sizes)
    }

    #[track_caller]
    fn dot_transposed(&self, x: &Array) -> Array {
        VariableValue::dot_transposed(&self.dense(self.ty().dtype()), x)
    }

    #[track_caller]
    fn rows(&self, at: &Array) -> Array {
        VariableValue::rows(&self.dense(self.ty().dtype()), at)
    }
}
