//! Programs as bytes and back.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Location, Scope, Source, Type};
use jarrah_hlo::host::NamedHandler;
use jarrah_hlo::ops::{Call, CallTarget, CustomCall};
use jarrah_hlo::{Builder, Op, Program};

use super::program_of;

/// Whether the program comes back as it was, with names and sources, which equality does not look at.
fn comes_back(program: &Program) {
    let bytes = program.to_bytes().unwrap();
    let back = Program::from_bytes(&bytes).unwrap();
    assert_eq!(&back, program);
    assert_eq!(format!("{back:?}"), format!("{program:?}"));
    assert_eq!(back.params(), program.params());
    let sources = |program: &Program| program.instrs().iter().map(|instr| instr.source).collect::<Vec<_>>();
    assert_eq!(sources(&back), sources(program));
    assert_eq!(back.to_bytes().unwrap(), bytes);
}

#[test]
fn every_op_comes_back() {
    let mut refused = 0;
    for example in Op::examples() {
        let program = program_of(&example.op, &example.operands).unwrap();
        if program.calls_functions() {
            let error = program.to_bytes().unwrap_err().to_string();
            assert!(error.contains("a function of this process"), "{error}");
            refused += 1;
        } else {
            comes_back(&program);
        }
    }
    assert!(refused > 0, "no example calls a function");
}

#[test]
fn names_and_lines_come_back() {
    let mut b = Builder::new("named");
    let x = b.param(Type::tensor(DType::F32, [2]), "params.weight");
    let location = Location::new("model.rs", 12, 7);
    b.set_source(Source { location: Some(location), scope: Scope::new("blocks.3") });
    let y = b.exp(x).unwrap();
    comes_back(&b.finish(&[y, x]).unwrap());
}

#[test]
fn a_call_by_name_comes_back_and_one_of_a_function_is_refused() {
    let ty = Type::tensor(DType::F32, [2]);
    let calls = |target| {
        let mut b = Builder::new("calls");
        let x = b.param(ty, "");
        let y = b.push(CustomCall::new(target, vec![ty]), &[x]).unwrap();
        b.finish(&y).unwrap()
    };
    comes_back(&calls(CallTarget::Named("host".into())));
    let function = NamedHandler::new("host", |_: &mut jarrah_hlo::host::HandlerCall<'_>| Ok(()));
    assert!(calls(CallTarget::Function(function)).to_bytes().is_err());
}

/// A program that calls one program twice, which calls another one twice, and so on, has 2^200 instructions when they
/// are written out.
#[test]
fn shared_programs_are_written_once() {
    let ty = Type::scalar(DType::F32);
    let mut b = Builder::new("leaf");
    let x = b.param(ty, "");
    let y = b.exp(x).unwrap();
    let mut program = Arc::new(b.finish(&[y]).unwrap());
    for _ in 0..200 {
        let mut b = Builder::new("twice");
        let x = b.param(ty, "");
        let y = b.one(Call { callee: program.clone() }, &[x]).unwrap();
        let z = b.one(Call { callee: program }, &[y]).unwrap();
        program = Arc::new(b.finish(&[z]).unwrap());
    }
    let bytes = program.to_bytes().unwrap();
    assert!(bytes.len() < 20_000, "{} bytes", bytes.len());
    let back = Program::from_bytes(&bytes).unwrap();
    assert_eq!(back.to_bytes().unwrap(), bytes);
    let [a, b] = [0, 1].map(|at| Arc::as_ptr(back.instrs()[at].op.programs()[0]));
    assert_eq!(a, b, "what was shared is shared");
}

#[test]
fn damaged_bytes_are_an_error() {
    let programs = Op::examples().into_iter().filter_map(|e| program_of(&e.op, &e.operands).ok());
    let all: Vec<Vec<u8>> = programs.filter_map(|program| program.to_bytes().ok()).collect();
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for bytes in &all {
        for end in 0..bytes.len().min(400) {
            assert!(Program::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        }
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            let at = next(damaged.len());
            damaged[at] ^= 1 << next(8);
            // What is read in spite of the damage is a program.
            if let Ok(program) = Program::from_bytes(&damaged) {
                program.verify().unwrap();
            }
        }
    }
    let mut longer = all[0].clone();
    longer.push(0);
    assert!(Program::from_bytes(&longer).is_err());
}

#[test]
fn tensors_come_back_bit_for_bit() {
    let bits = [0x7fc0_0001u32, 0xffff_ffff, 0x8000_0000, 1];
    let bytes: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let mut b = Builder::new("constant");
    let value = Literal::from_bytes(Type::tensor(DType::F32, [4]), &bytes).unwrap();
    let value = b.constant(value).unwrap();
    let program = b.finish(&[value]).unwrap();
    let back = Program::from_bytes(&program.to_bytes().unwrap()).unwrap();
    let Op::Constant(constant) = &back.instrs()[0].op else { panic!("no constant") };
    assert_eq!(constant.value.bytes(), bytes);
}
