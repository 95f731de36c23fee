//! Families of models against transformers: see `oracle/hf_models.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::{Array, DType, Literal, jit, value_and_grad};
use jarrah_formats::Tensors;
use jarrah_models::{Decoder, Family, Pretrained};
use jarrah_nn::{Context, Module, Sequences, Tokens, softmax_cross_entropy_with_integer_labels};

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let mut all: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

pub fn expected(folder: &Path) -> BTreeMap<String, Array> {
    let file = Tensors::open(folder.join("expected.safetensors")).unwrap();
    let read = |tensor: jarrah_formats::Tensor<'_>| {
        (tensor.name().to_owned(), Array::from_literal(tensor.literal().unwrap()))
    };
    file.iter().map(read).collect()
}

/// The largest difference over the largest number of the second.
pub fn distance(found: &Array, wanted: &Array) -> f64 {
    assert_eq!(found.shape(), wanted.shape());
    let largest = wanted.abs().max(..).item::<f32>().unwrap();
    f64::from((found - wanted).abs().max(..).item::<f32>().unwrap() / largest)
}

fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}

/// Every family is there three times.
#[test]
fn families_are_complete() {
    let all: Vec<String> = folders()
        .iter()
        .map(|folder| {
            let json: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(folder.join("config.json")).unwrap()).unwrap();
            json["model_type"].as_str().unwrap().to_owned()
        })
        .collect();
    for family in Family::all() {
        assert!(
            all.iter().filter(|name| **name == family.model_type()).count() >= 3,
            "{}",
            family.model_type()
        );
    }
}

#[test]
fn logits_are_those_of_transformers() {
    for folder in folders() {
        let wanted = expected(&folder);
        let model = Pretrained::load(&folder, Some(DType::F32)).unwrap().model;
        let tokens = &wanted["tokens"];
        let forward = jit(|(model, tokens): &(Decoder, Array)| model.call(tokens, &mut Context::eval()));
        let logits = forward.call((model.clone(), tokens.clone())).unwrap();
        let off = distance(&logits, &wanted["logits"]);
        assert!(off < 1e-4, "{}: {off}", name(&folder));

        let left = jit(|(model, tokens, mask): &(Decoder, Array, Array)| {
            model.call(tokens, &mut Context::eval().with(Tokens::masked(mask)))
        });
        let mask = &wanted["left_mask"];
        let left = left.call((model.clone(), tokens.clone(), mask.clone())).unwrap();
        let real = mask.astype(DType::F32).expand_dims(-1);
        let off = distance(&(left * &real), &(&wanted["left_logits"] * &real));
        assert!(off < 1e-4, "{}, filled up on the left: {off}", name(&folder));

        // The same tokens in chunks of 5, 1 and 7 through a cache, the second sequence first.
        let decode = jit(|(model, tokens, cache, seen): &(Decoder, Array, jarrah_nn::State, Array)| {
            model.decode(tokens, cache, &Sequences::at(seen))
        });
        let mut cache = model.init_cache(2, 16, DType::F32);
        let mut seen = 0;
        for length in [5, 1, 7] {
            let chunk = tokens.slice(1, seen..seen + length);
            let at = Array::full(&[2], seen as f64, DType::I32);
            let (logits, after) = decode.call((model.clone(), chunk, cache, at)).unwrap();
            cache = after;
            let off = distance(&logits, &wanted["logits"].slice(1, seen..seen + length));
            // Rates of these depend on the longest sequence so far.
            let moves = ["llama_dynamic", "phi3_long"].contains(&name(&folder));
            assert!(off < 1e-4 || moves, "{}, cached: {off}", name(&folder));
            seen += length;
        }
    }
}

