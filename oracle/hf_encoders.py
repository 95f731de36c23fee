"""Tiny random checkpoints of BERT, T5, ViT and ResNet as transformers makes them, with its outputs and gradients.

    python oracle/hf_encoders.py crates/models/tests

Each folder of `encoders/` has config.json and weights as `save_pretrained` writes them, and expected.safetensors: what goes in (`tokens`, `types`, `target`,
`pixels`, features last), what comes out (`output`), the same of a batch filled up on the right (`mask`, `masked`), of T5 its logits for another text
(`logits`), of BERT the vectors of texts (`mean`, `first`), and two numbers of each gradient of the mean of outputs times cosines (`grad.*`, by the names of the
files). Everything but what a parameter is stored in is f32.

Needs torch==2.15.0 and transformers==5.24.0 beside `requirements.txt`.
"""

import copy
import sys
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import *  # noqa: F403

assert transformers.__version__.startswith("5."), transformers.__version__

TEXT = dict(vocab_size=24, hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=32)
PICTURE = dict(hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4, image_size=12, patch_size=4)
PAIR = dict(vocab_size=24, d_model=16, d_kv=6, d_ff=20, num_layers=2, num_heads=3)

# Name: the class, its configuration, how it is stored.
MODELS = {
    "bert": (BertForMaskedLM, BertConfig(**TEXT), {}),
    "bert_vectors": (BertModel, BertConfig(**TEXT | dict(type_vocab_size=3, hidden_act="gelu_new", layer_norm_eps=1e-3)), "bf16"),
    "bert_classes": (BertForSequenceClassification, BertConfig(num_labels=5, **TEXT | dict(hidden_act="relu", num_attention_heads=2)), "shards"),
    "t5": (T5ForConditionalGeneration, T5Config(**PAIR), {}),
    "t5_gated": (T5ForConditionalGeneration, T5Config(num_decoder_layers=3, feed_forward_proj="gated-gelu", tie_word_embeddings=False, **PAIR), "bf16"),
    "t5_near": (T5ForConditionalGeneration, T5Config(relative_attention_num_buckets=8, relative_attention_max_distance=12, layer_norm_epsilon=1e-3, **PAIR), "shards"),
    "vit": (ViTForImageClassification, ViTConfig(num_labels=3, **PICTURE), {}),
    "vit_states": (ViTModel, ViTConfig(qkv_bias=False, **PICTURE | dict(image_size=8, num_channels=1)), "bf16"),
    "vit_tanh": (ViTForImageClassification, ViTConfig(num_labels=7, layer_norm_eps=1e-3, **PICTURE | dict(hidden_act="gelu_new", image_size=16, patch_size=8)), "shards"),
    "resnet": (ResNetForImageClassification, ResNetConfig(embedding_size=6, hidden_sizes=[8, 12], depths=[1, 2], num_labels=3), {}),
    "resnet_basic": (ResNetForImageClassification, ResNetConfig(embedding_size=6, hidden_sizes=[6, 10], depths=[2, 1], layer_type="basic", num_labels=4), "bf16"),
    "resnet_early": (ResNetModel, ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], downsample_in_first_stage=True, downsample_in_bottleneck=True, num_channels=1), "shards"),
}


def numbers(model, generator):
    for name, tensor in model.state_dict().items():
        if name.endswith("running_var"):
            tensor.copy_(torch.rand(tensor.shape, generator=generator) + 0.5)
        elif tensor.is_floating_point():
            center = 1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0
            tensor.copy_(torch.randn(tensor.shape, generator=generator) * (0.3 if tensor.dim() > 1 else 0.4) + center)
        elif name.endswith("num_batches_tracked"):
            tensor.fill_(7)


def probe(x):
    return torch.cos(torch.arange(1, x.numel() + 1, dtype=torch.float64)).to(x.dtype).reshape(x.shape)


def output(model, inputs):
    out = model(**inputs)
    return out.logits if "logits" in out else out.last_hidden_state


def names_of_file(model, storage):
    """The names of modules by those of the file: a model whose parameters are numbered is saved and compared."""
    import tempfile

    marked = copy.deepcopy(model)
    parameters = dict(marked.named_parameters())
    with torch.no_grad():
        for i, p in enumerate(parameters.values()):
            p.fill_(float(i + 1))
    with tempfile.TemporaryDirectory() as folder:
        marked.save_pretrained(folder)
        saved = load_file(Path(folder) / "model.safetensors")
    order = list(parameters)
    return {order[int(x.flatten()[0]) - 1]: name for name, x in saved.items() if x.is_floating_point() and x.flatten()[0] >= 1 and "running" not in name}


