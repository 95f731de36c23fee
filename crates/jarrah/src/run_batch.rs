//! `jarrah run-batch`: the answers to a file of requests.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use jarrah::openai::{BatchAnswer, Local};
use jarrah::run::{is_run, resolve};
use jarrah::{Error, Result};
use jarrah_base::files::replace_with;
use serde_json::{Value, json};

use crate::cli::{EngineArguments, OrAuto, RunBatch};
use crate::output::{Progress, apart, note};
use crate::serve::engine;
use crate::source::say_plain;

pub fn run_batch(arguments: RunBatch) -> Result<()> {
    let needed = |path: Option<PathBuf>, what: &str| {
        path.ok_or_else(|| {
            Error::input(format!("no file of {what} is named")).help("jarrah run-batch IN.jsonl OUT.jsonl")
        })
    };
    let input = needed(arguments.input.or(arguments.input_file), "requests")?;
    let output = needed(arguments.output.or(arguments.output_file), "answers")?;
    apart(&input, &output)?;
    // The input is read three times, and finished answers are kept by its content.
    if input == Path::new("-") || std::fs::metadata(&input).is_ok_and(|found| !found.is_file()) {
        let error = format!("{} is no file that can be read again", input.display());
        return Err(Error::input(error).help("write the requests to a file first"));
    }
    if output.is_dir() {
        let help = format!("name a file in it: {}", output.join("answers.jsonl").display());
        return Err(Error::input(format!("{} is a folder, no file of answers", output.display())).help(help));
    }
    let total = lines(&input)?.count();
    let hash = hash_of(&input)?;
    let made = made_by(&arguments.model, &arguments.engine)?;
    let mut partial = Partial::open(&output, &json!({"requests": hash, "by": made}))?;
    let before = partial.places.len();
    if before > 0 {
        note(&format!("[{before} of {total} are answered in {}: going on]", partial.path.display()));
    }
    if before < total {
        let (engine, options, is_plain) = engine(&arguments.model, arguments.engine, false)?;
        if is_plain {
            say_plain(&arguments.model);
        }
        let places = partial.places.clone();
        let mut broken = None;
        let rest = lines(&input)?.filter(|(number, _)| !places.contains_key(number));
        let rest = rest.map_while(|(number, line)| match line {
            Ok(line) => Some((number, line)),
            Err(error) => {
                broken = Some(error);
                None
            }
        });
        let (mut done, mut failed) = (0, 0);
        let mut progress = Progress::new(total - before);
        progress.tell(0, 0);
        let answered = Local::new(engine.clone(), options)?.run_batch(rest, |number, answer| {
            done += 1;
            failed += usize::from(!answer.is_good);
            progress.tell(done, failed);
            partial.add(number, &answer)
        });
        engine.shut_down();
        let refused = if failed > 0 { format!(", of them {failed} with an error") } else { String::new() };
        progress.end(&format!("[{done} answered{refused}]"));
        answered?;
        if let Some(error) = broken {
            return Err(error);
        }
    }
    let has_good = partial.has_good;
    let first = partial.finish(&output)?;
    if has_good || total == 0 {
        return Ok(());
    }
    let message = format!("all of the {total} requests failed, the first: {}", failure(&first));
    Err(Error::environment(message).help(format!("{} says of each why", output.display())))
}

/// Whether an answer, a line of JSON, is what was asked for.
fn is_good(line: &[u8]) -> bool {
    let answer: Value = serde_json::from_slice(line).unwrap_or_default();
    answer["response"]["status_code"] == 200
}

/// Why a request failed, as its answer says.
fn failure(line: &[u8]) -> String {
    let answer: Value = serde_json::from_slice(line).unwrap_or_default();
    let said = [&answer["response"]["body"]["error"]["message"], &answer["error"]["message"]];
    said.into_iter().find_map(Value::as_str).unwrap_or("its answer does not say why").to_owned()
}

/// Whether the open file is still the file at the path: the process that held it before may have finished, and removed it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place =
            |found: std::io::Result<std::fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
        let own = place(file.metadata());
        own.is_some() && own == place(std::fs::metadata(path))
    }
    #[cfg(not(unix))]
    {
        file.metadata().is_ok() && path.exists()
    }
}

/// The checksum of an answer's line, by which a line that was cut short or changed is recognized.
fn mark(number: usize, answer: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(number as u64).to_le_bytes()).update(answer);
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The number of a line of an answer that is as it was written, and its bytes before the answer.
fn answered(line: &[u8]) -> Option<(usize, usize)> {
    let mut words = line.splitn(3, |byte| *byte == b' ');
    let mut word = || words.next();
    let (number, of_answer, answer) = (word()?, word()?, word()?);
    let number: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
    (mark(number, answer).as_bytes() == of_answer).then_some((number, line.len() - answer.len()))
}

