"""How figures, times and addresses are written on the page, in one place so that they never differ."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit, urlunsplit

from harness.analysis.measures.units import Unit, unit_named
from spoken_language.plurals import plural

MINUS = "\u2212"
THIN = "\u202f"


def number(value: float, unit: Unit | str) -> str:
    """A value without its unit: ms whole, ratios as percent with one decimal, opinion scores with two."""
    return _unit(unit).number(value, separator=",").replace("-", MINUS)


def with_unit(value: float, unit: Unit | str) -> str:
    """A value with its unit, for running text."""
    return f"{number(value, unit)}{THIN}{_unit(unit).suffix}"


def _unit(unit: Unit | str) -> Unit:
    return unit if isinstance(unit, Unit) else unit_named(unit)


def interval(low: float | None, high: float | None, unit: Unit | str) -> str:
    """Both ends, or the one that is known; empty when neither is."""
    if low is not None and high is not None:
        return f"{number(low, unit)} – {with_unit(high, unit)}"
    if low is not None:
        return f"at least {with_unit(low, unit)}"
    if high is not None:
        return f"at most {with_unit(high, unit)}"
    return ""


def not_reached(beyond: float, unit: Unit | str) -> str:
    """A percentile without a value, which is known to lie beyond one."""
    return f"not reached (>{THIN}{with_unit(beyond, unit)})"


def clock(seconds: float) -> str:
    """A time within a call: ``1:02.4``."""
    tenths = max(0, round(seconds * 10))
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def length(seconds: float) -> str:
    """How long something took: ``34 s``, ``2 min 05 s``, ``1 h 02 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f}{THIN}s" if seconds < 10 else f"{whole}{THIN}s"
    if whole < 3600:
        return f"{whole // 60}{THIN}min {whole % 60:02d}{THIN}s"
    return f"{whole // 3600}{THIN}h {whole // 60 % 60:02d}{THIN}min"


def day(iso: str) -> str:
    """An ISO date or time for people, in its own time zone; unchanged where it is none."""
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return iso[:40]
    date = f"{moment.day} {moment:%b %Y}"
    if len(iso) <= 10:
        return date
    return f"{date}, {moment:%H:%M}{' ' + (moment.tzname() or '') if moment.tzinfo else ''}"


def count(n: int, noun: str) -> str:
    """``1 call``, ``2 calls``."""
    return f"{n:,} {noun if n == 1 else plural(noun)}"


def address(agent: str) -> str:
    """An agent's address without its password and without its query, which may carry a token."""
    try:
        parts = urlsplit(agent)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "(unreadable address)"
    if parts.scheme.startswith("sip"):
        user_and_host, _, _ = parts.path.partition(";")
        user, at, sip_host = user_and_host.rpartition("@")
        return f"{parts.scheme}:{user.partition(':')[0]}{at}{sip_host}"
    return urlunsplit((parts.scheme, host, parts.path, "…" if parts.query else "", ""))
