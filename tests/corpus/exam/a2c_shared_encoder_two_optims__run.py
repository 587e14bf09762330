import torch
from a2c_shared_encoder_two_optims import A2CAgent
agent = A2CAgent()
for _ in range(3):
    agent.learn(torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8))
