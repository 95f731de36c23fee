//! Observers of runs see every step and transfer, and change nothing of what runs.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Comparison, While};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::{
    Client, CompileOptions, DeviceId, ObservedRun, ObservedStep, Observer, RunObserver, Transfer,
};

/// Everything that was seen.
#[derive(Default)]
struct Seen {
    runs: Vec<String>,
    ended: usize,
    /// The name of each step that ran, whether it runs others, and how long it took.
    steps: Vec<(String, bool, Duration)>,
    transfers: Vec<(Option<DeviceId>, usize)>,
}

#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Seen>>);

impl Observer for Watcher {
    fn run(&self, run: &ObservedRun<'_>) -> Option<Box<dyn RunObserver>> {
        self.0.lock().unwrap().runs.push(run.program.to_owned());
        Some(Box::new(Watching { watcher: self.clone(), steps: run.steps.clone() }))
    }

    fn transfer(&self, transfer: &Transfer) {
        self.0.lock().unwrap().transfers.push((transfer.from, transfer.bytes));
    }
}

struct Watching {
    watcher: Watcher,
    steps: Arc<[ObservedStep]>,
}

impl RunObserver for Watching {
    fn step(&self, number: usize, began: Instant, ended: Instant) {
        let step = &self.steps[number];
        self.watcher.0.lock().unwrap().steps.push((step.label.what.clone(), step.nests, ended - began));
    }

    fn end(self: Box<Self>) {
        self.watcher.0.lock().unwrap().ended += 1;
    }
}

fn tensor() -> Type {
    Type::tensor(DType::F32, [4096])
}

/// The type of one of 40 tensors, of other extents each, so that no loop computes two of them.
fn beside(at: usize) -> Type {
    Type::tensor(DType::F32, [4096 + at])
}

/// `x` doubled three times in a loop, after which 40 small steps touch nothing of each other.
fn program() -> Program {
    let i32s = Type::scalar(DType::I32);
    let mut c = Builder::new("cond");
    let (i, _) = (c.param(i32s, "i"), c.param(tensor(), "x"));
    let three = c.constant(Literal::scalar(3i32)).unwrap();
    let less = c.compare(Comparison::Lt, i, three).unwrap();
    let cond = c.finish(&[less]).unwrap();
    let mut c = Builder::new("body");
    let (i, x) = (c.param(i32s, "i"), c.param(tensor(), "x"));
    let one = c.constant(Literal::scalar(1i32)).unwrap();
    let (next, twice) = (c.add(i, one).unwrap(), c.add(x, x).unwrap());
    let body = c.finish(&[next, twice]).unwrap();
    let mut b = Builder::new("watched");
    let x = b.param(tensor(), "x");
    let beside: Vec<_> = (0..40).map(|at| b.param(beside(at), "y")).collect();
    let zero = b.constant(Literal::scalar(0i32)).unwrap();
    let looped = b.push(While { cond: Arc::new(cond), body: Arc::new(body), consts: 0 }, &[zero, x]).unwrap();
    let mut results = vec![looped[1]];
    results.extend(beside.iter().map(|&y| b.neg(y).unwrap()));
    b.finish(&results).unwrap()
}

fn run(client: &CpuClient) -> Vec<Literal> {
    let executable = client.compile(&program(), &CompileOptions::default()).unwrap();
    let argument = |ty: Type| {
        let values: Vec<f64> = (0..ty.elements().unwrap()).map(|at| at as f64).collect();
        client.upload(&Literal::from_f64s(ty, &values).unwrap()).unwrap()
    };
    let types = executable.program().param_types();
    let results = executable.run(types.into_iter().map(argument).collect()).unwrap();
    results.iter().map(|result| result.read().unwrap()).collect()
}

#[test]
fn every_step_and_transfer_is_seen_and_nothing_is_changed() {
    let client = CpuClient::with_threads(2);
    let alone = run(&client);
    let (one, other) = (Watcher::default(), Watcher::default());
    let first = client.observe(Arc::new(one.clone())).unwrap();
    let second = client.observe(Arc::new(other.clone())).unwrap();
    assert_eq!(run(&client), alone);
    drop(second);
    let seen_by_both = other.0.lock().unwrap().steps.len();
    assert_eq!(run(&client), alone);
    drop(first);
    assert_eq!(run(&client), alone);
    let (one, other) = (one.0.lock().unwrap(), other.0.lock().unwrap());
    assert_eq!((one.runs.len(), one.ended, &*one.runs[0]), (2, 2, "watched"));
    assert_eq!((other.runs.len(), other.ended, other.steps.len()), (1, 1, seen_by_both));
    assert_eq!(one.steps.len(), 2 * seen_by_both);
    let count = |what: &str| other.steps.iter().filter(|(name, ..)| name == what).count();
    // The loop, the steps within it, and 40 steps that run beside each other.
    let nested: Vec<_> = other.steps.iter().filter(|(_, nests, _)| *nests).collect();
    assert_eq!(nested.len(), 1, "{:?}", other.steps);
    assert_eq!(count("negate"), 40, "{:?}", other.steps);
    let (_, _, loops) = nested[0];
    let within = other.steps.iter().filter(|(name, nests, _)| !nests && name != "negate");
    assert!(within.map(|(_, _, time)| *time).sum::<Duration>() <= *loops, "steps of a loop lie within it");
    let sizes: Vec<_> = [4096].into_iter().chain(4096..4136).map(|n| (None, 4 * n)).collect();
    assert_eq!(other.transfers, sizes);
}
