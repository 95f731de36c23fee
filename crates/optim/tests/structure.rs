//! Updates, states and parameters that do not fit each other are errors at the user's line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, try_trace};
use jarrah_optim::transforms::*;
use jarrah_optim::*;

#[derive(Clone, Tree)]
struct Params {
    weight: Array,
    bias: Option<Array>,
}

fn params(width: usize, bias: bool) -> Params {
    Params { weight: Array::ones(&[2, width]), bias: bias.then(|| Array::ones(&[width])) }
}

/// The first line of the panic in `f`, whose header must name a line of this file.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    static SEEN: Mutex<Option<String>> = Mutex::new(None);
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let me = std::thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == me {
            let line = info.payload_as_str().unwrap_or("").lines().next().unwrap_or("").to_owned();
            let place = info.location().unwrap().file().rsplit('/').next().unwrap_or("").to_owned();
            *SEEN.lock().unwrap() = Some(format!("{place}: {line}"));
        }
    }));
    let outcome = catch_unwind(AssertUnwindSafe(f));
    std::panic::set_hook(before);
    assert!(outcome.is_err(), "it did not panic");
    SEEN.lock().unwrap().take().unwrap()
}

fn optimizer() -> GradientTransformation {
    chain([clip_by_global_norm(1.0), adam(0.1, Adam::default())])
}

#[test]
fn updates_are_like_the_parameters() {
    let (p, o) = (params(3, true), optimizer());
    let state = o.init(&p);
    assert_eq!(
        panic_of(|| o.update(&params(3, false), &state, &p)),
        "structure.rs: [chain] update bias is None, parameter bias is Some"
    );
    assert_eq!(
        panic_of(|| o.update(&params(4, true), &state, &p)),
        "structure.rs: [chain] update weight is f32[2,4], parameter weight is f32[2,3]"
    );
    let all = || vec![params(3, true), params(3, true)];
    let momentum = trace(0.9, false);
    assert_eq!(
        panic_of(|| momentum.update(&all()[..1].to_vec(), &momentum.init(&all()), &all())),
        "structure.rs: [trace] the update is a sequence of 1, the parameter is a sequence of 2"
    );
}

#[test]
fn states_are_of_the_parameters() {
    let o = optimizer();
    let (p, other) = (params(3, true), params(4, true));
    assert_eq!(
        panic_of(|| o.update(&p, &o.init(&other), &p)),
        "structure.rs: [optimizer state] state 1.0.mu.weight is f32[2,4], for these parameters it is f32[2,3]"
    );
    assert_eq!(
        panic_of(|| o.update(&p, &o.init(&params(3, false)), &p)),
        "structure.rs: [optimizer state] state 1.0.mu.bias is missing, for these parameters it is a leaf"
    );
    let momentum = trace(0.9, false);
    assert_eq!(
        panic_of(|| momentum.update(&p, &o.init(&p), &p)),
        "structure.rs: [optimizer state] state trace.weight is missing, for these parameters it is a leaf"
    );
}

#[test]
fn what_is_applied_is_like_the_parameters() {
    let p = params(1, true);
    assert_eq!(
        panic_of(|| apply_updates(&p, &params(1, false))),
        "structure.rs: [apply_updates] update bias is None, parameter bias is Some"
    );
    // Broadcasting would make the parameters larger.
    assert_eq!(
        panic_of(|| apply_updates(&p, &params(3, true))),
        "structure.rs: [apply_updates] update weight is f32[2,3], parameter weight is f32[2,1]"
    );
}

#[test]
fn a_state_is_restored_into_its_structure_only() {
    let state = Leaves::of(&params(3, true));
    assert_eq!(
        panic_of(|| state.restore(&params(3, false))),
        "structure.rs: [optimizer state] state bias is a leaf, for these parameters it is missing"
    );
    let restored = state.restore(&params(3, true));
    assert_eq!(restored.weight.shape(), [2, 3]);
}

#[test]
fn what_an_optimizer_needs_beside_is_named() {
    let p = params(3, true);
    let o = chain([clip(1.0), polyak_sgd(PolyakSgd::default())]);
    let state = o.init(&p);
    assert_eq!(panic_of(|| o.update(&p, &state, &p)), "structure.rs: [chain] this optimizer needs `value`");
    let error = try_trace(|| o.update(&p, &state, &p)).err().unwrap().to_string();
    assert!(error.contains("call update_with and give Extra::new().value(&loss)"), "{error}");
    let search = lbfgs(None::<f64>, Lbfgs::default());
    let extra = Extra::new().value(&Array::scalar(1.0f32));
    assert_eq!(
        panic_of(|| search.update_with(&p, &search.init(&p), &p, &extra)),
        "structure.rs: [chain] this optimizer needs `value_fn`"
    );
    // A wrapper passes on what is missing, also out of a branch.
    let sophia = contrib::sophia(
        0.1,
        contrib::Sophia::default(),
        contrib::hutchinson_estimator_diag_hessian(&Key::new(0)),
        0.0,
        Mask::all(),
    );
    let held = masked(sophia, Mask::matrices());
    assert_eq!(
        panic_of(|| held.update(&p, &held.init(&p), &p)),
        "structure.rs: [masked] this optimizer needs `value_fn`"
    );
}

#[test]
fn groups_and_names_fit() {
    let p = params(3, true);
    let o = partition([("weights", sgd(0.1, Sgd::default()))], |path, _| path.to_owned());
    let state = Leaves::default();
    assert_eq!(
        panic_of(|| o.update(&p, &state, &p)),
        "structure.rs: [partition] parameter weight has the label \"weight\", the groups are [\"weights\"]"
    );
    assert_eq!(
        panic_of(|| named_chain([("a", scale(1.0)), ("a", scale(2.0))])),
        "structure.rs: [named_chain] two transformations are named \"a\""
    );
    let h = inject_hyperparams([("learning_rate", 0.1.into())], |h| sgd(h.get("rate"), Sgd::default()));
    let error = try_trace(|| h.init(&p)).err().unwrap();
    assert!(error.message().contains("no hyper-parameter is named \"rate\""), "{error}");
    let adam = adam(0.1, Adam::default()).init(&p);
    assert_eq!(panic_of(|| tree::get(&adam, "mu")), "structure.rs: [get] no leaf is named \"mu\"");
    assert_eq!(
        panic_of(|| tree::set(&adam, "count", &Array::ones(&[2]))),
        "structure.rs: [set] 0.count is i32[], the value is f32[2]"
    );
    let error = try_trace(|| microbatch(|x: &Array| x.sum(..), 2, Accumulate::Sum)(&Array::ones(&[3])))
        .err()
        .unwrap();
    let error = error.to_string();
    assert!(error.starts_with("[microbatch] a batch of f32[3] has no parts of 2"), "{error}");
    assert!(error.contains("structure.rs"), "{error}");
}

#[test]
fn impossible_numbers_are_errors() {
    let of = |f: &dyn Fn() -> GradientTransformation| try_trace(f).err().map(|e| e.message().to_owned());
    assert!(of(&|| apply_every(0)).is_some());
    assert!(of(&|| lookahead(scale(1.0), 0, 0.5, false)).is_some());
    assert!(of(&|| multi_steps(scale(1.0), MultiSteps::every(0))).is_some());
    let plateau = contrib::ReduceOnPlateau { factor: 1.5, ..contrib::ReduceOnPlateau::default() };
    assert!(of(&|| contrib::reduce_on_plateau(plateau)).is_some());
    assert!(of(&|| scale_by_lbfgs(Lbfgs { memory_size: 0, ..Lbfgs::default() })).is_some());
}
