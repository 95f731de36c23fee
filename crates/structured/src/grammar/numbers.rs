//! Numbers of schemas that an `f64` does not hold, which is what `llguidance` reads numbers as.
//!
//! What a schema says of such numbers, a `const`, an `enum` or bounds, becomes a regular expression here. In the schema that `llguidance` compiles, a text of its own
//! stands in its place, in `$defs`, so that it is a lexeme by itself; and when the grammar is compiled, the regular expression is put in the place of that lexeme.

use jarrah_base::{Error, Result};
use jarrah_formats::json::{Decimal, NUMBER, is_number, loses};
use llguidance::api::{GrammarInit, TopLevelGrammar};
use llguidance::derivre::RegexAst;
use serde_json::{Map, Value, json};

use crate::vocabulary::Vocabulary;

/// The most digits of a number.
const MOST_DIGITS: usize = 1000;
/// The most different numbers of a constraint: each is put in its place in a copy of the whole grammar.
const MOST_NUMBERS: usize = 100;
/// Integers up to here have bounds that the compiler reads as they are.
const LARGEST: &str = "9007199254740992";
/// What a text that stands for a number begins with.
const MARK: &str = "jarrah-number-";

const BOUNDS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];
/// Keywords that say nothing of a value.
const ABOUT: [&str; 15] = [
    "$schema",
    "$id",
    "id",
    "$defs",
    "definitions",
    "$anchor",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "readOnly",
    "writeOnly",
    "deprecated",
    "x-guidance",
];
/// Keywords whose schemas hold beside what stands in the schema itself.
const BESIDE: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];
const OTHER_TYPES: [&str; 5] = ["null", "boolean", "string", "array", "object"];

/// What stands for the numbers of a constraint's schemas: regular expressions by number, and the divisor of multiples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(Vec<(String, Option<(u32, u32)>)>);

impl Numbers {
    /// A reference to what stands for numbers of this form.
    fn reference(
        &mut self,
        pattern: String,
        multiple: Option<(u32, u32)>,
    ) -> std::result::Result<Value, String> {
        let one = (pattern, multiple);
        let known = self.0.iter().position(|own| *own == one);
        if known.is_none() && self.0.len() == MOST_NUMBERS {
            return Err(format!("has over {MOST_NUMBERS} different numbers of more than 53 bits"));
        }
        let number = known.unwrap_or_else(|| {
            self.0.push(one);
            self.0.len() - 1
        });
        Ok(json!({ "$ref": format!("#/$defs/{MARK}{number}") }))
    }

    /// Adds what references refer to.
    pub fn define(&self, root: &mut Map<String, Value>) {
        if self.0.is_empty() {
            return;
        }
        let definitions = root.entry("$defs").or_insert_with(|| json!({}));
        if let Some(definitions) = definitions.as_object_mut() {
            for number in 0..self.0.len() {
                definitions.insert(format!("{MARK}{number}"), json!({ "const": format!("{MARK}{number}") }));
            }
        }
    }

    /// The grammar with the regular expressions in their places.
    pub fn put(
        &self,
        grammar: TopLevelGrammar,
        vocabulary: &Vocabulary,
    ) -> std::result::Result<GrammarInit, String> {
        let init = GrammarInit::Serialized(grammar);
        if self.0.is_empty() {
            return Ok(init);
        }
        let factory = vocabulary.factory();
        let words = |e: &dyn std::fmt::Display| e.to_string();
        let internal = init.to_internal(Some(factory.tok_env().clone()), factory.limits().clone());
        let (grammar, mut spec) = internal.map_err(|e| words(&e))?;
        for at in 0..spec.lexemes.len() {
            let mark = |number: &usize| format!("\"{MARK}{number}\"");
            let found = (0..self.0.len())
                .find(|number| spec.has_forced_bytes(&spec.lexemes[at], mark(number).as_bytes()));
            let Some(number) = found else { continue };
            let (pattern, multiple) = &self.0[number];
            let mut regex = RegexAst::Regex(pattern.clone());
            if let Some((divisor, places)) = multiple {
                let multiple = RegexAst::MultipleOf(*divisor, *places);
                let signed = RegexAst::Concat(vec![RegexAst::Regex("-?".to_owned()), multiple]);
                regex = RegexAst::And(vec![regex, signed]);
            }
            // A lexeme knows its place in the list: it is made where it is to stand, in a list that ends there.
            let (class, name) = (spec.lexemes[at].class(), format!("number {number}"));
            let mut shorter = spec.clone();
            shorter.lexemes.truncate(at);
            shorter.current_class = class;
            shorter.add_greedy_lexeme(name, regex, false, None, usize::MAX).map_err(|e| words(&e))?;
            match shorter.lexemes.len() == at + 1 {
                true => spec.lexemes[at] = shorter.lexemes.remove(at),
                false => return Err("a number of the schema is written as another part of it is".to_owned()),
            }
            spec.regex_builder = shorter.regex_builder;
        }
        Ok(GrammarInit::Internal(grammar, spec))
    }

