import torch


class Trainer:
    def __init__(self, nets, optims, losses, device="cpu"):
        self.nets, self.optims, self.losses = nets, optims, losses
        self.device = device

    def zero_grad(self):
        for o in self.optims.values():
            o.zero_grad()

    def run_batch(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        feats = self.nets["encoder"](x)
        logits = self.nets["classifier"](feats)
        domain = self.nets["domain"](feats)
        cls_loss = self.losses["cls"](logits, y)
        dom_loss = self.losses["dom"](domain, torch.zeros(len(x), dtype=torch.long))
        self.zero_grad()
        cls_loss.backward(retain_graph=True)
        self.optims["encoder"].step()
        self.optims["classifier"].step()
        dom_loss.backward()
        self.optims["domain"].step()
        return cls_loss.item(), dom_loss.item()
