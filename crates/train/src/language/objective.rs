//! The objective of a run of a language model: the cross-entropy of the next token, and the terms that a recipe adds to it.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, autocast, value_and_grad_with_aux};
use jarrah_base::{Literal, Result};
use jarrah_data::TokenBatch;
use jarrah_models::{Decoder, Layers, ModelSpec, later};
use jarrah_nn::{
    Capacity, Context, Module, State, Tokens, load_balance_loss, softmax_cross_entropy_with_integer_labels,
    update,
};
use jarrah_optim::{Accumulate, Leaves, microbatch, scaled_value_and_grad_with_aux};
use jarrah_tree::TreeExt;
use serde_json::Value;

use super::plan::Plan;
use crate::recipe::{ComputePrecision, LossKeys, Recipe};
use crate::trainer::{Loss, Metrics, Sums, captured};

/// A batch on the device.
#[derive(Clone, Debug, Tree)]
pub struct Feed {
    /// `i32[batch, length]`.
    pub inputs: Array,
    /// `i32[batch, length]`.
    pub targets: Array,
    /// The weight of each target in the loss, `f32[batch, length]`; none: each counts once.
    pub weights: Option<Array>,
    /// The example of each input, `i32[batch, length]`; none: a sequence is one example.
    pub segments: Option<Array>,
}

impl Feed {
    /// The arrays of a batch.
    pub fn of(batch: TokenBatch) -> Self {
        let array = |literal: Literal| Array::from_literal(literal);
        let marks = batch.marks.map(|marks| (array(marks.weights), array(marks.segments)));
        let (weights, segments) = marks.unzip();
        Feed { inputs: array(batch.inputs), targets: array(batch.targets), weights, segments }
    }

    /// A batch of zeros, with marks or without.
    pub fn zeros(shape: [usize; 2], marked: bool) -> Self {
        let zeros = |dtype| Array::full(&shape, 0, dtype);
        let marks = |dtype| marked.then(|| zeros(dtype));
        Feed {
            inputs: zeros(DType::I32),
            targets: zeros(DType::I32),
            weights: marks(DType::F32),
            segments: marks(DType::I32),
        }
    }

    /// The number of targets that count.
    fn count(&self) -> Array {
        match &self.weights {
            None => Array::scalar(self.targets.size() as f32),
            Some(weights) => weights.sum(..),
        }
    }

    /// The weights of the targets `places` behind the next one, `f32[batch, length]`: zero past the end of a sequence and of an example.
    fn counted_later(&self, places: usize) -> Array {
        let all = Array::ones(&self.targets.shape());
        let counted = later(self.weights.as_ref().unwrap_or(&all), places);
        match &self.segments {
            None => counted,
            Some(segments) => counted * segments.eq(later(segments, places)).astype(DType::F32),
        }
    }

    /// The sum of what counts of values of targets.
    fn sum(&self, values: Array) -> Array {
        match &self.weights {
            None => values.sum(..),
            Some(weights) => (values * weights).sum(..),
        }
    }

    /// The logits, in `f32`, as the model gives them for each example by itself.
    fn logits(&self, model: &Decoder, cx: &mut Context) -> Array {
        self.apart(cx);
        model.call(&self.inputs, cx).astype(DType::F32)
    }

    /// As [`logits`](Self::logits), with the logits of each module that predicts further tokens.
    fn all_logits(&self, model: &Decoder, cx: &mut Context) -> (Array, Vec<Array>) {
        if model.mtp.is_empty() {
            return (self.logits(model, cx), Vec::new());
        }
        self.apart(cx);
        let (logits, further) = model.call_mtp(&self.inputs, &self.targets, cx);
        (logits.astype(DType::F32), further.into_iter().map(|x| x.astype(DType::F32)).collect())
    }

    /// Keeps examples apart in a pass.
    fn apart(&self, cx: &mut Context) {
        if let Some(segments) = &self.segments {
            *cx = std::mem::take(cx).with(Tokens::packed(segments));
        }
    }
}

/// The sum of the cross-entropies of a batch that count, in nats, and their number.
pub fn summed_losses(model: &Decoder, feed: &Feed, cx: &mut Context) -> (Array, Array) {
    let losses = softmax_cross_entropy_with_integer_labels(&feed.logits(model, cx), &feed.targets);
    (feed.sum(losses), feed.count())
}

/// The cross-entropy of the next token, with the terms that a recipe adds, and how it is computed.
#[derive(Clone)]
pub struct NextToken {
    spec: ModelSpec,
    shapes: Decoder,
    precision: ComputePrecision,
    layers: Layers,
    keys: LossKeys,
    /// The experts of each token, in the layers that have some.
    active: Vec<usize>,
    /// The limit on the tokens of an expert in training.
    capacity: Option<Capacity>,
    /// The parts that a batch is cut into.
    parts: usize,
    dropout: bool,
}

