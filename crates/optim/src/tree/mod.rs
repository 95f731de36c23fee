//! Arithmetic of whole trees, as `optax.tree` has it: what works on each leaf, sums over leaves, and a state's parts by name.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_optim::tree;
//! let (a, b) = ((Array::scalar(1.0), Array::scalar(2.0)), (Array::scalar(3.0), Array::scalar(4.0)));
//! assert_eq!(tree::vdot(&a, &b).item::<f32>()?, 11.0);
//! assert_eq!(tree::add_scale(&a, 10.0, &b).1.item::<f32>()?, 42.0);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Trees of one call have the same structure: another is a program error at the caller's line. What `TreeExt` of `jarrah_array` has
//! (mapping, zipping, counting leaves) is not here a second time.

mod make;
mod moments;
mod state;

use jarrah_array::{Array, DType, IntoOperand, Location, Tree, TreeExt, fail, where_};

pub use make::{full_like, ones_like, random_like, split_key_like, zeros_like};
pub use moments::{bias_correction, update_infinity_moment, update_moment, update_moment_per_elem_norm};
pub(crate) use state::named;
pub use state::{get, get_all_with_path, map_params, set};

/// `f` of the leaves of two trees.
#[track_caller]
pub(crate) fn pairs<T: Tree<Array>>(
    op: &'static str,
    a: &T,
    b: &T,
    mut f: impl FnMut(&Array, &Array) -> Array,
) -> T {
    let at = Location::caller();
    match a.zip_map([b], |a, [b]| f(a, b)) {
        Ok(tree) => tree,
        Err(error) => fail(error.op(op).at(at)),
    }
}

macro_rules! elementwise {
    ($($(#[$doc:meta])* $name:ident $op:tt;)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<T: Tree<Array>>(a: &T, b: &T) -> T {
                pairs(stringify!($name), a, b, |a, b| a $op b)
            }
        )*
    };
}

elementwise! {
    /// `a + b` of each leaf.
    add +;
    /// `a - b` of each leaf.
    sub -;
    /// `a b` of each leaf.
    mul *;
    /// `a / b` of each leaf.
    div /;
}

/// `scalar x` of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::scale(&x, 2.0).to_vec::<f32>()?, [2.0, -4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scale<T: Tree<Array>>(tree: &T, scalar: impl IntoOperand + Copy) -> T {
    tree.map_leaves(|x: &Array| x * scalar)
}

/// `a + scalar b` of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::add_scale(&x, 2.0, &x).to_vec::<f32>()?, [3.0, -6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn add_scale<T: Tree<Array>>(a: &T, scalar: impl IntoOperand + Copy, b: &T) -> T {
    pairs("add_scale", a, b, |a, b| a + b * scalar)
}

/// Where the truth value `condition` holds the leaves of `a`, else those of `b`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::select(&Array::scalar(false), &x, &(&x * 2.0)).to_vec::<f32>()?, [2.0, -4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn select<T: Tree<Array>>(condition: &Array, a: &T, b: &T) -> T {
    pairs("select", a, b, |a, b| where_(condition, a, b))
}

/// Every element clamped to `[low, high]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::clip(&x, -1.0, 0.5).to_vec::<f32>()?, [0.5, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn clip<T: Tree<Array>>(tree: &T, low: f64, high: f64) -> T {
    tree.map_leaves(|x: &Array| x.clip(low, high))
}

/// Every leaf in `dtype`.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let narrow = jarrah_optim::tree::cast(&Array::ones(&[2]), DType::BF16);
/// assert_eq!(narrow.dtype(), DType::BF16);
/// ```
#[track_caller]
pub fn cast<T: Tree<Array>>(tree: &T, dtype: DType) -> T {
    tree.map_leaves(|x: &Array| x.astype(dtype))
}

/// Every leaf in the dtype of the leaf of `like`.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let like = Array::full(&[2], 0.0, DType::F64);
/// assert_eq!(jarrah_optim::tree::cast_like(&Array::ones(&[2]), &like).dtype(), DType::F64);
/// ```
#[track_caller]
pub fn cast_like<T: Tree<Array>>(tree: &T, like: &T) -> T {
    pairs("cast_like", tree, like, |x, like| x.astype(like.dtype()))
}

/// The real part of every leaf.
///
/// ```
/// use jarrah_array::{Array, c64};
/// let z = Array::scalar(c64 { re: 1.0, im: 2.0 });
/// assert_eq!(jarrah_optim::tree::real(&z).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn real<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(|x: &Array| if x.dtype().is_complex() { x.real() } else { x.clone() })
}

/// The complex conjugate of every leaf.
///
/// ```
/// use jarrah_array::{Array, c64};
/// let z = Array::scalar(c64 { re: 1.0, im: 2.0 });
/// assert_eq!(jarrah_optim::tree::conj(&z).imag().item::<f32>()?, -2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conj<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(|x: &Array| if x.dtype().is_complex() { x.conj() } else { x.clone() })
}

