//! Failures of runs: as values by `checkify`, as errors by the sanitizer.

use jarrah_array::checkify::{self, Categories, check, check_error, checkify, debug_check};
use jarrah_array::*;

fn said<A: Tree<Array>, R: Tree<Array>>(f: impl Fn(&A) -> R, categories: Categories, args: &A) -> String {
    checkify(f, categories)(args).0.get().unwrap().unwrap_or_default()
}

fn line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn vector(values: &[f32]) -> Array {
    Array::from_slice(values)
}

#[test]
fn failures_are_values() {
    let log = |x: &Array| x.log() + 1.0;
    assert_eq!(said(log, Categories::ALL, &vector(&[1.0, 2.0])), "");
    let text = said(log, Categories::NAN, &vector(&[1.0, -2.0]));
    assert_eq!(line(&text), "[log] log made a NaN".trim_start_matches("[log] "));
    assert!(text.contains("checks.rs"), "it says the line: {text}");
    assert_eq!(said(log, Categories::INDEX, &vector(&[-2.0])), "", "it is not looked for");

    let divide = |(x, y): &(Array, Array)| x / y;
    let ints = (Array::from_slice(&[4i32, 3]), Array::from_slice(&[2i32, 0]));
    assert_eq!(line(&said(divide, Categories::DIVISION, &ints)), "division by zero");
    assert_eq!(
        line(&said(|x: &Array| x.exp(), Categories::INFINITY, &vector(&[1e4]))),
        "exponential made an infinity"
    );

    let at = |(x, i): &(Array, Array)| x.index(i);
    let x = Array::arange(0..12).reshape(&[3, 4]);
    let out = said(at, Categories::INDEX, &(x.clone(), Array::from_slice(&[0i32, 7, 1])));
    assert_eq!(line(&out), "index 7 is out of bounds of axis 0 of i32[3,4]");
    let low = said(at, Categories::INDEX, &(x.clone(), Array::scalar(-4i32)));
    assert_eq!(line(&low), "index -1 is out of bounds of axis 0 of i32[3,4]");
    assert_eq!(said(at, Categories::INDEX, &(x.clone(), Array::from_slice(&[0i32, -3, 2]))), "");
    let set = |(x, i): &(Array, Array)| x.at(i).set(0);
    assert!(said(set, Categories::INDEX, &(x.clone(), Array::scalar(9i32))).contains("index 9"));
    let slice = |(x, i): &(Array, Array)| lax::dynamic_slice_in_dim(x, i, 2, 0);
    assert!(said(slice, Categories::INDEX, &(x, Array::scalar(2i32))).contains("index 2"));
}

#[test]
fn the_first_failure_wins_in_loops_branches_and_calls() {
    let steps =
        |x: &Array| scan(|c: &Array, s: &Array| (c * (s - 2.0).sqrt(), c / s), &Array::scalar(1.0f32), x);
    assert!(line(&said(steps, Categories::NAN, &vector(&[3.0, 1.0, 0.0]))).contains("sqrt"));
    assert_eq!(line(&said(steps, Categories::DIVISION, &vector(&[3.0, 1.0, 0.0]))), "division by zero");
    assert_eq!(said(steps, Categories::FLOAT, &vector(&[3.0, 4.0])), "");
    let count = |x: &Array| while_loop(|c: &Array| c.sqrt().lt(3.0), |c: &Array| c - 1.0, x);
    assert!(said(count, Categories::NAN, &Array::scalar(2.0f32)).contains("sqrt made a NaN"));
    let branch = |x: &Array| cond(&x.gt(0.0), || x.log(), || (-x).log());
    assert_eq!(said(branch, Categories::NAN, &Array::scalar(-2.0f32)), "", "the other branch does not run");
    let called = |x: &Array| jit(|x: &Array| remat(|x: &Array| x.log())(x)).apply(x);
    assert!(said(called, Categories::NAN, &Array::scalar(-2.0f32)).contains("log made a NaN"));
}

