//! Rotary position embeddings, in the variants that published models use.

use std::f64::consts::PI;

use jarrah_array::{Array, DType, Error, concatenate, fail, stack, where_};

use crate::{StaticFloat, Tokens};

/// Which elements of a vector are turned together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// Element `i` of the first half and element `i` of the second: Llama's files and most others.
    Halves,
    /// Neighbours, elements `2i` and `2i + 1`: the paper's, GPT-J's.
    Neighbours,
    /// Neighbours in the argument, `2i` and `2i + 1`, whose results are written to the two halves: DeepSeek's files.
    NeighboursToHalves,
}

/// A rotary position embedding: pair `i` of the first `width` elements turned by the angle `p r_i` at position `p`, and scaled by a factor.
///
/// ```text
/// (a, b) -> factor (a cos(p r) - b sin(p r), b cos(p r) + a sin(p r)),   r_i = base^(-2i / width) in the plain form
/// ```
///
/// Rates are computed in `f64` and rounded to `f32`; angles are `f32`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::Rope;
/// let rope = Rope::new(2, 10000.0);
/// let y = rope.turn(&Array::new(&[1.0f32, 0.0], &[1, 1, 1, 2]), &Array::new(&[2i32], &[1, 1])).to_vec::<f32>()?;
/// assert!((y[0] - 2f32.cos()).abs() < 1e-6 && (y[1] - 2f32.sin()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Su et al., RoFormer: enhanced transformer with rotary position embedding (2021).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rope {
    rates: Rates,
    factor: StaticFloat,
    pairing: Pairing,
    /// For each pair, the axis of positions that it is turned by, if positions have several axes.
    axes: Option<Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Rates {
    Fixed(Vec<StaticFloat>),
    /// The rates `short` if no position is beyond `limit`, otherwise the rates `long`.
    Long {
        short: Vec<StaticFloat>,
        long: Vec<StaticFloat>,
        limit: usize,
    },
    /// The rates of a base that grows with the longest sequence beyond `limit`.
    Dynamic {
        width: usize,
        base: StaticFloat,
        factor: StaticFloat,
        limit: usize,
    },
}

/// The parameters of [`Rope::yarn`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yarn {
    /// By how much longer contexts are than in training.
    pub factor: f64,
    /// The context of training.
    pub context: usize,
    /// More turns than this within the context: the rate is kept.
    pub fast: f64,
    /// Fewer turns than this: the rate is divided by the factor.
    pub slow: f64,
    /// Whether the bounds between are whole numbers of pairs.
    pub truncate: bool,
    /// The factor on results; `0.1 ln(factor) + 1` if absent.
    pub attention: Option<f64>,
}

/// The parameters of [`Rope::llama3`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Llama3Rope {
    /// By how much low frequencies are divided.
    pub factor: f64,
    /// Turns within the context below which a frequency is low.
    pub low: f64,
    /// The number of turns within the context above which a frequency is high and left unchanged.
    pub high: f64,
    /// The context of training.
    pub context: usize,
}

fn plain(width: usize, base: f64) -> Vec<f64> {
    (0..width / 2).map(|i| base.powf(-2.0 * i as f64 / width as f64)).collect()
}

fn fixed(rates: &[f64]) -> Vec<StaticFloat> {
    rates.iter().map(|&rate| rate.into()).collect()
}

impl Rope {
    /// The plain form, for the first `width` elements of each vector.
    #[track_caller]
    pub fn new(width: usize, base: f64) -> Self {
        if !width.is_multiple_of(2) || width == 0 {
            let error = Error::program(format!("rotary embedding of {width} elements"));
            fail(error.op("rope").help("elements are turned in pairs: give an even number"));
        }
        Rope::of(&plain(width, base), 1.0)
    }

    fn of(rates: &[f64], factor: f64) -> Self {
        Rope::with(Rates::Fixed(fixed(rates)), factor)
    }

    fn with(rates: Rates, factor: f64) -> Self {
        Rope { rates, factor: factor.into(), pairing: Pairing::Halves, axes: None }
    }

