//! Modules that predict further tokens, against transformers' decoder layers: see `oracle/mtp.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt, jit, try_trace, value_and_grad};
use jarrah_formats::Tensors;
use jarrah_models::{Decoder, DecoderConfig, Pretrained};
use jarrah_nn::{Context, Module, Tokens, softmax_cross_entropy_with_integer_labels};

use crate::pretrained::{distance, expected, near_slopes};

const FACTOR: f64 = 0.3;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mtp").join(name)
}

/// The logits of the next token and of those behind it, of texts whose last token is only known.
fn logits(model: &Decoder, text: &Array) -> (Array, Vec<Array>) {
    let time = text.shape()[1];
    let (tokens, next) = (text.slice(1, 0..time - 1), text.slice(1, 1..time));
    model.call_mtp(&tokens, &next, &mut Context::eval())
}

#[test]
fn further_logits_are_those_of_the_published_equations() {
    for (name, modules) in [("copies", 2), ("shared", 1), ("own", 1)] {
        let folder = folder(name);
        let wanted = expected(&folder);
        let model = Pretrained::load(&folder, Some(DType::F32)).unwrap().model;
        let text = &wanted["tokens"];
        let off = distance(&model.call(text, &mut Context::eval()), &wanted["logits"]);
        assert!(off < 1e-4, "{name}: {off}");
        let both = jit(|(model, text): &(Decoder, Array)| logits(model, text));
        let (next, further) = both.call((model.clone(), text.clone())).unwrap();
        assert!(distance(&next, &wanted["logits"].slice(1, 0..12)) < 1e-4);
        assert_eq!(further.len(), modules);
        for (k, found) in (1..).zip(&further) {
            let known = 13 - k;
            let wanted = &wanted[&format!("mtp.{k}")];
            let off = distance(&found.slice(1, 0..known), &wanted.slice(1, 0..known));
            assert!(off < 1e-4, "{name}, module {k}: {off}");
        }
        // Two texts in one sequence: none sees the other, nor its last token the first of the other, where that is known.
        let (tokens, next) = (text.slice(1, 0..12).reshape(&[1, 24]), text.slice(1, 1..13).reshape(&[1, 24]));
        let segments = Array::arange(24i32).ge(12).astype(DType::I32).reshape(&[1, 24]);
        let mut cx = Context::eval().with(Tokens::packed(&segments));
        let (_, packed) = model.call_mtp(&tokens, &next, &mut cx);
        let packed = packed[0].reshape(&further[0].shape()[..]);
        assert!(distance(&packed, &further[0]) < 1e-5);
    }
}

/// Gradients of the loss of all tokens, by the names of the file's tensors; those that a file has again have that of what they repeat.
#[test]
fn gradients_are_those_of_torch() {
    for name in ["copies", "shared", "own"] {
        let folder = folder(name);
        let wanted = expected(&folder);
        let loaded = Pretrained::load(&folder, Some(DType::F32)).unwrap();
        let text = &wanted["tokens"];
        let next = text.slice(1, 1..13);
        let loss = |model: &Decoder| {
            let (logits, further) = logits(model, text);
            let mut sum = Array::scalar(0.0f32);
            let mut count = 0;
            for (k, logits) in (1..).zip(&further) {
                let known = 12 - k;
                let targets = next.slice(1, k..12);
                sum +=
                    softmax_cross_entropy_with_integer_labels(&logits.slice(1, 0..known), &targets).sum(..);
                count += 2 * known;
            }
            softmax_cross_entropy_with_integer_labels(&logits, &next).mean(..) + sum * (FACTOR / count as f64)
        };
        let (loss, slope) = value_and_grad(loss)(&loaded.model);
        assert!(distance(&loss, &wanted["loss"]) < 1e-5, "{name}");
        let slope: BTreeMap<String, Literal> = loaded.with(slope).tensors().unwrap().into_iter().collect();
        let copies = if name == "copies" { 4 } else { 0 };
        assert_eq!(near_slopes(name, &slope, &wanted), slope.len() - copies, "{name}");
    }
}

