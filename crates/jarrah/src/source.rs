//! The text models that commands are given: a run, a folder of Hugging Face, or a GGUF file.

use std::path::Path;

use jarrah::Result;
use jarrah::array::{Array, DType, TreeExt};
use jarrah::models::{Pretrained, QuantizeRules};
use jarrah::serve::folder::{is_run, resolve};
use jarrah::serve::{LoadOptions, Served, WeightsCache};
use jarrah::tokenizer::chat::Templates;

/// Whether `path` is a model of Hugging Face or a GGUF file; what is neither is taken for a run.
fn is_pretrained(path: &Path) -> bool {
    path.join("config.json").is_file() || (path.is_file() && !is_run(path))
}

/// The chat templates of what is at `path`.
pub fn templates(path: &Path) -> Result<Templates> {
    match is_pretrained(path) {
        false => Templates::load(&resolve(path)?),
        true if path.is_file() => {
            let files = Pretrained::files(path)?;
            Templates::from_files(|name| files.file(name))
        }
        true => Templates::load(path),
    }
}

/// Where weights are kept in the form in which they are computed with: in up to so many bytes beside the programs, where these are kept.
pub fn weights_cache(bytes: u64) -> Option<WeightsCache> {
    let folder = std::env::var_os("JARRAH_CACHE").filter(|folder| !folder.is_empty() && bytes > 0)?;
    Some(WeightsCache { folder: Path::new(&folder).join("weights"), bytes })
}

/// The bytes of these files where nobody says another number.
pub const WEIGHTS_CACHE: u64 = 16 << 30;

/// What is at `path` with all that belongs to it: of a run the checkpoint of `step`, or the latest; of a model with an adapter, if there is one.
pub fn served(
    path: &Path,
    adapter: Option<&Path>,
    step: Option<u64>,
    quantize: Option<QuantizeRules>,
) -> Result<Served> {
    Served::load(path, &LoadOptions { step, adapter: adapter.map(Path::to_owned), dtype: None, quantize })
}

/// The weights of what is at `path`, in `dtype` or that of its files: of a run those of the latest checkpoint, with its adapters added to them.
pub fn pretrained(path: &Path, dtype: Option<DType>) -> Result<Pretrained> {
    if !is_run(path) {
        return Pretrained::load(path, dtype);
    }
    let mut trained = jarrah::serve::pretrained(path, None)?;
    if let Some(dtype) = dtype {
        trained.model = trained.model.map_leaves(|x: &Array| x.astype(dtype));
    }
    Ok(trained)
}
