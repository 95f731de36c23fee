//! The datasets of a pipeline that a file describes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::str;

use jarrah_base::{Error, Location, Result};
use jarrah_data::{
    Features, FormatRecords, IterDataset, MapDataset, OnDamage, PackOptions, PipelineStage, ReadOptions,
    RecordBytes, RecordFormat, SplitOptions, TfExample, json_text, record_files, stages_named,
    token_features,
};
use jarrah_formats::tokenizers::CHAT_TEMPLATE;
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::{Record, Templates};

use super::form::{features_form, record_form};
use super::keys::{
    BatchKeys, ChatKeys, ExampleKeys, FilterKeys, PackKeys, ShardKeys, SourceKeys, SplitKeys, StageKeys,
    ThreadsKeys, TokenizeKeys, needed,
};
use crate::chatml::CHATML;

/// The feature that packing numbers the texts of.
const TOKENS: &str = "tokens";

/// A pipeline, by the kind of its elements.
#[derive(Clone)]
pub enum Pipeline {
    /// Records, or texts that stages took from them.
    Records(IterDataset<RecordBytes>),
    /// Named tensors: tokens of texts, rows or batches of them.
    Features(IterDataset<Features>),
}

impl Pipeline {
    /// The stages of the datasets: one or more for each stage of the file, whose line they have.
    pub fn stages(&self) -> Vec<PipelineStage> {
        match self {
            Pipeline::Records(records) => records.stages(),
            Pipeline::Features(features) => features.stages(),
        }
    }

    /// The form of the first element, if there is one.
    pub(super) fn first(&self) -> Result<Option<String>> {
        Ok(match self {
            Pipeline::Records(records) => {
                records.iter()?.next().transpose()?.map(|record| record_form(&record))
            }
            Pipeline::Features(features) => {
                features.iter()?.next().transpose()?.map(|all| features_form(&all))
            }
        })
    }
}

/// The threads that make elements of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineThreads {
    /// As the stages of the file say.
    AsTold,
    /// None but the one that asks for elements.
    None,
    /// So many wherever elements are found by number.
    Count(usize),
}

/// Builds a pipeline; a tokenizer is loaded once.
pub(super) struct Builder {
    threads: PipelineThreads,
    tokenizers: RefCell<BTreeMap<String, Tokenizer>>,
}

impl Builder {
    pub(super) fn new(threads: PipelineThreads) -> Self {
        Builder { threads, tokenizers: RefCell::default() }
    }

    fn tokenizer(&self, path: &str) -> Result<Tokenizer> {
        if let Some(known) = self.tokenizers.borrow().get(path) {
            return Ok(known.clone());
        }
        let tokenizer = Tokenizer::load(path)?;
        self.tokenizers.borrow_mut().insert(path.to_owned(), tokenizer.clone());
        Ok(tokenizer)
    }

    /// The options of reading elements by number, where the file says `told`.
    fn reading(&self, told: Option<&ThreadsKeys>) -> ReadOptions {
        let buffer = told.map_or(ReadOptions::default().buffer, |keys| keys.buffer);
        let threads = match self.threads {
            PipelineThreads::AsTold => told.map_or(0, |keys| keys.count),
            PipelineThreads::None => 0,
            PipelineThreads::Count(count) => count,
        };
        ReadOptions { threads, buffer }
    }
}

/// Elements on their way through the stages.
enum Elements {
    /// Records that are found by number.
    Numbered(MapDataset<RecordBytes>),
    /// Records one after the other.
    Records(IterDataset<RecordBytes>),
    /// The texts that each record became, which are found by the record's number; the line of the stage that made them.
    Lists(MapDataset<Vec<Features>>, Location),
    /// Features that are found by number.
    NumberedFeatures(MapDataset<Features>),
    /// Features one after the other.
    Features(IterDataset<Features>),
}

/// A pipeline to which stages are added.
pub(super) struct Flow {
    elements: Elements,
    /// The names of the features.
    names: Vec<String>,
}

/// Makes one call on the dataset of any kind of elements.
macro_rules! each {
    ($elements:expr, $dataset:ident => $call:expr) => {
        match $elements {
            Elements::Numbered($dataset) => Elements::Numbered($call),
            Elements::Records($dataset) => Elements::Records($call),
            Elements::Lists($dataset, at) => Elements::Lists($call, at),
            Elements::NumberedFeatures($dataset) => Elements::NumberedFeatures($call),
            Elements::Features($dataset) => Elements::Features($call),
        }
    };
}

