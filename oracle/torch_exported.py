"""Models that PyTorch/XLA exports to portable bytecode, with inputs, outputs and gradients.

Needs an environment of its own: `pip install torch==2.9.0 torch_xla==2.9.0 numpy safetensors`. Writes
`exported/torch_<name>.mlirbc` and `exported/torch.safetensors`: `<name>/in/<i>` in the order of the program's arguments
(parameters first), `<name>/out/<i>`, and for each argument that PyTorch differentiates `<name>/grad/<i>`, the gradient of the
sum over all float outputs of output times sin(1 + number of the element).
"""

import warnings

import common
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch_xla.stablehlo import exported_program_to_stablehlo

warnings.filterwarnings("ignore")


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 16, 3, stride=2, groups=4)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.first(x))), 2)
        x = F.adaptive_avg_pool2d(F.gelu(self.second(x)), 1).flatten(1)
        return F.log_softmax(self.head(x), -1)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(4, 8, 2, batch_first=True)

    def forward(self, x):
        return self.cells(x)[0]


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        self.block = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True)

    def forward(self, tokens):
        return self.block(self.embedding(tokens))


class Attention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


class Upsampling(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 8, 3, stride=2, padding=1, output_padding=1)
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x):
        return torch.tanh(self.norm(F.interpolate(self.up(x), scale_factor=2, mode="bilinear")))


class Functions(nn.Module):
    def forward(self, x):
        order = torch.argsort(x, 1)
        return (
            torch.topk(x, 3)[0],
            torch.sort(x, dim=-1, descending=True)[1],
            torch.cumsum(x, 1),
            torch.einsum("ij,kj->ik", x, x),
            torch.where(x > 0, x, torch.exp(x)),
            torch.linalg.norm(x, dim=-1),
            torch.roll(x, 1, 0),
            torch.argmax(x, -1),
            torch.erf(x),
            x.std(0),
            torch.tril(x),
            x.remainder(0.3),
            torch.logsumexp(x, 1),
            torch.round(x * 3),
            torch.atan2(x, x + 1),
            torch.gather(x, 1, order),
            torch.scatter_add(torch.zeros_like(x), 1, order, x),
        )


def draw(stream, *shape):
    return torch.from_numpy(4 * common.unit(stream, shape))


CASES = {
    "convolutions": (Convolutions, [draw(1, 2, 3, 12, 12)]),
    "recurrent": (Recurrent, [draw(2, 2, 5, 4)]),
    "transformer": (Transformer, [torch.from_numpy(common.integers(3, (2, 7), 20).astype(np.int64))]),
    "attention": (Attention, [draw(4, 2, 2, 6, 4), draw(5, 2, 2, 6, 4), draw(6, 2, 2, 6, 4)]),
    "upsampling": (Upsampling, [draw(7, 2, 4, 3, 3)]),
    "functions": (Functions, [draw(8, 6, 8)]),
}


def weight(y):
    return torch.sin(1 + torch.arange(y.numel(), dtype=torch.float64)).to(y.dtype).reshape(y.shape)


def main():
    tensors = {}
    for name, (model, inputs) in CASES.items():
        torch.manual_seed(0)
        model = model().eval()
        bundle = exported_program_to_stablehlo(torch.export.export(model, tuple(inputs)))
        path = common.GOLDEN / "exported" / f"torch_{name}.mlirbc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bundle.get_stablehlo_bytecode("forward"))

        leaves = [x.clone().requires_grad_() if x.is_floating_point() else x for x in inputs]
        outputs = model(*leaves)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        sum((y * weight(y)).sum() for y in outputs if y.is_floating_point()).backward()
        named = dict(model.named_parameters()) | dict(model.named_buffers())
        for i, location in enumerate(bundle._bundle.stablehlo_funcs[0].meta.input_locations):
            kind = location.type_.name
            if kind == "CONSTANT":
                tensors[f"{name}/in/{i}"] = np.asarray(bundle._bundle.additional_constants[location.position])
                continue
            leaf = named[location.name] if kind == "PARAMETER" else leaves[location.position]
            tensors[f"{name}/in/{i}"] = leaf.detach().numpy()
            if leaf.grad is not None:
                tensors[f"{name}/grad/{i}"] = leaf.grad.numpy()
        for i, y in enumerate(outputs):
            tensors[f"{name}/out/{i}"] = y.detach().numpy()
    common.save_tensors("exported/torch.safetensors", tensors)


if __name__ == "__main__":
    main()
