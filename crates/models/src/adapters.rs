//! Adapters of PEFT onto models, and from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jarrah_array::{Array, Error, Literal, Result, TreeExt, Type};
use jarrah_formats::{Adapter, LowRankChange as Change, Tensor, lora_config, save_adapter};
use jarrah_nn::{
    Kind, Linear, Lora, LowRank, State, StaticFloat, Transposed, Variable, edit, parts, try_update,
};

use crate::architecture::{Matrix, Named, named};
use crate::{Decoder, ModelFamily, Pretrained};

/// The names that PEFT takes for matrices of experts in families with experts: other maps of these names are targeted by their
/// weights (`target_parameters`).
const OF_EXPERTS: [&str; 7] = ["gate", "gate_proj", "up_proj", "down_proj", "w1", "w2", "w3"];

/// The change of one weight by an adapter of PEFT: `s B A` added to its `[outputs, inputs]`, a matrix of a file or a part of a
/// matrix.
#[derive(Clone, Debug)]
pub struct AdapterChange {
    /// The path of the weight in the model.
    pub path: String,
    /// The module's name in the file.
    pub module: String,
    /// `[rank, inputs]`.
    pub a: Array,
    /// `[outputs, rank]`.
    pub b: Array,
    /// `s`.
    pub scale: f64,
}

/// Reads an adapter of PEFT, the folder of `adapter_config.json`, for the model that a `config.json` describes: weights that
/// replace the model's, by path, and changes that are added to others.
///
/// # Errors
/// A file is missing or wrong, or the adapter changes a weight that the model has not, or has another one in the place of several (`Input`).
pub fn read_adapter(json: &serde_json::Value, folder: &Path) -> Result<(State, Vec<AdapterChange>)> {
    let within = |error: Error| error.context(format!("while reading {}", folder.display()));
    let adapter = Adapter::open(folder)?;
    let config = ModelFamily::of(json)?.config(json)?;
    let tensors = named::<Decoder>(json, &config)?;
    let find = |name: &str| {
        let none = || within(Error::input(format!("the adapter changes {name}, which the model has not")));
        tensors.get(name).ok_or_else(none)
    };
    let several = |name: &str, how: &str| {
        within(Error::input(format!("{name} is several weights here, and the adapter {how} it as one")))
    };
    let mut replaced = State::default();
    for tensor in adapter.replaced() {
        let path = find(tensor.name())?.whole.as_ref().ok_or_else(|| several(tensor.name(), "has"))?;
        replaced.set(path, Array::from_literal(tensor.literal()?));
    }
    let mut changes = Vec::new();
    for change in adapter.low_rank().map_err(within)? {
        let name = format!("{}.weight", change.module);
        let Named { matrix, .. } = find(&name)?;
        let matrix = matrix.as_ref().ok_or_else(|| several(&name, "changes"))?;
        let (a, b) = (change.a.literal()?, change.b.literal()?);
        let mut push = |path: &str, a: Literal, b: Literal| {
            changes.push(AdapterChange {
                path: path.to_owned(),
                a: Array::from_literal(a),
                b: Array::from_literal(b),
                module: change.module.clone(),
                scale: change.scale,
            });
        };
        match matrix.only() {
            Some(path) => push(path, a, b),
            None => {
                if b.dims()[0] != matrix.outputs || b.dtype().bits() < 8 {
                    let error =
                        format!("{name} has {} outputs, and the adapter changes {}", matrix.outputs, b.ty());
                    return Err(within(Error::input(error)));
                }
                for (path, rows) in &matrix.parts {
                    if let Some((a, b)) = of_part(&a, &b, rows)? {
                        push(path, a, b);
                    }
                }
            }
        }
    }
    Ok((replaced, changes))
}

/// The factors `[rank, inputs]` and `[outputs, rank]` of a matrix for the part of it that these outputs are, without the ranks that do nothing to the part; none
/// where all do nothing.
fn of_part(a: &Literal, b: &Literal, outputs: &[usize]) -> Result<Option<(Literal, Literal)>> {
    let (rank, inputs, size) = (b.dims()[1], a.dims()[1], b.dtype().size());
    let number = |row: usize, column: usize| &b.bytes()[(row * rank + column) * size..][..size];
    let is_used =
        |column: &usize| outputs.iter().any(|&row| number(row, *column).iter().any(|&byte| byte != 0));
    let used: Vec<usize> = (0..rank).filter(is_used).collect();
    if used.is_empty() {
        return Ok(None);
    }
    let own: Vec<u8> = outputs
        .iter()
        .flat_map(|&row| used.iter().flat_map(move |&column| number(row, column)))
        .copied()
        .collect();
    let line = a.bytes().len() / rank;
    let rows: Vec<u8> = used.iter().flat_map(|&row| &a.bytes()[row * line..][..line]).copied().collect();
    Ok(Some((
        Literal::from_bytes(Type::tensor(a.dtype(), [used.len(), inputs]), &rows)?,
        Literal::from_bytes(Type::tensor(b.dtype(), [outputs.len(), used.len()]), &own)?,
    )))
}

