use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_models::Pretrained;
use jarrah_nn::{Kind, Linear, Lora, Variable, edit};
use jarrah_serve::{Engine, EngineOptions, Served};
use jarrah_testing::client::{get, post};
use serde_json::{Value, json};

use crate::support::Running;

#[test]
fn an_adapter_is_a_model_by_its_name() {
    let random = || {
        let mut base = Pretrained::random(Pretrained::preset("test-llama").unwrap(), &Key::new(0)).unwrap();
        base.model = base.model.map_leaves(|w: &Array| w * 6.0);
        base
    };
    let folder = tempfile::tempdir().unwrap();
    let mut adapted = random();
    edit(&mut adapted.model, "blocks.*.attention.{q,v}", |_, layer: &mut Linear| {
        let mut lora = Lora::over(layer.weight.clone(), &Key::new(1), 2, 4.0);
        let b = Key::new(2).normal(&lora.adapter.b.shape());
        lora.adapter.b = Variable::from(b).of_kind(Kind::LORA);
        layer.weight = lora.into();
    });
    adapted.save_adapter(folder.path()).unwrap();
    let base = random();
    let served = Served { json: Some(base.json.clone()), ..Served::new("base", base.model) };
    let options =
        EngineOptions { warm: false, sequences: 4, adapters: 1, adapter_rank: 2, ..EngineOptions::default() };
    let server = Running::new(&Engine::start(served, options).unwrap(), |options| options.api.dev = true);
    let ask = |model: &str| {
        let asked = json!({"model": model, "prompt": [1, 2, 3], "max_tokens": 12, "temperature": 0});
        post(&server.address, "/v1/completions", &asked)
    };
    assert_eq!(ask("mine").status, 404);
    for name in ["", " ", "a\nb"] {
        let load = json!({"lora_name": name, "lora_path": folder.path()});
        let reply = post(&server.address, "/v1/load_lora_adapter", &load);
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!("lora_name")), "{name:?}");
    }
    // A path that no folder can have is the request's fault, and no lack of room.
    let load = json!({"lora_name": "mine", "lora_path": "a\u{0}b"});
    let reply = post(&server.address, "/v1/load_lora_adapter", &load);
    assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!("lora_path")));
    let load = json!({"lora_name": "mine", "lora_path": folder.path()});
    let reply = post(&server.address, "/v1/load_lora_adapter", &load);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let (own, mine) = (ask("base").json(), ask("mine").json());
    assert_eq!((&own["model"], &mine["model"]), (&json!("base"), &json!("mine")));
    assert_ne!(own["choices"][0]["token_ids"], mine["choices"][0]["token_ids"]);
    let body = get(&server.address, "/v1/models").json();
    let known: Vec<(&Value, &Value)> =
        body["data"].as_array().unwrap().iter().map(|m| (&m["id"], &m["parent"])).collect();
    assert_eq!(known, [(&json!("base"), &Value::Null), (&json!("mine"), &json!("base"))]);
    assert_eq!(body["data"][1]["root"], json!(folder.path()));
    assert_eq!(get(&server.address, "/v1/models/mine").json(), body["data"][1]);
    let error = post(&server.address, "/v1/load_lora_adapter", &load).json()["error"].clone();
    assert_eq!(error["param"], "lora_name");
    assert_eq!(error["message"], "the name mine is taken: unload that one, or give another name");
    assert_eq!(post(&server.address, "/v1/unload_lora_adapter", &json!({"lora_name": "mine"})).status, 200);
    assert_eq!(ask("mine").status, 404);
}

#[test]
fn other_weights_take_the_place_of_those_there_are() {
    let random = |seed| {
        let mut made =
            Pretrained::random(Pretrained::preset("test-llama").unwrap(), &Key::new(seed)).unwrap();
        made.model = made.model.map_leaves(|w: &Array| w * 6.0);
        made
    };
    let served =
        |made: Pretrained| Served { json: Some(made.json.clone()), ..Served::new("base", made.model) };
    let engine = |seed| {
        let options = EngineOptions { warm: false, sequences: 4, ..EngineOptions::default() };
        Engine::start(served(random(seed)), options).unwrap()
    };
    let (engine, other) = (engine(0), engine(1));
    let server = Running::new(&engine, |options| options.api.dev = true);
    let other = Running::new(&other, |_| {});
    let ask = |server: &Running| {
        let asked = json!({"prompt": [1, 2, 3], "max_tokens": 12, "temperature": 0});
        post(&server.address, "/v1/completions", &asked).json()["choices"][0]["token_ids"].clone()
    };
    let before = ask(&server);
    assert_ne!(before, ask(&other));
    let folder = tempfile::tempdir().unwrap();
    random(1).save(folder.path()).unwrap();
    let reply = post(&server.address, "/update_weights", &json!({"path": folder.path()}));
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(ask(&server), ask(&other));
    for path in ["missing", "/"] {
        let reply = post(&server.address, "/update_weights", &json!({"path": path}));
        reply.refuses("path");
    }
    // Weights of another shape are refused by name.
    let folder = tempfile::tempdir().unwrap();
    let mut json = Pretrained::preset("test-llama").unwrap();
    json["intermediate_size"] = 48.into();
    Pretrained::random(json, &Key::new(1)).unwrap().save(folder.path()).unwrap();
    let reply = post(&server.address, "/update_weights", &json!({"path": folder.path()}));
    let error = &reply.json()["error"];
    assert_eq!((reply.status, &error["param"]), (400, &json!("path")), "{error}");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("blocks.0.mlp.gate.weight is f32[48,16], but f32[32,16] in the model that is served"),
        "{error}"
    );
    assert_eq!(ask(&server), ask(&other));
}
