"""A button that counts how often it was clicked, and nothing else: what a click costs in Reflex itself."""

import reflex as rx


class Counter(rx.State):
    count: int = 0

    @rx.event
    async def increase(self) -> None:
        self.count += 1


def index() -> rx.Component:
    return rx.el.main(
        rx.el.button("Count", id="count", on_click=Counter.increase),
        rx.el.p(Counter.count, id="counted"),
    )


app = rx.App()
app.add_page(index, route="/")
