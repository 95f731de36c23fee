"""Files of records by the packages of their formats, and what these packages read of ours.

    python oracle/records.py                       # small files: crates/data/tests/golden/records/
    python oracle/records.py write FOLDER          # 20 files of each format, options varied, each with its records beside it
    JARRAH_RECORDS=FOLDER cargo test -p jarrah-data of_other_packages   # they are read, and 20 of each written to FOLDER/ours
    python oracle/records.py check FOLDER          # the packages read FOLDER/ours

A golden is the file under gzip, or a folder of such files, and `records.json` has the records of each. In a FOLDER, `NAME.records` has the records of the file `NAME`: the length of each
in 8 bytes, and its bytes; `list.json` has `{"name", "format", "options"}` of each file.

The Examples of TFDS have their features in an order that differs from run to run, so that these files differ in bytes, but not in what `records.json` says.

`examples.json` has Examples of TensorFlow, with the values of their features.

Needs array_record==0.8.6, bagz==0.3.8, tensorflow-cpu==2.21.0, zstandard==0.25.0, webdataset==1.0.2, pyarrow==26.0.1, pillow==13.0.0, tensorflow-datasets==4.9.10, datasets==5.2.0 and numpy==2.4.6.
"""

import gzip
import json
import os
import pathlib
import random
import shutil
import struct
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "data" / "tests" / "golden" / "records"


