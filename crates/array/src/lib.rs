//! Arrays and composable transformations.
//!
//! An [`Array`] is a tensor with a dtype and a shape known at run time. Functions of arrays are ordinary Rust
//! functions; [`grad`], [`vmap`], [`jit`] and the rest take such a function and return another.
//!
//! ```
//! use jarrah_array::{Array, grad, jit, vmap};
//!
//! let f = |x: &Array| (x * x).sin().sum(..);
//! let x = Array::from_slice(&[0.0f32, 1.0, 2.0]);
//! let slope = grad(f)(&x);
//! assert_eq!(slope.shape(), [3]);
//!
//! let fast = jit(grad(f));
//! assert_eq!(fast.call(x.clone())?.to_vec::<f32>()?, slope.to_vec::<f32>()?);
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! **Errors.** A wrong program (shapes, dtypes, axes, a leaked tracer) panics at the user's line; [`try_trace`] turns
//! the panic into an `Err`. Failures of the machine (memory, devices, files) are always a `Result`, where a value is
//! read or a compiled function is called.
//!
//! # How it works
//!
//! An [`Array`] is a handle to concrete data, to an operation recorded and not yet run, or to a value of a program being traced
//! (a tracer). Inside a trace every operation goes to the innermost one; arrays from outside are captured as hidden parameters.
//! **Every transformation traces its function into a fresh program, transforms that, and calls the result**, so transformations
//! nest to any depth without interpreters on top of each other. A transformation takes a `Function` (a closure of a reference to
//! one tree, or a compiled [`Jit`]) and gives a closure, so they are applied to each other in any order:
//! `jit(vmap(grad(jit(f))))`.
//!
//! * Under plain `grad` tracers carry their concrete value as a shadow, computed when Rust code reads it, so that Rust code may
//!   branch on it.
//! * A function is traced at each call of its gradient; the derivative of a program is derived once for identical programs, lines
//!   included (`jarrah_transforms::Memo`).
//! * Concrete data is found without a lock, and stays on each device on which it was used, up to sixteen.
//! * Outside of a trace [`eager`] records operations and runs them together.
//! * A [`Ref`] is a cell that functions read and write, although no program has an effect: a trace keeps the cell's latest value,
//!   the value at the start is one more parameter and the value at the end one more result (`src/mutable.rs`).
//! * Where two trees must be alike (carries, branches, custom rules, tangents, optimizer states), `Structure::difference` finds
//!   the first place where they differ, and says what each side has there.
//! * [`monitoring`] tells listeners of traces, compilations and cache hits, [`live_arrays`] lists arrays that a call leaves
//!   behind, [`checking_leaks`] finds tracers that outlive their trace. Without a listener they cost the reading of one flag.
//! * [`clear_caches`] makes compiled functions drop their code at their next call. [`effects_barrier`] waits for the ends of runs
//!   with effects.
//!
//! # Rows, preparation, origins
//!
//! `Jit::bucketed` (`src/bucketed.rs`) compiles for the ends of buckets of row counts, traces at both ends of a bucket, and asks
//! the rule `rows_apart` whether rows may be appended; rows are added and cut by moving bytes. Functions that sum over rows, look
//! them up by position or contain kernels written by hand are refused. [`Prepared`] parameters stay the same from call to call:
//! values that depend on them alone are computed once for all functions bound to them (`jarrah_compiler::prepare`). It drops an
//! array that a computed value contains whole, and recovers the array from the value when it is needed. An [`Origin`] adds files:
//! arrays without data are read when a program needs them, and computed values are kept in a `DiskCache` by a hash of the recipe
//! and of everything its arrays depend on.
//!
//! # Names
//!
//! Functions of one array that NumPy has are methods, by theme under `src/numpy`, with NumPy's names; functions of none or of
//! several arrays stand in [`numpy`], others in [`lax`], [`linalg`], [`fft`], [`nn`], [`random`] and the modules of SciPy's
//! fields. There are no positional booleans: a reduction takes an [`Along`] (axes and options: `along(1).keepdims().mask(&m)`),
//! brackets take an `Index`, for reading (`x.index((1.., ..))`) and for writing (`x.at(i).add(y)`). Operators that arrays lack
//! (`x[0]`, `x == y`) have implementations that never apply, which name the method (`src/refused.rs`).