def main(out):
    for i, (name, (kind, config, storage)) in enumerate(MODELS.items()):
        config._attn_implementation = "eager"
        model = kind(config).eval()
        generator = torch.Generator().manual_seed(300 + i)
        if name == "t5_gated":
            # transformers ties them always; files of version 1.1 have both.
            model.lm_head.weight = torch.nn.Parameter(torch.zeros_like(model.lm_head.weight))
            model.config.tie_word_embeddings = False
            for tied in ("_tied_weights_keys", "all_tied_weights_keys"):
                setattr(model, tied, {k: v for k, v in getattr(model, tied).items() if k != "lm_head.weight"})
        with torch.no_grad():
            numbers(model, generator)
            if storage == "bf16":
                for tensor in model.state_dict().values():
                    if tensor.is_floating_point():
                        tensor.copy_(tensor.bfloat16().float())
        folder = out / "encoders" / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*"):
            old.unlink()
        size = sum(p.numel() * p.element_size() for p in model.parameters())
        stored = copy.deepcopy(model).to(torch.bfloat16) if storage == "bf16" else model
        stored.save_pretrained(folder, **({"max_shard_size": size // 3 + (700 if config.model_type == "resnet" else 1500)} if storage == "shards" else {}))
        (folder / "generation_config.json").unlink(missing_ok=True)

        expected = {}
        family = config.model_type
        if family in ("bert", "t5"):
            # Token 0, the one that fills up, has no gradient in transformers.
            tokens = torch.randint(1, 24, (2, 11), generator=generator)
            mask = torch.ones_like(tokens)
            mask[1, 7:] = 0
            expected |= {"tokens": tokens, "mask": mask}
        if family == "bert":
            types = torch.randint(0, config.type_vocab_size, (2, 11), generator=generator)
            inputs = dict(input_ids=tokens, token_type_ids=types)
            expected["types"] = types
            states = (model.bert if hasattr(model, "bert") else model)(attention_mask=mask, **inputs).last_hidden_state
            real = mask.unsqueeze(-1).float()
            expected["mean"] = torch.nn.functional.normalize((states * real).sum(1) / real.sum(1), dim=-1)
            expected["first"] = torch.nn.functional.normalize(states[:, 0], dim=-1)
            expected["masked"] = output(model, dict(attention_mask=mask, **inputs))
        elif family == "t5":
            target = torch.randint(0, 24, (2, 40), generator=generator)
            target[:, 0] = config.pad_token_id
            shifted = torch.cat([torch.full((2, 1), getattr(config, "decoder_start_token_id", None) or config.pad_token_id), tokens[:, :-1]], 1)
            inputs = dict(input_ids=tokens, decoder_input_ids=shifted)
            expected["target"] = target
            expected["logits"] = model(input_ids=tokens, decoder_input_ids=target).logits
            expected["masked"] = model(input_ids=tokens, attention_mask=mask, decoder_input_ids=target).logits
        else:
            side = getattr(config, "image_size", 40)
            pixels = torch.randn((2, config.num_channels, side, side), generator=generator)
            inputs = dict(pixel_values=pixels)
            expected["pixels"] = pixels.permute(0, 2, 3, 1)
        y = output(model, inputs)
        (y * probe(y)).mean().backward()
        expected["output"] = y.permute(0, 2, 3, 1) if y.dim() == 4 else y
        theirs = names_of_file(model, storage)
        for key, p in model.named_parameters():
            if p.grad is not None:
                flat = p.grad.flatten().double()
                expected["grad." + theirs[key]] = torch.stack([flat @ probe(flat), flat.norm()]).float()
        save_file({k: (v.to(torch.int32) if v.dtype == torch.int64 else v.detach()).contiguous() for k, v in expected.items()}, folder / "expected.safetensors")
        if family == "resnet":
            training(copy.deepcopy(model), pixels, folder)
        print(name, sorted(p.name for p in folder.iterdir()), len([k for k in expected if k.startswith("grad.")]), tuple(y.shape))


def training(model, pixels, folder):
    """The output of a pass that trains, and a running mean that it leaves."""
    model.train()
    y = output(model, dict(pixel_values=pixels))
    expected = load_file(folder / "expected.safetensors")
    expected["trained"] = (y.permute(0, 2, 3, 1) if y.dim() == 4 else y).detach().contiguous()
    net = model.resnet if hasattr(model, "resnet") else model
    expected["running_mean"] = net.embedder.embedder.normalization.running_mean.clone()
    save_file(expected, folder / "expected.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
