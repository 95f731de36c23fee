//! Shardings: their texts, and the part of a tensor that each device has.

use std::ops::Range;

use jarrah_hlo::sharding::{
    AxisPart, DimSharding, Mesh, MeshAxis, MeshRef, TensorSharding, TileSharding, manual_axes, per_value,
};

fn tensor(text: &str) -> TensorSharding {
    text.parse().unwrap()
}

fn tiles(text: &str) -> TileSharding {
    text.parse().unwrap()
}

#[test]
fn texts_of_shardy_are_read_and_printed() {
    for text in [
        r#"#sdy.sharding<@mesh, []>"#,
        r#"#sdy.sharding<@mesh, [{"x", ?}, {}, {?}p3]>"#,
        r#"#sdy.sharding<@mesh, [{"x":(1)2}, {"y", "x":(2)4}]>"#,
        r#"#sdy.sharding<@mesh, [{}], replicated={"a", "b"}>"#,
        r#"#sdy.sharding<@mesh, [{}], replicated={"a"}, unreduced={"b"}>"#,
        r#"#sdy.sharding<@mesh, [{}], unreduced=max{"b"}>"#,
        r#"#sdy.sharding<mesh<["a"=2, "b"=2], device_ids=[3, 1, 0, 2]>, [{"a"}p1]>"#,
        r#"#sdy.sharding<@"my mesh", []>"#,
        r#"#sdy.sharding<mesh<["a \"b\" \\ \C3\A9"=2]>, [{"a \"b\" \\ \C3\A9"}]>"#,
    ] {
        assert_eq!(tensor(text).to_string(), text);
    }
    for text in ["#sdy.mesh<[]>", "#sdy.mesh<[], device_ids=[3]>", r#"#sdy.mesh<["x"=4, "y"=2]>"#] {
        assert_eq!(text.parse::<Mesh>().unwrap().to_string(), text);
    }
    // Devices in order need no list.
    let mesh: Mesh = r#"#sdy.mesh<["x"=2], device_ids=[0, 1]>"#.parse().unwrap();
    assert_eq!(mesh, Mesh::new(&[("x", 2)]).unwrap());
    let all = per_value(r#"#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>"#).unwrap();
    assert_eq!(all[0], tensor(r#"#sdy.sharding<@mesh, [{"x"}]>"#));
    assert_eq!(all.len(), 2);
    assert_eq!(manual_axes(r#"#sdy<manual_axes{"x", "y"}>"#).unwrap(), ["x", "y"]);
}

#[test]
fn broken_texts_are_errors_at_every_byte() {
    let text = r#"#sdy.sharding<mesh<["a"=2, "b"=2], device_ids=[3, 1, 0, 2]>, [{"a":(1)2, ?}p1], replicated={"b"}>"#;
    for end in 0..text.len() {
        assert!(text[..end].parse::<TensorSharding>().is_err(), "{}", &text[..end]);
    }
    for wrong in [
        r#"#sdy.sharding<@mesh, [{?, "x"}]>"#,
        r#"#sdy.sharding<@mesh, [{}], what={}>"#,
        r#"#sdy.sharding<@, []>"#,
    ] {
        assert!(wrong.parse::<TensorSharding>().is_err(), "{wrong}");
    }
    let text = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={replicated}}";
    for end in 0..text.len() {
        assert!(text[..end].parse::<TileSharding>().is_err(), "{}", &text[..end]);
    }
    for wrong in [
        "{devices=[2,2]0,1,2}",
        "{devices=[2,2]0,1,2,2}",
        "{devices=[2,2]<=[3]}",
        "{devices=[2,2]<=[2,2]T(0,0)}",
        "{devices=[0]<=[0]}",
        "{devices=[1048576,1048576]<=[2]}",
        "{{{replicated}}}",
        "{sharded}",
    ] {
        assert!(wrong.parse::<TileSharding>().is_err(), "{wrong}");
    }
    for (text, expected) in [
        (r#"#sdy.mesh<["x"=2, "x"=2]>"#, "two axes of a mesh are named \"x\""),
        (r#"#sdy.mesh<["x"=0]>"#, "has no devices"),
        (r#"#sdy.mesh<["x"=2], device_ids=[1]>"#, "a mesh of 2 points has 1 devices"),
        (r#"#sdy.mesh<["x"=2], device_ids=[1, 1]>"#, "device 1 stands at two points"),
        (r#"#sdy.mesh<["x"=4294967296, "y"=4294967296]>"#, "more than 1048576 devices"),
    ] {
        let error = text.parse::<Mesh>().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn texts_of_xla_are_read_and_printed() {
    for (text, printed) in [
        ("{replicated}", "{replicated}"),
        ("{manual}", "{manual}"),
        ("{unknown}", "{unknown}"),
        ("{maximal device=3}", "{maximal device=3}"),
        ("{devices=[2,2]0,1,2,3}", "{devices=[2,2]<=[4]}"),
        ("{devices=[2,2]<=[2,2]T(1,0)}", "{devices=[2,2]0,2,1,3}"),
        ("{devices=[4,2]<=[2,2,2]T(2,0,1)}", "{devices=[4,2]0,2,4,6,1,3,5,7}"),
        ("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"),
        ("{devices=[2,2]<=[4] last_tile_dims={manual}}", "{devices=[2,2]<=[4] last_tile_dims={manual}}"),
        ("{{replicated}, {devices=[2]<=[2]}}", "{{replicated}, {devices=[2]<=[2]}}"),
        (r#"{replicated metadata={op_name="a"}}"#, "{replicated}"),
    ] {
        assert_eq!(tiles(text).to_string(), printed);
    }
    assert!(tiles("{devices=[1,1,4]<=[4] last_tile_dim_replicate}").is_replicated());
    assert!(!tiles("{devices=[1,4]<=[4]}").is_replicated());
}

/// Cuts of a dimension by one axis after another, as a definition.
fn cut(sharding: &TensorSharding, mesh: &Mesh, dims: &[usize], device: usize) -> Vec<Range<usize>> {
    let point = mesh.point(device).unwrap();
    let along = |(dim, &extent): (&DimSharding, &usize)| {
        let mut range = 0..extent;
        for axis in &dim.axes {
            let at = mesh.axes().iter().position(|known| known.name == axis.name).unwrap();
            let size = range.len() / mesh.axes()[at].size;
            range = range.start + point[at] * size..range.start + (point[at] + 1) * size;
        }
        range
    };
    sharding.dims.iter().zip(dims).map(along).collect()
}

#[test]
fn axes_and_tiles_give_each_device_the_same_part() {
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..500 {
        let names = ["a", "b", "c"];
        let axes: Vec<MeshAxis> = names[..1 + below(3)]
            .iter()
            .map(|&name| MeshAxis { name: name.into(), size: [1, 2, 3][below(3)], kind: Default::default() })
            .collect();
        let points: usize = axes.iter().map(|axis| axis.size).product();
        let mut devices: Vec<usize> = (0..points).collect();
        if below(2) == 0 {
            for at in (1..points).rev() {
                devices.swap(at, below(at + 1));
            }
        }
        let mesh = Mesh::of_axes(axes.clone(), devices).unwrap();
        let rank = 1 + below(3);
        let mut sharding = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), rank);
        let mut dims = vec![2; rank];
        for axis in &axes {
            let dim = below(rank + 1);
            if dim < rank {
                sharding.dims[dim].axes.push(AxisPart { name: axis.name.clone(), part: None });
                dims[dim] *= axis.size;
            }
        }
        let slices = sharding.slices(&mesh, &dims).unwrap();
        let tiles = TileSharding::of(&sharding, &mesh).unwrap();
        assert_eq!(tiles.to_string().parse::<TileSharding>().unwrap(), tiles);
        let by_tiles = tiles.slices(points, &dims).unwrap();
        for (device, slices) in mesh.devices().zip(&slices) {
            assert_eq!(*slices, cut(&sharding, &mesh, &dims, device), "{sharding} on {mesh}");
            assert_eq!(*slices, by_tiles[device], "{sharding} on {mesh}: {tiles}");
        }
        assert_eq!(tensor(&sharding.to_string()), sharding);
    }
}

#[test]
fn parts_of_an_axis_are_its_digits() {
    let mesh = Mesh::new(&[("x", 8)]).unwrap();
    // The axis as 2 x 2 x 2: the middle digit of the device's number.
    let middle = tensor(r#"#sdy.sharding<@mesh, [{"x":(2)2}]>"#);
    let starts = |sharding: &TensorSharding| -> Vec<usize> {
        sharding.slices(&mesh, &[16]).unwrap().iter().map(|slices| slices[0].start).collect()
    };
    assert_eq!(starts(&middle), [0, 0, 8, 8, 0, 0, 8, 8]);
    let swapped = tensor(r#"#sdy.sharding<@mesh, [{"x":(4)2, "x":(1)4}]>"#);
    assert_eq!(starts(&swapped), [0, 8, 2, 10, 4, 12, 6, 14]);
}

#[test]
fn shardings_that_cannot_be_say_why() {
    let mesh = Mesh::new(&[("x", 4), ("y", 2)]).unwrap();
    for (text, dims, expected) in [
        (r#"[{"z"}]"#, &[8][..], "the mesh has no axis \"z\", its axes are \"x\", \"y\""),
        (r#"[{"x"}, {"x"}]"#, &[8, 8], "the axis \"x\" is used twice"),
        (r#"[{"x":(1)2}, {"x":(1)4}]"#, &[8, 8], "the axis \"x\" is used twice"),
        (r#"[{"x"}], replicated={"x"}"#, &[8], "the axis \"x\" is used twice"),
        (r#"[{"x":(1)3}]"#, &[8], "(1)3 is no part of the axis \"x\" of size 4"),
        (r#"[{"x"}]"#, &[8, 8], "a sharding of 1 dimensions is that of a tensor of 2"),
        (r#"[{"y"}, {"x"}]"#, &[8, 6], "dimension 1 of 6 cannot be cut into 4 equal parts"),
    ] {
        let sharding = tensor(&format!("#sdy.sharding<@mesh, {text}>"));
        let error = sharding.slices(&mesh, dims).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let part = tensor(r#"#sdy.sharding<@mesh, [{"x":(1)2}]>"#);
    assert!(TileSharding::of(&part, &mesh).unwrap_err().to_string().contains("is a part of an axis"));
    let far: Mesh = r#"#sdy.mesh<["x"=2], device_ids=[5, 7]>"#.parse().unwrap();
    let along = tensor(r#"#sdy.sharding<@mesh, [{"x"}]>"#);
    assert_eq!(along.slices(&far, &[4]).unwrap().concat(), [0..2, 2..4]);
    assert!(TileSharding::of(&along, &far).unwrap_err().to_string().contains("device 5 of a mesh of 2"));
    let error = tiles("{devices=[2,2]<=[4]}").slices(8, &[4, 4]).unwrap_err().to_string();
    assert!(error.contains("is no sharding of 2 dimensions over 8 devices"), "{error}");
}
