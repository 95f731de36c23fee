//! BERT, T5, ViT and ResNet against transformers: see `oracle/hf_encoders.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt, grad, jit};
use jarrah_formats::Tensors;
use jarrah_models::{
    Architecture, Bert, BertPooling, Memory, Pretrained, PretrainedModel, ResNet, T5, TokenTypes,
};
use jarrah_nn::{Activation, Context, Layer, Module, State, Tokens, update};

use crate::pretrained::{distance, expected, near_slopes};

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/encoders");
    let mut all: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert_eq!(all.len(), 12);
    all
}

fn of_kind<M: Architecture>(kind: &str) -> Vec<(String, BTreeMap<String, Array>, PretrainedModel<M>)> {
    let all = folders().into_iter().filter(|folder| name(folder).starts_with(kind));
    let loaded = all.map(|folder| {
        let model = PretrainedModel::load(&folder, Some(DType::F32)).unwrap();
        (name(&folder).to_owned(), expected(&folder), model)
    });
    let loaded: Vec<_> = loaded.collect();
    assert_eq!(loaded.len(), 3);
    loaded
}

fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}

/// What a model of any kind makes of what it is given.
fn output(model: &Layer, wanted: &BTreeMap<String, Array>, cx: Context) -> Array {
    let mut cx = match wanted.get("types") {
        Some(types) => cx.with(TokenTypes(types.clone())),
        None => cx,
    };
    model.call(wanted.get("tokens").unwrap_or_else(|| &wanted["pixels"]), &mut cx)
}

#[test]
fn outputs_are_those_of_transformers() {
    for folder in folders() {
        let wanted = expected(&folder);
        let model = PretrainedModel::<Layer>::load(&folder, Some(DType::F32)).unwrap().model;
        let off = distance(&output(&model, &wanted, Context::eval()), &wanted["output"]);
        assert!(off < 1e-4, "{}: {off}", name(&folder));
        let compiled = jit(|model: &Layer| output(model, &wanted, Context::eval()));
        let off = distance(&compiled.call(model).unwrap(), &wanted["output"]);
        assert!(off < 1e-4, "{}, compiled: {off}", name(&folder));
    }
}

/// Two numbers of each gradient of the mean of outputs times cosines.
#[test]
fn gradients_are_those_of_transformers() {
    for folder in folders() {
        let wanted = expected(&folder);
        let loaded = PretrainedModel::<Layer>::load(&folder, Some(DType::F32)).unwrap();
        let loss = |model: &Layer| {
            let y = output(model, &wanted, Context::eval());
            // The features of pictures come first in transformers.
            let y = if y.rank() == 4 { y.transpose(&[0, 3, 1, 2]) } else { y };
            let probe: Vec<f32> = (1..=y.size()).map(|i| (i as f64).cos() as f32).collect();
            (&y * Array::new(&probe, &y.shape())).mean(..)
        };
        let slope = grad(loss)(&loaded.model);
        let slope = loaded.with(slope);
        let slope: BTreeMap<String, Literal> = slope.tensors().unwrap().into_iter().collect();
        assert!(near_slopes(name(&folder), &slope, &wanted) > 10);
    }
}

/// The first files of BERT spell the scales and biases of normalizations as its paper does.
#[test]
fn old_names_are_read_and_kept() {
    let bert = folders().into_iter().find(|folder| name(folder) == "bert").unwrap();
    let files = Tensors::open(&bert).unwrap();
    let old = |name: &str| {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
    };
    let place = tempfile::tempdir().unwrap();
    let renamed: Vec<jarrah_formats::Tensor<'_>> =
        files.iter().map(|tensor| tensor.clone().named(old(tensor.name()))).collect();
    jarrah_formats::save(place.path(), &renamed, &Default::default()).unwrap();
    std::fs::copy(bert.join("config.json"), place.path().join("config.json")).unwrap();
    let wanted = expected(&bert);
    let loaded = PretrainedModel::<Layer>::load(place.path(), Some(DType::F32)).unwrap();
    assert!(distance(&output(&loaded.model, &wanted, Context::eval()), &wanted["output"]) < 1e-4);
    let names: Vec<String> = loaded.tensors().unwrap().into_iter().map(|(name, _)| name).collect();
    assert!(names.iter().any(|name| name == "bert.embeddings.LayerNorm.gamma"));
    assert!(names.iter().all(|name| !name.contains("LayerNorm.weight")));
}

