"""Equal content is compiled once, other content never taken for it, and what is kept has its bounds."""

from __future__ import annotations

from copy import deepcopy
from threading import Thread
from typing import Any

import pytest

from templates_app import compiled
from templates_app.content import BrokenContent, BrokenExpression, Content
from tests.templates_app.resolving import content


def copy_of(made: Content, **changes: Any) -> Content:
    fields = {"sections": made.sections, "variables": made.variables, "page": made.page} | changes
    return Content("n", "", ["pdf"], **deepcopy(fields), sample_data={})  # type: ignore[arg-type]


def test_equal_content_is_compiled_once() -> None:
    made = content({"type": "text", "content": "once {{a}}" * 50}, variables=[{"name": "a"}])
    assert copy_of(made).compiled is made.compiled
    assert copy_of(made, page={"size": "A5"}).compiled is not made.compiled
    longer = [{"type": "text", "content": "once {{a}}" * 50, "bold": True}]
    assert copy_of(made, sections=longer).typed_sections[0].bold


def test_long_content_that_differs_in_one_letter_is_other_content() -> None:
    text = "-" * 80 * compiled.HASHED  # most of it does not count for the hash
    for at in range(40_000, 40_200, 3):
        changed = f"{text[:at]}+{text[at + 1 :]}"
        made = content({"type": "text", "content": changed})
        assert made.typed_sections[0].content == changed


@pytest.mark.parametrize("values", [(1, True, 1.0), (0, False)])
def test_what_python_takes_for_the_same_is_other_content(values: tuple[Any, ...]) -> None:
    for value in values:
        shown = {"field": "paid", "is": "equals", "value": value}
        made = content({"type": "text", "content": "yes", "showIf": shown}, variables=[{"name": "paid"}])
        condition = copy_of(made).typed_sections[0].show_if
        assert type(condition.value) is type(value)


def test_content_that_was_broken_behind_the_service_is_found() -> None:
    made = content({"type": "text", "content": "{{fine}}"})
    made.check()
    with pytest.raises(BrokenExpression):
        copy_of(made, sections=[{"type": "text", "content": "{{fi ne}}"}]).check()
    with pytest.raises(BrokenContent):
        copy_of(made, variables=[{"name": "x y"}]).check()
    with pytest.raises(BrokenContent):
        copy_of(made, sections=[5]).check()


def test_the_cache_is_bounded_and_safe() -> None:
    def work(start: int) -> None:
        for number in range(start, start + 40):
            one = content({"type": "text", "content": f"{number % 60} {{{{a}}}}"})
            assert one.typed_sections[0].content == f"{number % 60} {{{{a}}}}"

    threads = [Thread(target=work, args=(start,)) for start in range(0, 320, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(compiled.MAX_ENTRIES + 10):
        assert (
            content({"type": "spacer", "height": 1 + number / 10}).typed_sections[0].height == 1 + number / 10
        )
    assert len(compiled._kept) <= compiled.MAX_ENTRIES
    assert 0 < compiled._kept.total <= compiled.MAX_BYTES
