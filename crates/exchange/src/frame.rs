//! The frame of every message in a ring: a header of eight words, then the payload.
//!
//! Header and payload carry checksums, and each frame the number of its place in its ring, so that a process that writes garbage is
//! found out before a byte of it becomes a result.

use crate::tag::Tag;

/// The words of a header.
pub(crate) const HEADER: usize = 8;
/// Frames begin at multiples of this many words, so that checksums run over whole blocks.
pub(crate) const BLOCK: usize = 4;

const MAGIC: u64 = 0x6a32;

/// The use of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A small message, whole.
    Eager,
    /// A message of `value` bytes waits for a grant; its number is the frame's.
    Offer,
    /// The offer of number `value` may be sent.
    Grant,
    /// `value` bytes of small messages have left the mailbox.
    Credit,
    /// A piece of a granted message, from byte `value` on.
    Data,
    /// The rank lives. This and what follows is said of ranks, where a form has no other way to say it.
    Beat,
    /// The rank is done.
    Goodbye,
    /// The exchange has failed by the fault of rank `value`.
    Abort,
    /// The rank lives, and asks where the others stand.
    Question,
    /// The report of where the rank stands.
    Standing,
}

/// The name of a message between two processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Name {
    pub tag: Tag,
    pub phase: u8,
}

/// The header of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub kind: Kind,
    pub name: Name,
    pub value: u64,
    /// The bytes of the payload.
    pub length: u32,
}

/// The header of a frame as read, with the parts that the ring checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub head: Head,
    pub number: u64,
    pub checksum: u64,
}

impl Head {
    /// The words of the header of frame `number`, whose payload has this checksum.
    pub(crate) fn encode(&self, number: u64, checksum: u64) -> [u64; HEADER] {
        let Name { tag, phase } = self.name;
        let two = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let mut words = [
            MAGIC << 48 | u64::from(tag.group) << 16 | (self.kind as u64) << 8 | u64::from(phase),
            number,
            two(tag.devices, tag.run),
            two(tag.step, self.length),
            tag.turn,
            self.value,
            checksum,
            0,
        ];
        words[7] = seal(&words);
        words
    }

    /// The header that these words are, or `None` if they are none.
    pub(crate) fn decode(words: &[u64; HEADER]) -> Option<Read> {
        let mut open = *words;
        open[7] = 0;
        if words[0] >> 48 != MAGIC || seal(&open) != words[7] {
            return None;
        }
        let kind = match (words[0] >> 8) & 0xff {
            0 => Kind::Eager,
            1 => Kind::Offer,
            2 => Kind::Grant,
            3 => Kind::Credit,
            4 => Kind::Data,
            5 => Kind::Beat,
            6 => Kind::Goodbye,
            7 => Kind::Abort,
            8 => Kind::Question,
            9 => Kind::Standing,
            _ => return None,
        };
        let high = |word: usize| (words[word] >> 32) as u32;
        let tag = Tag {
            devices: high(2),
            run: words[2] as u32,
            step: high(3),
            group: (words[0] >> 16) as u32,
            turn: words[4],
        };
        let name = Name { tag, phase: words[0] as u8 };
        let head = Head { kind, name, value: words[5], length: words[3] as u32 };
        Some(Read { head, number: words[1], checksum: words[6] })
    }
}

fn seal(words: &[u64; HEADER]) -> u64 {
    let mut sum = Checksum::default();
    sum.block([words[0], words[1], words[2], words[3]]);
    sum.block([words[4], words[5], words[6], words[7]]);
    sum.finish()
}

/// A checksum of blocks of four words, quick enough to be taken while they are copied. It finds accidents and garbage, not forgers.
///
/// Each step is a bijection of the state, so a change of a single word always changes the sum.
#[derive(Clone)]
pub(crate) struct Checksum([u64; BLOCK]);

impl Default for Checksum {
    fn default() -> Self {
        Checksum([0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63])
    }
}

impl Checksum {
    #[inline(always)]
    pub(crate) fn block(&mut self, words: [u64; BLOCK]) {
        for (state, word) in self.0.iter_mut().zip(words) {
            *state = (*state ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
        }
    }

    pub(crate) fn finish(self) -> u64 {
        self.0.iter().enumerate().fold(0, |sum: u64, (i, state)| {
            let mixed = (state ^ (state >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            (sum.rotate_left(17) ^ mixed ^ (mixed >> 29)).wrapping_add(i as u64)
        })
    }
}
