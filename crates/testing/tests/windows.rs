//! Convolutions, reductions of windows, ragged products and normalizations, and their gradients, against JAX.

use std::collections::BTreeMap;

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{Axes, ConvAxes, Convolution, DotGeneral, ReduceWindow, Reducer, Window};
use jarrah_hlo::{Builder, Program, Value, ops};
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::spelled;
use jarrah_testing::{golden_tensors, golden_text, relative_error};
use jarrah_transforms::{ResidualPolicy, vjp};
use serde_json::Value as Json;

fn numbers<T: TryFrom<i64, Error: std::fmt::Debug>, C: FromIterator<T>>(json: &Json) -> C {
    json.as_array().unwrap().iter().map(|n| T::try_from(n.as_i64().unwrap()).unwrap()).collect()
}

/// The first or the second of each pair.
fn side<C: FromIterator<i64>>(pairs: &Json, which: usize) -> C {
    pairs.as_array().unwrap().iter().map(|p| p[which].as_i64().unwrap()).collect()
}

fn window(json: &Json) -> Window {
    Window {
        sizes: numbers(&json["sizes"]),
        strides: numbers(&json["strides"]),
        low: side(&json["padding"], 0),
        high: side(&json["padding"], 1),
        base_dilations: numbers(&json["base"]),
        dilations: numbers(&json["window"]),
    }
}

/// Batch, features and spatial axes, as JAX lists them.
fn conv_axes(json: &Json) -> ConvAxes {
    let all: Vec<usize> = numbers(json);
    ConvAxes { batch: all[0], feature: all[1], spatial: all[2..].iter().copied().collect() }
}

fn convolution(case: &Json) -> Convolution {
    let spatial = case["strides"].as_array().unwrap().len();
    Convolution {
        lhs_axes: conv_axes(&case["axes"][0]),
        rhs_axes: conv_axes(&case["axes"][1]),
        out_axes: conv_axes(&case["axes"][2]),
        strides: numbers(&case["strides"]),
        low: side(&case["padding"], 0),
        high: side(&case["padding"], 1),
        lhs_dilations: numbers(&case["lhs"]),
        rhs_dilations: numbers(&case["rhs"]),
        reversed: (0..spatial).map(|_| false).collect(),
        feature_groups: case["features"].as_u64().unwrap() as usize,
        batch_groups: case["batches"].as_u64().unwrap() as usize,
        out: DType::F64,
    }
}

fn result(b: &mut Builder, case: &Json, x: &[Value]) -> Value {
    match case["function"].as_str().unwrap() {
        "reduce_window" => {
            let reducer = match case["reducer"].as_str().unwrap() {
                "add" => Reducer::Add,
                "mul" => Reducer::Mul,
                "max" => Reducer::Max,
                "min" => Reducer::Min,
                other => panic!("no reducer {other}"),
            };
            b.one(ReduceWindow { reducer, window: window(&case["window"]) }, x).unwrap()
        }
        "convolution" => b.one(convolution(case), x).unwrap(),
        "ragged_dot" => {
            let free = case["mode"] == "free";
            let dot = DotGeneral {
                lhs_batch: Axes::new(),
                rhs_batch: Axes::new(),
                lhs_contract: Axes::from_slice(&[1]),
                rhs_contract: Axes::from_slice(&[usize::from(free)]),
                out: DType::F64,
            };
            let ragged = usize::from(!free);
            ops::general_ragged_dot(b, [x[0], x[1], x[2]], &dot, ragged, free.then_some(0)).unwrap()
        }
        "batch_norm" => {
            let (epsilon, axis) =
                (case["epsilon"].as_f64().unwrap(), case["axis"].as_u64().unwrap() as usize);
            spelled::batch_norm_training(b, [x[0], x[1], x[2]], epsilon, axis).unwrap()[0]
        }
        other => panic!("no function {other}"),
    }
}

fn group<'a>(tensors: &'a BTreeMap<String, Literal>, case: &Json, kind: &str) -> Vec<&'a Literal> {
    let name = case["name"].as_str().unwrap();
    (0..).map_while(|i| tensors.get(&format!("{name}/{kind}{i}"))).collect()
}

fn program(case: &Json, types: &[Type]) -> Program {
    let mut b = Builder::new("case");
    let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let out = result(&mut b, case, &params);
    b.finish(&[out]).unwrap()
}

#[test]
fn results_and_gradients_are_those_of_jax() {
    let json: Json = serde_json::from_str(&golden_text("windows.json").unwrap()).unwrap();
    let tensors = golden_tensors("windows.safetensors").unwrap();
    let cases = json["cases"].as_array().unwrap();
    assert!(cases.len() > 20);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let x: Vec<Literal> = group(&tensors, case, "x").into_iter().cloned().collect();
        let types: Vec<Type> = x.iter().map(Literal::ty).collect();
        let program = program(case, &types);
        let active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
        let both =
            vjp(&program, &active, ResidualPolicy::Recompute).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut found = evaluate(&both.forward, &x).unwrap();
        let mut args = found.split_off(1);
        let error = relative_error(&found[0], group(&tensors, case, "y")[0]);
        assert!(error < 1e-13, "{name}: the result is off by {error}");
        args.extend(group(&tensors, case, "ct").into_iter().cloned());
        let gradients = evaluate(&both.backward, &args).unwrap();
        let expected = group(&tensors, case, "g");
        assert_eq!(gradients.len(), expected.len(), "{name}");
        for (i, (found, expected)) in gradients.iter().zip(expected).enumerate() {
            let error = relative_error(found, expected);
            assert!(error < 1e-12, "{name}: gradient {i} is off by {error}");
        }
    }
}

/// The gradient that is an operation of its own is the gradient of the other.
#[test]
fn a_normalization_has_its_gradient() {
    let json: Json = serde_json::from_str(&golden_text("windows.json").unwrap()).unwrap();
    let tensors = golden_tensors("windows.safetensors").unwrap();
    let case = json["cases"].as_array().unwrap().iter().find(|c| c["function"] == "batch_norm").unwrap();
    let (x, ct) = (group(&tensors, case, "x"), group(&tensors, case, "ct"));
    let mut b = Builder::new("grad");
    let params = [x[0].ty(), x[1].ty(), x[2].ty(), ct[0].ty()].map(|ty| b.param(ty, ""));
    let (epsilon, axis) = (case["epsilon"].as_f64().unwrap(), case["axis"].as_u64().unwrap() as usize);
    let [operand, scale, offset, ct_param] = params;
    let [_, mean, variance] =
        spelled::batch_norm_training(&mut b, [operand, scale, offset], epsilon, axis).unwrap();
    let grads =
        spelled::batch_norm_grad(&mut b, [operand, scale, mean, variance, ct_param], epsilon, axis).unwrap();
    let program = b.finish(&grads).unwrap();
    let args: Vec<Literal> = x.iter().chain(&ct).map(|&l| l.clone()).collect();
    for (found, expected) in evaluate(&program, &args).unwrap().iter().zip(group(&tensors, case, "g")) {
        let error = relative_error(found, expected);
        assert!(error < 1e-12, "off by {error}");
    }
}
