use std::error::Error as _;
use std::sync::Once;

use jarrah_base::parallel::cores;
use jarrah_base::{Error, Result};
use tokenizers::AddedToken;
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;

use crate::chunk;
use crate::tokenizer::Tokenizer;

/// The token that ends a document, by GPT-2's name for it.
pub const END_OF_TEXT: &str = "<|endoftext|>";

const PIECE: usize = 1 << 16;
const LONGEST_RUN: usize = 1 << 10;

/// Options of [`train`].
#[derive(Clone, Debug, PartialEq)]
pub struct TrainOptions {
    /// The number of tokens, special ones and the 256 bytes included; a small corpus may yield fewer.
    pub vocab_size: usize,
    /// The special tokens, which take the first ids in this order.
    pub special_tokens: Vec<String>,
    /// The most text to learn from, in bytes; more is thinned evenly.
    pub max_bytes: usize,
}

impl TrainOptions {
    /// `vocab_size` tokens with [`END_OF_TEXT`] as the only special one, learned from at most 8 MiB.
    pub fn new(vocab_size: usize) -> Self {
        TrainOptions { vocab_size, special_tokens: vec![END_OF_TEXT.to_owned()], max_bytes: 8 << 20 }
    }
}

/// Learns a byte-level BPE: starting from the 256 bytes, the most frequent adjacent pair becomes a token, repeatedly.
///
/// Words are GPT-2's (its pattern, no space added in front), a pair must occur twice, and of pairs equally frequent the
/// one with the smaller ids wins, so the same documents in the same order give the same tokenizer, byte for byte.
///
/// # Errors
/// `vocab_size` leaves no room for the bytes and the special tokens, or the documents hold no text (both `Input`).
///
/// Source: Sennrich et al., Neural Machine Translation of Rare Words with Subword Units, 2016.
pub fn train<S: AsRef<str>>(documents: &[S], options: &TrainOptions) -> Result<Tokenizer> {
    let least = 256 + options.special_tokens.len();
    if options.vocab_size < least {
        return Err(Error::input(format!(
            "a vocabulary of {} is too small: 256 bytes and {} special tokens need {least}",
            options.vocab_size,
            options.special_tokens.len()
        )));
    }
    let pieces = sample(documents, options.max_bytes);
    if pieces.is_empty() {
        return Err(Error::input("there is no text to learn a tokenizer from"));
    }

    let byte_level = ByteLevel::new(false, false, true);
    let mut inner = tokenizers::Tokenizer::new(BPE::default());
    inner.with_pre_tokenizer(Some(byte_level)).with_decoder(Some(byte_level));
    let special = options.special_tokens.iter().map(|t| AddedToken::from(t.as_str(), true));
    let mut trainer: TrainerWrapper = BpeTrainer::builder()
        .show_progress(false)
        .vocab_size(options.vocab_size)
        .min_frequency(2)
        .initial_alphabet(ByteLevel::alphabet().into_iter().collect())
        .special_tokens(special.collect())
        .build()
        .into();
    start_threads();
    inner
        .train(&mut trainer, pieces.into_iter())
        .map_err(|e| Error::internal(format!("learning the vocabulary failed: {e}")))?;
    Tokenizer::new(inner, None)
}

/// Starts the threads that learn a vocabulary; where the system refuses one, the calling thread learns alone.
/// `tokenizers` by itself would panic.
fn start_threads() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let started = rayon::ThreadPoolBuilder::new().num_threads(cores()).build_global();
        // Without a source, another part of the program has started them.
        if started.is_err_and(|error| error.source().is_some()) {
            tokenizers::utils::parallelism::set_parallelism(false);
        }
    });
}

/// Pieces of the documents, spread evenly over them, of at most `max_bytes` in all.
fn sample<S: AsRef<str>>(documents: &[S], max_bytes: usize) -> Vec<&str> {
    let pieces: Vec<&str> = documents
        .iter()
        .flat_map(|d| chunk::at_white_space(d.as_ref(), PIECE))
        // A piece without white space may be longer than all that is kept.
        .flat_map(|p| chunk::long_runs(p, LONGEST_RUN))
        .filter(|p| !p.is_empty())
        .collect();
    let total: usize = pieces.iter().map(|p| p.len()).sum();
    if total <= max_bytes {
        return pieces;
    }
    // A piece is kept when the budget up to its end, max/total of the text, covers it whole.
    let (mut seen, mut taken) = (0, 0);
    let keep = |p: &&str| {
        seen += p.len();
        let budget = (seen as u128 * max_bytes as u128 / total as u128) as usize;
        let fits = taken + p.len() <= budget;
        taken += if fits { p.len() } else { 0 };
        fits
    };
    pieces.into_iter().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_is_even_and_within_the_budget() {
        let documents: Vec<String> = (0..100).map(|i| format!("{i:010}")).collect();
        let kept = sample(&documents, 250);
        assert_eq!(kept.len(), 25);
        assert_eq!(kept[0], "0000000003");
        assert_eq!(kept[24], "0000000099");
        assert_eq!(sample(&documents, 1000).len(), 100);
    }

    #[test]
    fn one_large_document_is_sampled_too() {
        let text = "word ".repeat(100_000);
        let kept: usize = sample(&[&text], 200_000).iter().map(|p| p.len()).sum();
        assert!((100_000..=200_000).contains(&kept), "{kept}");
    }

    #[test]
    fn a_line_without_white_space_is_sampled_too() {
        let text = "0123456789abcdef".repeat(30_000);
        let kept: usize = sample(&[&text], 200_000).iter().map(|p| p.len()).sum();
        assert!((190_000..=200_000).contains(&kept), "{kept}");
    }
}
