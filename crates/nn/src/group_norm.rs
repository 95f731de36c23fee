use jarrah_array::{Array, Error, Tree, fail};

use crate::axes::{scaled, wide};
use crate::tokens::refuse_mixing;
use crate::{Context, Module, StaticFloat, Variable};

/// Normalization of each example by the mean and variance of groups of its features, `(x - mean) / sqrt(var + eps) * scale + bias`: the
/// statistics of a group are those over all spatial axes and the features in it, in `f32`, or `f64` for `f64`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{GroupNorm, Module};
/// let x = Array::new(&[1.0f32, 3.0, 2.0, 6.0], &[1, 1, 4]);
/// let y = GroupNorm::new(4, 2).forward(&x).round_to(3);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Wu and He, Group normalization (2018); `flax.nnx.GroupNorm` and `InstanceNorm`.
#[derive(Clone, Debug, Tree)]
pub struct GroupNorm {
    /// `[features]`; none: ones.
    pub scale: Option<Variable>,
    /// `[features]`; none: zeros.
    pub bias: Option<Variable>,
    /// The number of groups.
    #[tree(static)]
    pub groups: usize,
    /// The number added to the variance.
    #[tree(static)]
    pub epsilon: StaticFloat,
}

impl GroupNorm {
    /// A normalization with scale one, bias zero and epsilon `1e-6`, in `f32`.
    #[track_caller]
    pub fn new(features: usize, groups: usize) -> Self {
        if groups == 0 || !features.is_multiple_of(groups) {
            let error = format!("{features} features do not fall in {groups} groups");
            fail(Error::program(error).op("group norm").help("give a number of groups that divides them"));
        }
        GroupNorm {
            scale: Some(Array::ones(&[features]).into()),
            bias: Some(Array::zeros(&[features]).into()),
            groups,
            epsilon: 1e-6.into(),
        }
    }

    /// Instance normalization: each feature is its own group. Source: Ulyanov, Vedaldi and Lempitsky (2016).
    #[track_caller]
    pub fn instance(features: usize) -> Self {
        Self::new(features, features)
    }

    /// This normalization with the given epsilon.
    #[must_use]
    pub fn with_epsilon(self, epsilon: f64) -> Self {
        GroupNorm { epsilon: epsilon.into(), ..self }
    }

    /// The normalization without a scale.
    #[must_use]
    pub fn without_scale(self) -> Self {
        GroupNorm { scale: None, ..self }
    }

    /// The normalization without a bias.
    #[must_use]
    pub fn without_bias(self) -> Self {
        GroupNorm { bias: None, ..self }
    }
}

/// Statistics along the tokens of a pass are an error where these have segments or go on from earlier passes.
impl Module for GroupNorm {
    /// Normalizes `x: [batch, spatial.., features]`; the result has the same shape.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        refuse_mixing("group norm", x, 1..x.rank().saturating_sub(1), cx);
        let (shape, groups) = (x.shape(), self.groups);
        let features = shape.last().copied().unwrap_or(0);
        if shape.len() < 2 || !features.is_multiple_of(groups) {
            let error = format!("the argument is {}, it must be [batch, .., features]", x.ty());
            let help = format!("the number of features must be a multiple of {groups}, the number of groups");
            fail(Error::program(error).op("group norm").help(help));
        }
        let places = shape[1..shape.len() - 1].iter().product();
        let grouped = wide(x).reshape(&[shape[0], places, groups, features / groups]);
        let centred = &grouped - grouped.mean([1, 3]).expand_dims([1, 3]);
        let variance = centred.square().mean([1, 3]).expand_dims([1, 3]);
        let y = (centred * (variance + self.epsilon.get()).rsqrt()).reshape(&shape[..]);
        scaled(x, y, [self.scale.as_ref(), self.bias.as_ref()], |parameter| parameter)
    }
}
