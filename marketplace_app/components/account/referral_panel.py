"""The referral panel: the user's code, a friend's code, and the credit earned."""

import reflex as rx

from marketplace_app.codes import CODE_LENGTH
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.fields import text_field
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.controls.timeline import numbered
from marketplace_app.messages import COPIED, COPY_FAILED
from marketplace_app.schemas.account.referrals import MAX_REFERRAL_INPUT
from marketplace_app.states.account.referrals import REFERRER_ID, ReferralsState, StatementRow
from marketplace_app.states.shop import ShopState

STEPS = [
    ("Share your code", "With someone who is 21 or older."),
    ("They order", ShopState.texts.referred_get),
    ("You earn", ShopState.texts.referrer_gets),
]
_HALF = CODE_LENGTH // 2
_TO_UPPER = rx.Var("""(event) => {
  const field = event.target, at = field.selectionStart;
  field.value = field.value.toUpperCase();
  field.setSelectionRange(at, at);
}""")


def _copy_button(symbol: str, label: str, text: rx.Var[str], variant: str, *, shares: bool = False) -> rx.Component:
    """`assets/session.js` copies the text, or shares it where the device can, and shows a toast."""
    return button(
        icon(symbol, "sm"),
        label,
        variant=variant,
        data_copy=text,
        data_share="yes" if shares else "no",
        data_copied=COPIED.title,
        data_failed=COPY_FAILED.title,
        data_failed_text=COPY_FAILED.text,
    )


def _own_code() -> rx.Component:
    def figure(term: str, value: rx.Var[int] | rx.Var[str]) -> rx.Component:
        return rx.el.div(
            rx.el.dt(term, class_name="text-small text-ink-3"),
            rx.el.dd(value, class_name="font-serif text-title tabular-nums lining-nums"),
            class_name="px-5 py-4 odd:border-r odd:border-line md:px-7",
        )

    top = rx.el.div(
        rx.el.h2("Your referral code", class_name="font-sans text-over font-semibold text-ink-2 uppercase"),
        rx.el.p(
            # Only visually in two halves: screen readers, search and selection get the whole code.
            ReferralsState.code[:_HALF],
            rx.el.span(ReferralsState.code[_HALF:], class_name="ml-[.3em]"),
            class_name=(
                "font-serif text-[2.25rem] leading-none font-medium tracking-[.08em] lining-nums md:text-[3.25rem]"
            ),
        ),
        rx.el.div(
            _copy_button("copy", "Copy", ReferralsState.code, "primary"),
            _copy_button("share", "Share link", ReferralsState.link, "outline", shares=True),
            class_name="flex flex-wrap gap-2.5",
        ),
        class_name="grid gap-3.5 border-b border-ink p-5 md:px-7 md:pt-7 md:pb-6.5",
    )
    figures = rx.el.dl(
        figure("Successful referrals", ReferralsState.completed),
        figure("Available credit", ReferralsState.credit),
        class_name="grid grid-cols-2",
    )
    return rx.el.section(
        top, figures, aria_label="Your code", class_name="overflow-hidden rounded-1 border border-ink bg-surface"
    )


def _code_form() -> rx.Component:
    form = rx.el.form(
        rx.el.div(
            text_field(
                "Referral code",
                "referralCode",
                ReferralsState.error,
                placeholder="8 characters",
                auto_complete="off",
                auto_capitalize="characters",
                spell_check=False,
                max_length=MAX_REFERRAL_INPUT,
                default_value=ReferralsState.typed,
                on_change=ReferralsState.type_code,
                custom_attrs={"onInput": _TO_UPPER},
            ),
            class_name="min-w-0 flex-1 tracking-wide",
        ),
        rx.el.div(
            # As tall as the label beside it.
            rx.el.span("\u00a0", aria_hidden="true", class_name="text-small"),
            pending_button(
                "Apply Code",
                "Applying...",
                ReferralsState.is_applying,
                disabled=ReferralsState.typed.strip() == "",
                type="submit",
            ),
            class_name="grid content-start gap-1.5",
        ),
        on_submit=ReferralsState.apply,
        no_validate=True,
        class_name="mt-3.5 flex max-w-115 items-start gap-3",
    )
    return rx.el.section(
        rx.el.h2("Have someone else's code?", class_name="text-h2"),
        rx.el.p(ShopState.texts.code_gives, class_name="mt-1 text-small text-ink-2"),
        form,
    )


def _referrer() -> rx.Component:
    referred = note(
        rx.el.p("You were referred by ", rx.el.b(ReferralsState.referred_by, class_name="font-semibold"), "."),
        symbol="check",
        variant="info",
    )
    shown = rx.cond(
        ReferralsState.can_apply, _code_form(), rx.cond(ReferralsState.referred_by != "", referred, rx.fragment())
    )
    return rx.el.div(shown, id=REFERRER_ID, tab_index=-1, class_name="outline-none empty:hidden")


def _row(row: rx.Var[StatementRow]) -> rx.Component:
    cell = "border-b border-line py-2.5 pr-2"
    return rx.el.tr(
        rx.el.th(
            row.what,
            rx.el.span(row.date, class_name="block text-cap font-normal text-ink-3"),
            scope="row",
            class_name=f"{cell} text-left font-medium",
        ),
        rx.el.td(badge(row.state, row.hue), class_name=cell),
        rx.el.td(
            row.amount,
            class_name=[
                f"{cell} pr-0 text-right whitespace-nowrap tabular-nums",
                rx.cond(row.is_pending, "text-ink-3", ""),
            ],
        ),
        key=row.key,
    )


def _statement() -> rx.Component:
    table = rx.el.table(
        rx.el.thead(
            rx.el.tr(*[rx.el.th(name, scope="col") for name in ("Source", "State", "Credit")]),
            class_name="sr-only",
        ),
        rx.el.tbody(rx.foreach(ReferralsState.statement, _row)),
        class_name="w-full text-small",
    )
    nothing = rx.el.p("Nothing yet. Credit appears here once a friend has ordered.", class_name="text-small text-ink-2")
    listed = rx.cond(ReferralsState.statement.length() > 0, table, nothing)
    return rx.cond(ReferralsState.is_loading, skeleton_block("h-12 w-full"), listed)


def _aside() -> rx.Component:
    return rx.el.aside(
        rx.el.h2("How it works", class_name="mb-3.5 text-h3"),
        numbered(STEPS),
        rx.el.h2("Recent", class_name="mt-2.5 mb-2 text-h3"),
        _statement(),
    )


def referral_panel() -> rx.Component:
    shown = rx.el.div(_own_code(), _referrer(), class_name="grid content-start gap-7")
    skeleton = rx.el.div(
        skeleton_block("h-70 w-full"), skeleton_block("h-28 w-full"), class_name="grid gap-7", aria_hidden="true"
    )
    return rx.el.div(
        rx.cond(ReferralsState.is_loading, skeleton, shown),
        _aside(),
        class_name="grid gap-9 lg:grid-cols-[minmax(0,1fr)_300px] lg:gap-12",
    )
