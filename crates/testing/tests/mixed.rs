//! Mixed precision: products of 8 bits against Flax, loss scales against jmp's rule, and a GPT that is trained in 16 bits.

use std::collections::BTreeMap;

use jarrah_array::random::Key;
use jarrah_array::{
    Array, DType, Imported, Literal, Policy, TreeExt, autocast, grad, jit, make_program, mixed, scan_length,
    stack, try_trace, value_and_grad, value_and_grad_with_aux, vjp, vmap,
};
use jarrah_hlo::{Op, Program};
use jarrah_models::Decoder;
use jarrah_nn::{F8Scale, F8State, f8_dot, f8_dot_current};
use jarrah_optim::{
    Adam, Leaves, LossScale, Sgd, adam, all_finite, apply_updates, loss_scaled, scaled_value_and_grad, sgd,
};
use jarrah_testing::golden_tensors;

use crate::gpt::{config, mean_loss};

type Goldens = BTreeMap<String, Literal>;

fn goldens() -> Goldens {
    golden_tensors("mixed.safetensors").unwrap()
}

fn array(goldens: &Goldens, name: &str) -> Array {
    Array::from_literal(goldens[name].clone())
}

/// The root of the sum of squares of the difference over that of `expected`.
fn distance(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    let off = squares(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    off / squares(&mut expected.iter().copied()).max(f64::MIN_POSITIVE)
}

fn values(x: &Array) -> Vec<f64> {
    x.to_literal().unwrap().to_f64_vec()
}

#[test]
fn f8_products_and_their_states_are_those_of_flax() {
    let goldens = goldens();
    let near = |name: &str, found: &Array, tolerance: f64| {
        let off = distance(&values(found), &goldens[name].to_f64_vec());
        assert!(off <= tolerance, "{name}: off by {off:e}");
    };
    let mut state = F8State::new(3);
    let step = jit(|(x, w, ct, state): &(Array, Array, Array, F8State)| {
        let (y, pull) = {
            let args = (x.clone(), w.clone(), state.clone());
            vjp(|(x, w, state): &(Array, Array, F8State)| f8_dot(x, w, state), &args)
        };
        (y, pull(ct))
    });
    for i in 0..6 {
        let [x, w, ct] = ["x", "w", "ct"].map(|name| array(&goldens, &format!("f8/{name}/{i}")));
        let (y, (dx, dw, next)) = step.call((x.clone(), w.clone(), ct.clone(), state)).unwrap();
        for (name, found) in [("y", &y), ("dx", &dx), ("dw", &dw)] {
            near(&format!("f8/{name}/{i}"), found, 1e-6);
        }
        for (name, F8Scale { scale, amax_history, .. }) in
            [("lhs", &next.lhs), ("rhs", &next.rhs), ("gradient", &next.gradient)]
        {
            near(&format!("f8/{name}/scale/{i}"), scale, 0.0);
            near(&format!("f8/{name}/history/{i}"), amax_history, 0.0);
        }
        state = next;
        let (y, pull) = vjp(|(x, w): &(Array, Array)| f8_dot_current(x, w), &(x, w));
        let (dx, dw) = pull(&ct);
        for (name, found) in [("y", &y), ("dx", &dx), ("dw", &dw)] {
            near(&format!("current/{name}/{i}"), found, 1e-6);
        }
    }
}

#[test]
fn f8_products_take_stacks_and_narrow_floats_and_refuse_the_rest() {
    let (x, w) = (Key::new(1).normal(&[2, 3, 4]), Key::new(2).normal(&[4, 5]));
    let plain = values(&x.matmul(&w));
    // Three bits of fraction: each operand is off by a sixteenth at most.
    assert!(distance(&values(&f8_dot_current(&x, &w)), &plain) < 0.125);
    assert!(distance(&values(&f8_dot(&x, &w, &F8State::new(4))), &plain) < 0.125);
    let (x16, w16) = (x.astype(DType::BF16), w.astype(DType::BF16));
    let (y, pull) = vjp(|(x, w): &(Array, Array)| f8_dot_current(x, w), &(x16, w16));
    assert_eq!(y.dtype(), DType::BF16);
    let (dx, dw) = pull(&Array::ones_like(&y));
    assert_eq!((dx.dtype(), dw.dtype()), (DType::BF16, DType::BF16));
    assert_eq!(dx.shape(), [2, 3, 4]);
    assert_eq!(dw.shape(), [4, 5]);
    for (a, b) in
        [(x.astype(DType::F64), w.astype(DType::F64)), (x.clone(), w.t()), (x.clone(), w.astype(DType::BF16))]
    {
        let error = try_trace(|| f8_dot_current(&a, &b)).unwrap_err();
        assert!(error.to_string().contains("do not fit"), "{error}");
    }
    let error = try_trace(|| F8State::new(0)).unwrap_err();
    assert!(error.to_string().contains("a history of no step"), "{error}");
}

/// The product, and what the backward pass gives for the cotangent `x`: with a state if there is one.
fn f8_step(x: &Array, w: &Array, state: Option<&F8State>) -> (Array, Array, Option<F8State>) {
    match state {
        None => {
            let (y, pull) = vjp(|x: &Array| f8_dot_current(x, w), x);
            (y.clone(), pull(x), None)
        }
        Some(state) => {
            let (y, pull) =
                vjp(|(x, state): &(Array, F8State)| f8_dot(x, w, state), &(x.clone(), state.clone()));
            let (dx, next) = pull(x);
            (y, dx, Some(next))
        }
    }
}

#[test]
fn f8_products_of_tiny_numbers_are_tiny_in_every_type() {
    // 1e-44 / 448 is 0 in f32, 1e-37 has a scale of 2^-131, and 1e-6 one that is 0 in f16.
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        for most in [0.0, 1e-44, 1e-40, 1e-37, 1e-20, 1e-7, 1e-6, 1.0, 6e4] {
            let x = Array::from_slice(&[most, 0.0, -most / 2.0, 0.0]).reshape(&[2, 2]).astype(dtype);
            let w = Array::eye(2).astype(dtype);
            let exact = values(&x);
            let near = |name: &str, found: &Array| {
                for (found, exact) in values(found).into_iter().zip(&exact) {
                    // Half a unit of e4m3, of e5m2 where scales are the least, and what products of bf16 take for zeros.
                    let off = (found - exact).abs();
                    assert!(
                        off <= exact.abs() / 8.0 + 2e-38,
                        "{name}, {dtype}, {most:e}: {found:e} is not {exact:e}"
                    );
                }
            };
            let (y, dx, _) = f8_step(&x, &w, None);
            near("current", &y);
            near("gradient", &dx);
            let mut state = F8State::new(1);
            for step in 0..3 {
                let (y, dx, next) = f8_step(&x, &w, Some(&state));
                state = next.unwrap();
                // The first step has the scale 1, in which small numbers are zeros and large ones 448.
                if step > 0 {
                    near("delayed", &y);
                    near("delayed gradient", &dx);
                }
            }
        }
    }
}

