//! Initial distributions of parameters; keys are explicit.
//!
//! Variance scaling draws with variance `scale / n`, where `n` is the number of inputs, the number of outputs, or a mean of the
//! two. The last axis of a weight counts its outputs and the one before it the inputs, unless [`Initializer::along`] names other
//! axes; the extents of further axes multiply both numbers.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::random::Key;

/// The standard deviation of a standard normal variable truncated to [-2, 2].
const CUT_AT_TWO: f64 = 0.879_625_661_034_239_8;

/// The axes of a weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FanAxes {
    /// The axes that count inputs; negative ones from the end.
    pub inputs: &'static [isize],
    /// The axes that count outputs.
    pub outputs: &'static [isize],
    /// The axes that count independent weights.
    pub batch: &'static [isize],
}

impl Default for FanAxes {
    fn default() -> Self {
        FanAxes { inputs: &[-2], outputs: &[-1], batch: &[] }
    }
}

/// The number that divides the variance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fan {
    /// The number of inputs.
    In,
    /// The number of outputs.
    Out,
    /// The mean of the number of inputs and the number of outputs.
    Average,
    /// The geometric mean of the number of inputs and the number of outputs.
    GeometricAverage,
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
/// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
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
    /// Evenly distributed in `[0, scale)`.
    Uniform {
        /// The end of the interval.
        scale: f64,
    },
    /// Normal with mean zero, truncated at `low` and `high` standard deviations, counted before truncation.
    TruncatedNormal {
        /// The standard deviation before truncation.
        deviation: f64,
        /// The least number of standard deviations.
        low: f64,
        /// The largest number of standard deviations.
        high: f64,
    },
    /// Variance `scale / fan`.
    VarianceScaling {
        /// The variance times the fan.
        scale: f64,
        /// The number that divides `scale`.
        fan: Fan,
        /// The kind of distribution.
        distribution: Distribution,
        /// The axes that count inputs and outputs.
        axes: FanAxes,
    },
    /// A matrix with orthonormal columns, or rows if it has more columns than rows, evenly distributed among them: the
    /// columns are along one axis, all others make up the rows.
    Orthogonal {
        /// The factor of the matrix.
        scale: f64,
        /// The axis of the columns.
        columns: isize,
    },
    /// A convolution's weight that is an orthogonal matrix of the last two axes at the middle of the others, 0 elsewhere.
    DeltaOrthogonal {
        /// The factor of the matrix.
        scale: f64,
        /// The axis of the columns.
        columns: isize,
    },
}

impl Initializer {
    /// Zeros.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let b = Initializer::zeros().sample(&Key::new(0), &[2], DType::BF16);
    /// assert_eq!(b.to_string(), "bf16[2] [0.0, 0.0]");
    /// ```
    pub fn zeros() -> Self {
        Initializer::Constant(0.0)
    }

