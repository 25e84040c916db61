"""What holds for every call, whatever the agent does: random events, and random agents on a virtual clock."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.voice_sim.caller.planned_policy import PlannedPolicy, Thoughts
from tests.unit.voice_sim.caller.virtual_call import HANGOVER_S, AgentTurn, VirtualCall
from voice_sim.caller.caller import COMMIT_LEAD_S, Caller
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerEvent,
    Cancel,
    Connected,
    Forget,
    HangUp,
    Speak,
    Think,
    Thought,
    Tick,
    UtteranceFinished,
)
from voice_sim.caller.state import CallerState
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Decision, Leave, Line, Said
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

reasons = st.sampled_from(["satisfied", "refused", "gave_up"])
own_lines = st.builds(
    Line,
    text=st.sampled_from(["well", "no"]),
    pause_s=st.sampled_from([0.0, 0.4, 2.5]),
    ends_call=st.one_of(st.none(), st.none(), st.none(), reasons),
)
leaves = st.builds(Leave, reason=reasons)
think_s = st.sampled_from([0.01, 0.3, 1.2, 4.0])


@st.composite
def thoughts(draw: st.DrawFn) -> Thoughts:
    """Up to three parts, all but the last with more; the last may be a line, leaving, or nothing."""
    first = draw(st.lists(st.builds(Line, text=st.just("and"), more=st.just(True)), max_size=2))
    parts: list[Decision] = [*first, draw(st.one_of(own_lines, own_lines, leaves, st.none()))]
    return Thoughts(parts=tuple((draw(think_s), part) for part in parts))


@st.composite
def policies(draw: st.DrawFn) -> PlannedPolicy:
    over_agent = st.builds(
        Line,
        text=st.just("over"),
        barge_in_after_s=st.sampled_from([0.2, 1.0, 3.0]),
        expects_reply=st.booleans(),
    )
    return PlannedPolicy(
        turns=draw(st.lists(st.one_of(own_lines, thoughts(), thoughts(), leaves), min_size=1, max_size=6)),
        over_agent=draw(st.dictionaries(st.integers(0, 5), over_agent, max_size=3)),
        silences=draw(st.lists(st.one_of(own_lines, leaves, st.none()), max_size=3)),
        hears_words=draw(st.booleans()),
        wait_for_greeting=draw(st.booleans()),
        hang_up_after_s=draw(st.sampled_from([0.0, 1.0])),
    )


happenings_to_a_thinker = st.one_of(
    events,
    st.builds(AgentWords, t=times, onset_s=times, text=st.sampled_from(["", "words"])),
    st.builds(
        Thought,
        t=times,
        number=st.integers(0, 3),
        decision=st.one_of(
            own_lines, st.builds(Line, text=st.just("and"), more=st.just(True)), leaves, st.none()
        ),
    ),
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


def make_thinker(policy: PlannedPolicy) -> Caller:
    patience = Patience(first_speech_s=10, silence_s=10, call_s=CALL_S, prompt_s=3.0)
    return Caller(policy=policy, patience=patience)


@given(policy=policies(), happenings=st.lists(happenings_to_a_thinker, max_size=40), in_order=st.booleans())
@settings(max_examples=400, deadline=None)
def test_no_order_of_events_breaks_a_thinker(
    policy: PlannedPolicy, happenings: list[CallerEvent], in_order: bool
) -> None:
    callers = make_thinker(policy), make_thinker(policy)
    outstanding: int | None = None
    for event in sorted(happenings, key=lambda one: one.t) if in_order else happenings:
        is_last = not (
            isinstance(event, Thought) and isinstance(event.decision, Line) and event.decision.more
        )
        if isinstance(event, Thought) and event.number == outstanding and is_last:
            outstanding = None
        actions = callers[0].on(event)
        assert callers[1].on(event) == actions, "the same events, other actions"
        for action in actions:
            if isinstance(action, Think):
                assert outstanding is None, "two thoughts at once"
                outstanding = action.number
            elif isinstance(action, Forget):
                outstanding = None
            elif isinstance(action, HangUp):
                assert action is actions[-1]
        state = callers[0].state
        assert (state is CallerState.DONE) == (callers[0].next_deadline_s() is None)
        assert (state is CallerState.THINKING) <= (outstanding is not None)
    wakings = 0
    while (deadline_s := callers[0].next_deadline_s()) is not None:
        callers[0].on(Tick(t=deadline_s))
        following_s = callers[0].next_deadline_s()
        assert following_s is None or following_s > deadline_s
        assert deadline_s <= CALL_S
        wakings += 1
        assert wakings < 30


@given(
    policy=policies(),
    turns=st.lists(agent_turns, max_size=8),
    line_s=st.sampled_from([0.3, 1.0, 2.5]),
    words_after_s=st.sampled_from([None, 0.2, 1.5, 9.0]),
)
@settings(max_examples=400, deadline=None)
def test_every_call_of_a_thinker_ends_well_mannered(
    policy: PlannedPolicy, turns: list[AgentTurn], line_s: float, words_after_s: float | None
) -> None:
    def call() -> VirtualCall:
        held = VirtualCall(
            make_thinker(policy), list(turns), line_s, thoughts=policy, words_after_s=words_after_s
        )
        held.run()
        return held

    held = call()
    assert call().actions == held.actions, "the same call, other actions"
    assert held.hang_up is not None
    assert held.hang_up_s <= CALL_S
    assert [one.action.index for one in held.sent] == list(range(len(held.sent)))
    for before, one in zip([None, *held.sent], held.sent, strict=False):
        falls_silent = before is None or one.start_s > before.end_s
        if one.action.kind == "turn" and (falls_silent or not one.action.continues):
            committed_s = one.asked_s if one.action.continues else one.action.at_s - COMMIT_LEAD_S
            told = [speaks for t, speaks in held.overheard if t <= one.asked_s or t < committed_s]
            assert not (told and told[-1]), "spoke over the agent without meaning to"
    _check_dialogue(held)


def _check_dialogue(held: VirtualCall) -> None:
    """What the caller kept is what was said: each line once, its parts joined, in the order of their ends."""
    spoken: list[str] = []
    finished = [one for one in held.sent if one.end_s <= held.hang_up_s]
    for one in finished:
        if one.action.continues:
            spoken[-1] += f" {one.action.text}"
        else:
            spoken.append(one.action.text)
    said = [turn for turn in held.caller.dialogue if isinstance(turn, Said)]
    assert [turn.text for turn in said] == spoken
    assert [turn.end_s for turn in said] == sorted(turn.end_s for turn in said)


@pytest.mark.parametrize("words_after_s", [0.1, 1.5])
def test_a_thinker_that_hears_words_gets_through_a_whole_call(words_after_s: float) -> None:
    policy = PlannedPolicy(
        turns=(
            Thoughts(parts=((0.6, Line(text="Well,", more=True)), (0.3, Line(text="yes.")))),
            Line(text="How much?"),
            Thoughts(parts=((2.0, Line(text="Bye.", ends_call="satisfied")),)),
        ),
        hears_words=True,
        hang_up_after_s=2.0,
    )
    held = VirtualCall(
        make_thinker(policy), [answer(0.4, 2.0)] * 4, 1.0, thoughts=policy, words_after_s=words_after_s
    )
    held.run()
    assert held.hang_up is not None
    assert held.hang_up.reason == "satisfied"
    assert [one.action.text for one in held.sent] == ["Well,", "yes.", "How much?", "Bye."]
    assert [turn.text for turn in held.caller.dialogue][:6] == [
        "words",
        "Well, yes.",
        "words",
        "How much?",
        "words",
        "Bye.",
    ]
    # The parts follow each other without a gap: the second was thought while the first was said.
    assert held.sent[1].start_s == held.sent[0].end_s
    assert sum(isinstance(action, Think) for action in held.actions) == 2
