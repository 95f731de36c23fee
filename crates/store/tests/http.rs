//! Files of an HTTP server on this machine, which is a thread of the test.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use jarrah_base::ErrorKind;
use jarrah_store::{CloudStore, Name, ObjectStore};

use crate::common::{get, name};

/// The files of a server, and how many bytes of them it has sent.
#[derive(Default)]
struct Served {
    files: BTreeMap<String, Vec<u8>>,
    sent: usize,
}

/// A server of these files, which ends with the process. Its address, and what it has sent.
fn serve(files: &[(&str, Vec<u8>)]) -> (String, Arc<Mutex<Served>>) {
    let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.clone())).collect();
    let served = Arc::new(Mutex::new(Served { files, sent: 0 }));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let shared = served.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let served = shared.clone();
            thread::spawn(move || answer(stream, &served));
        }
    });
    (address, served)
}

/// Answers the requests of a connection.
fn answer(mut stream: TcpStream, served: &Mutex<Served>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while let Some(Ok(request)) = lines.next() {
        let headers: Vec<String> =
            lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let header = |name: &str| {
            headers.iter().find_map(|line| {
                let (key, value) = line.split_once(": ")?;
                key.eq_ignore_ascii_case(name).then(|| value.to_owned())
            })
        };
        let mut words = request.split(' ');
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let mut served = served.lock().unwrap();
        let file = served.files.get(path.trim_start_matches('/')).cloned();
        let (status, range, body) = match (&file, header("if-match")) {
            (None, _) => ("404 Not Found", None, &[][..]),
            (Some(file), Some(tag)) if tag != tag_of(file) => ("412 Precondition Failed", None, &[][..]),
            (Some(file), _) => match header("range").as_deref().and_then(|range| bounds(range, file.len())) {
                Some((begin, end)) => ("206 Partial Content", Some((begin, end)), &file[begin..end]),
                None => ("200 OK", None, &file[..]),
            },
        };
        let tag = file.as_ref().map(|file| format!("ETag: {}\r\n", tag_of(file))).unwrap_or_default();
        let all = file.as_ref().map_or(0, Vec::len);
        let range = range.map(|(begin, end)| format!("Content-Range: bytes {begin}-{}/{all}\r\n", end - 1));
        let range = range.unwrap_or_default();
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{tag}{range}Content-Length: {length}\r\n\r\n");
        let body = if method == "HEAD" { &[][..] } else { body };
        served.sent += body.len();
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).is_err() {
            return;
        }
    }
}

fn tag_of(file: &[u8]) -> String {
    format!("\"{}-{}\"", file.len(), file.iter().map(|&byte| usize::from(byte)).sum::<usize>())
}

/// The bounds that a header `Range` names.
fn bounds(range: &str, len: usize) -> Option<(usize, usize)> {
    let (begin, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    Some((begin.parse().ok()?, (last.parse::<usize>().ok()? + 1).min(len)))
}

#[test]
fn files_of_a_server_are_read_by_name() {
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i * 7 % 251) as u8).collect();
    let (address, served) = serve(&[("run/step_1/a", bytes.clone()), ("run/empty", Vec::new())]);
    let store = CloudStore::open(&format!("{address}/run")).unwrap();
    assert!(!store.can_list());
    let object = store.open(&name("step_1/a")).unwrap().expect("it is served");
    assert_eq!((object.len(), served.lock().unwrap().sent), (100_000, 0));
    let mut part = [0; 1000];
    object.read_at(50_000, &mut part).unwrap();
    assert_eq!((&part[..], served.lock().unwrap().sent), (&bytes[50_000..51_000], 1000));
    let error = object.read_at(99_999, &mut part).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    assert_eq!(get(&store, "step_1/a"), Some(bytes));
    assert_eq!(get(&store, "empty"), Some(Vec::new()));
    assert_eq!(get(&store, "step_1/b"), None);
}

#[test]
fn a_server_of_files_lists_and_takes_none() {
    let (address, _) = serve(&[("a", vec![1])]);
    let store = CloudStore::open(&address).unwrap();
    let at = name("a");
    let errors = [
        store.list(&Name::root()).unwrap_err(),
        store.folders(&Name::root()).unwrap_err(),
        store.create(&at).err().expect("refused"),
        store.draft(&at).unwrap_err(),
        store.delete(&at).unwrap_err(),
        store.delete_folder(&at).unwrap_err(),
        store.clear_unfinished(&Name::root()).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.message().contains("an HTTP server") && error.advice().is_some(), "{error}");
    }
    assert_eq!(get(&store, "a"), Some(vec![1]));
}

#[test]
fn a_file_that_a_server_replaced_since_it_was_opened_is_an_error() {
    let (address, served) = serve(&[("a", b"first".to_vec())]);
    let store = CloudStore::open(&address).unwrap();
    let object = store.open(&name("a")).unwrap().expect("it is served");
    served.lock().unwrap().files.insert("a".into(), b"other".to_vec());
    let error = object.read_at(0, &mut [0; 5]).unwrap_err();
    assert!(error.message().contains("replaced or removed"), "{error}");
}
