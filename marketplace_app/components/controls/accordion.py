"""Questions that expand: the browser's `details` element, which works with the keyboard and without a script."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon

_OPEN_LINKED_QUESTION = """
useEffect(() => {
  const found = openedHash && document.getElementById(openedHash.slice(1));
  if (!found) return;
  if (found.localName === "details") found.open = true;
  found.scrollIntoView();
  (found.querySelector("summary") ?? found).focus({ preventScroll: true });
}, [openedHash, openedKey])
"""


class OpensByHash(rx.Fragment):
    """`/faq#refunds` expands that question and scrolls to it, on arrival and whenever the URL changes."""

    def add_imports(self) -> dict[str, Any]:
        return {"react": ["useEffect"], "react-router": ["useLocation"]}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [rx.Var("const { hash: openedHash, key: openedKey } = useLocation()"), rx.Var(_OPEN_LINKED_QUESTION)]


def accordion_item(question: str, *answer: Any, anchor: str, is_open: bool = False) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.h3(question, class_name="min-w-0 flex-1 font-sans text-body font-semibold text-pretty"),
            icon("plus", class_name="text-ink-2 group-open:hidden"),
            icon("minus", class_name="hidden text-ink-2 group-open:block"),
            class_name=(
                "-mx-2 flex min-h-14 list-none items-center gap-4 rounded-2 px-2 py-3.5 hover:text-brand-text "
                "[&::-webkit-details-marker]:hidden"
            ),
        ),
        rx.el.div(*answer, class_name="grid gap-4 pt-1 pb-6 text-ink-2"),
        id=anchor,
        open=is_open,
        class_name="group border-b border-line",
    )


def accordion(*questions: rx.Component) -> rx.Component:
    return rx.el.div(*questions, class_name="border-t border-line")
