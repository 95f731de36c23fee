//! `jarrah bench serve`: how a server bears up under many requests.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jarrah::openai::{Load, Sent};
use jarrah::tokenizer::chat::strftime;
use jarrah::{Error, Result};
use serde_json::{Map, Value, json};

use crate::cli::{BenchServe, Dataset, Spoken};
use crate::output::{Progress, note, show};

/// Numbers without order from a seed.
///
/// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Between 0 and 1, without 0.
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64).min(n as f64 - 1.0) as usize
    }

    /// A length around `n`: by a share of it less or more.
    fn around(&mut self, n: usize, share: f64) -> usize {
        let (least, most) = ((n as f64 * (1.0 - share)).round(), (n as f64 * (1.0 + share)).round());
        ((least + self.uniform() * (most - least)).round() as usize).max(1)
    }
}

/// The tokens of random prompts and of answers where nobody says it.
const USUAL: (usize, usize) = (128, 64);

pub fn serve(arguments: &BenchServe) -> Result<()> {
    match (arguments.dataset_name, &arguments.dataset_path) {
        (Some(Dataset::Random), Some(path)) => {
            let error = format!("--dataset-name is random, and --dataset-path {}", path.display());
            return Err(Error::input(error).help("leave one of them out"));
        }
        (Some(Dataset::Sharegpt | Dataset::Custom), None) => {
            let error = "--dataset-name is of a file, and there is no --dataset-path";
            return Err(Error::input(error).help("name the file: nothing is downloaded"));
        }
        _ => {}
    }
    let url = arguments.url.clone().unwrap_or_else(|| {
        let host = &arguments.host;
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        format!("http://{host}:{}", arguments.port)
    });
    let key = arguments
        .api_key
        .clone()
        .or_else(|| std::env::var("JARRAH_API_KEY").ok().filter(|key| !key.is_empty()));
    let lengths = lengths(arguments, || context(&url, key.as_deref(), arguments.model.as_deref()));
    let mut random = Random(arguments.seed);
    let prompts = match &arguments.dataset_path {
        None => (0..arguments.num_prompts).map(|_| drawn(arguments, lengths.0, &mut random)).collect(),
        Some(path) => {
            let all = dataset(path)?;
            (0..arguments.num_prompts).map(|i| all[i % all.len()].clone()).collect::<Vec<_>>()
        }
    };
    let requests = prompts.into_iter().map(|prompt| request(arguments, prompt, lengths.1, &mut random));
    let requests = requests.collect::<Result<_>>()?;
    // The time between arrivals that know nothing of each other is exponential; the first comes at once.
    let gap = |random: &mut Random| match arguments.request_rate.is_finite() {
        true => -random.uniform().ln() / arguments.request_rate,
        false => 0.0,
    };
    let gaps = (0..arguments.num_prompts).map(|i| if i == 0 { 0.0 } else { gap(&mut random) }).collect();
    let endpoint = arguments.endpoint.clone().unwrap_or_else(|| match arguments.backend {
        Spoken::Completions => "/v1/completions".to_owned(),
        Spoken::Chat => "/v1/chat/completions".to_owned(),
    });
    let load =
        Load { url: url.clone(), endpoint, key, requests, gaps, most_at_a_time: arguments.max_concurrency };
    let (mut progress, mut done, mut failed) = (Progress::new(arguments.num_prompts), 0, 0);
    progress.tell(0, 0);
    let (sent, seconds) = load.run_telling(|sent| {
        done += 1;
        failed += usize::from(sent.error.is_some());
        progress.tell(done, failed);
    })?;
    progress.clear();
    report(arguments, &url, &sent, seconds)
}

/// The tokens of prompts and of answers: those that are asked for, else the usual ones, or fewer where these do not fit into the server's `context`.
fn lengths(arguments: &BenchServe, context: impl FnOnce() -> Option<usize>) -> (usize, usize) {
    let wanted = (arguments.random_input_len, arguments.random_output_len);
    let all = (wanted.0.unwrap_or(USUAL.0), wanted.1.unwrap_or(USUAL.1));
    if wanted.0.is_some() && wanted.1.is_some() || arguments.dataset_path.is_some() && wanted.1.is_some() {
        return all;
    }
    // Lengths may be longer at random, and a word of a chat has up to five letters, each of which may be a token, and marks around it.
    let longer = 1.0 + arguments.random_range_ratio;
    let chat = if arguments.backend == Spoken::Chat { 8.0 } else { 1.0 };
    let Some(context) = context() else { return all };
    let room = (context as f64 / longer).floor();
    if all.0 as f64 * chat + all.1 as f64 <= room {
        return all;
    }
    let part = |share: f64| ((room * share / chat) as usize).max(1);
    let shorter = match wanted {
        (Some(input), _) => (input, ((room - input as f64 * chat) as usize).clamp(1, USUAL.1)),
        (None, Some(output)) => {
            ((((room - output as f64).max(0.0) / chat) as usize).clamp(1, USUAL.0), output)
        }
        (None, None) => (part(2.0 / 3.0).min(USUAL.0), ((room / 3.0) as usize).clamp(1, USUAL.1)),
    };
    note(&format!(
        "[the server's model has a context of {context} tokens: prompts of {} and answers of {}]",
        shorter.0, shorter.1
    ));
    shorter
}

