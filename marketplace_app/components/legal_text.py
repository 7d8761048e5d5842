"""Headings, paragraphs and lists of a legal text. Markup in it is shown as text, never interpreted."""

import reflex as rx

from marketplace_app.schemas.legal_texts import Block, BlockKind


def legal_text(blocks: rx.Var[list[Block]]) -> rx.Component:
    return rx.el.div(rx.foreach(blocks, _block), class_name="grid max-w-measure gap-4 wrap-anywhere text-ink-2")


def _block(block: rx.Var[Block]) -> rx.Component:
    # `block.items` is a method of the var.
    items = rx.el.ul(
        rx.foreach(block.to(dict[str, list[str]])["items"], lambda item: rx.el.li(item)),
        class_name="grid list-disc gap-1.5 pl-5 text-lead",
    )
    return rx.match(
        block.kind,
        (BlockKind.HEADING.value, rx.el.h2(block.text, class_name="mt-4 text-h3 text-ink")),
        (BlockKind.LIST.value, items),
        rx.el.p(block.text, class_name="text-lead"),
    )
