//! The objective of most runs: one loss is made small.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, TreeExt, fail, jit, library, value_and_grad_with_aux};
use jarrah_base::{Error, Location, Result};
use jarrah_nn::{Context, State};
use jarrah_optim::transforms::global_norm;
use jarrah_optim::{GradientTransformation, Leaves, apply_updates};
use serde_json::Value;

use super::objective::{Metrics, Objective, StepReport, Sums, shapes_of};
use super::state::{TrainState, average_of, chosen, moved};

/// Steps before a gradient is compared with the usual norm, and the decay of that norm.
const USUAL_AFTER: i32 = 10;
const USUAL_DECAY: f64 = 0.9;

/// A loss of a model on a batch.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Context, Linear, Module};
/// use jarrah_train::{Loss, Metrics, Result};
///
/// /// A line through points, by least squares.
/// struct Line;
///
/// impl Loss for Line {
///     type Model = Linear;
///     type Fixed = ();
///     type Batch = (Array, Array);
///
///     fn begin(&self, key: &Key) -> Result<(Linear, ())> {
///         Ok((Linear::new(key, 1, 1), ()))
///     }
///
///     fn loss(&self, line: &Linear, _: &(), (x, y): &(Array, Array), _: &mut Context) -> (Array, Metrics) {
///         let error = line.forward(x) - y;
///         (error.square().mean(..), Metrics::from([("largest", error.abs().max(..))]))
///     }
/// }
/// ```
pub trait Loss: 'static {
    /// The parameters that are trained: a module, or any tree of arrays.
    type Model: Tree<Array> + Clone + 'static;
    /// The arrays that the loss reads and that are not trained; see [`Objective::Fixed`].
    type Fixed: Tree<Array> + Clone + 'static;
    /// The arrays of a batch.
    type Batch: Tree<Array> + Clone + 'static;

    /// The model before the first step and the fixed arrays; see [`Objective::begin`].
    ///
    /// # Errors
    /// They cannot be made.
    fn begin(&self, key: &Key) -> Result<(Self::Model, Self::Fixed)>;

    /// As [`Objective::shapes`].
    ///
    /// # Errors
    /// `begin` failed.
    fn shapes(&self) -> Result<(Self::Model, Self::Fixed)> {
        shapes_of(|key| self.begin(key))
    }

    /// As [`Objective::fixed`].
    ///
    /// # Errors
    /// They cannot be made.
    fn fixed(&self, key: &Key) -> Result<Self::Fixed> {
        Ok(self.begin(key)?.1)
    }

    /// The mean loss of a batch, a scalar, and more metrics of it. `cx` says whether this pass trains, and has the keys of dropout.
    fn loss(
        &self,
        model: &Self::Model,
        fixed: &Self::Fixed,
        batch: &Self::Batch,
        cx: &mut Context,
    ) -> (Array, Metrics);

    /// The metrics of a batch, the loss first among them, the gradient of the loss by the model's parameters, and the variables that modules
    /// left in the pass, such as running means: where the model has a leaf of that path, it is the leaf after the step.
    ///
    /// Override it to compute in narrow floats with a loss scale (whose state is in `opt`), to cut the batch into parts, or to give the gradients of
    /// several losses by parts of the model.
    fn value_and_grad(
        &self,
        model: &Self::Model,
        fixed: &Self::Fixed,
        batch: &Self::Batch,
        key: &Key,
        _opt: &Leaves,
    ) -> (Metrics, Self::Model, State) {
        let loss = |model: &Self::Model| {
            let mut cx = Context::train(key);
            let (loss, more) = self.loss(model, fixed, batch, &mut cx);
            check_loss(&loss);
            let metrics = more.behind("loss", loss.clone());
            metrics.check();
            (loss, (metrics, cx.updates()))
        };
        let ((_, (metrics, left)), gradient) = value_and_grad_with_aux(loss)(model);
        (metrics, gradient, left)
    }

    /// The measurements of a model on a batch that is held out: the loss and its metrics in a pass that does not train.
    fn evaluate(&self, model: &Self::Model, fixed: &Self::Fixed, batch: &Self::Batch) -> Sums {
        let (loss, more) = self.loss(model, fixed, batch, &mut Context::eval());
        Sums { metrics: more.behind("loss", loss), count: Array::scalar(1.0f32) }
    }

    /// The outputs of modules in a pass that trains, each with its name in an error, in the order in which they come: [`Objective::culprit`] looks for the
    /// first that has a number that is none.
    fn outputs(
        &self,
        model: &Self::Model,
        fixed: &Self::Fixed,
        batch: &Self::Batch,
        key: &Key,
    ) -> Vec<(String, Array)> {
        let mut cx = Context::train(key).capturing("**");
        let (loss, _) = self.loss(model, fixed, batch, &mut cx);
        let mut outputs = captured(&cx.captured(), cx.captured_paths());
        outputs.push(("the loss".to_owned(), loss));
        outputs
    }

    /// The gradient as it is looked at where a step went wrong: of the whole batch, without a loss scale.
    fn whole_gradient(
        &self,
        model: &Self::Model,
        fixed: &Self::Fixed,
        batch: &Self::Batch,
        key: &Key,
    ) -> Self::Model {
        self.value_and_grad(model, fixed, batch, key, &Leaves::default()).1
    }

    /// As [`Objective::describe`].
    fn describe(&self, _metrics: &[(String, f64)]) -> Option<String> {
        None
    }

    /// As [`Objective::description`].
    fn description(&self) -> Value {
        Value::Null
    }
}

