use jarrah_base::{Location, Scope, Source};

use super::Importer;
use crate::ast::{Loc, Op};
use crate::lexer::unescape;

/// How many steps lead from a location to what it says.
const MAX_STEPS: usize = 100;

impl<'a, 't> Importer<'a, 't> {
    /// Where an op comes from: what its location says, or its place in the text.
    pub(super) fn source(&mut self, op: &'a Op<'t>) -> Source {
        match &op.location {
            Some(location) => self.source_of(location),
            None => Source::at(self.text.location(op.at)),
        }
    }

    fn source_of(&mut self, location: &'a Loc<'t>) -> Source {
        let Loc::Alias(name) = location else {
            return self.resolve(location);
        };
        if let Some(&known) = self.sources.get(name) {
            return known;
        }
        let source = self.resolve(location);
        self.sources.insert(name, source);
        source
    }

    /// The scope is the outermost name, the position the innermost one.
    fn resolve(&self, mut location: &'a Loc<'t>) -> Source {
        let mut source = Source::unknown();
        let mut named = false;
        for _ in 0..MAX_STEPS {
            location = match location {
                Loc::Unknown => break,
                Loc::File(file, line, column) => {
                    source.location = Some(Location::new(&unescape(file), *line, *column));
                    break;
                }
                Loc::Name(name, inner) => {
                    if !named {
                        source.scope = Scope::new(&unescape(name));
                    }
                    named = true;
                    match inner {
                        Some(inner) => inner,
                        None => break,
                    }
                }
                Loc::Alias(name) => match self.module.locations.get(name) {
                    Some(location) => location,
                    None => break,
                },
                Loc::Several(parts) => match parts.first() {
                    Some(first) => {
                        // Names below are those of functions on the stack.
                        named = true;
                        first
                    }
                    None => break,
                },
            };
        }
        source
    }
}
