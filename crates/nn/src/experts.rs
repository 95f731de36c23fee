//! Mixtures of experts.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, TreeExt, concatenate, fail, lax, nn, where_};

use crate::capacity::Texts;
use crate::{
    Activation, Capacity, Context, Initializer, Layer, Linear, Module, StaticFloat, Tokens, Transposed,
    Variable,
};

/// How tokens choose among experts.
///
/// ```text
/// s = score(x W + b);   c = s + bias, in the groups that are chosen, else -inf;   experts = the k largest c
/// weights = s of these, normalized to sum 1 if asked, times the factor
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Routing {
    /// The experts of each token, `k`.
    pub active: usize,
    /// How scores are made of the router's logits.
    pub score: Score,
    /// Whether the weights of a token sum to one.
    pub normalize: bool,
    /// The factor on the weights.
    pub factor: StaticFloat,
    /// The experts in groups, if only some groups are looked at.
    pub groups: Option<Groups>,
}

/// How scores are made of a router's logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// `softmax` over all experts.
    Softmax,
    /// `softmax` over the experts that are chosen, by their logits.
    SoftmaxOfChosen,
    /// `sigmoid` of each.
    Sigmoid,
}

/// Groups of neighbours among experts, of which each token takes some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Groups {
    /// The number of groups that the experts are divided into.
    pub count: usize,
    /// The number of groups that each token may choose experts from.
    pub active: usize,
    /// How many of its largest scores a group is judged by, by their sum: two, or the largest alone.
    pub judged_by: usize,
}

/// How an expert gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// `f(gate) up`, where the columns of `gate` come before those of `up` in the weight.
    Plain(Activation),
    /// `(up + 1) gate sigmoid(alpha gate)` with the gate at most `limit` and `up` within it, columns in turn: gpt-oss's.
    Clamped {
        /// The factor in the sigmoid.
        alpha: StaticFloat,
        /// The bound.
        limit: StaticFloat,
    },
}

/// A mixture of experts: each token goes through some of many gated MLPs, and through one that all share, if there is one.
///
/// Tokens are sorted by expert, and each of the two matrices is one product of groups of rows. None is dropped, unless the pass has a [`Capacity`]. The router's logits are the
/// value `router` of the pass ([`Context::observe`]), of which [`load_balance_loss`] is made.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Activation, Context, Experts, Gate, Module, Routing, Score};
/// let routing = Routing { active: 2, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
/// let layer = Experts::new(&Key::new(0), 8, 4, 16, Gate::Plain(Activation::SILU), routing);
/// assert_eq!(layer.call(&Array::ones(&[2, 3, 4]), &mut Context::eval()).shape(), [2, 3, 4]);
/// ```
///
/// Source: Shazeer et al., Outrageously large neural networks: the sparsely-gated mixture-of-experts layer (2017); Gale et al., MegaBlocks (2022).
#[derive(Clone, Debug, Tree)]
pub struct Experts {
    /// `[width, experts]`.
    pub router: Linear,
    /// `[experts]`: added to the scores by which experts are chosen, not to their weights.
    pub choice_bias: Option<Variable>,
    /// `[experts, width, 2 hidden]`, gates and ups.
    pub gate_up: Variable,
    /// `[experts, 2 hidden]`.
    pub gate_up_bias: Option<Variable>,
    /// `[experts, hidden, width]`.
    pub down: Variable,
    /// `[experts, width]`.
    pub down_bias: Option<Variable>,
    /// `[experts]`: the factor on the weights of each.
    pub expert_scale: Option<Variable>,
    /// The shared expert, which every token goes through too.
    pub shared: Option<Layer>,
    /// `[width, 1]`: gives the logit of the sigmoid by which the shared expert's result is scaled.
    pub shared_gate: Option<Linear>,
    /// Whether the router's logits are computed in `f32`, whatever the model computes in: DeepSeek's.
    #[tree(static)]
    pub wide_router: bool,
    /// Whether the routing weights multiply the inputs of experts instead of their outputs, as in Llama 4.
    #[tree(static)]
    pub weighted_inputs: bool,
    /// How an expert gates.
    #[tree(static)]
    pub gate: Gate,
    /// How tokens choose.
    #[tree(static)]
    pub routing: Routing,
}

