import torch
from torch import nn
import torch.nn.functional as F


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 4)

    @torch.inference_mode()
    def logits(self, x):
        return self.net(x)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 4)
        self.temp = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.net(x) * self.temp


teacher, student = Teacher().eval(), Student()
opt = torch.optim.SGD(student.parameters(), 0.1)
for _ in range(2):
    x = torch.randn(8, 6)
    t = teacher.logits(x)
    loss = (student(x) * F.softmax(t, -1)).sum(-1).neg().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
