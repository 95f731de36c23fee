use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use jarrah::models::QuantizeRules;
use jarrah::openai::{ReasoningFormat, ToolFormat};
use jarrah_base::Type;
use jarrah_base::memory::Bytes;
use jarrah_cpu::CpuClient;
use jarrah_cpu::threads::ThreadPool;

use crate::data::DataCommand;

/// Trains language models, generates text with them, and runs programs in StableHLO.
#[derive(Parser)]
#[command(name = "jarrah", version, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Trains a model; without arguments, a small one on the Rust sources in the local cargo registry.
    Train(Train),
    /// Generates text with the model of a run or a folder.
    Generate(Generate),
    /// Serves a model by OpenAI's HTTP API.
    Serve(Box<Serve>),
    /// Answers a file of requests in OpenAI's batch format.
    RunBatch(Box<RunBatch>),
    /// Talks with a model, in the terminal.
    Chat(Box<Talk>),
    /// Shows training runs in the browser: curves, settings and samples, while they go on.
    Dashboard(Dashboard),
    /// Measures a model: its perplexity on text, on the answers of chats, and what it answers exactly.
    Eval(Eval),
    /// Looks at the checkpoints of a run, and at those of Orbax.
    #[command(subcommand)]
    Checkpoint(Checkpoint),
    /// Looks at models, converts their files, and compares them.
    #[command(subcommand)]
    Model(ModelCommand),
    /// Looks at pipelines of data.
    #[command(subcommand)]
    Data(DataCommand),
    /// Lists the devices that programs can run on.
    Devices(Devices),
    /// Starts the processes of a run on this machine, which exchange values.
    Launch(Launch),
    /// Measures common work here, and in JAX and PyTorch where Python has them.
    Bench(Bench),
    /// Runs, checks, prints, compares and converts programs in StableHLO.
    #[command(subcommand)]
    Hlo(Hlo),
}

#[derive(Args)]
pub struct Launch {
    /// The number of processes. Each finds its own in $JARRAH_RANK, and the number of all in $JARRAH_WORLD_SIZE.
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub processes: u16,
    /// Prints lines of the processes as they are, not with the number of the process before each.
    #[arg(long)]
    pub plain: bool,
    /// The command of each process, and its arguments. The first process has the standard input, unless that is a terminal.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args)]
pub struct Train {
    /// A recipe (TOML), and keys to change in it: `steps=200 model.layers=6`.
    #[arg(value_name = "RECIPE.toml | key=value")]
    pub arguments: Vec<String>,
    /// Text to learn: files, folders, globs, .jsonl files with a field `text` or `content`; chats for `task=sft`.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub data: Vec<String>,
    /// The model to begin with: a folder of Hugging Face, a GGUF file, or a published shape by name; the same as `model.name=`.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The folder of the run [default: the next number in runs/].
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// Go on with this run. A checkpoint of Orbax that a JAX program saved (MaxText, a model in Flax NNX) begins a run with its weights: --model says of which shape
    /// and with which tokenizer.
    #[arg(long, value_name = "RUN | ORBAX")]
    pub resume: Option<PathBuf>,
    /// Go on from this checkpoint; those after it are removed [default: the latest]. Of a folder that Orbax's manager wrote, the step to take [default: the last].
    #[arg(long, requires = "resume", value_parser = whole::<u64>)]
    pub step: Option<u64>,
    /// A file of rules that give leaves of a JAX program names of MaxText, Tunix or Hugging Face, one a line: `params.Block_*.up.kernel -> model.layers.*.mlp.up_proj.kernel`.
    #[arg(long, value_name = "FILE", requires = "resume")]
    pub rename: Option<PathBuf>,
    /// Show every key of a recipe with its value, and end; `--keys=toml` shows a recipe file.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    pub keys: Option<Keys>,
    /// Show the meaning of every key of a recipe; short for `--keys`.
    #[arg(long, conflicts_with = "keys")]
    pub help_recipe: bool,
}

/// How the keys of a recipe are shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Keys {
    Table,
    Toml,
}

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Generate {
    /// The folder of a run, runs/latest, or of a model of Hugging Face, or a GGUF file.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The folder of an adapter of PEFT for a model of Hugging Face.
    #[arg(long, value_name = "DIR")]
    pub adapter: Option<PathBuf>,
    /// Hold weights in few bits: a scheme (int8, int4, int4:64, uint4, fp8, mxfp4, nf4, w8a8), or rules with commas between, of which the first that means a place
    /// says, and a bare scheme is for all others: `blocks.0.**=leave, blocks.*.mlp.down=int8, int4`.
    #[arg(long, value_name = "SCHEME | RULES", value_parser = rules)]
    pub quantize: Option<QuantizeRules>,
    /// The prompt is a message to a model that chats: it is written by the model's template, special tokens and all.
    #[arg(long)]
    pub chat: bool,
    /// The text to go on from; `-` reads it from the standard input as it is [default: the start of a document]. For a model without a
    /// tokenizer the ids of tokens, as "[1, 2, 3]".
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub prompt: String,
    /// The most tokens to generate. Where the model's context is full, the text goes on from its newer half.
    #[arg(long, default_value_t = 200, value_parser = whole::<usize>)]
    pub max_tokens: usize,
    /// 0 takes the likeliest token, 1 samples from the model's distribution.
    #[arg(long, default_value_t = 0.8)]
    pub temperature: f64,
    /// Sample among the k likeliest tokens; 0 among all.
    #[arg(long, default_value_t = 50, value_parser = whole::<usize>)]
    pub top_k: usize,
    /// Sample among the likeliest tokens that have this probability together.
    #[arg(long, default_value_t = 0.95)]
    pub top_p: f64,
    /// The same seed gives the same text.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// End before this text; may be given several times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub stop: Vec<String>,
    /// The checkpoint to use [default: the latest].
    #[arg(long, value_parser = whole::<u64>)]
    pub step: Option<u64>,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
}

/// The headings of the help of what runs an engine, by what flags are about.
const MODEL: &str = "Model";
const MEMORY: &str = "Memory and scheduling";
const QUANTIZED: &str = "Quantization";
const ADAPTERS: &str = "Adapters";
const DRAFTS: &str = "Drafts";
const ANSWERS: &str = "Chats, tools and sampling";
const HTTP: &str = "HTTP";
const SECURITY: &str = "Security";
const OBSERVED: &str = "Observability";

#[derive(Args)]
pub struct Serve {
    /// The folder of a run, runs/latest, or of a model of Hugging Face, or a GGUF file.
    #[arg(value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// The same as RUN, where that is not given.
    #[arg(long, value_name = "RUN", hide = true)]
    pub model: Option<PathBuf>,
    /// A file of flags, YAML or JSON: `port: 9000`, `served-model-name: [a, b]`. A flag of the command line wins.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArguments,

