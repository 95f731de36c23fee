//! Descriptions of folders and files by `jarrah model`, and its refusals.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jarrah::array::random::Key;
use jarrah::array::{Array, TreeExt};
use jarrah::formats::{Tensor, Tensors, save_file};
use jarrah::models::{Pretrained, QuantizeRules};
use serde_json::{Value, json};

use crate::support::Place;

/// A plain model whose rows are whole blocks of GGUF.
fn plain() -> Value {
    let mut json = Pretrained::preset("test-llama").unwrap();
    for (name, value) in
        [("hidden_size", 64), ("intermediate_size", 64), ("vocab_size", 300), ("head_dim", 16)]
    {
        json[name] = value.into();
    }
    json
}

/// A model with a plain layer before one of experts.
fn mixture() -> Value {
    json!({
        "model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "vocab_size": 300, "hidden_size": 64,
        "intermediate_size": 64, "moe_intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16, "num_experts": 4, "num_experts_per_tok": 2, "decoder_sparse_step": 1,
        "mlp_only_layers": [0], "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "norm_topk_prob": true,
        "tie_word_embeddings": false,
    })
}

fn write(path: &Path, json: Value) {
    Pretrained::random(json, &Key::new(0)).unwrap().save(path).unwrap();
}

/// A folder that says of itself what is not so: its output layer is no copy of the embeddings, nobody reads an entry of its config.json, nor a tensor.
fn noted(path: &Path) {
    let mut json = plain();
    json["tie_word_embeddings"] = false.into();
    let model = Pretrained::random(json, &Key::new(0)).unwrap();
    model.save(path).unwrap();
    let mut tensors = model.tensors().unwrap();
    let (_, some) = &tensors[0];
    tensors.push(("model.nobody.weight".to_owned(), some.clone()));
    let all: Vec<Tensor<'_>> = tensors.iter().map(|(name, value)| Tensor::of(name.as_str(), value)).collect();
    save_file(&path.join("model.safetensors"), &all, &Default::default()).unwrap();
    let file = path.join("config.json");
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    json["tie_word_embeddings"] = true.into();
    json["attn_logit_softcapping"] = 30.0.into();
    fs::write(file, json.to_string()).unwrap();
}

#[test]
fn notes_of_a_folder_are_said_once_by_every_command() {
    let place = Place::new();
    noted(&place.path("noted"));
    // The configuration as it was read, without the key that has no effect.
    let told = Pretrained::load(place.path("noted"), None).unwrap();
    let mut json = told.json.clone();
    json.as_object_mut().unwrap().remove("attn_logit_softcapping");
    Pretrained::of(told.model, json, None).unwrap().save(place.path("told")).unwrap();
    fs::write(place.path("ids.json"), "[[1, 2, 3], [4, 5, 6]]").unwrap();
    for command in [
        "model info noted",
        "model info noted --json",
        "model tree noted",
        "model params noted --json",
        "model logits noted --tokens ids.json --out logits",
        "model convert noted copy",
        "model convert noted copy.gguf --format gguf",
        "model diff noted told --tokens ids.json",
        "model quantize noted few --scheme int8",
        "generate noted --prompt [1,2] --max-tokens 2",
    ] {
        let done = place.jarrah(command);
        assert_eq!(done.code, Some(0), "{command}: {done:?}");
        for note in
            ["both are kept]", "`attn_logit_softcapping` of config.json is 30", "model.nobody.weight]"]
        {
            assert_eq!(done.err.matches(note).count(), 1, "{command}: {note}: {done:?}");
        }
    }
    // A run that begins with the model says so too, before its first step.
    let tokenizer = jarrah::tokenizer::train(
        &["the quick brown fox jumps over the lazy dog"],
        &jarrah::tokenizer::TrainOptions::new(270),
    );
    tokenizer.unwrap().save(&place.path("noted/tokenizer.json")).unwrap();
    let done = place
        .jarrah("train --model noted --data text steps=1 batch=1 model.context=8 sample.tokens=0 --out run");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!((done.out + &done.err).matches("both are kept").count(), 1);
    // The model is described as it is read.
    let model = Pretrained::load(place.path("noted"), None).unwrap();
    let parameters: usize = model.model.leaves().into_iter().map(|x: &Array| x.size()).sum();
    let info = place.good("model info noted");
    assert!(info.contains(&format!("parameters    {parameters} ")) && !info.contains("tied"), "{info}");
    for command in ["model tree noted", "model params noted"] {
        let told = place.good(command);
        assert!(told.contains("head") && told.contains(&format!(" {parameters} ")), "{told}");
    }
}

