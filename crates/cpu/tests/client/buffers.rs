use std::sync::{Arc, Mutex};
use std::thread;

use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::host::HandlerCall;
use jarrah_hlo::ops::{CallTarget, CustomCall, DynamicUpdateSlice};
use jarrah_hlo::{Builder, Program};
use jarrah_reference::ReferenceClient;
use jarrah_runtime::{Arg, Buffer, Client, CompileOptions, DeviceId, ExecuteOptions, Placement};

use super::numbers;

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

/// `x` with `y` at `i`.
fn updated() -> Program {
    let mut b = Builder::new("updated");
    let (x, y) = (b.param(f32s(&[1000]), "cache"), b.param(f32s(&[10]), "y"));
    let i = b.param(Type::scalar(DType::I32), "i");
    let x = b.one(DynamicUpdateSlice, &[x, y, i]).unwrap();
    b.finish(&[x]).unwrap()
}

#[test]
fn a_donated_argument_that_others_hold_is_left_alone() {
    let client = CpuClient::with_threads(1);
    let program = updated();
    let executable = client.compile(&program, &CompileOptions::donating(&[0])).unwrap();
    let args = [numbers(DType::F32, &[1000], 1), numbers(DType::F32, &[10], 2), Literal::scalar(7i32)];
    let expected = jarrah_hlo_eval::evaluate(&program, &args).unwrap();
    let buffers = || args.iter().map(|a| client.upload(a).unwrap()).collect::<Vec<_>>();
    let given = buffers();
    let memory = given[0].address().unwrap();
    let donating = |args: &[Buffer]| {
        let donated = Arg::Donate(args[0].clone());
        std::iter::once(donated).chain(args[1..].iter().cloned().map(Arg::Borrow)).collect::<Vec<_>>()
    };
    let unique = executable.run_args(donating(&given)).unwrap();
    assert_eq!(unique[0].read().unwrap(), expected[0]);
    assert_eq!(unique[0].address().unwrap(), memory, "the argument's memory is the result's");
    assert!(given[0].is_deleted());
    let error = executable.run(given).unwrap_err();
    assert_eq!(error.message(), "a buffer of type f32[1000] was deleted or donated");

    // Not given up: the steps overwrite a copy.
    let held = buffers();
    let kept = executable.run(held.clone()).unwrap();
    assert_eq!(kept[0].read().unwrap(), expected[0]);
    assert_ne!(kept[0].address().unwrap(), held[0].address().unwrap());
    assert_eq!(held[0].read().unwrap(), args[0]);

    // Given up while somebody still reads it: the view keeps its bytes.
    let viewed = buffers();
    let view = viewed[0].view().unwrap();
    let copied = executable.run_args(donating(&viewed)).unwrap();
    assert_eq!(copied[0].read().unwrap(), expected[0]);
    assert_ne!(copied[0].address().unwrap(), view.bytes().as_ptr().addr());
    assert_eq!(view.bytes(), args[0].bytes());
}

#[test]
fn threads_read_a_buffer_until_one_deletes_it() {
    let client = CpuClient::with_threads(1);
    let mut b = Builder::new("double");
    let x = b.param(f32s(&[1000]), "x");
    let y = b.add(x, x).unwrap();
    let double = client.compile(&b.finish(&[y]).unwrap(), &CompileOptions::default()).unwrap();
    let x = numbers(DType::F32, &[1000], 1);
    let expected = double.run(vec![client.upload(&x).unwrap()]).unwrap()[0].read().unwrap();
    let in_use = || client.memory_stats(DeviceId::default()).unwrap().in_use;
    let before = in_use();
    for round in 0..100 {
        let buffer = client.upload(&x).unwrap();
        let read = || loop {
            match double.execute_borrowed(&[&buffer], &ExecuteOptions::default()) {
                Ok((results, _)) => assert_eq!(results[0].read().unwrap(), expected),
                Err(error) => {
                    return assert_eq!(error.message(), "a buffer of type f32[1000] was deleted or donated");
                }
            }
        };
        thread::scope(|scope| {
            (0..3).for_each(|_| drop(scope.spawn(read)));
            scope.spawn(|| {
                (0..round).for_each(|_| thread::yield_now());
                buffer.delete();
                buffer.delete();
            });
        });
        // The memory is gone, though there is a handle.
        assert_eq!((in_use(), buffer.is_deleted()), (before, true), "round {round}");
    }
}