    /// The address to listen at; 0.0.0.0 lets other machines in.
    #[arg(long, help_heading = HTTP, default_value = "127.0.0.1")]
    pub host: String,
    /// The port to listen at; 0 takes a free one, which is printed.
    #[arg(long, help_heading = HTTP, default_value_t = 8000, value_parser = port)]
    pub port: u16,
    /// Listen at this socket in the file system instead.
    #[arg(long, help_heading = HTTP, value_name = "PATH", conflicts_with_all = ["host", "port"])]
    pub uds: Option<PathBuf>,
    /// Keys, one of which a request must carry as `Authorization: Bearer KEY`; so must it with $JARRAH_API_KEY.
    #[arg(long, help_heading = SECURITY, num_args = 1.., value_name = "KEY")]
    pub api_key: Vec<String>,
    /// The certificates by which the server speaks HTTPS, in PEM; in a build with `--features tls`.
    #[arg(long, help_heading = SECURITY, value_name = "FILE", requires = "ssl_keyfile", conflicts_with = "uds")]
    pub ssl_certfile: Option<PathBuf>,
    /// The key of the first of these.
    #[arg(long, help_heading = SECURITY, value_name = "FILE", requires = "ssl_certfile")]
    pub ssl_keyfile: Option<PathBuf>,
    /// Origins whose pages may ask; * is all of them. A list in JSON is taken, too.
    #[arg(long, help_heading = SECURITY, num_args = 1.., value_name = "ORIGIN")]
    pub allowed_origins: Vec<String>,
    /// Names by which requests may reach the server, as where a proxy stands before it: chat.example, *.chat.example, * for all. A server at 127.0.0.1 without a key
    /// answers to addresses, localhost and these alone, so that no page of another name reads its answers.
    #[arg(long, help_heading = SECURITY, num_args = 1.., value_name = "NAME", conflicts_with = "uds")]
    pub allowed_hosts: Vec<String>,
    /// The most bytes of a request's body.
    #[arg(long, help_heading = HTTP, value_name = "BYTES", default_value = "8MiB", value_parser = bytes)]
    pub max_body: Bytes,
    /// The most bytes of the files that /v1/files and /v1/batches keep in memory; 0 keeps none.
    #[arg(long, help_heading = HTTP, value_name = "BYTES", default_value = "64MiB", value_parser = bytes)]
    pub max_files: Bytes,
    /// The most connections.
    #[arg(long, help_heading = HTTP, default_value_t = 1024, value_parser = some)]
    pub max_connections: usize,
    /// Finish what runs, batches too, for so many seconds after the first Ctrl-C or SIGTERM; a second one ends at once.
    #[arg(long, help_heading = HTTP, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u64>)]
    pub shutdown_timeout: u64,
    /// Send a span of each request there, by OTLP in JSON over HTTP: http://127.0.0.1:4318/v1/traces.
    #[arg(long, help_heading = OBSERVED, value_name = "URL")]
    pub otlp_traces_endpoint: Option<String>,
    /// Write a line for each request to the standard error: `request`, and as NAME=VALUE its id, request_id, route, status, prompt_tokens, cached_tokens, answer_tokens, finish
    /// (the reason, or disconnected, refused, error), first_s and whole_s, the seconds to the first token and to the end. Texts are not written.
    #[arg(long, help_heading = OBSERVED)]
    pub enable_log_requests: bool,
    /// No page at /, where people chat with the model and see what the engine does.
    #[arg(long, help_heading = HTTP)]
    pub no_page: bool,
    /// Routes that change the engine: /pause, /resume, /sleep, /wake_up, /abort_requests, /update_weights, /server_info, ...
    #[arg(long, help_heading = HTTP)]
    pub dev_mode: bool,
}

