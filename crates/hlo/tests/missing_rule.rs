//! An op that lacks a rule does not compile.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An op with every rule; `{transpose}` stands where one may be left out.
const OP: &str = r#"
use jarrah_hlo::*;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Twice;
impl From<Twice> for Op {
    fn from(_: Twice) -> Op {
        ops::Elementwise { kind: ops::ElementwiseKind::Negate }.into()
    }
}
impl Rules for Twice {
    fn name(&self) -> &'static str { "twice" }
    fn infer(&self, operands: &[Type]) -> Result<TypeVec> { Ok(TypeVec::from_slice(operands)) }
    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> { Ok(Jvp::Linear(1)) }
    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> { Ok(PartialEval::AllOrNothing) }
    {transpose}
    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> { Ok(Batch::Elementwise) }
    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> { Ok(Checked::AsIs) }
    fn rows_apart(&self, _: &Self, _: &RowsCx<'_>) -> Result<Rows> { Ok(Rows::Elementwise) }
    fn effects(&self) -> Effects { Effects::NONE }
    fn residual_class(&self) -> ResidualClass { ResidualClass::Recompute }
    fn precision(&self) -> Precision { Precision::Keep }
    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> { Cost::movement(operands, results) }
    fn docs(&self) -> Docs { Docs { summary: "", source: "" } }
    fn programs(&self) -> ProgramRefs<'_> { ProgramRefs::new() }
    fn with_programs(&self, _: &[ProgramRef]) -> Self { Twice }
    fn examples() -> Vec<Example> { Vec::new() }
}
"#;

const TRANSPOSE: &str =
    r#"fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> { Ok(Transpose::Refuse("")) }"#;

/// The newest library of a crate among those this test was linked with.
fn library(deps: &Path, name: &str) -> PathBuf {
    let wanted = |p: &PathBuf| {
        let file = p.file_name().and_then(|f| f.to_str()).unwrap_or("");
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    let files = std::fs::read_dir(deps).unwrap().flatten().map(|e| e.path()).filter(wanted);
    files.max_by_key(|p| p.metadata().and_then(|m| m.modified()).unwrap()).unwrap()
}

/// Whether rustc accepts the text, and what it says.
fn compile(text: &str, name: &str) -> (bool, String) {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let folder = std::env::temp_dir().join(format!("jarrah-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("op.rs");
    std::fs::write(&source, text).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"]);
    // Only this one is named: what it depends on is found by its hash.
    rustc.arg("--extern").arg(format!("jarrah_hlo={}", library(&deps, "jarrah_hlo").display()));
    rustc.arg("-L").arg(format!("dependency={}", deps.display()));
    let output = rustc.arg("--out-dir").arg(&folder).arg(&source).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_complete_op_compiles() {
    let (accepted, said) = compile(&OP.replace("{transpose}", TRANSPOSE), "complete");
    assert!(accepted, "{said}");
}

#[test]
fn an_op_without_a_rule_does_not() {
    let (accepted, said) = compile(&OP.replace("{transpose}", ""), "missing");
    assert!(!accepted);
    assert!(said.contains("E0046") && said.contains("missing: `transpose`"), "{said}");
}
