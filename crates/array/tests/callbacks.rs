//! Host functions in programs: what they see, how often they run, in which order, and what their errors become.

use std::sync::{Arc, Mutex};

use jarrah_array::*;

use crate::errors::{has, panics_here};

/// What callbacks saw, in order.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<f64>>>);

impl Notes {
    /// Notes the sum of `x`.
    #[track_caller]
    fn see(&self, x: &Array, order: CallbackOrder) {
        let sink = self.0.clone();
        let note = move |x: &Array| {
            sink.lock().unwrap().push(x.to_literal()?.to_f64_vec().iter().sum());
            Ok(())
        };
        debug::callback(note, x, order);
    }

    fn take(&self) -> Vec<f64> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Checks that `f` notes `expected`, and computes the same: at once, compiled, and evaluated by the definition of ops.
#[track_caller]
fn sees(notes: &Notes, f: impl Fn(&Array) -> Array, x: &Array, expected: &[f64]) {
    let eager = f(x).to_literal().unwrap();
    assert_eq!(notes.take(), expected, "eager");
    let compiled = jit(|x: &Array| f(x));
    for _ in 0..2 {
        assert_eq!(compiled.call(x.clone()).unwrap().to_literal().unwrap(), eager);
        assert_eq!(notes.take(), expected, "compiled");
    }
    let program = make_program(&f, x);
    let results = jarrah_hlo_eval::evaluate(&program, &[x.to_literal().unwrap()]).unwrap();
    assert_eq!(results, [eager]);
    assert_eq!(notes.take(), expected, "evaluated");
}

fn numbers() -> Array {
    Array::from_slice(&[1.0f32, 2.0, 3.0])
}

#[test]
fn straight_lines_keep_their_order() {
    let notes = Notes::default();
    let f = |x: &Array| {
        let y = x * 10.0;
        notes.see(&y, CallbackOrder::Program);
        let z = x.exp();
        notes.see(x, CallbackOrder::Program);
        notes.see(&y.slice(0, 0..1), CallbackOrder::Program);
        // Nothing uses this; what it notes happens all the same.
        notes.see(&(z * 0.0), CallbackOrder::Program);
        x + 1.0
    };
    sees(&notes, f, &numbers(), &[60.0, 6.0, 10.0, 0.0]);
}

#[test]
fn loops_and_branches_keep_the_order_of_their_steps() {
    let notes = Notes::default();
    let f = |x: &Array| {
        let step = |c: &Array, x: &Array| {
            notes.see(x, CallbackOrder::Program);
            let above = || {
                notes.see(&(c * 100.0), CallbackOrder::Program);
                c + 1.0
            };
            let c = cond(&c.gt(2.5), above, || c + 2.0);
            notes.see(&c, CallbackOrder::Program);
            (c.clone(), c)
        };
        let (last, all) = scan(step, &(x.sum(..) * 0.0), x);
        let halved = while_loop(
            |c: &Array| c.gt(1.0),
            |c: &Array| {
                notes.see(c, CallbackOrder::Program);
                c * 0.5
            },
            &last,
        );
        all + halved
    };
    sees(&notes, f, &numbers(), &[1.0, 2.0, 2.0, 4.0, 3.0, 400.0, 5.0, 5.0, 2.5, 1.25]);
}

#[test]
fn batches_run_from_element_to_element() {
    let notes = Notes::default();
    let xs = Array::new(&[1.0f32, 2.0, 3.0, 10.0, 20.0, 30.0], &[2, 3]);
    let f = |xs: &Array| {
        vmap(|x: &Array| {
            notes.see(x, CallbackOrder::Program);
            // The branch depends on the element: only the one that is taken notes.
            let sum = x.sum(..);
            let branch = || {
                notes.see(&-&sum, CallbackOrder::Program);
                sum.clone()
            };
            let y = cond(&sum.gt(10.0), branch, || &sum * 2.0);
            let step = |c: &Array, x: &Array| {
                notes.see(x, CallbackOrder::Program);
                (c + x, ())
            };
            let (total, ()) = scan(step, &y, x);
            // Each element stops by itself.
            while_loop(
                |c: &Array| c.lt(40.0),
                |c: &Array| {
                    notes.see(c, CallbackOrder::Program);
                    c * 2.0
                },
                &total,
            )
        })(xs)
    };
    let expected = [
        6.0, 60.0,  // each row
        -60.0, // the second takes the branch
        1.0, 10.0, 2.0, 20.0, 3.0, 30.0, // the steps of both
        18.0, 36.0, // the first is below 40 for two steps
    ];
    sees(&notes, f, &xs, &expected);
}

#[test]
fn derivatives_see_the_function_once() {
    let notes = Notes::default();
    let inner = |x: &Array| {
        notes.see(x, CallbackOrder::Program);
        let y = x * x;
        notes.see(&y, CallbackOrder::Program);
        y.sin().sum(..)
    };
    let x = Array::from_slice(&[0.0f32, 3.0]);
    sees(&notes, |x| grad(inner)(x), &x, &[3.0, 9.0]);
    sees(&notes, |x| grad(|x: &Array| remat(inner)(x))(x), &x, &[3.0, 9.0]);
    sees(&notes, |x| jvp(inner, x, x).1, &x, &[3.0, 9.0]);
    let steps = |x: &Array| {
        let step = |c: &Array, x: &Array| {
            notes.see(x, CallbackOrder::Program);
            let c = c * x;
            notes.see(&c, CallbackOrder::Program);
            (c, ())
        };
        scan(remat_step(step), &(x.sum(..) * 0.0 + 1.0), x).0.sin()
    };
    sees(&notes, |x| grad(steps)(x), &Array::from_slice(&[2.0f32, 3.0]), &[2.0, 2.0, 3.0, 6.0]);
}

/// A step of a scan whose intermediate values the backward pass computes again.
fn remat_step(step: impl Fn(&Array, &Array) -> (Array, ())) -> impl Fn(&Array, &Array) -> (Array, ()) {
    move |c, x| remat(|(c, x): &(Array, Array)| step(c, x))(&(c.clone(), x.clone()))
}

#[test]
fn what_a_callback_returns_is_not_asked_for_again() {
    let calls = Arc::new(Mutex::new(0));
    let count = calls.clone();
    let next = move |(): &()| {
        let mut count = count.lock().unwrap();
        *count += 1;
        Ok(Array::scalar(*count as f32))
    };
    // The backward pass needs the callback's value, and remat would compute it again.
    let f = move |x: &Array| {
        let next = next.clone();
        remat(move |x: &Array| {
            x.sin() * io_callback(next.clone(), &Array::scalar(0.0f32), &(), CallbackOrder::Program)
        })(x)
    };
    let slope = jit(move |x: &Array| grad(f.clone())(x));
    for n in 1..=3 {
        assert_eq!(slope.call(Array::scalar(0.0f32)).unwrap().item::<f32>().unwrap(), n as f32);
        assert_eq!(*calls.lock().unwrap(), n);
    }
}

#[test]
fn a_pure_callback_runs_only_for_its_value() {
    let calls = Arc::new(Mutex::new(0));
    let count = calls.clone();
    let double = move |x: &Array| {
        *count.lock().unwrap() += 1;
        Ok(x * 2.0)
    };
    let unused = double.clone();
    let f = jit(move |x: &Array| {
        let _ = pure_callback(unused.clone(), x, x, VmapMethod::Sequential);
        x + 1.0
    });
    f.call(numbers()).unwrap().to_literal().unwrap();
    assert_eq!(*calls.lock().unwrap(), 0);
    let batch = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    for (method, times) in
        [(VmapMethod::Sequential, 2), (VmapMethod::ExpandDims, 1), (VmapMethod::BroadcastAll, 1)]
    {
        *calls.lock().unwrap() = 0;
        let double = double.clone();
        let f = move |x: &Array| pure_callback(double.clone(), x, x, method);
        let g = jit(move |x: &Array| vmap(&f)(x));
        assert_eq!(g.call(batch.clone()).unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(*calls.lock().unwrap(), times, "{method:?}");
    }
}

#[test]
fn operands_without_the_mapped_axis_have_one_of_extent_one_or_are_repeated() {
    for (method, extent) in [(VmapMethod::ExpandDims, 1), (VmapMethod::BroadcastAll, 2)] {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = seen.clone();
        let add = move |(x, y): &(Array, Array)| {
            sink.lock().unwrap().push((x.shape().to_vec(), y.shape().to_vec()));
            Ok(x + y)
        };
        let (xs, y) = (Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]), Array::from_slice(&[10.0f32, 20.0]));
        let f = move |args: &(Array, Array)| pure_callback(add.clone(), &args.0, args, method);
        let sums = vmap_axes(f, &[Some(0), None], &[Some(0)])(&(xs, y));
        assert_eq!(sums.to_vec::<f32>().unwrap(), [11.0, 22.0, 13.0, 24.0]);
        assert_eq!(*seen.lock().unwrap(), [(vec![2, 2], vec![extent, 2])]);
    }
}

