//! Custom calls: host code on the memory of the program that runs.

use std::sync::{Arc, Mutex};

use jarrah_base::{DType, Error, ErrorKind, Literal, Location, Source, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::host::{Config, HandlerCall, NamedHandler};
use jarrah_hlo::ops::{CallTarget, CustomCall, OutputAlias};
use jarrah_hlo::{Builder, Effects, Program};
use jarrah_runtime::{Client, CompileOptions, HostSource, Placement};

fn f32s() -> Type {
    Type::tensor(DType::F32, [4])
}

fn named(name: &str, results: Vec<Type>) -> CustomCall {
    CustomCall::new(CallTarget::Named(name.into()), results)
}

fn run(client: &CpuClient, program: &Program, x: &Literal) -> jarrah_base::Result<Vec<Literal>> {
    let executable = client.compile(program, &CompileOptions::default())?;
    let results = executable.run(vec![client.upload(x)?])?;
    results.iter().map(|result| result.read()).collect()
}

#[test]
fn aliased_results_begin_with_their_operand_in_its_memory_if_nothing_else_needs_it() {
    let client = CpuClient::with_threads(1);
    let addresses = Arc::new(Mutex::new(Vec::new()));
    let sink = addresses.clone();
    // Counts the first element up, and leaves the others.
    let count = move |call: &mut HandlerCall<'_>| {
        assert!(call.operands[0].bytes.is_empty(), "its contents are in the result");
        let bytes = &mut call.results[0].bytes;
        let first = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) + 1.0;
        bytes[..4].copy_from_slice(&first.to_le_bytes());
        sink.lock().unwrap().push(bytes.as_ptr().addr());
        Ok(())
    };
    client.registry().register("count", count).unwrap();
    let call =
        CustomCall { aliases: vec![OutputAlias { result: 0, operand: 0 }], ..named("count", vec![f32s()]) };
    for keeps in [false, true] {
        let mut b = Builder::new("f");
        let x = b.param(f32s(), "x");
        let y = b.add(x, x).unwrap();
        let once = b.one(call.clone(), &[y]).unwrap();
        let twice = b.one(call.clone(), &[once]).unwrap();
        let last = if keeps { b.add(twice, y).unwrap() } else { twice };
        let program = b.finish(&[last]).unwrap();
        let x = Literal::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
        let expected: [f32; 4] = if keeps { [6.0, 8.0, 12.0, 16.0] } else { [4.0, 4.0, 6.0, 8.0] };
        assert_eq!(run(&client, &program, &x).unwrap(), [Literal::from_slice(&[4], &expected).unwrap()]);
        let addresses = std::mem::take(&mut *addresses.lock().unwrap());
        assert_eq!(addresses[0], addresses[1], "the second call works where the first did");
    }
}

#[test]
fn handlers_are_looked_up_when_a_program_is_compiled() {
    let client = CpuClient::with_threads(1);
    let mut b = Builder::new("f");
    b.set_source(Source::at(Location::new("model.rs", 7, 5)));
    let x = b.param(f32s(), "x");
    let call = CustomCall { config: Config::Text("how".into(), 2), ..named("halve", vec![f32s()]) };
    let y = b.one(call, &[x]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let error = client.compile(&program, &CompileOptions::default()).err().expect("no handler");
    assert_eq!(error.kind(), ErrorKind::Input);
    let shown = error.to_string();
    for part in ["no handler of custom calls @halve is known, none is registered", "model.rs:7:5", "register"]
    {
        assert!(shown.contains(part), "{shown}");
    }
    let halve = |call: &mut HandlerCall<'_>| {
        assert_eq!(*call.config, Config::Text("how".into(), 2));
        let x = call.operands[0].literal()?.to_f64_vec();
        if x[0] < 0.0 {
            return Err(Error::program("too cold"));
        }
        let halves: Vec<f64> = x.iter().map(|x| x / 2.0).collect();
        let halves = Literal::from_f64s(call.results[0].ty, &halves)?;
        call.results[0].write(&halves)
    };
    client.registry().register("halve", halve).unwrap();
    let x = Literal::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let expected = Literal::from_slice(&[4], &[0.5f32, 1.0, 1.5, 2.0]).unwrap();
    assert_eq!(run(&client, &program, &x).unwrap(), [expected]);
    let x = Literal::from_slice(&[4], &[-1.0f32; 4]).unwrap();
    let error = run(&client, &program, &x).unwrap_err();
    assert_eq!((error.message(), error.location()), ("too cold", Some(Location::new("model.rs", 7, 5))));
}

