//! What folders may be besides a family's checkpoint, and what is wrong with them.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt, try_trace};
use jarrah_formats::{Tensor, Tensors, save_file};
use jarrah_models::{Decoder, ModelFamily, Pretrained};
use jarrah_nn::{Context, Filter, Kind, Linear, Lora, Module, Variable, edit, parts};

use crate::pretrained::{distance, expected, folders, name};

/// Weights in MXFP4 are kept as they are, and the model that has them computes what the dequantized one does.
#[test]
fn weights_in_four_bits_stay_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/gpt_oss_mxfp4");
    let wanted = expected(&folder);
    let packed = Pretrained::load(&folder, None).unwrap();
    let codes = |path: &str| packed.model.leaves_with_paths().into_iter().find(|(name, _)| name == path);
    let (_, codes): (String, &Array) = codes("blocks.0.mlp.gate_up.codes").unwrap();
    assert_eq!(codes.ty().to_string(), "u8[3,16,128]");
    let logits = packed.model.call(&wanted["tokens"], &mut Context::eval());
    let off = distance(&logits, &wanted["logits"]);
    assert!(off < 1e-4, "{off}");

    // In another dtype it is a model like any other, whose files say so.
    let copy = tempfile::tempdir().unwrap();
    Pretrained::load(&folder, Some(DType::BF16)).unwrap().save(copy.path()).unwrap();
    let plain = Pretrained::load(copy.path(), Some(DType::F32)).unwrap();
    assert!(plain.json.get("quantization_config").is_none());
    let logits = plain.model.call(&wanted["tokens"], &mut Context::eval());
    let off = distance(&logits, &wanted["logits"]);
    assert!(off < 0.05 && off > 1e-6, "{off}");
}

/// Matrices in floats of 8 bits are read as numbers, and the folder that is written is a plain one.
#[test]
fn weights_in_floats_of_eight_bits_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fp8");
    let wanted = expected(&folder);
    let logits = |model: &Decoder| model.call(&wanted["tokens"], &mut Context::eval());
    let wide = Pretrained::load(&folder, Some(DType::F32)).unwrap();
    let off = distance(&logits(&wide.model), &wanted["logits"]);
    assert!(off < 1e-4, "{off}");
    let copy = tempfile::tempdir().unwrap();
    let loaded = Pretrained::load(&folder, None).unwrap();
    loaded.save(copy.path()).unwrap();
    let again = Pretrained::load(copy.path(), None).unwrap();
    let dtype = |path: &str| Tensors::open(copy.path()).unwrap().get(path).unwrap().ty().unwrap().dtype();
    assert_eq!(dtype("model.layers.0.self_attn.q_proj.weight"), DType::BF16);
    assert_eq!(dtype("model.norm.weight"), DType::F32);
    assert!(again.json.get("quantization_config").is_none());
    assert!(again.tensors().unwrap() == loaded.tensors().unwrap());

    let other = tempfile::tempdir().unwrap();
    std::fs::copy(folder.join("model.safetensors"), other.path().join("model.safetensors")).unwrap();
    let config = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let cut = config.replace("      8,\n      4", "      8,\n      8");
    assert_ne!(cut, config);
    std::fs::write(other.path().join("config.json"), cut).unwrap();
    let error = Pretrained::load(other.path(), None).unwrap_err().to_string();
    assert!(error.contains("has scales of") && error.contains("for blocks of 8 by 8"), "{error}");
}

