//! What entries of `config.json` mean: as `transformers` takes them, case by case (`oracle/hf_readings.py`).

use std::path::{Path, PathBuf};

use jarrah_array::{Array, DType};
use jarrah_formats::{Tensor, Tensors};
use jarrah_models::Pretrained;
use jarrah_nn::{Context, Module};
use serde_json::{Value, json};

use crate::pretrained::{distance, expected};

fn tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The folder of a family with other entries in its `config.json`.
fn changed(place: &Path, folder: &str, entries: &Value, removed: &[&str]) -> PathBuf {
    let from = tests("families").join(folder);
    let to = place.join("changed");
    let _ = std::fs::remove_dir_all(&to);
    std::fs::create_dir(&to).unwrap();
    for file in std::fs::read_dir(&from).unwrap() {
        let file = file.unwrap().path();
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
    let path = to.join("config.json");
    let mut config: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let all = config.as_object_mut().unwrap();
    all.extend(entries.as_object().unwrap().clone());
    all.retain(|name, _| !removed.contains(&name.as_str()));
    std::fs::write(&path, config.to_string()).unwrap();
    to
}

#[test]
fn entries_mean_what_transformers_takes_them_for() {
    let cases: Value = serde_json::from_slice(&std::fs::read(tests("readings.json")).unwrap()).unwrap();
    let wanted = Tensors::open(tests("readings.safetensors")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (i, case) in cases.as_array().unwrap().iter().enumerate() {
        let folder = case["folder"].as_str().unwrap();
        let removed: Vec<&str> =
            case["removed"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let path = changed(place.path(), folder, &case["entries"], &removed);
        let read = Pretrained::load(&path, Some(DType::F32));
        if case["refused"] == true {
            if read.is_ok() {
                wrong.push(format!("{case} is read, and transformers refuses it"));
            }
            continue;
        }
        let model = match read {
            Ok(read) => read.model,
            Err(error) => {
                wrong.push(format!("{case}: {error}"));
                continue;
            }
        };
        let tokens = &expected(&tests("families").join(folder))["tokens"];
        let logits = Array::from_literal(wanted.get(&i.to_string()).unwrap().literal().unwrap());
        let off = distance(&model.call(tokens, &mut Context::eval()), &logits);
        if off > 1e-4 {
            wrong.push(format!("{case}: {off}"));
        }
    }
    assert!(cases.as_array().unwrap().len() > 70);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What transformers lets pass without a word and means something else by is refused, or said.
#[test]
fn entries_that_a_family_does_not_look_at_are_refused_or_said() {
    let place = tempfile::tempdir().unwrap();
    let plain = json!({"rope_type": "default", "rope_theta": 10000.0});
    for (folder, entries, word) in [
        ("llama", json!({"rope_parameters": {"full_attention": plain}}), "share one"),
        ("olmo3", json!({"rope_parameters": plain}), "each kind"),
        ("gemma3", json!({"rope_parameters": plain}), "each kind"),
        ("gemma3", json!({"use_bidirectional_attention": true}), "use_bidirectional_attention"),
        ("gemma", json!({"use_bidirectional_attention": true}), "use_bidirectional_attention"),
        ("gemma2", json!({"use_bidirectional_attention": true}), "use_bidirectional_attention"),
        ("deepseek_v2", json!({"mlp_bias": true}), "mlp_bias"),
        ("deepseek_v3", json!({"head_dim": 2}), "`head_dim` of config.json is 2"),
        ("llama", json!({"rope_scaling": "linear"}), "a map"),
        ("llama", json!({"is_causal": false}), "`is_causal` of config.json is false"),
        ("llama", json!({"is_causal": null}), "`is_causal` of config.json is null"),
        ("gpt2", json!({"is_causal": false}), "`is_causal` of config.json is false"),
        ("gemma3", json!({"is_causal": false}), "`is_causal` of config.json is false"),
    ] {
        let error =
            Pretrained::load(changed(place.path(), folder, &entries, &[]), None).unwrap_err().to_string();
        assert!(error.contains(word), "{folder} {entries}: {error}");
    }
    let old_name = json!({"rope_parameters": null, "rope_scaling": {"type": "linear", "factor": 2.0}});
    for (folder, entries, word) in [
        ("llama", json!({"partial_rotary_factor": 0.5}), "`partial_rotary_factor` of config.json is 0.5"),
        ("llama", json!({"layer_types": ["sliding_attention", "full_attention"]}), "`layer_types`"),
        ("llama", json!({"sliding_window": 3}), "`sliding_window`"),
        ("mistral", json!({"attention_bias": true}), "`attention_bias`"),
        ("qwen2", json!({"mlp_bias": true}), "`mlp_bias`"),
        ("llama", json!({"logits_scaling": 8.0}), "`logits_scaling`"),
        ("llama", json!({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}), "the former goes before"),
        ("llama", json!({"use_bidirectional_attention": true}), "`use_bidirectional_attention`"),
        ("gemma", json!({"layer_types": ["chunked_attention", "full_attention"]}), "`layer_types`"),
        ("gemma3", json!({"attn_logit_softcapping": 0.5}), "`attn_logit_softcapping` of config.json is 0.5"),
        ("deepseek_v2", json!({"rope_interleave": false}), "`rope_interleave` of config.json is false"),
        ("deepseek_v2", json!({"norm_topk_prob": true}), "`norm_topk_prob` of config.json is true"),
        ("gemma3", old_name.clone(), "they look at `rope_type`"),
        ("olmo3", old_name, "they look at `rope_type`"),
    ] {
        let notes = Pretrained::load(changed(place.path(), folder, &entries, &[]), None).unwrap().notes;
        assert!(notes.iter().any(|note| note.contains(word)), "{folder} {entries}: {notes:?}");
    }
    for folder in std::fs::read_dir(tests("families")).unwrap() {
        let folder = folder.unwrap().path();
        let notes = Pretrained::load(&folder, None).unwrap().notes;
        assert!(notes.is_empty(), "{}: {notes:?}", folder.display());
    }
}

/// A folder that ties its output layer, with these tensors added.
fn with_tensors(place: &Path, folder: &str, more: &[(&str, &str, f64)]) -> PathBuf {
    let to = changed(place, folder, &json!({}), &[]);
    let file = to.join("model.safetensors");
    let read = Tensors::open(&file).unwrap();
    let mut all: Vec<(String, jarrah_array::Literal)> =
        read.iter().map(|tensor| (tensor.name().to_owned(), tensor.literal().unwrap())).collect();
    for (name, of, by) in more {
        let original = Array::from_literal(read.get(of).unwrap().literal().unwrap());
        let made = (&original * *by).astype(original.dtype());
        all.push(((*name).to_owned(), made.to_literal().unwrap()));
    }
    drop(read);
    let tensors: Vec<Tensor<'_>> = all.iter().map(|(name, value)| Tensor::of(name.as_str(), value)).collect();
    let metadata = Default::default();
    jarrah_formats::save_file(&file, &tensors, &metadata).unwrap();
    to
}

#[test]
fn an_output_layer_with_other_numbers_than_the_embeddings_is_kept_and_said() {
    let place = tempfile::tempdir().unwrap();
    let (head, embeddings) = ("lm_head.weight", "model.embed_tokens.weight");
    for folder in ["llama_tied", "gemma2", "gpt2"] {
        let embeddings = if folder == "gpt2" { "transformer.wte.weight" } else { embeddings };
        let path = with_tensors(place.path(), folder, &[(head, embeddings, -2.0)]);
        let read = Pretrained::load(&path, Some(DType::F32)).unwrap();
        assert!(!read.config.tied && read.model.head.is_some(), "{folder}");
        assert!(read.notes[0].contains("lm_head.weight has other numbers"), "{:?}", read.notes);
        assert_eq!(Pretrained::outline(&path).unwrap().json["tie_word_embeddings"], false);
        let tokens = &expected(&tests("families").join(folder))["tokens"];
        let tied = Pretrained::load(tests("families").join(folder), Some(DType::F32)).unwrap();
        let off = distance(
            &read.model.call(tokens, &mut Context::eval()),
            &(tied.model.call(tokens, &mut Context::eval()) * -2.0),
        );
        // A bound on logits is symmetric: their caps are those of their negatives, not of their doubles.
        assert!(off < 1e-4 || folder == "gemma2", "{folder}: {off}");
        // A folder is written with the entries that were read.
        let back = place.path().join("back");
        read.save(&back).unwrap();
        let again = Pretrained::load(&back, Some(DType::F32)).unwrap();
        assert!(again.model.head.is_some() && again.notes.is_empty(), "{:?}", again.notes);
        std::fs::remove_dir_all(&back).unwrap();

        // One with the same numbers is the embeddings.
        let path = with_tensors(place.path(), folder, &[(head, embeddings, 1.0)]);
        let same = Pretrained::load(&path, Some(DType::F32)).unwrap();
        assert!(same.config.tied && same.model.head.is_none() && same.notes.is_empty(), "{:?}", same.notes);
    }
}

#[test]
fn tensors_that_are_not_read_are_said() {
    let place = tempfile::tempdir().unwrap();
    let tables = [("model.layers.0.self_attn.rotary_emb.inv_freq", "model.norm.weight", 1.0)];
    let path = with_tensors(place.path(), "llama", &tables);
    assert!(Pretrained::load(&path, None).unwrap().notes.is_empty());
    let more = [
        ("model.layers.0.self_attn.q_proj.bias", "model.norm.weight", 1.0),
        ("other.weight", "model.norm.weight", 1.0),
    ];
    let notes = Pretrained::load(with_tensors(place.path(), "llama", &more), None).unwrap().notes;
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("2 tensors") && notes[0].contains("are not read"), "{notes:?}");
}
