use std::collections::BTreeMap;

use jarrah_base::Result;
use jarrah_store::{Condition, EntryKind, Name, ObjectStore};

/// The generator splitmix64: seeded, so that a failure repeats.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn one_of<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }
}

pub fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

pub fn put(store: &dyn ObjectStore, at: &str, bytes: &[u8]) {
    let mut upload = store.create(&name(at)).expect("an upload");
    upload.write(bytes).expect("written");
    upload.finish(Condition::Always).expect("finished").expect("taken");
}

pub fn get(store: &dyn ObjectStore, at: &str) -> Option<Vec<u8>> {
    let object = store.open(&name(at)).expect("opened")?;
    let mut bytes = vec![0; object.len() as usize];
    object.read_at(0, &mut bytes).expect("read");
    Some(bytes)
}

/// All objects, by their names, as listing and reading give them.
pub type Content = BTreeMap<String, Vec<u8>>;

pub fn content(store: &dyn ObjectStore) -> Content {
    try_content(store).expect("read")
}

pub fn try_content(store: &dyn ObjectStore) -> Result<Content> {
    let mut all = Content::new();
    let mut folders = vec![Name::root()];
    while let Some(folder) = folders.pop() {
        let mut named = Vec::new();
        for entry in store.list(&folder)? {
            let at = folder.join(&entry.name)?;
            match entry.kind {
                EntryKind::Folder => {
                    named.push(entry.name);
                    folders.push(at);
                }
                EntryKind::Object(len) => {
                    let object = store.open(&at)?.expect("it was listed");
                    assert_eq!(object.len(), len, "{at}");
                    let mut bytes = vec![0; len as usize];
                    object.read_at(0, &mut bytes)?;
                    all.insert(at.to_string(), bytes);
                }
            }
        }
        // In a bucket, folders that were not published are listed, too.
        assert!(store.folders(&folder)?.iter().all(|published| named.contains(published)));
    }
    Ok(all)
}
