//! `jarrah run-batch`: the answers to a file of requests.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jarrah::http::{BatchAnswer, Local};
use jarrah::{Error, Result};
use jarrah_base::files::replace_with;
use serde_json::json;

use crate::cli::RunBatch;
use crate::output::{apart, note};
use crate::serve::engine;

pub fn run_batch(arguments: RunBatch) -> Result<()> {
    let needed = |path: Option<PathBuf>, what: &str| {
        path.ok_or_else(|| {
            Error::input(format!("no file of {what} is named")).help("jarrah run-batch IN.jsonl OUT.jsonl")
        })
    };
    let input = needed(arguments.input.or(arguments.input_file), "requests")?;
    let output = needed(arguments.output.or(arguments.output_file), "answers")?;
    apart(&input, &output)?;
    // It is read three times, and what is done is kept by what it holds.
    if std::fs::metadata(&input).is_ok_and(|found| !found.is_file()) {
        let error = format!("{} is no file that can be read again", input.display());
        return Err(Error::input(error).help("write the requests to a file first"));
    }
    let total = lines(&input)?.count();
    let hash = hash_of(&input)?;
    let mut partial = Partial::open(&output, &hash, &arguments.model)?;
    let before = partial.places.len();
    if before > 0 {
        note(&format!("[{before} of {total} are answered in {}: going on]", partial.path.display()));
    }
    if before < total {
        let (engine, options) = engine(&arguments.model, arguments.engine)?;
        let places = partial.places.clone();
        let mut broken = None;
        let rest = lines(&input)?.enumerate().filter(|(number, _)| !places.contains_key(number));
        let rest = rest.map_while(|(number, line)| match line {
            Ok(line) => Some((number, line)),
            Err(error) => {
                broken = Some(error);
                None
            }
        });
        let mut failed = 0;
        Local::new(engine.clone(), options)?.run_batch(rest, |number, answer| {
            failed += usize::from(!answer.is_good);
            partial.add(number, &answer)
        })?;
        engine.shut_down();
        if let Some(error) = broken {
            return Err(error);
        }
        let refused = if failed > 0 { format!(", of them {failed} with an error") } else { String::new() };
        note(&format!("[{} answered{refused}]", total - before));
    }
    partial.finish(&output)
}

/// The lines of a file that are not blank.
fn lines(path: &Path) -> Result<impl Iterator<Item = Result<String>> + Send + use<>> {
    let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
    let path = path.to_owned();
    // What is no text is one request that is none, and no reason to answer no other.
    let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|_| "bytes that are not UTF-8".to_owned());
    let lines = BufReader::new(file).split(b'\n');
    let lines = lines.map(move |line| line.map(text).map_err(|e| Error::io("read", &path, &e)));
    Ok(lines.filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty())))
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

/// The answers that there are, in the order in which they came: a line that says of what, then lines of a number, a space and the answer.
struct Partial {
    path: PathBuf,
    file: File,
    /// Where the answer to each request is, and its bytes.
    places: HashMap<usize, (u64, usize)>,
    end: u64,
}

impl Partial {
    /// What is there of an earlier time, or nothing.
    fn open(output: &Path, hash: &str, model: &Path) -> Result<Partial> {
        let mut name = output.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let failed = |e| Error::io("write", &path, &e);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let head = format!("{}\n", json!({"requests": hash, "model": model.display().to_string()}));
        let (mut places, mut end) = (HashMap::new(), 0);
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(|e| Error::io("read", &path, &e))?;
            // What was written when the program ended may be cut short.
            if line.last() != Some(&b'\n') {
                break;
            }
            if end == 0 {
                if line != head.as_bytes() {
                    let message =
                        format!("{} has answers to other requests, or of another model", path.display());
                    return Err(Error::input(message).help("remove it to begin anew, or name another output"));
                }
            } else {
                let text = String::from_utf8_lossy(&line);
                let (number, answer) = text.split_once(' ').unwrap_or_default();
                let Ok(number) = number.parse() else { break };
                places.insert(number, (end + (line.len() - answer.len()) as u64, answer.len()));
            }
            end += line.len() as u64;
        }
        drop(reader);
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        let mut partial = Partial { path: path.clone(), file, places, end };
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
        let line = format!("{number} {}\n", answer.line);
        let length = answer.line.len() + 1;
        self.write(line.as_bytes())?;
        self.places.insert(number, (self.end - length as u64, length));
        Ok(())
    }

    /// Writes all answers in the order of their requests, as a whole, and removes this.
    fn finish(mut self, output: &Path) -> Result<()> {
        let mut order: Vec<(usize, (u64, usize))> = self.places.drain().collect();
        order.sort_unstable();
        replace_with(output, &mut |out| {
            let mut answer = Vec::new();
            for (_, (at, length)) in &order {
                answer.resize(*length, 0);
                self.file.seek(SeekFrom::Start(*at))?;
                self.file.read_exact(&mut answer)?;
                out.write_all(&answer)?;
            }
            Ok(())
        })?;
        std::fs::remove_file(&self.path).map_err(|e| Error::io("remove", &self.path, &e))
    }
}
