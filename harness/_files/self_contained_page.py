"""Pages that are one file: every style and script inside, no network, and nothing from strangers but text.

Three walls keep it text: Jinja escapes every value, embedded JSON has its angle brackets escaped, and the
page's own Content-Security-Policy allows our scripts by their hash and nothing else, neither inline handlers
nor any connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from harness._files.atomic_file import write_text
from harness.errors import NotWritten

SHARED = Path(__file__).parent / "page_styles"
"""What every page of ours has in common."""

_JSON_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def render(
    template: str, *, folder: Path, styles: Sequence[str], scripts: Sequence[str], **values: Any
) -> str:
    """A page as HTML.

    Args:
        template, styles, scripts: Names of files in ``folder``, in a folder of it, or in :data:`SHARED`.
        folder: Where the page's own templates lie.
        values: What the template shows; escaped where it is text.
    """
    environment = _environment(folder)
    sheets = [_asset(environment, name) for name in styles]
    programs = [_asset(environment, name) for name in scripts]
    page = environment.get_template(template)
    return page.render(styles=sheets, scripts=programs, policy=_policy(sheets, programs), **values)


def write_page(path: Path, page: str) -> Path:
    """Writes or replaces a page; makes its folder.

    Raises:
        NotWritten: It cannot be written.
    """
    try:
        # Half a surrogate pair in somebody's words must not cost the page.
        write_text(path, page.encode("utf-8", errors="replace").decode("utf-8"))
    except OSError as error:
        raise NotWritten.of(path, error) from error
    return path


def embedded_json(content: Any) -> Markup:
    """JSON that is safe inside a ``script`` element, whatever its strings hold."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, escape in _JSON_ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text)


@cache
def _environment(folder: Path) -> Environment:
    """One for all pages of a folder: to compile a template takes longer than to fill it in."""
    inner = sorted(one for one in folder.iterdir() if one.is_dir())
    environment = Environment(
        loader=FileSystemLoader([folder, *inner, SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["embedded_json"] = embedded_json
    return environment


def _asset(environment: Environment, name: str) -> Markup:
    """A style sheet or script of ours, to be written into the page as it is."""
    assert environment.loader is not None
    text, _, _ = environment.loader.get_source(environment, name)
    return Markup(text)


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
