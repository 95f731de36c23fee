//! Groups of layers that share pages of keys and values.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jarrah_array::{Array, DType, TreeExt, where_};
use jarrah_models::Decoder;
use jarrah_nn::{Context, KvCache, LatentCache, State};

/// The most groups, unless layers have more different windows: every sequence has a page table for each group.
const GROUPS: usize = 8;

/// The assignment of a model's layers to groups and memories.
///
/// A layer that attends to the last `w` tokens needs no page of older tokens. So layers with the same window form groups, and
/// each group has page tables of its own. All groups have about as many layers, and the layers at the same place of all groups
/// share one memory: page `p` of the memory belongs to the group that holds page `p`, so any group may take any page. If the keys
/// of some layers have `n` times the extents of others, `n` of the smaller layers share a place, each with a part of every page.
///
/// Source: vLLM's hybrid KV cache manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// For each group its window: the number of last tokens that it sees, the token itself included; nothing for the whole text.
    pub windows: Vec<Option<usize>>,
    layers: Vec<Placed>,
    /// For each memory a layer that uses whole pages of it.
    memories: Vec<usize>,
}

/// The place of a layer's keys and values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Placed {
    /// The layer's path.
    path: String,
    group: usize,
    memory: usize,
    /// The number of parts into which the layer's pages are cut, and the layer's part.
    parts: (usize, usize),
}

impl Layout {
    /// One group with all layers, whose pages are kept as long as the sequence runs.
    pub fn whole(model: &Decoder) -> Layout {
        let mut layout = Layout { windows: vec![None], layers: Vec::new(), memories: Vec::new() };
        for (at, layer) in model.cached_layers().into_iter().enumerate() {
            let memory = match layer.lender {
                Some(lender) => layout.layers[lender].memory,
                None => layout.memories.len(),
            };
            if layer.lender.is_none() {
                layout.memories.push(at);
            }
            layout.layers.push(Placed { path: layer.path, group: 0, memory, parts: (1, 0) });
        }
        layout
    }

    /// Groups layers by their windows, for sequences of up to `longest` tokens and keys and values in `dtype`. If the extents of
    /// some layers are no multiples of those of others, all layers are in one group.
    pub fn of(model: &Decoder, longest: usize, dtype: DType) -> Layout {
        let whole = Layout::whole(model);
        let all = model.cached_layers();
        // Layers may read the keys and values of another layer: then that layer's window counts as the largest of them all.
        let far = |window: Option<usize>| window.filter(|&window| window < longest).unwrap_or(usize::MAX);
        let mut seen: Vec<usize> = all.iter().map(|layer| far(layer.window)).collect();
        for (at, layer) in all.iter().enumerate() {
            if let Some(lender) = layer.lender {
                seen[lender] = seen[lender].max(seen[at]);
            }
        }
        let is_one = whole.memories.iter().all(|&at| seen[at] == seen[whole.memories[0]]);
        let Some(parts) = (if is_one { Some(vec![1; all.len()]) } else { parts(model, dtype) }) else {
            return whole;
        };
        let mut kinds: BTreeMap<(Reverse<usize>, usize), Vec<usize>> = BTreeMap::new();
        for &at in &whole.memories {
            kinds.entry((Reverse(seen[at]), parts[at])).or_default().push(at);
        }
        let places: Vec<usize> =
            kinds.iter().map(|((_, parts), layers)| layers.len().div_ceil(*parts)).collect();
        let size = size_of_groups(&places);
        let Some(&largest) = whole.memories.iter().find(|&&at| parts[at] == 1) else { return whole };
        let mut layout = Layout { windows: Vec::new(), memories: Vec::new(), ..whole };
        for ((&(Reverse(seen), parts), layers), places) in kinds.iter().zip(&places) {
            let groups = places.div_ceil(size);
            for part in 0..groups {
                let part = &layers[part * layers.len() / groups..(part + 1) * layers.len() / groups];
                for (i, &at) in part.iter().enumerate() {
                    let memory = i / parts;
                    // With one group, each memory has one layer, and is sized for it.
                    let whole = if is_one { at } else { largest };
                    layout.memories.extend((layout.memories.len()..=memory).map(|_| whole));
                    let placed = &mut layout.layers[at];
                    (placed.group, placed.memory) = (layout.windows.len(), memory);
                    placed.parts = (parts, i % parts);
                }
                layout.windows.push((seen < usize::MAX).then_some(seen));
            }
        }
        for (at, layer) in all.iter().enumerate() {
            if let Some(lender) = layer.lender {
                let Placed { group, memory, parts, .. } = layout.layers[lender];
                let placed = &mut layout.layers[at];
                (placed.group, placed.memory, placed.parts) = (group, memory, parts);
            }
        }
        layout
    }

