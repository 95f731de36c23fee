//! Rust's layouts of the interface's structs against those of a C compiler, which `oracle/pjrt_abi.py` wrote down.

use std::collections::BTreeMap;

use jarrah_pjrt::abi::{AbiStruct, PJRT_Api, PJRT_Event_Set_Args, layouts};

const GOLDEN: &str = include_str!("abi.tsv");

fn golden() -> BTreeMap<(&'static str, &'static str), usize> {
    let row = |line: &'static str| {
        let mut parts = line.split('\t');
        let (name, field) = (parts.next().expect("a struct"), parts.next().expect("a field"));
        ((name, field), parts.next().expect("an offset").parse().expect("a number"))
    };
    GOLDEN.lines().map(row).collect()
}

#[test]
fn layouts_are_those_of_c() {
    let mut golden = golden();
    let mut wrong = Vec::new();
    for layout in layouts() {
        // Keywords are raw identifiers here, and a union has a name.
        let fields = layout.fields.iter().map(|&(field, at)| (field.trim_start_matches("r#"), at));
        let fields = fields.chain([("sizeof", layout.size), ("end", layout.end)]);
        for (field, at) in fields {
            let fields: &[&str] = match (layout.name, field) {
                ("PJRT_NamedValue", "value") => {
                    &["string_value", "int64_value", "int64_array_value", "float_value", "bool_value"]
                }
                ("PJRT_Buffer_MemoryLayout", "layout") => &["tiled", "strides"],
                _ => &[field],
            };
            for field in fields {
                let expected = golden.remove(&(layout.name, *field));
                if expected != Some(at) {
                    wrong.push(format!("{}.{field}: {at}, C has {expected:?}", layout.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(golden.is_empty(), "not described here: {golden:?}");
}

#[test]
fn functions_are_in_the_order_of_the_table() {
    let api = layouts().find(|layout| layout.name == PJRT_Api::NAME).expect("the table");
    let mut names = Vec::new();
    macro_rules! push {
        ($($name:ident($args:ident))*) => { $(names.push(stringify!($name));)* };
    }
    jarrah_pjrt::for_each_function!(push);
    let fields: Vec<_> = api.fields.iter().map(|(name, _)| *name).collect();
    // Before the functions stand `struct_size`, `extension_start` and the version.
    assert_eq!(fields[3..5], ["PJRT_Error_Destroy", "PJRT_Error_Message"]);
    assert_eq!(fields[5..], names);
    assert_eq!(names.len(), 136);
}

#[test]
fn a_new_struct_knows_its_size() {
    let args = PJRT_Event_Set_Args::default();
    assert_eq!(args.struct_size, golden()[&("PJRT_Event_Set_Args", "end")]);
    assert!(args.event.is_null() && args.error_message.is_null());
}
