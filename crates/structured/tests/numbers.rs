//! Numbers of schemas of more digits than a float has: `const`, `enum` and bounds mean the number that is written.

use jarrah_structured::{Constraint, Tool, ToolChoice, ToolFormat, tools};
use serde_json::Value;

use std::cmp::Ordering;

use super::world::{Random, asked, matcher, output, refused, takes, takes_by};

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

/// JSON has a zero with a sign, which is the integer zero.
#[test]
fn a_zero_with_a_sign_is_zero() {
    check("{\"const\": -0}", &["0"], &["1", "-1"]);
    check("{\"type\": \"integer\", \"minimum\": -0, \"maximum\": 2}", &["0", "2"], &["-1", "3"]);
    check("{\"type\": \"number\", \"exclusiveMinimum\": -0, \"maximum\": 0.5}", &["0.5"], &["0", "-0.1"]);
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
        "{\"allOf\": [{\"type\": \"integer\"}], \"minimum\": 9007199254740993}",
        &["9007199254740993"],
        &["9007199254740992", "9007199254740993.5", "null"],
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
        ("{\"allOf\": [{\"enum\": [1]}], \"minimum\": 9007199254740993}", "beside `allOf`"),
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
    matcher(&list(1000));
    let error = refused(&list(1001));
    assert!(error.contains("over 1000 different numbers of more than 53 bits"), "{error}");
}

/// A decimal number: its sign, its digits without zeros around them, and how many of them are before the point.
fn decimal(text: &str) -> (bool, String, String) {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    (negative && !(whole.is_empty() && fraction.is_empty()), whole.to_owned(), fraction.to_owned())
}

fn order(a: &str, b: &str) -> Ordering {
    let (a, b) = (decimal(a), decimal(b));
    let size = a.1.len().cmp(&b.1.len()).then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2));
    match (a.0, b.0) {
        (false, false) => size,
        (true, true) => size.reverse(),
        (negative, _) => {
            if negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

/// A range of numbers: its bounds, and whether they are exclusive.
struct Between {
    low: Option<(String, bool)>,
    high: Option<(String, bool)>,
}

impl Between {
    fn holds(&self, text: &str) -> bool {
        let above = self.low.as_ref().is_none_or(|(low, apart)| match order(text, low) {
            Ordering::Equal => !apart,
            order => order.is_gt(),
        });
        above
            && self.high.as_ref().is_none_or(|(high, apart)| match order(text, high) {
                Ordering::Equal => !apart,
                order => order.is_lt(),
            })
    }

    fn schema(&self, more: &str) -> String {
        let bound = |bound: &Option<(String, bool)>, inclusive: &str, exclusive: &str| match bound {
            Some((text, apart)) => {
                format!(", \"{}\": {text}", if *apart { exclusive } else { inclusive })
            }
            None => String::new(),
        };
        let low = bound(&self.low, "minimum", "exclusiveMinimum");
        let high = bound(&self.high, "maximum", "exclusiveMaximum");
        format!("{{\"type\": \"number\"{low}{high}{more}}}")
    }
}

/// A number of few digits: thousandths, or a bound of two, or a neighbour of it.
fn some_number(random: &mut Random, near: &[&str]) -> String {
    if !near.is_empty() && random.below(3) > 0 {
        let text = near[random.below(near.len())];
        return match random.below(4) {
            // Fewer digits, more, or another last digit.
            0 => {
                let text = &text[..text.len() - random.below(text.len().min(4))];
                let text = text.trim_end_matches('.');
                if text.trim_start_matches('-').is_empty() { "0".to_owned() } else { text.to_owned() }
            }
            1 if text.contains('.') => format!("{text}{}", random.below(100)),
            1 => format!("{text}.{}", random.below(100)),
            2 => format!("{}{}", &text[..text.len() - 1], random.below(10)),
            _ => text.to_owned(),
        };
    }
    let size = [1, 10, 100, 10_000][random.below(4)];
    let (whole, places) = (random.below(size), random.below(5));
    let sign = if random.below(3) == 0 { "-" } else { "" };
    let fraction = random.below(10usize.pow(places as u32));
    match places {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction:0places$}"),
    }
}

/// A number without zeros that say nothing, as a schema has it.
fn shortest(text: &str) -> String {
    let (negative, whole, fraction) = decimal(text);
    let whole = if whole.is_empty() { "0" } else { &whole };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{whole}{point}{fraction}", if negative { "-" } else { "" })
}

#[test]
fn ranges_take_the_numbers_within_them_and_no_others() {
    let mut random = Random(77);
    let mut empty = 0;
    for round in 0..asked("JARRAH_STRUCTURED_RANGES", 2000) {
        let low = shortest(&some_number(&mut random, &[]));
        let high = shortest(&some_number(&mut random, &[&low]));
        let (low, high) = if order(&low, &high).is_gt() { (high, low) } else { (low, high) };
        let mut range = Between {
            low: Some((low.clone(), random.below(2) == 0)),
            high: Some((high.clone(), random.below(2) == 0)),
        };
        match random.below(8) {
            0 => range.low = None,
            1 => range.high = None,
            _ => {}
        }
        let text = range.schema("");
        let apart = [&range.low, &range.high].into_iter().flatten().any(|(_, apart)| *apart);
        if order(&low, &high).is_eq() && apart && range.low.is_some() && range.high.is_some() {
            refused(&schema(&text));
            empty += 1;
            continue;
        }
        // Bounds that are integers are read by the compiler, which refuses some zeros behind a last digit.
        let is_own = [&range.low, &range.high].into_iter().flatten().any(|(text, _)| text.contains('.'));
        let matcher = matcher(&schema(&text));
        for _ in 0..12 {
            let number = some_number(&mut random, &[&low, &high]);
            let number = if is_own { number } else { shortest(&number) };
            let is_zero = number.starts_with('-') && !decimal(&number).0;
            let digits = number.trim_start_matches('-');
            if digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") {
                continue;
            }
            let taken = takes_by(&matcher, &number);
            assert!(!taken || range.holds(&number), "round {round}: {text} takes {number}");
            assert!(taken || is_zero || !range.holds(&number), "round {round}: {text} refuses {number}");
        }
        if round % 10 == 0 {
            let said = output(&matcher, &mut random, 12).text;
            assert!(range.holds(&said), "round {round}: {text}: {said}");
        }
    }
    assert!(empty > 0);
}

