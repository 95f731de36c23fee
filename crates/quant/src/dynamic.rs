//! Products of integers, with activations quantized as they come.

use jarrah_array::{Array, DType, Error, along, custom_jvp, fail, lax, where_};

use crate::check::require;
use crate::tensor::QuantizedTensor;

/// `x W` in integers: each row of `x`, `[.., K]`, is quantized to 8 bits by its largest magnitude, and multiplied with the integers of `W`,
/// `[K, N]`, exactly.
///
/// `y[m, n] = sum_k q[m, k] w[k, n]` as `i32`, times `scale[m] scale[n]` in `f32`, where `q[m, k] = round(x[m, k] / scale[m])` and
/// `scale[m] = max |x[m, :]| / 127`; rounded to the dtype of `x`.
///
/// The derivative is that of [`QuantizedTensor::apply`], as the rounding of `x` has none (straight through).
///
/// # Errors
/// A weight that is not of symmetric integers (`int8`, `int4`) with a scale for each column or for all, and operands without a product:
/// program errors.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_quant::{Scheme, dynamic_matmul, quantize};
/// let w = quantize(&Array::from_slice(&[127.0f32, 2.0]).reshape(&[2, 1]), Scheme::INT8);
/// let x = Array::from_slice(&[127.0f32, -3.0]).reshape(&[1, 2]);
/// assert_eq!(dynamic_matmul(&x, &w).item::<f32>()?, 127.0 * 127.0 - 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_matmul(x: &Array, w: &QuantizedTensor) -> Array {
    let op = "dynamic_matmul";
    let shape = w.shape();
    let scales = w.scales.shape();
    let integers = w.integers().filter(|_| w.zeros.is_none() && w.order.is_none());
    let Some(integers) = integers.filter(|_| shape.len() == 2 && scales[0] == 1) else {
        let (name, codes) = (w.scheme.name, w.codes.ty());
        fail(
            Error::program(format!(
                "the weight is {name}, codes {codes} with scales {scales:?}: products of integers take symmetric integers (`int8`, `int4`) of one \
                 matrix with a scale for each column; quantize it by `Scheme::INT8`, or use `apply`"
            ))
            .op(op),
        )
    };
    require(op, x.dtype().is_float() && x.shape().last() == Some(&shape[0]), || {
        format!(
            "the left operand is {}, and the right one has {} rows: floats with as many columns multiply them",
            x.ty(),
            shape[0]
        )
    });
    let scaled = w.scales.values().reshape(&[scales[1]]);
    let f = custom_jvp(product, |primals: &Operands, (dx, _, dscaled): &Operands| {
        let (x, integers, scaled) = primals;
        let through = dx.matmul_as(&integers.astype(x.dtype()), DType::F32) * scaled;
        let of_scales = x.astype(DType::F32).matmul(&integers.astype(DType::F32)) * dscaled;
        (product(primals), (through + of_scales).astype(x.dtype()))
    });
    f(&(x.clone(), integers, scaled))
}

/// The left factor, the integers of the right one, and its scales, one for each column.
type Operands = (Array, Array, Array);

#[track_caller]
fn product((x, integers, scaled): &Operands) -> Array {
    let wide = x.astype(DType::F32);
    let scale = wide.abs().max(along(-1).keepdims()) / 127.0f32;
    let codes = (&wide / where_(&scale.eq(0.0), 1.0f32, &scale)).round().astype(DType::I8);
    let sums = lax::dot_general_as(&codes, integers, (&[x.rank() - 1], &[0]), (&[], &[]), DType::I32);
    (sums.astype(DType::F32) * (scale * scaled)).astype(x.dtype())
}
