//! Models in GGUF: see `oracle/gguf_models.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt, Type};
use jarrah_formats::{GgufField, GgufStore, Tensors};
use jarrah_models::{LoadAs, Pretrained};
use jarrah_nn::{Context, Linear, Module, parts};
use jarrah_quant::QuantizedTensor;
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::{Chat, Templates};

use crate::pretrained::{distance, expected};

fn tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn logits(path: &Path, tokens: &Array) -> Array {
    Pretrained::load(path, Some(DType::F32)).unwrap().model.call(tokens, &mut Context::eval())
}

/// Files that the package of llama.cpp wrote give the logits of the folders that they were made of.
#[test]
fn files_of_llama_cpp_are_read() {
    let mut count = 0;
    for entry in std::fs::read_dir(tests("gguf")).unwrap() {
        let path = entry.unwrap().path();
        let family = tests("families").join(path.file_stem().unwrap());
        if path.extension().is_none_or(|e| e != "gguf") || !family.is_dir() {
            continue;
        }
        let wanted = expected(&family);
        let off = distance(&logits(&path, &wanted["tokens"]), &wanted["logits"]);
        assert!(off < 1e-4, "{}: {off}", path.display());
        count += 1;
    }
    assert_eq!(count, 14);
}

/// What is written has the names of tensors and the fields of llama.cpp's package, and is read again as it was.
#[test]
fn files_are_written_as_llama_cpp_writes_them() {
    let place = tempfile::tempdir().unwrap();
    let mut refused = Vec::new();
    for entry in std::fs::read_dir(tests("families")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let file = place.path().join(format!("{name}.gguf"));
        let model = Pretrained::load(&folder, Some(DType::F32)).unwrap();
        if let Err(error) = model.save_gguf(&file, GgufStore::F32) {
            let text = error.to_string();
            assert!(
                text.contains("no form in GGUF") || text.contains("cannot say what this model is"),
                "{text}"
            );
            refused.push(name);
            continue;
        }
        let wanted = expected(&folder);
        let off = distance(&logits(&file, &wanted["tokens"]), &wanted["logits"]);
        assert!(off < 1e-4, "{name}: {off}");
        let back = place.path().join(&name);
        Pretrained::load(&file, None).unwrap().save(&back).unwrap();
        let off = distance(&logits(&back, &wanted["tokens"]), &wanted["logits"]);
        assert!(off < 1e-4, "{name}, a folder again: {off}");

        let Ok(theirs) = Tensors::open(tests("gguf").join(format!("{name}.gguf"))) else { continue };
        let ours = Tensors::open(&file).unwrap();
        for tensor in theirs.iter() {
            let found = ours.get(tensor.name()).unwrap();
            let (a, b) = (tensor.literal().unwrap().to_f64_vec(), found.literal().unwrap().to_f64_vec());
            assert_eq!(tensor.dims(), found.dims(), "{name}: {}", tensor.name());
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6), "{name}: {}", tensor.name());
        }
        assert_eq!(theirs.len(), ours.len(), "{name}");
        for (key, field) in &theirs.fields().0 {
            let found = ours.fields().get(key);
            let numbers = field.as_f64().zip(found.and_then(GgufField::as_f64));
            assert!(
                found == Some(field) || numbers.is_some_and(|(a, b)| (a - b).abs() <= 1e-6 * a.abs()),
                "{name}: {key}: {found:?} for {field:?}"
            );
        }
    }
    refused.sort();
    const NO_FORM: [&str; 6] = ["deepseek", "gemma4", "gpt_", "llama4", "olmo", "stablelm"];
    let without: Vec<&str> = refused
        .iter()
        .map(String::as_str)
        .filter(|name| !NO_FORM.iter().any(|family| name.starts_with(family)))
        .collect();
    assert_eq!(
        without,
        [
            "gemma2_untied",
            "gemma_mqa",
            "gemma_untied",
            "gpt2_scaled",
            "gpt2_wide",
            "llama_dynamic",
            "mistral",
            "mistral_linear",
            "mixtral_window",
            "qwen2_moe_sparse",
            "qwen2_moe_tied",
            "qwen2_window",
            "qwen3_moe_plain",
            "qwen3_moe_tied"
        ]
    );
}

