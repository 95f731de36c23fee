//! Trees of arrays as safetensors files.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_base::{Error, Literal, MappedFile, Result, Type, files};
use jarrah_formats::safetensors::{METADATA, Row, header, stored};
use jarrah_tree::{Part, Path as KeyPath, Tree, TreeExt};
use rustc_hash::FxHashMap;
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;

use crate::array::Array;
use crate::function::Leaves;

/// The name of the tensor when the whole tree is one array.
const ROOT: &str = "array";
/// The text with the static fields: lines of a path and a value, a tab between them.
const STATIC: &str = "static";
/// The most tensors of one kind that an error lists.
const SHOWN: usize = 5;

/// Writes the arrays of a tree to a safetensors file, each under its key path: `blocks.3.weight`. An array that is the
/// whole tree is called `array`.
///
/// The file appears at once and whole, in the place of an older one. Only arrays are stored, and the texts of static fields that are
/// [`Stored`](jarrah_tree::Stored), such as the scheme of a quantized tensor: [`load`] takes the
/// structure and the static fields from a tree of the same structure.
///
/// # Errors
/// The disk refuses; an array could not be computed; two arrays have one name; the format keeps the
/// name `__metadata__` for itself, or lacks an element type, as it does integers of less than eight bits and complex numbers of 16 bytes. Panics under `jit` and `vmap`, where there are
/// no values.
///
/// ```
/// use jarrah_array::{Array, load, save};
/// let path = std::env::temp_dir().join(format!("example-{}.safetensors", std::process::id()));
/// let model = (Array::from_slice(&[1.0f32, 2.0]), vec![Array::scalar(3)]);
/// save(&path, &model)?;
/// let (weights, counts) = load(&path, &(Array::zeros(&[2]), vec![Array::scalar(0)]))?;
/// assert_eq!(weights.to_vec::<f32>()?, [1.0, 2.0]);
/// assert_eq!(counts[0].item::<i32>()?, 3);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn save<T: Tree<Array>>(path: impl AsRef<Path>, tree: &T) -> Result<()> {
    let path = path.as_ref();
    let mut tensors: Vec<(String, Literal)> = Vec::new();
    for (array, key) in Leaves::of(tree).with_paths() {
        tensors.push((name(&key), array.to_literal()?));
    }
    if tensors.iter().any(|(name, _)| name == METADATA) {
        let error = Error::program(format!("an array of the tree is called {METADATA}")).op("save");
        return Err(error.help("the format keeps this name for itself: choose another key"));
    }
    let mut rows = Vec::with_capacity(tensors.len());
    for (name, literal) in &tensors {
        let dtype = stored(literal.dtype()).ok_or_else(|| {
            let error =
                Error::program(format!("{name} is {}, which safetensors files do not have", literal.ty()));
            error.op("save").help("convert it with astype, or store its bits with bitcast")
        })?;
        let bytes = literal.bytes();
        rows.push((Row { name, dtype, shape: literal.dims(), bytes: bytes.len() }, bytes));
    }
    // Wide elements first, as other writers have them, so that each tensor is aligned to its elements.
    rows.sort_by(|(a, _), (b, _)| b.dtype.cmp(&a.dtype).then_with(|| a.name.cmp(b.name)));
    let (rows, parts): (Vec<Row<'_>>, Vec<&[u8]>) = rows.into_iter().unzip();
    let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
    names.sort();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let error = Error::program(format!("two arrays of the tree are called {}", twice[0])).op("save");
        return Err(error.help("map keys with dots in them can make such names"));
    }
    let texts: String = texts(tree).iter().map(|(path, text)| format!("{path}\t{text}\n")).collect();
    let metadata: BTreeMap<String, String> =
        (!texts.is_empty()).then(|| (STATIC.to_owned(), texts)).into_iter().collect();
    let header = header(&rows, &metadata).map_err(|e| e.op("save"))?;
    files::replace_with(path, &mut |file| {
        file.write_all(&header)?;
        parts.iter().try_for_each(|part| file.write_all(part))
    })
}

