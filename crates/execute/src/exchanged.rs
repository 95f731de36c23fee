//! The collectives of a program, as the processes that begin it compare and name them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jarrah_base::{Error, Location, Type};
use rustc_hash::FxHasher;

/// The most collectives that a process names to the others where their programs differ.
const NAMED: usize = 1 << 12;
/// The longest name of a program or a collective that is taken from another process.
const NAME: usize = 400;

/// A text, as far as it is taken from another process.
fn shown(text: &str) -> &str {
    &text[..text.floor_char_boundary(NAME)]
}

/// A number that equal values have in all processes of a version.
pub(crate) fn number_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A program and its collectives in order.
#[derive(Clone, Default)]
pub(crate) struct Exchanged {
    /// The name of the program.
    program: Arc<str>,
    /// The types of its arguments.
    arguments: String,
    /// A number of the program before the passes, which may differ where processors do, and of all collectives.
    pub number: u64,
    /// A number of each and of those before it, and its name, its line and the type of its operand.
    all: Vec<(u64, String)>,
    /// The line of the first.
    pub location: Option<Location>,
}

impl Exchanged {
    /// Adds a collective of this name, given all that processes have to agree on.
    pub fn add(&mut self, name: &str, location: Option<Location>, agreed: &str) {
        self.number = number_of(&(self.number, agreed));
        let at = location.map_or(String::new(), |at| format!(" ({at})"));
        if self.all.is_empty() {
            self.location = location;
        }
        self.all.push((self.number, format!("{name}{at}")));
    }

    /// The collectives as those of the program of this name, with arguments of these types, and of this [fingerprint](jarrah_hlo::Program::fingerprint).
    pub fn of(self, program: &str, arguments: &[Type], fingerprint: u64) -> Exchanged {
        let arguments: Vec<String> = arguments.iter().map(Type::to_string).collect();
        let number = number_of(&(self.number, fingerprint));
        Exchanged { program: program.into(), arguments: arguments.join(", "), number, ..self }
    }

    /// The program and its first collective, in words.
    pub fn words(&self) -> String {
        let first =
            self.all.first().map_or(String::new(), |(_, name)| format!(", whose first collective is {name}"));
        format!("\"{}\"{first}", self.program)
    }

    /// The number of collectives.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The collectives as one process tells them to another.
    pub fn encode(&self) -> Vec<u8> {
        let line = |text: &str| jarrah_base::visible(text).replace('\n', " ");
        let mut text = line(&self.program) + "\n" + &line(&self.arguments);
        for (number, name) in self.all.iter().take(NAMED) {
            text += &format!("\n{number:x} {}", line(name));
        }
        text.into_bytes()
    }

    /// The collectives that another process has told.
    pub fn decode(bytes: &[u8]) -> Exchanged {
        let text = String::from_utf8_lossy(bytes);
        let name = |text: &str| jarrah_base::visible(shown(text)).into_owned();
        let mut lines = text.lines();
        let program = name(lines.next().unwrap_or_default()).into();
        let arguments = name(lines.next().unwrap_or_default());
        let one = |line: &str| {
            let (number, text) = line.split_once(' ')?;
            Some((u64::from_str_radix(number, 16).ok()?, name(text)))
        };
        let all: Vec<_> = lines.take(NAMED).map_while(one).collect();
        let number = all.last().map_or(0, |(number, _)| *number);
        Exchanged { program, arguments, number, all, location: None }
    }

    /// The error that the processes of a run have begun different programs: this one of `own`, and another one.
    pub fn differs(&self, own: usize, other: usize, others: &Exchanged) -> Error {
        let same = self.all.iter().zip(&others.all).take_while(|(a, b)| a.0 == b.0).count();
        let names = match self.program == others.program {
            true => format!("both are called \"{}\"", self.program),
            false => format!("\"{}\" and not \"{}\"", others.program, self.program),
        };
        let names = match (shown(&self.arguments), shown(&others.arguments)) {
            (mine, its) if mine == its => names,
            (mine, its) => {
                format!("{names}, with arguments ({mine}) in process {own} and ({its}) in process {other}")
            }
        };
        let (mine, its) = (self.all.get(same), others.all.get(same));
        let difference = match (mine, its) {
            _ if same == NAMED => format!("a collective behind the first {NAMED} differs"),
            (None, None) => {
                let lines = self.all.iter().zip(&others.all).find(|((_, mine), (_, its))| mine != its);
                let lines = lines.map_or(String::new(), |((_, mine), (_, its))| {
                    format!(" ({mine} in process {own}, {its} in process {other})")
                });
                format!("their collectives are alike{lines}, and other operations or constants differ")
            }
            (Some((_, mine)), Some((_, its))) if mine == its => {
                format!("collective {} is {mine} in both, over other devices", same + 1)
            }
            (mine, its) => {
                let place = |one: Option<&(u64, String)>| {
                    one.map_or("is missing".into(), |(_, name)| format!("is {name}"))
                };
                let (mine, its) = (place(mine), place(its));
                format!("collective {} {mine} in process {own} and {its} in process {other}", same + 1)
            }
        };
        Error::program(format!(
            "process {other} has begun a run of another program on these devices than process {own}: {names}; {difference}"
        ))
        .help("all processes begin the same programs in the same order; a value that differs between processes is an argument, not a constant")
    }
}
