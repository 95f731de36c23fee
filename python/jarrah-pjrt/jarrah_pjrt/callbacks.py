"""Calls from a compiled program back into Python.

A callback is a custom call of `@jarrah_host_callback`, whose configuration is `"ADDRESS:CONTEXT"`, both decimal. The
address is that of one C function for all callbacks,

    int32_t call(uint64_t context, int32_t operands, const void* const* operand_data,
                 int32_t results, void* const* result_data, char* error, uint64_t error_capacity)

which returns 0, or 1 with a message in UTF-8. Arrays are dense and row-major, and elements of less than a byte take one
byte each. Their shapes and element types are known here when the program is lowered, so only pointers cross.

The context is a random number that names the Python function in `_live`. A program whose context is not there, for
example one that another process compiled, gets an error; the number being random, no cache takes two programs with
different callbacks for one.
"""

import atexit
import collections
import contextlib
import ctypes
import functools
import logging
import secrets
import weakref
from collections.abc import Callable, Iterator, Sequence

import jax
import numpy as np
from jax._src import checkify as jax_checkify
from jax._src import config, core, debugging, effects, mesh, xla_bridge
from jax._src.callback import _callback_op_sharding as placement_of
from jax._src.callback import _OrderedIOEffect as ordered_io_effect
from jax._src.interpreters.mlir import custom_call, set_sharding
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir
from jax._src.sharding_impls import (
    GSPMDSharding,
    SdyArray,
    SdyArrayList,
    ShardingContext,
    SPMDAxisContext,
    parse_flatten_op_sharding,
    replicated_hlo_sharding,
)
from jax.interpreters import mlir
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from . import PLATFORM

TARGET = "jarrah_host_callback"
INSPECTION = "jarrah_inspect_sharding"
# The callbacks of so many programs that were freed last are kept: a program may be freed while it still runs.
KEPT = 256

logger = logging.getLogger(__name__)
_live: dict[int, "HostCallback | Inspection"] = {}
_freed: collections.deque[int] = collections.deque()


class HostCallback:
    """A Python function of NumPy arrays, with the types of its operands and results."""

    def __init__(self, function: Callable[..., Sequence], operands: Sequence, results: Sequence):
        self.function = function
        self.operands = [physical(aval) for aval in operands]
        self.results = [physical(aval) for aval in results]

    def call(self, operands: Sequence[int | None], results: Sequence[int | None]) -> None:
        """Runs the function on the arrays at the addresses `operands`, and writes what it returns to `results`."""
        # The memory is the program's, and the function may keep its arguments: it gets copies.
        arguments = [view(ty, data).copy() for ty, data in zip(self.operands, operands, strict=True)]
        values = self.checked(self.function(*arguments))
        for ty, data, value in zip(self.results, results, values, strict=True):
            view(ty, data)[...] = value

    def checked(self, values: Sequence) -> list[np.ndarray]:
        """The returned values as arrays of the element types that JAX allows.

        Raises `RuntimeError` if they do not have the types that were declared.
        """
        if len(values) != len(self.results):
            raise RuntimeError(f"the callback returned {len(values)} values, and {len(self.results)} were declared")
        arrays = []
        for i, (value, ty) in enumerate(zip(values, self.results, strict=True)):
            array = np.asarray(value)
            array = array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)
            for what, is_, declared in (("shape", array.shape, ty.shape), ("dtype", array.dtype, ty.dtype)):
                if is_ != declared:
                    raise RuntimeError(f"Incorrect output {what} for return value {i}: {is_}, and {declared} was declared")
            arrays.append(array)
        return arrays


class Inspection:
    """A Python function that gets the sharding of a value when its program is compiled."""

    def __init__(self, function: Callable[[jax.sharding.Sharding], None], devices: tuple, mesh: jax.sharding.Mesh):
        self.function, self.devices, self.mesh = function, devices, mesh

    def call(self, operands: Sequence[int], results: Sequence) -> None:
        """Reads the serialized sharding, whose address and that of its length are given."""
        data, size = operands
        proto = xla_client.OpSharding()
        proto.ParseFromString(ctypes.string_at(data, ctypes.c_uint64.from_address(size).value))
        self.tell(xla_client.HloSharding.from_proto(proto))

    def tell(self, sharding: xla_client.HloSharding) -> None:
        """Gives the function a sharding over the program's mesh, if it has one."""
        if self.mesh.empty:
            return self.function(GSPMDSharding(self.devices, sharding))
        spec = P() if sharding.is_manual() else parse_flatten_op_sharding(sharding, self.mesh)[0]
        return self.function(NamedSharding(self.mesh, spec))


def physical(aval) -> jax.ShapeDtypeStruct:
    """The array that holds a value: of keys their words, of tangents of integers truth values."""
    aval = core.physical_aval(aval)
    dtype = np.dtype(bool) if aval.dtype == jax.dtypes.float0 else np.dtype(aval.dtype)
    return jax.ShapeDtypeStruct(aval.shape, dtype)


