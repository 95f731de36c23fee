//! Resizing of images.

use jarrah_array::library::{resolve, with_context};
use jarrah_array::{Array, fail, lax, where_};
use jarrah_base::{DType, Error, Location};

/// How elements between those of an image are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResizeMethod {
    /// The nearest element.
    Nearest,
    /// A straight line between two elements, the triangle as a kernel.
    Linear,
    /// Cubic convolution with slope -0.5. Source: Keys, Cubic convolution interpolation for digital image processing (1981).
    Cubic,
    /// Cubic convolution with slope -0.75 over an image whose edges are repeated; with antialiasing the same as `Cubic`.
    CubicPytorch,
    /// The windowed sinc function of radius 3. Source: Duchon, Lanczos filtering in one and two dimensions (1979).
    Lanczos3,
    /// The windowed sinc function of radius 5.
    Lanczos5,
    /// The mean over the area that an element of the result covers.
    Area,
}

/// An image of another shape: along each axis whose extent changes, elements are means of those of `x` around the same
/// place, weighted by the method's kernel. Where the result is smaller, the kernel is stretched, so that nothing is skipped.
///
/// Numbers are floats in the result, but for [`ResizeMethod::Nearest`], which keeps them.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::image::{self, ResizeMethod};
/// let x = Array::from_slice(&[1.0f32, 3.0, 5.0, 7.0]);
/// assert_eq!(image::resize(&x, &[2], ResizeMethod::Area).to_vec::<f32>()?, [2.0, 6.0]);
/// assert_eq!(image::resize(&x, &[8], ResizeMethod::Nearest).to_vec::<f32>()?[..3], [1.0, 1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn resize(x: &Array, shape: &[usize], method: ResizeMethod) -> Array {
    resized(x, shape, method, true)
}

/// As [`resize`], with the kernel as wide in a smaller result: elements may be skipped.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::image::{self, ResizeMethod};
/// let x = Array::from_slice(&[1.0f32, 1.0, 9.0, 1.0, 1.0, 1.0]);
/// assert_eq!(image::resize_aliased(&x, &[2], ResizeMethod::Linear).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn resize_aliased(x: &Array, shape: &[usize], method: ResizeMethod) -> Array {
    resized(x, shape, method, false)
}

/// An image moved and stretched: the element at `p` along axis `axes[i]`, counted from the edge of the first, comes to
/// `scale[i] p + translation[i]`. What comes from outside of the image is 0. Differentiable in `x`, `scale` and
/// `translation`, vectors of floats.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::image::{self, ResizeMethod};
/// let (x, one) = (Array::from_slice(&[1.0f32, 3.0, 5.0]), Array::from_slice(&[1.0f32]));
/// let y = image::scale_and_translate(&x, &[3], &[0], &one, &one, ResizeMethod::Linear);
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scale_and_translate(
    x: &Array,
    shape: &[usize],
    axes: &[isize],
    scale: &Array,
    translation: &Array,
    method: ResizeMethod,
) -> Array {
    transformed(x, shape, axes, scale, translation, method, true)
}

/// As [`scale_and_translate`], with the kernel as wide where the image shrinks: elements may be skipped.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::image::{self, ResizeMethod};
/// let x = Array::from_slice(&[1.0f32, 1.0, 9.0, 1.0, 1.0, 1.0]);
/// let (third, zero) = (Array::from_slice(&[1.0f32 / 3.0]), Array::from_slice(&[0.0f32]));
/// let y = image::scale_and_translate_aliased(&x, &[2], &[0], &third, &zero, ResizeMethod::Linear);
/// // The 9 is skipped.
/// assert_eq!(y.round_to(4).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scale_and_translate_aliased(
    x: &Array,
    shape: &[usize],
    axes: &[isize],
    scale: &Array,
    translation: &Array,
    method: ResizeMethod,
) -> Array {
    transformed(x, shape, axes, scale, translation, method, false)
}

#[track_caller]
fn check_rank(op: &str, x: &Array, shape: &[usize]) {
    if shape.len() != x.rank() {
        let error = Error::program(format!("{} cannot get the shape {shape:?}", x.ty()));
        fail(with_context(error.op(op).at(Location::caller()).help("a shape has an extent for each axis")));
    }
}

#[track_caller]
fn resized(x: &Array, shape: &[usize], method: ResizeMethod, antialias: bool) -> Array {
    check_rank("resize", x, shape);
    let extents = x.shape();
    let mut image = if method == ResizeMethod::Nearest { x.clone() } else { x.inexact() };
    for (axis, (&from, &to)) in extents.iter().zip(shape).enumerate() {
        if from == to {
            continue;
        }
        if from == 0 {
            let error = Error::program(format!("axis {axis} of {} has no element to resize", x.ty()));
            fail(with_context(error.op("resize").at(Location::caller())));
        }
        if method == ResizeMethod::Nearest {
            let place = |i: usize| ((i as f32 + 0.5) * from as f32 / to as f32).floor() as i32;
            let places: Vec<i32> = (0..to).map(place).collect();
            image = lax::take(&image, &Array::from_slice(&places), axis);
            continue;
        }
        let scale = if to == 0 { 1.0 } else { to as f64 / from as f64 };
        let weights =
            weights(from, to, &Array::scalar_in(scale, DType::F64), &Array::scalar(0.0), method, antialias);
        image = mixed(&image, &weights, axis);
    }
    image
}

