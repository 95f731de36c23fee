use jarrah_base::Literal;
use jarrah_hlo::ops::{Attention, AttentionInputs, AttentionKind, AttentionMoves};

use super::{f32s, i32s, run_all};

const KEYS: usize = 5;

fn spread(dims: &[usize], seed: usize) -> Literal {
    let values: Vec<f32> =
        (0..dims.iter().product()).map(|i: usize| ((i * 7 + seed) % 11) as f32 - 5.0).collect();
    f32s(dims, &values)
}

/// Keys or values of which those from the third on are `number`.
fn stored(seed: usize, number: f32) -> Literal {
    let mut values: Vec<f32> =
        spread(&[1, KEYS, 1, 4], seed).to_f64_vec().iter().map(|&x| x as f32).collect();
    values[8..].fill(number);
    f32s(&[1, KEYS, 1, 4], &values)
}

/// What keys hold that no query sees does not reach attention, its tangent and its transpose.
#[test]
fn keys_that_no_query_sees_may_hold_anything() {
    let (full, none) = (Attention::full(0.5), AttentionInputs::default());
    let lengths = Attention { inputs: AttentionInputs { lengths: true, ..none }, ..full.clone() };
    let mask = Attention { inputs: AttentionInputs { mask: true, ..none }, ..full };
    let seen = Literal::from_bools(&[1, 1, 1, KEYS], &[true, true, false, false, false]).unwrap();
    let hides = [
        (Attention { softcap_bits: Some(2f64.to_bits()), ..lengths.clone() }, vec![i32s(&[1], &[2])]),
        (Attention { hidden_bits: (-1e9f64).to_bits(), ..lengths }, vec![i32s(&[1], &[2])]),
        (mask, vec![seen]),
        (Attention::causal(0.5), vec![]),
    ];
    for (op, further) in hides {
        let results = |number: f32| {
            let mut inputs =
                vec![spread(&[1, 2, 2, 4], 0), stored(1, number), stored(2, number), i32s(&[1], &[0])];
            inputs.extend(further.clone());
            let forward = run_all(op.clone(), &inputs);
            inputs.extend(forward.clone());
            let moves = AttentionMoves::default();
            let moving = [spread(&[1, 2, 2, 4], 3), spread(&[1, KEYS, 1, 4], 4), spread(&[1, KEYS, 1, 4], 5)];
            let tangent =
                run_all(op.with_kind(AttentionKind::Tangent(moves)), &[&inputs[..], &moving].concat());
            let cotangents = [spread(&[1, 2, 2, 4], 6), spread(&[1, 2, 2], 7)];
            let transpose =
                run_all(op.with_kind(AttentionKind::Transpose(moves)), &[&inputs[..], &cotangents].concat());
            [forward, tangent, transpose].concat()
        };
        let zeros = results(0.0);
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(results(number), zeros, "{op:?}: {number}");
        }
    }
}
