/// Cuts `text` into pieces of about `target` bytes, each cut standing before white space that follows something else.
///
/// The GPT-2 pattern `'s|..| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+` never matches across such a place: a
/// match holds white space only at its start or throughout. So the pieces' tokens, joined, are the tokens of `text`.
pub(crate) fn at_white_space(text: &str, target: usize) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / target.max(1) + 1);
    let mut rest = text;
    while rest.len() > target {
        let from = (0..=target).rev().find(|&i| rest.is_char_boundary(i)).unwrap_or(0);
        let mut after_space = true;
        let cut = rest[from..].char_indices().find(|&(_, c)| {
            let found = c.is_whitespace() && !after_space;
            after_space = c.is_whitespace();
            found
        });
        let Some((at, _)) = cut else { break };
        let (piece, tail) = rest.split_at(from + at);
        pieces.push(piece);
        rest = tail;
    }
    pieces.push(rest);
    pieces
}

/// Cuts `text` so that no run of white space, and none of anything else, is longer than about `longest` bytes.
///
/// Learning merges costs the square of a word's length; a megabyte of base64 on one line must not stall it.
pub(crate) fn long_runs(text: &str, longest: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut run, mut space) = (0, 0, false);
    for (i, c) in text.char_indices() {
        if c.is_whitespace() != space {
            (run, space) = (i, c.is_whitespace());
        } else if i - run >= longest {
            pieces.push(&text[start..i]);
            (start, run) = (i, i);
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_text() {
        let text = "let é = 1;\n\n    // ünïcode   words\n".repeat(50);
        for target in [1, 7, 64, 5000] {
            assert_eq!(at_white_space(&text, target).concat(), text);
        }
        assert!(at_white_space(&text, 64).len() > 20);
        assert!(at_white_space(&text, 64).iter().skip(1).all(|p| p.starts_with([' ', '\n'])));
    }

    #[test]
    fn long_runs_are_cut_and_short_ones_kept() {
        assert_eq!(long_runs("short words only\n", 6), ["short words only\n"]);
        let runs = long_runs("ab xxxxxxxxxxxxxxxx", 6);
        assert_eq!(runs, ["ab xxxxxx", "xxxxxx", "xxxx"]);
        assert_eq!(long_runs("", 6), [""]);
    }
}
