"""A run in ten lines, for a message to a channel: the word, what is red, the figures, where the page is."""

from __future__ import annotations

import re
from typing import Any, Literal

from harness.reports.run import RunPage
from spoken_language.outside_text import one_line

Form = Literal["generic", "slack", "teams"]
MOST = 10
_CHARS = 200
_LINK_CHARS = 2000
"""Half a link leads nowhere."""
_MARKUP = re.compile(r"[\\*_\[\]]")


def ten_lines(run: RunPage, *, link: str, before: str = "") -> list[str]:
    """At most ten lines of text.

    Args:
        link: To the page.
        before: The word of the night before; empty: there was none.
    """
    change = f" (the night before: {before})" if before else ""
    red = [line for line in run.checks if line.result in ("failed", "inconclusive")]
    figures = [
        f"{figure.label}: {figure.shown} {figure.unit}".strip()
        for figure in run.cards
        if figure.value is not None
    ]
    lines = [f"{run.name}: {run.headline}{change}", run.verdict]
    room = MOST - len(lines) - 1 - min(2, len(figures))
    lines += [f"{line.mark} {line.name}: {line.told}" for line in red[:room]]
    if len(red) > room:
        lines[-1] = f"and {len(red) - room + 1} more that are red"
    lines += figures[: MOST - len(lines) - 1]
    return [*(one_line(line, most=_CHARS) for line in lines), one_line(link, most=_LINK_CHARS)]


def message(lines: list[str], *, form: Form, word: str, link: str) -> dict[str, Any]:
    """What is posted, as the receiver wants it."""
    text = "\n".join(lines)
    if form == "slack":
        # Slack reads <…> and & as markup: https://api.slack.com/reference/surfaces/formatting#escaping
        plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return {"text": plain, "unfurl_links": False}
    if form == "teams":
        # A text block reads *, _ and […](…) as markup; the link is our own line.
        shown = [*(_MARKUP.sub(r"\\\g<0>", line) for line in lines[:-1]), *lines[-1:]]
        body = [{"type": "TextBlock", "text": line, "wrap": True} for line in shown]
        card = {"type": "AdaptiveCard", "version": "1.4", "body": body}
        attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
        return {"type": "message", "attachments": [attachment]}
    return {"word": word, "lines": lines, "link": link}