def view(ty: jax.ShapeDtypeStruct, data: int | None) -> np.ndarray:
    """The array of a type that begins at an address."""
    count = int(np.prod(ty.shape, dtype=np.int64))
    if count == 0:
        return np.zeros(ty.shape, ty.dtype)
    memory = (ctypes.c_char * (count * ty.dtype.itemsize)).from_address(data)
    return np.frombuffer(memory, ty.dtype, count).reshape(ty.shape)


@atexit.register
def _finish() -> None:
    """Waits for what devices were given to do: a thread that calls Python after its end would abort the process."""
    if not _live or not xla_bridge.backends_are_initialized():
        return
    try:
        devices = jax.local_devices(backend=PLATFORM)
    except RuntimeError:
        return  # Programs were lowered only.
    for device in devices:
        # A device does one thing after another.
        jax.numpy.negative(jax.device_put(np.float32(0), device)).block_until_ready()


def _text(exception: BaseException) -> str:
    """What is told of an exception, whose own text may be missing."""
    name = type(exception).__name__
    try:
        return f"{name}: {exception}"
    except Exception:
        return f"{name}, whose text is not to be had"


@ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_uint64,
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
    ctypes.c_uint64,
)
def _call(context, operands, operand_data, results, result_data, error, error_capacity):
    """The C function that programs call."""
    try:
        callback = _live.get(context)
        if callback is None:
            raise RuntimeError("the Python function of this callback is not there: it belonged to a program that was freed")
        callback.call(operand_data[:operands], result_data[:results])
        return 0
    except BaseException as exception:
        text = _text(exception).encode(errors="backslashreplace")
        if error and error_capacity:
            # What is cut off may end within a character.
            text = text[: error_capacity - 1].decode(errors="ignore").encode()
            ctypes.memmove(error, text + b"\0", len(text) + 1)
        return 1


ADDRESS = ctypes.cast(_call, ctypes.c_void_p).value


class _Owner:
    """Held by a program: when it is freed, so are its callbacks, later."""


def _free(context: int) -> None:
    _freed.append(context)
    if len(_freed) > KEPT:
        del _live[_freed.popleft()]


def keep(ctx: mlir.LoweringRuleContext, callback: HostCallback | Inspection) -> str:
    """Keeps a callback as long as the program, and gives the configuration of its custom call."""
    context, owner = secrets.randbits(63), _Owner()
    _live[context] = callback
    weakref.finalize(owner, _free, context).atexit = False
    ctx.module_context.add_keepalive(owner)
    return f"{ADDRESS}:{context}"


def emit(
    ctx: mlir.LoweringRuleContext,
    function: Callable[..., Sequence],
    operands: Sequence,
    *,
    has_side_effect: bool,
    ordered_by: effects.Effect | None = None,
    sharding: jax.sharding.Sharding | None = None,
) -> list:
    """Writes the call of `function`, which takes and returns arrays, and gives its results.

    Calls `ordered_by` one effect keep their order: each takes that effect's token as its first operand and gives the next
    one as its first result. In a program for several devices the call is made on that of `sharding`, or on the first.
    """
    if len(ctx.module_context.platforms) > 1:
        raise NotImplementedError("a program for several platforms cannot call back into Python")
    callback = HostCallback(function, ctx.avals_in, ctx.avals_out)
    types = [ty for aval in ctx.avals_out for ty in mlir.aval_to_ir_types(ctx.module_context, aval)]
    if ordered_by is not None:
        types, operands = [mlir.token_type(), *types], [ctx.tokens_in.get(ordered_by), *operands]
    op = custom_call(
        TARGET,
        result_types=types,
        operands=operands,
        backend_config=keep(ctx, callback),
        has_side_effect=has_side_effect,
        api_version=1,
    )
    annotate(ctx, op, sharding)
    results = op.results
    if ordered_by is not None:
        token, *results = results
        ctx.set_tokens_out(ctx.tokens_in.update_tokens(mlir.TokenSet({ordered_by: token})))
    return list(results)


def annotate(ctx: mlir.LoweringRuleContext, op, sharding: jax.sharding.Sharding | None) -> None:
    """Says on which of a program's devices a call is made: once for each result, and once where there is none."""
    placement = placement_of(ctx.module_context.axis_context, sharding, ctx.avals_out)
    if placement is None:
        return
    has_token = len(op.results) > len(ctx.avals_out)
    if has_token and ctx.avals_out and isinstance(placement, SdyArrayList):
        # The token's annotation is that of a scalar.
        one = placement.shardings[0]
        token = SdyArray(mesh_shape=(), dim_shardings=(), logical_device_ids=one.logical_device_ids)
        placement = SdyArrayList((token, *placement.shardings))
    set_sharding(ctx.module_context, op, placement)


@contextlib.contextmanager
def no_mesh() -> Iterator[None]:
    """Hides the mesh that is set in this thread, which may be the caller's: a callback's arrays are on no mesh."""
    abstract, concrete = config.abstract_mesh_context_manager, config.device_context
    before = abstract.swap_local(mesh.empty_abstract_mesh), concrete.swap_local(mesh.empty_concrete_mesh)
    try:
        yield
    finally:
        abstract.set_local(before[0])
        concrete.set_local(before[1])


