use jarrah_structured::{Constraint, MaskVocabulary, Matcher, TokenMask};
use serde_json::{Value, json};

use super::world::{Random, TOKENIZER, VOCABULARY, asked, matcher, output, takes};

/// Schemas whose outputs are bounded: whatever a model says, it stops.
fn bounded() -> Vec<Value> {
    vec![
        json!({"enum": ["red", "green", "blue"]}),
        json!({"const": {"a": [1, "x", null]}}),
        json!({"enum": [1, "1", null, true, [1], {"a": "ü"}]}),
        json!({"type": "boolean"}),
        json!({"type": "null"}),
        json!({"type": ["boolean", "null"]}),
        json!({"type": "integer", "minimum": -40, "maximum": 1234}),
        json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 100, "multipleOf": 5}),
        json!({"type": "string", "maxLength": 7}),
        json!({"type": "string", "minLength": 2, "maxLength": 4}),
        json!({"type": "string", "pattern": "^[a-c]{2,6}(-[0-9]{1,3})?$"}),
        json!({"type": "string", "format": "uuid"}),
        json!({"type": "string", "format": "date"}),
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 4}),
        json!({"type": "array", "prefixItems": [{"const": "x"}, {"type": "integer", "minimum": 0, "maximum": 9}], "items": false, "minItems": 2}),
        json!({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"enum": ["x", "y"]}, "c": {"type": "null"}},
            "required": ["b"], "additionalProperties": false}),
        json!({"type": "object", "properties": {"color": {"enum": ["röt", "日本", "🦀"]}, "size": {"type": "integer", "minimum": 1, "maximum": 99},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 3}},
            "required": ["color", "size", "tags"], "additionalProperties": false}),
        json!({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "integer", "minimum": 0, "maximum": 7}, {"type": "null"}]}),
        json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer", "minimum": 0, "maximum": 5}},
                "required": ["kind", "n"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "b"}, "s": {"type": "string", "maxLength": 2}},
                "required": ["kind", "s"], "additionalProperties": false}]}),
        json!({"$defs": {"point/2": {"type": "object", "properties": {"x": {"$ref": "#/$defs/small"}, "y": {"$ref": "#/$defs/small"}},
                "required": ["x", "y"], "additionalProperties": false}, "small": {"$anchor": "tiny", "type": "integer", "minimum": 0, "maximum": 20}},
            "type": "object", "properties": {"from": {"$ref": "#/$defs/point~12"}, "to": {"$ref": "#/$defs/point~12"}, "weight": {"$ref": "#tiny"}},
            "required": ["from", "to"], "additionalProperties": false}),
    ]
}

