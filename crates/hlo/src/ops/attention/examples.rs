use jarrah_base::{DType, Literal, Type};

use super::{Attention, AttentionInputs};
use crate::example::{Example, ints, varied};

/// Queries `[B,T,H,4]`.
fn queries(dims: [usize; 3]) -> Literal {
    varied(&[dims[0], dims[1], dims[2], 4], -1.0, 1.0)
}

/// Keys `[B,S,G,4]` and values `[B,S,G,width]`.
fn stored(dims: [usize; 3], width: usize) -> [Literal; 2] {
    [(4, -1.0), (width, -0.9)].map(|(width, low)| varied(&[dims[0], dims[1], dims[2], width], low, 1.0))
}

fn truths(dims: &[usize], of: impl Fn(usize) -> bool) -> Literal {
    let values: Vec<bool> = (0..dims.iter().product()).map(of).collect();
    Literal::from_bools(dims, &values).expect("invariant: as many values as elements")
}

/// Numbers that types of 8 bits hold.
fn small(dims: &[usize], dtype: DType) -> Literal {
    let values: Vec<f64> = (0..dims.iter().product()).map(|i: usize| (i * 5 % 13) as f64 - 6.0).collect();
    Literal::from_f64s(Type::tensor(dtype, dims.iter().copied()), &values)
        .expect("invariant: as many values as elements")
}

/// One sequence of three queries with two heads.
fn plain(name: &'static str, op: Attention, keys: usize, groups: usize, offset: i32) -> Example {
    let [k, v] = stored([1, keys, groups], 4);
    Example::new(name, op, vec![queries([1, 3, 2]), k, v, ints(&[1], &[offset])])
}

/// Two sequences of three queries and five keys with two heads, and further operands.
fn with(name: &'static str, op: Attention, value_width: usize, further: Vec<Literal>) -> Example {
    let [k, v] = stored([2, 5, 1], value_width);
    let mut operands = vec![queries([2, 3, 2]), k, v, ints(&[2], &[0, 1])];
    operands.extend(further);
    Example::new(name, op, operands)
}

// A table: a row for each form.
pub(super) fn examples() -> Vec<Example> {
    let full = Attention::full(0.5);
    let inputs = |inputs: AttentionInputs| Attention { inputs, ..full.clone() };
    let none = AttentionInputs::default();
    let finite = |hidden: f64, op: Attention| Attention { hidden_bits: hidden.to_bits(), ..op };
    let mask = || truths(&[2, 1, 3, 5], |i| i % 3 != 1);
    // The second query of the first sequence sees nothing.
    let blind = || truths(&[2, 1, 3, 5], |i| !(5..10).contains(&i) && i % 4 != 1);
    let paged = AttentionInputs { lengths: true, pages: true, ..none };
    let pages = || ints(&[2, 3], &[3, 0, 2, 1, 1, 3]);
    vec![
        plain("causal", Attention::causal(0.5), 3, 2, 0),
        plain("full, grouped heads", full.clone(), 5, 1, 0),
        plain("causal after two keys", Attention::causal(0.5), 5, 2, 2),
        with("window", Attention { before: Some(1), after: Some(1), ..full.clone() }, 4, vec![]),
        with(
            "window of what was before, values wider",
            Attention { before: Some(1), ..full.clone() },
            6,
            vec![],
        ),
        with("scores capped", Attention { softcap_bits: Some(0.7f64.to_bits()), ..full.clone() }, 3, vec![]),
        with("lengths", inputs(AttentionInputs { lengths: true, ..none }), 4, vec![ints(&[2], &[2, 5])]),
        with(
            "segments",
            inputs(AttentionInputs { segments: true, ..none }),
            4,
            vec![ints(&[2, 3], &[0, 0, 1, 4, 5, 5]), ints(&[2, 5], &[0, 0, 1, 1, 1, 4, 5, 5, 4, 5])],
        ),
        with("mask", inputs(AttentionInputs { mask: true, ..none }), 4, vec![mask()]),
        with(
            "nothing seen, hidden scores finite",
            finite(-1e9, inputs(AttentionInputs { mask: true, ..none })),
            4,
            vec![blind()],
        ),
        with(
            "segments apart, hidden scores finite",
            Attention {
                apart: true,
                ..finite(-0.5, inputs(AttentionInputs { segments: true, mask: true, ..none }))
            },
            4,
            vec![ints(&[2, 3], &[0, 0, 1, 4, 5, 7]), ints(&[2, 5], &[0, 0, 1, 1, 1, 4, 5, 5, 4, 5]), blind()],
        ),
        with(
            "hidden scores of consequence",
            finite(-0.5, Attention { after: Some(0), ..full.clone() }),
            4,
            vec![],
        ),
        with(
            "bias of each pair",
            inputs(AttentionInputs { bias: true, ..none }),
            4,
            vec![varied(&[2, 2, 3, 5], -1.0, 1.0)],
        ),
        with(
            "bias of heads and keys, capped, causal",
            Attention {
                softcap_bits: Some(1.5f64.to_bits()),
                after: Some(0),
                ..inputs(AttentionInputs { bias: true, ..none })
            },
            4,
            vec![varied(&[1, 2, 1, 5], -1.0, 1.0)],
        ),
        with(
            "sinks, nothing else seen",
            inputs(AttentionInputs { mask: true, sinks: true, ..none }),
            4,
            vec![blind(), varied(&[1, 2], -1.0, 1.0)],
        ),
        with(
            "sinks of each sequence, bias of queries",
            inputs(AttentionInputs { bias: true, sinks: true, ..none }),
            4,
            vec![varied(&[1, 1, 3, 1], -1.0, 1.0), varied(&[2, 2], -1.0, 1.0)],
        ),
        with(
            "multiplier of the weights",
            Attention { after: Some(0), ..inputs(AttentionInputs { multiplier: true, ..none }) },
            4,
            vec![varied(&[2, 2, 3, 5], 0.0, 2.0)],
        ),
        Example::new(
            "pages",
            Attention { inputs: paged, after: Some(0), ..full.clone() },
            vec![
                queries([2, 3, 2]),
                varied(&[4, 2, 1, 4], -1.0, 1.0),
                varied(&[4, 2, 1, 3], -0.9, 1.0),
                ints(&[2], &[2, 1]),
                ints(&[2], &[5, 4]),
                pages(),
            ],
        ),
        Example::new(
            "pages of i8",
            Attention { inputs: AttentionInputs { scales: true, ..paged }, ..full.clone() },
            vec![
                queries([2, 3, 2]),
                small(&[4, 2, 1, 4], DType::I8),
                small(&[4, 2, 1, 4], DType::I8),
                ints(&[2], &[0, 0]),
                ints(&[2], &[5, 4]),
                varied(&[4, 2, 1], 0.1, 0.3),
                varied(&[4, 2, 1], 0.1, 0.3),
                pages(),
            ],
        ),
        with_scales(inputs(AttentionInputs { scales: true, ..none })),
    ]
}

fn with_scales(op: Attention) -> Example {
    let stored = || small(&[2, 5, 1, 4], DType::F8E4M3FN);
    let scales = || varied(&[2, 5, 1], 0.1, 0.3);
    let operands = vec![queries([2, 3, 2]), stored(), stored(), ints(&[2], &[0, 0]), scales(), scales()];
    Example::new("keys and values of f8 with scales", op, operands)
}