/// A model that was read in another dtype is written with a config.json that says so, where the first one said something.
#[test]
fn config_json_says_the_dtype_that_was_asked_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/llama");
    for (dtype, name) in [(None, "float32"), (Some(DType::BF16), "bfloat16"), (Some(DType::F16), "float16")] {
        let copy = tempfile::tempdir().unwrap();
        Pretrained::load(&folder, dtype).unwrap().save(copy.path()).unwrap();
        let json = std::fs::read_to_string(copy.path().join("config.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["dtype"], name);
        assert!(json.get("torch_dtype").is_none());
    }
}

/// Of folders of models that also see, the text is read, and written as a folder of its own.
#[test]
fn the_text_of_larger_models_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/whole");
    for name in ["gemma3", "gemma4", "llama4"] {
        let folder = root.join(name);
        let wanted = expected(&folder);
        let model = Pretrained::load(&folder, None).unwrap();
        let logits = |model: &Decoder| model.call(&wanted["tokens"], &mut Context::eval());
        let off = distance(&logits(&model.model), &wanted["logits"]);
        assert!(off < 1e-4, "{name}: {off}");
        let copy = tempfile::tempdir().unwrap();
        model.save(copy.path()).unwrap();
        let again = Pretrained::load(copy.path(), None).unwrap();
        assert_eq!(again.json["model_type"], format!("{name}_text"));
        assert!(again.tensors().unwrap() == model.tensors().unwrap());
    }
    // What the published file of the smallest Gemma 3 says of its text.
    let json = serde_json::json!({
        "model_type": "gemma3",
        "text_config": {
            "hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024,
        },
    });
    let json = ModelFamily::text(json);
    let config = ModelFamily::of(&json).unwrap().config(&json).unwrap();
    assert_eq!(config, jarrah_models::DecoderConfig::named("gemma3-4b").unwrap());
}

/// Of the layer that predicts a second token a folder may have all, or none; what config.json does not tell of is not read.
#[test]
fn tensors_of_a_layer_behind_the_last_one_do_no_harm() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/deepseek_v3");
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(source.join("config.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut tell = |modules: usize| {
        json["num_nextn_predict_layers"] = modules.into();
        std::fs::write(folder.path().join("config.json"), json.to_string()).unwrap();
    };
    tell(0);
    let mut tensors: Vec<(String, Literal)> =
        Tensors::open(&source).unwrap().iter().map(|t| (t.name().to_owned(), t.literal().unwrap())).collect();
    tensors.push((
        "model.layers.3.eh_proj.weight".to_owned(),
        Literal::from_slice(&[2], &[1.0f32, 2.0]).unwrap(),
    ));
    let all: Vec<_> = tensors.iter().map(|(name, x)| jarrah_formats::Tensor::of(name.as_str(), x)).collect();
    jarrah_formats::save(folder.path(), &all, &Default::default()).unwrap();
    let read = |folder: &Path| Pretrained::load(folder, None).unwrap().tensors().unwrap();
    assert!(read(folder.path()) == read(&source));
    tell(1);
    let error = Pretrained::load(folder.path(), None).unwrap_err().to_string();
    assert!(error.contains("model.layers.3.enorm.weight") && error.contains("missing"), "{error}");
    tell(1 << 20);
    let error = Pretrained::load(folder.path(), None).unwrap_err().to_string();
    assert!(error.contains("`num_nextn_predict_layers` of config.json is 1048576"), "{error}");
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
        ("\"num_hidden_layers\": 2", "\"num_hidden_layers\": -1", "must be a whole number"),
        ("\"head_dim\": 12", "\"head_dim\": 7", "no pairs"),
        ("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "do not fit"),
        ("\"hidden_act\": \"silu\"", "\"hidden_act\": \"sulu\"", "`sulu`"),
        ("{", "{\"quantization_config\": {\"quant_method\": \"hqq\"},", "quantized by `hqq`"),
        ("{", "", "is not JSON"),
    ] {
        assert!(text.contains(change), "{change}");
        let error = refused(&text.replacen(change, with, 1));
        assert!(error.contains(message), "{change} -> {with}: {error}");
    }
}

