//! The shape of what acts on each position.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Routing};

/// The shape of what acts on each position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MlpConfig {
    /// Two maps with an activation between.
    Plain {
        /// The width between.
        hidden: usize,
        /// The activation.
        activation: Activation,
        /// Whether the maps have biases.
        bias: bool,
    },
    /// A gated MLP.
    Gated {
        /// The width between.
        hidden: usize,
        /// The activation of the gate.
        activation: Activation,
        /// Whether the maps have biases.
        bias: bool,
    },
    /// A mixture of experts.
    Experts(ExpertsConfig),
    /// A gated MLP and a mixture of experts side by side, each between its own normalizations: Gemma 4.
    Both {
        /// The width between.
        hidden: usize,
        /// The activation of the gate.
        activation: Activation,
        /// The experts.
        experts: ExpertsConfig,
    },
}

/// The shape of a mixture of experts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpertsConfig {
    /// How many there are.
    pub count: usize,
    /// The width within an expert.
    pub hidden: usize,
    /// How an expert gates.
    pub gate: Gate,
    /// How tokens choose.
    pub routing: Routing,
    /// Whether the router has a bias.
    pub router_bias: bool,
    /// Whether experts have biases.
    pub bias: bool,
    /// Whether the choice has a bias of its own.
    pub choice_bias: bool,
    /// The width within the expert that all tokens share, and whether it is scaled by a sigmoid.
    pub shared: Option<(usize, bool)>,
    /// Whether matrices lie as `[inputs, outputs]`, as gpt-oss's do.
    pub inputs_first: bool,
    /// Whether the router's logits are computed in `f32`, whatever the model computes in: DeepSeek's.
    pub wide_router: bool,
    /// Whether weights are factors on what experts take, as in Llama 4.
    pub weighted_inputs: bool,
}

impl MlpConfig {
    /// The experts in it, if there are some.
    pub fn experts(&self) -> Option<&ExpertsConfig> {
        match self {
            MlpConfig::Plain { .. } | MlpConfig::Gated { .. } => None,
            MlpConfig::Experts(experts) | MlpConfig::Both { experts, .. } => Some(experts),
        }
    }

    pub(super) fn check(&self, width: usize) -> Result<()> {
        let Some(&ExpertsConfig { count, hidden, .. }) = self.experts() else { return Ok(()) };
        let elements = count.checked_mul(hidden).and_then(|rows| rows.checked_mul(width));
        match elements {
            Some(elements) if elements <= 1 << 42 => Ok(()),
            _ => Err(Error::input(format!("{count} experts of {hidden} by {width} are too large"))),
        }
    }

    /// The weights that a token of `width` elements is multiplied with.
    pub(super) fn weights(&self, width: usize) -> usize {
        let own = match self {
            MlpConfig::Plain { hidden, .. } => 2 * width * hidden,
            MlpConfig::Gated { hidden, .. } | MlpConfig::Both { hidden, .. } => 3 * width * hidden,
            MlpConfig::Experts(_) => 0,
        };
        let experts = self.experts().map_or(0, |experts| {
            let shared = experts.shared;
            3 * width * experts.hidden * experts.routing.active
                + width * experts.count
                + shared.map_or(0, |(hidden, gated)| 3 * width * hidden + usize::from(gated) * width)
        });
        own + experts
    }
}

impl ExpertsConfig {
    /// Experts without biases, with nothing shared: what families differ from.
    pub(crate) fn new(count: usize, hidden: usize, gate: Gate, routing: Routing) -> Self {
        ExpertsConfig {
            count,
            hidden,
            gate,
            routing,
            router_bias: false,
            bias: false,
            choice_bias: false,
            shared: None,
            inputs_first: false,
            wide_router: false,
            weighted_inputs: false,
        }
    }

    /// The parameters of experts that a token of `width` elements does not go through.
    pub fn idle(&self, width: usize) -> usize {
        3 * width * self.hidden * (self.count - self.routing.active)
    }
}
