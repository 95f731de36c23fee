"""Writes `crates/pjrt/tests/abi.tsv`: the layouts of the structs of the PJRT C interface, as a C compiler sees them.

    pjrt_abi.py FOLDER [--cc gcc]

FOLDER is an include folder with `xla/pjrt/c/pjrt_c_api.h` of minor version 114, such as that of the wheel
tf-nightly-cpu 2.22.0.dev20260905; `xla/backends/profiler/plugin/profiler_c_api.h` and `xla/ffi/api/c_api.h` have to be there too. A line is
`struct<TAB>field<TAB>offset`; the lines with the fields `sizeof` and `end` have the struct's size with and without padding. Needs no Python package.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

HEADERS = [
    "xla/ffi/api/c_api.h",
    "xla/backends/profiler/plugin/profiler_c_api.h",
    "xla/pjrt/c/pjrt_c_api.h",
    "xla/pjrt/c/pjrt_c_api_layouts_extension.h",
    "xla/pjrt/c/pjrt_c_api_ffi_extension.h",
    "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h",
    "xla/pjrt/c/pjrt_c_api_profiler_extension.h",
    "xla/pjrt/c/pjrt_c_api_shardings_extension.h",
    "xla/pjrt/c/pjrt_c_api_stream_extension.h",
]
OUT = pathlib.Path(__file__).parent.parent / "crates/pjrt/tests/abi.tsv"


def structs(text):
    """Yields each struct's name and the names of its fields; those of an anonymous union stand in the struct itself."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    for name, body in re.findall(r"struct (\w+) \{(.*?)\n\}", text, flags=re.S):
        body = re.sub(r"union\s*\{|\}", "", body)
        fields = []
        for statement in body.split(";"):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", statement)
            table = re.search(r"_(?:PJRT|XLA_FFI)_API_STRUCT_FIELD\(\s*(\w+)\s*\)", statement)
            last = re.search(r"(\w+)\s*$", statement)
            if found := table or pointer or last:
                fields.append(found.group(1))
        yield name, fields


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cc", default="gcc")
    options = parser.parse_args()
    lines = [f'#include "{header}"' for header in HEADERS]
    lines += ["#include <stdio.h>", "int main(void) {"]
    for header in HEADERS:
        for name, fields in structs((options.folder / header).read_text()):
            lines.append(f'printf("{name}\\tsizeof\\t%zu\\n", sizeof(struct {name}));')
            for field in fields:
                lines.append(f'printf("{name}\\t{field}\\t%zu\\n", offsetof(struct {name}, {field}));')
            end = f"offsetof(struct {name}, {field}) + sizeof(((struct {name}*)0)->{field})"
            lines.append(f'printf("{name}\\tend\\t%zu\\n", {end});')
    lines.append("}")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
        source.write_text("\n".join(lines))
        subprocess.run([options.cc, "-I", options.folder, source, "-o", binary], check=True)
        OUT.write_bytes(subprocess.run([binary], check=True, capture_output=True).stdout)


if __name__ == "__main__":
    main()
