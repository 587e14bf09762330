import sys, types, torch
from torch import nn
pl = types.ModuleType("pytorch_lightning")
class LM(nn.Module):
    device = "cpu"
    def save_hyperparameters(self, ignore=()): pass
    def optimizers(self): return self._o
    def manual_backward(self, l): l.backward()
    def log_dict(self, *a, **k): pass
pl.LightningModule = LM
sys.modules["pytorch_lightning"] = pl
oc = types.ModuleType("omegaconf"); oc.DictConfig = dict; sys.modules["omegaconf"] = oc
from lightning_gan_manual_opt import LitGAN
m = LitGAN(types.SimpleNamespace(lr=0.1, latent_dim=3), nn.Linear(3, 4), nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)))
m._o = m.configure_optimizers()[0]
for i in range(2): m.training_step((torch.randn(2, 4), None), i)