/// Schemas whose outputs have no bound.
fn open() -> Vec<Value> {
    vec![
        json!(true),
        json!({"type": "object"}),
        json!({"type": "string"}),
        json!({"type": "number"}),
        json!({"type": "number", "minimum": -1.5, "maximum": 3.25}),
        json!({"type": "integer", "minimum": 1000}),
        json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "object",
            "properties": {"c": {"type": "string"}}, "required": ["c"]}}, "required": ["b"]}}, "required": ["a"]}),
        json!({"$defs": {"node": {"type": "object", "properties": {"value": {"type": "integer"},
            "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}, "required": ["value", "next"], "additionalProperties": false}},
            "$ref": "#/$defs/node"}),
        json!({"type": "object", "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
            "required": ["name"], "additionalProperties": false}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "patternProperties": {"^k[0-9]+$": {"type": "boolean"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id", "extra"], "additionalProperties": {"type": "string"}}),
        json!({"anyOf": [{"type": "string", "minLength": 3}, {"type": "array", "items": {"type": "number"}, "minItems": 2}]}),
        json!({"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}]}),
        json!({"type": "object", "properties": {"mail": {"type": "string", "format": "email"}, "when": {"type": "string", "format": "date-time"},
            "host": {"type": "string", "format": "ipv4"}}, "required": ["mail", "when", "host"], "additionalProperties": false}),
        json!({"type": "string", "pattern": "^(ab+|[^\\x00-\\x7f]*)\\d$"}),
        json!({"type": "object", "properties": {"größe": {"type": "number"}, "日本": {"type": "string"}, "a\"b\\c": {"type": "null"}},
            "required": ["größe", "日本", "a\"b\\c"], "additionalProperties": false}),
        json!({"type": ["object", "array"], "properties": {"x": {"enum": [1, 2]}}, "items": {"type": "string"}, "maxItems": 5}),
        json!({"definitions": {"e": {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/definitions/e"}, "minItems": 1}]}},
            "type": "object", "properties": {"e": {"$ref": "#/definitions/e"}, "more": true}, "required": ["e"]}),
    ]
}

/// Ten thousand outputs where `JARRAH_OUTPUTS=10000`: each is valid by another library's judgement when the model ends it.
#[test]
fn whatever_a_model_says_is_valid() {
    let (bounded, open) = (bounded(), open());
    assert_eq!((bounded.len(), open.len()), (20, 20));
    let each = asked("JARRAH_OUTPUTS", 400).div_ceil(40);
    let mut random = Random(11);
    let mut stopped = 0;
    for (number, schema) in bounded.iter().chain(&open).enumerate() {
        let judge = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
        let matcher = matcher(&Constraint::JsonSchema(schema.clone()));
        let is_bounded = number < bounded.len();
        for _ in 0..each {
            let most = if is_bounded { 1500 } else { 60 };
            let output = output(&matcher, &mut random, most);
            let value: Value = match serde_json::from_str(&output.text) {
                Ok(value) => value,
                // JSON has no largest number; the reader of this test has.
                Err(error) if error.to_string().contains("out of range") => continue,
                Err(error) => panic!("{schema}: {:?} is no JSON: {error}", output.text),
            };
            if let Err(error) = judge.validate(&value) {
                panic!("{schema}: {:?}: {error}", output.text);
            }
            assert!(output.stopped || !is_bounded, "{schema}: {} tokens, {:?}", output.tokens, output.text);
            stopped += usize::from(output.stopped && !is_bounded);
        }
    }
    assert!(stopped > each * 4, "{stopped} outputs of open schemas stopped by themselves");
}

/// What programs write of their types.
#[test]
fn formats_that_nobody_knows_and_bounds_of_types_are_taken() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "integer", "format": "uint64", "minimum": 0, "maximum": u64::MAX},
        "b": {"type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX},
        "c": {"type": "string", "format": "password"}}, "required": ["a", "b", "c"], "additionalProperties": false});
    assert!(takes(
        &Constraint::JsonSchema(schema.clone()),
        "{\"a\": 123456789012345678, \"b\": -7, \"c\": \"x\"}"
    ));
    assert!(!takes(&Constraint::JsonSchema(schema), "{\"a\": -1, \"b\": 1, \"c\": \"x\"}"));
}

#[test]
fn formats_are_kept() {
    let mut random = Random(17);
    for format in
        ["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"]
    {
        let schema = json!({"type": "string", "format": format});
        let judge = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let matcher = matcher(&Constraint::JsonSchema(schema));
        for _ in 0..asked("JARRAH_OUTPUTS", 400) / 20 {
            let value: Value = serde_json::from_str(&output(&matcher, &mut random, 40).text).unwrap();
            assert!(judge.is_valid(&value), "{format}: {value}");
        }
    }
}

#[test]
fn white_space_is_bounded_and_pretty_printing_is_allowed() {
    let constraint = Constraint::JsonSchema(
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}),
    );
    for text in [
        "{\"a\":[1,2]}",
        "{\"a\": [1, 2]}",
        "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
        "{\r\n\t\"a\" : [ ]\r\n}",
    ] {
        assert!(takes(&constraint, text), "{text:?}");
    }
    for text in ["{  \"a\":[1]}", "{\n\n\"a\":[1]}", " {\"a\":[1]}", "{\"a\":[1]} ", "{\"a\":[1],}"] {
        assert!(!takes(&constraint, text), "{text:?}");
    }
    let own = Constraint::JsonSchema(
        json!({"x-guidance": {"whitespace_flexible": false}, "type": "array", "items": {"type": "integer"}}),
    );
    assert!(takes(&own, "[1,2]"));
    assert!(!takes(&own, "[1, 2]"));
}

#[test]
fn properties_keep_the_order_of_the_schema() {
    let schema = json!({"type": "object", "properties": {"z": {"type": "null"}, "a": {"type": "null"}}, "required": ["z", "a"],
        "additionalProperties": false});
    assert!(takes(&Constraint::JsonSchema(schema.clone()), "{\"z\": null, \"a\": null}"));
    assert!(!takes(&Constraint::JsonSchema(schema), "{\"a\": null, \"z\": null}"));
}

#[test]
fn a_fork_goes_its_own_way() {
    let mut first = matcher(&Constraint::JsonSchema(
        json!({"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2}),
    ));
    let ids = |text: &str| TOKENIZER.encode(text).unwrap();
    for token in ids("[\"a") {
        first.push(token).unwrap();
    }
    let mut second = first.clone();
    let drafts = [ids("\", \"b\"]"), vec![VOCABULARY.ends()[1]], ids("x")].concat();
    assert_eq!(first.accepted(&drafts), drafts.len() - 1);
    for token in ids("\"]") {
        second.push(token).unwrap();
    }
    assert!(second.is_finished() && !first.is_finished());
    assert_eq!(second.accepted(&[VOCABULARY.ends()[0]]), 1);
    assert_eq!(first.accepted(&[VOCABULARY.ends()[0]]), 0);
    let (mut one, mut two) = (TokenMask::default(), TokenMask::default());
    first.mask(&mut one).unwrap();
    second.mask(&mut two).unwrap();
    assert_eq!(two.iter().collect::<Vec<_>>(), VOCABULARY.ends());
    assert!(one.iter().all(|token| !VOCABULARY.ends().contains(&token)));
    let handle = std::thread::spawn(move || second.push(VOCABULARY.ends()[0]).map(|()| second.is_finished()));
    assert!(handle.join().unwrap().unwrap());
    for token in ids("\", \"b\"]") {
        first.push(token).unwrap();
    }
    assert!(first.is_finished());
    assert!(first.push(ids("x")[0]).is_err());
    first.push(VOCABULARY.ends()[0]).unwrap();
    first.mask(&mut one).unwrap();
    assert_eq!((one.count(), first.accepted(&[VOCABULARY.ends()[0]])), (0, 0));
}

/// The mask is what can be pushed, for every token, with more logits than tokens.
#[test]
fn the_mask_is_what_may_be_pushed() {
    let size = VOCABULARY.size();
    assert!(size > TOKENIZER.vocab_size());
    let mut random = Random(5);
    for schema in
        [json!({"type": "object"}), json!({"type": "string", "maxLength": 3}), json!({"type": "number"})]
    {
        let mut state = matcher(&Constraint::JsonSchema(schema));
        let mut mask = TokenMask::default();
        for _ in 0..12 {
            state.mask(&mut mask).unwrap();
            assert_eq!(mask.size(), size);
            let may: Vec<u32> = (0..size as u32).filter(|&token| state.accepted(&[token]) == 1).collect();
            assert_eq!(mask.iter().collect::<Vec<_>>(), may);
            let token = random.sample(&mask);
            state.push(token).unwrap();
            if VOCABULARY.ends().contains(&token) {
                break;
            }
        }
    }
}

#[test]
fn a_vocabulary_without_some_bytes_writes_what_it_can() {
    let tokenizer = jarrah_tokenizer::Tokenizer::from_files(|name| {
        (name == "tokenizer.json").then_some(
            br#"{"decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
                "model": {"type": "BPE", "vocab": {"{": 0, "}": 1, "</s>": 2, "x": 3}, "merges": []}}"#
                .as_slice(),
        )
    })
    .unwrap();
    let vocabulary = std::sync::Arc::new(MaskVocabulary::new(&tokenizer, &[2], 4).unwrap());
    let mut matcher = Matcher::new(&vocabulary, &Constraint::JsonObject).unwrap();
    let mut mask = TokenMask::default();
    matcher.mask(&mut mask).unwrap();
    assert_eq!(mask.iter().collect::<Vec<_>>(), [0]);
    let string = Constraint::JsonSchema(json!({"type": "string"}));
    let error = Matcher::new(&vocabulary, &string).err().unwrap().to_string();
    assert!(error.contains("the JSON schema cannot be kept to: there is no token that goes on"), "{error}");
}
