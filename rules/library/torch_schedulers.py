"""torch.optim.lr_scheduler: they change numbers, never a tensor."""


class LRScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer = optimizer
        self.last_epoch = 0

    def step(self, *args, **kwargs):
        return None

    def get_last_lr(self):
        return [0.1]

    def get_lr(self):
        return [0.1]

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        return None


_LRScheduler = LRScheduler
StepLR = LRScheduler
MultiStepLR = LRScheduler
ConstantLR = LRScheduler
LinearLR = LRScheduler
ExponentialLR = LRScheduler
PolynomialLR = LRScheduler
CosineAnnealingLR = LRScheduler
CosineAnnealingWarmRestarts = LRScheduler
ReduceLROnPlateau = LRScheduler
CyclicLR = LRScheduler
OneCycleLR = LRScheduler
LambdaLR = LRScheduler
MultiplicativeLR = LRScheduler
SequentialLR = LRScheduler
ChainedScheduler = LRScheduler
SWALR = LRScheduler
