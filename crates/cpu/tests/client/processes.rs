//! Devices of several processes: their runs give the bits of one process, begin together or not at all, and name a process that is lost.
//!
//! `JARRAH_TRIALS=200 cargo test -p jarrah-cpu processes` runs many trials of faults.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_base::{DType, Error, Literal, Location, Result, Source, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_exchange::{ADDRESS, Exchange, Launch, Patience, RANK, Threads, WORLD_SIZE, join};
use jarrah_hlo::host::{HandlerCall, NamedHandler};
use jarrah_hlo::ops::{
    Assert, AxisGroups, AxisIndex, Call, CallTarget, Collective, CollectiveKind, Comparison, CustomCall,
    NamedAxis, Reducer, While,
};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::{Arg, Buffer, Client, CompileOptions, DeviceId, ExecuteOptions, HostSource};
use jarrah_testing::programs::Rng;
use rustix::process::{Signal, getpid, kill_process};

use super::collectives::groups;

pub(super) fn options(devices: usize) -> CpuOptions {
    CpuOptions { threads: 1, devices, ..CpuOptions::default() }
}

/// Runs `f` on a thread for each process, which has so many devices. Returns the results in order.
fn processes<R: Send>(counts: &[usize], f: impl Fn(CpuClient) -> R + Sync) -> Vec<R> {
    let f = &f;
    std::thread::scope(|scope| {
        let start = |(exchange, &devices): (Arc<dyn Exchange>, &usize)| {
            scope.spawn(move || f(CpuClient::join(options(devices), exchange).unwrap()))
        };
        let started: Vec<_> = Threads::start(counts.len()).into_iter().zip(counts).map(start).collect();
        started.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

/// The devices of a client that are its process's.
pub(super) fn own(client: &CpuClient) -> impl Iterator<Item = DeviceId> {
    let of = |device: &jarrah_runtime::RuntimeDevice| (device.process, device.id);
    let devices: Vec<_> = client.devices().iter().map(of).collect();
    let process = client.process();
    devices.into_iter().filter(move |(owner, _)| *owner == process).map(|(_, id)| id)
}

pub(super) fn on_all(client: &CpuClient, partitions: usize) -> CompileOptions {
    let devices = client.devices().iter().map(|device| device.id).collect();
    CompileOptions { devices, partitions, ..CompileOptions::default() }
}

pub(super) fn upload(client: &CpuClient, device: DeviceId, x: &Literal) -> Buffer {
    client.buffer_from_host(x.ty(), HostSource::Borrowed(x.bytes()), device.into()).unwrap()
}

/// The results of a program of one argument on the devices of this process, given the arguments of all devices.
pub(super) fn run(
    client: &CpuClient,
    program: &Program,
    partitions: usize,
    data: &[Literal],
) -> Result<Vec<Vec<Literal>>> {
    let executable = client.compile(program, &on_all(client, partitions))?;
    let given = own(client).map(|id| vec![Arg::Borrow(upload(client, id, &data[id.index()]))]).collect();
    let ran = executable.execute(given, &ExecuteOptions::default())?;
    ran.results.iter().map(|all| all.iter().map(|x| x.read()).collect()).collect()
}

/// Random collectives, small and large, in groups that lie within and across processes, of wide and narrow floats.
#[test]
fn collectives_between_processes_give_the_bits_of_one() {
    let mut rng = Rng::new(48);
    let worlds: [(usize, usize, &[usize]); 6] = [
        (1, 4, &[1, 1, 1, 1]),
        (1, 8, &[3, 5]),
        (2, 4, &[4, 4]),
        (3, 2, &[1, 3, 2]),
        (6, 1, &[2, 2, 2]),
        (1, 2, &[1, 1]),
    ];
    for (replicas, partitions, counts) in worlds {
        let devices = replicas * partitions;
        let mut cases: Vec<(Program, Vec<Literal>)> = Vec::new();
        for trial in 0..16 {
            let axes = match rng.below(3) {
                0 => vec![NamedAxis::replica(replicas)],
                1 => vec![NamedAxis::partition(partitions)],
                _ => vec![NamedAxis::replica(replicas), NamedAxis::partition(partitions)],
            };
            let count: usize = axes.iter().map(|axis| axis.size).product();
            let over = AxisGroups { axes: axes.into(), groups: groups(&mut rng, count) };
            let ranks = over.group_size().unwrap();
            let len = if trial % 4 == 3 { 20_000 + rng.below(9000) } else { 1 + rng.below(40) };
            let kind = match rng.below(5) {
                0 => CollectiveKind::AllReduce(Reducer::Add),
                1 => CollectiveKind::AllGather,
                2 => CollectiveKind::ReduceScatter(Reducer::Add),
                3 => CollectiveKind::AllToAll,
                _ => {
                    let source = |_| (rng.below(4) > 0).then(|| rng.below(ranks) as u32);
                    CollectiveKind::Permute((0..ranks).map(source).collect())
                }
            };
            let sliced = matches!(kind, CollectiveKind::ReduceScatter(_) | CollectiveKind::AllToAll);
            let dtype = [DType::F32, DType::BF16][rng.below(2)];
            let ty = match sliced {
                true => Type::tensor(dtype, [ranks, len]),
                false => Type::tensor(dtype, [len]),
            };
            let mut b = Builder::new("exchange");
            let x = b.param(ty, "x");
            let y = b.one(Collective { kind, over }, &[x]).unwrap();
            let size = ty.elements().unwrap();
            let mut number = |_| (rng.below(1 << 20) as f64 - 5e5) * 1.1e-3;
            let data = (0..devices)
                .map(|_| Literal::from_f64s(ty, &(0..size).map(&mut number).collect::<Vec<_>>()).unwrap());
            let data = data.collect();
            cases.push((b.finish(&[y]).unwrap(), data));
        }
        let all = |client: CpuClient| {
            let results =
                cases.iter().map(|(program, data)| run(&client, program, partitions, data).unwrap());
            results.collect::<Vec<_>>()
        };
        let expected = all(CpuClient::with_options(options(devices)));
        let found = processes(counts, all);
        for (case, (program, _)) in cases.iter().enumerate() {
            let found = found.iter().flat_map(|process| &process[case]);
            for (device, (found, expected)) in found.zip(&expected[case]).enumerate() {
                assert!(
                    found[0].bytes() == expected[0].bytes(),
                    "device {device} of {counts:?}: {program:?}"
                );
            }
        }
    }
}

/// `x` summed over all partitions.
pub(super) fn sum(partitions: usize, ty: Type) -> Program {
    let mut b = Builder::new("sum");
    let x = b.param(ty, "x");
    let over = AxisGroups::axis(NamedAxis::partition(partitions));
    let y = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap();
    b.finish(&[y]).unwrap()
}

/// A run whose argument failed in one process begins in none, with that error; the next run is as if it had not been.
#[test]
fn a_failed_argument_of_one_process_fails_the_run_in_all() {
    let ty = Type::tensor(DType::F32, [4]);
    let ones = Literal::from_slice(&[4], &[1.0f32; 4]).unwrap();
    processes(&[1, 2], |client| {
        let executable = client.compile(&sum(3, ty), &on_all(&client, 3)).unwrap();
        for turn in 0..4 {
            let mut promises = Vec::new();
            let arguments = own(&client).map(|id| {
                let (buffer, promise) = client.promise(ty, id.into()).unwrap();
                promises.push((id, promise));
                vec![Arg::Borrow(buffer)]
            });
            let ran = executable.execute(arguments.collect(), &ExecuteOptions::default()).unwrap();
            for (id, promise) in promises {
                promise.keep(match turn % 2 == 0 && id == DeviceId(2) {
                    true => Err(Error::environment("the file ended early")),
                    false => Ok(HostSource::Borrowed(ones.bytes())),
                });
            }
            for results in &ran.results {
                match results[0].read() {
                    Ok(total) => assert_eq!((turn % 2, total.to_f64_vec()), (1, vec![3.0; 4])),
                    Err(error) => {
                        assert_eq!(turn % 2, 0, "{error}");
                        assert!(error.to_string().contains("the file ended early"), "{error}");
                        let told = error.to_string().contains("process 1 could not begin this run");
                        assert_eq!(told, client.process() == 0, "{error}");
                    }
                }
            }
        }
    });
}

/// A run whose arguments are refused in one process begins in none, and the runs that follow meet each other.
#[test]
fn a_refused_argument_of_one_process_fails_the_run_in_all() {
    let ty = Type::tensor(DType::F32, [4]);
    let ones = Literal::from_slice(&[4], &[1.0f32; 4]).unwrap();
    processes(&[1, 1], |client| {
        let executable = client.compile(&sum(2, ty), &on_all(&client, 2)).unwrap();
        for turn in 0..3 {
            let id = client.first();
            let x = upload(&client, id, &ones);
            if client.process() == 0 && turn == 1 {
                x.delete();
            }
            let ran = executable.execute(vec![vec![Arg::Borrow(x)]], &ExecuteOptions::default());
            let result = ran.and_then(|ran| ran.results[0][0].read());
            match (turn, client.process()) {
                (1, 0) => assert!(result.unwrap_err().to_string().contains("deleted")),
                (1, _) => {
                    let error = result.unwrap_err().to_string();
                    assert!(error.contains("process 0 could not begin this run"), "{error}");
                }
                _ => assert_eq!(result.unwrap().to_f64_vec(), [2.0; 4]),
            }
        }
    });
}

/// Clients that share an exchange do not take each other's values, whatever runs at the same time.
#[test]
fn two_clients_of_one_exchange_keep_their_runs_apart() {
    let ty = Type::tensor(DType::I32, [40]);
    let exchanges = Threads::start(2);
    std::thread::scope(|scope| {
        for exchange in exchanges {
            scope.spawn(move || {
                let clients = [0, 1].map(|_| CpuClient::join(options(1), exchange.clone()).unwrap());
                std::thread::scope(|scope| {
                    for (number, client) in clients.iter().enumerate() {
                        scope.spawn(move || {
                            for turn in 0..40i32 {
                                let own = 100 * number as i32 + turn;
                                let x = Literal::from_slice(&[40], &[own; 40]).unwrap();
                                let found = run(client, &sum(2, ty), 2, &[x.clone(), x]).unwrap();
                                assert_eq!(found[0][0].to_f64_vec(), [f64::from(2 * own); 40]);
                            }
                        });
                    }
                });
            });
        }
    });
}

/// Processes that begin runs of different programs hear of it, and no value of one gets into the other.
#[test]
fn processes_that_begin_different_programs_are_told() {
    let ones = Literal::from_slice(&[4], &[1.0f32; 4]).unwrap();
    processes(&[1, 1], |client| {
        let ty = ones.ty();
        let mut b = Builder::new("other");
        let x = b.param(ty, "x");
        let over = AxisGroups::axis(NamedAxis::partition(2));
        let y = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Max), over }, &[x]).unwrap();
        let program = if client.process() == 0 { sum(2, ty) } else { b.finish(&[y]).unwrap() };
        let data = [ones.clone(), ones.clone()];
        let error = run(&client, &program, 2, &data).unwrap_err().to_string();
        let own = client.process();
        let (names, other) =
            if own == 0 { ("\"other\" and not \"sum\"", 1) } else { ("\"sum\" and not \"other\"", 0) };
        let functions = ["add", "maximum"];
        let words = format!(
            "process {other} has begun a run of another program on these devices than process {own}: {names}"
        );
        assert!(error.contains(&words), "{error}");
        assert!(
            error.contains(
                &format!("collective 1 is all_reduce ({}) of f32[4] in process {own} and is all_reduce ({}) of f32[4] in process {other}", functions[own], functions[other])
            ),
            "{error}"
        );
        assert!(error.contains("all processes begin the same programs in the same order"), "{error}");
        assert_eq!(run(&client, &sum(2, ty), 2, &data).unwrap()[0][0].to_f64_vec(), [2.0; 4]);
    });
}

