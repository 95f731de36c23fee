//! Layers in passes that say where their tokens stand: several texts in a sequence, or tokens that go on from earlier ones.

use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, concatenate, grad, stack, try_trace};
use jarrah_nn::{
    BatchNorm, Bidirectional, Capacity, Context, Conv, ConvTranspose, Einsum, Experts, Gate, GroupNorm,
    GruCell, Initializer, KvCache, LatentAttention, LatentConfig, Layer, LayerNorm, LinearGeneral, LstmCell,
    Module, MultiHeadAttention, Pairing, Pool, RmsNorm, Rnn, Rope, Routing, Score, State, Tokens,
};

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

/// Two texts in one sequence, of three tokens and of four.
fn packed() -> (Array, Context) {
    let segments = Array::new(&[1i32, 1, 1, 2, 2, 2, 2], &[1, 7]);
    (Key::new(1).normal(&[1, 7, 8]), Context::eval().with(Tokens::packed(&segments)))
}

/// Both texts by themselves, one behind the other.
fn alone(layer: &dyn Fn(&Array, &mut Context) -> Array, x: &Array) -> Array {
    let (a, b) = (x.slice(1, 0..3), x.slice(1, 3..7));
    concatenate(&[&layer(&a, &mut Context::eval()), &layer(&b, &mut Context::eval())], 1)
}

fn near(a: &Array, b: &Array, what: &str) {
    assert_eq!(a.shape(), b.shape(), "{what}");
    for (a, b) in values(a).iter().zip(values(b)) {
        assert!((a - b).abs() <= 1e-6, "{what}: {a} {b}");
    }
}

fn next(position: i32, length: usize) -> Tokens {
    Tokens::next(&Array::scalar(position), &Array::zeros(&[1, length]))
}

/// The message of a module that refuses the pass.
fn refused(module: impl Into<Layer>, x: &Array, cx: Context) -> String {
    let module = module.into();
    try_trace(|| module.call(x, &mut cx.clone())).map(|y| y.ty()).unwrap_err().to_string()
}

fn attention() -> [MultiHeadAttention; 3] {
    let layer = MultiHeadAttention::new(&Key::new(0), 8, 2);
    let turned = layer.clone().causal().with_rope(Rope::new(4, 100.0));
    [layer.clone(), layer.causal(), turned]
}

/// A mask hides all keys of its text from the fourth of five tokens, which weighs these alike, and no others.
#[test]
fn a_mask_that_hides_a_text_from_its_own_token_shows_it_no_other() {
    let x = Key::new(1).normal(&[1, 5, 8]);
    let layer = MultiHeadAttention::new(&Key::new(0), 8, 2);
    let of_padding = Tokens::masked(&Array::new(&[0i32, 0, 1, 1, 1], &[1, 5]));
    for tokens in [Tokens::packed(&Array::new(&[1i32, 1, 2, 2, 2], &[1, 5])), of_padding] {
        for shown in [[false; 5], [true, false, false, false, false]] {
            let mut mask = vec![true; 25];
            mask[15..20].copy_from_slice(&shown);
            let mask = Array::new(&mask, &[1, 1, 5, 5]);
            let options = AttentionOptions { mask: Some(mask.clone()), ..AttentionOptions::default() };
            let all = |x: &Array| layer.attend_itself(x, &options, &mut Context::eval().with(tokens.clone()));
            let mask = Some(mask.slice(2, 2..5).slice(3, 2..5));
            let options = AttentionOptions { mask, ..AttentionOptions::default() };
            let own = layer.attend_itself(&x.slice(1, 2..5), &options, &mut Context::eval());
            near(&all(&x).slice(1, 2..5), &own, "the text alone");
            let leak = grad(|x: &Array| all(x).slice(1, 2..5).square().sum(..))(&x).slice(1, 0..2);
            assert_eq!(values(&leak), [0.0; 16]);
        }
    }
}

#[test]
fn texts_of_a_packed_pass_do_not_see_each_other_in_multi_head_attention() {
    let (x, cx) = packed();
    for layer in attention() {
        let call = |x: &Array, cx: &mut Context| layer.call(x, cx);
        near(&layer.call(&x, &mut cx.clone()), &alone(&call, &x), "packed");
    }
}