    /// Ones.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let scale = Initializer::ones().sample(&Key::new(0), &[2], DType::F32);
    /// assert_eq!(scale.to_vec::<f32>()?, [1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn ones() -> Self {
        Initializer::Constant(1.0)
    }

    /// Normal with mean zero and this standard deviation.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let (key, shape) = (Key::new(0), [3, 4]);
    /// let w = Initializer::normal(0.5).sample(&key, &shape, DType::F32);
    /// assert_eq!(w.to_vec::<f32>()?, (key.normal(&shape) * 0.5).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn normal(deviation: f64) -> Self {
        Initializer::Normal { deviation }
    }

    /// Even in `[0, scale)`.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::uniform(0.5).sample(&Key::new(0), &[100], DType::F32);
    /// assert!(w.min(..).item::<f32>()? >= 0.0 && w.max(..).item::<f32>()? < 0.5);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn uniform(scale: f64) -> Self {
        Initializer::Uniform { scale }
    }

    /// Normal, truncated at two standard deviations; the result has a standard deviation of only 0.88 times `deviation`.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::truncated_normal(0.5).sample(&Key::new(0), &[4000], DType::F32);
    /// assert!(w.abs().max(..).item::<f32>()? < 1.0);
    /// assert!((w.std(..).item::<f32>()? - 0.44).abs() < 0.02);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn truncated_normal(deviation: f64) -> Self {
        Initializer::TruncatedNormal { deviation, low: -2.0, high: 2.0 }
    }

    /// Orthonormal columns along the last axis. Source: Saxe et al., Exact solutions to the nonlinear dynamics of
    /// learning in deep linear neural networks (2013).
    ///
    /// ```
    /// use jarrah_array::{Array, DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::orthogonal().sample(&Key::new(0), &[4, 2], DType::F32);
    /// assert!(w.t().matmul(&w).allclose(Array::eye(2), 0.0, 1e-6).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn orthogonal() -> Self {
        Initializer::Orthogonal { scale: 1.0, columns: -1 }
    }

    /// An orthogonal matrix at the middle of a convolution's window. Source: Xiao et al., Dynamical isometry and a mean
    /// field theory of CNNs (2018).
    ///
    /// ```
    /// use jarrah_array::{Array, DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::delta_orthogonal().sample(&Key::new(0), &[3, 2, 2], DType::F32);
    /// assert_eq!(w.index(0).to_vec::<f32>()?, [0.0; 4]);
    /// let middle = w.index(1);
    /// assert!(middle.t().matmul(&middle).allclose(Array::eye(2), 0.0, 1e-6).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn delta_orthogonal() -> Self {
        Initializer::DeltaOrthogonal { scale: 1.0, columns: -1 }
    }

    /// Variance scaling that counts along these axes; other initializers as they are.
    ///
    /// ```
    /// use jarrah_array::nn::initializers::{FanAxes, Initializer};
    /// let axes = FanAxes { inputs: &[0, 1], ..Default::default() };
    /// let initializer = Initializer::lecun_normal().along(axes);
    /// assert!(matches!(initializer, Initializer::VarianceScaling { axes, .. } if axes.inputs == [0, 1]));
    /// ```
    pub fn along(self, axes: FanAxes) -> Self {
        match self {
            Initializer::VarianceScaling { scale, fan, distribution, .. } => {
                Initializer::VarianceScaling { scale, fan, distribution, axes }
            }
            other => other,
        }
    }

    /// Even in `sqrt(6 / (inputs + outputs)) [-1, 1]`, which has variance `2 / (inputs + outputs)`. Source: Glorot and Bengio
    /// (2010); also known as Xavier.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::glorot_uniform().sample(&Key::new(0), &[400, 200], DType::F32);
    /// let most = w.abs().max(..).item::<f32>()?;
    /// assert!(0.0999 < most && most < 0.1001);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn glorot_uniform() -> Self {
        Self::scaling(1.0, Fan::Average, Distribution::Uniform)
    }

    /// Truncated normal, variance `2 / (inputs + outputs)`. Source: Glorot and Bengio (2010); also known as Xavier.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::glorot_normal().sample(&Key::new(0), &[60, 40], DType::F32);
    /// assert!((w.var(..).item::<f32>()? * 50.0 - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn glorot_normal() -> Self {
        Self::scaling(1.0, Fan::Average, Distribution::TruncatedNormal)
    }

    /// Even in `sqrt(6 / inputs) [-1, 1]`, which has variance `2 / inputs`. Source: He et al. (2015); also known as Kaiming.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::he_uniform().sample(&Key::new(0), &[600, 20], DType::F32);
    /// let most = w.abs().max(..).item::<f32>()?;
    /// assert!(0.0999 < most && most < 0.1001);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn he_uniform() -> Self {
        Self::scaling(2.0, Fan::In, Distribution::Uniform)
    }

    /// Truncated normal, variance `2 / inputs`. Source: He et al. (2015); also known as Kaiming.
    ///
    /// ```
    /// use jarrah_array::nn::{self, initializers::Initializer};
    /// use jarrah_array::{DType, random::Key};
    /// let (first, second) = Key::new(0).pair();
    /// let w = Initializer::he_normal().sample(&first, &[100, 100], DType::F32);
    /// // Layers with relu keep the size of their inputs.
    /// let y = nn::relu(&second.normal(&[100, 100]).matmul(&w));
    /// assert!((y.square().mean(..).item::<f32>()? - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn he_normal() -> Self {
        Self::scaling(2.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// Even in `sqrt(3 / inputs) [-1, 1]`, which has variance `1 / inputs`. Source: LeCun et al., Efficient backprop (1998).
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::lecun_uniform().sample(&Key::new(0), &[300, 40], DType::F32);
    /// let most = w.abs().max(..).item::<f32>()?;
    /// assert!(0.0999 < most && most < 0.1001);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn lecun_uniform() -> Self {
        Self::scaling(1.0, Fan::In, Distribution::Uniform)
    }

    /// Truncated normal, variance `1 / inputs`. Source: LeCun et al., Efficient backprop (1998).
    ///
    /// ```
    /// use jarrah_array::nn::initializers::Initializer;
    /// use jarrah_array::{DType, random::Key};
    /// // A kernel of 3 times 3 places has 9 inputs for each channel.
    /// let w = Initializer::lecun_normal().sample(&Key::new(0), &[3, 3, 16, 32], DType::F32);
    /// assert!((w.var(..).item::<f32>()? * 144.0 - 1.0).abs() < 0.1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn lecun_normal() -> Self {
        Self::scaling(1.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// Normal for a projection that adds to the residual stream: `deviation / sqrt(additions)`, where `additions`
    /// counts such projections. Source: Radford et al., Language models are unsupervised multitask learners, 2.3.
    ///
    /// ```
    /// use jarrah_array::nn::initializers::Initializer;
    /// // Two layers, each of which adds twice.
    /// assert_eq!(Initializer::residual(0.02, 4), Initializer::normal(0.01));
    /// ```
    pub fn residual(deviation: f64, additions: usize) -> Self {
        Initializer::Normal { deviation: deviation / (additions.max(1) as f64).sqrt() }
    }

    fn scaling(scale: f64, fan: Fan, distribution: Distribution) -> Self {
        Initializer::VarianceScaling { scale, fan, distribution, axes: FanAxes::default() }
    }

    /// Draws a parameter. The numbers equal those of JAX's initializer for the same key, shape and dtype.
    ///
    /// # Errors
    ///
    /// A program error if `shape` has fewer axes than the initializer counts: two for variance scaling and orthogonal matrices,
    /// three to five for the window of a convolution.
    ///
    /// ```
    /// use jarrah_array::{DType, nn::initializers::Initializer, random::Key};
    /// let w = Initializer::normal(0.1).sample(&Key::new(0), &[3], DType::F32);
    /// assert_eq!(w.round_to(4).to_vec::<f32>()?, [0.1623, 0.2025, -0.0434]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sample(&self, key: &Key, shape: &[usize], dtype: DType) -> Array {
        match *self {
            Initializer::Constant(value) => Array::full(shape, value, dtype),
            Initializer::Uniform { scale } => key.uniform_in(shape, dtype, 0.0, 1.0) * scale,
            Initializer::Normal { deviation } => key.normal_in(shape, dtype) * deviation,
            Initializer::TruncatedNormal { deviation, low, high } => {
                key.truncated_normal_in(shape, dtype, low, high) * deviation
            }
            Initializer::VarianceScaling { scale, fan, distribution, axes } => {
                let variance = scale / fans(shape, fan, axes);
                match distribution {
                    Distribution::Normal => key.normal_in(shape, dtype) * variance.sqrt(),
                    Distribution::TruncatedNormal => {
                        let cut = key.truncated_normal_in(shape, dtype, -2.0, 2.0);
                        cut * (variance.sqrt() / CUT_AT_TWO)
                    }
                    Distribution::Uniform => {
                        key.uniform_in(shape, dtype, -1.0, 1.0) * (3.0 * variance).sqrt()
                    }
                }
            }
            Initializer::Orthogonal { scale, columns } => orthogonal(key, shape, dtype, columns) * scale,
            Initializer::DeltaOrthogonal { scale, columns } => delta(key, shape, dtype, columns) * scale,
        }
    }
}

