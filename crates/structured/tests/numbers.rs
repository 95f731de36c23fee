//! Numbers of schemas of more digits than a float has: `const`, `enum` and bounds mean the number that is written.

use jarrah_structured::{Constraint, Tool, ToolChoice, ToolFormat, tools};
use serde_json::Value;

use super::world::{Random, matcher, output, refused, takes};

/// A schema as it is read, with marks where numbers have no room.
fn schema(text: &str) -> Constraint {
    let marked = jarrah_formats::json::exact(text.as_bytes());
    Constraint::JsonSchema(serde_json::from_slice(&marked).unwrap())
}

fn check(schema_text: &str, taken: &[&str], refused: &[&str]) {
    let constraint = schema(schema_text);
    for text in taken {
        assert!(takes(&constraint, text), "{schema_text} takes {text}");
    }
    for text in refused {
        assert!(!takes(&constraint, text), "{schema_text} refuses {text}");
    }
}

#[test]
fn constants_keep_every_digit() {
    for number in [
        "1234567890123456789",
        "9007199254740993",
        "-9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890123456789012345678901234567890",
        "3.14159265358979323846264338327950288",
    ] {
        let one = |other: &str| format!("{{\"const\": {other}}}");
        let last = number.len() - 1;
        let off = format!("{}{}", &number[..last], if number.ends_with('1') { '2' } else { '1' });
        check(&one(number), &[number], &[&off, &number[..last], &format!("{number}7"), "0"]);
        check(&format!("{{\"enum\": [{number}]}}"), &[number], &[&off]);
        check(
            &format!("{{\"enum\": [{number}, \"a\", 7, null]}}"),
            &[number, "\"a\"", "7", "null"],
            &[&off, "8"],
        );
        check(
            &format!("{{\"type\": [\"number\", \"null\"], \"enum\": [{number}, null]}}"),
            &[number, "null"],
            &[&off],
        );
        check(
            &format!("{{\"const\": {{\"a\": [{number}, true]}}}}"),
            &[&format!("{{\"a\":[{number},true]}}")],
            &[&format!("{{\"a\":[{off},true]}}")],
        );
    }
    check(
        "{\"type\": \"integer\", \"const\": 18446744073709551616}",
        &["18446744073709551616"],
        &["18446744073709552000"],
    );
    check(
        "{\"type\": \"integer\", \"enum\": [1e30, 1, 0.1234567890123456789]}",
        &["1"],
        &["0.1234567890123456789"],
    );
    check(
        "{\"const\": 100000000000000000000000}",
        &["100000000000000000000000"],
        &["100000000000000000000001"],
    );
}

#[test]
fn bounds_keep_every_digit() {
    let integers =
        "{\"type\": \"integer\", \"minimum\": 1234567890123456789, \"maximum\": 18446744073709551615}";
    check(
        integers,
        &[
            "1234567890123456789",
            "1234567890123456790",
            "9999999999999999999",
            "18446744073709551615",
            "10000000000000000000",
        ],
        &[
            "1234567890123456788",
            "18446744073709551616",
            "0",
            "-1234567890123456789",
            "1234567890123456789.5",
            "99999999999999999999",
        ],
    );
    check(
        "{\"type\": \"integer\", \"exclusiveMinimum\": -9007199254740993, \"exclusiveMaximum\": 9007199254740993}",
        &["-9007199254740992", "9007199254740992", "0", "-1"],
        &["-9007199254740993", "9007199254740993", "9007199254740994"],
    );
    check(
        "{\"type\": \"integer\", \"minimum\": -18446744073709551616}",
        &["-18446744073709551616", "0", "7"],
        &["-18446744073709551617"],
    );
    check(
        "{\"type\": \"integer\", \"maximum\": -18446744073709551616}",
        &["-18446744073709551616", "-18446744073709551617"],
        &["-18446744073709551615", "1"],
    );
    check(
        "{\"type\": \"number\", \"minimum\": 9007199254740993, \"exclusiveMaximum\": 9007199254740995}",
        &["9007199254740993", "9007199254740994.75", "9007199254740993.0"],
        &["9007199254740992", "9007199254740992.9", "9007199254740995", "9007199254740995.0"],
    );
    check(
        "{\"type\": \"number\", \"exclusiveMinimum\": -9007199254740993}",
        &["-9007199254740992.5", "-1", "0.5", "12"],
        &["-9007199254740993", "-9007199254740993.5"],
    );
    // Draft 4 says of a bound that it is none of the numbers.
    check(
        "{\"type\": \"integer\", \"minimum\": 9007199254740993, \"exclusiveMinimum\": true}",
        &["9007199254740994"],
        &["9007199254740993"],
    );
    check(
        "{\"type\": [\"integer\", \"null\", \"string\"], \"minimum\": 9007199254740993, \"maxLength\": 2}",
        &["null", "\"ab\"", "9007199254740993"],
        &["\"abc\"", "9007199254740992", "true"],
    );
    check("{\"minimum\": 9007199254740993}", &["true", "[]", "9007199254740993.5"], &["1"]);
    check(
        "{\"type\": \"integer\", \"minimum\": 9007199254740993, \"multipleOf\": 5}",
        &["9007199254740995", "9007199254741000"],
        &["9007199254740993", "9007199254740996"],
    );
    check(
        "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 18446744073709551615}",
        &["0", "18446744073709551615"],
        &["-1"],
    );
}

