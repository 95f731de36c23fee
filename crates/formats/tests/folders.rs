use std::fs;

use jarrah_base::{DType, ErrorKind, Literal};
use jarrah_formats::{
    Adapter, Folder, LowRankChange, SaveOptions, Tensor, Tensors, lora_config, save_adapter,
};

use super::{golden, open};

#[test]
fn a_folder_is_written_as_it_was() {
    let from = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(golden("llama")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, from.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::create_dir(from.path().join("additional_chat_templates")).unwrap();
    let others =
        ["tokenizer.json", "tokenizer.model", "qwen.tiktoken", "additional_chat_templates/rag.jinja"];
    for name in others {
        fs::write(from.path().join(name), format!("{name}\r\n\u{0}")).unwrap();
    }
    fs::write(from.path().join("optimizer.pt"), "no file of the model").unwrap();
    let folder = Folder::open(from.path()).unwrap();
    assert_eq!(folder.config()["hidden_size"], 16);
    assert_eq!(folder.generation_config().unwrap()["eos_token_id"], 2);
    assert_eq!(folder.files().count(), 6);
    let tensors = folder.tensors().unwrap();
    let all: Vec<Tensor<'_>> = tensors.iter().collect();
    let to = tempfile::tempdir().unwrap();
    folder.write(&to.path().join("model"), &all, &SaveOptions::default()).unwrap();
    for name in folder.files() {
        assert_eq!(
            fs::read(from.path().join(name)).unwrap(),
            fs::read(to.path().join("model").join(name)).unwrap()
        );
    }
    let written = Tensors::open(to.path().join("model")).unwrap();
    assert_eq!(written.len(), tensors.len());
    for tensor in tensors.iter() {
        let other = written.get(tensor.name()).unwrap();
        assert_eq!((tensor.to_string(), tensor.stored()), (other.to_string(), other.stored()));
    }
    assert!(!to.path().join("model/optimizer.pt").exists());
}

#[test]
fn a_changed_configuration_is_written() {
    let mut folder = Folder::open(golden("llama")).unwrap();
    let mut config = folder.config().clone();
    config["dtype"] = "float32".into();
    folder.set_config(config).unwrap();
    assert_eq!(folder.set_config(3.into()).unwrap_err().message(), "config.json is no object of JSON");
    let to = tempfile::tempdir().unwrap();
    let tensors = folder.tensors().unwrap();
    let all: Vec<Tensor<'_>> = tensors.iter().map(|tensor| tensor.to(DType::F32).unwrap()).collect();
    folder.write(to.path(), &all, &SaveOptions::default()).unwrap();
    let again = Folder::open(to.path()).unwrap();
    assert_eq!(
        (again.config()["dtype"].as_str(), again.config()["vocab_size"].as_u64()),
        (Some("float32"), Some(48))
    );
    assert_eq!(
        again.tensors().unwrap().get("model.norm.weight").unwrap().to_string(),
        "model.norm.weight f32[16]"
    );
}

#[test]
fn folders_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = |folder: &tempfile::TempDir| {
        let e = Folder::open(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input);
        e.to_string()
    };
    assert!(said(&folder).contains("has no config.json"));
    fs::create_dir(folder.path().join("checkpoints")).unwrap();
    assert!(said(&folder).contains("help: it is a run: `jarrah model convert "));
    fs::write(folder.path().join("config.json"), "[]").unwrap();
    assert!(said(&folder).contains("is no object of JSON"));
    fs::write(folder.path().join("config.json"), "{").unwrap();
    assert!(said(&folder).contains("is not JSON"));
    fs::remove_file(folder.path().join("config.json")).unwrap();
    fs::create_dir(folder.path().join("config.json")).unwrap();
    assert!(said(&folder).contains("config.json has"));
}

