//! `jarrah eval`: how well a model foretells text, and what it answers.

use jarrah::serve::{Engine, EngineOptions, Question};
use jarrah::train::{Measure, measure};
use jarrah::{Error, Result};
use serde_json::{Map, Value};

use crate::cli::Eval;
use crate::output::{error_console, note, show};
use crate::source;

pub fn eval(arguments: Eval) -> Result<()> {
    let Eval {
        model: path,
        adapter,
        quantize,
        data,
        chats,
        answers,
        max_tokens,
        context,
        batch,
        step,
        threads,
        json,
    } = arguments;
    if data.is_empty() && chats.is_empty() && answers.is_none() {
        return Err(Error::input("there is nothing to measure on")
            .help("give text as --data, chats as --chats, or questions as --answers"));
    }
    jarrah::train::use_threads(threads);
    let progress = error_console();
    let mut served = source::served(&path, adapter.as_deref(), step, quantize)?;
    // Read below, and wrong where there are chats.
    let wrong = served.wrong_templates.take();
    let tokenizer = served.tokenizer.clone().ok_or_else(|| {
        Error::input(format!("{} has no tokenizer, so it takes no text", path.display()))
            .help("give its folder the tokenizer that it was trained with")
    })?;
    let templates = source::templates(&path);
    let mut found: Vec<(&str, f64, String)> = Vec::new();
    let most = served.model.context;
    let context = context.unwrap_or(512.min(most));
    if context > most {
        return Err(Error::input(format!(
            "--context is {context}, but the model is made for sequences of {most}"
        ))
        .help(format!("give --context {most}, or less")));
    }
    for (data, is_chats) in [(&data, false), (&chats, true)] {
        if data.is_empty() {
            continue;
        }
        let templates = if is_chats { Some(templates.as_ref().map_err(Error::clone)?) } else { None };
        let working = progress.working("reading the text");
        let tell = |done: u64, of: u64| {
            let line = format!("measuring: {done} of {of} sequences of {context} tokens");
            match done {
                0 => note(&format!("measuring on {of} sequences of {context} tokens, {batch} at once")),
                _ => working.says(&line),
            }
        };
        let what = Measure { data, templates, context, batch, note: Some(&note), progress: Some(&tell) };
        let measured = measure(&served.model, &tokenizer, &what)?;
        drop(working);
        let names = match is_chats {
            false => ["perplexity", "loss", "tokens"],
            true => ["chat_perplexity", "chat_loss", "chat_tokens"],
        };
        found.push((names[0], measured.perplexity(), format!("{:.4}", measured.perplexity())));
        found.push((names[1], measured.loss, format!("{:.6} nats a token", measured.loss)));
        found.push((names[2], measured.tokens, format!("{}", measured.tokens)));
    }
    if let Some(file) = answers {
        let questions = Question::read(&file, templates.as_ref().ok()).map_err(|error| match wrong {
            Some(wrong) => error.help(format!("the model's chat template cannot be used: {wrong}")),
            None => error,
        })?;
        let engine =
            Engine::start(served, EngineOptions { paced: false, warm: false, ..EngineOptions::default() })?;
        let working = progress.working("answering");
        note(&format!("answering {} questions", questions.len()));
        let right = engine.exact_answers_while(&questions, max_tokens, &mut |done| {
            working.says(&format!("answering: {done} of {} questions", questions.len()));
            true
        })?;
        drop(working);
        let right = right.ok_or_else(|| Error::internal("nothing ended the answers"))?;
        found.push(("exact_answers", right, format!("{:.2} % of {}", 100.0 * right, questions.len())));
    }
    if json {
        let all: Map<String, Value> =
            found.into_iter().map(|(name, value, _)| (name.to_owned(), value.into())).collect();
        return show(&format!("{}\n", Value::Object(all)));
    }
    let width = found.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    show(&found.iter().map(|(name, _, text)| format!("{name:width$}  {text}\n")).collect::<String>())
}
