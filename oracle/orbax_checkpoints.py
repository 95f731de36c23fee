"""Checkpoints as Orbax writes them, with the structure and the values that they were made of.

    python oracle/orbax_checkpoints.py                 # a small set: crates/formats/tests/golden/orbax/
    python oracle/orbax_checkpoints.py FOLDER [COUNT]  # COUNT (200) of random variants
    JARRAH_ORBAX=FOLDER cargo test -p jarrah-formats orbax
    JARRAH_ORBAX_WRITE=FOLDER cargo test -p jarrah-formats orbax_written
    python oracle/orbax_checkpoints.py check FOLDER    # restores what is written there by Orbax, and by TensorStore alone
    JARRAH_CHECKPOINTS=FOLDER cargo test -p jarrah-checkpoint orbax
    python oracle/orbax_checkpoints.py run FOLDER      # restores the checkpoints of a run, `step_*`, and compares them with their manifests

A checkpoint `NAME/` has beside it `NAME.json`, its items: `{"items": {ITEM: {"json": ..} or {"tree": NODE}}}`. NODE is `{"dict": {key: NODE}}`,
`{"list": [NODE..]}`, `{"tuple": [NODE..]}`, `{"named": {field: NODE}}`, `{"none": true}` or
`{"leaf": {"name", "kind", "dtype", "shape", "sharding", "generator", "text"}}`, and `NAME.safetensors`, whose tensor `ITEM:leaf` has the bytes of
a value: little-endian and row-major, elements of fewer than eight bits in the low bits of a byte.

Varied are version 0 and 1 of the interface, OCDBT, zarr 2 and 3, compression, sizes of chunks and of data files, shardings over eight virtual
devices, types of elements, nodes and keys. Codecs that Orbax reads but does not write (gzip, zlib, blosc, transposed and big-endian elements) are
written by TensorStore in the place of Orbax's arrays: `recoded`; likewise high trees of
small nodes, values in nodes and numbered manifests: `renoded`. `processes` is a save of four processes, whose databases Orbax merges.

Needs orbax-checkpoint==0.12.8 and tensorstore==0.1.86 beside `requirements.txt`; `run` needs blake3.
"""

import collections
import itertools
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=" + os.environ.get("ORACLE_DEVICES", "8")
os.environ["JAX_PLATFORMS"] = "cpu"

import common
import jax

jax.config.update("jax_enable_x64", True)
if "ORACLE_PROCESS" in os.environ:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(os.environ["ORACLE_COORDINATOR"], 4, int(os.environ["ORACLE_PROCESS"]))

import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
import orbax.checkpoint.experimental.v1 as ocp1
import tensorstore as ts
from absl import logging
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from orbax.checkpoint._src.arrays import subchunking
from orbax.checkpoint._src.metadata import pytree_metadata_options
from orbax.checkpoint._src.serialization import tensorstore_utils
from safetensors.numpy import load_file, save_file

logging.set_verbosity(logging.FATAL)
OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "formats" / "tests" / "golden" / "orbax"

# Orbax's names of element types, and ours.
DTYPES = {
    "bool": "bool", "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint4": "u4", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float4_e2m1fn": "f4e2m1fn", "float8_e3m4": "f8e3m4", "float8_e4m3fn": "f8e4m3fn",
    "float8_e4m3fnuz": "f8e4m3fnuz", "float8_e4m3b11fnuz": "f8e4m3b11fnuz", "float8_e5m2": "f8e5m2", "float8_e5m2fnuz": "f8e5m2fnuz",
    "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128",
    "int2": "i2", "uint2": "u2", "float8_e4m3": "f8e4m3", "float8_e8m0fnu": "f8e8m0fnu",
}
NARROW = {"int2": 2, "int4": 4, "uint2": 2, "uint4": 4, "float4_e2m1fn": 4}
# What TensorStore 0.1.86 does not store.
UNSTORED = {"uint2", "uint4", "float8_e4m3", "float8_e8m0fnu"}
STORED = [name for name in DTYPES if name not in UNSTORED]

Moments = collections.namedtuple("Moments", ["mu", "nu"])


class Counter:
    """Numbers the streams of values, so that a script gives the same bytes each time."""

    def __init__(self, seed):
        self.stream = 5_000_000 + seed * 1000

    def array(self, dtype, shape):
        return np.asarray(self.values(dtype, shape), dtype)

    def values(self, dtype, shape):
        self.stream += 1
        if dtype == "bool":
            return common.integers(self.stream, shape, 2).astype(bool)
        if dtype in NARROW:
            low = -(2 ** (NARROW[dtype] - 1)) if dtype.startswith("int") else 0
            if dtype.startswith("float"):
                return (common.unit(self.stream, shape) * np.float32(8)).astype(dtype)
            return (common.integers(self.stream, shape, 2 ** NARROW[dtype]) + low).astype(dtype)
        if "int" in dtype:
            words = common.bits(self.stream, int(np.prod(shape, dtype=np.int64)))
            return words.astype(np.uint64).view(np.uint8).reshape(-1, 8)[:, : np.dtype(dtype).itemsize].copy().view(dtype).reshape(shape)
        x = common.unit(self.stream, shape)
        if dtype.startswith("complex"):
            return (x + 1j * common.unit(self.stream + 500_000, shape)).astype(dtype)
        return (x * np.float32(4)).astype(dtype)


def raw(x):
    """The bytes of a value, as our reader has them."""
    x = np.asarray(x)
    if x.dtype.name in NARROW:
        return np.atleast_1d(np.frombuffer(x.tobytes(), np.uint8) & ((1 << NARROW[x.dtype.name]) - 1))
    return np.frombuffer(np.ascontiguousarray(x).tobytes(), np.uint8)