/// The most tokens of a sequence, as the server says of its models.
fn context(url: &str, key: Option<&str>, model: Option<&str>) -> Option<usize> {
    // A server that cannot be reached is reported by the requests.
    let models = jarrah::openai::models(url, key).ok()?;
    let named = |card: &&Value| model.is_none_or(|model| card["id"] == model);
    let card = models["data"].as_array().into_iter().flatten().find(named);
    card.and_then(|card| card["max_model_len"].as_u64()).map(|n| n as usize)
}

/// The prompt of a request, and the most tokens of its answer if the data say it.
type Prompt = (Value, Option<usize>);

/// A prompt that has nothing in common with others: tokens, or, for a chat, words.
fn drawn(arguments: &BenchServe, length: usize, random: &mut Random) -> Prompt {
    let length = random.around(length, arguments.random_range_ratio);
    let prompt = match arguments.backend {
        Spoken::Completions => (0..length).map(|_| random.below(arguments.random_vocabulary)).collect(),
        Spoken::Chat => {
            let mut letters =
                || ["ba", "do", "ki", "lu", "ma", "ne", "pi", "ro", "su", "te"][random.below(10)];
            let words: Vec<String> = (0..length).map(|_| format!("{}{}", letters(), letters())).collect();
            words.join(" ").into()
        }
    };
    (prompt, None)
}

/// The prompts of a file: lines of JSON with `prompt`, `messages` or `text`, or a list of conversations as ShareGPT has them.
fn dataset(path: &Path) -> Result<Vec<Prompt>> {
    let wrong = |what: String| {
        Error::input(format!("{}: {what}", path.display()))
            .help(r#"write {"prompt": "...", "max_tokens": 64} or {"messages": [...]} in each line"#)
    };
    let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
    let entries: Vec<Value> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?,
        false => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let read = |(i, line): (usize, &str)| {
                serde_json::from_str(line).map_err(|e| wrong(format!("line {}: {e}", i + 1)))
            };
            lines.map(read).collect::<Result<_>>()?
        }
    };
    let prompt = |entry: &Value| {
        let found = ["prompt", "messages", "text"].iter().find_map(|name| entry.get(name));
        let found = found.or_else(|| entry["conversations"].get(0)?.get("value"))?;
        let length =
            ["max_tokens", "output_len", "output_tokens"].iter().find_map(|name| entry.get(name)?.as_u64());
        Some((found.clone(), length.map(|n| n as usize)))
    };
    let prompts: Vec<Prompt> = entries.iter().filter_map(prompt).collect();
    if prompts.is_empty() { Err(wrong("it has no prompts".to_owned())) } else { Ok(prompts) }
}

fn request(
    arguments: &BenchServe,
    (prompt, length): Prompt,
    answer: usize,
    random: &mut Random,
) -> Result<Value> {
    let drawn = random.around(answer, arguments.random_range_ratio);
    let mut request = json!({"max_tokens": length.unwrap_or(drawn), "temperature": arguments.temperature});
    match (arguments.backend, prompt.is_array() && prompt[0].is_object()) {
        (Spoken::Chat, true) => request["messages"] = prompt,
        (Spoken::Chat, false) => request["messages"] = json!([{"role": "user", "content": prompt}]),
        (Spoken::Completions, false) => request["prompt"] = prompt,
        (Spoken::Completions, true) => {
            return Err(Error::input("the file has messages").help("say --backend openai-chat"));
        }
    }
    if let Some(model) = &arguments.model {
        request["model"] = model.as_str().into();
    }
    // Other servers than vLLM refuse what they do not know.
    if arguments.ignore_eos || arguments.dataset_path.is_none() && !arguments.no_ignore_eos {
        request["ignore_eos"] = true.into();
    }
    Ok(request)
}

