//! Programs as StableHLO text.
//!
//! [`print`] writes a [`Program`](jarrah_hlo::Program) as a module that StableHLO's own tools read; ops that StableHLO
//! lacks appear as `jarrah.*` in MLIR's generic form. [`parse`] reads that text, and what JAX emits for the ops there
//! are, in pretty or generic form.
//!
//! ```
//! let text = r#"
//! module @double {
//!   func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
//!     %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
//!     return %0 : tensor<8xf32>
//!   }
//! }
//! "#;
//! let program = jarrah_hlo_format::parse(text)?;
//! assert_eq!(program.name(), "double");
//! assert_eq!(jarrah_hlo_format::print(&program).trim(), text.trim());
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! Regions of StableHLO may use values from outside; programs are closed. What a region captures becomes an operand
//! when text is parsed, and is captured again when it is printed.

pub mod assembly;
mod ast;
mod export;
mod import;
pub mod ir;
mod lexer;
pub mod lower;
mod names;
mod parse;
mod print;
mod same;
mod templates;
mod text;

use jarrah_base::Result;
use jarrah_hlo::{Program, ProgramRef};

pub use print::Options;

/// How deep regions, calls, attributes and types may nest in a text.
pub(crate) const MAX_DEPTH: usize = 100;

/// The public functions of a text.
#[derive(Clone, Debug)]
pub struct Module {
    /// The name of the module.
    pub name: String,
    /// Its public functions, in the order of the text, each under its own name.
    pub functions: Vec<ProgramRef>,
}

/// The text of a program: a module of the program's name, whose public function `@main` is the program.
///
/// What the program calls follows as private functions, identical ones once.
pub fn print(program: &Program) -> String {
    print_with(program, &Options::default())
}

/// As [`print`], with locations or without large constants.
pub fn print_with(program: &Program, options: &Options) -> String {
    print::module(program.name(), &[("main", program)], options)
}

/// The text of several programs, each a public function under its own name.
pub fn print_module(module: &Module, options: &Options) -> String {
    let functions: Vec<(&str, &Program)> = module.functions.iter().map(|p| (p.name(), &**p)).collect();
    print::module(&module.name, &functions, options)
}

/// The tree of a program: a module of the program's name, whose public function `@main` is the program.
pub fn export(program: &Program) -> ir::Module {
    export::module(program.name(), &[("main", program)])
}

/// The program that a text describes: its function `@main`, or the only public one.
///
/// # Errors
/// The text is malformed, does not verify, or uses what programs cannot express; the error has line and column.
pub fn parse(text: &str) -> Result<Program> {
    parse_named("<text>", text)
}

/// As [`parse`], for the text of the file `name`: instructions without a location of their own are located there.
///
/// # Errors
/// As [`parse`].
pub fn parse_named(name: &str, text: &str) -> Result<Program> {
    let text = text::Text::new(name, text);
    let module = parse::module(&text)?;
    import::entry(&text, &module)
}

/// Every public function of the text of the file `name`.
///
/// # Errors
/// As [`parse`].
pub fn parse_module(name: &str, text: &str) -> Result<Module> {
    let text = text::Text::new(name, text);
    let module = parse::module(&text)?;
    import::public(&text, &module)
}
