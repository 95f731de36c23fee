//! `jarrah model quantize`: the weights of a model in few bits, and what that costs.

use clap::ValueEnum;
use jarrah::array::{Array, TreeExt};
use jarrah::models::{Calibrated, Calibrator, Decoder, QuantizeRules};
use jarrah::quant::GptqOptions;
use jarrah::run::{is_run, resolve};
use jarrah::tokenizer::Tokenizer;
use jarrah::train::{Measure, measure, measure_tokens, tokens_of};
use jarrah::{Error, Result};
use serde_json::json;

use crate::cli::{Method, ModelFormat, Quantize};
use crate::output::{apart, note, show};
use crate::source::pretrained;
use crate::whole::Whole;

/// Sequences at once, where the model is measured.
const BATCH: usize = 4;

pub fn quantize(arguments: Quantize) -> Result<()> {
    let Quantize {
        from,
        to,
        method,
        calibration,
        samples,
        eval,
        context,
        act_order,
        damp,
        threads,
        json,
        ..
    } = &arguments;
    jarrah::train::use_threads(*threads);
    apart(from, to)?;
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
    let folder = Whole::begin(to)?;
    let rules = rules(&arguments)?;
    let mut model = pretrained(from, None)?;
    let dtype = model.model.embed.table.dtype();
    let rules = if dtype.bits() == 16 { rules.with_scales(dtype) } else { rules };
    // Errors in the rules, and of schemes that cannot be written, are reported before anything is computed.
    model.check_rules(&rules)?;
    let most = model.model.context;
    let context = context.unwrap_or(512.min(most));
    if context > most {
        return Err(Error::input(format!(
            "--context is {context}, but the model is made for sequences of {most}"
        ))
        .help(format!("give --context {most}, or less")));
    }
    let (mut learned, mut held_out, mut eos, mut told) = (Vec::new(), Vec::new(), 0, None);
    if !calibration.is_empty() || !eval.is_empty() {
        let tokenizer = match &model.folder {
            Some(files) if from.is_file() && !is_run(from) => Tokenizer::from_files(|name| files.file(name))?,
            _ if is_run(from) => Tokenizer::load(&resolve(from)?)?,
            _ => Tokenizer::load(from)?,
        };
        eos = tokenizer.eos_id()?;
        if !calibration.is_empty() {
            learned = tokens_of(calibration, &tokenizer)?;
            held_out = learned.split_off(learned.len() - learned.len() / 10);
            held_out.truncate(samples * context);
        }
        told = Some(tokenizer).filter(|_| !eval.is_empty());
    }
    // As `jarrah eval` does, or on what was not learned of the text.
    let measured = |model: &Decoder| match &told {
        Some(tokenizer) => measure(
            model,
            tokenizer,
            &Measure { data: eval, templates: None, context, batch: BATCH, note: None, progress: None },
        )
        .map(Some),
        None if held_out.is_empty() => Ok(None),
        None => measure_tokens(model, held_out.clone(), eos, context, BATCH).map(Some),
    };
    let size = |model: &Decoder| -> usize {
        model.leaves().into_iter().map(|x: &Array| x.ty().bytes().unwrap_or(0)).sum()
    };
    let (before, bytes_before) = (measured(&model.model)?, size(&model.model));
    let by = match method {
        Method::Rtn => None,
        Method::Awq => Some(Calibrator::Awq),
        Method::Gptq => Some(Calibrator::Gptq(GptqOptions {
            damp: damp.unwrap_or(GptqOptions::default().damp),
            order: *act_order,
        })),
    };
    let done = match by {
        None => {
            rules.apply(&mut model.model)?;
            Calibrated { by_text: 0, by_rounding: rules.plan(&model.model)?.into_keys().collect() }
        }
        Some(by) => {
            let texts = (learned.len() / context).min(*samples);
            if texts == 0 {
                return Err(Error::input(format!(
                    "the text has {} tokens, no sequence of {context}",
                    learned.len()
                ))
                .help("give more text, or a smaller --context"));
            }
            let ids: Vec<i32> = learned[..texts * context].iter().map(|&id| id as i32).collect();
            let blocks = model.model.blocks.len();
            let tell = &mut |block: usize| note(&format!("[block {} of {blocks}]", block + 1));
            model.model.calibrate(&rules, by, &Array::new(&ids, &[texts, context]), tell)?
        }
    };
    model.save(folder.path())?;
    folder.finish()?;
    let (after, bytes_after) = (measured(&model.model)?, size(&model.model));
    if by.is_some() && !done.by_rounding.is_empty() {
        note(&format!(
            "[{} weights were rounded to the nearest, as no text goes through them alone, such as {}]",
            done.by_rounding.len(),
            done.by_rounding[0]
        ));
    }
    if before.is_none() {
        note("[no text to measure on: --eval or --calibration gives some]");
    }
    let count = done.by_text + done.by_rounding.len();
    if *json {
        let perplexity =
            |measured: Option<jarrah::train::Measured>| measured.map(|measured| measured.perplexity());
        let all = json!({
            "weights": count, "bytes_before": bytes_before, "bytes": bytes_after, "tokens": before.map(|b| b.tokens),
            "perplexity_before": perplexity(before), "perplexity": perplexity(after),
        });
        return show(&format!("{all}\n"));
    }
    if let (Some(before), Some(after)) = (before, after) {
        let (first, second) = (before.perplexity(), after.perplexity());
        show(&format!("perplexity  {first:.4} before, {second:.4} after, on {} tokens\n", before.tokens))?;
    }
    let size = jarrah_base::memory::size;
    show(&format!(
        "{count} weights in few bits ({rules}): {} were {}, in {}\n",
        size(bytes_after),
        size(bytes_before),
        to.display()
    ))?;
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