/// Every leaf with the axes of `shape` in front, along which it is repeated.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_optim::tree::batch_shape(&Array::ones(&[2]), &[3]).shape(), [3, 2]);
/// ```
#[track_caller]
pub fn batch_shape<T: Tree<Array>>(tree: &T, shape: &[usize]) -> T {
    tree.map_leaves(|x: &Array| x.broadcast_to(&[shape, &x.shape()].concat()))
}

/// `sum(conj(a) b)` over all elements of all leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert!((tree::vdot(&x, &x).item::<f32>()? - 5.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn vdot<T: Tree<Array>>(a: &T, b: &T) -> Array {
    let products = pairs("vdot", a, b, |a, b| if a.dtype().is_complex() { a.conj() * b } else { a * b });
    sum(&products)
}

/// The sum of all elements of all leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert!((tree::sum(&x).item::<f32>()? - -1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sum<T: Tree<Array>>(tree: &T) -> Array {
    fold(tree, 0.0, |x| x.sum(..), |a, b| a + b)
}

/// The largest element of all leaves; without one, negative infinity.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert!((tree::max(&x).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn max<T: Tree<Array>>(tree: &T) -> Array {
    fold(tree, f64::NEG_INFINITY, |x| x.max(..), |a, b| a.maximum(b))
}

/// The smallest element of all leaves; without one, infinity.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert!((tree::min(&x).item::<f32>()? - -2.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn min<T: Tree<Array>>(tree: &T) -> Array {
    fold(tree, f64::INFINITY, |x| x.min(..), |a, b| a.minimum(b))
}

#[track_caller]
fn fold<T: Tree<Array>>(
    tree: &T,
    empty: f64,
    of: impl Fn(&Array) -> Array,
    join: impl Fn(Array, Array) -> Array,
) -> Array {
    let filled = tree.leaves().into_iter().filter(|x: &&Array| x.size() > 0);
    filled.map(of).reduce(join).unwrap_or_else(|| Array::full(&[], empty, DType::F32))
}

/// Which norm of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NormOrder {
    /// The sum of absolute values.
    One,
    /// The root of the sum of squares.
    Two,
    /// The largest absolute value.
    Infinity,
}

/// The norm of all elements of all leaves as of one vector.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree::{NormOrder, norm};
/// let x = (Array::scalar(3.0), Array::from_slice(&[-4.0f32]));
/// assert_eq!([NormOrder::One, NormOrder::Two, NormOrder::Infinity].map(|order| norm(&x, order).item::<f32>().unwrap()), [7.0, 5.0, 4.0]);
/// ```
#[track_caller]
pub fn norm<T: Tree<Array>>(tree: &T, order: NormOrder) -> Array {
    match order {
        NormOrder::One => sum(&tree.map_leaves(Array::abs)),
        NormOrder::Two => squared_norm(tree).sqrt(),
        NormOrder::Infinity => max(&tree.map_leaves(Array::abs)),
    }
}

/// The sum of the squares of all elements of all leaves, of complex ones of their absolute values.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert!((tree::squared_norm(&x).item::<f32>()? - 5.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn squared_norm<T: Tree<Array>>(tree: &T) -> Array {
    sum(&tree.map_leaves(abs_sq))
}

/// `|x|^2`, which is real.
pub(crate) fn abs_sq(x: &Array) -> Array {
    if x.dtype().is_complex() { x.real().square() + x.imag().square() } else { x.square() }
}

/// The number of elements of all leaves.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_optim::tree::size(&(Array::ones(&[2]), Array::ones(&[3, 2]))), 8);
/// ```
pub fn size<T: Tree<Array>>(tree: &T) -> usize {
    tree.leaves().into_iter().map(|x: &Array| x.size()).sum()
}

/// Whether all elements are close, `|a - b| <= atol + rtol |b|`: a truth value.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::ones(&[2]);
/// assert!(jarrah_optim::tree::allclose(&x, &(&x + 1e-7), 1e-5, 1e-8).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn allclose<T: Tree<Array>>(a: &T, b: &T, rtol: f64, atol: f64) -> Array {
    let close = pairs("allclose", a, b, |a, b| a.allclose(b, rtol, atol));
    close.leaves().into_iter().fold(Array::scalar(true), |all, x: &Array| all & x)
}

/// The dtype of the leaves with floats of the fewest bits, or of the most if `widest`; `f32` without one.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let x = (Array::ones(&[2]), Array::full(&[2], 1.0, DType::BF16));
/// assert_eq!([true, false].map(|widest| jarrah_optim::tree::dtype(&x, widest)), [DType::F32, DType::BF16]);
/// ```
pub fn dtype<T: Tree<Array>>(tree: &T, widest: bool) -> DType {
    let floats =
        tree.leaves().into_iter().map(|x: &Array| x.dtype()).filter(|dtype| dtype.is_differentiable());
    let found = if widest { floats.max_by_key(|d| d.bits()) } else { floats.min_by_key(|d| d.bits()) };
    found.unwrap_or(DType::F32)
}
