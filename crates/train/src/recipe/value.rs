use std::fmt::Debug;
use std::ops::{Range, RangeBounds};

use jarrah_base::memory::Bytes;
use jarrah_base::{Error, Location, Result, distance};
use toml::de::{DeInteger, DeValue};

/// A key of a recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeKey {
    /// The full name: `optimizer.lr`; empty for the recipe itself.
    pub name: String,
    /// The key's doc.
    pub doc: String,
    /// The kind of value that it takes; `a table` for a section.
    pub expected: String,
    /// Its value in TOML; `None` for a section and for an unset key.
    pub value: Option<String>,
    /// Whether it is a section.
    pub is_section: bool,
    /// Whether a run that is resumed must have the value that it began with.
    pub is_kept: bool,
}

impl RecipeKey {
    /// A section.
    pub fn section(name: &str, doc: &str) -> Self {
        RecipeKey {
            name: name.into(),
            doc: one_line(doc),
            expected: "a table".into(),
            value: None,
            is_section: true,
            is_kept: false,
        }
    }

    /// A key with a value.
    pub fn value(name: &str, doc: &str, expected: String, value: Option<String>) -> Self {
        RecipeKey {
            name: name.into(),
            doc: one_line(doc),
            expected,
            value,
            is_section: false,
            is_kept: false,
        }
    }

    /// Marks keys whose values a run keeps when it is resumed.
    pub fn kept(keys: &mut [RecipeKey]) {
        keys.iter_mut().for_each(|key| key.is_kept = true);
    }

    /// The section, and the name in it.
    pub(super) fn split(&self) -> (&str, &str) {
        self.name.rsplit_once('.').unwrap_or(("", &self.name))
    }
}

fn one_line(doc: &str) -> String {
    doc.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Where a value was given.
pub enum ValueOrigin<'a> {
    /// In a file: the file's name and text.
    File(&'a str, &'a str),
    /// In an argument `key=value`: the whole argument, and the value.
    Argument(&'a str, &'a str),
}

impl<'a> ValueOrigin<'a> {
    fn raw(&self) -> Option<&'a str> {
        match self {
            ValueOrigin::File(..) => None,
            ValueOrigin::Argument(_, value) => Some(value),
        }
    }

    /// Adds the origin to an error: the line and column of the byte `offset`, or the argument.
    pub(crate) fn locate(&self, error: Error, offset: usize) -> Error {
        match (self, self.place(offset)) {
            (ValueOrigin::Argument(argument, _), _) => error.context(format!("in the argument {argument}")),
            (ValueOrigin::File(..), None) => error,
            (ValueOrigin::File(..), Some(place)) => error.at(place),
        }
    }

    /// The line and column of a byte of a file.
    pub(crate) fn place(&self, offset: usize) -> Option<Location> {
        let ValueOrigin::File(file, text) = self else { return None };
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() as u32 + 1;
        Some(Location::new(file, line, column))
    }
}

/// A value given for a key.
pub struct GivenValue<'a> {
    /// The full name of the key: `optimizer.lr`.
    pub key: String,
    /// The value.
    pub value: &'a DeValue<'a>,
    /// The value's byte range in the file.
    pub span: Range<usize>,
    /// Where it was given.
    pub origin: &'a ValueOrigin<'a>,
    /// Every key of the recipe.
    pub known: &'a [RecipeKey],
}

impl GivenValue<'_> {
    /// An error about the value, with its origin.
    pub fn error(&self, message: String) -> Error {
        self.origin.locate(Error::input(message), self.span.start)
    }
}

/// The type of a key: a [`KeyValue`], or a declared section.
pub trait Setting {
    /// The kind of value it takes, for error messages: `an integer`.
    fn expected() -> String;

    /// Sets the key that `path` leads to from this one to the value of `node`.
    ///
    /// # Errors
    /// There is no such key, or the value has another type or is not allowed.
    fn set(&mut self, path: &[&str], node: &GivenValue) -> Result<()>;

    /// Lists this key and those inside it with their current values; `name` and `doc` are this key's.
    fn list(&self, name: &str, doc: &str, keys: &mut Vec<RecipeKey>);
}

/// A type of a key that is no section.
pub trait KeyValue: Sized {
    /// The name of a value, singular and plural: `a number`, `numbers`.
    fn names() -> [String; 2];

