//! How many instructions a list of programs takes, counted by valgrind and compared with `bench/instructions.txt`; of some also how many times the
//! instructions of another one, which may be no more than the program says.
//!
//! Times on a shared machine say little; instructions are the same from run to run. They are those of code for AVX2, which
//! valgrind knows, on one thread.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    let program = build(root)?;
    let called = called_intrinsics(&program)?;
    let listed = run(Command::new(&program))?.lines().map(Ratio::parse).collect::<Result<Vec<_>, _>>()?;
    let counts = counts(&program, &listed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    let mut work = Vec::new();
    for ((name, than), count) in listed.into_iter().zip(counts) {
        let count = count?;
        println!("{}", self::line(&name, count, known.get(&name).copied()));
        work.push(Work { name, count, than });
    }
    work.iter().filter_map(|one| one.ratio(&work)).for_each(|ratio| println!("{ratio}"));
    let mut problems = too_many_times(&work);
    problems.extend(called.iter().map(|function| {
        format!("{function} calls an intrinsic, which is not inlined: its code, or a closure in it, lacks #[target_feature]")
    }));
    if bless && problems.is_empty() {
        return std::fs::write(&path, text(&compiler, &work)).map_err(|e| format!("{}: {e}", path.display()));
    }
    if with == compiler {
        problems.extend(self::problems(&work, &known));
    } else {
        println!("counts are not compared: {LIST} was made with {with}, this is {compiler}");
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The functions of a program that call what should be one instruction.
fn called_intrinsics(program: &str) -> Result<BTreeSet<String>, String> {
    let mut command = Command::new("objdump");
    command.args(["--disassemble", "--no-show-raw-insn", "--demangle", program]).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        println!("skipped: objdump, which finds calls of intrinsics, is not installed");
        return Ok(BTreeSet::new());
    };
    let lines = child.stdout.take().map(BufReader::new).ok_or("objdump has no output")?;
    let mut called = Called::default();
    for line in lines.split(b'\n') {
        called.line(&String::from_utf8_lossy(&line.map_err(|e| format!("objdump: {e}"))?));
    }
    match child.wait() {
        Ok(status) if status.success() && called.functions > 0 => Ok(called.found),
        other => Err(format!("objdump {program}: {other:?}, {} functions", called.functions)),
    }
}

/// What is found in the lines of a disassembly.
#[derive(Default)]
struct Called {
    function: String,
    functions: usize,
    found: BTreeSet<String>,
}

impl Called {
    fn line(&mut self, line: &str) {
        /// Asking for the abilities of the processor is no hot loop.
        const ASKING: [&str; 2] = ["xgetbv", "cpuid"];
        /// Libraries that find bytes in texts and keys in tables, whose instances in crates without optimization are calls too, and the
        /// intrinsics themselves, whose callers are looked at.
        const OTHERS: [&str; 3] = ["memchr::", "hashbrown::", "core::core_arch::"];
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            self.function = name.to_owned();
            self.functions += 1;
        } else if (line.contains("call") || line.contains("jmp"))
            && line.contains("core::core_arch::")
            && !ASKING.iter().any(|name| line.contains(name))
            && !OTHERS.iter().any(|other| self.function.trim_start_matches('<').starts_with(other))
        {
            self.found.insert(self.function.clone());
        }
    }
}

/// A piece of work that was counted.
struct Work {
    name: String,
    count: u64,
    than: Option<Ratio>,
}

/// The work that another one is compared with, and how many times its instructions that one may take.
struct Ratio {
    other: String,
    most: f64,
}

impl Ratio {
    /// The name of a line of the program's list, and what it says beside the name.
    fn parse(line: &str) -> Result<(String, Option<Ratio>), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [name] => Ok((name.to_owned(), None)),
            [name, other, most] => {
                let most = most.parse().map_err(|_| format!("{most:?} is no number: {line}"))?;
                Ok((name.to_owned(), Some(Ratio { other: other.to_owned(), most })))
            }
            _ => Err(format!("the program lists {line:?}, not a name, or a name, another one and a number")),
        }
    }
}

impl Work {
    /// How many times the instructions of the work that it is compared with it takes, as text.
    fn ratio(&self, all: &[Work]) -> Option<String> {
        let Ratio { other, most } = self.than.as_ref()?;
        let times = self.times(all)?;
        Some(format!("{} / {other}: {times:.2}, at most {most}", self.name))
    }

    fn times(&self, all: &[Work]) -> Option<f64> {
        let Ratio { other, .. } = self.than.as_ref()?;
        let found = all.iter().find(|work| work.name == *other)?;
        Some(self.count as f64 / found.count as f64)
    }
}