/// The first difference between the batch whose answers `other` describes and the batch `made`, which is asked for now, in
/// words for an error message.
fn difference(other: &Value, made: &Value) -> String {
    if other["requests"] != made["requests"] {
        return "to other requests".to_owned();
    }
    let flags = made["by"].as_object().into_iter().flatten();
    let flags: Vec<&str> =
        flags.filter(|(name, value)| other["by"][*name] != **value).map(|(name, _)| name.as_str()).collect();
    match flags.contains(&"model") {
        true => "of another model, or its files have changed".to_owned(),
        false if flags.is_empty() => "of another version".to_owned(),
        false => format!("that were made with another {}", flags.join(", ")),
    }
}

/// The lines of a file that are not blank, each with its place among all, from 0 on.
fn lines(path: &Path) -> Result<impl Iterator<Item = (usize, Result<String>)> + Send + use<>> {
    let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
    let path = path.to_owned();
    // A line that is not UTF-8 is one wrong request; the other lines are answered all the same.
    let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|_| "bytes that are not UTF-8".to_owned());
    let lines = BufReader::new(file).split(b'\n');
    let lines = lines.map(move |line| line.map(text).map_err(|e| Error::io("read", &path, &e)));
    Ok(lines.enumerate().filter(|(_, line)| line.as_ref().map_or(true, |line| !line.trim().is_empty())))
}

fn hash_of(path: &Path) -> Result<String> {
    let failed = |e| Error::io("read", path, &e);
    let (mut file, mut hasher) = (File::open(path).map_err(failed)?, blake3::Hasher::new());
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part).map_err(failed)? {
            0 => return Ok(hasher.finalize().to_hex().to_string()),
            read => hasher.update(&part[..read]),
        };
    }
}

/// The model and the flags that determine the answers.
fn made_by(path: &Path, arguments: &EngineArguments) -> Result<Value> {
    let EngineArguments {
        adapter,
        step,
        served_model_name,
        dtype,
        quantize,
        quantization,
        max_model_len,
        kv_cache_dtype,
        lora_modules,
        tool_call_parser,
        reasoning_parser,
        pooling,
        seed,
        chat_template,
        default_chat_template_kwargs,
        generation_config,
        override_generation_config,
        max_logprobs,
        // An answer is the same however many are made with it, and where.
        max_num_seqs: _,
        max_num_batched_tokens: _,
        max_num_queued_reqs: _,
        kv_cache_memory_bytes: _,
        block_size: _,
        no_enable_prefix_caching: _,
        enable_lora: _,
        max_loras: _,
        max_lora_rank: _,
        draft: _,
        speculative_config: _,
        enable_auto_tool_choice: _,
        no_warm_up: _,
        weights_cache_bytes: _,
        kv_offload: _,
        kv_offload_bytes: _,
        threads: _,
    } = arguments;
    let module = |(name, path): &(String, PathBuf)| Ok(json!([name, weights(path, None)?]));
    let modules = lora_modules.iter().map(module).collect::<Result<Vec<Value>>>()?;
    let dtype_of = |dtype: &OrAuto| dtype.0.map(|dtype| dtype.to_string());
    Ok(json!({
        "model": weights(path, *step)?,
        "--step": step,
        "--adapter": adapter.as_ref().map(|path| weights(path, None)).transpose()?,
        "--served-model-name": served_model_name,
        "--dtype": dtype_of(dtype),
        "--quantize": quantize.as_ref().map(ToString::to_string),
        "--quantization": quantization,
        "--max-model-len": max_model_len.0,
        "--kv-cache-dtype": dtype_of(kv_cache_dtype),
        "--lora-modules": modules,
        "--tool-call-parser": tool_call_parser,
        "--reasoning-parser": reasoning_parser,
        "--pooling": pooling.map(|pooling| pooling as u8),
        "--seed": seed,
        "--chat-template": chat_template.as_deref().map(hash_of).transpose()?,
        "--default-chat-template-kwargs": default_chat_template_kwargs,
        "--generation-config": *generation_config as u8,
        "--override-generation-config": override_generation_config,
        "--max-logprobs": max_logprobs,
    }))
}

