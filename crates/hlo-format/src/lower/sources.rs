use jarrah_base::{Location, Scope, Source};

use super::Lower;
use crate::ir::{IrOp, Loc};

/// The most nested locations that are followed.
const MAX_STEPS: usize = 100;

impl Lower<'_> {
    /// The source of an op: its stated location, or its place in the file.
    pub(super) fn source(&self, op: &IrOp) -> Source {
        match &op.loc {
            Loc::Unstated => Source { location: self.module.origin.location(op.at), ..Source::unknown() },
            loc => resolve(loc),
        }
    }
}

/// The scope is the outermost name, the position the innermost.
pub(crate) fn resolve(mut loc: &Loc) -> Source {
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
            // Names further in are functions on the call stack, not scopes.
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

/// The path in the argument tree, which a parameter's location names.
pub(super) fn path(loc: &Loc) -> &str {
    match loc {
        Loc::Name(name, _) => name,
        _ => "",
    }
}
