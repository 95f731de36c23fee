use std::fs;
use std::path::Path;

use jarrah_base::{Error, Result, files};
use serde_json::{Value, json};

use crate::folder::object;
use crate::safetensors::save_file;
use crate::shards::SaveOptions;
use crate::tensor::Tensor;
use crate::tensors::Tensors;

const CONFIG: &str = "adapter_config.json";
const WEIGHTS: &str = "adapter_model.safetensors";
/// The text that PEFT writes before the name of a module of the model.
const PREFIX: &str = "base_model.model.";
/// The text that PEFT inserts into the name of a model's tensor whose module has factors.
const BASE: &str = ".base_layer.";
/// The beginnings of factors, by `init_lora_weights`, under which the model's weights stay as they are.
const KEEP_THE_MODEL: [&str; 3] = ["gaussian", "eva", "orthogonal"];
const FACTORS: [&str; 2] = [".lora_A.weight", ".lora_B.weight"];

/// An adapter of PEFT: low-rank changes of a model's weights, `W + scale B A` (LoRA).
///
/// Source: Hu et al., *LoRA* (2021); `LoraConfig` and `save_pretrained` of PEFT.
pub struct Adapter {
    config: Value,
    tensors: Tensors,
}

/// The change of one module's weight, `scale B A`.
#[derive(Clone)]
pub struct LowRankChange<'a> {
    /// The module's name in the model: `model.layers.0.self_attn.q_proj`.
    pub module: String,
    /// The factor on the side of the inputs, `[rank, inputs]`.
    pub a: Tensor<'a>,
    /// The factor on the side of the outputs, `[outputs, rank]`.
    pub b: Tensor<'a>,
    /// alpha / rank, or alpha / sqrt(rank) where the ranks are stabilised.
    pub scale: f64,
}

impl Adapter {
    /// Reads the folder of an adapter: `adapter_config.json`, and `adapter_model.safetensors` or `.bin`.
    ///
    /// # Errors
    /// A file is missing or wrong; the adapter is none of LoRA, or changes more than `W + scale B A` says: the magnitudes of DoRA, biases of
    /// factors, embeddings (`Input`).
    pub fn open(folder: impl AsRef<Path>) -> Result<Adapter> {
        let folder = folder.as_ref();
        let path = folder.join(CONFIG);
        let text = fs::read(&path).map_err(|e| Error::io("read", &path, &e))?;
        let config = object(&text, &path)?;
        let kind = config["peft_type"].as_str().unwrap_or("nothing");
        if kind != "LORA" {
            return Err(Error::input(format!("{} is of an adapter of the kind {kind}", path.display()))
                .help("adapters of the kind LORA are read"));
        }
        let shown = folder.join("adapter_model");
        let weights = ["safetensors", "bin"].map(|extension| shown.with_extension(extension));
        let found = weights.iter().find(|path| path.exists()).unwrap_or(&weights[0]);
        let adapter = Adapter { config, tensors: Tensors::open(found)? };
        adapter.check().map_err(|e| e.context(format!("in {}", folder.display())))?;
        Ok(adapter)
    }

    /// Refuses what would give other numbers than PEFT's if it were left out.
    fn check(&self) -> Result<()> {
        const HELP: &str = "merge it with PEFT (`merge_and_unload`), and take the folder that this gives";
        // These begin with other weights of the model than those of its folder.
        let moved = self.config["init_lora_weights"].as_str().filter(|how| !KEEP_THE_MODEL.contains(how));
        if let Some(how) = moved {
            return Err(wrong(format!(
                "the adapter is onto the weights that init_lora_weights={how:?} makes of the model's"
            ))
            .help(HELP));
        }
        if !self.config["alora_invocation_tokens"].is_null() {
            return Err(wrong(
                "the adapter begins at alora_invocation_tokens, not at the first token".to_owned(),
            ));
        }
        let is_factor = |name: &str| FACTORS.iter().any(|end| name.ends_with(end));
        match self.tensors.iter().find(|tensor| tensor.name().contains(".lora_") && !is_factor(tensor.name()))
        {
            Some(other) => {
                Err(wrong(format!("{} is no factor of a weight's change B A", other.name())).help(HELP))
            }
            None => Ok(()),
        }
    }

    /// The content of `adapter_config.json`.
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// All tensors, by the names that PEFT has for them.
    pub fn tensors(&self) -> &Tensors {
        &self.tensors
    }