def drawn(rng, count, largest):
    """Records of many sizes: empty ones, some around the ends of varints, and some that compress."""
    records = []
    for _ in range(count):
        size = rng.choice([0, 1, 7, 127, 128, rng.randrange(1, 400), rng.randrange(1, largest)])
        if rng.random() < 0.5:
            records.append(rng.randbytes(size))
        else:
            word = rng.randbytes(rng.randrange(1, 20))
            records.append((word * (size // len(word) + 1))[:size])
    return records


class ArrayRecord:
    name = "array_record"
    small = [
        ("group_size:1,uncompressed", 5, 300),
        ("group_size:3,zstd:3", 10, 300),
        ("group_size:4,brotli:6", 10, 300),
        ("group_size:2,snappy", 7, 300),
        ("group_size:2,uncompressed", 3, 90_000),
        ("group_size:1,zstd", 0, 1),
    ]

    @staticmethod
    def options(rng):
        compression = rng.choice(
            ["uncompressed", "zstd", f"zstd:{rng.randrange(-5, 20)}", "brotli", f"brotli:{rng.randrange(0, 10)}", "snappy"]
        )
        parts = [f"group_size:{rng.choice([1, 1, 2, 7, 64, 1000])}", compression]
        if compression[0] in "zb" and rng.random() < 0.3:
            parts.append(f"window_log:{rng.randrange(10, 25)}")
        if rng.random() < 0.3:
            parts.append("pad_to_block_boundary:true")
        return ",".join(parts)

    @staticmethod
    def write(path, options, records):
        from array_record.python import array_record_module

        writer = array_record_module.ArrayRecordWriter(str(path), options)
        for record in records:
            writer.write(record)
        writer.close()

    @staticmethod
    def read(path, options):
        from array_record.python import array_record_module

        reader = array_record_module.ArrayRecordReader(str(path))
        every = reader.read_all() if reader.num_records() else []
        one_by_one = [reader.read([i])[0] for i in range(min(50, reader.num_records()))]
        assert one_by_one == every[:50], path
        assert reader.ok(), path
        if reader.num_records():
            written = reader.writer_options_string()
            assert f"group_size:{options.split('group_size:')[1].split(',')[0]}," in written, (options, written)
        return every


class Bagz:
    name = "bagz"
    small = [
        ("uncompressed,limits:tail", 9, 300),
        ("zstd:3,limits:tail", 9, 3000),
        ("zstd:3,limits:separate", 9, 300),
        ("uncompressed,limits:separate", 4, 300),
        ("uncompressed,limits:tail", 0, 1),
    ]

    @staticmethod
    def options(rng):
        compression = rng.choice(["uncompressed", "zstd:3", f"zstd:{rng.randrange(1, 20)}"])
        return f"{compression},limits:{rng.choice(['tail', 'separate'])}"

    @staticmethod
    def parsed(options):
        import bagz

        compression, limits = options.split(",")
        level = int(compression.split(":")[1]) if ":" in compression else 0
        return {
            "compression": bagz.CompressionZstd(level=level) if level else bagz.CompressionNone(),
            "limits_placement": bagz.LimitsPlacement.SEPARATE if "separate" in limits else bagz.LimitsPlacement.TAIL,
        }

    @staticmethod
    def write(path, options, records):
        import bagz

        with bagz.Writer(str(path), bagz.Writer.Options(**Bagz.parsed(options))) as writer:
            for record in records:
                writer.write(record)

    @staticmethod
    def read(path, options):
        import bagz

        reader = bagz.Reader(str(path), bagz.Reader.Options(**Bagz.parsed(options)))
        every = reader.read()
        assert [reader[i] for i in range(len(reader))] == every
        return every


class TfRecord:
    name = "tf_record"
    small = [("", 9, 3000), ("gzip", 9, 300), ("zlib", 9, 300), ("", 0, 1), ("gzip", 0, 1)]
    packages = {"": None, "gzip": "GZIP", "zlib": "ZLIB"}

    @staticmethod
    def options(rng):
        return rng.choice(["", "gzip", "zlib"])

    @staticmethod
    def write(path, options, records):
        import tensorflow as tf

        with tf.io.TFRecordWriter(str(path), TfRecord.packages[options]) as writer:
            for record in records:
                writer.write(record)

    @staticmethod
    def read(path, options):
        import tensorflow as tf

        return list(tf.data.TFRecordDataset(str(path), TfRecord.packages[options] or "").as_numpy_iterator())


class Lines:
    """Texts, which have no package: Python's own, and that of zstd."""

    name = "lines"
    small = [("", 9, 300), ("gzip", 9, 300), ("zstd", 9, 3000), ("zstd", 0, 1)]

    @staticmethod
    def options(rng):
        return rng.choice(["", "gzip", "zstd"])

    @staticmethod
    def write(path, options, records):
        import zstandard

        # Records are made lines, in place.
        records[:] = [record.hex().encode() for record in records]
        content = b"".join(record + b"\n" for record in records)
        if options == "zstd":
            half = len(content) // 2
            parts = [content[:half], content[half:]]
            content = b"".join(zstandard.ZstdCompressor(level=1 + 8 * i).compress(p) for i, p in enumerate(parts))
        path.write_bytes(gzip.compress(content, mtime=0) if options == "gzip" else content)

    @staticmethod
    def read(path, options):
        import zstandard

        content = path.read_bytes()
        if options == "zstd":
            content = zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True).read()
        return (gzip.decompress(content) if options == "gzip" else content).splitlines()


class Csv:
    """Rows by Python's csv; a record is a row as an object of JSON."""

    name = "csv"
    small = [("", 9, 60), ("delimiter:tab", 9, 60), ("delimiter:;", 5, 60)]

    @staticmethod
    def options(rng):
        return rng.choice(["", "delimiter:tab", "delimiter:;", "delimiter:|"])

    @staticmethod
    def arguments(options):
        delimiter = options.removeprefix("delimiter:") or ","
        return {"delimiter": "\t" if delimiter == "tab" else delimiter}

    @staticmethod
    def write(path, options, records):
        import csv

        rng = random.Random(len(records))
        columns = ["a", "b c", 'ü"', "x,y\n"][: rng.randrange(1, 5)]
        texts = ["", "1.5", "a,b", 'say "so"', "two\nlines", "\ttab;|", " ü ", "007"]
        rows = [[rng.choice(texts) for _ in columns] for _ in records]
        packed = {"separators": (",", ":"), "ensure_ascii": False}
        records[:] = [json.dumps(dict(zip(columns, row)), **packed).encode() for row in rows]
        with open(path, "w", newline="") as file:
            end = rng.choice(["\n", "\r\n"])
            writer = csv.writer(file, quoting=rng.choice([0, 1]), lineterminator=end, **Csv.arguments(options))
            writer.writerows([columns] + rows)

    @staticmethod
    def read(path, options):
        import csv

        with open(path, newline="") as file:
            rows = list(csv.DictReader(file, **Csv.arguments(options)))
        return [json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() for row in rows]


class WebDataset:
    """A record is a sample as an Example: a list of one string of bytes for each file."""

    name = "web_dataset"
    small = [("", 5, 300), ("", 2, 20)]

    @staticmethod
    def options(rng):
        return ""

    @staticmethod
    def encoded(sample):
        import tensorflow as tf

        feature = {
            name: tf.train.Feature(bytes_list=tf.train.BytesList(value=[value])) for name, value in sample.items()
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)

    @staticmethod
    def write(path, options, records):
        import webdataset

        rng = random.Random(len(records))
        samples = []
        for number, record in enumerate(records):
            folder = rng.choice(["", "cats/", "a/b.c/", "long" * 40 + "/"])
            ends = rng.sample(["txt", "jpg", "seg.png", "cls", "json"], rng.randrange(1, 6))
            sample = {end: record[i:] for i, end in enumerate(ends)}
            samples.append({"__key__": f"{folder}{number:06}", **sample})
        # A file is named by its text: the folder of `__url__` is not part of it.
        with open(path, "wb") as file, webdataset.TarWriter(file, encoder=False, mtime=0) as writer:
            for sample in samples:
                writer.write(sample)
        records[:] = [WebDataset.encoded({k: v.encode() if k == "__key__" else v for k, v in s.items()}) for s in samples]

    @staticmethod
    def read(path, options):
        import webdataset

        found = []
        for sample in webdataset.WebDataset(str(path), shardshuffle=False, empty_check=False):
            sample = {k: v for k, v in sample.items() if k == "__key__" or not k.startswith("__")}
            found.append(WebDataset.encoded({k: v.encode() if isinstance(v, str) else v for k, v in sample.items()}))
        return found


class Parquet:
    """Tables by pyarrow; a record is a row as an object of JSON."""

    name = "parquet"
    small = [("snappy", 9, 60), ("uncompressed,rows:4", 9, 60), ("brotli", 9, 60), ("lz4", 9, 60), ("snappy", 0, 1)]

    @staticmethod
    def options(rng):
        rows = rng.choice(["", ",rows:7", ",rows:300"])
        return rng.choice(["snappy", "uncompressed", "brotli", "lz4", "gzip"]) + rows

    @staticmethod
    def write(path, options, records):
        import base64
        import datetime

        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        rng = random.Random(len(records))
        single = lambda: float(str(np.float32(rng.gauss(0, 10))))
        kinds = {
            "int": (pa.int64(), lambda: rng.choice([0, -1, 2**63 - 1, rng.randrange(-300, 300)])),
            "small": (pa.int8(), lambda: rng.randrange(-128, 128)),
            "word": (pa.uint32(), lambda: rng.randrange(2**32)),
            "single": (pa.float32(), single),
            "double": (pa.float64(), lambda: rng.gauss(0, 1e9)),
            "truth": (pa.bool_(), lambda: rng.random() < 0.5),
            "text": (pa.string(), lambda: rng.choice(["", "so", "it goes", 'ü "x"', "a" * 300])),
            "bytes": (pa.binary(), lambda: b"\xff" + rng.randbytes(rng.randrange(0, 9))),
            "day": (pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(rng.randrange(-9999, 30000))),
            "list": (pa.list_(pa.int64()), lambda: [rng.randrange(9) for _ in range(rng.randrange(0, 4))]),
            "struct": (pa.struct([("x", pa.int64()), ("y", pa.string())]), lambda: {"x": rng.randrange(9), "y": "z"}),
            "lists": (pa.list_(pa.list_(pa.string())), lambda: [["a"] * rng.randrange(0, 3) for _ in range(rng.randrange(0, 3))]),
        }
        names = list(kinds) if rng.random() < 0.5 else rng.sample(list(kinds), rng.randrange(1, len(kinds)))
        columns = {n: [None if rng.random() < 0.2 else kinds[n][1]() for _ in records] for n in names}
        table = pa.table({n: pa.array(columns[n], kinds[n][0]) for n in names})
        compression, _, rows = options.partition(",rows:")
        arguments = {
            "compression": {"uncompressed": "none"}.get(compression, compression),
            "row_group_size": int(rows or 65536),
            "use_dictionary": rng.random() < 0.5,
            "data_page_version": rng.choice(["1.0", "2.0"]),
            "data_page_size": rng.choice([None, 200]),
            "version": rng.choice(["1.0", "2.6"]),
        }
        pq.write_table(table, str(path), **arguments)

        def plain(value):
            if isinstance(value, bytes):
                return base64.b64encode(value).decode()
            return str(value) if isinstance(value, datetime.date) else value

        rows = [{n: plain(columns[n][i]) for n in names} for i in range(len(records))]
        records[:] = [json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() for row in rows]

    @staticmethod
    def read(path, options):
        import base64
        import datetime

        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(str(path))
        singles = {field.name for field in table.schema if field.type == pa.float32()}

        def plain(name, value):
            if isinstance(value, bytes):
                return base64.b64encode(value).decode()
            if isinstance(value, datetime.date):
                return str(value)
            if name in singles and value is not None:
                return float(str(np.float32(value)))
            # Ours have lists and structs as texts of JSON.
            return json.loads(value) if isinstance(value, str) and value[:1] in ("[", "{") else value

        rows = [{name: plain(name, value) for name, value in row.items()} for row in table.to_pylist()]
        return [json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() for row in rows]


def plain(value):
    """A value of TensorFlow, NumPy or Arrow in JSON, as ours have it."""
    import base64

    import numpy as np

    match value:
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                return base64.b64encode(value).decode()
        case dict():
            return {name: plain(one) for name, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
        case np.ndarray():
            return plain(list(value)) if value.ndim else plain(value[()])
        case np.bool_():
            return bool(value)
        case np.integer():
            return int(value)
        case float() | np.float64() | np.float16():
            return float(value) if np.isfinite(value) else None
        case np.generic():
            return float(str(np.float32(value))) if np.isfinite(value) else None
    return value


class Tfds:
    """Folders by tensorflow_datasets; the options are the split to read, a record is the JSON of what TensorFlow decodes."""

    name = "tfds"
    small = [("train", 9, 60), ("train[20%:90%]", 9, 60), ("all", 9, 60)]

    @staticmethod
    def options(rng):
        slices = ["[:10%]", "[33%:66%]", "[3:]", "[-4:-1]", "[1shard:]", "[0shard]", "[-2shard:]", "[:-1shard]", "[12.5%:]"]
        one = lambda: rng.choice(["train", "train", "test"]) + rng.choice([""] + slices)
        return rng.choice([one(), one(), "train+test", "all", f"{one()} + {one()}"])

    @staticmethod
    def features(rng, options):
        """Features by their names, each with a function that draws a value."""
        import numpy as np
        import tensorflow_datasets as tfds

        f = tfds.features
        array = np.random.RandomState(rng.randrange(2**31))
        text = lambda: rng.choice(["", "so", "it goes", "ü", "a" * 200])
        some = lambda draw, most=4: [draw() for _ in range(rng.randrange(0, most))]
        pixels = lambda *shape: array.randint(0, 256, shape).astype(np.uint8)
        size = lambda: rng.randrange(1, 6)
        whole = lambda: rng.randrange(-(2**63) + 1, 2**63)
        # Of larger numbers more lie between two of as few digits, of which NumPy takes another.
        single = lambda: np.float32(rng.gauss(0, 1))
        kinds = {
            "int": (np.int64, whole),
            "word": (np.uint64, lambda: np.uint64(rng.randrange(2**64))),
            "small": (f.Scalar(np.int8), lambda: rng.randrange(-128, 128)),
            "bool": (np.bool_, lambda: rng.random() < 0.5),
            "single": (np.float32, single),
            "half": (f.Tensor(shape=(3,), dtype=np.float16), lambda: array.randn(3).astype(np.float16)),
            "double": (np.float64, lambda: rng.gauss(0, 1)),
            "text": (f.Text(), text),
            "bytes": (f.Tensor(shape=(), dtype=np.object_), lambda: b"\xff" + rng.randbytes(rng.randrange(9))),
            "texts": (f.Tensor(shape=(2, 2), dtype=np.object_), lambda: [[text(), text()], [text(), text()]]),
            "label": (f.ClassLabel(names=["a", "b", "c"]), lambda: rng.randrange(3)),
            "tensor": (f.Tensor(shape=(2, None), dtype=np.int16), lambda: array.randint(-99, 99, (2, size())).astype(np.int16)),
            "zlib": (f.Tensor(shape=(None, None), dtype=np.float32, encoding="zlib"), lambda: array.randn(size(), size()).astype(np.float32)),
            "zlib3": (f.Tensor(shape=(3, 2), dtype=np.int32, encoding="zlib"), lambda: array.randint(-9, 9, (3, 2)).astype(np.int32)),
            "raw": (f.Tensor(shape=(2, 3), dtype=np.float64, encoding="bytes"), lambda: array.randn(2, 3)),
            "truths": (f.Tensor(shape=(4,), dtype=np.bool_), lambda: array.rand(4) < 0.5),
            "image": (f.Image(), lambda: pixels(size(), size(), 3)),
            "gray": (f.Image(shape=(4, 5, 1), encoding_format="png"), lambda: pixels(4, 5, 1)),
            "rgba": (f.Image(shape=(None, 2, 4)), lambda: pixels(size(), 2, 4)),
            "depth": (f.Image(shape=(2, 2, 1), dtype=np.float32), lambda: array.randn(2, 2, 1).astype(np.float32)),
            "mask": (f.LabeledImage(labels=3, shape=(2, 2, 1)), lambda: pixels(2, 2, 1) % 3),
            "video": (f.Video(shape=(None, 3, 2, 3)), lambda: pixels(size(), 3, 2, 3)),
            "audio": (f.Audio(shape=(None,), dtype=np.int16), lambda: array.randint(-99, 99, size()).astype(np.int16)),
            "box": (f.BBoxFeature(), lambda: f.BBox(0.25, rng.random() / 2, 0.5, 0.75)),
            "both": (f.Translation(languages=["en", "de"]), lambda: {"en": text(), "de": text()}),
            "many": (f.TranslationVariableLanguages(languages=["en", "de"]), lambda: {"en": text(), "de": ["x", text()]}),
            "list": (f.Sequence(np.int32), lambda: some(lambda: rng.randrange(99))),
            "three": (f.Sequence(f.Text(), length=3), lambda: [text(), text(), text()]),
            "rows": (f.Sequence(f.Tensor(shape=(2,), dtype=np.float32)), lambda: some(lambda: [single(), single()])),
            "raws": (f.Sequence(f.Tensor(shape=(2,), dtype=np.int16, encoding="bytes")), lambda: some(lambda: np.array([1, rng.randrange(99)], np.int16))),
            "images": (f.Sequence(f.Image(shape=(3, 3, 3))), lambda: some(lambda: pixels(3, 3, 3))),
            "structs": (f.Sequence({"a": np.int64, "b": {"c": f.Text()}}), lambda: some(lambda: {"a": whole(), "b": {"c": text()}})),
            "lists": (f.Sequence(f.Sequence(np.int64)), lambda: some(lambda: some(whole))),
            "lists3": (f.Sequence(f.Sequence(f.Sequence(f.Text()))), lambda: some(lambda: some(lambda: some(text)))),
            "pairs": (f.Sequence(f.Sequence(f.Tensor(shape=(2,), dtype=np.int64))), lambda: some(lambda: some(lambda: [1, whole()]))),
            "steps": (f.Dataset({"a": np.int64, "t": f.Text()}), lambda: some(lambda: {"a": whole(), "t": text()})),
            "maybe": (f.Scalar(np.int64, optional=True), lambda: rng.choice([None, 7])),
            "dict": ({"x": np.float32, "y/z": {"t": f.Text()}}, lambda: {"x": single(), "y/z": {"t": text()}}),
        }
        names = list(kinds) if options == "all" else rng.sample(list(kinds), rng.randrange(1, 12))
        return {name: kinds[name] for name in names}

    @staticmethod
    def write(path, options, records):
        import tempfile

        import tensorflow_datasets as tfds

        rng = random.Random(f"{path.name} {len(records)}")
        kinds = Tfds.features(rng, options)
        count = max(len(records), 30)
        form = rng.choice(["tfrecord", "array_record"])
        version = rng.choice(["1.0.0", "0.12.3"])
        drawn = [{name: draw() for name, (_, draw) in kinds.items()} for _ in range(count)]

        class Made(tfds.core.GeneratorBasedBuilder, skip_registration=True):
            VERSION = tfds.core.Version(version)
            name = "made"
            pkg_dir_path = None

            def _info(self):
                features = tfds.features.FeaturesDict({name: feature for name, (feature, _) in kinds.items()})
                return tfds.core.DatasetInfo(builder=self, features=features, disable_shuffling=rng.random() < 0.3)

            def _split_generators(self, manager):
                return {"train": enumerate(drawn[: count * 2 // 3]), "test": enumerate(drawn[count * 2 // 3 :])}

            def _generate_examples(self):
                raise NotImplementedError

        with tempfile.TemporaryDirectory() as folder:
            builder = Made(data_dir=folder, file_format=form)
            shards = tfds.download.DownloadConfig(num_shards=rng.randrange(1 + ("shard" in options), 4))
            builder.download_and_prepare(download_config=shards)
            if form == "array_record":
                # TFDS reads these by number, by NumPy, which cannot decode all features.
                records[:] = Tfds.of_arrays(builder, options)
            else:
                config = tfds.ReadConfig(interleave_cycle_length=1)
                decoded = builder.as_dataset(split=options, read_config=config, shuffle_files=False)
                records[:] = [Tfds.encoded(example, builder.info.features) for example in decoded]
            place = path / version if rng.random() < 0.5 else path
            shutil.copytree(str(builder.data_path), place)

    @staticmethod
    def of_arrays(builder, options):
        from array_record.python import array_record_module
        from tensorflow_datasets.core import example_parser, splits

        import tensorflow as tf

        features = builder.info.features
        parser = example_parser.ExampleParser(features.get_serialized_info())
        found = []
        for absolute in splits.AbstractSplit.from_spec(options).to_absolute(builder.info.splits):
            split = builder.info.splits[absolute.splitname]
            every = [r for path in split.filepaths for r in array_record_module.ArrayRecordReader(str(path)).read_all()]
            for record in every[absolute.from_ : absolute.to]:
                decoded = features.decode_example(parser.parse_example(tf.constant(record)))
                found.append(Tfds.encoded(decoded, features))
        return found

    @staticmethod
    def encoded(example, features):
        import numpy as np
        import tensorflow as tf

        def value(one):
            match one:
                case dict():
                    return {name: value(inner) for name, inner in one.items()}
                case tf.RaggedTensor():
                    return plain(ragged(one))
                case tf.data.Dataset():
                    rows = [value(row) for row in one]
                    return {name: [row[name] for row in rows] for name in one.element_spec}
            return plain(one.numpy())

        def ragged(one):
            if isinstance(one, tf.Tensor):
                return one.numpy()
            return [ragged(row) for row in one]

        # What TensorFlow gives for an optional feature without a value.
        lacks = lambda name, one: name == "maybe" and one == np.iinfo(np.int64).min
        found = {name: None if lacks(name, one) else one for name, one in value(example).items()}
        return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()


class HuggingFace:
    """Folders by datasets: saved to disk, or as repositories have them; the options are the split, a record is a row in JSON as datasets loads it."""

    name = "hugging_face"
    small = [("train", 9, 60), ("test", 5, 60), ("train", 7, 60), ("validation", 5, 60), ("test", 5, 60)]
    forms = ["saved", "parquet", "arrow", "jsonl", "csv"]

    @staticmethod
    def options(rng):
        return rng.choice(["train", "validation", "test"])

    @staticmethod
    def table(rng, count, form):
        import datetime

        import numpy as np
        import pyarrow as pa

        text = lambda: rng.choice(["so", "it goes", 'ü "x", y', "two\nlines"])
        kinds = {"text": (pa.string(), text), "words": (pa.string(), text)}
        if form != "csv":
            kinds |= {
                "int": (pa.int64(), lambda: rng.choice([0, -1, 2**53, rng.randrange(-300, 300)])),
                "truth": (pa.bool_(), lambda: rng.random() < 0.5),
                "list": (pa.list_(pa.int64()), lambda: [rng.randrange(9) for _ in range(rng.randrange(0, 4))]),
                "struct": (pa.struct([("x", pa.int64()), ("y", pa.string())]), lambda: {"x": rng.randrange(9), "y": text()}),
            }
        if form not in ("csv", "jsonl"):
            moment = lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(milliseconds=rng.randrange(-(10**12), 10**12))
            kinds |= {
                "small": (pa.int8(), lambda: rng.randrange(-128, 128)),
                "word": (pa.uint32(), lambda: rng.randrange(2**32)),
                "single": (pa.float32(), lambda: float(np.float32(rng.gauss(0, 1)))),
                "double": (pa.float64(), lambda: rng.gauss(0, 1e9)),
                "bytes": (pa.binary(), lambda: b"\xff" + rng.randbytes(rng.randrange(0, 9))),
                "day": (pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(rng.randrange(-9999, 30000))),
                "moment": (pa.timestamp("ms"), moment),
                "lists": (pa.list_(pa.list_(pa.string())), lambda: [[text()] * rng.randrange(0, 3) for _ in range(rng.randrange(0, 3))]),
                "structs": (pa.list_(pa.struct([("a", pa.int32()), ("b", pa.list_(pa.string()))])), lambda: [{"a": 1, "b": [text()]}] * rng.randrange(3)),
            }
        if form in ("saved", "arrow"):
            kinds |= {
                "large": (pa.large_string(), text),
                "pair": (pa.list_(pa.int64(), 2), lambda: [rng.randrange(9), 1]),
                "half": (pa.float16(), lambda: np.float16(rng.gauss(0, 1))),
            }
        names = list(kinds) if rng.random() < 0.5 else rng.sample(list(kinds), rng.randrange(1, len(kinds) + 1))
        missing = 0 if form in ("csv", "jsonl") else 0.2
        draw = lambda name: [None if rng.random() < missing else kinds[name][1]() for _ in range(count)]
        return pa.table({name: pa.array(draw(name), kinds[name][0]) for name in names})

    @staticmethod
    def write(path, options, records):
        import tempfile

        import datasets

        datasets.disable_progress_bars()
        rng = random.Random(f"{path.name} {len(records)}")
        number = int(path.name.rsplit("-", 1)[1])
        form = HuggingFace.forms[number % len(HuggingFace.forms)]
        splits = [options] + rng.sample([s for s in ["train", "validation", "test"] if s != options], rng.randrange(0, 3))
        tables = {split: HuggingFace.table(random.Random(f"{number}"), max(3, len(records) + i), form) for i, split in enumerate(splits)}
        path.mkdir()
        if form == "saved":
            made = {split: datasets.Dataset(datasets.table.InMemoryTable(table), split=split) for split, table in tables.items()}
            shards = rng.randrange(1, 4)
            if len(splits) == 1:
                made[options].save_to_disk(str(path), num_shards=shards)
                loaded = datasets.load_from_disk(str(path))
            else:
                made = datasets.DatasetDict(made)
                made.save_to_disk(str(path), num_shards={split: shards for split in splits})
                loaded = datasets.load_from_disk(str(path))[options]
            records[:] = HuggingFace.rows(loaded)
            return
        layout = rng.choice(["shards", "names", "folders", "readme"])
        listed = []
        for split, table in tables.items():
            parts = rng.randrange(1, 4)
            size = -(-table.num_rows // parts)
            for part in range(parts):
                name = {
                    "shards": f"data/{split}-{part:05}-of-{parts:05}.{form}",
                    "names": f"{rng.choice(['', 'my_', 'a.'])}{HuggingFace.word(rng, split)}{rng.choice(['-', '_', ''])}{part}.{form}",
                    "folders": f"{HuggingFace.word(rng, split)}/{part}.{form}",
                    "readme": f"files/{len(listed)}-{part}.{form}",
                }[layout]
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                HuggingFace.file(rng, table.slice(part * size, size), path / name, form)
            listed.append(f"  - split: {split}\n    path: \"{rng.choice(['files', '**'])}/{len(listed)}-*\"\n")
        if layout == "readme":
            lines = "license: mit\nconfigs:\n- config_name: default\n  data_files:\n" + "".join(listed)
            (path / "README.md").write_text(f"---\n{lines}tags:\n- a\n---\n# Made up\n")
        with tempfile.TemporaryDirectory() as cache:
            records[:] = HuggingFace.rows(datasets.load_dataset(str(path), split=options, cache_dir=cache))

    @staticmethod
    def word(rng, split):
        return rng.choice({"train": ["train", "training"], "validation": ["validation", "valid", "dev", "val"], "test": ["test", "eval"]}[split])

    @staticmethod
    def file(rng, table, path, form):
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet as pq

        match form:
            case "parquet":
                pq.write_table(table, str(path), compression=rng.choice(["snappy", "gzip", "none"]), row_group_size=rng.choice([3, 1000]))
            case "arrow":
                new = rng.choice([pa.ipc.new_stream, pa.ipc.new_file])
                with new(str(path), table.schema) as writer:
                    writer.write_table(table, max_chunksize=rng.choice([2, 1000]))
            case "jsonl":
                lines = [json.dumps(row, ensure_ascii=rng.random() < 0.5) + "\n" for row in table.to_pylist()]
                path.write_text("".join(lines))
            case "csv":
                pa.csv.write_csv(table, str(path))

    @staticmethod
    def rows(data):
        import datetime

        import numpy as np

        singles = {name for name, kind in data.features.items() if getattr(kind, "dtype", "") == "float32"}

        def value(name, one):
            match one:
                case datetime.datetime():
                    return one.strftime("%Y-%m-%d %H:%M:%S.") + f"{one.microsecond // 1000:03} +00:00"
                case datetime.date():
                    return str(one)
                case float() if name in singles:
                    return plain(np.float32(one))
            return plain(one)

        rows = [{name: value(name, one) for name, one in row.items()} for row in data]
        return [json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() for row in rows]


FORMATS = [ArrayRecord, Bagz, TfRecord, Lines, Csv, WebDataset, Parquet]
# Folders of others, which are only read.
FOLDERS = [Tfds, HuggingFace]


def images(folder, count, largest):
    """Images by Pillow, and what it decodes: NAME.rgb has the pixels of NAME, behind two numbers of 4 bytes, its height and width."""
    import io

    import numpy as np
    from PIL import Image

    rng = random.Random("images")
    for number in range(count):
        width, height = rng.randrange(1, largest), rng.randrange(1, largest)
        y, x = np.mgrid[0:height, 0:width]
        waves = [128 + 100 * np.sin((x * rng.random() + y * rng.random()) / 4) for _ in range(3)]
        image = Image.fromarray(np.stack(waves, -1).astype(np.uint8))
        content = io.BytesIO()
        if number % 2:
            mode = rng.choice(["L", "LA", "P", "RGB", "RGBA", "1"])
            image = image.convert(mode)
            image.save(content, "PNG", compress_level=rng.randrange(0, 10))
            name = f"{number:02}-{mode}.png"
        else:
            image = image.convert(rng.choice(["L", "RGB"]))
            arguments = {"quality": rng.randrange(50, 100), "progressive": rng.random() < 0.3}
            if image.mode == "RGB":
                arguments["subsampling"] = rng.choice([0, 1, 2])
            image.save(content, "JPEG", **arguments)
            name = f"{number:02}.jpg"
        (folder / name).write_bytes(content.getvalue())
        pixels = Image.open(content).convert("RGB")
        (folder / f"{name}.rgb").write_bytes(struct.pack("<II", height, width) + pixels.tobytes())


def example(rng):
    """An Example with each kind of feature, and its values in JSON: bytes in hexadecimal, floats by their bits."""
    import tensorflow as tf

    feature, values = {}, {}
    for name in ["a", "label", "image/encoded", "ü", "none"]:
        kind, count = rng.choice(["bytes", "floats", "ints"]), rng.choice([0, 1, 3, 40])
        if kind == "bytes":
            value = [rng.randbytes(rng.randrange(0, 20)) for _ in range(count)]
            feature[name] = tf.train.Feature(bytes_list=tf.train.BytesList(value=value))
            values[name] = {"bytes": [v.hex() for v in value]}
        elif kind == "floats":
            value = [struct.unpack("<f", struct.pack("<f", rng.gauss(0, 1e3)))[0] for _ in range(count)]
            feature[name] = tf.train.Feature(float_list=tf.train.FloatList(value=value))
            values[name] = {"floats": [struct.unpack("<I", struct.pack("<f", v))[0] for v in value]}
        else:
            value = [rng.choice([0, -1, 2**63 - 1, -(2**63), rng.randrange(-300, 300)]) for _ in range(count)]
            feature[name] = tf.train.Feature(int64_list=tf.train.Int64List(value=value))
            values[name] = {"ints": value}
    encoded = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)
    return {"record": encoded.hex(), "features": values}


def framed(records):
    return b"".join(struct.pack("<Q", len(record)) + record for record in records)


def unframed(path):
    content, records, at = path.read_bytes(), [], 0
    while at < len(content):
        (size,) = struct.unpack_from("<Q", content, at)
        records.append(content[at + 8 : at + 8 + size])
        at += 8 + size
    return records


def goldens():
    OUT.mkdir(parents=True, exist_ok=True)
    scratch = OUT / "scratch"
    scratch.mkdir(exist_ok=True)
    listed = []
    for form in FORMATS + FOLDERS:
        rng = random.Random(form.name)
        for number, (options, count, largest) in enumerate(form.small):
            records = drawn(rng, count, largest)
            name = f"{form.name}-{number}"
            form.write(scratch / name, options, records)
            if form in FORMATS:
                assert form.read(scratch / name, options) == records
            for file in sorted(path for path in scratch.rglob("*") if path.is_file()):
                place = OUT / f"{file.relative_to(scratch)}.gz"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
            shutil.rmtree(scratch)
            scratch.mkdir()
            listed.append({"name": name, "format": form.name, "options": options, "records": [r.hex() for r in records]})
    images(scratch, 10, 20)
    for file in sorted(scratch.iterdir()):
        (OUT / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        file.unlink()
    scratch.rmdir()
    rng = random.Random("examples")
    examples = [json.dumps(example(rng), ensure_ascii=False) for _ in range(20)]
    (OUT / "examples.json").write_text("[\n" + ",\n".join(examples) + "\n]\n")
    (OUT / "records.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in listed) + "\n]\n")


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for form in FORMATS + FOLDERS:
        rng = random.Random(form.name)
        for number in range(20):
            options = form.options(rng)
            records = drawn(rng, rng.choice([0, 1, 10, 100, 1000]), rng.choice([500, 5000, 200_000]))
            name = f"{form.name}-{number:02}"
            form.write(folder / name, options, records)
            (folder / f"{name}.records").write_bytes(framed(records))
            listed.append({"name": name, "format": form.name, "options": options})
    (folder / "list.json").write_text(json.dumps(listed, indent=1))
    (folder / "images").mkdir(exist_ok=True)
    images(folder / "images", 20, 300)


def check(folder):
    forms = {form.name: form for form in FORMATS}
    listed = json.loads((folder / "list.json").read_text())
    written = [entry for entry in listed if entry["format"] in forms]
    for entry in written:
        found = forms[entry["format"]].read(folder / "ours" / entry["name"], entry["options"])
        assert list(map(bytes, found)) == unframed(folder / f"{entry['name']}.records"), entry
    print(f"{len(written)} files of ours are read by the packages of their formats")


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    match sys.argv[1:]:
        case []:
            goldens()
        case ["write", folder]:
            write(pathlib.Path(folder))
        case ["check", folder]:
            check(pathlib.Path(folder))
        case _:
            sys.exit(__doc__)
