"""Make the font that the package carries, from the one that Streamlit carries: fewer characters, four of its weights.

Run as `python docs/make_font.py` where fonttools, brotli and streamlit are installed. The licence of Source Sans reserves
the name "Source", so a changed copy needs another name.
"""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FAMILY = "RAG Graphs Sans"
WEIGHTS = (400, 700)
CHARACTERS = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0x17F),  # Latin of European languages
    (0x218, 0x21B),
    (0x2C6, 0x2C7),
    (0x2D8, 0x2DD),
    (0x300, 0x30C),  # accents that follow their letter
    (0x326, 0x328),
    (0x1E80, 0x1E85),
    (0x1E9E, 0x1E9E),
    (0x2010, 0x2027),  # dashes, quotation marks, bullet, ellipsis
    (0x202F, 0x203A),
    (0x2044, 0x2044),
    (0x2070, 0x208E),  # raised and lowered digits
    (0x20AC, 0x20AC),
    (0x2116, 0x2122),
    (0x2190, 0x2199),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x25A0, 0x25FF),
    (0x2713, 0x2717),  # ticks and crosses
)
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk", "tnum"]
FOLDER = Path(__file__).parents[1] / "rag_graphs/views/diagram/fonts"


def main() -> None:
    fewer_weights = BytesIO()
    instantiateVariableFont(TTFont(_source(), recalcTimestamp=False), {"wght": WEIGHTS}).save(fewer_weights)
    font = TTFont(fewer_weights, recalcTimestamp=False)
    options = Options(
        layout_features=FEATURES, hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], notdef_outline=False
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[c for first, last in CHARACTERS for c in range(first, last + 1)])
    subsetter.subset(font)
    for record in list(font["name"].names):
        changed = {1: FAMILY, 3: f"{FAMILY}, from Source Sans 3.052", 4: FAMILY, 6: FAMILY.replace(" ", "")}
        if record.nameID in changed:
            record.string = changed[record.nameID]
        elif record.nameID > 255:  # names of weights hold the reserved one
            record.string = str(record).replace("SourceSans3VF", FAMILY.replace(" ", ""))
    for flavor, ending in ((None, "ttf"), ("woff2", "woff2")):
        font.flavor = flavor
        font.save(FOLDER / f"rag-graphs-sans.{ending}")


def _source() -> Path:
    spec = find_spec("streamlit")
    assert spec is not None
    assert spec.origin is not None
    return next((Path(spec.origin).parent / "static/static/media").glob("SourceSansVF-Upright*.woff2"))


if __name__ == "__main__":
    main()
