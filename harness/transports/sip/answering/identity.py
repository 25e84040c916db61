"""Who we are to whoever calls us over TLS: a certificate and its key, from files."""

from __future__ import annotations

import ssl
from pathlib import Path

from harness.errors import UserError


def identity(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What a server shows (TLS 1.2 and later; RFC 8446, 4.4.2). Callers are not asked for one of theirs.

    Args:
        certificate: In PEM form, ours first, then those of the authorities between it and the root.
        key: Without a password; None: it is in the same file.

    Raises:
        UserError: They cannot be read, or do not belong together; the message says what to do.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    for option, path in (("--certificate", certificate), ("--key", key)):
        if path is None:
            continue
        try:
            with path.open("rb"):
                pass
        except OSError as error:
            raise UserError(f"{option}: {path} cannot be read: {error.strerror or error}") from None
    try:
        # An empty password, since otherwise OpenSSL asks for one at the terminal.
        context.load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        files = str(certificate) if key is None else f"{certificate} and {key}"
        raise UserError(
            f"--certificate: {files}: no certificate with its key in PEM form ({reason}); give the "
            "certificate first in its file, and with --key the key that belongs to it, without a password"
        ) from None
    return context
