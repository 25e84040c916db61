"""What a call carries: request data as X- headers, headers of the plan, and none of SIP's own."""

from __future__ import annotations

import pytest

from harness.errors import HarnessFault
from harness.plans.entries import told_to_agent
from harness.plans.on_the_wire import on_the_wire
from harness.scenarios.folders import load_entries
from harness.transports.sip.headers import MAX_BYTES, MAX_DATAGRAM_BYTES, call_headers, fitting

ENTRY = "cs-appliance-repair/efficient"


def test_request_data_goes_out_as_headers() -> None:
    to = on_the_wire("sip:a@h", {"X-Tenant": "t"}, {"customer_id": 7, "cart": [1, 2], "name": "Ann Lee"})
    made = dict(call_headers(to))
    assert made["X-Customer-Id"] == "7"
    assert made["X-Cart"] == "[1,2]"
    assert made["X-Name"] == "Ann Lee"
    assert made["X-Tenant"] == "t"
    assert made["User-Agent"].startswith("outboundeval/")


def test_no_text_becomes_another_header() -> None:
    made = dict(call_headers(on_the_wire("sip:a@h", None, {"note": "x\r\nContact: <sip:eve@evil>"})))
    assert made["X-Note"] == r'"x\r\nContact: <sip:eve@evil>"'


def test_a_scenario_over_udp_leaves_room_for_what_telephones_read() -> None:
    entry = load_entries([ENTRY])[ENTRY]
    to = on_the_wire("sip:a@h", {"X-Tenant": "t" * 3000}, told_to_agent(entry))
    whole, nothing = fitting(to, MAX_BYTES)
    assert whole == call_headers(to)
    assert nothing == []
    sent, left_out = fitting(to, MAX_DATAGRAM_BYTES)
    names = [name for name, _ in sent]
    assert {"X-Prompt", "X-Card"} == set(left_out)
    assert {"X-Scenario", "X-Language", "X-Tenant", "User-Agent"} <= set(names)
    data = [f"{name}: {value}\r\n" for name, value in sent if name not in ("X-Tenant", "User-Agent")]
    assert 0 < len("".join(data).encode()) <= MAX_DATAGRAM_BYTES


@pytest.mark.parametrize(
    ("headers", "data", "what"),
    [
        ({"Via": "SIP/2.0/UDP evil"}, {}, "the header Via is set by the call itself"),
        ({}, {"a b": 1}, "a name has letters"),
        ({}, {"a:\r\n": 1}, "a name has letters"),
        ({}, {"long": "x" * (MAX_BYTES + 1)}, "more than"),
    ],
)
def test_what_cannot_be_sent_is_our_own_fault(
    headers: dict[str, str], data: dict[str, object], what: str
) -> None:
    with pytest.raises(HarnessFault, match=what):
        call_headers(on_the_wire("sip:a@h", headers, data))
