//! The shape of a decoder, as data.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, LatentConfig, Rope, Routing, StaticFloat};

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
    /// Embeddings for each layer, if there are such: Gemma 4's.
    pub layer_inputs: Option<LayerInputsConfig>,
    /// Whether each layer has a factor on its result, which is not trained: Gemma 4's.
    pub layer_factors: bool,
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

/// The shape of embeddings for each layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerInputsConfig {
    /// The number of tokens.
    pub vocabulary: usize,
    /// The width for each layer.
    pub width: usize,
    /// The activation of the gate by which a layer takes what is for it.
    pub activation: Activation,
}

/// The shape of one layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerConfig {
    /// What mixes positions.
    pub attention: AttentionKind,
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

/// A kind of attention, with its shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttentionKind {
    /// Heads with keys and values, of their own or of a group.
    Heads(AttentionConfig),
    /// Heads whose keys and values are made from a latent vector: DeepSeek's.
    Latent(LatentConfig),
}

impl From<AttentionConfig> for AttentionKind {
    fn from(config: AttentionConfig) -> Self {
        AttentionKind::Heads(config)
    }
}

impl From<LatentConfig> for AttentionKind {
    fn from(config: LatentConfig) -> Self {
        AttentionKind::Latent(config)
    }
}

impl AttentionKind {
    /// The number of query heads.
    pub fn heads(&self) -> usize {
        match self {
            AttentionKind::Heads(a) => a.heads,
            AttentionKind::Latent(a) => a.heads,
        }
    }

    /// The number of key and value heads that a cache holds.
    pub fn groups(&self) -> usize {
        match self {
            AttentionKind::Heads(a) => a.groups,
            AttentionKind::Latent(_) => 1,
        }
    }

    /// The width of the keys of a head.
    pub fn head_width(&self) -> usize {
        match self {
            AttentionKind::Heads(a) => a.head_width,
            AttentionKind::Latent(a) => a.key(),
        }
    }

    /// The shape, if it is attention with keys and values.
    pub fn as_heads(&self) -> Option<&AttentionConfig> {
        match self {
            AttentionKind::Heads(a) => Some(a),
            AttentionKind::Latent(_) => None,
        }
    }

    /// How many tokens each sees, itself included, if not all before it.
    pub fn window(&self) -> Option<usize> {
        self.as_heads()?.window
    }

    fn chunk(&self) -> Option<usize> {
        self.as_heads()?.chunk
    }

    /// The numbers of each position that a cache holds.
    pub fn cached(&self) -> usize {
        match self {
            AttentionKind::Heads(AttentionConfig { keys: Keys::Borrowed(_), .. }) => 0,
            AttentionKind::Heads(a) => 2 * a.groups * a.head_width,
            AttentionKind::Latent(a) => a.cached(),
        }
    }

    fn check(&self) -> Result<()> {
        let a = match self {
            AttentionKind::Heads(a) => a,
            AttentionKind::Latent(a) => {
                return match [a.heads, a.latent, a.nope, a.value, a.query_latent.unwrap_or(1)].contains(&0) {
                    true => Err(Error::input("an extent of latent attention is 0")),
                    false => Ok(()),
                };
            }
        };
        if a.heads == 0 || a.groups == 0 || a.head_width == 0 || !a.heads.is_multiple_of(a.groups) {
            let (heads, groups, width) = (a.heads, a.groups, a.head_width);
            return Err(Error::input(format!(
                "{heads} heads of width {width} do not fit {groups} heads of keys and values"
            )));
        }
        if [a.window, a.chunk, a.growth.map(|growth| growth.step)].contains(&Some(0)) {
            return Err(Error::input("attention with windows, chunks or steps of 0 positions"));
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

    /// The weights that a token of `width` elements is multiplied with, and the elements of the keys and values of all heads of a position.
    fn sizes(&self, width: usize) -> (usize, usize) {
        match self {
            AttentionKind::Heads(a) => {
                let made = match a.keys {
                    Keys::Own | Keys::Normed { joint: false, .. } => 2,
                    Keys::Normed { joint: true, .. } => 1,
                    Keys::Borrowed(_) => 0,
                };
                (width * (2 * a.heads + made * a.groups) * a.head_width, 2 * a.heads * a.head_width)
            }
            AttentionKind::Latent(a) => {
                let queries = a.heads * a.key();
                let q = a.query_latent.map_or(width * queries, |inner| inner * (width + queries));
                let up = a.latent * a.heads * (a.nope + a.value);
                let weights = q + width * a.cached() + up + a.heads * a.value * width;
                (weights, a.heads * (a.key() + a.value))
            }
        }
    }
}

/// The shape of attention with keys and values.
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
    /// Where keys and values come from.
    pub keys: Keys,
    /// The positions that are turned into queries and keys.
    pub rope: Option<Rope>,
    /// Whether tokens see none behind them.
    pub causal: bool,
    /// How many tokens each sees, itself included, if not all before it.
    pub window: Option<usize>,
    /// The length of chunks, of which each token sees its own alone, if there are some: Llama 4.
    pub chunk: Option<usize>,
    /// How queries grow with their positions, if they do: Llama 4.
    pub growth: Option<Growth>,
    /// The factor on scores, if it is not `1 / sqrt(head_width)`.
    pub scale: Option<StaticFloat>,
    /// The bound of scores.
    pub softcap: Option<StaticFloat>,
    /// Whether each head has one more score that it may look at.
    pub sinks: bool,
}

/// How queries grow with their positions: by the factor `1 + scale ln(1 + floor((p + 1) / step))` at position `p`.
///
/// Source: Nakanishi, Scalable-softmax is superior for attention (2025), as Llama 4 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Growth {
    /// After how many positions the factor grows.
    pub step: usize,
    /// By how much.
    pub scale: StaticFloat,
}

