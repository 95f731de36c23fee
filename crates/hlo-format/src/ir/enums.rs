use super::Attr;

const DIRECTIONS: &[&str] = &["EQ", "NE", "GE", "GT", "LE", "LT"];
const COMPARISONS: &[&str] = &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"];
const PRECISIONS: &[&str] = &["DEFAULT", "HIGH", "HIGHEST"];

/// Every enumeration and its words, in the order of their numbers in bytecode.
const ENUMS: &[(&str, &[&str])] = &[
    ("stablehlo.comparison_direction", DIRECTIONS),
    ("stablehlo.comparison_type", COMPARISONS),
    ("stablehlo.fft_type", &["FFT", "IFFT", "RFFT", "IRFFT"]),
    ("stablehlo.precision", PRECISIONS),
    ("stablehlo.result_accuracy_mode", &["DEFAULT", "HIGHEST", "TOLERANCE"]),
    ("stablehlo.rng_algorithm", &["DEFAULT", "THREE_FRY", "PHILOX"]),
    ("stablehlo.rng_distribution", &["UNIFORM", "NORMAL"]),
    ("stablehlo.transpose", &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]),
    ("chlo.comparison_direction", DIRECTIONS),
    ("chlo.comparison_type", COMPARISONS),
    ("chlo.precision", PRECISIONS),
    ("sdy.propagation_direction", &["NONE", "FORWARD", "BACKWARD", "BOTH"]),
];

/// The enumeration `name` and its words.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    ENUMS.iter().copied().find(|(n, _)| *n == name)
}

impl Attr {
    /// `#stablehlo<precision HIGHEST>` from `stablehlo.precision` and `HIGHEST`; `None` if there is no such word.
    pub fn enumeration(name: &str, word: &str) -> Option<Attr> {
        let (name, words) = find(name)?;
        let word = words.iter().copied().find(|w| *w == word)?;
        Some(Attr::Enum(name, word))
    }
}
