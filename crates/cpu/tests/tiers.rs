//! `JARRAH_CPU` picks the code: a child process for each of its values.

use std::process::Command;

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::{CpuClient, vector::Isa};
use jarrah_hlo::Builder;
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_runtime::{Client, CompileOptions};

/// What a child prints before its results.
const MARK: &str = "bits of tanh:";

/// Not a test of its own: [`every_tier_gives_the_same_bits`] runs it in processes of their own.
#[test]
fn child() {
    if std::env::var_os("JARRAH_TIERS_CHILD").is_none() {
        return;
    }
    let mut b = Builder::new("tanh");
    let x = b.param(Type::tensor(DType::F32, [100]), "x");
    let y = b.unary(ElementwiseKind::Tanh, x).unwrap();
    let program = b.finish(&[y]).unwrap();
    let client = CpuClient::with_threads(2);
    let run = client.compile(&program, &CompileOptions::default()).unwrap();
    let values: Vec<f32> = (0..100).map(|i| i as f32 * 0.1 - 5.0).collect();
    let x = client.upload(&Literal::from_slice(&[100], &values).unwrap()).unwrap();
    let y = run.run(vec![x]).unwrap()[0].read().unwrap();
    println!("{MARK} {:?} {:x?}", Isa::detect(), y.bytes());
}

fn run(value: Option<&str>) -> (bool, String) {
    run_with(value, std::env::var("JARRAH_CPU_WITHOUT").ok().as_deref())
}

/// A child for which `hidden` is what the machine lacks.
fn run_with(value: Option<&str>, hidden: Option<&str>) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["tiers::child", "--exact", "--nocapture"]).env("JARRAH_TIERS_CHILD", "1");
    for (name, value) in [("JARRAH_CPU", value), ("JARRAH_CPU_WITHOUT", hidden)] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let out = command.output().unwrap();
    let text = [out.stdout, out.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).join("\n");
    (out.status.success(), text)
}

fn bits(text: &str) -> (&str, &str) {
    let line = text.lines().find_map(|l| l.split_once(MARK)).unwrap_or_else(|| panic!("no bits in {text}"));
    line.1.trim().split_once(' ').unwrap()
}

#[test]
fn every_tier_gives_the_same_bits() {
    let (ok, unset) = run(None);
    assert!(ok, "{unset}");
    for (name, isa) in [("portable", Isa::Portable), ("avx2", Isa::Avx2), ("avx512", Isa::Avx512)] {
        let (ok, text) = run(Some(name));
        if Isa::available().contains(&isa) {
            assert!(ok, "{text}");
            assert_eq!(bits(&text).0, format!("{isa:?}"));
            assert_eq!(bits(&text).1, bits(&unset).1, "{name}");
        } else {
            assert!(!ok && text.contains("does not have"), "{text}");
        }
    }
}

/// What is hidden is as what the machine lacks: it is not chosen, and asking for it is an error.
#[test]
fn hidden_instructions_are_not_there() {
    for (hidden, left) in [("avx512", Isa::Avx2), ("avx2", Isa::Portable), ("avx512,avx2", Isa::Portable)] {
        let (ok, text) = run_with(None, Some(hidden));
        let widest = Isa::available().iter().rfind(|&&isa| isa as usize <= left as usize).unwrap();
        assert!(ok, "{text}");
        assert_eq!(bits(&text).0, format!("{widest:?}"), "{hidden}");
        let (ok, text) = run_with(Some("avx512"), Some(hidden));
        assert!(!ok && text.contains("does not have"), "{text}");
    }
    // Instructions beyond those of a set leave the set.
    let ((_, all), (ok, text)) = (run_with(None, None), run_with(None, Some("avx512bf16, avx512vnni")));
    assert!(ok && bits(&text) == bits(&all), "{text}");
    let (ok, text) = run_with(None, Some("sse9"));
    assert!(
        !ok && text.contains("JARRAH_CPU_WITHOUT takes avx2, avx512, avx512bf16, avx512vnni, not \"sse9\""),
        "{text}"
    );
}

#[test]
fn an_unknown_tier_is_an_error() {
    let (ok, text) = run(Some("sse9"));
    assert!(!ok, "{text}");
    assert!(text.contains("JARRAH_CPU is avx512, avx2 or portable, not \"sse9\""), "{text}");
}
