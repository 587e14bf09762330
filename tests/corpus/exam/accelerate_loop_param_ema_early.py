import torch
from torch import nn


class Accelerator:
    device = torch.device("cpu")
    is_main_process = True

    def prepare(self, *objs):
        return objs

    def backward(self, loss, **kwargs):
        loss.backward(**kwargs)

    def unwrap_model(self, m):
        return m


class EMAModel:
    def __init__(self, params, decay=0.9):
        params = list(params)
        self.shadow_params = [p.clone().detach() for p in params]
        self.decay = decay
        self.temp_stored_params = None

    @torch.no_grad()
    def step(self, params):
        for s, p in zip(self.shadow_params, list(params)):
            s.sub_((1 - self.decay) * (s - p))

    def store(self, params):
        self.temp_stored_params = [p.detach().cpu().clone() for p in params]

    def copy_to(self, params):
        for s, p in zip(self.shadow_params, list(params)):
            p.data.copy_(s.to(p.device).data)

    def restore(self, params):
        for c, p in zip(self.temp_stored_params, list(params)):
            p.data.copy_(c.data)


def log_validation(model, ema, x):
    ema.store(model.parameters())
    ema.copy_to(model.parameters())
    with torch.no_grad():
        out = model(x)
    ema.restore(model.parameters())
    return out


def train():
    accelerator = Accelerator()
    model = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model, optimizer = accelerator.prepare(model, optimizer)
    ema = EMAModel(model.parameters())
    global_step = 0
    while global_step < 2:
        x = torch.randn(4, 4, device=accelerator.device)
        loss = nn.functional.mse_loss(model(x), x)
        if accelerator.is_main_process and global_step % 1 == 0:
            log_validation(model, ema, x)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        ema.step(model.parameters())
        global_step += 1


train()
