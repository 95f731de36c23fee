use jarrah_array::{Array, DType, Error, fail, stack};

/// Rotary position embedding of the last axis: pair `i` of elements, `(2i, 2i + 1)`, turned by `p base^(-2i / D)`.
///
/// ```text
/// y_2i = x_2i cos(a) - x_2i+1 sin(a);   y_2i+1 = x_2i sin(a) + x_2i+1 cos(a);   a = p base^(-2i / D)
/// ```
///
/// * `x`: floats `[B,T,H,D]`, `D` even
/// * `positions`: integers `[B,T]`, the `p`
///
/// Angles are computed in `f32`, or `f64` for `f64` arguments. The product of two vectors so turned depends on the distance of
/// their positions alone.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::rotary;
/// let x = Array::new(&[1.0f32, 0.0], &[1, 1, 1, 2]);
/// let y = rotary(&x, &Array::new(&[2i32], &[1, 1]), 10000.0).to_vec::<f32>()?;
/// assert!((y[0] - 2f32.cos()).abs() < 1e-6 && (y[1] - 2f32.sin()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Su et al., RoFormer: enhanced transformer with rotary position embedding (2021).
#[track_caller]
pub fn rotary(x: &Array, positions: &Array, base: f64) -> Array {
    let shape = x.shape();
    let fits = shape.len() == 4 && shape[3].is_multiple_of(2) && positions.shape() == shape[..2];
    if !fits || !x.dtype().is_float() || !positions.dtype().is_integer() {
        let error = format!("{} cannot be turned by positions {}", x.ty(), positions.ty());
        let help = "give floats [B, T, H, D] with an even D, and integers [B, T]";
        fail(Error::program(error).op("rotary").help(help));
    }
    let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    let pairs = shape[3] / 2;
    let rates: Vec<f64> = (0..pairs).map(|i| base.powf(-2.0 * i as f64 / shape[3] as f64)).collect();
    let rates = Array::from_slice(&rates).astype(wide);
    let angles = positions.astype(wide).reshape(&[shape[0], shape[1], 1, 1]) * rates;
    let (cos, sin) = (angles.cos(), angles.sin());
    let halves = x.astype(wide).reshape(&[shape[0], shape[1], shape[2], pairs, 2]);
    let half = |i: usize| halves.slice(-1, i..i + 1).squeeze(-1);
    let (a, b) = (half(0), half(1));
    let turned = stack(&[&(&a * &cos - &b * &sin), &(&a * &sin + &b * &cos)], -1);
    turned.reshape(&shape[..]).astype(x.dtype())
}
