use crate::ir::{IrOp, ValueId};

/// The names of values in a text.
pub(super) struct Names {
    names: Vec<Name>,
    counters: Counters,
}

#[derive(Clone, Copy)]
enum Name {
    None,
    /// `%0`.
    Number(u32),
    /// `%0#1`.
    Part(u32, u32),
    /// `%arg0`.
    Argument(u32),
    /// `%cst`, `%cst_0`.
    Word(&'static str, u32),
}

/// How many values have names of each form, as far as one can see from a place.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    numbers: u32,
    arguments: u32,
    integers: u32,
    constants: u32,
    iterated: u32,
}

impl Names {
    pub fn new(values: usize) -> Self {
        Names { names: vec![Name::None; values], counters: Counters::default() }
    }

    /// The counters of generated names, to restore behind a region.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn restore(&mut self, counters: Counters) {
        self.counters = counters;
    }

    /// Begins something that sees nothing from outside.
    pub fn restart(&mut self) {
        self.counters = Counters::default();
    }

    pub fn arguments(&mut self, args: &[ValueId]) {
        for arg in args {
            self.set(*arg, Name::Argument(self.counters.arguments));
            self.counters.arguments += 1;
        }
    }

    /// Names for what a loop carries, the same in each of its regions.
    pub fn iterated(&mut self, regions: [&[ValueId]; 2]) {
        for (a, b) in regions[0].iter().zip(regions[1]) {
            self.set(*a, Name::Word("iterArg", self.counters.iterated));
            self.set(*b, Name::Word("iterArg", self.counters.iterated));
            self.counters.iterated += 1;
        }
    }

    pub fn results(&mut self, op: &IrOp, integers: bool) {
        let counters = &mut self.counters;
        match (&op.results[..], op.name()) {
            ([], _) => {}
            ([only], "stablehlo.constant") => {
                let (word, counter) =
                    if integers { ("c", &mut counters.integers) } else { ("cst", &mut counters.constants) };
                let name = Name::Word(word, *counter);
                *counter += 1;
                self.set(*only, name);
            }
            ([only], _) => {
                let name = Name::Number(counters.numbers);
                counters.numbers += 1;
                self.set(*only, name);
            }
            (several, _) => {
                let number = counters.numbers;
                counters.numbers += 1;
                for (i, value) in several.iter().enumerate() {
                    self.set(*value, Name::Part(number, i as u32));
                }
            }
        }
    }

    fn set(&mut self, value: ValueId, name: Name) {
        if let Some(slot) = self.names.get_mut(value.index()) {
            *slot = name;
        }
    }

    /// Writes a value as an operand.
    pub fn write(&self, value: ValueId, out: &mut String) {
        self.write_name(value, true, out);
    }

    /// Writes results as they are defined, `%0` or `%0:2`.
    pub fn write_definition(&self, results: &[ValueId], out: &mut String) {
        if let Some(first) = results.first() {
            self.write_name(*first, false, out);
            if results.len() > 1 {
                out.push(':');
                out.push_str(&results.len().to_string());
            }
        }
    }

    fn write_name(&self, value: ValueId, part: bool, out: &mut String) {
        out.push('%');
        match self.names.get(value.index()).copied().unwrap_or(Name::None) {
            Name::None => out.push_str("undefined"),
            Name::Number(n) => out.push_str(&n.to_string()),
            Name::Part(n, i) => {
                out.push_str(&n.to_string());
                if part {
                    out.push('#');
                    out.push_str(&i.to_string());
                }
            }
            Name::Argument(n) => {
                out.push_str("arg");
                out.push_str(&n.to_string());
            }
            Name::Word(word, 0) => out.push_str(word),
            Name::Word(word, n) => {
                out.push_str(word);
                out.push('_');
                out.push_str(&(n - 1).to_string());
            }
        }
    }
}
