//! The shape of a decoder, as data.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Rope, Routing, StaticFloat};

/// The shape of a [`Decoder`](crate::Decoder): what its parts are, layer by layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DecoderConfig {
    /// The number of tokens.
    pub vocabulary: usize,
    /// The longest sequence that the model was made for.
    pub context: usize,
    /// The width of the residual stream.
    pub width: usize,
    /// The layers, in order.
    pub layers: Vec<LayerConfig>,
    /// The kind of all normalizations.
    pub norm: NormConfig,
    /// The number of learned positions, if there are such.
    pub learned_positions: Option<usize>,
    /// The factor on token embeddings.
    pub embedding_scale: Option<StaticFloat>,
    /// Whether the token embeddings are the output layer too.
    pub tied: bool,
    /// Whether the output layer has a bias.
    pub head_bias: bool,
    /// The bound `c` of logits, which become `c tanh(l / c)`.
    pub logit_softcap: Option<StaticFloat>,
    /// The rate of dropout on what layers add, in training.
    pub dropout: StaticFloat,
}

/// The shape of one layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerConfig {
    /// What mixes positions.
    pub attention: AttentionConfig,
    /// What acts on each position.
    pub mlp: MlpConfig,
    /// Where normalizations stand.
    pub placement: Placement,
}

/// Where normalizations stand in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// `x += f(norm(x))`.
    Before,
    /// `x += norm(f(x))`: OLMo 2 and 3.
    After,
    /// `x += norm(f(norm(x)))`: Gemma 2 and 3.
    Both,
    /// `x += attention(norm_1(x)) + mlp(norm_2(x))`: GPT-NeoX.
    Parallel,
    /// `x = norm(x + f(x))`: BERT.
    Sum,
}

/// A kind of normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NormConfig {
    /// Which.
    pub kind: NormKind,
    /// The number added to the variance or mean square.
    pub epsilon: StaticFloat,
}

/// Which normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormKind {
    /// By the root mean square.
    Rms,
    /// The same with one added to the scale: Gemma's.
    RmsWithOffset,
    /// By mean and variance, with a bias.
    Layer,
}

/// The shape of attention.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttentionConfig {
    /// The number of query heads.
    pub heads: usize,
    /// The number of key and value heads, a divisor of `heads`.
    pub groups: usize,
    /// The width of a head.
    pub head_width: usize,
    /// Whether q, k and v have biases.
    pub bias: bool,
    /// Whether the projection of the results has one.
    pub out_bias: bool,
    /// The normalization of queries and keys.
    pub qk_norm: Option<QkNorm>,
    /// The positions that are turned into queries and keys.
    pub rope: Option<Rope>,
    /// How many tokens each sees, itself included, if not all before it.
    pub window: Option<usize>,
    /// The factor on scores, if it is not `1 / sqrt(head_width)`.
    pub scale: Option<StaticFloat>,
    /// The bound of scores.
    pub softcap: Option<StaticFloat>,
    /// Whether each head has one more score that it may look at.
    pub sinks: bool,
}

/// A normalization of queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QkNorm {
    /// Of each head: Qwen 3, Gemma 3.
    Heads,
    /// Of all heads together: OLMo 2.
    Whole,
}

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
    Experts {
        /// How many there are.
        count: usize,
        /// The width within an expert.
        hidden: usize,
        /// How an expert gates.
        gate: Gate,
        /// How tokens choose.
        routing: Routing,
        /// Whether the router has a bias.
        router_bias: bool,
        /// Whether experts have biases.
        bias: bool,
        /// Whether the choice has a bias of its own.
        choice_bias: bool,
        /// The width within the expert that all tokens share, and whether it is scaled by a sigmoid.
        shared: Option<(usize, bool)>,
        /// Whether matrices lie as `[inputs, outputs]`, as gpt-oss's do.
        inputs_first: bool,
    },
}

impl DecoderConfig {
    /// Whether there is such a model.
    ///
    /// # Errors
    /// An extent is zero, groups do not divide heads, or a rotary embedding is wider than a head (`Input`).
    pub fn check(&self) -> Result<()> {
        let extents = [
            ("vocabulary", self.vocabulary),
            ("context", self.context),
            ("width", self.width),
            ("layers", self.layers.len()),
        ];
        if let Some((name, _)) = extents.iter().find(|(_, extent)| *extent == 0) {
            return Err(Error::input(format!("{name} of a model must be at least 1")));
        }
        for (i, layer) in self.layers.iter().enumerate() {
            layer.check().map_err(|error| error.help(format!("that is layer {i}")))?;
        }
        Ok(())
    }

    /// The number of parameters.
    ///
    /// ```
    /// use jarrah_models::DecoderConfig;
    /// // Llama 3.1 with 8 billion parameters.
    /// assert_eq!(DecoderConfig::named("llama3.1-8b").unwrap().parameters(), 8_030_261_248);
    /// ```
    pub fn parameters(&self) -> usize {
        use jarrah_array::TreeExt;
        let model = crate::Decoder::shapes(self);
        model.leaves().into_iter().map(jarrah_array::Array::size).sum()
    }

    /// The floating-point operations of training on one token of sequences of `length` tokens, forward and backward: six for each weight that
    /// the token is multiplied with (of experts, those it goes through), and `12 heads head_width` for each pair of a query and a key that it sees.
    ///
    /// Only pairs that causal and windowed attention looks at are counted: `(length + 1) / 2` keys for each query on average, or the window's.
    pub fn training_flops_per_token(&self, length: usize) -> f64 {
        let layers: f64 = self.layers.iter().map(|layer| layer.flops(self.width, length)).sum();
        layers + 6.0 * (self.vocabulary * self.width) as f64
    }
}

impl LayerConfig {
    fn check(&self) -> Result<()> {
        let a = &self.attention;
        if a.heads == 0 || a.groups == 0 || a.head_width == 0 || !a.heads.is_multiple_of(a.groups) {
            let (heads, groups, width) = (a.heads, a.groups, a.head_width);
            return Err(Error::input(format!(
                "{heads} heads of width {width} do not fit {groups} heads of keys and values"
            )));
        }
        match &a.rope {
            Some(rope) if rope.width() > a.head_width => Err(Error::input(format!(
                "a rotary embedding of {} elements in heads of width {}",
                rope.width(),
                a.head_width
            ))),
            _ => Ok(()),
        }
    }

    fn flops(&self, width: usize, length: usize) -> f64 {
        let a = &self.attention;
        let qkv = width * (a.heads + 2 * a.groups) * a.head_width;
        let out = a.heads * a.head_width * width;
        let mlp = match &self.mlp {
            MlpConfig::Plain { hidden, .. } => 2 * width * hidden,
            MlpConfig::Gated { hidden, .. } => 3 * width * hidden,
            MlpConfig::Experts { count, hidden, routing, shared, .. } => {
                let own = 3 * width * hidden * routing.active;
                own + width * count
                    + shared.map_or(0, |(hidden, gated)| 3 * width * hidden + usize::from(gated) * width)
            }
        };
        // Query `t` sees `min(t + 1, window)` keys.
        let seen = a.window.unwrap_or(length).min(length);
        let pairs = (seen * (seen + 1) / 2 + (length - seen) * seen) as f64 / length.max(1) as f64;
        6.0 * (qkv + out + mlp) as f64 + 12.0 * pairs * (a.heads * a.head_width) as f64
    }
}
