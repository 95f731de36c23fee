//! Splits and their slices: `train`, `train[:10%]`, `train[100:]`, `train[-2shard:]`, `train+test`, `all`.

use jarrah_base::{Error, Result};

/// A split of a folder.
pub(super) struct Split {
    pub name: String,
    /// The number of records of each shard.
    pub shards: Vec<u64>,
    /// The path of a shard, with variables in braces.
    pub template: String,
}

impl Split {
    pub(super) fn len(&self) -> u64 {
        self.shards.iter().fold(0, |sum, &len| sum.saturating_add(len))
    }

    /// The number of records of the shards before a number, which counts from the end if it is negative.
    fn before(&self, shard: i64) -> u64 {
        let end = if shard < 0 { self.shards.len() as i64 + shard } else { shard };
        let end = end.clamp(0, self.shards.len() as i64) as usize;
        self.shards[..end].iter().fold(0, |sum, &len| sum.saturating_add(len))
    }
}

/// Records of a split from one number to another.
pub(super) struct Slice<'a> {
    pub split: &'a Split,
    pub from: u64,
    pub to: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Records,
    Percent,
    Shards,
}

fn unknown(text: &str) -> Error {
    Error::input(format!("`{text}` names no split")).help(
        "splits are named as `train`, `train[:10%]`, `train[100:200]`, `train[-1shard:]`, `train+test` or `all`",
    )
}

/// The slices that a text names, in its order.
///
/// # Errors
/// A split is unknown, or a slice has no records (`Input`).
pub(super) fn slices<'a>(text: &str, splits: &'a [Split]) -> Result<Vec<Slice<'a>>> {
    let mut slices = Vec::new();
    for part in text.split('+').map(str::trim) {
        if part == "all" {
            slices.extend(splits.iter().map(|split| Slice { split, from: 0, to: split.len() }));
            continue;
        }
        slices.push(slice(part, splits)?);
    }
    Ok(slices)
}

fn slice<'a>(text: &str, splits: &'a [Split]) -> Result<Slice<'a>> {
    let (name, selector) = match text.split_once('[') {
        Some((name, rest)) => (name, Some(rest.strip_suffix(']').ok_or_else(|| unknown(text))?)),
        None => (text, None),
    };
    let split = splits.iter().find(|split| split.name == name).ok_or_else(|| {
        let names: Vec<&str> = splits.iter().map(|split| &*split.name).collect();
        Error::input(format!("there is no split `{name}`"))
            .help(format!("the splits are {}", names.join(", ")))
    })?;
    let count = split.len();
    let Some(selector) = selector else { return Ok(Slice { split, from: 0, to: count }) };
    let (from, to) = bounds(selector, split).ok_or_else(|| unknown(text))?;
    let place = |bound: i128| {
        let at = if bound < 0 { i128::from(count) + bound } else { bound };
        u64::try_from(at).ok().filter(|&at| at <= count)
    };
    match (place(from), place(to)) {
        (Some(from), Some(to)) if from < to => Ok(Slice { split, from, to }),
        (Some(_), Some(_)) => Err(Error::input(format!("`{text}` has no records"))),
        _ => Err(Error::input(format!("`{text}` reaches beyond the {count} records of the split"))),
    }
}

/// The bounds of a selector, where a negative one counts from the end.
fn bounds(selector: &str, split: &Split) -> Option<(i128, i128)> {
    let count = split.len();
    let Some((from, to)) = selector.split_once(':') else {
        let (shard, Unit::Shards) = bound(selector)? else { return None };
        let shard: i64 = shard.parse().ok()?;
        let next = shard.checked_add(1).filter(|&next| next != 0);
        return Some((split.before(shard).into(), next.map_or(count, |next| split.before(next)).into()));
    };
    if from.is_empty() && to.is_empty() {
        return None;
    }
    let [from, to] = [from, to].map(|text| if text.is_empty() { Some(None) } else { bound(text).map(Some) });
    let (from, to) = (from?, to?);
    // A unit of one bound is that of the other one, too.
    let units = [from, to].map(|bound| bound.map_or(Unit::Records, |(_, unit)| unit));
    let unit = if units[0] == Unit::Records { units[1] } else { units[0] };
    let number = |text: &str| -> Option<i128> {
        let text = text.replace('_', "");
        match unit {
            Unit::Records => text.parse().ok(),
            Unit::Percent => {
                let percent: f64 = text.parse().ok()?;
                Some((percent * count as f64 / 100.0).round_ties_even() as i128)
            }
            Unit::Shards => Some(split.before(text.parse().ok()?).into()),
        }
    };
    let from = from.map_or(Some(0), |(text, _)| number(text))?;
    let to = match to {
        // Up to the end, from which no shard is left out.
        Some(("0" | "-0", Unit::Shards)) => count.into(),
        to => to.map_or(Some(count.into()), |(text, _)| number(text))?,
    };
    Some((from, to))
}

/// The digits and the unit of a bound.
fn bound(text: &str) -> Option<(&str, Unit)> {
    let (digits, unit) = match (text.strip_suffix('%'), text.strip_suffix("shard")) {
        (Some(digits), _) => (digits, Unit::Percent),
        (_, Some(digits)) => (digits, Unit::Shards),
        _ => (text, Unit::Records),
    };
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit())
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | '.'));
    is_number.then_some((digits, unit))
}