/// Gradients by the names of transformers' modules, where those are the names of the file.
#[test]
fn gradients_are_those_of_transformers() {
    for folder in folders() {
        let wanted = expected(&folder);
        let loaded = Pretrained::load(&folder, Some(DType::F32)).unwrap();
        let tokens = &wanted["tokens"];
        let targets = tokens.slice(1, 1..13);
        let loss = |model: &Decoder| {
            let logits = model.call(tokens, &mut Context::eval()).slice(1, 0..12);
            softmax_cross_entropy_with_integer_labels(&logits, &targets).mean(..)
        };
        let (loss, slope) = value_and_grad(loss)(&loaded.model);
        assert!(distance(&loss, &wanted["loss"]) < 1e-5, "{}", name(&folder));
        let slope = loaded.with(slope);
        let slope: BTreeMap<String, Literal> = slope.tensors().unwrap().into_iter().collect();
        let grads: Vec<_> =
            wanted.iter().filter_map(|(name, x)| Some((name.strip_prefix("grad.")?, x))).collect();
        let largest = grads.iter().map(|(_, x)| x.to_vec::<f32>().unwrap()[1]).fold(0.0f32, f32::max);
        let mut compared = 0;
        for (theirs, wanted) in &grads {
            // Experts of files are apart, and those of modules together.
            let of_neox = slope.get("embed_out.weight").filter(|_| *theirs == "lm_head.weight");
            let Some(found) = slope.get(*theirs).or(of_neox) else {
                assert!(
                    theirs.contains("experts") || theirs.contains(".gate."),
                    "{}: {theirs}",
                    name(&folder)
                );
                continue;
            };
            let (mut probe, mut norm) = (0.0, 0.0);
            for (i, x) in found.to_f64_vec().into_iter().enumerate() {
                probe += x * ((i + 1) as f64).cos();
                norm += x * x;
            }
            let wanted = wanted.to_vec::<f32>().unwrap();
            for (found, wanted) in [probe, norm.sqrt()].into_iter().zip(wanted) {
                assert!(
                    (found - f64::from(wanted)).abs() < 1e-4 * f64::from(largest),
                    "{}: {theirs}: {found} for {wanted}",
                    name(&folder)
                );
            }
            compared += 1;
        }
        assert!(compared * 3 > grads.len() * 2, "{}: {compared} of {}", name(&folder), grads.len());
    }
}

/// A folder that is read and written has the same names, dtypes and bytes.
#[test]
fn files_come_back_byte_for_byte() {
    for folder in folders() {
        let copy = tempfile::tempdir().unwrap();
        Pretrained::load(&folder, None).unwrap().save(copy.path()).unwrap();
        let (before, after) = (Tensors::open(&folder), Tensors::open(copy.path()).unwrap());
        let list = |files: &Tensors| -> BTreeMap<String, (String, Vec<u8>)> {
            let each = |t: jarrah_formats::Tensor<'_>| {
                (t.name().to_owned(), (t.to_string(), t.literal().unwrap().bytes().to_vec()))
            };
            files.iter().map(each).collect()
        };
        let mut before = list(&before.unwrap());
        before.retain(|name, _| !name.ends_with("inv_freq"));
        assert!(before == list(&after), "{}", name(&folder));
        let json = |folder: &Path| -> serde_json::Value {
            serde_json::from_str(&std::fs::read_to_string(folder.join("config.json")).unwrap()).unwrap()
        };
        assert_eq!(json(&folder), json(copy.path()));
    }
}

#[test]
fn published_shapes_have_their_numbers_of_parameters() {
    let count = |name: &str| jarrah_models::DecoderConfig::named(name).unwrap().parameters();
    let known = [
        ("llama2-7b", 6_738_415_616),
        ("llama3.1-8b", 8_030_261_248),
        ("llama3.1-405b", 405_853_388_800),
        ("llama3.2-1b", 1_235_814_400),
        ("mistral-7b", 7_241_732_096),
        ("mixtral-8x7b", 46_702_792_704),
        ("gemma-2b", 2_506_172_416),
        ("gemma2-2b", 2_614_341_888),
        ("gemma3-4b", 3_880_263_168),
        ("qwen2.5-7b", 7_615_616_512),
        ("qwen3-0.6b", 596_049_920),
        ("qwen3-8b", 8_190_735_360),
        ("qwen3-30b-a3b", 30_532_122_624),
        ("gpt-oss-20b", 20_914_757_184),
        ("gpt2", 124_439_808),
    ];
    for (name, parameters) in known {
        assert_eq!(count(name), parameters, "{name}");
    }
    for (name, ..) in jarrah_models::PRESETS {
        assert!(count(name) > 0);
    }
}

