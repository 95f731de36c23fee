"""What a test did, and the file that keeps it.

A results file has one line per test, `id  result  seconds  cause`, separated by tabs and appended as tests end, so that
a run that is stopped goes on where it was. An id is `file::Class::test`, the file without `.py`.
"""

import gzip
import io
import pathlib
import zlib
from collections.abc import Iterable
from typing import NamedTuple

RESULTS = ("pass", "skip", "fail", "crash", "timeout")
MOST_OF_A_CAUSE = 400


class Result(NamedTuple):
    """One line of a results file."""

    id: str
    result: str
    seconds: float
    cause: str

    def line(self) -> str:
        """The line, ending in a newline; a cause of several lines is written as one."""
        cause = " ".join(self.cause.split())[:MOST_OF_A_CAUSE]
        return f"{self.id}\t{self.result}\t{self.seconds:.2f}\t{cause}\n"


def file_of(id: str) -> str:
    """The test file that an id names."""
    return id.partition("::")[0]


def not_imported(file: str) -> str:
    """The id under which it is kept that a file could not be imported."""
    return f"{file}::import::import"


def read_results(path: pathlib.Path) -> dict[str, Result]:
    """The last result of each test; a line cut short by a stopped run is left out.

    The line that says that a file could not be imported counts as long as none of its tests follows.
    """
    results: dict[str, Result] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            fields = line.split("\t")
            if len(fields) == 4 and fields[1] in RESULTS:
                results.pop(not_imported(file_of(fields[0])), None)
                results[fields[0]] = Result(fields[0], fields[1], float(fields[2]), fields[3])
    return results


def read_ids(path: pathlib.Path) -> set[str]:
    """The ids of a list: a plain or gzipped file with one id per line, or the passing tests of a results file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    ids = set()
    for line in text.splitlines():
        fields = line.split("\t")
        if fields[0] and (len(fields) == 1 or fields[1] == "pass"):
            ids.add(fields[0])
    return ids


def write_ids(path: pathlib.Path, ids: Iterable[str]) -> None:
    """Writes a sorted list of ids, gzipped where the name ends in `.gz`; the same ids give the same bytes."""
    data = "".join(f"{id}\n" for id in sorted(ids)).encode()
    if path.suffix == ".gz":
        buffer = io.BytesIO()
        with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
            file.write(data)
        data = buffer.getvalue()
    path.write_bytes(data)


class Selection(NamedTuple):
    """Which tests run: a fixed sample of one in `sample`, and of it part `shard` of `shards`.

    Both are picked by a hash of the id, so that they do not depend on which other tests there are.
    """

    shard: int = 0
    shards: int = 1
    sample: int = 1

    def has(self, id: str) -> bool:
        """Whether the test runs."""
        number = zlib.crc32(id.encode())
        return number % self.sample == 0 and number // self.sample % self.shards == self.shard
