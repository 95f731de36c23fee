//! Runs on several devices: their parts meet, whatever else is in flight, and have one outcome.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use jarrah_base::{DType, Error, Literal, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::host::HandlerCall;
use jarrah_hlo::ops::{CallTarget, CustomCall};
use jarrah_hlo::{Builder, Effects, Program};
use jarrah_runtime::{
    Arg, Buffer, BufferPromise, Client, CompileOptions, DeviceId, Executable, ExecuteOptions, Execution,
    HostSource,
};
use jarrah_testing::programs::Rng;

/// More schedules than this are for a person to ask for: `JARRAH_SCHEDULES=100000 cargo test -p jarrah-cpu launches`.
const SCHEDULES: usize = 2_000;

/// The number of the run, and that of its parts.
fn pair() -> Type {
    Type::tensor(DType::F32, [2])
}

/// `1 + x`, once the other parts of the run have come.
fn meeting(effects: Effects) -> Program {
    let mut b = Builder::new("meeting");
    let (run, x) = (b.param(pair(), "run"), b.param(pair(), "x"));
    let meet = CustomCall { effects, ..CustomCall::new(CallTarget::Named("meet".into()), vec![pair()]) };
    let met = b.one(meet, &[run]).unwrap();
    let sum = b.add(met, x).unwrap();
    b.finish(&[sum]).unwrap()
}

/// `x + x` by a function of the host.
fn doubling() -> Program {
    let mut b = Builder::new("doubling");
    let x = b.param(pair(), "x");
    let double = CustomCall::new(CallTarget::Named("double".into()), vec![pair()]);
    let y = b.one(double, &[x]).unwrap();
    b.finish(&[y]).unwrap()
}

/// Devices whose programs meet.
struct Meeting {
    client: CpuClient,
    /// Programs for these devices.
    together: Vec<(Vec<DeviceId>, Arc<dyn Executable>)>,
    alone: Arc<dyn Executable>,
    runs: AtomicUsize,
}

