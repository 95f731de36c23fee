//! Losses, schedules, projections and helpers against Optax's, which `oracle/optim_functions.py` computed, with gradients.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, along, grad, load, scan, where_};
use jarrah_optim::linear_algebra::*;
use jarrah_optim::losses::*;
use jarrah_optim::perturbations::{Perturbation, make_perturbed_fun};
use jarrah_optim::projections::*;
use jarrah_optim::schedules::*;
use jarrah_optim::second_order::*;
use jarrah_optim::transforms::*;
use jarrah_optim::tree::NormOrder;
use jarrah_optim::*;

type Tensors = BTreeMap<String, Array>;

fn goldens() -> Tensors {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/tests/golden/optim");
    let table = std::fs::read_to_string(format!("{folder}/functions.tsv")).unwrap();
    let like = table.lines().map(|row| {
        let [name, dtype, shape] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("row {row:?}") };
        let shape: Vec<usize> =
            shape.split(',').filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect();
        let dtype = if dtype == "int32" { DType::I32 } else { DType::F64 };
        (name.to_owned(), Array::full(&shape, 0, dtype))
    });
    load(format!("{folder}/functions.safetensors"), &like.collect::<Tensors>()).unwrap()
}

type Function = Box<dyn Fn(&Array, &Tensors) -> Vec<Array>>;

