//! One decoder of declared parts, for all families.

mod attention;
mod block;
mod both;
mod config;
mod layer_inputs;
mod layers;
mod mtp;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, TreeExt, fail};
use jarrah_nn::{
    Context, Dropout, Embedding, Initializer, KvCache, LatentAttention, LatentCache, Layer, LayerNorm,
    Linear, Module, RmsNorm, State, StaticFloat, Tokens, Transposed,
    softmax_cross_entropy_with_integer_labels,
};

pub(crate) use attention::Beside;
pub use attention::{DecoderAttention, Memory};
pub use block::DecoderBlock;
pub(crate) use block::mlp;
pub use both::MlpAndExperts;
pub use config::{
    AttentionConfig, AttentionForm, DecoderConfig, ExpertsConfig, Keys, LayerConfig, LayerInputsConfig,
    MlpConfig, MtpConfig, NormConfig, NormKind, NormPlacement, QkNorm, QueryGrowth,
};
pub use layer_inputs::{LayerInput, LayerInputs};
pub use layers::Layers;
pub use mtp::{MtpModule, later};

/// A decoder-only transformer of declared parts: Llama, Gemma, Qwen, Mixtral, GPT-2 and the like are values of [`DecoderConfig`].
///
/// ```text
/// x = scale embed[tokens] (+ positions[0..T])
/// x = block(x)                                   for each block, see DecoderBlock
/// logits = cap(norm(x) head)                     or the embeddings' transpose
/// ```
///
/// Matrices are held as `[outputs, inputs]`, as files have them. As a [`Module`] it maps tokens, integers `[B,T]`, to logits `[B,T,vocabulary]`; where the tokens
/// stand is said by [`Tokens`], caches are in the state of the pass.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_models::{Decoder, DecoderConfig};
/// use jarrah_nn::{Context, Module};
/// let config = DecoderConfig::named("test-llama").unwrap();
/// let model = Decoder::new(&config, &Key::new(0));
/// let logits = model.call(&Array::new(&[1i32, 2, 3], &[1, 3]), &mut Context::eval());
/// assert_eq!(logits.shape(), [1, 3, config.vocabulary]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Decoder {
    /// Token embeddings, `[vocabulary, width]`.
    pub embed: Embedding,
    /// Position embeddings, where they are learned.
    pub positions: Option<Embedding>,
    /// Embeddings for each layer, in models that have them.
    pub layer_inputs: Option<LayerInputs>,
    /// The blocks.
    pub blocks: Vec<DecoderBlock>,
    /// The last normalization.
    pub norm: Layer,
    /// The output layer, unless it is the token embeddings.
    pub head: Option<Linear>,
    /// The modules that predict further tokens, which [`call_mtp`](Self::call_mtp) alone runs.
    pub mtp: Vec<MtpModule>,
    /// The factor on token embeddings.
    #[tree(static)]
    pub embedding_scale: Option<StaticFloat>,
    /// The bound of logits.
    #[tree(static)]
    pub logit_softcap: Option<StaticFloat>,
    /// After the embeddings.
    pub dropout: Dropout,
    /// The longest sequence that it was made for.
    #[tree(static)]
    pub context: usize,
}

/// A layer of a [`Decoder`] that looks at keys and values of earlier tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedLayer {
    /// The path of the layer; its cache is the entry `cache` below.
    pub path: String,
    /// The number of last tokens that the layer sees, the token itself included; `None` for all tokens.
    pub window: Option<usize>,
    /// The number of the layer whose keys and values it looks at, if they are not its own.
    pub lender: Option<usize>,
}

/// An affine map with a weight that is the transpose of `[outputs, inputs]`, normal with deviation 0.02, and zero biases.
pub(crate) fn linear(key: &Key, inputs: usize, outputs: usize, bias: bool) -> Linear {
    let weight = Initializer::normal(0.02).sample(key, &[outputs, inputs], DType::F32);
    Linear { weight: Transposed::of(weight).into(), bias: bias.then(|| Array::zeros(&[outputs]).into()) }
}

pub(crate) fn norm(config: &NormConfig, width: usize) -> Layer {
    let epsilon = config.epsilon.get();
    match config.kind {
        NormKind::Rms => RmsNorm::new(width, epsilon).into(),
        NormKind::RmsWithOffset => RmsNorm::with_offset(width, epsilon).into(),
        NormKind::Layer => LayerNorm::new(width, epsilon).into(),
    }
}

