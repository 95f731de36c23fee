"""Random pipelines of Grain, with the elements that they deliver.

    python oracle/grain_order.py                 # a sample: crates/data/tests/golden/grain.json
    python oracle/grain_order.py FILE [COUNT]    # COUNT (500) pipelines
    JARRAH_PIPELINES=FILE cargo test -p jarrah-data grain

The file is `{"pipelines": [{"stages": STAGE, "elements": [VALUE..], "ended": bool}..], "draws": [..], "shuffles": [..]}`. A STAGE is
`{"op": name, "of": STAGE or [STAGE..], arguments}`; its meaning is that of `build` below. A VALUE is an integer, `"f:HEX"` for the bits of a double, or a
list. `elements` are the first ones; `ended` says whether there are no more. `draws` are sequences of draws of NumPy's generators, `shuffles`
single values of Grain's index shuffle.

Stages, sizes, seeds, epochs, shards and workers are drawn.

Needs grain==0.2.18 and numpy==2.4.6.
"""

import itertools
import json
import math
import os
import pathlib
import random
import select
import signal
import struct
import sys
import time

import grain
import numpy as np
from grain._src.core import transforms
from grain._src.python.dataset.transformations import flatmap, interleave, packing, packing_concat_then_split, zip as zip_ds
from grain._src.python.dataset.transformations import cache as cache_ds, limit as limit_ds, repeat as repeat_ds
from grain._src.python.experimental.index_shuffle.python import index_shuffle_module

OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "data" / "tests" / "golden" / "grain.json"
PRIME = 1_000_003


def first(value):
    while isinstance(value, (list, tuple)):
        value = value[0] if value else 0
    return value if isinstance(value, int) else math.floor(value * 1000)


def leaves(value, f):
    return [leaves(v, f) for v in value] if isinstance(value, (list, tuple)) else f(value)


def mapped(mul, add):
    def leaf(x):
        return (x * mul + add) % PRIME if isinstance(x, int) else x * mul + add

    return lambda value: leaves(value, leaf)


class Map(grain.transforms.Map):
    def __init__(self, mul, add):
        self.args = (mul, add)

    def map(self, value):
        return mapped(*self.args)(value)


class Indexed(grain.transforms.MapWithIndex):
    def map_with_index(self, index, value):
        return [index, value]


class Draw(grain.transforms.RandomMap):
    def __init__(self, kind):
        self.kind = kind

    def random_map(self, value, rng):
        x = first(value)
        match self.kind:
            case "integers":
                return x + int(rng.integers(0, 1 << 20))
            case "wide":
                return int(rng.integers(-(1 << 40), 1 << 40))
            case "random":
                return float(rng.random())
            case "normal":
                return float(rng.normal(1.0, 2.0))
            case "uniform":
                return float(rng.uniform(-1.0, 3.0))
            case "exponential":
                return float(rng.exponential(2.0))
            case "permutation":
                return rng.permutation(5).tolist()
            case "choice":
                return int(rng.choice(100))
            case "weighted":
                return int(rng.choice(3, p=[0.25, 0.25, 0.5]))
            case "distinct":
                return rng.choice(30, size=4, replace=False).tolist()
            case "several":
                return [int(rng.integers(0, 7)), float(rng.random()), int(rng.integers(0, 7)), float(rng.standard_normal()), x]


KINDS = ["integers", "wide", "random", "normal", "uniform", "exponential", "permutation", "choice", "weighted", "distinct", "several"]


class Keep(grain.transforms.Filter):
    def __init__(self, mod, drop):
        self.args = (mod, drop)

    def filter(self, value):
        mod, drop = self.args
        return first(value) % mod != drop


class Fan(transforms.FlatMap):
    def __init__(self, fan):
        self.max_fan_out = fan

    def flat_map(self, value):
        return [[j, value] for j in range(first(value) % (self.max_fan_out + 1))]


class Features(grain.transforms.Map):
    """A dictionary of sequences, whose lengths are given by those of `most` and by the value."""

    def __init__(self, most):
        self.most = most

    def map(self, value):
        x = first(value) % 1000
        return {k: np.arange(x, x + 1 + (x * 7 + 3 * i) % most, dtype=np.int32) for i, (k, most) in enumerate(sorted(self.most.items()))}


class Listed(grain.transforms.Map):
    def map(self, row):
        return [row[key].tolist() for key in sorted(row)]


