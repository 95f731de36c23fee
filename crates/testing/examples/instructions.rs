//! Work whose instructions `cargo xtask instructions` counts: `instructions NAME`, without a name the list of them.
//!
//! What has to be there first is made outside of `measured_work`, whose instructions alone count.

mod gpt;

use std::hint::black_box;

use jarrah_array::{Array, Jit, clear_caches, jit, make_program};
use jarrah_base::{Error, Literal, Result};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_engine::{Limits, Plan, Request, Scheduler};
use jarrah_models::GptConfig;
use jarrah_runtime::{Client, CompileOptions};

use gpt::{Batch, State, gpt_step};

/// A training step of a GPT, and what it takes.
fn gpt() -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    let config =
        GptConfig { vocabulary: 65, context: 64, layers: 4, heads: 4, width: 64, ..GptConfig::default() };
    gpt_step(config, 4)
}

/// A client whose runs take place in the thread that asks for them, whose instructions are counted.
fn client() -> CpuClient {
    CpuClient::with_options(CpuOptions { threads: 1, asynchronous: false, ..CpuOptions::default() })
}

/// What is counted: the name is how the counter knows it.
#[inline(never)]
fn measured_work(work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    black_box(work())
}

/// A compiled function of 150 arrays, called again and again.
fn call_150() -> Result<()> {
    let f: Jit<Vec<Array>, Vec<Array>, _> = jit(|all: &Vec<Array>| all.iter().map(|x| x + 1.0).collect());
    let all: Vec<Array> = (0..150).map(|i| Array::full(&[4], i as f32, jarrah_array::DType::F32)).collect();
    f.call(all.clone())?;
    measured_work(&mut || {
        for _ in 0..50 {
            black_box(f.call(all.clone())?);
        }
        Ok(())
    })
}

fn trace_gpt() -> Result<()> {
    let (step, arguments) = gpt();
    make_program(step.clone(), &arguments);
    // The gradient is derived anew.
    clear_caches();
    measured_work(&mut || {
        let lowered = jit(step.clone()).donate(0).lower(&arguments);
        black_box(lowered.program().instrs().len());
        Ok(())
    })
}

fn compile_gpt() -> Result<()> {
    let (step, arguments) = gpt();
    let program = make_program(step, &arguments);
    let client = client();
    // The checks of debug builds are not what a user waits for.
    jarrah_compiler::with_checks(false, || {
        measured_work(&mut || {
            client.compile(&program, &CompileOptions::default()).map(|made| drop(black_box(made)))
        })
    })
}

/// A function of numbers, as vector loops over more of them than a tile holds.
fn loops(f: fn(&Array) -> Array) -> Result<()> {
    let dims = [256, 512];
    let client = client();
    let program = make_program(f, &Array::zeros(&dims));
    let executable = client.compile(&program, &CompileOptions::default())?;
    let numbers: Vec<f32> = (0..dims[0] * dims[1]).map(|i| (i % 977) as f32 / 300.0 - 1.5).collect();
    let x = client.upload(&Literal::from_slice(&dims, &numbers)?)?;
    executable.run(vec![x.clone()])?[0].ready().wait()?;
    measured_work(&mut || {
        for _ in 0..10 {
            executable.run(vec![x.clone()])?[0].ready().wait()?;
        }
        Ok(())
    })
}

/// Steps of a scheduler in which 256 answers go on and now and then a page is full: plans, and what is sampled for them.
fn schedule() -> Result<()> {
    let limits = Limits { pages: 20_000, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    for id in 0..256u32 {
        let prompt = (0..64 + id % 16).map(|at| id * 1000 + at).collect();
        scheduler.add(Request { id: id.into(), prompt, most_tokens: 1000, ..Request::default() })?;
    }
    let (mut plan, mut sampled) = (Plan::default(), Vec::new());
    let mut steps = |count: usize| {
        for _ in 0..count {
            scheduler.step(&mut plan);
            sampled.clear();
            let all = plan.items.iter().filter(|item| item.sampled);
            sampled.extend(all.map(|item| (item.id, item.end as u32)));
            black_box(scheduler.done(&plan, &sampled, &[])?);
        }
        Ok(())
    };
    steps(32)?;
    measured_work(&mut || steps(64))
}

/// Work by name.
const WORK: &[(&str, fn() -> Result<()>)] = &[
    ("call-150-arrays", call_150),
    ("trace-gpt", trace_gpt),
    ("compile-gpt", compile_gpt),
    ("loop-gelu", || loops(jarrah_array::nn::gelu)),
    ("loop-softmax", || loops(|x| x.softmax(-1))),
    ("loop-column-sum", || loops(|x| x.square().sum(0))),
    ("schedule-256", schedule),
];

fn main() -> Result<()> {
    let Some(name) = std::env::args().nth(1) else {
        WORK.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    };
    let found = WORK.iter().find(|(known, _)| *known == name);
    let (_, work) = found.ok_or_else(|| Error::input(format!("there is no work {name}")))?;
    work()
}
