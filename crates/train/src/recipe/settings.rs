use std::path::Path;

use jarrah_base::{Error, Result};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::value::{GivenValue, RecipeKey, Setting, ValueOrigin, describe, unknown};

/// A declared recipe; [`declare!`](crate::declare) implements it.
pub trait Settings: Setting + Default {
    /// Sets the key that `path` leads to from the key `name` of this section to the value of `node`; `None` if
    /// there is no such key.
    fn set_field(&mut self, name: &str, path: &[&str], node: &GivenValue) -> Option<Result<()>>;

    /// The recipe in the TOML `text`, with `key=value` overrides applied in order; errors name `file`.
    ///
    /// # Errors
    /// The text is not TOML, a key is unknown, or a value has another type or is outside its range: with the line.
    fn from_toml(text: &str, file: &str, overrides: &[&str]) -> Result<Self> {
        let mut recipe = Self::default();
        let known = Self::default().keys();
        let origin = ValueOrigin::File(file, text);
        let table = DeTable::parse(text).map_err(|e| {
            origin.locate(Error::input(e.message().to_owned()), e.span().map_or(0, |span| span.start))
        })?;
        let value = DeValue::Table(table.into_inner());
        recipe.set(
            &[],
            &GivenValue { key: String::new(), value: &value, span: 0..0, origin: &origin, known: &known },
        )?;
        overrides.iter().try_for_each(|argument| apply(&mut recipe, argument, &known))?;
        Ok(recipe)
    }

    /// Looks whether a run that began with the settings `begun` may be resumed with these.
    ///
    /// # Errors
    /// A key that is declared `on resume kept` has another value (`Input`).
    fn resumes(&self, begun: &Self) -> Result<()> {
        let (now, then) = (self.keys(), begun.keys());
        let changed = now.iter().zip(&then).find(|(now, then)| now.is_kept && now.value != then.value);
        let Some((key, begun)) = changed else { return Ok(()) };
        let begun =
            begun.value.as_deref().map_or("with the default".to_owned(), |value| format!("with {value}"));
        Err(Error::input(format!(
            "a run cannot change its {} when it is resumed: it began {begun}",
            key.name
        ))
        .help("start a new run"))
    }

    /// As [`from_toml`](Self::from_toml), for the file at `path`.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml), or the file cannot be read.
    fn from_file(path: &Path, overrides: &[&str]) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io("read the recipe", path, &e))?;
        if text.trim().is_empty() {
            return Err(Error::input(format!("the recipe {} is empty", path.display()))
                .help("`jarrah train --keys=toml` shows one with the defaults"));
        }
        Self::from_toml(&text, &path.display().to_string(), overrides)
    }

    /// Every key with its current value, sections included, in the order of declaration.
    fn keys(&self) -> Vec<RecipeKey> {
        let mut keys = Vec::new();
        self.list("", "", &mut keys);
        keys.retain(|key| !key.name.is_empty());
        keys
    }

    /// The whole recipe as a TOML file with docs as comments, from which the same recipe can be read.
    fn to_toml(&self) -> String {
        let keys = self.keys();
        let mut text = values(&keys, "");
        for section in keys.iter().filter(|key| key.is_section) {
            let separator = if text.is_empty() { "" } else { "\n" };
            text += &format!(
                "{separator}# {}\n[{}]\n{}",
                section.doc,
                section.name,
                values(&keys, &section.name)
            );
        }
        text
    }

    /// Every key with its value and doc, one per line.
    fn help(&self) -> String {
        let keys = self.keys();
        let keys = keys.iter().filter(|key| !key.is_section);
        let line = |key: &RecipeKey| {
            let value = key.value.clone().unwrap_or_else(|| "-".into());
            format!("  {:<28} {}\n", format!("{}={value}", key.name), key.doc)
        };
        keys.map(line).collect()
    }
}

/// The lines of the keys directly in `section`, not in its sections.
fn values(keys: &[RecipeKey], section: &str) -> String {
    let own = keys.iter().filter(|key| !key.is_section && key.split().0 == section);
    let line = |key: &RecipeKey| match &key.value {
        Some(value) => format!("# {}\n{} = {value}\n", key.doc, key.split().1),
        None => format!("# {}\n# {} = {}\n", key.doc, key.split().1, key.expected),
    };
    own.map(line).collect::<Vec<_>>().join("\n")
}

fn apply(recipe: &mut impl Settings, argument: &str, known: &[RecipeKey]) -> Result<()> {
    let Some((key, raw)) = argument.split_once('=') else {
        return Err(
            Error::input(format!("{argument:?} is not of the form key=value")).help("write steps=200")
        );
    };
    // `steps = 200` is one argument if it is quoted; without spaces around the sign, those of a value are its own.
    let (spaced, text) = (key != key.trim(), raw);
    let (key, raw) = (key.trim(), raw.trim());
    if key.is_empty() {
        return Err(Error::input(format!("{argument:?} names no key")).help("write steps=200"));
    }
    let text = if spaced { raw } else { text };
    let origin = ValueOrigin::Argument(argument, text);
    // On the command line, lists need no brackets and strings no quotes.
    let list = format!("[{raw}]");
    let value = DeValue::parse(raw)
        .or_else(|_| if raw.contains(',') { DeValue::parse(&list) } else { DeValue::parse("") })
        .map_or_else(|_| DeValue::String(text.into()), Spanned::into_inner);
    let path: Vec<&str> = key.split('.').collect();
    recipe.set(&path, &GivenValue { key: key.into(), value: &value, span: 0..0, origin: &origin, known })
}

/// Sets the key that `path` leads to from `section` to the value of `node`.
///
/// # Errors
/// As [`Setting::set`].
pub fn set_section(section: &mut impl Settings, path: &[&str], node: &GivenValue) -> Result<()> {
    if let [name, path @ ..] = path {
        return section.set_field(name, path, node).unwrap_or_else(|| Err(unknown(node)));
    }
    let Some(table) = node.value.as_table() else {
        return Err(node.error(format!("{} must be a table, but is {}", node.key, describe(node.value))));
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in entries {
        let at = |span| GivenValue {
            key: join(&node.key, name.get_ref()),
            value: value.get_ref(),
            span,
            origin: node.origin,
            known: node.known,
        };
        let outcome = section.set_field(name.get_ref(), &[], &at(value.span()));
        outcome.unwrap_or_else(|| Err(unknown(&at(name.span()))))?;
    }
    Ok(())
}

/// The full name of the key `name` in `section`.
pub fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}
