//! Gradients of functions without useful derivatives, such as the position of a maximum, estimated from their values at random
//! points nearby.

use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, TreeExt, stop_gradient, vmap};

use crate::tree;

/// A distribution of noise with a density.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noise {
    /// Gumbel's, with the density `exp(-z - exp(-z))`.
    Gumbel,
    /// The normal one.
    Normal,
}

impl Noise {
    fn sample(self, key: &Key, like: &Array) -> Array {
        match self {
            Noise::Gumbel => key.gumbel_in(&like.shape(), like.dtype()),
            Noise::Normal => key.normal_in(&like.shape(), like.dtype()),
        }
    }

    /// The logarithm of the density, up to a constant.
    fn log_density(self, z: &Array) -> Array {
        match self {
            Noise::Gumbel => -z - (-z).exp(),
            Noise::Normal => z.square() * -0.5,
        }
    }
}

/// The options of [`make_perturbed_fun`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Perturbation {
    /// The number of points.
    pub num_samples: usize,
    /// The factor on the noise.
    pub sigma: f64,
    /// The noise.
    pub noise: Noise,
    /// Whether the value without noise is subtracted where gradients are estimated, which makes them vary less.
    pub use_baseline: bool,
}

impl Default for Perturbation {
    fn default() -> Self {
        Perturbation { num_samples: 1000, sigma: 0.1, noise: Noise::Gumbel, use_baseline: true }
    }
}

/// The mean of `f` at random points, `E f(x + sigma z)`, a smooth function of `x` whose gradients are estimated by those of the density of
/// `z` (the score function), not by those of `f`.
///
/// ```
/// use jarrah_array::{Array, DType, grad, random::Key};
/// use jarrah_optim::perturbations::{Perturbation, make_perturbed_fun};
/// let largest = |x: &Array| x.argmax(..).one_hot(3, DType::F32);
/// let soft = make_perturbed_fun(largest, Perturbation::default());
/// let first = |x: &Array| soft(&Key::new(0), x).index(0);
/// assert!(grad(first)(&Array::from_slice(&[1.0f32, 0.9, 0.0])).index(0).item::<f32>()? > 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Berthet et al., Learning with differentiable perturbed optimizers (2020).
pub fn make_perturbed_fun<P: Tree<Array>>(
    f: impl Fn(&P) -> Array,
    options: Perturbation,
) -> impl Fn(&Key, &P) -> Array {
    let Perturbation { num_samples, sigma, noise, use_baseline } = options;
    move |key, x| {
        let words = key.split_in(&[num_samples]);
        let baseline = use_baseline.then(|| f(&x.map_leaves(stop_gradient)));
        let one = |words: &Array| {
            let z = tree::random_like(&Key::wrap(words.clone(), key.key_impl()), x, |key, x| {
                noise.sample(key, x)
            });
            let point = tree::pairs("make_perturbed_fun", x, &z, |x, z| stop_gradient(&(x + z * sigma)));
            let z = tree::pairs("make_perturbed_fun", x, &point, |x, point| (point - x) / sigma);
            let density = tree::sum(&z.map_leaves(|z: &Array| noise.log_density(z)));
            // One, with the gradient of the density.
            let weight = (&density - stop_gradient(&density)).exp();
            let value = f(&point) * &weight;
            match &baseline {
                Some(baseline) => value + baseline * (1.0 - &weight),
                None => value,
            }
        };
        vmap(one)(&words).mean(0)
    }
}
