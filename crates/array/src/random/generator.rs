//! The generators of random keys: how each makes a key from a seed, splits a key and draws bits.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

use jarrah_base::{DType, Error, Location, Result, Type, elements, report};
use jarrah_hlo::ops::{RngAlgorithm, RngBitGenerator};

use super::Key;
use crate::array::Array;
use crate::error::fail;
use crate::scope::Choice;
use crate::{concatenate, lax, stack};

/// A generator of random numbers, named as in JAX.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PrngImpl {
    /// Threefry of two words, JAX's default: its numbers depend on neither device, batch nor sharding.
    #[default]
    Threefry2x32,
    /// Threefry of four words.
    Threefry4x32,
    /// Philox on two words, with a key of one word.
    Philox2x32,
    /// Philox on four words, with a key of two words.
    Philox4x32,
    /// The generator that devices have (Philox on processors): its bits depend on the device, and on the batch under
    /// [`crate::vmap`]; keys are split as by Threefry.
    Rbg,
    /// As [`PrngImpl::Rbg`], which also splits keys: nobody examined how independent their numbers are.
    UnsafeRbg,
}

impl PrngImpl {
    /// Every generator.
    pub const ALL: [PrngImpl; 6] = [
        PrngImpl::Threefry2x32,
        PrngImpl::Threefry4x32,
        PrngImpl::Philox2x32,
        PrngImpl::Philox4x32,
        PrngImpl::Rbg,
        PrngImpl::UnsafeRbg,
    ];

    /// JAX's name of the generator.
    ///
    /// ```
    /// use jarrah_array::random::PrngImpl;
    /// assert_eq!(PrngImpl::default().name(), "threefry2x32");
    /// assert_eq!("unsafe_rbg".parse::<PrngImpl>()?.name(), "unsafe_rbg");
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            PrngImpl::Threefry2x32 => "threefry2x32",
            PrngImpl::Threefry4x32 => "threefry4x32",
            PrngImpl::Philox2x32 => "philox2x32",
            PrngImpl::Philox4x32 => "philox4x32",
            PrngImpl::Rbg => "rbg",
            PrngImpl::UnsafeRbg => "unsafe_rbg",
        }
    }

    /// How many 32-bit words its keys have.
    ///
    /// ```
    /// use jarrah_array::random::PrngImpl;
    /// assert_eq!([PrngImpl::Philox2x32, PrngImpl::Philox4x32, PrngImpl::Rbg].map(PrngImpl::words), [1, 2, 4]);
    /// ```
    pub fn words(self) -> usize {
        match self {
            PrngImpl::Philox2x32 => 1,
            PrngImpl::Threefry2x32 | PrngImpl::Philox4x32 => 2,
            PrngImpl::Threefry4x32 | PrngImpl::Rbg | PrngImpl::UnsafeRbg => 4,
        }
    }
}

impl fmt::Display for PrngImpl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PrngImpl {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = PrngImpl::ALL.into_iter().find(|generator| generator.name() == name);
        found.ok_or_else(|| {
            let names = PrngImpl::ALL.map(PrngImpl::name).join(", ");
            Error::input(format!("no generator is called {name:?}")).help(format!("give one of {names}"))
        })
    }
}

thread_local! {
    static HERE: Cell<Option<PrngImpl>> = const { Cell::new(None) };
}

static CHOSEN: Choice<PrngImpl> = Choice::new(&HERE, "JARRAH_DEFAULT_PRNG_IMPL", |name| {
    name.parse().unwrap_or_else(|error| {
        report(format_args!("jarrah: JARRAH_DEFAULT_PRNG_IMPL: {error}"));
        PrngImpl::default()
    })
});

/// Calls `f`, in which [`Key::new`] and [`Key::from_words`] make keys of this generator; the default is the one that
/// `JARRAH_DEFAULT_PRNG_IMPL` names, or Threefry-2x32.
///
/// ```
/// use jarrah_array::random::{Key, PrngImpl, default_prng_impl};
/// let key = default_prng_impl(PrngImpl::Philox4x32, || Key::new(0));
/// assert_eq!(key.key_impl().name(), "philox4x32");
/// ```
pub fn default_prng_impl<R>(generator: PrngImpl, f: impl FnOnce() -> R) -> R {
    CHOSEN.with(generator, f)
}

/// The default generator of new keys.
pub(crate) fn chosen() -> PrngImpl {
    CHOSEN.now()
}

/// The words of the key for a seed.
#[track_caller]
pub(super) fn seeded(generator: PrngImpl, seed: u64) -> Array {
    let (high, low) = ((seed >> 32) as u32, seed as u32);
    let enciphered = |words: &[u32], counter: [u32; 2]| {
        let key = Key { words: Array::from_slice(words), generator };
        let [high, low] = counter.map(|word| Array::from_slice(&[word]));
        concatenate(
            &key.encipher([&high, &low], Place::First)[..generator.words()].iter().collect::<Vec<_>>(),
            0,
        )
    };
    match generator {
        PrngImpl::Threefry2x32 => Array::from_slice(&[high, low]),
        PrngImpl::Rbg | PrngImpl::UnsafeRbg => Array::from_slice(&[high, low, high, low]),
        PrngImpl::Threefry4x32 => enciphered(&[high, low, 0, 0], [0, 0]),
        PrngImpl::Philox2x32 => enciphered(&[0], [high, low]),
        PrngImpl::Philox4x32 => enciphered(&[0, 0], [high, low]),
    }
}

/// Which two of a counter's four words hold a position; the others are zero. Keys and bits are drawn with different counters, so
/// that no key equals drawn bits.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In front: for bits.
    First,
    /// At the end: for keys.
    Last,
}

