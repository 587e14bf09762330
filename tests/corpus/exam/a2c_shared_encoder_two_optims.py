import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Encoder(nn.Module):
    def __init__(self, obs_dim, hidden):
        super().__init__()
        self.l1 = nn.Linear(obs_dim, hidden)
        self.l2 = nn.Linear(hidden, hidden)

    def forward(self, obs):
        return F.relu(self.l2(F.relu(self.l1(obs))))


class A2CAgent:
    def __init__(self, obs_dim=4, n_actions=2, hidden=16, gamma=0.99):
        self.encoder = Encoder(obs_dim, hidden)
        self.actor = nn.Linear(hidden, n_actions)
        self.critic = nn.Linear(hidden, 1)
        self.gamma = gamma
        self.opt_actor = torch.optim.Adam(
            list(self.encoder.parameters()) + list(self.actor.parameters()), lr=1e-3)
        self.opt_critic = torch.optim.Adam(
            list(self.encoder.parameters()) + list(self.critic.parameters()), lr=1e-3)

    def learn(self, obs, actions, returns):
        feats = self.encoder(obs)
        dist = Categorical(logits=self.actor(feats))
        values = self.critic(feats).squeeze(-1)
        adv = returns - values

        critic_loss = adv.pow(2).mean()
        self.opt_critic.zero_grad()
        critic_loss.backward(retain_graph=True)
        self.opt_critic.step()

        actor_loss = -(dist.log_prob(actions) * adv.detach()).mean() - 0.01 * dist.entropy().mean()
        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()
        return critic_loss.item(), actor_loss.item()
