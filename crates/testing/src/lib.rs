//! Golden tensors from the reference implementations lie in `tests/golden/`.
