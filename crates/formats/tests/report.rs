use jarrah_base::{DType, Type};
use jarrah_formats::LoadReport;

use super::open;

#[test]
fn a_report_fits_a_screen_and_names_everything_once() {
    let tensors = open("llama");
    let mut wanted: Vec<(String, Type)> =
        tensors.iter().map(|t| (t.name().to_owned(), t.ty().unwrap().with_dtype(DType::F32))).collect();
    let exact = LoadReport::new(wanted.clone(), &tensors);
    assert!(exact.is_exact() && exact.complete().is_ok());
    assert_eq!(exact.to_string(), "21 tensors found, 0 missing, 0 mismatched, 0 unexpected\n");

    wanted.retain(|(name, _)| !name.contains("norm"));
    for (name, ty) in &mut wanted {
        if name.contains("up_proj") {
            *ty = Type::tensor(DType::F32, [16, 99]);
        }
    }
    wanted
        .extend((0..40).map(|i| (format!("model.layers.{i}.extra.weight"), Type::tensor(DType::BF16, [4]))));
    wanted.extend((0..40).map(|i| (format!("other{i}"), Type::tensor(DType::BF16, [4]))));
    let report = LoadReport::new(wanted, &tensors);
    let text = report.to_string();
    assert!(text.starts_with("14 tensors found, 80 missing, 2 mismatched, 5 unexpected\n"), "{text}");
    assert!(text.contains("  model.layers.*.extra.weight (40 of them)  bf16[4]\n"), "{text}");
    assert!(text.contains("  and 35 more\n"), "{text}");
    let mismatched =
        "  model.layers.*.mlp.up_proj.weight (2 of them)  f32[16,99] is wanted, bf16[24,16] is there\n";
    assert!(text.contains(mismatched), "{text}");
    assert!(text.contains("  model.norm.weight  bf16[16]\n"), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
    let e = report.complete().unwrap_err();
    assert_eq!(e.kind(), jarrah_base::ErrorKind::Input);
    assert_eq!(e.message(), text.trim_end());
}
