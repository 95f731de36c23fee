//! The shape of attention.

use jarrah_array::{Error, Result};
use jarrah_nn::{LatentConfig, Rope, StaticFloat};

/// A kind of attention, with its shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttentionForm {
    /// Heads with keys and values, of their own or of a group.
    Heads(AttentionConfig),
    /// Heads whose keys and values are made from a latent vector: DeepSeek's.
    Latent(LatentConfig),
}

impl From<AttentionConfig> for AttentionForm {
    fn from(config: AttentionConfig) -> Self {
        AttentionForm::Heads(config)
    }
}

impl From<LatentConfig> for AttentionForm {
    fn from(config: LatentConfig) -> Self {
        AttentionForm::Latent(config)
    }
}

impl AttentionForm {
    /// The number of query heads.
    pub fn heads(&self) -> usize {
        match self {
            AttentionForm::Heads(a) => a.heads,
            AttentionForm::Latent(a) => a.heads,
        }
    }

    /// The number of key and value heads that a cache holds.
    pub fn groups(&self) -> usize {
        match self {
            AttentionForm::Heads(a) => a.groups,
            AttentionForm::Latent(_) => 1,
        }
    }

    /// The width of the keys of a head.
    pub fn head_width(&self) -> usize {
        match self {
            AttentionForm::Heads(a) => a.head_width,
            AttentionForm::Latent(a) => a.key(),
        }
    }

    /// The shape, if it is attention with keys and values.
    pub fn as_heads(&self) -> Option<&AttentionConfig> {
        match self {
            AttentionForm::Heads(a) => Some(a),
            AttentionForm::Latent(_) => None,
        }
    }

    /// How many tokens each sees, itself included, if not all before it.
    pub fn window(&self) -> Option<usize> {
        self.as_heads()?.window
    }

    pub(super) fn is_causal(&self) -> bool {
        self.as_heads().is_none_or(|a| a.causal)
    }

    pub(super) fn chunk(&self) -> Option<usize> {
        self.as_heads()?.chunk
    }

    /// The numbers of each position that a cache holds.
    pub fn cached(&self) -> usize {
        match self {
            AttentionForm::Heads(AttentionConfig { keys: Keys::Borrowed(_), .. }) => 0,
            AttentionForm::Heads(a) => 2 * a.groups * a.head_width,
            AttentionForm::Latent(a) => a.cached(),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let a = match self {
            AttentionForm::Heads(a) => a,
            AttentionForm::Latent(a) => {
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
    pub(super) fn sizes(&self, width: usize) -> (usize, usize) {
        match self {
            AttentionForm::Heads(a) => {
                let made = match a.keys {
                    Keys::Own | Keys::Normed { joint: false, .. } => 2,
                    Keys::Normed { joint: true, .. } => 1,
                    Keys::Borrowed(_) => 0,
                };
                (width * (2 * a.heads + made * a.groups) * a.head_width, 2 * a.heads * a.head_width)
            }
            AttentionForm::Latent(a) => {
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
    pub growth: Option<QueryGrowth>,
    /// The factor on scores, if it is not `1 / sqrt(head_width)`.
    pub scale: Option<StaticFloat>,
    /// The bound of scores.
    pub softcap: Option<StaticFloat>,
    /// Whether each head has one more score that it may look at.
    pub sinks: bool,
}

impl AttentionConfig {
    /// Causal attention that sees everything, without positions, biases and normalizations: what families differ from.
    pub(crate) fn new(heads: usize, groups: usize, head_width: usize) -> Self {
        AttentionConfig {
            heads,
            groups,
            head_width,
            bias: false,
            out_bias: false,
            qk_norm: None,
            keys: Keys::Own,
            rope: None,
            causal: true,
            window: None,
            chunk: None,
            growth: None,
            scale: None,
            softcap: None,
            sinks: false,
        }
    }

    /// The last tokens that hold all that each sees, itself included, if that is not all before it: of a chunk that began before, some may lie outside of it.
    pub fn reach(&self) -> Option<usize> {
        self.window.into_iter().chain(self.chunk).min()
    }
}

/// How queries grow with their positions: by the factor `1 + scale ln(1 + floor((p + 1) / step))` at position `p`.
///
/// Source: Nakanishi, Scalable-softmax is superior for attention (2025), as Llama 4 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryGrowth {
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
    /// A normalization of each head: Qwen 3, Gemma 3.
    Heads,
    /// A normalization of each head, without a scale: Llama 4.
    HeadsUnscaled,
    /// A normalization of all heads together: OLMo 2.
    Whole,
}
