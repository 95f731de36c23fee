//! Optimizers and schedules against Optax: 20 steps on given gradients.

use std::collections::BTreeMap;

use jarrah_array::{Array, Literal, TreeExt, scan};
use jarrah_optim::schedules::*;
use jarrah_optim::transforms::*;
use jarrah_optim::*;
use jarrah_testing::{golden_tensors, golden_text};
use serde_json::Value;

type Params = BTreeMap<String, Array>;

const TOLERANCE: f64 = 1e-6;

fn number(d: &Value, name: &str, default: f64) -> f64 {
    d.get(name).map_or(default, |v| v.as_f64().unwrap())
}

fn count(d: &Value, name: &str, default: usize) -> usize {
    d.get(name).map_or(default, |v| v.as_u64().unwrap() as usize)
}

fn flag(d: &Value, name: &str) -> bool {
    d.get(name).is_some_and(|v| v.as_bool().unwrap())
}

fn numbers(d: &Value, name: &str) -> Vec<f64> {
    d[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn schedule(d: &Value) -> Schedule {
    let Some(op) = d.get("op") else { return constant(d.as_f64().unwrap()) };
    let init = number(d, "init_value", 0.0);
    let boundaries = || numbers(d, "boundaries").into_iter().map(|b| b as usize);
    match op.as_str().unwrap() {
        "constant" => constant(number(d, "value", 0.0)),
        "linear" | "polynomial" => polynomial(
            init,
            number(d, "end_value", 0.0),
            number(d, "power", 1.0),
            count(d, "transition_steps", 0),
            count(d, "transition_begin", 0),
        ),
        "cosine_decay" => cosine_decay(
            init,
            count(d, "decay_steps", 0),
            number(d, "alpha", 0.0),
            number(d, "exponent", 1.0),
        ),
        "warmup_cosine_decay" => warmup_cosine_decay(
            init,
            number(d, "peak_value", 0.0),
            count(d, "warmup_steps", 0),
            count(d, "decay_steps", 0),
            number(d, "end_value", 0.0),
        ),
        "warmup_constant" => warmup_constant(init, number(d, "peak_value", 0.0), count(d, "warmup_steps", 0)),
        "exponential_decay" => exponential_decay(
            init,
            count(d, "transition_steps", 0),
            number(d, "decay_rate", 0.0),
            flag(d, "staircase"),
        ),
        "piecewise_constant" => piecewise_constant(init, boundaries().zip(numbers(d, "scales"))),
        "join" => join(d["schedules"].as_array().unwrap().iter().map(schedule), boundaries()),
        other => panic!("no schedule {other}"),
    }
}

fn mask(d: &Value) -> Mask {
    let Some(mask) = d.get("mask") else { return Mask::all() };
    let chosen: BTreeMap<String, bool> =
        mask.as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_bool().unwrap())).collect();
    Mask::new(move |path, _| chosen[path])
}

fn adam_options(d: &Value, eps: f64) -> Adam {
    Adam {
        b1: number(d, "b1", 0.9),
        b2: number(d, "b2", 0.999),
        eps: number(d, "eps", eps),
        eps_root: number(d, "eps_root", 0.0),
        nesterov: flag(d, "nesterov"),
    }
}

fn optimizer(d: &Value) -> GradientTransformation {
    let rate = || schedule(&d["learning_rate"]);
    let momentum = d.get("momentum").map(|v| v.as_f64().unwrap());
    let decayed = |default: f64| number(d, "weight_decay", default);
    match d["op"].as_str().unwrap() {
        "chain" => chain(d["of"].as_array().unwrap().iter().map(optimizer)),
        "masked" => masked(optimizer(&d["of"]), mask(d)),
        "sgd" => sgd(rate(), Sgd { momentum, nesterov: flag(d, "nesterov") }),
        "adam" => adam(rate(), adam_options(d, 1e-8)),
        "adamw" => adamw(rate(), adam_options(d, 1e-8), decayed(1e-4), mask(d)),
        "adamax" => adamax(rate(), number(d, "b1", 0.9), number(d, "b2", 0.999), number(d, "eps", 1e-8)),
        "lamb" => lamb(rate(), adam_options(d, 1e-6), decayed(0.0), mask(d)),
        "lion" => {
            let options = Lion { b1: number(d, "b1", 0.9), b2: number(d, "b2", 0.99), ..Lion::default() };
            lion(rate(), options, decayed(1e-3), mask(d))
        }
        "rmsprop" => {
            let options = RmsProp {
                decay: number(d, "decay", 0.9),
                eps: number(d, "eps", 1e-8),
                initial_scale: number(d, "initial_scale", 0.0),
                centered: flag(d, "centered"),
                momentum,
                nesterov: flag(d, "nesterov"),
                ..RmsProp::default()
            };
            rmsprop(rate(), options)
        }
        "adagrad" => {
            let initial_accumulator_value = number(d, "initial_accumulator_value", 0.1);
            adagrad(rate(), Adagrad { initial_accumulator_value, eps: number(d, "eps", 1e-7) })
        }
        "clip" => clip(number(d, "max_delta", 0.0)),
        "clip_by_global_norm" => clip_by_global_norm(number(d, "max_norm", 0.0)),
        "scale" => scale(number(d, "step_size", 0.0)),
        "scale_by_adam" => scale_by_adam(adam_options(d, 1e-8)),
        "scale_by_schedule" => scale_by_schedule(schedule(&d["step_size_fn"])),
        "scale_by_learning_rate" => scale_by_learning_rate(rate()),
        "add_decayed_weights" => add_decayed_weights(decayed(0.0), mask(d)),
        "trace" => trace(number(d, "decay", 0.0), flag(d, "nesterov")),
        "ema" => ema(number(d, "decay", 0.0), true),
        other => panic!("no optimizer {other}"),
    }
}

