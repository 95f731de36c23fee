//! Options of XLA's compiler, which callers set by name. None changes what is compiled here; those that XLA would refuse are
//! refused, so that a misspelt one does not go unnoticed.

use jarrah_pjrt::compile_options::OptionOverride;

use crate::failure::{Failure, Outcome};

/// A line for each option, `name  type`, made by `oracle/xla_options.py`.
const OPTIONS: &str = include_str!("xla_options.tsv");

/// Checks that there is such an option and that it may have this value. Which texts and names of enumerations an option takes
/// is not known.
pub fn check(name: &str, value: &OptionOverride) -> Outcome {
    let mut known = OPTIONS.lines().filter_map(|line| line.split_once('\t'));
    let Some((_, kind)) = known.find(|(option, _)| *option == name) else {
        return Err(Failure::invalid(format!("No such compile option: '{name}'")));
    };
    if is(kind, value) {
        return Ok(());
    }
    let shown = match value {
        OptionOverride::Text(text) => text.clone(),
        OptionOverride::Truth(truth) => truth.to_string(),
        OptionOverride::Integer(integer) => integer.to_string(),
        OptionOverride::Double(double) => double.to_string(),
    };
    Err(Failure::invalid(format!("While setting option {name}, '{shown}' is not a valid {kind} value.")))
}

/// Whether a value is one of a type of the table, by itself or as text.
fn is(kind: &str, value: &OptionOverride) -> bool {
    use OptionOverride::{Double, Integer, Text, Truth};
    match (kind, value) {
        ("bool", Truth(_)) => true,
        ("bool", Text(text)) => matches!(&text[..], "True" | "False"),
        ("int32", Integer(integer)) => i32::try_from(*integer).is_ok(),
        ("int32", Text(text)) => text.parse::<i32>().is_ok(),
        ("int64", Integer(_)) => true,
        ("int64", Text(text)) => text.parse::<i64>().is_ok(),
        ("float" | "double", Double(_) | Integer(_)) => true,
        ("float" | "double", Text(text)) => text.parse::<f64>().is_ok(),
        ("bool" | "int32" | "int64" | "float" | "double", _) => false,
        // Enumerations by name or number, texts, and lists and messages as text.
        _ => matches!(value, Text(_) | Integer(_)),
    }
}
