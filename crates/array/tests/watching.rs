//! What is compiled and why, and doing without; functions of the host by name; programs as values.

use std::sync::atomic::{AtomicU32, Ordering};

use jarrah_array::*;

#[test]
fn without_jit_functions_run_as_they_are_written() {
    let f = jit(|x: &Array| if x.item::<f32>().unwrap() > 0.0 { x * 2.0 } else { -x });
    assert!(try_trace(|| f.call(Array::scalar(3.0f32))).is_err(), "compiled, a value has no number");
    let y = disable_jit(|| f.call(Array::scalar(-3.0f32))).unwrap();
    assert_eq!(y.item::<f32>().unwrap(), 3.0);
    assert!(try_trace(|| f.call(Array::scalar(3.0f32))).is_err(), "and it is compiled again");
}

#[test]
fn retraces_are_explained_by_the_path_that_is_new() {
    let f = jit(|(x, rows): &(Array, Vec<Array>)| x + &rows[0]);
    let rows = |n: usize| vec![Array::zeros(&[3]); n];
    let ((), lines) = explain_retraces(|| {
        f.call((Array::zeros(&[3]), rows(1))).unwrap();
        f.call((Array::zeros(&[3]), rows(1))).unwrap();
        f.call((Array::zeros(&[3]).astype(DType::F64), rows(1))).unwrap();
        f.call((Array::zeros(&[3]).astype(DType::F64), rows(2))).unwrap();
    });
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].contains("argument 0 is f64[3], it was f32[3]") && lines[0].contains("watching.rs"),
        "{lines:?}"
    );
    assert!(lines[1].contains("argument 1 is a sequence of 2, it was a sequence of 1"), "{lines:?}");
    let ((), quiet) = explain_retraces(|| drop(f.call((Array::zeros(&[3]), rows(1)))));
    assert!(quiet.is_empty());
    let ((), compiles) = log_compiles(|| drop(jit(|x: &Array| x.sin() + 1.0).call(Array::zeros(&[2]))));
    assert!(compiles.len() == 1 && compiles[0].contains("instructions in"), "{compiles:?}");
}

#[test]
fn closures_of_one_function_are_told_apart() {
    fn named(x: &Array) -> Array {
        x + 1.0
    }
    let (f, g) = (jit(|x: &Array| x * 2.0), jit(jit(|x: &Array| x * 3.0)));
    let h = jit(named);
    let line = line!() - 2;
    let calls =
        |n: usize| [f.call(Array::zeros(&[n])), g.call(Array::zeros(&[n])), h.call(Array::zeros(&[n]))];
    let (_, lines) = explain_retraces(|| [calls(1), calls(2)]);
    let closure = "jit(closures_of_one_function_are_told_apart, crates/array/tests/watching.rs:";
    let here = format!("{closure}{line}) is traced again");
    // The second is traced again within the jit around it.
    assert_eq!(lines.iter().filter(|l| l.starts_with(&here)).count(), 3, "{lines:?}");
    assert!(lines.iter().all(|l| l.contains("again at crates/array/tests/watching.rs")), "{lines:?}");
    assert_eq!(lines.iter().filter(|l| l.starts_with("jit(named) is traced again")).count(), 1, "{lines:?}");
}

#[test]
fn lines_of_what_fails_are_those_of_who_looks_at_it() {
    let f = jit(|x: &Array| x * 2.0);
    let (inner, lines) = explain_retraces(|| {
        try_trace(|| {
            explain_retraces(|| {
                f.call(Array::zeros(&[3])).unwrap();
                f.call(Array::zeros(&[4])).unwrap();
                Array::zeros(&[3]) + Array::zeros(&[4])
            })
        })
    });
    assert!(inner.is_err());
    assert!(lines.len() == 1 && lines[0].contains("it was f32[3]"), "{lines:?}");
}

#[test]
fn frozen_functions_are_traced_no_more() {
    let f = jit(|x: &Array| x * 2.0);
    let g = jit(|x: &Array| x * 2.0);
    g.freeze();
    assert!(g.call(Array::zeros(&[2])).unwrap_err().to_string().contains("never called before"));
    f.call(Array::zeros(&[2])).unwrap();
    f.freeze();
    assert!(f.call(Array::zeros(&[2])).is_ok());
    let error = f.call(Array::zeros(&[2, 1])).unwrap_err().to_string();
    assert!(
        error.contains("the argument is f32[2,1], it was f32[2]") && error.contains("watching.rs"),
        "{error}"
    );
    assert_eq!(f.traces(), 1);
}

