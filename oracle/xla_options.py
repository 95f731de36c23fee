"""Writes `crates/pjrt-plugin/src/xla_options.tsv`: the options of XLA's compiler and their types, as jaxlib describes them.

jaxlib's library holds the description of `xla.proto` in serialized form. Its message `DebugOptions` has a field for each
option.
"""

import pathlib

import jaxlib
from google.protobuf import descriptor_pb2

OUT = pathlib.Path(__file__).parent.parent / "crates/pjrt-plugin/src/xla_options.tsv"
NAME = b"\x0a\x0dxla/xla.proto"  # How the description begins: its field 1, the name of the file.
LAST = 14  # The largest number of a field of `FileDescriptorProto`.


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def message(data: bytes) -> bytes:
    """The description: fields whose contents have a length, one after another."""
    start = at = data.index(NAME)
    while (data[at] & 7) == 2 and 0 < data[at] >> 3 <= LAST:
        size, at = varint(data, at + 1)
        at += size
    return data[start:at]


library = pathlib.Path(jaxlib.__file__).parent / "libjax_common.so"
file = descriptor_pb2.FileDescriptorProto.FromString(message(library.read_bytes()))
(options,) = (m for m in file.message_type if m.name == "DebugOptions")
types = descriptor_pb2.FieldDescriptorProto.Type
lines = []
for field in options.field:
    repeated = field.label == descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED
    kind = types.Name(field.type).removeprefix("TYPE_").lower()
    lines.append(f"{field.name}\t{'repeated ' * repeated}{kind}\n")
OUT.write_text("".join(sorted(lines)))
