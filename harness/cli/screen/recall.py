"""Leave-one-author-out recall in the terminal: how much of each author's lines the others' tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from harness.selfcheck.understanding.figures import Share
from harness.selfcheck.understanding.left_out import LeftOut, recall_by_kind

Recalled = dict[str, list[LeftOut]]
"""By language."""


def recall_table(found: Mapping[str, Sequence[LeftOut]]) -> Table:
    """A kind of item a row, for each language."""
    title = "Example lines understood by the other authors' lines"
    table = Table(header_style="bold", box=None, pad_edge=False, title=title, title_justify="left")
    for heading in ("language", "for", "lines", "understood", "95 %"):
        table.add_column(heading, justify="left" if heading in ("language", "for") else "right")
    for language, tried in sorted(found.items()):
        for kind, share in recall_by_kind(list(tried)).items():
            if share.value is not None:
                table.add_row(language, kind, str(share.n), f"{share.value:.3f}", _told(share))
    return table


def recall_document(found: Mapping[str, Sequence[LeftOut]]) -> dict[str, Any]:
    """The same as numbers; a kind without lines is left out."""
    return {
        language: {
            kind: {"lines": share.n, "understood": share.hits, "share": round(share.value, 4)}
            for kind, share in recall_by_kind(list(tried)).items()
            if share.value is not None
        }
        for language, tried in sorted(found.items())
    }


def _told(share: Share) -> str:
    interval = share.interval
    if interval is None or interval.low is None or interval.high is None:
        return ""
    return f"{interval.low:.3f} to {interval.high:.3f}"
