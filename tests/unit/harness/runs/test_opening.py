"""What a run knows of the user's code: its branch, as each CI tells it."""

from __future__ import annotations

import pytest

from harness.runs.opening import BRANCHES, branch


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ({}, ""),
        ({"GITHUB_REF": "refs/heads/main"}, "main"),
        ({"GITHUB_REF": "refs/heads/feature/main"}, "feature/main"),
        # Somebody's request to merge, perhaps from a branch that they call main.
        ({"GITHUB_REF": "refs/pull/7/merge", "GITHUB_HEAD_REF": "main"}, "refs/pull/7/merge"),
        ({"CI_COMMIT_REF_NAME": "main", "CI_MERGE_REQUEST_IID": "7"}, ""),
        ({"CI_COMMIT_BRANCH": "main"}, "main"),
        ({"BRANCH_NAME": "PR-7", "GIT_BRANCH": "main"}, "PR-7"),
        ({"GIT_BRANCH": "origin/main"}, "main"),
        ({"BUILD_SOURCEBRANCH": "refs/heads/main"}, "main"),
    ],
)
def test_the_branch_is_what_the_ci_tells(
    told: dict[str, str], known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in BRANCHES:
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert branch() == known