/// A file with matrices of F16, BF16, Q4_0, Q8_0, Q4_K and Q6_K gives the logits that transformers has of it.
#[test]
fn blocks_of_every_kind_are_read() {
    let file = Tensors::open(tests("gguf/blocks.safetensors")).unwrap();
    let read = |name: &str| Array::from_literal(file.get(name).unwrap().literal().unwrap());
    let off = distance(&logits(&tests("gguf/blocks.gguf"), &read("tokens")), &read("logits"));
    assert!(off < 1e-4, "{off}");
    let kinds = Tensors::open(tests("gguf/blocks.gguf")).unwrap();
    for kind in ["f16", "bf16", "Q4_0", "Q8_0", "Q4_K", "Q6_K"] {
        assert!(kinds.iter().any(|tensor| tensor.to_string().contains(&format!(" {kind}["))), "{kind}");
    }
    // Read without a dtype, parameters are what the embeddings are.
    let own = Pretrained::load(tests("gguf/blocks.gguf"), None).unwrap().model;
    assert!(own.leaves().into_iter().all(|x: &Array| x.dtype() == DType::F16));
}

#[test]
fn matrices_are_stored_in_few_bits() {
    let mut json = Pretrained::preset("test-llama").unwrap();
    for (entry, value) in [("vocab_size", 300), ("hidden_size", 64), ("intermediate_size", 96)] {
        json[entry] = value.into();
    }
    let model = Pretrained::random(json, &Key::new(0)).unwrap();
    let tokens = Array::new(&[1i32, 2, 3, 4, 5], &[1, 5]);
    let wanted = model.model.call(&tokens, &mut Context::eval());
    let place = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    for (store, tolerance) in [
        (GgufStore::F32, 1e-6),
        (GgufStore::F16, 1e-2),
        (GgufStore::BF16, 3e-2),
        (GgufStore::Q8_0, 3e-2),
        (GgufStore::Q4_0, 0.5),
    ] {
        let file = place.path().join("model.gguf");
        model.save_gguf(&file, store).unwrap();
        let off = distance(&logits(&file, &tokens), &wanted);
        assert!(off < tolerance, "{store:?}: {off}");
        bytes.push(std::fs::metadata(&file).unwrap().len());
        // Blocks that are kept compute what the numbers do.
        let kept =
            Pretrained::load_as(&file, &LoadAs { dtype: Some(DType::F32), packed: true, quantize: None })
                .unwrap()
                .model;
        let few = parts::<_, Linear>(&kept, ..);
        let few = few.iter().filter(|(_, map)| map.weight.value::<QuantizedTensor>().is_some()).count();
        assert_eq!(few, if matches!(store, GgufStore::Q8_0 | GgufStore::Q4_0) { 15 } else { 0 });
        let off = distance(&kept.call(&tokens, &mut Context::eval()), &logits(&file, &tokens));
        assert!(off < 1e-4, "{store:?}: {off}");
        let tensors = Tensors::open(&file).unwrap();
        let norm = tensors.get("output_norm.weight").unwrap();
        assert_eq!(norm.to_string(), format!("output_norm.weight f32{:?}", norm.dims()));
    }
    assert!(bytes[1] < bytes[0] && bytes[3] < bytes[2] && bytes[4] < bytes[3], "{bytes:?}");
}

