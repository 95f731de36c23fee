//! Arguments before they are parsed: adds the flags of the file that `--config` names, and drops flags that only vLLM has.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

use clap::{ArgAction, CommandFactory};
use jarrah::{Error, Result};
use jarrah_base::nearest;
use serde_json::{Map, Value};
use yaml_rust2::{ScanError, Yaml, YamlLoader};

use crate::cli::Cli;
use crate::others::{BENCH_MODEL, BENCH_SERVE, OTHERS, Other};

/// The commands that take vLLM's flags, each with the flags of vLLM that it does not have.
const COMMANDS: [(&[&str], &[&[Other]]); 7] = [
    (&["serve"], &[OTHERS]),
    (&["run-batch"], &[OTHERS]),
    (&["chat"], &[OTHERS]),
    (&["bench", "serve"], &[BENCH_SERVE]),
    (&["bench", "throughput"], &[BENCH_MODEL, OTHERS]),
    (&["bench", "latency"], &[BENCH_MODEL, OTHERS]),
    (&["bench", "startup"], &[BENCH_MODEL, OTHERS]),
];

/// The arguments with those of the file that `--config` names, and without flags of vLLM that ask for the behaviour that the
/// command has anyway. The command line wins over the file.
///
/// # Errors
/// The file does not hold flags of the command, or a flag of vLLM asks for a missing feature (`Input`).
pub fn expand(arguments: Vec<OsString>) -> Result<Vec<OsString>> {
    let is_begun = |names: &[&str]| {
        arguments.len() > names.len() && names.iter().zip(&arguments[1..]).all(|(name, given)| given == name)
    };
    let Some((names, others)) = COMMANDS.iter().find(|(names, _)| is_begun(names)) else {
        return Ok(arguments);
    };
    let mut command = Cli::command();
    command.build();
    let command = names.iter().try_fold(&command, |command, name| command.find_subcommand(name));
    let Some(command) = command else { return Ok(arguments) };
    let (head, rest) = arguments.split_at(1 + names.len());
    let mut flags = Flags { command, others, given: HashSet::new(), out: head.to_vec(), file: None };
    let mut rest = rest.iter().cloned().peekable();
    while let Some(argument) = rest.next() {
        let text = argument.to_str().unwrap_or_default();
        let long = text.strip_prefix("--").filter(|text| !text.is_empty()).map(|text| {
            let (flag, value) =
                text.split_once('=').map_or((text, None), |(flag, value)| (flag, Some(value)));
            (spelled(flag), value)
        });
        let Some((flag, value)) = long.or_else(|| flags.short(text)) else {
            flags.out.push(argument);
            continue;
        };
        flags.given.insert(flag.clone());
        if let Some(other) = flags.other(&flag) {
            let mut value = value.map(str::to_owned);
            if value.is_none() && other.takes_value {
                let next = rest.next_if(|next| !next.to_string_lossy().starts_with("--"));
                value = next.map(|next| next.to_string_lossy().into_owned());
            }
            other.check(&flag, value.as_deref())?;
        } else if flag == "config" && flags.has("config") {
            let value = value.map(OsString::from).or_else(|| rest.next());
            let none = || Error::input("--config names no file").help("write --config FILE");
            flags.file = Some(value.ok_or_else(none)?);
        } else {
            let value = value.map(|value| format!("={value}")).unwrap_or_default();
            flags.out.push(format!("--{flag}{value}").into());
        }
    }
    if let Some(file) = flags.file.take() {
        let file = Path::new(&file);
        for (key, value) in read(file)? {
            flags.entry(&key, &value).map_err(|e| e.context(format!("in {}", file.display())))?;
        }
    }
    Ok(flags.out)
}

/// A flag in its usual spelling.
fn spelled(flag: &str) -> String {
    flag.replace('_', "-")
}

struct Flags<'a> {
    command: &'a clap::Command,
    /// Flags of vLLM and llama.cpp that the command does not have.
    others: &'a [&'static [Other]],
    /// Flags given on the command line.
    given: HashSet<String>,
    out: Vec<OsString>,
    file: Option<OsString>,
}

