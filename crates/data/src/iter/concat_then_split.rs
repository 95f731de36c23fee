use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::features::{Features, Part, feature, length, segments, values};
use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::pack_counts::PackCounts;
use crate::stage::StageName;
use crate::state::IterState;

const STAGE: &str = "concat_then_split";
/// The numbers of a state before those of the features: rows delivered since it, counts now and then, whether a rest is left.
const HEAD: usize = 2 + 2 * PackCounts::LEN;

/// How sequences are concatenated and split into rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitOptions {
    /// For each feature, the length of a row.
    pub lengths: BTreeMap<String, usize>,
    /// Features that are never split: each part of a split element has them whole. They have no segment ids and positions.
    pub meta: BTreeSet<String>,
    /// Whether an element that fills a row by itself is split too, rather than a row of its own.
    pub split_full: bool,
    /// Features whose first token of each part in a row is replaced, and the token.
    pub bos: Option<(BTreeSet<String>, i64)>,
}

impl SplitOptions {
    /// Rows of a length of one feature.
    pub fn new(feature: &str, length: usize) -> Self {
        SplitOptions {
            lengths: BTreeMap::from([(feature.to_owned(), length)]),
            meta: BTreeSet::new(),
            split_full: true,
            bos: None,
        }
    }
}

struct ConcatThenSplit {
    parent: Arc<dyn IterStage<Features>>,
    options: Arc<SplitOptions>,
    name: StageName,
}

impl IterStage<Features> for ConcatThenSplit {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<Features>>> {
        let parent = self.parent.iter(lane)?;
        let mut splitting = Splitting {
            before: parent.state(),
            parent,
            options: self.options.clone(),
            name: self.name,
            rest: None,
            rows: VecDeque::new(),
            delivered: 0,
            starts: None,
            counts: PackCounts::default(),
            base: PackCounts::default(),
        };
        splitting.mark();
        Ok(Box::new(splitting))
    }
}

/// An element, or what is left of it.
#[derive(Clone)]
struct Piece {
    features: Arc<Features>,
    /// For each feature, the first and the last place.
    ranges: Vec<(usize, usize)>,
    /// The parent's state before the element.
    before: IterState,
}

struct Splitting {
    parent: Box<dyn Advance<Features>>,
    options: Arc<SplitOptions>,
    name: StageName,
    rest: Option<Piece>,
    /// Rows that are made.
    rows: VecDeque<Features>,
    /// Of the state that is stored, which is that before the rows were made: the parent's, where the rest of an element began, and the counts.
    before: IterState,
    starts: Option<Vec<usize>>,
    base: PackCounts,
    /// Rows delivered since that state.
    delivered: u64,
    counts: PackCounts,
}

impl Splitting {
    /// Makes the state that is stored the present one; there is no row in the queue.
    fn mark(&mut self) {
        self.before = self.rest.as_ref().map_or_else(|| self.parent.state(), |rest| rest.before.clone());
        self.starts = self.rest.as_ref().map(|rest| rest.ranges.iter().map(|range| range.0).collect());
        self.base = self.counts;
        self.delivered = 0;
    }

    fn piece(&self, features: Features, before: IterState) -> Result<Piece> {
        let ranges = self
            .options
            .lengths
            .keys()
            .map(|key| Ok((0, length(feature(&features, key)?))))
            .collect::<Result<_>>()?;
        Ok(Piece { features: Arc::new(features), ranges, before })
    }

    /// Whether an element fills a row by itself.
    fn fills(&self, piece: &Piece) -> bool {
        let lengths = || piece.ranges.iter().map(|r| r.1 - r.0).zip(self.options.lengths.values());
        lengths().all(|(len, &most)| len <= most) && lengths().any(|(len, &most)| len == most)
    }

    /// Puts the part of `piece` that fits into the row, and returns what is left.
    fn put(&self, piece: Piece, row: &mut Vec<Piece>, filled: &mut [usize]) -> Option<Piece> {
        let mut ends = Vec::with_capacity(filled.len());
        for (i, (key, &len)) in self.options.lengths.iter().enumerate() {
            let (start, end) = piece.ranges[i];
            let room = len - filled[i];
            if end - start > room && self.options.meta.contains(key) {
                return Some(piece);
            }
            ends.push(end.min(start + room));
        }
        let whole = ends.iter().zip(&piece.ranges).all(|(end, range)| *end == range.1);
        let meta: Vec<bool> =
            self.options.lengths.keys().map(|key| self.options.meta.contains(key)).collect();
        let nothing =
            ends.iter().zip(&piece.ranges).zip(&meta).all(|((end, range), meta)| *meta || *end == range.0);
        if nothing && !whole {
            return Some(piece);
        }
        let mut left = piece.clone();
        let mut part = piece;
        for (i, end) in ends.into_iter().enumerate() {
            filled[i] += end - part.ranges[i].0;
            part.ranges[i].1 = end;
            if !meta[i] {
                left.ranges[i].0 = end;
            }
        }
        row.push(part);
        (!whole).then_some(left)
    }

    fn made(&mut self, pieces: &[Piece]) -> Result<Features> {
        let mut row = Features::new();
        for (i, (key, &len)) in self.options.lengths.iter().enumerate() {
            let mut parts = Vec::with_capacity(pieces.len());
            let mut offset = 0;
            for piece in pieces {
                let (start, end) = piece.ranges[i];
                parts.push(Part { feature: feature(&piece.features, key)?, range: start..end, offset });
                offset += end - start;
            }
            let bos = self
                .options
                .bos
                .as_ref()
                .filter(|(features, _)| features.contains(key))
                .map(|(_, token)| *token as f64);
            row.insert(key.clone(), values(len, &parts, 0.0, bos)?);
            if !self.options.meta.contains(key) {
                let (ids, positions) = segments(len, &parts)?;
                row.insert(format!("{key}_segment_ids"), ids);
                row.insert(format!("{key}_positions"), positions);
            }
            self.counts.count(len, parts.iter().map(|part| part.range.len()).sum());
        }
        self.counts.rows += 1;
        Ok(row)
    }

