"""Korean words as they are typed, to the forms that they are looked up by.

Terms are bigrams, so a word is found by its beginning: with its ending taken off it finds itself with any other. Nothing is
taken off in the index, and in a query only so much that two syllables are left. Four rules, none of which needs a dictionary:

* particles, in the orders that they stack in, and only where they agree with the syllable before: 실험에서는 is 실험, but
  전문가 keeps its 가, which a final consonant before it would make 이;
* 하다, 되다, 시키다, 받다 and 당하다 after a noun, with any ending: 분석하다, 분석했던 and 분석되었으나 are 분석;
* the copula after a noun: 문제이다, 문제였으며 are 문제;
* other verbs and adjectives in the dictionary's form or a past or polite one: the last syllable of the stem changes with the
  ending, so 나타내다 is 나타내, 나타낸, 나타냈 and so on, and 어려웠다 is 어렵, 어려우, 어려워.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["is_hangul", "is_only_particles", "stems"]

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_MOST_PARTICLES = 3


def _table(text: str) -> tuple[str, ...]:
    """The words of a text, the longest first."""
    return tuple(sorted(set(text.split()), key=lambda word: (-len(word), word)))


# Particles by the end of the syllable before them: a final consonant, none, none or ㄹ, or anything.
_CLOSED, _OPEN, _OPEN_OR_RIEUL, _ANY = range(4)
# Those that other particles may follow.
_INNER = {
    _CLOSED: _table("과 으로 으로서 으로써 이나"),
    _OPEN: _table("와"),  # and not 나: 코로나 would lose it
    _OPEN_OR_RIEUL: _table("로 로서 로써"),
    _ANY: _table("에 에서 에게 에게서 께 께서 한테 한테서 까지 부터 만 보다 처럼 만큼 마다 조차 마저 밖에 뿐 대로 들"),
}
# Those that end a word: 이, 가, 을, 를 and 의 stand nowhere else.
_OUTER = {
    _CLOSED: _table("을 이 은 이란 이라는 이라고 이라도 이든 이며 이랑 이야말로"),
    _OPEN: _table("를 가 는 란 라는 라고 라도 든 며 랑 야말로"),
    _OPEN_OR_RIEUL: (),
    _ANY: _table("의 도 에선 에겐 엔 치고 커녕 같이 하고"),
}
_LAST = [(particle, kind) for kind in _INNER for particle in (*_INNER[kind], *_OUTER[kind])]
_LAST.sort(key=lambda pair: (-len(pair[0]), pair))
_BEFORE_LAST = [pair for pair in _LAST if pair[0] in _INNER[pair[1]]]

# Endings of verbs and adjectives, without the consonant that some of them put under the stem's last syllable.
_ENDINGS = frozenset(
    _table(
        """
        다 는 는가 는데 는지 는다 던 던가 고 고자 고서 고는 며 면 면서 므로 지 지만 지는 지도 도록 기 기는 기도 기를 기에
        기가 기로 기까지 기위해 기위한 기위하여 려 려고 려는 려면 자 자는 자고 니 니까 나 라 라고 라는 라도 다가 다는 다고
        다면 거나 든지 더라도 더니 듯 듯이 게 게끔 습니다 습니까 니다 세요 시다 시오 십시오 요 네 네요 군 구나 지요 죠 수
        수록 뿐 때 것 데 서 서는 서도 야 야만 야지 여 여서 여야 여도 여진 여지는 였다 였고 였으며 였으나 였던 였는데 였지만
        였습니다 였을 였음 어 어서 어야 어도 었다 었고 었으며 었으나 었던 었는데 었지만 었습니다 었을 었음 아 아서 아야 아도
        았다 았고 았으며 았으나 았던 았는데 았지만 았습니다 았을 았음 으며 으나 으면 으면서 으므로 으려고 으니 은 은데 을
        을수록 음 음을 음은 음이 음에 음으로 음에도 졌다 진다 진 을때 은지 는지를
        """
    )
)
# 합, 한, 할, 함, 했 and the bare syllable.
_FINALS_UNDER_STEM = frozenset((0, 4, 8, 16, 17, 20))
_COPULA = _table(
    "이다 이며 이고 이지만 이므로 이었다 이었고 이었으며 이었던 이었으나 이라면 이어서 이었습니다 이었지만 "
    "입니다 입니까 인데 인지 일까 임을 임 였다 였고 였으며 였던 였으나 였습니다 였지만"
)
# What only a verb or an adjective ends in, with the consonant under its stem's last syllable in front.
_PAST = _table("다 고 던 지만 는데 으며 으나 으면 습니다 음 음을 을 기 거나 더라도 으므로 다고 다는")
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_NIEUN, _DIGEUT, _RIEUL, _MIEUM, _BIEUP, _SSANGSIOT = 4, 7, 8, 16, 17, 20
# The vowels that -아 and -어 run together with, and what becomes of the two.
_CONTRACTED = {"ㅣ": "ㅕ", "ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅚ": "ㅙ"}
_UNCONTRACTED = {after: before for before, after in _CONTRACTED.items()}


def is_hangul(run: str) -> bool:
    """True of a run of composed Hangul syllables alone."""
    return _HANGUL.fullmatch(run) is not None


def is_only_particles(run: str) -> bool:
    """True where a run is nothing but particles, as the Korean part of "GPU에서는" is."""
    return run != "" and _without_particles(run, shortest=0) == ""


def stems(run: str, *, shortest: int = 2) -> list[str]:
    """The forms that a run of Hangul is looked up by beside itself, each with `shortest` syllables or more, the shortest last.

    An empty list where the word is too short, or carries no ending that the rules know.
    """
    bare = _without_particles(run, shortest=shortest)
    found = [noun for form in (run, bare) for noun in _nouns(form)]
    if not found:
        found = [bare, *(shape for stem in _verb_stems(run) for shape in _shapes(stem))]
    different = dict.fromkeys(form for form in found if len(form) >= shortest and form != run)
    return sorted(different, key=len, reverse=True)


def _parts(syllable: str) -> tuple[int, str, int]:
    """A syllable's initial consonant as a number, its vowel as a letter, its final consonant as a number, 0 for none."""
    code = ord(syllable) - 0xAC00
    return code // 588, _VOWELS[code % 588 // 28], code % 28


