use jarrah_base::Result;
use llguidance::api::TopLevelGrammar;
use serde_json::{Value, json};

use crate::grammar::{self, Lark, Numbers};
use crate::limits;
use crate::tools::{Tool, ToolChoice, ToolFormat};
use crate::vocabulary::MaskVocabulary;

/// A constraint on outputs.
///
/// Whatever is refused is refused by [`Matcher::new`](crate::Matcher::new), in words. Schemas, grammars and choices have at most a megabyte, regular
/// expressions 64 kilobytes, and neither nest deeper than 128 values or 64 groups, nor repeat more than 100 000 times.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// A value that a JSON schema (draft 2020-12 and before) describes.
    ///
    /// Properties come in the order in which the schema has them; what `additionalProperties` or `patternProperties` allow comes behind them. Between
    /// the parts of a value there may be a space, a tab, or a line break with up to 64 spaces and tabs, so that an output that is bounded
    /// otherwise stays so; `"x-guidance": {"whitespace_pattern": ..}` in the schema sets another pattern. A `format` is enforced. A `oneOf` whose
    /// alternatives may hold at once is refused, as are `not`, `if`, `contains`, `uniqueItems`, `propertyNames`, `dependencies` and what is
    /// `unevaluated`. References are within the schema. Numbers keep every digit; one that `serde_json` does not hold is an object
    /// `{"$jarrah.number": "18446744073709551616"}` here.
    JsonSchema(Value),
    /// Any JSON object.
    JsonObject,
    /// A text that the regular expression matches as a whole. The syntax is that of Rust's `regex` crate: there are no lookarounds and no
    /// references to groups. As in Python, `&&` in a class is two characters, and so it is in the patterns of JSON schemas, in which `[]` matches
    /// nothing and `[^]` any character.
    Regex(String),
    /// One of these texts.
    Choice(Vec<String>),
    /// A text of a grammar: EBNF as llama.cpp (GBNF) and XGrammar write it, where a rule is `name ::= ..` and the first `root`, or Lark as
    /// `llguidance` reads it, where a rule is `name: ..` and the first `start`.
    ///
    /// In EBNF what is not recursive is taken as a regular expression. Where such a part stands before a recursive rule, it takes as many
    /// characters as it can: what would need it to take fewer is refused by the mask.
    Grammar(String),
    /// Free text in which certain words begin parts of a given form: the tags of XGrammar and vLLM, as `{"triggers": [..], "structures": [{"begin",
    /// "schema", "end"}]}` or as `{"type": "structural_tag", "format": {..}}`.
    StructuralTag(Value),
    /// Calls of tools in the form of a family of models; see [`tools::constraint`](crate::tools::constraint).
    ToolCalls {
        /// The form.
        format: ToolFormat,
        /// The tools that there are.
        tools: Vec<Tool>,
        /// Which of them may or must be called. `Auto` allows free text before, between and behind calls.
        choice: ToolChoice,
        /// Whether there may be more calls than one.
        parallel: bool,
    },
}

impl Constraint {
    /// The constraint's name in errors.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Constraint::JsonSchema(_) => "the JSON schema",
            Constraint::JsonObject => "the JSON object",
            Constraint::Regex(_) => "the regular expression",
            Constraint::Choice(_) => "the choices",
            Constraint::Grammar(_) => "the grammar",
            Constraint::StructuralTag(_) => "the structural tag",
            Constraint::ToolCalls { .. } => "the tools",
        }
    }

    /// The grammar for the parser of tokens, and the expressions of the numbers in it.
    pub(crate) fn grammar(&self, vocabulary: &MaskVocabulary) -> Result<(TopLevelGrammar, Numbers)> {
        let schema = |schema: &Value| {
            let mut work = grammar::Work::default();
            let schema = grammar::schema(schema, &mut work)?;
            Ok((TopLevelGrammar::from_json_schema(schema), work.numbers))
        };
        let plain = |grammar: TopLevelGrammar| Ok((grammar, Numbers::default()));
        let lark = |(text, numbers): (String, Numbers)| Ok((TopLevelGrammar::from_lark(text), numbers));
        match self {
            Constraint::JsonSchema(value) => schema(value),
            Constraint::JsonObject => schema(&json!({"type": "object"})),
            Constraint::Regex(pattern) => {
                plain(TopLevelGrammar::from_regex(&grammar::pattern(pattern, grammar::Dialect::Python)?))
            }
            Constraint::Choice(choices) => {
                limits::size("the choices", choices.iter().map(String::len).sum(), limits::MOST_BYTES)?;
                plain(TopLevelGrammar::from_lark(grammar::choice(choices)?))
            }
            Constraint::Grammar(text) => {
                limits::size("the grammar", text.len(), limits::MOST_BYTES)?;
                plain(TopLevelGrammar::from_lark(match grammar::is_ebnf(text) {
                    true => {
                        let (root, rules) = grammar::ebnf(text, "")?;
                        format!("start: {root}\n{rules}")
                    }
                    false => grammar::lark(text)?,
                }))
            }
            Constraint::StructuralTag(value) => {
                grammar::shallow(value, self.what())?;
                limits::size(self.what(), value.to_string().len(), limits::MOST_BYTES)?;
                let mut rules = Lark::new(vocabulary);
                let body = grammar::tags(&mut rules, value)?;
                lark(rules.finish(&body))
            }
            Constraint::ToolCalls { format, tools, choice, parallel } => {
                let mut rules = Lark::new(vocabulary);
                let body = crate::tools::grammar(&mut rules, *format, tools, choice, *parallel)?;
                lark(rules.finish(&body))
            }
        }
    }
}
