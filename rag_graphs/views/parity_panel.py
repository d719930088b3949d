"""Draw the table of a family: what its paper does, what common LangGraph versions make of it, what is done here."""

from __future__ import annotations

from rag_graphs.graphs.parity import PARITY, Parity, ParityRow
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.views.render import heading, link, text
from rag_graphs.views.translation import _

ARXIV = "https://arxiv.org/abs/"


def parity_html(strategy: Strategy) -> str:
    """Draw the table of the strategy's family, or nothing where it has none. Where variants differ, each is named, and the
    chosen one stands out."""
    table = PARITY.get(strategy.family)
    if table is None:
        return ""
    titles = (_("Aspect"), _("In the paper"), _("In common LangGraph versions"), _("Here"))
    head = "".join(f'<span role="columnheader">{text(title)}</span>' for title in titles)
    rows = "".join(_row(row, titles, strategy.key) for row in table.rows)
    return (
        f'<div class="x parity">{heading(_("Paper, common version, here"))}{_source(table)}'
        f'<div class="pt" role="table" aria-label="{text(_("Paper, common version, here"))}">'
        f'<div class="pr head" role="row">{head}</div>{rows}</div></div>'
    )


def _source(table: Parity) -> str:
    paper = link(f"{ARXIV}{table.arxiv}", f"{table.paper}, arXiv {table.arxiv}")
    words = text(_("Numbers are sections, tables and equations of"))
    return f'<p class="note">{words} {paper}.</p>'


def _row(row: ParityRow, titles: tuple[str, ...], shown: str) -> str:
    where = f' <span class="where">{text(row.where)}</span>' if row.where else ""
    # the strategy that is shown comes first
    here = "".join(_here(h.says, h.keys, shown) for h in sorted(row.here, key=lambda h: shown not in h.keys))
    cells = (
        (titles[1], f"<p>{text(_(row.paper))}{where}</p>"),
        (titles[2], f"<p>{text(_(row.common))}</p>"),
        (titles[3], here),
    )
    body = "".join(
        f'<div role="cell"><b class="label" aria-hidden="true">{text(title)}</b>{cell}</div>' for title, cell in cells
    )
    return f'<div class="pr" role="row"><b class="aspect" role="rowheader">{text(_(row.aspect))}</b>{body}</div>'


def _here(says: str, keys: tuple[str, ...], shown: str) -> str:
    """Say what is done here, under the names of the strategies that do it."""
    names = "".join(f"<code{' class=on' if key == shown else ''}>{text(key)}</code> " for key in keys)
    other = ' class="other"' if keys and shown not in keys else ""
    return f"<p{other}>{names}{text(_(says))}</p>"