/// Tokenizers of files give the ids of the libraries that made them, and come back in files that are written.
#[test]
fn tokenizers_come_with_the_file() {
    let known: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&std::fs::read(tests("gguf/ids.json")).unwrap()).unwrap();
    for name in ["bpe", "pieces"] {
        let folder = Pretrained::files(tests("gguf").join(format!("{name}.gguf"))).unwrap();
        let tokenizer = Tokenizer::from_files(|file| folder.file(file)).unwrap();
        for (text, ids) in known["texts"].as_array().unwrap().iter().zip(known[name].as_array().unwrap()) {
            let text = text.as_str().unwrap();
            let found = tokenizer.encode(text).unwrap();
            assert_eq!(serde_json::json!(found), *ids, "{name}: {text}");
            assert_eq!(tokenizer.encode_prompt("a").unwrap()[0], u32::from(name == "pieces"));
        }
        let again = jarrah_tokenizer::Vocabulary::of_files(|file| folder.file(file)).unwrap().unwrap();
        let files = again.files().unwrap();
        let again = Tokenizer::from_files(|file| files.get(file).map(Vec::as_slice)).unwrap();
        assert_eq!(again.encode_prompt("größe 😀").unwrap(), tokenizer.encode_prompt("größe 😀").unwrap());
    }
    let folder = Pretrained::files(tests("gguf/bpe.gguf")).unwrap();
    let templates = Templates::from_files(|file| folder.file(file)).unwrap();
    assert_eq!(templates.render(&Chat::new([("user", "hi")])).unwrap(), "<s>[user]hi");
    assert_eq!(folder.config()["eos_token_id"], 1);
    let ours =
        jarrah_tokenizer::Tokenizer::from_sentencepiece(&std::fs::read(tests("gguf/pieces.model")).unwrap());
    assert_eq!(ours.unwrap().vocab_size(), 340);
}

#[test]
fn files_that_are_no_model_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut jarrah_formats::GgufFields)| {
        let file = Tensors::open(tests("gguf/llama.gguf")).unwrap();
        let mut fields = file.fields().clone();
        change(&mut fields);
        let path = place.path().join("changed.gguf");
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        Pretrained::load(&path, None).unwrap_err().to_string()
    };
    let set = |fields: &mut jarrah_formats::GgufFields, name: &str, field: GgufField| {
        fields.0.retain(|(known, _)| known != name);
        fields.push(name, field);
    };
    let error = refused(&|fields| set(fields, "general.architecture", "mamba".into()));
    assert!(error.contains("the architecture mamba"), "{error}");
    let error = refused(&|fields| set(fields, "llama.block_count", GgufField::U32(3)));
    assert!(error.contains("blk.2.attn_q.weight") || error.contains("missing"), "{error}");
    let error = refused(&|fields| set(fields, "llama.embedding_length", "wide".into()));
    assert!(error.contains("llama.embedding_length is no number"), "{error}");
    let error = refused(&|fields| fields.0.retain(|(name, _)| name != "llama.attention.head_count"));
    assert!(error.contains("num_attention_heads"), "{error}");
    let error = refused(&|fields| set(fields, "llama.rope.dimension_count", GgufField::U32(7)));
    assert!(error.contains("turn whole heads"), "{error}");
}

/// Rates of files are scaled as llama.cpp's loader scales them: a factor without a kind is linear, by either of its names.
#[test]
fn factors_of_rates_are_those_of_llama_cpp() {
    let place = tempfile::tempdir().unwrap();
    let file = Tensors::open(tests("gguf/llama.gguf")).unwrap();
    let tokens = expected(&tests("families/llama"))["tokens"].clone();
    let path = place.path().join("changed.gguf");
    let read = |change: &[(&str, GgufField)]| {
        let mut fields = file.fields().clone();
        for (name, field) in change {
            let name = format!("llama.{name}");
            fields.0.retain(|(known, _)| *known != name);
            fields.push(name, field.clone());
        }
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        Pretrained::load(&path, Some(DType::F32))
    };
    let logits =
        |change: &[(&str, GgufField)]| read(change).unwrap().model.call(&tokens, &mut Context::eval());
    let error = |change: &[(&str, GgufField)]| read(change).unwrap_err().to_string();
    let (kind, factor) = ("rope.scaling.type", "rope.scaling.factor");
    let text = |text: &str| GgufField::from(text);
    let (plain, linear) = (logits(&[]), logits(&[(kind, text("linear")), (factor, GgufField::F32(2.0))]));
    assert!(distance(&plain, &linear) > 1e-3);
    for same in [vec![(factor, GgufField::F32(2.0))], vec![("rope.scale_linear", GgufField::F32(2.0))]] {
        assert!(distance(&logits(&same), &linear) == 0.0, "{same:?}");
    }
    for none in [
        vec![(kind, text("none")), (factor, GgufField::F32(2.0))],
        vec![(factor, GgufField::F32(0.0))],
        vec![(factor, GgufField::F32(1.0)), ("rope.scale_linear", GgufField::F32(2.0))],
    ] {
        assert!(distance(&logits(&none), &plain) == 0.0, "{none:?}");
    }
    // A factor on results is on those of every kind.
    let attention = ("rope.scaling.attn_factor", GgufField::F32(1.5));
    assert!(distance(&logits(std::slice::from_ref(&attention)), &plain) > 1e-3);
    let both = logits(&[(factor, GgufField::F32(2.0)), attention.clone()]);
    assert!(
        distance(&both, &linear) > 1e-3 && distance(&both, &logits(std::slice::from_ref(&attention))) > 1e-3
    );
    let yarn = [(kind, text("yarn")), (factor, GgufField::F32(4.0))];
    let scaled = logits(&[yarn[0].clone(), yarn[1].clone(), attention]);
    assert!(distance(&logits(&yarn), &scaled) > 1e-3);
    for (change, word) in [
        ((kind, text("dynamic")), "known are none, linear, yarn and longrope"),
        ((factor, GgufField::F32(-1.0)), "above 0"),
        (("rope.scaling.yarn_ext_factor", GgufField::F32(0.5)), "yarn_ext_factor"),
        (("attention.causal", GgufField::Bool(false)), "attention.causal"),
    ] {
        let error = error(&[change]);
        assert!(error.contains(word), "{error}");
    }
}

