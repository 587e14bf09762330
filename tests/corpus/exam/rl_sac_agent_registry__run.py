import sys, types, torch, os, importlib.util
from torch import nn
def mod(n, **k):
    m = types.ModuleType(n); m.__dict__.update(k); m.__path__ = []; sys.modules[n] = m
class BaseAgent:
    def __init__(self, *a): pass
class Pi(nn.Module):
    def __init__(self):
        super().__init__(); self.l = nn.Linear(3, 1)
    def sample(self, o, d=False):
        a = torch.tanh(self.l(o)); return a, a.pow(2)
class Q(nn.Module):
    def __init__(self):
        super().__init__(); self.a = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)); self.b = nn.Linear(4, 1)
    def forward(self, o, a):
        x = torch.cat([o, a], -1); return self.a(x), self.b(x)
mod("r"); mod("r.agents"); mod("r.agents.base", BaseAgent=BaseAgent, register_agent=lambda n: (lambda c: c))
mod("r.agents.networks", make_critic=lambda *a: Q(), make_policy=lambda *a: Pi())
mod("r.utils"); mod("r.utils.buffers", ReplayBuffer=object); mod("r.utils.misc", soft_update=lambda *a: None)
p = os.path.join(os.path.dirname(__file__), "rl_sac_agent_registry.py")
s = importlib.util.spec_from_file_location("r.agents.sac", p); m = importlib.util.module_from_spec(s); sys.modules["r.agents.sac"] = m; s.loader.exec_module(m)
B = types.SimpleNamespace(sample=lambda n: dict(obs=torch.randn(4, 3), next_obs=torch.randn(4, 3), action=torch.randn(4, 1), reward=torch.randn(4, 1), done=torch.zeros(4, 1)))
ag = m.SACAgent(None, types.SimpleNamespace(shape=(1,)), m.SACConfig())
ag.update(B); ag.update(B)
