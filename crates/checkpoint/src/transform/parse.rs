//! The text of rules.

use jarrah_base::{DType, Error, Literal, Result, Type};

use super::rules::{Piece, Rule};
use super::step::Step;

/// The help of errors about lines.
const EXAMPLES: &str = "write `params.layers_*.kernel -> layers.*.weight`, `opt_state.** -> -` to drop leaves, or \
     `layers.#.w -> layers.w : stack 0` to make leaves of others";

impl Rule {
    /// Reads the line of this number.
    pub fn parse(number: usize, line: &str) -> Result<Rule> {
        let wrong = |what: &str| {
            Error::input(format!("line {number} of the rules, {line:?}, {what}")).op("rules").help(EXAMPLES)
        };
        let (from, rest) = line.split_once("->").ok_or_else(|| wrong("has no `->`"))?;
        // A colon within a key has no blank behind it.
        let rest = format!("{rest} ");
        let mut parts = rest.split(": ").map(str::trim);
        let (from, to) = (from.trim(), parts.next().unwrap_or_default());
        let steps: Vec<Step> = parts.map(step).collect::<Result<_, String>>().map_err(|e| wrong(&e))?;
        if to.contains("->") {
            return Err(wrong("has two `->`"));
        }
        if let Some((_, glued)) = to.rsplit_once(':').filter(|(_, text)| step(text.trim()).is_ok()) {
            return Err(wrong(&format!("has the step {:?} with no blank behind the colon", glued.trim())));
        }
        let names = |text: &str| -> Vec<Vec<Piece>> {
            match steps.is_empty() {
                true => vec![pieces(text, false)],
                false => text.split(',').map(|name| pieces(name.trim(), true)).collect(),
            }
        };
        let is_fill = matches!(steps.first(), Some(Step::Fill(..)));
        let rule = Rule {
            line: number,
            from: if is_fill && from.is_empty() { Vec::new() } else { names(from) },
            to: if to == "-" { Vec::new() } else { names(to) },
            steps,
        };
        rule.check(is_fill).map_err(|what| wrong(&what))?;
        Ok(rule)
    }

    fn check(&self, is_fill: bool) -> Result<(), String> {
        let refused = |what: &str| Err(what.to_owned());
        if self.from.iter().any(Vec::is_empty) {
            return refused("fits no name");
        }
        if self.to.iter().any(Vec::is_empty) {
            return refused("gives no name");
        }
        if is_fill != self.from.is_empty() {
            return refused("fills a new leaf, so no name stands before `->`");
        }
        if self.to.is_empty() && !self.steps.is_empty() {
            return refused("drops leaves, so no step follows");
        }
        let stars = |pieces: &[Piece]| -> Vec<Piece> {
            pieces.iter().filter(|piece| matches!(piece, Piece::One | Piece::Many)).cloned().collect()
        };
        let numbers = |of: &[Piece]| of.iter().filter(|piece| **piece == Piece::Number).count();
        let first = self.from.first().map_or_else(Vec::new, |pieces| stars(pieces));
        if self.from.iter().chain(&self.to).any(|pieces| stars(pieces) != first) {
            return refused("has other stars before `->` than behind it");
        }
        for (position, step) in self.steps.iter().enumerate() {
            match step {
                Step::Concat(_) | Step::Stack(_) if position > 0 => {
                    return refused("joins leaves behind another step: that comes first");
                }
                Step::Fill(..) if position > 0 => return refused("fills a leaf behind another step"),
                _ => {}
            }
        }
        let joins = matches!(self.steps.first(), Some(Step::Concat(_) | Step::Stack(_)));
        let unstacks = self.steps.iter().filter(|step| matches!(step, Step::Unstack(_))).count();
        let splits = self.steps.iter().filter(|step| matches!(step, Step::Split(..))).count();
        if unstacks + splits > 1 {
            return refused("cuts leaves twice");
        }
        if !joins && self.from.len() > 1 {
            return refused("takes several leaves, and has no step `concat AXIS` or `stack AXIS`");
        }
        if self.from.iter().any(|name| numbers(name) > usize::from(joins)) {
            return refused("has a `#` before `->` that is not the number by which leaves are joined");
        }
        if self.to.len() > 1 && splits == 0 {
            return refused("makes several leaves, and has no step `split AXIS`");
        }
        if self.to.iter().any(|name| numbers(name) != unstacks) {
            return refused("needs one `#` behind `->` for `unstack`, and none otherwise");
        }
        Ok(())
    }
}

