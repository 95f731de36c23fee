//! Functions with batches and transposes of their own. Expected numbers are those that JAX gives for the same calls.

use std::sync::{Arc, Mutex};

use jarrah_array::*;

use crate::eager::alone;

fn near(found: &Array, expected: &[f32]) {
    let found = found.to_vec::<f32>().unwrap();
    let close = found.len() == expected.len();
    assert!(
        close && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5),
        "{found:?}, {expected:?}"
    );
}

type Pair = (Array, Array);

/// `y sin x`, of which a batch is `y cos x`; also says what its rule was asked.
fn odd() -> (impl Fn(&Pair) -> Array, Arc<Mutex<Vec<(usize, Vec<bool>)>>>) {
    let asked: Arc<Mutex<Vec<(usize, Vec<bool>)>>> = Arc::default();
    let notes = asked.clone();
    let f = custom_vmap(
        |(x, y): &Pair| x.sin() * y,
        move |size, batched, (x, y): &Pair| {
            notes.lock().unwrap().push((size, batched.to_vec()));
            (x.cos() * y, vec![batched.contains(&true)])
        },
    );
    (f, asked)
}

fn vector(values: &[f32]) -> Array {
    Array::from_slice(values)
}

#[test]
fn a_batch_is_made_by_its_rule() {
    let (f, asked) = odd();
    let (x, y, two) = (vector(&[0.1, 0.2]), vector(&[2.0, 3.0]), Array::scalar(2.0f32));
    near(&f(&(x.index(0), two.clone())), &[0.199_666_83]);
    near(&vmap(&f)(&(x.clone(), y.clone())), &[1.990_008_4, 2.940_199_9]);
    near(
        &vmap_axes(&f, &[Some(0), None], &[Some(0)])(&(x.clone(), two.clone())),
        &[1.990_008_4, 1.960_133_2],
    );
    near(&jit(vmap(&f)).call((x.clone(), y.clone())).unwrap(), &[1.990_008_4, 2.940_199_9]);
    let asked = std::mem::take(&mut *asked.lock().unwrap());
    assert_eq!(asked, [(2, vec![true, true]), (2, vec![true, false]), (2, vec![true, true])]);
    // The rule's program is mapped again as any other.
    let grid = stack(&[&(&x + 2.0), &(&x + 3.0)], 0);
    near(&vmap(vmap(&f))(&(grid.clone(), grid)), &[-1.060_176_6, -1.294_702_5, -3.097_319, -3.194_543_4]);
}

#[test]
fn the_derivative_of_a_batch_is_that_of_its_rule() {
    let (f, asked) = odd();
    let (x, y, two) = (vector(&[0.1, 0.2]), vector(&[2.0, 3.0]), Array::scalar(2.0f32));
    let of_x = |x: &Array| f(&(x.clone(), two.clone()));
    near(&grad(|x: &Array| vmap(of_x)(x).sum(..))(&x), &[-0.199_666_84, -0.397_338_66]);
    // Forward mode, mapped: the derivative of the rule where primal and tangent are batched.
    asked.lock().unwrap().clear();
    let (value, slope) = vmap(|(x, t): &Pair| jvp(of_x, x, t))(&(x.clone(), y.clone()));
    near(&value, &[1.990_008_4, 1.960_133_2]);
    near(&slope, &[-0.399_333_7, -1.192_016]);
    let one = Array::scalar(1.0f32);
    let (value, slope) = vmap(|x: &Array| jvp(of_x, x, &one))(&x);
    near(&value, &[1.990_008_4, 1.960_133_2]);
    near(&slope, &[-0.199_666_84, -0.397_338_66]);
    let (value, slope) = vmap(|t: &Array| jvp(of_x, &Array::scalar(0.1f32), t))(&y);
    near(&value, &[1.990_008_4, 1.990_008_4]);
    near(&slope, &[-0.399_333_7, -0.599_000_5]);
    let mixed = |(x, t): &Pair| jvp(&f, &(x.clone(), two.clone()), &(t.clone(), one.clone()));
    near(&vmap(mixed)(&(x.clone(), y)).1, &[0.595_670_46, -0.211_949_41]);
    let flags: Vec<Vec<bool>> = asked.lock().unwrap().iter().map(|(_, flags)| flags.clone()).collect();
    assert_eq!(flags, [[true, false], [false, false], [false, false], [true, false]]);
    // Twice differentiated, then mapped.
    let slope = |x: &Array| jvp(of_x, x, &(x * 0.0 + 1.0)).1;
    let second = vmap(|x: &Array| jvp(slope, x, &(x * 0.0 + 1.0)).1)(&x);
    near(&second, &[-1.990_008_4, -1.960_133_2]);
    // In reverse mode the function's own derivative, unless the rule has been applied before.
    near(&grad(of_x)(&Array::scalar(0.1f32)), &[1.990_008_4]);
    let (values, slopes) = vmap(value_and_grad(of_x))(&x);
    near(&values, &[1.990_008_4, 1.960_133_2]);
    near(&slopes, &[1.990_008_4, 1.960_133_2]);
}