/// Within what holds it: objects, lists, references, alternatives, and the arguments of tools.
#[test]
fn numbers_keep_their_digits_wherever_they_stand() {
    let text = "{\"$defs\": {\"id\": {\"const\": 1234567890123456789}}, \"type\": \"object\", \"properties\": {\
        \"a\": {\"$ref\": \"#/$defs/id\"}, \"b\": {\"type\": \"array\", \"items\": {\"enum\": [18446744073709551616, 2]}, \"maxItems\": 3}, \
        \"c\": {\"anyOf\": [{\"type\": \"integer\", \"maximum\": -9007199254740993}, {\"type\": \"boolean\"}]}}, \
        \"required\": [\"a\", \"b\", \"c\"], \"additionalProperties\": false}";
    check(
        text,
        &[
            "{\"a\": 1234567890123456789, \"b\": [18446744073709551616, 2], \"c\": true}",
            "{\"a\": 1234567890123456789, \"b\": [], \"c\": -9007199254740993}",
        ],
        &[
            "{\"a\": 1234567890123456768, \"b\": [], \"c\": true}",
            "{\"a\": 1234567890123456789, \"b\": [18446744073709552000], \"c\": true}",
        ],
    );
    let parameters = "[{\"type\": \"function\", \"function\": {\"name\": \"find\", \"parameters\": {\"type\": \"object\", \"properties\": {\
        \"id\": {\"const\": 123456789012345678901}}, \"required\": [\"id\"], \"additionalProperties\": false}}}]";
    let list: Value = serde_json::from_slice(&jarrah_formats::json::exact(parameters.as_bytes())).unwrap();
    let list = Tool::list(&list).unwrap();
    let calls = tools::constraint(&list, &ToolChoice::Required, ToolFormat::Hermes, false).unwrap();
    let call = |id: &str| {
        format!("<tool_call>\n{{\"name\": \"find\", \"arguments\": {{\"id\": {id}}}}}\n</tool_call>")
    };
    assert!(takes(&calls, &call("123456789012345678901")) && !takes(&calls, &call("123456789012345680000")));
    let calls = tools::constraint(&list, &ToolChoice::Required, ToolFormat::Pythonic, false).unwrap();
    assert!(
        takes(&calls, "[find(id=123456789012345678901)]")
            && !takes(&calls, "[find(id=123456789012345680000)]")
    );
}

/// Whatever a model says is within the bounds, and it ends.
#[test]
fn whatever_is_said_is_within_bounds_of_many_digits() {
    let mut random = Random(5);
    for (low, high) in [
        (-30_000_000_000_000_000_000i128, 77),
        (9_007_199_254_740_993, 18_446_744_073_709_551_616),
        (-5, 99_999_999_999_999_999_999),
    ] {
        let text = format!("{{\"type\": \"integer\", \"minimum\": {low}, \"maximum\": {high}}}");
        let matcher = matcher(&schema(&text));
        for _ in 0..60 {
            let output = output(&matcher, &mut random, 100);
            let said: i128 = output.text.parse().unwrap_or_else(|_| panic!("{text}: {:?}", output.text));
            assert!(output.stopped && (low..=high).contains(&said), "{text}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_said_of_such_numbers_is_refused_in_words() {
    for (text, words) in [
        ("{\"allOf\": [{\"type\": \"integer\"}], \"minimum\": 9007199254740993}", "beside `allOf`"),
        (
            "{\"type\": \"number\", \"minimum\": 9007199254740993, \"maximum\": 18446744073709551616.5}",
            "a bound with a fraction",
        ),
        (
            "{\"type\": \"integer\", \"minimum\": 9007199254740995, \"maximum\": 9007199254740993}",
            "no number is within",
        ),
        ("{\"type\": \"string\", \"const\": 9007199254740993}", "allows none of its values"),
        ("{\"const\": 1e4000}", "more than 1000 digits"),
        ("{\"type\": \"string\", \"maxLength\": 99999999999999999999}", "`maxLength`"),
    ] {
        let error = refused(&schema(text));
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn a_constraint_has_a_bounded_count_of_numbers_of_many_digits() {
    let list = |count: u128| {
        let numbers: Vec<String> = (0..count).map(|i| (18_446_744_073_709_551_616 + i).to_string()).collect();
        schema(&format!("{{\"enum\": [{}]}}", numbers.join(",")))
    };
    matcher(&list(100));
    let error = refused(&list(101));
    assert!(error.contains("over 100 different numbers of more than 53 bits"), "{error}");
}

#[test]
fn bounds_of_floats_may_be_large() {
    matcher(&schema("{\"type\": \"number\", \"minimum\": 0.5, \"maximum\": 1e16}"));
}