impl Meeting {
    fn new(devices: u32, patience: Duration) -> Meeting {
        let client = CpuClient::with_options(CpuOptions {
            threads: 1,
            devices: devices as usize,
            ..CpuOptions::default()
        });
        let present: Arc<(Mutex<HashMap<u64, u64>>, Condvar)> = Arc::default();
        let meet = move |call: &mut HandlerCall<'_>| {
            let run = call.operands[0].literal()?;
            let (number, parts) = (run.to_f64_vec()[0] as u64, run.to_f64_vec()[1] as u64);
            let (lock, changed) = &*present;
            let mut met = lock.lock().unwrap();
            *met.entry(number).or_default() += 1;
            changed.notify_all();
            let alone = |met: &mut HashMap<u64, u64>| met[&number] < parts;
            let (_met, waited) = changed.wait_timeout_while(met, patience, alone).unwrap();
            match waited.timed_out() {
                true => Err(Error::program(format!("nobody came to run {number}"))),
                false => call.results[0].write(&Literal::from_slice(&[2], &[1.0f32, 0.0])?),
            }
        };
        let double = |call: &mut HandlerCall<'_>| {
            let x = call.operands[0].literal()?.to_f64_vec();
            call.results[0].write(&Literal::from_f64s(pair(), &[2.0 * x[0], 2.0 * x[1]])?)
        };
        client.registry().register("meet", meet).unwrap();
        client.registry().register("double", double).unwrap();
        let mut together = Vec::new();
        for set in 0..1u32 << devices {
            let mut on: Vec<DeviceId> = (0..devices).filter(|i| set >> i & 1 == 1).map(DeviceId).collect();
            if on.len() < 2 {
                continue;
            }
            let effects = if set % 3 == 0 { Effects::ORDERED } else { Effects::NONE };
            let first = set as usize % on.len();
            on.rotate_left(first);
            let options = CompileOptions { devices: on.clone(), ..CompileOptions::default() };
            together.push((on, client.compile(&meeting(effects), &options).unwrap()));
        }
        let alone = client.compile(&doubling(), &CompileOptions::default()).unwrap();
        Meeting { client, together, alone, runs: AtomicUsize::new(1) }
    }

    fn upload(&self, value: [f32; 2], device: DeviceId) -> Buffer {
        let value = Literal::from_slice(&[2], &value).unwrap();
        let bytes = HostSource::Borrowed(value.bytes());
        self.client.buffer_from_host(pair(), bytes, device.into()).unwrap()
    }

    /// Begins runs, alone and together, on what earlier ones made and on what is promised; then keeps the promises and checks.
    fn schedule(&self, seed: u64) {
        let mut rng = Rng::new(seed);
        let devices = self.client.devices().len();
        let mut live: Vec<Vec<(Buffer, f64)>> = (0..devices)
            .map(|device| vec![(self.upload([1.0, 0.0], DeviceId(device as u32)), 1.0)])
            .collect();
        let mut due: Vec<(BufferPromise, Literal)> = Vec::new();
        for _ in 0..2 + rng.below(8) {
            let device = rng.below(devices);
            let from = live[device][rng.below(live[device].len())].clone();
            match rng.below(6) {
                0 => {
                    let to = rng.below(devices);
                    let copy = self.client.copy(&from.0, DeviceId(to as u32).into()).unwrap();
                    live[to].push((copy, from.1));
                }
                1 => {
                    let doubled = self.alone.run(vec![from.0]).unwrap().remove(0);
                    live[device].push((doubled, 2.0 * from.1));
                }
                _ => {
                    let (on, executable) = &self.together[rng.below(self.together.len())];
                    let number = self.runs.fetch_add(1, Ordering::Relaxed);
                    let run = [number as f32, on.len() as f32];
                    let mut args = Vec::new();
                    let mut sums = Vec::new();
                    for &device in on {
                        let run = match rng.below(4) {
                            0 => {
                                let (buffer, promise) = self.client.promise(pair(), device.into()).unwrap();
                                due.push((promise, Literal::from_slice(&[2], &run).unwrap()));
                                buffer
                            }
                            _ => self.upload(run, device),
                        };
                        let beside = &live[device.index()];
                        let (x, value) = beside[rng.below(beside.len())].clone();
                        args.push(vec![Arg::Borrow(run), Arg::Borrow(x)]);
                        sums.push(1.0 + value);
                    }
                    let Execution { results, .. } =
                        executable.execute(args, &ExecuteOptions::default()).unwrap();
                    for ((device, mut results), sum) in on.iter().zip(results).zip(sums) {
                        live[device.index()].push((results.remove(0), sum));
                    }
                }
            }
            if rng.below(4) == 0 && !due.is_empty() {
                let (promise, value) = due.swap_remove(rng.below(due.len()));
                promise.keep(Ok(HostSource::Borrowed(value.bytes())));
            }
        }
        while !due.is_empty() {
            let (promise, value) = due.swap_remove(rng.below(due.len()));
            promise.keep(Ok(HostSource::Borrowed(value.bytes())));
        }
        for (buffer, value) in live.into_iter().flatten() {
            let found = buffer.read().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(found.to_f64_vec()[0], f64::from(value as f32), "seed {seed}");
        }
    }
}

#[test]
fn parts_of_runs_on_overlapping_devices_meet_in_every_schedule() {
    let meeting = Meeting::new(4, Duration::from_secs(20));
    let schedules = std::env::var("JARRAH_SCHEDULES").ok().and_then(|n| n.parse().ok()).unwrap_or(SCHEDULES);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let seed @ 0.. = next.fetch_add(1, Ordering::Relaxed)
                    && seed < schedules
                {
                    meeting.schedule(seed as u64);
                }
            });
        }
    });
}

/// A caller may begin as many runs as it likes before it keeps a promise that they wait for: each comes behind the one before.
#[test]
fn runs_behind_a_promise_do_not_block_the_caller_who_is_to_keep_it() {
    let meeting = Meeting::new(2, Duration::from_secs(20));
    let (on, executable) = &meeting.together[0];
    let (held, promise) = meeting.client.promise(pair(), on[0].into()).unwrap();
    let mut last = Vec::new();
    for number in 0..200 {
        let arg = |device: &DeviceId| {
            let run = match (number, device == &on[0]) {
                (0, true) => held.clone(),
                _ => meeting.upload([number as f32, 2.0], *device),
            };
            vec![Arg::Borrow(run), Arg::Borrow(meeting.upload([0.5, 0.0], *device))]
        };
        let args = on.iter().map(arg).collect();
        last = executable.execute(args, &ExecuteOptions::default()).unwrap().results;
    }
    let run = Literal::from_slice(&[2], &[0.0f32, 2.0]).unwrap();
    promise.keep(Ok(HostSource::Borrowed(run.bytes())));
    for results in last {
        assert_eq!(results[0].read().unwrap().to_f64_vec()[0], 1.5);
    }
}

