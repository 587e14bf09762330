"""accelerate and lightning.fabric: they prepare objects and call backward."""


class Accelerator:
    def __init__(self, *args, **kwargs):
        self.gradient_accumulation_steps = 1
        self.is_main_process = True
        self.is_local_main_process = True
        self.sync_gradients = True
        self.num_processes = 1

    def prepare(self, *args, **kwargs):
        return args[0] if len(args) == 1 else args

    def prepare_model(self, model, *args, **kwargs):
        return model

    def prepare_optimizer(self, optimizer, *args, **kwargs):
        return optimizer

    def prepare_data_loader(self, data_loader, *args, **kwargs):
        return data_loader

    def backward(self, loss, **kwargs):
        loss = loss / self.gradient_accumulation_steps
        loss.backward(**kwargs)

    def unwrap_model(self, model, *args, **kwargs):
        return model

    def unscale_gradients(self, optimizer=None):
        return None

    def wait_for_everyone(self):
        return None

    def print(self, *args, **kwargs):
        return None

    def log(self, *args, **kwargs):
        return None


class Fabric:
    def __init__(self, *args, **kwargs):
        self.is_global_zero = True

    def launch(self, *args, **kwargs):
        return None

    def setup(self, *args, **kwargs):
        return args[0] if len(args) == 1 else args

    def setup_module(self, module, *args, **kwargs):
        return module

    def setup_optimizers(self, *args):
        return args[0] if len(args) == 1 else args

    def setup_dataloaders(self, *args, **kwargs):
        return args[0] if len(args) == 1 else args

    def backward(self, tensor, *args, model=None, **kwargs):
        tensor.backward(*args, **kwargs)
