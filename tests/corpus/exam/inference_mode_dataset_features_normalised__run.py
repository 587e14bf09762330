import torch
from torch import nn
from inference_mode_dataset_features_normalised import FeatureCache, Probe
p = Probe(FeatureCache(nn.Linear(3, 4)), 4, 2)
p("a", torch.randn(5, 3)).sum().backward()
