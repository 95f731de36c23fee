//! The parts and the parameters of a model.

use std::collections::BTreeSet;

use jarrah::Result;
use jarrah::array::{Array, TreeExt};
use serde_json::{Value, json};

use super::{Source, source};
use crate::output::show;

/// The leaves of a model by path, or the tensors of weights by name, each with its extents.
fn leaves(name: &str) -> Result<Vec<(String, Vec<usize>)>> {
    Ok(match source(name)? {
        Source::Weights(tensors) => {
            tensors.iter().map(|tensor| (tensor.name().to_owned(), tensor.dims().to_vec())).collect()
        }
        Source::Model(shapes) => {
            let leaves = shapes.model.leaves_with_paths().into_iter();
            leaves.map(|(path, array): (String, &Array)| (path, array.shape().to_vec())).collect()
        }
    })
}

pub fn params(source: &str, as_json: bool) -> Result<()> {
    let all = leaves(source)?;
    if as_json {
        let rows: Vec<Value> = all
            .iter()
            .map(|(path, dims)| json!({"path": path, "shape": dims, "parameters": elements(dims)}))
            .collect();
        return show(&format!("{}\n", Value::Array(rows)));
    }
    let width = all.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let rows: String = all
        .iter()
        .map(|(path, dims)| format!("{path:width$}  {:>20}  {:>14}\n", extents(dims), elements(dims)))
        .collect();
    let total: usize = all.iter().map(|(_, dims)| elements(dims)).sum();
    show(&format!("{rows}{:width$}  {:>20}  {total:>14}\n", "all", ""))
}

fn elements(dims: &[usize]) -> usize {
    dims.iter().product()
}

fn extents(dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The containers of the model, each with the parameters below it; layers that are alike are one row.
pub fn tree(source: &str, as_json: bool) -> Result<()> {
    let mut below: Vec<(String, usize, usize)> = Vec::new();
    for (path, dims) in leaves(source)? {
        let steps: Vec<&str> = path.split('.').collect();
        for depth in 0..steps.len() {
            let above = steps[..depth].join(".");
            match below.iter_mut().find(|(known, ..)| *known == above) {
                Some((_, leaves, parameters)) => {
                    (*leaves, *parameters) = (*leaves + 1, *parameters + elements(&dims))
                }
                None => below.push((above, 1, elements(&dims))),
            }
        }
    }
    if as_json {
        let rows: Vec<Value> = below
            .iter()
            .map(|(path, leaves, parameters)| json!({"path": path, "arrays": leaves, "parameters": parameters}))
            .collect();
        return show(&format!("{}\n", Value::Array(rows)));
    }
    // Of layers that are alike the first is shown, with how many there are.
    let like = |path: &str| {
        let steps: Vec<&str> = path.split('.').collect();
        let at = steps.iter().position(|step| step.parse::<usize>().is_ok())?;
        Some((steps[..at].join("."), steps[at + 1..].join(".")))
    };
    let mut text = String::new();
    let mut shown: BTreeSet<((String, String), usize)> = BTreeSet::new();
    for (path, leaves, parameters) in &below {
        let mut times = String::new();
        if let Some(kind) = like(path) {
            if !shown.insert((kind.clone(), *parameters)) {
                continue;
            }
            let same = below
                .iter()
                .filter(|(other, _, n)| like(other).as_ref() == Some(&kind) && n == parameters)
                .count();
            if kind.1.is_empty() && same > 1 {
                times = format!("  {same} times");
            }
        }
        let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
        let label = format!("{}{}", "  ".repeat(steps.len()), steps.last().unwrap_or(&"model"));
        text += &format!("{label:32} {leaves:>6} arrays {parameters:>16}{times}\n");
    }
    show(&text)
}
