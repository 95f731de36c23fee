use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{Done, Place};

pub fn trained() -> Place {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run model.context=64");
    place
}

/// A server of the run, and the address that it printed.
pub fn serve(place: &Place, more: &str) -> (Child, String) {
    started(place.command(&format!("serve run --port 0 --no-warm-up {more}")))
}

/// The server of a command, and the address that it printed.
fn started(mut command: Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().rsplit(" at ").next().unwrap().to_owned();
    assert!(line.starts_with("serving "), "{line:?}");
    (child, address)
}

/// What a server did that was told to stop.
fn stopped(child: Child) -> Done {
    signal(&child, Signal::TERM);
    Done::from(child.wait_with_output().unwrap())
}

fn connect(address: &str, method: &str, path: &str, headers: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}");
    write!(stream, "{head}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        .unwrap();
    stream
}

fn ask(address: &str, method: &str, path: &str, headers: &str, body: &Value) -> (String, String) {
    let mut text = String::new();
    connect(address, method, path, headers, body).read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

#[test]
fn a_run_is_served_until_it_is_told_to_stop() {
    let place = trained();
    let (child, address) = serve(
        &place,
        "--served-model-name mine other --api-key key --seed 3 --speculative-config {\"method\":\"ngram\"}",
    );
    let key = "authorization: Bearer key\r\n";
    let asked = json!({"model": "other", "prompt": "line", "max_tokens": 8, "temperature": 1.5});
    let (status, first) = ask(&address, "POST", "/v1/completions", key, &asked);
    assert_eq!(status, "HTTP/1.1 200 OK", "{first}");
    let text = |body: &str| {
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["model"], "mine");
        body["choices"][0]["text"].as_str().unwrap().to_owned()
    };
    let again = ask(&address, "POST", "/v1/completions", key, &asked).1;
    assert_eq!(text(&first), text(&again), "requests without a seed have that of the server");
    assert_eq!(ask(&address, "GET", "/v1/models", "", &Value::Null).0, "HTTP/1.1 401 Unauthorized");
    assert_eq!(ask(&address, "GET", "/health", "", &Value::Null).0, "HTTP/1.1 200 OK");
    let done = stopped(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.contains("room for ") && done.err.contains("stopping: what runs is finished"),
        "{done:?}"
    );
}

/// What kills a server leaves nothing to clean.
#[test]
fn a_killed_server_gives_its_socket_to_the_next() {
    let place = trained();
    for kills in [true, true, false] {
        let mut command = place.command("serve run --no-warm-up --uds socket");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(told.next().unwrap().unwrap(), "serving run at unix:socket");
        let next = told.next().unwrap().unwrap();
        assert!(
            next.starts_with("next: curl --unix-socket socket http://localhost/v1/completions "),
            "{next}"
        );
        let mut stream = UnixStream::connect(place.path("socket")).unwrap();
        stream
            .write_all(b"GET /version HTTP/1.1\r\nhost: chat.example\r\nconnection: close\r\n\r\n")
            .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        signal(&child, if kills { Signal::KILL } else { Signal::TERM });
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.code, if kills { None } else { Some(0) }, "{done:?}");
    }
    assert!(!place.path("socket").exists());
}

