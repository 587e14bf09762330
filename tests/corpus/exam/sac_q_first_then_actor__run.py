import torch
from sac_q_first_then_actor import SAC, SACConfig
agent = SAC(SACConfig())
for _ in range(2):
    agent.update(torch.randn(5, 3), torch.randn(5, 1), torch.randn(5, 1), torch.randn(5, 3), torch.zeros(5, 1))
