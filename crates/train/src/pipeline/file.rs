//! Files that describe pipelines.

use std::path::Path;

use jarrah_base::{Error, Location, Result, distance};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::build::{Builder, Flow, Pipeline, PipelineThreads};
use super::keys::{KINDS, SourceKeys, StageKeys};
use crate::recipe::{GivenValue, RecipeKey, Setting, ValueOrigin, describe, set_section};

/// The description of a pipeline: sources, and stages behind them.
///
/// `[[source]]` has the keys of files of records, and `[[source.stage]]` stages of this source alone; several sources are mixed by their weights. Each `[[stage]]`
/// has its `kind` and the keys of that kind ([`stage_help`](super::stage_help) lists them); stages follow one another as they stand in the file.
///
/// Paths are looked for from the working folder on.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineFile {
    sources: Vec<SourcePart>,
    stages: Vec<StagePart>,
    /// The name of the file.
    name: String,
}

/// A source, and its own stages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourcePart {
    pub(super) keys: SourceKeys,
    pub(super) stages: Vec<StagePart>,
    pub(super) at: Location,
}

/// A stage, and the line of its table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StagePart {
    pub(super) keys: StageKeys,
    pub(super) at: Location,
}

/// The form of the first element behind a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StageForm {
    /// The name of the stage's kind; `source` of a source, `mix` of the mixture.
    pub kind: &'static str,
    /// The line of the stage in the file.
    pub at: Location,
    /// The element; `None` where the stage delivers none.
    pub element: Option<String>,
}

/// The forms of the first elements of a source, and behind each of its stages.
pub type SourceForms = Vec<StageForm>;

impl PipelineFile {
    /// The pipeline that a file describes.
    ///
    /// # Errors
    /// The file cannot be read; as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|e| Error::io("read the pipeline", path, &e))?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// The pipeline that a text describes; errors name `file`.
    ///
    /// # Errors
    /// The text is not TOML, there is no source, a key or a kind of stage is unknown, or a value has another type or is outside its range: with the line (`Input`).
    pub fn from_toml(text: &str, file: &str) -> Result<Self> {
        let origin = ValueOrigin::File(file, text);
        let table = DeTable::parse(text).map_err(|e| {
            origin.locate(Error::input(e.message().to_owned()), e.span().map_or(0, |span| span.start))
        })?;
        let reader = Reader { origin: &origin, file };
        let mut pipeline = PipelineFile { sources: Vec::new(), stages: Vec::new(), name: file.to_owned() };
        for (name, value) in in_order(table.get_ref()) {
            match name.get_ref().as_ref() {
                "source" => {
                    pipeline.sources =
                        reader.tables("source", value)?.map(|t| reader.source(t)).collect::<Result<_>>()?
                }
                "stage" => pipeline.stages = reader.stages("stage", value)?,
                other => {
                    let error = Error::input(format!("there is no key {other}"));
                    return Err(origin
                        .locate(error, name.span().start)
                        .help("a pipeline has [[source]] and [[stage]]"));
                }
            }
        }
        if pipeline.sources.is_empty() {
            return Err(Error::input(format!("the pipeline {file} has no source"))
                .help("write [[source]] and files = [\"train/*.jsonl\"]"));
        }
        Ok(pipeline)
    }

    /// Opens the files and adds the stages.
    ///
    /// # Errors
    /// A file, a tokenizer or a template cannot be read, or a stage does not fit behind the ones before it (`Input`, with the line).
    pub fn open(&self) -> Result<Pipeline> {
        self.open_with(PipelineThreads::AsTold)
    }

    /// As [`open`](Self::open), with another number of threads.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(&self, threads: PipelineThreads) -> Result<Pipeline> {
        let builder = Builder::new(threads);
        let last = self.stages.last().map_or(self.sources[0].at, |stage| stage.at);
        Ok(self.flow(&builder, self.stages.len())?.end(last, &builder))
    }

    /// The pipeline up to so many of the stages.
    fn flow(&self, builder: &Builder, stages: usize) -> Result<Flow> {
        let sources = self.sources.iter().map(|source| source.flow(builder, source.stages.len()));
        let sources = sources.collect::<Result<Vec<_>>>()?;
        let weights: Vec<f64> = self.sources.iter().map(|source| source.keys.weight).collect();
        let mixed = Flow::mixed(sources, &weights, self.sources[0].at, builder)?;
        self.stages[..stages].iter().try_fold(mixed, |flow, stage| flow.then(&stage.keys, stage.at, builder))
    }

    /// The form of the first element behind each source and each of its stages; then, of the mixture if there are several sources, and of each stage behind it.
    ///
    /// Each is found by running the pipeline up to that stage.
    ///
    /// # Errors
    /// As [`open`](Self::open), and as the elements' stages.
    pub fn forms(&self) -> Result<(Vec<SourceForms>, Vec<StageForm>)> {
        let builder = Builder::new(PipelineThreads::None);
        let mut sources = Vec::new();
        for source in &self.sources {
            let mut forms = Vec::new();
            for count in 0..=source.stages.len() {
                let (kind, at) = match count.checked_sub(1) {
                    None => ("source", source.at),
                    Some(last) => (source.stages[last].keys.kind(), source.stages[last].at),
                };
                forms.push(StageForm {
                    kind,
                    at,
                    element: source.flow(&builder, count)?.end(at, &builder).first()?,
                });
            }
            sources.push(forms);
        }
        let mut forms = Vec::new();
        for count in 0..=self.stages.len() {
            let (kind, at) = match count.checked_sub(1) {
                None if sources.len() == 1 => continue,
                None => ("mix", self.sources[0].at),
                Some(last) => (self.stages[last].keys.kind(), self.stages[last].at),
            };
            forms.push(StageForm {
                kind,
                at,
                element: self.flow(&builder, count)?.end(at, &builder).first()?,
            });
        }
        Ok((sources, forms))
    }

    /// The tokenizers that stages name, in their order.
    pub fn tokenizers(&self) -> Vec<&str> {
        let stages = self.sources.iter().flat_map(|source| &source.stages).chain(&self.stages);
        let named = stages.filter_map(|stage| match &stage.keys {
            StageKeys::Tokenize(keys) => keys.tokenizer.as_deref(),
            StageKeys::Chat(keys) => keys.tokenizer.as_deref(),
            _ => None,
        });
        named.collect()
    }

    /// The chat template that the first stage of kind chat names, if it names one.
    pub fn template(&self) -> Option<&str> {
        let stages = self.sources.iter().flat_map(|source| &source.stages).chain(&self.stages);
        let mut chats = stages.filter_map(|stage| match &stage.keys {
            StageKeys::Chat(keys) => Some(keys.template.as_deref()),
            _ => None,
        });
        chats.next().flatten()
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl SourcePart {
    fn flow(&self, builder: &Builder, stages: usize) -> Result<Flow> {
        let begun = Flow::source(&self.keys, self.at)?;
        self.stages[..stages].iter().try_fold(begun, |flow, stage| flow.then(&stage.keys, stage.at, builder))
    }
}

type Entry<'a, 'i> = (&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>);

/// The entries of a table as they stand in the file.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Entry<'a, 'i>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// A table of a list.
struct Part<'a, 'i> {
    table: &'a DeTable<'i>,
    at: usize,
}

struct Reader<'a> {
    origin: &'a ValueOrigin<'a>,
    file: &'a str,
}

