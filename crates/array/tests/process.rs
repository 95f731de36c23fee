//! What a process holds and does: arrays alive, code compiled, effects in flight; modes for the length of a call.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jarrah_array::monitoring::{MonitoringEvent, register_listener};
use jarrah_array::*;
use jarrah_cpu::CpuClient;

/// A device of a client that no other test knows.
fn own_device() -> Device {
    Device::all(Arc::new(CpuClient::with_threads(1))).swap_remove(0)
}

#[test]
fn every_array_has_a_type() {
    let seen = Mutex::new(Vec::new());
    let see = |x: &Array| {
        seen.lock().unwrap().push(x.ty().to_string());
        x.sum(..)
    };
    let x = Array::zeros(&[2, 3]);
    see(&x);
    grad(see)(&x);
    vmap(see)(&x);
    jit(see).call(x.clone()).unwrap();
    eval_shape(see, &x.astype(DType::BF16));
    assert_eq!(*seen.lock().unwrap(), ["f32[2,3]", "f32[2,3]", "f32[3]", "f32[2,3]", "bf16[2,3]"]);
}

#[test]
fn arrays_that_are_alive_are_listed_with_their_lines() {
    let before = Array::ones(&[3]);
    let (kept, alive) = live_arrays(|| {
        let x = Array::ones(&[100, 3]);
        let y = &x * 2.0 + &before;
        assert_eq!(y.sum(..).item::<f32>().unwrap(), 900.0);
        let (z, inner) = live_arrays(|| vec![x.sum(..) + 1.0]);
        assert_eq!(inner.len(), 1, "{inner:?}");
        (y, z)
    });
    let mut types: Vec<(String, usize)> = alive.iter().map(|a| (a.ty.to_string(), a.bytes)).collect();
    types.sort();
    assert_eq!(types, [("f32[100,3]".to_owned(), 1200), ("f32[]".to_owned(), 4)], "{kept:?}");
    assert!(alive.iter().all(|a| a.to_string().contains("process.rs") && a.device == default_device()));
    let ((), none) = live_arrays(|| drop(Array::ones(&[5]) + 1.0));
    assert!(none.is_empty(), "{none:?}");
    let ((), none) = live_arrays(|| (0..5000).for_each(|i| drop(Array::scalar(i))));
    assert!(none.is_empty());
}

#[test]
fn what_was_compiled_is_forgotten_and_compiled_again() {
    let (device, other) = (own_device(), own_device());
    let compiled = |device: &Device| with_default_device(device, compiled_programs);
    let f = jit(|x: &Array| x.sin());
    let ones = Array::from_slice(&[1.0f32; 3]);
    let call = |device: &Device| {
        with_default_device(device, || f.call(ones.clone()).unwrap().to_vec::<f32>().unwrap())
    };
    let expected = call(&other);
    for round in 1..4 {
        assert_eq!((call(&device), call(&device)), (expected.clone(), expected.clone()));
        assert_eq!((compiled(&device), f.traces()), (round, 1));
        with_default_device(&device, clear_caches);
    }
    // Operations outside of a trace too.
    let twice = || with_default_device(&device, || (&ones * 2.5).to_vec::<f32>().unwrap());
    let before = compiled(&device);
    twice();
    twice();
    assert_eq!(compiled(&device), before + 1);
    with_default_device(&device, clear_caches);
    twice();
    assert_eq!(compiled(&device), before + 2);
}

