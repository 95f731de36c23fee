use std::fmt;
use std::sync::Arc;

use jarrah_array::{Array, Tree, where_};

use crate::{GradientTransformation, Leaves};

/// The leaves that a transformation applies to, chosen by path and array.
///
/// ```
/// use jarrah_optim::Mask;
/// let no_norms = Mask::new(|path, _| !path.contains("ln_"));
/// # let _ = no_norms;
/// ```
#[derive(Clone)]
pub struct Mask(Arc<dyn Fn(&str, &Array) -> bool + Send + Sync>);

impl Mask {
    /// The leaves for which `f(path, array)` holds.
    pub fn new(f: impl Fn(&str, &Array) -> bool + Send + Sync + 'static) -> Self {
        Mask(Arc::new(f))
    }

    /// All leaves.
    pub fn all() -> Self {
        Mask::new(|_, _| true)
    }

    /// Leaves with two or more axes: weights and tables, not biases and scales.
    pub fn matrices() -> Self {
        Mask::new(|_, array| array.rank() >= 2)
    }

    fn chosen(&self, leaves: &Leaves) -> Vec<bool> {
        leaves.iter().map(|(path, array)| (self.0)(&path.to_string(), array)).collect()
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mask")
    }
}

/// Updates plus a multiple of the parameters in `mask`, `u = g + weight_decay p`. Integers, such as the words of a key, do not decay.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Mask, add_decayed_weights};
/// let t = add_decayed_weights(0.5, Mask::all());
/// let (g, p) = (Array::scalar(1.0f32), Array::scalar(4.0f32));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loshchilov and Hutter, Decoupled weight decay regularization (2017).
pub fn add_decayed_weights(weight_decay: f64, mask: Mask) -> GradientTransformation {
    GradientTransformation::stateless("add_decayed_weights", move |updates, params| {
        let mut chosen = mask.chosen(params).into_iter();
        updates.zip([params], |g, [p]| match chosen.next() {
            Some(true) if p.dtype().is_differentiable() => g + p * weight_decay,
            _ => g.clone(),
        })
    })
}

/// Applies `inner` to the leaves in `mask` only; the others keep their updates.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Mask, masked, scale};
/// let t = masked(scale(0.0), Mask::new(|path, _| path == "1"));
/// let g = (Array::scalar(1.0f32), Array::scalar(1.0f32));
/// let (u, _) = t.update(&g, &t.init(&g), &g);
/// assert_eq!((u.0.item::<f32>()?, u.1.item::<f32>()?), (1.0, 0.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn masked(inner: GradientTransformation, mask: Mask) -> GradientTransformation {
    let (first, select) = (inner.clone(), mask.clone());
    GradientTransformation::new(
        "masked",
        move |params: &Leaves| {
            let chosen = select.chosen(params);
            Inner { inner: first.init(&params.filter(|i| chosen[i])) }
        },
        move |updates, state, params| {
            let chosen = mask.chosen(params);
            let part = updates.filter(|i| chosen[i]);
            let (part, state) = inner.update(&part, &state.inner, &params.filter(|i| chosen[i]));
            let mut changed = part.iter().map(|(_, array)| array.clone());
            let mut chosen = chosen.into_iter();
            let merged = updates.map(|g| match chosen.next() {
                Some(true) => changed.next().unwrap_or_else(|| g.clone()),
                _ => g.clone(),
            });
            (merged, Inner { inner: state })
        },
    )
}

#[derive(Clone, Tree)]
struct Inner {
    inner: Leaves,
}

/// Each leaf's update scaled to the norm of its parameter, `u = g |p| / |g|`; unchanged if either norm is zero.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale_by_trust_ratio();
/// let (g, p) = (Array::scalar(2.0f32), Array::scalar(-3.0f32));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: You et al., Large batch optimization for deep learning (2019).
pub fn scale_by_trust_ratio() -> GradientTransformation {
    GradientTransformation::stateless("scale_by_trust_ratio", |updates, params| {
        updates.zip([params], |g, [p]| {
            let (update, param) = (g.square().sum(..).sqrt(), p.square().sum(..).sqrt());
            let none = update.eq(0.0) | param.eq(0.0);
            g * where_(&none, 1.0, param / update)
        })
    })
}
