"""A caller whose policy hears words and thinks: path by path, on hand-set times."""

from __future__ import annotations

import dataclasses

import pytest

from tests.unit.voice_sim.caller.planned_policy import PlannedPolicy, Thoughts
from voice_sim.caller.call_so_far import FAREWELL_S
from voice_sim.caller.caller import Caller
from voice_sim.caller.dialogue_log import WORDS_WAIT_S
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerAction,
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
from voice_sim.policies.base import Decision, EndReason, Heard, Leave, Line, Said

THOUGHT = Thoughts(parts=())
"""The tests hand its parts over themselves."""
PART = Line(text="Well,", more=True)
LAST = Line(text="no.")


def started(t: float, onset_s: float) -> AgentSpeechStarted:
    return AgentSpeechStarted(t=t, onset_s=onset_s)


def ended(t: float, end_s: float) -> AgentSpeechEnded:
    return AgentSpeechEnded(t=t, end_s=end_s)


def words(t: float, onset_s: float, text: str = "Hello.") -> AgentWords:
    return AgentWords(t=t, onset_s=onset_s, text=text)


def thought(t: float, decision: Decision, number: int = 1) -> Thought:
    return Thought(t=t, number=number, decision=decision)


def finished(t: float, index: int) -> UtteranceFinished:
    return UtteranceFinished(t=t, index=index)


def speak(index: int, text: str, at_s: float, *, continues: bool = False, why: str = "") -> Speak:
    return Speak(
        index=index,
        text=text,
        kind="turn",
        at_s=pytest.approx(at_s),
        agent_onset_s=None,
        why=why,
        continues=continues,
    )


def make(policy: PlannedPolicy, **patience: float) -> Caller:
    return Caller(policy=policy, patience=Patience(**patience))


def tell(caller: Caller, *events: CallerEvent) -> list[CallerAction]:
    """What the caller does about the last event; the ones before must not make it do anything."""
    *before, last = events
    for event in before:
        assert caller.on(event) == [], event
    return caller.on(last)


def hangs_up(actions: list[CallerAction], reason: str) -> str:
    """The detail of the only action, which hangs up for that reason."""
    (action,) = actions
    assert isinstance(action, HangUp)
    assert action.reason == reason
    return action.detail


GREETING = (Connected(t=1.0), started(1.6, 1.5), ended(3.8, 3.0))


