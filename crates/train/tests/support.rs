use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jarrah_base::Result;
use jarrah_checkpoint::latest;
use jarrah_train::metrics::{JsonLines, Recorder};
use jarrah_train::recipe::{Recipe, Settings};
use jarrah_train::{Console, Outcome, RunStart, Stop, train};

/// A folder with text, and place for runs.
pub struct Place {
    pub dir: tempfile::TempDir,
}

pub const STEPS: u64 = 12;

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("text")).unwrap();
        for i in 0..30 {
            let lines: String =
                (0..20).map(|j| format!("line {j} of file {i} says {}\n", (i * j) % 7)).collect();
            fs::write(dir.path().join(format!("text/{i:02}.txt")), lines).unwrap();
        }
        Place { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The recipe of a run small enough for any machine, with dropout so that random numbers matter.
    pub fn recipe(&self, out: &str, overrides: &[&str]) -> Recipe {
        let text = "batch = 2\nsteps = 12\n[tokenizer]\nvocab_size = 300\n[model]\nlayers = 1\nwidth = 8\n\
                    heads = 2\ncontext = 8\ndropout = 0.1\n[eval]\nevery = 5\nbatches = 2\n[checkpoint]\n\
                    every = 4\n[log]\nevery = 1\n[sample]\ntokens = 0\n";
        let mut recipe = Recipe::from_toml(text, "tiny.toml", overrides).unwrap();
        recipe.out = Some(self.path(out).display().to_string());
        recipe.data.paths = vec![self.path("text").display().to_string()];
        recipe
    }

    /// Trains a new run to its end.
    pub fn whole(&self, out: &str, overrides: &[&str]) -> PathBuf {
        let start = RunStart::New(Box::new(self.recipe(out, overrides)));
        train(start, &Stop::default(), &mut Console::silent()).unwrap().run
    }
}

pub fn resume(run: &Path, overrides: &[&str]) -> RunStart {
    RunStart::Resume {
        run: run.to_owned(),
        overrides: overrides.iter().map(|&o| o.to_owned()).collect(),
        step: None,
    }
}

/// Trains, and asks it to stop once it shows `line`; gives what it showed, too.
pub fn until(start: RunStart, line: &str) -> (Result<Outcome>, String) {
    let stop = Arc::new(Stop::default());
    let watch = Watch { line: line.to_owned(), stop: stop.clone(), seen: Arc::default() };
    let seen = watch.seen.clone();
    let outcome = train(start, &stop, &mut Console::to(watch));
    let seen = String::from_utf8(seen.lock().unwrap().clone()).unwrap();
    (outcome, seen)
}

struct Watch {
    line: String,
    stop: Arc<Stop>,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Write for Watch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut seen = self.seen.lock().unwrap();
        seen.extend_from_slice(bytes);
        if String::from_utf8_lossy(&seen).contains(&self.line) {
            self.stop.ask();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All that must not depend on interruptions: every metric but speeds, times and memory, and the hash of the last checkpoint.
pub fn result(run: &Path) -> (Vec<String>, String) {
    let lines = JsonLines::read(&run.join(Recorder::LINES)).unwrap();
    let of_machine =
        |name: &str| name.ends_with("_per_second") || ["goodput", "memory", "time"].contains(&name);
    let show = |line: &jarrah_train::metrics::Line| {
        let values = line.values.iter().filter(|(name, _)| !of_machine(name));
        format!("{} {:?}", line.step, values.collect::<Vec<_>>())
    };
    (lines.iter().map(show).collect(), latest(&run.join("checkpoints")).unwrap().hash().unwrap())
}
