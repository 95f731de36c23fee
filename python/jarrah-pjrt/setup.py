"""Builds the plugin with cargo and puts it into a wheel for any Python 3 of this platform."""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

WORKSPACE = pathlib.Path(__file__).resolve().parents[2]
CRATE = "jarrah-pjrt-plugin"
LIBRARY = "libjarrah_pjrt_plugin.so"


def build_library() -> pathlib.Path:
    """The shared library: the one that `$JARRAH_PJRT_LIBRARY` names, or built here without debug information."""
    named = os.environ.get("JARRAH_PJRT_LIBRARY")
    if named:
        return pathlib.Path(named)
    if not (WORKSPACE / "crates" / "pjrt-plugin").is_dir():
        sys.exit(f"error: {WORKSPACE} is not Jarrah's repository: install this package from a checkout of all of it")
    cargo = shutil.which("cargo")
    if cargo is None:
        sys.exit(
            "error: the plugin is built with cargo, which is not on PATH: install Rust, or set"
            f" JARRAH_PJRT_LIBRARY to a {LIBRARY} that was built elsewhere"
        )
    command = [cargo, "rustc", "--release", "--locked", "--package", CRATE, "--lib", "--crate-type", "cdylib"]
    built = subprocess.run([*command, "--", "-C", "strip=symbols"], cwd=WORKSPACE, check=False)
    if built.returncode != 0:
        sys.exit(f"error: cargo could not build {CRATE}; its messages are above (`pip install -v` shows them)")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return WORKSPACE / target / "release" / LIBRARY


class BuildWithLibrary(build_py):
    """Adds the shared library to the package; an editable install finds it by `$JARRAH_PJRT_LIBRARY`."""

    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copyfile(build_library(), pathlib.Path(self.build_lib, "jarrah_pjrt", LIBRARY))


class PlatformWheel(bdist_wheel):
    """Tags the wheel for this platform and any Python 3: no extension module is in it."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    """A distribution that is not the same on all platforms."""

    def has_ext_modules(self):
        return True


setup(distclass=PlatformDistribution, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