class TestWords:
    def test_the_caller_waits_for_the_words_before_it_decides(self) -> None:
        policy = PlannedPolicy(turns=(Line(text="Hi."),), hears_words=True)
        caller = make(policy)
        assert tell(caller, *GREETING, Tick(t=4.5)) == []
        assert policy.asked == []
        assert caller.on(words(5.0, 1.5)) == [speak(0, "Hi.", 5.0)]
        assert policy.asked == [(Heard(onset_s=1.5, end_s=3.0, text="Hello."),)]

    def test_words_that_come_before_the_end_is_known_are_kept(self) -> None:
        caller = make(PlannedPolicy(turns=(Line(text="Hi."),), hears_words=True))
        events = (Connected(t=1.0), started(1.6, 1.5), words(3.2, 1.52), ended(3.8, 3.0))
        assert tell(caller, *events) == [speak(0, "Hi.", 3.8)]
        assert caller.dialogue == (Heard(onset_s=1.5, end_s=3.0, text="Hello."),)

    def test_words_that_do_not_come_count_as_not_understood(self) -> None:
        policy = PlannedPolicy(turns=(Line(text="Sorry?"),), hears_words=True)
        caller = make(policy, silence_s=3.0)  # our own slowness is no silence of the agent
        tell(caller, *GREETING)
        assert caller.next_deadline_s() == 3.8 + WORDS_WAIT_S
        assert tell(caller, Tick(t=11.7), Tick(t=3.8 + WORDS_WAIT_S)) == [speak(0, "Sorry?", 11.8)]
        assert policy.asked == [(Heard(onset_s=1.5, end_s=3.0, text=""),)]
        # Late words are no reason to act, but the dialogue has them.
        assert tell(caller, words(12.5, 1.5)) == []
        assert caller.dialogue == (Heard(onset_s=1.5, end_s=3.0, text="Hello."),)

    def test_the_agent_goes_on_while_its_first_words_are_awaited(self) -> None:
        policy = PlannedPolicy(turns=(Line(text="Hi."),), hears_words=True)
        caller = make(policy)
        tell(caller, *GREETING)
        events = (started(4.3, 4.2), words(4.6, 1.5), ended(6.0, 5.2), words(6.9, 4.2, "Who is it?"))
        assert tell(caller, *events) == [speak(0, "Hi.", 6.9)]
        assert [turn.text for turn in policy.asked[0]] == ["Hello.", "Who is it?"]

    def test_the_agent_may_hang_up_and_the_limit_may_come_meanwhile(self) -> None:
        for last, reason in ((AgentHungUp(t=5.0), "agent_hangup"), (Tick(t=9.0), "limit")):
            caller = make(PlannedPolicy(turns=(Line(text="Hi."),), hears_words=True), call_s=9.0)
            hangs_up(tell(caller, *GREETING, last), reason)

    def test_a_barge_in_does_not_wait_for_words(self) -> None:
        barge = Line(text="Stop!", barge_in_after_s=1.2)
        policy = PlannedPolicy(turns=(LAST, LAST), over_agent={0: barge}, hears_words=True)
        caller = make(policy)
        (action,) = tell(caller, Connected(t=1.0), started(1.6, 1.5))
        assert isinstance(action, Speak)
        assert (action.kind, action.at_s) == ("barge_in", 2.7)
        # The agent stops at 3.1, after our line's end at 2.9: the rest of its sentence is no reply to us.
        tell(caller, Tick(t=2.7), finished(2.9, 0), ended(3.9, 3.1), words(4.6, 1.5, "We sell -"))
        events = (started(4.1, 4.0), ended(5.8, 5.0), words(6.6, 4.0, "Yes?"))
        assert tell(caller, *events) == [speak(1, "no.", 6.6)]
        assert caller.dialogue == (
            Heard(onset_s=1.5, end_s=3.1, text="We sell -"),
            Said(text="Stop!", kind="barge_in", end_s=2.9),
            Heard(onset_s=4.0, end_s=5.0, text="Yes?"),
        )

    def test_speech_that_goes_on_through_our_backchannel(self) -> None:
        policy = PlannedPolicy(
            turns=(LAST, LAST),
            over_agent={0: Line(text="Mm-hm.", barge_in_after_s=1.0, expects_reply=False)},
            hears_words=True,
        )
        caller = make(policy)
        (action,) = tell(caller, Connected(t=1.0), started(1.6, 1.5))
        assert isinstance(action, Speak)
        assert action.kind == "backchannel"
        events = (Tick(t=2.5), finished(2.9, 0), ended(6.8, 6.0), words(7.7, 1.5, "A long story."))
        assert tell(caller, *events) == [speak(1, "no.", 7.7)]
        assert caller.dialogue == (
            Said(text="Mm-hm.", kind="backchannel", end_s=2.9),
            Heard(onset_s=1.5, end_s=6.0, text="A long story."),
        )

    def test_a_backchannel_whose_moment_never_came_is_dropped(self) -> None:
        policy = PlannedPolicy(
            turns=(LAST,), over_agent={0: Line(text="Mm-hm.", barge_in_after_s=3.0, expects_reply=False)}
        )
        caller = make(policy)
        caller.on(Connected(t=1.0))
        assert len(caller.on(started(1.6, 1.5))) == 1
        assert caller.on(ended(3.8, 3.0)) == [Cancel(index=0), speak(0, "no.", 3.8)]
        assert tell(caller, finished(4.5, 0), started(5.1, 5.0)) == []


