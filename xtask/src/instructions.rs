//! How many instructions a list of programs takes, counted by valgrind and compared with `bench/instructions.txt`.
//!
//! Times on a shared machine say little; instructions are the same from run to run. They are those of code for AVX2, which
//! valgrind knows, on one thread.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The share of instructions more than the list says that fails.
const MORE: f64 = 0.03;

/// Where the counts are kept.
const LIST: &str = "bench/instructions.txt";

/// The part of a program that counts.
const MEASURED: &str = "*measured_work*";

/// Counts, and compares or writes the list.
pub fn instructions(root: &Path, bless: bool) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind, which counts instructions, is not installed");
        return Ok(());
    }
    let path = root.join(LIST);
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let compiler = compiler()?;
    let (with, known) = parse(&known);
    if !bless && with != compiler {
        println!("skipped: {LIST} was made with {with}, this is {compiler}");
        return Ok(());
    }
    let program = build(root)?;
    let listed = run(Command::new(&program))?;
    let mut counts = Vec::new();
    for name in listed.lines() {
        let count = count(&program, name)?;
        println!("{}", line(name, count, known.get(name).copied()));
        counts.push((name.to_owned(), count));
    }
    if bless {
        return std::fs::write(&path, text(&compiler, &counts))
            .map_err(|e| format!("{}: {e}", path.display()));
    }
    let problems = problems(&counts, &known);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The version of the compiler, on which counts depend.
fn compiler() -> Result<String, String> {
    Ok(run(Command::new("rustc").args(["--version"]))?.trim().to_owned())
}

/// The example, with the features of the whole workspace: what its tests have built is not built again.
fn build(root: &Path) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let said = run(Command::new(cargo).current_dir(root).args([
        "build",
        "--quiet",
        "--workspace",
        "--example",
        "instructions",
        "--message-format=json-render-diagnostics",
    ]))?;
    let is_it =
        |line: &&str| line.contains("\"name\":\"instructions\"") && line.contains("\"executable\":\"");
    let line = said.lines().rfind(is_it).ok_or("cargo built no example instructions")?;
    let (_, rest) = line.split_once("\"executable\":\"").ok_or("cargo names no program")?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

/// What a command writes to its standard output; an error has what it writes to its standard error.
fn run(command: impl std::borrow::BorrowMut<Command>) -> Result<String, String> {
    let mut command = command;
    let output = command.borrow_mut().output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|e| e.to_string())
}

/// The instructions of one piece of work.
fn count(program: &str, name: &str) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={MEASURED}")).args([program, name]);
    let variables = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("JARRAH_"));
    for (name, _) in variables {
        command.env_remove(name);
    }
    command.envs([("JARRAH_CPU", "avx2"), ("JARRAH_THREADS", "1"), ("JARRAH_ASYNC", "0")]);
    let output = command.output().map_err(|e| format!("valgrind: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected
        .filter(|&count| count > 0 && output.status.success())
        .ok_or_else(|| format!("valgrind counted nothing of {name}:\n{said}"))
}

/// The compiler and the counts of a list.
fn parse(text: &str) -> (String, BTreeMap<String, u64>) {
    let with = text.lines().find_map(|line| line.strip_prefix("# counted with ")).unwrap_or("nothing");
    let row = |line: &str| {
        let (name, count) = line.split_once(' ')?;
        Some((name.to_owned(), count.trim().replace('_', "").parse().ok()?))
    };
    (with.to_owned(), text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect())
}

fn text(compiler: &str, counts: &[(String, u64)]) -> String {
    let rows: String = counts.iter().map(|(name, count)| format!("{name:<20} {count}\n")).collect();
    format!(
        "# Instructions of the programs in crates/testing/examples/instructions.rs: cargo xtask instructions --bless\n\
         # counted with {compiler}\n{rows}"
    )
}

/// What stands in the way: counts above those known, and work that is not listed, or no longer there.
fn problems(counts: &[(String, u64)], known: &BTreeMap<String, u64>) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, count) in counts {
        match known.get(name) {
            None => problems.push(format!("{name} is not in {LIST}: cargo xtask instructions --bless")),
            Some(before) if *count as f64 > *before as f64 * (1.0 + MORE) => {
                problems.push(format!(
                    "{name} takes more than {:.0} % more instructions: {before} before, {count} now",
                    MORE * 100.0
                ));
            }
            Some(_) => {}
        }
    }
    let gone = known.keys().filter(|name| counts.iter().all(|(here, _)| here != *name));
    problems.extend(gone.map(|name| format!("{name} is in {LIST}, and there is no such work")));
    problems
}

fn line(name: &str, count: u64, before: Option<u64>) -> String {
    match before {
        Some(before) => {
            let change = 100.0 * (count as f64 / before as f64 - 1.0);
            let again =
                if change < -100.0 * MORE { "  (fewer: bless the list, so that it stays so)" } else { "" };
            format!("{name:<20} {count:>15} {change:>+7.2} %{again}")
        }
        None => format!("{name:<20} {count:>15}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_compared_with_a_list() {
        let counts = |a: u64, b: u64| vec![("a".to_owned(), a), ("b".to_owned(), b)];
        let (with, known) = parse(&text("rustc 1.2.3", &counts(1000, 2000)));
        assert_eq!((with.as_str(), known.len()), ("rustc 1.2.3", 2));
        assert!(problems(&counts(1030, 100), &known).is_empty());
        assert!(problems(&counts(1031, 2000), &known)[0].starts_with("a takes more than 3 % more"));
        assert!(problems(&counts(1, 1)[..1], &known)[0].contains("there is no such work"));
        let (_, none) = parse("");
        assert_eq!(problems(&counts(1, 1), &none).len(), 2);
        assert!(line("a", 900, Some(1000)).contains("-10.00 %  (fewer"));
    }
}
