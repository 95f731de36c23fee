use jarrah_base::{Error, Literal, Result};

use crate::dataset::MapDataset;
use crate::pack::TokenWindow;

/// One batch: each row of `targets` is the row of `inputs`, one id later.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenBatch {
    /// The ids that the model reads, `i32[batch, sequence]`.
    pub inputs: Literal,
    /// The ids that the model is to predict, `i32[batch, sequence]`.
    pub targets: Literal,
    /// Weights and segments of the ids, where the text is made of examples.
    pub marks: Option<BatchMarks>,
}

/// The weights of a batch's targets, and the segments of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchMarks {
    /// 1 where the target is to be learned and of the example of its input, else 0: `f32[batch, sequence]`.
    pub weights: Literal,
    /// The example that each input is of, counted from the first of its sequence: `i32[batch, sequence]`.
    pub segments: Literal,
}

impl TokenBatch {
    /// The batch of these windows, which have equally many ids.
    ///
    /// # Errors
    /// There is no window, or the windows have different numbers of ids (`Program`).
    pub fn stack(windows: &[TokenWindow]) -> Result<TokenBatch> {
        let Some(seq_len) = windows.first().and_then(|w| w.ids.len().checked_sub(1)) else {
            return Err(Error::program("a batch needs a window of at least one id"));
        };
        let shape = [windows.len(), seq_len];
        let column = |range: std::ops::Range<usize>| {
            let ids: Vec<i32> =
                windows.iter().filter_map(|row| row.ids.get(range.clone())).flatten().copied().collect();
            Literal::from_slice(&shape, &ids)
        };
        let marks = windows.iter().map(|row| row.marks.as_ref()).collect::<Option<Vec<_>>>().map(|marks| {
            let counts = marks
                .iter()
                .flat_map(|m| (0..seq_len).map(|t| m.learned[t + 1] && m.examples[t] == m.examples[t + 1]));
            let weights: Vec<f32> = counts.map(|counts| f32::from(u8::from(counts))).collect();
            let segments: Vec<i32> = marks.iter().flat_map(|m| &m.examples[..seq_len]).copied().collect();
            let marks = BatchMarks {
                weights: Literal::from_slice(&shape, &weights)?,
                segments: Literal::from_slice(&shape, &segments)?,
            };
            Ok::<_, Error>(marks)
        });
        Ok(TokenBatch {
            inputs: column(0..seq_len)?,
            targets: column(1..seq_len + 1)?,
            marks: marks.transpose()?,
        })
    }

    /// All batches of one epoch of `windows` in order, for evaluation.
    ///
    /// An incomplete last batch is left out, unless it is the only one: then it is filled up from the epoch's start.
    ///
    /// # Errors
    /// `size` is zero, or there is no window (`Input`).
    pub fn epoch(windows: &MapDataset<TokenWindow>, size: usize) -> Result<MapDataset<TokenBatch>> {
        if size == 0 || windows.is_empty() {
            return Err(Error::input("a batch must have at least one sequence"));
        }
        let count = (windows.len() / size as u64).max(1);
        let endless =
            windows.repeat(None).batch_with(size as u64, true, |windows| TokenBatch::stack(&windows));
        Ok(endless.slice(None, Some(count as i64), 1))
    }
}
