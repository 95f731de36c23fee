//! The text models that commands are given: a run, a folder of Hugging Face, or a GGUF file.

use std::path::Path;

use jarrah::Result;
use jarrah::array::{Array, DType, TreeExt};
use jarrah::formats::tokenizers::{CHAT_TEMPLATE, CHAT_TEMPLATES};
use jarrah::models::{DecoderConfig, ModelFamily, Pretrained, QuantizeRules};
use jarrah::run::{is_run, missing, resolve};
use jarrah::serve::{LoadOptions, Served, WeightsCache};
use jarrah::tokenizer::chat::{Chat, Template, Templates};
use jarrah::train::recipe::Recipe;

use crate::output::note;

/// Whether `path` is a model of Hugging Face or a GGUF file; any other path is taken for a run.
fn is_pretrained(path: &Path) -> bool {
    path.join("config.json").is_file() || (path.is_file() && !is_run(path))
}

/// Prints notes on entries of a model's files that have no effect.
pub fn tell(notes: &[String]) {
    notes.iter().for_each(|line| note(&format!("[{line}]")));
}

/// The chat templates of the model or run at `path`.
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

/// Messages one below the other, for models that learned text and no chats: they go on behind the last one.
const PLAIN: &str = "{% for message in messages %}{{ message['content'] }}{% if not loop.last %}{{ '\\n' }}{% endif %}{% endfor %}";

/// The plain templates for chats with a run that has no template, to be announced by [`say_plain`]; `None` for a model that is
/// no run, or a run that has templates, even damaged ones.
///
/// # Errors
/// The files of the run cannot be read.
pub fn plain_templates(path: &Path) -> Result<Option<Templates>> {
    if is_pretrained(path) || !is_run(path) {
        return Ok(None);
    }
    let folder = resolve(path)?;
    let has_file = [CHAT_TEMPLATE, CHAT_TEMPLATES].iter().any(|name| folder.join(name).exists());
    let config = std::fs::read_to_string(folder.join("tokenizer_config.json")).unwrap_or_default();
    if has_file || config.contains("\"chat_template\"") {
        return Ok(None);
    }
    Ok(Some(Templates::default().with("default", Template::new(PLAIN)?)))
}

/// Tells the user how a run without a template is given its messages.
pub fn say_plain(path: &Path) {
    note(&format!(
        "[{} has no template for chats: it is given the messages one below the other, and goes on behind the last]",
        path.display()
    ));
}

/// Whether templates write a message as it is, as [plain ones](plain_templates) do.
pub fn is_plain(templates: &Templates) -> bool {
    let words = "one message";
    let chat = Chat { add_generation_prompt: true, ..Chat::new([("user", words)]) };
    templates.render(&chat).is_ok_and(|written| written == words)
}

/// Where weights are kept in the form in which they are computed with: in up to so many bytes beside the programs, where these are kept.
pub fn weights_cache(bytes: u64) -> Option<WeightsCache> {
    let folder = std::env::var_os("JARRAH_CACHE").filter(|folder| !folder.is_empty() && bytes > 0)?;
    Some(WeightsCache { folder: Path::new(&folder).join("weights"), bytes })
}

/// The bytes of these files where nobody says another number.
pub const WEIGHTS_CACHE: u64 = 16 << 30;

/// Loads the model at `path` for serving: of a run the checkpoint of `step`, or the latest; of a model its adapter too, if one
/// is given.
pub fn served(
    path: &Path,
    adapter: Option<&Path>,
    step: Option<u64>,
    quantize: Option<QuantizeRules>,
) -> Result<Served> {
    let what = LoadOptions { step, adapter: adapter.map(Path::to_owned), dtype: None, quantize };
    Served::load(path, &what).inspect(|served| tell(&served.notes))
}

/// The longest sequences of a run with a published model, as its recipe says; where that says nothing, 512.
pub fn trained_length(run: &Path) -> Option<usize> {
    // A recipe that cannot be read is no reason not to take the weights.
    let recipe = Some(run).filter(|run| is_run(run)).and_then(|run| Recipe::of_run(run, &[]).ok());
    recipe.map(|recipe| recipe.model.context.unwrap_or(512))
}

/// Says of a model that sequences have at most so many tokens, where that changes nothing else of it: learned positions are as many as they are, and some rotations
/// depend on the number.
fn of_length(model: &mut Pretrained, length: usize) -> Result<()> {
    const KEY: &str = "max_position_embeddings";
    let mut json = model.json.clone();
    if length >= model.config.context || !json[KEY].is_u64() {
        return Ok(());
    }
    json[KEY] = length.into();
    let config = DecoderConfig { context: length, ..model.config.clone() };
    if ModelFamily::of(&json)?.config(&json)? == config {
        (model.config, model.json) = (config, json);
    }
    Ok(())
}

/// The weights of what is at `path`, in `dtype` or that of its files: of a run those of the latest checkpoint, with its adapters added to them. Weights that began at random know
/// sequences as long as those that they learned from. Notes on keys and tensors without effect are [told](tell).
pub fn pretrained(path: &Path, dtype: Option<DType>) -> Result<Pretrained> {
    if !path.exists() {
        return Err(missing(path));
    }
    if !is_run(path) {
        return Pretrained::load(path, dtype).inspect(|loaded| tell(&loaded.notes));
    }
    let mut trained = jarrah::run::pretrained(path, None)?;
    if let (None, Some(length)) = (jarrah::run::spec(path)?.base, trained_length(path)) {
        of_length(&mut trained, length)?;
    }
    if let Some(dtype) = dtype {
        trained.model = trained.model.map_leaves(|x: &Array| x.astype(dtype));
    }
    Ok(trained)
}
