use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::numpy::finfo;
use jarrah_array::{Array, DType, Error, Tree, along, fail, lax, stack, where_};

use crate::Tokens;

impl Tokens {
    /// The position of each sequence's first token in its cache, `i32[batch]`.
    #[track_caller]
    fn starts(&self, batch: usize) -> Array {
        match &self.seen {
            Some(seen) => starts(seen, batch),
            None => Array::full(&[batch], 0, DType::I32),
        }
    }

    /// The run and the place there of the `count` tokens of each sequence, `i32[batch, count, 2]`, in a cache of `runs` runs
    /// of `length` places; a run or a place outside where there is none.
    #[track_caller]
    fn slots(&self, (batch, count): (usize, usize), (runs, length): (usize, usize)) -> Array {
        let positions = following(&self.starts(batch), count);
        let (run, place) = match &self.pages {
            None => {
                if batch != runs {
                    let error = format!("{batch} sequences in a cache of {runs} runs");
                    let help = "make the cache with a run for each sequence, or say on which pages they lie";
                    fail(Error::program(error).op("cache").help(help));
                }
                (lax::iota(DType::I32, &[batch, count], 0), positions)
            }
            Some(pages) => {
                let most = match pages.shape()[..] {
                    [sequences, most] if sequences == batch && pages.dtype().is_integer() => most,
                    _ => {
                        let error = format!(
                            "pages are {}, they must be integers [{batch}, pages of each]",
                            pages.ty()
                        );
                        fail(Error::program(error).op("cache"))
                    }
                };
                let (at, place) = (positions.floor_divide(length), &positions % length);
                if most == 0 {
                    return stack(&[&Array::full(&[batch, count], -1, DType::I32), &place], -1);
                }
                let inside = at.ge(0) & at.lt(most);
                let found = pages.astype(DType::I32).take_along_axis(&at.clip(0, most - 1), 1);
                (where_(&inside, &found, -1), place)
            }
        };
        stack(&[&run, &place], -1)
    }
}

/// The number of tokens that caches hold of each of `batch` sequences, `i32[batch]`.
#[track_caller]
pub(crate) fn starts(seen: &Array, batch: usize) -> Array {
    let fits = seen.rank() == 0 || seen.shape() == [batch];
    if !fits || !seen.dtype().is_integer() {
        let error = format!("positions are {}, they must be integers [{batch}]", seen.ty());
        let help = "give the position of the next token of each sequence";
        fail(Error::program(error).op("cache").help(help));
    }
    seen.astype(DType::I32).broadcast_to(&[batch])
}

/// The positions of `count` tokens of each sequence from those at `starts: [B]`, `i32[B, count]`.
#[track_caller]
pub(crate) fn following(starts: &Array, count: usize) -> Array {
    let shape = [starts.shape()[0], count];
    starts.expand_dims(-1).broadcast_to(&shape) + lax::iota(DType::I32, &shape, 1)
}

/// A vector for each head and each position that a layer has seen: runs of positions, as numbers or as bytes with scales.
///
/// A vector `x` is stored in `i8` as `round(x / s)` and in floats of 8 bits as `x / s`, rounded, with a scale `s = max |x| / m` of its
/// own, where `m` is 127 or the largest float of the type.
#[derive(Clone, Debug, Tree)]
pub struct Cached {
    /// `[runs, length, groups, width]`.
    pub values: Array,
    /// `f32[runs, length, groups]`, where the values are bytes.
    pub scales: Option<Array>,
}

impl Cached {
    /// Zeros in `dtype`: floats, or `i8`.
    #[track_caller]
    pub fn new(runs: usize, length: usize, groups: usize, width: usize, dtype: DType) -> Self {
        let bytes = dtype.bits() == 8;
        if !(dtype.is_float() && dtype.bits() >= 8 || dtype == DType::I8) {
            let error = format!("a cache cannot hold {dtype}");
            fail(Error::program(error).op("cache").help("it holds i8 or floats of at least 8 bits"));
        }
        Cached {
            values: Array::full(&[runs, length, groups, width], 0, dtype),
            scales: bytes.then(|| Array::ones(&[runs, length, groups])),
        }
    }

    /// The cache with `x: [B,T,groups,width]`, of the tokens; what has no place is dropped.
    #[track_caller]
    pub fn write(&self, x: &Array, tokens: &Tokens) -> Self {
        let (shape, held) = (x.shape(), self.values.shape());
        if shape.len() != 4 || shape[2..] != held[2..] {
            let error = format!("{} cannot be written to a cache of {}", x.ty(), self.values.ty());
            fail(Error::program(error).op("cache").help("give [batch, positions, groups, width]"));
        }
        let slots = tokens.slots((shape[0], shape[1]), (held[0], held[1]));
        match &self.scales {
            None => {
                Cached { values: put(&self.values, &slots, &x.astype(self.values.dtype())), scales: None }
            }
            Some(scales) => {
                let (bytes, by) = quantize(x, self.values.dtype());
                Cached { values: put(&self.values, &slots, &bytes), scales: Some(put(scales, &slots, &by)) }
            }
        }
    }

    /// The values as attention of queries in `dtype` reads them.
    pub(crate) fn read(&self, dtype: DType) -> Array {
        if self.scales.is_some() { self.values.clone() } else { self.values.astype(dtype) }
    }
}

/// `x` as bytes in `dtype` and the scale of each vector.
#[track_caller]
fn quantize(x: &Array, dtype: DType) -> (Array, Array) {
    let most = finfo(dtype).map_or(127.0, |info| info.max);
    let x = x.astype(DType::F32);
    let scale = x.abs().max(along(-1).initial(0)) / most;
    let scale = where_(&scale.eq(0.0), 1.0, &scale);
    let shares = (x / scale.expand_dims(-1)).clip(-most, most);
    let shares = if dtype.is_float() { shares } else { shares.round() };
    (shares.astype(dtype), scale)
}

