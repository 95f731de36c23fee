//! The elementary functions as vector instructions: the sequences of [`crate::math`] and of the interpreter's
//! functions, operation by operation, so that the bits are theirs.

use super::graph::{Graph, V};
use super::ops::Opcode::{self, *};

const LN2_HI: f32 = 355.0 / 512.0;
const LN2_LO: f32 = -2.121_944_4e-4;
const ROUND_F32: f32 = 12_582_912.0;
const ROUND_F64: f64 = 6_755_399_441_055_744.0;
const SIGN: u32 = 1 << 31;

/// Relations of compare instructions; the floats' are false of NaN, but for `NE`.
pub(super) mod relation {
    pub const EQ: u8 = 0;
    pub const LT: u8 = 1;
    pub const LE: u8 = 2;
    pub const UNORDERED: u8 = 3;
    pub const NE: u8 = 4;
    pub const GE: u8 = 13;
    pub const GT: u8 = 14;
}

impl Graph<'_> {
    /// a b + c, rounded once.
    fn fma(&mut self, a: V, b: V, c: V) -> V {
        self.op3(FmaPs, a, b, c)
    }

    fn fma_pd(&mut self, a: V, b: V, c: V) -> V {
        self.op3(FmaPd, a, b, c)
    }

    fn horner(&mut self, x: V, first: V, rest: &[f32]) -> V {
        rest.iter().fold(first, |p, &c| {
            let c = self.f32(c);
            self.fma(p, x, c)
        })
    }

    fn series(&mut self, x: V, coefficients: &[f32]) -> V {
        let first = self.f32(coefficients[0]);
        self.horner(x, first, &coefficients[1..])
    }

    fn series_pd(&mut self, x: V, coefficients: &[f64]) -> V {
        let first = self.f64(coefficients[0]);
        coefficients[1..].iter().fold(first, |p, &c| {
            let c = self.f64(c);
            self.fma_pd(p, x, c)
        })
    }

    pub fn abs_ps(&mut self, x: V) -> V {
        let m = self.word(!SIGN);
        self.op2(And, x, m)
    }

    pub fn neg_ps(&mut self, x: V) -> V {
        let m = self.word(SIGN);
        self.op2(Xor, x, m)
    }

    pub fn abs_pd(&mut self, x: V) -> V {
        let m = self.long(!(1 << 63));
        self.op2(And, x, m)
    }

    pub fn neg_pd(&mut self, x: V) -> V {
        let m = self.long(1 << 63);
        self.op2(Xor, x, m)
    }

    /// The magnitude of a with the sign of b.
    pub fn copysign_ps(&mut self, a: V, b: V) -> V {
        let m = self.word(SIGN);
        if self.wide() {
            // mask ? b : a, for the operands (a, b, mask).
            return self.imm3(Logic, a, b, m, 0xd8);
        }
        let (magnitude, sign) = (self.op2(AndNot, m, a), self.op2(And, b, m));
        self.op2(Or, magnitude, sign)
    }

    /// p 2ⁿ for the integer n in `n`, whose value plus [`ROUND_F32`] has the bits `t`.
    fn scale_by(&mut self, p: V, n: V, t: V) -> V {
        if self.wide() {
            return self.op2(ScalePs, p, n);
        }
        let round = self.word(ROUND_F32.to_bits());
        let n = self.op2(SubD, t, round);
        let half = self.imm1(SarD, n, 1);
        let bias = self.word(127);
        let low = self.op2(AddD, half, bias);
        let low = self.imm1(ShlD, low, 23);
        let high = self.op2(SubD, n, half);
        let high = self.op2(AddD, high, bias);
        let high = self.imm1(ShlD, high, 23);
        let p = self.op2(MulPs, p, low);
        self.op2(MulPs, p, high)
    }

    pub fn exp_ps(&mut self, x: V) -> V {
        // The second operand passes where one is NaN.
        let low = self.f32(-104.0);
        let x = self.op2(MaxPs, low, x);
        let high = self.f32(89.0);
        let x = self.op2(MinPs, high, x);
        let (log2e, round) = (self.f32(std::f32::consts::LOG2_E), self.f32(ROUND_F32));
        let t = self.fma(x, log2e, round);
        let n = self.op2(SubPs, t, round);
        let (hi, lo) = (self.f32(LN2_HI), self.f32(LN2_LO));
        let r = self.op3(FnmaPs, n, hi, x);
        let r = self.op3(FnmaPs, n, lo, r);
        let p =
            self.series(r, &[1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]);
        self.scale_by(p, n, t)
    }

    pub fn exp_pd(&mut self, x: V) -> V {
        let low = self.f64(-746.0);
        let x = self.op2(MaxPd, low, x);
        let high = self.f64(710.0);
        let x = self.op2(MinPd, high, x);
        let (log2e, round) = (self.f64(std::f64::consts::LOG2_E), self.f64(ROUND_F64));
        let t = self.fma_pd(x, log2e, round);
        let n = self.op2(SubPd, t, round);
        let (hi, lo) = (self.long(0x3fe6_2e42_fee0_0000), self.f64(1.908_214_929_270_587_7e-10));
        let r = self.op3(FnmaPd, n, hi, x);
        let r = self.op3(FnmaPd, n, lo, r);
        let p = self.series_pd(
            r,
            &[
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
        );
        // Only 512 bits have it; there is no arithmetic shift of 64 bits on 256.
        self.op2(ScalePd, p, n)
    }

    pub fn tanh_ps(&mut self, x: V) -> V {
        let a = self.abs_ps(x);
        let ten = self.f32(10.0);
        let a = self.op2(MinPs, ten, a);
        let y = self.op2(AddPs, a, a);
        let (log2e, round) = (self.f32(std::f32::consts::LOG2_E), self.f32(ROUND_F32));
        let shifted = self.fma(y, log2e, round);
        let n = self.op2(SubPs, shifted, round);
        let (hi, lo) = (self.f32(LN2_HI), self.f32(LN2_LO));
        let r = self.op3(FnmaPs, n, hi, y);
        let r = self.op3(FnmaPs, n, lo, r);
        let p = self.series(r, &[1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5]);
        let square = self.op2(MulPs, r, r);
        let p = self.fma(square, p, r);
        let one = self.f32(1.0);
        let scale = if self.wide() {
            self.op2(ScalePs, one, n)
        } else {
            let bias = self.word(127);
            let s = self.op2(AddD, shifted, bias);
            self.imm1(ShlD, s, 23)
        };
        let less = self.op2(SubPs, scale, one);
        let t = self.fma(scale, p, less);
        let two = self.f32(2.0);
        let below = self.op2(AddPs, t, two);
        let q = self.op2(DivPs, t, below);
        self.copysign_ps(q, x)
    }

    pub fn logistic_ps(&mut self, x: V) -> V {
        let a = if self.wide() {
            let m = self.word(SIGN);
            self.op2(Or, x, m)
        } else {
            let a = self.abs_ps(x);
            self.neg_ps(a)
        };
        let e = self.exp_ps(a);
        let (zero, one) = (self.word(0), self.f32(1.0));
        let positive = self.imm2(CmpPs, x, zero, relation::GE);
        let above = self.op3(Blend, positive, e, one);
        let below = self.op2(AddPs, e, one);
        self.op2(DivPs, above, below)
    }

    pub fn rsqrt_ps(&mut self, x: V) -> V {
        let root = self.op1(SqrtPs, x);
        let one = self.f32(1.0);
        self.op2(DivPs, one, root)
    }

    pub fn ln_ps(&mut self, x: V) -> V {
        const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
        let least = self.f32(f32::MIN_POSITIVE);
        let subnormal = self.imm2(CmpPs, x, least, relation::LT);
        let lift = self.f32(8_388_608.0);
        let lifted = self.op2(MulPs, x, lift);
        let y = self.op3(Blend, subnormal, x, lifted);
        let (zero, less) = (self.word(0), self.f32(-23.0));
        let bias = self.op3(Blend, subnormal, zero, less);
        let base = self.word(SQRT_HALF_BITS);
        let shifted = self.op2(SubD, y, base);
        let k = self.imm1(SarD, shifted, 23);
        let k = self.op1(IntToPs, k);
        let k = self.op2(AddPs, k, bias);
        let mantissa = self.word(0x007f_ffff);
        let m = self.op2(And, shifted, mantissa);
        let m = self.op2(AddD, m, base);
        let (one, two) = (self.f32(1.0), self.f32(2.0));
        let f = self.op2(SubPs, m, one);
        let below = self.op2(AddPs, f, two);
        let s = self.op2(DivPs, f, below);
        let z = self.op2(MulPs, s, s);
        let series = self.series(z, &[1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0]);
        let twice = self.op2(AddPs, z, z);
        let minus = self.neg_ps(f);
        let tail = self.fma(twice, series, minus);
        let tail = self.op2(MulPs, tail, s);
        let (hi, lo) = (self.f32(LN2_HI), self.f32(LN2_LO));
        let small = self.fma(k, lo, tail);
        let small = self.op2(AddPs, f, small);
        let ln = self.fma(k, hi, small);
        let infinity = self.f32(f32::INFINITY);
        let at_infinity = self.imm2(CmpPs, x, infinity, relation::EQ);
        let ln = self.op3(Blend, at_infinity, ln, x);
        let at_zero = self.imm2(CmpPs, x, zero, relation::EQ);
        let bottom = self.f32(f32::NEG_INFINITY);
        let ln = self.op3(Blend, at_zero, ln, bottom);
        let valid = self.imm2(CmpPs, x, zero, relation::GE);
        let nan = self.f32(f32::NAN);
        self.op3(Blend, valid, nan, ln)
    }

    pub fn ln_pd(&mut self, x: V) -> V {
        const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
        let least = self.f64(f64::MIN_POSITIVE);
        let subnormal = self.imm2(CmpPd, x, least, relation::LT);
        let lift = self.f64(4_503_599_627_370_496.0);
        let lifted = self.op2(MulPd, x, lift);
        let y = self.op3(BlendPd, subnormal, x, lifted);
        let (zero, less) = (self.long(0), self.f64(-52.0));
        let bias = self.op3(BlendPd, subnormal, zero, less);
        let base = self.long(SQRT_HALF_BITS);
        let shifted = self.op2(SubQ, y, base);
        let k = self.imm1(SarQ, shifted, 52);
        let k = self.op1(LongToPd, k);
        let k = self.op2(AddPd, k, bias);
        let mantissa = self.long(0x000f_ffff_ffff_ffff);
        let m = self.op2(And, shifted, mantissa);
        let m = self.op2(AddQ, m, base);
        let (one, two) = (self.f64(1.0), self.f64(2.0));
        let f = self.op2(SubPd, m, one);
        let below = self.op2(AddPd, f, two);
        let s = self.op2(DivPd, f, below);
        let z = self.op2(MulPd, s, s);
        let series = self.series_pd(
            z,
            &[
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
        );
        let twice = self.op2(AddPd, z, z);
        let minus = self.neg_pd(f);
        let tail = self.fma_pd(twice, series, minus);
        let tail = self.op2(MulPd, tail, s);
        let (hi, lo) = (self.long(0x3fe6_2e42_fee0_0000), self.f64(1.908_214_929_270_587_7e-10));
        let small = self.fma_pd(k, lo, tail);
        let small = self.op2(AddPd, f, small);
        let ln = self.fma_pd(k, hi, small);
        let infinity = self.f64(f64::INFINITY);
        let at_infinity = self.imm2(CmpPd, x, infinity, relation::EQ);
        let ln = self.op3(BlendPd, at_infinity, ln, x);
        let at_zero = self.imm2(CmpPd, x, zero, relation::EQ);
        let bottom = self.f64(f64::NEG_INFINITY);
        let ln = self.op3(BlendPd, at_zero, ln, bottom);
        let valid = self.imm2(CmpPd, x, zero, relation::GE);
        let nan = self.f64(f64::NAN);
        self.op3(BlendPd, valid, nan, ln)
    }

    /// A function computed in doubles, half a register at a time.
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
            let shifted = g.fma_pd(x, log2e, round);
            let n = g.op2(SubPd, shifted, round);
            let ln2 = g.f64(std::f64::consts::LN_2);
            let r = g.op3(FnmaPd, n, ln2, x);
            let tail = g.series_pd(
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
            let p = g.fma_pd(square, tail, r);
            let bias = g.long(1023);
            let scale = g.op2(AddQ, shifted, bias);
            let scale = g.imm1(ShlQ, scale, 52);
            let one = g.f64(1.0);
            let less = g.op2(SubPd, scale, one);
            g.fma_pd(scale, p, less)
        });
        self.keep_zero(x, y)
    }

    pub fn log1p_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| {
            let one = g.f64(1.0);
            let u = g.op2(AddPd, x, one);
            let ln = g.ln_pd(u);
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
        let magnitude = self.abs_ps(x);
        let four = self.f32(4.0);
        let a = self.op2(MinPs, four, magnitude);
        let y = self.through_pd(a, |g, a| {
            let square = g.op2(MulPd, a, a);
            let (eighth, minus) = (g.f64(0.125), g.f64(-1.0));
            let t = g.fma_pd(square, eighth, minus);
            let p = g.series_pd(t, &crate::vector::functions::ERF);
            g.op2(MulPd, a, p)
        });
        let one = self.f32(1.0);
        let beyond = self.imm2(CmpPs, a, four, relation::GE);
        let y = self.op3(Blend, beyond, y, one);
        self.copysign_ps(y, x)
    }

    pub fn erf_inv_ps(&mut self, x: V) -> V {
        let y = self.through_pd(x, |g, x| {
            let one = g.f64(1.0);
            let (less, more) = (g.op2(SubPd, one, x), g.op2(AddPd, x, one));
            let product = g.op2(MulPd, less, more);
            let ln = g.ln_pd(product);
            let w = g.neg_pd(ln);
            let shift = g.f64(2.5);
            let c = g.op2(SubPd, w, shift);
            let central = g.series_pd(c, &crate::vector::functions::ERF_INV_CENTRAL);
            let (root, three) = (g.op1(SqrtPd, w), g.f64(3.0));
            let t = g.op2(SubPd, root, three);
            let tail = g.series_pd(t, &crate::vector::functions::ERF_INV_TAIL);
            let five = g.f64(5.0);
            let inside = g.imm2(CmpPd, w, five, relation::LT);
            let p = g.op3(BlendPd, inside, tail, central);
            let y = g.op2(MulPd, x, p);
            let a = g.abs_pd(x);
            let end = g.imm2(CmpPd, a, one, relation::EQ);
            let infinity = g.f64(f64::INFINITY);
            let far = g.op2(MulPd, x, infinity);
            g.op3(BlendPd, end, y, far)
        });
        self.keep_zero(x, y)
    }

    /// The greater, or with `max` false the lesser: NaN wins, -0 is below +0.
    pub fn extreme_float(&mut self, max: bool, double: bool, x: V, y: V) -> V {
        let (select, compare, blend, add): (Opcode, Opcode, Opcode, Opcode) =
            if double { (RangePd, CmpPd, BlendPd, AddPd) } else { (RangePs, CmpPs, Blend, AddPs) };
        if self.wide() {
            // The sign of the comparison's result; the greater or the lesser.
            let m = self.imm2(select, x, y, if max { 0b0101 } else { 0b0100 });
            let unordered = self.imm2(compare, x, y, relation::UNORDERED);
            let nan = self.op2(add, x, y);
            return self.op3(blend, unordered, m, nan);
        }
        let op = match (max, double) {
            (true, false) => MaxPs,
            (false, false) => MinPs,
            (true, true) => MaxPd,
            (false, true) => MinPd,
        };
        // The second operand, where they are equal or one is NaN.
        let m = self.op2(op, x, y);
        let both = self.op2(if max { And } else { Or }, x, y);
        let equal = self.imm2(compare, x, y, relation::EQ);
        let m = self.op3(blend, equal, m, both);
        let nan = self.imm2(compare, x, x, relation::UNORDERED);
        self.op3(blend, nan, m, x)
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

    /// A float rounded to `f16`, as a float.
    pub fn round_f16(&mut self, x: V) -> V {
        let half = self.imm1(PsToHalf, x, 0);
        self.op1(HalfToPs, half)
    }
}
