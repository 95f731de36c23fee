//! `jarrah dashboard`: training runs, for people to look at.

use std::fs;
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use jarrah::checkpoint::Lock;
use jarrah::http::{Address, CurveWindow, Runs, Server};
use jarrah::run::names::{MODEL, RECIPE};
use jarrah::run::{is_run, resolve};
use jarrah::train::TrainerOptions;
use jarrah::train::metrics::{Curve, Curves, Recorder, Samples};
use jarrah::train::recipe::{Recipe, RecipeKey, Settings};
use jarrah::{Error, Result};
use serde_json::{Map, Value, json};

use crate::cli::Dashboard;
use crate::output::show;
use crate::serve::stop_on_signals;

/// A run whose metrics have not changed for so long is not running, unless a process holds its folder; nor is one whose process has given it back.
const QUIET: Duration = Duration::from_secs(120);
/// The most texts of a run that are shown, the newest.
const MOST_TEXTS: usize = 200;
/// The most bytes of a text that are shown.
const MOST_BYTES: usize = 1 << 16;

pub fn dashboard(arguments: Dashboard) -> Result<()> {
    if let Some(missing) = arguments.runs.iter().find(|path| !path.exists()) {
        return Err(Error::input(format!("there is no {}", missing.display()))
            .help("name runs, or folders that have runs, such as runs/"));
    }
    let (host, port) = (arguments.host.as_str(), arguments.port);
    let wrong = || {
        Error::input(format!("--host is {host}, which is no address"))
            .help("write 127.0.0.1 for this machine alone, or 0.0.0.0 for others too")
    };
    let found = (host, port).to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or_else(wrong)?;
    let board = Board { given: arguments.runs, known: Mutex::default() };
    let server = Server::dashboard(Arc::new(board), Address::Tcp(found.ip(), port), arguments.allowed_hosts)?;
    stop_on_signals(server.stopper(), || {})?;
    show(&format!("dashboard at {}\n", server.address()))?;
    server.run()
}

/// The runs that were given, and those in folders that were.
struct Board {
    given: Vec<PathBuf>,
    /// All runs that were seen, by their numbers.
    known: Mutex<Vec<Arc<Run>>>,
}

struct Run {
    path: PathBuf,
    curves: Mutex<Curves>,
}

impl Board {
    /// The runs that are there now, with their numbers.
    fn runs(&self) -> Vec<(usize, Arc<Run>)> {
        let mut paths = Vec::new();
        for given in &self.given {
            match is_run(given) {
                true => paths.push(resolve(given).unwrap_or_else(|_| given.clone())),
                false => paths.extend(runs_in(given)),
            }
        }
        let mut known = held(&self.known);
        let mut found = Vec::new();
        for path in paths {
            let id = known.iter().position(|run| run.path == path).unwrap_or_else(|| {
                let curves = Mutex::new(Curves::new(&path.join(Recorder::LINES)));
                known.push(Arc::new(Run { path, curves }));
                known.len() - 1
            });
            if !found.iter().any(|(other, _)| *other == id) {
                found.push((id, known[id].clone()));
            }
        }
        found
    }

    fn run(&self, id: usize) -> Option<Arc<Run>> {
        held(&self.known).get(id).cloned()
    }
}

/// The runs in a folder, in the order of their numbers, then of their names.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // A link, such as the one to the latest run, names a run that is there anyway.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut runs: Vec<PathBuf> = folders.map(|entry| entry.path()).filter(|path| is_run(path)).collect();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u64>().ok();
    runs.sort_by_key(|path| (number(path).unwrap_or(u64::MAX), path.clone()));
    runs
}

/// Locks a mutex. A thread that panicked while it held the lock leaves the data that were read so far.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runs for Board {
    fn list(&self) -> Value {
        self.runs().into_iter().map(|(id, run)| run.summary(id)).collect()
    }

    fn curves(&self, run: usize, window: CurveWindow) -> Option<Value> {
        let run = self.run(run)?;
        let curves = held(&run.curves);
        let drawn: Vec<Value> = curves.all().iter().map(|curve| drawn(curve, window)).collect();
        Some(json!({"version": curves.version(), "curves": drawn}))
    }

    fn details(&self, run: usize) -> Option<Value> {
        Some(self.run(run)?.details())
    }
}

