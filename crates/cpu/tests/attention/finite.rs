//! Hidden pairs with a finite score: results and derivatives against the definition in `f64`.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Attention, AttentionInputs, AttentionKind, AttentionMoves, AttentionOperand};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_hlo_eval::evaluate;

use crate::client::{numbers, run};

const QUERIES: usize = 70;
const KEYS: usize = 130;
const WIDTH: usize = 5;

/// Attention, its tangent and its transpose at the results of the forward function, over floats of one type.
fn program(op: &Attention, moves: AttentionMoves, inputs: &[Type], written_out: bool) -> Program {
    let mut b = Builder::new("all");
    let push = |b: &mut Builder, op: &Attention, operands: &[Value]| {
        if !written_out {
            return b.push(op.clone(), operands).unwrap().to_vec();
        }
        let definition = op.definition(&b.types(operands)).unwrap();
        b.inline(&definition, operands).unwrap()
    };
    let given: Vec<Value> = inputs.iter().map(|&ty| b.param(ty, "")).collect();
    let mut results = push(&mut b, op, &given);
    let mut known = given.clone();
    known.extend(&results);
    let mut moving = vec![AttentionOperand::Query, AttentionOperand::Key, AttentionOperand::Value];
    moving.extend(moves.bias.then_some(AttentionOperand::Bias));
    moving.extend(moves.sinks.then_some(AttentionOperand::Sinks));
    let mut operands = known.clone();
    for operand in moving {
        operands.push(b.param(inputs[op.inputs.position(operand).unwrap()], ""));
    }
    results.extend(push(&mut b, &op.with_kind(AttentionKind::Tangent(moves)), &operands));
    let cotangents: Vec<Type> = known[given.len()..].iter().map(|&x| b.ty(x)).collect();
    known.extend(cotangents.into_iter().map(|ty| b.param(ty, "")));
    results.extend(push(&mut b, &op.with_kind(AttentionKind::Transpose(moves)), &known));
    b.finish(&results).unwrap()
}

fn same_numbers(x: &Literal, dtype: DType) -> Literal {
    let dtype = if x.dtype().is_float() { dtype } else { x.dtype() };
    Literal::from_f64s(x.ty().with_dtype(dtype), &x.to_f64_vec()).unwrap()
}

/// Truth values of which some queries have none, some one and some all.
fn mask(dims: [usize; 4]) -> Literal {
    let [.., queries, keys] = dims;
    let holds = |at: usize| {
        let (i, j) = (at / keys % queries, at % keys);
        match i % 5 {
            0 => false,
            1 => j == keys / 2,
            2 => true,
            _ => (i * 7 + j * 3 + at / (keys * queries)) % 4 > 1,
        }
    };
    let values: Vec<bool> = (0..dims.iter().product()).map(holds).collect();
    Literal::from_bools(&dims, &values).unwrap()
}

