use jarrah_array::random::Key;
use jarrah_array::{Array, Jit, Tree, eval_shape, jit, where_};
use jarrah_base::Result;
use jarrah_data::Batch;
use jarrah_models::{Decoder, averaged};
use jarrah_nn::State as Parts;
use jarrah_optim::{GradientTransformation, apply_updates, global_norm};
use jarrah_runtime::{CompiledMemory, Event};
use jarrah_tree::TreeExt;

use super::objective::{Feed, Objective};
use super::optimizer::{optimizer, schedule};
use super::plan::Plan;
use super::state::State;
use crate::recipe::{Precision, Recipe, Task};

/// Steps before a gradient is compared with what is usual, and the decay of that.
const USUAL_AFTER: i32 = 10;
const USUAL_DECAY: f64 = 0.9;

/// The measurements of a step.
#[derive(Clone, Tree)]
pub struct Measured {
    /// The mean cross-entropy of the batch, before the update.
    pub loss: Array,
    /// The norm of the gradient, before clipping.
    pub grad_norm: Array,
    /// The learning rate.
    pub lr: Array,
    /// Whether loss and gradient are numbers; where the loss scale leaves out steps, true.
    pub finite: Array,
    /// Whether the step changed the weights.
    pub taken: Array,
}

type Function<A, R> = Jit<A, R, Box<dyn Fn(&A) -> R>>;

/// The compiled functions of a run.
pub struct Programs {
    optimizer: GradientTransformation,
    objective: Objective,
    /// Whether the state has an average of the weights, and the usual norm of gradients.
    options: Options,
    frozen: Parts,
    step: Function<(State, Parts, Feed, Key), (State, Measured)>,
    evaluate: Function<(Parts, Parts, Feed), (Array, Array)>,
}

#[derive(Clone, Copy)]
struct Options {
    ema: f64,
    spike: f64,
}

impl Options {
    fn begin(self, params: Parts, optimizer: &GradientTransformation) -> State {
        let opt = optimizer.init(&params);
        let norm = (self.spike > 0.0).then(|| Array::scalar(0.0f32));
        // Not the parameters' own memory, which a step overwrites.
        let ema =
            (self.ema > 0.0).then(|| params.map_leaves(|x: &Array| (x + 0).astype(averaged(x.dtype()))));
        State { params, opt, ema, norm, skipped: Array::scalar(0i32), step: Array::scalar(0i32) }
    }

    /// What a step makes of `state`, given what the optimizer makes of it.
    fn advance(self, state: &State, next: State, measured: &Measured, guarded: bool) -> State {
        let State { params, opt, norm, ema, .. } = next;
        let norm = norm.map(|usual| {
            let seen = &usual * USUAL_DECAY + &measured.grad_norm * (1.0 - USUAL_DECAY);
            where_(&usual.eq(0), &measured.grad_norm, seen)
        });
        let ema = ema.map(|average| {
            let mixed = average
                .leaves()
                .into_iter()
                .zip(params.leaves())
                .map(|(a, p): (&Array, &Array)| a * self.ema + p.astype(a.dtype()) * (1.0 - self.ema));
            average.with_leaves(mixed).expect("invariant: the average has a place for each parameter")
        });
        let step = &state.step + 1;
        let taken = State { params, opt, norm, ema, skipped: state.skipped.clone(), step: step.clone() };
        if !guarded {
            return taken;
        }
        let left_out = State { skipped: &state.skipped + 1, step, ..state.clone() };
        let each = taken.leaves().into_iter().zip(left_out.leaves());
        let chosen = each.map(|(new, old): (&Array, &Array)| where_(&measured.taken, new, old));
        taken.with_leaves(chosen).expect("invariant: there is a choice for each leaf")
    }

    /// Whether a step is taken: its loss and gradient are numbers, and the norm is none that is far from usual.
    fn takes(self, state: &State, finite: &Array, norm: &Array) -> Array {
        match &state.norm {
            None => finite.clone(),
            Some(usual) => {
                let early = (&state.step - &state.skipped).lt(USUAL_AFTER);
                finite & (early | norm.le(usual * self.spike))
            }
        }
    }
}

