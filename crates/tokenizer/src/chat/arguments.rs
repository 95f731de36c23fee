//! Arguments of filters: each has its place, or its name.

use minijinja::value::{Kwargs, Rest, ValueOrKwargs, from_args};
use minijinja::{Error, ErrorKind, State, Value};

/// The value that a filter is given, and its arguments: each has its place, or its name.
pub fn arguments<const N: usize>(
    names: [&str; N],
    given: Rest<ValueOrKwargs>,
) -> Result<(Value, [Option<Value>; N]), Error> {
    let given = given.into_values();
    let (value, given, named): (Value, &[Value], Kwargs) = from_args(&given)?;
    if given.len() > N {
        return Err(ErrorKind::TooManyArguments.into());
    }
    let mut all = [const { None }; N];
    for (i, name) in names.into_iter().enumerate() {
        let by_name = named.has(name).then(|| named.get::<Value>(name)).transpose()?;
        all[i] = match (given.get(i), by_name) {
            (Some(_), Some(_)) => return Err(wrong(&format!("the argument `{name}` is given twice"))),
            (at_place, by_name) => at_place.cloned().or(by_name),
        };
    }
    named.assert_all_used()?;
    Ok((value, all))
}

/// `filter`, which knows arguments by their places alone.
pub fn in_order<const N: usize>(
    names: [&'static str; N],
    filter: Value,
) -> impl Fn(&mut State<'_, '_>, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    move |state, given| {
        let (value, all) = arguments(names, given)?;
        let count = all.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let all = all.into_iter().take(count).map(Option::unwrap_or_default);
        filter.call(state, &std::iter::once(value).chain(all).collect::<Vec<_>>())
    }
}

/// `filter`, which knows arguments by their names, and attributes as texts.
pub fn by_name<const N: usize>(
    names: [&'static str; N],
    filter: Value,
) -> impl Fn(&mut State<'_, '_>, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    move |state, given| {
        let (value, all) = arguments(names, given)?;
        let mut named = Vec::new();
        for (name, argument) in names.into_iter().zip(all) {
            let Some(argument) = argument else { continue };
            named.push((
                name,
                match name {
                    "attribute" if argument.is_integer() => match usize::try_from(argument) {
                        Ok(at) => at.to_string().into(),
                        Err(_) => return Err(wrong("the place of an attribute is counted from 0")),
                    },
                    "case_sensitive" | "reverse" => argument.is_true().into(),
                    _ => argument,
                },
            ));
        }
        filter.call(state, &[value, Kwargs::from_iter(named).into()])
    }
}

fn wrong(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.to_owned())
}
