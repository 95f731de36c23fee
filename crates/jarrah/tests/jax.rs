//! Models that JAX programs saved, as arguments of commands: see `oracle/jax_models.py`.

use std::fs;
use std::path::Path;

use crate::support::Place;
use crate::tasks::with_model;

/// A case of the tests of `models`.
fn case(name: &str) -> String {
    format!("{}/../models/tests/jax/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn same(one: impl AsRef<Path>, other: impl AsRef<Path>) {
    assert!(fs::read(one).unwrap() == fs::read(other).unwrap());
}

#[test]
fn a_checkpoint_of_maxtext_becomes_a_folder_of_hugging_face_and_back() {
    let place = Place::new();
    let (known, tree) = (case("maxtext_llama"), case("maxtext_llama/orbax/5"));
    let done = place.jarrah(&format!("model convert {tree} folder --config {known}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.contains("[12 leaves beside the weights, such as the optimizer's state, are not read]"),
        "{done:?}"
    );
    assert!(done.out.starts_with("324 parameters in folder"), "{done:?}");
    let said = place.good(&format!("checkpoint diff folder {known}"));
    assert!(said.contains("equal: 21 leaves"), "{said}");

    place.good("model convert folder maxtext --format maxtext");
    let said = place.good("checkpoint show maxtext");
    assert!(
        said.contains("params.params.decoder.layers.self_attention.query.kernel")
            && said.contains("f32[4,2,2,4]"),
        "{said}"
    );
    // A folder that says of which model its weights are is taken by every command.
    place.good("model convert maxtext again");
    same(place.path("folder/model.safetensors"), place.path("again/model.safetensors"));
    fs::write(place.path("tokens.json"), "[1, 2, 3, 4]").unwrap();
    for folder in ["folder", "maxtext"] {
        place.good(&format!("model logits {folder} --tokens tokens.json --out {folder}.safetensors"));
    }
    same(place.path("folder.safetensors"), place.path("maxtext.safetensors"));
    place.refused("model convert folder maxtext --format maxtext", "[convert] maxtext is there already");
}

#[test]
fn trees_of_other_names_are_read_by_rules() {
    let place = Place::new();
    let (known, tree) = (case("nnx"), case("nnx/orbax"));
    fs::write(place.path("away.txt"), "model.model.layers.*.mlp.**.value -> net.block_*.ffn.**\n").unwrap();
    place.good(&format!("checkpoint convert {tree} own --rename away.txt"));
    place.refused(
        &format!("model convert own folder --config {known}"),
        "the tree is not the model of config.json, by Flax NNX's names: 6 tensors are missing, ",
    );
    fs::write(place.path("rules.txt"), "net.block_*.ffn.** -> model.model.layers.*.mlp.**\n").unwrap();
    place.good(&format!("model convert own folder --config {known}/config.json --rename rules.txt"));
    place.good(&format!("model convert {tree} plain --config {known}"));
    same(place.path("folder/model.safetensors"), place.path("plain/model.safetensors"));
}

#[test]
fn a_run_begins_with_the_weights_of_a_jax_program() {
    let place = with_model();
    place.good("model convert model maxtext --format maxtext");
    fs::remove_file(place.path("maxtext/config.json")).unwrap();
    const KEYS: &str =
        "--data chats.jsonl task=sft data.template=chatml model.context=32 batch=2 log.every=1 steps=4";
    place.good(&format!("train --model model {KEYS} --out folder"));
    // The folder's own weights are not read.
    fs::remove_file(place.path("model/model.safetensors")).unwrap();
    let done = place.jarrah(&format!("train --resume maxtext --model model {KEYS} --out jax"));
    assert_eq!(done.code, Some(0), "{done:?}");
    let said = "weights: those in maxtext; the optimizer's state is not taken, and steps count from 0";
    assert!(done.out.contains(said), "{done:?}");
    assert_eq!(place.result("jax"), place.result("folder"));

    // Adapters go onto these weights again, whenever the run is read.
    place.good(&format!("train --resume maxtext --model model {KEYS} lora.rank=2 --out lora"));
    place.good("train --resume lora steps=6");
    place.good("model convert lora merged");
}

#[test]
fn mistakes_with_trees_of_jax_programs_are_told() {
    let place = Place::new();
    let tree = case("maxtext_llama/orbax/5");
    place.refused(
        &format!("model convert {tree} folder"),
        &format!("{tree} has weights, and does not say of which model"),
    );
    let done = place.jarrah(&format!("model convert {tree} folder --config qwen3-0.6b"));
    assert_eq!(done.code, Some(2), "{done:?}");
    let part = "params.params.decoder.layers.mlp.wo.kernel is f32 [3, 2, 4], and has no numbers of model.layers.0.mlp.down_proj.weight [1024, 3072] of 28 layers, and 27 more";
    for part in [part, "--rename"] {
        assert!(done.err.contains(part), "{part}: {done:?}");
    }
    place.refused(
        &format!("train --resume {tree} --data text"),
        "a JAX program's checkpoint does not say of which shape its model is",
    );
    place.refused(
        &format!("train --resume {tree} --data text --model {}", case("maxtext_qwen3")),
        "the tree is not the model of config.json",
    );
    place.refused("train --resume run --data text", "run does not exist");
}

#[test]
fn of_a_folder_of_steps_the_last_is_taken() {
    let place = Place::new();
    let (known, steps) = (case("maxtext_llama"), case("maxtext_llama/orbax"));
    place.good(&format!("model convert {steps} folder --config {known}"));
    place.good(&format!("model convert {steps}/5 other --config {known}"));
    same(place.path("folder/model.safetensors"), place.path("other/model.safetensors"));
    let train = format!("train --resume {steps} --model {known} --data text");
    let done = place.jarrah(&format!("{train} --step 5"));
    assert!(
        done.out.contains("weights: those of step 5 in ") && done.err.contains("cannot read tokenizer"),
        "{done:?}"
    );
    assert!(place.jarrah(&train).out.contains("weights: those of step 5 in "));
    place.refused(&format!("{train} --step 6"), "there is no checkpoint of step 6");
}
