//! Numbers of JSON that readers of JSON lose.

use jarrah_base::Literal;
use jarrah_formats::json::{Decimal, NUMBER, exact, loses, python, python_unmarked, unmarked};
use jarrah_formats::{Folder, SaveOptions, Tensor, Tensors};

#[test]
fn numbers_that_64_bits_lose_are_marked() {
    for kept in [
        "0",
        "-1",
        "18446744073709551615",
        "-9223372036854775808",
        "0.1",
        "1e20",
        "3.141592653589793",
        "-0.0",
        "1E5",
        "100.50",
        "1e-300",
    ] {
        assert!(!loses(kept), "{kept}");
        assert_eq!(*exact(kept.as_bytes()), *kept.as_bytes());
    }
    for lost in [
        "18446744073709551616",
        "-9223372036854775809",
        "3.14159265358979323846",
        "1e400",
        "0.10000000000000000001",
        "123456789012345678901234567890",
    ] {
        assert!(loses(lost), "{lost}");
        let marked = format!("{{\"{NUMBER}\":\"{lost}\"}}");
        assert_eq!(*exact(lost.as_bytes()), *marked.as_bytes());
        assert_eq!(unmarked(&marked), lost);
    }
    let text = r#"{"18446744073709551616": ["18446744073709551616", "\"", 18446744073709551616]}"#;
    let marked = exact(text.as_bytes());
    assert_eq!(marked.len(), text.len() + NUMBER.len() + 7);
    assert_eq!(unmarked(std::str::from_utf8(&marked).unwrap()), text);
}

#[test]
fn decimals_are_equal_whatever_their_writing() {
    for (a, b) in [("1", "1.0"), ("100", "1e2"), ("0.001", "1e-3"), ("-12.5", "-0.125E+2"), ("0", "-0.0")] {
        assert_eq!(Decimal::of(a), Decimal::of(b));
    }
    let parts = |text: &str| Decimal::of(text).unwrap().parts(50).unwrap();
    for (text, whole, fraction) in [
        ("0", "0", ""),
        ("12.50", "12", "5"),
        ("1e3", "1000", ""),
        ("0.001", "0", "001"),
        ("12345e-3", "12", "345"),
    ] {
        assert_eq!(parts(text), (whole.to_owned(), fraction.to_owned()));
    }
    assert!(Decimal::of("1e999").unwrap().parts(50).is_none());
    assert!(["01", "1.", ".5", "+1", "1e", "NaN", ""].iter().all(|text| Decimal::of(text).is_none()));
}

#[test]
fn objects_that_are_no_marks_stay() {
    for same in [
        r#"{"$jarrah.number":"x"}"#,
        r#"{"$jarrah.number":1}"#,
        r#"{"a": 1, "$jarrah.number":"1"}"#,
        r#"["$jarrah.number"]"#,
    ] {
        assert_eq!(unmarked(same), same);
    }
    assert_eq!(unmarked("{\n  \"$jarrah.number\": \"1e400\"\n}"), "1e400");
}

#[test]
fn what_python_writes_is_marked_outside_of_texts() {
    let text = br#"{"a": [NaN, Infinity, -Infinity, "NaN", "\"Infinity"], "NaN": -1.5}"#;
    let marked = python(text);
    let value: serde_json::Value = serde_json::from_slice(&marked).unwrap();
    assert_eq!(value["a"][2][NUMBER], "-Infinity");
    assert_eq!((&value["a"][3], &value["NaN"]), (&serde_json::json!("NaN"), &serde_json::json!(-1.5)));
    assert_eq!(python_unmarked(std::str::from_utf8(&marked).unwrap()).as_bytes(), text);
    assert!(matches!(python(b"[1, 2]"), std::borrow::Cow::Borrowed(_)));
}