#[test]
fn a_barrier_waits_for_effects() {
    static SEEN: AtomicU32 = AtomicU32::new(0);
    let slow = |_: &Array| {
        std::thread::sleep(Duration::from_millis(50));
        SEEN.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let f = jit(move |x: &Array| {
        debug::callback(slow, x, CallbackOrder::Any);
        x.sin()
    });
    let results: Vec<Array> = (0..3).map(|_| f.call(Array::zeros(&[1 << 20])).unwrap()).collect();
    effects_barrier().unwrap();
    assert_eq!(SEEN.load(Ordering::Relaxed), 3);
    drop(results);
}

#[test]
fn the_environment_is_described() {
    let text = environment_info();
    let first = |word: &str| text.lines().find(|line| line.starts_with(word)).unwrap_or_default().to_owned();
    assert!(first("jarrah ").contains(env!("CARGO_PKG_VERSION")), "{text}");
    assert!(first("client ").contains("cpu"), "{text}");
    let devices = text.lines().filter(|line| line.starts_with("device "));
    assert_eq!(devices.count(), device_count(), "{text}");
    assert!(first("device ").contains("bytes in use"), "{text}");
}

#[test]
fn listeners_hear_of_traces_and_compilations() {
    let device = own_device();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = heard.clone();
    // Tests run side by side: only what this thread does is of interest.
    let here = std::thread::current().id();
    let listener = register_listener(move |event: &MonitoringEvent| {
        if std::thread::current().id() == here {
            sink.lock().unwrap().push(event.clone());
        }
    });
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    let call = || with_default_device(&device, || jit(|x: &Array| x.cos()).call(x.clone()).unwrap());
    call();
    call();
    let f = jit(|x: &Array| x.cos());
    f.lower(&x);
    f.lower(&Array::zeros(&[4]));
    drop(listener);
    call();
    let heard = heard.lock().unwrap();
    let names: Vec<&str> = heard.iter().map(MonitoringEvent::name).collect();
    assert_eq!(names, ["trace", "compile", "trace", "cache_hit", "trace", "retrace", "trace"]);
    assert!(heard[1].duration().unwrap() > Duration::ZERO && heard[3].duration().is_none());
    match &heard[5] {
        MonitoringEvent::Retrace { why, at, .. } => {
            assert_eq!(why, "the argument is f32[4], it was f32[3]");
            assert!(at.file().ends_with("process.rs"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn leaks_are_found_at_the_end_of_the_trace() {
    let kept = Mutex::new(None);
    let leaky = |x: &Array| {
        let y = x.sin();
        *kept.lock().unwrap() = Some(y.clone());
        y.sum(..)
    };
    let x = Array::ones(&[3]);
    grad(leaky)(&x);
    let leaks: [&dyn Fn(); 3] =
        [&|| drop(grad(leaky)(&x)), &|| drop(vmap(leaky)(&x)), &|| drop(jit(leaky).call(x.clone()))];
    for transformed in leaks {
        let error = checking_leaks(|| try_trace(transformed)).unwrap_err().to_string();
        assert!(error.contains("is held after the end of its trace"), "{error}");
        assert!(error.contains("process.rs"), "{error}");
    }
    // Nothing that the library does holds one.
    let fine = |x: &Array| {
        let step = |c: &Array, x: &Array| (c * x, c.sin());
        let (c, ys) = scan(step, &x.sum(..), x);
        let sine =
            custom_vjp(|x: &Array| x.sin(), |x: &Array| (x.sin(), x.cos()), |c: &Array, ct: &Array| c * ct);
        let z = cond(&c.gt(0.0), || sine(&c), || c.clone());
        checkpoint(|z: &Array| z.exp() * &c, CheckpointPolicy::nothing_saveable())(&z) + ys.sum(..)
    };
    let expected = jit(grad(fine)).call(x.clone()).unwrap().to_vec::<f32>().unwrap();
    let checked = checking_leaks(|| jit(vmap(grad(fine))).call(stack(&[&x, &x], 0))).unwrap();
    assert_eq!(checked.to_vec::<f32>().unwrap(), [expected.clone(), expected].concat());
}

#[test]
fn checks_look_after_each_pass() {
    let step = |x: &Array| {
        debug::print("{}", x, CallbackOrder::Program);
        (x.sin() * 2.0).sum(..)
    };
    let program = make_program(step, &Array::zeros(&[3]));
    let work = |f: &dyn Fn()| jarrah_base::work::counted(f).0;
    let compile = || {
        let target = jarrah_compiler::Reference::default();
        jarrah_compiler::compile(&program, &target, Default::default()).unwrap();
    };
    let off = work(&|| jarrah_compiler::with_checks(false, compile));
    let on = work(&|| jarrah_compiler::with_checks(false, || enable_checks(compile)));
    assert!(on > off, "{on} steps with checks, {off} without");
}

#[test]
fn ranks_are_promoted_as_the_mode_says() {
    let (a, b) = (Array::ones(&[2, 3]), Array::ones(&[3]));
    let sum = || try_trace(|| (&a + &b).to_vec::<f32>());
    let under = |promotion| numpy_rank_promotion(promotion, sum);
    assert_eq!(sum().unwrap().unwrap(), [2.0; 6]);
    assert_eq!(under(RankPromotion::Allow).unwrap().unwrap(), [2.0; 6]);
    assert_eq!(under(RankPromotion::Warn).unwrap().unwrap(), [2.0; 6]);
    let error = under(RankPromotion::Raise).unwrap_err().to_string();
    assert!(error.contains("[add] f32[2,3] and f32[3] have different ranks"), "{error}");
    assert!(error.contains("process.rs"), "{error}");
    numpy_rank_promotion(RankPromotion::Raise, || {
        // Scalars, numbers, and extents of one are no other ranks.
        let fine =
            [&a + 1.0, &a + Array::scalar(1.0f32), &a + Array::ones(&[1, 3]), Array::scalar(1.0f32) + &a];
        fine.iter().for_each(|sum| assert_eq!(sum.to_vec::<f32>().unwrap(), [2.0; 6]));
        assert!(try_trace(|| jit(|b: &Array| &a * b).call(b.clone())).is_err(), "in a trace too");
        assert!(try_trace(|| where_(&a.gt(0.0), &a, &b)).is_err());
    });
    assert!(sum().is_ok());
    // A function that was compiled before is looked at as well.
    let f = jit(|b: &Array| &a + b);
    let call = || try_trace(|| f.call(b.clone()).unwrap());
    assert!(call().is_ok());
    assert!(numpy_rank_promotion(RankPromotion::Raise, call).is_err());
    assert!(call().is_ok());
}

#[test]
fn values_are_computed_while_a_function_is_traced() {
    let captured = Array::from_slice(&[1.0f32, 2.0]);
    let f = |x: &Array| {
        let n = ensure_compile_time_eval(|| {
            assert!(grad(|x: &Array| x * x)(&Array::scalar(2.0f32)).item::<f32>().unwrap() == 4.0);
            (&captured * 2.0).sum(..)
        });
        assert_eq!(n.item::<f32>().unwrap(), 6.0);
        (x * n).sum(..)
    };
    let x = Array::ones(&[2]);
    assert_eq!(jit(f).call(x.clone()).unwrap().item::<f32>().unwrap(), 12.0);
    assert_eq!(jit(vmap(grad(f))).call(Array::ones(&[2, 2])).unwrap().to_vec::<f32>().unwrap(), [6.0; 4]);
    let wrong = |x: &Array| ensure_compile_time_eval(|| x + 1.0);
    let error = try_trace(|| jit(wrong).call(x.clone())).unwrap_err().to_string();
    assert!(error.contains("it has no value to compute with now") && error.contains("process.rs"), "{error}");
    assert_eq!(ensure_compile_time_eval(|| &x + 1.0).to_vec::<f32>().unwrap(), [2.0; 2]);
}

#[test]
fn compiled_functions_travel_as_bytes() {
    let scale = Array::from_slice(&[2.0f32, 3.0]);
    let shift = Array::scalar(0.5f32);
    let f = jit(move |(x, rest): &(Array, Vec<Array>)| vec![x * &scale, &rest[0] + &shift]);
    let args = (Array::from_slice(&[1.0f32, 4.0]), vec![Array::scalar(1.0f32)]);
    let compiled = f.lower(&args).compile().unwrap();
    let (bytes, expected) = (compiled.serialize().unwrap(), compiled.call(args.clone()).unwrap());
    let device = own_device();
    with_default_device(&device, || {
        let loaded = Compiled::deserialize_and_load(&bytes, &args, &expected).unwrap();
        for _ in 0..2 {
            let found = loaded.call(args.clone()).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.to_literal().unwrap(), expected.to_literal().unwrap());
            }
            clear_caches();
        }
        assert_eq!(compiled_programs(), 0);
        assert!(loaded.call((args.0.clone(), Vec::<Array>::new())).is_err());
        let wrong = (args.0.astype(DType::F64), args.1.clone());
        let error = Compiled::deserialize_and_load(&bytes, &wrong, &expected).err().unwrap().to_string();
        assert!(error.contains("takes (f32[2], f32[]), not (f64[2], f32[])"), "{error}");
        let error = Compiled::deserialize_and_load(&bytes, &args, &args.0).err().unwrap().to_string();
        assert!(error.contains("returns (f32[2], f32[]), not (f32[2])"), "{error}");
        for damaged in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat(), &bytes[..100], &[]] {
            assert!(Compiled::deserialize_and_load(damaged, &args, &expected).is_err());
        }
    });
}

#[test]
fn arguments_of_a_compiled_function_are_described() {
    let f = jit(|(state, x): &((Array, Array), Array)| (&state.0 + x, &state.1 * x)).donate(0);
    let zeros = |n: usize| Array::zeros(&[n]);
    let lowered = f.lower(&((zeros(3), zeros(3)), zeros(3)));
    let lines = lowered.args_info().into_iter();
    let lines: Vec<String> = lines.map(|a| format!("{} {} {}", a.path, a.ty, a.donated)).collect();
    assert_eq!(lines, ["0.0 f32[3] true", "0.1 f32[3] true", "1 f32[3] false"]);
}

#[test]
fn arrays_lie_in_the_memory_they_were_put_in() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]).reshape(&[3, 1]);
    let format = x.format().unwrap();
    assert_eq!(
        (format.major_to_minor, format.device, format.memory),
        (vec![0, 1], default_device(), MemoryKind::Device)
    );
    let f = jit(|x: &Array| x * 2.0);
    for kind in MemoryKind::ALL {
        let there = x.to_memory(kind).unwrap();
        assert_eq!(there.format().unwrap().memory, kind);
        assert_eq!(there.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(there.to_memory(kind).unwrap().format().unwrap().memory, kind);
        let back = there.to_memory(MemoryKind::Device).unwrap();
        assert_eq!(back.format().unwrap().memory, MemoryKind::Device);
        // Programs take arrays from any memory, and their results lie in the device's own.
        for y in [f.call(there.clone()).unwrap(), &there * 2.0, grad(|x: &Array| (x * x).sum(..))(&there)] {
            assert_eq!(y.to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0]);
            assert_eq!(y.format().unwrap().memory, MemoryKind::Device);
        }
    }
    let traced = jit(|x: &Array| x.to_memory(MemoryKind::PinnedHost).unwrap() + 1.0);
    assert_eq!(traced.call(x).unwrap().to_vec::<f32>().unwrap(), [2.0, 3.0, 4.0]);
    let other = Device::all(Arc::new(jarrah_reference::ReferenceClient::new())).swap_remove(0);
    let error = Array::zeros(&[2]).to_device(&other).unwrap().to_memory(MemoryKind::PinnedHost).unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
}

