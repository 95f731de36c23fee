use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;

use jarrah::serve::{Finish, Generator, Request, Sampling};
use jarrah::tokenizer::chat::Chat;
use jarrah::{Error, Result};

use crate::cli::Generate;
use crate::output::{note, show};
use crate::source;

pub fn generate(arguments: Generate) -> Result<()> {
    jarrah::train::use_threads(arguments.threads);
    let sampling =
        Sampling { temperature: arguments.temperature, top_k: arguments.top_k, top_p: arguments.top_p };
    sampling.check()?;
    let prompt = match arguments.prompt.as_str() {
        "-" => standard_input()?,
        _ => arguments.prompt,
    };
    let shown = if arguments.chat { String::new() } else { prompt.clone() };
    let prompt = match arguments.chat {
        false => prompt,
        true => {
            let chat = Chat { add_generation_prompt: true, ..Chat::new([("user", prompt.as_str())]) };
            let templates = source::templates(&arguments.run);
            templates.map_err(|e| e.help("without --chat the prompt is taken as it is"))?.render(&chat)?
        }
    };
    let request = Request {
        prompt,
        chat: arguments.chat,
        max_tokens: arguments.max_tokens,
        sampling,
        seed: arguments.seed,
        stop: arguments.stop,
    };
    let generator = source::generator(&arguments.run, arguments.adapter.as_deref(), arguments.step)?;
    tell(&generator, &request, &shown)
}

/// Generates, and shows the text behind `prompt` as it comes.
fn tell(generator: &Generator, request: &Request, prompt: &str) -> Result<()> {
    let mut failed = None;
    let mut begun = false;
    let mut write = |piece: &str| {
        // The prompt is shown once it is known to be good.
        let prompt = if begun { "" } else { prompt };
        begun = true;
        match show(&format!("{prompt}{piece}")) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let completion = generator.generate(request, &mut write)?;
    if let Some(error) = failed {
        return Err(error);
    }
    show(&format!("{}\n", if begun { "" } else { prompt }))?;
    if completion.past_context > 0 {
        let context = generator.context();
        note(&format!(
            "[the model's context is {context} tokens: the last {} were each drawn from the {context} before them]",
            completion.past_context
        ));
    }
    if io::stderr().is_terminal() {
        note(&format!("[{} tokens; {}]", completion.tokens.len(), reason(&completion.finish)));
    }
    Ok(())
}

fn reason(finish: &Finish) -> String {
    match finish {
        Finish::MaxTokens => "as many as asked for".to_owned(),
        Finish::EndOfText => "the end of the text".to_owned(),
        Finish::Stop(text) => format!("stopped at {text:?}"),
        Finish::Cancelled => "cancelled".to_owned(),
    }
}

fn standard_input() -> Result<String> {
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|e| Error::environment(format!("cannot read the standard input: {e}")))?;
    String::from_utf8(bytes).map_err(|_| Error::input("the prompt on the standard input is not UTF-8 text"))
}
