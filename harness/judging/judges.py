"""The judges by name, opened for as long as they are needed.

``rules`` is the offline one; every other name is a language model's (``harness.models.language``). Several
names, or several samples of one, make a panel.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from harness.errors import UserError
from harness.judging.cache import VerdictStore
from harness.judging.defaults import ATTEMPT_S, QUESTION_S, RULES
from harness.judging.usage_count import CountedLedger, CountedStore
from harness.models.language.local_server import AT_ONCE, all_cores
from harness.models.language.metered import Limits
from harness.models.language.names import parse_name
from harness.models.language.opening import check_language_model, open_language_model
from harness.models.language.prices import Price
from harness.models.language.usage import Ledger, Usage
from metrics.dialogue.language_model import LanguageModelJudge, NoStore, PanelJudge
from metrics.dialogue.rules.judge import RulesJudge
from metrics.dialogue.verdicts import Judge

MAX_SAMPLES = 15


@dataclass(kw_only=True)
class JudgeChoice:
    """Who is to judge: named at the command line, opened when the judging begins.

    Attributes:
        names: ``rules``, or names of language models; more than one make a panel.
        samples: How often each language model is asked; more than one make a panel.
        limits: Of each language model.
        prices: By model name, for the cost.
        question_s: The longest that one question may take, with all that is tried again; then it has failed.
            Waiting till the model is free does not count.
        store: Keeps language models' answers; None: nothing is kept.
        ledger: What the language models have used so far.

    Raises (when made): UserError for a judge that is not to be had, as far as that can be told offline.
    """

    names: Sequence[str] = (RULES,)
    samples: int = 1
    limits: Limits = field(default_factory=lambda: Limits(attempt_s=ATTEMPT_S))
    prices: Mapping[str, Price] = field(default_factory=dict)
    question_s: float = QUESTION_S
    store: VerdictStore | None = None
    ledger: Ledger = field(default_factory=CountedLedger)

    def __post_init__(self) -> None:
        self.names = tuple(dict.fromkeys(self.names)) or (RULES,)
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise UserError(f"--samples {self.samples}: from 1 to {MAX_SAMPLES}")
        if self.samples > 1 and RULES in self.names:
            raise UserError("--samples is for language models: rules answer the same every time")
        for name in self.models:
            try:
                check_language_model(name)
            except UserError as error:
                raise UserError(f"no judge '{name}': it is not {RULES}, and {error}") from error

    @property
    def models(self) -> list[str]:
        """The language models among the names."""
        return [name for name in self.names if name != RULES]

    @property
    def usage(self) -> Usage:
        """What the language models have used so far."""
        return self.ledger.usage

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Judge]:
        """The judge, ready to be asked. It is named, and its answers are kept, by the model that a server has
        just now, not by the address alone.

        Raises:
            UserError: A language model cannot be opened, or is one that has been opened.
        """
        kept = CountedStore(self.store if self.store is not None else NoStore())
        members: list[Judge] = []
        opened: set[str] = set()
        async with AsyncExitStack() as stack:
            for name in self.names:
                if name == RULES:
                    members.append(RulesJudge())
                    continue
                model = await stack.enter_async_context(
                    open_language_model(
                        name,
                        limits=self._limits(name),
                        price=self.prices.get(name),
                        ledger=self.ledger,
                        threads=all_cores(),
                    )
                )
                if model.name in opened:
                    raise UserError(f"--judge {name}: is {model.name}, which is on the panel already")
                opened.add(model.name)
                for_question = partial(model.for_question, longest_s=self.question_s)
                members += [
                    LanguageModelJudge(
                        model=model, name=model.name, store=kept, sample=sample, for_question=for_question
                    )
                    for sample in range(self.samples)
                ]
            yield members[0] if len(members) == 1 else PanelJudge(members)

    def _limits(self, name: str) -> Limits:
        """Nobody but us asks a server of our own: what waits, waits here, and its time does not run."""
        own = parse_name(name).kind == "local"
        return self.limits.model_copy(update={"concurrency": AT_ONCE}) if own else self.limits

    def told(self) -> list[str]:
        """What the judging cost, for a person; nothing for rules."""
        if not self.models:
            return []
        used = self.usage
        known = f" ({used.cached_input_tokens} of them not read again)" if used.cached_input_tokens else ""
        lines = [f"judge used {used.requests} requests, {used.tokens} tokens{known}, cost {used.cost_text()}"]
        return [*lines, self.store.told(), *self.store.problems()] if self.store is not None else lines

    def problems(self) -> list[str]:
        """For a person: kept answers that could not be used; part of :meth:`told`."""
        return self.store.problems() if self.store is not None else []


def by_rules(judge: str) -> bool:
    """Whether a judge is the rules, or a panel that has them: it judges no dimension that they do not."""
    return RULES in judge.removeprefix("panel of ").split(", ")


def why_not_comparable(judge: str) -> str:
    """Why scores by a judge do not compare with the paper's; empty where nothing speaks against it."""
    return "rules judge: not comparable with published figures" if by_rules(judge) else ""