/// An adapter of a part of a matrix: which outputs the part is, and the factors.
type OfPart<'a> = (&'a [usize], Literal, Literal);

/// The factors of a matrix with these adapters on parts of it: their ranks one behind the other, each of which changes the outputs of its part alone.
fn joined(matrix: &Matrix, parts: &[OfPart<'_>]) -> Result<(Literal, Literal)> {
    let Some((_, first, of_first)) = parts.first() else {
        return Err(Error::internal("a matrix of an adapter has a part"));
    };
    let (inputs, dtype) = (first.dims()[1], of_first.dtype());
    let rank: usize = parts.iter().map(|(_, a, _)| a.dims()[0]).sum();
    let rows: Vec<u8> = parts.iter().flat_map(|(_, a, _)| a.bytes()).copied().collect();
    let a = Literal::from_bytes(Type::tensor(first.dtype(), [rank, inputs]), &rows)?;
    let mut b = Literal::zeros(Type::tensor(dtype, [matrix.outputs, rank]))?;
    let (all, size, mut before) = (b.bytes_mut(), dtype.size(), 0);
    for (outputs, _, own) in parts {
        let width = own.dims()[1];
        for (row, &output) in outputs.iter().enumerate() {
            let numbers = &own.bytes()[row * width * size..][..width * size];
            all[(output * rank + before) * size..][..width * size].copy_from_slice(numbers);
        }
        before += width;
    }
    Ok((a, b))
}

/// The names by which PEFT finds these modules and none of the others that the model has: the last part of a name, or what of it stands behind the number of a layer.
fn targets<'n>(modules: &[&'n str], all: &[&str]) -> BTreeSet<&'n str> {
    fn last(name: &str) -> &str {
        name.rsplit('.').next().unwrap_or_default()
    }
    /// The part of the name behind its last number.
    fn tail(name: &str) -> &str {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let at = name.rmatch_indices('.').find(|(at, _)| is_number(last(&name[..*at])));
        at.map_or(name, |(at, _)| &name[at + 1..])
    }
    let own: BTreeSet<&str> = modules.iter().map(|name| tail(name)).collect();
    let is_apart =
        |name: &str| all.iter().any(|other| last(other) == last(name) && !own.contains(tail(other)));
    modules.iter().map(|name| if is_apart(name) { tail(name) } else { last(name) }).collect()
}

/// A number of JSON, whole where it can be.
fn number(x: f64) -> serde_json::Value {
    if x.fract() == 0.0 && x.abs() < 1e15 { (x as i64).into() } else { x.into() }
}

impl Pretrained {
    /// Puts an adapter of PEFT, the folder of `adapter_config.json`, onto the weights that it names: each becomes a [`Lora`] over what it was, in the adapter's
    /// dtype.
    ///
    /// # Errors
    /// A file is missing or wrong, or the adapter changes a weight that the model has not, or has another one in the place of several (`Input`).
    pub fn adapt(&mut self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        let within = |error: Error| error.context(format!("while reading {}", folder.display()));
        let (replaced, changes) = read_adapter(&self.json, folder)?;
        // First: the changes go onto these, too.
        self.model = try_update(&self.model, &replaced).map_err(within)?;
        for change in changes {
            let factor = |array: Array| -> Variable {
                Transposed::of(Variable::from(array).of_kind(Kind::LORA)).into()
            };
            let adapter = LowRank { a: factor(change.a), b: factor(change.b) };
            let mut fits = Ok(());
            edit(&mut self.model, change.path.as_str(), |_, weight: &mut Variable| {
                let (wanted, found) = (weight.shape(), [adapter.a.shape()[0], adapter.b.shape()[1]]);
                if wanted != found {
                    fits = Err(Error::input(format!(
                        "{} is {wanted:?}, and the adapter changes a matrix of {found:?}",
                        change.module
                    )));
                    return;
                }
                let lora = Lora {
                    base: weight.clone(),
                    adapter: adapter.clone(),
                    scale: StaticFloat::from(change.scale),
                };
                *weight = lora.into();
            });
            fits.map_err(within)?;
        }
        Ok(())
    }

