use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::features::{Features, Part, feature, length, segments, values};
use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::pack_counts::PackCounts;
use crate::random::{Generator, Pcg64};
use crate::stage::StageName;
use crate::state::IterState;

/// The bin that takes the next sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackStrategy {
    /// The first bin with room.
    FirstFit,
    /// Of the bins with room, the one that has the most tokens, the first of these.
    BestFit,
}

/// How sequences are packed into rows.
#[derive(Clone, Debug, PartialEq)]
pub struct PackOptions {
    /// For each feature that is packed, the length of a row.
    pub lengths: BTreeMap<String, usize>,
    /// Rows that are open at a time.
    pub bins: usize,
    /// The bin that takes the next sequence.
    pub strategy: PackStrategy,
    /// Delivers the rows of full bins in a random order, by this seed.
    pub shuffle: Option<u64>,
    /// Features without segment ids and positions.
    pub meta: BTreeSet<String>,
    /// For each feature, the number whose multiples sequences begin at; 1 where it has none.
    pub alignment: BTreeMap<String, usize>,
    /// For each feature, the value between and behind sequences; 0 where it has none.
    pub padding: BTreeMap<String, f64>,
    /// The most sequences of a row.
    pub max_sequences: Option<usize>,
    /// Whether a sequence that is longer than a row is cut, and counted in [`PackCounts`]; else it is an error.
    pub truncate: bool,
}

impl PackOptions {
    /// First-fit packing of a feature into `bins` rows of a length, which are shuffled by seed 0.
    pub fn new(feature: &str, length: usize, bins: usize) -> Self {
        PackOptions {
            lengths: BTreeMap::from([(feature.to_owned(), length)]),
            bins,
            strategy: PackStrategy::FirstFit,
            shuffle: Some(0),
            meta: BTreeSet::new(),
            alignment: BTreeMap::new(),
            padding: BTreeMap::new(),
            max_sequences: None,
            truncate: false,
        }
    }
}

struct Pack {
    parent: Arc<dyn IterStage<Features>>,
    options: Arc<PackOptions>,
    name: StageName,
}

impl IterStage<Features> for Pack {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<Features>>> {
        let parent = self.parent.iter(lane)?;
        let before = parent.state();
        Ok(Box::new(Packing {
            parent,
            options: self.options.clone(),
            name: self.name,
            open: Bins::default(),
            opened: before.clone(),
            full: Vec::new(),
            row: 0,
            before,
            counts: PackCounts::default(),
            base: PackCounts::default(),
        }))
    }
}

/// The sequences of a bin, with the places of their features.
struct Bin {
    sequences: Vec<(Arc<Features>, Vec<usize>)>,
    /// For each feature, the first place that is free.
    free: Vec<usize>,
}

#[derive(Default)]
struct Bins {
    bins: Vec<Bin>,
    elements: u64,
    cut_elements: u64,
    cut_tokens: u64,
}

impl Bins {
    /// The bytes of the sequences.
    fn bytes(&self) -> u64 {
        let sequences = self.bins.iter().flat_map(|bin| &bin.sequences);
        sequences.map(|(element, _)| bytes_of(&**element)).sum()
    }

