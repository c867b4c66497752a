"""Korean words as they are typed, to the stems that they are found by.

Terms are bigrams, so a word is found by any part of it: taking an ending off finds every other ending. Nothing is taken off
in the index, and only so much in a query that two syllables are left.
"""

from __future__ import annotations

import re

__all__ = ["is_hangul", "is_only_particles", "stems"]

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_MOST_PARTICLES = 3

# What a word may end in, by what the syllable before it must be: "closed" has a final consonant, "open" has none (or, for
# 로 and its kin, ㄹ), "any" does not matter. 이/가, 을/를, 은/는, 와/과 agree with the syllable, so 전문가 does not lose its 가.
_LAST = {
    "closed": "을 이 은 과 으로 이나 이란 이라는 이라고 이라도 이든 이며 이랑 이여 이야말로",
    "open": "를 가 는 와 나 란 라는 라고 라도 든 며 랑 여 야말로",
    "open or rieul": "로",
    "any": "의 에 에서 에게 에게서 에는 에도 에만 에서는 에서도 께 께서 한테 한테서 도 만 만을 만이 만은 까지 부터 보다 처럼 만큼 마다 조차 "
    "밖에 뿐 대로 같이 하고 마저 치고 커녕 에선 에겐 엔 들",
}
# What may stand before another particle. 이/가 and 을/를 never do.
_INNER = {
    "closed": "과 으로 으로서 으로써 이나 이라",
    "open": "와 나",
    "open or rieul": "로 로서 로써",
    "any": "에 에서 에게 에게서 께 께서 한테 까지 부터 만 보다 처럼 만큼 마다 조차 밖에 뿐 대로 들",
}
# 하다, 되다 and 시키다 make verbs of nouns: the noun, the first syllable as its ending shapes it, and any ending after it.
_VERB_SYLLABLES = "하해했한할함합되돼됐된될됨됩"
_NOUN_VERB = re.compile(
    f"(?P<noun>[\uac00-\ud7a3]{{2,}}?)(?:당|시키|시켜|시켰|시킨|시킬|시킴|받|[{_VERB_SYLLABLES}])(?P<ending>[\uac00-\ud7a3]*)"
)
_ENDINGS = frozenset(
    (
        " 다 는 는가 는데 는지 던 여 여서 여야 여도 였다 였고 였으며 였으나 였던 였는데 였습니다 서 서는 서도 야 야만 야한다 고 고자 고서 며 면 면서 면은 "
        "므로 지 지만 지는 지도 지도록 기 기는 기도 기를 기에 기가 기로 기까지 기위해 기위한 기위하여 도록 려고 려는 려면 려 자 자는 자고 자면 니 니까 "
        "나 라 라고 라는 라도 다가 다는 다고 다면 다는데 거나 든지 더라도 더니 듯 듯이 게 게끔 음 음을 음은 음이 음에 음으로 을 은 은데 "
        "습니다 습니까 니다 니까 세요 시다 시오 십시오 요 어 어서 어야 어도 어져 었다 었고 었으며 었으나 었던 었는데 었습니다 었을 었음 "
        "으며 으나 으므로 으면 았다 았고 았으며 았던 았습니다 ㄴ다 수있다 수 "
    ).split()
) | {""}
_ENDING_PARTICLES = frozenset("을 를 이 가 은 는 의 에 도 만 으로 로 과 와 에서 부터 까지".split())


def is_hangul(run: str) -> bool:
    """True of a run of composed Hangul syllables alone."""
    return _HANGUL.fullmatch(run) is not None


def is_only_particles(run: str) -> bool:
    """True where a run is nothing but particles, as in the Korean part of "GPU에서는"."""
    return bool(run) and _without_particles(run, shortest=0, agree=False) == ""


def stems(run: str, *, shortest: int = 2) -> list[str]:
    """The shorter forms that a run of Hangul is looked up by beside itself: without its particles, without a verb's ending.

    Every stem is the beginning of the run but for its last syllable, and has `shortest` syllables or more. An empty list where the
    word is no longer than that, or carries no ending that we know.
    """
    found: list[str] = []
    noun = _noun_of_verb(run)
    if noun is not None:
        found.append(noun)
    else:
        bare = _without_particles(run, shortest=shortest, agree=True)
        if bare != run:
            found.append(bare)
            noun = _noun_of_verb(bare)
            if noun is not None:
                found.append(noun)
    return found


def _final(syllable: str) -> int:
    """The number of a syllable's final consonant: 0 for none, 8 for ㄹ."""
    return (ord(syllable) - 0xAC00) % 28


def _agrees(stem: str, kind: str) -> bool:
    final = _final(stem[-1])
    return kind == "any" or (final != 0 if kind == "closed" else final == 0 or (kind == "open or rieul" and final == 8))


def _table(kinds: dict[str, str]) -> list[tuple[str, str]]:
    """Particles with their kinds, the longest first."""
    pairs = [(particle, kind) for kind, particles in kinds.items() for particle in particles.split()]
    return sorted(pairs, key=lambda pair: (-len(pair[0]), pair))


_LAST_TABLE = _table({kind: f"{_LAST[kind]} {_INNER[kind]}" for kind in _LAST})
_INNER_TABLE = _table(_INNER)


def _without_particles(run: str, *, shortest: int, agree: bool) -> str:
    table = _LAST_TABLE
    for _ in range(_MOST_PARTICLES):
        for particle, kind in table:
            stem = run[: -len(particle)]
            if run.endswith(particle) and len(stem) >= shortest and (not agree or not stem or _agrees(stem, kind)):
                run = stem
                break
        else:
            break
        table = _INNER_TABLE
    return run


def _noun_of_verb(run: str) -> str | None:
    """분석 of 분석하다, 분석했다, 분석되는, 분석시킨; None where the word does not look like one of those."""
    for found in _matches_from_the_right(run):
        ending = found["ending"]
        if ending in _ENDINGS or any(
            ending.endswith(particle) and ending[: -len(particle)] in _ENDINGS for particle in _ENDING_PARTICLES
        ):
            return found["noun"]
    return None


def _matches_from_the_right(run: str) -> list[re.Match[str]]:
    """Every way of reading the run as noun, verb syllable and ending, the longest noun first."""
    matches = []
    for length in range(len(run) - 1, 1, -1):
        pattern = _NOUN_VERB_BY_LENGTH.get(length)
        if pattern is None:
            pattern = re.compile(_NOUN_VERB.pattern.replace("{2,}?", f"{{{length}}}"))
            _NOUN_VERB_BY_LENGTH[length] = pattern
        if found := pattern.fullmatch(run):
            matches.append(found)
    return matches


_NOUN_VERB_BY_LENGTH: dict[int, re.Pattern[str]] = {}
