"""What sipp plays: steps in Python, a scenario of sipp in XML."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

_ECHOED = """[last_Via:]
[last_From:]
[last_To:]{tag}
[last_Call-ID:]
[last_CSeq:]
"""
SDP = """v=0
o=sipp 1 {version} IN IP4 [local_ip]
s=-
c=IN IP4 {address}
t=0 0
m=audio [media_port] RTP/AVP {formats}
a=rtpmap:101 telephone-event/8000
a={direction}
"""


def _action(action: str) -> str:
    return f"<action>{action}</action>" if action else ""


def receive(method: str, *, action: str = "", record_routes: bool = False) -> str:
    """Waits for a request."""
    routes = ' rrs="true"' if record_routes else ""
    return f'<recv request="{method}" crlf="true"{routes}>{_action(action)}</recv>'


def answer_to_ours(code: int) -> str:
    """Waits for a response to a request that sipp sent."""
    return f'<recv response="{code}" crlf="true"/>'


def send(text: str) -> str:
    """Sends a message as it stands."""
    return f"<send><![CDATA[\n{text}\n]]></send>"


def respond(
    code: int,
    phrase: str = "Whatever",
    *,
    headers: Sequence[str] = (),
    sdp: str = "",
    tag: str = ";tag=sipp[call_number]",
    contact: str = "sip:sipp@[local_ip]:[local_port];transport=[transport]",
) -> str:
    """Answers the request that came last."""
    lines = f"SIP/2.0 {code} {phrase}\n" + _ECHOED.format(tag=tag if code > 100 else "")
    lines += "".join(f"{header}\n" for header in (*headers, f"Contact: <{contact}>"))
    return send(lines + _body(sdp))


def respond_to_invite(code: int, phrase: str = "Whatever", *, tag: str, sdp: str = "") -> str:
    """Answers the INVITE, whatever came since; :data:`INVITED` has kept it."""
    lines = f"SIP/2.0 {code} {phrase}\nVia: [$5]\n[last_From:]\nTo: <sip:agent@[local_ip]>;tag={tag}\n"
    lines += "[last_Call-ID:]\nCSeq: [$4] INVITE\n"
    return send(f"{lines}Contact: <sip:sipp@[local_ip]:[local_port]>\n" + _body(sdp))


def ask(
    method: str,
    number: int,
    *,
    headers: Sequence[str] = (),
    sdp: str = "",
    body: str = "",
    from_tag: str = "sipp[call_number]",
    branch: str = "[branch]",
) -> str:
    """Sends a request within the dialog. The variables are those that :data:`INVITED` keeps."""
    lines = (
        f"{method} sip:outboundeval@[$1] SIP/2.0\n"
        f"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch={branch}\n"
        f"From: <sip:agent@[local_ip]>;tag={from_tag}\n"
        "To: <[$2]>;tag=[$3]\n[last_Call-ID:]\n"
        f"CSeq: {number} {method}\nMax-Forwards: 70\n"
        "Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>\n"
    )
    return send(lines + "".join(f"{header}\n" for header in headers) + (_text(body) if body else _body(sdp)))


def pause(milliseconds: int) -> str:
    return f'<pause milliseconds="{milliseconds}"/>'


def sdp(
    formats: str = "0 101", *, direction: str = "sendrecv", address: str = "[media_ip]", version: int = 1
) -> str:
    """A description of sipp's side."""
    return SDP.format(formats=formats, direction=direction, address=address, version=version)


KEEP_CALLER = (
    '<ereg regexp="outboundeval@([0-9.:]*)" search_in="hdr" header="Contact:" assign_to="9,1"/>'
    '<ereg regexp="&lt;(sip:[^&gt;]*)&gt;" search_in="hdr" header="From:" assign_to="10,2"/>'
    '<ereg regexp="tag=([0-9a-f]*)" search_in="hdr" header="From:" assign_to="11,3"/>'
    '<ereg regexp="([0-9]+) INVITE" search_in="hdr" header="CSeq:" assign_to="12,4"/>'
    '<ereg regexp="SIP/2.*" search_in="hdr" header="Via:" assign_to="5"/>'
)
"""Keeps where the caller is, who it is, its tag, and number and way of its INVITE."""
INVITED = receive("INVITE", action=KEEP_CALLER)


def scenario(steps: Sequence[str]) -> str:
    """The whole of it."""
    # sipp refuses a scenario that keeps what it never uses.
    used = (
        '<Reference variables="1,2,3,4,5,9,10,11,12"/>' if any(KEEP_CALLER in step for step in steps) else ""
    )
    if not used and any('assign_to="9,1"' in step for step in steps):
        used = '<Reference variables="1,9"/>'
    return f'<?xml version="1.0"?><scenario name={quoteattr("test")}>{"".join(steps)}{used}</scenario>'


def _body(sdp: str) -> str:
    if not sdp:
        return "Content-Length: 0\n\n"
    return f"Content-Type: application/sdp\nContent-Length: [len]\n\n{sdp}"


def _text(body: str) -> str:
    kind, _, content = body.partition("|")
    return f"Content-Type: {kind}\nContent-Length: [len]\n\n{content}\n"
