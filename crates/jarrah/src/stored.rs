//! `jarrah checkpoint show`, `diff`, `get` and `convert`: the arrays of any checkpoint or file of weights.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use jarrah::checkpoint::{
    Checkpoint, Conversion, LeafDifference, Statistics, StoredFormat, StoredLeaf, StoredTree, TargetFormat,
};
use jarrah::formats::{OrbaxCheckpoint, OrbaxItemKind, Tensor, save_file};
use jarrah::train::size;
use jarrah::{Error, Result};
use jarrah_base::DType;
use serde_json::{Value, json};

use crate::cli::Target;
use crate::jax::rules;
use crate::orbax;
use crate::output::{note, show};
use crate::statistics::{json_of, words_of};
use crate::steps::located;

/// The most differences that `diff` lists.
const LISTED: usize = 50;

fn opened(path: &Path, step: Option<u64>) -> Result<StoredTree> {
    StoredTree::open(located(path, step)?)
}

/// Lists the leaves at `path`.
pub fn print(path: &Path, step: Option<u64>, with_statistics: bool, as_json: bool) -> Result<()> {
    let path = located(path, step)?;
    if OrbaxCheckpoint::is_at(&path) && !StoredFormat::is_run(&path) {
        return orbax::print(&path, with_statistics, as_json);
    }
    let tree = StoredTree::open(&path)?;
    let json = match tree.format() {
        StoredFormat::Run => jsons(&path, &tree)?,
        _ => Vec::new(),
    };
    if matches!(tree.format(), StoredFormat::Orbax(_)) {
        // An old one, which nothing but its content marks.
        return orbax::print(&path, with_statistics, as_json);
    }
    let statistics = |leaf: &StoredLeaf| -> Result<Option<Statistics>> {
        Ok(if with_statistics && leaf.ty().is_some() { Some(Statistics::of(&leaf.literal()?)) } else { None })
    };
    let total: usize = tree.leaves().iter().filter_map(StoredLeaf::bytes).sum();
    if as_json {
        let leaf = |leaf: &StoredLeaf| -> Result<Value> {
            Ok(json!({
                "name": leaf.name(), "type": leaf.ty().map(|ty| ty.dtype().name()),
                "shape": leaf.ty().map(|ty| ty.extents().collect::<Vec<_>>()), "bytes": leaf.bytes(),
                "statistics": statistics(leaf)?.map(|of| json_of(&of)),
            }))
        };
        let leaves = tree.leaves().iter().map(leaf).collect::<Result<Vec<_>>>()?;
        let all = json!({ "path": path, "format": tree.format().to_string(), "bytes": total, "leaves": leaves, "others": tree.others(), "json": json.iter().cloned().collect::<serde_json::Map<_, _>>() });
        return show(&format!("{all}\n"));
    }
    show(&format!("{}: {}\n", path.display(), tree.format()))?;
    for leaf in tree.leaves() {
        show(&format!("  {leaf}{}{}\n", size_of(leaf), words_of(statistics(leaf)?)))?;
    }
    show(&format!("  {} leaves, {}\n", tree.leaves().len(), size(total)))?;
    for (name, json) in &json {
        show(&format!("{name}: JSON\n{json}\n"))?;
    }
    match tree.others() {
        [] => Ok(()),
        others => show(&format!("  no arrays, and not read: {}\n", others.join(", "))),
    }
}

/// The items of a checkpoint of a run that are JSON; those of each process are one list.
fn jsons(path: &Path, tree: &StoredTree) -> Result<Vec<(String, Value)>> {
    let checkpoint = Checkpoint::open(path)?;
    let json = |name: &String| -> Result<(String, Value)> {
        let json = checkpoint.json(name).or_else(|_| checkpoint.all_process_json(name).map(Value::Array))?;
        Ok((name.clone(), json))
    };
    tree.items().iter().map(json).collect()
}

/// The item of a checkpoint that is JSON and has this name.
fn json_item(path: &Path, tree: &StoredTree, name: &str) -> Result<Option<Value>> {
    if !tree.items().iter().any(|item| item == name) {
        return Ok(None);
    }
    match tree.format() {
        StoredFormat::Run => {
            Ok(jsons(path, tree)?.into_iter().find(|(item, _)| item == name).map(|(_, json)| json))
        }
        _ => OrbaxCheckpoint::open(path)?.json(name).map(Some),
    }
}

fn size_of(leaf: &StoredLeaf) -> String {
    leaf.bytes().map_or(String::new(), |bytes| format!("  {}", size(bytes)))
}

/// Lists the differences of two trees; there being any is told by the exit status, too.
pub fn diff(
    first: &Path,
    second: &Path,
    step: Option<u64>,
    tolerance: f64,
    as_json: bool,
) -> Result<ExitCode> {
    // A file has no steps: that of the other is meant.
    let step_of = |path: &Path| step.filter(|_| path.is_dir());
    let (a, b) = (opened(first, step_of(first))?, opened(second, step_of(second))?);
    let differences = a.differences(&b, tolerance)?;
    let status = if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if as_json {
        let all: Vec<Value> = differences.iter().map(described).collect();
        show(&format!("{}\n", json!({ "differences": all })))?;
        return Ok(status);
    }
    for difference in differences.iter().take(LISTED) {
        show(&format!("{difference}\n"))?;
    }
    if differences.len() > LISTED {
        show(&format!("and {} more\n", differences.len() - LISTED))?;
    }
    if differences.is_empty() {
        let [a_path, b_path] = [&a, &b].map(|tree| tree.path().display());
        show(&format!("equal: {} leaves of {a_path} and {b_path}\n", a.leaves().len()))?;
    }
    Ok(status)
}