    /// Makes rows, those of elements that fill one by themselves behind the row that they passed.
    fn refill(&mut self) -> Result<()> {
        self.mark();
        let (mut row, mut filled) = (Vec::new(), vec![0; self.options.lengths.len()]);
        let mut passed = Vec::new();
        loop {
            let piece = match self.rest.take() {
                Some(rest) => rest,
                None => {
                    let before = self.parent.state();
                    let Some(features) = self.parent.next()? else { break };
                    self.counts.elements += 1;
                    let piece = self.piece(features, before)?;
                    if !self.options.split_full && self.fills(&piece) {
                        passed.push(piece);
                        continue;
                    }
                    piece
                }
            };
            self.rest = self.put(piece, &mut row, &mut filled);
            if self.rest.is_some() {
                break;
            }
        }
        if row.is_empty() && passed.is_empty() && self.rest.is_some() {
            return Err(Error::input("a feature that is not to be split is longer than a row")
                .help("make its rows longer"));
        }
        if !row.is_empty() {
            let made = self.made(&row)?;
            self.rows.push_back(made);
        }
        for piece in passed {
            let made = self.made(&[piece])?;
            self.rows.push_back(made);
        }
        probe::holds(|| {
            let rest = self.rest.iter().map(|rest| bytes_of(&*rest.features));
            self.rows.iter().map(bytes_of).chain(rest).sum()
        });
        Ok(())
    }
}

impl Advance<Features> for Splitting {
    fn next(&mut self) -> Result<Option<Features>> {
        if self.rows.is_empty() {
            let (name, index) = (self.name, self.counts.rows);
            name.call(index, || self.refill())?;
        }
        let row = self.rows.pop_front();
        self.delivered += u64::from(row.is_some());
        if self.rows.is_empty() {
            self.mark();
        }
        Ok(row)
    }

    fn state(&self) -> IterState {
        let mut numbers = vec![self.delivered];
        numbers.extend(self.counts.to_words());
        numbers.extend(self.base.to_words());
        numbers.push(u64::from(self.starts.is_some()));
        numbers.extend(self.starts.iter().flatten().map(|&start| start as u64));
        IterState::new(STAGE, &numbers, vec![self.before.clone()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let malformed = || Error::input(format!("the data position of the stage `{STAGE}` is malformed"));
        let [before] = state.parents() else { return Err(malformed()) };
        let numbers = state.values();
        if state.stage() != STAGE || numbers.len() < HEAD {
            return Err(malformed());
        }
        self.parent.set_state(before)?;
        self.rows.clear();
        self.rest = None;
        self.base = PackCounts::from_words(&numbers[1 + PackCounts::LEN..HEAD - 1])
            .ok_or_else(|| state.unreachable())?;
        self.counts = self.base;
        if numbers[HEAD - 1] != 0 {
            let Some(features) = self.parent.next()? else { return Err(malformed()) };
            let mut rest = self.piece(features, before.clone())?;
            if numbers.len() != HEAD + rest.ranges.len() {
                return Err(malformed());
            }
            for (range, &start) in rest.ranges.iter_mut().zip(&numbers[HEAD..]) {
                if start > range.1 as u64 {
                    return Err(state.unreachable());
                }
                range.0 = start as usize;
            }
            self.rest = Some(rest);
        }
        self.mark();
        if numbers[0] > 0 {
            self.refill()?;
            if numbers[0] >= self.rows.len() as u64 {
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
    /// Sequences one behind the other, split into rows of equal length: of one feature, no place is padding but at the end.
    ///
    /// A row has, for each feature, its tokens, the number of the part that each is of from 1 on (`NAME_segment_ids`, 0 for padding) and its place
    /// in it (`NAME_positions`). Of several features a row ends where the first of them is full.
    ///
    /// No feature, rows of nothing, and a feature that is to be split and not, are errors of the dataset.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_data::{Features, MapDataset, SplitOptions};
    /// let text = |len: i64| Features::from([("tokens".to_owned(), Literal::from_slice(&[len as usize], &vec![len as i32; len as usize]).unwrap())]);
    /// let rows = MapDataset::source(vec![3_i64, 5]).map(text).to_iter().concat_then_split(SplitOptions::new("tokens", 4));
    /// let rows: Vec<Features> = rows.iter()?.collect::<Result<_, _>>()?;
    /// assert_eq!(rows[0]["tokens"].to_i128_vec(), [3, 3, 3, 5]);
    /// assert_eq!(rows[1]["tokens_positions"].to_i128_vec(), [0, 1, 2, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// Source: `ConcatThenSplitIterDataset` of Grain.
    #[track_caller]
    pub fn concat_then_split(&self, options: SplitOptions) -> Self {
        let name = StageName::new(STAGE);
        self.then(name, |parent, _| {
            if options.lengths.is_empty() || options.lengths.values().any(|&len| len == 0) {
                return Err(name.fault("there must be a feature, and a row must have at least one token"));
            }
            if let Some((features, _)) = &options.bos
                && let Some(key) = features
                    .iter()
                    .find(|key| options.meta.contains(*key) || !options.lengths.contains_key(*key))
            {
                return Err(
                    name.fault(format!("no token of feature `{key}` can be replaced, as it is not split"))
                );
            }
            Ok(ConcatThenSplit { parent, options: Arc::new(options), name })
        })
    }
}
