//! What a run makes small.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, autocast, value_and_grad_with_aux};
use jarrah_base::{Literal, Result};
use jarrah_data::Batch;
use jarrah_models::{Decoder, Layers, later};
use jarrah_nn::{
    Capacity, Context, Module, State, Tokens, load_balance_loss, softmax_cross_entropy_with_integer_labels,
    update,
};
use jarrah_optim::{Accumulate, Leaves, microbatch, scaled_value_and_grad_with_aux};
use jarrah_tree::TreeExt;

use super::plan::Plan;
use crate::recipe::{LossKeys, Precision, Recipe};

/// A batch on the device.
#[derive(Clone, Debug, Tree)]
pub struct Feed {
    /// `i32[batch, length]`.
    pub inputs: Array,
    /// `i32[batch, length]`.
    pub targets: Array,
    /// What counts, `f32[batch, length]`; all, if there is nothing.
    pub weights: Option<Array>,
    /// The example of each input, `i32[batch, length]`; all are of one, if there is nothing.
    pub segments: Option<Array>,
}

impl Feed {
    /// The arrays of a batch.
    pub fn of(batch: Batch) -> Self {
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

    /// What counts of the targets that are so many places behind the next, `f32[batch, length]`: what is there, counts, and is of the same example.
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

    /// The same, and those of the modules that predict further tokens.
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

/// The loss of a run, and how it is computed.
#[derive(Clone)]
pub struct Objective {
    shapes: Decoder,
    precision: Precision,
    layers: Layers,
    keys: LossKeys,
    /// The experts of each token, in the layers that have some.
    active: Vec<usize>,
    /// What experts take in training.
    capacity: Option<Capacity>,
    parts: usize,
    dropout: bool,
}

impl Objective {
    /// That of a recipe.
    pub fn new(recipe: &Recipe, plan: &Plan) -> Self {
        let experts = plan.config.layers.iter().filter_map(|layer| layer.mlp.experts());
        let active = experts.map(|experts| experts.routing.active);
        Objective {
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

    /// The sum of the cross-entropies that count, in nats, and what is added for the sake of training, in sums over targets too.
    ///
    /// * `further`: the factor on the cross-entropies of further tokens
    fn sums(&self, model: &Decoder, feed: &Feed, further: &Array, key: &Key) -> (Array, Array) {
        let mut cx = Context::train(key).with(self.layers.clone());
        if let Some(capacity) = self.capacity {
            cx = cx.with(capacity);
        }
        let balance = self.keys.balance > 0.0 && !self.active.is_empty();
        if balance {
            cx = cx.capturing("**.router");
        }
        let (logits, later_logits) = feed.all_logits(model, &mut cx);
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
            more += self.imbalance(&cx) * self.keys.balance * feed.count();
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

    /// The mean cross-entropy of a batch, and the gradient of all that is made small, by the leaves that are trained.
    pub fn value_and_grad(
        &self,
        (trained, frozen): (&State, &State),
        feed: &Feed,
        key: &Key,
        opt: &Leaves,
    ) -> (Array, State) {
        let count = feed.count().maximum(1.0);
        let modules = 1..self.shapes.mtp.len() + 1;
        let counted = modules.map(|places| feed.counted_later(places).sum(..));
        let counted = counted.fold(Array::scalar(0.0f32), |sum, x| sum + x).maximum(1.0);
        // Further tokens have a mean of their own.
        let further = &count * self.keys.mtp / counted;
        let part = |(feed, rows): &(Feed, Array)| {
            // Without dropout keys are not computed.
            let key = if self.dropout { key.fold_in_array(&rows.index(0)) } else { key.clone() };
            let loss = |trained: &State| {
                let (entropy, more) = self.sums(&self.model(trained, frozen), feed, &further, &key);
                ((&entropy + more) / &count, entropy / &count)
            };
            let ((_, entropy), gradient) = match (self.precision, self.precision.narrow()) {
                (Precision::F16, _) => {
                    scaled_value_and_grad_with_aux(autocast(DType::F16, loss), opt)(trained)
                }
                (_, Some(narrow)) => value_and_grad_with_aux(autocast(narrow, loss))(trained),
                (_, None) => value_and_grad_with_aux(loss)(trained),
            };
            (entropy, gradient)
        };
        let rows = feed.inputs.shape()[0];
        let batch = (feed.clone(), Array::arange(rows));
        match self.parts {
            1 => part(&batch),
            parts => microbatch(part, rows / parts, Accumulate::Sum)(&batch),
        }
    }

    /// The sum of the cross-entropies of a batch that count, and their number.
    pub fn evaluate(&self, (trained, frozen): (&State, &State), feed: &Feed) -> (Array, Array) {
        let sum = |trained: &State| {
            let mut cx = Context::eval().with(self.layers.clone());
            summed_losses(&self.model(trained, frozen), feed, &mut cx).0
        };
        let sum = match self.precision.narrow() {
            None => sum(trained),
            Some(narrow) => autocast(narrow, sum)(trained),
        };
        (sum, feed.count())
    }

    /// Where a number that is none comes up first on this batch: in a parameter, in what a module gives, or in a gradient.
    ///
    /// # Errors
    /// The device failed.
    pub fn culprit(
        &self,
        (trained, frozen): (&State, &State),
        feed: &Feed,
        key: &Key,
    ) -> Result<Option<String>> {
        let bad =
            |x: &Array| -> Result<bool> { Ok(x.dtype().is_float() && !x.isfinite().all(..).item::<bool>()?) };
        for part in [trained, frozen] {
            for (path, x) in part.leaves_with_paths() {
                if bad(x)? {
                    return Ok(Some(format!("the parameter {path}")));
                }
            }
        }
        let model = self.model(trained, frozen);
        let names = std::cell::RefCell::new(Vec::new());
        let capture = |model: &Decoder| {
            let mut cx = Context::train(key).capturing("**");
            let (logits, _) = feed.all_logits(model, &mut cx);
            names.replace(cx.captured_paths());
            (logits, cx.captured())
        };
        let (logits, captured) = match self.precision.narrow() {
            None => capture(&model),
            Some(narrow) => autocast(narrow, capture)(&model),
        };
        for path in names.into_inner() {
            if captured.array(&path).map_or(Ok(false), |x| bad(&x))? {
                return Ok(Some(format!("what {path} gives")));
            }
        }
        if bad(&logits)? {
            return Ok(Some("the logits".to_owned()));
        }
        let plain = Objective { precision: Precision::F32, parts: 1, ..self.clone() };
        let (loss, gradient) = plain.value_and_grad((trained, frozen), feed, key, &Leaves::default());
        if bad(&loss)? {
            return Ok(Some("the cross-entropy".to_owned()));
        }
        for (path, x) in gradient.leaves_with_paths() {
            if bad(x)? {
                return Ok(Some(format!("the gradient of {path}")));
            }
        }
        Ok(None)
    }

    /// The parameter whose gradient has the largest norm on this batch, with that norm.
    ///
    /// # Errors
    /// The device failed.
    pub fn steepest(
        &self,
        (trained, frozen): (&State, &State),
        feed: &Feed,
        key: &Key,
    ) -> Result<Option<(String, f64)>> {
        let plain = Objective { precision: Precision::F32, parts: 1, ..self.clone() };
        let (_, gradient) = plain.value_and_grad((trained, frozen), feed, key, &Leaves::default());
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
