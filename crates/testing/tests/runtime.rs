//! Buffers that are deleted, donated and dropped while they are in use, on several devices and from several threads:
//! whatever the order, a value that is read is the right one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jarrah_base::{DType, Error, HostView, Literal, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::ops::{Comparison, While};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_runtime::{Arg, Buffer, BufferPromise, Client, CompileOptions, DeviceId, Executable, HostSource};
use jarrah_testing::programs::Rng;

/// More schedules than this are for a person to ask for: `JARRAH_SCHEDULES=100000 cargo test ...`.
const SCHEDULES: usize = 2_000;
/// So are more seconds than this of many threads: `JARRAH_STRESS_SECONDS=600 cargo test ...`.
const SECONDS: u64 = 2;

const LENGTH: usize = 48;

fn asked(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn tensor() -> Type {
    Type::tensor(DType::F32, [LENGTH])
}

/// `x + y`, which is short.
fn sum() -> Program {
    let mut b = Builder::new("sum");
    let (x, y) = (b.param(tensor(), "x"), b.param(tensor(), "y"));
    let sum = b.add(x, y).unwrap();
    b.finish(&[sum]).unwrap()
}

/// `2 x`, in a loop, which is long enough to be handed to the device's thread.
fn double() -> Program {
    let i32s = Type::scalar(DType::I32);
    let mut c = Builder::new("cond");
    let (i, _, _) = (c.param(i32s, "i"), c.param(tensor(), "x"), c.param(tensor(), "step"));
    let three = c.constant(Literal::scalar(3i32)).unwrap();
    let less = c.compare(Comparison::Lt, i, three).unwrap();
    let cond = c.finish(&[less]).unwrap();
    let mut c = Builder::new("body");
    let (i, x, step) = (c.param(i32s, "i"), c.param(tensor(), "x"), c.param(tensor(), "step"));
    let one = c.constant(Literal::scalar(1i32)).unwrap();
    let (next, more) = (c.add(i, one).unwrap(), c.add(x, step).unwrap());
    let body = c.finish(&[next, more, step]).unwrap();
    let mut b = Builder::new("double");
    let x = b.param(tensor(), "x");
    let zero = b.constant(Literal::scalar(0i32)).unwrap();
    let third = b.scale(x, 1.0 / 3.0).unwrap();
    let op = While { cond: Arc::new(cond), body: Arc::new(body), consts: 0 };
    let results = b.push(op, &[zero, x, third]).unwrap();
    let doubled: Value = results[1];
    b.finish(&[doubled]).unwrap()
}

/// The programs, compiled for a client; those that may overwrite their first argument, too.
struct Compiled {
    client: CpuClient,
    devices: usize,
    all: Vec<(Program, Arc<dyn Executable>)>,
}

impl Compiled {
    fn new(options: CpuOptions) -> Compiled {
        let devices = options.devices;
        let client = CpuClient::with_options(options);
        let mut all = Vec::new();
        for program in [sum(), double()] {
            for donated in [&[][..], &[0]] {
                let executable = client.compile(&program, &CompileOptions::donating(donated)).unwrap();
                all.push((program.clone(), executable));
            }
        }
        Compiled { client, devices, all }
    }

    fn upload(&self, literal: &Literal, device: DeviceId) -> Buffer {
        let bytes = HostSource::Borrowed(literal.bytes());
        self.client.buffer_from_host(literal.ty(), bytes, device.into()).unwrap()
    }
}

/// A buffer, and what it is to hold: `None` is an error.
#[derive(Clone)]
struct Known {
    buffer: Buffer,
    device: DeviceId,
    value: Option<Literal>,
}

fn random(rng: &mut Rng) -> Literal {
    let values: Vec<f32> = (0..LENGTH).map(|_| rng.below(1000) as f32).collect();
    Literal::from_slice(&[LENGTH], &values).unwrap()
}

fn check(seed: u64, known: &Known) {
    match (&known.value, known.buffer.read()) {
        (Some(value), Ok(found)) => assert_eq!(*value, found, "seed {seed}"),
        (None, Err(error)) => assert!(error.message().contains("no data today"), "seed {seed}: {error}"),
        (value, found) => panic!("seed {seed}: {found:?}, {value:?} was expected"),
    }
}

/// A buffer whose tensor is still to be given, the tensor, and the duty.
struct Due {
    promise: BufferPromise,
    value: Option<Literal>,
}

impl Due {
    fn keep(self) {
        match &self.value {
            Some(value) => self.promise.keep(Ok(HostSource::Borrowed(value.bytes()))),
            None => self.promise.keep(Err(Error::environment("no data today"))),
        }
    }
}

fn schedule(compiled: &Compiled, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut live, mut due): (Vec<Known>, Vec<Due>) = (Vec::new(), Vec::new());
    let mut views: Vec<(HostView, Literal)> = Vec::new();
    for _ in 0..4 + rng.below(16) {
        let device = DeviceId(rng.below(compiled.devices) as u32);
        let at = rng.below(live.len().max(1));
        match rng.below(10) {
            0 | 1 => {
                let value = random(&mut rng);
                let buffer = compiled.upload(&value, device);
                live.push(Known { buffer, device, value: Some(value) });
            }
            2 => {
                let value = (rng.below(4) > 0).then(|| random(&mut rng));
                let (buffer, promise) = compiled.client.promise(tensor(), device.into()).unwrap();
                due.push(Due { promise, value: value.clone() });
                live.push(Known { buffer, device, value });
            }
            3 if !due.is_empty() => due.swap_remove(rng.below(due.len())).keep(),
            4 if !live.is_empty() => {
                let gone = live.swap_remove(at);
                if rng.below(2) == 0 {
                    let other = gone.buffer.clone();
                    gone.buffer.delete();
                    assert!(other.is_deleted());
                    assert!(other.read().is_err(), "seed {seed}: a deleted buffer was read");
                }
            }
            5 if !live.is_empty() => {
                let from = live[at].clone();
                let buffer = compiled.client.copy(&from.buffer, device.into()).unwrap();
                live.push(Known { buffer, device, value: from.value });
            }
            6 if !live.is_empty() && due.is_empty() => {
                if let (Ok(view), Some(value)) = (live[at].buffer.view(), &live[at].value) {
                    views.push((view, value.clone()));
                }
            }
            7 if !live.is_empty() && due.is_empty() => check(seed, &live[at]),
            _ if !live.is_empty() => {
                let (program, executable) = &compiled.all[rng.below(compiled.all.len())];
                let mut args = vec![at];
                if program.params().len() == 2 {
                    let beside: Vec<usize> =
                        (0..live.len()).filter(|&i| live[i].device == live[at].device).collect();
                    args.push(beside[rng.below(beside.len())]);
                }
                // Only a buffer that is not the other argument as well can be given up.
                let donate = rng.below(2) == 0 && args.get(1) != Some(&at);
                let values: Option<Vec<Literal>> = args.iter().map(|&i| live[i].value.clone()).collect();
                let value =
                    values.map(|values| jarrah_hlo_eval::evaluate(program, &values).unwrap().remove(0));
                let (home, given) = (live[at].device, live[at].buffer.clone());
                let arg = |(i, &arg): (usize, &usize)| {
                    let buffer = live[arg].buffer.clone();
                    if i == 0 && donate { Arg::Donate(buffer) } else { Arg::Borrow(buffer) }
                };
                let results = executable.run_args(args.iter().enumerate().map(arg).collect()).unwrap();
                let buffer = results.into_iter().next().unwrap();
                assert_eq!(given.is_deleted(), donate);
                if donate {
                    live.swap_remove(at);
                }
                live.push(Known { buffer, device: home, value });
            }
            _ => {}
        }
    }
    // What is still due is kept in any order, or by a thread of its own; then everything is as it should be.
    if rng.below(2) == 0 {
        std::thread::spawn(move || due.into_iter().for_each(Due::keep));
    } else {
        due.into_iter().rev().for_each(Due::keep);
    }
    live.iter().for_each(|known| check(seed, known));
    for (view, value) in views {
        assert_eq!(view.bytes(), value.bytes(), "seed {seed}: a view changed");
    }
}

