use jarrah_base::{Error, Result};

/// Rules that give leaves other names: a line `FROM -> TO` each, of which the first that fits is taken.
///
/// `FROM` is a name in which `*` stands for one key, or a part of one, and `**` for any number of keys. The n-th star of `TO` is replaced by what the
/// n-th star of `FROM` stood for. A rule whose `TO` is `-` drops the leaves that it fits; a leaf that no rule fits keeps its name. Empty lines and
/// lines that begin with `#` are passed over.
///
/// ```
/// use jarrah_checkpoint::Renames;
/// let renames = Renames::parse("
///     opt_state.** -> -
///     params.layers_*.Dense_0.kernel -> layers.*.mlp.weight
///     params.** -> **
/// ")?;
/// assert_eq!(renames.apply("params.layers_3.Dense_0.kernel").as_deref(), Some("layers.3.mlp.weight"));
/// assert_eq!(renames.apply("params.head.bias").as_deref(), Some("head.bias"));
/// assert_eq!(renames.apply("opt_state.0.mu"), None);
/// assert_eq!(renames.apply("step").as_deref(), Some("step"));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Renames {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    from: Vec<Piece>,
    /// None drops the leaf.
    to: Option<Vec<Piece>>,
}

#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Text(String),
    /// A star within a key.
    One,
    /// Two stars: any number of keys.
    Many,
}

impl Renames {
    /// Reads rules.
    ///
    /// # Errors
    /// A line is no rule, or its `TO` has other stars than its `FROM` (`Input`).
    pub fn parse(text: &str) -> Result<Renames> {
        let mut rules = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| {
                Error::input(format!("line {number} of the rules, {line:?}, {what}"))
                    .op("rename")
                    .help("write `params.layers_*.kernel -> layers.*.weight`, or `opt_state.** -> -` to drop leaves")
            };
            let (from, to) = line.split_once("->").ok_or_else(|| wrong("has no `->`"))?;
            let (from, to) = (pieces(from.trim()), to.trim());
            if from.is_empty() {
                return Err(wrong("fits no name"));
            }
            let to = (to != "-").then(|| pieces(to));
            let stars = |pieces: &[Piece]| -> Vec<Piece> {
                pieces.iter().filter(|piece| !matches!(piece, Piece::Text(_))).cloned().collect()
            };
            match &to {
                Some(to) if to.is_empty() => return Err(wrong("gives no name")),
                Some(to) if stars(to) != stars(&from) => {
                    return Err(wrong("has other stars before `->` than behind it"));
                }
                _ => {}
            }
            rules.push(Rule { from, to });
        }
        Ok(Renames { rules })
    }

    /// The name that a leaf gets; none where it is dropped.
    pub fn apply(&self, name: &str) -> Option<String> {
        for rule in &self.rules {
            let mut found = Vec::new();
            if !fits(&rule.from, name, &mut found) {
                continue;
            }
            let mut found = found.into_iter();
            let part = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::One | Piece::Many => found.next().unwrap_or_default(),
            };
            return rule.to.as_ref().map(|to| to.iter().map(part).collect());
        }
        Some(name.to_owned())
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('*') {
        if at > 0 {
            pieces.push(Piece::Text(rest[..at].to_owned()));
        }
        let many = rest[at..].starts_with("**");
        pieces.push(if many { Piece::Many } else { Piece::One });
        rest = &rest[at + 1 + usize::from(many)..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}

/// Whether a name is made of these pieces, and the texts of its stars: each star takes as little as it can.
fn fits(pieces: &[Piece], name: &str, found: &mut Vec<String>) -> bool {
    let Some((first, others)) = pieces.split_first() else { return name.is_empty() };
    let many = match first {
        Piece::Text(text) => {
            return name.strip_prefix(text.as_str()).is_some_and(|rest| fits(others, rest, found));
        }
        Piece::One => false,
        Piece::Many => true,
    };
    let depth = found.len();
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    // A star stands for one character at least.
    for end in ends.skip(1) {
        if !many && name[..end].contains('.') {
            break;
        }
        found.push(name[..end].to_owned());
        if fits(others, &name[end..], found) {
            return true;
        }
        found.truncate(depth);
    }
    false
}