#[derive(Args)]
pub struct RunBatch {
    /// The requests, in OpenAI's batch format: {"custom_id", "method": "POST", "url": "/v1/chat/completions", "body"} in each line.
    #[arg(value_name = "IN.jsonl", required_unless_present = "input_file")]
    pub input: Option<PathBuf>,
    /// The answers, in the order of the requests. Until all are there they stand in FILE.partial; begun anew, the batch goes on from them.
    #[arg(value_name = "OUT.jsonl", required_unless_present = "output_file")]
    pub output: Option<PathBuf>,
    /// The same as IN.jsonl.
    #[arg(short, long, value_name = "FILE", conflicts_with = "input")]
    pub input_file: Option<PathBuf>,
    /// The same as OUT.jsonl.
    #[arg(short, long, value_name = "FILE", conflicts_with = "output")]
    pub output_file: Option<PathBuf>,
    /// The folder of a run, runs/latest, or of a model of Hugging Face, or a GGUF file.
    #[arg(long, value_name = "RUN")]
    pub model: PathBuf,
    /// A file of flags, YAML or JSON. A flag of the command line wins.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Talk {
    /// The folder of a run, runs/latest, or of a model of Hugging Face, or a GGUF file.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The system message: instructions to the model, ahead of the conversation.
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// A conversation to go on with, as /save writes it.
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// The most tokens of an answer, also more than the context has room for [default: as many as it has room for].
    #[arg(long, value_name = "N", value_parser = some)]
    pub max_tokens: Option<usize>,
    /// 0 takes the likeliest token, 1 samples from the model's distribution [default: the model's].
    #[arg(long)]
    pub temperature: Option<f64>,
    /// Sample among the k likeliest tokens; 0 among all [default: the model's].
    #[arg(long, value_parser = whole::<usize>)]
    pub top_k: Option<usize>,
    /// Sample among the likeliest tokens that have this probability together [default: the model's].
    #[arg(long)]
    pub top_p: Option<f64>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// The model to serve, the resources of its engine, and the defaults of its answers.
#[derive(Args)]
pub struct EngineArguments {
    /// The checkpoint of a run to use [default: the latest].
    #[arg(long, help_heading = MODEL, value_parser = whole::<u64>)]
    pub step: Option<u64>,
    /// The names of the model for requests; answers carry the first [default: RUN].
    #[arg(long, help_heading = MODEL, num_args = 1.., value_name = "NAME")]
    pub served_model_name: Vec<String>,
    /// The dtype of the weights, f16, bf16, f32 or f64; `auto` is that of the files.
    #[arg(long, help_heading = MODEL, value_name = "DTYPE", default_value = "auto", value_parser = weights)]
    pub dtype: OrAuto,
    /// Hold weights in few bits: a scheme (int8, int4, int4:64, uint4, fp8, mxfp4, nf4, w8a8), or rules with commas between, of which the first that means a place
    /// says, and a bare scheme is for all others: `blocks.0.**=leave, blocks.*.mlp.down=int8, int4`.
    #[arg(long, help_heading = QUANTIZED, value_name = "SCHEME | RULES", value_parser = rules)]
    pub quantize: Option<QuantizeRules>,
    /// How a checkpoint is quantized, by vLLM's names (awq, gptq, compressed-tensors, mxfp4), which is checked; fp8 or
    /// bitsandbytes (nf4) quantizes a checkpoint that is not quantized.
    #[arg(long, help_heading = QUANTIZED, value_name = "METHOD", conflicts_with = "quantize")]
    pub quantization: Option<String>,
    /// The most tokens of a prompt and its answer, also as 8k (8000) or 8K (8192); `auto` is as many as the model was made for, and memory for keys and
    /// values has room for.
    #[arg(long, help_heading = MODEL, value_name = "TOKENS", default_value = "auto", value_parser = length, allow_hyphen_values = true)]
    pub max_model_len: Length,
    /// The most answers that are computed at a time.
    #[arg(long, help_heading = MEMORY, default_value_t = 64, value_parser = some)]
    pub max_num_seqs: usize,
    /// The most tokens that a step computes, also as 2k or 2K.
    #[arg(long, help_heading = MEMORY, default_value_t = 512, value_parser = tokens)]
    pub max_num_batched_tokens: usize,
    /// The most answers that wait; a further request is refused.
    #[arg(long, help_heading = MEMORY, default_value_t = 4096, value_parser = some)]
    pub max_num_queued_reqs: usize,
    /// The dtype of keys and values, f16, bf16, f32, int8 or fp8 (fp8_e4m3, fp8_e5m2), those of 8 bits with a scale for each vector; `auto` is that of the weights.
    #[arg(long, help_heading = QUANTIZED, value_name = "DTYPE", default_value = "auto", value_parser = cached)]
    pub kv_cache_dtype: OrAuto,
    /// Memory for keys and values [default: what all answers need, or an eighth of what there is].
    #[arg(long, help_heading = MEMORY, value_name = "BYTES", value_parser = memory)]
    pub kv_cache_memory_bytes: Option<Bytes>,
    /// Tokens of a page of keys and values.
    #[arg(long, help_heading = MEMORY, default_value_t = 64, value_parser = some)]
    pub block_size: usize,
    /// Compute every prompt anew, also what earlier ones began with.
    #[arg(long, help_heading = MEMORY)]
    pub no_enable_prefix_caching: bool,
    /// Keep keys and values of prompts in files of this folder when their pages go to others, and when the server ends; prompts that begin so read them, also after
    /// a restart.
    #[arg(long, help_heading = MEMORY, value_name = "DIR")]
    pub kv_offload: Option<PathBuf>,
    /// The most bytes of these files; those used longest ago go.
    #[arg(long, help_heading = MEMORY, value_name = "BYTES", default_value = "16GiB", value_parser = bytes, requires = "kv_offload")]
    pub kv_offload_bytes: Bytes,
    /// The folder of an adapter of PEFT for a model of Hugging Face.
    #[arg(long, help_heading = ADAPTERS, value_name = "DIR")]
    pub adapter: Option<PathBuf>,
    /// Leave room for adapters of PEFT, which requests name by their `model`: for one, or as many as --max-loras says or --lora-modules has. Both ask for it, too.
    #[arg(long, help_heading = ADAPTERS)]
    pub enable_lora: bool,
    /// The most adapters that requests name at a time, in one batch [default: as many as --lora-modules has, or 1 with --enable-lora].
    #[arg(long, help_heading = ADAPTERS, value_parser = some)]
    pub max_loras: Option<usize>,
    /// The highest rank of these.
    #[arg(long, help_heading = ADAPTERS, default_value_t = 16, value_parser = some)]
    pub max_lora_rank: usize,
    /// Adapters to load, for requests whose `model` is NAME.
    #[arg(long, help_heading = ADAPTERS, num_args = 1.., value_name = "NAME=DIR", value_parser = named)]
    pub lora_modules: Vec<(String, PathBuf)>,
    /// A smaller model of the same tokens, that drafts what this one then verifies; answers stay the same.
    #[arg(long, help_heading = DRAFTS, value_name = "PATH")]
    pub draft: Option<PathBuf>,
    /// How tokens are drafted, in JSON: from the text itself, {"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 5,
    /// "prompt_lookup_min": 2}, or by a model, {"model": "PATH", "num_speculative_tokens": 5}.
    #[arg(long, help_heading = DRAFTS, value_name = "JSON")]
    pub speculative_config: Option<String>,
    /// How the model writes calls of tools, by the names of vLLM's parsers; without it, requests that let the model call tools are refused.
    #[arg(long, help_heading = ANSWERS, value_name = "NAME", value_parser = PossibleValuesParser::new(ToolFormat::names()))]
    pub tool_call_parser: Option<String>,
    /// Let the model call tools where it likes to, which --tool-call-parser allows anyway.
    #[arg(long, help_heading = ANSWERS)]
    pub enable_auto_tool_choice: bool,
    /// How the model marks its reasoning, by the names of vLLM's parsers; answers to chats have it apart.
    #[arg(long, help_heading = ANSWERS, value_name = "NAME", value_parser = PossibleValuesParser::new(ReasoningFormat::names()))]
    pub reasoning_parser: Option<String>,
    /// The vector that stands for a text: its last token's, its first's, or their mean [default: last; of encoders what their folder says, or first].
    #[arg(long, help_heading = MODEL, value_name = "OF")]
    pub pooling: Option<Pooled>,
    /// Compile programs, and take memory for keys and values, when they are needed first, and not before the first request.
    #[arg(long, help_heading = MODEL)]
    pub no_warm_up: bool,
    /// The most bytes of the files in $JARRAH_CACHE/weights, which have weights in the form in which they are computed with: a later start maps them, and neither
    /// reads, quantizes nor packs. Those used longest ago go; 0 keeps none.
    #[arg(long, help_heading = MODEL, value_name = "BYTES", default_value = "16GiB", value_parser = memory)]
    pub weights_cache_bytes: Bytes,

    /// The seed of requests that have none: the same request has the same answer [default: another for each].
    #[arg(long, help_heading = ANSWERS, value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// A file with the template of chats [default: the model's].
    #[arg(long, help_heading = ANSWERS, value_name = "FILE")]
    pub chat_template: Option<PathBuf>,
    /// Variables of chat templates that hold where requests do not set them, in JSON: {"enable_thinking": false}.
    #[arg(long, help_heading = ANSWERS, value_name = "JSON")]
    pub default_chat_template_kwargs: Option<String>,
    /// Defaults of sampling for requests: `auto` takes them from the model's generation_config.json, `none` takes none.
    #[arg(long, help_heading = ANSWERS, value_name = "FROM", default_value = "auto")]
    pub generation_config: Generation,
    /// Further defaults of sampling, in JSON: {"temperature": 0.6, "top_p": 0.95, "top_k": 20}.
    #[arg(long, help_heading = ANSWERS, value_name = "JSON")]
    pub override_generation_config: Option<String>,
    /// The most logprobs of a position.
    #[arg(long, help_heading = ANSWERS, default_value_t = 20, value_parser = logprobs, allow_hyphen_values = true)]
    pub max_logprobs: usize,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, help_heading = MODEL, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
}

/// Which vector stands for a text.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Pooled {
    Last,
    First,
    Mean,
}

/// Where the parameters of requests that say nothing come from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Generation {
    /// The model's `generation_config.json`.
    Auto,
    /// Nowhere: every token is as likely as the model says.
    #[value(alias = "vllm")]
    None,
}

#[derive(Args)]
pub struct Dashboard {
    /// Folders of runs, or folders that have some, in which new ones are found.
    #[arg(value_name = "RUN", default_value = "runs")]
    pub runs: Vec<PathBuf>,
    /// The address to listen at; 0.0.0.0 lets other machines in, and asks them for no key.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The port to listen at; 0 takes a free one, which is printed.
    #[arg(long, default_value_t = 6006, value_parser = port)]
    pub port: u16,
    /// A name by which browsers may reach it at 127.0.0.1, beside localhost, as where a proxy stands before it; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub allowed_hosts: Vec<String>,
}

