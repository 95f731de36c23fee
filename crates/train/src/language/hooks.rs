//! The hooks of a run of a language model: answering questions, writing texts, writing the adapter for PEFT.

use std::time::{Duration, Instant};

use jarrah_base::Result;
use jarrah_models::{ModelSpec, Pretrained};
use jarrah_serve::{Engine, EngineOptions, EngineRequest, Finish, Params, Question, Served};
use jarrah_tokenizer::Tokenizer;

use super::objective::NextToken;
use crate::metrics::{Samples, Text as Written};
use crate::recipe::{Recipe, Sample, Task};
use crate::trainer::{End, Hook, HookState, Minimize, StepReport};

type Place<'a> = HookState<'a, Minimize<NextToken>>;

/// How long a run that was stopped writes a text at most.
const LAST_TEXT: Duration = Duration::from_secs(10);
/// The folder of the adapter at the end of a run.
const ADAPTER: &str = "adapter";

/// An engine that answers with the best parameters so far.
fn engine(at: &Place<'_>, tokenizer: &Tokenizer) -> Result<Engine> {
    let model = at.objective.loss.model(&at.state.best(), at.fixed);
    let options = EngineOptions {
        sequences: 8,
        tokens_per_step: 64,
        paced: false,
        warm: false,
        ..EngineOptions::default()
    };
    Engine::start(Served::with_tokenizer("the run", model, tokenizer.clone()), options)
}

/// Before each evaluation, answers questions and measures how many of the answers are exact.
pub struct Answers {
    pub questions: Vec<Question>,
    /// The most tokens of an answer.
    pub tokens: usize,
    pub tokenizer: Tokenizer,
}

impl Hook<Minimize<NextToken>> for Answers {
    fn before_evaluation(&mut self, at: &mut Place<'_>) -> Result<bool> {
        let engine = engine(at, &self.tokenizer)?;
        let (working, count) = (at.console.working("answering"), self.questions.len());
        let mut goes_on = |done: usize| {
            working.says(&format!("answering: {done} of {}", questions_of(count)));
            !at.is_overdue()
        };
        let right = engine.exact_answers_while(&self.questions, self.tokens, &mut goes_on)?;
        drop(working);
        let Some(right) = right else { return Ok(false) };
        at.record(&[("exact_answers", right)]);
        let count = questions_of(count);
        let line =
            format!("step {}/{}  {:.1} % of {count} answered exactly", at.step, at.steps, 100.0 * right);
        at.console.line(&line);
        Ok(true)
    }
}

fn questions_of(count: usize) -> String {
    if count == 1 { "1 question".to_owned() } else { format!("{count} questions") }
}

/// Lets the model write a text every so many steps, and at the end.
pub struct Writer {
    sample: Sample,
    prompt: String,
    chat: bool,
    seed: u64,
    tokenizer: Tokenizer,
    /// The step of the last text.
    written: Option<u64>,
}

impl Writer {
    /// Texts as the recipe asks for. `question` is the prompt of a run that learns chats, where the recipe has none.
    pub fn new(recipe: &Recipe, question: &str, tokenizer: Tokenizer) -> Self {
        let sample = recipe.sample.clone();
        let chat = recipe.task == Task::Sft && sample.prompt.is_empty();
        let prompt = if chat { question } else { &sample.prompt }.to_owned();
        Writer { prompt, chat, seed: recipe.seed, tokenizer, written: None, sample }
    }

    /// Lets the model write a text, as long as it `goes_on`.
    fn write(&mut self, at: &mut Place<'_>, goes_on: impl Fn(&Place<'_>) -> bool) -> Result<()> {
        if self.sample.tokens == 0 || self.written == Some(at.step) || !goes_on(at) {
            return Ok(());
        }
        let written = self.text(at, goes_on)?;
        self.written = Some(at.step);
        let samples = Samples::new(at.folder);
        // A run that is resumed at its end writes its last text again.
        if let Err(error) = samples.cut(at.step.saturating_sub(1)).and_then(|()| samples.add(&written)) {
            at.console.warn(&format!("the sample is not recorded: {error}"));
        }
        Ok(())
    }

    fn text(&self, at: &mut Place<'_>, goes_on: impl Fn(&Place<'_>) -> bool) -> Result<Written> {
        let (sample, prompt) = (&self.sample, &self.prompt);
        let engine = engine(at, &self.tokenizer)?;
        let (tokens, _) = engine.fitted(engine.prompt(prompt, self.chat)?, sample.tokens);
        let room = (engine.max_length() + 1).saturating_sub(tokens.len());
        at.console.line("sample:");
        at.console.text(prompt);
        let params = Params {
            max_tokens: Some(sample.tokens),
            temperature: sample.temperature,
            top_k: sample.top_k,
            top_p: sample.top_p,
            seed: Some(self.seed),
            ..Params::default()
        };
        let mut written = Written { step: at.step, prompt: prompt.clone(), text: String::new() };
        let request = EngineRequest { prompt: tokens, params, slides: true, ..EngineRequest::default() };
        let mut count = 0;
        for delta in engine.add(request)? {
            if !goes_on(at) {
                break;
            }
            at.console.text(&delta.text);
            written.text += &delta.text;
            count += delta.tokens.len();
            if let Some(Finish::Failed(error)) = delta.finish {
                return Err(error);
            }
        }
        at.console.text("\n");
        if count > room {
            let context = engine.max_length();
            at.console.line(&format!("(longer than the context of {context} tokens: where it was full, the text went on from its newer half)"));
        }
        Ok(written)
    }
}

impl Hook<Minimize<NextToken>> for Writer {
    fn after_step(&mut self, at: &mut Place<'_>, _: &StepReport) -> Result<()> {
        let every = self.sample.every;
        match every > 0 && at.step.is_multiple_of(every) && at.step < at.steps {
            true => self.write(at, |at| !at.is_stopping()),
            false => Ok(()),
        }
    }

    fn at_end(&mut self, at: &mut Place<'_>, end: End) -> Result<()> {
        let begun = Instant::now();
        match end {
            End::Complete => self.write(at, |at| !at.is_stopping()),
            End::Stopped => self.write(at, |_| begun.elapsed() < LAST_TEXT),
        }
    }
}

/// At the end of a run that trained an adapter, writes it as PEFT has them.
pub struct Adapter {
    pub spec: ModelSpec,
}

impl Hook<Minimize<NextToken>> for Adapter {
    fn at_end(&mut self, at: &mut Place<'_>, end: End) -> Result<()> {
        let Some(lora) = self.spec.lora.as_ref().filter(|_| end == End::Complete) else { return Ok(()) };
        let folder = at.folder.join(ADAPTER);
        let model = at.objective.loss.model(&at.state.best(), at.fixed);
        let written = Pretrained::of(model, self.spec.config.clone(), None)
            .and_then(|model| model.save_adapter(&folder));
        match written {
            Ok(()) => {
                let shown = folder.display();
                at.console.line(&format!("adapter: {shown}, of rank {}, as PEFT has them", lora.rank));
            }
            Err(error) => at.console.warn(&format!("the adapter is not written for PEFT: {error}")),
        }
        Ok(())
    }
}
