//! The names of the files in the folder of a run, and of the tensors in its checkpoints.

/// The file that makes a folder a run.
pub const MARKER: &str = "run.json";
/// The version of the layout of the folder.
pub const VERSION: u64 = 2;
/// The recipe.
pub const RECIPE: &str = "recipe.toml";
/// The model without its numbers: a [`ModelSpec`](jarrah_models::ModelSpec).
pub const MODEL: &str = "model.json";
/// The files of the text, with their hashes.
pub const MANIFEST: &str = "data.json";
/// The chat template.
pub const TEMPLATE: &str = jarrah_formats::tokenizers::CHAT_TEMPLATE;
/// The folder of checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
/// The metrics, a JSON object a line.
pub const METRICS: &str = "metrics.jsonl";
/// The beginning of the names of TensorBoard's event files.
pub const EVENTS: &str = "events.out.tfevents";
/// The texts that the model wrote on the way, a JSON object a line.
pub const SAMPLES: &str = "samples.jsonl";
/// The loss curve.
pub const CHART: &str = "loss.png";

/// The folder of runs that were given no name.
pub(crate) const RUNS: &str = "runs";
/// The link to the newest run in [`RUNS`].
pub(crate) const LATEST: &str = "latest";

/// The group of a checkpoint's tensors that are the parameters.
pub const PARAMETERS: &str = "params";
/// The group of a checkpoint's tensors that are the average of the parameters over the steps.
pub const AVERAGE: &str = "ema";

/// The name in a checkpoint of the tensor at a path of a tree: `params.blocks.0.w` is `params/blocks/0/w`.
///
/// ```
/// assert_eq!(jarrah_run::names::tensor("params.blocks.0.w"), "params/blocks/0/w");
/// ```
pub fn tensor(path: &str) -> String {
    path.replace('.', "/")
}

/// Whether a file of this name says how the model's texts are read and written, and so belongs to the folder of a run.
pub fn is_of_texts(name: &str) -> bool {
    jarrah_formats::tokenizers::is_of_tokenizer(name) || name == "generation_config.json"
}
