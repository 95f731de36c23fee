use jarrah_base::{DType, Type};
use jarrah_hlo::ops::Case;
use jarrah_hlo::{Builder, Example, Op, Program};
use jarrah_hlo_format::lower::{LowerOptions, entry};
use jarrah_hlo_format::{export, print};

/// The program that applies an example's op to parameters.
fn program_of(example: &Example) -> Program {
    let mut b = Builder::new("example");
    let params: Vec<_> =
        example.operands.iter().enumerate().map(|(i, o)| b.param(o.ty(), &format!("x.{i}"))).collect();
    let results = b.push(example.op.clone(), &params).expect("examples are well-typed");
    b.finish(&results).expect("results are values")
}

#[test]
fn what_is_exported_is_imported_as_it_was() {
    for example in Op::examples() {
        let program = program_of(&example);
        if program.calls_functions() {
            continue;
        }
        let module = export(&program);
        let back =
            entry(&module, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}\n{program:?}")).program;
        back.verify().expect("the program verifies");
        assert!(back == program, "{}\nbecame\n{}", print(&program), print(&back));
        assert_eq!(back.params(), program.params());
    }
}

/// `case` in `case`, so many times.
fn nested(depth: usize) -> Program {
    let f32s = Type::scalar(DType::F32);
    let mut b = Builder::new("negate");
    let (_, x) = (b.param(Type::scalar(DType::I32), ""), b.param(f32s, ""));
    let y = b.neg(x).unwrap();
    let mut program = b.finish(&[y]).unwrap();
    for _ in 0..depth {
        let mut b = Builder::new("case");
        let (i, x) = (b.param(Type::scalar(DType::I32), ""), b.param(f32s, ""));
        let y = b.one(Case { branches: vec![program.into()] }, &[i, i, x]).unwrap();
        program = b.finish(&[y]).unwrap();
    }
    program
}

#[test]
fn regions_nest_as_deep_as_they_may() {
    let program = nested(95);
    assert!(entry(&export(&program), &LowerOptions::default()).unwrap().program == program);
    let error = entry(&export(&nested(101)), &LowerOptions::default()).unwrap_err();
    assert_eq!(error.message(), "regions and calls nest more than 100 deep");
}