/// Programs whose collectives are equal are other programs where anything else differs, though they are called alike and compiled programs
/// come from a cache; what differs between processes without being part of the program does not matter.
#[test]
fn processes_that_begin_programs_with_equal_collectives_are_told() {
    let ones = Literal::from_slice(&[4], &[1.0f32; 4]).unwrap();
    let ty = ones.ty();
    let times = |factor: f64| {
        let mut b = Builder::new("sums");
        let x = b.param(ty, "x");
        let factor = b.full(ty, factor).unwrap();
        let x = b.mul(x, factor).unwrap();
        let over = AxisGroups::axis(NamedAxis::partition(2));
        let add = Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over };
        let y = b.one(add, &[x]).unwrap();
        let shown = NamedHandler::new("shown", |_: &mut HandlerCall<'_>| Ok(()));
        let call = CustomCall::new(CallTarget::Function(shown), Vec::new());
        b.push(call, &[y]).unwrap();
        b.finish(&[y]).unwrap()
    };
    processes(&[1, 1], |client| {
        let data = [ones.clone(), ones.clone()];
        let (own, other) = (client.process(), 1 - client.process());
        for program in [sum(2, ty).named("sums"), times(2.0)] {
            let program = if own == 0 { times(3.0) } else { program };
            let error = run(&client, &program, 2, &data).unwrap_err().to_string();
            let words = format!(
                "process {other} has begun a run of another program on these devices than process {own}: both are called \"sums\"; their collectives are alike, and other operations or constants differ"
            );
            assert!(error.contains(&words), "{error}");
        }
        assert_eq!(run(&client, &times(2.0), 2, &data).unwrap()[0][0].to_f64_vec(), [4.0; 4]);
        // A constant that differs far behind its beginning, also in a program inside.
        let wide = Type::tensor(DType::F32, [100]);
        let plus = |last: f32, is_inside: bool| {
            let mut numbers = [0.0; 100];
            numbers[50] = last;
            let mut b = Builder::new("plus");
            let x = b.param(wide, "x");
            let numbers = b.constant(Literal::from_slice(&[100], &numbers).unwrap()).unwrap();
            let y = b.add(x, numbers).unwrap();
            let callee = b.finish(&[y]).unwrap();
            let mut b = Builder::new("sums");
            let x = b.param(wide, "x");
            let y = match is_inside {
                true => b.one(Call { callee: callee.into() }, &[x]).unwrap(),
                false => b.inline(&callee, &[x]).unwrap()[0],
            };
            let over = AxisGroups::axis(NamedAxis::partition(2));
            let add = Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over };
            let y = b.one(add, &[y]).unwrap();
            b.finish(&[y]).unwrap()
        };
        let zeros = [Literal::zeros(wide).unwrap(), Literal::zeros(wide).unwrap()];
        for is_inside in [false, true] {
            let error = run(&client, &plus(own as f32, is_inside), 2, &zeros).unwrap_err().to_string();
            assert!(error.contains("other operations or constants differ"), "{error}");
            let found = run(&client, &plus(1.0, is_inside), 2, &zeros).unwrap();
            assert_eq!(found[0][0].to_f64_vec()[50], 2.0);
        }
    });
}

