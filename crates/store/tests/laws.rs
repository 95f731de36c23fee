//! Laws that every store obeys.

use jarrah_store::{Condition, Entry, EntryKind, MemoryStore, Name, Store};

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn put(store: &dyn Store, at: &str, bytes: &[u8]) {
    let mut upload = store.create(&name(at)).expect("an upload");
    upload.write(bytes).expect("written");
    upload.finish(Condition::Always).expect("finished").expect("taken");
}

fn get(store: &dyn Store, at: &str) -> Option<Vec<u8>> {
    let object = store.open(&name(at)).expect("opened")?;
    let mut bytes = vec![0; object.len() as usize];
    object.read_at(0, &mut bytes).expect("read");
    Some(bytes)
}

fn with_stores(check: impl Fn(&dyn Store)) {
    check(&MemoryStore::new());
}

#[test]
fn an_unfinished_object_is_not_seen() {
    with_stores(|store| {
        let mut upload = store.create(&name("a/b")).expect("an upload");
        upload.write(b"half").expect("written");
        assert_eq!(get(store, "a/b"), None);
        drop(upload);
        assert_eq!(store.list(&Name::root()).expect("listed"), []);
        put(store, "a/b", b"whole");
        assert_eq!(get(store, "a/b").as_deref(), Some(&b"whole"[..]));
        let entries = store.list(&name("a")).expect("listed");
        assert_eq!(entries, [Entry { name: "b".into(), kind: EntryKind::Object(5) }]);
    });
}
