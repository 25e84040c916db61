"""The held-out dialogues are what their README claims: complete, spread over the domains, labelled twice, and
about entries that the set used while developing does not have. How a judge does on them is reported, never
required."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.judging.checking.labelled_set import OWN_SET, JudgeSet, read_judge_set, set_folder
from harness.scenarios.folders import load_entries
from harness.scenarios.scenario import Entry


@pytest.fixture(scope="module")
def held_out() -> JudgeSet:
    return read_judge_set(set_folder("held_out"))


@pytest.fixture(scope="module")
def entries(held_out: JudgeSet) -> dict[str, Entry]:
    return load_entries([item.entry for item in held_out.dialogues])


def test_four_dialogues_of_each_domain_one_of_them_chinese(
    held_out: JudgeSet, entries: dict[str, Entry]
) -> None:
    scenarios = [entries[item.entry].scenario for item in held_out.dialogues]
    assert len(entries) == len(scenarios) == 24
    assert set(Counter(one.domain for one in scenarios).values()) == {4}
    chinese = Counter(one.domain for one in scenarios if one.language == "zh")
    assert len(chinese) == 6
    assert set(chinese.values()) == {1}
    assert all(10 <= len(item.turns) <= 20 for item in held_out.dialogues)


def test_every_node_is_labelled_twice_and_only_branches_can_be_inapplicable(
    held_out: JudgeSet, entries: dict[str, Entry]
) -> None:
    for item in held_out.dialogues:
        nodes = {node.id: node for node in entries[item.entry].flow.nodes}
        for labels in (held_out.first_nodes[item.id], held_out.second_nodes[item.id]):
            assert set(labels) == set(nodes), item.id
            inapplicable = {name for name, label in labels.items() if label.outcome == "not_applicable"}
            assert all(nodes[name].branch is not None for name in inapplicable), item.id
    outcomes = Counter(
        held_out.node_of(item, node).outcome
        for item, labels in held_out.first_nodes.items()
        for node in labels
    )
    assert outcomes == {"achieved": 180, "not_achieved": 79, "not_applicable": 63}


def test_settled_are_just_the_labels_in_which_the_passes_differ(held_out: JudgeSet) -> None:
    differ = {
        (item, node)
        for item, labels in held_out.first_nodes.items()
        for node, label in labels.items()
        if label.outcome != held_out.second_nodes[item][node].outcome
    }
    assert differ == {(item, node) for item, labels in held_out.settled_nodes.items() for node in labels}


def test_no_entry_is_also_in_the_set_that_was_used_while_developing(held_out: JudgeSet) -> None:
    used = {item.entry for item in read_judge_set(OWN_SET).dialogues}
    assert not used & {item.entry for item in held_out.dialogues}
