import torch
from spectral_pool_fft_cropped_write import FNO
FNO()(torch.randn(1, 1, 8, 8)).sum().backward()