#[test]
fn f8_states_come_through_loops_loss_scales_and_steps_without_them() {
    let (x, w) = (Key::new(1).normal(&[4, 4]), Key::new(2).normal(&[4, 4]) * 0.5);
    let at = |scale: &F8Scale| {
        let F8Scale { scale, amax_history, uses } = scale;
        [values(&(scale / uses)), values(&(amax_history / uses))].concat()
    };
    let optimizer = loss_scaled(LossScale::Static(1024.0), sgd(1.0, Sgd::default()));
    let scaled = optimizer.init(&w);
    let once = |x: &Array, s: &F8State| f8_dot(x, &w, s).tanh().sum(..);
    let mut states: [F8State; 4] = std::array::from_fn(|_| F8State::new(3));
    for step in 0..6 {
        let x = &x * f64::from(step + 1);
        let [single, under_a_scale, looped, batched] = &mut states;
        *single = value_and_grad(|s: &F8State| once(&x, s))(single).1;
        *under_a_scale = scaled_value_and_grad(|s: &F8State| once(&x, s), &scaled)(under_a_scale).1;
        let of_four = |s: &F8State| {
            let add = |sum: &Array, (): &()| (sum + once(&x, s), ());
            scan_length(add, &Array::zeros(&[]), &(), 4).0
        };
        *looped = value_and_grad(of_four)(looped).1;
        let rows = stack(&[&x, &x, &x, &x], 0);
        *batched = value_and_grad(|s: &F8State| vmap(|x: &Array| once(x, s))(&rows).sum(..))(batched).1;
        for (name, state) in [("loop", &*looped), ("vmap", &*batched)] {
            for (found, expected) in [(&state.lhs, &single.lhs), (&state.gradient, &single.gradient)] {
                assert_eq!(at(found), at(expected), "{name}, step {step}");
            }
        }
        assert_eq!(at(&under_a_scale.lhs), at(&single.lhs), "loss scale, step {step}");
        assert_eq!(values(&single.lhs.uses), [1.0]);
    }
    // What no result depends on has the gradient 0: the next step begins anew.
    let unused = grad(|s: &F8State| f8_dot(&x, &w, s).round().sum(..))(&states[0]);
    assert_eq!(values(&f8_dot(&x, &w, &unused)), values(&f8_dot(&x, &w, &F8State::new(3))));
    // A product of no rows, or over none, is one of zeros, and has no magnitude.
    for (x, w) in [(Array::zeros(&[0, 4]), w.clone()), (Array::zeros(&[3, 0]), Array::zeros(&[0, 4]))] {
        let loss = |s: &F8State| {
            let y = f8_dot(&x, &w, s);
            (y.sum(..), y)
        };
        let ((_, y), state) = value_and_grad_with_aux(loss)(&states[0]);
        assert_eq!(values(&y), vec![0.0; x.shape()[0] * 4]);
        assert_eq!(state.lhs.amax_history.index(0).item::<f32>().unwrap(), 0.0);
    }
}