class TestThinking:
    def test_a_thought_is_said_like_any_turn(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        assert tell(caller, *GREETING) == [Think(number=1, dialogue=(Heard(onset_s=1.5, end_s=3.0),))]
        assert caller.state is CallerState.THINKING
        # The pause counts from the end of the agent's speech: nothing of it is left at 6.0.
        assert tell(caller, Tick(t=5.0), thought(6.0, LAST)) == [speak(0, "no.", 6.0)]
        tell(caller, finished(7.0, 0))
        assert caller.dialogue[-1] == Said(text="no.", kind="turn", end_s=7.0)

    def test_a_quick_thought_waits_for_its_pause(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        line = Line(text="no.", pause_s=2.0, why="thought so")
        assert caller.on(thought(4.0, line)) == [speak(0, "no.", 5.0, why="thought so")]
        assert caller.state is CallerState.SCHEDULED

    def test_the_parts_of_a_thought_are_one_line(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        assert caller.on(thought(4.0, PART)) == [speak(0, "Well,", 4.0)]
        # The second comes in time, the third only when we have fallen silent.
        assert caller.on(thought(4.3, Line(text="I think", more=True))) == [
            speak(1, "I think", 4.3, continues=True)
        ]
        assert tell(caller, finished(4.6, 0), finished(5.2, 1), Tick(t=5.9)) == []
        assert caller.state is CallerState.THINKING
        assert caller.on(thought(6.0, LAST)) == [speak(2, "no.", 6.0, continues=True)]
        assert tell(caller, finished(6.5, 2)) == []
        assert caller.state is CallerState.LISTENING
        assert caller.dialogue[1:] == (Said(text="Well, I think no.", kind="turn", end_s=6.5),)
        # Only now is a reply awaited.
        tell(caller, started(7.1, 7.0), ended(8.8, 8.0))
        assert caller.state is CallerState.CLOSING

    def test_parts_that_come_early_follow_once_the_line_has_begun(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, Line(text="Well,", pause_s=3.0, more=True)))
        assert tell(caller, thought(4.1, LAST)) == []
        deadline_s = caller.next_deadline_s()
        assert deadline_s is not None
        assert deadline_s < 6.0
        assert caller.on(Tick(t=deadline_s)) == [speak(1, "no.", deadline_s, continues=True)]

    def test_the_agent_goes_on_before_anything_was_thought(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        assert caller.on(started(4.6, 4.5)) == [Forget(number=1)]
        assert tell(caller, thought(4.8, LAST)) == []  # too late
        (action,) = caller.on(ended(6.3, 5.5))
        assert isinstance(action, Think)
        assert action.number == 2
        assert len(action.dialogue) == 2
        assert caller.on(thought(6.5, LAST, number=1)) == []
        assert caller.on(thought(6.6, LAST, number=2)) == [speak(0, "no.", 6.6)]

    def test_the_agent_goes_on_before_anything_of_a_thought_was_said(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, Line(text="Well,", pause_s=3.0, more=True)))
        assert caller.on(started(4.6, 4.5)) == [Cancel(index=0), Forget(number=1)]
        assert tell(caller, thought(4.8, LAST)) == []
        assert caller.state is CallerState.LISTENING

    def test_the_agent_takes_the_turn_between_two_parts(self) -> None:
        policy = PlannedPolicy(turns=(THOUGHT, LAST))
        caller = make(policy)
        tell(caller, *GREETING)
        caller.on(thought(4.0, PART))
        tell(caller, finished(4.6, 0))
        assert caller.on(started(5.4, 5.3)) == [Forget(number=1)]
        assert tell(caller, thought(5.5, LAST)) == []
        assert caller.on(ended(7.3, 6.5)) == [speak(1, "no.", 7.3)]
        assert policy.asked[-1] == (
            Heard(onset_s=1.5, end_s=3.0),
            Said(text="Well,", kind="turn", end_s=4.6),
            Heard(onset_s=5.3, end_s=6.5),
        )

    def test_a_listening_noise_of_the_agent_during_our_part_takes_no_turn(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, PART))
        tell(caller, started(4.4, 4.2), finished(5.0, 0))
        # The ears have not told yet that it is over: the next part waits for that.
        assert tell(caller, thought(5.1, LAST)) == []
        assert caller.on(ended(5.5, 4.7)) == [speak(1, "no.", 5.5, continues=True)]

    def test_a_thought_that_promised_more_and_has_none(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, PART))
        assert tell(caller, finished(4.6, 0), thought(5.0, None)) == []
        assert caller.state is CallerState.LISTENING
        assert caller.dialogue[-1] == Said(text="Well,", kind="turn", end_s=4.6)

    def test_thinking_comes_to_nothing_or_to_leaving(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        assert tell(caller, thought(4.0, None)) == [
            HangUp(reason="completed", detail="every line was said and answered")
        ]
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        hangs_up(tell(caller, thought(4.0, Leave(reason="refused"))), "refused")

    def test_leaving_as_the_last_part(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, PART))
        assert tell(caller, thought(4.2, Leave(reason="gave_up"))) == []
        hangs_up(tell(caller, finished(4.6, 0)), "gave_up")

    def test_what_comes_after_the_last_part_is_ignored(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, LAST))
        assert tell(caller, thought(4.1, Line(text="And another thing!"))) == []

    def test_a_line_that_was_taken_back_too_late_makes_a_thought_void(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        caller.on(thought(4.0, Line(text="Well,", pause_s=3.0)))
        assert caller.on(started(4.6, 4.5)) == [Cancel(index=0), Forget(number=1)]
        assert len(caller.on(ended(5.9, 5.1))) == 1
        assert caller.state is CallerState.THINKING
        assert caller.on(finished(6.5, 0)) == [Forget(number=2)]
        assert caller.state is CallerState.LISTENING
        assert caller.dialogue[-1] == Said(text="Well,", kind="turn", end_s=6.5)

    def test_it_hangs_up_once(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)), call_s=5.0)
        tell(caller, *GREETING)
        caller.on(thought(4.0, PART))
        assert tell(caller, thought(4.2, Leave(reason="gave_up"))) == []
        hangs_up(caller.on(finished(5.5, 0)), "gave_up")

    def test_the_agent_hangs_up_while_the_caller_thinks(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        detail = hangs_up(tell(caller, AgentHungUp(t=4.0)), "agent_hangup")
        assert detail == "the agent hung up while the caller thought about line 1"

    def test_the_connection_is_lost_while_the_caller_thinks(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,)))
        tell(caller, *GREETING)
        detail = hangs_up(tell(caller, AgentHungUp(t=4.0, lost=True)), "connection_lost")
        assert detail == "the connection was lost while the caller thought about line 1"

    def test_thinking_alone_is_no_silence_of_the_agent(self) -> None:
        policy = PlannedPolicy(turns=(THOUGHT,), silences=(LAST,))
        caller = make(policy, silence_s=3.0, prompt_s=1.0, call_s=60.0)
        tell(caller, *GREETING)
        assert caller.next_deadline_s() == 60.0
        assert tell(caller, Tick(t=30.0)) == []

    def test_a_caller_that_speaks_first_may_think_first(self) -> None:
        caller = make(PlannedPolicy(turns=(THOUGHT,), wait_for_greeting=False))
        assert caller.on(Connected(t=1.0)) == [Think(number=1, dialogue=())]
        assert caller.on(thought(1.1, LAST)) == [speak(0, "no.", 1.4)]