#[derive(Args)]
pub struct Eval {
    /// The folder of a run, runs/latest, or of a model of Hugging Face, or a GGUF file.
    #[arg(value_name = "RUN")]
    pub model: PathBuf,
    /// The folder of an adapter of PEFT for a model of Hugging Face.
    #[arg(long, value_name = "DIR")]
    pub adapter: Option<PathBuf>,
    /// Hold weights in few bits: a scheme (int8, int4, int4:64, uint4, fp8, mxfp4, nf4, w8a8), or rules with commas between, of which the first that means a place
    /// says, and a bare scheme is for all others: `blocks.0.**=leave, blocks.*.mlp.down=int8, int4`.
    #[arg(long, value_name = "SCHEME | RULES", value_parser = rules)]
    pub quantize: Option<QuantizeRules>,
    /// Text: files, folders, globs, .jsonl files with a field `text` or `content`.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub data: Vec<String>,
    /// Chats, as `train task=sft` reads them: their answers count.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub chats: Vec<String>,
    /// Questions with their answers, a .jsonl of prompt, question or messages, and answer.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// The most tokens of an answer.
    #[arg(long, default_value_t = 64, value_parser = whole::<usize>)]
    pub max_tokens: usize,
    /// The length of sequences [default: 512, or the model's].
    #[arg(long, value_parser = whole::<usize>)]
    pub context: Option<usize>,
    /// Sequences at once.
    #[arg(long, default_value_t = 4, value_parser = whole::<usize>)]
    pub batch: usize,
    /// The checkpoint of a run to use [default: the latest].
    #[arg(long, value_parser = whole::<u64>)]
    pub step: Option<u64>,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// One object in JSON.
    #[arg(long)]
    pub json: bool,
}

/// A format that checkpoints are converted to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One file of safetensors.
    Safetensors,
    /// A checkpoint of Orbax.
    Orbax,
    /// A file of flax.serialization.
    Flax,
}

/// A distance: a number that is not negative.
fn distance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number >= 0.0);
    number.ok_or_else(|| format!("{text:?} is no number from 0 on"))
}

