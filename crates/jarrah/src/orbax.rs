//! `jarrah checkpoint show`: checkpoints that Orbax wrote.

use std::path::Path;

use jarrah::Result;
use jarrah::checkpoint::Statistics;
use jarrah::formats::{OrbaxCheckpoint, OrbaxItemKind, OrbaxLeaf, OrbaxTree};
use jarrah::train::size;
use serde_json::{Value, json};

use crate::output::show;
use crate::statistics::{json_of, words_of};

/// Prints the items of the checkpoint at `path` and the leaves of its trees.
pub fn print(path: &Path, with_statistics: bool, as_json: bool) -> Result<()> {
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
                    print_tree(&tree, with_statistics)?;
                    continue;
                }
                let leaves = tree.leaves().iter().map(|leaf| described(leaf, with_statistics));
                let leaves = leaves.collect::<Result<Vec<_>>>()?;
                json!({ "leaves": leaves, "custom": tree.custom() })
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

fn print_tree(tree: &OrbaxTree, with_statistics: bool) -> Result<()> {
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
        text += &words_of(statistics(leaf, with_statistics)?);
        text.push('\n');
    }
    show(&format!("{text}  {} leaves, {}\n", tree.leaves().len(), size(total)))
}

/// The bytes of a leaf's value.
fn bytes(leaf: &OrbaxLeaf) -> Option<usize> {
    let dtype = leaf.ty().ok()?.dtype();
    Some(leaf.dims()?.iter().product::<usize>() * dtype.size())
}

/// The statistics of an array whose elements are read here, where they are wanted.
fn statistics(leaf: &OrbaxLeaf, wanted: bool) -> Result<Option<Statistics>> {
    let wanted = wanted && leaf.text().is_none() && leaf.ty().is_ok();
    Ok(if wanted { Some(Statistics::of(&leaf.literal()?)) } else { None })
}

fn described(leaf: &OrbaxLeaf, with_statistics: bool) -> Result<Value> {
    Ok(json!({
        "name": leaf.name(), "type": leaf.ty().ok().map(|ty| ty.dtype().name()), "stored_type": leaf.stored_type(), "shape": leaf.dims(),
        "chunks": leaf.chunk_dims(), "bytes": bytes(leaf), "sharding": leaf.sharding(), "generator": leaf.generator(), "text": leaf.text(),
        "statistics": statistics(leaf, with_statistics)?.map(|of| json_of(&of)),
    }))
}