class TestLastWords:
    BYE = Line(text="Bye.", ends_call="satisfied", why="all asked")

    def leaving(self, line: Line = BYE, **patience: float) -> Caller:
        """A caller that says its last words from 3.8 to 5.0."""
        caller = make(PlannedPolicy(turns=(line,), hang_up_after_s=2.0), **patience)
        tell(caller, *GREETING)
        tell(caller, finished(5.0, 0))
        return caller

    def test_answered(self) -> None:
        detail = hangs_up(tell(self.leaving(), started(5.6, 5.5), ended(7.3, 6.5)), "satisfied")
        assert detail == "the caller had what the call was for and said good-bye (all asked)"

    def test_not_answered(self) -> None:
        caller = self.leaving()
        assert caller.next_deadline_s() == 7.0
        hangs_up(tell(caller, Tick(t=6.9), Tick(t=7.0)), "satisfied")

    @pytest.mark.parametrize("reason", ["satisfied", "refused", "gave_up"])
    def test_leaving_without_a_word(self, reason: EndReason) -> None:
        caller = make(PlannedPolicy(turns=(Leave(reason=reason, why="enough"),)))
        detail = hangs_up(tell(caller, *GREETING), reason)
        assert detail.endswith("and hung up without another word (enough)")

    def test_an_agent_that_talks_and_talks_is_not_heard_out(self) -> None:
        caller = self.leaving()
        tell(caller, started(5.6, 5.5))
        assert caller.next_deadline_s() == 5.0 + FAREWELL_S
        hangs_up(tell(caller, Tick(t=14.9), Tick(t=15.0)), "satisfied")

    def test_last_words_over_the_agent(self) -> None:
        line = Line(text="Stop!", barge_in_after_s=1.0, ends_call="gave_up")
        caller = make(PlannedPolicy(over_agent={0: line}, hang_up_after_s=2.0))
        tell(caller, Connected(t=1.0))
        assert len(caller.on(started(1.6, 1.5))) == 1
        # It stops with our words: its silence is the answer.
        tell(caller, finished(3.5, 0), ended(4.0, 3.2))
        hangs_up(tell(caller, Tick(t=5.4), Tick(t=5.5)), "gave_up")

    @pytest.mark.parametrize(
        ("line", "ending"),
        [
            (BYE, "the caller had what the call was for; the agent hung up after the goodbye"),
            (
                Line(text="Leave me alone.", ends_call="refused"),
                "the caller did not want to go on; the agent hung up after the caller's last words",
            ),
        ],
    )
    def test_an_agent_that_hangs_up_on_the_last_words(self, line: Line, ending: str) -> None:
        """Whether or not it had begun to answer: they had left."""
        reason = str(line.ends_call)
        assert hangs_up(tell(self.leaving(line), AgentHungUp(t=5.0)), reason) == ending
        assert hangs_up(tell(self.leaving(line), started(5.2, 5.1), AgentHungUp(t=5.5)), reason) == ending

    @pytest.mark.parametrize(
        ("line", "said_half", "reason"),
        [
            (Line(text="Bye.", ends_call="satisfied"), False, "satisfied"),
            (Line(text="Friday, then.", parting=True), False, "satisfied"),
            (Line(text="Friday, then.", takes_leave=True), False, "agent_hangup"),
            (Line(text="And when?"), False, "agent_hangup"),
            (Line(text="Leave me alone.", ends_call="refused"), False, "agent_hangup"),
            (Line(text="Bye.", ends_call="satisfied"), True, "agent_hangup"),
            (Line(text="Friday, then.", parting=True), True, "satisfied"),
            (Line(text="Friday, then.", takes_leave=True), True, "agent_hangup"),
            (Line(text="Leave me alone.", ends_call="refused"), True, "agent_hangup"),
            (Line(text="And when?"), True, "agent_hangup"),
        ],
    )
    def test_an_agent_that_hangs_up_on_a_line(self, line: Line, said_half: bool, reason: str) -> None:
        """Last words that are cut off were not heard; only a goodbye to one that said its own is as good."""
        caller = make(PlannedPolicy(turns=(dataclasses.replace(line, pause_s=2.0),)))
        assert len(tell(caller, *GREETING)) == 1
        assert caller.state is CallerState.SCHEDULED
        detail = hangs_up(caller.on(AgentHungUp(t=5.2 if said_half else 4.0)), reason)
        where = "while line 1 was being said" if said_half else "before line 1"
        assert detail.endswith(f"the agent hung up {where}")


