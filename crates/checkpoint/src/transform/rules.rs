use jarrah_base::Result;

use super::step::Step;

/// Rules that make leaves of other leaves: a line `FROM -> TO` each, of which the first that fits a leaf is taken.
///
/// `FROM` is a name in which `*` stands for one key, or a part of one, and `**` for any number of keys. The n-th star of `TO` is replaced by the text that the
/// n-th star of `FROM` stood for. A rule whose `TO` is `-` drops the leaves that it fits; a leaf that no rule fits keeps its name. Empty lines,
/// lines that begin with `#`, and what follows a `#` between blanks are passed over.
///
/// Steps may follow, each behind a colon and a blank, and are done in their order. In a rule with steps, names are separated by commas, and `#` stands for a number.
///
/// | step | effect |
/// |---|---|
/// | `concat AXIS` | joins the leaves of `FROM`: several names in their order, or a name with `#` in the order of its numbers, which are 0, 1, 2 and so on |
/// | `stack AXIS` | the same along a new axis |
/// | `split AXIS` | cuts a leaf into equal parts, one for each name of `TO` |
/// | `split AXIS into 64,32,32` | cuts it into parts of these extents |
/// | `unstack AXIS` | one leaf for each position along the axis, which goes; its number is the `#` of `TO` |
/// | `reshape 8,-1` | other extents in the same order of elements; `-1` is the extent that remains |
/// | `cast bf16` | another element type: floats to floats, integers to integers or floats |
/// | `fill 0.5 f32[4]` | a new leaf of one value, where `FROM` is empty |
///
/// A negative axis counts from the last one, which is -1.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_checkpoint::{LeafRules, StoredTree};
/// use jarrah_formats::{Tensor, save_file};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("w.safetensors");
/// let qkv = |x: f32| Literal::from_slice(&[1, 3], &[x, x + 1.0, x + 2.0]);
/// let values = [("layers.0.qkv", qkv(0.0)?), ("layers.1.qkv", qkv(10.0)?), ("step", Literal::scalar(7))];
/// save_file(&path, &values.each_ref().map(|(name, x)| Tensor::of(*name, x)), &Default::default())?;
///
/// let rules = LeafRules::parse("
///     layers.#.qkv -> params.layers.qkv : stack 0
///     step -> -
/// ")?;
/// let scanned = StoredTree::open(&path)?.transformed(&rules)?;
/// assert_eq!(scanned.leaves()[0].to_string(), "params.layers.qkv f32[2,1,3]");
///
/// let rules = LeafRules::parse("layers.*.qkv -> layers.*.q, layers.*.k, layers.*.v : split 1 : reshape 1")?;
/// let apart = StoredTree::open(&path)?.transformed(&rules)?;
/// assert_eq!(apart.get("layers.1.v")?.literal()?.to_f64_vec(), [12.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: the transformations of Orbax's `PyTreeCheckpointHandler`.
#[derive(Clone, Default, Debug)]
pub struct LeafRules {
    pub(super) rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The number of its line.
    pub line: usize,
    /// The names of the leaves that it takes; none makes a new leaf.
    pub from: Vec<Vec<Piece>>,
    /// The names of the leaves that it makes; none drops the leaves that it takes.
    pub to: Vec<Vec<Piece>>,
    pub steps: Vec<Step>,
}

/// A piece of a name.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece {
    Text(String),
    /// A star within a key.
    One,
    /// Two stars: any number of keys.
    Many,
    /// A number.
    Number,
}

/// The texts that the stars of a name stand for, and its number.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Fit {
    pub stars: Vec<String>,
    pub number: Option<usize>,
}

impl LeafRules {
    /// Reads rules.
    ///
    /// ```
    /// use jarrah_checkpoint::LeafRules;
    /// let rules = LeafRules::parse("
    ///     opt_state.** -> -
    ///     params.layers_*.Dense_0.kernel -> layers.*.mlp.weight
    ///     params.** -> **
    /// ")?;
    /// assert!(LeafRules::parse("a.* -> b").is_err());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// A line is no rule, its `TO` has other stars than its `FROM`, or a step is none or cannot follow (`Input`).
    pub fn parse(text: &str) -> Result<LeafRules> {
        let text = text.trim_start_matches('\u{feff}');
        let lines = (1..).zip(text.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        Ok(LeafRules { rules: lines.map(|(number, line)| Rule::parse(number, line)).collect::<Result<_>>()? })
    }

    /// Whether every leaf stays as it is.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

impl Rule {
    /// The position in `FROM` of the first name that fits, and the texts of its stars.
    pub fn fit(&self, name: &str) -> Option<(usize, Fit)> {
        self.from.iter().enumerate().find_map(|(at, pieces)| Some((at, fit(pieces, name)?)))
    }

    /// Whether the rule changes names alone.
    pub fn is_rename(&self) -> bool {
        self.steps.is_empty()
    }
}

/// The name that pieces make with these texts of the stars, and this number.
pub(super) fn name_of(pieces: &[Piece], fit: &Fit) -> String {
    let mut stars = fit.stars.iter();
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::One | Piece::Many => stars.next().cloned().unwrap_or_default(),
        Piece::Number => fit.number.map_or("#".to_owned(), |number| number.to_string()),
    };
    pieces.iter().map(part).collect()
}

fn fit(pieces: &[Piece], name: &str) -> Option<Fit> {
    let mut found = Vec::new();
    if !fits(pieces, name, &mut found) {
        return None;
    }
    let mut fit = Fit::default();
    for (piece, text) in pieces.iter().filter(|piece| !matches!(piece, Piece::Text(_))).zip(found) {
        match piece {
            Piece::Number => fit.number = Some(text.parse().ok()?),
            _ => fit.stars.push(text),
        }
    }
    Some(fit)
}

/// Whether a name is made of these pieces, and the texts of its stars and numbers: each star takes as little as it can.
fn fits(pieces: &[Piece], name: &str, found: &mut Vec<String>) -> bool {
    let Some((first, others)) = pieces.split_first() else { return name.is_empty() };
    if let Piece::Text(text) = first {
        return name.strip_prefix(text.as_str()).is_some_and(|rest| fits(others, rest, found));
    }
    let depth = found.len();
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    // A star stands for one character at least.
    for end in ends.skip(1) {
        let taken = &name[..end];
        let may_be = match first {
            Piece::Number => taken.bytes().all(|byte| byte.is_ascii_digit()),
            Piece::Many => true,
            _ => !taken.contains('.'),
        };
        if !may_be {
            break;
        }
        found.push(taken.to_owned());
        if fits(others, &name[end..], found) {
            return true;
        }
        found.truncate(depth);
    }
    false
}
