"""Persona: the person who answers the phone.

The fields are those of the paper's user part (section 4.3.1: role, background, core concerns, behavioural
patterns, style exemplars, termination conditions) and every element of its Table 17. Lines under ``say``,
``ask`` and ``phrases`` are heard as they stand; everything else is read by a simulator, never spoken.

``facts`` are all that this person can say about themselves. A simulator may leave a fact out, but never
contradicts one or makes up another; asked for something that is no fact, the person does not know it.

``cues`` and ``answered_by`` are evidence phrases, looked for in what the agent says::

    refund + days | when      # every part joined by +, any alternative of |, apologi* for word beginnings

``examples`` stand beside them: whole lines as an agent might say them, for whoever understands by meaning
(:mod:`voice_sim.understanding.examples`). What several people of a scenario have in common has its examples
once, in the scenario's file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from voice_sim.person.archetypes import Archetype
from voice_sim.person.stimulus import Stimulus
from voice_sim.person.texts import ByAuthor, Examples, Line, Lines, Name, Paragraph, Paragraphs, Part, Text


class Demographics(Part):
    """Table 17, background setting: who the person is, as far as it shapes language and needs."""

    name: Text = ""
    age: int | None = Field(default=None, ge=16, le=100)
    gender: Literal["female", "male"] | None = None
    occupation: Text = ""
    home: Text = ""
    """Where and with whom the person lives."""


class Background(Part):
    """Section 4.3.1, background. Demographics stand in their own field."""

    experiences: Paragraphs = ()
    personality: Paragraphs = ()
    before_call: Text = ""
    """What the person was doing, and feeling, when the phone rang."""
    notes: Paragraphs = ()


class Concerns(Part):
    """Section 4.3.1, core concerns, each list ranked: most important first."""

    primary: Paragraphs = ()
    secondary: Paragraphs = ()
    latent: Paragraphs = ()
    """What matters to the person and is never said unasked."""
    notes: Paragraphs = ()


class Behaviour(Part):
    """Section 4.3.1, behavioural patterns."""

    emotional_shifts: Paragraphs = ()
    uncertainty: Paragraphs = ()
    environment: Paragraphs = ()
    notes: Paragraphs = ()


class Style(Part):
    """Section 4.3.1, style exemplars: how this person sounds, and how they never would."""

    good: Lines = ()
    bad: Lines = ()
    notes: Paragraphs = ()


class Manner(Part):
    """How the person takes turns; what a caller needs to time its speech."""

    pace: Literal["slow", "normal", "fast"] = "normal"
    pauses: Literal["short", "normal", "long"] = "normal"
    """How long the person thinks before answering."""
    interrupts: Literal["never", "sometimes", "often"] = "never"
    backchannels: Literal["never", "sometimes", "often"] = "sometimes"


class Fact(Part):
    """Something that this person knows.

    Attributes:
        key: What it is, for instance ``card_last_digits``.
        value: The value as written.
        say: How the person says it; the first is the normal way.
        cues: Agent turns that ask for it.
        examples: The same in whole lines; see :data:`Examples`.
        share: ``freely`` (volunteers it), ``asked``, ``trusted`` (only once a cooperation condition holds),
            ``never``.
    """

    key: Name
    value: Line
    say: Lines = ()
    cues: Lines = ()
    examples: Examples = Field(default_factory=ByAuthor)
    share: Literal["freely", "asked", "trusted", "never"] = "asked"


class MustAsk(Part):
    """Table 17, core task: an information point that this person must get out of the call.

    Attributes:
        id: Short name, unique in the persona.
        ask: The question, and how it is put again when the answer stays away: one way of putting it at least.
        answered_by: Agent turns that answer it (or, where it cannot be answered, that honestly say so).
        answerable: False when the agent card holds no answer: then inventing one is the failure.
        examples: ``answered_by`` in whole lines.
    """

    id: Name
    ask: Lines = Field(min_length=1)
    answered_by: Lines = ()
    examples: Examples = Field(default_factory=ByAuthor)
    answerable: bool = True


class Obstacle(Part):
    """Table 17, preset obstacles: a refusal or hesitation with its script.

    Attributes:
        id: Short name, unique in the persona.
        when: At which point of the call.
        cues: Agent turns that bring it up.
        say: The script: first the obstacle, then what is said if the agent insists.
        overcome_by: What makes the person let go of it.
        overcome_cues: Agent turns that do so.
        examples, overcome_examples: Both in whole lines.
    """

    id: Name
    when: Paragraph
    cues: Lines = ()
    examples: Examples = Field(default_factory=ByAuthor)
    say: Lines
    overcome_by: Text = ""
    overcome_cues: Lines = ()
    overcome_examples: Examples = Field(default_factory=ByAuthor)


class Trigger(Part):
    """Table 17, key triggers: what lifts or sours the mood."""

    when: Paragraph
    cues: Lines = ()
    examples: Examples = Field(default_factory=ByAuthor)
    say: Lines = ()


class Triggers(Part):
    positive: tuple[Trigger, ...] = Field(default=(), max_length=20)
    negative: tuple[Trigger, ...] = Field(default=(), max_length=20)


class Cooperation(Part):
    """Table 17, cooperation conditions.

    Attributes:
        when: The condition, for a reader.
        needs: Ids of must-asks that have to be answered first.
        gives: What the person then does or tells.
        say: How they say it.
    """

    when: Paragraph
    needs: tuple[Name, ...] = Field(default=(), max_length=20)
    gives: Text = ""
    say: Lines = ()


class Ending(Part):
    """A way in which this person ends the call.

    Attributes:
        when: The condition, for a reader.
        cues: Agent turns that bring it about.
        examples: The same in whole lines.
        say: Last words.
    """

    when: Paragraph
    cues: Lines = ()
    examples: Examples = Field(default_factory=ByAuthor)
    say: Lines = ()


class Willingness(Part):
    """Whether this person can be won for what the call is about.

    Attributes:
        wins: ``always``: by an agent that does what they need. ``never``: by nobody; the right end of such a
            call is a courteous close. ``chance``: drawn when a plan is frozen, which then says always or
            never.
        chance: How likely it is that they can be won.
        why: What in this person decides it.
        say: Their no to the matter: first, and when asked again.
    """

    wins: Literal["always", "never", "chance"] = "always"
    chance: float = Field(default=0.5, ge=0.0, le=1.0)
    why: Text = ""
    say: Lines = ()


class Phrases(Part):
    """Small lines in this person's own voice, for the moments that every call has."""

    pick_up: Lines = ()
    """First words, before knowing who calls."""
    confirm_identity: Lines = ()
    """To "am I speaking with ...?"."""
    acknowledge: Lines = ()
    """While listening, or to information that needs no answer."""
    agree: Lines = ()
    """To a proposal."""
    decline: Lines = ()
    unsure: Lines = ()
    """To a question that no fact answers."""
    repeat_please: Lines = ()
    """When something was not heard or understood."""
    goodbye: Lines = ()