/// A description that differs if the weights at a path do: the sizes of the files, and when they were written.
fn weights(path: &Path, step: Option<u64>) -> Result<Value> {
    let failed = |e| Error::io("read", path, &e);
    // A missing file is reported where the model is loaded.
    if !path.exists() {
        return Ok(Value::Null);
    }
    let (real, mut files) = if is_run(path) {
        let checkpoint = jarrah::run::checkpoint(path, step)?;
        (resolve(path)?, vec![checkpoint.path().to_owned()])
    } else if path.is_file() {
        (path.canonicalize().map_err(failed)?, vec![path.to_owned()])
    } else {
        let entries = std::fs::read_dir(path).map_err(failed)?;
        let entries: Vec<_> = entries.collect::<std::io::Result<_>>().map_err(failed)?;
        let kinds = ["safetensors", "json", "gguf", "model", "txt", "jinja"];
        let is_read =
            |path: &PathBuf| path.extension().is_some_and(|end| kinds.iter().any(|kind| end == *kind));
        let files = entries.into_iter().map(|entry| entry.path()).filter(is_read).collect();
        (path.canonicalize().map_err(failed)?, files)
    };
    files.sort();
    let mut told = Vec::new();
    for file in files {
        let found = std::fs::metadata(&file).map_err(|e| Error::io("read", &file, &e))?;
        let written = found.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let written = written.map(|at| at.as_nanos().to_string());
        told.push(json!([file.file_name().map(|name| name.to_string_lossy()), found.len(), written]));
    }
    let told = blake3::hash(Value::from(told).to_string().as_bytes()).to_hex().to_string();
    Ok(json!({"at": real.display().to_string(), "files": told}))
}

/// The answers that there are, in the order in which they came: a line that says of what, then lines of a number, its [`mark`] and the answer, with spaces between.
struct Partial {
    path: PathBuf,
    file: File,
    /// Where the answer to each request is, and its bytes.
    places: HashMap<usize, (u64, usize)>,
    end: u64,
    /// Whether one of them is what was asked for.
    has_good: bool,
}

impl Partial {
    /// Opens the answers of an earlier run that ended early, or an empty file, and locks it against other processes. A line
    /// whose checksum is wrong is no answer.
    fn open(output: &Path, made: &Value) -> Result<Partial> {
        let mut name = output.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let failed = |e| Error::io("write", &path, &e);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        let locked = match file.try_lock() {
            Ok(()) => is_at(&file, &path),
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(e)) => return Err(Error::io("lock", &path, &e)),
        };
        if !locked {
            let message = format!("another process writes answers to {}", path.display());
            return Err(Error::input(message).help("wait for its end, or name another output"));
        }
        let head = format!("{made}\n");
        let (mut places, mut end, mut other, mut has_good) = (HashMap::new(), 0, None, false);
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(|e| Error::io("read", &path, &e))?;
            // The last line may be cut short: the program may have ended while it was written.
            let is_whole = line.last() == Some(&b'\n');
            if end == 0 && !line.is_empty() {
                let begun: Value = serde_json::from_slice(&line).unwrap_or_default();
                let is_ours = begun["requests"].is_string() && begun["by"].is_object();
                if !is_ours && (is_whole || !line.starts_with(&head.as_bytes()[..8.min(line.len())])) {
                    let message = format!("{} holds no answers of a batch", path.display());
                    return Err(Error::input(message).help("move it away, or name another output"));
                }
                other = (begun != *made).then_some(begun);
            }
            if !is_whole {
                break;
            }
            if end > 0
                && let Some((number, before)) = answered(&line)
            {
                if let Some(other) = &other {
                    let message = format!("{} has answers {}", path.display(), difference(other, made));
                    return Err(Error::input(message).help(
                        "say what was said before to go on, remove it to begin anew, or name another output",
                    ));
                }
                has_good = has_good || is_good(&line[before..]);
                places.insert(number, (end + before as u64, line.len() - before));
            }
            end += line.len() as u64;
        }
        drop(reader);
        // Without an answer it says nothing.
        end = if other.is_some() { 0 } else { end };
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        let mut partial = Partial { path: path.clone(), file, places, end, has_good };
        if end == 0 {
            partial.write(head.as_bytes())?;
        }
        Ok(partial)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|e| Error::io("write", &self.path, &e))?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    fn add(&mut self, number: usize, answer: &BatchAnswer) -> Result<()> {
        let text = format!("{}\n", answer.line);
        let length = text.len();
        self.write(format!("{number} {} {text}", mark(number, text.as_bytes())).as_bytes())?;
        self.places.insert(number, (self.end - length as u64, length));
        self.has_good |= answer.is_good;
        Ok(())
    }

    /// Writes all answers in the order of their requests, as a whole, and removes this; returns the first one.
    fn finish(mut self, output: &Path) -> Result<Vec<u8>> {
        let mut order: Vec<(usize, (u64, usize))> = self.places.drain().collect();
        order.sort_unstable();
        let mut first = Vec::new();
        replace_with(output, &mut |out| {
            let mut answer = Vec::new();
            for (_, (at, length)) in &order {
                answer.resize(*length, 0);
                self.file.seek(SeekFrom::Start(*at))?;
                self.file.read_exact(&mut answer)?;
                out.write_all(&answer)?;
                if first.is_empty() {
                    first.clone_from(&answer);
                }
            }
            Ok(())
        })?;
        std::fs::remove_file(&self.path).map_err(|e| Error::io("remove", &self.path, &e))?;
        Ok(first)
    }
}
