"""Names in an archive: each once, in upper or lower case, and found without trying all numbers."""

from __future__ import annotations

from rendering.assembly import _unique


def unique(*names: str) -> list[str]:
    numbers: dict[str, int] = {}
    return [_unique(name, numbers) for name in names]


def test_a_name_that_comes_again_gets_the_next_number() -> None:
    assert unique("a.pdf", "A.pdf", "b.pdf", "a.pdf", "a") == [
        "a.pdf",
        "A (2).pdf",
        "b.pdf",
        "a (3).pdf",
        "a",
    ]


def test_a_number_that_somebody_has_given_is_left_out() -> None:
    assert unique("a (2).pdf", "a.pdf", "a.pdf", "a.pdf") == ["a (2).pdf", "a.pdf", "a (3).pdf", "a (4).pdf"]
    assert unique("a.pdf", "a.pdf", "a (2).pdf", "a (2).pdf") == [
        "a.pdf", "a (2).pdf", "a (2) (2).pdf", "a (2) (3).pdf",
    ]  # fmt: skip


def test_thousands_of_one_name_are_not_tried_against_each_other() -> None:
    class Counting(dict[str, int]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            self.asked += 1
            return super().__contains__(name)

    numbers = Counting()
    names = [_unique("Invoice.pdf", numbers) for _ in range(4000)]
    assert len(set(names)) == 4000
    assert names[-1] == "Invoice (4000).pdf"
    assert numbers.asked < 3 * 4000
