import torch
from torch import nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(10, 8)
        self.fc21, self.fc22 = nn.Linear(8, 2), nn.Linear(8, 2)
        self.fc3, self.fc4 = nn.Linear(2, 8), nn.Linear(8, 10)

    def reparametrize(self, mu, logvar):
        std = logvar.mul_(0.5).exp_()
        eps = torch.randn_like(std)
        return eps.mul(std).add_(mu)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, logvar = self.fc21(h), self.fc22(h)
        z = self.reparametrize(mu, logvar)
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld_element = mu.pow_(2).add_(logvar.exp_()).mul_(-1).add_(1).add_(logvar)
    return bce + torch.sum(kld_element).mul_(-0.5)


vae = VAE()
opt = torch.optim.Adam(vae.parameters())
for _ in range(2):
    x = torch.rand(4, 10)
    recon, mu, logvar = vae(x)
    loss = loss_function(recon, x, mu, logvar)
    opt.zero_grad()
    loss.backward()
    opt.step()
