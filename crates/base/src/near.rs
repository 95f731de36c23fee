//! The known word that a misspelt one is most like, for errors.

/// The candidate that is most like `word`, if one is like it: at most one change, and one more for every five letters.
///
/// ```
/// use jarrah_base::nearest;
/// assert_eq!(nearest("temprature", ["top_p", "temperature"]), Some("temperature"));
/// assert_eq!(nearest("colour", ["top_p", "temperature"]), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let scored = candidates.into_iter().map(|candidate| (distance(word, candidate), candidate));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.len() / 5).then_some(best)
}

/// How many letters have to be inserted, removed, replaced, or exchanged with the next to make `b` from `a`; words of more than 64 bytes are far from
/// all others.
///
/// ```
/// use jarrah_base::distance;
/// assert_eq!((distance("", "abc"), distance("kitten", "sitting"), distance("on", "no")), (3, 3, 1));
/// ```
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > 64 || b.len() > 64 {
        return if a == b { 0 } else { usize::MAX };
    }
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
