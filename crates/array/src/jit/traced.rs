//! The part of a retracing call that does not depend on the function's types: compiled once for all functions.

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::Alias;
use jarrah_runtime::CompileOptions;
use jarrah_tree::{Difference, Node, Part, Path, PathKey, Structure};

use super::entry::Signature;
use crate::array::Array;
use crate::error::fail_at;
use crate::function::Leaves;
use crate::mutable::written;
use crate::scope::Settings;
use crate::trace::{Traced, named_axes, users_line};
use crate::watch;

/// The facts about a function that messages about a retracing call mention, whatever its type.
pub(super) struct OfCall<'a> {
    pub name: &'a str,
    pub called: &'a str,
    pub bucketed: &'a [(usize, Location)],
    pub frozen: bool,
}

impl OfCall<'_> {
    /// Reports that the function is traced again, and why.
    ///
    /// # Errors
    /// The function is frozen, so that tracing it again is an error.
    #[track_caller]
    pub(super) fn announce(
        &self,
        last: Option<&Signature>,
        leaves: &Leaves,
        types: &[Type],
        at: Location,
    ) -> Result<()> {
        let again = last.map(|last| new_here(last, leaves, types));
        if self.frozen {
            let why = again.unwrap_or_else(|| "it was never called before".to_owned());
            let error = Error::program(format!("the function is frozen, and would be traced anew: {why}"));
            let error = error.op(self.called).at(at);
            return Err(error.help("call it with such arguments before freeze(), or pad them to one shape"));
        }
        if let Some((last, why)) = last.zip(again)
            && !self.is_another_bucket(last, leaves, types)
        {
            watch::retraced(self.called, at, &why);
        }
        Ok(())
    }

    /// Whether these arguments differ from those of the last call only in the leading extents of arrays in elements of the
    /// argument tuple that are [bucketed](super::Jit::bucketed): such a trace is expected, and not reported as a retrace.
    #[track_caller]
    fn is_another_bucket(&self, last: &Signature, leaves: &Leaves, types: &[Type]) -> bool {
        let alike = last.structure == leaves.structure
            && last.axes == named_axes()
            && last.settings == Settings::now();
        if self.bucketed.is_empty() || !alike {
            return false;
        }
        let at = users_line(Location::caller());
        let grown = leaves_in(self.name, self.bucketed, ["bucketed", "bucketed"], &leaves.structure, at);
        let same_row = |was: Type, is: Type| {
            was.rank() > 0 && is.rank() > 0 && was.without_leading() == is.without_leading()
        };
        let mut pairs = last.types.iter().zip(types).enumerate();
        pairs.all(|(i, (&was, &is))| was == is || grown.contains(&i) && same_row(was, is))
    }
}

/// A sentence that names the first difference between these arguments, for which the function was not traced, and those of the
/// last call.
fn new_here(last: &Signature, leaves: &Leaves, types: &[Type]) -> String {
    let pairs = last.types.iter().zip(types);
    let differ = pairs.map(|(was, is)| (was != is).then(|| [was, is].map(|ty| ty.to_string())));
    match last.structure.difference_of(&leaves.structure, differ) {
        Some(Difference { path, sides: [was, is] }) => {
            format!("{} is {is}, it was {was}", path.below("argument"))
        }
        None => Settings::now()
            .news(&last.settings)
            .unwrap_or_else(|| "the named axes of the maps around are others".to_owned()),
    }
}

/// The compile options of a function of `arguments` arrays, of which those at the indices `donated` are donated.
pub(super) fn options_for(
    traced: &Traced,
    arguments: usize,
    donated: &[usize],
    memory_limit: Option<usize>,
) -> CompileOptions {
    let mut options = CompileOptions { memory_limit, ..CompileOptions::donating(donated) };
    let results = traced.own_results();
    // The old content of a written cell is donated to the new content.
    options.aliases.extend(
        written(&traced.cells).enumerate().map(|(i, used)| Alias::may(arguments + used.capture, results + i)),
    );
    options
}

/// Takes the captures out of a traced function. The capture of a cell is replaced by an abstract array, as the cell's content is
/// read at each call.
pub(super) fn kept_captures(traced: &mut Traced) -> Vec<Array> {
    let mut captures = std::mem::take(&mut traced.captures);
    for used in &traced.cells {
        captures[used.capture] = Array::abstracted(used.cell.ty());
    }
    captures
}

/// The indices of the leaves in these elements of the argument tuple of the function `name`, which were named to a method, and are so.
#[track_caller]
pub(crate) fn leaves_in(
    name: &str,
    wanted: &[(usize, Location)],
    [method, are]: [&str; 2],
    structure: &Structure,
    at: Location,
) -> Vec<usize> {
    let elements = match structure.root() {
        Some(Part::Node(Node::Sequence(elements) | Node::Tuple(elements))) => Some(*elements),
        _ => None,
    };
    for &(index, named) in wanted {
        let error = match elements {
            Some(elements) if index < elements => continue,
            Some(elements) => format!("element {index} of an argument of {elements} is {are}"),
            None => format!("element {index} of the argument is {are}, which is no tuple"),
        };
        let error = Error::program(error).op(name).label(named, are);
        let help = format!("{method} takes the number of an element of the argument tuple, from 0");
        fail_at(at, error.help(help));
    }
    let is_wanted = |path: &Path| match path.keys().first() {
        Some(PathKey::Index(index)) => wanted.iter().any(|(wanted, _)| wanted == index),
        _ => false,
    };
    let paths = structure.paths();
    (0..paths.len()).filter(|&i| is_wanted(&paths[i])).collect()
}
