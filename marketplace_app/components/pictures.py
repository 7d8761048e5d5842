"""Product pictures, 4 : 5: photographs in three widths, and drawn packages, which need only one."""

import reflex as rx

from marketplace_app.packaging import FOLDER

WIDTHS = (320, 640, 960)


def picture(
    source: rx.vars.StringVar[str], sizes: str, alt: rx.Var[str] | str = "", is_first: rx.Var[bool] | bool = False
) -> rx.Component:
    """`source` is a photograph's stem, `/pictures/fern-hollow`, or the URL of a drawn package; empty shows nothing.

    `sizes` is how wide the picture will be; `is_first` loads it eagerly.
    """
    is_drawn = source.startswith(FOLDER)
    photographs = ", ".join(f"{source}-{width}.webp {width}w" for width in WIDTHS)
    return rx.cond(
        source != "",
        rx.el.img(
            key=source,  # a new element for a new picture, so that the previous one is never shown
            src=rx.cond(is_drawn, source, f"{source}-640.webp"),
            src_set=rx.cond(is_drawn, "", photographs),
            sizes=sizes,
            alt=alt,
            loading=rx.cond(rx.Var.create(is_first), "eager", "lazy"),
            decoding="async",
            custom_attrs={"width": "640", "height": "800"},
            class_name="photo size-full object-cover",
        ),
    )


def thumbnail(source: rx.vars.StringVar[str], class_name: str = "w-19") -> rx.Component:
    return rx.el.span(
        picture(source, "112px"),
        class_name=f"relative block aspect-4/5 flex-none overflow-hidden rounded-2 bg-sunken {class_name}",
    )
