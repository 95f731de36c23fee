//! Quantization calibrated by the activations of a model on a text.

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, Error, Result, TreeExt, jit};
use jarrah_nn::{Context, LayerNorm, Linear, RmsNorm, Transposed, Variable, edit, part, parts};
use jarrah_quant::{GptqOptions, Moments, QuantizedTensor, Scheme, awq_factors, gptq};

use crate::decoder::DecoderAttention;
use crate::rules::{already, check_numbers, rounded};
use crate::{Decoder, DecoderBlock, Keys, QuantizeRules};

/// How weights are brought into few bits by the inputs that they have on a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibrator {
    /// Scales the input of several maps so that the features that matter are rounded with smaller errors ([`awq_factors`]): the
    /// factors go into the normalization, or the map, that makes the input.
    Awq,
    /// Each row of a weight makes up for the errors of those before it ([`gptq`]).
    Gptq(GptqOptions),
}

/// The outcome of calibrating a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibrated {
    /// How many were quantized by the text.
    pub by_text: usize,
    /// The paths of the weights that were rounded to the nearest: experts, and maps that no text went through.
    pub by_rounding: Vec<String>,
}

impl Decoder {
    /// Quantizes the weights that `rules` mean by the text `tokens`, block after block: each block sees what the blocks before it, quantized, make of the text. No
    /// more is held than the states of the text, and the moments of the inputs of one block.
    ///
    /// * `tokens`: integers `[texts, T]`
    /// * `tell`: called before each block with its number
    ///
    /// # Errors
    /// The errors of [`QuantizeRules::plan`]; a weight is in few bits already, or has an infinity or a NaN; the layers have embeddings of their own or borrow keys, so that they are not one after
    /// another (`Input`); the device failed.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_models::{Calibrator, Decoder, DecoderConfig};
    /// let mut model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// let text = Array::new(&[1i32, 2, 3, 4, 5, 6, 7, 8], &[2, 4]);
    /// let done = model.calibrate(&"int4:16".parse()?, Calibrator::Awq, &text, &mut |_| {})?;
    /// assert_eq!((done.by_text, done.by_rounding.len()), (14, 0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn calibrate(
        &mut self,
        rules: &QuantizeRules,
        by: Calibrator,
        tokens: &Array,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Calibrated> {
        let plan = rules.plan(self)?;
        let borrows = |attention: DecoderAttention| matches!(attention.config.keys, Keys::Borrowed(_));
        let heads = parts::<_, DecoderAttention>(&*self, "blocks.**").into_iter();
        if self.layer_inputs.is_some() || heads.map(|(_, attention)| attention).any(borrows) {
            let error = "the layers of this model take more than what the layer before gives, and are not calibrated one by one";
            return Err(Error::input(error).help("quantize it by rounding: the method rtn"));
        }
        if let Some((path, _)) = parts::<_, Variable>(&*self, ..)
            .into_iter()
            .find(|(path, weight)| plan.contains_key(path) && weight.value::<QuantizedTensor>().is_some())
        {
            return Err(already(&path));
        }
        check_numbers(self, &plan)?;
        let [texts, time] = tokens.shape()[..] else {
            return Err(Error::input(format!(
                "the tokens of texts are {}, no integers [texts, T]",
                tokens.ty()
            )));
        };
        let first = jit(|(model, tokens): &(Decoder, Array)| model.first(tokens, &mut Context::eval()));
        let mut states = Vec::with_capacity(texts);
        for text in 0..texts {
            let tokens = tokens.slice(0, text..text + 1).reshape(&[1, time]);
            let bare = Decoder { blocks: Vec::new(), mtp: Vec::new(), ..self.clone() };
            states.push(first.call((bare, tokens))?);
        }
        let next = jit(|(block, x): &(DecoderBlock, Array)| Context::eval().call("block", block, x));
        let mut done = Calibrated::default();
        for number in 0..self.blocks.len() {
            tell(number);
            let start = format!("blocks.{number}.");
            let own = plan
                .iter()
                .filter_map(|(path, scheme)| Some((path.strip_prefix(&start)?.to_owned(), *scheme)));
            let own: BTreeMap<String, Scheme> = own.collect();
            let block = quantized(&self.blocks[number], &own, by, &states, &mut done)
                .map_err(|error| error.context(format!("in block {number}")))?;
            for rounded in &mut done.by_rounding {
                if !rounded.starts_with("blocks.") {
                    rounded.insert_str(0, &start);
                }
            }
            if number + 1 < self.blocks.len() {
                for x in &mut states {
                    *x = next.call((block.clone(), x.clone()))?;
                    x.block_until_ready()?;
                }
            }
            self.blocks[number] = block;
        }
        // Weights outside of blocks, such as the output layer's.
        let mut failed = Ok(());
        edit(self, .., |path, weight: &mut Variable| {
            let Some(scheme) = plan.get(path).filter(|_| !path.starts_with("blocks.") && failed.is_ok())
            else {
                return;
            };
            match rounded(&weight.get(), *scheme) {
                Ok(value) => *weight = weight.replaced(value),
                Err(error) => failed = Err(error),
            }
            done.by_rounding.push(path.to_owned());
        });
        failed.map(|()| done)
    }
}

