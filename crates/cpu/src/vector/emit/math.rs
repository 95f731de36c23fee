//! The elementary functions as vector instructions: the sequences of [`crate::math`] and of the interpreter's functions,
//! operation by operation, so that the bits are equal.

use jarrah_base::DType;
use jarrah_tile::{Binary, Unary};

use super::calls::{self, Function};
use super::graph::{Graph, Home, Node, V};
use super::ops::Opcode::{self, *};
use crate::vector::functions::{COSINE, FRAC_PI_2_LOW, SINE, TRIG_LIMIT};

const LN2_HI: f32 = 355.0 / 512.0;
const LN2_LO: f32 = -2.121_944_4e-4;
const ROUND_F32: f32 = 12_582_912.0;
const ROUND_F64: f64 = 6_755_399_441_055_744.0;
const SIGN: u32 = 1 << 31;

/// Relations of compare instructions; the floats' are false of NaN, but for `NE` and `NOT_LT`.
pub(super) mod relation {
    pub const EQ: u8 = 0;
    pub const LT: u8 = 1;
    pub const LE: u8 = 2;
    pub const UNORDERED: u8 = 3;
    pub const NE: u8 = 4;
    pub const NOT_LT: u8 = 5;
    pub const ORDERED: u8 = 7;
    pub const GE: u8 = 13;
    pub const GT: u8 = 14;
}

/// The instructions and numbers of a float type.
pub(super) struct Floats {
    pub double: bool,
    add: Opcode,
    sub: Opcode,
    mul: Opcode,
    div: Opcode,
    min: Opcode,
    max: Opcode,
    fma: Opcode,
    fnma: Opcode,
    scale: Opcode,
    round: Opcode,
    range: Opcode,
    pub compare: Opcode,
    pub blend: Opcode,
    /// Additions, subtractions and shifts to the left of integers of the same width.
    add_int: Opcode,
    sub_int: Opcode,
    shl: Opcode,
    /// The number of bits of the mantissa, and the bias of the exponent.
    mantissa: u8,
    bias: u64,
    /// A constant that, added to a number, leaves the nearest integer in the low bits.
    rounding: f64,
    ln2: [f64; 2],
    /// The bits of the root of one half.
    sqrt_half: u64,
    /// The least normal number.
    least: f64,
    /// Arguments beyond which `exp` is 0 or infinity.
    exp_range: [f64; 2],
    exp_series: &'static [f64],
    /// Coefficients of the logarithm's series.
    ln_series: &'static [f64],
}

/// The floats of 64 bits, or of 32.
pub(super) fn floats(double: bool) -> &'static Floats {
    if double { &DOUBLE } else { &SINGLE }
}

const fn widened<const N: usize>(x: [f32; N]) -> [f64; N] {
    let mut wide = [0.0; N];
    let mut i = 0;
    while i < N {
        wide[i] = x[i] as f64;
        i += 1;
    }
    wide
}

pub(super) static SINGLE: Floats = Floats {
    double: false,
    add: AddPs,
    sub: SubPs,
    mul: MulPs,
    div: DivPs,
    min: MinPs,
    max: MaxPs,
    fma: FmaPs,
    fnma: FnmaPs,
    scale: ScalePs,
    round: RoundPs,
    range: RangePs,
    compare: CmpPs,
    blend: Blend,
    add_int: AddD,
    sub_int: SubD,
    shl: ShlD,
    mantissa: 23,
    bias: 127,
    rounding: ROUND_F32 as f64,
    ln2: widened([LN2_HI, LN2_LO]),
    sqrt_half: 0x3f35_04f3,
    least: f32::MIN_POSITIVE as f64,
    exp_range: [-104.0, 89.0],
    exp_series: &widened([1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]),
    ln_series: &widened([1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0]),
};

pub(super) static DOUBLE: Floats = Floats {
    double: true,
    add: AddPd,
    sub: SubPd,
    mul: MulPd,
    div: DivPd,
    min: MinPd,
    max: MaxPd,
    fma: FmaPd,
    fnma: FnmaPd,
    scale: ScalePd,
    round: RoundPd,
    range: RangePd,
    compare: CmpPd,
    blend: BlendPd,
    add_int: AddQ,
    sub_int: SubQ,
    shl: ShlQ,
    mantissa: 52,
    bias: 1023,
    rounding: ROUND_F64,
    ln2: [f64::from_bits(0x3fe6_2e42_fee0_0000), 1.908_214_929_270_587_7e-10],
    sqrt_half: 0x3fe6_a09e_667f_3bcd,
    least: f64::MIN_POSITIVE,
    exp_range: [-746.0, 710.0],
    exp_series: &[
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ],
    ln_series: &[
        1.0 / 23.0,
        1.0 / 21.0,
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        0.2,
        1.0 / 3.0,
    ],
};