#[test]
fn calls_of_one_kind_are_one_operation() {
    let (f, _) = odd();
    let slope =
        |x: f32| grad(|x: &Array| vmap(|x: &Array| f(&(x.clone(), x.clone())))(x).sum(..))(&vector(&[x]));
    let compiled = alone(|| {
        slope(0.1).to_vec::<f32>().unwrap();
        let before = compiled_programs();
        for i in 0..5 {
            slope(i as f32).to_vec::<f32>().unwrap();
            f(&(vector(&[1.0]), vector(&[2.0]))).to_vec::<f32>().unwrap();
        }
        compiled_programs() - before
    });
    assert!(compiled <= 1, "{compiled} programs");
}

#[test]
fn a_rule_that_does_not_fit_is_an_error() {
    let x = vector(&[1.0, 2.0]);
    let said = |rule: fn(usize, &[bool], &Array) -> (Array, Vec<bool>)| {
        let f = custom_vmap(|x: &Array| x * 2.0, rule);
        try_trace(|| vmap(&f)(&x)).unwrap_err().to_string()
    };
    let text = said(|_, _, x| (x.sum(..), vec![true]));
    assert!(text.contains("result of the batching rule is f32[], for a batch of 2 it is f32[2]"), "{text}");
    let text = said(|_, _, x| (x.clone(), vec![true, false]));
    assert!(text.contains("the rule says of 2 arrays whether they are batched"), "{text}");
    // What it captures: concrete arrays, and nothing that is mapped.
    let w = Array::scalar(3.0f32);
    let known = w.clone();
    let f = custom_vmap(|x: &Array| x * 2.0, move |_, _, x: &Array| (x * &known, vec![true]));
    near(&vmap(f)(&x), &[3.0, 6.0]);
    let mapped = |(x, w): &Pair| {
        let w = w.clone();
        custom_vmap(move |x: &Array| x * &w, |_, _, x: &Array| (x.clone(), vec![true]))(x)
    };
    let error = try_trace(|| vmap(mapped)(&(x.clone(), x.clone()))).unwrap_err().to_string();
    assert!(error.contains("captures an array that is mapped"), "{error}");
    let traced = |(x, w): &Pair| {
        let w = w.clone();
        vmap(custom_vmap(|x: &Array| x * 2.0, move |_, _, x: &Array| (x * &w, vec![true])))(x)
    };
    let error = try_trace(|| jit(traced).call((x.clone(), w))).unwrap_err().to_string();
    assert!(error.contains("captures an array of type f32[] that is being traced"), "{error}");
}

#[test]
fn a_batch_may_be_a_loop() {
    let f = |log: &Arc<Mutex<Vec<f32>>>| {
        let log = log.clone();
        sequential_vmap(move |(x, w): &Pair| {
            let log = log.clone();
            let note = move |x: &Array| {
                log.lock().unwrap().push(x.item::<f32>()?);
                Ok(())
            };
            io_callback(note, &(), x, CallbackOrder::Any);
            (x * w, w.clone())
        })
    };
    let log = Arc::default();
    let f = f(&log);
    let (x, w) = (vector(&[1.0, 2.0, 3.0]), Array::scalar(2.0f32));
    let mapped = jit(vmap_axes(&f, &[Some(0), None], &[Some(0)]));
    let (y, ws) = mapped.call((x.clone(), w.clone())).unwrap();
    near(&y, &[2.0, 4.0, 6.0]);
    near(&ws, &[2.0; 3]);
    assert_eq!(*log.lock().unwrap(), [1.0, 2.0, 3.0]);
    log.lock().unwrap().clear();
    let inner = vmap_axes(&f, &[Some(0), None], &[Some(0)]);
    let both = vmap_axes(inner, &[Some(0), None], &[Some(0)]);
    near(&both(&(x.reshape(&[3, 1]), w)).0, &[2.0, 4.0, 6.0]);
    assert_eq!(*log.lock().unwrap(), [1.0, 2.0, 3.0]);
    let square = sequential_vmap(|x: &Array| x * x);
    near(&grad(|x: &Array| vmap(&square)(x).sum(..))(&x), &[2.0, 4.0, 6.0]);
    // Where only a tangent is mapped, and twice differentiated.
    near(&vmap(|t: &Array| jvp(&square, &Array::scalar(3.0f32), t).1)(&x), &[6.0, 12.0, 18.0]);
    let second = hessian(|x: &Array| vmap(&square)(x).sum(..))(&x);
    near(&second.ravel(), &[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0]);
    let text = jit(vmap(&square)).lower(&x).as_text();
    assert!(text.contains("scan"), "{text}");
}