/// The cases by Optax's name: the argument that is differentiated, and the function.
fn cases() -> Vec<(&'static str, &'static str, Function)> {
    fn one(f: impl Fn(&Array, &Tensors) -> Array + 'static) -> Function {
        Box::new(move |x, t| vec![f(x, t)])
    }
    let mask = |t: &Tensors| t["mask"].gt(0.5);
    let signs = |t: &Tensors| &t["bits"] * 2.0 - 1.0;
    let pair = |x: &Array, t: &Tensors| (x.clone(), t["v"].clone());
    vec![
        ("softmax_cross_entropy", "x", one(|x, t| softmax_cross_entropy(x, &t["y"]))),
        (
            "softmax_cross_entropy.where",
            "x",
            one(move |x, t| softmax_cross_entropy_along(x, &t["y"], along(0).mask(&mask(t)))),
        ),
        (
            "softmax_cross_entropy_with_integer_labels",
            "x",
            one(|x, t| softmax_cross_entropy_with_integer_labels(x, &t["labels"])),
        ),
        (
            "softmax_cross_entropy_with_integer_labels.where",
            "x",
            one(move |x, t| {
                let some = mask(t) | t["labels"].one_hot(5, DType::Bool);
                softmax_cross_entropy_with_integer_labels_along(&x.t(), &t["labels"], 0, Some(&some.t()))
            }),
        ),
        ("safe_softmax_cross_entropy", "x", one(|x, t| safe_softmax_cross_entropy(x, &t["y"]))),
        ("sigmoid_binary_cross_entropy", "x", one(|x, t| sigmoid_binary_cross_entropy(x, &t["bits"]))),
        ("sigmoid_focal_loss", "x", one(|x, t| sigmoid_focal_loss(x, &t["bits"], None, 2.0))),
        ("sigmoid_focal_loss.alpha", "x", one(|x, t| sigmoid_focal_loss(x, &t["y"], Some(0.3), 1.5))),
        ("squared_error", "x", one(|x, t| squared_error(x, &t["z"]))),
        ("l2_loss", "x", one(|x, t| l2_loss(x, &t["z"]))),
        ("huber_loss", "x", one(|x, t| huber_loss(x, &t["z"], 0.7))),
        ("log_cosh", "x", one(|x, t| log_cosh(&(x * 20.0), &t["z"]))),
        ("hinge_loss", "x", one(move |x, t| hinge_loss(x, &signs(t)))),
        ("multiclass_hinge_loss", "x", one(|x, t| multiclass_hinge_loss(x, &t["labels"]))),
        ("perceptron_loss", "x", one(move |x, t| perceptron_loss(x, &signs(t)))),
        ("multiclass_perceptron_loss", "x", one(|x, t| multiclass_perceptron_loss(x, &t["labels"]))),
        ("cosine_similarity", "x", one(|x, t| cosine_similarity(x, &t["z"], 0.0))),
        (
            "cosine_distance.where",
            "x",
            one(move |x, t| cosine_distance_along(x, &t["z"], 1e-3, along(0).mask(&mask(t)))),
        ),
        ("kl_divergence", "x", one(|x, t| kl_divergence(&x.log_softmax(-1), &t["y"]))),
        (
            "kl_divergence.where",
            "x",
            one(move |x, t| kl_divergence_along(x, &t["y"], along(0).mask(&mask(t)))),
        ),
        ("kl_divergence_with_log_targets", "x", one(|x, t| kl_divergence_with_log_targets(x, &t["z"]))),
        ("generalized_kl_divergence", "x", one(|x, t| generalized_kl_divergence(x, &t["y"]))),
        (
            "ctc_loss",
            "logits",
            Box::new(|x, t| {
                let [logit_paddings, labels, label_paddings] =
                    ["logit_paddings", "targets", "label_paddings"].map(|name| &t[name]);
                let found =
                    ctc_loss_with_forward_probs(x, logit_paddings, labels, label_paddings, Ctc::default());
                vec![found.0, found.1, found.2]
            }),
        ),
        ("poly_loss_cross_entropy", "x", one(|x, t| poly_loss_cross_entropy(x, &t["y"], 1.5, -1))),
        ("ranking_softmax_loss", "x", one(|x, t| ranking_softmax_loss(x, &t["y"], None, None))),
        (
            "ranking_softmax_loss.where",
            "x",
            one(move |x, t| ranking_softmax_loss(x, &t["y"], Some(&mask(t)), Some(&(&t["bits"] + 1.0)))),
        ),
        ("sparsemax_loss", "x", one(|x, t| sparsemax_loss(x, &t["bits"]))),
        ("multiclass_sparsemax_loss", "x", one(|x, t| multiclass_sparsemax_loss(x, &t["labels"]))),
        ("smooth_labels", "x", one(|x, _| smooth_labels(x, 0.1))),
        ("smooth_labels.where", "x", one(move |x, t| smooth_labels_along(x, 0.1, 0, &mask(t)))),
        ("ntxent", "x", one(|x, t| ntxent(x, &t["groups"], 0.5))),
        ("triplet_margin_loss", "x", one(|x, t| triplet_margin_loss(x, &t["y"], &t["z"], 2, 1.0, 1e-6))),
        (
            "dice_loss",
            "image",
            one(|x, t| {
                let options = Dice { alpha: 0.3, beta: 0.6, ignore_background: true, ..Dice::default() };
                dice_loss(x, &t["segments"], None, options)
            }),
        ),
        (
            "multiclass_generalized_dice_loss",
            "image",
            one(|x, t| multiclass_generalized_dice_loss(x, &t["segments"], Dice::default())),
        ),
        (
            "binary_dice_loss",
            "image",
            one(|x, t| {
                let first = |x: &Array| x.slice(-1, 0..1);
                binary_dice_loss(&first(x), &first(&t["segments"]), Dice { smooth: 0.5, ..Dice::default() })
            }),
        ),
        (
            "make_fenchel_young_loss",
            "x",
            one(|x, t| make_fenchel_young_loss(|y: &Array| y.logsumexp(..))(x, &t["y"])),
        ),
        ("projection_non_negative", "v", one(|v, _| projection_non_negative(v))),
        ("projection_box", "v", one(|v, _| projection_box(v, -0.5, 0.7))),
        ("projection_hypercube", "v", one(|v, _| projection_hypercube(v, 0.5))),
        ("projection_simplex", "v", one(|v, _| projection_simplex(v, 1.5))),
        ("projection_simplex.inside", "v", one(|v, _| projection_simplex(&(v * 0.01), 1.0))),
        ("projection_l1_sphere", "v", one(|v, _| projection_l1_sphere(v, 1.5))),
        ("projection_l1_ball", "v", one(|v, _| projection_l1_ball(v, 1.5))),
        ("projection_l1_ball.inside", "v", one(|v, _| projection_l1_ball(v, 100.0))),
        ("projection_l2_sphere", "v", one(|v, _| projection_l2_sphere(v, 1.5))),
        ("projection_l2_ball", "v", one(|v, _| projection_l2_ball(v, 1.5))),
        ("projection_linf_ball", "v", one(|v, _| projection_linf_ball(v, 0.8))),
        ("projection_vector", "v", one(|v, t| projection_vector(v, &t["a"]))),
        ("projection_hyperplane", "v", one(|v, t| projection_hyperplane(v, &t["a"], 0.3))),
        ("projection_halfspace", "v", one(|v, t| projection_halfspace(v, &t["a"], -20.0))),
        ("projection_halfspace.inside", "v", one(|v, t| projection_halfspace(v, &t["a"], 50.0))),
        ("safe_norm", "v", one(|v, _| safe_norm(v, 0.1))),
        ("safe_norm.small", "v", one(|v, _| safe_norm(v, 100.0))),
        ("safe_root_mean_squares", "v", one(|v, _| safe_root_mean_squares(v, 0.1))),
        ("unitwise_norm", "x", one(|x, _| unitwise_norm(x))),
        ("global_norm", "x", one(move |x, t| global_norm(&pair(x, t)))),
        ("tree_norm.one", "x", one(move |x, t| tree::norm(&pair(x, t), NormOrder::One))),
        ("tree_norm.infinity", "x", one(move |x, t| tree::norm(&pair(x, t), NormOrder::Infinity))),
        ("tree_vdot", "x", one(move |x, t| tree::vdot(&pair(x, t), &(t["z"].clone(), t["a"].clone())))),
        ("tree_max", "x", one(move |x, t| tree::max(&pair(x, t)))),
        ("tree_min", "x", one(move |x, t| tree::min(&pair(x, t)))),
        ("hvp", "v", one(|v, t| hvp(|p: &Array| (p.sin() * p.square()).sum(..), v, &t["a"]))),
        ("hessian_diag", "v", one(|v, _| hessian_diag(|p: &Array| p.sin().sum(..) * p.square().sum(..), v))),
        ("fisher_diag", "v", one(|v, _| fisher_diag(|p: &Array| (p.sin() * p.square()).sum(..), v))),
        (
            "per_example_global_norm_clip",
            "x",
            Box::new(|x, t| {
                let ((a, b), clipped) = per_example_global_norm_clip(&(x.clone(), t["z"].clone()), 3.0);
                vec![a, b, clipped]
            }),
        ),
        (
            "per_example_layer_norm_clip",
            "x",
            Box::new(|x, t| {
                let ((a, b), clipped) = per_example_layer_norm_clip(&(x.clone(), t["y"].clone()), 2.0, false);
                [vec![a, b], clipped].concat()
            }),
        ),
        ("incremental_update", "v", one(|v, t| incremental_update(v, &t["a"], 0.3))),
        (
            "power_iteration",
            "m",
            Box::new(|m, _| {
                let (value, vector) = power_iteration(m, &Array::full(&[4], 1, DType::F64), 500, 1e-12);
                vec![value, vector]
            }),
        ),
        (
            "hungarian_algorithm",
            "costs",
            Box::new(|costs, _| {
                let (rows, columns) = hungarian_algorithm(costs);
                let (tall_rows, tall_columns) = hungarian_algorithm(&costs.t());
                vec![rows, columns, tall_rows, tall_columns]
            }),
        ),
        ("nnls", "wide", one(|a, t| nnls(a, &t["c"], 400))),
        (
            "perturbed",
            "v",
            one(|v, _| {
                let largest = |x: &Array| x.argmax(..).one_hot(7, DType::F64);
                let options = Perturbation { num_samples: 50, sigma: 0.5, ..Perturbation::default() };
                make_perturbed_fun(largest, options)(&Key::new(3), v)
            }),
        ),
    ]
}