    /// Puts a sequence into a bin, and says whether there was room.
    fn add(&mut self, element: &Arc<Features>, options: &PackOptions) -> Result<bool> {
        let mut lengths = Vec::with_capacity(options.lengths.len());
        let mut cut = 0;
        for (key, &most) in &options.lengths {
            let len = length(feature(element, key)?);
            if len > most && !options.truncate {
                return Err(Error::input(format!(
                    "feature `{key}` of an element has {len} tokens, but a row has {most}"
                ))
                .help("make longer rows, or set `truncate`"));
            }
            cut += len.saturating_sub(most);
            lengths.push(len.min(most));
        }
        let fits = |bin: &Bin| {
            let room = bin
                .free
                .iter()
                .zip(&lengths)
                .zip(options.lengths.values())
                .all(|((f, len), most)| f + len <= *most);
            room && options.max_sequences.is_none_or(|most| bin.sequences.len() < most)
        };
        let score = |bin: &Bin| bin.free.iter().sum::<usize>();
        let mut candidates = self.bins.iter().enumerate().filter(|(_, bin)| fits(bin));
        let chosen = match options.strategy {
            PackStrategy::FirstFit => candidates.next(),
            // The first one of the greatest score.
            PackStrategy::BestFit => {
                candidates.reduce(|best, next| if score(next.1) > score(best.1) { next } else { best })
            }
        };
        let bin = match chosen.map(|(i, _)| i) {
            Some(i) => i,
            None if self.bins.len() < options.bins => {
                self.bins.push(Bin { sequences: Vec::new(), free: vec![0; lengths.len()] });
                self.bins.len() - 1
            }
            None => return Ok(false),
        };
        let bin = &mut self.bins[bin];
        bin.sequences.push((element.clone(), bin.free.clone()));
        for ((free, len), key) in bin.free.iter_mut().zip(lengths).zip(options.lengths.keys()) {
            *free = (*free + len).next_multiple_of(options.alignment.get(key).copied().unwrap_or(1).max(1));
        }
        self.elements += 1;
        self.cut_elements += u64::from(cut > 0);
        self.cut_tokens += cut as u64;
        Ok(true)
    }
}

struct Packing {
    parent: Box<dyn Advance<Features>>,
    options: Arc<PackOptions>,
    name: StageName,
    open: Bins,
    /// The parent's state before the first element of the open bins.
    opened: IterState,
    /// The bins that are delivered, the next one last.
    full: Vec<Bin>,
    row: u64,
    /// The parent's state before the first element of the bins that are delivered, or of the open ones if there are none.
    before: IterState,
    counts: PackCounts,
    /// The counts before the bins that are delivered.
    base: PackCounts,
}

impl Packing {
    /// Fills bins until a sequence finds no room, and puts them in the order of delivery.
    fn refill(&mut self) -> Result<()> {
        let full = loop {
            let state = self.parent.state();
            let Some(element) = self.parent.next()? else {
                let last = std::mem::take(&mut self.open);
                (self.before, self.opened) = (self.opened.clone(), state);
                break last;
            };
            let element = Arc::new(element);
            if self.open.add(&element, &self.options)? {
                continue;
            }
            let full = std::mem::take(&mut self.open);
            (self.before, self.opened) = (self.opened.clone(), state);
            self.open.add(&element, &self.options)?;
            break full;
        };
        probe::holds(|| full.bytes() + self.open.bytes());
        self.counts.elements += full.elements;
        self.counts.cut_elements += full.cut_elements;
        self.counts.cut_tokens += full.cut_tokens;
        let mut bins: Vec<Option<Bin>> = full.bins.into_iter().map(Some).collect();
        let order = match self.options.shuffle {
            Some(seed) => {
                Generator::new(Pcg64::seeded(seed.wrapping_add(self.counts.rows))).permutation(bins.len())
            }
            None => (0..bins.len() as u64).collect(),
        };
        self.full = order.iter().rev().filter_map(|&i| bins[i as usize].take()).collect();
        self.row = 0;
        Ok(())
    }

    fn made(&mut self, bin: &Bin) -> Result<Features> {
        let mut row = Features::new();
        for (i, (key, &len)) in self.options.lengths.iter().enumerate() {
            let mut parts = Vec::with_capacity(bin.sequences.len());
            for (element, places) in &bin.sequences {
                let feature = feature(element, key)?;
                parts.push(Part { feature, range: 0..length(feature).min(len), offset: places[i] });
            }
            let padding = self.options.padding.get(key).copied().unwrap_or(0.0);
            row.insert(key.clone(), values(len, &parts, padding, None)?);
            if !self.options.meta.contains(key) {
                let (ids, positions) = segments(len, &parts)?;
                row.insert(format!("{key}_segment_ids"), ids);
                row.insert(format!("{key}_positions"), positions);
            }
            self.counts.count(len, parts.iter().map(|part| part.range.len()).sum());
        }
        Ok(row)
    }
}