impl Graph<'_> {
    /// A number of the type, rounded to it.
    pub fn number(&mut self, t: &Floats, x: f64) -> V {
        if t.double { self.f64(x) } else { self.f32(x as f32) }
    }

    /// Bits in all lanes of the type's width.
    fn bits(&mut self, t: &Floats, bits: u64) -> V {
        if t.double { self.long(bits) } else { self.word(bits as u32) }
    }

    fn sign(&mut self, t: &Floats) -> V {
        self.bits(t, 1 << if t.double { 63 } else { 31 })
    }

    /// Σ cᵢ xⁱ, the highest coefficient first.
    fn series(&mut self, t: &Floats, x: V, coefficients: &[f64]) -> V {
        let first = self.number(t, coefficients[0]);
        coefficients[1..].iter().fold(first, |p, &c| {
            let c = self.number(t, c);
            self.op3(t.fma, p, x, c)
        })
    }

    pub fn abs(&mut self, t: &Floats, x: V) -> V {
        let m = self.bits(t, if t.double { !(1 << 63) } else { u64::from(!SIGN) });
        self.op2(And, x, m)
    }

    pub fn neg(&mut self, t: &Floats, x: V) -> V {
        let m = self.sign(t);
        self.op2(Xor, x, m)
    }

    /// The magnitude of a with the sign of b.
    pub fn copysign(&mut self, t: &Floats, a: V, b: V) -> V {
        let m = self.sign(t);
        if self.wide() {
            // mask ? b : a, for the operands (a, b, mask).
            return self.imm3(Logic, a, b, m, 0xd8);
        }
        let (magnitude, sign) = (self.op2(AndNot, m, a), self.op2(And, b, m));
        self.op2(Or, magnitude, sign)
    }

    /// x rounded to an integer, as a number; `imm` is the direction.
    pub fn round(&mut self, t: &Floats, x: V, imm: u8) -> V {
        self.imm1(t.round, x, imm)
    }

    pub fn round_afz(&mut self, t: &Floats, x: V) -> V {
        let whole = self.round(t, x, 11);
        let rest = self.op2(t.sub, x, whole);
        let (rest, half, one) = (self.abs(t, rest), self.number(t, 0.5), self.number(t, 1.0));
        let away = self.imm2(t.compare, rest, half, relation::GE);
        let step = self.copysign(t, one, x);
        let next = self.op2(t.add, whole, step);
        self.op3(t.blend, away, whole, next)
    }

    /// 1, -1, or x itself where it is neither above nor below 0.
    pub fn signum(&mut self, t: &Floats, x: V) -> V {
        let (zero, one, minus) = (self.word(0), self.number(t, 1.0), self.number(t, -1.0));
        let above = self.imm2(t.compare, x, zero, relation::GT);
        let below = self.imm2(t.compare, x, zero, relation::LT);
        let y = self.op3(t.blend, above, x, one);
        self.op3(t.blend, below, y, minus)
    }

    /// Whether x is finite, in masks of the type's width.
    pub fn is_finite(&mut self, t: &Floats, x: V) -> V {
        let (a, infinity) = (self.abs(t, x), self.number(t, f64::INFINITY));
        self.imm2(t.compare, a, infinity, relation::LT)
    }

    /// Half of the integers in the lanes, rounded down. There is no arithmetic shift of 64 bits on 256: exponents are made
    /// positive first.
    fn half(&mut self, t: &Floats, n: V) -> V {
        if !t.double {
            return self.imm1(SarD, n, 1);
        }
        let (lift, less) = (self.long(4096), self.long(2048));
        let n = self.op2(AddQ, n, lift);
        let half = self.imm1(ShrQ, n, 1);
        self.op2(SubQ, half, less)
    }

    /// p 2ⁿ for the integer n in `n`, whose value plus the type's `rounding` has the bits `shifted`.
    fn scale_by(&mut self, t: &Floats, p: V, n: V, shifted: V) -> V {
        if self.wide() {
            return self.op2(t.scale, p, n);
        }
        let round = self.number(t, t.rounding);
        let n = self.op2(t.sub_int, shifted, round);
        let half = self.half(t, n);
        let bias = self.bits(t, t.bias);
        let low = self.op2(t.add_int, half, bias);
        let low = self.imm1(t.shl, low, t.mantissa);
        let high = self.op2(t.sub_int, n, half);
        let high = self.op2(t.add_int, high, bias);
        let high = self.imm1(t.shl, high, t.mantissa);
        let p = self.op2(t.mul, p, low);
        self.op2(t.mul, p, high)
    }

    pub fn exp(&mut self, t: &Floats, x: V) -> V {
        // `min` and `max` instructions return the second operand if one is NaN.
        let low = self.number(t, t.exp_range[0]);
        let x = self.op2(t.max, low, x);
        let high = self.number(t, t.exp_range[1]);
        let x = self.op2(t.min, high, x);
        let (log2e, round) = (self.number(t, std::f64::consts::LOG2_E), self.number(t, t.rounding));
        let shifted = self.op3(t.fma, x, log2e, round);
        let n = self.op2(t.sub, shifted, round);
        let (hi, lo) = (self.number(t, t.ln2[0]), self.number(t, t.ln2[1]));
        let r = self.op3(t.fnma, n, hi, x);
        let r = self.op3(t.fnma, n, lo, r);
        let p = self.series(t, r, t.exp_series);
        self.scale_by(t, p, n, shifted)
    }

    pub fn tanh_ps(&mut self, x: V) -> V {
        let a = self.abs(&SINGLE, x);
        let ten = self.f32(10.0);
        let a = self.op2(MinPs, ten, a);
        let y = self.op2(AddPs, a, a);
        let (log2e, round) = (self.f32(std::f32::consts::LOG2_E), self.f32(ROUND_F32));
        let shifted = self.op3(FmaPs, y, log2e, round);
        let n = self.op2(SubPs, shifted, round);
        let (hi, lo) = (self.f32(LN2_HI), self.f32(LN2_LO));
        let r = self.op3(FnmaPs, n, hi, y);
        let r = self.op3(FnmaPs, n, lo, r);
        let p = self.series(&SINGLE, r, &SINGLE.exp_series[..6]);
        let square = self.op2(MulPs, r, r);
        let p = self.op3(FmaPs, square, p, r);
        let one = self.f32(1.0);
        let scale = if self.wide() {
            self.op2(ScalePs, one, n)
        } else {
            let bias = self.word(127);
            let s = self.op2(AddD, shifted, bias);
            self.imm1(ShlD, s, 23)
        };
        let less = self.op2(SubPs, scale, one);
        let t = self.op3(FmaPs, scale, p, less);
        let two = self.f32(2.0);
        let below = self.op2(AddPs, t, two);
        let q = self.op2(DivPs, t, below);
        self.copysign(&SINGLE, q, x)
    }

    pub fn logistic(&mut self, t: &Floats, x: V) -> V {
        let a = if self.wide() {
            let m = self.sign(t);
            self.op2(Or, x, m)
        } else {
            let a = self.abs(t, x);
            self.neg(t, a)
        };
        let e = self.exp(t, a);
        let (zero, one) = (self.word(0), self.number(t, 1.0));
        let positive = self.imm2(t.compare, x, zero, relation::GE);
        let above = self.op3(t.blend, positive, e, one);
        let below = self.op2(t.add, e, one);
        self.op2(t.div, above, below)
    }

    pub fn rsqrt(&mut self, t: &Floats, x: V) -> V {
        let root = self.op1(if t.double { SqrtPd } else { SqrtPs }, x);
        let one = self.number(t, 1.0);
        self.op2(t.div, one, root)
    }

    pub fn ln(&mut self, t: &Floats, x: V) -> V {
        let least = self.number(t, t.least);
        let subnormal = self.imm2(t.compare, x, least, relation::LT);
        let lift = self.number(t, (1u64 << t.mantissa) as f64);
        let lifted = self.op2(t.mul, x, lift);
        let y = self.op3(t.blend, subnormal, x, lifted);
        let (zero, less) = (self.word(0), self.number(t, -f64::from(t.mantissa)));
        let bias = self.op3(t.blend, subnormal, zero, less);
        let base = self.bits(t, t.sqrt_half);
        let shifted = self.op2(t.sub_int, y, base);
        let k = self.exponent(t, shifted);
        let k = self.op2(t.add, k, bias);
        let mantissa = self.bits(t, (1 << t.mantissa) - 1);
        let m = self.op2(And, shifted, mantissa);
        let m = self.op2(t.add_int, m, base);
        let (one, two) = (self.number(t, 1.0), self.number(t, 2.0));
        let f = self.op2(t.sub, m, one);
        let below = self.op2(t.add, f, two);
        let s = self.op2(t.div, f, below);
        let z = self.op2(t.mul, s, s);
        let series = self.series(t, z, t.ln_series);
        let twice = self.op2(t.add, z, z);
        let minus = self.neg(t, f);
        let tail = self.op3(t.fma, twice, series, minus);
        let tail = self.op2(t.mul, tail, s);
        let (hi, lo) = (self.number(t, t.ln2[0]), self.number(t, t.ln2[1]));
        let small = self.op3(t.fma, k, lo, tail);
        let small = self.op2(t.add, f, small);
        let ln = self.op3(t.fma, k, hi, small);
        let infinity = self.number(t, f64::INFINITY);
        let at_infinity = self.imm2(t.compare, x, infinity, relation::EQ);
        let ln = self.op3(t.blend, at_infinity, ln, x);
        let at_zero = self.imm2(t.compare, x, zero, relation::EQ);
        let bottom = self.number(t, f64::NEG_INFINITY);
        let ln = self.op3(t.blend, at_zero, ln, bottom);
        let valid = self.imm2(t.compare, x, zero, relation::GE);
        let nan = self.number(t, f64::NAN);
        self.op3(t.blend, valid, nan, ln)
    }

    /// The signed integer above the mantissa's bits, as a number.
    fn exponent(&mut self, t: &Floats, bits: V) -> V {
        if !t.double {
            let k = self.imm1(SarD, bits, t.mantissa);
            return self.op1(IntToPs, k);
        }
        if self.wide() {
            let k = self.imm1(SarQ, bits, t.mantissa);
            return self.op1(LongToPd, k);
        }
        // The exponent, made positive, is placed in the low bits of a number of at least 2⁵².
        let (lift, high) = (self.long(1024 << 52), self.f64(4_503_599_627_370_496.0));
        let bits = self.op2(AddQ, bits, lift);
        let k = self.imm1(ShrQ, bits, t.mantissa);
        let k = self.op2(Or, k, high);
        let less = self.f64(4_503_599_627_370_496.0 + 1024.0);
        self.op2(SubPd, k, less)
    }

    /// Computes a function in doubles, half a register at a time.
    pub fn through_pd(&mut self, x: V, f: impl Fn(&mut Self, V) -> V) -> V {
        let [a, b] = self.widen_ps(x);
        let (a, b) = (f(self, a), f(self, b));
        self.narrow_pd(a, b)
    }

    pub fn widen_ps(&mut self, x: V) -> [V; 2] {
        let high = self.imm1(High, x, 1);
        [self.op1(PsToPd, x), self.op1(PsToPd, high)]
    }

    /// Two registers of doubles as one of floats.
    pub fn narrow_pd(&mut self, a: V, b: V) -> V {
        let (a, b) = (self.op1(PdToPs, a), self.op1(PdToPs, b));
        self.imm2(Join, a, b, 1)
    }

    /// y, or x where x is 0.
    fn keep_zero(&mut self, x: V, y: V) -> V {
        let zero = self.word(0);
        let at_zero = self.imm2(CmpPs, x, zero, relation::EQ);
        self.op3(Blend, at_zero, y, x)
    }

    pub fn expm1_ps(&mut self, x: V) -> V {
        let high = self.f32(90.0);
        let x = self.op2(MinPs, high, x);
        let low = self.f32(-40.0);
        let x = self.op2(MaxPs, low, x);
        let y = self.through_pd(x, |g, x| {
            let (log2e, round) = (g.f64(std::f64::consts::LOG2_E), g.f64(ROUND_F64));
            let shifted = g.op3(FmaPd, x, log2e, round);
            let n = g.op2(SubPd, shifted, round);
            let ln2 = g.f64(std::f64::consts::LN_2);
            let r = g.op3(FnmaPd, n, ln2, x);
            let tail = g.series(
                &DOUBLE,
                r,
                &[
                    1.0 / 362_880.0,
                    1.0 / 40_320.0,
                    1.0 / 5040.0,
                    1.0 / 720.0,
                    1.0 / 120.0,
                    1.0 / 24.0,
                    1.0 / 6.0,
                    0.5,
                ],
            );
            let square = g.op2(MulPd, r, r);
            let p = g.op3(FmaPd, square, tail, r);
            let bias = g.long(1023);
            let scale = g.op2(AddQ, shifted, bias);
            let scale = g.imm1(ShlQ, scale, 52);
            let one = g.f64(1.0);
            let less = g.op2(SubPd, scale, one);
            g.op3(FmaPd, scale, p, less)
        });
        self.keep_zero(x, y)
    }

    pub fn log1p_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| {
            let one = g.f64(1.0);
            let u = g.op2(AddPd, x, one);
            let ln = g.ln(&DOUBLE, u);
            let more = g.op2(SubPd, u, one);
            let rest = g.op2(SubPd, x, more);
            let rest = g.op2(DivPd, rest, u);
            let y = g.op2(AddPd, ln, rest);
            let (zero, infinity) = (g.f64(0.0), g.f64(f64::INFINITY));
            let at_zero = g.imm2(CmpPd, u, zero, relation::EQ);
            let y = g.op3(BlendPd, at_zero, y, ln);
            let at_infinity = g.imm2(CmpPd, u, infinity, relation::EQ);
            g.op3(BlendPd, at_infinity, y, ln)
        });
        self.keep_zero(x, y)
    }

    pub fn erf_ps(&mut self, x: V) -> V {
        let magnitude = self.abs(&SINGLE, x);
        let four = self.f32(4.0);
        let a = self.op2(MinPs, four, magnitude);
        let y = self.through_pd(a, |g, a| {
            let square = g.op2(MulPd, a, a);
            let (eighth, minus) = (g.f64(0.125), g.f64(-1.0));
            let t = g.op3(FmaPd, square, eighth, minus);
            let p = g.series(&DOUBLE, t, &crate::vector::functions::ERF);
            g.op2(MulPd, a, p)
        });
        let one = self.f32(1.0);
        let beyond = self.imm2(CmpPs, a, four, relation::GE);
        let y = self.op3(Blend, beyond, y, one);
        self.copysign(&SINGLE, y, x)
    }

    pub fn erf_inv_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| {
            let one = g.f64(1.0);
            let (less, more) = (g.op2(SubPd, one, x), g.op2(AddPd, x, one));
            let product = g.op2(MulPd, less, more);
            let ln = g.ln(&DOUBLE, product);
            let w = g.neg(&DOUBLE, ln);
            let shift = g.f64(2.5);
            let c = g.op2(SubPd, w, shift);
            let central = g.series(&DOUBLE, c, &crate::vector::functions::ERF_INV_CENTRAL);
            let (root, three) = (g.op1(SqrtPd, w), g.f64(3.0));
            let t = g.op2(SubPd, root, three);
            let tail = g.series(&DOUBLE, t, &crate::vector::functions::ERF_INV_TAIL);
            let five = g.f64(5.0);
            let inside = g.imm2(CmpPd, w, five, relation::LT);
            let p = g.op3(BlendPd, inside, tail, central);
            let y = g.op2(MulPd, x, p);
            let a = g.abs(&DOUBLE, x);
            let end = g.imm2(CmpPd, a, one, relation::EQ);
            let infinity = g.f64(f64::INFINITY);
            let far = g.op2(MulPd, x, infinity);
            g.op3(BlendPd, end, y, far)
        });
        self.keep_zero(x, y)
    }

    /// (sin x, cos x) for |x| ≤ 2³⁰: x = n π/2 + r, Taylor series in r.
    fn sin_cos_pd(&mut self, x: V) -> [V; 2] {
        let (turn, round) = (self.f64(std::f64::consts::FRAC_2_PI), self.f64(ROUND_F64));
        let shifted = self.op3(FmaPd, x, turn, round);
        let n = self.op2(SubPd, shifted, round);
        let (high, low) = (self.f64(std::f64::consts::FRAC_PI_2), self.f64(FRAC_PI_2_LOW));
        let r = self.op3(FnmaPd, n, high, x);
        let r = self.op3(FnmaPd, n, low, r);
        let z = self.op2(MulPd, r, r);
        let s = self.series(&DOUBLE, z, &SINE);
        let cube = self.op2(MulPd, r, z);
        let s = self.op3(FmaPd, cube, s, r);
        let c = self.series(&DOUBLE, z, &COSINE);
        let one = self.f64(1.0);
        let c = self.op3(FmaPd, z, c, one);
        // The lowest bit of the quadrant exchanges the two, the next one is the sign.
        let odd = self.imm1(ShlQ, shifted, 63);
        let odd = if self.wide() {
            let zero = self.word(0);
            self.imm2(CmpQ, odd, zero, relation::LT)
        } else {
            odd
        };
        let signs = self.long(1 << 63);
        let signed = |g: &mut Self, x: V, quadrant: V| {
            let sign = g.imm1(ShlQ, quadrant, 62);
            let sign = g.op2(And, sign, signs);
            g.op2(Xor, x, sign)
        };
        let sine = self.op3(BlendPd, odd, s, c);
        let sine = signed(self, sine, shifted);
        let one = self.long(1);
        let next = self.op2(AddQ, shifted, one);
        let cosine = self.op3(BlendPd, odd, c, s);
        [sine, signed(self, cosine, next)]
    }

    pub fn sin_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| g.sin_cos_pd(x)[0]);
        let y = self.keep_zero(x, y);
        self.within_trig_limit(Unary::Sine, x, y)
    }

    pub fn cos_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| g.sin_cos_pd(x)[1]);
        self.within_trig_limit(Unary::Cosine, x, y)
    }

    pub fn tan_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| {
            let [s, c] = g.sin_cos_pd(x);
            g.op2(DivPd, s, c)
        });
        let y = self.keep_zero(x, y);
        self.within_trig_limit(Unary::Tan, x, y)
    }

    fn within_trig_limit(&mut self, f: Unary, x: V, y: V) -> V {
        let (magnitude, limit) = (self.abs(&SINGLE, x), self.f32(TRIG_LIMIT));
        let outside = self.imm2(CmpPs, magnitude, limit, relation::GT);
        let function = calls::of_float(f, false, self.wide());
        self.guard(function, [x, x], y, outside)
    }

    /// xʸ; `part` is the part of the group. Powers of zeros, infinities and NaN are chosen by masks; those of negative numbers are called.
    pub fn pow_ps(&mut self, x: V, y: V, part: u8) -> V {
        let one = self.f32(1.0);
        // Lanes beyond the last column are set to a number in range.
        let x = self.node(Node::Tail { value: x, identity: one, part, wide: false });
        let (xs, ys) = (self.widen_ps(x), self.widen_ps(y));
        let [a, b] = [0, 1].map(|i| {
            let ln = self.ln(&DOUBLE, xs[i]);
            let product = self.op2(MulPd, ys[i], ln);
            self.exp(&DOUBLE, product)
        });
        let z = self.narrow_pd(a, b);
        let z = self.power_of_edges(x, y, z);
        let (zero, infinity, size) = (self.word(0), self.f32(f32::INFINITY), self.abs(&SINGLE, x));
        let negative = self.imm2(CmpPs, x, zero, relation::LT);
        let finite = self.imm2(CmpPs, size, infinity, relation::LT);
        let outside = self.op2(MaskAnd, negative, finite);
        let function = calls::of_floats(Binary::Power, false, self.wide());
        self.guard(function, [x, y], z, outside)
    }

    /// The power `z` of x and y, where x is zero or infinite, x or y is NaN, and where it is one whatever the other is.
    fn power_of_edges(&mut self, x: V, y: V, z: V) -> V {
        let (zero, one, infinity) = (self.word(0), self.f32(1.0), self.f32(f32::INFINITY));
        // Zero and infinity change places where y is negative.
        let size = self.abs(&SINGLE, x);
        let below = self.imm2(CmpPs, y, zero, relation::LT);
        let change = self.op3(Blend, below, zero, infinity);
        let edge = self.op2(Xor, size, change);
        // The sign stays where y is odd: whole, and its half is not.
        let half = self.f32(0.5);
        let half = self.op2(MulPs, y, half);
        let (whole, of_half) = (self.round(&SINGLE, y, 11), self.round(&SINGLE, half, 11));
        let whole = self.imm2(CmpPs, whole, y, relation::EQ);
        let broken = self.imm2(CmpPs, of_half, half, relation::NE);
        let odd = self.op2(MaskAnd, whole, broken);
        let signed = self.copysign(&SINGLE, edge, x);
        let edge = self.op3(Blend, odd, edge, signed);
        let at_zero = self.imm2(CmpPs, size, zero, relation::EQ);
        let at_infinity = self.imm2(CmpPs, size, infinity, relation::EQ);
        let at_edge = self.op2(MaskOr, at_zero, at_infinity);
        let z = self.op3(Blend, at_edge, z, edge);
        // The first NaN of the two, quiet.
        let [of_x, of_y] = [x, y].map(|x| self.imm2(CmpPs, x, x, relation::UNORDERED));
        let [quiet_x, quiet_y] = [x, y].map(|x| self.op2(AddPs, x, x));
        let z = self.op3(Blend, of_y, z, quiet_y);
        let z = self.op3(Blend, of_x, z, quiet_x);
        let of_one = self.imm2(CmpPs, x, one, relation::EQ);
        let to_zero = self.imm2(CmpPs, y, zero, relation::EQ);
        let always = self.op2(MaskOr, of_one, to_zero);
        self.op3(Blend, always, z, one)
    }

    /// The remainder of x / y rounded towards zero, exactly; `part` is the part of the group.
    ///
    /// The truncated quotient is off by one at most, and the remainder is representable: both steps are exact. If the quotient is
    /// too large to be an integer of the type, a called function computes the remainder.
    pub fn rem(&mut self, t: &Floats, x: V, y: V, part: u8) -> V {
        let one = self.number(t, 1.0);
        let y = self.node(Node::Tail { value: y, identity: one, part, wide: t.double });
        let q = self.op2(t.div, x, y);
        let whole = self.round(t, q, 11);
        let rest = self.op3(t.fnma, whole, y, x);
        let zero = self.word(0);
        let magnitude = self.abs(t, y);
        let back = self.copysign(t, magnitude, x);
        // The quotient was rounded up where what is left has the other sign than x.
        let signs = self.sign(t);
        let sign = self.op2(And, x, signs);
        let along = self.op2(Xor, rest, sign);
        let crossed = self.imm2(t.compare, along, zero, relation::LT);
        let more = self.op2(t.add, rest, back);
        let rest = self.op3(t.blend, crossed, rest, more);
        // A zero has x's sign, too.
        let rest = self.copysign(t, rest, x);
        let own = self.abs(t, x);
        let less = self.imm2(t.compare, own, magnitude, relation::LT);
        let rest = self.op3(t.blend, less, rest, x);
        let (size, most) = (self.abs(t, q), self.number(t, (1u64 << (t.mantissa - 1)) as f64));
        let outside = self.imm2(t.compare, size, most, relation::NOT_LT);
        let function = calls::of_floats(Binary::Remainder, t.double, self.wide());
        self.guard(function, [x, y], rest, outside)
    }

    /// The result of a called function, for each lane.
    pub fn call(&mut self, function: Function, operands: [V; 2]) -> V {
        let function = self.shared.function(function);
        self.node(Node::Call { function, operands })
    }

    /// The value; if a lane of `outside` is set, the function's result for all lanes.
    fn guard(&mut self, function: Option<Function>, operands: [V; 2], value: V, outside: V) -> V {
        let Some(function) = function else { return value };
        let function = self.shared.function(function);
        self.node(Node::Guard { function, operands, value, outside })
    }

    /// The greater, or with `max` false the lesser: NaN wins, -0 is below +0.
    pub fn extreme_float(&mut self, max: bool, t: &Floats, x: V, y: V) -> V {
        if self.wide() {
            // The sign of the comparison's result; the greater or the lesser.
            let m = self.imm2(t.range, x, y, if max { 0b0101 } else { 0b0100 });
            let unordered = self.imm2(t.compare, x, y, relation::UNORDERED);
            let nan = self.op2(t.add, x, y);
            return self.op3(t.blend, unordered, m, nan);
        }
        // The second operand, where they are equal or one is NaN.
        let m = self.op2(if max { t.max } else { t.min }, x, y);
        let both = self.op2(if max { And } else { Or }, x, y);
        let equal = self.imm2(t.compare, x, y, relation::EQ);
        let m = self.op3(t.blend, equal, m, both);
        let nan = self.imm2(t.compare, x, x, relation::UNORDERED);
        self.op3(t.blend, nan, m, x)
    }

    /// A float rounded to `bf16`, as a float.
    pub fn round_bf16(&mut self, x: V) -> V {
        let one = self.word(1);
        let (last, most) = (self.imm1(ShrD, x, 16), self.word(0x7fff));
        let last = self.op2(And, last, one);
        let sum = self.op2(AddD, x, most);
        let sum = self.op2(AddD, sum, last);
        let (high, quiet) = (self.word(0xffff_0000), self.word(0x0040_0000));
        let nan = self.imm2(CmpPs, x, x, relation::UNORDERED);
        let quieted = self.op2(Or, x, quiet);
        let y = self.op3(Blend, nan, sum, quieted);
        self.op2(And, y, high)
    }

    /// Words of the values of two registers, rounded to `bf16`: those of `high` in the upper halves.
    pub fn words(&mut self, low: V, high: V) -> V {
        if self.is_of_byte(low) && self.is_of_byte(high) {
            // The values are exact in `bf16`, so the lower halves of the floats are zeros.
            let low = self.imm1(ShrD, low, 16);
            return self.op2(Or, low, high);
        }
        let all = self.op2(PairWords, high, low);
        // Word 2 i is the i-th of the first register, word 2 i + 1 of the second.
        let order = self.constant(std::array::from_fn(|i| {
            let [a, b] = [2 * i as u64, 2 * i as u64 + 1];
            (b + 16) << 48 | b << 32 | (a + 16) << 16 | a
        }));
        let words = self.op2(PermuteWords, order, all);
        let [a, b] = [low, high].map(|x| self.subnormal(x));
        let subnormal = if a == b { a } else { self.op2(MaskOr, a, b) };
        self.guard(Some(calls::of_words()), [low, high], words, subnormal)
    }

    /// Whether the float `x` was converted from a loaded `i8` or `u8`: such a value is exact in `bf16`.
    fn is_of_byte(&self, x: V) -> bool {
        let Node::Op { op: IntToPs, src: [x, ..], .. } = self.block.nodes[x as usize] else { return false };
        let Node::Load { access, .. } = self.block.nodes[x as usize] else { return false };
        matches!(self.shared.accesses[usize::from(access)].dtype, DType::I8 | DType::U8)
    }

    /// A mask of the lanes that are subnormal; it may include lanes that are not.
    fn subnormal(&mut self, x: V) -> V {
        const SUBNORMAL: u8 = 1 << 5;
        let class = |g: &mut Self, x| g.imm1(ClassPs, x, SUBNORMAL);
        let Node::Op { op: MulPs, src: [a, b, _], .. } = self.block.nodes[x as usize] else {
            return class(self, x);
        };
        let Some((scale, least)) = [(a, b), (b, a)].into_iter().find_map(|(t, s)| Some((s, self.least(t)?)))
        else {
            return class(self, x);
        };
        // A product that is subnormal has a scale that is, or whose product by the least number of the table is.
        let itself = class(self, scale);
        if least >= 1.0 {
            return itself;
        }
        let least = self.f32(least);
        let product = self.op2(MulPs, scale, least);
        let product = class(self, product);
        self.op2(MaskOr, itself, product)
    }

    /// The least magnitude but 0 of the floats that are looked up, unless it is very small.
    fn least(&self, x: V) -> Option<f32> {
        let Node::Op { op: LookUp, src: [_, table, _], .. } = self.block.nodes[x as usize] else {
            return None;
        };
        let Node::Home(Home::Const(k)) = self.block.nodes[table as usize] else { return None };
        let words =
            self.shared.consts[usize::from(k)].into_iter().flat_map(|two| [two as u32, (two >> 32) as u32]);
        let least =
            words.map(|word| f32::from_bits(word).abs()).filter(|&x| x > 0.0).fold(f32::INFINITY, f32::min);
        (least > 1.0 / 65536.0).then_some(least)
    }

    /// A float rounded to `f16`, as a float.
    pub fn round_f16(&mut self, x: V) -> V {
        let half = self.imm1(PsToHalf, x, 0);
        self.op1(HalfToPs, half)
    }
}
