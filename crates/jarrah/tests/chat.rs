use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::serve::{signal, trained};
use crate::support::{Done, Place, terminal};

const TEMPLATE: &str = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:";

/// What a conversation of these lines shows.
fn talk(place: &Place, more: &str, lines: &str) -> Done {
    fs::write(place.path("chat.jinja"), TEMPLATE).unwrap();
    let mut command =
        place.command(&format!("chat run --chat-template chat.jinja --no-warm-up --seed 3 {more}"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn messages_are_answered_and_remembered() {
    let place = trained();
    let done = talk(
        &place,
        "--max-tokens 5 --system line",
        "one\n/save said.json\ntwo\n/history\n/stats\n/quit\nthree\n",
    );
    assert_eq!(done.code, Some(0), "{done:?}");
    let said: Value = serde_json::from_slice(&fs::read(place.path("said.json")).unwrap()).unwrap();
    let roles: Vec<&str> = said.as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant"]);
    let first = said[2]["content"].as_str().unwrap();
    let history = done.out.split_once("system: line\nuser: one\n").unwrap().1;
    let (_, second) = history
        .strip_prefix(&format!("assistant: {first}\n"))
        .unwrap()
        .split_once("user: two\nassistant: ")
        .unwrap();
    assert!(done.out.starts_with(&format!("{first}\n{second}")), "{done:?}");
    assert!(!done.out.contains("three") && done.err.contains("tokens of the prompt were there"), "{done:?}");
    // It goes on where it was written.
    let done = talk(&place, "--max-tokens 5 --load said.json", "two\n");
    assert_eq!(done.out, second, "{done:?}");
    // One that is undone was never said, and the same seed answers it in the same way.
    let again = talk(
        &place,
        "--max-tokens 5 --system line",
        "one\n/undo\none\n/retry\n/reset\n/system\n/system line\none\n",
    );
    assert_eq!(again.out, format!("{first}\n").repeat(4), "{again:?}");
}

#[test]
fn parameters_are_set() {
    let place = trained();
    let lines = "/temperature 0\n/max_tokens 3\n\"\"\"\none\ntwo\n\"\"\"\n/save 0\n/reset\none\\\ntwo\n/save 1\n/reset\n//x\n/save 2\n";
    let done = talk(&place, "", lines);
    assert_eq!(done.code, Some(0), "{done:?}");
    for (name, message) in [("0", "one\ntwo\n"), ("1", "one\ntwo"), ("2", "/x")] {
        let said: Value = serde_json::from_slice(&fs::read(place.path(name)).unwrap()).unwrap();
        assert_eq!(said[0]["content"], message);
    }
    for (line, what) in [
        ("/temperature hot", "/temperature needs a number, but has \"hot\""),
        ("/temperature -1", "temperature is -1"),
        ("/colour red", "/colour is no command"),
        ("/load missing.json", "cannot read missing.json"),
        ("/load chat.jinja", "chat.jinja is no conversation"),
        ("/save", "no file is named"),
        ("/retry", "there is no message to answer"),
        (&"line ".repeat(100), "the message has "),
    ] {
        // What is wrong costs no other line, and whoever reads the output is told at the end.
        let done = talk(&place, "--max-tokens 3", &format!("{line}\n/reset\none\n"));
        done.is_refused(what);
        assert!(done.out.lines().count() > 0 && done.err.contains("error: a line was wrong"), "{done:?}");
    }
}

#[test]
fn what_does_not_fit_is_forgotten() {
    let place = trained();
    fs::write(place.path("long.json"), json!([{"role": "user", "content": "line 3"}]).to_string()).unwrap();
    let done = talk(&place, "--max-tokens 20", &"line 3 of file\n".repeat(6));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("tokens is full: the oldest messages are forgotten"), "{done:?}");
}

#[test]
fn a_run_without_a_template_has_a_plain_one() {
    let place = trained();
    let mut command = place.command("chat run --no-warm-up --seed 3 --max-tokens 4 --temperature 0");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"line 3\nof\n").unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(
        done.err.matches("run has no template for chats: it is given the messages").count(),
        1,
        "{done:?}"
    );
    // The model goes on behind the message, as it does behind a prompt.
    let mut direct = place.command("generate run --max-tokens 4 --temperature 0");
    let direct = Done::from(direct.args(["--prompt", "line 3"]).output().unwrap());
    let first = direct.out.strip_prefix("line 3").unwrap();
    assert!(done.out.starts_with(first), "{done:?} {direct:?}");
    let asked = place.jarrah("generate run --chat --prompt line --max-tokens 4 --temperature 0");
    assert!(asked.code == Some(0) && asked.err.contains("no template for chats"), "{asked:?}");

    // A damaged template is no missing one, and a model of others has what it has.
    fs::write(place.path("run/chat_template.jinja"), "{% for %}").unwrap();
    let done = place.jarrah("chat run --no-warm-up");
    assert!(done.code == Some(2) && !done.err.contains("one below the other"), "{done:?}");
    fs::remove_file(place.path("run/chat_template.jinja")).unwrap();
    place.good("model convert run folder");
    place.refused("chat folder --no-warm-up", "folder has no template for chats");
}

#[test]
fn an_answer_of_a_number_of_tokens_may_be_longer_than_the_context() {
    let place = trained();
    let done = talk(&place, "--max-tokens 90 --temperature 0", "line 3\n/stats\none\n");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("[90 tokens"), "{done:?}");
    assert_eq!(done.err.matches("the text went on from its newer half").count(), 1, "said once: {done:?}");
}