#[derive(Subcommand)]
pub enum Checkpoint {
    /// Lists them.
    List {
        /// The folder of a run, or of a manager of checkpoints.
        run: PathBuf,
    },
    /// Reads every byte and compares every checksum: of all checkpoints of a run or of a manager's folder, of a checkpoint of Orbax, or of a file of weights.
    Verify {
        /// The folder of a run, of a manager of checkpoints or of a checkpoint, or a file.
        path: PathBuf,
        /// This checkpoint of a folder of several alone.
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
    },
    /// One line over parameters, optimizer state and data position at a step.
    Hash {
        /// The folder of a run, or of a manager of checkpoints.
        run: PathBuf,
        /// The checkpoint [default: the latest].
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
    },
    /// Lists the leaves with their types, shapes, sizes and shardings, whatever wrote them: a run, Orbax, safetensors, GGUF, `torch.save`, Flax.
    Show {
        /// The folder of a run, of a manager of checkpoints (its latest one) or of a checkpoint, or a file.
        path: PathBuf,
        /// The checkpoint of a folder of several [default: the latest].
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
        /// Reads all values, and tells the least, the largest, the mean and the spread of each.
        #[arg(long)]
        stats: bool,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the differences of two: leaves that one lacks, types, elements. The exit status is 1 where there are any.
    Diff {
        /// The folder of a run or of a manager of checkpoints (its latest one) or of a checkpoint, or a file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
        /// The checkpoint of each folder of several [default: the latest].
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
        /// How far apart two elements may be that count as equal.
        #[arg(long, default_value_t = 0.0, value_parser = distance)]
        tolerance: f64,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Takes an array out, or prints a text.
    Get {
        /// The folder of a run, of a manager of checkpoints (its latest one) or of a checkpoint, or a file.
        path: PathBuf,
        /// The leaf: its keys with dots between them; where a checkpoint of Orbax has several trees, the name of the item first.
        leaf: String,
        /// The checkpoint of a folder of several [default: the latest].
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
        /// The safetensors file to write the array to.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Writes the leaves in another format, with other names or in another float type.
    Convert {
        /// The folder of a run, of a manager of checkpoints (its latest one) or of a checkpoint, or a file.
        from: PathBuf,
        /// The file or folder to write, which is not there yet: a name in .safetensors or .msgpack is a file, another a checkpoint of Orbax.
        to: PathBuf,
        /// The format [default: by the name].
        #[arg(long = "to", value_name = "FORMAT")]
        format: Option<Target>,
        /// A file of rules `params.layers_*.kernel -> layers.*.weight`, one a line; `-` behind the arrow drops the leaves, `: split 1`, `: stack 0`, `: reshape 4,-1` and
        /// other steps behind them make leaves of others.
        #[arg(long, value_name = "FILE")]
        rename: Option<PathBuf>,
        /// The type that float arrays get.
        #[arg(long, value_parser = float)]
        dtype: Option<jarrah_base::DType>,
        /// The checkpoint of a folder of several [default: the latest].
        #[arg(long, value_parser = whole::<u64>)]
        step: Option<u64>,
    },
    /// Removes the checkpoints of a run, of a manager's folder or of one that Orbax's manager wrote, that no rule keeps.
    Prune {
        /// The folder of a run, or of checkpoints by step, whatever these are called.
        path: PathBuf,
        /// Keeps so many of the highest steps.
        #[arg(long, value_name = "N", value_parser = some)]
        keep: Option<usize>,
        /// Keeps the steps that the number divides.
        #[arg(long, value_name = "N", value_parser = some)]
        every: Option<usize>,
        /// Keeps the one with the lowest value of a metric.
        #[arg(long, value_name = "METRIC")]
        best: Option<String>,
        /// The highest value is the best.
        #[arg(long, requires = "best")]
        highest: bool,
        /// Tells what would be removed, and removes nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Removes a checkpoint, a damaged one too.
    Remove {
        /// The folder of a run, or of a manager of checkpoints.
        run: PathBuf,
        /// The checkpoint.
        #[arg(long, value_parser = whole::<u64>)]
        step: u64,
    },
}

/// MODEL is a folder of Hugging Face, a GGUF file, a run of `jarrah train` (its adapters added to the weights), a `config.json`, or a published shape by name
/// (`qwen3-0.6b`).
#[derive(Subcommand)]
pub enum ModelCommand {
    /// Show a model's extents, parameters, memory and operations.
    Info {
        /// A folder of Hugging Face, a run, a file of weights, a config.json, or a published shape by name (`qwen3-0.6b`).
        #[arg(value_name = "MODEL")]
        model: String,
        /// The length of the sequences that operations are counted for.
        #[arg(long, default_value_t = 1024, value_parser = some)]
        length: usize,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Its parts, with the parameters of each.
    Tree {
        /// A folder of Hugging Face, a run, a file of weights, a config.json, or a published shape by name (`qwen3-0.6b`).
        #[arg(value_name = "MODEL")]
        model: String,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Its parameters, with their shapes.
    Params {
        /// A folder of Hugging Face, a run, a file of weights, a config.json, or a published shape by name (`qwen3-0.6b`).
        #[arg(value_name = "MODEL")]
        model: String,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Writes the model of a folder, a GGUF file, a run or a JAX program in other files.
    Convert(ConvertModel),
    /// Brings the weights of a model into few bits, and writes it as a folder of compressed-tensors, which vLLM and transformers read. The perplexity on held-out text is
    /// printed, before and after.
    Quantize(Quantize),
    /// Writes the logits that follow tokens, by which another implementation is checked. Weights in few bits are the numbers that they stand for.
    Logits {
        /// The folder of the model or of a run, or a GGUF file.
        model: PathBuf,
        #[command(flatten)]
        input: Input,
        /// The safetensors file with `logits`.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[arg(long, default_value = "cpu")]
        backend: Backend,
        /// The dtype that is computed in [default: f32].
        #[arg(long, value_parser = float)]
        dtype: Option<jarrah_base::DType>,
    },
    /// Says where the activations of two models on the same tokens differ, by module.
    Diff {
        /// The folder of a model or of a run, or a GGUF file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
        #[command(flatten)]
        input: Input,
        /// By how much of the largest they may.
        #[arg(long, default_value_t = 1e-4)]
        tolerance: f64,
    },
}

#[derive(Args)]
pub struct ConvertModel {
    /// The folder or file; also a checkpoint of Orbax, or a file of `flax.serialization`, that MaxText or a program in Flax NNX saved.
    pub from: PathBuf,
    /// The folder or file to write.
    pub to: PathBuf,
    /// The format to write [default: as the ending of its name says, .gguf or .safetensors, else hf].
    #[arg(long)]
    pub format: Option<ModelFormat>,
    /// The dtype of all parameters, f16, bf16, f32 or f64; of the matrices of a GGUF file f16, bf16, f32, q8_0 or q4_0 [default: as they are].
    #[arg(long, value_parser = stored)]
    pub dtype: Option<Stored>,
    /// The folder of an adapter of PEFT, which is added to the weights.
    #[arg(long, value_name = "DIR")]
    pub adapter: Option<PathBuf>,
    /// The shape of a JAX program's model, which its checkpoint does not say: a folder with config.json, whose tokenizer is taken too, such a file, or a published shape by name.
    #[arg(long, value_name = "MODEL")]
    pub config: Option<String>,
    /// A file of rules that give leaves of a JAX program names of MaxText, Tunix or Hugging Face, one a line: `params.Block_*.up.kernel -> model.layers.*.mlp.up_proj.kernel`.
    #[arg(long, value_name = "FILE")]
    pub rename: Option<PathBuf>,
}

#[derive(Args)]
pub struct Quantize {
    /// The folder of a model or of a run, or a GGUF file.
    pub from: PathBuf,
    /// The folder that is written.
    pub to: PathBuf,
    /// How numbers are rounded.
    #[arg(long, default_value = "rtn")]
    pub method: Method,
    /// The scheme of the weights: int8, int4, int4:64, uint4, fp8, mxfp4, nf4, w8a8 [default: int4, or the schemes of --rules].
    #[arg(long, value_name = "SCHEME", value_parser = rules)]
    pub scheme: Option<QuantizeRules>,
    /// A file of rules, one a line: PATTERN=SCHEME, or PATTERN=leave; the first that means a place says.
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Text to calibrate by, for awq and gptq: files, folders, globs, .jsonl files with a field `text` or `content`. A tenth of it, its end, is held out.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub calibration: Vec<String>,
    /// The most sequences of it that are taken.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = some)]
    pub samples: usize,
    /// Text to measure on [default: what is held out].
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub eval: Vec<String>,
    /// The length of sequences [default: 512, or the model's].
    #[arg(long, value_name = "N", value_parser = some)]
    pub context: Option<usize>,
    /// Of gptq: round the rows whose inputs are largest first.
    #[arg(long)]
    pub act_order: bool,
    /// Of gptq: what is added to the diagonal of second moments, as a share of its mean [default: 0.01].
    #[arg(long, value_name = "SHARE", value_parser = positive)]
    pub damp: Option<f64>,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// One line of JSON.
    #[arg(long)]
    pub json: bool,
}

/// How numbers are rounded.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// To the nearest.
    Rtn,
    /// To the nearest, inputs that matter scaled up.
    Awq,
    /// So that errors make up for each other.
    Gptq,
}

/// The files of a model.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelFormat {
    /// A folder of Hugging Face.
    Hf,
    /// One file of safetensors.
    Safetensors,
    /// A GGUF file, as llama.cpp reads it.
    Gguf,
    /// A checkpoint of Orbax in the layout of MaxText, with scanned layers, beside `config.json` and the tokenizer.
    Maxtext,
}

impl ModelFormat {
    /// The format of a file or folder of this name.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("gguf") => ModelFormat::Gguf,
            Some("safetensors") => ModelFormat::Safetensors,
            _ => ModelFormat::Hf,
        }
    }
}

/// The input of a model: tokens or pictures.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Input {
    /// JSON: a list of tokens, or of lists of as many each.
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Of a model of pictures: safetensors with `pixel_values`, floats [B, channels, height, width].
    #[arg(long, value_name = "FILE")]
    pub pixels: Option<PathBuf>,
}

/// How parameters are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    Plain(jarrah_base::DType),
    Blocks(jarrah_formats::GgufStore),
}

fn stored(text: &str) -> Result<Stored, String> {
    match text {
        "q8_0" => Ok(Stored::Blocks(jarrah_formats::GgufStore::Q8_0)),
        "q4_0" => Ok(Stored::Blocks(jarrah_formats::GgufStore::Q4_0)),
        _ => float(text)
            .map(Stored::Plain)
            .map_err(|_| format!("{text} is none of f16, bf16, f32, f64, q8_0, q4_0")),
    }
}

/// A dtype of floats.
fn float(text: &str) -> Result<jarrah_base::DType, String> {
    let found = jarrah_base::DType::from_name(text).filter(|dtype| dtype.is_float() && dtype.bits() >= 16);
    found.ok_or_else(|| format!("{text} is none of f16, bf16, f32, f64"))
}

/// A dtype, or none for `auto`.
#[derive(Clone, Copy)]
pub struct OrAuto(pub Option<jarrah_base::DType>);

/// The most tokens of a sequence, or none for `auto`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Length(pub Option<usize>);

fn length(text: &str) -> Result<Length, String> {
    match text {
        // vLLM writes it so, too.
        "auto" | "-1" => Ok(Length(None)),
        text => tokens(text).map(|n| Length(Some(n))).map_err(|error| format!("{error}, or `auto`")),
    }
}

/// A number of tokens as vLLM takes it: 8k is 8000, 8K is 8192, and 1.5k is 1500.
fn tokens(text: &str) -> Result<usize, String> {
    let wrong = || "a whole number above 0 is needed, such as 8192, 8k (8000) or 8K (8192)".to_owned();
    count(text).filter(|&n| n > 0).ok_or_else(wrong)
}

/// A whole number, perhaps in thousands, millions, ... by the letters k, m, g and t, and in powers of 1024 by K, M, G and T.
fn count(text: &str) -> Option<usize> {
    let end = text.len() - usize::from(text.ends_with(|c: char| c.is_ascii_alphabetic()));
    let (number, unit) = text.split_at(end);
    let power = "kmgt".find(&unit.to_ascii_lowercase()).filter(|_| !unit.is_empty());
    let scale: f64 = match (unit, power) {
        ("", _) => 1.0,
        (_, None) => return None,
        (unit, Some(at)) if unit == unit.to_ascii_lowercase() => 1000f64.powi(at as i32 + 1),
        (_, Some(at)) => 1024f64.powi(at as i32 + 1),
    };
    let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number = number.parse::<f64>().ok().filter(|_| is_plain)? * scale;
    (number.fract() == 0.0 && number <= 1e15).then_some(number as usize)
}

/// A number of bytes, with a unit or as vLLM takes it: 4GiB, 4G.
fn memory(text: &str) -> Result<Bytes, String> {
    count(text).map_or_else(|| bytes(text), |n| Ok(Bytes(n)))
}

/// The dtype of weights.
fn weights(text: &str) -> Result<OrAuto, String> {
    or_auto(text, |dtype| dtype.is_float() && dtype.bits() >= 16)
        .ok_or_else(|| format!("{text} is none of auto, f16, bf16, f32, f64"))
}

/// The dtype of keys and values.
fn cached(text: &str) -> Result<OrAuto, String> {
    use jarrah_base::DType;
    let found = match text {
        "fp8" | "fp8_e4m3" => Some(OrAuto(Some(DType::F8E4M3FN))),
        "fp8_e5m2" => Some(OrAuto(Some(DType::F8E5M2))),
        "int8" => Some(OrAuto(Some(DType::I8))),
        "float16" => Some(OrAuto(Some(DType::F16))),
        "bfloat16" => Some(OrAuto(Some(DType::BF16))),
        _ => or_auto(text, |dtype| matches!(dtype, DType::F16 | DType::BF16 | DType::F32 | DType::I8)),
    };
    found.ok_or_else(|| format!("{text} is none of auto, f16, bf16, f32, int8, fp8, fp8_e4m3, fp8_e5m2"))
}

fn or_auto(text: &str, fits: impl Fn(&jarrah_base::DType) -> bool) -> Option<OrAuto> {
    // Names of PyTorch, as vLLM takes them.
    let text = match text {
        "half" | "float16" => "f16",
        "bfloat16" => "bf16",
        "float" | "float32" => "f32",
        "int8" => "i8",
        _ => text,
    };
    match text {
        "auto" => Some(OrAuto(None)),
        _ => text.parse().ok().filter(fits).map(|dtype| OrAuto(Some(dtype))),
    }
}

/// Which weights are held in few bits.
fn rules(text: &str) -> Result<QuantizeRules, String> {
    text.parse().map_err(|error: jarrah_base::Error| error.to_string())
}

/// A name and a folder, also as vLLM takes them in JSON: {"name": "NAME", "path": "DIR"}.
fn named(text: &str) -> Result<(String, PathBuf), String> {
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(text)
        && let (Some(name), Some(folder)) = (json["name"].as_str(), json["path"].as_str())
    {
        return Ok((name.to_owned(), PathBuf::from(folder)));
    }
    let (name, folder) = text.split_once('=').unwrap_or_default();
    match name.is_empty() || folder.is_empty() {
        true => Err(format!("{text} is not of the form NAME=DIR")),
        false => Ok((name.to_owned(), PathBuf::from(folder))),
    }
}

/// A number of logprobs.
fn logprobs(text: &str) -> Result<usize, String> {
    let most = jarrah::serve::MOST_LOGPROBS;
    // vLLM means by it that there is no bound.
    if text == "-1" {
        return Ok(most);
    }
    text.parse().ok().filter(|&n| n <= most).ok_or_else(|| format!("a number from 0 to {most} is needed"))
}

#[derive(Args)]
pub struct Devices {
    /// A PJRT plugin whose devices to list as well; may be given several times. Those in $JARRAH_PJRT_PLUGINS, separated as
    /// in $PATH, are listed too.
    #[arg(long, value_name = "LIBRARY")]
    pub plugin: Vec<PathBuf>,
    /// One line of JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Bench {
    /// The workloads [default: all].
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Rounds, in each of which everyone does the work in turn; times and ratios are medians.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = some)]
    pub rounds: usize,
    /// The Python that has JAX or PyTorch [default: python3].
    #[arg(long, value_name = "PATH", conflicts_with = "alone")]
    pub python: Option<PathBuf>,
    /// Measure nobody else.
    #[arg(long)]
    pub alone: bool,
    /// Threads to compute on, for everyone; 0 takes two, or one if there is one core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Write every time to this file as well.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Sizes that show that it works, and measure nothing.
    #[arg(long)]
    pub tiny: bool,
    /// List the workloads, and end.
    #[arg(long)]
    pub list: bool,
    /// Measure a served model instead.
    #[command(subcommand)]
    pub serving: Option<BenchServing>,
}

