//! Modules that predict further tokens: multi-token prediction.

use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, concatenate, fail};
use jarrah_nn::{Context, Embedding, Initializer, Layer, Linear, Tokens};

use super::config::{DecoderConfig, MtpConfig};
use super::{Decoder, DecoderBlock, Layers, linear, norm};

/// A module that predicts one token further than the model or the module before: DeepSeek V3's.
///
/// ```text
/// h_k[i] = norm(block(projection [embed_norm(embed(t[i + k])), hidden_norm(h_{k-1}[i])]))          for module k, from 1
/// ```
///
/// `h_0` is the input of the model's output layer, which maps `h_k[i]` to the logits of token `i + k + 1`. Embeddings and
/// output layer are the model's, unless a file has others.
///
/// Source: DeepSeek-AI, DeepSeek-V3 technical report (2024), section 2.2.
#[derive(Clone, Debug, Tree)]
pub struct MtpModule {
    /// Token embeddings of its own, `[vocabulary, width]`.
    pub embed: Option<Embedding>,
    /// The normalization of the embedding of the known token.
    pub embed_norm: Layer,
    /// The normalization of the states of the model, or of the module before.
    pub hidden_norm: Layer,
    /// `[2 width, width]`, embeddings first.
    pub projection: Linear,
    /// The layer.
    pub block: DecoderBlock,
    /// The normalization before the output layer.
    pub norm: Layer,
    /// An output layer of its own.
    pub head: Option<Linear>,
}

impl MtpModule {
    pub(super) fn new(config: &DecoderConfig, module: &MtpConfig, key: &Key) -> Self {
        let keys = key.split(4);
        let (width, vocabulary) = (config.width, config.vocabulary);
        let norm = || norm(&config.norm, width);
        let embed = || Embedding::with(&keys[0], vocabulary, width, Initializer::normal(0.02));
        MtpModule {
            embed: module.own_embed.then(embed),
            embed_norm: norm(),
            hidden_norm: norm(),
            projection: linear(&keys[1], 2 * width, width, false),
            block: DecoderBlock::new(config, &module.layer, &keys[2]),
            norm: norm(),
            head: module.own_head.then(|| linear(&keys[3], width, vocabulary, false)),
        }
    }
}

impl Decoder {
    /// The logits of the next token, and those of the tokens behind it, one for each [`MtpModule`], all `[B,T,vocabulary]`.
    ///
    /// At position `i`, module `k`, counted from 1, predicts the token `k` places behind `next[i]`, given all tokens up to
    /// `next[i + k - 1]`; where a sequence ends before, its logits mean nothing. The pass is over whole sequences: caches are not
    /// for these modules.
    ///
    /// * `tokens`: integers `[B,T]`
    /// * `next`: integers `[B,T]`, the token behind each
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_models::Pretrained;
    /// use jarrah_nn::Context;
    /// let mut json = Pretrained::preset("test-llama")?;
    /// json["num_nextn_predict_layers"] = 1.into();
    /// let model = Pretrained::random(json, &Key::new(0))?.model;
    /// let text = Array::new(&[3i32, 1, 4, 1, 5], &[1, 5]);
    /// let (logits, further) = model.call_mtp(&text.slice(1, 0..4), &text.slice(1, 1..5), &mut Context::eval());
    /// assert_eq!(further.len(), 1);
    /// assert_eq!(further[0].shape(), logits.shape());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call_mtp(&self, tokens: &Array, next: &Array, cx: &mut Context) -> (Array, Vec<Array>) {
        let (batch, time) = self.check(tokens);
        if self.check(next) != (batch, time) {
            let error =
                format!("the tokens behind {} are {}, there must be one for each", tokens.ty(), next.ty());
            fail(Error::program(error).op("decoder"));
        }
        let at = Tokens::of(cx, batch, time);
        if at.seen.is_some() {
            let error = "modules that predict further tokens have no caches";
            fail(Error::program(error).op("decoder").help("give them whole sequences"));
        }
        let layers = cx.about::<Layers>().map(|layers| (*layers).clone()).unwrap_or_default();
        let mut h = self.hidden(tokens, cx);
        let logits = self.output(&h, cx);
        let mut further = Vec::with_capacity(self.mtp.len());
        for (k, module) in self.mtp.iter().enumerate() {
            let made = cx.enter(&format!("mtp.{k}"), |cx| {
                h = self.further(k, &h, &later(next, k), &at, &layers, cx);
                self.logits(module.head.as_ref().or(self.head.as_ref()), &h, cx)
            });
            further.push(made);
        }
        (logits, further)
    }

    /// The states of module `k`, within its scope, from the states before it and the tokens behind these.
    #[track_caller]
    fn further(
        &self,
        k: usize,
        states: &Array,
        next: &Array,
        at: &Tokens,
        layers: &Layers,
        cx: &mut Context,
    ) -> Array {
        let module = &self.mtp[k];
        let embed = module.embed.as_ref().unwrap_or(&self.embed);
        let embedded = self.embedded(embed, next, &(&at.positions + (k as i32 + 1)), cx);
        let embedded = cx.call("embed_norm", &module.embed_norm, &embedded);
        let hidden = cx.call("hidden_norm", &module.hidden_norm, states);
        let x = cx.call("projection", &module.projection, &concatenate(&[&embedded, &hidden], 2));
        let x = layers.one("block", &module.block, &x, cx);
        cx.call("norm", &module.norm, &x)
    }

    /// The states of [`MtpModule`] `k`, from 0, at positions of which `states: [B,T,width]` are those of the module before, or the model's, and `next`, integers
    /// `[B,T]`, the tokens `k + 1` places behind; where they stand in caches, those of [`init_mtp_cache`](Self::init_mtp_cache), the pass says. None: the model
    /// has no such module.
    #[track_caller]
    pub fn mtp_states(&self, k: usize, states: &Array, next: &Array, cx: &mut Context) -> Option<Array> {
        let (batch, time) = self.check(next);
        let at = Tokens::of(cx, batch, time);
        self.mtp.get(k)?;
        Some(cx.enter(&format!("mtp.{k}"), |cx| self.further(k, states, next, &at, &Layers::default(), cx)))
    }

    /// The logits `[.., vocabulary]` of the token `k + 2` places behind, for the states `[.., width]` of [`MtpModule`] `k`, from 0.
    #[track_caller]
    pub fn mtp_logits(&self, k: usize, states: &Array) -> Option<Array> {
        let module = self.mtp.get(k)?;
        Some(self.logits(module.head.as_ref().or(self.head.as_ref()), states, &mut Context::eval()))
    }
}

/// The elements of `x: [B,T]` that are `places` later; zeros behind the end.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_models::later;
/// assert_eq!(later(&Array::new(&[1i32, 2, 3], &[1, 3]), 1).to_vec::<i32>()?, [2, 3, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn later(x: &Array, places: usize) -> Array {
    let (batch, time) = (x.shape()[0], x.shape()[1]);
    let places = places.min(time);
    let zeros = Array::full(&[batch, places], 0, x.dtype());
    concatenate(&[&x.slice(1, places..time), &zeros], 1)
}
