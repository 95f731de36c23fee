use jarrah_array::lax::{self, ConvDimensions, ConvOptions, Padding, WindowOptions};
use jarrah_array::numpy::PadMode;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, stop_gradient};

use crate::axes::promoted;
use crate::tokens::{reaching, refuse_mixing};
use crate::{Context, Initializer, Kind, Module, Variable};

/// The elements around the argument of a convolution.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum ConvPadding {
    /// As many zeros as make one result for each `stride` elements; an odd number puts the extra one at the end.
    #[default]
    Same,
    /// Nothing.
    Valid,
    /// Elements from the opposite end of the axis, as many as [`ConvPadding::Same`] adds without strides.
    Circular,
    /// Elements mirrored at the edge, as many as [`ConvPadding::Same`] adds without strides.
    Reflect,
    /// Zeros before the first element only, so that no result depends on a later element. For one spatial axis.
    Causal,
    /// These numbers of zeros before and after each axis.
    Pairs(Vec<(i64, i64)>),
}

/// A convolution of any number of spatial axes, the features last: `y[o] = sum over k, c of x[o stride + k dilation, c] W[k, c] + b`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Conv, ConvPadding, Module};
/// let layer = Conv::new(&Key::new(0), 3, 8, &[3, 3]).with_strides(&[2, 2]);
/// assert_eq!(layer.forward(&Array::ones(&[1, 9, 6, 3])).shape(), [1, 5, 3, 8]);
/// // Each feature for itself, of sequences without a batch.
/// let depthwise = Conv::grouped(&Key::new(0), 4, 4, &[3], 4).with_padding(ConvPadding::Causal);
/// assert_eq!(depthwise.forward(&Array::ones(&[7, 4])).shape(), [7, 4]);
/// ```
///
/// Source: `flax.nnx.Conv`.
#[derive(Clone, Debug, Tree)]
pub struct Conv {
    /// `[window.., inputs / groups, outputs]`.
    pub weight: Variable,
    /// `[outputs]`.
    pub bias: Option<Variable>,
    /// Factors on the weight, of its shape, which have no gradient: a place with zero is left out.
    pub mask: Option<Variable>,
    /// From a window to the next along each spatial axis; none: ones.
    #[tree(static)]
    pub strides: Vec<usize>,
    /// The elements around the argument.
    #[tree(static)]
    pub padding: ConvPadding,
    /// From an element of the argument to the next, with zeros between them; none: ones.
    #[tree(static)]
    pub input_dilation: Vec<usize>,
    /// From a place of the window to the next; none: ones.
    #[tree(static)]
    pub dilation: Vec<usize>,
    /// The number of groups that the features are divided into; results of a group depend only on arguments of the same group.
    #[tree(static)]
    pub groups: usize,
}

impl Conv {
    /// A convolution with windows of the extents `window`, a LeCun-normal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, outputs: usize, window: &[usize]) -> Self {
        Self::grouped(key, inputs, outputs, window, 1)
    }

    /// As [`new`](Self::new), in `groups` groups of features.
    #[track_caller]
    pub fn grouped(key: &Key, inputs: usize, outputs: usize, window: &[usize], groups: usize) -> Self {
        if groups == 0 || !inputs.is_multiple_of(groups) || !outputs.is_multiple_of(groups) {
            let error = format!("{inputs} and {outputs} features do not fall in {groups} groups");
            fail(Error::program(error).op("conv").help("give a number of groups that divides both"));
        }
        let shape = [window, &[inputs / groups, outputs]].concat();
        Conv {
            weight: Initializer::lecun_normal().sample(key, &shape, DType::F32).into(),
            bias: Some(Array::zeros(&[outputs]).into()),
            mask: None,
            strides: Vec::new(),
            padding: ConvPadding::Same,
            input_dilation: Vec::new(),
            dilation: Vec::new(),
            groups,
        }
    }

    /// The convolution with these strides.
    #[must_use]
    pub fn with_strides(self, strides: &[usize]) -> Self {
        Conv { strides: strides.to_vec(), ..self }
    }

    /// The convolution with this padding.
    #[must_use]
    pub fn with_padding(self, padding: ConvPadding) -> Self {
        Conv { padding, ..self }
    }

    /// The convolution with places of windows that lie so far apart.
    #[must_use]
    pub fn with_dilation(self, dilation: &[usize]) -> Self {
        Conv { dilation: dilation.to_vec(), ..self }
    }

    /// The convolution of the argument with zeros between its elements.
    #[must_use]
    pub fn with_input_dilation(self, dilation: &[usize]) -> Self {
        Conv { input_dilation: dilation.to_vec(), ..self }
    }

    /// The convolution with its weight multiplied by `mask`, of the same shape.
    #[must_use]
    pub fn with_mask(self, mask: Array) -> Self {
        Conv { mask: Some(Variable::from(mask).of_kind(Kind::new("mask"))), ..self }
    }

    /// The convolution without a bias.
    #[must_use]
    pub fn without_bias(self) -> Self {
        Conv { bias: None, ..self }
    }
}

/// The list of a number for each axis, or ones if it is empty.
pub(crate) fn or_ones(list: &[usize], axes: usize) -> Vec<usize> {
    if list.is_empty() { vec![1; axes] } else { list.to_vec() }
}

