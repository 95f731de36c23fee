use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, stop_gradient, where_};

use crate::{Context, Filter, Initializer, Kind, Layer, Module, State, StaticFloat, Variable, edit, parts};

/// A module with each of its weights divided by the weight's largest singular value, which steps of the power iteration estimate:
/// `v = unit(u W^T)`, `u = unit(v W)`, `sigma = v W u^T`.
///
/// A weight of more than two axes is the matrix of all but the last and the last. In a pass that trains, `u` and `sigma` are left as the next
/// statistics; in others they are used and not left.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Context, Linear, Module, SpectralNorm, update};
/// let (a, b) = Key::new(0).pair();
/// let norm = SpectralNorm::new(&a, Linear::new(&b, 3, 4));
/// let mut cx = Context::train(&Key::new(1));
/// norm.call(&Array::ones(&[2, 3]), &mut cx);
/// let next = update(&norm, &cx.updates());
/// assert_eq!(next.statistics.names(), ["weight.sigma", "weight.u"]);
/// ```
///
/// Source: Miyato et al., Spectral normalization for generative adversarial networks (2018); `flax.nnx.SpectralNorm`.
#[derive(Clone, Debug, Tree)]
pub struct SpectralNorm {
    /// The module.
    pub layer: Layer,
    /// `u: [1, columns]` and `sigma`, a scalar, below the path of each weight.
    pub statistics: State,
    /// The number of steps of the power iteration in each call.
    #[tree(static)]
    pub steps: usize,
    /// The number added to the square of a length.
    #[tree(static)]
    pub epsilon: StaticFloat,
}

impl SpectralNorm {
    /// A module with every parameter of two axes and more divided, by one step in each call.
    #[track_caller]
    pub fn new(key: &Key, layer: impl Into<Layer>) -> Self {
        Self::with(key, layer, "**", 1)
    }

    /// A module in which those parameters with two or more axes that `filter` accepts are divided by their largest singular
    /// value.
    #[track_caller]
    pub fn with(key: &Key, layer: impl Into<Layer>, filter: impl Into<Filter>, steps: usize) -> Self {
        let (layer, mut statistics) = (layer.into(), State::default());
        let matrix = |variable: &Variable| variable.kind() == Kind::PARAMETER && variable.ty().rank() > 1;
        let weights: Vec<(String, Variable)> = parts(&layer, filter);
        let statistic = |array: Array| Variable::from(array).of_kind(Kind::BATCH_STATISTIC);
        // A variable inside of another accepted variable is left alone, since the outer one is divided.
        let inner = |path: &str| weights.iter().any(|(above, _)| path.starts_with(&format!("{above}.")));
        let chosen = weights.iter().filter(|(path, weight)| matrix(weight) && !inner(path));
        for (i, (path, weight)) in chosen.enumerate() {
            let columns = weight.shape().last().copied().unwrap_or(1);
            let u = Initializer::normal(0.01).sample(&key.fold_in(i as u32), &[1, columns], DType::F32);
            statistics.set(&format!("{path}.u"), statistic(u));
            statistics.set(&format!("{path}.sigma"), statistic(Array::scalar(1.0f32)));
        }
        if statistics.is_empty() || steps == 0 {
            let error = Error::program(format!("{steps} steps over {} weights", statistics.len()));
            fail(
                error
                    .op("spectral norm")
                    .help("give a module with weights of two axes, and one step or more"),
            );
        }
        SpectralNorm { layer, statistics, steps, epsilon: 1e-12.into() }
    }

    /// `x` divided by its length.
    #[track_caller]
    fn unit(&self, x: &Array) -> Array {
        x * (x.square().sum(..) + self.epsilon.get()).rsqrt()
    }
}

impl Module for SpectralNorm {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let mut layer = self.layer.clone();
        let mut next = Vec::new();
        edit(&mut layer, "**", |path, weight: &mut Variable| {
            let (own, sigma) = (format!("{path}.u"), format!("{path}.sigma"));
            let Some(start) = self.statistics.get::<Variable>(&own) else { return };
            let whole = weight.get();
            let matrix = whole.reshape((-1, whole.shape()[whole.rank() - 1]));
            let (mut u, mut v) = (start.get(), Array::zeros(&[1]));
            for _ in 0..self.steps {
                v = self.unit(&u.matmul(&matrix.t()));
                u = self.unit(&v.matmul(&matrix));
            }
            let (u, v) = (stop_gradient(&u), stop_gradient(&v));
            let largest = v.matmul(&matrix).matmul(&u.t()).squeeze([0, 1]);
            *weight = weight.replaced(&whole / where_(&largest.ne(0.0), &largest, 1.0));
            next.push((own, start.clone(), u));
            next.push((sigma, start, stop_gradient(&largest)));
        });
        if cx.is_training() {
            for (path, old, value) in next {
                cx.set_variable(&format!("statistics.{path}"), &old, value);
            }
        }
        cx.call("layer", &layer, x)
    }
}