#[test]
fn checks_pass_transformations() {
    let f = |x: &Array| {
        check(&x.gt(0.0), "x is {}", &[x]);
        x.log()
    };
    // Mapped inside, the first element that fails is named; mapped outside, each one.
    let x = vector(&[1.0, -2.0, 3.0, -4.0]);
    let text = said(vmap(f), Categories::USER, &x);
    assert_eq!(line(&text), "x is -2");
    let (error, _) = vmap(checkify(f, Categories::USER))(&x);
    let text = error.get().unwrap().unwrap();
    assert!(
        text.contains("at mapped index 1: x is -2") && text.contains("at mapped index 3: x is -4"),
        "{text}"
    );
    // In the backward pass too.
    let slope = grad(|x: &Array| x.sqrt());
    assert!(said(&slope, Categories::INFINITY, &Array::scalar(0.0f32)).contains("made an infinity"));
    assert_eq!(line(&said(grad(f), Categories::USER, &Array::scalar(-1.0f32))), "x is -1");
    // Compiled, and the error passed on.
    let outer = |x: &Array| {
        let (error, y) = checkify(f, Categories::USER)(x);
        check_error(&error);
        y
    };
    let (error, _) = jit(checkify(outer, Categories::USER)).call(Array::scalar(-3.0f32)).unwrap();
    assert_eq!(line(&error.get().unwrap().unwrap()), "x is -3");
    assert!(error.throw().unwrap_err().to_string().contains("x is -3"));
    let (fine, y) = jit(checkify(outer, Categories::USER)).call(Array::scalar(1.0f32)).unwrap();
    assert!(fine.throw().is_ok() && y.item::<f32>().unwrap() == 0.0);
}

#[test]
fn checks_that_nobody_turns_into_values_fail_the_run() {
    let f = |x: &Array| {
        check(&x.gt(0.0), "x is {}", &[x]);
        x * 2.0
    };
    let error = jit(f).call(Array::scalar(-1.0f32)).and_then(|y| y.item::<f32>()).unwrap_err();
    assert!(error.to_string().contains("x is -1"), "{error}");
    assert_eq!(jit(f).call(Array::scalar(1.0f32)).unwrap().item::<f32>().unwrap(), 2.0);
    let error = try_trace(|| f(&Array::scalar(-1.0f32))).unwrap_err();
    assert!(error.to_string().contains("x is -1"), "{error}");
    let looped = |x: &Array| scan(|c: &Array, s: &Array| (c + f(s), ()), &Array::scalar(0.0f32), x).0;
    assert!(jit(looped).call(vector(&[1.0, -5.0])).and_then(|y| y.item::<f32>()).is_err());
    // A check for debugging is one only where somebody looks.
    let debug = |x: &Array| {
        debug_check(&x.gt(0.0), "x is {}", &[x]);
        x * 2.0
    };
    assert!(jit(debug).call(Array::scalar(-1.0f32)).unwrap().item::<f32>().is_ok());
    assert_eq!(line(&said(debug, Categories::USER, &Array::scalar(-1.0f32))), "x is -1");
    let wrong = try_trace(|| check(&Array::scalar(1i32).gt(0), "no place", &[&Array::scalar(1i32)]));
    assert!(wrong.unwrap_err().to_string().contains("0 places for 1 numbers"));
}

