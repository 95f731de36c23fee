//! The model with its pages: what computes the steps that a scheduler plans.

use jarrah_array::{Array, DType, Jit, Prepared, PreparedJit, TreeExt, jit, lax};
use jarrah_base::{Error, Result};
use jarrah_engine::{Change, PageCopy};
use jarrah_models::{AdapterChange, Decoder};
use jarrah_nn::{AdapterRows, Adapters, Context, Linear, Sequences, State, Tokens, parts};

/// Copies of pages that are made together.
const COPIES: usize = 8;

/// Tokens `i32[N,1]`, their positions `i32[N]`, how long their texts count as `i32[N]`, and the pages of their sequences `i32[N,M]`.
type Feed = (Array, Array, Array, Array);
/// The adapters of all layers, and how many tokens take each `i32[adapters]`; nothing and none where there is no room for any.
type Adapted = (State, Array);
type StatesArgs = (Decoder, State, Feed, Adapted);
type States = PreparedJit<StatesArgs, Decoder, (State, Array), fn(&StatesArgs) -> (State, Array)>;
/// What goes into the output layer, and which rows of it.
type LogitsArgs = (Decoder, Array, Array);
type Logits = PreparedJit<LogitsArgs, Decoder, Array, fn(&LogitsArgs) -> Array>;
/// States of positions, and what the module for further tokens makes of them.
type FurtherArgs = (Decoder, State, Feed, Array);
type Further = PreparedJit<FurtherArgs, Decoder, (State, Array), fn(&FurtherArgs) -> (State, Array)>;
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

/// How many adapters there is room for, and of which rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterRoom {
    pub count: usize,
    pub rank: usize,
}

impl AdapterRoom {
    /// The layers that may have adapters, with room that has none.
    fn layers(self, model: &Decoder) -> Vec<(String, Adapters)> {
        if self.count == 0 {
            return Vec::new();
        }
        let layers = parts::<_, Linear>(model, "blocks.**");
        let empty = layers.into_iter().filter_map(|(path, layer)| {
            let shape = layer.weight.shape();
            let [inputs, outputs] = shape[..] else { return None };
            Some((path, Adapters::empty(self.count, inputs, outputs, self.rank)))
        });
        empty.collect()
    }

    fn of(self, model: &Decoder) -> State {
        let mut state = State::default();
        for (path, adapters) in self.layers(model) {
            state.set(&format!("{path}.adapters"), adapters);
        }
        state
    }

    /// What of an adapter cannot be put into this room.
    pub fn check(self, model: &Decoder, changes: &[AdapterChange]) -> Result<()> {
        let layers = parts::<_, Linear>(model, "blocks.**");
        for change in changes {
            let path = change.path.strip_suffix(".weight").unwrap_or_default();
            let layer = layers.iter().find(|(known, _)| known == path);
            let Some((_, layer)) = layer else {
                return Err(Error::input(format!(
                    "the adapter changes {}, which is no linear layer of a block",
                    change.module
                ))
                .help("add it to the weights by `jarrah model convert --adapter`"));
            };
            let (wanted, rank) = (layer.weight.shape(), change.a.shape()[0]);
            let found = [change.a.shape()[1], change.b.shape()[0]];
            if wanted != found {
                return Err(Error::input(format!(
                    "{} is {wanted:?}, and the adapter changes a matrix of {found:?}",
                    change.module
                )));
            }
            if rank > self.rank {
                return Err(Error::input(format!(
                    "the adapter has rank {rank}, there is room for {}",
                    self.rank
                ))
                .help("start with a larger --max-lora-rank"));
            }
        }
        Ok(())
    }
}

/// The tokens of a step, each with its position and the row of the tables of pages that its sequence has.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub tokens: Vec<i32>,
    pub positions: Vec<i32>,
    pub rows: Vec<usize>,
    /// How long the text of each counts as.
    pub lengths: Vec<i32>,
    /// How many tokens take each adapter: the first of all tokens that of the first, and so on.
    pub adapted: Vec<i32>,
}

impl Batch {
    /// Adds tokens of a sequence, the first at the position `from`; its text counts as long as `length` at least.
    pub fn extend(&mut self, row: usize, length: usize, from: usize, tokens: impl Iterator<Item = u32>) {
        for (position, token) in (from..).zip(tokens) {
            self.lengths.push(length.max(position + 1) as i32);
            self.tokens.push(token as i32);
            self.positions.push(position as i32);
            self.rows.push(row);
        }
    }

