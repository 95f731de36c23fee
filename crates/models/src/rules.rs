//! Which weights of a model are held in few bits, and how.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use jarrah_array::{Array, DType, Error, Result, TreeExt, Type, eval_shape, try_trace};
use jarrah_nn::{Experts, Filter, Kind, Linear, Variable, VariablePlace, edit, parts};
use jarrah_quant::{QuantizedTensor, ScaleBlock, Scheme, Values, quantize};

use crate::Architecture;

/// Which weights are quantized, by their places in a model, and by which [`Scheme`].
///
/// A text is rules, one a line or with commas between: `SCHEME` for every place that no other rule means, `PATTERN=SCHEME`, or `PATTERN=leave` for what stays as it is. The
/// first rule whose pattern means a place says what becomes of it. Patterns are those of [`Filter`], of paths as `jarrah model tree` shows them, and schemes have the
/// names that [`Scheme`] tells. Places are the maps ([`Linear`]) of the blocks, routers aside, and the matrices of experts; a pattern may take others,
/// such as the output layer, `head`; embeddings stay as they are, also where they are the output layer. Lines that begin with `#` say nothing.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_models::{Decoder, DecoderConfig, QuantizeRules};
/// let mut model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
/// let rules: QuantizeRules = "int4:16, head=int8, blocks.0.**=leave".parse()?;
/// rules.apply(&mut model)?;
/// assert_eq!(rules.plan(&model)?["blocks.1.mlp.up.weight"].to_string(), "int4:16");
/// let none: QuantizeRules = "blocks.9.**=int8".parse()?;
/// assert!(none.plan(&model).unwrap_err().to_string().contains("no weight at `blocks.9.**`"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone)]
pub struct QuantizeRules {
    rules: Vec<Rule>,
    /// Whether groups become smaller where a weight is no whole groups of its scheme.
    fits: bool,
}

#[derive(Clone)]
struct Rule {
    /// The pattern as it was written, and the filter that it means; `None` for all places that no other rule selects.
    places: Option<(String, Filter)>,
    /// The scheme; `None` leaves the weights as they are.
    scheme: Option<Scheme>,
}

impl From<Scheme> for QuantizeRules {
    fn from(scheme: Scheme) -> Self {
        QuantizeRules { rules: vec![Rule { places: None, scheme: Some(scheme) }], fits: false }
    }
}

impl FromStr for QuantizeRules {
    type Err = Error;

    /// # Errors
    /// There is no rule, or one is none (`Input`).
    fn from_str(text: &str) -> Result<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        let mut rules = Vec::new();
        for rule in lines.flat_map(separated).map(str::trim).filter(|rule| !rule.is_empty()) {
            let (places, scheme) = match rule.split_once('=') {
                // No scheme has a name like that.
                None if rule.contains(['*', '.', '{', ' ', '\t']) => {
                    return Err(Error::input(format!("`=` is missing in the rule `{rule}`"))
                        .help("write PATTERN=SCHEME, such as `blocks.*.mlp.**=int8`, or PATTERN=leave"));
                }
                None => (None, rule),
                Some((pattern, scheme)) => {
                    let pattern = pattern.trim();
                    let filter = try_trace(|| Filter::from(pattern)).map_err(|error| {
                        Error::input(error.message().to_owned())
                            .help("patterns are of paths: `blocks.*.attention.{q,k,v}`, `blocks.0.**`")
                    })?;
                    (Some((pattern.to_owned(), filter)), scheme.trim())
                }
            };
            let scheme = match scheme {
                name if name.eq_ignore_ascii_case("leave") => None,
                name => Some(
                    name.parse().map_err(|error: Error| error.context(format!("in the rule `{rule}`")))?,
                ),
            };
            rules.push(Rule { places, scheme });
        }
        if rules.is_empty() {
            return Err(Error::input("there is no rule of quantization")
                .help("write a scheme, `int8` or `int4:64`, or `PATTERN=SCHEME`"));
        }
        Ok(QuantizeRules { rules, fits: false })
    }
}

/// The parts of a line between commas, but not between commas within braces.
fn separated(line: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (at, c) in line.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth <= 0 => {
                all.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&line[start..]);
    all
}

impl fmt::Debug for QuantizeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As it is parsed.
impl fmt::Display for QuantizeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Rule { places, scheme }) in self.rules.iter().enumerate() {
            let scheme = scheme.map_or_else(|| "leave".to_owned(), |scheme| scheme.to_string());
            let between = if i == 0 { "" } else { ", " };
            match places {
                Some((pattern, _)) => write!(f, "{between}{pattern}={scheme}")?,
                None => write!(f, "{between}{scheme}")?,
            }
        }
        Ok(())
    }
}

/// A weight that may be held in few bits.
struct Candidate {
    path: String,
    /// The extent that products contract.
    rows: usize,
    /// Whether it is taken where no rule says anything of its place.
    by_default: bool,
}

