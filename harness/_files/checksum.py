"""A checksum over what is kept, so that a torn file, or a change by hand, does not pass as a measurement.

It keeps no secret: whoever reads this can make one. It tells what was written here from what was not.
"""

from __future__ import annotations

import hashlib
import json

from pydantic import JsonValue


def seal_of(*content: JsonValue) -> str:
    """SHA-256 in hex over the content as JSON, whatever the order of keys.

    Raises:
        ValueError: What JSON cannot hold (NaN, infinities).
    """
    plain = json.dumps(content, sort_keys=True, allow_nan=False)
    return hashlib.sha256(plain.encode()).hexdigest()