type Line = Partial<(Array, Array), Array, Array>;

fn line(slope: f32, shift: f32) -> Line {
    Partial::new(|(a, b), x| (a * x + b).sin(), (Array::scalar(slope), Array::scalar(shift)))
}

#[test]
fn partial_functions_are_functions_and_trees() {
    let x = Array::scalar(0.5f32);
    let item = |x: Array| x.item::<f32>().unwrap();
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} is not {b}");
    let f = line(2.0, 1.0);
    near(item(f.call(&x)), 2f32.sin());
    near(item(grad(&f)(&x)), 2.0 * 2f32.cos());
    near(item(jit(vmap(&f)).call(Array::full(&[3], 0.5, DType::F32)).unwrap().sum(..)), 3.0 * 2f32.sin());
    // Its leaves are what is bound.
    assert_eq!(
        f.leaves_with_paths().iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
        ["bound.0", "bound.1"]
    );
    let slope = grad(|f: &Line| f.call(&x))(&f);
    near(item(slope.bound.0), 0.5 * 2f32.cos());
    near(item(slope.bound.1), 2f32.cos());
    // It is an argument, a result, a carry and an element of a batch.
    let apply = jit(|(f, x): &(Line, Array)| (f.call(x), f.map_leaves(|leaf| leaf * 2.0)));
    let (y, doubled) = apply.call((f.clone(), x.clone())).unwrap();
    near(item(y), 2f32.sin());
    near(item(doubled.call(&x)), 4f32.sin());
    apply.call((line(5.0, 5.0), x.clone())).unwrap();
    assert_eq!(apply.traces(), 1);
    let cosine: Line = Partial::new(|(a, b), x| (a * x + b).cos(), f.bound.clone());
    near(item(apply.call((cosine.clone(), x.clone())).unwrap().0), 2f32.cos());
    assert_eq!(apply.traces(), 2, "another function is another structure");
    assert!(cosine.structure().difference(&f.structure()).is_some());
    let step = |f: &Line, x: &Array| (f.map_leaves(|leaf| leaf + 1.0), f.call(x));
    let (last, ys) = scan(step, &f, &Array::full(&[2], 0.5, DType::F32));
    near(item(last.bound.0), 4.0);
    near(ys.to_vec::<f32>().unwrap()[1], 3.5f32.sin());
    let batch = f.map_leaves(|leaf| stack(&[leaf, &(leaf + 1.0)], 0));
    near(vmap(|f: &Line| f.call(&x))(&batch).to_vec::<f32>().unwrap()[1], 3.5f32.sin());
}