    /// The kind of value; lists name their elements.
    fn expected() -> String {
        let [one, _] = Self::names();
        one
    }

    /// Reads a value; `raw` is its text, if it comes from the command line.
    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self>;

    /// The value in TOML; `None` if it is unset.
    fn show(&self) -> Option<String>;
}

impl<T: KeyValue> Setting for T {
    fn expected() -> String {
        T::expected()
    }

    fn set(&mut self, path: &[&str], node: &GivenValue) -> Result<()> {
        if !path.is_empty() {
            return Err(unknown(node));
        }
        let Some(value) = T::read(node.value, node.origin.raw()) else {
            let (expected, found) = (T::expected(), describe(node.value));
            return Err(node.error(format!("{} must be {expected}, but is {found}", node.key)));
        };
        *self = value;
        Ok(())
    }

    fn list(&self, name: &str, doc: &str, keys: &mut Vec<RecipeKey>) {
        keys.push(RecipeKey::value(name, doc, T::expected(), self.show()));
    }
}

/// The numbers that a range applies to: a value itself, or its elements.
pub trait Items {
    /// The type of one number.
    type Item;
    /// All the numbers.
    fn items(&self) -> &[Self::Item];
}

/// Checks that a value just set lies in its declared range.
///
/// # Errors
/// The value lies outside.
pub fn in_range<T>(field: &T, range: impl RangeBounds<T::Item> + Debug, node: &GivenValue) -> Result<()>
where
    T: Items<Item: PartialOrd + Debug>,
{
    match field.items().iter().find(|item| !range.contains(item)) {
        None => Ok(()),
        Some(item) => Err(node.error(format!("{} is {item:?}, but must be in {range:?}", node.key))),
    }
}

/// The error for an unknown key, which suggests the nearest known one.
pub fn unknown(node: &GivenValue) -> Error {
    let key = &node.key;
    let error = node.error(format!("there is no key {key}"));
    let (section, last) = key.rsplit_once('.').unwrap_or(("", key));
    let nearest = |far: &dyn Fn(&RecipeKey) -> usize| {
        let least = node.known.iter().map(far).min()?;
        let names = node.known.iter().filter(|known| far(known) == least).map(|known| known.name.as_str());
        (least <= 1 + last.chars().count() / 4).then(|| names.collect::<Vec<_>>().join(" or "))
    };
    let has_section = node.known.iter().any(|k| k.is_section && k.name == section);
    let name = nearest(&|known| distance(key, &known.name)).or_else(|| {
        // The right name in the wrong section, or without its section.
        if has_section { None } else { nearest(&|known| distance(last, known.split().1)) }
    });
    if let Some(name) = name {
        return error.help(format!("did you mean {name}?"));
    }
    let shown = if has_section { section } else { "" };
    let names: Vec<&str> =
        node.known.iter().map(RecipeKey::split).filter(|k| k.0 == shown).map(|k| k.1).collect();
    let place = if shown.is_empty() { "the recipe".into() } else { format!("[{shown}]") };
    error.help(format!("{place} has {}", names.join(", ")))
}

/// A value as error messages show it.
pub fn describe(value: &DeValue) -> String {
    match value {
        DeValue::String(s) => format!("the string {s:?}"),
        DeValue::Integer(i) => i.to_string(),
        DeValue::Float(x) => x.to_string(),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(d) => format!("the date {d}"),
        DeValue::Array(items) => {
            const SHOWN: usize = 4;
            let shown: Vec<String> = items.iter().take(SHOWN).map(|item| describe(item.get_ref())).collect();
            let more =
                if items.len() > SHOWN { format!(", ... ({} in all)", items.len()) } else { String::new() };
            format!("the list [{}{more}]", shown.join(", "))
        }
        DeValue::Table(_) => "a table".into(),
    }
}

fn integer(i: &DeInteger) -> Option<i128> {
    i128::from_str_radix(i.as_str(), i.radix()).ok()
}

