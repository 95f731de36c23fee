use std::collections::{BTreeMap, HashMap, HashSet};

use jarrah_base::{Error, Result, Type};

use super::rules::{Fit, LeafRules, Rule, name_of};
use super::view::View;

/// A leaf that rules have made, or left as it is.
pub struct Transformed {
    pub name: String,
    pub content: Source,
}

/// The content of a leaf.
pub enum Source {
    /// The content of the leaf of this number.
    Leaf(usize),
    View(View),
}

/// The leaves that a rule makes one or more leaves of.
struct Group<'r> {
    rule: &'r Rule,
    fit: Fit,
    /// The numbers of the leaves, by their places in `FROM` and their numbers there.
    members: BTreeMap<(usize, Option<usize>), usize>,
}

enum Made {
    Leaf(String, usize),
    /// The group of this number.
    Group(usize),
}

impl LeafRules {
    /// The lines of the rules that fit none of these leaves, or none that an earlier rule has left.
    pub fn unused(&self, leaves: &[(String, Option<Type>)]) -> Vec<usize> {
        let first =
            |(name, _): &(String, Option<Type>)| self.rules.iter().find(|rule| rule.fit(name).is_some());
        let used: HashSet<usize> = leaves.iter().filter_map(first).map(|rule| rule.line).collect();
        let rules = self.rules.iter().filter(|rule| !rule.from.is_empty() && !used.contains(&rule.line));
        rules.map(|rule| rule.line).collect()
    }

    /// The leaves that the rules make of these, and the numbers of those that they drop.
    ///
    /// # Errors
    /// A leaf that a rule needs is missing, its type does not allow a step, or two leaves get one name (`Input`).
    pub fn apply(&self, leaves: &[(String, Option<Type>)]) -> Result<(Vec<Transformed>, Vec<usize>)> {
        let (mut made, mut dropped) = (Vec::new(), Vec::new());
        let (mut groups, mut known) = (Vec::<Group<'_>>::new(), HashMap::new());
        for (number, (name, _)) in leaves.iter().enumerate() {
            let found = self.rules.iter().find_map(|rule| Some((rule, rule.fit(name)?)));
            let Some((rule, (at, fit))) = found else {
                made.push(Made::Leaf(name.clone(), number));
                continue;
            };
            if rule.to.is_empty() {
                dropped.push(number);
                continue;
            }
            if rule.is_rename() {
                made.push(Made::Leaf(name_of(&rule.to[0], &fit), number));
                continue;
            }
            let Fit { stars, number: place } = fit;
            let fit = Fit { stars, number: None };
            let group = *known.entry((rule.line, fit.clone())).or_insert_with(|| {
                made.push(Made::Group(groups.len()));
                groups.push(Group { rule, fit, members: BTreeMap::new() });
                groups.len() - 1
            });
            if let Some(other) = groups[group].members.insert((at, place), number) {
                let other = &leaves[other].0;
                return Err(rule.error(format!("{other} and {name} have one place in a leaf")));
            }
        }
        let mut all = Vec::new();
        for of in made {
            match of {
                Made::Leaf(name, number) => all.push(Transformed { name, content: Source::Leaf(number) }),
                Made::Group(group) => groups[group].make(leaves, &mut all)?,
            }
        }
        for rule in self.rules.iter().filter(|rule| rule.from.is_empty()) {
            Group { rule, fit: Fit::default(), members: BTreeMap::new() }.make(leaves, &mut all)?;
        }
        let mut names = HashSet::new();
        match all.iter().find(|leaf| !names.insert(leaf.name.as_str())) {
            Some(twice) => Err(Error::input(format!("two leaves are called {:?}", twice.name))
                .op("rules")
                .help("change the rules, or drop one with `NAME -> -`")),
            None => Ok((all, dropped)),
        }
    }
}

impl Rule {
    fn error(&self, message: String) -> Error {
        Error::input(message).op("rules").context(format!("by line {} of the rules", self.line))
    }
}

impl Group<'_> {
    /// Adds the leaves that the rule makes.
    fn make(&self, leaves: &[(String, Option<Type>)], all: &mut Vec<Transformed>) -> Result<()> {
        let Group { rule, fit, members } = self;
        let name = |pieces: &[_], number| name_of(pieces, &Fit { stars: fit.stars.clone(), number });
        let wanted = rule.to.iter().map(|pieces| name(pieces, None)).collect::<Vec<_>>().join(", ");
        for (at, pieces) in rule.from.iter().enumerate() {
            let places: Vec<Option<usize>> =
                members.keys().filter(|key| key.0 == at).map(|key| key.1).collect();
            let has_numbers = places.iter().any(|place| place.is_some());
            let expected = (0..places.len().max(1)).map(|number| has_numbers.then_some(number));
            if let Some(missing) = expected.into_iter().find(|place| !places.contains(place)) {
                return Err(rule.error(format!(
                    "the leaf {} is missing: {wanted} is made of it",
                    name(pieces, missing)
                )));
            }
        }
        let view = |&number: &usize| match &leaves[number] {
            (_, Some(ty)) => Ok(View::Leaf(number, *ty)),
            (name, None) => Err(rule.error(format!(
                "{name} is a text, or of a type that is not read: {wanted} cannot be made of it"
            ))),
        };
        let mut views: Vec<View> = members.values().map(view).collect::<Result<_>>()?;
        for step in &rule.steps {
            views = step.apply(views, rule.to.len()).map_err(|why| rule.error(format!("{wanted} {why}")))?;
        }
        let unstacks =
            matches!(rule.to.as_slice(), [pieces] if pieces.contains(&super::rules::Piece::Number));
        for (number, view) in views.into_iter().enumerate() {
            let pieces = if unstacks { &rule.to[0] } else { &rule.to[number] };
            all.push(Transformed {
                name: name(pieces, unstacks.then_some(number)),
                content: Source::View(view),
            });
        }
        Ok(())
    }
}
