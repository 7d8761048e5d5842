"""`/dev/gallery`: every component in every state, light and dark. Development only: see `pages.site_map`."""

import reflex as rx

from marketplace_app.components.controls.links import document_link
from marketplace_app.pages.gallery import admin, buying, controls, messages, products, shell
from marketplace_app.pages.gallery.frame import Section, render_section

SECTIONS = (
    Section("tokens", "Colours, type, icons", shell.tokens),
    Section("buttons", "Buttons", controls.buttons),
    Section("links", "Links", controls.links),
    Section("fields", "Fields", controls.fields),
    Section("choices", "Choices", controls.choices),
    Section("search", "Search and chips", controls.searching),
    Section("paging", "Tabs and pages", controls.paging),
    Section("badges", "Badges and stars", products.badges),
    Section("labels", "Labels", products.labels),
    Section("cards", "Product cards", products.product_cards, is_wide=True),
    Section("rows", "Product rows", products.product_rows, is_wide=True),
    Section("picks", "Picks", products.picks, is_wide=True),
    Section("skeletons", "Skeletons", products.skeletons, is_wide=True),
    Section("cart", "Cart lines", buying.cart_lines),
    Section("quotes", "Quotes", buying.quotes),
    Section("delivery-times", "Delivery times", buying.delivery_times),
    Section("batch-wishes", "Wishes for batches", buying.batch_wishes),
    Section("batch-questions", "Questions about batches", buying.batch_questions),
    Section("ready-questions", "Ready questions", buying.ready_questions),
    Section("orders", "Orders", buying.orders),
    Section("bought-again", "Bought again", buying.bought_again),
    Section("addresses", "Saved addresses", buying.addresses),
    Section("tickets", "Tickets and order progress", admin.tickets, is_wide=True),
    Section("tables", "Admin tables", admin.tables, is_wide=True),
    Section("dispatch", "Dispatch cards", admin.dispatch_cards),
    Section("charts", "Charts", admin.charts, is_wide=True),
    Section("uploads", "Uploads", admin.uploads),
    Section("notices", "Notices", messages.notices),
    Section("empties", "Empty and failed", messages.empties),
    Section("questions", "Questions", messages.questions),
    Section("overlays", "Install prompt, privacy notice", messages.overlays),
    Section("screens", "Whole screens", messages.screens, is_wide=True),
    Section("toast", "Toasts", messages.toasts, themes=("page",)),
    Section("panels", "Dialogs, drawers, sheets", shell.panels, themes=("page",)),
    Section("gate", "Age gate", shell.age_gates, is_wide=True),
    Section("header", "Header", shell.headers, is_wide=True),
    Section("footer", "Footer", shell.footers, is_wide=True),
)


def _contents() -> rx.Component:
    class_name = "inline-flex min-h-11 items-center underline underline-offset-3 md:min-h-8"
    return rx.el.nav(
        rx.el.ul(
            *[rx.el.li(document_link(each.title, href=f"#{each.anchor}", class_name=class_name)) for each in SECTIONS],
            class_name="flex flex-wrap gap-x-5 text-small",
        ),
        aria_label="Sections",
        class_name="mt-4 border-y border-line py-3",
    )


def gallery() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Gallery", class_name="text-h1"),
        rx.el.p("Every component in every state, on light and on dark.", class_name="mt-2 text-lead text-ink-2"),
        _contents(),
        *[render_section(section) for section in SECTIONS],
        id="main",
        class_name="shell py-8",
    )
