//! A table of a model's layers, arrays and sizes.

use std::collections::BTreeMap;

use jarrah_array::{Array, Tree, Type};
use jarrah_tree::{Node, Part, Path};

use crate::{Kind, State};

/// The layers of a model, a row each: the path, the type, and for each [`Kind`] the arrays that the layer itself holds, and the numbers of elements
/// and bytes of all that is in it.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_nn::{BatchNorm, Linear, Sequential, tabulate};
/// let model = Sequential::new().and(Linear::new(&Key::new(0), 3, 4)).and(BatchNorm::new(4));
/// assert_eq!(tabulate(&model), "\
/// path      type        parameter        batch_statistic
///           Sequential  24 (96 B)        8 (32 B)
/// layers.0  Linear      weight f32[3,4]
///                       bias f32[4]
///                       16 (64 B)
/// layers.1  BatchNorm   scale f32[4]     mean f32[4]
///                       bias f32[4]      var f32[4]
///                       8 (32 B)         8 (32 B)
/// ");
/// ```
///
/// Source: `flax.nnx.tabulate`.
pub fn tabulate<M: Tree<Array>>(model: &M) -> String {
    tabulate_with(model, &State::default())
}

/// As [`tabulate`], with a column of results, which a pass has captured ([`Context::captured`](crate::Context::captured)): under
/// [`eval_shape`](jarrah_array::eval_shape), say, where nothing is computed.
///
/// ```
/// use jarrah_array::{Array, eval_shape, random::Key};
/// use jarrah_nn::{Context, Linear, Module, Sequential, tabulate_with};
/// let model = Sequential::new().and(Linear::new(&Key::new(0), 3, 4));
/// let results = eval_shape(
///     |x: &Array| {
///         let mut cx = Context::eval().capturing("**");
///         model.call(x, &mut cx);
///         cx.captured()
///     },
///     &Array::ones(&[2, 3]),
/// );
/// assert!(tabulate_with(&model, &results).contains("layers.0  Linear      f32[2,4]"));
/// ```
pub fn tabulate_with<M: Tree<Array>>(model: &M, results: &State) -> String {
    let rows = rows(model);
    let mut kinds: Vec<Kind> = rows.iter().flat_map(|row| row.total.keys().copied()).collect();
    kinds.sort_by_key(|&kind| (kind != Kind::PARAMETER, kind));
    kinds.dedup();
    let mut heads = vec!["path".to_owned(), "type".to_owned()];
    let with_results = !results.is_empty();
    heads.extend(with_results.then(|| "result".to_owned()));
    heads.extend(kinds.iter().map(|kind| kind.name().to_owned()));
    let mut table: Vec<Vec<Vec<String>>> = vec![heads.into_iter().map(|head| vec![head]).collect()];
    for row in &rows {
        let path = row.path.to_string();
        let mut cells = vec![vec![path.clone()], vec![row.name.clone()]];
        if with_results {
            cells.push(results.array(&path).iter().map(|x| x.ty().to_string()).collect());
        }
        for kind in &kinds {
            let mut cell = row.own.get(kind).cloned().unwrap_or_default();
            cell.extend(row.total.get(kind).map(|total| total.to_string()));
            cells.push(cell);
        }
        table.push(cells);
    }
    aligned(&table)
}

/// A layer.
struct Row {
    path: Path,
    name: String,
    own: BTreeMap<Kind, Vec<String>>,
    total: BTreeMap<Kind, Total>,
}

impl Row {
    fn new(path: Path, name: &str) -> Row {
        Row { path, name: name.to_owned(), own: BTreeMap::new(), total: BTreeMap::new() }
    }
}

#[derive(Clone, Copy, Default)]
struct Total {
    elements: usize,
    bytes: usize,
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"];
        let (mut size, mut unit) = (self.bytes as f64, 0);
        while size >= 1024.0 && unit + 1 < units.len() {
            size /= 1024.0;
            unit += 1;
        }
        let digits = usize::from(unit > 0);
        write!(f, "{} ({size:.digits$} {})", self.elements, units[unit])
    }
}

/// The structs of a tree, each before the structs inside of it; the first is the tree itself.
fn rows<M: Tree<Array>>(model: &M) -> Vec<Row> {
    let mut rows = vec![Row::new(Path::default(), "")];
    // The rows and variables around, each with its path.
    let mut around: Vec<(Path, Option<usize>, Kind)> = vec![(Path::default(), Some(0), Kind::PARAMETER)];
    model.visit(&mut Path::default(), &mut |path, part| {
        while around.len() > 1
            && around.last().is_some_and(|(above, ..)| !path.keys().starts_with(above.keys()))
        {
            around.pop();
        }
        let kind = around.last().map_or(Kind::PARAMETER, |(.., kind)| *kind);
        match part {
            // Not of a layer, but of a field.
            Part::Node(Node::Named("Some" | "None")) => {}
            Part::Node(Node::Named(name)) => {
                let last = rows.len() - 1;
                // A transparent struct has the same path as the struct that it holds.
                if rows[last].path == *path && rows[last].total.is_empty() {
                    let space = if rows[last].name.is_empty() { "" } else { " " };
                    rows[last].name = format!("{}{space}{name}", rows[last].name);
                } else {
                    rows.push(Row::new(path.clone(), name));
                    around.push((path.clone(), Some(last + 1), kind));
                }
            }
            Part::Node(Node::Variable { kind, .. }) => around.push((path.clone(), None, Kind::new(kind))),
            Part::Node(_) | Part::Static(_) => {}
            Part::Leaf(array) => {
                let ty = array.ty();
                let mut layers = around.iter().filter_map(|(_, row, _)| *row).collect::<Vec<_>>();
                layers.dedup();
                for &row in &layers {
                    add(&mut rows[row], kind, ty);
                }
                let row = &mut rows[layers.last().copied().unwrap_or(0)];
                let name: Path = path.keys()[row.path.keys().len()..].iter().cloned().collect();
                let text = format!("{name} {ty}");
                row.own.entry(kind).or_default().push(text.trim_start().to_owned());
            }
        }
    });
    if rows[0].name.is_empty() {
        let whole = std::any::type_name::<M>();
        let name = whole.split(['<', '(', '[']).next().unwrap_or_default();
        let name = name.rsplit("::").next().unwrap_or_default();
        rows[0].name = if name.is_empty() { "tuple" } else { name }.to_owned();
    }
    rows
}

fn add(row: &mut Row, kind: Kind, ty: Type) {
    let total = row.total.entry(kind).or_default();
    let elements: usize = ty.dims().iter().product();
    total.elements += elements;
    total.bytes += elements * ty.dtype().size();
}

/// Rows of cells of lines, as text.
fn aligned(table: &[Vec<Vec<String>>]) -> String {
    let columns = table[0].len();
    let length = |line: &String| line.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|i| table.iter().flat_map(|row| row[i].iter().map(length)).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in table {
        for i in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| {
                let line = cell.get(i).map_or("", String::as_str);
                format!("{line:width$}")
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
    }
    text
}