    /// Empty memories with `pages` pages of `page` tokens for the layers of `model`.
    pub fn caches(&self, model: &Decoder, pages: usize, page: usize, dtype: DType) -> State {
        let all = model.init_cache(pages, page, dtype);
        let mut caches = State::default();
        for (memory, &layer) in self.memories.iter().enumerate() {
            let path = format!("{}.cache", self.layers[layer].path);
            if let Some(cache) = all.get::<KvCache>(&path) {
                caches.set(&name_of(memory), cache);
            } else if let Some(cache) = all.get::<LatentCache>(&path) {
                caches.set(&name_of(memory), cache);
            }
        }
        caches
    }

    /// The pass in which each layer has its memory of `caches`, and its page table out of `tables`, integers `[groups, N, M]`.
    pub fn given(&self, cx: Context, caches: &State, tables: &Array) -> Context {
        let tables: Vec<Array> = (0..self.windows.len()).map(|group| tables.index(group)).collect();
        let mut state = caches.clone();
        for Placed { path, group, parts: (parts, part), .. } in &self.layers {
            let table = &tables[*group];
            if *parts > 1 {
                let table = where_(&table.ge(0), &(table * *parts as i32 + *part as i32), -1);
                state.set(&format!("{path}.pages"), table);
            } else if *group > 0 {
                state.set(&format!("{path}.pages"), table.clone());
            }
        }
        let pairs = self.layers.iter().map(|layer| (format!("{}.cache", layer.path), name_of(layer.memory)));
        cx.with_state(&state).sharing(pairs)
    }
}

/// The path of a memory in the state of a pass.
fn name_of(memory: usize) -> String {
    format!("memory.{memory}")
}

/// For each layer, how many layers like it need as much memory as the largest layer; nothing if one of the numbers is not whole.
fn parts(model: &Decoder, dtype: DType) -> Option<Vec<usize>> {
    let caches = model.init_cache(1, 1, dtype);
    let sizes = |path: &str| -> Vec<usize> {
        caches.below(&format!("{path}.cache")).leaves().into_iter().map(Array::size).collect()
    };
    let all: Vec<Vec<usize>> = model.cached_layers().iter().map(|layer| sizes(&layer.path)).collect();
    let most = all.iter().max()?;
    let of = |sizes: &Vec<usize>| match sizes.first() {
        None => Some(1),
        Some(first) => {
            let parts = most[0] / first;
            let is_whole = sizes.len() == most.len() && most.iter().zip(sizes).all(|(m, s)| *m == s * parts);
            is_whole.then_some(parts)
        }
    };
    all.iter().map(of).collect()
}

/// The number of places in each group, if the layers of each kind need `kinds` places, kinds with the largest window first. The
/// choice leaves as few places empty as possible, above all in groups of the first kind, whose pages are never given back.
fn size_of_groups(kinds: &[usize]) -> usize {
    let most = kinds.iter().copied().max().unwrap_or(1);
    let groups = |size: usize| kinds.iter().map(|count| count.div_ceil(size)).sum::<usize>();
    let empty = |count: usize, size: usize| count.div_ceil(size) * size - count;
    let may = (1..=most).filter(|&size| groups(size) <= GROUPS.max(kinds.len()));
    let cost = |size: &usize| {
        let all: usize = kinds.iter().map(|&count| empty(count, *size)).sum();
        (kinds.first().map_or(0, |&first| empty(first, *size)), all, Reverse(*size))
    };
    may.min_by_key(cost).unwrap_or(most)
}