/// A folder that is read and written has the same names, dtypes and bytes.
#[test]
fn files_come_back_byte_for_byte() {
    for folder in folders() {
        let copy = tempfile::tempdir().unwrap();
        PretrainedModel::<Layer>::load(&folder, None).unwrap().save(copy.path()).unwrap();
        let list = |path: &Path| -> BTreeMap<String, (String, Vec<u8>)> {
            let files = Tensors::open(path).unwrap();
            let each = |t: jarrah_formats::Tensor<'_>| {
                (t.name().to_owned(), (t.to_string(), t.literal().unwrap().bytes().to_vec()))
            };
            files.iter().map(each).collect()
        };
        let (before, after) = (list(&folder), list(copy.path()));
        assert!(before.keys().eq(after.keys()), "{}", name(&folder));
        assert!(before == after, "{}", name(&folder));
        let config = |folder: &Path| std::fs::read(folder.join("config.json")).unwrap();
        assert_eq!(config(&folder), config(copy.path()));
    }
}

#[test]
fn texts_become_vectors() {
    for (name, wanted, loaded) in of_kind::<Bert>("bert") {
        let (bert, tokens, mask) = (&loaded.model, &wanted["tokens"], &wanted["mask"]);
        let cx = || Context::eval().with(TokenTypes(wanted["types"].clone()));
        for (pooling, key) in [(BertPooling::Mean, "mean"), (BertPooling::First, "first")] {
            let off = distance(&bert.embeddings(tokens, mask, pooling, &mut cx()), &wanted[key]);
            assert!(off < 1e-4, "{name}: {key}: {off}");
        }
        let masked = bert.call(tokens, &mut cx().with(Tokens::masked(mask)));
        let real = match masked.rank() {
            3 => mask.astype(DType::F32).expand_dims(-1),
            _ => Array::ones(&[2, 1]),
        };
        let off = distance(&(masked * &real), &(&wanted["masked"] * &real));
        assert!(off < 1e-4, "{name}, filled up: {off}");
    }
}

#[test]
fn another_text_is_written_token_by_token() {
    for (name, wanted, loaded) in of_kind::<T5>("t5") {
        let (t5, tokens, target) = (&loaded.model, &wanted["tokens"], &wanted["target"]);
        let memory = t5.encode(tokens, None, &mut Context::eval());
        let off = distance(&t5.decode(target, &memory, &mut Context::eval()), &wanted["logits"]);
        assert!(off < 1e-4, "{name}: {off}");
        let masked = t5.encode(tokens, Some(&wanted["mask"]), &mut Context::eval());
        let off = distance(&t5.decode(target, &masked, &mut Context::eval()), &wanted["masked"]);
        assert!(off < 1e-4, "{name}, filled up: {off}");

        // In chunks of 5, 1 and 34 through a cache with room for more.
        let decode = jit(|(t5, memory, tokens, cache, seen): &(T5, Memory, Array, State, Array)| {
            t5.next(tokens, memory, cache, &Tokens::next(seen, tokens))
        });
        let mut cache = t5.init_cache(&masked, 48, DType::F32);
        // Keys and values of the first text are in the caches: its states are not looked at again.
        let masked = Memory { states: &masked.states * 0.0, ..masked };
        let mut seen = 0;
        for length in [5, 1, 34] {
            let chunk = target.slice(1, seen..seen + length);
            let at = Array::full(&[2], seen as f64, DType::I32);
            let (logits, after) = decode.call((t5.clone(), masked.clone(), chunk, cache, at)).unwrap();
            cache = after;
            let off = distance(&logits, &wanted["masked"].slice(1, seen..seen + length));
            assert!(off < 1e-4, "{name}, cached: {off}");
            seen += length;
        }
    }
}

/// Those who ask for the weights of attention get the same results, and rows that sum to one.
#[test]
fn weights_of_attention_are_seen() {
    for (name, wanted, loaded) in of_kind::<T5>("t5") {
        let mut cx = Context::eval().capturing("**.weights");
        let memory = loaded.model.encode(&wanted["tokens"], Some(&wanted["mask"]), &mut cx);
        let off = distance(&loaded.model.decode(&wanted["target"], &memory, &mut cx), &wanted["masked"]);
        let real = wanted["mask"].slice(0, 0..1);
        assert_eq!(real.min(..).item::<i32>().unwrap(), 1);
        assert!(off < 1e-4, "{name}: {off}");
        let weights = cx.captured().array("decoder.blocks.0.cross.weights").unwrap();
        assert_eq!(weights.shape(), [2, 3, 40, 11]);
        assert!((weights.sum(&[-1][..]) - 1.0).abs().max(..).item::<f32>().unwrap() < 1e-5);
    }
}

