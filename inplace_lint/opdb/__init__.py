"""The rule table: what each op of PyTorch saves, writes, copies and aliases."""
