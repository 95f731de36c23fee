use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_structured::{Constraint, MaskVocabulary, Matcher, TokenMask, Tool, ToolChoice, ToolFormat};
use serde_json::{Value, json};

use super::world::{Random, TOKENIZER, VOCABULARY, refused};

fn schema(value: Value) -> Constraint {
    Constraint::JsonSchema(value)
}

#[test]
fn what_is_not_supported_is_named_with_its_place() {
    for (value, words) in [
        (
            json!({"properties": {"a/b": {"items": {"not": {}}}}}),
            "asks for `not`, which is not supported, at #/properties/a~1b/items",
        ),
        (
            json!({"anyOf": [{}, {"uniqueItems": true}]}),
            "`uniqueItems`, which is not supported, at #/anyOf/1",
        ),
        (json!({"if": {}, "then": {}}), "`if`"),
        (
            json!({"$defs": {"x": {"contains": {}}}, "type": "array"}),
            "`contains`, which is not supported, at #/$defs/x",
        ),
        (
            json!({"$ref": "https://example.com/s.json"}),
            "refers to \"https://example.com/s.json\", which is not in it, at #",
        ),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
            "refers to \"#/$defs/none\", which is not in it, at #/properties/a",
        ),
        (json!({"$ref": "#nowhere"}), "which is not in it"),
        (
            json!({"maxLength": 1_000_000, "type": "string"}),
            "a `maxLength` of 1000000, where at most 100000 is allowed, at #",
        ),
        (json!({"type": "string", "pattern": "a{1,1000000}"}), "repeats 1000000 times"),
        (json!({"type": "string", "pattern": "(?=a)b"}), "the JSON schema"),
        (
            json!({"properties": {"a": {"pattern": "b("}}}),
            "the regular expression \"b(\" does not parse: unclosed group, at character 2, in the `pattern` of the JSON schema at #/properties/a",
        ),
        (json!({"type": "text"}), "the JSON schema"),
        (json!({"type": "string", "format": "iri"}), "the JSON schema"),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            "the JSON schema: alternatives of a `oneOf` may hold at once, which is not supported: write `anyOf`",
        ),
        (
            json!({"type": "number", "multipleOf": 20000.5}),
            "a `multipleOf` of 20000.5, where 1 to 10000 is allowed without its decimal point, and up to 9 decimal places, at #",
        ),
        (
            json!({"type": "number", "multipleOf": 123_456_789_012_345_678u64}),
            "a `multipleOf` of 123456789012345678,",
        ),
        (
            json!({"type": "string", "minLength": 123_456_789_012_345_678u64}),
            "a `minLength` of 123456789012345678,",
        ),
        (json!({"type": "integer", "minimum": 3, "maximum": 2}), "the JSON schema"),
        (json!(false), "nothing is valid"),
        (json!({"$ref": "#"}), "the JSON schema refers to \"#\", which leads back to it, at #"),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            "refers to \"#/$defs/a\", which leads back to it, at #",
        ),
        (json!([1]), "neither an object nor"),
        (json!({"enum": []}), "the JSON schema"),
        (json!({"properties": []}), "the JSON schema"),
        (json!({"x-guidance": {"unknown": 1}}), "the JSON schema"),
    ] {
        let error = refused(&schema(value.clone()));
        assert!(error.contains(words), "{value}: {error}");
        assert!(!error.contains("panic") && !error.contains("llg"), "{value}: {error}");
    }
    for (constraint, words) in [
        (Constraint::Regex("a{2,9999999999999999999999}".to_owned()), "repeats 9999999999999999999999 times"),
        (Constraint::Regex("(".repeat(100) + &")".repeat(100)), "groups in each other"),
        (Constraint::Regex("a".repeat(70_000)), "at most 65536 are allowed"),
        (
            Constraint::Regex("ä\n(b".to_owned()),
            "the regular expression \"ä\\n(b\" does not parse: unclosed group, at character 3",
        ),
        (
            Constraint::Regex("[".to_owned()),
            "the regular expression \"[\" does not parse: unclosed character class, at character 1",
        ),
        (
            Constraint::Regex("(?<=a)b".to_owned()),
            "does not parse: look-around, including look-ahead and look-behind, is not supported, at character 1",
        ),
        (
            Constraint::Regex("(a)\\1".to_owned()),
            "does not parse: backreferences are not supported, at character 4",
        ),
        (Constraint::Regex("\\p{Foo}".to_owned()), ": Unicode property not found"),
        (Constraint::Grammar("start: /a(/".to_owned()), ": unclosed group"),
        (Constraint::Choice(vec![]), "there are no choices"),
        (Constraint::Choice(vec!["a".repeat(2 << 20)]), "the choices has 2097152 bytes"),
        (
            Constraint::Grammar("root ::= \"a\"{1,1000000}".to_owned()),
            "line 1 of the grammar repeats 1000000 times",
        ),
        (
            Constraint::Grammar("start: \"a\"~1..1000000".to_owned()),
            "line 1 of the grammar repeats 1000000 times",
        ),
        (
            Constraint::Grammar(format!("root ::= {}\"a\"{}", "(".repeat(10_000), ")".repeat(10_000))),
            "groups in each other",
        ),
        (
            Constraint::Grammar(format!("start: {}\"a\"{}", "(".repeat(10_000), ")".repeat(10_000))),
            "groups in each other",
        ),
        (Constraint::Grammar("x".repeat(2 << 20)), "the grammar has 2097152 bytes"),
        (
            Constraint::ToolCalls {
                format: ToolFormat::Hermes,
                tools: vec![],
                choice: ToolChoice::Required,
                parallel: true,
            },
            "no tool",
        ),
        (
            Constraint::ToolCalls {
                format: ToolFormat::Hermes,
                choice: ToolChoice::Required,
                parallel: true,
                tools: Tool::list(&json!([{"name": "a", "parameters": {"properties": {"x": {"not": {}}}}}]))
                    .unwrap(),
            },
            "in the tool `a`",
        ),
    ] {
        let error = refused(&constraint);
        assert!(error.contains(words), "{error}");
        assert!(![":;", "^;"].iter().any(|joint| error.contains(joint)), "{error}");
    }
    for (ends, logits, words) in [
        (vec![], 10, "no token ends"),
        (vec![10], 10, "is not one of 10 logits"),
        (vec![0], 1 << 30, "too large"),
    ] {
        let error = MaskVocabulary::new(&TOKENIZER, &ends, logits).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// A value in lists or objects that nest `depth` deep, dropped level by level.
struct Deep(Option<Value>);

impl Deep {
    fn new(depth: usize, around: impl Fn(Value) -> Value) -> Deep {
        Deep(Some((0..depth).fold(json!({"type": "null"}), |inner, _| around(inner))))
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        let mut rest: Vec<Value> = self.0.take().into_iter().collect();
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(items) => rest.extend(items),
                Value::Object(entries) => rest.extend(entries.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
}

#[test]
fn a_schema_that_nests_deep_is_refused() {
    // The macro would copy what is inside, level by level.
    let with = |key: &str, inner: Value| Value::Object([(key.to_owned(), inner)].into_iter().collect());
    let arounds: [&dyn Fn(Value) -> Value; 3] =
        [&|inner| with("items", inner), &|inner| with("properties", with("a", inner)), &|inner| {
            with("anyOf", Value::Array(vec![inner]))
        }];
    for around in arounds {
        let mut deep = Deep::new(10_000, around);
        let constraint = schema(deep.0.take().unwrap());
        let error = refused(&constraint);
        assert!(error.contains("more than 128 values in each other"), "{error}");
        let Constraint::JsonSchema(value) = constraint else { unreachable!() };
        deep.0 = Some(value);
        // As deep as it may be, it is compiled on the stack of a test.
        Matcher::new(&VOCABULARY, &schema(Deep::new(42, around).0.take().unwrap())).unwrap();
    }
}

/// Compiles what somebody wrote to take long, and lets a model begin. Whatever becomes of it, it is soon.
fn soon(what: &str, constraint: &Constraint) -> bool {
    let start = Instant::now();
    let made = Matcher::new(&VOCABULARY, constraint);
    let compiled = start.elapsed();
    assert!(compiled < Duration::from_secs(10), "{what} took {compiled:?} to compile");
    let mut matcher = match made {
        Ok(matcher) => matcher,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains("panic"), "{what}: {text}");
            return false;
        }
    };
    let (mut mask, mut random) = (TokenMask::default(), Random(3));
    for _ in 0..30 {
        let start = Instant::now();
        let made = matcher.mask(&mut mask);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(4), "a mask of {what} took {took:?}");
        let start = Instant::now();
        let went = made.and_then(|()| matcher.push(random.sample(&mask)));
        let took = start.elapsed();
        assert!(took < Duration::from_secs(4), "a token of {what} took {took:?}");
        if let Err(error) = went {
            assert!(!error.to_string().contains("panic"), "{what}: {error}");
            break;
        }
        if matcher.is_finished() {
            break;
        }
    }
    true
}

