use jarrah_base::{Error, Result};

/// How a family of models writes calls of tools, by the names of vLLM's parsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolFormat {
    /// `hermes`: `<tool_call>{"name": .., "arguments": {..}}</tool_call>`, of Hermes, Qwen 2.5 and 3 and Granite 4.
    Hermes,
    /// `qwen3_coder`: `<tool_call><function=NAME><parameter=KEY>TEXT</parameter></function></tool_call>`.
    Qwen3Coder,
    /// `llama3_json`: `{"name": .., "parameters": {..}}`, at the beginning or behind `<|python_tag|>`, with `;` between.
    Llama3Json,
    /// `llama4_pythonic`: `[name(key=value)]`, perhaps within `<|python_start|>` and `<|python_end|>`.
    Llama4Pythonic,
    /// `pythonic`: the same, without marks.
    Pythonic,
    /// `mistral`: `[TOOL_CALLS]` and a list of objects, or `[TOOL_CALLS]NAME[ARGS]{..}` from the eleventh tokenizer on.
    Mistral,
    /// `deepseek_v3`: a name and a block of JSON between marks, of DeepSeek V3 and R1.
    DeepSeekV3,
    /// `deepseek_v31`: a name and JSON between marks.
    DeepSeekV31,
    /// `openai`: messages of the channel `commentary` to `functions.NAME`, of gpt-oss.
    OpenAi,
    /// `granite`: `<|tool_call|>` or `<tool_call>` and a list of objects, of Granite 3.
    Granite,
    /// `jamba`: `<tool_calls>[..]</tool_calls>`.
    Jamba,
    /// `phi4_mini_json`: `functools[..]`.
    Phi4MiniJson,
    /// `kimi_k2`: names with numbers and JSON between marks.
    KimiK2,
    /// `longcat`: as Hermes, with `longcat_tool_call`.
    Longcat,
    /// `lfm2`: calls as Python writes them between `<|tool_call_start|>` and `<|tool_call_end|>`.
    Lfm2,
}

/// A format, its names, and a text that the chat templates of its models have, and no others that come behind it here.
type Row = (ToolFormat, &'static [&'static str], &'static str);

#[rustfmt::skip]
const TABLE: [Row; 15] = [
    (ToolFormat::OpenAi, &["openai"], "<|channel|>commentary"),
    (ToolFormat::Qwen3Coder, &["qwen3_coder", "qwen3_xml"], "<function="),
    (ToolFormat::KimiK2, &["kimi_k2"], "<|tool_calls_section_begin|>"),
    (ToolFormat::DeepSeekV3, &["deepseek_v3"], "```json"),
    (ToolFormat::DeepSeekV31, &["deepseek_v31"], "<｜tool▁calls▁begin｜>"),
    (ToolFormat::Mistral, &["mistral"], "[TOOL_CALLS]"),
    (ToolFormat::Longcat, &["longcat"], "<longcat_tool_call>"),
    (ToolFormat::Lfm2, &["lfm2"], "<|tool_call_start|>"),
    (ToolFormat::Granite, &["granite"], "<|tool_call|>"),
    (ToolFormat::Jamba, &["jamba"], "<tool_calls>"),
    (ToolFormat::Hermes, &["hermes", "granite4"], "<tool_call>"),
    (ToolFormat::Phi4MiniJson, &["phi4_mini_json"], "functools"),
    (ToolFormat::Llama4Pythonic, &["llama4_pythonic"], "<|python_start|>"),
    (ToolFormat::Llama3Json, &["llama3_json", "llama4_json"], "<|python_tag|>"),
    (ToolFormat::Pythonic, &["pythonic"], "[func_name1("),
];

impl ToolFormat {
    /// All formats.
    pub fn all() -> impl Iterator<Item = ToolFormat> {
        TABLE.iter().map(|row| row.0)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().flat_map(|row| row.1).copied()
    }

    /// The first name of the format.
    pub fn name(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.1[0])
    }

    /// The format of a name.
    ///
    /// # Errors
    /// No format has the name (`Input`).
    ///
    /// ```
    /// use jarrah_structured::ToolFormat;
    /// assert_eq!(ToolFormat::named("qwen3_coder")?, ToolFormat::Qwen3Coder);
    /// assert!(ToolFormat::named("qwen").unwrap_err().to_string().contains("hermes"));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<ToolFormat> {
        let row = TABLE.iter().find(|row| row.1.contains(&name));
        row.map(|row| row.0).ok_or_else(|| {
            let names: Vec<&str> = Self::names().collect();
            Error::input(format!("no tool parser is called {name:?}"))
                .help(format!("known are {}", names.join(", ")))
        })
    }

    /// The format of a model, by the text of its chat template, or by its architecture, such as `LlamaForCausalLM`, where the template has no marks;
    /// none if neither says it.
    pub fn guess(template: &str, architecture: &str) -> Option<ToolFormat> {
        let has = |mark: &str| template.contains(mark);
        let by_template = TABLE.iter().find(|(format, _, mark)| match format {
            ToolFormat::DeepSeekV3 => has("<｜tool▁calls▁begin｜>") && has(mark),
            ToolFormat::OpenAi => has(mark) || (has("<|channel|>") && has("to=functions")),
            _ => has(mark),
        });
        let by_architecture = || {
            let begins = |name: &str| architecture.starts_with(name);
            match () {
                () if begins("GptOss") => Some(ToolFormat::OpenAi),
                () if begins("Llama4") => Some(ToolFormat::Llama4Pythonic),
                // Templates of Llama 3 describe their format in words.
                () if begins("Llama") && has("tools") => Some(ToolFormat::Llama3Json),
                () if begins("Mistral") || begins("Mixtral") => Some(ToolFormat::Mistral),
                () if begins("Qwen2") || begins("Qwen3") => Some(ToolFormat::Hermes),
                () if begins("DeepseekV3") => Some(ToolFormat::DeepSeekV3),
                () => None,
            }
        };
        by_template.map(|row| row.0).or_else(by_architecture)
    }
}