/// The block with the weights of a plan in few bits, by the states that go into it.
fn quantized(
    block: &DecoderBlock,
    plan: &BTreeMap<String, Scheme>,
    by: Calibrator,
    states: &[Array],
    done: &mut Calibrated,
) -> Result<DecoderBlock> {
    let maps = parts::<_, Linear>(block, ..);
    let names: Vec<String> = maps.iter().map(|(path, _)| path.clone()).collect();
    let seen = seen(block, &maps, states)?;
    let was_seen = |name: &str| -> Result<bool> {
        Ok(match seen.get(name) {
            Some(moments) => moments.count.to_f64()? > 0.0,
            None => false,
        })
    };
    let mut block = block.clone();
    // The maps as numbers in f32, `[inputs, outputs]`, where factors have come to them.
    let mut scaled: BTreeMap<String, Array> = BTreeMap::new();
    if by == Calibrator::Awq {
        for (into, maker) in makers(&block) {
            let wanted = into.iter().any(|name| plan.contains_key(&format!("{name}.weight")));
            if wanted && into.iter().all(|name| was_seen(name).unwrap_or(false)) {
                fold(&mut block, &into, &maker, plan, &seen[&into[0]], &mut scaled)?;
            }
        }
    }
    let mut failed = Ok(());
    for name in &names {
        let path = format!("{name}.weight");
        let scheme = plan.get(&path).copied();
        let numbers = scaled.remove(name);
        if scheme.is_none() && numbers.is_none() {
            continue;
        }
        let by_text = was_seen(name)?;
        edit(&mut block, path.as_str(), |_, weight: &mut Variable| {
            let dtype = weight.dtype();
            let wide = numbers.clone().unwrap_or_else(|| weight.dense(DType::F32));
            let Some(scheme) = scheme else {
                // It stays as it is, times its factors.
                *weight = weight.replaced(Transposed::of(wide.astype(dtype).t()));
                return;
            };
            let value = match (by, seen.get(name)) {
                (Calibrator::Gptq(options), Some(moments)) if by_text => {
                    let run = jit(move |(w, second): &(Array, Array)| gptq(w, second, scheme, &options));
                    run.call((wide, moments.second.clone())).and_then(finished)
                }
                _ => rounded(&wide, scheme),
            };
            match value {
                Ok(value) => *weight = weight.replaced(value),
                Err(error) => failed = Err(error.context(format!("while quantizing {name}"))),
            }
        });
        if scheme.is_some() {
            match by_text {
                true => done.by_text += 1,
                false => done.by_rounding.push(path),
            }
        }
        std::mem::replace(&mut failed, Ok(()))?;
    }
    // Stacks of experts.
    let of_maps: Vec<String> = names.iter().map(|name| format!("{name}.weight")).collect();
    let rest: BTreeMap<&String, &Scheme> = plan.iter().filter(|(path, _)| !of_maps.contains(path)).collect();
    if !rest.is_empty() {
        edit(&mut block, .., |path, weight: &mut Variable| {
            let Some((path, scheme)) = rest.get_key_value(&path.to_owned()) else { return };
            match rounded(&weight.get(), **scheme) {
                Ok(value) => *weight = weight.replaced(value),
                Err(error) => failed = Err(error.context(format!("while quantizing {path}"))),
            }
            done.by_rounding.push((*path).clone());
        });
    }
    failed.map(|()| block)
}

fn finished(value: QuantizedTensor) -> Result<QuantizedTensor> {
    for leaf in TreeExt::<Array>::leaves(&value) {
        leaf.block_until_ready()?;
    }
    // A number of moments that is none makes all that comes behind none.
    let scales = value.scales.values();
    match scales.isfinite().all(..).item::<bool>()? {
        true => Ok(value),
        false => Err(Error::input("the inputs that were seen have no inverse of second moments in f32")
            .help("give more text, or raise --damp")),
    }
}

/// The moments of the inputs that each map of a block had, by the map's path.
fn seen(
    block: &DecoderBlock,
    maps: &[(String, Linear)],
    states: &[Array],
) -> Result<BTreeMap<String, Moments>> {
    let names: Vec<String> = maps.iter().map(|(path, _)| path.clone()).collect();
    let mut sums: Vec<Moments> = maps.iter().map(|(_, map)| Moments::zeros(map.weight.shape()[0])).collect();
    let of = names.clone();
    let add = jit(move |(block, x, sums): &(DecoderBlock, Array, Vec<Moments>)| {
        let mut cx = Context::eval().capturing("**.input");
        cx.call("block", block, x);
        let captured = cx.captured();
        let each =
            of.iter().zip(sums).map(|(name, sum)| match captured.array(&format!("block.{name}.input")) {
                Some(input) => sum.with(&input),
                None => sum.clone(),
            });
        each.collect::<Vec<Moments>>()
    })
    .donate(2);
    for x in states {
        sums = add.call((block.clone(), x.clone(), sums))?;
        for leaf in TreeExt::<Array>::leaves(&sums) {
            leaf.block_until_ready()?;
        }
    }
    Ok(names.into_iter().zip(sums).collect())
}

