use jarrah_base::{DType, ElementKind, Error, Result, Type};

use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::ops::Comparison;
use crate::program::Value;
use crate::rules::*;

/// A function applied element by element to one tensor, or to two of one type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Elementwise {
    /// The function.
    pub kind: ElementwiseKind,
}

/// How the tangent of a result follows from that of one operand.
enum Slope {
    /// The function is piecewise constant in it.
    Zero,
    /// `dy = dx`.
    One,
    /// `dy = -dx`.
    MinusOne,
    /// `dy = dx * factor`.
    Times(fn(&mut Point<'_>) -> Result<Value>),
    /// `dy = dx / divisor`.
    Over(fn(&mut Point<'_>) -> Result<Value>),
}

/// Where a derivative is taken: operands and result.
struct Point<'a> {
    b: &'a mut Builder,
    x: Value,
    y: Value,
    out: Value,
}

impl Point<'_> {
    fn full(&mut self, c: f64) -> Result<Value> {
        self.b.full(self.b.ty(self.x), c)
    }

    fn unary(&mut self, kind: ElementwiseKind, v: Value) -> Result<Value> {
        self.b.unary(kind, v)
    }

    /// The slope of the absolute value: 1 at zero too, as in JAX.
    fn sign(&mut self) -> Result<Value> {
        let (zero, one, minus) = (self.full(0.0)?, self.full(1.0)?, self.full(-1.0)?);
        let positive = self.b.compare(Comparison::Ge, self.x, zero)?;
        self.b.select(positive, one, minus)
    }

    /// `1 - out^2`.
    fn one_minus_square(&mut self) -> Result<Value> {
        let one = self.full(1.0)?;
        let square = self.b.mul(self.out, self.out)?;
        self.b.sub(one, square)
    }

    /// The share of operand `v` in a maximum or minimum: one, or one half where both operands are equal.
    fn share(&mut self, v: Value, other: Value) -> Result<Value> {
        let (zero, one, two) = (self.full(0.0)?, self.full(1.0)?, self.full(2.0)?);
        let chosen = self.b.compare(Comparison::Eq, v, self.out)?;
        let chosen = self.b.select(chosen, one, zero)?;
        let tied = self.b.compare(Comparison::Eq, other, self.out)?;
        let among = self.b.select(tied, two, one)?;
        self.b.div(chosen, among)
    }
}

macro_rules! table {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal $accepts:ident [$($slope:expr),+] $low:literal..$high:literal;)*) => {
        /// The elementwise functions. One row each: name, accepted dtypes, derivatives, and the interval of its
        /// example.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ElementwiseKind {
            $($(#[doc = $doc])* $kind),*
        }

        impl ElementwiseKind {
            /// Every function.
            pub const ALL: &'static [ElementwiseKind] = &[$(ElementwiseKind::$kind),*];

            /// The name in StableHLO, without the dialect.
            pub fn name(self) -> &'static str {
                match self { $(ElementwiseKind::$kind => $name),* }
            }

            fn accepts(self) -> Accepts {
                match self { $(ElementwiseKind::$kind => Accepts::$accepts),* }
            }

            fn slopes(self) -> &'static [Slope] {
                use Slope::*;
                match self { $(ElementwiseKind::$kind => const { &[$($slope),+] }),* }
            }

            fn summary(self) -> &'static str {
                match self { $(ElementwiseKind::$kind => concat!($($doc),*).trim_ascii()),* }
            }

            fn example_range(self) -> (f64, f64) {
                match self { $(ElementwiseKind::$kind => ($low, $high)),* }
            }
        }
    };
}

