"""Runs JAX's own tests on a backend, and says which of them pass.

    python jax_tests.py --tests CHECKOUT/tests --out results.tsv [--platform jarrah|cpu] [--files nn_test,lax_test]
                        [--shard 0/4] [--sample 30] [--only LIST] [--timeout 60] [--workers 2] [--again]
                        [--devices 8] [--processes 2]
    python jax_tests.py --out results.tsv --baseline LIST     # the share of LIST that passes, by file, and the rest
    python jax_tests.py --out results.tsv --check | --update  # against the list of passing tests

`CHECKOUT` is JAX's repository at the tag of the installed version. Results are appended to `--out` as tests end; a run
that finds results there goes on with the tests that have none. `LIST` is a file of ids (plain or gzipped), or a results
file, of which the passing tests count.

A test in which XLA's own CPU client compiled something fails, unless the Python function of a callback asked for that.
"""

import argparse
import collections
import fnmatch
import pathlib
import sys
import time

from conformance import triage
from conformance.results import RESULTS, Result, Selection, file_of, read_ids, read_results, write_ids
from conformance.runner import Run, missing, run_files

HERE = pathlib.Path(__file__).parent
# The tests that pass, by the number of processes and of devices of each.
PASSING = {
    (1, 1): HERE / "passing.txt.gz",
    (1, 8): HERE / "passing_8.txt.gz",
    (2, 4): HERE / "passing_2x4.txt.gz",
    (4, 2): HERE / "passing_4x2.txt.gz",
}
# The files of the single-device surface, which run when `--files` does not say otherwise.
FILES = """
    api_test array_extensibility_test array_interoperability_test array_test batching_test checkify_test
    control_deps_test core_test custom_api_test custom_linear_solve_test custom_root_test debug_nans_test
    debugging_primitives_test dtypes_test eigh_test export_test ffi_test fft_test generated_fun_test hijax_test
    image_test jax_numpy_error_test jet_test lax_autodiff_test lax_control_flow_test lax_numpy_einsum_test
    lax_numpy_indexing_test lax_numpy_operators_test lax_numpy_reducers_test lax_numpy_setops_test lax_numpy_test
    lax_numpy_ufuncs_test lax_numpy_vectorize_test lax_scipy_sparse_test lax_scipy_special_functions_test
    lax_scipy_spectral_dac_test lax_scipy_test lax_test lax_vmap_op_test lax_vmap_test linalg_test memories_test
    mutable_array_test nn_test ode_test optimizers_test pjit_test polynomial_test python_callback_test qdwh_test
    random_impl_test random_lax_test random_test scipy_fft_test scipy_interpolate_test scipy_ndimage_test
    scipy_optimize_test scipy_signal_test scipy_spatial_test scipy_stats_test stax_test svd_test x64_context_test
""".split()


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=pathlib.Path, help="the folder `tests` of JAX's repository; without it nothing runs")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the results file")
    parser.add_argument("--platform", default="jarrah", help="the backend under test; `cpu` is XLA's (default: jarrah)")
    parser.add_argument("--files", help="files without `.py`, separated by commas; `*` matches (default: for one device)")
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="only part I of N")
    parser.add_argument("--sample", type=int, default=1, metavar="K", help="only a fixed sample of one test in K")
    parser.add_argument("--only", type=pathlib.Path, metavar="LIST", help="only the tests of a list")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds that a test may take (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default: 2)")
    parser.add_argument("--devices", type=int, default=1, help="devices of the backend (default: 1)")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="N processes run each test (default: 1)")
    parser.add_argument("--again", action="store_true", help="run those that did not pass before once more")
    parser.add_argument("--baseline", type=pathlib.Path, metavar="LIST", help="compare with the tests of a list")
    parser.add_argument("--check", action="store_true", help="fail unless all selected tests of the list for so many devices pass")
    parser.add_argument("--update", action="store_true", help="add the tests that passed to the list for so many devices")
    parser.add_argument("--triage", type=pathlib.Path, metavar="TSV", help="write the tests that did not pass, by cause")
    return parser.parse_args()


