//! `jarrah serve`: a model behind OpenAI's HTTP API.

use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jarrah::http::{self, Address, LogSink, Server, Stopper};
use jarrah::models::{Pretrained, QuantizeRules, quantization_method};
use jarrah::openai::{self, ApiOptions, ReasoningFormat, ToolFormat};
use jarrah::run::{is_run, resolve};
use jarrah::serve::{
    Drafts, Engine, EngineOptions, LoadOptions, Lookup, Offload, Params, Pooling, Served, ServedEncoder,
};
use jarrah::tokenizer::chat::{self, Template, Templates};
use jarrah::{Error, ErrorKind, Result};
use jarrah_base::quoted;
use serde_json::{Map, Value};

use crate::cli::{EngineArguments, Generation, Pooled, Serve};
use crate::output::{note, show};
use crate::signals::{self, Signals};
use crate::source::{is_plain, plain_templates, say_plain, tell, trained_length, weights_cache};

/// The environment variable of the key, for users who do not want it on the command line, where others see it.
const KEY: &str = "JARRAH_API_KEY";

pub fn serve(arguments: Serve) -> Result<()> {
    let address = address(&arguments)?;
    let run = arguments.run.as_ref().or(arguments.model.as_ref()).ok_or_else(|| {
        let help = "name a folder: `jarrah serve HF_FOLDER`, or `model: HF_FOLDER` in the file of --config";
        Error::input("no model is named").help(match greedy(std::env::args().skip(1)) {
            Some((flag, values)) => {
                format!("{flag} took {values} values, all that follow it: name the model before it")
            }
            None => help.to_owned(),
        })
    })?;
    if arguments.api_key.iter().any(String::is_empty) {
        let help = format!("leave it out, or give the key; ${KEY} has one that others do not see");
        return Err(Error::input("--api-key has an empty key, which no request can carry").help(help));
    }
    let (engine, options, is_plain) = engine(run, arguments.engine, true)?;
    let mut keys = arguments.api_key;
    let own = std::env::var(KEY).ok().filter(|key| !key.is_empty());
    // A variable that the shell has already is the best for a command to copy.
    let variable = if own.is_some() { Some(KEY) } else { (!keys.is_empty()).then_some("KEY") };
    keys.extend(own);
    let transport = http::ServerOptions {
        address,
        tls: arguments.ssl_certfile.zip(arguments.ssl_keyfile),
        keys,
        origins: arguments.allowed_origins.iter().flat_map(|origin| listed(origin)).collect(),
        hosts: arguments.allowed_hosts.iter().flat_map(|name| listed(name)).collect(),
        traces: arguments.otlp_traces_endpoint,
        log: arguments.enable_log_requests.then(|| -> LogSink { Arc::new(note) }),
        notes: Some(Arc::new(note)),
        most_body: arguments.max_body.0,
        most_connections: arguments.max_connections,
        drain: Duration::from_secs(arguments.shutdown_timeout),
        ..http::ServerOptions::default()
    };
    let options = ApiOptions {
        dev: arguments.dev_mode,
        page: !arguments.no_page,
        most_files: arguments.max_files.0,
        ..options
    };
    if transport.is_open_to_others() {
        note(&format!(
            "[every machine that reaches this one may ask: --api-key KEY, or ${KEY}, asks for a key]"
        ));
    }
    let name = options.names.first().map_or(engine.name(), String::as_str).to_owned();
    let server = Server::bind(transport, openai::api(engine.clone(), options))?;
    let ending = engine.clone();
    stop_on_signals(server.stopper(), move || ending.cancel_all())?;
    // A server whose engine has ended answers nothing any more: whoever watches it starts another.
    let (watched, stopper) = (engine.clone(), server.stopper());
    let watch = std::thread::spawn(move || {
        let is_broken = watched.wait_for_end();
        stopper.stop();
        is_broken
    });
    if is_plain {
        say_plain(run);
    }
    note(&format!("[{}]", taken(&engine)));
    show(&format!(
        "serving {name} at {}\n{}\n",
        server.address(),
        next(&engine, server.address(), variable)
    ))?;
    let ended = server.run();
    // The engine writes its prefix cache and its packed weights to files here, if the flags ask for these.
    engine.shut_down();
    match watch.join() {
        Ok(true) => Err(Error::internal("the engine has ended by a panic, and the server with it")),
        Ok(false) | Err(_) => ended,
    }
}