/// A list with the same number for each layer is that number; other lists are refused by name.
#[test]
fn lists_of_equal_numbers_are_one_number() {
    let place = tempfile::tempdir().unwrap();
    let file = Tensors::open(tests("gguf/llama.gguf")).unwrap();
    let path = place.path().join("changed.gguf");
    let read = |name: &str, field: GgufField| {
        let mut fields = file.fields().clone();
        fields.0.retain(|(known, _)| known != name);
        fields.push(name, field);
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        Pretrained::load(&path, Some(DType::F32))
    };
    let plain = Pretrained::load(tests("gguf/llama.gguf"), Some(DType::F32)).unwrap();
    for name in ["attention.head_count_kv", "attention.head_count", "feed_forward_length"] {
        let name = format!("llama.{name}");
        let one = file.fields().get(&name).unwrap().as_usize().unwrap() as u32;
        let same = read(&name, GgufField::array([one, one])).unwrap();
        assert_eq!(same.config, plain.config, "{name}");
        for (list, word) in [
            (vec![one, one + 1], "other numbers for other layers"),
            (vec![one; 3], "3 numbers for 2 layers"),
            (vec![], "no numbers"),
        ] {
            let error = read(&name, GgufField::array(list)).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(&name), "{error}");
        }
    }
}

/// Fields that nothing looks at are said.
#[test]
fn fields_that_are_not_read_are_said() {
    let place = tempfile::tempdir().unwrap();
    let file = Tensors::open(tests("gguf/llama.gguf")).unwrap();
    let mut fields = file.fields().clone();
    fields.push("llama.logit_scale", 0.5f32);
    let path = place.path().join("changed.gguf");
    let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
    jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
    let notes = Pretrained::load(&path, None).unwrap().notes;
    assert_eq!(notes, ["the field llama.logit_scale of the file is not read"]);
    assert!(Pretrained::load(tests("gguf/llama.gguf"), None).unwrap().notes.is_empty());
}