#[test]
fn statistics_follow_training() {
    for (name, wanted, loaded) in of_kind::<ResNet>("resnet") {
        let mut cx = Context::train(&jarrah_array::random::Key::new(0));
        let off = distance(&loaded.model.call(&wanted["pixels"], &mut cx), &wanted["trained"]);
        assert!(off < 1e-4, "{name}: {off}");
        let trained = update(&loaded.model, &cx.updates());
        let off = distance(&trained.stem.norm.mean.get(), &wanted["running_mean"]);
        assert!(off < 1e-4, "{name}: {off}");
        let copy = tempfile::tempdir().unwrap();
        loaded.with(trained.clone()).save(copy.path()).unwrap();
        let again = PretrainedModel::<ResNet>::load(copy.path(), None).unwrap().model;
        let same = |(a, b): (&Array, &Array)| a.to_literal().unwrap() == b.to_literal().unwrap();
        assert!(again.leaves().into_iter().zip(trained.leaves()).all(same));
    }
}

#[test]
fn what_does_not_apply_is_refused_in_words() {
    let bert = folders().into_iter().find(|folder| name(folder) == "bert").unwrap();
    let error = Pretrained::load(&bert, None).unwrap_err().to_string();
    assert!(error.contains("`bert` is no decoder"), "{error}");
    let json = serde_json::json!({"model_type": "bert"});
    let error = PretrainedModel::<T5>::random(json, &Key::new(0)).unwrap_err().to_string();
    assert!(error.contains("of the kind `bert`, not `t5`"), "{error}");
    let refused = |folder: &str, key: &str, value: serde_json::Value| {
        let from = bert.with_file_name(folder);
        let mut json: serde_json::Value =
            serde_json::from_slice(&std::fs::read(from.join("config.json")).unwrap()).unwrap();
        json[key] = value;
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("config.json"), json.to_string()).unwrap();
        std::fs::copy(from.join("model.safetensors"), place.path().join("model.safetensors")).unwrap();
        PretrainedModel::<Layer>::load(place.path(), None).unwrap_err().to_string()
    };
    for (folder, key, value, message) in [
        ("bert", "hidden_size", 18.into(), "no multiple of 4 heads"),
        ("bert", "num_hidden_layers", 3.into(), "missing"),
        ("bert", "hidden_act", "sulu".into(), "`sulu`"),
        ("t5", "feed_forward_proj", "gated".into(), "`feed_forward_proj` of config.json is `gated`"),
        ("t5", "d_kv", 0.into(), "extents"),
        ("t5", "relative_attention_max_distance", 2.into(), "buckets"),
        ("vit", "patch_size", 0.into(), "`patch_size`"),
        ("vit", "image_size", 2.into(), "patches of"),
        ("vit", "image_size", 16.into(), "mismatched"),
        ("resnet", "layer_type", "odd".into(), "`layer_type` of config.json is odd"),
        ("resnet", "depths", serde_json::json!([1]), "`depths` [1]"),
        ("resnet", "hidden_sizes", serde_json::json!([8, 0]), "`hidden_sizes` of config.json is [8,0]"),
    ] {
        let error = refused(folder, key, value);
        assert!(error.contains(message), "{key}: {error}");
    }
}

/// Tokens of an encoder see all others, not those before them alone.
#[test]
fn operations_are_counted_for_every_pair() {
    for (name, _, model) in of_kind::<Bert>("bert") {
        let layers = &model.config.layers;
        let pairs = layers.training_flops_per_token(10) - layers.training_flops_per_token(0);
        assert_eq!(pairs, (6 * 10 * 2 * layers.width * layers.layers.len()) as f64, "{name}");
    }
}