table! {
    /// The absolute value.
    Abs "abs" Signed [Times(|p| p.sign())] 0.5..2.0;
    /// `-x`; two's complement for integers.
    Negate "negate" Number [MinusOne] -2.0..2.0;
    /// -1, 0 or 1; zero and NaN keep their bits.
    Sign "sign" Signed [Zero] -2.0..2.0;
    /// The largest integer not above `x`.
    Floor "floor" Float [Zero] 0.1..0.9;
    /// The smallest integer not below `x`.
    Ceil "ceil" Float [Zero] 0.1..0.9;
    /// The nearest integer, halves to even.
    RoundNearestEven "round_nearest_even" Float [Zero] 0.1..0.4;
    /// The nearest integer, halves away from zero.
    RoundNearestAfz "round_nearest_afz" Float [Zero] 0.1..0.4;
    /// `e^x`.
    Exponential "exponential" Float [Times(|p| Ok(p.out))] -2.0..2.0;
    /// `e^x - 1`, accurate near zero.
    ExponentialMinusOne "exponential_minus_one" Float [Times(|p| {
        let one = p.full(1.0)?;
        p.b.add(p.out, one)
    })] -2.0..2.0;
    /// The natural logarithm.
    Log "log" Float [Over(|p| Ok(p.x))] 0.2..3.0;
    /// `ln(1 + x)`, accurate near zero.
    LogPlusOne "log_plus_one" Float [Over(|p| {
        let one = p.full(1.0)?;
        p.b.add(p.x, one)
    })] -0.5..3.0;
    /// `1 / (1 + e^-x)`.
    Logistic "logistic" Float [Times(|p| {
        let one = p.full(1.0)?;
        let rest = p.b.sub(one, p.out)?;
        p.b.mul(p.out, rest)
    })] -2.0..2.0;
    /// The hyperbolic tangent.
    Tanh "tanh" Float [Times(|p| p.one_minus_square())] -2.0..2.0;
    /// The square root.
    Sqrt "sqrt" Float [Over(|p| p.b.add(p.out, p.out))] 0.2..3.0;
    /// `1 / sqrt(x)`.
    Rsqrt "rsqrt" Float [Times(|p| {
        let slope = p.b.div(p.out, p.x)?;
        p.b.scale(slope, -0.5)
    })] 0.2..3.0;
    /// The cube root.
    Cbrt "cbrt" Float [Times(|p| {
        let slope = p.b.div(p.out, p.x)?;
        p.b.scale(slope, 1.0 / 3.0)
    })] 0.2..3.0;
    /// The sine, of radians.
    Sine "sine" Float [Times(|p| p.unary(ElementwiseKind::Cosine, p.x))] -2.0..2.0;
    /// The cosine, of radians.
    Cosine "cosine" Float [Times(|p| {
        let sine = p.unary(ElementwiseKind::Sine, p.x)?;
        p.b.neg(sine)
    })] -2.0..2.0;
    /// The tangent, of radians.
    Tan "tan" Float [Times(|p| {
        let one = p.full(1.0)?;
        let square = p.b.mul(p.out, p.out)?;
        p.b.add(one, square)
    })] -1.0..1.0;
    /// The error function, `2/sqrt(pi) * integral of e^(-t^2) from 0 to x`.
    Erf "erf" Float [Times(|p| {
        let square = p.b.mul(p.x, p.x)?;
        let square = p.b.neg(square)?;
        let density = p.b.exp(square)?;
        p.b.scale(density, std::f64::consts::FRAC_2_SQRT_PI)
    })] -2.0..2.0;
    /// The inverse of the error function.
    ErfInv "erf_inv" Float [Times(|p| {
        let square = p.b.mul(p.out, p.out)?;
        let inverse = p.b.exp(square)?;
        p.b.scale(inverse, 1.0 / std::f64::consts::FRAC_2_SQRT_PI)
    })] -0.8..0.8;
    /// The complement, bit by bit for integers.
    Not "not" Bits [Zero] -9.0..9.0;
    /// The number of one bits.
    Popcnt "popcnt" Integer [Zero] 0.0..9.0;
    /// The number of leading zero bits.
    CountLeadingZeros "count_leading_zeros" Integer [Zero] 0.0..9.0;
    /// `x + y`; the disjunction of truth values.
    Add "add" Any [One, One] -2.0..2.0;
    /// `x - y`.
    Subtract "subtract" Number [One, MinusOne] -2.0..2.0;
    /// `x * y`; the conjunction of truth values.
    Multiply "multiply" Any [Times(|p| Ok(p.y)), Times(|p| Ok(p.x))] -2.0..2.0;
    /// `x / y`; for integers rounded towards zero, and all ones where `y` is 0.
    Divide "divide" Number [Over(|p| Ok(p.y)), Times(|p| {
        let slope = p.b.div(p.out, p.y)?;
        p.b.neg(slope)
    })] 0.5..2.0;
    /// The remainder of division rounded towards zero, with the sign of `x`.
    Remainder "remainder" Number [One, Times(|p| {
        let quotient = p.b.div(p.x, p.y)?;
        let size = p.unary(ElementwiseKind::Abs, quotient)?;
        let size = p.unary(ElementwiseKind::Floor, size)?;
        let sign = p.unary(ElementwiseKind::Sign, quotient)?;
        let whole = p.b.mul(sign, size)?;
        p.b.neg(whole)
    })] 0.5..2.0;
    /// `x` to the power `y`.
    Power "power" Number [Times(|p| {
        let (zero, one) = (p.full(0.0)?, p.full(1.0)?);
        let constant = p.b.compare(Comparison::Eq, p.y, zero)?;
        let lower = p.b.sub(p.y, one)?;
        let lower = p.b.select(constant, one, lower)?;
        let power = p.b.binary(ElementwiseKind::Power, p.x, lower)?;
        p.b.mul(p.y, power)
    }), Times(|p| {
        let (zero, one) = (p.full(0.0)?, p.full(1.0)?);
        let at_zero = p.b.compare(Comparison::Eq, p.x, zero)?;
        let base = p.b.select(at_zero, one, p.x)?;
        let log = p.unary(ElementwiseKind::Log, base)?;
        p.b.mul(log, p.out)
    })] 0.5..2.0;
    /// The larger; NaN wins.
    Maximum "maximum" Any [Times(|p| p.share(p.x, p.y)), Times(|p| p.share(p.y, p.x))] -2.0..2.0;
    /// The smaller; NaN wins.
    Minimum "minimum" Any [Times(|p| p.share(p.x, p.y)), Times(|p| p.share(p.y, p.x))] -2.0..2.0;
    /// The conjunction, bit by bit for integers.
    And "and" Bits [Zero, Zero] 0.0..9.0;
    /// The disjunction, bit by bit for integers.
    Or "or" Bits [Zero, Zero] 0.0..9.0;
    /// The exclusive or, bit by bit for integers.
    Xor "xor" Bits [Zero, Zero] 0.0..9.0;
    /// `x * 2^y`, bits falling off; 0 where `y` is the width or more.
    ShiftLeft "shift_left" Integer [Zero, Zero] 0.0..5.0;
    /// `x` shifted right by `y` bits, the sign filling in.
    ShiftRightArithmetic "shift_right_arithmetic" Integer [Zero, Zero] 0.0..5.0;
    /// `x` shifted right by `y` bits, zeros filling in.
    ShiftRightLogical "shift_right_logical" Integer [Zero, Zero] 0.0..5.0;
    /// The angle of the point `(y, x)`, in radians.
    Atan2 "atan2" Float [Times(|p| {
        let square = radius_squared(p)?;
        p.b.div(p.y, square)
    }), Times(|p| {
        let square = radius_squared(p)?;
        let slope = p.b.div(p.x, square)?;
        p.b.neg(slope)
    })] 0.5..2.0;
}

