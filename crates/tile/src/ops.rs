use std::fmt;

macro_rules! named {
    ($(#[$meta:meta])* pub enum $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is its own name")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// Every variant, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The variant with that name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named! {
    /// An elementwise function of one operand; names and semantics are StableHLO's.
    pub enum Unary {
        Abs = "abs",
        Negate = "negate",
        Sign = "sign",
        Floor = "floor",
        Ceil = "ceil",
        RoundNearestEven = "round_nearest_even",
        RoundNearestAfz = "round_nearest_afz",
        Exponential = "exponential",
        ExponentialMinusOne = "exponential_minus_one",
        Log = "log",
        LogPlusOne = "log_plus_one",
        Logistic = "logistic",
        Tanh = "tanh",
        Sqrt = "sqrt",
        Rsqrt = "rsqrt",
        Cbrt = "cbrt",
        Sine = "sine",
        Cosine = "cosine",
        Tan = "tan",
        Erf = "erf",
        ErfInv = "erf_inv",
        Not = "not",
        IsFinite = "is_finite",
        Popcnt = "popcnt",
        CountLeadingZeros = "count_leading_zeros",
    }
}

named! {
    /// An elementwise function of two operands of one type; names and semantics are StableHLO's.
    ///
    /// Integer division by zero gives all ones, the remainder by zero the dividend. `maximum` and `minimum` propagate
    /// NaN and order -0 below +0. A shift by the width or more gives 0, or copies of the sign.
    pub enum Binary {
        Add = "add",
        Subtract = "subtract",
        Multiply = "multiply",
        Divide = "divide",
        Remainder = "remainder",
        Power = "power",
        Maximum = "maximum",
        Minimum = "minimum",
        And = "and",
        Or = "or",
        Xor = "xor",
        ShiftLeft = "shift_left",
        ShiftRightArithmetic = "shift_right_arithmetic",
        ShiftRightLogical = "shift_right_logical",
        Atan2 = "atan2",
    }
}

named! {
    /// The relation a comparison tests.
    pub enum Direction {
        Eq = "EQ",
        Ne = "NE",
        Lt = "LT",
        Le = "LE",
        Gt = "GT",
        Ge = "GE",
    }
}

named! {
    /// The function a reduction folds with.
    pub enum LoopReducer {
        Add = "add",
        Multiply = "multiply",
        Maximum = "maximum",
        Minimum = "minimum",
        And = "and",
        Or = "or",
        Xor = "xor",
    }
}

/// A dimension of the iteration space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// Outer dimension `d`, or, from the number of outer dimensions on, a reduced dimension.
    Row(usize),
    /// The columns.
    Cols,
}