#[test]
fn blocks_of_a_gguf_file_are_not_quantized_again() {
    let place = Place::new();
    write(&place.path("plain"), plain());
    write(
        &place.path("mixture"),
        json!({"model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "vocab_size": 300,
        "hidden_size": 64, "intermediate_size": 64, "moe_intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16, "num_experts": 4, "num_experts_per_tok": 2, "norm_topk_prob": true,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "tie_word_embeddings": false}),
    );
    for (from, dtype) in [("plain", "q4_0"), ("plain", "q8_0"), ("mixture", "q4_0")] {
        let file = format!("{from}-{dtype}.gguf");
        place.good(&format!("model convert {from} {file} --format gguf --dtype {dtype}"));
        let refused = place.refused(
            &format!("model quantize {file} out --scheme int4:32"),
            "blocks.0.attention.k.weight is in few bits already",
        );
        assert!(refused.contains("`jarrah model convert IN OUT --dtype f32`"), "{refused}");
        assert!(!place.path("out").exists() && !place.path(".out.partial").exists());
        // Of a mixture the stacks alone.
        fs::write(place.path("rules"), "blocks.*.mlp.**=int4:32\nblocks.**=leave").unwrap();
        let refused = place.jarrah(&format!("model quantize {file} out --rules rules"));
        refused.is_refused("blocks.0.mlp.");
        assert!(refused.err.contains(" is in few bits already"), "{refused:?}");
        // The help is right.
        place.good(&format!("model convert {file} {file}.dense --dtype f32"));
        place.good(&format!("model quantize {file}.dense {file}.few --scheme int4:32"));
        // A rule that leaves them takes none of them.
        fs::write(place.path("rules"), "head=int8\nblocks.**=leave").unwrap();
        if from == "mixture" {
            place.refused(&format!("model quantize {file} out --rules rules"), "head.weight is in few bits");
        }
    }
    place.good("model convert plain f16.gguf --format gguf --dtype f16");
    place.good("model quantize f16.gguf few --scheme int4:32");
}

#[test]
fn a_folder_with_a_cut_file_is_not_described() {
    let place = Place::new();
    write(&place.path("cut"), plain());
    let file = place.path("cut/model.safetensors");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    for command in ["model info cut", "model tree cut", "model params cut", "generate cut --prompt [1]"] {
        let error = place.refused(command, "the tensors that the header lists are not all there");
        assert!(error.contains("cut/model.safetensors"), "{command}: {error}");
    }
    // A tensor that is missing is an error too.
    fs::write(&file, &whole).unwrap();
    let found = Tensors::open(&file).unwrap();
    let all: Vec<Tensor<'_>> = found.iter().skip(1).collect();
    save_file(&place.path("fewer"), &all, &Default::default()).unwrap();
    fs::rename(place.path("fewer"), &file).unwrap();
    assert_eq!(place.jarrah("model info cut").code, Some(2));
    // A config.json says enough where there are no weights.
    fs::remove_file(&file).unwrap();
    let told = place.good("model info cut");
    assert!(told.contains("vocabulary    300"), "{told}");
    assert_eq!(place.good("model info cut/config.json"), told);
}

#[test]
fn weights_in_few_bits_are_not_written_to_gguf_but_by_way_of_numbers() {
    let place = Place::new();
    write(&place.path("plain"), plain());
    for scheme in ["int4:32", "q8_0", "nf4"] {
        place.good(&format!("model quantize plain {scheme} --scheme {scheme}"));
        let error = place.refused(
            &format!("model convert {scheme} out.gguf --format gguf"),
            "blocks.0.attention.k.weight is in few bits (",
        );
        assert!(error.contains("`jarrah model convert IN OUT --dtype f32`"), "{error}");
        assert!(!place.path("out.gguf").exists());
        place.good(&format!("model convert {scheme} {scheme}.dense --dtype f32"));
        place.good(&format!("model convert {scheme}.dense {scheme}.gguf --format gguf"));
    }
}

/// Every path that a rule may name is a row, and what is in few bits has its bytes.
#[test]
fn trees_show_what_rules_name_and_how_it_is_held() {
    let place = Place::new();
    write(&place.path("mixture"), mixture());
    let model = Pretrained::load(place.path("mixture"), None).unwrap().model;
    let rows = |what: &str| -> Vec<Value> {
        serde_json::from_str(&place.good(&format!("model tree {what} --json"))).unwrap()
    };
    let shown: BTreeSet<String> =
        rows("mixture").iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect();
    let plan = "**=int4:32".parse::<QuantizeRules>().unwrap().plan(&model).unwrap();
    assert!(plan.contains_key("blocks.1.mlp.gate_up"), "{plan:?}");
    for path in plan.keys() {
        assert!(shown.contains(path.strip_suffix(".weight").unwrap_or(path)), "{path}: {shown:?}");
    }
    let tree = place.good("model tree mixture");
    for name in ["gate_up ", "down ", "router "] {
        assert!(tree.lines().any(|line| line.trim_start().starts_with(name)), "{name}: {tree}");
    }
    assert!(tree.lines().any(|line| line.contains("gate_up") && line.contains("f32[4, 128, 64]")), "{tree}");

    fs::write(place.path("rules"), "blocks.1.mlp.down=int8\nint4:32").unwrap();
    place.good("model quantize mixture few --rules rules");
    let info: Value = serde_json::from_str(&place.good("model info few --json")).unwrap();
    let root = &rows("few")[0];
    assert_eq!((&root["path"], &root["bytes"]), (&"".into(), &info["bytes"]));
    assert_eq!(root["parameters"], info["parameters"]);
    let tree = place.good("model tree few");
    let line = |name: &str| tree.lines().rfind(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(line("gate_up ").contains("int4:32"), "{tree}");
    assert!(line("down ").contains("int8"), "{tree}");
    let params: Vec<Value> = serde_json::from_str(&place.good("model params few --json")).unwrap();
    let of = |path: &str| params.iter().find(|row| row["path"] == path).unwrap().clone();
    assert_eq!(of("blocks.0.attention.q.weight")["dtype"], "int4:32");
    assert_eq!(of("blocks.1.mlp.down")["dtype"], "int8");
    assert_eq!(of("embed.table")["dtype"], "f32");
    let bytes: u64 = params.iter().map(|row| row["bytes"].as_u64().unwrap()).sum();
    assert_eq!(info["bytes"], bytes);
    let q = of("blocks.0.attention.q.weight");
    assert!(q["bytes"].as_u64().unwrap() < q["parameters"].as_u64().unwrap(), "{q}");
}

/// Plain layers and mixtures have weights of one name, which is said once, with the layers that are meant.
#[test]
fn places_in_few_bits_are_said_once() {
    let place = Place::new();
    write(&place.path("mixture"), mixture());
    for rules in ["int4:32", "blocks.1.mlp.down=leave\nint4:32", "blocks.0.mlp.down=int8\nint4:32"] {
        fs::write(place.path("rules"), rules).unwrap();
        let _ = fs::remove_dir_all(place.path("few"));
        place.good("model quantize mixture few --rules rules");
        let info = place.good("model info few");
        for line in info.lines().filter(|line| line.starts_with("in few bits")) {
            for names in line.split('{').skip(1).filter_map(|rest| rest.split_once('}')) {
                let names: Vec<&str> = names.0.split(',').collect();
                let once: BTreeSet<&&str> = names.iter().collect();
                assert_eq!(once.len(), names.len(), "{info}");
            }
        }
        let says =
            |place: &str| info.lines().any(|line| line.starts_with("in few bits") && line.contains(place));
        match rules {
            "int4:32" => assert!(
                says("blocks.*.mlp.{gate,up,down}") && says("blocks.{1}.mlp.gate_up")
                    || says("blocks.*.mlp.{gate,up,down,gate_up}"),
                "{info}"
            ),
            _ if rules.contains("leave") => assert!(says("blocks.{0}.mlp.down"), "{info}"),
            _ => assert!(says("blocks.{0}.mlp.down") && says("blocks.{1}.mlp.down"), "{info}"),
        }
    }
}

#[test]
fn weights_that_are_no_numbers_are_not_quantized() {
    let place = Place::new();
    fs::write(place.path("text.txt"), "the quick brown fox jumps over the lazy dog ".repeat(60)).unwrap();
    for (from, path, factor) in
        [("infinite", "blocks.1.mlp.up.weight", f32::INFINITY), ("none", "blocks.1.mlp.gate_up", f32::NAN)]
    {
        let json = if from == "none" { mixture() } else { plain() };
        let model = Pretrained::random(json, &Key::new(0)).unwrap();
        let wrong = model.model.try_map_with_paths(|known, array: &Array| {
            Ok(if known == path { array * factor } else { array.clone() })
        });
        model.with(wrong.unwrap()).save(place.path(from)).unwrap();
        let tokenizer = jarrah::tokenizer::train(
            &["the quick brown fox jumps over the lazy dog"],
            &jarrah::tokenizer::TrainOptions::new(270),
        );
        tokenizer.unwrap().save(&place.path(from).join("tokenizer.json")).unwrap();
        let text = "--calibration text.txt --context 16 --samples 2";
        for method in ["".to_owned(), format!("--method awq {text}"), format!("--method gptq {text}")] {
            let error = place.refused(&format!("model quantize {from} out --scheme int4:32 {method}"), path);
            assert!(error.contains("infinit") && error.contains("=leave"), "{error}");
            assert!(!place.path("out").exists() && !place.path(".out.partial").exists());
        }
        // Weights are quantized as they are read, likewise.
        let error = place.jarrah(&format!("generate {from} --prompt [1,2] --quantize int4:32"));
        assert!(error.code == Some(2) && error.err.contains(path), "{error:?}");
        let place_of = path.strip_suffix(".weight").unwrap_or(path);
        fs::write(place.path("rules"), format!("{place_of}=leave\nint4:32")).unwrap();
        place.good(&format!("model quantize {from} {from}.few --rules rules"));
    }
}

#[test]
fn flags_and_rules_that_mean_nothing_are_refused() {
    let place = Place::new();
    write(&place.path("plain"), plain());
    fs::write(place.path("text.txt"), "a text").unwrap();
    for method in ["rtn", "awq"] {
        let error = place.refused(
            &format!("model quantize plain out --method {method} --act-order --calibration text.txt"),
            &format!("--act-order is an order of gptq, and the method is {method}"),
        );
        assert!(error.contains("--method gptq"), "{error}");
        assert!(!place.path(".out.partial").exists());
    }
    place.refused("model quantize plain out --damp 0.1", "--damp is a share of gptq, and the method is rtn");
    for (rule, message) in [
        ("blocks.*.mlp.** int8", "`=` is missing"),
        ("blocks.*.mlp.**:int8", "`=` is missing"),
        ("blocks.**", "`=` is missing"),
        ("int5", "there is no scheme of quantization `int5`"),
    ] {
        let error = rule.parse::<QuantizeRules>().unwrap_err().to_string();
        assert!(error.contains(message), "{rule}: {error}");
        fs::write(place.path("rules"), rule).unwrap();
        let error = place.jarrah("model quantize plain out --rules rules");
        assert!(error.err.contains(message) && error.err.contains("in rules"), "{error:?}");
    }
    let rules: QuantizeRules = "INT8, blocks.0.**=Leave, blocks.1.**=NF4:16".parse().unwrap();
    assert_eq!(rules.to_string(), "int8, blocks.0.**=leave, blocks.1.**=nf4:16");
}

#[test]
fn a_path_that_is_not_there_is_said_as_everywhere() {
    let place = Place::new();
    write(&place.path("plain"), plain());
    fs::write(place.path("ids.json"), "[1]").unwrap();
    let said = |error: &str| error.split_once("help: ").unwrap().1.trim().to_owned();
    let help = said(&place.refused("generate nowhere --prompt a", "nowhere does not exist"));
    for command in [
        "model quantize nowhere out",
        "model convert nowhere out",
        "model convert nowhere out.gguf --format gguf",
        "model logits nowhere --tokens ids.json --out x",
    ] {
        assert_eq!(said(&place.refused(command, "nowhere does not exist")), help, "{command}");
    }
    for command in [
        "model info nowhere",
        "model tree nowhere",
        "model params no/where",
        "model diff plain nowhere --tokens ids.json",
    ] {
        let error = place.jarrah(command);
        assert!(error.code == Some(2) && said(&error.err).starts_with(&help), "{command}: {error:?}");
    }
    // A name may be that of a published shape, of which those are told that are alike.
    let error = place.refused("model info qwen3-0.7b", "there is no model shape called `qwen3-0.7b`");
    assert!(error.contains("qwen3-0.6b") && said(&error).starts_with(&help), "{error}");
}
