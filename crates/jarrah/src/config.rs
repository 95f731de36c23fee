//! Arguments before they are parsed: those of a file, by `--config`, and those that only vLLM has.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

use clap::{ArgAction, CommandFactory};
use jarrah::{Error, Result};
use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

use crate::cli::Cli;
use crate::others::OTHERS;

/// The commands whose flags are those of vLLM.
const COMMANDS: [&str; 3] = ["serve", "run-batch", "chat"];

/// The arguments with those of the file that `--config` names, and without those of vLLM that ask for what is so anyway. What is on the command line
/// wins.
///
/// # Errors
/// The file is none of flags of the command, or a flag of vLLM asks for what there is not (`Input`).
pub fn expand(arguments: Vec<OsString>) -> Result<Vec<OsString>> {
    let name = arguments.get(1).and_then(|name| name.to_str()).filter(|name| COMMANDS.contains(name));
    let Some(name) = name else { return Ok(arguments) };
    let mut command = Cli::command();
    command.build();
    let Some(command) = command.find_subcommand(name) else { return Ok(arguments) };
    let mut flags = Flags { command, given: HashSet::new(), out: arguments[..2].to_vec(), file: None };
    let mut rest = arguments[2..].iter().cloned().peekable();
    while let Some(argument) = rest.next() {
        let flag = argument.to_str().and_then(|text| text.strip_prefix("--")).filter(|text| !text.is_empty());
        let Some(flag) = flag else {
            flags.out.push(argument);
            continue;
        };
        let (flag, value) = flag.split_once('=').map_or((flag, None), |(flag, value)| (flag, Some(value)));
        let flag = spelled(flag);
        flags.given.insert(flag.clone());
        if let Some(other) = OTHERS.iter().find(|other| other.is_named(&flag)) {
            let mut value = value.map(str::to_owned);
            if value.is_none() && other.takes_value {
                let next = rest.next_if(|next| !next.to_string_lossy().starts_with("--"));
                value = next.map(|next| next.to_string_lossy().into_owned());
            }
            other.check(&flag, value.as_deref())?;
        } else if flag == "config" {
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
    /// Those on the command line.
    given: HashSet<String>,
    out: Vec<OsString>,
    file: Option<OsString>,
}

impl Flags<'_> {
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
            return Err(self.unknown(key, &flag));
        }
        if value.is_null() || is_given(&self.given) {
            return Ok(());
        }
        let name =
            |flag: &str| self.command.get_arguments().find(|arg| arg.get_long() == Some(flag)).cloned();
        if let Some(other) = OTHERS.iter().find(|other| other.is_named(&flag)) {
            // What a flag without a value asks for is not asked for.
            if !other.takes_value && value == &Value::Bool(false) {
                return Ok(());
            }
            let text = text(value);
            return other.check(&flag, Some(&text).filter(|_| other.takes_value).map(String::as_str));
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
                return Err(Error::input(format!("`{key}` is {value}, but must be true or false")));
            }
            (ArgAction::Append, Value::Array(items)) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for item in items {
            let item_text = text(item);
            takes(&known, &item_text).map_err(|why| Error::input(format!("`{key}` is {item}: {why}")))?;
            self.out.push(format!("--{flag}={item_text}").into());
        }
        Ok(())
    }

    fn unknown(&self, key: &str, flag: &str) -> Error {
        let all = self.command.get_arguments().filter_map(clap::Arg::get_long);
        let near = all
            .map(|known| (strsim::jaro_winkler(known, flag), known))
            .filter(|(near, _)| *near > 0.85)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let name = self.command.get_name();
        let error = Error::input(format!("`{key}` is no flag of `jarrah {name}`"));
        match near {
            Some((_, near)) => error.help(format!("there is `{near}`")),
            None => error.help(format!("`jarrah {name} --help` lists them")),
        }
    }
}

/// Whether a flag takes a value; if not, why.
fn takes(flag: &clap::Arg, value: &str) -> std::result::Result<(), String> {
    // What it needs beside it, or excludes, is looked at when all flags are there.
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
    let documents = YamlLoader::load_from_str(&text).map_err(|e| wrong(e.to_string()))?;
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
