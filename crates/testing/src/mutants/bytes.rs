use super::Random;

/// Numbers that no file needs.
const HUGE: [u64; 8] =
    [1 << 20, (1 << 31) - 1, 1 << 32, 1 << 40, i64::MAX as u64, 1 << 63, u64::MAX - 1, u64::MAX];

/// Does some damage to `bytes`: bits, bytes and runs of them are changed, cut, doubled, moved, or replaced by some of `other`, which is
/// something else of the same kind, or by huge numbers.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(6) / 3 + random.below(10) / 9 {
        if bytes.is_empty() {
            return;
        }
        let (at, other_at) = (random.below(bytes.len()), random.below(other.len()));
        let length = 1 + random.below(24);
        let end = (at + length).min(bytes.len());
        let other_end = (other_at + length).min(other.len());
        match random.below(24) {
            0..6 => bytes[at] ^= 1 << random.below(8),
            6..10 => bytes[at] = *random.one_of(&[0, 1, 3, 0x7f, 0x80, 0xfe, 0xff]),
            10..15 => bytes[at] = bytes[at].wrapping_add(*random.one_of(&[1, 2, 0xff, 0xfe])),
            15 => bytes.swap(at, end - 1),
            16 => drop(bytes.drain(at..end)),
            17 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            18 | 19 => drop(bytes.splice(at..end, other[other_at..other_end].iter().copied())),
            20..23 => huge(bytes, at, random),
            _ => bytes.truncate(at),
        }
    }
}

/// Puts a huge number into the place of others: in four bytes, in eight, or as protocol buffers have numbers.
fn huge(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let value = *random.one_of(&HUGE);
    let (width, number) = match random.below(3) {
        0 => (4, (value as u32).to_le_bytes().to_vec()),
        1 => (8, value.to_le_bytes().to_vec()),
        _ => (1, (0..10).map(|i| (value >> (7 * i)) as u8 & 0x7f | if i < 9 { 0x80 } else { 0 }).collect()),
    };
    // Numbers mostly lie at multiples of their width.
    let at = if random.below(2) == 0 { at } else { at - at % width };
    let end = (at + width).min(bytes.len());
    bytes.splice(at..end, number);
}
