use std::fmt;

use jarrah_base::DType;
use toml::de::DeValue;

use super::value::Value;

/// What products and attention compute in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// As the weights.
    F32,
    /// Eight bits of fraction, the range of `f32`.
    BF16,
    /// Eleven bits of fraction, a range that needs a loss scale.
    F16,
}

impl Precision {
    const ALL: [Precision; 3] = [Precision::F32, Precision::BF16, Precision::F16];

    /// The type that takes the place of `f32`, if one does.
    pub fn narrow(self) -> Option<DType> {
        match self {
            Precision::F32 => None,
            Precision::BF16 => Some(DType::BF16),
            Precision::F16 => Some(DType::F16),
        }
    }

    fn dtype(self) -> DType {
        self.narrow().unwrap_or(DType::F32)
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dtype().fmt(f)
    }
}

impl Value for Precision {
    const NAMES: (&'static str, &'static str) = ("f32, bf16 or f16", "f32, bf16 or f16");

    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
        let dtype: DType = value.as_str().or(raw)?.parse().ok()?;
        Precision::ALL.into_iter().find(|precision| precision.dtype() == dtype)
    }

    fn show(&self) -> Option<String> {
        String::show(&self.to_string())
    }
}
