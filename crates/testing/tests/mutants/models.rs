use std::mem::discriminant;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_formats::{GgufField, GgufFields, GgufStore, Tensor, Tensors, save_gguf};
use jarrah_models::{ModelFamily, Pretrained, PretrainedModel};
use jarrah_nn::Layer;
use jarrah_serve::{Engine, EngineOptions, LoadOptions, Served};
use serde_json::json;

use super::*;

/// The folders of models of all kinds.
fn folders() -> Vec<PathBuf> {
    let roots =
        ["families", "encoders", "whole", "mtp"].map(|name| files_of(&format!("models/tests/{name}")));
    let mut all: Vec<PathBuf> = roots
        .iter()
        .flat_map(|root| fs::read_dir(root).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    all.push(files_of("models/tests/fp8"));
    all.sort();
    all
}

/// The model without numbers, and that of the weights, which the file describes no longer, or still.
#[test]
fn damaged_configs_do_no_harm() {
    alone_within("mutants::models::damaged_configs_do_no_harm", Some(SPACE), || {
        let folders = folders();
        let place = Place::new();
        trial(1000, |number, random| {
            let folder = &folders[number % folders.len()];
            let mut json = json_of(folder.join("config.json").to_str().unwrap());
            change(&mut json, random);
            let text = text_of(&json, random);
            let shapes = match PretrainedModel::<Layer>::shapes(&ModelFamily::text(json)) {
                // Whoever loads the model names the file.
                Err(error) => judged(Err(error), ""),
                Ok(_) => Ok("read"),
            }?;
            if number % 4 != 0 {
                return Ok(shapes);
            }
            place.fill(folder);
            place.write("config.json", &text);
            judged(
                PretrainedModel::<Layer>::load(place.path(), None).map(drop),
                place.path().to_str().unwrap(),
            )
        });
    });
}

/// The fields of GGUF files, of the model and of its tokenizer.
#[test]
fn damaged_fields_of_gguf_do_no_harm() {
    alone_within("mutants::models::damaged_fields_of_gguf_do_no_harm", Some(SPACE), || {
        let mut files: Vec<PathBuf> =
            fs::read_dir(files_of("models/tests/gguf")).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "gguf"));
        files.sort();
        let (place, loads) = (Place::new(), |path: &Path| Pretrained::load(path, None).is_ok());
        files.retain(|path| loads(path));
        trial(600, |number, random| {
            let tensors = Tensors::open(&files[number % files.len()]).unwrap();
            let mut fields = tensors.fields().clone();
            for _ in 0..=random.below(3) / 2 {
                field(&mut fields, random);
            }
            let path = place.path().join("model.gguf");
            let all: Vec<Tensor<'_>> = tensors.iter().collect();
            if save_gguf(&path, &fields, &all, GgufStore::AsIs).is_err() {
                return Ok("not written");
            }
            let loaded = Pretrained::load(&path, None).and_then(|model| match &model.folder {
                Some(folder)
                    if folder.file("tokenizer.json").is_some()
                        || folder.file("tokenizer.model").is_some() =>
                {
                    let tokenizer = jarrah_tokenizer::Tokenizer::from_files(|name| folder.file(name))?;
                    tokenizer.decode(&tokenizer.encode_prompt("<s> Hello, the dog's")?, true).map(drop)
                }
                _ => Ok(()),
            });
            judged(loaded, "")
        });
    });
}

/// Changes a field, or which there are.
fn field(fields: &mut GgufFields, random: &mut Random) {
    let at = random.below(fields.0.len());
    let other = fields.0[random.below(fields.0.len())].1.clone();
    match random.below(8) {
        0 => drop(fields.0.remove(at)),
        1 => fields.0[at].1 = other,
        2 => fields.0[at].0.push('x'),
        3 => {
            if let GgufField::Array(_, items) = &mut fields.0[at].1 {
                let to = random.below(items.len() + 1);
                items.truncate(to);
            }
        }
        _ => {
            let values = [
                GgufField::U32(0),
                GgufField::U32(1),
                GgufField::U32(3),
                GgufField::U32(u32::MAX),
                GgufField::I32(-1),
                GgufField::U64(1 << 63),
                GgufField::U64(1 << 24),
                GgufField::F32(f32::NAN),
                GgufField::F32(-1e30),
                GgufField::F32(0.0),
                GgufField::Bool(true),
                GgufField::from(""),
                GgufField::from("a"),
                GgufField::Array(4, Vec::new()),
                GgufField::Array(4, vec![GgufField::U32(7); 4096]),
                GgufField::Array(8, vec![GgufField::from("a"); 500]),
            ];
            let value = random.one_of(&values).clone();
            match &mut fields.0[at].1 {
                GgufField::Array(_, items)
                    if items.first().is_some_and(|item| discriminant(item) == discriminant(&value)) =>
                {
                    let to = random.below(items.len());
                    items[to] = value;
                }
                whole => *whole = value,
            }
        }
    }
}

/// A folder with all that a generator reads, of whose small files one is damaged.
#[test]
fn damaged_folders_do_no_harm() {
    alone_within("mutants::models::damaged_folders_do_no_harm", Some(SPACE), || {
        let whole = Place::new();
        let config = json!({
            "model_type": "llama", "vocab_size": 600, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1,
            "num_attention_heads": 2, "max_position_embeddings": 16, "rms_norm_eps": 1e-5, "eos_token_id": 1,
        });
        Pretrained::random(config, &Key::new(0)).unwrap().save(whole.path()).unwrap();
        whole.write("tokenizer.json", &bytes_of("tokenizer/tests/golden/llama.json"));
        let start = |path: &std::path::Path| {
            let options =
                EngineOptions { warm: false, cache_bytes: Some(1 << 20), ..EngineOptions::default() };
            Engine::start(Served::load(path, &LoadOptions::default())?, options).map(drop)
        };
        start(whole.path()).unwrap();
        whole.write(
            "generation_config.json",
            br#"{"eos_token_id": [1, 2], "bos_token_id": 1, "temperature": 0.6}"#,
        );
        let place = Place::new();
        trial(400, |number, random| {
            place.fill(whole.path());
            let names = ["generation_config.json", "tokenizer.json", "config.json"];
            let name = names[number % names.len()];
            let mut json = json_of(whole.path().join(name).to_str().unwrap());
            change(&mut json, random);
            place.write(name, &text_of(&json, random));
            judged(start(place.path()), "")
        });
    });
}