/// Where the keys and values of a layer come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keys {
    /// Maps of this layer.
    #[default]
    Own,
    /// Maps of this layer, with values that are normalized by head, without a scale: Gemma 4.
    Normed {
        /// Whether values are made by the map of keys, before these are normalized and turned.
        joint: bool,
        /// The number by which later layers find them, if some do.
        lent: Option<usize>,
    },
    /// An earlier layer, which lends them by this number.
    Borrowed(usize),
}

/// A normalization of queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QkNorm {
    /// Of each head: Qwen 3, Gemma 3.
    Heads,
    /// Of each head, without a scale: Llama 4.
    HeadsUnscaled,
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

    fn check(&self, width: usize) -> Result<()> {
        let Some(&ExpertsConfig { count, hidden, .. }) = self.experts() else { return Ok(()) };
        let elements = count.checked_mul(hidden).and_then(|rows| rows.checked_mul(width));
        match elements {
            Some(elements) if elements <= 1 << 42 => Ok(()),
            _ => Err(Error::input(format!("{count} experts of {hidden} by {width} are too large"))),
        }
    }

    /// The weights that a token of `width` elements is multiplied with.
    fn weights(&self, width: usize) -> usize {
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
    /// The parameters of experts that a token of `width` elements does not go through.
    pub fn idle(&self, width: usize) -> usize {
        3 * width * self.hidden * (self.count - self.routing.active)
    }
}

impl DecoderConfig {
    /// Whether there is such a model.
    ///
    /// # Errors
    /// An extent is zero, groups do not divide heads, a rotary embedding is wider than a head, or there are more experts than fit any machine
    /// (`Input`).
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
            let checked = layer.attention.check().and_then(|()| layer.mlp.check(self.width));
            checked.map_err(|error| error.help(format!("that is layer {i}")))?;
        }
        Ok(())
    }

    /// Whether random numbers for such a model can be made, which are counted in 32 bits.
    ///
    /// # Errors
    /// A matrix has more than `2^32` elements (`Input`).
    pub(crate) fn check_random(&self) -> Result<()> {
        largest("the embeddings", &[self.vocabulary, self.width])?;
        for (i, layer) in self.layers.iter().enumerate() {
            let a = &layer.attention;
            largest("the queries' map", &[self.width, a.heads(), a.head_width()])
                .and_then(|()| match &layer.mlp {
                    MlpConfig::Plain { hidden, .. }
                    | MlpConfig::Gated { hidden, .. }
                    | MlpConfig::Both { hidden, .. } => largest("the MLP's map", &[self.width, *hidden]),
                    MlpConfig::Experts(_) => Ok(()),
                })
                .and_then(|()| match layer.mlp.experts() {
                    Some(e) => largest("the experts' maps", &[2, e.count, self.width, e.hidden]),
                    None => Ok(()),
                })
                .map_err(|error| error.help(format!("that is layer {i}")))?;
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
    /// the token is multiplied with (of experts, those it goes through), and six for each element of a key and of a value, of each head, for each pair of a
    /// query and a key that it sees.
    ///
    /// Only pairs that causal and windowed attention looks at are counted: `(length + 1) / 2` keys for each query on average, or the window's.
    pub fn training_flops_per_token(&self, length: usize) -> f64 {
        let layers: f64 = self.layers.iter().map(|layer| layer.flops(self.width, length)).sum();
        let inputs = self.layer_inputs.map_or(0, |inputs| 3 * self.layers.len() * inputs.width * self.width);
        layers + 6.0 * (self.vocabulary * self.width + inputs) as f64
    }
}

fn largest(what: &str, extents: &[usize]) -> Result<()> {
    let size = extents.iter().try_fold(1usize, |size, &extent| size.checked_mul(extent));
    match size.is_some_and(|size| u32::try_from(size).is_ok()) {
        true => Ok(()),
        false => Err(Error::input(format!("{what} would be {extents:?}, more than 2^32 numbers"))),
    }
}

impl LayerConfig {
    fn flops(&self, width: usize, length: usize) -> f64 {
        let (weights, looked_at) = self.attention.sizes(width);
        // Query `t` sees `min(t + 1, window)` keys, or those of its chunk before it.
        let first = |count: usize| count * (count + 1) / 2;
        let seen = self.attention.window().unwrap_or(length).min(length);
        let pairs = match self.attention.chunk() {
            None => first(seen) + (length - seen) * seen,
            Some(chunk) => length / chunk * first(chunk) + first(length % chunk),
        };
        let pairs = pairs as f64 / length.max(1) as f64;
        6.0 * (weights + self.mlp.weights(width)) as f64 + 6.0 * pairs * looked_at as f64
    }
}
