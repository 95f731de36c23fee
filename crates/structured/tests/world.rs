//! A vocabulary, and a model that says anything.

use std::sync::{Arc, LazyLock};

use jarrah_structured::{Constraint, MaskVocabulary, Matcher, TokenMask};
use jarrah_tokenizer::{END_OF_TEXT, Tokenizer, TrainOptions, train};

/// Special tokens of several families of models.
pub const SPECIAL: [&str; 34] = [
    END_OF_TEXT,
    "<|im_end|>",
    "<tool_call>",
    "</tool_call>",
    "<|python_tag|>",
    "<|python_start|>",
    "<|python_end|>",
    "[TOOL_CALLS]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<|start|>",
    "<|channel|>",
    "<|message|>",
    "<|constrain|>",
    "<|end|>",
    "<|call|>",
    "<|return|>",
    "<think>",
    "</think>",
    "[THINK]",
    "[/THINK]",
    "<|tool_call|>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<|tool_call_argument_begin|>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_start|>",
    "[CALL_ID]",
    "<|begin|>",
    "<|unused|>",
];

/// A tokenizer of about a thousand tokens, with words of JSON among them, of which some have several parts of a value.
pub static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| {
    let text = "{\"name\": \"Ann\", \"id\": 12, \"tags\": [\"a\", \"b\"], \"on\": true, \"off\": false, \"none\": null, \"x\": -1.5e3}\n\
        {\"a\":1,\"b\":[{}],\"c\":{\"d\":\"\\n\"}} 日本語 Größe 🦀 naïve \\u0041 2024-02-29T10:11:12Z red green blue 127.0.0.1\n\
        the quick brown fox jumps over the lazy dog; select name from users where id = 3 and city = 'Perth'\n";
    let text = text.repeat(30) + &(0..400).map(|i| format!("{i} w{i}x\"}}, ")).collect::<String>().repeat(2);
    let options = TrainOptions {
        vocab_size: 1200,
        special_tokens: SPECIAL.map(str::to_owned).to_vec(),
        ..TrainOptions::new(1200)
    };
    train(&[text], &options).unwrap()
});

pub static VOCABULARY: LazyLock<Arc<MaskVocabulary>> = LazyLock::new(|| {
    let end = TOKENIZER.token_id(END_OF_TEXT).unwrap();
    let other = TOKENIZER.token_id("<|im_end|>").unwrap();
    // More logits than tokens, as models have.
    Arc::new(MaskVocabulary::new(&TOKENIZER, &[end, other], TOKENIZER.vocab_size() + 40).unwrap())
});

pub fn matcher(constraint: &Constraint) -> Matcher {
    Matcher::new(&VOCABULARY, constraint).unwrap()
}

pub fn refused(constraint: &Constraint) -> String {
    match Matcher::new(&VOCABULARY, constraint) {
        Ok(_) => panic!("{constraint:?} is compiled"),
        Err(error) => error.to_string(),
    }
}

/// Whether the text, in the tokens that the tokenizer has for it, is an output of the constraint.
pub fn takes(constraint: &Constraint, text: &str) -> bool {
    takes_by(&matcher(constraint), text)
}

/// As [`takes`], by a matcher at the start of an output.
pub fn takes_by(start: &Matcher, text: &str) -> bool {
    let mut matcher = start.clone();
    let mut mask = TokenMask::default();
    for token in TOKENIZER.encode_chat(text).unwrap() {
        matcher.mask(&mut mask).unwrap();
        assert_eq!(mask.contains(token), matcher.accepted(&[token]) == 1, "{text:?} at {token}");
        if matcher.push(token).is_err() {
            return false;
        }
    }
    matcher.mask(&mut mask).unwrap();
    mask.contains(VOCABULARY.ends()[0])
}

/// Random numbers: xorshift64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n.max(1)
    }

    /// A token of the mask, by random logits of a standard deviation of 3 at the temperature 2.
    pub fn sample(&mut self, mask: &TokenMask) -> u32 {
        let mut uniform = || ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let mut best = (f64::NEG_INFINITY, 0);
        for token in mask.iter() {
            // The sum of four uniform numbers is as good as normal here.
            let normal = (uniform() + uniform() + uniform() + uniform() - 2.0) * 3f64.sqrt();
            let score = 3.0 * normal / 2.0 - (-uniform().ln()).ln();
            if score > best.0 {
                best = (score, token);
            }
        }
        best.1
    }
}

/// An output.
pub struct Output {
    pub text: String,
    /// How many tokens were drawn, and whether the model stopped by itself.
    pub tokens: usize,
    pub stopped: bool,
}

/// An output of a model that says anything. After `most` tokens it is brought to an end: the shortest of tokens that close something.
pub fn output(constraint: &Matcher, random: &mut Random, most: usize) -> Output {
    let mut matcher = constraint.clone();
    let mut mask = TokenMask::default();
    let mut tokens = Vec::new();
    let is_end = |token| VOCABULARY.ends().contains(&token);
    loop {
        // A text that goes on to a mark does not find it by chance.
        let mark = TOKENIZER.encode("\n</parameter>\n").unwrap();
        if tokens.len() >= most && random.below(20) == 0 && matcher.accepted(&mark) == mark.len() {
            mark.iter().for_each(|&token| matcher.push(token).unwrap());
            tokens.extend(mark);
        }
        matcher.mask(&mut mask).unwrap();
        assert!(mask.count() > 0, "{:?} cannot go on", TOKENIZER.decode(&tokens, false).unwrap());
        if matcher.is_finished() {
            assert!(mask.iter().all(is_end));
        }
        let may_end = mask.iter().any(is_end);
        let token = match tokens.len() < most {
            true => random.sample(&mask),
            false if may_end => VOCABULARY.ends()[0],
            false => closing(&mask, random),
        };
        if random.below(40) == 0 {
            // What speculative decoding asks does not change the state.
            assert_eq!(matcher.accepted(&[token]), 1);
            assert_eq!(matcher.accepted(&[u32::MAX]), 0);
        }
        matcher.push(token).unwrap();
        if is_end(token) {
            break;
        }
        tokens.push(token);
        assert!(
            tokens.len() < 2 * most + 2000,
            "{:?} does not end",
            TOKENIZER.decode(&tokens, false).unwrap()
        );
    }
    assert!(matcher.is_finished());
    let text = TOKENIZER.decode(&tokens, false).unwrap();
    Output { text, tokens: tokens.len(), stopped: tokens.len() < most }
}

/// A token that closes something, if one may come.
fn closing(mask: &TokenMask, random: &mut Random) -> u32 {
    let closes = |token: &u32| {
        if TOKENIZER.is_special(*token) {
            return true;
        }
        let bytes = TOKENIZER.token_bytes(*token).unwrap_or_default();
        ["\"", "}", "]", ">", ")", ":", ",", "@", ".", "1", "n", "D", "H", "M", "S"]
            .iter()
            .any(|text| text.as_bytes() == bytes)
    };
    let mut all: Vec<u32> = mask.iter().filter(closes).collect();
    if random.below(4) == 0 && all.iter().any(|&token| TOKENIZER.is_special(token)) {
        all.retain(|&token| TOKENIZER.is_special(token));
    }
    match all.is_empty() || random.below(4) == 0 {
        true => random.sample(mask),
        false => all[random.below(all.len())],
    }
}

/// The number in a variable of the environment, or `usual`.
pub fn asked(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
