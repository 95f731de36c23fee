//! `jarrah chat`: a conversation in the terminal.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

use jarrah::serve::{Completion, Engine, EngineRequest, Finish, Params};
use jarrah::tokenizer::chat::{Chat, ChatValue};
use jarrah::{Error, ErrorKind, Result};
use serde_json::{Map, Value, json};

use crate::cli::Talk;
use crate::generate::slid;
use crate::output::{note, show};
use crate::serve::engine;
use crate::signals::{self, Signals};
use crate::source::say_plain;

const HELP: &str = "\
/help                what there is
/reset               forget the conversation
/undo                forget the last message and its answer
/retry               answer the last message anew
/system TEXT         what the model is told before the conversation; nothing without TEXT
/temperature X       0 takes the likeliest token; also /top_p X, /top_k N, /min_p X, /repetition_penalty X
/max_tokens N        the most tokens of an answer; as many as there is room for without N
/seed N              the same seed gives the same answers; another each time without N
/history             show the conversation
/save FILE           write it, in JSON
/load FILE           go on with one that was written
/stats               tokens and times of the last answer
/quit                end; so does Ctrl-D, and Ctrl-C twice
A line that ends in \\ goes on in the next one; lines between two lines of \"\"\" are one message. //text says /text.";

/// The state that decides the effect of Ctrl-C: it was not pressed yet, it was pressed once at the prompt, an answer is
/// running, the running answer is to stop.
const WAITS: u8 = 0;
const ASKED: u8 = 1;
const RUNS: u8 = 2;
const STOPS: u8 = 3;

