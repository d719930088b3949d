"""Characters that steer a terminal or turn the writing around instead of being shown. No text from outside is shown with them.

Tabs and line ends stay, and so do the joiners U+200C and U+200D, which some scripts need.
"""

from __future__ import annotations

import re

_STEERING = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def unsteered(text: str) -> str:
    """`text` without them. Lone halves of surrogate pairs go, too: no encoder takes them."""
    return _STEERING.sub("", text)
