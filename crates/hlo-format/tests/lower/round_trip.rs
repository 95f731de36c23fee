use jarrah_base::{DType, Type};
use jarrah_hlo::{Builder, Example, Op, Program};
use jarrah_hlo_format::lower::{Options, entry};
use jarrah_hlo_format::{export, print};

/// The program that applies an example's op to parameters, inside a kernel where the op works on references.
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
        let module = export(&program);
        let back = entry(&module, &Options::default()).unwrap_or_else(|e| panic!("{e}\n{program:?}")).program;
        back.verify().expect("the program verifies");
        assert!(back == program, "{}\nbecame\n{}", print(&program), print(&back));
        assert_eq!(back.params(), program.params());
    }
}

#[test]
fn unknown_extents_keep_their_names() {
    let mut b = Builder::new("symbolic");
    let ty = Type::tensor(DType::F32, [jarrah_base::Dim::symbol("batch \"size\""), 4.into()]);
    let x = b.param(ty, "");
    let y = b.add(x, x).unwrap();
    let program = b.finish(&[y]).unwrap();
    let back = entry(&export(&program), &Options::default()).unwrap();
    assert_eq!(back.program.param_types(), [ty]);
}
