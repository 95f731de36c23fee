//! Initial distributions of parameters; keys are explicit.
//!
//! Variance scaling draws with variance `scale / n`, where `n` is the number of inputs, of outputs, or their mean.
//! The last axis of a weight counts its outputs, the one before it the inputs; further axes multiply both.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, fail};

/// The standard deviation of a standard normal variable truncated to [-2, 2].
const CUT_AT_TWO: f64 = 0.879_625_661_034_239_8;

/// The number that divides the variance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fan {
    /// The number of inputs.
    In,
    /// The number of outputs.
    Out,
    /// The mean of both.
    Average,
}

/// The kind of distribution, of a given variance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Distribution {
    /// Normal.
    Normal,
    /// Normal, truncated at two standard deviations and scaled back to the given variance.
    TruncatedNormal,
    /// Evenly distributed around zero.
    Uniform,
}

/// The initial distribution of a parameter.
///
/// ```
/// use jarrah_array::{DType, random::Key};
/// use jarrah_nn::Initializer;
/// let w = Initializer::he_normal().sample(&Key::new(0), &[64, 32], DType::F32);
/// assert_eq!(w.shape(), [64, 32]);
/// assert!((w.square().mean(..).item::<f32>()? * 32.0 - 1.0).abs() < 0.1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Initializer {
    /// One value everywhere.
    Constant(f64),
    /// Normal with mean zero.
    Normal {
        /// The standard deviation.
        deviation: f64,
    },
    /// Normal with mean zero, truncated at two standard deviations, counted before truncation.
    TruncatedNormal {
        /// The standard deviation before truncation.
        deviation: f64,
    },
    /// Variance `scale / fan`.
    VarianceScaling {
        /// The variance times the fan.
        scale: f64,
        /// The number that divides `scale`.
        fan: Fan,
        /// The kind of distribution.
        distribution: Distribution,
    },
}

impl Initializer {
    /// Zeros.
    pub fn zeros() -> Self {
        Initializer::Constant(0.0)
    }

    /// Ones.
    pub fn ones() -> Self {
        Initializer::Constant(1.0)
    }

    /// Normal with a standard deviation.
    pub fn normal(deviation: f64) -> Self {
        Initializer::Normal { deviation }
    }

    /// Normal, truncated at two standard deviations.
    pub fn truncated_normal(deviation: f64) -> Self {
        Initializer::TruncatedNormal { deviation }
    }

    /// Even, variance `2 / (inputs + outputs)`. Source: Glorot and Bengio (2010); also known as Xavier.
    pub fn glorot_uniform() -> Self {
        Self::scaling(1.0, Fan::Average, Distribution::Uniform)
    }

    /// Truncated normal, variance `2 / (inputs + outputs)`. Source: Glorot and Bengio (2010); also known as Xavier.
    pub fn glorot_normal() -> Self {
        Self::scaling(1.0, Fan::Average, Distribution::TruncatedNormal)
    }

    /// Even, variance `2 / inputs`. Source: He et al. (2015); also known as Kaiming.
    pub fn he_uniform() -> Self {
        Self::scaling(2.0, Fan::In, Distribution::Uniform)
    }

    /// Truncated normal, variance `2 / inputs`. Source: He et al. (2015); also known as Kaiming.
    pub fn he_normal() -> Self {
        Self::scaling(2.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// Even, variance `1 / inputs`. Source: LeCun et al., Efficient backprop (1998).
    pub fn lecun_uniform() -> Self {
        Self::scaling(1.0, Fan::In, Distribution::Uniform)
    }

    /// Truncated normal, variance `1 / inputs`. Source: LeCun et al., Efficient backprop (1998).
    pub fn lecun_normal() -> Self {
        Self::scaling(1.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// Normal for a projection that adds to the residual stream: `deviation / sqrt(additions)`, where `additions`
    /// counts such projections. Source: Radford et al., Language models are unsupervised multitask learners, 2.3.
    pub fn residual(deviation: f64, additions: usize) -> Self {
        Initializer::Normal { deviation: deviation / (additions.max(1) as f64).sqrt() }
    }

    fn scaling(scale: f64, fan: Fan, distribution: Distribution) -> Self {
        Initializer::VarianceScaling { scale, fan, distribution }
    }

    /// Draws a parameter.
    #[track_caller]
    pub fn sample(&self, key: &Key, shape: &[usize], dtype: DType) -> Array {
        match *self {
            Initializer::Constant(value) => Array::full(shape, value, dtype),
            Initializer::Normal { deviation } => key.normal_in(shape, dtype) * deviation,
            Initializer::TruncatedNormal { deviation } => cut(key, shape, dtype) * deviation,
            Initializer::VarianceScaling { scale, fan, distribution } => {
                let variance = scale / fans(shape, fan);
                match distribution {
                    Distribution::Normal => key.normal_in(shape, dtype) * variance.sqrt(),
                    Distribution::TruncatedNormal => cut(key, shape, dtype) * (variance.sqrt() / CUT_AT_TWO),
                    Distribution::Uniform => {
                        key.uniform_in(shape, dtype, -1.0, 1.0) * (3.0 * variance).sqrt()
                    }
                }
            }
        }
    }
}

#[track_caller]
fn cut(key: &Key, shape: &[usize], dtype: DType) -> Array {
    key.truncated_normal_in(shape, dtype, -2.0, 2.0)
}

#[track_caller]
fn fans(shape: &[usize], fan: Fan) -> f64 {
    let [rest @ .., inputs, outputs] = shape else {
        let error = Error::program(format!("a parameter of shape {shape:?} has no inputs and outputs"));
        fail(error.op("initializer").help("variance scaling is for weights of two or more axes"))
    };
    let field: f64 = rest.iter().map(|&n| n as f64).product();
    let (inputs, outputs) = (*inputs as f64 * field, *outputs as f64 * field);
    match fan {
        Fan::In => inputs,
        Fan::Out => outputs,
        Fan::Average => (inputs + outputs) / 2.0,
    }
    .max(1.0)
}