impl Reader<'_> {
    fn place(&self, offset: usize) -> Location {
        self.origin.place(offset).unwrap_or_else(|| Location::new(self.file, 1, 1))
    }

    fn fault(&self, text: String, offset: usize) -> Error {
        self.origin.locate(Error::input(text), offset)
    }

    /// The tables of a list.
    fn tables<'a, 'i>(
        &self,
        key: &str,
        value: &'a Spanned<DeValue<'i>>,
    ) -> Result<impl Iterator<Item = Part<'a, 'i>> + use<'a, 'i>> {
        let wrong = |found: &DeValue, at: usize| {
            self.fault(format!("{key} must be a list of tables, but is {}", describe(found)), at)
                .help(format!("write [[{key}]] before the keys of each"))
        };
        let Some(items) = value.get_ref().as_array() else {
            return Err(wrong(value.get_ref(), value.span().start));
        };
        let mut parts = Vec::with_capacity(items.len());
        for item in items.iter() {
            let at = item.span().start;
            let table = item.get_ref().as_table().ok_or_else(|| wrong(item.get_ref(), at))?;
            parts.push(Part { table, at });
        }
        Ok(parts.into_iter())
    }

    /// The table without the entry of a key, and that entry.
    fn without<'a, 'i>(part: &Part<'a, 'i>, key: &str) -> (DeValue<'i>, Option<&'a Spanned<DeValue<'i>>>) {
        let rest: DeTable = part
            .table
            .iter()
            .filter(|(name, _)| **name.get_ref() != *key)
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        (DeValue::Table(rest), part.table.get(key))
    }

    fn given<'b>(
        &'b self,
        key: &str,
        value: &'b DeValue<'b>,
        at: usize,
        known: &'b [RecipeKey],
    ) -> GivenValue<'b> {
        GivenValue { key: key.to_owned(), value, span: at..at, origin: self.origin, known }
    }

    fn source(&self, part: Part) -> Result<SourcePart> {
        let (rest, stages) = Self::without(&part, "stage");
        let mut known = Vec::new();
        SourceKeys::default().list("source", "", &mut known);
        let mut keys = SourceKeys::default();
        set_section(&mut keys, &[], &self.given("source", &rest, part.at, &known))?;
        let stages = stages.map_or(Ok(Vec::new()), |stages| self.stages("source.stage", stages))?;
        if keys.files.is_empty() {
            return Err(self
                .fault("the source names no file".to_owned(), part.at)
                .help("write files = [\"train/*.jsonl\"]"));
        }
        Ok(SourcePart { keys, stages, at: self.place(part.at) })
    }

    fn stages(&self, key: &str, value: &Spanned<DeValue>) -> Result<Vec<StagePart>> {
        self.tables(key, value)?.map(|part| self.stage(&part)).collect()
    }

    fn stage(&self, part: &Part) -> Result<StagePart> {
        let (rest, kind) = Self::without(part, "kind");
        let kinds = || format!("the kinds are {}", KINDS.join(", "));
        let Some(kind) = kind else {
            return Err(self.fault("the stage has no kind".to_owned(), part.at).help(kinds()));
        };
        let Some(name) = kind.get_ref().as_str() else {
            let found = describe(kind.get_ref());
            return Err(self
                .fault(format!("kind must be a string, but is {found}"), kind.span().start)
                .help(kinds()));
        };
        let Some(mut keys) = StageKeys::named(name) else {
            let error = self.fault(format!("there is no kind of stage {name}"), kind.span().start);
            let nearest = KINDS.iter().find(|known| distance(name, known) <= 1 + name.chars().count() / 4);
            return Err(error.help(nearest.map_or_else(kinds, |known| format!("did you mean {known}?"))));
        };
        let mut known = Vec::new();
        keys.list(&mut known);
        let node = self.given(name, &rest, part.at, &known);
        keys.set(&node)?;
        Ok(StagePart { keys, at: self.place(part.at) })
    }
}