#[test]
fn segments_of_the_options_and_of_the_pass_both_hold_in_multi_head_attention() {
    let (x, cx) = packed();
    let layer = &attention()[0];
    // The options split the second text once more.
    let own = Array::new(&[1i32, 1, 1, 1, 1, 2, 2], &[1, 7]);
    let options = AttentionOptions { segments: Some((own.clone(), own)), ..AttentionOptions::default() };
    let all = [0..3, 3..5, 5..7].map(|range| layer.call(&x.slice(1, range), &mut Context::eval()));
    let all = concatenate(&all.iter().collect::<Vec<_>>(), 1);
    near(&layer.attend_itself(&x, &options, &mut cx.clone()), &all, "three parts");
}

#[test]
fn tokens_that_go_on_are_written_to_the_cache_of_multi_head_attention() {
    let x = Key::new(1).normal(&[1, 7, 8]);
    for layer in &attention()[1..] {
        let whole = layer.call(&x, &mut Context::eval());
        let mut state = State::default();
        state.set("cache", KvCache::new(1, 7, 2, 4, DType::F32));
        let mut parts = Vec::new();
        for cut in [0..3usize, 3..4, 4..7] {
            let tokens = next(cut.start as i32, cut.len());
            let mut cx = Context::eval().with_state(&state).with(tokens);
            parts.push(layer.call(&x.slice(1, cut), &mut cx));
            state = cx.updates();
            assert!(state.get::<KvCache>("cache").is_some());
        }
        let parts = values(&concatenate(&parts.iter().collect::<Vec<_>>(), 1));
        assert!(parts.iter().zip(values(&whole)).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

fn latent() -> LatentConfig {
    LatentConfig {
        heads: 2,
        latent: 6,
        query_latent: None,
        nope: 4,
        value: 4,
        rope: Rope::new(2, 100.0).paired(Pairing::Neighbours),
        bias: false,
        scale: None,
    }
}

#[test]
fn attention_that_goes_on_without_a_cache_is_refused() {
    let (x, [layer, ..]) = (Key::new(1).normal(&[1, 2, 8]), attention());
    let error = refused(layer.clone(), &x, Context::eval().with(next(3, 2)));
    assert!(error.contains("no cache for this layer") && error.contains("KvCache"), "{error}");
    let layer = LatentAttention::new(&Key::new(3), 8, &latent());
    let error = refused(layer.clone(), &x, Context::eval().with(next(3, 2)));
    assert!(error.contains("no cache for this layer") && error.contains("LatentCache"), "{error}");
}

#[test]
fn segments_in_a_pass_that_goes_on_are_refused() {
    let (x, [layer, ..]) = (Key::new(1).normal(&[1, 2, 8]), attention());
    let tokens = Tokens { segments: Some(Array::new(&[1i32, 2], &[1, 2])), ..next(0, 2) };
    let mut state = State::default();
    state.set("cache", KvCache::new(1, 2, 2, 4, DType::F32));
    let error = refused(layer.clone(), &x, Context::eval().with_state(&state).with(tokens));
    assert!(error.contains("caches do not keep segments"), "{error}");
}

#[test]
fn attention_to_another_sequence_in_a_packed_pass_needs_to_know_who_sees_whom() {
    let (x, cx) = packed();
    let [layer, _, turned] = attention();
    let y = Key::new(2).normal(&[1, 4, 8]);
    let attend = |layer: &MultiHeadAttention, options: &AttentionOptions, mut cx: Context| {
        try_trace(|| layer.attend(&x, &y, &y, options, &mut cx)).map_err(|error| error.to_string())
    };
    let error = attend(&layer, &AttentionOptions::default(), cx.clone()).unwrap_err();
    assert!(error.contains("which keys of the other sequence") && error.contains("`segments`"), "{error}");
    let of_x = Array::new(&[1i32, 1, 1, 2, 2, 2, 2], &[1, 7]);
    let of_y = Array::new(&[1i32, 2, 2, 2], &[1, 4]);
    let options = AttentionOptions { segments: Some((of_x, of_y)), ..AttentionOptions::default() };
    let both = attend(&layer, &options, cx).unwrap();
    let plain = AttentionOptions::default();
    let second = (x.slice(1, 3..7), y.slice(1, 1..4));
    let second = layer.attend(&second.0, &second.1, &second.1, &plain, &mut Context::eval());
    near(&both.slice(1, 3..7), &second, "the second text");
    let error = attend(&turned, &plain, Context::eval().with(next(4, 7))).unwrap_err();
    assert!(error.contains("begin with 0"), "{error}");
}

#[test]
fn recurrent_layers_begin_anew_with_each_text_of_a_packed_pass() {
    let (x, cx) = packed();
    let rnn = Rnn::new(LstmCell::new(&Key::new(4), 8, 3));
    let gru = || GruCell::new(&Key::new(5), 8, 3);
    let layers: [Layer; 4] = [
        Layer::new(rnn.clone()),
        Layer::new(rnn.clone().reverse().keep_order()),
        Layer::new(Rnn::new(gru())),
        Layer::new(Bidirectional::new(gru(), gru())),
    ];
    for (i, layer) in layers.iter().enumerate() {
        let call = |x: &Array, cx: &mut Context| layer.call(x, cx);
        near(&layer.call(&x, &mut cx.clone()), &alone(&call, &x), &format!("layer {i}"));
    }
    let major = rnn.clone().time_major().call(&x.swapaxes(0, 1), &mut cx.clone());
    near(&major.swapaxes(0, 1), &rnn.call(&x, &mut cx.clone()), "time first");
    let error = refused(rnn.clone(), &x, Context::eval().with(next(3, 7)));
    assert!(error.contains("keeps nothing") && error.contains("`run`"), "{error}");
    let error = refused(rnn.clone(), &x, Context::eval().with(next(0, 7)));
    assert!(error.contains("keeps nothing"), "{error}");
    let error = refused(rnn.clone(), &x.slice(1, 0..5), cx);
    assert!(error.contains("i32[1,7]") && error.contains("f32[1,5,8]"), "{error}");
}

/// Tokens that only fill up before a text are no part of what a recurrent layer carries into it.
#[test]
fn recurrent_layers_do_not_carry_what_fills_up() {
    let x = Key::new(1).normal(&[1, 5, 8]);
    let rnn = Rnn::new(GruCell::new(&Key::new(5), 8, 3));
    let mask = Array::new(&[0i32, 0, 1, 1, 1], &[1, 5]);
    let masked = rnn.call(&x, &mut Context::eval().with(Tokens::masked(&mask)));
    let text = rnn.call(&x.slice(1, 2..5), &mut Context::eval());
    near(&masked.slice(1, 2..5), &text, "the text");
}

#[test]
fn layers_that_would_mix_the_texts_of_a_pass_refuse() {
    let (x, cx) = packed();
    let mut of_axes = (*cx.about::<Tokens>().unwrap()).clone();
    of_axes.positions = stack(&[&of_axes.positions; 3], 0);
    let of_axes = Context::eval().with(of_axes);
    let key = Key::new(6);
    let mixing: [(&str, Layer); 8] = [
        ("conv", Layer::new(Conv::new(&key, 8, 8, &[3]))),
        ("conv", Layer::new(Conv::new(&key, 8, 8, &[1]).with_strides(&[2]))),
        ("transposed convolution", Layer::new(ConvTranspose::new(&key, 8, 8, &[3]))),
        ("pool", Layer::new(Pool::mean(&[2]))),
        ("group norm", Layer::new(GroupNorm::new(8, 2))),
        ("layer norm", Layer::new(LayerNorm::new(8, 1e-6).over(&[1, 2]))),
        ("rms norm", Layer::new(RmsNorm::new(8, 1e-6).over(&[-2]))),
        ("einsum", Layer::new(Einsum::new(&key, "btc,tsd->bsc", &[7, 7, 1], None))),
    ];
    for (name, layer) in &mixing {
        for cx in [&cx, &of_axes] {
            let error = refused(layer.clone(), &x, cx.clone());
            assert!(error.contains(name) && error.contains("several segments"), "{name}: {error}");
        }
        // The next tokens of a text would be looked at without those before.
        let error = refused(layer.clone(), &x, Context::eval().with(next(7, 7)));
        assert!(error.contains(name) && error.contains("without those before"), "{name}: {error}");
        layer.call(&x, &mut Context::eval());
    }
    let general = LinearGeneral::with(&key, &[], &[7], &[7], &[1], false, Initializer::lecun_normal());
    assert!(refused(general.clone(), &x, cx.clone()).contains("several segments"));
    let training = Context::train(&key).with(Tokens::packed(&Array::new(&[1i32, 1, 1, 2, 2, 2, 2], &[1, 7])));
    let norm = BatchNorm::new(8);
    assert!(refused(norm.clone(), &x, training.clone()).contains("several segments"));
    norm.call_masked(&x, Some(&Array::full(&[1, 7, 1], 1, DType::Bool)), &mut training.clone());
    // Layers that act on each token by itself take part.
    let apart: [Layer; 5] = [
        Layer::new(Conv::new(&key, 8, 8, &[1])),
        Layer::new(norm),
        Layer::new(LayerNorm::new(8, 1e-6)),
        Layer::new(LinearGeneral::new(&key, &[8], &[2, 4])),
        Layer::new(Einsum::new(&key, "...c,cd->...d", &[8, 8], None)),
    ];
    for layer in &apart {
        let call = |x: &Array, cx: &mut Context| layer.call(x, cx);
        near(&layer.call(&x, &mut cx.clone()), &alone(&call, &x), "apart");
    }
}

fn experts() -> Experts {
    let routing =
        Routing { active: 1, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    Experts::new(&Key::new(0), 2, 8, 8, Gate::Plain(jarrah_nn::Activation::SILU), routing)
}

#[test]
fn texts_of_a_packed_pass_do_not_take_the_places_of_others_at_experts_of_a_bounded_capacity() {
    let layer = experts();
    let bounded = |x: &Array, cx: Context| layer.call(x, &mut cx.with(Capacity { factor: 1.0 }));
    let (x, cx) = packed();
    let alone = |x: &Array| bounded(x, Context::eval());
    let apart = concatenate(&[&alone(&x.slice(1, 0..3)), &alone(&x.slice(1, 3..7))], 1);
    near(&bounded(&x, cx.clone()), &apart, "packed");
    // Some tokens are dropped, and others than if all were one text.
    assert!(apart.eq(0).all(-1).any(..).item::<bool>().unwrap());
    assert!(!apart.allclose(alone(&x), 1e-3, 1e-3).item::<bool>().unwrap());
    // Nor do tokens that only fill a sequence up.
    let mask = Array::new(&[0i32, 0, 0, 1, 1, 1, 1], &[1, 7]);
    let masked = bounded(&x, Context::eval().with(Tokens::masked(&mask)));
    near(&masked.slice(1, 3..7), &alone(&x.slice(1, 3..7)), "masked");
}

#[test]
fn rates_by_the_length_of_a_text_are_those_of_the_text_alone() {
    let dynamic = Rope::dynamic(4, 100.0, 4.0, 3);
    let long = Rope::longrope(4, 100.0, &[1.0, 1.0], &[2.0, 5.0], 3, 1.0);
    for rope in [dynamic, long] {
        let layer = MultiHeadAttention::new(&Key::new(0), 8, 2).causal().with_rope(rope);
        let call = |x: &Array, cx: &mut Context| layer.call(x, cx);
        let (x, cx) = packed();
        near(&layer.call(&x, &mut cx.clone()), &alone(&call, &x), "packed");
        // A sequence of three tokens beside one of seven.
        let both = concatenate(&[&x, &x.flip(1)], 0);
        let mask = Array::new(&[1i32, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], &[2, 7]);
        let masked = layer.call(&both, &mut Context::eval().with(Tokens::masked(&mask)));
        let (short, whole) = (both.slice(0, 0..1).slice(1, 0..3), both.slice(0, 1..2));
        near(&masked.slice(0, 0..1).slice(1, 0..3), &call(&short, &mut Context::eval()), "masked, short");
        near(&masked.slice(0, 1..2), &call(&whole, &mut Context::eval()), "masked, long");
    }
    // Sequences that go on from different places.
    let rope = Rope::dynamic(4, 100.0, 4.0, 3);
    let x = Key::new(3).normal(&[2, 1, 1, 4]);
    let places = Array::new(&[1i32, 20], &[2, 1]);
    let turned = rope.turn(&x, &places);
    for i in 0..2 {
        near(
            &turned.slice(0, i..i + 1),
            &rope.turn(&x.slice(0, i..i + 1), &places.slice(0, i..i + 1)),
            "served",
        );
    }
}

#[test]
fn experts_of_a_bounded_capacity_refuse_tokens_that_go_on() {
    let layer = experts();
    let cx = Context::eval().with(Capacity { factor: 1.0 }).with(next(3, 2));
    let error = refused(layer.clone(), &Array::ones(&[1, 2, 8]), cx);
    assert!(error.contains("`Capacity`"), "{error}");
}