/// The largest difference over the larger of one and the largest absolute value.
fn off(found: &Array, expected: &Array) -> f64 {
    let (found, expected) = (found.astype(DType::F64), expected.astype(DType::F64));
    assert_eq!(found.shape(), expected.shape());
    let (a, b) = (found.to_vec::<f64>().unwrap(), expected.to_vec::<f64>().unwrap());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    worst.fold(0.0f64, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x) }) / scale
}

#[test]
fn functions_and_their_gradients_are_optax_s() {
    let goldens = goldens();
    let input: Tensors = goldens
        .iter()
        .filter_map(|(name, x)| Some((name.strip_prefix("in/")?.to_owned(), x.clone())))
        .collect();
    let mut left: BTreeSet<&String> =
        goldens.keys().filter(|name| !name.starts_with("in/") && !name.starts_with("schedule/")).collect();
    let mut faults = Vec::new();
    for (name, argument, f) in cases() {
        let x = &input[argument];
        for (k, found) in f(x, &input).iter().enumerate() {
            let wrong = off(found, &goldens[&format!("out/{name}/{k}")]);
            left.remove(&format!("out/{name}/{k}"));
            if wrong > 1e-9 {
                faults.push(format!("{name}, result {k}: off by {wrong:.1e}"));
            }
        }
        if let Some(expected) = goldens.get(&format!("grad/{name}")) {
            let slope = grad(|x: &Array| f(x, &input)[0].sum(..))(x);
            left.remove(&format!("grad/{name}"));
            let wrong = off(&slope, expected);
            if wrong > 1e-9 {
                faults.push(format!("{name}, gradient: off by {wrong:.1e}"));
            }
        }
    }
    assert!(faults.is_empty() && left.is_empty(), "{}\nleft: {left:?}", faults.join("\n"));
}

