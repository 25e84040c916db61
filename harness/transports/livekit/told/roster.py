"""Who is in a LiveKit room, and who of them is the agent that is called.

A participant of the kind AGENT is one; of several it is the first that has a voice. Where nobody was
dispatched and none is there, whoever else publishes sound is taken for it: bots that join by other libraries
are ordinary participants. All of it is what strangers say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from livekit.protocol import models

from harness.redaction import KNOWN
from harness.transports.livekit.signalling.signal_client import disconnect_reason, name_of
from spoken_language.outside_text import one_line

MAX_PARTICIPANTS = 200
MAX_TRACKS = 20
STATE = "lk.agent.state"
ON_BEHALF = "lk.publish_on_behalf"
"""An avatar that speaks for an agent says so by this attribute."""
_NOT_CALLED = frozenset({models.ParticipantInfo.Kind.EGRESS, models.ParticipantInfo.Kind.INGRESS})
_SERVER_S = frozenset({models.DisconnectReason.SERVER_SHUTDOWN, models.DisconnectReason.MIGRATION})
_MICROPHONE_FIRST: dict[int, int] = {models.TrackSource.MICROPHONE: 0, models.TrackSource.UNKNOWN: 1}


@dataclass(frozen=True, kw_only=True)
class SoundTrack:
    """An audio track; ``dtx`` and ``red`` are what its publisher announced."""

    sid: str
    source: int
    mime_type: str
    dtx: bool
    red: bool

    @property
    def told(self) -> dict[str, Any]:
        return {"codec": self.mime_type, "dtx": self.dtx, "red": self.red}


@dataclass(kw_only=True)
class Participant:
    """One of the others in the room."""

    sid: str
    identity: str
    name: str
    kind: int
    state: str
    on_behalf: str
    sound: tuple[SoundTrack, ...]
    video: tuple[str, ...]

    @property
    def shown(self) -> str:
        return self.identity or self.sid


@dataclass(kw_only=True)
class Roster:
    """The room of one call.

    Args:
        own_identity: We are no company.
        dispatched: An agent was asked for by name: nobody but an agent is waited for.

    Attributes:
        agent: Who is called; None until somebody is. For good from its first voice on.
        left: Why the agent is no longer there; empty while it is, and while another one may be it.
        left_by_server: It did not leave by itself: its server shut down, or sent it to another one. An agent
            whose own connection broke has left.
        seen: How many others were ever there.
    """

    own_identity: str
    dispatched: bool
    agent: Participant | None = None
    left: str = ""
    left_by_server: bool = False
    seen: int = 0
    _there: dict[str, Participant] = field(default_factory=dict, repr=False)
    _had_voice: bool = field(default=False, repr=False)

    @property
    def voice(self) -> SoundTrack | None:
        """The track that is the agent's voice, whoever publishes it; None while there is none."""
        if self.agent is None:
            return None
        speaking = [one for one in self._there.values() if one.on_behalf == self.agent.identity]
        tracks = [track for one in (*speaking, self.agent) for track in one.sound]
        return min(tracks, key=lambda track: _MICROPHONE_FIRST.get(track.source, 2), default=None)

    @property
    def others(self) -> list[str]:
        return [one.shown for one in self._there.values()]

    @property
    def video(self) -> list[str]:
        """Tracks that nobody here looks at."""
        return [sid for one in self._there.values() for sid in one.video]

    def update(self, infos: Iterable[models.ParticipantInfo]) -> list[tuple[str, dict[str, Any]]]:
        """Takes in what the server says of participants; what changed, as kinds and data of events."""
        told: list[tuple[str, dict[str, Any]]] = []
        for info in infos:
            if info.identity == self.own_identity:
                continue
            if info.state == models.ParticipantInfo.State.DISCONNECTED:
                told += self._gone(info)
            else:
                told += self._seen(info)
        if not self._had_voice:
            self._choose(told)
        return told

    def _choose(self, told: list[tuple[str, dict[str, Any]]]) -> None:
        """Until the agent had a voice, another one may be it: an agent that never speaks (a transcriber) may
        have come before the one that is called."""
        chosen = self._chosen()
        if chosen is not None and (self.agent is None or self.agent.sid != chosen.sid):
            told.append(("agent-joined", {"identity": chosen.shown, "name": chosen.name}))
        if chosen is not None:
            self.agent, self.left, self.left_by_server = chosen, "", False
        self._had_voice = self.voice is not None

    def _seen(self, info: models.ParticipantInfo) -> list[tuple[str, dict[str, Any]]]:
        known = self._there.get(info.sid)
        if known is None and len(self._there) >= MAX_PARTICIPANTS:
            return []
        new = _participant(info)
        self._there[info.sid] = new
        if self.agent is not None and self.agent.sid == new.sid:
            self.agent = new
        if known is not None:
            return []
        self.seen += 1
        kind = name_of(models.ParticipantInfo.Kind, info.kind)
        return [("participant-joined", {"identity": new.shown, "kind": kind})]

    def _gone(self, info: models.ParticipantInfo) -> list[tuple[str, dict[str, Any]]]:
        gone = self._there.pop(info.sid, None)
        if gone is None:
            return []
        why = disconnect_reason(info.disconnect_reason)
        if self.agent is not None and self.agent.sid == gone.sid:
            self.left = why
            self.left_by_server = info.disconnect_reason in _SERVER_S
        return [("participant-left", {"identity": gone.shown, "why": why})]

    def _chosen(self) -> Participant | None:
        """The agent where there is one; one that publishes sound, where there are several."""
        agents = [one for one in self._there.values() if one.kind == models.ParticipantInfo.Kind.AGENT]
        agents = [one for one in agents if not one.on_behalf] or agents
        if agents or self.dispatched:
            return next((one for one in agents if one.sound), agents[0] if agents else None)
        return next((one for one in self._there.values() if one.sound and one.kind not in _NOT_CALLED), None)


def _participant(info: models.ParticipantInfo) -> Participant:
    tracks = list(info.tracks)[:MAX_TRACKS]
    return Participant(
        sid=info.sid[:100],
        identity=_line(info.identity),
        name=_line(info.name),
        kind=info.kind,
        state=info.attributes.get(STATE, "")[:100],
        on_behalf=_line(info.attributes.get(ON_BEHALF, "")),
        sound=tuple(_sound(one) for one in tracks if one.type == models.TrackType.AUDIO),
        video=tuple(one.sid for one in tracks if one.type == models.TrackType.VIDEO),
    )


def _sound(track: models.TrackInfo) -> SoundTrack:
    return SoundTrack(
        sid=track.sid[:100],
        source=track.source,
        mime_type=_line(track.mime_type),
        dtx=not track.disable_dtx and models.AudioTrackFeature.TF_NO_DTX not in track.audio_features,
        red=not track.disable_red,
    )


def _line(text: str) -> str:
    return one_line(KNOWN.scrub(text), most=200)
