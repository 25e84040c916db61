"""User and password of a call: what is sent when a server asks for them, and when it asks again."""

from __future__ import annotations

from dataclasses import dataclass, field

from sipmessage import Response

from harness.transports.sip.address import PASSWORD_VARIABLE, USER_VARIABLE
from harness.transports.sip.signalling.digest import Challenge, NoChallenge, answer, read_challenge

MAX_ROUNDS = 4
"""Times that a request is sent: a proxy and a server may ask, and either may find its nonce too old."""

MAX_REALMS = 4
"""Proxies and servers of one call that ask."""


class Refused(Exception):
    """The server does not take what we have; the message says why."""


@dataclass(kw_only=True)
class Login:
    """The credentials of one call; the challenges that were answered with them."""

    user: str = field(repr=False)
    password: str = field(repr=False)
    _tried: set[tuple[str, str, str]] = field(default_factory=set, repr=False)
    _answered: dict[tuple[str, str], tuple[Challenge, int]] = field(default_factory=dict, repr=False)

    def heed(self, response: Response, method: str) -> None:
        """Takes a 401 or 407, so that :meth:`headers` answers it.

        Raises:
            Refused: It cannot be answered, or was answered before.
        """
        wanted, sent = (
            ("WWW-Authenticate", "Authorization")
            if response.code == 401
            else ("Proxy-Authenticate", "Proxy-Authorization")
        )
        try:
            challenge = read_challenge(response.headers.getlist(wanted))
        except NoChallenge as error:
            raise Refused(str(error)) from None
        if not self.password:
            raise Refused(f"it wants a user and a password: set {USER_VARIABLE} and {PASSWORD_VARIABLE}")
        # Each of several proxies has a realm of its own (RFC 3261, 22.3).
        asked = sent, challenge.realm
        if (*asked, method) in self._tried and not challenge.stale:
            raise Refused("it does not take our user and password")
        if asked not in self._answered and len(self._answered) >= MAX_REALMS:
            raise Refused(f"it asks in the name of more than {MAX_REALMS} realms")
        self._tried.add((*asked, method))
        self._answered[asked] = (challenge, 0)

    def settled(self, method: str) -> None:
        """A request of that method was taken: the next one may be challenged anew."""
        self._tried = {one for one in self._tried if one[2] != method}

    def headers(self, method: str, uri: str) -> list[tuple[str, str]]:
        """What a request has to carry by now."""
        made = []
        for asked, (challenge, count) in self._answered.items():
            self._answered[asked] = (challenge, count + 1)
            value = answer(
                challenge, method=method, uri=uri, user=self.user, password=self.password, count=count + 1
            )
            made.append((asked[0], value))
        return made