    pub fn clear(&mut self) {
        self.adapted.fill(0);
        self.tokens.clear();
        self.positions.clear();
        self.rows.clear();
        self.lengths.clear();
    }
}

/// Computes steps. Each token is a sequence of one query in the program: tokens of one text follow one another in the batch, and attention takes
/// those together by itself. So a program has one extent, the number of tokens, and there is one for each of a few sizes.
pub struct Runner {
    weights: Prepared<Decoder>,
    states: States,
    logits: Logits,
    vectors: Jit<(Array, Array), Array, fn(&(Array, Array)) -> Array>,
    further: Further,
    further_logits: Logits,
    gather: Jit<(Array, Array), Array, fn(&(Array, Array)) -> Array>,
    /// Keys and values of the module for further tokens, where it is used.
    further_cache: Option<State>,
    copy: Jit<CopyArgs, State, fn(&CopyArgs) -> State>,
    /// Nothing while a step failed.
    cache: Option<State>,
    adapters: State,
    room: AdapterRoom,
    shape: CacheShape,
    /// The pages of each row, -1 where there is none.
    tables: Vec<i32>,
    /// The most pages of a row.
    blocks: usize,
    vocabulary: usize,
}

impl Runner {
    /// Takes the memory for keys and values.
    pub fn new(
        model: Decoder,
        shape: CacheShape,
        sequences: usize,
        most_length: usize,
        room: AdapterRoom,
    ) -> Result<Runner> {
        let adapters = room.of(&model);
        let vocabulary = model.vocabulary();
        let weights = Prepared::new(model);
        let states: fn(&StatesArgs) -> _ = |(model, cache, feed, (adapters, sizes))| {
            let (tokens, positions, lengths, pages) = feed;
            let sequences = Sequences::paged(positions, pages);
            let tokens_at = Tokens::next(&sequences, tokens.shape()[0], 1).of_lengths(lengths);
            let mut cx = Context::eval().with_state(cache).with(tokens_at);
            if !adapters.is_empty() {
                cx = cx.with_state(adapters).with(AdapterRows { sizes: sizes.clone() });
            }
            let states = model.hidden(tokens, &mut cx);
            let width = states.shape()[2];
            (cx.updates(), states.reshape(&[-1, width as isize]))
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
        let further: fn(&FurtherArgs) -> _ = |(model, cache, (next, positions, lengths, pages), states)| {
            let sequences = Sequences::paged(positions, pages);
            let at = Tokens::next(&sequences, next.shape()[0], 1).of_lengths(lengths);
            let mut cx = Context::eval().with_state(cache).with(at);
            let made = model.mtp_states(&states.expand_dims(1), next, &mut cx);
            (cx.updates(), made.map_or_else(|| states.clone(), |made| made.squeeze(1)))
        };
        let further_logits: fn(&LogitsArgs) -> Array = |(model, states, rows)| {
            let states = states.take(rows, 0);
            model.mtp_logits(&states).unwrap_or(states).astype(DType::F32)
        };
        let mut runner = Runner {
            further: jit(further).donate(1).prepared(&weights),
            further_logits: jit(further_logits).prepared(&weights),
            gather: jit(|(states, rows): &(Array, Array)| states.take(rows, 0)),
            further_cache: None,
            states: jit(states).donate(1).prepared(&weights),
            logits: jit(logits).prepared(&weights),
            vectors: jit(|(states, rows): &(Array, Array)| states.take(rows, 0).astype(DType::F32)),
            copy: jit(copy).donate(0),
            weights,
            cache: None,
            adapters,
            room,
            shape,
            tables: vec![-1; sequences * blocks],
            blocks,
            vocabulary,
        };
        runner.cache = Some(runner.empty_cache()?);
        Ok(runner)
    }

    /// The weights, which may be exchanged between two steps.
    pub fn weights(&self) -> &Prepared<Decoder> {
        &self.weights
    }

    /// The room for adapters.
    pub fn room(&self) -> AdapterRoom {
        self.room
    }

    /// The bytes of the keys and values of a page.
    pub fn page_bytes(model: &Decoder, page: usize, dtype: DType) -> usize {
        let one = model.init_cache(1, page, dtype);
        let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
        one.leaves().into_iter().map(bytes).fold(0, usize::saturating_add)
    }

    fn empty_cache(&self) -> Result<State> {
        let CacheShape { pages, page, dtype } = self.shape;
        let cache = self.weights.shapes().init_cache(pages, page, dtype);
        // Each leaf in memory of its own, to be overwritten.
        cache.try_map_with_paths(|_, empty: &Array| Array::reserve(empty.ty()))
    }

    /// Puts an adapter into its room, or takes it away.
    pub fn set_adapter(&mut self, at: usize, changes: Option<&[AdapterChange]>) {
        let mut all = self.room.of(self.weights.shapes());
        for (path, held) in self.room.layers(self.weights.shapes()) {
            let entry = format!("{path}.adapters");
            let change = changes
                .into_iter()
                .flatten()
                .find(|change| change.path.strip_suffix(".weight") == Some(&path));
            let held = self.adapters.get::<Adapters>(&entry).unwrap_or(held);
            let (a, b) = match change {
                Some(change) => (change.a.t(), change.b.t()),
                None => (Array::scalar(0.0f32), Array::scalar(0.0f32)),
            };
            all.set(&entry, held.with(at, change.map(|change| (&a, &b, change.scale))));
        }
        self.adapters = all;
    }

    /// Puts pages into the tables.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            if let Some(entry) = self.tables.get_mut(change.row * self.blocks + change.block) {
                *entry = i32::try_from(change.page).unwrap_or(-1);
            }
        }
    }

    fn taken_cache(&mut self) -> Result<State> {
        self.cache.take().map_or_else(|| self.empty_cache(), Ok)
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
            let cache = self.taken_cache()?;
            self.cache = Some(self.copy.call((cache, from, to))?);
            rest = &rest[count..];
        }
        Ok(())
    }

    /// The arguments of a step, but for the cache.
    fn arguments(&self, batch: &Batch, size: usize) -> (Feed, Adapted) {
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
            Array::new(&filled(&batch.lengths), &[size]),
            Array::new(&pages, &[size, self.blocks]),
        );
        let mut adapted = batch.adapted.clone();
        adapted.resize(self.room.count, 0);
        (feed, (self.adapters.clone(), Array::new(&adapted, &[self.room.count])))
    }

    /// Compiles the programs of a step of `size` tokens that gives so many logits.
    pub fn compile(&mut self, size: usize, rows: &[usize]) -> Result<()> {
        let (feed, adapted) = self.arguments(&Batch::default(), size);
        let cache = self.taken_cache()?;
        let lowered = self.states.lower(&(cache.clone(), feed, adapted));
        self.cache = Some(cache);
        lowered?.compile()?;
        let model = self.weights.shapes();
        let states = Array::zeros_of(model.embed.table.ty().with_dims([size, model.embed.table.shape()[1]]));
        for &rows in rows {
            self.logits.lower(&(states.clone(), indices(&[], rows)))?.compile()?;
        }
        Ok(())
    }

    /// Begins to compute a batch filled up to `size` tokens: what goes into the output layer for each, `[size, width]`.
    pub fn run(&mut self, batch: &Batch, size: usize) -> Result<Array> {
        let count = batch.tokens.len();
        if count > size {
            return Err(Error::internal(format!("{count} tokens in a step of {size}")));
        }
        let (feed, adapted) = self.arguments(batch, size);
        let cache = self.taken_cache()?;
        let (cache, states) = self.states.call((cache, feed, adapted))?;
        self.cache = Some(cache);
        Ok(states)
    }

    /// Takes the memory that the module for further tokens needs.
    pub fn reserve_further(&mut self) -> Result<()> {
        let CacheShape { pages, page, dtype } = self.shape;
        let cache = self.weights.shapes().init_mtp_cache(pages, page, dtype);
        self.further_cache = Some(cache.try_map_with_paths(|_, empty: &Array| Array::reserve(empty.ty()))?);
        Ok(())
    }

    /// Begins to compute what the module for further tokens makes of these rows of `states` and of the tokens behind them, filled up to `size`.
    pub fn further(&mut self, batch: &Batch, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        let states = self.gather.call((states.clone(), indices(rows, size)))?;
        let (feed, _) = self.arguments(batch, size);
        if self.further_cache.is_none() {
            self.reserve_further()?;
        }
        let cache = self.further_cache.take().unwrap_or_default();
        let (cache, made) = self.further.call((cache, feed, states))?;
        self.further_cache = Some(cache);
        Ok(made)
    }

    /// Begins to compute the logits of these rows of its states.
    pub fn further_logits(&self, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.further_logits.call((states.clone(), indices(rows, size)))
    }

    /// The bytes that a page has in the module for further tokens.
    pub fn further_bytes(model: &Decoder, page: usize, dtype: DType) -> usize {
        let one = model.init_mtp_cache(1, page, dtype);
        let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
        one.leaves().into_iter().map(bytes).fold(0, usize::saturating_add)
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