/// A file of Gemma 3 without a window, or with one of 0, has none, and one base for all layers; one of Phi-4, whose architecture is phi3, says 0 likewise.
#[test]
fn files_without_windows_have_none() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let read = |architecture: &str, changes: &[(&str, Option<GgufField>)]| {
        let file = Tensors::open(tests(&format!("gguf/{architecture}.gguf"))).unwrap();
        let mut fields = file.fields().clone();
        for (name, field) in changes {
            let name = format!("{architecture}.attention.{name}");
            fields.0.retain(|(known, _)| *known != name);
            if let Some(field) = field {
                fields.push(name, field.clone());
            }
        }
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        Pretrained::load(&path, Some(DType::F32)).unwrap()
    };
    let windows = |model: &Pretrained| -> Vec<Option<usize>> {
        model.config.layers.iter().map(|layer| layer.attention.window()).collect()
    };
    let plain = read("gemma3", &[]);
    assert!(windows(&plain).iter().any(Option::is_some) && windows(&plain).iter().any(Option::is_none));
    let full = plain.config.layers.iter().find(|layer| layer.attention.window().is_none()).unwrap();
    for window in [None, Some(GgufField::U32(0))] {
        let read = read("gemma3", &[("sliding_window", window)]);
        assert!(read.config.layers.iter().all(|layer| layer == full), "{:?}", read.config.layers);
        let again = place.path().join("again.gguf");
        read.save_gguf(&again, GgufStore::F32).unwrap();
        assert_eq!(Pretrained::load(&again, None).unwrap().config, read.config);
    }
    // A pattern of 0 is of layers that all have windows.
    let all = read("gemma3", &[("sliding_window_pattern", Some(GgufField::U32(0)))]);
    assert!(windows(&all).iter().all(Option::is_some), "{:?}", windows(&all));
    for window in [None, Some(GgufField::U32(0))] {
        assert!(windows(&read("phi3", &[("sliding_window", window)])).iter().all(Option::is_none));
    }
    let some = read("phi3", &[("sliding_window", Some(GgufField::U32(3)))]);
    assert!(windows(&some).iter().all(|window| *window == Some(3)));
}

/// The ends of texts that the files of a GGUF file's folder name.
fn ends(path: &Path) -> Vec<u64> {
    let folder = Pretrained::files(path).unwrap();
    let named = &folder.generation_config().unwrap()["eos_token_id"];
    named.as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect()
}

/// Texts end at the tokens that fields name, and at those that end texts in llama.cpp by what they are called.
#[test]
fn texts_end_where_llama_cpp_ends_them() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let read = |tokens: &[(usize, &str)], named: &[(&str, u32)]| {
        let file = Tensors::open(tests("gguf/bpe.gguf")).unwrap();
        let mut fields = file.fields().clone();
        for (name, id) in named {
            fields.push(format!("tokenizer.ggml.{name}"), *id);
        }
        for (name, field) in &mut fields.0 {
            if let ("tokenizer.ggml.tokens", GgufField::Array(_, all)) = (name.as_str(), field) {
                for (id, text) in tokens {
                    all[*id] = (*text).into();
                }
            }
        }
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        ends(&path)
    };
    assert_eq!(read(&[], &[]), [1]);
    assert_eq!(read(&[(5, "<|end|>")], &[]), [1, 5]);
    assert_eq!(read(&[(5, "<|eom_id|>")], &[("eot_token_id", 4), ("eom_token_id", 6)]), [1, 4, 6, 5]);
    assert_eq!(read(&[(5, "<|fim_pad|>")], &[]), [1, 5]);
    assert_eq!(read(&[(5, "<|fim_pad|>")], &[("fim_pad_token_id", 6)]), [1, 6]);
    assert_eq!(read(&[(5, "<|end|>"), (6, "<|return|>")], &[]), [1, 5, 6]);
    assert_eq!(read(&[(5, "<|end|>"), (6, "<|return|>"), (7, "<|call|>")], &[]), [1, 6, 7]);
    assert_eq!(read(&[(5, "<|end|>"), (6, "<|flush|>"), (7, "<|calls|>")], &[]), [1, 6, 7]);
    assert_eq!(read(&[(5, "</s>"), (6, "<|tool_response>")], &[]), [1, 6]);
}

/// A file has fields for three ends of texts: a model with more of them is written with a note.
#[test]
fn ends_without_a_field_are_said() {
    let place = tempfile::tempdir().unwrap();
    let (folder, file) = (place.path().join("folder"), place.path().join("again.gguf"));
    Pretrained::load(tests("gguf/bpe.gguf"), None).unwrap().save(&folder).unwrap();
    let written = |named: &str| {
        let text = format!("{{\"eos_token_id\": {named}}}");
        std::fs::write(folder.join("generation_config.json"), text).unwrap();
        let notes = Pretrained::load(&folder, None).unwrap().save_gguf(&file, GgufStore::AsIs).unwrap();
        (ends(&file), notes)
    };
    assert_eq!(written("1"), (vec![1], vec![]));
    assert_eq!(written("[1, 5, 6]"), (vec![1, 5, 6], vec![]));
    let note = "the file has no field for the token 7, which ends texts too";
    assert_eq!(written("[1, 5, 6, 7]"), (vec![1, 5, 6], vec![note.to_owned()]));
}