#[test]
fn callbacks_may_use_arrays_transformations_and_compiled_functions() {
    let inner = Arc::new(jit(|x: &Array| grad(|x: &Array| (x * x).sum(..))(x)));
    let f = move |x: &Array| {
        let inner = inner.clone();
        let outside = Array::scalar(1.0f32);
        let slope = move |x: &Array| {
            let y = inner.call(x.clone())? + &outside;
            Ok(vmap(|y: &Array| y * 2.0)(&y))
        };
        pure_callback(slope, x, x, VmapMethod::Sequential)
    };
    assert_eq!(f(&numbers()).to_vec::<f32>().unwrap(), [6.0, 10.0, 14.0]);
    let g = f.clone();
    let compiled = jit(move |x: &Array| g(x) + 0.0);
    assert_eq!(compiled.call(numbers()).unwrap().to_vec::<f32>().unwrap(), [6.0, 10.0, 14.0]);
    // What was recorded outside runs when it is read, or when the chain of what depends on it becomes too long: here in
    // the middle of a trace.
    let recorded = || vmap(&f)(&Array::new(&[1.0f32, 2.0], &[2, 1]));
    let (read, chained) = (recorded(), recorded());
    let late = |x: &Array| {
        assert_eq!(read.to_vec::<f32>().unwrap(), [6.0, 10.0]);
        let mut y = chained.sum(..);
        for _ in 0..600 {
            y += 1.0;
        }
        (x * y).sum(..)
    };
    assert_eq!(grad(late)(&numbers()).to_vec::<f32>().unwrap(), [616.0; 3]);
}