#[test]
fn host_functions_are_called_by_name() {
    let reverse = |call: &mut ffi::HandlerCall<'_>| {
        let x = call.operands[0].literal()?;
        let reversed: Vec<f32> = x.to_f64_vec().iter().rev().map(|x| *x as f32).collect();
        call.results[0].write(&Literal::from_slice(&x.ty().dims(), &reversed)?)
    };
    ffi::register_ffi_target("watching.reverse", reverse).unwrap();
    assert!(ffi::register_ffi_target("watching.reverse", reverse).is_err(), "the name is taken");
    let call =
        |x: &Array| ffi::ffi_call("watching.reverse", &[x], &[x.ty()], &Default::default()).swap_remove(0);
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    assert_eq!(call(&x).to_vec::<f32>().unwrap(), [3.0, 2.0, 1.0]);
    assert_eq!(jit(call).call(x.clone()).unwrap().to_vec::<f32>().unwrap(), [3.0, 2.0, 1.0]);
    let rows = vmap(call)(&Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]));
    assert_eq!(rows.to_vec::<f32>().unwrap(), [2.0, 1.0, 4.0, 3.0]);
    let nobody =
        |x: &Array| ffi::ffi_call("watching.nobody", &[x], &[x.ty()], &Default::default()).swap_remove(0);
    assert!(jit(nobody).call(x).unwrap_err().to_string().contains("watching.nobody"));
}

/// How often the handler of [`power`] was called.
static POWERS: AtomicU32 = AtomicU32::new(0);

/// An op of a user: host code with an attribute evaluates it, and it has a rule for its derivative, which is an op like it. A rule is
/// traced with the function, so it says how often it may be differentiated.
fn power(n: i64, orders: usize, x: &Array) -> Array {
    static REGISTERED: std::sync::Once = std::sync::Once::new();
    REGISTERED.call_once(|| {
        let handler = |call: &mut ffi::HandlerCall<'_>| {
            POWERS.fetch_add(1, Ordering::Relaxed);
            let Some(ffi::CallAttribute::Scalar(n)) = call.config.get("n") else {
                return Err(Error::program("watching.power takes the attribute n"));
            };
            let (n, x) = (n.get_f64(0), call.operands[0].literal()?);
            let powers: Vec<f64> = x.to_f64_vec().iter().map(|x| x.powf(n)).collect();
            call.results[0].write(&Literal::from_f64s(x.ty(), &powers)?)
        };
        ffi::register_ffi_target("watching.power", handler).unwrap();
    });
    if n == 0 {
        return Array::ones_like(x);
    }
    let evaluate = move |x: &Array| {
        let n = ("n".into(), ffi::CallAttribute::Scalar(Literal::scalar(n)));
        let options = ffi::FfiOptions {
            config: ffi::Config::Typed([n].into_iter().collect()),
            vmap_method: VmapMethod::BroadcastAll,
            ..Default::default()
        };
        ffi::ffi_call("watching.power", &[x], &[x.ty()], &options).swap_remove(0)
    };
    let Some(orders) = orders.checked_sub(1) else { return evaluate(x) };
    let rule = move |x: &Array, dx: &Array| (power(n, orders, x), dx * power(n - 1, orders, x) * n);
    custom_jvp(evaluate, rule)(x)
}

