use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, named_scope};
use jarrah_nn::{CausalSelfAttention, Dropout, Initializer, KvCache, LayerNorm, Mlp, Sequences};

use crate::GptConfig;

/// A transformer block, `x += attention(ln_1(x)); x += mlp(ln_2(x))`.
///
/// Source: Radford et al., Language models are unsupervised multitask learners (2019).
#[derive(Clone, Debug, Tree)]
pub struct Block {
    /// The normalization before attention.
    pub ln_1: LayerNorm,
    /// Causal self-attention, which mixes positions.
    pub attention: CausalSelfAttention,
    /// The normalization before the MLP.
    pub ln_2: LayerNorm,
    /// The MLP, which acts on each position.
    pub mlp: Mlp,
    /// The dropout on the summands of attention and the MLP.
    #[tree(static)]
    pub dropout: Dropout,
}

impl Block {
    /// A block of the model that `config` describes; the projections into the residual stream start smaller, by the root
    /// of their number.
    #[track_caller]
    pub fn init(config: &GptConfig, key: &Key) -> Self {
        let (first, second) = key.pair();
        let (inner, outer) = (Initializer::normal(0.02), Initializer::residual(0.02, 2 * config.layers));
        Block {
            ln_1: layer_norm(config),
            attention: CausalSelfAttention::with(
                &first,
                config.width,
                config.heads,
                config.kv_heads(),
                config.bias,
                inner,
                outer,
            ),
            ln_2: layer_norm(config),
            mlp: Mlp::with(&second, config.width, config.mlp_ratio * config.width, config.bias, inner, outer),
            dropout: Dropout::new(config.dropout.get()),
        }
    }

    /// `x: [B,T,width]` to the same shape; with a key, in training, with dropout.
    pub fn forward(&self, x: &Array, key: Option<&Key>) -> Array {
        let keys = key.map(Key::pair);
        let (first, second) = (keys.as_ref().map(|k| &k.0), keys.as_ref().map(|k| &k.1));
        let normed = named_scope("ln_1", || self.ln_1.forward(x));
        let mixed = named_scope("attention", || self.attention.forward(&normed));
        let x = x + self.dropout.forward(&mixed, first);
        &x + self.dropout.forward(&self.feed_forward(&x), second)
    }

    /// The block on the next positions of `sequences`, without dropout: see [`CausalSelfAttention::with_cache`].
    pub fn with_cache(&self, x: &Array, cache: &KvCache, sequences: &Sequences) -> (Array, KvCache) {
        let normed = named_scope("ln_1", || self.ln_1.forward(x));
        let (mixed, cache) =
            named_scope("attention", || self.attention.with_cache(&normed, cache, sequences));
        let x = x + mixed;
        (&x + self.feed_forward(&x), cache)
    }

    fn feed_forward(&self, x: &Array) -> Array {
        let normed = named_scope("ln_2", || self.ln_2.forward(x));
        named_scope("mlp", || self.mlp.forward(&normed))
    }
}

pub(crate) fn layer_norm(config: &GptConfig) -> LayerNorm {
    let norm = LayerNorm::new(config.width, config.epsilon.get());
    if config.bias { norm } else { norm.without_bias() }
}