#[test]
fn listeners_may_do_what_they_hear_of() {
    let (here, device) = (std::thread::current().id(), own_device());
    let (f, x) = (Arc::new(jit(|x: &Array| x.tan() * 3.0)), Array::from_slice(&[1.0f32, 2.0]));
    let eager = |x: &Array| (x * 2.5 + 1.5).to_vec::<f32>();
    let busy = AtomicU32::new(0);
    let again = f.clone();
    let listener = register_listener(move |_| {
        if std::thread::current().id() != here || busy.fetch_add(1, Ordering::Relaxed) > 0 {
            return;
        }
        // Also while a function is traced these operations run at once, and what this thread compiles is free.
        let x = Array::from_slice(&[3.0f32, 4.0]);
        assert_eq!(eager(&x).unwrap(), [9.0, 11.5]);
        again.call(x).unwrap().to_vec::<f32>().unwrap();
        drop(register_listener(|_| {}));
        clear_caches();
        busy.store(0, Ordering::Relaxed);
    });
    let all = || {
        let outer = jit(|x: &Array| f.call(x.clone()).unwrap() + 1.0);
        (eager(&x).unwrap(), outer.call(x.clone()).unwrap().to_vec::<f32>().unwrap())
    };
    let heard = with_default_device(&device, all);
    drop(listener);
    assert_eq!(heard, with_default_device(&own_device(), all));
}

