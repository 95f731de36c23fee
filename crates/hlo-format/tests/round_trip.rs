use std::collections::BTreeSet;

use jarrah_base::{DType, Literal, Location, Scope, Source, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Example, Op, Program, Rules};
use jarrah_hlo_format::{PrintOptions, parse, print, print_with};

/// The program that applies an example's op to parameters.
fn program_of(example: &Example) -> Program {
    let mut b = Builder::new("example");
    let params: Vec<_> =
        example.operands.iter().enumerate().map(|(i, o)| b.param(o.ty(), &format!("x.{i}"))).collect();
    let results = b.push(example.op.clone(), &params).expect("examples are well-typed");
    b.finish(&results).expect("results are values")
}

fn check(program: &Program) {
    program.verify().expect("the program verifies");
    for locations in [false, true] {
        let options = PrintOptions { locations, ..PrintOptions::default() };
        let text = print_with(program, &options);
        let parsed = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        parsed.verify().expect("the parsed program verifies");
        assert!(&parsed == program, "{text}\nbecame\n{}", print(&parsed));
        assert_eq!(parsed.name(), program.name());
        assert_eq!(print_with(&parsed, &options), text);
    }
}

#[test]
fn every_example_of_every_op() {
    let examples = Op::examples();
    assert!(examples.len() > 50);
    for program in examples.iter().map(program_of) {
        // A function of this process means nothing in a text.
        match program.calls_functions() {
            true => drop(parse(&print(&program)).expect_err("a function of this process")),
            false => check(&program),
        }
    }
}

/// No example is one of the derivatives of attention, which only differentiation makes.
#[test]
fn every_kind_of_attention() {
    let f32s = |dims: &[usize]| Type::tensor(DType::F32, dims.iter().copied());
    let (q, k, rows) = (f32s(&[1, 3, 2, 4]), f32s(&[1, 5, 2, 4]), f32s(&[1, 3, 2]));
    let (offset, bias, sinks) = (Type::tensor(DType::I32, [1]), f32s(&[1, 2, 1, 5]), f32s(&[1, 2]));
    let inputs = AttentionInputs { bias: true, sinks: true, ..AttentionInputs::default() };
    let names: BTreeSet<&str> = [
        (AttentionKind::Forward, vec![q, k, k, offset, bias, sinks]),
        (
            AttentionKind::Tangent(AttentionMoves::default()),
            vec![q, k, k, offset, bias, sinks, q, rows, q, k, k],
        ),
        (
            AttentionKind::Tangent(AttentionMoves { bias: true, sinks: true }),
            vec![q, k, k, offset, bias, sinks, q, rows, q, k, k, bias, sinks],
        ),
        (
            AttentionKind::Transpose(AttentionMoves { bias: false, sinks: true }),
            vec![q, k, k, offset, bias, sinks, q, rows, q, rows],
        ),
    ]
    .into_iter()
    .map(|(kind, types)| {
        let op = Attention { kind, inputs, ..Attention::causal(0.5) };
        let mut b = Builder::new("attention");
        let params: Vec<_> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let name = op.name();
        let results = b.push(op, &params).expect("the operands fit");
        check(&b.finish(&results).expect("results are values"));
        name
    })
    .collect();
    assert_eq!(names.len(), 3);
}

#[test]
fn parameters_keep_their_paths_and_instructions_their_sources() {
    let mut b = Builder::new("step");
    let x = b.param(Type::tensor(DType::F32, [2]), "params.\"odd\" name\\");
    let location = Location::new("src/model.rs", 7, 3);
    b.set_source(Source { location: Some(location), scope: Scope::new("layers.0") });
    let y = b.add(x, x).unwrap();
    b.set_source(Source { location: None, scope: Scope::new("head") });
    let y = b.neg(y).unwrap();
    b.set_source(Source::unknown());
    let y = b.exp(y).unwrap();
    let program = b.finish(&[y]).unwrap();
    let options = PrintOptions { locations: true, ..PrintOptions::default() };
    let parsed = parse(&print_with(&program, &options)).unwrap();
    assert_eq!(parsed.params(), program.params());
    for (a, b) in parsed.instrs().iter().zip(program.instrs()) {
        assert_eq!(a.source, b.source);
    }
}

#[test]
fn without_a_location_the_source_is_the_text() {
    let text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.tanh %x : tensor<f32>\n  return %0 : tensor<f32>\n}";
    let program = jarrah_hlo_format::parse_named("tanh.mlir", text).unwrap();
    assert_eq!(program.instrs()[0].source.location, Some(Location::new("tanh.mlir", 2, 8)));
}

#[test]
fn floats_of_every_kind() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float()) {
        let count = 256;
        // Bit patterns spread over all exponents, infinities and NaNs among them.
        let mut bytes = Vec::new();
        for i in 0..count as u64 {
            let bits = i.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) ^ (i << 56);
            bytes.extend_from_slice(&bits.to_le_bytes()[..dtype.size()]);
        }
        for chunk in bytes.chunks(8 * dtype.size()) {
            let ty = Type::tensor(dtype, [2, 4]);
            constant(Literal::from_bytes(ty, chunk).unwrap());
        }
        constant(Literal::from_bytes(Type::tensor(dtype, [count]), &bytes).unwrap());
        for special in [0.0, -0.0, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e-45, 0.1] {
            constant(Literal::full(Type::tensor(dtype, [3]), special).unwrap());
        }
    }
}

fn constant(value: Literal) {
    let mut b = Builder::new("constant");
    let value = b.constant(value).unwrap();
    check(&b.finish(&[value]).unwrap());
}

