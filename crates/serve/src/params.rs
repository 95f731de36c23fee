use jarrah_base::{Error, Result};

/// The most answers to one prompt.
const MOST_ANSWERS: usize = 128;
/// The most logprobs that are listed at one position.
pub const MOST_LOGPROBS: usize = 256;
/// The most items in a list of a request: tokens, words, stop strings.
const MOST_LISTED: usize = 1024;

/// The repetition that ends an answer: its last tokens are the same run of `shortest` to `longest` tokens, `times` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The fewest tokens of the run, at least 1.
    pub shortest: usize,
    /// The most tokens of the run.
    pub longest: usize,
    /// How often the run must stand at the end, at least 2.
    pub times: usize,
}

impl Repetition {
    /// Whether `answer` ends with such a repetition.
    ///
    /// ```
    /// use jarrah_serve::Repetition;
    /// let repetition = Repetition { shortest: 2, longest: 3, times: 3 };
    /// assert!(repetition.ends(&[9, 1, 2, 1, 2, 1, 2]));
    /// assert!(!repetition.ends(&[1, 2, 1, 2, 1]));
    /// assert!(repetition.ends(&[4, 4, 4, 4, 4, 4]));
    /// ```
    pub fn ends(&self, answer: &[u32]) -> bool {
        (self.shortest..=self.longest).any(|run| {
            let Some(whole) = run.checked_mul(self.times).filter(|&whole| whole <= answer.len()) else {
                return false;
            };
            let last = &answer[answer.len() - whole..];
            // The tokens repeat with the period `run` if they equal themselves shifted by `run`.
            last[run..] == last[..whole - run]
        })
    }
}

/// The parameters of sampling, and the conditions that end an answer.
///
/// For logits `z`, in this order:
///
/// ```text
/// only `allowed_tokens`; no last token of a bad word whose beginning stands there; no end before `min_tokens`
/// z_i += logit_bias_i
/// z_i = z_i / r if z_i > 0, else z_i r          r = repetition_penalty, for tokens of the prompt and the answer
/// z_i -= f count_i + p [count_i > 0]            f, p = frequency_penalty, presence_penalty, for tokens of the answer
/// the largest, if temperature = 0; else p = softmax(z / temperature)
/// p_i >= min_p max p;  the top_k largest;  of these the fewest largest that have top_p of what is left
/// ```
///
/// Of equal numbers the lower token is the larger. The names and the order are those of vLLM; a field left as it is by
/// [`Default`] does nothing.
///
/// Source: Holtzman et al., The curious case of neural text degeneration, 2020 (top-p); Keskar et al., CTRL, 2019 (repetition).
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The number of answers.
    pub n: usize,
    /// The divisor of the logits; 0 always takes the likeliest token.
    pub temperature: f64,
    /// The least total probability of the candidates, above 0; 1 keeps all tokens.
    pub top_p: f64,
    /// The number of likeliest tokens that are candidates; 0 keeps all.
    pub top_k: usize,
    /// The least probability of a candidate, as a share of the likeliest token's.
    pub min_p: f64,
    /// Subtracted from the logits of tokens that the answer has, -2 to 2.
    pub presence_penalty: f64,
    /// Subtracted from the logit of a token for each time that the answer has it, -2 to 2.
    pub frequency_penalty: f64,
    /// Divides positive logits, and multiplies negative ones, of tokens that the prompt or the answer has; above 0.
    pub repetition_penalty: f64,
    /// The seed: with it, the same request gives the same text, whatever runs beside it. None: a random seed.
    pub seed: Option<u64>,
    /// Strings that end the text.
    pub stop: Vec<String>,
    /// Tokens that end the text, beside the model's end tokens.
    pub stop_tokens: Vec<u32>,
    /// Whether the stop string is part of the text.
    pub include_stop: bool,
    /// The number of likeliest tokens whose logprobs are reported beside the chosen token's; none: no logprobs.
    pub logprobs: Option<usize>,
    /// Tokens whose logprobs are reported beside the chosen token's, instead of the likeliest ones.
    pub logprob_tokens: Vec<u32>,
    /// As `logprobs`, at the positions of the prompt.
    pub prompt_logprobs: Option<usize>,
    /// Numbers that are added to the logits of tokens.
    pub logit_bias: Vec<(u32, f32)>,
    /// The only tokens that may be chosen, if given.
    pub allowed_tokens: Option<Vec<u32>>,
    /// Texts that must not occur.
    pub bad_words: Vec<String>,
    /// The least number of tokens: before it, no end or stop token is chosen.
    pub min_tokens: usize,
    /// The most tokens; none: as many as the context has room for. With 0, only the prompt is computed, for its logprobs.
    pub max_tokens: Option<usize>,
    /// Whether the model's end tokens do not end the answer.
    pub ignore_eos: bool,
    /// The repetition that ends an answer, if any.
    pub repetition: Option<Repetition>,
    /// Whether tokens are decoded to text; stop strings need it.
    pub detokenize: bool,
    /// Whether special tokens are left out of the text.
    pub skip_special_tokens: bool,
    /// The number of tokens after which a delta is sent to the reader; the first token is sent at once.
    pub stream_interval: usize,
    /// Whether the request neither uses nor fills the prefix cache.
    pub skip_prefix_cache: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            n: 1,
            temperature: 1.0,
            top_p: 1.0,
            top_k: 0,
            min_p: 0.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            repetition_penalty: 1.0,
            seed: None,
            stop: Vec::new(),
            stop_tokens: Vec::new(),
            include_stop: false,
            logprobs: None,
            logprob_tokens: Vec::new(),
            prompt_logprobs: None,
            logit_bias: Vec::new(),
            allowed_tokens: None,
            bad_words: Vec::new(),
            min_tokens: 0,
            max_tokens: None,
            ignore_eos: false,
            repetition: None,
            detokenize: true,
            skip_special_tokens: true,
            stream_interval: 1,
            skip_prefix_cache: false,
        }
    }
}

