/// A piece of another dialect's text with MLIR's spacing: one space where there was any and after commas, none inside of
/// brackets; comments are left out. `replace` says what stands for a `#name` or `!name`.
pub(super) fn spacing(text: &str, mut replace: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut space = false;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_whitespace() {
            space = true;
            rest = &rest[1..];
            continue;
        }
        if rest.starts_with("//") {
            space = true;
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let length = match c {
            '"' => quoted(rest),
            '#' | '!' => 1 + rest[1..].find(|c: char| !is_word(c)).unwrap_or(rest.len() - 1),
            _ => c.len_utf8(),
        };
        let piece = &rest[..length];
        rest = &rest[length..];
        let after_comma = out.ends_with(',');
        let inside = out.ends_with(['(', '[', '{', '<']) || matches!(c, ')' | ']' | '}' | ',');
        let closes = c == '>' && !out.ends_with('-');
        if (space || after_comma) && !inside && !closes && !out.is_empty() {
            out.push(' ');
        }
        space = false;
        match replace(piece).filter(|_| matches!(c, '#' | '!')) {
            Some(other) => out.push_str(&other),
            None => out.push_str(piece),
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// The length of the string that `text` begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (i, b) in text.bytes().enumerate().skip(1) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces() {
        let normal = |text| spacing(text, |name| (name == "#a").then(|| "#b<1>".to_owned()));
        assert_eq!(normal("< @mesh,[ {\"x\" ,?}, {}]  >"), "<@mesh, [{\"x\", ?}, {}]>");
        assert_eq!(normal("<(d0) ->  (d0), #a>"), "<(d0) -> (d0), #b<1>>");
        assert_eq!(normal("<\"a  ,b\" // no\n x>"), "<\"a  ,b\" x>");
        assert_eq!(normal(&normal("<[1 ,2],{ }>")), "<[1, 2], {}>");
    }
}
