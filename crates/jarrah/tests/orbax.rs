//! `jarrah checkpoint show` and `get` on checkpoints that Orbax wrote.

use crate::support::Place;

/// A checkpoint that Orbax wrote, of the tests of `formats`.
fn checkpoint(name: &str) -> String {
    format!("{}/../formats/tests/golden/orbax/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The bytes of a tensor of a safetensors file.
fn data(file: &std::path::Path, name: &str) -> Vec<u8> {
    let bytes = std::fs::read(file).unwrap();
    let (length, rest) = bytes.split_first_chunk::<8>().unwrap();
    let (header, data) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let at = |i: usize| header[name]["data_offsets"][i].as_u64().unwrap() as usize;
    data[at(0)..at(1)].to_vec()
}

#[test]
fn the_leaves_of_a_checkpoint_of_orbax_are_listed_and_taken_out() {
    let folder = Place::new();
    let path = checkpoint("v0_ocdbt_zarr3");
    let said = folder.good(&format!("checkpoint show {path}"));
    for part in ["params.kernel", "f32[8,8]", "NamedSharding(x=4, y=2", "opt.0.nu", "f64[2,2]", "11 leaves"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.good(&format!("checkpoint show {path} --json"))).unwrap();
    let leaves = json["items"][0]["content"]["leaves"].as_array().unwrap();
    let kernel = leaves.iter().find(|leaf| leaf["name"] == "params.kernel").unwrap();
    assert_eq!(
        (&kernel["type"], &kernel["shape"][1], &kernel["bytes"]),
        (&"f32".into(), &8.into(), &256.into())
    );

    let said = folder.good(&format!("checkpoint get {path} params.kernel --out kernel.safetensors"));
    assert!(said.contains("wrote params.kernel f32[8,8] to kernel.safetensors"), "{said}");
    let found = data(folder.path("kernel.safetensors").as_ref(), "params.kernel");
    // The bytes that Orbax itself restores.
    assert_eq!(found, data(format!("{path}.safetensors").as_ref(), ":params.kernel"));
    assert_eq!(folder.good(&format!("checkpoint get {path} text")), "words →\n");
}

#[test]
fn mistakes_with_checkpoints_of_orbax_are_told() {
    let folder = Place::new();
    let path = checkpoint("v0_ocdbt_zarr3");
    let failed = folder.jarrah(&format!("checkpoint get {path} params.kernel"));
    assert!(failed.code == Some(2) && failed.err.contains("name a file for it: --out"), "{failed:?}");
    let failed = folder.jarrah(&format!("checkpoint get {path} params.kernl --out a.safetensors"));
    assert!(failed.code == Some(2) && failed.err.contains("params.kernl"), "{failed:?}");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let failed = folder.jarrah("checkpoint show empty");
    assert!(failed.code == Some(2) && failed.err.contains("empty"), "{failed:?}");
}