/// Buffers lie on devices of this process, and arguments are those of its devices.
#[test]
fn devices_of_other_processes_are_named_where_they_cannot_be_used() {
    let ones = Literal::from_slice(&[4], &[1.0f32; 4]).unwrap();
    processes(&[1, 2], |client| {
        let other = DeviceId(if client.process() == 0 { 2 } else { 0 });
        let source = HostSource::Borrowed(ones.bytes());
        let error = client.buffer_from_host(ones.ty(), source, other.into()).unwrap_err().to_string();
        let (own, its) = (client.process(), 1 - client.process());
        let said = format!("device {other} belongs to process {its}; this is process {own}");
        assert!(error.contains(&said), "{error}");
        let executable = client.compile(&sum(3, ones.ty()), &on_all(&client, 3)).unwrap();
        let error = executable.execute(vec![Vec::new(); 3], &ExecuteOptions::default()).unwrap_err();
        let said = format!("runs on 3 devices, {} of them in this process, arguments for 3", 1 + own);
        assert!(error.to_string().contains(&said), "{error}");
    });
}

/// A part of a run that fails leaves the others without its values: all hear the error of that process, also in later runs.
#[test]
fn a_part_that_fails_ends_the_exchange_with_its_error() {
    let ty = Type::tensor(DType::F32, [4]);
    let mut b = Builder::new("fails");
    let x = b.param(ty, "x");
    let over = AxisGroups::axis(NamedAxis::partition(2));
    let add = Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over };
    let y = b.one(add.clone(), &[x]).unwrap();
    let here = b.one(AxisIndex { axis: NamedAxis::partition(2) }, &[]).unwrap();
    let zero = b.scalar(0i32).unwrap();
    let is_first = b.compare(Comparison::Eq, here, zero).unwrap();
    b.push(Assert { message: "too much".into() }, &[is_first]).unwrap();
    let y = b.one(add, &[y]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let data = [Literal::zeros(ty).unwrap(), Literal::zeros(ty).unwrap()];
    processes(&[1, 1], |client| {
        for turn in 0..2 {
            let error = run(&client, &program, 2, &data).unwrap_err().to_string();
            assert!(error.contains("too much"), "{error}");
            let is_later =
                error.contains("run 0 of \"fails\"") && error.contains("was the first to fail here");
            assert_eq!(is_later, turn == 1, "{error}");
            if client.process() == 0 {
                assert!(error.contains("process 1 failed"), "{error}");
            }
        }
    });
}