#[test]
fn loss_scales_reach_every_kind_of_leaf() {
    let optimizer = loss_scaled(LossScale::Static(131072.0), sgd(1.0, Sgd::default()));
    let state = optimizer.init(&Array::ones(&[1]));
    // The scale is no f16.
    let narrow = Array::ones(&[1]).astype(DType::F16);
    let loss = |w: &Array| (w.astype(DType::F32) * 0.25).sum(..);
    let (_, slope) = scaled_value_and_grad(loss, &state)(&narrow);
    assert_eq!((slope.dtype(), values(&slope)), (DType::F16, vec![0.25]));
    let complex = Array::ones(&[1]).astype(DType::C64);
    let loss = |w: &Array| w.abs().square().sum(..);
    let (_, slope) = scaled_value_and_grad(loss, &state)(&complex);
    assert_eq!(slope.to_literal().unwrap(), grad(loss)(&complex).to_literal().unwrap());
    let not_finite = Array::full(&[1], f64::NAN, DType::F32).astype(DType::C64);
    assert!(!all_finite(&not_finite).item::<bool>().unwrap());
    let error = try_trace(|| scaled_value_and_grad(|w: &Array| w.clone(), &state)(&narrow)).unwrap_err();
    assert!(error.to_string().contains("testing/tests/mixed.rs"), "{error}");
    // A scale that is 0 in f32 divides by 0, one that grows by 1 never changes.
    let dynamic = |initial, factor, min| LossScale::Dynamic { initial, period: 2, factor, min };
    for wrong in [
        LossScale::Static(1e-50),
        dynamic(1.0, 2.0, 1e-50),
        dynamic(1.0, 2.0, 8.0),
        dynamic(1.0, 1e300, 1.0),
        dynamic(1.0, 1.0 + 1e-12, 1.0),
    ] {
        let error = try_trace(|| loss_scaled(wrong, sgd(1.0, Sgd::default()))).unwrap_err();
        assert!(error.to_string().contains("is no loss scale"), "{wrong:?}: {error}");
    }
}

