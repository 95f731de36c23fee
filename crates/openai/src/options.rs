use jarrah_serve::{LoadOptions, Pooling};
use jarrah_structured::{ReasoningFormat, ToolFormat};
use jarrah_tokenizer::chat::ChatValue;

/// The options of OpenAI's API.
///
/// ```
/// use jarrah_openai::ApiOptions;
/// let options = ApiOptions { names: vec!["tiny".into()], ..ApiOptions::default() };
/// assert!(options.page && !options.dev);
/// ```
pub struct ApiOptions {
    /// The names of the model; answers carry the first. Requests that name another model are refused. Without any, the model has
    /// the name that it was loaded by.
    pub names: Vec<String>,
    /// Whether there are routes that change and show the engine: `/pause`, `/resume`, `/is_paused`, `/sleep`, `/wake_up`,
    /// `/is_sleeping`, `/abort_requests`, `/reset_prefix_cache`, `/update_weights`, `/server_info`, `/v1/load_lora_adapter` and
    /// `/v1/unload_lora_adapter`.
    pub dev: bool,
    /// The options by which `/update_weights` reads a folder: those by which the served model was read.
    pub load: LoadOptions,
    /// Whether there is a page at `/`, where people chat with the model and see the engine's metrics.
    pub page: bool,
    /// The format in which the model writes tool calls; without it, requests that let the model call tools are refused.
    pub tools: Option<ToolFormat>,
    /// The format in which the model marks its reasoning, which answers to chats then have in a field of its own.
    pub reasoning: Option<ReasoningFormat>,
    /// Default variables of chat templates; `chat_template_kwargs` of a request override them.
    pub template_variables: Vec<(String, ChatValue)>,
    /// How the vector of a text is computed from those of its tokens.
    pub pooling: Pooling,
    /// The most logprobs that a request may ask for at one position.
    pub most_logprobs: usize,
    /// The most choices of a request, over all its prompts.
    pub most_choices: usize,
    /// The most texts in a request for embeddings, classes or scores.
    pub most_texts: usize,
    /// The most bytes of all files of `/v1/files` and `/v1/batches`; with 0 no file is kept.
    pub most_files: usize,
}

impl Default for ApiOptions {
    /// With the page; 64 MiB of files.
    fn default() -> ApiOptions {
        ApiOptions {
            names: Vec::new(),
            dev: false,
            load: LoadOptions::default(),
            page: true,
            tools: None,
            reasoning: None,
            template_variables: Vec::new(),
            pooling: Pooling::Last,
            most_logprobs: 20,
            most_choices: 1024,
            most_texts: 2048,
            most_files: 64 << 20,
        }
    }
}
