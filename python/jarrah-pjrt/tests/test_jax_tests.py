"""The runner of JAX's own tests, on a test file that does everything that can go wrong."""

import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from conformance.results import Result, Selection, read_ids, read_results, write_ids

RUNNER = pathlib.Path(__file__).parents[1] / "jax_tests.py"

BAD = """
import ctypes, os, time, unittest
import jax, jax.numpy as jnp, numpy as np
from absl.testing import parameterized
from jax._src import test_util as jtu

class A(jtu.JaxTestCase):
  @parameterized.parameters(1, 2)
  def test_passes(self, n): self.assertEqual(float(jnp.float32(n) + 1), n + 1)
  def test_crashes(self): ctypes.string_at(0)
  def test_exits(self): os._exit(3)
  def test_hangs(self): time.sleep(1000)
  def test_differs(self): self.assertAllClose(jnp.ones(3), jnp.zeros(3))
  def test_subtests(self):
    for i in range(3):
      with self.subTest(i): self.assertEqual(i, 1)
  def test_is_skipped(self): raise unittest.SkipTest("no")
  @unittest.expectedFailure
  def test_should_fail(self): pass

class B(jtu.JaxTestCase):
  @classmethod
  def setUpClass(cls): raise RuntimeError("no class")
  def test_never_starts(self): pass

class C(jtu.JaxTestCase):
  def xla(self):
    x = jax.device_put(np.ones(3, np.float32), jax.devices("cpu")[0])
    np.testing.assert_allclose(jax.jit(jnp.sin)(x), np.sin(1), rtol=1e-6)
  def test_xla_1(self): self.xla()
  def test_xla_2(self): self.xla()
  def test_xla_in_a_callback(self):
    x = jnp.ones(3)
    f = jax.jit(lambda x: jax.pure_callback(lambda x: jnp.cos(x) + 1, x, x))
    np.testing.assert_allclose(f(x), np.cos(1) + 1, rtol=1e-6)
"""

EXPECTED = {
    "A::test_passes0": "pass",
    "A::test_passes1": "pass",
    "A::test_crashes": "crash",
    "A::test_exits": "crash",
    "A::test_hangs": "timeout",
    "A::test_differs": "fail",
    "A::test_subtests": "fail",
    "A::test_is_skipped": "skip",
    "A::test_should_fail": "fail",
    "B::test_never_starts": "fail",
    "C::test_xla_in_a_callback": "pass",
}


