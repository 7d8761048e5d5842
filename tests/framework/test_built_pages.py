"""Contract with Reflex, React Router and React: where built pages are, and what they look like."""

import re
from pathlib import Path

import pytest
from reflex.utils.prerequisites import get_web_dir
from reflex_base.constants import Dirs, ReactRouter

from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.web.landing_page import _HIDDEN_IF_EMPTY, _SETTINGS_TEXT

TEXTS, NO_TEXTS = dict.fromkeys(("a", "b"), "<new>"), dict.fromkeys(("a", "b"), "")


def test_pages_are_where_reflex_puts_them() -> None:
    assert get_web_dir() / Dirs.STATIC == built_pages.FOLDER
    assert ReactRouter.SPA_FALLBACK == built_pages.DYNAMIC


def test_marked_texts_are_replaced_and_what_has_none_is_hidden() -> None:
    page = '<p>In <span data-text="a">two</span> days.</p><div class="box" data-if="b">'
    assert '<span data-text="a">&lt;new&gt;</span>' in built_pages.with_texts(page, "data-text", TEXTS)
    assert built_pages.with_texts(page, "data-text", NO_TEXTS) == page
    assert built_pages.with_hidden(page, "data-if", NO_TEXTS).endswith('<div class="box" data-if="b" hidden>')
    assert built_pages.with_hidden(page, "data-if", TEXTS) == page


def test_empty_marked_elements_are_filled() -> None:
    page = '<span class="a" data-text="a" title="b"></span><span data-text="b"></span>'
    filled = built_pages.with_content(page, "data-text", {"a": '<img alt="">'})
    assert filled == page.replace("</span>", '<img alt=""></span>', 1)


def test_pages_without_the_marks_are_an_error(tmp_path: Path) -> None:
    for change in (built_pages.with_texts, built_pages.with_hidden, built_pages.with_content):
        with pytest.raises(NothingToPatch):
            change("<p>nothing marked</p>", "data-text", TEXTS)
    with pytest.raises(NothingToPatch):
        built_pages.with_head("<body></body>", "<title></title>")
    with pytest.raises(NothingToPatch):
        built_pages.asset_names(tmp_path)


@pytest.mark.browser
def test_a_build_has_a_file_for_every_kind_of_path(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_pages, "FOLDER", built)
    assert built_pages.is_built()
    assert built_pages.is_page("/faq")
    assert not built_pages.is_page("/product/1")
    assert built_pages.page_file("/") == built / "index.html"
    assert built_pages.page_file("/faq") == built / "faq" / "index.html"
    assert built_pages.page_file("/product/1") == built / "product" / built_pages.PLACEHOLDER / "index.html"
    assert built_pages.page_file("/orders/1") == built / built_pages.DYNAMIC
    assert (built / built_pages.MISSING).is_file()
    assert all(re.fullmatch(r".+-[\w-]{8}\.(js|css)(\.(gz|br))?", name) for name in built_pages.asset_names(built))


@pytest.mark.browser
def test_every_inline_script_of_a_built_page_is_found(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text()
        scripts = built_pages.inline_scripts(text)
        assert len(scripts) == len(re.findall(r"<script\b", text)) - len(re.findall(r"<script\b[^>]*\bsrc=", text))
        assert scripts, page


@pytest.mark.browser
def test_built_pages_can_be_changed(built: Path) -> None:
    shell = (built / built_pages.DYNAMIC).read_text()
    assert "<title>" not in shell.partition("</head>")[0]
    assert "<title>Fern</title></head>" in built_pages.with_head(shell, "<title>Fern</title>")
    landing = (built / "index.html").read_text()
    texts = dict.fromkeys(re.findall(rf'(?:{_SETTINGS_TEXT}|{_HIDDEN_IF_EMPTY})="(\w+)"', landing), "new words")
    marks = len(re.findall(f'{_SETTINGS_TEXT}="', landing))
    assert marks
    assert built_pages.with_texts(landing, _SETTINGS_TEXT, texts).count(">new words</span>") == marks
    hidden = built_pages.with_hidden(landing, _HIDDEN_IF_EMPTY, dict.fromkeys(texts, ""))
    assert len(hidden) - len(landing) == len(" hidden") * landing.count(f' {_HIDDEN_IF_EMPTY}="')