/// A `config.json` with a number that is none of its family's is refused in words, or read: nothing panics, and nothing runs away.
#[test]
fn numbers_that_are_wrong_are_refused_in_words() {
    let mut refused = 0;
    let mut families = std::collections::BTreeSet::new();
    for folder in folders() {
        let text = std::fs::read_to_string(folder.join("config.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        if !families.insert(json["model_type"].to_string()) {
            continue;
        }
        let other = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, other.path().join(path.file_name().unwrap())).unwrap();
        }
        for (key, value) in json.as_object().unwrap() {
            let numbers = value.is_number() || value.is_array() || value.is_null();
            let wrong: [serde_json::Value; 7] =
                [0.into(), 1.into(), 3.into(), 7.into(), (1u64 << 39).into(), (-1).into(), 0.5.into()];
            for wrong in wrong.into_iter().filter(|_| numbers) {
                let changed = match value {
                    serde_json::Value::Array(_) => vec![wrong; 2].into(),
                    _ => wrong,
                };
                let mut json = json.clone();
                json[key] = changed.clone();
                std::fs::write(other.path().join("config.json"), json.to_string()).unwrap();
                let load = || Pretrained::load(other.path(), None).is_err();
                let Ok(is_error) = std::panic::catch_unwind(load) else {
                    panic!("{}: a panic with {key} = {changed}", name(&folder));
                };
                refused += usize::from(is_error);
            }
        }
    }
    assert!(refused > 30 * families.len(), "{refused} for {} families", families.len());
}

/// In families with experts PEFT takes the names of their matrices for them alone: other maps of these names are asked for by their weights.
#[test]
fn adapters_beside_experts_name_weights() {
    let families = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let mut model = Pretrained::load(families.join("deepseek_v2"), Some(DType::F32)).unwrap();
    edit(
        &mut model.model,
        Filter::from("blocks.0.mlp.up") | "blocks.0.attention.out",
        |_, layer: &mut Linear| {
            layer.weight = Lora::over(layer.weight.clone(), &Key::new(0), 2, 4.0).into();
        },
    );
    let folder = tempfile::tempdir().unwrap();
    model.save_adapter(folder.path()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("adapter_config.json")).unwrap();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(config["target_modules"], serde_json::json!(["o_proj"]));
    assert_eq!(config["target_parameters"], serde_json::json!(["model.layers.0.mlp.up_proj.weight"]));
    let mut again = Pretrained::load(families.join("deepseek_v2"), Some(DType::F32)).unwrap();
    again.adapt(folder.path()).unwrap();
    assert_eq!(again.model.leaves().len(), model.model.leaves().len());
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

    // An adapter that has another head, too, and changes it: W + scale B A of that head.
    let of = |name: &str, dims: &[usize], value: f64| {
        (
            format!("base_model.model.lm_head.{name}"),
            Array::full(dims, value, DType::F32).to_literal().unwrap(),
        )
    };
    let head = [
        of("base_layer.weight", &[24, 16], 0.5),
        of("lora_A.weight", &[2, 16], 1.0),
        of("lora_B.weight", &[24, 2], 0.25),
    ];
    let tensors: Vec<Tensor<'_>> = head.iter().map(|(name, literal)| Tensor::of(name, literal)).collect();
    save_file(&copy.path().join("adapter_model.safetensors"), &tensors, &Default::default()).unwrap();
    let mut loaded = Pretrained::load(tests.join("families/llama"), Some(DType::F32)).unwrap();
    loaded.adapt(copy.path()).unwrap();
    loaded.merge_adapters();
    let head = loaded
        .model
        .leaves_with_paths()
        .into_iter()
        .find(|(path, _): &(String, &Array)| path.starts_with("head."));
    // The scale is 3: 0.5 + 3 (2 * 0.25).
    assert!(head.unwrap().1.to_vec::<f32>().unwrap().iter().all(|x| *x == 2.0));

    let mut other = Pretrained::load(tests.join("families/phi3"), None).unwrap();
    let error = other.adapt(tests.join("adapter")).unwrap_err().to_string();
    assert!(error.contains("self_attn.q_proj.weight, which the model has not"), "{error}");
    let error = other.save_adapter(copy.path()).unwrap_err().to_string();
    assert!(error.contains("no adapters"), "{error}");
}

/// Positions beyond those of the file are no copies of its last one.
#[test]
fn more_tokens_than_learned_positions_are_an_error() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/gpt2_wide");
    let model = Pretrained::load(folder, Some(DType::F32)).unwrap().model;
    let logits = |time: usize| {
        try_trace(|| model.call(&Array::zeros(&[1, time]).astype(DType::I32), &mut Context::eval()))
    };
    assert!(logits(32).is_ok());
    let error = logits(33).err().unwrap().to_string();
    assert!(error.contains("33 tokens for a model with 32 positions"), "{error}");
}

