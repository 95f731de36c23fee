//! Macros of which parameters have defaults: an argument that is given is taken, also where it is undefined.

use std::fmt;
use std::sync::Arc;

use minijinja::value::{Enumerator, Kwargs, Object, from_args};
use minijinja::{Environment, Error, ErrorKind, State, Value};

use super::source::{MACRO, MISSING};

pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter(MACRO, |inner: Value| Value::from_object(Macro(inner)));
}

/// A macro whose last parameter is [`MISSING`]: the names of the other parameters that a call has no argument for.
#[derive(Debug)]
struct Macro(Value);

impl Macro {
    /// The names of the parameters but the last.
    fn parameters(&self) -> Result<Vec<Value>, Error> {
        let mut names: Vec<Value> = self.0.get_attr("arguments")?.try_iter()?.collect();
        names.pop();
        Ok(names)
    }
}

impl Object for Macro {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str()? {
            "arguments" => self.parameters().ok().map(Value::from),
            name => self.0.get_attr(name).ok(),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&["name", "arguments", "caller"])
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, given: &[Value]) -> Result<Value, Error> {
        let (given, named): (&[Value], Kwargs) = from_args(given)?;
        let names = self.parameters()?;
        let Some(rest) = names.get(given.len()..) else { return Err(ErrorKind::TooManyArguments.into()) };
        let is_missing = |name: &&Value| !name.as_str().is_some_and(|name| named.has(name));
        let missing: Vec<Value> = rest.iter().filter(is_missing).cloned().collect();
        let named = named.args().map(|name| Ok((name, named.get::<Value>(name)?)));
        let mut named = named.collect::<Result<Vec<_>, Error>>()?;
        named.push((MISSING, missing.into()));
        let mut given = given.to_vec();
        given.push(Kwargs::from_iter(named).into());
        self.0.call(state, &given)
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