#[test]
fn folders_that_are_wrong_are_refused_in_words() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/llama");
    let text = std::fs::read_to_string(source.join("config.json")).unwrap();
    let refused = |config: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        std::fs::copy(source.join("model.safetensors"), folder.path().join("model.safetensors")).unwrap();
        Pretrained::load(folder.path(), None).unwrap_err().to_string()
    };
    for (change, with, message) in [
        ("\"llama\"", "\"lama\"", "there is no family of models `lama`"),
        ("\"hidden_size\": 16", "\"hidden_size\": 20", "mismatched"),
        ("\"hidden_size\": 16,", "", "config.json has no `hidden_size`"),
        ("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3", "missing"),
        (
            "\"num_hidden_layers\": 2",
            "\"num_hidden_layers\": 99999999999",
            "`num_hidden_layers` of config.json is 99999999999",
        ),
        ("\"num_hidden_layers\": 2", "\"num_hidden_layers\": -1", "must be a number"),
        ("\"head_dim\": 12", "\"head_dim\": 7", "no pairs"),
        ("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "do not fit"),
        ("\"hidden_act\": \"silu\"", "\"hidden_act\": \"sulu\"", "`sulu`"),
        ("{", "", "is not JSON"),
    ] {
        assert!(text.contains(change), "{change}");
        let error = refused(&text.replacen(change, with, 1));
        assert!(error.contains(message), "{change} -> {with}: {error}");
    }
}

/// An adapter of PEFT gives PEFT's logits, beside its weights and added to them, and comes back as it was.
#[test]
fn adapters_of_peft_come_in_and_go_out() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let wanted = expected(&tests.join("adapter"));
    let mut loaded = Pretrained::load(tests.join("families/llama"), Some(DType::F32)).unwrap();
    loaded.adapt(tests.join("adapter")).unwrap();
    let logits = |model: &Decoder| model.call(&wanted["tokens"], &mut Context::eval());
    assert!(distance(&logits(&loaded.model), &wanted["logits"]) < 1e-4);

    let copy = tempfile::tempdir().unwrap();
    loaded.save_adapter(copy.path()).unwrap();
    let read = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let file = Tensors::open(folder.join("adapter_model.safetensors")).unwrap();
        file.iter().map(|t| (t.name().to_owned(), t.literal().unwrap().bytes().to_vec())).collect()
    };
    assert!(read(copy.path()) == read(&tests.join("adapter")));
    let config = |folder: &Path| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(folder.join("adapter_config.json")).unwrap()).unwrap()
    };
    let (ours, theirs) = (config(copy.path()), config(&tests.join("adapter")));
    for key in ["r", "lora_alpha", "peft_type", "task_type"] {
        assert_eq!(ours[key], theirs[key], "{key}");
    }

    loaded.merge_adapters();
    assert!(distance(&logits(&loaded.model), &wanted["logits"]) < 1e-4);
    loaded.save(copy.path()).unwrap();
    let again = Pretrained::load(copy.path(), None).unwrap();
    assert!(distance(&logits(&again.model), &wanted["logits"]) < 1e-4);

    let mut other = Pretrained::load(tests.join("families/phi3"), None).unwrap();
    let error = other.adapt(tests.join("adapter")).unwrap_err().to_string();
    assert!(error.contains("self_attn.q_proj.weight, which the model has not"), "{error}");
    let error = other.save_adapter(copy.path()).unwrap_err().to_string();
    assert!(error.contains("no adapters"), "{error}");
}
