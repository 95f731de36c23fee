use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Prepared, TreeExt, concatenate, grad, jit, try_trace};
use jarrah_models::{AttentionForm, Decoder, DecoderConfig, Extents};
use jarrah_nn::{Context, Module, State, Tokens, softmax_cross_entropy_with_integer_labels};

fn extents() -> Extents {
    Extents {
        vocabulary: Some(23),
        context: Some(12),
        layers: Some(2),
        heads: Some(4),
        width: Some(16),
        ..Extents::default()
    }
}

fn config() -> DecoderConfig {
    DecoderConfig::gpt2(&extents()).unwrap()
}

/// The shape with so many heads of keys and values in each layer.
pub fn grouped(mut config: DecoderConfig, groups: usize) -> DecoderConfig {
    for layer in &mut config.layers {
        let AttentionForm::Heads(attention) = &mut layer.attention else { continue };
        attention.groups = groups;
    }
    config
}

fn model() -> Decoder {
    Decoder::new(&config(), &Key::new(4))
}

pub fn logits(model: &Decoder, tokens: &Array) -> Array {
    model.call(tokens, &mut Context::eval())
}

fn tokens(shape: [usize; 2]) -> Array {
    Key::new(77).randint(&shape, 0, 23)
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

#[test]
fn parameters_are_counted_and_named() {
    for groups in [4, 2] {
        for tied in [true, false] {
            let config = grouped(DecoderConfig { tied, ..config() }, groups);
            let (c, columns) = (16, 16 + 2 * groups * 4);
            let attention = (c + 1) * columns + (c + 1) * c;
            let mlp = (c + 1) * 4 * c + (4 * c + 1) * c;
            let head = if tied { 0 } else { 23 * c };
            assert_eq!(config.parameters(), (23 + 12) * c + 2 * (4 * c + attention + mlp) + 2 * c + head);
            let model = Decoder::new(&config, &Key::new(0));
            let count: usize = model.leaves().iter().map(|a: &&Array| a.size()).sum();
            assert_eq!(count, config.parameters());
        }
    }
    let names: Vec<String> =
        model().leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
    assert_eq!(names[..3], ["embed.table", "positions.table", "blocks.0.attention_norm.scale"]);
    assert_eq!(names[4], "blocks.0.attention.q.weight");
    assert_eq!(names.last().unwrap(), "norm.bias");
}

#[test]
fn decoding_has_the_bits_of_the_training_form() {
    let wide = DecoderConfig::gpt2(&Extents { width: Some(96), vocabulary: Some(250), ..extents() }).unwrap();
    for groups in [4, 2] {
        let model = Decoder::new(&grouped(wide.clone(), groups), &Key::new(4));
        let tokens = tokens([2, 11]);
        let whole = values(&logits(&model, &tokens));
        type Args = (Decoder, Array, State, Array);
        let decode = |(model, tokens, cache, position): &Args| {
            model.decode(tokens, cache, &Tokens::next(position, tokens))
        };
        let step = jit(decode).donate(2);
        let ready = jit(decode).donate(2).prepared(&Prepared::new(model.clone()));
        for prepared in [false, true] {
            for cuts in [vec![0, 11], vec![0, 5, 10, 11], (0..12).collect()] {
                let mut cache = model.init_cache(2, 16, DType::F32);
                let mut parts = Vec::new();
                for cut in cuts.windows(2) {
                    let chunk = tokens.slice(1, cut[0]..cut[1]);
                    let position = Array::scalar(cut[0] as i32);
                    let (logits, next) = match prepared {
                        false => step.call((model.clone(), chunk, cache, position)).unwrap(),
                        true => ready.call((chunk, cache, position)).unwrap(),
                    };
                    cache = next;
                    parts.push(logits);
                }
                assert_eq!(values(&concatenate(&parts.iter().collect::<Vec<_>>(), 1)), whole);
            }
        }
    }
}

#[test]
fn dropout_depends_on_its_key_alone() {
    let model = Decoder::new(&DecoderConfig { dropout: 0.5.into(), ..config() }, &Key::new(4));
    let tokens = tokens([1, 6]);
    let trained = |key: u64| values(&model.call(&tokens, &mut Context::train(&Key::new(key))));
    assert_eq!(trained(1), trained(1));
    assert_ne!(trained(1), trained(2));
    assert_ne!(trained(1), values(&logits(&model, &tokens)));
}

#[test]
fn a_later_token_does_not_change_earlier_logits() {
    let (model, tokens) = (model(), tokens([1, 8]));
    let cut = logits(&model, &tokens.slice(1, 0..5));
    let whole = logits(&model, &tokens).slice(1, 0..5);
    assert_eq!(values(&cut), values(&whole));
}

#[test]
fn every_parameter_gets_a_gradient() {
    let config = grouped(DecoderConfig { tied: false, ..config() }, 2);
    let model = Decoder::new(&config, &Key::new(4));
    let (x, y) = (tokens([2, 8]), tokens([2, 8]));
    let slope = grad(|m: &Decoder| m.loss(&x, &y, None, &mut Context::eval()))(&model);
    for (path, g) in slope.leaves_with_paths() {
        let g: &Array = g;
        assert!(values(g).iter().any(|&v| v != 0.0), "{path} has no gradient");
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let model = model();
    let error = try_trace(|| logits(&model, &tokens([1, 13]))).unwrap_err();
    assert!(error.message().contains("13 tokens"), "{error}");
    let error = try_trace(|| logits(&model, &Array::zeros(&[1, 3]))).unwrap_err();
    assert!(error.message().contains("f32[1,3]"), "{error}");
    let error = DecoderConfig::gpt2(&Extents { heads: Some(5), ..extents() }).unwrap_err();
    assert_eq!(error.message(), "`n_embd` 16 of config.json is no multiple of 5 heads");
    let error = DecoderConfig::gpt2(&Extents { groups: Some(2), ..extents() }).unwrap_err();
    assert_eq!(error.message(), "the shape of gpt2 has no kv_heads of its own");
}

#[test]
fn batches_of_many_sizes_share_executables_and_keep_their_bits() {
    let model = model();
    let f = |(model, tokens, targets): &(Decoder, Array, Array)| {
        let logits = logits(model, tokens);
        let losses = softmax_cross_entropy_with_integer_labels(&logits, targets);
        (logits, losses)
    };
    let (bucketed, plain) = (jit(f).bucketed(1).bucketed(2), jit(f));
    for n in 1..=70 {
        let words = tokens([n, 10]);
        let args = || (model.clone(), words.slice(1, 0..9), words.slice(1, 1..10));
        let (logits, losses) = bucketed.call(args()).unwrap();
        let (expected_logits, expected_losses) = plain.call(args()).unwrap();
        assert_eq!(values(&logits), values(&expected_logits), "{n} sequences");
        assert_eq!(values(&losses), values(&expected_losses), "{n} sequences");
    }
    assert_eq!((bucketed.traces(), plain.traces()), (33, 70));
    let loss = |(model, tokens): &(Decoder, Array)| {
        let (tokens, targets) = (tokens.slice(1, 0..9), tokens.slice(1, 1..10));
        model.loss(&tokens, &targets, None, &mut Context::eval())
    };
    let error = jit(loss).bucketed(1).call((model, tokens([20, 10]))).unwrap_err();
    assert!(error.message().contains("it reduces the rows"), "{error}");
}
