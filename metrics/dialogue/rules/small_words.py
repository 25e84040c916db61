"""Words that every sentence has: sharing them says nothing about what two sentences are about."""

_ENGLISH = """
    the a an i you he she it we they me him her us them my your his its our their this that these those
    there here what when where who which why how am is are was were be been being do does did done has
    have had will would can could should shall may might must to of in on at by for from with about into
    as if and or but not no so than then just all any some very too also it's i'm i'll i've you're
    that's don't didn't can't
"""
_CHINESE = """
    的 了 我 你 您 他 她 它 们 是 不 就 都 也 还 这 那 哪 在 有 没 么 什 怎 为 谁 几 多 少 个 一 说 到 要 来
    去 得 着 过 给 把 被 让 跟 和 吗 吧 呢 啊 呀 人
"""

SMALL_WORDS = frozenset(_ENGLISH.split() + _CHINESE.split())
