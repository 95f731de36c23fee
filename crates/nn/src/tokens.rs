use jarrah_array::{Array, DType, Error, fail, lax};

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
    /// How long the text of each sequence counts as, integers `[B]`, for what depends on it: the rates of rotary embeddings made for several lengths. None: all
    /// are as long as the longest of the pass.
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
        let starts = jarrah_array::where_(&segments.ne(&before), &places, 0);
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

    /// Those of the pass, or the first ones of sequences with so many tokens. Where the state of the pass has pages at `pages` below the module that runs,
    /// sequences lie on these.
    pub fn of(cx: &Context, batch: usize, length: usize) -> Self {
        let Some(tokens) = cx.about::<Tokens>() else { return Tokens::first(batch, length) };
        let mut tokens = (*tokens).clone();
        if let (Some(sequences), Some(pages)) = (&mut tokens.sequences, cx.state::<Array>("pages")) {
            sequences.pages = Some(pages);
        }
        tokens
    }
}
