//! Passes of the compiler, one by one: what each makes, how long it takes, and where everything lies at the end.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jarrah::{Error, Result};
use jarrah_compiler::{CompiledProgram, MemoryPlan, PASSES, Pass, compile, kernels};
use jarrah_cpu::vector::Plan;
use jarrah_cpu::{CpuClient, Processor};
use jarrah_hlo::Program;
use jarrah_hlo_format::{PrintOptions, print_with};
use jarrah_runtime::CompileOptions;

use super::{load, time};
use crate::cli::Opt;
use crate::output::{note, show};

/// The parts of the work that are no pass.
const READ: &str = "read";
const IMPORT: &str = "import";
const CLIENT: &str = "client";
const FIT: &str = "fit";
const STEPS: &str = "steps";
const WRITE: &str = "write";

pub fn opt(arguments: &Opt) -> Result<()> {
    if arguments.list {
        for pass in PASSES {
            let apart = if pass.apart { " (only when asked for)" } else { "" };
            show(&format!("{:<14} {}{apart}\n", pass.name, pass.summary))?;
        }
        return Ok(());
    }
    let begun = Instant::now();
    let mut times = Times::default();
    let file = arguments.file.as_deref().ok_or_else(|| Error::input("which file?"))?;
    let passes: Vec<&Pass> = if arguments.passes.is_empty() {
        PASSES.iter().filter(|pass| !pass.apart).collect()
    } else {
        named(&arguments.passes)?
    };
    let dumped = named(&arguments.dump_after)?;
    if let Some(missing) = dumped.iter().find(|d| passes.iter().all(|p| p.name != d.name)) {
        return Err(Error::input(format!("the pass {} is not among those that run", missing.name))
            .help("name it in --passes as well"));
    }
    if arguments.memory_limit.is_some() && !arguments.passes.is_empty() {
        return Err(Error::input("a memory limit is kept by all passes together")
            .help("leave out --passes or --memory-limit"));
    }
    let loaded = times.of(READ, || load::file(file))?;
    let program = times.of(IMPORT, || loaded.program(arguments.types.as_deref()))?;
    let options = PrintOptions { elide_larger_than: arguments.elide, ..PrintOptions::default() };
    let dump = Dump { folder: arguments.dump_dir.as_deref(), options: &options, rows: RefCell::default() };
    times.of(WRITE, || dump.begin().and_then(|()| dump.program("input", None, &program)))?;
    let shown = |name: &str| dumped.iter().any(|d| d.name == name);

    let last = if arguments.passes.is_empty() {
        // The scratch that steps need under a limit is known when there are steps.
        let limited = arguments.memory_limit.map(|bytes| {
            let options = CompileOptions { memory_limit: Some(bytes.0), ..CompileOptions::default() };
            times.of(FIT, || CpuClient::new().scratch(&program, &options))
        });
        let scratch = limited.transpose()?.unwrap_or(0);
        let compiled = whole(&program, arguments, scratch, &dump, &shown, &mut times)?;
        if dump.folder.is_some() || arguments.time_passes {
            let client = times.of(CLIENT, CpuClient::new);
            let steps = times.of(STEPS, || client.prepare(compiled.clone(), &CompileOptions::default()));
            // A program with custom calls that have no handler here has a plan without scratch.
            let needed = steps.as_ref().map(|steps| steps.memory().temporaries - compiled.buffers.arena());
            times.of(WRITE, || dump.plan(&compiled, needed.unwrap_or(0)))?;
            if arguments.time_passes {
                steps?;
            }
            times.of(CLIENT, || drop(client));
        }
        for again in &compiled.recomputed {
            note(&format!("[{again}]"));
        }
        compiled.program
    } else {
        let target = Processor::default();
        let mut program = program;
        for pass in passes {
            let next = times.of(pass.name, || pass.run(&program, &target, &[]))?;
            times.of("verify", || next.verify())?;
            times.of(WRITE, || dump.program(pass.name, Some(&program), &next))?;
            program = next;
            if shown(pass.name) {
                show(&format!("// after {}\n{}", pass.name, print_with(&program, &options)))?;
            }
        }
        program
    };
    if let Some(folder) = dump.folder {
        let table = dump.table();
        write(folder, "passes.txt", &table)?;
        show(&table)?;
    } else if arguments.dump_after.is_empty() && !arguments.time_passes {
        show(&print_with(&last, &options))?;
    }
    if arguments.time_passes {
        show(&times.table(begun.elapsed()))?;
    }
    Ok(())
}