#[test]
fn a_buffer_that_is_deleted_during_a_run_stays_for_it() {
    let client = CpuClient::with_options(CpuOptions { asynchronous: false, ..CpuOptions::default() });
    let deleted: Arc<Mutex<Option<Buffer>>> = Arc::default();
    let buffer = deleted.clone();
    let delete = move |call: &mut HandlerCall<'_>| {
        buffer.lock().unwrap().take().expect("a buffer to delete").delete();
        call.results[0].bytes.copy_from_slice(call.operands[0].bytes);
        Ok(())
    };
    client.registry().register("delete", delete).unwrap();
    let mut b = Builder::new("f");
    let (x, y) = (b.param(f32s(&[1000]), "x"), b.param(f32s(&[1000]), "y"));
    let call = CustomCall::new(CallTarget::Named("delete".into()), vec![f32s(&[1000])]);
    let same = b.one(call, &[y]).unwrap();
    let sum = b.add(x, same).unwrap();
    let f = client.compile(&b.finish(&[sum]).unwrap(), &CompileOptions::default()).unwrap();
    let x = Literal::from_slice(&[1000], &[1.0f32; 1000]).unwrap();
    let in_use = || client.memory_stats(DeviceId::default()).unwrap().in_use;
    let y = client.upload(&x).unwrap();
    let before = in_use();
    let held = client.upload(&x).unwrap();
    *deleted.lock().unwrap() = Some(held.clone());
    let results = f.run(vec![held.clone(), y.clone()]).unwrap();
    assert!(held.is_deleted() && held.read().is_err() && !y.is_deleted());
    assert_eq!(results[0].read().unwrap(), Literal::from_slice(&[1000], &[2.0f32; 1000]).unwrap());
    drop(results);
    assert_eq!(in_use(), before, "the run was its last reader");
}

