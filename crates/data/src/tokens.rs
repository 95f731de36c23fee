use jarrah_base::parallel::{cores, try_map};
use jarrah_base::{Error, Result};

/// A stream of token ids in memory, two bytes each if the vocabulary allows, else four.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenStream(Width);

#[derive(Clone, Debug, PartialEq)]
enum Width {
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl TokenStream {
    /// The ids of `documents` in order, each document followed by `eos`; all cores encode.
    ///
    /// # Errors
    /// `encode` fails on a document (the first one's error is returned), or gives an id that is not below
    /// `vocab_size`.
    pub fn encode<S: AsRef<str> + Sync>(
        documents: &[S],
        eos: u32,
        vocab_size: usize,
        encode: &(dyn Fn(&str) -> Result<Vec<u32>> + Sync),
    ) -> Result<Self> {
        let checked = |document: &S| -> Result<Vec<u32>> {
            let mut ids = encode(document.as_ref())?;
            ids.push(eos);
            check(&ids, vocab_size)?;
            Ok(ids)
        };
        if vocab_size <= 1 << 16 {
            let narrow =
                |d: &S| checked(d).map(|ids| ids.into_iter().map(|id| id as u16).collect::<Vec<_>>());
            Ok(TokenStream(Width::Two(try_map(cores(), documents, narrow)?.concat())))
        } else {
            Ok(TokenStream(Width::Four(try_map(cores(), documents, checked)?.concat())))
        }
    }

    /// These ids.
    ///
    /// # Errors
    /// One is not below `vocab_size`.
    pub fn new(ids: Vec<u32>, vocab_size: usize) -> Result<Self> {
        check(&ids, vocab_size)?;
        Ok(TokenStream(match vocab_size <= 1 << 16 {
            true => Width::Two(ids.into_iter().map(|id| id as u16).collect()),
            false => Width::Four(ids),
        }))
    }

    /// The stream with `id` behind its ids until there are `len`.
    pub(crate) fn filled(mut self, len: usize, id: u32) -> Self {
        match &mut self.0 {
            Width::Two(ids) => ids.resize(len.max(ids.len()), id as u16),
            Width::Four(ids) => ids.resize(len.max(ids.len()), id),
        }
        self
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        match &self.0 {
            Width::Two(ids) => ids.len(),
            Width::Four(ids) => ids.len(),
        }
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids from `start`, `len` of them.
    pub(crate) fn window(&self, start: usize, len: usize) -> Vec<i32> {
        match &self.0 {
            Width::Two(ids) => ids[start..start + len].iter().map(|&id| i32::from(id)).collect(),
            Width::Four(ids) => ids[start..start + len].iter().map(|&id| id as i32).collect(),
        }
    }
}

fn check(ids: &[u32], vocab_size: usize) -> Result<()> {
    match ids.iter().find(|&&id| id as usize >= vocab_size) {
        Some(id) => {
            Err(Error::input(format!("token id {id} is not in the vocabulary of {vocab_size} tokens")))
        }
        None => Ok(()),
    }
}
