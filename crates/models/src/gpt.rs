use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, named_scope};
use jarrah_nn::{
    Dropout, Embedding, Initializer, KvCache, LayerNorm, Linear, Sequences,
    softmax_cross_entropy_with_integer_labels,
};

use crate::block::{Block, layer_norm};
use crate::config::GptConfig;

/// A decoder-only transformer: learned positions, pre-normalization, GELU.
///
/// ```text
/// x = wte[tokens] + wpe[0..T]
/// x += attention(ln_1(x)); x += mlp(ln_2(x))        for each block
/// logits = ln_f(x) wte^T                            (or a layer of its own)
/// ```
///
/// Parameters are named `wte.table`, `wpe.table`, `blocks.0.ln_1.scale`, `blocks.0.attention.qkv.weight`, ...,
/// `ln_f.bias`.
///
/// Source: Radford et al., Language models are unsupervised multitask learners (2019).
#[derive(Clone, Debug, Tree)]
pub struct Gpt {
    /// Token embeddings, `[vocabulary, width]`.
    pub wte: Embedding,
    /// Position embeddings, `[context, width]`.
    pub wpe: Embedding,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The last normalization.
    pub ln_f: LayerNorm,
    /// The output layer, unless it is the token embeddings.
    pub head: Option<Linear>,
    /// The shape.
    #[tree(static)]
    pub config: GptConfig,
}

impl Gpt {
    /// A model with random parameters in `f32`: normal with deviation 0.02, divided by the root of `2 layers` in the
    /// projections into the residual stream; biases zero. A configuration that is none is a program error: check it first.
    ///
    /// Equal keys give equal parameters, here and under `jit`.
    #[track_caller]
    pub fn init(config: GptConfig, key: &Key) -> Self {
        if let Err(error) = config.check() {
            fail(error.op("gpt"));
        }
        let initializer = Initializer::normal(0.02);
        let keys = key.split(config.layers + 3);
        let embed = |key: &Key, count: usize| Embedding::with(key, count, config.width, initializer);
        let head = !config.tie_embeddings;
        Gpt {
            wte: embed(&keys[0], config.vocabulary),
            wpe: embed(&keys[1], config.context),
            blocks: keys[3..].iter().map(|key| Block::init(&config, key)).collect(),
            ln_f: layer_norm(&config),
            head: head.then(|| Linear::with(&keys[2], config.width, config.vocabulary, false, initializer)),
            config,
        }
    }

    /// The logits of the next token after each position.
    ///
    /// * `tokens`: integers `[B,T]`, `T` at most the context
    /// * `key`: for dropout in training; none in evaluation
    ///
    /// Returns `[B,T,vocabulary]`.
    #[track_caller]
    pub fn logits(&self, tokens: &Array, key: Option<&Key>) -> Array {
        let length = self.check(tokens);
        if length > self.config.context {
            let error = Error::program(format!(
                "a sequence of {length} tokens is longer than the context of {}",
                self.config.context
            ));
            fail(error.op("gpt"));
        }
        let positions = named_scope("wpe", || self.wpe.table.get().slice(0, 0..length));
        let mut x = named_scope("wte", || self.wte.forward(tokens)) + positions;
        x = Dropout::new(self.config.dropout.get()).forward(&x, key.map(|k| k.fold_in(0)).as_ref());
        for (i, block) in self.blocks.iter().enumerate() {
            let key = key.map(|k| k.fold_in(i as u32 + 1));
            x = named_scope(&format!("blocks.{i}"), || block.forward(&x, key.as_ref()));
        }
        self.output(&x)
    }

    /// The cross-entropy of each target, in nats.
    ///
    /// * `tokens`, `targets`: integers `[B,T]`; `targets[b,t]` is the token that follows `tokens[b,..=t]`
    ///
    /// Returns `f32[B,T]`.
    #[track_caller]
    pub fn losses(&self, tokens: &Array, targets: &Array, key: Option<&Key>) -> Array {
        let logits = self.logits(tokens, key);
        let wide = if logits.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        named_scope("loss", || softmax_cross_entropy_with_integer_labels(&logits.astype(wide), targets))
    }