#[test]
fn an_op_of_a_user_has_every_rule() {
    let cube = |x: &Array| power(3, 2, x);
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    let vec = |x: Array| x.to_vec::<f32>().unwrap();
    assert_eq!(vec(cube(&x)), [1.0, 8.0, 27.0]);
    assert_eq!(vec(jit(cube).call(x.clone()).unwrap()), [1.0, 8.0, 27.0]);
    assert_eq!(eval_shape(cube, &x).ty(), x.ty());
    let sum = |x: &Array| cube(x).sum(..);
    assert_eq!(vec(grad(sum)(&x)), [3.0, 12.0, 27.0]);
    assert_eq!(vec(jvp(cube, &x, &Array::full(&[3], 2.0, DType::F32)).1), [6.0, 24.0, 54.0]);
    assert_eq!(vec(jit(vmap(grad(grad(cube)))).call(x.clone()).unwrap()), [6.0, 12.0, 18.0]);
    assert_eq!(
        vec(jit(grad(|x: &Array| vmap(grad(cube))(x).sum(..))).call(x.clone()).unwrap()),
        [6.0, 12.0, 18.0]
    );
    // A batch is one call.
    let before = POWERS.load(Ordering::Relaxed);
    let rows = vmap(cube)(&Array::full(&[50, 3], 2.0, DType::F32));
    assert_eq!(rows.sum(..).item::<f32>().unwrap(), 1200.0);
    assert_eq!(POWERS.load(Ordering::Relaxed), before + 1);
    // It is lowered to a call by name with typed attributes, which a program from a file makes too.
    let text = jit(cube).lower(&x).as_text();
    for part in ["stablehlo.custom_call @watching.power", "api_version = 4", "n = 3 : i64"] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let imported = Imported::from_bytes("text", text.as_bytes()).unwrap();
    assert_eq!(vec(imported.call(&[&x])[0].clone()), [1.0, 8.0, 27.0]);
}

#[test]
fn programs_are_called_on_arrays() {
    let program =
        make_program(|(x, y): &(Array, Array)| (x * y, x - y), &(Array::zeros(&[2]), Array::zeros(&[2])));
    let args = [Array::from_slice(&[3.0f32, 4.0]), Array::from_slice(&[1.0f32, 2.0])];
    let results = eval_program(&program, &args);
    assert_eq!(results[0].to_vec::<f32>().unwrap(), [3.0, 8.0]);
    let slope = grad(|x: &Array| eval_program(&program, &[x.clone(), args[1].clone()])[0].sum(..))(&args[0]);
    assert_eq!(slope.to_vec::<f32>().unwrap(), [1.0, 2.0]);
}

#[test]
fn the_default_device_says_what_it_is() {
    assert_eq!(default_backend(), "cpu");
    assert_eq!(device_count(), devices().len());
    let x = Array::ones(&[2]);
    let there = x.to_device(&devices()[0]).unwrap();
    assert_eq!(there.to_vec::<f32>().unwrap(), [1.0, 1.0]);
}

#[test]
fn a_call_returns_before_its_run_ends() {
    use std::sync::mpsc;
    use std::time::Duration;
    let (release, held) = mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    let wait = move |x: &Array| {
        let released = held.lock().unwrap().recv_timeout(Duration::from_secs(30));
        released.map_err(|_| Error::environment("the call did not return while the run was going on"))?;
        Ok(x.clone())
    };
    let wait = std::sync::Arc::new(wait);
    let f = jit(move |x: &Array| {
        let wait = wait.clone();
        io_callback(move |x: &Array| wait(x), x, x, CallbackOrder::Any) + 1.0
    });
    // Long enough that it is handed to the device's thread.
    let y = f.call(Array::zeros(&[1 << 20])).unwrap();
    release.send(()).unwrap();
    y.block_until_ready().unwrap();
    assert_eq!(y.max(..).item::<f32>().unwrap(), 1.0);
}

#[test]
fn a_call_like_one_before_traces_and_compiles_nothing() {
    let f = jit(|(x, y): &(Array, Vec<Array>)| x * &y[0] + 1.0);
    let args = (Array::ones(&[3]), vec![Array::ones(&[3])]);
    f.call(args.clone()).unwrap().block_until_ready().unwrap();
    let ((), lines) = log_compiles(|| {
        for _ in 0..100 {
            f.call(args.clone()).unwrap().block_until_ready().unwrap();
        }
    });
    assert!(lines.is_empty() && f.traces() == 1, "{lines:?}");
}

#[test]
fn what_is_collected_inside_is_also_collected_around() {
    let f = jit(|x: &Array| x * 2.0);
    let call = |n: usize| drop(f.call(Array::zeros(&[n])).unwrap());
    call(1);
    let (inside, around) = explain_retraces(|| {
        call(2);
        let ((), inside) = explain_retraces(|| call(3));
        call(4);
        inside
    });
    assert_eq!((inside.len(), around.len()), (1, 3));
    assert_eq!(inside[0], around[1]);
}