const PROCESSES: usize = 3;
/// The devices of a process.
const DEVICES: usize = 2;
const PATIENCE: Patience = Patience { silence: Duration::from_millis(1500), join: Duration::from_secs(60) };

const FOLDER: &str = "JARRAH_CPU_TEST_FOLDER";
const SEED: &str = "JARRAH_CPU_TEST_SEED";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Killed,
    Stopped,
    Slow,
    Ended,
    Aborts,
}

const FAULTS: [Fault; 5] = [Fault::Killed, Fault::Stopped, Fault::Slow, Fault::Ended, Fault::Aborts];

/// The fault of a seed, its process, and its moment.
fn fault(seed: u64) -> (Fault, usize, Duration) {
    let mut rng = Rng::new(seed + 1000);
    let at_fault = rng.below(PROCESSES);
    (FAULTS[seed as usize % FAULTS.len()], at_fault, Duration::from_micros(rng.below(500_000) as u64))
}

/// A loop of collectives with values of whole numbers: what each device has, summed, moved on and gathered.
fn exchanging() -> Program {
    let devices = PROCESSES * DEVICES;
    let ty = Type::tensor(DType::I32, [6000]);
    let over = || AxisGroups::axis(NamedAxis::partition(devices));
    let mut b = Builder::new("turn");
    let (turn, x) = (b.param(Type::scalar(DType::I32), "turn"), b.param(ty, "x"));
    b.set_source(Source::at(Location::new("tests/program.py", 7, 1)));
    let total =
        b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over: over() }, &[x]).unwrap();
    let sources = (0..devices).map(|rank| Some(((rank + 1) % devices) as u32)).collect();
    let next = b.one(Collective { kind: CollectiveKind::Permute(sources), over: over() }, &[x]).unwrap();
    let y = b.add(total, next).unwrap();
    let one = b.scalar(1i32).unwrap();
    let turn = b.add(turn, one).unwrap();
    let body = b.finish(&[turn, y]).unwrap();
    let mut b = Builder::new("goes_on");
    let (turn, _) = (b.param(Type::scalar(DType::I32), "turn"), b.param(ty, "x"));
    let end = b.scalar(5i32).unwrap();
    let goes_on = b.compare(Comparison::Lt, turn, end).unwrap();
    let condition = b.finish(&[goes_on]).unwrap();
    let mut b = Builder::new("exchanging");
    let x = b.param(ty, "x");
    let zero = b.scalar(0i32).unwrap();
    let turns = While { cond: condition.into(), body: body.into(), consts: 0 };
    let ended = b.push(turns, &[zero, x]).unwrap();
    b.finish(&[ended[1]]).unwrap()
}

