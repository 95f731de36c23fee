//! The text models that commands are given: a run, a folder of Hugging Face, or a GGUF file.

use std::path::Path;

use jarrah::array::{Array, DType, TreeExt};
use jarrah::models::{Decoder, Pretrained};
use jarrah::serve::Generator;
use jarrah::serve::folder::{is_run, resolve};
use jarrah::tokenizer::chat::Templates;
use jarrah::{Error, Result};

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

/// A generator of what is at `path`: of a run the checkpoint of `step`, or the latest; of a model with an adapter, if there is one.
pub fn generator(path: &Path, adapter: Option<&Path>, step: Option<u64>) -> Result<Generator<Decoder>> {
    match (is_pretrained(path), adapter) {
        (true, Some(run)) if is_run(run) => {
            Err(Error::input(format!("{} is a run, no adapter of PEFT", run.display()))
                .help(format!("give the run in the place of the model, or its {}", run.join("adapter").display())))
        }
        (true, adapter) => Generator::pretrained(path, adapter),
        (false, None) if !path.exists() => Err(Error::input(format!("{} does not exist", path.display()))
            .help("name the folder of a run, such as runs/latest, or of a model on this machine: nothing is downloaded")),
        (false, None) => Generator::load(path, step),
        (false, Some(adapter)) => Err(Error::input(format!(
            "{} is a run, and {} an adapter of a model of Hugging Face",
            path.display(),
            adapter.display()
        ))
        .help("`jarrah model convert RUN FOLDER` makes a folder of the run, which takes adapters")),
    }
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