def _syllable(initial: int, vowel: str, final: int = 0) -> str:
    return chr(0xAC00 + initial * 588 + _VOWELS.index(vowel) * 28 + final)


def _agrees(stem: str, kind: int) -> bool:
    if not stem or kind == _ANY:
        return True
    final = _parts(stem[-1])[2]
    if kind == _CLOSED:
        return final != 0
    return final == 0 or (kind == _OPEN_OR_RIEUL and final == _RIEUL)


def _without_particles(run: str, *, shortest: int) -> str:
    table = _LAST
    for _ in range(_MOST_PARTICLES):
        for particle, kind in table:
            stem = run[: -len(particle)]
            if len(stem) >= shortest and run.endswith(particle) and _agrees(stem, kind):
                run = stem
                break
        else:
            break
        table = _BEFORE_LAST
    return run


def _nouns(run: str) -> Iterator[str]:
    """The noun in a run that a light verb or the copula ends: 분석 of 분석했다, 문제 of 문제이다."""
    for length in range(len(run) - 1, 1, -1):
        rest = run[length:]
        if _is_light_verb(rest):
            # 분석당하다 is 분석 too, where 담당하다 has no shorter noun in it.
            yield run[: length - 1] if length > 2 and run[length - 1] == "당" else run[:length]
            return
    for ending in _COPULA:
        if run.endswith(ending):
            yield run[: -len(ending)]
            return
    if run.endswith("적인"):
        yield run[:-1]


def _is_light_verb(rest: str) -> bool:
    """True of 하다, 되다, 시키다 and 받다 in any form."""
    if rest[0] == "받":
        return _is_ending(rest[1:])
    if rest[0] == "시" and len(rest) > 1:
        rest, syllables = rest[1:], "키켜"
    else:
        syllables = "하해되돼"
    initial, vowel, final = _parts(rest[0])
    return _syllable(initial, vowel) in syllables and final in _FINALS_UNDER_STEM and _is_ending(rest[1:])


