use jarrah_structured::Constraint;
use serde_json::json;

use super::world::{Random, TOKENIZER, VOCABULARY, matcher, output, refused, takes};

fn grammar(text: &str) -> Constraint {
    Constraint::Grammar(text.to_owned())
}

/// A grammar, texts that it has, and texts that it has not.
fn check(constraint: &Constraint, has: &[&str], has_not: &[&str]) {
    for text in has {
        assert!(takes(constraint, text), "{constraint:?} refuses {text:?}");
    }
    for text in has_not {
        assert!(!takes(constraint, text), "{constraint:?} takes {text:?}");
    }
}

#[test]
fn a_regular_expression_is_the_whole_text() {
    let regex = |pattern: &str| Constraint::Regex(pattern.to_owned());
    check(&regex("[a-z]+@[a-z]+\\.com"), &["ann@site.com"], &["ann@site.com ", "ann", "x ann@site.com"]);
    check(&regex("(yes|no)!{0,3}"), &["yes", "no!!!"], &["no!!!!", "maybe"]);
    check(&regex("a/b|c"), &["a/b", "c"], &["a", "a/c"]);
    check(
        &regex("(?i)größe|\\d{4}-\\d\\d"),
        &["GRÖSSE".replace("SS", "ß").as_str(), "2024-02"],
        &["groesse"],
    );
    check(&regex(""), &[""], &["a"]);
    check(&regex("[a&&b]x&&y"), &["ax&&y", "&x&&y", "bx&&y"], &["x&&y"]);
    check(&regex("[^a&&b]"), &["c"], &["a", "&", "b"]);
    check(&regex("[]&&a]+"), &["]&a"], &["b"]);
    // Patterns of JSON schemas are ECMA's.
    let schema = |pattern: &str| Constraint::JsonSchema(json!({"type": "string", "pattern": pattern}));
    check(&schema("^[a&&b]$"), &["\"a\"", "\"&\"", "\"b\""], &["\"&&\"", "\"\""]);
    check(&schema("^[^]{2}$"), &["\"a]\"", "\"\\nx\""], &["\"a\""]);
    check(&schema("^(a|[]b)$"), &["\"a\""], &["\"b\"", "\"]b\""]);
    let named = json!({"type": "object", "patternProperties": {"^[k&&l]$": {"type": "null"}}, "additionalProperties": false});
    check(&Constraint::JsonSchema(named), &["{\"&\":null}"], &["{\"m\":null}"]);
}

#[test]
fn a_choice_is_one_of_the_texts() {
    let choice = |all: &[&str]| Constraint::Choice(all.iter().map(|text| (*text).to_owned()).collect());
    check(
        &choice(&["red", "redder", "grün\n\"x\"", "a\\b"]),
        &["red", "redder", "grün\n\"x\"", "a\\b"],
        &["re", "", "reddest"],
    );
    check(&choice(&["", "a"]), &["", "a"], &["b"]);
    check(&choice(&[""]), &[""], &["b"]);
}

const JSON: &str = r#"
# A value.
root   ::= ws value
value  ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
array  ::=
  "[" ws (
    value
    ("," ws value)*
  )? "]" ws
string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,2})? ws
ws ::= | " " | "\n" [ \t]{0,20}
"#;

#[test]
fn ebnf_is_read_as_llama_cpp_reads_it() {
    check(
        &grammar(JSON),
        &[
            "{}",
            "[]",
            "{\"a\": [1, -2.5e3, {\"b\\n\": \"\\u00e4日本\"}], \"c\": null}",
            " true",
            "[[[1]],\n  2]",
        ],
        &["{", "[1,]", "{\"a\" 1}", "01a", "\"\n\"", "nul"],
    );
    let mut random = Random(3);
    let state = matcher(&grammar(JSON));
    for _ in 0..20 {
        let text = output(&state, &mut random, 60).text;
        if let Err(error) = serde_json::from_str::<serde_json::Value>(&text) {
            assert!(error.to_string().contains("out of range") || text.contains("\\u"), "{text:?}: {error}");
        }
    }
    // What is regular is a regular expression: the class gives back what the text behind it needs.
    check(&grammar("root ::= [a-z]+ \"abc\" tail\ntail ::= [0-9]?"), &["xabc", "abcabc7"], &["abc", "xab"]);
    check(
        &grammar("root ::= 'a' x{2} . | [^\\n\\]]* \"\\x41\\u00e4\\U0001F980\"\nx ::= \"bc\" | ()"),
        &["abcbcz", "abc日", "az", "xyAä🦀"],
        &["abcbc日x", "]Aä🦀"],
    );
    let list = "root ::= \"(\" items \")\"\nitems ::= item | item \",\" items\nitem ::= [0-9]+ | root";
    check(&grammar(list), &["(1)", "(1,(2,3),44)"], &["()", "(1", "(1,)"]);
    let left = "root ::= sum\nsum ::= sum \"+\" term | term\nterm ::= [0-9]+ | \"(\" sum \")\"";
    check(&grammar(left), &["1+2", "(1+2)+33"], &["+", "1+", "(1"]);
}

