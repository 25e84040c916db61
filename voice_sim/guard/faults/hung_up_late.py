"""The caller stays on the line when a person would have gone.

Sees: goodbyes in a loop (three turns of goodbye in a row from the caller); staying for two turns and more
after a hang-up condition's cue was met for the second time; an agent that says the same sentence five times
to somebody who goes on answering. A condition that was met once, with four more turns of the caller, is a
suspicion.

Cannot see: a hang-up condition that the agent meets in other words than its cues.
"""

from __future__ import annotations

from voice_sim.guard.faults.hung_up_early import GOODBYE
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import alike, is_chinese, words
from voice_sim.understanding.cues import says_any

GOODBYES = 3
STAYS_AFTER_SECOND = 2
STAYS_AFTER_FIRST = 4
LOOPS = 5
LOOP_WORDS = {"en": 6, "zh": 9}
"""Less than so many words ("Okay.") are no news however often they come, and no loop."""
_SAME = 0.9
_GOODBYE_WORDS = 14


def hung_up_late(session: Session) -> list[Finding]:
    """At most one finding of each sort."""
    return _goodbye_loop(session) + _past_condition(session) + _with_a_loop(session)


def _goodbye_loop(session: Session) -> list[Finding]:
    row: list[int] = []
    for position in session.caller_turns():
        text = session.turns[position].text
        if GOODBYE.search(text) and len(words(text)) <= _GOODBYE_WORDS:
            row.append(position)
        else:
            row = []
        if len(row) == GOODBYES:
            detail = f"says goodbye {GOODBYES} turns in a row and stays"
            return [Finding(kind="hung_up_late", turn=position, quote=text, detail=detail)]
    return []


def _past_condition(session: Session) -> list[Finding]:
    for condition in session.persona.hang_up:
        met = [
            n
            for n, turn in enumerate(session.turns)
            if turn.speaker == "agent" and says_any(condition.cues, turn.text)
        ]
        for times, stays in ((2, STAYS_AFTER_SECOND), (1, STAYS_AFTER_FIRST)):
            if len(met) < times:
                continue
            after = [n for n in session.caller_turns() if n > met[times - 1]]
            # The first turn after it may be the hang-up itself.
            if len(after) <= stays:
                continue
            detail = f"stays for {len(after)} more turns; condition: {condition.when}"
            return [
                Finding(
                    kind="hung_up_late",
                    turn=after[stays],
                    quote=session.turns[met[times - 1]].text,
                    detail=detail,
                    certain=times == 2,
                )
            ]
    return []


def _with_a_loop(session: Session) -> list[Finding]:
    agent = [(n, turn.text) for n, turn in enumerate(session.turns) if turn.speaker == "agent"]
    for index, (position, text) in enumerate(agent):
        if len(words(text)) < LOOP_WORDS["zh" if is_chinese(text) else "en"]:
            continue
        same = [n for n, other in agent[: index + 1] if alike(other, text) >= _SAME]
        if len(same) >= LOOPS and any(n > position for n in session.caller_turns()[:-1]):
            detail = f"goes on after the agent has said the same {LOOPS} times"
            after = next(n for n in session.caller_turns() if n > position)
            return [Finding(kind="hung_up_late", turn=after, quote=text, detail=detail)]
    return []