#[track_caller]
fn transformed(
    x: &Array,
    shape: &[usize],
    axes: &[isize],
    scale: &Array,
    translation: &Array,
    method: ResizeMethod,
    antialias: bool,
) -> Array {
    check_rank("scale_and_translate", x, shape);
    let count = [axes.len()];
    if scale.shape() != count || translation.shape() != count || method == ResizeMethod::Nearest {
        let error = Error::program(format!(
            "scale {} and translation {} do not fit {} axes and {method:?}",
            scale.ty(),
            translation.ty(),
            axes.len()
        ));
        let help = "both have an element for each axis; the method interpolates";
        fail(with_context(error.op("scale_and_translate").at(Location::caller()).help(help)));
    }
    let mut image = x.inexact();
    let mut left = x.shape().to_vec();
    for (i, &axis) in axes.iter().enumerate() {
        let at = resolve("scale_and_translate", x, axis, x.rank());
        let (scale, translation) = (scale.index(i as isize), translation.index(i as isize));
        let weights = weights(left[at], shape[at], &scale, &translation, method, antialias);
        image = mixed(&image, &weights, at);
        left[at] = shape[at];
    }
    if left != shape {
        let error =
            Error::program(format!("{} cannot get the shape {shape:?} along the axes {axes:?}", x.ty()));
        fail(with_context(error.op("scale_and_translate").at(Location::caller())));
    }
    image
}

/// The elements of `x` along `axis` times weights `[from, to]`.
#[track_caller]
fn mixed(x: &Array, weights: &Array, axis: usize) -> Array {
    let product = lax::dot_general(x, &weights.astype(x.dtype()), (&[axis], &[0]), (&[], &[]));
    lax::move_axis(&product, x.rank() - 1, axis)
}

/// The share of each of `from` elements in each of `to` elements, `[from, to]`.
#[track_caller]
fn weights(
    from: usize,
    to: usize,
    scale: &Array,
    translation: &Array,
    method: ResizeMethod,
    antialias: bool,
) -> Array {
    let scale = scale.inexact();
    let dtype = jarrah_array::promote_types(scale.dtype(), translation.inexact().dtype());
    let (scale, translation) = (scale.astype(dtype), translation.astype(dtype));
    let repeated = method == ResizeMethod::CubicPytorch && !antialias;
    let beyond = if repeated { 2 } else { 0 };
    let inverse = 1.0 / scale;
    let target = Array::arange(to).astype(dtype);
    let source = lax::iota(dtype, &[from + 2 * beyond, 1], 0) - beyond as i64;
    let start = &target * &inverse - translation * &inverse;
    let centre = &start + &inverse * 0.5 - 0.5;
    let raw = if method == ResizeMethod::Area {
        let end = (&start + &inverse).minimum(&source + 1);
        (end - start.maximum(&source)).maximum(0)
    } else {
        let width = if antialias { inverse.maximum(1) } else { inverse.ones_like() };
        kernel(&((&centre - source).abs() / width), method, antialias)
    };
    let raw = if repeated { folded(&raw, from) } else { raw };
    let sum = raw.sum(0).expand_dims(0);
    let enough = sum.abs().gt(1000.0 * f64::from(f32::EPSILON));
    let shares = where_(&enough, &raw / where_(&enough, &sum, 1), 0);
    if repeated {
        return shares;
    }
    let inside = centre.ge(-0.5) & centre.le(from as f64 - 0.5);
    where_(&inside, shares, 0)
}

/// The weights of two rows before and after the image added to its first and last row.
#[track_caller]
fn folded(weights: &Array, from: usize) -> Array {
    let zero = Array::full(&[], 0, weights.dtype());
    let before = weights.slice(0, ..2).sum(0).expand_dims(0);
    let after = weights.slice(0, from + 2..).sum(0).expand_dims(0);
    let rest = from as i64 - 1;
    weights.slice(0, 2..from + 2)
        + lax::pad(&before, &zero, &[0, 0], &[rest, 0])
        + lax::pad(&after, &zero, &[rest, 0], &[0, 0])
}

