use jarrah_array::{Array, DType, Tree, TreeExt, c64, grad, jit, try_trace};
use jarrah_optim::schedules::*;
use jarrah_optim::transforms::*;
use jarrah_optim::*;

#[derive(Clone, Tree)]
struct Params {
    weight: Array,
    bias: Array,
}

fn params() -> Params {
    Params {
        weight: Array::new(&[1.0f32, -2.0, 3.0, -4.0], &[2, 2]),
        bias: Array::from_slice(&[0.5f32, 1.5]),
    }
}

fn bits(p: &Params) -> Vec<u32> {
    let all = [p.weight.to_vec::<f32>().unwrap(), p.bias.to_vec().unwrap()].concat();
    all.into_iter().map(f32::to_bits).collect()
}

fn recipe() -> GradientTransformation {
    let rate = warmup_cosine_decay(0.0, 0.1, 2, 10, 0.01);
    chain([clip_by_global_norm(1.0), adamw(rate, Adam::default(), 0.1, Mask::matrices())])
}

#[test]
fn eager_and_compiled_updates_have_the_same_bits() {
    let optimizer = recipe();
    let eager = optimizer.clone();
    let step = jit(move |((params, state),): &((Params, Leaves),)| {
        let (updates, state) = optimizer.update(params, state, params);
        (apply_updates(params, &updates), state)
    })
    .donate(0);
    let made = eager.clone();
    let init = jit(move |params: &Params| made.init(params));
    let mut a = (params(), init.call(params()).unwrap());
    let mut b = (params(), eager.init(&params()));
    for _ in 0..4 {
        a = step.call((a,)).unwrap();
        let (updates, state) = eager.update(&b.0, &b.1, &b.0);
        b = (apply_updates(&b.0, &updates), state);
    }
    assert_eq!(bits(&a.0), bits(&b.0));
    assert_eq!(step.traces(), 1);
}

#[test]
fn states_are_named() {
    let state = recipe().init(&params());
    let names: Vec<String> =
        state.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
    let expected = ["1.0.count", "1.0.mu.weight", "1.0.mu.bias", "1.0.nu.weight", "1.0.nu.bias", "1.2.count"];
    assert_eq!(names, expected);
}

#[test]
fn decay_is_masked() {
    let zero = Params { weight: Array::zeros(&[2, 2]), bias: Array::zeros(&[2]) };
    let optimizer = add_decayed_weights(0.5, Mask::matrices());
    let (updates, _) = optimizer.update(&zero, &optimizer.init(&params()), &params());
    assert_eq!(updates.weight.to_vec::<f32>().unwrap(), [0.5, -1.0, 1.5, -2.0]);
    assert_eq!(updates.bias.to_vec::<f32>().unwrap(), [0.0, 0.0]);
}

