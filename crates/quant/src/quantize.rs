//! Numbers to codes and scales.

use jarrah_array::{Array, DType, along, lax, where_};

use crate::check::{matrices, require, with};
use crate::codes::pack;
use crate::scales::Scales;
use crate::scheme::{NORMAL4, Rounding, ScaleBlock, ScaleRule, Scheme, Values, sizes_that_fit};
use crate::tensor::QuantizedTensor;

/// The matrix `x`, or each of a stack, `[.., K, N]`, quantized by `scheme`.
///
/// Scales are found by the scheme's [`ScaleRule`] for each of its [`ScaleBlock`]s along `K`, the axis that a product `y x` contracts, and codes by
/// its [`Rounding`], all in `f32`. A block of zeros has the scale 0 and the codes of zero; one with a NaN or an infinity has the scale NaN, and
/// stands for NaNs.
///
/// # Errors
/// An `x` that is not of floats, or with fewer than two axes; scales that are not of floats; a `K` that is no multiple of the group, or odd where two codes share a
/// byte: program errors.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_quant::{Scheme, quantize};
/// let x = Array::from_slice(&[0.0f32, 1.0, 2.0, 255.0]).reshape(&[4, 1]);
/// let q = quantize(&x, Scheme::UINT8);
/// assert_eq!(q.codes.to_vec::<u8>()?, [0, 1, 2, 255]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn quantize(x: &Array, scheme: Scheme) -> QuantizedTensor {
    let (lead, rows, columns, size) = check("quantize", x, scheme);
    let groups = match scheme.block {
        ScaleBlock::Group(_) => rows / size,
        _ => 1,
    };
    let per_byte = if scheme.values.row().bits == 4 { 2 } else { 1 };
    let blocks = match scheme.block {
        ScaleBlock::Tensor => [1, rows * columns, 1],
        _ => [groups, size, columns],
    };
    let blocks = x.astype(DType::F32).reshape(&with(&lead, &blocks)[..]);
    let Found { scale, stored, zeros } = find_scales(&blocks, scheme);
    let codes = find_codes(&blocks, &scale, &stored, zeros.as_ref(), scheme);
    let codes = codes.reshape(&with(&lead, &[rows, columns])[..]);
    let codes = if per_byte == 2 { pack(&codes) } else { codes };
    let flat = |x: &Array| {
        let shape = x.shape();
        x.reshape(&with(&lead, &[shape[lead.len()], shape[lead.len() + 2]])[..])
    };
    QuantizedTensor {
        codes,
        scales: Scales::Plain(flat(&stored)),
        zeros: zeros.map(|zeros| flat(&zeros.astype(DType::U8))),
        order: None,
        scheme,
    }
}

/// The extents of the axes before the last two, those two, and the rows of a group, of an `x` that can be quantized.
#[track_caller]
pub(crate) fn check(op: &str, x: &Array, scheme: Scheme) -> (Vec<usize>, usize, usize, usize) {
    require(op, x.dtype().is_float(), || {
        format!("{} cannot be quantized as {}: the matrix is of floats; use `astype`", x.ty(), scheme.name)
    });
    require(op, scheme.scale.is_float(), || {
        format!("{} cannot have scales in {}: name a float dtype in `scales`", scheme.name, scheme.scale)
    });
    let (lead, rows, columns) = matrices(op, "the matrix", x);
    let (size, groups) = match scheme.block {
        ScaleBlock::Tensor | ScaleBlock::Channel => (rows, 1),
        ScaleBlock::Group(size) => (size, rows.checked_div(size).unwrap_or(0)),
    };
    let row = scheme.values.row();
    let per_byte = if row.bits == 4 { 2 } else { 1 };
    require(op, size * groups == rows && size.is_multiple_of(per_byte), || {
        let even = if per_byte == 2 { ", which must be even as two codes share a byte" } else { "" };
        let fits: String =
            sizes_that_fit(rows, per_byte, size).iter().map(|n| format!(" or `groups_of({n})`")).collect();
        format!(
            "the {rows} rows of {} are no multiple of {}'s groups of {size}{even}; pad the rows with zeros{}",
            x.ty(),
            scheme.name,
            fits.replacen(" or", ", or take", 1)
        )
    });
    (lead, rows, columns, size)
}

