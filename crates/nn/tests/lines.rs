//! A layer that is given a wrong array panics at the line of the program that calls it, whatever the layer is made of.

use jarrah_array::random::Key;
use jarrah_array::{Array, Location, Tree, try_trace};
use jarrah_nn::{
    Activation, BatchNorm, Bidirectional, Context, Conv, ConvTranspose, Einsum, Embedding, Experts, Gate,
    GatedMlp, GroupNorm, GruCell, LatentAttention, LatentConfig, Layer, LayerNorm, Linear, LinearGeneral,
    Lora, LowRank, LstmCell, Mlp, Module, MultiHeadAttention, Pool, RematLayer, RmsNorm, Rnn, Rope, Routing,
    Score, Sequential, SpectralNorm, Stacked, Transposed, Variable, WeightNorm,
};
use jarrah_quant::{Scheme, quantize};

use crate::panics::panics_here;

fn key() -> Key {
    Key::new(0)
}

/// Calls the module in every way there is, each of which panics at its line here.
fn called(name: &str, module: impl Module, x: &Array) {
    // Shown if one of them does not panic.
    println!("{name}");
    let layer = Layer::new(module.clone());
    let mut all = Vec::new();
    all.push(panics_here(|| {
        module.call(x, &mut Context::eval());
    }));
    all.push(panics_here(|| {
        layer.call(x, &mut Context::eval());
    }));
    all.push(panics_here(|| {
        Context::eval().call("place", &module, x);
    }));
    all.push(panics_here(|| {
        Context::train(&key()).call("place", &layer, x);
    }));
    for message in all {
        let place = message.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
        let place = place.unwrap_or_else(|| panic!("{name}: {message}"));
        assert!(place.starts_with(file!()), "{name}: {message}");
    }
}

#[test]
fn every_kind_of_layer_panics_at_the_line_that_calls_it() {
    // The number of features is wrong.
    let x = Array::ones(&[2, 3, 5]);
    let linear = || Linear::new(&key(), 4, 4);
    let routing =
        || Routing { active: 1, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    let latent = LatentConfig {
        heads: 2,
        latent: 4,
        query_latent: Some(4),
        nope: 2,
        value: 2,
        rope: Rope::new(2, 10000.0),
        bias: true,
        scale: None,
    };
    called("Linear", linear(), &x);
    called("LinearGeneral", LinearGeneral::new(&key(), &[4], &[4]), &x);
    called("Einsum", Einsum::new(&key(), "..i,ij->..j", &[4, 4], None), &x);
    called("Embedding", Embedding::new(&key(), 4, 4), &x);
    called("Conv", Conv::new(&key(), 4, 4, &[1]), &x);
    called("ConvTranspose", ConvTranspose::new(&key(), 4, 4, &[1]), &x);
    called("Pool", Pool::max(&[2, 2, 2, 2]), &x);
    called("BatchNorm", BatchNorm::new(4), &x);
    called("GroupNorm", GroupNorm::new(4, 2), &x);
    called("LayerNorm", LayerNorm::new(4, 1e-6), &x);
    called("RmsNorm", RmsNorm::new(4, 1e-6), &x);
    called("Mlp", Mlp::new(&key(), 4, 4), &x);
    called("GatedMlp", GatedMlp::new(&key(), 4, 4, Activation::SILU), &x);
    called("MultiHeadAttention", MultiHeadAttention::new(&key(), 4, 2), &x);
    called("LatentAttention", LatentAttention::new(&key(), 4, &latent), &x);
    called("Experts", Experts::new(&key(), 2, 4, 4, Gate::Plain(Activation::SILU), routing()), &x);
    called("Stacked", Stacked::new(&[linear(), linear()]), &x);
    called("Remat", RematLayer(linear().into()), &x);
    called("Rnn", Rnn::new(LstmCell::new(&key(), 4, 4)), &x);
    called("Bidirectional", Bidirectional::new(GruCell::new(&key(), 4, 4), GruCell::new(&key(), 4, 4)), &x);
    called("SpectralNorm", SpectralNorm::new(&key(), linear()), &x);
    called("Sequential", Sequential::new().and(Activation::RELU).and(linear()), &x);
}

/// The kinds of values that a variable holds, of four rows and columns.
fn values() -> Vec<(&'static str, Variable)> {
    let plain = || Variable::from(Array::ones(&[64, 64]));
    let narrow = || Variable::from(Array::ones(&[64, 2]));
    vec![
        ("Array", plain()),
        ("Transposed", Transposed::of(plain()).into()),
        ("QuantizedTensor", quantize(&Array::ones(&[64, 64]), Scheme::MXFP4).into()),
        ("LowRank", LowRank { a: narrow(), b: Array::ones(&[2, 64]).into() }.into()),
        ("Lora", Lora::over(plain(), &key(), 2, 1.0).into()),
        ("WeightNorm", WeightNorm::over(plain()).into()),
        ("Transposed of Lora", Transposed::of(Lora::over(plain(), &key(), 2, 1.0)).into()),
        ("a shared Array", plain().share()),
    ]
}

#[test]
fn every_kind_of_weight_panics_at_the_line_that_uses_it() {
    let x = Array::ones(&[2, 5]);
    for (name, value) in values() {
        let layer = Linear { weight: value.clone(), bias: None };
        let message = panics_here(|| {
            layer.forward(&x);
        });
        assert!(message.contains("lines.rs"), "{name}: {message}");
        panics_here(|| {
            value.dot(&x);
        });
        panics_here(|| {
            value.dot_transposed(&x);
        });
        panics_here(|| {
            value.rows(&x);
        });
    }
}

#[derive(Clone, Debug, Tree)]
struct Block {
    inner: Layer,
}

/// The line on which a block calls its layer.
const INNER: u32 = line!() + 5;

impl Module for Block {
    #[rustfmt::skip]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        cx.call("inner", &self.inner, x)
    }
}

#[test]
fn a_block_of_the_user_panics_at_its_own_line() {
    let block = Block { inner: Linear::new(&key(), 4, 4).into() };
    let model = Sequential::new().and(block.clone()).and(RematLayer(block.into()));
    let x = Array::ones(&[2, 5]);
    let error = try_trace(|| model.call(&x, &mut Context::eval())).unwrap_err();
    let Some(place) = error.location() else { panic!("{error}") };
    assert_eq!((place.file(), place.line()), (Location::caller().file(), INNER), "{error}");
    assert!(error.to_string().contains("layers.0.inner"), "{error}");
    // The weight was made by the layer, for the line that made the layer.
    assert!(error.labels().iter().all(|label| label.location.file() == place.file()), "{error}");
}
