"""By what right a room is joined, and what is said where there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping

import jwt
import pytest

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.redaction import KNOWN
from harness.transports.livekit.signalling.access import Access, access_to, metadata_of, without_tokens
from harness.transports.livekit.signalling.address import read_address

SECRET = "a secret of more than thirty-two characters"
BOTH = {"LIVEKIT_API_KEY": "K", "LIVEKIT_API_SECRET": SECRET}


@pytest.fixture(autouse=True)
def _forget() -> None:
    KNOWN.forget()


def _access(
    address: str = "livekit+ws://h/blue", *, environment: Mapping[str, str] = BOTH, **wire: object
) -> Access:
    to = OnTheWire(url=address, **wire)  # type: ignore[arg-type]
    return access_to(read_address(address, shown="AGENT"), to, shown="AGENT", environment=environment)


def _token(**claims: object) -> str:
    # Written when the tests are collected, and read much later.
    content = {"sub": "ann", "exp": time.time() + 86_400, "video": {"room": "blue"}, **claims}
    return jwt.encode(content, SECRET, algorithm="HS256")


def test_a_token_is_made_from_key_and_secret() -> None:
    access = _access(request_data={"card": "x"})
    claims = jwt.decode(access.token, SECRET, algorithms=["HS256"])
    assert claims["video"]["room"] == "blue"
    assert claims["video"]["canPublish"] is True
    assert claims["sub"] == access.claims.identity
    # Nobody is dispatched, so whoever comes finds the scenario with us.
    assert claims["metadata"] == '{"card": "x"}'
    assert access.may_administrate
    admin = jwt.decode(access.admin_token(), SECRET, algorithms=["HS256"])
    assert admin["video"] == {"roomAdmin": True, "roomCreate": True, "room": "blue"}


def test_a_dispatched_agent_has_the_scenario_from_its_job_alone() -> None:
    access = _access("livekit+ws://h/blue?agent=nurse", request_data={"card": "x"})
    assert "metadata" not in jwt.decode(access.token, SECRET, algorithms=["HS256"])


def test_the_address_comes_before_the_environment() -> None:
    other = SECRET + " of the address"
    access = _access(user="A", password=other)
    assert jwt.decode(access.token, other, algorithms=["HS256"])["iss"] == "A"


@pytest.mark.parametrize("where", ["header", "address", "environment"])
def test_a_token_that_was_given_is_taken_as_it_is(where: str) -> None:
    token = _token()
    if where == "header":
        access = _access(headers={"authorization": f"Bearer {token}"})
    elif where == "address":
        access = _access(f"livekit+ws://h/blue?token={token}")
    else:
        access = _access(environment={**BOTH, "LIVEKIT_TOKEN": token})
    assert (access.token, access.claims.identity, access.room) == (token, "ann", "blue")
    assert not access.may_administrate


def test_a_token_names_the_room_where_the_address_does_not() -> None:
    access = _access("livekit+ws://h", environment={"LIVEKIT_TOKEN": _token(video={"room": "red"})})
    assert access.room == "red"


def test_secrets_are_known_and_shown_nowhere() -> None:
    access = _access()
    assert SECRET not in repr(access)
    assert access.token not in repr(access)
    assert KNOWN.scrub(f"x {SECRET} y") == "x *** y"


def test_tokens_are_taken_out_of_a_servers_text() -> None:
    access = _access()
    assert without_tokens(f"invalid token: {access.token}, error") == "invalid token: ***, error"
    assert without_tokens(f"cut: {access.token[:60]}") == "cut: ***"


def test_many_calls_do_not_make_redaction_slower() -> None:
    """It is asked in the middle of calls: what it knows must not grow with them."""
    for _ in range(3):
        _access().admin_token()
        _access("livekit+ws://h/demo-*?agent=x")
    assert set(KNOWN._everywhere) == {SECRET}


@pytest.mark.parametrize(
    ("address", "environment", "says"),
    [
        ("livekit+ws://h/blue", {}, "no right to join: set LIVEKIT_API_KEY and LIVEKIT_API_SECRET"),
        ("livekit+ws://h/blue", {"LIVEKIT_API_SECRET": SECRET}, "no right to join"),
        ("livekit+ws://h/blue", {"LIVEKIT_TOKEN": "abc"}, "none of LiveKit's"),
        ("livekit+ws://h/red", {"LIVEKIT_TOKEN": _token()}, "for the room 'blue', not for 'red'"),
        ("livekit+ws://h/blue?agent=x", {"LIVEKIT_TOKEN": _token()}, "dispatches no agent 'x'"),
    ],
)
def test_where_there_is_no_right_it_is_said_why(address: str, environment: dict[str, str], says: str) -> None:
    with pytest.raises(SetupFailed, match=says) as refused:
        _access(address, environment=environment)
    assert str(refused.value).startswith("AGENT: ")
    assert SECRET not in str(refused.value)


def test_a_token_that_has_expired_says_how_long_ago() -> None:
    token = _token(exp=time.time() - 2.5 * 3600)
    with pytest.raises(SetupFailed, match=r"^AGENT: .* expired 2 hours ago$") as refused:
        _access(environment={"LIVEKIT_TOKEN": token})
    assert token not in str(refused.value)
    assert SECRET not in str(refused.value)


def test_more_than_a_server_takes_is_refused_before() -> None:
    with pytest.raises(SetupFailed, match="no LiveKit metadata"):
        metadata_of(OnTheWire(url="", request_data={"a": "x" * 70_000}), shown="AGENT")
