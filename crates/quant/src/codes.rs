//! Codes of four bits, two to a byte: byte `[.., i, n]` has row `2 i` in its low half and row `2 i + 1` in its high half. So a row of
//! bytes is two rows of codes, each a shift and a mask of neighbours.

use jarrah_array::{Array, DType, lax, where_};

use crate::check::with;
use crate::scheme::{FLOAT4, NORMAL4, Values};

/// Bytes `[.., K / 2, N]` of the codes `[.., K, N]`, which are below 16.
#[track_caller]
pub(crate) fn pack(codes: &Array) -> Array {
    let (lead, [rows, columns]) = split(codes);
    let pairs = codes.reshape(&with(&lead, &[rows / 2, 2, columns])[..]);
    let half = |i: usize| pairs.slice(-2, i..i + 1).reshape(&with(&lead, &[rows / 2, columns])[..]);
    half(0) | half(1).shift_left(4)
}

/// The codes `[.., K, N]` of bytes `[.., K / 2, N]`.
#[track_caller]
pub(crate) fn unpack(bytes: &Array) -> Array {
    let (lead, [rows, columns]) = split(bytes);
    halves(bytes, &with(&lead, &[rows]), columns).reshape(&with(&lead, &[2 * rows, columns])[..])
}

/// The codes `[outer.., 2, columns]` of bytes that are as many as `[outer.., columns]`.
#[track_caller]
pub(crate) fn halves(bytes: &Array, outer: &[usize], columns: usize) -> Array {
    let bytes = bytes.reshape(&with(outer, &[1, columns])[..]);
    bytes.shift_right(lax::iota(DType::U8, &[2, 1], 0).shift_left(2)) & 15u8
}

/// The numbers that codes stand for, without a zero point and a scale, in `f32`.
#[track_caller]
pub(crate) fn decode(codes: &Array, values: Values) -> Array {
    let row = values.row();
    match values {
        Values::E2M1 => look_up(codes, &FLOAT4),
        Values::Normal4 => look_up(codes, &NORMAL4),
        _ if row.offset != 0 => codes.astype(DType::F32) - row.offset as f32,
        _ => codes.astype(DType::F32),
    }
}

/// The elements of `table`, of a power of two, at `codes`: a tree of choices by one bit after the other, from the highest.
#[track_caller]
fn look_up(codes: &Array, table: &[f32]) -> Array {
    let (low, high) = table.split_at(table.len() / 2);
    let bit = (codes & low.len() as u8).ne(0u8);
    match (low, high) {
        (&[low], &[high]) => where_(&bit, high, low),
        _ => where_(&bit, look_up(codes, high), look_up(codes, low)),
    }
}

fn split(x: &Array) -> (Vec<usize>, [usize; 2]) {
    let shape = x.shape();
    let (lead, last) = shape.split_at(shape.len() - 2);
    (lead.to_vec(), [last[0], last[1]])
}
