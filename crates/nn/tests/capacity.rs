//! Experts that take so many tokens and no more: see `oracle/experts.py`.

use std::collections::BTreeMap;

use jarrah_array::random::Key;
use jarrah_array::{Array, jit, try_trace, value_and_grad_with_aux};
use jarrah_nn::{
    Activation, AdapterRows, Adapters, Capacity, Context, Experts, Gate, Linear, Module, Routing, Score,
    State,
};

use crate::flax::golden;

fn layer(golden: &BTreeMap<String, Array>) -> Experts {
    let routing =
        Routing { active: 2, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    let mut layer = Experts::new(&Key::new(0), 5, 6, 4, Gate::Plain(Activation::SILU), routing);
    layer.router = Linear { weight: golden["router"].clone().into(), bias: None };
    layer.gate_up = golden["gate_up"].clone().into();
    layer.down = golden["down"].clone().into();
    layer
}

fn far(found: &Array, wanted: &Array) -> f32 {
    assert_eq!(found.shape(), wanted.shape());
    (found - wanted).abs().max(..).item::<f32>().unwrap() / wanted.abs().max(..).item::<f32>().unwrap()
}

#[test]
fn what_is_dropped_is_what_comes_last() {
    let golden = golden("capacity");
    let layer = layer(&golden);
    let mut outputs = Vec::new();
    for i in 0..5 {
        let factor = f64::from(golden[&format!("{i}.factor")].item::<f32>().unwrap());
        let loss = |(layer, x): &(Experts, Array)| {
            let y = layer.call(x, &mut Context::eval().with(Capacity { factor }));
            ((&y * &golden["by"]).sum(..), y)
        };
        let both = jit(move |at: &(Experts, Array)| value_and_grad_with_aux(loss)(at));
        let ((_, y), (slope, dx)) = both.call((layer.clone(), golden["x"].clone())).unwrap();
        let wanted = |name: &str| &golden[&format!("{i}.{name}")];
        assert!(far(&y, wanted("y")) < 1e-5, "{factor}");
        let slopes = [
            ("x", dx),
            ("router", slope.router.weight.get()),
            ("gate_up", slope.gate_up.get()),
            ("down", slope.down.get()),
        ];
        for (name, found) in slopes {
            let off = far(&found, wanted(&format!("grad.{name}")));
            assert!(off < 1e-5, "{factor}, {name}: {off}");
        }
        outputs.push(y);
    }
    let all = layer.call(&golden["x"], &mut Context::eval());
    // With room for all it is the same function; with less, some tokens are left out altogether.
    assert!(far(&outputs[4], &all) < 1e-6);
    assert!(outputs[0].eq(0).all(-1).any(..).item::<bool>().unwrap());
    assert!(far(&outputs[2], &all) > 1e-2);
}

/// Llama 4's weights are on what experts take, and biases are added to it: neither lets through what is dropped.
#[test]
fn nothing_of_what_is_dropped_comes_through() {
    let golden = golden("capacity");
    let mut layer = layer(&golden);
    layer.weighted_inputs = true;
    layer.down_bias = Some(Array::ones(&[5, 6]).into());
    layer.routing.active = 1;
    layer.routing.normalize = false;
    let x = golden["x"].slice(0, 0..1).slice(1, 0..1).broadcast_to(&[1, 8, 6]);
    for (factor, taken) in [(0.5, 1), (1.0, 2), (2.0, 4), (10.0, 8)] {
        let y = layer.call(&x, &mut Context::eval().with(Capacity { factor }));
        let there: Vec<bool> = y.ne(0).all(-1).to_vec().unwrap();
        assert_eq!(there, (0..8).map(|t| t < taken).collect::<Vec<_>>(), "{factor}");
    }
}

#[test]
fn factors_are_above_zero() {
    let layer = layer(&golden("capacity"));
    for factor in [0.0, -1.0, f64::NAN] {
        let run = || layer.call(&Array::zeros(&[1, 2, 6]), &mut Context::eval().with(Capacity { factor }));
        let error = try_trace(run).unwrap_err().to_string();
        assert!(error.contains("capacity factor of experts"), "{error}");
    }
    assert_eq!(Capacity { factor: 1.25 }.of(14, 2, 5), 7);
    assert_eq!(Capacity { factor: 0.1 }.of(1, 1, 8), 1);
}

#[test]
fn an_adapter_of_a_router_changes_the_logits_of_the_router() {
    let routing =
        Routing { active: 2, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    let layer = Experts::new(&Key::new(0), 5, 6, 4, Gate::Plain(Activation::SILU), routing);
    let x = Key::new(1).normal(&[3, 6]);
    let logits = |cx: Context| {
        let mut cx = cx.capturing("router");
        layer.call(&x, &mut cx);
        cx.captured().array("router").unwrap()
    };
    let (a, b) = (Array::ones(&[6, 1]), Array::new(&[1.0f32, 0.0, 0.0, 0.0, 0.0], &[1, 5]));
    let mut state = State::default();
    state.set("router.adapters", Adapters::empty(1, 6, 5, 1).with(0, Some((&a, &b, 1.0))));
    let rows = AdapterRows { sizes: Array::from_slice(&[3i32]) };
    let more = logits(Context::eval().with_state(&state).with(rows)) - logits(Context::eval());
    assert!(far(&more, &(x.sum(-1).expand_dims(-1) * b)) < 1e-5, "{more}");
}
