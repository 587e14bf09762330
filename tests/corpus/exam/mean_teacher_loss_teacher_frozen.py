import torch
from torch import nn
import torch.nn.functional as F
import copy


class MeanTeacher:
    def __init__(self, student, alpha=0.99):
        self.student = student
        self.teacher = copy.deepcopy(student)
        for p in self.teacher.parameters():
            p.detach_()
        self.alpha = alpha

    def update_teacher(self, step):
        alpha = min(1 - 1 / (step + 1), self.alpha)
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.data.mul_(alpha).add_(s.data, alpha=1 - alpha)

    def loss(self, x, y, step):
        ps = self.student(x)
        pt = self.teacher(x + 0.1 * torch.randn_like(x))
        self.update_teacher(step)
        sup = F.cross_entropy(ps, y)
        return sup + F.mse_loss(ps.softmax(1), pt.softmax(1))


mt = MeanTeacher(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)))
opt = torch.optim.Adam(mt.student.parameters())
for i in range(2):
    loss = mt.loss(torch.randn(6, 4), torch.randint(0, 2, (6,)), i)
    opt.zero_grad()
    loss.backward()
    opt.step()