/// `x: [runs, length, ..]` with `updates: [B,T,..]` at `slots: [B,T,2]`, those outside dropped.
#[track_caller]
fn put(x: &Array, slots: &Array, updates: &Array) -> Array {
    let at = lax::Scatter {
        window_axes: (2..x.rank()).collect(),
        inserted_axes: [0, 1].into_iter().collect(),
        index_map: [0, 1].into_iter().collect(),
        index_vector_axis: 2,
        ..lax::Scatter::rows(x.ty(), slots.ty(), lax::Update::Assign)
    };
    lax::scatter(x, slots, updates, at)
}

/// The keys and values of the positions that an attention layer has seen: a run of positions for each sequence, or pages.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_nn::{KvCache, Tokens};
/// // A dense cache of two sequences of up to eight positions, and the same room in four pages.
/// let dense = KvCache::new(2, 8, 1, 4, DType::F32);
/// let paged = KvCache::new(4, 4, 1, 4, DType::F32);
/// let (x, positions) = (Array::ones(&[2, 3, 1, 4]), Array::from_slice(&[0i32, 0]));
/// let tokens = Tokens::next(&positions, &x);
/// let in_pages = tokens.clone().paged(&Array::new(&[2i32, 0, 3, 1], &[2, 2]));
/// let a = dense.write(&x, &x, &tokens).attend(&x, &tokens, &Default::default());
/// let b = paged.write(&x, &x, &in_pages).attend(&x, &in_pages, &Default::default());
/// assert_eq!(a.to_vec::<f32>()?, b.to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kwon et al., Efficient memory management for large language model serving with PagedAttention (2023).
#[derive(Clone, Debug, Tree)]
pub struct KvCache {
    /// The keys.
    pub k: Cached,
    /// The values.
    pub v: Cached,
}

impl KvCache {
    /// An empty cache of `runs` sequences, or pages, of `length` positions, in `dtype`: floats, or `i8`.
    ///
    /// Types of 8 bits have a scale for each key and value: see [`Cached`].
    #[track_caller]
    pub fn new(runs: usize, length: usize, groups: usize, width: usize, dtype: DType) -> Self {
        // Separate arrays: two handles to one array could not both be donated.
        KvCache {
            k: Cached::new(runs, length, groups, width, dtype),
            v: Cached::new(runs, length, groups, width, dtype),
        }
    }

    /// The cache's memory as one for heads of other extents: runs of as many positions each, more or fewer of them. The new
    /// extents must divide the old ones, or be divided by them.
    ///
    /// ```
    /// use jarrah_array::DType;
    /// use jarrah_nn::KvCache;
    /// let cache = KvCache::new(4, 16, 2, 64, DType::F32);
    /// assert_eq!(cache.of_heads(1, 64).k.values.shape(), [8, 16, 1, 64]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn of_heads(&self, groups: usize, width: usize) -> KvCache {
        if self.k.values.shape()[2..] == [groups, width] {
            return self.clone();
        }
        let length = self.length();
        let of = |x: &Array, dims: &[usize]| {
            let dims: Vec<isize> = [&[length], dims].concat().into_iter().map(|n| n as isize).collect();
            x.reshape(&[&[-1], &dims[..]].concat())
        };
        let cached = |cached: &Cached| Cached {
            values: of(&cached.values, &[groups, width]),
            scales: cached.scales.as_ref().map(|scales| of(scales, &[groups])),
        };
        KvCache { k: cached(&self.k), v: cached(&self.v) }
    }

    /// The number of positions of a run.
    pub fn length(&self) -> usize {
        self.k.values.shape()[1]
    }

    /// The cache with keys and values `[B,T,groups,width]` of the tokens; what has no place, behind the end of a run or on no page, is
    /// dropped.
    #[track_caller]
    pub fn write(&self, k: &Array, v: &Array, tokens: &Tokens) -> KvCache {
        KvCache { k: self.k.write(k, tokens), v: self.v.write(v, tokens) }
    }

    /// Causal attention of queries `q: [B,T,heads,width]` over the cache. The queries are those of the tokens, whose keys and
    /// values are written already. Other `options` may be given, but offsets, scales, pages and the
    /// score of hidden pairs are set by the cache.
    #[track_caller]
    pub fn attend(&self, q: &Array, tokens: &Tokens, options: &AttentionOptions) -> Array {
        let options = self.options(q, tokens, options);
        dot_product_attention(q, &self.k.read(q.dtype()), &self.v.read(q.dtype()), &options)
    }

    /// The options of [`attend`](Self::attend).
    #[track_caller]
    pub(crate) fn options(&self, q: &Array, tokens: &Tokens, options: &AttentionOptions) -> AttentionOptions {
        reading(q, &self.k, &self.v, tokens, options)
    }
}

/// The options of attention over a cache: causal, from the tokens' places there.
#[track_caller]
pub(crate) fn reading(
    q: &Array,
    k: &Cached,
    v: &Cached,
    tokens: &Tokens,
    options: &AttentionOptions,
) -> AttentionOptions {
    AttentionOptions {
        causal: true,
        offset: Some(tokens.starts(q.shape()[0])),
        hidden: Some(f64::NEG_INFINITY),
        scales: k.scales.clone().zip(v.scales.clone()),
        pages: tokens.pages.clone(),
        ..options.clone()
    }
}
