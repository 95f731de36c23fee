"""DLPack of arrays on this platform: `np.from_dlpack(x)` and `torch.from_dlpack(x)` read the array where it lies.

jaxlib makes capsules for the platforms that it knows by name. Here NumPy makes them, from its view of the array's memory,
which keeps that memory for as long as the capsule's consumer wants it, also when the array is deleted or donated.
"""

import ctypes
import functools

import numpy as np

# The types that NumPy has no DLPack code for, by their codes. All have one byte or two.
CODES = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
# Capsules older than this cannot be made, those with a flag for memory that may not be written are from the second on.
OLDEST, READ_ONLY = (0, 5), (1, 0)


class Tensor(ctypes.Structure):
    """The beginning of `DLTensor`."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    ]


class Versioned(ctypes.Structure):
    """The beginning of `DLManagedTensorVersioned`; without a version the tensor comes first."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


STRUCTS = {b"dltensor": Tensor, b"dltensor_versioned": Versioned}


def writable(array: np.ndarray) -> np.ndarray:
    """The same memory without NumPy's mark that it is not to be written, which a capsule without version cannot carry."""
    memory = (ctypes.c_uint8 * array.nbytes).from_address(array.ctypes.data)
    memory.owner = array
    return np.frombuffer(memory, array.dtype).reshape(array.shape) if array.size else np.empty_like(array)


def with_code(capsule: object, code: int) -> object:
    """The capsule, its elements of another type of as many bits."""
    from .ffi import address

    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    managed = STRUCTS[name(capsule)].from_address(address(capsule))
    getattr(managed, "tensor", managed).code = code
    return capsule


def capsule(x, *, versioned: bool, copy: bool | None) -> object:
    """A capsule of the array, on the host; raises `BufferError` for types of less than a byte."""
    code = CODES.get(x.dtype.name)
    # NumPy counts 1 for its own types, 2 for those that packages add.
    if code is None and x.dtype.isbuiltin != 1:
        raise BufferError(f"arrays of {x.dtype.name} cannot be given away by DLPack: elements have whole bytes there")
    array = np.asarray(x)
    shared = not array.size or array.ctypes.data == x.unsafe_buffer_pointer()
    if copy:
        array = array.copy()
    elif copy is False and not shared:
        raise BufferError("copy=False, but the array does not lie in memory of the host")
    if code is not None:
        array = array.view(np.dtype(f"u{array.itemsize}"))
    # NumPy before 2.1 makes capsules without version only.
    if versioned and np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        made = array.__dlpack__(max_version=READ_ONLY)
    else:
        made = (array if array.flags.writeable else writable(array)).__dlpack__()
    return made if code is None else with_code(made, code)


def register(platform: str) -> None:
    """Gives JAX's arrays on a platform `__dlpack__` and `__dlpack_device__`; arrays elsewhere keep what they have.

    A JAX that has its arrays or these methods in another place stays as it is.
    """
    try:
        from jax._src.array import ArrayImpl
        from jax._src.typing import DLDeviceType

        to_capsule, to_device = ArrayImpl.__dlpack__, ArrayImpl.__dlpack_device__
    except (ImportError, AttributeError):
        return
    host = DLDeviceType.kDLCPU

    def is_ours(x) -> bool:
        devices = x.sharding.device_set
        return len(devices) == 1 and next(iter(devices)).platform == platform

    @functools.wraps(to_capsule)
    def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        # Devices of other kinds, and versions that nobody makes, are JAX's to refuse or to copy to.
        old = max_version is not None and tuple(max_version) < OLDEST
        if not is_ours(self) or old or dl_device not in (None, (host, 0)):
            return to_capsule(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        if stream not in (None, -1):
            raise BufferError(f"stream={stream!r}: memory of the host has no streams")
        return capsule(self, versioned=max_version is not None and tuple(max_version) >= READ_ONLY, copy=copy)

    @functools.wraps(to_device)
    def dlpack_device(self):
        return (host, 0) if is_ours(self) else to_device(self)

    ArrayImpl.__dlpack__, ArrayImpl.__dlpack_device__ = dlpack, dlpack_device
