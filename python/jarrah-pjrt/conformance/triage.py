"""The tests that do not pass, by cause."""

import collections
import pathlib
import re

from .results import Result

# The first pattern, in this order, that is found in `id detail` names the cause.
CAUSES = [
    ("timeout", r" no end after"),
    ("crash", r" (SIG[A-Z]+|exit code \d+):"),
    (
        "the test names the platform cpu",
        r"test_platform_dependent|platform_index|was exported for platforms|test_default_export_platform",
    ),
    ("the test computes on XLA's CPU device", r"XLA's CPU client compiled"),
    ("the test asks for a GPU", r"'gpu' requested"),
    ("Schur forms are not unique, the test expects LAPACK's", r"::testSchur\d"),
    ("callbacks without an order come in another one", r"::test_batching_with_side_effects"),
    ("a truth value whose byte is not 0 or 1", r"::testViewScalar"),
    # In f32 the quotient is within 3 % of the derivative, of which the gradient is within 0.001 %. XLA's quotient is as far
    # away without fused multiply-adds (`--xla_cpu_max_isa=AVX`), which Jarrah does not make of products and sums.
    ("the test's difference quotient is noise of f32", r"ODETest::test_grad_closure_with_vmap"),
    ("subnormal numbers are not flushed to zero", r"::test_near_singular_inverse"),
    ("a LAPACK routine is called with no operand", r"::test_effects_hlo"),
    ("values that devices have not reduced are not supported", r"not reduced"),
    ("the test looks for one device's part in the program's text", r"::test_random_bits_is_pure_map"),
    ("the devices' values of a result that is said to be whole differ", r"::test_pmap_array_in_axes_out_axes"),
    ("the sharding of a result does not follow from its operands", r"spec=P|Tuples differ: \(\d+, \d+\)"),
    ("no lowering rule", r"MLIR translation rule for primitive"),
    ("unsupported by the compiler", r"UNIMPLEMENTED"),
    ("refused by the compiler", r"INVALID_ARGUMENT"),
    ("out of memory", r"RESOURCE_EXHAUSTED"),
    ("error of the runtime", r"JaxRuntimeError"),
    ("values differ", r"Not equal to tolerance|not almost equal|Arrays are not equal|Mismatched elements"),
    ("assertion", r" AssertionError"),
]


def cause_of(result: Result) -> str:
    """The name of the cause."""
    return next((name for name, pattern in CAUSES if re.search(pattern, f"{result.id} {result.cause}")), "other")


def write(path: pathlib.Path, results: dict[str, Result], baseline: set[str] | None) -> None:
    """Writes `cause  id  result  detail` for each test that did not pass, sorted, and prints how many each cause has.

    With a baseline, only its tests are written.
    """
    rows = sorted(
        (cause_of(result), result.id, result.result, result.cause)
        for result in results.values()
        if result.result not in ("pass", "skip") and (baseline is None or result.id in baseline)
    )
    # Addresses and paths differ from run to run.
    rows = [(*row[:3], re.sub(r"\d{9,}|(/[\w.-]+)+/(?=[\w.-]+)", "...", row[3])[:200]) for row in rows]
    path.write_text("cause\tid\tresult\tdetail\n" + "".join("\t".join(row) + "\n" for row in rows))
    for cause, count in collections.Counter(row[0] for row in rows).most_common():
        print(f"{count:6}  {cause}")