/// Numbers that no model has, each of which would be built, layer by layer or expert by expert, before anything is read of the weights.
#[test]
fn numbers_without_end_are_refused() {
    let refused = |family: &str, entry: &str, number: usize| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family);
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(folder.join("model.safetensors"), copy.path().join("model.safetensors")).unwrap();
        let text = std::fs::read_to_string(folder.join("config.json")).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json[entry] = number.into();
        std::fs::write(copy.path().join("config.json"), json.to_string()).unwrap();
        Pretrained::load(copy.path(), None).unwrap_err().to_string()
    };
    let e = refused("llama", "num_hidden_layers", 10_000);
    assert!(e.contains("`num_hidden_layers` of config.json is 10000, it must be from 1 to 1000"), "{e}");
    let e = refused("llama", "head_dim", 1 << 24);
    assert!(e.contains("config.json has heads of 16777216 elements to turn, above 65536"), "{e}");
    let e = refused("mixtral", "num_local_experts", 1 << 24);
    assert!(e.contains("the heads or experts are too many: 1048576 pieces are allowed"), "{e}");
    let e = refused("gemma3", "head_dim", 3);
    assert!(e.contains("config.json turns 1 of 3 elements, which are no pairs"), "{e}");
}

/// The matrices of GPT-2 lie as `[inputs, outputs]`, those of queries, keys and values as one: PEFT's adapter of one is three here, and three are one there.
#[test]
fn adapters_of_gpt2_come_in_and_go_out() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let wanted = expected(&tests.join("adapter_gpt2"));
    let load = || Pretrained::load(tests.join("families/gpt2"), Some(DType::F32)).unwrap();
    let logits = |model: &Decoder| model.call(&wanted["tokens"], &mut Context::eval());
    let mut theirs = load();
    theirs.adapt(tests.join("adapter_gpt2")).unwrap();
    assert!(distance(&logits(&theirs.model), &wanted["logits"]) < 1e-4);
    assert!(distance(&logits(&load().model), &wanted["logits"]) > 1e-2, "the adapter changes something");

    // Ours: of one rank on parts of a matrix and on others, and not on the values of the second layer.
    let mut own = load();
    let on = Filter::from("blocks.*.attention.{q,v}") | "blocks.*.mlp.down";
    edit(&mut own.model, on & !Filter::from("blocks.1.attention.v"), |path, layer: &mut Linear| {
        let key = Key::new(path.len() as u64);
        let mut lora = Lora::over(layer.weight.clone(), &key, 2, 6.0);
        lora.adapter.b = Variable::from(key.normal(&lora.adapter.b.shape())).of_kind(Kind::LORA);
        layer.weight = lora.into();
    });
    let folder = tempfile::tempdir().unwrap();
    own.save_adapter(folder.path()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("adapter_config.json")).unwrap();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap();
    // The output layer of attention is called c_proj, too, and has none.
    assert_eq!(config["target_modules"], serde_json::json!(["c_attn", "mlp.c_proj"]));
    assert_eq!((&config["fan_in_fan_out"], &config["r"]), (&true.into(), &2.into()));
    let (first, second) = ("transformer.h.0.attn.c_attn", "transformer.h.1.attn.c_attn");
    assert_eq!(config["rank_pattern"], serde_json::json!({first: 4, second: 2}));
    assert_eq!(config["alpha_pattern"], serde_json::json!({first: 12, second: 6}));
    let file = Tensors::open(folder.path().join("adapter_model.safetensors")).unwrap();
    let dims =
        |name: &str| file.find(&format!("base_model.model.{first}.{name}.weight")).unwrap().dims().to_vec();
    assert_eq!((dims("lora_A"), dims("lora_B")), (vec![4, 16], vec![48, 4]));
    // Read again, each part has the ranks that it had, and the logits are the same.
    let mut again = load();
    again.adapt(folder.path()).unwrap();
    assert!(distance(&logits(&again.model), &logits(&own.model)) < 1e-6);
    let ranks = |model: &Decoder| -> BTreeMap<String, usize> {
        let parts = parts::<_, Linear>(model, ..).into_iter();
        let rank = |(path, layer): (String, Linear)| {
            let lora = layer.weight.value::<Lora>()?;
            Some((path, lora.adapter.a.shape()[1]))
        };
        parts.filter_map(rank).collect()
    };
    assert_eq!(ranks(&again.model), ranks(&own.model));
}

