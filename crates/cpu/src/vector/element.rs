use jarrah_base::{DType, FloatFormat, Minifloat, bf16, f16};

/// How elements lie in memory and in which type they are computed.
pub(super) trait Store: Copy + 'static {
    /// The type of the arithmetic.
    type C: Copy + 'static;
    /// Whether a loop over neighbours works on several elements at once: a compiler makes no vectors of table lookups, only more copies of
    /// the loop.
    const IN_VECTORS: bool;
    /// The element widened to the arithmetic type.
    fn up(self) -> Self::C;
    /// The value rounded to the stored type, to nearest even.
    fn down(c: Self::C) -> Self;
}

macro_rules! plain {
    ($($t:ty)*) => {$(
        impl Store for $t {
            type C = $t;
            const IN_VECTORS: bool = true;
            #[inline(always)]
            fn up(self) -> $t {
                self
            }
            #[inline(always)]
            fn down(c: $t) -> $t {
                c
            }
        }
    )*};
}
plain!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// A stored truth value, 0 or 1.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Bool(pub u8);

impl Store for Bool {
    type C = bool;
    const IN_VECTORS: bool = true;
    #[inline(always)]
    fn up(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn down(c: bool) -> Bool {
        Bool(u8::from(c))
    }
}

impl Store for bf16 {
    type C = f32;
    const IN_VECTORS: bool = true;
    #[inline(always)]
    fn up(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
    #[inline(always)]
    fn down(c: f32) -> bf16 {
        let bits = c.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
        let nan = (bits >> 16) | 0x40;
        bf16::from_bits(if c.is_nan() { nan } else { rounded } as u16)
    }
}

// `half`'s conversions ask for F16C per element; these are branch-free integer arithmetic that vectorises.
impl Store for f16 {
    type C = f32;
    const IN_VECTORS: bool = true;
    #[inline(always)]
    fn up(self) -> f32 {
        let bits = u32::from(self.to_bits());
        let magnitude = bits & 0x7fff;
        // 2¹¹² lifts the exponent bias 15 to 127 and normalises subnormals, exactly.
        let scaled = f32::from_bits(magnitude << 13) * f32::from_bits((127 + 112) << 23);
        let special = f32::from_bits((magnitude << 13) | 0x7f80_0000);
        let value = if magnitude >= 0x7c00 { special } else { scaled };
        f32::from_bits(value.to_bits() | ((bits & 0x8000) << 16))
    }
    #[inline(always)]
    fn down(c: f32) -> f16 {
        let bits = c.to_bits();
        let sign = (bits >> 16) & 0x8000;
        let a = bits & 0x7fff_ffff;
        // Adding ½ puts the rounding at the last place of a subnormal half.
        let subnormal = (f32::from_bits(a) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
        let normal = a.wrapping_sub(112 << 23).wrapping_add(0xfff + ((a >> 13) & 1)) >> 13;
        let finite = if a < 113 << 23 { subnormal } else { normal };
        let inf_or_nan = if a > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
        let value = if a >= 0x4780_0000 { inf_or_nan } else { finite };
        f16::from_bits((value | sign) as u16)
    }
}

impl<F: FloatFormat + 'static> Store for Minifloat<F> {
    type C = f64;
    const IN_VECTORS: bool = false;
    #[inline(always)]
    fn up(self) -> f64 {
        self.decode()
    }
    #[inline(always)]
    fn down(c: f64) -> Minifloat<F> {
        Minifloat::encode(c)
    }
}

/// The type in which elements of `dtype` are accumulated.
pub(super) fn compute_type(dtype: DType) -> DType {
    match dtype {
        DType::BF16 | DType::F16 => DType::F32,
        d => d,
    }
}

/// The unsigned type of the same width, which has a signed type's bits; other types are themselves. Sums, products and
/// bitwise functions of two's complement numbers are the same for both, so one kernel serves them.
pub(super) fn unsigned(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        d => d,
    }
}

/// Runs `$body` with `$T` bound to the [`Store`] type of a dtype.
macro_rules! with_store {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::vector::element::with_store!($dtype, $T => $body,
            Bool I8 I16 I32 I64 U8 U16 U32 U64 BF16 F16 F32 F64)
    };
    ($dtype:expr, $T:ident => $body:expr, $($d:ident)*) => {
        match $dtype {
            $(jarrah_base::DType::$d => {
                type $T = $crate::vector::element::store::$d;
                Some($body)
            })*
            #[allow(unreachable_patterns, reason = "a full list leaves nothing over")]
            _ => None,
        }
    };
}
pub(super) use with_store;

#[allow(clippy::upper_case_acronyms, reason = "the names of the element types")]
pub(super) mod store {
    pub type Bool = super::Bool;
    pub type I8 = i8;
    pub type I16 = i16;
    pub type I32 = i32;
    pub type I64 = i64;
    pub type U8 = u8;
    pub type U16 = u16;
    pub type U32 = u32;
    pub type U64 = u64;
    pub type BF16 = jarrah_base::bf16;
    pub type F16 = jarrah_base::f16;
    pub type F32 = f32;
    pub type F64 = f64;
    pub type F4E2M1FN = jarrah_base::f4e2m1fn;
    pub type F6E2M3FN = jarrah_base::f6e2m3fn;
    pub type F6E3M2FN = jarrah_base::f6e3m2fn;
    pub type F8E3M4 = jarrah_base::f8e3m4;
    pub type F8E4M3 = jarrah_base::f8e4m3;
    pub type F8E4M3B11FNUZ = jarrah_base::f8e4m3b11fnuz;
    pub type F8E4M3FN = jarrah_base::f8e4m3fn;
    pub type F8E4M3FNUZ = jarrah_base::f8e4m3fnuz;
    pub type F8E5M2 = jarrah_base::f8e5m2;
    pub type F8E5M2FNUZ = jarrah_base::f8e5m2fnuz;
    pub type F8E8M0FNU = jarrah_base::f8e8m0fnu;
}