fn pieces(text: &str, with_numbers: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c| c == '*' || (with_numbers && c == '#')) {
        if at > 0 {
            pieces.push(Piece::Text(rest[..at].to_owned()));
        }
        let piece = match &rest[at..] {
            special if special.starts_with("**") => Piece::Many,
            special if special.starts_with('#') => Piece::Number,
            _ => Piece::One,
        };
        rest = &rest[at + if piece == Piece::Many { 2 } else { 1 }..];
        pieces.push(piece);
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}

fn step(text: &str) -> Result<Step, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let wrong = || format!("has the step {text:?}, which is none");
    let axis = |word: &str| word.parse::<isize>().map_err(|_| wrong());
    Ok(match words.as_slice() {
        ["concat", at] => Step::Concat(axis(at)?),
        ["stack", at] => Step::Stack(axis(at)?),
        ["unstack", at] => Step::Unstack(axis(at)?),
        ["split", at] => Step::Split(axis(at)?, None),
        ["split", at, "into", sizes @ ..] => {
            Step::Split(axis(at)?, Some(numbers(&sizes.concat()).ok_or_else(wrong)?))
        }
        ["reshape", extents @ ..] => Step::Reshape(extents_of(&extents.concat()).ok_or_else(wrong)?),
        ["cast", dtype] => Step::Cast(dtype.parse().map_err(|_| wrong())?),
        ["fill", value, ty @ ..] => {
            let (word, ty) = (value, type_of(&ty.concat()).ok_or_else(wrong)?);
            let value: f64 = word.parse().map_err(|_| wrong())?;
            match is_element(word, value, ty.dtype()) {
                true => Step::Fill(value, ty),
                false => return Err(format!("fills with {word}, which is no {}", ty.dtype())),
            }
        }
        _ => return Err(wrong()),
    })
}

/// Whether a number is one of a type: a float may be rounded, an integer not.
fn is_element(word: &str, value: f64, dtype: DType) -> bool {
    let made = Literal::full(Type::scalar(dtype), value).map(|made| made.to_f64_vec());
    let Ok([made]) = made.as_deref() else { return false };
    match dtype.is_integer() {
        true => word.parse::<i128>().is_ok_and(|whole| value as i128 == whole && *made == value),
        false => made.is_finite() == value.is_finite(),
    }
}

/// Numbers with commas between them; none of an empty text.
fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    match text {
        "" => Some(Vec::new()),
        text => text.split(',').map(|number| number.parse().ok()).collect(),
    }
}

/// Extents, of which one may be -1.
fn extents_of(text: &str) -> Option<Vec<Option<usize>>> {
    let extents = numbers::<isize>(text)?;
    let known =
        |extent: isize| if extent == -1 { Some(None) } else { usize::try_from(extent).ok().map(Some) };
    let extents: Vec<Option<usize>> = extents.into_iter().map(known).collect::<Option<_>>()?;
    (extents.iter().filter(|extent| extent.is_none()).count() <= 1).then_some(extents)
}

/// A type such as `f32[2,3]`.
fn type_of(text: &str) -> Option<Type> {
    let (dtype, dims) = text.strip_suffix(']')?.split_once('[')?;
    Some(Type::tensor(dtype.parse::<DType>().ok()?, numbers::<usize>(dims)?))
}
