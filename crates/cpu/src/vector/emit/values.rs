//! The instructions of the loop IR on groups of sixteen elements: `bf16`, `f16` and integers of up to 32 bits in lanes of 32
//! bits, widened as the interpreter widens them; truth values as masks. Methods return `None` for an instruction without code.

mod convert;
mod folds;
mod integers;

use jarrah_base::{DType, f16};
use jarrah_tile::{Binary, Direction, ScalarBits, Unary};
use smallvec::smallvec;

use super::calls;
use super::graph::{Effect, Graph, Node, Parts, V};
use super::math::{floats, relation};
use super::ops::Opcode::*;

/// How a type is held in lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `f32`, and `bf16` and `f16` as the `f32` of the same value.
    Float,
    Double,
    /// Signed integers of up to 32 bits, extended by their sign.
    Int,
    Uint,
    Long,
    Ulong,
    Mask,
}

pub(super) fn kind(dtype: DType) -> Option<Kind> {
    Some(match dtype {
        DType::F32 | DType::BF16 | DType::F16 => Kind::Float,
        DType::F64 => Kind::Double,
        DType::I8 | DType::I16 | DType::I32 => Kind::Int,
        DType::U8 | DType::U16 | DType::U32 => Kind::Uint,
        DType::I64 => Kind::Long,
        DType::U64 => Kind::Ulong,
        DType::Bool => Kind::Mask,
        _ => return None,
    })
}

/// The 32 bits of a lane with this scalar, of a type that is held in 32-bit lanes.
fn lane_of(s: ScalarBits) -> u32 {
    match s.dtype {
        DType::BF16 => (s.bits as u32) << 16,
        DType::F16 => f16::from_bits(s.bits as u16).to_f32().to_bits(),
        DType::I8 => i32::from(s.bits as u8 as i8) as u32,
        DType::I16 => i32::from(s.bits as u16 as i16) as u32,
        _ => s.bits as u32,
    }
}

impl Kind {
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Double | Kind::Long | Kind::Ulong)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::Float | Kind::Double)
    }
}

