"""What measured a run, as a digest: runs of two instruments are never compared silently."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from harness.versions import same_instrument_version


def instrument_digest(versions: Mapping[str, str], outboundeval: str) -> str:
    """Sixteen hex digits over what measured a run.

    Args:
        versions: Of libraries, models and the benchmark, by name (``run.json``).
    """
    told = {name: same_instrument_version(name, version) for name, version in versions.items()}
    content = json.dumps({"outboundeval": outboundeval, **told}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
