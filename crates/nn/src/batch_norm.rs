use jarrah_array::{Array, Error, Tree, along, fail, lax, stop_gradient};

use crate::axes::{resolved, wide};
use crate::tokens::refuse_mixing;
use crate::{Context, Kind, Module, StaticFloat, Variable};

/// Normalization of each feature, the last axis if nothing is said, by its mean and variance over all other axes, `(x - mean) / sqrt(var + eps) * scale + bias`.
///
/// In a pass that trains they are those of the argument, and the pass leaves `m ra + (1 - m) batch` as the next running ones; else the running
/// ones are used as they are. Variances are `mean(x^2) - mean^2`, as in JAX, at least 0, in `f32`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{BatchNorm, Context, Module, update};
/// let norm = BatchNorm::new(1);
/// let mut cx = Context::train(&jarrah_array::random::Key::new(0));
/// let y = norm.call(&Array::new(&[1.0f32, 3.0], &[2, 1]), &mut cx);
/// let next = update(&norm, &cx.updates());
/// assert!((next.mean.get().to_vec::<f32>()?[0] - 0.02).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ioffe and Szegedy, Batch normalization (2015); `flax.nnx.BatchNorm`.
#[derive(Clone, Debug, Tree)]
pub struct BatchNorm {
    /// `[features]`.
    pub scale: Option<Variable>,
    /// `[features]`.
    pub bias: Option<Variable>,
    /// The running mean, `[features]`.
    pub mean: Variable,
    /// The running variance, `[features]`.
    pub var: Variable,
    /// `m`.
    #[tree(static)]
    pub momentum: StaticFloat,
    /// The number added to the variance.
    #[tree(static)]
    pub epsilon: StaticFloat,
    /// The named axes of maps around, over which statistics are means too.
    #[tree(static)]
    pub axes: Vec<String>,
    /// The axis of features; a negative one from the end.
    #[tree(static)]
    pub axis: isize,
}

impl BatchNorm {
    /// A normalization with scale and running variance one, bias and running mean zero, momentum 0.99 and epsilon `1e-5`, in `f32`.
    #[track_caller]
    pub fn new(features: usize) -> Self {
        let statistic = |array: Array| Variable::from(array).of_kind(Kind::BATCH_STATISTIC);
        BatchNorm {
            scale: Some(Array::ones(&[features]).into()),
            bias: Some(Array::zeros(&[features]).into()),
            mean: statistic(Array::zeros(&[features])),
            var: statistic(Array::ones(&[features])),
            momentum: 0.99.into(),
            epsilon: 1e-5.into(),
            axes: Vec::new(),
            axis: -1,
        }
    }
}

impl BatchNorm {
    /// As a [`Module`]'s call. In training, the statistics are computed only from the elements where `mask`, truth values that
    /// broadcast to `x`, is true.
    #[track_caller]
    pub fn call_masked(&self, x: &Array, mask: Option<&Array>, cx: &mut Context) -> Array {
        let features = self.mean.shape()[0];
        let axis = resolved("batch norm", &[self.axis], x.rank())[0];
        if x.shape()[axis] != features {
            let error =
                format!("the argument is {}, and there are statistics of {features} features", x.ty());
            fail(Error::program(error).op("batch norm").help(format!("features are axis {}", self.axis)));
        }
        let mut shape = vec![1; x.rank()];
        shape[axis] = features;
        let spread = |feature: Array| {
            if axis + 1 == x.rank() { feature } else { feature.reshape(&shape[..]) }
        };
        let (mean, var) =
            if cx.is_training() { self.train(x, axis, mask, cx) } else { (self.mean.get(), self.var.get()) };
        let mut factor = (var + self.epsilon.get()).rsqrt();
        if let Some(scale) = &self.scale {
            factor *= scale.get();
        }
        let y = (x - spread(mean)) * spread(factor);
        let y = match &self.bias {
            Some(bias) => y + spread(bias.get()),
            None => y,
        };
        y.astype(x.dtype())
    }

    /// The statistics of `x`; the next running ones are left in the pass.
    #[track_caller]
    fn train(&self, x: &Array, axis: usize, mask: Option<&Array>, cx: &mut Context) -> (Array, Array) {
        let others: Vec<isize> =
            (0..x.rank()).filter(|&other| other != axis).map(|other| other as isize).collect();
        let wide = wide(x);
        let moment = |x: &Array| match mask {
            Some(mask) => x.mean(along(&others[..]).mask(mask)),
            None => x.mean(&others[..]),
        };
        let mut both = [moment(&wide), moment(&wide.square())];
        for axis in &self.axes {
            both = both.map(|moment| lax::pmean(&moment, axis.as_str()));
        }
        let [mean, square] = both;
        let var = (square - mean.square()).maximum(0.0);
        let next = |old: &Variable, new: &Array| {
            let momentum = self.momentum.get();
            old.get() * momentum + stop_gradient(new) * (1.0 - momentum)
        };
        cx.set_variable("mean", &self.mean, next(&self.mean, &mean));
        cx.set_variable("var", &self.var, next(&self.var, &var));
        (mean, var)
    }
}

/// In training, a pass whose tokens have segments is an error: [`call_masked`](BatchNorm::call_masked) takes a mask of the tokens
/// that count.
impl Module for BatchNorm {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        if cx.is_training() {
            refuse_mixing("batch norm", x, 0..x.rank(), cx);
        }
        self.call_masked(x, None, cx)
    }
}
