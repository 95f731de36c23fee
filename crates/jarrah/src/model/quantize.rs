//! `jarrah model quantize`: the weights of a model in few bits, and what that costs.

use std::path::Path;

use clap::ValueEnum;
use jarrah::array::{Array, TreeExt};
use jarrah::models::{Calibrated, Calibrator, Decoder, Pretrained, QuantizeRules};
use jarrah::quant::GptqOptions;
use jarrah::run::{is_run, resolve};
use jarrah::tokenizer::Tokenizer;
use jarrah::train::{Measure, Measured, measure, measure_tokens, tokens_of};
use jarrah::{Error, Result};
use serde_json::{Value, json};

use crate::cli::{Method, ModelFormat, Quantize};
use crate::output::{apart, note, show};
use crate::source::pretrained;
use crate::whole::Whole;

/// Sequences at once, where the model is measured.
const BATCH: usize = 4;

pub fn quantize(arguments: Quantize) -> Result<()> {
    let Quantize { from, to, threads, .. } = &arguments;
    jarrah::train::use_threads(*threads);
    apart(from, to)?;
    check(&arguments)?;
    let folder = Whole::begin(to)?;
    let rules = rules(&arguments)?;
    let mut model = pretrained(from, None)?;
    let dtype = model.model.embed.table.dtype();
    let rules = if dtype.bits() == 16 { rules.with_scales(dtype) } else { rules };
    // Errors in the rules, and of schemes that cannot be written, are reported before anything is computed.
    model.check_rules(&rules)?;
    let texts = Texts::read(&arguments, &model)?;
    let before = Cost::of(&model.model, &texts, &arguments)?;
    let done = rounded(&mut model.model, &rules, &texts, &arguments)?;
    model.save(folder.path())?;
    folder.finish()?;
    let after = Cost::of(&model.model, &texts, &arguments)?;
    if arguments.method != Method::Rtn && !done.by_rounding.is_empty() {
        note(&format!(
            "[{} weights were rounded to the nearest, as no text goes through them alone, such as {}]",
            done.by_rounding.len(),
            done.by_rounding[0]
        ));
    }
    if before.measured.is_none() {
        note("[no text to measure on: --eval or --calibration gives some]");
    }
    let count = done.by_text + done.by_rounding.len();
    match arguments.json {
        true => show(&format!("{}\n", in_json(count, &before, &after))),
        false => tell(&format!("{count} weights in few bits ({rules})"), to, &before, &after),
    }
}

/// Refuses options that do not go together, before anything is read.
fn check(arguments: &Quantize) -> Result<()> {
    let Quantize { to, method, calibration, act_order, damp, .. } = arguments;
    if ModelFormat::of(to) != ModelFormat::Hf {
        let error = format!(
            "{} is the name of a file, and weights in few bits are written as a folder",
            to.display()
        );
        return Err(Error::input(error).help(
            "name a folder, which `jarrah serve` and vLLM read; `jarrah model convert IN OUT.gguf` writes a file with the weights as they are",
        ));
    }
    if *method != Method::Rtn && calibration.is_empty() {
        return Err(Error::input("awq and gptq look at what the model does with a text, and there is none")
            .help("give text as --calibration, or take the method rtn"));
    }
    let name = method.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    for (flag, is_given, what) in
        [("--act-order", *act_order, "an order"), ("--damp", damp.is_some(), "a share")]
    {
        if is_given && *method != Method::Gptq {
            let error = format!("{flag} is {what} of gptq, and the method is {name}");
            return Err(Error::input(error).help(format!("give --method gptq, or leave out {flag}")));
        }
    }
    Ok(())
}

/// The texts to calibrate by and to measure on.
struct Texts {
    /// The length of sequences.
    context: usize,
    /// The tokens to calibrate by.
    learned: Vec<u32>,
    /// The last tenth of the text for calibration, which is measured on where there is no other text.
    held_out: Vec<u32>,
    eos: u32,
    /// The tokenizer, if there is a text to measure on.
    tokenizer: Option<Tokenizer>,
}

impl Texts {
    fn read(arguments: &Quantize, model: &Pretrained) -> Result<Texts> {
        let Quantize { from, calibration, samples, eval, .. } = arguments;
        let most = model.model.context;
        let context = arguments.context.unwrap_or(512.min(most));
        if context > most {
            return Err(Error::input(format!(
                "--context is {context}, but the model is made for sequences of {most}"
            ))
            .help(format!("give --context {most}, or less")));
        }
        let mut texts = Texts { context, learned: Vec::new(), held_out: Vec::new(), eos: 0, tokenizer: None };
        if calibration.is_empty() && eval.is_empty() {
            return Ok(texts);
        }
        let tokenizer = match &model.folder {
            Some(files) if from.is_file() && !is_run(from) => Tokenizer::from_files(|name| files.file(name))?,
            _ if is_run(from) => Tokenizer::load(&resolve(from)?)?,
            _ => Tokenizer::load(from)?,
        };
        texts.eos = tokenizer.eos_id()?;
        if !calibration.is_empty() {
            texts.learned = tokens_of(calibration, &tokenizer)?;
            texts.held_out = texts.learned.split_off(texts.learned.len() - texts.learned.len() / 10);
            texts.held_out.truncate(samples * context);
        }
        texts.tokenizer = Some(tokenizer).filter(|_| !eval.is_empty());
        Ok(texts)
    }

