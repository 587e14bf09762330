import torch
from spectral_pool_fft_out_buffer import FNO
FNO()(torch.randn(1, 1, 8, 8)).sum().backward()