#[track_caller]
fn fans(shape: &[usize], fan: Fan, axes: FanAxes) -> f64 {
    if shape.len() < 2 && axes == FanAxes::default() {
        let error = Error::program(format!("a parameter of shape {shape:?} has no inputs and outputs"));
        let error = error.op("initializer").at(Location::caller());
        fail(with_context(error.help("variance scaling is for weights of two or more axes")));
    }
    let inputs = extents("initializer", shape, axes.inputs);
    let outputs = extents("initializer", shape, axes.outputs);
    let batch = extents("initializer", shape, axes.batch);
    let all: f64 = shape.iter().map(|&n| n as f64).product();
    let field = all / (inputs * outputs * batch);
    let (inputs, outputs) = (inputs * field, outputs * field);
    match fan {
        Fan::In => inputs,
        Fan::Out => outputs,
        Fan::Average => (inputs + outputs) / 2.0,
        Fan::GeometricAverage => (inputs * outputs).sqrt(),
    }
    .max(1.0)
}

#[track_caller]
fn orthogonal(key: &Key, shape: &[usize], dtype: DType, columns: isize) -> Array {
    if shape.len() < 2 {
        let error = Error::program(format!("a parameter of shape {shape:?} is no matrix"));
        fail(with_context(error.op("orthogonal").at(Location::caller())));
    }
    let at = resolve_in("orthogonal", shape, columns);
    let count = shape[at];
    let mut rest = shape.to_vec();
    rest.remove(at);
    let rows: usize = rest.iter().product();
    if rows * count == 0 {
        return Array::full(shape, 0, dtype);
    }
    let matrix = key.orthogonal_in(&[], rows, count, dtype);
    rest.push(count);
    let last = rest.len() - 1;
    lax::move_axis(&matrix.reshape(rest.as_slice()), last, at)
}