/// A model of the folder called `of`, with changes in its `config.json` and among its tensors.
fn changed(
    of: &str,
    change: impl FnOnce(&mut serde_json::Value, &mut BTreeMap<String, Literal>),
) -> jarrah_array::Result<PretrainedModel<Layer>> {
    let from = folders().into_iter().find(|folder| name(folder) == of).unwrap();
    let mut json = serde_json::from_slice(&std::fs::read(from.join("config.json")).unwrap()).unwrap();
    let files = Tensors::open(&from).unwrap();
    let mut tensors = files.iter().map(|t| (t.name().to_owned(), t.literal().unwrap())).collect();
    change(&mut json, &mut tensors);
    let place = tempfile::tempdir().unwrap();
    let all: Vec<_> = tensors.iter().map(|(name, x)| jarrah_formats::Tensor::of(name.as_str(), x)).collect();
    jarrah_formats::save(place.path(), &all, &Default::default()).unwrap();
    std::fs::write(place.path().join("config.json"), json.to_string()).unwrap();
    let model = PretrainedModel::load(place.path(), Some(DType::F32))?;
    // A folder that is written is the same model.
    let copy = tempfile::tempdir().unwrap();
    model.save(copy.path())?;
    let again = PretrainedModel::<Layer>::load(copy.path(), Some(DType::F32)).unwrap();
    assert!(again.tensors()? == model.tensors()?, "{of}");
    Ok(model)
}

/// The numbers of a tensor, each as `of` makes it.
fn mapped(of: &Literal, by: impl Fn(f64) -> f64) -> Literal {
    let numbers: Vec<f64> = of.to_f64_vec().into_iter().map(by).collect();
    Literal::from_f64s(of.ty(), &numbers).unwrap()
}

fn of_tokens(model: &PretrainedModel<Layer>, tokens: &Array) -> Array {
    model.model.call(tokens, &mut Context::eval())
}

/// A BERT that is a decoder sees no token behind the one that it looks at.
#[test]
fn a_bert_that_is_a_decoder_is_causal() {
    let tokens = |last: i32| Array::new(&[3i32, 7, 11, last], &[1, 4]);
    let first = |model: &PretrainedModel<Layer>, last| of_tokens(model, &tokens(last)).slice(1, 0..3);
    let causal = changed("bert", |json, _| json["is_decoder"] = true.into()).unwrap();
    assert!(distance(&first(&causal, 5), &first(&causal, 9)) == 0.0);
    let encoder = changed("bert", |_, _| ()).unwrap();
    assert!(distance(&first(&encoder, 5), &first(&encoder, 9)) > 1e-3);
}

/// The output layer of a BERT of masked tokens may be another matrix than the embeddings, and its bias has two names.
#[test]
fn an_output_layer_of_a_bert_is_read() {
    let (embeddings, output) = ("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight");
    let (bias, again) = ("cls.predictions.bias", "cls.predictions.decoder.bias");
    let tokens = Array::new(&[3i32, 7, 11, 2], &[1, 4]);
    let plain = changed("bert", |_, _| ()).unwrap();
    let wanted = of_tokens(&plain, &tokens);
    let b = plain.tensors().unwrap().into_iter().find(|(name, _)| name == bias).unwrap().1;
    let b = Array::from_literal(b);
    for says_tied in [true, false] {
        let apart = changed("bert", |json, tensors| {
            json["tie_word_embeddings"] = says_tied.into();
            tensors.insert(output.to_owned(), mapped(&tensors[embeddings], |x| 2.0 * x));
        });
        let apart = apart.unwrap();
        assert!(distance(&of_tokens(&apart, &tokens), &((&wanted - &b) * 2.0 + &b)) < 1e-5);
        assert_eq!(apart.notes.len(), usize::from(says_tied), "{:?}", apart.notes);
    }
    let copied = changed("bert", |_, tensors| {
        tensors.insert(output.to_owned(), tensors[embeddings].clone());
        tensors.insert(again.to_owned(), tensors[bias].clone());
    });
    let copied = copied.unwrap();
    assert!(distance(&of_tokens(&copied, &tokens), &wanted) == 0.0 && copied.notes.is_empty());
    let renamed = changed("bert", |_, tensors| {
        let own = tensors.remove(bias).unwrap();
        tensors.insert(again.to_owned(), own);
    });
    assert!(distance(&of_tokens(&renamed.unwrap(), &tokens), &wanted) == 0.0);
    let differs = changed("bert", |_, tensors| {
        tensors.insert(again.to_owned(), mapped(&tensors[bias], |x| x + 1.0));
    });
    assert!(distance(&of_tokens(&differs.unwrap(), &tokens), &(&wanted + 1.0)) < 1e-5);
    let missing = changed("bert", |json, _| json["tie_word_embeddings"] = false.into());
    assert!(missing.unwrap_err().to_string().contains(output));
}