    /// The mean of [`losses`](Self::losses).
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key, value_and_grad};
    /// use jarrah_models::{Gpt, GptConfig};
    /// let config = GptConfig { vocabulary: 16, context: 8, layers: 1, heads: 2, width: 8, ..GptConfig::default() };
    /// let model = Gpt::init(config, &Key::new(0));
    /// let (x, y) = (Array::new(&[1i32, 2, 3], &[1, 3]), Array::new(&[2i32, 3, 4], &[1, 3]));
    /// let (loss, slope) = value_and_grad(|m: &Gpt| m.loss(&x, &y, None))(&model);
    /// assert!((loss.item::<f32>()? - 16f32.ln()).abs() < 0.1);
    /// assert_eq!(slope.wte.table.shape(), [16, 8]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn loss(&self, tokens: &Array, targets: &Array, key: Option<&Key>) -> Array {
        self.losses(tokens, targets, key).mean(..)
    }

    /// An empty cache of `runs` sequences, or pages, of `length` tokens: an element per block. Keys and values are kept in `dtype`, floats
    /// or `i8`; if none is said, in that of the model.
    pub fn init_cache(&self, runs: usize, length: usize, dtype: Option<DType>) -> Vec<KvCache> {
        let (groups, width) = (self.config.kv_heads(), self.config.head_width());
        let dtype = dtype.unwrap_or(self.wte.table.dtype());
        self.blocks.iter().map(|_| KvCache::new(runs, length, groups, width, dtype)).collect()
    }

    /// The logits after each of the next tokens of sequences whose earlier tokens the cache has seen, and the cache that has seen
    /// these too. Each sequence has a position of its own. A prompt may come in chunks of any length; a step is a chunk of one.
    ///
    /// * `tokens`: integers `[B,T]`
    /// * `sequences`: how many tokens of each sequence the cache has seen, and on which pages they lie
    ///
    /// Where the cache holds the type of the model, the bits are those of [`logits`](Self::logits) on each whole sequence, whatever the
    /// cuts, the other sequences, and the pages. Tokens at the end of a chunk that only fill it up do no harm as long as the next chunk
    /// starts where they did: what they leave in the cache is not looked at before it is overwritten. What lies behind the end
    /// of the cache is dropped.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_models::{Gpt, GptConfig};
    /// use jarrah_nn::Sequences;
    /// let config = GptConfig { vocabulary: 16, context: 8, layers: 1, heads: 2, width: 8, ..GptConfig::default() };
    /// let model = Gpt::init(config, &Key::new(0));
    /// let cache = model.init_cache(2, 8, None);
    /// // Prompts of two and of three tokens: the former is filled up.
    /// let prompts = Array::new(&[1i32, 2, 0, 3, 4, 5], &[2, 3]);
    /// let (logits, cache) = model.decode(&prompts, &cache, &Sequences::at(&Array::from_slice(&[0i32, 0])));
    /// let next = Array::new(&[7i32, 8], &[2, 1]);
    /// let (logits, _) = model.decode(&next, &cache, &Sequences::at(&Array::from_slice(&[2i32, 3])));
    /// let alone = model.logits(&Array::new(&[1i32, 2, 7], &[1, 3]), None);
    /// assert_eq!(logits.index((0, 0)).to_vec::<f32>()?, alone.index((0, 2)).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn decode(&self, tokens: &Array, cache: &[KvCache], sequences: &Sequences) -> (Array, Vec<KvCache>) {
        let (x, after) = self.advance(tokens, cache, sequences);
        (self.output(&x), after)
    }

    /// As [`decode`](Self::decode), but the logits after token `at[b]` of each sequence alone, `[B,vocabulary]`: the output layer
    /// is not computed for the others.
    ///
    /// * `at`: integers `[B]`, below `T`
    #[track_caller]
    pub fn decode_at(
        &self,
        tokens: &Array,
        cache: &[KvCache],
        sequences: &Sequences,
        at: &Array,
    ) -> (Array, Vec<KvCache>) {
        let (x, after) = self.advance(tokens, cache, sequences);
        let [batch, length, width] = x.shape()[..] else {
            fail(Error::internal("what blocks give is [B,T,width]").op("gpt"))
        };
        let first = Array::arange(batch) * length;
        let wanted = x.reshape(&[batch * length, width]).take(&(first + at.astype(DType::I32)), 0);
        (self.output(&wanted), after)
    }

    /// The input of the output layer after each of the next tokens, `[B,T,width]`, and the cache that has seen the tokens.
    #[track_caller]
    fn advance(&self, tokens: &Array, cache: &[KvCache], sequences: &Sequences) -> (Array, Vec<KvCache>) {
        let length = self.check(tokens);
        if cache.len() != self.blocks.len() {
            let error =
                Error::program(format!("a cache of {} for {} blocks", cache.len(), self.blocks.len()));
            fail(error.op("gpt").help("make the cache with init_cache"));
        }
        let positions = sequences.next(tokens.shape()[0], length);
        let positions = named_scope("wpe", || self.wpe.forward(&positions));
        let mut x = named_scope("wte", || self.wte.forward(tokens)) + positions;
        let mut after = Vec::with_capacity(cache.len());
        for (i, (block, cache)) in self.blocks.iter().zip(cache).enumerate() {
            let (y, cache) = named_scope(&format!("blocks.{i}"), || block.with_cache(&x, cache, sequences));
            x = y;
            after.push(cache);
        }
        (x, after)
    }

    fn output(&self, x: &Array) -> Array {
        let x = named_scope("ln_f", || self.ln_f.forward(x));
        match &self.head {
            Some(head) => named_scope("head", || head.forward(&x)),
            None => named_scope("wte", || self.wte.attend(&x)),
        }
    }

    /// The length of sequences of tokens `[B,T]`.
    #[track_caller]
    fn check(&self, tokens: &Array) -> usize {
        match tokens.shape()[..] {
            [_, length] if tokens.dtype().is_integer() => length,
            _ => {
                let error =
                    Error::program(format!("tokens are {}, they must be integers [B,T]", tokens.ty()));
                fail(error.op("gpt"))
            }
        }
    }
}
