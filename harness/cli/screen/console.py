"""The consoles of every command: results on stdout, progress beside them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from harness.cli.screen.answer import print_json
from spoken_language.outside_text import harmless

__all__ = ["Screen", "print_json", "progress_console", "stderr", "stdout"]


class Screen(Console):
    """A console on which no text acts, wherever it is from: names of files and folders, too, hold what they
    like. What rich itself tells the terminal (colours, the cursor of a progress bar) is no text and passes.
    """

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False) -> None:
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control is None and (text := harmless(segment.text)) != segment.text:
                yield Segment(text, segment.style)
            else:
                yield segment


stdout = Screen()
stderr = Screen(stderr=True)


def progress_console(*, as_json: bool) -> Console:
    """Where progress goes: beside the result, so that stdout holds nothing but JSON when it is asked for."""
    return stderr if as_json else stdout
