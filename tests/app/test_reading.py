"""A chunk as it is read on the page."""

from __future__ import annotations

import pytest

from rag_graphs.ui.reading import readable


@pytest.mark.parametrize(
    ("chunk", "shown"),
    [
        ("## What a bid is\n\nA remark.", "<b>What a bid is</b>\nA remark."),
        ("Run `venv` now.", "Run <code>venv</code> now."),
        ("Run:\n\n```python\n    x = 1\n```\n\nThen go.", "Run:<pre>    x = 1</pre>Then go."),
        ("x = 1\n```\nAnd then.", "x = 1<pre>And then.</pre>"),  # cut open by the splitter: shown, if as code
        ("```\n```\nNothing.", "Nothing."),
        ("<b>a</b> & `<i>`", "&lt;b&gt;a&lt;/b&gt; &amp; <code>&lt;i&gt;</code>"),
        ("```<script>\nalert(1)\n```", "<pre>alert(1)</pre>"),
        ("a\u202eb\x00", "ab"),
        ("# no heading without a space after it: #1", "<b>no heading without a space after it: #1</b>\n"),
        ("#1 is a number", "#1 is a number"),
        ("", ""),
    ],
)
def test_a_chunk_is_set_for_reading_and_escaped(chunk: str, shown: str) -> None:
    assert readable(chunk) == shown
