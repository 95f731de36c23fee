use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::Place;

struct Dashboard {
    child: Child,
    address: String,
}

impl Dashboard {
    fn of(place: &Place, runs: &str) -> Dashboard {
        let mut command = place.command(&format!("dashboard {runs} --port 0"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("dashboard at http://").unwrap().to_owned();
        Dashboard { child, address }
    }

    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        kill_process(Pid::from_raw(self.child.id() as i32).unwrap(), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_run_that_its_process_has_given_back_is_stopped_at_once() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out runs/1");
    // As if it had been stopped: its last steps are gone.
    let file = place.path("runs/1/metrics.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    fs::write(&file, lines.lines().take(1).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let dashboard = Dashboard::of(&place, "runs");
    assert_eq!(dashboard.get("/runs")[0]["state"], "stopped");
    // A process that was killed has given nothing back, nor has one of another machine.
    fs::write(place.path("runs/1").join(jarrah_checkpoint::Lock::FILE), "4711").unwrap();
    assert_eq!(dashboard.get("/runs")[0]["state"], "running");
}

#[test]
fn runs_are_shown_while_they_are_written() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out runs/1 sample.every=2 sample.tokens=3");
    fs::create_dir(place.path("runs/empty")).unwrap();
    let dashboard = Dashboard::of(&place, "runs");
    let runs = dashboard.get("/runs");
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    let run = &runs[0];
    assert_eq!(
        (&run["name"], &run["state"], &run["problem"]),
        (&json!("runs/1"), &json!("complete"), &Value::Null)
    );
    assert_eq!(run["step"], run["steps"]);
    assert!(run["last"]["loss"].is_f64() && run["last"]["memory"].as_f64().unwrap() > 1e6, "{run}");
    assert!(run["last"]["goodput"].as_f64().is_some_and(|share| share > 0.0 && share <= 1.0), "{run}");

    let curves = dashboard.get("/runs/0/curves")["curves"].clone();
    let loss = curves.as_array().unwrap().iter().find(|curve| curve["name"] == "loss").unwrap().clone();
    assert_eq!(loss["steps"].as_array().unwrap().len() as u64, loss["count"].as_u64().unwrap());

    let details = dashboard.get("/runs/0");
    let settings = details["settings"].as_array().unwrap();
    assert!(settings.iter().any(|s| s["name"] == "sample.every" && s["value"] == "2"), "{details}");
    assert!(
        details["model"].as_array().unwrap().iter().any(|s| s["name"] == "config.model_type"),
        "{details}"
    );
    let texts: Vec<u64> =
        details["texts"].as_array().unwrap().iter().map(|text| text["step"].as_u64().unwrap()).collect();
    assert!(texts.len() >= 2 && texts.is_sorted_by(|a, b| a > b), "{texts:?}");

    // Somebody writes a line, half of another, and begins a run.
    let last = run["step"].as_u64().unwrap() + 1;
    let mut file = OpenOptions::new().append(true).open(place.path("runs/1/metrics.jsonl")).unwrap();
    write!(file, "{{\"step\":{last},\"loss\":\"NaN\"}}\n{{\"step\":{},\"loss\":1", last + 1).unwrap();
    fs::create_dir(place.path("runs/2")).unwrap();
    fs::write(place.path("runs/2/run.json"), "{\"version\": 2}").unwrap();
    let runs = dashboard.get("/runs");
    assert_eq!((&runs[0]["step"], &runs[0]["last"]["loss"]), (&json!(last), &Value::Null));
    assert_ne!(runs[0]["version"], run["version"]);
    let curves = dashboard.get(&format!("/runs/0/curves?from={last}"))["curves"].clone();
    let loss = curves.as_array().unwrap().iter().find(|curve| curve["name"] == "loss").unwrap();
    assert_eq!(
        (&loss["steps"], &loss["mean"], &loss["lost"]),
        (&json!([last]), &json!([null]), &json!([last]))
    );
    assert_eq!((&runs[1]["id"], &runs[1]["state"]), (&json!(1), &json!("empty")));
    assert!(runs[1]["problem"].as_str().unwrap().contains("recipe.toml"), "{runs}");
}

#[test]
fn a_run_of_another_program_is_shown_and_not_resumed_by_this_one() {
    let place = Place::new();
    let run = place.path("runs/own");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("run.json"), "{\"version\": 2}").unwrap();
    let options = jarrah::train::TrainerOptions { steps: 2, ..Default::default() };
    fs::write(run.join("recipe.toml"), jarrah::train::recipe::Settings::to_toml(&options)).unwrap();
    fs::write(run.join("metrics.jsonl"), "{\"step\":2,\"loss\":0.5,\"time\":1.0}\n").unwrap();
    let dashboard = Dashboard::of(&place, "runs");
    let shown = &dashboard.get("/runs")[0];
    assert_eq!((&shown["state"], &shown["problem"]), (&json!("complete"), &Value::Null), "{shown}");
    assert_eq!(dashboard.get("/runs/0")["settings"][0]["name"], "steps");
    place.refused("train --resume runs/own", "runs/own is the run of a program with a trainer of its own");
}

#[test]
fn a_folder_that_is_not_there_is_refused() {
    let place = Place::new();
    let told = place.refused("dashboard nowhere", "there is no nowhere");
    assert!(told.contains("runs/"), "{told}");
}
