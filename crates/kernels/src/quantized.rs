//! Arrays as small integers with a scale for each row, and products of them, as programs of the kernel language. What models use is
//! `jarrah_quant`, whose products make numbers as the built-in product reads codes.

use jarrah_array::kernel::{Block, kernel, num_programs, program_id, when};
use jarrah_array::{Array, DType, along, where_};

use crate::shape::{Operand, by_rows, extents, require};

/// Each row of a matrix as 8-bit integers and the scale `max |x| / 127` by which they are multiplied.
///
/// ```
/// use jarrah_array::Array;
/// let (q, scale) = jarrah_kernels::quantize(&Array::from_slice(&[127.0f32, -64.0]).reshape(&[1, 2]));
/// assert_eq!((q.to_vec::<i8>()?, scale.to_vec::<f32>()?), (vec![127, -64], vec![1.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn quantize(x: &Array) -> (Array, Array) {
    let [rows, columns] = extents("quantize", "the matrix", x);
    let results = by_rows("quantize", &[Operand::Rows(x)], &[(columns, DType::I8), (1, x.dtype())], |xs| {
        let scale = xs[0].abs().max(along(1).keepdims()) / 127.0;
        let divisor = where_(&scale.gt(0.0), &scale, 1.0);
        vec![(&xs[0] / divisor).round().astype(DType::I8), scale]
    });
    (results[0].clone(), results[1].reshape(&[rows]))
}

/// The numbers that integers `[rows, columns]` and scales `[rows]` stand for, `q scale`, in the dtype of the scales.
///
/// ```
/// use jarrah_array::Array;
/// let (q, scale) = (Array::from_slice(&[2i8, -4]).reshape(&[1, 2]), Array::from_slice(&[0.5f32]));
/// assert_eq!(jarrah_kernels::dequantize(&q, &scale).to_vec::<f32>()?, [1.0, -2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dequantize(q: &Array, scale: &Array) -> Array {
    let [rows, columns] = extents("dequantize", "the matrix", q);
    require("dequantize", scale.shape() == [rows], || format!("there are {rows} scales, not {}", scale.ty()));
    let scale = scale.reshape(&[rows, 1]);
    let operands = [Operand::Rows(q), Operand::Rows(&scale)];
    let y = by_rows("dequantize", &operands, &[(columns, scale.dtype())], |xs| {
        vec![xs[0].astype(scale.dtype()) * &xs[1]]
    });
    y[0].clone()
}

/// `scale_x[i] scale_y[j] sum_k x[i, k] y[j, k]` of 8-bit integers, summed as 32-bit integers: the right factor lies by rows, as
/// [`quantize`] gives it.
///
/// ```
/// use jarrah_array::Array;
/// let (x, one) = (Array::from_slice(&[1i8, 2]).reshape(&[1, 2]), Array::from_slice(&[1.0f32]));
/// assert_eq!(jarrah_kernels::int8_matmul(&x, &one, &x, &one).to_vec::<f32>()?, [5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn int8_matmul(x: &Array, scale_x: &Array, y: &Array, scale_y: &Array) -> Array {
    let op = "int8_matmul";
    let ([m, k], [n, depth]) = (extents(op, "the left factor", x), extents(op, "the right factor", y));
    let bytes = x.dtype() == DType::I8 && y.dtype() == DType::I8;
    require(op, bytes && k == depth && scale_x.shape() == [m] && scale_y.shape() == [n], || {
        format!(
            "{} with scales {} and {} with scales {} have no product",
            x.ty(),
            scale_x.ty(),
            y.ty(),
            scale_y.ty()
        )
    });
    let (bm, bk, bn) = (m.clamp(1, 64), k.clamp(1, 256), n.clamp(1, 64));
    kernel(|[x, sx, y, sy, z, sum]| {
        let step = program_id(2);
        when(step.eq(0), || sum.set(0));
        let wide = |x: Array| x.astype(DType::I32);
        sum.addupdate(wide(x.get()).matmul(&wide(y.get()).t()));
        when(step.eq(num_programs(2) as i64 - 1), || {
            z.set(sum.get().astype(scale_x.dtype()) * sx.get().expand_dims(1) * sy.get());
        });
    })
    .name(op)
    .grid(&[m.div_ceil(bm), n.div_ceil(bn), k.div_ceil(bk)])
    .arbitrary(&[2])
    .input(Block::new([bm, bk], |[i, _, k]| [i, k]))
    .input(Block::new([bm], |[i, _, _]| [i]))
    .input(Block::new([bn, bk], |[_, j, k]| [j, k]))
    .input(Block::new([bn], |[_, j, _]| [j]))
    .output(scale_x.ty().with_dims([m, n]), Block::new([bm, bn], |[i, j, _]| [i, j]))
    .scratch(x.ty().with_dtype(DType::I32).with_dims([bm, bn]))
    .call_one(&[x, scale_x, y, scale_y])
}

/// `sum_k x[i, k] (w[k, j] scale[j])`, with 4-bit weights, two to a byte: byte `[k, j]` of `packed`, `[depth / 2, n]`, has row `2 k` in
/// its low half and row `2 k + 1` in its high half, both from -8 to 7.
///
/// ```
/// use jarrah_array::Array;
/// // The column 3, -2.
/// let packed = Array::from_slice(&[0xe3u8]).reshape(&[1, 1]);
/// let x = Array::from_slice(&[10.0f32, 1.0]).reshape(&[1, 2]);
/// assert_eq!(jarrah_kernels::int4_matmul(&x, &packed, &Array::ones(&[1])).to_vec::<f32>()?, [28.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn int4_matmul(x: &Array, packed: &Array, scale: &Array) -> Array {
    let op = "int4_matmul";
    let ([m, k], [half, n]) = (extents(op, "the left factor", x), extents(op, "the packed factor", packed));
    require(op, packed.dtype() == DType::U8 && k == 2 * half && scale.shape() == [n], || {
        format!("{}, packed {} and scales {} have no product", x.ty(), packed.ty(), scale.ty())
    });
    let (bm, bh, bn, dtype) = (m.clamp(1, 64), half.clamp(1, 128), n.clamp(1, 64), x.dtype());
    kernel(|[x, packed, scale, z]| {
        let bytes = packed.get().astype(DType::I32);
        // Four bits with a sign: what is above 7 stands for 16 less.
        let signed = |bits: Array| where_(&bits.gt(7), &bits - 16, &bits);
        let rows = jarrah_array::stack(&[&signed(&bytes & 15), &signed(bytes.shift_right(4))], 1);
        let weights = rows.reshape(&[2 * bh, bn]).astype(dtype);
        z.addupdate(x.get().matmul(&weights) * scale.get());
    })
    .name(op)
    .grid(&[m.div_ceil(bm), n.div_ceil(bn), half.div_ceil(bh)])
    .input(Block::new([bm, 2 * bh], |[i, _, k]| [i, k]))
    .input(Block::new([bh, bn], |[_, j, k]| [k, j]))
    .input(Block::new([bn], |[_, j, _]| [j]))
    .output(x.ty().with_dims([m, n]), Block::new([bm, bn], |[i, j, _]| [i, j]))
    .call_one(&[x, packed, scale])
}
