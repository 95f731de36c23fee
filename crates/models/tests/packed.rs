//! Weights in few bits: those of others, our own, and rules: see `oracle/few_bits.py`.

use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, TreeExt};
use jarrah_formats::{Tensor, Tensors, save_file};
use jarrah_models::{
    Base, Calibrator, Decoder, DecoderConfig, LoadAs, LoraSpec, ModelSpec, Pretrained, QuantizeRules,
};
use jarrah_nn::{Context, LayerNorm, Linear, Lora, Module, Variable, edit, parts};
use jarrah_quant::{Activations, GptqOptions, QuantizedTensor, Scheme};

use crate::pretrained::{distance, expected, name};

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packed");
    let mut all: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packed").join(name)
}

fn logits(model: &Decoder, tokens: &Array) -> Array {
    model.call(tokens, &mut Context::eval())
}

/// The weights of a model that are in few bits.
fn packed(model: &Decoder) -> Vec<(String, QuantizedTensor)> {
    let all = parts::<_, Variable>(model, ..).into_iter();
    all.filter_map(|(path, weight)| Some((path, weight.value::<QuantizedTensor>()?.clone()))).collect()
}

/// As integers of 8 bits an argument has another value, so that what is computed with it has, too.
fn bound(folder: &Path) -> f64 {
    if name(folder) == "ct_w8a8" { 5e-3 } else { 1e-4 }
}

/// Weights that others have in few bits stay so, and what is computed with them is what their packages compute; read as numbers, they are these.
#[test]
fn weights_of_others_in_few_bits() {
    let all = folders();
    assert_eq!(all.len(), 18);
    for folder in &all {
        let wanted = expected(folder);
        let how = LoadAs { packed: true, ..LoadAs::default() };
        let kept = Pretrained::load_as(folder, &how).unwrap_or_else(|e| panic!("{}: {e}", name(folder)));
        let stacks = if name(folder) == "ct_experts" { 2 * (4 + 2) } else { 2 * 7 };
        assert_eq!(packed(&kept.model).len(), stacks, "{}", name(folder));
        let off = distance(&logits(&kept.model, &wanted["tokens"]), &wanted["logits"]);
        assert!(off < bound(folder), "{}: {off}", name(folder));
        let wide = Pretrained::load(folder, Some(DType::F32)).unwrap();
        assert!(packed(&wide.model).is_empty());
        assert!(wide.json.get("quantization_config").is_none());
        let off = distance(&logits(&wide.model, &wanted["tokens"]), &wanted["logits"]);
        let bound = if name(folder) == "ct_w8a8" { 0.1 } else { 1e-4 };
        assert!(off < bound, "{}: {off}", name(folder));
    }
}

