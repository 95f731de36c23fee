//! Numbers in their decimal digits, bounds of them, and the regular expressions of the numbers within bounds.

use std::cmp::Ordering;

use jarrah_formats::json::{Decimal, NUMBER, is_number};
use serde_json::{Map, Value};

/// The most digits of a number, before its point or behind it.
pub(super) const MOST_DIGITS: usize = 1000;
/// The most digits of a bound between its first and its last that are not zero: each is a choice in a sequence in a group within the others, and regular
/// expressions nest 250 times.
const MOST_OF_BOUND: usize = 75;

/// The numbers of digits without zeros before them, then digit by digit.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A divisor as an integer and the decimal places that it is divided by.
pub(super) fn divisor(text: &str) -> Result<(u32, u32), String> {
    let number = Number::of(text.trim_start_matches('-'))?;
    let digits = format!("{}{}", number.whole, number.fraction);
    let divisor = digits.trim_start_matches('0').parse::<u32>().ok().filter(|divisor| *divisor > 0);
    divisor
        .map(|divisor| (divisor, number.fraction.len() as u32))
        .ok_or_else(|| format!("asks for a `multipleOf` of {text}, which is not supported,"))
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

/// A number in its digits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub negative: bool,
    pub whole: String,
    pub fraction: String,
}

impl Number {
    pub fn of(text: &str) -> Result<Number, String> {
        let number = Decimal::of(text);
        let parts = number.as_ref().and_then(|number| number.parts(MOST_DIGITS));
        let (whole, fraction) = parts.ok_or_else(|| {
            format!("has a number of more than {MOST_DIGITS} digits, {}..,", &text[..text.len().min(20)])
        })?;
        Ok(Number { negative: number.is_some_and(|number| number.negative), whole, fraction })
    }

    /// The regular expression of this number alone.
    pub fn pattern(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        match self.fraction.is_empty() {
            true => format!("{sign}{}", self.whole),
            false => format!("{sign}{}\\.{}0{{0,9}}", self.whole, self.fraction),
        }
    }