/// The weights of a model that may be held in few bits.
fn candidates<M: Architecture>(model: &M) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut push = |path: String, weight: &Variable, by_default: bool| {
        let shape = weight.shape();
        if let &[.., rows, _] = &shape[..] {
            all.push(Candidate { path, rows, by_default });
        }
    };
    for (path, layer) in parts::<_, Linear>(model, ..) {
        let name = path.rsplit('.').next().unwrap_or_default();
        // Routers choose, which takes exact numbers and little time.
        let by_default = path.starts_with("blocks.") && !matches!(name, "router" | "shared_gate");
        push(format!("{path}.weight"), &layer.weight, by_default);
    }
    for (path, experts) in parts::<_, Experts>(model, ..) {
        let by_default = path.starts_with("blocks.");
        push(format!("{path}.gate_up"), &experts.gate_up, by_default);
        push(format!("{path}.down"), &experts.down, by_default);
    }
    all
}

/// The scheme with groups that `inputs` is a multiple of.
fn fitting(scheme: Scheme, inputs: usize) -> Scheme {
    match scheme.block {
        ScaleBlock::Group(size) if !inputs.is_multiple_of(size) => {
            let most = (1..=size).rev().find(|&size| inputs.is_multiple_of(size));
            scheme.groups_of(most.unwrap_or(1))
        }
        _ => scheme,
    }
}

impl QuantizeRules {
    /// The weights of a model that are quantized, each with its scheme, by their paths.
    ///
    /// # Errors
    /// A rule means no weight, a weight is no whole groups of its scheme, or a rule names the output layer of a model that has its embeddings in the place of one (`Input`).
    pub fn plan<M: Architecture>(&self, model: &M) -> Result<BTreeMap<String, Scheme>> {
        let candidates = candidates(model);
        let meant = |filter: &Filter, path: &str| {
            filter.accepts(&VariablePlace { path, kind: Kind::PARAMETER, types: &[], ty: None })
        };
        let leaves: Vec<(String, &Array)> = model.leaves_with_paths();
        let has_head = leaves.iter().any(|(path, _)| path.starts_with("head."));
        for Rule { places, scheme } in &self.rules {
            let Some((pattern, filter)) = places else { continue };
            // A pattern of any path, `**`, names no output layer.
            let names_head =
                pattern.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "head");
            if names_head && !has_head && meant(filter, "head.weight") {
                match scheme {
                    None => continue,
                    Some(scheme) => return Err(tied(pattern, *scheme)),
                }
            }
            if candidates.iter().any(|candidate| meant(filter, &candidate.path)) {
                continue;
            }
            let error = Error::input(format!("the model has no weight at `{pattern}` that can be quantized"));
            return Err(error.help(match leaves.iter().any(|(path, _)| meant(filter, path)) {
                true => "what is there is no map: embeddings, normalizations and biases stay as they are"
                    .to_owned(),
                false => {
                    let some: Vec<&str> = candidates.iter().take(3).map(|one| one.path.as_str()).collect();
                    format!("it has {} of them, such as {}", candidates.len(), some.join(", "))
                }
            }));
        }
        let mut plan = BTreeMap::new();
        for Candidate { path, rows, by_default } in candidates {
            let rule = self.rules.iter().find(|rule| match &rule.places {
                Some((_, filter)) => meant(filter, &path),
                None => false,
            });
            let rule = rule.or_else(|| self.rules.iter().find(|rule| rule.places.is_none() && by_default));
            let Some(scheme) = rule.and_then(|rule| rule.scheme) else { continue };
            let scheme = if self.fits { fitting(scheme, rows) } else { scheme };
            scheme.check_rows(rows).map_err(|error| {
                let place = path.strip_suffix(".weight").unwrap_or(&path).to_owned();
                error.context(format!("{place} cannot be {scheme}; `{place}=leave` is a rule that leaves it"))
            })?;
            plan.insert(path, scheme);
        }
        Ok(plan)
    }

    /// These rules with scales of `dtype` where their schemes have scales in `f32`: files have scales in the dtype of their
    /// numbers. NF4 keeps its own.
    #[must_use]
    pub fn with_scales(self, dtype: DType) -> Self {
        let of = |scheme: Scheme| match scheme.scale {
            DType::F32 if scheme.values != Values::Normal4 => scheme.scales(dtype),
            _ => scheme,
        };
        let rules = self.rules.iter().cloned();
        let rules = rules.map(|rule| Rule { scheme: rule.scheme.map(of), ..rule }).collect();
        QuantizeRules { rules, ..self }
    }

    /// These rules with smaller groups where a weight is no whole groups of its scheme: the largest number of inputs of which it is a multiple.
    #[must_use]
    pub fn fitting(self) -> Self {
        QuantizeRules { fits: true, ..self }
    }

    /// Quantizes the weights of a model in their places, one after another, by rounding to the nearest.
    ///
    /// # Errors
    /// As [`plan`](Self::plan); a weight is in few bits already, or has an infinity or a NaN (`Input`); the device failed.
    pub fn apply<M: Architecture>(&self, model: &mut M) -> Result<()> {
        let plan = self.plan(model)?;
        let mut failed = Ok(());
        edit(model, .., |path, weight: &mut Variable| {
            let Some(scheme) = plan.get(path).filter(|_| failed.is_ok()) else { return };
            if weight.value::<QuantizedTensor>().is_some() {
                failed = Err(already(path));
                return;
            }
            let numbers = weight.get();
            let value = check_finite(path, &numbers).and_then(|()| {
                rounded(&numbers, *scheme).map_err(|e| e.context(format!("while quantizing {path}")))
            });
            match value {
                Ok(value) => *weight = weight.replaced(value),
                Err(error) => failed = Err(error),
            }
        });
        failed
    }
}