#[test]
fn results_have_the_bytes_that_the_rest_relies_on() {
    let client = CpuClient::with_threads(1);
    let fill = |call: &mut HandlerCall<'_>| {
        call.results.iter_mut().for_each(|result| result.bytes.fill(0xff));
        Ok(())
    };
    client.registry().register("fill", fill).unwrap();
    let types = [DType::Bool, DType::U4, DType::U8].map(|dtype| Type::tensor(dtype, [3]));
    let mut b = Builder::new("f");
    let x = b.param(f32s(), "x");
    let results = b.push(named("fill", types.to_vec()), &[x]).unwrap();
    let program = b.finish(&results).unwrap();
    let results = run(&client, &program, &Literal::zeros(f32s()).unwrap()).unwrap();
    let bytes: Vec<&[u8]> = results.iter().map(Literal::bytes).collect();
    assert_eq!(bytes, [&[1u8; 3][..], &[0x0f; 3], &[0xff; 3]]);
}

#[test]
fn calls_without_elements_are_made() {
    let client = CpuClient::with_threads(1);
    let calls = Arc::new(Mutex::new(Vec::new()));
    let sink = calls.clone();
    let note = move |call: &mut HandlerCall<'_>| {
        sink.lock().unwrap().push((call.operands.len(), call.results.len()));
        Ok(())
    };
    client.registry().register("note", note).unwrap();
    let empty = Type::tensor(DType::F32, [0]);
    let mut b = Builder::new("f");
    let x = b.param(f32s(), "x");
    let none = b.zeros(empty).unwrap();
    for (operands, results) in [(&[x, none][..], vec![]), (&[], vec![empty]), (&[], vec![])] {
        b.push(CustomCall { effects: Effects::ORDERED, ..named("note", results) }, operands).unwrap();
    }
    let program = b.finish(&[x]).unwrap();
    run(&client, &program, &Literal::zeros(f32s()).unwrap()).unwrap();
    assert_eq!(*calls.lock().unwrap(), [(2, 0), (0, 1), (0, 0)]);
}

/// A program that notes `mark`, and gives its argument back twice as large.
fn noting(mark: i32, effects: Effects, notes: &Arc<Mutex<Vec<i32>>>) -> Program {
    let sink = notes.clone();
    let note = NamedHandler::new("note", move |_: &mut HandlerCall<'_>| {
        sink.lock().unwrap().push(mark);
        Ok(())
    });
    let mut b = Builder::new("noting");
    let x = b.param(f32s(), "x");
    b.push(CustomCall { effects, ..CustomCall::new(CallTarget::Function(note), vec![]) }, &[x]).unwrap();
    let y = b.add(x, x).unwrap();
    b.finish(&[y]).unwrap()
}

/// The effects of the first run wait for a tensor that comes later; there are more runs after it than wait at once.
#[test]
fn ordered_effects_of_runs_come_in_the_order_in_which_the_runs_were_begun() {
    const AFTER: i32 = 80;
    let notes = Arc::default();
    let client = CpuClient::with_threads(1);
    let compile =
        |mark, effects| client.compile(&noting(mark, effects, &notes), &CompileOptions::default()).unwrap();
    let x = client.upload(&Literal::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap()).unwrap();
    let (late, promise) = client.promise(f32s(), Placement::default()).unwrap();
    let mut results = vec![compile(0, Effects::ORDERED).run(vec![late]).unwrap()];
    for mark in 1..=AFTER {
        // The input of every other run is a result of the run before it.
        let given = if mark % 2 == 0 { results[results.len() - 1][0].clone() } else { x.clone() };
        results.push(compile(mark, Effects::ORDERED).run(vec![given]).unwrap());
    }
    // A run without an order waits for its own input alone.
    compile(-1, Effects::OBSERVED).run(vec![x.clone()]).unwrap()[0].read().unwrap();
    assert_eq!(*notes.lock().unwrap(), [-1]);
    promise.keep(Ok(HostSource::Borrowed(&[0; 16])));
    for result in &results {
        result[0].read().unwrap();
    }
    let expected: Vec<i32> = [-1].into_iter().chain(0..=AFTER).collect();
    assert_eq!(*notes.lock().unwrap(), expected);
}

/// A run that fails before its effects does not keep those after it from happening.
#[test]
fn ordered_effects_follow_a_run_that_failed() {
    let notes = Arc::default();
    let client = CpuClient::with_threads(1);
    let compile =
        |mark| client.compile(&noting(mark, Effects::ORDERED, &notes), &CompileOptions::default()).unwrap();
    let x = client.upload(&Literal::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap()).unwrap();
    let (late, promise) = client.promise(f32s(), Placement::default()).unwrap();
    let failed = compile(0).run(vec![late]).unwrap();
    let after = compile(1).run(vec![x]).unwrap();
    promise.keep(Err(Error::program("it never comes")));
    after[0].read().unwrap();
    assert!(failed[0].read().unwrap_err().to_string().contains("it never comes"));
    assert_eq!(*notes.lock().unwrap(), [1]);
}
