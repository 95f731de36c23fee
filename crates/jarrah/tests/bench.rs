//! `jarrah bench` with tiny sizes, alone and next to a peer that only speaks the protocol.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::Place;

/// An executable file in the place that stands for a Python.
fn stand_in(place: &Place, script: &str) -> String {
    let path = place.path("python");
    fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn report(place: &Place) -> Value {
    serde_json::from_str(&fs::read_to_string(place.path("times.json")).unwrap()).unwrap()
}

#[test]
fn every_workload_runs() {
    let place = Place::new();
    let listed = place.good("bench --list");
    let out = place.good("bench --tiny --alone --rounds 2 --threads 1 --json times.json");
    for line in listed.lines() {
        let name = line.split_whitespace().next().unwrap();
        assert!(out.lines().any(|row| row.starts_with(&format!("{name} "))), "{name}: {out}");
    }
    let report = report(&place);
    let rows = report["workloads"].as_array().unwrap();
    assert_eq!(rows.len(), listed.lines().count());
    assert!(rows.iter().all(|row| row["seconds"].as_array().unwrap().len() == 2), "{report}");
    assert!(out.lines().next().unwrap().contains(", 1 of "), "{out}");
    assert!(out.contains("\nof f32: the time over that of the same work in f32, "), "{out}");
    // Narrow work beside the same work in `f32`, in as many rounds.
    let wide = |name: &str| &rows.iter().find(|row| row["name"] == name).unwrap()["f32"];
    assert_eq!(*wide("attention"), Value::Null);
    for (narrow, name) in [
        ("attention-gradient-bf16", "attention-gradient"),
        ("rows-8-bf16-prepared", "rows-8-prepared"),
        ("experts-rows-int4", "experts-rows"),
        ("gpt2-step-bf16", "gpt2-step"),
    ] {
        assert_eq!(wide(narrow)["name"], name);
        assert_eq!(wide(narrow)["seconds"].as_array().unwrap().len(), 2, "{report}");
        assert!(wide(narrow)["of"].as_f64().unwrap() > 0.0, "{report}");
    }
    place.refused("bench nothing", "there is no workload nothing");
    let near = place.refused("bench serv", "there is no workload serv");
    assert!(near.contains("help: there is `serve`"), "{near}");
    // Said before anything is measured: no table of times.
    let done = place.jarrah("bench --alone --json nowhere/times.json");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{done:?}");
    assert!(done.err.contains("nowhere/times.json"), "{done:?}");
}

/// Answers as `peers.py` does: a tenth of a second for JAX, an error for PyTorch.
const FAKE: &str = r#"
echo '{"jax": "1.2.3", "torch": "4.5.6", "python": "3"}'
while read -r line; do
  case "$line" in
    *torch*) echo '{"error": "out of patience"}' ;;
    *prepare*) echo '{"mean": 12345.0}' ;;
    *) echo '{"seconds": 0.1}' ;;
  esac
done
"#;

#[test]
fn peers_are_measured_in_turn() {
    let place = Place::new();
    let python = stand_in(&place, FAKE);
    let command = format!("bench add sum --tiny --rounds 3 --threads 1 --json times.json --python {python}");
    let done = place.jarrah(&command);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("JAX") && done.out.contains("PyTorch"), "{done:?}");
    let row = done.out.lines().find(|line| line.starts_with("add ")).unwrap();
    assert!(row.contains("100.0 ms") && row.ends_with('-'), "{row}");
    // What is odd is said, and is no error.
    assert!(done.err.contains("the mean of its result is 12345, ours is"), "{done:?}");
    assert!(done.err.contains("out of patience"), "{done:?}");
    let report = report(&place);
    assert_eq!(report["machine"]["peers"]["jax"], "1.2.3");
    for row in report["workloads"].as_array().unwrap() {
        let ours: Vec<f64> = row["seconds"].as_array().unwrap().iter().map(|s| s.as_f64().unwrap()).collect();
        let mut ratios: Vec<f64> = ours.iter().map(|seconds| 0.1 / seconds).collect();
        ratios.sort_by(f64::total_cmp);
        let jax = &row["peers"][0];
        assert_eq!(jax["seconds"], serde_json::json!([0.1, 0.1, 0.1]));
        assert!((jax["times"].as_f64().unwrap() / ratios[1] - 1.0).abs() < 1e-9, "{row}");
        assert_eq!(row["peers"][1]["times"], Value::Null);
    }
}

