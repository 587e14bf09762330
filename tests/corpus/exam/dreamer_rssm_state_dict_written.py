from __future__ import annotations

import torch
from torch import nn
import torch.distributions as td


class RSSM(nn.Module):
    def __init__(self, stoch=3, deter=4, hidden=4, act_dim=2, embed=3):
        super().__init__()
        self._stoch, self._deter = stoch, deter
        self._cell = nn.GRUCell(hidden, deter)
        self._inp = nn.Sequential(nn.Linear(stoch + act_dim, hidden), nn.ELU(inplace=True))
        self._img_out = nn.Linear(deter, 2 * stoch)
        self._obs_out = nn.Linear(deter + embed, 2 * stoch)

    def initial(self, n, device=None):
        return dict(
            mean=torch.zeros(n, self._stoch, device=device),
            std=torch.ones(n, self._stoch, device=device),
            stoch=torch.zeros(n, self._stoch, device=device),
            deter=torch.zeros(n, self._deter, device=device),
        )

    def _suff(self, x):
        mean, std = torch.chunk(x, 2, -1)
        std = nn.functional.softplus(std) + 0.1
        return {"mean": mean, "std": std}

    def get_dist(self, state):
        return td.Independent(td.Normal(state["mean"], state["std"]), 1)

    def img_step(self, prev, action):
        x = self._inp(torch.cat([prev["stoch"], action], -1))
        deter = self._cell(x, prev["deter"])
        stats = self._suff(self._img_out(deter))
        stoch = self.get_dist(stats).rsample()
        return {"stoch": stoch, "deter": deter, **stats}

    def obs_step(self, prev, action, embed, is_first):
        for key in prev:
            prev[key] *= (1.0 - is_first)[:, None]
        prior = self.img_step(prev, action)
        stats = self._suff(self._obs_out(torch.cat([prior["deter"], embed], -1)))
        stoch = self.get_dist(stats).rsample()
        return {"stoch": stoch, "deter": prior["deter"], **stats}, prior

    def observe(self, embed, action, is_first, state=None):
        if state is None:
            state = self.initial(action.shape[1])
        posts, priors = [], []
        for t in range(action.shape[0]):
            state, prior = self.obs_step(state, action[t], embed[t], is_first[t])
            posts.append(state)
            priors.append(prior)
        stack = lambda seq: {k: torch.stack([s[k] for s in seq]) for k in seq[0]}
        return stack(posts), stack(priors)


class WorldModel(nn.Module):
    def __init__(self, obs_dim=5):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(obs_dim, 3), nn.ELU())
        self.rssm = RSSM()
        self.decoder = nn.Linear(7, obs_dim)

    def loss(self, data):
        embed = self.encoder(data["obs"])
        post, prior = self.rssm.observe(embed, data["action"], data["is_first"])
        kl = td.kl_divergence(self.rssm.get_dist(post), self.rssm.get_dist(prior)).mean()
        feat = torch.cat([post["stoch"], post["deter"]], -1)
        rec = (self.decoder(feat) - data["obs"]).pow(2).mean()
        return rec + kl