#[test]
fn loss_scales_go_as_those_of_jmp() {
    let goldens = goldens();
    let dynamic = |initial, period, factor, min| LossScale::Dynamic { initial, period, factor, min };
    for (name, scale) in [
        ("grows", dynamic(8.0, 3, 2.0, 1.0)),
        ("skips", dynamic(1024.0, 4, 2.0, 1.0)),
        ("least", dynamic(4.0, 5, 4.0, 0.5)),
        ("largest", dynamic(2f64.powi(126), 2, 4.0, 1.0)),
    ] {
        let column = |what: &str| goldens[&format!("scale/{name}/{what}")].to_f64_vec();
        let (finite, scales, counters) = (column("finite"), column("scale"), column("counter"));
        // Momentum, so that there is a state which a skipped step must leave alone.
        let inner = || sgd(0.5, Sgd { momentum: Some(0.5), ..Sgd::default() });
        let (optimizer, plain) = (loss_scaled(scale, inner()), inner());
        let mut params = Array::from_slice(&[1.0f32, -2.0]);
        let mut state = optimizer.init(&params);
        let (mut plain_params, mut plain_state) = (params.clone(), plain.init(&params));
        let mut skipped = 0.0;
        for (i, &finite) in finite.iter().enumerate() {
            let bad = if i % 2 == 0 { f32::NAN } else { f32::NEG_INFINITY };
            let gradient = Array::from_slice(&[0.25f32, if finite == 1.0 { 1.0 } else { bad }]);
            let (updates, next) = optimizer.update(&gradient, &state, &params);
            (params, state) = (apply_updates(&params, &updates), next);
            if finite == 1.0 {
                let (updates, next) = plain.update(&gradient, &plain_state, &plain_params);
                (plain_params, plain_state) = (apply_updates(&plain_params, &updates), next);
            } else {
                skipped += 1.0;
            }
            let found: Vec<f64> =
                state.leaves().into_iter().take(3).map(|x: &Array| x.to_f64().unwrap()).collect();
            assert_eq!(found, [scales[i], counters[i], skipped], "{name}, step {i}");
            assert_eq!(values(&params), values(&plain_params), "{name}, step {i}");
        }
    }
    let error = try_trace(|| loss_scaled(LossScale::Static(0.0), sgd(1.0, Sgd::default()))).unwrap_err();
    assert!(error.to_string().contains("is no loss scale"), "{error}");
    let none = sgd(1.0, Sgd::default()).init(&Array::ones(&[]));
    let error =
        try_trace(|| scaled_value_and_grad(|x: &Array| x.clone(), &none)(&Array::ones(&[]))).unwrap_err();
    assert!(error.to_string().contains("has no loss scale"), "{error}");
}

fn small() -> (Decoder, (Array, Array)) {
    let model = Decoder::new(&config([2, 4, 32], 16, 29), &Key::new(3));
    // A text in which the next character follows from the two before.
    let mut text = vec![1, 2];
    while text.len() < 8 * 16 + 1 {
        let n = text.len();
        text.push((3 * text[n - 1] + text[n - 2] + 1) % 29);
    }
    (model, (Array::new(&text[..128], &[8, 16]), Array::new(&text[1..], &[8, 16])))
}

#[test]
fn gradients_in_sixteen_bits_are_near_those_in_doubles() {
    let (model, (x, y)) = small();
    let loss = |m: &Decoder| mean_loss(m, &x, &y);
    let wide: Decoder = model.map_leaves(|w: &Array| w.astype(DType::F64));
    let (truth, slopes) = value_and_grad(loss)(&wide);
    let flat = |m: &Decoder| -> Vec<f64> { m.leaves().into_iter().flat_map(|a: &Array| values(a)).collect() };
    let truth = (truth.to_f64().unwrap(), flat(&slopes));
    let off = |(value, slopes): (Array, Decoder)| {
        assert!(slopes.leaves().iter().all(|a: &&Array| a.dtype() == DType::F32));
        ((value.to_f64().unwrap() - truth.0).abs() / truth.0, distance(&flat(&slopes), &truth.1))
    };
    let state = loss_scaled(LossScale::Static(1024.0), adam(1e-3, Adam::default())).init(&model);
    let errors = [
        ("f32", off(value_and_grad(loss)(&model)), (1e-6, 1e-5)),
        ("autocast bf16", off(value_and_grad(autocast(DType::BF16, loss))(&model)), (1e-3, 1e-2)),
        (
            "autocast f16",
            off(scaled_value_and_grad(autocast(DType::F16, loss), &state)(&model)),
            (1e-4, 2e-3),
        ),
        ("mixed bf16", off(value_and_grad(mixed(Policy::mixed(DType::BF16), loss))(&model)), (1e-2, 5e-2)),
    ];
    println!("{errors:#?}");
    for (name, (value, slope), (most, of_slope)) in errors {
        assert!(value <= most && slope <= of_slope, "{name}: {value:e}, {slope:e}");
    }
}

fn instructions<'a>(program: &'a Program, all: &mut Vec<(&'a Program, &'a jarrah_hlo::Instr)>) {
    for instr in program.instrs() {
        all.push((program, instr));
        instr.op.programs().into_iter().for_each(|inner| instructions(inner, all));
    }
}