def show(line: str) -> None:
    """Prints a line of progress."""
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def summary(results: list[Result]) -> None:
    """Prints how many tests of each file did what."""
    by_file: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for result in results:
        by_file[file_of(result.id)][result.result] += 1
        by_file["all"][result.result] += 1
    print(f"{'file':40}" + "".join(f"{name:>9}" for name in RESULTS))
    for file in sorted(by_file, key=lambda file: (file == "all", file)):
        print(f"{file:40}" + "".join(f"{by_file[file][name]:9}" for name in RESULTS))


def compare(results: dict[str, Result], baseline: set[str]) -> None:
    """Prints the share of a baseline that passes, by file, and the tests of it that do not, with their causes."""
    passed, of = collections.Counter(), collections.Counter()
    rest = []
    for id in sorted(baseline):
        result = results.get(id, Result(id, "none", 0.0, "was not run"))
        for name in (file_of(id), "all"):
            of[name] += 1
            passed[name] += result.result == "pass"
        if result.result != "pass":
            rest.append(result)
    for result in rest:
        print(result.line(), end="")
    print(f"{'file':40}{'passed':>9}{'of':>9}{'share':>9}")
    for file in sorted(of, key=lambda file: (file == "all", file)):
        print(f"{file:40}{passed[file]:9}{of[file]:9}{passed[file] / of[file]:9.2%}")


def check(results: dict[str, Result], selected: set[str]) -> bool:
    """Whether all selected tests that have passed before pass; prints those that do not."""
    lost = [results.get(id, Result(id, "none", 0.0, "was not run")) for id in sorted(selected)]
    lost = [result for result in lost if result.result != "pass"]
    for result in lost:
        print(f"no longer passes: {result.line()}", end="")
    print(f"{len(selected) - len(lost)} of {len(selected)} tests that have passed before pass")
    return not lost


def named(tests: pathlib.Path | None, names: list[str]) -> list[str]:
    """The test files of these names; a name with `*` stands for all files in `tests` that match."""
    files = []
    for name in names:
        if "*" in name and tests:
            files += sorted(str(path.relative_to(tests).with_suffix("")) for path in tests.glob(f"{name}.py"))
        else:
            files.append(name)
    return files


def main() -> int:
    """Runs, then reports."""
    options = parse()
    shard, shards = (int(part) for part in options.shard.split("/"))
    selection = Selection(shard, shards, options.sample)
    only = frozenset(read_ids(options.only)) if options.only else None
    tests = options.tests.resolve() if options.tests else None
    files = named(tests, options.files.split(",")) if options.files else FILES
    if tests:
        absent = [file for file in files if not (tests / f"{file}.py").is_file()]
        if absent:
            print(f"error: {tests} has no {', '.join(f'{file}.py' for file in absent)}", file=sys.stderr)
            return 2
        if only is not None:
            files = [file for file in files if any(file_of(id) == file and selection.has(id) for id in only)]
        run = Run(
            tests,
            options.platform,
            options.out,
            options.timeout,
            options.workers,
            options.devices,
            options.processes,
            options.again,
            selection,
            only,
            show,
        )
        if why := missing(run):
            print(f"{why}\nerror: JAX does not find the platform `{run.platform}`", file=sys.stderr)
            return 2
        run_files(run, files)
    results = read_results(options.out)
    listed = PASSING.get((options.processes, options.devices))
    passing = read_ids(listed) if listed and listed.exists() else set()
    if not listed and (options.check or options.update):
        where = f"{options.processes} processes of {options.devices} devices"
        print(f"error: there is no list of the tests that pass in {where}", file=sys.stderr)
        return 2

    def in_files(id: str) -> bool:
        return any(fnmatch.fnmatchcase(file_of(id), file) for file in files)

    def selected(ids: set[str]) -> set[str]:
        return {id for id in ids if in_files(id) and selection.has(id) and (only is None or id in only)}

    summary([result for result in results.values() if in_files(result.id)])
    if options.baseline:
        compare(results, selected(read_ids(options.baseline)))
    if options.triage:
        triage.write(options.triage, results, read_ids(options.baseline) if options.baseline else None)
    if options.update:
        now = passing | {id for id, result in results.items() if result.result == "pass"}
        write_ids(listed, now)
        print(f"{listed.name}: {len(passing)} tests, now {len(now)}")
    return 0 if not options.check or check(results, selected(passing)) else 1


if __name__ == "__main__":
    sys.exit(main())
