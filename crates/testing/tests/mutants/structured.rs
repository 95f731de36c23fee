use std::sync::Arc;

use jarrah_structured::{
    Constraint, MaskVocabulary, Matcher, OutputParser, TokenMask, Tool, ToolChoice, ToolFormat,
};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};
use serde_json::json;

use super::*;

/// What means something in grammars and regular expressions, or may run away.
const WORDS: [&str; 44] = [
    "::=", ":", "|", "(", ")", "[", "]", "{", "}", "*", "+", "?", "{1,1000}", "{99999}", "{,5}", "~", "&",
    "\"", "\"a\"", "''", "/", "/a/", "\\", "\\d", "\\p{L}", "\\u0041", "\\x", "[^\"]", "[a-z]", ".*",
    "(?s:.)", "^", "$", "(?i)", "root", "start", "value", "TEXT", "%json {}", "%ignore", "%regex", "[lazy]",
    "<[3]>", "\n",
];

const GRAMMARS: [&str; 4] = [
    "root ::= value\nvalue ::= object | \"[\" (value (\",\" value)*)? \"]\" | string | [0-9]+\nobject ::= \"{\" (string \":\" value)? \"}\"\n\
     string ::= \"\\\"\" ([^\"\\\\] | \"\\\\\" [nrt\"])* \"\\\"\" # a comment\n",
    "root ::= sum{1,3}\nsum ::= sum \"+\" term | term\nterm ::= [a-z]+ | \"(\" sum \")\"\n",
    "start: expr\nexpr: expr (\"+\" | \"-\") NUMBER | NUMBER | call\ncall[lazy]: /(.|\\n)*/ \"<f>\"\nNUMBER: /[0-9]{1,3}/ & ~/0+/\n%ignore / /\n",
    "start: a b?\na: %json {\"type\": \"object\"}\nb: \"x\"{2,4} <[5]> | %regex {\"substring_words\": \"a b c\"}\n",
];

const PATTERNS: [&str; 4] = [
    "^[a-z]+@[a-z]{2,9}\\.(com|org)$",
    "(\\d{4})-(0[1-9]|1[0-2])(T\\d\\d:\\d\\d)?",
    "(?i)größe|[^\\x00-\\x7f]*\\w\\s\\b",
    "((a|b)*c{3,40}){1,7}",
];

fn schemas() -> Vec<Value> {
    vec![
        json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 9, "minLength": 1}, "b": {"type": "integer", "minimum": -3, "maximum": 400},
            "c": {"type": "array", "items": {"enum": ["x", 1, null]}, "minItems": 1, "maxItems": 5}}, "required": ["a", "b"], "additionalProperties": false}),
        json!({"$defs": {"node": {"type": "object", "properties": {"v": {"type": "number", "multipleOf": 0.5}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
            "required": ["next"]}}, "$ref": "#/$defs/node"}),
        json!({"oneOf": [{"type": "string", "pattern": "^a+$"}, {"type": "array", "prefixItems": [{"const": 1}], "items": false}], "allOf": [{"minLength": 2}]}),
        json!({"type": "object", "patternProperties": {"^x[0-9]+$": {"type": "string", "format": "date-time"}}, "additionalProperties": {"type": "boolean"},
            "minProperties": 1, "maxProperties": 3}),
        json!({"x-guidance": {"whitespace_pattern": " ?", "item_separator": ","}, "type": ["object", "string"], "properties": {"k": {"format": "email"}}}),
    ]
}

fn reword(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        let end = text.floor_char_boundary((at + random.below(20)).min(text.len())).max(at);
        match random.below(5) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, WORDS[random.below(WORDS.len())]),
            2 => text.replace_range(at..end, WORDS[random.below(WORDS.len())]),
            3 => {
                let from = other.floor_char_boundary(random.below(other.len()));
                let to = other.floor_char_boundary((from + random.below(40)).min(other.len())).max(from);
                text.replace_range(at..end, &other[from..to]);
            }
            _ => {
                let copy = text[at..end].repeat(1 + random.below(9));
                text.insert_str(at, &copy);
            }
        }
    }
    text
}

struct World {
    tokenizer: Tokenizer,
    vocabulary: Arc<MaskVocabulary>,
}

