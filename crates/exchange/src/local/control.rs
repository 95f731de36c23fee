//! The frames of the sockets between processes: signs of life, goodbyes, failures, and where each process stands.

use crate::failure::Cause;
use crate::ring::Garbage;
use crate::standing::REPORT;

const MAGIC: [u8; 4] = *b"jrx1";
const HEADER: usize = 32;
/// The longest reason that is passed on.
const REASON: usize = 4096;

/// A message of a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// The process is alive.
    Beat,
    /// The process is done.
    Goodbye,
    /// The exchange has failed.
    Abort(Cause),
    /// The process is alive, and asks where the others stand.
    Question,
    /// The report of where the process stands.
    Standing(Vec<u8>),
}

impl Control {
    /// The bytes of message `number` of a socket.
    pub(super) fn encode(&self, number: u64) -> Vec<u8> {
        let (kind, rank, body) = match self {
            Control::Beat => (0u32, 0, &[][..]),
            Control::Goodbye => (1, 0, &[][..]),
            Control::Abort(cause) => {
                let reason = &cause.fault[..cause.fault.floor_char_boundary(REASON)];
                (2, cause.rank as u32, reason.as_bytes())
            }
            Control::Question => (3, 0, &[][..]),
            Control::Standing(report) => (4, 0, &report[..]),
        };
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(&MAGIC);
        for word in [kind, rank, body.len() as u32] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&number.to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(body);
        let checksum = checksum(&bytes);
        bytes[24..HEADER].copy_from_slice(&checksum);
        bytes
    }

    /// The first message of `bytes` and its length, if it is whole.
    pub(super) fn decode(bytes: &[u8], number: u64, size: usize) -> Result<Option<(Self, usize)>, Garbage> {
        const NONE: Garbage = Garbage("bytes to its socket that are no message");
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            // The first bytes already show whether it can be one.
            return match bytes.iter().zip(&MAGIC).all(|(a, b)| a == b) {
                true => Ok(None),
                false => Err(NONE),
            };
        };
        let word = |i: usize| u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
        let length = word(12) as usize;
        if header[..4] != MAGIC || header[16..24] != number.to_le_bytes() || length > limit(word(4)) {
            return Err(NONE);
        }
        if rest.len() < length {
            return Ok(None);
        }
        let whole = &bytes[..HEADER + length];
        let mut open = whole.to_vec();
        open[24..HEADER].fill(0);
        if checksum(&open) != header[24..] {
            return Err(NONE);
        }
        let control = match word(4) {
            0 => Control::Beat,
            1 => Control::Goodbye,
            3 => Control::Question,
            4 => Control::Standing(whole[HEADER..].to_vec()),
            2 if (word(8) as usize) < size => {
                let reason = String::from_utf8_lossy(&whole[HEADER..]);
                Control::Abort(Cause::new(word(8) as usize, jarrah_base::visible(&reason)))
            }
            _ => return Err(NONE),
        };
        Ok(Some((control, whole.len())))
    }
}

/// The longest body of a message of this kind.
fn limit(kind: u32) -> usize {
    match kind {
        2 => REASON,
        4 => REPORT,
        _ => 0,
    }
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let hash = blake3::hash(bytes);
    std::array::from_fn(|i| hash.as_bytes()[i])
}
