use std::collections::HashMap;
use std::sync::Arc;

use jarrah::{Error, Result};
use jarrah_base::{DType, Element, Literal, Type, with_element};
use jarrah_hlo::{Instr, Op, Program, Value};
use jarrah_runtime::{Buffer, CompileOptions};

use super::random::{Rng, literal};
use super::{client, count, load, tensors};
use crate::cli::{Backend, Diff};
use crate::output::show;

/// An instruction of the top level, for people, and its results.
struct Step {
    shown: String,
    results: Vec<Literal>,
    constant: bool,
}

pub fn diff(arguments: &Diff) -> Result<()> {
    let stored = arguments.inputs.as_deref().map(tensors::read).transpose()?;
    let file = load::file(&arguments.first)?;
    let types = match &stored {
        Some(stored) => Some(stored.types(&file)?),
        None => arguments.types.as_deref().map(<[Type]>::to_vec),
    };
    let first = file.program(types.as_deref())?;
    let inputs: Vec<Literal> = match &stored {
        Some(stored) => stored.literals(&first.param_types())?.collect::<Result<_>>()?,
        None => {
            let mut rng = Rng::new(arguments.seed);
            first.param_types().iter().map(|&ty| literal(ty, &mut rng)).collect::<Result<_>>()?
        }
    };
    let (second, backend) = match &arguments.second {
        Some(path) => (load::file(path)?.program(types.as_deref())?, arguments.backend),
        None => (first.clone(), Backend::Cpu),
    };
    if first.param_types() != second.param_types() {
        return Err(Error::input(format!(
            "the programs take different arguments: {:?} and {:?}",
            first.param_types(),
            second.param_types()
        )));
    }
    let one = if arguments.second.is_some() { arguments.backend } else { Backend::Reference };
    let left = results(&first, one, &inputs)?;
    let right = results(&second, backend, &inputs)?;
    if left.len() != right.len() {
        return Err(Error::input(format!("the programs have {} and {} results", left.len(), right.len())));
    }
    let apart = left.iter().zip(&right).enumerate().find_map(|(i, (l, r))| {
        difference(l, r, arguments.tolerance).map(|words| format!("result {i}: {words}"))
    });
    let Some(apart) = apart else {
        let (results, inputs) = (count(left.len(), "result"), count(inputs.len(), "argument"));
        let agree = if left.len() == 1 { "agrees" } else { "agree" };
        return show(&format!("{results} {agree} on {inputs}\n"));
    };
    show(&format!("{apart}\n"))?;
    let left = steps(&first, one, &inputs)?;
    let right = steps(&second, backend, &inputs)?;
    let found = if arguments.second.is_some() {
        without_counterpart(&left, &right, arguments.tolerance)
    } else {
        first_apart(&left, &right, arguments.tolerance)
    };
    for line in &found {
        show(&format!("{line}\n"))?;
    }
    Err(Error::input("the results differ"))
}

/// For one program run in two ways: describes the first instruction whose results differ.
fn first_apart(left: &[Step], right: &[Step], tolerance: f64) -> Vec<String> {
    let pairs = left.iter().zip(right);
    let found = pairs.enumerate().find_map(|(i, (l, r))| {
        let mut results = l.results.iter().zip(&r.results);
        let words = results.find_map(|(l, r)| difference(l, r, tolerance))?;
        Some(format!("first at instruction {i}: {}\n    {words}", l.shown))
    });
    match found {
        Some(line) => vec![line],
        None => vec!["every instruction agrees by itself: they differ together only".to_owned()],
    }
}

/// For two programs: describes the first instruction of each with a result that no instruction of the other has.
fn without_counterpart(left: &[Step], right: &[Step], tolerance: f64) -> Vec<String> {
    let lonely = |these: &[Step], those: &[Step], name: &str| {
        let mut by_type: HashMap<Type, Vec<&Literal>> = HashMap::new();
        for result in those.iter().flat_map(|s| &s.results) {
            by_type.entry(result.ty()).or_default().push(result);
        }
        let has = |x: &Literal| {
            by_type.get(&x.ty()).is_some_and(|all| all.iter().any(|y| difference(x, y, tolerance).is_none()))
        };
        let found = these.iter().enumerate().find(|(_, s)| !s.constant && !s.results.iter().all(has));
        found.map(|(i, step)| format!("first in {name} at instruction {i}: {}", step.shown))
    };
    let lines = [lonely(left, right, "the first program"), lonely(right, left, "the second program")];
    lines.into_iter().flatten().collect()
}

fn results(program: &Program, backend: Backend, inputs: &[Literal]) -> Result<Vec<Literal>> {
    let client = client(backend, 0, 1)?;
    let executable = client.compile(program, &CompileOptions::default())?;
    let buffers: Vec<Buffer> = inputs.iter().map(|l| client.upload(l)).collect::<Result<_>>()?;
    executable.run(buffers)?.iter().map(|buffer| buffer.read()).collect()
}

/// The results of every instruction of the top level.
fn steps(program: &Program, backend: Backend, inputs: &[Literal]) -> Result<Vec<Step>> {
    let params: Vec<Value> = program.param_values().collect();
    let all: Vec<Value> = program.instrs().iter().flat_map(Instr::results).collect();
    let whole = Arc::new(program.extract(&params, &all)?);
    let mut values = results(&whole, backend, inputs)?.into_iter();
    let step = |instr: &Instr| Step {
        shown: shown(program, instr),
        results: values.by_ref().take(instr.results().len()).collect(),
        constant: matches!(instr.op, Op::Constant(_) | Op::Iota(_) | Op::BroadcastInDim(_)),
    };
    Ok(program.instrs().iter().map(step).collect())
}

fn shown(program: &Program, instr: &Instr) -> String {
    let types = |values: &mut dyn Iterator<Item = Value>| {
        values.map(|v| program.ty(v).to_string()).collect::<Vec<_>>().join(", ")
    };
    let operands = types(&mut instr.operands.iter().copied());
    let results = types(&mut instr.results());
    let place = instr.source.location.map_or(String::new(), |l| format!("  at {l}"));
    format!("{}({operands}) -> {results}{place}", instr.op.name())
}

/// Where two tensors differ by more than `tolerance` times the larger of the value and one; NaN equals NaN.
fn difference(a: &Literal, b: &Literal, tolerance: f64) -> Option<String> {
    if a.ty() != b.ty() {
        return Some(format!("{} against {}", a.ty(), b.ty()));
    }
    if a == b {
        return None;
    }
    let exact = a.dtype().is_integer() || a.dtype() == DType::Bool;
    with_element!(a.dtype(), T => {
        let (x, y) = (a.as_slice::<T>().ok()?, b.as_slice::<T>().ok()?);
        let worst = x.iter().zip(y).enumerate().find(|(_, (x, y))| {
            let (x, y) = (x.to_c128(), y.to_c128());
            let near = |x: f64, y: f64| {
                x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= tolerance * x.abs().max(y.abs()).max(1.0)
            };
            if exact { x != y } else { !near(x.re, y.re) || !near(x.im, y.im) }
        });
        worst.map(|(at, (x, y))| format!("element {at} of {}: {x} against {y}", a.ty()))
    })
}