def sharding_text(x):
    sharding = x.sharding
    if isinstance(sharding, NamedSharding):
        axes = ", ".join(f"{name}={size}" for name, size in sharding.mesh.shape.items())
        spec = [list(s) if isinstance(s, tuple) else s for s in sharding.spec]
        return f"NamedSharding({axes}; {json.dumps(spec, separators=(',', ':'))})"
    return None


def described(tree, path, item, tensors, rich):
    """The NODE of a tree; puts the values of its leaves into `tensors`."""
    child = lambda key, value: described(value, [*path, str(key)], item, tensors, rich)
    if tree is None:
        return {"none": True}
    if isinstance(tree, dict):
        return {"dict": {key: child(key, value) for key, value in tree.items()}}
    if isinstance(tree, Moments):
        return {"named" if rich else "dict": {key: child(key, value) for key, value in tree._asdict().items()}}
    if isinstance(tree, (list, tuple)):
        # An empty tuple is one in any case.
        kind = "tuple" if isinstance(tree, tuple) and (rich or not tree) else "list"
        return {kind: [child(i, value) for i, value in enumerate(tree)]}
    name = ".".join(path)
    if isinstance(tree, str):
        return {"leaf": {"name": name, "kind": "Text", "text": tree}}
    kind = "Array" if isinstance(tree, jax.Array) else "Numpy" if isinstance(tree, np.ndarray) else "Scalar"
    leaf = {"name": name, "kind": kind}
    if isinstance(tree, jax.Array) and jnp.issubdtype(tree.dtype, jax.dtypes.prng_key):
        leaf["generator"] = str(jax.random.key_impl(tree))
        tree = jax.random.key_data(tree)
    elif isinstance(tree, jax.Array) and sharding_text(tree):
        leaf["sharding"] = sharding_text(tree)
    x = np.asarray(tree)
    tensors[f"{item}:{name}"] = raw(x)
    return {"leaf": {**leaf, "dtype": DTYPES[x.dtype.name], "shape": list(x.shape)}}


MESHES = [("x", "y"), ("data", "model")]


def placed(x, rng):
    """The array on the devices, sharded where its extents allow it."""
    if rng.random() < 0.3:
        return jnp.asarray(x)
    shape = rng.choice([(8, 1), (4, 2), (2, 4), (1, 8)])
    mesh = Mesh(np.array(jax.devices()).reshape(shape), rng.choice(MESHES))
    names = [*mesh.axis_names, None, tuple(mesh.axis_names)]
    spec, free = [], set(mesh.axis_names)
    for extent in x.shape:
        axis = rng.choice(names)
        axes = axis if isinstance(axis, tuple) else (axis,)
        size = int(np.prod([mesh.shape[a] for a in axes if a]))
        fits = set(a for a in axes if a) <= free and extent > 0 and extent % size == 0
        spec.append(axis if fits else None)
        free -= set(axes) if fits else set()
    return jax.device_put(x, NamedSharding(mesh, PartitionSpec(*spec)))


SHAPES = [(), (1,), (7,), (8,), (64,), (8, 8), (16, 4), (3, 5), (8, 3, 4), (2, 4, 8, 2), (1, 1, 16), (32, 24)]


def leaf(rng, counter, version):
    kind = rng.random()
    if kind < 0.55:
        return placed(counter.array(rng.choice([d for d in STORED if d not in JAX_LACKS]), rng.choice(SHAPES)), rng)
    if kind < 0.8:
        return counter.array(rng.choice(STORED), rng.choice(SHAPES))
    if kind < 0.95 or version == "standard":
        # NumPy's numbers are leaves in version 0 alone.
        return rng.choice([0, -3, 2**40, 1.5, -0.0, float("inf"), *([] if version == "v1" else [np.int8(-4), np.float32(2.5), np.uint16(7)])])
    return rng.choice(["", "a text", "ünïcode \u2192 \n\"quoted\"", "x" * 300])


JAX_LACKS = {"float4_e2m1fn", "int2"}


def tree(rng, counter, version, depth=0):
    """A random tree."""
    kind = rng.random()
    if depth > 0 and (depth > 3 or kind < 0.5):
        return leaf(rng, counter, version)
    if depth > 0 and kind < 0.62:
        return rng.choice([None, {}, [], ()])
    count = rng.randint(1, 4)
    children = [tree(rng, counter, version, depth + 1) for _ in range(count)]
    if depth > 0 and kind < 0.72:
        return children
    if depth > 0 and kind < 0.8:
        return tuple(children)
    if depth > 0 and kind < 0.85:
        return Moments(children[0], children[-1] if count > 1 else counter.array("float32", (2,)))
    keys = ["params", "kernel", "bias", "0", "layer_1", "with space", "Ünï", "b64", "a-b", "mu"]
    return dict(zip(rng.sample(keys, count), children))


