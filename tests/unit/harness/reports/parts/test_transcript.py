"""The transcript as shown: what belongs together, and which words are marked."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records.scores import Transcript, TranscriptLine
from harness.reports.parts.transcript import Entry, Word, dialogue


def line(side: str, source: str, start_s: float, end_s: float, text: str, **more: Any) -> TranscriptLine:
    fields = {"side": side, "source": source, "start_s": start_s, "end_s": end_s, "text": text, **more}
    return TranscriptLine.model_validate(fields)


def timed(text: str, *, start_s: float = 0.0, probability: float = 0.9) -> list[dict[str, Any]]:
    """One word a second."""
    return [
        {"word": word, "start_s": start_s + n, "end_s": start_s + n + 1, "probability": probability}
        for n, word in enumerate(text.split())
    ]


def written(words: tuple[Word, ...]) -> str:
    """Words on one line: -missing, +added."""
    signs = {"": "", "missing": "-", "added": "+"}
    return " ".join(signs[word.mark] + word.text for word in words)


def heard_as(said: str, heard: str, *, language: Any = "en") -> Entry:
    lines = [line("caller", "said", 0, 5, said), line("caller", "agent_asr", 0, 5, heard)]
    (entry,) = dialogue(Transcript(lines=lines), language=language)
    return entry


@pytest.mark.parametrize(
    ("said", "heard", "marked"),
    [
        (
            "The card ends in three three four.",
            "the guard ends in three four",
            "the -card +guard ends in -three three four",
        ),
        ("Yes, go ahead.", "Yes, go a head please", "Yes, go -ahead. +a +head +please"),
        ("Hello.", "Goodbye.", "-Hello. +Goodbye."),
    ],
)
def test_differences_are_marked_in_place(said: str, heard: str, marked: str) -> None:
    (hearing,) = heard_as(said, heard).hearings
    shown = written(hearing.words)
    # Which of two equal words is the missing one is the aligner's choice.
    assert shown.replace("three -three.", "-three three") == marked


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Well, hello there!", "well hello there"),
        ("It costs 200 dollars.", "it costs two hundred dollars"),
        ("I don't know.", "I do not know"),
    ],
)
def test_spellings_that_count_as_the_same_are_not_marked(said: str, heard: str) -> None:
    entry = heard_as(said, heard)
    assert entry.hearings == ()
    assert entry.agreed == "agent heard the same"


def test_chinese_is_compared_by_character_and_shown_without_blanks() -> None:
    entry = heard_as("我叫张强。", "我叫章强", language="zh")
    (hearing,) = entry.hearings
    assert written(hearing.words) == "我 叫 -张 +章 强"
    assert not any(word.space for word in hearing.words[:-1])


def test_said_words_take_the_times_of_the_recogniser() -> None:
    lines = [
        line("caller", "said", 10, 13, "Hi, is anybody there?", utterance=0),
        line("caller", "whisper", 10, 14, "", utterance=0, words=timed("hi is anyone there", start_s=10)),
    ]
    (entry,) = dialogue(Transcript(lines=lines))
    assert [word.start_s for word in entry.words] == [10, 11, 12, 13]
    assert entry.words[2].text == "anybody"


def test_sources_of_an_utterance_meet_by_index_or_else_by_overlap() -> None:
    lines = [
        line("caller", "said", 0, 2, "first", utterance=0),
        line("caller", "said", 10, 12, "second", utterance=1),
        # The agent reports late, nearer in time to the second utterance.
        line("caller", "agent_asr", 9, 9.5, "first", utterance=0),
        line("caller", "whisper", 10.1, 11.9, "second"),
    ]
    one, two = dialogue(Transcript(lines=lines))
    assert one.agreed == "agent heard the same"
    assert two.agreed == "recogniser heard the same"


def test_the_agent_is_split_where_the_caller_speaks() -> None:
    lines = [
        line("agent", "whisper", 0, 4, "Hello."),
        line("agent", "whisper", 4, 6, "How are you?"),
        line("caller", "said", 5.5, 8, "Sorry?"),
        line("agent", "whisper", 9, 11, "Fine."),
        line("agent", "agent_text", 8.9, 9.0, "Fine, thanks."),
    ]
    entries = dialogue(Transcript(lines=lines))
    starts = [(entry.side, entry.start_s) for entry in entries]
    assert starts == [("agent", 0), ("caller", 5.5), ("agent", 8.9)]
    assert written(entries[0].words) == "Hello. How are you?"
    assert written(entries[2].hearings[0].words) == "Fine. -thanks."


def test_an_agents_text_that_was_never_heard_is_still_shown() -> None:
    (entry,) = dialogue(Transcript(lines=[line("agent", "agent_text", 1, 2, "Only text.")]))
    assert written(entry.words) == "Only text."
    assert entry.hearings == ()


def test_words_of_low_probability_are_unsure() -> None:
    words = timed("good") + timed("bad", start_s=1, probability=0.49)
    (entry,) = dialogue(Transcript(lines=[line("agent", "whisper", 0, 2, "good bad", words=words)]))
    assert [word.unsure for word in entry.words] == [False, True]


def test_a_flood_of_words_is_not_aligned() -> None:
    """Ten thousand words against ten thousand would take a minute and gigabytes."""
    flood = " ".join(f"word{n}" for n in range(10_000))
    (hearing,) = heard_as(flood, flood + " end").hearings
    assert len(hearing.words) == 20_001


def test_nothing_said_is_no_crash() -> None:
    assert dialogue(Transcript()) == []
    (entry,) = dialogue(Transcript(lines=[line("agent", "whisper", 0, 1, " ... ")]))
    assert written(entry.words) == "..."
