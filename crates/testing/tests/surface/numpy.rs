//! `jax.numpy`.

use jarrah_array::{concatenate, stack, where_};

use super::rows;

rows! {
    // Functions of each element.
    "numpy.abs numpy.absolute": "jnp.abs(x)" => |x: all(5)| x.abs();
    "numpy.exp": "jnp.exp(x)" => |x: all(5)| x.exp();
    "numpy.where": "jnp.where(m, x, y)" => |m: bool(4), x: all(4), y: all(3, 1)| where_(m, x, y);
    // Joining.
    "numpy.concatenate": "jnp.concatenate([x, y], axis=1)" => |x: all(2, 3), y: all(2, 1)| concatenate(&[x, y], 1);
    "numpy.stack": "jnp.stack([x, y], axis=-1)" => |x: all(2, 3), y: all(2, 3)| stack(&[x, y], -1);
}