#[test]
fn a_training_step_rounds_each_weight_once_and_multiplies_in_sixteen_bits_alone() {
    let (model, (x, y)) = small();
    let loss = |m: &Decoder| mean_loss(m, &x, &y);
    let program = make_program(|m: &Decoder| value_and_grad(autocast(DType::BF16, loss))(m), &model);
    let program = jarrah_compiler::simplified(&program, &jarrah_cpu::Processor::default()).unwrap();
    let mut all = Vec::new();
    instructions(&program, &mut all);
    let mut products = 0;
    for (program, instr) in &all {
        if matches!(instr.op, Op::DotGeneral(_) | Op::Attention(_)) {
            products += 1;
            assert_eq!(program.ty(instr.operands[0]).dtype(), DType::BF16, "{instr:?}");
        }
    }
    // Five products forward in each of two blocks, attention among them, and the output; two backward for each product.
    assert!(products >= 3 * (2 * 4 + 1), "{products}");
    let weights = program.params().len();
    let mut rounded = vec![0; weights];
    for instr in program.instrs() {
        if matches!(&instr.op, Op::Convert(c) if c.to == DType::BF16) && instr.operands[0].index() < weights {
            rounded[instr.operands[0].index()] += 1;
        }
    }
    assert!(rounded.iter().all(|&n| n <= 1), "{rounded:?}");
    assert!(rounded.iter().sum::<usize>() >= 2 * 4, "{rounded:?}");
}

/// The losses of 50 steps in a precision.
fn trained(precision: Option<DType>) -> Vec<f64> {
    let (model, (x, y)) = small();
    let optimizer = loss_scaled(LossScale::default(), adam(1e-2, Adam::default()));
    let mut state = (optimizer.init(&model), model);
    let step = jit(move |(opt, model): &(Leaves, Decoder)| {
        let loss = |m: &Decoder| {
            let loss = |m: &Decoder| mean_loss(m, &x, &y);
            match precision {
                Some(compute) => autocast(compute, loss)(m),
                None => loss(m),
            }
        };
        let (value, slopes) = scaled_value_and_grad(loss, opt)(model);
        let (updates, opt) = optimizer.update(&slopes, opt, model);
        ((opt, apply_updates(model, &updates)), value)
    });
    let mut losses = Vec::new();
    for _ in 0..50 {
        let value: Array;
        (state, value) = step.call(state).unwrap();
        losses.push(value.to_f64().unwrap());
    }
    losses
}

#[test]
fn a_gpt_trained_in_sixteen_bits_learns_as_one_in_thirty_two() {
    let last = |precision| {
        let losses = trained(precision);
        println!("{precision:?}: {:.4} to {:.4}", losses[0], losses[49]);
        assert!((losses[0] - 29f64.ln()).abs() < 0.2, "{losses:?}");
        losses[49]
    };
    let wide = last(None);
    assert!(wide < 1.5, "{wide}");
    for narrow in [DType::BF16, DType::F16] {
        let loss = last(Some(narrow));
        assert!((loss - wide).abs() < 0.1 + 0.05 * wide, "{narrow}: {loss} is not near {wide}");
    }
}

#[test]
fn imported_programs_and_batches_compute_in_sixteen_bits_too() {
    let text = r#"
    func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x5xf32>) -> tensor<f32> {
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
      %t = stablehlo.tanh %y : tensor<3x5xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }"#;
    let f = Imported::from_bytes("example", text.as_bytes()).unwrap();
    let (x, w) = (Key::new(1).normal(&[2, 3, 4]), Key::new(2).normal(&[4, 5]));
    let one = x.index(0);
    let imported = value_and_grad(autocast(DType::BF16, |w: &Array| f.call(&[&one, w]).swap_remove(0)))(&w);
    let traced = value_and_grad(autocast(DType::BF16, |w: &Array| one.matmul(w).tanh().sum(..)))(&w);
    let plain = value_and_grad(|w: &Array| one.matmul(w).tanh().sum(..))(&w);
    assert_eq!(values(&imported.0), values(&traced.0));
    assert_eq!(values(&imported.1), values(&traced.1));
    assert_ne!(values(&imported.1), values(&plain.1));
    let batched =
        vmap(|x: &Array| value_and_grad(autocast(DType::BF16, |w: &Array| x.matmul(w).tanh().sum(..)))(&w))(
            &x,
        );
    assert_eq!(values(&batched.1.index(0)), values(&traced.1));
    let error = try_trace(|| autocast(DType::F32, |x: &Array| x.clone())(&x)).unwrap_err();
    assert!(error.to_string().contains("f32 is no type to compute in"), "{error}");
}
