"""Handlers in C that programs call: `jax.ffi.register_ffi_target(name, capsule, platform="jarrah")`.

jaxlib registers handlers with its own CPU client by itself; with a plugin each package does, by the plugin's extension for
XLA's foreign function interface. A handler is called in the stage of execution only.
"""

import ctypes
import pathlib

TYPE = 5  # The number of the extension.
VERSION = 1  # Of the conventions of calling, the one whose arguments have types.


class Api(ctypes.Structure):
    """The beginning of the plugin's function table."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]


class Extension(ctypes.Structure):
    """An extension, whose last three fields only that for handlers has."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("type", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("type_register", ctypes.c_void_p),
        ("user_data_add", ctypes.c_void_p),
        ("register_handler", ctypes.c_void_p),
    ]


class Arguments(ctypes.Structure):
    """The arguments of `register_handler`."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("target_name", ctypes.c_char_p),
        ("target_name_size", ctypes.c_size_t),
        ("handler", ctypes.c_void_p),
        ("platform_name", ctypes.c_char_p),
        ("platform_name_size", ctypes.c_size_t),
        ("traits", ctypes.c_int),
    ]


class ErrorTable(ctypes.Structure):
    """What can be asked of an error."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("instance_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        (
            "message",
            ctypes.CFUNCTYPE(
                None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
            ),
        ),
    ]


def extension(library: pathlib.Path) -> Extension:
    """The plugin's extension for handlers."""
    get = ctypes.CDLL(str(library)).GetPjrtApi
    get.restype = ctypes.POINTER(Api)
    at = get().contents.extension_start
    while at:
        found = Extension.from_address(at)
        if found.type == TYPE:
            return found
        at = found.next
    raise RuntimeError(f"{library} has no extension for handlers in C")


def check(error: int | None) -> None:
    """Raises what an error says, and frees it."""
    if not error:
        return
    table = ErrorTable.from_address(ctypes.c_void_p.from_address(error).value)
    text, size = ctypes.c_void_p(), ctypes.c_size_t()
    table.message(error, text, size)
    message = ctypes.string_at(text.value, size.value).decode()
    table.destroy(error)
    raise ValueError(message)


def address(capsule: object) -> int:
    """The address in a capsule of Python."""
    name, get = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name(capsule))


def execution(name: str, handler: object) -> object:
    """The capsule of the only stage there is. Raises `NotImplementedError` if the handler has others."""
    if not isinstance(handler, dict):
        return handler
    others = sorted(stage for stage, capsule in handler.items() if stage != "execute" and capsule is not None)
    if others:
        raise NotImplementedError(f"the handler {name} has the stages {', '.join(others)}; only execute is supported")
    return handler["execute"]


def register(platform: str, library: pathlib.Path) -> None:
    """Makes the plugin known as where handlers for `platform` are registered, those that were registered before included."""
    from jax._src.lib import xla_client

    found = extension(library)
    add = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Arguments))(found.register_handler)

    def target(name: str, handler: object, of: str, api_version: int, traits: object = 0) -> None:
        if api_version != VERSION:
            raise NotImplementedError(
                f"the handler {name} takes untyped arguments (version {api_version}); only handlers of XLA's foreign"
                f" function interface (version {VERSION}) are supported"
            )
        names = name.encode(), of.encode()
        arguments = Arguments(
            struct_size=Arguments.traits.offset + Arguments.traits.size,
            target_name=names[0],
            target_name_size=len(names[0]),
            handler=address(execution(name, handler)),
            platform_name=names[1],
            platform_name_size=len(names[1]),
            traits=int(getattr(traits, "value", traits)),
        )
        check(add(arguments))

    xla_client.register_custom_call_handler(platform, target)