/// For each spatial axis of a convolution, whether a result depends on elements at other places than its own: whether the window
/// is larger than 1, or a stride or dilation in `lists` is not 1.
pub(crate) fn looking(weight: &Variable, lists: [&Vec<usize>; 2]) -> Vec<bool> {
    let shape = weight.shape();
    let window = shape.iter().take(shape.len().saturating_sub(2)).enumerate();
    let moves = |i: usize| lists.iter().any(|list| list.get(i).is_some_and(|&by| by != 1));
    window.map(|(i, &size)| size != 1 || moves(i)).collect()
}

/// The extents that windows with places so far apart reach over.
pub(crate) fn reached(window: &[usize], dilation: &[usize]) -> Vec<usize> {
    window.iter().zip(dilation).map(|(&size, &by)| size.saturating_sub(1) * by + 1).collect()
}

/// The axes of argument, weight and result, features last.
pub(crate) fn features_last(spatial: usize) -> ConvDimensions {
    let letters: String = ('a'..='z').take(spatial).collect();
    let sides = (format!("N{letters}C"), format!("{letters}IO"));
    ConvDimensions::new(&sides.0, &sides.1, &sides.0).expect("invariant: each letter stands once")
}

/// The weight times the mask.
#[track_caller]
pub(crate) fn masked(op: &str, weight: &Variable, mask: Option<&Variable>) -> Array {
    let weight = weight.get();
    let Some(mask) = mask else { return weight };
    if mask.shape() != weight.shape()[..] {
        let error = format!("the mask is {} and the weight is {}", mask.ty(), weight.ty());
        fail(Error::program(error).op(op).help("give a mask of the shape of the weight"));
    }
    &weight * stop_gradient(&mask.dense(weight.dtype()))
}

/// `x` with its batch axes combined to one, and the extents of these axes.
#[track_caller]
pub(crate) fn one_batch(op: &str, x: &Array, spatial: usize, features: usize) -> (Array, Vec<usize>) {
    let shape = x.shape();
    if shape.len() <= spatial || shape.last() != Some(&features) {
        let error =
            format!("the argument is {}, it must be [.., {spatial} spatial axes, {features}]", x.ty());
        fail(Error::program(error).op(op).help("the features are the last axis"));
    }
    let (batch, rest) = shape.split_at(shape.len() - spatial - 1);
    let count = batch.iter().product();
    (x.reshape(&[&[count], rest].concat()[..]), batch.to_vec())
}

/// `x` padded along the spatial axes.
#[track_caller]
fn around(x: &Array, sizes: &[usize], mode: PadMode) -> Array {
    let sides = sizes.iter().map(|&size| ((size - 1) / 2, size / 2));
    let widths: Vec<(usize, usize)> = [(0, 0)].into_iter().chain(sides).chain([(0, 0)]).collect();
    x.pad(&widths, mode)
}

/// The result with the bias and the batch axes of the argument.
#[track_caller]
pub(crate) fn finished(y: Array, bias: Option<&Variable>, batch: &[usize]) -> Array {
    let y = match bias {
        Some(bias) => y + bias.get(),
        None => y,
    };
    let shape = [batch, &y.shape()[1..]].concat();
    y.reshape(&shape[..])
}

/// A convolution along the tokens of a pass is an error where these have segments or go on from earlier passes.
impl Module for Conv {
    /// `x: [.., spatial.., inputs]` to `[.., spatial.., outputs]`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let lists = [&self.strides, &self.input_dilation];
        refuse_mixing("conv", x, reaching(x, &looking(&self.weight, lists)), cx);
        let weight = masked("conv", &self.weight, self.mask.as_ref());
        let spatial = weight.rank() - 2;
        let (x, batch) = one_batch("conv", x, spatial, weight.shape()[spatial] * self.groups);
        let dilation = or_ones(&self.dilation, spatial);
        let sizes: Vec<usize> = reached(&weight.shape()[..spatial], &dilation);
        let (x, padding) = match &self.padding {
            ConvPadding::Same => (x, Padding::Same),
            ConvPadding::Valid => (x, Padding::Valid),
            ConvPadding::Pairs(pairs) => (x, Padding::Pairs(pairs.clone())),
            ConvPadding::Circular => (around(&x, &sizes, PadMode::Wrap), Padding::Valid),
            ConvPadding::Reflect => (around(&x, &sizes, PadMode::Reflect), Padding::Valid),
            ConvPadding::Causal if spatial == 1 => (x, Padding::Pairs(vec![(sizes[0] as i64 - 1, 0)])),
            ConvPadding::Causal => {
                let error = format!("causal padding of {spatial} spatial axes");
                fail(Error::program(error).op("conv").help("causal padding is for one spatial axis"));
            }
        };
        let window = WindowOptions {
            strides: self.strides.clone(),
            padding,
            base_dilation: self.input_dilation.clone(),
            window_dilation: self.dilation.clone(),
        };
        let dimensions = Some(features_last(spatial));
        let options =
            ConvOptions { window, dimensions, feature_groups: self.groups, ..ConvOptions::default() };
        let (x, weight) = promoted(&x, &weight);
        finished(lax::conv_general_dilated(&x, &weight, &options), self.bias.as_ref(), &batch)
    }
}