#[test]
fn lark_is_told_from_ebnf() {
    let lark = "start: expr\nexpr: expr (\"+\" | \"-\") NUMBER | NUMBER\nNUMBER: /[0-9]{1,3}/  // a comment\n%ignore / /\n";
    check(&grammar(lark), &["1 + 2-3", "12"], &["1 +", "1234", "a"]);
    check(&grammar("start: \"a ::= b\""), &["a ::= b"], &["a"]);
    // Neither is a count of repetitions, and brackets in texts and classes are no groups.
    check(
        &grammar("start: %json {\"enum\": [1, 2000000]} | \"{x,2000000}\""),
        &["2000000", "{x,2000000}"],
        &["2"],
    );
    check(&grammar(&format!("start: {}", "\"(\" /[(]/ ".repeat(50))), &["(".repeat(100).as_str()], &["("]);
}

#[test]
fn what_is_wrong_in_a_grammar_is_said_with_its_line() {
    for (text, words) in [
        ("root ::= \"a\" |\nx ::= y", "the rule `x` of the grammar uses `y`"),
        ("a ::= \"b\"", "has no rule `root`"),
        ("root ::= \"a\"\nroot ::= \"b\"", "line 2 of the grammar defines `root` again"),
        ("root ::= (\"a\"", "line 1 of the grammar does not close a group"),
        ("root ::= \"a\"\n  \"b", "line 2 of the grammar ends within a text"),
        ("root ::= \"a\"{3,1}", "which is never"),
        ("root ::= \"a\"{x}", "which is no count"),
        ("root ::= [b-a]", "which is before it"),
        ("root ::= []", "without characters"),
        ("root ::= \"\\x4\"", "hexadecimal digits"),
        ("root ::= a\n= \"b\"", "line 2"),
        ("root ::= \"a\" )", "closes a group that is not open"),
        ("start: a\nb: \"x\"", "a"),
        ("start: \"a\nb", "the grammar"),
        ("start: /(/", "the grammar"),
    ] {
        let error = refused(&grammar(text));
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn structural_tags_begin_where_a_trigger_stands() {
    let old = Constraint::StructuralTag(json!({
        "structures": [
            {"begin": "<function=add>", "schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "end": "</function>"},
            {"begin": "<function=now>", "schema": {"type": "object", "additionalProperties": false}, "end": "</function>"}],
        "triggers": ["<function="]}));
    check(
        &old,
        &[
            "",
            "Just text, x < y.",
            "Let me: <function=add>{\"a\": 1}</function> and <function=now>{}</function>.",
            "<function=now>{}</function>",
        ],
        &["<function=sub>{}</function>", "<function=add>{}</function>", "<function=now>{}</functio"],
    );
    let tag = |begin: &str, content: serde_json::Value, end: &str| json!({"type": "tag", "begin": begin, "content": content, "end": end});
    let integer = json!({"type": "json_schema", "json_schema": {"type": "integer"}});
    let new = |format: serde_json::Value| {
        Constraint::StructuralTag(json!({"type": "structural_tag", "format": format}))
    };
    check(
        &new(
            json!({"type": "triggered_tags", "triggers": ["<a", "<b"], "at_least_one": true, "stop_after_first": true,
            "tags": [tag("<a>", integer.clone(), "</a>"), tag("<b>", json!({"type": "any_text"}), "</b>")]}),
        ),
        &["x <a>12</a>", "<b>any < thing</b>"],
        &["x", "<a>1</a> ", "<b>"],
    );
    check(
        &new(json!({"type": "sequence", "elements": [
            tag("<think>", json!({"type": "any_text"}), "</think>"),
            {"type": "or", "elements": [{"type": "const_string", "value": "yes"}, {"type": "regex", "pattern": "[0-9]/[0-9]"},
                {"type": "grammar", "grammar": "root ::= \"<\" root \">\" | \"x\""}]}]})),
        &["<think>well\n</think>yes", "<think></think>1/2", "<think>a</think><<x>>"],
        &["yes", "<think></think>no", "<think></think><x"],
    );
    check(
        &new(json!({"type": "tags_with_separator", "separator": ", ", "at_least_one": true,
            "tags": [tag("<n>", integer, "</n>")]})),
        &["<n>1</n>", "<n>1</n>, <n>22</n>"],
        &["", "<n>1</n>, ", "<n>1</n><n>2</n>"],
    );
    for (value, words) in [
        (json!({}), "neither `structures` nor a `format`"),
        (json!({"format": {"type": "x"}}), "known are const_string"),
        (
            json!({"structures": [{"begin": "<f>", "schema": {}, "end": ""}], "triggers": ["<g"]}),
            "no trigger",
        ),
        (json!({"format": tag("<a>", json!({"type": "any_text"}), "")}), "never comes"),
        (json!({"format": {"type": "tag", "begin": "x", "content": {"type": "any_text"}}}), "no `end`"),
    ] {
        let error = refused(&Constraint::StructuralTag(value.clone()));
        assert!(error.contains(words), "{value}: {error}");
    }
}

/// A special token is a token of its own: no text has it, and a literal of its name needs it.
#[test]
fn special_tokens_are_no_text() {
    let mut state = matcher(&Constraint::Regex("(?s:.*)".to_owned()));
    for name in ["<tool_call>", "<|im_end|>", "[TOOL_CALLS]"] {
        let id = TOKENIZER.token_id(name).unwrap();
        assert_eq!(VOCABULARY.special(name), Some(id));
        let is_end = VOCABULARY.ends().contains(&id);
        assert_eq!(state.accepted(&[id]), usize::from(is_end), "{name}");
    }
    assert_eq!(VOCABULARY.special("tool"), None);
}
