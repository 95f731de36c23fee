use jarrah_array::{Error, Result};
use jarrah_nn::StaticFloat;

/// The shape of a [`Gpt`](crate::Gpt); the default is GPT-2's small model.
///
/// ```
/// use jarrah_models::GptConfig;
/// assert_eq!(GptConfig::default().parameters(), 124_439_808);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GptConfig {
    /// The number of tokens.
    pub vocabulary: usize,
    /// The longest sequence.
    pub context: usize,
    /// The number of blocks.
    pub layers: usize,
    /// The number of query heads, a divisor of the width.
    pub heads: usize,
    /// The number of key and value heads, a divisor of `heads`; none: as many as heads.
    pub groups: Option<usize>,
    /// The width of the residual stream.
    pub width: usize,
    /// The hidden width of an MLP over the width.
    pub mlp_ratio: usize,
    /// The rate of dropout, after the embeddings and on what each layer adds; attention weights are not dropped.
    pub dropout: StaticFloat,
    /// Whether the token embeddings are the output layer too.
    pub tie_embeddings: bool,
    /// Whether affine maps and normalizations have biases.
    pub bias: bool,
    /// The number that layer normalization adds to the variance.
    pub epsilon: StaticFloat,
}

impl Default for GptConfig {
    fn default() -> Self {
        GptConfig {
            vocabulary: 50257,
            context: 1024,
            layers: 12,
            heads: 12,
            groups: None,
            width: 768,
            mlp_ratio: 4,
            dropout: 0.0.into(),
            tie_embeddings: true,
            bias: true,
            epsilon: 1e-5.into(),
        }
    }
}

impl GptConfig {
    /// The number of key and value heads.
    pub fn kv_heads(&self) -> usize {
        self.groups.unwrap_or(self.heads)
    }

    /// The width of a head.
    pub fn head_width(&self) -> usize {
        self.width / self.heads.max(1)
    }

    /// Checks that a model of this shape exists.
    ///
    /// # Errors
    /// An extent is zero, the heads do not divide the width, the groups not the heads, or the dropout rate is no
    /// probability.
    pub fn check(&self) -> Result<()> {
        let extents = [
            ("vocabulary", self.vocabulary),
            ("context", self.context),
            ("layers", self.layers),
            ("heads", self.heads),
            ("groups", self.kv_heads()),
            ("width", self.width),
            ("mlp_ratio", self.mlp_ratio),
        ];
        if let Some((name, _)) = extents.iter().find(|(_, extent)| *extent == 0) {
            return Err(Error::input(format!("{name} of a model must be at least 1")));
        }
        if !self.width.is_multiple_of(self.heads) {
            let (width, heads) = (self.width, self.heads);
            return Err(Error::input(format!("width {width} is not a multiple of {heads} heads")));
        }
        if !self.heads.is_multiple_of(self.kv_heads()) {
            let (heads, groups) = (self.heads, self.kv_heads());
            return Err(Error::input(format!("{heads} heads are not a multiple of {groups} groups")));
        }
        if !(0.0..1.0).contains(&self.dropout.get()) {
            return Err(Error::input(format!("dropout {:?} is not in [0, 1)", self.dropout)));
        }
        Ok(())
    }

    /// The number of parameters.
    pub fn parameters(&self) -> usize {
        let (c, v) = (self.width, self.vocabulary);
        let bias = usize::from(self.bias);
        let (qkv, hidden) = (self.qkv_columns(), self.mlp_ratio * c);
        let norm = c + bias * c;
        let attention = c * qkv + bias * qkv + c * c + bias * c;
        let mlp = 2 * c * hidden + bias * (hidden + c);
        let head = if self.tie_embeddings { 0 } else { c * v };
        v * c + self.context * c + self.layers * (2 * norm + attention + mlp) + norm + head
    }

    fn qkv_columns(&self) -> usize {
        self.width + 2 * self.kv_heads() * self.head_width()
    }

    /// The floating-point operations of training on one token of sequences of `length` tokens, forward and backward:
    /// `6 N + 12 layers length width`, where `N` counts the entries of weights that a token is multiplied with, the
    /// output layer included, the embedding lookups not.
    ///
    /// The second term is attention's scores and mixtures over all `length` positions; that half of them are masked is not
    /// deducted, so that the number can be compared with published ones.
    ///
    /// Source: Chowdhery et al., PaLM (2022), appendix B.
    pub fn training_flops_per_token(&self, length: usize) -> f64 {
        let c = self.width;
        let block = c * self.qkv_columns() + c * c + 2 * c * c * self.mlp_ratio;
        let weights = self.layers * block + self.vocabulary * c;
        6.0 * weights as f64 + 12.0 * (self.layers * length * c) as f64
    }
}