struct Goldens {
    described: Value,
    tensors: BTreeMap<String, Literal>,
}

impl Goldens {
    fn read() -> Self {
        let described = serde_json::from_str(&golden_text("optax.json").unwrap()).unwrap();
        Goldens { described, tensors: golden_tensors("optax.safetensors").unwrap() }
    }

    /// The leaves under a prefix.
    fn tree(&self, prefix: &str) -> Params {
        let leaves = self.described["leaves"].as_object().unwrap().keys();
        let array = |leaf: &String| Array::from_literal(self.tensors[&format!("{prefix}/{leaf}")].clone());
        leaves.map(|leaf| (leaf.clone(), array(leaf))).collect()
    }
}

/// The largest absolute difference over the larger of one and the largest absolute value.
fn error(found: &Array, expected: &Literal) -> f64 {
    let (found, expected) = (found.to_literal().unwrap().to_f64_vec(), expected.to_f64_vec());
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    found.iter().zip(&expected).fold(0.0f64, |m, (a, b)| m.max((a - b).abs())) / largest
}

#[test]
fn trajectories_are_optax_s() {
    let goldens = Goldens::read();
    let init = goldens.tree("init");
    let cases = goldens.described["cases"].as_array().unwrap();
    assert!(cases.len() > 100);
    let mut failures = Vec::new();
    let mut worst = 0.0f64;
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let optimizer = optimizer(&case["optimizer"]);
        let grads = goldens.tree(&format!("grads/{}", case["sequence"].as_str().unwrap()));
        let step = |(params, state): &(Params, Leaves), g: &Params| {
            let (updates, state) = optimizer.update(g, state, params);
            let params = apply_updates(params, &updates);
            ((params.clone(), state), params)
        };
        let (_, trajectory) = scan(step, &(init.clone(), optimizer.init(&init)), &grads);
        for (leaf, found) in &trajectory {
            for golden in ["case", "case64"] {
                let off = error(found, &goldens.tensors[&format!("{golden}/{name}/{leaf}")]);
                worst = worst.max(off);
                if off > TOLERANCE {
                    failures.push(format!("{name}, {leaf}: off by {off:.1e} from {golden}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} trajectories, off by at most {worst:.1e}", cases.len());
}

#[test]
fn schedules_are_optax_s() {
    let goldens = Goldens::read();
    let schedules = goldens.described["schedules"].as_object().unwrap();
    for (name, described) in schedules {
        let schedule = schedule(described);
        let values = scan(|_: &(), c: &Array| ((), schedule.at(c)), &(), &Array::arange(64)).1;
        let off = error(&values, &goldens.tensors[&format!("schedule/{name}")]);
        assert!(off <= TOLERANCE, "{name} is off by {off:.1e}");
    }
}

#[test]
fn the_global_norm_is_optax_s() {
    let goldens = Goldens::read();
    for (name, expected) in goldens.tensors.iter().filter(|(name, _)| name.starts_with("norm/")) {
        let grads = goldens.tree(&name.replace("norm", "grads"));
        for step in 0..20 {
            let at = grads.map_leaves(|g: &Array| g.index(step));
            let (found, expected) = (global_norm(&at).to_f64().unwrap(), expected.get_f64(step as usize));
            assert!(
                (found - expected).abs() <= TOLERANCE * expected,
                "{name} at {step}: {found}, {expected}"
            );
        }
    }
}
