//! The files that tokenizers come in, and those beside them.

/// The files of which each is a whole tokenizer, in the order in which they are looked for; after them, ranks whose names end with [`RANKS`], and then
/// [`PAIR`].
pub const TOKENIZERS: [&str; 4] = ["tokenizer.json", "tokenizer.model", "spiece.model", "tiktoken.model"];
/// The end of the names of ranks as tiktoken has them.
pub const RANKS: &str = ".tiktoken";
/// A vocabulary and its merges, which are a tokenizer together.
pub const PAIR: [&str; 2] = ["vocab.json", "merges.txt"];
/// The vocabularies of tokenizers that have no file of their own here: where one is alone, there is a tokenizer of a kind that is not read.
pub const VOCABULARIES: [&str; 2] = ["vocab.json", "vocab.txt"];
/// The template of a model's chats.
pub const CHAT_TEMPLATE: &str = "chat_template.jinja";
/// Templates of a model's chats by name, as older folders have them.
pub const CHAT_TEMPLATES: &str = "chat_template.json";
/// The folder of further templates of a model's chats.
pub const MORE_TEMPLATES: &str = "additional_chat_templates";
/// Files with more about a tokenizer, and with the templates of chats.
pub const BESIDE: [&str; 6] = [
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
    CHAT_TEMPLATE,
    CHAT_TEMPLATES,
];

/// Whether a file of this name is a whole tokenizer.
pub fn is_tokenizer(name: &str) -> bool {
    TOKENIZERS.contains(&name) || name.ends_with(RANKS)
}

/// Whether a file of this name belongs to a tokenizer: is one, or a part, or says more of it.
pub fn is_of_tokenizer(name: &str) -> bool {
    is_tokenizer(name) || VOCABULARIES.contains(&name) || BESIDE.contains(&name)
}

/// The tokenizer's file among files of these names; of several, the first in the order of preference; of a [`PAIR`], the vocabulary.
///
/// ```
/// use jarrah_formats::tokenizers::tokenizer_among;
/// assert_eq!(tokenizer_among(["b.tiktoken", "a.tiktoken", "spiece.model", "vocab.txt"]), Some("spiece.model"));
/// assert_eq!(tokenizer_among(["b.tiktoken", "a.tiktoken"]), Some("a.tiktoken"));
/// assert_eq!((tokenizer_among(["vocab.json", "merges.txt"]), tokenizer_among(["vocab.json"])), (Some("vocab.json"), None));
/// ```
pub fn tokenizer_among<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let place = |name: &str| TOKENIZERS.iter().position(|each| *each == name).unwrap_or(TOKENIZERS.len());
    let names: Vec<&str> = names.into_iter().collect();
    let whole =
        names.iter().copied().filter(|name| is_tokenizer(name)).min_by_key(|name| (place(name), *name));
    whole.or_else(|| PAIR.iter().all(|part| names.contains(part)).then_some(PAIR[0]))
}