#[track_caller]
fn delta(key: &Key, shape: &[usize], dtype: DType, columns: isize) -> Array {
    let [field @ .., inputs, outputs] = shape else {
        let error = Error::program(format!("a parameter of shape {shape:?} is no convolution's"));
        fail(with_context(error.op("delta_orthogonal").at(Location::caller())))
    };
    if !(1..=3).contains(&field.len()) || outputs < inputs {
        let error =
            Error::program(format!("a parameter of shape {shape:?} cannot be orthogonal at its middle"));
        let help = "it has one to three axes of the window, then inputs, then at least as many outputs";
        fail(with_context(error.op("delta_orthogonal").at(Location::caller()).help(help)));
    }
    let matrix = orthogonal(key, &[*inputs, *outputs], dtype, columns);
    let mut one = vec![1; field.len()];
    one.extend([*inputs, *outputs]);
    let (mut low, mut high) = (vec![0; shape.len()], vec![0; shape.len()]);
    for (axis, &extent) in field.iter().enumerate() {
        if extent == 0 {
            return Array::full(shape, 0, dtype);
        }
        low[axis] = ((extent - 1) / 2) as i64;
        high[axis] = (extent - 1) as i64 - low[axis];
    }
    lax::pad(&matrix.reshape(one.as_slice()), &Array::full(&[], 0, dtype), &low, &high)
}

/// The axis of `shape` that `axis` names, negative ones from the end.
#[track_caller]
fn resolve_in(op: &str, shape: &[usize], axis: isize) -> usize {
    let rank = shape.len() as isize;
    if !(-rank..rank).contains(&axis) {
        let error = Error::program(format!("axis {axis} is out of range for the shape {shape:?}"));
        fail(with_context(error.op(op).at(Location::caller())));
    }
    axis.rem_euclid(rank) as usize
}

/// The product of the extents of `axes`.
#[track_caller]
fn extents(op: &str, shape: &[usize], axes: &[isize]) -> f64 {
    let mut product = 1.0;
    for &axis in axes {
        product *= shape[resolve_in(op, shape, axis)] as f64;
    }
    product
}
