"""The heart that saves a product."""

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.expressions import expression, function_of
from marketplace_app.states.buying.saved import SavedState
from marketplace_app.states.events.signal import SignalState

# The heart changes as soon as it is pressed. The server's answer then replaces this guess: a changed list of saved
# products, or a toast with the reason.
_OPTIMISTIC_STATE = """
const [optimistic, setOptimistic] = useState(null);
useEffect(() => setOptimistic(null), [{resets_on}]);
"""


@rx.memo
def heart(product_id: rx.Var[int], name: rx.Var[str]) -> rx.Component:
    """A component of its own, so that saving a product does not re-render other cards. Its state is `aria-pressed`."""
    hook = _OPTIMISTIC_STATE.format(resets_on=f"{SavedState.ids!s}, {SignalState.toast_at!s}, {product_id!s}")
    saved = SavedState.ids.contains(product_id)
    is_saved = expression(
        f"(optimistic ?? {saved!s})",
        bool,
        uses=[SavedState.ids, SignalState.toast_at],
        react=["useEffect", "useState"],
        hook=hook,
    ).bool()
    call = function_of(SavedState.set_saved(product_id, expression("next", bool)))
    press = f"() => {{ const next = !{is_saved!s}; setOptimistic(next); {call!s}(); }}"
    return rx.el.button(
        icon("heart", class_name=rx.cond(is_saved, "fill-current text-bad", "text-ink-2")),
        type="button",
        aria_label=f"Save {name}",
        aria_pressed=rx.cond(is_saved, "true", "false"),
        on_click=expression(press, rx.EventChain, uses=[call]),
        class_name="grid size-11 flex-none place-items-center rounded-full bg-surface/85 text-ink-2 hover:bg-surface",
    )