#[derive(Subcommand)]
pub enum BenchServing {
    /// How many tokens a second an engine answers many requests with, all given at once.
    Throughput(BenchThroughput),
    /// How long a batch of requests takes, and of it the first token and each further one.
    Latency(BenchLatency),
    /// How long it takes from nothing to the first token: weights, memory for keys and values, the token with its programs.
    Startup(BenchModel),
    /// How a server bears up under requests that arrive at random: any server of OpenAI's API, by its address.
    Serve(BenchServe),
}

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct BenchServe {
    /// The server, of HTTP [default: that of --host and --port].
    #[arg(long, value_name = "URL", visible_alias = "base-url", conflicts_with_all = ["host", "port"])]
    pub url: Option<String>,
    /// The machine of the server.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// The port of the server.
    #[arg(long, default_value_t = 8000, value_parser = port)]
    pub port: u16,
    /// The model that requests name [default: none, which a server of one model takes].
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The key that the server wants [default: $JARRAH_API_KEY].
    #[arg(long, value_name = "KEY")]
    pub api_key: Option<String>,
    /// The kind of requests: completions of prompts, or chats.
    #[arg(long, value_name = "KIND", default_value = "openai")]
    pub backend: Spoken,
    /// The route that is asked [default: that of the backend].
    #[arg(long, value_name = "PATH")]
    pub endpoint: Option<String>,
    /// Requests.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = some)]
    pub num_prompts: usize,
    /// Requests a second, which arrive at random (a Poisson process); `inf` sends all at once.
    #[arg(long, value_name = "RATE", default_value = "inf", value_parser = rate)]
    pub request_rate: f64,
    /// The most requests that are answered at a time; the times of others begin when they are sent [default: all].
    #[arg(long, value_name = "N", value_parser = some)]
    pub max_concurrency: Option<usize>,
    /// Where prompts come from [default: the file of --dataset-path, else random].
    #[arg(long, value_name = "FROM")]
    pub dataset_name: Option<Dataset>,
    /// A file of prompts: lines of JSON with `prompt`, `messages` or `text`, or a list of conversations as ShareGPT has them [default: random
    /// ones].
    #[arg(long, value_name = "FILE")]
    pub dataset_path: Option<PathBuf>,
    /// Tokens of a random prompt; words of a random chat [default: 128, or fewer where the server's model has room for fewer].
    #[arg(long, value_name = "N", value_parser = some, visible_alias = "input-len")]
    pub random_input_len: Option<usize>,
    /// Tokens of an answer, where the file does not say it [default: 64, or fewer where the server's model has room for fewer].
    #[arg(long, value_name = "N", value_parser = some, visible_alias = "output-len", alias = "sharegpt-output-len")]
    pub random_output_len: Option<usize>,
    /// By what share these are less or more at random.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub random_range_ratio: f64,
    /// Random prompts are of tokens below this number.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = some)]
    pub random_vocabulary: usize,
    /// Answers go on to their last token, as those to random prompts do anyway.
    #[arg(long)]
    pub ignore_eos: bool,
    /// Answers to random prompts may end before; for servers that do not know `ignore_eos`.
    #[arg(long, conflicts_with = "ignore_eos")]
    pub no_ignore_eos: bool,
    /// The temperature of the requests.
    #[arg(long, default_value_t = 0.0)]
    pub temperature: f64,
    /// The percentiles to tell.
    #[arg(long, value_name = "P,...", num_args = 1.., value_delimiter = ',', default_values_t = [90.0, 99.0], value_parser = percentile)]
    pub metric_percentiles: Vec<f64>,
    /// The seed of prompts and arrivals.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// Write all numbers to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    pub result_filename: Option<PathBuf>,
    /// Print numbers in JSON.
    #[arg(long)]
    pub json: bool,
}