/// Adds the mean, median, deviation and percentiles of `times`, which are in seconds, to the result.
fn spread(name: &str, mut times: Vec<f64>, percentiles: &[f64], into: &mut Map<String, Value>) {
    times.sort_by(f64::total_cmp);
    let count = times.len().max(1) as f64;
    let mean = times.iter().sum::<f64>() / count;
    let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / count;
    let mut put =
        |what: String, seconds: f64| into.insert(format!("{what}_{name}_ms"), (seconds * 1e3).into());
    put("mean".to_owned(), mean);
    put("median".to_owned(), percentile(&times, 50.0));
    put("std".to_owned(), variance.sqrt());
    for p in percentiles {
        put(format!("p{p}"), percentile(&times, *p));
    }
}

/// The percentile of numbers in order, interpolated linearly.
fn percentile(sorted: &[f64], p: f64) -> f64 {
    let at = p / 100.0 * sorted.len().saturating_sub(1) as f64;
    let number = |i: usize| sorted.get(i).copied().unwrap_or(0.0);
    let (low, share) = (at.floor(), at.fract());
    number(low as usize) + share * (number(at.ceil() as usize) - number(low as usize))
}

fn report(arguments: &BenchServe, url: &str, sent: &[Sent], seconds: f64) -> Result<()> {
    let (good, bad): (Vec<&Sent>, Vec<&Sent>) = sent.iter().partition(|sent| sent.error.is_none());
    if let Some(first) = bad.first() {
        let why = first.error.as_deref().unwrap_or_default();
        let message = format!("{} of {} requests failed, the first: {why}", bad.len(), sent.len());
        if good.is_empty() {
            return Err(Error::environment(message).help(
                "--url or --host and --port say which server, --api-key its key, --model a name that it has, --random-vocabulary how many tokens that knows",
            ));
        }
        note(&format!("[{message}]"));
    }
    let sum = |of: fn(&Sent) -> usize| good.iter().map(|sent| of(sent)).sum::<usize>() as f64;
    let (input, output) = (sum(|sent| sent.prompt), sum(|sent| sent.tokens));
    let rate = arguments.request_rate;
    let mut result = Map::new();
    let date = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let head = json!({
        "date": date, "url": url, "model": arguments.model, "num_prompts": arguments.num_prompts,
        "request_rate": if rate.is_finite() { rate.into() } else { Value::from("inf") },
        "max_concurrency": arguments.max_concurrency, "duration": seconds, "completed": good.len(),
        "failed": bad.len(), "total_input_tokens": input as usize, "total_output_tokens": output as usize,
        "request_throughput": good.len() as f64 / seconds, "output_throughput": output / seconds,
        "total_token_throughput": (input + output) / seconds,
    });
    result.extend(head.as_object().cloned().unwrap_or_default());
    let further = good.iter().filter(|sent| sent.tokens > 1);
    let times = [
        ("ttft", good.iter().map(|sent| sent.first).collect()),
        ("tpot", further.map(|sent| (sent.whole - sent.first) / (sent.tokens - 1) as f64).collect()),
        ("itl", good.iter().flat_map(|sent| sent.between.iter().copied()).collect()),
        ("e2el", good.iter().map(|sent| sent.whole).collect()),
    ];
    for (name, times) in times {
        spread(name, times, &arguments.metric_percentiles, &mut result);
    }
    if let Some(path) = &arguments.result_filename {
        let text = format!("{:#}\n", Value::Object(result.clone()));
        jarrah_base::files::replace(path, text.as_bytes())?;
    }
    if arguments.json {
        return show(&format!("{}\n", Value::Object(result)));
    }
    let width = result.keys().map(String::len).max().unwrap_or(0);
    let line = |(name, value): (&String, &Value)| {
        let (value, unit) = match value {
            Value::Null => return String::new(),
            Value::Number(n) if name == "date" => (date_of(n.as_i64().unwrap_or(0)), ""),
            Value::Number(n) if n.is_f64() => (format!("{:.2}", n.as_f64().unwrap_or(0.0)), unit(name)),
            Value::String(text) => (text.clone(), unit(name)),
            value => (value.to_string(), unit(name)),
        };
        format!("{name:width$}  {value}{unit}\n")
    };
    show(&result.iter().map(line).collect::<String>())
}

/// A time, in seconds since 1970, for people.
fn date_of(seconds: i64) -> String {
    strftime("%F %T UTC", seconds).unwrap_or_default()
}

/// The unit of a number of the result, by its name.
fn unit(name: &str) -> &'static str {
    match name {
        "duration" => " s",
        "request_rate" | "request_throughput" => " requests/s",
        "output_throughput" | "total_token_throughput" => " tokens/s",
        "total_input_tokens" | "total_output_tokens" => " tokens",
        "num_prompts" | "max_concurrency" | "completed" | "failed" => " requests",
        _ if name.ends_with("_ms") => " ms",
        _ => "",
    }
}
