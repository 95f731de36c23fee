use std::str::FromStr;

use jarrah_base::{DType, Error, Result};

use crate::kernel::{Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
use crate::ops::{Axis, Binary, Direction, LoopReducer, Unary};

/// The words of one line; brackets, commas and colons stand alone.
struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        let mut words = Vec::new();
        for part in line.split_whitespace() {
            let mut rest = part;
            while let Some(at) = rest.find(['[', ']', ',']) {
                words.extend([&rest[..at], &rest[at..=at]].into_iter().filter(|w| !w.is_empty()));
                rest = &rest[at + 1..];
            }
            if !rest.is_empty() {
                words.push(rest);
            }
        }
        Words { words, next: 0 }
    }

    fn word(&mut self) -> Result<&'a str, String> {
        let word = self.words.get(self.next).copied().ok_or("the line ends too early")?;
        self.next += 1;
        Ok(word)
    }

    fn expect(&mut self, want: &str) -> Result<(), String> {
        let word = self.word()?;
        if word == want { Ok(()) } else { Err(format!("expected `{want}`, found `{word}`")) }
    }

    fn parse<T>(&mut self, what: &str, f: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let word = self.word()?;
        f(word).ok_or_else(|| format!("`{word}` is no {what}"))
    }

    fn int<T: FromStr>(&mut self) -> Result<T, String> {
        self.parse("integer", |w| w.parse().ok())
    }

    fn reg(&mut self) -> Result<Reg, String> {
        self.parse("register", |w| w.strip_prefix('%')?.parse().ok().map(Reg))
    }

    fn dtype(&mut self) -> Result<DType, String> {
        self.parse("element type", DType::from_name)
    }

    fn class(&mut self) -> Result<Class, String> {
        self.parse("class", Class::from_name)
    }

    fn buffer(&mut self, prefix: &str) -> Result<usize, String> {
        self.parse("buffer", |w| w.strip_prefix(prefix)?.parse().ok())
    }

    fn list<T>(&mut self, what: &str, f: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
        self.expect("[")?;
        let mut items = Vec::new();
        loop {
            match self.word()? {
                "]" => return Ok(items),
                "," => {}
                w => items.push(f(w).ok_or_else(|| format!("`{w}` is no {what}"))?),
            }
        }
    }

    fn map(&mut self) -> Result<Map, String> {
        let offset = self.int()?;
        self.expect("+")?;
        let rows = self.list("integer", |w| w.parse().ok())?;
        self.expect("+")?;
        Ok(Map { offset, rows, col: self.int()? })
    }

    fn end(&mut self) -> Result<(), String> {
        match self.words.get(self.next) {
            None => Ok(()),
            Some(w) => Err(format!("`{w}` is left over")),
        }
    }
}

fn header(line: &str) -> Result<LoopKernel, String> {
    let mut w = Words::new(line);
    w.expect("kernel")?;
    w.expect("outer")?;
    let outer = w.list("extent", |x| x.parse().ok())?;
    w.expect("reduce")?;
    let reduce = w.list("extent", |x| x.parse().ok())?;
    w.expect("cols")?;
    let cols = w.int()?;
    w.expect("inputs")?;
    let inputs = w.list("element type", DType::from_name)?;
    w.expect("outputs")?;
    let outputs = w.list("element type", DType::from_name)?;
    w.expect("{")?;
    w.end()?;
    Ok(LoopKernel { outer, reduce, cols, inputs, outputs, body: Vec::new(), stores: Vec::new() })
}

fn inst(w: &mut Words<'_>) -> Result<Inst, String> {
    let name = w.word()?;
    Ok(match name {
        "load" => Inst::Load { input: w.buffer("in")?, map: w.map()?, class: w.class()? },
        "constant" => {
            let dtype = w.dtype()?;
            Inst::Const(w.parse("constant of this type", |x| ScalarBits::parse(dtype, x))?)
        }
        "iota" => {
            let axis = w.parse("dimension", |x| match x {
                "cols" => Some(Axis::Cols),
                _ => x.strip_prefix("row")?.parse().ok().map(Axis::Row),
            })?;
            Inst::Iota { axis, dtype: w.dtype()?, class: w.class()? }
        }
        "compare" => {
            let total = w.words.get(w.next) == Some(&"total");
            w.next += usize::from(total);
            let direction = w.parse("relation", Direction::from_name)?;
            Inst::Compare { direction, total, x: w.reg()?, y: w.reg()? }
        }
        "select" => Inst::Select { pred: w.reg()?, on_true: w.reg()?, on_false: w.reg()? },
        "clamp" => Inst::Clamp { low: w.reg()?, x: w.reg()?, high: w.reg()? },
        "convert" => Inst::Convert(w.dtype()?, w.reg()?),
        "bitcast" => Inst::Bitcast(w.dtype()?, w.reg()?),
        "reduce" => Inst::Reduce(w.parse("reducer", LoopReducer::from_name)?, w.reg()?),
        "argmax" | "argmin" => Inst::ArgReduce { max: name == "argmax", x: w.reg()? },
        "pick" => Inst::Pick { x: w.reg()?, index: w.reg()? },
        "threefry2x32" => Inst::Threefry { key: [w.reg()?, w.reg()?], count: [w.reg()?, w.reg()?] },
        "word1" => Inst::Word1(w.reg()?),
        _ => match (Unary::from_name(name), Binary::from_name(name)) {
            (Some(u), _) => Inst::Unary(u, w.reg()?),
            (_, Some(b)) => Inst::Binary(b, w.reg()?, w.reg()?),
            _ => return Err(format!("`{name}` is no instruction")),
        },
    })
}

fn body_line(kernel: &mut LoopKernel, line: &str) -> Result<(), String> {
    // The type after the colon is inferred, so it is a comment.
    let mut w = Words::new(line.split(" : ").next().unwrap_or(line));
    if line.starts_with("store") {
        w.expect("store")?;
        let output = w.buffer("out")?;
        kernel.stores.push(Store { output, map: w.map()?, value: w.reg()? });
    } else {
        let defined = w.reg()?;
        if defined.index() != kernel.body.len() {
            return Err(format!("the next register is %{}", kernel.body.len()));
        }
        w.expect("=")?;
        kernel.body.push(inst(&mut w)?);
    }
    w.end()
}

/// Reads the form that `Display` prints, and verifies it; empty lines are skipped.
impl FromStr for LoopKernel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut kernel: Option<LoopKernel> = None;
        let mut closed = false;
        for (n, line) in text.lines().enumerate().map(|(n, l)| (n + 1, l.trim())) {
            if line.is_empty() {
                continue;
            }
            let done = match &mut kernel {
                _ if closed => Err("text after the kernel".to_owned()),
                None => header(line).map(|k| kernel = Some(k)),
                Some(_) if line == "}" => {
                    closed = true;
                    Ok(())
                }
                Some(k) => body_line(k, line),
            };
            done.map_err(|why| Error::input(why).op("loop kernel").context(format!("line {n}: `{line}`")))?;
        }
        match kernel {
            Some(kernel) if closed => {
                kernel.verify()?;
                Ok(kernel)
            }
            _ => Err(Error::input("the text ends before the kernel's closing brace").op("loop kernel")),
        }
    }
}
