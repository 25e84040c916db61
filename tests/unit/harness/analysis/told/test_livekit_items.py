"""The claims of a LiveKit agent: items of its history, each with its own figures, paired with the answers.

The caller's turns end at 10, 30 ... s and are answered after 1000 ms, of which the agent tells 400 for the
end of the turn, 300 for its model and 200 for its voice. Its items go through what reads them in a call.
"""

from __future__ import annotations

from typing import Any

from livekit.protocol.agent_pb import agent_session

from harness.analysis.told.split import NO_CLAIM, NO_ITEM, told_of
from harness.records.call import Event
from harness.transports.livekit.told.witness import SESSION, Witness
from tests.unit.harness.analysis.told.test_split import parts, turn
from tests.unit.harness.transports.livekit.told.test_data_streams import chunk, header, trailer

CALLER, AGENT = agent_session.ChatRole.USER, agent_session.ChatRole.ASSISTANT


def item(t: float, role: Any, *, interrupted: bool = False, **figures: Any) -> list[Event]:
    """An item that came at ``t``, as the timeline has it."""
    said = agent_session.ChatMessage(
        role=role,
        content=[agent_session.ChatMessage.ChatContent(text="Well, yes.")],
        interrupted=interrupted,
        metrics=agent_session.MetricsReport(**figures) if figures else None,
    )
    added = agent_session.AgentSessionEvent.ConversationItemAdded(
        item=agent_session.ChatContext.ChatItem(message=said)
    )
    event = agent_session.AgentSessionEvent(conversation_item_added=added)
    content = agent_session.AgentSessionMessage(event=event)
    witness = Witness("me")
    witness.read(header(topic=SESSION), t=t)
    witness.read(chunk(0, content.SerializeToString()), t=t)
    return witness.read(trailer(), t=t)


def answer(index: int = 0, *, end: float = 0.4, model: float = 0.3, voice: float = 0.2) -> list[Event]:
    end_s = 10.0 + 20 * index
    return [
        *item(end_s + 0.45, CALLER, end_of_turn_delay=end, transcription_delay=0.3),
        # When it has been spoken.
        *item(end_s + 5.0, AGENT, llm_node_ttft=model, tts_node_ttfb=voice, e2e_latency=0.92),
    ]


def test_known_times_are_given_back_to_each_answer() -> None:
    events = [*item(4.0, AGENT, tts_node_ttfb=0.5), *answer(0), *answer(1, model=0.4)]
    found = told_of([turn(0), turn(1, latency_ms=1100.0)], events)
    assert [parts(one) for one in found] == [(400, 300, 200, 100), (400, 400, 200, 100)]
    assert {one.basis for one in found} == {"livekit"}


def test_the_whole_of_the_model_is_taken_where_it_is_told() -> None:
    """Until the first sentence: what the voice waits for."""
    sent = [
        *item(10.45, CALLER, end_of_turn_delay=0.4),
        *item(15, AGENT, llm_node_ttft=0.1, llm_node_ttfs=0.3, tts_node_ttfb=0.2),
    ]
    assert parts(told_of([turn()], sent)[0]) == (400, 300, 200, 100)


def test_what_was_interrupted_before_is_not_taken_for_the_answer() -> None:
    """The caller broke in: the item that was cut comes during the turn, with figures of its own."""
    sent = [
        *item(8.0, AGENT, interrupted=True, llm_node_ttft=0.05, tts_node_ttfb=0.05),
        *answer(),
        *item(18.0, AGENT, llm_node_ttft=0.9),
    ]
    assert parts(told_of([turn()], sent)[0]) == (400, 300, 200, 100)


def test_an_answer_that_was_taken_up_again_is_not_given_the_figures_of_its_beginning() -> None:
    """As a real worker did: it took the turn for a false interruption and spoke on at 11.0 s, was then told
    the words, cut itself, and wrote down what it had cut, and after that the caller's words."""
    sent = [
        *item(11.70, AGENT, interrupted=True, tts_node_ttfb=0.8),
        *item(11.77, CALLER, end_of_turn_delay=0.9),
        *item(19.0, AGENT, llm_node_ttft=0.1, tts_node_ttfb=0.2),
    ]
    (one,) = told_of([turn()], sent)
    assert parts(one) == (None, None, None, 1000)
    assert set(one.why_not.values()) == {NO_ITEM}


def test_a_filler_without_figures_is_not_given_those_of_the_next() -> None:
    sent = [
        *item(10.45, CALLER, end_of_turn_delay=0.4),
        *item(12, AGENT),
        *item(15, AGENT, llm_node_ttft=0.3),
    ]
    (one,) = told_of([turn()], sent)
    assert parts(one) == (400, None, None, 600)
    assert one.why_not == {"model": NO_CLAIM["model"], "voice": NO_CLAIM["voice"]}


def test_an_item_of_the_next_turn_is_not_taken() -> None:
    late = [*item(28.0, CALLER, end_of_turn_delay=0.1), *item(35.0, AGENT, llm_node_ttft=0.2)]
    first, second = told_of([turn(0), turn(1)], late)
    assert parts(first) == (None, None, None, 1000)
    assert first.basis == ""
    assert parts(second)[:2] == (100, 200)


def test_claims_beyond_the_latency_contradict_it_and_unusable_ones_are_not_told() -> None:
    (one,) = told_of([turn()], answer(model=0.9))
    assert one.contradiction.startswith("claims of 1500 ms exceed what was measured by 500 ms")
    for wrong in (-1.0, float("nan"), float("inf")):
        (one,) = told_of([turn()], answer(model=wrong))
        assert parts(one) == (400, None, 200, 400)
    (one,) = told_of([turn()], answer(model=61.0))
    assert one.why_not["model"] == "the agent's claim is no time from 0 to 60 s"
