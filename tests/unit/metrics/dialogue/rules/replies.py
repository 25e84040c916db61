"""One reply with what came before it, for the rules."""

from __future__ import annotations

from collections.abc import Callable

from metrics.dialogue.rules.reply import Finding, Reply, reply_at
from tests.unit.metrics.dialogue.sessions import dialogue

PROMPT = """# Who you are
Li Ming, complaint specialist at Changjiang Bank, staff number 60217.

# What you know about the person you are calling
- Sun Li was charged 88 yuan on Friday, December 20, card ending in 3306.

# Steps and recommended wording
1. Reach the right person
2. Put the plan on the table
   "By Monday, January 13 you get the result. If it was our mistake, you get a refund with interest."
3. Fix the next call
   "I'll call you within three working days. My direct line is 010-1234-5678, mail me at li.ming@bank.com."

# How you speak
Today is Wednesday, 2025-01-08.
"""

PROMPT_ZH = """# 你的身份
王红，黄河银行投诉处理岗，工号3071。

# 你已知的对方信息
- 徐萍，12月31号星期二被扣50元，卡尾号6604。

# 流程与参考话术
1. 找对人
2. 把安排摆出来
   "1月10号星期五下午五点以前，三个工作日内给您结果。要是收错了，连利息退给您。我的直线是010-1234-3071。"
"""


def reply(*lines: str, prompt: str = PROMPT, language: str = "en") -> Reply:
    """The last line's reply."""
    call = dialogue(*lines)
    return reply_at(call, len(call.turns) - 1, prompt=prompt, language=language)


def points(judge: Callable[[Reply], Finding], *lines: str, language: str = "en") -> int | None:
    """What a rule gives the last line."""
    prompt = PROMPT if language == "en" else PROMPT_ZH
    return judge(reply(*lines, prompt=prompt, language=language)).score
