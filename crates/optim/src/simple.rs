//! Transformations of a line or two.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, where_};

use crate::lookahead::copied;
use crate::moments::{plus_one, start};
use crate::{GradientTransformation, Leaves, tree};

/// The updates unchanged.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// use jarrah_optim::transforms::*;
/// let optimizer = identity();
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? == 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn identity() -> GradientTransformation {
    GradientTransformation::stateless("identity", |updates, _| updates.clone())
}

/// Updates of zeros.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::set_to_zero();
/// let g = Array::scalar(2.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn set_to_zero() -> GradientTransformation {
    GradientTransformation::stateless("set_to_zero", |updates, _| updates.map(Array::zeros_like))
}

/// `f(update, parameter)` of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::stateless_with_tree_map(|g, p| g * p);
/// let (g, p) = (Array::scalar(2.0), Array::scalar(3.0));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn stateless_with_tree_map(
    f: impl Fn(&Array, &Array) -> Array + Send + Sync + 'static,
) -> GradientTransformation {
    GradientTransformation::stateless("stateless_with_tree_map", move |updates, params| {
        updates.zip([params], |g, [p]| f(g, p))
    })
}

#[derive(Clone, Tree)]
struct FoundNan {
    found_nan: Leaves,
}

/// Zeros in place of NaNs; `found_nan` in the state has a truth value for each leaf.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::zero_nans();
/// let g = Array::from_slice(&[f32::NAN, 2.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn zero_nans() -> GradientTransformation {
    GradientTransformation::new(
        "zero_nans",
        |params| FoundNan { found_nan: params.map(|_| Array::scalar(false)) },
        |updates, _, _| {
            let found_nan = updates.map(|g| g.isnan().any(..));
            (updates.map(|g| where_(&g.isnan(), g.zeros_like(), g)), FoundNan { found_nan })
        },
    )
}

/// Updates that leave parameters at zero where they would become negative.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::keep_params_nonnegative();
/// let (g, p) = (Array::from_slice(&[-3.0f32, 1.0]), Array::from_slice(&[2.0f32, 2.0]));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.to_vec::<f32>()?, [-2.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn keep_params_nonnegative() -> GradientTransformation {
    GradientTransformation::stateless("keep_params_nonnegative", |updates, params| {
        updates.zip([params], |g, [p]| where_(&(p + g).lt(0.0), -p, g))
    })
}

#[derive(Clone, Tree)]
struct NoiseState {
    count: Array,
    rng_key: Array,
}

/// Normal noise that fades, `u = g + sqrt(eta / t^gamma) n`, drawn with keys that the state holds.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// let t = jarrah_optim::transforms::add_noise(0.01, 0.55, &Key::new(0));
/// let g = Array::zeros(&[3]);
/// assert!(t.update(&g, &t.init(&g), &g).0.abs().max(..).item::<f32>()? < 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Neelakantan et al., Adding gradient noise improves learning for very deep networks (2015).
pub fn add_noise(eta: f64, gamma: f64, key: &Key) -> GradientTransformation {
    let key = key.clone();
    let generator = key.clone();
    GradientTransformation::new(
        "add_noise",
        move |_| NoiseState { count: start().count, rng_key: copied(key.words()) },
        move |updates, state, _| {
            let count = plus_one(&state.count);
            let (next, sample) = Key::wrap(state.rng_key.clone(), generator.key_impl()).pair();
            let noise = tree::random_like(&sample, updates, |key, g| key.normal_in(&g.shape(), g.dtype()));
            let dtype = if tree::dtype(updates, true) == DType::F64 { DType::F64 } else { DType::F32 };
            let deviation = (eta / count.astype(dtype).pow(gamma)).sqrt();
            (
                tree::add_scale(updates, &deviation, &noise),
                NoiseState { count, rng_key: next.words().clone() },
            )
        },
    )
}

/// `inner` on one vector of all leaves, for which its state is: fewer, larger operations, and norms of the whole.
///
/// Leaves are cast to one dtype, and updates back to that of their leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::{clip_by_block_rms, flatten};
/// let t = flatten(clip_by_block_rms(1.0));
/// let g = (Array::scalar(3.0), Array::from_slice(&[3.0f32]));
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.0.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn flatten(inner: GradientTransformation) -> GradientTransformation {
    let first = inner.clone();
    GradientTransformation::with_extra(
        "flatten",
        move |params: &Leaves| first.start(&flat(params)),
        move |updates, state, params, extra| {
            let extra = extra.about(flat, |vector| unflat(vector, params));
            let (vector, state) = inner.step(&flat(updates), state, &flat(params), &extra)?;
            Ok((unflat(&vector, updates), state))
        },
    )
}

fn flat(leaves: &Leaves) -> Leaves {
    let vectors: Vec<Array> = leaves.arrays().iter().map(Array::ravel).collect();
    match vectors.is_empty() {
        true => leaves.clone(),
        false => Leaves::single(jarrah_array::concatenate(&vectors.iter().collect::<Vec<&Array>>(), 0)),
    }
}

fn unflat(vector: &Leaves, like: &Leaves) -> Leaves {
    let mut from = 0;
    like.map(|x| {
        let part = vector.arrays()[0].slice(0, from..from + x.size());
        from += x.size();
        part.reshape(&x.shape()[..]).astype(x.dtype())
    })
}

/// `inner` with the leaves of its state whose path has the key `name` stored in `dtype`: moments in `bf16`, say, in half the memory.
///
/// The arithmetic of an update is done in the dtype of the parameters, and its new state rounded, as it is for every state: a state that is
/// cast once, by [`tree::cast`] say, keeps its dtypes too.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::{Adam, adam, tree};
/// use jarrah_optim::transforms::state_in;
/// let optimizer = state_in(adam(1e-3, Adam::default()), "mu", DType::BF16);
/// let state = optimizer.init(&Array::ones(&[2]));
/// assert_eq!((tree::get(&state, "mu").dtype(), tree::get(&state, "nu").dtype()), (DType::BF16, DType::F32));
/// ```
pub fn state_in(inner: GradientTransformation, name: &str, dtype: DType) -> GradientTransformation {
    let name = name.to_owned();
    let first = inner.clone();
    GradientTransformation::with_extra(
        "state_in",
        move |params: &Leaves| {
            first.start(params).map_with_paths(|path, x| match tree::named(&path.to_string(), &name) {
                true if x.dtype().is_float() => x.astype(dtype),
                _ => x.clone(),
            })
        },
        move |updates, state, params, extra| inner.step(updates, state, params, extra),
    )
}