impl Flags<'_> {
    /// The flag of another program, unless the command has one of this name.
    fn other(&self, flag: &str) -> Option<&'static Other> {
        let mut all = self.others.iter().flat_map(|others| others.iter());
        all.find(|other| other.is_named(flag)).filter(|_| !self.has(flag))
    }

    fn has(&self, flag: &str) -> bool {
        let is_flag = |arg: &clap::Arg| {
            arg.get_long_and_visible_aliases().is_some_and(|names| names.contains(&flag))
                || arg.get_short().is_some_and(|short| flag.strip_prefix('-') == Some(&short.to_string()))
        };
        self.command.get_arguments().any(is_flag)
    }

    /// A short flag of another program, and the value that is written to it: `-tp=2`, `-O3`.
    fn short<'t>(&self, text: &'t str) -> Option<(String, Option<&'t str>)> {
        if !text.starts_with('-') || text.starts_with("--") {
            return None;
        }
        let level = text.strip_prefix("-O").filter(|level| !level.is_empty() && !level.starts_with('='));
        let (flag, value) = match (level, text.split_once('=')) {
            (Some(level), _) => (&text[..2], Some(level)),
            (None, Some((flag, value))) => (flag, Some(value)),
            (None, None) => (text, None),
        };
        self.other(flag).map(|_| (flag.to_owned(), value))
    }

    /// Adds the flag of an entry of a file.
    fn entry(&mut self, key: &str, value: &Value) -> Result<()> {
        let flag = match spelled(key).as_str() {
            "model-tag" => "model".to_owned(),
            flag => flag.to_owned(),
        };
        let positive = flag.strip_prefix("no-").unwrap_or(&flag);
        let is_given =
            |given: &HashSet<String>| given.contains(positive) || given.contains(&format!("no-{positive}"));
        if flag == "config" {
            let error = Error::input("`config` names another file of flags, which such a file cannot");
            return Err(error.help("write its flags into this one"));
        }
        if is_given(&self.given) {
            return Ok(());
        }
        // A key that a template left empty would leave the server open, and a number is not written as it was meant.
        if flag == "api-key" && !is_text(value) {
            let error = Error::input(format!("`{key}` must be text, or a list of texts"));
            return Err(error.help("write each key in quotes, or leave the line out"));
        }
        if value.is_null() {
            return Ok(());
        }
        let name =
            |flag: &str| self.command.get_arguments().find(|arg| arg.get_long() == Some(flag)).cloned();
        if let Some(other) = self.other(&flag) {
            let opposite = flag.strip_prefix("no-").map_or(format!("no-{flag}"), str::to_owned);
            match value {
                _ if other.takes_value => return other.check(&flag, Some(&text(value))),
                Value::Bool(true) => return other.check(&flag, None),
                // `enable-x: false` is `--no-enable-x`, where there is such a flag, here or elsewhere.
                Value::Bool(false) if self.has(&opposite) => self.out.push(format!("--{opposite}").into()),
                Value::Bool(false) => {
                    let (name, other, text) = match self.other(&opposite) {
                        Some(opposed) => (&opposite, opposed, None),
                        None => (&flag, other, Some("false")),
                    };
                    let asked = |e: Error| e.context(format!("`{key}` is false"));
                    return other.check(name, text).map_err(asked);
                }
                _ => return Err(no_switch(key, value)),
            }
            return Ok(());
        }
        let Some(known) = name(&flag).filter(|_| !matches!(flag.as_str(), "help" | "version")) else {
            // `enable-x: false` is `--no-enable-x`.
            let opposite = format!("no-{flag}");
            return match (name(&opposite), value) {
                (Some(_), Value::Bool(false)) => {
                    self.out.push(format!("--{opposite}").into());
                    Ok(())
                }
                (Some(_), Value::Bool(true)) => Ok(()),
                _ => Err(self.unknown(key, &flag)),
            };
        };
        let items = match (known.get_action(), value) {
            (ArgAction::SetTrue, Value::Bool(true)) => {
                self.out.push(format!("--{flag}").into());
                return Ok(());
            }
            (ArgAction::SetTrue, Value::Bool(false)) => return Ok(()),
            (ArgAction::SetTrue, _) => {
                return Err(no_switch(key, value));
            }
            (ArgAction::Append, Value::Array(items)) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for item in items {
            if !std::ptr::eq(item, value) && (item.is_null() || item.is_array()) {
                let error = Error::input(format!("`{key}` has {item} in its list"));
                return Err(error.help("a list has texts and numbers"));
            }
            let item_text = text(item);
            takes(&known, &item_text).map_err(|why| {
                Error::input(format!("`{key}` is {item}: {why}"))
                    .help(format!("`jarrah {} --help` says what --{flag} takes", self.command.get_name()))
            })?;
            self.out.push(format!("--{flag}={item_text}").into());
        }
        Ok(())
    }

    fn unknown(&self, key: &str, flag: &str) -> Error {
        let near = nearest(flag, self.command.get_arguments().filter_map(clap::Arg::get_long));
        let name = self.command.get_name();
        let error = Error::input(format!("`{key}` is no flag of `jarrah {name}`"));
        match near {
            Some(near) => error.help(format!("there is `{near}`")),
            None => error.help(format!("`jarrah {name} --help` lists them")),
        }
    }
}