/// What was read in few bits is written as compressed-tensors, or NF4 as it was, and means the same numbers when it is read again.
#[test]
fn weights_in_few_bits_are_written() {
    for folder in folders() {
        let wanted = expected(&folder);
        let copy = tempfile::tempdir().unwrap();
        let loaded = Pretrained::load(&folder, None).unwrap();
        let saved = loaded.save(copy.path());
        if name(&folder) == "gptq_order" {
            let error = saved.unwrap_err().to_string();
            assert!(error.contains("rows in their own order"), "{error}");
            continue;
        }
        saved.unwrap_or_else(|e| panic!("{}: {e}", name(&folder)));
        let json = std::fs::read_to_string(copy.path().join("config.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let method = if name(&folder).starts_with("nf4") { "bitsandbytes" } else { "compressed-tensors" };
        assert_eq!(json["quantization_config"]["quant_method"], method, "{}", name(&folder));
        let again = Pretrained::load(copy.path(), None).unwrap();
        let (before, after) = (packed(&loaded.model), packed(&again.model));
        assert_eq!(before.len(), after.len());
        for ((path, before), (_, after)) in before.iter().zip(&after) {
            let numbers = |weight: &QuantizedTensor| weight.dequantize(DType::F32).to_vec::<f32>().unwrap();
            assert!(numbers(before) == numbers(after), "{}: {path}", name(&folder));
            assert_eq!(before.scheme.activations, after.scheme.activations);
        }
        let off = distance(&logits(&again.model, &wanted["tokens"]), &wanted["logits"]);
        assert!(off < bound(&folder), "{}: {off}", name(&folder));
    }
}

/// Tensors have the names, types and extents that compressed-tensors itself gives them.
#[test]
fn files_are_those_of_compressed_tensors() {
    for theirs in folders().into_iter().filter(|folder| name(folder).starts_with("ct_")) {
        if name(&theirs) == "ct_fp8_block" {
            continue;
        }
        let copy = tempfile::tempdir().unwrap();
        Pretrained::load(&theirs, None).unwrap().save(copy.path()).unwrap();
        let (first, second) = (Tensors::open(&theirs).unwrap(), Tensors::open(copy.path()).unwrap());
        for tensor in first.iter() {
            let own = second.get(tensor.name()).unwrap_or_else(|e| panic!("{}: {e}", name(&theirs)));
            assert_eq!(own.ty().unwrap(), tensor.ty().unwrap(), "{}: {}", name(&theirs), tensor.name());
            let (own, tensor) = (own.literal().unwrap(), tensor.literal().unwrap());
            assert!(own.bytes() == tensor.bytes(), "{}", name(&theirs));
        }
        assert_eq!(first.len(), second.len());
    }
}

/// What config.json says of few bits and cannot be read is refused in words.
#[test]
fn what_cannot_be_read_is_said() {
    let refused = |from: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(folder(from).join("model.safetensors"), copy.path().join("model.safetensors")).unwrap();
        let text = std::fs::read_to_string(folder(from).join("config.json")).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        change(&mut json);
        std::fs::write(copy.path().join("config.json"), json.to_string()).unwrap();
        Pretrained::load(copy.path(), None).unwrap_err().to_string()
    };
    let entry = |key: &'static str, value: serde_json::Value| {
        move |json: &mut serde_json::Value| json["quantization_config"][key] = value.clone()
    };
    for (from, change, message) in [
        ("awq", entry("quant_method", "aqlm".into()), "quantized by `aqlm`"),
        ("awq", entry("version", "gemv".into()), "in the layout `gemv`"),
        ("gptq", entry("bits", 3.into()), "by gptq to 3 bits"),
        ("gptq", entry("bits", 8.into()), "mismatched"),
        ("gptq", entry("checkpoint_format", "marlin".into()), "format `marlin`"),
        ("nf4", entry("load_in_8bit", true.into()), "integers of 8 bits"),
        ("nf4", entry("bnb_4bit_quant_type", "fp4".into()), "as `fp4`"),
        ("ct_int4", entry("format", "nvfp4-pack-quantized".into()), "format `nvfp4-pack-quantized`"),
        ("ct_int4", entry("sparsity_config", serde_json::json!({"format": "sparse-bitmask"})), "are sparse"),
    ] {
        let error = refused(from, &change);
        assert!(error.contains(message), "{from}: {error}");
    }
    // A zero point of 16 is none of compressed-tensors' codes.
    let mut wide = Pretrained::load(folder("gptq"), None).unwrap();
    edit(&mut wide.model, "blocks.1.mlp.up.weight", |_, weight: &mut Variable| {
        let own = weight.value::<QuantizedTensor>().unwrap().clone();
        let zeros = own.zeros.as_ref().map(|zeros| zeros | 16u8);
        *weight = weight.replaced(QuantizedTensor { zeros, ..own });
    });
    let error = wide.save(tempfile::tempdir().unwrap().path()).unwrap_err().to_string();
    assert!(error.contains("layers.1.mlp.up_proj.weight has a zero point of 16"), "{error}");
    let error = refused("ct_int4", &|json| json["hidden_size"] = 128.into());
    assert!(error.contains("mismatched"), "{error}");
    let how = LoadAs { packed: true, quantize: Some(Scheme::INT8.into()), dtype: None };
    let error = Pretrained::load_as(folder("ct_int4"), &how).unwrap_err().to_string();
    assert!(error.contains("is in few bits already"), "{error}");
}