impl Programs {
    /// The functions for a recipe and its model; each is compiled at its first call.
    pub fn new(recipe: &Recipe, plan: &Plan) -> Self {
        let (optimizer, objective) = (optimizer(recipe), Objective::new(recipe, plan));
        let options = Options { ema: recipe.ema, spike: recipe.guard.spike };
        // The loss scale leaves out steps by itself.
        let guarded = recipe.precision != Precision::F16;
        let (update, rate, of) = (optimizer.clone(), schedule(recipe), objective.clone());
        let step = move |(state, frozen, feed, key): &(State, Parts, Feed, Key)| {
            let key = key.fold_in_array(&state.step);
            let (loss, gradient) = of.value_and_grad((&state.params, frozen), feed, &key, &state.opt);
            let (updates, opt) = update.update(&gradient, &state.opt, &state.params);
            let grad_norm = global_norm(&gradient);
            let finite = match guarded {
                true => loss.isfinite() & grad_norm.isfinite(),
                false => Array::scalar(true),
            };
            let taken = options.takes(state, &finite, &grad_norm);
            let measured = Measured { loss, grad_norm, lr: rate.at(&state.step), finite, taken };
            let next = State { params: apply_updates(&state.params, &updates), opt, ..state.clone() };
            (options.advance(state, next, &measured, guarded), measured)
        };
        let of = objective.clone();
        let evaluate =
            move |(params, frozen, feed): &(Parts, Parts, Feed)| of.evaluate((params, frozen), feed);
        let mut step = jit(Box::new(step) as Box<dyn Fn(&_) -> _>).donate(0);
        if let Some(limit) = recipe.memory_limit {
            step = step.memory_limit(&limit.to_string());
        }
        Programs {
            optimizer,
            objective,
            options,
            frozen: Parts::default(),
            step,
            evaluate: jit(Box::new(evaluate) as Box<dyn Fn(&_) -> _>),
        }
    }

    /// The key of the steps and the state before the first one, both from the recipe's seed. Where a checkpoint has the numbers, they are not
    /// made if the run trains all of them.
    ///
    /// # Errors
    /// The model cannot be read, or the device failed.
    pub fn initial(&mut self, recipe: &Recipe, plan: &Plan, known: bool) -> Result<(Key, State)> {
        let (weights, dropout) = Key::new(recipe.seed).pair();
        if known && plan.spec.lora.is_none() {
            return Ok((dropout, self.shapes(plan)));
        }
        let model = plan.spec.start(&weights)?;
        self.frozen = plan.spec.frozen(&model);
        let (optimizer, options) = (self.optimizer.clone(), self.options);
        let make = jit(move |params: &Parts| options.begin(params.clone(), &optimizer));
        Ok((dropout, make.call(plan.spec.trained(&model))?))
    }

    /// What a state is like, without numbers.
    pub fn shapes(&self, plan: &Plan) -> State {
        let begin = |params: &Parts| self.options.begin(params.clone(), &self.optimizer);
        eval_shape(begin, &plan.spec.trained(&plan.shapes))
    }

    /// Compiles the training step and the evaluation before there is a state, and tells the memory that a step needs.
    ///
    /// # Errors
    /// One of them does not fit.
    pub fn compile(&self, recipe: &Recipe, plan: &Plan) -> Result<CompiledMemory> {
        let feed =
            |key: &Key| (Feed::zeros([recipe.batch, plan.context], recipe.task == Task::Sft), key.clone());
        let (feed, key) = eval_shape(feed, &Key::new(0));
        let (state, frozen) = (self.shapes(plan), plan.spec.frozen(&plan.shapes));
        self.evaluate.lower(&(state.params.clone(), frozen.clone(), feed.clone())).compile()?;
        Ok(self.step.lower(&(state, frozen, feed, key)).compile()?.memory_analysis())
    }

    /// Runs one step and returns the new state; `state` is overwritten.
    ///
    /// # Errors
    /// The device failed.
    pub fn step(&self, state: State, feed: Feed, key: &Key) -> Result<(State, Measured)> {
        self.step.call((state, self.frozen.clone(), feed, key.clone()))
    }

    /// The mean cross-entropy over the batches; none if `goes_on` ends it, which is asked to wait for each batch, of which so many are done.
    ///
    /// # Errors
    /// The device failed.
    pub fn evaluate(
        &self,
        params: &Parts,
        batches: &[Batch],
        mut goes_on: impl FnMut(usize, &Event) -> Result<bool>,
    ) -> Result<Option<f64>> {
        let (mut sum, mut count) = (0.0, 0.0);
        for (done, batch) in batches.iter().enumerate() {
            let of_batch = (params.clone(), self.frozen.clone(), Feed::of(batch.clone()));
            let (losses, counted) = self.evaluate.call(of_batch)?;
            if !goes_on(done, &losses.to_buffer()?.ready())? {
                return Ok(None);
            }
            sum += losses.to_f64()?;
            count += counted.to_f64()?;
        }
        Ok(Some(sum / f64::max(count, 1.0)))
    }

    /// The model of a state.
    pub fn model(&self, params: &Parts) -> Decoder {
        self.objective.model(params, &self.frozen)
    }

    /// Where the step after `state` meets the first number that is none.
    ///
    /// # Errors
    /// The device failed.
    pub fn culprit(&self, state: &State, feed: &Feed, key: &Key, step: u64) -> Result<Option<String>> {
        let key = key.fold_in(step as u32);
        self.objective.culprit((&state.params, &self.frozen), feed, &key)
    }

    /// The parameter whose gradient in the step after `state` has the largest norm, with that norm.
    ///
    /// # Errors
    /// The device failed.
    pub fn steepest(
        &self,
        state: &State,
        feed: &Feed,
        key: &Key,
        step: u64,
    ) -> Result<Option<(String, f64)>> {
        let key = key.fold_in(step as u32);
        self.objective.steepest((&state.params, &self.frozen), feed, &key)
    }
}