#[test]
fn integers_at_their_limits_and_empty_tensors() {
    constant(Literal::from_slice(&[3], &[i64::MIN, 0, i64::MAX]).unwrap());
    constant(Literal::from_slice(&[2], &[u64::MAX, 1]).unwrap());
    constant(Literal::from_slice(&[2], &[i8::MIN, i8::MAX]).unwrap());
    constant(Literal::from_bools(&[2, 2], &[true, false, true, true]).unwrap());
    let many: Vec<bool> = (0..300).map(|i| i % 3 == 0).collect();
    constant(Literal::from_bools(&[300], &many).unwrap());
    constant(Literal::zeros(Type::tensor(DType::F32, [2, 0, 3])).unwrap());
}

/// `while i < n { i += step; x = x + y }` with constants that a region uses in any order, twice, or not at all.
fn loop_with(consts: &[usize], uses: &[usize]) -> Program {
    let i32s = Type::scalar(DType::I32);
    let region = |name: &str, is_cond: bool| {
        let mut b = Builder::new(name);
        let consts: Vec<_> = consts.iter().map(|_| b.param(i32s, "")).collect();
        let mut i = b.param(i32s, "");
        if is_cond {
            let limit = b.scalar(10i32).unwrap();
            let less = b.compare(Comparison::Lt, i, limit).unwrap();
            return b.finish(&[less]).unwrap();
        }
        for &u in uses {
            i = b.add(i, consts[u]).unwrap();
        }
        b.finish(&[i]).unwrap()
    };
    let mut b = Builder::new("loop");
    let params: Vec<_> = (0..3).map(|_| b.param(i32s, "")).collect();
    let op =
        While { cond: region("cond", true).into(), body: region("body", false).into(), consts: consts.len() };
    let mut operands: Vec<_> = consts.iter().map(|&c| params[c]).collect();
    operands.push(params[0]);
    let result = b.one(op, &operands).unwrap();
    b.finish(&[result]).unwrap()
}

#[test]
fn loop_constants_are_captured() {
    let plain = loop_with(&[1, 2], &[0, 1, 0]);
    check(&plain);
    let text = print(&plain);
    assert!(!text.contains("jarrah"), "{text}");
    for (consts, uses) in [(&[1, 2][..], &[1, 0][..]), (&[1, 1], &[0, 1]), (&[1, 2], &[1]), (&[1], &[])] {
        let odd = loop_with(consts, uses);
        check(&odd);
        assert!(print(&odd).contains("jarrah.parameters"));
    }
}

#[test]
fn identical_callees_are_printed_once() {
    let f32s = Type::scalar(DType::F32);
    let callee = || {
        let mut b = Builder::new("square");
        let x = b.param(f32s, "");
        let y = b.mul(x, x).unwrap();
        b.finish(&[y]).unwrap()
    };
    let mut b = Builder::new("calls");
    let x = b.param(f32s, "");
    let y = b.one(Call { callee: callee().into() }, &[x]).unwrap();
    let z = b.one(Call { callee: callee().into() }, &[y]).unwrap();
    let program = b.finish(&[z]).unwrap();
    check(&program);
    assert_eq!(print(&program).matches("func.func private").count(), 1);
}

#[test]
fn calls_that_double_at_each_level_print_in_linear_size() {
    let f32s = Type::scalar(DType::F32);
    let mut b = Builder::new("level");
    let x = b.param(f32s, "");
    let y = b.add(x, x).unwrap();
    let mut program = b.finish(&[y]).unwrap();
    for _ in 0..60 {
        let callee: jarrah_hlo::ProgramRef = program.into();
        let mut b = Builder::new("level");
        let x = b.param(f32s, "");
        let y = b.one(Call { callee: callee.clone() }, &[x]).unwrap();
        let z = b.one(Call { callee }, &[y]).unwrap();
        program = b.finish(&[z]).unwrap();
    }
    let text = print(&program);
    assert_eq!(text.matches("func.func private").count(), 60);
    assert_eq!(print(&parse(&text).unwrap()), text);
}

#[test]
fn general_reducers_stay_general() {
    let f32s = Type::scalar(DType::F32);
    let mut b = Builder::new("sum");
    let (x, y) = (b.param(f32s, ""), b.param(f32s, ""));
    let sum = b.add(x, y).unwrap();
    let body = b.finish(&[sum]).unwrap();
    let mut b = Builder::new("reduce");
    let x = b.param(Type::tensor(DType::F32, [4]), "");
    let init = b.param(f32s, "");
    let reduce = Reduce { reducer: Reducer::General(body.into()), axes: [0].into_iter().collect() };
    let y = b.one(reduce, &[x, init]).unwrap();
    check(&b.finish(&[y]).unwrap());
}

#[test]
fn a_constant_beside_a_sum_is_kept() {
    let mut b = Builder::new("sum");
    let x = b.param(Type::tensor(DType::F32, [4]), "");
    b.scalar(0.0f32).unwrap();
    let y = b.sum(x, &[0]).unwrap();
    check(&b.finish(&[y]).unwrap());
}

#[test]
fn large_constants_can_be_left_out() {
    let mut b = Builder::new("weights");
    let values: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let w = b.constant(Literal::from_slice(&[1000], &values).unwrap()).unwrap();
    let program = b.finish(&[w]).unwrap();
    let text = print_with(&program, &PrintOptions { elide_larger_than: Some(10), ..PrintOptions::default() });
    assert!(text.len() < 300, "{text}");
    let error = parse(&text).unwrap_err();
    assert_eq!(error.message(), "the text has no resource __elided__");
}
