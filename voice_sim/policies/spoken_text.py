"""What of a written sentence can be spoken: no stage directions, markdown, quotation marks or emojis."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

_OPENERS = "([（【<{"
_LONGEST_ASIDE = 200
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】|<[^<>]*>|\{[^{}]*\}")
_UNCLOSED = re.compile(r"[(\[（【<{][^)\]）】>}]*\Z")
_NESTED = 3

_LINK = re.compile(r"\[([^\[\]]+)\]\([^()]*\)")
_STARRED = re.compile(r"(?<!\*)\*(?!\*)([^*\n]{1,120})\*(?!\*)")
_LINE_HEAD = re.compile(r"^\s*(?:#{1,6}\s+|>\s+|[-*•]\s+)", re.MULTILINE)
_NUMBERED_HEAD = re.compile(r"^[^\S\n]*(\d{1,2})[.)][^\S\n]+(?=\S)", re.MULTILINE)
_POINT_HEAD = re.compile(r"^[^\S\n]*(?:[-*•]|(\d{1,2})[.)])[^\S\n]+(?=\S)", re.MULTILINE)
_DEGREES = re.compile(r"\s*(?:[°º](?:\s?[CF](?![A-Za-z]))?|[℃℉])")
_DEGREES_SPOKEN = {"en": (" degrees", " degrees Fahrenheit"), "zh": ("度", "华氏度")}
_QUOTES_AND_MARKDOWN = re.compile(r"[\"“”„«»「」『』`|]|\*\*|__|~~")
_LEFT_OVER = re.compile(r"[*_#\[\](){}<>（）【】]")
_PAUSE = re.compile(r"\s*(?:\.{3,}|…+)\s*")
_UNSPEAKABLE = {"So", "Cs", "Co", "Cn", "Cf", "Sk"}
_VARIANTS = "\ufe0e\ufe0f\u20e3"

_MACHINE = re.compile(
    r"\bas an? (?:AI|artificial|(?:large )?language model)\b"
    r"|\bI(?:'m| am) (?:just |only )?an? (?:AI|(?:large )?language model|virtual assistant)\b"
    r"|(?:作为|我(?:只)?是)(?:一[个名款])?(?:AI|人工智能|语言模型)",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def spoken(text: str, *, language: Literal["en", "zh"], listed: bool | None = None) -> str:
    """A sentence as it is said; a pause inside it is " … ". Empty where nothing of it is for the ear.

    Args:
        listed: A number before it counts the points of a list, and is not said; None: told by ``text``
            (:func:`is_numbered`). Of "8. The staff were friendly." the eight is an answer.
    """
    listed = is_numbered(text) if listed is None else listed
    text = _LINE_HEAD.sub("", _LINK.sub(r"\1", text))
    if listed:
        text = _NUMBERED_HEAD.sub("", text)
    text = _DEGREES.sub(lambda found: _degrees(found, language), text)
    text = _STARRED.sub(_unstarred, text)
    text = _UNCLOSED.sub(" ", asides_removed(text))
    text = _LEFT_OVER.sub(" ", _QUOTES_AND_MARKDOWN.sub("", text))
    text = "".join(" " if char.isspace() else char for char in text if not _is_unspeakable(char))
    text = _PAUSE.sub(" … ", text).strip(" -–—:：,，…")
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+([,.!?;，。！？；])", r"\1", text)
    if text and text[-1].isalnum():
        text += "." if language == "en" else "。"
    return text


def is_numbered(text: str) -> bool:
    """Whether a text has a numbered list: its first points are one (or a bullet) and two."""
    first = [int(number or 1) for number in _POINT_HEAD.findall(text)[:2]]
    return first == [1, 2]


def begins_a_list(text: str) -> bool:
    """Whether a text begins like the first point of a numbered list."""
    head = _NUMBERED_HEAD.match(text.lstrip())
    return head is not None and int(head[1]) == 1


def asides_removed(text: str) -> str:
    """The text without what stands in brackets."""
    for _ in range(_NESTED):
        text = _ASIDE.sub(" ", text)
    return text


def is_open(text: str) -> bool:
    """Whether a bracket or a star was opened that may still be closed."""
    rest = asides_removed(text)
    opened = max(rest.rfind(opener) for opener in _OPENERS)
    if opened >= 0:
        return len(rest) - opened < _LONGEST_ASIDE
    return _LINE_HEAD.sub("", rest).replace("**", "").count("*") % 2 == 1


def calls_itself_a_machine(text: str) -> bool:
    """Whether the model falls out of its role ("as an AI language model ...")."""
    return _MACHINE.search(text) is not None


def word_count(text: str) -> int:
    """Words, where a Chinese character is one."""
    others = _CHINESE.sub(" ", text).split()
    return len(_CHINESE.findall(text)) + sum(any(map(str.isalnum, word)) for word in others)


def shortened(text: str, max_words: int) -> str:
    """The beginning of a sentence that is too long, up to a comma where there is one."""
    chinese = _CHINESE.search(text) is not None
    head = text[:max_words] if chinese else " ".join(text.split()[:max_words])
    comma = max(head.rfind(", "), head.rfind("，"))
    head = head[:comma] if comma > len(head) // 3 else head
    return head.rstrip(" ,，;；") + ("。" if chinese else ".")


def _unstarred(star: re.Match[str]) -> str:
    """``*sighs*`` beside the words is a stage direction, ``I *really* mean it`` is stress."""
    before, after = star.string[: star.start()].rstrip(), star.string[star.end() :].lstrip()
    inside = bool(before) and before[-1].isalnum() and bool(after) and after[0].isalnum()
    return star[1] if inside else " "


def _degrees(found: re.Match[str], language: Literal["en", "zh"]) -> str:
    said = _DEGREES_SPOKEN[language]["F" in found[0] or "℉" in found[0]]
    glued = language == "en" and found.string[found.end() : found.end() + 1].isalpha()
    return said + (" " if glued else "")


def _is_unspeakable(char: str) -> bool:
    category = unicodedata.category(char)
    return category in _UNSPEAKABLE or char in _VARIANTS or (category == "Cc" and not char.isspace())