    /// Puts references in the place of what a schema says of numbers that an `f64` does not hold; `place` is its pointer.
    ///
    /// # Errors
    /// Schemas beside it say more of the value, no number is allowed, or one has too many digits (`Input`).
    pub fn replace(&mut self, entries: &mut Map<String, Value>, place: &str) -> Result<()> {
        let wrong = |what: String| Error::input(format!("the JSON schema {what} at {place}"));
        let large = |key: &str| entries.get(key).and_then(text).is_some_and(|text| is_large(&text));
        let listed = ["const", "enum"].iter().any(|key| entries.get(*key).is_some_and(has_large));
        let bounded = BOUNDS.iter().any(|key| large(key));
        if !listed && (!bounded || is_of_floats(entries)) {
            return Ok(());
        }
        if let Some(key) = BESIDE.iter().find(|key| entries.contains_key(**key)) {
            let what = format!("has numbers of more than 53 bits beside `{key}`, which is not supported,");
            return Err(wrong(what).help("write all that is said of the number in one schema"));
        }
        let about = |key: &String| ABOUT.contains(&key.as_str());
        let kept: Map<String, Value> = entries
            .iter()
            .filter(|(key, _)| about(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut own: Map<String, Value> = entries
            .iter()
            .filter(|(key, _)| !about(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let bounds = Bounds::of(&own).map_err(&wrong)?;
        let types: Option<Vec<String>> = own.get("type").map(|kind| match kind {
            Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            kind => kind.as_str().map(str::to_owned).into_iter().collect(),
        });
        let allows = |kind: &str| types.as_ref().is_none_or(|types| types.iter().any(|own| own == kind));
        let mut alternatives = Vec::new();
        if let Some(values) = values(&own) {
            let mut rest = Vec::new();
            for value in values {
                if !(has_large(&value) || bounded && text(&value).is_some()) {
                    rest.push(value);
                    continue;
                }
                let fits = match text(&value) {
                    Some(text) => {
                        let number = Number::of(&text).map_err(&wrong)?;
                        (allows("number") || (allows("integer") && number.fraction.is_empty()))
                            && bounds.allow(&number)
                    }
                    None => allows(if value.is_array() { "array" } else { "object" }),
                };
                if fits && own.contains_key("multipleOf") {
                    let what =
                        "asks for a `multipleOf` of numbers of more than 53 bits, which is not supported,";
                    return Err(wrong(what.to_owned()).help("leave `multipleOf` out: the numbers are listed"));
                }
                if fits {
                    alternatives.push(self.literal(&value).map_err(&wrong)?);
                }
            }
            if !rest.is_empty() {
                own.remove("const");
                own.insert("enum".to_owned(), rest.into());
                BOUNDS.iter().filter(|_| bounded).for_each(|key| drop(own.shift_remove(*key)));
                alternatives.insert(0, Value::Object(own));
            }
            if alternatives.is_empty() {
                return Err(wrong("allows none of its values".to_owned()));
            }
        } else {
            let multiple = own
                .get("multipleOf")
                .and_then(text)
                .map(|text| divisor(&text).map_err(&wrong))
                .transpose()?;
            if allows("number") || allows("integer") {
                let pattern = match allows("number") {
                    true => bounds.numbers().map_err(&wrong)?,
                    false => bounds.integers(),
                };
                if pattern.is_empty() {
                    return Err(wrong("has bounds that no number is within".to_owned()));
                }
                alternatives.push(self.reference(pattern, multiple).map_err(&wrong)?);
            }
            let others: Vec<&str> = OTHER_TYPES.into_iter().filter(|kind| allows(kind)).collect();
            BOUNDS.iter().chain(&["multipleOf"]).for_each(|key| drop(own.shift_remove(*key)));
            if !others.is_empty() {
                own.insert("type".to_owned(), others.into());
                alternatives.push(Value::Object(own));
            }
        }
        *entries = kept;
        match <[Value; 1]>::try_from(alternatives) {
            Ok([Value::Object(one)]) => entries.extend(one),
            Ok([one]) => drop(entries.insert("anyOf".to_owned(), json!([one]))),
            Err(all) => drop(entries.insert("anyOf".to_owned(), all.into())),
        }
        Ok(())
    }

    /// The schema of one value.
    fn literal(&mut self, value: &Value) -> std::result::Result<Value, String> {
        if let Some(text) = text(value) {
            return match is_large(&text) {
                true => self.reference(Number::of(&text)?.pattern(), None),
                false => Ok(json!({ "const": value })),
            };
        }
        match value {
            Value::Array(items) if has_large(value) => {
                let all: Vec<Value> =
                    items.iter().map(|item| self.literal(item)).collect::<std::result::Result<_, _>>()?;
                let count = all.len();
                Ok(
                    json!({"type": "array", "items": all, "additionalItems": false, "minItems": count, "maxItems": count}),
                )
            }
            Value::Object(entries) if has_large(value) => {
                let mut properties = Map::new();
                for (key, item) in entries {
                    properties.insert(key.clone(), self.literal(item)?);
                }
                let required: Vec<&String> = entries.keys().collect();
                Ok(
                    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
                )
            }
            value => Ok(json!({ "const": value })),
        }
    }
}

/// The values that a schema lists: those of `enum`, of which `const` leaves one.
fn values(entries: &Map<String, Value>) -> Option<Vec<Value>> {
    match (entries.get("const"), entries.get("enum").and_then(Value::as_array)) {
        (Some(one), Some(all)) => Some(all.iter().filter(|value| *value == one).cloned().collect()),
        (Some(one), None) => Some(vec![one.clone()]),
        (None, all) => all.cloned(),
    }
}

/// The text of a number.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Object(entries) if entries.len() == 1 => {
            let text = entries.get(NUMBER)?.as_str()?;
            is_number(text).then(|| text.to_owned())
        }
        _ => None,
    }
}

/// Whether the compiler would read the number as another.
fn is_large(text: &str) -> bool {
    let beyond = || {
        let parts = Decimal::of(text).and_then(|number| number.parts(MOST_DIGITS));
        parts.is_none_or(|(whole, fraction)| fraction.is_empty() && compare(&whole, LARGEST).is_gt())
    };
    loses(text) || beyond()
}

/// Whether a schema is of floats: one of its bounds has a fraction, and an `f64` holds each as it is.
fn is_of_floats(entries: &Map<String, Value>) -> bool {
    let bounds: Vec<String> = BOUNDS.iter().filter_map(|key| entries.get(*key).and_then(text)).collect();
    let has_fraction =
        |text: &String| Decimal::of(text).is_some_and(|bound| bound.power < bound.digits.len() as i64);
    entries.get("type").is_some_and(|kind| kind == "number")
        && bounds.iter().any(has_fraction)
        && !bounds.iter().any(|text| loses(text))
}

/// Whether a value is such a number, or holds one.
fn has_large(value: &Value) -> bool {
    if let Some(text) = text(value) {
        return is_large(&text);
    }
    match value {
        Value::Array(items) => items.iter().any(has_large),
        Value::Object(entries) => entries.values().any(has_large),
        _ => false,
    }
}

/// The numbers of digits without zeros before them, then digit by digit.
fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A divisor as an integer and the decimal places that it is divided by.
fn divisor(text: &str) -> std::result::Result<(u32, u32), String> {
    let number = Number::of(text.trim_start_matches('-'))?;
    let digits = format!("{}{}", number.whole, number.fraction);
    let divisor = digits.trim_start_matches('0').parse::<u32>().ok().filter(|divisor| *divisor > 0);
    divisor
        .map(|divisor| (divisor, number.fraction.len() as u32))
        .ok_or_else(|| format!("asks for a `multipleOf` of {text}, which is not supported,"))
}

/// A number in its digits.
#[derive(Clone, Debug, PartialEq)]
struct Number {
    negative: bool,
    whole: String,
    fraction: String,
}

impl Number {
    fn of(text: &str) -> std::result::Result<Number, String> {
        let number = Decimal::of(text);
        let parts = number.as_ref().and_then(|number| number.parts(MOST_DIGITS));
        let (whole, fraction) = parts.ok_or_else(|| {
            format!("has a number of more than {MOST_DIGITS} digits, {}..,", &text[..text.len().min(20)])
        })?;
        Ok(Number { negative: number.is_some_and(|number| number.negative), whole, fraction })
    }

