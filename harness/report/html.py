"""``RUN/report/index.html``: the whole report in one file that needs no network and no other file.

What the page shows comes from strangers: transcripts, agents' names, error messages. Three walls keep it
text: Jinja escapes every value, embedded JSON has its angle brackets escaped, and the page's own
Content-Security-Policy allows our scripts by their hash and nothing else, neither inline handlers nor any
connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from harness.errors import UserError
from harness.report.sound import embedded_within
from harness.report.view import RunView, build_view

PAGE_BUDGET_BYTES = 25_000_000
"""How large a page may become through embedded sound."""

_TEMPLATES = Path(__file__).parent / "templates"
_STYLES = ("page.css", "call.css")
_SCRIPTS = ("page.js", "wave.js", "call.js")

_JSON_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def build_report(run_dir: Path, *, page_budget_bytes: int = PAGE_BUDGET_BYTES) -> Path:
    """Writes the page of a run and returns where it is.

    Args:
        run_dir: Folder with ``run.json``, ``summary.json`` and ``calls/``; what is missing or broken in it is
            named on the page.
        page_budget_bytes: Calls whose sound would make the page larger are linked to their file instead.

    Raises:
        UserError: ``run_dir`` is no run, or the page cannot be written.
    """
    view = build_view(run_dir)
    page = render_page(view)
    left = page_budget_bytes - len(page.encode("utf-8", errors="replace"))
    sounds = embedded_within((call.sound for call in view.calls + view.faulty), left)
    page = render_page(view.with_sounds(sounds))
    path = run_dir / "report" / "index.html"
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error}") from error
    return path


def render_page(view: RunView) -> str:
    """The page as HTML."""
    styles = [_asset(name) for name in _STYLES]
    scripts = [_asset(name) for name in _SCRIPTS]
    return (
        _environment()
        .get_template("page.html.j2")
        .render(run=view, styles=styles, scripts=scripts, policy=_policy(styles, scripts))
    )


def embedded_json(content: Any) -> Markup:
    """JSON that is safe inside a ``script`` element, whatever its strings hold."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, escape in _JSON_ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["embedded_json"] = embedded_json
    return environment


def _asset(name: str) -> Markup:
    """A style sheet or script of ours, to be written into the page as it is."""
    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))


def _policy(styles: list[Markup], scripts: list[Markup]) -> str:
    """Nothing may run, load or connect but what this file holds and the recordings beside it."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(_hash(script) for script in scripts)}",
            f"style-src {' '.join(_hash(style) for style in styles)}",
            "img-src data:",
            "media-src data: 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