/// Numbers of fields that are not finite, or that models cannot divide by, are refused by the field's name, and so is a file without the epsilon of normalizations.
#[test]
fn numbers_of_fields_are_in_range() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let refused = |architecture: &str, name: &str, field: Option<GgufField>| {
        let file = Tensors::open(tests(&format!("gguf/{architecture}.gguf"))).unwrap();
        let mut fields = file.fields().clone();
        let name = format!("{architecture}.{name}");
        fields.0.retain(|(known, _)| *known != name);
        if let Some(field) = field {
            fields.push(name.as_str(), field);
        }
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        let error = Pretrained::load(&path, None).unwrap_err().to_string();
        assert!(error.contains(&name), "{name}: {error}");
    };
    for number in [f32::NAN, f32::INFINITY] {
        for name in ["attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.scaling.attn_factor"] {
            refused("llama", name, Some(GgufField::F32(number)));
        }
        for name in ["attn_logit_softcapping", "final_logit_softcapping", "attention.scale"] {
            refused("gemma2", name, Some(GgufField::F32(number)));
        }
    }
    refused("llama", "attention.layer_norm_rms_epsilon", Some(GgufField::F32(-1.0)));
    refused("llama", "attention.layer_norm_rms_epsilon", None);
    refused("gpt2", "attention.layer_norm_epsilon", None);
    refused("gemma2", "attn_logit_softcapping", Some(GgufField::F32(0.0)));
    refused("gemma2", "final_logit_softcapping", Some(GgufField::F32(-1.0)));
}

/// Files of Qwen 2 with experts that do not say how wide these are have the widths that llama.cpp takes.
#[test]
fn widths_of_experts_follow_from_the_width_of_all() {
    let place = tempfile::tempdir().unwrap();
    let (first, path) = (place.path().join("first.gguf"), place.path().join("changed.gguf"));
    let mut json = Pretrained::outline(tests("families/qwen2_moe")).unwrap().json;
    for (entry, count) in [
        ("intermediate_size", 32),
        ("num_experts_per_tok", 2),
        ("moe_intermediate_size", 16),
        ("shared_expert_intermediate_size", 32),
    ] {
        json[entry] = count.into();
    }
    let model = Pretrained::random(json, &Key::new(3)).unwrap();
    model.save_gguf(&first, GgufStore::AsIs).unwrap();
    let names = ["expert_feed_forward_length", "expert_shared_feed_forward_length"];
    for missing in [&names[..], &names[..1], &names[1..]] {
        let file = Tensors::open(&first).unwrap();
        let mut fields = file.fields().clone();
        fields.0.retain(|(name, _)| !missing.iter().any(|known| *name == format!("qwen2moe.{known}")));
        let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        jarrah_formats::save_gguf(&path, &fields, &tensors, GgufStore::AsIs).unwrap();
        let read = Pretrained::load(&path, None).unwrap();
        assert_eq!(read.config, Pretrained::load(&first, None).unwrap().config, "{missing:?}");
        assert!(read.notes.is_empty(), "{:?}", read.notes);
    }
}

/// Writes a file of the tests again with other fields, of which those without a value are left out.
fn changed(from: &str, to: &Path, changes: &[(&str, Option<GgufField>)]) {
    let file = Tensors::open(tests("gguf").join(from)).unwrap();
    let mut fields = file.fields().clone();
    for (name, field) in changes {
        let name = format!("tokenizer.ggml.{name}");
        fields.0.retain(|(known, _)| *known != name);
        if let Some(field) = field {
            fields.push(name, field.clone());
        }
    }
    let tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
    jarrah_formats::save_gguf(to, &fields, &tensors, GgufStore::AsIs).unwrap();
}

