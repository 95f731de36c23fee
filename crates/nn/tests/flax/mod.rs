//! Layers against Flax NNX: outputs, gradients and state. The cases are those of `oracle/flax_layers.py`, by their names.

mod attention;
mod dense;
mod normalization;
mod recurrent;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, Tree, TreeExt, Type, grad, jit};
use jarrah_nn::{Context, Module, State, update};
use safetensors::{Dtype, SafeTensors};

static GOLDEN: LazyLock<BTreeMap<String, Array>> = LazyLock::new(|| golden("flax_layers"));

/// The tensors of a golden file.
pub fn golden(name: &str) -> BTreeMap<String, Array> {
    let path = format!("{}/tests/golden/{name}.safetensors", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let array = |view: safetensors::tensor::TensorView<'_>| {
        let dtype = match view.dtype() {
            Dtype::F32 => DType::F32,
            Dtype::I32 => DType::I32,
            other => panic!("no dtype {other:?}"),
        };
        let ty = Type::tensor(dtype, view.shape().iter().copied());
        Array::from_literal(Literal::from_bytes(ty, view.data()).unwrap())
    };
    file.iter().map(|(name, view)| (name.to_owned(), array(view))).collect()
}

/// The tensors of a case of one kind, by the rest of their names.
pub fn tensors(case: &str, kind: &str) -> BTreeMap<String, Array> {
    let start = format!("{case}/{kind}/");
    let found = GOLDEN.iter().filter_map(|(name, array)| Some((name.strip_prefix(&start)?, array)));
    found.map(|(name, array)| (name.to_owned(), array.clone())).collect()
}

/// The module with the parameters of a case; it has exactly those.
pub fn with_parameters<M: Tree<Array>>(case: &str, model: &M) -> M {
    let mut given = State::default();
    for (path, array) in tensors(case, "p") {
        given.set(&path, array);
    }
    let mut own: Vec<String> =
        model.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
    own.sort();
    let mut names = given.names();
    names.sort();
    assert_eq!(own, names, "{case}: parameters");
    update(model, &given)
}

pub fn close(case: &str, what: &str, found: &Array, expected: &Array) {
    within(1e-5, case, what, found, expected);
}

fn within(tolerance: f32, case: &str, what: &str, found: &Array, expected: &Array) {
    assert_eq!(found.shape(), expected.shape(), "{case}: {what}");
    let (found, expected) = (found.to_vec::<f32>().unwrap(), expected.to_vec::<f32>().unwrap());
    let largest = expected.iter().fold(0.1f32, |most, x| most.max(x.abs()));
    let error = found.iter().zip(&expected).fold(0f32, |most, (a, b)| {
        let error = (a - b).abs();
        if error.is_nan() { f32::INFINITY } else { most.max(error) }
    });
    assert!(error <= tolerance * largest, "{case}: {what}: {error} of {largest}\n{found:?}\n{expected:?}");
}

/// Checks a case: what `call(model, inputs, pass)` gives, its gradients, and the state that the pass leaves.
pub fn check<M: Tree<Array>>(
    case: &str,
    model: &M,
    training: bool,
    call: impl Fn(&M, &[Array], &mut Context) -> Vec<Array>,
) {
    let model = with_parameters(case, model);
    let inputs: Vec<Array> = tensors(case, "x").into_values().collect();
    let pass = || if training { Context::train(&Key::new(7)) } else { Context::eval() };
    let mut cx = pass();
    let outputs = call(&model, &inputs, &mut cx);
    let expected = tensors(case, "y");
    assert_eq!(outputs.len(), expected.len(), "{case}: outputs");
    for (found, (name, expected)) in outputs.iter().zip(&expected) {
        close(case, &format!("output {name}"), found, expected);
    }
    let (left, next) = (cx.updates(), tensors(case, "s"));
    assert_eq!(left.names(), next.keys().cloned().collect::<Vec<_>>(), "{case}: state");
    for (path, expected) in &next {
        close(case, path, &left.array(path).unwrap(), expected);
    }

    // Compiled, where no value can be looked at.
    let compiled = jit(|(model, inputs): &(M, Vec<Array>)| call(model, inputs, &mut pass()));
    let outputs = compiled.call((update(&model, &State::default()), inputs.clone())).unwrap();
    for (found, (name, expected)) in outputs.iter().zip(&expected) {
        close(case, &format!("compiled output {name}"), found, expected);
    }

    // In half the bits, whose results are of as many.
    let half = |x: &Array| if x.dtype() == DType::F32 { x.astype(DType::BF16) } else { x.clone() };
    let narrow: Vec<Array> = inputs.iter().map(half).collect();
    for (found, (name, expected)) in call(&model.map_leaves(half), &narrow, &mut pass()).iter().zip(&expected)
    {
        assert_eq!(found.dtype(), DType::BF16, "{case}: output {name}");
        let found = found.astype(DType::F32);
        within(0.08, case, &format!("output {name} of few bits"), &found, expected);
    }

    let integer = |x: &Array| x.dtype().is_integer();
    let floats: Vec<Array> = inputs.iter().filter(|x| !integer(x)).cloned().collect();
    let loss = |(model, floats): &(M, Vec<Array>)| {
        let mut floats = floats.iter();
        let whole: Vec<Array> = inputs
            .iter()
            .map(|x| if integer(x) { x.clone() } else { floats.next().unwrap().clone() })
            .collect();
        let parts = call(model, &whole, &mut pass()).into_iter().map(|y| weighted(&y));
        parts.reduce(|a, b| a + b).unwrap()
    };
    let slopes = grad(loss)(&(model, floats));
    let found: BTreeMap<String, Array> = slopes
        .0
        .leaves_with_paths()
        .into_iter()
        .map(|(path, array): (String, &Array)| (path, array.clone()))
        .collect();
    for (path, expected) in tensors(case, "dp") {
        close(case, &format!("gradient in {path}"), &found[&path], &expected);
    }
    for (found, (name, expected)) in slopes.1.iter().zip(tensors(case, "dx")) {
        close(case, &format!("gradient in input {name}"), found, &expected);
    }
}

/// The sum of the elements with the weights of the script.
fn weighted(y: &Array) -> Array {
    let numbers: Vec<f32> = (0..y.size()).map(|i| ((7 * i % 11) as f32 - 5.0) / 8.0).collect();
    (y * Array::new(&numbers, &y.shape())).sum(..)
}

/// Checks a module of one input.
pub fn check_module<M: Module>(case: &str, model: M, training: bool) {
    check(case, &model, training, |model, x, cx| vec![model.call(&x[0], cx)]);
}