#[test]
fn an_error_on_one_device_is_that_of_all_results() {
    let meeting = Meeting::new(3, Duration::from_millis(200));
    let (on, executable) = meeting.together.iter().find(|(on, _)| on.len() == 3).unwrap();
    // One part waits for a run of its own, to which nobody comes; the others meet.
    let arg = |(at, device): (usize, &DeviceId)| {
        let run = if at == 1 { [7.0, 3.0] } else { [8.0, 2.0] };
        vec![Arg::Borrow(meeting.upload(run, *device)), Arg::Borrow(meeting.upload([0.0, 0.0], *device))]
    };
    let args = on.iter().enumerate().map(arg).collect();
    let Execution { results, done } = executable.execute(args, &ExecuteOptions::default()).unwrap();
    for (results, done) in results.iter().zip(&done) {
        let error = results[0].read().unwrap_err();
        assert!(error.message().contains("nobody came to run 7"), "{error}");
        assert!(done.wait().is_err());
    }
    // The devices go on.
    let x = meeting.upload([1.0, 2.0], on[1]);
    assert_eq!(meeting.alone.run(vec![x]).unwrap()[0].read().unwrap().to_f64_vec(), [2.0, 4.0]);
}

/// Where one part of a run comes behind a promise, because of the order of effects, so do runs behind its other parts.
#[test]
fn ordered_runs_behind_a_launch_behind_a_promise_do_not_block_the_caller() {
    let meeting = Meeting::new(2, Duration::from_secs(20));
    let (on, together) = meeting.together.iter().find(|(on, _)| on.len() == 2).unwrap();
    assert!(together.program().effects().ordered);
    let alone = meeting.client.compile(&meeting_ordered(), &CompileOptions::default()).unwrap();
    let zero = |device: DeviceId| meeting.upload([0.0, 0.0], device);
    let (held, promise) = meeting.client.promise(pair(), on[0].into()).unwrap();
    let mut last = alone.run(vec![held, zero(on[0])]).unwrap();
    let both = |device: &DeviceId| {
        vec![Arg::Borrow(meeting.upload([1.0, 2.0], *device)), Arg::Borrow(zero(*device))]
    };
    last.extend(
        together
            .execute(on.iter().map(both).collect(), &ExecuteOptions::default())
            .unwrap()
            .results
            .into_iter()
            .flatten(),
    );
    for number in 2..102 {
        last.extend(alone.run(vec![meeting.upload([number as f32, 1.0], on[1]), zero(on[1])]).unwrap());
    }
    let run = Literal::from_slice(&[2], &[0.0f32, 1.0]).unwrap();
    promise.keep(Ok(HostSource::Borrowed(run.bytes())));
    for result in last {
        assert_eq!(result.read().unwrap().to_f64_vec()[0], 1.0);
    }
}

fn meeting_ordered() -> Program {
    meeting(Effects::ORDERED)
}

/// No part of a run begins if an argument of another one failed: it would wait for nobody.
#[test]
fn a_failed_argument_on_one_device_is_the_error_of_all_results() {
    let meeting = Meeting::new(2, Duration::from_secs(20));
    let (on, together) = &meeting.together[0];
    let (failed, promise) = meeting.client.promise(pair(), on[1].into()).unwrap();
    let x = |device: DeviceId| Arg::Borrow(meeting.upload([0.0, 0.0], device));
    let args = vec![
        vec![Arg::Borrow(meeting.upload([1.0, 2.0], on[0])), x(on[0])],
        vec![Arg::Borrow(failed), x(on[1])],
    ];
    let results = together.execute(args, &ExecuteOptions::default()).unwrap().results;
    promise.keep(Err(Error::environment("no data today")));
    for results in results {
        let error = results[0].read().unwrap_err();
        assert!(error.message().contains("no data today"), "{error}");
    }
}
