//! Models that JAX programs saved by Orbax, and models in MaxText's layout: see `oracle/jax_models.py`.

use std::path::{Path, PathBuf};

use jarrah_array::{DType, Literal};
use jarrah_checkpoint::{Conversion, LeafRules, StoredTree, TargetFormat, write_orbax_item};
use jarrah_formats::{Folder, Tensors};
use jarrah_models::{JaxWeights, LoadAs, Pretrained};
use jarrah_nn::{Context, Module};

use crate::pretrained::{distance, expected};

/// The folders of the cases whose names begin so.
fn cases(start: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jax");
    let all = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = all.filter(|path| name(path).starts_with(start)).collect();
    all.sort();
    assert!(!all.is_empty(), "{start}");
    all
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The folder or file of a case's tree.
fn checkpoint(case: &Path) -> PathBuf {
    let all = ["orbax/5", "orbax", "tree.msgpack"].map(|name| case.join(name));
    all.into_iter().find(|path| path.exists()).unwrap()
}

fn read(case: &Path, rules: &str) -> jarrah_array::Result<Pretrained> {
    let weights = JaxWeights::open(checkpoint(case), &LeafRules::parse(rules)?)?;
    Pretrained::load_jax(&weights, Folder::open(case)?, &LoadAs::default())
}

fn case(name: &str) -> PathBuf {
    cases(name).into_iter().next().unwrap()
}

/// The tensors of a model by the names of Hugging Face.
fn tensors(model: &Pretrained) -> Vec<(String, Literal)> {
    let mut all = model.tensors().unwrap();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

#[test]
fn trees_of_jax_programs_are_the_models_of_folders_of_hugging_face() {
    for case in cases("") {
        let (found, wanted) = (read(&case, "").unwrap(), Pretrained::load(&case, None).unwrap());
        let (found, wanted) = (tensors(&found), tensors(&wanted));
        assert_eq!(found.len(), wanted.len(), "{case:?}");
        for ((name, found), (known, wanted)) in found.iter().zip(&wanted) {
            assert_eq!((name, found.ty()), (known, wanted.ty()), "{case:?}");
            assert_eq!(found.bytes(), wanted.bytes(), "{case:?}: {name}");
        }
    }
}

#[test]
fn a_decoder_of_flax_nnx_has_the_same_logits_here() {
    let case = case("nnx");
    let (model, expected) = (read(&case, "").unwrap(), expected(&case));
    let tokens = expected["tokens"].reshape(&[1, -1]);
    let logits = model.model.call(&tokens, &mut Context::eval());
    let wanted = expected["logits"].reshape(&[1, 9, 5]);
    assert!(distance(&logits, &wanted) < 1e-6);
    // The very logits of the folder of Hugging Face.
    let folder = Pretrained::load(&case, None).unwrap().model.call(&tokens, &mut Context::eval());
    assert_eq!(logits.to_literal().unwrap().bytes(), folder.to_literal().unwrap().bytes());
}

#[test]
fn the_step_of_a_training_state_is_known() {
    let step =
        |case: PathBuf| JaxWeights::open(checkpoint(&case), &LeafRules::default()).unwrap().step().unwrap();
    assert_eq!(
        (step(case("maxtext_llama")), step(case("nnx")), step(case("tunix_gemma"))),
        (Some(5), Some(70), None)
    );
}

#[test]
fn the_optimizers_state_is_said_not_to_be_read() {
    let notes = read(&case("maxtext_llama"), "").unwrap().notes;
    assert_eq!(notes, ["12 leaves beside the weights, such as the optimizer's state, are not read"]);
}

#[test]
fn models_in_the_layout_of_maxtext_are_the_trees_that_maxtext_has() {
    // Where `jax_models.py check` restores them.
    let written = std::env::var_os("JARRAH_MAXTEXT_WRITE").map(PathBuf::from);
    if let Some(folder) = &written {
        std::fs::create_dir_all(folder).unwrap();
    }
    for case in cases("maxtext_") {
        if ["unscanned", "rounded"].iter().any(|end| name(&case).ends_with(end)) {
            continue;
        }
        let tree = Pretrained::load(&case, None).unwrap().maxtext().unwrap();
        if let Some(folder) = &written {
            let arrays: Vec<_> = tree.leaves().map(|(name, ty)| (name.to_owned(), ty)).collect();
            let to = folder.join(name(&case));
            write_orbax_item(to, "items", &arrays, &[], &mut |name| tree.literal(name)).unwrap();
        }
        let stored = StoredTree::open(checkpoint(&case)).unwrap();
        let is_weight = |name: &str| name.starts_with("params.");
        let wanted: Vec<_> = stored.leaves().iter().filter(|leaf| is_weight(leaf.name())).collect();
        assert_eq!(tree.leaves().len(), wanted.len(), "{case:?}");
        for leaf in wanted {
            let (found, wanted) = (tree.literal(leaf.name()).unwrap(), leaf.literal().unwrap());
            assert_eq!(found.ty(), wanted.ty(), "{case:?}: {}", leaf.name());
            assert_eq!(found.bytes(), wanted.bytes(), "{case:?}: {}", leaf.name());
        }
    }
}

#[test]
fn weights_are_read_in_the_type_that_is_asked_for() {
    let case = case("maxtext_qwen3");
    let weights = JaxWeights::open(checkpoint(&case), &LeafRules::default()).unwrap();
    let how = LoadAs {
        dtype: Some(DType::BF16),
        quantize: Some("blocks.*.mlp.*=int8".parse().unwrap()),
        ..LoadAs::default()
    };
    let model = Pretrained::load_jax(&weights, Folder::open(&case).unwrap(), &how).unwrap();
    let wanted = Pretrained::load_as(&case, &how).unwrap();
    for ((name, found), (known, wanted)) in tensors(&model).iter().zip(&tensors(&wanted)) {
        assert_eq!((name, found.ty(), found.bytes()), (known, wanted.ty(), wanted.bytes()));
    }
}

#[test]
fn rules_name_the_leaves_of_other_programs() {
    let case = case("maxtext_llama");
    // As if MaxText's program had called its layers otherwise, and back.
    let away = tempfile::tempdir().unwrap();
    let path = away.path().join("own");
    let own = "params.params.decoder.layers.** -> blocks.**\nparams.params.** -> **\nopt_state.** -> -";
    let changes = Conversion { rules: LeafRules::parse(own).unwrap(), dtype: None };
    let stored = StoredTree::open(checkpoint(&case)).unwrap();
    stored.write(&path, TargetFormat::Orbax, &changes).unwrap();
    let load = |rules: &str| {
        let weights = JaxWeights::open(&path, &LeafRules::parse(rules).unwrap())?;
        Pretrained::load_jax(&weights, Folder::open(&case)?, &LoadAs::default())
    };
    let error = load("").unwrap_err().to_string();
    for part in [
        "18 tensors are missing",
        "decoder.layers.self_attention.query.kernel",
        "9 leaves are left over",
        "blocks.mlp.wi_0.kernel",
        "--rename",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let found = load("blocks.** -> decoder.layers.**").unwrap();
    assert_eq!(tensors(&found), tensors(&Pretrained::load(&case, None).unwrap()));
}

#[test]
fn trees_of_other_models_are_refused_in_words() {
    let case = case("maxtext_llama");
    let weights = JaxWeights::open(checkpoint(&case), &LeafRules::default()).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = Folder::open(&case).unwrap().config().clone();
        change(&mut json);
        let folder = Folder::with_config(&case, &json).unwrap();
        Pretrained::load_jax(&weights, folder, &LoadAs::default()).unwrap_err().to_string()
    };
    let wide = refused(&|json| json["intermediate_size"] = 7.into());
    let said = "params.params.decoder.layers.mlp.wi_0.kernel is f32 [4, 2, 3], and has no numbers of model.layers.0.mlp.gate_proj.weight [7, 4] of 2 layers, and 1 more";
    assert!(wide.contains(said), "{wide}");
    let normalized = refused(&|json| json["model_type"] = "qwen3".into());
    let said = "params.params.decoder.layers.self_attention.query_norm.scale, which is model.layers.0.self_attn.q_norm.weight [4], and 1 more";
    assert!(normalized.contains(said), "{normalized}");
    let other = refused(&|json| json["model_type"] = "olmo2".into());
    assert!(other.contains("MaxText's names of leaves are not known of the family olmo2"), "{other}");
    let strange = JaxWeights::open(checkpoint(&case), &LeafRules::parse("** -> a.**").unwrap()).unwrap();
    assert!(Pretrained::load_jax(&strange, Folder::open(&case).unwrap(), &LoadAs::default()).is_ok());
    let strange =
        JaxWeights::open(checkpoint(&case), &LeafRules::parse("**.embedding -> **.lookup").unwrap()).unwrap();
    let error = Pretrained::load_jax(&strange, Folder::open(&case).unwrap(), &LoadAs::default()).unwrap_err();
    assert!(error.to_string().contains("the tree has no leaf of a known name"), "{error}");
    assert!(Tensors::open(case).is_ok());
}