#[test]
fn a_sanitizer_names_the_first_operation_that_fails() {
    let f = jit(grad(|x: &Array| {
        let h = (x - 1.0).sqrt(); // NaN below one.
        (h * x).sum(..)
    }));
    let good = f.call(vector(&[2.0, 3.0])).unwrap().to_vec::<f32>().unwrap();
    sanitize(Categories::AUTOMATIC, || {
        let error = f.call(vector(&[2.0, 0.5])).unwrap_err().to_string();
        assert!(error.contains("sqrt made a NaN") && error.contains("checks.rs"), "{error}");
        assert_eq!(f.call(vector(&[2.0, 3.0])).unwrap().to_vec::<f32>().unwrap(), good, "the same bits");
        // In a loop, mapped; an index; a divisor; without jit.
        let looped = jit(vmap(|x: &Array| {
            scan(|c: &Array, s: &Array| (c + s.log(), ()), &Array::scalar(0.0f32), x).0
        }));
        let error = looped.call(Array::new(&[1.0f32, 2.0, 3.0, -4.0], &[2, 2])).unwrap_err().to_string();
        assert!(error.contains("log made a NaN"), "{error}");
        let at = jit(|(x, i): &(Array, Array)| x.index(i));
        let error = at.call((vector(&[1.0, 2.0]), Array::scalar(5i32))).unwrap_err().to_string();
        assert!(error.contains("index 5 is out of bounds of axis 0 of f32[2]"), "{error}");
        let divide = jit(|(x, y): &(Array, Array)| x / y);
        let zero = (Array::scalar(1i32), Array::scalar(0i32));
        assert!(divide.call(zero).unwrap_err().to_string().contains("division by zero"));
        let error = vector(&[-1.0]).log().to_vec::<f32>().unwrap_err().to_string();
        assert!(error.contains("log made a NaN"), "{error}");
        // Of what is made of several operations, the line of the call.
        let thirds = jit(|x: &Array| x.floor_divide(x - x));
        let error = thirds.call(Array::scalar(1i32)).unwrap_err().to_string();
        assert!(error.contains("division by zero") && error.contains("checks.rs"), "{error}");
        // A NaN that is hidden is none; one that was given is not blamed on an operation.
        let masked = jit(|x: &Array| where_(&x.gt(0.0), x.log(), Array::zeros_like(x)));
        assert_eq!(masked.call(vector(&[-1.0])).unwrap().to_vec::<f32>().unwrap(), [0.0]);
        let passed = jit(|x: &Array| x.reshape(&[1, 1]));
        let error = passed.call(vector(&[f32::NAN])).unwrap_err().to_string();
        assert!(error.contains("an argument was"), "{error}");
    });
    assert!(f.call(vector(&[0.5])).unwrap().to_vec::<f32>().unwrap()[0].is_nan(), "it is off again");
}

#[test]
fn a_sanitizer_gives_nothing_up() {
    let f = jit(|(x, y): &(Array, Array)| x.log() + y).donate(0);
    let x = vector(&[-1.0]);
    let error = sanitize(Categories::NAN, || f.call((x, vector(&[1.0])))).unwrap_err();
    assert!(error.to_string().contains("log made a NaN"), "{error}");
    let _ = checkify::Categories::ALL;
}

#[test]
fn a_type_without_infinity_makes_none() {
    let narrow = |x: &Array| x.astype(DType::F4E2M1FN).astype(DType::F32);
    assert_eq!(said(narrow, Categories::INFINITY, &vector(&[1e9])), "", "it becomes the largest number");
    let narrow = jit(|x: &Array| x.astype(DType::F4E2M1FN));
    assert!(sanitize(Categories::INFINITY, || narrow.call(vector(&[1e9]))).is_ok());
    let overflow = |x: &Array| (x.astype(DType::F16) * 2.0).astype(DType::F32);
    assert!(said(overflow, Categories::INFINITY, &vector(&[6e4])).contains("made an infinity"));
}

#[test]
fn checks_for_debugging_are_traced_where_somebody_looks() {
    let f = |x: &Array| {
        debug_check(&x.gt(0.0), "x is {}", &[x]);
        x * 2.0
    };
    let (before, after) = (jit(f), jit(f));
    let x = Array::scalar(-1.0f32);
    assert_eq!(before.call(x.clone()).unwrap().item::<f32>().unwrap(), -2.0);
    assert_eq!(line(&said(|x: &Array| before.apply(x), Categories::USER, &x)), "x is -1");
    assert_eq!(line(&said(|x: &Array| after.apply(x), Categories::USER, &x)), "x is -1");
    assert_eq!(after.call(x).and_then(|y| y.item::<f32>()).unwrap(), -2.0, "nobody looks");
}

