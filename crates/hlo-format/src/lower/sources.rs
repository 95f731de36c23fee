use jarrah_base::{Location, Scope, Source};

use super::Lower;
use crate::ir::{Loc, Op};

/// How many steps lead from a location to what it says.
const MAX_STEPS: usize = 100;

impl Lower<'_> {
    /// Where an op comes from: what its location says, or its place in the file.
    pub(super) fn source(&self, op: &Op) -> Source {
        match &op.loc {
            Loc::Unstated => Source { location: self.module.origin.location(op.at), ..Source::unknown() },
            loc => resolve(loc),
        }
    }
}

/// The scope is the outermost name, the position the innermost one.
pub(super) fn resolve(mut loc: &Loc) -> Source {
    let mut source = Source::unknown();
    let mut named = false;
    for _ in 0..MAX_STEPS {
        loc = match loc {
            Loc::Unstated | Loc::Unknown => break,
            Loc::File(file, line, column) | Loc::Range(file, [line, column, ..]) => {
                source.location = Some(Location::new(file, *line, *column));
                break;
            }
            Loc::Name(name, inner) => {
                if !named {
                    source.scope = Scope::new(name);
                }
                named = true;
                inner
            }
            // Names below are those of functions on the stack.
            Loc::CallSite(both) => {
                named = true;
                &both.0
            }
            Loc::Fused(parts) => match parts.first() {
                Some(first) => {
                    named = true;
                    first
                }
                None => break,
            },
        };
    }
    source
}

/// The path in the argument tree that the location of a parameter names.
pub(super) fn path(loc: &Loc) -> &str {
    match loc {
        Loc::Name(name, _) => name,
        _ => "",
    }
}