/// The model with the variables that modules left in a pass in the place of its own.
fn with_variables<M: Tree<Array>>(model: M, left: &State) -> M {
    let of_pass = |path: &str, own: &Array| {
        let new = left.array(path).map(|new| new.astype(own.dtype()));
        Ok(new.unwrap_or_else(|| own.clone()))
    };
    model.try_map_with_paths(of_pass).unwrap_or_else(|error| fail(error))
}

/// Ends a trace whose [`Loss::loss`] is not one float, at the line where it was made.
fn check_loss(loss: &Array) {
    if loss.rank() == 0 && loss.dtype().is_float() {
        return;
    }
    let error = Error::program(format!("`Loss::loss` returned {}, and a loss is one float", loss.ty()));
    let help = if loss.dtype().is_float() {
        "take the mean over the batch: `.mean(..)`"
    } else {
        "compute it in floats"
    };
    library::fail_at(library::made_at(loss).unwrap_or_else(Location::caller), error.help(help));
}

/// Makes a [`Loss`] small with an optimizer.
///
/// A step whose loss or gradient is not a number changes nothing but the number of steps; [`TrainerOptions::on_nan`](super::TrainerOptions::on_nan) says whether the run ends then.
pub struct Minimize<L> {
    /// The loss.
    pub loss: L,
    optimizer: GradientTransformation,
    more: Vec<(&'static str, Scalar)>,
    ema: f64,
    spike: f64,
    guarded: bool,
}

/// A scalar as a function of the number of steps done.
type Scalar = Box<dyn Fn(&Array) -> Array>;

impl<L: Loss> Minimize<L> {
    /// With this optimizer.
    pub fn new(loss: L, optimizer: GradientTransformation) -> Self {
        Minimize { loss, optimizer, more: Vec::new(), ema: 0.0, spike: 0.0, guarded: true }
    }

    /// Also keeps an average of the parameters: `average <- decay average + (1 - decay) params` after each step. The average is evaluated.
    #[must_use]
    pub fn average(mut self, decay: f64) -> Self {
        self.ema = decay;
        self
    }

    /// Leaves out steps whose gradient has more than `times` the usual norm, an average over the steps before.
    #[must_use]
    pub fn leave_out_spikes(mut self, times: f64) -> Self {
        self.spike = times;
        self
    }

    /// Takes each step, for an optimizer that leaves out by itself the steps whose gradients are no numbers, such as `loss_scaled`.
    #[must_use]
    pub fn unguarded(mut self) -> Self {
        self.guarded = false;
        self
    }

    /// Records a function of the number of steps done, such as the learning rate of a schedule, behind the loss.
    #[must_use]
    pub fn recording(mut self, name: &'static str, scalar: impl Fn(&Array) -> Array + 'static) -> Self {
        self.more.push((name, Box::new(scalar)));
        self
    }

    fn state(&self, params: L::Model) -> TrainState<L::Model> {
        let opt = self.optimizer.init(&params);
        let norm = (self.spike > 0.0).then(|| Array::scalar(0.0f32));
        let ema = (self.ema > 0.0).then(|| average_of(&params));
        TrainState { params, opt, ema, norm, skipped: Array::scalar(0i32), step: Array::scalar(0i32) }
    }

    /// The state behind a step, given the parameters and the optimizer's state that it would make.
    fn advance(
        &self,
        state: &TrainState<L::Model>,
        (params, opt): (L::Model, Leaves),
        grad_norm: &Array,
        taken: &Array,
    ) -> TrainState<L::Model> {
        let norm = state.norm.as_ref().map(|usual| {
            let seen = usual * USUAL_DECAY + grad_norm * (1.0 - USUAL_DECAY);
            jarrah_array::where_(&usual.eq(0), grad_norm, seen)
        });
        let ema = state.ema.as_ref().map(|average| moved(average, &params, self.ema));
        let step = &state.step + 1;
        let next = TrainState { params, opt, norm, ema, skipped: state.skipped.clone(), step: step.clone() };
        if !self.guarded {
            return next;
        }
        let left_out = TrainState { skipped: &state.skipped + 1, step, ..state.clone() };
        chosen(taken, &next, &left_out)
    }

