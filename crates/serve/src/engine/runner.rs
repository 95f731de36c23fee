//! The model with its pages, which computes the steps that the scheduler plans.

use jarrah_array::{
    Array, DType, Jit, Prepared, PreparedJit, Tree, TreeExt, concatenate, default_device, jit, lax,
};
use jarrah_base::{Error, Literal, Result, memory};
use jarrah_engine::{Change, PageCopy};
use jarrah_models::{AdapterChange, Decoder};
use jarrah_nn::{AdapterRows, Adapters, Context, Linear, State, Tokens, parts};
use std::collections::{HashMap, HashSet};

use super::layout::Layout;

/// The number of pages that are copied together.
const COPIES: usize = 8;
/// The bytes of keys and values that an idle engine touches at a time.
const PIECE: usize = 2 << 20;

/// The tokens `i32[N,1]` of a step, their positions `i32[N]`, the length that each token's text counts as `i32[N]`, and the page
/// tables of their sequences `i32[groups,N,M]`.
type Feed = (Array, Array, Array, Array);
/// The adapters of all layers, and the number of tokens that take each adapter `i32[adapters]`; both empty without slots for
/// adapters.
type Adapted = (State, Array);
type StatesArgs = (Decoder, State, Feed, Adapted);
type StatesOf = Box<dyn Fn(&StatesArgs) -> (State, Array) + Send + Sync>;
type States = PreparedJit<StatesArgs, Decoder, (State, Array), StatesOf>;
/// The model, the states that enter the output layer, and the rows of them to compute.
type LogitsArgs = (Decoder, Array, Array);
type Logits = PreparedJit<LogitsArgs, Decoder, Array, fn(&LogitsArgs) -> Array>;
/// The model, the module's keys and values, the tokens and their pages, and the states that a module for multi-token prediction
/// reads.
type FurtherArgs = (Decoder, State, Feed, Array);
type FurtherOf = Box<dyn Fn(&FurtherArgs) -> (State, Array) + Send + Sync>;
type Further = PreparedJit<FurtherArgs, Decoder, (State, Array), FurtherOf>;
type FurtherLogitsOf = Box<dyn Fn(&LogitsArgs) -> Array + Send + Sync>;
type FurtherLogits = PreparedJit<LogitsArgs, Decoder, Array, FurtherLogitsOf>;
/// States kept from earlier steps, states of this step, and the rows to gather from both.
type PickArgs = (Option<Array>, Array, Array);
/// The keys and values, the pages to read and the pages to write.
type CopyArgs = (State, Array, Array);
/// The keys and values, and the pages to read.
type ReadArgs = (State, Array);
/// The keys and values, the pages to write, and their contents.
type WriteArgs = (State, Array, State);

/// The extents of the memory for keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// The number of pages.
    pub pages: usize,
    /// The number of tokens in a page.
    pub page: usize,
    /// The dtype of keys and values.
    pub dtype: DType,
}

/// The number of slots for adapters, and their rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterRoom {
    pub count: usize,
    pub rank: usize,
}

impl AdapterRoom {
    /// The layers that may have adapters, each with empty slots.
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

    /// Checks that the changes of an adapter fit into the slots.
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

/// The tokens of a step, each with its position and the row of its sequence in the page tables.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub tokens: Vec<i32>,
    pub positions: Vec<i32>,
    pub rows: Vec<usize>,
    /// For each token the length that its text counts as.
    pub lengths: Vec<i32>,
    /// The number of tokens that take each adapter: the first tokens take the first adapter, and so on.
    pub adapted: Vec<i32>,
}

