use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jarrah_base::{Error, Result, Type};

use crate::tensors::Tensors;

/// The rows that a report prints of each kind.
const ROWS: usize = 6;

/// Compares a model's tensors with those of a file: which are missing, which are unexpected, and which have another shape.
///
/// Element types may differ: they are converted when they are read.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_formats::{LoadReport, Tensor, Tensors, save_file};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("w.safetensors");
/// let value = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// save_file(&path, &[Tensor::of("norm", &value), Tensor::of("old", &value)], &Default::default())?;
/// let wanted = [("norm", Type::tensor(DType::F32, [3])), ("head", Type::tensor(DType::F32, [3, 2]))];
/// let report = LoadReport::new(wanted, &Tensors::open(&path)?);
/// assert_eq!(report.missing[0].0, "head");
/// assert_eq!(report.unexpected[0].0, "old");
/// assert!(report.to_string().contains("norm  f32[3] is wanted, f32[2] is there"));
/// assert!(report.complete().is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadReport {
    /// The tensors that are as they are wanted, element types aside.
    pub found: usize,
    /// The tensors that are wanted and absent.
    pub missing: Vec<(String, Type)>,
    /// The tensors that are there and not wanted, as they are shown.
    pub unexpected: Vec<(String, String)>,
    /// The tensors of other extents than are wanted: the wanted type, and the tensor that is there.
    pub mismatched: Vec<(String, Type, String)>,
}

impl LoadReport {
    /// Compares the tensors that are there with those that are wanted.
    pub fn new<S: Into<String>>(
        wanted: impl IntoIterator<Item = (S, Type)>,
        tensors: &Tensors,
    ) -> LoadReport {
        let mut report = LoadReport::default();
        let mut asked = BTreeSet::new();
        for (name, ty) in wanted {
            let name = name.into();
            match tensors.find(&name) {
                Some(tensor) if tensor.dims() == ty.dims().as_slice() => report.found += 1,
                Some(tensor) => report.mismatched.push((name.clone(), ty, shown(&tensor))),
                None => report.missing.push((name.clone(), ty)),
            }
            asked.insert(name);
        }
        let others = tensors.iter().filter(|tensor| !asked.contains(tensor.name()));
        report.unexpected = others.map(|tensor| (tensor.name().to_owned(), shown(&tensor))).collect();
        report
    }

    /// Whether every tensor is there as it is wanted, and none besides.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.mismatched.is_empty() && self.unexpected.is_empty()
    }

    /// Checks that every tensor is there as it is wanted; what is there besides does no harm.
    ///
    /// # Errors
    /// Tensors are missing or have other extents (`Input`): the error is the report.
    pub fn complete(&self) -> Result<()> {
        if self.missing.is_empty() && self.mismatched.is_empty() {
            return Ok(());
        }
        Err(Error::input(self.to_string().trim_end().to_owned()))
    }
}

fn shown(tensor: &crate::tensor::Tensor<'_>) -> String {
    tensor.to_string()[tensor.name().len() + 1..].replace(", ", ",")
}

/// A line for each kind, then its tensors; those whose names differ by numbers alone share a row.
impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [("missing", self.missing.len()), ("mismatched", self.mismatched.len())];
        let mut counts = vec![format!("{} tensors found", self.found)];
        counts.extend(kinds.iter().map(|(kind, count)| format!("{count} {kind}")));
        counts.push(format!("{} unexpected", self.unexpected.len()));
        writeln!(f, "{}", counts.join(", "))?;
        let missing = self.missing.iter().map(|(name, ty)| (name.as_str(), ty.to_string()));
        table(f, "missing", missing)?;
        let mismatched = self.mismatched.iter();
        let mismatched =
            mismatched.map(|(name, ty, found)| (name.as_str(), format!("{ty} is wanted, {found} is there")));
        table(f, "mismatched", mismatched)?;
        table(f, "unexpected", self.unexpected.iter().map(|(name, ty)| (name.as_str(), ty.clone())))
    }
}

fn table<'a>(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    rows: impl Iterator<Item = (&'a str, String)>,
) -> fmt::Result {
    let mut groups: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for (name, text) in rows {
        groups.entry((pattern(name), text)).or_default().push(name);
    }
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(f, "{kind}:")?;
    for ((pattern, text), names) in groups.iter().take(ROWS) {
        match &names[..] {
            [name] => writeln!(f, "  {name}  {text}")?,
            _ => writeln!(f, "  {pattern} ({} of them)  {text}", names.len())?,
        }
    }
    let more: usize = groups.values().skip(ROWS).map(Vec::len).sum();
    if more == 0 { Ok(()) } else { writeln!(f, "  and {more} more") }
}

/// The name with `*` for each part that is a number.
fn pattern(name: &str) -> String {
    let parts = name.split('.').map(|part| match part.bytes().all(|b| b.is_ascii_digit()) {
        true => "*",
        false => part,
    });
    parts.collect::<Vec<_>>().join(".")
}
