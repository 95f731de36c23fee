//! Trees that have to be of one structure are, or the error says where they differ and what stands on each side.

use std::collections::BTreeMap;

use jarrah_array::*;

#[derive(Clone, Debug, Tree)]
enum Side {
    Left(Array),
    Right(Array),
}

#[derive(Clone, Debug, Tree)]
struct State {
    mean: Array,
    extra: Option<Array>,
    parts: Vec<Array>,
    #[tree(static)]
    decay: f64,
}

fn one() -> Array {
    Array::scalar(1.0f32)
}

fn state() -> State {
    State { mean: one(), extra: None, parts: vec![one()], decay: 0.5 }
}

/// The message and op of the error that `f` must end in.
#[track_caller]
fn error_of<R>(f: impl FnOnce() -> R) -> String {
    match try_trace(f) {
        Ok(_) => panic!("trees of other structure were taken"),
        Err(error) => {
            let place = error.location().expect("an error has a place").file();
            assert!(place.ends_with("structure.rs"), "{error}");
            error.to_string().lines().next().unwrap_or("").to_owned()
        }
    }
}

fn scan_to<C: Tree<Array>>(init: C, next: impl Fn(&C) -> C) -> String {
    error_of(|| scan(|c: &C, x: &Array| (next(c), x.clone()), &init, &Array::from_slice(&[1.0f32, 2.0])))
}

#[test]
fn a_scan_keeps_the_structure_of_its_carry() {
    assert_eq!(
        scan_to(vec![one()], |_| vec![]),
        "[scan] the carry enters the body as a sequence of 1 and leaves it as a sequence of 0"
    );
    assert_eq!(
        scan_to(vec![one()], |c| vec![c[0].clone(), one()]),
        "[scan] the carry enters the body as a sequence of 1 and leaves it as a sequence of 2"
    );
    assert_eq!(
        scan_to((one(), None), |c: &(Array, Option<Array>)| (c.0.clone(), Some(one()))),
        "[scan] carry 1 enters the body as None and leaves it as Some"
    );
    assert_eq!(
        scan_to(Side::Left(one()), |_| Side::Right(one())),
        "[scan] the carry enters the body as Left and leaves it as Right"
    );
    assert_eq!(
        scan_to(state(), |s| State { decay: 0.25, ..s.clone() }),
        "[scan] carry decay enters the body as 0.5 and leaves it as 0.25"
    );
    assert_eq!(
        scan_to(state(), |s| State { parts: vec![one(), s.parts[0].reshape(&[1])], ..s.clone() }),
        "[scan] carry parts enters the body as a sequence of 1 and leaves it as a sequence of 2"
    );
    assert_eq!(
        scan_to(state(), |s| State { parts: vec![s.parts[0].reshape(&[1])], ..s.clone() }),
        "[scan] carry parts.0 enters the body as f32[] and leaves it as f32[1]"
    );
    let map = |names: &[&str]| names.iter().map(|n| ((*n).to_owned(), one())).collect::<BTreeMap<_, _>>();
    assert_eq!(
        scan_to(map(&["a", "b"]), |_| map(&["a", "c"])),
        "[scan] the carry enters the body as a map of {a, b} and leaves it as a map of {a, c}"
    );
    assert_eq!(
        scan_to(vec![vec![vec![]], vec![vec![one()]]], |c: &Vec<Vec<Vec<Array>>>| vec![
            c[1].clone(),
            c[0].clone()
        ]),
        "[scan] carry 0.0 enters the body as a sequence of 0 and leaves it as a sequence of 1"
    );
}

#[test]
fn a_carry_without_arrays_and_a_shared_one_are_fine() {
    let xs = Array::from_slice(&[1.0f32, 2.0]);
    let ((), sums) = scan(|(): &(), x: &Array| ((), x + 1.0), &(), &xs);
    assert_eq!(sums.to_vec::<f32>().unwrap(), [2.0, 3.0]);
    let shared = one();
    let step = |(a, b): &(Array, Array), x: &Array| ((a + x, b.clone()), ());
    let ((a, b), ()) = scan(step, &(shared.clone(), shared), &xs);
    assert_eq!((a.item::<f32>().unwrap(), b.item::<f32>().unwrap()), (4.0, 1.0));
}

#[test]
fn a_while_loop_keeps_the_structure_of_its_carry() {
    let run = |next: fn(&State) -> State| error_of(|| while_loop(|s: &State| s.mean.lt(0.0), next, &state()));
    assert_eq!(
        run(|s| State { extra: Some(one()), ..s.clone() }),
        "[while_loop] carry extra enters the body as None and leaves it as Some"
    );
    assert_eq!(
        run(|s| State { parts: vec![], ..s.clone() }),
        "[while_loop] carry parts enters the body as a sequence of 1 and leaves it as a sequence of 0"
    );
    assert_eq!(
        run(|s| State { decay: -0.5, ..s.clone() }),
        "[while_loop] carry decay enters the body as 0.5 and leaves it as -0.5"
    );
}

