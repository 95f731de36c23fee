//! The keys of sources and of each kind of stage.

use jarrah_base::{Error, Result};
use jarrah_data::{PackStrategy, RecordFormat};
use toml::de::DeValue;

use crate::declare;
use crate::recipe::choices::choices;
use crate::recipe::{GivenValue, KeyValue, RecipeKey, Setting, set_section};

impl KeyValue for RecordFormat {
    fn names() -> [String; 2] {
        [(); 2].map(|()| RecordFormat::names().join(", "))
    }

    fn read(value: &DeValue, raw: Option<&str>) -> Option<Self> {
        value.as_str().or(raw)?.parse().ok()
    }

    fn show(&self) -> Option<String> {
        String::show(&self.to_string())
    }
}

choices! {
    /// The row that takes the next text.
    pub enum Fit {
        /// The first with room.
        First = "first_fit",
        /// The fullest with room.
        Best = "best_fit",
    }
}

impl Fit {
    /// The strategy of packing.
    pub fn strategy(self) -> PackStrategy {
        match self {
            Fit::First => PackStrategy::FirstFit,
            Fit::Best => PackStrategy::BestFit,
        }
    }
}

declare! {
    /// Records of files. Several sources are mixed.
    pub struct SourceKeys {
        /// Files and globs, in their order.
        files: Vec<String> = Vec::new();
        /// The format of the files; unset, the one that the first of them shows.
        format: Option<RecordFormat> = None;
        /// Whether damaged records are left out, rather than an error.
        skip_damaged: bool = false;
        /// The share of a mixture, next to those of the other sources.
        weight: f64 = 1.0, in 1e-6..=1e6;
    }
}

declare! {
    /// The text of a field of records that are objects of JSON. Records without it are left out.
    pub struct JsonKeys {
        /// The field; dots lead to fields of fields.
        field: String = "text".to_owned();
    }
}

declare! {
    /// A text of records that are a tf.train.Example, or tensors of their features.
    pub struct ExampleKeys {
        /// The feature that is a text; records without it are left out.
        text: Option<String> = None;
        /// The features that become tensors.
        features: Vec<String> = Vec::new();
    }
}

declare! {
    /// The elements that pass all conditions.
    pub struct FilterKeys {
        /// A field of JSON, which must be there.
        field: Option<String> = None;
        /// The values that the field may have.
        equals: Vec<String> = Vec::new();
        /// The least bytes of a record.
        min_bytes: Option<usize> = None;
        /// The most bytes of a record.
        max_bytes: Option<usize> = None;
        /// The least tokens of a text.
        min_tokens: Option<usize> = None;
        /// The most tokens of a text.
        max_tokens: Option<usize> = None;
    }
}

declare! {
    /// The tokens of texts.
    pub struct TokenizeKeys {
        /// A tokenizer's file, or the folder with it.
        tokenizer: Option<String> = None;
        /// Whether the token that ends a text stands behind each.
        end: bool = true;
    }
}

declare! {
    /// The tokens of chats, with marks of those that are learned: the answers.
    pub struct ChatKeys {
        /// The folder with the tokenizer, and with the chat template unless one is named.
        tokenizer: Option<String> = None;
        /// The chat template, a file in Jinja.
        template: Option<String> = None;
    }
}

declare! {
    /// A random order of all elements, another one in each epoch. Records must be found by number.
    pub struct ShuffleKeys {
        /// The seed, below 2^32.
        seed: u64 = 0, in 0..=4_294_967_295;
    }
}

declare! {
    /// A random order within windows, which are in memory one at a time.
    pub struct WindowShuffleKeys {
        /// The elements of a window.
        size: Option<usize> = None, in 1..=1_048_576;
        /// The seed, below 2^32.
        seed: u64 = 0, in 0..=4_294_967_295;
    }
}

declare! {
    /// The elements again and again.
    pub struct RepeatKeys {
        /// The number of epochs; unset, without end.
        epochs: Option<u64> = None, in 1..;
    }
}

declare! {
    /// The first elements.
    pub struct LimitKeys {
        /// How many.
        count: Option<u64> = None;
    }
}

declare! {
    /// Every so many-th element. Records must be found by number.
    pub struct ShardKeys {
        /// The number of this shard, from 0 on.
        index: u64 = 0;
        /// The number of shards.
        count: u64 = 1, in 1..=4_294_967_295;
    }
}

declare! {
    /// Threads that make the elements of the stages before, which are found by number. The order stays.
    pub struct ThreadsKeys {
        /// The number of threads.
        count: usize = 2, in 0..=1024;
        /// The most elements that are made ahead.
        buffer: usize = 500, in 1..=1_048_576;
    }
}

