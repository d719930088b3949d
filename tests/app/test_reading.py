"""A chunk as it is read on the page."""

from __future__ import annotations

import pytest

from rag_graphs.views.reading import beginning, readable, readable_line


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


def test_on_one_line_it_keeps_its_lines_and_calls_no_icon() -> None:
    line = readable_line("## Raising\n\nFor example::\n\n```\n>>> a:smile:\n    b\n```\n")
    assert line == (
        '<b>Raising</b><br>For example&#58;&#58;<div class="code">&gt;&gt;&gt; a&#58;smile&#58;<br>    b</div>'
    )


@pytest.mark.parametrize(
    ("chunk", "shown"),
    [
        ("# The bagel method\n\nTwo people\nwant `one` thing.", "Two people want one thing."),
        ("## Code\n\n```python\nx = 1\n```", "x = 1"),
        ("# A heading alone", "# A heading alone"),
        ("", ""),
    ],
)
def test_a_chunk_begins_with_its_running_text(chunk: str, shown: str) -> None:
    assert beginning(chunk) == shown
