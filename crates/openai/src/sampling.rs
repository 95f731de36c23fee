//! The fields by which completions and chats control sampling.

use jarrah_tokenizer::chat::{ChatValue, ValueKind};

use crate::app::App;
use crate::refusal::{Refusal, Result};
use jarrah_serve::{EngineRequest, Params, Repetition};
use jarrah_tokenizer::chat::fields::{
    Fault, Fields, at_least, count, flag, id, integer, list, number, object, one_of, text, texts, wrong,
};

/// The longest salt, in bytes.
const LONGEST_SALT: usize = 1024;

/// The help of errors about vLLM's former fields for constraints.
const FORMS: &str = "give `structured_outputs`, or `response_format`";

/// The values of `verbosity`, by OpenAI's words.
pub const VERBOSITIES: &[&str] = &["low", "medium", "high"];

/// Why beam search does not support settings of sampling.
const OF_BEAMS: &str = "a search for the likeliest texts takes them as the model has them";

/// Fields that have no effect here: they tell OpenAI's and vLLM's servers who asks, what to keep, and how to read images.
const WITHOUT_EFFECT: [&str; 12] = [
    "user",
    "safety_identifier",
    "metadata",
    "store",
    "prompt_cache_key",
    "prediction",
    "request_id",
    "mm_processor_kwargs",
    "media_io_kwargs",
    "guided_decoding_backend",
    "guided_whitespace_pattern",
    "spaces_between_special_tokens",
];

/// Fields that have no effect here, and their values. A misspelt value is refused nevertheless, as OpenAI does.
const WORDS: [(&str, &[&str]); 3] = [
    ("service_tier", &["auto", "default", "flex", "scale", "priority"]),
    ("verbosity", VERBOSITIES),
    ("prompt_cache_retention", &["in-memory", "in_memory", "24h"]),
];

/// The sampling settings of a request: everything beside the prompt and the number of tokens.
pub struct Asked {
    pub params: Params,
    /// With beam search: the power of the length by which the sum of a text's logprobs is divided.
    pub length_penalty: Option<f64>,
    priority: i32,
    salt: Vec<u8>,
}

