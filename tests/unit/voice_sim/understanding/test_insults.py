"""Insults are meant for the listener; the same words about anything else are none."""

from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language, acts_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Sorry for the stupid question", "en"),
        ("It was a stupid mistake on our side.", "en"),
        ("Did your leg jerk at night?", "en"),
        ("Nobody calls you stupid.", "en"),
        ("May I ask something stupid?", "en"),
        ("These pages fool the most careful people.", "en"),
        ("I'm such an idiot, I typed the wrong date.", "en"),
        ("The shop was shut up all week.", "en"),
        ("You're not stupid, anybody would fall for that.", "en"),
        ("I don't think you're an idiot.", "en"),
        ("A pathetic amount, I know, but it is what we can refund.", "en"),
        ("Is it a smart lock or a dumb one?", "en"),
        ("You are useful to us, and no fool.", "en"),
        ("I was stupid enough to believe it.", "en"),
        ("糖尿病会引起神经病变吗？", "zh"),
        ("这是滚动利率。", "zh"),
        ("您喜欢摇滚乐吗？", "zh"),
        ("您家的废物怎么处理？", "zh"),
        ("您脑子有没有不舒服？", "zh"),
        ("水滚开以后再下面。", "zh"),
        ("疼得打滚那种吗？", "zh"),
        ("我真蠢，算错了。", "zh"),
        ("这是傻瓜相机，一按就行。", "zh"),
        ("没人觉得您是笨蛋。", "zh"),
        ("需要去死皮吗？", "zh"),
        ("废物回收箱在楼下。", "zh"),
        ("神经病学专家周三坐诊。", "zh"),
        ("手机号我背得滚瓜烂熟。", "zh"),
        ("财源滚滚。", "zh"),
    ],
)
def test_no_insult(text: str, language: Language) -> None:
    assert not acts_of(text, language).insults


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Shut up, you idiot.", "en"),
        ("You are stupid.", "en"),
        ("Are you deaf or just stupid?", "en"),
        ("You're so dumb.", "en"),
        ("Idiot!", "en"),
        ("What a moron.", "en"),
        ("You bunch of idiots.", "en"),
        ("You stupid cow!", "en"),
        ("Just shut up.", "en"),
        ("Go to hell.", "en"),
        ("Don't be stupid, sign it.", "en"),
        ("How stupid are you?", "en"),
        ("Your stupid questions again.", "en"),
        ("You're a liar.", "en"),
        ("You fool, I told you twice.", "en"),
        ("滚！", "zh"),
        ("滚蛋。", "zh"),
        ("得，露馅了吧，滚。", "zh"),
        ("你给我滚出去。", "zh"),
        ("滚开！", "zh"),
        ("你神经病啊。", "zh"),
        ("你这个废物。", "zh"),
        ("你这种人就是个废物。", "zh"),
        ("你脑子有病吧？", "zh"),
        ("您脑子有问题吗？", "zh"),
        ("白痴，听不懂吗？", "zh"),
        ("蠢成你这样的头一个。", "zh"),
        ("你去死吧。", "zh"),
        ("闭嘴。", "zh"),
    ],
)
def test_insult(text: str, language: Language) -> None:
    assert acts_of(text, language).insults