class ExtraSection(Part):
    """A section of an imported file that has no field of its own."""

    heading: Paragraph
    text: Text = ""


class Persona(Part):
    """One simulated person; see the module's docstring.

    Fields may be empty in a persona that was imported; ``outboundeval scenarios check`` asks for all of them
    in one that was written.

    Attributes:
        archetype: User type of section 4.3.2, step 7.
        language: Of every spoken line.
        scenario: Table 17, belonging scenario.
        role: Who this is, in a few sentences.
        demographics, situation, knowledge: Table 17, background setting; ``situation`` says why this person
        is
            being called and how willing that makes them, ``knowledge`` how much they know of the business.
        background: Section 4.3.1.
        core_personality, communication_style, motivation: Table 17, personality and behaviour.
        concerns, behaviour, style: Section 4.3.1.
        manner: How the person takes turns.
        must_ask, obstacles, triggers, cooperation, hang_up: Table 17, dialogue strategy; ``hang_up`` are
            refusals to go on.
        termination: Section 4.3.1: how the call ends normally from this side.
        willingness: Whether they can be won at all.
        facts: All that the person knows to tell; see the module's docstring.
        phrases: Small lines in their own voice.
        stimuli: Planted places, each said once in a call.
        nothing: Examples of what an agent says in such a call and means nothing to this person.
        extra_sections: What an importer found and could not place.
    """

    archetype: Archetype
    language: Literal["en", "zh"]
    scenario: Text = ""
    role: Text
    demographics: Demographics = Demographics()
    situation: Text = ""
    knowledge: Text = ""
    background: Background = Background()
    core_personality: Paragraphs = ()
    communication_style: Paragraphs = ()
    motivation: Paragraphs = ()
    concerns: Concerns = Concerns()
    behaviour: Behaviour = Behaviour()
    style: Style = Style()
    manner: Manner = Manner()
    must_ask: tuple[MustAsk, ...] = Field(default=(), max_length=20)
    obstacles: tuple[Obstacle, ...] = Field(default=(), max_length=20)
    triggers: Triggers = Triggers()
    cooperation: tuple[Cooperation, ...] = Field(default=(), max_length=20)
    hang_up: tuple[Ending, ...] = Field(default=(), max_length=20)
    termination: tuple[Ending, ...] = Field(default=(), max_length=40)
    willingness: Willingness = Willingness()
    facts: tuple[Fact, ...] = Field(default=(), max_length=60)
    phrases: Phrases = Phrases()
    stimuli: tuple[Stimulus, ...] = Field(default=(), max_length=12)
    nothing: Examples = Field(default_factory=ByAuthor)
    extra_sections: tuple[ExtraSection, ...] = Field(default=(), max_length=100)

    def spoken_lines(self) -> list[tuple[str, str]]:
        """Every line that a listener may hear, with its field path (``must_ask.0.ask.1``)."""
        lines: list[tuple[str, str]] = []

        def add(path: str, said: tuple[str, ...]) -> None:
            lines.extend((f"{path}.{index}", line) for index, line in enumerate(said))

        add("style.good", self.style.good)
        for number, question in enumerate(self.must_ask):
            add(f"must_ask.{number}.ask", question.ask)
        for number, fact in enumerate(self.facts):
            add(f"facts.{number}.say", fact.say)
        groups: dict[str, Sequence[Obstacle | Trigger | Cooperation | Ending]] = {
            "obstacles": self.obstacles,
            "triggers.positive": self.triggers.positive,
            "triggers.negative": self.triggers.negative,
            "cooperation": self.cooperation,
            "hang_up": self.hang_up,
            "termination": self.termination,
        }
        for name, group in groups.items():
            for number, part in enumerate(group):
                add(f"{name}.{number}.say", part.say)
        add("willingness.say", self.willingness.say)
        for name in Phrases.model_fields:
            add(f"phrases.{name}", getattr(self.phrases, name))
        for number, stimulus in enumerate(self.stimuli):
            add(f"stimuli.{number}.say", stimulus.say)
        return lines