def run(folder: pathlib.Path, *options: str) -> subprocess.CompletedProcess:
    """Runs the runner on `folder/bad_test.py`."""
    (folder / "bad_test.py").write_text(BAD)
    command = [sys.executable, RUNNER, "--out", folder / "out.tsv", "--files", "bad_test", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("platform", ["jarrah", "cpu"])
def test_each_test_gets_its_result(tmp_path, platform):
    options = ["--tests", str(tmp_path), "--platform", platform, "--timeout", "10"]
    ran = run(tmp_path, *options)
    assert ran.returncode == 0, ran.stderr
    results = read_results(tmp_path / "out.tsv")
    # On another backend than XLA's CPU no test may use that, whatever was compiled before.
    xla = "pass" if platform == "cpu" else "fail"
    expected = {**EXPECTED, "C::test_xla_1": xla, "C::test_xla_2": xla}
    assert {id: result.result for id, result in results.items()} == {f"bad_test::{id}": r for id, r in expected.items()}
    assert "SIGSEGV" in results["bad_test::A::test_crashes"].cause
    assert "no class" in results["bad_test::B::test_never_starts"].cause
    if platform != "cpu":
        assert "XLA's CPU client compiled jit_sin" in results["bad_test::C::test_xla_2"].cause
    # A second run finds everything done.
    before = (tmp_path / "out.tsv").read_text()
    run(tmp_path, *options)
    assert (tmp_path / "out.tsv").read_text() == before


def test_a_file_that_cannot_be_imported_is_one_crash(tmp_path):
    (tmp_path / "gone_test.py").write_text("import nothing_of_that_name")
    run(tmp_path, "--tests", str(tmp_path), "--platform", "cpu", "--files", "gone_test")
    (result,) = read_results(tmp_path / "out.tsv").values()
    assert (result.id, result.result) == ("gone_test::import::import", "crash")
    assert "ModuleNotFoundError" in result.cause
    (tmp_path / "gone_test.py").write_text(BAD)
    options = ["--only", tmp_path / "one.txt", "--files", "gone_test", "--again"]
    write_ids(tmp_path / "one.txt", ["gone_test::A::test_passes0"])
    run(tmp_path, "--tests", str(tmp_path), "--platform", "cpu", *options)
    assert set(read_results(tmp_path / "out.tsv")) == {"gone_test::A::test_passes0"}


def test_comparison_with_a_list(tmp_path):
    results = [Result(f"bad_test::A::t{i}", "pass" if i else "fail", 0.1, "") for i in range(4)]
    (tmp_path / "out.tsv").write_text("".join(result.line() for result in results))
    write_ids(tmp_path / "list.txt.gz", [*(f"bad_test::A::t{i}" for i in range(4)), "bad_test::A::more"])
    shown = run(tmp_path, "--baseline", str(tmp_path / "list.txt.gz")).stdout
    assert "bad_test::A::more\tnone" in shown and "60.00%" in shown


def test_lists_of_ids(tmp_path):
    for name in ("a.txt", "a.txt.gz"):
        write_ids(tmp_path / name, {"b", "a"})
        first = (tmp_path / name).read_bytes()
        write_ids(tmp_path / name, ["a", "b"])
        assert (tmp_path / name).read_bytes() == first
        assert read_ids(tmp_path / name) == {"a", "b"}
    (tmp_path / "out.tsv").write_text("x\tpass\t0.1\t\ny\tfail\t0.1\twhy\nz\tpa")
    assert read_ids(tmp_path / "out.tsv") == {"x"}
    assert set(read_results(tmp_path / "out.tsv")) == {"x", "y"}


def test_shards_and_samples_are_parts():
    ids = [f"file::Class::test{i}" for i in range(1000)]
    sample = [id for id in ids if Selection(sample=5).has(id)]
    assert 100 < len(sample) < 300
    parts = [{id for id in ids if Selection(shard, 3, 5).has(id)} for shard in range(3)]
    assert set().union(*parts) == set(sample) and sum(map(len, parts)) == len(sample)


TEAM = """
import os, time
import jax, jax.numpy as jnp, numpy as np
from jax._src import test_multiprocess

class A(test_multiprocess.MultiProcessTest):
  def test_a_sum(self):
    self.assertEqual(jax.device_count(), 2)
    x = jax.pmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")(jnp.ones(1))
    self.assertEqual(float(x.addressable_data(0)[0]), 2)
  def test_fails_in_one(self): self.assertEqual(jax.process_index(), 0)
  def test_is_left_by_one(self):
    if jax.process_index() == 1: os._exit(3)
    time.sleep(1000)
  def test_is_skipped_by_one(self):
    if jax.process_index() == 1: self.skipTest("no")
  def test_is_skipped_by_all(self): self.skipTest("no")
  def test_waits_for_one_that_failed(self):
    if jax.process_index() == 0: self.fail("not here")
    time.sleep(1000)
"""

OF_THE_TEAM = {
    "test_a_sum": ("pass", ""),
    "test_fails_in_one": ("fail", "1 != 0"),
    "test_is_left_by_one": ("crash", "exit code 3"),
    "test_is_skipped_by_one": ("pass", ""),
    "test_is_skipped_by_all": ("skip", "no"),
    "test_waits_for_one_that_failed": ("fail", "not here"),
}


def test_tests_of_two_processes(tmp_path):
    (tmp_path / "team_test.py").write_text(TEAM)
    command = [sys.executable, RUNNER, "--tests", tmp_path, "--out", tmp_path / "out.tsv", "--files", "team_test"]
    command += ["--platform", "cpu", "--processes", "2", "--timeout", "10"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    results = read_results(tmp_path / "out.tsv")
    assert {id: result.result for id, result in results.items()} == {
        f"team_test::A::{name}": result for name, (result, _) in OF_THE_TEAM.items()
    }
    for name, (_, cause) in OF_THE_TEAM.items():
        assert cause in results[f"team_test::A::{name}"].cause
