use jarrah_base::{Error, Result};
use serde_json::{Map, Value, json};

use super::merge::merge;
use super::numbers::{self, ABOUT, Numbers};
use super::ranges::text;
use super::{Dialect, overlap, pattern};
use crate::limits;

/// How deep the values of a schema nest.
const MOST_DEPTH: usize = 2 * limits::MOST_DEPTH;
/// How many references that lead to each other are followed.
const MOST_HOPS: usize = 64;
/// The white space between the parts of a value: see [`Constraint::JsonSchema`](crate::Constraint::JsonSchema).
const WHITE_SPACE: &str = r"[\x20\x09]|\x0D?\x0A[\x20\x09]{0,64}";

/// The keywords that say something of a value and are not supported, and what says the same, or nearly.
const UNSUPPORTED: [(&str, &str); 18] = [
    (
        "not",
        "list what is allowed: `enum`, `type`, a `pattern`, or `additionalProperties: false` for what must be absent",
    ),
    ("if", BRANCHES),
    ("then", BRANCHES),
    ("else", BRANCHES),
    (
        "contains",
        "say of all items what they may be (`items`, `anyOf`), or of the first ones (`prefixItems`)",
    ),
    ("minContains", "say how many items there are with `minItems`"),
    ("maxContains", "say how many items there are with `maxItems`"),
    (
        "uniqueItems",
        "leave it out and drop repeated items of the answer, or use an object with a property for each item",
    ),
    (
        "propertyNames",
        "give the names as `properties` or `patternProperties`, with `additionalProperties: false`",
    ),
    ("dependencies", DEPENDENT),
    ("dependentRequired", DEPENDENT),
    ("dependentSchemas", DEPENDENT),
    ("unevaluatedItems", "say with `items: false` that there are no others"),
    (
        "unevaluatedProperties",
        "say with `additionalProperties: false` that there are no others, in a schema that has all `properties`",
    ),
    ("$dynamicRef", "refer with `$ref` to a schema in `$defs`"),
    ("$recursiveRef", "refer with `$ref` to `#`"),
    ("disallow", "list what is allowed in `type` or `enum`"),
    ("extends", "refer to the other schema in `allOf`"),
];
const BRANCHES: &str =
    "give an `anyOf` with a schema for each case, in which a property with `const` says which case it is";
const DEPENDENT: &str =
    "give an `anyOf` of objects: one that requires both properties, and one that has neither";
/// The formats that the specification knows, of which [`ENFORCED`] are enforced.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uuid",
    "idn-email",
    "idn-hostname",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];
/// How many of [`FORMATS`] are enforced: the first.
const ENFORCED: usize = 10;

/// A sentence on what to write in the place of a `format` that is not enforced.
pub(crate) fn formats() -> String {
    format!("enforced are {}; for another give a `pattern`", FORMATS[..ENFORCED].join(", "))
}

/// Dates and times: `llguidance`'s own have a 29th of February in every year, and a 60th second in every minute.
const DATE: &str = concat!(
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
);
const TIME: &str = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:[zZ]|[+\-](?:[01][0-9]|2[0-3]):[0-5][0-9])";

/// A name of a host without hyphens next to each other, whose parts have 61 characters at most.
const HOST: &str = r"[a-zA-Z](?:-?[a-zA-Z0-9]){0,30}(?:\.[a-zA-Z](?:-?[a-zA-Z0-9]){0,30})*";
const MAILBOX: &str = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-]+";

