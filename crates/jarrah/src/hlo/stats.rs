use std::collections::BTreeMap;
use std::time::Instant;

use jarrah::{Error, Result};
use jarrah_base::parallel::cores;
use jarrah_cpu::CpuClient;
use jarrah_cpu::threads::ThreadPool;
use jarrah_hlo::{Op, Program};
use jarrah_runtime::{Client, CompileOptions, CompiledMemory, StepLabel, Way};

use super::{count, load, time};
use crate::cli::Stats;
use crate::machine::Machine;
use crate::output::show;

/// The costs of all uses of an op together.
#[derive(Default)]
struct Line {
    count: u64,
    flops: f64,
    bytes: f64,
    bound: f64,
}

pub fn stats(arguments: &Stats) -> Result<()> {
    let begun = Instant::now();
    let program = load::file(&arguments.file)?.program(arguments.types.as_deref())?;
    let program = jarrah_compiler::raise_attention(&program)?;
    let parsed = begun.elapsed();
    let pool = ThreadPool::new(cores());
    let machine = Machine::of(&pool, arguments.gflops, arguments.gbytes);
    let mut lines = BTreeMap::new();
    // Loops of a known length are told from others by being scans.
    let unknown = add(&jarrah_compiler::raise(&program)?, 1.0, &machine, &mut lines)?;
    // A program that does not fit into this machine's memory cannot be compiled, but its operations are counted all the same.
    let compiled = CpuClient::new().compile(&program, &CompileOptions::default());
    let steps = compiled.as_ref().map_or_else(|_| Vec::new(), |executable| executable.steps());
    let memory = compiled.map(|executable| executable.memory());

    let total = lines.values().fold(Line::default(), |a, l| Line {
        count: a.count + l.count,
        flops: a.flops + l.flops,
        bytes: a.bytes + l.bytes,
        bound: a.bound + l.bound,
    });
    if arguments.json {
        let ops: serde_json::Map<String, serde_json::Value> =
            lines.iter().map(|(name, line)| ((*name).to_owned(), json(line))).collect();
        let bytes = |of: fn(&CompiledMemory) -> usize| memory.as_ref().ok().map(of);
        let report = serde_json::json!({
            "parse_s": parsed.as_secs_f64(),
            "ops": ops,
            "total": json(&total),
            "peak_bytes": bytes(CompiledMemory::total),
            "argument_bytes": bytes(|memory| memory.arguments),
            "result_bytes": bytes(|memory| memory.results),
            "temporary_bytes": bytes(|memory| memory.temporaries),
            "loops_of_unknown_length": unknown,
            "steps": steps.iter().map(step).collect::<Vec<_>>(),
            "error": memory.as_ref().err().map(Error::message),
        });
        show(&format!("{report}\n"))?;
        return memory.map(|_| ());
    }
    let mut order: Vec<(&&str, &Line)> = lines.iter().collect();
    order.sort_by(|a, b| b.1.bound.total_cmp(&a.1.bound).then(a.0.cmp(b.0)));
    show(&format!("{:<28}{:>8}{:>14}{:>14}{:>12}  bound by\n", "op", "count", "flops", "bytes", "bound"))?;
    for (name, line) in order {
        show(&row(name, line, &machine))?;
    }
    show(&row("all", &total, &machine))?;
    if unknown > 0 {
        let loops = count(unknown, "loop");
        show(&format!("{loops} of unknown length: one step of each is counted\n"))?;
    }
    let memory = memory?;
    show(&ways(&steps))?;
    let size = jarrah::train::size;
    show(&format!(
        "peak memory {}: arguments {}, results {}, temporaries {}\n",
        size(memory.total()),
        size(memory.arguments),
        size(memory.results),
        size(memory.temporaries)
    ))?;
    show(&format!(
        "bounds are those of {:.0} GFLOP/s of f32 and {:.0} GB/s\n",
        machine.flops / 1e9,
        machine.bytes / 1e9
    ))
}

/// The number of steps by the way they run, then the steps that run slowly: on the evaluator, or as the points of a kernel that
/// run steps.
fn ways(steps: &[StepLabel]) -> String {
    let counts = Way::ALL.into_iter().filter_map(|way| {
        let found = steps.iter().filter(|step| step.way == way).count();
        (found > 0).then(|| format!("{found} {}", way.name()))
    });
    let counts: Vec<String> = counts.collect();
    let mut text = match counts.is_empty() {
        true => "no steps\n".to_owned(),
        false => format!("{}: {}\n", count(steps.len(), "step"), counts.join(", ")),
    };
    for step in steps.iter().filter(|step| matches!(step.way, Way::Evaluator | Way::Points)) {
        text += &format!("{}: {step}\n", step.way.name());
    }
    text
}

fn step(label: &StepLabel) -> serde_json::Value {
    serde_json::json!({
        "kind": label.kind, "way": label.way.name(), "what": label.what, "types": label.types, "scope": label.scope,
        "line": label.line,
    })
}

/// Adds the instructions of a program that runs `times` times; of a loop of unknown length one step counts. Returns how
/// many such loops there are.
fn add(
    program: &Program,
    times: f64,
    machine: &Machine,
    lines: &mut BTreeMap<&'static str, Line>,
) -> Result<usize> {
    let mut unknown = 0;
    for instr in program.instrs() {
        unknown += usize::from(matches!(instr.op, Op::While(_)));
        let inner = match &instr.op {
            Op::Scan(scan) => times * scan.length as f64,
            _ => times,
        };
        let within =
            instr.op.callee().is_some() || matches!(instr.op, Op::Scan(_) | Op::While(_) | Op::Case(_));
        if within {
            for program in instr.op.runs() {
                unknown += add(program, inner, machine, lines)?;
            }
        }
        let operands: Vec<_> = instr.operands.iter().map(|&v| program.ty(v)).collect();
        let results: Vec<_> = instr.results().map(|v| program.ty(v)).collect();
        let line = lines.entry(instr.op.name()).or_default();
        line.count += 1;
        if !within {
            let cost = instr.op.cost(&operands, &results)?;
            line.flops += times * cost.flops;
            line.bytes += times * cost.bytes;
            line.bound += times * (cost.flops / machine.flops).max(cost.bytes / machine.bytes);
        }
    }
    Ok(unknown)
}

fn json(line: &Line) -> serde_json::Value {
    serde_json::json!({
        "count": line.count, "flops": line.flops, "bytes": line.bytes, "bound_s": line.bound,
    })
}

fn row(name: &str, line: &Line, machine: &Machine) -> String {
    let by = match line.flops / machine.flops > line.bytes / machine.bytes {
        _ if line.bound == 0.0 => "",
        true => "arithmetic",
        false => "memory",
    };
    format!(
        "{name:<28}{:>8}{:>14}{:>14}{:>12}  {by}\n",
        line.count,
        scaled(line.flops),
        scaled(line.bytes),
        time(line.bound)
    )
}

/// `1.50 G`.
pub fn scaled(x: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.iter().find(|(unit, _)| x >= *unit) {
        Some((unit, name)) => format!("{:.2} {name}", x / unit),
        None => format!("{x:.0}  "),
    }
}