/// The divisors of a batch's sums, which its parts share.
struct Scale {
    /// The number of targets that count, at least 1.
    count: Array,
    /// The factor on the cross-entropies of further tokens, which have a mean of their own.
    further: Array,
}

impl NextToken {
    /// The objective of a recipe.
    pub fn new(recipe: &Recipe, plan: &Plan) -> Self {
        let experts = plan.config.layers.iter().filter_map(|layer| layer.mlp.experts());
        let active = experts.map(|experts| experts.routing.active);
        NextToken {
            spec: plan.spec.clone(),
            shapes: plan.shapes.clone(),
            precision: recipe.precision,
            layers: Layers { remat: recipe.remat.policy(), scan: recipe.scan_layers },
            keys: recipe.loss.clone(),
            active: active.collect(),
            capacity: (recipe.capacity_factor > 0.0).then_some(Capacity { factor: recipe.capacity_factor }),
            parts: recipe.accumulate,
            dropout: recipe.model.dropout > 0.0,
        }
    }

    /// The model of these leaves.
    pub fn model(&self, trained: &State, frozen: &State) -> Decoder {
        update(&update(&self.shapes, frozen), trained)
    }

    fn scale(&self, feed: &Feed) -> Scale {
        let count = feed.count().maximum(1.0);
        let modules = 1..self.shapes.mtp.len() + 1;
        let counted = modules.map(|places| feed.counted_later(places).sum(..));
        let counted = counted.fold(Array::scalar(0.0f32), |sum, x| sum + x).maximum(1.0);
        let further = &count * self.keys.mtp / counted;
        Scale { count, further }
    }

    /// The sum of the cross-entropies that count, in nats, and the sum of the terms that are added in training, over targets too.
    ///
    /// * `further`: the factor on the cross-entropies of further tokens
    fn sums(&self, model: &Decoder, feed: &Feed, further: &Array, cx: &mut Context) -> (Array, Array) {
        *cx = std::mem::take(cx).with(self.layers.clone());
        if let Some(capacity) = self.capacity {
            *cx = std::mem::take(cx).with(capacity);
        }
        let balance = self.keys.balance > 0.0 && !self.active.is_empty();
        if balance {
            *cx = std::mem::take(cx).capturing("**.router");
        }
        let (logits, later_logits) = feed.all_logits(model, cx);
        let entropy = feed.sum(softmax_cross_entropy_with_integer_labels(&logits, &feed.targets));
        let mut more = Array::scalar(0.0f32);
        for (places, logits) in (1..).zip(&later_logits) {
            let losses = softmax_cross_entropy_with_integer_labels(logits, &later(&feed.targets, places));
            more += (losses * feed.counted_later(places)).sum(..) * further;
        }
        if self.keys.z > 0.0 {
            more += feed.sum(logits.logsumexp(-1).square()) * self.keys.z;
        }
        if balance {
            more += self.imbalance(cx) * self.keys.balance * feed.count();
        }
        (entropy, more)
    }

    /// The mean imbalance of the layers with experts.
    fn imbalance(&self, cx: &Context) -> Array {
        let active = self.active[0];
        let captured = cx.captured();
        let each = captured.leaves().into_iter().flat_map(|logits: &Array| match logits.rank() {
            // Stacked by a loop over layers.
            3 => (0..logits.shape()[0]).map(|i| logits.index(i)).collect(),
            _ => vec![logits.clone()],
        });
        let each: Vec<Array> = each.map(|logits| load_balance_loss(&logits, active)).collect();
        let count = each.len().max(1) as f64;
        each.into_iter().reduce(|a, b| a + b).map_or_else(|| Array::scalar(0.0f32), |sum| sum / count)
    }
}

impl Loss for NextToken {
    type Model = State;
    type Fixed = State;
    type Batch = Feed;

    fn begin(&self, key: &Key) -> Result<(State, State)> {
        let model = self.spec.start(key)?;
        Ok((self.spec.trained(&model), self.spec.frozen(&model)))
    }

    fn shapes(&self) -> Result<(State, State)> {
        Ok((self.spec.trained(&self.shapes), self.spec.frozen(&self.shapes)))
    }

    fn fixed(&self, key: &Key) -> Result<State> {
        match self.spec.lora {
            // A run that trains all of its parameters needs no others.
            None => Ok(State::default()),
            Some(_) => Ok(self.begin(key)?.1),
        }
    }