declare! {
    /// A thread that makes the elements of the stages before.
    pub struct PrefetchKeys {
        /// The most elements that are made ahead.
        buffer: usize = 4, in 1..=1_048_576;
    }
}

declare! {
    /// Rows of whole texts, with the number of the text that each token is of and its place in the text.
    pub struct PackKeys {
        /// The tokens of a row.
        length: Option<usize> = None, in 1..=1_073_741_824;
        /// Rows that are open at a time.
        bins: usize = 16, in 1..=1_048_576;
        /// The row that takes the next text: first_fit or best_fit.
        strategy: Fit = Fit::First;
        /// Delivers the rows of full bins in a random order, by this seed.
        shuffle: Option<u64> = None;
        /// Whether a text that is longer than a row is cut; else it is an error.
        truncate: bool = false;
        /// The id between and behind texts.
        padding: u64 = 0, in 0..=2_147_483_647;
    }
}

declare! {
    /// Rows of texts one behind the other, cut where a row ends.
    pub struct SplitKeys {
        /// The tokens of a row.
        length: Option<usize> = None, in 1..=1_073_741_824;
    }
}

declare! {
    /// Batches of features.
    pub struct BatchKeys {
        /// The elements of a batch.
        size: Option<usize> = None, in 1..=1_048_576;
        /// Whether a last batch of fewer elements is left out.
        drop_remainder: bool = true;
    }
}

/// Declares the kinds of stages: each with its name and its keys.
macro_rules! kinds {
    ($($kind:ident($keys:ty) = $name:literal,)+) => {
        /// The keys of a stage.
        #[derive(Clone, Debug, PartialEq)]
        pub enum StageKeys {
            $($kind($keys),)+
        }

        /// The names of the kinds.
        pub const KINDS: &[&str] = &[$($name),+];

        impl StageKeys {
            /// The kind of this name, with defaults.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(StageKeys::$kind(<$keys>::default())),)+
                    _ => None,
                }
            }

            pub fn kind(&self) -> &'static str {
                match self { $(StageKeys::$kind(_) => $name,)+ }
            }

            /// Lists the keys, behind the kind itself.
            pub fn list(&self, keys: &mut Vec<RecipeKey>) {
                match self { $(StageKeys::$kind(section) => section.list(self.kind(), "", keys),)+ }
            }

            /// Sets the keys that a table gives.
            pub fn set(&mut self, node: &GivenValue) -> Result<()> {
                match self { $(StageKeys::$kind(section) => set_section(section, &[], node),)+ }
            }

            fn about(&self) -> &'static str {
                match self { $(StageKeys::$kind(_) => <$keys>::ABOUT,)+ }
            }
        }
    };
}

kinds! {
    Json(JsonKeys) = "json",
    Example(ExampleKeys) = "example",
    Filter(FilterKeys) = "filter",
    Tokenize(TokenizeKeys) = "tokenize",
    Chat(ChatKeys) = "chat",
    Shuffle(ShuffleKeys) = "shuffle",
    WindowShuffle(WindowShuffleKeys) = "window_shuffle",
    Repeat(RepeatKeys) = "repeat",
    Limit(LimitKeys) = "limit",
    Shard(ShardKeys) = "shard",
    Threads(ThreadsKeys) = "threads",
    Prefetch(PrefetchKeys) = "prefetch",
    Pack(PackKeys) = "pack",
    ConcatThenSplit(SplitKeys) = "concat_then_split",
    Batch(BatchKeys) = "batch",
}

/// The value of a key that must be given.
///
/// # Errors
/// It is not (`Input`).
pub fn needed<T: Clone>(value: &Option<T>, key: &str) -> Result<T> {
    value.clone().ok_or_else(|| Error::input(format!("the stage needs the key {key}")))
}

/// The keys of a source and of each kind of stage, with their defaults and docs.
pub fn stage_help() -> String {
    let mut text = section("source", SourceKeys::ABOUT, |keys| {
        SourceKeys::default().list("source", "", keys);
    });
    for stage in KINDS.iter().filter_map(|name| StageKeys::named(name)) {
        text += &section(stage.kind(), stage.about(), |keys| stage.list(keys));
    }
    text
}

fn section(name: &str, about: &str, list: impl FnOnce(&mut Vec<RecipeKey>)) -> String {
    let mut keys = Vec::new();
    list(&mut keys);
    let mut text = format!("{name}: {}\n", about.trim());
    for key in keys.iter().filter(|key| !key.is_section) {
        let value = key.value.clone().unwrap_or_else(|| "-".to_owned());
        let own = key.name.strip_prefix(name).unwrap_or(&key.name).trim_start_matches('.');
        text += &format!("  {:<24} {}\n", format!("{own} = {value}"), key.doc);
    }
    text
}
