"""Laws of the domain: answers join like a lattice, unknowns settle, views share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inplace_lint.domain.memory import Counter, Memory, Write
from inplace_lint.domain.requires import WORDS, Assumption, Requires, either
from inplace_lint.domain.tensor import Tensor, root_of
from inplace_lint.domain.values import Const, ListValue, TupleValue, Unknown, literal, settle
from inplace_lint.interp.autograd import requires_of
from inplace_lint.ir.function import Site
from inplace_lint.source import from_text

ASSUMPTIONS = st.builds(Assumption, st.sampled_from(sorted(WORDS)), st.sampled_from("abc"))
ANSWERS: st.SearchStrategy[Requires] = st.one_of(
    st.booleans(), st.frozensets(ASSUMPTIONS, min_size=1, max_size=3)
)
LITERALS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3))


@given(ANSWERS, ANSWERS, ANSWERS)
def test_answers_join_like_a_lattice(a: Requires, b: Requires, c: Requires) -> None:
    assert either([a, b]) == either([b, a])
    assert either([either([a, b]), c]) == either([a, either([b, c])])
    assert either([a, a]) == a
    assert either([a, False]) == a
    assert either([a, True]) is True


@given(st.lists(ANSWERS, max_size=5))
def test_a_join_is_false_only_where_every_answer_is(answers: list[Requires]) -> None:
    assert (either(answers) is False) == all(answer is False for answer in answers)


@given(ASSUMPTIONS)
def test_an_assumption_reads_after_if(assumption: Assumption) -> None:
    words = assumption.words()
    assert f"`{assumption.name}`" in words
    assert not words.endswith(".")


@given(st.integers(1, 6))
def test_an_unknown_settles_through_every_step(steps: int) -> None:
    last = Const(steps)
    chain = [Unknown(f"u{n}") for n in range(steps)]
    for one, following in zip(chain, [*chain[1:], last], strict=True):
        one.become = following
    assert {id(settle(one)) for one in chain} == {id(last)}
    assert settle(settle(chain[0])) is settle(chain[0])


@given(st.lists(LITERALS, max_size=4))
def test_literals_of_containers_are_those_of_their_items(values: list[object]) -> None:
    items = [Const(value) for value in values]
    assert literal(TupleValue(tuple(items))) == literal(ListValue(list(items))) == tuple(values)
    assert literal(TupleValue((*items, Unknown("x")))) is NotImplemented


@given(ANSWERS, ANSWERS)
def test_a_view_requires_what_it_or_its_base_does(own: Requires, base: Requires) -> None:
    root = Tensor(requires=base)
    view = Tensor(root.memory, root.counter, requires=own, base=root)
    assert requires_of(view) == either([own, base])
    assert root_of(view) is root_of(root) is root


@given(st.lists(st.sampled_from(["counted", "silent"]), max_size=6))
def test_versions_count_what_is_counted(kinds: list[str]) -> None:
    site = Site(from_text("x = 1\n").units[0], 0)
    memory, counter = Memory(), Counter()
    for kind in kinds:
        memory.writes.append(Write(site, kind))
        if kind == "counted":
            counter.writes.append(memory.writes[-1])
    assert counter.version == kinds.count("counted")
    assert len(memory.writes) - counter.version == kinds.count("silent")
