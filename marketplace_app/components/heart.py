"""The heart that saves a product."""

import reflex as rx
from reflex_base.vars import VarData

from marketplace_app.components.icons import icon
from marketplace_app.states.saved import SavedState
from marketplace_app.states.signal import SignalState

# It fills when it is pressed. What the server then says holds: other hearts, or a toast that says why not.
_AT_ONCE = """
const [wish, setWish] = useState(null);
useEffect(() => setWish(null), [{answers}]);
"""


@rx.memo
def heart(product_id: rx.Var[int], name: rx.Var[str]) -> rx.Component:
    """By itself, so that cards stay as they are while another one is saved. Its name stays; it is pressed or not."""
    hook = _AT_ONCE.format(answers=f"{SavedState.ids!s}, {SignalState.toast_at!s}, {product_id!s}")
    data = VarData.merge(
        SavedState.ids._get_all_var_data(),
        SignalState.toast_at._get_all_var_data(),
        VarData(imports={"react": ["useEffect", "useState"]}, hooks={hook: None}),
    )
    saved = SavedState.ids.contains(product_id)
    is_saved = rx.Var(f"(wish ?? {saved!s})", _var_type=bool, _var_data=data).bool()
    tell = rx.Var.create(
        rx.EventChain.create(
            SavedState.set_saved(product_id, rx.Var("next", _var_type=bool)), args_spec=rx.event.no_args_event_spec
        )
    )
    press = f"() => {{ const next = !{is_saved!s}; setWish(next); {tell!s}(); }}"
    return rx.el.button(
        icon("heart", class_name=rx.cond(is_saved, "fill-current text-bad", "text-ink-2")),
        type="button",
        aria_label=f"Save {name}",
        aria_pressed=rx.cond(is_saved, "true", "false"),
        on_click=rx.Var(press, _var_type=rx.EventChain, _var_data=tell._get_all_var_data()),
        class_name="grid size-11 flex-none place-items-center rounded-full bg-surface/85 text-ink-2 hover:bg-surface",
    )
