"""The age gate: a modal dialog that `assets/gate.js` opens, checks and closes, without waiting for the page's code."""

from datetime import timedelta
from typing import Any

import reflex as rx

from marketplace_app import clock
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.hydration import unmanaged
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.shell.logo import logo
from marketplace_app.config import get_settings
from marketplace_app.framework.components import HookProps, Imports
from marketplace_app.limits import AGE_PASS_LIFETIME

_HOURS = AGE_PASS_LIFETIME // timedelta(hours=1)


class GateSignal(HookProps, rx.Fragment):
    """Tells the script when the gate may have to open or close, and the page when an age was verified."""

    hook_props = ("mode", "update_on", "on_verified")
    mode: rx.Var[str]
    update_on: rx.Var[bool]
    on_verified: rx.EventHandler[rx.event.no_args_event_spec]

    def add_imports(self) -> Imports:
        return {"react": "useEffect"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        signal = f"useEffect(() => {{ dispatchEvent(new Event('store:gate')); }}, [{self.mode}, {self.update_on}])"
        hooks: list[str | rx.Var[Any]] = [rx.Var(signal)]
        if (handler := self.event_triggers.get("on_verified")) is not None:
            listen = (
                f"useEffect(() => {{ const handle = {rx.Var.create(handler)}; "
                "addEventListener('store:age-verified', handle); "
                "return () => removeEventListener('store:age-verified', handle); }, [])"
            )
            hooks.append(rx.Var(listen))
        return hooks


def _date_of_birth(suffix: str, takes_focus: bool) -> rx.Component:
    field, hint, error = f"dateOfBirth{suffix}", f"date-hint{suffix}", f"date-error{suffix}"
    return rx.el.div(
        rx.el.label("Date of birth", html_for=field, class_name="text-small font-semibold"),
        rx.el.input(
            type="date",
            id=field,
            name="dateOfBirth",
            auto_complete="bday",
            auto_focus=takes_focus,
            aria_describedby=f"{hint} {error}",
            class_name=(
                "min-h-11 w-full rounded-2 border border-line-strong bg-surface px-3 text-body "
                "aria-invalid:border-2 aria-invalid:border-bad"
            ),
        ),
        rx.el.p("Month / day / year", id=hint, class_name="text-cap text-ink-3"),
        rx.el.p(
            icon("alert", "sm", "mt-px"),
            rx.el.span(data_error="", custom_attrs=unmanaged()),  # may be filled before hydration
            id=error,
            role="alert",
            class_name="flex items-start gap-1.5 text-cap font-strong text-bad has-[span:empty]:hidden",
        ),
        class_name="grid gap-1.5",
    )


def gate_form(suffix: str = "", under_age_url: str = "#", takes_focus: bool = False, **form: Any) -> rx.Component:
    """`suffix` makes the ids unique where there are several forms."""
    return rx.el.form(
        logo(is_link=False),
        rx.el.div(
            rx.el.h2("You must be 21 or older to enter.", id=f"gate-title{suffix}", class_name="text-title"),
            rx.el.p(
                f"Enter your date of birth. We check it and do not keep it. We ask again after {_HOURS} hours.",
                class_name="mt-2 text-ink-2",
            ),
        ),
        _date_of_birth(suffix, takes_focus),
        rx.el.div(
            button("I am 21 or older", size="lg", wide=True, type="submit"),
            button("I am under 21", variant="outline", size="lg", wide=True, data_under_age=under_age_url),
            class_name="grid gap-2.5",
        ),
        rx.el.p("Must be 21+ to purchase", class_name="text-cap text-ink-3"),
        no_validate=True,
        class_name="grid content-start gap-5.5 px-5.5 py-7 md:p-10",
        **form,
    )


def gate_layout(form: rx.Component) -> rx.Component:
    """The picture is for wide screens only."""
    art = rx.el.img(
        src="/hero/hero-poster.webp",
        alt="",
        loading="lazy",
        class_name="hidden size-full object-cover object-[72%_100%] md:block",
    )
    return rx.el.div(art, form, class_name="grid md:grid-cols-[.8fr_1fr]")


def age_gate(mode: Any, update_on: Any = False, on_verified: Any = None) -> rx.Component:
    """`mode` is `once-a-day` on the landing page and, for guests, on `/welcome`; `always` while the server requires an
    age check; else empty.

    `update_on` is a var whose change may show or hide the gate.
    """
    return rx.el.div(
        rx.el.dialog(
            gate_layout(gate_form(under_age_url=get_settings().under_age_url, takes_focus=True)),
            data_mode=mode,
            data_lifetime=clock.in_milliseconds(AGE_PASS_LIFETIME),
            aria_labelledby="gate-title",
            class_name=(
                "gate m-auto max-h-[96svh] w-[calc(100vw-2rem)] max-w-gate overflow-auto rounded-3 bg-surface "
                "text-ink shadow-over"
            ),
        ),
        GateSignal.create(mode=mode, update_on=update_on, **({"on_verified": on_verified} if on_verified else {})),
    )
