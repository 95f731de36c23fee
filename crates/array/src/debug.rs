//! Looking at values while a program runs, compiled or not, under any transformation.

use std::io::{self, BufRead, IsTerminal, Write};

use jarrah_base::{Error, Literal, Location, Result, stdio};
use jarrah_hlo::ops::VmapMethod;
use jarrah_tree::{Path, Tree, TreeExt};

use crate::array::Array;
use crate::callback::{CallbackOrder, call, observed};
use crate::error::fail_at;
use crate::function::Leaves;

/// Calls `f` with concrete arrays each time the program reaches this point: see [`io_callback`](crate::io_callback).
///
/// Under differentiation `f` gets the values of the forward pass.
///
/// ```
/// use jarrah_array::{Array, CallbackOrder, debug, grad};
/// use std::sync::{Arc, Mutex};
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let sink = seen.clone();
/// let look = move |x: &Array| {
///     sink.lock().unwrap().push(x.item::<f32>()?);
///     Ok(())
/// };
/// let f = move |x: &Array| {
///     let y = x * x;
///     debug::callback(look.clone(), &y, CallbackOrder::Any);
///     y.sin()
/// };
/// grad(f)(&Array::scalar(2.0)).item::<f32>()?;
/// assert_eq!(*seen.lock().unwrap(), [4.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn callback<A: Tree<Array> + Send + Sync + 'static>(
    f: impl Fn(&A) -> Result<()> + Send + Sync + 'static,
    args: &A,
    order: CallbackOrder,
) {
    let sequential = VmapMethod::Sequential;
    call(Location::caller(), "debug_callback", f, &(), args, observed(order), sequential);
}

/// Prints a line each time the program reaches this point, with the arrays of `args` in the places that `format` marks.
///
/// `{}` is the next array, in order, `{name}` the one at this path in `args`, such as `{0}` or `{params.bias}`; `{{`
/// and `}}` are braces. Lines of [`CallbackOrder::Program`] come in the order of the program.
///
/// ```
/// use jarrah_array::{Array, CallbackOrder, debug, jit};
/// let f = jit(|x: &Array| {
///     let y = x.sum(..);
///     debug::print("the sum of {} is {}", &(x.clone(), y.clone()), CallbackOrder::Program);
///     y
/// });
/// f.call(Array::from_slice(&[1.0f32, 2.0]))?;
/// // the sum of [1.0, 2.0] is 3.0
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn print<A: Tree<Array> + Send + Sync + 'static>(format: &str, args: &A, order: CallbackOrder) {
    let at = Location::caller();
    let pieces = match parse(format, &Leaves::of(args).structure.paths()) {
        Ok(pieces) => pieces,
        Err(error) => fail_at(at, error.op("debug::print")),
    };
    let line = move |args: &A| {
        // One write, so that lines of several threads do not mix.
        let line = render(&pieces, args)? + "\n";
        let written = stdio::output().and_then(|mut output| output.write_all(line.as_bytes()));
        written.map_err(|error| Error::environment(format!("the line cannot be printed: {error}")))
    };
    call(at, "debug_print", line, &(), args, observed(order), VmapMethod::Sequential);
}

/// Stops each time the program reaches this point, and shows the arrays of `args` by their paths in the terminal: `l` lists them,
/// `p PATH` prints one, `p` all, `c` continues, `q` ends the run with an error. Without a terminal, or at the end of its input,
/// the run continues.
///
/// It stops in the order of the program, under any transformation; under `vmap` for each element.
///
/// ```
/// use jarrah_array::{Array, debug, jit};
/// let f = jit(|x: &Array| {
///     let y = x.sin();
///     debug::breakpoint(&(x.clone(), y.clone()));
///     y
/// });
/// f.call(Array::scalar(0.0))?.item::<f32>()?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn breakpoint<A: Tree<Array> + Send + Sync + 'static>(args: &A) {
    let at = Location::caller();
    let stop = move |args: &A| match io::stdin().is_terminal() {
        true => match stdio::output() {
            Ok(mut output) => inspect(at, args, &mut io::stdin().lock(), &mut output),
            Err(error) => Err(Error::environment(format!("the terminal cannot be written: {error}"))),
        },
        false => Ok(()),
    };
    call(at, "debug_breakpoint", stop, &(), args, observed(CallbackOrder::Program), VmapMethod::Sequential);
}