    /// Whether a step is taken: loss and gradient are numbers, and the norm is not far from the usual one.
    fn takes(&self, state: &TrainState<L::Model>, finite: &Array, norm: &Array) -> Array {
        match &state.norm {
            None => finite.clone(),
            Some(usual) => {
                let early = (&state.step - &state.skipped).lt(USUAL_AFTER);
                finite & (early | norm.le(usual * self.spike))
            }
        }
    }
}

impl<L: Loss> Objective for Minimize<L> {
    type State = TrainState<L::Model>;
    type Fixed = L::Fixed;
    type Batch = L::Batch;

    fn begin(&self, key: &Key) -> Result<(Self::State, L::Fixed)> {
        let (params, fixed) = self.loss.begin(key)?;
        Ok((jit(|params: &L::Model| self.state(params.clone())).call(params)?, fixed))
    }

    fn shapes(&self) -> Result<(Self::State, L::Fixed)> {
        let (params, fixed) = self.loss.shapes()?;
        Ok((jarrah_array::eval_shape(|params: &L::Model| self.state(params.clone()), &params), fixed))
    }

    fn fixed(&self, key: &Key) -> Result<L::Fixed> {
        self.loss.fixed(key)
    }

    fn step(
        &self,
        state: &Self::State,
        fixed: &L::Fixed,
        batch: &L::Batch,
        key: &Key,
    ) -> (Self::State, StepReport) {
        let (mut metrics, gradient, left) =
            self.loss.value_and_grad(&state.params, fixed, batch, key, &state.opt);
        let (updates, opt) = self.optimizer.update(&gradient, &state.opt, &state.params);
        let grad_norm = global_norm(&gradient);
        self.more.iter().for_each(|(name, scalar)| metrics.push(name, scalar(&state.step)));
        metrics.push("grad_norm", grad_norm.clone());
        let params = with_variables(apply_updates(&state.params, &updates), &left);
        if !self.guarded {
            let always = Array::scalar(true);
            return (
                self.advance(state, (params, opt), &grad_norm, &always),
                StepReport { metrics, ..StepReport::default() },
            );
        }
        let loss = metrics.get("loss").cloned().unwrap_or_else(|| Array::scalar(0.0f32));
        let finite = loss.isfinite() & grad_norm.isfinite();
        let taken = self.takes(state, &finite, &grad_norm);
        let next = self.advance(state, (params, opt), &grad_norm, &taken);
        (next, StepReport { metrics, finite: Some(finite), taken: Some(taken) })
    }

    fn evaluate(&self, state: &Self::State, fixed: &L::Fixed, batch: &L::Batch) -> Sums {
        self.loss.evaluate(&state.best(), fixed, batch)
    }

    /// In a parameter, in the output of a module, in the loss, or in a gradient.
    fn culprit(
        &self,
        state: &Self::State,
        fixed: &L::Fixed,
        batch: &L::Batch,
        key: &Key,
    ) -> Result<Option<String>> {
        let bad =
            |x: &Array| -> Result<bool> { Ok(x.dtype().is_float() && !x.isfinite().all(..).item::<bool>()?) };
        let leaves = state.params.leaves_with_paths().into_iter().chain(fixed.leaves_with_paths());
        for (path, x) in leaves {
            if bad(x)? {
                return Ok(Some(format!("the parameter {path}")));
            }
        }
        for (name, x) in self.loss.outputs(&state.params, fixed, batch, key) {
            if bad(&x)? {
                return Ok(Some(name));
            }
        }
        let gradient = self.loss.whole_gradient(&state.params, fixed, batch, key);
        for (path, x) in gradient.leaves_with_paths() {
            if bad(x)? {
                return Ok(Some(format!("the gradient of {path}")));
            }
        }
        Ok(None)
    }

    fn steepest(
        &self,
        state: &Self::State,
        fixed: &L::Fixed,
        batch: &L::Batch,
        key: &Key,
    ) -> Result<Option<(String, f64)>> {
        let gradient = self.loss.whole_gradient(&state.params, fixed, batch, key);
        let mut steepest: Option<(String, f64)> = None;
        for (path, x) in gradient.leaves_with_paths() {
            let x: &Array = x;
            let norm = x.astype(DType::F32).square().sum(..).sqrt().to_f64()?;
            if steepest.as_ref().is_none_or(|(_, most)| norm > *most) {
                steepest = Some((path, norm));
            }
        }
        Ok(steepest)
    }

    fn describe(&self, metrics: &[(String, f64)]) -> Option<String> {
        self.loss.describe(metrics)
    }

    fn description(&self) -> Value {
        self.loss.description()
    }
}

/// The captured outputs of modules, each with its name in an error.
pub(crate) fn captured(outputs: &State, paths: Vec<String>) -> Vec<(String, Array)> {
    let each = paths.into_iter().filter_map(|path| Some((outputs.array(&path)?, path)));
    each.map(|(x, path)| (format!("what {path} gives"), x)).collect()
}