/// Checks that the weight at `path` can be quantized: a block with an infinity or a NaN would stand for NaNs alone.
///
/// # Errors
/// The weight has an infinity or a NaN (`Input`).
pub(crate) fn check_finite(path: &str, weight: &Array) -> Result<()> {
    if weight.isfinite().all(..).item::<bool>()? {
        return Ok(());
    }
    let count = weight.isfinite().logical_not().astype(DType::I64).sum(..).item::<i64>()?;
    let error = format!("{path} has infinities or NaNs, {count} of its {} numbers", weight.size());
    let place = path.strip_suffix(".weight").unwrap_or(path);
    Err(Error::input(error).help(format!(
        "no code stands for them: compare the file with the original's; `{place}=leave` is a rule that leaves the weight as it is"
    )))
}

/// Checks all weights of a plan for infinities and NaNs.
///
/// # Errors
/// As [`check_finite`], of the first.
pub(crate) fn check_numbers<M: Architecture>(model: &M, plan: &BTreeMap<String, Scheme>) -> Result<()> {
    let weights = parts::<_, Variable>(model, ..).into_iter();
    let mut meant = weights
        .filter(|(path, weight)| plan.contains_key(path) && weight.value::<QuantizedTensor>().is_none());
    meant.try_for_each(|(path, weight)| check_finite(&path, &weight.get()))
}

/// The error that a rule names an output layer where embeddings are used as one.
fn tied(pattern: &str, scheme: Scheme) -> Error {
    let error = format!(
        "the rule `{pattern}={scheme}` names the output layer, but this model multiplies with its embeddings instead (tied embeddings), which stay as they are"
    );
    Error::input(error).help("leave `head` out of the rules, or write `head=leave`")
}

/// The error that a weight is in few bits already.
pub(crate) fn already(path: &str) -> Error {
    Error::input(format!("{path} is in few bits already")).help(
        "quantize the weights as they were first; where they are lost, `jarrah model convert IN OUT --dtype f32` writes a folder with numbers in the place of those in few bits; without --quantize these stay as they are",
    )
}

/// The types of the result of [`rounded`] for a weight of this type.
pub(crate) fn rounded_shape(ty: Type, scheme: Scheme) -> Result<QuantizedTensor> {
    try_trace(|| eval_shape(|weight| matrix_by_matrix(weight, scheme), &Array::abstracted(ty)))
}

/// A weight `[.., inputs, outputs]` in few bits, of which each matrix is quantized by itself.
pub(crate) fn matrix_by_matrix(weight: &Array, scheme: Scheme) -> QuantizedTensor {
    match weight.shape()[..] {
        [matrices, ..] if weight.rank() == 3 => {
            let each = (0..matrices).map(|at| quantize(&weight.slice(0, at..at + 1).squeeze(0), scheme));
            QuantizedTensor::stacked(&each.collect::<Vec<_>>())
        }
        _ => quantize(weight, scheme),
    }
}

/// A weight `[.., inputs, outputs]` in few bits, matrix by matrix, so that no more than one is there in wide numbers.
pub(crate) fn rounded(weight: &Array, scheme: Scheme) -> Result<QuantizedTensor> {
    let finished = |value: QuantizedTensor| -> Result<QuantizedTensor> {
        for leaf in TreeExt::<Array>::leaves(&value) {
            leaf.block_until_ready()?;
        }
        Ok(value)
    };
    match weight.shape()[..] {
        [matrices, ..] if weight.rank() == 3 => {
            let each =
                (0..matrices).map(|at| finished(quantize(&weight.slice(0, at..at + 1).squeeze(0), scheme)));
            finished(QuantizedTensor::stacked(&each.collect::<Result<Vec<_>>>()?))
        }
        _ => finished(quantize(weight, scheme)),
    }
}
