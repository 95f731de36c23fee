use std::process::Command;

use jarrah_base::{DType, Literal};
use jarrah_formats::{SaveOptions, Tensor, Tensors, save};

/// The most memory that this process has held, in bytes.
pub fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
}

/// Loading takes the memory of the weights and no tenth more, converted or not: the file's pages are given back on the way.
/// A process of its own measures each.
#[cfg(target_os = "linux")]
#[test]
fn loading_holds_the_weights_once() {
    const FOLDER: &str = "JARRAH_FORMATS_TEST_FOLDER";
    const ELEMENTS: usize = 1 << 23;
    if let Some(folder) = std::env::var_os(FOLDER) {
        let dtype: DType = std::env::var("JARRAH_FORMATS_TEST_DTYPE").unwrap().parse().unwrap();
        let before = peak();
        let tensors = Tensors::open(folder).unwrap();
        let values: Vec<Literal> = tensors.iter().map(|t| t.to(dtype).unwrap().literal().unwrap()).collect();
        let weights: usize = values.iter().map(|v| v.bytes().len()).sum();
        let held = peak() - before;
        assert!(held <= weights + weights / 10, "{held} bytes for {weights} of {dtype}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<Literal> = (0..4)
        .map(|i| Literal::full(jarrah_base::Type::tensor(DType::BF16, [ELEMENTS]), f64::from(i)).unwrap())
        .collect();
    let all: Vec<Tensor<'_>> =
        values.iter().enumerate().map(|(i, v)| Tensor::of(format!("w{i}"), v)).collect();
    save(folder.path(), &all, &SaveOptions { shard_bytes: 40 << 20, ..SaveOptions::default() }).unwrap();
    for dtype in ["bf16", "f32", "f64", "f16"] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "memory::loading_holds_the_weights_once"])
            .env(FOLDER, folder.path())
            .env("JARRAH_FORMATS_TEST_DTYPE", dtype)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