class TestSilence:
    HELLO = Line(text="Hello?")

    def silent(self, *answers: Decision, **patience: float) -> Caller:
        """A caller whose first line ended at 5.0."""
        caller = make(PlannedPolicy(turns=(LAST, LAST), silences=answers), **patience)
        tell(caller, *GREETING)
        tell(caller, finished(5.0, 0))
        return caller

    def test_it_asks_after_the_agent_and_gives_up_in_the_end(self) -> None:
        caller = self.silent(self.HELLO, self.HELLO, prompt_s=4.0, silence_s=15.0)
        assert caller.next_deadline_s() == 9.0
        assert caller.on(Tick(t=9.0)) == [speak(1, "Hello?", 9.0)]
        tell(caller, finished(9.6, 1))
        assert caller.next_deadline_s() == pytest.approx(13.6)
        assert caller.on(Tick(t=13.6)) == [speak(2, "Hello?", 13.6)]
        tell(caller, finished(14.2, 2))
        # 18.2 would be the third time, too close to the end of its patience at 20.
        assert caller.next_deadline_s() == 20.0
        detail = hangs_up(tell(caller, Tick(t=19.9), Tick(t=20.0)), "agent_silent")
        assert detail == "the agent was silent for 15 s after line 1, asked after 2 times"

    def test_an_answer_to_the_prompt_is_an_answer(self) -> None:
        caller = self.silent(self.HELLO, prompt_s=4.0)
        caller.on(Tick(t=9.0))
        tell(caller, finished(9.6, 1), started(10.1, 10.0))
        # The planned policy counts lines: its third position is the end.
        tell(caller, ended(11.8, 11.0))
        assert caller.state is CallerState.CLOSING

    def test_the_count_begins_anew_when_the_agent_has_spoken(self) -> None:
        policy = PlannedPolicy(turns=(LAST, LAST, LAST, LAST), silences=(self.HELLO, Leave(reason="gave_up")))
        caller = make(policy, prompt_s=4.0)
        tell(caller, *GREETING)
        tell(caller, finished(5.0, 0))
        assert caller.on(Tick(t=9.0)) == [speak(1, "Hello?", 9.0)]
        tell(caller, finished(9.6, 1), started(10.1, 10.0))
        assert caller.on(ended(11.8, 11.0)) == [speak(2, "no.", 11.8)]
        tell(caller, finished(12.5, 2))
        assert caller.on(Tick(t=16.5)) == [speak(3, "Hello?", 16.5)]
        tell(caller, finished(17.0, 3))
        hangs_up(tell(caller, Tick(t=21.0)), "gave_up")

    def test_a_policy_may_rather_wait(self) -> None:
        caller = self.silent(None, prompt_s=4.0, silence_s=15.0)
        assert tell(caller, Tick(t=9.0)) == []
        assert caller.next_deadline_s() == 20.0

    def test_hello_into_a_call_that_nobody_greets(self) -> None:
        policy = PlannedPolicy(turns=(LAST,), silences=(self.HELLO,))
        caller = make(policy, prompt_s=4.0, first_speech_s=10.0)
        caller.on(Connected(t=1.0))
        assert caller.on(Tick(t=5.0)) == [speak(0, "Hello?", 5.0)]
        tell(caller, finished(5.6, 0))
        detail = hangs_up(tell(caller, Tick(t=10.9), Tick(t=11.0)), "no_greeting")
        assert detail.endswith("for 10 s after the call was connected, asked after once")

    def test_it_never_asks_after_an_agent_that_speaks(self) -> None:
        caller = self.silent(self.HELLO, prompt_s=4.0)
        assert tell(caller, started(5.6, 5.5), Tick(t=30.0)) == []

    def test_last_words_may_be_said_into_silence(self) -> None:
        caller = self.silent(Line(text="Bye then.", ends_call="gave_up"), prompt_s=4.0)
        caller.on(Tick(t=9.0))
        tell(caller, finished(9.6, 1))
        hangs_up(tell(caller, Tick(t=10.6)), "gave_up")


