//! The shape of a decoder, as data.

mod attention;
mod mlp;

use jarrah_array::{Error, Result, TreeExt, fail};
use jarrah_nn::{Activation, StaticFloat};

pub use attention::{AttentionConfig, AttentionForm, Keys, QkNorm, QueryGrowth};
pub use mlp::{ExpertsConfig, MlpConfig};

use crate::Decoder;
use crate::architecture::shapes;

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
    /// The modules that predict further tokens, in order: of the second, the third, ...
    pub mtp: Vec<MtpConfig>,
}

/// The shape of a module that predicts a further token: see [`MtpModule`](crate::MtpModule).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MtpConfig {
    /// The layer of the module.
    pub layer: LayerConfig,
    /// Whether it has token embeddings of its own, and does not use those of the model.
    pub own_embed: bool,
    /// Whether it has an output layer of its own, likewise.
    pub own_head: bool,
}

impl MtpConfig {
    /// A module that uses the model's embeddings and output layer, as modules are trained.
    pub fn shared(layer: LayerConfig) -> Self {
        MtpConfig { layer, own_embed: false, own_head: false }
    }
}

/// The shape of embeddings for each layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerInputsConfig {
    /// The number of tokens.
    pub vocabulary: usize,
    /// The width for each layer.
    pub width: usize,
    /// The activation of the gate on a layer's input.
    pub activation: Activation,
}

/// The shape of one layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerConfig {
    /// The layer that mixes positions.
    pub attention: AttentionForm,
    /// The layer that acts on each position.
    pub mlp: MlpConfig,
    /// Where normalizations stand.
    pub placement: NormPlacement,
}

/// Where normalizations stand in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormPlacement {
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
    /// By the root mean square, with one added to the scale: Gemma's.
    RmsWithOffset,
    /// By mean and variance, with a bias.
    Layer,
}

impl DecoderConfig {
    /// Layers between embeddings and an output layer of its own: what families differ from.
    ///
    /// * `extents`: the number of tokens, the longest sequence, and the width
    pub(crate) fn new(extents: [usize; 3], layers: Vec<LayerConfig>, norm: NormConfig) -> Self {
        let [vocabulary, context, width] = extents;
        DecoderConfig {
            vocabulary,
            context,
            width,
            layers,
            norm,
            learned_positions: None,
            layer_inputs: None,
            layer_factors: false,
            embedding_scale: None,
            tied: false,
            head_bias: false,
            logit_softcap: None,
            dropout: 0.0.into(),
            mtp: Vec::new(),
        }
    }

    /// The experts of the first layer that has some.
    pub(crate) fn experts(&self) -> Option<&ExpertsConfig> {
        self.layers.iter().find_map(|layer| layer.mlp.experts())
    }

    /// The layers, those of the modules that predict further tokens behind the others.
    pub(crate) fn all_layers(&self) -> impl Iterator<Item = &LayerConfig> {
        self.layers.iter().chain(self.mtp.iter().map(|module| &module.layer))
    }

    /// Checks that a model of this shape exists.
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
        for (i, layer) in self.all_layers().enumerate() {
            let checked = layer.attention.check().and_then(|()| layer.mlp.check(self.width));
            checked.map_err(|error| error.help(format!("that is layer {i}")))?;
        }
        let borrows = |module: &MtpConfig| {
            module.layer.attention.as_heads().is_some_and(|a| matches!(a.keys, Keys::Borrowed(_)))
        };
        if !self.mtp.is_empty() && (self.layer_inputs.is_some() || self.mtp.iter().any(borrows)) {
            let error = "modules that predict further tokens behind layers with inputs or keys of others";
            return Err(Error::input(error).help("this family has no such modules: set their number to 0"));
        }
        Ok(())
    }

    /// Whether random numbers for such a model can be made, which are counted in 32 bits.
    ///
    /// # Errors
    /// A matrix has more than `2^32` elements (`Input`).
    pub(crate) fn check_random(&self) -> Result<()> {
        largest("the embeddings", &[self.vocabulary, self.width])?;
        for (i, layer) in self.all_layers().enumerate() {
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

    /// The number of parameters. A configuration that is none is a program error: check it first.
    ///
    /// ```
    /// use jarrah_models::DecoderConfig;
    /// // Llama 3.1 with 8 billion parameters.
    /// assert_eq!(DecoderConfig::named("llama3.1-8b").unwrap().parameters(), 8_030_261_248);
    /// ```
    #[track_caller]
    pub fn parameters(&self) -> usize {
        let model = shapes::<Decoder>(self).unwrap_or_else(|error| fail(error.op("decoder")));
        model.leaves().into_iter().map(jarrah_array::Array::size).sum()
    }

    /// The floating-point operations of training on one token of sequences of `length` tokens, forward and backward: six for each weight that
    /// the token is multiplied with (of experts, those it goes through), and six for each element of a key and of a value, of each head, for each pair of a
    /// query and a key that it sees.
    ///
    /// Only pairs that attention looks at are counted: of causal attention `(length + 1) / 2` keys for each query on average, or the window's.
    pub fn training_flops_per_token(&self, length: usize) -> f64 {
        let layers: f64 = self.all_layers().map(|layer| layer.flops(self.width, length)).sum();
        let inputs = self.layer_inputs.map_or(0, |inputs| 3 * self.layers.len() * inputs.width * self.width);
        // Each module that predicts a further token has a projection, and gives logits too.
        let projections = self.mtp.len() * 2 * self.width * self.width;
        let heads = (1 + self.mtp.len()) * self.vocabulary * self.width;
        layers + 6.0 * (heads + projections + inputs) as f64
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
            _ if !self.attention.is_causal() => length * length,
            None => first(seen) + (length - seen) * seen,
            Some(chunk) => length / chunk * first(chunk) + first(length % chunk),
        };
        let pairs = pairs as f64 / length.max(1) as f64;
        6.0 * (weights + self.mlp.weights(width)) as f64 + 6.0 * pairs * looked_at as f64
    }
}