mod along;
mod array;
mod autodiff;
mod bucketed;
mod callback;
mod check_grads;
pub mod checkify;
mod checkpoint;
mod control;
mod custom;
mod custom_batching;
pub mod debug;
mod derivatives;
mod device;
pub mod eager;
mod elementwise;
mod environment;
mod error;
pub mod export;
pub mod ffi;
pub mod fft;
mod files;
mod format;
mod function;
mod function_name;
mod fwd_and_bwd;
mod implicit;
mod imported;
mod jet;
mod jit;
pub mod kernel;
pub mod lax;
pub mod library;
pub mod linalg;
mod linear_call;
mod literals;
mod live;
pub mod monitoring;
mod mutable;
pub mod nn;
mod number;
pub mod numpy;
mod operators;
pub mod ops;
mod origin;
mod partial;
mod partition_spec;
mod pmap;
mod precision;
mod prepared;
pub mod random;
mod ranks;
mod reductions;
mod refused;
mod sanitize;
mod scope;
mod shape;
mod shard_map;
mod sharded;
pub mod signal;
pub mod special;
mod stages;
mod take;
mod trace;
mod tuples;
mod vmap;
mod watch;

pub use along::{Along, along};
pub use array::Array;
pub use autodiff::{grad, jvp, value_and_grad, value_and_grad_with_aux, vjp};
pub use callback::{CallbackOrder, io_callback, pure_callback};
pub use check_grads::{GradCheck, check_grads};
pub use checkpoint::{CheckpointPolicy, Residual, checkpoint, checkpoint_name, remat, saved_residuals};
pub use control::{
    bounded_while_loop, cond, scan, scan_length, scan_length_reverse, scan_reverse, switch, while_loop,
};
pub use custom::{custom_jvp, custom_vjp, stop_gradient};
pub use custom_batching::{custom_vmap, sequential_vmap};
pub use derivatives::{closure_convert, hessian, jacfwd, jacrev, linear_transpose, linearize, ravel};
pub use device::{
    Device, clear_caches, compiled_programs, default_backend, default_device, device_count, devices,
    devices_of, effects_barrier, join_processes, set_client, with_default_device,
};
pub use elementwise::where_;
pub use environment::environment_info;
pub use error::{fail, relay, try_trace};
pub use files::{load, save};
pub use format::{Format, with_layout_constraint};
pub use function::Function;
pub use fwd_and_bwd::{Residuals, fwd_and_bwd};
pub use imported::Imported;
pub use jarrah_base::dlpack;
pub use jarrah_base::{DType, Element, Error, HostElement, Literal, Location, Result, Type, c64, c128};
pub use jarrah_hlo::ops::VmapMethod;
pub use jarrah_hlo::sharding::Mesh;
pub use jarrah_runtime::MemoryKind;
pub use jarrah_tree as tree;
pub use jarrah_tree::{Tree, TreeExt};
pub use jet::jet;
pub use jit::{Jit, JitFn, eval_program, eval_shape, jit, make_program};
pub use linear_call::linear_call;
pub use literals::{Nested, Scalar};
pub use live::{LiveArray, live_arrays};
pub use mutable::{Ref, run_state};
pub use number::Number;
pub use numpy::{Ellipsis, Index, IntoAxes, NewAxis, StepBy, concatenate, stack};
pub use operators::{IntoOperand, Operand, broadcast_shapes, promote_types};
pub use origin::{Origin, ReadArrays};
pub use partial::Partial;
pub use partition_spec::{PartitionSpec, SpecAxes};
pub use pmap::pmap;
pub use precision::{Policy, autocast, mixed};
pub use prepared::{BeginsWith, Prepared, PreparedJit};
pub use ranks::{RankPromotion, numpy_rank_promotion};
pub use sanitize::sanitize;
pub use scope::named_scope;
pub use shape::{IntoExtent, IntoShape, Shape};
pub use shard_map::shard_map;
pub use sharded::{NamedSharding, Shard};
pub use stages::{ArgInfo, Compiled, Lowered};
pub use take::TakeMode;
pub use trace::{checking_leaks, ensure_compile_time_eval};
pub use vmap::{VmapOptions, vmap, vmap_axes, vmap_with};
pub use watch::{disable_jit, enable_checks, explain_retraces, log_compiles};
