//! Names of functions, by the names of their types.

use jarrah_base::Location;

/// The names of the types of compiled functions and of functions over the devices of a mesh, up to their parameters.
const AROUND: [&str; 3] = [
    concat!(env!("CARGO_CRATE_NAME"), "::jit::Jit<"),
    concat!(env!("CARGO_CRATE_NAME"), "::shard_map::shard_map_at<"),
    concat!(env!("CARGO_CRATE_NAME"), "::pmap::pmap<"),
];

/// The person's function in the name of the type of one that was made of it: the last of its parameters.
fn inner(type_name: &str) -> Option<&str> {
    let list = AROUND.iter().find_map(|around| type_name.strip_prefix(around))?;
    let list = list.trim_end_matches("::{{closure}}");
    Some(last_parameter(list.strip_suffix('>').unwrap_or(list)))
}

/// A name that distinguishes the function from others in messages: its name; for a closure, which shares its name with other
/// closures in the same function, also its line.
pub(crate) fn with_line(type_name: &str, at: Location) -> String {
    let name = function_name(type_name);
    let given = std::iter::successors(Some(type_name), |name| inner(name)).last();
    match given.is_some_and(|name| name.ends_with("{{closure}}")) {
        true => format!("{name}, {}:{}", at.file(), at.line()),
        false => name,
    }
}

/// The name of a function, or of the function that contains a closure, from the name of its type: `step` from
/// `model::step<f32>::{{closure}}`. A compiled function, or one over the devices of a mesh, has
/// the name of the person's function.
pub(crate) fn function_name(type_name: &str) -> String {
    if let Some(inner) = inner(type_name) {
        return function_name(inner);
    }
    let (mut depth, mut plain, mut last) = (0usize, String::new(), ' ');
    for c in type_name.chars() {
        match c {
            '<' => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
        last = c;
    }
    let name = plain.rsplit("::").find(|part| !part.is_empty() && !part.starts_with("{{"));
    name.unwrap_or("f").to_owned()
}

/// The last of the types in a list.
fn last_parameter(list: &str) -> &str {
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if !list[..at].ends_with('-') => depth = depth.saturating_sub(1),
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    list[start..].trim()
}
