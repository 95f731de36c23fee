use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Result, Tree, fail};

use crate::transforms::{masked, set_to_zero};
use crate::{Extra, GradientTransformation, Leaves, Mask};

/// Applies transformations in order, each to the updates of the one before. The state of transformation `i` is named
/// `i`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::chain;
/// use jarrah_optim::transforms::scale;
/// let twice = chain([scale(2.0), scale(-1.0)]);
/// let p = Array::scalar(1.0);
/// assert_eq!(twice.update(&p, &twice.init(&p), &p).0.item::<f32>()?, -2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn chain(transformations: impl IntoIterator<Item = GradientTransformation>) -> GradientTransformation {
    let all: Vec<GradientTransformation> = transformations.into_iter().collect();
    let each = all.clone();
    GradientTransformation::with_extra(
        "chain",
        move |params: &Leaves| all.iter().map(|t| t.start(params)).collect::<Vec<Leaves>>(),
        move |updates, states, params, extra| in_order(&each, updates, states, params, extra),
    )
}

fn in_order<'a>(
    transformations: impl IntoIterator<Item = &'a GradientTransformation>,
    updates: &Leaves,
    states: impl IntoIterator<Item = &'a Leaves>,
    params: &Leaves,
    extra: &Extra<'_>,
) -> Result<(Leaves, Vec<Leaves>)> {
    let (mut updates, mut after) = (updates.clone(), Vec::new());
    for (transformation, state) in transformations.into_iter().zip(states) {
        let (next, state) = transformation.step(&updates, state, params, extra)?;
        updates = next;
        after.push(state);
    }
    Ok((updates, after))
}

/// As [`chain`], of transformations with names of their own, which are the names of their states.
///
/// ```
/// use jarrah_array::{Array, TreeExt};
/// use jarrah_optim::Adam;
/// use jarrah_optim::transforms::{named_chain, scale, scale_by_adam};
/// let t = named_chain([("adam", scale_by_adam(Adam::default())), ("rate", scale(-0.1))]);
/// let state = t.init(&Array::scalar(1.0));
/// let names: Vec<String> = state.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
/// assert_eq!(names, ["adam.count", "adam.mu", "adam.nu"]);
/// ```
///
/// Panics if two have the same name.
#[track_caller]
pub fn named_chain<'a>(
    transformations: impl IntoIterator<Item = (&'a str, GradientTransformation)>,
) -> GradientTransformation {
    let mut all: Vec<(String, GradientTransformation)> = Vec::new();
    for (name, transformation) in transformations {
        if all.iter().any(|(other, _)| other == name) {
            let error = Error::program(format!("two transformations are named {name:?}"));
            fail(error.op("named_chain").help("give each a name of its own"));
        }
        all.push((name.to_owned(), transformation));
    }
    let each = all.clone();
    GradientTransformation::with_extra(
        "named_chain",
        move |params: &Leaves| {
            all.iter().map(|(name, t)| (name.clone(), t.start(params))).collect::<BTreeMap<String, Leaves>>()
        },
        move |updates, states, params, extra| {
            let (names, parts): (Vec<_>, Vec<_>) = each.iter().map(|(name, t)| (name.clone(), t)).unzip();
            let before = names.iter().map(|name| &states[name]);
            let (updates, after) = in_order(parts, updates, before, params, extra)?;
            Ok((updates, names.iter().cloned().zip(after).collect()))
        },
    )
}

#[derive(Clone, Tree)]
struct Partitioned {
    inner_states: BTreeMap<String, Leaves>,
}

/// Another transformation for each group of leaves: `label(path, array)` names the group of a leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, sgd};
/// use jarrah_optim::transforms::{partition, set_to_zero};
/// let groups = [("trained", sgd(1.0, Sgd::default())), ("frozen", set_to_zero())];
/// let optimizer = partition(groups, |path, _| if path == "0" { "trained" } else { "frozen" }.to_owned());
/// let p = (Array::scalar(1.0), Array::scalar(1.0));
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert_eq!((u.0.item::<f32>()?, u.1.item::<f32>()?), (-1.0, 0.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics, at `init` and `update`, where a leaf has a label for which there is no transformation.
pub fn partition<'a>(
    transformations: impl IntoIterator<Item = (&'a str, GradientTransformation)>,
    label: impl Fn(&str, &Array) -> String + Clone + Send + Sync + 'static,
) -> GradientTransformation {
    let part = |(name, t): (&str, GradientTransformation)| {
        let (group, label) = (name.to_owned(), label.clone());
        (name.to_owned(), masked(t, Mask::new(move |path, array| label(path, array) == group)))
    };
    let parts: Vec<(String, GradientTransformation)> = transformations.into_iter().map(part).collect();
    let names: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
    let check = move |params: &Leaves| {
        for (path, array) in params.iter() {
            let label = label(&path.to_string(), array);
            if !names.contains(&label) {
                let error = Error::program(format!(
                    "parameter {path} has the label {label:?}, the groups are {names:?}"
                ));
                return Err(error.op("partition").help("give a transformation for each label"));
            }
        }
        Ok(())
    };
    let (first, check_first) = (parts.clone(), check.clone());
    GradientTransformation::with_extra(
        "partition",
        move |params: &Leaves| {
            if let Err(error) = check_first(params) {
                fail(error);
            }
            let start = |(name, t): &(String, GradientTransformation)| (name.clone(), t.start(params));
            Partitioned { inner_states: first.iter().map(start).collect() }
        },
        move |updates, state, params, extra| {
            check(params)?;
            let (mut updates, mut inner_states) = (updates.clone(), BTreeMap::new());
            for (name, part) in &parts {
                let (next, after) = part.step(&updates, &state.inner_states[name], params, extra)?;
                updates = next;
                inner_states.insert(name.clone(), after);
            }
            Ok((updates, Partitioned { inner_states }))
        },
    )
}

/// `optimizer` for the leaves that are not in `frozen`, whose updates are zeros.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Mask, Sgd, sgd};
/// use jarrah_optim::transforms::selective_transform;
/// let optimizer = selective_transform(sgd(1.0, Sgd::default()), Mask::matrices());
/// let p = (Array::ones(&[1, 1]), Array::ones(&[1]));
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert_eq!((u.0.to_vec::<f32>()?, u.1.to_vec::<f32>()?), (vec![0.0], vec![-1.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn selective_transform(optimizer: GradientTransformation, frozen: Mask) -> GradientTransformation {
    let label = move |path: &str, array: &Array| {
        if frozen.contains(path, array) { "freeze" } else { "train" }.to_owned()
    };
    partition([("train", optimizer), ("freeze", set_to_zero())], label)
}

/// Updates of zeros for the leaves in `mask`; the others pass.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Mask;
/// use jarrah_optim::transforms::freeze;
/// let t = freeze(Mask::all());
/// let g = Array::scalar(1.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn freeze(mask: Mask) -> GradientTransformation {
    masked(set_to_zero(), mask)
}