def window(ds, size, seed):
    if isinstance(ds, grain.MapDataset):
        return grain.experimental.WindowShuffleMapDataset(ds, window_size=size, seed=seed)
    return grain.experimental.WindowShuffleIterDataset(ds, window_size=size, seed=seed)


def build(s):
    """The dataset of a stage."""
    of = s.get("of")
    parents = [build(p) for p in of] if isinstance(of, list) else None
    ds = build(of) if isinstance(of, dict) else None
    match s["op"]:
        case "range":
            return grain.MapDataset.range(s["start"], s["stop"], s["step"])
        case "concatenate":
            return grain.MapDataset.concatenate(parents)
        case "mix":
            kind = grain.MapDataset if isinstance(parents[0], grain.MapDataset) else grain.IterDataset
            return kind.mix(parents, s["weights"])
        case "zip":
            if isinstance(parents[0], grain.MapDataset):
                return zip_ds.ZipMapDataset(parents).map(list)
            return zip_ds.ZipIterDataset(parents, strict=False).map(list)
        case "interleave":
            return interleave.InterleaveIterDataset(parents, cycle_length=s["cycle"])
        case "map":
            return ds.map(Map(s["mul"], s["add"]))
        case "map_with_index":
            return ds.map_with_index(Indexed()) if isinstance(ds, grain.MapDataset) else map_with_index(ds)
        case "random_map":
            return ds.random_map(Draw(s["kind"]), seed=s["seed"])
        case "filter":
            return ds.filter(Keep(s["mod"], s["drop"]))
        case "flat_map":
            kind = flatmap.FlatMapMapDataset if isinstance(ds, grain.MapDataset) else flatmap.FlatMapIterDataset
            return kind(ds, Fan(s["fan"]))
        case "batch":
            return ds.batch(s["size"], drop_remainder=s["drop"], batch_fn=list)
        case "shuffle":
            return ds.shuffle(seed=s["seed"])
        case "window_shuffle":
            return window(ds, s["size"], s["seed"])
        case "slice":
            return ds[s["start"] : s["stop"] : s["step"]]
        case "repeat":
            if isinstance(ds, grain.MapDataset):
                return ds.repeat(s["epochs"], reseed_each_epoch=s["reseed"])
            return repeat_ds.RepeatIterDataset(ds, s["epochs"])
        case "seed":
            return ds.seed(s["seed"])
        case "to_iter":
            return ds.to_iter_dataset(grain.ReadOptions(num_threads=2, prefetch_buffer_size=8))
        case "limit":
            return limit_ds.LimitIterDataset(ds, s["count"])
        case "cache":
            return cache_ds.CacheIterDataset(ds)
        case "lanes":
            # By threads, in the order of as many processes.
            return grain.experimental.multithread_prefetch(ds, num_threads=s["count"], buffer_size=2)
        case "loader":
            return loader(s)
        case "pack":
            kind = grain.experimental.FirstFitPackIterDataset if s["first"] else packing.BestFitPackIterDataset
            packed = kind(
                ds.map(Features(s["features"])), length_struct=s["lengths"], num_packing_bins=s["bins"], seed=s["seed"] or 0,
                shuffle_bins=s["seed"] is not None, pack_alignment_struct=s["alignment"], padding_struct=s["padding"],
                max_sequences_per_bin=s["max"], meta_features=s["meta"],
            )  # fmt: skip
            return packed.map(Listed())
        case "split":
            bos = {"bos_handling": packing_concat_then_split.BOSHandling.REPLACE_FIRST_TOKEN_WITH_BOS, "bos_features": ["a"], "bos_token_id": s["bos"]}
            split = packing_concat_then_split.ConcatThenSplitIterDataset(
                ds.map(Features(s["features"])), length_struct=s["lengths"], meta_features=s["meta"], split_full_length_features=s["full"],
                **(bos if s["bos"] is not None else {}),
            )  # fmt: skip
            return split.map(Listed())
    raise ValueError(s)


def map_with_index(ds):
    from grain._src.python.dataset.transformations import map as map_ds

    return map_ds.MapWithIndexIterDataset(ds, Indexed())


