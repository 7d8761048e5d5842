"""After a failed submit: which fields need attention, with a link to each. It takes the focus once per submit."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.links import anchor_link
from marketplace_app.components.controls.notices import note
from marketplace_app.framework.components import HookProps
from marketplace_app.states.buying.checkout_form import FieldError

_SUMMARY_ID = "error-summary"


class FocusAfterSubmit(HookProps, rx.el.Div):
    """Takes the focus when a submit has failed, but not when one of its errors is fixed."""

    hook_props = ("errors", "form_id")
    errors: rx.Var[list[Any]]
    form_id: rx.Var[str]

    def add_imports(self) -> dict[str, Any]:
        return {"react": ["useEffect", "useRef"]}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [
            rx.Var("const wasSubmitted = useRef(false)"),
            rx.Var(
                "useEffect(() => { const remember = (event) => { "
                f"if (event.target.id === {self.form_id}) wasSubmitted.current = true; }}; "
                "document.addEventListener('submit', remember, true); "
                "return () => document.removeEventListener('submit', remember, true); }, [])"
            ),
            rx.Var(
                f"useEffect(() => {{ if (!wasSubmitted.current || !{self.errors}.length) return; "
                f"wasSubmitted.current = false; document.getElementById('{_SUMMARY_ID}')?.focus(); }}, "
                f"[{self.errors}])"
            ),
        ]


def _link(error: rx.Var[FieldError]) -> rx.Component:
    class_name = "inline-flex min-h-8 items-center underline underline-offset-3"
    return rx.el.li(anchor_link(error.message, id=error.name, class_name=class_name), key=error.name)


def error_summary(errors: rx.vars.ArrayVar[list[FieldError]], form_id: str) -> rx.Component:
    count = errors.length()
    heading = rx.cond(count == 1, "One field needs attention.", f"{count} fields need attention.")
    return FocusAfterSubmit.create(
        rx.cond(
            count > 0,
            note(
                rx.el.b(heading, class_name="font-semibold text-bad"),
                rx.el.ul(rx.foreach(errors, _link), class_name="mt-1 flex flex-wrap gap-x-4"),
                symbol="alert",
                variant="bad",
                role="alert",
                id=_SUMMARY_ID,
                tab_index=-1,
            ),
        ),
        errors=errors,
        form_id=form_id,
        class_name="empty:hidden",
    )