    /// Positions divided by `factor`. Source: Chen et al., Extending context window of large language models via positional
    /// interpolation (2023).
    #[track_caller]
    pub fn linear(width: usize, base: f64, factor: f64) -> Self {
        Rope::new(width, base).map(|rate| rate / factor)
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        match &self.rates {
            Rates::Fixed(rates) => {
                let rates: Vec<f64> = rates.iter().map(|rate| f(rate.get())).collect();
                Rope { rates: Rates::Fixed(fixed(&rates)), ..self }
            }
            Rates::Long { .. } | Rates::Dynamic { .. } => self,
        }
    }

    /// The first `width` of `head` elements turned at the rates of all `head`, the others at none, all divided by `factor`: Gemma 4's
    /// proportional form.
    #[track_caller]
    pub fn proportional(head: usize, share: f64, base: f64, factor: f64) -> Self {
        let turned = (share * head as f64 / 2.0) as usize;
        let rates = plain(head, base);
        let rates: Vec<f64> =
            rates.iter().enumerate().map(|(i, rate)| if i < turned { rate / factor } else { 0.0 }).collect();
        Rope::of(&rates, 1.0)
    }

    /// Low frequencies divided by a factor, with a smooth passage. Source: Llama 3.1's model card (2024).
    #[track_caller]
    pub fn llama3(width: usize, base: f64, by: Llama3Rope) -> Self {
        let Llama3Rope { factor, low, high, context } = by;
        let context = context as f64;
        Rope::new(width, base).map(|rate| {
            let wave = 2.0 * PI / rate;
            if wave < context / high {
                rate
            } else if wave > context / low || low == high {
                rate / factor
            } else {
                let smooth = (context / wave - low) / (high - low);
                (1.0 - smooth) * rate / factor + smooth * rate
            }
        })
    }

    /// Rates interpolated between those of training and those divided by a factor, depending on how often a pair turns within the
    /// context. Source: Peng et al., YaRN: efficient context window extension of large language models (2023).
    #[track_caller]
    pub fn yarn(width: usize, base: f64, by: Yarn) -> Self {
        let Yarn { factor, context, fast, slow, truncate, attention } = by;
        let at = |turns: f64| width as f64 * (context as f64 / (turns * 2.0 * PI)).ln() / (2.0 * base.ln());
        let (mut low, mut high) = (at(fast), at(slow));
        if truncate {
            (low, high) = (low.floor(), high.ceil());
        }
        let (low, high) = (low.max(0.0), high.min(width as f64 - 1.0));
        let high = if low == high { high + 0.001 } else { high };
        let rates = plain(width, base).into_iter().enumerate().map(|(i, rate)| {
            let kept = 1.0 - ((i as f64 - low) / (high - low)).clamp(0.0, 1.0);
            rate / factor * (1.0 - kept) + rate * kept
        });
        let rates: Vec<f64> = rates.collect();
        Rope::of(&rates, attention.unwrap_or_else(|| yarn_scale(factor, 1.0)))
    }

    /// A base that grows with the longest sequence of a batch beyond `context`. Source: Hugging Face's `dynamic` kind, after u/emozilla (2023).
    #[track_caller]
    pub fn dynamic(width: usize, base: f64, factor: f64, context: usize) -> Self {
        let rates = Rates::Dynamic { width, base: base.into(), factor: factor.into(), limit: context };
        Rope { rates, ..Rope::new(width, base) }
    }

    /// Each rate is divided by its own number: one of `short`, or one of `long` if a sequence of the batch is longer than
    /// `context`. Results are scaled by `attention`. Source: Ding et al., LongRoPE (2024).
    #[track_caller]
    pub fn longrope(
        width: usize,
        base: f64,
        short: &[f64],
        long: &[f64],
        context: usize,
        attention: f64,
    ) -> Self {
        let rates = plain(width, base);
        if [short.len(), long.len()] != [rates.len(); 2] {
            let error = format!("{} and {} factors for {} pairs", short.len(), long.len(), rates.len());
            fail(Error::program(error).op("rope").help("give a factor for each pair of elements"));
        }
        let divided = |by: &[f64]| {
            let rates: Vec<f64> = rates.iter().zip(by).map(|(rate, by)| rate / by).collect();
            fixed(&rates)
        };
        let rates = match short == long {
            true => Rates::Fixed(divided(short)),
            false => Rates::Long { short: divided(short), long: divided(long), limit: context },
        };
        Rope::with(rates, attention)
    }

