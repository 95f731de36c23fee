//! The machine that a pickle is a program for, without the instructions that run code: what a pickle would call stays a
//! value that says so.
//!
//! Source: `pickletools` of Python, protocols 0 to 5.

use rustc_hash::FxHashMap;

use super::wrong;
use jarrah_base::Result;

/// A value's number in the machine's store. Values are never copied, and may contain themselves.
pub type Id = usize;

/// A value of a pickle.
#[derive(Debug)]
pub enum Value {
    None,
    Int(i128),
    /// What no tensor needs: a truth value, a float, bytes, an integer of more than 16 bytes.
    Other,
    Text(String),
    /// A tuple, a list or a set.
    Items(Vec<Id>),
    /// The entries of a dictionary, in their order.
    Dict(Vec<(Id, Id)>),
    /// Something that the pickle imports: `module name`.
    Global(String),
    /// What the pickle would get by calling a global with arguments.
    Call(Id, Id),
    /// Something that lies outside of the pickle.
    Outside(Id),
}

pub struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    values: Vec<Value>,
    stack: Vec<Id>,
    marks: Vec<usize>,
    memo: FxHashMap<usize, Id>,
}

impl<'a> Machine<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Machine {
            bytes,
            at: 0,
            values: Vec::new(),
            stack: Vec::new(),
            marks: Vec::new(),
            memo: FxHashMap::default(),
        }
    }

    pub fn value(&self, id: Id) -> &Value {
        &self.values[id]
    }

    /// All values, those that the last one does not contain included.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }

    /// Where the pickle ended.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Reads one pickle, and gives its value. Values of earlier pickles stay.
    pub fn load(&mut self) -> Result<Id> {
        self.stack.clear();
        self.marks.clear();
        self.memo.clear();
        loop {
            let op = self.byte()?;
            match op {
                b'.' => return self.pop(),
                _ => self.step(op)?,
            }
        }
    }

    fn step(&mut self, op: u8) -> Result<()> {
        match op {
            // PROTO, FRAME
            0x80 => match self.byte()? {
                0..=5 => {}
                version => {
                    return Err(wrong(format!("the pickle is of protocol {version}; known are 0 to 5")));
                }
            },
            0x95 => drop(self.take(8)?),
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
                let line = self.line()?;
                let value = match line {
                    "00" | "01" => Value::Other,
                    _ => line.trim_end_matches('L').parse().map_or(Value::Other, Value::Int),
                };
                self.push(value);
            }
            b'J' => {
                let word = i32::from_le_bytes(self.array()?);
                self.push(Value::Int(word.into()));
            }
            b'K' => {
                let byte = self.byte()?;
                self.push(Value::Int(byte.into()));
            }
            b'M' => {
                let word = u16::from_le_bytes(self.array()?);
                self.push(Value::Int(word.into()));
            }
            0x8a => {
                let length = self.byte()?.into();
                self.long(length)?;
            }
            0x8b => {
                let length = self.length(4)?;
                self.long(length)?;
            }
            b'F' => {
                self.line()?;
                self.push(Value::Other);
            }
            b'G' => {
                self.take(8)?;
                self.push(Value::Other);
            }
            // Texts and bytes.
            b'S' | b'V' => {
                let line = self.line()?;
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
            // What was met before.
            b'p' | b'q' | b'r' | 0x94 => {
                let key = match op {
                    b'p' => self.number()?,
                    b'q' => self.byte()?.into(),
                    b'r' => self.length(4)?,
                    _ => self.memo.len(),
                };
                let top = self.top()?;
                self.memo.insert(key, top);
            }
            b'g' | b'h' | b'j' => {
                let key = match op {
                    b'g' => self.number()?,
                    b'h' => self.byte()?.into(),
                    _ => self.length(4)?,
                };
                let id = self.memo.get(&key).copied();
                self.stack.push(
                    id.ok_or_else(|| wrong(format!("the pickle recalls value {key}, which it never kept")))?,
                );
            }
            // What a pickle imports and calls: recorded, never done.
            b'c' => {
                let name = format!("{} {}", self.line()?, self.line()?);
                self.push(Value::Global(name));
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Value::Text(name), Value::Text(module)) = (&self.values[name], &self.values[module])
                else {
                    return Err(wrong("the pickle imports something without a name"));
                };
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
            // The state of an object: nothing that is read here has one that matters.
            b'b' => drop(self.pop()?),
            b'Q' => {
                let id = self.pop()?;
                self.push(Value::Outside(id));
            }
            b'P' => {
                let text = self.line()?.to_owned();
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
                    self.at - 1
                )));
            }
        }
        Ok(())
    }

    fn push(&mut self, value: Value) {
        self.values.push(value);
        self.stack.push(self.values.len() - 1);
    }

    /// Below this the stack belongs to what is around the last mark.
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
        let bytes = self.take(length)?;
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
        let length = self.length(width)?;
        let text = String::from_utf8_lossy(self.take(length)?).into_owned();
        self.push(Value::Text(text));
        Ok(())
    }

    fn bytes_of(&mut self, width: usize) -> Result<()> {
        let length = self.length(width)?;
        self.take(length)?;
        self.push(Value::Other);
        Ok(())
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("invariant: as many bytes as were asked for"))
    }

    /// An unsigned number of `width` bytes.
    fn length(&mut self, width: usize) -> Result<usize> {
        let mut word = [0; 8];
        word[..width].copy_from_slice(self.take(width)?);
        Ok(usize::try_from(u64::from_le_bytes(word)).unwrap_or(usize::MAX))
    }

    fn number(&mut self) -> Result<usize> {
        let line = self.line()?;
        line.parse().map_err(|_| wrong(format!("the pickle has {line:?} in the place of a number")))
    }

    fn line(&mut self) -> Result<&'a str> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&b| b == b'\n').ok_or_else(|| self.cut())?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).map_err(|_| wrong("a line of the pickle is no text"))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.cut())?;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn cut(&self) -> jarrah_base::Error {
        wrong(format!("the pickle of {} bytes is cut short at {}", self.bytes.len(), self.at))
    }
}