/// Empty caches of blocks by their paths.
fn caches<'a>(
    blocks: impl Iterator<Item = (String, &'a DecoderBlock)>,
    [runs, length]: [usize; 2],
    dtype: DType,
) -> State {
    let mut state = State::default();
    for (path, block) in blocks {
        let path = format!("{path}.attention.cache");
        if let Some(DecoderAttention { config, k: Some(_), .. }) = block.attention.get() {
            state.set(&path, KvCache::new(runs, length, config.groups, config.head_width, dtype));
        } else if let Some(LatentAttention { config, .. }) = block.attention.get() {
            state.set(&path, LatentCache::new(runs, length, config, dtype));
        }
    }
    state
}

impl Decoder {
    /// A model with random parameters in `f32`: matrices normal with deviation 0.02, divided by the root of `2 layers` in the projections into the residual
    /// stream; biases zero. A configuration that is none is a program error: check it first.
    ///
    /// Source: Radford et al., Language models are unsupervised multitask learners (2019), of the deviations.
    #[track_caller]
    pub fn new(config: &DecoderConfig, key: &Key) -> Self {
        if let Err(error) = config.check() {
            fail(error.op("decoder"));
        }
        let keys = key.split(config.layers.len() + 3);
        let embed =
            |key: &Key, count: usize| Embedding::with(key, count, config.width, Initializer::normal(0.02));
        let blocks = config.layers.iter().zip(&keys[3..]);
        let mtp = (0..).zip(&config.mtp);
        let head =
            (!config.tied).then(|| linear(&keys[2], config.width, config.vocabulary, config.head_bias));
        Decoder {
            embed: embed(&keys[0], config.vocabulary),
            positions: config.learned_positions.map(|count| embed(&keys[1], count)),
            layer_inputs: config.layer_inputs.map(|inputs| LayerInputs::new(config, &inputs, &keys[1])),
            blocks: blocks.map(|(layer, key)| DecoderBlock::new(config, layer, key)).collect(),
            norm: norm(&config.norm, config.width),
            head,
            mtp: mtp.map(|(i, module)| MtpModule::new(config, module, &key.fold_in(i))).collect(),
            embedding_scale: config.embedding_scale,
            logit_softcap: config.logit_softcap,
            dropout: Dropout::new(config.dropout.get()),
            context: config.context,
        }
        .with_small_projections()
    }

    /// The projections into the residual stream divided by the root of their number.
    fn with_small_projections(self) -> Self {
        const INTO: [&str; 3] = [".out.weight", ".down.weight", ".mlp.down"];
        let count = (2.0 * self.blocks.len() as f64).sqrt();
        self.try_map_with_paths(|path, x: &Array| match INTO.iter().any(|end| path.ends_with(end)) {
            true => Ok(x / count),
            false => Ok(x.clone()),
        })
        .expect("invariant: nothing fails")
    }

    /// The mean cross-entropy of the targets, in nats.
    ///
    /// * `tokens`, `targets`: integers `[B,T]`; `targets[b,t]` follows `tokens[b,..=t]`
    /// * `weights`: floats `[B,T]`, those of the targets in the mean; none: all alike
    #[track_caller]
    pub fn loss(&self, tokens: &Array, targets: &Array, weights: Option<&Array>, cx: &mut Context) -> Array {
        let logits = self.call(tokens, cx);
        let wide = if logits.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let losses = softmax_cross_entropy_with_integer_labels(&logits.astype(wide), targets);
        match weights {
            None => losses.mean(..),
            Some(weights) => (losses * weights).sum(..) / weights.sum(..).maximum(1e-9),
        }
    }

    /// The length beyond which a text is computed in another way from its first token on, because rotary embeddings are made
    /// for long texts; `None` if there is only one way.
    pub fn long_from(&self) -> Option<usize> {
        let limits = self.blocks.iter().filter_map(|block| {
            let plain =
                block.attention.get::<DecoderAttention>().and_then(|layer| layer.config.rope.as_ref());
            let latent = block.attention.get::<LatentAttention>().map(|layer| &layer.config.rope);
            plain.or(latent)?.limit()
        });
        limits.min()
    }

    /// The number of tokens that it knows.
    pub fn vocabulary(&self) -> usize {
        self.embed.table.shape()[0]
    }