/// `json.dump` of Python writes these, and its `json.load` reads them: in `config.json`, `generation_config.json` and an index.
#[test]
fn infinity_and_nan_in_files_are_read_and_written_as_they_were() {
    let place = tempfile::tempdir().unwrap();
    let (from, to) = (place.path().join("from"), place.path().join("to"));
    std::fs::create_dir(&from).unwrap();
    let config = r#"{"model_type": "x", "time_step_limit": [0.0, Infinity], "y": NaN}"#;
    std::fs::write(from.join("config.json"), config).unwrap();
    std::fs::write(from.join("generation_config.json"), r#"{"top_p": 0.5, "z": -Infinity}"#).unwrap();
    let mut folder = Folder::open(&from).unwrap();
    assert_eq!(folder.config()["time_step_limit"][1][NUMBER], "Infinity");
    assert_eq!(folder.generation_config().unwrap()["top_p"], 0.5);
    let mut json = folder.config().clone();
    json["model_type"] = "z".into();
    folder.set_config(json).unwrap();
    let weight = Literal::scalar(1f32);
    folder.write(&to, &[Tensor::of("w", &weight)], &SaveOptions::default()).unwrap();
    let written = std::fs::read_to_string(to.join("config.json")).unwrap();
    assert!(
        written.contains("Infinity") && !written.contains(NUMBER) && written.contains("\"z\""),
        "{written}"
    );
    assert_eq!(Folder::open(&to).unwrap().config()["y"][NUMBER], "NaN");

    let index = r#"{"metadata": {"total_size": NaN}, "weight_map": {"w": "model.safetensors"}}"#;
    std::fs::write(to.join("model.safetensors.index.json"), index).unwrap();
    assert_eq!(Tensors::open(&to).unwrap().len(), 1);
}

/// Half a character in a configuration is none that a model looks at.
#[test]
fn halves_of_characters_in_files_are_read() {
    let place = tempfile::tempdir().unwrap();
    let config = br#"{"a": "\ud83d\ude00", "b": ["\ud83d", "\ude00x", "\\ud83d"]}"#;
    std::fs::write(place.path().join("config.json"), config).unwrap();
    let folder = Folder::open(place.path()).unwrap();
    assert_eq!(folder.config()["a"], "😀");
    assert_eq!(folder.config()["b"], serde_json::json!(["\u{fffd}", "\u{fffd}x", "\\ud83d"]));
}

/// Python reads numbers beyond the largest `f64`, as infinities: files that have some are read, and written as they were.
#[test]
fn numbers_beyond_floats_in_files_are_read_and_written_as_they_were() {
    let place = tempfile::tempdir().unwrap();
    let (from, to) = (place.path().join("from"), place.path().join("to"));
    std::fs::create_dir(&from).unwrap();
    let long = "9".repeat(400);
    std::fs::write(from.join("config.json"), format!(r#"{{"a": [1e999, -1E+400, {long}], "b": 1e308}}"#))
        .unwrap();
    std::fs::write(from.join("generation_config.json"), r#"{"top_p": 0.5, "z": 1e999}"#).unwrap();
    let mut folder = Folder::open(&from).unwrap();
    assert_eq!((&folder.config()["a"][1][NUMBER], &folder.config()["b"]), (&"-1E+400".into(), &1e308.into()));
    assert_eq!(folder.generation_config().unwrap()["top_p"], 0.5);
    let mut json = folder.config().clone();
    json["b"] = 1.into();
    folder.set_config(json).unwrap();
    let weight = Literal::scalar(1f32);
    folder.write(&to, &[Tensor::of("w", &weight)], &SaveOptions::default()).unwrap();
    let written = std::fs::read_to_string(to.join("config.json")).unwrap();
    let has = |number: &str| written.contains(number);
    assert!(has("1e999") && has("-1E+400") && has(&long) && !has(NUMBER), "{written}");
    let index = r#"{"metadata": {"total_size": 1e999}, "weight_map": {"w": "model.safetensors"}}"#;
    std::fs::write(to.join("model.safetensors.index.json"), index).unwrap();
    assert_eq!(Tensors::open(&to).unwrap().len(), 1);
    // No more is marked than what readers of JSON refuse.
    assert!(matches!(python(b"[1e308, 018e999, \"1e999\"]"), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn what_is_no_number_of_json_is_not_marked() {
    for text in ["01.5", "00.7", "018446744073709551616", "[-]"] {
        assert_eq!(*exact(text.as_bytes()), *text.as_bytes(), "{text}");
    }
    let large = "1e1099511627776";
    assert_eq!(unmarked(std::str::from_utf8(&exact(large.as_bytes())).unwrap()), large);
    let infinite = "{\"$jarrah.number\":\"Infinity\"}";
    assert_eq!(unmarked(infinite), infinite, "JSON has no such number");
    assert_eq!(python_unmarked(infinite), "Infinity");
}
