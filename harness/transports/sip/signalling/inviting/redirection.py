"""A call that is sent elsewhere (3xx): whether it goes there is for the plan to say."""

from __future__ import annotations

from sipmessage import Response

from harness.errors import SetupFailed
from harness.transports.sip.address import BadAddress, bare_host, parse_uri
from harness.transports.sip.signalling.inviting.outcome import not_taken
from harness.transports.sip.signalling.message import address_of, values
from spoken_language.outside_text import one_line


class Redirected(Exception):
    """The call is to be placed again at an allowed address: ``to``."""

    def __init__(self, to: str) -> None:
        super().__init__(to)
        self.to = to


def redirected(response: Response, *, allowed: frozenset[str], shown: str) -> Redirected | SetupFailed:
    """To the first of the places that a response names where the plan lets us go; else to none of them.

    Args:
        allowed: The hosts to which the plan does.
        shown: The address of the agent, for messages.

    Returns:
        What is to be raised.
    """
    refused, first = not_taken(response, shown=shown), ""
    for contact in values(response, "Contact"):
        target = address_of(contact)
        try:
            host = parse_uri(target).host.lower()
        except BadAddress:
            continue
        if host in allowed or bare_host(host) in allowed:
            return Redirected(to=target)
        first = first or target
    if first:
        there = one_line(first, most=100)
        refused.args = (f"{refused.args[0]} to {there}, which the plan does not allow",)
    return refused
