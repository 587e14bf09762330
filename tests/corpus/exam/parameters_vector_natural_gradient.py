import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def flat_grad(loss, params, **kw):
    return torch.cat([g.reshape(-1) for g in torch.autograd.grad(loss, params, **kw)])


def hvp(kl, params, v):
    g = flat_grad(kl, params, create_graph=True)
    return flat_grad((g * v).sum(), params, retain_graph=True)


def conjugate_gradient(Avp, b, iters=3):
    x = torch.zeros_like(b)
    r, p = b.clone(), b.clone()
    rr = r @ r
    for _ in range(iters):
        Ap = Avp(p)
        alpha = rr / (p @ Ap + 1e-8)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p = r + new / rr * p
        rr = new
    return x


def trpo_step(policy, obs, act, adv, delta=0.01):
    params = list(policy.parameters())
    logp = policy(obs).log_softmax(-1)
    chosen = logp.gather(1, act[:, None]).squeeze(1)
    surr = (torch.exp(chosen - chosen.detach()) * adv).mean()
    g = flat_grad(surr, params, retain_graph=True)
    kl = (logp.detach().exp() * (logp.detach() - logp)).sum(1).mean()
    step = conjugate_gradient(lambda v: hvp(kl, params, v) + 0.1 * v, g)
    old = parameters_to_vector(params).detach()
    for frac in (1.0, 0.5, 0.25):
        vector_to_parameters(old + frac * delta * step, params)
        with torch.no_grad():
            new = policy(obs).log_softmax(-1)
            if (new.gather(1, act[:, None]).squeeze(1) - chosen).mean() > 0:
                return True
    vector_to_parameters(old, params)
    return False


pi = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
trpo_step(pi, torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8))
trpo_step(pi, torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8))
