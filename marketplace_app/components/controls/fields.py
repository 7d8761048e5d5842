"""Form controls. The fields of forms are uncontrolled: what is typed stays in the browser until it is sent."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.states.events.arguments import FORM_KEY

_LABEL = "text-small font-semibold"
_BOX = (
    "w-full min-h-(--tap) rounded-2 border border-line-strong bg-surface px-3 text-body text-ink "
    "aria-invalid:border-bad aria-invalid:outline aria-invalid:outline-1 aria-invalid:-outline-offset-2 "
    "aria-invalid:outline-bad aria-invalid:focus-visible:outline-2 aria-invalid:focus-visible:outline-offset-2 "
    "disabled:border-line disabled:bg-off disabled:text-ink-3"
)


def field_error(message: rx.Var[str], id: Any) -> rx.Component:
    """The sentence under a field. Its element is always present, so that screen readers announce a new text."""
    return rx.el.p(
        rx.cond(message != "", rx.fragment(icon("alert", "sm", "mt-px"), message)),
        id=id,
        aria_live="polite",
        class_name="flex items-start gap-1.5 text-cap font-strong text-bad empty:hidden",
    )


Hint = rx.Var[str] | str
"""A variable of a state always gets its line below the field; a plain text only if it is not empty."""


def _is_given(hint: Hint) -> bool:
    return isinstance(hint, rx.Var) or hint != ""


def _field(control: rx.Component, name: Any, label: Any, error: rx.Var[str], hint: Hint) -> rx.Component:
    return rx.el.div(
        rx.el.label(label, html_for=name, class_name=_LABEL),
        control,
        *([rx.el.p(hint, id=f"{name}-hint", class_name="text-cap text-ink-3")] if _is_given(hint) else []),
        field_error(error, f"{name}-error"),
        class_name="grid content-start gap-1.5",
    )


def _control_props(name: Any, error: rx.Var[str], *, has_hint: bool) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "aria_invalid": error != "",
        "aria_describedby": f"{name}-hint {name}-error" if has_hint else f"{name}-error",
    }


def text_field(
    label: Any, name: str, error: rx.Var[str], hint: Hint = "", id: Any = None, **props: Any
) -> rx.Component:
    """Fields of the same name are sent as a list; each of them needs an `id` of its own."""
    props.setdefault("type", "text")
    control_id = name if id is None else id
    control_props = _control_props(control_id, error, has_hint=_is_given(hint)) | {"name": name}
    control = rx.el.input(class_name=_BOX, **control_props, **props)
    return _field(control, control_id, label, error, hint)


def text_area(label: str, name: str, error: rx.Var[str], hint: str = "", rows: int = 3, **props: Any) -> rx.Component:
    control_props = _control_props(name, error, has_hint=_is_given(hint))
    control = rx.el.textarea(class_name=f"{_BOX} resize-y py-2.5", rows=rows, **control_props, **props)
    return _field(control, name, label, error, hint)


def unlabelled_select(*options: Any, class_name: str = "", **props: Any) -> rx.Component:
    """The browser's select with the store's styles, and an arrow in place of the browser's. Give it an `aria_label`."""
    return rx.el.div(
        rx.el.select(*options, class_name=f"{_BOX} appearance-none pr-9 {class_name}".strip(), **props),
        icon("chevron-down", "sm", "pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-2"),
        class_name="relative min-w-0",
    )


def _options(options: list[tuple[str, str]]) -> list[rx.Component]:
    return [rx.el.option(text, value=key) for key, text in options]


def select(options: list[tuple[str, str]], label: str, value: rx.Var[str], on_change: Any) -> rx.Component:
    """A select that acts as soon as something is chosen; its label is for assistive technology only."""
    return unlabelled_select(
        *_options(options),
        value=value,
        on_change=on_change,
        aria_label=label,
        name=label.lower(),
        class_name="md:text-ui",
    )


def labelled_select(
    label: str, name: str, *options: Any, error: rx.Var[str] | None = None, **props: Any
) -> rx.Component:
    """A select with a visible label, from option elements; `error` is the text under it, if a choice can be refused."""
    control_props: dict[str, Any] = {"id": name, "name": name}
    if error is not None:
        control_props = _control_props(name, error, has_hint=False)
    return rx.el.div(
        rx.el.label(label, html_for=name, class_name=_LABEL),
        unlabelled_select(*options, class_name="truncate", **control_props, **props),
        *([] if error is None else [field_error(error, f"{name}-error")]),
        class_name="grid min-w-0 content-start gap-1.5",
    )


def select_field(
    label: str,
    name: str,
    options: list[tuple[str, str]] | rx.Var[list[str]],
    error: rx.Var[str],
    hint: str = "",
    **props: Any,
) -> rx.Component:
    """A select with a visible label, from pairs of value and text; from state, texts that are their own values."""
    listed: list[rx.Component]
    if isinstance(options, rx.Var):
        listed = [rx.foreach(options, lambda text: rx.el.option(text, value=text))]
    else:
        listed = _options(options)
    control = unlabelled_select(*listed, **_control_props(name, error, has_hint=_is_given(hint)), **props)
    return _field(control, name, label, error, hint)


def form_key_field(form_key: rx.vars.NumberVar[int]) -> rx.Component:
    """The hidden field that makes a form count once: see `FORM_KEY`. Browsers must not restore an earlier value."""
    return rx.el.input(type="hidden", name=FORM_KEY, value=form_key, auto_complete="off")


_SHOW_NUMBER = rx.Var("""(event) => {
  event.target.closest("[data-slider]").querySelector("output").value = event.target.value;
}""")


