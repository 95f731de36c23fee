/// The candidate that is most like `word`, if it is like it at all.
pub(super) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > 64 {
        return None;
    }
    let scored = candidates.into_iter().map(|c| (distance(word, c), c));
    let (distance, best) = scored.min_by_key(|(d, _)| *d)?;
    (distance <= 1 + word.len() / 5).then_some(best)
}

/// How many letters have to be inserted, removed or replaced to make `b` from `a`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let known = ["stablehlo.add", "stablehlo.multiply", "stablehlo.and"];
        assert_eq!(nearest("stablehlo.mutliply", known), Some("stablehlo.multiply"));
        assert_eq!(nearest("stablehlo.ad", known), Some("stablehlo.add"));
        assert_eq!(nearest("arith.constant", known), None);
        assert_eq!((distance("", "abc"), distance("kitten", "sitting")), (3, 3));
    }
}
