"""Files of records by the packages of their formats, and what these packages read of ours.

    python oracle/records.py                       # small files: crates/data/tests/golden/records/
    python oracle/records.py write FOLDER          # 20 files of each format, options varied, each with its records beside it
    JARRAH_RECORDS=FOLDER cargo test -p jarrah-data of_other_packages   # they are read, and 20 of each written to FOLDER/ours
    python oracle/records.py check FOLDER          # the packages read FOLDER/ours

A golden is the file under gzip, and `records.json` has the records of each. In a FOLDER, `NAME.records` has the records of the file `NAME`: the length of each
in 8 bytes, and its bytes; `list.json` has `{"name", "format", "options"}` of each file.

`examples.json` has Examples of TensorFlow, with the values of their features.

Needs array_record==0.8.6, bagz==0.3.8, tensorflow-cpu==2.21.0, zstandard==0.25.0, webdataset==1.0.2, pyarrow==26.0.1, pillow==13.0.0 and numpy==2.4.6.
"""

import gzip
import json
import os
import pathlib
import random
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
        return rng.choice(["snappy", "uncompressed", "brotli", "lz4"]) + rows

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


FORMATS = [ArrayRecord, Bagz, TfRecord, Lines, Csv, WebDataset, Parquet]


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
    for form in FORMATS:
        rng = random.Random(form.name)
        for number, (options, count, largest) in enumerate(form.small):
            records = drawn(rng, count, largest)
            name = f"{form.name}-{number}"
            form.write(scratch / name, options, records)
            assert form.read(scratch / name, options) == records
            for file in sorted(scratch.iterdir()):
                content = gzip.compress(file.read_bytes(), 9, mtime=0)
                (OUT / f"{file.name}.gz").write_bytes(content)
                file.unlink()
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
    for form in FORMATS:
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
    for entry in listed:
        found = forms[entry["format"]].read(folder / "ours" / entry["name"], entry["options"])
        assert list(map(bytes, found)) == unframed(folder / f"{entry['name']}.records"), entry
    print(f"{len(listed)} files of ours are read by the packages of their formats")


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    match sys.argv[1:]:
        case []:
            goldens()
        case ["write", folder]:
            write(pathlib.Path(folder))
        case ["check", folder]:
            check(pathlib.Path(folder))
        case _:
            sys.exit(__doc__)