def slider(
    label: str, name: str, ends: tuple[str, str], value: rx.Var[int], error: rx.Var[str], *, minimum: int, maximum: int
) -> rx.Component:
    """The browser's range input. The number beside the label follows it; `ends` say what its two ends mean."""
    lowest, highest = ends
    head = rx.el.div(
        rx.el.label(label, html_for=name, class_name=_LABEL),
        rx.el.output(value, class_name="font-serif text-h2 leading-none tabular-nums lining-nums"),
        class_name="flex items-end justify-between",
    )
    control = rx.el.input(
        type="range",
        min=minimum,
        max=maximum,
        step=1,
        default_value=value,
        custom_attrs={"onInput": _SHOW_NUMBER},
        class_name="block h-11 w-full cursor-pointer accent-brand",
        **_control_props(name, error, has_hint=True),
    )
    foot = rx.el.p(
        rx.el.span(lowest),
        rx.el.span(highest),
        id=f"{name}-hint",
        class_name="flex justify-between text-cap text-ink-3",
    )
    return rx.el.div(head, control, foot, field_error(error, f"{name}-error"), data_slider="", class_name="grid")


def checkbox_input(**props: Any) -> rx.Component:
    """A checkbox without its label."""
    return rx.el.span(
        rx.el.input(type="checkbox", class_name=f"{_CHECKBOX} rounded-1 block", **props),
        icon(
            "check",
            "sm",
            "pointer-events-none absolute size-3.5! stroke-[2.6] text-on-brand opacity-0 peer-checked:opacity-100",
        ),
        class_name="relative grid flex-none place-items-center",
    )


def checkbox_field(label: str, name: str, error: rx.Var[str], **props: Any) -> rx.Component:
    """A single checkbox of a form."""
    box = checkbox_input(**_control_props(name, error, has_hint=False), **props)
    return rx.el.div(
        rx.el.div(
            box,
            rx.el.label(label, html_for=name, class_name="flex-1 cursor-pointer py-1.5"),
            class_name="flex min-h-11 items-center gap-2.5 text-ui",
        ),
        field_error(error, f"{name}-error"),
        class_name="grid gap-1",
    )


def _pill(label: str, name: str, is_on: rx.Var[bool]) -> rx.Component:
    return rx.el.label(
        checkbox_input(name=name, value=label, default_checked=is_on),
        label,
        class_name=(
            "inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-2 border border-line bg-surface pr-3.5 "
            "pl-3 text-ui hover:border-line-strong has-checked:border-brand-text has-checked:bg-wash "
            "has-checked:text-brand-text has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-off "
            "has-disabled:text-ink-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 "
            "has-focus-visible:outline-focus md:min-h-10"
        ),
    )


def checkbox_set(
    legend: str,
    name: str,
    options: list[str],
    chosen: rx.vars.ArrayVar[list[str]],
    error: rx.Var[str],
    hint: str = "",
    **props: Any,
) -> rx.Component:
    """A group of checkboxes. The ticked ones are sent as a list under one name.

    The checkboxes have no ids, because Reflex would also send each of them under its id.
    """
    return rx.el.fieldset(
        rx.el.legend(legend, class_name=f"float-left w-full {_LABEL}"),
        *([rx.el.p(hint, id=f"{name}-hint", class_name="clear-both text-cap text-ink-3")] if hint else []),
        rx.el.div(
            *[_pill(option, name, chosen.contains(option)) for option in options],
            class_name="clear-both flex flex-wrap gap-2 pt-2",
        ),
        rx.el.div(field_error(error, f"{name}-error"), class_name="pt-1.5 empty:hidden"),
        id=name,
        aria_describedby=f"{name}-hint {name}-error" if hint else f"{name}-error",
        class_name="min-w-0",
        **props,
    )


_CHECKBOX = (
    "peer size-4.5 appearance-none border-[1.5px] border-line-strong bg-surface checked:border-brand checked:bg-brand"
)


def _count(count: Any, id: Any) -> rx.Component:
    """`count` is text, such as `1,204`."""
    return rx.el.span(
        count,
        rx.el.span(rx.cond(count == "1", " product", " products"), class_name="sr-only"),
        id=f"{id}-count",
        class_name="text-cap text-ink-3 tabular-nums",
    )


def checkbox(label: Any, id: Any, checked: rx.Var[bool], on_change: Any, count: Any) -> rx.Component:
    """A row of a filter: checkbox, label and number of products, which is also the checkbox's description."""
    return rx.el.div(
        checkbox_input(id=id, name=id, checked=checked, on_change=on_change, aria_describedby=f"{id}-count"),
        rx.el.label(label, html_for=id, class_name="flex-1 cursor-pointer py-1.5"),
        _count(count, id),
        class_name="flex min-h-11 items-center gap-2.5 text-ui lg:min-h-[34px]",
    )


def radio(label: Any, id: Any, name: Any, checked: rx.Var[bool], on_change: Any, count: Any = None) -> rx.Component:
    described: dict[str, Any] = {} if count is None else {"aria_describedby": f"{id}-count"}
    return rx.el.div(
        rx.el.span(
            rx.el.input(
                type="radio",
                id=id,
                name=name,
                checked=checked,
                on_change=on_change,
                **described,
                class_name=(
                    "size-4.5 appearance-none rounded-full border-[1.5px] border-line-strong bg-surface "
                    "checked:border-[5px] checked:border-brand"
                ),
            ),
            class_name="grid flex-none place-items-center",
        ),
        rx.el.label(label, html_for=id, class_name="flex-1 cursor-pointer py-1.5"),
        *([] if count is None else [_count(count, id)]),
        class_name="flex min-h-11 items-center gap-2.5 text-ui lg:min-h-[34px]",
    )
