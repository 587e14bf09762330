"""torch.distributions: what log_prob(), rsample() and entropy() compute."""

import torch
import torch.nn.functional as F


class Distribution:
    def __init__(self, *args, **kwargs):
        self.args = args

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample((n,))

    def expand(self, batch_shape, _instance=None):
        return self

    def perplexity(self):
        return torch.exp(self.entropy())

    @property
    def stddev(self):
        return self.variance.sqrt()


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc = loc
        self.scale = scale

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)

    def sample(self, sample_shape=()):
        return torch.randn_like(self.loc)

    def rsample(self, sample_shape=()):
        noise = torch.randn_like(self.loc)
        return self.loc + noise * self.scale

    def log_prob(self, value):
        var = self.scale**2
        log_scale = self.scale.log()
        return -((value - self.loc) ** 2) / (2 * var) - log_scale - 0.9189

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / 1.4142))

    def entropy(self):
        return 0.5 + 0.9189 + torch.log(self.scale)


class LogNormal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.base_dist = Normal(loc, scale)

    @property
    def loc(self):
        return self.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.scale

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).exp()

    def log_prob(self, value):
        base = value.log()
        return self.base_dist.log_prob(base) - base

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class Laplace(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc = loc
        self.scale = scale

    @property
    def mean(self):
        return self.loc

    def rsample(self, sample_shape=()):
        noise = torch.randn_like(self.loc)
        return self.loc - self.scale * noise

    def log_prob(self, value):
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        self.low = low
        self.high = high

    def rsample(self, sample_shape=()):
        noise = torch.rand_like(self.low)
        return self.low + noise * (self.high - self.low)

    def log_prob(self, value):
        inside = self.low.le(value).mul(self.high.gt(value))
        return torch.log(inside) - torch.log(self.high - self.low)

    def entropy(self):
        return torch.log(self.high - self.low)


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if probs is not None:
            self.probs = probs
        else:
            self.logits = logits
        self._param = logits if probs is None else probs

    def __getattr__(self, name):
        if name == "logits":
            clamped = self.probs.clamp(min=1e-7, max=1 - 1e-7)
            self.logits = torch.log(clamped) - torch.log1p(-clamped)
            return self.logits
        if name == "probs":
            self.probs = torch.sigmoid(self.logits)
            return self.probs
        raise AttributeError(name)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        return torch.bernoulli(torch.rand_like(self._param))

    def log_prob(self, value):
        return -F.binary_cross_entropy_with_logits(self.logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._param = logits if probs is None else probs

    def __getattr__(self, name):
        if name == "logits":
            self.logits = torch.log(self.probs.clamp(min=1e-7, max=1 - 1e-7))
            return self.logits
        if name == "probs":
            self.probs = F.softmax(self.logits, dim=-1)
            return self.probs
        raise AttributeError(name)

    def sample(self, sample_shape=()):
        return torch.rand_like(self._param).argmax(-1)

    def log_prob(self, value):
        value = value.long().unsqueeze(-1)
        return self.logits.gather(-1, value).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=-1e30)
        p_log_p = logits * self.probs
        return -p_log_p.sum(-1)


class OneHotCategorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    def sample(self, sample_shape=()):
        return torch.rand_like(self._categorical._param)

    def log_prob(self, value):
        indices = value.max(-1)[1]
        return self._categorical.log_prob(indices)

    def entropy(self):
        return self._categorical.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    def rsample(self, sample_shape=()):
        samples = self.sample(sample_shape)
        probs = self._categorical.probs
        return samples + (probs - probs.detach())


class Exponential(Distribution):
    def __init__(self, rate, validate_args=None):
        self.rate = rate

    def rsample(self, sample_shape=()):
        return torch.rand_like(self.rate) / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class Poisson(Distribution):
    def __init__(self, rate, validate_args=None):
        self.rate = rate

    def sample(self, sample_shape=()):
        return torch.poisson(torch.rand_like(self.rate))

    def log_prob(self, value):
        return value.xlogy(self.rate) - self.rate - (value + 1).lgamma()


class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution

    @property
    def mean(self):
        return self.base_dist.mean

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return self.base_dist.log_prob(value).sum(-1)

    def entropy(self):
        return self.base_dist.entropy().sum(-1)


def kl_divergence(p, q):
    if isinstance(p, Independent):
        return kl_divergence(p.base_dist, q.base_dist).sum(-1)
    if isinstance(p, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    if isinstance(p, Normal):
        var_ratio = (p.scale / q.scale).pow(2)
        t1 = ((p.loc - q.loc) / q.scale).pow(2)
        return 0.5 * (var_ratio + t1 - 1 - var_ratio.log())
    return p.entropy() - q.entropy()