fn schedules() -> Vec<(&'static str, Schedule)> {
    let period = |init, peak, warmup_steps, decay_steps, end, exponent| Warmup {
        init,
        peak,
        warmup_steps,
        decay_steps,
        end,
        exponent,
    };
    let decay =
        |transition_begin, staircase, end| ExponentialDecay { transition_begin, staircase, end: Some(end) };
    vec![
        ("cosine_onecycle", cosine_onecycle(50, 0.3, 0.3, 25.0, 1e4)),
        ("exponential_decay", exponential_decay_with(0.5, 6, 0.7, decay(4, false, 0.1))),
        ("exponential_growth", exponential_decay_with(0.5, 6, 1.3, decay(4, true, 1.1))),
        ("linear_onecycle", linear_onecycle(50, 0.3, 0.3, 0.85, 25.0, 1e4)),
        (
            "piecewise_interpolate.cosine",
            piecewise_interpolate(Interpolation::Cosine, 0.5, [(10, 3.0), (30, 0.1), (38, 2.0)]),
        ),
        (
            "piecewise_interpolate.linear",
            piecewise_interpolate(Interpolation::Linear, 0.5, [(30, 0.1), (10, 3.0)]),
        ),
        ("sgdr", sgdr([period(0.0, 0.4, 3, 20, 0.1, 2.0), period(0.1, 0.2, 5, 30, 0.0, 1.0)])),
        ("warmup_cosine_decay", warmup_cosine_decay_with(period(0.0, 0.4, 5, 40, 0.1, 3.0))),
        ("warmup_exponential_decay", warmup_exponential_decay(0.0, 0.4, 5, 4, 0.8, decay(3, false, 0.05))),
    ]
}

#[test]
fn schedules_are_optax_s() {
    let goldens = goldens();
    let known = goldens.keys().filter(|name| name.starts_with("schedule/")).count();
    assert_eq!(schedules().len(), known);
    for (name, schedule) in schedules() {
        let values = scan(|_: &(), c: &Array| ((), schedule.at(c)), &(), &Array::arange(64)).1;
        let wrong = off(&values, &goldens[&format!("schedule/{name}")]);
        assert!(wrong <= 1e-6, "{name} is off by {wrong:.1e}");
    }
}

#[test]
fn masked_classes_do_not_count() {
    let logits = Array::new(&[1.0f32, f32::NEG_INFINITY, 0.0, 2.0], &[2, 2]);
    let labels = Array::new(&[1.0f32, 0.0, 0.0, 0.0], &[2, 2]);
    // A logit of -inf whose label is zero does not count, and its gradient is not NaN.
    let loss = |x: &Array| safe_softmax_cross_entropy(x, &labels).sum(..);
    assert_eq!(loss(&logits).item::<f32>().unwrap(), 0.0);
    assert!(grad(loss)(&logits).leaves().iter().all(|g: &&Array| !g.isnan().any(..).item::<bool>().unwrap()));
    let none = where_(&labels.gt(2.0), labels.ones_like(), 0.0).gt(0.0);
    let integers = Array::from_slice(&[0i32, 1]);
    let empty = softmax_cross_entropy_with_integer_labels_along(&logits, &integers, -1, Some(&none));
    assert_eq!(empty.to_vec::<f32>().unwrap(), [0.0, 0.0]);
}

#[test]
fn log_cosh_and_its_derivatives_keep_their_digits() {
    let zero = Array::scalar(0.0f32);
    let loss = |x: &Array| log_cosh(x, &zero);
    for (x, expected) in [
        // Its value, its derivative `tanh(x)` and its second derivative `1 / cosh(x)^2`.
        (0.0f32, [0.0, 0.0, 1.0]),
        (1e-8, [5e-17, 1e-8, 1.0]),
        (1e-3, [4.999_999_2e-7, 9.999_997e-4, 0.999_999]),
        (-0.5, [0.120_114_5, -0.462_117_16, 0.786_447_7]),
        (1.0, [0.433_780_83, 0.761_594_2, 0.419_974_34]),
        (30.0, [29.306_852, 1.0, 3.502_608e-26]),
        (1e30, [1e30, 1.0, 0.0]),
    ] {
        let at = Array::scalar(x);
        let found = [loss(&at), grad(loss)(&at), grad(grad(loss))(&at)].map(|y| y.item::<f32>().unwrap());
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() <= 2e-6 * expected.abs(), "at {x}: {found}, not {expected}");
        }
    }
}