fn radius_squared(p: &mut Point<'_>) -> Result<Value> {
    let x2 = p.b.mul(p.x, p.x)?;
    let y2 = p.b.mul(p.y, p.y)?;
    p.b.add(x2, y2)
}

/// The dtypes a function is defined for.
#[derive(Clone, Copy, PartialEq)]
enum Accepts {
    Any,
    Number,
    Signed,
    Float,
    Integer,
    Bits,
}

impl Accepts {
    fn dtype(self, dtype: DType) -> bool {
        let kind = dtype.kind();
        match self {
            Accepts::Any => true,
            Accepts::Number => kind != ElementKind::Bool,
            Accepts::Signed => matches!(kind, ElementKind::Signed | ElementKind::Float),
            Accepts::Float => kind == ElementKind::Float,
            Accepts::Integer => dtype.is_integer(),
            Accepts::Bits => kind != ElementKind::Float,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Accepts::Any => "any dtype",
            Accepts::Number => "integers and floats",
            Accepts::Signed => "signed integers and floats",
            Accepts::Float => "floats",
            Accepts::Integer => "integers",
            Accepts::Bits => "integers and truth values",
        }
    }
}

impl ElementwiseKind {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        self.slopes().len()
    }

    /// The function with that StableHLO name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|k| k.name() == name)
    }

    /// Whether it is defined for that element type.
    pub fn accepts_dtype(self, dtype: DType) -> bool {
        self.accepts().dtype(dtype)
    }
}

