"""Checkpoints of `torch.distributed.checkpoint`, and the values that they stand for.

Writes `crates/formats/tests/golden/distcp/`: a folder for each checkpoint, and beside it `NAME.safetensors` with the tensors, by the names that
the checkpoint has for them.

* `one`: a process alone: every element type, a transposed tensor, dictionaries and lists with numbers and texts.
* `two`: two processes: a model under `fully_shard`, whose rows do not divide evenly, and its momentum, after a step.
* `four`: a mesh of two by two: tensors cut along one axis and along both, evenly or not, replicated ones, and a rank that has no column.

    python oracle/torch_distributed.py FOLDER

writes them to another folder. Processes talk by gloo on the loopback interface. Identifiers of saves differ from run to run.

Needs torch==2.15.0 beside `requirements.txt`.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import warnings

import common

import numpy as np
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from safetensors.torch import save_file
from torch.distributed.checkpoint.state_dict import get_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "formats" / "tests" / "golden" / "distcp"
TYPES = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64",
         "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]


def tensor(stream, shape, dtype=torch.float32):
    return torch.from_numpy(common.unit(stream, shape) * np.float32(60)).to(dtype)


def flat(value, name=""):
    """The tensors of a state, whole, by name: keys with dots between them."""
    if isinstance(value, torch.Tensor):
        whole = value.full_tensor() if isinstance(value, DTensor) else value
        return {name: whole.detach().clone().contiguous()}
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    out = {}
    for key, child in children:
        out |= flat(child, f"{name}.{key}" if name else str(key))
    return out


def save(folder, name, state):
    values = flat(state)
    # The metadata has the path as it is given.
    os.chdir(folder)
    dcp.save(state, checkpoint_id=pathlib.Path(name), no_dist=not dist.is_initialized())
    if not dist.is_initialized() or dist.get_rank() == 0:
        save_file(values, folder / f"{name}.safetensors")


def one(folder):
    state = {name: tensor(i, (3,), getattr(torch, name)) for i, name in enumerate(TYPES)}
    state |= {"turned": tensor(30, (4, 6)).t(), "scalar": torch.tensor(1.5), "empty": torch.zeros(0, 4)}
    state["nested"] = {"lr": 0.1, "name": "a", "list": [torch.ones(2), 3]}
    save(folder, "one", state)


def two(folder):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 5)
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    model(tensor(40, (3, 4)) / 60).sum().backward()
    optimizer.step()
    weights, moments = get_state_dict(model, optimizer)
    save(folder, "two", {"model": weights, "optim": {"state": moments["state"]}, "step": 1})


def four(folder):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    line = init_device_mesh("cpu", (4,))
    cuts = {
        "uneven": (line, (7, 3), [Shard(0)]),
        "columns": (line, (3, 9), [Shard(1)]),
        "both": (mesh, (5, 7), [Shard(0), Shard(1)]),
        "middle": (mesh, (2, 5, 3), [Replicate(), Shard(1)]),
        "last": (mesh, (3, 2, 5), [Shard(0), Shard(2)]),
        "replicated": (mesh, (2, 3), [Replicate(), Replicate()]),
    }
    state = {}
    for i, (name, (on, shape, placements)) in enumerate(cuts.items()):
        dtype = [torch.float32, torch.bfloat16, torch.int64, torch.float16, torch.uint8][i % 5]
        state[name] = distribute_tensor(tensor(50 + i, shape, dtype), on, placements)
    state["names"] = ["a", 1]
    save(folder, "four", state)


def process(rank, world, folder, run):
    warnings.simplefilter("ignore")
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    with_store = f"file://{folder}/store-{world}"
    dist.init_process_group("gloo", init_method=with_store, rank=rank, world_size=world)
    run(folder)
    dist.destroy_process_group()


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        one(folder)
        for run, world in ((two, 2), (four, 4)):
            mp.spawn(process, (world, folder, run), nprocs=world)
            (folder / f"store-{world}").unlink(missing_ok=True)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(folder, out)


if __name__ == "__main__":
    main()