/// Where the prompts of a load come from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dataset {
    /// Tokens or words at random.
    Random,
    /// A list of conversations, by --dataset-path.
    Sharegpt,
    /// Lines of JSON, by --dataset-path.
    Custom,
}

/// The kind of requests of a load.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Spoken {
    /// Completions.
    #[value(name = "openai", alias = "vllm")]
    Completions,
    /// Chats.
    #[value(name = "openai-chat")]
    Chat,
}

/// A rate; `inf` is none.
fn rate(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x: &f64| *x > 0.0).ok_or("a number above 0 is needed, or `inf`")
}

fn share(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x| (0.0..1.0).contains(x)).ok_or("a number from 0 to below 1 is needed")
}

fn percentile(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x| (0.0..=100.0).contains(x)).ok_or("a number from 0 to 100 is needed")
}

#[derive(Args)]
pub struct BenchModel {
    /// The folder of a run or of a model, a GGUF file, or a published shape by name, which has random weights.
    #[arg(value_name = "MODEL", required_unless_present = "named")]
    pub model: Option<String>,
    /// The same as MODEL.
    #[arg(long = "model", value_name = "MODEL", hide = true, conflicts_with = "model")]
    pub named: Option<String>,
    /// The dtype of the weights [default: that of the files; of random ones bf16].
    #[arg(long, value_name = "DTYPE", value_parser = float)]
    pub dtype: Option<jarrah_base::DType>,
    /// Hold weights in few bits: a scheme (int8, int4, int4:64, uint4, fp8, mxfp4, nf4, w8a8), or rules with commas between, of which the first that means a place
    /// says, and a bare scheme is for all others: `blocks.0.**=leave, blocks.*.mlp.down=int8, int4`.
    #[arg(long, value_name = "SCHEME | RULES", value_parser = rules)]
    pub quantize: Option<QuantizeRules>,
    /// The longest sequence [default: what prompts and answers need].
    #[arg(long, value_name = "N", value_parser = tokens)]
    pub max_model_len: Option<usize>,
    /// The most sequences that run at a time.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = some)]
    pub max_num_seqs: usize,
    /// The most tokens that a step computes.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = tokens)]
    pub max_num_batched_tokens: usize,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Print numbers in JSON.
    #[arg(long)]
    pub json: bool,
}

impl BenchModel {
    /// The model, however it is named.
    pub fn name(&self) -> &str {
        self.model.as_ref().or(self.named.as_ref()).map_or("", String::as_str)
    }
}

#[derive(Args)]
pub struct BenchThroughput {
    #[command(flatten)]
    pub model: BenchModel,
    /// Requests.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = some)]
    pub num_prompts: usize,
    /// Tokens of each prompt [default: 128, or two thirds of a shorter context].
    #[arg(long, value_name = "N", value_parser = some, alias = "random-input-len")]
    pub input_len: Option<usize>,
    /// Tokens of each answer [default: 64, or what the context has left].
    #[arg(long, value_name = "N", value_parser = some, alias = "random-output-len")]
    pub output_len: Option<usize>,
}

#[derive(Args)]
pub struct BenchLatency {
    #[command(flatten)]
    pub model: BenchModel,
    /// Requests at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = some)]
    pub batch_size: usize,
    /// Tokens of each prompt.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = some, alias = "random-input-len")]
    pub input_len: usize,
    /// Tokens of each answer.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = some, alias = "random-output-len")]
    pub output_len: usize,
    /// Rounds; numbers are medians.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = some)]
    pub num_iters: usize,
}

/// FILE is StableHLO text, portable bytecode or a serialized `jax.export` artifact; `-` is the standard input.
#[derive(Subcommand)]
pub enum Hlo {
    /// Runs a program.
    Run(Run),
    /// Compiles a program with a PJRT plugin, whose devices need not be there, and shows what it says: cost, memory, the
    /// optimised program.
    Compile(Compile),
    /// Reads, verifies and prints files, and runs the `check.*` assertions in them.
    Check(Check),
    /// Reads a file and prints it.
    Print(Print),
    /// Runs passes of the compiler and prints what they made.
    Opt(Opt),
    /// Runs a program, and shows where its time goes: for each step its share, what bounds it, how near it comes to that, and the
    /// line that asked for it.
    Profile(Profile),
    /// Counts ops, operations and bytes, and bounds the time each op takes.
    Stats(Stats),
    /// Runs two programs, or one on both backends, on the same arguments, and says where they first differ.
    Diff(Diff),
    /// Converts between text, portable bytecode and `jax.export` artifacts.
    Convert(Convert),
}

/// The backend that runs a program.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Compiled.
    Cpu,
    /// The reference evaluator.
    Reference,
}

impl Backend {
    pub fn name(self) -> &'static str {
        match self {
            Backend::Cpu => "cpu",
            Backend::Reference => "reference",
        }
    }
}

#[derive(Args)]
pub struct Run {
    /// The program.
    pub file: PathBuf,
    /// The arguments: a safetensors file with the tensors "0", "1", ..., or `-`. Their shapes refine a program of dynamic
    /// shapes.
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Random arguments; the same seed gives the same ones. Floats are uniform in [-1, 1), or in [0, 1) where there is no
    /// sign, parts of complex numbers likewise; integers are uniform from -9 to 9, as far as the type reaches.
    #[arg(long, value_name = "SEED", conflicts_with = "inputs", value_parser = whole::<u64>)]
    pub random: Option<u64>,
    /// The types of random arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", requires = "random", value_parser = types)]
    pub types: Option<Types>,
    /// Where the results go, in the same form, or `-` [default: they are shown].
    #[arg(long, value_name = "FILE")]
    pub outputs: Option<PathBuf>,
    /// The backend that runs the program.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    pub backend: Backend,
    /// Runs it with this PJRT plugin, a shared library, instead.
    #[arg(long, value_name = "LIBRARY", conflicts_with_all = ["backend", "threads"])]
    pub plugin: Option<PathBuf>,
    /// Devices that run the program, which is one of as many partitions: each takes the whole arguments and gives the whole
    /// results. The processes of `jarrah launch` have equally many of them, and the first one shows the results.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = devices, conflicts_with = "plugin")]
    pub devices: usize,
    /// Runs after the first, whose median is the time reported.
    #[arg(long, default_value_t = 0)]
    pub repeat: usize,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// One line of JSON: parse_s, compile_s, run_s, peak_bytes, outputs.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Compile {
    /// The program.
    pub file: PathBuf,
    /// The PJRT plugin, a shared library.
    #[arg(long, value_name = "LIBRARY")]
    pub plugin: PathBuf,
    /// The devices to compile for, by a name that the plugin knows [default: those that there are].
    #[arg(long, value_name = "NAME")]
    pub topology: Option<String>,
    /// The types of the arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", value_parser = types)]
    pub types: Option<Types>,
    /// Where the optimised program goes, in the plugin's own format, or `-`.
    #[arg(long, value_name = "FILE")]
    pub outputs: Option<PathBuf>,
    /// One line of JSON: compile_s, cost, argument_bytes, result_bytes, temporary_bytes, format.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Check {
    /// Files, and folders of them.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The backend that runs the assertions [default: both].
    #[arg(long, value_enum)]
    pub backend: Option<Backend>,
    /// Files at a time; 0 takes one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Show the files that pass as well.
    #[arg(long, short)]
    pub verbose: bool,
}