#[test]
fn a_signal_stops_the_answer_and_not_the_program() {
    let place = Place::new();
    place.good(
        "train tiny.toml --data text --out run steps=1 model.context=4096 model.width=64 model.layers=4",
    );
    fs::write(place.path("chat.jinja"), TEMPLATE).unwrap();
    let ends = "--override-generation-config {\"temperature\":2}";
    let mut command =
        place.command(&format!("chat run --chat-template chat.jinja --no-warm-up --seed 3 {ends}"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    input.write_all(b"one\n").unwrap();
    output.read_exact(&mut [0; 8]).unwrap();
    signal(&child, Signal::INT);
    let mut told = BufReader::new(child.stderr.take().unwrap());
    input.write_all(b"/max_tokens 3\n/stats\ntwo\n/stats\n").unwrap();
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    let stopped: usize =
        line.trim_start_matches('[').split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{line}"));
    line.clear();
    told.read_line(&mut line).unwrap();
    assert!(stopped < 4000 && line.starts_with("[3 tokens"), "{stopped}: {line}");
    // Where nothing is answered, the second one ends the program.
    signal(&child, Signal::INT);
    line.clear();
    while !line.contains("Ctrl-C once more ends") {
        assert!(told.read_line(&mut line).unwrap() > 0, "{line}");
    }
    signal(&child, Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A program that waits for its input or answers is gone at once, as one that handles no signals.
#[test]
fn other_signals_end_the_program_at_once() {
    let place = Place::new();
    place.good(
        "train tiny.toml --data text --out run steps=1 model.context=4096 model.width=64 model.layers=4",
    );
    fs::write(place.path("chat.jinja"), TEMPLATE).unwrap();
    let until = |output: &mut dyn Read, word: &str| {
        let (mut seen, mut part) = (String::new(), [0; 256]);
        while !seen.contains(word) {
            let read = output.read(&mut part).unwrap();
            assert_ne!(read, 0, "{seen}");
            seen += &String::from_utf8_lossy(&part[..read]);
        }
    };
    for (sent, on_terminal, answers) in [
        (Signal::TERM, false, false),
        (Signal::HUP, false, true),
        (Signal::TERM, true, true),
        (Signal::HUP, true, false),
    ] {
        let mut command = place.command("chat run --chat-template chat.jinja --no-warm-up");
        command.args(["--override-generation-config", "{\"temperature\":2}"]);
        let (mut child, mut input, mut notes, mut output): (_, Box<dyn Write>, Box<dyn Read>, Box<dyn Read>);
        if on_terminal {
            let (screen, end) = terminal();
            command.stdin(end.try_clone().unwrap()).stdout(end.try_clone().unwrap()).stderr(end);
            child = command.spawn().unwrap();
            (input, notes) = (Box::new(screen.try_clone().unwrap()), Box::new(screen.try_clone().unwrap()));
            output = Box::new(screen);
        } else {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            child = command.spawn().unwrap();
            (input, notes) = (Box::new(child.stdin.take().unwrap()), Box::new(child.stderr.take().unwrap()));
            output = Box::new(child.stdout.take().unwrap());
        }
        input.write_all(b"/help\n").unwrap();
        until(&mut *notes, "//text says /text");
        if answers {
            input.write_all(b"one\n").unwrap();
            output.read_exact(&mut [0; 8]).unwrap();
        }
        signal(&child, sent);
        let begun = Instant::now();
        let ended = loop {
            match child.try_wait().unwrap() {
                None if begun.elapsed() < Duration::from_secs(10) => sleep(Duration::from_millis(20)),
                ended => break ended,
            }
        };
        child.kill().unwrap();
        child.wait().unwrap();
        let how = ended.and_then(|status| status.signal());
        assert_eq!(how, Some(sent.as_raw()), "{sent:?}, {on_terminal}, {answers}: {ended:?}");
    }
}
