//! Trees of arrays as files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jarrah_array::*;

/// A folder that is removed with its content.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("jarrah-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("tree.safetensors")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[derive(Clone, Debug, Tree)]
struct Layer {
    weight: Array,
    bias: Option<Array>,
    #[tree(static)]
    rate: f64,
}

fn layer(value: f32) -> Layer {
    Layer { weight: Array::new(&[value, f32::NAN, -0.0, 4.0], &[2, 2]), bias: None, rate: 0.5 }
}

#[test]
fn trees_return_bit_by_bit() {
    let folder = Folder::new("return");
    let every = vec![
        Array::from_slice(&[true, false]),
        Array::from_slice(&[-1i8]),
        Array::from_slice(&[u64::MAX]),
        Array::scalar(1.5f32).astype(DType::BF16),
        Array::scalar(1.5f32).astype(DType::F8E4M3FN),
        Array::zeros(&[0, 3]),
    ];
    let tree = (vec![layer(1.0), layer(2.0)], BTreeMap::from([("a b".to_owned(), every)]));
    save(folder.file(), &tree).unwrap();
    let like = eval_shape(|tree: &(Vec<Layer>, BTreeMap<String, Vec<Array>>)| tree.clone(), &tree);
    let back = load(folder.file(), &like).unwrap();
    assert_eq!(back.structure(), tree.structure());
    for (a, b) in back.leaves().into_iter().zip(tree.leaves()) {
        let (a, b): (&Array, &Array) = (a, b);
        assert_eq!(a.to_literal().unwrap(), b.to_literal().unwrap());
    }
    // One array is a tree; an older file is replaced, and nothing else stays in the folder.
    save(folder.file(), &Array::scalar(7i32)).unwrap();
    assert_eq!(load(folder.file(), &Array::scalar(0i32)).unwrap().item::<i32>().unwrap(), 7);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn tensors_that_do_not_fit_are_named() {
    let folder = Folder::new("named");
    let path = folder.file();
    save(&path, &layer(1.0)).unwrap();
    let wanted = Layer { weight: Array::zeros(&[2, 3]), bias: Some(Array::zeros(&[2])), rate: 0.5 };
    let error = load(&path, &wanted).unwrap_err();
    let shown = path.display();
    assert_eq!(
        error.message(),
        format!(
            "{shown} holds another tree: it lacks bias (f32[2]); has with another shape or dtype weight (F32[2, 2], where f32[2,3] is wanted)"
        )
    );
    let error = load(&path, &()).unwrap_err();
    assert_eq!(error.message(), format!("{shown} holds another tree: it has besides weight"));
    let many: Vec<Array> = (0..8).map(|_| Array::zeros(&[1])).collect();
    let error = load(&path, &(many, layer(0.0).weight.astype(DType::F64))).unwrap_err();
    assert!(error.message().contains("0.4 (f32[1]) and 4 more"), "{error}");
}

#[test]
fn files_that_are_none_are_errors() {
    let folder = Folder::new("none");
    let path = folder.file();
    let error = load(&path, &layer(1.0)).unwrap_err();
    assert!(error.message().contains("cannot"), "{error}");
    std::fs::write(&path, b"no tensors").unwrap();
    let error = load(&path, &layer(1.0)).unwrap_err();
    assert!(error.message().contains("is no safetensors file"), "{error}");
    // What cannot be written leaves the older file as it was.
    let error = save(&path, &Array::scalar(1i32).astype(DType::I4)).unwrap_err();
    assert!(error.message().contains("array is i4[]"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"no tensors");
    let names = BTreeMap::from([("a.0".to_owned(), vec![]), ("a".to_owned(), vec![Array::zeros(&[1])])]);
    let both = (names.clone(), names);
    save(&path, &both).unwrap();
    let clash: BTreeMap<String, BTreeMap<String, Array>> = BTreeMap::from([
        ("a".to_owned(), BTreeMap::from([("b.c".to_owned(), Array::zeros(&[1]))])),
        ("a.b".to_owned(), BTreeMap::from([("c".to_owned(), Array::zeros(&[1]))])),
    ]);
    assert_eq!(save(&path, &clash).unwrap_err().message(), "two arrays of the tree are called a.b.c");
    assert!(save("/", &layer(1.0)).is_err());
    assert!(save(folder.0.join("no/such/folder"), &layer(1.0)).is_err());
}

#[test]
fn threads_that_write_to_one_path_leave_one_whole_file() {
    let folder = Folder::new("threads");
    let path = folder.file();
    let threads: Vec<_> = (1..=4usize)
        .map(|n| {
            let path = path.clone();
            std::thread::spawn(move || {
                for _ in 0..20 {
                    save(&path, &Array::full(&[10_000 * n], n as f64, DType::F32)).unwrap();
                    let bytes = std::fs::read(&path).unwrap();
                    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap());
                    let header_text = std::str::from_utf8(&bytes[8..8 + header as usize]).unwrap();
                    let data = bytes.len() - 8 - header as usize;
                    assert!(
                        header_text.contains(&format!("[{}]", data / 4)),
                        "{header_text} and {data} bytes"
                    );
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn the_name_that_the_format_keeps_is_refused() {
    let folder = Folder::new("metadata");
    let tree = BTreeMap::from([("__metadata__".to_owned(), Array::zeros(&[2]))]);
    let error = save(folder.file(), &tree).unwrap_err();
    assert!(error.message().contains("is called __metadata__"), "{error}");
    assert!(!folder.file().exists());
}
