use rustc_hash::FxHashMap;

use super::Printer;
use crate::assembly::lexer::quote;
use crate::ir::Loc;

/// The locations that a text refers to, each of which gets a line at its end.
#[derive(Default)]
pub(super) struct Locations<'m> {
    numbers: FxHashMap<&'m Loc, usize>,
    list: Vec<&'m Loc>,
}

impl<'m> Locations<'m> {
    /// The number of the alias of `loc`; the numbers of its parts are smaller.
    pub fn number(&mut self, loc: &'m Loc) -> usize {
        if let Some(&number) = self.numbers.get(loc) {
            return number;
        }
        match loc {
            Loc::Unstated | Loc::Unknown | Loc::File(..) | Loc::Range(..) => {}
            Loc::Name(_, inner) => self.part(inner),
            Loc::CallSite(both) => {
                self.part(&both.0);
                self.part(&both.1);
            }
            Loc::Fused(list) => list.iter().for_each(|l| self.part(l)),
        }
        self.list.push(loc);
        self.numbers.insert(loc, self.list.len());
        self.list.len()
    }

    fn part(&mut self, loc: &'m Loc) {
        if !matches!(loc, Loc::Unstated | Loc::Unknown) {
            self.number(loc);
        }
    }

    fn reference(&self, loc: &Loc) -> String {
        match self.numbers.get(loc) {
            Some(number) => format!("#loc{number}"),
            None => "unknown".to_owned(),
        }
    }

    fn text(&self, loc: &Loc) -> String {
        match loc {
            Loc::Unstated | Loc::Unknown => "unknown".to_owned(),
            Loc::File(file, line, column) => format!("{}:{line}:{column}", quote(file)),
            Loc::Range(file, [line, column, last, end]) if line == last => {
                format!("{}:{line}:{column} to :{end}", quote(file))
            }
            Loc::Range(file, [line, column, last, end]) => {
                format!("{}:{line}:{column} to {last}:{end}", quote(file))
            }
            Loc::Name(name, inner) if matches!(**inner, Loc::Unstated | Loc::Unknown) => quote(name),
            Loc::Name(name, inner) => format!("{}({})", quote(name), self.reference(inner)),
            Loc::CallSite(both) => {
                format!("callsite({} at {})", self.reference(&both.0), self.reference(&both.1))
            }
            Loc::Fused(list) => {
                let list: Vec<String> = list.iter().map(|l| self.reference(l)).collect();
                format!("fused[{}]", list.join(", "))
            }
        }
    }
}

impl Printer<'_> {
    /// The lines that define the aliases of locations.
    pub(super) fn locations_at_end(&mut self) {
        for (i, loc) in self.locations.list.iter().enumerate() {
            self.out.push_str(&format!("#loc{} = loc({})\n", i + 1, self.locations.text(loc)));
        }
    }
}
