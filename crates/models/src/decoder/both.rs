use jarrah_array::{Array, Tree};
use jarrah_nn::{Context, Experts, Layer, Module};

use super::config::NormConfig;
use super::norm;

/// An MLP and a mixture of experts side by side: Gemma 4's.
///
/// ```text
/// y = mlp_post_norm(mlp(mlp_norm(x))) + experts_post_norm(experts(experts_norm(x))),   experts chosen by router_norm(x) / sqrt(width)
/// ```
#[derive(Clone, Debug, Tree)]
pub struct MlpAndExperts {
    /// The normalization before the MLP.
    pub mlp_norm: Layer,
    /// The MLP of all tokens.
    pub mlp: Layer,
    /// The normalization of the MLP's result.
    pub mlp_post_norm: Layer,
    /// The normalization before the router.
    pub router_norm: Layer,
    /// The normalization before the experts.
    pub experts_norm: Layer,
    /// The experts, of which each token goes through some.
    pub experts: Experts,
    /// The normalization of the experts' result.
    pub experts_post_norm: Layer,
}

impl MlpAndExperts {
    pub(super) fn new(mlp: Layer, experts: Experts, width: usize, norms: &NormConfig) -> Self {
        let norm = || norm(norms, width);
        MlpAndExperts {
            mlp_norm: norm(),
            mlp,
            mlp_post_norm: norm(),
            router_norm: norm(),
            experts_norm: norm(),
            experts,
            experts_post_norm: norm(),
        }
    }
}

impl Module for MlpAndExperts {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let y = cx.call("mlp_norm", &self.mlp_norm, x);
        let y = cx.call("mlp", &self.mlp, &y);
        let y = cx.call("mlp_post_norm", &self.mlp_post_norm, &y);
        let width = x.shape().last().copied().unwrap_or(1) as f64;
        let by = cx.call("router_norm", &self.router_norm, x) * width.powf(-0.5);
        let z = cx.call("experts_norm", &self.experts_norm, x);
        let z = cx.call_with("experts", |cx| self.experts.mix(&z, &by, cx));
        y + cx.call("experts_post_norm", &self.experts_post_norm, &z)
    }
}