#[test]
fn narrow_parameters_keep_their_dtype() {
    let p = params().map_leaves(|x: &Array| x.astype(DType::BF16));
    let optimizer = recipe();
    let (updates, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    assert!(apply_updates(&p, &updates).leaves().iter().all(|x: &&Array| x.dtype() == DType::BF16));
}

#[test]
fn a_state_of_another_optimizer_is_an_error() {
    let state = sgd(0.1, Sgd::default()).init(&params());
    let error = try_trace(|| recipe().update(&params(), &state, &params())).err().unwrap();
    assert!(error.message().contains("1.0.count"), "{error}");
}

#[test]
fn schedules_that_cannot_be_are_errors() {
    assert!(try_trace(|| warmup_cosine_decay(0.0, 1.0, 10, 10, 0.0)).is_err());
    assert!(try_trace(|| cosine_decay(1.0, 0, 0.0, 1.0)).is_err());
    assert!(try_trace(|| join([constant(1.0), constant(2.0)], [])).is_err());
}

#[test]
fn integers_among_parameters_stay_as_they_are() {
    // No f32 holds these, and the words of a key must not decay.
    let integers = Array::from_slice(&[i64::MAX - 1, -(1 << 53) - 1, 5]);
    let words = Array::from_slice(&[u32::MAX, (1 << 24) + 1]);
    let p = (Array::ones(&[2]), integers.clone(), words.clone());
    let optimizer = adamw(0.1, Adam::default(), 0.5, Mask::all());
    let loss = |(w, _, words): &(Array, Array, Array)| (w * words.astype(DType::F32)).sum(..);
    let (updates, _) = optimizer.update(&grad(loss)(&p), &optimizer.init(&p), &p);
    let (weights, left, key) = apply_updates(&p, &updates);
    assert!(weights.lt(&p.0).all(..).item::<bool>().unwrap());
    assert_eq!(left.to_vec::<i64>().unwrap(), integers.to_vec::<i64>().unwrap());
    assert_eq!(key.to_vec::<u32>().unwrap(), words.to_vec::<u32>().unwrap());
    // An update of an integer that is not 0 is added as before.
    let added = apply_updates(&Array::from_slice(&[3i32]), &Array::from_slice(&[2.0f32]));
    assert_eq!(added.to_vec::<i32>().unwrap(), [5]);
}

#[test]
fn a_masked_optimizer_sees_the_whole_loss() {
    // The gradient at the point that the climb reaches depends on the leaf outside of the mask.
    let p = (Array::scalar_in(2.0, DType::F64), Array::scalar_in(3.0, DType::F64));
    let loss = |(a, b): &(Array, Array)| a.square() * b;
    let slope = grad(loss)(&p);
    let plain = |rate: f64| sgd(rate, Sgd::default());
    let optimizer =
        masked(contrib::opaque_sam(plain(1.0), plain(0.5), 2, true), Mask::new(|path, _| path == "0"));
    let (u, _) = optimizer.update_with(&slope, &optimizer.init(&p), &p, &Extra::new().value_fn(loss));
    // a climbs by 0.5 * 12 to 8, where the gradient is 2 * 8 * 3.
    assert_eq!((u.0.item::<f64>().unwrap(), u.1.item::<f64>().unwrap()), (-48.0, 4.0));
}

#[test]
fn complex_parameters_are_pairs_of_real_ones() {
    let g = Array::from_slice(&[c64 { re: 3.0, im: -4.0 }, c64 { re: 0.5, im: 2.0 }]);
    let optimizer = contrib::split_real_and_imaginary(adam(0.1, Adam::default()));
    let (u, _) = optimizer.update(&g, &optimizer.init(&g), &g);
    let real = adam(0.1, Adam::default());
    let parts = (g.real(), g.imag());
    let (expected, _) = real.update(&parts, &real.init(&parts), &parts);
    assert_eq!(u.real().to_vec::<f32>().unwrap(), expected.0.to_vec::<f32>().unwrap());
    assert_eq!(u.imag().to_vec::<f32>().unwrap(), expected.1.to_vec::<f32>().unwrap());
    // Without it, Adam divides by the root of the average squared absolute value, which is one real number.
    let plain = adam(0.1, Adam::default());
    let (u, _) = plain.update(&g, &plain.init(&g), &g);
    assert!((u.abs() - 0.1).abs().max(..).item::<f32>().unwrap() < 1e-5);
}

#[test]
fn complex_gradients_are_collected_as_they_are() {
    let g = Array::from_slice(&[c64 { re: 1.0, im: 2.0 }]);
    for options in [MultiSteps::every(2), MultiSteps::every(2).accumulator_dtype(DType::F64)] {
        let optimizer = multi_steps(scale(1.0), options);
        let (_, state) = optimizer.update(&g, &optimizer.init(&g), &g);
        let (u, _) = optimizer.update(&g, &state, &g);
        assert_eq!(u.real().to_vec::<f32>().unwrap(), [1.0]);
        assert_eq!(u.imag().to_vec::<f32>().unwrap(), [2.0]);
    }
}

/// The outer of two has taken a step once both have counted to their ends.
#[test]
fn steps_of_steps_tell_when_the_outer_one_updates() {
    let optimizer = multi_steps(multi_steps(scale(-1.0), MultiSteps::every(2)), MultiSteps::every(2));
    let p = Array::scalar(1.0f32);
    let mut state = optimizer.init(&p);
    let mut seen = Vec::new();
    for _ in 0..4 {
        let (u, next) = optimizer.update(&p, &state, &p);
        state = next;
        seen.push((u.item::<f32>().unwrap(), has_updated(&state).item::<bool>().unwrap()));
    }
    assert_eq!(seen, [(0.0, false), (0.0, true), (0.0, false), (-1.0, true)]);
}

#[test]
fn hyperparameters_change_without_compiling_anew() {
    let optimizer = inject_hyperparams([("learning_rate", Schedule::from(0.5))], |h| {
        sgd(h.get("learning_rate"), Sgd { momentum: Some(0.5), nesterov: false })
    });
    let p = Array::scalar(1.0f32);
    let state = optimizer.init(&p);
    let step = jit(move |(p, state): &(Array, Leaves)| optimizer.update(p, state, p));
    let (first, state) = step.call((p.clone(), state)).unwrap();
    let state = tree::set(&state, "learning_rate", &Array::scalar(0.25f32));
    let (second, _) = step.call((p, state)).unwrap();
    assert_eq!((first.item::<f32>().unwrap(), second.item::<f32>().unwrap()), (-0.5, -0.375));
    assert_eq!(step.traces(), 1);
}

#[test]
fn a_line_search_leaves_value_and_gradient() {
    let loss = |p: &Array| (p - 3.0).square().sum(..);
    let optimizer = lbfgs(None::<f64>, Lbfgs::default());
    let p = Array::from_slice(&[1.0f64, -1.0]);
    let extra = Extra::new().value(&loss(&p)).grad(&grad(loss)(&p)).value_fn(loss);
    let (u, state) = optimizer.update_with(&grad(loss)(&p), &optimizer.init(&p), &p, &extra);
    let p = apply_updates(&p, &u);
    let (value, slope) = value_and_grad_from_state(loss)(&p, &state);
    assert_eq!(value.item::<f64>().unwrap(), loss(&p).item::<f64>().unwrap());
    assert_eq!(slope.to_vec::<f64>().unwrap(), grad(loss)(&p).to_vec::<f64>().unwrap());
}

#[test]
fn parts_of_a_batch_give_what_the_whole_does() {
    let x = Array::arange(12.0).reshape(&[6, 2]);
    let f = |x: &Array| (x.square().mean(0), x * 2.0);
    let whole = f(&x);
    let mean = microbatch(f, 2, Accumulate::Mean)(&x).0;
    assert!(mean.allclose(&whole.0, 1e-6, 0.0).item::<bool>().unwrap());
    let all = microbatch(f, 3, Accumulate::Concat)(&x).1;
    assert_eq!(all.to_vec::<f32>().unwrap(), whole.1.to_vec::<f32>().unwrap());
    let sum = microbatch(|x: &Array| x.sum(0), 1, Accumulate::Sum)(&x);
    assert_eq!(sum.to_vec::<f32>().unwrap(), x.sum(0).to_vec::<f32>().unwrap());
}
