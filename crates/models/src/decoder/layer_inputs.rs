use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail};
use jarrah_nn::{Activation, Context, Embedding, Initializer, Layer, Linear, Module};

use super::config::{DecoderConfig, LayerInputsConfig};
use super::{linear, norm};

/// A second embedding of tokens, with a vector for each layer: Gemma 4's.
///
/// ```text
/// y[.., l, :] = (norm(x W / sqrt(width)) + sqrt(P) embed[tokens])[.., l, :] / sqrt(2)           for layers l, vectors of P elements
/// ```
#[derive(Clone, Debug, Tree)]
pub struct LayerInputs {
    /// `[vocabulary, layers P]`.
    pub embed: Embedding,
    /// `[width, layers P]`, of the embedded tokens.
    pub projection: Linear,
    /// The normalization of the projections, layer by layer.
    pub norm: Layer,
    /// `P`.
    #[tree(static)]
    pub width: usize,
}

impl LayerInputs {
    pub(super) fn new(config: &DecoderConfig, inputs: &LayerInputsConfig, key: &Key) -> Self {
        let (first, second) = key.pair();
        let columns = config.layers.len() * inputs.width;
        LayerInputs {
            embed: Embedding::with(&first, inputs.vocabulary, columns, Initializer::normal(0.02)),
            projection: linear(&second, config.width, columns, false),
            norm: norm(&config.norm, inputs.width),
            width: inputs.width,
        }
    }

    /// The input for each layer, `[B,T,layers,P]`, of tokens `[B,T]` whose embedding is `x: [B,T,width]`.
    #[track_caller]
    pub(super) fn of(&self, tokens: &Array, x: &Array, cx: &mut Context) -> Array {
        let by_layer = |y: &Array| {
            let (batch, time, columns) = (y.shape()[0], y.shape()[1], y.shape()[2]);
            y.reshape(&[batch, time, columns / self.width, self.width])
        };
        // Factors are rounded to the dtype of what they scale, as files were trained.
        let factor = |x: &Array, factor: f64| Array::scalar_in(factor, DType::F64).astype(x.dtype());
        let embedded = cx.call("embed", &self.embed, tokens);
        let embedded = &embedded * factor(&embedded, (self.width as f64).sqrt());
        let projected = cx.call("projection", &self.projection, x);
        let projected = &projected * factor(&projected, (x.shape()[2] as f64).powf(-0.5));
        let normed = cx.call("norm", &self.norm, &by_layer(&projected));
        let sum = normed + by_layer(&embedded);
        &sum * factor(&sum, 0.5f64.sqrt())
    }
}

/// How a layer takes its part of [`LayerInputs`]: `x + norm((f(x W_gate) input) W_out)`.
#[derive(Clone, Debug, Tree)]
pub struct LayerInput {
    /// `[width, P]`.
    pub gate: Linear,
    /// `[P, width]`.
    pub out: Linear,
    /// The normalization of the summand.
    pub norm: Layer,
    /// `f`.
    pub activation: Activation,
}

/// The name by which a layer finds what is for it.
const NAME: &str = "layer_input";

impl LayerInput {
    pub(super) fn new(config: &DecoderConfig, inputs: &LayerInputsConfig, key: &Key) -> Self {
        let (first, second) = key.pair();
        LayerInput {
            gate: linear(&first, config.width, inputs.width, false),
            out: linear(&second, inputs.width, config.width, false),
            norm: norm(&config.norm, config.width),
            activation: inputs.activation,
        }
    }

    /// Gives layer `layer` its part of `inputs: [B,T,layers,P]`.
    #[track_caller]
    pub(super) fn lend(inputs: &Array, layer: usize, cx: &mut Context) {
        if layer >= inputs.shape()[2] {
            let error =
                format!("there is nothing for layer {layer} of embeddings for {} layers", inputs.shape()[2]);
            fail(Error::program(error).op("decoder"));
        }
        cx.lend(NAME, inputs.slice(2, layer..layer + 1).squeeze(2));
    }
}

impl Module for LayerInput {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let Some(input) = cx.lent::<Array>(NAME) else {
            let error = Error::program("a layer with an embedding of its own runs outside of its model");
            fail(error.op("layer_input"))
        };
        let gate = self.activation.of(&cx.call("gate", &self.gate, x));
        let y = cx.call("out", &self.out, &(gate * input));
        x + cx.call("norm", &self.norm, &y)
    }
}
