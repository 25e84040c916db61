"""Agents whose host is a name: SRV records of a server of names on loopback say where they are."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping

import dns.asyncresolver
import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest

from tests.live.telephone.calling import Call, place
from tests.serving import serving_telephone

pytestmark = [pytest.mark.live, pytest.mark.long]


@contextlib.contextmanager
def _names(records: Mapping[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server of names that knows these SRV records, and what it was asked for."""
    asked: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                try:
                    data, source = sock.recvfrom(2000)
                except OSError:
                    return
                if data == b"stop":
                    return
                query = dns.message.from_wire(data)
                name = query.question[0].name.to_text()
                asked.append(name)
                answer = dns.message.make_response(query)
                answer.flags |= dns.flags.RA
                if name in records:
                    answer.answer.append(dns.rrset.from_text(name, 60, "IN", "SRV", *records[name]))
                else:
                    answer.set_rcode(dns.rcode.NXDOMAIN)
                sock.sendto(answer.to_wire(), source)

        serving = threading.Thread(target=serve)
        serving.start()
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], sock.getsockname()[1]
        monkeypatch.setattr(dns.asyncresolver, "default_resolver", resolver)
        yield asked
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as telling:
            telling.sendto(b"stop", sock.getsockname())
        serving.join(5)


@pytest.mark.parametrize(
    ("to", "service"),
    [
        ("sip:agent@agents.example.test", "_sip._udp.agents.example.test."),
        ("sip:agent@agents.example.test;transport=tcp", "_sip._tcp.agents.example.test."),
    ],
)
def test_a_host_is_where_its_srv_records_say(to: str, service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_telephone() as (_, telephone):
        port = telephone.rpartition(":")[2]
        # The one of the lower priority would be nobody.
        records = {service: [f"10 5 {port} localhost.", "20 5 9 localhost."]}
        with _names(records, monkeypatch) as asked:
            called = asyncio.run(place(Call(to=to, for_s=0.5), 0))
    assert called.error == ""
    assert asked == [service]
    assert called.packets


@pytest.mark.parametrize("carrier", ["udp", "tcp"])
def test_where_nobody_is_at_the_first_place_the_second_is_called(
    carrier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over UDP a place that is silent, over TCP one that refuses; both have the next one called."""
    with serving_telephone() as (_, telephone), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        dead, port = mute.getsockname()[1], telephone.rpartition(":")[2]
        service = f"_sip._{carrier}.agents.example.test."
        with _names({service: [f"10 5 {dead} localhost.", f"20 5 {port} localhost."]}, monkeypatch):
            to = f"sip:agent@agents.example.test;transport={carrier}"
            called = asyncio.run(place(Call(to=to, for_s=0.5, connect_s=8.0), 0))
    assert called.error == ""
    assert called.packets
    assert called.data("next-place")["left"] == f"127.0.0.1:{dead}"
    assert called.data("next-place")["place"] == f"127.0.0.1:{port}"


def test_a_host_with_a_port_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_telephone() as (_, telephone), _names({}, monkeypatch) as asked:
        port = int(telephone.rpartition(":")[2])
        called = asyncio.run(place(Call(to="sip:agent@localhost:{port}", for_s=0.3), port))
    assert (called.error, asked) == ("", [])


def test_a_name_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with _names({}, monkeypatch) as asked:
        called = asyncio.run(place(Call(to="sip:agent@nowhere.invalid"), 0))
    assert "there is no host of that name" in called.error
    assert asked == ["_sip._udp.nowhere.invalid."]
