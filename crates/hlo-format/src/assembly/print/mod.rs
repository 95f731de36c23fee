//! From tree to text.

mod attributes;
mod control;
mod dense;
mod directives;
mod fits;
mod function;
mod generic;
mod locations;
mod names;
mod operation;
mod structures;
mod types;

use std::io;

use jarrah_base::work;

use super::PrintOptions;
use crate::ir::{IrModule, Loc, Ty};
use locations::Locations;
use names::Names;

/// How much text is kept before it goes to the writer.
const CHUNK: usize = 1 << 16;

/// Writes a text.
struct Printer<'m> {
    module: &'m IrModule,
    options: &'m PrintOptions,
    out: String,
    sink: Option<&'m mut dyn io::Write>,
    error: Option<io::Error>,
    indent: usize,
    names: Names,
    locations: Locations<'m>,
    /// Whether a space has to stand before what comes next, and whether a sign was last.
    spacing: Spacing,
}

#[derive(Clone, Copy, Default)]
struct Spacing {
    /// No space, whatever comes next.
    tight: bool,
    /// The last piece was an opening bracket.
    opened: bool,
    /// The last piece was a sign.
    sign: bool,
}

pub(super) fn text(module: &IrModule, options: &PrintOptions) -> String {
    let mut printer = Printer::new(module, options, None);
    printer.module();
    printer.out
}

pub(super) fn write(module: &IrModule, options: &PrintOptions, out: &mut dyn io::Write) -> io::Result<()> {
    let mut printer = Printer::new(module, options, Some(out));
    printer.module();
    printer.flush();
    printer.error.map_or(Ok(()), Err)
}

/// The text of a type, for messages.
pub(super) fn ty(ty: &Ty) -> String {
    let mut out = String::new();
    types::ty(ty, &mut out);
    out
}

impl<'m> Printer<'m> {
    fn new(module: &'m IrModule, options: &'m PrintOptions, sink: Option<&'m mut dyn io::Write>) -> Self {
        Printer {
            module,
            options,
            out: String::new(),
            sink,
            error: None,
            indent: 0,
            names: Names::new(module.value_count()),
            locations: Locations::default(),
            spacing: Spacing::default(),
        }
    }

    fn module(&mut self) {
        let module = self.module;
        self.operation(&module.op, "builtin");
        self.locations_at_end();
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Hands the text so far to the writer, if the printer has a writer.
    fn flush(&mut self) {
        let Some(sink) = &mut self.sink else { return };
        if self.error.is_none()
            && let Err(error) = sink.write_all(self.out.as_bytes())
        {
            self.error = Some(error);
        }
        self.out.clear();
    }

    fn flush_if_long(&mut self) {
        if self.sink.is_some() && self.out.len() >= CHUNK {
            self.flush();
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// `a, b, c`.
    fn commas<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (i, x) in items.into_iter().enumerate() {
            work::step(1);
            if i > 0 {
                self.out.push_str(", ");
            }
            item(self, x);
        }
    }

    /// `loc(...)` with a space before it, if locations are shown and it is stated.
    fn location(&mut self, loc: &'m Loc) {
        match loc {
            _ if !self.options.locations => {}
            Loc::Unstated => {}
            Loc::Unknown => self.out.push_str(" loc(unknown)"),
            _ => {
                let number = self.locations.number(loc);
                self.out.push_str(" loc(#loc");
                self.out.push_str(&number.to_string());
                self.out.push(')');
            }
        }
    }
}
