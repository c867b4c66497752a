"""Natural sentences in many languages, found end to end through a real FTS5 table, and shown where they stand."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.search.analysis import analyze
from pincite.search.chunk import chunk_page
from pincite.search.query import answers, match_spans, parse_query
from pincite.search.query.korean import stems
from support.fulltext import FullText

# language: sentence, {query: what is shown of it}
CASES: list[tuple[str, dict[str, list[str]]]] = [
    (
        "국내 코로나바이러스감염\n증-19(COVID-19) 확진자는 9,661명, 사망자는 158명으로 나타났다.",
        {
            "코로나바이러스감염증": ["코로나바이러스감염\n증"],
            "코로나바이러스감염증-19": ["코로나바이러스감염\n증-19"],
            "감염증": ["감염\n증"],
            "감염증을": ["감염\n증"],
            '"감염증-19"': ["감염\n증-19"],
            "확진자": ["확진자"],
            "확진자의 수": [],
            "사망자가": ["사망자"],
            "나타나다": ["나타났"],
            "나타났으며": ["나타났"],
            "covid-19": ["COVID-19"],
            "COVID": ["COVID"],
            "코로나 바이러스": ["코로나바이러스"],
        },
    ),
    (
        "본 연구에서는 GPU를 이용하여 자연어 처리 모델의 학습 데이터를 분석하였다.",
        {
            "GPU": ["GPU"],
            "gpu를": ["GPU를"],
            "GPU에서는": ["GPU"],
            "자연어처리": ["자연어 처리"],
            "자연어 처리": ["자연어", "처리"],
            '"자연어 처리"': ["자연어 처리"],
            '"자연어처리"': [],
            "분석": ["분석"],
            "분석하다": ["분석"],
            "분석했다": ["분석"],
            "분석하는": ["분석"],
            "데이터의": ["데이터"],
            "학습데이터": ["학습 데이터"],
            "연구": ["연구"],
            "연구는": ["연구"],
            "연구자": [],
        },
    ),
    (
        "연구자들은 실험에서 얻은 결과로부터 단백질의 구조를 밝혔다. 움직이는 세포는 어려운 문제이다.",
        {
            "실험을": ["실험"],
            "실험": ["실험"],
            "실험까지도": ["실험"],
            "연구자가": ["연구자"],
            "결과": ["결과"],
            "단백질구조": [],
            "단백질 구조": ["단백질", "구조"],
            "움직이다": ["움직"],
            "움직였다": ["움직"],
            "어렵다": ["어려"],
            "문제입니다": ["문제"],
            "답": [],
            "백": ["백"],
        },
    ),
    (
        "自然言語処理は、人間が日常的に使っている言葉をコンピュータに\n処理させる技術である。",
        {
            "自然言語": ["自然言語"],
            "言語処理": ["言語処理"],
            "コンピュータ": ["コンピュータ"],
            "ｺﾝﾋﾟｭｰﾀ": ["コンピュータ"],
            '"コンピュータに処理"': ["コンピュータに\n処理"],
            "使っている言葉": ["使っている言葉"],
            "技": ["技"],
            "言語学": [],
            "機械翻訳": [],
        },
    ),
    (
        "我们研究了蛋白质结构预测的方法，并在公开数\n据集上进行了实验。",
        {
            "蛋白质": ["蛋白质"],
            "数据集": ["数\n据集"],
            "结构预测": ["结构预测"],
            "蛋白质 实验": ["蛋白质", "实验"],
            "蛋": ["蛋"],
            "数学": [],
        },
    ),
    (
        "การทดลองทางวิทยาศาสตร์แสดงให้เห็นถึงโครงสร้างของโปรตีน",
        {
            "การทดลอง": ["การทดลอง"],
            "วิทยาศาสตร์": ["วิทยาศาสตร์"],
            "โปรตีน": ["โปรตีน"],
            "คณิตศาสตร์": [],
        },
    ),
    (
        "Die Größe der Straßenbahn wurde für die Über-\nprüfung der Maß\u00adstäbe gemessen; das Fließgleichgewicht blieb.",
        {
            "größe": ["Größe"],
            "GROSSE": ["Größe"],
            "strassenbahn": ["Straßenbahn"],
            "Überprüfung": ["Über-\nprüfung"],
            "uberprufung": ["Über-\nprüfung"],
            "Maßstäbe": ["Maß\u00adstäbe"],
            "ﬂießgleichgewicht": ["Fließgleichgewicht"],
            "Fließgleichgewicht": ["Fließgleichgewicht"],
            "Bahn": [],
        },
    ),
    (
        "L’eﬀet de l'expérience scientiﬁque n’a pas été vériﬁé; le cœur s’arrêta.",
        {
            "effet": ["eﬀet"],
            "l’effet": ["L’eﬀet"],
            "l'experience": ["l'expérience"],
            "scientifique": ["scientiﬁque"],
            "ÉTÉ": ["été"],
            "coeur": ["cœur"],
            '"l’expérience scientifique"': ["l'expérience scientiﬁque"],
        },
    ),
    (
        "أظهرت التَّجْرِبَةُ العلميّة أنّ البروتين يتكوّن من ٢٠ حمضًا أمينيًّا.",
        {
            "التجربة": ["التَّجْرِبَةُ"],
            "العلمية": ["العلميّة"],
            "اظهرت": ["أظهرت"],
            "20": ["٢٠"],
            "البروتيـن": ["البروتين"],
            "تجربة": [],
        },
    ),
    (
        "Научный эксперимент показал, что ёлка растёт быстрее.",
        {"ЭКСПЕРИМЕНТ": ["эксперимент"], "елка": ["ёлка"], "растет": ["растёт"]},
    ),
    (
        "Η επιστημονική έρευνα για την Ἀθήνα και τους ανθρώπους.",
        {"ερευνα": ["έρευνα"], "ΑΘΗΝΑ": ["Ἀθήνα"], "ανθρωπουσ": ["ανθρώπους"]},
    ),
    (
        "वैज्ञानिक प्रयोग से पता चला कि हिन्दी में लिखा है।",
        {"प्रयोग": ["प्रयोग"], "हिन्दी": ["हिन्दी"], "हिन्द": []},
    ),
    (
        "The well-known method of co-\noperation isn’t new: x² and H₂O at 25 °C, in 1998–2004.",
        {
            "cooperation": ["co-\noperation"],
            "co-operation": ["co-\noperation"],
            "well-known": ["well-known"],
            "wellknown": [],
            "isn't": ["isn’t"],
            "h2o": ["H₂O"],
            "1998-2004": ["1998–2004"],
            '"known method"': ["known method"],
            "metho*": ["method"],
            "metho": [],
        },
    ),
]
PARAMETERS = [pytest.param(text, query, shown, id=query) for text, queries in CASES for query, shown in queries.items()]


@pytest.fixture(scope="module")
def index() -> FullText:
    return FullText(text for text, _ in CASES)


@pytest.mark.parametrize(("text", "query", "shown"), PARAMETERS)
def test_a_sentence_is_found_and_shown(index: FullText, text: str, query: str, shown: list[str]) -> None:
    (number,) = (number for number, stored in index.texts.items() if stored == text)
    assert (number in index.search(query)) == bool(shown)
    if shown:
        assert [text[start:end] for start, end in match_spans(parse_query(query), text)] == shown


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
def test_any_normal_form_finds_any_other(index: FullText, form: str) -> None:
    normalised = FullText(unicodedata.normalize(form, text) for text, _ in CASES)
    for number, (_, queries) in enumerate(CASES, start=1):
        for query, shown in queries.items():
            if shown:
                assert number in normalised.search(query)
                assert number in index.search(unicodedata.normalize(form, query))


PARTICLES = """
을 은 이 의 에 에서 으로 과 도 만 부터 까지 에서는 에서도 에서의 으로는 으로부터 까지의 까지도 부터는 만은 만을 보다 보다는 처럼
이나 이라는 이라고 마다 조차 밖에 들 들은 들이 들을 들의 들에게 들과 에게서 께서는 에는 에도 이며
"""


@pytest.mark.parametrize("particle", PARTICLES.split())
def test_particles_are_taken_off_a_query(particle: str) -> None:
    assert FullText(["그 실험 결과"]).search(f"실험{particle}") == {1}
    assert FullText([f"그 실험{particle} 그러하다"]).search("실험") == {1}
    assert FullText([f"그 실험{particle} 그러하다"]).search(f"실험{particle}") == {1}


ENDINGS = """
하다 한다 했다 하는 하여 해서 하고 하며 하면 하지 하기 함 합니다 했습니다 할 한 하였다 하였으며 했던 하려고 하도록 하면서
하지만 하는데 하므로 하기를 하는지를 함으로 되다 된다 됐다 되었다 되는 된 되어 되고 되며 될 됨 됩니다 되었으며 되었던
시키다 시켰다 시키는 시킨 시켜 받다 받은 받았다 당하다 당했다
"""


@pytest.mark.parametrize("ending", ENDINGS.split())
def test_verbs_made_of_nouns_find_each_other(ending: str) -> None:
    index = FullText(["자료를 분석했다", "분석하는 방법", "분석 결과"])
    assert index.search(f"분석{ending}") == {1, 2, 3}


VERBS = [
    ("나타내다", "나타낸 나타낸다 나타냈다 나타내는 나타내어 나타낼 나타냄"),
    ("나타났다", "나타난 나타나는 나타났으며 나타나지 나타날"),
    ("움직이다", "움직여 움직였다 움직인 움직이는"),
    ("만들다", "만든 만드는 만들었다 만듭니다 만들어"),
    ("만들었다", "만든 만드는 만들고"),
    ("어렵다", "어려운 어려웠다 어려워서 어렵고"),
    ("어려웠다", "어려운 어렵다 어려움"),
    ("다르다", "다른 달라서 달랐다 다르게"),
    ("따르다", "따라 따른 따랐다 따르는"),
    ("나누다", "나눈 나눠 나눴다 나누어"),
    ("나눴다", "나누다 나눈 나누었다"),
    ("이루어지다", "이루어진 이루어졌다 이루어지는"),
    ("깨닫다", "깨달았다 깨닫고"),
    ("높아졌습니다", "높아졌다 높아지다 높아진"),
]


@pytest.mark.parametrize(("query", "form"), [(query, form) for query, forms in VERBS for form in forms.split()])
def test_other_verbs_find_their_forms(query: str, form: str) -> None:
    assert FullText([f"그것은 {form} 것이다"]).search(query) == {1}


def test_a_quotation_over_two_line_ends_is_found_with_spaces_for_them() -> None:
    words = ["본", "연구는", "국내", "환자의", "임상적", "특성을", "분석하고", "그", "결과를", "비교하였다"]
    quotation = f'"{" ".join(words)}"'
    for first in range(1, len(words) - 1):
        text = f"{' '.join(words[:first])}\n{' '.join(words[first:-1])}\n{words[-1]}."
        assert FullText([text]).search(quotation) == {1}


@given(st.text(st.sampled_from(list("aé가나다라漢字ไทก 　\n.,")), max_size=40), st.data())
def test_every_stretch_of_words_of_a_text_finds_it(text: str, data: st.DataObject) -> None:
    starts = [found.start() for found in re.finditer(r"\S+", text)]
    stretch = text[data.draw(st.sampled_from([0, *starts])) :]
    if analyze(stretch):
        assert answers(parse_query(stretch), text)
        assert answers(parse_query(f'"{stretch}"'), text)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        "korean/report-4-pages",
        "languages/typst_kor_2col",
        "languages/typst_jpn_2col",
        "languages/lo_tha_1col",
        "languages/chrome_kor_1col",
    ],
)
def test_every_word_of_a_real_file_finds_its_chunk(corpus: Path, name: str) -> None:
    with pincite.open(corpus / f"{name}.pdf") as document:
        chunks = [chunk for page in document for chunk in chunk_page("d", page.number, page.text())]
    index = FullText(chunk.text for chunk in chunks)
    for number, chunk in enumerate(chunks, start=1):
        for word in chunk.text.split()[::7]:
            if analyze(word) and not word.endswith(("-", "\u2010", "\u00ad")) and not word.startswith("-"):
                assert number in index.search(word), word


@pytest.mark.corpus
@pytest.mark.parametrize("query", ["코로나바이러스감염증", "감염증", "감염증을", "확진자", '"코로나바이러스감염증-19"', "질병"])
def test_words_broken_at_a_line_end_of_a_real_file_are_found(corpus: Path, query: str) -> None:
    with pincite.open(corpus / "korean" / "report-4-pages.pdf") as document:
        text = document.page(1).text()
    assert FullText([text]).search(query) == {1}
    assert any("\n" in text[start:end] for start, end in match_spans(parse_query(query), text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("전문가", "전문 지식"),
        ("코로나", "코로 숨을 쉬다"),
        ("사과", "사람"),
        ("회의", "회사"),
        ("온도", "온실"),
        ("실험실", "실험 결과"),
        ("결과", "결정"),
    ],
)
def test_what_only_looks_like_an_ending_stays(query: str, text: str) -> None:
    assert FullText([text]).search(query) == set()


@given(
    st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1)
    | st.text(st.sampled_from("하다되는을에서었습니이가분석"), min_size=1)
)
def test_any_hangul_has_stems_of_two_syllables(run: str) -> None:
    assert all(len(stem) >= 2 and stem != run for stem in stems(run))
