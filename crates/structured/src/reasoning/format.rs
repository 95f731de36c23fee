use jarrah_base::{Error, Result};

/// How a family of models marks its reasoning, by the names of vLLM's parsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasoningFormat {
    /// `deepseek_r1`: the output begins within `<think>`, which the prompt or the model writes, and `</think>` ends it.
    DeepSeekR1,
    /// `qwen3`: `<think>` and `</think>`, which may be missing.
    Qwen3,
    /// `mistral`: `[THINK]` and `[/THINK]`.
    Mistral,
    /// `granite`: two sentences, `Here is my thought process:` and `Here is my response:`.
    Granite,
    /// `seed_oss`: `<seed:think>` and `</seed:think>`.
    SeedOss,
    /// `openai_gptoss`: the channel `analysis` of Harmony.
    OpenAiGptOss,
}

/// Where an output stands in its reasoning when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beginning {
    /// The output begins inside of the reasoning: the prompt opened it, or the family of models begins so.
    Inside,
    /// The output begins before the reasoning: the model may open it.
    Before,
    /// The output begins behind the reasoning: the prompt closed it.
    After,
}

/// A format: its names, the marks that begin the reasoning, those that end it, and where an output begins if the prompt does not say.
type Row =
    (ReasoningFormat, &'static [&'static str], &'static [&'static str], &'static [&'static str], Beginning);

#[rustfmt::skip]
const TABLE: [Row; 6] = [
    (ReasoningFormat::DeepSeekR1, &["deepseek_r1", "step3", "minimax_m2", "holo2"], &["<think>"], &["</think>"], Beginning::Inside),
    (ReasoningFormat::Qwen3, &["qwen3", "deepseek_v3", "deepseek_v31", "glm45", "glm47", "kimi_k2", "nemotron_v3", "olmo3", "mimo"], &["<think>"], &["</think>"], Beginning::Before),
    (ReasoningFormat::Mistral, &["mistral"], &["[THINK]"], &["[/THINK]"], Beginning::Before),
    (ReasoningFormat::Granite, &["granite"], &["Here is my thought process:", "Here's my thought process:"], &["Here is my response:", "Here's my response:"], Beginning::Before),
    (ReasoningFormat::SeedOss, &["seed_oss"], &["<seed:think>"], &["</seed:think>"], Beginning::Before),
    (ReasoningFormat::OpenAiGptOss, &["openai_gptoss"], &["<|channel|>analysis<|message|>"], &["<|end|>"], Beginning::Before),
];

impl ReasoningFormat {
    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.0 == self).expect("invariant: every format has a row")
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().flat_map(|row| row.1).copied()
    }

    /// The first name of the format.
    pub fn name(self) -> &'static str {
        self.row().1[0]
    }

    /// The format of a name.
    ///
    /// # Errors
    /// No format has the name (`Input`).
    ///
    /// ```
    /// use jarrah_structured::ReasoningFormat;
    /// assert_eq!(ReasoningFormat::named("qwen3")?, ReasoningFormat::Qwen3);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<ReasoningFormat> {
        let row = TABLE.iter().find(|row| row.1.contains(&name));
        row.map(|row| row.0).ok_or_else(|| {
            let names: Vec<&str> = Self::names().collect();
            Error::input(format!("no reasoning parser is called {name:?}"))
                .help(format!("known are {}", names.join(", ")))
        })
    }

    /// The format that a chat template writes, by its marks; none if it has none that is known.
    pub fn guess(template: &str) -> Option<ReasoningFormat> {
        let has = |mark: &str| template.contains(mark);
        let first = match () {
            () if has("<|channel|>") && has("<|message|>") => ReasoningFormat::OpenAiGptOss,
            () if has("[THINK]") => ReasoningFormat::Mistral,
            () if has("<seed:think>") => ReasoningFormat::SeedOss,
            () if has("Here is my thought process") => ReasoningFormat::Granite,
            // A template that writes the beginning itself, without a switch, leaves the model within it.
            () if has("</think>") && has("<think>") && !has("enable_thinking") && has("tool▁calls▁begin") => {
                ReasoningFormat::DeepSeekR1
            }
            () if has("</think>") => ReasoningFormat::Qwen3,
            () => return None,
        };
        Some(first)
    }

    /// The marks that begin reasoning.
    pub fn begins(self) -> &'static [&'static str] {
        self.row().2
    }

    /// The marks that end it.
    pub fn ends(self) -> &'static [&'static str] {
        self.row().3
    }

    /// Whether the tokenizers of its families have each mark as a token, as those of vLLM's parsers must; the marks of others are sentences, or several tokens.
    pub fn has_tokens(self) -> bool {
        !matches!(self, ReasoningFormat::Granite | ReasoningFormat::OpenAiGptOss)
    }

    /// Where the output to this prompt begins: within the reasoning if the prompt ends with a mark that opens it, behind it if with one that closes
    /// it, and else as the family of models does.
    ///
    /// ```
    /// use jarrah_structured::{Beginning, ReasoningFormat};
    /// let format = ReasoningFormat::Qwen3;
    /// assert_eq!(format.beginning("<|im_start|>assistant\n<think>\n"), Beginning::Inside);
    /// assert_eq!(format.beginning("<|im_start|>assistant\n<think>\n\n</think>\n\n"), Beginning::After);
    /// assert_eq!(format.beginning("<|im_start|>assistant\n"), Beginning::Before);
    /// ```
    pub fn beginning(self, prompt: &str) -> Beginning {
        // Marks of earlier turns say nothing of this one.
        let end = prompt.trim_end();
        let within = |marks: &[&str]| marks.iter().any(|mark| end.ends_with(mark));
        match (within(self.begins()), within(self.ends())) {
            (true, _) => Beginning::Inside,
            // The message before ended with it, too.
            (_, true) if self != ReasoningFormat::OpenAiGptOss => Beginning::After,
            _ => self.row().4,
        }
    }
}
