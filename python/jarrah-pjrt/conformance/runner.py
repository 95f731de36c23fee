"""Runs test files in worker processes: one process per file, and a new one after each crash or test out of time.

Tests of several processes run in a team of workers, in which every worker runs the same tests in the same order.
"""

import json
import os
import pathlib
import queue
import select
import signal
import socket
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
    processes: int
    again: bool
    selection: Selection
    only: frozenset[str] | None
    log: Callable[[str], None]


def environment(run: Run) -> dict[str, str]:
    """The worker's environment: JAX's defaults, on the given platform."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    platforms = run.platform if run.platform == "cpu" else f"{run.platform},cpu"
    kept.update(JAX_PLATFORMS=platforms, PYTHONUNBUFFERED="1", TF_CPP_MIN_LOG_LEVEL="2", RUST_BACKTRACE="0")
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
    """Lines read from the pipes of a team, with a time limit for each line."""

    def __init__(self, pipes: list[int]):
        self.pipes, self.rests = pipes, [b""] * len(pipes)

    def next(self, deadline: float) -> tuple[int, bytes] | None:
        """The next line, and the member that wrote it; empty at the end of its pipe, `None` if there is none in time."""
        while True:
            for member, rest in enumerate(self.rests):
                line, end, after = rest.partition(b"\n")
                if end:
                    self.rests[member] = after
                    return member, line
            wait = deadline - time.monotonic()
            ready = select.select(self.pipes, [], [], wait)[0] if wait > 0 else []
            if not ready:
                return None
            for pipe in ready:
                member, more = self.pipes.index(pipe), os.read(pipe, 1 << 16)
                if not more:
                    return member, b""
                self.rests[member] += more


def why_it_died(code: int, log: str) -> str:
    """The cause of a crash: what a panic or an abort says, or the signal."""
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if "panicked at" in line:
            return f"{name}: {' '.join(lines[number : number + 2])}"
    told = next((line for line in lines if "Fatal" in line or "Error" in line or "Check failed" in line), "")
    return f"{name}: {told}"


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


class Member:
    """A worker, and the pipe over which it speaks."""

    def __init__(self, run: Run, job: dict, folder: str):
        self.pipe, write = os.pipe()
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), json.dumps({**job, "pipe": write})],
            stdin=subprocess.PIPE,
            stdout=self.log,
            stderr=self.log,
            cwd=folder,
            env=environment(run),
            pass_fds=[write],
            start_new_session=True,
        )
        os.close(write)

    def tell(self, message) -> None:
        """Writes a line to the worker, who may have died meanwhile."""
        try:
            self.process.stdin.write((json.dumps(message) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def why_it_died(self) -> str:
        """The cause of a death, once the worker has died."""
        self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, self.log.tell() - 20_000))
        return why_it_died(self.process.returncode, self.log.read())

    def close(self) -> None:
        """Ends the worker if it has not ended. One of several waits for the end of its input."""
        os.close(self.pipe)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        kill(self.process)
        self.log.close()


class Team:
    """The workers that run the tests of a file together, and what each has said so far."""

    def __init__(self, run: Run, file: str, folder: str):
        job = {
            "tests": str(run.tests),
            "file": file,
            "platform": run.platform,
            "devices": run.devices,
            "processes": run.processes,
        }
        if run.processes > 1:
            job.update(address=f"localhost:{free_port()}", timeout=run.timeout)
        self.members = [Member(run, {**job, "process": process}, folder) for process in range(run.processes)]
        self.lines = Lines([member.pipe for member in self.members])
        # The test that each member has started and not ended.
        self.current: list[str | None] = [None] * run.processes
        # By the kind of a message and what it is about, what each member said.
        self.said: dict[tuple[str, str], dict[int, list]] = {}

    def hear(self, member: int, kind: str, about: str, values: list) -> list[list] | None:
        """Notes what a member said; all that was said of it, once all members have said something."""
        if kind in ("start", "end"):
            self.current[member] = about if kind == "start" else None
        said = self.said.setdefault((kind, about), {})
        said[member] = values
        return list(said.values()) if len(said) == len(self.members) else None

    def failure(self, test: str) -> list | None:
        """What a member said of a test that failed for it."""
        return next((values for values in self.said.get(("end", test), {}).values() if values[0] == "fail"), None)

    def end(self, dead: int | None) -> None:
        """Ends all workers at once; the pipe of the one who has died may be closed before its process is gone."""
        for number, member in enumerate(self.members):
            kill(member.process, 5.0 if number == dead else 0.0)

    def close(self) -> None:
        for member in self.members:
            member.close()


def worst(said: list[list]) -> list:
    """The result of a test in a team: it passes where it passes for some member and fails for none."""
    return next(values for result in ("fail", "pass", "skip") for values in said if values[0] == result)


class FileRun:
    """The tests of one file, over as many teams as it takes."""

    def __init__(self, run: Run, file: str, done: set[str], record: Callable[[Result], None]):
        self.run, self.file, self.done, self.record = run, file, done, record
        self.chosen: list[str] = []

    def settle(self, id: str, result: str, seconds: float, cause: str) -> None:
        self.done.add(id)
        self.record(Result(id, result, seconds, cause))

    def all(self) -> None:
        """Starts teams until every selected test has a result."""
        while self.one_team():
            pass

    def one_team(self) -> bool:
        """Runs tests in one team; whether there may be more to run."""
        with tempfile.TemporaryDirectory() as folder:
            team = Team(self.run, self.file, folder)
            try:
                return self.follow(team)
            finally:
                team.close()

    def follow(self, team: Team) -> bool:
        """Reads what a team says until it ends, or a member dies or is out of time."""
        self.chosen = []
        began, deadline = time.monotonic(), time.monotonic() + IMPORT
        while True:
            heard = team.lines.next(deadline)
            if heard is None or not heard[1]:
                return self.broken_off(team, None if heard is None else heard[0], time.monotonic() - began)
            kind, *values = json.loads(heard[1])
            about = values.pop(0) if kind in ("start", "end") else ""
            all_said = team.hear(heard[0], kind, about, values)
            if all_said is None:
                continue
            began, deadline = time.monotonic(), time.monotonic() + self.run.timeout
            if kind == "tests":
                self.chosen = [id for id in values[0] if self.wanted(id)][:MOST_TESTS]
                if not self.chosen:
                    return False
                for member in team.members:
                    member.tell(self.chosen)
            elif kind == "end":
                self.settle(about, *worst(all_said))
            elif kind == "rest":
                for id in self.chosen:
                    if id not in self.done:
                        self.settle(id, values[0], 0.0, values[1])
                return len(self.chosen) == MOST_TESTS

    def broken_off(self, team: Team, dead: int | None, seconds: float) -> bool:
        """Settles the test at which a member died or time was out; whether there may be more to run."""
        team.end(dead)
        if dead is None:
            result, cause = "timeout", f"no end after {self.run.timeout:.0f} s"
        else:
            result, cause = "crash", team.members[dead].why_it_died()
        if not self.chosen:
            self.run.log(f"{self.file}: not imported: {cause}")
            self.settle(not_imported(self.file), result, seconds, cause)
            return False
        open_tests = team.current if dead is None else [team.current[dead]]
        # Members of a team that are slow are at an earlier test. A worker that dies between two tests is counted against
        # the test that would have come next.
        started = min((self.chosen.index(id) for id in open_tests if id), default=None)
        test = next((id for id in self.chosen if id not in self.done), None) if started is None else self.chosen[started]
        if test is not None:
            # Where a test failed for one member, the others may have waited for it until time was out.
            self.settle(test, *(team.failure(test) or (result, seconds, cause)))
        return True

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
