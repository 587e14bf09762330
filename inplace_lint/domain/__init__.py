"""The abstract PyTorch that the interpreter runs on: storages, tensors, graph, values, stories."""
