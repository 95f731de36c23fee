use jarrah_array::{Array, DType, Error, Tree, along, fail, lax, where_};

use crate::Context;
use crate::cache::{following, starts};
use crate::state::StateEntry;

/// Where the tokens of a pass stand, in their sequences and in caches: modules that look at positions find it by [`Context::about`].
///
/// Without one, token `t` of each sequence is at position `t`, and sees all tokens before it.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::Tokens;
/// // Two tokens of each of two sequences, of which caches hold three and five already.
/// let tokens = Tokens::next(&Array::from_slice(&[3i32, 5]), &Array::new(&[7i32, 8, 1, 2], &[2, 2]));
/// assert_eq!(tokens.positions.to_vec::<i32>()?, [3, 4, 5, 6]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Tokens {
    /// The position of each token, integers `[B,T]`.
    pub positions: Array,
    /// The segment of each token, integers `[B,T]`: tokens see those of their own segment alone. None: all are of one.
    pub segments: Option<Array>,
    /// How many tokens of each sequence the caches hold before these, integers `[B]`, or a scalar for all, in a pass that goes on from earlier ones.
    pub seen: Option<Array>,
    /// The pages of each sequence in the caches, in order, integers `[B, M]`; none: sequence `b` lies in run `b` of a cache.
    ///
    /// A write to a page that does not exist, -1 say, is dropped. Sequences may share pages that none of them writes.
    pub pages: Option<Array>,
    /// How long the text of each sequence counts as, integers `[B]`, for what depends on it: the rates of rotary embeddings made for several lengths. None: each
    /// text, of a sequence or of a segment, ends behind the last of its positions in the pass.
    pub lengths: Option<Array>,
}

impl Tokens {
    /// The first tokens of `batch` sequences of `length` each.
    pub fn first(batch: usize, length: usize) -> Self {
        Tokens {
            positions: lax::iota(DType::I32, &[batch, length], 1),
            segments: None,
            seen: None,
            pages: None,
            lengths: None,
        }
    }

