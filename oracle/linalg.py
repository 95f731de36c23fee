"""What `jax.lax.linalg`, `jax.lax.fft` and `jax.lax.rng_bit_generator` compute, with derivatives.

Writes `linalg.json` and `linalg.safetensors`. The README has the layout.  Everything runs in f64 or c128 on inputs that
are exact in f32, so that a test may run in either width.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
from jax._src.lax import linalg as internal
from jax._src.lib import xla_client
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

jax.config.update("jax_enable_x64", True)
linalg = jax.lax.linalg


def schur(a, compute_vectors):
    return tuple(linalg.schur(a, compute_schur_vectors=compute_vectors))[: 2 if compute_vectors else 1]


def svd(a, full_matrices, compute_uv):
    out = linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)
    return (out[1], out[0], out[2]) if compute_uv else (out,)


def eig(a, left, right):
    return tuple(linalg.eig(a, compute_left_eigenvectors=left, compute_right_eigenvectors=right, enable_eigvec_derivs=True))


TRANSPOSES = {"NO_TRANSPOSE": (False, False), "TRANSPOSE": (True, False), "ADJOINT": (True, True)}


def triangular_solve(a, b, left_side, lower, unit_diagonal, transpose_a):
    transpose, conjugate = TRANSPOSES[transpose_a]
    return (linalg.triangular_solve(a, b, left_side=left_side, lower=lower, unit_diagonal=unit_diagonal,
                                    transpose_a=transpose, conjugate_a=conjugate),)


# The results of each op, and how a result may differ: not at all, by the phase of columns or rows, by the order of values.
OPS = {
    "cholesky": (lambda a: (linalg.cholesky(a, symmetrize_input=False),), ["same"]),
    "triangular_solve": (triangular_solve, ["same"]),
    "lu": (lambda a: tuple(linalg.lu(a)), ["same", "same", "same"]),
    "qr": (lambda a, full_matrices: tuple(linalg.qr(a, full_matrices=full_matrices)), ["same", "same"]),
    "geqrf": (lambda a: tuple(internal.geqrf(a)), ["same", "same"]),
    "householder_product": (lambda a, t: (linalg.householder_product(a, t),), ["same"]),
    "eigh": (lambda a, lower: tuple(linalg.eigh(a, lower=lower, symmetrize_input=False)), ["columns", "same"]),
    "svd": (svd, ["same", "columns", "rows"]),
    "eig": (eig, ["values", "vectors", "vectors"]),
    "schur": (schur, ["schur", "schur"]),
    "hessenberg": (lambda a: tuple(linalg.hessenberg(a)), ["same", "same"]),
    "tridiagonal": (lambda a, lower: tuple(linalg.tridiagonal(a, lower=lower)), ["same"] * 4),
    "tridiagonal_solve": (lambda *x: (linalg.tridiagonal_solve(*x),), ["same"]),
    "fft": (lambda x, kind, lengths: (jax.lax.fft(x, getattr(jax.lax.FftType, kind), tuple(lengths)),), ["same"]),
}


class Cases:
    def __init__(self):
        self.cases, self.tensors, self.stream = [], {}, 7000

    def numbers(self, shape, is_complex):
        self.stream += 1
        parts = common.unit(self.stream, (*shape, 2)).astype(np.float64)
        return parts[..., 0] + 1j * parts[..., 1] if is_complex else parts[..., 0]

    def store(self, name, kind, values):
        for i, value in enumerate(values):
            value = np.asarray(value)
            if np.iscomplexobj(value):
                value = np.stack([value.real, value.imag], axis=-1)
            self.tensors[f"{name}/{kind}/{i}"] = value

    def add(self, op, inputs, derivatives=(), hermitian=False, scale=1.0, **attributes):
        """`derivatives` names what is recorded besides results: `jvp`, `vjp`."""
        run, compare = OPS[op]
        name = f"{len(self.cases):03}.{op}"
        inputs = [jnp.asarray(x) for x in inputs]
        f = lambda *x: run(*x, **attributes)
        out = f(*inputs)
        self.store(name, "in", inputs)
        self.store(name, "out", out)
        smooth = [jnp.issubdtype(o.dtype, jnp.inexact) for o in out]
        if "jvp" in derivatives:
            dots = [self.numbers(x.shape, np.iscomplexobj(x)) for x in inputs]
            if hermitian:
                dots = [d + np.conj(np.swapaxes(d, -1, -2)) for d in dots]
            _, dots_out = jax.jvp(f, inputs, dots)
            self.store(name, "dot", dots)
            self.store(name, "outdot", [d for d, s in zip(dots_out, smooth) if s])
        if "vjp" in derivatives:
            g = lambda *x: [o for o, s in zip(f(*x), smooth) if s]
            primal, pull = jax.vjp(g, *inputs)
            cts = [self.numbers(o.shape, np.iscomplexobj(o)).astype(o.dtype) for o in primal]
            self.store(name, "ct", cts)
            self.store(name, "inct", pull(cts))
        self.cases.append(dict(name=name, op=op, attributes=attributes, inputs=len(inputs), results=len(out),
                               complex=[bool(np.iscomplexobj(x)) for x in inputs],
                               complex_results=[bool(np.iscomplexobj(x)) for x in out],
                               compare=compare[: len(out)] if op != "eig" else ["values"] + ["vectors"] * (len(out) - 1),
                               derivatives=list(derivatives), hermitian=hermitian))


def hermitian(x):
    n = x.shape[-1]
    return x + np.conj(np.swapaxes(x, -1, -2)) + np.diag(np.arange(n) * 0.5 + 1.0)


def decompositions(c):
    both = ("jvp", "vjp")
    for is_complex in (False, True):
        for shape in ((4, 4), (2, 3, 3), (1, 1), (0, 0), (2, 0, 0), (12, 12)):
            small = shape[-1] < 10
            derivatives = both if small and shape[-1] > 0 else ()
            x = c.numbers(shape, is_complex)
            h = hermitian(x)
            positive = x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(shape[-1]) if shape[-1] else x
            positive = positive.astype(np.complex64 if is_complex else np.float32).astype(x.dtype)
            positive = (positive + np.conj(np.swapaxes(positive, -1, -2))) / 2
            c.add("cholesky", [positive], derivatives, hermitian=True)
            shifted = x + 2 * np.eye(shape[-1])
            for options in (dict(left_side=True, lower=True, unit_diagonal=False, transpose_a="NO_TRANSPOSE"),
                            dict(left_side=True, lower=False, unit_diagonal=True, transpose_a="TRANSPOSE"),
                            dict(left_side=False, lower=True, unit_diagonal=False, transpose_a="ADJOINT"),
                            dict(left_side=False, lower=False, unit_diagonal=False, transpose_a="NO_TRANSPOSE")):
                if not small:
                    continue
                other = (*shape[:-2], shape[-1], 2) if options["left_side"] else (*shape[:-2], 5, shape[-1])
                c.add("triangular_solve", [shifted, c.numbers(other, is_complex)], derivatives, **options)
            for lower in (True, False):
                c.add("eigh", [h], ("jvp",) if derivatives else (), hermitian=True, lower=lower)
                if shape[-1]:
                    c.add("tridiagonal", [h], lower=lower)
            if shape[-1]:
                c.add("hessenberg", [x])
                c.add("schur", [x], compute_vectors=True)
            spread = x + np.diag(np.arange(shape[-1]) * 0.75)
            c.add("eig", [spread], derivatives[:1], left=True, right=True)
            c.add("eig", [spread], derivatives[:1], left=False, right=False)
        for shape in ((4, 4), (5, 3), (3, 5), (2, 4, 2), (2, 2, 3), (1, 4), (3, 0), (0, 3), (13, 7)):
            m, n = shape[-2:]
            derivatives = both if 0 < min(m, n) and max(m, n) < 10 else ()
            x = c.numbers(shape, is_complex)
            c.add("lu", [x], derivatives)
            for full in (False, True):
                c.add("qr", [x], derivatives, full_matrices=full)
                if min(m, n) and not (max(m, n) > 10 and full):
                    jvp = ("jvp",) if derivatives and (not full or m == n) else ()
                    c.add("svd", [x], jvp, full_matrices=full, compute_uv=True)
            c.add("svd", [x], derivatives, full_matrices=False, compute_uv=False)
            if min(m, n):
                c.add("geqrf", [x])
            if m >= n:
                packed, taus = internal.geqrf(jnp.asarray(x, np.complex64 if is_complex else np.float32))
                wide = np.complex128 if is_complex else np.float64
                c.add("householder_product", [np.asarray(packed, wide), np.asarray(taus, wide)])
        for shape in ((5, 2), (2, 4, 1), (1, 3), (15, 1)):
            bands = [c.numbers(shape[:-1], is_complex) for _ in range(3)]
            bands[1] = bands[1] + 0.125
            derivatives = both if shape[-2] < 10 else ()
            c.add("tridiagonal_solve", [*bands, c.numbers(shape, is_complex)], derivatives)


def transforms(c):
    for n in (1, 2, 3, 4, 7, 8, 12, 17, 30, 97):
        derivatives = ("jvp", "vjp") if n < 9 else ()
        for kind in ("FFT", "IFFT"):
            c.add("fft", [c.numbers((2, n), True)], derivatives, kind=kind, lengths=[n])
        c.add("fft", [c.numbers((2, n), False)], derivatives, kind="RFFT", lengths=[n])
        c.add("fft", [c.numbers((2, n // 2 + 1), True)], derivatives, kind="IRFFT", lengths=[n])
    for lengths in ((3, 4), (4, 5), (2, 3, 4), (3, 2, 5)):
        half = (*lengths[:-1], lengths[-1] // 2 + 1)
        for kind in ("FFT", "IFFT"):
            c.add("fft", [c.numbers((2, *lengths), True)], ("jvp", "vjp"), kind=kind, lengths=lengths)
        c.add("fft", [c.numbers((2, *lengths), False)], ("jvp", "vjp"), kind="RFFT", lengths=lengths)
        c.add("fft", [c.numbers(half, True)], ("jvp", "vjp"), kind="IRFFT", lengths=lengths)


def random_bits(c):
    """StableHLO text, compiled: states of three words and floats are more than `jax.lax` passes on."""
    backend = jax.devices("cpu")[0].client

    def run(algorithm, state, shape, dtype):
        words = f"tensor<{len(state)}xui64>"
        bits = f"tensor<{''.join(f'{d}x' for d in shape)}{dtype}>"
        text = f"""func.func @main(%a: {words}) -> ({words}, {bits}) {{
          %s, %o = stablehlo.rng_bit_generator %a, algorithm = {algorithm} : ({words}) -> ({words}, {bits})
          return %s, %o : {words}, {bits}
        }}"""
        with mlir.make_ir_context():
            devices = xla_client.DeviceList(tuple(jax.devices("cpu")[:1]))
            program = backend.compile_and_load(ir.Module.parse(text), devices, xla_client.CompileOptions())
        out = program.execute_sharded([jax.device_put(state)]).disassemble_into_single_device_arrays()
        return [np.asarray(x[0]) for x in out]

    cases = []
    for algorithm, size in (("DEFAULT", 2), ("THREE_FRY", 2), ("PHILOX", 3)):
        for state in ([0x123456789ABCDEF0, 0x0FEDCBA987654321, 7], [5, 2**64 - 2, 2**64 - 1]):
            state = np.array(state[:size], np.uint64)
            for shape in ((), (1,), (5,), (8,), (3, 5), (2, 3), (7, 4), (3, 3, 3), (3, 5, 2), (0,), (129,)):
                for dtype in ("ui8", "ui16", "ui32", "ui64", "f32"):
                    if dtype == "f32" and shape != (5,):
                        continue
                    name = f"bits.{len(cases):03}"
                    after, bits = run(algorithm, state, shape, dtype)
                    c.tensors[f"{name}/state"], c.tensors[f"{name}/after"] = state, after
                    c.tensors[f"{name}/bits"] = bits
                    cases.append(dict(name=name, algorithm=algorithm, dtype=dtype))
    return cases


def main():
    c = Cases()
    decompositions(c)
    transforms(c)
    bits = random_bits(c)
    common.save_json("linalg.json", dict(cases=c.cases, bits=bits), compact=True)
    common.save_tensors("linalg.safetensors", c.tensors)


if __name__ == "__main__":
    main()