class Case:
    """A checkpoint and what it should be read as."""

    def __init__(self, folder, name):
        self.path, self.beside, self.items, self.tensors = folder / name, folder / name, {}, {}

    def tree(self, item, tree, rich=False):
        self.items[item] = {"tree": described(tree, [], item, self.tensors, rich)}

    def json(self, item, value):
        self.items[item] = {"json": value}

    def write(self):
        text = json.dumps({"items": self.items}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self.beside.with_suffix(".json").write_text(text + "\n")
        if self.tensors:
            save_file(self.tensors, self.beside.with_suffix(".safetensors"))


def options(rng, use_zarr3):
    """Arguments of version 0's handlers beside the format."""
    args = {}
    if rng.random() < 0.3:
        args["use_compression"] = False
    return args


def save_args(rng, tree):
    size = rng.choice([None, None, 16, 64, 1024])
    axes = lambda x: (rng.randrange(np.ndim(x)),) if np.ndim(x) and rng.random() < 0.3 else ()
    one = lambda x: ocp.SaveArgs(chunk_byte_size=size, shard_axes=axes(x)) if isinstance(x, (np.ndarray, jax.Array)) else ocp.SaveArgs()
    return jax.tree.map(one, tree, is_leaf=lambda x: x is None or (isinstance(x, (dict, list, tuple)) and not x))


def version0(case, rng, value, use_ocdbt, use_zarr3, rich=False, **args):
    handler = ocp.PyTreeCheckpointHandler(
        use_ocdbt=use_ocdbt, use_zarr3=use_zarr3,
        pytree_metadata_options=pytree_metadata_options.PyTreeMetadataOptions(support_rich_types=rich), **options(rng, use_zarr3))
    with ocp.Checkpointer(handler) as checkpointer:
        checkpointer.save(case.path, args=ocp.args.PyTreeSave(value, save_args=save_args(rng, value), **args))
    case.tree("", value, rich)


def standard(case, rng, value):
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(case.path, value)
        checkpointer.wait_until_finished()
    # This handler makes arrays of NumPy's numbers.
    case.tree("", jax.tree.map(lambda x: np.asarray(x) if isinstance(x, np.generic) else x, value))


def managed(case, rng, value, use_ocdbt, use_zarr3):
    folder = case.path.with_suffix(".manager")
    handlers = {
        "state": ocp.PyTreeCheckpointHandler(use_ocdbt=use_ocdbt, use_zarr3=use_zarr3), "meta": ocp.JsonCheckpointHandler(),
        "rng": ocp.JaxRandomKeyCheckpointHandler(), "array": ocp.ArrayCheckpointHandler()}
    state, meta, key, array = value, {"step": 5, "names": ["a", "b"]}, jax.random.key(7), Counter(9).array("float32", (4, 6))
    with ocp.CheckpointManager(folder, item_names=tuple(handlers), item_handlers=handlers) as manager:
        manager.save(5, args=ocp.args.Composite(
            state=ocp.args.PyTreeSave(state), meta=ocp.args.JsonSave(meta), rng=ocp.args.JaxRandomKeySave(key), array=ocp.args.ArraySave(array)))
        manager.wait_until_finished()
    (folder / "5").rename(case.path)
    shutil.rmtree(folder)
    case.tree("state", state)
    case.json("meta", meta)
    for item, words in [("array", array), ("rng/jax_random_key", np.asarray(jax.random.key_data(key)))]:
        # Arrays without a description of a tree are found by their name alone.
        is_tree = (case.path / item / "_METADATA").exists()
        leaf = {"leaf": {"name": "checkpoint", "kind": "Numpy" if item == "array" and is_tree else "Array", "dtype": DTYPES[words.dtype.name], "shape": list(words.shape)}}
        case.items[item] = {"tree": {"dict": {"checkpoint": leaf}} if is_tree else leaf}
        case.tensors[f"{item}:checkpoint"] = raw(words)
    case.json("rng/jax_random_key_metadata", json.loads((case.path / "rng/jax_random_key_metadata/metadata").read_text()))


def version1(case, rng, value, use_ocdbt, use_zarr3, items=False):
    context = ocp1.Context()
    saving = context.array.saving
    saving.use_ocdbt, saving.use_zarr3 = use_ocdbt, use_zarr3
    saving.use_compression = rng.random() < 0.7
    saving.enable_replica_parallel_separate_folder = rng.random() < 0.3
    saving.storage_options.chunk_byte_size = rng.choice([None, None, 16, 64, 1024])
    if use_ocdbt and use_zarr3 and saving.storage_options.chunk_byte_size:
        saving.ocdbt_target_data_file_size = rng.choice([None, 4096])
    about = {"note": "é", "list": [1, 2.5, None]}
    if items:
        registry = ocp1.handlers.local_registry()
        registry.add(ocp1.handlers.JsonHandler, checkpointable_name="json")
        context.checkpointables.registry = registry
    with context:
        if items:
            ocp1.save_checkpointables(case.path, {"model": value, "about": about, "json": about})
            case.json("json", about)
        else:
            ocp1.save(case.path, value)
    for name in [item.name for item in case.path.iterdir() if (item / "_METADATA").exists()]:
        rich = '"value_metadata_tree"' in (case.path / name / "_METADATA").read_text()
        case.tree(name, about if name == "about" else value, rich)


ZARR2 = [
    {"compressor": None}, {"compressor": {"id": "zlib", "level": 6}}, {"compressor": {"id": "zstd", "level": 5}}, {"order": "F"},
    {"order": "F", "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}}, {"dimension_separator": "/"}, {"endian": ">"},
    *({"compressor": {"id": "blosc", "cname": cname, "clevel": 9, "shuffle": shuffle}} for cname in ["lz4", "lz4hc", "blosclz", "zlib", "zstd"] for shuffle in [0, 1, 2]),
]
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
ZSTD = {"name": "zstd", "configuration": {"level": 1}}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
CRC = {"name": "crc32c"}


def blosc3(cname, shuffle, size):
    return {"name": "blosc", "configuration": {"cname": cname, "clevel": 7, "shuffle": shuffle, "typesize": size, "blocksize": 0}}


def zarr3_codecs(rng, x):
    """Codecs of zarr 3 for an array, and the shape of its chunks."""
    rank = x.ndim
    chunk = [max(1, -(-extent // rng.choice([1, 2, 3]))) for extent in x.shape]
    turn = {"name": "transpose", "configuration": {"order": rng.sample(range(rank), rank)}}
    encode = rng.choice([
        [], [GZIP], [ZSTD], [CRC], [GZIP, CRC], [blosc3(rng.choice(["lz4", "blosclz", "zstd", "zlib"]), rng.choice(["shuffle", "bitshuffle", "noshuffle"]), x.dtype.itemsize)]])
    inner = [*([turn] if rng.random() < 0.4 else []), rng.choice([BYTES, BIG]), *encode]
    if rng.random() < 0.4:
        return chunk, inner
    shard = {"name": "sharding_indexed", "configuration": {
        "chunk_shape": list(chunk), "codecs": inner, "index_codecs": rng.choice([[BYTES, CRC], [BYTES], [BIG, CRC]]),
        "index_location": rng.choice(["start", "end"])}}
    outer = [extent * rng.choice([1, 2]) for extent in chunk]
    return outer, [shard]


def recoded(case, rng, value, use_ocdbt, use_zarr3):
    """Orbax's checkpoint with its arrays written again by TensorStore, in other codecs."""
    version0(case, random.Random(1), value, use_ocdbt, use_zarr3)
    for leaf_name, x in leaves(value):
        kvstore = {"driver": "file", "path": f"{case.path}/"}
        if use_ocdbt:
            kvstore = {"driver": "ocdbt", "base": kvstore, "path": f"{leaf_name}/"}
        else:
            kvstore["path"] += f"{leaf_name}/"
        # Arrays of zarr 2 have compressors, those of zarr 3 chains of codecs.
        if use_zarr3:
            chunk, codecs = zarr3_codecs(rng, x)
            metadata = {"shape": list(x.shape), "data_type": x.dtype.name, "codecs": codecs, "fill_value": False if x.dtype == bool else [0, 0] if x.dtype.kind == "c" else 0,
                        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
                        "chunk_key_encoding": rng.choice([{"name": "default"}, {"name": "default", "configuration": {"separator": "."}}, {"name": "v2"}])}
        else:
            # One axis lies in order in any case.
            chosen = dict(rng.choice([c for c in ZARR2 if x.ndim > 1 or "order" not in c]))
            order = chosen.pop("endian", "<")
            typed = x.dtype.newbyteorder(order).str if x.dtype.isbuiltin == 1 else x.dtype.name
            metadata = {"shape": list(x.shape), "chunks": [max(1, -(-extent // rng.choice([1, 2, 3]))) for extent in x.shape], "dtype": typed,
                        "order": "C", "compressor": None, "filters": None, "fill_value": None, **chosen}
        store = ts.open({"driver": "zarr3" if use_zarr3 else "zarr", "kvstore": kvstore, "metadata": metadata, "store_data_equal_to_fill_value": True},
                        create=True, delete_existing=True).result()
        store.write(x).result()


def renoded(case, rng, value, use_zarr3, kind):
    """Orbax's checkpoint with its database written again by TensorStore: in small nodes, so that its tree is high, and in several versions."""
    version0(case, rng, value, True, use_zarr3)
    base = {"driver": "file", "path": f"{case.path}/"}
    old = ts.KvStore.open({"driver": "ocdbt", "base": base}).result()
    values = {key: old[key] for key in old.list().result()}
    for path in [case.path / "d", *case.path.glob("ocdbt.process_*")]:
        shutil.rmtree(path, ignore_errors=True)
    (case.path / "manifest.ocdbt").unlink()
    config = {"manifest_kind": kind, "max_inline_value_bytes": rng.choice([0, 100, 5000]), "max_decoded_node_bytes": rng.choice([100, 400, 2000]),
              "version_tree_arity_log2": 1, "compression": rng.choice([None, {"id": "zstd", "level": 3}])}
    new = ts.KvStore.open({"driver": "ocdbt", "base": base, "config": config}).result()
    keys = list(values)
    rng.shuffle(keys)
    for part in range(3):
        with ts.Transaction() as transaction:
            for key in keys[part::3]:
                new.with_transaction(transaction)[key] = values[key]


def packed(case, rng, value):
    """The form before OCDBT: the structure and small values in one file of MessagePack, beside the folders of the arrays of zarr 2."""
    small = {"step": 7, "big": 2**63 + 5, "below": -70000, "rate": 0.25, "on": True, "text": "w\u00f6rds", "none": None, "empty": {}, "list": [], "tuple": (),
             "pair": [np.arange(6, dtype="int16").reshape(2, 3), np.float32(1.5)], "half": np.array([1.5, -2], "bfloat16"), "z": 1 - 2j, "many": list(range(40))}
    version0(case, random.Random(1), value, False, False)
    (case.path / "_METADATA").unlink()
    # The structure that this form has: sequences are lists.
    elsewhere = lambda path, x: "PLACEHOLDER://" + ".".join(path)
    structure = lambda node, path: {k: structure(v, [*path, k]) for k, v in node.items()} if isinstance(node, dict) else [
        structure(v, [*path, str(i)]) for i, v in enumerate(node)] if isinstance(node, list) else elsewhere(path, node)
    (case.path / "checkpoint").write_bytes(ocp.msgpack_utils.msgpack_serialize({"small": small, **structure(value, [])}))
    assert ocp.Checkpointer(ocp.PyTreeCheckpointHandler(use_ocdbt=False)).restore(case.path)["small"]["step"] == 7
    as_arrays = {**small, "big": np.uint64(small["big"]), "many": [np.int64(x) for x in small["many"]]}
    # Shardings lie beside the arrays in this form too; the type of an array in Python is not known.
    case.tree("", {"small": as_arrays, **value})


def leaves(value):
    named = jax.tree_util.tree_flatten_with_path(value)[0]
    name = lambda path: ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", None)))) for k in path)
    return [(name(path), np.asarray(x)) for path, x in named if not isinstance(x, str)]


def processes(case, use_zarr3):
    """A save of four processes of two devices each."""
    with socket.socket() as s:
        s.bind(("localhost", 0))
        port = s.getsockname()[1]
    environment = {**os.environ, "ORACLE_COORDINATOR": f"localhost:{port}", "ORACLE_DEVICES": "2"}
    run = [sys.executable, __file__, "process", str(case.path), str(int(use_zarr3))]
    running = [subprocess.Popen(run, env={**environment, "ORACLE_PROCESS": str(i)}) for i in range(4)]
    assert [process.wait(timeout=300) for process in running] == [0] * 4
    counter = Counter(77)
    a, b, c = counter.array("float32", (8, 8)), counter.array("bfloat16", (16,)), counter.array("int32", (3,))
    case.items[""] = {"tree": {"dict": {
        "a": {"leaf": {"name": "a", "kind": "Array", "dtype": "f32", "shape": [8, 8], "sharding": 'NamedSharding(x=4, y=2; ["x","y"])'}},
        "b": {"leaf": {"name": "b", "kind": "Array", "dtype": "bf16", "shape": [16], "sharding": 'NamedSharding(x=4, y=2; [["x","y"]])'}},
        "c": {"leaf": {"name": "c", "kind": "Numpy", "dtype": "i32", "shape": [3]}}}}}
    case.tensors = {":a": raw(a), ":b": raw(b), ":c": raw(c)}


def process(path, use_zarr3):
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    counter = Counter(77)
    sharded = lambda x, spec: jax.make_array_from_callback(x.shape, NamedSharding(mesh, spec), lambda index: x[index])
    value = {"a": sharded(counter.array("float32", (8, 8)), PartitionSpec("x", "y")), "b": sharded(counter.array("bfloat16", (16,)), PartitionSpec(("x", "y")))}
    value["c"] = counter.array("int32", (3,))
    with ocp.Checkpointer(ocp.PyTreeCheckpointHandler(use_ocdbt=True, use_zarr3=use_zarr3)) as checkpointer:
        checkpointer.save(pathlib.Path(path), args=ocp.args.PyTreeSave(value))


def every_dtype(counter):
    value = {name: counter.array(name, (5,)) for name in STORED}
    return {"numpy": value, "jax": {name: jnp.asarray(x) for name, x in value.items() if name not in JAX_LACKS}}


def nested(counter, rich_leaves=True):
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    put = lambda x, *spec: jax.device_put(x, NamedSharding(mesh, PartitionSpec(*spec)))
    value = {
        "params": {"kernel": put(counter.array("float32", (8, 8)), "x", "y"), "layers": [counter.array("bfloat16", (3, 5)), {"bias": put(counter.array("float16", (16,)), ("x", "y"))}]},
        "opt": (Moments(counter.array("float32", (4,)), counter.array("float64", (2, 2))), {"count": 3}, ()),
        "empty": {"none": None, "dict": {}, "list": []}, "rate": 0.5, "flag": counter.array("bool", (3,)), "0": [1, 2.5]}
    if rich_leaves:
        value["text"] = "words \u2192"
    return value


def run(name, folder, make):
    """Makes one checkpoint; those that Orbax itself refuses are told and left out."""
    for old in [folder / name, folder / f"{name}.manager"]:
        shutil.rmtree(old, ignore_errors=True)
    case = Case(folder, name)
    try:
        make(case)
    except Exception as e:  # Orbax raises of any kind.
        print(f"{name}: Orbax refuses it: {type(e).__name__}: {str(e)[:160]}")
        shutil.rmtree(folder / name, ignore_errors=True)
        return False
    case.write()
    return True


def goldens():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    rng = random.Random(0)
    cases = {
        "v0_ocdbt_zarr2": lambda c: version0(c, random.Random(3), nested(Counter(1)), True, False),
        "v0_ocdbt_zarr3": lambda c: version0(c, random.Random(4), nested(Counter(2)), True, True, rich=True),
        "v0_files_zarr2": lambda c: version0(c, random.Random(5), {"a": nested(Counter(3))["params"], "t": "text"}, False, False),
        "v0_files_zarr3": lambda c: version0(c, random.Random(6), {"a": nested(Counter(3))["params"], "n": 7}, False, True),
        "dtypes": lambda c: version0(c, random.Random(9), every_dtype(Counter(4)), True, True),
        "standard": lambda c: standard(c, rng, nested(Counter(5), False)),
        "managed": lambda c: managed(c, rng, {"w": Counter(6).array("float32", (3, 4))}, True, False),
        "v1": lambda c: version1(c, random.Random(2), {"w": jnp.asarray(Counter(7).array("float32", (8, 6))), "key": jax.random.key(3), "t": ("x", 2)}, True, True),
        "v1_items": lambda c: version1(c, random.Random(2), {"w": Counter(8).array("int4", (4,))}, False, False, items=True),
        "recoded_zarr2": lambda c: recoded(c, random.Random(12), recodable(9, 12), True, False),
        "recoded_zarr3": lambda c: recoded(c, random.Random(13), recodable(10, 16), True, True),
        "renoded": lambda c: renoded(c, random.Random(5), {"a": nested(Counter(12)), "b": Counter(13).array("float32", (40,))}, False, "numbered"),
        "packed": lambda c: packed(c, rng, {"w": jnp.asarray(Counter(14).array("float32", (3, 4))), "l": [jnp.asarray(Counter(15).array("int32", (2,)))]}),
        "processes": lambda c: processes(c, True),
    }
    assert all(run(name, OUT, make) for name, make in cases.items())
    drop_times(OUT)
    files = [path for path in OUT.rglob("*") if path.is_file()]
    print(f"{len(cases)} checkpoints, {len(files)} files, {sum(path.stat().st_size for path in files)} bytes")


def recodable(seed, count):
    """Arrays that are compressible and large enough for blocks of several streams."""
    counter, value = Counter(seed), {}
    for i, dtype in zip(range(count), ["float32", "int16", "float64", "uint8", "complex64", "bfloat16", "int64"] * 4):
        shape = [(24, 40), (7, 9), (3, 4, 5), (130,), ()][i % 5]
        value[f"{i}_{dtype}"] = np.ascontiguousarray(np.resize(counter.array(dtype, (11,)), shape))
    return value


def drop_times(folder):
    """Times of saves are not the same twice; marks of a finished save, for stores that cannot rename, name the folder."""
    for path in folder.rglob("commit_success.txt"):
        path.unlink()
    for path in folder.rglob("_CHECKPOINT_METADATA"):
        value = json.loads(path.read_text())
        value.update(init_timestamp_nsecs=1, commit_timestamp_nsecs=2)
        path.write_text(json.dumps(value))


def many(folder, count):
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    for seed in range(10 * count):
        if made == count:
            break
        rng, counter = random.Random(seed), Counter(100 + seed)
        ocdbt, zarr3 = rng.random() < 0.5, rng.random() < 0.5
        kind = rng.choice(["v0", "v0", "v0rich", "v1", "v1", "v1items", "standard", "managed", "recoded", "renoded"])
        version = "standard" if kind == "standard" else "v1" if kind.startswith("v1") else "v0"
        make = {
            "v0": lambda c: version0(c, rng, tree(rng, counter, version), ocdbt, zarr3),
            "v0rich": lambda c: version0(c, rng, tree(rng, counter, version), ocdbt, zarr3, rich=True),
            "v1": lambda c: version1(c, rng, tree(rng, counter, version), ocdbt, zarr3),
            "v1items": lambda c: version1(c, rng, tree(rng, counter, version), ocdbt, zarr3, items=True),
            "standard": lambda c: standard(c, rng, tree(rng, counter, version)),
            "managed": lambda c: managed(c, rng, tree(rng, counter, version), ocdbt, zarr3),
            "renoded": lambda c: renoded(c, rng, {"a": tree(rng, counter, version), "b": [tree(rng, counter, version) for _ in range(9)]}, zarr3, rng.choice(["single", "numbered"])),
            "recoded": lambda c: recoded(c, rng, recodable(200 + seed, 20), ocdbt, zarr3),
        }[kind]
        made += run(f"{seed:04}_{kind}_{'ocdbt' if ocdbt else 'files'}_{'zarr3' if zarr3 else 'zarr2'}", folder, make)
        if made % 50 == 49:
            made += run(f"{seed:04}_processes", folder, lambda c: processes(c, zarr3))
    print(f"{made} checkpoints in {folder}")


class Differs(Exception):
    pass


def same(node, value, path, item, tensors):
    """Compares a value that Orbax restored with its NODE, in type and in each bit."""
    expect = lambda holds, what: None if holds else (_ for _ in ()).throw(Differs(f"{item}:{'.'.join(path)}: {what}"))
    [(kind, child)] = node.items()
    if kind == "none":
        return expect(value is None, f"{value!r} for None")
    if kind in ("dict", "named"):
        fields = value if kind == "dict" else value._asdict() if hasattr(value, "_asdict") else None
        expect(isinstance(fields, dict) and set(fields) == set(child), f"{value!r} for a node with {sorted(child)}")
        return [same(node, fields[key], [*path, key], item, tensors) for key, node in child.items()]
    if kind in ("list", "tuple"):
        expect(type(value) is (list if kind == "list" else tuple) and len(value) == len(child), f"{value!r} for a {kind} of {len(child)}")
        return [same(node, value[i], [*path, str(i)], item, tensors) for i, node in enumerate(child)]
    expect(child["name"] == ".".join(path) or not path, f"the name {child['name']}")
    if child["kind"] == "Text":
        return expect(value == child["text"], f"{value!r} for {child['text']!r}")
    if child["kind"] == "Array":
        expect(isinstance(value, jax.Array), f"{type(value)} for a jax.Array")
        expect(sharding_text(value) == child.get("sharding"), f"{value.sharding}")
        typed = jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
        expect((str(jax.random.key_impl(value)) if typed else None) == child.get("generator"), f"{value.dtype}")
        value = jax.random.key_data(value) if typed else value
    elif child["kind"] == "Numpy":
        expect(isinstance(value, np.ndarray), f"{type(value)} for a np.ndarray")
    else:
        expect(isinstance(value, (int, float)), f"{type(value)} for a number")
        value = np.asarray(value, NAMES[child["dtype"]])
    same_bits(child, value, item, tensors)


NAMES = {ours: theirs for theirs, ours in DTYPES.items()}


def same_bits(leaf, value, item, tensors):
    x, name = np.asarray(value), f"{item}:{leaf['name']}"
    if (DTYPES[x.dtype.name], list(x.shape)) != (leaf["dtype"], leaf["shape"]):
        raise Differs(f"{name}: {x.dtype}{x.shape} for {leaf['dtype']}{leaf['shape']}")
    if raw(x).tobytes() != tensors[name].tobytes():
        raise Differs(f"{name}: other bits")


def restored(path, kind):
    """The items that Orbax restores without a target."""
    if kind == "v0":
        rich = '"value_metadata_tree"' in (path / "_METADATA").read_text()
        options = pytree_metadata_options.PyTreeMetadataOptions(support_rich_types=rich)
        with ocp.Checkpointer(ocp.PyTreeCheckpointHandler(pytree_metadata_options=options)) as checkpointer:
            return {"": checkpointer.restore(path)}
    if kind == "standard":
        with ocp.StandardCheckpointer() as checkpointer:
            return {"": checkpointer.restore(path)}
    if kind == "v1":
        items = ocp1.load_checkpointables(path)
        same_again = ocp1.load_pytree(path)
        assert jax.tree.structure(same_again) == jax.tree.structure(items["state"])
        return items
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "5").symlink_to(path)
        handlers = {"state": ocp.PyTreeCheckpointHandler(), "meta": ocp.JsonCheckpointHandler(), "rng": ocp.JaxRandomKeyCheckpointHandler()}
        with ocp.CheckpointManager(folder, item_names=tuple(handlers), item_handlers=handlers) as manager:
            assert manager.latest_step() == 5
            items = dict(manager.restore(5, args=ocp.args.Composite(
                state=ocp.args.PyTreeRestore(), meta=ocp.args.JsonRestore(), rng=ocp.args.JaxRandomKeyRestore())).items())
    key = items.pop("rng")
    return {**items, "rng/jax_random_key": {"checkpoint": jax.random.key_data(key)}, "rng/jax_random_key_metadata": {"typed": jnp.issubdtype(key.dtype, jax.dtypes.prng_key)}}


def node_leaves(node):
    [(kind, child)] = node.items()
    if kind == "leaf":
        return [child]
    return [leaf for below in (child.values() if isinstance(child, dict) else child if isinstance(child, list) else []) for leaf in node_leaves(below)]


def by_tensorstore(folder, node, item, tensors):
    """Reads the arrays of an item by TensorStore alone, which finds everything else in their descriptions; gives their number."""
    described = json.loads((folder / "_METADATA").read_text())
    base, arrays = {"driver": "file", "path": f"{folder}/"}, [leaf for leaf in node_leaves(node) if "dtype" in leaf]
    for leaf in arrays:
        below = f"{leaf['name']}/" if leaf["name"] else ""
        kvstore = {"driver": "ocdbt", "base": base, "path": below} if described["use_ocdbt"] else {"driver": "file", "path": f"{folder}/{below}"}
        spec = {"driver": "zarr3" if described["use_zarr3"] else "zarr", "kvstore": kvstore, "fill_missing_data_reads": not described["store_array_data_equal_to_fill_value"]}
        same_bits(leaf, ts.open(spec, open=True, read=True).result().read().result(), item, tensors)
    if arrays and described["use_ocdbt"]:
        # The databases of the processes have the keys of the database of all.
        keys = lambda path: ts.KvStore.open({"driver": "ocdbt", "base": {"driver": "file", "path": f"{path}/"}}).result().list().result()
        parts = [key for path in folder.glob("ocdbt.process_*") if (path / "manifest.ocdbt").exists() for key in keys(path)]
        if sorted(parts) != sorted(keys(folder)) or len(set(parts)) != len(parts):
            raise Differs(f"{item}: the databases of the processes have other keys")
    return len(arrays)


def same_chunks(folder, tree, format):
    """Compares the chunks of the item's `jax.Array`s with those that Orbax would choose for their shards."""
    leaves = {leaf["name"]: leaf for leaf in node_leaves(tree)}
    for path in folder.glob("array_metadatas/process_*"):
        for row in (row["array_metadata"] for row in json.loads(path.read_text())["array_metadatas"]):
            leaf, shard = leaves[row["param_name"]], tuple(row["write_shape"])
            dtype = jnp.dtype(NAMES[leaf["dtype"]])
            size = tensorstore_utils.calculate_chunk_byte_size(
                shard, dtype, chunk_byte_size=format["chunk_bytes"], ocdbt_target_data_file_size=format["data_file_bytes"] if format["ocdbt"] else None)
            chosen = list(subchunking.choose_chunk_shape(tuple(leaf["shape"]), shard, dtype, size))
            if row["chunk_shape"] != chosen:
                raise Differs(f"{leaf['name']}: chunks {row['chunk_shape']}, Orbax's are {chosen}")


def check(folder):
    """Restores the checkpoints of a folder, and compares them with the descriptions beside them."""
    good, arrays, failed = 0, 0, []
    for beside in sorted(folder.glob("*.json")):
        truth, path = json.loads(beside.read_text()), beside.with_suffix("")
        tensors = load_file(beside.with_suffix(".safetensors")) if beside.with_suffix(".safetensors").exists() else {}
        try:
            items = restored(path, truth["format"]["kind"])
            if set(items) != set(truth["items"]):
                raise Differs(f"the items {sorted(items)} for {sorted(truth['items'])}")
            for item, expected in truth["items"].items():
                if "json" in expected:
                    if items[item] != expected["json"]:
                        raise Differs(f"{item}: {items[item]} for {expected['json']}")
                    continue
                same(expected["tree"], items[item], [], item, tensors)
                if item in ("", "state"):
                    same_chunks(path / item, expected["tree"], truth["format"])
                arrays += by_tensorstore(path / item, expected["tree"], item, tensors)
            good += 1
        except Exception as e:  # Orbax and TensorStore raise of any kind.
            failed.append(beside.stem)
            print(f"{beside.stem}: {type(e).__name__}: {str(e)[:400]}")
    print(f"{good} of {good + len(failed)} checkpoints, {arrays} arrays bit for bit")
    sys.exit(1 if failed or not good else 0)


# Types of tensors that Orbax's arrays lack: their bytes are saved.
LACKING = {"u2", "u4", "f6e2m3fn", "f6e3m2fn", "f8e4m3", "f8e8m0fnu"}


def named(tree, path=()):
    """The leaves of dictionaries, by their keys with slashes between them."""
    if not isinstance(tree, dict):
        return {"/".join(path): tree}
    return {name: leaf for key, below in tree.items() for name, leaf in named(below, (*path, key)).items()}


def boxes(shape, shard):
    """The boxes of a grid, row by row."""
    starts = [range(0, extent, max(part, 1)) if extent > part else [0] for extent, part in zip(shape, shard)]
    return [tuple(slice(at, at + part) for at, part in zip(place, shard)) for place in itertools.product(*starts)]


def of_item(manifest, item):
    """The records of the tensors of an item."""
    return [record for record in manifest["tensors"] if record.get("item", "state") == item]


def same_tensors(manifest, item, found, reader):
    """Compares the values that a reader gave with the types and the checksums of a manifest; gives their number."""
    from blake3 import blake3

    records = of_item(manifest, item)
    if set(found) != {record["name"] for record in records}:
        raise Differs(f"{reader}: the tensors {sorted(found)}")
    for record in records:
        value, dtype = found[record["name"]], "u8" if record["dtype"] in LACKING else record["dtype"]
        if not isinstance(value, (np.ndarray, jax.Array)) or (DTYPES[value.dtype.name], list(value.shape)) != (dtype, record["shape"]):
            raise Differs(f"{reader}: {record['name']} is {type(value)} {getattr(value, 'dtype', '')}{getattr(value, 'shape', '')}")
        value = np.asarray(value)
        sums = record["blake3"] if "shard" in record else [record["blake3"]]
        places = boxes(record["shape"], record.get("shard", record["shape"]))
        if [blake3(raw(np.ascontiguousarray(value[place])).tobytes()).hexdigest() for place in places] != sums:
            raise Differs(f"{reader}: {record['name']} has other bits")
    return len(found)


def run_folder(folder):
    """Restores the checkpoints of a run without a target: by Orbax's manager, by its checkpointers and by TensorStore alone."""
    paths = sorted(folder.glob("step_*"))
    manifests = {int(path.name.removeprefix("step_")): json.loads((path / "jarrah" / "metadata").read_text()) for path in paths}
    loss = lambda metrics: metrics.get("val_loss", float("inf"))
    options = ocp.CheckpointManagerOptions(step_prefix="step", step_format_fixed_length=8, read_only=True, best_fn=loss, best_mode="min")
    handlers = {"state": ocp.PyTreeCheckpointHandler(), "more": ocp.PyTreeCheckpointHandler(), "data": ocp.JsonCheckpointHandler(), "jarrah": ocp.JsonCheckpointHandler()}
    arrays, good, failed = 0, 0, []
    with ocp.CheckpointManager(folder, options=options, item_names=tuple(handlers), item_handlers=handlers) as manager:
        assert list(manager.all_steps()) == sorted(manifests) and manager.latest_step() == max(manifests), manager.all_steps()
        losses = {step: manifest["state"]["metrics"].get("val_loss") for step, manifest in manifests.items()}
        losses = {step: loss for step, loss in losses.items() if isinstance(loss, (int, float))}
        assert not losses or losses[manager.best_step()] == min(losses.values()), f"the best step is {manager.best_step()}"
        for path, (step, manifest) in zip(paths, sorted(manifests.items())):
            try:
                trees = sorted({record.get("item", "state") for record in manifest["tensors"]})
                texts = [item["name"] for item in manifest["items"] if item["is_json"] and "processes" not in item]
                apart = [path / item["name"] / "process_0-of-1.json" for item in manifest["items"] if "processes" in item]
                if any(json.loads(file.read_text()) != {"step": step} for file in apart):
                    raise Differs("the JSON of a process")
                asked = {item: ocp.args.PyTreeRestore() for item in trees} | {item: ocp.args.JsonRestore() for item in [*texts, "jarrah"]}
                items = manager.restore(step, args=ocp.args.Composite(**asked))
                if items["jarrah"] != manifest or any(items[item] != {"step": step} for item in texts):
                    raise Differs(f"the item jarrah is {items['jarrah']}")
                for item in trees:
                    arrays += same_tensors(manifest, item, named(items[item]), "CheckpointManager")
                    for reader in [ocp.StandardCheckpointer, ocp.PyTreeCheckpointer]:
                        with reader() as checkpointer:
                            same_tensors(manifest, item, named(checkpointer.restore(path / item)), reader.__name__)
                    base = {"driver": "file", "path": f"{path / item}/"}
                    key = lambda record: {"driver": "ocdbt", "base": base, "path": record["name"].replace("/", ".") + "/"}
                    read = lambda record: ts.open({"driver": "zarr", "kvstore": key(record), "fill_missing_data_reads": False}, open=True, read=True).result().read().result()
                    same_tensors(manifest, item, {record["name"]: np.asarray(read(record)) for record in of_item(manifest, item)}, "TensorStore")
                good += 1
            except Exception as e:  # Orbax and TensorStore raise of any kind.
                failed.append(step)
                print(f"step {step}: {type(e).__name__}: {str(e)[:400]}")
    print(f"{good} of {len(paths)} checkpoints, {arrays} arrays bit for bit by each of four readers")
    sys.exit(1 if failed or not good else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["process"]:
        process(sys.argv[2], sys.argv[3] == "1")
    elif sys.argv[1:2] == ["run"]:
        run_folder(pathlib.Path(sys.argv[2]).resolve())
    elif sys.argv[1:2] == ["check"]:
        check(pathlib.Path(sys.argv[2]).resolve())
    elif len(sys.argv) > 1:
        many(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
    else:
        goldens()