fn family(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name)
}

/// Stacks of experts in MXFP4 are a method of files of its own: alone they are written as they are read, and beside other matrices in few bits they
/// are refused before anything is written.
#[test]
fn stacks_in_mxfp4_are_written_so_that_they_are_read() {
    let plain = tempfile::tempdir().unwrap();
    let numbers = Pretrained::load(family("gpt_oss_mxfp4"), Some(DType::F32)).unwrap();
    numbers.save(plain.path()).unwrap();
    let with = |rules: &str| {
        let how = LoadAs { quantize: Some(rules.parse().unwrap()), ..LoadAs::default() };
        Pretrained::load_as(plain.path(), &how)
    };
    let loaded = with("blocks.*.mlp.{gate_up,down}=mxfp4, **=leave").unwrap();
    let stacks = packed(&loaded.model).len();
    assert!(stacks > 0 && stacks.is_multiple_of(2), "{stacks}");
    let copy = tempfile::tempdir().unwrap();
    loaded.save(copy.path()).unwrap();
    let again = Pretrained::load(copy.path(), None).unwrap();
    assert_eq!(again.json["quantization_config"]["quant_method"], "mxfp4");
    assert!(again.tensors().unwrap() == loaded.tensors().unwrap());
    let tokens = Array::new(&[1i32, 5, 2, 9], &[1, 4]);
    assert!(distance(&logits(&again.model, &tokens), &logits(&loaded.model, &tokens)) < 1e-5);
    for rules in
        ["mxfp4", "int4:16, blocks.*.mlp.{gate_up,down}=mxfp4", "nf4:16, blocks.*.mlp.{gate_up,down}=mxfp4"]
    {
        let rules: QuantizeRules = rules.parse().unwrap();
        let error = numbers.check_rules(&rules).unwrap_err().to_string();
        let said = format!("{stacks} stacks of experts are mxfp4 beside {} matrices in few bits", 2 * stacks);
        assert!(error.contains(&said), "{error}");
        assert!(error.contains("`blocks.*.mlp.{gate_up,down}=mxfp4, **=leave`"), "{error}");
    }
}

/// The base of adapters holds in few bits what the rule of that scheme takes: experts too, and no routers.
#[test]
fn adapters_lie_on_the_weights_in_few_bits_that_the_rule_of_the_scheme_makes() {
    for from in ["llama", "mixtral", "qwen2_moe"] {
        let folder = family(from);
        let config = serde_json::from_slice(&std::fs::read(folder.join("config.json")).unwrap()).unwrap();
        let base = Some(Base::of(&folder).unwrap());
        let lora = LoraSpec {
            rank: 2,
            alpha: 4.0,
            targets: vec!["v".to_owned()],
            quantize: Some("int8".to_owned()),
        };
        let spec = ModelSpec { config, dtype: DType::F32, dropout: 0.0, base, lora: Some(lora) };
        let held = |model: &Decoder| -> Vec<String> {
            let all = parts::<_, Variable>(model, ..).into_iter();
            let held = all.filter(|(_, weight)| match weight.value::<Lora>() {
                Some(lora) => lora.base.value::<QuantizedTensor>().is_some(),
                None => weight.value::<QuantizedTensor>().is_some(),
            });
            let mut paths: Vec<String> = held.map(|(path, _)| path.replace(".base", "")).collect();
            paths.sort();
            paths.dedup();
            paths
        };
        let mut wanted = Pretrained::load(&folder, Some(DType::F32)).unwrap().model;
        "int8".parse::<QuantizeRules>().unwrap().apply(&mut wanted).unwrap();
        assert_eq!(held(&spec.start(&Key::new(0)).unwrap()), held(&wanted), "{from}");
        assert_eq!(held(&spec.shapes().unwrap()), held(&wanted), "{from}, shapes");
    }
}

