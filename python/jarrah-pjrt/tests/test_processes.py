"""Programs over the devices of two processes, which find each other by `jax.distributed`."""

import os
import socket
import subprocess
import sys

import pytest

# `f` sums over all processes; each has run it once.
BEGIN = """
import os, sys, time
import jax, jax.numpy as jnp, numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

process, address = int(sys.argv[1]), sys.argv[2]
jax.distributed.initialize(address, num_processes=2, process_id=process)
mesh = Mesh(np.array(jax.devices()), ("i",))


def over_all(f):
    return jax.jit(shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))


x = jax.make_array_from_callback((2,), NamedSharding(mesh, P("i")), lambda at: np.arange(2, dtype=np.float32)[at])
f = over_all(lambda x: lax.psum(x, "i") * 0.5 + x)
f(x).block_until_ready()
"""


def run(script: str, begin: str = BEGIN) -> list[subprocess.CompletedProcess]:
    """Both processes, each with one device, after their end. Raises `TimeoutExpired` if one does not end."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "1"}
    commands = [[sys.executable, "-c", begin + script, str(process), address] for process in range(2)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, env=environment, **pipes) for command in commands]
    try:
        texts = [process.communicate(timeout=60) for process in started]
    finally:
        for process in started:
            process.kill()
    return [
        subprocess.CompletedProcess(process.args, process.returncode, *text)
        for process, text in zip(started, texts, strict=True)
    ]


ENDS = {
    "an exception": "raise ValueError('bad batch')",
    "sys.exit": "sys.exit(3)",
    "an exception behind which JAX is shut down": """
    try:
        raise ValueError("bad batch")
    finally:
        jax.distributed.shutdown()
""",
}


@pytest.mark.parametrize("ending", [0, 1])
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_whoever_waits_for_a_process_that_has_ended_is_told_so(end, ending):
    ran = run(f"""
if process == {ending}:
    {end}
try:
    f(x).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    print(error)
""")
    ended, other = ran[ending], ran[1 - ending]
    assert ended.returncode == (3 if "exit" in end else 1), ended.stderr
    assert ("bad batch" in ended.stderr) == ("bad batch" in end), ended.stderr
    assert other.returncode == 0, other.stderr
    assert "UNAVAILABLE" in other.stdout, other.stdout
    assert f"{ending} has ended, or given up its devices, before its part was done" in other.stdout, other.stdout


def test_runs_in_flight_at_the_end_of_a_process_are_finished():
    for ran in run("""
heavy = over_all(lambda x: lax.fori_loop(0, 300, lambda i, m: lax.pmax(m @ m, "i"), jnp.eye(300) * x[0]).sum()[None])
for _ in range(3):
    y = heavy(x * 0 + 1)
if process == 0:
    print(np.asarray(y.addressable_shards[0].data))
"""):
        assert ran.returncode == 0, ran.stderr
        assert "Traceback" not in ran.stderr, ran.stderr
        assert ran.stdout in ("", "[300.]\n"), ran.stdout


def test_errors_of_runs_are_of_one_exception_and_say_who_is_at_fault():
    first, second = run("""
def fail(x):
    if process == 1 and armed:
        raise KeyError("bad batch")
    return np.asarray(x)


armed = False
g = over_all(lambda x: lax.psum(jax.pure_callback(fail, jax.ShapeDtypeStruct(x.shape, x.dtype), x), "i"))
for _ in range(3):
    g(x).block_until_ready()
armed = True
seen = set()
for at in range(40):
    try:
        y = (g if at == 0 else f)(x)
        if at % 2:
            time.sleep(0.01)
        y.block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        seen.add(str(error).split(":")[0])
        if at == 0:
            print(error)
print(*seen)
""")
    assert first.returncode == 0, first.stderr
    assert second.returncode == 0, second.stderr
    assert "1 failed" in first.stdout and "bad batch" in first.stdout, first.stdout
    assert first.stdout.endswith("\nUNAVAILABLE\n"), first.stdout
    # The failing process knows its own error, and what has become of later runs.
    assert second.stdout.startswith("INTERNAL: [jarrah_host_callback] KeyError: 'bad batch'"), second.stdout
    assert set(second.stdout.splitlines()[-1].split()) == {"INTERNAL", "UNAVAILABLE"}, second.stdout


@pytest.mark.parametrize("ending", [0, 1])
def test_a_process_that_ends_before_it_asks_for_its_devices_is_told_to_those_that_wait(ending):
    begin = "import jarrah_pjrt" + BEGIN[: BEGIN.index("mesh = ")]
    ran = run(f"""
if process == {ending}:
    sys.exit(5)
try:
    jax.devices()
except RuntimeError as error:
    print(error)
""", begin)
    assert ran[ending].returncode == 5, ran[ending].stderr
    said = f"process {ending} ended before it joined" if ending else "process 0 has ended, and had not asked for its devices"
    assert said in ran[1 - ending].stdout, ran[1 - ending]
