//! The model with its pages: what computes the steps that a scheduler plans.

use jarrah_array::{Array, DType, Jit, Prepared, PreparedJit, TreeExt, jit, lax};
use jarrah_base::{Error, Result};
use jarrah_engine::{Change, PageCopy};
use jarrah_models::Decoder;
use jarrah_nn::{Sequences, State};

/// Copies of pages that are made together.
const COPIES: usize = 8;

/// Tokens `i32[N,1]`, their positions `i32[N]`, and the pages of their sequences `i32[N,M]`.
type Feed = (Array, Array, Array);
type StatesArgs = (Decoder, State, Feed);
type States = PreparedJit<StatesArgs, Decoder, (State, Array), fn(&StatesArgs) -> (State, Array)>;
/// What goes into the output layer, and which rows of it.
type LogitsArgs = (Decoder, Array, Array);
type Logits = PreparedJit<LogitsArgs, Decoder, Array, fn(&LogitsArgs) -> Array>;
/// Pages that are read and pages that are written.
type CopyArgs = (State, Array, Array);

/// How much memory keys and values have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Pages.
    pub pages: usize,
    /// Tokens of a page.
    pub page: usize,
    /// How keys and values are kept.
    pub dtype: DType,
}

/// The tokens of a step, each with its position and the row of the tables of pages that its sequence has.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub tokens: Vec<i32>,
    pub positions: Vec<i32>,
    pub rows: Vec<usize>,
}

impl Batch {
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.positions.clear();
        self.rows.clear();
    }
}

/// Computes steps. Each token is a sequence of one query in the program: tokens of one text follow one another in the batch, and attention takes
/// those together by itself. So a program has one extent, the number of tokens, and there is one for each of a few sizes.
pub struct Runner {
    weights: Prepared<Decoder>,
    states: States,
    logits: Logits,
    vectors: Jit<(Array, Array), Array, fn(&(Array, Array)) -> Array>,
    copy: Jit<CopyArgs, State, fn(&CopyArgs) -> State>,
    /// Nothing while a step failed.
    cache: Option<State>,
    shape: CacheShape,
    /// The pages of each row, -1 where there is none.
    tables: Vec<i32>,
    /// The most pages of a row.
    blocks: usize,
    vocabulary: usize,
}

impl Runner {
    /// Takes the memory for keys and values.
    pub fn new(model: Decoder, shape: CacheShape, sequences: usize, most_length: usize) -> Result<Runner> {
        let vocabulary = model.vocabulary();
        let weights = Prepared::new(model);
        let states: fn(&StatesArgs) -> _ = |(model, cache, (tokens, positions, pages))| {
            let (states, cache) = model.states(tokens, cache, &Sequences::paged(positions, pages));
            let width = states.shape()[2];
            (cache, states.reshape(&[-1, width as isize]))
        };
        let logits: fn(&LogitsArgs) -> Array =
            |(model, states, rows)| model.logits_of(&states.take(rows, 0)).astype(DType::F32);
        let copy: fn(&CopyArgs) -> State = |(cache, from, to)| {
            cache.map_leaves(|x: &Array| {
                let at = lax::Scatter::rows(x.ty(), to.ty(), lax::Update::Assign);
                lax::scatter(x, to, &x.take(from, 0), at)
            })
        };
        let blocks = most_length.div_ceil(shape.page);
        let mut runner = Runner {
            states: jit(states).donate(1).prepared(&weights),
            logits: jit(logits).prepared(&weights),
            vectors: jit(|(states, rows): &(Array, Array)| states.take(rows, 0).astype(DType::F32)),
            copy: jit(copy).donate(0),
            weights,
            cache: None,
            shape,
            tables: vec![-1; sequences * blocks],
            blocks,
            vocabulary,
        };
        runner.cache = Some(runner.empty_cache());
        Ok(runner)
    }

    /// The weights, which may be exchanged between two steps.
    pub fn weights(&self) -> &Prepared<Decoder> {
        &self.weights
    }

    /// The bytes of the keys and values of a page.
    pub fn page_bytes(model: &Decoder, page: usize, dtype: DType) -> usize {
        let one = model.init_cache(1, page, dtype);
        let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
        one.leaves().into_iter().map(bytes).fold(0, usize::saturating_add)
    }

