import argparse
import itertools
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class ImagePool:
    def __init__(self, size=4):
        self.size, self.images = size, []

    def query(self, images):
        out = []
        for img in images.data:
            img = torch.unsqueeze(img, 0)
            if len(self.images) < self.size:
                self.images.append(img)
                out.append(img)
            elif random.uniform(0, 1) > 0.5:
                i = random.randint(0, self.size - 1)
                old = self.images[i].clone()
                self.images[i] = img
                out.append(old)
            else:
                out.append(img)
        return torch.cat(out, 0)


class Pairs(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {"A": torch.randn(3), "B": torch.randn(3)}


def get_parser():
    p = argparse.ArgumentParser()
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--lambda_A", type=float, default=10.0)
    return p


def gan_loss(pred, real):
    t = torch.ones_like(pred) if real else torch.zeros_like(pred)
    return nn.functional.mse_loss(pred, t)


def set_requires_grad(nets, flag):
    for net in nets if isinstance(nets, list) else [nets]:
        for p in net.parameters():
            p.requires_grad = flag


def main(argv=None):
    opt = get_parser().parse_args(argv)
    G_AB, G_BA = nn.Linear(3, 3), nn.Linear(3, 3)
    D_A = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2, True), nn.Linear(4, 1))
    D_B = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2, True), nn.Linear(4, 1))
    optimizer_G = torch.optim.Adam(itertools.chain(G_AB.parameters(), G_BA.parameters()), lr=opt.lr)
    optimizer_D = torch.optim.Adam(itertools.chain(D_A.parameters(), D_B.parameters()), lr=opt.lr)
    pool = ImagePool()
    loader = DataLoader(Pairs(), batch_size=2, num_workers=0)
    for epoch in range(opt.epochs):
        for i, batch in enumerate(loader):
            real_A, real_B = batch["A"], batch["B"]
            fake_B, fake_A = G_AB(real_A), G_BA(real_B)
            rec_A = G_BA(fake_B)
            set_requires_grad([D_A, D_B], False)
            optimizer_G.zero_grad()
            loss_G = gan_loss(D_A(fake_A), True) + gan_loss(D_B(fake_B), True)
            loss_G += opt.lambda_A * (rec_A - real_A).abs().mean()
            loss_G.backward()
            optimizer_G.step()
            set_requires_grad([D_A, D_B], True)
            optimizer_D.zero_grad()
            loss_D = (gan_loss(D_A(real_A), True) + gan_loss(D_A(pool.query(fake_A)), False)
                      + gan_loss(D_B(real_B), True) + gan_loss(D_B(fake_B.detach()), False))
            loss_D.backward()
            optimizer_D.step()


if __name__ == "__main__":
    main([])
