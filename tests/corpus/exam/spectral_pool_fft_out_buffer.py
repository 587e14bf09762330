import torch
import torch.nn as nn


class SpectralConv2d(nn.Module):
    def __init__(self, cin, cout, m1, m2):
        super().__init__()
        self.cin, self.cout, self.m1, self.m2 = cin, cout, m1, m2
        scale = 1 / (cin * cout)
        self.w1 = nn.Parameter(scale * torch.rand(cin, cout, m1, m2, dtype=torch.cfloat))
        self.w2 = nn.Parameter(scale * torch.rand(cin, cout, m1, m2, dtype=torch.cfloat))

    def compl_mul2d(self, a, b):
        return torch.einsum("bixy,ioxy->boxy", a, b)

    def forward(self, x):
        bs = x.shape[0]
        x_ft = torch.fft.rfft2(x)
        out_ft = torch.zeros(bs, self.cout, x.size(-2), x.size(-1) // 2 + 1, dtype=torch.cfloat, device=x.device)
        out_ft[:, :, : self.m1, : self.m2] = self.compl_mul2d(x_ft[:, :, : self.m1, : self.m2], self.w1)
        out_ft[:, :, -self.m1:, : self.m2] = self.compl_mul2d(x_ft[:, :, -self.m1:, : self.m2], self.w2)
        return torch.fft.irfft2(out_ft, s=(x.size(-2), x.size(-1)))


class FNO(nn.Module):
    def __init__(self, width=3, modes=2, depth=2):
        super().__init__()
        self.lift = nn.Conv2d(1, width, 1)
        self.convs = nn.ModuleList([SpectralConv2d(width, width, modes, modes) for _ in range(depth)])
        self.ws = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(depth)])

    def forward(self, x):
        x = self.lift(x)
        for conv, w in zip(self.convs, self.ws):
            x = torch.nn.functional.gelu(conv(x) + w(x))
        return x.mean(1)
