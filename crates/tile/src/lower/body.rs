//! The body of a loop while it is written.

use jarrah_base::{DType, Element, FloatLayout, Specials};
use rustc_hash::FxHashMap;

use crate::kernel::{Inst, Reg, ScalarBits};
use crate::ops::{Binary, Direction};

/// Instructions, with each constant once.
#[derive(Default)]
pub struct Body {
    pub insts: Vec<Inst>,
    constants: FxHashMap<ScalarBits, Reg>,
}

impl Body {
    pub fn push(&mut self, inst: Inst) -> Reg {
        if let Inst::Const(scalar) = inst {
            return self.constant(scalar);
        }
        self.append(inst)
    }

    fn append(&mut self, inst: Inst) -> Reg {
        self.insts.push(inst);
        Reg(self.insts.len() as u32 - 1)
    }

    pub fn constant(&mut self, scalar: ScalarBits) -> Reg {
        if let Some(&known) = self.constants.get(&scalar) {
            return known;
        }
        let reg = self.append(Inst::Const(scalar));
        self.constants.insert(scalar, reg);
        reg
    }

    pub fn of<T: Element>(&mut self, x: T) -> Reg {
        self.constant(ScalarBits::of(x))
    }

    pub fn binary(&mut self, f: Binary, x: Reg, y: Reg) -> Reg {
        self.append(Inst::Binary(f, x, y))
    }

    pub fn compare(&mut self, direction: Direction, x: Reg, y: Reg) -> Reg {
        self.append(Inst::Compare { direction, total: false, x, y })
    }

    pub fn select(&mut self, pred: Reg, on_true: Reg, on_false: Reg) -> Reg {
        self.append(Inst::Select { pred, on_true, on_false })
    }

    /// `x`, which is of type `from`, as `to`.
    pub fn convert(&mut self, from: DType, to: DType, x: Reg) -> Reg {
        if from == to { x } else { self.append(Inst::Convert(to, x)) }
    }

    /// The bits of `x`, which is of type `from`, as `to`.
    pub fn bitcast(&mut self, from: DType, to: DType, x: Reg) -> Reg {
        if from == to { x } else { self.append(Inst::Bitcast(to, x)) }
    }
}

/// The layout of a float that loops compute with, and the signed integers that its bits are looked at as.
#[derive(Clone, Copy)]
pub struct Bits {
    /// The float type.
    pub float: DType,
    /// The integers: `i32` or `i64`.
    pub word: DType,
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the mantissa.
    pub mantissa: u32,
}

const SINGLE: Bits = Bits { float: DType::F32, word: DType::I32, exponent: 8, mantissa: 23 };

/// The layout of `f16`.
const HALF: FloatLayout = FloatLayout {
    exponent: 5,
    mantissa: 10,
    bias: 15,
    specials: Specials::Ieee,
    sign: 0x8000,
    largest: 0x7bff,
};

impl Bits {
    pub fn of(dtype: DType) -> Option<Bits> {
        Some(match dtype {
            DType::BF16 => Bits { float: dtype, mantissa: 7, ..SINGLE },
            DType::F16 => Bits { float: dtype, exponent: 5, mantissa: 10, ..SINGLE },
            DType::F32 => SINGLE,
            DType::F64 => Bits { float: dtype, word: DType::I64, exponent: 11, mantissa: 52 },
            _ => return None,
        })
    }

    /// The exponent bias: `2^(e - 1) - 1` for `e` bits of exponent.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    pub fn sign(self) -> i64 {
        1 << (self.exponent + self.mantissa)
    }

    pub fn infinity(self) -> i64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The bits of 2ⁿ, where that is a normal number.
    pub fn power_of_two(self, n: i32) -> i64 {
        i64::from(n + self.bias()) << self.mantissa
    }

    /// The constant with these low bits.
    pub fn constant(self, body: &mut Body, bits: i64) -> Reg {
        if self.word == DType::I64 { body.of(bits) } else { body.of(bits as i32) }
    }

    /// A function of integers, of which the second is a constant.
    pub fn with(self, body: &mut Body, f: Binary, x: Reg, constant: i64) -> Reg {
        let constant = self.constant(body, constant);
        body.binary(f, x, constant)
    }

    /// Where a relation of integers, of which the second is a constant, holds.
    pub fn is(self, body: &mut Body, direction: Direction, x: Reg, constant: i64) -> Reg {
        let constant = self.constant(body, constant);
        body.compare(direction, x, constant)
    }

    /// The bits of a float in the low bits of an integer.
    pub fn take(self, body: &mut Body, x: Reg) -> Reg {
        match self.float {
            DType::BF16 => {
                let bits = body.bitcast(self.float, DType::U16, x);
                body.convert(DType::U16, self.word, bits)
            }
            // Machine code holds halves as singles, and has their bits in no register.
            DType::F16 => {
                let single = body.convert(self.float, DType::F32, x);
                body.encode_float(HALF, SINGLE, single)
            }
            _ => body.bitcast(self.float, self.word, x),
        }
    }

    /// The float with these bits.
    pub fn give(self, body: &mut Body, bits: Reg) -> Reg {
        match self.float {
            DType::BF16 => {
                let bits = body.convert(self.word, DType::U16, bits);
                body.bitcast(DType::U16, self.float, bits)
            }
            DType::F16 => {
                let single = body.decode_float(HALF, SINGLE, bits);
                body.convert(DType::F32, self.float, single)
            }
            _ => body.bitcast(self.word, self.float, bits),
        }
    }
}