/// Makes one call on the dataset of elements that are found by number; others are an error.
macro_rules! by_number {
    ($elements:expr, $dataset:ident => $call:expr) => {
        match $elements {
            Elements::Numbered($dataset) => Ok(Elements::Numbered($call)),
            Elements::Lists($dataset, at) => Ok(Elements::Lists($call, at)),
            Elements::NumberedFeatures($dataset) => Ok(Elements::NumberedFeatures($call)),
            Elements::Records(_) | Elements::Features(_) => Err(needs_numbers()),
        }
    };
}

fn needs_numbers() -> Error {
    Error::input("the stage needs elements that are found by number, but those before it come one after the other")
        .help("put it before stages that read in order (threads, prefetch, window_shuffle, pack), and uncompressed files into the source")
}

fn utf8(record: &[u8]) -> Result<&str> {
    str::from_utf8(record).map_err(|_| Error::input("the record is no text in UTF-8"))
}

impl Flow {
    /// The records of a source.
    ///
    /// # Errors
    /// A file cannot be read or has another format (`Input`, with the line of the source).
    pub(super) fn source(keys: &SourceKeys, at: Location) -> Result<Flow> {
        let open = || {
            let files = record_files(&keys.files)?;
            let format = match (keys.format, files.first()) {
                (Some(format), _) => format,
                (None, Some(first)) => RecordFormat::of_file(first)?,
                (None, None) => return Err(Error::input("the source has no file")),
            };
            let on_damage = if keys.skip_damaged { OnDamage::Skip } else { OnDamage::Fail };
            format.open_by_number(&files, on_damage)
        };
        let records = open().map_err(|e| e.at(at))?;
        let elements = stages_named("source", at, || match records {
            FormatRecords::Indexed(files) => Elements::Numbered(MapDataset::source(files)),
            in_order => Elements::Records(IterDataset::records(in_order)),
        });
        Ok(Flow { elements, names: Vec::new() })
    }

    /// Sources by their weights; one alone stays as it is.
    ///
    /// # Errors
    /// They have elements of different kinds (`Input`).
    pub(super) fn mixed(
        mut flows: Vec<Flow>,
        weights: &[f64],
        at: Location,
        builder: &Builder,
    ) -> Result<Flow> {
        if flows.len() == 1 {
            return flows.pop().ok_or_else(|| Error::internal("a pipeline has a source"));
        }
        let names = flows.first().map(|flow| flow.names.clone()).unwrap_or_default();
        if flows.iter().any(|flow| flow.names != names) {
            return Err(Error::input("the sources have elements of different kinds")
                .at(at)
                .help("give each source the stages that it needs: [[source.stage]]"));
        }
        let (mut numbered, mut lists, mut features) = (Vec::new(), Vec::new(), Vec::new());
        let count = flows.len();
        for flow in &flows {
            match &flow.elements {
                Elements::Numbered(dataset) => numbered.push(dataset.clone()),
                Elements::Lists(dataset, _) => lists.push(dataset.clone()),
                Elements::NumberedFeatures(dataset) => features.push(dataset.clone()),
                Elements::Records(_) | Elements::Features(_) => {}
            }
        }
        let weights = Some(weights);
        let elements = stages_named("mix", at, || {
            if numbered.len() == count {
                Elements::Numbered(MapDataset::mix(&numbered, weights))
            } else if lists.len() == count {
                Elements::Lists(MapDataset::mix(&lists, weights), at)
            } else if features.len() == count {
                Elements::NumberedFeatures(MapDataset::mix(&features, weights))
            } else {
                let (mut records, mut features) = (Vec::new(), Vec::new());
                for flow in flows {
                    match flow.end(at, builder) {
                        Pipeline::Records(dataset) => records.push(dataset),
                        Pipeline::Features(dataset) => features.push(dataset),
                    }
                }
                match records.is_empty() {
                    true => Elements::Features(IterDataset::mix(&features, weights)),
                    false => Elements::Records(IterDataset::mix(&records, weights)),
                }
            }
        });
        Ok(Flow { elements, names })
    }

    /// The elements one after the other.
    pub(super) fn end(self, at: Location, builder: &Builder) -> Pipeline {
        self.read(builder.reading(None), "read", at)
    }

