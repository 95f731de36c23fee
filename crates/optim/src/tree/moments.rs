use jarrah_array::{Array, DType, Tree, TreeExt};

use super::{abs_sq, pairs};

/// `(1 - decay) g^order + decay m` of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::update_moment(&x, &tree::zeros_like(&x), 0.5, 2).to_vec::<f32>()?, [0.5, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn update_moment<T: Tree<Array>>(updates: &T, moments: &T, decay: f64, order: i32) -> T {
    pairs("update_moment", updates, moments, |g, m| power(g, order) * (1.0 - decay) + m * decay)
}

/// `(1 - decay) |g|^order + decay m` of each leaf: as [`update_moment`], but of the absolute value of complex numbers.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::update_moment_per_elem_norm(&x, &tree::zeros_like(&x), 0.5, 2).to_vec::<f32>()?, [0.5, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn update_moment_per_elem_norm<T: Tree<Array>>(updates: &T, moments: &T, decay: f64, order: i32) -> T {
    pairs("update_moment_per_elem_norm", updates, moments, |g, m| {
        let power =
            if g.dtype().is_complex() { abs_sq(g).pow(f64::from(order) / 2.0) } else { power(g, order) };
        power * (1.0 - decay) + m * decay
    })
}

fn power(g: &Array, order: i32) -> Array {
    match order {
        1 => g.clone(),
        2 => g.square(),
        _ => g.pow(order),
    }
}

/// `max(|g| + eps, decay m)` of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::update_infinity_moment(&x, &tree::zeros_like(&x), 0.5, 0.0).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn update_infinity_moment<T: Tree<Array>>(updates: &T, moments: &T, decay: f64, eps: f64) -> T {
    pairs("update_infinity_moment", updates, moments, |g, m| (g.abs() + eps).maximum(m * decay))
}

/// `m / (1 - decay^count)` of each leaf: corrects the bias of an average that starts at zero.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::bias_correction(&x, 0.5, &Array::scalar(1)).to_vec::<f32>()?, [2.0, -4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn bias_correction<T: Tree<Array>>(moments: &T, decay: f64, count: &Array) -> T {
    let divisor = |dtype| 1.0 - Array::full(&[], decay, dtype).pow(count.astype(dtype));
    let (mut single, mut double) = (None, None);
    moments.map_leaves(|m: &Array| {
        let divisor = match m.dtype().real() {
            DType::F64 => double.get_or_insert_with(|| divisor(DType::F64)),
            _ => single.get_or_insert_with(|| divisor(DType::F32)),
        };
        m / divisor.astype(m.dtype())
    })
}