    /// How well the model predicts, measured as `jarrah eval` does, or on the text held out; `None` without a text.
    fn measured(&self, model: &Decoder, data: &[String]) -> Result<Option<Measured>> {
        let context = self.context;
        match &self.tokenizer {
            Some(tokenizer) => {
                let by = Measure { data, templates: None, context, batch: BATCH, note: None, progress: None };
                measure(model, tokenizer, &by).map(Some)
            }
            None if self.held_out.is_empty() => Ok(None),
            None => measure_tokens(model, self.held_out.clone(), self.eos, context, BATCH).map(Some),
        }
    }
}

/// The size of a model, and how well it predicts.
struct Cost {
    measured: Option<Measured>,
    bytes: usize,
}

impl Cost {
    fn of(model: &Decoder, texts: &Texts, arguments: &Quantize) -> Result<Cost> {
        let measured = texts.measured(model, &arguments.eval)?;
        Ok(Cost {
            measured,
            bytes: model.leaves().into_iter().map(|x: &Array| x.ty().bytes().unwrap_or(0)).sum(),
        })
    }
}

/// Rounds the weights that `rules` name, by the method that is asked for.
fn rounded(
    model: &mut Decoder,
    rules: &QuantizeRules,
    texts: &Texts,
    arguments: &Quantize,
) -> Result<Calibrated> {
    let by = match arguments.method {
        Method::Rtn => {
            rules.apply(model)?;
            return Ok(Calibrated { by_text: 0, by_rounding: rules.plan(model)?.into_keys().collect() });
        }
        Method::Awq => Calibrator::Awq,
        Method::Gptq => Calibrator::Gptq(GptqOptions {
            damp: arguments.damp.unwrap_or(GptqOptions::default().damp),
            order: arguments.act_order,
        }),
    };
    let Texts { context, learned, .. } = texts;
    let count = (learned.len() / context).min(arguments.samples);
    if count == 0 {
        return Err(Error::input(format!("the text has {} tokens, no sequence of {context}", learned.len()))
            .help("give more text, or a smaller --context"));
    }
    let ids: Vec<i32> = learned[..count * context].iter().map(|&id| id as i32).collect();
    let blocks = model.blocks.len();
    let tell = &mut |block: usize| note(&format!("[block {} of {blocks}]", block + 1));
    model.calibrate(rules, by, &Array::new(&ids, &[count, *context]), tell)
}

/// The cost of `count` weights in few bits, as JSON.
fn in_json(count: usize, before: &Cost, after: &Cost) -> Value {
    let perplexity = |cost: &Cost| cost.measured.map(|measured| measured.perplexity());
    json!({
        "weights": count, "bytes_before": before.bytes, "bytes": after.bytes,
        "tokens": before.measured.map(|b| b.tokens),
        "perplexity_before": perplexity(before), "perplexity": perplexity(after),
    })
}

/// Shows a sentence on the weights, and what they cost in the folder `to`.
fn tell(weights: &str, to: &Path, before: &Cost, after: &Cost) -> Result<()> {
    if let (Some(before), Some(after)) = (before.measured, after.measured) {
        let (first, second) = (before.perplexity(), after.perplexity());
        show(&format!("perplexity  {first:.4} before, {second:.4} after, on {} tokens\n", before.tokens))?;
    }
    let size = jarrah_base::memory::size;
    show(&format!("{weights}: {} were {}, in {}\n", size(after.bytes), size(before.bytes), to.display()))?;
    show(&super::next(to))
}

/// The rules of the file, then the scheme for all other places.
fn rules(arguments: &Quantize) -> Result<QuantizeRules> {
    let file = arguments.rules.as_ref();
    let text = file.map(|file| std::fs::read_to_string(file).map_err(|e| Error::io("read", file, &e)));
    let mut text = text.transpose()?.unwrap_or_default();
    if let Some(scheme) = &arguments.scheme {
        text += &format!("\n{scheme}");
    } else if file.is_none() {
        text.push_str("int4");
    }
    text.parse().map_err(|error: Error| match file {
        Some(file) => error.context(format!("in {}", file.display())),
        None => error,
    })
}
