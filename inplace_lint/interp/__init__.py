"""The abstract interpreter: runs the IR on abstract values and keeps what autograd keeps.

state      the one hot object: graph, modes, decisions, budget, stories of a path
execute    statements and control flow        expressions  values, dispatched by op
calls      who is called                      transfer     a row of the table, on tensors
backward   the walk that compares versions    scope        modules of the project, name by name
acts       what its parts need of those above them, bound late: no circle of imports
models/    what is not in the table: containers, modules, optimizers, grad modes ...
"""