    /// The regular expression of this number alone.
    fn pattern(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        match self.fraction.is_empty() {
            true => format!("{sign}{}", self.whole),
            false => format!("{sign}{}\\.{}0{{0,9}}", self.whole, self.fraction),
        }
    }

    fn order(&self, other: &Number) -> std::cmp::Ordering {
        let size =
            |a: &Number, b: &Number| compare(&a.whole, &b.whole).then_with(|| a.fraction.cmp(&b.fraction));
        match (self.negative, other.negative) {
            (false, false) => size(self, other),
            (true, true) => size(other, self),
            (true, false) => std::cmp::Ordering::Less,
            (false, true) => std::cmp::Ordering::Greater,
        }
    }
}

/// A bound, and whether it is none of the numbers itself.
type Bound = Option<(Number, bool)>;

/// The bounds of a schema.
struct Bounds {
    least: Bound,
    most: Bound,
}

impl Bounds {
    fn of(entries: &Map<String, Value>) -> std::result::Result<Bounds, String> {
        let side =
            |[inclusive, exclusive]: [&str; 2], is_least: bool| -> std::result::Result<Bound, String> {
                let number =
                    |key: &str| entries.get(key).and_then(text).map(|text| Number::of(&text)).transpose();
                // Draft 4 says of `minimum` whether it is none of the numbers itself.
                let apart = entries.get(exclusive) == Some(&Value::Bool(true));
                let all = [number(inclusive)?.map(|n| (n, apart)), number(exclusive)?.map(|n| (n, true))];
                Ok(all.into_iter().flatten().reduce(|a, b| {
                    let order = if is_least { a.0.order(&b.0) } else { b.0.order(&a.0) };
                    match order {
                        std::cmp::Ordering::Less => b,
                        std::cmp::Ordering::Equal if b.1 => b,
                        _ => a,
                    }
                }))
            };
        Ok(Bounds {
            least: side(["minimum", "exclusiveMinimum"], true)?,
            most: side(["maximum", "exclusiveMaximum"], false)?,
        })
    }

