//! `tf.train.Example`: named lists of bytes, floats or integers.

use std::collections::BTreeMap;

use jarrah_base::{Error, Literal, Result};

use super::protobuf::{Field, Fields, put_bytes, put_varint, take_varint};

/// The values of a feature of a [`TfExample`].
#[derive(Clone, Debug, PartialEq)]
pub enum TfFeature {
    /// Strings of bytes.
    Bytes(Vec<Vec<u8>>),
    /// Numbers of 32 bits.
    Floats(Vec<f32>),
    /// Integers of 64 bits.
    Ints(Vec<i64>),
}

/// A record of named features.
///
/// ```
/// use jarrah_data::{TfExample, TfFeature};
/// let example = TfExample::from([("label".to_owned(), TfFeature::Ints(vec![-3]))]);
/// assert_eq!(TfExample::decode(&example.encode())?, example);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `tf.train.Example`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TfExample {
    /// The features by their names. A feature without a kind of values is left out.
    pub features: BTreeMap<String, TfFeature>,
}

impl<const N: usize> From<[(String, TfFeature); N]> for TfExample {
    fn from(features: [(String, TfFeature); N]) -> Self {
        TfExample { features: features.into() }
    }
}

const FEATURES: u64 = 1;
const KEY: u64 = 1;
const VALUE: u64 = 2;
const BYTES: u64 = 1;
const FLOATS: u64 = 2;
const INTS: u64 = 3;

fn wrong(text: &str) -> Error {
    Error::input(format!("the record is no tf.train.Example: {text}"))
}

/// The fields of one number that are bytes.
fn parts(message: &[u8], number: u64) -> impl Iterator<Item = Result<&[u8]>> {
    Fields(message).filter_map(move |field| match field {
        Ok((found, Field::Bytes(bytes))) if found == number => Some(Ok(bytes)),
        Ok((found, _)) if found == number => Some(Err(wrong("a field has another kind than it should"))),
        Ok(_) => None,
        Err(text) => Some(Err(wrong(text))),
    })
}

impl TfExample {
    /// The text of a feature of one string; `None`, where there is no such feature.
    ///
    /// # Errors
    /// The feature is something else, or the string is no UTF-8 (`Input`).
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        let wrong = |kind: &str| Error::input(format!("the feature `{name}` is no text, but {kind}"));
        match self.features.get(name) {
            None => Ok(None),
            Some(TfFeature::Bytes(strings)) => match &strings[..] {
                [] => Ok(None),
                [text] => {
                    let text = std::str::from_utf8(text).map_err(|_| wrong("bytes that are no UTF-8"))?;
                    Ok(Some(text.to_owned()))
                }
                _ => Err(wrong(&format!("{} strings", strings.len()))),
            },
            Some(TfFeature::Floats(_)) => Err(wrong("floats")),
            Some(TfFeature::Ints(_)) => Err(wrong("integers")),
        }
    }

    /// Features as tensors of one axis: integers as `i64`, floats as `f32`, the bytes of one string as `u8`.
    ///
    /// ```
    /// use jarrah_data::{TfExample, TfFeature};
    /// let example = TfExample::from([("label".to_owned(), TfFeature::Ints(vec![-3]))]);
    /// assert_eq!(example.tensors(&["label"])?["label"].ty().to_string(), "i64[1]");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such feature, or it has several strings (`Input`).
    pub fn tensors<S: AsRef<str>>(&self, names: &[S]) -> Result<BTreeMap<String, Literal>> {
        let tensor = |name: &S| {
            let name = name.as_ref();
            let literal = match self.features.get(name) {
                None => {
                    let known: Vec<_> = self.features.keys().collect();
                    return Err(Error::input(format!("a record has no feature `{name}`, but {known:?}")));
                }
                Some(TfFeature::Ints(values)) => Literal::from_slice(&[values.len()], values)?,
                Some(TfFeature::Floats(values)) => Literal::from_slice(&[values.len()], values)?,
                Some(TfFeature::Bytes(strings)) => match &strings[..] {
                    [bytes] => Literal::from_slice(&[bytes.len()], bytes)?,
                    _ => {
                        let count = strings.len();
                        return Err(Error::input(format!(
                            "the feature `{name}` has {count} strings, but one is needed"
                        )));
                    }
                },
            };
            Ok((name.to_owned(), literal))
        };
        names.iter().map(tensor).collect()
    }

    /// The features that a record holds.
    ///
    /// # Errors
    /// The record is no `tf.train.Example` (`Input`).
    pub fn decode(record: &[u8]) -> Result<Self> {
        let mut features = BTreeMap::new();
        for group in parts(record, FEATURES) {
            for entry in parts(group?, FEATURES) {
                let entry = entry?;
                let last = |number| parts(entry, number).last().transpose();
                let name = std::str::from_utf8(last(KEY)?.unwrap_or_default());
                let name = name.map_err(|_| wrong("the name of a feature is not UTF-8"))?;
                if let Some(feature) = feature(last(VALUE)?.unwrap_or_default())? {
                    features.insert(name.to_owned(), feature);
                }
            }
        }
        Ok(TfExample { features })
    }

    /// The record with these features, in the order of their names.
    pub fn encode(&self) -> Vec<u8> {
        let (mut features, mut entry, mut value, mut list) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, feature) in &self.features {
            [&mut entry, &mut value, &mut list].into_iter().for_each(Vec::clear);
            let kind = match feature {
                TfFeature::Bytes(values) => {
                    values.iter().for_each(|bytes| put_bytes(&mut list, 1, bytes));
                    BYTES
                }
                TfFeature::Floats(values) => {
                    let packed: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
                    (!packed.is_empty()).then(|| put_bytes(&mut list, 1, &packed));
                    FLOATS
                }
                TfFeature::Ints(values) => {
                    let mut packed = Vec::new();
                    values.iter().for_each(|&x| put_varint(&mut packed, x as u64));
                    (!packed.is_empty()).then(|| put_bytes(&mut list, 1, &packed));
                    INTS
                }
            };
            put_bytes(&mut value, kind, &list);
            put_bytes(&mut entry, KEY, name.as_bytes());
            put_bytes(&mut entry, VALUE, &value);
            put_bytes(&mut features, FEATURES, &entry);
        }
        let mut record = Vec::with_capacity(features.len() + 5);
        put_bytes(&mut record, FEATURES, &features);
        record
    }
}