/// A model that is quantized while it is read is the model that is quantized afterwards, and the one that is written and read again.
#[test]
fn rules_quantize_while_weights_are_read() {
    for (from, rules, count) in [
        ("llama", "int8", 14),
        ("llama", "int8, blocks.*.attention.{q,k}=leave, head=uint8", 11),
        ("phi3", "int4:4\nblocks.*.mlp.down = w8a8 # of its own".split(" #").next().unwrap(), 14),
        ("gpt_neox", "uint4:4", 12),
        ("mixtral", "int4:4", 12),
        ("qwen3_moe", "nf4:8", 12),
        ("qwen2_moe", "fp8, **.router=fp8", 20),
        ("deepseek_v3", "int8:channel", 25),
        ("gpt_neox_tied", "int8", 12),
        // Its files have the inputs first.
        ("gpt2", "int4:4", 12),
        ("gpt2", "int8:tensor", 12),
        ("gpt2", "nf4:8", 12),
        ("gpt2", "w8a8", 12),
    ] {
        let rules: QuantizeRules = rules.parse().unwrap();
        let how = LoadAs { quantize: Some(rules.clone()), ..LoadAs::default() };
        let loaded = Pretrained::load_as(family(from), &how).unwrap_or_else(|e| panic!("{from}: {e}"));
        let all = packed(&loaded.model);
        assert_eq!(all.len(), count, "{from}: {:?}", all.iter().map(|(path, _)| path).collect::<Vec<_>>());
        let mut applied = Pretrained::load(family(from), None).unwrap();
        rules.apply(&mut applied.model).unwrap();
        let bytes = |model: &Decoder| -> Vec<Vec<u8>> {
            model.leaves().into_iter().map(|x: &Array| x.to_literal().unwrap().bytes().to_vec()).collect()
        };
        assert!(bytes(&loaded.model) == bytes(&applied.model), "{from}");
        let copy = tempfile::tempdir().unwrap();
        loaded.save(copy.path()).unwrap_or_else(|e| panic!("{from}: {e}"));
        let again = Pretrained::load(copy.path(), None).unwrap();
        let tokens = Array::new(&[1i32, 5, 2, 9], &[1, 4]);
        let off = distance(&logits(&again.model, &tokens), &logits(&loaded.model, &tokens));
        assert!(off < 1e-5, "{from}: {off}");
        // Others look for every module in few bits that is not said to be as it is: the output layer of tied embeddings, too.
        let said = &again.json["quantization_config"];
        let others = if rules.to_string().starts_with("nf4") { "llm_int8_skip_modules" } else { "ignore" };
        let tied = match from {
            "gpt2" => Some("lm_head"),
            "gpt_neox_tied" => Some("embed_out"),
            _ => None,
        };
        let is_said = |tied| said[others].as_array().unwrap().iter().any(|name| name == tied);
        assert!(tied.is_none_or(is_said), "{from}: {said}");
        // As numbers, too, which multiply what is not rounded.
        if !rules.to_string().contains("w8a8") {
            let wide = Pretrained::load(copy.path(), Some(DType::F32)).unwrap();
            let off = distance(&logits(&wide.model, &tokens), &logits(&loaded.model, &tokens));
            assert!(off < 1e-4, "{from} as numbers: {off}");
        }
        let plain = Pretrained::load(family(from), None).unwrap();
        let off = distance(&logits(&loaded.model, &tokens), &logits(&plain.model, &tokens));
        assert!(off > 1e-5 && off < 0.7, "{from}: {off}");
    }
}