    /// This embedding with the elements paired in another way.
    #[must_use]
    pub fn paired(self, pairing: Pairing) -> Self {
        Rope { pairing, ..self }
    }

    /// Positions of several axes, as those of pictures and films are: the first `counts[0]` pairs are turned by the positions of axis 0, the next
    /// `counts[1]` by those of axis 1, and so on. Where all axes have the same positions, as in text, nothing changes.
    ///
    /// ```
    /// use jarrah_array::{Array, stack};
    /// use jarrah_nn::Rope;
    /// let plain = Rope::new(8, 10000.0);
    /// let rope = plain.clone().sections(&[2, 1, 1]);
    /// let x = Array::ones(&[1, 3, 1, 8]);
    /// let at = Array::new(&[0i32, 1, 2], &[1, 3]);
    /// let alike = rope.turn(&x, &stack(&[&at, &at, &at], 0)).to_vec::<f32>()?;
    /// assert_eq!(alike, plain.turn(&x, &at).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Wang et al., Qwen2-VL: enhancing vision-language model's perception of the world at any resolution (2024), M-RoPE.
    #[must_use]
    #[track_caller]
    pub fn sections(self, counts: &[usize]) -> Self {
        let axes = counts.iter().enumerate().flat_map(|(axis, &count)| std::iter::repeat_n(axis, count));
        self.turned_by(axes.collect(), counts)
    }

    /// Positions of several axes, interleaved: in each run of `counts.len()` pairs, pair `axis` is turned by the positions of
    /// that axis, until the axis has `counts[axis]` pairs; all other pairs are turned by the positions of axis 0.
    ///
    /// Source: Bai et al., Qwen3-VL technical report (2025).
    #[must_use]
    #[track_caller]
    pub fn interleaved(self, counts: &[usize]) -> Self {
        let turn = |i: usize| (i % counts.len().max(1), i / counts.len().max(1));
        let axis = |i| match turn(i) {
            (axis, before) if before < counts[axis] => axis,
            _ => 0,
        };
        let axes = (0..counts.iter().sum()).map(axis).collect();
        self.turned_by(axes, counts)
    }

    #[track_caller]
    fn turned_by(self, axes: Vec<usize>, counts: &[usize]) -> Self {
        let pairs = self.width() / 2;
        if axes.len() != pairs {
            let error = Error::program(format!("sections {counts:?} for {pairs} pairs"));
            fail(error.op("rope").help("the sections together have as many pairs as there are"));
        }
        Rope { axes: Some(axes), ..self }
    }

    /// The rate of each pair, where lengths of sequences do not change it.
    pub fn fixed_rates(&self) -> Option<Vec<f64>> {
        match &self.rates {
            Rates::Fixed(rates) => Some(rates.iter().map(|rate| rate.get()).collect()),
            Rates::Long { .. } | Rates::Dynamic { .. } => None,
        }
    }

    /// The number of elements that are turned.
    pub fn width(&self) -> usize {
        match &self.rates {
            Rates::Fixed(rates) | Rates::Long { short: rates, .. } => 2 * rates.len(),
            Rates::Dynamic { width, .. } => *width,
        }
    }

    /// The length beyond which a text is turned at other rates, if the rates depend on it.
    pub fn limit(&self) -> Option<usize> {
        match &self.rates {
            Rates::Long { limit, .. } => Some(*limit),
            Rates::Fixed(_) | Rates::Dynamic { .. } => None,
        }
    }