def loader(s):
    shard = grain.sharding.ShardOptions(s["shard"], s["shards"], drop_remainder=s["drop"])
    sampler = grain.samplers.IndexSampler(s["records"], shard, shuffle=s["shuffle"], num_epochs=s["epochs"], seed=s["seed"])
    operations = []
    if s["draw"]:
        operations.append(Draw(s["draw"]))
    if s["keep"]:
        operations.append(Keep(*s["keep"]))
    operations.append(grain.transforms.Batch(s["batch"], drop_remainder=s["batch_drop"], batch_fn=list))
    source = grain.sources.RangeDataSource(100, 100 + s["records"], 1)
    return grain.DataLoader(
        data_source=source, sampler=sampler, operations=operations, worker_count=0, read_options=grain.ReadOptions(num_threads=0, prefetch_buffer_size=0)
    )


class Drawing:
    """Draws stages; what is drawn for a dataset by index is sound for Grain."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def seed(self, seeded):
        return None if seeded and self.r.random() < 0.6 else self.r.choice([self.r.randrange(10), self.r.randrange(1 << 32)])

    def range(self):
        start, step = self.r.randrange(-50, 50), self.r.choice([1, 1, 1, 2, 3, -1])
        count = self.r.choice([self.r.randrange(1, 12), self.r.randrange(1, 60), self.r.randrange(200, 3000), self.r.randrange(65_000, 300_000)])
        return {"op": "range", "start": start, "stop": start + step * count, "step": step}

    def source(self, depth):
        """A stage, whether a filter may drop its elements, and whether it has a seed."""
        if depth == 0 or self.r.random() < 0.6:
            return self.range(), False, False
        parts = [self.by_index(depth - 1) for _ in range(self.r.randrange(1, 4))]
        of, sparse, seeded = [p[0] for p in parts], any(p[1] for p in parts), any(p[2] for p in parts)
        lengths = [len(build(p)) for p in of]
        kinds = ["mix", "mix"] if max(lengths) >= sys.maxsize else ["mix", "concatenate"]
        if not sparse:
            kinds.append("zip")
        match self.r.choice(kinds):
            case "mix":
                weights = None if self.r.random() < 0.4 else [round(self.r.uniform(0.05, 1), 2) for _ in of]
                return {"op": "mix", "of": of, "weights": weights}, sparse, seeded
            case "concatenate":
                return {"op": "concatenate", "of": of}, sparse, seeded
            case "zip":
                # Of equal lengths by slices.
                short = min(lengths)
                of = [{"op": "slice", "of": p, "start": None, "stop": short, "step": 1} for p in of]
                return {"op": "zip", "of": of}, sparse, seeded

    def common(self, ds, seeded):
        match self.r.choice(["map", "map", "random_map", "flat_map", "filter", "window_shuffle", "seed"]):
            case "map":
                return {"op": "map", "of": ds, "mul": self.r.randrange(1, 50), "add": self.r.randrange(50)}
            case "random_map":
                return {"op": "random_map", "of": ds, "kind": self.r.choice(KINDS), "seed": self.seed(seeded)}
            case "flat_map":
                return {"op": "flat_map", "of": ds, "fan": self.r.randrange(1, 4)}
            case "filter":
                mod = self.r.randrange(2, 6)
                return {"op": "filter", "of": ds, "mod": mod, "drop": self.r.randrange(mod)}
            case "window_shuffle":
                return {"op": "window_shuffle", "of": ds, "size": self.r.choice([1, 2, 7, 16, 100]), "seed": self.r.randrange(1 << 31)}
            case "seed":
                return {"op": "seed", "of": ds, "seed": self.r.randrange(1 << 40)}

    def by_index(self, depth):
        ds, sparse, seeded = self.source(depth)
        for _ in range(self.r.randrange(0, 5)):
            length = len(build(ds))
            match self.r.choice(["common", "common", "shuffle", "shuffle", "map_with_index", "slice", "repeat", "batch"]):
                case "common":
                    ds = self.common(ds, seeded)
                    sparse |= ds["op"] in ("filter", "flat_map")
                    seeded |= ds["op"] == "seed"
                # Batches of endless data have a length that Grain rounds as a float, by which a shuffle behind them would go.
                case "shuffle" if length < sys.maxsize // 16:
                    ds = {"op": "shuffle", "of": ds, "seed": self.seed(seeded)}
                case "map_with_index":
                    ds = {"op": "map_with_index", "of": ds}
                case "slice":
                    step = self.r.choice([1, 2, 3, 4])
                    bounds = [self.r.randrange(step), None, step]
                    if self.r.random() < 0.4 and length < sys.maxsize:
                        bounds = [self.r.choice([None, self.r.randrange(-length, length)]) for _ in range(2)] + [self.r.choice([-3, -1, 1, 2])]
                    sliced = dict(zip(("start", "stop", "step"), bounds), op="slice", of=ds)
                    if len(build(sliced)) > 0:
                        ds = sliced
                case "repeat" if length < sys.maxsize:
                    ds = {"op": "repeat", "of": ds, "epochs": self.r.choice([None, 1, 2, 3]), "reseed": self.r.random() < 0.7}
                case "batch" if not sparse:
                    batch = {"op": "batch", "of": ds, "size": self.r.randrange(2, 6), "drop": self.r.random() < 0.3}
                    if len(build(batch)) > 0:
                        ds = batch
        return ds, sparse, seeded

    def in_turn(self, depth):
        if depth == 0 or self.r.random() < 0.75:
            ds, _, seeded = self.by_index(self.r.randrange(3))
            ds = {"op": "to_iter", "of": ds}
        else:
            parts = [self.in_turn(depth - 1) for _ in range(self.r.randrange(1, 5))]
            of, seeded = [p[0] for p in parts], any(p[1] for p in parts)
            match self.r.choice(["mix", "zip", "interleave"]):
                case "mix":
                    ds = {"op": "mix", "of": of, "weights": self.r.choice([None, [round(self.r.uniform(0.05, 1), 2) for _ in of]])}
                case "zip":
                    ds = {"op": "zip", "of": of}
                case "interleave":
                    ds, seeded = {"op": "interleave", "of": of, "cycle": self.r.randrange(1, 5)}, False
        for _ in range(self.r.randrange(0, 4)):
            match self.r.choice(["common", "common", "common", "map_with_index", "batch", "limit", "repeat", "cache"]):
                case "common":
                    ds = self.common(ds, seeded)
                    seeded |= ds["op"] == "seed"
                case "map_with_index":
                    ds = {"op": "map_with_index", "of": ds}
                case "batch":
                    ds = {"op": "batch", "of": ds, "size": self.r.randrange(1, 6), "drop": self.r.random() < 0.3}
                case "limit":
                    ds = {"op": "limit", "of": ds, "count": self.r.randrange(1, 60)}
                case "repeat":
                    ds = {"op": "repeat", "of": ds, "epochs": self.r.randrange(1, 4), "reseed": False}
                case "cache":
                    ds = {"op": "cache", "of": ds}
        return ds, seeded

    def loader(self):
        shards = self.r.randrange(1, 5)
        shuffle = self.r.random() < 0.7
        draw = self.r.choice([None] + KINDS)
        return {
            "op": "loader", "records": self.r.choice([self.r.randrange(shards, 40), self.r.randrange(200, 3000)]), "shard": self.r.randrange(shards),
            "shards": shards, "drop": self.r.random() < 0.5, "shuffle": shuffle, "epochs": self.r.choice([None, 1, 2, 3]),
            "seed": self.r.randrange(1 << 32) if shuffle or draw else None, "draw": draw, "keep": self.r.choice([None, [3, 1]]),
            "batch": self.r.randrange(1, 6), "batch_drop": self.r.random() < 0.4,
        }  # fmt: skip

    def packing(self):
        ds, _ = self.in_turn(0)
        names = ["a"] if self.r.random() < 0.5 else ["a", "b"]
        lengths = {k: self.r.randrange(3, 17) for k in names}
        meta = ["b"] if "b" in names and self.r.random() < 0.5 else []
        if self.r.random() < 0.6:
            # Sequences no longer than a row.
            features = {k: self.r.randrange(1, most + 1) for k, most in lengths.items()}
            return {
                "op": "pack", "of": ds, "features": features, "lengths": lengths, "first": self.r.random() < 0.5, "bins": self.r.randrange(1, 6),
                "seed": self.r.choice([None, 0, self.r.randrange(1 << 31)]), "max": self.r.choice([None, 2]), "meta": meta,
                "alignment": {k: self.r.randrange(1, 4) for k in names}, "padding": {k: self.r.randrange(-1, 2) for k in names},
            }  # fmt: skip
        # A second feature that is split is left out: of an element that is split twice Grain takes another part of it than it counts.
        names = names[: 1 + len(meta)]
        features = {"a": self.r.randrange(1, 30), "b": lengths.get("b", 1)}
        return {
            "op": "split", "of": ds, "features": {k: features[k] for k in names}, "lengths": {k: lengths[k] for k in names}, "meta": meta,
            "full": self.r.random() < 0.5, "bos": self.r.choice([None, 1]),
        }  # fmt: skip

    def lanes(self):
        while True:
            ds, _ = self.in_turn(0)
            if ds["op"] != "limit":
                return {"op": "lanes", "of": ds, "count": self.r.randrange(2, 4)}


def stored(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return [stored(v) for v in value]
    if isinstance(value, (int, np.integer)):
        return int(value)
    return "f:" + struct.pack(">d", float(value)).hex()


def delivered(stages, most):
    """The first elements of a pipeline, or nothing if it takes too long: by a process of its own, since threads of Grain may not end."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        elements = [stored(e) for e in itertools.islice(iter(build(stages)), most)]
        with os.fdopen(write, "w") as out:
            json.dump(elements, out)
        os._exit(0)
    os.close(write)
    text, deadline = b"", time.monotonic() + 5
    while select.select([read], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(read, 1 << 16)
        if not part:
            break
        text += part
    else:
        text = b""
    os.close(read)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def pipeline(number, most):
    """Pipeline `number`, or the next drawn one that ends in time."""
    for attempt in itertools.count():
        drawing = Drawing(f"{number}/{attempt}")
        if number % 8 == 3:
            stages = drawing.lanes()
        elif number % 8 == 5:
            stages = drawing.packing()
        elif number % 8 == 7:
            stages = drawing.loader()
        else:
            stages = drawing.in_turn(2)[0]
        elements = delivered(stages, most)
        if elements is not None and len(json.dumps(elements)) < 400 * most:
            return {"stages": stages, "elements": elements, "ended": len(elements) < most}


def draws():
    """Sequences of draws: of Philox and PCG64, with results as bits."""
    out = []
    for bits in ("Philox", "PCG64"):
        for seed in (0, 1, 42, 2**32 - 1, 2**32, 2**63):
            rng = np.random.Generator(getattr(np.random, bits)(seed))
            row = [int(v) for v in rng.integers(0, 10, 5)] + [int(rng.integers(-(2**63), 2**63 - 1)), int(rng.integers(5, 6)), int(rng.integers(0, 2**32))]
            row += [int(rng.integers(0, 2**33 + 5)) for _ in range(3)] + [int(rng.integers(0, 3_000_000_000)) for _ in range(3)]
            row += [stored(rng.random()), stored(rng.uniform(-2, 5)), stored(rng.normal(3, 0.5)), stored(rng.exponential(0.3)), stored(float(rng.random(dtype=np.float32)))]
            row += [stored(v) for v in rng.standard_normal(200)] + [stored(v) for v in rng.standard_exponential(200)]
            row += [rng.permutation(20).tolist(), rng.permuted(np.arange(9)).tolist(), rng.choice(20_000, 500, replace=False)[:40].tolist()]
            row += [rng.choice(50, 50, replace=False).tolist(), int(rng.choice(4, p=[0.1, 0.2, 0.3, 0.4])), int(rng.choice(9))]
            # A hash of many draws, whose tails are rare.
            many = np.concatenate([rng.standard_normal(100_000), rng.standard_exponential(100_000)])
            row.append(int(np.bitwise_xor.reduce(many.view(np.uint64) * np.arange(1, len(many) + 1, dtype=np.uint64))))
            out.append({"bits": bits, "seed": seed, "results": row})
    return out


def shuffles():
    r = random.Random(0)
    out = []
    for _ in range(300):
        n = r.choice([r.randrange(1, 40), 1 << r.randrange(1, 40), r.randrange(1, 1 << 20), r.randrange(1, 1 << 50), (1 << r.randrange(1, 15)) + 1])
        index, seed = r.randrange(n), r.randrange(1 << 32)
        out.append([n, index, seed, index_shuffle_module.index_shuffle(index, max_index=n - 1, seed=seed, rounds=4)])
    return out


def main():
    assert grain.__version__ == "0.2.18" if hasattr(grain, "__version__") else True
    out, count, most = OUT, 64, 24
    if len(sys.argv) > 1:
        out, count, most = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500, 200
    result = {"pipelines": [pipeline(i, most) for i in range(count)], "draws": draws(), "shuffles": shuffles()}
    out.parent.mkdir(parents=True, exist_ok=True)
    rows = ",\n".join(json.dumps(p, separators=(",", ":")) for p in result["pipelines"])
    rest = json.dumps({"draws": result["draws"], "shuffles": result["shuffles"]}, separators=(",", ":"))
    out.write_text('{"pipelines":[\n' + rows + "\n]," + rest[1:] + "\n")


if __name__ == "__main__":
    main()