#[test]
fn every_order_of_deletions_donations_and_runs_is_safe() {
    let options = CpuOptions { threads: 2, devices: 3, ..CpuOptions::default() };
    let compiled = Compiled::new(options);
    for seed in 0..asked("JARRAH_SCHEDULES").unwrap_or(SCHEDULES) {
        schedule(&compiled, seed as u64);
    }
    // Memory comes back: nothing holds on to what is gone.
    let begun = Instant::now();
    while (0..3).any(|device| compiled.client.memory_stats(DeviceId(device)).unwrap().in_use > 0) {
        assert!(begun.elapsed() < Duration::from_secs(20), "memory is held by nobody");
        std::thread::yield_now();
    }
}

#[test]
fn sixteen_threads_share_a_client() {
    let compiled = Compiled::new(CpuOptions { threads: 2, devices: 3, ..CpuOptions::default() });
    let until = end();
    let seeds = AtomicUsize::new(1 << 40);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                while Instant::now() < until {
                    schedule(&compiled, seeds.fetch_add(1, Ordering::Relaxed) as u64);
                }
            });
        }
    });
}

/// The end of a test of many threads.
fn end() -> Instant {
    Instant::now() + Duration::from_secs(asked("JARRAH_STRESS_SECONDS").map_or(SECONDS, |n| n as u64))
}