/// What cannot be written is known before a weight is quantized: what is said then is what writing says.
#[test]
fn what_cannot_be_written_is_known_before() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let mut refused = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let from = entry.unwrap().path();
        let from = from.as_path();
        let plain = Pretrained::load(from, Some(DType::F32)).unwrap();
        for rules in ["int8", "nf4:2", "int8, blocks.*.attention.q=leave", "nf4:2, blocks.0=int8"] {
            let rules: QuantizeRules = rules.parse().unwrap();
            let Err(planned) = rules.plan(&plain.model).map(|_| ()).and_then(|()| plain.check_rules(&rules))
            else {
                let mut few = plain.clone();
                rules.apply(&mut few.model).unwrap();
                let copy = tempfile::tempdir().unwrap();
                few.save(copy.path()).unwrap_or_else(|e| panic!("{} by {rules}: {e}", name(from)));
                continue;
            };
            if rules.plan(&plain.model).is_err() {
                continue;
            }
            refused.insert(name(from).to_owned());
            let mut few = plain.clone();
            rules.apply(&mut few.model).unwrap();
            let late = few.save(tempfile::tempdir().unwrap().path()).unwrap_err();
            assert_eq!(planned.to_string(), late.to_string(), "{} by {rules}", name(from));
        }
    }
    assert!(
        refused.contains("gpt_oss") && refused.contains("gpt2") && refused.contains("llama"),
        "{refused:?}"
    );
    let error = Pretrained::load(family("gpt_oss_plain"), Some(DType::F32)).unwrap();
    let error = error.check_rules(&"int8".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("is a stack of matrices") && error.contains("`blocks.*.mlp"), "{error}");
}

/// The embeddings of a model may be its output layer: rules that name that are refused, or leave it.
#[test]
fn rules_name_no_output_layer_that_is_not_there() {
    for from in ["llama_tied", "gpt2"] {
        let plain = Pretrained::load(family(from), None).unwrap();
        for (rules, refused) in [
            ("int8, head=int8", true),
            ("int8, head.weight=int4:4", true),
            ("{blocks,head}.**=int8", true),
            ("int8, head=leave", false),
            ("**=int8", false),
        ] {
            let parsed: QuantizeRules = rules.parse().unwrap();
            let how = LoadAs { quantize: Some(parsed.clone()), ..LoadAs::default() };
            for said in [parsed.plan(&plain.model).err(), Pretrained::load_as(family(from), &how).err()] {
                let said = said.map(|e| e.to_string());
                assert_eq!(said.is_some(), refused, "{from}, {rules}: {said:?}");
                assert!(said.is_none_or(|e| e.contains("tied embeddings") && e.contains("`head=leave`")));
            }
        }
    }
}

/// Numbers as they are stay in the mapped file; of a model that is quantized while it is read, or converted, no file is needed any more.
#[test]
#[cfg(target_os = "linux")]
fn what_is_quantized_while_it_is_read_needs_no_file() {
    let folder = tempfile::tempdir().unwrap();
    Pretrained::random(Pretrained::preset("test-llama").unwrap(), &Key::new(0))
        .unwrap()
        .save(folder.path())
        .unwrap();
    let file = folder.path().join("model.safetensors").display().to_string();
    let is_mapped = || std::fs::read_to_string("/proc/self/maps").unwrap().contains(&file);
    for (how, mapped) in [
        (LoadAs::default(), true),
        (LoadAs { quantize: Some("int8".parse().unwrap()), ..LoadAs::default() }, false),
        (LoadAs { quantize: Some("head=int8".parse().unwrap()), ..LoadAs::default() }, false),
        (LoadAs { dtype: Some(DType::BF16), ..LoadAs::default() }, false),
    ] {
        let loaded = Pretrained::load_as(folder.path(), &how).unwrap();
        assert_eq!(is_mapped(), mapped, "{how:?}");
        drop(loaded);
        assert!(!is_mapped());
    }
}