    fn empty_cache(&self) -> State {
        let CacheShape { pages, page, dtype } = self.shape;
        let cache = self.weights.shapes().init_cache(pages, page, dtype);
        // Each leaf of its own, to be overwritten.
        cache.map_leaves(|empty: &Array| Array::zeros_of(empty.ty()))
    }

    /// Puts pages into the tables.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            if let Some(entry) = self.tables.get_mut(change.row * self.blocks + change.block) {
                *entry = i32::try_from(change.page).unwrap_or(-1);
            }
        }
    }

    fn taken_cache(&mut self) -> State {
        self.cache.take().unwrap_or_else(|| self.empty_cache())
    }

    /// Copies pages, one after another.
    pub fn copy(&mut self, copies: &[PageCopy]) -> Result<()> {
        // Pages are read before any is written: a copy that reads what one before it wrote begins a new round.
        let mut rest = copies;
        while !rest.is_empty() {
            let reads_earlier =
                |at: usize| rest[..at].iter().any(|copy| copy.to == rest[at].from || copy.to == rest[at].to);
            let most = COPIES.min(rest.len());
            let count = (1..most).find(|&at| reads_earlier(at)).unwrap_or(most);
            let of = |page: fn(&PageCopy) -> u32, none: i32| {
                let pages = rest[..count].iter().map(|copy| page(copy) as i32);
                let pages: Vec<i32> = pages.chain(std::iter::repeat(none)).take(COPIES).collect();
                Array::new(&pages, &[COPIES])
            };
            let (from, to) = (of(|copy| copy.from, 0), of(|copy| copy.to, -1));
            let cache = self.taken_cache();
            self.cache = Some(self.copy.call((cache, from, to))?);
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Begins to compute a batch filled up to `size` tokens: what goes into the output layer for each, `[size, width]`.
    pub fn run(&mut self, batch: &Batch, size: usize) -> Result<Array> {
        let count = batch.tokens.len();
        if count > size {
            return Err(Error::internal(format!("{count} tokens in a step of {size}")));
        }
        let filled = |values: &[i32]| {
            let mut values = values.to_vec();
            values.resize(size, 0);
            values
        };
        let mut pages = Vec::with_capacity(size * self.blocks);
        for &row in &batch.rows {
            pages.extend_from_slice(&self.tables[row * self.blocks..][..self.blocks]);
        }
        // What only fills up has no page: nothing is written for it.
        pages.resize(size * self.blocks, -1);
        let feed = (
            Array::new(&filled(&batch.tokens), &[size, 1]),
            Array::new(&filled(&batch.positions), &[size]),
            Array::new(&pages, &[size, self.blocks]),
        );
        let cache = self.taken_cache();
        let (cache, states) = self.states.call((cache, feed))?;
        self.cache = Some(cache);
        Ok(states)
    }

    /// Begins to compute the logits of these rows of `states`, `f32[size, vocabulary]`.
    pub fn logits(&self, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.logits.call((states.clone(), indices(rows, size)))
    }

    /// Begins to copy these rows of `states`, `f32[size, width]`.
    pub fn vectors(&self, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.vectors.call((states.clone(), indices(rows, size)))
    }

    /// The number of logits of a row.
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }
}

/// Rows, filled up to `size`.
fn indices(rows: &[usize], size: usize) -> Array {
    let mut rows: Vec<i32> = rows.iter().map(|&row| row as i32).collect();
    rows.resize(size, 0);
    Array::new(&rows, &[size])
}

/// The sizes of steps of up to `most` tokens: a power of two, or one and a half of it.
pub fn sizes(most: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::new();
    let mut power = 1;
    while power < most {
        sizes.push(power);
        if power >= 16 && power / 2 * 3 < most {
            sizes.push(power / 2 * 3);
        }
        power *= 2;
    }
    sizes.push(most);
    sizes
}

/// The least size that has room for `count`.
pub fn size_for(sizes: &[usize], count: usize) -> usize {
    sizes.iter().copied().find(|&size| size >= count).unwrap_or(count)
}