/// The layer whose output is the argument of maps: a normalization or a map.
enum Maker {
    Norm(String),
    Map(String),
}

/// Maps of a block that alone share an argument, and the layer that makes it: factors may move between the two.
fn makers(block: &DecoderBlock) -> Vec<(Vec<String>, Maker)> {
    let names: Vec<String> = parts::<_, Linear>(block, ..).into_iter().map(|(path, _)| path).collect();
    let there = |wanted: &[&str]| -> Vec<String> {
        wanted
            .iter()
            .filter(|name| names.iter().any(|known| known == *name))
            .map(|name| (*name).to_owned())
            .collect()
    };
    let mut all = Vec::new();
    let heads = block.attention.get::<DecoderAttention>();
    let latent = ["attention.q", "attention.q.layers.0", "attention.kv_down"];
    let into =
        if heads.is_some() { there(&["attention.q", "attention.k", "attention.v"]) } else { there(&latent) };
    if block.attention_norm.is_some() && !into.is_empty() {
        all.push((into, Maker::Norm("attention_norm".to_owned())));
    }
    // Values come to the output as they are, head by head, where each has its own.
    if heads.is_some_and(|heads| {
        heads.v_norm.is_none() && heads.config.heads == heads.config.groups && heads.v.is_some()
    }) {
        all.push((there(&["attention.out"]), Maker::Map("attention.v".to_owned())));
    }
    let gated = there(&["mlp.gate", "mlp.up"]);
    let is_mixture =
        block.mlp.get::<jarrah_nn::Experts>().is_some() || block.mlp.get::<crate::MlpAndExperts>().is_some();
    if block.mlp_norm.is_some() && !is_mixture && !gated.is_empty() {
        all.push((gated.clone(), Maker::Norm("mlp_norm".to_owned())));
    }
    if gated.len() == 2 && !is_mixture {
        all.push((there(&["mlp.down"]), Maker::Map("mlp.up".to_owned())));
    }
    all
}

/// Divides a bias by factors, in its dtype.
fn divide(bias: &mut Option<Variable>, factors: &Array) {
    if let Some(variable) = bias {
        *variable = variable.replaced((variable.dense(DType::F32) / factors).astype(variable.dtype()));
    }
}

/// Finds factors for the argument of maps, multiplies the maps by them, and the layer that makes the argument by their
/// inverses.
fn fold(
    block: &mut DecoderBlock,
    into: &[String],
    maker: &Maker,
    plan: &BTreeMap<String, Scheme>,
    seen: &Moments,
    scaled: &mut BTreeMap<String, Array>,
) -> Result<()> {
    let numbers = |block: &DecoderBlock, name: &str, scaled: &BTreeMap<String, Array>| match scaled.get(name)
    {
        Some(numbers) => numbers.clone(),
        None => {
            let map = part::<_, Linear>(block, name);
            map.map_or_else(|| Array::zeros(&[0, 0]), |map| map.weight.dense(DType::F32))
        }
    };
    let measured = into.iter().filter_map(|name| {
        let scheme = plan.get(&format!("{name}.weight"))?;
        Some((numbers(block, name, scaled), *scheme))
    });
    let factors = awq_factors(&measured.collect::<Vec<_>>(), seen);
    let factors = match maker {
        // The scale of a normalization is rounded: what it comes to is what the maps make up for.
        Maker::Norm(name) => {
            let mut made = None;
            let mut take = |scale: &mut Option<Variable>, offset: f64| {
                let Some(variable) = scale else { return };
                let wide = variable.dense(DType::F32) + offset as f32;
                let next = (&wide / &factors - offset as f32).astype(variable.dtype());
                let found = &wide / (next.astype(DType::F32) + offset as f32);
                made = Some(jarrah_array::where_(&(found.isfinite() & found.ne(0.0)), &found, 1.0f32));
                *variable = variable.replaced(next);
            };
            if part::<_, RmsNorm>(block, name.as_str()).is_some() {
                edit(block, name.as_str(), |_, norm: &mut RmsNorm| {
                    let offset = norm.offset.get();
                    take(&mut norm.scale, offset);
                });
            } else {
                edit(block, name.as_str(), |_, norm: &mut LayerNorm| take(&mut norm.scale, 0.0));
                if let Some(made) = &made {
                    edit(block, name.as_str(), |_, norm: &mut LayerNorm| divide(&mut norm.bias, made));
                }
            }
            made
        }
        Maker::Map(name) => {
            let is_there = part::<_, Linear>(block, name.as_str()).is_some();
            if is_there {
                let outputs = numbers(block, name, scaled) / factors.expand_dims(0);
                scaled.insert(name.clone(), outputs);
                edit(block, name.as_str(), |_, map: &mut Linear| divide(&mut map.bias, &factors));
            }
            is_there.then_some(factors)
        }
    };
    let Some(factors) = factors else { return Ok(()) };
    for name in into {
        let rows = numbers(block, name, scaled) * factors.expand_dims(1);
        rows.block_until_ready()?;
        scaled.insert(name.clone(), rows);
    }
    Ok(())
}
