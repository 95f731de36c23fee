use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;

use jarrah::models::{LanguageModel, Pretrained};
use jarrah::serve::{Finish, Generator, Request, Sampling};
use jarrah::tokenizer::chat::{Chat, Templates};
use jarrah::{Error, Result};

use crate::cli::Generate;
use crate::output::{note, show};

pub fn generate(arguments: Generate) -> Result<()> {
    jarrah::train::use_threads(arguments.threads);
    let sampling =
        Sampling { temperature: arguments.temperature, top_k: arguments.top_k, top_p: arguments.top_p };
    sampling.check()?;
    let prompt = match arguments.prompt.as_str() {
        "-" => standard_input()?,
        _ => arguments.prompt,
    };
    // A run is a folder without `config.json`.
    let file = arguments.run.is_file();
    let pretrained = file || arguments.run.join("config.json").is_file();
    let shown = if arguments.chat { String::new() } else { prompt.clone() };
    let prompt = match (arguments.chat, pretrained) {
        (false, _) => prompt,
        (true, true) => {
            let templates = match file {
                true => Pretrained::files(&arguments.run)
                    .and_then(|files| Templates::from_files(|name| files.file(name)))?,
                false => Templates::load(&arguments.run)?,
            };
            templates.render(&Chat::new([("user", prompt.as_str())]))?
        }
        (true, false) => {
            let error =
                Error::input(format!("{} is a run, and has no template for chats", arguments.run.display()));
            return Err(error.help("leave --chat out"));
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
    if pretrained {
        tell(&Generator::pretrained(&arguments.run, arguments.adapter.as_deref())?, &request, &shown)
    } else if let Some(adapter) = arguments.adapter {
        Err(Error::input(format!(
            "{} is a run, and {} an adapter of a model of Hugging Face",
            arguments.run.display(),
            adapter.display()
        )))
    } else {
        tell(&Generator::load(&arguments.run, arguments.step)?, &request, &shown)
    }
}

/// Generates, and shows the text behind `prompt` as it comes.
fn tell<M: LanguageModel>(generator: &Generator<M>, request: &Request, prompt: &str) -> Result<()> {
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
