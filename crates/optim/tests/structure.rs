//! Updates, states and parameters that do not fit each other are errors at the user's line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use jarrah_array::{Array, Tree};
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
