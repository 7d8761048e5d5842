"""The search box of the header. On the catalogue it searches while the user types; elsewhere Enter opens the catalogue.

It is a combobox: `assets/suggest.js`, which is fetched at the first focus, fills the list under it.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import LINK_CLASS, shop_link
from marketplace_app.framework.components import HookProps
from marketplace_app.limits import MAX_SEARCH
from marketplace_app.states.products.catalogue import CatalogueState

SEARCH_ID = "search"
DEBOUNCE_MS = 200


class SearchInput(HookProps, rx.el.Input):
    """Keeps what is being typed, yet follows the URL when it changes: Back, Clear All, a shared link."""

    hook_props = ("follows",)
    follows: rx.Var[str]

    def add_imports(self) -> dict[str, Any]:
        return {"react": ["useEffect"]}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        follow = (
            f"useEffect(() => {{ const box = document.getElementById({rx.Var.create(self.id)}); "
            f"if (box && box !== document.activeElement) box.value = {self.follows}; }}, [{self.follows}])"
        )
        return [rx.Var(follow)]


class SearchForm(rx.Component):
    """React Router's form: a GET that does not reload the document."""

    library = "react-router"
    tag = "Form"
    alias = "SearchForm"

    action: rx.Var[str]
    method: rx.Var[str]


def _box(is_catalogue: bool, id: str) -> rx.Component:
    props: dict[str, Any] = {
        "type": "search",
        "id": id,
        "name": "search",
        "placeholder": "Search products...",
        "aria_label": "Search products",
        "auto_complete": "off",
        "enter_key_hint": "search",
        "max_length": MAX_SEARCH,
        "role": "combobox",
        "aria_autocomplete": "list",
        "aria_controls": f"{id}-suggestions",
        "aria_expanded": "false",
        "aria_haspopup": "listbox",
        "data_suggests": "",
        "class_name": (
            "peer min-h-11 w-full rounded-2 border border-line-strong bg-surface px-10 text-body text-ink "
            "[&::-webkit-search-cancel-button]:hidden"
        ),
    }
    if not is_catalogue:
        return rx.el.input(**props)
    return SearchInput.create(
        **props, follows=CatalogueState.search_text, on_change=CatalogueState.search.debounce(DEBOUNCE_MS)
    )


def _clear(**props: Any) -> rx.Component:
    return rx.el.button(
        icon("close", "sm"),
        type="reset",
        aria_label="Clear search",
        class_name=(
            "absolute top-0 right-0 grid size-11 place-items-center rounded-2 text-ink-2 peer-placeholder-shown:hidden"
        ),
        **props,
    )


def _suggestions(id: str) -> rx.Component:
    """An empty list that only `assets/suggest.js` fills, and what it says to screen readers.

    Not positioned absolutely on a phone, where the search box is in a popover that has to contain the list too.
    """
    return rx.fragment(
        rx.el.div(
            id=f"{id}-suggestions",
            role="listbox",
            aria_label="Suggestions",
            hidden=True,
            data_suggestions="",
            data_option_class=(
                "flex min-h-11 items-center gap-3 rounded-2 px-2.5 py-1.5 text-ui text-ink hover:bg-wash "
                "aria-selected:bg-wash aria-selected:outline aria-selected:outline-2 "
                "aria-selected:-outline-offset-2 aria-selected:outline-focus"
            ),
            data_picture_class="h-12.5 w-10 flex-none rounded-1 bg-sunken object-cover",
            data_name_class="min-w-0 flex-1 wrap-anywhere",
            data_price_class="flex-none text-ink-2 tabular-nums",
            data_title_class="px-2.5 pt-2 pb-1 text-cap font-semibold text-ink-3",
            class_name=(
                "scrollbar-thin mt-2 max-h-[58svh] overflow-y-auto rounded-2 border border-line bg-surface p-1.5 "
                "text-left md:absolute md:inset-x-0 md:top-full md:mt-1.5 md:max-h-[min(34rem,76svh)] md:shadow-over"
            ),
        ),
        rx.el.p(id=f"{id}-suggestions-status", role="status", class_name="sr-only"),
    )


def correction(corrected: rx.Var[str] | str, typed: rx.Var[str] | str, href: rx.Var[str] | str) -> rx.Component:
    """The corrected search, with a link to the search as it was typed; empty if nothing was corrected."""
    return rx.el.div(
        rx.cond(
            corrected != "",
            rx.el.p(
                "Showing results for '",
                rx.el.strong(corrected),
                "'. ",
                shop_link(
                    "Search for '", typed, "' instead.", href=href, class_name=f"{LINK_CLASS} inline-block py-2.5"
                ),
                class_name="mb-3 text-body text-ink-2 wrap-anywhere",
            ),
        ),
        role="status",
    )


def search(is_catalogue: bool, id: str = SEARCH_ID, **form: Any) -> rx.Component:
    """`is_catalogue`: the results follow the typing; elsewhere Enter opens the catalogue."""
    search_icon = icon("search", class_name="pointer-events-none absolute top-3 left-3 text-ink-3")
    if is_catalogue:
        return rx.el.form(
            search_icon,
            _box(is_catalogue, id),
            _clear(on_click=CatalogueState.search("")),
            _suggestions(id),
            role="search",
            class_name="relative w-full",
            **form,
        )
    return SearchForm.create(
        search_icon,
        _box(is_catalogue, id),
        _clear(),
        _suggestions(id),
        action="/",
        method="get",
        class_name="relative w-full",
        custom_attrs={"role": "search"},
        **form,
    )