/// A step of a random function of three numbers.
enum Step {
    Shift(f32),
    Log,
    Sqrt,
    Divide,
    Power,
    /// Adds what stands in a table at a position that the numbers give.
    Look,
    Cond(f32, Vec<Step>, Vec<Step>),
    Switch(Vec<Vec<Step>>),
    /// Until the sum is below a limit, at most so many times.
    While(f32, usize, Vec<Step>),
    Scan(usize, Vec<Step>),
    Mapped(Vec<Step>),
}

fn random_steps(draw: &mut impl FnMut(usize) -> usize, depth: usize) -> Vec<Step> {
    let count = 1 + draw(3);
    let step = |draw: &mut _| random_step(draw, depth);
    (0..count).map(|_| step(draw)).collect()
}

fn random_step(draw: &mut impl FnMut(usize) -> usize, depth: usize) -> Step {
    let number = |draw: &mut dyn FnMut(usize) -> usize| draw(9) as f32 * 0.5 - 2.0;
    match draw(if depth == 0 { 6 } else { 14 }) {
        0 => Step::Shift(number(draw)),
        1 => Step::Log,
        2 => Step::Sqrt,
        3 => Step::Divide,
        4 => Step::Power,
        5 => Step::Look,
        6..9 => Step::Cond(number(draw), random_steps(draw, depth - 1), random_steps(draw, depth - 1)),
        9 => Step::Switch((0..3).map(|_| random_steps(draw, depth - 1)).collect()),
        10..12 => Step::While(number(draw), 1 + draw(3), random_steps(draw, depth - 1)),
        12 => Step::Scan(1 + draw(2), random_steps(draw, depth - 1)),
        _ => Step::Mapped(random_steps(draw, depth - 1)),
    }
}

fn run_steps(steps: &[Step], x: &Array) -> Array {
    steps.iter().fold(x.clone(), |x, step| match step {
        Step::Shift(by) => &x + *by,
        Step::Log => x.log(),
        Step::Sqrt => x.sqrt(),
        Step::Divide => 1.0 / &x,
        Step::Power => &x * &x,
        Step::Look => {
            let at = x.max(..).clip(-9.0, 9.0).astype(DType::I32);
            &x + vector(&[0.5, -1.0, 2.0, 1.0]).index(&at)
        }
        Step::Cond(limit, yes, no) => {
            cond(&x.sum(..).gt(*limit), || run_steps(yes, &x), || run_steps(no, &x))
        }
        Step::Switch(all) => {
            let index = x.sum(..).clip(0.0, 2.0).astype(DType::I32);
            let branches: Vec<_> = all.iter().map(|steps| || run_steps(steps, &x)).collect();
            let branches: Vec<&dyn Fn() -> Array> =
                branches.iter().map(|b| b as &dyn Fn() -> Array).collect();
            switch(&index, &branches)
        }
        Step::While(limit, most, steps) => {
            let goes_on = |x: &Array| x.sum(..).gt(*limit);
            bounded_while_loop(goes_on, |x: &Array| run_steps(steps, x) - 1.0, &x, *most)
        }
        Step::Scan(length, steps) => {
            scan_length(|x: &Array, (): &()| (run_steps(steps, x), ()), &x, &(), *length).0
        }
        Step::Mapped(steps) => {
            let both = vmap(|x: &Array| run_steps(steps, x))(&stack(&[&x, &(-&x)], 0));
            both.sum(0)
        }
    })
}

