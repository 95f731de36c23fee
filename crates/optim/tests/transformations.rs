use jarrah_array::{Array, DType, Tree, TreeExt, grad, jit, try_trace};
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
