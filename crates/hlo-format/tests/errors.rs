//! Every error has a place and words: the cases of `errors.txt`, each a text and the error it ends in.
//!
//! With `BLESS=1` in the environment the errors are written instead of compared.

use std::path::Path;

use jarrah_base::ErrorKind;
use jarrah_hlo_format::parse_named;

#[test]
fn each_text_has_its_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors.txt");
    let stated = std::fs::read_to_string(&path).unwrap();
    let mut found = Vec::new();
    for case in stated.split("\n// =====\n") {
        let (text, _) = case.split_once("\n// error\n").expect("a case has a text and an error");
        let error = parse_named("bad.mlir", text).map(|p| format!("{p:?}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.location().is_some(), "{error}");
        found.push(format!("{text}\n// error\n{}\n", error.to_string().trim_end()));
    }
    let found = found.join("\n// =====\n");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap());
}

/// A huge tensor of one value is not filled in, and one that cannot exist is refused.
#[test]
fn in_sizes() {
    let text = "func.func @main() -> tensor<1000000x1000000xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000xf32>
  return %0 : tensor<1000000x1000000xf32>
}";
    let program = parse_named("big.mlir", text).unwrap();
    assert_eq!(program.instrs().len(), 2);
}

#[test]
fn in_nesting() {
    let deep = format!("func.func @main() attributes {{a = {}}} {{ return }}", "[".repeat(100_000));
    let error = parse_named("deep.mlir", &deep).unwrap_err();
    assert!(error.message().starts_with("nested more than"), "{error}");
    let regions = "\"jarrah.remat\"() ({\n".repeat(50_000);
    let error = parse_named("deep.mlir", &format!("func.func @main() {{\n{regions}")).unwrap_err();
    assert!(error.message().starts_with("nested more than"), "{error}");
    let locations = format!("#l = loc({}", "callsite(".repeat(100_000));
    let error = parse_named("deep.mlir", &locations).unwrap_err();
    assert!(error.message().starts_with("nested more than"), "{error}");
    let mut chain = String::from("func.func @main() { call @f0() : () -> ()\n return }\n");
    for i in 0..5_000 {
        chain.push_str(&format!("func.func private @f{i}() {{ call @f{}() : () -> ()\n return }}\n", i + 1));
    }
    chain.push_str("func.func private @f5000() { return }\n");
    let error = parse_named("chain.mlir", &chain).unwrap_err();
    assert_eq!(error.message(), "the calls of @main nest more than 100 deep");
}
