//! What does not compile says what to write instead, and `derive(Tree)` finds its crate under any name.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest library of a crate among those this test was linked with.
fn library(deps: &Path, name: &str) -> PathBuf {
    let wanted = |p: &PathBuf| {
        let file = p.file_name().and_then(|f| f.to_str()).unwrap_or("");
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    let files = std::fs::read_dir(deps).unwrap().flatten().map(|e| e.path()).filter(wanted);
    files.max_by_key(|p| p.metadata().and_then(|m| m.modified()).unwrap()).unwrap()
}

/// Whether rustc accepts the text as a crate with this manifest, which knows the array crate as `arrays`, and what it says.
fn compile(name: &str, manifest: &str, text: &str) -> (bool, String) {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let folder = std::env::temp_dir().join(format!("jarrah-compile-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let source = folder.join("user.rs");
    std::fs::write(&source, text).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"]);
    rustc.arg("--extern").arg(format!("arrays={}", library(&deps, "jarrah_array").display()));
    rustc.arg("-L").arg(format!("dependency={}", deps.display()));
    rustc.env("CARGO_MANIFEST_DIR", &folder);
    let output = rustc.arg("--out-dir").arg(&folder).arg(&source).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

const RENAMED: &str = "[dependencies]\narrays = { package = \"jarrah-array\" } # not jarrah-tree";

#[track_caller]
fn is_refused(name: &str, text: &str, says: &[&str]) {
    let text = format!("use arrays::{{Array, Tree, grad}};\n{text}");
    let (accepted, said) = compile(name, RENAMED, &text);
    assert!(!accepted, "it compiled");
    for part in says {
        assert!(said.contains(part), "`{part}` is missing in:\n{said}");
    }
}

#[test]
fn the_derive_finds_a_renamed_dependency() {
    let text = "
use arrays::{Array, Tree, grad};

#[derive(Clone, Tree)]
pub struct Model<T> {
    pub weight: Array,
    pub inner: Vec<T>,
    pub heads: [Head; 2],
    #[tree(static)]
    pub rate: f64,
    #[tree(static)]
    pub rates: Option<(usize, Vec<f32>)>,
    #[tree(static)]
    pub name: String,
}

#[derive(Clone, Tree)]
pub enum Head {
    None,
    Linear(Array),
    Scaled { by: Array, #[tree(static)] times: i32 },
}

pub fn slope(model: &Model<Array>) -> Model<Array> {
    grad(|m: &Model<Array>| m.weight.clone())(model)
}
";
    let (accepted, said) = compile("renamed", RENAMED, text);
    assert!(accepted, "{said}");
    // Nothing in the manifest, but the type says where the trait is.
    let text =
        text.replace("#[derive(Clone, Tree)]", "#[derive(Clone, Tree)]\n#[tree(crate = arrays::tree)]");
    let (accepted, said) = compile("given", "", &text);
    assert!(accepted, "{said}");
}

#[test]
fn a_field_that_is_no_tree_is_to_be_static() {
    is_refused(
        "field",
        "#[derive(Tree)] pub struct Model { weight: Array, width: usize }
        pub fn slope(m: &Model) -> Model { grad(|m: &Model| m.weight.clone())(m) }",
        &["`usize` is not a tree of `jarrah_array::Array`", "#[tree(static)]", "BTreeMap<String, _>"],
    );
    is_refused(
        "argument",
        "pub fn slope(x: &std::collections::HashMap<String, Array>) {
            grad(|x: &std::collections::HashMap<String, Array>| x[\"a\"].clone())(x);
        }",
        &[
            "HashMap<String, jarrah_array::Array>` is not a tree of `jarrah_array::Array`",
            "BTreeMap<String, _>",
        ],
    );
}

#[test]
fn what_stands_beside_an_array_is_an_array_or_a_number() {
    for wrong in ["\"x\"", "vec![1.0f32]", "[1.0]"] {
        is_refused(
            "operand",
            &format!("pub fn larger(x: &Array) -> Array {{ x.maximum({wrong}) }}"),
            &["is neither an array nor a number", "`Array::from_slice` makes an array"],
        );
    }
}

#[test]
fn a_static_field_is_compared() {
    is_refused(
        "static",
        "#[derive(Clone)] pub struct Config;
        #[derive(Tree)] pub struct Model { weight: Array, #[tree(static)] config: Config }",
        &["`Config` cannot be a static field of a tree", "Clone + Eq + Hash + Debug"],
    );
    is_refused(
        "floats",
        "#[derive(Tree)] pub struct Model { weight: Array, #[tree(static)] rates: std::collections::BTreeMap<String, f64> }",
        &["`BTreeMap<String, f64>` holds floats and cannot be a static field", "derive `Tree`"],
    );
    is_refused(
        "attribute",
        "#[derive(Tree)] pub struct Model { weight: Array, #[tree(fixed)] width: usize }",
        &["the only tree attribute is `static`"],
    );
}

#[test]
fn elements_are_numbers_and_truth_values() {
    is_refused(
        "element",
        "pub fn words() -> Array { Array::from_slice(&[\"a\"]) }",
        &["`&str` is not a type of elements", "`bool`"],
    );
}