/// llama.cpp's names of one way of cutting texts; by the way, prompts begin with a token where no field says whether they do.
#[test]
fn cuts_have_the_names_of_llama_cpp() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let text = "I'LL 12345\r\n\r\n ﬁx  e\u{301}";
    let read = |pre: &str| {
        changed("bpe.gguf", &path, &[("pre", Some(pre.into())), ("add_bos_token", None)]);
        let folder = Pretrained::files(&path).unwrap();
        let tokenizer = Tokenizer::from_files(|file| folder.file(file)).unwrap();
        (tokenizer.encode(text).unwrap(), tokenizer.encode_prompt("a").unwrap()[0] == 0)
    };
    for (names, begins) in [
        (
            &["llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"][..],
            true,
        ),
        (&["qwen2", "deepseek-r1-qwen", "megrez"], false),
        (&["gpt-2", "phi-2", "jina-es", "exaone4"], false),
        (&["smaug-bpe"], false),
    ] {
        let first = read(names[0]);
        assert_eq!(first.1, begins, "{names:?}");
        for name in names {
            assert_eq!(read(name), first, "{name}");
        }
    }
    for (change, said) in [
        (("pre", Some("dbrx".into())), "the tokenizer cuts texts as `dbrx` does; known are gpt-2, "),
        (("pre", None), "the tokenizer cuts texts as `default` does; known are gpt-2, "),
        (("model", Some("bert".into())), "the tokenizer is of the kind bert; known are gpt2 and llama"),
    ] {
        changed("bpe.gguf", &path, &[change]);
        let read = Pretrained::load(&path, None).unwrap();
        assert!(read.folder.unwrap().file("tokenizer.json").is_none());
        let said = format!("the file's tokenizer is not read: {said}");
        assert!(read.notes.iter().any(|note| note.starts_with(&said)), "{:?}", read.notes);
    }
}

/// Pieces without ids of special tokens, with ids that no token has, or without kinds, have the ids that llama.cpp takes.
#[test]
fn special_pieces_are_those_that_llama_cpp_takes() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let plain = Pretrained::files(tests("gguf/pieces.gguf")).unwrap();
    let (ids, beyond) = (["bos_token_id", "eos_token_id", "unknown_token_id"], Some(GgufField::U32(99999)));
    let without = ids.map(|name| (name, None));
    let kinds = [without[0].clone(), without[1].clone(), without[2].clone(), ("token_type", None)];
    let changes = [&without[..], &without[..1], &without[1..2], &kinds, &kinds[3..]];
    for change in changes.into_iter().chain([&ids.map(|name| (name, beyond.clone()))[..]]) {
        changed("pieces.gguf", &path, change);
        let folder = Pretrained::files(&path).unwrap();
        assert_eq!(folder.config()["eos_token_id"], 2, "{change:?}");
        assert_eq!(folder.config()["bos_token_id"], 1, "{change:?}");
        assert_eq!(ends(&path), [2], "{change:?}");
        for name in ["tokenizer.model", "tokenizer_config.json"] {
            assert!(folder.file(name) == plain.file(name), "{name} with {change:?}");
        }
    }
}

/// A file with biases that a model has no parameters for is refused with the name of one.
#[test]
fn biases_on_some_maps_alone_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("changed.gguf");
    let file = Tensors::open(tests("gguf/llama.gguf")).unwrap();
    let width = |name: &str| file.get(&name.replace("bias", "weight")).unwrap().dims()[0];
    for (maps, named) in [
        (&["blk.{}.attn_q.bias", "blk.{}.attn_k.bias", "blk.{}.attn_v.bias"][..], "attn_output.bias"),
        (&["blk.{}.attn_output.bias"], "blk.0.attn_output.bias"),
        (&["blk.{}.ffn_down.bias"], "blk.0.ffn_down.bias"),
        (&["blk.1.attn_q.bias"], "blk.1.attn_q.bias"),
        (&["output.bias"], "output.bias"),
    ] {
        let names =
            (0..2).flat_map(|layer| maps.iter().map(move |map| map.replace("{}", &layer.to_string())));
        let mut all: Vec<(String, Literal)> = names
            .map(|name| (name.clone(), Literal::zeros(Type::tensor(DType::F32, [width(&name)])).unwrap()))
            .collect();
        all.dedup_by(|a, b| a.0 == b.0);
        let mut tensors: Vec<jarrah_formats::Tensor<'_>> = file.iter().collect();
        tensors.extend(all.iter().map(|(name, value)| jarrah_formats::Tensor::of(name.as_str(), value)));
        jarrah_formats::save_gguf(&path, file.fields(), &tensors, GgufStore::AsIs).unwrap();
        let error = Pretrained::load(&path, None).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}