impl Asked {
    /// Reads the settings, for a request of `prompts` prompts.
    pub fn read(app: &App, fields: &Fields<'_>, prompts: usize) -> Result<Asked> {
        for (name, what) in [
            ("prompt_embeds", "give text or tokens"),
            ("watermarking", "nothing is marked here"),
            ("kv_transfer_params", "keys and values stay in this process"),
            ("guided_json", FORMS),
            ("guided_regex", FORMS),
            ("guided_choice", FORMS),
            ("guided_grammar", FORMS),
            ("functions", "give `tools`"),
            ("function_call", "give `tool_choice`"),
            ("audio", "answers are text"),
            ("web_search_options", "nothing is searched for here"),
            ("logits_processors", "no code is loaded here"),
            ("vllm_xargs", "no code is loaded here"),
        ] {
            fields.without(name, what)?;
        }
        fields.read("modalities", modalities)?;
        for (name, known) in WORDS {
            fields.read(name, one_of(known))?;
        }
        fields.known(&WITHOUT_EFFECT);
        let has_beams = fields.flag("use_beam_search")?;
        // The name of a field that draws tokens, which a search for the likeliest texts refuses but for the numbers `nothing`.
        let drawn = |name: &'static str, nothing: &[f64]| match has_beams {
            true => not_of_beams(fields, name, nothing).map(|()| name),
            false => Ok(name),
        };
        let best = fields.read("best_of", at_least(1))?;
        let usual = app.engine.defaults().clone();
        let vocabulary = app.engine.vocabulary();
        let id = id(vocabulary);
        let get = |name: &str| fields.read(name, number);
        let n = fields.read("n", at_least(1))?.unwrap_or(1);
        if let Some(best) = best.filter(|&best| best != n) {
            let message = format!(
                "`best_of` is {best}, and `n` {n}: all answers that are made are given, so leave it out"
            );
            return Err(Refusal::field("best_of", message));
        }
        let most = app.options.most_choices;
        if n.saturating_mul(prompts) > most {
            let path = fields.path(if n == 1 { "prompt" } else { "n" });
            let what = match n {
                1 => format!("has {prompts} prompts"),
                _ => format!("is {n} for {prompts} prompts"),
            };
            let message = format!("`{path}` {what}, but a request has at most {most} choices");
            return Err(Refusal::field(path, message));
        }
        let params = Params {
            n,
            temperature: get(drawn("temperature", &[0.0, 1.0])?)?.unwrap_or(usual.temperature),
            top_p: get(drawn("top_p", &[1.0])?)?.unwrap_or(usual.top_p),
            top_k: fields.read(drawn("top_k", &[-1.0, 0.0])?, top_k)?.unwrap_or(usual.top_k),
            min_p: get(drawn("min_p", &[0.0])?)?.unwrap_or(usual.min_p),
            presence_penalty: get(drawn("presence_penalty", &[0.0])?)?.unwrap_or(usual.presence_penalty),
            frequency_penalty: get(drawn("frequency_penalty", &[0.0])?)?.unwrap_or(usual.frequency_penalty),
            repetition_penalty: get(drawn("repetition_penalty", &[1.0])?)?
                .unwrap_or(usual.repetition_penalty),
            seed: fields.read("seed", integer)?.map(|seed| seed as u64).or(usual.seed),
            stop: fields.read(drawn("stop", &[])?, texts)?.unwrap_or_default(),
            stop_tokens: fields.read("stop_token_ids", list(id))?.unwrap_or_default(),
            include_stop: fields.flag(drawn("include_stop_str_in_output", &[])?)?,
            logit_bias: fields
                .read(drawn("logit_bias", &[])?, |value, path| biases(value, path, vocabulary))?
                .unwrap_or_default(),
            allowed_tokens: fields.read(drawn("allowed_token_ids", &[])?, list(id))?,
            bad_words: fields.read(drawn("bad_words", &[])?, list(text))?.unwrap_or_default(),
            min_tokens: fields.read(drawn("min_tokens", &[0.0])?, count)?.unwrap_or(0),
            ignore_eos: fields.flag("ignore_eos")?,
            logprob_tokens: fields.read(drawn("logprob_token_ids", &[])?, list(id))?.unwrap_or_default(),
            repetition: fields.read(drawn("repetition_detection", &[])?, object(repetition))?.flatten(),
            detokenize: fields.read("detokenize", flag)?.unwrap_or(usual.detokenize),
            stream_interval: fields.read("stream_interval", at_least(1))?.unwrap_or(usual.stream_interval),
            skip_prefix_cache: fields.flag("skip_reading_prefix_cache")?,
            skip_special_tokens: fields
                .read("skip_special_tokens", flag)?
                .unwrap_or(usual.skip_special_tokens),
            ..usual
        };
        let priority = |value: &ChatValue, path: &str| {
            let priority = integer(value, path)?;
            i32::try_from(priority)
                .map_err(|_| Refusal::field(path, format!("`{path}` is {priority}, but has 32 bits")))
        };
        let length_penalty = get("length_penalty")?.unwrap_or(1.0);
        let length_penalty = has_beams.then_some(length_penalty);
        let params = match length_penalty {
            None => params,
            Some(_) => of_beams(fields, params)?,
        };
        Ok(Asked {
            params,
            length_penalty,
            priority: fields.read("priority", priority)?.unwrap_or(0),
            salt: fields.read("cache_salt", salt)?.unwrap_or_default().into_bytes(),
        })
    }

    /// The engine's request for a prompt, answered with an adapter or without.
    pub fn request(&self, prompt: Vec<u32>, max_tokens: usize, adapter: Option<String>) -> EngineRequest {
        let params = Params { max_tokens: Some(max_tokens), ..self.params.clone() };
        EngineRequest {
            prompt,
            params,
            priority: self.priority,
            salt: self.salt.clone(),
            adapter,
            ..EngineRequest::default()
        }
    }
}

/// Refuses a field that beam search does not support, unless it is one of the numbers `nothing`, which ask for nothing.
fn not_of_beams(fields: &Fields<'_>, name: &str, nothing: &[f64]) -> Result<(), Fault> {
    fields.without_but(name, nothing, " with `use_beam_search`", OF_BEAMS)
}

