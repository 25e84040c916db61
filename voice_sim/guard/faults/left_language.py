"""The caller speaks another language, or writes another script, than the persona's.

Sees: a sentence in another script (Chinese, Cyrillic, Korean, … in an English call; Latin sentences in a
Chinese one); a sentence in Spanish, French, German, Italian or Portuguese in an English call, by its
function words.

Leaves alone: borrowed words, names, brands, greetings; up to three foreign words in a sentence.
Cannot see: other languages in Latin script (Polish, Turkish, pinyin), and very short sentences.
"""

from __future__ import annotations

import re
import unicodedata

from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import CJK, listed, sentences

_LATIN_WORD = re.compile(r"[a-zà-öø-ÿ]+(?:'[a-z]+)?")
_HAN = re.compile(rf"[{CJK}]")
_ENGLISH = frozenset(
    listed(
        "the a an and or but is are was were be i you he she we they it this that to of in on at for"
        " with my your me"
        " not do does did have has had can could would will what how when why where who if so no yes"
        " please there"
        " about from don't can't it's i'm that's"
    )
)
_FOREIGN = {
    "Spanish": "el la los las un una que de en y por para con no se lo me mi su es son está pero"
    " como más muy quiero"
    " necesito puede usted gracias señor cuando donde qué sí tengo hay del al porque este esta también",
    "French": "le la les un une des que de du en et pour avec ne pas je vous nous il elle mon ma"
    " mes est sont ce cette"
    " mais comme plus très veux merci bien c'est j'ai dans sur qui quand où oui suis au aux votre avez",
    "German": "der die das ein eine und oder aber ich sie wir er es ist sind war nicht mit für auf"
    " von zu den dem"
    " mein meine ihr ihre wie was wann wo ja nein bitte danke habe haben kann können noch nur auch"
    " wenn dass mir",
    "Italian": "il lo la gli un una che di e per con non si mi mio sua è sono ma come più molto"
    " voglio grazie signore"
    " quando dove sì ho nel del della perché questo questa anche ancora posso",
    "Portuguese": "o os um uma que de em e por para com não se meu minha seu é são mas como mais muito quero"
    " obrigado senhor quando onde sim tenho do da porque este esta também ainda eu você preciso",
}
_FUNCTION_WORDS = {language: frozenset(listed.split()) for language, listed in _FOREIGN.items()}
_ENOUGH_LETTERS = 4
_ENOUGH_WORDS = 4


def left_language(session: Session) -> list[Finding]:
    """Findings, one a sentence, in order."""
    found = []
    for position in session.caller_turns():
        for sentence in sentences(session.turns[position].text):
            other = _other_script(sentence, session.persona.language) or (
                _other_latin(sentence) if session.persona.language == "en" else _english_in_chinese(sentence)
            )
            if other:
                detail = f"in {other}; the persona speaks {session.persona.language}"
                found.append(Finding(kind="left_language", turn=position, quote=sentence, detail=detail))
    return found


def _other_script(sentence: str, language: str) -> str:
    counts: dict[str, int] = {}
    letters = 0
    for character in sentence:
        if character.isalpha():
            letters += 1
            script = unicodedata.name(character, "?").split(" ")[0]
            counts[script] = counts.get(script, 0) + 1
    home = {"LATIN", "FULLWIDTH"} | ({"CJK"} if language == "zh" else set())
    for script, count in counts.items():
        if script not in home and count >= _ENOUGH_LETTERS and count * 5 >= letters:
            return f"{script.capitalize() if script != 'CJK' else 'Chinese'} script"
    return ""


def _other_latin(sentence: str) -> str:
    said = _LATIN_WORD.findall(sentence.casefold())
    english = sum(word in _ENGLISH for word in said)
    for language, function_words in _FUNCTION_WORDS.items():
        foreign = [word for word in said if word in function_words and word not in _ENGLISH]
        shared = [word for word in said if word in function_words]
        if (
            len(said) >= _ENOUGH_WORDS
            and len(foreign) >= 2
            and len(shared) >= 3
            and len(shared) > english
            and len(shared) * 3 >= len(said)
        ):
            return language
    return ""


def _english_in_chinese(sentence: str) -> str:
    said = _LATIN_WORD.findall(sentence.casefold())
    han = len(_HAN.findall(sentence))
    english = sum(word in _ENGLISH for word in said)
    if len(said) >= _ENOUGH_WORDS and english >= 2 and len(said) > han / 2:
        return "English"
    return ""
