"""The same network, corrected: the mask makes a new tensor, the other in-place writes may stay."""

import torch
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.value = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)
        self.out = nn.Sequential(nn.Linear(width, width), nn.ReLU(inplace=True))

    def attention(self, x: torch.Tensor, keep: torch.Tensor | None) -> torch.Tensor:
        weights = torch.softmax(self.gate(x), dim=-1)
        if keep is not None:
            weights = weights * keep
        return weights

    def forward(self, x: torch.Tensor, keep: torch.Tensor | None = None) -> torch.Tensor:
        h = self.norm(x)
        h = self.value(h) * self.attention(h, keep)
        h += x
        return self.out(h)


def train(model: GatedBlock, batches: list[torch.Tensor], keep: torch.Tensor) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for batch in batches:
        loss = model(batch, keep).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train(GatedBlock(8), [torch.randn(4, 8) for _ in range(3)], torch.ones(8))
