//! Every op at every element type it is defined for.

use std::collections::BTreeMap;

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Convert, DotGeneral, Iota};
use jarrah_hlo::{Builder, Op};
use jarrah_hlo_eval::evaluate;

use super::{compare, run};

/// The example with `to` in the place of the element type of its first operand, where it says nothing else.
fn at(op: &Op, operands: &[Literal], to: DType) -> Option<(Op, Vec<Literal>)> {
    let from = operands.first().map_or(DType::F32, Literal::dtype);
    let op = match op.clone() {
        Op::Iota(iota) => Iota { ty: iota.ty.with_dtype(to), ..Iota::clone(&iota) }.into(),
        Op::DotGeneral(dot) if dot.out == from => DotGeneral { out: to, ..DotGeneral::clone(&dot) }.into(),
        op => op,
    };
    let cast = |x: &Literal| {
        let mut values = x.to_c128_vec();
        if to == DType::Bool {
            values.iter_mut().for_each(|x| *x = f64::from(x.re != 0.0).into());
        }
        match x.dtype() == from {
            true => Literal::from_c128s(x.ty().with_dtype(to), &values).unwrap(),
            false => x.clone(),
        }
    };
    let operands: Vec<Literal> = operands.iter().map(cast).collect();
    let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
    op.infer(&types).is_ok().then_some((op, operands))
}

#[test]
fn every_example_at_every_element_type() {
    let client = CpuClient::with_threads(2);
    let mut failures = 0;
    let mut seen: BTreeMap<DType, usize> = BTreeMap::new();
    let conversions = DType::ALL.into_iter().map(|to| {
        let values = [-300.7, -1.5, -0.4, 0.0, 0.5, 1.0, 2.5, 7.0, 1e9, f64::INFINITY, f64::NAN];
        let x = Literal::from_f64s(Type::tensor(DType::F64, [values.len()]), &values).unwrap();
        (Op::from(Convert { to }), vec![x])
    });
    let examples = Op::examples().into_iter().map(|e| (e.op, e.operands)).chain(conversions);
    for (op, operands) in examples {
        // A tangent has no value; the others' programs have types of their own.
        if matches!(op, Op::CustomTangent(_)) || !op.programs().is_empty() {
            continue;
        }
        for dtype in DType::ALL {
            let Some((op, operands)) = at(&op, &operands, dtype) else { continue };
            let mut b = Builder::new("one");
            let params: Vec<_> = operands.iter().map(|x| b.param(x.ty(), "")).collect();
            let results = b.push(op.clone(), &params).unwrap();
            let program = b.finish(&results).unwrap();
            let name = format!("{} of {dtype}: {op:?}", op.name());
            let expected = match evaluate(&program, &operands) {
                Ok(expected) => expected,
                // Functions that have no value at complex numbers.
                Err(error) if error.message().contains("is not defined for c") => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            let found = run(&client, &program, &operands);
            // Only what has code may round otherwise.
            let ulps = match &op {
                _ if !jarrah_tile::DTYPES.contains(&dtype) => 0.0,
                Op::Attention(_) => 64.0,
                _ => 4.0,
            };
            let agree = std::panic::catch_unwind(|| {
                for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    compare(&format!("{name}, result {i}"), found, expected, ulps);
                }
            });
            if agree.is_err() {
                failures += 1;
            }
            *seen.entry(dtype).or_default() += 1;
        }
    }
    assert_eq!(failures, 0);
    assert!(seen.len() == DType::ALL.len() && seen.values().all(|&n| n > 60), "{seen:?}");
}