impl Batch {
    /// Adds tokens of a sequence, the first at position `from`; its text counts as at least `length` tokens long.
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

/// Computes steps. In the program, each token is a sequence of one query; tokens of one text are consecutive in the batch, and
/// attention takes them together by itself. So a program has one extent, the number of tokens, and there is a program for each of
/// a few sizes.
pub struct Runner {
    weights: Prepared<Decoder>,
    states: States,
    logits: Logits,
    vectors: Jit<(Array, Array), Array, fn(&(Array, Array)) -> Array>,
    /// The programs of the modules for multi-token prediction, one for each.
    further: Vec<Further>,
    further_logits: Vec<FurtherLogits>,
    pick: Jit<PickArgs, Array, fn(&PickArgs) -> Array>,
    /// The keys and values of the modules for multi-token prediction, if they draft.
    further_caches: Vec<State>,
    copy: Jit<CopyArgs, State, fn(&CopyArgs) -> State>,
    read: Jit<ReadArgs, State, fn(&ReadArgs) -> State>,
    write: Jit<WriteArgs, State, fn(&WriteArgs) -> State>,
    /// The keys and values; nothing after a step failed, and during sleep.
    cache: Option<State>,
    /// The number of pieces of the memory for keys and values that were touched ahead of their first use.
    populated: usize,
    adapters: State,
    room: AdapterRoom,
    shape: CacheShape,
    layout: Layout,
    /// The page tables, group by group, row by row; -1 for no page. Entries behind a window may name pages that belong to others
    /// by now.
    tables: Vec<i32>,
    sequences: usize,
    /// The most pages of a row.
    blocks: usize,
    vocabulary: usize,
}

impl Runner {
    /// Allocates the memory for keys and values.
    pub fn new(
        weights: Prepared<Decoder>,
        (layout, shape): (Layout, CacheShape),
        sequences: usize,
        most_length: usize,
        room: AdapterRoom,
    ) -> Result<Runner> {
        let adapters = room.of(weights.shapes());
        let vocabulary = weights.shapes().vocabulary();
        let places = layout.clone();
        let states = move |(model, cache, feed, (adapters, sizes)): &StatesArgs| {
            let (tokens, positions, lengths, pages) = feed;
            let at = Tokens::next(positions, tokens).paged(&pages.index(0)).of_lengths(lengths);
            let mut cx = places.given(Context::eval(), cache, pages).with(at);
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
        let read: fn(&ReadArgs) -> State = |(cache, pages)| cache.map_leaves(|x: &Array| x.take(pages, 0));
        let write: fn(&WriteArgs) -> State = |(cache, pages, content)| {
            let mut content = content.leaves().into_iter();
            cache.map_leaves(|x: &Array| {
                let at = lax::Scatter::rows(x.ty(), pages.ty(), lax::Update::Assign);
                content.next().map_or_else(|| x.clone(), |content| lax::scatter(x, pages, content, at))
            })
        };
        let blocks = most_length.div_ceil(shape.page);
        let further = |k: usize| -> FurtherOf {
            Box::new(move |(model, cache, (next, positions, lengths, pages), states)| {
                let at = Tokens::next(positions, next).paged(&pages.index(0)).of_lengths(lengths);
                let mut cx = Context::eval().with_state(cache).with(at);
                let made = model.mtp_states(k, &states.expand_dims(1), next, &mut cx);
                (cx.updates(), made.map_or_else(|| states.clone(), |made| made.squeeze(1)))
            })
        };
        let further_logits = |k: usize| -> FurtherLogitsOf {
            Box::new(move |(model, states, rows)| {
                let states = states.take(rows, 0);
                model.mtp_logits(k, &states).unwrap_or(states).astype(DType::F32)
            })
        };
        let pick: fn(&PickArgs) -> Array = |(kept, states, rows)| match kept {
            Some(kept) => concatenate(&[kept, states], 0).take(rows, 0),
            None => states.take(rows, 0),
        };
        let modules = 0..weights.shapes().mtp.len();
        let mut runner = Runner {
            further: modules.clone().map(|k| jit(further(k)).donate(1).prepared(&weights)).collect(),
            further_logits: modules.map(|k| jit(further_logits(k)).prepared(&weights)).collect(),
            pick: jit(pick),
            further_caches: Vec::new(),
            states: jit(Box::new(states) as StatesOf).donate(1).prepared(&weights),
            logits: jit(logits).prepared(&weights),
            vectors: jit(|(states, rows): &(Array, Array)| states.take(rows, 0).astype(DType::F32)),
            copy: jit(copy).donate(0),
            read: jit(read),
            write: jit(write).donate(0),
            weights,
            cache: None,
            populated: 0,
            adapters,
            room,
            shape,
            tables: vec![-1; layout.windows.len() * sequences * blocks],
            layout,
            sequences,
            blocks,
            vocabulary,
        };
        runner.cache = Some(runner.empty_cache()?);
        Ok(runner)
    }

    /// The weights, which may be replaced between two steps.
    pub fn weights(&self) -> &Prepared<Decoder> {
        &self.weights
    }

    /// Replaces the weights, between two steps; nothing is compiled.
    ///
    /// # Errors
    /// The weights are of another model (`Input`): the first parameter that differs is named.
    pub fn set_weights(&mut self, model: Decoder) -> Result<()> {
        if let Some(what) = difference(self.weights.shapes(), &model) {
            let error = Error::input(format!("these are weights of another model: {what}")).op("engine");
            return Err(error.help("give weights of the same shapes and dtypes"));
        }
        self.weights.set(model)?;
        // Compiled programs of sizes that are not used again would keep the old weights alive.
        self.let_go();
        Ok(())
    }

    fn let_go(&self) {
        self.states.let_go();
        self.logits.let_go();
        self.further.iter().for_each(Further::let_go);
        self.further_logits.iter().for_each(FurtherLogits::let_go);
    }

    /// Frees the memory of keys and values, and that of the weights if `with_weights`.
    pub fn sleep(&mut self, with_weights: bool) {
        self.cache = None;
        self.further_caches.clear();
        self.populated = 0;
        if with_weights {
            self.weights.release();
            self.let_go();
        }
        default_device().give_back_unused();
    }

    /// Allocates the memory of keys and values again.
    pub fn wake(&mut self) -> Result<()> {
        if self.cache.is_none() {
            let CacheShape { pages, page, dtype } = self.shape;
            let page = Runner::page_bytes(self.weights.shapes(), &self.layout, page, dtype);
            memory::check(pages.saturating_mul(page), &"keys and values")?;
            self.cache = Some(self.empty_cache()?);
        }
        Ok(())
    }

    /// The contents of these pages, for each page the bytes of all memories one after another.
    pub fn read_pages(&self, pages: &[u32]) -> Result<Vec<Vec<u8>>> {
        let Some(cache) = &self.cache else { return Err(Error::internal("pages without memory")) };
        let mut all = Vec::with_capacity(pages.len());
        for part in pages.chunks(COPIES) {
            let read = self.read.call((cache.clone(), numbers(part, 0)))?;
            let leaves: Result<Vec<Literal>> = read.leaves().into_iter().map(Array::to_literal).collect();
            let leaves = leaves?;
            all.extend((0..part.len()).map(|at| {
                let of = |leaf: &Literal| {
                    let each = leaf.bytes().len() / COPIES;
                    leaf.bytes()[at * each..][..each].to_vec()
                };
                leaves.iter().flat_map(of).collect::<Vec<u8>>()
            }));
        }
        Ok(all)
    }

    /// Writes contents that [`read_pages`](Self::read_pages) gave into pages.
    pub fn write_pages(&mut self, pages: &[(u32, Vec<u8>)]) -> Result<()> {
        for part in pages.chunks(COPIES) {
            let cache = self.taken_cache()?;
            let mut from = 0;
            let content = cache.try_map_with_paths(|_, x: &Array| {
                let dims: Vec<usize> = [&[COPIES], &x.shape()[1..]].concat();
                let ty = x.ty().with_dims(dims);
                let each = ty.bytes()? / COPIES;
                let mut bytes = Vec::with_capacity(each * COPIES);
                for (_, page) in part {
                    bytes.extend_from_slice(page.get(from..from + each).unwrap_or(&[]));
                }
                bytes.resize(each * COPIES, 0);
                from += each;
                Ok(Array::from_literal(Literal::from_bytes(ty, &bytes)?))
            });
            let at: Vec<u32> = part.iter().map(|(page, _)| *page).collect();
            self.cache = Some(match content {
                Ok(content) => self.write.call((cache, numbers(&at, -1), content))?,
                Err(error) => {
                    self.cache = Some(cache);
                    return Err(error);
                }
            });
        }
        Ok(())
    }

    /// The slots for adapters.
    pub fn room(&self) -> AdapterRoom {
        self.room
    }

    /// The bytes of the keys and values of one page.
    pub fn page_bytes(model: &Decoder, layout: &Layout, page: usize, dtype: DType) -> usize {
        bytes_of(&layout.caches(model, 1, page, dtype))
    }

    fn empty_cache(&self) -> Result<State> {
        let CacheShape { pages, page, dtype } = self.shape;
        let cache = self.layout.caches(self.weights.shapes(), pages, page, dtype);
        // Each leaf gets memory of its own, since steps overwrite it.
        cache.try_map_with_paths(|_, empty: &Array| Array::reserve(empty.ty()))
    }

    /// Touches the next piece of the memory of keys and values, so that the system provides it; false if all is touched.
    /// Otherwise the first step that writes to a page waits until the system has cleared it, and the pages of all layers are new
    /// in the same step.
    pub fn populate(&mut self) -> Result<bool> {
        let memories = self.cache.iter().chain(&self.further_caches).flat_map(TreeExt::<Array>::leaves);
        let memories: Vec<(&Array, usize)> =
            memories.map(|memory| Ok((memory, memory.ty().bytes()?))).collect::<Result<_>>()?;
        let most = memories.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
        // The first pieces of all memories come first, then the second ones.
        while self.populated / memories.len().max(1) * PIECE < most {
            let (piece, which) = (self.populated / memories.len(), self.populated % memories.len());
            let (memory, bytes) = memories[which];
            self.populated += 1;
            if piece * PIECE < bytes {
                memory.populate(piece * PIECE..(piece + 1) * PIECE)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts an adapter into a slot, or empties the slot.
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

    /// Applies changes to the page tables.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            let row = change.group * self.sequences + change.row;
            if let Some(entry) = self.tables.get_mut(row * self.blocks + change.block) {
                *entry = i32::try_from(change.page).unwrap_or(-1);
            }
        }
    }

    fn taken_cache(&mut self) -> Result<State> {
        self.cache.take().map_or_else(|| self.empty_cache(), Ok)
    }

    /// Copies pages, in order.
    pub fn copy(&mut self, copies: &[PageCopy]) -> Result<()> {
        // All pages of a round are read before any is written, so a copy that reads an earlier copy's page begins a new round.
        let mut rest = copies;
        while !rest.is_empty() {
            let reads_earlier =
                |at: usize| rest[..at].iter().any(|copy| copy.to == rest[at].from || copy.to == rest[at].to);
            let most = COPIES.min(rest.len());
            let count = (1..most).find(|&at| reads_earlier(at)).unwrap_or(most);
            let of = |page: fn(&PageCopy) -> u32| rest[..count].iter().map(page).collect::<Vec<u32>>();
            let (from, to) = (numbers(&of(|copy| copy.from), 0), numbers(&of(|copy| copy.to), -1));
            let cache = self.taken_cache()?;
            self.cache = Some(self.copy.call((cache, from, to))?);
            rest = &rest[count..];
        }
        Ok(())
    }

    /// The arguments of a step, without the cache.
    fn arguments(&self, batch: &Batch, size: usize) -> (Feed, Adapted) {
        let filled = |values: &[i32]| {
            let mut values = values.to_vec();
            values.resize(size, 0);
            values
        };
        let groups = self.layout.windows.len();
        let mut pages = Vec::with_capacity(groups * size * self.blocks);
        for group in 1..=groups {
            let tables = &self.tables[(group - 1) * self.sequences * self.blocks..];
            for &row in &batch.rows {
                pages.extend_from_slice(&tables[row * self.blocks..][..self.blocks]);
            }
            // Padding tokens have no page, so nothing is written for them.
            pages.resize(group * size * self.blocks, -1);
        }
        let feed = (
            Array::new(&filled(&batch.tokens), &[size, 1]),
            Array::new(&filled(&batch.positions), &[size]),
            Array::new(&filled(&batch.lengths), &[size]),
            Array::new(&pages, &[groups, size, self.blocks]),
        );
        let mut adapted = batch.adapted.clone();
        adapted.resize(self.room.count, 0);
        (feed, (self.adapters.clone(), Array::new(&adapted, &[self.room.count])))
    }

    /// Compiles the programs of a step of `size` tokens with these numbers of rows of logits.
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

    /// Begins to compute a batch padded to `size` tokens. The result are the states that enter the output layer, `[size, width]`.
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

    /// Allocates the keys and values of the modules for multi-token prediction.
    pub fn reserve_further(&mut self) -> Result<()> {
        let CacheShape { pages, page, dtype } = self.shape;
        let cache = self.weights.shapes().init_mtp_cache(pages, page, dtype);
        let of = |k: usize| {
            let own = cache.filtered(|path| path.starts_with(&format!("mtp.{k}.")));
            own.try_map_with_paths(|_, empty: &Array| Array::reserve(empty.ty()))
        };
        self.further_caches = (0..self.modules()).map(of).collect::<Result<_>>()?;
        Ok(())
    }

    /// The number of modules for multi-token prediction.
    pub fn modules(&self) -> usize {
        self.further.len()
    }

    /// Begins to gather these rows of `kept` followed by `states`, padded to `size` rows.
    pub fn pick(&self, kept: Option<&Array>, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.pick.call((kept.cloned(), states.clone(), indices(rows, size)))
    }

    /// Begins to compute module `k` for multi-token prediction, from `states: [size, width]` and the tokens `k + 1` places
    /// behind.
    pub fn further(&mut self, k: usize, batch: &Batch, states: Array) -> Result<Array> {
        let (feed, _) = self.arguments(batch, states.shape()[0]);
        if self.further_caches.is_empty() {
            self.reserve_further()?;
        }
        let (Some(further), Some(cache)) = (self.further.get(k), self.further_caches.get_mut(k)) else {
            return Err(Error::internal(format!("module {k} for further tokens of {}", self.modules())));
        };
        let (cache, made) = further.call((std::mem::take(cache), feed, states))?;
        self.further_caches[k] = cache;
        Ok(made)
    }

    /// Begins to compute the logits for these rows of the states of module `k`.
    pub fn further_logits(&self, k: usize, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        match self.further_logits.get(k) {
            Some(logits) => logits.call((states.clone(), indices(rows, size))),
            None => Err(Error::internal(format!("module {k} for further tokens of {}", self.modules()))),
        }
    }

    /// The bytes of one page in the modules for multi-token prediction.
    pub fn further_bytes(model: &Decoder, page: usize, dtype: DType) -> usize {
        bytes_of(&model.init_mtp_cache(1, page, dtype))
    }

    /// Begins to compute the logits for these rows of `states`, `f32[size, vocabulary]`.
    pub fn logits(&self, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.logits.call((states.clone(), indices(rows, size)))
    }

    /// Begins to copy these rows of `states`, `f32[size, width]`.
    pub fn vectors(&self, states: &Array, rows: &[usize], size: usize) -> Result<Array> {
        self.vectors.call((states.clone(), indices(rows, size)))
    }

    /// The number of logits in a row.
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }
}

/// The numbers of at most [`COPIES`] pages as `i32[COPIES]`, padded with `none`: 0 for pages to read, where the content of the
/// padding is ignored, and -1 for pages to write, where nothing is written for the padding.
fn numbers(pages: &[u32], none: i32) -> Array {
    let pages = pages.iter().map(|&page| page as i32);
    let pages: Vec<i32> = pages.chain(std::iter::repeat(none)).take(COPIES).collect();
    Array::new(&pages, &[COPIES])
}

/// Row numbers as an array, padded to `size`.
fn indices(rows: &[usize], size: usize) -> Array {
    let mut rows: Vec<i32> = rows.iter().map(|&row| row as i32).collect();
    rows.resize(size, 0);
    Array::new(&rows, &[size])
}

/// The step sizes up to `most` tokens: powers of two, from 8 on also the sizes halfway between, and from 16 to 128, the sizes of
/// steps without prompts, quarters between. A step is padded to its size, and padding costs time.
pub fn sizes(most: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::new();
    let mut power = 1;
    while power < most {
        let quarters: &[usize] = match power {
            ..8 => &[4],
            16..128 => &[4, 5, 6, 7],
            _ => &[4, 6],
        };
        sizes.extend(quarters.iter().map(|quarters| power * quarters / 4).filter(|&size| size < most));
        power *= 2;
    }
    sizes.push(most);
    sizes
}

/// The smallest size with room for `count`; `count` itself if it is larger than all.
pub fn size_for(sizes: &[usize], count: usize) -> usize {
    sizes.iter().copied().find(|&size| size >= count).unwrap_or(count)
}

/// The bytes of all arrays in a tree.
pub fn bytes_of(tree: &impl Tree<Array>) -> usize {
    let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
    tree.leaves().into_iter().map(bytes).fold(0, usize::saturating_add)
}

/// The first parameter by which a model differs from the served model, as text.
fn difference(served: &Decoder, given: &Decoder) -> Option<String> {
    let given: HashMap<String, &Array> = given.leaves_with_paths().into_iter().collect();
    let served: Vec<(String, &Array)> = served.leaves_with_paths();
    for (path, own) in &served {
        match given.get(path) {
            None => return Some(format!("they lack {path}, {} in the model that is served", own.ty())),
            Some(other) if other.ty() != own.ty() => {
                return Some(format!(
                    "{path} is {}, but {} in the model that is served",
                    other.ty(),
                    own.ty()
                ));
            }
            Some(_) => {}
        }
    }
    let known: HashSet<&String> = served.iter().map(|(path, _)| path).collect();
    let mut further: Vec<&String> = given.keys().filter(|path| !known.contains(path)).collect();
    further.sort();
    further.first().map(|path| format!("they have {path}, which the model that is served lacks"))
}
