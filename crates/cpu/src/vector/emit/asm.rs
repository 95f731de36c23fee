//! Instructions with labels, to bytes and to text.

use iced_x86::{Code, Encoder, Formatter, Instruction, IntelFormatter, MemoryOperand, Register};
use jarrah_base::{Error, Result};

use super::calls::Function;

/// A label: a place in the code that jumps name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(usize);

/// The condition of a jump, by the low bits of its opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Always,
    /// A call instead of a jump: the label's code returns to the next instruction.
    Call,
    Less,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Condition {
    fn opcode(self) -> &'static [u8] {
        match self {
            Condition::Always => &[0xe9],
            Condition::Call => &[0xe8],
            Condition::Less => &[0x0f, 0x8c],
            Condition::GreaterOrEqual => &[0x0f, 0x8d],
            Condition::Equal => &[0x0f, 0x84],
            Condition::NotEqual => &[0x0f, 0x85],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Condition::Always => "jmp",
            Condition::Call => "call",
            Condition::Less => "jl",
            Condition::GreaterOrEqual => "jge",
            Condition::Equal => "je",
            Condition::NotEqual => "jne",
        }
    }
}

enum Item {
    Instruction(Instruction),
    Label(Label),
    Jump(Condition, Label),
    /// Loads the address of a label into `rsi`.
    Address(Label),
    Comment(String),
    /// Loads the address of a function into `r11`.
    Function(Function),
    /// 64-byte aligned data at a label.
    Data(Label, Vec<[u64; 8]>),
}

/// A function being written.
#[derive(Default)]
pub(super) struct Assembler {
    items: Vec<Item>,
    labels: usize,
    /// The code that is seldom run, which is placed behind the rest.
    aside: Vec<Item>,
    /// The code that calls the function in `r11`, if there are calls.
    pub calls: Option<Label>,
    /// The error of an instruction that could not be encoded.
    failed: Option<String>,
}

/// The bytes of `lea rsi, [rip + displacement]` before the displacement.
const LEA_RSI: [u8; 3] = [0x48, 0x8d, 0x35];
/// The bytes of `mov r11, address` before the address.
const MOV_R11: [u8; 2] = [0x49, 0xbb];

