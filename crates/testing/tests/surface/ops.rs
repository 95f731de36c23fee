//! `jax.ops`.

use jarrah_array::ops;

use super::rows;

rows! {
    "ops.segment_sum": "ops.segment_sum(x, s, 5)" => |x: numbers(9, 2), s: integers<5>(9)| ops::segment_sum(x, s, 5);
    "ops.segment_sum": "ops.segment_sum(x, abs(s), 5)" => |x: inexact(9), s: i32<6>(9)| ops::segment_sum(x, &s.abs(), 5);
    "ops.segment_prod": "ops.segment_prod(x, s, 5)" => |x: reals(9, 2), s: u8<5>(9)| ops::segment_prod(x, s, 5);
    "ops.segment_max": "ops.segment_max(x, s, 5)" => |x: reals(9, 2), s: u8<5>(9)| ops::segment_max(x, s, 5);
    "ops.segment_min": "ops.segment_min(x, s, 5)" => |x: reals(9), s: u8<5>(9)| ops::segment_min(x, s, 5);
}
