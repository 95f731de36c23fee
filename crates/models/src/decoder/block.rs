use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, stop_gradient};
use jarrah_nn::{
    Activation, Context, Dropout, Experts, Gate, GatedMlp, Kind, LatentAttention, Layer, Linear, Mlp, Module,
    Variable,
};

use super::attention::DecoderAttention;
use super::both::MlpAndExperts;
use super::config::{
    AttentionForm, DecoderConfig, ExpertsConfig, LayerConfig, MlpConfig, NormConfig, NormPlacement,
};
use super::layer_inputs::LayerInput;
use super::{linear, norm};

/// A layer of a decoder: `x += attention(..)`, `x += mlp(..)`, each between the normalizations that there are.
#[derive(Clone, Debug, Tree)]
pub struct DecoderBlock {
    /// The normalization before attention.
    pub attention_norm: Option<Layer>,
    /// The layer that mixes positions.
    pub attention: Layer,
    /// The normalization of attention's result.
    pub attention_post_norm: Option<Layer>,
    /// The normalization before the MLP.
    pub mlp_norm: Option<Layer>,
    /// The MLP or the experts, which act on each position.
    pub mlp: Layer,
    /// The normalization of the MLP's result.
    pub mlp_post_norm: Option<Layer>,
    /// Whether the normalizations behind are of the sums instead of the summands.
    #[tree(static)]
    pub of_sums: bool,
    /// Whether attention and the MLP have the same argument.
    #[tree(static)]
    pub parallel: bool,
    /// The dropout on the summands of both.
    pub dropout: Dropout,
    /// Adds the layer's own embedding of the tokens.
    pub input: Option<LayerInput>,
    /// `[1]`: the factor on the result, which is not trained.
    pub factor: Option<Variable>,
}

impl DecoderBlock {
    pub(crate) fn new(config: &DecoderConfig, layer: &LayerConfig, key: &Key) -> Self {
        let keys = key.split(3);
        let (before, after) = match layer.placement {
            NormPlacement::Before | NormPlacement::Parallel => (true, false),
            NormPlacement::After | NormPlacement::Sum => (false, true),
            NormPlacement::Both => (true, true),
        };
        let norm = |is: bool| is.then(|| norm(&config.norm, config.width));
        DecoderBlock {
            attention_norm: norm(before),
            attention: match &layer.attention {
                AttentionForm::Heads(a) => {
                    DecoderAttention::new(a, config.width, &config.norm, &keys[0]).into()
                }
                AttentionForm::Latent(a) => LatentAttention::with(&keys[0], config.width, a, linear).into(),
            },
            attention_post_norm: norm(after),
            // An MLP beside experts has a normalization of its own.
            mlp_norm: norm(before && !matches!(layer.mlp, MlpConfig::Both { .. })),
            mlp: mlp(&layer.mlp, config.width, &config.norm, &keys[1]),
            mlp_post_norm: norm(after),
            of_sums: layer.placement == NormPlacement::Sum,
            parallel: layer.placement == NormPlacement::Parallel,
            dropout: Dropout::new(config.dropout.get()),
            input: config.layer_inputs.map(|inputs| LayerInput::new(config, &inputs, &keys[2])),
            factor: config.layer_factors.then(|| Variable::from(Array::ones(&[1])).of_kind(FACTOR)),
        }
    }
}

/// The kind of factors on the results of layers.
const FACTOR: Kind = Kind::new("factor");

impl DecoderBlock {
    /// The summand of a part of the layer: its result between its normalizations, each with its name, and with dropout.
    fn between(
        &self,
        x: &Array,
        (before, norm): (&str, &Option<Layer>),
        part: impl FnOnce(&Array, &mut Context) -> Array,
        (after, post_norm): (&str, &Option<Layer>),
        cx: &mut Context,
    ) -> Array {
        let x = norm.as_ref().map_or_else(|| x.clone(), |norm| cx.call(before, norm, x));
        let y = part(&x, cx);
        let y = match post_norm.as_ref().filter(|_| !self.of_sums) {
            Some(norm) => cx.call(after, norm, &y),
            None => y,
        };
        cx.call("dropout", &self.dropout, &y)
    }