    /// Sequences with tokens that only fill them up, where `mask: [B,T]` is 0 or false: before the text, behind it, or both. What is computed for these
    /// means nothing.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::Tokens;
    /// let tokens = Tokens::masked(&Array::new(&[0i32, 0, 1, 1], &[1, 4]));
    /// assert_eq!(tokens.positions.to_vec::<i32>()?, [0, 0, 0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn masked(mask: &Array) -> Self {
        if mask.rank() != 2 {
            let error = format!("the mask is {}, it must be [B,T]", mask.ty());
            fail(Error::program(error).op("tokens"));
        }
        let real = mask.ne(0).astype(DType::I32);
        let positions = (real.cumsum(1) - 1).maximum(0).astype(DType::I32);
        Tokens { positions, segments: Some(real), seen: None, pages: None, lengths: None }
    }

    /// Several texts in one sequence, as their `segments: [B,T]` say: positions begin anew where a number differs from the one before.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::Tokens;
    /// let tokens = Tokens::packed(&Array::new(&[1i32, 1, 2, 2, 2], &[1, 5]));
    /// assert_eq!(tokens.positions.to_vec::<i32>()?, [0, 1, 0, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn packed(segments: &Array) -> Self {
        let [batch, length] = segments.shape()[..] else {
            let error = format!("segments are {}, they must be integers [B,T]", segments.ty());
            fail(Error::program(error).op("tokens"))
        };
        let places = lax::iota(DType::I32, &[batch, length], 1);
        let before = segments.take(&(Array::arange(length as i32) - 1).maximum(0), 1);
        let starts = where_(&segments.ne(&before), &places, 0);
        let positions = &places - starts.cummax(1);
        Tokens { positions, segments: Some(segments.clone()), seen: None, pages: None, lengths: None }
    }

    /// The next tokens of sequences, in caches that have a run for each.
    ///
    /// * `seen`: the number of tokens of each sequence that the caches hold, integers `[B]`, or a scalar for all
    /// * `tokens`: the tokens, or an array of a vector or more for each, `[B,T,..]`
    #[track_caller]
    pub fn next(seen: &Array, tokens: &Array) -> Self {
        let [batch, length, ..] = tokens.shape()[..] else {
            let error = format!("tokens are {}, they must be [B,T,..]", tokens.ty());
            fail(Error::program(error).op("tokens"))
        };
        let positions = following(&starts(seen, batch), length);
        Tokens { positions, segments: None, seen: Some(seen.clone()), pages: None, lengths: None }
    }

    /// These tokens, in caches of pages: `pages: [B, M]` are the pages of each sequence, in order.
    #[must_use]
    pub fn paged(self, pages: &Array) -> Self {
        Tokens { pages: Some(pages.clone()), ..self }
    }

    /// These tokens, of texts that count as so long, integers `[B]`.
    #[must_use]
    #[track_caller]
    pub fn of_lengths(self, lengths: &Array) -> Self {
        Tokens { lengths: Some(lengths.clone()), ..self }
    }

    /// How long the text of each token counts as: integers `[B,1]`, or `[B,T]` where there are segments.
    #[track_caller]
    pub(crate) fn text_lengths(&self) -> Array {
        // Positions of several axes count as the last of them.
        let positions =
            if self.positions.rank() == 3 { self.positions.max(0) } else { self.positions.clone() };
        match (&self.lengths, &self.segments) {
            (Some(lengths), _) => lengths.expand_dims(1),
            (None, Some(segments)) => {
                let alike = segments.expand_dims(2).eq(segments.expand_dims(1));
                where_(&alike, positions.expand_dims(1), 0).max(2) + 1
            }
            (None, None) => positions.max(along(1).keepdims()) + 1,
        }
    }

    /// The tokens that the pass is about; where it does not say, the first tokens of `batch` sequences of `length` each. Where the state of the pass has
    /// pages at `pages` below the module that runs, sequences lie on these.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::{Context, Tokens};
    /// assert_eq!(Tokens::of(&Context::eval(), 1, 2).positions.to_vec::<i32>()?, [0, 1]);
    /// let cx = Context::eval().with(Tokens::next(&Array::scalar(3), &Array::ones(&[1, 2])));
    /// assert_eq!(Tokens::of(&cx, 1, 2).positions.to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn of(cx: &Context, batch: usize, length: usize) -> Self {
        let told = cx.about::<Tokens>();
        let tokens = told.map_or_else(|| Tokens::first(batch, length), |tokens| (*tokens).clone());
        match cx.state::<Array>("pages").filter(|_| tokens.seen.is_some()) {
            Some(pages) => tokens.paged(&pages),
            None => tokens,
        }
    }

    /// The cache at `cache` below the module that runs; none in a pass that goes on from no earlier one.
    ///
    /// A pass that goes on from earlier ones is an error where the module has no such cache, since it would see these tokens alone, and where tokens have
    /// segments, which caches do not keep.
    #[track_caller]
    pub fn cached<T: StateEntry>(&self, cx: &Context) -> Option<T> {
        self.seen.as_ref()?;
        if self.segments.is_some() {
            let error = "the tokens of the pass have segments, and go on from earlier passes";
            let help = "caches do not keep segments: give each text a sequence of its own";
            fail(Error::program(error).op("attention").help(help))
        }
        let Some(cache) = cx.state::<T>("cache") else {
            let kind = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
            let error =
                "the tokens of the pass go on from earlier passes, and there is no cache for this layer";
            let help = format!("give the pass a state with a {kind} at the layer's path and `.cache`");
            fail(Error::program(error).op("attention").help(help))
        };
        Some(cache)
    }
}

/// Refuses an operation that looks along the axes `along` of `x` where one of them is the axis of the pass's tokens, `x` being `[B,T,..]`, and
/// these are of several segments or go on from earlier passes: it would mix texts, or miss what was before.
#[track_caller]
pub(crate) fn refuse_mixing(op: &str, x: &Array, along: impl IntoIterator<Item = usize>, cx: &Context) {
    let Some(tokens) = cx.about::<Tokens>() else { return };
    let (segmented, continued) = (tokens.segments.is_some(), tokens.seen.is_some());
    let shape = x.shape();
    let of_tokens = match tokens.positions.shape()[..] {
        // Positions of several axes are `[axes,B,T]`.
        [batch, length] | [_, batch, length] if shape.len() > 2 => {
            length == shape[TIME] && (batch == shape[0] || batch == 1)
        }
        _ => false,
    };
    if !(segmented || continued) || !of_tokens || !along.into_iter().any(|axis| axis == TIME) {
        return;
    }
    let (error, help) = match segmented {
        true => (
            "would mix tokens that the pass says to be of several segments",
            "give it each text as a sequence of its own, in a pass without `Tokens` that have segments",
        ),
        false => (
            "would see the next tokens of sequences without those before",
            "it keeps nothing of earlier passes: give it whole sequences, in a pass without `Tokens::next`",
        ),
    };
    fail(Error::program(format!("{op} over {} {error}", x.ty())).op(op).help(help))
}

/// The axis of tokens in `[B,T,..]`.
const TIME: usize = 1;

/// The spatial axes of `x: [.., spatial.., features]` along which a result depends on more than one place, as `reaches` says of each.
pub(crate) fn reaching(x: &Array, reaches: &[bool]) -> Vec<usize> {
    let first = (x.rank()).saturating_sub(1 + reaches.len());
    reaches.iter().enumerate().filter(|(_, reaches)| **reaches).map(|(i, _)| first + i).collect()
}