/// The kernel at distances that are not negative.
#[track_caller]
fn kernel(x: &Array, method: ResizeMethod, antialias: bool) -> Array {
    match method {
        ResizeMethod::Cubic => cubic(x, -0.5),
        ResizeMethod::CubicPytorch => cubic(x, if antialias { -0.5 } else { -0.75 }),
        ResizeMethod::Lanczos3 => lanczos(x, 3.0),
        ResizeMethod::Lanczos5 => lanczos(x, 5.0),
        ResizeMethod::Linear | ResizeMethod::Nearest | ResizeMethod::Area => (1.0 - x).maximum(0),
    }
}

/// The cubic convolution kernel with slope `a` at 1.
#[track_caller]
fn cubic(x: &Array, a: f64) -> Array {
    let near = ((x * (a + 2.0) - (a + 3.0)) * x) * x + 1;
    let far = ((x * a - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
    where_(&x.ge(2), 0, where_(&x.ge(1), far, near))
}

/// `sinc(x) sinc(x / radius)` up to the radius.
#[track_caller]
fn lanczos(x: &Array, radius: f64) -> Array {
    let apart = x.gt(1e-3);
    let angle = where_(&apart, x, 1) * std::f64::consts::PI;
    let value = angle.sin() * (&angle / radius).sin() * radius / angle.square();
    where_(&x.gt(radius), 0, where_(&apart, value, 1))
}

/// The values beyond the edges of an image in [`map_coordinates`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// This number.
    Constant(f64),
    /// The nearest element.
    Nearest,
    /// The elements of the other side.
    Wrap,
    /// The elements mirrored at the edge, which stands once.
    Mirror,
    /// The elements mirrored beyond the edge, which stands twice.
    Reflect,
}

/// How [`map_coordinates`] finds values between elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplineOrder {
    /// The nearest element.
    Nearest,
    /// On the lines between neighbours.
    Linear,
}

/// The values of `image` at points: `points[i]` has their coordinates along axis `i`, all of one shape.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::image::{Edge, SplineOrder, map_coordinates};
/// let x = Array::from_slice(&[0.0f32, 10.0, 20.0]);
/// let y = map_coordinates(&x, &[&Array::from_slice(&[0.5f32, 9.0])], SplineOrder::Linear, Edge::Nearest);
/// assert_eq!(y.to_vec::<f32>()?, [5.0, 20.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn map_coordinates(image: &Array, points: &[&Array], order: SplineOrder, edge: Edge) -> Array {
    if points.len() != image.rank() || points.is_empty() {
        let error =
            Error::program(format!("{} lists of coordinates are given for {}", points.len(), image.ty()));
        fail(with_context(error.op("map_coordinates").at(Location::caller()).help("give one for each axis")));
    }
    // Along each axis the elements next to the points, with their weights.
    let mut sides: Vec<Vec<(Array, Array)>> = Vec::with_capacity(points.len());
    for point in points {
        let point = point.inexact();
        sides.push(match order {
            SplineOrder::Nearest => vec![(point.round().astype(DType::I32), point.ones_like())],
            SplineOrder::Linear => {
                let low = point.floor();
                let share = &point - &low;
                let low = low.astype(DType::I32);
                vec![(low.clone(), 1.0 - &share), (low + 1, share)]
            }
        });
    }
    let shape = image.shape();
    let mut sum: Option<Array> = None;
    for corner in 0..sides.iter().map(Vec::len).product::<usize>() {
        let (mut rest, mut weight, mut inside) = (corner, None::<Array>, None::<Array>);
        let mut indices: Vec<jarrah_array::Index> = Vec::with_capacity(sides.len());
        for (side, &extent) in sides.iter().zip(shape.iter()) {
            let (place, share) = &side[rest % side.len()];
            rest /= side.len();
            let n = extent as i64;
            let here = place.ge(0) & place.lt(n);
            let place = match edge {
                Edge::Constant(_) | Edge::Nearest => place.clip(0, n - 1),
                Edge::Wrap => place % n,
                Edge::Mirror => {
                    let i = place % (2 * n - 2).max(1);
                    i.minimum((2 * n - 2).max(1) - &i).clip(0, n - 1)
                }
                Edge::Reflect => {
                    let i = place % (2 * n);
                    i.minimum(2 * n - 1 - &i)
                }
            };
            indices.push(place.into());
            weight = Some(match weight {
                Some(weight) => weight * share,
                None => share.clone(),
            });
            inside = Some(match inside {
                Some(inside) => inside & here,
                None => here,
            });
        }
        let mut value = image.index(indices);
        if let (Edge::Constant(number), Some(inside)) = (edge, &inside) {
            value = where_(inside, &value, number);
        }
        let term = match &weight {
            Some(weight) => value * weight,
            None => value,
        };
        sum = Some(match sum {
            Some(sum) => sum + term,
            None => term,
        });
    }
    let value = sum.unwrap_or_else(|| image.clone());
    if image.dtype().is_integer() { value.round().astype(image.dtype()) } else { value.astype(image.dtype()) }
}