/// Numbers that models divide by, or take the root of, are refused where they are none.
#[test]
fn numbers_out_of_range_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/gemma2_caps");
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(folder.join("model.safetensors"), copy.path().join("model.safetensors")).unwrap();
    let text = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let load = |entry: &str, number: f64| {
        let mut json = json.clone();
        json[entry] = number.into();
        std::fs::write(copy.path().join("config.json"), json.to_string()).unwrap();
        Pretrained::load(copy.path(), None)
    };
    for entry in ["attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar"] {
        for number in [0.0, -1.5, 1e-46] {
            let e = load(entry, number).unwrap_err().to_string();
            assert!(e.contains(&format!("`{entry}` of config.json is ")) && e.contains("above 0"), "{e}");
        }
    }
    assert!(load("rms_norm_eps", 0.0).is_ok());
    let e = load("rms_norm_eps", -1.0).unwrap_err().to_string();
    assert!(
        e.contains("`rms_norm_eps` of config.json is -1.0, it must be a finite number of at least 0"),
        "{e}"
    );
}

/// A decoder whose output layer is its embeddings may have them by the name of the output layer alone.
#[test]
fn embeddings_are_read_by_the_name_of_the_output_layer() {
    for family in ["llama_tied", "gpt_neox_tied"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family);
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(folder.join("config.json"), copy.path().join("config.json")).unwrap();
        let files = Tensors::open(&folder).unwrap();
        let name = |name: &str| match name {
            "model.embed_tokens.weight" => "lm_head.weight".to_owned(),
            "gpt_neox.embed_in.weight" => "embed_out.weight".to_owned(),
            name => name.to_owned(),
        };
        let renamed: Vec<jarrah_formats::Tensor<'_>> = files
            .iter()
            .filter(|tensor| !matches!(tensor.name(), "lm_head.weight" | "embed_out.weight"))
            .map(|tensor| tensor.clone().named(name(tensor.name())))
            .collect();
        jarrah_formats::save(copy.path(), &renamed, &Default::default()).unwrap();
        let (read, wanted) = (Pretrained::load(copy.path(), None).unwrap(), Pretrained::load(&folder, None));
        assert!(read.notes.is_empty(), "{:?}", read.notes);
        assert!(read.tensors().unwrap() == wanted.unwrap().tensors().unwrap(), "{family}");
    }
}

/// Entries of `config.json` have the other names that transformers gives them, which go before the first ones.
#[test]
fn entries_have_the_other_names_of_transformers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    for (folder, names) in [
        ("mixtral", &[("num_local_experts", "num_experts")][..]),
        ("gpt_oss", &[("num_local_experts", "num_experts")]),
        ("deepseek_v2", &[("n_routed_experts", "num_experts")]),
        (
            "deepseek_v3",
            &[("n_routed_experts", "num_local_experts"), ("num_nextn_predict_layers", "num_mtp_layers")],
        ),
        (
            "gpt2",
            &[
                ("n_embd", "hidden_size"),
                ("n_layer", "num_hidden_layers"),
                ("n_head", "num_attention_heads"),
                ("n_positions", "max_position_embeddings"),
            ],
        ),
    ] {
        let text = std::fs::read_to_string(root.join(folder).join("config.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let config = |json: &serde_json::Value| ModelFamily::of(json).unwrap().config(json).unwrap();
        for (name, other) in names {
            let mut before = json.clone();
            if before.get(*name).is_none_or(serde_json::Value::is_null) {
                before[*name] = 1.into();
            }
            let mut renamed = before.clone();
            renamed[*other] = renamed.as_object_mut().unwrap().remove(*name).unwrap();
            assert_eq!(config(&renamed), config(&before), "{folder}: {other}");
            renamed[*name] = 7.into();
            assert_eq!(config(&renamed), config(&before), "{folder}: {other} beside {name}");
        }
    }
}
