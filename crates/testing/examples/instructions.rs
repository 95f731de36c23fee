//! Work whose instructions `cargo xtask instructions` counts: `instructions NAME`, without a name the list of them, some beside the work that
//! they are compared with.
//!
//! What has to be there first is made outside of `measured_work`, whose instructions alone count.

mod gpt;

use std::hint::black_box;

use jarrah_array::lax::ragged_dot;
use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::{Array, DType, Jit, Tree, TreeExt, clear_caches, jit, make_program};
use jarrah_base::{Error, Literal, Result};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_engine::{Limits, Request, Scheduler, StepPlan};
use jarrah_quant::{QuantizedTensor, Scheme, quantize};
use jarrah_runtime::{Client, CompileOptions};

use gpt::{Batch, State, config, gpt_step};

/// A training step of a GPT, and what it takes.
fn gpt() -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    gpt_step(config([4, 4, 64], 64, 65), 4)
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
    let (mut plan, mut sampled) = (StepPlan::default(), Vec::new());
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

/// Numbers between -1.5 and 1.5.
fn numbers(dims: &[usize], dtype: DType) -> Array {
    let count = dims.iter().product::<usize>();
    let numbers: Vec<f32> = (0..count).map(|i| (i * 7919 % 977) as f32 / 325.0 - 1.5).collect();
    Array::new(&numbers, dims).astype(dtype)
}

/// A few calls of a compiled function.
fn calls<A: Tree<Array> + Clone, R: Tree<Array>>(f: impl Fn(&A) -> R, arguments: A) -> Result<()> {
    let (client, program) = (client(), make_program(f, &arguments));
    // The checks of debug builds would take most of the time that counting takes.
    let compile = || client.compile(&program, &CompileOptions::default());
    let executable = jarrah_compiler::with_checks(false, compile)?;
    let mut buffers = Vec::new();
    for array in arguments.leaves() {
        buffers.push(client.upload(&array.to_literal()?)?);
    }
    let run = || -> Result<()> {
        for result in executable.run(buffers.clone())? {
            result.ready().wait()?;
        }
        Ok(())
    };
    run()?;
    measured_work(&mut || (0..3).try_for_each(|_| run()))
}

/// A product of `rows` rows and a square matrix.
fn product(rows: usize, extent: usize, dtype: DType) -> Result<()> {
    let arguments = (numbers(&[rows, extent], dtype), numbers(&[extent, extent], dtype));
    calls(|(x, w): &(Array, Array)| x.matmul(w), arguments)
}

/// A product in `bf16` of `rows` rows and a square matrix of quantized weights.
fn quantized(rows: usize, extent: usize, scheme: Scheme) -> Result<()> {
    let w = quantize(&numbers(&[extent, extent], DType::F32), scheme.scales(DType::BF16));
    calls(|(x, w): &(Array, QuantizedTensor)| w.apply(x), (numbers(&[rows, extent], DType::BF16), w))
}

/// The rows of eight experts: some have many and some few.
const ROUTED: [i32; 8] = [40, 1, 7, 64, 0, 12, 3, 1];

/// Rows of experts.
fn experts(dtype: DType) -> Result<()> {
    let sizes = Array::from_slice(&ROUTED);
    let arguments = (numbers(&[128, 256], dtype), numbers(&[8, 256, 256], dtype), sizes);
    calls(|(x, w, sizes): &(Array, Array, Array)| ragged_dot(x, w, sizes), arguments)
}

/// Rows of experts in `bf16`, whose matrices are quantized.
fn quantized_experts(scheme: Scheme) -> Result<()> {
    let w = quantize(&numbers(&[8, 256, 256], DType::F32), scheme.scales(DType::BF16));
    let arguments = (numbers(&[128, 256], DType::BF16), w, Array::from_slice(&ROUTED));
    let f = |(x, w, sizes): &(Array, QuantizedTensor, Array)| w.apply_grouped(x, sizes);
    calls(f, arguments)
}

