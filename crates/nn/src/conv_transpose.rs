use jarrah_array::lax::{self, Padding};
use jarrah_array::numpy::PadMode;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail};

use crate::axes::promoted;
use crate::conv::{features_last, finished, looking, masked, one_batch, or_ones};
use crate::tokens::{reaching, refuse_mixing};
use crate::{Context, ConvPadding, Initializer, Kind, Module, Variable};

/// A convolution of the argument with `stride - 1` zeros between its elements: what it gives is larger by the strides.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{ConvTranspose, Module};
/// let layer = ConvTranspose::new(&Key::new(0), 8, 3, &[4, 4]).with_strides(&[2, 2]);
/// assert_eq!(layer.forward(&Array::ones(&[1, 5, 6, 8])).shape(), [1, 10, 12, 3]);
/// ```
///
/// Source: `flax.nnx.ConvTranspose`.
#[derive(Clone, Debug, Tree)]
pub struct ConvTranspose {
    /// The weight `[window.., inputs, outputs]`, or `[window.., outputs, inputs]` if `transposed` is set.
    pub weight: Variable,
    /// `[outputs]`.
    pub bias: Option<Variable>,
    /// Factors on the weight, of its shape, which have no gradient.
    pub mask: Option<Variable>,
    /// The factors by which the result is larger; none: ones.
    #[tree(static)]
    pub strides: Vec<usize>,
    /// The padding of the convolution whose transpose this is; explicit pairs are instead added to the argument after zeros are
    /// inserted into it.
    #[tree(static)]
    pub padding: ConvPadding,
    /// From a place of the window to the next; none: ones.
    #[tree(static)]
    pub dilation: Vec<usize>,
    /// Whether the weight is that of the convolution which this transposes: the window is mirrored and its features are exchanged.
    #[tree(static)]
    pub transposed: bool,
}

impl ConvTranspose {
    /// A convolution with windows of the extents `window`, a LeCun-normal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, outputs: usize, window: &[usize]) -> Self {
        let shape = [window, &[inputs, outputs]].concat();
        ConvTranspose {
            weight: Initializer::lecun_normal().sample(key, &shape, DType::F32).into(),
            bias: Some(Array::zeros(&[outputs]).into()),
            mask: None,
            strides: Vec::new(),
            padding: ConvPadding::Same,
            dilation: Vec::new(),
            transposed: false,
        }
    }

    /// As [`new`](Self::new), with a weight `[window.., outputs, inputs]`, that of the convolution which this transposes.
    #[track_caller]
    pub fn transposed(key: &Key, inputs: usize, outputs: usize, window: &[usize]) -> Self {
        let bias = Some(Array::zeros(&[outputs]).into());
        ConvTranspose { bias, transposed: true, ..Self::new(key, outputs, inputs, window) }
    }

    /// The convolution with these strides.
    #[must_use]
    pub fn with_strides(self, strides: &[usize]) -> Self {
        ConvTranspose { strides: strides.to_vec(), ..self }
    }

    /// The convolution with this padding.
    #[must_use]
    pub fn with_padding(self, padding: ConvPadding) -> Self {
        ConvTranspose { padding, ..self }
    }

    /// The convolution with places of windows that lie so far apart.
    #[must_use]
    pub fn with_dilation(self, dilation: &[usize]) -> Self {
        ConvTranspose { dilation: dilation.to_vec(), ..self }
    }

    /// The transposed convolution with its weight multiplied by `mask`, of the same shape.
    #[must_use]
    pub fn with_mask(self, mask: Array) -> Self {
        ConvTranspose { mask: Some(Variable::from(mask).of_kind(Kind::new("mask"))), ..self }
    }

    /// The convolution without a bias.
    #[must_use]
    pub fn without_bias(self) -> Self {
        ConvTranspose { bias: None, ..self }
    }

    /// The weight as `lax` takes it: with zeros inserted for the dilation; if `transposed` is set, also mirrored and with the
    /// feature axes exchanged.
    #[track_caller]
    fn spread(&self, weight: &Array) -> Array {
        let spatial = weight.rank() - 2;
        let mut weight = weight.clone();
        if self.transposed {
            let axes: Vec<usize> = (0..spatial).collect();
            weight = lax::reverse(&weight, &axes).swapaxes(-1, -2);
        }
        if self.dilation.iter().all(|&by| by == 1) {
            return weight;
        }
        let (none, zero) = (vec![0; weight.rank()], Array::full(&[], 0, weight.dtype()));
        let between: Vec<usize> = self.dilation.iter().map(|&by| by - 1).chain([0, 0]).collect();
        lax::pad_interior(&weight, &zero, &none, &none, &between)
    }

    /// The sum of the periods of `y` along each spatial axis.
    #[track_caller]
    fn wrapped(&self, y: &Array, periods: &[usize]) -> Array {
        let side = |i: usize| {
            // The padded extent is an odd number of periods, of which the middle one begins where the argument does.
            let missing =
                (periods[i] as isize - y.shape()[i + 1] as isize).rem_euclid(2 * periods[i] as isize);
            let missing = missing as usize;
            let (small, large) = (missing / 2, missing.div_ceil(2));
            if self.transposed { (small, large) } else { (large, small) }
        };
        let sides = (0..periods.len()).map(side);
        let widths: Vec<(usize, usize)> = [(0, 0)].into_iter().chain(sides).chain([(0, 0)]).collect();
        let mut y = y.pad(&widths, PadMode::Constant(0.into()));
        for (i, &period) in periods.iter().enumerate() {
            let shape = y.shape();
            let parts = [shape[i + 1] / period, period];
            let apart = [&shape[..=i], &parts, &shape[i + 2..]].concat();
            y = y.reshape(&apart[..]).sum(i as isize + 1);
        }
        y
    }
}

/// A convolution along the tokens of a pass is an error where these have segments or go on from earlier passes.
impl Module for ConvTranspose {
    /// `x: [.., spatial.., inputs]` to `[.., spatial.., outputs]`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let along = reaching(x, &looking(&self.weight, [&self.strides, &Vec::new()]));
        refuse_mixing("transposed convolution", x, along, cx);
        let op = "conv_transpose";
        let weight = masked(op, &self.weight, self.mask.as_ref());
        let spatial = weight.rank() - 2;
        let inputs = weight.shape()[spatial + usize::from(self.transposed)];
        let (x, batch) = one_batch(op, x, spatial, inputs);
        let padding = match &self.padding {
            ConvPadding::Same => Padding::Same,
            ConvPadding::Valid | ConvPadding::Circular => Padding::Valid,
            ConvPadding::Pairs(pairs) => Padding::Pairs(pairs.clone()),
            other => {
                let error = format!("there is no padding {other:?} of transposed convolutions");
                fail(Error::program(error).op(op).help("take Same, Valid, Circular or Pairs"));
            }
        };
        let (x, weight) = promoted(&x, &self.spread(&weight));
        let mut y = lax::conv_transpose(&x, &weight, &self.strides, &padding, &features_last(spatial));
        if self.padding == ConvPadding::Circular {
            let strides = or_ones(&self.strides, spatial);
            let periods: Vec<usize> = (0..spatial).map(|i| x.shape()[i + 1] * strides[i]).collect();
            y = self.wrapped(&y, &periods);
        }
        finished(y, self.bias.as_ref(), &batch)
    }
}
