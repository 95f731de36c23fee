//! Parameters that are read when they are needed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, Type};
use jarrah_models::{LoadAs, Pretrained};

fn below(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut all: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// The leaves of what is read at once and of what is read later, and how many of these have no data at first.
fn check(path: &Path, how: &LoadAs) -> usize {
    let what = format!("{} as {how:?}", path.display());
    let whole = Pretrained::load_as(path, how).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (later, deferred) = Pretrained::load_deferred(path, how).unwrap();
    assert_eq!(later.json, whole.json, "{what}");
    let types = |model: &Pretrained| -> Vec<(String, Type)> {
        let leaves: Vec<(String, &Array)> = model.model.leaves_with_paths();
        leaves.into_iter().map(|(path, array)| (path, array.ty())).collect()
    };
    assert_eq!(types(&later), types(&whole), "{what}");
    let filled = deferred.fill(&later.model).unwrap();
    assert_eq!(filled.structure(), whole.model.structure(), "{what}");
    let leaves: Vec<(String, &Array)> = whole.model.leaves_with_paths();
    let mut count = 0;
    for ((path, array), filled) in leaves.into_iter().zip(TreeExt::<Array>::leaves(&filled)) {
        assert!(array.to_literal().unwrap() == filled.to_literal().unwrap(), "{what}: {path}");
        count += usize::from(deferred.read(&path).is_ok());
    }
    count
}

#[test]
fn what_is_read_later_is_what_is_read_at_once() {
    let as_is = LoadAs { packed: true, ..LoadAs::default() };
    let (mut plain, mut gpt2) = (0, 0);
    for folder in below("families") {
        let count = check(&folder, &as_is);
        match folder.file_name().unwrap().to_str().unwrap() {
            "llama" => assert_eq!(count, 0),
            "gpt2" => gpt2 = count,
            _ => plain += usize::from(count == 0),
        }
    }
    // Its matrices lie the other way, and three are one; those of most families are as they are wanted.
    assert_eq!(gpt2, 2 * (2 * 3 + 3));
    assert!(plain > 20, "{plain}");
    for folder in below("packed") {
        check(&folder, &as_is);
        check(&folder, &LoadAs::default());
    }
    let mut blocks = 0;
    for file in below("gguf").into_iter().filter(|path| path.extension().is_some_and(|end| end == "gguf")) {
        // One of a tokenizer alone has no weights.
        if Pretrained::load(&file, None).is_ok() {
            blocks += check(&file, &as_is);
        }
    }
    assert!(blocks > 10, "{blocks}");
    for rules in ["int8", "int4:16, head=int8", "nf4:16", "blocks.0.**=leave, mxfp4"] {
        for name in ["gpt2", "llama", "mixtral", "qwen3_moe"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name);
            for dtype in [None, Some(DType::BF16)] {
                let how = LoadAs { dtype, packed: true, quantize: Some(rules.parse().unwrap()) };
                if Pretrained::load_as(&folder, &how).is_ok() {
                    assert!(check(&folder, &how) > 10, "{name} {rules}");
                }
            }
        }
    }
}

#[test]
fn parameters_have_one_identity_as_long_as_all_stays_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/llama");
    let place = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, place.path().join(path.file_name().unwrap())).unwrap();
    }
    let plain = LoadAs::default();
    let of = |how: &LoadAs| Pretrained::load_deferred(place.path(), how).unwrap().1.identity();
    // What was written a moment ago may be written again at the same time.
    assert_eq!(of(&plain), None);
    std::thread::sleep(Duration::from_millis(2100));
    let first = of(&plain).unwrap();
    assert_eq!(of(&plain), Some(first));
    let narrow = of(&LoadAs { dtype: Some(DType::BF16), ..plain.clone() }).unwrap();
    let few = |rules: &str| of(&LoadAs { quantize: Some(rules.parse().unwrap()), ..plain.clone() }).unwrap();
    let mut all = vec![first, narrow, few("int8"), few("fp8"), few("int8, head=fp8")];
    // Another content of the same length, at the time of the first.
    let file = place.path().join("model.safetensors");
    let modified = file.metadata().unwrap().modified().unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    std::fs::File::options().append(true).open(&file).unwrap().set_modified(modified).unwrap();
    std::thread::sleep(Duration::from_millis(2100));
    all.push(of(&plain).unwrap());
    let config = place.path().join("config.json");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replacen('{', "{\"other\": 1,", 1)).unwrap();
    all.push(of(&plain).unwrap());
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

/// What is wrong with the numbers of a weight is the error of who reads it.
#[test]
fn a_weight_in_few_bits_already_is_refused_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packed/ct_int4");
    let how = LoadAs { packed: true, quantize: Some("int8".parse().unwrap()), ..LoadAs::default() };
    let error = Pretrained::load_deferred(&folder, &how).unwrap_err();
    assert!(error.to_string().contains("is in few bits already"), "{error}");
    let model = Pretrained::random(Pretrained::preset("test-llama").unwrap(), &Key::new(0)).unwrap();
    let llama = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/llama");
    let (_, deferred) = Pretrained::load_deferred(&llama, &LoadAs::default()).unwrap();
    let (path, _): (String, &Array) = model.model.leaves_with_paths().swap_remove(0);
    assert!(deferred.read(&path).is_err());
}