#[test]
fn errors_and_panics_are_errors_of_the_call_at_its_line() {
    let fails = |how: i32| {
        move |x: &Array| match how {
            0 => Err(Error::program("the sensor is gone")),
            1 => panic!("no such luck"),
            2 => Ok(x + &Array::zeros(&[7])),
            3 => Ok(x.sum(..)),
            _ => Ok(x.clone()),
        }
    };
    let messages = [
        "the sensor is gone",
        "the host function io_callback panicked: no such luck",
        "f32[7]",
        "the result is f32[], f32[3] was declared",
    ];
    for (how, message) in (0..).zip(messages) {
        let f = jit(move |x: &Array| io_callback(fails(how), x, x, CallbackOrder::Program) + 1.0);
        let line = line!() - 1;
        for _ in 0..2 {
            let error = f.call(numbers()).and_then(|y| y.to_literal()).unwrap_err();
            assert!(error.message().contains(message), "{error}");
            let shown = error.to_string();
            assert!(shown.contains(&format!("callbacks.rs:{line}")), "{shown}");
            assert!(!shown.contains("the the"), "{shown}");
        }
        let error =
            try_trace(|| io_callback(fails(how), &numbers(), &numbers(), CallbackOrder::Any)).unwrap_err();
        assert!(error.message().contains(message), "{error}");
        let error = try_trace(|| pure_callback(fails(how), &numbers(), &numbers(), VmapMethod::Sequential));
        let error = error.unwrap_err();
        assert!(error.message().contains(&message.replace("io_", "pure_")), "{error}");
    }
    let x = numbers();
    let message = panics_here(|| {
        debug::callback(|_: &Array| Err(Error::program("not now")), &x, CallbackOrder::Program);
    });
    has(&message, &["not now", "callbacks.rs"]);
    // Nothing is the worse for it.
    let f = jit(move |x: &Array| io_callback(fails(4), x, x, CallbackOrder::Program) + 1.0);
    assert_eq!(f.call(numbers()).unwrap().to_vec::<f32>().unwrap(), [2.0, 3.0, 4.0]);
}

