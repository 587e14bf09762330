from gflownet_trajectory_buffer import *
TBTrainer(HyperGrid()).step()
