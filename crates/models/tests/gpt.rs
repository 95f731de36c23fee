use jarrah_array::random::Key;
use jarrah_array::{Array, Prepared, TreeExt, concatenate, grad, jit, try_trace};
use jarrah_models::{Gpt, GptConfig};
use jarrah_nn::{KvCache, Sequences};

fn config() -> GptConfig {
    GptConfig { vocabulary: 23, context: 12, layers: 2, heads: 4, width: 16, ..GptConfig::default() }
}

fn tokens(shape: [usize; 2]) -> Array {
    Key::new(77).randint(&shape, 0, 23)
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

#[test]
fn parameters_are_counted_and_named() {
    for groups in [None, Some(2)] {
        for (tie_embeddings, bias) in [(true, true), (false, false)] {
            let config = GptConfig { tie_embeddings, bias, groups, ..config() };
            let model = Gpt::init(config.clone(), &Key::new(0));
            let count: usize = model.leaves().iter().map(|a: &&Array| a.size()).sum();
            assert_eq!(count, config.parameters());
        }
    }
    let model = Gpt::init(config(), &Key::new(0));
    let names: Vec<String> =
        model.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
    assert_eq!(names[..3], ["wte.table", "wpe.table", "blocks.0.ln_1.scale"]);
    assert_eq!(names[4], "blocks.0.attention.qkv.weight");
    assert_eq!(names.last().unwrap(), "ln_f.bias");
}

#[test]
fn decoding_has_the_bits_of_the_training_form() {
    for groups in [None, Some(2)] {
        let wide = GptConfig { groups, width: 96, vocabulary: 250, ..config() };
        let model = Gpt::init(wide, &Key::new(4));
        let tokens = tokens([2, 11]);
        let whole = values(&model.logits(&tokens, None));
        type Args = (Gpt, Array, Vec<KvCache>, Array);
        let decode =
            |(model, tokens, cache, position): &Args| model.decode(tokens, cache, &Sequences::at(position));
        let step = jit(decode).donate(2);
        let ready = jit(decode).donate(2).prepared(&Prepared::new(model.clone()));
        for prepared in [false, true] {
            for cuts in [vec![0, 11], vec![0, 5, 10, 11], (0..12).collect()] {
                let mut cache = model.init_cache(2, 16, None);
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
    let model = Gpt::init(GptConfig { dropout: 0.5.into(), ..config() }, &Key::new(4));
    let tokens = tokens([1, 6]);
    let logits = |key: Option<u64>| values(&model.logits(&tokens, key.map(Key::new).as_ref()));
    assert_eq!(logits(Some(1)), logits(Some(1)));
    assert_ne!(logits(Some(1)), logits(Some(2)));
    assert_ne!(logits(Some(1)), logits(None));
}

#[test]
fn a_later_token_does_not_change_earlier_logits() {
    let model = Gpt::init(config(), &Key::new(4));
    let tokens = tokens([1, 8]);
    let cut = model.logits(&tokens.slice(1, 0..5), None);
    let whole = model.logits(&tokens, None).slice(1, 0..5);
    assert_eq!(values(&cut), values(&whole));
}

#[test]
fn every_parameter_gets_a_gradient() {
    let config = GptConfig { groups: Some(2), tie_embeddings: false, ..config() };
    let model = Gpt::init(config, &Key::new(4));
    let (x, y) = (tokens([2, 8]), tokens([2, 8]));
    let slope = grad(|m: &Gpt| m.loss(&x, &y, None))(&model);
    for (path, g) in slope.leaves_with_paths() {
        let g: &Array = g;
        assert!(values(g).iter().any(|&v| v != 0.0), "{path} has no gradient");
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let model = Gpt::init(config(), &Key::new(4));
    let error = try_trace(|| model.logits(&tokens([1, 13]), None)).unwrap_err();
    assert!(error.message().contains("13 tokens"), "{error}");
    let error = try_trace(|| model.logits(&Array::zeros(&[1, 3]), None)).unwrap_err();
    assert!(error.message().contains("f32[1,3]"), "{error}");
    let error = GptConfig { heads: 5, ..config() }.check().unwrap_err();
    assert_eq!(error.message(), "width 16 is not a multiple of 5 heads");
}

#[test]
fn batches_of_many_sizes_share_executables_and_keep_their_bits() {
    let model = Gpt::init(config(), &Key::new(4));
    let f = |(model, tokens, targets): &(Gpt, Array, Array)| {
        (model.logits(tokens, None), model.losses(tokens, targets, None))
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
    let loss =
        |(model, tokens): &(Gpt, Array)| model.loss(&tokens.slice(1, 0..9), &tokens.slice(1, 1..10), None);
    let error = jit(loss).bucketed(1).call((model, tokens([20, 10]))).unwrap_err();
    assert!(error.message().contains("it reduces the rows"), "{error}");
}
