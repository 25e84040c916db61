"""Figures turned into pages, JUnit and Markdown. Measures nothing."""

from __future__ import annotations

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
"""Templates, styles and scripts of the pages."""
