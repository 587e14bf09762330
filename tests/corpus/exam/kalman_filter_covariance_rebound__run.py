import torch
from kalman_filter_covariance_rebound import KalmanFilter
KalmanFilter()(torch.randn(4, 1, 1)).pow(2).sum().backward()
