use std::io::{self, IsTerminal, Read};

use jarrah::serve::{
    Completion, Engine, EngineOptions, EngineRequest, Finish, LoadOptions, Params, Served, Stream,
};
use jarrah::tokenizer::chat::Chat;
use jarrah::{Error, Result};

use crate::cli::Generate;
use crate::output::{note, show};
use crate::source;

pub fn generate(arguments: Generate) -> Result<()> {
    jarrah::train::use_threads(arguments.threads);
    let params = Params {
        temperature: arguments.temperature,
        top_k: arguments.top_k,
        top_p: arguments.top_p,
        seed: Some(arguments.seed),
        ..Params::default()
    };
    params.check(usize::MAX)?;
    let prompt = match arguments.prompt.as_str() {
        "-" => standard_input()?,
        _ => arguments.prompt,
    };
    let shown = if arguments.chat { String::new() } else { prompt.clone() };
    let prompt = match arguments.chat {
        false => prompt,
        true => {
            let chat = Chat { add_generation_prompt: true, ..Chat::new([("user", prompt.as_str())]) };
            let templates = match source::templates(&arguments.run) {
                Ok(templates) => templates,
                Err(error) => {
                    let plain = source::plain_templates(&arguments.run)?;
                    let plain =
                        plain.ok_or_else(|| error.help("without --chat the prompt is taken as it is"))?;
                    source::say_plain(&arguments.run);
                    plain
                }
            };
            templates.render(&chat)?
        }
    };
    let what = LoadOptions {
        step: arguments.step,
        adapter: arguments.adapter,
        quantize: arguments.quantize,
        dtype: None,
    };
    let mut served = Served::open(&arguments.run, &what)?;
    source::tell(&served.notes);
    // With --chat they were read above.
    served.wrong_templates = None;
    let weights_cache = source::weights_cache(source::WEIGHTS_CACHE);
    let options = EngineOptions { sequences: 1, warm: false, weights_cache, ..EngineOptions::default() };
    let engine = Engine::start(served, options)?;
    // Without a tokenizer prompts are ids of tokens, and so are answers.
    let has_text = engine.tokenizer().is_some();
    let ids = match has_text {
        true => None,
        false => Some(serde_json::from_str::<Vec<u32>>(&prompt).map_err(|_| not_ids(&engine, &prompt))?),
    };
    if arguments.max_tokens == 0 {
        return show(&format!("{shown}\n"));
    }
    let given = match ids {
        Some(ids) => ids,
        None => engine.prompt(&prompt, arguments.chat)?,
    };
    let length = given.len();
    let most = engine.max_length();
    let (prompt, _) = engine.fitted(given, arguments.max_tokens);
    let seen = prompt.len();
    if seen < length {
        note(&format!("[the model's context is {most} tokens: it sees the last {seen} of the prompt]"));
    }
    let params = Params { max_tokens: Some(arguments.max_tokens), stop: arguments.stop, ..params };
    let request = EngineRequest { prompt: prompt.clone(), params, slides: true, ..EngineRequest::default() };
    let stream = engine.add(request)?;
    let completion = match has_text {
        true => tell(stream, &shown)?,
        false => tell_ids(stream, &prompt)?,
    };
    if let Some(slid) = slid(most, seen, completion.tokens.len()) {
        note(&slid);
    }
    if io::stderr().is_terminal() {
        note(&format!("[{} tokens; {}]", completion.tokens.len(), reason(&completion.finish)));
    }
    Ok(())
}

/// A note on how the model went on if the text became longer than the context; `None` if it fits.
///
/// * `seen`, `written`: the tokens of the prompt and of the answer
pub fn slid(context: usize, seen: usize, written: usize) -> Option<String> {
    (seen + written > context + 1).then(|| {
        format!("[the model's context is {context} tokens: wherever it was full, the text went on from its newer half]")
    })
}

/// Shows the text behind `prompt` as it comes.
fn tell(stream: Stream, prompt: &str) -> Result<Completion> {
    show(prompt)?;
    let mut whole = Completion::default();
    for delta in stream {
        show(&delta.text)?;
        whole.push(delta);
    }
    if let Finish::Failed(error) = &whole.finish {
        return Err(error.clone());
    }
    show("\n")?;
    Ok(whole)
}

/// Shows the ids of `prompt` and those behind it as one list of JSON, as they come.
fn tell_ids(stream: Stream, prompt: &[u32]) -> Result<Completion> {
    let mut whole = Completion::default();
    let mut separator = "[";
    let mut tell = |ids: &[u32]| {
        ids.iter().try_for_each(|id| show(&format!("{}{id}", std::mem::replace(&mut separator, ", "))))
    };
    tell(prompt)?;
    for delta in stream {
        tell(&delta.tokens)?;
        whole.push(delta);
    }
    if let Finish::Failed(error) = &whole.finish {
        return Err(error.clone());
    }
    show("]\n")?;
    Ok(whole)
}

/// The error of a text that is given to a model without a tokenizer.
fn not_ids(engine: &Engine, prompt: &str) -> Error {
    let error = match prompt {
        "" => format!("{} has no tokenizer, so it starts from tokens", engine.name()),
        _ => format!("{} has no tokenizer, so it takes no text", engine.name()),
    };
    Error::input(error).help("give the ids of tokens as a list: --prompt \"[1, 2, 3]\"")
}

fn reason(finish: &Finish) -> String {
    match finish {
        Finish::MaxTokens => "as many as asked for".to_owned(),
        Finish::EndOfText | Finish::StopToken(_) => "the end of the text".to_owned(),
        Finish::Repetition => "it repeats itself".to_owned(),
        Finish::StopString(text) => format!("stopped at {text:?}"),
        Finish::Cancelled | Finish::Failed(_) => "cancelled".to_owned(),
    }
}

fn standard_input() -> Result<String> {
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|e| Error::environment(format!("cannot read the standard input: {e}")))?;
    String::from_utf8(bytes).map_err(|_| Error::input("the prompt on the standard input is not UTF-8 text"))
}
