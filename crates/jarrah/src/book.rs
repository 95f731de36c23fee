//! The code blocks of the book, which `cargo test` compiles and runs as examples of these modules.

macro_rules! chapters {
    ($($name:ident)*) => {$(
        #[doc = include_str!(concat!("../../../docs/book/src/", stringify!($name), ".md"))]
        mod $name {}
    )*};
}
chapters! {
    introduction first_steps transformations control_flow randomness trees attention write_a_model surgery hugging_face lora fine_tuning training_runs
    train_from_rust data checkpoints serving write_an_optimizer mixed_precision quantized_weights
    sharp_edges debugging looking_inside devices_and_caches many_devices kernels ahead_of_time for_jax_users for_pytorch_users
}