impl Params {
    /// Greedy decoding: always the likeliest token.
    pub fn greedy() -> Self {
        Params { temperature: 0.0, ..Params::default() }
    }

    /// Checks that all fields are in range, for a model of `vocabulary` tokens.
    ///
    /// # Errors
    /// A field is outside of its range (`Input`, naming it).
    pub fn check(&self, vocabulary: usize) -> Result<()> {
        self.check_fields(vocabulary).map_err(|(_, error)| error)
    }

    /// As [`check`](Self::check), and names the field that is wrong as requests do.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    ///
    /// ```
    /// use jarrah_serve::Params;
    /// let (name, error) = Params { top_p: 2.0, ..Params::default() }.check_fields(100).unwrap_err();
    /// assert_eq!((name, error.message()), ("top_p", "top_p is 2, it must be above 0 and at most 1"));
    /// ```
    pub fn check_fields(&self, vocabulary: usize) -> std::result::Result<(), (&'static str, Error)> {
        let ranges = [
            ("temperature", self.temperature, 0.0, f64::MAX),
            ("top_p", self.top_p, f64::MIN_POSITIVE, 1.0),
            ("min_p", self.min_p, 0.0, 1.0),
            ("presence_penalty", self.presence_penalty, -2.0, 2.0),
            ("frequency_penalty", self.frequency_penalty, -2.0, 2.0),
            ("repetition_penalty", self.repetition_penalty, f64::MIN_POSITIVE, f64::MAX),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                let range = match (least, most) {
                    (0.0, f64::MAX) => "0 or more".to_owned(),
                    (_, f64::MAX) => "above 0".to_owned(),
                    (f64::MIN_POSITIVE, most) => format!("above 0 and at most {most}"),
                    (least, most) => format!("between {least} and {most}"),
                };
                return Err((name, wrong(name, format!("{value}"), &range)));
            }
        }
        let counts = [
            ("n", self.n, 1, MOST_ANSWERS),
            ("logprobs", self.logprobs.unwrap_or(0), 0, MOST_LOGPROBS),
            ("prompt_logprobs", self.prompt_logprobs.unwrap_or(0), 0, MOST_LOGPROBS),
            ("the length of stop", self.stop.len(), 0, MOST_LISTED),
            ("the length of stop_token_ids", self.stop_tokens.len(), 0, MOST_LISTED),
            ("the length of logit_bias", self.logit_bias.len(), 0, vocabulary),
            ("the length of bad_words", self.bad_words.len(), 0, MOST_LISTED),
            ("the length of logprob_token_ids", self.logprob_tokens.len(), 0, MOST_LOGPROBS),
            ("stream_interval", self.stream_interval, 1, usize::MAX),
        ];
        for (name, value, least, most) in counts {
            if !(least..=most).contains(&value) {
                let range = match most {
                    usize::MAX => format!("at least {least}"),
                    most => format!("between {least} and {most}"),
                };
                let field = name.strip_prefix("the length of ").unwrap_or(name);
                return Err((field, wrong(name, value.to_string(), &range)));
            }
        }
        if self.n > 1 && self.temperature == 0.0 {
            let range = "1 where temperature is 0: all answers would be the same";
            return Err(("n", wrong("n", self.n.to_string(), range)));
        }
        if let Some(most) = self.max_tokens.filter(|&most| self.min_tokens > most) {
            let error = format!("min_tokens is {}, more than max_tokens, {most}", self.min_tokens);
            return Err(("min_tokens", Error::input(error)));
        }
        if let Some(Repetition { shortest, longest, times }) = self.repetition
            && !(shortest >= 1
                && shortest <= longest
                && longest <= MOST_LISTED
                && (2..=MOST_LISTED).contains(&times))
        {
            let error = format!(
                "repetition_detection looks for runs of {shortest} to {longest} tokens that come {times} times"
            );
            let range = format!("a run has 1 to {MOST_LISTED} tokens and comes 2 to {MOST_LISTED} times");
            return Err(("repetition_detection", Error::input(error).help(range)));
        }
        if !self.detokenize && !self.stop.is_empty() {
            let error = Error::input("stop strings are looked for in the text, which is not made");
            return Err(("stop", error.help("give stop_token_ids, or leave detokenize as it is")));
        }
        let tokens = self.logit_bias.iter().map(|(token, _)| ("logit_bias", *token));
        let tokens = tokens.chain(self.logprob_tokens.iter().map(|t| ("logprob_token_ids", *t)));
        let tokens = tokens.chain(self.allowed_tokens.iter().flatten().map(|t| ("allowed_token_ids", *t)));
        for (name, token) in tokens.chain(self.stop_tokens.iter().map(|t| ("stop_token_ids", *t))) {
            if token as usize >= vocabulary {
                let error = format!("{name} has token {token}, the model has {vocabulary} tokens");
                return Err((name, Error::input(error).help("tokens count from 0")));
            }
        }
        if self.logit_bias.iter().any(|(_, bias)| !bias.is_finite()) {
            return Err(("logit_bias", wrong("logit_bias", "no number".to_owned(), "finite numbers")));
        }
        if self.allowed_tokens.as_ref().is_some_and(Vec::is_empty) {
            let name = "allowed_token_ids";
            return Err((name, wrong(name, "empty".to_owned(), "a list of at least one token")));
        }
        for (name, texts) in [("stop", &self.stop), ("bad_words", &self.bad_words)] {
            if texts.iter().any(String::is_empty) {
                return Err((name, Error::input(format!("{name} has an empty text")).help("leave it out")));
            }
        }
        Ok(())
    }
}

fn wrong(name: &str, value: String, range: &str) -> Error {
    Error::input(format!("{name} is {value}, it must be {range}"))
}