#[test]
fn branches_return_one_structure() {
    let yes = one().gt(0.0);
    assert_eq!(
        error_of(|| cond(&yes, || Some(one()), || None)),
        "[cond] the result is None in on_false and Some in on_true"
    );
    assert_eq!(
        error_of(|| cond(&yes, || vec![one(), one()], || vec![one(), Array::zeros(&[3])])),
        "[cond] result 1 is f32[3] in on_false and f32[] in on_true"
    );
    let index = Array::scalar(1i32);
    let branches: [&dyn Fn() -> Side; 3] =
        [&|| Side::Left(one()), &|| Side::Left(one()), &|| Side::Right(one())];
    assert_eq!(
        error_of(|| switch(&index, &branches)),
        "[switch] the result is Left in branch 0 and Right in branch 2"
    );
    let statics: [&dyn Fn() -> State; 2] =
        [&|| State { decay: 0.0, ..state() }, &|| State { decay: -0.0, ..state() }];
    assert_eq!(
        error_of(|| switch(&index, &statics)),
        "[switch] result decay is 0.0 in branch 0 and -0.0 in branch 1"
    );
}

#[test]
fn custom_rules_return_the_structure_of_the_function() {
    let x = one();
    let jvp_rule = custom_jvp(
        |x: &Array| vec![x.clone()],
        |x: &Array, dx: &Array| (vec![x.clone()], vec![dx.clone(), dx.clone()]),
    );
    assert_eq!(
        error_of(|| jvp_rule(&x)),
        "[custom_jvp] the tangent that the rule returns is a sequence of 2, the result of the function is a sequence of 1"
    );
    let jvp_rule = custom_jvp(
        |x: &Array| Side::Left(x.clone()),
        |x: &Array, dx: &Array| (Side::Right(x.clone()), Side::Left(dx.clone())),
    );
    assert_eq!(
        error_of(|| jvp_rule(&x)),
        "[custom_jvp] the value that the rule returns is Right, the result of the function is Left"
    );
    let vjp_rule = custom_vjp(
        |x: &Array| Side::Left(x.clone()),
        |x: &Array| (Side::Right(x.clone()), ()),
        |(), _: &Side| one(),
    );
    assert_eq!(
        error_of(|| vjp_rule(&x)),
        "[custom_vjp] the value that the forward pass returns is Right, the result of the function is Left"
    );
    let vjp_rule = custom_vjp(
        |x: &Vec<Array>| x[0].clone(),
        |x: &Vec<Array>| (x[0].clone(), ()),
        |(), ct: &Array| vec![ct.clone(), ct.clone()],
    );
    assert_eq!(
        error_of(|| vjp_rule(&vec![x.clone()])),
        "[custom_vjp] the cotangent that the backward pass returns is a sequence of 2, the primal is a sequence of 1"
    );
    let vjp_rule = custom_vjp(
        |x: &Vec<Array>| x[0].clone(),
        |x: &Vec<Array>| (x[0].clone(), ()),
        |(), ct: &Array| vec![ct.reshape(&[1])],
    );
    assert_eq!(
        error_of(|| vjp_rule(&vec![x.clone()])),
        "[custom_vjp] cotangent 0 that the backward pass returns is f32[1], primal 0 is f32[]"
    );
}

#[test]
fn what_custom_rules_return_for_integers_is_ignored() {
    let rule = custom_vjp(
        |(x, n): &(Array, Array)| x * n.astype(DType::F32),
        |(x, n): &(Array, Array)| (x * n.astype(DType::F32), n.clone()),
        |n: &Array, ct: &Array| (ct * n.astype(DType::F32), Array::zeros(&[])),
    );
    let (slope, ignored) = grad(move |p: &(Array, Array)| rule(p))(&(one(), Array::scalar(3i32)));
    assert_eq!(slope.item::<f32>().unwrap(), 3.0);
    assert_eq!(ignored.dtype(), DType::I32);
}

#[test]
fn tangents_and_cotangents_have_the_structure_of_what_they_belong_to() {
    let f = |s: &State| s.parts.clone();
    assert_eq!(
        error_of(|| jvp(f, &state(), &State { extra: Some(one()), ..state() })),
        "[jvp] tangent extra is Some, primal extra is None"
    );
    assert_eq!(
        error_of(|| jvp(f, &state(), &State { mean: Array::zeros(&[2]), ..state() })),
        "[jvp] tangent mean is f32[2], primal mean is f32[]"
    );
    assert_eq!(
        error_of(|| jvp(f, &state(), &State { decay: 0.75, ..state() })),
        "[jvp] tangent decay is 0.75, primal decay is 0.5"
    );
    let (_, pull) = vjp(f, &state());
    assert_eq!(
        error_of(|| pull(&vec![])),
        "[vjp] the cotangent is a sequence of 0, the result is a sequence of 1"
    );
    assert_eq!(
        error_of(|| pull(&vec![Array::zeros(&[4])])),
        "[vjp] cotangent 0 is f32[4], result 0 is f32[]"
    );
}

#[test]
fn one_compiled_function_per_structure() {
    let f = jit(|s: &State| &s.mean * s.decay);
    let call = |s: State| f.call(s).unwrap().item::<f32>().unwrap();
    assert_eq!(call(state()), 0.5);
    assert_eq!(call(State { decay: f64::NAN, ..state() }).to_bits() & 0x7fff_ffff, f32::NAN.to_bits());
    call(State { decay: f64::NAN, ..state() });
    assert_eq!(f.traces(), 2, "a NaN is itself");
    assert!(call(State { decay: -0.0, ..state() }).is_sign_negative());
    assert!(call(State { decay: 0.0, ..state() }).is_sign_positive(), "0.0 is not -0.0");
    assert_eq!(f.traces(), 4);
}