/// A curve within a window. JSON has no infinities and no NaN: they are `null`.
fn drawn(curve: &Curve, window: CurveWindow) -> Value {
    let bins = curve.thin(window.from, window.to, window.points);
    let column = |pick: fn(&jarrah::train::metrics::Bin) -> f64| bins.iter().map(pick).collect::<Vec<f64>>();
    let is_thinned = bins.iter().any(|bin| bin.min < bin.max);
    let mut drawn = json!({
        "name": curve.name(), "count": curve.len(),
        "steps": bins.iter().map(|bin| bin.step).collect::<Vec<u64>>(),
        "mean": column(|bin| bin.mean),
    });
    if is_thinned {
        drawn["min"] = column(|bin| bin.min).into();
        drawn["max"] = column(|bin| bin.max).into();
    }
    let lost: Vec<u64> = bins.iter().filter(|bin| bin.lost > 0).map(|bin| bin.step).collect();
    if !lost.is_empty() {
        drawn["lost"] = lost.into();
    }
    drawn
}

impl Run {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The number of steps of the run, and the keys of its recipe, or of the options of a trainer of another program.
    fn settings(&self) -> Result<(u64, Vec<RecipeKey>)> {
        Recipe::of_run(&self.path, &[]).map(|recipe| (recipe.steps, recipe.keys())).or_else(|error| {
            let options = TrainerOptions::from_file(&self.path.join(RECIPE), &[]).map_err(|_| error)?;
            Ok((options.steps, options.keys()))
        })
    }

    /// How far the run is. Its curves are brought up to date.
    fn summary(&self, id: usize) -> Value {
        let mut curves = held(&self.curves);
        let problem = curves.refresh().err().map(|e| e.to_string());
        let settings = self.settings();
        let steps = settings.as_ref().ok().map(|(steps, _)| *steps);
        let last: Map<String, Value> = curves
            .all()
            .iter()
            .filter_map(|curve| Some((curve.name().to_owned(), curve.last()?.1.into())))
            .collect();
        let step = curves.all().iter().filter_map(|curve| Some(curve.last()?.0)).max();
        let best = curves.get("val_loss").and_then(Curve::least);
        let times = curves.get(Recorder::TIME);
        let quiet = self.quiet();
        let state = match (step, steps) {
            (Some(step), Some(steps)) if step >= steps => "complete",
            _ if Lock::is_held(&self.path) => "running",
            _ if quiet.is_some_and(|quiet| quiet < QUIET) && !self.is_given_back() => "running",
            (None, _) => "empty",
            _ => "stopped",
        };
        json!({
            "id": id, "name": self.name(), "version": curves.version(), "state": state,
            "step": step, "steps": steps, "last": last,
            "best": best.map(|(step, loss)| json!({"step": step, "val_loss": loss})),
            "begun": times.and_then(Curve::first).map(|(_, time)| time),
            "quiet": quiet.map(|quiet| quiet.as_secs()),
            "malformed": curves.malformed(),
            "problem": problem.or(settings.err().map(|e| e.to_string())),
        })
    }

    /// Whether a process held the folder and has given it back, as each does that ends by itself.
    fn is_given_back(&self) -> bool {
        fs::metadata(self.path.join(Lock::FILE)).is_ok_and(|file| file.len() == 0)
    }

    /// How long nothing was measured.
    fn quiet(&self) -> Option<Duration> {
        let changed = fs::metadata(self.path.join(Recorder::LINES)).and_then(|file| file.modified()).ok()?;
        Some(SystemTime::now().duration_since(changed).unwrap_or_default())
    }

    fn details(&self) -> Value {
        let mut problems = Vec::new();
        let mut settings: Vec<Value> = Vec::new();
        match self.settings() {
            Ok((_, keys)) => settings.extend(keys.into_iter().filter(|key| !key.is_section).map(
                |key| json!({"name": key.name, "value": key.value.unwrap_or_default(), "doc": key.doc}),
            )),
            Err(error) => problems.push(error.to_string()),
        }
        let mut model = Vec::new();
        match fs::read(self.path.join(MODEL)).map(|bytes| serde_json::from_slice::<Value>(&bytes)) {
            Ok(Ok(json)) => flatten("", &json, &mut model),
            Ok(Err(error)) => problems.push(format!("{MODEL} is damaged: {error}")),
            // It is written once the tokenizer is known.
            Err(_) => {}
        }
        let mut texts = Samples::new(&self.path).read().unwrap_or_else(|error| {
            problems.push(error.to_string());
            Vec::new()
        });
        texts.drain(..texts.len().saturating_sub(MOST_TEXTS));
        let texts: Vec<Value> = texts
            .iter()
            .rev()
            .map(|text| json!({"step": text.step, "prompt": begin(&text.prompt), "text": begin(&text.text)}))
            .collect();
        json!({"name": self.name(), "settings": settings, "model": model, "texts": texts, "problems": problems})
    }
}

/// The beginning of a text, as far as it is shown.
fn begin(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_BYTES)]
}

/// The values within a value of JSON, by their paths.
fn flatten(path: &str, value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, into);
            }
        }
        value => into.push(json!({"name": path, "value": value.to_string()})),
    }
}
