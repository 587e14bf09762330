"""Makes rules/generated.jsonl from an installed torch: `python -m tests.rulegen [--check[=full]]`.

codegen    what the autograd kernels save: torchgen writes their C++ again, we read it
bindings   public names and Python signatures of the native overloads
rows       the two together, one row an overload
"""