/// A process of a trial; a process that no trial has started does nothing.
#[test]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let number = |name| std::env::var(name).unwrap().parse().unwrap();
    let address = PathBuf::from(std::env::var(ADDRESS).unwrap());
    let exchange = join(&address, number(RANK), number(WORLD_SIZE), &PATIENCE).unwrap();
    member(exchange, number(SEED) as u64, Path::new(&folder));
}

fn member(exchange: Arc<dyn Exchange>, seed: u64, folder: &Path) {
    let (fault, at_fault, moment) = fault(seed);
    let rank = exchange.rank();
    let one = CpuClient::with_options(options(PROCESSES * DEVICES));
    let client = CpuClient::join(options(DEVICES), exchange.clone()).unwrap();
    let program = exchanging();
    let executable = client.compile(&program, &on_all(&client, PROCESSES * DEVICES)).unwrap();
    let (begun, mut is_over) = (Instant::now(), false);
    let limit = match fault {
        Fault::Killed | Fault::Stopped | Fault::Ended | Fault::Aborts => Duration::from_secs(30),
        Fault::Slow => PATIENCE.silence + Duration::from_secs(2),
    };
    for step in 0u64.. {
        let mut rng = Rng::new(seed * 1000 + step);
        let mut numbers = || (0..6000).map(|_| rng.below(1 << 20) as i32).collect::<Vec<_>>();
        let data: Vec<Literal> =
            (0..PROCESSES * DEVICES).map(|_| Literal::from_slice(&[6000], &numbers()).unwrap()).collect();
        let expected = run(&one, &program, PROCESSES * DEVICES, &data).unwrap();
        let given =
            own(&client).map(|id| vec![Arg::Borrow(upload(&client, id, &data[id.index()]))]).collect();
        if rank == at_fault && begun.elapsed() > moment && !is_over {
            let signal = |signal| kill_process(getpid(), signal).unwrap();
            match fault {
                Fault::Slow => {
                    std::thread::sleep(PATIENCE.silence + Duration::from_secs(1));
                    is_over = true;
                }
                // Amid a run, as others may be.
                Fault::Killed | Fault::Stopped => {
                    let after = Duration::from_micros(seed % 7 * 300);
                    std::thread::spawn(move || {
                        std::thread::sleep(after);
                        // A shell that ends continues the stopped processes of its jobs.
                        for _ in 0..100 {
                            signal(if fault == Fault::Killed { Signal::KILL } else { Signal::STOP });
                        }
                    });
                }
                Fault::Ended => std::process::exit(7),
                Fault::Aborts => exchange.abort("its disk is full"),
            }
        }
        let ran = executable.execute(given, &ExecuteOptions::default()).unwrap();
        for (results, id) in ran.results.iter().zip(own(&client)) {
            match results[0].read() {
                Ok(found) => {
                    assert!(
                        found.bytes() == expected[id.index()][0].bytes(),
                        "a wrong number in step {step}"
                    );
                }
                Err(error) => {
                    fs::write(folder.join(rank.to_string()), error.to_string()).unwrap();
                    // MPI's launcher would end a process that does not end; this one has reported.
                    std::process::exit(0);
                }
            }
        }
        let goes_on = jarrah_exchange::CollectiveCall::new(
            "whether to go on",
            jarrah_exchange::Tag { devices: 1, turn: step, ..Default::default() },
        );
        let mut bytes = [u8::from(begun.elapsed() < limit)];
        let all: Vec<usize> = (0..PROCESSES).collect();
        if let Err(error) = exchange.broadcast(&goes_on, &all, 0, &mut bytes) {
            fs::write(folder.join(rank.to_string()), error.to_string()).unwrap();
            std::process::exit(0);
        }
        if bytes == [0] {
            break;
        }
    }
    fs::write(folder.join(rank.to_string()), "fine").unwrap();
    drop((executable, client));
    let _ = exchange.close();
    std::process::exit(0);
}