/// A flag without a value has some other one than whether it is there.
fn no_switch(key: &str, value: &Value) -> Error {
    Error::input(format!("`{key}` is {value}, but must be true or false"))
        .help(format!("write `{key}: true`, or leave the line out"))
}

/// Whether a flag takes a value; if not, why.
fn takes(flag: &clap::Arg, value: &str) -> std::result::Result<(), String> {
    // Other flags that it requires or excludes are checked once all flags are there.
    let alone =
        clap::Arg::new("VALUE").allow_hyphen_values(true).value_parser(flag.get_value_parser().clone());
    let command = clap::Command::new("flag").disable_help_flag(true).arg(alone);
    let Err(error) = command.try_get_matches_from(["flag", value]) else { return Ok(()) };
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let text = lines.join(" ");
    let why = text.split_once("'[VALUE]'").map_or(text.as_str(), |(_, why)| why);
    Err(why.trim_start_matches([':', ' ']).to_owned())
}

/// Whether it is text, or some texts.
fn is_text(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_string),
        value => value.is_string(),
    }
}

/// A value as it stands on a command line.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The entries of a file in YAML, of which JSON is a part.
fn read(file: &Path) -> Result<Map<String, Value>> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::io("read", file, &e))?;
    let wrong = |what: String| {
        Error::input(format!("{} is no file of flags: {what}", file.display()))
            .help("write a flag in each line, without its dashes: `port: 9000`")
    };
    let documents = YamlLoader::load_from_str(&text).map_err(|e| wrong(unread(&e)))?;
    match documents.as_slice() {
        [] => Ok(Map::new()),
        [document] => match json(document).map_err(|what| wrong(what.to_owned()))? {
            Value::Object(entries) => Ok(entries),
            Value::Null => Ok(Map::new()),
            _ => Err(wrong("it is no map".to_owned())),
        },
        _ => Err(wrong("it has several documents".to_owned())),
    }
}

/// Why YAML cannot be read, and where.
fn unread(error: &ScanError) -> String {
    // The parser writes the key as a value of its own: `String("port")`.
    let twice = error.info().strip_suffix(": duplicated key in mapping");
    let key = twice.and_then(|key| key.split_once('(')?.1.strip_suffix(')'));
    let what = match key {
        Some(key) => format!("`{}` stands there twice", key.trim_matches('"')),
        None => error.info().to_owned(),
    };
    format!("line {}: {what}", error.marker().line())
}

fn json(yaml: &Yaml) -> std::result::Result<Value, &'static str> {
    Ok(match yaml {
        Yaml::Null => Value::Null,
        Yaml::Boolean(value) => (*value).into(),
        Yaml::Integer(value) => (*value).into(),
        Yaml::Real(text) => {
            text.parse::<f64>().ok().filter(|x| x.is_finite()).map_or(Value::Null, Value::from)
        }
        Yaml::String(text) => text.as_str().into(),
        Yaml::Array(items) => Value::Array(items.iter().map(json).collect::<std::result::Result<_, _>>()?),
        Yaml::Hash(entries) => {
            let mut map = Map::new();
            for (key, value) in entries {
                let key = key.as_str().ok_or("a key is no text")?;
                map.insert(key.to_owned(), json(value)?);
            }
            map.into()
        }
        Yaml::Alias(_) | Yaml::BadValue => return Err("a value is damaged"),
    })
}