impl Graph<'_> {
    pub fn parts(&self, wide: bool) -> usize {
        self.shared.parts(if wide { 8 } else { 4 })
    }

    fn map1(&mut self, x: &Parts, f: impl Fn(&mut Self, V) -> V) -> Parts {
        x.iter().map(|&x| f(self, x)).collect()
    }

    fn map2(&mut self, x: &Parts, y: &Parts, f: impl Fn(&mut Self, V, V) -> V) -> Parts {
        x.iter().zip(y).map(|(&x, &y)| f(self, x, y)).collect()
    }

    /// As `map2`, for a function that also takes the part of the group.
    fn map_parts(&mut self, x: &Parts, y: &Parts, f: impl Fn(&mut Self, V, V, u8) -> V) -> Parts {
        x.iter().zip(y).enumerate().map(|(part, (&x, &y))| f(self, x, y, part as u8)).collect()
    }

    /// A constant in all lanes.
    pub fn constant_of(&mut self, s: ScalarBits) -> Option<Parts> {
        let kind = kind(s.dtype)?;
        let v = match s.dtype {
            DType::Bool => {
                let v = self.word(if s.bits != 0 { u32::MAX } else { 0 });
                self.vector_to_mask(v)
            }
            _ if kind.is_wide() => self.long(s.bits),
            _ => self.word(lane_of(s)),
        };
        Some(smallvec![v; self.parts(kind.is_wide())])
    }

    /// For each lane the scalar that is indexed by the lane's last four bits.
    pub fn look_up(&mut self, x: &Parts, scalars: &[ScalarBits; 16]) -> Parts {
        let lanes = scalars.map(|s| u64::from(lane_of(s)));
        let two = |i: usize| lanes[2 * i + 1] << 32 | lanes[2 * i];
        if self.wide() {
            let table = self.constant(std::array::from_fn(two));
            return self.map1(x, |g, x| g.op2(LookUp, x, table));
        }
        let signed = |code: u64| lanes[code as usize] as u32 == (code as f32 - 8.0).to_bits();
        if scalars[0].dtype.is_float() && (0..16).all(signed) {
            return self.map1(x, |g, x| g.signed_code(x));
        }
        // Three bits index two tables of eight; the fourth bit, as the sign of its lane, chooses between them.
        let [low, high] = [0, 4].map(|first| self.constant(std::array::from_fn(|i| two(first + i % 4))));
        self.map1(x, |g, x| {
            let [low, high] = [low, high].map(|table| g.op2(LookUp, x, table));
            let fourth = g.imm1(ShlD, x, 28);
            g.op3(Blend, fourth, low, high)
        })
    }

    /// The last four bits of each lane, less 8, as a float.
    fn signed_code(&mut self, x: V) -> V {
        // The bits are shifted to the top of the lane from where they were before any earlier shift; with its first bit flipped,
        // a code is a two's complement number.
        let (word, by) = self.four_bits(x, 0);
        let first_bits = self.word(0x8888_8888 << (by % 4));
        let turned = self.op2(Xor, word, first_bits);
        let above = if by == 28 { turned } else { self.imm1(ShlD, turned, 28 - by as u8) };
        let number = self.imm1(SarD, above, 28);
        self.op1(IntToPs, number)
    }

    pub fn vector_to_mask(&mut self, v: V) -> V {
        if self.wide() { self.op1(VecToMask, v) } else { v }
    }

    pub fn mask_to_vector(&mut self, k: V) -> V {
        if self.wide() { self.op1(MaskToVec, k) } else { k }
    }

    /// The elements of an access.
    pub fn load(&mut self, access: u16, dtype: DType) -> Option<Parts> {
        let kind = kind(dtype)?;
        let parts = self.parts(kind.is_wide());
        let x: Parts = (0..parts).map(|p| self.node(Node::Load { access, part: p as u8 })).collect();
        Some(self.loaded(dtype, x))
    }

    /// The one element of an access.
    pub fn broadcast(&mut self, access: u16, dtype: DType) -> Option<Parts> {
        let kind = kind(dtype)?;
        let v = self.node(Node::Broadcast { access });
        let v = if dtype == DType::F16 {
            let words = if self.wide() { self.op1(NarrowWord, v) } else { self.op2(PackWords, v, v) };
            self.op1(HalfToPs, words)
        } else {
            v
        };
        Some(self.loaded(dtype, smallvec![v; self.parts(kind.is_wide())]))
    }

    fn loaded(&mut self, dtype: DType, x: Parts) -> Parts {
        match dtype {
            DType::BF16 => self.map1(&x, |g, x| g.imm1(ShlD, x, 16)),
            DType::Bool => self.map1(&x, |g, x| {
                if g.wide() {
                    g.op2(TestD, x, x)
                } else {
                    let zero = g.word(0);
                    g.op2(GtD, x, zero)
                }
            }),
            _ => x,
        }
    }

    fn pack_words(&mut self, a: V, b: V) -> V {
        let packed = self.op2(PackWords, a, b);
        self.imm1(PermuteQ, packed, 0xd8)
    }

    /// Stores a group of elements.
    pub fn store(&mut self, access: u16, dtype: DType, x: &Parts) {
        let one = |g: &mut Self, value| g.effect(Effect::Store { access, part: 0, value });
        let low = |g: &mut Self, x: &Parts, mask: u32| {
            let m = g.word(mask);
            g.map1(x, |g, x| g.op2(And, x, m))
        };
        match dtype {
            DType::BF16 | DType::I16 | DType::U16 => {
                let x =
                    if dtype == DType::BF16 { self.map1(x, |g, x| g.imm1(ShrD, x, 16)) } else { x.clone() };
                let v = if self.wide() {
                    self.op1(NarrowWord, x[0])
                } else {
                    let x = low(self, &x, 0xffff);
                    self.pack_words(x[0], x[1])
                };
                one(self, v);
            }
            DType::F16 => {
                let halves = self.map1(x, |g, x| g.imm1(PsToHalf, x, 0));
                let v = if self.wide() { halves[0] } else { self.imm2(Join, halves[0], halves[1], 1) };
                one(self, v);
            }
            DType::Bool if self.wide() => {
                let ones = self.word(0x0101_0101);
                let bytes = self.op1(MaskToBytes, x[0]);
                let v = self.op2(AndBytes, bytes, ones);
                one(self, v);
            }
            DType::I8 | DType::U8 | DType::Bool => {
                let v = if self.wide() {
                    self.op1(NarrowByte, x[0])
                } else {
                    let x = low(self, x, if dtype == DType::Bool { 1 } else { 0xff });
                    let words = self.pack_words(x[0], x[1]);
                    let bytes = self.op2(PackBytes, words, words);
                    self.imm1(PermuteQ, bytes, 0x08)
                };
                one(self, v);
            }
            _ => {
                for (p, &value) in x.iter().enumerate() {
                    self.effect(Effect::Store { access, part: p as u8, value });
                }
            }
        }
    }

    /// Stores the element in lane 0.
    pub fn store_one(&mut self, access: u16, dtype: DType, x: &Parts) {
        let value = match dtype {
            DType::BF16 => self.imm1(ShrD, x[0], 16),
            DType::F16 => self.imm1(PsToHalf, x[0], 0),
            DType::Bool => {
                let one = self.word(1);
                let v = self.mask_to_vector(x[0]);
                self.op2(And, v, one)
            }
            _ => x[0],
        };
        self.effect(Effect::StoreOne { access, value });
    }

    /// Wraps or rounds a result into the range of its type.
    pub fn fit(&mut self, dtype: DType, x: Parts) -> Parts {
        let signed = |g: &mut Self, by: u8| {
            g.map1(&x, |g, x| {
                let up = g.imm1(ShlD, x, by);
                g.imm1(SarD, up, by)
            })
        };
        match dtype {
            DType::BF16 => self.map1(&x, |g, x| g.round_bf16(x)),
            DType::F16 => self.map1(&x, |g, x| g.round_f16(x)),
            DType::I8 => signed(self, 24),
            DType::I16 => signed(self, 16),
            DType::U8 | DType::U16 => {
                let m = self.word(if dtype == DType::U8 { 0xff } else { 0xffff });
                self.map1(&x, |g, x| g.op2(And, x, m))
            }
            _ => x,
        }
    }

    pub fn unary(&mut self, f: Unary, dtype: DType, x: &Parts) -> Option<Parts> {
        let kind = kind(dtype)?;
        let bits = 8 * dtype.size() as u32;
        let y = match (kind, f) {
            (Kind::Float | Kind::Double, _) => return self.unary_float(f, dtype, x),
            (Kind::Int, Unary::Abs) => self.map1(x, |g, x| g.op1(AbsD, x)),
            (Kind::Long, Unary::Abs) => self.map1(x, Self::abs_long),
            (Kind::Uint | Kind::Ulong, Unary::Abs) => x.clone(),
            (Kind::Int | Kind::Uint, Unary::Negate) => {
                let zero = self.word(0);
                self.map1(x, |g, x| g.op2(SubD, zero, x))
            }
            (Kind::Long | Kind::Ulong, Unary::Negate) => {
                let zero = self.long(0);
                self.map1(x, |g, x| g.op2(SubQ, zero, x))
            }
            (Kind::Int, Unary::Sign) => {
                let (one, minus) = (self.word(1), self.word(u32::MAX));
                self.map1(x, |g, x| {
                    let y = g.op2(MinSD, x, one);
                    g.op2(MaxSD, y, minus)
                })
            }
            (Kind::Uint, Unary::Sign) => {
                let one = self.word(1);
                self.map1(x, |g, x| g.op2(MinUD, x, one))
            }
            (Kind::Long | Kind::Ulong, Unary::Sign) => {
                self.map1(x, |g, x| g.sign_long(kind == Kind::Long, x))
            }
            (Kind::Int | Kind::Uint | Kind::Long | Kind::Ulong, Unary::Not) => {
                let ones = self.word(u32::MAX);
                self.map1(x, |g, x| g.op2(Xor, x, ones))
            }
            (Kind::Mask, Unary::Not) => self.map1(x, Self::mask_not),
            (Kind::Mask, _) => return None,
            (_, Unary::Popcnt) => self.of_bits(f, kind, bits, x)?,
            (_, Unary::CountLeadingZeros) => {
                let rest = self.word(32u32.saturating_sub(bits));
                let zeros = self.of_bits(f, kind, bits, x)?;
                if bits < 32 { self.map1(&zeros, |g, x| g.op2(SubD, x, rest)) } else { zeros }
            }
            _ => return None,
        };
        Some(self.fit(dtype, y))
    }

    fn unary_float(&mut self, f: Unary, dtype: DType, x: &Parts) -> Option<Parts> {
        let double = kind(dtype)? == Kind::Double;
        let t = floats(double);
        let y = match f {
            Unary::Abs => self.map1(x, |g, x| g.abs(t, x)),
            Unary::Negate => self.map1(x, |g, x| g.neg(t, x)),
            Unary::Sign => self.map1(x, |g, x| g.signum(t, x)),
            Unary::Floor => self.map1(x, |g, x| g.round(t, x, 9)),
            Unary::Ceil => self.map1(x, |g, x| g.round(t, x, 10)),
            Unary::RoundNearestEven => self.map1(x, |g, x| g.round(t, x, 8)),
            Unary::RoundNearestAfz => self.map1(x, |g, x| g.round_afz(t, x)),
            Unary::Exponential => self.map1(x, |g, x| g.exp(t, x)),
            Unary::Log => self.map1(x, |g, x| g.ln(t, x)),
            Unary::Logistic => self.map1(x, |g, x| g.logistic(t, x)),
            Unary::Sqrt => self.map1(x, |g, x| g.op1(if double { SqrtPd } else { SqrtPs }, x)),
            Unary::Rsqrt => self.map1(x, |g, x| g.rsqrt(t, x)),
            Unary::IsFinite => {
                let masks = self.map1(x, |g, x| g.is_finite(t, x));
                return Some(if double { self.narrow_masks(&masks) } else { masks });
            }
            Unary::ExponentialMinusOne if !double => self.map1(x, Self::expm1_ps),
            Unary::LogPlusOne if !double => self.map1(x, Self::log1p_ps),
            Unary::Tanh if !double => self.map1(x, Self::tanh_ps),
            Unary::Erf if !double => self.map1(x, Self::erf_ps),
            Unary::ErfInv if !double => self.map1(x, Self::erf_inv_ps),
            Unary::Sine if !double => self.map1(x, Self::sin_ps),
            Unary::Cosine if !double => self.map1(x, Self::cos_ps),
            Unary::Tan if !double => self.map1(x, Self::tan_ps),
            _ => {
                let function = calls::of_float(f, double, self.wide())?;
                self.map1(x, |g, x| g.call(function, [x, x]))
            }
        };
        Some(self.fit(dtype, y))
    }

    fn mask_not(&mut self, k: V) -> V {
        if self.wide() {
            // The complement of a mask: all lanes, without those of the mask.
            let all = self.op2(MaskXnor, k, k);
            return self.op2(MaskXor, k, all);
        }
        let ones = self.word(u32::MAX);
        self.op2(MaskXor, k, ones)
    }

    /// The opcode of a function that is a single instruction.
    fn direct(&self, f: Binary, kind: Kind) -> Option<super::ops::Opcode> {
        Some(match (kind, f) {
            (Kind::Float, Binary::Add) => AddPs,
            (Kind::Float, Binary::Subtract) => SubPs,
            (Kind::Float, Binary::Multiply) => MulPs,
            (Kind::Float, Binary::Divide) => DivPs,
            (Kind::Double, Binary::Add) => AddPd,
            (Kind::Double, Binary::Subtract) => SubPd,
            (Kind::Double, Binary::Multiply) => MulPd,
            (Kind::Double, Binary::Divide) => DivPd,
            (Kind::Int | Kind::Uint, Binary::Add) => AddD,
            (Kind::Int | Kind::Uint, Binary::Subtract) => SubD,
            (Kind::Int | Kind::Uint, Binary::Multiply) => MulD,
            (Kind::Long | Kind::Ulong, Binary::Add) => AddQ,
            (Kind::Long | Kind::Ulong, Binary::Subtract) => SubQ,
            (Kind::Long | Kind::Ulong, Binary::Multiply) if self.wide() => MulQ,
            (Kind::Long | Kind::Ulong, Binary::ShiftLeft) => ShlVarQ,
            (Kind::Long | Kind::Ulong, Binary::ShiftRightLogical) => ShrVarQ,
            (Kind::Long | Kind::Ulong, Binary::ShiftRightArithmetic) if self.wide() => SarVarQ,
            (Kind::Int, Binary::Maximum) => MaxSD,
            (Kind::Int, Binary::Minimum) => MinSD,
            (Kind::Uint, Binary::Maximum) => MaxUD,
            (Kind::Uint, Binary::Minimum) => MinUD,
            (Kind::Long, Binary::Maximum) if self.wide() => MaxSQ,
            (Kind::Long, Binary::Minimum) if self.wide() => MinSQ,
            (Kind::Ulong, Binary::Maximum) if self.wide() => MaxUQ,
            (Kind::Ulong, Binary::Minimum) if self.wide() => MinUQ,
            (Kind::Mask, Binary::And | Binary::Multiply | Binary::Minimum) => MaskAnd,
            (Kind::Mask, Binary::Or | Binary::Add | Binary::Maximum) => MaskOr,
            (Kind::Mask, Binary::Xor) => MaskXor,
            (_, Binary::And) => And,
            (_, Binary::Or) => Or,
            (_, Binary::Xor) => Xor,
            _ => return None,
        })
    }

    pub fn binary(&mut self, f: Binary, dtype: DType, x: &Parts, y: &Parts) -> Option<Parts> {
        let kind = kind(dtype)?;
        let integer = matches!(kind, Kind::Int | Kind::Uint);
        let z = match (kind, f) {
            (Kind::Float | Kind::Double, Binary::Maximum | Binary::Minimum) => {
                let (max, t) = (f == Binary::Maximum, floats(kind == Kind::Double));
                return Some(self.map2(x, y, |g, x, y| g.extreme_float(max, t, x, y)));
            }
            (Kind::Float | Kind::Double, Binary::Remainder) => {
                let t = floats(kind == Kind::Double);
                self.map_parts(x, y, |g, x, y, part| g.rem(t, x, y, part))
            }
            (Kind::Float, Binary::Power) => self.map_parts(x, y, Self::pow_ps),
            (Kind::Float | Kind::Double, Binary::Power | Binary::Atan2) => {
                let function = calls::of_floats(f, kind == Kind::Double, self.wide())?;
                self.map2(x, y, |g, x, y| g.call(function, [x, y]))
            }
            (_, Binary::ShiftLeft | Binary::ShiftRightLogical | Binary::ShiftRightArithmetic) if integer => {
                return self.shift(f, dtype, x, y);
            }
            (_, Binary::Divide | Binary::Remainder) if integer => self.divide(f, kind, x, y),
            (Kind::Mask, Binary::Power | Binary::Divide | Binary::Remainder) => return None,
            (_, Binary::Power | Binary::Divide | Binary::Remainder) if !kind.is_float() => {
                let signed = matches!(kind, Kind::Int | Kind::Long);
                let function = calls::of_integers(f, kind.is_wide(), signed, self.wide())?;
                self.map2(x, y, |g, x, y| g.call(function, [x, y]))
            }
            _ => {
                return (x.iter().zip(y))
                    .map(|(&x, &y)| self.lanes(f, kind, x, y))
                    .collect::<Option<Parts>>()
                    .map(|z| self.fit(dtype, z));
            }
        };
        Some(self.fit(dtype, z))
    }

    /// A function on one register per operand, without conversions.
    fn lanes(&mut self, f: Binary, kind: Kind, x: V, y: V) -> Option<V> {
        match self.direct(f, kind) {
            Some(And | Or | Xor) if kind.is_float() => None,
            Some(op) => Some(self.op2(op, x, y)),
            None => self.long_lanes(f, kind, x, y),
        }
    }

    fn shift(&mut self, f: Binary, dtype: DType, x: &Parts, y: &Parts) -> Option<Parts> {
        let bits = 8 * dtype.size() as u32;
        if bits == 32 {
            let op = match f {
                Binary::ShiftLeft => ShlVarD,
                Binary::ShiftRightLogical => ShrVarD,
                _ => SarVarD,
            };
            return Some(self.map2(x, y, |g, x, y| g.op2(op, x, y)));
        }
        let low = self.word(u32::MAX >> (32 - bits));
        // Amounts are unsigned numbers of the type's width.
        let y = self.map1(y, |g, y| g.op2(And, y, low));
        let z = match f {
            Binary::ShiftLeft => self.map2(x, &y, |g, x, y| g.op2(ShlVarD, x, y)),
            Binary::ShiftRightLogical => self.map2(x, &y, |g, x, y| {
                let x = g.op2(And, x, low);
                g.op2(ShrVarD, x, y)
            }),
            _ => self.map2(x, &y, |g, x, y| {
                // The sign bit of the type at the top of the lane.
                let up = g.imm1(ShlD, x, (32 - bits) as u8);
                let x = g.imm1(SarD, up, (32 - bits) as u8);
                g.op2(SarVarD, x, y)
            }),
        };
        Some(self.fit(dtype, z))
    }

    /// Floats as integers whose order is IEEE-754's total order.
    fn order_keys(&mut self, kind: Kind, x: &Parts) -> Parts {
        self.map1(x, |g, x| {
            let (sign, shift) =
                if kind == Kind::Double { (g.negative(x), ShrQ) } else { (g.imm1(SarD, x, 31), ShrD) };
            let flip = g.imm1(shift, sign, 1);
            g.op2(Xor, x, flip)
        })
    }

    pub fn compare(
        &mut self,
        direction: Direction,
        total: bool,
        dtype: DType,
        x: &Parts,
        y: &Parts,
    ) -> Option<Parts> {
        let kind = kind(dtype)?;
        let masks = self.compare_lanes(direction, total, kind, x, y);
        Some(if kind.is_wide() { self.narrow_masks(&masks) } else { masks })
    }

    /// A comparison as masks of lanes as wide as the operands.
    pub fn compare_lanes(
        &mut self,
        direction: Direction,
        total: bool,
        mut kind: Kind,
        x: &Parts,
        y: &Parts,
    ) -> Parts {
        let (mut x, mut y) = (x.clone(), y.clone());
        if total && kind.is_float() {
            (x, y) = (self.order_keys(kind, &x), self.order_keys(kind, &y));
            kind = if kind == Kind::Double { Kind::Long } else { Kind::Int };
        }
        let float = match direction {
            Direction::Eq => relation::EQ,
            Direction::Ne => relation::NE,
            Direction::Lt => relation::LT,
            Direction::Le => relation::LE,
            Direction::Gt => relation::GT,
            Direction::Ge => relation::GE,
        };
        let integer = match direction {
            Direction::Ge => 5,
            Direction::Gt => 6,
            _ => float,
        };
        match kind {
            Kind::Float => self.map2(&x, &y, |g, x, y| g.imm2(CmpPs, x, y, float)),
            Kind::Double => self.map2(&x, &y, |g, x, y| g.imm2(CmpPd, x, y, float)),
            Kind::Mask => self.map2(&x, &y, |g, x, y| g.compare_masks(direction, x, y)),
            _ if self.wide() => {
                let op = match kind {
                    Kind::Int => CmpD,
                    Kind::Uint => CmpUD,
                    Kind::Long => CmpQ,
                    _ => CmpUQ,
                };
                self.map2(&x, &y, |g, x, y| g.imm2(op, x, y, integer))
            }
            _ => {
                let (equal, greater) = if kind.is_wide() { (EqQ, GtQ) } else { (EqD, GtD) };
                if matches!(kind, Kind::Uint | Kind::Ulong) {
                    let flip = if kind.is_wide() { self.long(1 << 63) } else { self.word(1 << 31) };
                    x = self.map1(&x, |g, x| g.op2(Xor, x, flip));
                    y = self.map1(&y, |g, y| g.op2(Xor, y, flip));
                }
                self.map2(&x, &y, |g, x, y| match direction {
                    Direction::Eq => g.op2(equal, x, y),
                    Direction::Gt => g.op2(greater, x, y),
                    Direction::Lt => g.op2(greater, y, x),
                    Direction::Ne | Direction::Le | Direction::Ge => {
                        let k = match direction {
                            Direction::Ne => g.op2(equal, x, y),
                            Direction::Le => g.op2(greater, x, y),
                            _ => g.op2(greater, y, x),
                        };
                        g.mask_not(k)
                    }
                })
            }
        }
    }

    fn compare_masks(&mut self, direction: Direction, x: V, y: V) -> V {
        let differ = self.op2(MaskXor, x, y);
        match direction {
            Direction::Ne => differ,
            Direction::Eq => self.mask_not(differ),
            Direction::Lt => self.op2(MaskAnd, y, differ),
            Direction::Gt => self.op2(MaskAnd, x, differ),
            Direction::Ge => {
                let less = self.op2(MaskAnd, y, differ);
                self.mask_not(less)
            }
            Direction::Le => {
                let greater = self.op2(MaskAnd, x, differ);
                self.mask_not(greater)
            }
        }
    }

    /// Masks of lanes of 64 bits as masks of lanes of 32.
    fn narrow_masks(&mut self, x: &Parts) -> Parts {
        x.chunks(2)
            .map(|pair| {
                let (low, high) = (pair[0], pair[1]);
                if self.wide() { self.op2(MaskJoin, high, low) } else { self.low_words(low, high) }
            })
            .collect()
    }

    /// Masks of lanes of 32 bits as masks of lanes of 64.
    fn widen_masks(&mut self, x: &Parts) -> Parts {
        let mut out = Parts::new();
        for &k in x {
            if self.wide() {
                out.push(k);
                out.push(self.imm1(MaskHigh, k, 8));
            } else {
                let high = self.imm1(High, k, 1);
                out.push(self.op1(WidenInt, k));
                out.push(self.op1(WidenInt, high));
            }
        }
        out
    }

    pub fn select(&mut self, dtype: DType, pred: &Parts, yes: &Parts, no: &Parts) -> Option<Parts> {
        let kind = kind(dtype)?;
        let pred = if kind.is_wide() { self.widen_masks(pred) } else { pred.clone() };
        let op = if kind.is_wide() { BlendPd } else { Blend };
        Some(
            (pred.iter().zip(yes).zip(no))
                .map(|((&k, &yes), &no)| {
                    if kind == Kind::Mask {
                        let differ = self.op2(MaskXor, yes, no);
                        let taken = self.op2(MaskAnd, k, differ);
                        return self.op2(MaskXor, no, taken);
                    }
                    self.op3(op, k, no, yes)
                })
                .collect(),
        )
    }

    /// The columns of the group, as `i32`.
    pub fn columns(&mut self) -> Parts {
        let ramp = self.ramp();
        (0..self.parts(false))
            .map(|p| {
                let first = self.node(Node::Column { part: p as u8 });
                self.op2(AddD, first, ramp)
            })
            .collect()
    }

    /// `i32` indices as another type.
    pub fn index(&mut self, dtype: DType, extent: usize, x: &Parts) -> Option<Parts> {
        let most = if matches!(dtype, DType::BF16 | DType::F16) { 1 << 24 } else { 1 << 31 };
        if extent > most || dtype == DType::Bool {
            return None;
        }
        if matches!(dtype, DType::BF16 | DType::F16) {
            // Exact as a float, so that they are rounded once.
            let y = self.convert(DType::I32, DType::F32, x)?;
            return Some(self.fit(dtype, y));
        }
        self.convert(DType::I32, dtype, x)
    }

    fn rotate(&mut self, x: V, by: u8) -> V {
        if self.wide() {
            return self.imm1(RolD, x, by);
        }
        let (high, low) = (self.imm1(ShlD, x, by), self.imm1(ShrD, x, 32 - by));
        self.op2(Or, high, low)
    }

    /// Both words of threefry2x32 with 20 rounds.
    pub fn threefry(&mut self, key: [&Parts; 2], count: [&Parts; 2]) -> [Parts; 2] {
        const ROTATIONS: [[u8; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
        let mut out = [Parts::new(), Parts::new()];
        for p in 0..count[0].len() {
            let parity = self.word(0x1bd1_1bda);
            let both = self.op2(Xor, key[0][p], key[1][p]);
            let keys = [key[0][p], key[1][p], self.op2(Xor, both, parity)];
            let mut x = [self.op2(AddD, count[0][p], keys[0]), self.op2(AddD, count[1][p], keys[1])];
            for i in 0..5usize {
                for by in ROTATIONS[i % 2] {
                    x[0] = self.op2(AddD, x[0], x[1]);
                    let turned = self.rotate(x[1], by);
                    x[1] = self.op2(Xor, turned, x[0]);
                }
                x[0] = self.op2(AddD, x[0], keys[(i + 1) % 3]);
                let round = self.word(i as u32 + 1);
                let next = self.op2(AddD, keys[(i + 2) % 3], round);
                x[1] = self.op2(AddD, x[1], next);
            }
            out[0].push(x[0]);
            out[1].push(x[1]);
        }
        out
    }
}
