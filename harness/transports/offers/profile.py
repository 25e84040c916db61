"""A dialect of "an offer over HTTP" as data, and what follows from it without any network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from harness.plans.reach.offer import HangUp, OfferPlan, Says
from harness.redaction import KNOWN
from spoken_language.outside_text import harmless_content, one_line

Form = Literal["json", "sdp", "multipart"]

UNSUPPORTED_MEDIA_TYPE = 415
_REASONS = ("error", "detail", "message", "info", "meta", "reason")
"""Where servers say why, in this order."""
_MOST_CHARS = 200
_BOUNDARY = "outboundeval-offer-7d1c9a52e0"


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A refusal that comes as a success: the field at ``field`` of the JSON is ``value``."""

    field: tuple[str, ...]
    value: str | bool | int
    why: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class InputHook:
    """What is posted, as JSON, when a FastRTC agent asks for inputs."""

    path: str
    body: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How one dialect does it.

    Attributes:
        name: For messages: "a FastRTC agent".
        path: Where the offer goes.
        below: The path is appended to that of the address (an API's base), unless it ends with it already;
            otherwise an address with a path has said where.
        forms: Of the offer; the next one is tried where the server does not understand the type (415).
        body: Of ``json``: texts ``{sdp}``, ``{type}``, ``{id}``, ``{model}`` and ``{data}`` are put in; what
            there is none of is left out.
        answer: Keys that lead to the answer in JSON; empty: the body is the answer.
        failed: How a refusal looks that comes as a success.
        channel: Name of our data channel; None: there is none.
        needs_channel: Without it nothing would come of the call.
        says: What comes over it.
        messages: Sent when it opens.
        goodbye: Sent over it when we hang up.
        hang_up: What is asked of the server then, at the answer's Location.
        takes_session: Of the request data only ``session`` is sent, and as the session's own settings.
        on_input: Posted when the agent asks for inputs.
        hint: What to look at when it is refused.
    """

    name: str
    path: str
    below: bool = False
    forms: tuple[Form, ...] = ("json",)
    body: Mapping[str, Any] = field(default_factory=dict)
    answer: tuple[str, ...] = ()
    failed: Refusal | None = None
    channel: str | None = None
    needs_channel: bool = False
    says: Says = "nothing"
    messages: tuple[str, ...] = ()
    goodbye: str = ""
    hang_up: HangUp = "none"
    takes_session: bool = False
    on_input: InputHook | None = None
    hint: str = ""

    def with_plan(self, plan: OfferPlan | None) -> Profile:
        """The same with what a plan says otherwise."""
        if plan is None:
            return self
        changes: dict[str, Any] = {
            name: value
            for name in ("path", "channel", "needs_channel", "says", "messages", "hang_up", "body")
            if (value := getattr(plan, name)) is not None
        }
        if plan.channel == "":
            changes["channel"] = None
        if plan.form is not None:
            changes["forms"] = (plan.form,)
        if plan.answer is not None:
            changes["answer"] = _keys(plan.answer)
        if plan.failed is not None:
            failed = plan.failed
            changes["failed"] = Refusal(field=_keys(failed.field), value=failed.value, why=_keys(failed.why))
        if plan.on_input is not None:
            changes["on_input"] = InputHook(path=plan.on_input.path, body=plan.on_input.body)
        return replace(self, **changes)

    def path_of(self, given: str) -> str:
        """Where the offer goes, by the path of the address."""
        base = given.rstrip("/")
        if self.below:
            return base if base.endswith(self.path) else base + self.path
        # As it was written: a server that has it with a slash at its end redirects who comes without.
        return given if base else self.path


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What one call puts into a profile.

    Attributes:
        call_id: Chosen by us: what FastRTC knows the call by.
        model: Of the address; empty where it names none.
        data: What is told to the agent.
    """

    sdp: str = field(repr=False)
    call_id: str
    model: str = ""
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A request's body, and what it is."""

    content: bytes = field(repr=False)
    content_type: str
    query: Mapping[str, str] = field(default_factory=dict)


def posted(profile: Profile, form: Form, offer: Offer) -> Posted:
    """An offer as a server wants it."""
    if form == "json":
        body = _filled(profile.body, _values(profile, offer))
        return Posted(content=_json(body), content_type="application/json")
    if form == "sdp":
        # Servers that take the bare offer take the model beside it.
        query = {"model": offer.model} if offer.model else {}
        return Posted(content=offer.sdp.encode(), content_type="application/sdp", query=query)
    parts = [("sdp", "application/sdp", offer.sdp.encode())]
    if session := session_of(offer):
        parts.append(("session", "application/json", _json({"type": "realtime", **session})))
    return _multipart(parts)


def forms_of(profile: Profile, offer: Offer) -> tuple[Form, ...]:
    """In which forms an offer is tried: of several parts only where there is more than the offer to say."""
    if profile.forms[0] == "multipart" and len(profile.forms) > 1 and not session_of(offer):
        return profile.forms[1:]
    return profile.forms


def session_of(offer: Offer) -> dict[str, Any]:
    """The settings of the session that were asked for. What a scenario tells agents of other makers is none
    of them: the agent's own prompt is what is to be tried."""
    asked = offer.data.get("session")
    session = {**asked} if isinstance(asked, Mapping) else {}
    return {**({"model": offer.model} if offer.model else {}), **session}


def at(content: Any, keys: tuple[str, ...]) -> Any:
    """What stands under keys within each other; None where nothing does."""
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def is_refused(profile: Profile, content: Any) -> bool:
    """Whether JSON that came as a success says that it is none."""
    return profile.failed is not None and at(content, profile.failed.field) == profile.failed.value


def reason_in(profile: Profile, content: Any) -> str:
    """Why a server refuses, in its own words, on one line, without secrets; empty where it does not say."""
    # Before anything is cut: half a secret is not found any more.
    content = KNOWN.scrub_data(harmless_content(content))
    if profile.failed is not None and (why := at(content, profile.failed.why)) is not None:
        more = content.get("meta") if isinstance(content, dict) else None
        limit = more.get("limit") if isinstance(more, dict) else None
        return one_line(
            _told(why) + (f" (limit {limit})" if isinstance(limit, int) else ""), most=_MOST_CHARS
        )
    if isinstance(content, dict):
        return next(
            (one_line(_told(content[key]), most=_MOST_CHARS) for key in _REASONS if key in content), ""
        )
    return ""


def _told(why: Any) -> str:
    if isinstance(why, dict):
        parts = [why.get(key) for key in ("code", "type", "message", "error", "msg") if why.get(key)]
        return ": ".join(str(part) for part in parts[:3]) or str(why)
    if isinstance(why, list):
        return "; ".join(_told(one) for one in why[:3])
    return str(why)


def _values(profile: Profile, offer: Offer) -> dict[str, Any]:
    values: dict[str, Any] = {"{sdp}": offer.sdp, "{type}": "offer", "{id}": offer.call_id}
    if offer.model:
        values["{model}"] = offer.model
    data = session_of(offer) if profile.takes_session else dict(offer.data)
    if data:
        values["{data}"] = data
    return values


_LEFT_OUT = object()


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    """A template with its values; what stands for one that is not there is left out."""
    if isinstance(template, str):
        if template in ("{sdp}", "{type}", "{id}", "{model}", "{data}"):
            return values.get(template, _LEFT_OUT)
        return template
    if isinstance(template, Mapping):
        filled = {key: _filled(value, values) for key, value in template.items()}
        return {key: value for key, value in filled.items() if value is not _LEFT_OUT}
    if isinstance(template, list | tuple):
        return [value for one in template if (value := _filled(one, values)) is not _LEFT_OUT]
    return template


def hook_body(hook: InputHook, offer: Offer) -> bytes:
    """What is posted to an input hook."""
    return _json(_filled(hook.body, {"{id}": offer.call_id}))


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _multipart(parts: list[tuple[str, str, bytes]]) -> Posted:
    """RFC 7578, without file names: servers take a part with one for a file."""
    boundary = _BOUNDARY.encode()
    content = b"".join(
        b'--%s\r\nContent-Disposition: form-data; name="%s"\r\nContent-Type: %s\r\n\r\n%s\r\n'
        % (boundary, name.encode(), kind.encode(), part)
        for name, kind, part in parts
    )
    return Posted(
        content=content + b"--%s--\r\n" % boundary,
        content_type=f"multipart/form-data; boundary={_BOUNDARY}",
    )


def _keys(place: str) -> tuple[str, ...]:
    return tuple(place.split(".")) if place else ()