    pub fn order(&self, other: &Number) -> Ordering {
        let size =
            |a: &Number, b: &Number| compare(&a.whole, &b.whole).then_with(|| a.fraction.cmp(&b.fraction));
        match (self.negative, other.negative) {
            (false, false) => size(self, other),
            (true, true) => size(other, self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    fn is_zero(&self) -> bool {
        self.whole == "0" && self.fraction.is_empty()
    }

    /// The number times a power of ten.
    fn scaled(&self, places: usize) -> Number {
        let digits = format!("{}{:0<places$}", self.whole, self.fraction);
        let (whole, fraction) = digits.split_at(self.whole.len() + places);
        let whole = Some(whole.trim_start_matches('0')).filter(|whole| !whole.is_empty()).unwrap_or("0");
        Number { negative: self.negative, whole: whole.to_owned(), fraction: fraction.to_owned() }
    }
}

/// A bound, and whether it is none of the numbers itself.
type Bound = Option<(Number, bool)>;

/// The bounds of a schema.
pub(super) struct Bounds {
    least: Bound,
    most: Bound,
}

impl Bounds {
    pub fn of(entries: &Map<String, Value>) -> Result<Bounds, String> {
        let number = |key: &str| {
            let text = entries.get(key).and_then(text);
            text.map(|text| {
                let count = Decimal::of(&text).map_or(0, |number| number.digits.len());
                match count > MOST_OF_BOUND {
                    true => Err(format!(
                        "has a `{key}` of {count} digits, where at most {MOST_OF_BOUND} are allowed,"
                    )),
                    false => Number::of(&text),
                }
            })
            .transpose()
        };
        let side = |[inclusive, exclusive]: [&str; 2], is_least: bool| -> Result<Bound, String> {
            // Draft 4 says of `minimum` whether it is none of the numbers itself.
            let apart = entries.get(exclusive) == Some(&Value::Bool(true));
            let all = [number(inclusive)?.map(|n| (n, apart)), number(exclusive)?.map(|n| (n, true))];
            for (key, bound) in [inclusive, exclusive].iter().zip(&all) {
                // Integers beyond an exclusive bound begin with the next one away from zero, which has no zeros at its end.
                let next = bound.iter().find(|(n, apart)| *apart && n.negative != is_least);
                if let Some(count) = next.map(|(n, _)| n.whole.len()).filter(|count| *count > MOST_OF_BOUND) {
                    return Err(format!(
                        "has an exclusive bound, `{key}`, of {count} digits, where at most {MOST_OF_BOUND} are allowed,"
                    ));
                }
            }
            Ok(all.into_iter().flatten().reduce(|a, b| {
                let order = if is_least { a.0.order(&b.0) } else { b.0.order(&a.0) };
                match order {
                    Ordering::Less => b,
                    Ordering::Equal if b.1 => b,
                    _ => a,
                }
            }))
        };
        Ok(Bounds {
            least: side(["minimum", "exclusiveMinimum"], true)?,
            most: side(["maximum", "exclusiveMaximum"], false)?,
        })
    }

    pub fn allow(&self, number: &Number) -> bool {
        let above = self.least.as_ref().is_none_or(|(bound, apart)| match number.order(bound) {
            Ordering::Equal => !apart,
            order => order.is_gt(),
        });
        let below = self.most.as_ref().is_none_or(|(bound, apart)| match number.order(bound) {
            Ordering::Equal => !apart,
            order => order.is_lt(),
        });
        above && below
    }

    /// The integers within the bounds: the sizes of those below zero, and the others.
    fn whole(&self) -> (Range, Range) {
        let least = self.least.as_ref().map(|(n, apart)| first(n, *apart, false));
        let most = self.most.as_ref().map(|(n, apart)| first(n, *apart, true));
        halves(least, most)
    }

    /// The regular expression of the integers within the bounds; nothing, if there is none.
    pub fn integers(&self) -> String {
        let (negative, positive) = self.whole();
        let parts = [
            negative.map(|(from, to)| format!("-(?:{})", naturals(&from, to.as_deref()))),
            positive.map(|(from, to)| format!("(?:{})", naturals(&from, to.as_deref()))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("|")
    }

    /// The regular expression of all numbers within the bounds, with any zeros behind their last digits; nothing, if there is none.
    pub fn numbers(&self) -> String {
        let [negative, positive] = self.sides();
        let part = |side: Option<Side>| {
            side.map(|side| side.numbers()).filter(|all| !all.is_empty()).map(|all| all.join("|"))
        };
        let parts =
            [part(negative).map(|all| format!("-(?:{all})")), part(positive).map(|all| format!("(?:{all})"))];
        parts.into_iter().flatten().collect::<Vec<_>>().join("|")
    }

    /// Whether `llguidance` lets no number through that is not within bounds that have fractions. An exclusive bound that is an integer is
    /// let through where the other bound has the same digits before its point.
    pub fn are_kept(&self) -> bool {
        let is_kept = |side: &Side| {
            let (from, apart) = &side.from;
            !(*apart
                && from.fraction.is_empty()
                && side.to.as_ref().is_some_and(|(to, _)| to.whole == from.whole))
        };
        self.sides().iter().flatten().all(is_kept)
    }

    /// Whether a multiple of a divisor is within the bounds, or, of `integers`, one that is an integer.
    pub fn have_multiple(&self, (divisor, places): (u32, u32), integers: bool) -> bool {
        let (divisor, places) = match integers {
            true => (u64::from(divisor) / common(u64::from(divisor), 10u64.pow(places)), 0),
            false => (u64::from(divisor), places as usize),
        };
        let scaled = |bound: &Bound| bound.as_ref().map(|(number, apart)| (number.scaled(places), *apart));
        let bounds = Bounds { least: scaled(&self.least), most: scaled(&self.most) };
        let has_multiple = |(from, to): (String, Option<String>)| {
            let rest = from.bytes().fold(0, |rest, digit| (rest * 10 + u64::from(digit - b'0')) % divisor);
            to.is_none_or(|to| compare(&sum(&from, (divisor - rest) % divisor), &to).is_le())
        };
        let (negative, positive) = bounds.whole();
        [negative, positive].into_iter().flatten().any(has_multiple)
    }

    /// The sizes of the numbers below zero, of which a zero with a sign is one, and of the others.
    fn sides(&self) -> [Option<Side>; 2] {
        let size = |(n, apart): &(Number, bool)| (Number { negative: false, ..n.clone() }, *apart);
        let zero = || (Number { negative: false, whole: "0".to_owned(), fraction: String::new() }, false);
        let (least, most) = (self.least.as_ref(), self.most.as_ref());
        let ends_below = |(n, apart): &&(Number, bool)| n.negative || (n.is_zero() && *apart);
        let negative = least.is_none_or(|(low, _)| low.negative).then(|| Side {
            from: most.filter(|(high, _)| high.negative || high.is_zero()).map_or_else(zero, size),
            to: least.map(size),
        });
        let positive = most.filter(ends_below).is_none().then(|| Side {
            from: least.filter(|(low, _)| !low.negative).map_or_else(zero, size),
            to: most.map(size),
        });
        [negative, positive]
    }
}

/// Numbers that are not below zero, from one to another, if there is a last; of each whether it is none of the numbers itself.
struct Side {
    from: (Number, bool),
    to: Bound,
}

impl Side {
    /// The regular expressions of the numbers.
    fn numbers(&self) -> Vec<String> {
        let Side { from: (from, above), to } = self;
        // From a bound that is an integer and included, every fraction behind it is allowed.
        let is_whole = from.fraction.is_empty() && !above;
        let after = if is_whole { from.whole.clone() } else { next(&from.whole) };
        let any = r"(?:\.[0-9]+)?";
        let from_on = |whole: &str| match is_whole {
            true => Vec::new(),
            false => at_least(&from.fraction, *above).behind_point(whole),
        };
        let between = |last: Option<&str>| format!("(?:{}){any}", naturals(&after, last));
        match to {
            None => from_on(&from.whole).into_iter().chain([between(None)]).collect(),
            Some((to, below)) => match compare(&from.whole, &to.whole) {
                Ordering::Greater => Vec::new(),
                Ordering::Equal => {
                    within((&from.fraction, *above), (&to.fraction, *below)).behind_point(&from.whole)
                }
                Ordering::Less => {
                    let last = before(&to.whole).filter(|last| compare(&after, last).is_le());
                    let between = last.map(|last| between(Some(&last)));
                    let up_to = at_most(&to.fraction, *below).behind_point(&to.whole);
                    from_on(&from.whole).into_iter().chain(between).chain(up_to).collect()
                }
            },
        }
    }
}

/// Strings of digits: whether no digit at all is among them, and the regular expressions of the others.
#[derive(Default)]
struct Digits {
    none: bool,
    some: Vec<String>,
}

impl Digits {
    /// The regular expressions of these digits behind others.
    fn behind(&self, head: &str) -> Vec<String> {
        let some = (!self.some.is_empty()).then(|| format!("{head}(?:{})", self.some.join("|")));
        self.none.then(|| head.to_owned()).into_iter().chain(some).collect()
    }

    /// The regular expressions of the numbers with these digits behind the point.
    fn behind_point(self, whole: &str) -> Vec<String> {
        let some = Digits { none: false, some: self.some }.behind(r"\.");
        Digits { none: self.none, some }.behind(whole)
    }
}

/// How often the first digit of some stands before another, and the digits behind that.
fn run(digits: &str) -> (usize, &str) {
    let first = &digits[..1];
    let rest = digits.trim_start_matches(first);
    (digits.len() - rest.len(), rest)
}

/// A run of a digit that ends before another run of `count` does, and another digit of a range behind it.
fn leaves(digit: u8, count: usize, [low, high]: [u8; 2]) -> String {
    let head = if count > 1 { format!("{}{{0,{}}}", digit as char, count - 1) } else { String::new() };
    format!("{head}[{}-{}][0-9]*", low as char, high as char)
}

/// The digits behind a point that are at least these, of which the last is no zero, or above them.
fn at_least(digits: &str, above: bool) -> Digits {
    let Some(&digit) = digits.as_bytes().first() else {
        let some = if above { "[0-9]*[1-9][0-9]*" } else { "[0-9]+" };
        return Digits { none: !above, some: vec![some.to_owned()] };
    };
    let (count, rest) = run(digits);
    let own = at_least(rest, above).behind(&digits[..count]);
    let larger = (digit < b'9').then(|| leaves(digit, count, [digit + 1, b'9']));
    Digits { none: false, some: own.into_iter().chain(larger).collect() }
}

/// The digits behind a point that are at most these, of which the last is no zero, or below them.
fn at_most(digits: &str, below: bool) -> Digits {
    let Some(&digit) = digits.as_bytes().first() else {
        let some = if below { Vec::new() } else { vec!["0+".to_owned()] };
        return Digits { none: !below, some };
    };
    let (count, rest) = run(digits);
    let own = at_most(rest, below).behind(&digits[..count]);
    let shorter = (count > 1).then(|| format!("{}{{1,{}}}", digit as char, count - 1));
    let smaller = (digit > b'0').then(|| leaves(digit, count, [b'0', digit - 1]));
    Digits { none: true, some: own.into_iter().chain(shorter).chain(smaller).collect() }
}

/// The digits of [`at_most`] that are not zero.
fn above_zero(digits: &str, below: bool) -> Digits {
    let Some(&digit) = digits.as_bytes().first() else { return Digits::default() };
    let (count, rest) = run(digits);
    if digit == b'0' {
        return Digits { none: false, some: above_zero(rest, below).behind(&digits[..count]) };
    }
    let own = at_most(&digits[1..], below).behind(&digits[..1]);
    let smaller = (digit > b'1').then(|| leaves(digit, 1, [b'1', digit - 1]));
    let zero = Some("0[0-9]*[1-9][0-9]*".to_owned());
    Digits { none: false, some: own.into_iter().chain(smaller).chain(zero).collect() }
}

/// The digits behind a point from some to others, of each of which the last is no zero, without those that are `above` or `below` them.
fn within((from, above): (&str, bool), (to, below): (&str, bool)) -> Digits {
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let (head, from, to) = (&from[..same], &from[same..], &to[same..]);
    let inner = match (from.as_bytes().first(), to.as_bytes().first()) {
        (None, None) if above || below => Digits::default(),
        (None, _) if above => above_zero(to, below),
        (None, _) => at_most(to, below),
        (Some(&low), Some(&high)) if low < high => {
            let first = at_least(&from[1..], above).behind(&from[..1]);
            let between = (high - low > 1).then(|| leaves(low, 1, [low + 1, high - 1]));
            let last = at_most(&to[1..], below).behind(&to[..1]);
            Digits { none: false, some: first.into_iter().chain(between).chain(last).collect() }
        }
        (Some(_), _) => Digits::default(),
    };
    match head {
        "" => inner,
        head => Digits { none: false, some: inner.behind(head) },
    }
}

/// The greatest common divisor.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
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

/// The sum of one of these digits and a small number.
fn sum(digits: &str, mut more: u64) -> String {
    let mut all: Vec<u8> = Vec::new();
    let mut rest = digits.bytes().rev();
    loop {
        let digit = rest.next();
        if digit.is_none() && more == 0 {
            break;
        }
        more += digit.map_or(0, |digit| u64::from(digit - b'0'));
        all.push(b'0' + (more % 10) as u8);
        more /= 10;
    }
    all.reverse();
    String::from_utf8_lossy(&all).into_owned()
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

/// The regular expression of the natural numbers between two of equally many digits.
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
    let rest = edge(&digits[1..], open, end);
    let own = match rest.contains('|') {
        true => format!("{}(?:{rest})", first as char),
        false => format!("{}{rest}", first as char),
    };
    let (low, high) = if end == b'9' { (first + 1, b'9') } else { (b'0', first.wrapping_sub(1)) };
    let has_more = if end == b'9' { first < b'9' } else { first > b'0' };
    match has_more {
        true => format!("{own}|[{}-{}]{}", low as char, high as char, any(digits.len() - 1)),
        false => own,
    }
}
