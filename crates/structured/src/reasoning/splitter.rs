use super::{Beginning, ReasoningFormat};
use crate::tools::parse::Watch;

/// The part of an output that a character belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Reasoning,
    Content,
}

/// Divides a text by the marks of reasoning, character by character.
#[derive(Clone)]
pub(crate) enum Splitter {
    /// A mark may begin the reasoning; white space before it is held.
    Start { format: ReasoningFormat, inside: bool, held: String },
    /// Reasoning, until one of the marks.
    Inside(Watch),
    /// Content, to the end.
    After,
}

impl Splitter {
    /// For outputs with reasoning of a format, and where they begin; or without.
    pub fn new(reasoning: Option<(ReasoningFormat, Beginning)>) -> Splitter {
        match reasoning {
            None | Some((_, Beginning::After)) => Splitter::After,
            Some((format, beginning)) => {
                Splitter::Start { format, inside: beginning == Beginning::Inside, held: String::new() }
            }
        }
    }

    /// Whether the reasoning may go on.
    pub fn is_open(&self) -> bool {
        match self {
            Splitter::Start { inside, held, .. } => *inside || !held.trim_start().is_empty(),
            Splitter::Inside(_) => true,
            Splitter::After => false,
        }
    }

    /// Takes a character, and gives the characters whose side is now certain.
    pub fn push(&mut self, c: char, give: &mut impl FnMut(Side, char)) {
        match self {
            Splitter::Start { format, inside, held } => {
                held.push(c);
                let begun = held.trim_start();
                if format.begins().contains(&begun) {
                    *self = Splitter::Inside(Watch::new(format.ends()));
                } else if !format.begins().iter().any(|mark| mark.starts_with(begun)) {
                    let held = std::mem::take(held);
                    *self = match inside {
                        true => Splitter::Inside(Watch::new(format.ends())),
                        false => Splitter::After,
                    };
                    held.chars().for_each(|c| self.push(c, give));
                }
            }
            Splitter::Inside(watch) => {
                let (text, mark) = watch.push(c);
                text.chars().for_each(|c| give(Side::Reasoning, c));
                if mark.is_some() {
                    *self = Splitter::After;
                }
            }
            Splitter::After => give(Side::Content, c),
        }
    }

    /// Gives what was held, where the output ends.
    pub fn finish(&mut self, give: &mut impl FnMut(Side, char)) {
        let (side, text) = match std::mem::replace(self, Splitter::After) {
            Splitter::Start { inside, held, .. } => {
                (if inside { Side::Reasoning } else { Side::Content }, held)
            }
            Splitter::Inside(mut watch) => (Side::Reasoning, watch.finish()),
            Splitter::After => return,
        };
        text.chars().for_each(|c| give(side, c));
    }
}