impl Assembler {
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.items.push(Item::Label(label));
    }

    /// Calls a function whose operands and result are in memory; it keeps the general registers, not the vectors.
    pub fn call(&mut self, function: Function) {
        self.items.push(Item::Function(function));
        let to = match self.calls {
            Some(label) => label,
            None => self.label(),
        };
        self.calls = Some(to);
        self.jump(Condition::Call, to);
    }

    /// Begins a part of the code that is placed behind the rest, until [`Assembler::end_aside`].
    pub fn begin_aside(&mut self) {
        std::mem::swap(&mut self.items, &mut self.aside);
    }

    pub fn end_aside(&mut self) {
        std::mem::swap(&mut self.items, &mut self.aside);
    }

    /// Appends the parts that are placed behind the rest.
    pub fn append_asides(&mut self) {
        let aside = std::mem::take(&mut self.aside);
        self.items.extend(aside);
    }

    pub fn jump(&mut self, condition: Condition, to: Label) {
        self.items.push(Item::Jump(condition, to));
    }

    pub fn address(&mut self, of: Label) {
        self.items.push(Item::Address(of));
    }

    pub fn comment(&mut self, text: impl Into<String>) {
        self.items.push(Item::Comment(text.into()));
    }

    pub fn data(&mut self, at: Label, words: Vec<[u64; 8]>) {
        self.items.push(Item::Data(at, words));
    }

    pub fn push(&mut self, instruction: Instruction) {
        self.items.push(Item::Instruction(instruction));
    }

    pub fn take(&mut self, instruction: std::result::Result<Instruction, iced_x86::IcedError>) {
        match instruction {
            Ok(i) => self.push(i),
            Err(e) => {
                self.failed.get_or_insert_with(|| e.to_string());
            }
        }
    }

    pub fn op0(&mut self, code: Code) {
        self.push(Instruction::with(code));
    }

    pub fn rr(&mut self, code: Code, a: Register, b: Register) {
        self.take(Instruction::with2(code, a, b));
    }

    pub fn r(&mut self, code: Code, a: Register) {
        self.take(Instruction::with1(code, a));
    }

    pub fn ri(&mut self, code: Code, a: Register, imm: i32) {
        self.take(Instruction::with2(code, a, imm));
    }

    pub fn rri(&mut self, code: Code, a: Register, b: Register, imm: i32) {
        self.take(Instruction::with3(code, a, b, imm));
    }

    pub fn rm(&mut self, code: Code, a: Register, m: MemoryOperand) {
        self.take(Instruction::with2(code, a, m));
    }

    pub fn mr(&mut self, code: Code, m: MemoryOperand, a: Register) {
        self.take(Instruction::with2(code, m, a));
    }

    pub fn m(&mut self, code: Code, m: MemoryOperand) {
        self.take(Instruction::with1(code, m));
    }

    pub fn mi(&mut self, code: Code, m: MemoryOperand, imm: i32) {
        self.take(Instruction::with2(code, m, imm));
    }

    pub fn rrr(&mut self, code: Code, a: Register, b: Register, c: Register) {
        self.take(Instruction::with3(code, a, b, c));
    }

    pub fn rrm(&mut self, code: Code, a: Register, b: Register, m: MemoryOperand) {
        self.take(Instruction::with3(code, a, b, m));
    }

    pub fn mrr(&mut self, code: Code, m: MemoryOperand, a: Register, b: Register) {
        self.take(Instruction::with3(code, m, a, b));
    }

    pub fn mri(&mut self, code: Code, m: MemoryOperand, a: Register, imm: i32) {
        self.take(Instruction::with3(code, m, a, imm));
    }

    /// An instruction under a mask; lanes outside are zero, or keep the destination's value.
    pub fn masked(
        &mut self,
        instruction: std::result::Result<Instruction, iced_x86::IcedError>,
        mask: Register,
        zeroing: bool,
    ) {
        self.take(instruction.map(|mut i| {
            i.set_op_mask(mask);
            i.set_zeroing_masking(zeroing);
            i
        }));
    }

    /// The machine code; it may lie anywhere aligned to 64 bytes.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let internal = |what: String| Error::internal(format!("emitted code: {what}"));
        if let Some(what) = &self.failed {
            return Err(internal(what.clone()));
        }
        let mut encoder = Encoder::new(64);
        let mut at = 0usize;
        let mut places = vec![None; self.labels];
        let mut jumps = Vec::new();
        for item in &self.items {
            match item {
                Item::Instruction(i) => {
                    at +=
                        encoder.encode(i, at as u64).map_err(|e| internal(format!("{e}: {:?}", i.code())))?;
                }
                Item::Label(l) => places[l.0] = Some(at),
                Item::Jump(condition, to) => {
                    for &byte in condition.opcode() {
                        encoder.write_u8(byte);
                    }
                    at += condition.opcode().len() + 4;
                    (0..4).for_each(|_| encoder.write_u8(0));
                    jumps.push((at, *to));
                }
                Item::Address(of) => {
                    LEA_RSI.iter().for_each(|&byte| encoder.write_u8(byte));
                    at += LEA_RSI.len() + 4;
                    (0..4).for_each(|_| encoder.write_u8(0));
                    jumps.push((at, *of));
                }
                Item::Comment(_) => {}
                Item::Function(function) => {
                    let address = (function.address as u64).to_le_bytes();
                    MOV_R11.iter().chain(&address).for_each(|&byte| encoder.write_u8(byte));
                    at += MOV_R11.len() + address.len();
                }
                Item::Data(label, words) => {
                    while !at.is_multiple_of(64) {
                        encoder.write_u8(0xcc);
                        at += 1;
                    }
                    places[label.0] = Some(at);
                    for byte in words.iter().flatten().flat_map(|w| w.to_le_bytes()) {
                        encoder.write_u8(byte);
                        at += 1;
                    }
                }
            }
        }
        let mut bytes = encoder.take_buffer();
        for (end, to) in jumps {
            let to = places[to.0].ok_or_else(|| internal("a label without a place".to_owned()))?;
            let distance = i32::try_from(to as i64 - end as i64).map_err(|e| internal(e.to_string()))?;
            bytes[end - 4..end].copy_from_slice(&distance.to_le_bytes());
        }
        Ok(bytes)
    }

    /// The code as text, in Intel's syntax.
    pub fn text(&self) -> String {
        let mut formatter = IntelFormatter::new();
        formatter.options_mut().set_space_after_operand_separator(true);
        let mut out = String::new();
        for item in &self.items {
            match item {
                Item::Instruction(i) => {
                    out.push_str("    ");
                    formatter.format(i, &mut out);
                }
                Item::Label(l) => out.push_str(&format!("l{}:", l.0)),
                Item::Jump(condition, to) => out.push_str(&format!("    {} l{}", condition.name(), to.0)),
                Item::Address(of) => out.push_str(&format!("    lea rsi, l{}", of.0)),
                Item::Comment(text) => out.push_str(&format!("  ; {text}")),
                Item::Function(function) => out.push_str(&format!("    mov r11, {}", function.name)),
                Item::Data(label, words) => {
                    out.push_str(&format!("l{}:\n", label.0));
                    for w in words {
                        out.push_str("    dq");
                        w.iter().for_each(|w| out.push_str(&format!(" {w:#x}")));
                        out.push('\n');
                    }
                }
            }
            out.push('\n');
        }
        out
    }

    /// The number of instructions between each pair of comments, with the comment that begins them.
    pub fn counts(&self) -> Vec<(String, usize)> {
        let mut out: Vec<(String, usize)> = Vec::new();
        for item in &self.items {
            match item {
                Item::Comment(text) => out.push((text.clone(), 0)),
                Item::Instruction(_) | Item::Jump(..) | Item::Address(_) | Item::Function(_) => {
                    if let Some((_, n)) = out.last_mut() {
                        *n += 1;
                    }
                }
                Item::Label(_) | Item::Data(..) => {}
            }
        }
        out
    }
}
