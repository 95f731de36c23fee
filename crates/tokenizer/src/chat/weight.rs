//! Counts the values that a template's values hold: each element of a list is a value, whose elements are values, and a list
//! that holds one value twice counts all of that value twice.

use minijinja::value::{Kwargs, ObjectRepr, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, functions, tests};

use super::source::{COMPARED, HELD, LISTED, ORDERED, STILL};

/// How many values are looked at for a unit of the engine's work.
const VALUES: u64 = 2;
/// The bytes of a value that holds others that are a unit of work, as [`bytes_left`] has it.
pub const BYTES: usize = 4;
/// The variable that holds how much a list may hold in its elements.
pub const MOST: &str = " most";

/// How many bytes a template may still write of values that hold others, each of which is the work of 16 bytes of text.
pub fn bytes_left(state: &State) -> usize {
    state.fuel_levels().map_or(0, |(_, left)| left as usize * BYTES)
}

/// Adds the filters that [`prepared`](super::source::prepared) puts behind operands, and the functions and tests that they would have to stand behind.
pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter(LISTED, |state: &State, value: Value| held(state, listed(state, value)?));
    environment.add_filter(HELD, held);
    environment.add_filter(STILL, |values: Value| {
        elements(&values).try_for_each(|value| still(&value)).map(|()| false)
    });
    environment.add_filter(COMPARED, compared);
    environment.add_filter(ORDERED, |value: Value| ordered(&value).map(|()| value));
    environment.add_function("dict", |state: &State, value: Option<Value>, more: Kwargs| {
        held(state, functions::dict(value.map(of_pairs).transpose()?, more)?)
    });
    environment.add_function("namespace", |state: &State, value: Option<Value>, more: Kwargs| {
        let values = functions::dict(value.map(of_pairs).transpose()?, more)?;
        held(state, functions::namespace(Some(ValueOrKwargs::from(values)))?)
    });
    type Test = fn(&Value, &Value) -> bool;
    let named: [(&[&str], Test); 6] = [
        (&["eq", "equalto", "=="], tests::is_eq),
        (&["ne", "!="], tests::is_ne),
        (&["lt", "lessthan", "<"], tests::is_lt),
        (&["le", "<="], tests::is_le),
        (&["gt", "greaterthan", ">"], tests::is_gt),
        (&["ge", ">="], tests::is_ge),
    ];
    for (names, test) in named {
        for &name in names {
            environment.add_test(name, move |state: &State, a: &Value, b: &Value| {
                if !names[0].starts_with(['e', 'n']) {
                    [a, b].into_iter().try_for_each(ordered)?;
                }
                consume(state, b).map(|()| test(a, b))
            });
        }
    }
    environment.add_test("in", |state: &State, a: &Value, b: &Value| {
        consume(state, b)?;
        tests::is_in(state, a, b)
    });
}

/// The map of a list of keys and values; any other value is itself.
fn of_pairs(value: Value) -> Result<Value, Error> {
    if !matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable) {
        return Ok(value);
    }
    let pairs = value.try_iter()?.map(|pair| match pair.len() {
        Some(2) => Ok((pair.get_item_by_index(0)?, pair.get_item_by_index(1)?)),
        _ => Err(wrong("dict wants a map, or a list of keys and values")),
    });
    Ok(Value::from_pairs(pairs.collect::<Result<Vec<_>, Error>>()?))
}

/// The value in memory: a list that would be made when it is asked for its elements is made now, as far as there is work left.
pub fn listed(state: &State, value: Value) -> Result<Value, Error> {
    if value.kind() != ValueKind::Iterable {
        return Ok(value);
    }
    // The engine counts 32 bytes for an element of a list that a filter returns.
    let most = 2 * state.fuel_levels().map_or(0, |(_, left)| left) as usize;
    let mut elements = Vec::new();
    for element in value.try_iter()? {
        if elements.len() == most {
            return Err(ErrorKind::OutOfFuel.into());
        }
        elements.push(element);
    }
    Ok(elements.into())
}

/// The value, whose elements hold no more than they may.
pub fn held(state: &State, value: Value) -> Result<Value, Error> {
    if value.as_object().is_none() {
        return Ok(value);
    }
    let most = state.lookup(MOST).and_then(|most| u64::try_from(most).ok()).unwrap_or_default();
    let mut holds = 0;
    for element in elements(&value) {
        still(&element)?;
        if element.as_object().is_some() {
            match weight(&element, most - holds)? {
                Some(more) => holds += more,
                None => {
                    return Err(wrong(format!(
                        "a list or map holds more than {most} values in its elements"
                    )));
                }
            }
        }
    }
    state.consume_fuel(holds / VALUES)?;
    Ok(value)
}

/// The value, after the work of looking at all that it holds.
fn compared(state: &State, value: Value) -> Result<Value, Error> {
    consume(state, &value)?;
    Ok(value)
}

/// A value may be less or more than another if it is there.
fn ordered(value: &Value) -> Result<(), Error> {
    match value.is_undefined() || value.is_none() {
        true => Err(wrong(format!("{} is neither less nor more than another value", value.kind()))),
        false => Ok(()),
    }
}

/// Counts the work of looking at all that a value holds.
pub fn consume(state: &State, value: &Value) -> Result<(), Error> {
    if value.as_object().is_none() {
        return Ok(());
    }
    let left = state.fuel_levels().map_or(0, |(_, left)| left);
    match weight(value, left.saturating_mul(VALUES))? {
        Some(weight) => state.consume_fuel(weight / VALUES),
        None => Err(ErrorKind::OutOfFuel.into()),
    }
}

/// How much a value holds: one for each value in it and for 64 bytes of a text; none where that is more than `most`.
fn weight(value: &Value, most: u64) -> Result<Option<u64>, Error> {
    let (mut waiting, mut weight) = (vec![value.clone()], 0u64);
    while let Some(value) = waiting.pop() {
        weight += 1 + value.as_str().map_or(0, |text| text.len() as u64 / 64);
        for element in elements(&value) {
            if weight + waiting.len() as u64 > most {
                return Ok(None);
            }
            still(&element)?;
            waiting.push(element);
        }
    }
    Ok((weight <= most).then_some(weight))
}

/// The elements of a list, the keys and values of a map.
fn elements(value: &Value) -> Box<dyn Iterator<Item = Value> + '_> {
    let Some(object) = value.as_object() else { return Box::new(std::iter::empty()) };
    match object.repr() {
        ObjectRepr::Map => Box::new(object.try_iter_pairs().into_iter().flatten().flat_map(|(a, b)| [a, b])),
        _ => Box::new(object.try_iter().into_iter().flatten()),
    }
}

/// Namespaces and `loop`, which change, are no elements: what is counted stays as it is, and nothing holds itself.
fn still(value: &Value) -> Result<(), Error> {
    match value.as_object().map(|object| object.type_name()) {
        Some(name) if name.ends_with("::Namespace") => {
            Err(wrong("a namespace holds values and is not held by one"))
        }
        Some(name) if name.ends_with("::Loop") => Err(wrong("`loop` is not held by a value")),
        _ => Ok(()),
    }
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}