def call_on_host(name: str, callback: Callable, *arguments: np.ndarray) -> list[np.ndarray]:
    """Calls a function of JAX arrays; what it computes with them runs on JAX's CPU device."""
    try:
        host = jax.local_devices(backend="cpu")[0]
    except RuntimeError as error:
        raise RuntimeError(
            "a callback gets its arguments on JAX's CPU device, and there is none: list `cpu` in JAX_PLATFORMS, as in"
            " JAX_PLATFORMS=jarrah,cpu"
        ) from error
    with jax.default_device(host), no_mesh():
        try:
            return [np.asarray(value) for value in callback(*jax.device_put(list(arguments), host))]
        except BaseException:
            logger.exception("%s failed", name)
            raise


def pure_callback(ctx, *operands, callback, sharding, vmap_method, result_avals):
    """`jax.pure_callback`."""
    del vmap_method, result_avals
    function = functools.partial(call_on_host, "jax.pure_callback", callback)
    return emit(ctx, function, operands, has_side_effect=False, sharding=sharding)


def io_callback(ctx, *operands, callback, sharding, ordered, result_avals):
    """`jax.experimental.io_callback`."""
    del result_avals
    function = functools.partial(call_on_host, "jax.io_callback", callback)
    by = ordered_io_effect if ordered else None
    return emit(ctx, function, operands, has_side_effect=True, ordered_by=by, sharding=sharding)


def along_other_axes(ctx: mlir.LoweringRuleContext, primitive: core.Primitive, operands: Sequence, params: dict):
    """Lowers a primitive of debugging where some axes of the mesh are manual; `None` where all are, or none.

    Along the other axes the arguments are whole, and the first of their devices makes the call.
    """
    context = ctx.module_context.axis_context
    if not isinstance(context, SPMDAxisContext) or context.manual_axes == frozenset(context.mesh.axis_names):
        return None
    others = tuple(name for name in context.mesh.axis_names if name not in context.manual_axes)

    def call(*arguments):
        def on_each():
            first = jax.lax.axis_index(others) == 0
            return jax.lax.cond(first, lambda: primitive.bind(*arguments, **params), lambda: [])

        return jax.shard_map(on_each, in_specs=(), out_specs=[])()

    return mlir.lower_fun(call)(ctx, *operands)


def debug_callback(ctx, *operands, callback, effect, **params):
    """`jax.debug.callback`."""
    params.update(callback=callback, effect=effect)
    made = along_other_axes(ctx, debugging.debug_callback_p, operands, params)
    if made is not None:
        return made
    run = functools.partial(debugging.debug_callback_p.impl, **params)
    by = effect if effects.ordered_effects.contains(effect) else None
    return emit(ctx, run, operands, has_side_effect=True, ordered_by=by)


def debug_print(ctx, *operands, ordered, **params):
    """`jax.debug.print`."""
    params["ordered"] = ordered
    made = along_other_axes(ctx, debugging.debug_print_p, operands, params)
    if made is not None:
        return made
    run = functools.partial(debugging.debug_print_p.impl, **params)
    by = debugging.ordered_debug_effect if ordered else None
    return emit(ctx, run, operands, has_side_effect=True, ordered_by=by)


def inspect_sharding(ctx, value, *, callback):
    """`jax.debug.inspect_array_sharding`: calls back when the program is lowered, or for several devices when it is compiled."""
    context, physical_mesh = ctx.module_context.axis_context, mesh.thread_resources.env.physical_mesh
    if isinstance(context, SPMDAxisContext):
        devices, physical_mesh = context.mesh._flat_devices_tuple, context.mesh
    elif isinstance(context, ShardingContext):
        devices = context.device_assignment
        if (abstract := context.abstract_mesh) is not None:
            physical_mesh = jax.sharding.Mesh(np.array(devices).reshape(abstract.axis_sizes), abstract.axis_names)
    else:
        raise NotImplementedError(f"the sharding of a value in a {type(context).__name__}")
    inspection = Inspection(callback, devices, physical_mesh)
    if len(devices) == 1:
        inspection.tell(replicated_hlo_sharding)
        return []
    custom_call(
        INSPECTION,
        result_types=[],
        operands=[value],
        backend_config=keep(ctx, inspection),
        # jaxlib drops calls without an effect that give nothing; the plugin drops this one, by the second attribute.
        has_side_effect=True,
        extra_attributes={"jarrah.effects": ir.ArrayAttr.get([])},
        api_version=1,
    )
    return []


def check(ctx, *operands, err_tree, debug):
    """A check of `jax.experimental.checkify` that was not made into a result of the program."""
    if debug:
        return []
    if not jax.config.jax_experimental_unsafe_xla_runtime_errors:
        raise jax_checkify.functionalization_error
    return emit(ctx, functools.partial(jax_checkify.python_err, err_tree), operands, has_side_effect=True)