#[test]
fn rules_that_are_wrong_are_refused_in_words() {
    for (rules, message) in [
        ("", "there is no rule"),
        ("int3", "there is no scheme of quantization `int3`"),
        ("int4:0", "0 is no size of groups"),
        ("mxfp4:64", "the groups of mxfp4 are its own"),
        ("blocks.{0=int8", "braces that are no pair"),
        ("head=int9", "in the rule `head=int9`"),
    ] {
        let error = rules.parse::<QuantizeRules>().unwrap_err().to_string();
        assert!(error.contains(message), "{rules}: {error}");
    }
    for (rules, message) in [
        ("blocks.7.**=int8", "no weight at `blocks.7.**`"),
        ("embed=int8", "embeddings, normalizations and biases stay as they are"),
        ("int4", "blocks.0.attention.q cannot be int4"),
        ("int4:4, blocks.1.mlp.down=int4:3", "blocks.1.mlp.down cannot be int4:3"),
    ] {
        let how = LoadAs { quantize: Some(rules.parse().unwrap()), ..LoadAs::default() };
        let error = Pretrained::load_as(family("llama"), &how).unwrap_err().to_string();
        assert!(error.contains(message), "{rules}: {error}");
    }
    let rules: QuantizeRules =
        "int4:64, blocks.*.{attention,mlp}.**=leave, head=int8:channel".parse().unwrap();
    let shown = rules.to_string();
    assert_eq!(shown, "int4:64, blocks.*.{attention,mlp}.**=leave, head=int8");
    assert_eq!(shown.parse::<QuantizeRules>().unwrap().to_string(), shown);
    // One matrix of a file has one scheme.
    let rules: QuantizeRules = "int8, blocks.*.attention.q=int4:4".parse().unwrap();
    let how = LoadAs { quantize: Some(rules), ..LoadAs::default() };
    let mixed = Pretrained::load_as(family("phi3"), &how).unwrap();
    let error = mixed.save(tempfile::tempdir().unwrap().path()).unwrap_err().to_string();
    assert!(error.contains("qkv_proj.weight is one matrix of the file"), "{error}");
}

/// Activations of 8 bits are rounded row by row: a row has the bits that it has alone.
#[test]
fn activations_of_eight_bits_are_those_of_their_rows() {
    let how = LoadAs { quantize: Some(Scheme::W8A8.into()), ..LoadAs::default() };
    let model = Pretrained::load_as(family("llama"), &how).unwrap().model;
    let layer = &parts::<_, Linear>(&model, "blocks.0.mlp.up")[0].1;
    assert_eq!(layer.weight.value::<QuantizedTensor>().unwrap().scheme.activations, Activations::Int8);
    let x = Key::new(0).normal(&[5, 16]);
    let all = layer.forward(&x);
    for row in 0..5 {
        let alone = layer.forward(&x.slice(0, row..row + 1));
        assert_eq!(alone.to_vec::<f32>().unwrap(), all.slice(0, row..row + 1).to_vec::<f32>().unwrap());
    }
}