#[test]
fn lengths_of_sequences_are_written_as_in_vllm_and_fit_into_memory() {
    let place = trained();
    for (length, tokens) in [("32", 32), ("0.05k", 50), ("auto", 64), ("-1", 64)] {
        let (child, address) =
            serve(&place, &format!("--max-model-len {length} --max-num-batched-tokens 1K"));
        let body = ask(&address, "GET", "/v1/models", "", &Value::Null).1;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["data"][0]["max_model_len"], tokens, "{length}");
        let done = stopped(child);
        assert!(!done.err.contains("for which there is memory"), "{done:?}");
    }
    for (length, message) in [("8k", "sequences of 8000 tokens"), ("8K", "sequences of 8192 tokens")] {
        place.refused(&format!("serve run --max-model-len {length}"), message);
    }
    for wrong in ["k", "0", "1.5", "8kk", "-8", "1e3", "0.3K"] {
        let done = place.jarrah(&format!("serve run --max-model-len {wrong}"));
        assert!(
            done.code == Some(2) && done.err.contains("such as 8192, 8k (8000) or 8K (8192)"),
            "{done:?}"
        );
    }
    // Adapters are named as in vLLM, too, and so is a list of origins.
    let adapter = r#"--lora-modules {"name":"a","path":"nowhere"}"#;
    place.refused(&format!("serve run --no-warm-up {adapter}"), "cannot read nowhere/adapter_config.json");
    let (child, address) =
        serve(&place, r#"--allowed-origins ["http://a","http://b"] --kv-cache-memory-bytes 1m"#);
    let head = "origin: http://b\r\n";
    let mut text = String::new();
    connect(&address, "GET", "/health", head, &Value::Null).read_to_string(&mut text).unwrap();
    assert!(text.contains("access-control-allow-origin: http://b"), "{text}");
    stopped(child);
    // Keys and values of 16 tokens have 2 x 8 numbers of 4 bytes each: there is room for two pages of the four.
    let bytes = 2 * 16 * 2 * 8 * 4;
    let (child, address) = serve(&place, &format!("--block-size 16 --kv-cache-memory-bytes {bytes}"));
    let body = ask(&address, "GET", "/v1/models", "", &Value::Null).1;
    assert!(body.contains(r#""max_model_len":32"#), "{body}");
    let done = stopped(child);
    let says = "[sequences of 32 tokens, for which --kv-cache-memory-bytes has room, of the 64 that the model was made for: more of it takes more]";
    assert!(done.err.contains(says), "{done:?}");
    place.refused(
        &format!("serve run --block-size 16 --kv-cache-memory-bytes {bytes} --max-model-len 64"),
        "a sequence of 64 tokens needs ",
    );
    place.refused(
        "serve run --block-size 16 --kv-cache-memory-bytes 1k",
        "a page of 16 tokens needs 1024 B for keys and values, there are 1000 B",
    );
}

#[test]
fn what_is_no_model_is_named_and_a_folder_without_a_tokenizer_is_told_of() {
    let place = Place::new();
    let error = place.refused("serve text/03.txt", "the file has no weights: it is text");
    assert!(
        error.contains("while reading text/03.txt") && error.contains("name the folder of a model"),
        "{error}"
    );
    let bare = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests/families/llama");
    let (child, _) = started(place.command(&format!("serve {bare} --port 0 --no-warm-up")));
    let done = stopped(child);
    assert!(done.err.contains("families/llama has no tokenizer: prompts are ids of tokens"), "{done:?}");
    // So is a file of the same.
    assert_eq!(place.jarrah(&format!("model convert {bare} bare.gguf")).code, Some(0));
    let (child, address) = started(place.command("serve bare.gguf --port 0 --no-warm-up"));
    let asked = json!({"prompt": [1, 2, 3], "max_tokens": 2, "ignore_eos": true});
    let (status, body) = ask(&address, "POST", "/v1/completions", "", &asked);
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (status.as_str(), &body["usage"]["completion_tokens"]),
        ("HTTP/1.1 200 OK", &json!(2)),
        "{body}"
    );
    let done = stopped(child);
    assert!(
        done.err.contains("bare.gguf has no tokenizer, or one of a kind that is not known here: "),
        "{done:?}"
    );
}

#[test]
fn requests_have_a_line_each_where_that_is_asked_for() {
    let place = trained();
    let asked = json!({"prompt": "line", "max_tokens": 5, "ignore_eos": true});
    for (flags, lines) in [("--enable-log-requests", 2), ("", 0)] {
        let (child, address) = serve(&place, flags);
        for body in [&asked, &json!({"prompt": 3.5})] {
            ask(&address, "POST", "/v1/completions", "", body);
        }
        let done = stopped(child);
        let told: Vec<&str> = done.err.lines().filter(|line| line.starts_with("request id=")).collect();
        assert_eq!(told.len(), lines, "{done:?}");
        assert!(
            told.first().is_none_or(
                |line| line.contains(" status=200 ") && line.contains(" answer_tokens=5 finish=length ")
            ),
            "{done:?}"
        );
        assert!(told.get(1).is_none_or(|line| line.contains(" finish=refused ")), "{done:?}");
    }
}

/// As in vLLM, the flag alone makes room for one adapter.
#[test]
fn room_for_an_adapter_is_asked_for_by_one_flag() {
    let place = Place::new();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests");
    let asked = json!({"lora_name": "a", "lora_path": format!("{models}/adapter")});
    for (flags, says) in [("", "there is room for no adapter"), ("--enable-lora", r#""status":"loaded""#)] {
        let command = format!("serve {models}/families/llama --port 0 --no-warm-up --dev-mode {flags}");
        let (child, address) = started(place.command(&command));
        let told = ask(&address, "POST", "/v1/load_lora_adapter", "", &asked).1;
        assert!(told.contains(says), "{told}");
        stopped(child);
    }
}

#[test]
fn parsers_are_known_by_name_before_anything_is_loaded() {
    let place = trained();
    for (flags, says) in [
        ("--tool-call-parser wrong", "hermes, granite4"),
        ("--tool-call-parser --help", "hermes, granite4"),
        ("--reasoning-parser wrong", "qwen3, deepseek_v3"),
        ("--help", "hermes, granite4"),
    ] {
        let done = place.jarrah(&format!("serve run {flags}"));
        assert!(format!("{}{}", done.out, done.err).contains(says), "{flags}: {done:?}");
    }
    place
        .refused("serve run --enable-auto-tool-choice", "--enable-auto-tool-choice needs --tool-call-parser");
    place.refused(
        "serve run --no-warm-up --enable-auto-tool-choice --tool-call-parser openai",
        "the parsers openai and openai_gptoss read what gpt-oss writes, and the model has no token <|start|>",
    );
}

/// Who looks for a flag finds those about the same thing together.
#[test]
fn the_help_has_flags_by_subject() {
    let help = Place::new().good("serve --help");
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in help.lines() {
        match line.strip_suffix(':').filter(|head| !head.starts_with(' ')) {
            Some(head) => sections.push((head, Vec::new())),
            None => {
                let flag = line.trim_start().strip_prefix("-h, ").unwrap_or(line.trim_start());
                if let (Some((_, flags)), true) = (sections.last_mut(), flag.starts_with("--")) {
                    flags.push(flag.split(' ').next().unwrap());
                }
            }
        }
    }
    let heads: Vec<&str> = sections.iter().map(|(head, _)| *head).collect();
    let subjects = [
        "Model",
        "Quantization",
        "Memory and scheduling",
        "Adapters",
        "Drafts",
        "Chats, tools and sampling",
        "HTTP",
        "Security",
        "Observability",
    ];
    assert!(subjects.iter().all(|subject| heads.contains(subject)), "{heads:?}");
    let of = |subject: &str| &sections.iter().find(|(head, _)| *head == subject).unwrap().1;
    assert_eq!(*of("Options"), ["--config", "--help"], "{help}");
    assert!(
        of("Adapters").contains(&"--enable-lora") && of("Observability").contains(&"--enable-log-requests")
    );
}

#[test]
fn flags_that_mean_nothing_to_an_encoder_are_refused_by_name() {
    let place = Place::new();
    let bert = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests/encoders/bert");
    for flag in [
        "quantize int8",
        "quantization fp8",
        "kv-cache-dtype int8",
        "block-size 16",
        "no-enable-prefix-caching",
        "lora-modules a=b",
        "draft x",
        "tool-call-parser hermes",
        "reasoning-parser qwen3",
        "chat-template x",
        "seed 1",
    ] {
        let name = flag.split(' ').next().unwrap();
        place.refused(
            &format!("serve {bert} --{flag}"),
            &format!("--{name} means nothing to {bert}, an encoder"),
        );
    }
}

#[test]
fn what_runs_is_finished_once_and_ended_the_second_time() {
    let place = trained();
    let (child, address) = serve(&place, "--dev-mode --max-num-seqs 1");
    ask(&address, "POST", "/pause", "", &Value::Null);
    // So much that it is not done before the second signal, on a busy machine either.
    let asked = json!({"prompt": "line", "max_tokens": 56, "ignore_eos": true, "n": 128, "stream": true});
    let mut all: Vec<TcpStream> =
        (0..4).map(|_| connect(&address, "POST", "/v1/completions", "", &asked)).collect();
    while ask(&address, "GET", "/load", "", &Value::Null).1 != r#"{"server_load":4}"# {}
    signal(&child, Signal::INT);
    // A port that closes meanwhile may not answer at all.
    let port = address.strip_prefix("http://").unwrap().parse().unwrap();
    while TcpStream::connect_timeout(&port, std::time::Duration::from_millis(20)).is_ok() {}
    signal(&child, Signal::INT);
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.contains("error: the server ended before all requests were answered"), "{done:?}");
    let answered = all.iter_mut().map(|waits| {
        let mut rest = Vec::new();
        let _ = waits.read_to_end(&mut rest);
        String::from_utf8_lossy(&rest).contains("[DONE]")
    });
    assert!(answered.filter(|&done| done).count() < 4);
}

/// What a server computed goes to files when it ends, also where it had no time to answer all.
#[test]
fn prefixes_are_kept_where_not_all_was_answered() {
    let place = trained();
    let (child, address) = serve(&place, "--block-size 4 --kv-offload kv --shutdown-timeout 0");
    let asked = json!({"prompt": "the quick brown fox jumps over", "max_tokens": 8});
    assert_eq!(ask(&address, "POST", "/v1/completions", "", &asked).0, "HTTP/1.1 200 OK");
    let long = json!({"prompt": vec!["over and over"; 8], "max_tokens": 40, "ignore_eos": true, "n": 128, "stream": true});
    let mut runs = connect(&address, "POST", "/v1/completions", "", &long);
    runs.read_exact(&mut [0; 200]).unwrap();
    let done = stopped(child);
    assert!(done.code == Some(1) && done.err.contains("ended before all requests were answered"), "{done:?}");
    assert!(std::fs::read_dir(place.path("kv")).unwrap().count() > 2);
}

/// Keys and values in files outlive a server that ends, and one that is killed leaves nothing in the way.
#[test]
fn prefixes_are_found_in_files_after_a_restart() {
    let place = trained();
    let options = "--seed 3 --block-size 4 --kv-offload kv --kv-offload-bytes 64MiB";
    let asked = json!({"prompt": "the quick brown fox jumps over", "max_tokens": 8, "temperature": 1.5});
    let ask_it = |address: &str| ask(address, "POST", "/v1/completions", "", &asked);
    let text = |body: &str| serde_json::from_str::<Value>(body).unwrap()["choices"][0]["text"].clone();
    let read = |address: &str| {
        let page = ask(address, "GET", "/metrics", "", &Value::Null).1;
        let line = page.lines().find(|line| line.starts_with("vllm:kv_offload_pages_read_total")).unwrap();
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let (child, address) = serve(&place, options);
    let (status, first) = ask_it(&address);
    assert_eq!(status, "HTTP/1.1 200 OK", "{first}");
    assert_eq!(read(&address), 0.0);
    assert_eq!(stopped(child).code, Some(0));
    let files = || -> Vec<String> {
        let all = std::fs::read_dir(place.path("kv")).unwrap();
        all.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    let before = files();
    assert!(before.len() > 2 && before.iter().all(|name| name.ends_with(".kv")), "{before:?}");
    for _ in 0..3 {
        let (mut child, address) = serve(&place, options);
        assert_eq!(text(&ask_it(&address).1), text(&first));
        assert!(read(&address) > 0.0);
        // While others are computed.
        let long =
            json!({"prompt": "over and over", "max_tokens": 40, "ignore_eos": true, "n": 4, "stream": true});
        let _runs = connect(&address, "POST", "/v1/completions", "", &long);
        signal(&child, Signal::KILL);
        child.wait().unwrap();
    }
    assert!(before.iter().all(|name| files().contains(name)));
    let (child, address) = serve(&place, options);
    assert_eq!(text(&ask_it(&address).1), text(&first));
    let done = stopped(child);
    assert!(done.code == Some(0) && !done.err.contains("no good"), "{done:?}");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let place = trained();
    place.refused("serve nothing", "nothing does not exist");
    place.refused("serve run --max-model-len 65", "sequences of 65 tokens, but the model was made for 64");
    place.refused("serve run --host nowhere.invalid", "--host is nowhere.invalid, which is no address");
    place.refused("serve run --allowed-hosts http://a", "--allowed-hosts has \"http://a\"");
    place.refused("serve run --chat-template missing", "cannot read missing");
    let json = "--override-generation-config";
    place.refused(&format!("serve run {json} {{}}x"), "--override-generation-config: trailing characters");
    place.refused(
        &format!("serve run {json} {{\"top\":1}}"),
        "--override-generation-config: top is none of its names",
    );
    place.refused(
        &format!("serve run {json} {{\"top_p\":2}}"),
        "top_p is 2, it must be above 0 and at most 1",
    );
    let json = "--speculative-config";
    let error = place.refused("serve run --no-warm-up --served-model-name=", "\"\" is no name of a model");
    assert!(error.contains("requests give it"), "{error}");
    place.refused(
        &format!("serve run {json} ngram"),
        "--speculative-config is ngram, which is no object of JSON",
    );
    place.refused(
        &format!("serve run {json} {{\"method\":\"eagle\"}}"),
        "--speculative-config: the method is \"eagle\"",
    );
    place.refused(
        &format!("serve run {json} {{\"prompt_lookup_min\":9}}"),
        "--speculative-config: prompt_lookup_min is 9",
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let done = place.jarrah(&format!("serve run --no-warm-up --port {port}"));
    assert!(done.code == Some(1) && done.err.contains("cannot listen at 127.0.0.1, port"), "{done:?}");
    assert!(done.err.contains("take another port by --port"), "{done:?}");
    for wrong in
        ["--kv-cache-dtype f64", "--max-num-seqs 0", "--port 70000", "--lora-modules a", "--uds s --port 1"]
    {
        assert_eq!(place.jarrah(&format!("serve run {wrong}")).code, Some(2), "{wrong}");
    }
}

#[test]
fn a_template_of_a_file_writes_the_chats() {
    let place = trained();
    std::fs::write(place.path("chat.jinja"), "{% for m in messages %}{{ m.content }},{% endfor %}").unwrap();
    let (child, address) =
        serve(&place, "--chat-template chat.jinja --kv-cache-dtype bf16 --max-model-len 32");
    let asked = json!({"messages": [{"role": "user", "content": "line"}]});
    let body: Value = serde_json::from_str(&ask(&address, "POST", "/tokenize", "", &asked).1).unwrap();
    let back = ask(&address, "POST", "/detokenize", "", &json!({"tokens": body["tokens"]})).1;
    assert_eq!((back.as_str(), &body["max_model_len"]), (r#"{"prompt":"line,"}"#, &json!(32)));
    signal(&child, Signal::TERM);
    assert!(child.wait_with_output().unwrap().status.success());
}

/// Numbers of `--default-chat-template-kwargs` keep their digits, as those of requests do.
#[test]
fn variables_of_templates_keep_their_digits() {
    let place = trained();
    std::fs::write(place.path("chat.jinja"), "{{ n }} {{ z }} {{ x }}").unwrap();
    let variables = r#"{"n":18446744073709551617,"z":-0,"x":1e400}"#;
    let (child, address) =
        serve(&place, &format!("--chat-template chat.jinja --default-chat-template-kwargs {variables}"));
    let mut asked = json!({"messages": [{"role": "user", "content": "line"}]});
    let mut prompt = || {
        let body: Value = serde_json::from_str(&ask(&address, "POST", "/tokenize", "", &asked).1).unwrap();
        asked["chat_template_kwargs"] = json!({"n": 5});
        ask(&address, "POST", "/detokenize", "", &json!({"tokens": body["tokens"]})).1
    };
    assert_eq!(prompt(), r#"{"prompt":"18446744073709551617 0 inf"}"#);
    assert_eq!(prompt(), r#"{"prompt":"5 0 inf"}"#);
    signal(&child, Signal::TERM);
    assert!(child.wait_with_output().unwrap().status.success());
}

/// The names that a server has for its model.
fn names(address: &str) -> Vec<String> {
    let body = ask(address, "GET", "/v1/models", "", &Value::Null).1;
    let body: Value = serde_json::from_str(&body).unwrap();
    body["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn flags_come_from_a_file() {
    let place = trained();
    let yaml = "# what is served\nmodel: run\nport: 0\nserved_model_name: [a, b]\nno-warm-up: true\nenable-prefix-caching: false\n\
                speculative-config: {method: ngram, num_speculative_tokens: 3}\ntensor-parallel-size: 1\nenforce-eager: true\n\
                dev-mode: false\nseed: null\nmax-model-len: 32\n";
    std::fs::write(place.path("flags.yaml"), yaml).unwrap();
    let read = |more: &str| {
        let (child, address) = started(place.command(&format!("serve --config flags.yaml {more}")));
        let names = names(&address);
        let done = stopped(child);
        assert_eq!(done.code, Some(0), "{done:?}");
        (names, done.err)
    };
    let (found, told) = read("");
    assert_eq!(found, ["a", "b"]);
    assert!(told.contains("sequences of 32 tokens"), "{told}");
    // A flag wins over the file, also where it is written with underscores.
    let (found, told) =
        read("--served_model_name c --max-model-len=16 --async-scheduling --scheduling-policy priority");
    assert_eq!(found, ["c"]);
    assert!(told.contains("sequences of 16 tokens"), "{told}");
    let json = json!({"served-model-name": "d", "port": 0, "no-warm-up": true});
    std::fs::write(place.path("flags.json"), json.to_string()).unwrap();
    let (child, address) = started(place.command("serve run --config=flags.json"));
    assert_eq!(names(&address), ["d"]);
    assert_eq!(stopped(child).code, Some(0));
    for (text, message) in [
        ("prt: 1", "`prt` is no flag of `jarrah serve`"),
        ("config: a", "`config` names another file of flags, which such a file cannot"),
        ("dev-mode: 3", "`dev-mode` is 3, but must be true or false"),
        ("api-key: null", "`api-key` must be text, or a list of texts"),
        ("api-key: []", "`api-key` must be text, or a list of texts"),
        ("api-key: [one, null]", "`api-key` must be text, or a list of texts"),
        ("api-key: 0123", "`api-key` must be text, or a list of texts"),
        ("served-model-name: [a, [b]]", "`served-model-name` has [\"b\"] in its list"),
        ("enforce_eager: 3", "`enforce_eager` is 3, but must be true or false"),
        (
            "enable_chunked_prefill: false",
            "--no-enable-chunked-prefill is a flag of vLLM that means nothing here: a prompt longer",
        ),
        (
            "enable-prompt-tokens-details: false",
            "--enable-prompt-tokens-details false is a flag of vLLM that means nothing here: it is so always",
        ),
        ("no-enable-log-outputs: false", "`no-enable-log-outputs` is no flag of `jarrah serve`"),
        (
            "tensor-parallel-size: 2",
            "--tensor-parallel-size 2 is a flag of vLLM that means nothing here: one process",
        ),
        ("- a", "flags.yaml is no file of flags: it is no map"),
        ("port: 1\nseed: 2\nport: 3\n", "flags.yaml is no file of flags: line 3: `port` stands there twice"),
        ("a: [", "flags.yaml is no file of flags: "),
        ("1: a", "flags.yaml is no file of flags: a key is no text"),
        ("port: high", "`port` is \"high\": a port, 0 to 65535, is needed"),
        ("kv_cache_dtype: f64", "`kv_cache_dtype` is \"f64\": "),
        ("tool-call-parser: wrong", "`tool-call-parser` is \"wrong\": "),
        ("lora-modules: [a]", "`lora-modules` is \"a\": "),
    ] {
        std::fs::write(place.path("flags.yaml"), text).unwrap();
        let done = place.jarrah("serve run --config flags.yaml");
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(message) && done.err.contains("flags.yaml"), "{text}: {done:?}");
    }
    // What is so without them, too.
    let fine = "enforce-eager: false\ntrust-remote-code: false\nenable-lora: false\nno-async-scheduling: false\nmax-model-len: 65\n";
    std::fs::write(place.path("flags.yaml"), fine).unwrap();
    place.refused("serve run --config flags.yaml", "sequences of 65 tokens, but the model was made for 64");
    place.refused("serve run --config missing.yaml", "cannot read missing.yaml");
    place.refused("serve", "no model is named");
    // What a flag took is said of the command line alone.
    std::fs::write(place.path("flags.yaml"), "served-model-name: [a, b]\n").unwrap();
    let help = "name a folder: `jarrah serve HF_FOLDER`";
    for more in ["", "--api-key a --api-key b"] {
        let done = place.jarrah(&format!("serve --config flags.yaml {more}"));
        assert!(done.err.contains("no model is named") && done.err.contains(help), "{done:?}");
    }
    let error = place.refused("serve --served_model_name a run --port 0", "no model is named");
    assert!(
        error.contains("--served-model-name took 2 values, all that follow it: name the model before it"),
        "{error}"
    );
    let error = place.refused("serve --lora-modules a=b run", "invalid value 'run' for '--lora-modules");
    assert!(
        error.contains("--lora-modules takes all that follow it: name what is none of them before it"),
        "{error}"
    );
}

/// A file that says `enable-x: false` does what `--no-enable-x` does.
#[test]
fn a_file_turns_off_what_is_on() {
    let place = trained();
    std::fs::write(place.path("off.yaml"), "enable_prefix_caching: false\n").unwrap();
    let asked = json!({"prompt": "line 1 of file 2 says 3", "max_tokens": 1});
    for (flags, is_on) in [
        ("", true),
        ("--config off.yaml", false),
        ("--config off.yaml --enable-prefix-caching", true),
        ("--no-enable-prefix-caching", false),
    ] {
        let (child, address) = serve(&place, &format!("--block-size 2 {flags}"));
        let mut cached = 0;
        for _ in 0..2 {
            let (_, body) = ask(&address, "POST", "/v1/completions", "", &asked);
            let body: Value = serde_json::from_str(&body).unwrap();
            cached = body["usage"]["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
        }
        assert_eq!(cached > 0, is_on, "{flags}: {cached} tokens were there");
        stopped(child);
    }
}

#[test]
fn flags_of_llama_cpp_and_short_ones_say_what_to_use() {
    let place = trained();
    for (flags, message) in [
        ("-tp 2", "-tp 2 is a flag of vLLM that means nothing here: one process"),
        ("-tp=2", "-tp 2 is a flag of vLLM that means nothing here: one process"),
        ("-O3", "-O 3 is a flag of vLLM that means nothing here: programs are compiled"),
        (
            "-ngl 99",
            "-ngl 99 is a flag of llama.cpp that means nothing here: models are computed by the cores",
        ),
        ("--n-gpu-layers 99", "--n-gpu-layers 99 is a flag of llama.cpp that means nothing here: models"),
        ("--max-cpu-loras 2", "--max-cpu-loras 2 is a flag of vLLM that means nothing here: adapters are"),
    ] {
        place.refused(&format!("serve run {flags}"), message);
    }
    for (flags, instead) in [
        ("-c 4096", "give --max-model-len N"),
        ("--ctx-size 4096", "give --max-model-len N"),
        ("-m model.gguf", "give the path of the model without a flag"),
        ("-t 4", "give --threads N"),
    ] {
        let told =
            place.refused(&format!("serve run {flags}"), &format!("{flags} is a flag of other programs"));
        assert!(told.contains(instead), "{told}");
    }
    // Others are taken.
    place.refused("serve run -tp 1 -ngl 0 --jinja --max-model-len 65", "sequences of 65 tokens");
}

#[test]
fn adapters_of_runs_and_what_runs_were_trained_with() {
    let place = crate::tasks::with_model();
    place.good(&format!("train {} steps=6 --out run", crate::tasks::SFT));
    let (child, address) = serve(&place, "--api-key secret");
    let key = "authorization: Bearer secret\r\n";
    let body = ask(&address, "GET", "/v1/models", key, &Value::Null).1;
    assert!(body.contains(r#""max_model_len":32"#), "{body}");
    let done = stopped(child);
    assert!(
        done.err.contains(
            "[sequences of 32 tokens, as the run was trained with, of the 64 that the model was made for"
        ),
        "{done:?}"
    );
    let mut command =
        place.command("serve model --port 0 --no-warm-up --lora-modules w=run --api-key secret");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap().rsplit(" at ").next().unwrap().to_owned();
    let next = lines.next().unwrap().unwrap();
    assert!(next.starts_with("next, after KEY=... with what --api-key says: curl http://"), "{next}");
    assert!(next.contains(r#" -H "Authorization: Bearer $KEY" "#) && !next.contains("secret"), "{next}");
    let body = ask(&address, "GET", "/v1/models", key, &Value::Null).1;
    assert!(body.contains(r#""id":"w""#), "{body}");
    signal(&child, Signal::TERM);
    child.wait().unwrap();
    place.good("train tiny.toml --data text --out plain steps=1");
    place.refused("serve model --no-warm-up --lora-modules w=plain", "plain is a run without an adapter");
    // A draft of shorter sequences.
    let config = std::fs::read_to_string(place.path("model/config.json")).unwrap();
    let mut config: Value = serde_json::from_str(&config).unwrap();
    std::fs::create_dir(place.path("short")).unwrap();
    for entry in std::fs::read_dir(place.path("model")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), place.path("short").join(entry.file_name())).unwrap();
    }
    config["max_position_embeddings"] = 16.into();
    std::fs::write(place.path("short/config.json"), config.to_string()).unwrap();
    let told =
        place.refused("serve model --no-warm-up --draft short", "the draft model was made for 16 tokens");
    assert!(told.contains("--max-model-len 16 takes sequences"), "{told}");
}

#[test]
fn flags_of_vllm_that_mean_nothing_here_say_why() {
    let place = trained();
    for (flags, message) in [
        (
            "--gpu-memory-utilization 0.9",
            "--gpu-memory-utilization 0.9 is a flag of vLLM that means nothing here: there is no memory of a GPU",
        ),
        (
            "--pipeline_parallel_size=2",
            "--pipeline-parallel-size 2 is a flag of vLLM that means nothing here: one process",
        ),
        (
            "--trust-remote-code",
            "--trust-remote-code is a flag of vLLM that means nothing here: the code in a model's folder is not run",
        ),
        (
            "--enable-log-outputs",
            "--enable-log-outputs is a flag of vLLM that means nothing here: texts are not logged",
        ),
        (
            "--root-path /x",
            "--root-path /x is a flag of vLLM that means nothing here: it says which path a proxy puts before",
        ),
        (
            "--allow-credentials",
            "--allow-credentials is a flag of vLLM that means nothing here: keys come in the header",
        ),
        (
            "--revision main",
            "--revision main is a flag of vLLM that means nothing here: nothing is downloaded",
        ),
    ] {
        place.refused(&format!("serve run {flags}"), message);
    }
    // Those that ask for what is so anyway are taken: what is wrong here is the length.
    place.refused(
        "serve run --enable-chunked-prefill --tensor-parallel-size 1 --dtype bfloat16 --max-model-len 65 --tokenizer-mode auto \
         --device cpu --allowed-methods [\"*\"] --max-logprobs -1 --kv-cache-memory-bytes 1.5G --allowed-origins [\"http://a\",\"http://b\"]",
        "sequences of 65 tokens",
    );
}