    /// The sum of `x` and what a part adds.
    fn sum(&self, x: &Array, added: &Array, norm: (&str, &Option<Layer>), cx: &mut Context) -> Array {
        let sum = x + added;
        match norm {
            (name, Some(norm)) if self.of_sums => cx.call(name, norm, &sum),
            _ => sum,
        }
    }
}

fn gated(key: &Key, width: usize, hidden: usize, activation: jarrah_nn::Activation, bias: bool) -> GatedMlp {
    let keys = key.split(3);
    GatedMlp {
        gate: linear(&keys[0], width, hidden, bias),
        up: linear(&keys[1], width, hidden, bias),
        down: linear(&keys[2], hidden, width, bias),
        activation,
    }
}

fn experts(config: &ExpertsConfig, width: usize, key: &Key) -> Experts {
    let &ExpertsConfig { count, hidden, gate, .. } = config;
    let keys = key.split(4);
    let zeros = |is: bool, shape: &[usize]| is.then(|| Variable::from(Array::zeros(shape)));
    let mut experts = Experts::new(&keys[0], count, width, hidden, gate, config.routing);
    if config.inputs_first {
        for weight in [&mut experts.gate_up, &mut experts.down] {
            *weight = weight.get().into();
        }
    }
    experts.router = linear(&keys[1], width, count, config.router_bias);
    experts.gate_up_bias = zeros(config.bias, &[count, 2 * hidden]);
    experts.down_bias = zeros(config.bias, &[count, width]);
    experts.weighted_inputs = config.weighted_inputs;
    experts.wide_router = config.wide_router;
    experts.choice_bias = zeros(config.choice_bias, &[count]);
    if let Some((hidden, scaled)) = config.shared {
        let activation = match gate {
            Gate::Plain(activation) => activation,
            Gate::Clamped { .. } => Activation::SILU,
        };
        experts.shared = Some(gated(&keys[2], width, hidden, activation, false).into());
        experts.shared_gate = scaled.then(|| -> Linear { linear(&keys[3], width, 1, false) });
    }
    experts
}

pub(crate) fn mlp(config: &MlpConfig, width: usize, norms: &NormConfig, key: &Key) -> Layer {
    let (first, second) = key.pair();
    match config {
        &MlpConfig::Plain { hidden, activation, bias } => {
            let (up, down) = (linear(&first, width, hidden, bias), linear(&second, hidden, width, bias));
            Mlp { up, down, activation }.into()
        }
        &MlpConfig::Gated { hidden, activation, bias } => gated(key, width, hidden, activation, bias).into(),
        MlpConfig::Experts(config) => experts(config, width, key).into(),
        MlpConfig::Both { hidden, activation, experts: with } => {
            let plain = gated(&first, width, *hidden, *activation, false);
            let mut experts = experts(with, width, &second);
            experts.expert_scale = Some(Array::ones(&[with.count]).into());
            MlpAndExperts::new(plain.into(), experts, width, norms).into()
        }
    }
}

impl Module for DecoderBlock {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let mixed = self.between(
            x,
            ("attention_norm", &self.attention_norm),
            |x, cx| cx.call("attention", &self.attention, x),
            ("attention_post_norm", &self.attention_post_norm),
            cx,
        );
        let after = self.sum(x, &mixed, ("attention_post_norm", &self.attention_post_norm), cx);
        let fed = self.between(
            if self.parallel { x } else { &after },
            ("mlp_norm", &self.mlp_norm),
            |x, cx| cx.call("mlp", &self.mlp, x),
            ("mlp_post_norm", &self.mlp_post_norm),
            cx,
        );
        let mut y = self.sum(&after, &fed, ("mlp_post_norm", &self.mlp_post_norm), cx);
        if let Some(input) = &self.input {
            y = cx.call("input", input, &y);
        }
        match &self.factor {
            Some(factor) => (&y * stop_gradient(&factor.get())).astype(y.dtype()),
            None => y,
        }
    }
}