#[test]
fn a_listener_that_panics_leaves_no_lock_behind() {
    let (here, device) = (std::thread::current().id(), own_device());
    let (f, x) = (jit(|x: &Array| x.tan()), Array::from_slice(&[1.0f32, 2.0]));
    let recorded = with_default_device(&device, || &x * 2.5 + 0.5);
    let listener = register_listener(move |event| {
        assert!(std::thread::current().id() != here, "the listener heard of {event:?}");
    });
    for run in [&|| drop(recorded.to_vec::<f32>()) as _, &|| drop(f.call(x.clone()))] as [&dyn Fn(); 2] {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        let message = *ended.unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains("the listener heard of"), "{message}");
    }
    drop(listener);
    assert_eq!(recorded.to_vec::<f32>().unwrap(), [3.0, 5.5]);
    assert_eq!(f.call(x.clone()).unwrap().to_vec::<f32>().unwrap(), x.tan().to_vec::<f32>().unwrap());
}

#[test]
fn of_the_operations_on_many_shapes_only_the_last_stay_compiled() {
    let device = own_device();
    let double = |n: usize| (Array::ones(&[n]) * 2.0).to_vec::<f32>().unwrap();
    let compiles = |n: usize| {
        let before = compiled_programs();
        double(n);
        compiled_programs() - before
    };
    with_default_device(&device, || {
        (1..5000).for_each(|n| drop(double(n)));
        assert_eq!((compiles(4999), compiles(1), compiles(1)), (0, 1, 0));
    });
}

#[test]
fn threads_that_call_a_function_first_share_its_trace() {
    let traced = AtomicU32::new(0);
    let f = jit(|x: &Array| {
        traced.fetch_add(1, Ordering::Relaxed);
        // All are in here before one of them is done.
        while traced.load(Ordering::Relaxed) < 4 {
            std::thread::yield_now();
        }
        x * 2.0
    });
    std::thread::scope(|scope| {
        for i in 0..4 {
            let f = &f;
            scope.spawn(move || {
                let y = f.call(Array::full(&[3], i, DType::F32)).unwrap();
                assert_eq!(y.to_vec::<f32>().unwrap(), [2.0 * i as f32; 3]);
            });
        }
    });
    assert_eq!((traced.load(Ordering::Relaxed), f.traces()), (4, 1));
}
