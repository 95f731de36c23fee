//! Records of updates in the state, without a change of the updates.

use std::collections::BTreeMap;

use jarrah_array::{Array, Tree, eval_shape, fail};

use crate::moments::{moment, plus_one, start, unbiased};
use crate::{Extra, GradientTransformation, Leaves, chain, tree};

#[derive(Clone, Tree)]
struct Snapshot {
    measurement: BTreeMap<String, Leaves>,
}

/// `f` of the updates in the state, as `measurement.name`; before the first update, `f` of the parameters.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// use jarrah_optim::transforms::{global_norm, snapshot};
/// let t = snapshot("norm", global_norm);
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(tree::get(&state, "norm").item::<f32>()?, 5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn snapshot<T: Tree<Array>>(
    name: &str,
    f: impl Fn(&Leaves) -> T + Send + Sync + 'static,
) -> GradientTransformation {
    let name = name.to_owned();
    let take = move |x: &Leaves| Snapshot { measurement: [(name.clone(), Leaves::of(&f(x)))].into() };
    let first = std::sync::Arc::new(take);
    let take = first.clone();
    GradientTransformation::new(
        "snapshot",
        move |p: &Leaves| first(p),
        move |updates, _, _| (updates.clone(), take(updates)),
    )
}

/// A measurement for [`monitor`], which records it: `f` of the updates, at each step.
pub fn measure<T: Tree<Array>>(f: impl Fn(&Leaves) -> T + Send + Sync + 'static) -> GradientTransformation {
    GradientTransformation::stateless("measure", move |updates, _| Leaves::of(&f(updates)))
}

#[derive(Clone, Tree)]
struct Averaged {
    count: Array,
    ema: Leaves,
}

/// A measurement for [`monitor`], which records it: the moving average of `f` of the updates, with its bias corrected if
/// `debias`.
pub fn measure_with_ema<T: Tree<Array>>(
    f: impl Fn(&Leaves) -> T + Send + Sync + 'static,
    decay: f64,
    debias: bool,
) -> GradientTransformation {
    let f = std::sync::Arc::new(f);
    let first = f.clone();
    let average = GradientTransformation::new(
        "measure_with_ema",
        move |params: &Leaves| {
            let shape = eval_shape(|params: &Leaves| first(params), params);
            let zeros = Leaves::of(&shape).map(|x| Array::zeros_of(x.ty()));
            Averaged { count: start().count, ema: zeros }
        },
        move |updates, state, _| {
            let ema = moment(updates, &state.ema, decay);
            let count = plus_one(&state.count);
            let shown = if debias { unbiased(&ema, decay, &count) } else { ema.clone() };
            (shown, Averaged { count, ema })
        },
    );
    chain([measure(move |updates: &Leaves| f(updates)), average])
}

#[derive(Clone, Tree)]
struct Monitored {
    measurements: BTreeMap<String, Leaves>,
    measure_states: Vec<Leaves>,
}

/// Records of the updates by name, each made by [`measure`], [`measure_with_ema`], or a transformation, whose updates are recorded.
///
/// The state has `measurements.name`, zeros before the first update, and `measure_states`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// use jarrah_optim::transforms::{global_norm, measure, measure_with_ema, monitor};
/// let t = monitor([("norm", measure(global_norm)), ("smooth", measure_with_ema(global_norm, 0.9, true))]);
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(tree::get(&state, "norm").item::<f32>()?, 5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn monitor<'a>(
    measures: impl IntoIterator<Item = (&'a str, GradientTransformation)>,
) -> GradientTransformation {
    let all: Vec<(String, GradientTransformation)> =
        measures.into_iter().map(|(name, measure)| (name.to_owned(), measure)).collect();
    let each = all.clone();
    let init = move |params: &Leaves| {
        let mut measurements = BTreeMap::new();
        let mut measure_states = Vec::new();
        for (name, measure) in &all {
            let state = measure.start(params);
            let shape = eval_shape(
                |(params, state): &(Leaves, Leaves)| match measure.step(params, state, params, &Extra::new())
                {
                    Ok((shown, _)) => shown,
                    Err(error) => fail(error.op("monitor")),
                },
                &(params.clone(), state.clone()),
            );
            measurements.insert(name.clone(), shape.map(|x| Array::zeros_of(x.ty())));
            measure_states.push(state);
        }
        Monitored { measurements, measure_states }
    };
    GradientTransformation::with_extra("monitor", init, move |updates, state, params, extra| {
        let (mut measurements, mut measure_states) = (BTreeMap::new(), Vec::new());
        for ((name, measure), before) in each.iter().zip(&state.measure_states) {
            let (shown, after) = measure.step(updates, before, params, extra)?;
            measurements.insert(name.clone(), shown);
            measure_states.push(after);
        }
        Ok((updates.clone(), Monitored { measurements, measure_states }))
    })
}

/// `step new + (1 - step) old` of each leaf: an average of parameters (Polyak).
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::incremental_update;
/// let slow = incremental_update(&Array::scalar(4.0), &Array::scalar(0.0), 0.25);
/// assert_eq!(slow.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn incremental_update<T: Tree<Array>>(new: &T, old: &T, step_size: f64) -> T {
    tree::pairs("incremental_update", new, old, |new, old| new * step_size + old * (1.0 - step_size))
}

/// `new` where `steps` is a multiple of `period`, else `old`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::periodic_update;
/// let at = |steps: i32| periodic_update(&Array::scalar(1.0), &Array::scalar(0.0), &Array::scalar(steps), 3);
/// assert_eq!((at(2).item::<f32>()?, at(3).item::<f32>()?), (0.0, 1.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn periodic_update<T: Tree<Array>>(new: &T, old: &T, steps: &Array, period: i32) -> T {
    tree::select(&(steps % period).eq(0), new, old)
}
