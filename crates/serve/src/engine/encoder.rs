//! Vectors of texts, computed by an encoder that sees a text as a whole.

use jarrah_array::{Array, DType, Prepared, PreparedJit, jit};
use jarrah_base::Result;
use jarrah_models::{Bert, TokenTypes};
use jarrah_nn::{Context, Tokens};

use super::Pooling;
use super::runner::{size_for, sizes};

/// Tokens `i32[B,T]`, the length of each text `i32[B]`, and the position where its second part begins `i32[B]`.
type Texts = (Array, Array, Array);
type Args = (Bert, Texts);
/// For each text the state of its first token, of its last token, and the mean, `f32[B,width]` each; and the logits of the
/// classes, `f32[B,classes]`.
type Vectors = (Array, Array, Array, Option<Array>);

/// A text to encode in a step.
pub struct Text<'a> {
    pub tokens: &'a [u32],
    /// The position where the text's second part begins, if it has one.
    pub second: Option<usize>,
    pub pooling: Pooling,
}

/// Computes whole texts, those of about the same length together. A text is padded to a length that depends on its own length
/// alone, so its vector has the same bits whatever else is in the batch.
pub struct Encoder {
    vectors: PreparedJit<Args, Bert, Vectors, fn(&Args) -> Vectors>,
    lengths: Vec<usize>,
    /// The most tokens in one batch.
    most: usize,
}

impl Encoder {
    pub fn new(model: Bert, max_length: usize, most: usize) -> Encoder {
        let vectors: fn(&Args) -> Vectors = |(model, (tokens, lengths, seconds))| {
            let (batch, time) = (tokens.shape()[0], tokens.shape()[1]);
            let place = Array::arange(time).reshape(&[1, time]);
            let lengths = lengths.reshape(&[batch, 1]);
            let mask = place.lt(&lengths).astype(DType::I32);
            let types = place.ge(seconds.reshape(&[batch, 1])).astype(DType::I32) * &mask;
            let mut cx = Context::eval().with(Tokens::masked(&mask)).with(TokenTypes(types));
            let states = model.hidden(tokens, &mut cx);
            let classes = model.classes_of(&states, &mut cx).map(|x| x.astype(DType::F32));
            let states = states.astype(DType::F32);
            let of = |chosen: Array| (&states * chosen.astype(DType::F32).expand_dims(-1)).sum(1);
            let mean = of(mask) / lengths.astype(DType::F32);
            let first = states.slice(1, 0..1).squeeze(1);
            (first, of(place.eq(&lengths - 1)), mean, classes)
        };
        let weights = Prepared::new(model);
        Encoder { vectors: jit(vectors).prepared(&weights), lengths: sizes(max_length), most }
    }

    /// The most texts of a length in one batch: a power of two.
    fn together(&self, length: usize) -> usize {
        let fit = (self.most / length).max(1);
        if fit.is_power_of_two() { fit } else { fit.next_power_of_two() / 2 }
    }

    /// The vectors of texts, in order.
    pub fn run(&self, texts: &[Text<'_>]) -> Result<Vec<Vec<f32>>> {
        let length = |at: usize| size_for(&self.lengths, texts[at].tokens.len());
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&at| length(at));
        let mut made = vec![Vec::new(); texts.len()];
        for alike in order.chunk_by(|&a, &b| length(a) == length(b)) {
            let time = length(alike[0]);
            for part in alike.chunks(self.together(time)) {
                let batch = part.len().next_power_of_two();
                let (mut tokens, mut lengths, mut seconds) =
                    (Vec::with_capacity(batch * time), vec![1; batch], vec![time as i32; batch]);
                for (i, text) in part.iter().map(|&at| &texts[at]).enumerate() {
                    tokens.extend(text.tokens.iter().map(|&token| token as i32));
                    tokens.resize((i + 1) * time, 0);
                    lengths[i] = text.tokens.len() as i32;
                    seconds[i] = text.second.map_or(time as i32, |second| second as i32);
                }
                tokens.resize(batch * time, 0);
                let given = (
                    Array::new(&tokens, &[batch, time]),
                    Array::new(&lengths, &[batch]),
                    Array::new(&seconds, &[batch]),
                );
                let (first, last, mean, classes) = self.vectors.call((given,))?;
                for (i, &at) in part.iter().enumerate() {
                    let from = match texts[at].pooling {
                        Pooling::First => &first,
                        Pooling::Last => &last,
                        Pooling::Mean => &mean,
                        Pooling::Classes => classes.as_ref().unwrap_or(&first),
                    };
                    made[at] = from.slice(0, i..i + 1).to_vec::<f32>()?;
                }
            }
        }
        Ok(made)
    }
}