/// Elements of a batch that take different branches, and different numbers of steps, fail as each does by itself.
#[test]
fn elements_of_a_batch_fail_only_in_what_they_take_part_in() {
    let kinds = [Categories::AUTOMATIC, Categories::ALL | Categories::INFINITY, Categories::DIVISION];
    let (mut failing, mut fine, mut refused) = (0, 0, 0);
    for seed in 0..60u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let steps = random_steps(&mut draw, 2);
        let values: Vec<f32> = (0..12).map(|_| draw(9) as f32 * 0.5 - 1.5).collect();
        let (x, kinds) = (Array::new(&values, &[4, 3]), kinds[seed as usize % 3]);
        let forward = |x: &Array| run_steps(&steps, x);
        let loss = |x: &Array| (run_steps(&steps, x) * vector(&[1.0, 0.0, 2.0])).sum(..);
        let backward = grad(loss);
        for f in [&forward as &dyn Fn(&Array) -> Array, &backward] {
            let alone: Vec<String> = (0..4).map(|i| said(f, kinds, &x.index(i))).collect();
            let outside = vmap(checkify(f, kinds))(&x).0.get().unwrap().unwrap_or_default();
            let inside = said(vmap(f), kinds, &x);
            for (i, text) in alone.iter().enumerate() {
                let place = format!("at mapped index {i}: ");
                match text.is_empty() {
                    true => assert!(!outside.contains(&place), "{seed}: element {i} is fine: {outside}"),
                    false => assert!(outside.contains(&(place + text)), "{seed}: {i}: {text}: {outside}"),
                }
            }
            let fails = alone.iter().any(|text| !text.is_empty());
            assert_eq!(fails, !inside.is_empty(), "{seed}: {inside}");
            assert!(!fails || alone.contains(&inside), "{seed}: {inside} is not among {alone:?}");
            // The sanitizer finds positions and divisors where they are in an element's way.
            let operands = Categories::INDEX | Categories::DIVISION;
            let one = |i: i64| said(f, operands, &x.index(i));
            let alone: Vec<String> = (0..4).map(one).collect();
            let run = sanitize(operands, || jit(vmap(f)).call(x.clone()).and_then(|y| y.to_vec::<f32>()));
            match run {
                Ok(_) => assert!(alone.iter().all(String::is_empty), "{seed}: {alone:?}"),
                Err(error) => {
                    let text = error.to_string();
                    let found = alone.iter().any(|one| !one.is_empty() && text.contains(line(one)));
                    assert!(found, "{seed}: {text} is not among {alone:?}");
                    refused += 1;
                }
            }
            match fails {
                true => failing += 1,
                false => fine += 1,
            }
        }
    }
    assert!(
        failing > 20 && fine > 20 && refused > 10,
        "{failing} fail, {fine} do not, {refused} are refused"
    );
}

#[test]
fn a_finished_element_and_a_branch_not_taken_raise_no_alarm() {
    let x = vector(&[0.0, 2.0]);
    let guarded = |x: &Array| cond(&x.ne(0.0), || 1.0 / x, || Array::zeros_like(x));
    assert_eq!(said(vmap(guarded), Categories::ALL, &x), "");
    assert_eq!(said(vmap(grad(guarded)), Categories::ALL, &x), "");
    assert_eq!(said(grad(|x: &Array| vmap(guarded)(x).sum(..)), Categories::ALL, &x), "");
    // The first is done when it is 1; another division would fail.
    let count = |x: &Array| while_loop(|x: &Array| x.gt(0.5), |x: &Array| 4.0 / (x - 1.0), x);
    assert_eq!(said(vmap(count), Categories::ALL, &vector(&[0.25, -1.0])), "");
    assert_eq!(line(&said(vmap(count), Categories::ALL, &vector(&[0.25, 1.0]))), "division by zero");
    // A function that was compiled before is traced anew, and then the former code is there again.
    let f = jit(vmap(guarded));
    assert_eq!(f.call(x.clone()).unwrap().to_vec::<f32>().unwrap(), [0.0, 0.5]);
    let found = sanitize(Categories::AUTOMATIC, || f.call(x.clone()).and_then(|y| y.to_vec::<f32>()));
    assert_eq!(found.unwrap(), [0.0, 0.5]);
    assert_eq!((f.call(x.clone()).is_ok(), f.traces()), (true, 2));
    // What is exchanged along a named axis is computed for every element, whatever branch it takes.
    let shared = |x: &Array| cond(&x.gt(0.0), || lax::psum(x, "batch"), || x.clone());
    let mapped = vmap_with(shared, VmapOptions::default().axis_name("batch"));
    let (error, sums) = checkify(mapped, Categories::ALL)(&vector(&[-1.0, 3.0]));
    assert!(error.get().unwrap().is_none());
    assert_eq!(sums.to_vec::<f32>().unwrap(), [-1.0, 2.0]);
}
