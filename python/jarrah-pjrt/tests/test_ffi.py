"""Handlers in C, written with the header that jaxlib comes with."""

import ctypes
import shutil
import subprocess

import jax
import jax.numpy as jnp
import numpy as np
import pytest

SOURCE = """
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error Affine(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y, float factor, std::string_view name,
                         ffi::Span<const int64_t> shifts) {
  if (name == "bad") return ffi::Error::InvalidArgument("a bad name");
  float shift = 0;
  for (int64_t s : shifts) shift += s;
  for (size_t i = 0; i < x.element_count(); ++i) y->typed_data()[i] = factor * x.typed_data()[i] + shift;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(AffineHandler, Affine,
                              ffi::Ffi::Bind()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>()
                                  .Attr<float>("factor")
                                  .Attr<std::string_view>("name")
                                  .Attr<ffi::Span<const int64_t>>("shifts"));
"""


@pytest.fixture(scope="module")
def handler(tmp_path_factory):
    """The address of the handler, in a capsule."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    folder = tmp_path_factory.mktemp("ffi")
    (folder / "affine.cc").write_text(SOURCE)
    options = ["-std=c++17", "-shared", "-fPIC", "-w", f"-I{jax.ffi.include_dir()}"]
    subprocess.run([compiler, *options, folder / "affine.cc", "-o", folder / "affine.so"], check=True)
    return jax.ffi.pycapsule(ctypes.CDLL(str(folder / "affine.so")).AffineHandler)


def affine(x, name="good", **options):
    call = jax.ffi.ffi_call("test_affine", jax.ShapeDtypeStruct(x.shape, x.dtype), **options)
    return call(x, factor=np.float32(2), name=name, shifts=np.array([1, 2], np.int64))


def test_a_program_calls_a_handler(backends, handler):
    jax.ffi.register_ffi_target("test_affine", handler, platform="jarrah")
    with jax.default_device(backends.ours):
        x = jnp.arange(6.0).reshape(2, 3)
        np.testing.assert_array_equal(jax.jit(affine)(x), 2 * np.asarray(x) + 3)
        sequential = jax.vmap(lambda x: affine(x, vmap_method="sequential"))
        np.testing.assert_array_equal(sequential(x), 2 * np.asarray(x) + 3)
        with pytest.raises(jax.errors.JaxRuntimeError, match="a bad name"):
            jax.block_until_ready(affine(x, name="bad"))


def test_handlers_that_cannot_be_called_are_refused(backends, handler):
    with pytest.raises(NotImplementedError, match="untyped arguments"):
        jax.ffi.register_ffi_target("test_untyped", handler, platform="jarrah", api_version=0)
    with pytest.raises(NotImplementedError, match="instantiate"):
        stages = {"instantiate": handler, "execute": handler}
        jax.ffi.register_ffi_target("test_stages", stages, platform="jarrah")
    with jax.default_device(backends.ours), pytest.raises(jax.errors.JaxRuntimeError, match="test_unheard"):
        jax.jit(lambda x: jax.ffi.ffi_call("test_unheard", jax.ShapeDtypeStruct((), x.dtype))(x))(1.0)