class TestTakingLeave:
    """The caller says from 3.8 to 5.0 that it has nothing left to ask, and may still be asked something."""

    LEAVES = Line(text="Friday, then. Thank you.", takes_leave=True)
    PARTS = Line(text="Friday, then. Goodbye.", parting=True)
    OVER = "the caller had what the call was for; the agent hung up after the goodbye"

    def said(self, line: Line = LEAVES, *later: Line, over_agent: Line | None = None) -> Caller:
        policy = PlannedPolicy(
            turns=(line, *later), hears_words=True, over_agent={1: over_agent} if over_agent else {}
        )
        caller = make(policy)
        tell(caller, *GREETING)
        (said,) = caller.on(words(3.9, 1.5))
        assert isinstance(said, Speak)
        assert caller.on(finished(5.0, 0)) == []
        return caller

    @pytest.mark.parametrize("line", [LEAVES, PARTS])
    @pytest.mark.parametrize(
        "before",
        [(), (started(5.3, 5.2),), (started(5.3, 5.2), ended(7.0, 6.2))],
        ids=["at once", "in its goodbye", "before its goodbye is understood"],
    )
    def test_an_agent_that_hangs_up_then_ends_what_was_over(
        self, line: Line, before: tuple[CallerEvent, ...]
    ) -> None:
        assert hangs_up(tell(self.said(line), *before, AgentHungUp(t=7.1)), "satisfied") == self.OVER

    def test_one_that_had_not_said_so_is_hung_up_on(self) -> None:
        detail = hangs_up(self.said(Line(text="And when?")).on(AgentHungUp(t=5.1)), "agent_hangup")
        assert detail == "the agent hung up while the caller waited for the reply to line 1"

    @pytest.mark.parametrize("said_half", [False, True])
    def test_a_second_goodbye_need_not_be_heard_out(self, said_half: bool) -> None:
        caller = self.said(self.LEAVES, Line(text="Bye.", ends_call="satisfied", pause_s=2.0))
        tell(caller, started(5.3, 5.2), ended(7.0, 6.2))
        assert len(caller.on(words(7.1, 5.2, "Goodbye."))) == 1
        hangs_up(caller.on(AgentHungUp(t=8.5 if said_half else 7.5)), "satisfied")

    @pytest.mark.parametrize("at_s", [7.5, 8.5, 10.0], ids=["before", "in", "after"])
    def test_a_caller_that_has_taken_the_talk_up_again_is_hung_up_on(self, at_s: float) -> None:
        caller = self.said(self.LEAVES, Line(text="Oh, the fee? Which one?", pause_s=2.0))
        tell(caller, started(5.3, 5.2), ended(7.0, 6.2))
        assert len(caller.on(words(7.1, 5.2, "And the fee?"))) == 1
        if at_s > 9.0:
            assert caller.on(finished(9.0, 1)) == []
        hangs_up(caller.on(AgentHungUp(t=at_s)), "agent_hangup")

    def test_a_murmur_takes_nothing_back(self) -> None:
        murmur = Line(text="Mm-hm.", barge_in_after_s=0.5, expects_reply=False)
        caller = self.said(self.LEAVES, over_agent=murmur)
        assert len(caller.on(started(5.3, 5.2))) == 1
        assert caller.on(finished(6.3, 1)) == []
        assert hangs_up(caller.on(AgentHungUp(t=6.5)), "satisfied") == self.OVER