/// The values of a feature; `None` where it has no kind. Of several lists of one kind, the values are joined; the last kind counts.
fn feature(message: &[u8]) -> Result<Option<TfFeature>> {
    let mut found = None;
    for field in Fields(message) {
        let (kind, Field::Bytes(list)) = field.map_err(wrong)? else { continue };
        let next = match kind {
            BYTES => {
                TfFeature::Bytes(parts(list, 1).map(|bytes| Ok(bytes?.to_vec())).collect::<Result<_>>()?)
            }
            FLOATS => TfFeature::Floats(floats(list)?),
            INTS => TfFeature::Ints(ints(list)?),
            _ => continue,
        };
        found = Some(match (found, next) {
            (Some(TfFeature::Bytes(mut a)), TfFeature::Bytes(b)) => {
                a.extend(b);
                TfFeature::Bytes(a)
            }
            (Some(TfFeature::Floats(mut a)), TfFeature::Floats(b)) => {
                a.extend(b);
                TfFeature::Floats(a)
            }
            (Some(TfFeature::Ints(mut a)), TfFeature::Ints(b)) => {
                a.extend(b);
                TfFeature::Ints(a)
            }
            (_, next) => next,
        });
    }
    Ok(found)
}

/// Floats, packed or one by one.
fn floats(list: &[u8]) -> Result<Vec<f32>> {
    let mut values = Vec::new();
    for field in Fields(list) {
        match field.map_err(wrong)? {
            (1, Field::Bytes(packed)) => {
                let (words, rest) = packed.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(wrong("a list of floats ends within a float"));
                }
                values.extend(words.iter().map(|&word| f32::from_le_bytes(word)));
            }
            (1, Field::Fixed32(word)) => values.push(f32::from_bits(word)),
            (1, _) => return Err(wrong("a float has another kind than it should")),
            _ => {}
        }
    }
    Ok(values)
}

/// Integers, packed or one by one.
fn ints(list: &[u8]) -> Result<Vec<i64>> {
    let mut values = Vec::new();
    for field in Fields(list) {
        match field.map_err(wrong)? {
            (1, Field::Bytes(mut packed)) => {
                while !packed.is_empty() {
                    let value = take_varint(&mut packed);
                    values.push(value.ok_or_else(|| wrong("a list of integers is damaged"))? as i64);
                }
            }
            (1, Field::Varint(value)) => values.push(value as i64),
            (1, _) => return Err(wrong("an integer has another kind than it should")),
            _ => {}
        }
    }
    Ok(values)
}
