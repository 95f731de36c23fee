//! The fields of parts of OCDBT databases, written as [`input`](super::input) reads them.

/// A number in base 128, its lowest digits first.
pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn varints(out: &mut Vec<u8>, values: impl IntoIterator<Item = u64>) {
    values.into_iter().for_each(|value| varint(out, value));
}

/// Texts as the length of the prefix that each shares with the text before it, and the rest. `between` is written between the lengths and the rests.
pub(super) fn prefixed(out: &mut Vec<u8>, texts: &[&[u8]], between: impl FnOnce(&mut Vec<u8>)) {
    let shared: Vec<usize> = texts.windows(2).map(|pair| common(pair[0], pair[1])).collect();
    let rests =
        || texts.iter().zip(std::iter::once(&0).chain(&shared)).map(|(text, shared)| &text[*shared..]);
    varints(out, shared.iter().map(|length| *length as u64));
    varints(out, rests().map(|rest| rest.len() as u64));
    between(out);
    rests().for_each(|rest| out.extend_from_slice(rest));
}

/// The length of the prefix that two texts share.
pub(super) fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
