import torch
from dreamer_rssm_state_dict_written import WorldModel
d = dict(obs=torch.randn(3, 2, 5), action=torch.randn(3, 2, 2), is_first=torch.zeros(3, 2))
WorldModel().loss(d).backward()