fn described(difference: &LeafDifference) -> Value {
    match difference {
        LeafDifference::OnlyFirst(leaf) => json!({ "kind": "only_first", "leaf": leaf }),
        LeafDifference::OnlySecond(leaf) => json!({ "kind": "only_second", "leaf": leaf }),
        LeafDifference::Types { name, types } => json!({ "kind": "types", "leaf": name, "types": types }),
        LeafDifference::Texts { name, texts } => json!({ "kind": "texts", "leaf": name, "texts": texts }),
        LeafDifference::Values { name, ty, count, largest, first, values } => json!({
            "kind": "values", "leaf": name, "type": ty.to_string(), "count": count, "largest": largest, "first": first,
            "values": values.map(|value| value.to_string()),
        }),
    }
}

/// Writes an array to a safetensors file, or prints a text.
pub fn get(path: &Path, step: Option<u64>, leaf: &str, out: Option<&Path>) -> Result<()> {
    let path = located(path, step)?;
    let tree = StoredTree::open(&path)?;
    if let Some(out) = out.filter(|out| out.symlink_metadata().is_ok()) {
        return Err(Error::input(format!("{} is there already", out.display()))
            .help("name a file that is not there yet"));
    }
    let written = |text: String| match out {
        None => show(&text),
        Some(out) => {
            std::fs::write(out, text).map_err(|e| Error::io("write", out, &e))?;
            show(&format!("wrote {leaf} to {}\n", out.display()))
        }
    };
    if let Some(json) = json_item(&path, &tree, leaf)? {
        return written(format!("{json}\n"));
    }
    let leaf = tree.get(leaf)?;
    if let Some(text) = leaf.text() {
        return written(format!("{text}\n"));
    }
    let out = out.ok_or_else(|| {
        Error::input(format!("the leaf {leaf} is an array")).help("name a file for it: --out w.safetensors")
    })?;
    if out.extension().is_some_and(|ending| ending != "safetensors") {
        return Err(Error::input(format!("{}: an array is written as safetensors", out.display()))
            .help("name a file .safetensors"));
    }
    let value = leaf.literal()?;
    save_file(out, &[Tensor::of(leaf.name(), &value)], &BTreeMap::new())?;
    show(&format!("wrote {leaf} to {}\n", out.display()))
}

/// Writes the leaves of a tree to another file or folder.
pub fn convert(
    from: &Path,
    step: Option<u64>,
    to: &Path,
    target: Option<Target>,
    rename: Option<&Path>,
    dtype: Option<DType>,
) -> Result<()> {
    let tree = opened(from, step)?;
    let extension = to.extension().and_then(|extension| extension.to_str());
    let format = match (target, extension) {
        (Some(Target::Safetensors), _) | (None, Some("safetensors")) => TargetFormat::Safetensors,
        (Some(Target::Flax), _) | (None, Some("msgpack")) => TargetFormat::Flax,
        (Some(Target::Orbax), _) | (None, None) => TargetFormat::Orbax,
        (None, Some(other)) => {
            return Err(Error::input(format!(
                "{}: a file .{other} is of no format that is written",
                to.display()
            ))
            .help("name a file .safetensors or .msgpack, or say --to orbax"));
        }
    };
    if format == TargetFormat::Flax && extension != Some("msgpack") {
        return Err(Error::input(format!("{}: files of Flax are known by their name", to.display()))
            .help("name a file .msgpack"));
    }
    let rules = rules(rename)?;
    let changed = tree.transformed(&rules)?;
    for line in changed.unused_rules() {
        note(&format!("warning: line {line} of the rules fits no leaf: `jarrah checkpoint show` lists them"));
    }
    let dropped = changed.dropped().len();
    let count = tree.write(to, format, &Conversion { rules, dtype })?;
    let dropped = if dropped > 0 { format!(", {dropped} dropped") } else { String::new() };
    show(&format!("wrote {count} leaves to {}{dropped}\n", to.display()))?;
    match tree.items() {
        [] => Ok(()),
        items => show(&format!("not converted, as they are no trees: {}\n", items.join(", "))),
    }
}

/// Reads all values of a checkpoint or a file, and tells those that are damaged.
pub fn verify(path: &Path) -> Result<()> {
    let tree = StoredTree::open(path)?;
    let (mut damaged, mut unread) = (Vec::new(), 0);
    for leaf in tree.leaves().iter().filter(|leaf| leaf.text().is_none()) {
        if leaf.ty().is_none() {
            unread += 1;
            show(&format!("{leaf}  not read: its type is none of those here\n"))?;
            continue;
        }
        if let Err(error) = leaf.literal() {
            show(&format!("{leaf}  damaged: {}\n", error.message()))?;
            damaged.push(leaf.name());
        }
    }
    let count = tree.leaves().len();
    let others = match tree.format() {
        StoredFormat::Orbax(_) => Some(OrbaxCheckpoint::open(path)?),
        _ => None,
    };
    for item in others.iter().flat_map(OrbaxCheckpoint::items) {
        match (item.kind, &others) {
            (OrbaxItemKind::Json, Some(checkpoint)) => {
                if let Err(error) = checkpoint.json(&item.name) {
                    show(&format!("{}  damaged: {}\n", item.name, error.message()))?;
                    damaged.push(&item.name);
                }
            }
            (OrbaxItemKind::Tree, _) => {}
            _ => {
                unread += 1;
                show(&format!("{}  not read: its handler is none of those here\n", item.name))?;
            }
        }
    }
    match (damaged.as_slice(), unread) {
        ([], 0) => show(&format!("{}: {count} leaves, all read\n", path.display())),
        ([], unread) => show(&format!("{}: {count} leaves, {unread} not read\n", path.display())),
        (names, _) => Err(Error::input(format!("{}: damaged: {}", path.display(), names.join(", ")))),
    }
}
