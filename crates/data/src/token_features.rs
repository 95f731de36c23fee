use jarrah_base::{Error, Literal, Result, Type};

use crate::batch::{BatchMarks, TokenBatch};
use crate::iter::Features;

/// The feature of the ids of tokens.
const TOKENS: &str = "tokens";
/// The feature of marks of tokens that are learned.
const LEARNED: &str = "learned";
/// The feature that packing writes: the sequence that each token is of, counted from 1; 0 is padding.
const SEGMENTS: &str = "tokens_segment_ids";

/// The features of a text: `tokens`, `i32[n]`, and with marks `learned`, `bool[n]`.
///
/// ```
/// use jarrah_data::token_features;
/// let features = token_features(&[7, 8, 9], Some(&[false, true, true]))?;
/// assert_eq!((features["tokens"].ty().to_string(), features["learned"].to_i128_vec()), ("i32[3]".to_owned(), vec![0, 1, 1]));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// There are not as many marks as ids, or an id is not below 2^31 (`Input`).
pub fn token_features(ids: &[u32], learned: Option<&[bool]>) -> Result<Features> {
    let signed: Result<Vec<i32>, _> = ids.iter().map(|&id| i32::try_from(id)).collect();
    let signed = signed.map_err(|_| Error::input("the id of a token is not below 2^31"))?;
    let mut features = Features::from([(TOKENS.to_owned(), Literal::from_slice(&[signed.len()], &signed)?)]);
    if let Some(learned) = learned {
        if learned.len() != ids.len() {
            return Err(Error::input(format!("{} tokens have {} marks", ids.len(), learned.len())));
        }
        features.insert(LEARNED.to_owned(), Literal::from_bools(&[learned.len()], learned)?);
    }
    Ok(features)
}

impl TokenBatch {
    /// The batch of rows of a length in a batch of features, `tokens` of `i32[batch, length]`: `length - 1` inputs, and the tokens behind them as targets.
    ///
    /// With `tokens_segment_ids`, as packing writes them, a target counts where it is of the sequence of its input and no padding; with `learned`, where it is
    /// to be learned.
    ///
    /// ```
    /// use jarrah_data::{MapDataset, PackOptions, TokenBatch, token_features};
    /// let texts = MapDataset::source(vec![3_u32, 2]).try_map(|n| token_features(&vec![n; n as usize], None));
    /// let batches = texts.to_iter().pack(PackOptions::new("tokens", 6, 1)).batch(1);
    /// let batch = TokenBatch::of_features(&batches.iter()?.next().expect("a batch")?)?;
    /// assert_eq!(batch.targets.to_i128_vec(), [3, 3, 2, 2, 0]);
    /// assert_eq!(batch.marks.expect("rows are packed").weights.to_i128_vec(), [1, 1, 0, 1, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are no `tokens`, or a feature has another shape (`Input`).
    pub fn of_features(features: &Features) -> Result<TokenBatch> {
        let tokens = features.get(TOKENS).ok_or_else(|| {
            let names: Vec<_> = features.keys().collect();
            Error::input(format!("a batch has no feature `{TOKENS}`, but {names:?}"))
        })?;
        let (rows, length) = match tokens.dims()[..] {
            [rows, length] if length > 1 => (rows, length),
            _ => {
                return Err(Error::input(format!("the tokens of a batch are {}", tokens.ty()))
                    .help("pack texts into rows, and make batches of rows"));
            }
        };
        let typed = |name: &str, literal: &Literal, like: &Literal| match literal.ty() == like.ty() {
            true => Ok(()),
            false => Err(Error::input(format!(
                "`{name}` of a batch is {}, but {} is needed",
                literal.ty(),
                like.ty()
            ))),
        };
        let like = Literal::zeros(Type::tensor(jarrah_base::DType::I32, [rows, length]))?;
        typed(TOKENS, tokens, &like)?;
        let ids = tokens.as_slice::<i32>()?;
        let part = |values: &[i32], from: usize| {
            let rows_of = values.chunks_exact(length).flat_map(|row| &row[from..from + length - 1]);
            Literal::from_slice(&[rows, length - 1], &rows_of.copied().collect::<Vec<i32>>())
        };
        let (segments, learned) = (features.get(SEGMENTS), features.get(LEARNED));
        let marks = match (segments, learned) {
            (None, None) => None,
            _ => {
                let whole = vec![1; rows * length];
                let segments = match segments {
                    None => &whole[..],
                    Some(segments) => {
                        typed(SEGMENTS, segments, &like)?;
                        segments.as_slice::<i32>()?
                    }
                };
                if let Some(learned) = learned {
                    typed(
                        LEARNED,
                        learned,
                        &Literal::from_bools(&[rows, length], &vec![false; rows * length])?,
                    )?;
                }
                let learned = learned.map(|learned| learned.bytes());
                let counts = (0..rows * length).filter(|place| place % length + 1 < length).map(|place| {
                    let is_one = segments[place] == segments[place + 1] && segments[place] > 0;
                    f32::from(u8::from(is_one && learned.is_none_or(|learned| learned[place + 1] != 0)))
                });
                let weights: Vec<f32> = counts.collect();
                let weights = Literal::from_slice(&[rows, length - 1], &weights)?;
                Some(BatchMarks { weights, segments: part(segments, 0)? })
            }
        };
        Ok(TokenBatch { inputs: part(ids, 0)?, targets: part(ids, 1)?, marks })
    }

    /// The number of targets that count.
    ///
    /// # Errors
    /// The weights are not numbers of 32 bits (`Program`).
    pub fn counted(&self) -> Result<usize> {
        match &self.marks {
            None => Ok(self.targets.dims().iter().product()),
            Some(marks) => {
                Ok(marks.weights.as_slice::<f32>()?.iter().filter(|&&weight| weight > 0.0).count())
            }
        }
    }

    /// Checks that all ids are of a vocabulary.
    ///
    /// # Errors
    /// An id is not below its size (`Input`).
    pub fn check_below(&self, vocabulary: usize) -> Result<()> {
        let known = |id: &i32| usize::try_from(*id).is_ok_and(|id| id < vocabulary);
        for ids in [&self.inputs, &self.targets] {
            if let Some(id) = ids.as_slice::<i32>()?.iter().find(|id| !known(id)) {
                return Err(Error::input(format!(
                    "token id {id} is not in the vocabulary of {vocabulary} tokens"
                )));
            }
        }
        Ok(())
    }
}
