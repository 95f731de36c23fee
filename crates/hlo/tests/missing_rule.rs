//! An op that lacks a rule does not compile.

use crate::rustc;

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

#[test]
fn a_complete_op_compiles() {
    let (accepted, said) = rustc::compile(&OP.replace("{transpose}", TRANSPOSE), "jarrah_hlo");
    assert!(accepted, "{said}");
}

#[test]
fn an_op_without_a_rule_does_not() {
    let (accepted, said) = rustc::compile(&OP.replace("{transpose}", ""), "jarrah_hlo");
    assert!(!accepted);
    assert!(said.contains("E0046") && said.contains("missing: `transpose`"), "{said}");
}
