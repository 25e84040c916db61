"""The people in the background: what ``babble`` is made of, spoken by other voices than the caller's.

Five people, in the installed voices, each at a pitch of their own, say sentences that nobody could take for a
part of the call. Where the caller's voice is the only one, they are that voice as larger and smaller persons.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from voice_sim.person.casting import CastableVoice

PEOPLE = 5
_PITCHES = (0.94, 1.06, 1.0, 0.9, 1.1)
_ALONE_PITCHES = (0.84, 1.18, 0.9, 1.12, 1.26)

LINES = {
    "en": (
        "The gardens behind the museum are open until the last boat leaves in the evening.",
        "My sister plays the violin on Thursdays, and the neighbours have stopped complaining.",
        "They painted the bridge green again, although nobody could remember it any other way.",
        "It rained so hard that the tomatoes were standing in water up to their knees.",
        "Half the bakers in town use the same flour, and every one of them swears it is his own.",
    ),
    "zh": (
        "博物馆后面的花园一直开到晚上最后一班船离开。",
        "我妹妹每个星期四拉小提琴，邻居们已经不抱怨了。",
        "那座桥又刷成了绿色，可是谁也不记得它以前是什么颜色。",
        "雨下得太大，西红柿都泡在水里了。",
        "城里一半的面包店用的是同一种面粉，家家都说是自己的。",
    ),
}


def babble_clips(
    maker: ClipMaker, caller: VoicePlan, *, language: str, voices: Sequence[CastableVoice]
) -> list[NDArray[np.float32]]:
    """What the people say, one clip each, at 48 kHz.

    Args:
        maker: Speaks, and keeps what it spoke.
        caller: The caller's voice, which is none of theirs.
        language: Theirs.
        voices: What is installed.

    Raises:
        UserError: A voice does not speak.
    """
    speaking = [voice for voice in voices if language in voice.languages]
    others = [voice for voice in speaking if (voice.engine, voice.name) != (caller.engine, caller.name)]
    human = [voice for voice in others if not voice.last] or others
    names = [(voice.engine, voice.name) for voice in human] or [(caller.engine, caller.name)]
    pitches = _PITCHES if human else _ALONE_PITCHES
    clips = []
    for person in range(PEOPLE):
        engine, name = names[person % len(names)]
        spoken = maker.speak(
            VoicePlan(engine=engine, name=name, pitch=pitches[person]), LINES[language][person]
        )
        clips.append(spoken.samples)
    return clips