#[test]
fn what_would_take_long_is_bounded() {
    let regex = |pattern: &str| Constraint::Regex(pattern.to_owned());
    let many = |count: usize, each: &dyn Fn(usize) -> Value| (0..count).map(each).collect::<Vec<Value>>();
    let named =
        |count: usize, each: &dyn Fn(usize) -> (String, Value)| Value::Object((0..count).map(each).collect());
    let cases: Vec<(&str, Constraint)> = vec![
        (
            "tools of many properties",
            Constraint::ToolCalls {
                format: ToolFormat::Hermes,
                choice: ToolChoice::Required,
                parallel: true,
                tools: (0..30)
                    .map(|i| {
                        Tool::list(&json!([{"name": format!("t{i}"), "parameters": {"type": "object",
                "properties": named(1500, &|i| (format!("p{i}"), json!({"type": "string"})))}}]))
                        .unwrap()
                        .remove(0)
                    })
                    .collect(),
            },
        ),
        (
            "tags in each other",
            Constraint::StructuralTag((0..100).fold(
                json!({"type": "any_text"}),
                |inner, _| json!({"type": "sequence", "elements": [inner]}),
            )),
        ),
        ("a choice far back", regex("(a|b)*a(a|b){1000}")),
        ("two repetitions", regex("(x+x+)+y")),
        ("counts of counts", regex("((a{1000}){1000}){1000}")),
        ("many counts", regex(&"(a{1,1000}b{1,1000})".repeat(100))),
        ("words in any order", regex(&"(.*a.*|.*b.*)".repeat(500))),
        ("large classes", regex(&"[\\p{L}\\p{N}]{1,500}".repeat(50))),
        ("a count of anything", regex("(?s:.){99999}x(?s:.){99999}")),
        ("many alternatives", regex(&(0..6000).map(|i| format!("w{i}")).collect::<Vec<_>>().join("|"))),
        ("choices", Constraint::Choice((0..10_000).map(|i| format!("choice number {i}")).collect())),
        ("an enum", schema(json!({"enum": many(12_000, &|i| json!(format!("value {i}")))}))),
        (
            "properties",
            schema(
                json!({"type": "object", "properties": named(2000, &|i| (format!("p{i}"), json!({"type": "string"})))}),
            ),
        ),
        (
            "many properties",
            schema(
                json!({"type": "object", "properties": named(10_000, &|i| (format!("p{i}"), json!({"type": "string"})))}),
            ),
        ),
        (
            "required properties",
            schema(json!({"type": "object", "required": many(2000, &|i| json!(format!("p{i}")))})),
        ),
        (
            "alternatives that exclude each other",
            schema(json!({"oneOf": many(20_000, &|i| json!({"const": i}))})),
        ),
        (
            "alternatives of objects",
            schema(
                json!({"anyOf": many(1000, &|i| json!({"type": "object", "properties": {"k": {"const": i}}}))}),
            ),
        ),
        (
            "products of alternatives",
            schema(json!({"allOf": many(20, &|i| json!({"anyOf": many(10, &|k| json!({"type": "object",
            "properties": {(format!("a{i}")): {"const": k}}}))}))})),
        ),
        (
            "products of patterns",
            schema(
                json!({"type": "string", "allOf": many(30, &|i| json!({"pattern": format!("x{i}|[a-z]*y[a-z]{{{i}}}")}))}),
            ),
        ),
        (
            "patterns of properties",
            schema(
                json!({"type": "object", "patternProperties": named(300, &|i| (format!("^(a|b)*{i}"), json!({"type": "null"})))}),
            ),
        ),
        ("long texts", schema(json!({"type": "string", "minLength": 99_999, "pattern": "^[a-z ]*$"}))),
        (
            "long lists",
            schema(
                json!({"type": "array", "minItems": 100_000, "items": {"type": "object", "properties": {"a": {"type": "array", "minItems": 100_000}}}}),
            ),
        ),
        (
            "counts of lists",
            schema(
                json!({"type": "array", "minItems": 99_000, "maxItems": 99_999, "items": {"enum": [1, [2]]}}),
            ),
        ),
        (
            "prefixes of lists",
            schema(json!({"type": "array", "prefixItems": many(20_000, &|i| json!({"const": i}))})),
        ),
        (
            "a chain of references",
            schema(
                json!({"$ref": "#/$defs/d0", "$defs": named(5000, &|i| (format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", i + 1)})))}),
            ),
        ),
        (
            "references that meet",
            schema(
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            ),
        ),
        ("a reference to itself", schema(json!({"$ref": "#"}))),
        ("references in allOf", schema(json!({"allOf": [{"$ref": "#"}, {"type": "object"}]}))),
        (
            "references doubled",
            schema(
                json!({"$ref": "#/$defs/d0", "$defs": named(40, &|i| (format!("d{i}"), json!({"type": "object",
            "properties": {"a": {"$ref": format!("#/$defs/d{}", (i + 1) % 40)}, "b": {"$ref": format!("#/$defs/d{}", (i + 1) % 40)}}, "required": ["a", "b"]})))}),
            ),
        ),
        (
            "references doubled in allOf",
            schema(json!({"$ref": "#/$defs/d0", "$defs": named(40, &|i| (format!("d{i}"), json!({"allOf":
            [{"$ref": format!("#/$defs/d{}", (i + 1).min(39))}, {"$ref": format!("#/$defs/d{}", (i + 1).min(39))}]})))})),
        ),
        (
            "numbers",
            schema(json!({"type": "number", "multipleOf": 1e-300, "minimum": -1e308, "maximum": 1e308})),
        ),
        ("multiples", schema(json!({"type": "integer", "multipleOf": 999_999_937u64}))),
        (
            "some multiples",
            schema(json!({"type": "integer", "multipleOf": 9973, "minimum": -1e15, "maximum": 1e15})),
        ),
        (
            "multiples of less than one",
            schema(
                json!({"type": "number", "multipleOf": 0.125, "allOf": [{"multipleOf": 0.07}, {"multipleOf": 0.0011}]}),
            ),
        ),
        ("integers", schema(json!({"type": "integer", "minimum": i64::MIN, "maximum": u64::MAX}))),
        ("a megabyte of text", schema(json!({"type": "string", "description": "x".repeat(900_000)}))),
        ("two megabytes of text", schema(json!({"type": "string", "description": "x".repeat(2_000_000)}))),
        (
            "a key of a megabyte",
            schema(json!({"type": "object", "properties": {("k".repeat(900_000)): true}})),
        ),
        (
            "white space",
            schema(json!({"x-guidance": {"whitespace_pattern": "(\\s{1,1000}){1,1000}"}, "type": "object"})),
        ),
        (
            "rules that double",
            Constraint::Grammar(
                (0..60).map(|i| format!("r{i} ::= r{0} r{0}\n", i + 1)).collect::<String>()
                    + "r60 ::= \"a\"\nroot ::= r0",
            ),
        ),
        (
            "rules that double in a circle",
            Constraint::Grammar("root ::= root root | \"a\" | \"\"".to_owned()),
        ),
        ("rules that may be empty", Constraint::Grammar("root ::= (root? root?)* \"a\"".to_owned())),
        ("a rule of nothing", Constraint::Grammar("root ::= root".to_owned())),
        ("empty repetitions", Constraint::Grammar("root ::= ((\"\"*)*)* x\nx ::= x? \"\"".to_owned())),
        (
            "rules",
            Constraint::Grammar(
                "root ::= r0\n".to_owned()
                    + &(0..6000)
                        .map(|i| format!("r{i} ::= \"a\" r{} | \"b\"\n", (i + 1) % 6000))
                        .collect::<String>(),
            ),
        ),
        (
            "counts of rules",
            Constraint::Grammar(
                "root ::= (x{1,1000} y){1,1000}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"b\" x".to_owned(),
            ),
        ),
        (
            "a deep chain of rules",
            Constraint::Grammar(
                "root ::= r0\n".to_owned()
                    + &(0..6000).map(|i| format!("r{i} ::= \"a\" r{}\n", i + 1)).collect::<String>()
                    + "r6000 ::= \"b\"",
            ),
        ),
        (
            "terminals of terminals",
            Constraint::Grammar(
                "start: T0\n".to_owned()
                    + &(0..6000).map(|i| format!("T{i}: \"a\" T{}\n", i + 1)).collect::<String>()
                    + "T6000: \"b\"\n",
            ),
        ),
        (
            "rules of rules",
            Constraint::Grammar(
                "start: t0\n".to_owned()
                    + &(0..6000).map(|i| format!("t{i}: t{}\n", i + 1)).collect::<String>()
                    + "t6000: \"b\"\n",
            ),
        ),
        (
            "negations",
            Constraint::Grammar("start: T\nT: ~(/a*b/ & ~/(a|b)*a(a|b){18}/ & ~/.*c.{18}/)\n".to_owned()),
        ),
        ("negations of negations", Constraint::Grammar(format!("start: T\nT: {}/a/\n", "~ ".repeat(8000)))),
        ("parameters", Constraint::Grammar("start: a::0\na::_: \"x\" a::incr(_) | \"y\"\n".to_owned())),
        (
            "alternatives on lines",
            Constraint::Grammar("start: \"a\"\n".to_owned() + &"  | \"b\" \"c\"?\n".repeat(8000)),
        ),
    ];
    let mut compiled = 0;
    for (what, constraint) in &cases {
        if std::env::var_os("JARRAH_SHOW").is_some() {
            println!("{what}");
        }
        let start = Instant::now();
        let made = soon(what, constraint);
        compiled += usize::from(made);
        if std::env::var_os("JARRAH_SHOW").is_some() {
            let error = Matcher::new(&VOCABULARY, constraint)
                .err()
                .map(|e| e.to_string().chars().take(150).collect::<String>());
            println!("{:?} {what}: {made} {error:?}", start.elapsed());
        }
    }
    assert!(compiled > cases.len() / 3, "{compiled}");
}

#[test]
fn the_parts_may_go_to_other_threads() {
    fn sends<T: Send>() {}
    fn shares<T: Send + Sync>() {}
    sends::<Matcher>();
    shares::<Arc<MaskVocabulary>>();
    sends::<jarrah_structured::OutputParser>();
    sends::<jarrah_structured::Thinking>();
}

/// A keyword that is not supported says what to write in its place.
#[test]
fn keywords_that_are_not_supported_say_what_to_do_instead() {
    for (schema, instead) in [
        (json!({"not": {"type": "string"}}), "list what is allowed"),
        (
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
            "`anyOf` with a schema for each case",
        ),
        (json!({"type": "array", "uniqueItems": true}), "drop repeated items"),
        (json!({"type": "array", "contains": {"type": "string"}}), "`prefixItems`"),
        (json!({"type": "object", "propertyNames": {"pattern": "a"}}), "`patternProperties`"),
        (json!({"type": "object", "dependentRequired": {"a": ["b"]}}), "`anyOf` of objects"),
        (json!({"type": "object", "unevaluatedProperties": false}), "`additionalProperties: false`"),
        (json!({"$dynamicRef": "#a"}), "`$defs`"),
        (
            json!({"type": "string", "format": "iri"}),
            "the `format` \"iri\" is not supported: enforced are date-time, date,",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "null"}}, "maxProperties": 2}),
            "`maxProperties` beside properties that are not required are not supported: require all `properties`",
        ),
    ] {
        let error = refused(&Constraint::JsonSchema(schema.clone()));
        assert!(error.contains("not supported") && error.contains(instead), "{schema}: {error}");
    }
}