#[test]
fn exclusive_bounds_of_numbers_are_none_of_them() {
    for (bounds, taken, refused) in [
        (
            "\"exclusiveMinimum\": 0, \"maximum\": 0.5",
            vec!["0.1", "0.5", "0.50", "0.001"],
            vec!["0", "0.0", "-0", "0.51"],
        ),
        (
            "\"exclusiveMinimum\": 1, \"exclusiveMaximum\": 1.5",
            vec!["1.1", "1.49"],
            vec!["1", "1.0", "1.5", "1.50"],
        ),
        (
            "\"exclusiveMinimum\": 12, \"maximum\": 12.5",
            vec!["12.5", "12.000001"],
            vec!["12", "12.0", "12.6"],
        ),
        ("\"minimum\": -3.5, \"exclusiveMaximum\": -3", vec!["-3.5", "-3.1"], vec!["-3", "-3.0", "-3.51"]),
        (
            "\"exclusiveMinimum\": -0.5, \"exclusiveMaximum\": 0",
            vec!["-0.1", "-0.49"],
            vec!["0", "-0", "-0.0", "-0.5"],
        ),
        ("\"minimum\": -0.5, \"maximum\": 0.5", vec!["0", "-0.5", "0.5", "-0", "0.0"], vec!["-0.6", "1"]),
    ] {
        check(&format!("{{\"type\": \"number\", {bounds}}}"), &taken, &refused);
    }
    // Draft 4.
    check(
        "{\"type\": \"number\", \"minimum\": 0, \"exclusiveMinimum\": true, \"maximum\": 0.5}",
        &["0.5", "0.25"],
        &["0", "0.0"],
    );
}

