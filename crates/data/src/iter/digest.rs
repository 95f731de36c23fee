use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

const STAGE: &str = "digest";

type Bytes<T> = Arc<dyn Fn(&T) -> Vec<u8> + Send + Sync>;

struct Digest<T> {
    parent: Arc<dyn IterStage<T>>,
    bytes: Bytes<T>,
    name: StageName,
}

impl<T: 'static> IterStage<T> for Digest<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let parent = self.parent.iter(lane)?;
        Ok(Box::new(Digested { parent, bytes: self.bytes.clone(), name: self.name, hash: [0; 32], count: 0 }))
    }
}

struct Digested<T> {
    parent: Box<dyn Advance<T>>,
    bytes: Bytes<T>,
    name: StageName,
    hash: [u8; 32],
    count: u64,
}

impl<T> Advance<T> for Digested<T> {
    fn next(&mut self) -> Result<Option<T>> {
        let Some(element) = self.parent.next()? else { return Ok(None) };
        let bytes = self.name.call(self.count, || Ok((self.bytes)(&element)))?;
        self.count = self.count.wrapping_add(1);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.hash);
        hasher.update(&bytes);
        self.hash = *hasher.finalize().as_bytes();
        Ok(Some(element))
    }

    fn state(&self) -> IterState {
        let mut values = [self.count, 0, 0, 0, 0];
        for (value, word) in values[1..].iter_mut().zip(self.hash.as_chunks().0) {
            *value = u64::from_le_bytes(*word);
        }
        IterState::new(STAGE, &values, vec![self.parent.state()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let values: [u64; 5] = state.read(STAGE, Some(1))?;
        self.count = values[0];
        for (value, word) in values[1..].iter().zip(self.hash.chunks_exact_mut(8)) {
            word.copy_from_slice(&value.to_le_bytes());
        }
        self.parent.set_state(&state.parents()[0])
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The elements, with a BLAKE3 hash of all that were delivered, in their order, in the state: h' = hash(h, `bytes` of the element).
    ///
    /// The numbers of the state's node are the count of elements and the four words of h.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let dataset = MapDataset::range(0, 9, 1).shuffle(1).to_iter().digest(|x| x.to_le_bytes().to_vec());
    /// let (mut one, mut other) = (dataset.iter()?, dataset.iter()?);
    /// one.by_ref().take(4).collect::<Result<Vec<_>, _>>()?;
    /// other.by_ref().take(2).collect::<Result<Vec<_>, _>>()?;
    /// assert_ne!(one.state(), other.state());
    /// other.by_ref().take(2).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(one.state(), other.state());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn digest(&self, bytes: impl Fn(&T) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let name = StageName::new(STAGE);
        self.then(name, |parent, _| Ok(Digest { parent, bytes: Arc::new(bytes), name }))
    }
}
