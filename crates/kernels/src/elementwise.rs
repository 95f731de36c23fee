//! Functions of each element.

use jarrah_array::kernel::{Block, kernel};
use jarrah_array::{Array, DType, Type, while_loop};

use crate::shape::flat;

/// `x + y`, of arrays of one type.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 2.0]);
/// assert_eq!(jarrah_kernels::add(&x, &x).to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn add(x: &Array, y: &Array) -> Array {
    flat("add", &[x, y], x.dtype(), |xs| &xs[0] + &xs[1])
}

/// `a x + y`, of arrays of one type and a number.
///
/// ```
/// use jarrah_array::Array;
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[10.0f32, 20.0]));
/// assert_eq!(jarrah_kernels::saxpy(3.0, &x, &y).to_vec::<f32>()?, [13.0, 26.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: BLAS, `axpy`.
#[track_caller]
pub fn saxpy(a: f64, x: &Array, y: &Array) -> Array {
    flat("saxpy", &[x, y], x.dtype(), |xs| &xs[0] * a + &xs[1])
}

/// `max(x, 0)`.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_kernels::relu(&Array::from_slice(&[-1.0f32, 2.0])).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn relu(x: &Array) -> Array {
    flat("relu", &[x], x.dtype(), |xs| jarrah_array::nn::relu(&xs[0]))
}

/// `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::gelu(&Array::from_slice(&[0.0f32, 1.0]));
/// assert_eq!(y.index(0).item::<f32>()?, 0.0);
/// assert!((y.index(1).item::<f32>()? - 0.8412).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hendrycks and Gimpel, Gaussian error linear units (2016).
#[track_caller]
pub fn gelu(x: &Array) -> Array {
    flat("gelu", &[x], x.dtype(), |xs| gelu_of(&xs[0]))
}

/// The values of [`gelu`], in a body.
#[track_caller]
pub(crate) fn gelu_of(x: &Array) -> Array {
    let inner = (x + x * x * x * 0.044715) * (2.0 / std::f64::consts::PI).sqrt();
    x * 0.5 * (inner.tanh() + 1.0)
}

/// `x / (1 + e^-x)`.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_kernels::silu(&Array::from_slice(&[0.0f32])).to_vec::<f32>()?, [0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Elfwing, Uchibe and Doya, Sigmoid-weighted linear units (2017).
#[track_caller]
pub fn silu(x: &Array) -> Array {
    flat("silu", &[x], x.dtype(), |xs| &xs[0] * jarrah_array::nn::sigmoid(&xs[0]))
}

/// `silu(x) y`, of the two halves of a gated layer.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[0.0f32, 1.0]);
/// assert_eq!(jarrah_kernels::swiglu(&x, &x).index(0).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Shazeer, GLU variants improve transformer (2020).
#[track_caller]
pub fn swiglu(x: &Array, y: &Array) -> Array {
    flat("swiglu", &[x, y], x.dtype(), |xs| &xs[0] * jarrah_array::nn::sigmoid(&xs[0]) * &xs[1])
}

/// The real cube root: Newton's steps `r - (r^3 - x) / (3 r^2)` until none of a block changes by more than a few units in the last
/// place. It has derivatives in forward mode only.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::newton_cube_root(&Array::from_slice(&[27.0f32, -8.0]));
/// assert!((y.index(0).item::<f32>()? - 3.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn newton_cube_root(x: &Array) -> Array {
    flat("newton_cube_root", &[x], x.dtype(), |xs| {
        let x = &xs[0];
        // Where x is zero the steps would divide by zero.
        let size = jarrah_array::where_(&x.eq(0), 1.0, x.abs());
        let step = |r: &Array| r - (r * r * r - &size) / (r * r * 3.0);
        let rough = size.maximum(1.0);
        let open = |(r, next, steps): &(Array, Array, Array)| {
            ((r - next).abs().gt(next * 1e-6)).any(..) & steps.lt(200)
        };
        let first = step(&rough);
        let go = |(_, next, steps): &(Array, Array, Array)| (next.clone(), step(next), steps + 1);
        let (_, root, _) = while_loop(open, go, &(rough, first, Array::scalar(0i32)));
        jarrah_array::where_(&x.eq(0), 0.0, root) * x.sign()
    })
}

/// How many of at most `steps` iterations of `z = z^2 + c` stay within the circle of radius two, for each pixel of `[height, width]`
/// points `c` of the rectangle from `-2 - 1.2i` to `0.6 + 1.2i`.
///
/// ```
/// let image = jarrah_kernels::mandelbrot(8, 12, 20);
/// assert_eq!((image.shape().to_vec(), image.max(..).item::<i32>()?), (vec![8, 12], 20));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn mandelbrot(height: usize, width: usize, steps: usize) -> Array {
    let rows = height.clamp(1, 16);
    kernel(|[count]| {
        let shape = [rows, width];
        let row = jarrah_array::lax::iota(DType::I32, &shape, 0) + jarrah_array::kernel::program_id(0) * rows;
        let column = jarrah_array::lax::iota(DType::I32, &shape, 1);
        let real = column.astype(DType::F32) * (2.6 / width as f64) - 2.0;
        let imaginary = row.astype(DType::F32) * (2.4 / height as f64) - 1.2;
        let zero = Array::full(&shape, 0, DType::F32);
        let none = Array::full(&shape, 0, DType::I32);
        let step = |(x, y, n): &(Array, Array, Array), (): &()| {
            let inside = (x * x + y * y).le(4.0);
            let next = (x * x - y * y + &real, x * y * 2.0 + &imaginary);
            let keep = |new: &Array, old: &Array| jarrah_array::where_(&inside, new, old);
            ((keep(&next.0, x), keep(&next.1, y), n + inside.astype(DType::I32)), ())
        };
        let ((_, _, n), ()) =
            jarrah_array::scan_length(step, &(zero.clone(), zero.clone(), none), &(), steps);
        count.set(n);
    })
    .name("mandelbrot")
    .grid(&[height.div_ceil(rows)])
    .output(Type::tensor(DType::I32, [height, width]), Block::new([rows, width], |[i]| (i, 0)))
    .call_one(&[])
}
