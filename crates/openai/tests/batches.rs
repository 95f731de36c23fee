//! Files, and the batches that are made of them.

use jarrah_testing::client::{Reply, TestClient, get, post, wait};
use jarrah_testing::mutants::{Random, damage, mutants};
use serde_json::{Value, json};

use crate::support::{Running, engine, live, own_engine, usual};

const MARK: &str = "x5fk2";

fn form(content: &[u8], purpose: &str) -> Vec<u8> {
    let mut body =
        format!("--{MARK}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\n{purpose}\r\n")
            .into_bytes();
    body.extend(
        format!(
            "--{MARK}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a \\\"b\\\".jsonl\"\r\n"
        )
        .bytes(),
    );
    body.extend(b"Content-Type: application/octet-stream\r\n\r\n");
    body.extend(content);
    body.extend(format!("\r\n--{MARK}--\r\n").bytes());
    body
}

fn send(client: &mut TestClient, body: &[u8]) -> Reply {
    let kind = format!("multipart/form-data; boundary={MARK}");
    client.ask("POST", "/v1/files", &[("content-type", &kind)], Some(body))
}

fn upload(address: &str, content: &[u8]) -> Reply {
    send(&mut TestClient::new(address), &form(content, "batch"))
}

pub fn uploaded(address: &str, content: &str) -> String {
    let reply = upload(address, content.as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["id"].as_str().unwrap().to_owned()
}

fn line(id: &str, path: &str, body: &Value) -> String {
    json!({"custom_id": id, "method": "POST", "url": path, "body": body}).to_string()
}

pub fn begin(address: &str, file: &str, endpoint: &str) -> Reply {
    let asked = json!({"input_file_id": file, "endpoint": endpoint, "completion_window": "24h", "metadata": {"a": "b"}});
    post(address, "/v1/batches", &asked)
}

/// The batch when it has ended.
fn ended(address: &str, id: &str) -> Value {
    let path = format!("/v1/batches/{id}");
    let status = || get(address, &path).json()["status"].as_str().unwrap().to_owned();
    wait("the batch ends", || ["completed", "failed", "cancelled"].contains(&status().as_str()));
    get(address, &path).json()
}

fn content(address: &str, file: &Value) -> Vec<Value> {
    let reply = get(address, &format!("/v1/files/{}/content", file.as_str().unwrap()));
    assert_eq!(reply.status, 200);
    reply.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_is_kept_until_it_is_deleted() {
    let server = usual();
    let card = upload(&server.address, b"one\ntwo").json();
    assert_eq!(
        (&card["object"], &card["bytes"], &card["filename"]),
        (&json!("file"), &json!(7), &json!("a \"b\".jsonl"))
    );
    let path = format!("/v1/files/{}", card["id"].as_str().unwrap());
    assert_eq!(get(&server.address, &path).json(), card);
    assert_eq!(get(&server.address, "/v1/files").json()["data"], json!([card]));
    assert_eq!(get(&server.address, &format!("{path}/content")).body, b"one\ntwo");
    let deleted = TestClient::new(&server.address).ask("DELETE", &path, &[], None).json();
    assert_eq!((&deleted["id"], &deleted["deleted"]), (&card["id"], &json!(true)));
    assert_eq!(get(&server.address, &path).status, 404);
    assert_eq!(get(&server.address, "/v1/files").json()["data"], json!([]));
}

#[test]
fn lists_come_in_parts() {
    let server = usual();
    let ids: Vec<String> = (0..5).map(|i| uploaded(&server.address, &format!("{i}"))).collect();
    let list = |query: &str| {
        let reply = get(&server.address, &format!("/v1/files{query}"));
        let json = reply.json();
        let found: Option<Vec<Value>> =
            json["data"].as_array().map(|all| all.iter().map(|file| file["id"].clone()).collect());
        (reply.status, found.unwrap_or_default(), json["has_more"].clone())
    };
    let part = |at: &[usize]| at.iter().map(|&i| json!(ids[i])).collect::<Vec<_>>();
    assert_eq!(list(""), (200, part(&[4, 3, 2, 1, 0]), json!(false)));
    assert_eq!(list("?limit=2"), (200, part(&[4, 3]), json!(true)));
    assert_eq!(list(&format!("?limit=2&after={}", ids[3])), (200, part(&[2, 1]), json!(true)));
    assert_eq!(
        list(&format!("?after={}", ids[3].replace('-', "%2D"))),
        (200, part(&[2, 1, 0]), json!(false))
    );
    assert_eq!(list(&format!("?order=asc&after={}", ids[2])), (200, part(&[3, 4]), json!(false)));
    assert_eq!(list("?purpose=batch_output"), (200, Vec::new(), json!(false)));
    for wrong in ["limit=0", "limit=a", "after=file-1", "order=up"] {
        let reply = get(&server.address, &format!("/v1/files?{wrong}"));
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!(wrong.split('=').next())));
    }
}

