use jarrah_array::random::Key;
use jarrah_array::{Array, DType};
use jarrah_nn::{Embedding, Kind, Linear, Lora, MultiHeadAttention, Stacked, Variable, tabulate, tie};

#[test]
fn a_table_has_a_row_for_each_layer_and_counts_what_is_shared_once() {
    let key = Key::new(0);
    let mut model = (Embedding::new(&key, 10, 4), Linear::new(&key, 4, 10), Linear::new(&key, 4, 4));
    model.2.weight = Lora::over(model.2.weight, &key, 1, 1.0).into();
    model.2.bias = Some(Variable::from(Array::full(&[2048], 0, DType::BF16)).of_kind(Kind::new("cold")));
    tie(&mut model, "0.table", "1.weight");
    assert_eq!(
        tabulate(&model),
        "\
path              type        parameter        cold             lora
                  tuple       66 (264 B)       2048 (4.0 KiB)   8 (32 B)
0                 Embedding   table f32[10,4]
                              40 (160 B)
1                 Linear      bias f32[10]
                              10 (40 B)
1.weight          Transposed
2                 Linear      16 (64 B)        bias bf16[2048]  8 (32 B)
                                               2048 (4.0 KiB)
2.weight          Lora        base f32[4,4]                     8 (32 B)
                              16 (64 B)
2.weight.adapter  LowRank                                       a f32[4,1]
                                                                b f32[1,4]
                                                                8 (32 B)
"
    );
}

#[test]
fn what_is_transparent_is_named_with_what_it_holds() {
    let layers: Vec<_> = Key::new(0).split(2).iter().map(|key| Linear::new(key, 3, 3)).collect();
    let table = tabulate(&Stacked::new(&layers));
    assert!(table.contains("Stacked Linear  weight f32[2,3,3]"), "{table}");
    let table = tabulate(&MultiHeadAttention::new(&Key::new(0), 4, 2).with_normalized_queries_and_keys());
    assert!(table.contains("query_norm  LayerNorm           scale f32[2]"), "{table}");
    assert!(table.contains("dropout     Dropout"), "{table}");
}
