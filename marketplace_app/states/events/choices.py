"""Choices that are kept in the URL: searches, filters, sorting, pages and tabs.

A choice is answered by a redirect. Until the tab has followed it, an event still brings the URL from before; so the
next choice builds on the redirect under way. A tab that has opened something else meanwhile does not follow it.
"""

from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

import reflex as rx

from marketplace_app.framework.redirects import redirect_from
from marketplace_app.schemas.admin.urls import with_query
from marketplace_app.schemas.base import Form, parse_params
from marketplace_app.states.events.base import Events, url_of
from marketplace_app.states.events.viewer import ViewerState

F = TypeVar("F", bound=Form)
MAX_REDIRECTS = 20
"""How many redirects under way are remembered: a client may send choices and never follow one."""


async def chosen_url(state: rx.State) -> str:
    """The path and query that the last choice leads to, or those of the tab."""
    redirects = (await state.get_state(ViewerState))._redirects
    return redirects[-1] if redirects else url_of(state)


async def chosen(state: rx.State, form: type[F]) -> F:
    """What is chosen so far, in the last choice or the tab's URL; `query_of` in `base.py` reads only the latter."""
    return parse_params(form, dict(parse_qsl(urlsplit(await chosen_url(state)).query)))


async def visit(state: rx.State, url: str, *, replace: bool = False) -> Events:
    """Put a choice into the URL, unless it is there already; the tab then loads what the URL asks for."""
    if url == await chosen_url(state):
        return None
    viewer = await state.get_state(ViewerState)
    origins = [url_of(state), *viewer._redirects]
    viewer._redirects = [*viewer._redirects, url][-MAX_REDIRECTS:]
    return redirect_from(origins, url, replace=replace)


async def refine(
    state: rx.State, list_url: str, form: type[Form], *, is_typed: bool = False, **changes: object
) -> Events:
    """Change what is chosen in the list at `list_url`.

    With `is_typed`, once there is a search, the URL is replaced, so that Back leaves the search at once. Nothing is
    done if another page is open by now, such as when somebody typed just before it was opened.
    """
    if not _is_at(list_url, url_of(state)):
        return None
    params = await chosen(state, form)
    replace = is_typed and any(getattr(params, name) for name in changes)
    return await visit(state, with_query(list_url, params, **changes), replace=replace)


def note_arrival(viewer: ViewerState, url: str) -> None:
    """A tab has opened this URL. Forget the redirect to it and those before it or, if none leads to it, all."""
    redirects = viewer._redirects
    viewer._follows_redirect = url in redirects
    if url not in redirects:
        viewer._redirects = []
        return
    # The last redirect to this URL: if a later choice leads there too, what it asks for is on the screen already.
    arrived = max(index for index, each in enumerate(redirects) if each == url)
    viewer._redirects = redirects[arrived + 1 :]


def _is_at(list_url: str, url: str) -> bool:
    """Whether the list is open at this URL. A list may be a tab, which the query names."""
    wanted, given = urlsplit(list_url), urlsplit(url)
    is_same_path = given.path.rstrip("/") == wanted.path.rstrip("/")
    return is_same_path and set(parse_qsl(wanted.query)) <= set(parse_qsl(given.query))