#[test]
fn bounds_with_fractions_may_be_large_or_of_many_digits() {
    let number = |bounds: &str| format!("{{\"type\": \"number\", {bounds}}}");
    matcher(&schema(&number("\"minimum\": 0.5, \"maximum\": 1e16")));
    check(
        &number("\"minimum\": 0.5, \"maximum\": 1e19"),
        &["0.5", "10000000000000000000", "10000000000000000000.0", "7"],
        &["0.4", "10000000000000000000.1", "10000000000000000001"],
    );
    check(&number("\"minimum\": 1.5, \"maximum\": 1.5e300"), &["1.5", "1000000.25"], &["1.4", "1"]);
    check(
        &number("\"minimum\": -1e19, \"maximum\": 0.5"),
        &["-10000000000000000000", "0.5", "0.25"],
        &["0.6"],
    );
    check(&number("\"minimum\": -1.25e-300, \"maximum\": 1e-320"), &["0", "0.0"], &["0.1", "-0.1", "1"]);
    check(
        &number("\"minimum\": 9007199254740993.25, \"maximum\": 18446744073709551616.5"),
        &["9007199254740993.25", "18446744073709551616.5", "9007199254740994"],
        &["9007199254740993.24", "9007199254740993", "18446744073709551616.51", "18446744073709551617"],
    );
    check(
        &number("\"minimum\": 0.1, \"maximum\": 0.10000000000000002"),
        &["0.1", "0.10", "0.10000000000000001", "0.10000000000000002"],
        &["0.10000000000000003", "0.09999999999999999"],
    );
    // As many digits as a bound may have.
    let digits = format!("{}3", "37".repeat(37));
    for (kind, low, high) in [
        ("number", format!("0.{digits}"), format!("4.{}", &digits[1..])),
        ("number", format!("-1.{}", &digits[1..]), format!("-0.{digits}")),
        ("number", digits.clone(), format!("{digits}00000")),
        ("integer", format!("-{digits}"), digits.clone()),
    ] {
        for [least, most] in [["minimum", "maximum"], ["exclusiveMinimum", "exclusiveMaximum"]] {
            let text = format!("{{\"type\": \"{kind}\", \"{least}\": {low}, \"{most}\": {high}}}");
            let is_taken = least == "minimum";
            assert!([&low, &high].iter().all(|bound| takes(&schema(&text), bound) == is_taken), "{text}");
        }
    }
    let error = refused(&schema(&number(&format!("\"minimum\": 0.{digits}7"))));
    assert!(error.contains("a `minimum` of 76 digits, where at most 75 are allowed, at #"), "{error}");
}

#[test]
fn multiples_between_bounds_with_fractions_are_found() {
    for (bounds, taken, refused) in [
        ("\"minimum\": 1.05, \"maximum\": 1.15, \"multipleOf\": 0.1", vec!["1.1"], vec!["1", "1.0", "1.2"]),
        ("\"minimum\": 1.1, \"maximum\": 1.15, \"multipleOf\": 0.1", vec!["1.1"], vec!["1.15"]),
        ("\"minimum\": 1.0, \"maximum\": 1.15, \"multipleOf\": 0.1", vec!["1", "1.0", "1.1"], vec!["1.2"]),
        ("\"minimum\": 0.105, \"maximum\": 0.115, \"multipleOf\": 0.01", vec!["0.11"], vec!["0.1", "0.12"]),
        ("\"minimum\": 0.3, \"maximum\": 0.3, \"multipleOf\": 0.1", vec!["0.3"], vec!["0.2", "0"]),
        ("\"minimum\": -1.15, \"maximum\": -1.05, \"multipleOf\": 0.1", vec!["-1.1"], vec!["-1", "1.1"]),
        ("\"minimum\": 0.5, \"maximum\": 1.5, \"multipleOf\": 1", vec!["1"], vec!["0", "2", "1.5"]),
        ("\"minimum\": 3, \"maximum\": 3, \"multipleOf\": 0.3", vec!["3"], vec!["0.3"]),
        ("\"multipleOf\": 0.07", vec!["0.07", "0.14", "-0.21", "7"], vec!["0.1", "1"]),
    ] {
        check(&format!("{{\"type\": \"number\", {bounds}}}"), &taken, &refused);
    }
    check(
        "{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 7, \"multipleOf\": 0.4}",
        &["2", "4", "6"],
        &["1", "3", "0", "8"],
    );
    for bounds in [
        "\"minimum\": 1.11, \"maximum\": 1.19, \"multipleOf\": 0.1",
        "\"exclusiveMinimum\": 1.1, \"exclusiveMaximum\": 1.2, \"multipleOf\": 0.1",
        "\"minimum\": -0.35, \"exclusiveMaximum\": 0, \"multipleOf\": 0.5",
    ] {
        let error = refused(&schema(&format!("{{\"type\": \"number\", {bounds}}}")));
        assert!(error.contains("has bounds that no multiple of its `multipleOf` is within at #"), "{error}");
    }
    let error =
        refused(&schema("{\"type\": \"integer\", \"minimum\": 3, \"maximum\": 3, \"multipleOf\": 0.4}"));
    assert!(error.contains("no multiple"), "{error}");
    check(
        "{\"type\": [\"number\", \"null\"], \"minimum\": 1.11, \"maximum\": 1.19, \"multipleOf\": 0.1}",
        &["null"],
        &["1.1"],
    );
}

