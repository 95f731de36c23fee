//! What does not fit is told before it is begun.

use std::fs;

use crate::support::{Done, Place};

/// The command where a process may take so many kilobytes.
fn limited(place: &Place, kilobytes: usize, arguments: &str) -> Done {
    let mut shell = std::process::Command::new("sh");
    let line = format!("ulimit -v {kilobytes}; exec {} {arguments}", env!("CARGO_BIN_EXE_jarrah"));
    shell.args(["-c", &line]).current_dir(place.path("")).env_remove("CARGO_MANIFEST_DIR");
    shell.output().unwrap().into()
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_does_not_fit_says_what_to_lower() {
    let place = Place::new();
    let run = |kilobytes, changes: &str| {
        let done = limited(&place, kilobytes, &format!("train tiny.toml --data text --out run {changes}"));
        assert!(done.code == Some(2) && done.err.contains(" needs "), "{done:?}");
        assert!(!place.path("run").exists(), "{done:?}");
        done
    };
    // Known before any text is read.
    let done = run(8_000_000, "model.layers=40 model.width=4096 model.heads=32");
    assert!(!done.out.contains("text:"), "{done:?}");
    assert!(done.err.contains("parameters 32.2 GB") || done.err.contains("parameters 32.3 GB"), "{done:?}");
    assert!(done.err.contains("what else is in memory already"), "{done:?}");
    assert!(done.err.contains("but there are "), "{done:?}");
    assert!(done.err.contains("help: lower model.width, model.layers or"), "{done:?}");
    let done = run(8_000_000, "batch=1000000");
    assert!(done.err.contains("help: lower batch or model.context"), "{done:?}");
    // Known once the step is compiled.
    let done = run(2_000_000, "batch=100000 model.width=64");
    assert!(done.out.contains("tokenizer:"), "{done:?}");
    assert!(done.err.contains("  = ") && done.err.contains(" at ") && done.err.contains(".rs:"), "{done:?}");
    assert!(done.err.contains("lower batch or model.context"), "{done:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_without_room_for_its_threads_does_not_begin() {
    let place = Place::new();
    let done = limited(&place, 200_000, "train tiny.toml --data text --out run threads=2");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.contains("the threads of the run reserve 335.5 MB of address space"), "{done:?}");
    assert!(!place.path("run").exists(), "{done:?}");
}

/// A function that makes an array of so many `f32`s of one.
fn filled(place: &Place, elements: usize) {
    let text = format!(
        "func.func @main(%x: tensor<f32>) -> tensor<{elements}xf32> {{\n  \
         %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<{elements}xf32>\n  \
         return %0 : tensor<{elements}xf32>\n}}\n"
    );
    fs::write(place.path("filled.mlir"), text).unwrap();
    let one =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![], &[0, 0, 128, 63]).unwrap();
    fs::write(place.path("one.safetensors"), safetensors::serialize([("0", one)], None).unwrap()).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_does_not_fit_is_refused_on_both_backends() {
    let place = Place::new();
    filled(&place, 1 << 50);
    for backend in ["cpu", "reference"] {
        let arguments = format!("hlo run filled.mlir --inputs one.safetensors --backend {backend}");
        let error = place.refused(&arguments, "main needs 4503.6 TB of memory (");
        assert!(error.contains("results 4503.6 TB"), "{error}");
    }
    let error = place.refused("hlo run filled.mlir --inputs one.safetensors", "");
    assert!(
        error.contains("4503.6 TB: f32[1125899906842624], broadcast_in_dim at filled.mlir:2:8"),
        "{error}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_does_not_fit_has_its_statistics() {
    let place = Place::new();
    filled(&place, 1 << 50);
    let done = place.jarrah("hlo stats filled.mlir --gflops 1 --gbytes 1");
    assert!(done.out.contains("broadcast_in_dim") && done.err.contains("main needs 4503.6 TB"), "{done:?}");
    let done = place.jarrah("hlo stats filled.mlir --gflops 1 --gbytes 1 --json");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert!(report["error"].as_str().is_some_and(|e| e.starts_with("main needs 4503.6 TB")), "{done:?}");
    assert_eq!(report["peak_bytes"], serde_json::Value::Null);
    assert_eq!(report["ops"]["broadcast_in_dim"]["count"], 1);
}

#[test]
#[cfg(target_os = "linux")]
fn an_allocation_that_fails_names_op_shape_and_line() {
    let place = Place::new();
    let run = |elements| {
        filled(&place, elements);
        // Threads reserve addresses, sooner or later.
        limited(&place, 1 << 20, "hlo run filled.mlir --inputs one.safetensors --threads 1")
    };
    let refused = run(1 << 30).err;
    let there_are = refused.split("but there are ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let bytes = there_are.parse::<f64>().unwrap() * 1e6;
    // A little less than there is, of which the command itself takes more.
    let elements = (bytes - 2e6) as usize / 4;
    let done = run(elements);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.starts_with("error: [broadcast_in_dim] the system has no "), "{done:?}");
    let rest = format!(" of memory left for f32[{elements}], result 0 of main\n  --> filled.mlir:2:8");
    assert!(done.err.contains(&rest), "{done:?}");
}
