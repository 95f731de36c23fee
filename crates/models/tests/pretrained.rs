//! Families of models against transformers: see `oracle/hf_models.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::{Array, DType, Literal, jit, value_and_grad};
use jarrah_formats::Tensors;
use jarrah_models::{Decoder, ModelFamily, Pretrained};
use jarrah_nn::{Context, Module, Tokens, softmax_cross_entropy_with_integer_labels};

pub fn folders() -> Vec<PathBuf> {
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

/// Compares gradients by the names of the file's tensors with what is expected of them, a sum and a norm each, and says how many there are.
pub fn near_slopes(
    folder: &str,
    slope: &BTreeMap<String, Literal>,
    wanted: &BTreeMap<String, Array>,
) -> usize {
    let numbers = |x: &Array| x.to_vec::<f32>().unwrap();
    let grads = wanted.iter().filter_map(|(name, x)| Some((name.strip_prefix("grad.")?, numbers(x))));
    let grads: Vec<_> = grads.collect();
    let largest = grads.iter().map(|(_, x)| x[1]).fold(0.0f32, f32::max);
    for (theirs, wanted) in &grads {
        let found = slope.get(*theirs).unwrap_or_else(|| panic!("{folder}: {theirs}"));
        let (mut probe, mut norm) = (0.0, 0.0);
        for (i, x) in found.to_f64_vec().into_iter().enumerate() {
            probe += x * ((i + 1) as f64).cos();
            norm += x * x;
        }
        for (found, wanted) in [probe, norm.sqrt()].into_iter().zip(wanted) {
            let off = (found - f64::from(*wanted)).abs();
            assert!(off < 1e-4 * f64::from(largest), "{folder}: {theirs}: {found} for {wanted}");
        }
    }
    grads.len()
}

/// The largest difference over the largest number of the second.
pub fn distance(found: &Array, wanted: &Array) -> f64 {
    assert_eq!(found.shape(), wanted.shape());
    let largest = wanted.abs().max(..).item::<f32>().unwrap();
    f64::from((found - wanted).abs().max(..).item::<f32>().unwrap() / largest)
}

pub fn name(folder: &Path) -> &str {
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
    for family in ModelFamily::all() {
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
        let off = distance(&(&left * &real), &(&wanted["left_logits"] * &real));
        // Its queries grow with places here, which count what fills up, and not with positions.
        let by_places = name(&folder) == "llama4";
        // Its rates are those of the longest text of the batch in transformers, and of each text here.
        let by_length = name(&folder) == "llama_dynamic";
        assert!(off < 1e-4 || by_places || by_length, "{}, filled up on the left: {off}", name(&folder));
        if by_length {
            let alone = forward.call((model.clone(), tokens.slice(0, 0..1).slice(1, 4..))).unwrap();
            let off = distance(&left.slice(0, 0..1).slice(1, 4..), &alone);
            assert!(off < 1e-4, "{}, filled up on the left, and alone: {off}", name(&folder));
        }

        // The same tokens in chunks of 5, 1 and 7 through a cache, the second sequence first.
        let decode = jit(|(model, tokens, cache, seen): &(Decoder, Array, jarrah_nn::State, Array)| {
            model.decode(tokens, cache, &Tokens::next(seen, tokens))
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

/// What attention sees depends on positions of texts, wherever their keys lie: in pages, and behind other texts in one sequence.
#[test]
fn pages_and_packed_texts_change_nothing() {
    for family in ["llama", "llama4", "llama4_plain", "gemma4", "deepseek_v3", "gpt_oss"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family);
        let wanted = expected(&folder);
        let model = Pretrained::load(&folder, Some(DType::F32)).unwrap().model;
        let tokens = &wanted["tokens"];
        let pages = Array::new(&[4i32, 0, 2, 3, 5, 1], &[2, 3]);
        let mut cache = model.init_cache(6, 5, DType::F32);
        let mut seen = 0;
        for length in [6, 1, 6] {
            let chunk = seen as usize..(seen + length) as usize;
            let next = tokens.slice(1, chunk.clone());
            let at = Tokens::next(&Array::full(&[2], f64::from(seen), DType::I32), &next).paged(&pages);
            let (logits, after) = model.decode(&next, &cache, &at);
            let off = distance(&logits, &wanted["logits"].slice(1, chunk));
            assert!(off < 1e-4, "{family}, in pages: {off}");
            (cache, seen) = (after, seen + length);
        }
        // Both sequences as texts of one.
        let segments = Array::arange(26i32).ge(13).astype(DType::I32).reshape(&[1, 26]);
        let mut cx = Context::eval().with(Tokens::packed(&segments));
        let packed = model.call(&tokens.reshape(&[1, 26]), &mut cx).reshape(&wanted["logits"].shape()[..]);
        let off = distance(&packed, &wanted["logits"]);
        assert!(off < 1e-4, "{family}, packed: {off}");
    }
}

/// Gradients by the names of the file's tensors, those of experts among them.
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
        let (found, compared) = (slope.len(), near_slopes(name(&folder), &slope, &wanted));
        assert_eq!(found, compared, "{}", name(&folder));
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

/// A layer that borrows keys and values says so where the layer that lends them is gone.
#[test]
fn what_is_borrowed_must_be_lent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families/gemma4_untied");
    let mut model = Pretrained::load(folder, None).unwrap().model;
    let tokens = Array::new(&[1i32, 2, 3], &[1, 3]);
    model.blocks.remove(0);
    let run = || model.call(&tokens, &mut Context::eval());
    let error = jarrah_array::try_trace(run).unwrap_err().to_string();
    assert!(error.contains("no earlier layer lends the keys and values"), "{error}");
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
        ("llama4-17b-16e", 107_769_861_120),
        ("llama4-17b-128e", 400_711_848_960),
        ("gemma4-e2b", 4_628_569_379),
        ("gemma4-e4b", 7_463_013_418),
        ("gemma4-26b", 25_233_141_790),
        ("gemma4-31b", 30_697_345_340),
        ("deepseek2-16b", 15_706_484_224),
        ("deepseek2-236b", 235_741_434_880),
        ("deepseek3-671b", 671_026_419_200),
        ("gpt2", 124_439_808),
    ];
    for (name, parameters) in known {
        assert_eq!(count(name), parameters, "{name}");
    }
    for (name, ..) in jarrah_models::PRESETS {
        assert!(count(name) > 0);
    }
    for name in ["qwen3-8b", "qwen3-30b-a3b"] {
        assert_eq!(count(&format!("{name}-base")), count(name));
    }
}