    /// Writes the adapters of the model as a folder of PEFT. Those of the parts of a matrix of the file, such as queries, keys and values of GPT-2, are one there, with all their
    /// ranks, each of which changes the outputs of its part.
    ///
    /// # Errors
    /// The model has none, they differ in rank or scale, or the file has no matrix for one (`Input`).
    pub fn save_adapter(&self, folder: impl AsRef<Path>) -> Result<()> {
        let tensors = named::<Decoder>(&self.json, &self.config)?;
        let matrices = tensors
            .iter()
            .filter_map(|(name, tensor)| Some((name.strip_suffix(".weight")?, tensor.matrix.as_ref()?)));
        let matrices: BTreeMap<&str, &Matrix> = matrices.collect();
        let parts_of = |(name, matrix): (&&'_ str, &&'_ Matrix)| {
            let part =
                |(path, rows): &'_ (String, Vec<usize>)| (path.clone(), (name.to_string(), rows.clone()));
            matrix.parts.iter().map(part).collect::<Vec<_>>()
        };
        let owners: BTreeMap<String, (String, Vec<usize>)> = matrices.iter().flat_map(parts_of).collect();
        let mut first: Option<(usize, f64)> = None;
        let mut found: BTreeMap<&str, Vec<OfPart<'_>>> = BTreeMap::new();
        for (path, layer) in parts::<_, Linear>(&self.model, ..) {
            let Some(lora) = layer.weight.value::<Lora>() else { continue };
            let owner = owners.get(&format!("{path}.weight"));
            let (name, rows) = owner.ok_or_else(|| {
                Error::input(format!(
                    "{path} has an adapter, and its weight is no part of a matrix of the file"
                ))
            })?;
            let factor = |variable: &Variable| match variable.value::<Transposed>() {
                Some(transposed) => transposed.0.get().to_literal(),
                None => variable.get().t().to_literal(),
            };
            let (a, b, scale) = (factor(&lora.adapter.a)?, factor(&lora.adapter.b)?, lora.scale.get());
            if *first.get_or_insert((a.dims()[0], scale)) != (a.dims()[0], scale) {
                let error = format!("the adapter of {path} has another rank or scale than the first one");
                return Err(Error::input(error).help("files of adapters have one for all"));
            }
            found.entry(name.as_str()).or_default().push((rows.as_slice(), a, b));
        }
        let Some((rank, scale)) = first else {
            return Err(
                Error::input("the model has no adapters").help("put them on by `edit` and `Lora::over`")
            );
        };
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let is_mistaken =
            |name: &str| self.config.experts().is_some() && OF_EXPERTS.contains(&last(name).as_str());
        let (weights, modules): (Vec<&str>, Vec<&str>) = found.keys().partition(|name| is_mistaken(name));
        let all: Vec<&str> = matrices.keys().copied().collect();
        let wanted: Vec<&str> = targets(&modules, &all).into_iter().collect();
        let mut config = lora_config(None, rank, scale * rank as f64, &wanted);
        if !weights.is_empty() {
            config["target_parameters"] = weights.iter().map(|name| format!("{name}.weight")).collect();
        }
        let mut made: Vec<(&str, Literal, Literal)> = Vec::new();
        for (name, parts) in found {
            let Some(matrix) = matrices.get(name) else { continue };
            // PEFT transposes by this flag where a family stores matrices as inputs by outputs (Conv1D).
            if matrix.swapped {
                config["fan_in_fan_out"] = true.into();
            }
            let (a, b) = match (matrix.only(), parts.as_slice()) {
                (Some(_), [(_, a, b)]) => (a.clone(), b.clone()),
                _ => {
                    let (a, b) = joined(matrix, &parts)?;
                    // The scale is alpha over the rank, and stays what it was.
                    let rank = a.dims()[0];
                    config["rank_pattern"][name] = rank.into();
                    config["alpha_pattern"][name] = number(scale * rank as f64);
                    (a, b)
                }
            };
            made.push((name, a, b));
        }
        let changes: Vec<Change<'_>> = made
            .iter()
            .map(|(module, a, b)| Change {
                module: (*module).to_owned(),
                a: Tensor::of("", a),
                b: Tensor::of("", b),
                scale,
            })
            .collect();
        save_adapter(folder.as_ref(), &config, &changes, &[])
    }

    /// Adds the adapters to the weights that they are on, in the dtype of these: the model has the form of its family again.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::Pretrained;
    /// use jarrah_nn::{Linear, Lora, edit};
    /// let mut model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// edit(&mut model.model, "blocks.*.attention.{q,v}", |_, layer: &mut Linear| {
    ///     layer.weight = Lora::over(layer.weight.clone(), &Key::new(1), 2, 4.0).into();
    /// });
    /// assert!(model.tensors().is_err());
    /// model.merge_adapters();
    /// assert!(model.tensors().is_ok());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn merge_adapters(&mut self) {
        let has = self
            .model
            .leaves_with_paths()
            .into_iter()
            .any(|(path, _): (String, &Array)| path.contains(".adapter."));
        if !has {
            return;
        }
        edit(&mut self.model, .., |_, weight: &mut Variable| {
            let Some(lora) = weight.value::<Lora>() else { return };
            let (sum, base) = (weight.get(), lora.base.clone());
            *weight = match base.value::<Transposed>() {
                Some(_) => base.replaced(Transposed::of(sum.t())),
                None => base.replaced(sum),
            };
        });
    }
}
