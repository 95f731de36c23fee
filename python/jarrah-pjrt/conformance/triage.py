"""The tests that do not pass, by cause."""

import collections
import pathlib
import re

from .results import Result

# A cause is what the first matching pattern, in this order, names.
CAUSES = [
    ("timeout", r"^no end after"),
    ("crash", r"^(SIG[A-Z]+|exit code \d+):"),
    ("XLA's CPU client was asked for", r"^XLA's CPU client compiled"),
    ("no lowering rule", r"MLIR translation rule for primitive"),
    ("callback", r"EmitPythonCallback|callback"),
    ("unsupported by the compiler", r"UNIMPLEMENTED"),
    ("refused by the compiler", r"INVALID_ARGUMENT"),
    ("out of memory", r"RESOURCE_EXHAUSTED"),
    ("error of the runtime", r"JaxRuntimeError"),
    ("values differ", r"Not equal to tolerance|not almost equal|Arrays are not equal|Mismatched elements"),
    ("assertion", r"^AssertionError"),
]


def cause_of(result: Result) -> str:
    """The name of the cause."""
    return next((name for name, pattern in CAUSES if re.search(pattern, result.cause)), "other")


def write(path: pathlib.Path, results: dict[str, Result], baseline: set[str] | None) -> None:
    """Writes `cause  id  result  detail` for each test that did not pass, sorted, and prints how many each cause has.

    With a baseline, only its tests are written.
    """
    rows = sorted(
        (cause_of(result), result.id, result.result, result.cause)
        for result in results.values()
        if result.result not in ("pass", "skip") and (baseline is None or result.id in baseline)
    )
    path.write_text("cause\tid\tresult\tdetail\n" + "".join("\t".join(row) + "\n" for row in rows))
    for cause, count in collections.Counter(row[0] for row in rows).most_common():
        print(f"{count:6}  {cause}")