/// The tree of the structure of `like` with the arrays of a safetensors file: see [`save`].
///
/// The values of `like` do not matter: for instance, the result of [`eval_shape`](crate::eval_shape) for an initialiser may be
/// used.
///
/// # Errors
/// The file cannot be read or is no safetensors file; tensors are missing, or left over, or have another shape or element
/// type; a static field that is [`Stored`](jarrah_tree::Stored) has another value in the file: the error names them.
///
/// ```
/// use jarrah_array::{Array, load, save};
/// let path = std::env::temp_dir().join(format!("example-load-{}.safetensors", std::process::id()));
/// save(&path, &(Array::zeros(&[2]), Array::zeros(&[3])))?;
/// let error = load(&path, &(Array::zeros(&[2]), Array::zeros(&[4]))).unwrap_err();
/// assert!(error.to_string().contains("f32[4] is wanted"));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn load<T: Tree<Array>>(path: impl AsRef<Path>, like: &T) -> Result<T> {
    let path = path.as_ref();
    let file = MappedFile::open(path)?;
    let wrong = |error: String| Error::input(format!("{} {error}", path.display())).op("load");
    let tensors =
        SafeTensors::deserialize(&file).map_err(|e| wrong(format!("is no safetensors file: {e}")))?;
    let mut found: FxHashMap<String, TensorView<'_>> = tensors.tensors().into_iter().collect();
    let (mut missing, mut different) = (Vec::new(), Vec::new());
    let mut arrays = Vec::new();
    for (array, key) in Leaves::of(like).with_paths() {
        let (name, ty) = (name(&key), array.ty());
        match found.remove(&name) {
            None => missing.push(format!("{name} ({ty})")),
            Some(view) if fits(&view, ty) => {
                arrays.push(Array::from_literal(Literal::from_bytes(ty, view.data())?))
            }
            Some(view) => {
                different.push(format!("{name} ({:?}{:?}, where {ty} is wanted)", view.dtype(), view.shape()))
            }
        }
    }
    let mut extra: Vec<String> = found.into_keys().collect();
    extra.sort();
    let texts = texts(like);
    let said = SafeTensors::read_metadata(&file).ok();
    let said = said.as_ref().and_then(|(_, header)| header.metadata().as_ref()?.get(STATIC));
    let otherwise: Vec<String> = said
        .iter()
        .flat_map(|said| said.lines().filter_map(|line| line.split_once('\t')))
        .filter_map(|(path, found)| {
            let wanted = texts.get(path).filter(|wanted| *wanted != found)?;
            Some(format!("{path} ({found}, where {wanted} is wanted)"))
        })
        .collect();
    let is_of_others = !otherwise.is_empty();
    let kinds = [
        ("lacks", missing),
        ("has with another shape or dtype", different),
        ("has besides", extra),
        ("has with another static value", otherwise),
    ];
    let problems: Vec<String> =
        kinds.iter().filter(|(_, names)| !names.is_empty()).map(|(what, names)| list(what, names)).collect();
    if !problems.is_empty() {
        let error = wrong(format!("holds another tree: it {}", problems.join("; ")));
        return Err(match is_of_others {
            true => error.help("load into a tree that has the static values of the file"),
            false => error,
        });
    }
    Ok(like.with_leaves(arrays).expect("invariant: one array for each leaf"))
}

/// The texts of the static fields that are stored, by their paths.
fn texts<T: Tree<Array>>(tree: &T) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    tree.visit(&mut KeyPath::default(), &mut |path, part| {
        if let Part::Static(value) = part
            && let Some(text) = value.text()
        {
            texts.insert(path.to_string(), text);
        }
    });
    texts
}

fn name(path: &KeyPath) -> String {
    if path.keys().is_empty() { ROOT.to_owned() } else { path.to_string() }
}

fn list(what: &str, names: &[String]) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { format!("{what} {shown}") } else { format!("{what} {shown} and {more} more") }
}

fn fits(view: &TensorView<'_>, ty: Type) -> bool {
    stored(ty.dtype()) == Some(view.dtype()) && ty.dims().as_slice() == view.shape()
}