/// The layers within a block of a ResNet have ReLU between them, whatever the activation of the model is.
#[test]
fn layers_within_a_block_have_relu_between_them() {
    let net = changed("resnet", |json, _| json["hidden_act"] = "gelu".into()).unwrap();
    let net = net.model.get::<ResNet>().unwrap();
    let block = &net.stages[0][0];
    let x = Array::arange(2 * 4 * 4 * 6).astype(DType::F32).reshape(&[2, 4, 4, 6]).sin();
    let mut cx = Context::eval();
    let mut y = x.clone();
    for (i, layer) in block.layers.iter().enumerate() {
        y = layer.call(&if i > 0 { y.maximum(0.0) } else { y }, &mut cx);
    }
    let around = block.shortcut.as_ref().map_or_else(|| x.clone(), |way| way.call(&x, &mut cx));
    let wanted = Activation::GELU_EXACT.of(&(y + around));
    assert!(distance(&block.call(&x, &mut cx), &wanted) < 1e-6);
}

/// A T5 without an output layer has the embeddings in its place, whatever `config.json` says; the embeddings have three names.
#[test]
fn embeddings_of_a_t5_go_by_all_their_names() {
    let (shared, head) = ("shared.weight", "lm_head.weight");
    let own = ["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];
    let tokens = Array::new(&[3i32, 7, 11, 2], &[1, 4]);
    let wanted = |scale: bool| {
        let model = changed("t5_gated", |json, tensors| {
            json["scale_decoder_outputs"] = scale.into();
            tensors.insert(head.to_owned(), tensors[shared].clone());
        });
        of_tokens(&model.unwrap(), &tokens)
    };
    for (says_tied, scale) in [(Some(true), false), (None, false), (Some(false), false), (Some(false), true)]
    {
        let tied = changed("t5_gated", |json, tensors| {
            json["scale_decoder_outputs"] = scale.into();
            json["tie_word_embeddings"] = says_tied.into();
            tensors.remove(head);
        });
        assert!(distance(&of_tokens(&tied.unwrap(), &tokens), &wanted(scale)) == 0.0, "{says_tied:?}");
    }
    let wanted = of_tokens(&changed("t5", |_, _| ()).unwrap(), &tokens);
    for other in own.into_iter().chain([head]) {
        let renamed = changed("t5", |_, tensors| {
            let embeddings = tensors.remove(shared).unwrap();
            tensors.insert(other.to_owned(), embeddings);
        });
        assert!(distance(&of_tokens(&renamed.unwrap(), &tokens), &wanted) == 0.0, "{other}");
    }
    let copied = changed("t5", |_, tensors| {
        own.iter().for_each(|name| drop(tensors.insert((*name).to_owned(), tensors[shared].clone())));
    });
    assert!(copied.unwrap().notes.is_empty());
    let differs = changed("t5", |_, tensors| {
        tensors.insert(own[1].to_owned(), mapped(&tensors[shared], |x| x + 1.0));
    });
    let error = differs.unwrap_err().to_string();
    assert!(error.contains("decoder.embed_tokens.weight, and their numbers differ"), "{error}");
}

/// `dense_act_fn` goes before `feed_forward_proj`.
#[test]
fn the_activation_of_a_t5_has_an_entry_of_its_own() {
    let tokens = Array::new(&[3i32, 7, 11, 2], &[1, 4]);
    let with = |entries: &[(&str, serde_json::Value)]| {
        let model = changed("t5", |json, _| {
            json.as_object_mut().unwrap().remove("dense_act_fn");
            entries.iter().for_each(|(key, value)| json[*key] = value.clone());
        });
        model.map(|model| of_tokens(&model, &tokens))
    };
    let tanh = with(&[("feed_forward_proj", "tanh".into())]).unwrap();
    assert!(distance(&with(&[]).unwrap(), &tanh) > 1e-3);
    assert!(distance(&with(&[("dense_act_fn", "tanh".into())]).unwrap(), &tanh) == 0.0);
    let error = with(&[("dense_act_fn", "sulu".into())]).unwrap_err().to_string();
    assert!(error.contains("`dense_act_fn` of config.json is `sulu`"), "{error}");
}