#[test]
fn results_that_are_arguments_constants_or_each_other() {
    let mut b = Builder::new("f");
    let x = b.param(f32s(&[2, 3]), "x");
    let flat = b.reshape(x, &[6]).unwrap();
    let c = b.constant(numbers(DType::F32, &[4], 9)).unwrap();
    let y = b.add(x, x).unwrap();
    let program = b.finish(&[x, flat, c, y, y, c]).unwrap();
    super::check("results", &program, &[numbers(DType::F32, &[2, 3], 3)], 0.0);
    // The same, when the argument may be overwritten.
    let client = CpuClient::with_threads(1);
    let executable = client.compile(&program, &CompileOptions::donating(&[0])).unwrap();
    let x = numbers(DType::F32, &[2, 3], 3);
    let results = executable.run(vec![client.upload(&x).unwrap()]).unwrap();
    let expected = jarrah_hlo_eval::evaluate(&program, &[x]).unwrap();
    assert_eq!(results.iter().map(|r| r.read().unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn wrong_arguments_are_named() {
    let client = CpuClient::with_threads(1);
    let executable = client.compile(&updated(), &CompileOptions::default()).unwrap();
    let error = executable.run(Vec::new()).unwrap_err();
    assert_eq!(error.message(), "updated takes 3 arguments, 0 were given");
    let short = client.upload(&numbers(DType::F32, &[999], 1)).unwrap();
    let y = client.upload(&numbers(DType::F32, &[10], 1)).unwrap();
    let i = client.upload(&Literal::scalar(0i32)).unwrap();
    let error = executable.run(vec![short, y.clone(), i.clone()]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Program);
    assert_eq!(error.message(), "argument 0 (cache) of updated is f32[1000], f32[999] was given");
    let alien = ReferenceClient::new().upload(&numbers(DType::F32, &[1000], 1)).unwrap();
    let error = executable.run(vec![alien, y, i]).unwrap_err();
    assert!(error.message().contains("of another client"), "{error}");
}

#[test]
fn many_threads_run_one_executable() {
    let client = CpuClient::with_threads(2);
    let program = updated();
    let executable = client.compile(&program, &CompileOptions::default()).unwrap();
    std::thread::scope(|scope| {
        for t in 0..4 {
            let (client, executable, program) = (&client, &executable, &program);
            scope.spawn(move || {
                for i in 0..50 {
                    let args = [
                        numbers(DType::F32, &[1000], t),
                        numbers(DType::F32, &[10], i),
                        Literal::scalar(3i32),
                    ];
                    let buffers = args.iter().map(|a| client.upload(a).unwrap()).collect();
                    let results = executable.run(buffers).unwrap();
                    let expected = jarrah_hlo_eval::evaluate(program, &args).unwrap();
                    assert_eq!(results[0].read().unwrap(), expected[0]);
                }
            });
        }
    });
}

/// Two clients of one process know nothing of each other.
#[test]
fn a_buffer_of_another_cpu_client_is_refused() {
    let (one, other) = (CpuClient::with_threads(1), CpuClient::with_threads(1));
    let executable = one.compile(&updated(), &CompileOptions::default()).unwrap();
    let x = other.upload(&numbers(DType::F32, &[1000], 1)).unwrap();
    let y = one.upload(&numbers(DType::F32, &[10], 2)).unwrap();
    let i = one.upload(&Literal::scalar(0i32)).unwrap();
    let error = executable.run(vec![x.clone(), y, i]).unwrap_err().to_string();
    assert!(error.contains("argument 0") && error.contains("of another client"), "{error}");
    assert!(one.copy(&x, Placement::default()).is_err());
}

/// What is wrong with arguments is said before any of them is given up, by every client.
#[test]
fn arguments_that_are_refused_are_not_given_up() {
    let clients: [Box<dyn Client>; 2] =
        [Box::new(CpuClient::with_threads(1)), Box::new(ReferenceClient::new())];
    for client in clients {
        let executable = client.compile(&updated(), &CompileOptions::default()).unwrap();
        let tensor = |n: usize| client.upload(&numbers(DType::F32, &[n], 1)).unwrap();
        let index = || client.upload(&Literal::scalar(0i32)).unwrap();
        let (cache, y) = (tensor(1000), tensor(10));
        let cases: [(Vec<Arg>, &str); 4] = [
            (
                vec![Arg::Donate(cache.clone()), Arg::Donate(tensor(11)), Arg::Borrow(index())],
                "argument 1 (y) of updated is f32[10], f32[11] was given",
            ),
            (vec![Arg::Donate(cache.clone())], "updated takes 3 arguments, 1 were given"),
            (
                vec![Arg::Donate(cache.clone()), Arg::Donate(y.clone()), Arg::Donate(y.clone())],
                "argument 2 (i) of updated is i32[], f32[10] was given",
            ),
            (
                vec![Arg::Donate(tensor(999)), Arg::Donate(y.clone()), Arg::Borrow(index())],
                "argument 0 (cache) of updated is f32[1000], f32[999] was given",
            ),
        ];
        for (args, expected) in cases {
            let given: Vec<Buffer> = args.iter().map(|arg| arg.buffer().clone()).collect();
            let error = executable.execute(vec![args], &ExecuteOptions::default()).unwrap_err();
            assert_eq!(error.message(), expected, "{}", client.platform());
            assert!(given.iter().all(|buffer| !buffer.is_deleted()), "{}: {error}", client.platform());
        }
        // One buffer twice: a sum of a tensor with itself.
        let mut b = Builder::new("sum");
        let ty = Type::tensor(DType::F32, [10]);
        let (one, other) = (b.param(ty, "one"), b.param(ty, "other"));
        let sum = b.add(one, other).unwrap();
        let executable = client.compile(&b.finish(&[sum]).unwrap(), &CompileOptions::default()).unwrap();
        for other in [Arg::Donate(y.clone()), Arg::Borrow(y.clone())] {
            let args = vec![Arg::Donate(y.clone()), other];
            let error = executable.execute(vec![args], &ExecuteOptions::default()).unwrap_err();
            assert!(error.message().contains("argument 0 (one) of sum is the same buffer"), "{error}");
            assert!(!y.is_deleted());
        }
        executable
            .execute(vec![vec![Arg::Donate(y.clone()), Arg::Borrow(tensor(10))]], &ExecuteOptions::default())
            .unwrap();
        assert!(y.is_deleted());
    }
}
