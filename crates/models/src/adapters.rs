//! Adapters of PEFT onto models, and from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jarrah_array::{Array, Error, Literal, Result, TreeExt};
use jarrah_formats::{Adapter, LowRank as Change, Tensor, lora_config, save_adapter};
use jarrah_nn::{
    Kind, Linear, Lora, LowRank, State, StaticFloat, Transposed, Variable, edit, parts, try_update,
};

use crate::architecture::names;
use crate::{Decoder, Family, Pretrained};

/// What PEFT, in families with experts, takes for the matrices of these wherever it is asked for by name: of other maps that are called so it has to be
/// asked for the weight.
const OF_EXPERTS: [&str; 7] = ["gate", "gate_proj", "up_proj", "down_proj", "w1", "w2", "w3"];

/// What an adapter of PEFT adds to one weight: `s B A` to the matrix `[outputs, inputs]` of a file.
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

/// Reads an adapter of PEFT, the folder of `adapter_config.json`, for the model that a `config.json` describes: weights that take the place of the
/// model's, by path, and what is added to others.
///
/// # Errors
/// A file is missing or wrong, or the adapter changes a weight that the model has not, or one that is a part of a joint matrix of the file (`Input`).
pub fn read_adapter(json: &serde_json::Value, folder: &Path) -> Result<(State, Vec<AdapterChange>)> {
    let within = |error: Error| error.context(format!("while reading {}", folder.display()));
    let adapter = Adapter::open(folder)?;
    let config = Family::of(json)?.config(json)?;
    let paths: BTreeMap<String, Option<String>> = names::<Decoder>(json, &config)?.into_iter().collect();
    let ours = |name: &str| match paths.get(name) {
        Some(Some(path)) => Ok(path.clone()),
        Some(None) => Err(within(Error::input(format!(
            "{name} is several weights here, and the adapter changes it as one"
        )))),
        None => Err(within(Error::input(format!("the adapter changes {name}, which the model has not")))),
    };
    let mut replaced = State::default();
    for tensor in adapter.replaced() {
        replaced.set(&ours(tensor.name())?, Array::from_literal(tensor.literal()?));
    }
    let mut changes = Vec::new();
    for change in adapter.low_rank().map_err(within)? {
        changes.push(AdapterChange {
            path: ours(&format!("{}.weight", change.module))?,
            a: Array::from_literal(change.a.literal()?),
            b: Array::from_literal(change.b.literal()?),
            module: change.module,
            scale: change.scale,
        });
    }
    Ok((replaced, changes))
}

impl Pretrained {
    /// Puts an adapter of PEFT, the folder of `adapter_config.json`, onto the weights that it names: each becomes a [`Lora`] over what it was, in the adapter's
    /// dtype.
    ///
    /// # Errors
    /// A file is missing or wrong, or the adapter changes a weight that the model has not, or one that is a part of a joint matrix of the
    /// file (`Input`).
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

    /// Writes the adapters of the model as a folder of PEFT.
    ///
    /// # Errors
    /// The model has none, they differ in rank or scale, or one is on a part of a joint matrix of the file (`Input`).
    pub fn save_adapter(&self, folder: impl AsRef<Path>) -> Result<()> {
        let theirs: BTreeMap<String, String> = names::<Decoder>(&self.json, &self.config)?
            .into_iter()
            .filter_map(|(name, path)| Some((path?, name)))
            .collect();
        let mut found: Vec<(String, Literal, Literal, f64)> = Vec::new();
        for (path, layer) in parts::<_, Linear>(&self.model, ..) {
            let Some(lora) = layer.weight.value::<Lora>() else { continue };
            let name = theirs.get(&format!("{path}.weight")).and_then(|name| name.strip_suffix(".weight"));
            let Some(name) = name else {
                return Err(Error::input(format!(
                    "{path} has an adapter, and its weight is a part of a matrix of the file"
                )));
            };
            let factor = |variable: &Variable| match variable.value::<Transposed>() {
                Some(transposed) => transposed.0.get().to_literal(),
                None => variable.get().t().to_literal(),
            };
            found.push((
                name.to_owned(),
                factor(&lora.adapter.a)?,
                factor(&lora.adapter.b)?,
                lora.scale.get(),
            ));
        }
        let rank = |a: &Literal| a.dims()[0];
        let Some((_, first, _, scale)) = found.first() else {
            return Err(
                Error::input("the model has no adapters").help("put them on by `edit` and `Lora::over`")
            );
        };
        let (first_rank, scale) = (rank(first), *scale);
        if let Some((name, ..)) =
            found.iter().find(|(_, a, _, other)| rank(a) != first_rank || *other != scale)
        {
            let error =
                Error::input(format!("the adapter of {name} has another rank or scale than the first one"));
            return Err(error.help("files of adapters have one for all"));
        }
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let is_mistaken =
            |name: &str| self.config.experts().is_some() && OF_EXPERTS.contains(&last(name).as_str());
        let (weights, modules): (Vec<&str>, Vec<&str>) =
            found.iter().map(|(name, ..)| name.as_str()).partition(|name| is_mistaken(name));
        let targets: BTreeSet<String> = modules.into_iter().map(last).collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        let mut config = lora_config(None, first_rank, scale * first_rank as f64, &targets);
        if !weights.is_empty() {
            config["target_parameters"] = weights.iter().map(|name| format!("{name}.weight")).collect();
        }
        let changes: Vec<Change<'_>> = found
            .iter()
            .map(|(module, a, b, scale)| Change {
                module: module.clone(),
                a: Tensor::of("", a),
                b: Tensor::of("", b),
                scale: *scale,
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
