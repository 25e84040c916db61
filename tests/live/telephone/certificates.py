"""A certificate authority of a test, and what it signs for 127.0.0.1."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, kw_only=True)
class Certificates:
    """Files in PEM form.

    Attributes:
        authority: Who signed.
        key_and_certificate: Of the server, both in one file.
        key, certificate: Of the server.
    """

    authority: Path
    key_and_certificate: Path
    key: Path
    certificate: Path


def certificates(folder: Path, *, host: str = "127.0.0.1") -> Certificates:
    """A new authority, and a server's certificate signed by it.

    Args:
        host: The address that the certificate is for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    signing, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority, name = _name("authority of a test"), _name(host)
    root = (
        _begun(authority, authority, signing.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(signing, hashes.SHA256())
    )
    leaf = (
        _begun(name, authority, own.public_key())
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))]), critical=False
        )
        .sign(signing, hashes.SHA256())
    )
    key = own.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    certificate = leaf.public_bytes(serialization.Encoding.PEM)
    written = {
        "authority": root.public_bytes(serialization.Encoding.PEM),
        "key_and_certificate": key + certificate,
        "key": key,
        "certificate": certificate,
    }
    files = {what: folder / f"{what}.pem" for what in written}
    for what, content in written.items():
        files[what].write_bytes(content)
    return Certificates(**files)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=2))
    )