/// The parameters of a beam search; fields of other readers that it does not support are refused.
fn of_beams(fields: &Fields<'_>, params: Params) -> Result<Params> {
    for name in ["logprobs", "prompt_logprobs", "structured_outputs", "tools", "thinking_token_budget"] {
        not_of_beams(fields, name, &[])?;
    }
    let is_text = |format: &Fields<'_>| {
        format.open();
        Ok::<_, Fault>(format.read("type", text)?.is_some_and(|kind| kind == "text"))
    };
    if fields.read("response_format", object(is_text))? == Some(false) {
        not_of_beams(fields, "response_format", &[])?;
    }
    if !params.detokenize {
        let message = format!("`detokenize` is false, but {OF_BEAMS}, as texts");
        return Err(Refusal::field("detokenize", message));
    }
    let Params { n, stop_tokens, ignore_eos, skip_special_tokens, .. } = params;
    Ok(Params { n, stop_tokens, ignore_eos, skip_special_tokens, ..Params::default() })
}

/// Checks the field `modalities`: answers are text only.
fn modalities(value: &ChatValue, path: &str) -> Result<()> {
    match list(text)(value, path)?.iter().find(|kind| *kind != "text") {
        None => Ok(()),
        Some(kind) => {
            let message =
                format!("`{path}` has `{kind}`, but answers are text: leave it out, or give [\"text\"]");
            Err(Refusal::field(path, message))
        }
    }
}

/// Reads a number of logprobs, at most the limit of the options; -1 asks for the limit.
pub fn logprobs(app: &App) -> impl Fn(&ChatValue, &str) -> Result<usize> {
    let most = app.options.most_logprobs;
    move |value, path| match integer(value, path)? {
        -1 => Ok(most),
        n if n < 0 => Err(Refusal::field(path, format!("`{path}` is {n}, but must be -1 or more"))),
        n if n > most as i64 => {
            Err(Refusal::field(path, format!("`{path}` is {n}, but this server gives at most {most}")))
        }
        n => Ok(n as usize),
    }
}

/// Reads which repetition ends an answer; a `max_pattern_size` of 0 turns the check off.
fn repetition(fields: &Fields<'_>) -> Result<Option<Repetition>> {
    let read = |name: &str, usual: usize| Ok::<usize, Refusal>(fields.read(name, count)?.unwrap_or(usual));
    let longest = read("max_pattern_size", 0)?;
    let (shortest, times) = (read("min_pattern_size", 1)?.max(1), read("min_count", 2)?);
    Ok((longest > 0).then_some(Repetition { shortest, longest, times }))
}

/// Reads the number of candidates of a token; -1 and 0 mean the whole vocabulary.
fn top_k(value: &ChatValue, path: &str) -> Result<usize> {
    match integer(value, path)? {
        -1 => Ok(0),
        n if n < -1 => Err(Refusal::field(path, format!("`{path}` is {n}, but must be -1 or more"))),
        n => Ok(n as usize),
    }
}

fn salt(value: &ChatValue, path: &str) -> Result<String> {
    let salt = text(value, path)?;
    match salt.len() {
        1..=LONGEST_SALT => Ok(salt),
        n => Err(Refusal::field(path, format!("`{path}` has {n} bytes, but must have 1 to {LONGEST_SALT}"))),
    }
}

/// Reads an object from token ids, written as texts, to the numbers added to their logits.
fn biases(value: &ChatValue, field: &str, vocabulary: usize) -> Result<Vec<(u32, f32)>> {
    if value.kind() != ValueKind::Map {
        return Err(wrong(field, "an object from tokens to numbers", value).into());
    }
    let keys = value.try_iter().into_iter().flatten();
    let bias = |key: ChatValue| {
        let path = format!("{field}.{key}");
        let token = key.as_str().and_then(|key| key.parse::<i64>().ok());
        let token =
            token.ok_or_else(|| Refusal::field(&path, format!("`{path}`: its name must be a token")))?;
        let known = u32::try_from(token).ok().filter(|&token| (token as usize) < vocabulary);
        let known = known.ok_or_else(|| {
            let last = vocabulary.saturating_sub(1);
            let message = format!("`{field}` has the token {token}, but the model's tokens are 0 to {last}");
            Refusal::field(&path, message)
        })?;
        let bias = number(&value.get_item(&key).unwrap_or_default(), &path)?;
        Ok((known, bias as f32))
    };
    keys.map(bias).collect()
}
