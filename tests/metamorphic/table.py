"""All rewritings by family and name."""

from __future__ import annotations

from tests.metamorphic import (
    extraction,
    flow,
    imports,
    inlining,
    layout,
    naming,
    operators,
    splitting,
    wrapping,
)
from tests.metamorphic.program import Rewriting, reformat

FAMILIES: dict[str, dict[str, Rewriting]] = {
    "printing": {"reformatted": reformat},
    "naming": naming.REWRITINGS,
    "imports": imports.REWRITINGS,
    "wrapping": wrapping.REWRITINGS,
    "splitting": splitting.REWRITINGS,
    "operators": operators.REWRITINGS,
    "flow": flow.REWRITINGS,
    "extraction": extraction.REWRITINGS,
    "inlining": inlining.REWRITINGS,
    "layout": layout.REWRITINGS,
}
REWRITINGS: dict[str, Rewriting] = {
    name: rewriting for family in FAMILIES.values() for name, rewriting in family.items()
}
