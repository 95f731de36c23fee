"""Runs test files in worker processes: one process per file, and a new one after each crash or test out of time."""

import json
import os
import pathlib
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from .results import Result, Selection, not_imported, read_results

WORKER = pathlib.Path(__file__).parent / "worker.py"
# Importing a test file may take this long, in seconds; it is once per process.
IMPORT = 180.0
# Tests of one process; the next ones get a fresh process, which bounds what compiled programs hold.
MOST_TESTS = 600


class Run(NamedTuple):
    """What to run, where, and where the results go."""

    tests: pathlib.Path
    platform: str
    out: pathlib.Path
    timeout: float
    workers: int
    devices: int
    again: bool
    selection: Selection
    only: frozenset[str] | None
    log: Callable[[str], None]


def environment(run: Run) -> dict[str, str]:
    """The worker's environment: JAX's defaults, on the given platform."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    platforms = run.platform if run.platform == "cpu" else f"{run.platform},cpu"
    kept.update(JAX_PLATFORMS=platforms, PYTHONUNBUFFERED="1", TF_CPP_MIN_LOG_LEVEL="2", RUST_BACKTRACE="0")
    if run.devices > 1:
        kept["JARRAH_CPU_DEVICES"] = str(run.devices)
    return kept


def missing(run: Run) -> str:
    """Why JAX does not find the platform; empty if it does."""
    script = f"import jax; assert jax.default_backend() == {run.platform!r}"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(run), check=False
    )
    return "" if found.returncode == 0 else found.stderr


class Lines:
    """Lines read from a pipe, with a time limit for each."""

    def __init__(self, pipe: int):
        self.pipe, self.rest = pipe, b""

    def next(self, deadline: float) -> bytes | None:
        """The next line; empty at the end of the pipe, `None` if there is none in time."""
        while b"\n" not in self.rest:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.pipe], [], [], wait)[0]:
                return None
            more = os.read(self.pipe, 1 << 16)
            if not more:
                return b""
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line


def why_it_died(code: int, log: str) -> str:
    """The cause of a crash: what a panic or an abort says, or the signal."""
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if "panicked at" in line:
            return f"{name}: {' '.join(lines[number : number + 2])}"
    told = next((line for line in lines if "Fatal" in line or "Error" in line or "Check failed" in line), "")
    return f"{name}: {told}"


class FileRun:
    """The tests of one file, over as many processes as it takes."""

    def __init__(self, run: Run, file: str, done: set[str], record: Callable[[Result], None]):
        self.run, self.file, self.done, self.record = run, file, done, record

    def settle(self, id: str, result: str, seconds: float, cause: str) -> None:
        self.done.add(id)
        self.record(Result(id, result, seconds, cause))

    def all(self) -> None:
        """Starts processes until every selected test has a result."""
        while self.one_process():
            pass

    def one_process(self) -> bool:
        """Runs tests in one process; whether there may be more to run."""
        read, write = os.pipe()
        job = {
            "tests": str(self.run.tests),
            "file": self.file,
            "platform": self.run.platform,
            "devices": self.run.devices,
            "pipe": write,
        }
        with tempfile.TemporaryFile("w+") as log, tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [sys.executable, str(WORKER), json.dumps(job)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=folder,
                env=environment(self.run),
                pass_fds=[write],
                start_new_session=True,
            )
            os.close(write)
            try:
                return self.follow(process, Lines(read), log)
            finally:
                os.close(read)
                kill(process)

    def follow(self, process: subprocess.Popen, lines: Lines, log) -> bool:
        """Reads what a process says until it ends or is out of time."""
        current, began, deadline = None, time.monotonic(), time.monotonic() + IMPORT
        chosen: list[str] = []
        while True:
            line = lines.next(deadline)
            if not line:
                kill(process, 0.0 if line is None else 5.0)
                log.seek(0, os.SEEK_END)
                log.seek(max(0, log.tell() - 20_000))
                if line is None:
                    result, cause = "timeout", f"no end after {self.run.timeout:.0f} s"
                else:
                    result, cause = "crash", why_it_died(process.returncode, log.read())
                if current is None and not chosen:
                    self.run.log(f"{self.file}: not imported: {cause}")
                    self.settle(not_imported(self.file), result, time.monotonic() - began, cause)
                    return False
                # A process that dies between two tests is counted against the test that would have come next.
                current = current or next((id for id in chosen if id not in self.done), None)
                if current is not None:
                    self.settle(current, result, time.monotonic() - began, cause)
                return True
            kind, *values = json.loads(line)
            began, deadline = time.monotonic(), time.monotonic() + self.run.timeout
            if kind == "tests":
                chosen = [id for id in values[0] if self.wanted(id)][:MOST_TESTS]
                if not chosen:
                    return False
                process.stdin.write((json.dumps(chosen) + "\n").encode())
                process.stdin.flush()
            elif kind == "start":
                current = values[0]
            elif kind == "end":
                self.settle(*values)
                current = None
            elif kind == "rest":
                for id in chosen:
                    if id not in self.done:
                        self.settle(id, values[0], 0.0, values[1])
                return len(chosen) == MOST_TESTS

    def wanted(self, id: str) -> bool:
        """Whether a test has to run."""
        only = self.run.only
        return id not in self.done and (only is None or id in only) and self.run.selection.has(id)


def kill(process: subprocess.Popen, patience: float = 5.0) -> None:
    """Ends a worker and what it started, if it does not end by itself within `patience` seconds."""
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run_files(run: Run, files: list[str]) -> None:
    """Runs the files, those with the most text first, and appends to `run.out` what each test did."""
    results = read_results(run.out)
    done = {id for id, result in results.items() if not run.again or result.result in ("pass", "skip")}
    jobs: queue.Queue[str] = queue.Queue()
    for file in sorted(files, key=lambda file: -(run.tests / f"{file}.py").stat().st_size):
        jobs.put(file)
    lock = threading.Lock()
    with run.out.open("a") as out:

        def record(result: Result) -> None:
            with lock:
                out.write(result.line())
                out.flush()

        def work() -> None:
            while True:
                try:
                    file = jobs.get_nowait()
                except queue.Empty:
                    return
                began = time.monotonic()
                before = {id for id in done if id.startswith(f"{file}::")}
                here = FileRun(run, file, set(before), record)
                here.all()
                run.log(f"{file}: {len(here.done) - len(before)} tests in {time.monotonic() - began:.0f} s")

        threads = [threading.Thread(target=work, daemon=True) for _ in range(run.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