#[test]
fn a_linear_function_may_have_a_transpose_of_its_own() {
    // As in the documentation of JAX: 9 + 9 / 3, and the transpose at 18.
    let div_add = |x: &Array| x + linear_call(|r, x| x / r, |r, ct| ct / r, &Array::scalar(3.0f32), x);
    near(&div_add(&Array::scalar(9.0f32)), &[12.0]);
    near(&linear_transpose(div_add, &Array::scalar(1.0f32))(&Array::scalar(18.0f32)), &[24.0]);
    // The transpose of the transpose is the function, and so on.
    let id = |x: &Array| linear_call(|(): &(), x| x.clone(), |(), ct| Array::ones_like(ct) * 7.0, &(), x);
    let one = Array::scalar(1.0f32);
    let once = linear_transpose(id, &one);
    near(&once(&one), &[7.0]);
    let twice = linear_transpose(&once, &one);
    near(&twice(&one), &[1.0]);
    near(&linear_transpose(&twice, &one)(&one), &[7.0]);
    // Derivatives, in the argument and in the residuals; captured arrays are residuals; mapped, and both.
    let w = vector(&[2.0, 3.0]);
    let f = |(r, x): &Pair| {
        linear_call(|r: &Array, x: &Array| (x * r * &w).sum(..), |r, ct| ct * r * &w * 10.0, r, x)
    };
    let (r, x) = (vector(&[1.0, 2.0]), vector(&[5.0, 7.0]));
    let (of_r, of_x) = grad(f)(&(r.clone(), x.clone()));
    near(&of_r, &[10.0, 21.0]);
    near(&of_x, &[20.0, 60.0]);
    near(&jvp(f, &(r.clone(), x.clone()), &(r.clone(), x.clone())).1, &[104.0]);
    let rows = stack(&[&x, &(&x * 2.0)], 0);
    let each = vmap_axes(f, &[None, Some(0)], &[Some(0)]);
    near(&each(&(r.clone(), rows.clone())), &[52.0, 104.0]);
    let slopes = grad(|x: &Array| each(&(r.clone(), x.clone())).sum(..))(&rows);
    near(&slopes, &[20.0, 60.0, 20.0, 60.0]);
    near(&vmap(|x: &Array| grad(f)(&(r.clone(), x.clone())).1)(&rows), &[20.0, 60.0, 20.0, 60.0]);
    near(&jit(grad(f)).call((r.clone(), x.clone())).unwrap().1, &[20.0, 60.0]);
    let wrong = try_trace(|| linear_call(|(): &(), x: &Array| x * 2.0, |(), ct| ct.sum(..), &(), &x));
    let text = wrong.unwrap_err().to_string();
    assert!(text.contains("result of the transpose is f32[], the argument is f32[2]"), "{text}");
}

#[test]
fn passes_are_functions() {
    let w = Array::scalar(3.0f32);
    let (forward, backward) = fwd_and_bwd(|(x, n): &Pair| (x * &w).sin() * n.astype(DType::F32));
    let n = Array::scalar(2i32);
    let at = |x: &Array| (x.clone(), n.clone());
    for x in [vector(&[0.5, 1.0]), vector(&[2.0])] {
        let (y, residuals) = forward(&at(&x));
        let (expected, pull) = vjp(|(x, n): &Pair| (x * &w).sin() * n.astype(DType::F32), &at(&x));
        assert_eq!(y.to_vec::<f32>().unwrap(), expected.to_vec::<f32>().unwrap());
        let found = backward(&residuals, &Array::ones_like(&y));
        let expected = pull(&Array::ones_like(&y));
        assert_eq!(found.0.to_vec::<f32>().unwrap(), expected.0.to_vec::<f32>().unwrap());
        assert_eq!(found.1.to_vec::<i32>().unwrap(), [0]);
    }
    // Under other transformations: inside of one compiled function, mapped, differentiated.
    let through = |x: &Array| {
        let (y, residuals) = forward(&at(x));
        backward(&residuals, &(y * 0.0 + 1.0)).0
    };
    let x = vector(&[0.5, 1.0]);
    let expected: Vec<f32> = [0.5f32, 1.0].iter().map(|x| 6.0 * (3.0 * x).cos()).collect();
    near(&jit(through).call(x.clone()).unwrap(), &expected);
    near(&vmap(through)(&x), &expected);
    let second: Vec<f32> = [0.5f32, 1.0].iter().map(|x| -18.0 * (3.0 * x).sin()).collect();
    near(&grad(|x: &Array| through(x).sum(..))(&x), &second);
    let (_, other) = fwd_and_bwd(|x: &Array| x * x);
    let residuals = forward(&at(&x)).1;
    assert!(try_trace(|| other(&residuals, &x)).unwrap_err().to_string().contains("of another function"));
}