#[test]
fn what_has_no_meaning_is_refused() {
    let echo = |x: &Array| Ok(x.clone());
    let error = try_trace(|| {
        grad(|x: &Array| pure_callback(echo, x, x, VmapMethod::Sequential))(&Array::scalar(1.0f32))
    });
    let error = error.unwrap_err();
    has(&error.to_string(), &["has no derivative", "custom_jvp or custom_vjp", "callbacks.rs"]);
    let f = custom_vjp(
        move |x: &Array| pure_callback(echo, x, x, VmapMethod::Sequential),
        move |x: &Array| (pure_callback(echo, x, x, VmapMethod::Sequential), ()),
        |(): &(), ct: &Array| ct * 5.0,
    );
    assert_eq!(grad(f)(&Array::scalar(1.0f32)).item::<f32>().unwrap(), 5.0);
    let message = panics_here(|| {
        debug::print("{} and {}", &Array::scalar(1.0f32), CallbackOrder::Program);
    });
    has(&message, &["[debug::print]", "asks for {}, there are 1 arrays"]);
    for (format, message) in
        [("{x}", "asks for {x}"), ("{", "ends in an open brace"), ("}", "closes a brace that is not open")]
    {
        let error = debug::format(format, &(numbers(), numbers())).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
    // The host function would see an array of a program that is not running.
    let error = try_trace(|| {
        jit(|x: &Array| {
            let traced = x.clone();
            io_callback(move |y: &Array| Ok(y + &traced), x, x, CallbackOrder::Program)
        })
        .call(numbers())
        .and_then(|y| y.to_literal())
    });
    let Err(error) = error.unwrap() else { panic!("a traced array in a host function") };
    has(error.message(), &["was used after the trace it belongs to had ended"]);
}

#[test]
fn printing_works_under_every_transformation() {
    let f = |x: &Array| {
        debug::print("{} of {{}}", x, CallbackOrder::Program);
        debug::print("{0}", &(x.clone(), x.sum(..)), CallbackOrder::Any);
        (x * x).sum(..)
    };
    let xs = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    let slopes = jit(move |xs: &Array| vmap(|x: &Array| grad(f)(x))(xs));
    assert_eq!(slopes.call(xs).unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn what_prints_runs_while_its_result_is_printed() {
    let (done, value) = std::sync::mpsc::channel();
    // As `println!("{}", f.call(x)?)` does, whose result is read under the lock.
    let printing = std::io::stdout().lock();
    std::thread::spawn(move || {
        let f = jit(|x: &Array| {
            debug::print("{}", x, CallbackOrder::Program);
            x + 1.0
        });
        done.send(f.call(Array::scalar(1.0f32)).and_then(|y| y.item::<f32>()))
    });
    let value = value.recv_timeout(std::time::Duration::from_secs(60));
    drop(printing);
    assert_eq!(value.expect("the run waits for who waits for it").unwrap(), 2.0);
}

/// Set where this program was started to be profiled.
const PROFILED: &str = "JARRAH_CALLBACKS_PROFILED";

/// Prints a result as `eprintln!("{}", f.call(x)?)` does, which reads it under the lock of the standard error; does so only where the
/// test below started this program.
#[test]
fn is_profiled() {
    if std::env::var_os(PROFILED).is_none() {
        return;
    }
    let (done, value) = std::sync::mpsc::channel();
    let printing = std::io::stderr().lock();
    std::thread::spawn(move || {
        let host = |x: &Array| Ok(x * 2.0);
        let f = jit(move |x: &Array| pure_callback(host, x, x, VmapMethod::Sequential) + 1.0);
        done.send(f.call(Array::scalar(1.0f32)).and_then(|y| y.item::<f32>()))
    });
    let value = value.recv_timeout(std::time::Duration::from_secs(20));
    drop(printing);
    assert_eq!(value.expect("the run waits for who waits for it").unwrap(), 3.0);
}

#[test]
fn what_is_profiled_runs_while_its_result_is_printed() {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "callbacks::is_profiled"]).env(PROFILED, "1").env("JARRAH_PROFILE", "1");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("profile of "), "{said}");
}

#[test]
fn functions_of_the_process_go_into_no_file() {
    let double = |x: &Array| Ok(x * 2.0);
    let f = jit(move |x: &Array| pure_callback(double, x, x, VmapMethod::BroadcastAll));
    let error = f.lower(&Array::zeros(&[2])).bytecode().unwrap_err();
    assert!(error.message().contains("calls a function of this process"), "{error}");
}

#[test]
fn a_breakpoint_shows_values_by_their_paths() {
    let args = (numbers(), vec![Array::scalar(7i32)]);
    let look = |commands: &str| {
        let mut output = Vec::new();
        let outcome = debug::inspect(Location::caller(), &args, &mut commands.as_bytes(), &mut output);
        (String::from_utf8(output).unwrap(), outcome)
    };
    let (text, outcome) = look("l\np 1.0\np nothing\nwhat\nc\n");
    assert!(outcome.is_ok());
    for part in
        ["callbacks.rs", "0: f32[3]\n", "1.0: i32[] = 7\n", "there is no nothing", "what is no command"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(look("p").0.contains("0: f32[3] = [1.0, 2.0, 3.0]"));
    assert!(look("").1.is_ok(), "at the end of the input the run goes on");
    assert!(look("q\n").1.unwrap_err().to_string().contains("ended at a breakpoint"));
    // In a program, without a terminal: nothing stops.
    let f = jit(vmap(|x: &Array| {
        debug::breakpoint(&(x.clone(), x * 2.0));
        x + 1.0
    }));
    if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        assert_eq!(f.call(numbers()).unwrap().to_vec::<f32>().unwrap(), [2.0, 3.0, 4.0]);
    }
}