/// One of several processes that run a program is killed, stopped, slow, ends or gives up at a random moment: the others name it, where
/// it was missed, within ten seconds, and nobody computes a wrong number.
#[test]
fn a_process_at_fault_is_named_by_all_others_and_no_number_is_wrong() {
    let trials = std::env::var("JARRAH_TRIALS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    for seed in 0..trials {
        let (fault, at_fault, _) = fault(seed);
        let folder = tempfile::tempdir().unwrap();
        let mut launch = Launch::new(PROCESSES, |_| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["client::processes::child", "--exact", "--test-threads=1"]);
            command.env(FOLDER, folder.path()).env(SEED, seed.to_string()).env("RUST_BACKTRACE", "0");
            command.stdout(Stdio::null());
            command
        });
        launch.grace = Duration::from_secs(if fault == Fault::Stopped { 0 } else { 11 });
        launch.prefix = false;
        let requests = launch.requests.clone();
        let ended = std::thread::scope(|scope| {
            let reported = |rank: usize| fs::read_to_string(folder.path().join(rank.to_string())).ok();
            let ended = scope.spawn(|| launch.run().unwrap());
            // A stopped process ends by nothing but the launcher.
            while !ended.is_finished() {
                let others = (0..PROCESSES).filter(|rank| *rank != at_fault);
                if fault == Fault::Stopped && others.into_iter().all(|rank| reported(rank).is_some()) {
                    requests.store(1, std::sync::atomic::Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            ended.join().unwrap()
        });
        for process in ended.iter().filter(|process| process.rank != at_fault) {
            assert!(process.status.success() && !process.by_launcher, "trial {seed} {fault:?}: {process:?}");
            let report = fs::read_to_string(folder.path().join(process.rank.to_string())).unwrap();
            if fault == Fault::Slow {
                assert_eq!(report, "fine", "trial {seed}");
                continue;
            }
            let named = report.contains(&format!("process {at_fault} "));
            let missed = ["tests/program.py:7", "step ", "whether to go on", "the beginning of a run"];
            let missed = missed.iter().filter(|part| report.contains(**part)).count();
            assert!(named && missed >= 1, "trial {seed} {fault:?} of {at_fault}: {report}");
        }
    }
}
