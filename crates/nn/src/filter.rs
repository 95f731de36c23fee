//! Which parts of a model are meant.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not, RangeFull};
use std::sync::Arc;

use jarrah_array::{Array, Error, Location, Tree, Type, fail};
use jarrah_tree::{Node, Part, Path};

use crate::Kind;

/// A place in a model, as a [`Filter`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct VariablePlace<'a> {
    /// The path, `blocks.3.attention.q.weight`.
    pub path: &'a str,
    /// The kind of the nearest variable that contains the place; [`Kind::PARAMETER`] if no variable does.
    pub kind: Kind,
    /// The names of the structs that contain the place, the outermost first.
    pub types: &'a [&'static str],
    /// The array's type, if the place is a leaf.
    pub ty: Option<Type>,
}

/// Which places of a model are meant: by path, by kind, by type, or by any predicate.
///
/// A text is a pattern of paths: `*` stands for any one step or a part of one, `**` for any number of steps, `{q,v}` for either. It
/// means the places that it matches and all that is below; one that matches nothing in a model is a mistake, which [`edit`](crate::edit) and
/// [`state`](crate::state) tell, as are a name in braces that matches nothing, which `edit` tells, and braces that are no pair. A [`Kind`] means the variables of that kind, `..` everything.
/// Filters are joined by `&`, `|` and `!`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Filter, Kind, Mlp, state};
/// let model = vec![Mlp::new(&Key::new(0), 2, 4), Mlp::new(&Key::new(1), 2, 4)];
/// let names = |filter: Filter| state(&model, filter).names();
/// assert_eq!(names("*.up.bias".into()), ["0.up.bias", "1.up.bias"]);
/// assert_eq!(names("1.{up,down}".into()).len(), 4);
/// assert_eq!(names(Filter::from("**.weight") & !Filter::from("0")), ["1.down.weight", "1.up.weight"]);
/// assert_eq!(names(Filter::new("vectors", |place| place.ty.is_some_and(|ty| ty.rank() == 1))).len(), 4);
/// assert_eq!(names(Kind::PARAMETER.into()).len(), 8);
/// ```
#[derive(Clone)]
pub struct Filter {
    text: Arc<str>,
    accepts: Arc<dyn Fn(&VariablePlace<'_>) -> bool + Send + Sync>,
    /// The patterns, of which each means something: of a text that itself, and one for each name in braces.
    patterns: Arc<[Filter]>,
}

impl Filter {
    /// The places that `accepts` says; `text` names the filter in errors.
    pub fn new(text: &str, accepts: impl Fn(&VariablePlace<'_>) -> bool + Send + Sync + 'static) -> Self {
        Filter { text: text.into(), accepts: Arc::new(accepts), patterns: Arc::new([]) }
    }

    /// Checks that a pattern of paths, and each of its names in braces, means some of these `places`.
    #[track_caller]
    pub(crate) fn check_meets(&self, op: &str, what: &str, places: &[String]) {
        let meets = |pattern: &Filter| places.iter().any(|place| pattern.accepts_path(place));
        if let Some(missed) = self.patterns.iter().find(|pattern| !meets(pattern)) {
            missed.fail_to_meet(op, what, places);
        }
    }

    /// Whether the filter is a pattern of paths.
    pub(crate) fn is_pattern(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// The error that none of these `places` is meant.
    #[track_caller]
    pub(crate) fn fail_to_meet(&self, op: &str, what: &str, places: &[String]) -> ! {
        let error = Error::program(format!("the model has no {what} at {self:?}")).op(op);
        let help = match places {
            [] => format!("it has no {what} at all; `tabulate` lists what it has"),
            _ => format!(
                "it has {} of them, such as {}",
                places.len(),
                nearest(self.text.trim_matches('`'), places)
            ),
        };
        fail(error.at(Location::caller()).help(help))
    }

    /// The places in a struct of this name.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_nn::{Filter, LayerNorm, Linear, state};
    /// let model = (Linear::new(&Key::new(0), 2, 2), LayerNorm::new(2, 1e-5));
    /// assert_eq!(state(&model, Filter::within("LayerNorm")).names(), ["1.bias", "1.scale"]);
    /// ```
    pub fn within(name: &'static str) -> Self {
        Filter::new(&format!("within {name}"), move |place| place.types.contains(&name))
    }

    /// Whether the place is meant.
    pub fn accepts(&self, place: &VariablePlace<'_>) -> bool {
        (self.accepts)(place)
    }

    /// Whether the filter accepts the place at `path`, judged by the path alone.
    pub(crate) fn accepts_path(&self, path: &str) -> bool {
        self.accepts(&VariablePlace { path, kind: Kind::PARAMETER, types: &[], ty: None })
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Filter {
    fn from(pattern: &str) -> Self {
        if let Some(step) = pattern.split('.').find(|step| !is_well_formed(step)) {
            let error = Error::program(format!(
                "`{pattern}` is no pattern of paths: `{step}` has braces that are no pair"
            ));
            fail(
                error
                    .op("filter")
                    .help("one pair in a step, without dots within: `blocks.*.attention.{q,v}`"),
            );
        }
        let steps: Vec<Vec<String>> = pattern.split('.').map(alternatives).collect();
        // Besides the pattern as a whole, each name of a step with several gets a pattern of its own, in which the other steps
        // are unchanged.
        let written: Vec<&str> = pattern.split('.').collect();
        let named = (0..steps.len()).filter(|&i| steps[i].len() > 1).flat_map(|i| {
            let written = &written;
            steps[i].iter().map(move |name| {
                let text: Vec<&str> =
                    written.iter().enumerate().map(|(j, step)| if i == j { name } else { *step }).collect();
                text.join(".")
            })
        });
        let patterns = std::iter::once(pattern.to_owned()).chain(named).map(|text| matching(&text)).collect();
        Filter { patterns, ..matching(pattern) }
    }
}

/// The places that a pattern matches.
fn matching(pattern: &str) -> Filter {
    let steps: Vec<Vec<String>> = pattern.split('.').map(alternatives).collect();
    Filter::new(&format!("`{pattern}`"), move |place| {
        let path: Vec<&str> = place.path.split('.').filter(|step| !step.is_empty()).collect();
        matches(&steps, &path)
    })
}

impl From<Kind> for Filter {
    fn from(kind: Kind) -> Self {
        Filter::new(kind.name(), move |place| place.kind == kind)
    }
}

impl From<RangeFull> for Filter {
    fn from(_: RangeFull) -> Self {
        Filter::new("everything", |_| true)
    }
}

impl<F: Into<Filter>> BitAnd<F> for Filter {
    type Output = Filter;

    fn bitand(self, other: F) -> Filter {
        let other = other.into();
        Filter::new(&format!("{self:?} and {other:?}"), move |place| {
            self.accepts(place) && other.accepts(place)
        })
    }
}

impl<F: Into<Filter>> BitOr<F> for Filter {
    type Output = Filter;

    fn bitor(self, other: F) -> Filter {
        let other = other.into();
        Filter::new(&format!("({self:?} or {other:?})"), move |place| {
            self.accepts(place) || other.accepts(place)
        })
    }
}

impl Not for Filter {
    type Output = Filter;

    fn not(self) -> Filter {
        Filter::new(&format!("not {self:?}"), move |place| !self.accepts(place))
    }
}

/// Whether a step contains at most one `{a,b}`, correctly closed.
fn is_well_formed(step: &str) -> bool {
    let braces: Vec<char> = step.chars().filter(|c| matches!(c, '{' | '}')).collect();
    matches!(braces[..], [] | ['{', '}'])
}

/// The patterns that a step with `{a,b}` stands for.
fn alternatives(step: &str) -> Vec<String> {
    match (step.find('{'), step.rfind('}')) {
        (Some(open), Some(close)) if open < close => {
            let (before, after) = (&step[..open], &step[close + 1..]);
            step[open + 1..close]
                .split(',')
                .map(|middle| format!("{before}{}{after}", middle.trim()))
                .collect()
        }
        _ => vec![step.to_owned()],
    }
}

/// Whether the steps of a pattern match a path or the beginning of a path.
fn matches(pattern: &[Vec<String>], path: &[&str]) -> bool {
    // `reached[n]` is whether the pattern read so far can match the first `n` steps of the path.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for step in pattern {
        let mut next = vec![false; path.len() + 1];
        if step.iter().any(|s| s == "**") {
            let first = reached.iter().position(|&r| r).unwrap_or(next.len());
            next[first..].fill(true);
        } else {
            for (i, found) in path.iter().enumerate() {
                next[i + 1] = reached[i] && step.iter().any(|wanted| matches_step(wanted, found));
            }
        }
        reached = next;
    }
    reached.contains(&true)
}

/// Whether a step with `*` for any characters matches.
fn matches_step(wanted: &str, found: &str) -> bool {
    let mut parts = wanted.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The name that shares most of its end with `wanted`, or a few.
pub(crate) fn nearest(wanted: &str, names: &[String]) -> String {
    let common =
        |name: &str| name.bytes().rev().zip(wanted.bytes().rev()).take_while(|(a, b)| a == b).count();
    match names.iter().max_by_key(|name| common(name)) {
        Some(name) if common(name) > 0 => format!("`{name}`"),
        _ => {
            let few: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
            if few.is_empty() { "no leaves".to_owned() } else { few.join(", ") + ", .." }
        }
    }
}

/// Calls `f` with each leaf of a tree and its place, in order.
pub(crate) fn for_each_leaf<'a, T: Tree<Array>>(
    tree: &'a T,
    mut f: impl FnMut(&Path, &VariablePlace<'_>, &'a Array),
) {
    // The structs and variables around, each with its path.
    let mut around: Vec<(Path, Option<&'static str>, Option<Kind>)> = Vec::new();
    tree.visit(&mut Path::default(), &mut |path, part| {
        while around.last().is_some_and(|(above, ..)| !path.keys().starts_with(above.keys())) {
            around.pop();
        }
        match part {
            Part::Node(Node::Named(name)) => around.push((path.clone(), Some(name), None)),
            Part::Node(Node::Variable { kind, .. }) => {
                around.push((path.clone(), None, Some(Kind::new(kind))))
            }
            Part::Node(_) | Part::Static(_) => {}
            Part::Leaf(array) => {
                let types: Vec<&'static str> = around.iter().filter_map(|(_, name, _)| *name).collect();
                let kind = around.iter().rev().find_map(|(.., kind)| *kind).unwrap_or(Kind::PARAMETER);
                let text = path.to_string();
                f(path, &VariablePlace { path: &text, kind, types: &types, ty: Some(array.ty()) }, array);
            }
        }
    });
}