impl Experts {
    /// `experts` experts with LeCun-normal weights in `f32`, without biases and without shared experts. Each weight is stored
    /// transposed, `[outputs, inputs]`.
    #[track_caller]
    pub fn new(key: &Key, experts: usize, width: usize, hidden: usize, gate: Gate, routing: Routing) -> Self {
        if routing.active == 0 || routing.active > experts {
            let error = format!("each token goes through {} of {experts} experts", routing.active);
            fail(Error::program(error).op("experts").help("give a number from 1 to that of the experts"));
        }
        let keys = key.split(3);
        let sample = |key: &Key, outputs: usize, inputs: usize| {
            // The weights of as many experts at a time as one draw of random numbers can fill.
            let most = ((1 << 31) / (outputs * inputs).max(1)).clamp(1, experts);
            let draws = key.split(experts.div_ceil(most));
            let parts = draws.iter().enumerate().map(|(i, key)| {
                let count = most.min(experts - i * most);
                let flat = Initializer::lecun_normal().sample(key, &[inputs, count * outputs], DType::F32);
                flat.t().reshape(&[count, outputs, inputs])
            });
            let parts: Vec<Array> = parts.collect();
            let parts: Vec<&Array> = parts.iter().collect();
            Variable::from(Transposed::of(concatenate(&parts, 0)))
        };
        Experts {
            router: Linear::with(&keys[0], width, experts, false, Initializer::lecun_normal()),
            choice_bias: None,
            gate_up: sample(&keys[1], 2 * hidden, width),
            gate_up_bias: None,
            down: sample(&keys[2], width, hidden),
            down_bias: None,
            expert_scale: None,
            shared: None,
            shared_gate: None,
            wide_router: false,
            weighted_inputs: false,
            gate,
            routing,
        }
    }

    /// The number of experts.
    pub fn count(&self) -> usize {
        self.down.shape()[0]
    }

    /// The router's logits for `x: [n, width]`, which are the value `router` of the pass.
    #[track_caller]
    fn logits(&self, x: &Array, cx: &mut Context) -> Array {
        let dtype = wide(x.dtype());
        if !self.wide_router || x.dtype() == dtype {
            return cx.call("router", &self.router, x);
        }
        // Quantized weights are multiplied without conversion.
        match self.router.weight.dtype() == dtype {
            true => cx.call("router", &self.router, &x.astype(dtype)),
            false => {
                let wide = self.router.map_leaves(|leaf: &Array| leaf.astype(dtype));
                cx.call("router", &wide, &x.astype(dtype))
            }
        }
    }

    /// The chosen experts of each of `n` tokens and their weights, both `[n, active]`, from the router's logits `[n, experts]`.
    #[track_caller]
    pub fn choose(&self, logits: &Array) -> (Array, Array) {
        let Routing { active, score, normalize, factor, groups } = self.routing;
        let logits = logits.astype(wide(logits.dtype()));
        let scores = match score {
            Score::Softmax => logits.softmax(-1),
            Score::SoftmaxOfChosen => logits.clone(),
            Score::Sigmoid => nn::sigmoid(&logits),
        };
        let mut wanted = match &self.choice_bias {
            Some(bias) => &scores + bias.get(),
            None => scores.clone(),
        };
        if let Some(Groups { count, active, judged_by }) = groups {
            let experts = scores.shape()[1];
            let grouped = wanted.reshape(&[-1, count as isize, (experts / count) as isize]);
            let judged = lax::top_k(&grouped, judged_by).0.sum(-1);
            let least = lax::top_k(&judged, active).1;
            let taken = nn::one_hot(&least, count, DType::F32).sum(1).gt(0.0);
            let taken = taken.expand_dims(-1).broadcast_to(&grouped.shape()).reshape(&scores.shape()[..]);
            wanted = where_(&taken, &wanted, f64::NEG_INFINITY);
        }
        let (_, chosen) = lax::top_k(&jarrah_array::stop_gradient(&wanted), active);
        let mut weights = scores.take_along_axis(&chosen, -1);
        if score == Score::SoftmaxOfChosen {
            weights = weights.softmax(-1);
        }
        if normalize {
            weights = &weights / (weights.sum(-1).expand_dims(-1) + 1e-20);
        }
        weights *= factor.get();
        if let Some(scale) = &self.expert_scale {
            weights *= scale.rows(&chosen);
        }
        (chosen, weights)
    }

    /// Rows `[n, width]`, sorted by expert, through the experts of which `sizes` says how many rows each has; `of` is the expert of each row.
    #[track_caller]
    fn through(&self, rows: &Array, sizes: &Array, of: &Array) -> Array {
        let add = |y: Array, bias: &Option<Variable>| match bias {
            Some(bias) => y + bias.rows(of),
            None => y,
        };
        let both = add(self.gate_up.dot_grouped(rows, sizes), &self.gate_up_bias);
        let columns = both.shape()[1];
        let hidden = match self.gate {
            Gate::Plain(f) => f.of(&both.slice(-1, 0..columns / 2)) * both.slice(-1, columns / 2..columns),
            Gate::Clamped { alpha, limit } => {
                let pairs = both.reshape(&[-1, (columns / 2) as isize, 2]);
                let gate = pairs.slice(-1, 0..1).squeeze(-1).minimum(limit.get());
                let up = pairs.slice(-1, 1..2).squeeze(-1).clip(-limit.get(), limit.get());
                (up + 1.0) * &gate * nn::sigmoid(&(&gate * alpha.get()))
            }
        };
        add(self.down.dot_grouped(&hidden, sizes), &self.down_bias)
    }
}

