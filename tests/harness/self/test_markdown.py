"""The Markdown reader: sections, blocks, file names, directives, rewriting."""

from __future__ import annotations

import pytest

from tests.harness import markdown
from tests.harness.markdown import MarkdownError

DOCUMENT = """# Title
prose

## One
`lib/a.py`:

```python
a = 1
```
more prose takes the name away

```python
b = 2

```
<!-- xfail: some reason -->
<!-- bare -->
### Below
~~~ir
```not a fence
~~~
## Two
"""


def test_sections_hold_their_blocks_names_and_directives() -> None:
    title, one, below, two = markdown.parse(DOCUMENT)
    assert [s.name for s in (title, one, below, two)] == ["Title", "One", "One / Below", "Two"]
    assert [(b.language, b.text, b.line, b.file) for b in one.blocks] == [
        ("python", "a = 1\n", 8, "lib/a.py"),
        ("python", "b = 2\n\n", 13, None),
    ]
    assert one.directives == {"xfail": "some reason", "bare": ""}
    assert [(b.language, b.text) for b in below.blocks] == [("ir", "```not a fence\n")]
    assert (title.blocks, two.blocks) == ([], [])


@pytest.mark.parametrize(
    ("text", "message"),
    [("# T\n```python\nx\n", "2: this fence"), ("```\n```\n# T\n", "2: a block before")],
)
def test_broken_documents_are_refused(text: str, message: str) -> None:
    with pytest.raises(MarkdownError, match=f"^{message}"):
        markdown.parse(text)


def test_replace_rewrites_only_the_named_blocks() -> None:
    changed = markdown.replace(DOCUMENT, {13: "c = 3\nd = 4\n", 8: "a = 0\n"})
    blocks = [b.text for section in markdown.parse(changed) for b in section.blocks]
    assert blocks == ["a = 0\n", "c = 3\nd = 4\n", "```not a fence\n"]
    assert markdown.replace(DOCUMENT, {}) == DOCUMENT