/// What is calibrated by a text is nearer to the model there than what is rounded, and factors that are folded into what comes before change nothing else.
#[test]
fn calibrated_models_are_nearer() {
    let config = DecoderConfig { vocabulary: 64, ..DecoderConfig::named("test-llama").unwrap() };
    let model = Decoder::new(&config, &Key::new(1)).map_leaves(|x: &Array| x * 2.0);
    let text = Array::new(&(0..16 * 24).map(|i| (i * i * 7 + i) % 64).collect::<Vec<i32>>(), &[16, 24]);
    let wanted = logits(&model, &text);
    let power = wanted.square().mean(..);
    let off = |model: &Decoder| {
        ((logits(model, &text) - &wanted).square().mean(..) / &power).sqrt().item::<f32>().unwrap()
    };
    let rules: QuantizeRules = "int4:16, head=int8".parse().unwrap();
    let mut rounded = model.clone();
    rules.apply(&mut rounded).unwrap();
    let rounded = off(&rounded);
    for (by, bound) in [
        (Calibrator::Gptq(GptqOptions::default()), 0.97),
        (Calibrator::Gptq(GptqOptions { order: true, ..GptqOptions::default() }), 1.1),
        (Calibrator::Awq, 1.1),
    ] {
        let mut calibrated = model.clone();
        let mut told = Vec::new();
        let done = calibrated.calibrate(&rules, by, &text, &mut |block| told.push(block)).unwrap();
        assert_eq!((done.by_text, &done.by_rounding[..]), (14, &["head.weight".to_owned()][..]));
        assert_eq!(told, [0, 1]);
        let off = off(&calibrated);
        assert!(off < bound * rounded, "{by:?}: {off} for {rounded}");
    }
    // With eight bits what was folded is what is seen.
    let rules: QuantizeRules = "int8, blocks.*.attention.k=leave".parse().unwrap();
    let mut fine = model.clone();
    let done = fine.calibrate(&rules, Calibrator::Awq, &text, &mut |_| {}).unwrap();
    assert_eq!(done.by_text, 12);
    assert!(off(&fine) < 0.03, "{}", off(&fine));
    let again = fine.calibrate(&rules, Calibrator::Awq, &text, &mut |_| {}).unwrap_err().to_string();
    assert!(again.contains("is in few bits already"), "{again}");
    let borrowed = Pretrained::load(family("gemma4"), Some(DType::F32)).unwrap();
    let mut borrowed = borrowed.model;
    let error = borrowed.calibrate(&Scheme::INT8.into(), Calibrator::Awq, &text, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("are not calibrated one by one"), "{error}");
    // Experts have no text of their own.
    let mixture = Pretrained::load(family("qwen2_moe"), Some(DType::F32)).unwrap();
    let mut mixture = mixture.model;
    let done = mixture.calibrate(
        &"int4:4".parse().unwrap(),
        Calibrator::Gptq(GptqOptions::default()),
        &(&text % 24),
        &mut |_| {},
    );
    let done = done.unwrap();
    assert_eq!(done.by_text, 14);
    assert_eq!(done.by_rounding.len(), 4);
    assert!(done.by_rounding.iter().all(|path| path.contains(".mlp.gate_up") || path.contains(".mlp.down")));
}

/// Factors go into normalizations and maps that add something, too.
#[test]
fn factors_divide_what_is_added() {
    let model = Pretrained::load(family("gpt2"), Some(DType::F32)).unwrap().model;
    let text = Array::new(&(0..8 * 24).map(|i| (i * i * 7 + i) % 24).collect::<Vec<i32>>(), &[8, 24]);
    // The same function, in which two channels are much larger where maps read them.
    let much = Array::new(&(0..16).map(|i| if i < 2 { 48.0f32 } else { 1.0 }).collect::<Vec<f32>>(), &[16]);
    let mut uneven = model.clone();
    edit(&mut uneven, "blocks.*.*_norm", |_, norm: &mut LayerNorm| {
        for held in [&mut norm.scale, &mut norm.bias].into_iter().flatten() {
            // Biases of a new model are zeros.
            *held = held.replaced((held.get() + 0.5f32) * &much);
        }
    });
    for map in ["attention.q", "attention.k", "attention.v", "mlp.up"] {
        edit(&mut uneven, format!("blocks.*.{map}").as_str(), |_, map: &mut Linear| {
            map.weight = map.weight.replaced(map.weight.get() * 4.0f32 / much.expand_dims(1));
            map.bias = map.bias.as_ref().map(|bias| bias.replaced(bias.get() + 0.25f32));
        });
    }
    let wanted = logits(&uneven, &text);
    let power = wanted.square().mean(..);
    let off = |rules: &str, by: Option<Calibrator>| {
        let (mut model, rules) = (uneven.clone(), rules.parse::<QuantizeRules>().unwrap());
        match by {
            Some(by) => drop(model.calibrate(&rules, by, &text, &mut |_| {}).unwrap()),
            None => rules.apply(&mut model).unwrap(),
        }
        ((logits(&model, &text) - &wanted).square().mean(..) / &power).sqrt().item::<f32>().unwrap()
    };
    let (rounded, by_text) = (off("int4:16", None), off("int4:16", Some(Calibrator::Awq)));
    assert!(by_text < 0.7 * rounded, "{by_text} for {rounded}");
    // What is folded is made up for.
    let rules = "blocks.*.attention.q=int8, blocks.*.mlp.up=int8, blocks.*.attention.out=int8";
    let (rounded, fine) = (off(rules, None), off(rules, Some(Calibrator::Awq)));
    assert!(fine < rounded.min(0.03), "{fine} for {rounded}");
}

