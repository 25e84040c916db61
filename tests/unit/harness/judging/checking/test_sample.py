"""Which part of a labelled set is judged, and in which order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from harness.judging.checking.labelled_set import JudgeSet, LabelledDialogue, LabelledReply, ScoreLabel
from harness.judging.checking.sample import in_reading_order, sampled_dialogues, sampled_replies
from harness.judging.checking.tasks import JudgedTask
from metrics.dialogue.verdicts import Dimension
from spoken_language.dialogue import DialogueTurn
from tests.unit.metrics.dialogue.sessions import flow, node

DOMAINS = ("finance", "research", "sales")
TASKS = {
    domain: JudgedTask(agent_prompt="Briefing.", flow=flow(node("greet")), language="en", domain=domain)
    for domain in DOMAINS
}
HELLO = (DialogueTurn(speaker="agent", text="Hello."),)


def reply(number: int, *, domain: str, dimension: Dimension = Dimension.SAFETY) -> LabelledReply:
    return LabelledReply(id=f"{dimension}-{number:02d}", dimension=dimension, entry=domain, turns=HELLO)


def labelled(replies: list[LabelledReply], scores: list[str]) -> JudgeSet:
    labels = {
        item.id: ScoreLabel.model_validate({"score": score, "why": "so"})
        for item, score in zip(replies, scores, strict=True)
    }
    dialogues = [
        LabelledDialogue(id=f"call-{number:02d}", entry=domain, trait=trait, turns=HELLO)
        for number, (domain, trait) in enumerate(
            (domain, trait) for domain in DOMAINS for trait in ("", "", "refusal")
        )
    ]
    return JudgeSet(
        folder=Path(),
        replies=replies,
        dialogues=dialogues,
        tasks={},
        first=labels,
        second=labels,
        settled={},
        first_nodes={},
        second_nodes={},
        settled_nodes={},
    )


# Written as sets are: all zeros of one domain first, then the next domain.
REPLIES = [reply(number, domain=DOMAINS[number // 8 % 3]) for number in range(72)]
SCORES = [str(number // 24) for number in range(72)]


def test_a_part_has_all_scores_and_within_a_score_all_domains() -> None:
    found = labelled(REPLIES, SCORES)
    part = sampled_replies(found, TASKS, {Dimension.SAFETY}, 9)
    assert Counter((found.score_of(item.id), item.entry) for item in part) == Counter(
        (score, domain) for score in "012" for domain in DOMAINS
    )
    # A smaller part is the beginning of a larger one, so that what was asked for it is kept.
    assert sampled_replies(found, TASKS, {Dimension.SAFETY}, 4) == part[:4]


def test_a_part_does_not_depend_on_the_order_in_the_files() -> None:
    one = sampled_replies(labelled(REPLIES, SCORES), TASKS, {Dimension.SAFETY}, 5)
    turned = labelled(REPLIES[::-1], SCORES[::-1])
    assert sampled_replies(turned, TASKS, {Dimension.SAFETY}, 5) == one


def test_the_limit_is_for_each_dimension_and_others_are_left_out() -> None:
    replies = [
        reply(number, domain="sales", dimension=dimension)
        for dimension in (Dimension.COHERENCE, Dimension.REDUNDANCY, Dimension.SAFETY)
        for number in range(4)
    ]
    part = sampled_replies(
        labelled(replies, ["1"] * 12), TASKS, {Dimension.COHERENCE, Dimension.REDUNDANCY}, 3
    )
    assert Counter(item.dimension for item in part) == {Dimension.COHERENCE: 3, Dimension.REDUNDANCY: 3}


def test_dialogues_are_spread_over_domains_then_over_what_makes_them_hard() -> None:
    part = sampled_dialogues(labelled([], []), TASKS, 6)
    assert Counter((item.entry, item.trait) for item in part) == Counter(
        (domain, trait) for domain in DOMAINS for trait in ("", "refusal")
    )
    assert len(sampled_dialogues(labelled([], []), TASKS)) == 9


def test_what_shares_a_briefing_is_asked_in_a_row_and_what_shares_its_first_turns_too() -> None:
    def turns(*texts: str) -> tuple[DialogueTurn, ...]:
        return tuple(DialogueTurn(speaker="agent", text=text) for text in texts)

    def item(number: int, entry: str, *texts: str) -> LabelledReply:
        return reply(number, domain=entry).model_copy(update={"turns": turns(*texts)})

    items = [
        item(1, "b/x", "Hi."),
        item(2, "a/x", "Hi.", "Bye."),
        item(3, "b/x", "Ah."),
        item(4, "a/x", "Hi."),
        item(5, "b/x", "Hi.", "Oh."),
        item(6, "a/x", "Ah."),
    ]
    assert [one.id[-2:] for one in in_reading_order(items)] == ["06", "04", "02", "03", "01", "05"]