/// The flag of several values that took more than one on the command line, of which the last may have been meant as the model.
fn greedy(arguments: impl Iterator<Item = String>) -> Option<(String, usize)> {
    let (mut flag, mut found) = (None, None);
    for argument in arguments {
        if argument.starts_with('-') {
            let name = argument.replace('_', "-");
            let takes_many = ["--api-key", "--served-model-name", "--allowed-origins", "--allowed-hosts"];
            flag = takes_many.contains(&name.as_str()).then_some((name, 0));
        } else if let Some((name, values)) = &mut flag {
            *values += 1;
            if *values > 1 {
                found = Some((name.clone(), *values));
            }
        }
    }
    found
}

/// The texts of a list in JSON, or a text that is none.
fn listed(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_else(|_| vec![text.to_owned()])
}

/// A shell command for a first request, with the key from the shell's variable if there is a key.
fn next(engine: &Engine, address: &str, variable: Option<&str>) -> String {
    let at = match address.strip_prefix("unix:") {
        Some(path) => format!("--unix-socket {} http://localhost", quoted(path)),
        None => address.replacen("://0.0.0.0:", "://127.0.0.1:", 1).replacen("://[::]:", "://[::1]:", 1),
    };
    let key = variable.map(|name| format!(" -H \"Authorization: Bearer ${name}\"")).unwrap_or_default();
    let word = match variable {
        None | Some(KEY) => "",
        Some(_) => ", after KEY=... with what --api-key says",
    };
    let (route, body) = match () {
        () if !engine.classes().is_empty() => ("/classify", r#"{"input": "Hello"}"#),
        () if engine.is_encoder() => ("/v1/embeddings", r#"{"input": "Hello"}"#),
        () if engine.tokenizer().is_none() => ("/v1/completions", r#"{"prompt": [1, 2, 3]}"#),
        () if engine.templates().is_none_or(is_plain) => ("/v1/completions", r#"{"prompt": "Hello"}"#),
        () => ("/v1/chat/completions", r#"{"messages": [{"role": "user", "content": "Hello"}]}"#),
    };
    format!("next{word}: curl {at}{route}{key} -H 'content-type: application/json' -d '{body}'")
}

/// The model of a run or a folder, ready to answer, how it answers, and whether it has plain templates because it has none of its own.
pub fn engine(run: &Path, arguments: EngineArguments, paced: bool) -> Result<(Engine, ApiOptions, bool)> {
    jarrah::train::use_threads(arguments.threads);
    if arguments.enable_auto_tool_choice && arguments.tool_call_parser.is_none() {
        let names: Vec<&str> = ToolFormat::names().collect();
        return Err(Error::input(
            "--enable-auto-tool-choice needs --tool-call-parser: how the model writes calls of tools",
        )
        .help(format!("name one of {}", names.join(", "))));
    }
    if ServedEncoder::is_at(run) {
        let (engine, options) = encoder(run, arguments)?;
        return Ok((engine, options, false));
    }
    let mut engine = EngineOptions { paced, ..engine_options(&arguments) };
    let adapter = arguments.adapter.as_deref().map(adapter_of).transpose()?;
    let quantize = match arguments.quantization.as_deref() {
        Some(method) => quantization(run, method)?,
        None => arguments.quantize,
    };
    let load = LoadOptions { step: arguments.step, dtype: arguments.dtype.0, adapter, quantize };
    let mut served = Served::open(run, &load)?;
    tell(&served.notes);
    let mut is_plain = false;
    if let Some(file) = &arguments.chat_template {
        served.wrong_templates = None;
        let templates = served.templates.take().unwrap_or_default();
        served.templates = Some(with_template(templates, file)?);
    } else if served.templates.is_none() && served.tokenizer.is_some() {
        served.templates = plain_templates(run)?;
        is_plain = served.templates.is_some();
    }
    if let Some(error) = served.wrong_templates.take() {
        return Err(error.help("give another by --chat-template FILE"));
    }
    served.defaults = defaults(
        match arguments.generation_config {
            Generation::Auto => served.defaults,
            Generation::None => Params::default(),
        },
        arguments.override_generation_config.as_deref(),
    )?;
    served.defaults.seed = arguments.seed;
    let options = ApiOptions {
        names: arguments.served_model_name,
        load: load.clone(),
        tools: arguments.tool_call_parser.as_deref().map(ToolFormat::named).transpose()?,
        reasoning: arguments.reasoning_parser.as_deref().map(ReasoningFormat::named).transpose()?,
        template_variables: template_variables(arguments.default_chat_template_kwargs.as_deref())?,
        pooling: arguments.pooling.map_or(Pooling::Last, pooling),
        most_logprobs: arguments.max_logprobs,
        ..ApiOptions::default()
    };
    engine.drafts =
        drafts(arguments.speculative_config.as_deref(), arguments.draft.as_deref(), &options.load)?;
    let context = served.model.context;
    let trained = trained_length(run).filter(|&length| engine.max_length.is_none() && length < context);
    engine.max_length = engine.max_length.or(trained);
    let length = engine.max_length.unwrap_or(context);
    let shorter = match &engine.drafts {
        Some(Drafts::Model { model, .. }) if model.vocabulary() == served.model.vocabulary() => {
            Some(model.context).filter(|&context| context < length)
        }
        _ => None,
    };
    let engine = Engine::start(served, engine).map_err(|error| match shorter {
        Some(context) if error.kind() == ErrorKind::Input && error.advice().is_none() => {
            error.help(format!("--max-model-len {context} takes sequences as long as the draft model does"))
        }
        _ => error,
    })?;
    if engine.tokenizer().is_none() {
        // A GGUF file whose tokenizer is of another kind is as one without.
        let or = if run.is_file() { ", or one of a kind that is not known here" } else { "" };
        note(&format!(
            "[{} has no tokenizer{or}: prompts are ids of tokens, as [1, 2, 3], and so are answers]",
            run.display()
        ));
    }
    tell_length(&engine, trained.is_some());
    for (name, folder) in &arguments.lora_modules {
        if options.names.contains(name) {
            let error = format!("{name} names an adapter, and the model by --served-model-name");
            return Err(Error::input(error).help("give one of them another name"));
        }
        engine.load_adapter(name, &adapter_of(folder)?)?;
    }
    Ok((engine, options, is_plain))
}

/// The folder of an adapter of PEFT: of a run that trained one, where the run has written it.
fn adapter_of(path: &Path) -> Result<PathBuf> {
    if !is_run(path) {
        return Ok(path.to_owned());
    }
    let own = resolve(path)?.join("adapter");
    match own.is_dir() {
        true => Ok(own),
        false => Err(Error::input(format!("{} is a run without an adapter", path.display())).help(
            "a run with lora.rank above 0 writes one at its end; any run is served in the place of the model",
        )),
    }
}

/// The engine's share of the machine: memory, sequences and tokens at a time.
fn engine_options(arguments: &EngineArguments) -> EngineOptions {
    EngineOptions {
        max_length: arguments.max_model_len.0,
        sequences: arguments.max_num_seqs,
        tokens_per_step: arguments.max_num_batched_tokens,
        waiting: arguments.max_num_queued_reqs,
        cache_bytes: arguments.kv_cache_memory_bytes.map(|bytes| bytes.0),
        cache_dtype: arguments.kv_cache_dtype.0,
        page: arguments.block_size,
        prefix_caching: !arguments.no_enable_prefix_caching,
        adapters: arguments
            .max_loras
            .unwrap_or(arguments.lora_modules.len().max(usize::from(arguments.enable_lora))),
        adapter_rank: arguments.max_lora_rank,
        warm: !arguments.no_warm_up,
        weights_cache: weights_cache(arguments.weights_cache_bytes.0 as u64),
        offload: arguments.kv_offload.clone().map(|folder| {
            // Where keys and values are kept that lose their pages.
            Offload { folder, bytes: arguments.kv_offload_bytes.0 as u64 }
        }),
        ..EngineOptions::default()
    }
}

fn pooling(pooled: Pooled) -> Pooling {
    match pooled {
        Pooled::Last => Pooling::Last,
        Pooled::First => Pooling::First,
        Pooled::Mean => Pooling::Mean,
    }
}

/// The engine and the server's options for an encoder, which embeds or classifies texts.
fn encoder(run: &Path, arguments: EngineArguments) -> Result<(Engine, ApiOptions)> {
    let usual = EngineOptions::default();
    // A flag at its default passes: it cannot be told from a flag that is not given.
    let given = [
        ("adapter", arguments.adapter.is_some()),
        ("step", arguments.step.is_some()),
        ("quantize", arguments.quantize.is_some()),
        ("quantization", arguments.quantization.is_some()),
        ("kv-cache-dtype", arguments.kv_cache_dtype.0.is_some()),
        ("kv-cache-memory-bytes", arguments.kv_cache_memory_bytes.is_some()),
        ("kv-offload", arguments.kv_offload.is_some()),
        ("block-size", arguments.block_size != usual.page),
        ("no-enable-prefix-caching", arguments.no_enable_prefix_caching),
        ("enable-lora", arguments.enable_lora),
        ("max-loras", arguments.max_loras.is_some()),
        ("max-lora-rank", arguments.max_lora_rank != usual.adapter_rank),
        ("lora-modules", !arguments.lora_modules.is_empty()),
        ("draft", arguments.draft.is_some()),
        ("speculative-config", arguments.speculative_config.is_some()),
        ("tool-call-parser", arguments.tool_call_parser.is_some()),
        ("reasoning-parser", arguments.reasoning_parser.is_some()),
        ("seed", arguments.seed.is_some()),
        ("chat-template", arguments.chat_template.is_some()),
        ("default-chat-template-kwargs", arguments.default_chat_template_kwargs.is_some()),
        ("override-generation-config", arguments.override_generation_config.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        let error = format!(
            "--{name} means nothing to {}, an encoder: it makes vectors of whole texts",
            run.display()
        );
        return Err(Error::input(error).help("leave it out"));
    }
    let served = ServedEncoder::load(run, arguments.dtype.0)?;
    tell(&served.notes);
    let engine = engine_options(&arguments);
    let options = ApiOptions {
        names: arguments.served_model_name,
        pooling: arguments.pooling.map_or(served.pooling, pooling),
        ..ApiOptions::default()
    };
    Ok((Engine::start_encoder(served, engine)?, options))
}

/// The memory that an engine has taken, in words.
fn taken(engine: &Engine) -> String {
    let memory = engine.memory();
    format!(
        "weights of {}, room for {} tokens of keys and values in {}, sequences of {} tokens",
        jarrah_base::memory::size(memory.weights),
        memory.cache_tokens,
        jarrah_base::memory::size(memory.cache),
        engine.max_length()
    )
}

/// Tells the user if sequences are shorter than the model allows, though nobody asked for that.
fn tell_length(engine: &Engine, is_trained: bool) {
    let (length, context) = (engine.max_length(), engine.context());
    if is_trained {
        note(&format!(
            "[sequences of {length} tokens, as the run was trained with, of the {context} that the model was made for: --max-model-len takes more]"
        ));
    } else if length < context && engine.options().max_length.is_none() {
        let (why, more) = match engine.options().cache_bytes {
            Some(_) => ("for which --kv-cache-memory-bytes has room", "more of it"),
            None => ("for which there is memory", "--max-model-len"),
        };
        note(&format!(
            "[sequences of {length} tokens, {why}, of the {context} that the model was made for: {more} takes more]"
        ));
    }
}

/// The variables of `--default-chat-template-kwargs`, whose numbers are read as those of requests are.
pub fn template_variables(json: Option<&str>) -> Result<Vec<(String, chat::ChatValue)>> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let (flag, example) = ("--default-chat-template-kwargs", r#"{"enable_thinking": false}"#);
    let all = object_by(flag, json, example, |json| chat::read(json.as_bytes()))?;
    let names = all.try_iter().into_iter().flatten();
    Ok(names.map(|name| (name.to_string(), all.get_item(&name).unwrap_or_default())).collect())
}

/// The object of JSON that a flag is.
pub fn object(flag: &str, json: &str, example: &str) -> Result<Map<String, Value>> {
    object_by(flag, json, example, |json| serde_json::from_str(json))
}

fn object_by<T>(
    flag: &str,
    json: &str,
    example: &str,
    read: impl FnOnce(&str) -> serde_json::Result<T>,
) -> Result<T> {
    let wrong = |what: String| Error::input(what).help(format!("write {example}"));
    if !json.trim_start().starts_with('{') {
        return Err(wrong(format!("{flag} is {json}, which is no object of JSON")));
    }
    read(json).map_err(|e| wrong(format!("{flag}: {e}")))
}

fn address(arguments: &Serve) -> Result<Address> {
    if let Some(path) = &arguments.uds {
        return Ok(Address::Unix(path.clone()));
    }
    let (host, port) = (arguments.host.as_str(), arguments.port);
    let wrong = || {
        Error::input(format!("--host is {host}, which is no address"))
            .help("write 127.0.0.1 for this machine alone, or 0.0.0.0 for others too")
    };
    let found = (host, port).to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or_else(wrong)?;
    Ok(Address::Tcp(found.ip(), port))
}

/// The rules for vLLM's `--quantization`; `None` if the checkpoint is already quantized by this method.
fn quantization(path: &Path, method: &str) -> Result<Option<QuantizeRules>> {
    let files = if is_run(path) { None } else { Some(Pretrained::files(path)?) };
    let found = files.as_ref().and_then(|files| quantization_method(files.config()));
    let scheme = match (method, found) {
        (_, Some(found)) if found == method => return Ok(None),
        (_, Some(found)) => {
            let error = format!("--quantization is {method}, and the weights are quantized by {found}");
            return Err(
                Error::input(error).help("leave the flag out: the folder says how its weights are quantized")
            );
        }
        ("fp8", None) => "fp8",
        ("bitsandbytes", None) => "nf4",
        _ => {
            let error = format!("--quantization is {method}, and the folder has its weights as they are");
            return Err(Error::input(error).help(
                "fp8 and bitsandbytes quantize them while they are read, --quantize by schemes and rules; `jarrah model quantize` calibrates",
            ));
        }
    };
    scheme.parse().map(Some)
}

/// The templates with another one for conversations.
fn with_template(templates: Templates, file: &Path) -> Result<Templates> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::io("read", file, &e))?;
    let template = Template::new(&text).map_err(|e| e.context(format!("in {}", file.display())))?;
    Ok(templates.with("default", template))
}

/// The parameters with those of an object of JSON.
fn defaults(mut params: Params, json: Option<&str>) -> Result<Params> {
    let (flag, example) =
        ("--override-generation-config", r#"{"temperature": 0.6, "top_p": 0.95, "top_k": 20}"#);
    let wrong = |what: String| Error::input(format!("{flag}: {what}")).help(format!("write {example}"));
    let Some(json) = json else { return Ok(params) };
    let entries = object(flag, json, example)?;
    for (name, value) in &entries {
        let number = || value.as_f64().ok_or_else(|| wrong(format!("{name} is no number")));
        let count = || value.as_u64().ok_or_else(|| wrong(format!("{name} is no whole number, 0 or more")));
        match name.as_str() {
            "temperature" => params.temperature = number()?,
            "top_p" => params.top_p = number()?,
            "top_k" => params.top_k = count()? as usize,
            "min_p" => params.min_p = number()?,
            "presence_penalty" => params.presence_penalty = number()?,
            "frequency_penalty" => params.frequency_penalty = number()?,
            "repetition_penalty" => params.repetition_penalty = number()?,
            "max_new_tokens" => match count()? {
                0 => return Err(wrong("max_new_tokens is 0, and an answer has a token at least".to_owned())),
                most => params.max_tokens = Some(most as usize),
            },
            _ => return Err(wrong(format!("{name} is none of its names"))),
        }
    }
    params.check(usize::MAX)?;
    Ok(params)
}

/// How tokens are drafted, as an object of JSON and the path of a draft model say.
fn drafts(json: Option<&str>, path: Option<&Path>, load: &LoadOptions) -> Result<Option<Drafts>> {
    let flag = "--speculative-config";
    let example = r#"{"method": "ngram", "num_speculative_tokens": 5} or {"model": "PATH", "num_speculative_tokens": 5}"#;
    let wrong = |what: String| Error::input(format!("{flag}: {what}")).help(format!("write {example}"));
    let entries = match json {
        Some(json) => object(flag, json, example)?,
        None if path.is_none() => return Ok(None),
        None => Map::new(),
    };
    let (mut lookup, mut method, mut path) = (Lookup::default(), None, path.map(Path::to_owned));
    for (name, value) in &entries {
        let count = || {
            let count = value.as_u64().filter(|&n| (1..=64).contains(&n));
            count.map(|n| n as usize).ok_or_else(|| wrong(format!("{name} is {value}, it must be 1 to 64")))
        };
        match name.as_str() {
            "method" => match value.as_str() {
                Some(name @ ("ngram" | "draft_model" | "mtp")) => method = Some(name),
                _ => {
                    let error =
                        format!("the method is {value}, there are \"ngram\", \"draft_model\" and \"mtp\"");
                    return Err(wrong(error));
                }
            },
            "model" => {
                let text = value.as_str().ok_or_else(|| wrong(format!("model is {value}, no path")))?;
                path = Some(text.into());
            }
            "num_speculative_tokens" => lookup.tokens = count()?,
            "prompt_lookup_max" => lookup.longest = count()?,
            "prompt_lookup_min" => lookup.shortest = count()?,
            _ => return Err(wrong(format!("{name} is none of its names"))),
        }
    }
    if lookup.shortest > lookup.longest {
        return Err(wrong(format!("prompt_lookup_min is {}, more than prompt_lookup_max", lookup.shortest)));
    }
    match (path, method) {
        (Some(path), None | Some("draft_model")) => {
            let what = LoadOptions { dtype: load.dtype, ..LoadOptions::default() };
            let within = |e: Error| e.context(format!("while loading the draft model {}", path.display()));
            let model = Box::new(Served::load(&path, &what).map_err(within)?.model);
            Ok(Some(Drafts::Model { model, tokens: lookup.tokens }))
        }
        (Some(_), Some(method)) => Err(wrong(format!("the method {method} takes no model"))),
        (None, Some("mtp")) => Ok(Some(Drafts::Heads {
            tokens: if entries.contains_key("num_speculative_tokens") { lookup.tokens } else { 1 },
        })),
        (None, Some("draft_model")) => Err(wrong("the method draft_model needs a model".to_owned())),
        (None, _) => Ok(Some(Drafts::Lookup(lookup))),
    }
}

/// The first signal lets the server finish what runs, the second ends it.
pub fn stop_on_signals(stopper: Stopper, at_once: impl Fn() + Send + 'static) -> Result<()> {
    let mut asked = false;
    let handler = move || {
        let again = std::mem::replace(&mut asked, true);
        if !again {
            note("\nstopping: what runs is finished (once more to end at once)");
        }
        stopper.stop();
        if again {
            at_once();
        }
    };
    signals::listen(Signals::All, handler)
}
