use std::path::Path;

use jarrah_base::{DType, Literal, Type, bf16};
use jarrah_checkpoint::{Listing, Snapshot, SnapshotState, list};
use serde_json::json;

/// The xorshift generator: seeded, so that a failure repeats.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A snapshot of every kind of value, each depending on `step`.
pub fn snapshot(step: u64) -> Snapshot {
    let x = step as f32;
    Snapshot {
        step,
        tensors: vec![
            (
                "params/wte".into(),
                Literal::from_slice(&[2, 3], &[x, 1.5, -2.0, 0.25, f32::NAN, -0.0]).unwrap(),
            ),
            ("params/head/b".into(), Literal::from_slice(&[3], &[bf16::from_f32(x); 3]).unwrap()),
            ("opt/mu/wte".into(), Literal::zeros(Type::tensor(DType::F64, [1, 2])).unwrap()),
            ("opt/count".into(), Literal::scalar(step as i32)),
            ("opt/mask".into(), Literal::from_bools(&[3], &[true, false, true]).unwrap()),
            ("opt/none".into(), Literal::zeros(Type::tensor(DType::U16, [0, 4])).unwrap()),
        ],
        state: SnapshotState {
            model: json!({"kind": "gpt", "layers": 2}),
            data: json!({"epoch": 1, "position": step * 16, "order": [3, 1, 2]}),
            random: json!({"key": [u64::MAX, 7]}),
            metrics: [("val_loss".into(), 1.0 / (step as f64 + 0.1)), ("grad_norm".into(), f64::INFINITY)]
                .into(),
            extra: json!("batch = 4\n"),
        },
    }
}

/// A snapshot of one tensor of `bytes` bytes.
pub fn large(step: u64, bytes: usize) -> Snapshot {
    let ty = Type::tensor(DType::U8, [bytes]);
    let tensors = vec![("params/w".into(), Literal::full(ty, (step % 251) as f64).unwrap())];
    Snapshot { step, tensors, state: SnapshotState { data: json!(step), ..SnapshotState::default() } }
}

/// Equal to the last bit, NaN included.
pub fn same(a: &Snapshot, b: &Snapshot) -> bool {
    a.step == b.step && a.tensors == b.tensors && a.state == b.state
}

/// The steps in `dir`, all of which must verify.
pub fn steps(dir: &Path) -> Vec<u64> {
    let Listing { good, damaged } = list(dir).unwrap();
    assert!(damaged.is_empty(), "{damaged:?}");
    good.iter().for_each(|c| c.verify().unwrap());
    good.iter().map(|c| c.step()).collect()
}

/// The hidden folders in `dir`.
pub fn leftovers(dir: &Path) -> Vec<String> {
    let names = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|n| n.starts_with(".jarrah-") && n != ".jarrah-lock").collect()
}