    fn read(self, options: ReadOptions, name: &'static str, at: Location) -> Pipeline {
        match self.elements {
            Elements::Numbered(dataset) => {
                Pipeline::Records(stages_named(name, at, || dataset.to_iter_with(options)))
            }
            Elements::Records(dataset) => Pipeline::Records(dataset),
            Elements::Lists(dataset, made) => {
                let lists = stages_named(name, at, || dataset.to_iter_with(options));
                Pipeline::Features(stages_named("texts", made, || lists.flat_map(|list| list)))
            }
            Elements::NumberedFeatures(dataset) => {
                Pipeline::Features(stages_named(name, at, || dataset.to_iter_with(options)))
            }
            Elements::Features(dataset) => Pipeline::Features(dataset),
        }
    }

    /// The elements with a stage behind them.
    ///
    /// # Errors
    /// The stage does not fit behind those before it, or a file that it names cannot be read (`Input`, with the line).
    pub(super) fn then(self, keys: &StageKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let added = stages_named(keys.kind(), at, || self.add(keys, at, builder));
        added.map_err(|e| e.at(at).context(format!("in the stage {}", keys.kind())))
    }

    fn add(self, keys: &StageKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let names = self.names.clone();
        let same = |elements| Ok(Flow { elements, names });
        match keys {
            StageKeys::Json(keys) => self.json(keys.field.clone()),
            StageKeys::Example(keys) => self.example(keys),
            StageKeys::Filter(keys) => self.filter(keys, at, builder),
            StageKeys::Tokenize(keys) => self.tokenize(keys, builder),
            StageKeys::Chat(keys) => self.chat(keys, at, builder),
            StageKeys::Shuffle(keys) => same(by_number!(self.elements, data => data.shuffle(keys.seed))?),
            StageKeys::Shard(ShardKeys { index, count }) => {
                if index >= count {
                    return Err(Error::input(format!("there is no shard {index} of {count}"))
                        .help("shards are counted from 0"));
                }
                let (start, step) = (*index as i64, *count as i64);
                same(by_number!(self.elements, data => data.slice(Some(start), None, step))?)
            }
            StageKeys::Repeat(keys) => same(each!(self.elements, data => data.repeat(keys.epochs))),
            StageKeys::Limit(keys) => {
                let count = needed(&keys.count, "count")?;
                let bound = Some(i64::try_from(count).unwrap_or(i64::MAX));
                same(match self.elements {
                    Elements::Numbered(data) if !data.may_have_holes() => {
                        Elements::Numbered(data.slice(None, bound, 1))
                    }
                    Elements::NumberedFeatures(data) if !data.may_have_holes() => {
                        Elements::NumberedFeatures(data.slice(None, bound, 1))
                    }
                    elements => match (Flow { elements, names: Vec::new() }).end(at, builder) {
                        Pipeline::Records(data) => Elements::Records(data.limit(count)),
                        Pipeline::Features(data) => Elements::Features(data.limit(count)),
                    },
                })
            }
            StageKeys::Threads(keys) => {
                if matches!(self.elements, Elements::Records(_) | Elements::Features(_)) {
                    return Err(needs_numbers());
                }
                same(match self.read(builder.reading(Some(keys)), "threads", at) {
                    Pipeline::Records(data) => Elements::Records(data),
                    Pipeline::Features(data) => Elements::Features(data),
                })
            }
            StageKeys::WindowShuffle(keys) => {
                let size = needed(&keys.size, "size")?;
                same(match self.end(at, builder) {
                    Pipeline::Records(data) => Elements::Records(data.window_shuffle(size, keys.seed)),
                    Pipeline::Features(data) => Elements::Features(data.window_shuffle(size, keys.seed)),
                })
            }
            StageKeys::Prefetch(keys) => same(match self.end(at, builder) {
                Pipeline::Records(data) => Elements::Records(data.prefetch(keys.buffer)),
                Pipeline::Features(data) => Elements::Features(data.prefetch(keys.buffer)),
            }),
            StageKeys::Pack(keys) => self.pack(keys, at, builder),
            StageKeys::ConcatThenSplit(keys) => self.split(keys, at, builder),
            StageKeys::Batch(BatchKeys { size, drop_remainder }) => {
                let (size, drops) = (needed(size, "size")?, *drop_remainder);
                let stack = <Features as jarrah_data::Stack>::stack;
                same(Elements::Features(self.in_order(at, builder)?.batch_with(size, drops, stack)))
            }
        }
    }

    /// The features one after the other.
    fn in_order(self, at: Location, builder: &Builder) -> Result<IterDataset<Features>> {
        match self.end(at, builder) {
            Pipeline::Features(data) => Ok(data),
            Pipeline::Records(_) => {
                Err(Error::input("the stage needs features, but the stages before it deliver records")
                    .help("put tokenize, chat or example before it"))
            }
        }
    }