/// The type of the operands, which must all be equal tensors.
pub(crate) fn equal_types(operands: &[Type]) -> Result<Type> {
    let first = operands[0];
    for (i, &other) in operands.iter().enumerate().skip(1) {
        if first == other {
            continue;
        }
        let (what, help) = if first.dtype() != other.dtype() {
            ("dtypes", "convert one of them")
        } else {
            ("shapes", "broadcast one of them first")
        };
        let (a, b) = match operands.len() {
            2 => ("lhs".to_owned(), "rhs".to_owned()),
            _ => ("operand 0".to_owned(), format!("operand {i}")),
        };
        return Err(Error::program(format!("{what} differ: {a} {first}, {b} {other}")).help(help));
    }
    Ok(first)
}

impl Rules for Elementwise {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, self.kind.arity())?;
        let ty = equal_types(operands)?;
        if !self.kind.accepts().dtype(ty.dtype()) {
            let words = self.kind.accepts().words();
            return Err(Error::program(format!("is defined for {words}, not for {ty}")));
        }
        Ok(TypeVec::from_slice(&[ty]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let slopes = self.kind.slopes();
        let ty = cx.ty(0);
        if slopes.iter().all(|s| matches!(s, Slope::Zero)) {
            return Ok(Jvp::Zero);
        }
        let out = cx.result()?;
        let (x, y) = (cx.operands[0], cx.operands[cx.operands.len() - 1]);
        let mut point = Point { b: cx.b, x, y, out };
        let mut total = None;
        for (slope, tangent) in slopes.iter().zip(cx.tangents) {
            let Tangent::Value(dx) = *tangent else { continue };
            let negated = matches!(slope, Slope::MinusOne);
            let term = match slope {
                Slope::Zero => continue,
                Slope::One => dx,
                Slope::MinusOne if total.is_some() => dx,
                Slope::MinusOne => point.b.neg(dx)?,
                Slope::Times(factor) => {
                    let factor = factor(&mut point)?;
                    point.b.mul(dx, factor)?
                }
                Slope::Over(divisor) => {
                    let divisor = divisor(&mut point)?;
                    point.b.div(dx, divisor)?
                }
            };
            total = Some(match total {
                None => term,
                Some(before) if negated => point.b.sub(before, term)?,
                Some(before) => point.b.add(before, term)?,
            });
        }
        Ok(Jvp::Tangents(vec![total.map_or(Tangent::Zero(ty), Tangent::Value)]))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let linear = |i: usize| cx.operands[i].is_linear();
        let cotangents = match self.kind {
            ElementwiseKind::Add => (0..2).map(|i| linear(i).then_some(ct)).collect(),
            ElementwiseKind::Subtract => {
                let second = if linear(1) { Some(cx.b.neg(ct)?) } else { None };
                vec![cx.is_linear(0).then_some(ct), second]
            }
            ElementwiseKind::Negate => vec![Some(cx.b.neg(ct)?)],
            ElementwiseKind::Multiply if linear(0) => {
                let factor = cx.known(1)?;
                vec![Some(cx.b.mul(ct, factor)?), None]
            }
            ElementwiseKind::Multiply => {
                let factor = cx.known(0)?;
                vec![None, Some(cx.b.mul(ct, factor)?)]
            }
            ElementwiseKind::Divide => {
                let divisor = cx.known(1)?;
                vec![Some(cx.b.div(ct, divisor)?), None]
            }
            _ => return Ok(Transpose::Refuse("the function is not linear")),
        };
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: self.kind.summary(),
            source: "StableHLO specification, Ops; CHLO for tan, erf and erf_inv",
        }
    }

    no_programs!();
    pure!(Recompute);

    fn examples() -> Vec<Example> {
        let example = |&kind: &ElementwiseKind| {
            let (low, high) = kind.example_range();
            let float = kind.accepts().dtype(DType::F32);
            let operand = |seed: usize| {
                if float {
                    // Two operands take their values from opposite ends, so that no pair ties.
                    let all = varied(&[8], low, high);
                    let values = all.to_f64_vec();
                    let values: Vec<f32> = (0..4).map(|i| values[(i + 4 * seed) % 8] as f32).collect();
                    jarrah_base::Literal::from_slice(&[2, 2], &values).expect("invariant: four elements")
                } else {
                    let shift = seed as i32;
                    ints(&[4], &[1 + shift, 6 - shift, 3, 2].map(|v| v.clamp(low as i32, high as i32)))
                }
            };
            Example::new(kind.name(), Elementwise { kind }, (0..kind.arity()).map(operand).collect())
        };
        ElementwiseKind::ALL.iter().map(example).collect()
    }
}