impl Experts {
    /// `x: [.., width]` through the experts that the router chooses for `by`, an array of the same shape.
    #[track_caller]
    pub fn mix(&self, x: &Array, by: &Array, cx: &mut Context) -> Array {
        let shape = x.shape();
        let width = shape.last().copied().unwrap_or(1);
        let flat = |x: &Array| x.reshape(&[-1, width as isize]);
        let rows = flat(x);
        let (tokens, experts, active) = (rows.shape()[0], self.count(), self.routing.active);
        let logits = self.logits(&flat(by), cx);
        let (chosen, weights) = self.choose(&logits);
        let mut flat = chosen.reshape(&[-1]).astype(DType::I32);
        let mut taken = None;
        let mut most = tokens * active;
        if let Some(capacity) = cx.about::<Capacity>() {
            if cx.about::<Tokens>().is_some_and(|at| at.seen.is_some()) {
                let error = "experts of a bounded capacity, and tokens that go on from earlier passes";
                let help = "what an expert has taken of earlier tokens is not kept: leave `Capacity` out of the pass";
                fail(Error::program(error).op("experts").help(help));
            }
            let length = shape.len().checked_sub(2).map_or(1, |axis| shape[axis]);
            let sequences = tokens / length.max(1);
            let segments = cx.about::<Tokens>().and_then(|at| at.segments.clone());
            let segments = segments.filter(|segments| segments.shape() == [sequences, length]);
            let of = |length| capacity.of(length, active, experts);
            let texts = Texts::new(sequences, length, segments.as_ref(), of);
            let kept = texts.kept(&flat, experts, active);
            // Choices that are dropped get the number `experts`, so that they are sorted behind all experts.
            flat = where_(&kept, &flat, experts as i32);
            most = texts.most.map_or(most, |of_expert| most.min(experts * of_expert));
            taken = Some(kept.reshape(&[tokens, active, 1]));
        }
        let (mut order, sizes) = (flat.argsort(0isize), flat.bincount(experts));
        let mut places = order.argsort(0isize);
        let mut of = flat;
        if taken.is_some() {
            // With bounded capacity no more rows are computed than the experts accept.
            (order, places) = (order.slice(0, 0..most), places.minimum(most as i32 - 1));
            of = of.minimum(experts as i32 - 1);
        }
        let mut sorted = rows.take(&order.floor_divide(active as i64), 0);
        if self.weighted_inputs {
            let factors = weights.reshape(&[-1, 1]).take(&order, 0);
            sorted = (&sorted * factors).astype(x.dtype());
        }
        let of = of.take(&order, 0);
        let y = cx.enter("experts", |_| self.through(&sorted, &sizes.astype(DType::I32), &of));
        let mut y = y.take(&places, 0).reshape(&[tokens, active, width]);
        if let Some(taken) = &taken {
            y = where_(taken, &y, 0.0);
        }
        let y = if self.weighted_inputs { y } else { y * weights.expand_dims(-1) };
        let mut sum = y.sum(1).astype(x.dtype());
        if let Some(shared) = &self.shared {
            let mut y = cx.call("shared", shared, &rows);
            if let Some(gate) = &self.shared_gate {
                y *= nn::sigmoid(&cx.call("shared_gate", gate, &rows));
            }
            sum += y;
        }
        sum.reshape(&shape[..])
    }
}

impl Module for Experts {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        self.mix(x, x, cx)
    }
}

/// The dtype in which scores are computed.
fn wide(dtype: DType) -> DType {
    if dtype == DType::F64 { dtype } else { DType::F32 }
}

/// How unevenly tokens are spread over experts: `E sum_e f_e p_e`, where `f_e` is the share of choices that fell on expert `e` and `p_e` the mean of
/// its probabilities; 1 is even, for one expert each.
///
/// * `logits`: the router's, `[tokens, E]`
/// * `active`: the experts of each token
///
/// Source: Fedus et al., Switch transformers (2021); `load_balancing_loss_func` of Hugging Face's models.
#[track_caller]
pub fn load_balance_loss(logits: &Array, active: usize) -> Array {
    let experts = logits.shape().last().copied().unwrap_or(1);
    let probabilities = logits.astype(DType::F32).softmax(-1);
    let (_, chosen) = lax::top_k(&jarrah_array::stop_gradient(&probabilities), active);
    let share = nn::one_hot(&chosen, experts, DType::F32).mean(0).sum(0);
    (share * probabilities.mean(0)).sum(..) * experts as f64
}