/// The patterns that a value of a format matches, where `llguidance`'s own lets too much through.
fn patterns(format: &str) -> Vec<String> {
    match format {
        "date" => vec![format!("^(?:{DATE})$")],
        "time" => vec![format!("^{TIME}$")],
        "date-time" => vec![format!("^(?:{DATE})[tT]{TIME}$")],
        "hostname" => vec![format!("^{HOST}$"), "^.{1,253}$".to_owned()],
        "email" => {
            vec![format!(r"^{MAILBOX}(?:\.{MAILBOX})*@{HOST}$"), "^[^@]{1,64}@[^@]{1,180}$".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// The keywords that have a schema, a list of schemas, and schemas by name.
const ONE: [&str; 3] = ["items", "additionalItems", "additionalProperties"];
const MANY: [&str; 5] = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const NAMED: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
/// The keywords that have a count.
const COUNTS: [&str; 6] =
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/// The schema rewritten for `llguidance`: keywords that it would ignore or not bear are refused with their place, references
/// are paths without escapes, and white space is bounded.
pub(crate) fn schema(schema: &Value, work: &mut Work) -> Result<Value> {
    shallow(schema, "the JSON schema")?;
    work.bytes += schema.to_string().len();
    limits::size("the JSON schema", work.bytes, limits::MOST_BYTES)?;
    let mut root = match schema {
        Value::Bool(true) => json!({}),
        Value::Bool(false) => return Err(Error::input("the JSON schema is `false`: nothing is valid")),
        Value::Object(_) => schema.clone(),
        _ => {
            return Err(Error::input("the JSON schema is neither an object nor true or false"));
        }
    };
    let mut refs = References::new(schema);
    visit(&mut root, &mut String::from("#"), None, &mut refs, work)?;
    if let Value::Object(entries) = &mut root {
        refs.copy_into(entries, work)?;
        work.numbers.define(entries);
    }
    let meet = overlap::patterns(&root);
    if meet > limits::MOST_PATTERNS {
        let error =
            format!("the JSON schema has {meet} patterns and formats that one text may have to match");
        return Err(Error::input(error).help(format!("at most {} are allowed", limits::MOST_PATTERNS)));
    }
    let Value::Object(entries) = &mut root else { unreachable!("the root is an object") };
    let options = entries.entry("x-guidance").or_insert_with(|| json!({}));
    if let Some(options) = options.as_object_mut()
        && !options.contains_key("whitespace_flexible")
    {
        options.entry("whitespace_pattern").or_insert_with(|| WHITE_SPACE.into());
    }
    for key in ["whitespace_pattern", "item_separator", "key_separator"] {
        let within = |e: Error| {
            Error::input(format!("{}, in the `{key}` of `x-guidance` of the JSON schema", e.message()))
        };
        if let Some(own) = options[key].as_str() {
            options[key] = pattern(own, Dialect::Python).map_err(within)?.into();
        }
    }
    Ok(root)
}

/// Refuses a value that nests too deep, without a call for each level.
pub(crate) fn shallow(value: &Value, what: &str) -> Result<()> {
    let mut rest = vec![(value, 1)];
    while let Some((value, depth)) = rest.pop() {
        if depth > MOST_DEPTH {
            let error = format!("{what} has more than {MOST_DEPTH} values in each other");
            return Err(Error::input(error).help("give parts of it names in `$defs` and refer to them"));
        }
        match value {
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(entries) => rest.extend(entries.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// The work of compiling all schemas of a constraint.
#[derive(Default)]
pub(crate) struct Work {
    bytes: usize,
    pairs: usize,
    properties: usize,
    pub numbers: Numbers,
}

impl Work {
    /// Adds the work that a schema makes by itself. An error says what the schema has too much of.
    fn add(&mut self, entries: &Map<String, Value>) -> std::result::Result<(), String> {
        for (key, what) in
            [("oneOf", "alternatives of `oneOf`"), ("patternProperties", "patterns of properties")]
        {
            let count = match entries.get(key) {
                Some(Value::Array(all)) => all.len(),
                Some(Value::Object(all)) => all.len(),
                _ => 0,
            };
            self.pairs = self.pairs.saturating_add(count * count / 2);
            if self.pairs > limits::MOST_PAIRS {
                return Err(format!("has more {what} than can be compared with each other,"));
            }
        }
        let named = entries.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        let required = entries.get("required").and_then(Value::as_array).map_or(0, Vec::len);
        let items =
            entries.get("prefixItems").or(entries.get("items")).and_then(Value::as_array).map_or(0, Vec::len);
        self.properties += named.max(required).max(items).pow(2);
        if self.properties > limits::MOST_PROPERTIES.pow(2) {
            let most = limits::MOST_PROPERTIES;
            return Err(format!(
                "has more properties or items with schemas than {most} of one value, the last"
            ));
        }
        Ok(())
    }
}

/// Checks and changes a schema and those within it; `place` is its pointer, and `beside` the keyword that it stands in, if other schemas hold with it.
fn visit(
    schema: &mut Value,
    place: &mut String,
    beside: Option<&'static str>,
    refs: &mut References,
    work: &mut Work,
) -> Result<()> {
    let Value::Object(entries) = schema else { return Ok(()) };
    let wrong = |place: &str, what: String| Error::input(format!("the JSON schema {what} at {place}"));
    if entries.get("uniqueItems") == Some(&Value::Bool(false)) {
        entries.shift_remove("uniqueItems");
    }
    if let Some((key, instead)) = UNSUPPORTED.iter().find(|(key, _)| entries.contains_key(*key)) {
        return Err(wrong(place, format!("asks for `{key}`, which is not supported,")).help(*instead));
    }
    counts(entries).map_err(|what| wrong(place, what))?;
    patterns_of(entries, place)?;
    work.add(entries).map_err(|what| wrong(place, what))?;
    replace_format(entries);
    merge(entries, &refs.original);
    let says = |keyword: &str| entries.keys().any(|key| key != keyword && !ABOUT.contains(&key.as_str()));
    let within = |keyword: &'static str, alone: bool| beside.or((says(keyword) || !alone).then_some(keyword));
    let [beside_all, beside_any, beside_one] = [
        within("allOf", entries.get("allOf").and_then(Value::as_array).is_none_or(|all| all.len() < 2)),
        within("anyOf", true),
        within("oneOf", true),
    ];
    let beside_target = within("$ref", true);
    if let Some(target) = entries.get("$ref").and_then(Value::as_str) {
        let path =
            refs.checked(target, beside_target).map_err(|(what, help)| wrong(place, what).help(help))?;
        entries.insert("$ref".to_owned(), path.into());
    }
    let length = place.len();
    let mut each = |child: &mut Value, steps: &[&str]| {
        let beside = match steps[0] {
            "allOf" => beside_all,
            "anyOf" => beside_any,
            "oneOf" => beside_one,
            _ => None,
        };
        for step in steps {
            place.push('/');
            place.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        let result = visit(child, place, beside, refs, work);
        place.truncate(length);
        result
    };
    for (key, value) in entries.iter_mut() {
        let key = key.as_str();
        match value {
            Value::Object(_) if ONE.contains(&key) => each(value, &[key])?,
            Value::Array(all) if MANY.contains(&key) => {
                for (i, child) in all.iter_mut().enumerate() {
                    each(child, &[key, &i.to_string()])?;
                }
            }
            Value::Object(all) if NAMED.contains(&key) => {
                for (name, child) in all.iter_mut() {
                    each(child, &[key, name])?;
                }
            }
            _ => {}
        }
    }
    work.numbers.replace(entries, place, beside)
}

/// Writes counts as integers, and checks them and the divisor of `multipleOf`. An error says what the schema does.
fn counts(entries: &mut Map<String, Value>) -> std::result::Result<(), String> {
    let most = limits::MOST_REPEATS;
    for key in COUNTS {
        // `1.0` is an integer too.
        let whole = entries.get(key).and_then(Value::as_f64).filter(|count| count.fract() == 0.0);
        if let Some(count) = whole.filter(|count| (0.0..=most as f64).contains(count)) {
            entries.insert(key.to_owned(), (count as u64).into());
        }
        if let Some(count) = entries.get(key).and_then(text)
            && count.parse::<f64>().is_ok_and(|count| count > most as f64)
        {
            let count = shown(&count);
            return Err(format!("asks for a `{key}` of {count}, where at most {most} is allowed,"));
        }
    }
    if let Some(divisor) = entries.get("multipleOf").and_then(text)
        && !numbers::is_divisor(&divisor)
    {
        let (most, places) = (limits::MOST_MULTIPLE, limits::MOST_PLACES);
        return Err(format!(
            "asks for a `multipleOf` of {}, where 1 to {most} is allowed without its decimal point, and up to {places} decimal places,",
            shown(&divisor)
        ));
    }
    Ok(())
}

/// Writes the patterns of a schema as `llguidance` reads them.
fn patterns_of(entries: &mut Map<String, Value>, place: &str) -> Result<()> {
    let within = |e: &Error, key: &str| {
        Error::input(format!("{}, in the `{key}` of the JSON schema at {place}", e.message()))
    };
    if let Some(Value::String(own)) = entries.get_mut("pattern") {
        *own = pattern(own, Dialect::Ecma).map_err(|e| within(&e, "pattern"))?;
    }
    if let Some(Value::Object(names)) = entries.get_mut("patternProperties") {
        for (name, value) in std::mem::take(names) {
            let name = pattern(&name, Dialect::Ecma).map_err(|e| within(&e, "patternProperties"))?;
            names.insert(name, value);
        }
    }
    Ok(())
}

/// Drops a format that the specification does not know, which says nothing, and writes one that has patterns here as these.
fn replace_format(entries: &mut Map<String, Value>) {
    if entries.get("format").and_then(Value::as_str).is_some_and(|own| !FORMATS.contains(&own)) {
        entries.shift_remove("format");
    }
    let patterns = entries.get("format").and_then(Value::as_str).map(patterns).unwrap_or_default();
    if !patterns.is_empty() {
        entries.shift_remove("format");
        let all = entries.entry("allOf").or_insert_with(|| json!([]));
        if let Some(all) = all.as_array_mut() {
            all.extend(patterns.into_iter().map(|own| json!({ "pattern": own })));
        }
    }
}

/// A number as the schema has it, cut where it is long.
fn shown(text: &str) -> String {
    match text.len() > 40 {
        true => format!("{}..", &text[..40]),
        false => text.to_owned(),
    }
}

/// The references of a schema, as paths whose parts need no escapes.
struct References {
    original: Value,
    id: Option<String>,
    // The pointers of the schemas that are copied to `$defs`, in the order of their numbers.
    copied: Vec<String>,
}

impl References {
    fn new(root: &Value) -> References {
        let id = root["$id"].as_str().map(|id| id.trim_end_matches('#').to_owned());
        References { original: root.clone(), id, copied: Vec::new() }
    }

    /// The path of the target of a `$ref`, where `beside` is the keyword of other schemas that hold with it. An error says what the schema
    /// does, and what to do instead.
    fn checked(
        &mut self,
        target: &str,
        beside: Option<&str>,
    ) -> std::result::Result<String, (String, &'static str)> {
        let path = self.path(target).ok_or_else(|| {
            (
                format!("refers to {target:?}, which is not in it,"),
                "put what it refers to into the schema's `$defs`",
            )
        })?;
        if self.leads_back(&path) {
            let what = format!("refers to {target:?}, which leads back to it,");
            return Err((what, "refer to a schema that says what a value is"));
        }
        let target = self.original.pointer(&path[1..]).and_then(Value::as_object);
        if let Some(key) = beside
            && target.is_some_and(numbers::has_own_range)
        {
            let what = format!("refers to a number with bounds beside `{key}`, which is not supported,");
            return Err((what, "write all that is said of the number in one schema"));
        }
        Ok(path)
    }

    /// The path of a reference's target; none if the schema does not have it.
    fn path(&mut self, target: &str) -> Option<String> {
        let fragment = match (target.split_once('#'), &self.id) {
            (Some(("", fragment)), _) => fragment.to_owned(),
            (Some((base, fragment)), Some(id)) if base == id => fragment.to_owned(),
            (None, Some(id)) if target == id => String::new(),
            _ => return None,
        };
        let pointer = match fragment.as_str() {
            "" => return Some("#".to_owned()),
            "/" if self.original.get("").is_none() => return Some("#".to_owned()),
            pointer if pointer.starts_with('/') => percent(pointer)?,
            anchor => self.anchor(anchor)?,
        };
        self.original.pointer(&pointer)?;
        if !pointer.contains(['~', '%']) && !pointer.ends_with('/') {
            return Some(format!("#{pointer}"));
        }
        let number = self.copied.iter().position(|own| *own == pointer).unwrap_or_else(|| {
            self.copied.push(pointer);
            self.copied.len() - 1
        });
        Some(format!("#/$defs/{}", copy_name(number)))
    }

    /// Whether schemas that only refer to others lead from a path back to where they have been.
    fn leads_back(&self, path: &str) -> bool {
        let mut seen = vec![path];
        while let Some(target) = seen.last().and_then(|path| self.original.pointer(&path[1..])) {
            let next = target["$ref"].as_str().filter(|next| next.starts_with('#'));
            let Some(next) = next.filter(|_| seen.len() < MOST_HOPS) else { return false };
            if seen.contains(&next) {
                return true;
            }
            seen.push(next);
        }
        false
    }

    /// The pointer of the value with this `$anchor`.
    fn anchor(&self, name: &str) -> Option<String> {
        let mut rest = vec![(String::new(), &self.original)];
        while let Some((place, value)) = rest.pop() {
            match value {
                Value::Object(entries) => {
                    if entries.get("$anchor").and_then(Value::as_str) == Some(name) {
                        return Some(place);
                    }
                    let step = |key: &str| key.replace('~', "~0").replace('/', "~1");
                    rest.extend(entries.iter().map(|(key, value)| (format!("{place}/{}", step(key)), value)));
                }
                Value::Array(items) => {
                    rest.extend(items.iter().enumerate().map(|(i, value)| (format!("{place}/{i}"), value)));
                }
                _ => {}
            }
        }
        None
    }

    /// Puts copies of targets whose paths need escapes into `$defs`.
    fn copy_into(mut self, root: &mut Map<String, Value>, work: &mut Work) -> Result<()> {
        let mut number = 0;
        while let Some(pointer) = self.copied.get(number).cloned() {
            let mut copy = self.original.pointer(&pointer).cloned().unwrap_or_default();
            visit(&mut copy, &mut format!("#{pointer}"), None, &mut self, work)?;
            let definitions = root.entry("$defs").or_insert_with(|| json!({}));
            if let Some(definitions) = definitions.as_object_mut() {
                definitions.insert(copy_name(number), copy);
            }
            number += 1;
        }
        Ok(())
    }
}

fn copy_name(number: usize) -> String {
    format!("jarrah-copy-{number}")
}

/// A pointer without the escapes of a URI.
fn percent(text: &str) -> Option<String> {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}
