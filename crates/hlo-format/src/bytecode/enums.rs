use crate::ir::find_enum;

/// An attribute that is one of several names.
#[derive(Clone, Copy)]
pub struct Cases {
    /// Its name with the dialect.
    pub name: &'static str,
    /// The number of the first name.
    first: u64,
}

impl Cases {
    const fn new(name: &'static str) -> Cases {
        Cases { name, first: 0 }
    }

    fn words(self) -> &'static [&'static str] {
        find_enum(self.name).map_or(&[], |e| e.1)
    }

    /// The name of the number `n`.
    pub fn case(self, n: u64) -> Option<&'static str> {
        self.words().get(usize::try_from(n.checked_sub(self.first)?).ok()?).copied()
    }

    /// The number of the name `case`.
    pub fn number(self, case: &str) -> Option<u64> {
        Some(self.words().iter().position(|w| *w == case)? as u64 + self.first)
    }
}

pub const COMPARISON_DIRECTION: Cases = Cases::new("stablehlo.comparison_direction");
pub const COMPARISON_TYPE: Cases = Cases::new("stablehlo.comparison_type");
pub const FFT_TYPE: Cases = Cases::new("stablehlo.fft_type");
pub const PRECISION: Cases = Cases::new("stablehlo.precision");
pub const RNG_ALGORITHM: Cases = Cases::new("stablehlo.rng_algorithm");
pub const RNG_DISTRIBUTION: Cases = Cases { first: 1, ..Cases::new("stablehlo.rng_distribution") };
pub const TRANSPOSE: Cases = Cases::new("stablehlo.transpose");
pub const RESULT_ACCURACY_MODE: Cases = Cases::new("stablehlo.result_accuracy_mode");
pub const CHLO_COMPARISON_DIRECTION: Cases = Cases::new("chlo.comparison_direction");
pub const CHLO_COMPARISON_TYPE: Cases = Cases::new("chlo.comparison_type");
/// A number in bytecode and a word in the tree.
pub const PROPAGATION_DIRECTION: Cases = Cases::new("sdy.propagation_direction");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_belong_together() {
        assert_eq!(RNG_DISTRIBUTION.case(1), Some("UNIFORM"));
        assert_eq!(RNG_DISTRIBUTION.number("NORMAL"), Some(2));
        assert_eq!(COMPARISON_DIRECTION.case(5), Some("LT"));
        assert_eq!((RNG_DISTRIBUTION.case(0), RNG_DISTRIBUTION.case(3)), (None, None));
        assert_eq!(PROPAGATION_DIRECTION.number("BACKWARD"), Some(2));
    }
}