    fn loss(&self, trained: &State, frozen: &State, feed: &Feed, cx: &mut Context) -> (Array, Metrics) {
        let Scale { count, further } = self.scale(feed);
        let (entropy, more) = self.sums(&self.model(trained, frozen), feed, &further, cx);
        ((&entropy + more) / &count, Metrics::from([("entropy", entropy / &count)]))
    }

    /// The mean cross-entropy of a batch, and the gradient of all that is made small.
    fn value_and_grad(
        &self,
        trained: &State,
        frozen: &State,
        feed: &Feed,
        key: &Key,
        opt: &Leaves,
    ) -> (Metrics, State, State) {
        let Scale { count, further } = self.scale(feed);
        let part = |(feed, rows): &(Feed, Array)| {
            // Without dropout keys are not computed.
            let key = if self.dropout { key.fold_in_array(&rows.index(0)) } else { key.clone() };
            let loss = |trained: &State| {
                let mut cx = Context::train(&key);
                let (entropy, more) = self.sums(&self.model(trained, frozen), feed, &further, &mut cx);
                ((&entropy + more) / &count, entropy / &count)
            };
            let ((_, entropy), gradient) = match (self.precision, self.precision.narrow()) {
                (ComputePrecision::F16, _) => {
                    scaled_value_and_grad_with_aux(autocast(DType::F16, loss), opt)(trained)
                }
                (_, Some(narrow)) => value_and_grad_with_aux(autocast(narrow, loss))(trained),
                (_, None) => value_and_grad_with_aux(loss)(trained),
            };
            (entropy, gradient)
        };
        let rows = feed.inputs.shape()[0];
        let batch = (feed.clone(), Array::arange(rows));
        let (entropy, gradient) = match self.parts {
            1 => part(&batch),
            parts => microbatch(part, rows / parts, Accumulate::Sum)(&batch),
        };
        // Decoders have no running statistics.
        (Metrics::from([("loss", entropy)]), gradient, State::default())
    }

    /// The sum of the cross-entropies that count, and their number.
    fn evaluate(&self, trained: &State, frozen: &State, feed: &Feed) -> Sums {
        let sum = |trained: &State| {
            let mut cx = Context::eval().with(self.layers.clone());
            summed_losses(&self.model(trained, frozen), feed, &mut cx).0
        };
        let sum = match self.precision.narrow() {
            None => sum(trained),
            Some(narrow) => autocast(narrow, sum)(trained),
        };
        Sums { metrics: Metrics::from([("loss", sum)]), count: feed.count() }
    }

    fn outputs(&self, trained: &State, frozen: &State, feed: &Feed, key: &Key) -> Vec<(String, Array)> {
        let model = self.model(trained, frozen);
        let names = std::cell::RefCell::new(Vec::new());
        let capture = |model: &Decoder| {
            let mut cx = Context::train(key).capturing("**");
            let (logits, _) = feed.all_logits(model, &mut cx);
            let entropy = feed.sum(softmax_cross_entropy_with_integer_labels(&logits, &feed.targets));
            names.replace(cx.captured_paths());
            (logits, entropy, cx.captured())
        };
        let (logits, entropy, outputs) = match self.precision.narrow() {
            None => capture(&model),
            Some(narrow) => autocast(narrow, capture)(&model),
        };
        let mut outputs = captured(&outputs, names.into_inner());
        outputs.push(("the logits".to_owned(), logits));
        outputs.push(("the cross-entropy".to_owned(), entropy));
        outputs
    }

    /// In `f32`, and of the whole batch.
    fn whole_gradient(&self, trained: &State, frozen: &State, feed: &Feed, key: &Key) -> State {
        let plain = NextToken { precision: ComputePrecision::F32, parts: 1, ..self.clone() };
        plain.value_and_grad(trained, frozen, feed, key, &Leaves::default()).1
    }

    fn describe(&self, metrics: &[(String, f64)]) -> Option<String> {
        Some(format!("perplexity {:.1}", metrics.first()?.1.exp()))
    }

    fn description(&self) -> Value {
        serde_json::to_value(&self.spec).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn targets_further_on_count_in_their_example() {
        let array = |values: &[i32]| Array::new(values, &[1, 5]);
        let mut feed = Feed::zeros([1, 5], true);
        feed.weights = Some(array(&[1, 1, 0, 1, 1]).astype(DType::F32));
        feed.segments = Some(array(&[1, 1, 1, 2, 2]));
        let counted = |places: usize| feed.counted_later(places).to_vec::<f32>().unwrap();
        assert_eq!(counted(1), [1.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(counted(2), [0.0; 5]);
        let plain = Feed::zeros([1, 5], false);
        assert_eq!(plain.counted_later(2).to_vec::<f32>().unwrap(), [1.0, 1.0, 1.0, 0.0, 0.0]);
    }
}
