import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from omegaconf import DictConfig


class LitGAN(pl.LightningModule):
    def __init__(self, cfg: DictConfig, generator: nn.Module, discriminator: nn.Module):
        super().__init__()
        self.save_hyperparameters(ignore=["generator", "discriminator"])
        self.automatic_optimization = False
        self.cfg = cfg
        self.generator = generator
        self.discriminator = discriminator

    def forward(self, z):
        return self.generator(z)

    def adversarial_loss(self, y_hat, y):
        return F.binary_cross_entropy_with_logits(y_hat, y)

    def configure_optimizers(self):
        opt_g = torch.optim.Adam(self.generator.parameters(), lr=self.cfg.lr, betas=(0.5, 0.999))
        opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=self.cfg.lr, betas=(0.5, 0.999))
        return [opt_g, opt_d], []

    def _d_step(self, opt_d, real, fake):
        pred_real = self.discriminator(real)
        pred_fake = self.discriminator(fake.detach())
        loss = self.adversarial_loss(pred_real, torch.ones_like(pred_real)) + self.adversarial_loss(
            pred_fake, torch.zeros_like(pred_fake)
        )
        opt_d.zero_grad()
        self.manual_backward(loss)
        opt_d.step()
        return loss.detach()

    def training_step(self, batch, batch_idx):
        real, _ = batch
        opt_g, opt_d = self.optimizers()
        z = torch.randn(real.size(0), self.cfg.latent_dim).type_as(real)
        fake = self(z)
        d_loss = self._d_step(opt_d, real, fake)
        pred = self.discriminator(fake)
        g_loss = self.adversarial_loss(pred, torch.ones_like(pred))
        opt_g.zero_grad()
        self.manual_backward(g_loss)
        opt_g.step()
        self.log_dict({"g_loss": g_loss, "d_loss": d_loss}, prog_bar=True)

    def on_train_epoch_end(self):
        z = torch.randn(4, self.cfg.latent_dim, device=self.device)
        self.logger.experiment.add_images("samples", self(z), self.current_epoch)
