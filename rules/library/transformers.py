"""transformers: activations by name, the base of models."""

import torch
import torch.nn.functional as F


def gelu_new(x):
    return 0.5 * x * (1.0 + torch.tanh(0.79788 * (x + 0.044715 * torch.pow(x, 3.0))))


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def relu_squared(x):
    return torch.square(F.relu(x))


def linear(x):
    return x


ACT2FN = {
    "gelu": F.gelu,
    "gelu_10": F.gelu,
    "gelu_fast": gelu_new,
    "gelu_new": gelu_new,
    "gelu_python": F.gelu,
    "gelu_pytorch_tanh": F.gelu,
    "leaky_relu": F.leaky_relu,
    "linear": linear,
    "mish": F.mish,
    "quick_gelu": quick_gelu,
    "relu": F.relu,
    "relu2": relu_squared,
    "relu6": F.relu6,
    "sigmoid": torch.sigmoid,
    "silu": F.silu,
    "swish": F.silu,
    "tanh": torch.tanh,
}


def get_activation(activation_string):
    return ACT2FN[activation_string]


class PreTrainedModel(torch.nn.Module):
    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        self.config = config

    def post_init(self):
        return None

    def init_weights(self):
        return None
