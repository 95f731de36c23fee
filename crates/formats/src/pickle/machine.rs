//! The machine that a pickle is a program for, without the instructions that run code: what a pickle would call stays a
//! value that says so.
//!
//! Source: `pickletools` of Python, protocols 0 to 5.

use jarrah_base::Result;
use rustc_hash::FxHashMap;

use super::input::Input;
use super::value::{Id, Value};
use super::wrong;

/// The longest name of an import, in bytes.
const MOST_NAME: usize = 256;
/// The most axes of a tensor.
const MOST_EXTENTS: usize = 64;

pub struct Machine<'a> {
    input: Input<'a>,
    values: Vec<Value>,
    stack: Vec<Id>,
    marks: Vec<usize>,
    memo: FxHashMap<usize, Id>,
    states: FxHashMap<Id, Id>,
}

impl<'a> Machine<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Machine {
            input: Input::new(bytes),
            values: Vec::new(),
            stack: Vec::new(),
            marks: Vec::new(),
            memo: FxHashMap::default(),
            states: FxHashMap::default(),
        }
    }

    pub fn value(&self, id: Id) -> &Value {
        &self.values[id]
    }

    /// All values, including values that the last one does not contain.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }

    /// The state that the pickle gives an object which a call made.
    pub fn state(&self, id: Id) -> Option<Id> {
        self.states.get(&id).copied()
    }

    /// The value as a number that counts something.
    pub fn number(&self, id: Id) -> Option<usize> {
        let Value::Int(number) = *self.value(id) else { return None };
        usize::try_from(number).ok()
    }

    /// The value as a list of at most 64 such numbers, or a `torch.Size` of one.
    pub fn numbers(&self, id: Id) -> Option<Vec<usize>> {
        let list = match self.value(id) {
            &Value::Call(_, arguments) => match self.value(arguments) {
                Value::Items(items) if items.len() == 1 => items[0],
                _ => return None,
            },
            _ => id,
        };
        let Value::Items(items) = self.value(list) else { return None };
        if items.len() > MOST_EXTENTS {
            return None;
        }
        items.iter().map(|&item| self.number(item)).collect()
    }

    /// Where the pickle ended.
    pub fn position(&self) -> usize {
        self.input.position()
    }

    /// Reads one pickle, and gives its value. Values of earlier pickles stay.
    pub fn load(&mut self) -> Result<Id> {
        self.stack.clear();
        self.marks.clear();
        self.memo.clear();
        loop {
            let op = self.input.byte()?;
            match op {
                b'.' => return self.pop(),
                _ => self.step(op)?,
            }
        }
    }

    // A table: a row for each opcode.
    fn step(&mut self, op: u8) -> Result<()> {
        match op {
            // PROTO, FRAME
            0x80 => match self.input.byte()? {
                0..=5 => {}
                version => {
                    return Err(wrong(format!("the pickle is of protocol {version}; known are 0 to 5")));
                }
            },
            0x95 => drop(self.input.take(8)?),
            b'(' => self.marks.push(self.stack.len()),
            b'0' => drop(self.pop()?),
            b'1' => drop(self.above_mark()?),
            b'2' => {
                let top = self.top()?;
                self.stack.push(top);
            }
            b'N' => self.push(Value::None),
            0x88 | 0x89 => self.push(Value::Other),
            // Integers: lines of digits, words, and numbers of any length.
            b'I' | b'L' => {
                let line = self.input.line()?;
                let value = match line {
                    "00" | "01" => Value::Other,
                    _ => line.trim_end_matches('L').parse().map_or(Value::Other, Value::Int),
                };
                self.push(value);
            }
            b'J' => {
                let word = i32::from_le_bytes(self.input.array()?);
                self.push(Value::Int(word.into()));
            }
            b'K' => {
                let byte = self.input.byte()?;
                self.push(Value::Int(byte.into()));
            }
            b'M' => {
                let word = u16::from_le_bytes(self.input.array()?);
                self.push(Value::Int(word.into()));
            }
            0x8a => {
                let length = self.input.byte()?.into();
                self.long(length)?;
            }
            0x8b => {
                let length = self.input.length(4)?;
                self.long(length)?;
            }
            b'F' => {
                self.input.line()?;
                self.push(Value::Other);
            }
            b'G' => {
                self.input.take(8)?;
                self.push(Value::Other);
            }
            // Texts and bytes.
            b'S' | b'V' => {
                let line = self.input.line()?;
                let text = line.trim_matches(|c| c == '\'' || c == '"').to_owned();
                self.push(Value::Text(text));
            }
            b'U' | 0x8c => self.text(1)?,
            b'T' | b'X' => self.text(4)?,
            0x8d => self.text(8)?,
            b'C' => self.bytes_of(1)?,
            b'B' => self.bytes_of(4)?,
            0x8e | 0x96 => self.bytes_of(8)?,
            // Tuples, lists, sets and dictionaries.
            b')' | b']' | 0x8f => self.push(Value::Items(Vec::new())),
            b't' | b'l' | 0x91 => {
                let items = self.above_mark()?;
                self.push(Value::Items(items));
            }
            0x85..=0x87 => {
                let count = usize::from(op - 0x84);
                let start = self.stack.len().checked_sub(count).filter(|&start| start >= self.floor());
                let start = start.ok_or_else(|| wrong("the pickle takes values that are not there"))?;
                let items = self.stack.split_off(start);
                self.push(Value::Items(items));
            }
            b'a' => {
                let item = self.pop()?;
                self.extend(vec![item])?;
            }
            b'e' | 0x90 => {
                let items = self.above_mark()?;
                self.extend(items)?;
            }
            b'}' => self.push(Value::Dict(Vec::new())),
            b'd' => {
                let items = self.above_mark()?;
                self.push(Value::Dict(Vec::new()));
                self.set(&items)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(&[key, value])?;
            }
            b'u' => {
                let items = self.above_mark()?;
                self.set(&items)?;
            }
            // References to values met before.
            b'p' | b'q' | b'r' | 0x94 => {
                let key = match op {
                    b'p' => self.input.number()?,
                    b'q' => self.input.byte()?.into(),
                    b'r' => self.input.length(4)?,
                    _ => self.memo.len(),
                };
                let top = self.top()?;
                self.memo.insert(key, top);
            }
            b'g' | b'h' | b'j' => {
                let key = match op {
                    b'g' => self.input.number()?,
                    b'h' => self.input.byte()?.into(),
                    _ => self.input.length(4)?,
                };
                let id = self.memo.get(&key).copied();
                self.stack.push(
                    id.ok_or_else(|| wrong(format!("the pickle recalls value {key}, which it never kept")))?,
                );
            }
            // Imports and calls of the pickle: recorded, never executed.
            b'c' => {
                let name = format!("{} {}", self.input.line()?, self.input.line()?);
                self.push(Value::Global(name));
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Value::Text(name), Value::Text(module)) = (&self.values[name], &self.values[module])
                else {
                    return Err(wrong("the pickle imports something without a name"));
                };
                // Both may be recalled again and again by a byte or two.
                if module.len() + name.len() > MOST_NAME {
                    return Err(wrong(format!(
                        "the pickle imports something whose name is longer than {MOST_NAME}"
                    )));
                }
                self.push(Value::Global(format!("{module} {name}")));
            }
            b'R' | 0x81 => {
                let (arguments, callee) = (self.pop()?, self.pop()?);
                self.push(Value::Call(callee, arguments));
            }
            0x92 => {
                self.pop()?;
                let (arguments, callee) = (self.pop()?, self.pop()?);
                self.push(Value::Call(callee, arguments));
            }
            b'b' => {
                let state = self.pop()?;
                let object = self.top().ok().filter(|&id| matches!(self.values[id], Value::Call(..)));
                self.states.extend(object.map(|object| (object, state)));
            }
            b'Q' => {
                let id = self.pop()?;
                self.push(Value::Outside(id));
            }
            b'P' => {
                let text = self.input.line()?.to_owned();
                self.push(Value::Text(text));
                let id = self.pop()?;
                self.push(Value::Outside(id));
            }
            b'i' | b'o' | 0x82..=0x84 | 0x97 | 0x98 => {
                return Err(wrong(format!(
                    "the pickle has the instruction {op:#04x}, which files of tensors do not need"
                )));
            }
            _ => {
                return Err(wrong(format!(
                    "byte {:#04x} at {} is no instruction of a pickle",
                    op,
                    self.input.position() - 1
                )));
            }
        }
        Ok(())
    }

    fn push(&mut self, value: Value) {
        self.values.push(value);
        self.stack.push(self.values.len() - 1);
    }

    /// The height of the stack at the last mark: values below it belong to the object around the mark.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn top(&self) -> Result<Id> {
        let there = self.stack.len() > self.floor();
        let top = self.stack.last().copied().filter(|_| there);
        top.ok_or_else(|| wrong("the pickle takes a value that is not there"))
    }

    fn pop(&mut self) -> Result<Id> {
        let top = self.top()?;
        self.stack.pop();
        Ok(top)
    }

    fn above_mark(&mut self) -> Result<Vec<Id>> {
        let mark = self.marks.pop().ok_or_else(|| wrong("the pickle ends a group that it never began"))?;
        Ok(self.stack.split_off(mark))
    }

    fn extend(&mut self, more: Vec<Id>) -> Result<()> {
        let list = self.top()?;
        match &mut self.values[list] {
            Value::Items(items) => items.extend(more),
            Value::Call(..) => {}
            _ => return Err(wrong("the pickle appends to what is no list")),
        }
        Ok(())
    }

    fn set(&mut self, items: &[Id]) -> Result<()> {
        let dict = self.top()?;
        let (pairs, rest) = items.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(wrong("a dictionary of the pickle has a key without a value"));
        }
        let pairs = pairs.iter().map(|&[key, value]| (key, value));
        match &mut self.values[dict] {
            Value::Dict(entries) => entries.extend(pairs),
            // An ordered dictionary is a call without arguments, filled afterwards.
            Value::Call(..) => self.values[dict] = Value::Dict(pairs.collect()),
            _ => return Err(wrong("the pickle sets an entry of what is no dictionary")),
        }
        Ok(())
    }

    fn long(&mut self, length: usize) -> Result<()> {
        let bytes = self.input.take(length)?;
        let negative = bytes.last().is_some_and(|&b| b & 0x80 != 0);
        let value = match bytes.len() {
            0..=16 => {
                let mut word = [if negative { 0xff } else { 0 }; 16];
                word[..bytes.len()].copy_from_slice(bytes);
                Value::Int(i128::from_le_bytes(word))
            }
            _ => Value::Other,
        };
        self.push(value);
        Ok(())
    }

    fn text(&mut self, width: usize) -> Result<()> {
        let length = self.input.length(width)?;
        let text = String::from_utf8_lossy(self.input.take(length)?).into_owned();
        self.push(Value::Text(text));
        Ok(())
    }

    fn bytes_of(&mut self, width: usize) -> Result<()> {
        let length = self.input.length(width)?;
        self.input.take(length)?;
        self.push(Value::Other);
        Ok(())
    }
}
