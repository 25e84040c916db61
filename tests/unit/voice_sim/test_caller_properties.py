"""What holds for every call, whatever the agent does: random events, and random agents on a virtual clock."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.voice_sim.virtual_call import HANGOVER_S, AgentTurn, VirtualCall
from voice_sim.caller import (
    COMMIT_LEAD_S,
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    Caller,
    CallerEvent,
    CallerState,
    Cancel,
    Connected,
    HangUp,
    Patience,
    Speak,
    Tick,
    UtteranceFinished,
)
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy

CALL_S = 120.0

times = st.floats(min_value=-5.0, max_value=200.0, allow_nan=False)
events = st.one_of(
    st.builds(Connected, t=times),
    st.builds(AgentSpeechStarted, t=times, onset_s=times),
    st.builds(AgentSpeechEnded, t=times, end_s=times),
    st.builds(UtteranceFinished, t=times, index=st.integers(-1, 6), end_s=st.one_of(st.none(), times)),
    st.builds(Tick, t=times),
)
lines = st.builds(
    ScriptLine,
    say=st.just("words"),
    pause_s=st.sampled_from([0.0, 0.4, 2.5]),
    barge_in_after_s=st.one_of(st.none(), st.sampled_from([0.2, 1.0, 3.0])),
)
backchannels = st.builds(
    ScriptLine,
    say=st.just("mm-hm"),
    kind=st.just("backchannel"),
    barge_in_after_s=st.sampled_from([0.5, 1.5]),
)
scripts = st.builds(
    Script,
    lines=st.lists(st.one_of(lines, backchannels), min_size=1, max_size=5).map(tuple),
    wait_for_greeting=st.booleans(),
    hang_up_after_s=st.sampled_from([0.0, 1.0]),
)
agent_turns = st.builds(
    AgentTurn,
    after_s=st.sampled_from([0.05, 0.3, 1.5, 6.0]),
    parts_s=st.lists(st.sampled_from([0.3, 1.3, 4.0]), min_size=1, max_size=3).map(tuple),
    pauses_s=st.lists(st.sampled_from([0.9, 2.0]), min_size=2, max_size=2).map(tuple),
    stops_after_s=st.sampled_from([None, 0.2, 0.5, 1.5]),
)


def make_caller(script: Script) -> Caller:
    return Caller(
        policy=ScriptPolicy(script), patience=Patience(first_speech_s=10, silence_s=10, call_s=CALL_S)
    )


@given(script=scripts, happenings=st.lists(events, max_size=40), in_order=st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_order_of_events_breaks_it(script: Script, happenings: list[CallerEvent], in_order: bool) -> None:
    caller = make_caller(script)
    hung_up = False
    planned: Speak | None = None
    for event in sorted(happenings, key=lambda one: one.t) if in_order else happenings:
        for action in caller.on(event):
            assert not hung_up
            if isinstance(action, Speak):
                assert planned is None or action.index > planned.index
                assert 0 <= action.index < len(script.lines)
                planned = action
            elif isinstance(action, Cancel):
                assert planned is not None
                assert planned.index == action.index
                planned = None
            else:
                assert isinstance(action, HangUp)
                hung_up = True
        assert hung_up == (caller.state is CallerState.DONE) == (caller.next_deadline_s() is None)
    # Left alone from here on, it asks to be woken at later and later times until it hangs up by the limit.
    wakings = 0
    while (deadline_s := caller.next_deadline_s()) is not None:
        caller.on(Tick(t=deadline_s))
        following_s = caller.next_deadline_s()
        assert following_s is None or following_s > deadline_s
        assert deadline_s <= CALL_S
        wakings += 1
        assert wakings < 20


@given(script=scripts, turns=st.lists(agent_turns, max_size=8), line_s=st.sampled_from([0.3, 1.0, 2.5]))
@settings(max_examples=300, deadline=None)
def test_every_call_ends_well_mannered(script: Script, turns: list[AgentTurn], line_s: float) -> None:
    call = VirtualCall(make_caller(script), turns, line_s)
    call.run()
    assert call.hang_up is not None
    assert call.hang_up_s <= CALL_S
    said = [one.action for one in call.sent]
    assert [action.index for action in said] == list(range(len(said)))
    assert [action.text for action in said] == [line.say for line in script.lines[: len(said)]]
    assert (call.hang_up.reason == "completed") <= (len(said) == len(script.lines))
    for one in call.sent:
        action, asked_for = one.action, script.lines[one.action.index].barge_in_after_s
        if action.kind == "turn":
            # Never over the agent, as far as it could know when the line was beyond recall.
            told = [
                speaks for t, speaks in call.overheard if t <= one.asked_s or t < action.at_s - COMMIT_LEAD_S
            ]
            assert not (told and told[-1]), "spoke over the agent without meaning to"
        else:
            assert asked_for is not None
            assert action.agent_onset_s is not None
            assert action.at_s >= action.agent_onset_s + asked_for - 1e-9
            assert action.agent_onset_s in [speech.start_s for speech in call.agent_speech]


def answer(after_s: float, *parts_s: float, stops_after_s: float | None = 0.4) -> AgentTurn:
    return AgentTurn(
        after_s=after_s, parts_s=parts_s, pauses_s=(1.0,) * len(parts_s), stops_after_s=stops_after_s
    )


@pytest.mark.parametrize("latency_s", [0.12, 0.6, 2.5, 6.0])
@pytest.mark.parametrize("line_s", [0.3, 2.0])
def test_a_well_behaved_agent_gets_the_whole_script(latency_s: float, line_s: float) -> None:
    script = Script(lines=(ScriptLine(say="a"), ScriptLine(say="b"), ScriptLine(say="c", pause_s=1.5)))
    call = VirtualCall(make_caller(script), [answer(latency_s, 2.0)] * 4, line_s)
    call.run()
    assert call.hang_up is not None
    assert call.hang_up.reason == "completed"
    assert [one.action.kind for one in call.sent] == ["turn"] * 3
    # The pause is kept: at least the ears' hangover, or what the line asks for.
    for one, speech in zip(call.sent, call.agent_speech, strict=False):
        wanted_s = max(script.lines[one.action.index].pause_s, HANGOVER_S)
        assert wanted_s <= one.start_s - speech.end_s <= wanted_s + 0.11


@pytest.mark.parametrize("stops_after_s", [0.08, 0.4, 1.2])
def test_every_planned_interruption_is_placed_to_the_sample(stops_after_s: float) -> None:
    interruptions = (0.8, 1.2, 2.0)
    script = Script(
        lines=(
            ScriptLine(say="go"),
            *(ScriptLine(say="wait", barge_in_after_s=offset) for offset in interruptions),
        )
    )
    agent = [answer(0.3, 2.0), *[answer(1.5, 6.0, stops_after_s=stops_after_s)] * 4]
    call = VirtualCall(make_caller(script), agent, 1.0)
    call.run()
    assert call.hang_up is not None
    assert call.hang_up.reason == "completed"
    barge_ins = [one for one in call.sent if one.action.kind == "barge_in"]
    assert len(barge_ins) == 3
    onsets = [speech.start_s for speech in call.agent_speech]
    for one, offset, onset in zip(barge_ins, interruptions, onsets[1:], strict=False):
        assert one.start_s - onset == pytest.approx(offset, abs=1e-9)


def test_an_agent_hanging_up_ends_the_call_whatever_goes_on() -> None:
    for ahead in range(4):
        caller = make_caller(Script(lines=(ScriptLine(say="a"),)))
        happenings: list[CallerEvent] = [
            Connected(t=1.0),
            AgentSpeechStarted(t=2.0, onset_s=1.9),
            AgentSpeechEnded(t=4.0, end_s=3.0),
            UtteranceFinished(t=6.0, index=0),
        ]
        for event in happenings[:ahead]:
            caller.on(event)
        (action,) = caller.on(AgentHungUp(t=7.0))
        assert isinstance(action, HangUp)
        assert action.reason == "agent_hangup"
