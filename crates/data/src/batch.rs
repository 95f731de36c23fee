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

/// Batches of `size` windows of `T + 1` ids.
///
/// A batch that reaches the end of an epoch continues with the next epoch's windows.
pub struct TokenBatches<D> {
    parent: D,
    size: usize,
}

impl<D: MapDataset<Item = TokenWindow>> TokenBatches<D> {
    /// Batches of `size` windows.
    ///
    /// # Errors
    /// `size` is zero (`Input`).
    pub fn new(parent: D, size: usize) -> Result<Self> {
        if size == 0 {
            return Err(Error::input("a batch must have at least one sequence"));
        }
        Ok(TokenBatches { parent, size })
    }

    /// The number of windows in a batch.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of windows of one epoch.
    pub fn examples(&self) -> u64 {
        self.parent.len()
    }

    /// The batch that begins with window `start`.
    ///
    /// # Errors
    /// A window cannot be read.
    pub fn at(&self, start: u64) -> Result<TokenBatch> {
        let rows: Vec<TokenWindow> =
            (start..start + self.size as u64).map(|i| self.parent.get(i)).collect::<Result<_>>()?;
        let seq_len = rows[0].ids.len() - 1;
        let shape = [self.size, seq_len];
        let column = |range: std::ops::Range<usize>| {
            let ids: Vec<i32> = rows.iter().flat_map(|row| &row.ids[range.clone()]).copied().collect();
            Literal::from_slice(&shape, &ids)
        };
        let marks = rows.iter().map(|row| row.marks.as_ref()).collect::<Option<Vec<_>>>().map(|marks| {
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

    /// All batches of one epoch in order, for evaluation.
    ///
    /// An incomplete last batch is left out, unless it is the only one: then it is filled up from the epoch's
    /// start.
    pub fn epoch(&self) -> impl Iterator<Item = Result<TokenBatch>> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }
}

impl<D: MapDataset<Item = TokenWindow>> MapDataset for TokenBatches<D> {
    type Item = TokenBatch;

    fn len(&self) -> u64 {
        (self.parent.len() / self.size as u64).max(1)
    }

    fn get(&self, index: u64) -> Result<TokenBatch> {
        self.at(index * self.size as u64)
    }
}
