"""The caller's state machine, path by path: what happens, and exactly what it does about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from voice_sim.caller.caller import Caller
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    HangUp,
    Speak,
    Tick,
    UtteranceFinished,
)
from voice_sim.caller.state import CallerState
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Dialogue, Heard, Line, Said
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy

TURN = ScriptLine(say="turn")
LATER = ScriptLine(say="later", pause_s=2.0)
BARGE = ScriptLine(say="barge", barge_in_after_s=1.2)
MMHM = ScriptLine(say="mm-hm", kind="backchannel", barge_in_after_s=1.0)

Steps = list[tuple[CallerEvent, list[CallerAction]]]


def started(t: float, onset_s: float) -> AgentSpeechStarted:
    return AgentSpeechStarted(t=t, onset_s=onset_s)


def ended(t: float, end_s: float) -> AgentSpeechEnded:
    return AgentSpeechEnded(t=t, end_s=end_s)


def finished(t: float, index: int) -> UtteranceFinished:
    return UtteranceFinished(t=t, index=index)


def turn(index: int, at_s: float, text: str = "turn") -> Speak:
    return Speak(index=index, text=text, kind="turn", at_s=pytest.approx(at_s), agent_onset_s=None)


def barge_in(index: int, at_s: float, onset_s: float) -> Speak:
    return Speak(index=index, text="barge", kind="barge_in", at_s=pytest.approx(at_s), agent_onset_s=onset_s)


def backchannel(index: int, at_s: float, onset_s: float) -> Speak:
    return Speak(
        index=index, text="mm-hm", kind="backchannel", at_s=pytest.approx(at_s), agent_onset_s=onset_s
    )


def make(*lines: ScriptLine, wait_for_greeting: bool = True, **patience: float) -> Caller:
    script = Script(lines=lines, wait_for_greeting=wait_for_greeting, hang_up_after_s=1.0)
    return Caller(policy=ScriptPolicy(script), patience=Patience(**patience))


def with_lines(*lines: ScriptLine, wait_for_greeting: bool = True, **patience: float) -> Callable[[], Caller]:
    return partial(make, *lines, wait_for_greeting=wait_for_greeting, **patience)


def play(caller: Caller, steps: Steps) -> None:
    for position, (event, expected) in enumerate(steps):
        assert caller.on(event) == expected, f"step {position}: {event}"


GREETED: Steps = [
    (Connected(t=1.0), []),
    (started(1.6, 1.5), []),
    (ended(3.8, 3.0), [turn(0, 3.8)]),
    (finished(5.0, 0), []),
]
"""The agent greets from 1.5 to 3.0; the caller says a first line that ends at 5.0."""

PATHS: dict[str, tuple[Callable[[], Caller], Steps]] = {
    "one line, its reply, good-bye": (
        with_lines(TURN),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(8.3, 7.5), []),
            (Tick(t=8.49), []),
            (Tick(t=8.5), [HangUp(reason="completed", detail="every line was said and answered")]),
        ],
    ),
    "the pause counts from the end of the reply, not from when it was heard": (
        with_lines(LATER),
        [
            (Connected(t=1.0), []),
            (started(1.6, 1.5), []),
            (ended(3.8, 3.0), [turn(0, 5.0, "later")]),
        ],
    ),
    "the caller speaks first": (
        with_lines(TURN, wait_for_greeting=False),
        [(Connected(t=1.0), [turn(0, 1.4)]), (Tick(t=1.3), []), (finished(2.5, 0), [])],
    ),
    "the caller would speak first, but the agent is quicker": (
        with_lines(LATER, wait_for_greeting=False),
        [
            (Connected(t=1.0), [turn(0, 3.0, "later")]),
            (started(1.6, 1.5), [Cancel(index=0)]),
            (ended(4.8, 4.0), [turn(0, 6.0, "later")]),
        ],
    ),
    "the agent greets before the call is reported connected": (
        with_lines(TURN),
        [(started(0.9, 0.8), []), (ended(2.8, 2.0), []), (Connected(t=2.9), [turn(0, 2.9)])],
    ),
    "nobody greets": (
        with_lines(TURN, first_speech_s=4.0),
        [
            (Connected(t=1.0), []),
            (Tick(t=4.9), []),
            (
                Tick(t=5.0),
                [
                    HangUp(
                        reason="no_greeting",
                        detail="the agent did not say a word for 4 s after the call was connected",
                    )
                ],
            ),
        ],
    ),
    "nobody answers": (
        with_lines(TURN, silence_s=4.0),
        [
            *GREETED,
            (Tick(t=8.9), []),
            (
                Tick(t=9.0),
                [HangUp(reason="agent_silent", detail="the agent was silent for 4 s after line 1")],
            ),
        ],
    ),
    "a long reply is no silence": (
        with_lines(TURN, TURN, silence_s=4.0),
        [*GREETED, (started(6.1, 6.0), []), (Tick(t=30.0), []), (ended(31.0, 30.2), [turn(1, 31.0)])],
    ),
    "a line that was planned but not begun is taken back when the agent goes on": (
        with_lines(TURN, LATER),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(7.8, 7.0), [turn(1, 9.0, "later")]),
            (started(8.1, 8.0), [Cancel(index=1)]),
            (Tick(t=9.5), []),
            (ended(10.8, 10.0), [turn(1, 12.0, "later")]),
            (Tick(t=12.1), []),
            (finished(13.0, 1), []),
        ],
    ),
    "a line whose pre-roll has left is said, though the agent begins at the same moment": (
        with_lines(TURN, LATER),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(7.8, 7.0), [turn(1, 9.0, "later")]),
            (started(8.9, 8.8), []),
            (finished(10.0, 1), []),
        ],
    ),
    "a line that was taken back too late counts as said": (
        with_lines(TURN, LATER, TURN),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(7.8, 7.0), [turn(1, 9.0, "later")]),
            (started(8.1, 8.0), [Cancel(index=1)]),
            (finished(10.0, 1), []),
            (ended(11.3, 10.5), []),
            (started(12.0, 11.9), []),
            (ended(13.8, 13.0), [turn(2, 13.8)]),
        ],
    ),
    "the agent speaks over us: we finish, and its early reply counts as one": (
        with_lines(TURN, TURN),
        [
            *GREETED[:-1],
            (started(4.6, 4.5), []),
            (finished(5.0, 0), []),
            (ended(7.8, 7.0), [turn(1, 7.8)]),
        ],
    ),
    "the agent interjects during our line and then answers": (
        with_lines(TURN, TURN),
        [
            *GREETED[:-1],
            (started(4.1, 4.0), []),
            (finished(6.0, 0), []),
            (ended(6.1, 5.3), []),
            (started(7.1, 7.0), []),
            (ended(8.8, 8.0), [turn(1, 8.8)]),
        ],
    ),
    "a barge-in at its offset from the onset": (
        with_lines(TURN, BARGE, TURN),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (Tick(t=7.2), []),
            (finished(8.5, 1), []),
            # The interrupted speech ends, which is no reply; then comes the reply.
            (ended(8.9, 8.1), []),
            (started(9.6, 9.5), []),
            (ended(11.8, 11.0), [turn(2, 11.8)]),
        ],
    ),
    "the tail of the interrupted speech outlasts our line a little": (
        with_lines(TURN, BARGE, TURN),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (finished(8.5, 1), []),
            (ended(9.8, 9.0), []),
            (started(10.6, 10.5), []),
            (ended(12.8, 12.0), [turn(2, 12.8)]),
        ],
    ),
    "an agent that ignores the barge-in for two seconds is taken to have gone on": (
        with_lines(TURN, BARGE, TURN),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (finished(8.5, 1), []),
            (Tick(t=11.0), []),
            (ended(11.5, 10.7), [turn(2, 11.5)]),
        ],
    ),
    "a second barge-in into an agent that ignored the first": (
        with_lines(TURN, BARGE, BARGE),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (finished(8.5, 1), []),
            (Tick(t=11.2), []),
            (Tick(t=11.3), [barge_in(2, 11.3, 6.05)]),
        ],
    ),
    "the interrupted sentence and a short answer are heard as one: the call goes on after five seconds": (
        with_lines(TURN, BARGE, TURN),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (finished(7.6, 1), []),
            (ended(9.8, 9.0), []),
            (Tick(t=13.9), []),
            (Tick(t=14.0), [turn(2, 14.0)]),
        ],
    ),
    "an impatient caller rather takes a doubtful tail for the reply than hang up": (
        with_lines(TURN, BARGE, TURN, silence_s=3.0),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (finished(7.6, 1), []),
            (ended(9.8, 9.0), []),
            (Tick(t=12.0), [turn(2, 12.0)]),
        ],
    ),
    "an agent that falls silent after a barge-in is given up on": (
        with_lines(TURN, BARGE, TURN, silence_s=10.0),
        [
            *GREETED,
            (started(6.2, 6.05), [barge_in(1, 7.25, 6.05)]),
            (ended(8.4, 7.6), []),
            (finished(8.5, 1), []),
            (Tick(t=18.4), []),
            (
                Tick(t=18.5),
                [HangUp(reason="agent_silent", detail="the agent was silent for 10 s after line 2")],
            ),
        ],
    ),
    "a barge-in for which the agent stops too early becomes a turn": (
        with_lines(TURN, ScriptLine(say="barge", barge_in_after_s=3.0), TURN),
        [
            *GREETED,
            (started(6.2, 6.0), [barge_in(1, 9.0, 6.0)]),
            (ended(7.8, 7.0), [Cancel(index=1), turn(1, 7.8, "barge")]),
            (finished(9.0, 1), []),
            (started(10.0, 9.9), []),
            (ended(11.8, 11.0), [turn(2, 11.8)]),
        ],
    ),
    "a barge-in that became a turn is aimed again when the agent goes on": (
        with_lines(TURN, ScriptLine(say="barge", barge_in_after_s=3.0, pause_s=2.0)),
        [
            *GREETED,
            (started(6.2, 6.0), [barge_in(1, 9.0, 6.0)]),
            (ended(7.8, 7.0), [Cancel(index=1), turn(1, 9.0, "barge")]),
            (started(8.2, 8.1), [Cancel(index=1), barge_in(1, 11.1, 8.1)]),
        ],
    ),
    "an onset that is heard after the offset has passed": (
        with_lines(TURN, ScriptLine(say="barge", barge_in_after_s=0.2)),
        [*GREETED, (started(6.5, 6.0), [barge_in(1, 6.5, 6.0)])],
    ),
    "a barge-in into the greeting": (
        with_lines(BARGE, wait_for_greeting=False),
        [(Connected(t=1.0), []), (started(1.6, 1.5), [barge_in(0, 2.7, 1.5)])],
    ),
    "a backchannel expects no reply of its own": (
        with_lines(TURN, MMHM, TURN),
        [
            *GREETED,
            (started(6.2, 6.0), [backchannel(1, 7.0, 6.0)]),
            (finished(7.4, 1), []),
            (Tick(t=9.0), []),
            (ended(10.8, 10.0), [turn(2, 10.8)]),
        ],
    ),
    "a backchannel and then a barge-in into the same speech": (
        with_lines(TURN, MMHM, ScriptLine(say="barge", barge_in_after_s=4.0)),
        [
            *GREETED,
            (started(6.2, 6.0), [backchannel(1, 7.0, 6.0)]),
            (finished(7.4, 1), [barge_in(2, 10.0, 6.0)]),
            (finished(11.0, 2), []),
        ],
    ),
    "a backchannel as the last line: the call ends with the agent's speech": (
        with_lines(TURN, MMHM),
        [
            *GREETED,
            (started(6.2, 6.0), [backchannel(1, 7.0, 6.0)]),
            (finished(7.4, 1), []),
            (ended(10.3, 9.5), []),
            (Tick(t=10.5), [HangUp(reason="completed", detail="every line was said and answered")]),
        ],
    ),
    "the agent stops just as the backchannel is said": (
        with_lines(TURN, MMHM, LATER),
        [
            *GREETED,
            (started(6.2, 6.0), [backchannel(1, 7.0, 6.0)]),
            (ended(7.9, 7.1), []),
            (finished(8.0, 1), [turn(2, 10.0, "later")]),
        ],
    ),
    "a backchannel whose moment never comes is said as a turn and answered as one": (
        with_lines(TURN, MMHM, TURN),
        [
            *GREETED,
            (started(6.0, 5.9), [backchannel(1, 6.9, 5.9)]),
            (ended(6.7, 6.2), [Cancel(index=1), turn(1, 6.7, "mm-hm")]),
            (finished(7.2, 1), []),
            (Tick(t=9.0), []),
            (started(9.6, 9.5), []),
            (ended(11.8, 11.0), [turn(2, 11.8)]),
        ],
    ),
    "the agent has something to add before we hang up": (
        with_lines(TURN),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(8.3, 7.5), []),
            (started(8.45, 8.4), []),
            (Tick(t=8.6), []),
            (ended(11.0, 10.2), []),
            (Tick(t=11.3), [HangUp(reason="completed", detail="every line was said and answered")]),
        ],
    ),
    "the limit comes while we speak": (
        with_lines(TURN, call_s=4.5),
        [
            *GREETED[:-1],
            (
                Tick(t=4.5),
                [HangUp(reason="limit", detail="the limit of 4.5 s came while line 1 was being said")],
            ),
        ],
    ),
    "the limit comes before the call is connected": (
        with_lines(TURN, call_s=4.5),
        [
            (
                Tick(t=5.0),
                [HangUp(reason="limit", detail="the limit of 4.5 s came before the call was connected")],
            )
        ],
    ),
    "the agent hangs up while it speaks": (
        with_lines(TURN),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (
                AgentHungUp(t=6.5),
                [
                    HangUp(
                        reason="agent_hangup",
                        detail="the agent hung up while the agent went on with the reply to line 1",
                    )
                ],
            ),
        ],
    ),
    "the agent hangs up after everything was answered": (
        with_lines(TURN),
        [
            *GREETED,
            (started(6.1, 6.0), []),
            (ended(8.3, 7.5), []),
            (
                AgentHungUp(t=8.4),
                [HangUp(reason="agent_hangup", detail="the agent hung up after the reply to the last line")],
            ),
        ],
    ),
}


@pytest.mark.parametrize("path", PATHS)
def test_path(path: str) -> None:
    make_caller, steps = PATHS[path]
    play(make_caller(), steps)


def test_after_hanging_up_nothing_is_done_any_more() -> None:
    caller = make(TURN)
    play(caller, [(Connected(t=1.0), []), (started(1.6, 1.5), [])])
    (hang_up,) = caller.on(AgentHungUp(t=2.0))
    assert isinstance(hang_up, HangUp)
    assert caller.state is CallerState.DONE
    assert caller.next_deadline_s() is None
    for event in (ended(3.8, 3.0), Tick(t=1e6), AgentHungUp(t=5.0), Connected(t=6.0), finished(7.0, 0)):
        assert caller.on(event) == []


def test_states_of_a_plain_call() -> None:
    caller = make(TURN, LATER)
    seen = [caller.state]
    for event in (
        Connected(t=1.0),
        started(1.6, 1.5),
        ended(3.8, 3.0),
        finished(5.0, 0),
        started(6.1, 6.0),
        ended(7.8, 7.0),
        Tick(t=9.0),
        finished(10.0, 1),
        started(11.0, 10.9),
        ended(12.8, 12.0),
        Tick(t=13.0),
    ):
        caller.on(event)
        if caller.state is not seen[-1]:
            seen.append(caller.state)
    assert seen == [
        CallerState.IDLE,
        CallerState.LISTENING,
        CallerState.SPEAKING,
        CallerState.LISTENING,
        CallerState.SCHEDULED,
        CallerState.SPEAKING,
        CallerState.LISTENING,
        CallerState.CLOSING,
        CallerState.DONE,
    ]


def test_it_asks_to_be_woken_when_something_is_due() -> None:
    caller = make(TURN, BARGE, first_speech_s=5.0, silence_s=7.0, call_s=100.0)
    assert caller.next_deadline_s() == 100.0
    caller.on(Connected(t=1.0))
    assert caller.next_deadline_s() == 6.0  # for a greeting
    caller.on(started(1.6, 1.5))
    assert caller.next_deadline_s() == 100.0
    caller.on(ended(3.8, 3.0))
    caller.on(finished(5.0, 0))
    assert caller.next_deadline_s() == 12.0  # for a reply
    caller.on(started(6.2, 6.0))
    caller.on(finished(8.5, 1))
    assert caller.next_deadline_s() == pytest.approx(8.5 + 2.0 + 0.8)  # for the tail to become a reply
    caller.on(ended(9.8, 9.0))
    assert caller.next_deadline_s() == 14.0  # for the doubtful tail to become a reply after all
    caller.on(Tick(t=14.0))
    assert caller.state is CallerState.DONE  # its hang-up time, a second after the tail, had passed


def test_the_better_known_end_of_our_line_decides_what_is_a_reply() -> None:
    late = make(TURN, TURN)
    play(late, GREETED[:-1])
    # The machine was busy: it says at 5.9 that our line had ended at 5.0; the reply had begun at 5.2.
    late.on(UtteranceFinished(t=5.9, index=0, end_s=5.0))
    late.on(started(5.95, 5.2))
    assert late.on(ended(7.3, 6.5)) == [turn(1, 7.3)]


def test_time_never_runs_back() -> None:
    caller = make(TURN)
    play(caller, [(Connected(t=10.0), []), (started(9.0, 8.9), [])])
    assert caller.on(ended(9.9, 9.5)) == [turn(0, 10.0)]


def test_a_policy_sees_the_dialogue_as_it_was() -> None:
    class Recorder(ScriptPolicy):
        seen: Dialogue = ()

        def next_line(self, dialogue: Dialogue) -> Line | None:
            type(self).seen = tuple(dialogue)
            return super().next_line(dialogue)

    caller = Caller(policy=Recorder(Script(lines=(TURN, BARGE))), patience=Patience())
    for event, _ in PATHS["a barge-in at its offset from the onset"][1]:
        caller.on(event)
    assert Recorder.seen == (
        Heard(onset_s=1.5, end_s=3.0),
        Said(text="turn", kind="turn", end_s=5.0),
        Heard(onset_s=6.05, end_s=8.1),  # known only after our line, but it came before
        Said(text="barge", kind="barge_in", end_s=8.5),
        Heard(onset_s=9.5, end_s=11.0),
    )