macro_rules! scalars {
    ($($t:ty, $one:literal, $many:literal, $read:expr, $show:expr;)*) => {$(
        impl KeyValue for $t {
            fn names() -> [String; 2] {
                [$one.into(), $many.into()]
            }
            fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
                let read: fn(&DeValue, Option<&str>) -> Option<Self> = $read;
                read(value, raw)
            }
            fn show(&self) -> Option<String> {
                let show: fn(&Self) -> String = $show;
                Some(show(self))
            }
        }
        impl Items for $t {
            type Item = $t;
            fn items(&self) -> &[$t] {
                std::slice::from_ref(self)
            }
        }
    )*};
}

scalars! {
    bool, "true or false", "true or false", |v, _| v.as_bool(), bool::to_string;
    i64, "an integer", "integers", |v, _| integer(v.as_integer()?)?.try_into().ok(), i64::to_string;
    u64, "an integer from 0 to 2^64 - 1", "integers from 0 to 2^64 - 1", |v, _| integer(v.as_integer()?)?.try_into().ok(),
        u64::to_string;
    usize, "an integer from 0 to 2^64 - 1", "integers from 0 to 2^64 - 1", |v, _| integer(v.as_integer()?)?.try_into().ok(),
        usize::to_string;
    f64, "a finite number", "finite numbers", number, |x| format!("{x:?}");
    String, "a string", "strings", |v, raw| Some(v.as_str().or(raw)?.to_owned()),
        |s| toml::Value::from(s.as_str()).to_string();
}

fn number(value: &DeValue, _: Option<&str>) -> Option<f64> {
    let x: f64 = match value {
        DeValue::Float(x) => x.as_str().parse().ok()?,
        DeValue::Integer(i) => integer(i)? as f64,
        _ => return None,
    };
    x.is_finite().then_some(x)
}

impl KeyValue for Bytes {
    fn names() -> [String; 2] {
        ["a number of bytes such as \"8GiB\"".into(), "numbers of bytes".into()]
    }

    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
        let text = value.as_str().or(raw);
        match value {
            DeValue::Integer(bytes) => usize::try_from(integer(bytes)?).ok().map(Bytes),
            _ => text?.parse().ok(),
        }
    }

    fn show(&self) -> Option<String> {
        String::show(&self.to_string())
    }
}

impl<T: KeyValue> KeyValue for Vec<T> {
    fn names() -> [String; 2] {
        ["a list".into(), "lists".into()]
    }

    fn expected() -> String {
        let [_, many] = T::names();
        format!("a list of {many}")
    }

    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
        match value {
            DeValue::Array(items) => items.iter().map(|item| T::read(item.get_ref(), None)).collect(),
            // On the command line, strings without brackets and quotes end at commas, and a single element needs no brackets.
            DeValue::String(text) if raw.is_some_and(|raw| raw == text.as_ref() && raw.contains(',')) => {
                let items = text.split(',').map(str::trim);
                items.map(|item| T::read(&DeValue::String(item.into()), Some(item))).collect()
            }
            one => raw.and_then(|raw| Some(vec![T::read(one, Some(raw))?])),
        }
    }

    fn show(&self) -> Option<String> {
        Some(format!("[{}]", self.iter().filter_map(T::show).collect::<Vec<_>>().join(", ")))
    }
}

impl<T> Items for Vec<T> {
    type Item = T;
    fn items(&self) -> &[T] {
        self
    }
}

impl<T: KeyValue, const N: usize> KeyValue for [T; N] {
    fn names() -> [String; 2] {
        ["a list".into(), "lists".into()]
    }

    fn expected() -> String {
        let [_, many] = T::names();
        format!("a list of {N} {many}")
    }

    fn read(value: &DeValue, _: Option<&str>) -> Option<Self> {
        Vec::read(value, None)?.try_into().ok()
    }

    fn show(&self) -> Option<String> {
        Some(format!("[{}]", self.iter().filter_map(T::show).collect::<Vec<_>>().join(", ")))
    }
}

impl<T, const N: usize> Items for [T; N] {
    type Item = T;
    fn items(&self) -> &[T] {
        self
    }
}

/// A key that may be unset.
impl<T: KeyValue> KeyValue for Option<T> {
    fn names() -> [String; 2] {
        T::names()
    }

    fn expected() -> String {
        T::expected()
    }

    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
        T::read(value, raw).map(Some)
    }

    fn show(&self) -> Option<String> {
        self.as_ref()?.show()
    }
}

impl<T> Items for Option<T> {
    type Item = T;
    fn items(&self) -> &[T] {
        self.as_slice()
    }
}
