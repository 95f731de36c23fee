//! `jarrah checkpoint show` and `get`: checkpoints that Orbax wrote.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah::formats::{OrbaxCheckpoint, OrbaxItemKind, OrbaxLeaf, OrbaxTree, Tensor, save_file};
use jarrah::train::size;
use jarrah::{Error, Result};
use serde_json::{Value, json};

use crate::output::show;

/// Prints the items of the checkpoint at `path` and the leaves of its trees.
pub fn print(path: &Path, as_json: bool) -> Result<()> {
    let checkpoint = OrbaxCheckpoint::open(path)?;
    let mut items = Vec::new();
    for item in checkpoint.items() {
        let handler = item.handler.as_deref().and_then(|handler| handler.rsplit('.').next());
        let content = match item.kind {
            OrbaxItemKind::Json if as_json => json!({ "json": checkpoint.json(&item.name)? }),
            OrbaxItemKind::Json => {
                let text = format!("{}\n", checkpoint.json(&item.name)?);
                heading(&item.name, handler, "JSON")?;
                show(&text)?;
                continue;
            }
            OrbaxItemKind::Tree => {
                let tree = checkpoint.tree(&item.name)?;
                if !as_json {
                    heading(&item.name, handler, "tree")?;
                    print_tree(&tree)?;
                    continue;
                }
                json!({ "leaves": tree.leaves().iter().map(described).collect::<Vec<_>>(), "custom": tree.custom() })
            }
            OrbaxItemKind::Other => {
                if !as_json {
                    heading(&item.name, handler, "not read")?;
                    continue;
                }
                Value::Null
            }
        };
        items.push(json!({ "name": item.name, "handler": item.handler, "content": content }));
    }
    match as_json {
        true => {
            let all =
                json!({ "version": checkpoint.version(), "metadata": checkpoint.metadata(), "items": items });
            show(&format!("{all}\n"))
        }
        false => Ok(()),
    }
}

fn heading(name: &str, handler: Option<&str>, kind: &str) -> Result<()> {
    let name = if name.is_empty() { "the checkpoint" } else { name };
    show(&format!("{name}: {kind}{}\n", handler.map_or(String::new(), |handler| format!(" ({handler})"))))
}

fn print_tree(tree: &OrbaxTree) -> Result<()> {
    let mut text = String::new();
    let mut total = 0;
    for leaf in tree.leaves() {
        // The type in the words of all other commands, where there is one for it.
        text += &leaf.ty().map_or_else(|_| format!("  {leaf}"), |ty| format!("  {} {ty}", leaf.name()));
        if let Some(bytes) = bytes(leaf) {
            total += bytes;
            text += &format!("  {}", size(bytes));
        }
        for more in [leaf.sharding(), leaf.generator()].into_iter().flatten() {
            text += &format!("  {more}");
        }
        text.push('\n');
    }
    show(&format!("{text}  {} leaves, {}\n", tree.leaves().len(), size(total)))
}

/// The bytes of a leaf's value.
fn bytes(leaf: &OrbaxLeaf) -> Option<usize> {
    let dtype = leaf.ty().ok()?.dtype();
    Some(leaf.dims()?.iter().product::<usize>() * dtype.size())
}

fn described(leaf: &OrbaxLeaf) -> Value {
    json!({
        "name": leaf.name(), "type": leaf.ty().ok().map(|ty| ty.dtype().name()), "stored_type": leaf.stored_type(), "shape": leaf.dims(),
        "chunks": leaf.chunk_dims(), "bytes": bytes(leaf), "sharding": leaf.sharding(), "generator": leaf.generator(), "text": leaf.text(),
    })
}

/// Writes an array of a tree to a safetensors file, or prints a text.
pub fn get(path: &Path, leaf: &str, item: &str, out: Option<&Path>) -> Result<()> {
    let tree = OrbaxCheckpoint::open(path)?.tree(item)?;
    let leaf = tree.get(leaf)?;
    if let Some(text) = leaf.text() {
        return show(&format!("{text}\n"));
    }
    let ty = leaf.ty()?;
    let out = out.ok_or_else(|| {
        Error::input(format!("the leaf {} is an array, {ty}", leaf.name()))
            .help("name a file for it: --out w.safetensors")
    })?;
    let value = leaf.literal()?;
    save_file(out, &[Tensor::of(leaf.name(), &value)], &BTreeMap::new())?;
    show(&format!("wrote {} {ty} to {}\n", leaf.name(), out.display()))
}
