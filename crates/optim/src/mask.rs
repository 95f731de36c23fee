use std::fmt;
use std::sync::Arc;

use jarrah_array::{Array, Tree};

use crate::scale::scheduled;
use crate::{GradientTransformation, Leaves, Schedule};

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

    /// Whether the mask has this leaf.
    pub fn contains(&self, path: &str, array: &Array) -> bool {
        (self.0)(path, array)
    }

    pub(crate) fn chosen(&self, leaves: &Leaves) -> Vec<bool> {
        leaves.iter().map(|(path, array)| self.contains(&path.to_string(), array)).collect()
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mask")
    }
}

/// Updates plus a multiple of the parameters in `mask`, `u = g + weight_decay p`. Integers, such as the words of a key, do not decay.
///
/// `weight_decay` is a number, an array or a [`Schedule`], which counts the updates in the state.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Mask;
/// use jarrah_optim::transforms::add_decayed_weights;
/// let t = add_decayed_weights(0.5, Mask::all());
/// let (g, p) = (Array::scalar(1.0), Array::scalar(4.0));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loshchilov and Hutter, Decoupled weight decay regularization (2017).
pub fn add_decayed_weights(weight_decay: impl Into<Schedule>, mask: Mask) -> GradientTransformation {
    scheduled("add_decayed_weights", weight_decay.into(), move |updates, params, decay| {
        let mut chosen = mask.chosen(params).into_iter();
        updates.zip([params], |g, [p]| match chosen.next() {
            Some(true) if p.dtype().is_differentiable() => g + decay.times(p),
            _ => g.clone(),
        })
    })
}

/// Applies `inner` to the leaves in `mask` only; the others keep their updates. The state is `inner_state`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Mask;
/// use jarrah_optim::transforms::{masked, scale};
/// let t = masked(scale(0.0), Mask::new(|path, _| path == "1"));
/// let g = (Array::scalar(1.0), Array::scalar(1.0));
/// let (u, _) = t.update(&g, &t.init(&g), &g);
/// assert_eq!((u.0.item::<f32>()?, u.1.item::<f32>()?), (1.0, 0.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn masked(inner: GradientTransformation, mask: Mask) -> GradientTransformation {
    let (first, select) = (inner.clone(), mask.clone());
    GradientTransformation::with_extra(
        "masked",
        move |params: &Leaves| {
            let chosen = select.chosen(params);
            Inner { inner_state: first.start(&params.filter(|i| chosen[i])) }
        },
        move |updates, state, params, extra| {
            let chosen = mask.chosen(params);
            let part = |leaves: &Leaves| leaves.filter(|i| chosen[i]);
            let extra = extra.about(part, |part| params.filled(&chosen, part));
            let (part, inner_state) =
                inner.step(&part(updates), &state.inner_state, &part(params), &extra)?;
            Ok((updates.filled(&chosen, &part), Inner { inner_state }))
        },
    )
}

#[derive(Clone, Tree)]
struct Inner {
    inner_state: Leaves,
}