/// Zero points of a file that are none of codes of four bits, or that are not there for all, are refused where they are read.
#[test]
fn zero_points_that_no_code_has_are_refused() {
    let source = folder("ct_int4_asym");
    let read = |name: &str, zeros: Array| {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(source.join("config.json"), copy.path().join("config.json")).unwrap();
        let file = Tensors::open(source.join("model.safetensors")).unwrap();
        let all = file.iter().map(|tensor| match tensor.name() == name {
            true => (name.to_owned(), zeros.to_literal().unwrap()),
            false => (tensor.name().to_owned(), tensor.literal().unwrap()),
        });
        let all: Vec<(String, Literal)> = all.collect();
        let tensors: Vec<Tensor<'_>> = all.iter().map(|(name, literal)| Tensor::of(name, literal)).collect();
        save_file(&copy.path().join("model.safetensors"), &tensors, &Default::default()).unwrap();
        Pretrained::load(copy.path(), None).map(drop).map_err(|error| error.to_string())
    };
    let name = "model.layers.0.mlp.up_proj.weight_zero_point";
    let with = |last: i32| {
        let zeros = Array::zeros(&[96, 4]).astype(DType::I32);
        let at = (Array::arange(96 * 4).reshape(&[96, 4]).eq(383)).astype(DType::I32);
        (zeros + at * last).astype(DType::I8)
    };
    for fits in [with(-8), with(8), Array::full(&[1], -3, DType::I8)] {
        assert_eq!(read(name, fits), Ok(()));
    }
    for beyond in [with(9), with(-9), with(127), Array::full(&[1], 100, DType::I8)] {
        let error = read(name, beyond).unwrap_err();
        assert!(error.contains("up_proj.weight") && error.contains("no code of 4 bits"), "{error}");
    }
    let error = read(name, Array::zeros(&[3]).astype(DType::I8)).unwrap_err();
    assert!(error.contains("up_proj.weight"), "{error}");
}

/// However weights are quantized, one with an infinity or a NaN is named by its path before anything is computed.
#[test]
fn weights_that_are_no_numbers_are_named() {
    let json = Pretrained::preset("test-llama").unwrap();
    for (path, factor) in
        [("blocks.0.attention.q.weight", f32::INFINITY), ("blocks.1.mlp.down.weight", f32::NAN)]
    {
        let whole = Pretrained::random(json.clone(), &Key::new(0)).unwrap();
        let wrong = whole.model.try_map_with_paths(|known, array: &Array| {
            Ok(if known == path { array * factor } else { array.clone() })
        });
        let pretrained = whole.with(wrong.unwrap());
        let rules: QuantizeRules = "int4:16".parse().unwrap();
        let text = Array::new(&[1i32, 2, 3, 4, 5, 6, 7, 8], &[2, 4]);
        let calibrated = |by| pretrained.model.clone().calibrate(&rules, by, &text, &mut |_| {}).map(drop);
        for error in [
            pretrained.check_rules(&rules),
            rules.apply(&mut pretrained.model.clone()),
            calibrated(Calibrator::Awq),
            calibrated(Calibrator::Gptq(GptqOptions::default())),
        ] {
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with(&format!("{path} has infinities or NaNs")), "{error}");
        }
        let place = path.strip_suffix(".weight").unwrap();
        let rules: QuantizeRules = format!("{place}=leave, int4:16").parse().unwrap();
        pretrained.check_rules(&rules).unwrap();
    }
}
