//! The length of sequences, and the number of pages for their keys and values.

use jarrah_array::DType;
use jarrah_base::{Error, Result, memory};
use jarrah_engine::Limits;
use jarrah_models::Decoder;

use super::EngineOptions;
use super::drafts::Drafts;
use super::layout::Layout;
use super::runner::Runner;

/// The length to which sequences may be shortened to need less memory, if no length is given.
const SHORTEST: usize = 2048;

/// The memory that an engine has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMemory {
    /// Bytes of weights.
    pub weights: usize,
    /// Bytes of keys and values.
    pub cache: usize,
    /// The number of tokens whose keys and values fit, if none is dropped behind a window.
    pub cache_tokens: usize,
}

/// The most tokens of a sequence, by the options and the model's context.
pub fn length(options: &EngineOptions, context: usize) -> Result<usize> {
    match options.max_length.unwrap_or(context) {
        length if (1..=context).contains(&length) => Ok(length),
        length => {
            let error = format!("sequences of {length} tokens, but the model was made for {context}");
            Err(Error::input(error).op("engine").help(format!(
                "take {context} tokens at most, prompt and answer together (`--max-model-len`)"
            )))
        }
    }
}

/// The longest sequence whose keys and values fit into memory, if the options give no length.
pub fn lengths_with_room(options: &EngineOptions, limits: &Limits, page_bytes: usize) -> usize {
    let fit = |bytes: usize| {
        let pages = bytes / page_bytes.max(1);
        let (mut fits, mut not) = (0, limits.max_length + 1);
        while not - fits > 1 {
            let middle = fits + (not - fits) / 2;
            match limits.need(middle) <= pages {
                true => fits = middle,
                false => not = middle,
            }
        }
        fits
    };
    match options.cache_bytes {
        Some(given) => fit(given).max(1),
        // Shorter sequences are of little use: for these, more than the usual share of memory is taken.
        None => fit(memory::available() / 8).max(SHORTEST),
    }
}

pub fn limits(options: &EngineOptions, max_length: usize) -> Limits {
    Limits {
        page: options.page,
        sequences: options.sequences,
        // The last token of a sequence is chosen but not computed.
        max_length: max_length + 1,
        // The engine checks the places of the queue itself, and a beam search holds reserved places besides: the scheduler's own
        // limit is set so high that it never refuses.
        waiting: options.waiting.saturating_mul(2).saturating_add(options.sequences),
        overtake: options.overtake.unwrap_or(Limits::default().overtake),
        ..Limits::default()
    }
}

/// The bytes of the keys and values of one page, those of a draft model included.
pub fn page_bytes(model: &Decoder, layout: &Layout, options: &EngineOptions, dtype: DType) -> usize {
    let draft = options.drafts.as_ref().and_then(Drafts::model);
    let of = |model, layout: &Layout| Runner::page_bytes(model, layout, options.page, dtype);
    let further = match &options.drafts {
        Some(Drafts::Heads { .. }) => Runner::further_bytes(model, options.page, dtype),
        _ => 0,
    };
    let draft = draft.map_or(0, |draft| of(draft, &Layout::whole(draft)));
    of(model, layout).saturating_add(draft).saturating_add(further)
}

/// The layout of a model's layers on pages.
///
/// A drafter with keys and values of its own has them on the pages of the layers that see the whole text, with unused room on the
/// pages of all other groups. If no layer sees the whole text, or if the unused room is more than windows save, all layers share
/// one group, and no page is given back early.
pub fn layout(model: &Decoder, options: &EngineOptions, longest: usize, dtype: DType) -> Layout {
    let layout = Layout::of(model, longest, dtype);
    if let None | Some(Drafts::Lookup(_)) = options.drafts {
        return layout;
    }
    let whole = Layout::whole(model);
    let bytes = |layout: &Layout| {
        let limits = Limits { windows: layout.windows.clone(), ..limits(options, longest) };
        limits.need(longest).saturating_mul(page_bytes(model, layout, options, dtype))
    };
    match layout.windows[0].is_none() && bytes(&layout) < bytes(&whole) {
        true => layout,
        false => whole,
    }
}

/// The number of pages of `bytes` bytes that the engine takes.
pub fn pages(limits: &Limits, options: &EngineOptions, bytes: usize) -> Result<usize> {
    // The last token of a sequence is not computed.
    let max_length = limits.max_length - 1;
    let longest = limits.need(max_length);
    // Pages that fall behind a window are held until the step is done.
    let windows = limits.windows.iter().flatten().count();
    let behind = windows * limits.tokens_per_step.min(max_length).div_ceil(options.page);
    let all = longest.saturating_mul(options.sequences).saturating_add(behind);
    let given = options.cache_bytes.unwrap_or_else(|| memory::available() / 8);
    let pages = match options.cache_bytes {
        Some(given) => given / bytes,
        None => (given / bytes).max(longest),
    };
    let pages = pages.min(all).min(i32::MAX as usize);
    if pages < longest {
        let page = options.page;
        // A sequence takes at least a page, whatever its length.
        let (what, other) = match longest {
            1 => (format!("a page of {page} tokens needs"), "smaller pages"),
            n if max_length <= page => (format!("{n} pages of {page} tokens need"), "smaller pages"),
            _ => (format!("a sequence of {max_length} tokens needs"), "shorter sequences"),
        };
        let (need, given) = (memory::size(longest.saturating_mul(bytes)), memory::size(given));
        return Err(Error::input(format!("{what} {need} for keys and values, there are {given}"))
            .op("engine")
            .help(format!("give the cache more memory, or take {other}")));
    }
    let enough = memory::check(pages.saturating_mul(bytes), &"keys and values");
    enough.map_err(|e| e.help("take shorter sequences, or keys and values in 8 bits"))?;
    Ok(pages)
}