    fn allow(&self, number: &Number) -> bool {
        let above = self.least.as_ref().is_none_or(|(bound, apart)| match number.order(bound) {
            std::cmp::Ordering::Equal => !apart,
            order => order.is_gt(),
        });
        let below = self.most.as_ref().is_none_or(|(bound, apart)| match number.order(bound) {
            std::cmp::Ordering::Equal => !apart,
            order => order.is_lt(),
        });
        above && below
    }

    /// The regular expression of the integers within the bounds; nothing, if there is none.
    fn integers(&self) -> String {
        let least = self.least.as_ref().map(|(n, apart)| first(n, *apart, false));
        let most = self.most.as_ref().map(|(n, apart)| first(n, *apart, true));
        let (negative, positive) = halves(least, most);
        let parts = [
            negative.map(|(from, to)| format!("-(?:{})", naturals(&from, to.as_deref()))),
            positive.map(|(from, to)| format!("(?:{})", naturals(&from, to.as_deref()))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("|")
    }

    /// The regular expression of all numbers within the bounds, which are integers.
    fn numbers(&self) -> std::result::Result<String, String> {
        let bounds = [&self.least, &self.most];
        if bounds.into_iter().flatten().any(|(bound, _)| !bound.fraction.is_empty()) {
            let what = "has a bound with a fraction that 64 bits do not hold, or beside numbers of more than 53 bits, which is not supported,";
            return Err(what.to_owned());
        }
        let side = |least: Bound, most: Bound| -> Option<String> {
            // Both are sizes: of numbers from `least`, or zero, to `most`.
            let (from, apart) = least.map_or(("0".to_owned(), false), |(n, apart)| (n.whole, apart));
            let mut all = Vec::new();
            let fraction = r"(?:\.[0-9]+)?";
            let start = if apart { next(&from) } else { from.clone() };
            let within = |bound: &(Number, bool)| compare(&from, &bound.0.whole).is_lt();
            if apart && most.as_ref().is_none_or(within) {
                all.push(format!(r"{from}\.[0-9]*[1-9][0-9]*"));
            }
            match &most {
                None => all.push(format!("(?:{}){fraction}", naturals(&start, None))),
                Some((bound, ends)) => {
                    let last = before(&bound.whole);
                    if let Some(last) = last.filter(|last| compare(&start, last).is_le()) {
                        all.push(format!("(?:{}){fraction}", naturals(&start, Some(&last))));
                    }
                    if !ends && compare(&start, &bound.whole).is_le() {
                        all.push(format!(r"{}(?:\.0+)?", bound.whole));
                    }
                }
            }
            (!all.is_empty()).then(|| all.join("|"))
        };
        let size = |(n, apart): (Number, bool)| (Number { negative: false, ..n }, apart);
        let is_zero = |n: &Number| n.whole == "0";
        let (least, most) = (self.least.clone(), self.most.clone());
        // Numbers below zero by their sizes, then the others.
        let negative = match (&least, &most) {
            (Some((low, _)), _) if !low.negative => None,
            _ => {
                let from = most.clone().filter(|(high, _)| high.negative || is_zero(high)).map(size);
                side(from, least.clone().map(size))
            }
        };
        let positive = match &most {
            Some((high, apart)) if high.negative || (is_zero(high) && *apart) => None,
            _ => side(least.filter(|(low, _)| !low.negative), most),
        };
        let parts = [negative.map(|part| format!("-(?:{part})")), positive.map(|part| format!("(?:{part})"))];
        Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("|"))
    }
}

/// The integer that a bound begins with, or, if it is an upper one, ends with: its sign and digits.
fn first(bound: &Number, apart: bool, is_upper: bool) -> (bool, String) {
    let Number { negative, whole, fraction } = bound;
    let exact = fraction.is_empty();
    // Away from zero, or towards it.
    let outwards = *negative == is_upper;
    let moves = match exact {
        true => apart,
        false => outwards,
    };
    match (moves, outwards) {
        (false, _) => (*negative && whole != "0", whole.clone()),
        (true, true) => (*negative, next(whole)),
        (true, false) => match before(whole) {
            Some(less) => (*negative && less != "0", less),
            None => (!negative, "1".to_owned()),
        },
    }
}

type Range = Option<(String, Option<String>)>;

/// The sizes of the numbers below zero, and of the others, between two integers.
fn halves(least: Option<(bool, String)>, most: Option<(bool, String)>) -> (Range, Range) {
    let ordered = |from: &str, to: Option<&String>| to.is_none_or(|to| compare(from, to).is_le());
    let negative = match &least {
        Some((false, _)) => None,
        least => {
            let to = least.as_ref().map(|(_, size)| size.clone());
            let from = most
                .as_ref()
                .filter(|(negative, _)| *negative)
                .map_or("1".to_owned(), |(_, size)| size.clone());
            ordered(&from, to.as_ref()).then_some((from, to))
        }
    };
    let positive = match &most {
        Some((true, _)) => None,
        most => {
            let to = most.as_ref().map(|(_, size)| size.clone());
            let from = least
                .as_ref()
                .filter(|(negative, _)| !negative)
                .map_or("0".to_owned(), |(_, size)| size.clone());
            ordered(&from, to.as_ref()).then_some((from, to))
        }
    };
    (negative, positive)
}

/// The number behind one of these digits.
fn next(digits: &str) -> String {
    let mut all: Vec<u8> = digits.bytes().collect();
    for digit in all.iter_mut().rev() {
        if *digit == b'9' {
            *digit = b'0';
        } else {
            *digit += 1;
            return String::from_utf8_lossy(&all).into_owned();
        }
    }
    format!("1{}", String::from_utf8_lossy(&all))
}

/// The number before one of these digits; none before zero.
fn before(digits: &str) -> Option<String> {
    if digits == "0" {
        return None;
    }
    let mut all: Vec<u8> = digits.bytes().collect();
    for digit in all.iter_mut().rev() {
        if *digit == b'0' {
            *digit = b'9';
        } else {
            *digit -= 1;
            break;
        }
    }
    let text = String::from_utf8_lossy(&all).into_owned();
    let short = text.trim_start_matches('0');
    Some(if short.is_empty() { "0".to_owned() } else { short.to_owned() })
}

/// The regular expression of the natural numbers from one to another, if there is a last; they are in order.
fn naturals(from: &str, to: Option<&str>) -> String {
    let length = from.len();
    let Some(to) = to else {
        return format!("{}|[1-9][0-9]{{{length},}}", between(from, &"9".repeat(length)));
    };
    if length == to.len() {
        return between(from, to);
    }
    let mut all = vec![between(from, &"9".repeat(length))];
    if length + 1 < to.len() {
        all.push(format!("[1-9][0-9]{{{length},{}}}", to.len() - 2));
    }
    all.push(between(&format!("1{}", "0".repeat(to.len() - 1)), to));
    all.join("|")
}

/// The same of as many digits.
fn between(from: &str, to: &str) -> String {
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let (head, from, to) = (&from[..same], &from[same..], &to[same..]);
    if from.is_empty() {
        return head.to_owned();
    }
    let rest = from.len() - 1;
    let (low, high) = (from.as_bytes()[0], to.as_bytes()[0]);
    let any = |count: usize| if count == 0 { String::new() } else { format!("[0-9]{{{count}}}") };
    let mut all = vec![format!("{}(?:{})", low as char, edge(&from[1..], b'0', b'9'))];
    if high - low > 1 {
        all.push(format!("[{}-{}]{}", (low + 1) as char, (high - 1) as char, any(rest)));
    }
    all.push(format!("{}(?:{})", high as char, edge(&to[1..], b'9', b'0')));
    format!("{head}(?:{})", all.join("|"))
}

/// As many digits that are at least these, where `open` is 0 and `end` 9, or at most these, where they are 9 and 0.
fn edge(digits: &str, open: u8, end: u8) -> String {
    let any = |count: usize| if count == 0 { String::new() } else { format!("[0-9]{{{count}}}") };
    let Some(&first) = digits.as_bytes().first() else { return String::new() };
    if digits.bytes().all(|digit| digit == open) {
        return any(digits.len());
    }
    let own = format!("{}(?:{})", first as char, edge(&digits[1..], open, end));
    let (low, high) = if end == b'9' { (first + 1, b'9') } else { (b'0', first.wrapping_sub(1)) };
    let has_more = if end == b'9' { first < b'9' } else { first > b'0' };
    match has_more {
        true => format!("{own}|[{}-{}]{}", low as char, high as char, any(digits.len() - 1)),
        false => own,
    }
}