/// The scales of blocks, with the blocks' axes.
#[derive(Clone)]
pub(crate) struct Found {
    /// In `f32`.
    pub scale: Array,
    /// In the scheme's dtype.
    pub stored: Array,
    /// In `f32`.
    pub zeros: Option<Array>,
}

#[track_caller]
pub(crate) fn find_scales(blocks: &Array, scheme: Scheme) -> Found {
    // The scale of a block without a number is that of zeros.
    let most = |x: &Array| x.max(along(-2).keepdims().initial(0));
    let least = |x: &Array| x.min(along(-2).keepdims().initial(0));
    let largest = scheme.values.row().largest as f32;
    let magnitude = most(&blocks.abs());
    let scale = match scheme.rule {
        ScaleRule::AbsMax => &magnitude / largest,
        ScaleRule::SignedMax => {
            let at = blocks.abs().argmax(along(-2).keepdims());
            blocks.take_along_axis(&at, -2) / -8.0f32
        }
        ScaleRule::MinMax => {
            let (high, low) = (most(blocks), least(blocks));
            // The difference of the two may be too large for a float.
            high / largest - low / largest
        }
        ScaleRule::PowerOfTwo => {
            let exponent = magnitude.bitcast(DType::I32).shift_right(23);
            // The largest code has the exponent 2. An infinity or a NaN, of the exponent 255, makes the scale a NaN.
            let code = where_(&exponent.eq(255), 255, (&exponent - 2).clip(0, 254));
            let stored = code.astype(DType::U8).bitcast(DType::F8E8M0FNU);
            return Found {
                scale: stored.astype(DType::F32),
                stored: stored.astype(scheme.scale),
                zeros: None,
            };
        }
    };
    // The codes of an infinity are those of another number, and so may be its sign.
    let scale = where_(&magnitude.isfinite(), scale, f32::NAN);
    let stored = scale.astype(scheme.scale);
    let zeros = (scheme.rule == ScaleRule::MinMax)
        .then(|| (-least(blocks) / divisor(&stored.astype(DType::F32))).round().clip(0.0, largest));
    Found { scale, stored, zeros }
}

/// The scale, or 1 in the place of 0.
fn divisor(scale: &Array) -> Array {
    where_(&scale.eq(0.0), 1.0f32, scale)
}

#[track_caller]
pub(crate) fn find_codes(
    blocks: &Array,
    scale: &Array,
    stored: &Array,
    zeros: Option<&Array>,
    scheme: Scheme,
) -> Array {
    let row = scheme.values.row();
    let inverse = || where_(&scale.eq(0.0), 0.0f32, 1.0 / scale);
    let steps = match scheme.rounding {
        Rounding::Even => blocks / divisor(&stored.astype(DType::F32)),
        Rounding::Away | Rounding::Up => blocks * inverse(),
        Rounding::Table => {
            // As the published quantizer has it: the reciprocal of a maximum that is 0 is that of a small number.
            let numbers = (blocks * (1.0 / scale.maximum(1e-38f32))).clip(-1.0, 1.0);
            let bounds = NORMAL4.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
            let above = bounds.map(|bound| numbers.gt(bound).astype(DType::U8));
            return above.fold(Array::zeros_like(&numbers).astype(DType::U8), |sum, above| sum + above);
        }
    };
    let largest = row.largest as f32;
    match scheme.values {
        Values::E2M1 => return steps.astype(DType::F4E2M1FN).bitcast(DType::U4).astype(DType::U8),
        Values::E4M3 | Values::E5M2 => return steps.clip(-largest, largest).astype(row.stored),
        _ => {}
    }
    let whole = match scheme.rounding {
        Rounding::Away => lax::round_away(&steps),
        Rounding::Up => (steps + (row.offset as f32 + 0.5)).trunc() - row.offset as f32,
        _ => steps.round(),
    };
    let whole = match zeros {
        Some(zeros) => whole + zeros,
        None => whole,
    };
    let offset = row.offset as f32;
    let (low, high) = match scheme.values {
        Values::UInt4 | Values::UInt8 => (0.0, largest),
        // llama.cpp's blocks have -8, too.
        Values::Int4 if scheme.rounding == Rounding::Up => (-8.0, largest),
        _ => (-largest, largest),
    };
    (whole.clip(low, high) + offset).astype(row.stored)
}