/// An attention, and its operands behind q, k, v and the offsets.
type Case = (&'static str, Attention, Vec<Literal>);

/// Every way of hiding pairs, each of which leaves some query without a key.
fn cases() -> Vec<Case> {
    let full = Attention::full(0.4);
    let none = AttentionInputs::default();
    let with = |inputs: AttentionInputs| Attention { inputs, ..full.clone() };
    let ints = |dims: &[usize], of: &dyn Fn(usize) -> i32| {
        let values: Vec<i32> = (0..dims.iter().product()).map(of).collect();
        Literal::from_slice(dims, &values).unwrap()
    };
    let pairs = [2, 2, QUERIES, KEYS];
    let bias = || numbers(DType::F32, &[1, 2, QUERIES, KEYS], 11);
    let multiplier = || numbers(DType::F32, &[2, 1, QUERIES, KEYS], 12);
    let sinks = || numbers(DType::F32, &[1, 2], 13);
    vec![
        ("causal", Attention::causal(0.4), vec![]),
        ("window", Attention { before: Some(20), after: Some(3), ..full.clone() }, vec![]),
        ("lengths", with(AttentionInputs { lengths: true, ..none }), vec![ints(&[2], &|b| [0, 77][b])]),
        (
            "segments",
            with(AttentionInputs { segments: true, ..none }),
            vec![ints(&[2, QUERIES], &|i| i as i32 / 30), ints(&[2, KEYS], &|j| j as i32 / 90)],
        ),
        ("mask", with(AttentionInputs { mask: true, ..none }), vec![mask([2, 1, QUERIES, KEYS])]),
        (
            "mask and window, lengths and segments apart",
            Attention {
                apart: true,
                before: Some(20),
                ..with(AttentionInputs { lengths: true, segments: true, mask: true, ..none })
            },
            vec![
                ints(&[2], &|b| [KEYS as i32, 77][b]),
                ints(&[2, QUERIES], &|i| i as i32 / 30),
                ints(&[2, KEYS], &|j| j as i32 / 90),
                mask([2, 1, QUERIES, KEYS]),
            ],
        ),
        ("mask of heads", with(AttentionInputs { mask: true, ..none }), vec![mask(pairs)]),
        (
            "mask, capped, bias, multiplier",
            Attention {
                softcap_bits: Some(1.5f64.to_bits()),
                ..with(AttentionInputs { mask: true, bias: true, multiplier: true, ..none })
            },
            vec![mask(pairs), bias(), multiplier()],
        ),
        (
            "mask, sinks",
            with(AttentionInputs { mask: true, sinks: true, ..none }),
            vec![mask([1, 1, QUERIES, KEYS]), sinks()],
        ),
    ]
}

fn equals_the_definition(dtype: DType, bound: f64) {
    let client = CpuClient::with_threads(2);
    for hidden in [f64::NEG_INFINITY, f64::from(f32::MIN), -1e9, -2000.0, -2.5] {
        for (name, op, further) in cases() {
            let op = Attention { hidden_bits: hidden.to_bits(), ..op };
            let moves = AttentionMoves { bias: op.inputs.bias, sinks: op.inputs.sinks };
            let rows = |count, heads, seed| numbers(dtype, &[2, count, heads, WIDTH], seed);
            let mut inputs = vec![rows(QUERIES, 2, 1), rows(KEYS, 1, 2), rows(KEYS, 1, 3)];
            inputs.push(Literal::from_slice(&[2], &[-9i32, 40]).unwrap());
            inputs.extend(further.iter().map(|x| same_numbers(x, dtype)));
            let types: Vec<Type> = inputs.iter().map(Literal::ty).collect();
            let program_here = program(&op, moves, &types, false);
            let mut args = inputs.clone();
            for (i, ty) in program_here.param_types().iter().enumerate().skip(inputs.len()) {
                args.push(numbers(ty.dtype(), &ty.dims(), 20 + i as u64));
            }
            let wide: Vec<Literal> = args.iter().map(|x| same_numbers(x, DType::F64)).collect();
            let wide_types: Vec<Type> = wide[..inputs.len()].iter().map(Literal::ty).collect();
            let expected = evaluate(&program(&op, moves, &wide_types, true), &wide).unwrap();
            let found = run(&client, &program_here, &args);
            assert_eq!(found.len(), expected.len());
            for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let expected = expected.to_f64_vec();
                // Sums cancel: an error is one of the size of what is summed.
                let size =
                    expected.iter().filter(|x| x.is_finite()).fold(1.0f64, |size, x| size.max(x.abs()));
                for (i, (f, e)) in found.to_f64_vec().into_iter().zip(expected).enumerate() {
                    // The size of lse is that of its row.
                    let size = if at == 1 { e.abs().max(1.0) } else { size };
                    assert!(
                        f == e || (f - e).abs() <= bound * size,
                        "{dtype}, hidden {hidden}, {name}: element {i} of result {at} is {f}, not {e}"
                    );
                }
            }
        }
    }
}

#[test]
fn f32_equals_the_definition() {
    equals_the_definition(DType::F32, 1e-5);
}

#[test]
fn f64_equals_the_definition() {
    equals_the_definition(DType::F64, 1e-13);
}

#[test]
fn bf16_equals_the_definition() {
    equals_the_definition(DType::BF16, 0.02);
}