/// Causal attention of two heads.
fn attention(dtype: DType) -> Result<()> {
    let one = || numbers(&[1, 256, 2, 64], dtype);
    let options = AttentionOptions { causal: true, ..AttentionOptions::default() };
    let f = move |(q, k, v): &(Array, Array, Array)| dot_product_attention(q, k, v, &options);
    calls(f, (one(), one(), one()))
}

/// A training step of a GPT whose products are in `dtype`.
fn step_gpt(dtype: DType) -> Result<()> {
    let narrow = (dtype != DType::F32).then_some(dtype);
    let (step, arguments) = gpt::gpt_step_in(narrow, config([1, 2, 128], 64, 65), 2);
    calls(step, arguments)
}

const F32: DType = DType::F32;
const BF16: DType = DType::BF16;

/// Work by name; of some work also the work that it is compared with, and how many times the instructions of that it may take at most. Rows of
/// weights in few bits are fewer bytes than those of `f32` and more instructions: on machines whose memory is what they wait for, they are faster.
const WORK: &[(&str, fn() -> Result<()>, Option<(&str, f64)>)] = &[
    ("call-150-arrays", call_150, None),
    ("trace-gpt", trace_gpt, None),
    ("compile-gpt", compile_gpt, None),
    ("loop-gelu", || loops(jarrah_array::nn::gelu), None),
    ("loop-softmax", || loops(|x| x.softmax(-1)), None),
    ("loop-column-sum", || loops(|x| x.square().sum(0)), None),
    ("schedule-256", schedule, None),
    ("product-f32", || product(256, 256, F32), None),
    ("product-bf16", || product(256, 256, BF16), Some(("product-f32", 1.25))),
    ("product-f16", || product(256, 256, DType::F16), Some(("product-f32", 1.25))),
    ("product-int8", || quantized(256, 256, Scheme::INT8), Some(("product-f32", 1.25))),
    ("product-int4", || quantized(256, 256, Scheme::INT4), Some(("product-f32", 1.25))),
    ("row-f32", || product(1, 1024, F32), None),
    ("row-bf16", || product(1, 1024, BF16), Some(("row-f32", 1.25))),
    ("row-int8", || quantized(1, 1024, Scheme::INT8), Some(("row-f32", 1.25))),
    ("row-int4", || quantized(1, 1024, Scheme::INT4), Some(("row-f32", 1.25))),
    ("rows-8-f32", || product(8, 1024, F32), None),
    ("rows-8-bf16", || product(8, 1024, BF16), Some(("rows-8-f32", 1.25))),
    ("rows-8-int8", || quantized(8, 1024, Scheme::INT8), Some(("rows-8-f32", 1.25))),
    ("rows-8-int4", || quantized(8, 1024, Scheme::INT4), Some(("rows-8-f32", 1.25))),
    ("experts-f32", || experts(F32), None),
    ("experts-bf16", || experts(BF16), Some(("experts-f32", 1.25))),
    ("experts-int8", || quantized_experts(Scheme::INT8), Some(("experts-f32", 1.1))),
    ("experts-int4", || quantized_experts(Scheme::INT4), Some(("experts-f32", 1.25))),
    ("attention-f32", || attention(F32), None),
    ("attention-bf16", || attention(BF16), Some(("attention-f32", 1.25))),
    ("step-gpt-f32", || step_gpt(F32), None),
    ("step-gpt-bf16", || step_gpt(BF16), Some(("step-gpt-f32", 1.2))),
];

fn main() -> Result<()> {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _, than) in WORK {
            match than {
                Some((other, most)) => println!("{name} {other} {most}"),
                None => println!("{name}"),
            }
        }
        return Ok(());
    };
    let found = WORK.iter().find(|(known, ..)| *known == name);
    let (_, work, _) = found.ok_or_else(|| Error::input(format!("there is no work {name}")))?;
    work()
}
