//! `configs` at the head of a `README.md`: which files are of which split. Of YAML, lists and keys in lines of their own are read, as the package `datasets` writes them.

use std::path::PathBuf;

use globset::GlobBuilder;
use jarrah_base::{Error, Result};

/// A configuration of a data set.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Config {
    name: String,
    is_default: bool,
    /// The patterns of the files of each split.
    splits: Vec<(String, Vec<String>)>,
}

fn wrong(line: usize, text: &str) -> Error {
    Error::input(format!("line {line}: {text}"))
}

/// A text of one line, without quotes.
fn scalar(text: &str, line: usize) -> Result<String> {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return Ok(inner.to_owned());
        }
    }
    match text.starts_with(['[', '{', '&', '*', '|', '>', '"', '\'', '!']) {
        true => Err(wrong(
            line,
            &format!("of configurations, {text} is not read: write keys and lists in lines of their own"),
        )),
        false => Ok(text.to_owned()),
    }
}

/// The configurations that a `README.md` has; none where it has no `configs`.
///
/// # Errors
/// They are written in another way than in lines (`Input`).
pub(super) fn parse(text: &str) -> Result<Vec<Config>> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_end()));
    if lines.next().is_none_or(|(_, line)| line != "---") {
        return Ok(Vec::new());
    }
    let head = lines.take_while(|(_, line)| *line != "---");
    let mut lines = head.skip_while(|(_, line)| !line.starts_with("configs:"));
    let Some((number, first)) = lines.next() else { return Ok(Vec::new()) };
    if first != "configs:" {
        return Err(wrong(number, "the list of configurations is not read: write it in lines of their own"));
    }
    let mut configs: Vec<Config> = Vec::new();
    let (mut base, mut list) = (None, "");
    for (number, line) in lines {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.len() - content.len();
        let item = content.strip_prefix("- ");
        if indent == 0 && item.is_none() {
            break;
        }
        if item.is_some() && *base.get_or_insert(indent) == indent {
            configs.push(Config::default());
            list = "";
        }
        let content = item.unwrap_or(content).trim_start();
        let Some(config) = configs.last_mut() else {
            return Err(wrong(number, "a key stands before the first configuration"));
        };
        let (key, value) = match content.split_once(':') {
            Some((key, value)) if value.is_empty() || value.starts_with(' ') => (key.trim(), value.trim()),
            _ => ("", content),
        };
        // A split is an item of a list of its own; its path may stand before its name.
        if item.is_some() && matches!(key, "split" | "path") {
            config.splits.push(Default::default());
        }
        match (key, config.splits.last_mut()) {
            ("config_name", _) => config.name = scalar(value, number)?,
            ("default", _) => config.is_default = value == "true",
            ("split", Some((name, _))) => *name = scalar(value, number)?,
            ("data_files", _) if !value.is_empty() => {
                config.splits.push(("train".to_owned(), vec![scalar(value, number)?]));
            }
            ("path", Some((_, paths))) if !value.is_empty() => paths.push(scalar(value, number)?),
            ("data_files" | "path", _) => list = if key == "path" { "path" } else { "data_files" },
            ("", Some((_, paths))) if list == "path" || list == "train" => paths.push(scalar(value, number)?),
            ("", _) if list == "data_files" => {
                config.splits.push(("train".to_owned(), vec![scalar(value, number)?]));
                list = "train";
            }
            ("", _) => return Err(wrong(number, &format!("`{value}` is no key of a configuration"))),
            _ => list = "",
        }
    }
    Ok(configs)
}

/// The splits of configurations: those of the default one by their names.
///
/// # Errors
/// A pattern matches none of the files, or is none (`Input`).
pub(super) fn splits(configs: &[Config], files: &[PathBuf]) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let default = configs.iter().position(|config| config.is_default);
    let default = default.or_else(|| configs.iter().position(|config| config.name == "default"));
    let default = default.or((configs.len() == 1).then_some(0));
    let mut found = Vec::new();
    for (i, config) in configs.iter().enumerate() {
        if config.splits.is_empty() {
            return Err(Error::input(format!("the configuration `{}` has no data_files", config.name)));
        }
        for (split, patterns) in &config.splits {
            let name = if default == Some(i) { split.clone() } else { format!("{}/{split}", config.name) };
            let mut matched = Vec::new();
            for pattern in patterns {
                let wrong =
                    |e: globset::Error| Error::input(format!("{pattern} is not a pattern of files: {e}"));
                let plain = pattern.trim_start_matches("./");
                let glob =
                    GlobBuilder::new(plain).literal_separator(true).build().map_err(wrong)?.compile_matcher();
                let before = matched.len();
                matched.extend(files.iter().filter(|path| glob.is_match(path)).cloned());
                if matched.len() == before {
                    return Err(Error::input(format!("no file of the split `{name}` matches {pattern}")));
                }
            }
            found.push((name, matched));
        }
    }
    Ok(found)
}
