"""Who is in the room, and who of them is called."""

from __future__ import annotations

from typing import Any

from livekit.protocol import models

from harness.transports.livekit.told.roster import Roster

AGENT = models.ParticipantInfo.Kind.AGENT
GONE = models.ParticipantInfo.State.DISCONNECTED


def _info(name: str, **more: Any) -> models.ParticipantInfo:
    return models.ParticipantInfo(sid=f"PA_{name}", identity=name, **more)


def _sound(name: str, **more: Any) -> models.TrackInfo:
    return models.TrackInfo(sid=f"TR_{name}", type=models.TrackType.AUDIO, **more)


def _roster(*, dispatched: bool = False) -> Roster:
    return Roster(own_identity="me", dispatched=dispatched)


def test_an_agent_is_the_agent_also_without_a_voice() -> None:
    roster = _roster()
    kinds = [kind for kind, _ in roster.update([_info("bot", kind=AGENT), _info("me")])]
    assert kinds == ["participant-joined", "agent-joined"]
    assert roster.agent is not None
    assert roster.voice is None
    roster.update([_info("bot", kind=AGENT, tracks=[_sound("a")])])
    assert roster.voice is not None
    assert roster.voice.sid == "TR_a"
    assert roster.seen == 1


def test_somebody_who_speaks_is_taken_for_it_where_nobody_was_dispatched() -> None:
    roster = _roster()
    roster.update([_info("ann")])
    assert roster.agent is None
    roster.update([_info("ann", tracks=[_sound("a")])])
    assert roster.agent is not None
    dispatched = _roster(dispatched=True)
    dispatched.update([_info("ann", tracks=[_sound("a")])])
    assert dispatched.agent is None
    assert dispatched.others == ["ann"]


def test_a_recorder_is_nobody() -> None:
    roster = _roster()
    roster.update([_info("egress", kind=models.ParticipantInfo.Kind.EGRESS, tracks=[_sound("a")])])
    assert roster.agent is None


def test_of_two_tracks_the_microphone_is_the_voice() -> None:
    roster = _roster()
    music = _sound("music", source=models.TrackSource.SCREEN_SHARE_AUDIO)
    voice = _sound("voice", source=models.TrackSource.MICROPHONE)
    roster.update([_info("bot", kind=AGENT, tracks=[music, voice])])
    assert roster.voice is not None
    assert roster.voice.sid == "TR_voice"


def test_an_avatar_speaks_for_its_agent() -> None:
    roster = _roster()
    avatar = _info("face", kind=AGENT, attributes={"lk.publish_on_behalf": "bot"}, tracks=[_sound("face")])
    roster.update([_info("bot", kind=AGENT, tracks=[])])
    roster.update([avatar])
    assert roster.agent is not None
    assert roster.agent.identity == "bot"
    assert roster.voice is not None
    assert roster.voice.sid == "TR_face"


def test_the_agent_leaves() -> None:
    roster = _roster()
    roster.update([_info("bot", kind=AGENT), _info("ann")])
    roster.update([_info("ann", state=GONE)])
    assert roster.left == ""
    [(kind, data)] = roster.update(
        [_info("bot", kind=AGENT, state=GONE, disconnect_reason=models.DisconnectReason.ROOM_DELETED)]
    )
    assert (kind, data) == ("participant-left", {"identity": "bot", "why": "the room was deleted"})
    assert roster.left == "the room was deleted"


def test_an_agent_that_never_speaks_is_not_the_one_that_is_called() -> None:
    """A transcriber came first; the agent with the voice is told of later, and its end is the call's."""
    roster = _roster(dispatched=True)
    roster.update([_info("scribe", kind=AGENT)])
    roster.update([_info("bot", kind=AGENT)])
    assert roster.voice is None
    told = roster.update([_info("bot", kind=AGENT, tracks=[_sound("a")])])
    assert told == [("agent-joined", {"identity": "bot", "name": ""})]
    assert roster.agent is not None
    assert roster.agent.identity == "bot"
    assert roster.voice is not None
    assert roster.voice.sid == "TR_a"
    roster.update([_info("scribe", kind=AGENT, state=GONE)])
    assert roster.left == ""
    roster.update([_info("bot", kind=AGENT, state=GONE)])
    assert roster.left == "no reason given"


def test_where_the_silent_one_leaves_another_agent_is_waited_for() -> None:
    roster = _roster()
    roster.update([_info("scribe", kind=AGENT), _info("bot", kind=AGENT)])
    assert roster.agent is not None
    assert roster.agent.identity == "scribe"
    roster.update([_info("scribe", kind=AGENT, state=GONE)])
    assert (roster.agent.identity, roster.left) == ("bot", "")
    roster.update([_info("bot", kind=AGENT, tracks=[_sound("a")])])
    assert roster.voice is not None


def test_who_has_spoken_stays_the_agent() -> None:
    """Also where its track is gone for a while: another agent's sound would be taken for its own."""
    roster = _roster()
    roster.update([_info("bot", kind=AGENT, tracks=[_sound("a")]), _info("music", kind=AGENT)])
    roster.update([_info("bot", kind=AGENT), _info("music", kind=AGENT, tracks=[_sound("m")])])
    assert roster.agent is not None
    assert roster.agent.identity == "bot"
    assert roster.voice is None
    roster.update([_info("bot", kind=AGENT, state=GONE)])
    assert roster.left == "no reason given"


def test_what_its_track_announced() -> None:
    roster = _roster()
    plain = _sound("a", mime_type="audio/opus", audio_features=[models.AudioTrackFeature.TF_NO_DTX])
    roster.update([_info("bot", kind=AGENT, tracks=[plain])])
    assert roster.voice is not None
    assert roster.voice.told == {"codec": "audio/opus", "dtx": False, "red": True}


def test_a_crowd_is_bounded_and_numbers_that_nobody_knows_are_shown() -> None:
    roster = _roster()
    told = roster.update([_info(str(number), kind=77 if not number else 0) for number in range(500)])  # type: ignore[arg-type]
    assert len(roster.others) == 200
    assert told[0] == ("participant-joined", {"identity": "0", "kind": "77"})
