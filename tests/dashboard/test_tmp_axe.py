from tests.dashboard import test_accessibility as a
from tests.dashboard.browser import world  # noqa: F401
from tests.dashboard import browser
pytestmark = browser.marks
NAMES = "documents documents-none document delete-document batches batch playground usage usage-users assets assets-none asset".split()
def test_x(world, visit, monkeypatch):  # noqa
    view = visit(world, "owner", color_scheme="light")
    bad = []
    for page in a.PAGES:
        if page.name in NAMES:
            view.set_viewport_size(a.SCREEN)
            view.emulate_media(color_scheme="light")
            view.goto(world.path(page.path))
            view.wait_for_load_state("networkidle")
            bad += [(page.name, v) for v in a.violations(view, a.RULES)]
            view.emulate_media(color_scheme="dark")
            bad += [(page.name, "dark", v) for v in a.violations(view, a.COLOURS)]
            view.set_viewport_size(a.PHONE)
            if view.evaluate(a.WIDER) > 0: bad.append((page.name, "wide"))
    assert not bad, "\n".join(map(str, bad))