/// The program through all passes.
fn whole(
    program: &Program,
    arguments: &Opt,
    scratch: usize,
    dump: &Dump<'_>,
    shown: &dyn Fn(&str) -> bool,
    times: &mut Times,
) -> Result<CompiledProgram> {
    let mut before = program.clone();
    let mut failed = None;
    let mut step = |name: &str, next: &Program| {
        let written = dump.program(name, Some(&before), next).and_then(|()| match shown(name) {
            true => show(&format!("// after {name}\n{}", print_with(next, dump.options))),
            false => Ok(()),
        });
        failed = failed.take().or(written.err());
        if dump.folder.is_some() {
            before = next.clone();
        }
    };
    let mut timer = |name: &'static str, time: Duration| times.add(name, time);
    let options = jarrah_compiler::PassOptions {
        dump: Some(&mut step),
        timer: Some(&mut timer),
        verify: true,
        memory_limit: arguments.memory_limit.map(|bytes| bytes.0),
        scratch,
        ..jarrah_compiler::PassOptions::default()
    };
    let compiled = compile(program, &Processor::default(), options)?;
    failed.map_or(Ok(compiled), Err)
}

fn named(names: &[String]) -> Result<Vec<&'static Pass>> {
    let find = |name: &String| {
        PASSES.iter().find(|p| p.name == name).ok_or_else(|| {
            let known = PASSES.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
            Error::input(format!("there is no pass {name}")).help(format!("there are {known}"))
        })
    };
    names.iter().map(find).collect()
}

/// The files of a folder that show how a program is compiled.
struct Dump<'a> {
    folder: Option<&'a Path>,
    options: &'a PrintOptions,
    rows: RefCell<Vec<Row>>,
}

/// The outcome of a pass.
struct Row {
    pass: String,
    instructions: usize,
    /// Its file; none where nothing changed.
    file: Option<String>,
}

impl Dump<'_> {
    /// Removes the programs that an earlier run left in the folder: those of passes that now change nothing would stay.
    fn begin(&self) -> Result<()> {
        let Some(entries) = self.folder.and_then(|folder| fs::read_dir(folder).ok()) else { return Ok(()) };
        let is_dumped = |name: &str| {
            let parts = name.strip_suffix(".mlir").and_then(|name| name.split_once('-'));
            parts.is_some_and(|(number, pass)| {
                let known = pass == "input" || PASSES.iter().any(|known| known.name == pass);
                known && number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_name().to_str().is_some_and(is_dumped) {
                fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
            }
        }
        Ok(())
    }

    /// Writes the program behind a pass, if the pass changed `before`.
    fn program(&self, name: &str, before: Option<&Program>, program: &Program) -> Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        let number = self.rows.borrow().len();
        let file = (before != Some(program)).then(|| format!("{number:02}-{name}.mlir"));
        if let Some(file) = &file {
            write(folder, file, &print_with(program, self.options))?;
        }
        let row = Row { pass: name.to_owned(), instructions: program.instrs().len(), file };
        self.rows.borrow_mut().push(row);
        Ok(())
    }

    /// Writes the kernels, the assembly and the plan of memory of a compiled program.
    fn plan(&self, compiled: &CompiledProgram, scratch: usize) -> Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        write(folder, "kernels.txt", &kernels(&compiled.program, ToString::to_string))?;
        let assembly = kernels(&compiled.program, |loops| {
            let text = Plan::new(loops).ok().and_then(|plan| plan.assembly());
            text.unwrap_or_else(|| "// no machine code: tiles run it".to_owned())
        });
        write(folder, "assembly.txt", &assembly)?;
        let plan = MemoryPlan::new(&compiled.program, &compiled.buffers).with_scratch(scratch).to_string();
        let again = compiled.recomputed.iter().map(|again| format!("{again}\n"));
        write(folder, "memory.txt", &std::iter::once(plan).chain(again).collect::<String>())
    }

    /// A line for each pass: its number, the instructions afterwards, and its file.
    fn table(&self) -> String {
        let mut text = format!("{:>3} {:<14} {:>12}  file\n", "", "pass", "instructions");
        for (number, row) in self.rows.borrow().iter().enumerate() {
            let file = row.file.as_deref().unwrap_or("(unchanged)");
            text += &format!("{number:>3} {:<14} {:>12}  {file}\n", row.pass, row.instructions);
        }
        text
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| Error::io("make the folder", folder, &e))?;
    let path: PathBuf = folder.join(name);
    fs::write(&path, text).map_err(|e| Error::io("write", &path, &e))
}

/// The types of the format that store tensors of types without a name in the format.
#[derive(Default)]
struct Times(Vec<(&'static str, Duration)>);

impl Times {
    fn add(&mut self, name: &'static str, time: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => self.0.push((name, time)),
        }
    }

    fn of<T>(&mut self, name: &'static str, f: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let made = f();
        self.add(name, begun.elapsed());
        made
    }

    /// A line for each part with its share of `whole`, then what no part accounts for.
    fn table(&self, whole: Duration) -> String {
        let share = |time: Duration| 100.0 * time.as_secs_f64() / whole.as_secs_f64().max(1e-12);
        let row = |name: &str, t: Duration| {
            format!("{name:<14} {:>10} {:>6.1} %\n", time(t.as_secs_f64()), share(t))
        };
        let known: Duration = self.0.iter().map(|(_, time)| *time).sum();
        let mut text: String = self.0.iter().map(|(name, time)| row(name, *time)).collect();
        text += &row("(other)", whole.saturating_sub(known));
        text += &row("whole", whole);
        text
    }
}
