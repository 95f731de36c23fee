use jarrah_array::{Array, DType, Error, fail};

/// That experts take so many tokens of a sequence and no more, in a pass: a value for [`Context::with`](crate::Context::with).
///
/// ```text
/// capacity = floor(ceil(T k / E) factor), at least 1            of T tokens that choose k of E experts each
/// ```
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
    /// The choices that an expert takes, over those that it would get if all experts got as many.
    pub factor: f64,
}

impl Capacity {
    /// The choices that an expert takes of a sequence of `length` tokens.
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

/// Which choices are among the first `capacity` of their expert in their sequence.
///
/// * `chosen`: the expert of each choice, `i32[sequences length active]`, in the order in which they are counted
#[track_caller]
pub(crate) fn kept(chosen: &Array, experts: usize, sequences: usize, capacity: usize) -> Array {
    let choices = chosen.size();
    let sequence = Array::arange(choices as i32).floor_divide((choices / sequences.max(1)).max(1) as i64);
    // Sorted by expert and sequence, the place of a choice is the number of those before, and its rank that within its own.
    let lists = chosen * sequences as i32 + sequence;
    let places = lists.argsort(0isize).argsort(0isize).astype(DType::I32);
    let counts = lists.bincount(experts * sequences);
    let starts = (counts.cumsum(0) - counts).astype(DType::I32);
    (places - starts.take(&lists, 0)).lt(capacity as i32)
}