    /// The layers, as far as it matters to their caches, in order.
    ///
    /// ```
    /// use jarrah_models::Pretrained;
    /// let model = Pretrained::shapes(&Pretrained::preset("gemma3-4b")?)?;
    /// let windows: Vec<_> = model.cached_layers().iter().map(|layer| layer.window).collect();
    /// assert_eq!(windows[..6], [Some(1024), Some(1024), Some(1024), Some(1024), Some(1024), None]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn cached_layers(&self) -> Vec<CachedLayer> {
        let config = |block: &DecoderBlock| {
            block.attention.get::<DecoderAttention>().map(|attention| attention.config.clone())
        };
        let configs: Vec<Option<AttentionConfig>> = self.blocks.iter().map(config).collect();
        let lends = |config: &Option<AttentionConfig>, number: usize| {
            let keys = config.as_ref().map(|config| config.keys);
            matches!(keys, Some(Keys::Normed { lent: Some(lent), .. }) if lent == number)
        };
        let layer = |(i, config): (usize, &Option<AttentionConfig>)| CachedLayer {
            path: format!("blocks.{i}.attention"),
            window: config.as_ref().and_then(AttentionConfig::reach),
            lender: match config.as_ref().map(|config| config.keys) {
                Some(Keys::Borrowed(number)) => configs[..i].iter().rposition(|config| lends(config, number)),
                _ => None,
            },
        };
        configs.iter().enumerate().map(layer).collect()
    }

    /// Empty caches of `runs` sequences, or pages, of `length` tokens, as the state of a pass. Keys and values are kept in `dtype`, floats or `i8`.
    pub fn init_cache(&self, runs: usize, length: usize, dtype: DType) -> State {
        let blocks = self.blocks.iter().enumerate();
        caches(blocks.map(|(i, block)| (format!("blocks.{i}"), block)), [runs, length], dtype)
    }

    /// Empty caches, as those of [`init_cache`](Self::init_cache), for the modules that predict further tokens.
    pub fn init_mtp_cache(&self, runs: usize, length: usize, dtype: DType) -> State {
        let modules = self.mtp.iter().enumerate();
        caches(modules.map(|(k, module)| (format!("mtp.{k}.block"), &module.block)), [runs, length], dtype)
    }

    /// The logits after each of the next tokens of sequences whose earlier tokens `cache` holds, and the cache that holds these too. Each sequence has a
    /// position of its own. A prompt may come in chunks of any length; a step is a chunk of one.
    ///
    /// * `tokens`: integers `[B,T]`
    /// * `at`: how many tokens of each sequence the cache holds, and on which pages they lie: see [`Tokens::next`]
    ///
    /// Where the cache holds the type of the model, the bits are those of a pass over each whole sequence, whatever the cuts, the other sequences, and the pages. Tokens
    /// at the end of a chunk that only fill it up do no harm as long as the next chunk starts where they did: their keys and values are not looked at before they
    /// are overwritten. Tokens behind the end of the cache are dropped.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_nn::{Context, Module, Tokens};
    /// let model = Decoder::new(&DecoderConfig::named("test-llama")?, &Key::new(0));
    /// let cache = model.init_cache(2, 8, DType::F32);
    /// // Prompts of two and of three tokens: the former is filled up.
    /// let prompts = Array::new(&[1i32, 2, 0, 3, 4, 5], &[2, 3]);
    /// let (_, cache) = model.decode(&prompts, &cache, &Tokens::next(&Array::scalar(0i32), &prompts));
    /// let next = Array::new(&[7i32, 8], &[2, 1]);
    /// let (logits, _) = model.decode(&next, &cache, &Tokens::next(&Array::from_slice(&[2i32, 3]), &next));
    /// let alone = model.call(&Array::new(&[1i32, 2, 7], &[1, 3]), &mut Context::eval());
    /// assert_eq!(logits.index((0, 0)).to_vec::<f32>()?, alone.index((0, 2)).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn decode(&self, tokens: &Array, cache: &State, at: &Tokens) -> (Array, State) {
        let mut cx = self.going_on(tokens, cache, at);
        let logits = self.call(tokens, &mut cx);
        (logits, cx.updates())
    }

    /// As [`decode`](Self::decode), but the logits after token `wanted[b]` of each sequence alone, `[B,vocabulary]`: the output layer is not computed
    /// for the others.
    ///
    /// * `wanted`: integers `[B]`, below `T`
    #[track_caller]
    pub fn decode_at(&self, tokens: &Array, cache: &State, at: &Tokens, wanted: &Array) -> (Array, State) {
        let mut cx = self.going_on(tokens, cache, at);
        let x = self.hidden(tokens, &mut cx);
        let (batch, time, width) = (x.shape()[0], x.shape()[1], x.shape()[2]);
        let rows = Array::arange(batch) * time + wanted.astype(DType::I32);
        (self.logits_of(&x.reshape(&[batch * time, width]).take(&rows, 0)), cx.updates())
    }

    /// A pass over the next tokens of sequences.
    #[track_caller]
    fn going_on(&self, tokens: &Array, cache: &State, at: &Tokens) -> Context {
        self.check(tokens);
        if at.positions.shape() != tokens.shape() || at.seen.is_none() {
            let error = format!("tokens {} at positions {}", tokens.ty(), at.positions.ty());
            let help = "say by `Tokens::next` where these tokens stand";
            fail(Error::program(error).op("decoder").help(help));
        }
        Context::eval().with_state(cache).with(at.clone())
    }

    /// The logits `[.., vocabulary]` for what goes into the output layer, `states: [.., width]`.
    #[track_caller]
    pub fn logits_of(&self, states: &Array) -> Array {
        self.output(states, &mut Context::eval())
    }

    /// The batch and length of tokens.
    #[track_caller]
    fn check(&self, tokens: &Array) -> (usize, usize) {
        match tokens.shape()[..] {
            [batch, time] if tokens.dtype().is_integer() => (batch, time),
            _ => {
                let error = format!("tokens are {}, they must be integers [B,T]", tokens.ty());
                fail(Error::program(error).op("decoder"))
            }
        }
    }
}