#[test]
fn peers_have_no_wider_instructions() {
    let place = Place::new();
    let told = "echo \"$XLA_FLAGS,$ATEN_CPU_CAPABILITY,$ONEDNN_MAX_CPU_ISA\" > told\n";
    let python = stand_in(&place, &format!("{told}{FAKE}"));
    let tiny = format!("bench add --tiny --rounds 1 --threads 1 --python {python}");
    let done = place.command(&tiny).env("JARRAH_CPU", "portable").output().unwrap();
    assert!(
        done.status.success() && String::from_utf8_lossy(&done.stdout).contains(", portable, "),
        "{done:?}"
    );
    let told = fs::read_to_string(place.path("told")).unwrap();
    assert_eq!(told.trim(), "--xla_cpu_max_isa=SSE4_2,default,SSE41");
}

#[test]
fn a_missing_python_is_a_note() {
    let place = Place::new();
    let done = place.jarrah("bench add --tiny --rounds 1 --threads 1 --python ./nowhere/python3");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("without JAX and PyTorch: ./nowhere/python3 cannot be started"), "{done:?}");
    let python = stand_in(&place, "echo '{\"jax\": null, \"torch\": null}'; cat > /dev/null\n");
    let done = place.jarrah(&format!("bench add --tiny --rounds 1 --threads 1 --python {python}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("has neither"), "{done:?}");
}

#[test]
fn a_server_is_put_under_load() {
    let place = crate::serve::trained();
    fs::write(place.path("chat.jinja"), "{% for m in messages %}{{ m.content }}{% endfor %}").unwrap();
    let (child, address) =
        crate::serve::serve(&place, "--api-key key --served-model-name mine --chat-template chat.jinja");
    let bench = |more: &str| {
        let common = "--api-key key --num-prompts 6 --random-input-len 8 --random-output-len 5";
        let done = place.jarrah(&format!("bench serve --url {address} {common} {more}"));
        assert_eq!(done.code, Some(0), "{done:?}");
        done.out
    };
    let numbers: Value = serde_json::from_str(&bench(
        "--json --metric-percentiles 50 99.5 --dataset-name random --burstiness 1.0 --result-filename r.json",
    ))
    .unwrap();
    assert_eq!(numbers, serde_json::from_slice::<Value>(&fs::read(place.path("r.json")).unwrap()).unwrap());
    for (name, value) in
        [("completed", 6), ("failed", 0), ("total_input_tokens", 48), ("total_output_tokens", 30)]
    {
        assert_eq!(numbers[name], value, "{numbers}");
    }
    let number = |name: &str| numbers[name].as_f64().unwrap_or_else(|| panic!("{name}: {numbers}"));
    for name in ["ttft", "tpot", "itl", "e2el"] {
        assert_eq!(number(&format!("median_{name}_ms")), number(&format!("p50_{name}_ms")));
        assert!(number(&format!("p99.5_{name}_ms")) >= number(&format!("median_{name}_ms")));
    }
    assert!(number("median_e2el_ms") >= number("median_ttft_ms") && number("mean_ttft_ms") > 0.0);
    assert!((number("output_throughput") * number("duration") - 30.0).abs() < 1e-6);
    let listed = bench("--json --metric-percentiles 10,20 --percentile-metrics ttft,tpot,itl,e2el");
    assert!(listed.contains("p20_itl_ms"), "{listed}");
    // Arrivals of 100 a second: five gaps of 10 ms in the mean.
    let slow = bench(
        "--backend openai-chat --request-rate 100 --max-concurrency 1 --random-range-ratio 0.5 --seed 1",
    );
    // Each number says what it counts, and the date is one.
    let told = |name: &str| -> Vec<&str> {
        let line = slow.lines().find(|line| line.split(' ').next() == Some(name));
        line.unwrap_or_else(|| panic!("{name}: {slow}")).split_whitespace().skip(1).collect()
    };
    for (name, unit) in [
        ("request_rate", "requests/s"),
        ("duration", "s"),
        ("output_throughput", "tokens/s"),
        ("total_output_tokens", "tokens"),
        ("completed", "requests"),
        ("median_itl_ms", "ms"),
        ("p99_ttft_ms", "ms"),
    ] {
        assert!(told(name)[0].parse::<f64>().is_ok() && told(name)[1..] == [unit], "{slow}");
    }
    let date = told("date");
    assert!(
        date.len() == 3 && date[0].len() == 10 && date[0].starts_with("20") && date[2] == "UTC",
        "{slow}"
    );
    fs::write(
        place.path("prompts.jsonl"),
        "{\"prompt\": \"line\", \"max_tokens\": 2}\n{\"text\": \"file\"}\n",
    )
    .unwrap();
    let numbers: Value =
        serde_json::from_str(&bench("--json --dataset-path prompts.jsonl --ignore-eos --model mine"))
            .unwrap();
    assert_eq!(numbers["total_output_tokens"], 3 * 2 + 3 * 5);
    fs::write(place.path("shared.json"), r#"[{"conversations": [{"from": "human", "value": "line"}]}]"#)
        .unwrap();
    bench("--dataset-name sharegpt --dataset-path shared.json --backend openai-chat");
    // Where nobody says how long, it is as long as the server's model has room for, 64 tokens.
    let port = address.rsplit(':').next().unwrap();
    for more in [
        "",
        "--random-output-len 60",
        "--random-input-len 60",
        "--backend openai-chat --random-range-ratio 0.2",
    ] {
        let done = place.jarrah(&format!(
            "bench serve --port {port} --host localhost --api-key key --num-prompts 2 {more}"
        ));
        assert!(
            done.code == Some(0) && done.err.contains("has a context of 64 tokens: prompts of "),
            "{done:?}"
        );
        assert!(!done.err.contains("failed"), "{done:?}");
    }
    assert_eq!(place.jarrah(&format!("bench serve --url {address} --port 1")).code, Some(2));
    let failed = |more: &str| {
        let done = place.jarrah(&format!("bench serve --url {address} --num-prompts 2 {more}"));
        assert_ne!(done.code, Some(0), "{done:?}");
        done.err
    };
    assert!(failed("").contains("2 of 2 requests failed, the first: status 401"), "{}", failed(""));
    assert!(failed("--api-key key --model other").contains("there is no model `other` here"));
    fs::write(place.path("chats.jsonl"), r#"{"messages": [{"role": "user", "content": "a"}]}"#).unwrap();
    assert!(failed("--dataset-path chats.jsonl").contains("say --backend openai-chat"));
    crate::serve::signal(&child, rustix::process::Signal::TERM);
    assert!(child.wait_with_output().unwrap().status.success());
    place.refused("bench serve --url https://127.0.0.1:1", "https://127.0.0.1:1 is of HTTPS");
    let done = place.jarrah("bench serve --url http://127.0.0.1:1 --num-prompts 1");
    assert!(done.code == Some(1) && done.err.contains("cannot connect to 127.0.0.1:1"), "{done:?}");
}

/// Lengths that nobody asked for fit into a context, and are no longer than is said of them.
#[test]
fn usual_lengths_are_the_longest() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run model.context=512 steps=1 batch=1");
    fs::write(place.path("chat.jinja"), "{% for m in messages %}{{ m.content }}{% endfor %}").unwrap();
    let (child, address) = crate::serve::serve(&place, "--chat-template chat.jinja");
    for (more, lengths) in [
        ("--backend openai-chat", "prompts of 42 and answers of 64"),
        ("--random-output-len 500", "prompts of 12 and answers of 500"),
        ("--random-input-len 450", "prompts of 450 and answers of 62"),
        ("--backend openai-chat --random-input-len 60", "prompts of 60 and answers of 32"),
    ] {
        let done = place.jarrah(&format!("bench serve --url {address} --num-prompts 1 {more}"));
        let says = format!("has a context of 512 tokens: {lengths}]");
        assert!(done.code == Some(0) && done.err.contains(&says), "{more}: {done:?}");
    }
    crate::serve::signal(&child, rustix::process::Signal::TERM);
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn flags_of_vllm_are_taken_or_refused_by_name() {
    let place = crate::serve::trained();
    let lengths = "--random-input-len 4 --random-output-len 2 --num-prompts 1";
    place.good(&format!("bench throughput --model run --backend vllm -tp 1 --dataset-name random {lengths}"));
    // The usual lengths are more than the model has room for.
    place.good("bench throughput run --num-prompts 1");
    place.refused(
        "bench throughput run --backend hf",
        "--backend hf is a flag of vLLM that means nothing here",
    );
    place.refused(
        "bench latency --model run --gpu-memory-utilization 0.5",
        "--gpu-memory-utilization 0.5 is a",
    );
    assert_eq!(place.jarrah("bench serve --dataset-name sonnet").code, Some(2));
    place.refused("bench serve --dataset-name sharegpt", "--dataset-name is of a file, and there is no");
    place.refused("bench serve --dataset-name random --dataset-path a", "--dataset-name is random, and");
    let told = place.refused("bench serve --save-result", "--save-result is a flag of other programs");
    assert!(told.contains("give --result-filename FILE"), "{told}");
    assert_eq!(place.jarrah("bench throughput").code, Some(2));
}