/// One step of a thread that shares its buffers with others: any of them may delete or donate a buffer at any time. What is
/// read all the same is right, a run that has begun gives the right results, and nothing fails for another reason than that
/// a buffer is gone. Whether the step came to a value.
fn contend(compiled: &Compiled, slots: &[Mutex<Known>], rng: &mut Rng) -> bool {
    let slot = |rng: &mut Rng| &slots[rng.below(slots.len())];
    let take = |slot: &Mutex<Known>| slot.lock().unwrap().clone();
    let gone = |error: Error| {
        let message = error.to_string();
        assert!(message.contains("was deleted or donated"), "{message}");
        false
    };
    let place = slot(rng);
    let known = take(place);
    let device = DeviceId(rng.below(compiled.devices) as u32);
    let made = match rng.below(8) {
        0 => {
            let value = random(rng);
            Ok(Known { buffer: compiled.upload(&value, device), device, value: Some(value) })
        }
        1 => {
            let found = known.buffer.read();
            return found.map_or_else(gone, |found| {
                assert_eq!(Some(found), known.value);
                true
            });
        }
        2 => {
            // The view outlives the buffer.
            let view = known.buffer.view();
            std::thread::yield_now();
            known.buffer.delete();
            return view.map_or_else(gone, |view| {
                assert_eq!(known.value.as_ref().map(Literal::bytes), Some(view.bytes()));
                true
            });
        }
        3 => {
            compiled.client.copy(&known.buffer, device.into()).map(|buffer| Known { buffer, device, ..known })
        }
        4 => {
            let value = random(rng);
            let (buffer, promise) = compiled.client.promise(tensor(), device.into()).unwrap();
            let kept = Known { buffer, device, value: Some(value.clone()) };
            *place.lock().unwrap() = kept.clone();
            std::thread::yield_now();
            promise.keep(Ok(HostSource::Borrowed(value.bytes())));
            Ok(kept)
        }
        _ => {
            let (program, executable) = &compiled.all[rng.below(compiled.all.len())];
            let executable = match rng.below(16) {
                0 => compiled.client.compile(program, executable.options()).unwrap(),
                _ => executable.clone(),
            };
            let mut args = vec![known];
            if program.params().len() == 2 {
                // A copy is where the other argument lies, and never the other argument itself.
                let beside = take(slot(rng));
                match compiled.client.copy(&beside.buffer, args[0].device.into()) {
                    Ok(buffer) => args.push(Known { buffer, ..beside }),
                    Err(error) => return gone(error),
                }
            }
            let values: Vec<Literal> = args.iter().map(|known| known.value.clone().unwrap()).collect();
            let value = jarrah_hlo_eval::evaluate(program, &values).unwrap().remove(0);
            let donate = rng.below(2) == 0;
            let arg = |(i, known): (usize, &Known)| match i == 0 && donate {
                true => Arg::Donate(known.buffer.clone()),
                false => Arg::Borrow(known.buffer.clone()),
            };
            let began = executable.run_args(args.iter().enumerate().map(arg).collect());
            let device = args[0].device;
            began.map(|mut results| Known { buffer: results.remove(0), device, value: Some(value) })
        }
    };
    match made {
        // Infinities and what is near would hide a wrong sum.
        Ok(known)
            if known
                .value
                .as_ref()
                .is_some_and(|value| value.to_f64_vec().iter().any(|x| x.abs() > 1e30)) =>
        {
            true
        }
        Ok(known) => {
            *place.lock().unwrap() = known;
            true
        }
        Err(error) => gone(error),
    }
}

/// Sixteen threads read, copy, donate, delete and replace the same buffers, and compile meanwhile.
#[test]
fn sixteen_threads_share_buffers() {
    let compiled = Compiled::new(CpuOptions { threads: 2, devices: 3, ..CpuOptions::default() });
    let mut rng = Rng::new(1 << 41);
    let mut fresh = |_| {
        let value = random(&mut rng);
        let buffer = compiled.upload(&value, DeviceId(0));
        Mutex::new(Known { buffer, device: DeviceId(0), value: Some(value) })
    };
    let slots: Vec<Mutex<Known>> = (0..12).map(&mut fresh).collect();
    let (until, steps, values) = (end(), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (compiled, slots, steps, values) = (&compiled, &slots, &steps, &values);
            scope.spawn(move || {
                let mut rng = Rng::new((1 << 42) + thread);
                while Instant::now() < until {
                    values.fetch_add(contend(compiled, slots, &mut rng).into(), Ordering::Relaxed);
                    steps.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let (steps, values) = (steps.into_inner(), values.into_inner());
    println!("{steps} steps, of which {values} came to a value");
    assert!(values > steps / 4 && values < steps, "{values} of {steps}");
}

#[test]
fn bits_are_the_same_on_every_device_and_in_every_mode() {
    let (program, argument) = (double(), random(&mut Rng::new(7)));
    let mut found = Vec::new();
    for (devices, asynchronous, threads) in [(1, false, 1), (1, true, 2), (8, true, 2), (8, false, 3)] {
        let compiled = Compiled::new(CpuOptions { threads, devices, asynchronous, ..CpuOptions::default() });
        let executable = compiled.client.compile(&program, &CompileOptions::default()).unwrap();
        for device in [0, devices - 1] {
            let x = compiled.upload(&argument, DeviceId(device as u32));
            found.push(executable.run(vec![x]).unwrap()[0].read().unwrap());
        }
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}