impl Decoder {
    /// The input of the output layer for each token, `[B,T,width]`: a pass without the output layer.
    ///
    /// * `tokens`: integers `[B,T]`
    #[track_caller]
    pub fn hidden(&self, tokens: &Array, cx: &mut Context) -> Array {
        let mut x = self.first(tokens, cx);
        let inputs = self.layer_inputs.as_ref();
        let inputs = inputs.map(|inputs| cx.enter("layer_inputs", |cx| inputs.of(tokens, &x, cx)));
        x = Layers::run(&self.blocks, &x, inputs.as_ref(), cx);
        cx.call("norm", &self.norm, &x)
    }

    /// The input of the first block.
    #[track_caller]
    pub(crate) fn first(&self, tokens: &Array, cx: &mut Context) -> Array {
        let (batch, time) = self.check(tokens);
        if let Some(positions) = &self.positions {
            let known = positions.table.shape()[0];
            // Tokens that say where they stand may be more than sequences are long: some fill up.
            if time > known && cx.about::<Tokens>().is_none() {
                let error = Error::program(format!("{time} tokens for a model with {known} positions"));
                fail(error.op("decoder").help("give it shorter sequences"));
            }
        }
        let at = Tokens::of(cx, batch, time).positions;
        self.embedded(&self.embed, tokens, &at, cx)
    }

    /// Tokens `[B,T]` as `embed` has them, at the positions `at: [B,T]`.
    #[track_caller]
    fn embedded(&self, embed: &Embedding, tokens: &Array, at: &Array, cx: &mut Context) -> Array {
        let mut x = cx.call("embed", embed, tokens);
        if let Some(scale) = self.embedding_scale {
            // The factor is rounded to the dtype of the embeddings, as files were trained.
            x = &x * Array::scalar_in(scale.get(), DType::F64).astype(x.dtype());
        }
        if let Some(positions) = &self.positions {
            x += cx.call("positions", positions, at);
        }
        cx.call("dropout", &self.dropout, &x)
    }

    /// The logits for `x: [.., width]`.
    #[track_caller]
    fn output(&self, x: &Array, cx: &mut Context) -> Array {
        self.logits(self.head.as_ref(), x, cx)
    }

    /// The logits for `x: [.., width]` by an output layer, or by the token embeddings.
    #[track_caller]
    fn logits(&self, head: Option<&Linear>, x: &Array, cx: &mut Context) -> Array {
        let logits = match head {
            Some(head) => cx.call("head", head, x),
            None => cx.call_with("head", |_| self.embed.attend(x)),
        };
        match self.logit_softcap {
            Some(cap) => (logits / cap.get()).tanh() * cap.get(),
            None => logits,
        }
    }
}

impl Module for Decoder {
    #[track_caller]
    fn call(&self, tokens: &Array, cx: &mut Context) -> Array {
        let x = self.hidden(tokens, cx);
        self.output(&x, cx)
    }
}
