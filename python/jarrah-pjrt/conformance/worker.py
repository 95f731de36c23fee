"""The process that runs the tests of one file, and says over a pipe what each did.

It is started by `runner.py` as `python worker.py JOB`, where `JOB` is JSON. The messages, one JSON value per line, are
`["tests", [id, ...]]` once the file is imported, `["start", id]`, and `["end", id, result, seconds, cause]`;
the last is `["rest", result, cause]` for tests that did not start.
"""

import faulthandler
import importlib
import json
import os
import pathlib
import sys
import time
import unittest

# What runs a callback's Python function: what XLA's CPU client compiles below these was asked for by that function.
CALLBACKS = {"pure_callback_impl", "io_callback_impl", "debug_callback_impl", "call_on_host"}


def cause_of(error: tuple) -> str:
    """The first lines of an exception, as one."""
    kind, value, _ = error
    lines = [line.strip() for line in str(value).splitlines() if line.strip()]
    return f"{kind.__name__}: {' | '.join(lines[:6])}"


def in_callback() -> bool:
    """Whether the calling thread runs the Python function of a callback."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name in CALLBACKS:
            return True
        frame = frame.f_back
    return False


def watch_compilations(of_xla: list[str]) -> None:
    """Adds to `of_xla` the name of each module that XLA's CPU client compiles from now on, but for those of callbacks."""
    from jax._src import compiler

    compile = compiler.backend_compile_and_load

    def watched(backend, module, *args, **kwargs):
        if backend.platform == "cpu" and not in_callback():
            of_xla.append(module.operation.attributes["sym_name"].value)
        return compile(backend, module, *args, **kwargs)

    compiler.backend_compile_and_load = watched


class Report(unittest.TestResult):
    """Sends what each test did."""

    def __init__(self, file: str, send, of_xla: list[str]):
        super().__init__()
        self.file, self.send, self.of_xla = file, send, of_xla
        self.state = ("pass", "")
        self.began = 0.0
        # The result of tests that never start because the `setUp` of their class or module failed.
        self.fixture = None

    def id_of(self, test: unittest.TestCase) -> str:
        # Some names hold what their parameters look like when printed, line breaks included.
        return f"{self.file}::{type(test).__name__}::{' '.join(test._testMethodName.split())}"

    def startTest(self, test):
        super().startTest(test)
        self.state, self.began = ("pass", ""), time.monotonic()
        self.of_xla.clear()
        self.send("start", self.id_of(test))

    def stopTest(self, test):
        super().stopTest(test)
        result, cause = self.state
        if self.of_xla:
            if result == "pass":
                result, cause = "fail", f"XLA's CPU client compiled {', '.join(sorted(set(self.of_xla)))}"
            # What stays compiled would be found compiled by the tests that follow.
            sys.modules["jax"].clear_caches()
        self.send("end", self.id_of(test), result, time.monotonic() - self.began, cause)

    def settle(self, test, result: str, cause: str) -> None:
        if not isinstance(test, unittest.TestCase):
            self.fixture = (result, cause)
        elif self.state[0] == "pass" or (self.state[0] == "skip" and result == "fail"):
            # The first failure is the cause of those that follow.
            self.state = (result, cause)

    def addError(self, test, err):
        self.settle(test, "fail", cause_of(err))

    def addFailure(self, test, err):
        self.settle(test, "fail", cause_of(err))

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.settle(test, "fail", cause_of(err))

    def addSkip(self, test, reason):
        self.settle(test, "skip", reason)

    def addUnexpectedSuccess(self, test):
        self.settle(test, "fail", "passes, where a failure is expected")


def join(job: dict) -> None:
    """Finds the other processes of the team, and sets the flags by which JAX's tests of several processes know them."""
    import jax
    from absl import flags

    importlib.import_module("jax._src.test_multiprocess")
    flags.FLAGS.num_processes = job["processes"]
    flags.FLAGS.multiprocess_test_worker_id = job["process"]
    flags.FLAGS.multiprocess_test_controller_address = job["address"]
    # A process that fails waits for the others at the end of a test: it has to tell why before time is out.
    flags.FLAGS.barrier_timeout = max(1, int(job["timeout"] / 2))
    if job["platform"] == "cpu":
        jax.config.update("jax_num_cpu_devices", job["devices"])
    jax.distributed.initialize(job["address"], num_processes=job["processes"], process_id=job["process"])


def tests_of(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """The tests of a suite, in order."""
    return [test for item in suite for test in (tests_of(item) if isinstance(item, unittest.TestSuite) else [item])]


def load(job: dict) -> list[unittest.TestCase]:
    """Imports the test file for the device of the job."""
    path = pathlib.Path(job["tests"], job["file"] + ".py")
    sys.path.insert(0, job["tests"])
    sys.argv = [str(path)]
    import jax
    from jax._src import test_util

    if job["platform"] not in ("", "cpu"):
        from jax._src.interpreters import mlir

        if job["platform"] not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append(job["platform"])
    jax.config.parse_flags_with_absl()
    jax.config.update("jax_test_dut", "cpu")
    if job["processes"] > 1:
        join(job)
    elif job["devices"] == 1:
        test_util.request_cpu_devices = lambda count: None
    module = importlib.import_module(job["file"].replace("/", "."))
    return tests_of(unittest.defaultTestLoader.loadTestsFromModule(module))


def main() -> None:
    """Runs the job given as the first argument."""
    job = json.loads(sys.argv[1])
    sys.path.remove(str(pathlib.Path(__file__).parent))
    faulthandler.enable()
    os.set_inheritable(job["pipe"], False)
    pipe = os.fdopen(job["pipe"], "w", buffering=1)

    def send(*message):
        pipe.write(json.dumps(message) + "\n")

    tests = load(job)
    of_xla: list[str] = []
    if job["platform"] != "cpu":
        watch_compilations(of_xla)
    report = Report(job["file"], send, of_xla)
    by_id = {report.id_of(test): test for test in tests}
    send("tests", list(by_id))
    # The parent answers with the tests to run: those selected that have no result yet.
    chosen = json.loads(sys.stdin.readline())
    unittest.TestSuite(by_id[id] for id in chosen).run(report)
    result, cause = report.fixture or ("fail", "the test did not start")
    send("rest", result, cause)
    if job["processes"] > 1:
        # The others may not have ended, and die with the first process. Whoever started them all ends them.
        sys.stdin.read()
    # Threads that a test left behind must not keep the process.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