#[test]
fn ranges_with_fractions_hold_beside_other_schemas() {
    for (text, taken, refused) in [
        (
            "{\"allOf\": [{\"type\": \"number\"}, {\"minimum\": 0.5}, {\"maximum\": 1.25}]}",
            vec!["0.5", "1.2"],
            vec!["0.4", "2", "\"a\""],
        ),
        (
            "{\"type\": \"number\", \"minimum\": 0.25, \"allOf\": [{\"minimum\": 0.5}]}",
            vec!["0.5"],
            vec!["0.3"],
        ),
        (
            "{\"type\": \"integer\", \"allOf\": [{\"minimum\": 0.5}, {\"type\": \"number\", \"maximum\": 3}]}",
            vec!["1", "3"],
            vec!["0", "1.5", "4"],
        ),
        (
            "{\"type\": \"number\", \"anyOf\": [{\"exclusiveMinimum\": 0, \"maximum\": 0.5}, {\"minimum\": 10}]}",
            vec!["0.25", "10", "11.5"],
            vec!["0", "1", "\"a\"", "null"],
        ),
        (
            "{\"oneOf\": [{\"type\": \"number\", \"minimum\": 0.25, \"maximum\": 2}, {\"type\": \"string\"}, {\"const\": null}]}",
            vec!["0.25", "2", "\"a\"", "null"],
            vec!["0.2", "true"],
        ),
        (
            "{\"$defs\": {\"x\": {\"type\": \"number\", \"minimum\": 0.25}}, \"anyOf\": [{\"$ref\": \"#/$defs/x\", \"maximum\": 0.75}, {\"allOf\": [{\"$ref\": \"#/$defs/x\"}, {\"minimum\": 7.5}]}]}",
            vec!["0.25", "0.7", "7.5"],
            vec!["0.2", "0.8", "7.4"],
        ),
        (
            "{\"type\": \"object\", \"properties\": {\"t\": {\"anyOf\": [{\"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": 0.5}, {\"type\": \"null\"}]}}, \"required\": [\"t\"]}",
            vec!["{\"t\": 0.5}", "{\"t\": null}"],
            vec!["{\"t\": 0}"],
        ),
        // As the compiler reads it.
        (
            "{\"allOf\": [{\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"null\"}]}, {\"minimum\": 0.5}]}",
            vec!["0.5", "null"],
            vec!["0.4"],
        ),
    ] {
        check(text, &taken, &refused);
    }
    for (text, words) in [
        (
            "{\"allOf\": [{\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"null\"}]}, {\"exclusiveMinimum\": 0, \"maximum\": 0.5}]}",
            "has bounds with fractions beside `allOf`, which is not supported, at #",
        ),
        (
            "{\"$defs\": {\"x\": {\"type\": \"number\", \"minimum\": 0.25}}, \"$ref\": \"#/$defs/x\", \"enum\": [1, 2]}",
            "refers to a number with bounds beside `$ref`",
        ),
    ] {
        let error = refused(&schema(text));
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// A bound may end in many zeros: such a number has few digits that are not zero.
#[test]
fn bounds_may_be_large_powers_of_ten() {
    let zeros = |count: usize| "0".repeat(count);
    for power in [100, 300, 400] {
        let bound = format!("1{}", zeros(power));
        let (below, above) = ("9".repeat(power), format!("1{}1", zeros(power - 1)));
        let number =
            |keyword: &str, sign: &str| format!("{{\"type\": \"number\", \"{keyword}\": {sign}1e{power}}}");
        let fraction = format!("{bound}.5");
        check(&number("minimum", ""), &[&bound, &above, &fraction], &[&below, "7"]);
        check(&number("maximum", ""), &[&bound, &below, "7", "-7"], &[&above, &fraction]);
        check(&number("exclusiveMaximum", ""), &[&below, "7"], &[&bound, &above]);
        let negative = |text: &str| format!("-{text}");
        check(&number("maximum", "-"), &[&negative(&bound), &negative(&above)], &[&negative(&below), "7"]);
        let error = refused(&schema(&number("exclusiveMinimum", "")));
        let wanted = format!("has an exclusive bound, `exclusiveMinimum`, of {} digits", power + 1);
        assert!(error.contains(&wanted), "{error}");
    }
    check(
        "{\"type\": \"number\", \"minimum\": 5, \"maximum\": 7.5}",
        &["5", "5.0", "5.25", "7.50"],
        &["4.9", "7.51"],
    );
}

/// JSON Schema takes `1.0` for an integer.
#[test]
fn counts_may_be_written_with_a_point() {
    check(
        "{\"type\": \"string\", \"minLength\": 1.0, \"maxLength\": 2.0}",
        &["\"a\"", "\"ab\""],
        &["\"\"", "\"abc\""],
    );
    check("{\"type\": \"array\", \"minItems\": 1.0}", &["[1]"], &["[]"]);
    check("{\"type\": \"object\", \"minProperties\": 1.0}", &["{\"a\":1}"], &["{}"]);
    let error = refused(&schema("{\"type\": \"string\", \"minLength\": 1.5}"));
    assert!(error.contains("minLength"), "{error}");
}
