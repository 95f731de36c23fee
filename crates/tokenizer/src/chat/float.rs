//! Floats as Python writes them.

use minijinja::Value;
use minijinja::value::ValueKind;

/// The number, where it is a float.
pub fn float_of(value: &Value) -> Option<f64> {
    (value.kind() == ValueKind::Number && !value.is_integer())
        .then(|| f64::try_from(value.clone()).ok())
        .flatten()
}

/// A float as Python's `repr` writes it: the shortest digits, with an exponent below 1e-4 and from 1e16 on.
pub fn float(x: f64) -> String {
    if x.is_nan() || x.is_infinite() {
        return if x.is_nan() { "nan".into() } else { format!("{}inf", if x < 0.0 { "-" } else { "" }) };
    }
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let text = format!("{x}");
        return if text.contains('.') { text } else { text + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_those_of_python() {
        let pairs = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (-2.5e-7, "-2.5e-07"),
            (123456789.125, "123456789.125"),
            (1e100, "1e+100"),
            (-0.0, "-0.0"),
            (1.5e300, "1.5e+300"),
        ];
        for (x, text) in pairs {
            assert_eq!(float(x), text);
        }
    }
}