#[derive(Args)]
pub struct Print {
    /// The program.
    pub file: PathBuf,
    /// Show where every op comes from.
    #[arg(long)]
    pub locations: bool,
    /// Every op in MLIR's generic form.
    #[arg(long)]
    pub generic: bool,
    /// Leave out constants of more elements than this.
    #[arg(long, value_name = "N")]
    pub elide: Option<usize>,
}

#[derive(Args)]
pub struct Opt {
    /// The program.
    #[arg(required_unless_present = "list")]
    pub file: Option<PathBuf>,
    /// The passes to run, in order [default: all that compilation runs].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub passes: Vec<String>,
    /// Print the program after these passes instead of at the end.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub dump_after: Vec<String>,
    /// Write the program after each pass that changes it to this folder, and the vector loops, their machine code
    /// and the plan of the memory.
    #[arg(long, value_name = "DIR")]
    pub dump_dir: Option<PathBuf>,
    /// Show how long each part of the work took, instead of the program.
    #[arg(long)]
    pub time_passes: bool,
    /// The bytes that the program may take, such as 8GiB: values are computed again until it fits.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<Bytes>,
    /// List the passes, and end.
    #[arg(long)]
    pub list: bool,
    /// Leave out constants of more elements than this.
    #[arg(long, value_name = "N")]
    pub elide: Option<usize>,
    /// The types of the arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", value_parser = types)]
    pub types: Option<Types>,
}

#[derive(Args)]
pub struct Profile {
    /// The program.
    pub file: PathBuf,
    /// The arguments: a safetensors file with the tensors "0", "1", ... [default: random ones].
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// The seed of random arguments.
    #[arg(long, value_name = "SEED", default_value_t = 0, conflicts_with = "inputs", value_parser = whole::<u64>)]
    pub random: u64,
    /// The types of random arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", conflicts_with = "inputs", value_parser = types)]
    pub types: Option<Types>,
    /// Runs to take the mean of, after one that is not counted.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = some)]
    pub iterations: usize,
    /// The steps to show; those that took less are added up.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = whole::<usize>)]
    pub top: usize,
    /// Threads to compute on; 0 takes $JARRAH_THREADS, or every core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// The machine's operations a second, in 10^9 [default: measured].
    #[arg(long, value_parser = positive)]
    pub gflops: Option<f64>,
    /// The machine's memory bandwidth, in 10^9 bytes a second [default: measured].
    #[arg(long, value_parser = positive)]
    pub gbytes: Option<f64>,
    /// One line of JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Stats {
    /// The program.
    pub file: PathBuf,
    /// The types of the arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", value_parser = types)]
    pub types: Option<Types>,
    /// The machine's operations a second, in 10^9 [default: measured].
    #[arg(long, value_parser = positive)]
    pub gflops: Option<f64>,
    /// The machine's memory bandwidth, in 10^9 bytes a second [default: measured].
    #[arg(long, value_parser = positive)]
    pub gbytes: Option<f64>,
    /// One line of JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Diff {
    /// A program.
    pub first: PathBuf,
    /// Another program [default: the first, on the reference evaluator and compiled].
    pub second: Option<PathBuf>,
    /// The backend that runs the two programs.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    pub backend: Backend,
    /// The arguments [default: random ones].
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// The types of random arguments, where the program leaves extents open: `f32[8,4],i32[3]`.
    #[arg(long, value_name = "TYPE,...", value_parser = types)]
    pub types: Option<Types>,
    /// The same seed gives the same random arguments.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// How much floats may differ, relative to the larger of the value and one.
    #[arg(long, default_value_t = 1e-5, value_parser = tolerance, allow_negative_numbers = true)]
    pub tolerance: f64,
}

#[derive(Args)]
pub struct Convert {
    /// The file to read.
    pub input: PathBuf,
    /// The file to write: its name says the format; `-` is the standard output.
    pub output: PathBuf,
    /// text, bytecode or jax-export, where the name of the output does not say.
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// The StableHLO version that has to read the bytecode: 1.0.0 [default: 1.17.0, which JAX 0.10 reads].
    #[arg(long, value_name = "VERSION")]
    pub target: Option<String>,
    /// The platform that the program is for, of those the artifact was lowered for [default: cpu if it is one of them, else
    /// the first; from artifact to artifact all of them].
    #[arg(long, value_name = "NAME")]
    pub platform: Option<String>,
}

/// A number that is counted.
fn whole<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "a whole number, 0 or more, is needed")
}

/// A port of this machine, or of another one.
fn port(text: &str) -> Result<u16, &'static str> {
    text.parse().map_err(|_| "a port, 0 to 65535, is needed")
}

/// A number of times.
fn some(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|&n| n > 0).ok_or("a whole number above 0 is needed")
}

fn bytes(text: &str) -> Result<Bytes, String> {
    text.parse().map_err(|error: jarrah_base::Error| error.message().to_owned())
}

fn positive(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0).ok_or("a number above 0 is needed")
}

fn tolerance(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0).ok_or("a number, 0 or more, is needed")
}

fn devices(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=CpuClient::MOST_DEVICES).contains(n));
    number.ok_or_else(|| format!("a number of devices from 1 to {} is needed", CpuClient::MOST_DEVICES))
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&n| n <= ThreadPool::MOST);
    number.ok_or_else(|| format!("a number of threads from 0 to {} is needed", ThreadPool::MOST))
}

/// The types of arguments.
#[derive(Clone)]
pub struct Types(Vec<Type>);

impl Deref for Types {
    type Target = [Type];

    fn deref(&self) -> &[Type] {
        &self.0
    }
}

/// `f32[8,4],i32[]`: types as messages show them.
fn types(text: &str) -> Result<Types, String> {
    let mut rest = text.trim();
    let mut all = Vec::new();
    while !rest.is_empty() {
        let wrong = || format!("{rest:?} does not begin with a type such as f32[8,4]");
        let (name, after) = rest.split_once('[').ok_or_else(wrong)?;
        let (dims, after) = after.split_once(']').ok_or_else(wrong)?;
        let dtype = name.trim().parse().map_err(|_| wrong())?;
        let dims = dims.split(',').map(str::trim).filter(|d| !d.is_empty()).map(str::parse::<usize>);
        let dims = dims.collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
        all.push(Type::tensor(dtype, dims));
        let after = after.trim_start();
        rest = after.strip_prefix(',').map_or(after, str::trim_start);
    }
    Ok(Types(all))
}
