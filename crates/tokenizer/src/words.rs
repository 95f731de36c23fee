use std::sync::Mutex;

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;
use tokenizers::pattern::Pattern;
use tokenizers::utils::SysRegex;
use tokenizers::{Model, ModelWrapper};

use crate::chunk;

/// GPT-2's words, as the `ByteLevel` pre-tokenizer finds them.
const WORD: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

const PIECE: usize = 1 << 15;
const REMEMBERED: usize = 1 << 17;
const LONGEST_REMEMBERED: usize = 64;

/// Encodes GPT-2's words with a memory of the words seen.
///
/// It has the pattern and the model of the library's own path, but does not record where each character came from, which a
/// tokenizer of whole corpora does not need: a third of its time.
pub(crate) struct Words {
    pattern: SysRegex,
    // GPT-2 writes a byte as itself where that is printable, else as the next character from U+0100 on.
    letters: [char; 256],
    // A memory is used by one caller at a time; as many exist as callers ever met.
    memories: Mutex<Vec<Memory>>,
}

type Memory = FxHashMap<Box<str>, Box<[u32]>>;

impl Words {
    pub(crate) fn new() -> Result<Self> {
        let pattern = SysRegex::new(WORD).map_err(|e| Error::internal(format!("GPT-2's pattern: {e}")))?;
        let mut letters = ['\0'; 256];
        let mut unprintable = '\u{100}'..;
        for (letter, byte) in letters.iter_mut().zip(0..=255u8) {
            let printable = matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..);
            *letter = if printable { char::from(byte) } else { unprintable.next().unwrap_or_default() };
        }
        Ok(Words { pattern, letters, memories: Mutex::default() })
    }

    /// The ids of `text`.
    pub(crate) fn encode(&self, model: &ModelWrapper, text: &str) -> Result<Vec<u32>> {
        let mut memory = self.lock().pop().unwrap_or_default();
        let mut ids = Vec::with_capacity(text.len() / 3);
        let mut encode = || {
            for piece in chunk::at_white_space(text, PIECE) {
                for ((start, end), _) in (&self.pattern).find_matches(piece)? {
                    self.word(model, &piece[start..end], &mut memory, &mut ids)?;
                }
            }
            Ok(())
        };
        let done: tokenizers::Result<()> = encode();
        self.lock().push(memory);
        done.map_err(|e| Error::input(format!("cannot encode a text of {} bytes: {e}", text.len())))?;
        Ok(ids)
    }

    fn word(
        &self,
        model: &ModelWrapper,
        word: &str,
        memory: &mut Memory,
        ids: &mut Vec<u32>,
    ) -> tokenizers::Result<()> {
        if let Some(known) = memory.get(word) {
            ids.extend_from_slice(known);
            return Ok(());
        }
        let letters: String = word.bytes().map(|b| self.letters[usize::from(b)]).collect();
        let start = ids.len();
        ids.extend(model.tokenize(&letters)?.iter().map(|token| token.id));
        if word.len() <= LONGEST_REMEMBERED && memory.len() < REMEMBERED {
            memory.insert(word.into(), ids[start..].into());
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Memory>> {
        self.memories.lock().expect("invariant: no holder of the lock panics")
    }
}
