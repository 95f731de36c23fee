use std::collections::HashMap;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::serve::trained;
use crate::support::{Noise, shown, terminal};

fn line(id: &str, path: &str, body: &Value) -> String {
    json!({"custom_id": id, "method": "POST", "url": path, "body": body}).to_string()
}

fn requests() -> Vec<String> {
    let mut lines: Vec<String> = (0..8)
        .map(|i| {
            let asked = json!({"prompt": format!("line {i}"), "max_tokens": 20 - 2 * i, "seed": i, "ignore_eos": true});
            line(&format!("c{i}"), "/v1/completions", &asked)
        })
        .collect();
    lines.push(line("e", "/v1/embeddings", &json!({"input": "line"})));
    lines.push(line("s", "/score", &json!({"text_1": "line", "text_2": "file"})));
    lines.push(String::new());
    lines.push(line("bad", "/v1/completions", &json!({"prompt": "line", "temperature": -1})));
    lines.push("{".to_owned());
    lines.push(line("nowhere", "/v1/nothing", &json!({})));
    lines
}

fn answers(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_of_requests_is_answered_in_its_order() {
    let place = trained();
    fs::write(place.path("in.jsonl"), requests().join("\n")).unwrap();
    place.good("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    let text = fs::read_to_string(place.path("out.jsonl")).unwrap();
    let all = answers(&text);
    let ids: Vec<&str> = all.iter().map(|answer| answer["custom_id"].as_str().unwrap_or("none")).collect();
    assert_eq!(ids, ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "e", "s", "bad", "none", "nowhere"]);
    for (i, answer) in all[..8].iter().enumerate() {
        assert_eq!(answer["response"]["status_code"], 200);
        assert_eq!(answer["response"]["body"]["usage"]["completion_tokens"], 20 - 2 * i);
    }
    assert!(all[8]["response"]["body"]["data"][0]["embedding"].is_array());
    assert!(all[9]["response"]["body"]["data"][0]["score"].is_number());
    assert_eq!(all[10]["response"]["status_code"], 400);
    assert_eq!((&all[11]["response"], &all[11]["error"]["code"]), (&Value::Null, &json!("invalid_request")));
    // Of lines that editors count from 1 on, blank ones too.
    let message = all[11]["error"]["message"].as_str().unwrap();
    assert_eq!(message, "line 13: not JSON: EOF while parsing an object, at column 1");
    assert!(all[12]["error"]["message"].as_str().unwrap().starts_with("line 14: `url` is"));
    assert!(!place.path("out.jsonl.partial").exists());
    // One line that is no text costs no other.
    let mut bytes = format!("\u{feff}{}", requests()[0]).into_bytes();
    bytes.extend(b"\n\xff\xfe{}\r\n");
    bytes.extend(requests()[1].as_bytes());
    fs::write(place.path("bytes.jsonl"), bytes).unwrap();
    place.good("run-batch bytes.jsonl bytes.out --model run --no-warm-up");
    let some = answers(&fs::read_to_string(place.path("bytes.out")).unwrap());
    let codes: Vec<u64> =
        some.iter().map(|answer| answer["response"]["status_code"].as_u64().unwrap_or(0)).collect();
    assert_eq!(codes, [200, 0, 200]);
    place.refused("run-batch . dot.out --model run", ". is no file that can be read again");
    // The file of requests stays what it is.
    place.refused("run-batch in.jsonl in.jsonl --model run", "in.jsonl is read, and would be written over");
    assert_eq!(fs::read_to_string(place.path("in.jsonl")).unwrap(), requests().join("\n"));
    // The same requests have the same answers, by vLLM's names of the files too.
    place.good("run-batch -i in.jsonl -o again.jsonl --model run --max-num-seqs 1 --no-warm-up");
    let choices =
        |all: &[Value]| all.iter().map(|a| a["response"]["body"]["choices"].clone()).collect::<Vec<_>>();
    assert_eq!(choices(&all), choices(&answers(&fs::read_to_string(place.path("again.jsonl")).unwrap())));
}

#[test]
fn what_is_answered_is_not_lost() {
    let place = trained();
    fs::write(place.path("in.jsonl"), requests().join("\n")).unwrap();
    // A disk that is full keeps the batch from being finished.
    std::os::unix::fs::symlink("/dev/full", place.path("out.jsonl")).unwrap();
    let done = place.jarrah("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    assert!(done.code == Some(1) && done.err.contains("cannot write out.jsonl"), "{done:?}");
    fs::remove_file(place.path("out.jsonl")).unwrap();
    let partial = fs::read_to_string(place.path("out.jsonl.partial")).unwrap();
    assert_eq!(partial.lines().count(), 14);
    // As if the program had been killed while it wrote the fifth answer; what is there is taken as it is.
    let lines: Vec<&str> = partial.lines().collect();
    let known = |line: &str| {
        let [number, _, answer] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let answer: Value = serde_json::from_str(answer).unwrap();
        (number.parse::<usize>().unwrap(), answer["id"].as_str().unwrap().to_owned())
    };
    let kept: HashMap<usize, String> = lines[1..5].iter().map(|line| known(line)).collect();
    let cut = format!("{}\n{}", lines[..5].join("\n"), &lines[5][..30]);
    fs::write(place.path("out.jsonl.partial"), cut).unwrap();
    let done = place.jarrah("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("[4 of 13 are answered in out.jsonl.partial: going on]"), "{done:?}");
    let all = answers(&fs::read_to_string(place.path("out.jsonl")).unwrap());
    assert_eq!(all.len(), 13);
    // The eleventh line is blank, and has no answer.
    for (i, answer) in (0..14).filter(|i| *i != 10).zip(&all) {
        let id = answer["id"].as_str().unwrap();
        assert_eq!(kept.get(&i).is_some_and(|kept| kept == id), kept.contains_key(&i), "{answer}");
        assert!(kept.contains_key(&i) || kept.values().all(|kept| kept != id), "{answer}");
    }
    // A line that is not as it was written is no answer, and those around it are.
    let damaged = |line: usize| -> Vec<u8> {
        let bytes = lines[line].as_bytes();
        let at = bytes.len() / 2;
        match line {
            1 => {
                bytes.iter().enumerate().map(|(i, byte)| if i == at { byte ^ 0x81 } else { *byte }).collect()
            }
            2 => b"1 oops".to_vec(),
            3 => b"1 ".to_vec(),
            4 => [b"200", &bytes[bytes.iter().position(|byte| *byte == b' ').unwrap()..]].concat(),
            5 => vec![0xff; 100],
            _ => bytes.to_vec(),
        }
    };
    let changed: Vec<Vec<u8>> = (0..lines.len()).map(damaged).collect();
    fs::write(place.path("out.jsonl.partial"), [changed.join(&b'\n'), vec![b'\n']].concat()).unwrap();
    let done = place.jarrah("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    assert!(done.err.contains("[8 of 13 are answered in out.jsonl.partial: going on]"), "{done:?}");
    let mended = answers(&fs::read_to_string(place.path("out.jsonl")).unwrap());
    let choices =
        |all: &[Value]| all.iter().map(|a| a["response"]["body"]["choices"].clone()).collect::<Vec<_>>();
    assert_eq!(choices(&mended), choices(&all));
    // What is no file of ours stays as it is.
    for other in ["my download\nwith 2 lines\n", "{\"a\": 1}\n", "text without an end of line"] {
        fs::write(place.path("out.jsonl.partial"), other).unwrap();
        place.refused(
            "run-batch in.jsonl out.jsonl --model run",
            "out.jsonl.partial holds no answers of a batch",
        );
        assert_eq!(fs::read_to_string(place.path("out.jsonl.partial")).unwrap(), other);
    }
    // What was made in another way is no part of this batch.
    fs::write(place.path("out.jsonl.partial"), &partial).unwrap();
    let wrong = "out.jsonl.partial has answers that were made with another ";
    place.refused("run-batch in.jsonl out.jsonl --model run --quantize int8", &format!("{wrong}--quantize"));
    place.refused(
        "run-batch in.jsonl out.jsonl --model run --seed 3 --dtype bf16",
        &format!("{wrong}--dtype, --seed"),
    );
    place.good("train --resume run steps=13");
    place.refused(
        "run-batch in.jsonl out.jsonl --model run",
        "out.jsonl.partial has answers of another model, or its files have changed",
    );
    // A folder is no file of answers, which is said before any is made.
    place.refused("run-batch in.jsonl run --model run", "run is a folder, no file of answers");
    assert!(!place.path("run.partial").exists());
    // Answers to other requests are none to these.
    fs::write(place.path("in.jsonl"), requests()[..2].join("\n")).unwrap();
    place.refused(
        "run-batch in.jsonl out.jsonl --model run",
        "out.jsonl.partial has answers to other requests",
    );
    // Where there is no answer yet, nothing is kept of the other way.
    fs::write(place.path("out.jsonl.partial"), partial.lines().next().unwrap().to_owned() + "\n").unwrap();
    place.good("run-batch in.jsonl out.jsonl --model run --no-warm-up --seed 1");
}

#[test]
fn a_batch_that_fails_altogether_is_an_error() {
    let place = trained();
    let wrong = line("a", "/v1/completions", &json!({"prompt": "line", "temperature": -1}));
    let batch = "run-batch in.jsonl out.jsonl --model run --no-warm-up";
    let ends = |lines: &[&str], code: i32, says: &str| {
        fs::write(place.path("in.jsonl"), lines.join("\n")).unwrap();
        let done = place.jarrah(batch);
        assert!(done.code == Some(code) && done.err.contains(says), "{done:?}");
        assert_eq!(fs::read_to_string(place.path("out.jsonl")).unwrap().lines().count(), lines.len());
    };
    let says = "error: all of the 2 requests failed, the first: temperature is -1";
    ends(&[&wrong, "{"], 1, says);
    ends(&["{", &wrong], 1, "error: all of the 2 requests failed, the first: ");
    ends(&[&wrong, &requests()[0]], 0, "2 answered, of them 1 with an error");
    ends(&[], 0, "");
    // What was answered before counts, too, when the batch goes on.
    for (kept, code) in [(wrong.clone(), 1), (requests()[0].clone(), 0)] {
        let all = [kept, wrong.clone()].join("\n");
        fs::write(place.path("in.jsonl"), all).unwrap();
        fs::remove_file(place.path("out.jsonl")).unwrap();
        fs::create_dir(place.path("out.jsonl")).unwrap();
        assert_eq!(place.jarrah(batch).code, Some(2));
        fs::remove_dir(place.path("out.jsonl")).unwrap();
        let done = place.jarrah(batch);
        assert_eq!(done.code, Some(code), "{done:?}");
    }
}

/// Many requests, each of which takes a while.
fn long(count: usize) -> Vec<String> {
    let asked = |i| json!({"prompt": format!("line {i}"), "max_tokens": 40, "seed": i, "ignore_eos": true});
    (0..count).map(|i| line(&format!("c{i}"), "/v1/completions", &asked(i))).collect()
}

#[test]
fn one_process_writes_to_an_output() {
    let place = trained();
    fs::write(place.path("in.jsonl"), long(3000).join("\n")).unwrap();
    let batch = "run-batch in.jsonl out.jsonl --model run --no-warm-up --max-num-seqs 1";
    let mut first = place.command(batch).stderr(Stdio::null()).spawn().unwrap();
    let partial = place.path("out.jsonl.partial");
    while fs::read_to_string(&partial).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    place.refused(batch, "another process writes answers to out.jsonl.partial");
    // The end of the first one frees the place, however it comes.
    first.kill().unwrap();
    first.wait().unwrap();
    fs::write(place.path("in.jsonl"), long(1).join("\n")).unwrap();
    place.refused(batch, "out.jsonl.partial has answers to other requests");
}

/// A batch is killed at random moments, in the writing of a line as likely as not, and begun anew until it is done.
#[test]
fn killed_at_random_moments_a_batch_answers_each_request_once() {
    const KILLS: u32 = 8;
    let place = trained();
    let requests = long(60);
    fs::write(place.path("in.jsonl"), requests.join("\n")).unwrap();
    let batch = |out: &str| format!("run-batch in.jsonl {out} --model run --no-warm-up --max-num-seqs 4");
    let begun = Instant::now();
    place.good(&batch("whole.jsonl"));
    let whole = begun.elapsed();
    let told = |name: &str| {
        let all = answers(&fs::read_to_string(place.path(name)).unwrap());
        all.iter()
            .map(|a| (a["custom_id"].clone(), a["response"]["body"]["choices"].clone()))
            .collect::<Vec<_>>()
    };
    let expected = told("whole.jsonl");
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    let (mut noise, mut kills, mut rounds) = (Noise(seed), 0, 0);
    while kills < KILLS {
        rounds += 1;
        let out = format!("out{rounds}.jsonl");
        loop {
            let mut child = place.command(&batch(&out)).stderr(Stdio::piped()).spawn().unwrap();
            let end = Instant::now() + if kills < KILLS { noise.below(whole) } else { whole * 100 };
            while child.try_wait().unwrap().is_none() && Instant::now() < end {
                std::thread::sleep(Duration::from_micros(500));
            }
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            match output.status.code() {
                None => kills += 1,
                Some(code) => {
                    assert_eq!(code, 0, "seed {seed}: {}", String::from_utf8_lossy(&output.stderr));
                    break;
                }
            }
        }
        assert_eq!(told(&out), expected, "seed {seed}, {out} after {kills} kills");
        assert!(!place.path(&format!("{out}.partial")).exists());
    }
}

#[test]
fn what_is_no_batch_is_refused() {
    let place = trained();
    let error = place.refused("run-batch missing.jsonl out.jsonl --model run", "cannot read missing.jsonl: ");
    assert!(error.contains("No such file or directory"), "{error}");
    place.refused("run-batch - out.jsonl --model run", "- is no file that can be read again");
    fs::write(place.path("in.jsonl"), requests()[0].clone()).unwrap();
    place.refused("run-batch in.jsonl out.jsonl --model nothing", "nothing does not exist");
    for wrong in
        ["", "in.jsonl --model run", "in.jsonl out.jsonl", "in.jsonl out.jsonl --model run -i in.jsonl"]
    {
        assert_eq!(place.jarrah(&format!("run-batch {wrong}")).code, Some(2), "{wrong}");
    }
}

/// On a terminal, a line says how far it is; in a file there is the last one alone.
#[test]
fn a_terminal_is_told_how_far_a_batch_is() {
    let place = trained();
    fs::write(place.path("in.jsonl"), requests().join("\n")).unwrap();
    let (screen, end) = terminal();
    let mut command = place.command("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    let status = command.stderr(end).status().unwrap();
    drop(command);
    assert!(status.success());
    let seen = shown(screen);
    assert!(seen.contains("0/13 answered") && seen.contains("13/13 answered  3 with an error  "), "{seen:?}");
    let last = seen.trim_end().rsplit('\r').next().unwrap();
    assert_eq!(last, "[13 answered, of them 3 with an error]", "{seen:?}");
    let done = place.jarrah("run-batch in.jsonl again.jsonl --model run --no-warm-up");
    assert!(
        done.err.ends_with("[13 answered, of them 3 with an error]\n") && !done.err.contains("/13"),
        "{done:?}"
    );
}
