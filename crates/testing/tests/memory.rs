//! The memory of a run is known before it, and a limit for it is kept.

use std::sync::Arc;

use jarrah_array::{Array, TreeExt, jit, make_program, scan, value_and_grad};
use jarrah_cpu::CpuClient;
use jarrah_hlo::Program;
use jarrah_runtime::{Arg, Client, CompileOptions, DeviceId, Executable};
use jarrah_testing::programs::{Rng, random_literal};

use crate::gpt::{Batch, State, config, gpt_step};

/// A training step of a small GPT, its state and a batch.
pub fn small_gpt(
    layers: usize,
) -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    gpt_step(config([layers, 2, 64], 64, 65), 8)
}

/// The most memory that a run takes out of the pool of a fresh client, arguments and results included, and what was said
/// before.
fn measured(program: &Program, options: &CompileOptions) -> (usize, usize) {
    let client = CpuClient::with_threads(2);
    let executable = client.compile(program, options).unwrap_or_else(|e| panic!("{e}"));
    let mut rng = Rng::new(5);
    let upload = |ty| client.upload(&random_literal(ty, &mut rng).unwrap()).unwrap();
    let buffers: Vec<_> = program.param_types().into_iter().map(upload).collect();
    let donated = |i: usize| options.aliases.iter().any(|alias| alias.parameter == i);
    let give = |(i, buffer)| if donated(i) { Arg::Donate(buffer) } else { Arg::Borrow(buffer) };
    let args = buffers.into_iter().enumerate().map(give).collect();
    let executable: Arc<dyn Executable> = executable;
    let results = executable.run_args(args).unwrap();
    results.iter().for_each(|result| result.ready().wait().unwrap());
    (executable.memory().total(), client.memory_stats(DeviceId(0)).unwrap().peak)
}

#[test]
fn the_peak_is_known_before_the_run() {
    let (step, arguments) = small_gpt(2);
    let step = make_program(&step, &arguments);
    let x = Array::zeros(&[300, 500]);
    let two = (x.clone(), Array::zeros(&[500, 700]));
    let steps = (Array::zeros(&[100, 130]), Array::zeros(&[50, 130, 130]));
    let programs = [
        ("step", step.clone()),
        ("softmax", make_program(|x: &Array| x.softmax(-1), &x)),
        ("chain", make_program(|(x, w): &(Array, Array)| x.matmul(w).tanh().matmul(&w.t()), &two)),
        ("gradient", {
            let loss = |(x, w): &(Array, Array)| (x.matmul(w).exp() * 2.0).sum(..);
            make_program(move |args: &(Array, Array)| value_and_grad(loss)(args), &two)
        }),
        ("sort", make_program(|x: &Array| x.sort(-1), &x)),
        ("scan", {
            let turn =
                |(x, ws): &(Array, Array)| scan(|h: &Array, w: &Array| (h.matmul(w).tanh(), h.sum(0)), x, ws);
            make_program(turn, &steps)
        }),
    ];
    for (name, program) in &programs {
        let mut donating = CompileOptions::default();
        for donated in [false, true] {
            if donated {
                donating = CompileOptions::donating(&(0..program.params().len() - 1).collect::<Vec<_>>());
            }
            let (said, found) = measured(program, &donating);
            let off = (found as f64 - said as f64).abs() / said as f64;
            println!("{name}: {said} said, {found} found, {:.2} % apart", off * 100.0);
            assert!(off <= 0.02, "{name}: {said} bytes were said, {found} were taken");
        }
    }
}

#[test]
fn a_training_step_runs_in_seven_tenths_of_its_memory() {
    let (step, arguments) = small_gpt(4);
    let free = jit(step.clone()).donate(0);
    let total = free.lower(&arguments).compile().unwrap().memory_analysis().total();
    let limit = total * 7 / 10;
    let limited = jit(step.clone()).donate(0).memory_limit(&format!("{limit}B"));
    let compiled = limited.lower(&arguments).compile().unwrap();
    let kept = compiled.memory_analysis().total();
    let explained = compiled.explain();
    println!("{total} bytes become {kept}\n{explained}");
    assert!(kept <= limit);
    assert!(explained.contains("computed again"), "{explained}");
    let program = make_program(&step, &arguments);
    let donated = arguments.0.leaves().len();
    let options = CompileOptions {
        memory_limit: Some(limit),
        ..CompileOptions::donating(&(0..donated).collect::<Vec<_>>())
    };
    let (said, found) = measured(&program, &options);
    assert!(found as f64 <= 1.02 * said as f64 && said <= limit);

    let bits = |array: &Array| array.to_literal().unwrap();
    let owned = || {
        let copy = |array: &Array| Array::from_literal(array.to_literal().unwrap());
        (arguments.0.map_leaves(copy), arguments.1.clone())
    };
    let (mut a, mut b) = (owned(), owned());
    for _ in 0..2 {
        let (next, x) = free.call(a).unwrap();
        a = (next, arguments.1.clone());
        let (next, y) = limited.call(b).unwrap();
        b = (next, arguments.1.clone());
        assert_eq!(bits(&x), bits(&y));
    }
    let pairs = a.0.leaves().into_iter().zip(b.0.leaves()).map(|(a, b)| (bits(a), bits(b)));
    assert!(pairs.into_iter().all(|(a, b)| a == b));
}

#[test]
fn what_cannot_fit_names_what_is_there_at_the_peak() {
    let (step, arguments) = small_gpt(2);
    let error = jit(step).donate(0).memory_limit("1MB").lower(&arguments).compile().err().unwrap();
    let text = error.to_string();
    assert!(text.contains("the limit of 1.0 MB was asked for"), "{text}");
    // A line for each of the ten largest: size, type, op and where it stands, or the argument's path.
    let (mut made, mut given) = (0, 0);
    for line in text.lines().filter(|line| line.contains(" kB: f32[")) {
        made += usize::from(line.contains(".rs:"));
        given += usize::from(line.contains(", the argument 0.params."));
    }
    assert!(made + given == 10 && made > 5, "{text}");
}
