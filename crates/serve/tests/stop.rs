use jarrah_serve::StopStrings;

/// What comes out of `pieces`, joined, and the stop string met.
fn run(strings: &[&str], pieces: &[&str]) -> (String, Option<String>) {
    let strings: Vec<String> = strings.iter().map(|&s| s.to_owned()).collect();
    let mut stop = StopStrings::new(&strings).unwrap();
    let mut text = String::new();
    for piece in pieces {
        let (certain, found) = stop.push(piece);
        text += &certain;
        if found.is_some() {
            return (text, found);
        }
    }
    text += &stop.finish();
    (text, None)
}

#[test]
fn the_pieces_do_not_matter() {
    let texts = ["xyabcdz", "aababcd", "naïve €ab", "ababab", "", "abcab"];
    let sets: [&[&str]; 5] = [&["abcd"], &["abcd", "bc"], &["€", "ïv"], &["abb", "ba", "z"], &[]];
    for text in texts {
        for strings in sets {
            let whole = run(strings, &[text]);
            let letters: Vec<String> = text.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            assert_eq!(run(strings, &letters), whole, "{text} {strings:?}");
            for (cut, _) in text.char_indices() {
                assert_eq!(run(strings, &[&text[..cut], &text[cut..]]), whole, "{text} at {cut} {strings:?}");
            }
        }
    }
}

#[test]
fn text_ends_before_the_first_complete_stop_string() {
    assert_eq!(run(&["abcd", "bc"], &["xabcd"]), ("xa".to_owned(), Some("bc".to_owned())));
    assert_eq!(run(&["cd", "abcd"], &["xabcd"]), ("x".to_owned(), Some("abcd".to_owned())));
    assert_eq!(run(&["\n\n"], &["a\n", "b\n", "\nc"]), ("a\nb".to_owned(), Some("\n\n".to_owned())));
}

#[test]
fn what_cannot_be_a_stop_string_is_shown_at_once() {
    let mut stop = StopStrings::new(&["END".to_owned()]).unwrap();
    assert_eq!(stop.push("the E").0, "the ");
    assert_eq!(stop.push("x").0, "Ex");
    assert_eq!(stop.push("EEN").0, "E");
    assert_eq!(stop.finish(), "EN");
}

#[test]
fn an_empty_stop_string_is_refused() {
    let error = StopStrings::new(&[String::new()]).err().unwrap();
    assert_eq!(error.message(), "a stop string is empty");
}
