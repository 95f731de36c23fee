use jarrah_array::{Array, DType, Error, fail, where_};

/// That experts take so many tokens of a text and no more, in a pass: a value for [`Context::with`](crate::Context::with).
///
/// ```text
/// capacity = floor(ceil(T k / E) factor), at least 1            of T tokens that choose k of E experts each
/// ```
///
/// A text is a sequence, or a segment of one where the [`Tokens`](crate::Tokens) of the pass have segments: no text takes the places of another.
///
/// Choices are counted in the order of the tokens, and those of a token from its largest score on. What comes to an expert that is full is dropped: it adds
/// nothing for that token, and the weights of its other choices stay as they are. A pass without takes all.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Activation, Capacity, Context, Experts, Gate, Module, Routing, Score};
/// let routing = Routing { active: 1, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
/// let layer = Experts::new(&Key::new(0), 2, 4, 8, Gate::Plain(Activation::SILU), routing);
/// // Four tokens alike choose the same expert, which takes ceil(4 / 2) of them.
/// let y = layer.call(&Array::ones(&[1, 4, 4]), &mut Context::eval().with(Capacity { factor: 1.0 }));
/// assert_eq!(y.ne(0).any(-1).to_vec::<bool>()?, [true, true, false, false]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Lepikhin et al., GShard (2020); `capacity_factor` of MaxText.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// The number of choices that an expert accepts, relative to an even distribution of all choices over the experts.
    pub factor: f64,
}

impl Capacity {
    /// The choices that an expert takes of a text of `length` tokens.
    #[track_caller]
    pub fn of(&self, length: usize, active: usize, experts: usize) -> usize {
        if !(self.factor.is_finite() && self.factor > 0.0) {
            let error = format!("the capacity factor of experts is {}", self.factor);
            fail(Error::program(error).op("experts").help("give a number above 0"));
        }
        let alike = (length * active).div_ceil(experts.max(1));
        ((alike as f64 * self.factor) as usize).max(1)
    }
}

/// The texts of a pass. Each expert accepts a number of choices from each text.
pub(crate) struct Texts {
    /// The text of each token, `i32[tokens]`, from 0 up to `count`.
    of: Array,
    count: usize,
    /// The choices that an expert takes of the text of each token: `i32[tokens]`, or one number.
    capacity: Array,
    /// The choices that an expert takes of all texts together, where that is known.
    pub most: Option<usize>,
}

impl Texts {
    /// The texts of a batch of sequences: the tokens with the same number in `segments: [sequences, length]` are a text; without
    /// segments each sequence is one.
    #[track_caller]
    pub fn new(
        sequences: usize,
        length: usize,
        segments: Option<&Array>,
        of: impl Fn(usize) -> usize,
    ) -> Texts {
        let tokens = sequences * length;
        let Some(segments) = segments else {
            let sequence = Array::arange(tokens as i32).floor_divide(length.max(1) as i64);
            let capacity = of(length);
            return Texts {
                of: sequence,
                count: sequences,
                capacity: Array::scalar(capacity as i32),
                most: Some(sequences * capacity),
            };
        };
        let alike = segments.expand_dims(2).eq(segments.expand_dims(1));
        // A text is known by its first token.
        let places = Array::arange(length as i32);
        let first = where_(&alike, places, length as i32).min(2);
        let before = (Array::arange(sequences as i32) * length as i32).expand_dims(1);
        let capacities: Vec<i32> = (0..=length).map(|length| of(length) as i32).collect();
        let lengths = alike.astype(DType::I32).sum(2);
        Texts {
            of: (first + before).reshape(&[tokens]),
            count: tokens,
            capacity: Array::from_slice(&capacities).take(&lengths.reshape(&[tokens]), 0),
            most: None,
        }
    }

    /// Which choices are among the first of their expert in their text.
    ///
    /// * `chosen`: the expert of each choice, `i32[tokens active]`, in the order in which they are counted
    #[track_caller]
    pub fn kept(&self, chosen: &Array, experts: usize, active: usize) -> Array {
        let token = Array::arange(chosen.size() as i32).floor_divide(active.max(1) as i64);
        let of_choice =
            |of_token: &Array| if of_token.rank() == 0 { of_token.clone() } else { of_token.take(&token, 0) };
        // Sorted by expert and text, the place of a choice is the number of choices before it; its rank is the number before it
        // with the same expert and text.
        let lists = chosen * self.count as i32 + of_choice(&self.of);
        let places = lists.argsort(0isize).argsort(0isize).astype(DType::I32);
        let counts = lists.bincount(experts * self.count);
        let starts = (counts.cumsum(0) - counts).astype(DType::I32);
        (places - starts.take(&lists, 0)).lt(of_choice(&self.capacity))
    }
}