#[test]
fn modules_come_back_byte_for_byte() {
    let list = |folder: &Path| -> BTreeMap<String, (String, Vec<u8>)> {
        let files = Tensors::open(folder).unwrap();
        let each = |t: jarrah_formats::Tensor<'_>| {
            (t.name().to_owned(), (t.to_string(), t.literal().unwrap().bytes().to_vec()))
        };
        files.iter().map(each).collect()
    };
    for name in ["copies", "shared", "own"] {
        let copy = tempfile::tempdir().unwrap();
        Pretrained::load(folder(name), None).unwrap().save(copy.path()).unwrap();
        assert!(list(&folder(name)) == list(copy.path()), "{name}");
        // A file that lacks them, as transformers writes it, is the model without them.
        let cut = tempfile::tempdir().unwrap();
        let mut less = Pretrained::load(folder(name), None).unwrap();
        less.json["num_nextn_predict_layers"] = 0.into();
        less.model.mtp.clear();
        Pretrained::of(less.model, less.json, None).unwrap().save(cut.path()).unwrap();
        std::fs::copy(folder(name).join("config.json"), cut.path().join("config.json")).unwrap();
        let cut = Pretrained::load(cut.path(), None).unwrap();
        assert!(cut.config.mtp.is_empty());
        assert_eq!(cut.json["num_nextn_predict_layers"], if name == "copies" { 2 } else { 1 });
    }
}

/// A family without such modules takes them too, with layers like its last; the numbers of the model are what they are without.
#[test]
fn other_families_take_modules() {
    let json = |modules: usize, family: &str| {
        let mut json = Pretrained::preset(family).unwrap();
        json["num_nextn_predict_layers"] = modules.into();
        json
    };
    for family in ["test-llama", "gpt2"] {
        let config = |modules| {
            jarrah_models::ModelFamily::of(&json(modules, family)).unwrap().config(&json(modules, family))
        };
        let (plain, more): (DecoderConfig, DecoderConfig) = (config(0).unwrap(), config(2).unwrap());
        let layer = Pretrained::shapes(&json(0, family)).unwrap().blocks[0]
            .leaves()
            .into_iter()
            .map(Array::size)
            .sum::<usize>();
        let norm = if family == "gpt2" { 2 } else { 1 } * plain.width;
        let module = layer + 2 * plain.width * plain.width + 3 * norm;
        assert_eq!(more.parameters() - plain.parameters(), 2 * module);
    }
    let plain = Pretrained::random(json(0, "test-llama"), &Key::new(3)).unwrap().model;
    let more = Pretrained::random(json(2, "test-llama"), &Key::new(3)).unwrap();
    let copy = tempfile::tempdir().unwrap();
    more.save(copy.path()).unwrap();
    let again = Pretrained::load(copy.path(), None).unwrap();
    let text = Array::new(&[3i32, 1, 4, 1, 5, 9, 2, 6], &[1, 8]);
    let (next, further) = logits(&again.model, &text);
    assert!(distance(&next, &plain.call(&text.slice(1, 0..7), &mut Context::eval())) < 1e-6);
    // What a module gives at a position knows the tokens up to it and its own, and no later ones.
    let other = Array::new(&[3i32, 1, 4, 1, 5, 9, 2, 7], &[1, 8]);
    let (_, changed) = logits(&again.model, &other);
    for (k, (a, b)) in (1..).zip(further.iter().zip(&changed)) {
        assert!(distance(&a.slice(1, 0..7 - k), &b.slice(1, 0..7 - k)) < 1e-7);
        assert!(distance(&a.slice(1, 7 - k..8 - k), &b.slice(1, 7 - k..8 - k)) > 1e-4);
    }

    let mut gemma = Pretrained::preset("gemma4-e2b").unwrap();
    gemma["num_nextn_predict_layers"] = 1.into();
    let error = Pretrained::shapes(&gemma).unwrap_err().to_string();
    assert!(error.contains("layers with inputs or keys of others"), "{error}");
}

#[test]
fn passes_with_caches_are_refused() {
    let model = Pretrained::load(folder("shared"), None).unwrap().model;
    let tokens = Array::new(&[1i32, 2, 3], &[1, 3]);
    let run = || {
        let at = Tokens::next(&Array::zeros(&[1]).astype(DType::I32), &Array::zeros(&[1, 3]));
        model.call_mtp(&tokens, &tokens, &mut Context::eval().with(at)).0
    };
    let error = try_trace(run).unwrap_err().to_string();
    assert!(error.contains("have no caches"), "{error}");
    let short = tokens.slice(1, 0..2);
    let error =
        try_trace(|| model.call_mtp(&tokens, &short, &mut Context::eval()).0).unwrap_err().to_string();
    assert!(error.contains("there must be one for each"), "{error}");
}