    /// `f` of each record, without those of which it makes nothing.
    fn records<U: Send + 'static>(
        self,
        f: impl Fn(RecordBytes) -> Result<Option<U>> + Send + Sync + 'static,
    ) -> Result<(Option<MapDataset<U>>, Option<IterDataset<U>>)> {
        match self.elements {
            Elements::Numbered(data) => Ok((Some(data.filter_map(f)), None)),
            Elements::Records(data) => Ok((None, Some(data.filter_map(f)))),
            _ => Err(Error::input("the stage needs records, but the stages before it deliver features")),
        }
    }

    /// `f` of each record, which makes features of these names.
    fn featured(
        self,
        names: Vec<String>,
        f: impl Fn(RecordBytes) -> Result<Option<Features>> + Send + Sync + 'static,
    ) -> Result<Flow> {
        Ok(match self.records(f)? {
            (Some(data), _) => Flow { elements: Elements::NumberedFeatures(data), names },
            (_, Some(data)) => Flow { elements: Elements::Features(data), names },
            (None, None) => return Err(Error::internal("records are found by number or in order")),
        })
    }

    /// `f` of each record, which makes another record.
    fn changed(
        self,
        f: impl Fn(RecordBytes) -> Result<Option<RecordBytes>> + Send + Sync + 'static,
    ) -> Result<Flow> {
        let elements = match self.records(f)? {
            (Some(data), _) => Elements::Numbered(data),
            (_, Some(data)) => Elements::Records(data),
            (None, None) => return Err(Error::internal("records are found by number or in order")),
        };
        Ok(Flow { elements, names: Vec::new() })
    }

    fn json(self, field: String) -> Result<Flow> {
        self.changed(move |record| Ok(json_text(&record, &field)?.map(|text| text.into_bytes().into())))
    }

    fn example(self, keys: &ExampleKeys) -> Result<Flow> {
        match (keys.text.clone(), keys.features.clone()) {
            (Some(name), features) if features.is_empty() => self.changed(move |record| {
                Ok(TfExample::decode(&record)?.text(&name)?.map(|text| text.into_bytes().into()))
            }),
            (None, features) if !features.is_empty() => {
                let names = features.clone();
                self.featured(names, move |record| TfExample::decode(&record)?.tensors(&features).map(Some))
            }
            _ => Err(Error::input("the stage needs one of the keys text and features")),
        }
    }

    fn filter(self, keys: &FilterKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let of_tokens = keys.min_tokens.is_some() || keys.max_tokens.is_some();
        let of_records = keys.min_bytes.is_some() || keys.max_bytes.is_some() || keys.field.is_some();
        if of_tokens == of_records {
            return Err(Error::input(
                "the stage needs conditions: of records field, min_bytes or max_bytes, of texts min_tokens or max_tokens",
            ));
        }
        if keys.field.is_none() && !keys.equals.is_empty() {
            return Err(Error::input("equals has no field that it is about").help("give field"));
        }
        if of_records {
            let keys = keys.clone();
            return self.changed(move |record| Ok(passes(&record, &keys)?.then_some(record)));
        }
        if !self.names.iter().any(|name| name == TOKENS) {
            return Err(Error::input("the elements before the stage have no tokens")
                .help("put tokenize or chat before it"));
        }
        let (least, most) = (keys.min_tokens.unwrap_or(0), keys.max_tokens.unwrap_or(usize::MAX));
        let fits = move |features: &Features| {
            let count = features.get(TOKENS).and_then(|tokens| tokens.dims().first().copied()).unwrap_or(0);
            (least..=most).contains(&count)
        };
        let names = self.names.clone();
        let elements = match self.elements {
            Elements::NumberedFeatures(data) => Elements::NumberedFeatures(data.filter(fits)),
            other => Elements::Features(
                Flow { elements: other, names: Vec::new() }.in_order(at, builder)?.filter(fits),
            ),
        };
        Ok(Flow { elements, names })
    }

    fn tokenize(self, keys: &TokenizeKeys, builder: &Builder) -> Result<Flow> {
        let tokenizer = builder.tokenizer(&needed(&keys.tokenizer, "tokenizer")?)?;
        let end = if keys.end { Some(tokenizer.eos_id()?) } else { None };
        self.featured(vec![TOKENS.to_owned()], move |record| {
            let mut ids = tokenizer.encode(utf8(&record)?)?;
            ids.extend(end);
            token_features(&ids, None).map(Some)
        })
    }

    fn chat(self, keys: &ChatKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let path = needed(&keys.tokenizer, "tokenizer")?;
        let tokenizer = builder.tokenizer(&path)?;
        let templates = templates(Path::new(&path), keys.template.as_deref())?;
        let texts = move |record: RecordBytes| {
            let examples = Record::parse(utf8(&record)?)?.examples(&tokenizer, &templates)?;
            let features =
                examples.iter().map(|example| token_features(&example.ids, Some(&example.learned)));
            features.collect::<Result<Vec<_>>>().map(Some)
        };
        let names = vec![TOKENS.to_owned(), "learned".to_owned()];
        Ok(match self.records(texts)? {
            (Some(lists), _) => Flow { elements: Elements::Lists(lists, at), names },
            (_, Some(lists)) => {
                let texts = stages_named("texts", at, || lists.flat_map(|list| list));
                Flow { elements: Elements::Features(texts), names }
            }
            (None, None) => return Err(Error::internal("records are found by number or in order")),
        })
    }

    /// The features other than tokens, which packing neither numbers nor counts.
    fn beside(&self) -> BTreeSet<String> {
        match self.names.iter().any(|name| name == TOKENS) {
            true => self.names.iter().filter(|name| *name != TOKENS).cloned().collect(),
            false => BTreeSet::new(),
        }
    }

    fn pack(self, keys: &PackKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let length = needed(&keys.length, "length")?;
        let names = self.names.clone();
        let mut options = PackOptions::new(TOKENS, length, keys.bins);
        options.lengths = names.iter().map(|name| (name.clone(), length)).collect();
        options.meta = self.beside();
        options.strategy = keys.strategy.strategy();
        options.shuffle = keys.shuffle;
        options.truncate = keys.truncate;
        options.padding = BTreeMap::from([(TOKENS.to_owned(), keys.padding as f64)]);
        Ok(Flow { elements: Elements::Features(self.in_order(at, builder)?.pack(options)), names })
    }

    fn split(self, keys: &SplitKeys, at: Location, builder: &Builder) -> Result<Flow> {
        let length = needed(&keys.length, "length")?;
        let (names, beside) = (self.names.clone(), self.beside());
        let options = SplitOptions {
            lengths: names.iter().map(|name| (name.clone(), length)).collect(),
            ..SplitOptions::new(TOKENS, length)
        };
        let rows = self.in_order(at, builder)?.concat_then_split(options);
        let rows = match beside.is_empty() {
            true => rows,
            // Marks are split with their tokens, by whose numbers they are told apart.
            false => rows.map(move |mut row| {
                row.retain(|name, _| {
                    let of = name.strip_suffix("_segment_ids").or_else(|| name.strip_suffix("_positions"));
                    of.is_none_or(|of| !beside.contains(of))
                });
                row
            }),
        };
        Ok(Flow { elements: Elements::Features(rows), names })
    }
}