impl Advance<Features> for Packing {
    fn next(&mut self) -> Result<Option<Features>> {
        if self.full.is_empty() {
            self.refill()?;
        }
        let Some(bin) = self.full.pop() else { return Ok(None) };
        let name = self.name;
        let row = name.call(self.counts.rows, || self.made(&bin))?;
        self.row += 1;
        self.counts.rows += 1;
        if self.full.is_empty() {
            self.row = 0;
            self.before = self.opened.clone();
            self.base = self.counts;
        }
        Ok(Some(row))
    }

    fn state(&self) -> IterState {
        let mut numbers = vec![self.row];
        numbers.extend(self.counts.to_words());
        numbers.extend(self.base.to_words());
        IterState::new(self.name.kind, &numbers, vec![self.before.clone()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let numbers: [u64; 1 + 2 * PackCounts::LEN] = state.read(self.name.kind, Some(1))?;
        self.parent.set_state(&state.parents()[0])?;
        self.before = state.parents()[0].clone();
        self.opened = self.before.clone();
        (self.open, self.full, self.row) = (Bins::default(), Vec::new(), 0);
        let base = PackCounts::from_words(&numbers[1 + PackCounts::LEN..]);
        self.base = base.ok_or_else(|| state.unreachable())?;
        self.counts = self.base;
        if numbers[0] > 0 {
            self.refill()?;
            if numbers[0] >= self.full.len() as u64 {
                return Err(state.unreachable());
            }
        }
        for _ in 0..numbers[0] {
            self.next()?;
        }
        Ok(())
    }
}

impl IterDataset<Features> {
    /// Packs whole sequences into rows: the first or the fullest open row with room takes a sequence; where none has room, all open rows are delivered and new
    /// ones are opened.
    ///
    /// A row has, for each feature that is packed, its tokens, the number of the sequence that each is of from 1 on (`NAME_segment_ids`, 0 for
    /// padding) and its place in it (`NAME_positions`). Other features are left out. [`IterState::pack_counts`] says how many tokens, places of padding
    /// and tokens cut off there were.
    ///
    /// Rows or bins of nothing, and no feature, are errors of the dataset.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_data::{Features, MapDataset, PackOptions};
    /// let text = |len: i64| Features::from([("tokens".to_owned(), Literal::from_slice(&[len as usize], &vec![len as i32; len as usize]).unwrap())]);
    /// let options = PackOptions { shuffle: None, ..PackOptions::new("tokens", 6, 2) };
    /// let packed = MapDataset::source(vec![3_i64, 5, 2]).map(text).to_iter().pack(options);
    /// let rows: Vec<Features> = packed.iter()?.collect::<Result<_, _>>()?;
    /// assert_eq!(rows[0]["tokens"].to_i128_vec(), [3, 3, 3, 2, 2, 0]);
    /// assert_eq!(rows[0]["tokens_segment_ids"].to_i128_vec(), [1, 1, 1, 2, 2, 0]);
    /// assert_eq!(rows[1]["tokens_positions"].to_i128_vec(), [0, 1, 2, 3, 4, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// Source: `FirstFitPackIterDataset` and `BestFitPackIterDataset` of Grain.
    #[track_caller]
    pub fn pack(&self, options: PackOptions) -> Self {
        let name = StageName::new("pack");
        self.then(name, |parent, _| {
            if options.bins == 0 || options.max_sequences == Some(0) || options.lengths.is_empty() {
                return Err(
                    name.fault("there must be at least one feature, one bin and one sequence of a row")
                );
            }
            if options.lengths.values().any(|&len| len == 0) {
                return Err(name.fault("a row must have at least one token"));
            }
            Ok(Pack { parent, options: Arc::new(options), name })
        })
    }
}
