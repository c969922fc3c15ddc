"""Where text may be broken, and which of these places lines take."""

from __future__ import annotations

import pytest

from rendering.formats.pdf.typeset.atoms import Text, atoms
from rendering.formats.pdf.typeset.breaking import first_fit, total_fit
from rendering.formats.pdf.typeset.paragraph import compose
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import Theme

STYLE = TextStyle(10, "#1b2430")


def parted(text: str) -> list[str]:
    """Return what a line of text may be broken into."""
    found = atoms(Text(text))
    return [text[begin:stop] for begin, stop in zip(found.begins, found.stops, strict=True)]


def test_first_fit_takes_at_least_one() -> None:
    assert first_fit([0, 10, 20], [9, 19, 29], 5) == [1, 2, 3]
    assert first_fit([0, 10, 20], [9, 19, 29], 19) == [2, 3]


def test_total_fit_weighs_the_whole_paragraph() -> None:
    widths = [30, 30, 30, 10, 40, 40, 20]
    starts, ends, x = [], [], 0.0
    for width in widths:
        starts.append(x)
        ends.append(x + width)
        x += width + 10
    assert total_fit(starts, ends, range(len(widths)), 110, 10) == [3, 6, 7]
    assert total_fit(starts, ends, range(len(widths)), 45, 10) is None


def test_the_rest_of_a_word_is_not_alone_on_the_last_line() -> None:
    """Where other lines need not be spread too much for it."""
    setter = Typesetter(Theme(), "de")
    text = (
        "Der Auftragnehmer verpflichtet sich, sämtliche datenschutzrechtlichen Bestimmungen einzuhalten und "
        "personenbezogene Daten ausschließlich im Rahmen der dokumentierten Weisungen des Auftraggebers zu "
        "verarbeiten. Unterauftragsverarbeiter dürfen nur nach vorheriger schriftlicher Zustimmung "
        "eingesetzt werden; die Verantwortlichkeit des Auftragnehmers bleibt davon unberührt."
    )
    for align in ("left", "justify"):
        for width in range(405, 520):
            made = compose(" ".join([text] * 3), STYLE, width, typesetter=setter, align=align)
            assert made.lines[-1].text not in {"berührt.", "rührt."}


def test_kinsoku() -> None:
    text = "漢字。かな（注）"
    assert parted(text) == ["漢", "字。", "か", "な", "（注）"]


def test_figures_between_chinese_characters_stay_whole() -> None:
    text = "本项目总金额为人民币1,250,000.00元，自二〇二六年三月一日起至二〇二七年二月二十八日止。"
    assert "1,250,000.00" in parted(text)
    address = "https://example.org/some/long/path"
    assert len(atoms(Text(f"请见{address}网站")).begins) > len(atoms(Text("请见网站")).begins) + 2


def test_breaks_inside_of_words() -> None:
    assert parted("well-made") == ["well-", "made"]
    assert parted("-5 e-mail 1-2 km/h") == ["-5", "e-mail", "1-2", "km/h"]
    assert len(parted("https://example.org/some/long/path?with=query&and=more")) > 4


def test_thai_breaks_where_syllables_begin() -> None:
    text = "เรามีความภูมิใจที่จะนำเสนอแพ็กเกจ ๔,๙๐๐ บาท ชาติ เหตุ สวัสดี ทั้งนี้ฯลฯ ได้ABCไทย"
    expected = "เรา มีความภูมิ ใจที่จะ นำ เสนอ แพ็ก เกจ ๔,๙๐๐ บาท ชาติ เหตุ สวัสดี ทั้งนี้ฯลฯ ได้ ABC ไทย"
    assert " ".join(parted(text)) == expected
    # What is wider than its line is still parted between clusters.
    lines = compose("สวัสดี", STYLE, 18, typesetter=Typesetter(Theme(), "th")).lines
    assert len(lines) > 1
    assert "".join(line.text for line in lines) == "สวัสดี"


@pytest.mark.parametrize(
    "syllables",
    [
        "လူ တိုင်း သည် တ နင်္လာ ၁၂၃ ဖြစ် သည်။",  # what ends a syllable, and what stands below a letter, stays
        "ច័ ន្ទ ព្រ ហ ស្ប តិ៍ ១២៣ ៗ",
        "ສະ ບາ ຍ ດີ ໑໒ໆ",
        "የሰው፡ ልጅ፡ ሁሉ፡ ነው።",
    ],
)
def test_signs_of_other_scripts_stay_whole(syllables: str) -> None:
    assert parted(syllables.replace(" ", "")) == syllables.replace(" ៗ", "ៗ").split()


def test_consonants_that_make_one_sign_are_not_parted() -> None:
    lines = compose("ক্ষুদ্রক্ষুদ্র", STYLE, 14, typesetter=Typesetter(Theme(), "bn")).lines
    assert [line.text for line in lines] == ["ক্ষু", "দ্র", "ক্ষু", "দ্র"]