    /// The changes of weights, in the order of the file.
    ///
    /// # Errors
    /// A factor has no other, their ranks differ, or the configuration has no `lora_alpha` (`Input`).
    pub fn low_rank(&self) -> Result<Vec<LowRankChange<'_>>> {
        let mut changes = Vec::new();
        for tensor in self.tensors.iter() {
            let name = tensor.name().to_owned();
            let Some((module, side)) =
                FACTORS.iter().zip(0..).find_map(|(end, side)| Some((name.strip_suffix(end)?, side)))
            else {
                continue;
            };
            let other = format!("{module}{}", FACTORS[1 - side]);
            let other =
                self.tensors.get(&other).map_err(|_| wrong(format!("{name} is there, and no {other}")))?;
            if side == 1 {
                continue;
            }
            let (a, b) = (tensor, other);
            let rank = match (a.dims(), b.dims()) {
                ([rank, _], [_, columns]) if rank == columns && *rank > 0 => *rank,
                _ => return Err(wrong(format!("the factors {a} and {b} do not fit"))),
            };
            let module = module.strip_prefix(PREFIX).unwrap_or(module).to_owned();
            let scale = self.scale(&module, rank)?;
            changes.push(LowRankChange { module, a, b, scale });
        }
        Ok(changes)
    }

    /// Tensors that take the place of the model's own, such as a trained `lm_head`, by the model's names. Of a module with factors too it is what
    /// they are added to.
    pub fn replaced(&self) -> impl Iterator<Item = Tensor<'_>> {
        let whole = self.tensors.iter().filter(|tensor| !tensor.name().contains(".lora_"));
        whole.map(|tensor| {
            let name = tensor.name().strip_prefix(PREFIX).unwrap_or(tensor.name()).replace(BASE, ".");
            tensor.named(name)
        })
    }

    fn scale(&self, module: &str, rank: usize) -> Result<f64> {
        let mut alpha = self.config["lora_alpha"].as_f64();
        for (pattern, value) in self.config["alpha_pattern"].as_object().into_iter().flatten() {
            let pattern = pattern.strip_prefix('^').unwrap_or(pattern).replace("\\.", ".");
            if pattern.contains(['*', '+', '?', '[', '(', '|', '\\', '{', '$']) {
                return Err(wrong(format!("alpha_pattern has the pattern {pattern:?}"))
                    .help("names of modules, or their last parts, are understood"));
            }
            if module == pattern || module.ends_with(&format!(".{pattern}")) {
                alpha = value.as_f64();
                // As PEFT, which takes the first pattern that fits.
                break;
            }
        }
        let alpha = alpha.ok_or_else(|| wrong("lora_alpha is no number".to_owned()))?;
        let stabilised = self.config["use_rslora"].as_bool().unwrap_or(false);
        Ok(if stabilised { alpha / (rank as f64).sqrt() } else { alpha / rank as f64 })
    }
}

fn wrong(message: String) -> Error {
    Error::input(message).op("adapter")
}

/// The configuration of a new adapter of LoRA for a causal language model, as PEFT reads it; absent entries have PEFT's
/// defaults.
pub fn lora_config(base_model: Option<&str>, rank: usize, alpha: f64, target_modules: &[&str]) -> Value {
    json!({
        "base_model_name_or_path": base_model,
        "bias": "none",
        "fan_in_fan_out": false,
        "inference_mode": true,
        "lora_alpha": if alpha.fract() == 0.0 { json!(alpha as i64) } else { json!(alpha) },
        "lora_dropout": 0.0,
        "modules_to_save": null,
        "peft_type": "LORA",
        "r": rank,
        "target_modules": target_modules,
        "task_type": "CAUSAL_LM",
    })
}

/// Writes the folder of an adapter: its configuration, the factors of each change, and tensors that replace the model's own, by
/// the model's names. Scales follow from the configuration: the scales of the changes are not written.
///
/// # Errors
/// As [`save_file`]; factors do not fit each other (`Input`).
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::{Adapter, LowRankChange, Tensor, lora_config, save_adapter};
/// # let dir = tempfile::tempdir().unwrap();
/// # let folder = dir.path();
/// let (a, b) = (Literal::from_slice(&[1, 2], &[1f32, 2.0])?, Literal::from_slice(&[3, 1], &[1f32, 0.0, -1.0])?);
/// let change =
///     LowRankChange { module: "layers.0.q_proj".into(), a: Tensor::of("", &a), b: Tensor::of("", &b), scale: 4.0 };
/// save_adapter(folder, &lora_config(None, 1, 4.0, &["q_proj"]), &[change], &[])?;
/// let adapter = Adapter::open(folder)?;
/// let changes = adapter.low_rank()?;
/// assert_eq!((changes[0].module.as_str(), changes[0].scale), ("layers.0.q_proj", 4.0));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn save_adapter(
    folder: &Path,
    config: &Value,
    changes: &[LowRankChange<'_>],
    replaced: &[Tensor<'_>],
) -> Result<()> {
    let mut tensors = Vec::new();
    for LowRankChange { module, a, b, .. } in changes {
        match (a.dims(), b.dims()) {
            ([rank, _], [_, columns]) if rank == columns => {}
            _ => {
                return Err(wrong(format!(
                    "the factors of {module} do not fit: {:?} and {:?}",
                    a.dims(),
                    b.dims()
                )));
            }
        }
        tensors.extend(
            [a, b]
                .into_iter()
                .zip(FACTORS)
                .map(|(factor, end)| factor.clone().named(format!("{PREFIX}{module}{end}"))),
        );
    }
    tensors.extend(replaced.iter().map(|tensor| tensor.clone().named(format!("{PREFIX}{}", tensor.name()))));
    fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
    save_file(&folder.join(WEIGHTS), &tensors, &SaveOptions::default().metadata)?;
    files::replace(&folder.join(CONFIG), format!("{config:#}").as_bytes())
}