impl World {
    fn new() -> World {
        let text =
            "{\"name\": \"x\", \"a\": [1, 2, true, null]} the quick brown fox + (1 - 2) <f>\n".repeat(40);
        let tokenizer = train(&[text], &TrainOptions::new(400)).unwrap();
        let vocabulary =
            MaskVocabulary::new(&tokenizer, &[tokenizer.eos_id().unwrap()], tokenizer.vocab_size()).unwrap();
        World { tokenizer, vocabulary: Arc::new(vocabulary) }
    }

    /// Compiles a constraint and lets a model say a few tokens; gives what it said.
    fn says(&self, constraint: &Constraint, random: &mut Random) -> Result<String, Error> {
        let mut matcher = Matcher::new(&self.vocabulary, constraint)?;
        let (mut mask, mut tokens) = (TokenMask::default(), Vec::new());
        while tokens.len() < 12 && !matcher.is_finished() {
            matcher.mask(&mut mask)?;
            let token = mask.iter().nth(random.below(mask.count())).unwrap();
            assert_eq!(matcher.accepted(&[token]), 1, "the mask has {token}");
            matcher.push(token)?;
            tokens.push(token);
        }
        self.tokenizer.decode(&tokens, true)
    }
}

fn trial(count: usize, attempt: impl FnMut(usize, &mut Random) -> Result<&'static str, String>) {
    let counts = Trial::run(LIMITS, count, attempt);
    assert!(counts["read"] > 0 && counts["refused"] > 0, "{counts:?}");
}

#[test]
fn damaged_schemas_do_no_harm() {
    alone_within("mutants::structured::damaged_schemas_do_no_harm", Some(SPACE), || {
        let (world, schemas) = (World::new(), schemas());
        trial(1500, |number, random| {
            let mut schema = schemas[number % schemas.len()].clone();
            change(&mut schema, random);
            if number.is_multiple_of(3) {
                let constraint = Constraint::StructuralTag(
                    json!({"structures": [{"begin": "<f>", "schema": schema, "end": "</f>"}], "triggers": ["<f"]}),
                );
                return judged(world.says(&constraint, random).map(drop), "");
            }
            judged(world.says(&Constraint::JsonSchema(schema), random).map(drop), "the JSON schema")
        });
    });
}

#[test]
fn damaged_grammars_and_patterns_do_no_harm() {
    alone_within("mutants::structured::damaged_grammars_and_patterns_do_no_harm", Some(SPACE), || {
        let world = World::new();
        trial(2000, |number, random| {
            let texts = if number.is_multiple_of(2) { GRAMMARS } else { PATTERNS };
            let text = reword(texts[number / 2 % 4], texts[number / 11 % 4], random);
            let constraint = match number % 4 {
                0 | 2 => Constraint::Grammar(text),
                1 => Constraint::Regex(text),
                _ => Constraint::JsonSchema(json!({"type": "string", "pattern": text, "maxLength": 30})),
            };
            judged(world.says(&constraint, random).map(drop), "")
        });
    });
}

/// Tags, tools and what a model says of them, cut anywhere.
#[test]
fn damaged_tools_and_calls_do_no_harm() {
    alone_within("mutants::structured::damaged_tools_and_calls_do_no_harm", Some(SPACE), || {
        let (world, schemas) = (World::new(), schemas());
        let formats: Vec<ToolFormat> = ToolFormat::all().collect();
        trial(1500, |number, random| {
            let mut tools = json!([{"type": "function", "function": {"name": "f", "parameters": schemas[number % 2]}}, {"name": "g"}]);
            change(&mut tools, random);
            let format = formats[number % formats.len()];
            let said = Tool::list(&tools).and_then(|tools| {
                let choice = if number.is_multiple_of(3) { ToolChoice::Auto } else { ToolChoice::Required };
                let constraint =
                    Constraint::ToolCalls { format, tools: tools.clone(), choice, parallel: true };
                Ok((world.says(&constraint, random)?, tools))
            });
            judged(
                said.map(|(text, tools)| {
                    let text =
                        reword(&text, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"\\u00", random);
                    let new = || OutputParser::new(None, Some(format), &tools, 1);
                    let whole = new().parse(&text);
                    let mut parser = new();
                    let mut message = jarrah_structured::Message::default();
                    for c in text.chars() {
                        parser.push(c.encode_utf8(&mut [0; 4])).iter().for_each(|delta| message.add(delta));
                    }
                    parser.finish().iter().for_each(|delta| message.add(delta));
                    assert_eq!(message, whole, "{text:?}");
                }),
                "",
            )
        });
    });
}
