//! The encodings of tiktoken: patterns and special tokens, which its files of ranks do not contain.

// Runs are taken whole and never given back, where that changes no match: these patterns are equal to the published ones.
const GPT2: &str = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s";
const CL100K: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s";
const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]++(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n/]*+|\s*[\r\n]|\s+(?!\S)|\s"
);
const LLAMA3: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s";
const QWEN: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s";

/// The encodings whose files of ranks are in use, each with a pattern and special tokens, which the files do not contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// GPT-2 and GPT-3 (`gpt2`, `r50k_base`), and Whisper.
    Gpt2,
    /// Codex (`p50k_base`).
    P50k,
    /// GPT-3.5 and GPT-4 (`cl100k_base`).
    Cl100k,
    /// GPT-4o and later (`o200k_base`).
    O200k,
    /// Llama 3.
    Llama3,
    /// Qwen.
    Qwen,
}

impl Encoding {
    /// The encoding that a file with so many ranks is of.
    pub(crate) fn of(ranks: usize) -> Option<Encoding> {
        Some(match ranks {
            50_256 | 50_257 => Encoding::Gpt2,
            50_280 => Encoding::P50k,
            100_256 => Encoding::Cl100k,
            199_998 => Encoding::O200k,
            128_000 => Encoding::Llama3,
            151_643 => Encoding::Qwen,
            _ => return None,
        })
    }

    /// The pattern that texts are divided by.
    pub fn pattern(self) -> &'static str {
        match self {
            Encoding::Gpt2 | Encoding::P50k => GPT2,
            Encoding::Cl100k => CL100K,
            Encoding::Llama3 => LLAMA3,
            Encoding::O200k => O200K,
            Encoding::Qwen => QWEN,
        }
    }

    /// The special tokens, the first free id being `next`.
    pub(crate) fn special(self, next: u32) -> Vec<(String, u32)> {
        let named = |names: &[(&str, u32)]| names.iter().map(|&(name, id)| (name.to_owned(), id)).collect();
        let counted = |names: Vec<String>| names.into_iter().zip(next..).collect();
        match self {
            Encoding::Gpt2 => named(&[("<|endoftext|>", next)]),
            Encoding::P50k => named(&[("<|endoftext|>", 50_256)]),
            Encoding::Cl100k => named(&[
                ("<|endoftext|>", 100_257),
                ("<|fim_prefix|>", 100_258),
                ("<|fim_middle|>", 100_259),
                ("<|fim_suffix|>", 100_260),
                ("<|endofprompt|>", 100_276),
            ]),
            Encoding::O200k => named(&[("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)]),
            Encoding::Llama3 => {
                let reserved = |i: usize| format!("<|reserved_special_token_{i}|>");
                let mut names: Vec<String> = vec!["<|begin_of_text|>".into(), "<|end_of_text|>".into()];
                names.extend((0..4).map(reserved));
                names.extend(["<|start_header_id|>", "<|end_header_id|>"].map(String::from));
                names.push(reserved(4));
                names.push("<|eot_id|>".into());
                names.extend((5..251).map(reserved));
                counted(names)
            }
            Encoding::Qwen => {
                let mut names =
                    vec!["<|endoftext|>".to_owned(), "<|im_start|>".to_owned(), "<|im_end|>".to_owned()];
                names.extend((0..205).map(|i| format!("<|extra_{i}|>")));
                counted(names)
            }
        }
    }
}