/// The prompt of [`breakpoint`], with commands from `input` and answers to `output`.
///
/// # Errors
/// The command `q`; `output` cannot be written.
///
/// ```
/// use jarrah_array::{Array, Location, debug};
/// let args = (Array::scalar(1.5), Array::from_slice(&[1i32, 2]));
/// let mut output = Vec::new();
/// debug::inspect(Location::caller(), &args, &mut "p 1\nc\n".as_bytes(), &mut output)?;
/// assert!(String::from_utf8_lossy(&output).contains("1: i32[2] = [1, 2]"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn inspect<A: Tree<Array>>(
    at: Location,
    args: &A,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<()> {
    let failed = |error: std::io::Error| Error::environment(format!("the terminal failed: {error}"));
    let leaves = args.leaves_with_paths();
    let named = |path: &str| if path.is_empty() { "." } else { path }.to_owned();
    writeln!(output, "stopped at {at}; l: list, p [PATH]: print, c: go on, q: quit").map_err(failed)?;
    loop {
        write!(output, "> ").and_then(|()| output.flush()).map_err(failed)?;
        let mut line = String::new();
        if input.read_line(&mut line).map_err(failed)? == 0 {
            return Ok(());
        }
        let (command, wanted) = match line.trim().split_once(char::is_whitespace) {
            Some((command, path)) => (command, Some(path.trim())),
            None => (line.trim(), None),
        };
        let mut text = String::new();
        match command {
            "c" => return Ok(()),
            "q" => return Err(Error::program("the run was ended at a breakpoint").at(at)),
            "l" => leaves.iter().for_each(|(path, x)| text += &format!("{}: {}\n", named(path), x.ty())),
            "p" => {
                for (path, x) in leaves.iter().filter(|(path, _)| wanted.is_none_or(|w| named(path) == w)) {
                    let value = elements(&x.to_literal()?);
                    text += &format!("{}: {} = {value}\n", named(path), x.ty());
                }
                if text.is_empty() {
                    text = format!("there is no {}\n", wanted.unwrap_or("array"));
                }
            }
            "" => {}
            other => text = format!("{other} is no command\n"),
        }
        output.write_all(text.as_bytes()).map_err(failed)?;
    }
}

/// The line that [`print()`] prints of concrete arrays.
///
/// # Errors
/// The format asks for an array that is not there; an array has no value.
///
/// ```
/// use jarrah_array::{Array, debug};
/// let args = (Array::scalar(1.5), Array::from_slice(&[1i32, 2]));
/// assert_eq!(debug::format("{1} at {{{0}}}", &args)?, "[1, 2] at {1.5}");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn format<A: Tree<Array>>(format: &str, args: &A) -> Result<String> {
    render(&parse(format, &Leaves::of(args).structure.paths())?, args)
}

/// A part of a line.
enum Piece {
    Text(String),
    /// The array of this number.
    Value(usize),
}

/// The parts of a format for arrays at these paths.
fn parse(format: &str, paths: &[Path]) -> Result<Vec<Piece>> {
    let wrong = |what: String| Error::program(format!("the format {format:?} {what}"));
    let (mut pieces, mut text, mut next) = (Vec::new(), String::new(), 0);
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if matches!(c, '{' | '}') && rest.next_if_eq(&c).is_some() {
            text.push(c);
            continue;
        }
        match c {
            '}' => return Err(wrong("closes a brace that is not open".into()).help("write }} for one brace")),
            '{' => {}
            other => {
                text.push(other);
                continue;
            }
        }
        let mut name = String::new();
        loop {
            match rest.next() {
                Some('}') => break,
                Some(c) => name.push(c),
                None => return Err(wrong("ends in an open brace".into()).help("write {{ for one brace")),
            }
        }
        let index =
            if name.is_empty() { Some(next) } else { paths.iter().position(|p| p.to_string() == name) };
        next += usize::from(name.is_empty());
        let Some(index) = index.filter(|&i| i < paths.len()) else {
            let names: Vec<String> = paths.iter().map(|p| format!("{{{p}}}")).collect();
            let count = paths.len();
            let error = wrong(format!("asks for {{{name}}}, there are {count} arrays: {}", names.join(" ")));
            return Err(error);
        };
        pieces.extend([Piece::Text(std::mem::take(&mut text)), Piece::Value(index)]);
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

fn render<A: Tree<Array>>(pieces: &[Piece], args: &A) -> Result<String> {
    let arrays = args.leaves();
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => Ok(text.clone()),
        Piece::Value(index) => Ok(elements(&arrays[*index].to_literal()?)),
    };
    pieces.iter().map(piece).collect()
}

/// The elements of a tensor as text, without its type.
fn elements(value: &Literal) -> String {
    let (text, ty) = (value.to_string(), value.ty().to_string());
    text.strip_prefix(&ty).map_or(text.as_str(), str::trim_start).to_owned()
}
