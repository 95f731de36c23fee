//! BERT, T5, ViT and ResNet against transformers: see `oracle/hf_encoders.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt, grad, jit};
use jarrah_formats::Tensors;
use jarrah_models::{
    Architecture, Bert, Memory, Pooling, Pretrained, PretrainedModel, ResNet, T5, TokenTypes,
};
use jarrah_nn::{Context, Layer, Module, Sequences, State, Tokens, update};

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
        for (pooling, key) in [(Pooling::Mean, "mean"), (Pooling::First, "first")] {
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
            t5.next(tokens, memory, cache, &Sequences::at(seen))
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
