"""Whom TLS trusts where an agent, its signalling or its TURN server is reached."""

from __future__ import annotations

import asyncio
import ssl
from functools import lru_cache
from pathlib import Path

import httpx

from harness.errors import SetupFailed


async def trusted(ca_file: Path | None) -> ssl.SSLContext:
    """What this machine trusts (``SSL_CERT_FILE`` included), and the authorities of a file besides.

    Made once for each file, and off the event loop: to read the list takes 20 to 100 ms, in which a call that
    stands beside this one could not send.

    Raises:
        SetupFailed: The file is none of certificates.
    """
    try:
        return await asyncio.to_thread(_context, ca_file)
    except (OSError, ssl.SSLError) as error:
        raise SetupFailed(f"reach.ca_file: {ca_file} holds no certificates in PEM form ({error})") from error


@lru_cache(maxsize=8)
def _context(ca_file: Path | None) -> ssl.SSLContext:
    context = httpx.create_ssl_context()
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
    return context


def distrusted(error: BaseException) -> str:
    """Why the certificate of the other side was not accepted, in OpenSSL's words; empty where that is not
    what went wrong. What libraries raise has it somewhere among its causes."""
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return ""
        if isinstance(seen, ssl.SSLCertVerificationError):
            # aiohttp's own error is one by its type alone, and has OpenSSL's as its cause.
            said: str = getattr(seen, "verify_message", "")
            if said or seen.__cause__ is None:
                return said or "certificate verify failed"
        seen = seen.__cause__ or seen.__context__
    return ""


DISTRUSTED = "name the authority that signed it: --ca-file FILE, or reach.ca_file in the plan"
"""What to do where a certificate was not accepted."""
