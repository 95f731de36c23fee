"""A PyTorch module, run on the backend by torchax."""

import jax
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch torchax")
torchax = pytest.importorskip("torchax", reason="torchax is not installed: pip install torch torchax")


def test_a_torch_model(backends):
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Embedding(11, 16),
        torch.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True),
        torch.nn.Linear(16, 3),
    ).eval()
    tokens = torch.arange(10).reshape(2, 5)
    with torch.no_grad():
        expected = model(tokens).numpy()
    weights, function = torchax.extract_jax(model)
    with jax.default_device(backends.ours):
        weights = jax.device_put(weights, backends.ours)
        y = jax.jit(function)(weights, (jax.device_put(tokens.numpy(), backends.ours),))
    assert y.devices() == {backends.ours}
    np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-4, atol=1e-5)
