use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder to work in, with some text.
pub struct Place {
    dir: tempfile::TempDir,
}

/// What a command did.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// A run that takes a moment on any machine, with dropout so that random numbers matter.
pub const TINY: &str = "batch = 2\nsteps = 12\n[tokenizer]\nvocab_size = 300\n[model]\nlayers = 1\nwidth = 8\nheads = 2\n\
                        context = 8\ndropout = 0.1\n[eval]\nevery = 5\nbatches = 2\n[checkpoint]\nevery = 4\n[log]\n\
                        every = 1\n[sample]\ntokens = 4\n";

/// Numbers without order from a seed.
pub struct Noise(pub u64);

impl Noise {
    /// Evenly between 0 and `most`.
    pub fn below(&mut self, most: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        most.mul_f64((self.0 >> 11) as f64 / (1u64 << 53) as f64)
    }
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("text")).unwrap();
        for i in 0..30 {
            let lines: String =
                (0..20).map(|j| format!("line {j} of file {i} says {}\n", (i * j) % 7)).collect();
            fs::write(dir.path().join(format!("text/{i:02}.txt")), lines).unwrap();
        }
        fs::write(dir.path().join("tiny.toml"), TINY).unwrap();
        Place { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The command with these arguments, split at spaces, in this folder.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jarrah"));
        command.args(arguments.split_whitespace()).current_dir(self.dir.path()).stdin(Stdio::null());
        // As outside of cargo.
        command.env_remove("CARGO_MANIFEST_DIR");
        command
    }

    pub fn jarrah(&self, arguments: &str) -> Done {
        self.command(arguments).output().unwrap().into()
    }

    /// The same, which must go well.
    pub fn good(&self, arguments: &str) -> String {
        let done = self.jarrah(arguments);
        assert_eq!(done.code, Some(0), "{arguments}: {done:?}");
        done.out
    }

    /// The same, which must end with exit code 2 and a message that begins so, and without a panic.
    pub fn refused(&self, arguments: &str, message: &str) -> String {
        let done = self.jarrah(arguments);
        done.is_refused(message);
        done.err
    }

    pub fn result(&self, run: &str) -> (Vec<String>, String) {
        (losses(&self.path(run)), self.good(&format!("checkpoint hash {run}")))
    }
}

impl Done {
    pub fn is_refused(&self, message: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.starts_with(&format!("error: {message}")), "{self:?}");
        assert!(!self.err.contains("panicked") && !self.err.contains("stack backtrace"), "{self:?}");
    }
}

/// A terminal: what programs write to it is read at the other end.
pub fn terminal() -> (fs::File, fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let end = fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (screen.into(), end)
}

/// What is shown on a terminal until no program has it any more.
pub fn shown(mut screen: fs::File) -> String {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    // The end is an error of the device on some systems.
    while let Ok(read @ 1..) = screen.read(&mut part) {
        bytes.extend(&part[..read]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The lines of a run's metrics without speeds and times.
fn losses(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let before = |line: &str, name: &str| line.split(&format!(",\"{name}\"")).next().unwrap().to_owned();
    text.lines().map(|line| before(&before(line, "tokens_per_second"), "time")).collect()
}