impl Key {
    /// The output words of the cipher for arrays of counters, given as high and low words.
    #[track_caller]
    fn encipher(&self, [high, low]: [&Array; 2], place: Place) -> Vec<Array> {
        let shape = high.shape();
        let keys: Vec<Array> =
            (0..self.generator.words()).map(|i| self.words.index(i as isize).broadcast_to(&shape)).collect();
        let zero = &high.zeros_like();
        let four = match place {
            Place::First => [high, low, zero, zero],
            Place::Last => [zero, zero, high, low],
        };
        match (self.generator, &keys[..]) {
            (PrngImpl::Philox2x32, [k]) => lax::philox2x32(k, [high, low]).into(),
            (PrngImpl::Threefry2x32, [k0, k1]) => lax::threefry2x32([k0, k1], [high, low]).into(),
            (PrngImpl::Philox4x32, [k0, k1]) => lax::philox4x32([k0, k1], four).into(),
            (PrngImpl::Threefry4x32, [k0, k1, k2, k3]) => lax::threefry4x32([k0, k1, k2, k3], four).into(),
            _ => fail(Error::internal("the devices' generator is no cipher")),
        }
    }

    /// The words of the cipher at the linear positions of a tensor.
    #[track_caller]
    fn encipher_positions(&self, shape: &[usize], place: Place) -> Vec<Array> {
        // Positions beyond 2^32 would need the high word.
        let size = elements(shape).ok().filter(|&size| u32::try_from(size).is_ok());
        let Some(size) = size else {
            let error = Error::program(format!("{shape:?} are more than 2^32 random numbers"));
            fail(error.op("bits").at(Location::caller()))
        };
        let low = lax::iota(DType::U32, &[size], 0);
        let dims: Vec<isize> = shape.iter().map(|&d| d as isize).collect();
        self.encipher([&low.zeros_like(), &low], place).iter().map(|word| word.reshape(&dims)).collect()
    }

    /// The two Threefry keys that a key of the devices' generator consists of, if Threefry splits it.
    #[track_caller]
    fn halves(&self) -> Option<[Key; 2]> {
        (self.generator == PrngImpl::Rbg).then(|| {
            [(0, 2), (2, 4)].map(|(start, end)| Key {
                words: self.words.slice(0, start..end),
                generator: PrngImpl::Threefry2x32,
            })
        })
    }

    /// The words of new keys, one key for each element of an array of `shape`.
    #[track_caller]
    pub(super) fn split_words(&self, shape: &[usize]) -> Array {
        if let Some([first, second]) = self.halves() {
            return concatenate(&[&first.split_words(shape), &second.split_words(shape)], -1);
        }
        if self.generator == PrngImpl::UnsafeRbg {
            // Each key is the first of ten blocks of the generator, which stand for rounds of a cipher.
            let count =
                elements(shape).unwrap_or_else(|error| fail(error.op("split").at(Location::caller())));
            let drawn = self.generated(&[count, 10, 4], DType::U32).index((.., 0));
            let dims: Vec<isize> = shape.iter().chain(&[4]).map(|&d| d as isize).collect();
            return drawn.reshape(&dims);
        }
        let drawn = self.encipher_positions(shape, Place::Last);
        stack(&drawn[..self.generator.words()].iter().collect::<Vec<_>>(), -1)
    }

    /// The words of the key derived from this key and an integer scalar.
    #[track_caller]
    pub(super) fn fold_in_words(&self, data: &Array) -> Array {
        if let Some([first, second]) = self.halves() {
            return concatenate(&[&first.fold_in_words(data), &second.fold_in_words(data)], 0);
        }
        let low = data.astype(DType::U32).reshape(&[1]);
        let high = low.zeros_like();
        if self.generator == PrngImpl::UnsafeRbg {
            let words = concatenate(&[&high, &low, &high, &low], 0);
            let folded = Key { words, generator: self.generator }.generated(&[10, 4], DType::U32);
            return &self.words ^ folded.index(-1);
        }
        let drawn = self.encipher([&high, &low], Place::Last);
        concatenate(&drawn[..self.generator.words()].iter().collect::<Vec<_>>(), 0)
    }

    /// Random bits, the same as JAX's for the same generator and key.
    #[track_caller]
    pub(super) fn drawn_bits(&self, shape: &[usize], dtype: DType) -> Array {
        if !matches!(dtype, DType::U64 | DType::U32 | DType::U16 | DType::U8) {
            let error = Error::program(format!("random bits are unsigned, not {dtype}"));
            fail(error.op("bits").at(Location::caller()).help("randint draws integers"))
        }
        if matches!(self.generator, PrngImpl::Rbg | PrngImpl::UnsafeRbg) {
            return self.generated(shape, dtype);
        }
        let words = self.encipher_positions(shape, Place::First);
        if dtype == DType::U64 {
            let (high, low) = match (self.generator, &words[..]) {
                (PrngImpl::Threefry4x32, [a, b, c, d]) => (a ^ c, b ^ d),
                _ => (words[0].clone(), words[1].clone()),
            };
            return high.astype(dtype).shift_left(32) | low.astype(dtype);
        }
        let mut mixed = words[0].clone();
        for word in &words[1..] {
            mixed ^= word;
        }
        mixed.astype(dtype)
    }

    /// Bits of the devices' generator.
    #[track_caller]
    fn generated(&self, shape: &[usize], dtype: DType) -> Array {
        let words = self.words.reshape(&[2, 2]).astype(DType::U64);
        let state = words.index((.., 0)) | words.index((.., 1)).shift_left(32);
        let ty = Type::tensor(dtype, shape.iter().copied());
        lax::apply_op(RngBitGenerator { algorithm: RngAlgorithm::Default, ty }, &[&state]).swap_remove(1)
    }
}
