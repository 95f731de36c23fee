//! How programs run: what has code of its own, and what is left to the reference evaluator.

use std::path::{Path, PathBuf};

use jarrah_array::jit;
use jarrah_cpu::CpuClient;
use jarrah_hlo_format::{parse_named, print};
use jarrah_runtime::{Client, CompileOptions, StepLabel, Way};

use crate::memory::small_gpt;

fn on_the_evaluator(steps: &[StepLabel]) -> Vec<String> {
    steps.iter().filter(|step| step.way == Way::Evaluator).map(StepLabel::to_string).collect()
}

#[test]
fn a_training_step_prints_and_has_code_for_all_of_it() {
    let (step, arguments) = small_gpt(2);
    let lowered = jit(step).lower(&arguments);
    let text = lowered.as_text();
    for kind in ["forward", "transpose"] {
        assert!(text.contains(&format!("kind = \"{kind}\"")), "no attention is {kind}");
    }
    let parsed = parse_named("step.mlir", &text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&parsed), text);

    let compiled = lowered.compile().unwrap();
    let steps = compiled.steps();
    assert_eq!(on_the_evaluator(&steps), [""; 0]);
    let count = |way| steps.iter().filter(|step| step.way == way).count();
    assert!(count(Way::Product) > 10, "{} products", count(Way::Product));
    let line = |step: &&StepLabel| step.way == Way::Product && step.line.contains(".rs:");
    assert!(steps.iter().any(|step| line(&step)), "no product knows its line");
}

#[test]
fn files_of_the_compiler_have_code_for_all_of_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/tests/files");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "mlir")).collect();
    files.sort();
    assert!(files.len() >= 10);
    let client = CpuClient::with_threads(2);
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let program = parse_named(&name, &std::fs::read_to_string(&file).unwrap()).unwrap();
        let executable = client.compile(&program, &CompileOptions::default()).unwrap();
        assert_eq!(on_the_evaluator(&executable.steps()), [""; 0], "{name}");
    }
}
