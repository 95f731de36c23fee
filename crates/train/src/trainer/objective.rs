//! Objectives: the computation of a step of training.

use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, eval_shape, fail, library};
use jarrah_base::{Error, Location, Result};
use serde_json::Value;

use crate::metrics::{Recorder, unfit};

/// Named scalars, in an order.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_train::Metrics;
/// let metrics = Metrics::from([("loss", Array::scalar(2.0)), ("accuracy", Array::scalar(0.5))]);
/// assert_eq!(metrics.read()?, [("loss".to_owned(), 2.0), ("accuracy".to_owned(), 0.5)]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, Default, Tree)]
pub struct Metrics {
    #[tree(static)]
    names: Vec<String>,
    values: Vec<Array>,
}

impl Metrics {
    /// Adds a scalar behind the others.
    pub fn push(&mut self, name: &str, value: Array) {
        self.names.push(name.to_owned());
        self.values.push(value);
    }

    /// These scalars behind another one.
    #[must_use]
    pub fn behind(mut self, name: &str, value: Array) -> Self {
        self.names.insert(0, name.to_owned());
        self.values.insert(0, value);
        self
    }

    /// The scalar of this name.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.names.iter().position(|own| own == name).map(|i| &self.values[i])
    }

    /// Whether there is no scalar.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Ends a trace whose objective returned metrics that cannot be recorded: the name is taken, or the value is not one number. Errors
    /// are at the line where the value was made.
    pub(super) fn check(&self) {
        // A recorder adds the time of a record.
        let names: Vec<&str> =
            [Recorder::TIME].into_iter().chain(self.names.iter().map(String::as_str)).collect();
        for (i, (name, value)) in self.names.iter().zip(&self.values).enumerate() {
            let problem = match unfit(&names[..i + 2]) {
                Some(problem) => Error::program(problem).help("give it another name"),
                None if value.size() != 1 => {
                    let error =
                        Error::program(format!("the metric `{name}` is {}, not one number", value.ty()));
                    error.help("take a mean or a sum, as `.mean(..)`")
                }
                None => continue,
            };
            library::fail_at(library::made_at(value).unwrap_or_else(Location::caller), problem);
        }
    }

    /// The numbers, read from the device.
    ///
    /// # Errors
    /// A value is no scalar, or the device failed.
    pub fn read(&self) -> Result<Vec<(String, f64)>> {
        let each = self.names.iter().zip(&self.values);
        each.map(|(name, value)| Ok((name.clone(), value.to_f64().map_err(|e| e.context(name.clone()))?)))
            .collect()
    }
}

impl<const N: usize> From<[(&str, Array); N]> for Metrics {
    fn from(all: [(&str, Array); N]) -> Self {
        let mut metrics = Metrics::default();
        all.into_iter().for_each(|(name, value)| metrics.push(name, value));
        metrics
    }
}

/// The measurements of a step.
#[derive(Clone, Debug, Default, Tree)]
pub struct StepReport {
    /// The metrics that are recorded. A run ends where the one called `loss` is not a number, if [`on_nan`](super::TrainerOptions::on_nan) says so.
    pub metrics: Metrics,
    /// Whether loss and gradient are numbers, a `bool` scalar; none where the objective looks after that itself.
    pub finite: Option<Array>,
    /// Whether the step changed the parameters, a `bool` scalar; none where each does.
    pub taken: Option<Array>,
}

impl StepReport {
    /// The loss of the step, if there is one among the metrics.
    pub(super) fn loss(&self) -> Result<Option<f64>> {
        self.metrics.get("loss").map(|loss| loss.to_f64()).transpose()
    }
}

/// The measurements of an evaluation of one batch: of several, each metric is `sum(metrics) / sum(count)`.
#[derive(Clone, Debug, Tree)]
pub struct Sums {
    /// For each metric the sum over the examples that count.
    pub metrics: Metrics,
    /// The number of examples that count.
    pub count: Array,
}

/// The computation of a step of training, whatever it is: supervised learning, preferences, distillation, an adversary.
///
/// Most objectives make one loss small: implement [`Loss`](super::Loss) and wrap it in [`Minimize`](super::Minimize), which has the optimizer, the
/// average of parameters and the guard against gradients that are no numbers. Implement this trait where a step is something else, with several
/// models or optimizers in [`State`](Self::State).
///
/// [`step`](Self::step) and [`evaluate`](Self::evaluate) are traced and compiled once; the rest runs as it is.
pub trait Objective: 'static {
    /// The arrays that a step changes. Checkpoints hold all of them, by their paths.
    type State: Tree<Array> + Clone + 'static;
    /// The arrays that steps read and none changes, such as a frozen teacher. Checkpoints do not hold them. `()` if there are none.
    type Fixed: Tree<Array> + Clone + 'static;
    /// The arrays of a batch.
    type Batch: Tree<Array> + Clone + 'static;

    /// The state before the first step and the fixed arrays, with random numbers from `key`.
    ///
    /// # Errors
    /// They cannot be made, as where a file is missing.
    fn begin(&self, key: &Key) -> Result<(Self::State, Self::Fixed)>;

    /// The shapes and dtypes of what [`begin`](Self::begin) makes, as abstract arrays. As it stands here `begin` is traced, so an objective whose
    /// `begin` reads files says them itself.
    ///
    /// # Errors
    /// `begin` failed.
    fn shapes(&self) -> Result<(Self::State, Self::Fixed)> {
        shapes_of(|key| self.begin(key))
    }

    /// The fixed arrays of a run whose state comes from a checkpoint.
    ///
    /// # Errors
    /// They cannot be made.
    fn fixed(&self, key: &Key) -> Result<Self::Fixed> {
        Ok(self.begin(key)?.1)
    }

    /// The state after a step, and its measurements. `key` is another one at each step.
    fn step(
        &self,
        state: &Self::State,
        fixed: &Self::Fixed,
        batch: &Self::Batch,
        key: &Key,
    ) -> (Self::State, StepReport);

    /// The measurements of a state on a batch that is held out.
    fn evaluate(&self, state: &Self::State, fixed: &Self::Fixed, batch: &Self::Batch) -> Sums;

    /// The first place where the step after `state` meets a number that is none, in the words of an error: `the parameter out.weight`.
    ///
    /// # Errors
    /// The device failed.
    fn culprit(
        &self,
        _state: &Self::State,
        _fixed: &Self::Fixed,
        _batch: &Self::Batch,
        _key: &Key,
    ) -> Result<Option<String>> {
        Ok(None)
    }

    /// The path of the parameter whose gradient in the step after `state` has the largest norm, and that norm.
    ///
    /// # Errors
    /// The device failed.
    fn steepest(
        &self,
        _state: &Self::State,
        _fixed: &Self::Fixed,
        _batch: &Self::Batch,
        _key: &Key,
    ) -> Result<Option<(String, f64)>> {
        Ok(None)
    }

    /// More to show of the metrics of an evaluation, such as the perplexity of a loss.
    fn describe(&self, _metrics: &[(String, f64)]) -> Option<String> {
        None
    }

    /// The description of the model that checkpoints hold; for a language model its `ModelSpec`.
    fn description(&self) -> Value {
        Value::Null
    }
}

/// The shapes and dtypes of the trees that `begin` makes.
pub(super) fn shapes_of<S: Tree<Array>, F: Tree<Array>>(
    begin: impl Fn(&Key) -> Result<(S, F)>,
) -> Result<(S, F)> {
    jarrah_array::try_trace(|| {
        eval_shape(|key: &Key| begin(key).unwrap_or_else(|e: Error| fail(e)), &Key::new(0))
    })
}
