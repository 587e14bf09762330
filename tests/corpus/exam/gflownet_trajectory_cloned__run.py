from gflownet_trajectory_cloned import *
TBTrainer(HyperGrid()).step()
