use jarrah::{Error, Result};
use jarrah_compiler::{PASSES, Pass, TargetInfo};
use jarrah_hlo::Program;
use jarrah_hlo_format::{Options, print_with};

use super::load;
use crate::cli::{Opt, Print};
use crate::output::show;

pub fn print(arguments: &Print) -> Result<()> {
    let options = Options {
        locations: arguments.locations,
        elide_larger_than: arguments.elide,
        generic: arguments.generic,
    };
    let modules = load::file(&arguments.file)?.modules;
    for (i, module) in modules.iter().enumerate() {
        load::verify(module)?;
        if i > 0 {
            show("// -----\n")?;
        }
        show(&jarrah_hlo_format::print_tree(module, &options))?;
    }
    Ok(())
}

pub fn opt(arguments: &Opt) -> Result<()> {
    if arguments.list {
        for pass in PASSES {
            let apart = if pass.apart { " (only when asked for)" } else { "" };
            show(&format!("{:<14} {}{apart}\n", pass.name, pass.summary))?;
        }
        return Ok(());
    }
    let file = arguments.file.as_deref().ok_or_else(|| Error::input("which file?"))?;
    let options = Options { elide_larger_than: arguments.elide, ..Options::default() };
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
    let mut program: Program = load::file(file)?.program(arguments.types.as_deref())?;
    let target = TargetInfo { attention: true, memory: None };
    for pass in passes {
        program = pass.run(&program, &target, &[])?;
        program.verify()?;
        if dumped.iter().any(|d| d.name == pass.name) {
            show(&format!("// after {}\n", pass.name))?;
            show(&print_with(&program, &options))?;
        }
    }
    if arguments.dump_after.is_empty() {
        show(&print_with(&program, &options))?;
    }
    Ok(())
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
