"""What kinds of entity there are: how one is asked for, and told from another, depends on its kind."""

from __future__ import annotations

from typing import Literal, get_args

EntityKind = Literal["name", "place", "company", "product", "date", "code", "digits", "amount", "address"]
KINDS: tuple[EntityKind, ...] = get_args(EntityKind)
