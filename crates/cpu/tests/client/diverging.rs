//! Processes that go different ways around their collectives: no value would ever come, and all are told where each stands.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_base::{DType, Literal, Location, Source, Type};
use jarrah_cpu::CpuClient;
use jarrah_exchange::{Exchange, Patience, Rendezvous, join};
use jarrah_hlo::ops::{
    AxisGroups, AxisIndex, Case, Collective, CollectiveKind, Comparison, NamedAxis, Reducer, While,
};
use jarrah_hlo::{Builder, Program, ProgramRef};
use jarrah_runtime::{Arg, Client, CompileOptions, DeviceId, ExecuteOptions};

use super::processes::{on_all, options, own, run, sum, upload};

const PATIENCE: Patience = Patience { silence: Duration::from_secs(3), join: Duration::from_secs(60) };

/// Runs `f` on a thread for each process of one machine, which has so many devices.
fn processes<R: Send>(counts: &[usize], f: impl Fn(CpuClient) -> R + Sync) -> Vec<R> {
    let rendezvous = Rendezvous::create().unwrap();
    let (f, address) = (&f, rendezvous.address());
    std::thread::scope(|scope| {
        let start = |(rank, &devices): (usize, &usize)| {
            scope.spawn(move || {
                let exchange: Arc<dyn Exchange> = join(address, rank, counts.len(), &PATIENCE).unwrap();
                f(CpuClient::join(options(devices), exchange).unwrap())
            })
        };
        let started: Vec<_> = counts.iter().enumerate().map(start).collect();
        started.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

fn ty() -> Type {
    Type::tensor(DType::F32, [4])
}

/// `x`, summed over all devices so often, at this line.
fn summed(devices: usize, times: usize, line: u32) -> ProgramRef {
    let mut b = Builder::new("branch");
    let mut x = b.param(ty(), "x");
    b.set_source(Source::at(Location::new("tests/ways.py", line, 1)));
    for _ in 0..times {
        let over = AxisGroups::axis(NamedAxis::partition(devices));
        x = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap();
    }
    b.finish(&[x]).unwrap().into()
}

/// A program that takes the branch 0 on the first two devices, and the branch 1 on all others.
fn branching(devices: usize, branches: [ProgramRef; 2]) -> Program {
    let mut b = Builder::new("ways");
    let x = b.param(ty(), "x");
    let here = b.one(AxisIndex { axis: NamedAxis::partition(devices) }, &[]).unwrap();
    let two = b.scalar(2i32).unwrap();
    let branch = b.div(here, two).unwrap();
    let y = b.one(Case { branches: branches.into() }, &[branch, x]).unwrap();
    b.finish(&[y]).unwrap()
}

/// Whether each process has ended its run, or the error that it is told soon.
fn told(counts: &[usize], program: &Program) -> Vec<Result<(), String>> {
    let devices: usize = counts.iter().sum();
    let data = vec![Literal::zeros(program.params()[0].ty).unwrap(); devices];
    let begun = Instant::now();
    let told = processes(counts, |client| {
        let told = run(&client, program, devices, &data).map(drop).map_err(|error| error.to_string());
        // A process that has ended its run lives on, and does something else.
        std::thread::sleep(Duration::from_secs(5).saturating_sub(begun.elapsed()));
        told
    });
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    told
}

#[test]
fn a_branch_without_the_collective_in_one_process_is_told_to_all() {
    let told = told(&[2, 2], &branching(4, [summed(4, 1, 3), summed(4, 0, 4)]));
    assert_eq!(told[1], Ok(()));
    let error = told[0].clone().unwrap_err();
    assert!(error.contains("waits for ever in run 0"), "{error}");
    assert!(error.contains("process 0 waits in all_reduce (tests/ways.py:3:1)"), "{error}");
    assert!(error.contains("process 1 has ended the run"), "{error}");
}

#[test]
fn collectives_of_two_lines_do_not_meet_and_both_are_named() {
    for told in told(&[2, 1, 1], &branching(4, [summed(4, 1, 3), summed(4, 2, 4)])) {
        let error = told.unwrap_err();
        assert!(error.contains("process 0 waits in all_reduce (tests/ways.py:3:1)"), "{error}");
        assert!(error.contains("process 1 waits in all_reduce (tests/ways.py:4:1)"), "{error}");
        assert!(error.contains("process 2 waits in all_reduce (tests/ways.py:4:1)"), "{error}");
    }
}

/// The first collective in which programs differ is named with the lines of both.
#[test]
fn processes_that_begin_different_programs_are_told_where_they_differ() {
    let named = |name: &str, times, line| {
        let mut b = Builder::new(name);
        let x = b.param(ty(), "x");
        let x = b.one(jarrah_hlo::ops::Call { callee: summed(2, 1, 3) }, &[x]).unwrap();
        let y = b.one(jarrah_hlo::ops::Call { callee: summed(2, times, line) }, &[x]).unwrap();
        b.finish(&[y]).unwrap()
    };
    let data = vec![Literal::zeros(ty()).unwrap(); 2];
    let errors = processes(&[1, 1], |client| {
        let program = if client.process() == 0 { named("short", 0, 5) } else { named("long", 1, 6) };
        run(&client, &program, 2, &data).unwrap_err().to_string()
    });
    let all = "all_reduce (add) of f32[4] (tests/ways.py:6:1)";
    let words =
        format!("\"long\" and not \"short\"; collective 2 is missing in process 0 and is {all} in process 1");
    assert!(errors[0].contains(&words), "{}", errors[0]);
    let words =
        format!("\"short\" and not \"long\"; collective 2 is {all} in process 1 and is missing in process 0");
    assert!(errors[1].contains(&words), "{}", errors[1]);
}

/// Devices of one process that wait for each other are some of the run's.
#[test]
fn devices_that_wait_for_each_other_in_one_process_are_counted() {
    let branch = |exchanges: bool| -> ProgramRef {
        let mut b = Builder::new("branch");
        let x = b.param(ty(), "x");
        let over = AxisGroups::of_partitions(4, vec![vec![0, 1], vec![2, 3]]);
        let y = match exchanges {
            true => b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap(),
            false => b.exp(x).unwrap(),
        };
        b.finish(&[y]).unwrap().into()
    };
    let mut b = Builder::new("ways");
    let x = b.param(ty(), "x");
    let here = b.one(AxisIndex { axis: NamedAxis::partition(4) }, &[]).unwrap();
    let branches = vec![branch(true), branch(false), branch(true), branch(true)];
    let y = b.one(Case { branches }, &[here, x]).unwrap();
    let told = told(&[2, 2], &b.finish(&[y]).unwrap());
    let error = told[0].clone().unwrap_err();
    let words = "2 of the 4 devices of a run, those of this process, wait for each other for ever: device 0 at all_reduce, device 1 at the end";
    assert!(error.contains(words), "{error}");
}

/// Large values are offered before they are sent: a message that nobody takes holds up the verdict no more than a small one.
#[test]
fn large_values_that_nobody_takes_are_told_too() {
    let ty = Type::tensor(DType::F32, [200_000]);
    let branch = |exchanges: bool| -> ProgramRef {
        let mut b = Builder::new("branch");
        let x = b.param(ty, "x");
        let over = AxisGroups::axis(NamedAxis::partition(2));
        let y = match exchanges {
            true => b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap(),
            false => b.exp(x).unwrap(),
        };
        b.finish(&[y]).unwrap().into()
    };
    let mut b = Builder::new("ways");
    let x = b.param(ty, "x");
    let here = b.one(AxisIndex { axis: NamedAxis::partition(2) }, &[]).unwrap();
    let y = b.one(Case { branches: vec![branch(false), branch(true)] }, &[here, x]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let told = told(&[1, 1], &program);
    assert_eq!(told[0], Ok(()));
    let error = told[1].clone().unwrap_err();
    assert!(error.contains("process 0 has ended the run, process 1 waits in all_reduce"), "{error}");
}

#[test]
fn a_loop_of_more_turns_in_one_process_is_told_to_all() {
    let scalar = Type::scalar(DType::I32);
    let mut b = Builder::new("turn");
    let (turn, end, x) = (b.param(scalar, "turn"), b.param(scalar, "end"), b.param(ty(), "x"));
    let over = AxisGroups::axis(NamedAxis::partition(2));
    b.set_source(Source::at(Location::new("tests/ways.py", 9, 1)));
    let y = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap();
    let one = b.scalar(1i32).unwrap();
    let turn = b.add(turn, one).unwrap();
    let body = b.finish(&[turn, end, y]).unwrap();
    let mut b = Builder::new("goes_on");
    let (turn, end, _) = (b.param(scalar, "turn"), b.param(scalar, "end"), b.param(ty(), "x"));
    let goes_on = b.compare(Comparison::Lt, turn, end).unwrap();
    let cond = b.finish(&[goes_on]).unwrap();
    let mut b = Builder::new("turns");
    let x = b.param(ty(), "x");
    let here = b.one(AxisIndex { axis: NamedAxis::partition(2) }, &[]).unwrap();
    let five = b.scalar(5i32).unwrap();
    let end = b.add(here, five).unwrap();
    let zero = b.scalar(0i32).unwrap();
    let turns = While { cond: cond.into(), body: body.into(), consts: 0 };
    let ended = b.push(turns, &[zero, end, x]).unwrap();
    let told = told(&[1, 1], &b.finish(&[ended[2]]).unwrap());
    assert_eq!(told[0], Ok(()));
    let error = told[1].clone().unwrap_err();
    assert!(error.contains("process 0 has ended the run"), "{error}");
    assert!(error.contains("process 1 waits in all_reduce (tests/ways.py:9:1)"), "{error}");
}

/// Each process begins the run on the devices in another order, for which it needs those of the other.
#[test]
fn runs_on_devices_of_each_other_are_told() {
    let data = vec![Literal::zeros(ty()).unwrap(); 2];
    let errors = processes(&[1, 1], |client| {
        let mut devices: Vec<DeviceId> = client.devices().iter().map(|device| device.id).collect();
        devices.rotate_left(client.process());
        let options = CompileOptions { devices, partitions: 2, ..CompileOptions::default() };
        let executable = client.compile(&sum(2, ty()), &options).unwrap();
        let given =
            own(&client).map(|id| vec![Arg::Borrow(upload(&client, id, &data[id.index()]))]).collect();
        let ran = executable.execute(given, &ExecuteOptions::default()).unwrap();
        ran.results[0][0].read().unwrap_err().to_string()
    });
    for error in errors {
        assert!(error.contains("waits in the beginning of the run"), "{error}");
        assert!(error.contains("is in a run on other devices"), "{error}");
    }
}

/// An argument that a process refuses is told to its caller at once, and to the others when they begin the run, be it much later.
#[test]
fn a_refused_argument_is_told_at_once_though_no_other_process_has_begun() {
    let data = vec![Literal::zeros(ty()).unwrap(); 2];
    let told = std::sync::Barrier::new(2);
    let errors = processes(&[1, 1], |client| {
        if client.process() == 1 {
            told.wait();
            return run(&client, &sum(2, ty()), 2, &data).unwrap_err().to_string();
        }
        let executable = client.compile(&sum(2, ty()), &on_all(&client, 2)).unwrap();
        let wrong = Literal::zeros(Type::tensor(DType::F32, [5])).unwrap();
        let given = own(&client).map(|id| vec![Arg::Borrow(upload(&client, id, &wrong))]).collect();
        let error = executable.execute(given, &ExecuteOptions::default()).err().unwrap().to_string();
        told.wait();
        error
    });
    assert!(errors[0].contains("f32[5]"), "{}", errors[0]);
    assert!(errors[1].contains("process 0 could not begin this run"), "{}", errors[1]);
    assert!(errors[1].contains("f32[5]"), "{}", errors[1]);
}

/// Two processes launch the same two runs in another order, before either has begun.
#[test]
fn runs_that_are_launched_in_another_order_are_told() {
    let data = vec![Literal::zeros(ty()).unwrap(); 3];
    let errors = processes(&[1, 2], |client| {
        let all: Vec<DeviceId> = client.devices().iter().map(|device| device.id).collect();
        let lists = [all.clone(), vec![all[0], all[2], all[1]]];
        let mut executables: Vec<_> = lists
            .iter()
            .map(|devices| {
                let devices = devices.clone();
                let options = CompileOptions { devices, partitions: 3, ..CompileOptions::default() };
                client.compile(&sum(3, ty()), &options).unwrap()
            })
            .collect();
        if client.process() == 1 {
            executables.reverse();
        }
        let launched: Vec<_> = executables
            .iter()
            .map(|executable| {
                let given = executable
                    .options()
                    .devices
                    .iter()
                    .filter(|device| own(&client).any(|own| own == **device));
                let given =
                    given.map(|&id| vec![Arg::Borrow(upload(&client, id, &data[id.index()]))]).collect();
                executable.execute(given, &ExecuteOptions::default()).unwrap()
            })
            .collect();
        launched.iter().map(|ran| ran.results[0][0].read().unwrap_err().to_string()).collect::<Vec<_>>()
    });
    for error in errors.iter().flatten() {
        assert!(error.contains("is in a run on other devices"), "{error}");
    }
}

/// A process that begins its run late, or works long within it, is waited for.
#[test]
fn a_process_that_is_slow_is_waited_for() {
    let data = vec![Literal::from_slice(&[4], &[1.0f32; 4]).unwrap(); 3];
    let sums = processes(&[1, 1, 1], |client| {
        for turn in 0..3 {
            if client.process() == turn {
                std::thread::sleep(Duration::from_millis(2500));
            }
            let found = run(&client, &sum(3, ty()), 3, &data).unwrap();
            assert_eq!(found[0][0].to_f64_vec(), [3.0; 4]);
        }
        on_all(&client, 3).devices.len()
    });
    assert_eq!(sums, [3, 3, 3]);
}

/// A run that cannot begin, as a process has left, names the program, its first collective and its line; later runs say since when no values are exchanged.
#[test]
fn a_run_that_cannot_begin_says_what_would_have_begun_and_since_when() {
    let data = vec![Literal::zeros(ty()).unwrap(); 2];
    let told = processes(&[1, 1], |client| {
        let program = &summed(2, 1, 3);
        let mut ran: Vec<Result<(), String>> = Vec::new();
        let turns = if client.process() == 0 { 3 } else { 1 };
        for _ in 0..turns {
            ran.push(run(&client, program, 2, &data).map(drop).map_err(|error| error.to_string()));
        }
        ran
    });
    assert_eq!((&told[0][0], &told[1][..]), (&Ok(()), &[Ok(())][..]));
    let [_, first, later] = told[0].clone().try_into().unwrap();
    let (first, later) = (first.unwrap_err(), later.unwrap_err());
    assert!(first.contains("process 1 has ended, or given up its devices"), "{first}");
    assert!(first.contains("--> tests/ways.py:3:1"), "{first}");
    assert!(
        first.contains("not begun: \"branch\", whose first collective is all_reduce (add) of f32[4]"),
        "{first}"
    );
    assert!(first.contains("run 1)"), "{first}");
    assert!(later.contains("run 1 of \"branch\"") && later.contains("was the first to fail here"), "{later}");
    assert!([first, later].iter().all(|error| error.contains("help: start all processes")));
}