/// Work that takes more times the instructions of what it is compared with than it may, whatever was counted before.
fn too_many_times(all: &[Work]) -> Vec<String> {
    let problem = |one: &Work| {
        let Ratio { other, most } = one.than.as_ref()?;
        match one.times(all) {
            None => Some(format!("{} is compared with {other}, and there is no such work", one.name)),
            Some(times) if times > *most => Some(format!(
                "{} takes {times:.2} times the instructions of {other}, at most {most}",
                one.name
            )),
            Some(_) => None,
        }
    };
    all.iter().filter_map(problem).collect()
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

/// The instructions of each piece of work. As many are counted at a time as there are cores, which changes no count.
fn counts(program: &str, names: &[&str]) -> Vec<Result<u64, String>> {
    let next = AtomicUsize::new(0);
    let counted: Vec<OnceLock<Result<u64, String>>> = names.iter().map(|_| OnceLock::new()).collect();
    let pair = |i: usize| names.get(i).zip(counted.get(i));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, place)) = pair(next.fetch_add(1, Ordering::Relaxed)) {
                    place.get_or_init(|| count(program, name));
                }
            });
        }
    });
    let missing = || Err("nothing was counted".to_owned());
    counted.into_iter().map(|place| place.into_inner().unwrap_or_else(missing)).collect()
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

fn text(compiler: &str, all: &[Work]) -> String {
    let row = |Work { name, count, .. }: &Work| format!("{name:<20} {count}\n");
    let rows: String = all.iter().map(row).collect();
    let ratio = |one: &Work| one.ratio(all).map(|ratio| format!("# {ratio}\n"));
    let ratios: String = all.iter().filter_map(ratio).collect();
    format!(
        "# Instructions of the programs in crates/testing/examples/instructions.rs: cargo xtask instructions --bless\n\
         # counted with {compiler}\n{rows}{ratios}"
    )
}

/// What stands in the way: counts above those known, and work that is not listed, or no longer there.
fn problems(all: &[Work], known: &BTreeMap<String, u64>) -> Vec<String> {
    let mut problems = Vec::new();
    for Work { name, count, .. } in all {
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
    let gone = known.keys().filter(|name| all.iter().all(|work| work.name != **name));
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
        let counts = |a: u64, b: u64| {
            let one = |name: &str, count| Work { name: name.to_owned(), count, than: None };
            vec![one("a", a), one("b", b)]
        };
        let (with, known) = parse(&text("rustc 1.2.3", &counts(1000, 2000)));
        assert_eq!((with.as_str(), known.len()), ("rustc 1.2.3", 2));
        assert!(problems(&counts(1030, 100), &known).is_empty());
        assert!(problems(&counts(1031, 2000), &known)[0].starts_with("a takes more than 3 % more"));
        assert!(problems(&counts(1, 1)[..1], &known)[0].contains("there is no such work"));
        let (_, none) = parse("");
        assert_eq!(problems(&counts(1, 1), &none).len(), 2);
        assert!(line("a", 900, Some(1000)).contains("-10.00 %  (fewer"));
    }

    #[test]
    fn calls_of_intrinsics_are_found() {
        let mut called = Called::default();
        for line in [
            "0000000000001000 <jarrah_cpu::gemm::kernel::tile>:",
            "    1000:\tcall   2000 <core::core_arch::x86::avx2::_mm256_and_si256>",
            "    1005:\tcall   3000 <core::panicking::panic>",
            "0000000000001100 <std_detect::detect>:",
            "    1100:\tcall   2100 <core::core_arch::x86::xsave::_xgetbv>",
            "0000000000001200 <memchr::vector::Vector::movemask_will_have_non_zero>:",
            "    1200:\tcall   2000 <core::core_arch::x86::avx2::_mm256_movemask_epi8>",
        ] {
            called.line(line);
        }
        assert_eq!(called.functions, 3);
        assert_eq!(called.found.into_iter().collect::<Vec<_>>(), ["jarrah_cpu::gemm::kernel::tile"]);
    }

    #[test]
    fn work_that_takes_too_many_times_the_instructions_of_other_work_fails() {
        let work = |line: &str, count| {
            let (name, than) = Ratio::parse(line).unwrap();
            Work { name, count, than }
        };
        let all = |narrow| vec![work("f32", 1000), work("bf16 f32 1.25", narrow)];
        assert!(too_many_times(&all(1250)).is_empty());
        assert_eq!(
            too_many_times(&all(1300)),
            ["bf16 takes 1.30 times the instructions of f32, at most 1.25"]
        );
        assert!(too_many_times(&all(1300)[1..])[0].contains("there is no such work"));
        // Ratios stand in the list as comments, beside the counts.
        let text = text("rustc 1.2.3", &all(1100));
        assert!(text.ends_with("# bf16 / f32: 1.10, at most 1.25\n"), "{text}");
        assert_eq!(parse(&text).1.len(), 2);
        assert!(Ratio::parse("a b").is_err() && Ratio::parse("a b c").is_err());
    }
}
