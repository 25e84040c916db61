"""The turns of a transcript file: who is who, and what was said, in any of the forms that tools write.

The agent is the side under test, whoever dialled; the caller is the person (or their simulator).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from harness.errors import UserError
from spoken_language.dialogue import MAX_TURNS, DialogueTurn, Speaker
from spoken_language.outside_text import one_line

AGENT_NAMES = (
    "agent", "assistant", "bot", "ai", "model", "gpt", "chatbot", "voicebot", "robot", "voice_agent",
    "operator", "representative", "rep", "csr", "service", "staff", "advisor", "salesperson", "interviewer",
    "客服", "坐席", "座席", "机器人", "助手", "外呼", "智能客服", "销售", "专员", "顾问", "模型",
)  # fmt: skip
CALLER_NAMES = (
    "caller", "user", "customer", "human", "callee", "client", "person", "consumer", "guest", "patient",
    "candidate", "employee", "respondent", "simulator", "user_simulator", "simulated_user", "contact", "lead",
    "客户", "用户", "顾客", "被叫", "来电", "消费者", "模拟用户", "受访者", "候选人", "患者",
)  # fmt: skip

_SPEAKER_KEYS = ("speaker", "role", "from", "who", "side", "author")
_TEXT_KEYS = ("text", "content", "message", "value", "utterance", "words")
_SYSTEM = ("system", "developer")
_SKIPPED = ("tool", "function", "event", "note")
_HEAD = frozenset(("scenario", "entry", "archetype", "language", "id", "model"))

_LABEL = re.compile(
    r"^\s*(?:\[?\(?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\)?\]?\s*[-–]?\s*)?"
    r"(?:\*\*)?\[?([^\s:：\[\]*][^:：\[\]*]{0,39})\]?(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$"
)
_STRANGER = re.compile(
    r"^(?:\[?\(?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\)?\]?\s*[-–]?\s*)?(?:\*\*)?\[?"
    r"([A-Z][\w.'’-]*(?: [A-Za-z0-9][\w.'’-]*){0,2}|[a-z][a-z0-9_'’-]*|[一-鿿]{1,6})"
    r"(?: ?[(（][^)）]*[)）])?"
    r"\]?(?:\*\*)?\s*(?:：|:(?:\*\*)?(?:\s|$))"
)
"""Somebody who speaks, at the beginning of a line: up to three words from a capital on, or one without."""
_ASIDE = re.compile(r"\s*[(（].*[)）]\s*$")
_MAX_PROBLEM = 60


@dataclass(frozen=True, kw_only=True)
class ReadTurns:
    """``system`` is the text of system messages, where a list of chat messages has them."""

    turns: tuple[DialogueTurn, ...]
    system: str = ""
    notes: tuple[str, ...] = ()


class Speakers:
    """Names of speakers -> sides; a file may add its own (``speakers: {Kate: agent}``)."""

    def __init__(self, own: Any, place: str) -> None:
        self._sides: dict[str, Speaker] = dict.fromkeys(AGENT_NAMES, "agent")
        self._sides |= dict.fromkeys(CALLER_NAMES, "caller")
        if own is None:
            return
        if not isinstance(own, dict):
            raise UserError(f"{place}: speakers: must map names to agent or caller")
        for name, side in own.items():
            known = self._sides.get(_folded(str(side)))
            if known is None:
                raise UserError(
                    f"{place}: speakers: '{_line(name)}' is '{_line(side)}'; it must be agent or caller"
                )
            self._sides[_folded(str(name))] = known

    def side(self, name: str) -> Speaker | None:
        """The side of a speaker ("Agent (Li Ming)" is an agent); None for a name that is not known."""
        return self._sides.get(_folded(name)) or self._sides.get(_folded(_ASIDE.sub("", name)))


def read_turns(content: Sequence[Any], place: str, speakers: Speakers) -> ReadTurns:
    """The turns of a list: ``{speaker, text}``, ``{role, content}``, ``{agent: text}`` and the like.

    Raises:
        UserError: One of them is none, or its speaker is not known.
    """
    if len(content) > MAX_TURNS:
        raise UserError(f"{place}: {len(content)} turns; the most that is read is {MAX_TURNS}")
    turns, system, skipped = [], [], 0
    for number, item in enumerate(content, 1):
        where = f"{place}, turn {number}"
        name, text = _name_and_text(item, where, speakers)
        if text is None or _folded(name) in _SKIPPED:
            skipped += 1
        elif _folded(name) in _SYSTEM:
            system.append(text)
        else:
            turns.append(_turn(name, text, where, speakers))
    notes = (f"{skipped} messages without words are left out",) if skipped else ()
    return ReadTurns(turns=tuple(turns), system="\n".join(system), notes=notes)


def turns_of_text(text: str, place: str, *, own: Any = None) -> tuple[dict[str, Any], list[Any]]:
    """Lines such as ``Agent: Hello`` as a list of turns; lines before the first may name the scenario.

    A line without a speaker belongs to the one before it; empty lines and those that begin with ``#`` are
    left out. Whose words those of somebody else are ("Supervisor: Hello.") is for the file to say.

    Args:
        own: Names of speakers, where what the text stands in has some.

    Raises:
        UserError: There is no line with a speaker, or one of somebody who is not known.
    """
    speakers = Speakers(own, place)
    heads = _heads(text, speakers)
    head: dict[str, Any] = {}
    turns: list[dict[str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LABEL.match(line)
        name = found[1].strip() if found else ""
        if found and not turns and _folded(name) == "speakers":
            head["speakers"] = head.get("speakers", {}) | _own_speakers(found[2])
            speakers = Speakers({**(own or {}), **head["speakers"]}, f"{place}:{number}")
        elif found and not turns and _folded(name) in heads:
            head[_folded(name)] = found[2].strip()
        elif found and speakers.side(name):
            turns.append({"speaker": name, "text": found[2]})
        elif stranger := _STRANGER.match(line):
            shown = one_line(stranger[1], most=_MAX_PROBLEM)
            raise UserError(
                f"{place}:{number}: '{shown}' is neither the agent nor the caller: who is it? Say so in a "
                f"line before the first turn (speakers: {shown} = agent), indent this one where it goes "
                "on with the one before it, or put a # in front of it"
            )
        elif turns:
            turns[-1]["text"] = f"{turns[-1]['text']} {line.strip()}".strip()
        else:
            raise UserError(
                f"{place}:{number}: begins neither with 'Agent:' nor with 'Caller:': {_shown(line.strip())}"
            )
    if not turns:
        raise UserError(f"{place}: has no line such as 'Agent: Hello' or 'Caller: Who is this?'")
    return head, list(turns)


def _own_speakers(written: str) -> dict[str, str]:
    """``Kate = agent, Mr. Sun = caller``, also as YAML has it: ``{Kate: agent}``."""
    named = {}
    for one in filter(None, (part.strip() for part in written.strip().strip("{}").split(","))):
        name, _, side = one.partition("=") if "=" in one else one.rpartition(":")
        named[name.strip().strip("'\"")] = side.strip().strip("'\"")
    return named


def _heads(text: str, speakers: Speakers) -> frozenset[str]:
    """What a line before the first turn may name. "model" is a name of the agent's, too: where it goes by no
    other one, such a line is its first turn."""
    labels = (found[1].strip() for line in text.split("\n") if (found := _LABEL.match(line)))
    agents = {_folded(name) for name in labels if speakers.side(name) == "agent"}
    return _HEAD if agents - _HEAD else _HEAD - agents


def _name_and_text(item: Any, where: str, speakers: Speakers) -> tuple[str, str | None]:
    if isinstance(item, str):
        found = _LABEL.match(item)
        if found:
            return found[1].strip(), found[2]
        raise UserError(f"{where}: must be {{speaker: ..., text: ...}} or 'Agent: ...', not {_shown(item)}")
    if isinstance(item, list | tuple) and len(item) == 2:
        return str(item[0]), _words(item[1], where)
    if not isinstance(item, dict):
        raise UserError(f"{where}: must be a mapping with 'speaker' and 'text', not {_shown(item)}")
    name = next((item[key] for key in _SPEAKER_KEYS if isinstance(item.get(key), str)), None)
    if name is not None:
        if not any(key in item for key in _TEXT_KEYS):
            raise UserError(f"{where}: has no 'text' (its keys: {_keys(item)})")
        return name, _words(next(item[key] for key in _TEXT_KEYS if key in item), where)
    sides = [key for key in item if isinstance(key, str) and speakers.side(key)]
    if len(sides) == 1:
        return sides[0], _words(item[sides[0]], where)
    raise UserError(f"{where}: has no 'speaker' (its keys: {_keys(item)})")


def _words(content: Any, where: str) -> str | None:
    """The text of a message; None where it has none (a call of a tool)."""
    if content is None:
        return None
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part if isinstance(part, str) else _part_text(part) for part in content]
        return " ".join(part for part in parts if part) or None
    raise UserError(f"{where}: its text must be text, not {_shown(content)}")


def _part_text(part: Any) -> str:
    text = part.get("text") or part.get("transcript") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _turn(name: str, text: str, where: str, speakers: Speakers) -> DialogueTurn:
    side = speakers.side(name)
    if side is None:
        shown = one_line(name, most=_MAX_PROBLEM)
        raise UserError(
            f"{where}: '{shown}' is neither the agent (agent, assistant, bot, 客服, ...) nor "
            "the caller (caller, user, customer, 客户, ...); say who it is: "
            f"speakers: {{{shown}: agent}}"
        )
    try:
        return DialogueTurn(speaker=side, text=text)
    except ValidationError as error:
        raise UserError(f"{where}: {error.errors()[0]['msg']}") from error


def _line(item: Any) -> str:
    return one_line(str(item), most=_MAX_PROBLEM)


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _keys(item: dict[Any, Any]) -> str:
    return one_line(", ".join(map(str, item)), most=200)


def _shown(item: Any) -> str:
    return repr(item)[:_MAX_PROBLEM]
