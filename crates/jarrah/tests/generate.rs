use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Done, Place, shown, terminal};

fn trained() -> Place {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run steps=30 checkpoint.keep=10 model.context=32 optimizer.lr=0.03 optimizer.warmup=3");
    place
}

#[test]
fn the_same_seed_gives_the_same_text() {
    let place = trained();
    let text = |more: &str| place.good(&format!("generate run --prompt line --max-tokens 20 {more}"));
    let first = text("--seed 1");
    assert!(first.starts_with("line") && first.ends_with('\n'), "{first:?}");
    assert_eq!(text("--seed 1"), first);
    assert!(
        (2..6).any(|seed| text(&format!("--seed {seed} --temperature 1.5 --top-k 0 --top-p 1")) != first)
    );
    let greedy = text("--temperature 0");
    assert_eq!(text("--temperature 0 --seed 9"), greedy);
    assert_eq!(text("--top-k 1 --seed 9"), greedy);
    assert_eq!(text("--top-p 1e-9 --seed 9"), greedy);
    assert_eq!(text("--seed 1 --step 30"), first);
    assert_ne!(text("--temperature 0 --step 4"), greedy, "an early checkpoint is another model");
}

#[test]
fn text_stops_at_stop_strings_and_goes_on_past_the_context() {
    let place = trained();
    let whole = place.good("generate run --prompt line --max-tokens 20 --seed 1");
    let generated = whole.strip_prefix("line").unwrap();
    let stop: String = generated.chars().skip(3).take(2).collect();
    let mut command = place.command("generate run --prompt line --max-tokens 20 --seed 1");
    let cut = Done::from(command.args(["--stop", &stop]).output().unwrap());
    let expected = &generated[..generated.find(&stop).unwrap()];
    assert_eq!(cut.out, format!("line{expected}\n"), "{cut:?}");

    // Three times the context, said once.
    let done = place.jarrah("generate run --prompt line --max-tokens 100 --temperature 0");
    assert_eq!(done.code, Some(0));
    let begins = place.good("generate run --prompt line --max-tokens 10 --temperature 0");
    assert!(done.out.starts_with(begins.trim_end()), "{done:?}");
    let told =
        "[the model's context is 32 tokens: wherever it was full, the text went on from its newer half]\n";
    assert_eq!(done.err, told);
    // The shortest text that does not fit has as many tokens as the context, and two.
    let shorter = |tokens: usize| {
        place.jarrah(&format!("generate run --prompt line --max-tokens {tokens} --temperature 0"))
    };
    let fits: Vec<usize> = (20..=34).filter(|&tokens| shorter(tokens).err.is_empty()).collect();
    assert!(!fits.is_empty() && fits.len() < 15 && fits.iter().zip(20..).all(|(a, b)| *a == b), "{fits:?}");
    let whole = done.out.trim_end();
    assert!(
        whole.starts_with(shorter(34).out.trim_end()) && whole.len() > shorter(34).out.len() + 60,
        "{done:?}"
    );
    let long = "word,".repeat(80);
    let done = place.jarrah(&format!("generate run --prompt {long} --max-tokens 4"));
    let told = "[the model's context is 32 tokens: it sees the last 28 of the prompt]\n";
    assert!(done.code == Some(0) && done.out.starts_with(&long) && done.err == told, "{done:?}");
}

#[test]
fn a_prompt_can_come_from_the_standard_input() {
    let place = trained();
    let mut command = place.command("generate run --max-tokens 3 --seed 1 --prompt -");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"line 3").unwrap();
    let done = Done::from(child.wait_with_output().unwrap());
    let mut direct = place.command("generate run --max-tokens 3 --seed 1");
    let direct = Done::from(direct.args(["--prompt", "line 3"]).output().unwrap());
    assert_eq!((done.code, &done.out), (Some(0), &direct.out));
    assert!(done.out.starts_with("line 3"));
}

#[test]
fn bad_requests_are_refused() {
    let place = trained();
    place.refused("generate run --temperature -1", "temperature is -1, it must be 0 or more");
    place.refused("generate run --temperature nan", "temperature is NaN, it must be 0 or more");
    for (wrong, allowed) in [
        ("--top-k -1", "'-1' for '--top-k <TOP_K>': a whole number, 0 or more"),
        ("--max-tokens -1", "'-1' for '--max-tokens <MAX_TOKENS>': a whole number, 0 or more"),
        ("--threads 2147483648", "a number of threads from 0 to 1024"),
        ("--seed x", "a whole number, 0 or more"),
    ] {
        let error = place.refused(&format!("generate run {wrong}"), "invalid value ");
        assert!(error.contains(allowed), "{error}");
    }
    place.refused("generate run --top-p 1.5", "top_p is 1.5, it must be above 0 and at most 1");
    place.refused("generate text", "text is not the folder of a run or of a model: it has neither run.json");
    place.refused("generate nowhere", "nowhere does not exist");
    let error = place.refused("generate run --step 5", "there is no checkpoint of step 5 in ");
    assert!(error.contains("there are: "), "{error}");
    let mut command = place.command("generate run");
    Done::from(command.args(["--stop", ""]).output().unwrap()).is_refused("stop has an empty text");
}

/// What a model writes moves no cursor and sets no title: a terminal shows its control characters, a file has them.
#[test]
fn a_terminal_shows_control_characters_and_does_not_obey_them() {
    let place = trained();
    let hostile = "a\u{1b}]0;title\u{7}b\tc\u{9b}2J\r";
    let said = |command: &mut Command| {
        let hot =
            ["--temperature", "9", "--top-k", "0", "--top-p", "1", "--max-tokens", "24", "--prompt", hostile];
        let status = command.args(hot).stderr(Stdio::null()).status().unwrap();
        assert!(status.success());
    };
    let (screen, end) = terminal();
    let mut command = place.command("generate run");
    said(command.stdout(end));
    drop(command);
    let seen = shown(screen);
    assert!(seen.starts_with("a^[]0;title^Gb\tc<U+009B>2J^M"), "{seen:?}");
    // The terminal writes the ends of lines as it does.
    let seen = seen.replace("\r\n", "\n");
    assert!(!seen.contains(|c: char| c.is_control() && !"\n\t".contains(c)), "{seen:?}");
    let file = fs::File::create(place.path("out")).unwrap();
    said(place.command("generate run").stdout(file));
    let kept = fs::read_to_string(place.path("out")).unwrap();
    assert!(kept.starts_with(hostile), "{kept:?}");
}
