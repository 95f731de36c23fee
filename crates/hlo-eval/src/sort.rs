use std::cmp::Ordering;

use jarrah_base::{Error, Literal, Result};
use jarrah_hlo::ops::{Sort, SortOrder};

use crate::copy::{View, walk, with_width};
use crate::machine::Machine;
use crate::number::Numbers;
use crate::reduce::element;

/// The operands permuted together along an axis; equal elements always keep their order.
pub fn sort(machine: &mut Machine<'_>, op: &Sort, operands: &[Literal]) -> Result<Vec<Literal>> {
    let dims = operands[0].dims();
    let count = dims[op.axis];
    let dense = View::dense(&dims);
    let step = dense.strides[op.axis] as usize;
    let others: Vec<usize> = (0..dims.len()).filter(|&a| a != op.axis).collect();
    let outer: Vec<usize> = others.iter().map(|&a| dims[a]).collect();
    let mut bases = Vec::new();
    walk(&outer, [&dense.axes(&others)], |[base]| bases.push(base));

    let keys = match &op.order {
        SortOrder::Ascending { keys } | SortOrder::Descending { keys } => {
            operands[..*keys].iter().map(Numbers::of).collect()
        }
        SortOrder::General(_) => Vec::new(),
    };
    let mut results = operands.to_vec();
    for base in bases {
        let at = |i: usize| base + i * step;
        let mut comes_before = |a: usize, b: usize| -> Result<bool> {
            let order = keys.iter().map(|k| key_order(k, at(a), at(b))).find(|o| o.is_ne());
            match &op.order {
                SortOrder::Ascending { .. } => Ok(order == Some(Ordering::Less)),
                SortOrder::Descending { .. } => Ok(order == Some(Ordering::Greater)),
                SortOrder::General(before) => {
                    let mut arguments = Vec::with_capacity(2 * operands.len());
                    for x in operands {
                        arguments.push(element(x, at(a))?);
                        arguments.push(element(x, at(b))?);
                    }
                    let answers = machine.run(before, arguments)?;
                    let answer =
                        answers.first().ok_or_else(|| Error::internal("an order without an answer"))?;
                    Ok(answer.get_i128(0) != 0)
                }
            }
        };
        let order = merge_sort((0..count).collect(), &mut comes_before)?;
        for (result, x) in results.iter_mut().zip(operands) {
            with_width!(x.dtype().size(), N => {
                let (result, x) = (result.bytes_mut().as_chunks_mut::<N>().0, x.bytes().as_chunks::<N>().0);
                for (i, &from) in order.iter().enumerate() {
                    result[at(i)] = x[at(from)];
                }
            });
        }
    }
    Ok(results)
}

/// Items in the order that `comes_before` says: stable, and at peace with an order that contradicts itself. Compiled sorts by a
/// program ask the same questions, so that such an order gives them the same result.
///
/// # Errors
/// The errors of `comes_before`.
pub fn merge_sort(
    mut items: Vec<usize>,
    comes_before: &mut impl FnMut(usize, usize) -> Result<bool>,
) -> Result<Vec<usize>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let left = merge_sort(items, comes_before)?;
    let right = merge_sort(right, comes_before)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        if comes_before(right[r], left[l])? {
            merged.push(right[r]);
            r += 1;
        } else {
            merged.push(left[l]);
            l += 1;
        }
    }
    merged.extend_from_slice(&left[l..]);
    merged.extend_from_slice(&right[r..]);
    Ok(merged)
}

/// How two elements of a key stand: NaN is last and equal to NaN, -0 equals 0.
fn key_order(keys: &Numbers, a: usize, b: usize) -> Ordering {
    keys.order(a, keys, b).unwrap_or_else(|| keys.is_nan(a).cmp(&keys.is_nan(b)))
}
