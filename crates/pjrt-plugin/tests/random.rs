//! Random numbers, how many a test is to draw, and tests that have a process to themselves.

use std::process::Command;

/// Random numbers: xorshift64.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// The number in the variable `name` of the environment, or `usual`.
pub fn asked(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Runs `test`, which is the whole of the test `name`, in a process that runs no other: the memory that the process holds is
/// that of this test, and a crash is a failure that shows what was printed before.
pub fn alone(name: &str, test: fn()) {
    const ALONE: &str = "JARRAH_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let mut child = Command::new(std::env::current_exe().expect("a path"));
    let done = child.args(["--exact", name, "--nocapture"]).env(ALONE, "1").output().expect("a process");
    let said = [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    let ends = said.each_ref().map(|said| &said[said.floor_char_boundary(said.len().saturating_sub(6000))..]);
    assert!(
        done.status.success() && said[0].contains("1 passed"),
        "{}: {}\n{}",
        done.status,
        ends[0],
        ends[1]
    );
    println!("{}", ends[0]);
}