    /// The rates, `[width / 2]`, or `[B,T,1,width / 2]` where they depend on the lengths of the texts of these tokens; T is 1 where all of a sequence is one.
    #[track_caller]
    fn rates(&self, tokens: &Tokens, wide: DType) -> Array {
        let array = |rates: &[StaticFloat]| {
            let rates: Vec<f64> = rates.iter().map(|rate| rate.get()).collect();
            Array::from_slice(&rates).astype(DType::F32).astype(wide)
        };
        let length = || tokens.text_lengths().expand_dims([2, 3]);
        match &self.rates {
            Rates::Fixed(rates) => array(rates),
            Rates::Long { short, long, limit } => where_(&length().gt(*limit), array(long), array(short)),
            Rates::Dynamic { width, base, factor, limit } => {
                let (factor, limit) = (factor.get(), *limit as f64);
                let length = length().astype(wide).maximum(limit);
                let power = *width as f64 / (*width as f64 - 2.0);
                let grown = (length * (factor / limit) - (factor - 1.0)).pow(power) * base.get();
                let exponents: Vec<f64> = (0..width / 2).map(|i| -2.0 * i as f64 / *width as f64).collect();
                (grown.log() * Array::from_slice(&exponents).astype(wide)).exp()
            }
        }
    }

    /// `x: [B,T,H,D]`, floats, with the first [`width`](Rope::width) elements of each vector turned by `positions: [B,T]`, integers, or by
    /// `[axes,B,T]`, where there are [`sections`](Rope::sections). Where rates depend on lengths, each sequence is as long as its last position says.
    #[track_caller]
    pub fn turn(&self, x: &Array, positions: &Array) -> Array {
        let positions = positions.clone();
        self.turn_of(x, &Tokens { positions, segments: None, seen: None, pages: None, lengths: None })
    }

    /// As [`turn`](Rope::turn), for the tokens of a pass: rates that depend on lengths use the lengths of the tokens' texts.
    #[track_caller]
    pub fn turn_of(&self, x: &Array, tokens: &Tokens) -> Array {
        let positions = &tokens.positions;
        let (shape, width) = (x.shape(), self.width());
        let at = positions.shape();
        let each = self.axes.as_ref().filter(|axes| at.len() == 3 && axes.iter().all(|&axis| axis < at[0]));
        let placed = at.len() >= 2 && shape.len() == 4 && at[at.len() - 2..] == shape[..2];
        let fits = placed && shape[3] >= width && (at.len() == 2 || each.is_some());
        if !fits || !x.dtype().is_float() || !positions.dtype().is_integer() {
            let error = format!("{} cannot be turned by positions {}", x.ty(), positions.ty());
            let help = format!("give floats [B, T, H, D] with D at least {width}, and integers [B, T]");
            fail(Error::program(error).op("rope").help(help));
        }
        let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let rates = self.rates(tokens, wide);
        let positions = match each {
            // [pairs,B,T] to [B,T,1,pairs].
            Some(axes) => {
                let axes: Vec<i32> = axes.iter().map(|&axis| axis as i32).collect();
                positions.take(&Array::from_slice(&axes), 0).transpose(&[1, 2, 0]).expand_dims(2)
            }
            None => positions.reshape(&[shape[0], shape[1], 1, 1]),
        };
        let angles = positions.astype(wide) * rates;
        let factor = self.factor.get();
        let (cos, sin) = (angles.cos() * factor, angles.sin() * factor);
        let turned = x.slice(-1, 0..width).astype(wide);
        let half = width / 2;
        let neighbour = |i: usize| {
            turned.reshape(&[shape[0], shape[1], shape[2], half, 2]).slice(-1, i..i + 1).squeeze(-1)
        };
        let (a, b) = match self.pairing {
            Pairing::Halves => (turned.slice(-1, 0..half), turned.slice(-1, half..width)),
            Pairing::Neighbours | Pairing::NeighboursToHalves => (neighbour(0), neighbour(1)),
        };
        let (a, b) = (&a * &cos - &b * &sin, &b * &cos + &a * &sin);
        let turned = match self.pairing {
            Pairing::Neighbours => stack(&[&a, &b], -1).reshape(&[shape[0], shape[1], shape[2], width]),
            Pairing::Halves | Pairing::NeighboursToHalves => concatenate(&[&a, &b], -1),
        };
        let turned = turned.astype(x.dtype());
        if width == shape[3] { turned } else { concatenate(&[&turned, &x.slice(-1, width..shape[3])], -1) }
    }
}

/// `0.1 m ln(factor) + 1`, by which YaRN scales attention for contexts longer by a factor; 1 where they are not.
pub fn yarn_scale(factor: f64, m: f64) -> f64 {
    if factor <= 1.0 { 1.0 } else { 0.1 * m * factor.ln() + 1.0 }
}
