"""What sipp plays that calls us; the rest of its steps are those of :mod:`tests.live.telephone.steps`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.live.telephone.steps import receive, sdp, send

INVITE_BRANCH = "z9hG4bKi[pid]x[call_number]"
SECOND_BRANCH = "z9hG4bKj[pid]x[call_number]"
_DESCRIBED = "Content-Type: application/sdp\nContent-Length: [len]\n\n{sdp}"


def call(
    *,
    description: str | None = None,
    number: int = 1,
    headers: Sequence[str] = (),
    branch: str = INVITE_BRANCH,
    contact: str = "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>",
    short: bool = False,
) -> str:
    """An INVITE. Without a description of its own: what :func:`sdp` says; an empty one: none."""
    body = sdp() if description is None else description
    names = {"Via": "v", "From": "f", "To": "t", "Call-ID": "i", "Contact": "m"} if short else {}
    lines = (
        "INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0\n"
        f"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch={branch}\n"
        "From: <sip:sipp@[local_ip]:[local_port]>;tag=from[call_number]\n"
        "To: <sip:[service]@[remote_ip]:[remote_port]>\n"
        f"Call-ID: [call_id]\nCSeq: {number} INVITE\nMax-Forwards: 70\n{contact}\n"
        "User-Agent: sipp\n"
    )
    for long, brief in names.items():
        lines = lines.replace(f"\n{long}:", f"\n{brief}:")
    lines += "".join(f"{header}\n" for header in headers)
    return send(lines + (_DESCRIBED.format(sdp=body) if body else "Content-Length: 0\n\n"))


def answered(
    code: int, *, optional: bool = False, routes: bool = False, auth: bool = False, action: str = ""
) -> str:
    """Waits for a response."""
    told = ' optional="true"' if optional else ""
    told += ' rrs="true"' if routes else ""
    told += ' auth="true"' if auth else ""
    inside = f"<action>{action}</action>" if action else ""
    return f'<recv response="{code}" crlf="true"{told}>{inside}</recv>'


def within(
    method: str,
    number: int,
    *,
    branch: str = "[branch]",
    uri: str = "[next_url]",
    tag: str = "[peer_tag_param]",
    description: str = "",
    headers: Sequence[str] = (),
    routes: bool = False,
) -> str:
    """A request in the dialog (or before it, for CANCEL: without the peer's tag)."""
    lines = (
        f"{method} {uri} SIP/2.0\n"
        f"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch={branch}\n"
        "From: <sip:sipp@[local_ip]:[local_port]>;tag=from[call_number]\n"
        f"To: <sip:[service]@[remote_ip]:[remote_port]>{tag}\n"
        f"Call-ID: [call_id]\nCSeq: {number} {method}\nMax-Forwards: 70\n"
        "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>\n"
    )
    lines += "[routes]\n" if routes else ""
    lines += "".join(f"{header}\n" for header in headers)
    return send(lines + (_DESCRIBED.format(sdp=description) if description else "Content-Length: 0\n\n"))


KEEP_TAG = '<ereg regexp="tag=([0-9a-f]*)" search_in="hdr" header="To:" assign_to="9,1"/>'
"""Keeps our tag, whatever sipp takes for it later."""
OF_THE_NUMBER = "sip:[service]@[remote_ip]:[remote_port]"
REFUSAL_TAKEN = within("ACK", 1, branch=INVITE_BRANCH, uri=OF_THE_NUMBER)
"""The ACK of a refusal belongs to its INVITE."""
TAKEN = [
    call(),
    answered(100, optional=True),
    answered(180),
    answered(200, routes=True),
    within("ACK", 1),
]
HANGS_UP = [within("BYE", 2), answered(200)]
IS_HUNG_UP = [
    receive("BYE"),
    send(
        "SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\n"
        "Content-Length: 0\n\n"
    ),
]
