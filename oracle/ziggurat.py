"""The tables of NumPy's ziggurats, which `jarrah_data::random` needs to draw the bits that NumPy draws.

    python oracle/ziggurat.py        # crates/data/src/random/ziggurat.bin

The file has six tables of 256 little-endian words: thresholds `k` (u64), widths `w` and heights `f` (f64) of the normal distribution, then those of
the exponential one. NumPy's normal tables were computed in doubles, by a recurrence that no higher precision repeats bit by bit, so they are
found in the library's read-only data: by the equations of Marsaglia and Tsang, to a relative error of 1e-12.

Needs numpy==2.4.6.
"""

import math
import pathlib
import struct

import numpy
import numpy.random._generator as generator

OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "data" / "src" / "random" / "ziggurat.bin"


def tables(density, inverse, edge, area, bits):
    """Widths, heights and thresholds by the recurrence, in doubles."""
    x = [0.0] * 256
    x[255] = edge
    for i in range(254, 0, -1):
        x[i] = inverse(area / x[i + 1] + density(x[i + 1]))
    x[0] = area / density(edge)
    scale = 2.0**bits
    k = [edge / x[0] * scale, 0.0] + [x[i - 1] / x[i] * scale for i in range(2, 256)]
    return [("Q", k), ("d", [v / scale for v in x]), ("d", [1.0] + [density(v) for v in x[1:]])]


def main():
    assert numpy.__version__ == "2.4.6", numpy.__version__
    library = pathlib.Path(generator.__file__).read_bytes()
    normal = tables(lambda x: math.exp(-x * x / 2), lambda y: math.sqrt(-2 * math.log(y)), 3.6541528853610088, 0.004928673233974654, 52)
    exponential = tables(lambda x: math.exp(-x), lambda y: -math.log(y), 7.69711747013104972, 0.0039496598225815571993, 53)
    out = b""
    for kind, expected in normal + exponential:
        found = set()
        for start in range(0, len(library) - 2048, 8):
            got = struct.unpack_from("<256" + kind, library, start)
            if all(abs(g - e) <= 1e-9 * abs(e) for g, e in ((got[i], expected[i]) for i in (200, 100, 2))):
                assert all(abs(g - e) <= 1e-12 * abs(e) + 4 * (kind == "Q") for g, e in zip(got[2:], expected[2:]))
                found.add(library[start : start + 2048])
        assert len(found) == 1, (kind, len(found))
        out += found.pop()
    OUT.write_bytes(out)


main()