#[test]
fn files_have_a_common_bound() {
    let server = Running::new(&engine(), |options| options.api.most_files = 100);
    let first = uploaded(&server.address, &"x".repeat(60));
    let reply = upload(&server.address, &[b'x'; 60]);
    assert_eq!((reply.status, &reply.json()["error"]["param"]), (413, &json!("file")));
    TestClient::new(&server.address).ask("DELETE", &format!("/v1/files/{first}"), &[], None);
    // Answers take room, too: this one finds too little.
    let request = line("a", "/v1/completions", &json!({"prompt": [1], "max_tokens": 1}));
    assert!(request.len() < 100, "{request}");
    let file = uploaded(&server.address, &request);
    let id = begin(&server.address, &file, "/v1/completions").json()["id"].as_str().unwrap().to_owned();
    let batch = ended(&server.address, &id);
    assert_eq!((&batch["status"], &batch["output_file_id"]), (&json!("failed"), &Value::Null));
    assert!(batch["errors"]["data"][0]["message"].as_str().unwrap().contains("no room"), "{batch}");
}

#[test]
fn damaged_forms_are_refused() {
    let server = usual();
    let whole = form(b"{\"a\": 1}\n", "batch");
    let mut client = TestClient::new(&server.address);
    assert_eq!(send(&mut client, &form(b"x", "fine-tune")).json()["error"]["param"], "purpose");
    assert_eq!(client.post("/v1/files", &json!({})).status, 415);
    let (mut kept, mut refused) = (0, 0);
    for number in 0..mutants(500).min(5000) as u64 {
        let mut random = Random((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut bytes = whole.clone();
        damage(&mut bytes, &whole, &mut random);
        // Where a body ends too soon, the server closes.
        let reply = send(&mut TestClient::new(&server.address), &bytes);
        match reply.status {
            200 => kept += 1,
            400 => refused += 1,
            _ => panic!("{}: {}", reply.status, reply.text()),
        }
    }
    assert!(kept > 10 && refused > 10, "{kept} {refused}");
}

#[test]
fn a_refusal_of_a_form_says_what_is_wrong() {
    let server = usual();
    let whole = String::from_utf8(form(b"x", "batch")).unwrap();
    let kind = format!("multipart/form-data; boundary={MARK}");
    let refused = |kind: &str, body: &str| {
        let headers = [("content-type", kind)];
        let reply =
            TestClient::new(&server.address).ask("POST", "/v1/files", &headers, Some(body.as_bytes()));
        assert_eq!(reply.status, 400, "{}", reply.text());
        reply.json()["error"]["message"].as_str().unwrap().to_owned()
    };
    for (body, says) in [
        ("", "it has no part"),
        ("x", "it has no part"),
        (&whole[..whole.len() - 8], "its last part has no end"),
        (&whole.replacen("\r\n\r\n", "\r\n", 1), "a part has no head"),
        (&whole.replace("Content-Disposition", "X-Disposition"), "a part has no content-disposition"),
        (&whole.replace("name=\"purpose\"", "x=y"), "a part has no name"),
    ] {
        let message = refused(&kind, body);
        assert_eq!(message, format!("the body is no multipart/form-data: {says}"), "{body}");
    }
    let long = "m".repeat(71);
    for boundary in ["", "; boundary=", &format!("; boundary={long}")] {
        let message = refused(&format!("multipart/form-data{boundary}"), &whole);
        assert_eq!(message, "the body is no multipart/form-data: its type names no boundary");
    }
    assert_eq!(refused(&kind, &whole.replace("name=\"file\"", "name=\"a\"")), "`file` is missing");
}

#[test]
fn a_batch_has_the_answers_of_direct_requests() {
    let server = usual();
    let asked: Vec<Value> = (0..20)
        .map(|i| {
            let user = json!([{"role": "user", "content": format!("fn {i}")}]);
            json!({"messages": user, "max_tokens": 5, "seed": i, "temperature": 1.5, "logprobs": true, "top_logprobs": 2})
        })
        .collect();
    let path = "/v1/chat/completions";
    let mut lines: Vec<String> =
        asked.iter().enumerate().map(|(i, a)| line(&i.to_string(), path, a)).collect();
    lines.push(line("bad", path, &json!({"messages": []})));
    // As some editors of Windows begin a file.
    let file = uploaded(&server.address, &format!("\u{feff}{}", lines.join("\r\n")));
    let batch = begin(&server.address, &file, path).json();
    assert_eq!((&batch["object"], &batch["metadata"]), (&json!("batch"), &json!({"a": "b"})));
    let batch = ended(&server.address, batch["id"].as_str().unwrap());
    assert_eq!(batch["status"], "completed", "{batch}");
    assert_eq!(batch["request_counts"], json!({"total": 21, "completed": 20, "failed": 1}));
    assert!(batch["in_progress_at"].is_u64() && batch["completed_at"].is_u64());
    let answers = content(&server.address, &batch["output_file_id"]);
    assert_eq!(answers.len(), 20);
    for (i, (answer, asked)) in answers.iter().zip(&asked).enumerate() {
        assert_eq!((&answer["custom_id"], &answer["error"]), (&json!(i.to_string()), &Value::Null));
        assert_eq!(answer["response"]["status_code"], 200);
        let direct = post(&server.address, path, asked).json();
        assert_eq!(answer["response"]["body"]["choices"], direct["choices"]);
    }
    let errors = content(&server.address, &batch["error_file_id"]);
    assert_eq!(
        (&errors[0]["custom_id"], &errors[0]["response"]["status_code"]),
        (&json!("bad"), &json!(400))
    );
    assert_eq!(errors[0]["response"]["body"]["error"]["param"], "messages");
    let listed = get(&server.address, "/v1/batches").json();
    assert_eq!((&listed["data"], &listed["has_more"]), (&json!([batch]), &json!(false)));
}

#[test]
fn vectors_come_in_batches() {
    let server = usual();
    let asked = json!({"input": ["fn", "main"]});
    let file = uploaded(&server.address, &line("a", "/v1/embeddings", &asked));
    let id = begin(&server.address, &file, "/v1/embeddings").json()["id"].as_str().unwrap().to_owned();
    let batch = ended(&server.address, &id);
    let answers = content(&server.address, &batch["output_file_id"]);
    let direct = post(&server.address, "/v1/embeddings", &asked).json();
    assert_eq!(answers[0]["response"]["body"]["data"], direct["data"]);
}

#[test]
fn a_file_that_is_none_of_requests_fails() {
    let server = usual();
    let (path, body) = ("/v1/completions", json!({"prompt": "fn"}));
    let good = line("a", path, &body);
    for (text, number, param, what) in [
        (String::new(), Value::Null, Value::Null, "no request"),
        (format!("{good}\n{{"), json!(2), Value::Null, "not JSON"),
        (format!("{good}\n\n{good}"), json!(3), json!("custom_id"), "as in a line before"),
        (line("a", "/v1/embeddings", &body), json!(1), json!("url"), "the batch is for /v1/completions"),
        (line("a", "/health", &body), json!(1), json!("url"), "must be one of"),
        (good.replace("POST", "GET"), json!(1), json!("method"), "must be `POST`"),
        (line("a", path, &json!({"stream": true})), json!(1), json!("body.stream"), "come as a whole"),
        ("[]".to_owned(), json!(1), json!("the line"), "must be an object"),
    ] {
        let file = uploaded(&server.address, &text);
        let id = begin(&server.address, &file, path).json()["id"].as_str().unwrap().to_owned();
        let batch = ended(&server.address, &id);
        assert_eq!(batch["status"], "failed", "{batch}");
        let error = &batch["errors"]["data"][0];
        assert_eq!((&error["line"], &error["param"]), (&number, &param), "{error}");
        assert!(error["message"].as_str().unwrap().contains(what), "{error}");
    }
    for (field, value) in
        [("endpoint", json!("/v1/images")), ("input_file_id", json!("file-1")), ("metadata", json!(1))]
    {
        let file = uploaded(&server.address, &good);
        let mut asked = json!({"input_file_id": file, "endpoint": path});
        asked[field] = value;
        let reply = post(&server.address, "/v1/batches", &asked);
        assert_eq!(reply.json()["error"]["param"], field, "{}", reply.text());
    }
}

#[test]
fn a_batch_is_cancelled() {
    let engine = own_engine();
    let server = Running::new(&engine, |_| {});
    let path = "/v1/completions";
    let lines = (0..5).map(|i| line(&i.to_string(), path, &json!({"prompt": "fn"}))).collect::<Vec<_>>();
    let file = uploaded(&server.address, &lines.join("\n"));
    engine.pause();
    let ids: Vec<String> = (0..2)
        .map(|_| begin(&server.address, &file, path).json()["id"].as_str().unwrap().to_owned())
        .collect();
    wait("the first batch runs", || live(&engine) == 5);
    for id in ids.iter().rev() {
        let batch = post(&server.address, &format!("/v1/batches/{id}/cancel"), &json!({})).json();
        assert_eq!(batch["status"], "cancelling");
        let again = post(&server.address, &format!("/v1/batches/{id}/cancel"), &json!({}));
        assert!([200, 409].contains(&again.status), "{}", again.text());
        let batch = ended(&server.address, id);
        assert_eq!((&batch["status"], &batch["output_file_id"]), (&json!("cancelled"), &Value::Null));
    }
    engine.resume();
    wait("its requests ended with it", || live(&engine) == 0);
    let again = post(&server.address, &format!("/v1/batches/{}/cancel", ids[0]), &json!({}));
    assert_eq!(again.status, 409);
    assert_eq!(post(&server.address, "/v1/batches/batch_1/cancel", &json!({})).status, 404);
}

#[test]
fn a_deleted_file_counts_until_its_batch_has_ended() {
    let engine = own_engine();
    let server = Running::new(&engine, |options| options.api.most_files = 300);
    let path = "/v1/completions";
    let file = uploaded(&server.address, &line("a", path, &json!({"prompt": "fn", "max_tokens": 1})));
    engine.pause();
    let id = begin(&server.address, &file, path).json()["id"].as_str().unwrap().to_owned();
    wait("the batch runs", || live(&engine) == 1);
    TestClient::new(&server.address).ask("DELETE", &format!("/v1/files/{file}"), &[], None);
    assert_eq!(upload(&server.address, &[b'x'; 250]).status, 413);
    post(&server.address, &format!("/v1/batches/{id}/cancel"), &json!({}));
    engine.resume();
    ended(&server.address, &id);
    wait("its bytes are free", || upload(&server.address, &[b'x'; 250]).status == 200);
}
