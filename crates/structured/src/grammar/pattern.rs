use jarrah_base::{Error, Result};

use crate::limits;

/// Checks that a regular expression is small enough to be compiled: its bytes, how deep its groups nest, and its counts of repetitions.
pub(crate) fn pattern(pattern: &str) -> Result<()> {
    limits::size("the regular expression", pattern.len(), limits::MOST_PATTERN)?;
    let shown = || pattern.chars().take(60).collect::<String>();
    let wrong = |what: String| Error::input(format!("the regular expression {:?} {what}", shown()));
    let bytes = pattern.as_bytes();
    let (mut depth, mut in_class) = (0usize, false);
    // The product of the counts of repetitions that are open at each depth of groups.
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => depth += 1,
            b')' if !in_class => depth = depth.saturating_sub(1),
            b'{' if !in_class => {
                let inside = pattern[at + 1..].split('}').next().unwrap_or_default();
                for count in inside.split(',') {
                    let digits = count.trim();
                    let counts = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                    if counts && digits.parse::<u64>().map_or(true, |n| n > limits::MOST_REPEATS) {
                        let most = limits::MOST_REPEATS;
                        return Err(wrong(format!(
                            "repeats {digits} times at byte {at}; at most {most} are allowed"
                        )));
                    }
                }
            }
            _ => {}
        }
        if depth > limits::MOST_DEPTH {
            return Err(wrong(format!("has more than {} groups in each other", limits::MOST_DEPTH)));
        }
        at += 1;
    }
    Ok(())
}