/// `scale B A` is what PEFT adds to a weight: with one rank for all, and with ranks and scales of their own.
#[test]
fn changes_of_adapters_are_those_of_peft() {
    let wanted = open("changes.safetensors");
    let mut count = 0;
    for name in ["lora", "ranks"] {
        let adapter = Adapter::open(&golden(name)).unwrap();
        for LowRankChange { module, a, b, scale } in adapter.low_rank().unwrap() {
            let wanted = wanted.get(&format!("{name}/{module}")).unwrap().literal().unwrap();
            let (inputs, rank) = (a.dims()[1], a.dims()[0]);
            let (a, b) = (a.literal().unwrap().to_f64_vec(), b.literal().unwrap().to_f64_vec());
            for (i, wanted) in wanted.to_f64_vec().into_iter().enumerate() {
                let (row, column) = (i / inputs, i % inputs);
                let sum: f64 = (0..rank).map(|k| b[row * rank + k] * a[k * inputs + column]).sum();
                assert!((scale * sum - wanted).abs() < 1e-5, "{name} {module}: {} and {wanted}", scale * sum);
            }
            count += 1;
        }
        let replaced: Vec<String> = adapter.replaced().map(|tensor| tensor.to_string()).collect();
        assert_eq!(replaced, if name == "ranks" { vec!["lm_head.weight bf16[48, 16]"] } else { Vec::new() });
    }
    assert_eq!(count, 8);
}

#[test]
fn adapters_written_again_have_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["lora", "ranks"] {
        let adapter = Adapter::open(&golden(name)).unwrap();
        let replaced: Vec<Tensor<'_>> = adapter.replaced().collect();
        save_adapter(folder.path(), adapter.config(), &adapter.low_rank().unwrap(), &replaced).unwrap();
        let weights = |path: std::path::PathBuf| fs::read(path.join("adapter_model.safetensors")).unwrap();
        assert!(weights(folder.path().into()) == weights(golden(name)));
        assert_eq!(Adapter::open(folder.path()).unwrap().config(), adapter.config());
    }
}

#[test]
fn adapters_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = |folder: &tempfile::TempDir| {
        let adapter = Adapter::open(folder.path());
        let e = adapter.and_then(|adapter| adapter.low_rank().map(|_| ())).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input);
        e.to_string()
    };
    assert!(said(&folder).contains("cannot read"));
    let [a, b] = [[2, 4], [3, 2]]
        .map(|dims: [usize; 2]| Literal::full(jarrah_base::Type::tensor(DType::F32, dims), 1.0).unwrap());
    let change = |a| LowRankChange { module: "m".into(), a, b: Tensor::of("", &b), scale: 1.0 };
    let config = lora_config(Some("base"), 2, 3.5, &["m"]);
    let e = save_adapter(folder.path(), &config, &[change(Tensor::of("", &b))], &[]).unwrap_err().to_string();
    assert!(e.contains("the factors of m do not fit: [3, 2] and [3, 2]"), "{e}");
    save_adapter(folder.path(), &config, &[change(Tensor::of("", &a))], &[]).unwrap();
    assert_eq!(Adapter::open(folder.path()).unwrap().low_rank().unwrap()[0].scale, 1.75);
    let write = |config: &str| fs::write(folder.path().join("adapter_config.json"), config).unwrap();
    write(r#"{"peft_type": "IA3"}"#);
    assert!(said(&folder).contains("of the kind IA3"));
    write(r#"{"peft_type": "LORA"}"#);
    assert!(said(&folder).contains("lora_alpha is no number"));
    write(r#"{"peft_type": "LORA", "lora_alpha": 1, "alpha_pattern": {"a.*b": 2}}"#);
    assert!(said(&folder).contains(r#"alpha_pattern has the pattern "a.*b""#));
    let lone = [Tensor::of("base_model.model.m.lora_A.weight", &a)];
    jarrah_formats::save_file(&folder.path().join("adapter_model.safetensors"), &lone, &Default::default())
        .unwrap();
    assert!(said(&folder).contains("is there, and no base_model.model.m.lora_B.weight"));
    // What PEFT would add beside the factors: left out, it would give other numbers.
    for name in ["m.lora_magnitude_vector", "m.lora_B.bias", "m.lora_embedding_A"] {
        let full = format!("base_model.model.{name}");
        let beside = [Tensor::of(&full, &a)];
        jarrah_formats::save_file(
            &folder.path().join("adapter_model.safetensors"),
            &beside,
            &Default::default(),
        )
        .unwrap();
        assert!(said(&folder).contains(&format!("{name} is no factor of a weight's change")), "{name}");
    }
    write(r#"{"peft_type": "LORA", "lora_alpha": 1, "init_lora_weights": "pissa_niter_4"}"#);
    assert!(said(&folder).contains("init_lora_weights=\"pissa_niter_4\""));
    write(r#"{"peft_type": "LORA", "lora_alpha": 1, "alora_invocation_tokens": [1]}"#);
    assert!(said(&folder).contains("alora_invocation_tokens"));
}
