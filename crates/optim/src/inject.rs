use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Tree, fail};

use crate::moments::{Count, increment, plus_one, start};
use crate::schedules::Kind;
use crate::{GradientTransformation, Leaves, Schedule, tree};

/// The present values of hyper-parameters, for the function that [`inject_hyperparams`] makes a transformation with.
#[derive(Clone, Debug)]
pub struct Hyperparams(BTreeMap<String, Array>);

impl Hyperparams {
    /// The value of this name, as a schedule that does not change. Panics if there is none.
    #[track_caller]
    pub fn get(&self, name: &str) -> Schedule {
        match self.0.get(name) {
            Some(value) => value.into(),
            None => {
                let known: Vec<&String> = self.0.keys().collect();
                let error =
                    Error::program(format!("no hyper-parameter is named {name:?}, there are {known:?}"));
                fail(error.op("inject_hyperparams").help("list it in the first argument"))
            }
        }
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    hyperparams: BTreeMap<String, Array>,
    hyperparams_states: BTreeMap<String, Count>,
    inner_state: Leaves,
}

/// The transformation that `make` gives for hyper-parameters that stand in the state as arrays, where they are seen, logged, and changed
/// without compiling anew: by [`tree::set`], or by a schedule.
///
/// A number stays what the state says. A [`Schedule`] is computed at each update, from a count of its own, and then shown in the state.
/// Values have the widest dtype of the parameters. What takes a `Schedule` takes a value: learning rates, weight decays, the decays of
/// [`crate::transforms::trace`] and [`crate::transforms::scale_by_adam_with`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, Mask, Schedule, adamw, tree};
/// use jarrah_optim::schedules::linear;
/// use jarrah_optim::transforms::inject_hyperparams;
/// let hyperparams = [("learning_rate", linear(0.1, 0.0, 10)), ("weight_decay", Schedule::from(0.01))];
/// let optimizer = inject_hyperparams(hyperparams, |h| {
///     adamw(h.get("learning_rate"), Adam::default(), h.get("weight_decay"), Mask::all())
/// });
/// let p = Array::scalar(1.0);
/// let (_, state) = optimizer.update(&p, &optimizer.init(&p), &p);
/// let (_, state) = optimizer.update(&p, &state, &p);
/// assert!((tree::get(&state, "learning_rate").item::<f32>()? - 0.09).abs() < 1e-6);
/// let state = tree::set(&state, "weight_decay", &Array::scalar(0.1));
/// # let _ = state;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// The state has `count`, `hyperparams`, `hyperparams_states` with the counts of schedules, and `inner_state`.
pub fn inject_hyperparams<'a>(
    hyperparams: impl IntoIterator<Item = (&'a str, Schedule)>,
    make: impl Fn(&Hyperparams) -> GradientTransformation + Clone + Send + Sync + 'static,
) -> GradientTransformation {
    let all: BTreeMap<String, Schedule> =
        hyperparams.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let counted = |value: &Schedule| matches!(value.kind(), Kind::Function(_));
    let (given, first) = (all.clone(), make.clone());
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, true);
        let zero = start().count;
        let values: BTreeMap<String, Array> =
            given.iter().map(|(name, value)| (name.clone(), value_in(value, &zero, dtype))).collect();
        let schedules = given.iter().filter(|(_, value)| counted(value));
        State {
            count: start().count,
            inner_state: first(&Hyperparams(values.clone())).start(params),
            hyperparams: values,
            hyperparams_states: schedules.map(|(name, _)| (name.clone(), start())).collect(),
        }
    };
    GradientTransformation::with_extra("inject_hyperparams", init, move |updates, state, params, extra| {
        let dtype = tree::dtype(params, true);
        let mut hyperparams = state.hyperparams.clone();
        for (name, step) in &state.hyperparams_states {
            hyperparams.insert(name.clone(), value_in(&all[name], &step.count, dtype));
        }
        let inner = make(&Hyperparams(hyperparams.clone()));
        let (updates, inner_state) = inner.step(updates, &state.inner_state, params, extra)?;
        let hyperparams_states =
            state.hyperparams_states.iter().map(|(name, step)| (name.clone(), increment(step)));
        let state = State {
            count: plus_one(&state.count),
            hyperparams,
            hyperparams_states: hyperparams_states.collect(),
            inner_state,
        };
        Ok((updates, state))
    })
}

fn value_in(value: &Schedule, count: &Array, dtype: jarrah_array::DType) -> Array {
    match value.value() {
        Some(number) => Array::full(&[], number, dtype),
        None => value.at(count).astype(dtype),
    }
}