def _is_ending(rest: str) -> bool:
    return not rest or rest in _ENDINGS or _without_particles(rest, shortest=1) in _ENDINGS


def _verb_stems(run: str) -> Iterator[str]:
    """The stem of a verb or an adjective in a form that nothing else has: X다, X었다 and its kin, X습니다, Xㅂ니다, Xㄴ다."""
    for ending in _PAST:
        stem = run[: -len(ending)]
        if not run.endswith(ending) or len(stem) < 2:
            continue
        initial, vowel, final = _parts(stem[-1])
        if final != _SSANGSIOT:
            continue
        if stem[-1] in "었았였" and len(stem) > 2 and (_parts(stem[-2])[2] or stem[-1] == "었"):
            yield stem[:-1]
        else:
            yield stem[:-1] + _syllable(initial, vowel)
        return
    if run.endswith("습니다"):
        yield run[:-3]
    elif run.endswith("니다") and len(run) > 3 and _parts(run[-3])[2] == _BIEUP:
        yield run[:-3] + _syllable(*_parts(run[-3])[:2])
    elif run.endswith("는다"):
        yield run[:-2]
    elif run.endswith("다") and len(run) > 2 and run[-2] != "니":
        yield run[:-1]
        if _parts(run[-2])[2] == _NIEUN:
            yield run[:-2] + _syllable(*_parts(run[-2])[:2])


def _shapes(stem: str) -> list[str]:
    """A stem of a verb with its last syllable as the endings shape it: 나타내, 나타낸, 나타낼, 나타냄, 나타냅 and 나타냈."""
    if len(stem) < 2:
        return []
    before, (initial, vowel, final) = stem[:-1], _parts(stem[-1])
    shapes = [stem]
    if final == _RIEUL:  # 만들다, 만드는, 만든, 만듭니다
        shapes += [before + _syllable(initial, vowel, under) for under in (0, _NIEUN, _BIEUP)]
    elif final == _BIEUP:  # 어렵다, 어려운, 어려워
        shapes.append(before + _syllable(initial, vowel))
    elif final == _DIGEUT:  # 깨닫다, 깨달아
        shapes.append(before + _syllable(initial, vowel, _RIEUL))
    elif final == 0:
        if vowel in _UNCONTRACTED:  # 바꿔, 바꿨다, 바꾸다, 바꾼
            shapes.append(before + _syllable(initial, vowel, _SSANGSIOT))
            vowel = _UNCONTRACTED[vowel]
            shapes.append(before + _syllable(initial, vowel))
        elif vowel in _CONTRACTED:  # 움직이다, 움직여, 움직였다
            shapes += [before + _syllable(initial, _CONTRACTED[vowel], under) for under in (0, _SSANGSIOT)]
        elif vowel in "ㅏㅐㅓㅔ":  # 나타나다, 나타났다
            shapes.append(before + _syllable(initial, vowel, _SSANGSIOT))
        shapes += [before + _syllable(initial, vowel, under) for under in (_NIEUN, _RIEUL, _MIEUM, _BIEUP)]
        if vowel == "ㅡ":  # 따르다, 따라, 따랐다
            shapes += [before + _syllable(initial, other, under) for other in "ㅏㅓ" for under in (0, _SSANGSIOT)]
            if stem[-1] == "르" and _parts(before[-1])[2] == 0:  # 다르다, 달라
                doubled = before[:-1] + _syllable(*_parts(before[-1])[:2], _RIEUL)
                shapes += [doubled + other for other in "라러랐렀"]
        if stem[-1] in "우워" and len(before) > 1 and _parts(before[-1])[2] == 0:  # 어려우니, 어려워: 어렵다
            shapes.append(before[:-1] + _syllable(*_parts(before[-1])[:2], _BIEUP))
    return shapes
