"""`/faq`: frequently asked questions; public."""

import reflex as rx

from marketplace_app.components.controls.accordion import OpensByHash, accordion, accordion_item
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.controls.links import back_link, link
from marketplace_app.components.shell.layout import page
from marketplace_app.faq import FaqSection, Question, sections
from marketplace_app.states.shop import ShopState

SECTIONS = sections(ShopState.texts)


def _contents() -> rx.Component:
    class_name = (
        "flex min-h-11 items-center border-b-2 border-line px-3.5 text-ui text-ink-2 hover:border-brand-text "
        "hover:text-ink lg:border-b-0 lg:border-l-2"
    )
    return rx.el.nav(
        rx.el.ul(
            *[rx.el.li(link(each.title, href=f"/faq#{each.anchor}", class_name=class_name)) for each in SECTIONS],
            class_name="scrollbar-none -mx-(--gutter) flex overflow-x-auto px-(--gutter) whitespace-nowrap lg:m-0 "
            "lg:grid lg:gap-0.5 lg:p-0",
        ),
        aria_label="Sections",
    )


def _contact_support() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Still have a question?", class_name="font-sans text-small font-semibold"),
            rx.el.p(f"Support answers {ShopState.texts.support_hours}.", class_name="text-small text-ink-2"),
        ),
        button_link("Contact Support", href="/support", variant="outline", wide=True),
        aria_label="Still have a question?",
        class_name="grid content-start gap-3 self-start rounded-2 bg-wash p-4",
    )


def _steps(steps: tuple[str, ...]) -> rx.Component:
    def step(number: int, text: str) -> rx.Component:
        return rx.el.li(
            rx.el.span(number, class_name="block font-serif text-[1.5rem] leading-tight text-amber-text"),
            text,
            class_name=(
                "border-line px-3.5 py-3 text-small font-semibold max-md:even:border-l max-md:nth-[n+3]:border-t "
                "md:not-first:border-l"
            ),
        )

    return rx.el.ol(
        *[step(number, text) for number, text in enumerate(steps, start=1)],
        class_name="grid grid-cols-2 rounded-1 border border-ink bg-surface text-ink md:grid-cols-4",
    )


def _rows(rows: tuple[tuple[str, str], ...]) -> rx.Component:
    def row(name: str, value: str) -> rx.Component:
        return rx.el.div(
            rx.el.dt(name, class_name="text-ink"),
            rx.el.dd(value, class_name="text-right font-semibold text-ink"),
            class_name="flex justify-between gap-4 border-line py-2.5 not-first:border-t",
        )

    return rx.el.dl(*[row(*each) for each in rows], class_name="max-w-100 text-small")


def _question(question: Question, is_open: bool) -> rx.Component:
    more = [_steps(question.steps)] if question.steps else []
    more += [_rows(question.rows)] if question.rows else []
    shown = accordion_item(
        question.question,
        rx.el.p(question.answer, class_name="max-w-measure"),
        *more,
        anchor=question.anchor,
        is_open=is_open,
    )
    return rx.cond(question.answer != "", shown) if isinstance(question.answer, rx.Var) else shown


def _section(section: FaqSection, opens_first: bool) -> rx.Component:
    return rx.el.section(
        rx.el.h2(section.title, id=section.anchor, tab_index=-1, class_name="mb-3 text-h2"),
        accordion(*[_question(each, opens_first and index == 0) for index, each in enumerate(section.questions)]),
    )


def faq() -> rx.Component:
    return page(
        rx.el.div(
            rx.el.p(back_link("Home", href="/"), class_name="py-2.5"),
            rx.el.h1("Questions, answered", class_name="text-h1"),
            rx.el.div(
                _contents(),
                rx.el.div(
                    *[_section(each, index == 0) for index, each in enumerate(SECTIONS)],
                    class_name="grid gap-11 lg:col-start-2 lg:row-span-2 lg:row-start-1",
                ),
                _contact_support(),
                class_name=(
                    "mt-7 grid grid-cols-1 gap-x-18 gap-y-7 lg:mt-10 lg:grid-rows-[auto_1fr] "
                    "lg:grid-cols-[14.25rem_minmax(0,1fr)]"
                ),
            ),
            OpensByHash.create(),
            class_name="shell pb-20",
        )
    )
