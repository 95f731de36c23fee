use jarrah_array::{Array, DType, Error, along, fail, lax, where_};

use crate::state::Stored;
use crate::{Context, Sequences};

/// Where the tokens of a pass stand: what modules that look at positions find by [`Context::about`].
///
/// Without one, token `t` of each sequence is at position `t`, and sees all tokens before it.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// The position of each token, integers `[B,T]`.
    pub positions: Array,
    /// The segment of each token, integers `[B,T]`: tokens see those of their own segment alone. None: all are of one.
    pub segments: Option<Array>,
    /// Where the sequences stand in caches, in a pass that goes on from earlier ones.
    pub sequences: Option<Sequences>,
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
            sequences: None,
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
        Tokens { positions, segments: Some(real), sequences: None, lengths: None }
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
        Tokens { positions, segments: Some(segments.clone()), sequences: None, lengths: None }
    }

    /// The next `length` tokens of each of `batch` sequences.
    #[track_caller]
    pub fn next(sequences: &Sequences, batch: usize, length: usize) -> Self {
        let positions = sequences.next(batch, length);
        Tokens { positions, segments: None, sequences: Some(sequences.clone()), lengths: None }
    }

    /// The same, of texts that count as so long, integers `[B]`.
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

    /// The tokens that the pass is about; where it has [`Sequences`] alone, the next tokens of these; where it has neither, the first tokens of `batch`
    /// sequences of `length` each. Where the state of the pass has pages at `pages` below the module that runs, sequences lie on these.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_nn::{Context, Sequences, Tokens};
    /// let cx = Context::eval().with(Sequences::at(&Array::scalar(3)));
    /// assert_eq!(Tokens::of(&cx, 1, 2).positions.to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn of(cx: &Context, batch: usize, length: usize) -> Self {
        let sequences = cx.about::<Sequences>().map(|sequences| (*sequences).clone());
        let mut tokens = match (cx.about::<Tokens>(), &sequences) {
            (Some(tokens), _) => (*tokens).clone(),
            (None, Some(sequences)) => Tokens::next(sequences, batch, length),
            (None, None) => Tokens::first(batch, length),
        };
        tokens.sequences = tokens.sequences.or(sequences);
        if let (Some(sequences), Some(pages)) = (&mut tokens.sequences, cx.state::<Array>("pages")) {
            sequences.pages = Some(pages);
        }
        tokens
    }

    /// The cache at `cache` below the module that runs, and where the sequences stand in it; none in a pass that goes on from no earlier one.
    ///
    /// A pass that goes on from earlier ones is an error where the module has no such cache, since it would see these tokens alone, and where tokens have
    /// segments, which caches do not keep.
    #[track_caller]
    pub fn cached<T: Stored>(&self, cx: &Context) -> Option<(T, &Sequences)> {
        let sequences = self.sequences.as_ref()?;
        if self.segments.is_some() {
            let error = "the tokens of the pass have segments, and go on from earlier passes";
            let help = "caches do not keep segments: give each text a sequence of its own";
            fail(Error::program(error).op("attention").help(help))
        }
        let Some(cache) = cx.state::<T>("cache") else {
            let kind = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
            let error = "the pass has sequences, and there is no cache for this layer";
            let help = format!("give the pass a state with a {kind} at the layer's path and `.cache`");
            fail(Error::program(error).op("attention").help(help))
        };
        Some((cache, sequences))
    }
}

/// Refuses an operation that looks along the axes `along` of `x` where one of them is the axis of the pass's tokens, `x` being `[B,T,..]`, and
/// these are of several segments or go on from earlier passes: it would mix texts, or miss what was before.
#[track_caller]
pub(crate) fn refuse_mixing(op: &str, x: &Array, along: impl IntoIterator<Item = usize>, cx: &Context) {
    let tokens = cx.about::<Tokens>();
    let (segmented, continued) = match &tokens {
        Some(tokens) => (tokens.segments.is_some(), tokens.sequences.is_some()),
        None => (false, false),
    };
    let continued = continued || cx.about::<Sequences>().is_some();
    let shape = x.shape();
    let of_tokens = match &tokens {
        // Positions of several axes are `[axes,B,T]`.
        Some(tokens) => match tokens.positions.shape()[..] {
            [batch, length] | [_, batch, length] if shape.len() > 2 => {
                length == shape[TIME] && (batch == shape[0] || batch == 1)
            }
            _ => false,
        },
        None => shape.len() == 3,
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
            "it keeps nothing of earlier passes: give it whole sequences, in a pass without `Sequences`",
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