pub fn chat(arguments: Talk) -> Result<()> {
    let seed = arguments.engine.seed;
    let variables =
        crate::serve::template_variables(arguments.engine.default_chat_template_kwargs.as_deref())?;
    let (engine, _, is_plain) = engine(&arguments.run, arguments.engine, true)?;
    if is_plain {
        say_plain(&arguments.run);
    }
    if engine.templates().is_none() {
        let message = format!("{} has no template for chats", arguments.run.display());
        return Err(Error::input(message).help("give one by --chat-template FILE, or use `jarrah generate`"));
    }
    let usual = engine.defaults().clone();
    let params = Params {
        seed,
        max_tokens: arguments.max_tokens.or(usual.max_tokens),
        temperature: arguments.temperature.unwrap_or(usual.temperature),
        top_k: arguments.top_k.unwrap_or(usual.top_k),
        top_p: arguments.top_p.unwrap_or(usual.top_p),
        ..usual
    };
    params.check(usize::MAX)?;
    let told = Arc::new(Told { state: AtomicU8::new(WAITS), main: thread::current() });
    listen(told.clone())?;
    let is_shown = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut talk = Conversation {
        engine,
        params,
        variables,
        system: arguments.system,
        messages: Vec::new(),
        last: None,
        told,
        is_shown,
        has_slid: false,
    };
    if let Some(file) = &arguments.load {
        talk.load(file)?;
    }
    if is_shown {
        note("[/help lists commands, Ctrl-C stops an answer, Ctrl-D ends]");
    }
    let mut wrong = 0;
    while let Some(line) = talk.read()? {
        match talk.take(&line) {
            Ok(true) => {}
            Ok(false) => {
                talk.engine.shut_down();
                return refused(wrong, is_shown);
            }
            // A wrong line does not end the others.
            Err(error) if is_shown || error.kind() == ErrorKind::Input => {
                wrong += 1;
                note(&format!("error: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    talk.engine.shut_down();
    if is_shown {
        show("\n")?;
    }
    refused(wrong, is_shown)
}

/// A program that reads the output through a pipe learns from the exit status that lines of the input were wrong.
fn refused(wrong: usize, is_shown: bool) -> Result<()> {
    match wrong {
        0 => Ok(()),
        _ if is_shown => Ok(()),
        wrong => {
            let lines = if wrong == 1 { "a line was".to_owned() } else { format!("{wrong} lines were") };
            let error = Error::input(format!("{lines} wrong, and had no answer"));
            Err(error.help("the standard error says beside each what is wrong with it"))
        }
    }
}

/// The state that the handler of Ctrl-C shares with the conversation.
struct Told {
    state: AtomicU8,
    main: Thread,
}

impl Wake for Told {
    fn wake(self: Arc<Self>) {
        self.main.unpark();
    }
}

/// Ctrl-C stops the answer that is running; where none is, it ends the program the second time. Other signals end it at once.
fn listen(told: Arc<Told>) -> Result<()> {
    let handler = move || {
        let next = |state| Some(if state >= RUNS { STOPS } else { ASKED });
        match told.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(ASKED) => std::process::exit(130),
            Ok(WAITS) => note("\n[Ctrl-C once more ends; so does /quit]"),
            _ => told.main.unpark(),
        }
    };
    signals::listen(Signals::Interrupt, handler)
}

/// The last answer in numbers.
struct Stats {
    prompt: usize,
    cached: usize,
    tokens: usize,
    /// Seconds to the first token.
    first: f64,
    seconds: f64,
}

struct Conversation {
    engine: Engine,
    params: Params,
    variables: Vec<(String, ChatValue)>,
    system: Option<String>,
    /// The messages so far: the role and the text of each.
    messages: Vec<(String, String)>,
    last: Option<Stats>,
    told: Arc<Told>,
    is_shown: bool,
    /// Whether it was said how answers go on past the context.
    has_slid: bool,
}

impl Conversation {
    /// The next message or command; nothing at the end of the input.
    fn read(&self) -> Result<Option<String>> {
        let mut whole = String::new();
        let mut quoted = false;
        loop {
            if self.is_shown {
                show(if whole.is_empty() && !quoted { "> " } else { ". " })?;
            }
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let read =
                read.map_err(|e| Error::environment(format!("cannot read the standard input: {e}")))?;
            let Ok(line) = String::from_utf8(line) else {
                note("the line is no text in UTF-8, and is left out");
                continue;
            };
            let line = line.trim_end_matches(['\n', '\r']);
            match (line.trim() == "\"\"\"", line.strip_suffix('\\')) {
                _ if read == 0 => return Ok(Some(whole).filter(|whole| !whole.is_empty())),
                (true, _) if quoted => return Ok(Some(whole)),
                (true, _) => quoted = true,
                (false, _) if quoted => whole += &format!("{line}\n"),
                (false, Some(line)) => whole += &format!("{line}\n"),
                (false, None) => return Ok(Some(whole + line)),
            }
        }
    }

    /// Does what a line says; whether to go on.
    fn take(&mut self, line: &str) -> Result<bool> {
        self.told.state.store(WAITS, Ordering::Relaxed);
        if line.trim().is_empty() {
            return Ok(true);
        }
        match line.strip_prefix('/') {
            Some(said) if said.starts_with('/') => self.say(said)?,
            Some(command) => return self.command(command),
            None => self.say(line)?,
        }
        Ok(true)
    }

    fn command(&mut self, command: &str) -> Result<bool> {
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = rest.trim();
        match name.replace('-', "_").as_str() {
            "help" | "?" => note(HELP),
            "quit" | "exit" | "bye" => return Ok(false),
            "reset" | "clear" => self.messages.clear(),
            "undo" => {
                self.undo();
            }
            "retry" => match self.undo() {
                Some(message) => self.say(&message)?,
                None => return Err(Error::input("there is no message to answer")),
            },
            "system" => self.system = Some(rest.to_owned()).filter(|text| !text.is_empty()),
            "history" => {
                let system = self.system.iter().map(|text| ("system", text.as_str()));
                let said = self.messages.iter().map(|(role, text)| (role.as_str(), text.as_str()));
                show(
                    &system.chain(said).map(|(role, text)| format!("{role}: {text}\n")).collect::<String>(),
                )?;
            }
            "save" => self.save(Path::new(file(rest)?))?,
            "load" => self.load(Path::new(file(rest)?))?,
            "stats" => self.stats(),
            name => self.set(name, rest)?,
        }
        Ok(true)
    }

    /// Sets a parameter.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let wrong = |what: &str| Error::input(format!("/{name} needs {what}, but has {value:?}"));
        let number = || value.parse::<f64>().map_err(|_| wrong("a number"));
        let whole = || value.parse::<u64>().map_err(|_| wrong("a whole number"));
        let mut params = self.params.clone();
        match name {
            "temperature" => params.temperature = number()?,
            "top_p" => params.top_p = number()?,
            "min_p" => params.min_p = number()?,
            "repetition_penalty" => params.repetition_penalty = number()?,
            "top_k" => params.top_k = whole()? as usize,
            "max_tokens" if value.is_empty() => params.max_tokens = None,
            "max_tokens" => params.max_tokens = Some(whole()? as usize),
            "seed" if value.is_empty() => params.seed = None,
            "seed" => params.seed = Some(whole()?),
            _ => return Err(Error::input(format!("/{name} is no command")).help("/help lists them")),
        }
        params.check(usize::MAX)?;
        self.params = params;
        Ok(())
    }

    /// Forgets the last message, which it gives, and what was said to it.
    fn undo(&mut self) -> Option<String> {
        let at = self.messages.iter().rposition(|(role, _)| role == "user")?;
        self.messages.drain(at..).next().map(|(_, text)| text)
    }

    fn save(&self, file: &Path) -> Result<()> {
        let system = self.system.iter().map(|text| json!({"role": "system", "content": text}));
        let said = self.messages.iter().map(|(role, text)| json!({"role": role, "content": text}));
        let all: Vec<Value> = system.chain(said).collect();
        jarrah_base::files::replace(file, format!("{:#}\n", Value::from(all)).as_bytes())
    }

    fn load(&mut self, file: &Path) -> Result<()> {
        let text = std::fs::read(file).map_err(|e| Error::io("read", file, &e))?;
        let wrong = || {
            Error::input(format!("{} is no conversation", file.display()))
                .help(r#"it is a list of {"role": "user", "content": "..."}"#)
        };
        let all: Vec<Map<String, Value>> = serde_json::from_slice(&text).map_err(|_| wrong())?;
        let (mut system, mut messages) = (None, Vec::new());
        for message in &all {
            let text =
                |name: &str| message.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(wrong);
            match (text("role")?, text("content")?) {
                (role, content) if role == "system" && messages.is_empty() => system = Some(content),
                message => messages.push(message),
            }
        }
        (self.system, self.messages) = (system, messages);
        Ok(())
    }

    fn stats(&self) {
        match &self.last {
            None => note("[there is no answer yet]"),
            Some(stats) => note(&format!("[{}]", stats.words())),
        }
    }

    /// The tokens of the conversation: if they do not fit, the oldest messages are forgotten.
    fn prompt(&mut self) -> Result<Vec<u32>> {
        let most = self.engine.max_length();
        let wanted = self.params.max_tokens.unwrap_or(1).min(most / 2).max(1);
        loop {
            let system = self.system.iter().map(|text| ("system", text.as_str()));
            let said = self.messages.iter().map(|(role, text)| (role.as_str(), text.as_str()));
            let variables = self.variables.clone();
            let chat = Chat { add_generation_prompt: true, variables, ..Chat::new(system.chain(said)) };
            let prompt = self.engine.chat_prompt(&chat)?;
            if prompt.len() + wanted <= most {
                return Ok(prompt);
            }
            let next = self.messages.iter().skip(1).position(|(role, _)| role == "user");
            let Some(next) = next else {
                // An answer of so many tokens may grow past the context; one without a number has some room at least.
                if prompt.len() < most {
                    return Ok(prompt);
                }
                let message = format!("the message has {} tokens, the model's context {most}", prompt.len());
                return Err(Error::input(message).help("say less at a time"));
            };
            self.messages.drain(..=next);
            note(&format!(
                "[the model's context of {most} tokens is full: the oldest messages are forgotten]"
            ));
        }
    }

    /// Sends a message to the model, and shows the answer.
    fn say(&mut self, message: &str) -> Result<()> {
        self.messages.push(("user".to_owned(), message.to_owned()));
        let answered = self.answer();
        if answered.is_err() {
            self.messages.pop();
        }
        answered
    }

    fn answer(&mut self) -> Result<()> {
        let prompt = self.prompt()?;
        let context = self.engine.max_length();
        let length = prompt.len();
        // Only an answer of a number of tokens ends outside of the context for certain.
        let slides = self.params.max_tokens.is_some();
        let most = self.params.max_tokens.unwrap_or(context - length);
        let params = Params { max_tokens: Some(most), ..self.params.clone() };
        let begun = Instant::now();
        self.told.state.store(RUNS, Ordering::Relaxed);
        let mut stream =
            self.engine.add(EngineRequest { prompt, params, slides, ..EngineRequest::default() })?;
        let waker = Waker::from(self.told.clone());
        let (mut whole, mut first) = (Completion::default(), None);
        while self.told.state.load(Ordering::Relaxed) == RUNS {
            match stream.poll_next(&mut Context::from_waker(&waker)) {
                Poll::Pending => thread::park(),
                Poll::Ready(None) => break,
                Poll::Ready(Some(delta)) => {
                    first.get_or_insert_with(|| begun.elapsed().as_secs_f64());
                    show(&delta.text)?;
                    whole.push(delta);
                }
            }
        }
        let is_stopped = self.told.state.swap(WAITS, Ordering::Relaxed) == STOPS;
        drop(stream);
        show("\n")?;
        if let Finish::Failed(error) = &whole.finish {
            return Err(error.clone());
        }
        if let Some(slid) = slid(context, length, whole.tokens.len()).filter(|_| !self.has_slid) {
            note(&slid);
            self.has_slid = true;
        }
        let seconds = begun.elapsed().as_secs_f64();
        self.messages.push(("assistant".to_owned(), whole.text));
        let stats = Stats {
            prompt: length,
            cached: whole.cached,
            tokens: whole.tokens.len(),
            first: first.unwrap_or(seconds),
            seconds,
        };
        if self.is_shown {
            let why = match whole.finish {
                _ if is_stopped => "; stopped",
                Finish::MaxTokens => "; as many as there may be",
                _ => "",
            };
            note(&format!("[{}{why}]", stats.words()));
        }
        self.last = Some(stats);
        Ok(())
    }
}

impl Stats {
    fn words(&self) -> String {
        let Stats { prompt, cached, tokens, first, seconds } = self;
        let further = tokens.saturating_sub(1) as f64;
        let speed = if further > 0.0 { further / (seconds - first).max(1e-9) } else { 0.0 };
        format!(
            "{tokens} tokens, {speed:.1} tokens/s, the first after {first:.2} s; {cached} of {prompt} tokens of the prompt were there"
        )
    }
}

fn file(name: &str) -> Result<&str> {
    match name {
        "" => Err(Error::input("no file is named").help("/save FILE, /load FILE")),
        name => Ok(name),
    }
}