/// Whether a record passes the conditions.
fn passes(record: &[u8], keys: &FilterKeys) -> Result<bool> {
    if record.len() < keys.min_bytes.unwrap_or(0) || record.len() > keys.max_bytes.unwrap_or(usize::MAX) {
        return Ok(false);
    }
    let Some(field) = &keys.field else { return Ok(true) };
    Ok(match json_text(record, field)? {
        None => false,
        Some(value) => keys.equals.is_empty() || keys.equals.contains(&value),
    })
}

/// The templates beside a tokenizer, or one of a file with the special tokens beside the tokenizer.
fn templates(tokenizer: &Path, template: Option<&str>) -> Result<Templates> {
    let folder = match tokenizer.is_dir() {
        true => tokenizer,
        false => tokenizer.parent().unwrap_or(Path::new(".")),
    };
    let text = match template {
        None => {
            return Templates::load(folder)
                .map_err(|e| e.help("give one: template = \"chatml\", or a file in Jinja"));
        }
        Some("chatml") => CHATML.to_owned(),
        Some(file) => {
            fs::read_to_string(file).map_err(|e| Error::io("read the template", Path::new(file), &e))?
        }
    };
    let mut files = BTreeMap::from([(CHAT_TEMPLATE, text.into_bytes())]);
    for name in ["tokenizer_config.json", "special_tokens_map.json"] {
        let path = folder.join(name);
        if path.is_file() {
            files.insert(name, fs::read(&path).map_err(|e| Error::io("read", &path, &e))?);
        }
    }
    Templates::from_files(|name| files.get(name).map(Vec::as_slice))
}
